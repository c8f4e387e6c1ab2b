"""Mapping the fields of your own board: the layout of a box, moved until it lies on the picture.

First all of it is moved, turned and scaled, then single fields. Nothing here knows cameras or
screens; the touchscreen and ``heelstone board`` both use it.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.box import Box, Point, is_cell
from rules.box.checks import stickers_on
from rules.box.override import (
    SAME_MM,
    BoxOverride,
    SitePlace,
    moved_corner,
    overridden,
    similarity,
)
from rules.errors import Sentence

MOST_STEPS = 200
"""Maximum number of steps that can be taken back."""
OVERLAP = 0.75
"""Share of the room of two fields to which they may come near, unless they are printed nearer."""
STRETCH = 2.0
"""Ratio of neighbours' distance to the printed one, scaled, from which it is worth a remark."""
WITHIN = 0.85
"""Share of a board's width between its outermost fields, roughly."""
LEAST_SCALE, MOST_SCALE = 0.1, 10.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a layout: a key of ``text/board.*.toml`` and the fields meant."""

    code: str
    """``outside``, ``beside``, ``overlap``, ``stretched`` or ``below_sticker``."""
    sites: tuple[str, ...]
    blocks: bool
    """True if it keeps the layout from being saved."""
    reason: Sentence | None = None
    """Further explanation by the rules."""


@dataclass(frozen=True)
class _Layout:
    corners: Dict[int, Point]
    size: Point
    places: Dict[str, SitePlace]
    outline: tuple[Point, ...] = ()


class Mapping:
    """The sites of ``box`` on a board that is not the printed one; with undo."""

    def __init__(self, box: Box, begin: Box | None = None, game: str = "") -> None:
        """``box``: as it is printed, with the sites of all its games; ``begin``: the same with an
        earlier mapping laid over it. ``game``: whose sites are shown and judged; empty: all."""
        self.box = box
        shown = box.for_game(game).sites if game else box.sites
        # Cells of a lattice lie nowhere.
        self.shown = tuple(site for site in shown if not is_cell(box, site))
        """The sites that are shown; those of other games of the box go with them."""
        from_box = begin or box
        self._now = _Layout(
            {corner.id: corner.at for corner in from_box.corners},
            from_box.size,
            {site.id: SitePlace.of(site) for site in from_box.sites.values()},
            from_box.outline,
        )
        self._undo: list[_Layout] = []
        self._redo: list[_Layout] = []
        self._held: _Layout | None = None
        self._laid: tuple[_Layout, Box] | None = None
        self._saved = self._now

    # -- what there is ----------------------------------------------------------------------

    @property
    def places(self) -> Dict[str, SitePlace]:
        """Place of every site now."""
        return self._now.places

    @property
    def override(self) -> BoxOverride:
        """The board as it is saved."""
        now = self._now
        return BoxOverride(
            self.box.id, now.size, dict(now.corners), dict(now.places), outline=now.outline
        )

    @property
    def outline(self) -> tuple[Point, ...]:
        """The board's corners, mm, clockwise from the upper left; empty: all is board."""
        return self._now.outline

    @property
    def laid(self) -> Box:
        """The box as it is mapped now; raises BoxError if no board could have its corners there,
        or a field lies beside it."""
        if self._laid is None or self._laid[0] is not self._now:
            self._laid = (self._now, overridden(self.box, self.override))
        return self._laid[1]

    @property
    def turn_and_scale(self) -> tuple[float, float]:
        """Degrees (anticlockwise) and factor of the whole layout relative to the printed one."""
        turn, _shift = self._whole()
        return math.degrees(cmath.phase(turn)), abs(turn)

    @property
    def changed(self) -> bool:
        """True if something has been moved since it was saved."""
        return self._now is not self._saved

    @property
    def can_undo(self) -> bool:
        """True if there is a step to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """True if a step that was taken back can be made again."""
        return bool(self._redo)

    def site_at(self, at: Point, reach: float) -> str | None:
        """The site whose middle is nearest to ``at`` (mm), at most ``reach`` mm beyond its rim."""
        best: tuple[float, str] | None = None
        for name in self.shown:
            place = self.places[name]
            dx, dy = abs(at[0] - place.at[0]), abs(at[1] - place.at[1])
            away = math.hypot(dx, dy)
            inside = away <= place.radius + reach
            if place.size is not None:
                inside = dx <= place.size[0] / 2 + reach and dy <= place.size[1] / 2 + reach
            if inside and (best is None or away < best[0]):
                best = (away, name)
        return None if best is None else best[1]

    def faults(self) -> list[Fault]:
        """Faults of the layout now, those that block first."""
        return sorted(
            [
                *self._outside(),
                *self._beside(),
                *self._overlaps(),
                *self._stretched(),
                *self._below_stickers(),
            ],
            key=lambda fault: not fault.blocks,
        )

    # -- one gesture ------------------------------------------------------------------------

    def grip(self) -> None:
        """A gesture begins: what follows is one step, measured from here, until ``release``."""
        self._held = self._now

    def release(self) -> None:
        """The gesture is over; if it changed nothing it is not a step."""
        held, self._held = self._held, None
        if held is not None and held is not self._now:
            self._undo = [*self._undo[-MOST_STEPS + 1 :], held]
            self._redo.clear()

    def transform(
        self, move: Point = (0.0, 0.0), turn_deg: float = 0.0, scale: float = 1.0,
        about: Point | None = None,
    ) -> None:  # fmt: skip
        """Turn and scale all sites about a point (mm; None: the middle of them), then move them."""
        base = self._held or self._now
        middle = complex(*(about or self._middle(base)))
        factor = min(max(scale, LEAST_SCALE), MOST_SCALE) * cmath.exp(1j * math.radians(turn_deg))
        self._set({n: _turned(p, factor, middle, complex(*move)) for n, p in base.places.items()})

    def move_site(self, site: str, to: Point) -> None:
        """Lay one site elsewhere, mm. Raises KeyError if there is none with that id."""
        base = self._held or self._now
        moved = {s: replace(base.places[s], at=(to[0], to[1])) for s in self._twins(site)}
        self._set({**base.places, **moved})

    def scale_site(self, site: str, factor: float) -> None:
        """Make one site larger or smaller. Raises KeyError."""
        base = self._held or self._now
        place = base.places[site]
        size = None if place.size is None else (place.size[0] * factor, place.size[1] * factor)
        self._set({**base.places, site: replace(place, radius=place.radius * factor, size=size)})

    def set_outline(self, outline: Sequence[Point]) -> None:
        """These are the board's corners, mm; none: all between the stickers is board."""
        base = self._held or self._now
        if tuple(outline) != self._now.outline:
            self._now = replace(base, outline=tuple(outline))

    def fill_outline(self) -> None:
        """Lay all sites into the outline, as large as they are about printed, if one is beside
        it: they were only guessed then."""
        if not self._beside():
            return
        about, move, scale = into_outline(
            [self.places[name].at for name in self._printed], self.outline
        )
        self.transform(move, scale=scale, about=about)

    def move_outline(self, number: int, to: Point) -> None:
        """Lay one corner of the outline elsewhere, mm, as far as the picture reaches and the board
        keeps its shape. Raises IndexError if there is no such corner."""
        self.set_outline(moved_corner(self.outline, number, to, self._now.size))

    def use_corners(self, board: Box) -> None:
        """Take corner stickers and board size from ``board``; the layout goes with them.

        The layout keeps its place among the stickers, so that a board of another size begins with
        every field about right.
        """
        base = self._held or self._now
        corners = {corner.id: corner.at for corner in board.corners}
        old = [base.corners[i] for i in corners]
        turn, shift = similarity(old, list(corners.values()))
        places = {n: _turned(p, turn, 0j, shift) for n, p in base.places.items()}
        outline = [turn * complex(*at) + shift for at in base.outline]
        self._now = _Layout(
            corners, board.size, places, tuple((at.real, at.imag) for at in outline)
        )

    def scale_corners(self, across_mm: float) -> None:
        """Say how far apart the upper two stickers are, middle to middle: all is scaled by it."""
        base = self._held or self._now
        first, second = list(base.corners.values())[:2]
        factor = across_mm / math.dist(first, second)
        grown = complex(factor, 0)
        self._now = _Layout(
            {i: (x * factor, y * factor) for i, (x, y) in base.corners.items()},
            (base.size[0] * factor, base.size[1] * factor),
            {n: _turned(p, grown, 0j, 0j) for n, p in base.places.items()},
            tuple((x * factor, y * factor) for x, y in base.outline),
        )

    @property
    def across_mm(self) -> float:
        """Distance between the middles of the upper two stickers, mm."""
        first, second = list(self._now.corners.values())[:2]
        return math.dist(first, second)

    # -- steps ------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        if self._undo:
            self._redo.append(self._now)
            self._now = self._undo.pop()

    def redo(self) -> None:
        """Make the step again that was taken back last."""
        if self._redo:
            self._undo.append(self._now)
            self._now = self._redo.pop()

    def saved(self) -> None:
        """Notes that the present layout has been saved."""
        self._saved = self._now

    # -- private ----------------------------------------------------------------------------

    def _set(self, places: Dict[str, SitePlace]) -> None:
        if places != self._now.places:
            self._now = replace(self._now, places=places)

    def _twins(self, site: str) -> list[str]:
        """The site, and those of other games that are printed at the same spot."""
        at = self.box.sites[site].at
        return [s.id for s in self.box.sites.values() if math.dist(s.at, at) < SAME_MM]

    @property
    def _printed(self) -> list[str]:
        return [name for name in self.shown if self.box.sites[name].printed]

    def _middle(self, layout: _Layout) -> Point:
        at = [layout.places[name].at for name in self._printed or self.shown]
        return (
            (min(x for x, _ in at) + max(x for x, _ in at)) / 2,
            (min(y for _, y in at) + max(y for _, y in at)) / 2,
        )

    def _whole(self) -> tuple[complex, complex]:
        printed = [self.box.sites[name] for name in self._printed]
        return similarity([s.at for s in printed], [self.places[s.id].at for s in printed])

    def _outside(self) -> list[Fault]:
        wide, high = self._now.size[0] / 2, self._now.size[1] / 2
        beyond = [
            name for name in self._printed
            if abs(self.places[name].at[0]) > wide or abs(self.places[name].at[1]) > high
        ]  # fmt: skip
        return [Fault("outside", tuple(beyond), True)] if beyond else []

    def _beside(self) -> list[Fault]:
        if not self.outline:
            return []
        board = replace(self.box, outline=self.outline)
        beyond = [name for name in self._printed if not board.is_on_board(self.places[name].at)]
        return [Fault("beside", tuple(beyond), True)] if beyond else []

    def _below_stickers(self) -> list[Fault]:
        """The fields on which a corner sticker lies: whatever happens there is not seen."""
        corners = tuple(replace(c, at=self._now.corners.get(c.id, c.at)) for c in self.box.corners)
        laid, below = replace(self.box, corners=corners), []
        for name in self._printed:
            place, site = self.places[name], self.box.sites[name]
            if stickers_on(replace(site, at=place.at, radius=place.radius, size=place.size), laid):
                below.append(name)
        return [Fault("below_sticker", tuple(below), False)] if below else []

    def _overlaps(self) -> list[Fault]:
        _degrees, scale = self.turn_and_scale
        names = self._printed
        found = []
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                a, b = self.places[one], self.places[other]
                need = OVERLAP * (_reach(a) + _reach(b))
                away = math.dist(a.at, b.at)
                # Places of different games may share one spot.
                printed = math.dist(self.box.sites[one].at, self.box.sites[other].at) * scale
                if away < min(need, printed * 0.9) and _touch(a, b):
                    found.append(Fault("overlap", (one, other), True))
        return found

    def _stretched(self) -> list[Fault]:
        _degrees, scale = self.turn_and_scale
        far: dict[str, int] = {}
        for site in (self.box.sites[name] for name in self.shown):
            for other in site.neighbours:
                if other not in self.shown:
                    continue
                printed = math.dist(site.at, self.box.sites[other].at) * scale
                now = math.dist(self.places[site.id].at, self.places[other].at)
                if printed > 0 and not 1 / STRETCH <= now / printed <= STRETCH:
                    far[site.id] = far.get(site.id, 0) + 1
        # The one that strayed is odd to all its neighbours, each of those only to it.
        worst = max(far.values(), default=0)
        sites = tuple(name for name, count in far.items() if count == worst)
        return [Fault("stretched", sites, False)] if sites else []


