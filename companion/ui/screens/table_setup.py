"""Table setup: is everything there, does the camera see well, do lamps, display and sound work?

It may be repeated at any time; a match under way is not touched.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.checks import advice, figure, step_name, tone_words
from companion.presentation.words.translate import _
from companion.setup.table_check import (
    CAMERA_STEPS,
    STEPS,
    Bench,
    LampTrial,
    Trial,
    camera_findings,
)
from companion.support.finding import Finding, Verdict
from companion.ui.shell import Shell
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key
from companion.ui.widgets.choice import lamp_rows
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.widgets.step_row import Advice, StepRow
from rules.box import box_ids, load_box

LOOK_S = 0.5
"""Seconds between two looks at the camera's figures."""

TRIALS = STEPS[len(CAMERA_STEPS) :]


class TableSetupScreen(PageScreen):
    """``on_leave`` is called when it is done or skipped; the result is saved."""

    def __init__(
        self,
        shell: Shell,
        on_leave: Callable[[], None],
        *,
        chance: random.Random | None = None,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self._on_leave, self._now_s = shell, on_leave, now_s
        self._chance = chance or random.Random()
        self._before = shell.checked()
        self._boxes = box_ids()
        self.box = shell.box_in_use or self._boxes[0]
        """The board that is looked for."""
        self.bench: Bench = shell.bench(self.box)
        self.trial: LampTrial | Trial | None = None
        """The present question to people."""
        self._tried: dict[str, Finding] = {}
        self._rows: dict[str, StepRow] = {}
        self._advice: Advice | None = None
        self._foot = ""
        self._clock = Clock.schedule_interval(self._look, LOOK_S)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Present findings of all steps."""
        return (*camera_findings(self.bench.camera()), *map(self._device, TRIALS))

    @property
    def ready(self) -> bool:
        """True if nothing is open and nothing is wrong."""
        wrong = (Verdict.BAD, Verdict.WAITING)
        return all(finding.verdict not in wrong for finding in self.findings)

    # -- what touches do ------------------------------------------------------------------

    def open_trial(self, step: str) -> None:
        """Try lamps, display or sound."""
        if step not in TRIALS or self.bench.device(step) is not None:
            return
        self.trial = self.bench.trial(step, self._chance)
        self.renew()
        self.bench.show(self.trial)

    def sound_again(self) -> None:
        """Say the number again, or sound the buzzer."""
        self.bench.show(self.trial)

    def touch_lamp(self, index: int | None) -> None:
        """This lamp glows, or none does."""
        assert isinstance(self.trial, LampTrial)
        self.trial.answer(index)
        self.bench.show(self.trial)
        finding = self.trial.finding
        if finding is None:
            self.renew()
        else:
            self._close_trial(finding)

    def answer(self, choice: str | None) -> None:
        """This was shown or said; None: nothing."""
        assert isinstance(self.trial, Trial)
        self._close_trial(self.trial.finding(choice))

    def skip(self) -> None:
        """Leave the trial out."""
        step = "lamps" if isinstance(self.trial, LampTrial) else self.trial and self.trial.step
        if step:
            self._close_trial(Finding(step, Verdict.SKIPPED))

    def next_box(self) -> None:
        """Look for another board."""
        self.box = self._boxes[(self._boxes.index(self.box) + 1) % len(self._boxes)]
        self.bench.close()
        self.bench = self.shell.bench(self.box)
        self.renew()

    def go_on(self) -> None:
        """The next trial that is open; if there is none, it is done."""
        step = self._open_step()
        if step:
            self.open_trial(step)
        else:
            self._on_leave()

    def leave(self) -> None:
        """Save the result and give the devices back."""
        self._clock.cancel()
        self.shell.checked.keep(self.findings, self._now_s())
        self.bench.glow(None)
        self.bench.close()
        super().leave()

    # -- findings -------------------------------------------------------------------------

    def _device(self, step: str) -> Finding:
        by_itself = self.bench.device(step)
        if by_itself is not None:
            return by_itself
        return self._tried.get(step, Finding(step, Verdict.WAITING, code="try"))

    def _open_step(self) -> str:
        for step in TRIALS:
            if self._device(step).code == "try":
                return step
        return ""

    def _close_trial(self, finding: Finding) -> None:
        self._tried[finding.check] = finding
        self.trial = None
        self.bench.show(None)
        self.renew()

    def _look(self, *_: Any) -> None:
        if self.trial is not None or not self._rows:
            return
        if self._foot != self._next():
            self.renew()
        else:
            self._refresh()

    def _refresh(self) -> None:
        findings = self.findings
        for finding in findings:
            self._rows[finding.check].show(_state(finding), figure(finding))
        if self._advice is not None:
            self._advice.show(*self._next_words(findings))

    def _next(self) -> str:
        """Present action of the primary button."""
        return self._open_step() or ("ready" if self.ready else "leave")

    def _next_words(self, findings: tuple[Finding, ...]) -> tuple[str, str, str]:
        for finding in findings:
            if finding.verdict is Verdict.BAD:
                return "bad", step_name(finding.check), advice(finding)
        open_step = self._open_step()
        if open_step:
            text = _("setup.lamps_display_and_sound")
            return "open", _("setup.next_step").format(step=step_name(open_step)), text
        if any(finding.verdict is Verdict.WAITING for finding in findings):
            return "waiting", _("screens.one_moment"), _("setup.looking_for_devices_and_the_camera")
        if all(finding.verdict is Verdict.ABSENT for finding in findings):
            text = _("setup.no_camera_or_device_is_set")
            return "good", _("setup.ready"), text
        return "good", _("setup.ready"), _("setup.everything_that_is_set_up_works")

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        self._rows, self._advice = {}, None
        if isinstance(self.trial, LampTrial):
            self._build_lamps(frame, width, self.trial)
        elif self.trial is not None:
            self._build_trial(frame, width, self.trial)
        else:
            self._build_overview(frame, width)

    def _build_overview(self, frame: Any, width: float) -> None:
        keys = []
        if self.shell.camera.is_set_up and not self.shell.box_in_use:
            name = load_box(self.box).names[style.lang]
            key = Key(name, self.next_box, symbol="›", size_hint=(None, None), height=style.target)
            key.width = style.target * 3.6
            keys.append(key)
        frame.add_widget(head(_("screens.check_the_table"), self._told(), width, keys))
        half = (width - style.gap) / 2 if self.landscape else width
        high = style.target * (1.08 if self.landscape else 1.1)
        for step in STEPS:
            again = partial(self.open_trial, step) if step in TRIALS else None
            self._rows[step] = StepRow(step_name(step), again, half, height=high)
        self._advice = Advice(half, size_hint_y=1 if self.landscape else None)
        rows = list(self._rows.values())
        if self.landscape:
            area = BoxLayout(spacing=style.gap)
            cameras = len(CAMERA_STEPS)
            area.add_widget(_column(rows[:cameras]))
            area.add_widget(_column([*rows[cameras:], self._advice]))
            frame.add_widget(area)
        else:
            self._advice.height = style.target * 2.2
            frame.add_widget(_column([*rows, self._advice, Widget()]))
        self._foot = self._next()
        frame.add_widget(self._foot_keys())
        self._refresh()

    def _foot_keys(self) -> Any:
        if self._foot == "ready":
            return Key(_("screens.done"), self._on_leave, symbol="✓", primary=True)
        away = Key(_("setup.leave_it_at_that"), self._on_leave, size_hint_x=0.7)
        if self._foot == "leave":
            if not self.bench.adjusts:
                return away
            anew = Key(_("screens.adjust_the_camera"), self.bench.adjust, symbol="↻")
            return beside(away, anew)
        label = _("setup.try_step").format(step=step_name(self._foot))
        return beside(away, Key(label, self.go_on, symbol="→", primary=True))

    def _told(self) -> str:
        if self._before is None or not self._before[1]:
            return _("setup.a_few_steps")
        wrong = [f for f in self._before[1] if f.verdict is Verdict.BAD]
        if not wrong:
            return _("setup.last_time_everything_worked")
        return _("setup.last_time_something_was_wrong").format(step=step_name(wrong[0].check))

    def _build_lamps(self, frame: Any, width: float, trial: LampTrial) -> None:
        done = trial.order.index(trial.glowing) if trial.glowing is not None else 0
        told = _("setup.touch_it_here").format(number=done + 1, count=len(trial.order))
        frame.add_widget(head(_("setup.which_lamp_is_lit"), told, width))
        frame.add_widget(self.listing(lamp_rows(trial.count, self.touch_lamp, width), style.gap_s))
        skip = Key(_("screens.skip"), self.skip, symbol="→")
        frame.add_widget(beside(skip, Key(_("setup.none_is_lit"), partial(self.touch_lamp, None))))

    def _build_trial(self, frame: Any, width: float, trial: Trial) -> None:
        keys = [Key(_("screens.skip"), self.skip, symbol="→")]
        if trial.step == "display":
            title, text = (
                _("setup.what_does_the_display_show"),
                _("setup.touch_the_word_you_read_there"),
            )
            nothing = _("setup.nothing_i_could_read")
        else:
            title, text = _("setup.what_did_you_hear"), _("setup.touch_what_was_said")
            if not self.bench.speaks:
                text = _("setup.touch_what_you_heard")
            nothing = _("setup.nothing")
            keys.append(Key(_("screens.once_more"), self.sound_again, symbol="↻"))
        frame.add_widget(head(title, text, width))
        frame.add_widget(Widget())
        answers = [
            Key(tone_words(choice), partial(self.answer, choice), height=style.button * 1.3)
            for choice in trial.choices
        ]
        if self.landscape:
            frame.add_widget(beside(*answers))
        else:
            for answer in answers:
                frame.add_widget(answer)
        frame.add_widget(Key(nothing, partial(self.answer, None)))
        frame.add_widget(Widget())
        frame.add_widget(beside(*keys))


def _column(rows: list[Any]) -> Any:
    column = BoxLayout(orientation="vertical", spacing=style.gap_s)
    for row in rows:
        column.add_widget(row)
    if all(row.size_hint_y is None for row in rows):
        column.add_widget(Widget())
    return column


def _state(finding: Finding) -> str:
    """The sign of a finding."""
    return "open" if finding.code == "try" else finding.verdict.value
