"""The craft of Dominion: lists of cards to buy, habits of play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Json, Move
from rules.games.dominion.holdings import Counts, DealtCards, Holdings, WatchedCards, add
from rules.games.dominion.state import DominionState
from rules.players.craft import Craft, RulesPosition
from rules.players.crafts.dominion import reasons
from rules.players.crafts.dominion.answers import finish_questions, habitual
from rules.players.crafts.dominion.choosing import attractions, choose_by_lists, considered, likely
from rules.players.crafts.dominion.lists import COINS, NUMBER, BuyList
from rules.players.crafts.dominion.table import Table
from rules.players.crafts.dominion.tasks import TASKS
from rules.players.crafts.dominion.turns import play_out
from rules.players.player import Budget, Reason
from rules.players.position import Worlds
from rules.players.search import Found
from rules.players.tasks import Task
from rules.players.view import SeatView

# Positions that fit what a seat knows of a match.
#
# What a table knows of a match, and what a seat knows that has seen its own draws, is kept by the
# rules in the same form: zones with known and unknown cards. For a digital match it is found by
# replaying the moves as the seat was told them at a table (the rules promise that this is
# possible), and so it is where the program deals for some at a table with real cards; where all
# cards are real it is the view itself. The unknown cards are then dealt at random.


def known_to(game: Game[DominionState], view: SeatView) -> DominionState:
    """The position as a table would know it from ``view``, with the seat's own draws named."""
    if view.physical and not view.dealt:
        return game.from_json(view.state)
    state = game.setup(view.players, view.options, True)
    for move in view.moves:
        state.apply(move)
    return state


def dealer(known: DominionState) -> Callable[[Random], DominionState]:
    """Deals all that is not known in ``known``; every position returned is the caller's own."""
    plain = _without_cards(known)
    seats = [_Seat(cards) for cards in known.seats]

    def deal(random: Random) -> DominionState:
        state = plain.clone()
        state.seats = [seat.dealt(random) for seat in seats]
        return state

    return deal


def _without_cards(known: DominionState) -> DominionState:
    plain = known.clone()
    plain.physical, plain.seats = False, []
    return plain


class _Seat:
    """One player's cards, as far as they are known, sorted out for dealing."""

    __slots__ = ("known", "pools")

    def __init__(self, cards: Holdings) -> None:
        self.known = DealtCards()
        new = self.known
        new.play, new.aside = cards.play[:], cards.aside[:]
        new.face, new.owned = cards.face, cards.owned.copy()
        self.pools: list[tuple[list[str], list[tuple[str, int]]]] = []
        """Unknown cards, and how many of them lie in which zone."""
        assert isinstance(cards, WatchedCards)
        zones = cards.zones.to_json()
        for name, zone in zones["zones"].items():
            self._lay_known(name, zone)
        for number, pool in enumerate(zones["pools"]):
            places = [
                (name, zone["unknown"][str(number)])
                for name, zone in zones["zones"].items()
                if str(number) in zone.get("unknown", {})
            ]
            listed = [card for card, many in pool.items() for _ in range(many)]
            self.pools.append((listed, places))

    def _lay_known(self, name: str, zone: Json) -> None:
        new = self.known
        if name == "drawn":
            new.drawn = next(iter(zone.get("known", ())), "")
            return
        for card, number in zone.get("known", {}).items():
            add(_pile(new, name), card, number)
        if name == "draw":
            new.known_top = list(zone.get("top", ()))

    def dealt(self, random: Random) -> DealtCards:
        new = self.known.clone()
        for pool, places in self.pools:
            cards = pool
            if len(places) > 1:
                cards = pool[:]
                draw = random.random
                cards.sort(key=lambda _card: draw())
            first = 0
            for name, number in places:
                part = cards[first : first + number]
                first += number
                if name == "drawn":
                    new.drawn = part[0]
                    continue
                pile = _pile(new, name)
                for card in part:
                    pile[card] = pile.get(card, 0) + 1
        return new


def _pile(cards: DealtCards, name: str) -> Counts:
    if name == "hand":
        return cards.hand
    return cards.deck if name == "draw" else cards.discards


BEST = "archdruid"


