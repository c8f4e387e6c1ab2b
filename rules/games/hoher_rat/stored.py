"""Reading a stored position of Der Hohe Rat back, and what must never be wrong with one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core import Game, Json, StateError
from rules.games.hoher_rat.components import (
    ARGUMENTS,
    CARD_NUMBER,
    COLOUR_NUMBER,
    COLOURS,
    DECK,
    EMPTY,
    FACTIONS,
    FIELD_NUMBER,
    FOLLOWERS,
    HAND,
    NONE,
    PIECE_NUMBER,
    SEAT_COLOURS,
    SPOKESMAN,
    faction_of,
)
from rules.games.hoher_rat.state import BLOCK, LIMIT, Pending, RatState
from rules.hidden import Zones


def read_state(game: Game[RatState], data: Json) -> RatState:
    """Read ``RatState.to_json()`` back; raises StateError or what wrong data happen to raise."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    state = RatState(players, options["lift_from"] == "on", bool(data["physical"]))
    state.turn = NONE if data["turn"] is None else int(data["turn"])
    state.acted, state.vote = bool(data["acted"]), bool(data["vote"])
    state.unnamed = tuple(COLOUR_NUMBER[name] for name in data.get("unnamed", ()))
    for name, piece in data["ring"].items():
        field, number = FIELD_NUMBER[name], PIECE_NUMBER[piece]
        state.put(field, number)
        if state.ring[field] == EMPTY:
            raise StateError("unfit", key=f"ring.{name}", found=piece)
    for seat, mine in enumerate(data["arguments"]):
        for name, number in mine.items():
            state.heap[COLOUR_NUMBER[name]] -= int(number)
            state.arguments[seat][COLOUR_NUMBER[name]] = int(number)
    state.pending = [_pending_from(words, state.players) for words in data["pending"]]
    if state.physical:
        for name in data.get("dealt", ()):
            state.deal_for(FACTIONS.index(name))
        state.zones = Zones.from_json(data["zones"])
    if any(state.dealt):
        state.hands = [_cards(hand) for hand in data["hands"]]
        for key, piles in state.all_piles().items():
            for faction, name in enumerate(FACTIONS):
                piles[faction][:] = _cards(data[key][name])
    for faction in (0, 1):
        if state.largest_block(faction) >= BLOCK:
            state.winner = faction
    return state


def _cards(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(CARD_NUMBER[name] for name in names))


def _pending_from(words: Sequence[Any], players: int) -> Pending:
    match words:
        case ["start"]:
            return Pending("start")
        case [("draw" | "return") as verb, int() as seat] if seat in range(players):
            return Pending(verb, seat)
        case ["lift", int() as seat, str() as field, source] if seat in range(players):
            from_field = NONE if source is None else FIELD_NUMBER[source]
            return Pending("lift", seat, FIELD_NUMBER[field], from_field)
    raise StateError("unfit", key="pending", found=words)


def problems(state: RatState) -> list[str]:
    """What must never be wrong, as sentences."""
    found = []
    if state.players not in (2, 4) or len(state.arguments) != state.players:
        found.append(f"there are {state.players} players")
        return found
    if state.turn not in range(NONE, state.players):
        found.append(f"it is the turn of nobody: {state.turn}")
    if state.turn == NONE and not state.pending:
        found.append("nobody is asked for anything")
    if any(number < 0 for mine in state.arguments for number in mine):
        found.append("somebody holds less than no arguments")
    for colour, name in enumerate(COLOURS):
        owned = sum(mine[colour] for mine in state.arguments)
        if state.heap[colour] < 0 or state.heap[colour] + owned != ARGUMENTS:
            found.append(f"the {name} arguments do not add up to {ARGUMENTS}")
        for faction in (0, 1):
            if state.owned(faction, colour) > LIMIT:
                found.append(f"{FACTIONS[faction]} owns more than {LIMIT} {name} arguments")
    for colour in SEAT_COLOURS:
        standing = state.ring.count(colour)
        if state.followers[colour] < 0 or state.followers[colour] + standing != FOLLOWERS:
            found.append(f"the {COLOURS[colour]} followers do not add up to {FOLLOWERS}")
        if state.spokesmen[colour] + state.ring.count(colour + SPOKESMAN) != 1:
            found.append(f"there is not one {COLOURS[colour]} spokesman")
    if state.empty != state.ring.count(EMPTY):
        found.append("the empty fields are miscounted")
    if not state.empty and not state.vote:
        found.append("the ring is full and the vote has not begun")
    return found + _card_problems(state)


def _card_problems(state: RatState) -> list[str]:
    found = []
    found += state.zones.invariants()
    cards = [CARD_NUMBER[name] for name in state.zones.count_all().elements()]
    if any(state.dealt):
        cards += [card for hand in state.hands for card in hand]
        for piles in state.all_piles().values():
            cards += piles[0] + piles[1]
        for seat, hand in enumerate(state.hands):
            if any(card // DECK != faction_of(seat) for card in hand):
                found.append(f"p{seat} holds a card of the other faction")
    if sorted(cards) != list(range(2 * DECK)):
        found.append("the cards are not the 32 of each faction")
    for seat in range(state.players):
        if state.hand_size(seat) > HAND + 1:
            found.append(f"p{seat} holds {state.hand_size(seat)} cards")
    return found
