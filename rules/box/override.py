"""A board that is not the printed one: the same sites, elsewhere.

Owners of an original game put four corner stickers around their board and say where its sites lie.
What they say is a small TOML file of its own, laid over the box by ``overridden``:

    [override]
    box = "knizia_stonehenge"
    size = [480, 470]
    portrait = "knizia_stonehenge.jpg"
    outline = [[-190, 185], [190, 185], [190, -185], [-190, -185]]

    [corners]
    0 = [-220, 215]

    [sites]
    A = { at = [12.5, 40], radius = 13 }
    deck = { at = [190, 0], size = [60, 88] }

Millimetres as in the box. A site or corner that is not named stays where it is printed. ``outline``
are the corners of the board itself, clockwise from the upper left; without it all that lies
between the stickers is board.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from rules.bounded import read_text
from rules.box.box import Box, BoxError, Length, Point, Site, Size, Stroke
from rules.declared import Fits, Kind, Made, Misfit, read, toml
from rules.errors import Sentence, Where
from rules.near import hint
from rules.toml_lines import at_line, lines_of, parsed

MOST_BYTES = 1 << 20
SAME_MM = 0.5
"""A point of the drawing this near to a site's middle belongs to it and moves with it."""


UNNAMED = Sentence("the_override")
"""Name of an override that is in no file."""


@dataclass(frozen=True, slots=True)
class SitePlace:
    """The place of a site, in mm: a round one has a radius, a rectangular one a size."""

    at: Point
    radius: Length = 0.0
    size: Size | None = None

    @staticmethod
    def of(site: Site) -> SitePlace:
        """The place that the box gives it."""
        return SitePlace(site.at, site.radius, site.size)


@dataclass(frozen=True)
class BoxOverride:
    """The differences from the printed board of a box."""

    box: str
    size: Point
    """Width and height in mm of the board with its corner stickers."""
    corners: Mapping[int, Point] = field(default_factory=dict)
    """Middles of the corner stickers, by id."""
    sites: Mapping[str, SitePlace] = field(default_factory=dict)
    portrait: str = ""
    """Name of a picture of the bare board beside the file; empty: it looks like the printed one."""
    outline: tuple[Point, ...] = ()
    """The board's four corners, mm, clockwise from the upper left; empty: all of it is board."""
    text: str = field(default="", compare=False, repr=False)
    """Its source, for complaints that name a line; empty if it is in no file."""


def _corner_id(key: str) -> int:
    if not key.isdecimal() or len(key) > 9:
        raise Misfit("wants_corner_number")
    return int(key)


