"""Reading a stored position of Dominion back, and what must never be wrong with one."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from rules.core import Game, Json, Move, StateError
from rules.games.dominion.components import (
    BASIC,
    CARDS,
    KINGDOM,
    KINGDOMS,
    START_DECK,
    TREASURES,
    pile_sizes,
)
from rules.games.dominion.effects import FRAME_PARTS, QUESTIONS
from rules.games.dominion.holdings import Counts, read_cards
from rules.games.dominion.state import NOBODY, DominionState, Frame


def read_state(game: Game[DominionState], data: Json) -> DominionState:
    """Read ``DominionState.to_json()`` back; raises StateError."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    if not isinstance(data["physical"], bool):
        raise StateError("unfit", key="physical", found=data["physical"])
    state = DominionState(players, options, data["physical"])
    kingdom = data["kingdom"]
    if not isinstance(kingdom, list) or len(set(kingdom)) != len(kingdom):
        raise StateError("unfit", key="kingdom", found=kingdom)
    if unknown := [card for card in kingdom if card not in KINGDOM]:
        raise StateError("unfit", key="kingdom", found=unknown[0])
    state.kingdom = kingdom[:]
    supply = data["supply"]
    if supply and list(supply) != [*BASIC, *kingdom]:
        # JSON written by others may be sorted; the piles have one order only.
        if sorted(supply) != sorted([*BASIC, *kingdom]):
            raise StateError("unfit", key="supply", found=sorted(supply))
        supply = {card: supply[card] for card in (*BASIC, *kingdom)}
    state.supply = {card: _number(left, card) for card, left in supply.items()}
    state.trash = read_cards(data["trash"])
    state.seats = [state.holdings_from(entry) for entry in data["seats"]]
    state.seat = NOBODY if data["turn"] is None else _number(data["turn"], "turn")
    state.turns = [_number(turns, "turns") for turns in data["turns"]]
    if len(state.seats) != state.players or len(state.turns) != state.players:
        raise StateError("unfit", key="seats", found=len(state.seats))
    if state.seat not in range(NOBODY, state.players):
        raise StateError("unfit", key="turn", found=state.seat)
    state.actions = _number(data["actions"], "actions")
    state.buys = _number(data["buys"], "buys")
    state.coins = _number(data["coins"], "coins")
    if data["phase"] not in ("action", "buy") or not isinstance(data["bought"], bool):
        raise StateError("unfit", key="phase", found=data["phase"])
    state.buying, state.bought = data["phase"] == "buy", data["bought"]
    state.quiet = _number(data["quiet"] + 1, "quiet") - 1
    if data["over"] not in ("", "provinces", "piles", "quiet", "counted"):
        raise StateError("unfit", key="over", found=data["over"])
    state.over = data["over"]
    state.entered = [Move.parse(text) for text in data.get("entered", ())]
    state.stack = [_frame(entry) for entry in data["stack"]]
    state.sort_market()
    for frame in state.stack:
        _check_frame(state, frame)
    return state


def _frame(entry: Json) -> Frame:
    if not isinstance(entry, list) or not entry or not isinstance(entry[0], str):
        raise StateError("unfit", key="stack", found=entry)
    return tuple(tuple(part) if isinstance(part, list) else part for part in entry)


def _number(value: Json, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise StateError("unfit", key=what, found=value)
    return value


def _check_frame(state: DominionState, frame: Frame) -> None:
    """Raises StateError if a frame on the stack is not one of ours."""
    parts = FRAME_PARTS.get(frame[0])
    if parts is None or len(parts) != len(frame) - 1:
        raise StateError("unfit", key="stack", found=frame)
    seats = range(state.players)
    for kind, part in zip(parts, frame[1:], strict=True):
        match kind:
            case "s":
                fits = isinstance(part, int) and part in seats
            case "n":
                fits = isinstance(part, int) and part >= 0
            case "c":
                fits = part in CARDS
            case "C":
                fits = isinstance(part, tuple) and all(card in TREASURES for card in part)
            case _:
                fits = isinstance(part, tuple) and all(seat in seats for seat in part)
        if not fits:
            raise StateError("unfit", key=f"stack.{frame[0]}", found=part)


def problems(state: DominionState) -> list[str]:
    """What must never be: cards lost or out of nowhere, numbers below zero."""
    found = []
    if state.actions < 0 or state.buys < 0 or state.coins < 0:
        found.append(f"{state.actions} actions, {state.buys} buys, {state.coins} coins")
    for seat, cards in enumerate(state.seats):
        found += [f"p{seat}: {problem}" for problem in cards.problems()]
        if cards.everything() != Counter(cards.owned):
            found.append(f"p{seat}: owned {cards.owned} but there is {cards.everything()}")
    if state.supply:
        found += _miscounted(state)
    elif state.kingdom_option in KINGDOMS and not state.counting:
        found.append("the supply is not laid out")
    if state.supply and not state.over and not state.stack and state.seat == NOBODY:
        found.append("it is nobody's turn")
    if state.over and state.stack:
        found.append("the match is over, but something is to happen")
    if state.stack and state.stack[-1][0] not in QUESTIONS:
        found.append(f"nobody is asked about {state.stack[-1]}")
    return found


def _miscounted(state: DominionState) -> list[str]:
    found = []
    for card, box in _box(state.players, tuple(state.kingdom)).items():
        there = state.supply[card] + state.trash.count(card)
        for cards in state.seats:
            there += cards.owned.get(card, 0)
        if there != box:
            found.append(f"there are {there} {card} instead of {box}")
    for cards in state.seats:
        found += [f"{card} is no card of this match" for card in cards.owned.keys() - state.supply]
    return found


@lru_cache(maxsize=256)
def _box(players: int, kingdom: tuple[str, ...]) -> Counts:
    """All cards of a match."""
    box = pile_sizes(players, list(kingdom))
    for card, number in START_DECK.items():
        box[card] += number * players
    return box
