"""Reading a stored position of Trilithen Knallen back, and what must never be wrong with one."""

from __future__ import annotations

from rules.core import Game, Json
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DIRECTIONS,
    DISPLAY_CARD,
    HUES,
    NEXT,
    NOBODY,
    POINTS,
    RING,
    SPOT,
    UNBOUND,
    display_of,
)
from rules.games.trilithen_knallen.ramming import reaches
from rules.games.trilithen_knallen.state import GONE, WAITING, Phase, TrilithenState

_HUE = {name: colour for colour, name in enumerate(COLOURS)}
_TURN_GOES_ON = (Phase.PLACE, Phase.RAM)


def read_state(game: Game[TrilithenState], data: Json) -> TrilithenState:
    """Read ``TrilithenState.to_json()`` back; raises StateError."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    state = game.setup(players, options, bool(data["physical"]))
    state.phase, state.turn = Phase(data["phase"]), int(data["turn"])
    _read_table(state, data)
    state.deck.read(data)
    _read_display(state, data)
    state.placed = tuple(_HUE[name] for name in data["placed"])
    if (ram := data["ram"]) is not None:
        state.rammer, state.target = _HUE[ram["rammer"]], _HUE[ram["target"]]
        state.direction = DIRECTIONS.index(ram["direction"])
        state.needed = tuple(_HUE[name] for name in ram["needed"])
        state.right = int(ram["right"])
    if data["spot"] is not None:
        state.spot = SPOT[data["spot"]]
    if state.phase in _TURN_GOES_ON:
        state.rams = reaches(state)
    return state


def _read_table(state: TrilithenState, data: Json) -> None:
    for field, name in data["bars"].items():
        state.bars[range(RING)[int(field) - 1]] = _HUE[name]
    for colour in state.in_play:
        state.place_of[colour] = _place(data["trilithons"][COLOURS[colour]])
    state.settle()
    for seat in range(state.players):
        held = data["points"][seat]
        state.points[seat] = [int(held.get(name, 0)) for name in COLOURS]
        state.won[seat] = [int(data["won_bars"][seat][loser]) for loser in range(state.players)]
    state.lives = [int(data["lives"][seat]) for seat in range(state.players)]


def _place(name: int | str) -> int:
    if name == "waiting":
        return WAITING
    return GONE if name == "destroyed" else range(RING)[int(name) - 1]


def _read_display(state: TrilithenState, data: Json) -> None:
    for name, entry in data["display"].items():
        spot = SPOT[name]
        if entry["card"] is not None:
            state.card[spot] = DISPLAY_CARD[entry["card"]]
        state.up[spot], state.public[spot] = bool(entry["up"]), bool(entry["public"])
        state.peeked[spot] = sum(1 << seat for seat in entry["peeked"])
    bound = {card for card in state.card if card != UNBOUND}
    state.loose = [card for card in state.loose if card not in bound]
    state.turned_back = tuple(SPOT[name] for name in data["turned_back"])


def problems(state: TrilithenState) -> list[str]:
    """What is wrong with the position, as sentences."""
    found = _card_problems(state)
    for start in range(0, RING, HUES):
        laid = [colour for colour in state.bars[start : start + HUES] if colour != NOBODY]
        if len(set(laid)) != len(laid):
            found.append(f"a colour lies twice below the numbers from {start + 1} on")
    for colour, owner in enumerate(state.owners):
        held = sum(row[colour] for row in state.points)
        # TK9: only with two players can points be lost to nobody.
        lost = owner != NOBODY and state.players > 2 and held != POINTS
        if held > (POINTS if owner != NOBODY else 0) or lost:
            found.append(f"there are {held} points of {COLOURS[colour]}")
    standing = [place for place in state.place_of if place >= 0]
    fields = {field for place in standing for field in (place, NEXT[place])}
    if len(fields) != 2 * len(standing):
        found.append("two trilithons stand on one field")
    if any(number < 0 for row in state.points for number in row):
        found.append("somebody holds less than no points")
    bars = sum(state.lives) + sum(map(sum, state.won))
    if min(state.lives) < 0 or bars > state.life_bars * state.players:
        found.append("there are more bars for lives than the match began with")
    if state.turn not in range(state.players):
        found.append(f"it is the turn of nobody: {state.turn}")
    if state.phase is Phase.FLIP and state.right not in range(len(state.needed)):
        found.append(f"{state.right} cards of {len(state.needed)} are right")
    if (state.phase is Phase.OVER) != (len(state.survivors()) < 2):
        found.append("the match is over exactly when one player only is not out")
    return found


def _card_problems(state: TrilithenState) -> list[str]:
    found = state.deck.problems("the day cards")
    if any(state.deck.hand_size(seat) > state.full_hand() for seat in range(state.players)):
        found.append("somebody holds too many cards")
    bound = [card for card in state.card if card != UNBOUND]
    if sorted(bound + state.loose) != sorted(display_of(state.simple, state.changing)):
        found.append("the cards of the display are not complete")
    if any(state.card[spot] == UNBOUND for spot, up in enumerate(state.up) if up):
        found.append("a card lies face up and nobody knows it")
    return found
