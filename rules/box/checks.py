"""Checks of a box file beyond its single values.

Each check raises a Misfit, which says what to do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from rules.box.box import FACES, PLAYER_COLOURS, TRAY, Box, Corner, PieceKind, Point, Site, Stroke
from rules.box.lattice import Lattice
from rules.box.spots import room_for
from rules.box.spread import rings_of
from rules.box.windows import is_cell, on_open_ground
from rules.declared import Misfit
from rules.near import hint
from rules.texts import AUTHORED
from rules.toml_lines import KeyPath

# Drawings keep out of the white rims of the corner stickers.
#
# The camera finds a sticker by the step from its black frame to the white around it. The rim that
# is printed with a sticker, one module wide, is the least that is read for sure
# (https://docs.opencv.org/4.x/d5/dae/tutorial_aruco_detection.html); a line may run along its edge.

TOUCH_MM = 1.0
"""Millimetres that a line along the edge of a rim may reach into it."""
LETTER = 0.6
"""Width of a letter in its heights, on average."""


def crossed(stroke: Stroke, box: Box, modules: int) -> Iterator[tuple[Corner, float]]:
    """The corners into whose rims a stroke runs, and how far, mm. ``modules``: of a sticker's side,
    with its frame. What has a whole sticker on it is the ground, and does no harm."""
    for corner in box.corners:
        if corner.covers:
            continue
        half = corner.size / 2 * (modules + 2) / modules
        by = _into(stroke, corner.at, half)
        if by > TOUCH_MM and not _below(stroke, corner.at, half):
            yield corner, by


def _into(stroke: Stroke, middle: Point, half: float) -> float:
    """Depth to which its ink reaches into a square with sides of twice ``half``, mm."""
    points = [(x - middle[0], y - middle[1]) for x, y in stroke.points]
    x, y = map(abs, points[0])
    match stroke.kind:
        case "circle":
            return stroke.width - math.hypot(max(x - half, 0.0), max(y - half, 0.0))
        case "text":
            across = LETTER * stroke.width * len(stroke.text) / 2
            return half - max(x - across, y - stroke.width / 2)
        case "polygon":
            points.append(points[0])
    return half - min(_least(a, b) for a, b in pairwise(points)) + stroke.width / 2


def _least(a: Point, b: Point) -> float:
    """The least of the larger of |x| and |y| along a line from ``a`` to ``b``.

    It is at an end, or where x, y, x - y or x + y is 0, as it is straight in between.
    """
    ways = ((1, 0), (0, 1), (1, -1), (1, 1))
    found = [max(map(abs, a)), max(map(abs, b))]
    for u, v in ways:
        one, other = u * a[0] + v * a[1], u * b[0] + v * b[1]
        if one * other < 0:
            t = one / (one - other)
            x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
            found.append(max(abs(x), abs(y)))
    return min(found)


def _below(stroke: Stroke, middle: Point, half: float) -> bool:
    """True if a disc holds all of a sticker. Areas need no asking: only their edges count."""
    if stroke.kind != "circle":
        return False
    x, y = (abs(a - b) for a, b in zip(stroke.points[0], middle, strict=True))
    return math.hypot(x + half, y + half) <= stroke.width


_FAMILIES = {
    "DICT_ARUCO_ORIGINAL": (5, 1024),
    "DICT_ARUCO_MIP_36h12": (6, 250),
    "DICT_APRILTAG_16h5": (4, 30),
    "DICT_APRILTAG_25h9": (5, 35),
    "DICT_APRILTAG_36h10": (6, 2320),
    "DICT_APRILTAG_36h11": (6, 587),
} | {
    f"DICT_{side}X{side}_{count}": (side, count)
    for side in (4, 5, 6, 7)
    for count in (50, 100, 250, 1000)
}
DICTIONARIES = _FAMILIES | {name.replace("h", "H"): book for name, book in _FAMILIES.items()}
"""Modules across the pattern, and number of stickers, by OpenCV's name."""
PICTURE_PX = (1920, 1080)
"""Pixels of a picture that just holds the board, as the smallest cameras give it."""
LEAST_MODULE_PX = 2.5
"""Least pixels per module of a sticker that is read for sure; vision gives up at 2."""
WIDTHS = {"line": "line_width", "circle": "circle_width", "text": "text_width"}
"""Complaints about strokes without a width."""
LEAST_APART = 70
"""Least difference of red, green or blue between a die and its pips."""
SLACK_MM = 0.05
"""Millimetres in files are rounded."""


