"""Boxes: the physical material of games, as data.

A box file (``boxes/<id>.toml``) holds the board, every site with its millimetres, the pieces
with stickers and heights, and how the board is drawn. Millimetres are board coordinates: origin
at the board's centre, x to the right, y away from the reader (up), z above the board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rules.core import GameError

__all__ = [
    "Box", "BoxError", "Corner", "PieceKind", "Site", "Stroke", "add_box", "box_ids", "load_box",
]  # fmt: skip

Point = tuple[float, float]


class BoxError(GameError):
    """A box file is wrong; the message names file, key and reason."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner sticker on the board, flat and upright."""

    id: int
    at: Point
    """Centre in mm."""
    size: float
    """Side of the black square in mm."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place where something can lie."""

    id: str
    kind: str
    """What the games call it: ``field``, ``line end``, ``pit``, ``pile`` …"""
    at: Point
    """Centre in mm."""
    radius: float
    """Pieces whose foot lies within this many mm of ``at`` belong to the site (circles)."""
    size: Point | None
    """Width and height in mm of a rectangular site; None for a round one."""
    takes: tuple[str, ...]
    """Groups of pieces that can lie here."""
    room: int
    """How many pieces can be seen here side by side."""
    label: str
    colour: str
    """A colour name of the box (field colours …) or empty."""
    neighbours: tuple[str, ...]
    games: tuple[str, ...] = ()
    """Ids of the games that use the site; empty if every game of the box does."""
    printed: bool = True
    """Whether the board shows it; places beside the board and such of one game are not drawn."""

    def holds(self, at: Point, slack: float = 0.0) -> bool:
        """Whether a foot at ``at`` (mm) belongs to the site; ``slack`` mm are added all round."""
        dx, dy = at[0] - self.at[0], at[1] - self.at[1]
        if self.size is None:
            return dx * dx + dy * dy <= (self.radius + slack) ** 2
        return abs(dx) <= self.size[0] / 2 + slack and abs(dy) <= self.size[1] / 2 + slack


@dataclass(frozen=True, slots=True)
class PieceKind:
    """Pieces that the camera cannot and need not tell apart."""

    id: str
    group: str
    """What the piece is: ``stone``, ``megalith``, ``disc``, ``card`` …; sites take groups."""
    owner: str
    """Colour of the player it belongs to, or empty."""
    stickers: tuple[int, ...]
    """Sticker ids; several identical pieces may carry the same id."""
    sticker_mm: float
    """Side of the sticker's black square."""
    height: float
    """Height of the sticker above the board in mm."""
    shape: str
    """``disc``, ``box``, ``octagon``, ``pawn``, ``card``, ``bar`` or ``arch``."""
    size: Point
    """Footprint in mm (diameter twice for a disc)."""
    colour: str
    """Body colour, ``#rrggbb``."""
    mark: str
    """What is printed on it for people: a value, a letter; may be empty."""
    poses: tuple[str, ...]
    count: int
    """How many of them the box holds."""
    back: str
    """Kind that is seen when the piece lies face down; empty if it never does."""
    lying_stickers: tuple[int, ...] = ()
    """Sticker ids on the side that looks up while the piece lies; empty if it has none there."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One element of the board's drawing, below the sites."""

    kind: str
    """``line``, ``polygon``, ``circle`` or ``text``."""
    role: str
    """What it is, such as ``ley line``; screens choose their own colour by it."""
    points: tuple[Point, ...]
    """Corners in mm; circle and text: the centre."""
    colour: str
    """Colour in print and before the camera, ``#rrggbb``."""
    width: float
    """Line width, circle radius or letter height in mm; 0 fills a polygon."""
    text: str
    sites: tuple[str, ...]
    """The sites it belongs to, e.g. all fields of a ley line and its end."""


