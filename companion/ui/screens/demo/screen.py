"""The demo's screen: a play screen, and beside it the table as its camera sees it.

If there is no room for both, one of two keys at the top chooses what is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.resources import resource_find
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.theme import tokens as theme
from companion.presentation.virtual_table import Gesture, Stock
from companion.presentation.words.sentences import card_names
from companion.presentation.words.translate import _
from companion.ui.drawing.camera_view import CameraView
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.base import Card, Key, Letters, Words
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.page import GroundedPage, beside

# -- the supply -------------------------------------------------------------------------------

_CELL = 1.25
"""Width of a piece's cell, in finger sizes."""


class StockPiece(Widget):  # type: ignore[misc]
    """One kind with its number; a finger that comes down on it takes a piece."""

    def __init__(
        self, stock: Stock, take: Callable[[str, Any], None], name: str = "", **kwargs: Any
    ) -> None:
        """``name``: what the piece is called, if that is not what is printed on it."""
        super().__init__(**kwargs)
        self.stock, self._take, self.name = stock, take, name
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._count = Letters(
            text=str(stock.count), font_name=TEXT, font_size=style.type_xs, color=style.ash,
            size_hint=(None, None),
        )  # fmt: skip
        self._count.size = self._count.extent
        self.add_widget(self._count)
        self.bind(pos=self._draw, size=self._draw)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(touch.ox, touch.oy):
            return False
        self._take(self.stock.kind.id, touch)
        return True

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        room = self._count.width + style.grid
        px = min((self.width - room) * 0.8, self.height * 0.7) / max(self.stock.kind.size)
        at = (self.x + (self.width - room) / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self.stock.kind, at, px, PieceLook(name=self.name))
        # Right beside the piece, so that it is clear whose number it is.
        left = at[0] + max(self.stock.kind.size[0] * px / 2, style.grid) + style.grid
        left = min(left, self.right - self._count.width)
        self._count.pos = (left, at[1] - self._count.height / 2)


