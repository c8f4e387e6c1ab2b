"""The choice of a face: all that are drawn, with those that others at the table have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.presentation.faces import CHOICE
from companion.presentation.theme.tokens import Rgba
from companion.ui.drawing.faces import Face
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted

_ACROSS, _ACROSS_UPRIGHT = 6, 3


class FaceKey(ButtonBehavior, Card):  # type: ignore[misc]
    """A face that can be touched, with a name below it; ``text`` is the face's own."""

    def __init__(
        self,
        face: str,
        press: Callable[[], None],
        size: tuple[float, float],
        *,
        name: str = "",
        seat: tuple[str, Rgba] | None = None,
        chosen: bool = False,
    ) -> None:
        super().__init__(
            fill="stone", line="dawn" if chosen else "edge", size_hint=(None, None), size=size
        )
        self.text, self.chosen = face, chosen
        room = size[0] - 2 * style.gap_s
        self._name = Fitted(name, (style.type_s, style.type_xs), room, color=style.ash)
        side = min(room, size[1] - self._name.height - style.gap_s)
        self._shown = Face(face, side, seat, glow=chosen)
        self.add_widget(self._shown)
        self.add_widget(self._name)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())
        self._place()

    def _place(self, *_: Any) -> None:
        low = self._name.height
        self._name.pos = (self.x + (self.width - self._name.width) / 2, self.y + style.grid / 2)
        side = self._shown.height
        left, up = (self.width - side) / 2, (self.height + low - side) / 2
        self._shown.pos = (self.x + left, self.y + up)


class FaceChoice(FloatLayout):  # type: ignore[misc]
    """All faces in a grid; ``worn``: names by the faces that others at the table have."""

    def __init__(
        self, chosen: str, worn: Mapping[str, str], pick: Callable[[str], None], *, landscape: bool
    ) -> None:
        super().__init__()
        self._chosen, self._worn, self._pick = chosen, worn, pick
        self._across = _ACROSS if landscape else _ACROSS_UPRIGHT
        self.bind(pos=self._build, size=self._build)

    def _build(self, *_: Any) -> None:
        self.clear_widgets()
        gap, lines = style.gap_s, -(-len(CHOICE) // self._across)
        width = (self.width - gap * (self._across - 1)) / self._across
        height = (self.height - gap * (lines - 1)) / lines
        if min(width, height) < style.target:
            return
        for number, face in enumerate(CHOICE):
            line, column = divmod(number, self._across)
            key = FaceKey(
                face, partial(self._pick, face), (width, height), name=self._worn.get(face, ""),
                chosen=face == self._chosen,
            )  # fmt: skip
            key.pos = (self.x + column * (width + gap), self.top - height - line * (height + gap))
            self.add_widget(key)