@dataclass(frozen=True)
class Box:
    """The physical material of one or several games."""

    id: str
    names: Mapping[str, str]
    """Title by language."""
    size: Point
    """Board width and height in mm."""
    dictionary: str
    """Name of the sticker dictionary, as OpenCV calls it."""
    colours: Mapping[str, str]
    """``board``, ``table`` and per site kind: colours in print and before the camera."""
    corners: tuple[Corner, ...]
    sites: Mapping[str, Site]
    kinds: Mapping[str, PieceKind]
    strokes: tuple[Stroke, ...]
    site_order: tuple[str, ...] = field(default=())
    printed_sites: tuple[Site, ...] = field(default=())
    """Every site that the board shows, whether the game on it uses that site or not."""
    portrait: str = ""
    """Path of a picture of the bare board from above, corner to corner, where the board is not the
    one that is drawn here; else empty."""

    @cached_property
    def kind_of_sticker(self) -> Mapping[int, PieceKind]:
        """The piece kind that carries each sticker id."""
        return {
            sticker: kind
            for kind in self.kinds.values()
            for sticker in (*kind.stickers, *kind.lying_stickers)
        }

    @cached_property
    def kinds_of_group(self) -> Mapping[str, tuple[PieceKind, ...]]:
        """Piece kinds by group."""
        groups: dict[str, list[PieceKind]] = {}
        for kind in self.kinds.values():
            groups.setdefault(kind.group, []).append(kind)
        return {group: tuple(kinds) for group, kinds in groups.items()}

    def for_game(self, game: str) -> Box:
        """The box with only those sites that a game uses, so that no two of them overlap."""
        sites = {
            name: site for name, site in self.sites.items() if not site.games or game in site.games
        }
        return self if len(sites) == len(self.sites) else replace(self, sites=sites)

    def kinds_at(self, site: str) -> tuple[PieceKind, ...]:
        """Piece kinds that can lie at ``site``."""
        return tuple(
            kind for group in self.sites[site].takes for kind in self.kinds_of_group.get(group, ())
        )

    def site_at(self, at: Point, group: str | None = None, slack: float = 0.0) -> Site | None:
        """The site a foot at ``at`` (mm) belongs to, the nearest of several, or None."""
        found = [
            site
            for site in self.sites.values()
            if site.holds(at, slack) and (group is None or group in site.takes)
        ]
        return min(
            found,
            key=lambda s: (s.at[0] - at[0]) ** 2 + (s.at[1] - at[1]) ** 2,
            default=None,
        )


def box_ids() -> list[str]:
    """Ids of the boxes that come with Heelstone."""
    folder = files("rules") / "boxes"
    return sorted(p.name[: -len(".toml")] for p in folder.iterdir() if p.name.endswith(".toml"))


_ADDED: dict[str, Box] = {}


def add_box(box: Box) -> None:
    """Let ``load_box`` know a box that does not come with Heelstone, by its id."""
    _ADDED[box.id] = box


def load_box(name: str) -> Box:
    """Load a box by id, or from a TOML file given by path; raises BoxError."""
    return _ADDED[name] if name in _ADDED else _load(name)


