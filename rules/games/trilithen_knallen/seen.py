"""The track, the day cards and the display, as a picture shows them."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Board
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY_CARD,
    DISCARDS,
    DISPLAY_CARD,
    SPOTS,
    TRACK,
)

TRILITHON = {f"trilithon {colour}": number for number, colour in enumerate(COLOURS)}

DAY = {f"card {name}": card for name, card in DAY_CARD.items()}

FACE = {f"card {name}": card for name, card in DISPLAY_CARD.items()}


def standing(board: Board) -> dict[int, int]:
    """Where trilithons are seen on the track."""
    found = {}
    for place, site in enumerate(TRACK):
        for kind, _ in board.get(site, ()):
            if kind in TRILITHON:
                found[TRILITHON[kind]] = place
    return found


def top_card(board: Board) -> int | None:
    """The day card that lies on the discard pile."""
    for kind, _ in board.get(DISCARDS, ()):
        return DAY.get(kind)
    return None


def faces_up(board: Board) -> Iterable[tuple[str, int]]:
    """Display cards that lie face up."""
    for site in SPOTS:
        for kind, _ in board.get(site, ()):
            if kind in FACE:
                yield site, FACE[kind]
