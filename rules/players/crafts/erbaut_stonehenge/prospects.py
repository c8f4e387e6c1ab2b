"""Points of glory (3.8) that a step of Erbaut Stonehenge! promises, before any looking ahead.

A turn builds about one element, so whatever takes longer is weighed against what the turns would
have brought otherwise (``TURN``).
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.games.erbaut_stonehenge.components import (
    CARD_COLOUR,
    COLOURS,
    DOLERITES,
    EMPTY,
    FIELDS,
    FIRST_D,
    FIRST_T,
    LYING,
    MARKED,
    NONE,
    NUMBER_CARDS,
    OPEN,
    PILLARS_0,
    SUPPLY,
    TRILITHONS,
    is_day,
)
from rules.games.erbaut_stonehenge.glory import (
    BLOCK,
    BLOCK_RUN,
    DOLERITE,
    DOLERITE_RUN,
    PAIR,
    RUN,
    TRILITHON,
    TRILITHON_PAIR,
    glory,
)
from rules.games.erbaut_stonehenge.state import ErbautState


@dataclass(frozen=True, slots=True)
class Insight:
    """Experience with the game: the considerations that a player knows."""

    thinks_of_rivals: bool = True
    """If set, the losses of the others by a site, a theft or a sabotage count."""
    counts_turns: bool = True
    """If set, time counts: less for a night card than a day card, five turns for a trilithon."""
    looks_on: bool = True
    """If set, the length to which a row may grow counts."""
    sees_rows: bool = True
    """If set, neighbours and long rows count besides the elements themselves (3.8)."""


ALL = Insight()


TURN = 3.0
"""Points of a turn on the average, in a match between people who know what they do."""
INFLUENCE = 3.0
"""Worth of an influence card: it costs another player two turns (3.7)."""
GROWTH = 0.8
"""Worth of a free neighbour, since the run may grow there."""
DENIED = 0.1
"""Part of the points that a site would have brought another player."""
NEUTRAL = 4.0
"""Worth of owning the neutral blocks (3.5)."""
LEADER, RIVAL, OTHER = 0.4, 0.3, 0.2
"""Part of another's loss that is one's own gain: of the best of the others, of one about as good,
of any other."""
CLOSE = 8
"""Points behind that are still about as good."""
_END_D = FIRST_D + DOLERITES
_END_T = FIRST_T + TRILITHONS


class Prospects:
    """The possible gains in a position in which every card has a name."""

    __slots__ = ("_insight", "_of_chain", "_of_free", "_sites", "state")

    def __init__(self, state: ErbautState, insight: Insight = ALL) -> None:
        self.state, self._insight = state, insight
        self._sites: dict[tuple[int, int], float] = {}
        self._of_free: dict[tuple[int, int, int], float] = {}
        self._of_chain: dict[tuple[int, tuple[int, ...]], float] = {}

    # -- sites ----------------------------------------------------------------------------

    def gain(self, seat: int, site: int) -> float:
        """Points that an element on ``site`` adds for ``seat``, by what stands now."""
        state = self.state
        if not self._insight.sees_rows:
            return BLOCK if site < FIRST_D else DOLERITE if site < FIRST_T else TRILITHON
        if site < FIRST_D:
            return self._gain_of_block(seat, site)
        if site < FIRST_T:
            run = self._chain(seat, site, FIRST_D, _END_D)
            return DOLERITE + _joined(*run, DOLERITE_RUN)
        before, after = self._chain(seat, site, FIRST_T, _END_T)
        pairs = (before > 0) + (after > 0)
        if state.trilith_ring and site in (FIRST_T, _END_T - 1):
            pairs += state.built[FIRST_T + _END_T - 1 - site] == seat
        return TRILITHON + TRILITHON_PAIR * pairs

    def site(self, seat: int, site: int) -> float:
        """Worth of ``site`` to ``seat``: its points, what it may grow to, what others lose."""
        known = self._sites.get((seat, site))
        if known is not None:
            return known
        state, insight = self.state, self._insight
        found = self.gain(seat, site)
        if insight.looks_on:
            found += GROWTH * self._room(site) + self._nearly(seat, site)
        if site < FIRST_D and not state.bars[seat]:
            found += self._of_neutral(seat, site)
        if insight.thinks_of_rivals:
            found += DENIED * max(self.gain(s, site) for s in range(state.players) if s != seat)
        if site < FIRST_D and site % 6 == state.hue[seat]:
            found += INFLUENCE
        self._sites[seat, site] = found
        return found

    def beside(self, seat: int, site: int) -> tuple[int, int]:
        """Numbers of a player's elements in a row on either side of a site."""
        if site < FIRST_D:
            return self._ring(seat, site)
        if site < FIRST_T:
            return self._chain(seat, site, FIRST_D, _END_D)
        return self._chain(seat, site, FIRST_T, _END_T)

    def best_site(self, seat: int, card: int) -> float:
        """The worth of the best site for a card that lay open now; below 0 if there is none."""
        state, best = self.state, -1.0
        if card >= NUMBER_CARDS:
            return self._best(seat, FIRST_T, state.trilithon_free)
        if state.bars[seat] or state.neutral:
            colour = CARD_COLOUR[card]
            best = self._best(seat, colour, state.ring_free[colour])
        if state.built[card >> 1] != NONE and state.discs[seat]:
            best = max(best, self._best_dolerite(seat))
        return best

    def _best(self, seat: int, first: int, free: int) -> float:
        """The best of a colour's ring fields, or of the trilithon fields, by the bits of the free
        ones."""
        known = self._of_free.get((seat, first, free))
        if known is None:
            apart = 1 if first >= FIRST_T else len(COLOURS)
            known = max(
                (self.site(seat, first + apart * i) for i in range(5) if free >> i & 1),
                default=-1.0,
            )
            self._of_free[seat, first, free] = known
        return known

    def _best_dolerite(self, seat: int) -> float:
        free = tuple(self.state.dolerite_free)
        known = self._of_chain.get((seat, free))
        if known is None:
            known = max((self.site(seat, site) for site in free), default=-1.0)
            self._of_chain[seat, free] = known
        return known

    # -- cards and projects ---------------------------------------------------------------

    def card(self, seat: int, card: int) -> float:
        """Worth of a card in hand, with the turns that it takes."""
        best = self.best_site(seat, card)
        if best < 0:
            # It may fit later: a block may come to stand on its number.
            return -TURN
        if not self._insight.counts_turns:
            return best - TURN
        if card >= NUMBER_CARDS:
            return best - 4 * TURN
        return best - (2 * TURN if is_day(card) else TURN)

    def theft(self, seat: int, other: int) -> float:
        """Worth of taking over the trilithon project of ``other`` (3.6): the price comes back from
        the pile for nothing, and the other has built in vain."""
        if self.state.stolen[other]:
            return -TURN
        built = self.state.stage[other] - PILLARS_0
        best = max(self.best_site(seat, self.state.yard[other]), TRILITHON)
        return best - (4 - built) * TURN + self._weight(seat, other) * (built + 1) * TURN

    def sabotage(self, seat: int, other: int) -> float:
        """Worth of sending the druid of ``other`` to the altar: two turns, and all that went into
        the project if it is no trilithon (3.7)."""
        stage = self.state.stage[other]
        lost = 2 * TURN + (TURN if stage < PILLARS_0 else 0.0)
        return self._weight(seat, other) * lost - 0.5

    def points(self, seat: int) -> int:
        """Points of a player by what stands."""
        if self._insight.sees_rows:
            return glory(self.state, seat)
        built = self.state.built
        blocks, chain = built[:FIRST_D].count(seat), built[FIRST_D:FIRST_T].count(seat)
        return BLOCK * blocks + DOLERITE * chain + TRILITHON * built[FIRST_T:].count(seat)

    def standing(self, seat: int) -> float:
        """Points that a player may hope for beyond those that stand: the project, the influence."""
        state, found = self.state, 0.0
        stage, druid = state.stage[seat], state.druid[seat]
        if stage >= PILLARS_0:
            worth = self.gain(seat, druid) if druid >= FIRST_T else TRILITHON
            found = worth * (0.95 if stage == MARKED else 0.25 + 0.2 * (stage - PILLARS_0))
        elif stage == OPEN and druid >= 0:
            found = 0.9 * self.gain(seat, druid)
        elif stage != EMPTY:
            found = 1.0
        if druid < SUPPLY:
            found -= TURN * (1.5 if druid == LYING else 0.75)
        if state.to_build > 3 * state.players:
            found += INFLUENCE * len(state.influence[seat])
        return found

    # -- private --------------------------------------------------------------------------

    def _weight(self, seat: int, other: int) -> float:
        """Part of a loss of ``other`` that is a gain for ``seat``: most, if it leads."""
        state = self.state
        if not self._insight.thinks_of_rivals:
            return OTHER
        mine, theirs = _rough(state, seat), _rough(state, other)
        best = max(_rough(state, s) for s in range(state.players) if s != seat)
        if theirs >= best:
            return LEADER
        return RIVAL if theirs >= mine - CLOSE else OTHER

    def _gain_of_block(self, seat: int, site: int) -> float:
        state = self.state
        if not state.bars[seat] and state.neutral_owner not in (NONE, seat):
            # 3.5: the block will be another player's.
            return 0.0
        return BLOCK + _joined(*self._ring(seat, site), BLOCK_RUN)

    def _of_neutral(self, seat: int, site: int) -> float:
        """Worth of owning the neutral blocks, or of building for their owner (3.5)."""
        owner = self.state.neutral_owner
        if owner == NONE:
            return NEUTRAL
        if owner == seat or not self._insight.thinks_of_rivals:
            return 0.0
        return -self._weight(seat, owner) * (BLOCK + _joined(*self._ring(owner, site), BLOCK_RUN))

    def _nearly(self, seat: int, site: int) -> float:
        """A run just below the length that pays is half way there."""
        if site >= FIRST_T:
            return 0.0
        run, long = sum(self.beside(seat, site)), DOLERITE_RUN if site >= FIRST_D else BLOCK_RUN
        return 0.5 * RUN / long * run if run + 1 < long else 0.0

    def _ring(self, owner: int, site: int) -> tuple[int, int]:
        """Numbers of the owner's blocks in a row before and after a ring field."""
        state = self.state
        built = state.built
        also = state.players if state.neutral_owner == owner else owner
        before, at = 0, site - 1
        while before < FIELDS - 1 and (built[at % FIELDS] == owner or built[at % FIELDS] == also):
            before, at = before + 1, at - 1
        after, at = 0, site + 1
        while before + after < FIELDS - 1 and (
            built[at % FIELDS] == owner or built[at % FIELDS] == also
        ):
            after, at = after + 1, at + 1
        return before, after

    def _chain(self, seat: int, site: int, first: int, end: int) -> tuple[int, int]:
        """The same in a chain of sites that does not close."""
        built = self.state.built
        at = site - 1
        while at >= first and built[at] == seat:
            at -= 1
        before, at = site - 1 - at, site + 1
        while at < end and built[at] == seat:
            at += 1
        return before, at - site - 1

    def _room(self, site: int) -> int:
        """Free neighbours of a site."""
        built = self.state.built
        if site < FIRST_D:
            return (built[(site - 1) % FIELDS] == NONE) + (built[(site + 1) % FIELDS] == NONE)
        first, end = (FIRST_D, _END_D) if site < FIRST_T else (FIRST_T, _END_T)
        return (site > first and built[site - 1] == NONE) + (
            site + 1 < end and built[site + 1] == NONE
        )


def _joined(before: int, after: int, long: int) -> int:
    """Points for pairs and long runs when an element joins two runs of these lengths."""
    runs = (before + after + 1 >= long) - (before >= long) - (after >= long)
    return PAIR * ((before > 0) + (after > 0)) + RUN * runs


def _rough(state: ErbautState, seat: int) -> int:
    """A player's progress, without counting everything."""
    built = state.built
    return (
        2 * built[:FIRST_D].count(seat)
        + 3 * built[FIRST_D:FIRST_T].count(seat)
        + 10 * built[FIRST_T:].count(seat)
        + 3 * max(0, state.stage[seat] - PILLARS_0 + 1)
    )
