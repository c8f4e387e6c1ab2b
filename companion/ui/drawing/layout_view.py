"""A board from above with a layout over it that fingers move; zooms and pans."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    ScissorPop,
    ScissorPush,
    SmoothLine,
)
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.ui.drawing.ink import disc
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.style import style, window_part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]

Point = tuple[float, float]
Px = tuple[float, float]

ZOOMS = (1.0, 2.0, 3.5)

HANDLE_PX = 22.0
"""Radius of a handle at a short side of 480: fingers need 40 px across."""
GLASS_PX, TIMES = 150.0, 3.0
"""Side of the glass there, and how much it enlarges."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A board's corners as they are shown."""

    corners: tuple[Point, ...]
    """Millimetres, clockwise from the upper left."""
    handles: bool = False
    """True if its corners can be dragged."""
    held: int | None = None
    """The corner below a finger."""


def handle_px() -> float:
    """Radius of a handle on this screen."""
    return HANDLE_PX * float(style.factor)


def draw_outline(
    group: InstructionGroup, outline: Outline, px: Callable[[Point], Px], times: float = 1.0
) -> None:
    """Draw it into ``group``. ``px``: the screen's pixel of a point in mm; ``times``: how much
    thicker the line is than usual."""
    flat = [value for at in outline.corners for value in px(at)]
    width = style.hairline * times
    for tone, wide in ((style.tone("rim_dark", 0.8), 2.6), (style.tone("ask"), 1.2)):
        group.add(Color(*tone))
        group.add(SmoothLine(points=flat, close=True, width=wide * width))
    for number, at in enumerate(outline.corners if outline.handles else ()):
        tone = style.tone("dawn" if number == outline.held else "ask")
        for colour, wide in ((style.tone("rim_dark", 0.8), 4.2), (tone, 2.2)):
            group.add(Color(*colour))
            # The middle stays free: there the corner of the board must be seen.
            group.add(disc(px(at), handle_px(), wide * width))


def draw_glass(
    group: InstructionGroup, outline: Outline, texture: Any, frame: tuple[Px, Px],
    px: Callable[[Point], Px], window: Sequence[float],
) -> None:  # fmt: skip
    """Draw what lies around the corner that is held, enlarged, where the finger does not cover it.

    ``texture``: the picture below, which fills ``frame`` (lower left corner and size, px).
    ``window``: lower left corner and size of the part of the screen that may be drawn on, px.
    """
    if outline.held is None:
        return
    at = px(outline.corners[outline.held])
    side = min(GLASS_PX * style.factor, window[2], window[3])
    # In the corner of the view that is farthest from the finger.
    left = window[0] if at[0] > window[0] + window[2] / 2 else window[0] + window[2] - side
    low = window[1] if at[1] > window[1] + window[3] / 2 else window[1] + window[3] - side
    middle = (left + side / 2, low + side / 2)

    def enlarged(spot: Px) -> Px:
        return (
            middle[0] + (spot[0] - at[0]) * TIMES,
            middle[1] + (spot[1] - at[1]) * TIMES,
        )  # fmt: skip

    part = window_part(left, low, side, side)
    group.add(ScissorPush(x=part[0], y=part[1], width=part[2], height=part[3]))
    group.add(Color(*style.tone("night")))
    group.add(Rectangle(pos=(left, low), size=(side, side)))
    corner, size = frame
    group.add(Color())
    wide, high = size[0] * TIMES, size[1] * TIMES
    group.add(Rectangle(texture=texture, pos=enlarged(corner), size=(wide, high)))
    bare = Outline(outline.corners)
    draw_outline(group, bare, lambda spot: enlarged(px(spot)))
    group.add(ScissorPop())
    group.add(Color(*style.tone("ask")))
    group.add(SmoothLine(rectangle=(left, low, side, side), width=style.stroke))


