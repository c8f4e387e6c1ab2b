"""The players' faces: twelve drawn ones to choose from, a standing stone for computer players, and
one for nobody in particular. Free of Kivy.

A face goes with a name and is as private as that: where no name may be, there is none to look up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from zlib import crc32

from rules.core import Picture, read_pictures

if TYPE_CHECKING:
    from companion.journal.entries import Header
    from companion.match.view import MatchView

STONE: Final = "stone"
"""Face of computer players."""
NOBODY: Final = "nobody"
"""Face of players without a name."""
PICTURES: Final[Mapping[str, Picture]] = read_pictures("companion.presentation", "faces.toml")
CHOICE: Final = tuple(face for face in PICTURES if face not in (STONE, NOBODY))
"""Faces that people choose from."""

_worn: Mapping[str, str] = {}


def wear(faces: Mapping[str, str]) -> None:
    """From now on the faces of people, by name, are looked up in ``faces``."""
    global _worn
    _worn = faces


def faces_of(
    names: Sequence[str], computers: Sequence[str] = (), taken: Collection[str] = ()
) -> tuple[str, ...]:
    """Faces of those who play together, by seat.

    Whoever has chosen none gets a steady one by name that nobody else of them has, and none of
    ``taken`` while others are left.
    """
    found = [
        STONE if seat < len(computers) and computers[seat]
        else NOBODY if not name else _worn.get(name, "")
        for seat, name in enumerate(names)
    ]  # fmt: skip
    for seat, name in enumerate(names):
        if found[seat] not in PICTURES:
            start = crc32(name.encode()) % len(CHOICE)
            order = (*CHOICE[start:], *CHOICE[:start])
            left = [face for face in order if face not in found]
            free = [face for face in left if face not in taken]
            found[seat] = (*free, *left, *order)[0]
    return tuple(found)


def seated(match: MatchView | Header) -> tuple[str, ...]:
    """Faces by seat: those that the match began with, or as ``faces_of`` finds them."""
    return match.faces or faces_of(
        (*match.names, *("",) * (match.players - len(match.names))), match.computers
    )