def check_box(box: Box, names: Mapping[str, str], ids: Sequence[str]) -> None:
    """Raises Misfit for the first thing that does not fit. ``names``: as the file has them;
    ``ids``: of its sites."""
    for lang in AUTHORED:
        if not names.get(lang, "").strip():
            raise Misfit("box_unnamed", ("box", "names"), language=lang)
    _corners(box)
    _stickers(box)
    _told_apart(box)
    _dice(box)
    _sites(box, ids)
    _lattice(box)
    _places(box)
    _catchments(box)
    _strokes(box)


def reach_of(site: Site) -> tuple[float, float]:
    """Half of width and height in mm of where pieces belong to a site."""
    w, h = site.size or (2 * site.radius, 2 * site.radius)
    return w / 2, h / 2


def stickers_on(site: Site, box: Box) -> list[Corner]:
    """The corner stickers of a box whose paper lies where pieces belong to a site."""
    modules, reach = DICTIONARIES[box.dictionary][0] + 2, reach_of(site)
    return [
        corner for corner in box.corners
        if all(abs(a - b) < r + _sheet(corner, modules) - SLACK_MM
               for a, b, r in zip(site.at, corner.at, reach, strict=True))
    ]  # fmt: skip


# -- private ------------------------------------------------------------------------------


def _sheet(corner: Corner, modules: int) -> float:
    """Half the side of a sticker with its white rim, mm."""
    return corner.size / 2 * (modules + 2) / modules


def _corners(box: Box) -> None:
    if len(box.corners) < 4:
        raise Misfit("corners_few", ("corner",), found=len(box.corners))
    if box.dictionary not in DICTIONARIES:
        raise Misfit("dictionary_unknown", ("box", "dictionary"), found=box.dictionary,
                     hint=hint(box.dictionary, DICTIONARIES))  # fmt: skip
    modules = DICTIONARIES[box.dictionary][0] + 2
    middles = [complex(*corner.at) for corner in box.corners]
    for number, corner in enumerate(box.corners):
        half = _sheet(corner, modules)
        reach = 0.0 if corner.covers else half
        if any(abs(c) + reach > side / 2 for c, side in zip(corner.at, box.size, strict=True)):
            path = ("corner", number, "at")
            raise Misfit("corner_off_board", path, size=[*box.size], side=f"{2 * half:g}")
    turns = [
        ((b - a).conjugate() * (c - b)).imag
        for a, b, c in zip(middles, middles[1:] + middles[:1], middles[2:] + middles[:2],
                           strict=True)
    ]  # fmt: skip
    if not all(turn < 0 for turn in turns):
        raise Misfit("corners_not_around", ("corner",))


