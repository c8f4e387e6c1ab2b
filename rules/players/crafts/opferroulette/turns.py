"""Gains of a turn of Opferroulette: the points that a fall is worth on the average.

The card turned for a fall decides which pit is hit, so its worth is that of the day pit times the
share of day cards in the pile, and so on (6.3). Nothing here looks ahead beyond the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rules.core import Move
from rules.games.opferroulette.components import CARD, COLOUR, FIELDS, NEXT, NUMBER, NUMBER_CARDS
from rules.games.opferroulette.moves import DONE, FALL, ROLL, ROLL_FALL
from rules.games.opferroulette.moves import REVERSE as REVERSE_MOVE
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState

OWN_CRUSHED = -1 + 0.35
"""2 points in the pit become 1 (6.4), but the hand grows by a card for good (OR15)."""
RIVAL_LOSS = 2.0
"""The losses of the best of the others count as much as what is won."""
OTHER_LOSS = 0.6
"""Worth of a loss of others who are not ahead; it helps all players as well."""
PASS = -0.3
"""A turn without a card draws none (OR5): the ball and the hand stay as bad as they are."""
REVERSE = -0.1
"""A trilithon card is worth keeping until it is needed."""


@dataclass(frozen=True, slots=True)
class Insight:
    """Experience with the game: the considerations that a player knows."""

    spares_own: bool = True
    """If set, an own offering is worth more in its pit than crushed."""
    thinks_of_rivals: bool = True
    """If set, the losses of others are as good as own gains."""
    counts_cards: bool = True
    """If set, the cards still in the pile count; else day and night are equally likely."""


ALL = Insight()


def worth_of(state: OpferrouletteState, seat: int, insight: Insight = ALL) -> list[float]:
    """Worth of crushing an offering to ``seat``, by its owner; neutral ones last."""
    players = state.players
    if not insight.thinks_of_rivals:
        worth = [1.0] * (players + 1)
        worth[seat] = OWN_CRUSHED if insight.spares_own else 1.0
        return worth
    scores = [
        2 * state.own_left[s] + sum(state.crushed[s]) if s != seat else -1 for s in range(players)
    ]
    best = max(scores)
    worth = [1 + (RIVAL_LOSS if score == best else OTHER_LOSS) for score in scores]
    worth[seat] = OWN_CRUSHED
    return [*worth, 1.0]


class Turn:
    """The turn of the player who is asked, in a position in which every card has a name."""

    __slots__ = ("_by_colour", "_known", "_shares", "_state", "_trilithons", "_worth")

    def __init__(
        self,
        state: OpferrouletteState,
        seat: int,
        insight: Insight = ALL,
        pile: Sequence[int] | None = None,
    ) -> None:
        """``pile``: what the card turned for a fall may be; None: what is in the pile."""
        self._state = state
        self._worth = worth_of(state, seat, insight)
        if insight.counts_cards:
            self._shares = _shares(state.deck.pile or state.deck.discards if pile is None else pile)
        else:
            self._shares = (0.5, 0.5)
        self._by_colour: list[list[int]] = [[] for _ in range(6)]
        self._trilithons = 0
        for card in state.deck.hands[seat]:
            if card < NUMBER_CARDS:
                self._by_colour[COLOUR[card]].append(NUMBER[card])
            else:
                self._trilithons += 1
        self._known: list[float | None] = [None] * (FIELDS + 1)

    def fall(self, field: int) -> float:
        """Worth of a fall on a field."""
        known = self._known[field]
        if known is not None:
            return known
        pits, worth = self._state.pits, self._worth
        found = 0.0
        for share, owners in zip(
            self._shares, (pits[2 * field - 2], pits[2 * field - 1]), strict=True
        ):
            for owner in owners:
                found += share * worth[owner]
        self._known[field] = found
        return found

    def plan(self, random: Random, noise: float) -> list[Move]:
        """A whole turn of an experienced player: to the fall that looks best, or the ball rolled
        on, for new cards, where none pays."""
        state, facing = self._state, self._state.facing
        best, chosen = 0.0, (0, 0, False, False)
        for colour, numbers in enumerate(self._by_colour):
            held = len(numbers)
            if not held:
                continue
            for turned in (False, True) if self._trilithons else (False,):
                way = 1 - facing if turned else facing
                at, step = NEXT[way][state.ball][colour], -6 if way else 6
                for rolls in range(1, min(held, 5) + 1):
                    meets = at in numbers
                    if rolls < held or meets:
                        value = self.fall(at) + noise * random.random()
                        if turned:
                            value += REVERSE
                        if value > best + noise / 2:
                            best, chosen = value, (rolls, colour, turned, rolls == held)
                    at = (at - 1 + step) % FIELDS + 1
        return self._moves(chosen, random)

    def _moves(self, chosen: tuple[int, int, bool, bool], random: Random) -> list[Move]:
        rolls, colour, turned, meets = chosen
        state, seat = self._state, self._state.turn
        hand = state.deck.hands[seat]
        if not rolls:
            numbers = [card for card in hand if card < NUMBER_CARDS]
            if not numbers:
                return [DONE[seat]]
            return [ROLL[seat][random.choice(numbers)], DONE[seat]]
        found = []
        facing = state.facing
        if turned:
            found.append(REVERSE_MOVE[seat][next(c for c in hand if c >= NUMBER_CARDS)])
            facing = 1 - facing
        cards = [card for card in hand if card < NUMBER_CARDS and COLOUR[card] == colour]
        if meets:
            at = NEXT[facing][state.ball][colour]
            at = (at - 1 + (rolls - 1) * (-6 if facing else 6)) % FIELDS + 1
            last = next(card for card in cards if NUMBER[card] == at)
            cards.remove(last)
            found += [ROLL[seat][card] for card in cards[: rolls - 1]]
            return [*found, ROLL_FALL[seat][last]]
        found += [ROLL[seat][card] for card in cards[:rolls]]
        return [*found, FALL[seat][cards[rolls]]]

    def outlook(self, moves: Sequence[Move]) -> list[float]:
        """Points that each of ``moves`` promises by the end of the turn."""
        return [self._one(move) for move in moves]

    # -- private --------------------------------------------------------------------------

    def _one(self, move: Move) -> float:
        state, verb = self._state, move.verb
        if verb == "done":
            return 0.0 if state.played else PASS
        if verb == "fall":
            return self.fall(state.ball)
        if verb == "reverse":
            return self._turned_round() + REVERSE
        card = CARD[move.args[0]]
        if verb == "roll-fall":
            return self.fall(NEXT[state.facing][state.ball][COLOUR[card]])
        goal = self.goal_after(card)
        return self.fall(goal) if goal else 0.0

    def _turned_round(self) -> float:
        state = self._state
        goal = self.goal(state.ball, 1 - state.facing)
        return self.fall(goal) if goal else 0.0

    def goal(self, ball: int, facing: int) -> int:
        """The best field to fall on in this turn for a ball not yet rolled; 0: better none."""
        state = self._state
        colours = range(6) if state.colour == NO_COLOUR else (state.colour,)
        best, goal = 0.0, 0
        for colour in colours:
            numbers = self._by_colour[colour]
            if not numbers:
                continue
            field = NEXT[facing][ball][colour]
            there = [field] if field in numbers else []
            there += self._within_reach(field, facing, numbers[1:])
            for one in there:
                if self.fall(one) > best:
                    best, goal = self.fall(one), one
        return goal

    def goal_after(self, card: int) -> int:
        """The same once the ball has been rolled with a number card in hand."""
        state, colour = self._state, COLOUR[card]
        rest = self._by_colour[colour][:]
        rest.remove(NUMBER[card])
        field = NEXT[state.facing][state.ball][colour]
        fields = self._within_reach(field, state.facing, rest)
        best = max(fields, key=self.fall, default=0)
        return best if best and self.fall(best) > 0 else 0

    def _within_reach(self, field: int, facing: int, numbers: list[int]) -> list[int]:
        """Fields to fall on with cards of these numbers, all of one colour, once the ball has been
        rolled to ``field``."""
        found = []
        for way in (facing, 1 - facing) if self._trilithons else (facing,):
            at, step = field, -6 if way else 6
            for _ in numbers:
                found.append(at)
                # All fields of a colour are six apart.
                at = (at - 1 + step) % FIELDS + 1
                if at in numbers:
                    found.append(at)
        return found


def _shares(pile: Sequence[int]) -> tuple[float, float]:
    """Chances that the card turned for a fall hits the day pit, and the night pit."""
    days = sum(card < FIELDS for card in pile)
    numbers = sum(card < NUMBER_CARDS for card in pile)
    cards = len(pile) or 1
    both = (len(pile) - numbers) / cards
    return days / cards + both, (numbers - days) / cards + both
