"""What must be true of a box file beyond its single values.

Each check raises a BoxError that names file, line and key, and says what to do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from rules.box.box import Box, Corner, PieceKind, Site
from rules.box.clearance import crossed
from rules.box.entry import Entry
from rules.box.keys import PLAYER_COLOURS
from rules.near import hint
from rules.texts import AUTHORED

__all__ = ["LEAST_MODULE_PX", "PICTURE_PX", "Parts", "check_box", "reach_of"]

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
"""Fewer pixels per module of a sticker are not read for sure; vision gives up at 2."""
WIDTHS = {"line": "line_width", "circle": "circle_width", "text": "text_width"}
"""What to say of a stroke without a width."""
SLACK_MM = 0.05
"""Millimetres in files are rounded."""


@dataclass(frozen=True)
class Parts:
    """The tables of a box file, by which complaints name what they are about."""

    file: Entry
    box: Entry
    corners: list[Entry]
    sites: list[Entry]
    kinds: dict[str, Entry]
    strokes: list[Entry]


def check_box(box: Box, parts: Parts) -> None:
    """Raises BoxError for the first thing that does not fit."""
    _names(parts)
    _corners(box, parts)
    _stickers(box, parts)
    _told_apart(box, parts)
    _sites(box, parts)
    _places(box, parts)
    _catchments(box, parts)
    _strokes(parts, box)


def reach_of(site: Site) -> tuple[float, float]:
    """Half of width and height in mm of where pieces belong to a site."""
    w, h = site.size or (2 * site.radius, 2 * site.radius)
    return w / 2, h / 2


# -- private ------------------------------------------------------------------------------


def _names(parts: Parts) -> None:
    names = parts.box["names"]
    for lang in AUTHORED:
        if not str(names.get(lang, "")).strip():
            raise parts.box.wrong("box_unnamed", "names", language=lang)


def _sheet(corner: Corner, modules: int) -> float:
    """Half the side of a sticker with its white rim, mm."""
    return corner.size / 2 * (modules + 2) / modules


def _corners(box: Box, parts: Parts) -> None:
    if len(box.corners) < 4:
        raise parts.file.wrong("corners_few", "corner", found=len(box.corners))
    if box.dictionary not in DICTIONARIES:
        raise parts.box.wrong("dictionary_unknown", "dictionary", found=box.dictionary,
                              hint=hint(box.dictionary, DICTIONARIES))  # fmt: skip
    modules = DICTIONARIES[box.dictionary][0] + 2
    middles = [complex(*corner.at) for corner in box.corners]
    for corner, entry in zip(box.corners, parts.corners, strict=True):
        half = _sheet(corner, modules)
        if any(abs(c) + half > side / 2 for c, side in zip(corner.at, box.size, strict=True)):
            raise entry.wrong("corner_off_board", "at", size=[*box.size], side=f"{2 * half:g}")
    turns = [
        ((b - a).conjugate() * (c - b)).imag
        for a, b, c in zip(middles, middles[1:] + middles[:1], middles[2:] + middles[:2],
                           strict=True)
    ]  # fmt: skip
    if not all(turn < 0 for turn in turns):
        raise parts.file.wrong("corners_not_around", "corner")


def _stickers(box: Box, parts: Parts) -> None:
    side, count = DICTIONARIES[box.dictionary]
    modules = side + 2
    used: dict[int, str] = {}
    for corner, entry in zip(box.corners, parts.corners, strict=True):
        if corner.id in used:
            raise entry.wrong("corners_alike", "id", sticker=corner.id)
        if corner.id >= count:
            raise entry.wrong("sticker_not_there", "id", found=corner.id, last=count - 1,
                              dictionary=box.dictionary)  # fmt: skip
        used[corner.id] = ""
    px_per_mm = min(px / mm for px, mm in zip(PICTURE_PX, box.size, strict=True))
    for kind in box.kinds.values():
        entry = parts.kinds[kind.id]
        for key in ("stickers", "lying_stickers"):
            for number, sticker in enumerate(entry[key]):
                if sticker in used and not used[sticker]:
                    raise entry.wrong("sticker_on_corner", key, number, sticker=sticker)
                if sticker in used:
                    raise entry.wrong(
                        "sticker_twice", key, number, sticker=sticker, other=used[sticker]
                    )
                if sticker >= count:
                    raise entry.wrong("sticker_not_there", key, number, found=sticker,
                                      last=count - 1, dictionary=box.dictionary)  # fmt: skip
                used[sticker] = kind.id
        if not kind.stickers and not kind.lying_stickers:
            continue
        if kind.sticker_mm <= 0:
            raise entry.wrong("sticker_size_missing", "sticker_mm")
        if kind.sticker_mm * (modules + 2) / modules > min(kind.size) + SLACK_MM:
            raise entry.wrong(
                "sticker_too_large", "sticker_mm", found=kind.sticker_mm, width=min(kind.size),
                most=f"{math.floor(min(kind.size) * modules / (modules + 2) * 10) / 10:g}",
            )  # fmt: skip
        px = kind.sticker_mm / modules * px_per_mm
        if px < LEAST_MODULE_PX:
            least = LEAST_MODULE_PX * modules / px_per_mm
            raise entry.wrong("sticker_too_small", "sticker_mm", found=kind.sticker_mm,
                              px=f"{px:.1f}", least=f"{math.ceil(least * 10) / 10:g}")  # fmt: skip


def _told_apart(box: Box, parts: Parts) -> None:
    seen: dict[tuple[object, ...], PieceKind] = {}
    for kind in box.kinds.values():
        if kind.back and kind.back not in box.kinds:
            raise parts.kinds[kind.id].wrong("kind_unknown", "back", kind=kind.back,
                                                hint=hint(kind.back, box.kinds))  # fmt: skip
        # A piece that is told by its back when it lies so needs a look of its own when it does not.
        if kind.stickers:
            continue
        look = (kind.shape, kind.size, kind.height, kind.colour.lower())
        if look in seen:
            raise parts.kinds[kind.id].wrong("kinds_alike", "colour", other=seen[look].id)
        seen[look] = kind


def _sites(box: Box, parts: Parts) -> None:
    groups = {kind.group for kind in box.kinds.values()}
    seen: set[str] = set()
    for entry in parts.sites:
        if entry["id"] in seen:
            raise entry.wrong("site_twice", "id", site=entry["id"])
        seen.add(entry["id"])
    for entry in parts.sites:
        name = entry["id"]
        colour = entry["colour"]
        known = [*box.colours, *PLAYER_COLOURS]
        if colour and colour not in known and not re.fullmatch("#[0-9a-fA-F]{6}", colour):
            raise entry.wrong("colour_unknown", "colour", found=colour, hint=hint(colour, known))
        for number, group in enumerate(entry["takes"]):
            if group not in groups:
                raise entry.wrong("group_unknown", "takes", number, group=group,
                                  hint=hint(group, sorted(groups)))  # fmt: skip
        for number, other in enumerate(entry["neighbours"]):
            if other not in box.sites:
                raise entry.wrong("site_unknown", "neighbours", number, site=other,
                                  hint=hint(other, box.sites))  # fmt: skip
            back = box.sites[other].neighbours
            if name not in back and other not in entry["one_way"]:
                raise entry.wrong(
                    "neighbour_one_sided", "neighbours", number, site=name, other=other
                )
        for number, other in enumerate(entry["one_way"]):
            if other not in entry["neighbours"] or name in box.sites[other].neighbours:
                raise entry.wrong("one_way_idle", "one_way", number, site=name, other=other)
    taken = {group for site in box.sites.values() for group in site.takes}
    for kind in box.kinds.values():
        if box.sites and kind.group not in taken:
            raise parts.kinds[kind.id].wrong("group_nowhere", "group", group=kind.group)


def _places(box: Box, parts: Parts) -> None:
    """Printed sites lie on the board, and no piece on them hides a corner sticker."""
    modules = DICTIONARIES[box.dictionary][0] + 2
    for entry in parts.sites:
        site = box.sites[entry["id"]]
        if site.drawn_radius is not None and (site.size or site.drawn_radius > site.radius):
            raise entry.wrong("drawn_radius_unfit", "drawn_radius")
        if not site.printed:
            continue
        reach = reach_of(site)
        if any(abs(c) + r > side / 2 + SLACK_MM
               for c, r, side in zip(site.at, reach, box.size, strict=True)):  # fmt: skip
            raise entry.wrong("site_off_board", "at", size=[*box.size])
        for corner in box.corners:
            half = _sheet(corner, modules)
            if all(abs(a - b) < r + half - SLACK_MM
                   for a, b, r in zip(site.at, corner.at, reach, strict=True)):  # fmt: skip
                raise entry.wrong("site_on_corner", "at", corner=corner.id)


def _catchments(box: Box, parts: Parts) -> None:
    """In every game a piece belongs to one site only."""
    entries = {entry["id"]: entry for entry in parts.sites}
    for game in _games(box):
        for one, other in combinations(box.for_game(game).sites.values(), 2):
            shared = sorted(set(one.takes) & set(other.takes))
            if shared and (by := _overlap(one, other)) > SLACK_MM:
                entry = entries[other.id]
                key = "radius" if other.size is None else "size"
                raise entry.wrong("sites_overlap", key, site=other.id, other=one.id,
                                  by=f"{by:.1f}", groups=shared)  # fmt: skip


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


def _strokes(parts: Parts, box: Box) -> None:
    modules = DICTIONARIES[box.dictionary][0] + 2
    for entry, stroke in zip(parts.strokes, box.strokes, strict=True):
        for code, key in _stroke_faults(entry):
            raise entry.wrong(code, key)
        for number, name in enumerate(entry["sites"]):
            if name not in box.sites:
                raise entry.wrong("site_unknown", "sites", number, site=name,
                                  hint=hint(name, box.sites))  # fmt: skip
        for corner, by in crossed(stroke, box, modules):
            raise entry.wrong(
                "stroke_on_corner", "points", corner=corner.id, by=f"{by:.1f}",
                half=f"{_sheet(corner, modules):g}", at=[*corner.at],
            )  # fmt: skip


def _stroke_faults(entry: Entry) -> Iterator[tuple[str, str]]:
    kind, points = entry["kind"], len(entry["points"])
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
    if kind != "polygon" and entry["width"] <= 0:
        yield WIDTHS[kind], "width"
    if kind == "text" and not entry["text"].strip():
        yield "text_empty", "text"
