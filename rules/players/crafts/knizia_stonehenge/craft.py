"""Stonehenge by Reiner Knizia: what is hidden, what is claimed as a matter of course, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import ClassVar

from rules.core import Move
from rules.games.knizia_stonehenge.components import FIELDS, LINE_IDS, LINES_OF, MEGALITHS, STONES
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState
from rules.players.craft import Craft
from rules.players.crafts.knizia_stonehenge.face_down import FaceDown
from rules.players.crafts.knizia_stonehenge.position import MOST_EMPTY, Stones, winning
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.view import SeatView

_LITTLE = 2
"""Value up to which a stone is a small one."""


class KniziaCraft(Craft[KniziaState]):
    """The craft; with open stones it searches turn by turn in numbers."""

    reasons: ClassVar = (
        "wins", "yours", "takes", "blocks", "takes_and_blocks", "small_stone", "large_stone",
        "strengthens",
    )  # fmt: skip

    # -- what is hidden -------------------------------------------------------------------

    def sees(self, view: SeatView) -> bool:
        """1.7: with hidden stones on a real table it is unknown which player holds which."""
        return not (view.physical and view.options["hidden"] == "on")

    def hides(self, view: SeatView) -> bool:
        return view.options["hidden"] == "on"

    def states(self, view: SeatView) -> Callable[[Random], KniziaState]:
        return _dealt(self, view) if self.hides(view) else super().states(view)

    def worlds(self, view: SeatView) -> Worlds:
        if self.hides(view):
            states = self.states(view)
            return lambda random: FaceDown.seen_by(view.seat, states(random))
        whole = Stones.of(self.game.from_json(view.state))
        return lambda _random: whole.clone()

    # -- what is promising ----------------------------------------------------------------

    def obvious(self, state: KniziaState, moves: Sequence[Move]) -> Move | None:
        """A line that can be claimed is claimed; who has laid a stone and has none is done."""
        claims = [move for move in moves if move.verb == "claim"]
        if claims:
            return claims[0]
        if all(move.verb == "done" for move in moves):
            return moves[0]
        return None

    def priors(self, state: KniziaState, moves: Sequence[Move]) -> Sequence[float]:
        """With hidden stones: the gain of a stone on lines that it fills, as far as it is known."""
        return [self._promise(state, move) for move in moves]

    def carry_on(self, state: KniziaState, moves: Sequence[Move], random: Random) -> Move:
        claim = self.obvious(state, moves)
        return claim if claim is not None else moves[int(random.random() * len(moves))]

    def sequel(self, state: KniziaState, move: Move) -> Sequence[Move]:
        """All claims that can be made after the stone, then *done*."""
        after, line = state.clone(), []
        after.apply(move)
        while after.outcome() is None:
            moves = after.legal_moves()
            if not moves or moves[0].player != move.player:
                break
            following = self.obvious(after, moves)
            if following is None:
                break
            line.append(following)
            after.apply(following)
        return tuple(line)

    def solved(self, state: KniziaState) -> Mapping[Move, float] | None:
        """Endgames with open stones, at a stone that is to be laid."""
        moves = state.legal_moves()
        if state.hidden or len(state.empty) > MOST_EMPTY or self.obvious(state, moves) is not None:
            return None
        position = Stones.of(state)
        right = {position.move(key) for key in winning(position)}
        return {move: float(move in right) for move in moves if move.verb == "place"}

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: KniziaState, move: Move) -> Reason | None:
        seat = move.player
        if move.verb == "claim":
            if state.megaliths[view.seat] == MEGALITHS - 1:
                return Reason.of("wins", line=move.args[0])
            return Reason.of("yours", line=move.args[0])
        if move.verb != "place" or state.hidden or seat is None:
            return None
        value, field = int(move.args[0]), FIELDS.index(move.args[1])
        before, other = Stones.of(state), state.clone()
        other.apply(move)
        claims = [one.args[0] for one in other.legal_moves() if one.verb == "claim"]
        if state.megaliths[seat] + len(claims) >= MEGALITHS:
            return Reason.of("wins", line=claims[-1])
        saved = [
            LINE_IDS[line] for line in LINES_OF[field]
            if LINE_IDS[line] not in claims and _saved(before, seat, line, value)
        ]  # fmt: skip
        if claims and saved:
            return Reason.of("takes_and_blocks", lines=",".join(claims), saved=",".join(saved))
        if claims:
            return Reason.of("takes", lines=",".join(claims))
        if saved:
            return Reason.of("blocks", lines=",".join(saved))
        open_lines = [LINE_IDS[n] for n in LINES_OF[field] if state.claimed[n] == NOBODY]
        if value <= _LITTLE:
            return Reason.of("small_stone", value=value)
        if len(open_lines) < 2:
            return Reason.of("large_stone", value=value) if open_lines else None
        return Reason.of("strengthens", lines=",".join(open_lines))

    # -- private --------------------------------------------------------------------------

    def _promise(self, state: KniziaState, move: Move) -> float:
        if move.verb != "place":
            return 1.0
        value, field = int(move.args[0]), FIELDS.index(move.args[1])
        filled = sum(1 for line in LINES_OF[field] if state.free[line] == 1)
        # Filling a line with a small stone gives it away, with a large one it may be won.
        return max(0.2, 1.0 + filled * (value - 3) / 3)


def _saved(before: Stones, seat: int, line: int, value: int) -> bool:
    """True if the other could have claimed ``line`` in their next turn, and cannot after a stone of
    this value there."""
    if before.claimed[line] != NOBODY or not before.threatened(line, 1 - seat):
        return False
    return not before.with_stone(seat, line, value).threatened(line, 1 - seat)


def _dealt(craft: KniziaCraft, view: SeatView) -> Callable[[Random], KniziaState]:
    """1.7: the other's stones that were never seen, dealt at random to fields and hand."""
    other = 1 - view.seat
    fields = view.state["fields"]
    shown = [value for owner, value, up in fields.values() if owner == other and up]
    unseen = list(STONES)
    for value in shown:
        unseen.remove(value)
    down = [name for name, (owner, _value, up) in fields.items() if owner == other and not up]

    def deal(random: Random) -> KniziaState:
        values = random.sample(unseen, len(unseen))
        data = dict(view.state)
        data["fields"] = {
            **fields, **{name: [other, values.pop(), False] for name in down}
        }  # fmt: skip
        hands = list(data["hands"])
        hands[other] = sorted(values)
        data["hands"] = hands
        return craft.game.from_json(data)

    return deal
