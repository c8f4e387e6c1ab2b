"""Moves by habit: answers and turns of an experienced player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rules.core import Actor, Move
from rules.games.dominion.components import CARDS
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.moves import (
    BUY,
    CARD_MOVES,
    DISCARD_DECK,
    DONE,
    KEEP,
    NONE,
    PLAY,
    SHOW_MOAT,
    SPY_DISCARD,
    SPY_KEEP,
    STEAL,
)
from rules.games.dominion.state import DominionState
from rules.players.crafts.dominion import habits, playing
from rules.players.crafts.dominion.lists import COPPER, GOLD, MOAT, NUMBER, SILVER, BuyList
from rules.players.crafts.dominion.table import Seat, Table

_TREASURES = tuple(CARDS[card] for card in (GOLD, SILVER, COPPER))


def finish_questions(state: DominionState, plans: Sequence[BuyList], random: Random) -> None:
    """Answer by habit and draw at random, until a turn is to be decided or all is over."""
    while state.stack:
        moves = state.legal_moves()
        if moves[0].actor is Actor.PLAYER:
            move = habitual(state, moves, plans)
        elif len(moves) == 1:
            move = moves[0]
        else:
            move = random.choices(moves, weights=state.weights(moves))[0]
        state.apply(move)


def habitual(state: DominionState, moves: Sequence[Move], plans: Sequence[BuyList]) -> Move:
    """The move of ``moves`` that habit and list make."""
    if len(moves) == 1:
        return moves[0]
    if not state.stack:
        return _in_turn(state, plans)
    frame = state.stack[-1]
    answer = _ANSWERS.get(frame[0])
    found = None
    if answer is not None:
        seat = frame[1]
        table = _table(state, plans)
        found = answer(table, table.seats[seat], seat, frame, state)
    return found if found is not None and found in moves else moves[0]


def _in_turn(state: DominionState, plans: Sequence[BuyList]) -> Move:
    seat = state.seat
    cards = state.seats[seat]
    if not state.buying and state.actions:
        table = _table(state, plans)
        card = playing.next_action(table, table.seats[seat])
        if card >= 0:
            return PLAY[seat][CARDS[card]]
    if not (state.bought and state.treasures_first):
        for treasure in _TREASURES:
            if cards.may_hold(treasure):
                return PLAY[seat][treasure]
    table = _table(state, plans)
    card = playing.to_buy(table, table.seats[seat])
    return BUY[seat][CARDS[card]] if card >= 0 else DONE[seat]


def _table(state: DominionState, plans: Sequence[BuyList]) -> Table:
    # Nothing is drawn at this table, so that no chance is needed.
    return Table.of(state, list(plans), _UNUSED)


class _NoChance(Random):
    def random(self) -> float:
        return 0.0


_UNUSED = _NoChance()

Answer = Callable[[Table, Seat, int, tuple[object, ...], DominionState], Move | None]
"""Table, the cards of the player asked, their seat, what is asked, and the position."""


def _card(verb: str, choose: Callable[[Table, Seat], int], otherwise: Sequence[Move]) -> Answer:
    def answer(
        table: Table, cards: Seat, seat: int, _frame: tuple[object, ...], _state: DominionState
    ) -> Move:
        card = choose(table, cards)
        return CARD_MOVES[verb][seat][CARDS[card]] if card >= 0 else otherwise[seat]

    return answer


def _gain(
    table: Table, cards: Seat, seat: int, frame: tuple[object, ...], _state: DominionState
) -> Move | None:
    limit = frame[2]
    assert isinstance(limit, int)
    card = (
        habits.to_mine(table, limit)
        if frame[0] == "gain-treasure"
        else habits.to_gain(table, cards, limit)
    )
    return CARD_MOVES["gain"][seat][CARDS[card]] if card >= 0 else None


def _library(
    table: Table, _cards: Seat, seat: int, _frame: tuple[object, ...], state: DominionState
) -> Move:
    cards = state.seats[seat]
    assert isinstance(cards, DealtCards)
    if habits.library_keeps(table, NUMBER[cards.drawn]):
        return KEEP[seat]
    return CARD_MOVES["aside"][seat][cards.drawn]


def _spy(
    _table: Table, _cards: Seat, seat: int, frame: tuple[object, ...], state: DominionState
) -> Move:
    owner = frame[2]
    assert isinstance(owner, int)
    card = state.seats[owner].aside[-1]
    keeps = habits.spy_keeps(NUMBER[card], own=owner == seat)
    return (SPY_KEEP if keeps else SPY_DISCARD)[seat][owner][card]


def _thief(
    _table: Table, _cards: Seat, seat: int, frame: tuple[object, ...], state: DominionState
) -> Move:
    owner = frame[2]
    assert isinstance(owner, int)
    shown = state.seats[owner].aside
    best = next(card for card in _TREASURES if card in shown)
    return STEAL[seat][owner][best]


def _loot(
    _table: Table, _cards: Seat, seat: int, frame: tuple[object, ...], _state: DominionState
) -> Move:
    loot = frame[2]
    assert isinstance(loot, tuple)
    for card in _TREASURES:
        if card in loot and habits.steals(NUMBER[card]):
            return CARD_MOVES["gain"][seat][card]
    return DONE[seat]


def _moat(
    _table: Table, cards: Seat, seat: int, _frame: tuple[object, ...], _state: DominionState
) -> Move:
    return SHOW_MOAT[seat] if MOAT in cards.hand else NONE[seat]


def _chancellor(
    table: Table, cards: Seat, seat: int, _frame: tuple[object, ...], _state: DominionState
) -> Move:
    return (DISCARD_DECK if habits.turns_over(table, cards) else NONE)[seat]


def _copper(_table: Table, cards: Seat) -> int:
    return COPPER if COPPER in cards.hand else habits.NONE


_ANSWERS: dict[str, Answer] = {
    "moat": _moat,
    "gain": _gain,
    "gain-treasure": _gain,
    "bureaucrat": _card("topdeck", lambda _t, cards: habits.to_topdeck(cards.hand), NONE),
    "cellar": _card("discard", habits.cellar_discards, DONE),
    "chancellor": _chancellor,
    "chapel": _card("trash", habits.chapel_trashes, DONE),
    "library": _library,
    "militia": _card("discard", lambda _t, cards: habits.militia_discards(cards), NONE),
    "mine": _card("trash", habits.mine_trashes, NONE),
    "moneylender": _card("trash", _copper, NONE),
    "remodel": _card("trash", habits.remodel_trashes, NONE),
    "spy": _spy,
    "thief": _thief,
    "loot": _loot,
    "throne-room": _card("play", playing.enthroned, NONE),
}
"""By the name of the question; the players' choice of a kingdom is none of them."""
