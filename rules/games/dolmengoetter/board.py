"""Boards of Die Dolmengötter as data (7.2, 7.3).

A board is a list of stone circles, each a cyclic list of places, and the runes at its rim. The
board R28 comes with Heelstone; a group may enter its own copy as a TOML file of the same form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from rules.bounded import read_text
from rules.box.box import Point, Size
from rules.box.override import CornerId, Outline
from rules.core import GameError
from rules.declared import Fits, read, toml
from rules.errors import Where

FACTORS: Mapping[int, tuple[int, ...]] = {
    4: (3, 2),
    6: (4, 3, 2, 1),
    8: (5, 4, 3, 2, 1, 0),
}
"""7.7: factors for a dolmen's value, from the top of the pile, by size of the circle."""

SHAPES: Mapping[int, str] = {4: "square", 6: "hexagon", 8: "octagon"}
"""Shapes of circles, by size."""

MOST_BYTES = 1 << 16
FEWEST_PLACES = 2 * (8 + 3)
"""7.1: places that two players with the fewest stones an option allows need."""


class BoardError(GameError):
    """A board cannot be played on; the message names the circle and the reason."""


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The table ``board`` of a file."""

    name: Annotated[str, Fits("board_name_missing", bool)]
    size: Size | None = None
    outline: Outline = ()


Places = Annotated[Mapping[str, tuple[str, ...]], Fits("wants_some", bool)]


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board's file; what it says of millimetres is used by ``own_board``."""

    board: BoardHead
    circles: Places
    runes: Places
    corners: Mapping[CornerId, Point] = field(default_factory=dict)
    places: Mapping[str, Point] | None = None


class DolmenBoard:
    """A validated board. Places and circles are numbered; their ids appear in move texts."""

    def __init__(
        self, name: str, circles: Mapping[str, Sequence[str]], runes: Mapping[str, Sequence[str]]
    ) -> None:
        """Raises BoardError if circles and runes make no board."""
        self.name = name
        self.circles: Mapping[str, tuple[str, ...]] = {c: tuple(p) for c, p in circles.items()}
        """Places of each circle, once around it."""
        self.runes: Mapping[str, tuple[str, ...]] = {r: tuple(p) for r, p in runes.items()}
        """Rim places that carry the same rune."""
        _check_circles(self.circles)
        self.places: tuple[str, ...] = tuple(
            sorted({p for places in self.circles.values() for p in places}, key=_natural)
        )
        self.circle_ids: tuple[str, ...] = tuple(sorted(self.circles, key=_natural))
        sides = _check_sides(self.circles)
        self.rim: frozenset[str] = frozenset(p for s, c in sides.items() if len(c) == 1 for p in s)
        """Places on a side that belongs to one circle only."""
        _check_runes(self)

        self.place: Mapping[str, int] = {p: number for number, p in enumerate(self.places)}
        self.circle: Mapping[str, int] = {c: number for number, c in enumerate(self.circle_ids)}
        self.places_of: tuple[tuple[int, ...], ...] = tuple(
            tuple(self.place[p] for p in self.circles[c]) for c in self.circle_ids
        )
        self.circles_of: tuple[tuple[int, ...], ...] = tuple(
            tuple(c for c, places in enumerate(self.places_of) if p in places)
            for p in range(len(self.places))
        )
        self.size: tuple[int, ...] = tuple(len(places) for places in self.places_of)
        self.sides: frozenset[frozenset[str]] = frozenset(sides)
        """Pairs of neighbouring places (7.2)."""
        linked = {p: set[str]() for p in self.places}
        pairs = [*self.sides, *map(frozenset, self.runes.values())]
        for pair in pairs:
            for p in pair:
                linked[p] |= pair - {p}
        self.links: tuple[tuple[int, ...], ...] = tuple(
            tuple(sorted(self.place[q] for q in linked[p])) for p in self.places
        )
        """7.5: places linked to each place, by a side or by a rune."""
        if len(self.places) < FEWEST_PLACES:
            raise BoardError(
                "places_few", first=self.circle_ids[0], last=self.circle_ids[-1],
                places=len(self.places), fewest=FEWEST_PLACES,
            )  # fmt: skip

    def __repr__(self) -> str:
        return f"DolmenBoard({self.name!r})"

    def circles_at(self, place: str) -> list[str]:
        """The circles that meet at a place."""
        return [c for c in self.circle_ids if place in self.circles[c]]

    def most_stones(self, players: int) -> int:
        """7.1, setup check: the most stones each player may have on this board."""
        return len(self.places) // players - 3