class SupplyTray(Card):
    """One line of kinds, with keys to turn the page if there are more; ``take`` hears of the
    kind and the finger that takes a piece of it."""

    def __init__(self, take: Callable[[str, Any], None], **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(fill="stone", line="edge", **kwargs)
        self.height = style.target
        self._take = take
        self.stock: tuple[Stock, ...] = ()
        self.names: Mapping[str, str] = {}
        self.page = 0
        self._line = BoxLayout(spacing=style.grid, size_hint=(None, None))
        self.add_widget(self._line)
        self.bind(pos=self._place, size=self._resized)

    @property
    def each(self) -> int:
        """Number of kinds that fit on a page."""
        keys = 2 * style.target if self._needs_pages else 0
        return max(int((self.width - keys) // (style.target * _CELL)), 1)

    @property
    def pages(self) -> int:
        """Number of pages, at least one."""
        return max(-(-len(self.stock) // self.each), 1)

    def show(self, stock: Sequence[Stock], names: Mapping[str, str]) -> None:
        """Show what waits beside the board; ``names``: what cards are called, by kind."""
        if tuple(stock) != self.stock or names != self.names:
            self.stock, self.names = tuple(stock), names
            self._fill()

    def turn_page(self, by: int) -> None:
        """Show other kinds; after the last page comes the first."""
        self.page = (self.page + by) % self.pages
        self._fill()

    @property
    def _needs_pages(self) -> bool:
        return bool(len(self.stock) * style.target * _CELL > self.width)

    def _resized(self, *_: Any) -> None:
        self._fill()
        self._place()

    def _fill(self) -> None:
        self._line.clear_widgets()
        self.page = min(self.page, self.pages - 1)
        each = self.each
        shown = self.stock[self.page * each : (self.page + 1) * each]
        cells = [
            StockPiece(stock, self._take, self.names.get(stock.kind.id, "")) for stock in shown
        ]
        widgets: list[Widget] = [*cells, *(Widget() for _missing in range(each - len(cells)))]
        if self._needs_pages:
            widgets.insert(0, self._key("‹", -1))
            widgets.append(self._key("›", 1))
        for widget in widgets:
            self._line.add_widget(widget)

    def _key(self, sign: str, by: int) -> Key:
        return Key(
            "", lambda: self.turn_page(by), symbol=sign, size_hint=(None, None),
            size=(style.target, style.target),
        )  # fmt: skip

    def _place(self, *_: Any) -> None:
        self._line.pos, self._line.size = self.pos, self.size


_BESIDE = 1.45
"""Screens at least this many times as wide as high show both …"""

_COLUMNS_BESIDE = 3.6
"""… if they are this many columns of words wide."""

_PLAY_PART = 0.61
"""Share of the width for the play screen."""

_DISPLAY_COLUMNS = 20
"""Letters in a row of the score display; each is about 0.6 times as wide as high."""


@dataclass(frozen=True, slots=True)
class TableWays:
    """Destinations of further touches where the table is part of the program."""

    leave: Callable[[], None]
    """Back to the shelf."""
    lay_out: Callable[[], None]
    """Lays all pieces as the record says."""
    show_faces: Callable[[bool], None]
    """The pieces' own faces are wanted, or their stickers."""


class DemoScreen(GroundedPage):
    """``play`` is the play screen; ``on_gesture`` hears of fingers in the camera's picture.

    ``ways``: where it leads as a part of the program; None: it is a window of its own.
    """

    def __init__(
        self,
        play: Any,
        on_gesture: Callable[[Gesture], None],
        ways: TableWays | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.play = play
        self._ways = ways
        self.camera = CameraView(on_gesture)
        self.camera.away = self._over_tray
        self.your_turn = False
        """True if the story is over and people can drag pieces."""
        self.resumed = False
        """True if the plug has been pulled already."""
        self.shows_table = False
        """True if the table is shown where there is room for only one."""
        self.tray: SupplyTray | None = None
        """The supply; None if no piece is out of sight."""
        self._stock: tuple[Stock, ...] = ()
        self._has_tray = self._tells_of_turning = False
        self.faces = ways is not None
        """True if the pieces show their own faces, not their stickers."""
        self._rows: tuple[str, ...] = ()
        self._display: list[Any] = []
        # The play screen sets the scale when it gets its size, so building must not be nested.
        self._rebuild = Clock.create_trigger(self._build, -1)
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self._rebuild()
        self.page.bind(size=self._rebuild)
        style.bind(lang=self._rebuild, name=self._rebuild, factor=self._rebuild)

    @property
    def beside(self) -> bool:
        """True if both are shown."""
        roomy = self.width >= theme.SIZES.column * _COLUMNS_BESIDE
        return bool(roomy and self.width >= self.height * _BESIDE)

    def hand_over(self) -> None:
        """The story is over: people in front of the screen may drag pieces."""
        self.your_turn = self.camera.live = True
        self._rebuild()

    def show_display(self, rows: Sequence[str]) -> None:
        """Shows the present rows of the score display."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        for label, text in zip(self._display, self._rows, strict=False):
            label.text = text

    def show_stock(self, stock: Sequence[Stock], turns: bool) -> None:
        """Shows the pieces out of the camera's sight; ``turns``: some pieces can be turned by a
        tap."""
        self._stock = tuple(stock)
        # The tray stays when it is empty: the picture must not jump below a finger.
        new = bool(stock) and not self._has_tray
        if new or turns != self._tells_of_turning:
            self._has_tray, self._tells_of_turning = self._has_tray or new, turns
            self._rebuild()
        elif self.tray is not None:
            self.tray.show(self._stock, self._names())

    def choose(self, table: bool) -> None:
        """Show the table, or the play screen, if there is room for only one."""
        self.shows_table = table
        self._rebuild()

    def show_faces(self, faces: bool) -> None:
        """Show the pieces' own faces, or their stickers."""
        self.faces = faces
        if self._ways is not None:
            self._ways.show_faces(faces)
        self._rebuild()

    def leave(self) -> None:
        """The screen is no longer shown."""
        style.unbind(lang=self._rebuild, name=self._rebuild, factor=self._rebuild)
        self.play.leave()

    def _names(self) -> Mapping[str, str]:
        view = self.play.view
        return {} if view is None else card_names(view, style.lang)

    def _over_tray(self, x: float, y: float) -> bool:
        return self.tray is not None and bool(self.tray.collide_point(x, y))

    # -- building -------------------------------------------------------------------------

    def _build(self, *_args: Any) -> None:
        if min(self.size) < style.target:
            return
        for widget in (self.play, self.camera):
            if widget.parent is not None:
                widget.parent.remove_widget(widget)
        self.page.clear_widgets()
        self._display, self.tray = [], None
        x, y, width, height = self.x, self.y, self.width, self.height
        if self.beside and self._ways is None:
            left = round(width * _PLAY_PART)
            self._put(self.play, (x, y), (left, height))
            self._put(
                self._table_column(width - left, height), (x + left, y), (width - left, height)
            )
            return
        bar = BoxLayout(spacing=style.gap_s, size_hint=(None, None))
        if self._ways is not None:
            wide = {"size_hint_x": 0.8, "height": style.target}
            bar.add_widget(Key(_("screens.to_the_shelf"), self._ways.leave, symbol="←", **wide))
        for text, table in ((_("demo.game"), False), (_("demo.table"), True)):
            key = Key(text, partial(self.choose, table), height=style.target)
            if table == self.shows_table:
                key.tint("dawn", "dawn", 0.16)
            bar.add_widget(key)
        inner = width - 2 * style.margin
        top = height - style.target - style.gap_s
        self._put(bar, (x + style.margin, y + top), (inner, style.target))
        rest = (width, top - style.gap_s)
        self._put(self._table(*rest) if self.shows_table else self.play, (x, y), rest)

    def _put(self, widget: Any, pos: tuple[float, float], size: tuple[float, float]) -> None:
        widget.size_hint = (None, None)
        widget.pos, widget.size = pos, size
        self.page.add_widget(widget)

    def _table(self, width: float, height: float) -> Any:
        if self._ways is not None and self.width > self.height:
            return self._table_beside_words(self._ways, width, height)
        return self._table_column(width, height)

    def _table_beside_words(self, ways: TableWays, width: float, height: float) -> Any:
        """The table on a low screen: the picture as high as it may be, the words on its right."""
        edge, gap = style.gap_s, style.gap
        tray_px = style.target + gap if self.your_turn and self._has_tray else 0.0
        high = height - 2 * edge - tray_px
        wide = min(high * self.camera.ratio, width * 0.66)
        left = BoxLayout(orientation="vertical", spacing=gap, size_hint=(None, 1), width=wide)
        self.camera.size_hint_y = None
        self.camera.height = high
        left.add_widget(self.camera)
        if tray_px:
            self.tray = SupplyTray(self.camera.take, width=wide)
            self.tray.show(self._stock, self._names())
            left.add_widget(self.tray)
        inner = width - wide - 3 * gap
        right = BoxLayout(orientation="vertical", spacing=gap)
        title, text = self._caption()
        right.add_widget(Words(title, bold=True, font_size=style.type_m, width=inner))
        right.add_widget(Words(text, font_size=style.type_s, color=style.ash, width=inner))
        right.add_widget(Widget())
        for line in self._table_keys(ways):
            right.add_widget(line)
        right.add_widget(self._score_display(inner))
        row = BoxLayout(
            spacing=gap, padding=(gap, edge, gap, edge), size_hint=(1, 1),
            pos_hint={"x": 0, "y": 0},
        )  # fmt: skip
        row.add_widget(left)
        row.add_widget(right)
        side = Card(fill="slate", line="slate")
        side.rounding = 0
        side.add_widget(row)
        return side

    def _table_column(self, width: float, height: float) -> Any:
        edge = style.gap_l
        inner = width - 2 * edge
        column = BoxLayout(
            orientation="vertical", padding=edge, spacing=style.gap, size_hint=(1, 1),
            pos_hint={"x": 0, "y": 0},
        )  # fmt: skip
        title, text = self._caption()
        words = [Words(title, bold=True, font_size=style.type_m, width=inner)]
        words.append(Words(text, font_size=style.type_s, color=style.ash, width=inner))
        for line in words:
            column.add_widget(line)
        if self._ways is not None:
            for line in self._table_keys(self._ways):
                column.add_widget(line)
                height -= line.height + style.gap
        display = self._score_display(inner)
        room = height - 2 * edge - sum(line.height + style.gap for line in words)
        if self.your_turn and self._has_tray:
            self.tray = SupplyTray(self.camera.take, width=inner)
            self.tray.show(self._stock, self._names())
            room -= self.tray.height + style.gap
        picture = inner / self.camera.ratio
        self.camera.size_hint_y = None
        self.camera.height = min(picture, room)
        column.add_widget(self.camera)
        if self.tray is not None:
            column.add_widget(self.tray)
        if picture + style.gap + display.height <= room:
            column.add_widget(display)
        column.add_widget(Widget())
        side = Card(fill="slate", line="slate")
        side.rounding = 0
        side.add_widget(column)
        return side

    def _table_keys(self, ways: TableWays) -> tuple[Any, ...]:
        """Keys for the pieces' look, and for laying them automatically; none before there are
        any."""
        if not self.your_turn:
            return ()
        faces = Key(_("demo.faces"), partial(self.show_faces, True), height=style.target)
        stickers = Key(_("screens.stickers"), partial(self.show_faces, False), height=style.target)
        mark_chosen(faces, self.faces)
        mark_chosen(stickers, not self.faces)
        lay = Key(_("demo.lay_everything_out"), ways.lay_out, height=style.target)
        return beside(faces, stickers), lay

    def _caption(self) -> tuple[str, str]:
        if self.your_turn:
            text = _("demo.drag_a_piece")
            if self._tells_of_turning:
                text = _("demo.drag_a_piece_with_the_mouse")
            return _("demo.your_turn"), text
        if self._ways is not None:
            return _("screens.one_moment"), _("demo.the_virtual_table_is_being_set")
        if self.resumed:
            return _("demo.the_power_is_back"), _("demo.the_match_continues_where_it_was")
        return _("screens.what_the_camera_sees"), _("demo.heelstone_is_playing_a_match")

    def _score_display(self, width: float) -> Any:
        """The simulated score display, as it would stand on the table."""
        pad = style.gap
        size = min(style.type_m, (width - 2 * pad) / _DISPLAY_COLUMNS / 0.62)
        mono = resource_find("data/fonts/RobotoMono-Regular.ttf")
        rows = self._rows or ("",) * 4
        line = size * 1.3
        card = Card(fill="night", line="edge", size_hint_y=None)
        card.height = line * len(rows) + 2 * pad
        frame = BoxLayout(
            orientation="vertical", padding=pad, size_hint=(1, 1), pos_hint={"x": 0, "y": 0}
        )
        for text in rows:
            label = Letters(text=text, font_name=mono, font_size=size, color=style.ok)
            self._display.append(label)
            frame.add_widget(label)
        card.add_widget(frame)
        return card
