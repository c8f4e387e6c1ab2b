"""The board, drawn from its box file, with pieces and marks; tells which site was touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from kivy.clock import Clock
from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.scene import Scene
from companion.ui.style import style
from companion.ui.widgets.ink import dashed_ring, ring_reach
from companion.ui.widgets.pieces import draw_piece, draw_text
from hardware.rhythm import Rhythm, level
from rules.box import Box, PieceKind, Site, Stroke
from rules.core import Item

__all__ = ["Board", "owner_of"]

_FRAME_S = 1 / 20
"""Signals are redrawn this often."""

Px = tuple[float, float]


class Board(Widget):  # type: ignore[misc]
    """Draws a ``Scene``, scaled to fit; ``on_site`` hears of touches."""

    def __init__(self, on_site: Callable[[str], None] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scene: Scene | None = None
        self._on_site = on_site
        self._base, self._pieces = InstructionGroup(), InstructionGroup()
        self._moving, self._marks = InstructionGroup(), InstructionGroup()
        for group in (self._base, self._pieces, self._moving, self._marks):
            self.canvas.add(group)
        self._pulses: list[tuple[Any, float, Rhythm]] = []
        self._pulse_clock: Any = None
        self._pulse_s = 0.0
        self._motion_clock: Any = None
        self._motion_s = 0.0
        self._ways: list[tuple[Item, Px | None, Px | None]] = []
        """Pieces under way: from, to (px); None: appears, goes."""
        self._touched: dict[int, str] = {}
        self.bind(pos=self._redraw, size=self._redraw)
        style.bind(name=self._redraw)

    # -- showing --------------------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Draw ``scene``; pieces that changed move there."""
        before, self.scene = self.scene, scene
        if before == scene:
            return
        same = before is not None and before.box is scene.box
        if same and before is not None and before.items != scene.items and style.motion:
            self._start_motion(before, scene)
        elif not same or before is None or before.items != scene.items:
            self._stop_motion()
        self._redraw()

    def centre_of(self, site: str) -> Px:
        """Middle of a site in px."""
        assert self.scene is not None
        return self._px(self.scene.box.sites[site].at)

    @property
    def px_per_mm(self) -> float:
        """Scale of the drawing."""
        left, bottom, right, top = self._extent()
        pad = style.gap_s if min(self.size) > style.target * 3 else 2
        wide, high = self.width - 2 * pad, self.height - 2 * pad
        return float(max(min(wide / (right - left), high / (top - bottom)), 0.01))

    # -- touching -------------------------------------------------------------------------

    def site_at(self, at: Px) -> str | None:
        """The site nearest to a touch at ``at`` (px), if a finger can mean it."""
        if self.scene is None:
            return None
        best: tuple[float, str] | None = None
        for site in self.scene.box.sites.values():
            centre = self._px(site.at)
            width, height = self._half(site)
            dx = max(abs(at[0] - centre[0]) - width, 0.0)
            dy = max(abs(at[1] - centre[1]) - height, 0.0)
            if site.size is None:
                away = max(((at[0] - centre[0]) ** 2 + (at[1] - centre[1]) ** 2) ** 0.5 - width, 0)
            else:
                away = (dx * dx + dy * dy) ** 0.5
            reach = max(style.target / 2 - min(width, height), style.gap_s)
            if away <= reach and (best is None or away < best[0]):
                best = (away, site.id)
        return None if best is None else best[1]

    def on_touch_down(self, touch: Any) -> bool:
        if self._on_site is None or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        site = self.site_at(touch.pos)
        if site is not None:
            self._touched[touch.uid] = site
        return True

    def on_touch_up(self, touch: Any) -> bool:
        site = self._touched.pop(touch.uid, None)
        if site is None or self._on_site is None:
            return bool(super().on_touch_up(touch))
        if self.site_at(touch.pos) == site:
            self._on_site(site)
        return True

    # -- places ---------------------------------------------------------------------------

    def _extent(self) -> tuple[float, float, float, float]:
        assert self.scene is not None
        return _extent(self.scene.box)

    def _px(self, mm: tuple[float, float]) -> Px:
        left, bottom, right, top = self._extent()
        s = self.px_per_mm
        return (
            self.x + self.width / 2 + (mm[0] - (left + right) / 2) * s,
            self.y + self.height / 2 + (mm[1] - (bottom + top) / 2) * s,
        )

    def _half(self, site: Site) -> tuple[float, float]:
        s = self.px_per_mm
        if site.size is None:
            return site.radius * s, site.radius * s
        return site.size[0] * s / 2, site.size[1] * s / 2

    def _slots(self, items: tuple[Item, ...]) -> list[tuple[Item, Px]]:
        """Where each visible piece is drawn: side by side, or stacked with a small offset."""
        assert self.scene is not None
        by_site: dict[str, list[Item]] = {}
        for item in items:
            if item.site in self.scene.box.sites and item.kind in self.scene.box.kinds:
                by_site.setdefault(item.site, []).append(item)
        placed = []
        for name, there in by_site.items():
            site = self.scene.box.sites[name]
            centre = self._px(site.at)
            levels = Counter(item.level for item in there)
            turn: Counter[int] = Counter()
            for item in sorted(there, key=lambda i: (i.level, i.kind)):
                beside, number = levels[item.level], turn[item.level]
                turn[item.level] += 1
                width = self._half(site)[0] * 2 * 0.8
                dx = (number - (beside - 1) / 2) * width / max(beside, 1) if beside > 1 else 0.0
                dy = min(item.level, 6) * 3.0 * self.px_per_mm
                placed.append((item, (centre[0] + dx, centre[1] + dy)))
        return placed

    # -- drawing --------------------------------------------------------------------------

    def _redraw(self, *_: Any) -> None:
        if self.scene is None or min(self.size) < 8:
            return
        self._draw_base()
        self._draw_pieces()
        self._draw_marks()

    def _draw_base(self) -> None:
        scene, group = self.scene, self._base
        assert scene is not None
        group.clear()
        holders = {item.site: item for item in scene.items if item.owner is not None}
        for stroke in scene.box.strokes:
            self._draw_stroke(group, stroke, holders)
        taken = {item.site for item in scene.items} | {item.site for item in scene.ghosts}
        for site in scene.box.sites.values():
            self._draw_site(group, site, site.id in taken)

    def _draw_stroke(
        self, group: InstructionGroup, stroke: Stroke, holders: dict[str, Item]
    ) -> None:
        assert self.scene is not None
        points = [self._px(point) for point in stroke.points]
        width = stroke.width * self.px_per_mm
        if stroke.kind == "line":
            flat = [c for point in points for c in point]
            holder = owner_of(stroke, self.scene.box, holders)
            wrong = stroke.sites and stroke.sites[-1] in self.scene.wrong
            if wrong:
                self._dashes(group, points, style.tone("stop"))
            elif holder is not None:
                group.add(Color(*self._line_tone(holder)))
                group.add(SmoothLine(points=flat, width=max(width * 0.55, 1.5)))
            else:
                group.add(Color(*style.tone("dawn", 0.42)))
                group.add(SmoothLine(points=flat, width=max(width * 0.31, 0.9)))
            return
        tone = theme.mix(style.tone("slate"), theme.rgba(stroke.colour), 0.4)
        if stroke.kind == "text":
            draw_text(group, stroke.text, points[0], max(width, 6), style.tone("ash"), 0.7, "text")
            return
        group.add(Color(*tone))
        if stroke.kind == "circle":
            group.add(SmoothLine(circle=(*points[0], width), width=style.hairline))
        elif stroke.width > 0:
            flat = [c for point in points for c in point]
            group.add(SmoothLine(points=flat, close=True, width=max(width / 2, style.hairline)))
        elif len(points) >= 3:
            vertices = [v for x, y in points for v in (x, y, 0, 0)]
            group.add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))

    def _line_tone(self, holder: Item) -> theme.Rgba:
        assert self.scene is not None
        kind = self.scene.box.kinds.get(holder.kind)
        tone = theme.body(kind.colour) if kind else style.tone("ash")
        if theme.contrast(tone, style.tone("night")) < 1.8:
            tone = theme.mix(style.tone("ash"), style.tone("night"), 0.42)
        return tone

    def _dashes(self, group: InstructionGroup, points: list[Px], tone: theme.Rgba) -> None:
        group.add(Color(*tone))
        dash, gap = style.gap * 0.55, style.gap * 0.75
        for (x0, y0), (x1, y1) in pairwise(points):
            length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
            at = 0.0
            while at < length:
                a, b = at / length, min(at + dash, length) / length
                ends = [x0 + (x1 - x0) * a, y0 + (y1 - y0) * a]
                ends += [x0 + (x1 - x0) * b, y0 + (y1 - y0) * b]
                group.add(SmoothLine(points=ends, width=style.stroke))
                at += dash + gap

    def _draw_site(self, group: InstructionGroup, site: Site, taken: bool) -> None:
        assert self.scene is not None
        x, y = self._px(site.at)
        width, height = self._half(site)
        box = self.scene.box
        printed = box.colours.get(site.colour or site.kind, box.colours.get(site.kind, ""))
        ground = style.tone("slate")
        part = style.palette.site_mix
        tint = theme.rgba(printed) if printed.startswith("#") else style.tone("stone")
        fill = theme.mix(ground, tint, part * 0.55)
        line = theme.mix(style.tone("edge"), tint, part * 1.6)
        pos, size = (x - width, y - height), (2 * width, 2 * height)
        group.add(Color(*fill))
        if site.size is None:
            group.add(SmoothEllipse(pos=pos, size=size))
            group.add(Color(*line))
            group.add(SmoothLine(circle=(x, y, width), width=style.hairline * 0.75))
        else:
            rounding = min(width, height) * 0.2
            group.add(SmoothRoundedRectangle(pos=pos, size=size, radius=[rounding] * 4))
            group.add(Color(*line))
            shape = (*pos, *size, rounding, 12)
            group.add(SmoothLine(rounded_rectangle=shape, width=style.hairline * 0.75))
        small = min(width, height)
        if site.label and not taken and small >= style.gap_l and len(site.label) <= 3:
            draw_text(group, site.label, (x, y), small * 0.58, style.tone("ash"), 0.62, "text")

    # -- pieces ---------------------------------------------------------------------------

    def _draw_pieces(self) -> None:
        assert self.scene is not None
        self._pieces.clear()
        arriving = Counter(item for item, _, to in self._ways if to is not None)
        for item, at in self._slots(self.scene.items):
            if arriving[item] > 0:
                arriving[item] -= 1
                continue
            self._draw_item(self._pieces, item, at)

    def _draw_item(
        self, group: InstructionGroup, item: Item, at: Px, size: float = 1.0, alpha: float = 1.0
    ) -> None:
        assert self.scene is not None
        kind = self.scene.box.kinds[item.kind]
        px = self.px_per_mm * self._bold(item, kind) * size
        draw_piece(group, kind, at, px, item.owner, pose=item.pose, alpha=alpha)

    def _bold(self, item: Item, kind: PieceKind) -> float:
        """Pieces are drawn up to a third larger than they are, where their site has room."""
        assert self.scene is not None
        site = self.scene.box.sites[item.site]
        room = 2 * site.radius if site.size is None else min(site.size)
        if kind.shape in ("disc", "octagon", "pawn"):
            return min(max(room * 1.05 / max(kind.size), 1.0), 1.35)
        return 1.15 if kind.shape == "box" and room * 0.9 > max(kind.size) else 1.0

    def _start_motion(self, before: Scene, after: Scene) -> None:
        self._stop_motion()
        old, new = Counter(before.items), Counter(after.items)
        going = [(i, at) for i, at in self._slots(tuple((old - new).elements()))]
        coming = [(i, at) for i, at in self._slots(tuple((new - old).elements()))]
        for item, to in coming:
            start = next((g for g in going if g[0].kind == item.kind), None)
            if start is not None:
                going.remove(start)
            self._ways.append((item, None if start is None else start[1], to))
        self._ways += [(item, at, None) for item, at in going]
        if self._ways:
            self._motion_s = 0.0
            self._motion_clock = Clock.schedule_interval(self._move, 1 / 60)
            self._move(0.0)

    def _stop_motion(self) -> None:
        if self._motion_clock is not None:
            self._motion_clock.cancel()
        self._motion_clock = None
        self._ways = []
        self._moving.clear()

    def _move(self, passed: float) -> None:
        self._motion_s += passed
        part = min(self._motion_s / theme.MOTION_S, 1.0)
        if part >= 1.0:
            self._stop_motion()
            self._draw_pieces()
            return
        eased = 1 - (1 - part) ** 3
        self._moving.clear()
        for item, start, end in self._ways:
            if start is not None and end is not None:
                x, y = (a + (b - a) * eased for a, b in zip(start, end, strict=True))
                self._draw_item(self._moving, item, (x, y))
            elif end is not None:
                self._draw_item(self._moving, item, end, 0.75 + 0.25 * eased, eased)
            elif start is not None:
                self._draw_item(self._moving, item, start, 1.0, 1 - eased)

    # -- marks ----------------------------------------------------------------------------

    def _draw_marks(self) -> None:
        scene, group = self.scene, self._marks
        assert scene is not None
        group.clear()
        self._pulses = []
        for name in sorted(scene.last):
            self._ring(scene.box.sites[name], style.tone("dawn"), 1.22)
        for name in sorted(scene.targets):
            self._dashed(scene.box.sites[name])
        for item, at in self._slots(scene.ghosts):
            self._draw_item(group, item, at, alpha=0.5)
        for name in sorted(scene.asked):
            self._dashed(scene.box.sites[name], 1.18)
        for name in sorted(scene.picked):
            self._ring(scene.box.sites[name], style.tone("ask"), 1.1)
        for start, end in scene.arrows:
            self._arrow(scene.box.sites[start], scene.box.sites[end])
        for name in sorted(scene.wrong):
            self._cross(scene.box.sites[name])
        self._run_pulses()

    def _reach(self, site: Site, factor: float) -> float:
        """Radius of a ring around a site, px: outside its piece too."""
        return max(max(self._half(site)) * factor, style.grid) if site.size is None else 0.0

    def _ring(self, site: Site, tone: theme.Rgba, factor: float, width: float = 0.0) -> Any:
        colour = Color(*tone)
        self._marks.add(colour)
        line = width or max(style.stroke * 0.55, 1.0)
        if site.size is None:
            shape: dict[str, tuple[float, ...]] = {
                "circle": (*self._px(site.at), self._reach(site, factor))
            }
        else:
            x, y = self._px(site.at)
            w, h = self._half(site)
            out = style.grid * factor
            shape = {
                "rounded_rectangle": (
                    x - w - out, y - h - out, 2 * (w + out), 2 * (h + out), out * 1.5, 12,
                )
            }  # fmt: skip
        self._marks.add(SmoothLine(width=line, **shape))
        return colour

    def _dashed(self, site: Site, factor: float = 0.92) -> None:
        if site.size is not None or self._reach(site, factor) < style.gap:
            colour = self._ring(site, style.tone("ask"), factor)
            self._pulses.append((colour, 1.0, Rhythm.SLOW_PULSE))
            return
        radius = max(round(self._reach(site, factor)), 4)
        width = max(style.stroke * 0.95, 1.5)
        dashes = max(10, min(20, round(radius * 0.85)))
        reach = ring_reach(radius, width)
        x, y = self._px(site.at)
        colour = Color(*style.tone("ask"))
        self._marks.add(colour)
        self._marks.add(
            Rectangle(
                texture=dashed_ring(radius, width, dashes),
                pos=(round(x - reach), round(y - reach)),
                size=(2 * reach, 2 * reach),
            )
        )
        self._pulses.append((colour, 1.0, Rhythm.SLOW_PULSE))

    def _cross(self, site: Site) -> None:
        tone = style.tone("stop")
        outer = self._ring(site, (*tone[:3], 0.55), 2.15 if site.radius * 2 < 30 else 1.5)
        inner = self._ring(site, tone, 1.65 if site.radius * 2 < 30 else 1.22, style.stroke * 0.8)
        self._pulses += [(outer, 0.55, Rhythm.DOUBLE_BLINK), (inner, 1.0, Rhythm.DOUBLE_BLINK)]
        x, y = self._px(site.at)
        half = min(self._half(site))
        badge = max(half * 0.62, style.gap_s)
        if self._shows_mark(site):
            # What is printed on the piece stays readable: the sign goes to its shoulder.
            x, y, badge = x + half * 0.85, y + half * 0.85, badge * 0.72
        self._marks.add(Color(*tone))
        self._marks.add(SmoothEllipse(pos=(x - badge, y - badge), size=(2 * badge, 2 * badge)))
        self._marks.add(Color(*style.tone("rim_light")))
        arm = badge * 0.42
        for slope in (-1, 1):
            ends = [x - arm, y - slope * arm, x + arm, y + slope * arm]
            self._marks.add(SmoothLine(points=ends, width=max(style.stroke * 0.6, badge * 0.13)))

    def _shows_mark(self, site: Site) -> bool:
        assert self.scene is not None
        kinds = self.scene.box.kinds
        return any(
            item.site == site.id and item.kind in kinds and kinds[item.kind].mark
            for item in self.scene.items
        )

    def _arrow(self, start: Site, end: Site) -> None:
        (x0, y0), (x1, y1) = self._px(start.at), self._px(end.at)
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        x0, y0 = x0 + ux * max(self._half(start)) * 1.2, y0 + uy * max(self._half(start)) * 1.2
        x1, y1 = x1 - ux * max(self._half(end)) * 1.3, y1 - uy * max(self._half(end)) * 1.3
        colour = Color(*style.tone("ask"))
        self._marks.add(colour)
        self._marks.add(SmoothLine(points=[x0, y0, x1, y1], width=style.stroke))
        head = style.gap
        for side in (-1, 1):
            tip = [x1, y1, x1 - ux * head + side * uy * head * 0.7]
            tip.append(y1 - uy * head - side * ux * head * 0.7)
            self._marks.add(SmoothLine(points=tip, width=style.stroke))
        self._pulses.append((colour, 1.0, Rhythm.SLOW_PULSE))

    def _run_pulses(self) -> None:
        running = self._pulse_clock is not None
        wanted = bool(self._pulses) and style.motion
        if wanted and not running:
            self._pulse_s = 0.0
            self._pulse_clock = Clock.schedule_interval(self._pulse, _FRAME_S)
        elif running and not wanted:
            self._pulse_clock.cancel()
            self._pulse_clock = None

    def _pulse(self, passed: float) -> None:
        self._pulse_s += passed
        for colour, full, rhythm in self._pulses:
            colour.a = full * (0.25 + 0.75 * level(rhythm, self._pulse_s))


