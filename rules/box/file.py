"""Reading a box from its file, and finding it by its id.

A box file (``boxes/<id>.toml``) holds the board, every site with its millimetres, the pieces with
stickers and heights, and how the board is drawn. Its keys are in ``rules.box.keys``, what must be
true of them together in ``rules.box.checks``; ``rules.box.series`` writes out tables that stand for
several.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rules.bounded import read_text
from rules.box.box import Box, BoxError, Corner, PieceKind, Site, Stroke
from rules.box.checks import Parts, check_box
from rules.box.entry import Entry, Source
from rules.box.keys import FILE, TABLES
from rules.box.series import written_out
from rules.errors import Where
from rules.near import hint
from rules.printable import unprintable_key, unprintable_path
from rules.texts import translated
from rules.toml_lines import not_toml

__all__ = ["MOST_BYTES", "add_box", "box_ids", "load_box", "parse_box"]

MOST_BYTES = 4 << 20


def box_ids() -> list[str]:
    """Ids of the boxes that come with Heelstone."""
    folder = files("rules") / "boxes"
    return sorted(p.name[: -len(".toml")] for p in folder.iterdir() if p.name.endswith(".toml"))


_ADDED: dict[str, Box] = {}


def add_box(box: Box) -> None:
    """Let ``load_box`` know a box that does not come with Heelstone, by its id."""
    _ADDED[box.id] = box


_MET: dict[str, Box] = {}
"""Boxes from files, by id."""


def load_box(name: str) -> Box:
    """Load a box by id, or from a TOML file given by path; raises BoxError.

    A box from a file is known by its id too from then on, unless one of Heelstone's has that.
    """
    if name in _ADDED:
        return _ADDED[name]
    if name in _MET and name not in box_ids():
        return _MET[name]
    box = _load(name)
    if name.endswith(".toml"):
        _MET[box.id] = box
    return box


def _load(name: str) -> Box:
    return _read(name) if name.endswith(".toml") else _own(name)


@cache
def _own(name: str) -> Box:
    if name not in box_ids():
        raise BoxError("no_box", box=name, hint=hint(name, box_ids()))
    resource = files("rules") / "boxes" / f"{name}.toml"
    return parse_box(resource.read_text(encoding="utf-8"), f"{name}.toml")


@lru_cache(maxsize=32)
def _read(name: str) -> Box:
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


def parse_box(text: str, where: Where) -> Box:
    """Read and validate a box file's text; ``where`` names it in messages."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides its own error tomllib passes on those for overlong numbers and overdeep lists.
        raise BoxError("bad_toml", **not_toml(where, text, error)) from error
    source = Source(where, text)
    if key := unprintable_key(data):
        raise source.wrong("unprintable", unprintable_path(data), key)
    return _box(source, written_out(source, data))


# -- private ------------------------------------------------------------------------------


def _box(source: Source, data: dict[str, Any]) -> Box:
    file = Entry(source, data, (), "", FILE)

    def entry(table: str, path: tuple[str | int, ...], given: Any, name: str) -> Entry:
        return Entry(source, given, path, name, TABLES[table])

    def listed(table: str) -> list[Entry]:
        return [
            entry(table, (table, number), given, _called(table, number, given))
            for number, given in enumerate(file[table])
        ]

    parts = Parts(
        file=file,
        box=entry("box", ("box",), file["box"], "box"),
        corners=listed("corner"),
        sites=listed("site"),
        kinds={
            name: entry("kinds", ("kinds", name), given, f'kinds."{name}"')
            for name, given in file["kinds"].items()
        },
        strokes=listed("stroke"),
    )
    others = {
        site.path: {
            game: entry("otherwise", (*site.path, "otherwise", game), given,
                        f"{site.name}.otherwise.{game}")
            for game, given in site["otherwise"].items()
        }
        for site in parts.sites
    }  # fmt: skip
    sites = {site["id"]: _site(site, others[site.path]) for site in parts.sites}
    head = parts.box
    box = Box(
        id=head["id"],
        names=translated(head["names"], "common", "boxes", head["id"]),
        size=head["size"],
        dictionary=head["dictionary"],
        colours=dict(head["colours"]),
        corners=tuple(Corner(**corner.values) for corner in parts.corners),
        sites=sites,
        kinds={name: PieceKind(id=name, **kind.values) for name, kind in parts.kinds.items()},
        strokes=tuple(
            Stroke(**stroke.values | {"weight": stroke["weight"] or head["weight"]})
            for stroke in parts.strokes
        ),
        site_order=tuple(sites),
        printed_sites=tuple(site for site in sites.values() if site.printed),
    )
    check_box(box, parts)
    return box


def _called(table: str, number: int, given: Any) -> str:
    """What an entry is called in complaints: sites by their ids, others by their numbers."""
    name = given.get("id") if table == "site" and isinstance(given, dict) else None
    return f"site {name}" if isinstance(name, str) and name else f"{table}[{number}]"


def _site(entry: Entry, others: dict[str, Entry]) -> Site:
    same = {key: value for key, value in entry.values.items()
            if key not in ("single_in", "otherwise", "label")}  # fmt: skip
    label = entry["id"] if entry["label"] is None else entry["label"]
    site = Site(**same, label=label)
    if (site.radius > 0) == (site.size is not None):
        raise entry.wrong("radius_or_size")
    return replace(
        site,
        otherwise=(
            *((game, replace(site, room=1)) for game in entry["single_in"]),
            *((game, replace(site, **other.values)) for game, other in others.items()),
        ),
    )
