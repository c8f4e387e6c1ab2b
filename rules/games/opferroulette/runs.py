"""The ways to what lies on the table: runs of cards that bring the ball, the pits and the open
cards to where they are.

Eight cards have thousands of orders; the ball and the pits rule nearly all of them out, and that is
found out faster here than by playing them. The search is best-first (Hart, Nilsson, Raphael 1968)
over what the order leaves behind, so ways that come to the same thing are followed once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import NamedTuple, TypeAlias

from rules.core import Belief
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    COLOUR,
    DAY,
    FACINGS,
    FIELDS,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    PITS,
    pits_hit,
)
from rules.games.opferroulette.layout import DISCARDS, disc_of
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState

# A picture in the numbers of this game: the ball, the pits, the cards that lie open.
#
# All numbers are odds against a thing (natural log), compared with the likeliest look of the
# picture.

UNLIKE = 12.0
"""Odds against a look of which nothing is to be seen there."""
POSSIBLE = 6.0
"""Odds against a look that rule it out."""

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
        """Possible places of the ball, as field and facing."""
        self.pits = {pit: self._full(pit) for pit, owners in enumerate(state.pits) if owners}
        """The pits that hold offerings by the record."""
        self.cards = self._cards()
        """Cards that may lie open."""

    def against_ball(self, ball: int, facing: int) -> float:
        """The odds against the ball on a field."""
        return self.balls.get((ball, facing), self._nowhere)

    def supposed(self, cards: Collection[int]) -> int:
        """Number of ``cards`` that would lie below those that are seen, without having been played
        by the record: they would have been laid, and others on them, between two looks."""
        belief = self._beliefs.get(DISCARDS)
        looks = belief.looks if belief is not None else {}
        seen = _named(max(looks, key=looks.__getitem__, default=()))
        more = seen.symmetric_difference(cards).difference(self._state.deck.discards)
        return len(more) if seen < set(cards) else 0

    def may_lie(self, pit: int, owner: int) -> bool:
        """True if an offering of this owner seems to be on top in a pit."""
        belief = self._beliefs.get(PITS[pit])
        look = self._disc(owner)
        return (
            belief is not None
            and look in belief.looks
            and self._against(PITS[pit], look) < POSSIBLE
        )

    def gain(self, pit: int, owner: int) -> float:
        """The odds that the picture gives for an offering of this owner on top in a pit, and not
        for what is there by the record."""
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


STEP, SILENT = 0.7, 0.4
"""Costs of a card, and of a step without a trace (natural-log odds against the ordinary)."""
ROLL = 1.6
"""Cost of a roll to a field where a card can make the ball fall: one time in five by chance."""
NO_FALL = 1.5
"""Cost of only rolling with a card that could make the ball fall: that is seldom done."""
ROLL_ON = 1.6
"""Cost of a second roll in one turn."""
REVERSE_FIRST = 0.6
"""Cost of reversing before a roll: the ball is turned more often after one."""
NEXT_PLAYER = 2.2
"""Cost of a move of the next player where hands had hardly the time for that."""
PASS = 3.0
"""Cost of not playing: players who could hardly ever let it be, and those who do say so."""
UNTURNED = 5.8
"""Cost of a fall without a card turned for it: the other hand turns one."""
UNSEEN = 4.0
"""Cost of a card out of sight: cards lie where they can be seen."""
FARFETCHED = 6.5
"""Cost above which ways with unseen cards are no explanation."""
STILL_LYING = 4.8
"""Cost of an offering that a fall hit and that still lies there: it is taken away at once."""
AS_LIKELY = 4.0
"""Difference from the cheapest way above which ways are not looked for."""
MOST_WAYS = 16
MOST_SPOTS = 1200
"""Number of spots that are looked at on the ways to one table …"""
MOST_SPOTS_UNSEEN = 500
"""… if unseen cards may have been played."""

Step: TypeAlias = tuple[str, int]
"""A verb and its card; one of ``HIDDEN`` instead of an unseen card."""
Trail: TypeAlias = "tuple[Trail, Step] | None"

ANY_OF: tuple[frozenset[int], ...] = (
    *(frozenset(c for c in range(NUMBER_CARDS) if COLOUR[c] == colour) for colour in range(6)),
    frozenset(range(NUMBER_CARDS, len(CARDS))),
    frozenset(range(len(DAY))),
    frozenset(range(len(DAY), NUMBER_CARDS)),
)
"""Kinds of unseen cards: of a colour, trilithon, day, night card."""
TRILITHON, ANY_DAY, ANY_NIGHT = 6, 7, 8


def hidden(kind: int) -> int:
    """A number for an unseen card of a kind (place in ``ANY_OF``)."""
    return -1 - kind


def may_be(card: int, verb: str, reached: int) -> Collection[int]:
    """The cards that may stand behind what ``hidden`` gave."""
    if verb == "roll-fall":
        return [c for c in ANY_OF[-1 - card] if NUMBER[c] == reached]
    return ANY_OF[-1 - card]


class Spot(NamedTuple):
    """A place on the way to what lies there."""

    ball: int
    facing: int
    left: int = 0
    """Open cards that are not played yet, as bits."""
    turns: int = 0
    """Turns closed since the record."""
    falling: bool = False
    """True if a card must be turned for a fall."""
    played: int = 0
    """Cards played in the open turn, and those that the hand lacked before."""
    begun: bool = False
    """True if a card has been played in the open turn."""
    colour: int = NO_COLOUR
    """Of the open turn; NO_COLOUR before its first number card."""
    hits: frozenset[tuple[int, int]] = frozenset()
    """Pits that were hit, each with the number of the turn."""
    unseen: int = 0
    """Cards that were played and cannot be seen."""
    pile: int = 0
    laid: int = 0
    """Cards on the discard pile."""
    renewed: bool = False
    """True if the discards became the pile meanwhile."""
    through: int = 0
    """Number of times the pile may still be played through."""
    whence: tuple[tuple[int, bool, int], ...] = ()
    """Knowledge of the hands that tells cards apart: in which turn they were played or turned
    (True), and the kind of each."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The facts of one match."""

    players: int
    turn: int
    """Seat whose turn is open in the record."""
    alone: bool
    """True if trilithon cards may be a whole turn."""
    owners: Sequence[Sequence[int]]
    """By pit: owners of the offerings there by the record."""
    in_hand: Sequence[Collection[int]]
    """By seat: the cards that may be there; also those that may be drawn after a turn."""
    in_pile: Collection[int]
    laid: Collection[int] = ()
    """Cards that a new pile is made of."""
    at_once: bool = True
    """True if hands had no time for one player, and another after them."""

    def kinds(self, cards: Sequence[int]) -> dict[int, int]:
        """A number by card, the same for cards of which the same is known; empty if for all."""
        known = {c: (c in self.in_pile, *(c in hand for hand in self.in_hand)) for c in cards}
        number = {where: place for place, where in enumerate(sorted(set(known.values())))}
        return {c: number[known[c]] for c in cards} if len(number) > 1 else {}

    def seat(self, turns: int) -> int:
        """The seat whose turn it is after ``turns`` more."""
        return (self.turn + turns) % self.players


