"""Reading a stored position of Opferroulette back."""

from __future__ import annotations

from rules.core import Game, Json
from rules.games.opferroulette.board import CARD, FACINGS, FIELD_COLOURS, FIELDS, NUMBER_CARDS, PIT
from rules.games.opferroulette.position import NO_COLOUR, OpferrouletteState, Phase


def read_state(game: Game[OpferrouletteState], data: Json) -> OpferrouletteState:
    """Read ``OpferrouletteState.to_json()`` back; raises StateError."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    state = game.setup(players, options, bool(data["physical"]))
    state.phase, state.turn = Phase(data["phase"]), int(data["turn"])
    state.undrawn = state.deck.numbers(data["undrawn"])
    for name, seat in data["trilithon_offerings"].items():
        state.holders[CARD[name] - NUMBER_CARDS] = int(seat)
    for name, owners in data["pits"].items():
        for owner in owners:
            if owner not in range(players + 1):
                raise ValueError(f"pit {name} holds an offering of nobody: {owner!r}")
            state.put_offering(owner, PIT[name])
    state.crushed = [[int(number) for number in row] for row in data["crushed"]]
    if data["ball"] is not None:
        field, facing = data["ball"]
        state.ball, state.facing = range(FIELDS + 1)[int(field)], FACINGS.index(facing)
    state.deck.read(data)
    state.drawn, state.through = int(data["drawn"]), int(data["through"])
    state.passes, state.played = int(data["passes"]), bool(data["played"])
    colour = data["colour"]
    state.colour = NO_COLOUR if colour is None else FIELD_COLOURS.index(colour)
    return state
