"""The faces of a club's people: those that their tables showed last, in the colour of the seat."""

from __future__ import annotations

from functools import cache

from companion.club.repository import Played
from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of
from companion.presentation.players import token_of, tone_of_seat
from companion.presentation.theme.tokens import hexed

Portrait = dict[str, str]
"""Face, and the colour of the seat by name and as it is shown, ``rgb``; both empty if no seat is
known."""


def portrait_at(one: Played, seat: int) -> Portrait:
    """The portrait of whoever sat there."""
    face = (one.faces or faces_of(one.names))[seat]
    # A game that the hall does not have has no colours here.
    colour = one.colours[seat] if one.colours else ""
    return {"face": face, "colour": colour, "rgb": _rgb(one.game, colour) if colour else ""}


def unseated(name: str) -> Portrait:
    """The portrait of somebody who may never have played."""
    (face,) = faces_of((name,))
    return {"face": face, "colour": "", "rgb": ""}


@cache
def _rgb(game: str, colour: str) -> str:
    box = game_box(game.partition("@")[0])
    return hexed(tone_of_seat(token_of(box, colour), colour, "printed"))
