"""1.7 Stonehenge with hidden stones, in numbers: a world in which every stone has a value.

Who placed a stone is seen by all, its value only when a line with it is full, or when its owner
proves a claim with it (KN7).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Self

from rules.games.knizia_stonehenge.components import FIELDS_OF, LINES_OF, MEGALITHS, STONES
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState
from rules.players.crafts.knizia_stonehenge.position import (
    AFTER,
    HAND,
    N_FIELDS,
    N_LINES,
    REACH,
    Stones,
    code_of,
)
from rules.players.position import Key

_ALL = code_of([STONES.count(value) for value in range(7)])


class FaceDown(Stones):
    """A position between two stones, as ``observer`` gets to see it played."""

    open = False
    __slots__ = ("down", "early", "observer", "owner", "shown", "unseen", "up", "value")

    observer: int
    early: bool
    """KN7: True if a line may be claimed before it is full, by a proof."""
    owner: list[int]
    value: list[int]
    up: list[bool]
    down: tuple[list[int], list[int]]
    """Face-down stones by seat and line."""
    shown: tuple[list[int], list[int]]
    """Sum of the face-up stones by seat and line."""
    unseen: list[int]
    """Stones of each seat that the other has never seen, as a hand."""

    @classmethod
    def seen_by(cls, observer: int, state: KniziaState) -> FaceDown:
        """The position, whose stones all have values; what can be claimed is claimed."""
        position = cls(
            state.turn, sorted(state.empty), [code_of(count) for count in state.count],
            (state.sums[0][:], state.sums[1][:]), state.free[:], state.last[:], state.claimed[:],
        )  # fmt: skip
        position.observer, position.early = observer, state.early
        position.owner, position.value = state.owner[:], state.value[:]
        position.up = state.faceup[:]
        position.down = ([0] * N_LINES, [0] * N_LINES)
        position.shown = ([0] * N_LINES, [0] * N_LINES)
        position.unseen = [_ALL, _ALL]
        for field in state.order:
            seat, value = state.owner[field], state.value[field]
            for line in LINES_OF[field]:
                if state.faceup[field]:
                    position.shown[seat][line] += value
                else:
                    position.down[seat][line] += 1
            if state.faceup[field]:
                position.unseen[seat] = AFTER[position.unseen[seat]][value]
        position._claim(range(N_LINES))
        if state.placed:
            position._next()
        return position

    def clone(self) -> Self:
        other = super().clone()
        other.observer, other.early = self.observer, self.early
        other.owner, other.value, other.up = self.owner[:], self.value[:], self.up[:]
        other.down = (self.down[0][:], self.down[1][:])
        other.shown = (self.shown[0][:], self.shown[1][:])
        other.unseen = self.unseen[:]
        return other

    def seen(self, key: Key) -> Hashable:
        return int(key) if self.turn == self.observer else int(key) % N_FIELDS

    # -- private --------------------------------------------------------------------------

    def _lay(self, value: int, field: int) -> None:
        super()._lay(value, field)
        me = self.turn
        self.owner[field], self.value[field] = me, value
        for line in LINES_OF[field]:
            self.down[me][line] += 1
        for line in LINES_OF[field]:
            if not self.free[line]:
                for one in FIELDS_OF[line]:
                    self._turn_up(one)

    def _turn_up(self, field: int) -> None:
        seat, value = self.owner[field], self.value[field]
        if self.up[field] or seat == NOBODY:
            return
        self.up[field] = True
        self.unseen[seat] = AFTER[self.unseen[seat]][value]
        for line in LINES_OF[field]:
            self.down[seat][line] -= 1
            self.shown[seat][line] += value

    def _claim(self, lines: Sequence[int]) -> None:
        """1.7: full lines, and others that can be proved. What was turned up by a stone may prove a
        line that it does not lie on."""
        me = self.turn
        other, claimed, free = 1 - me, self.claimed, self.free
        mine, theirs = self.sums[me], self.sums[other]
        left, reach = len(HAND[self.hands[other]]), REACH[self.unseen[other]]
        for line in range(N_LINES):
            if claimed[line] != NOBODY:
                continue
            k = free[line]
            if not k:
                if not (mine[line] > theirs[line] or (
                    mine[line] == theirs[line] and self.last[line] != me
                )):  # fmt: skip
                    continue
            elif not self.early:
                continue
            else:
                worst = self.shown[other][line] + reach[self.down[other][line] + min(k, left)]
                if mine[line] < worst:
                    continue
                for field in FIELDS_OF[line]:
                    if self.owner[field] == me:
                        self._turn_up(field)
            claimed[line] = me
            self.megaliths[me] += 1
            if self.megaliths[me] >= MEGALITHS:
                return