class Way(NamedTuple):
    """One run of steps from the record to what lies there."""

    steps: tuple[Step, ...]
    cost: float
    """Cost of the steps, whatever the picture says."""
    total: float
    """The same, with what speaks against the ball and the pits being as they are then."""


class Ways:
    """The ways to play a set of cards, the likeliest first."""

    def __init__(
        self,
        rules: Rules,
        picture: Picture,
        cards: Sequence[int],
        *,
        most_unseen: int = 0,
        renewed: bool = False,
    ) -> None:
        """``cards``: those that were played since. ``most_unseen``: most cards more that may lie
        below others. ``renewed``: the pile was made anew meanwhile, and those lie there since."""
        self._rules, self._picture = rules, picture
        self._most_unseen, self._renewed = most_unseen, renewed
        self._bits = {1 << place: card for place, card in enumerate(cards)}
        self._all = (1 << len(cards)) - 1
        self._of_colour = [self._those(ANY_OF[colour]) for colour in range(6)]
        self._trilithons = self._those(ANY_OF[TRILITHON])
        # Day or night: which cards hit it.
        self._hitting = [
            self._those(ANY_OF[kind]) | self._trilithons for kind in (ANY_DAY, ANY_NIGHT)
        ]
        self._emptied = {p: f.stay - f.gone for p, f in picture.pits.items() if f.stay > f.gone}
        self._spared = {p: f.gone - f.stay for p, f in picture.pits.items() if f.gone > f.stay}
        self._kinds = rules.kinds(cards)
        self._known_bounds: dict[tuple[int, int, int], float] = {}
        self.cut_short = False
        """True if there was more to try."""

    @property
    def all_cards(self) -> int:
        """The open cards as bits."""
        return self._all

    def found(self, starts: Collection[tuple[Spot, Step | None]], within: float) -> Iterator[Way]:
        """The ways from one of the spots in ``starts``, each with the step that led there, in order
        of what speaks against them; none that costs more than ``within`` with what speaks against
        where it ends."""
        tie = count()
        frontier: list[tuple[float, int, float, Spot, Trail, bool]] = []
        for spot, step in starts:
            trail: Trail = None if step is None else (None, step)
            cost = 0.0 if step is None else STEP
            heappush(frontier, (cost + self._bound(spot), next(tie), cost, spot, trail, False))
        seen: set[Spot] = set()
        limit, ways = within, 0
        while frontier:
            total, _, cost, spot, trail, ended = heappop(frontier)
            if total > limit:
                return
            if ended:
                ways += 1
                limit = min(limit, total + AS_LIKELY)
                yield Way(_steps(trail), cost, total)
                if ways == MOST_WAYS:
                    self.cut_short = True
                    return
                continue
            if spot in seen:
                continue
            seen.add(spot)
            if len(seen) > (MOST_SPOTS_UNSEEN if self._most_unseen else MOST_SPOTS):
                self.cut_short = True
                return
            end = self._end(spot)
            if end < inf and trail is not None and not self._ends_silently(trail):
                ends_at = cost + (UNTURNED if spot.falling else 0.0)
                if spot.unseen and not self._renewed and ends_at > FARFETCHED:
                    continue
                heappush(frontier, (ends_at + end, next(tie), ends_at, spot, trail, True))
            for step, further, then in self._steps(spot):
                reckoned = cost + further + self._bound(then)
                if reckoned <= limit:
                    entry = (reckoned, next(tie), cost + further, then, (trail, step), False)
                    heappush(frontier, entry)

    # -- what follows ---------------------------------------------------------------------

    def _ends_silently(self, trail: tuple[Trail, Step]) -> bool:
        """True if the last step leaves no trace: a turn that is closed without a new pile."""
        return trail[1][0] == "done" and not self._renewed

    def _steps(self, spot: Spot) -> Iterator[tuple[Step, float, Spot]]:
        """Possible next steps, each with its cost and the spot that it leads to."""
        if not spot.through:
            return
        if spot.falling:
            yield from self._turned(spot)
            return
        for card, left, unseen in self._playable(spot):
            yield from self._played(spot, card, left, unseen)
        if not spot.left and not self._may_hide(spot) and spot.renewed == self._renewed:
            return  # The end of a turn would leave no trace.
        if spot.begun:
            if spot.colour != NO_COLOUR or self._rules.alone:
                cost = SILENT + (NEXT_PLAYER if self._rules.at_once else 0.0)
                yield from self._closed(spot, ("done", 0), cost)
        else:
            yield from self._closed(spot, ("done", 0), SILENT + PASS)

    def _playable(self, spot: Spot) -> Iterator[tuple[int, int, int]]:
        """Cards out of the hand: each with those that are left then, and those unseen."""
        if not self._renewed or spot.renewed:
            rules = self._rules
            mine = rules.in_hand[rules.seat(spot.turns)]
            for bit, card in self._bits.items():
                drawn = spot.turns >= rules.players or (spot.renewed and card in rules.laid)
                if spot.left & bit and (card in mine or drawn):
                    yield card, spot.left ^ bit, spot.unseen
        if self._may_hide(spot):
            if spot.colour == NO_COLOUR:
                kinds = range(TRILITHON + 1)
                yield from ((hidden(kind), spot.left, spot.unseen + 1) for kind in kinds)
            else:
                for kind in (spot.colour, TRILITHON):
                    yield hidden(kind), spot.left, spot.unseen + 1

    def _may_hide(self, spot: Spot) -> bool:
        return spot.unseen < self._most_unseen and not spot.renewed

    def _played(
        self, spot: Spot, card: int, left: int, unseen: int
    ) -> Iterator[tuple[Step, float, Spot]]:
        """A card out of the hand, with each of its effects."""
        cost = STEP + UNSEEN * (unseen - spot.unseen) * (not self._renewed)
        facing, ball, colour = spot.facing, spot.ball, spot.colour
        trilithon = card >= NUMBER_CARDS or card == hidden(TRILITHON)

        whence = self._whence(spot, card, turned=False)

        def after(ball: int, facing: int, colour: int, falling: bool) -> Spot:
            return Spot(
                ball, facing, left, spot.turns, falling, spot.played + 1, True, colour, spot.hits,
                unseen, spot.pile, spot.laid + 1, spot.renewed, spot.through, whence,
            )  # fmt: skip

        if trilithon:
            cost += 0.0 if spot.begun else REVERSE_FIRST
            yield ("reverse", card), cost, after(ball, 1 - facing, colour, False)
            return
        own = COLOUR[card] if card >= 0 else -1 - card
        if colour not in (NO_COLOUR, own):
            return
        reached = NEXT[facing][ball][own]
        could_fall = card < 0 or NUMBER[card] == reached
        first = colour == NO_COLOUR
        rolling = cost + (ROLL if first else ROLL_ON) + (NO_FALL if could_fall else 0.0)
        yield ("roll", card), rolling, after(reached, facing, own, False)
        if could_fall:
            yield ("roll-fall", card), cost, after(reached, facing, own, True)
        if not first:
            yield ("fall", card), cost, after(ball, facing, own, True)

    def _turned(self, spot: Spot) -> Iterator[tuple[Step, float, Spot]]:
        """A card turned for a fall."""
        ball = spot.ball
        if spot.pile == 0:
            if spot.laid == 0 or (not self._renewed) or spot.left != self._all:
                return
            spot = spot._replace(pile=spot.laid, laid=0, renewed=True)
        if not self._renewed or spot.renewed:
            pile = self._rules.laid if spot.renewed else self._rules.in_pile
            for bit, card in self._bits.items():
                if spot.left & bit and card in pile:
                    yield from self._fallen(spot, card, pits_hit(ball, card), spot.left ^ bit)
        if self._may_hide(spot):
            for kind in (ANY_DAY, ANY_NIGHT, TRILITHON):
                pits = pits_hit(ball, min(ANY_OF[kind]))
                yield from self._fallen(spot, hidden(kind), pits, spot.left)

    def _fallen(
        self, spot: Spot, card: int, pits: Sequence[int], left: int
    ) -> Iterator[tuple[Step, float, Spot]]:
        cost = STEP + (0.0 if card >= 0 or self._renewed else UNSEEN)
        known = {pit for pit, _ in spot.hits}
        new = [pit for pit in pits if pit in self._picture.pits and pit not in known]
        cost += sum(min(self._spared.get(pit, 0.0), STILL_LYING) for pit in new)
        seat = self._rules.seat(spot.turns)
        own = sum(list(self._rules.owners[pit]).count(seat) for pit in new)
        spot = spot._replace(
            left=left,
            hits=spot.hits.union((pit, spot.turns) for pit in new) if new else spot.hits,
            unseen=spot.unseen + (card < 0),
            pile=spot.pile - 1,
            laid=spot.laid + 1,
            through=spot.through - (spot.pile == 1),
            played=spot.played + own,
            whence=self._whence(spot, card, turned=True),
        )
        yield from self._closed(spot, ("turn", card), cost)

    def _closed(self, spot: Spot, step: Step, cost: float) -> Iterator[tuple[Step, float, Spot]]:
        """The end of a turn, with what is drawn then."""
        pile, laid, renewed = spot.pile, spot.laid, spot.renewed
        through, due = spot.through, max(spot.played, 0) if spot.begun else 0
        while due and through and (pile or laid):
            if not pile:
                if not (self._renewed or spot.left):
                    break  # The new pile is still to be made, of what lies there.
                if not self._renewed or (spot.left != self._all and not renewed):
                    return  # The cards that lie there would have been shuffled in.
                pile, laid, renewed = laid, 0, True
            drawn = min(due, pile)
            due, pile = due - drawn, pile - drawn
            through -= not pile
        then = Spot(
            spot.ball, spot.facing, spot.left, spot.turns + 1, False, 0, False, NO_COLOUR,
            spot.hits, spot.unseen, pile, laid, renewed, through, spot.whence,
        )  # fmt: skip
        yield step, cost, then

    def _whence(self, spot: Spot, card: int, *, turned: bool) -> tuple[tuple[int, bool, int], ...]:
        if not self._kinds:
            return ()
        return tuple(sorted((*spot.whence, (spot.turns, turned, self._kinds.get(card, card)))))

    # -- what must still come ---------------------------------------------------------------

    def _end(self, spot: Spot) -> float:
        """The odds against everything ending here."""
        if spot.left or spot.renewed != self._renewed:
            return inf
        hit = {pit for pit, _ in spot.hits}
        left = sum(against for pit, against in self._emptied.items() if pit not in hit)
        return left + self._picture.against_ball(spot.ball, spot.facing)

    def _bound(self, spot: Spot) -> float:
        """No way on from here costs less."""
        left = spot.left
        cost = STEP * left.bit_count()
        if spot.unseen < self._most_unseen:
            return cost
        key = (left, spot.ball, spot.facing)
        ball = self._known_bounds.get(key)
        if ball is None:
            ball = self._known_bounds[key] = self._ball_bound(left, spot.ball, spot.facing)
        cost += ball
        if self._emptied:
            hit = {pit for pit, _ in spot.hits}
            for pit, against in self._emptied.items():
                if pit not in hit and not self._may_hit(pit, spot):
                    cost += against
        return cost

    def _may_hit(self, pit: int, spot: Spot) -> bool:
        field = pit // 2 + 1
        if not spot.left & self._hitting[pit % 2]:
            return False
        return field == spot.ball or bool(spot.left & self._of_colour[field % 6])

    def _ball_bound(self, left: int, ball: int, facing: int) -> float:
        """The least odds against the places that the ball can still reach."""
        picture = self._picture
        facings = (0, 1) if left & self._trilithons else (facing,)
        least = min(picture.against_ball(ball, each) for each in facings)
        for (field, to), against in picture.balls.items():
            if to in facings and left & self._of_colour[field % 6]:
                least = min(least, against)
        return least

    def _those(self, cards: Collection[int]) -> int:
        return sum(bit for bit, card in self._bits.items() if card in cards)


def _steps(trail: Trail) -> tuple[Step, ...]:
    found: list[Step] = []
    while trail is not None:
        trail, step = trail
        found.append(step)
    return tuple(reversed(found))
