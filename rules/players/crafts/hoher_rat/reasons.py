"""Why a move of Der Hohe Rat is good, by what lies open."""

from __future__ import annotations

from rules.core import Move
from rules.games.hoher_rat.components import (
    BLACK,
    EMPTY,
    FIELD_NAME,
    LAST,
    NEXT,
    NONE,
    PIECE_COLOUR,
    PIECE_FACTION,
    SPOKESMAN,
    faction_of,
)
from rules.games.hoher_rat.moves import Step, decode, gains
from rules.games.hoher_rat.state import BLOCK, RatState, find_fronts
from rules.players.crafts.hoher_rat.standing import ring_of, run
from rules.players.player import Reason

__all__ = ["CODES", "why"]

CODES = (
    "wins", "breaks_and_joins", "breaks", "joins", "keeps_apart", "stands_firm", "spokesman",
    "takes_seat", "affords", "arguments", "new_cards", "saves_arguments", "turn_done",
    "partner_needs", "missed_least",
)  # fmt: skip

_LARGE = 4
"""A block of so many pieces is worth speaking of."""
_FIRM = 3
"""From so many on a group costs the full price."""


def why(state: RatState, move: Move) -> Reason | None:
    """The reason, None if there is none but the chances."""
    step = decode(move.text)
    if step is None:
        return None
    match step.verb:
        case "persuade":
            return _persuading(state, step)
        case "seat":
            return _seating(state, step)
        case "discuss":
            return _discussing(state, step)
        case "ponder":
            return Reason("new_cards")
        case "done":
            return Reason("saves_arguments" if _could_persuade(state, step.seat) else "turn_done")
        case "consult" | "return":
            return Reason("partner_needs")
        case "lift":
            return _lifting(state, step)
    return None


def _could_persuade(state: RatState, seat: int) -> bool:
    owned = state.arguments[seat]
    return any(
        price <= (max(owned) if front == BLACK else owned[front])
        for _, price, front in find_fronts(state)[faction_of(seat)]
    )


def _block(state: RatState, field: int, faction: int) -> int:
    """Pieces of a faction side by side if one of them stands on ``field``."""
    return run(state.ring, field, faction, PIECE_FACTION)


def _persuading(state: RatState, step: Step) -> Reason | None:
    faction = faction_of(step.seat)
    joined, broken = _block(state, step.field, faction), state.block(step.field)
    if joined >= BLOCK:
        return Reason("wins")
    if joined >= _LARGE and broken >= _LARGE:
        return Reason.of("breaks_and_joins", broken=broken, joined=joined)
    if broken >= _LARGE:
        return Reason.of("breaks", broken=broken)
    return Reason.of("joins", joined=joined) if joined > 1 else None


def _seating(state: RatState, step: Step) -> Reason | None:
    faction, field = faction_of(step.seat), step.field
    if state.ring[field] != EMPTY:
        return Reason("spokesman")
    joined, kept = _block(state, field, faction), _block(state, field, 1 - faction)
    if joined >= BLOCK:
        return Reason("wins")
    if kept > max(joined, _LARGE):
        return Reason.of("keeps_apart", size=kept)
    if joined >= _LARGE:
        return Reason.of("joins", joined=joined)
    if step.piece != NONE:
        group = run(state.ring, field, PIECE_COLOUR[step.piece], PIECE_COLOUR)
        if group >= _FIRM:
            return Reason.of("stands_firm", size=group)
        if step.piece >= SPOKESMAN:
            return Reason("spokesman")
    return Reason.of("joins", joined=joined) if joined > 1 else Reason("takes_seat")


def _discussing(state: RatState, step: Step) -> Reason | None:
    faction, owned = faction_of(step.seat), list(state.arguments[step.seat])
    room, number = state.room(faction), 0
    before = owned[:]
    for colour, wanted in gains(step):
        taken = min(wanted, room[colour])
        owned[colour] += taken
        number += taken
    # The persuasion that brings most of those it makes affordable.
    ring, best, found = ring_of(state), 0.0, None
    for place, price, front in find_fronts(state)[faction]:
        colours = range(5) if front == BLACK else (front,)
        if not any(before[colour] < price <= owned[colour] for colour in colours):
            continue
        if any(before[colour] >= price for colour in colours):
            continue
        source = place // 2
        field = NEXT[source] if place & 1 else LAST[source]
        own, theirs, _ = ring.gain(faction, field)
        if found is None or own + theirs > best:
            best, found = own + theirs, field
    if found is not None:
        return Reason.of("affords", field=FIELD_NAME[found])
    return Reason.of("arguments", number=number) if number > 1 else None


def _lifting(state: RatState, step: Step) -> Reason | None:
    alone = state.block(step.field) == 1
    return Reason.of("missed_least", field=FIELD_NAME[step.field]) if alone else None
