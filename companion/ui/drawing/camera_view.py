"""The camera's picture; its pieces can be dragged by touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.presentation.virtual_table import Carry, Drop, Gesture, Lamp, Lift, PutAway, Take
from companion.ui.drawing.ink import disc
from companion.ui.theme.style import style

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]


class CameraView(Widget):  # type: ignore[misc]
    """Shows pictures of one size; ``on_gesture`` hears of one finger at a time."""

    def __init__(self, on_gesture: Callable[[Gesture], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._on_gesture = on_gesture
        self.live = False
        """True if pieces can be dragged now."""
        self.ratio = 4 / 3
        """Width of the picture by its height."""
        self.drawn_box = (0.0, 0.0, 0.0, 0.0)
        """Place of the picture when it was drawn last."""
        self.away: Callable[[float, float], bool] = lambda x, y: False
        """True if a piece dropped at x, y (px) goes back to the supply."""
        self._finger: Any = None
        self._taken: tuple[float, float] | None = None
        """Point where the finger took a piece from the supply, px."""
        self._texture: Any = None
        self._lamps: tuple[Lamp, ...] = ()
        self._frame, self._lights = InstructionGroup(), InstructionGroup()
        self.canvas.add(self._frame)
        self.canvas.add(self._lights)
        self.bind(pos=self._draw, size=self._draw)
        style.bind(name=self._draw)

    def show(self, picture: Picture) -> None:
        """Show a picture: height × width × 3, BGR."""
        rows, columns = picture.shape[:2]
        if self._texture is None or self._texture.size != (columns, rows):
            self._texture = Texture.create(size=(columns, rows), colorfmt="rgb")
            self._texture.flip_vertical()
            self._texture.mag_filter = self._texture.min_filter = "linear"
            self.ratio = columns / rows
            self._draw()
        rgb = picture[:, :, ::-1].tobytes()
        self._texture.blit_buffer(rgb, colorfmt="rgb", bufferfmt="ubyte")
        self.canvas.ask_update()

    def light(self, lamps: Sequence[Lamp]) -> None:
        """Lights these lamps, and no others."""
        if tuple(lamps) != self._lamps:
            self._lamps = tuple(lamps)
            self._draw_lamps()

    @property
    def picture_box(self) -> tuple[float, float, float, float]:
        """x, y, width and height of the picture in px."""
        width = min(self.width, self.height * self.ratio)
        height = width / self.ratio
        # Not by the centre: while it moves, Kivy still remembers the old one.
        left = self.x + (self.width - width) / 2
        return (left, self.y + (self.height - height) / 2, width, height)

    # -- touching -------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        # On a slow machine the finger has already moved on; what counts is where it came down.
        x, y, width, height = self.picture_box
        inside = x <= touch.ox <= x + width and y <= touch.oy <= y + height
        if not (self.live and inside) or self._finger is not None:
            return bool(super().on_touch_down(touch))
        self._finger, self._taken = touch.uid, None
        self._on_gesture(Lift(*self._share(touch.ox, touch.oy)))
        return True

    def take(self, kind: str, touch: Any) -> None:
        """A finger takes a piece of this kind from beside the table and drags it from now on."""
        if self.live and self._finger is None:
            self._finger = touch.uid
            self._taken = (touch.x, touch.y)
            self._on_gesture(Take(kind, *self._share(touch.x, touch.y)))

    def on_touch_move(self, touch: Any) -> bool:
        if touch.uid != self._finger:
            return bool(super().on_touch_move(touch))
        self._on_gesture(Carry(*self._share(touch.x, touch.y)))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.uid != self._finger:
            return bool(super().on_touch_up(touch))
        self._finger = None
        if self.away(touch.x, touch.y):
            start = self._taken or (-self.width, -self.height)
            far = max(abs(touch.x - start[0]), abs(touch.y - start[1]))
            self._on_gesture(PutAway(tapped=far < style.target / 3))
        else:
            self._on_gesture(Drop(*self._share(touch.x, touch.y)))
        return True

    def _share(self, at_x: float, at_y: float) -> tuple[float, float]:
        """Point of a touch, as shares of the picture; a finger that left the picture stays at its
        edge."""
        x, y, width, height = self.picture_box
        across, down = (at_x - x) / width, 1 - (at_y - y) / height
        return (min(max(across, 0.0), 1.0), min(max(down, 0.0), 1.0))

    # -- drawing --------------------------------------------------------------------------

    def _draw(self, *_: Any) -> None:
        self._frame.clear()
        self.drawn_box = self.picture_box
        if self._texture is None:
            return
        x, y, width, height = self.picture_box
        self._frame.add(Color())  # the picture in its own colours
        self._frame.add(Rectangle(texture=self._texture, pos=(x, y), size=(width, height)))
        self._frame.add(Color(*style.edge))
        self._frame.add(SmoothLine(rectangle=(x, y, width, height), width=style.hairline * 0.75))
        self._draw_lamps()

    def _draw_lamps(self) -> None:
        self._lights.clear()
        x, y, width, height = self.picture_box
        for lamp in self._lamps:
            at = (x + lamp.x * width, y + (1 - lamp.y) * height)
            for wider, fainter in ((1.0, 1.0), (1.16, 0.45), (1.32, 0.18)):
                self._lights.add(Color(*lamp.colour[:3], lamp.colour[3] * fainter))
                self._lights.add(disc(at, lamp.radius * width * wider, style.stroke * 0.7))
