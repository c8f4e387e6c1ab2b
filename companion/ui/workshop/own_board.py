"""Your own board: its picture from above, and the layout that is moved until it fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.boards.mapping import Fault, Mapping
from companion.presentation.words.sentences import figure
from companion.presentation.words.translate import _
from companion.presentation.words.workshop import game_name
from companion.ui.drawing.layout_view import Fingers, LayoutView, Mark, Outline
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.board_drawing import Drawing
from companion.ui.workshop.board_entry import Entry, width_entry
from companion.ui.workshop.outline_step import OutlineStep
from companion.ui.workshop.page import BenchPage, Frame, tabs, told

if TYPE_CHECKING:
    from companion.workshop.boards import BoardBench, BoardLook
    from companion.workshop.camera import CameraBench

Point = tuple[float, float]

TURN_DEG, GROWTH = 0.5, 1.005
"""Turn and scaling by one touch of a key."""
NUDGE_MM = 1.0
REACH_MM = 4.0
"""Distance by which a finger may miss a field, mm."""


class OwnBoardPage(BenchPage):
    """First which board and which picture, then all fields at once, then single ones."""

    def __init__(
        self, host: PageScreen, boards: BoardBench, camera: CameraBench, games: Sequence[str]
    ) -> None:
        """``games``: whose boards there are, the likeliest first."""
        super().__init__(host)
        self.bench, self._camera, self._games = boards, camera, games
        self._game = games[0]
        self.mapping: Mapping | None = None
        self.drawing: Drawing | None = None
        self.outline: OutlineStep | None = None
        self._look: BoardLook | None = None
        self._single = False
        self._picked = ""
        self._dragged = ""
        self._note = ""
        self._good = False
        self._entry: Entry | None = None
        self._sure = ""
        """Name of what is to be forgotten after a second touch."""
        self._view: LayoutView | None = None
        self._from: Point = (0.0, 0.0)

    @property
    def title(self) -> str:
        return _("screens.your_own_board")

    def enter(self) -> None:
        self._camera.watch(self._game)

    def leave(self) -> None:
        self._put_aside()
        self._camera.unwatch()

    # -- building ---------------------------------------------------------------------------

    def fill(self, frame: Frame, width: float) -> None:
        if self._entry is not None:
            self._entry.fill(frame, width, low=self.host.landscape)
            return
        if self.outline is not None:
            self.outline.fill(frame, width)
            return
        if self.drawing is not None:
            self.drawing.fill(frame, width)
            return
        if self.mapping is None:
            self._fill_start(frame, width)
            return
        area, column, room = self.split(frame, width, 0.6)
        if not self.host.landscape:
            # The picture matters most; the keys need only what they need.
            column.size_hint_y = 0.8
        zoom, middle = (1.0, (0.0, 0.0)) if self._view is None else (
            self._view.zoom, self._view.middle
        )  # fmt: skip
        self._view = LayoutView(
            Fingers(self._down, self._drag, self._pinch, self._up), pos_hint={"x": 0, "y": 0}
        )
        self._view.zoom, self._view.middle = zoom, middle
        picture = None if self._look is None else self._look.picture
        self._view.show_picture(picture, self.mapping.override.size)
        area.add_widget(self._view)
        self._column, self._room = column, room
        self._write()

    def _fill_start(self, frame: Frame, width: float) -> None:
        inner = width - style.gap
        rows: list[Any] = []
        if self._note:
            sign, tone = ("✓", "ok") if self._good else ("!", "dawn")
            rows.append(told(self._note, "", inner, sign, tone))
        if self.bench.aside is not None:
            rows.append(Key(_("own_board.continue_where_you_left_off"), self._take_up, symbol="↺",
                            height=style.target))  # fmt: skip
        rows.append(Words(_("own_board.lay_the_four_corner_stickers_around"),
                          width=inner))  # fmt: skip
        mapped = self.bench.mapped(self._game)
        said = (
            _("own_board.your_own_board_is_used")
            if mapped
            else _("own_board.the_printed_board_is_used")
        )
        rows.append(Words(said, color=style.ash, width=inner))
        name = game_name(self._game, style.lang)
        rows.append(
            Key(_("screens.board_game").format(game=name), self._next_game, height=style.target)
        )
        if mapped:
            title = _("own_board.use_the_printed_board")
            rows.append(self._forgetting(title, self._game, self._forget, "↺"))
        if self.bench.can_draw(self._game):
            rows.append(
                Key(
                    _("own_board.draw_the_board_of_another_edition"),
                    self._draw_board,
                    symbol="✎",
                    height=style.target,
                )
            )
            for drawn in self.bench.drawn():
                title = _("own_board.forget_board").format(board=game_name(drawn, style.lang))
                forget = partial(self._forget_drawn, drawn)
                rows.append(self._forgetting(title, drawn, forget, "✕"))
        frame.add_widget(self.host.listing(rows, style.gap_s))
        keys = [Key(_("own_board.take_a_picture"), self.take, symbol="◎", primary=True)]
        keys[0].disabled = not self._camera.source
        files = self.bench.files()
        if files:
            keys.append(Key(_("own_board.newest_file"), lambda: self.take(files[0])))
        frame.add_widget(beside(*keys))

    def _write(self) -> None:
        """The marks on the picture and the column beside it."""
        assert self.mapping is not None and self._view is not None
        mapping, room = self.mapping, self._room
        faults = mapping.faults()
        wrong = {site for fault in faults if fault.blocks for site in fault.sites}
        self._show_marks(faults)
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        modes = [
            ("all", _("own_board.all_fields")),
            ("single", _("own_board.single_ones")),
            ("rim", _("own_board.outline")),
        ]
        box.add_widget(tabs(modes, "single" if self._single else "all", self._mode))
        box.add_widget(self._status(faults, room))
        box.add_widget(Widget())
        small = style.target
        shape = [
            Key("", lambda: self._turn(-1), symbol="↻", height=small),
            Key("", lambda: self._turn(1), symbol="↺", height=small),
            Key("−", lambda: self._grow(1 / GROWTH), height=small),
            Key("+", lambda: self._grow(GROWTH), height=small),
        ]
        for key in shape[:2]:
            key.disabled = self._single
        for key in shape[2:]:
            key.disabled = self._single and not self._picked
        box.add_widget(beside(*shape))
        ways = (("←", -1, 0), ("→", 1, 0), ("↑", 0, 1), ("↓", 0, -1))
        arrows = [
            Key("", partial(self._nudge, x, y), symbol=sign, height=small) for sign, x, y in ways
        ]
        for key in arrows:
            key.disabled = self._single and not self._picked
        box.add_widget(beside(*arrows))
        back = Key(_("screens.undo"), self._undo, symbol="↺", height=small)
        back.disabled = not mapping.can_undo
        line = [back, Key(f"×{figure(self._view.zoom, 1)}", self._step_zoom, height=small)]
        if not self._single:
            across = _("own_board.count_mm").format(count=round(mapping.across_mm))
            line.append(Key(across, self._ask_across, height=small))
        box.add_widget(beside(*line))
        keep = Key(_("screens.save"), self._keep, primary=True, height=small)
        keep.disabled = bool(wrong)
        box.add_widget(beside(Key(_("screens.cancel"), self._cancel, height=small), keep))
        self._column.clear_widgets()
        self._column.add_widget(box)

    def _status(self, faults: list[Fault], room: float) -> Any:
        assert self.mapping is not None
        tone = style.ash
        if self._note:
            text = self._note
        elif faults:
            text, tone = f"! {self.bench.sentence(faults[0])}", style.bone
        elif self._single:
            text = _("own_board.touch_a_field")
        else:
            degrees, scale = self.mapping.turn_and_scale
            text = _("own_board.drag_with_one_finger")
            text = text.format(degrees=figure(degrees, 1), scale=figure(scale, 2))
        return Words(text, font_size=style.type_xs, color=tone, width=room)

    # -- what keys do -----------------------------------------------------------------------

    def take(self, file: str = "") -> None:
        """Take the picture that is mapped: from the camera, or from a file."""
        look = self.bench.look(self._game, file)
        self._note, self._good = look.trouble, False
        if look.picture is not None and look.board is not None:
            self._look = look
            self.mapping = self.bench.mapping(self._game)
            moved = look.board.corners != self.mapping.laid.corners
            if moved:
                self.mapping.use_corners(look.board)
                self.mapping.set_outline(())
            self._single, self._picked, self._view = False, "", None
            if not self.mapping.outline:
                self._ask_outline()
        self.host.renew()

    def _ask_outline(self) -> None:
        """Asks for the edge of the board, before its fields are laid, or when it is to be
        changed."""
        mapping, look = self.mapping, self._look
        assert mapping is not None and look is not None and look.picture is not None
        first = not mapping.outline

        def done(right: bool) -> None:
            self.outline = None
            if first and not right:
                self._cancel()
                return
            if first:
                mapping.fill_outline()
            self.host.renew()

        self.outline = OutlineStep(
            self, mapping, look.picture, mapping.override.size,
            lambda: self.bench.find_outline(mapping, look), done,
        )  # fmt: skip

    def _mode(self, mode: str) -> None:
        if mode == "rim":
            self._ask_outline()
            self.host.renew()
            return
        self._single, self._picked, self._note = mode == "single", "", ""
        self._write()

    def _turn(self, way: int) -> None:
        self._change(turn_deg=way * TURN_DEG)

    def _grow(self, factor: float) -> None:
        assert self.mapping is not None
        if not self._single:
            self._change(scale=factor)
            return
        self.mapping.grip()
        self.mapping.scale_site(self._picked, factor**4)
        self._done()

    def _nudge(self, x: int, y: int) -> None:
        assert self.mapping is not None
        if not self._single:
            self._change(move=(x * NUDGE_MM, y * NUDGE_MM))
            return
        at = self.mapping.places[self._picked].at
        self.mapping.grip()
        self.mapping.move_site(self._picked, (at[0] + x * NUDGE_MM, at[1] + y * NUDGE_MM))
        self._done()

    def _change(self, **how: Any) -> None:
        assert self.mapping is not None
        self.mapping.grip()
        self.mapping.transform(**how)
        self._done()

    def _done(self) -> None:
        assert self.mapping is not None
        self.mapping.release()
        self._note = ""
        self._write()

    def _undo(self) -> None:
        assert self.mapping is not None
        self.mapping.undo()
        self._write()

    def _step_zoom(self) -> None:
        assert self._view is not None and self.mapping is not None
        about = self.mapping.places[self._picked].at if self._picked else None
        self._view.step_zoom(about)
        self._write()

    def _keep(self) -> None:
        assert self.mapping is not None and self._look is not None
        self._note = self.bench.keep(self.mapping, self._look)
        if self._note:
            self._write()
            return
        self._note, self._good = _("own_board.your_own_board_is_now"), True
        self._close()

    def _cancel(self) -> None:
        self._note = ""
        if self._put_aside():
            self._note, self._good = (
                _("own_board.it_was_not_saved_to_disk"),
                True,
            )
        self._close()

    def _put_aside(self) -> bool:
        """Keeps unsaved work until the next; True if there was any."""
        drawing, look = self.drawing, self._look
        if self.mapping is not None and look is not None and self.mapping.can_undo:
            self.bench.lay_aside(self._game, look, self.mapping)
        elif drawing is not None and drawing.draft is not None and drawing.draft.can_undo:
            self.bench.lay_aside(self._game, drawing.look, drawing.draft)
        else:
            return False
        return True

    def _take_up(self) -> None:
        """Continue with what was left."""
        aside, self.bench.aside, self._note = self.bench.aside, None, ""
        assert aside is not None
        self._game, self._look = aside.game, aside.look
        if isinstance(aside.work, Mapping):
            self.mapping = aside.work
            self._single, self._picked, self._view = False, "", None
        else:
            self.drawing = self._drawing(aside.look)
            self.drawing.draft = aside.work
        self.host.renew()

    def _ask(self, entry: Entry | None) -> None:
        """Opens a line to be typed over the page; None: back to the page."""
        self._entry = entry
        self.host.renew()

    def _ask_across(self) -> None:
        assert self.mapping is not None
        self._ask(width_entry(self.mapping.across_mm, self._use_across))

    def _use_across(self, across_mm: float | None) -> None:
        assert self.mapping is not None
        if across_mm is not None:
            self.mapping.grip()
            self.mapping.scale_corners(across_mm)
            self.mapping.release()
            self._view = None
        self._ask(None)

    def _forgetting(self, title: str, what: str, act: Callable[[], None], sign: str) -> Any:
        """A key that deletes something: it asks for confirmation."""
        if self._sure == what:
            return Key(_("own_board.touch_again_to_delete"), act, symbol="!", height=style.target)

        def ask() -> None:
            self._sure = what
            self.host.renew()

        return Key(title, ask, symbol=sign, height=style.target)

    def _close(self) -> None:
        self.mapping = self.drawing = self.outline = self._view = self._entry = None
        self._sure = ""
        # The eyes look for the board as it is now.
        self._camera.unwatch()
        self._camera.watch(self._game)
        self.host.renew()

    def _forget(self) -> None:
        self._note = self.bench.forget(self._game) or _("own_board.the_printed_board_is_in_use")
        self._good = not self.bench.mapped(self._game)
        self._close()

    def _next_game(self) -> None:
        self._sure = ""
        games = sorted(self._games)
        self._game = games[(games.index(self._game) + 1) % len(games)]
        self._note = ""
        self._camera.watch(self._game)
        self.host.renew()

    def _draw_board(self) -> None:
        self.drawing = self._drawing(self.bench.look(self._game))
        self.host.renew()

    def _drawing(self, look: BoardLook) -> Drawing:
        return Drawing(self, self.bench, self._game, look, self._ask, self._drawn)

    def _drawn(self, note: str) -> None:
        """The drawing is over; ``note``: what became of it, empty if it was given up."""
        if not note:
            self._cancel()
            return
        self._note, self._good = note, True
        self._close()

    def _forget_drawn(self, game: str) -> None:
        self._note = self.bench.forget_drawn(game)
        self._good, self._sure = False, ""
        self.host.renew()

    # -- what fingers do --------------------------------------------------------------------

    def _down(self, at: Point) -> bool:
        assert self.mapping is not None
        self.mapping.grip()
        self._dragged = self.mapping.site_at(at, REACH_MM) or "" if self._single else ""
        if self._dragged:
            self._from = self.mapping.places[self._dragged].at
        return bool(self._dragged) or not self._single

    def _drag(self, start: Point, now: Point) -> None:
        assert self.mapping is not None
        dx, dy = now[0] - start[0], now[1] - start[1]
        if not self._single:
            self.mapping.transform((dx, dy))
        elif self._dragged:
            self._picked = self._dragged
            self.mapping.move_site(self._dragged, (self._from[0] + dx, self._from[1] + dy))
        self._show_marks()

    def _pinch(self, start: Point, now: Point, degrees: float, scale: float) -> None:
        assert self.mapping is not None
        if not self._single:
            move = (now[0] - start[0], now[1] - start[1])
            self.mapping.transform(move, degrees, scale, about=start)
            self._show_marks()

    def _up(self, at: Point, tapped: bool) -> None:
        assert self.mapping is not None
        if tapped and self._single:
            found = self.mapping.site_at(at, REACH_MM) or ""
            self._picked = "" if found == self._picked else found
        self.mapping.release()
        self._note = ""
        self._write()

    def _show_marks(self, faults: Sequence[Fault] = ()) -> None:
        """Only the marks: the column waits until the finger has gone."""
        assert self.mapping is not None and self._view is not None
        wrong = {site for fault in faults if fault.blocks for site in fault.sites}
        marks = []
        for name in self.mapping.shown:
            site, place = self.mapping.box.sites[name], self.mapping.places[name]
            if site.printed:
                marks.append(Mark(name, place.at, place.radius, place.size, site.label,
                                  name == self._picked, name in wrong))  # fmt: skip
        self._view.measure(self.mapping.override.size)
        self._view.show_outline(Outline(self.mapping.outline))
        self._view.show_marks(marks)
