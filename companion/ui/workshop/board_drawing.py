"""Drawing the board of another edition: places, lines between them, runes."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.boards.draft import BoardDraft
from companion.presentation.words.sentences import figure
from companion.presentation.words.translate import _
from companion.ui.drawing.layout_view import Fingers, LayoutView, Line, Mark, Outline
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import beside
from companion.ui.workshop.board_entry import Entry, width_entry
from companion.ui.workshop.outline_step import OutlineStep
from companion.ui.workshop.page import BenchPage, Frame, tabs, told

if TYPE_CHECKING:
    from companion.workshop.boards import BoardBench, BoardLook

Point = tuple[float, float]

PLACE_MM = 11.0
REACH_MM = 16.0
"""Distance within which a finger means the nearest place, mm."""


class Drawing:
    """First whether from nothing or from the printed circles, then three kinds of touches."""

    def __init__(
        self,
        page: BenchPage,
        boards: BoardBench,
        game: str,
        look: BoardLook,
        ask: Callable[[Entry | None], None],
        drawn: Callable[[str], None],
    ) -> None:
        """``look``: the picture that is drawn on, if there is one. ``ask`` lets a line be typed
        over the page; ``drawn`` is told what became of the drawing, nothing if it was given up."""
        self.page, self._boards, self._game, self._look = page, boards, game, look
        self._ask, self._drawn = ask, drawn
        self.draft: BoardDraft | None = None
        self.outline: OutlineStep | None = None
        self._mode = "places"
        self._picked = ""
        self._dragged = ""
        self._from: Point = (0.0, 0.0)
        self._note = ""
        self._view: LayoutView | None = None

    def fill(self, frame: Frame, width: float) -> None:
        """Put the page's widgets into ``frame``."""
        if self.draft is None:
            self._fill_start(frame, width)
            return
        if self.outline is not None:
            self.outline.fill(frame, width)
            return
        area, column, room = self.page.split(frame, width, 0.6)
        if not self.page.host.landscape:
            # The picture matters most; the keys need only what they need.
            column.size_hint_y = 0.8
        before = self._view
        self._view = LayoutView(
            Fingers(self._down, self._drag, lambda *_: None, self._up), pos_hint={"x": 0, "y": 0}
        )
        if before is not None:
            self._view.zoom, self._view.middle = before.zoom, before.middle
        self._view.show_picture(self._look.picture, self.draft.board.size)
        area.add_widget(self._view)
        self._column, self._room = column, room
        self._write()

    def _fill_start(self, frame: Frame, width: float) -> None:
        inner = width - style.gap
        rows: list[Any] = []
        if self._look.picture is None:
            rows.append(
                told(_("own_board.it_is_drawn_without_a_picture"), self._look.trouble, inner)
            )
            again = Key(_("own_board.take_a_picture"), self._take, symbol="◎", height=style.target)
            rows.append(again)
        steps = _("own_board.touch_every_place_where_a_stone")
        rows.append(Words(steps, width=inner))
        frame.add_widget(self.page.host.listing(rows, style.gap_s))
        keys = [
            Key(_("own_board.start_from_scratch"), lambda: self.begin(empty=True)),
            Key(_("own_board.our_circles"), lambda: self.begin(empty=False), primary=True),
        ]
        frame.add_widget(beside(Key(_("screens.cancel"), lambda: self._drawn("")), *keys))

    @property
    def look(self) -> BoardLook:
        """The picture that is drawn on."""
        return self._look

    def begin(self, *, empty: bool) -> None:
        """Draw from nothing, or from the printed board."""
        board = self._look.board
        self.draft = self._boards.draft(self._game, board, empty=empty)
        if self._look.picture is not None:
            self._ask_outline()
        self.page.host.renew()

    def _ask_outline(self) -> None:
        """Asks for the edge of the board, before it is drawn, or when it is to be changed."""
        draft, look = self.draft, self._look
        assert draft is not None and look.picture is not None
        first = not draft.outline

        def done(right: bool) -> None:
            self.outline = None
            if first and not right:
                self.draft = None
            elif first:
                draft.fill_outline()
            self.page.host.renew()

        self.outline = OutlineStep(
            self.page, draft, look.picture, draft.board.size,
            lambda: self._boards.find_outline_drawn(draft, look), done,
        )  # fmt: skip

    def _write(self) -> None:
        assert self.draft is not None and self._view is not None
        draft, room, small = self.draft, self._room, style.target
        faults = draft.faults()
        self._show_marks()
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        modes = [
            ("places", _("own_board.places")),
            ("lines", _("own_board.lines")),
            ("runes", _("own_board.runes")),
        ]
        if self._look.picture is not None:
            modes.append(("rim", _("own_board.outline")))
        box.add_widget(tabs(modes, self._mode, self._choose))
        hints = {
            "places": _("own_board.touch_to_add_a_place"),
            "lines": _("own_board.touch_two_places_to_draw"),
            "runes": _("own_board.touch_two_places_at_the_edge"),
        }
        box.add_widget(Words(hints[self._mode], font_size=style.type_xs, color=style.ash,
                             width=room))  # fmt: skip
        text = self._note or (self._boards.sentence(faults[0]) if faults else "")
        sign = "! " if text else "✓ "
        text = text or _("own_board.places_circles").format(
            places=len(draft.places), circles=len(draft.circles())
        )
        tone = style.bone if sign == "! " else style.tone("ok")
        status = Words(text, font_size=style.type_xs, color=tone, width=room)
        box.add_widget(status)
        box.add_widget(Widget())
        if self._mode == "runes":
            suggest = Key(_("own_board.suggest_runes"), self._suggest, height=small)
            suggest.disabled = len(draft.rim()) < 4
            box.add_widget(suggest)
        else:
            remove = Key(_("own_board.remove_this_place"), self._remove, symbol="✕", height=small)
            remove.disabled = not self._picked
            box.add_widget(remove)
        back = Key(_("screens.undo"), self._undo, symbol="↺", height=small)
        back.disabled = not draft.can_undo
        zoom = Key(f"×{figure(self._view.zoom, 1)}", self._step_zoom, height=small)
        wide = _("own_board.count_mm").format(count=round(draft.across_mm))
        box.add_widget(beside(back, zoom, Key(wide, self._ask_across, height=small)))
        keep = Key(_("screens.save"), self._ask_name, primary=True, height=small)
        keep.disabled = bool(faults)
        box.add_widget(
            beside(Key(_("screens.cancel"), lambda: self._drawn(""), height=small), keep)
        )
        self._column.clear_widgets()
        self._column.add_widget(box)

    def _show_marks(self) -> None:
        assert self.draft is not None and self._view is not None
        draft = self.draft
        runes = {}
        for number, rune in enumerate(draft.runes):
            letter = string.ascii_uppercase[number % 26]
            runes.update(dict.fromkeys(rune, letter))
        marks = [
            Mark(place, at, PLACE_MM, None, place, place == self._picked, False,
                 runes.get(place, ""))
            for place, at in draft.places.items()
        ]  # fmt: skip
        ends = sorted(sorted(line) for line in draft.lines)
        lines = [Line(draft.places[one], draft.places[other]) for one, other in ends]
        self._view.measure(draft.board.size)
        self._view.show_outline(Outline(draft.outline))
        self._view.show_marks(marks, lines)

    def _take(self) -> None:
        self._look = self._boards.look(self._game)
        self.page.host.renew()

    # -- what keys do -----------------------------------------------------------------------

    def _choose(self, mode: str) -> None:
        if mode == "rim":
            self._ask_outline()
            self.page.host.renew()
            return
        self._mode, self._picked, self._note = mode, "", ""
        self._write()

    def _suggest(self) -> None:
        assert self.draft is not None
        self.draft.suggest_runes()
        self._write()

    def _remove(self) -> None:
        assert self.draft is not None
        self.draft.remove(self._picked)
        self._picked = ""
        self._write()

    def _undo(self) -> None:
        assert self.draft is not None
        self.draft.undo()
        self._picked = ""
        self._write()

    def _step_zoom(self) -> None:
        assert self._view is not None and self.draft is not None
        self._view.step_zoom(self.draft.places.get(self._picked))
        self._write()

    def _ask_across(self) -> None:
        assert self.draft is not None
        self._ask(width_entry(self.draft.across_mm, self._use_across))

    def _use_across(self, across_mm: float | None) -> None:
        assert self.draft is not None
        if across_mm is not None:
            self.draft.scale_corners(across_mm)
            # What was magnified is elsewhere now.
            self._view = None
        self._ask(None)

    def _ask_name(self) -> None:
        assert self.draft is not None
        self._ask(Entry(
            _("own_board.what_is_the_board_called"),
            _("own_board.it_appears_on_the_shelf_under"),
            self._boards.board_name(self.draft), self._named,
        ))  # fmt: skip

    def _named(self, name: str | None) -> None:
        assert self.draft is not None
        self._ask(None)
        if name is not None:
            self.draft.name = name
            self._keep()

    def _keep(self) -> None:
        assert self.draft is not None
        self._note = self._boards.keep_drawn(self.draft, self._look)
        if self._note:
            self._write()
            return
        said = _("own_board.board_is_now_on_the_shelf").format(board=self.draft.name)
        self._drawn(said)

    # -- what fingers do --------------------------------------------------------------------

    def _down(self, at: Point) -> bool:
        assert self.draft is not None
        self.draft.grip()
        self._dragged = self.draft.place_at(at, REACH_MM) or "" if self._mode == "places" else ""
        if self._dragged:
            self._from = self.draft.places[self._dragged]
        return bool(self._dragged)

    def _drag(self, start: Point, now: Point) -> None:
        assert self.draft is not None
        to = (self._from[0] + now[0] - start[0], self._from[1] + now[1] - start[1])
        self._picked = self._dragged
        self.draft.move(self._dragged, to)
        self._show_marks()

    def _up(self, at: Point, tapped: bool) -> None:
        assert self.draft is not None
        if tapped:
            self._tap(at)
        self.draft.release()
        self._note = ""
        self._write()

    def _tap(self, at: Point) -> None:
        assert self.draft is not None
        found = self.draft.place_at(at, REACH_MM) or ""
        if self._mode == "places":
            if found:
                self._picked = "" if found == self._picked else found
            else:
                self._picked = self.draft.add(at)
            return
        if found and self._picked and found != self._picked:
            act = self.draft.join if self._mode == "lines" else self.draft.pair
            act(self._picked, found)
            # Lines are mostly drawn one after the other; runes come in pairs.
            self._picked = found if self._mode == "lines" else ""
        else:
            self._picked = "" if found == self._picked else found
