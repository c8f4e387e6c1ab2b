"""The faces of a club's people: those that their tables showed last, in the colour of the seat."""

from __future__ import annotations

from collections.abc import Iterable

from companion.club.repository import Played
from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of
from companion.presentation.players import token_of, tone_of_seat
from companion.presentation.theme.tokens import hexed

Portrait = dict[str, str]
"""Face, and the colour of the seat by name and as it is shown, ``rgb``; both empty if no seat is
known."""


def portraits(played: Iterable[Played], names: Iterable[str] = ()) -> dict[str, Portrait]:
    """Portraits by name; ``names``: of people who may never have played."""
    found = {name: _unseated(name) for name in names}
    for one in played:
        faces = one.faces or faces_of(one.names)
        # A game that the hall does not have has no colours here.
        colours = one.colours or ("",) * len(one.names)
        for name, face, colour in zip(one.names, faces, colours, strict=True):
            if name.strip():
                rgb = _rgb(one.game, colour) if colour else ""
                found[name.strip()] = {"face": face, "colour": colour, "rgb": rgb}
    return found


def _unseated(name: str) -> Portrait:
    (face,) = faces_of((name,))
    return {"face": face, "colour": "", "rgb": ""}


def _rgb(game: str, colour: str) -> str:
    box = game_box(game.partition("@")[0])
    return hexed(tone_of_seat(token_of(box, colour), colour, "printed"))
