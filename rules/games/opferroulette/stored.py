"""Reading a stored position of Opferroulette back, and what must never be wrong with one."""

from __future__ import annotations

from rules.core import Game, Json, StateError
from rules.games.opferroulette.components import (
    CARD,
    FACINGS,
    FIELD_COLOURS,
    FIELDS,
    NUMBER_CARDS,
    OFFERINGS,
    PIT,
)
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState, Phase


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
                raise StateError("unfit", key=f"pits.{name}", found=owner)
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


def problems(state: OpferrouletteState) -> list[str]:
    """What is wrong with the position, as sentences."""
    found = []
    dealt = state.phase not in (Phase.OFFER, Phase.NEUTRAL, Phase.TRILITHON, Phase.BALL)
    if dealt:
        found += state.deck.problems("the cards")
        if state.physical != (state.deck.zones is not None):
            found.append("it is not said what may be in hands and pile")
    elif len(set(state.undrawn)) != len(state.undrawn):
        found.append("a card is twice among the undrawn ones")
    for seat in range(state.players):
        gone = sum(row[seat] for row in state.crushed)
        waiting = state.holders.count(seat)
        total = state.own_left[seat] + gone + waiting
        if total > OFFERINGS or (dealt and total != OFFERINGS):
            found.append(f"p{seat} has {total} offerings")
        if state.deck.hand_size(seat) > state.hand_limit(seat):
            found.append(f"p{seat} holds more cards than the hand limit")
    if not state.shared and any(len(owners) > 1 for owners in state.pits):
        found.append("a pit holds two offerings")
    if dealt and not state.ball:
        found.append("there is no ball")
    if state.turn not in range(state.players):
        found.append(f"it is the turn of nobody: {state.turn}")
    return found