def _stickers(box: Box) -> None:
    side, count = DICTIONARIES[box.dictionary]
    modules = side + 2
    used: dict[int, str] = {}
    for number, corner in enumerate(box.corners):
        path: KeyPath = ("corner", number, "id")
        if corner.id in used:
            raise Misfit("corners_alike", path, sticker=corner.id)
        if corner.id >= count:
            raise Misfit("sticker_not_there", path, found=corner.id, last=count - 1,
                         dictionary=box.dictionary)  # fmt: skip
        used[corner.id] = ""
    px_per_mm = min(px / mm for px, mm in zip(PICTURE_PX, box.size, strict=True))
    for kind in box.kinds.values():
        for key, stickers in (("stickers", kind.stickers), ("lying_stickers", kind.lying_stickers)):
            for number, sticker in enumerate(stickers):
                path = ("kinds", kind.id, key, number)
                if sticker in used and not used[sticker]:
                    raise Misfit("sticker_on_corner", path, sticker=sticker)
                if sticker in used:
                    raise Misfit("sticker_twice", path, sticker=sticker, other=used[sticker])
                if sticker >= count:
                    raise Misfit("sticker_not_there", path, found=sticker, last=count - 1,
                                 dictionary=box.dictionary)  # fmt: skip
                used[sticker] = kind.id
        if not kind.stickers and not kind.lying_stickers:
            continue
        path = ("kinds", kind.id, "sticker_mm")
        if kind.sticker_mm <= 0:
            raise Misfit("sticker_size_missing", path)
        if kind.sticker_mm * (modules + 2) / modules > min(kind.size) + SLACK_MM:
            raise Misfit(
                "sticker_too_large", path, found=kind.sticker_mm, width=min(kind.size),
                most=f"{math.floor(min(kind.size) * modules / (modules + 2) * 10) / 10:g}",
            )  # fmt: skip
        px = kind.sticker_mm / modules * px_per_mm
        if px < LEAST_MODULE_PX:
            least = LEAST_MODULE_PX * modules / px_per_mm
            raise Misfit("sticker_too_small", path, found=kind.sticker_mm, px=f"{px:.1f}",
                         least=f"{math.ceil(least * 10) / 10:g}")  # fmt: skip


def _told_apart(box: Box) -> None:
    seen: dict[tuple[object, ...], PieceKind] = {}
    for kind in box.kinds.values():
        if kind.back and kind.back not in box.kinds:
            raise Misfit("kind_unknown", ("kinds", kind.id, "back"), kind=kind.back,
                         hint=hint(kind.back, box.kinds))  # fmt: skip
        # A piece that is told by its back when it lies so needs a look of its own when it does not.
        if kind.stickers:
            continue
        look = (kind.shape, kind.size, kind.cells, kind.height, kind.colour.lower())
        if look in seen:
            path = ("kinds", kind.id, "colour")
            raise Misfit("kinds_alike", path, other=seen[look].id)
        seen[look] = kind


def _dice(box: Box) -> None:
    """Each face of a die can be read."""
    for kind in box.kinds.values():
        path: KeyPath = ("kinds", kind.id)
        if not kind.is_die:
            if kind.faces or kind.pips:
                raise Misfit("faces_of_no_die", (*path, "faces" if kind.faces else "pips"))
        elif kind.size[0] != kind.size[1]:
            raise Misfit("die_not_square", (*path, "size"))
        elif kind.stickers and len(kind.stickers) != len(kind.faces):
            raise Misfit("die_stickers", (*path, "stickers"), faces=len(kind.faces))
        elif not kind.stickers and kind.faces != FACES:
            raise Misfit("die_unread", (*path, "faces"))
        elif len({*kind.faces}) < len(kind.faces) or any(len(f.split()) != 1 for f in kind.faces):
            raise Misfit("faces_unfit", (*path, "faces"))
        elif _apart(kind.colour, kind.pips) < LEAST_APART:
            raise Misfit("pips_unseen", (*path, "pips"), colour=kind.colour)


def _apart(one: str, other: str) -> float:
    """The largest difference of red, green and blue, 0 to 255."""
    return max(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))


