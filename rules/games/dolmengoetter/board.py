"""Boards of Die Dolmengötter as data (7.2, 7.3).

A board is a list of stone circles, each a cyclic list of places, and the runes at its rim. The
board R28 comes with Heelstone; a group may enter its own copy as a TOML file of the same form.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rules.core import GameError

FACTORS: Mapping[int, tuple[int, ...]] = {
    4: (3, 2),
    6: (4, 3, 2, 1),
    8: (5, 4, 3, 2, 1, 0),
}
"""7.7: what a dolmen's value is multiplied by, from the top of the pile, by size of the circle."""

FEWEST_PLACES = 2 * (8 + 3)
"""7.1: what two players with the fewest stones an option allows need."""


class BoardError(GameError):
    """A board cannot be played on; the message names the circle and the reason."""


class DolmenBoard:
    """A validated board. Places and circles are numbered; their ids stand in move texts."""

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
                f"the circles {self.circle_ids[0]} to {self.circle_ids[-1]} have {len(self.places)}"
                f" places together; a match of two needs at least {FEWEST_PLACES}"
            )

    def __repr__(self) -> str:
        return f"DolmenBoard({self.name!r})"

    def circles_at(self, place: str) -> str:
        """The circles that meet at a place, for messages."""
        return " and ".join(c for c in self.circle_ids if place in self.circles[c])

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
        text = Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise BoardError(f"cannot read the board file {name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BoardError(f"{name} is not a text file: {error.reason}") from error
    return parse_board(text, name)


def parse_board(text: str, where: str) -> DolmenBoard:
    """Read and validate a board file's text; ``where`` names it in messages."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides its own error tomllib lets those of too long numbers and too deep lists through.
        raise BoardError(f"{where} is not valid TOML: {error}") from error
    for key in data:
        # corners and places say where everything lies; see ``own_board``.
        if key not in ("board", "circles", "runes", "corners", "places"):
            raise BoardError(f"{where}: {key}: unknown key; known are board, circles, runes")
    head = data.get("board")
    if not isinstance(head, dict) or not isinstance(head.get("name"), str) or not head["name"]:
        raise BoardError(f"{where}: board.name: is missing; a board needs a name")
    circles = _lists(data, "circles", where)
    runes = _lists(data, "runes", where)
    try:
        return DolmenBoard(head["name"], circles, runes)
    except BoardError as error:
        raise BoardError(f"{where}: {error}") from error


def _lists(data: Mapping[str, Any], section: str, where: str) -> dict[str, list[str]]:
    table = data.get(section)
    if not isinstance(table, dict) or not table:
        raise BoardError(f"{where}: {section}: is missing")
    for name, places in table.items():
        if not isinstance(places, list) or not all(isinstance(p, str) for p in places):
            raise BoardError(f"{where}: {section}.{name}: expected a list of place ids")
    return table


def _natural(name: str) -> tuple[tuple[int, str | int], ...]:
    """Sorting key: U2 before U10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


def _check_circles(circles: Mapping[str, tuple[str, ...]]) -> None:
    for circle, places in circles.items():
        if not re.fullmatch(r"K[^\s,=]+", circle):
            raise BoardError(f"circle {circle!r}: the id of a circle is one word beginning with K")
        if len(places) not in FACTORS:
            raise BoardError(f"circle {circle} has {len(places)} places; circles have 4, 6 or 8")
        for place in places:
            if not re.fullmatch(r"[^K\s,=?][^\s,=]*", place):
                raise BoardError(
                    f"circle {circle}: {place!r} is no place id; it is one word and does not begin "
                    "with K"
                )
            if places.count(place) > 1:
                raise BoardError(f"circle {circle} names the place {place} twice")
            meeting = [c for c, others in circles.items() if place in others]
            if len(meeting) > 3:
                raise BoardError(
                    f"circle {circle}: {', '.join(meeting)} all name the place {place}; at most "
                    "three circles meet at a place"
                )


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
            raise BoardError(
                f"circle {circle} does not hang together with circle {next(iter(circles))}; "
                "circles are joined without gaps"
            )
    return sides


def _odd_contact(circle: str, other: str, shared: list[str]) -> BoardError:
    return BoardError(
        f"circle {circle} shares {', '.join(shared)} with circle {other}; two circles share one "
        f"side, that is two places which follow each other in both lists"
    )


def _check_runes(board: DolmenBoard) -> None:
    """DG11: each rim place carries one rune; runes are pairs, that of the corners is four."""
    carries: dict[str, str] = {}
    corners = [rune for rune, places in board.runes.items() if len(places) == 4]
    for rune, places in board.runes.items():
        if len(places) not in (2, 4) or len(set(places)) != len(places):
            raise BoardError(
                f"rune {rune} is on {', '.join(places) or 'no place'}; a rune is on two different "
                "places, the rune of the corners on four"
            )
        for place in places:
            if not any(place in others for others in board.circles.values()):
                raise BoardError(f"rune {rune}: no circle has a place {place}")
            if place not in board.rim:
                raise BoardError(
                    f"rune {rune}: the place {place} lies inside, between the circles "
                    f"{board.circles_at(place)}; only places at the rim carry runes"
                )
            if place in carries:
                raise BoardError(
                    f"the place {place} of circle {board.circles_at(place)} carries two runes, "
                    f"{carries[place]} and {rune}"
                )
            carries[place] = rune
    if len(corners) != 1:
        found = ", ".join(corners) or "none"
        raise BoardError(f"exactly one rune links the four corner places; found: {found}")
    for place in board.places:
        if place in board.rim and place not in carries:
            raise BoardError(
                f"the place {place} of circle {board.circles_at(place)} lies at the rim and "
                "carries no rune"
            )
