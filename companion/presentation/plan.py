"""Positions on the screen of everything on a board: millimetres of the box to px. Free of Kivy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import dist
from typing import NamedTuple

from companion.presentation.theme.silhouettes import FOOT, TALL, stands
from rules.box import Box, PieceKind, Site, Stroke, side_by_side
from rules.core import Item

Px = tuple[float, float]

_GLOW_REACH = 1.0
"""Distance from the middle of what glows within which a touch means it, in targets …"""
_RIGHT_ON = 0.45
"""… unless it is within this share of another site's half width."""


_LONG = ("bar", "arch")
"""Shapes of pieces that lie along a ring."""
_AT_A_GLANCE = 4
"""Most pieces of a heap whose number nobody has to count."""
_LEAST_RING = 8
"""Number of places of a kind that can be a ring."""


class Slot(NamedTuple):
    """A piece in the picture."""

    item: Item
    at: Px
    """Its middle, px."""
    scale: float
    """Its drawn size, in its own sizes."""
    turn: float
    """Degrees clockwise."""


@dataclass(frozen=True)
class Plan:
    """A box fitted into a rectangle; all lengths px unless said otherwise."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    margin: float
    beside: frozenset[str] = frozenset()
    """Places beside the board that are in use and must be shown too."""
    part: tuple[float, float, float, float] | None = None
    """Left, bottom, right, top in mm of what must be in the picture; None: all of the board."""

    @classmethod
    def in_mm(cls, box: Box, beside: frozenset[str] = frozenset()) -> Plan:
        """The plan on which a pixel is a millimetre of the box and the origins are the same."""
        left, bottom, right, top = _extent(box, beside)
        return cls(box, left, bottom, right - left, top - bottom, 0.0, beside)

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top in mm of what is in the picture."""
        return self.part or _extent(self.box, self.beside)

    @cached_property
    def px_per_mm(self) -> float:
        """Scale of the drawing."""
        left, bottom, right, top = self.extent
        wide, high = self.width - 2 * self.margin, self.height - 2 * self.margin
        return max(min(wide / (right - left), high / (top - bottom)), 0.01)

    def px(self, mm: tuple[float, float]) -> Px:
        """A point of the board on the screen."""
        left, bottom, right, top = self.extent
        s = self.px_per_mm
        return (
            self.x + self.width / 2 + (mm[0] - (left + right) / 2) * s,
            self.y + self.height / 2 + (mm[1] - (bottom + top) / 2) * s,
        )

    def shows(self, site: Site) -> bool:
        """True if the middle of a site is in the picture."""
        return self.has(site.at)

    def has(self, mm: tuple[float, float]) -> bool:
        """True if this point is in the picture."""
        left, bottom, right, top = self.extent
        return left <= mm[0] <= right and bottom <= mm[1] <= top

    def half(self, site: Site) -> tuple[float, float]:
        """Half the width and height of where pieces belong to a site."""
        s = self.px_per_mm
        if site.size is None:
            return site.radius * s, site.radius * s
        return site.size[0] * s / 2, site.size[1] * s / 2

    def site_at(
        self, at: Px, target: float, least: float, glowing: Mapping[str, Px] | None = None
    ) -> str | None:
        """The site nearest to a touch at ``at``, if a finger can mean it.

        Sites smaller than ``target`` reach beyond their rim by what they lack, and every site at
        least by ``least``. Of nested sites the smallest is meant. Where something is ``glowing`` it
        is meant by every touch that is not right on another site, and from further away; its light
        may stand beside the site.
        """
        best: tuple[float, float, float, str] | None = None
        for name, light in (glowing or {}).items():
            away, inside = self._away(name, at, light)
            near = (away, inside * 2, dist(light, at))
            if away <= max(target * _GLOW_REACH - inside, least) and (
                best is None or near < best[:3]
            ):
                best = (*near, name)
        other = self._nearest(at, target, least)
        if best is None or other is None:
            return other if best is None else best[3]
        # A light that gave way to another may lie on a site that is not meant.
        nearer = best[2] > dist(self.px(self.box.sites[other].at), at)
        return other if nearer and self._right_on(other, at) else best[3]

    def _nearest(self, at: Px, target: float, least: float) -> str | None:
        """The site nearest to a touch, whatever glows."""
        best: tuple[float, float, str] | None = None
        for site in self.box.sites.values():
            away, _inside = self._away(site.id, at, self.px(site.at))
            width, height = self.half(site)
            reach = max(target / 2 - min(width, height), least)
            if away <= reach and (best is None or (away, width * height) < best[:2]):
                best = (away, width * height, site.id)
        return None if best is None else best[2]

    def _away(self, name: str, at: Px, centre: Px) -> tuple[float, float]:
        """Distance of a point from the rim of a site around ``centre``, 0 inside, and half the
        site's smaller side."""
        site = self.box.sites[name]
        width, height = self.half(site)
        dx, dy = abs(at[0] - centre[0]), abs(at[1] - centre[1])
        if site.size is None:
            return max((dx * dx + dy * dy) ** 0.5 - width, 0.0), width
        out = (max(dx - width, 0.0), max(dy - height, 0.0))
        return (out[0] ** 2 + out[1] ** 2) ** 0.5, min(width, height)

    def _right_on(self, name: str, at: Px) -> bool:
        """True if a touch is so near the middle of a site that no other can be meant."""
        site = self.box.sites[name]
        centre, (width, height) = self.px(site.at), self.half(site)
        dx, dy = (at[0] - centre[0]) / width, (at[1] - centre[1]) / height
        return max(abs(dx), abs(dy)) <= _RIGHT_ON

    def slots(self, items: Iterable[Item]) -> list[Slot]:
        """Position of each visible piece: side by side, or stacked with a small offset."""
        by_site: dict[str, list[Item]] = {}
        for item in items:
            if item.site in self.box.sites and item.kind in self.box.kinds:
                by_site.setdefault(item.site, []).append(item)
        placed = []
        for name, there in by_site.items():
            site = self.box.sites[name]
            centre = self.px(site.at)
            levels: dict[int, list[Item]] = {}
            for item in sorted(self._in_sight(site, there), key=lambda i: (i.level, i.kind)):
                levels.setdefault(item.level, []).append(item)
            for level, beside in levels.items():
                kinds = [self.box.kinds[item.kind] for item in beside]
                thick = min(max(kinds[0].height, 0.5), 3.0)
                dy = min(level, 6) * thick * self.px_per_mm
                spots, fits = _spread(site, kinds)
                for item, kind, (x, y) in zip(beside, kinds, spots, strict=True):
                    at = (centre[0] + x * self.px_per_mm, centre[1] + y * self.px_per_mm + dy)
                    turn = ring_turn(self.box, site) if kind.shape in _LONG else 0.0
                    placed.append(Slot(item, at, fits or _bold(site, kind), turn))
        return placed

    def piles(self, items: Iterable[Item]) -> dict[str, int]:
        """Sites with more pieces than one sees at a glance, and how many: heaps, and piles of cards
        that are higher than they look."""
        there = Counter(item.site for item in items if self._is_piled(item))
        clear = {
            name: min(site.room, _AT_A_GLANCE) if site.heap else site.room
            for name, site in self.box.sites.items()
        }  # fmt: skip
        return {name: count for name, count in there.items() if count > clear[name]}

    def _in_sight(self, site: Site, there: list[Item]) -> list[Item]:
        """If the pieces of a pile have no room side by side, only those on top; of a heap some of
        each kind, with its uppermost."""
        piled = [item for item in there if self._is_piled(item)]
        if len(piled) <= (room := site.room):
            return there
        if site.heap:
            piled.sort(key=lambda item: (item.level, item.kind))
            shown = [piled[(n + 1) * len(piled) // room - 1] for n in range(room)]
        else:
            shown = ([item for item in piled if item.seen] or piled)[-room:]
        return [item for item in there if not self._is_piled(item)] + shown

    def _is_piled(self, item: Item) -> bool:
        """True for a card, and for a piece of a heap."""
        kind, site = self.box.kinds.get(item.kind), self.box.sites.get(item.site)
        return kind is not None and site is not None and bool(kind.shape == "card" or site.heap)


def _spread(site: Site, kinds: Sequence[PieceKind]) -> tuple[list[Px], float]:
    """Middles of pieces side by side, mm from that of their site, where it has room for them; and
    the size in which they are drawn, in their own sizes."""
    count = len(kinds)
    foot = (max(kind.size[0] for kind in kinds), max(kind.size[1] for kind in kinds))
    bold = max(_bold(site, kind) for kind in kinds)
    if site.size is None and not site.heap:
        step = site.radius * 1.6 / count
        return [((n - (count - 1) / 2) * step, 0.0) for n in range(count)], 0.0
    spots, fits = side_by_side(site, foot, count, bold if count > 1 else 1.0)
    return spots, fits if count > 1 or fits < 1 else 0.0


def _bold(site: Site, kind: PieceKind) -> float:
    """Pieces are drawn up to a third larger than they are, where their site has room: how much."""
    room = 2 * site.radius if site.size is None else min(site.size)
    if kind.is_die:
        return min(max(room * 0.7 / kind.size[0], 1.0), 2.5)
    if kind.shape in ("disc", "octagon", "pawn"):
        return min(max(room * 1.05 / max(kind.size), 1.0), 1.35)
    return 1.15 if kind.shape == "box" and room * 0.9 > max(kind.size) else 1.0


def inner_edge(box: Box, site: Site) -> float:
    """Distance of a place of a ring from the ring's middle where it begins, with all that is drawn
    for it, mm."""
    middle = rings(box)[site.kind]
    drawn = [
        math.dist(point, middle)
        for stroke in box.strokes if site.id in stroke.sites and not stroke.width
        for point in stroke.points
    ]  # fmt: skip
    return min(math.dist(site.at, middle) - site.radius, *drawn)


def ring_turn(box: Box, site: Site) -> float:
    """Degrees clockwise by which long pieces lie askew at a site of a ring: along it."""
    middle = rings(box).get(site.kind)
    if middle is None or site.size is not None:
        return 0.0
    return math.degrees(math.atan2(site.at[0] - middle[0], site.at[1] - middle[1]))


@lru_cache(maxsize=32)
def rings(box: Box) -> Mapping[str, Px]:
    """Middles of the rings that the sites of some kinds stand in."""
    kinds: dict[str, list[Site]] = {}
    for site in box.sites.values():
        kinds.setdefault(site.kind, []).append(site)
    found = {}
    for kind, sites in kinds.items():
        middle = tuple(sum(site.at[axis] for site in sites) / len(sites) for axis in (0, 1))
        away = [math.dist(site.at, middle) for site in sites]
        if len(sites) >= _LEAST_RING and max(away) - min(away) < max(away) * 0.02:
            found[kind] = (middle[0], middle[1])
    return found


def owner_of(stroke: Stroke, box: Box, holders: Mapping[str, Item]) -> Item | None:
    """The owned piece at the end of a line, if its last site is the place for one.

    That is: of another kind than the sites before it. ``holders``: an owned item per site.
    """
    # Lines of the board may lead past sites that this game does not use.
    kinds = [box.sites[name].kind if name in box.sites else "" for name in stroke.sites]
    if len(kinds) < 2 or kinds[-1] in kinds[:-1]:
        return None
    return holders.get(stroke.sites[-1])


def belongs(of: Site | Stroke) -> bool:
    """False for ornaments: lines and words of the drawing that belong to no place."""
    return isinstance(of, Site) or bool(of.sites) or of.kind in ("polygon", "circle")


_PAD = 0.014
"""Room around the board, as a share of its larger side."""
_EXTENTS: dict[tuple[int, frozenset[str]], tuple[Box, tuple[float, float, float, float]]] = {}


def _extent(box: Box, beside: frozenset[str]) -> tuple[float, float, float, float]:
    """Left, bottom, right, top in mm of everything that is drawn, with what may stand there."""
    known = _EXTENTS.get((id(box), beside))
    if known is not None:
        return known[1]
    xs: list[float] = []
    ys: list[float] = []
    for site in box.sites.values():
        if not site.printed and not (site.id in beside and box.is_beside_board(site)):
            continue
        width, height = (site.radius * 2, site.radius * 2) if site.size is None else site.size
        xs += [site.at[0] - width / 2, site.at[0] + width / 2]
        standing = (kind for kind in box.kinds_at(site.id) if stands(kind, "standing"))
        rise = max((kind.size[0] * _bold(site, kind) for kind in standing), default=0.0)
        ys += [site.at[1] - height / 2, site.at[1] + max(height / 2, rise * (FOOT + TALL / 2))]
    for stroke in filter(belongs, box.strokes):
        reach = stroke.width if stroke.kind == "circle" else stroke.width / 2
        for x, y in stroke.points:
            xs += [x - reach, x + reach]
            ys += [y - reach, y + reach]
    extent = (min(xs), min(ys), max(xs), max(ys)) if xs else (-100.0, -100.0, 100.0, 100.0)
    pad = max(extent[2] - extent[0], extent[3] - extent[1]) * _PAD
    extent = (extent[0] - pad, extent[1] - pad, extent[2] + pad, extent[3] + pad)
    _EXTENTS[id(box), beside] = (box, extent)
    return extent


# -- lights of live places, apart enough for a finger ------------------------------------------


_ROUNDS = 60
_MOST_PAIRS = 12
"""Number of pairs of places that are too close from which on there is no room between them all."""
_TIMES = (1.5, 4.5)
"""The least and the most by which a part of the board is enlarged."""
_SLACK = 0.5
"""Difference below which two lights are far enough apart, px."""


def lights(
    plan: Plan, live: Iterable[str], held: Collection[str], apart: float
) -> dict[str, Px]:  # fmt: skip
    """The middle of each live place's light. Round places closer to each other than ``apart`` give
    way, each by half of that at most, so that its light still lies on it; where there is no room
    for that all stay where they are, as do those that are ``held``."""
    own = {name: plan.px(plan.box.sites[name].at) for name in sorted(live)}
    free = {
        name: _on_glass(plan, at, apart / 2)
        for name, at in own.items()
        if plan.box.sites[name].size is None and name not in held
    }
    start = {**own, **free}
    return _moved_apart(plan, start, own, frozenset(free), apart) or own


def too_close(spots: Mapping[str, Px], name: str | None, apart: float) -> bool:
    """True if a finger on the light of this place might mean another one."""
    if name is None or name not in spots:
        return False
    at = spots[name]
    return any(o != name and dist(at, other) < apart - _SLACK for o, other in spots.items())


def room_between(spots: Collection[Px]) -> float:
    """Distance of the two lights that are closest to each other; infinite if there is only one."""
    return min((dist(*pair) for pair in combinations(spots, 2)), default=float("inf"))


def part_around(
    plan: Plan, spots: Mapping[str, Px], at: Px, apart: float, together: Collection[Px] = ()
) -> tuple[float, float, float, float]:
    """Left, bottom, right, top in mm of the part of the board around ``at`` that is to be shown in
    place of it, so that a finger can tell the lights there from each other. All the lights that are
    used ``together`` are in it, if there is room."""
    near = [
        spot for spot in spots.values()
        if any(dist(spot, one) < 2 * apart for one in (at, *together))
    ]  # fmt: skip
    times = _times(near, apart)
    whole = _part_of_all(plan, together, times, apart) if together else None
    return whole or _part(plan, at, times)


def part_with(
    plan: Plan, spots: Collection[Px], apart: float
) -> tuple[float, float, float, float] | None:
    """Left, bottom, right, top in mm of the part of the board that shows all of these lights so
    large that a finger can tell them from each other; None if none does."""
    return _part_of_all(plan, spots, _times(spots, apart), apart)


def _part_of_all(
    plan: Plan, spots: Collection[Px], times: float, apart: float
) -> tuple[float, float, float, float] | None:
    """The part that shows all of these lights enlarged this often; None if there is no room."""
    sides = [(min(axis), max(axis)) for axis in zip(*spots, strict=True)]
    room = [long - 2 * (plan.margin + apart) for long in (plan.width, plan.height)]
    most = min(r / max(high - low, 1.0) for r, (low, high) in zip(room, sides, strict=True))
    if times > most:
        return None
    return _part(plan, (sum(sides[0]) / 2, sum(sides[1]) / 2), times)


def _times(spots: Collection[Px], apart: float) -> float:
    """The factor by which these lights are enlarged, so that a finger can tell them apart."""
    return min(max(1.05 * apart / max(room_between(spots), 1.0), _TIMES[0]), _TIMES[1])


def _part(plan: Plan, at: Px, times: float) -> tuple[float, float, float, float]:
    """Left, bottom, right, top in mm of what is shown around a point if that is enlarged."""
    left, bottom, right, top = plan.extent
    scale = plan.px_per_mm
    middle = (plan.x + plan.width / 2, plan.y + plan.height / 2)
    found = []
    for axis, (low, high, long) in enumerate(
        ((left, right, plan.width), (bottom, top, plan.height))
    ):
        # The margin is not enlarged.
        half = (long - 2 * plan.margin) / scale / times / 2
        mm = (low + high) / 2 + (at[axis] - middle[axis]) / scale
        reach = max((high - low) / 2 - half, 0.0)
        centre = (low + high) / 2
        mm = min(max(mm, centre - reach), centre + reach)
        found.append((mm - half, mm + half))
    return (found[0][0], found[1][0], found[0][1], found[1][1])


def _on_glass(plan: Plan, at: Px, reach: float) -> Px:
    """The point nearest to ``at`` around which a light is wholly on the board's part of the
    glass."""
    return (
        min(max(at[0], plan.x + reach), max(plan.x + plan.width - reach, plan.x + reach)),
        min(max(at[1], plan.y + reach), max(plan.y + plan.height - reach, plan.y + reach)),
    )


def _moved_apart(
    plan: Plan, start: dict[str, Px], own: Mapping[str, Px], free: frozenset[str], apart: float
) -> dict[str, Px] | None:
    """The lights moved until each pair is ``apart``; None if that does not come to an end."""
    pairs = [(a, b) for a, b in combinations(start, 2) if dist(start[a], start[b]) < 2 * apart]
    if sum(dist(start[a], start[b]) < apart - _SLACK for a, b in pairs) > _MOST_PAIRS:
        return None
    spots = dict(start)
    for _ in range(_ROUNDS):
        crowded = False
        for a, b in pairs:
            far = dist(spots[a], spots[b])
            if far >= apart - _SLACK:
                continue
            crowded = True
            giving = [name for name in (a, b) if name in free]
            way = _way(spots[a], spots[b], far)
            for name in giving:
                by = (apart - far) / len(giving) * (-1 if name == a else 1)
                x, y = spots[name]
                spot = _within(own[name], (x + way[0] * by, y + way[1] * by), apart / 2)
                spots[name] = _on_glass(plan, spot, apart / 2)
        if not crowded:
            return spots
    return None


def _way(one: Px, other: Px, far: float) -> Px:
    """From one point to another, of length 1; any way if they are the same."""
    if far < _SLACK:
        return (1.0, 0.0)
    return ((other[0] - one[0]) / far, (other[1] - one[1]) / far)


def _within(middle: Px, at: Px, reach: float) -> Px:
    """The point nearest to ``at`` no further than ``reach`` from ``middle``."""
    far = dist(middle, at)
    if far <= reach:
        return at
    part = reach / far
    return (middle[0] + (at[0] - middle[0]) * part, middle[1] + (at[1] - middle[1]) * part)
