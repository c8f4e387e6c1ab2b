"""DO32 The final count: no entries during the match, and all players' cards at the end.

One player after the other touches what scores, card by card; for Gardens also how many full tens
they own. Or a camera counts their cards, all of them, and no tens need be made. Only players who
tie for the best are asked about turns, since these were not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from rules.core import Actor, Ledger, Move, Objection, Pile, Prompt
from rules.games.dominion.components import (
    COUNTED,
    GROUPS,
    KINGDOM,
    START_DECK,
    TENS,
    UNSCORED,
    pile_sizes,
    points_of,
)
from rules.games.dominion.holdings import HeapedCards
from rules.games.dominion.moves import COUNT, DONE, FEWER, GAIN, NONE, UNCOUNT, shape
from rules.games.dominion.state import DominionState

KINDS = frozenset({"count", "uncount", "fewer"})
"""Kinds of moves that only a final count has."""
MOST_TENS = 50
"""No player can own more: that would be all 500 cards of the box."""


def prompt(state: DominionState) -> Prompt:
    """The question for the player whose cards are counted now."""
    return Prompt(Actor.PLAYER, state.seat, "count", "DO32")


def legal_moves(state: DominionState) -> list[Move]:
    """One more or one fewer of each, and that these were all."""
    seat, owned = state.seat, state.seats[state.seat].owned
    found = [COUNT[seat][card] for card in (*COUNTED, *UNSCORED) if _left(state, card)]
    found += [UNCOUNT[seat][card] for card in (*COUNTED, *UNSCORED) if owned.get(card)]
    found.append(DONE[seat])
    return found


def pseudo_moves(state: DominionState) -> Iterator[Move]:
    """All that hands could enter, no matter whose cards are counted."""
    for seat in range(state.players):
        yield from COUNT[seat].values()
        yield from UNCOUNT[seat].values()
        yield from (FEWER[seat][other] for other in range(state.players))
        yield from (DONE[seat], NONE[seat], GAIN[seat]["province"])


def violations(state: DominionState, move: Move, kind: str) -> list[Objection]:
    """The reasons why this cannot be counted; the form of the move is in order."""
    if kind not in ("count", "uncount", "done"):
        return [Objection.of("DO32", "not_counted")]
    seat = state.seat
    if move.player != seat:
        return [Objection.of("DO32", "wrong_player", player=seat, other=move.player or 0)]
    if kind == "done":
        return []
    card = move.args[0]
    if kind == "count" and not _left(state, card):
        return [Objection.of("8.1", "all_counted", card=card)]
    if kind == "uncount" and not state.seats[seat].owned.get(card):
        return [Objection.of("DO32", "none_counted", player=seat, card=card)]
    return []


def enter(state: DominionState, move: Move) -> None:
    """Carry out what was counted; what cannot be changes nothing."""
    kind = shape(move)
    if kind == "done":
        _next_player(state)
    elif kind in ("count", "uncount") and move.player is not None:
        card, cards = move.args[0], state.seats[move.player]
        more = 1 if kind == "count" else -1
        if (more > 0 and _left(state, card)) or (more < 0 and cards.owned.get(card)):
            assert isinstance(cards, HeapedCards)
            cards.change(card, more)


def _next_player(state: DominionState) -> None:
    state.turns[state.seat] += 1
    if state.seat + 1 < state.players:
        state.seat += 1
    elif len(tied(state)) > 1:
        state.do(("fewer", state.seat))
    else:
        state.over = "counted"


def tied(state: DominionState) -> list[int]:
    """The seats with the most points."""
    points = [sum(points_of(cards.owned).values()) for cards in state.seats]
    return [seat for seat, found in enumerate(points) if found == max(points)]


def _left(state: DominionState, card: str) -> int:
    """Number of cards that can still be counted, as many as there are in the box."""
    if card == TENS:
        return MOST_TENS - state.seats[state.seat].owned.get(TENS, 0)
    return _box(state.players)[card] - sum(cards.owned.get(card, 0) for cards in state.seats)


@lru_cache(maxsize=4)
def _box(players: int) -> dict[str, int]:
    """All cards that can be there: which ten kingdom cards were used is not known."""
    box = pile_sizes(players, list(KINGDOM))
    return {card: number + START_DECK.get(card, 0) * players for card, number in box.items()}


def choose(state: DominionState, moves: Sequence[Move], random: Random) -> Move:
    """A random player's count: some forty cards each, and often as many points as the best."""
    if random.random() < (1 / 2 if state.seat and len(tied(state)) > 1 else 1 / 40):
        return DONE[state.seat]
    more = [move for move in moves if move.verb == "count"]
    some = more if more and random.random() < 0.8 else moves
    return some[int(random.random() * len(some))]


def ledger_of(state: DominionState) -> Ledger:
    """The ledger that a screen shows."""
    owned = state.seats[state.seat].owned
    also = [card for card in UNSCORED if owned.get(card)]
    return Ledger(
        piles=tuple(
            Pile(card, owned.get(card, 0), GROUPS.get(card, "action"), scarce=False)
            for card in (*COUNTED, *also)
        ),
        owned=tuple(dict(cards.owned) for cards in state.seats),
        trash=0,
        entered=(),
        likely=(),
        others="",
        verbs=("count", "uncount"),
    )