def runs_clockwise(at: Sequence[Point]) -> bool:
    """True if corners (mm, y up) are those of a convex board, one after the other clockwise."""
    turns = []
    for number, b in enumerate(at):
        a, c = at[number - 1], at[(number + 1) % len(at)]
        turns.append((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
    # Every turn is to the right.
    return all(turn < 0 for turn in turns)


CornerId = Annotated[int, Made(str, _corner_id)]
"""Of a corner sticker, as a key of a file."""
_FourCorners = Annotated[tuple[Point, Point, Point, Point], Kind("kind_outline")]
Outline = Annotated[
    tuple[Point, ...], Made(_FourCorners, tuple), Fits("outline_crossed", runs_clockwise)
]
"""The four corners of a board itself, clockwise."""
_FileName = Annotated[str, Fits("wants_name", lambda name: "/" not in name and "\\" not in name)]


@dataclass(frozen=True, slots=True)
class _Head:
    box: str
    size: Size
    portrait: _FileName = ""
    outline: Outline = ()


@dataclass(frozen=True, slots=True)
class _File:
    override: _Head
    corners: Mapping[CornerId, Point] = field(default_factory=dict)
    sites: Mapping[str, SitePlace] = field(default_factory=dict)


def is_override(text: str) -> bool:
    """True if a TOML text is an override and not a whole box; False if it is not TOML at all."""
    try:
        return "override" in parsed(text)
    except (ValueError, RecursionError):
        return False


def load_override(path: Path) -> BoxOverride:
    """Read an override file; raises BoxError."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BoxError("board_too_large", file=path)
        text = read_text(path, MOST_BYTES)
    except OSError as error:
        raise BoxError("board_unreadable", file=path, reason=error) from error
    except UnicodeDecodeError as error:
        raise BoxError("not_text", file=path, reason=error) from error
    return parse_override(text, path)


def parse_override(text: str, where: Where) -> BoxOverride:
    """Read an override's text; ``where`` names it in messages. Raises BoxError."""
    with toml(text, where, BoxError) as data:
        file = read(_File, data)
        for name, place in file.sites.items():
            if (place.radius > 0) == (place.size is not None):
                raise Misfit("radius_or_size", ("sites", name))
    head = file.override
    return BoxOverride(
        head.box, head.size, file.corners, file.sites, head.portrait, head.outline, text
    )


def outline_lines(outline: Sequence[Point]) -> list[str]:
    """The line of a file that says the outline; none if there is no outline."""
    return [f"outline = [{', '.join(map(_pair, outline))}]"] if outline else []


def override_text(override: BoxOverride) -> str:
    """The override as its file has it."""
    lines = [
        "# Where the fields of this board lie, in millimetres: origin in the middle between the",
        "# corner stickers, x to the right, y up. Written by Heelstone; see docs/own-board.md.",
        "[override]",
        f"box = {json.dumps(override.box)}",
        f"size = {_pair(override.size)}",
        *([f"portrait = {json.dumps(override.portrait)}"] if override.portrait else []),
        *outline_lines(override.outline),
        "",
        "[corners]",
        *(f"{number} = {_pair(at)}" for number, at in sorted(override.corners.items())),
        "",
        "[sites]",
    ]
    for name, place in override.sites.items():
        reach = f"radius = {place.radius:.2f}"
        if place.size is not None:
            reach = f"size = {_pair(place.size)}"
        key = json.dumps(name, ensure_ascii=False)
        lines.append(f"{key} = {{ at = {_pair(place.at)}, {reach} }}")
    return "\n".join(lines) + "\n"


def overridden(
    box: Box,
    override: BoxOverride,
    where: Where = UNNAMED,
    folder: Path | None = None,
) -> Box:
    """``box`` with its sites, corner stickers and drawing where the override has them.

    ``box`` may be limited to one game (``Box.for_game``); sites of others do not matter then.
    ``folder``: where the portrait is.
    Raises BoxError that begins with ``where``.
    """
    try:
        return _laid(box, override, where, folder)
    except BoxError as error:
        raise _with_line(error, where, override.text) from error


def moved_corner(
    outline: Sequence[Point], number: int, to: Point, size: Point
) -> tuple[Point, ...]:
    """``outline`` with one corner moved ``to`` another place, as far as ``size`` (mm) reaches; as
    it was if no board could have its corners so."""
    x, y = size[0] / 2, size[1] / 2
    corners = list(outline)
    corners[number] = (min(max(to[0], -x), x), min(max(to[1], -y), y))
    return tuple(corners if runs_clockwise(corners) else outline)


def check_outline(box: Box, where: Where) -> None:
    """Raises BoxError, which begins with ``where``, if a printed site lies beyond the outline."""
    for site in box.printed_sites if box.outline else ():
        if not box.is_on_board(site.at):
            raise BoxError("site_beyond_outline", file=where, key=f"sites.{site.id}")


def similarity(old: list[Point], new: list[Point]) -> tuple[complex, complex]:
    """Turn-and-scale ``a`` and shift ``b`` so that a·old + b lies nearest to ``new``.

    Points are complex numbers x + iy; least squares. Fewer than two points: only a shift.
    """
    if not old:
        return 1 + 0j, 0j
    z, w = [complex(*p) for p in old], [complex(*p) for p in new]
    mean_z, mean_w = sum(z) / len(z), sum(w) / len(w)
    spread = sum(abs(one - mean_z) ** 2 for one in z)
    if spread < 1e-9:
        return 1 + 0j, mean_w - mean_z
    pairs = zip(z, w, strict=True)
    turn = sum((two - mean_w) * (one - mean_z).conjugate() for one, two in pairs) / spread
    return turn, mean_w - turn * mean_z


# -- private ------------------------------------------------------------------------------


def _with_line(error: BoxError, where: Where, text: str) -> BoxError:
    """The same error; if its key is in ``text``, or a table around it, it names the line too."""
    lines = {".".join(map(str, path)): line for path, line in lines_of(text).items()}
    key = str(error.params.get("key", ""))
    while key and key not in lines:
        key = key.rpartition(".")[0]
    if not key:
        return error
    return BoxError(error.code, **{**error.params, "file": at_line(where, lines[key])})


def _laid(box: Box, override: BoxOverride, where: Where, folder: Path | None) -> Box:
    if override.box != box.id:
        raise BoxError("of_other_box", file=where, box=override.box, wanted=box.id)
    known = dict.fromkeys([*(site.id for site in box.printed_sites), *box.sites, *box.site_order])
    for name in override.sites:
        if name not in known:
            meant = hint(name, known)
            raise BoxError(
                "box_lacks_site", file=where, key=f"sites.{name}", box=box.id, hint=meant
            )
    ids = {corner.id for corner in box.corners}
    for number in override.corners:
        if number not in ids:
            raise BoxError("box_lacks_sticker", file=where, key=f"corners.{number}", box=box.id)
    corners = tuple(
        replace(corner, at=override.corners.get(corner.id, corner.at)) for corner in box.corners
    )
    _check_corners([corner.at for corner in corners], override.size, where)
    sites = {name: _moved(site, override, where) for name, site in box.sites.items()}
    printed = tuple(_moved(site, override, where) for site in box.printed_sites)
    laid = replace(
        box,
        size=override.size,
        corners=corners,
        sites=sites,
        printed_sites=printed,
        strokes=_strokes(box, printed),
        portrait=str(folder / override.portrait) if folder and override.portrait else "",
        outline=override.outline,
    )
    check_outline(laid, where)
    return laid


def _moved(site: Site, override: BoxOverride, where: Where) -> Site:
    place = override.sites.get(site.id)
    if place is None:
        return site
    if (place.size is None) != (site.size is None):
        form = "radius" if site.size is None else "size"
        raise BoxError("site_has", file=where, key=f"sites.{site.id}", form=form)
    drawn = site.drawn_radius
    if drawn is not None and site.radius > 0:
        drawn *= place.radius / site.radius
    return replace(site, at=place.at, radius=place.radius, size=place.size, drawn_radius=drawn)


def _strokes(box: Box, printed: tuple[Site, ...]) -> tuple[Stroke, ...]:
    """The drawing follows the sites: what lies on one goes with it, the rest with all of them."""
    pairs = list(zip(box.printed_sites, printed, strict=True))
    turn, shift = similarity([a.at for a, _ in pairs], [b.at for _, b in pairs])
    ends = {old.id: (old.at, new.at) for old, new in pairs}
    strokes = []
    for stroke in box.strokes:
        points = []
        loose = shift
        if len(stroke.sites) == 1 and stroke.sites[0] in ends:
            # A letter beside a site stays beside it.
            old_at, new_at = ends[stroke.sites[0]]
            loose = complex(*new_at) - turn * complex(*old_at)
        for x, y in stroke.points:
            near = (
                new.at for old, new in pairs
                if abs(old.at[0] - x) <= SAME_MM and abs(old.at[1] - y) <= SAME_MM
            )  # fmt: skip
            there = turn * complex(x, y) + loose
            points.append(next(near, (there.real, there.imag)))
        width = stroke.width * abs(turn)
        strokes.append(replace(stroke, points=tuple(points), width=width))
    return tuple(strokes)


def _check_corners(at: list[Point], size: Point, where: Where) -> None:
    for x, y in at:
        if abs(x) > size[0] / 2 or abs(y) > size[1] / 2:
            raise BoxError("corner_beyond", file=where, x=x, y=y)
    if not runs_clockwise(at):
        raise BoxError("corners_crossed", file=where)


def _pair(point: Point) -> str:
    return f"[{point[0]:.2f}, {point[1]:.2f}]"