@cache
def load_board(name: str) -> DolmenBoard:
    """``R28``, or a board from a TOML file given by path; raises BoardError."""
    if name == "R28":
        resource = files("rules.games.dolmengoetter") / "r28.toml"
        return parse_board(resource.read_text(encoding="utf-8"), "r28.toml")
    try:
        text = read_text(Path(name), MOST_BYTES)
    except OSError as error:
        raise BoardError("board_unreadable", file=Path(name), reason=error) from error
    except UnicodeDecodeError as error:
        raise BoardError("not_text", file=Path(name), reason=error) from error
    return parse_board(text, name)


def parse_board(text: str, where: Where) -> DolmenBoard:
    """Read and validate a board file's text; ``where`` names it in messages."""
    return read_board(text, where)[0]


def read_board(text: str, where: Where) -> tuple[DolmenBoard, BoardFile]:
    """The same with all else that the file says; raises BoardError."""
    with toml(text, where, BoardError) as data:
        file = read(BoardFile, data)
    try:
        return DolmenBoard(file.board.name, file.circles, file.runes), file
    except BoardError as error:
        raise BoardError("within", file=where, reason=error) from error


def _natural(name: str) -> tuple[tuple[int, str | int], ...]:
    """Sorting key: U2 before U10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


def _check_circles(circles: Mapping[str, tuple[str, ...]]) -> None:
    for circle, places in circles.items():
        if not re.fullmatch(r"K[^\s,=]+", circle):
            raise BoardError("circle_id", circle=circle)
        if len(places) not in FACTORS:
            raise BoardError("circle_size", circle=circle, places=len(places))
        for place in places:
            if not re.fullmatch(r"[^K\s,=?][^\s,=]*", place):
                raise BoardError("place_id", circle=circle, place=place)
            if places.count(place) > 1:
                raise BoardError("circle_names_twice", circle=circle, place=place)
            meeting = [c for c, others in circles.items() if place in others]
            if len(meeting) > 3:
                raise BoardError("circles_crowd", circle=circle, meeting=meeting, place=place)


def _ring(places: Sequence[str]) -> list[frozenset[str]]:
    """The sides of a circle."""
    return [frozenset(pair) for pair in zip(places, (*places[1:], places[0]), strict=True)]


def _check_sides(circles: Mapping[str, tuple[str, ...]]) -> dict[frozenset[str], list[str]]:
    """Every side with the circles it belongs to; circles meet along whole sides."""
    sides: dict[frozenset[str], list[str]] = {}
    for circle, places in circles.items():
        for side in _ring(places):
            sides.setdefault(side, []).append(circle)
    touching: dict[str, set[str]] = {circle: set() for circle in circles}
    for circle, places in circles.items():
        for other, others in circles.items():
            shared = [p for p in places if p in others]
            if other == circle or not shared:
                continue
            if len(shared) != 2 or circle not in sides[frozenset(shared)]:
                raise _odd_contact(circle, other, shared)
            if other not in sides[frozenset(shared)]:
                raise _odd_contact(other, circle, shared)
            touching[circle].add(other)
    reached, new = set[str](), [next(iter(circles))]
    while new:
        circle = new.pop()
        reached.add(circle)
        new += touching[circle] - reached
    for circle in circles:
        if circle not in reached:
            raise BoardError("circle_apart", circle=circle, other=next(iter(circles)))
    return sides


def _odd_contact(circle: str, other: str, shared: list[str]) -> BoardError:
    return BoardError("circles_share", circle=circle, shared=shared, other=other)


def _check_runes(board: DolmenBoard) -> None:
    """DG11: each rim place carries one rune; runes are pairs, that of the corners is four."""
    carries: dict[str, str] = {}
    corners = [rune for rune, places in board.runes.items() if len(places) == 4]
    for rune, places in board.runes.items():
        if len(places) not in (2, 4) or len(set(places)) != len(places):
            raise BoardError("rune_places", rune=rune, places=places)
        for place in places:
            if not any(place in others for others in board.circles.values()):
                raise BoardError("rune_nowhere", rune=rune, place=place)
            if place not in board.rim:
                circles = board.circles_at(place)
                raise BoardError("rune_inside", rune=rune, place=place, circles=circles)
            if place in carries:
                circles, runes = board.circles_at(place), (carries[place], rune)
                raise BoardError("runes_two", place=place, circles=circles, runes=runes)
            carries[place] = rune
    if len(corners) != 1:
        raise BoardError("rune_of_corners", found=corners)
    for place in board.places:
        if place in board.rim and place not in carries:
            raise BoardError("rune_missing", place=place, circles=board.circles_at(place))