def _sites(box: Box, ids: Sequence[str]) -> None:
    groups = {kind.group for kind in box.kinds.values()}
    seen: set[str] = set()
    for place, name in enumerate(ids):
        if name in seen:
            raise Misfit("site_twice", ("site", place, "id"), site=name)
        seen.add(name)
    for place, site in enumerate(box.sites.values()):
        name, colour = site.id, site.colour
        if (site.radius > 0) == (site.size is not None):
            raise Misfit("radius_or_size", ("site", place))
        known = [*box.colours, *PLAYER_COLOURS]
        if colour and colour not in known and not re.fullmatch("#[0-9a-fA-F]{6}", colour):
            path: KeyPath = ("site", place, "colour")
            raise Misfit("colour_unknown", path, found=colour, hint=hint(colour, known))
        for number, group in enumerate(site.takes):
            if group not in groups:
                raise Misfit("group_unknown", ("site", place, "takes", number), group=group,
                             hint=hint(group, sorted(groups)))  # fmt: skip
        for number, other in enumerate(site.neighbours):
            path = ("site", place, "neighbours", number)
            if other not in box.sites:
                raise Misfit("site_unknown", path, site=other, hint=hint(other, box.sites))
            if name not in box.sites[other].neighbours and other not in site.one_way:
                raise Misfit("neighbour_one_sided", path, site=name, other=other)
        _room(box, site, ("site", place))
        for number, other in enumerate(site.one_way):
            if other not in site.neighbours or name in box.sites[other].neighbours:
                path = ("site", place, "one_way", number)
                raise Misfit("one_way_idle", path, site=name, other=other)
    taken = {group for site in box.sites.values() for group in site.takes}
    for kind in box.kinds.values():
        if box.sites and kind.group not in taken:
            raise Misfit("group_nowhere", ("kinds", kind.id, "group"), group=kind.group)


def _room(box: Box, site: Site, path: KeyPath) -> None:
    """As many pieces as are seen side by side in a heap have room there, of each kind."""
    if site.kind == TRAY and not any(kind.is_die for kind in box.kinds_at(site.id)):
        raise Misfit("tray_without_dice", (*path, "takes"))
    if not site.heap and site.kind != TRAY:
        return
    if 0 < site.heap < site.room:
        raise Misfit("heap_below_room", (*path, "heap"), room=site.room)
    for kind in box.kinds_at(site.id):
        if (most := room_for(site, kind.size)) < site.room:
            raise Misfit("room_too_large", (*path, "room"), kind=kind.id, most=most)


def _lattice(box: Box) -> None:
    """Pieces fit into its cells, and a turn can be told of those whose shape has as many."""
    lattice = box.lattice
    shape = "" if lattice is None else {6: "hexagon", 4: "box"}[lattice.turns]
    groups = () if lattice is None else lattice.takes
    for number, group in enumerate(groups):
        if group not in box.kinds_of_group:
            raise Misfit("group_unknown", ("lattice", "takes", number), group=group,
                         hint=hint(group, sorted(box.kinds_of_group)))  # fmt: skip
    for kind in box.kinds.values():
        if kind.turns and (kind.group not in groups or kind.shape != shape):
            raise Misfit("turns_without_lattice", ("kinds", kind.id, "turns"), shape=shape or "-")
        if lattice is not None and kind.group in groups and max(kind.size) > lattice.pitch:
            raise Misfit("kind_above_pitch", ("kinds", kind.id, "size"), most=lattice.pitch)
        if kind.cells:
            _cells(kind, lattice if kind.group in groups and kind.shape == shape else None)


def _cells(kind: PieceKind, lattice: Lattice | None) -> None:
    """A piece over several cells is as large as they are, and hangs together."""
    path: KeyPath = ("kinds", kind.id, "cells")
    if lattice is None:
        raise Misfit("cells_without_lattice", path)
    if kind.size != (lattice.pitch, lattice.pitch):
        raise Misfit("cells_size", ("kinds", kind.id, "size"), pitch=f"{lattice.pitch:g}")
    if (0, 0) not in kind.cells or len({*kind.cells}) < max(len(kind.cells), 2):
        raise Misfit("cells_unfit", path)
    if max(max(map(abs, cell)) for cell in kind.cells) > lattice.reach or len(rings_of(kind)) > 1:
        raise Misfit("cells_apart", path)