# -- the layout --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """One field of the layout, mm."""

    site: str
    at: Point
    radius: float
    size: Point | None = None
    label: str = ""
    picked: bool = False
    wrong: bool = False
    rune: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two fields, mm."""

    start: Point
    end: Point


@dataclass(frozen=True)
class Fingers:
    """Callbacks of the view: one finger drags, two turn and scale. All in mm of the board."""

    down: Callable[[Point], bool]
    """A finger came down; returns whether it holds something. If not, its drag moves the
    picture."""
    drag: Callable[[Point, Point], None]
    """The finger moved: from where it came down, to where it is."""
    pinch: Callable[[Point, Point, float, float], None]
    """Two fingers moved: from where the first came down, to where it is, degrees turned and factor
    scaled."""
    up: Callable[[Point, bool], None]
    """The last finger left; True if it was only a touch."""


class LayoutView(Widget):  # type: ignore[misc]
    """Shows a flattened board of ``board_mm`` (width and height) and marks over it."""

    def __init__(self, fingers: Fingers, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._fingers = fingers
        self.board_mm: Point = (400.0, 400.0)
        self.zoom = 1.0
        self.middle: Point = (0.0, 0.0)
        """The board's point in the middle of the view, mm."""
        self._texture: Any = None
        self._marks: tuple[Mark, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._outline: Outline | None = None
        self._ground, self._over = InstructionGroup(), InstructionGroup()
        self.canvas.add(self._ground)
        self.canvas.add(self._over)
        self._began: dict[int, Px] = {}
        self._now: dict[int, Px] = {}
        self._held = False
        self._pinched = False
        self._pan_from: Point = (0.0, 0.0)
        self._far = 0.0
        self.bind(pos=self._draw, size=self._draw)

    # -- showing --------------------------------------------------------------------------

    def show_picture(self, picture: Picture | None, board_mm: Point) -> None:
        """Lay a flattened picture (height × width × 3, BGR) below the marks; None: bare ground."""
        self.board_mm = board_mm
        if picture is None:
            self._texture = None
        else:
            rows, columns = picture.shape[:2]
            self._texture = Texture.create(size=(columns, rows), colorfmt="rgb")
            self._texture.flip_vertical()
            self._texture.mag_filter = self._texture.min_filter = "linear"
            rgb = picture[:, :, ::-1].tobytes()
            self._texture.blit_buffer(rgb, colorfmt="rgb", bufferfmt="ubyte")
        self._draw()

    def measure(self, board_mm: Point) -> None:
        """The picture is of a board of this size, as is now known."""
        if board_mm != self.board_mm:
            self.board_mm = board_mm
            self._draw()

    def show_marks(self, marks: Sequence[Mark], lines: Sequence[Line] = ()) -> None:
        """Draw these fields and lines, and no others."""
        self._marks, self._lines = tuple(marks), tuple(lines)
        self._draw_marks()

    def show_outline(self, outline: Outline | None) -> None:
        """Draw this outline below the marks; None: no outline."""
        self._outline = outline
        self._draw_marks()

    def step_zoom(self, about: Point | None = None) -> None:
        """The next magnification; ``about`` comes to the middle."""
        self.zoom = ZOOMS[(ZOOMS.index(self.zoom) + 1) % len(ZOOMS)]
        self.middle = (0.0, 0.0) if self.zoom == 1.0 else (about or self.middle)
        self._draw()

    @property
    def px_per_mm(self) -> float:
        """Scale of the view."""
        wide, high = self.board_mm
        return float(max(min(self.width / wide, self.height / high), 0.01) * self.zoom)

    def px(self, at: Point) -> Px:
        """A point of the board on the screen."""
        s = self.px_per_mm
        return (
            self.x + self.width / 2 + (at[0] - self.middle[0]) * s,
            self.y + self.height / 2 + (at[1] - self.middle[1]) * s,
        )

    def mm(self, at: Px) -> Point:
        """A point of the screen on the board."""
        s = self.px_per_mm
        return (
            self.middle[0] + (at[0] - self.x - self.width / 2) / s,
            self.middle[1] + (at[1] - self.y - self.height / 2) / s,
        )

    # -- touching -------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or len(self._began) == 2:
            return bool(super().on_touch_down(touch))
        if getattr(touch, "is_mouse_scrolling", False):
            return False
        touch.grab(self)
        self._began[touch.uid] = (touch.x, touch.y)
        if len(self._began) == 1:
            self._now = {}
        self._now[touch.uid] = (touch.x, touch.y)
        if len(self._began) == 1:
            self._held = self._fingers.down(self.mm(touch.pos))
            self._pan_from, self._far, self._pinched = self.middle, 0.0, False
        else:
            # The pinch is measured from where both fingers are now.
            self._began = dict(self._now)
            self._pinched = True
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._began:
            return bool(super().on_touch_move(touch))
        self._now[touch.uid] = (touch.x, touch.y)
        began = list(self._began.items())
        (first, start) = began[0]
        now = self._now[first]
        self._far = max(self._far, math.dist(start, now))
        if len(began) == 2:
            (second, other) = began[1]
            before = complex(*other) - complex(*start)
            after = complex(*self._now[second]) - complex(*now)
            if abs(before) > 1 and abs(after) > 1:
                turn = after / before
                self._fingers.pinch(
                    self.mm(start), self.mm(now), math.degrees(cmath.phase(turn)), abs(turn)
                )
        elif self._pinched:
            # The second finger has left: what it did stands, the first one does nothing more.
            pass
        elif self._far < style.gap_s:
            # It may still be a trembling touch.
            pass
        elif self._held:
            self._fingers.drag(self.mm(start), self.mm(now))
        elif self.zoom > 1:
            s = self.px_per_mm
            self.middle = (
                self._pan_from[0] - (now[0] - start[0]) / s,
                self._pan_from[1] - (now[1] - start[1]) / s,
            )
            self._draw()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._began:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        del self._began[touch.uid]
        if not self._began:
            tapped = not self._pinched and self._far < style.gap_s
            self._fingers.up(self.mm(touch.pos), tapped)
        return True

    # -- drawing --------------------------------------------------------------------------

    def _draw(self, *_: Any) -> None:
        self._ground.clear()
        corner, (wide, high) = self._frame()
        self._ground.add(self._scissors())
        if self._texture is None:
            self._ground.add(Color(*style.tone("slate")))
            self._ground.add(Rectangle(pos=corner, size=(wide, high)))
        else:
            self._ground.add(Color())  # the picture in its own colours
            self._ground.add(Rectangle(texture=self._texture, pos=corner, size=(wide, high)))
        self._ground.add(Color(*style.edge))
        self._ground.add(SmoothLine(rectangle=(*corner, wide, high), width=style.hairline * 0.75))
        self._ground.add(ScissorPop())
        self._draw_marks()

    def _frame(self) -> tuple[Px, Px]:
        """Lower left corner and size of the picture, px."""
        wide, high = (side * self.px_per_mm for side in self.board_mm)
        x, y = self.px((0.0, 0.0))
        return (x - wide / 2, y - high / 2), (wide, high)

    def _scissors(self) -> Any:
        part = window_part(*self.to_window(self.x, self.y), *self.size)
        return ScissorPush(x=part[0], y=part[1], width=part[2], height=part[3])

    def _draw_marks(self) -> None:
        group, s = self._over, self.px_per_mm
        group.clear()
        group.add(self._scissors())
        dark = style.tone("rim_dark", 0.8)
        outline = self._outline
        if outline is not None and outline.corners:
            draw_outline(group, outline, self.px)
        for line in self._lines:
            flat = [*self.px(line.start), *self.px(line.end)]
            for tone, width in ((dark, 2.6), (style.tone("dawn"), 1.2)):
                group.add(Color(*tone))
                group.add(SmoothLine(points=flat, width=width * style.hairline))
        for mark in self._marks:
            tone = style.tone("stop" if mark.wrong else "ask" if mark.picked else "dawn")
            width = style.hairline * (2.2 if mark.picked or mark.wrong else 1.3)
            for colour, wide in ((dark, width * 2.1), (tone, width)):
                group.add(Color(*colour))
                group.add(SmoothLine(width=wide, **self._shape(mark)))
            self._words(mark, s, tone)
        group.add(ScissorPop())
        if outline is not None and self._texture is not None:
            window = (*self.to_window(self.x, self.y), self.width, self.height)
            draw_glass(group, outline, self._texture, self._frame(), self.px, window)

    def _words(self, mark: Mark, s: float, tone: Any) -> None:
        at, reach = self.px(mark.at), self._half(mark)
        small = min(reach) * s
        if mark.wrong:
            arm = max(small * 0.5, style.grid)
            for slope in (-1, 1):
                ends = [at[0] - arm, at[1] - slope * arm, at[0] + arm, at[1] + slope * arm]
                self._over.add(Color(*tone))
                self._over.add(SmoothLine(points=ends, width=style.hairline * 1.6))
        elif mark.label and small >= style.gap * 0.8:
            size = min(small * 0.85, style.type_s)
            draw_text(self._over, mark.label, (at[0] + 1, at[1] - 1), size,
                      style.tone("rim_dark"), 0.9, "text")  # fmt: skip
            draw_text(self._over, mark.label, at, size, style.tone("rim_light"), 1.0, "text")
        if mark.rune:
            spot = (at[0] + small * 1.15, at[1] + small * 1.15)
            draw_text(self._over, mark.rune, spot, max(small * 0.9, style.gap_s), tone, 1.0, "text")

    @staticmethod
    def _half(mark: Mark) -> Point:
        if mark.size is None:
            return (mark.radius, mark.radius)
        return (mark.size[0] / 2, mark.size[1] / 2)

    def _shape(self, mark: Mark) -> dict[str, tuple[float, ...]]:
        (x, y), (w, h), s = self.px(mark.at), self._half(mark), self.px_per_mm
        if mark.size is None:
            return {"circle": (x, y, max(w * s, 2.0))}
        return {"rectangle": (x - w * s, y - h * s, 2 * w * s, 2 * h * s)}
