"""Reading a stored position of Trilithen Knallen back."""

from __future__ import annotations

from rules.core import Game, Json
from rules.games.trilithen_knallen.material import (
    COLOURS,
    DIRECTIONS,
    DISPLAY_CARD,
    RING,
    SPOT,
    UNBOUND,
)
from rules.games.trilithen_knallen.position import GONE, WAITING, Phase, TrilithenState
from rules.games.trilithen_knallen.ramming import reaches

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
        place = data["trilithons"][COLOURS[colour]]
        if place == "waiting":
            state.place_of[colour] = WAITING
        elif place == "destroyed":
            state.place_of[colour] = GONE
        else:
            state.place_of[colour] = range(RING)[int(place) - 1]
    state.settle()
    for seat in range(state.players):
        held = data["points"][seat]
        state.points[seat] = [int(held.get(name, 0)) for name in COLOURS]
        state.won[seat] = [int(data["won_bars"][seat][loser]) for loser in range(state.players)]
    state.lives = [int(data["lives"][seat]) for seat in range(state.players)]


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
