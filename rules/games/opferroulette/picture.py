"""What a picture says, in the numbers of this game: the ball, the pits, the cards that lie open.

Everything is counted as what speaks against it (natural log), compared with what the picture says
itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from rules.core import Belief
from rules.games.opferroulette.components import CARD, FACINGS, FIELDS, PITS
from rules.games.opferroulette.layout import DISCARDS, disc_of
from rules.games.opferroulette.state import OpferrouletteState

UNLIKE = 12.0
"""Nothing of the kind is to be seen there."""
POSSIBLE = 6.0
"""What speaks more against a look than this rules it out."""

Look = tuple[tuple[str, str], ...]


class Full(NamedTuple):
    """A pit with offerings: what speaks against it that they lie there still, and that not."""

    stay: float
    gone: float


class Picture:
    """One picture, as far as it concerns a position."""

    def __init__(self, state: OpferrouletteState, beliefs: Mapping[str, Belief]) -> None:
        self._beliefs = beliefs
        self._state = state
        self.balls = self._balls()
        """Where the ball may lie, as field and facing."""
        self.pits = {pit: self._full(pit) for pit, owners in enumerate(state.pits) if owners}
        """The pits that hold offerings by the record."""
        self.cards = self._cards()
        """What may lie open."""

    def against_ball(self, ball: int, facing: int) -> float:
        """What speaks against the ball on a field."""
        return self.balls.get((ball, facing), self._nowhere)

    def supposed(self, cards: Collection[int]) -> int:
        """How many of ``cards`` would lie below those that are seen, without having been played by
        the record: somebody would have laid them and others on them between two looks."""
        belief = self._beliefs.get(DISCARDS)
        looks = belief.looks if belief is not None else {}
        seen = _named(max(looks, key=looks.__getitem__, default=()))
        more = seen.symmetric_difference(cards).difference(self._state.deck.discards)
        return len(more) if seen < set(cards) else 0

    def may_lie(self, pit: int, owner: int) -> bool:
        """Whether somebody's offering seems to be on top in a pit."""
        belief = self._beliefs.get(PITS[pit])
        look = self._disc(owner)
        return (
            belief is not None
            and look in belief.looks
            and self._against(PITS[pit], look) < POSSIBLE
        )

    def gain(self, pit: int, owner: int) -> float:
        """By how much the picture speaks for somebody's offering on top in a pit, and not for what
        is there by the record."""
        there = self.pits.get(pit)
        before = there.stay if there else self._against(PITS[pit], ())
        return before - self._against(PITS[pit], self._disc(owner))

    # -- private --------------------------------------------------------------------------

    def _against(self, site: str, look: Look) -> float:
        belief = self._beliefs.get(site)
        if belief is None or not belief.looks:
            return 0.0
        return max(belief.looks.values()) - belief.score(look)

    def _disc(self, owner: int) -> Look:
        state = self._state
        return ((state.paint.kind(disc_of(owner, state.players)), ""),)

    def _full(self, pit: int) -> Full:
        name = PITS[pit]
        top = self._disc(self._state.pits[pit][-1])
        return Full(self._against(name, top), self._against(name, ()))

    def _balls(self) -> dict[tuple[int, int], float]:
        bare = {field: self._against(str(field), ()) for field in range(1, FIELDS + 1)}
        nowhere = sum(bare.values())
        self._nowhere = nowhere + UNLIKE
        found: dict[tuple[int, int], float] = {}
        for field in bare:
            belief = self._beliefs.get(str(field))
            for look in belief.looks if belief is not None else ():
                for kind, pose in look:
                    if kind == "figure grey" and pose in FACINGS:
                        against = nowhere - bare[field] + self._against(str(field), look)
                        found[field, FACINGS.index(pose)] = against
        return found

    def _cards(self) -> list[tuple[float, frozenset[int]]]:
        belief = self._beliefs.get(DISCARDS)
        if belief is None:
            return []
        found: dict[frozenset[int], float] = {}
        for look in belief.looks:
            cards = _named(look)
            against = self._against(DISCARDS, look)
            # Each card is there once, and there are no others.
            if len(cards) == len(look) and against <= POSSIBLE:
                found[cards] = min(against, found.get(cards, against))
        return sorted(((against, cards) for cards, against in found.items()), key=lambda x: x[0])


def _named(look: Look) -> frozenset[int]:
    """The cards of a look."""
    names = (kind.removeprefix("card ") for kind, _ in look)
    return frozenset(CARD[name] for name in names if name in CARD)