def _places(box: Box) -> None:
    """Printed sites lie on the board, and no piece on them hides a corner sticker."""
    for place, site in enumerate(box.sites.values()):
        if (site.drawn_radius or 0.0) > site.radius:
            raise Misfit("drawn_radius_unfit", ("site", place, "drawn_radius"))
        if not site.printed:
            continue
        path: KeyPath = ("lattice", "columns") if is_cell(box, site.id) else ("site", place, "at")
        reach = reach_of(site)
        if any(abs(c) + r > side / 2 + SLACK_MM
               for c, r, side in zip(site.at, reach, box.size, strict=True)):  # fmt: skip
            raise Misfit("site_off_board", path, size=[*box.size])
        for corner in stickers_on(site, box):
            if not corner.covers:
                raise Misfit("site_on_corner", path, corner=corner.id)


def _catchments(box: Box) -> None:
    """In every game a piece belongs to one site only."""
    places = {site: place for place, site in enumerate(box.sites)}
    for game in _games(box):
        # Nothing else may take on the open ground what the cells take there.
        for one, other in combinations(on_open_ground(box.for_game(game)).sites.values(), 2):
            shared = sorted(set(one.takes) & set(other.takes))
            if shared and (by := _overlap(one, other)) > SLACK_MM:
                path = ("site", places[other.id], "radius" if other.size is None else "size")
                raise Misfit("sites_overlap", path, site=other.id, other=one.id, by=f"{by:.1f}",
                             groups=shared)  # fmt: skip


def _games(box: Box) -> list[str]:
    """Ids of the games that sites name; of a game that none names if they name none."""
    named = {game for site in box.sites.values()
             for game in (*site.games, *(game for game, _ in site.otherwise))}  # fmt: skip
    return sorted(named) or [""]


def _overlap(one: Site, other: Site) -> float:
    """By how many mm the catchments of two sites reach into each other; below 0: apart."""
    gaps = [abs(a - b) for a, b in zip(one.at, other.at, strict=True)]
    if one.size is None and other.size is None:
        return one.radius + other.radius - math.hypot(*gaps)
    if one.size is not None and other.size is not None:
        pairs = zip(reach_of(one), reach_of(other), gaps, strict=True)
        return min(a + b - gap for a, b, gap in pairs)
    round_one, box_one = (one, other) if one.size is None else (other, one)
    beyond = [max(gap - r, 0.0) for gap, r in zip(gaps, reach_of(box_one), strict=True)]
    return round_one.radius - math.hypot(*beyond)


def _strokes(box: Box) -> None:
    modules = DICTIONARIES[box.dictionary][0] + 2
    for place, stroke in enumerate(box.strokes):
        for code, key in _stroke_faults(stroke):
            raise Misfit(code, ("stroke", place, key))
        for number, name in enumerate(stroke.sites):
            if name not in box.sites:
                path: KeyPath = ("stroke", place, "sites", number)
                raise Misfit("site_unknown", path, site=name, hint=hint(name, box.sites))
        for corner, by in crossed(stroke, box, modules):
            raise Misfit(
                "stroke_on_corner", ("stroke", place, "points"), corner=corner.id, by=f"{by:.1f}",
                half=f"{_sheet(corner, modules):g}", at=[*corner.at],
            )  # fmt: skip


def _stroke_faults(stroke: Stroke) -> Iterator[tuple[str, str]]:
    kind, points = stroke.kind, len(stroke.points)
    match kind:
        case "line":
            if points < 2:
                yield "line_points", "points"
        case "polygon":
            if points < 3:
                yield "polygon_points", "points"
        case _:
            if points != 1:
                yield "middle_points", "points"
    if kind != "polygon" and stroke.width <= 0:
        yield WIDTHS[kind], "width"
    if kind == "text" and not stroke.text.strip():
        yield "text_empty", "text"