def into_outline(at: Sequence[Point], outline: Sequence[Point]) -> tuple[Point, Point, float]:
    """Scaling and shift that bring points (mm) within an outline.

    Returns that point, its move in mm, and the scale.
    """
    (low, high), (lower, upper) = _extent(at), _extent(outline)
    about = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    to = ((lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2)
    sizes = zip(low, high, lower, upper, strict=True)
    scale = WITHIN * min((d - c) / max(b - a, 1.0) for a, b, c, d in sizes)
    return about, (to[0] - about[0], to[1] - about[1]), scale


def _extent(at: Sequence[Point]) -> tuple[Point, Point]:
    """Lowest and highest x and y."""
    xs, ys = [x for x, _ in at], [y for _, y in at]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _turned(place: SitePlace, factor: complex, about: complex, move: complex) -> SitePlace:
    there = about + factor * (complex(*place.at) - about) + move
    grown = abs(factor)
    size = place.size
    if size is not None:
        # Rectangles lie square to the board; turned by more than 45° they lie across.
        across = abs(math.sin(cmath.phase(factor))) > math.sqrt(0.5)
        wide, high = reversed(size) if across else size
        size = (wide * grown, high * grown)
    return SitePlace((there.real, there.imag), place.radius * grown, size)


def _reach(place: SitePlace) -> float:
    return place.radius if place.size is None else min(place.size) / 2


def _touch(a: SitePlace, b: SitePlace) -> bool:
    """True if the rectangles around both places overlap at all."""
    aw, ah = (a.radius, a.radius) if a.size is None else (a.size[0] / 2, a.size[1] / 2)
    bw, bh = (b.radius, b.radius) if b.size is None else (b.size[0] / 2, b.size[1] / 2)
    return abs(a.at[0] - b.at[0]) < aw + bw and abs(a.at[1] - b.at[1]) < ah + bh
