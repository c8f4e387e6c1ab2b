"""Measuring the camera's lens with a printed sheet, guided picture by picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.sentences import percent
from companion.presentation.words.translate import _
from companion.ui.drawing.camera_view import CameraView
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.page import BenchPage, Frame, told

if TYPE_CHECKING:
    from companion.workshop.lens import LensBench, LensLook


class LensPage(BenchPage):
    """First what is needed, then the picture, then the verdict."""

    def __init__(self, host: PageScreen, lens: LensBench) -> None:
        super().__init__(host)
        self.bench = lens
        self._running = False
        self._picture: Any = None
        self._column: Any = None
        self._said: tuple[Any, ...] = ()

    @property
    def title(self) -> str:
        return _("workshop.measure_the_lens")

    def leave(self) -> None:
        self._running = False
        self.bench.stop()

    def fill(self, frame: Frame, width: float) -> None:
        self._picture, self._said = None, ()
        if self._running:
            area, column, room = self.split(frame, width)
            self._picture = CameraView(lambda _gesture: None, pos_hint={"x": 0, "y": 0})
            area.add_widget(self._picture)
            self._column, self._room = column, room
            self.tick()
            return
        inner = width - style.gap
        able = self.bench.is_possible
        rows: list[Any] = []
        if not able:
            text = _("workshop.a_camera_must_be_set_up")
            rows.append(told(_("workshop.there_is_no_lens_to_measure"), text, inner))
        rows += [
            Words(_("workshop.every_lens_bends_straight_lines"),
                  width=inner),
            Words(_("workshop.print_the_sheet"), color=style.ash, width=inner),
            Words(_("workshop.glue_it_to_something_stiff"), color=style.ash,
                  width=inner),
            Words(_("workshop.hold_it_up_to_the_camera"), color=style.ash, width=inner),
        ]  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.gap_s))
        begin = Key(_("workshop.begin"), self._begin, primary=True)
        begin.disabled = not able
        frame.add_widget(begin)

    def tick(self) -> None:
        if self._picture is None:
            return
        look = self.bench.look()
        if look.picture is not None:
            self._picture.show(look.picture)
        said = (look.sentence, look.want, round(look.share, 2), look.reckoning, look.done)
        if said != self._said:
            self._said = said
            self._write(look)

    def _write(self, look: LensLook) -> None:
        room = self._room
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        if look.done:
            sign, tone = ("✓", "ok") if look.done == "passed" else ("!", "dawn")
            box.add_widget(told(look.sentence, "", room, sign, tone))
        elif look.reckoning:
            box.add_widget(told(_("workshop.calculating_the_lens"), "", room, "…"))
        else:
            want = look.want or _("workshop.waiting_for_the_first_picture")
            box.add_widget(Words(want, bold=True, font_size=style.type_s, width=room))
            box.add_widget(Words(look.sentence or " ", color=style.ash, width=room))
            done = _("workshop.part_of_what_is_needed").format(part=percent(look.share))
            box.add_widget(Words(done, color=style.ash, width=room))
        box.add_widget(Widget())
        if look.done:
            box.add_widget(
                Key(_("screens.once_more"), self._begin, symbol="↺", height=style.target)
            )
        box.add_widget(Key(_("screens.stop"), self._end, height=style.target))
        self._column.clear_widgets()
        self._column.add_widget(box)

    def _begin(self) -> None:
        self._running = True
        self.bench.begin()
        self.host.renew()

    def _end(self) -> None:
        self.leave()
        self.host.renew()