class DominionCraft(Craft[DominionState]):
    """The craft of Dominion.

    ``apprentice`` buys what costs most, ``druid`` knows money with one kind of kingdom card, and
    ``archdruid`` all lists.
    """

    reasons: ClassVar[tuple[str, ...]] = reasons.CODES

    def __init__(self, game: Game[DominionState], level: str = BEST) -> None:
        super().__init__(game)
        self._level = level

    def as_known_by(self, level: str) -> DominionCraft:
        return DominionCraft(self.game, level)

    # -- what is hidden -------------------------------------------------------------------

    def hides(self, view: SeatView) -> bool:
        return not self._keeps_ledger(view)

    def _keeps_ledger(self, view: SeatView) -> bool:
        # DO31, DO32: nothing is played there, what was played elsewhere is written down.
        return self.game.keeps_ledger(view.options)

    def sees(self, view: SeatView) -> bool:
        if view.cards_seen or self._keeps_ledger(view):
            return True
        cards = known_to(self.game, view).seats[view.seat]
        return isinstance(cards, WatchedCards) and not (
            cards.zones.unknown("hand") or cards.zones.unknown("drawn")
        )

    def states(self, view: SeatView) -> Callable[[Random], DominionState]:
        if self._keeps_ledger(view):
            return super().states(view)
        return dealer(known_to(self.game, view))

    def worlds(self, view: SeatView) -> Worlds:
        if self._keeps_ledger(view):
            return super().worlds(view)
        states = self.states(view)
        return lambda random: NamedCards(self, states(random), view.seat)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: DominionState, moves: Sequence[Move]) -> Sequence[Move]:
        money = _money_to_lay(moves)
        if money is None:
            return _worth_a_look(state, moves)
        # All other treasures follow, and buying comes after them.
        return [*(move for move in moves if _plays_action(move)), money]

    def obvious(self, state: DominionState, moves: Sequence[Move]) -> Move | None:
        money = _money_to_lay(moves)
        if money is not None and not any(_plays_action(move) for move in moves):
            return money
        # A Moat costs nothing to show.
        return next((move for move in moves if move.verb == "show" and len(moves) == 2), None)

    def sequel(self, state: DominionState, move: Move) -> Sequence[Move]:
        if not _lays_money(move):
            return ()
        found, after = [], state.clone()
        after.apply(move)
        while (more := _money_to_lay(after.legal_moves())) is not None:
            found.append(more)
            after.apply(more)
        return found

    def priors(self, state: DominionState, moves: Sequence[Move]) -> Sequence[float]:
        if not state.piles or state.keeps_ledger:
            return super().priors(state, moves)
        (buys, _), *_ = considered(state, moves[0].player or 0, self._level, 1)
        return attractions(state, moves, buys, self._level)

    def carry_on(self, state: DominionState, moves: Sequence[Move], random: Random) -> Move:
        if not state.piles or state.keeps_ledger:
            return super().carry_on(state, moves, random)
        return habitual(state, moves, self._plans(state))

    def _plans(self, state: DominionState) -> list[BuyList]:
        return [likely(state, seat, self._level)[0] for seat in range(state.players)]

    def playout(self, state: DominionState, random: Random) -> Sequence[float]:
        """The rest of the match by list and habit; the position is used up."""
        if not state.piles:
            return (0.5,) * state.players
        plans = self._plans(state)
        finish_questions(state, plans, random)
        return play_out(Table.of(state, plans, random))

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Move],
        depth: int | None,
    ) -> Found:  # fmt: skip
        first = worlds(random)
        if not isinstance(first, NamedCards) or not first.state.piles:
            return super().look_ahead(worlds, budget, random, only, depth)

        def deal(random: Random) -> DominionState:
            position = worlds(random)
            assert isinstance(position, NamedCards)
            return position.state

        return choose_by_lists(deal, first.seat, self._level, budget, random, only)

    def tasks(self) -> Sequence[type[Task[DominionState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: DominionState, move: Move) -> Reason | None:
        return reasons.reason(state, move)


class NamedCards(RulesPosition):
    """A position in which every card has a name; played out at a table of numbers."""

    __slots__ = ()

    @property
    def state(self) -> DominionState:
        """The position of the rules."""
        found: DominionState = self._state
        return found

    @property
    def seat(self) -> int:
        """The seat that searches."""
        return self._seat

    def clone(self) -> NamedCards:
        return NamedCards(self._craft, self._state.clone(), self._seat)

    def playout(self, random: Random) -> Sequence[float]:
        assert isinstance(self._craft, DominionCraft)
        return self._craft.playout(self._state, random)


def _lays_money(move: Move) -> bool:
    return move.verb == "play" and COINS[NUMBER[move.args[0]]] > 0


def _plays_action(move: Move) -> bool:
    return move.verb == "play" and not COINS[NUMBER[move.args[0]]]


def _money_to_lay(moves: Sequence[Move]) -> Move | None:
    """The dearest treasure that can be laid in a turn."""
    money = [move for move in moves if _lays_money(move)]
    return max(money, key=lambda move: COINS[NUMBER[move.args[0]]]) if money else None


def _worth_a_look(state: DominionState, moves: Sequence[Move]) -> Sequence[Move]:
    """Without cards that are never taken willingly; Copper goes with Gardens, and Estates count
    near the end."""
    useless = {"curse"}
    if "gardens" not in state.kingdom:
        useless.add("copper")
        if state.piles.get("province", 0) > 4:
            useless.add("estate")
    found = [
        move for move in moves if move.verb not in ("buy", "gain") or move.args[0] not in useless
    ]
    return found or moves