def owner_of(stroke: Stroke, box: Box, holders: Mapping[str, Item]) -> Item | None:
    """The owned piece at the end of a line, if its last site is the place for one.

    That is: of another kind than the sites before it. ``holders``: an owned item per site.
    """
    kinds = [box.sites[name].kind for name in stroke.sites]
    if len(kinds) < 2 or kinds[-1] in kinds[:-1]:
        return None
    return holders.get(stroke.sites[-1])


_EXTENTS: dict[int, tuple[Box, tuple[float, float, float, float]]] = {}


def _extent(box: Box) -> tuple[float, float, float, float]:
    """Left, bottom, right, top in mm of all that is drawn."""
    known = _EXTENTS.get(id(box))
    if known is not None:
        return known[1]
    xs: list[float] = []
    ys: list[float] = []
    for site in box.sites.values():
        width, height = (site.radius * 2, site.radius * 2) if site.size is None else site.size
        xs += [site.at[0] - width / 2, site.at[0] + width / 2]
        ys += [site.at[1] - height / 2, site.at[1] + height / 2]
    for stroke in box.strokes:
        reach = stroke.width if stroke.kind == "circle" else stroke.width / 2
        for x, y in stroke.points:
            xs += [x - reach, x + reach]
            ys += [y - reach, y + reach]
    extent = (min(xs), min(ys), max(xs), max(ys)) if xs else (-100.0, -100.0, 100.0, 100.0)
    pad = max(extent[2] - extent[0], extent[3] - extent[1]) * 0.025
    extent = (extent[0] - pad, extent[1] - pad, extent[2] + pad, extent[3] + pad)
    _EXTENTS[id(box)] = (box, extent)
    return extent