@lru_cache(maxsize=32)
def _load(name: str) -> Box:
    if name.endswith(".toml"):
        path = Path(name)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise BoxError(f"{path} is larger than any box file; it is not read")
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise BoxError(f"cannot read the box file {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise BoxError(f"{path} is not a text file: {error.reason}") from error
        return parse_box(text, str(path))
    if name not in box_ids():
        raise BoxError(f"there is no box '{name}'; there are: {', '.join(box_ids())}")
    resource = files("rules") / "boxes" / f"{name}.toml"
    return parse_box(resource.read_text(encoding="utf-8"), f"{name}.toml")


def parse_box(text: str, where: str) -> Box:
    """Read and validate a box file's text; ``where`` names it in messages."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides its own error tomllib lets those of too long numbers and too deep lists through.
        raise BoxError(f"{where} is not valid TOML: {error}") from error
    return _Reader(where).box(data)


_REQUIRED = object()

MOST_BYTES = 4 << 20
LONGEST_MM = 10_000
"""No table is larger."""


class _Reader:
    """Reads one box file; every complaint names the file and the key."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, key: str, reason: str) -> BoxError:
        return BoxError(f"{self.where}: {key}: {reason}")

    def get(self, table: Any, key: str, path: str, kind: type, default: Any = _REQUIRED) -> Any:
        if not isinstance(table, dict):
            raise self.fail(path, "expected a table")
        if key not in table:
            if default is _REQUIRED:
                raise self.fail(f"{path}.{key}", "is missing")
            return default
        value = table[key]
        if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
            value = self.number(value, f"{path}.{key}")
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.fail(f"{path}.{key}", f"expected {kind.__name__}, found {value!r}")
        return value

    def number(self, value: float, path: str) -> float:
        """A length that may stand on a table; no infinity either."""
        if not -LONGEST_MM <= value <= LONGEST_MM:
            raise self.fail(path, f"expected a number up to {LONGEST_MM}, found {value}")
        return float(value)

    def only(self, table: dict[str, Any], path: str, *keys: str) -> None:
        for key in table:
            if key not in keys:
                raise self.fail(f"{path}.{key}", f"unknown key; known are {', '.join(keys)}")

    def point(self, value: Any, path: str) -> Point:
        match value:
            case [int() | float() as x, int() | float() as y]:
                return (self.number(x, path), self.number(y, path))
        raise self.fail(path, f"expected [x, y] in mm, found {value!r}")

    def strings(self, value: Any, path: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.fail(path, f"expected a list of texts, found {value!r}")
        return tuple(value)

    def box(self, data: dict[str, Any]) -> Box:
        self.only(data, "box file", "box", "corner", "site", "kinds", "stroke")
        head = self.get(data, "box", "box file", dict)
        self.only(head, "box", "id", "names", "size", "dictionary", "colours")
        kinds = {
            name: self.kind(name, table)
            for name, table in self.get(data, "kinds", "box file", dict, {}).items()
        }
        sites: dict[str, Site] = {}
        for number, table in enumerate(self.get(data, "site", "box file", list, [])):
            site = self.site(f"site[{number}]", table)
            if site.id in sites:
                raise self.fail(f"site[{number}].id", f"'{site.id}' is used twice")
            sites[site.id] = site
        corners = tuple(
            self.corner(f"corner[{number}]", table)
            for number, table in enumerate(self.get(data, "corner", "box file", list))
        )
        box = Box(
            id=self.get(head, "id", "box", str),
            names=self.get(head, "names", "box", dict),
            size=self.point(self.get(head, "size", "box", list), "box.size"),
            dictionary=self.get(head, "dictionary", "box", str),
            colours=self.get(head, "colours", "box", dict, {}),
            corners=corners,
            sites=sites,
            kinds=kinds,
            strokes=tuple(
                self.stroke(f"stroke[{number}]", table)
                for number, table in enumerate(self.get(data, "stroke", "box file", list, []))
            ),
            site_order=tuple(sites),
            printed_sites=tuple(site for site in sites.values() if site.printed),
        )
        self.cross_check(box)
        return box

    def corner(self, path: str, table: Any) -> Corner:
        corner = Corner(
            id=self.get(table, "id", path, int),
            at=self.point(self.get(table, "at", path, list), f"{path}.at"),
            size=self.get(table, "size", path, float),
        )
        self.only(table, path, "id", "at", "size")
        return corner

    def site(self, path: str, table: Any) -> Site:
        name = self.get(table, "id", path, str)
        path = f"site {name}"
        if not name or any(c.isspace() for c in name):
            raise self.fail(path, "a site id is one word, for it stands in move texts")
        size = self.get(table, "size", path, list, None)
        site = Site(
            id=name,
            kind=self.get(table, "kind", path, str),
            at=self.point(self.get(table, "at", path, list), f"{path}.at"),
            radius=self.get(table, "radius", path, float, 0.0),
            size=None if size is None else self.point(size, f"{path}.size"),
            takes=self.strings(self.get(table, "takes", path, list, []), f"{path}.takes"),
            room=self.get(table, "room", path, int, 1),
            label=self.get(table, "label", path, str, name),
            colour=self.get(table, "colour", path, str, ""),
            neighbours=self.strings(
                self.get(table, "neighbours", path, list, []), f"{path}.neighbours"
            ),
            games=self.strings(self.get(table, "games", path, list, []), f"{path}.games"),
            printed=self.get(table, "printed", path, bool, True),
        )
        self.only(
            table, path, "id", "kind", "at", "radius", "size", "takes", "room", "label", "colour",
            "neighbours", "games", "printed",
        )  # fmt: skip
        if (site.radius > 0) == (site.size is not None):
            raise self.fail(path, "needs either a radius or a size")
        return site

    def kind(self, name: str, table: Any) -> PieceKind:
        path = f'kinds."{name}"'
        stickers = self.get(table, "stickers", path, list, [])
        lying = self.get(table, "lying_stickers", path, list, [])
        if not all(isinstance(s, int) for s in stickers + lying):
            raise self.fail(f"{path}.stickers", f"expected numbers, found {stickers + lying!r}")
        kind = PieceKind(
            id=name,
            group=self.get(table, "group", path, str),
            owner=self.get(table, "owner", path, str, ""),
            stickers=tuple(stickers),
            sticker_mm=self.get(table, "sticker_mm", path, float, 0.0),
            height=self.get(table, "height", path, float, 0.0),
            shape=self.get(table, "shape", path, str),
            size=self.point(self.get(table, "size", path, list), f"{path}.size"),
            colour=self.get(table, "colour", path, str),
            mark=self.get(table, "mark", path, str, ""),
            poses=self.strings(self.get(table, "poses", path, list, []), f"{path}.poses"),
            count=self.get(table, "count", path, int),
            back=self.get(table, "back", path, str, ""),
            lying_stickers=tuple(lying),
        )
        self.only(
            table, path, "group", "owner", "stickers", "sticker_mm", "height", "shape", "size",
            "colour", "mark", "poses", "count", "back", "lying_stickers",
        )  # fmt: skip
        if kind.stickers and kind.sticker_mm <= 0:
            raise self.fail(f"{path}.sticker_mm", "a kind with stickers needs their size")
        return kind

    def stroke(self, path: str, table: Any) -> Stroke:
        kind = self.get(table, "kind", path, str)
        if kind not in ("line", "polygon", "circle", "text"):
            raise self.fail(f"{path}.kind", f"'{kind}' is no kind of stroke")
        points = self.get(table, "points", path, list)
        stroke = Stroke(
            kind=kind,
            role=self.get(table, "role", path, str),
            points=tuple(self.point(p, f"{path}.points") for p in points),
            colour=self.get(table, "colour", path, str),
            width=self.get(table, "width", path, float, 0.0),
            text=self.get(table, "text", path, str, ""),
            sites=self.strings(self.get(table, "sites", path, list, []), f"{path}.sites"),
        )
        self.only(table, path, "kind", "role", "points", "colour", "width", "text", "sites")
        return stroke

    def cross_check(self, box: Box) -> None:
        used: dict[int, str] = {corner.id: "a corner" for corner in box.corners}
        if len(used) != len(box.corners):
            raise self.fail("corner", "two corners share a sticker id")
        if len(box.corners) < 4:
            raise self.fail("corner", f"four corner stickers are needed, found {len(box.corners)}")
        for kind in box.kinds.values():
            for sticker in (*kind.stickers, *kind.lying_stickers):
                if sticker in used:
                    raise self.fail(
                        f'kinds."{kind.id}".stickers', f"{sticker} is already on {used[sticker]}"
                    )
                used[sticker] = kind.id
            if kind.back and kind.back not in box.kinds:
                raise self.fail(f'kinds."{kind.id}".back', f"there is no kind '{kind.back}'")
        groups = {kind.group for kind in box.kinds.values()}
        for site in box.sites.values():
            for other in site.neighbours:
                if other not in box.sites:
                    raise self.fail(f"site {site.id}.neighbours", f"there is no site '{other}'")
            for group in site.takes:
                if group not in groups:
                    raise self.fail(f"site {site.id}.takes", f"no piece is of group '{group}'")
        for number, stroke in enumerate(box.strokes):
            for name in stroke.sites:
                if name not in box.sites:
                    raise self.fail(f"stroke[{number}].sites", f"there is no site '{name}'")
