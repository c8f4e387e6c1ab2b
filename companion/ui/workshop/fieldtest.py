"""Pages of the field test: the checks one after the other, their findings, and the file to take
along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.export.qr import code_of
from companion.export.sticks import Stick, StickDesk, StickNews
from companion.presentation.words.checks import (
    answer_words,
    check_name,
    figure_rows,
    in_brief,
    outcome,
)
from companion.presentation.words.translate import _, language
from companion.presentation.words.troubles import exactly
from companion.settings.writing import WriteError, write_whole
from companion.support.finding import Finding, Verdict
from companion.ui.drawing.camera_view import CameraView
from companion.ui.drawing.code import CodePicture
from companion.ui.screens.export_page import stick_way, way_out
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.choice import lamp_rows
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.widgets.sheet import Column
from companion.ui.widgets.step_row import Advice, StepRow
from companion.ui.workshop.glass_panel import GlassPanel
from companion.ui.workshop.page import BenchPage, Frame, figure_row, told
from companion.workshop.fieldtest.record import code_texts
from companion.workshop.fieldtest.sequence import FieldTest, file_name, today
from companion.workshop.fieldtest.steps import Answer, Step
from rules.texts import Texts

WHOLE_GLASS = ("target", "fingers", "colours")
"""Panels that cover the whole screen."""
SHORT = 70
"""Letters up to which an instruction is set larger."""


class FieldTestPage(BenchPage):
    """The field test; it goes on by itself where a power cut or a crash has interrupted it."""

    def __init__(
        self, host: PageScreen, test: FieldTest, folder: Path, sticks: StickDesk | None = None
    ) -> None:
        """``folder``: where the file is written on this computer. ``sticks``: where to look for
        them; None: at this computer."""
        super().__init__(host)
        self.test, self._folder = test, folder
        self.view = "overview"
        """``overview``, ``check``, ``outcome``, ``away`` (the file), ``codes``, ``anew``."""
        self.frames = 0
        self._desk, self._news = sticks or StickDesk(), StickNews()
        self._file = b""
        self._codes: tuple[str, ...] = ()
        self._code = 0
        self._saved = ""
        self._told: Any = None
        self._mark: tuple[Any, ...] = ()
        self._spin: Any = None

    @property
    def title(self) -> str:
        titles = {"away": "hand_over", "codes": "hand_over", "anew": "begin_anew"}
        if self.view in ("check", "outcome"):
            return check_name(self.test.name)
        return _(f"fieldtest.{titles.get(self.view, 'title')}")

    @property
    def text(self) -> str:
        return _("fieldtest.about") if self.view == "overview" else ""

    # -- the glass, as the checks see it ----------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen, px."""
        return round(self.host.width), round(self.host.height)

    @property
    def reach_px(self) -> float:
        """Half of the smallest key."""
        return float(style.target / 2)

    # -- coming and going -------------------------------------------------------------------

    def enter(self) -> None:
        self.test.kit.glass = self
        Window.bind(on_flip=self._flipped)
        self._spin = Clock.schedule_interval(self._draw_again, 0)
        if self.test.interrupted:
            self._begin(self.test.go_on)

    def leave(self) -> None:
        Window.unbind(on_flip=self._flipped)
        self._spin.cancel()
        self._desk.close()
        self.test.leave(keep_mark=not self.test.step)
        self.test.kit.glass = None

    def tick(self) -> None:
        if self.view == "check":
            self._hear(None)
        elif self.view == "away" and self._desk.news != self._news:
            self.host.renew()

    def _flipped(self, *_: Any) -> None:
        self.frames += 1

    def _draw_again(self, *_: Any) -> None:
        if self.test.step is not None and self.test.step.code == "frames":
            self.host.canvas.ask_update()

    # -- what touches do --------------------------------------------------------------------

    def begin(self, name: str) -> None:
        """Begin a check, for the first time or again."""
        self._begin(partial(self.test.begin, name))

    def go_on(self) -> None:
        """Begin the next open check; after the last show the overview."""
        if self.test.following:
            self._begin(self.test.go_on)
        else:
            self.show("overview")

    def skip(self) -> None:
        """Leave the check out."""
        self.test.skip()
        self.go_on()

    def show(self, view: str) -> None:
        """Show another part of the page."""
        if view == "away" and not self._file:
            self._file = self.test.file()
            self._codes = code_texts(self.test.file(photo=False))
            self._saved, self._desk = "", self._desk.start()
        self.view, self._code = view, 0
        self.host.renew()

    def answer(self, answer: Answer) -> None:
        """Hand the answer of people to the check."""
        self._hear(answer)

    def _begin(self, begin: Callable[[], None]) -> None:
        self._file, self.view = b"", "check"
        begin()
        self._look()

    def _hear(self, answer: Answer | None) -> None:
        self.test.tick(answer)
        self._look()

    def _look(self) -> None:
        """Show how the check stands now; what can still be touched is not rebuilt."""
        step = self.test.step
        if step is None:
            self.view, self._mark = "outcome", ()
            self.host.renew()
            return
        mark = (self.test.name, step.code, step.choices, step.panel, step.at)
        if mark != self._mark:
            self._mark = mark
            self.host.renew()
        elif self._told is not None:
            self._told.text = _words_of(step)

    # -- building ---------------------------------------------------------------------------

    def fill(self, frame: Frame, width: float) -> None:
        self._told = None
        step = self.test.step if self.view == "check" else None
        if step is not None and step.panel in WHOLE_GLASS:
            self._fill_glass(step)
        elif step is not None:
            self._fill_step(frame, width, step)
        else:
            getattr(self, f"_fill_{self.view}", self._fill_overview)(frame, width)

    def _fill_overview(self, frame: Frame, width: float) -> None:
        test, each = self.test, (width - style.gap) / (2 if self.host.landscape else 1)
        done = sum(name in test.findings for name in test.checks)
        count = _("fieldtest.count_done").format(done=done, count=len(test.checks))
        words = f"{count}. {_('fieldtest.intro')}"
        frame.add_widget(Words(words, color=style.ash, font_size=style.type_xs, width=width))
        rows = []
        for name in test.checks:
            row = StepRow(check_name(name), partial(self.begin, name), each, share=0.35)
            found = test.findings.get(name)
            state, first = ("open", "") if found is None else (found.verdict.value, in_brief(found))
            row.show(state, first)
            rows.append(row)
        if self.host.landscape:
            rows = [beside(*rows[n : n + 2], *[Widget()] * (n + 2 > len(rows)))
                    for n in range(0, len(rows), 2)]  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.gap_s))
        keys = []
        if done:
            keys.append(Key(_("fieldtest.begin_anew"), partial(self.show, "anew"), symbol="↺"))
            away = partial(self.show, "away")
            keys.append(Key(_("fieldtest.hand_over"), away, symbol="⇩", primary=not test.following))
        if test.following:
            keys.append(self._next_key())
        self._add_foot(frame, keys)

    def _fill_step(self, frame: Frame, width: float, step: Step) -> None:
        words = _words_of(step)
        size = style.type_m if len(words) <= SHORT else style.type_s
        self._told = Words(words, font_size=size, width=width)
        frame.add_widget(self._told)
        if step.panel == "lamps":
            rows = lamp_rows(step.lamps, lambda lamp: self.answer(str(lamp)), width)
            frame.add_widget(self.host.listing(rows, style.gap_s))
        elif step.panel == "photo":
            picture = CameraView(lambda _gesture: None)
            data = np.frombuffer(self.test.kit.record.photo, np.uint8)
            picture.show(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8))
            frame.add_widget(picture)
        else:
            frame.add_widget(Widget())
        keys = self._choices(step)
        if self.host.landscape and keys:
            frame.add_widget(beside(*keys))
        else:
            for key in keys:
                frame.add_widget(key)
        frame.add_widget(Key(_("fieldtest.skip"), self.skip, symbol="⇥", height=style.target))

    def _choices(self, step: Step) -> list[Any]:
        one = len(step.choices) == 1 and step.choices[0] == "ready"
        return [
            Key(answer_words(choice), partial(self.answer, choice), primary=one)
            for choice in step.choices
        ]

    def _fill_glass(self, step: Step) -> None:
        keys = [*self._choices(step), Key(_("fieldtest.skip"), self.skip, symbol="⇥")]
        panel = GlassPanel(step, _words_of(step), keys, self.answer)
        self.host.page.add_widget(panel)

    def _fill_outcome(self, frame: Frame, width: float) -> None:
        test = self.test
        found = test.findings.get(test.name, Finding(test.name, Verdict.WAITING))
        parts = [found, *(one for one in test.last if one.check != test.name)]
        card = Advice(width, size_hint_y=None, height=style.target * 1.9)
        card.show(found.verdict.value, check_name(test.name), outcome(found))
        frame.add_widget(card)
        rows = [figure_row(name, value, width - style.gap, 0.6)
                for name, value in figure_rows(parts)]  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.grid))
        again = Key(_("fieldtest.again"), partial(self.begin, test.name), symbol="↻")
        overview = Key(_("fieldtest.all_checks"), partial(self.show, "overview"), symbol="☰")
        self._add_foot(frame, [overview, again, self._next_key()])

    def _next_key(self) -> Any:
        """The key to the next open check, or on from the last."""
        label = _("fieldtest.go_on")
        if self.test.following:
            label = _("fieldtest.next").format(name=check_name(self.test.following))
        return Key(label, self.go_on, symbol="→", primary=True)

    def _add_foot(self, frame: Frame, keys: Sequence[Any]) -> None:
        """Up to three keys in one line; on an upright screen two, and the third below them."""
        each = len(keys) if self.host.landscape else 2
        for first in range(0, len(keys), each):
            frame.add_widget(beside(*keys[first : first + each]))

    def _fill_anew(self, frame: Frame, width: float) -> None:
        text = _("fieldtest.really_anew")
        frame.add_widget(told(_("fieldtest.begin_anew"), text, width, "↺", "dawn"))
        frame.add_widget(Widget())
        back = Key(_("screens.go_back"), partial(self.show, "overview"), symbol="←")
        frame.add_widget(beside(back, Key(_("fieldtest.yes_delete"), self._forget, symbol="✕")))

    def _forget(self) -> None:
        self.test.kit.record.forget()
        self._file = b""
        self.show("overview")

    def _fill_away(self, frame: Frame, width: float) -> None:
        self._news, inner = self._desk.news, width - style.gap
        holds = _("fieldtest.what_it_holds")
        if self.test.kit.record.photo:
            holds = f"{holds} {_('fieldtest.with_photo')}"
        codes = _("fieldtest.as_codes_text").format(count=len(self._codes))
        show = Key(_("fieldtest.show_codes"), partial(self.show, "codes"), symbol="▦")
        save = Key(_("export.save_here"), self.save_here, symbol="⇩")
        here = self._saved or _("fieldtest.save_here_text")
        rows = [
            Words(holds, color=style.ash, width=inner),
            stick_way(self._news, self.save_on, inner, _("fieldtest.plug_in")),
            way_out("▦", _("fieldtest.as_codes"), codes, show, inner),
            way_out("☰", _("export.file_on_this_computer"), here, save, inner),
        ]
        frame.add_widget(self.host.listing(rows, style.gap_s))
        overview = partial(self.show, "overview")
        frame.add_widget(Key(_("screens.go_back"), overview, symbol="←", height=style.target))

    def save_on(self, stick: Stick) -> None:
        """Write the file onto a stick."""
        self._desk.keep(stick, (file_name(today()), self._file))
        self.host.renew()

    def save_here(self) -> None:
        """Write the file into the folder of this computer."""
        path = self._folder / file_name(today())
        try:
            write_whole(path, self._file)
        except WriteError as error:
            self._saved = exactly(error.sentence)
        else:
            told = _("export.saved_as_name_in_the_folder")
            self._saved = told.format(name=path.name, folder=path.parent)
        self.host.renew()

    def _fill_codes(self, frame: Frame, width: float) -> None:
        code, wide = CodePicture(code_of(self._codes[self._code])), self.host.landscape
        line = BoxLayout(orientation="horizontal" if wide else "vertical", spacing=style.gap_l)
        words = self._about_code(width * 0.42 if wide else width)
        if not wide:
            code.size_hint_y, code.height = None, width
        line.add_widget(code)
        line.add_widget(words)
        frame.add_widget(line)

    def _about_code(self, room: float) -> Any:
        """The words and keys beside a code, or below it; ``room``: their width, px."""
        count = len(self._codes)
        number = _("fieldtest.code_number").format(number=self._code + 1, count=count)
        words = [Words(number, bold=True, font_size=style.type_m, width=room),
                 Words(_("fieldtest.code_text"), width=room)]  # fmt: skip
        beside_code = BoxLayout(orientation="vertical", spacing=style.gap_s)
        beside_code.add_widget(Column(words, style.gap))
        if count > 1:
            turn = Key(_("fieldtest.following"), self._next_code, symbol="→", primary=True)
            beside_code.add_widget(turn)
        beside_code.add_widget(Key(_("screens.go_back"), partial(self.show, "away"), symbol="←"))
        if self.host.landscape:
            beside_code.size_hint_x, beside_code.width = None, room
        return beside_code

    def _next_code(self) -> None:
        self._code = (self._code + 1) % len(self._codes)
        self.host.renew()


def _words_of(step: Step) -> str:
    return Texts("fieldtest.steps", language())(step.code, **step.values)
