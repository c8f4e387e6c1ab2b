"""Cards side by side as one widget that draws them and knows which was touched or held.

Eighteen buttons would take a Raspberry Pi too long to build with every touch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.market import CardTile
from companion.ui.drawing.cards import Rect
from companion.ui.drawing.ink import Round
from companion.ui.theme.style import style

HOLD_S = 0.45
"""Seconds for which a finger must rest to read the card."""

Draw = Callable[[Any, str, CardTile, Rect], None]


class CardField(Widget):  # type: ignore[misc]
    """``press`` hears which card was touched, lit or not, ``hold`` which one a finger rests on.

    A touch counts when it ends where it began; one that was held does nothing else.
    """

    def __init__(
        self,
        draw: Draw,
        press: Callable[[CardTile], None],
        hold: Callable[[CardTile], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self.tiles: tuple[CardTile, ...] = ()
        self.cells: tuple[Rect, ...] = ()
        self._draw, self._press, self._hold = draw, press, hold
        self._finger: tuple[int, int] | None = None
        self._held = Clock.create_trigger(self._rests, HOLD_S)
        # After a slow frame the finger may be up already, and nobody has heard of it yet.
        self._sure = Clock.create_trigger(self._read, 0)
        self._drawn: list[tuple[object, InstructionGroup]] = []
        self._glow = InstructionGroup()
        self.canvas.after.add(self._glow)

    def show(self, game: str, tiles: Sequence[CardTile], cells: Sequence[Rect]) -> None:
        """Show these cards there; only those that changed are drawn again."""
        look = (game, style.look)
        old, self._drawn = self._drawn, []
        for number, (tile, cell) in enumerate(zip(tiles, cells, strict=True)):
            key = (look, tile.look, cell)
            if number < len(old) and old[number][0] == key:
                self._drawn.append(old[number])
                continue
            group = InstructionGroup()
            self._draw(group, game, tile, cell)
            self._drawn.append((key, group))
        if old != self._drawn:
            self.canvas.clear()
            for _key, group in self._drawn:
                self.canvas.add(group)
        if (self.tiles, self.cells) != (tuple(tiles), tuple(cells)):
            # What a finger is on may be something else now.
            self._let_go()
        self.tiles, self.cells = tuple(tiles), tuple(cells)

    def tile_of(self, kind: str) -> tuple[CardTile, Rect] | None:
        """The card of this kind, and where it is."""
        found = zip(self.tiles, self.cells, strict=True)
        return next(((tile, cell) for tile, cell in found if tile.kind == kind), None)

    # -- touching -------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        number = self._at(touch)
        if number is None or self._finger is not None:
            return bool(super().on_touch_down(touch))
        self._finger = (touch.uid, number)
        self._glow.add(Color(*style.tone("bone", 0.14)))
        x, y, width, height = self.cells[number]
        self._glow.add(Round((x, y), (width, height), style.radius * 0.7))
        self._held()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if self._finger is None or self._finger[0] != touch.uid:
            return bool(super().on_touch_up(touch))
        number = self._finger[1]
        self._let_go()
        if self._at(touch) == number:
            self._press(self.tiles[number])
        return True

    def _rests(self, *_: Any) -> None:
        self._sure()

    def _read(self, *_: Any) -> None:
        if self._finger is not None:
            number = self._finger[1]
            self._let_go()
            self._hold(self.tiles[number])

    def _let_go(self) -> None:
        self._finger = None
        self._held.cancel()
        self._sure.cancel()
        self._glow.clear()

    def _at(self, touch: Any) -> int | None:
        for number, (x, y, width, height) in enumerate(self.cells):
            if x <= touch.x < x + width and y <= touch.y < y + height:
                return number
        return None
