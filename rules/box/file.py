"""Reading a box from its file, and finding it by its id.

A box file (``boxes/<id>.toml``) holds the board, every site with its millimetres, the pieces with
stickers and heights, and how the board is drawn.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rules.bounded import read_text
from rules.box.box import Box, BoxError, Corner, PieceKind, Point, Site, Stroke
from rules.errors import Where
from rules.printable import unprintable_key

__all__ = ["MOST_BYTES", "add_box", "box_ids", "load_box", "parse_box"]

MOST_BYTES = 4 << 20
LONGEST_MM = 10_000
"""No table is larger."""


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
                raise BoxError("box_too_large", file=path)
            text = read_text(path, MOST_BYTES)
        except OSError as error:
            raise BoxError("box_unreadable", file=path, reason=error) from error
        except UnicodeDecodeError as error:
            raise BoxError("not_text", file=path, reason=error) from error
        return parse_box(text, path)
    if name not in box_ids():
        raise BoxError("no_box", box=name, known=box_ids())
    resource = files("rules") / "boxes" / f"{name}.toml"
    return parse_box(resource.read_text(encoding="utf-8"), f"{name}.toml")


def parse_box(text: str, where: Where) -> Box:
    """Read and validate a box file's text; ``where`` names it in messages."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides its own error tomllib passes on those for overlong numbers and overdeep lists.
        raise BoxError("bad_toml", file=where, reason=error) from error
    if key := unprintable_key(data):
        raise BoxError("unprintable", file=where, key=key)
    return _Reader(where).box(data)


class _Reader:
    """Reads one box file; every error names the file and the key."""

    def __init__(self, where: Where) -> None:
        self.where = where

    def fail(self, code: str, key: str, **params: object) -> BoxError:
        return BoxError(code, file=self.where, key=key, **params)

    def get(self, table: Any, key: str, path: str, kind: type, *default: Any) -> Any:
        """The value of a key; without a default the key is required."""
        if not isinstance(table, dict):
            raise self.fail("wants_table", path)
        if key not in table:
            if not default:
                raise self.fail("key_missing", f"{path}.{key}")
            return default[0]
        value = table[key]
        if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
            value = self.number(value, f"{path}.{key}")
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.fail("wants_kind", f"{path}.{key}", wanted=kind.__name__, found=value)
        return value

    def number(self, value: float, path: str) -> float:
        """A length that fits on a table; not infinity either."""
        if not -LONGEST_MM <= value <= LONGEST_MM:
            raise self.fail("wants_length", path, most=LONGEST_MM, found=value)
        return float(value)

    def only(self, table: dict[str, Any], path: str, *keys: str) -> None:
        for key in table:
            if key not in keys:
                raise self.fail("key_unknown", f"{path}.{key}", known=keys)

    def point(self, value: Any, path: str) -> Point:
        match value:
            case [int() | float() as x, int() | float() as y]:
                return (self.number(x, path), self.number(y, path))
        raise self.fail("wants_point", path, found=value)

    def strings(self, value: Any, path: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.fail("wants_texts", path, found=value)
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
                raise self.fail("site_twice", f"site[{number}].id", site=site.id)
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
            raise self.fail("site_id_one_word", path)
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
            "neighbours", "games", "printed", "otherwise", "single_in",
        )  # fmt: skip
        if (site.radius > 0) == (site.size is not None):
            raise self.fail("radius_or_size", path)
        others = self.get(table, "otherwise", path, dict, {})
        single = self.strings(self.get(table, "single_in", path, list, []), f"{path}.single_in")
        return replace(
            site,
            otherwise=(
                *((game, replace(site, room=1)) for game in single),
                *(
                    (game, self.site_in(f"{path}.otherwise.{game}", other, site))
                    for game, other in others.items()
                ),
            ),
        )

    def site_in(self, path: str, table: Any, usual: Site) -> Site:
        """A rectangular site as one game uses it."""
        self.only(table, path, "at", "size", "room")
        return replace(
            usual,
            at=self.point(self.get(table, "at", path, list), f"{path}.at"),
            size=self.point(self.get(table, "size", path, list), f"{path}.size"),
            room=self.get(table, "room", path, int, 1),
        )

    def kind(self, name: str, table: Any) -> PieceKind:
        path = f'kinds."{name}"'
        stickers = self.get(table, "stickers", path, list, [])
        lying = self.get(table, "lying_stickers", path, list, [])
        if not all(isinstance(s, int) for s in stickers + lying):
            raise self.fail("wants_numbers", f"{path}.stickers", found=stickers + lying)
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
            raise self.fail("sticker_size_missing", f"{path}.sticker_mm")
        return kind

    def stroke(self, path: str, table: Any) -> Stroke:
        kind = self.get(table, "kind", path, str)
        if kind not in ("line", "polygon", "circle", "text"):
            raise self.fail("stroke_unknown", f"{path}.kind", found=kind)
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
        used: dict[int, str] = dict.fromkeys((corner.id for corner in box.corners), "")
        if len(used) != len(box.corners):
            raise self.fail("corners_alike", "corner")
        if len(box.corners) < 4:
            raise self.fail("corners_few", "corner", found=len(box.corners))
        for kind in box.kinds.values():
            for sticker in (*kind.stickers, *kind.lying_stickers):
                if sticker in used:
                    key, other = f'kinds."{kind.id}".stickers', used[sticker]
                    if not other:
                        raise self.fail("sticker_on_corner", key, sticker=sticker)
                    raise self.fail("sticker_twice", key, sticker=sticker, other=other)
                used[sticker] = kind.id
            if kind.back and kind.back not in box.kinds:
                raise self.fail("kind_unknown", f'kinds."{kind.id}".back', kind=kind.back)
        groups = {kind.group for kind in box.kinds.values()}
        for site in box.sites.values():
            for other in site.neighbours:
                if other not in box.sites:
                    raise self.fail("site_unknown", f"site {site.id}.neighbours", site=other)
            for group in site.takes:
                if group not in groups:
                    raise self.fail("group_unknown", f"site {site.id}.takes", group=group)
        for number, stroke in enumerate(box.strokes):
            for name in stroke.sites:
                if name not in box.sites:
                    raise self.fail("site_unknown", f"stroke[{number}].sites", site=name)
