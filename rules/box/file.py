"""Reading a box from its file, and finding it by its id.

A box file (``boxes/<id>.toml``) holds the board, every site with its millimetres, the pieces with
stickers and heights, and how the board is drawn. What must be
true of its tables together is in ``rules.box.checks``; ``rules.box.series`` writes out tables that
stand for several.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

from rules.bounded import read_text
from rules.box.box import (
    FACES,
    TRAY,
    Box,
    BoxError,
    Colour,
    Corner,
    Count,
    Extent,
    Length,
    NumberOf,
    PieceKind,
    Point,
    Site,
    Size,
    Stroke,
    Surface,
    Weight,
    Word,
)
from rules.box.checks import check_box
from rules.box.lattice import TURNS, Lattice
from rules.box.series import written_out
from rules.box.spread import ways_of
from rules.box.windows import sites_of_cells, with_printed_cells
from rules.declared import Fits, Kind, Misfit, called, read, toml
from rules.errors import Where
from rules.near import hint
from rules.texts import translated

MOST_BYTES = 4 << 20
FARTHEST: Final = 24
"""Most steps from the middle of a lattice to its edge: more than a match reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The table ``box``."""

    id: Word
    names: Annotated[Mapping[str, str], Kind("kind_names")]
    size: Size
    dictionary: str
    colours: Annotated[Mapping[str, Colour], Kind("kind_colours")] = field(default_factory=dict)
    surfaces: Annotated[Mapping[str, Surface], Kind("kind_surfaces")] = field(default_factory=dict)
    weight: Weight = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A site in one game."""

    at: Point
    size: Size
    room: NumberOf = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTable:
    """A site as the file has it."""

    id: Word
    kind: str
    at: Point
    radius: Length = 0.0
    drawn_radius: Extent | None = None
    size: Size | None = None
    takes: tuple[str, ...] = ()
    room: NumberOf | None = None
    heap: Count = 0
    label: str | None = None
    colour: str = ""
    neighbours: tuple[str, ...] = ()
    one_way: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    single_in: tuple[str, ...] = ()
    otherwise: Mapping[str, Elsewhere] = field(default_factory=dict)
    printed: bool = True


_Cells = Annotated[str, Fits("wants_among", TURNS.__contains__, known=tuple(TURNS))]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeTable:
    """The table ``lattice``."""

    shape: _Cells
    pitch: Length
    reach: NumberOf = 12
    columns: Count = 0
    rows: Count = 0
    at: Point | None = None
    kind: str = "cell"
    takes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """The outermost table of a box file, once series are written out."""

    box: Head
    corner: tuple[Corner, ...]
    site: tuple[SiteTable, ...] = ()
    kinds: Mapping[str, PieceKind] = field(default_factory=dict)
    stroke: tuple[Stroke, ...] = ()
    lattice: LatticeTable | None = None


def box_ids() -> list[str]:
    """Ids of the boxes that come with Heelstone."""
    folder = files("rules") / "boxes"
    return sorted(p.name[: -len(".toml")] for p in folder.iterdir() if p.name.endswith(".toml"))


NO_BOARD: Final = Box("no_board", {}, (100.0, 100.0), "DICT_4X4_50", {}, (), {}, {}, ())
"""The box of games of which everything is entered: nothing to be printed, laid out or watched, so
no list of boxes has it."""
_ADDED: dict[str, Box] = {NO_BOARD.id: NO_BOARD}


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
    with toml(text, where, BoxError) as data:
        tables, origin = written_out(data)
        try:
            return _box(read(File, tables), tables)
        except Misfit as misfit:
            named = {"key": called(misfit.path, tables), **misfit.params}
            raise Misfit(misfit.code, origin(misfit.path), **named) from misfit


# -- private ------------------------------------------------------------------------------


_HALF_LIGHT = 3 * 128
"""Sum of red, green and blue from which a colour is light."""


def _box(file: File, tables: Mapping[str, Any]) -> Box:
    head = file.box
    kinds = {name: _die(kind) if kind.is_die else kind for name, kind in file.kinds.items()}
    sites = {site.id: _site(site, kinds) for site in file.site}
    lattice = None
    if (given := file.lattice) is not None:
        lattice = _lattice(given)
        kinds = {name: _turning(kind, lattice) for name, kind in kinds.items()}
    strokes = zip(file.stroke, tables.get("stroke", ()), strict=True)
    box = Box(
        id=head.id,
        names=translated(head.names, "common", "boxes", head.id),
        size=head.size,
        dictionary=head.dictionary,
        colours=head.colours,
        corners=file.corner,
        sites=sites if lattice is None else sites | sites_of_cells(lattice),
        kinds=kinds,
        strokes=tuple(
            one if "weight" in table else replace(one, weight=head.weight) for one, table in strokes
        ),
        site_order=tuple(sites),
        printed_sites=tuple(site for site in sites.values() if site.printed),
        surfaces=head.surfaces,
        lattice=lattice,
    )
    if lattice is not None and not lattice.floats:
        box = with_printed_cells(box)
    check_box(box, head.names, [site.id for site in file.site])
    return box


def _lattice(given: LatticeTable) -> Lattice:
    turns, board = TURNS[given.shape], (given.columns, given.rows)
    if not any(board):
        if given.reach > FARTHEST:
            raise Misfit("lattice_wide", ("lattice", "reach"), most=FARTHEST)
        return Lattice(turns, given.pitch, given.reach, given.kind, given.takes)
    if not all(board) or max(board) > 2 * FARTHEST:
        raise Misfit("lattice_board", ("lattice", "rows"), most=2 * FARTHEST)
    lattice = Lattice(turns, given.pitch, max(board), given.kind, given.takes, board)
    # Its middle is that of the board.
    x, y = lattice.at((board[0] - 1, board[1] - 1))
    return replace(lattice, first=(-x / 2, -y / 2) if given.at is None else given.at)


def _die(kind: PieceKind) -> PieceKind:
    """A die with what its file leaves out."""
    faces = kind.faces or FACES
    dark = sum(int(kind.colour[at : at + 2], 16) for at in (1, 3, 5)) < _HALF_LIGHT
    pips = kind.pips or ("#f4f1e8" if dark else "#1d1d1b")
    height = kind.height or kind.size[0]
    return replace(kind, faces=faces, poses=faces, pips=pips, height=height)


def _turning(kind: PieceKind, lattice: Lattice) -> PieceKind:
    """A kind with its turns as its poses, where it has any."""
    if kind.turns:
        return replace(kind, poses=tuple(map(str, range(lattice.turns))))
    if (0, 0) in kind.cells and (ways := ways_of(kind)) > 1:
        return replace(kind, poses=tuple(map(str, range(ways))))
    return kind


def _site(given: SiteTable, kinds: Mapping[str, PieceKind]) -> Site:
    room = given.room
    if given.kind == TRAY and not room:
        room = sum(kind.count for kind in kinds.values() if kind.group in given.takes)
    site = Site(
        given.id, given.kind, given.at, given.radius, given.size, given.takes, room or 1,
        given.id if given.label is None else given.label, given.colour, given.neighbours,
        given.games, given.drawn_radius, given.one_way, given.printed, heap=given.heap,
    )  # fmt: skip
    others = {game: replace(site, room=1, heap=0) for game in given.single_in}
    for game, other in given.otherwise.items():
        others[game] = replace(site, at=other.at, size=other.size, room=other.room)
    return replace(site, otherwise=tuple(others.items()))
