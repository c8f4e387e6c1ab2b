"""Reading a stored position of Knizia's Stonehenge back, and what must never be wrong with one."""

from __future__ import annotations

from collections import Counter

from rules.core import Game, Json, StateError
from rules.games.knizia_stonehenge.components import (
    FIELD,
    FIELDS,
    LINE,
    MEGALITHS,
    STONES,
    UNKNOWN,
    VALUES,
)
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState
from rules.hidden import Zones


def read_state(game: Game[KniziaState], data: Json) -> KniziaState:
    """Read ``KniziaState.to_json()`` back; raises StateError and the like on nonsense."""
    options = game.complete_options(2, data["options"])
    state = game.setup(2, options, bool(data["physical"]))
    for name in data["order"]:
        owner, value, faceup = data["fields"][name]
        values = range(1 if state.zones is None else UNKNOWN, 7)
        if owner not in (0, 1) or value not in values or not isinstance(faceup, bool):
            raise StateError("unfit", key=f"fields.{name}", found=data["fields"][name])
        if faceup and value == UNKNOWN:
            raise StateError("unfit", key=f"fields.{name}", found=data["fields"][name])
        state.lay(owner, value, FIELD[name])
        state.faceup[FIELD[name]] = faceup
    for name, seat in data["lines"].items():
        state.put_megalith(seat, LINE[name])
    state.turn, state.placed = int(data["turn"]), bool(data["placed"])
    if state.zones is not None:
        state.zones = Zones.from_json(data["zones"])
        state.pending = [FIELD[name] for name in data["pending"]]
        claim = data["pending_claim"]
        state.pending_claim = NOBODY if claim is None else LINE[claim]
    return state


def problems(state: KniziaState) -> list[str]:
    """What is wrong with the position, as sentences."""
    found = []
    for seat in (0, 1):
        lying = [
            state.value[f]
            for f in state.order
            if state.owner[f] == seat and state.value[f] != UNKNOWN
        ]
        if state.zones is None:
            hand = [v for v in VALUES for _ in range(state.count[seat][v])]
            if sorted(lying + hand) != list(STONES):
                found.append(f"the stones of p{seat} are {sorted(lying + hand)}")
        elif Counter(lying) - Counter(STONES):
            found.append(f"p{seat} has shown {sorted(lying)}")
        if sum(1 for f in state.order if state.owner[f] == seat) > len(STONES):
            found.append(f"p{seat} has more than {len(STONES)} stones on the board")
        if state.megaliths[seat] > MEGALITHS:
            found.append(f"p{seat} has claimed {state.megaliths[seat]} lines")
    if len(set(state.order)) + len(state.empty) != len(FIELDS):
        found.append("fields and stones do not add up")
    if state.turn not in (0, 1):
        found.append(f"it is the turn of nobody: {state.turn}")
    if state.zones is not None:
        found += state.zones.invariants()
    return found
