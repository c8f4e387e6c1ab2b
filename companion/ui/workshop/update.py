"""A newer version of Heelstone, between matches: what is offered, how far it is, the way back."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.match.view import TableView
from companion.presentation.words.translate import _, language
from companion.presentation.words.troubles import exactly
from companion.support.updates import STEPS, Release, UpdateError, Updates, UpdateState, Wanted
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Symbol, Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told
from rules.texts import Texts


class UpdatePage(BenchPage):
    """Root does it; this page asks and tells."""

    def __init__(
        self, host: PageScreen, updates: Updates, played: Callable[[], TableView | None]
    ) -> None:
        """``played``: the match under way."""
        super().__init__(host)
        self._updates, self._played = updates, played
        self._state = UpdateState()
        self._trouble = ""
        self._sure = False
        """True if it is being asked whether people really want the version before."""

    @property
    def title(self) -> str:
        return _("screens.update")

    def enter(self) -> None:
        self._state = self._updates.look()

    def tick(self) -> None:
        state = self._updates.look()
        if state != self._state:
            self._state = state
            self.host.renew()

    def fill(self, frame: Frame, width: float) -> None:
        state, inner = self._state, width - style.gap
        if not state.able:
            rows = [told(_("update.this_heelstone_is_updated_by_hand"), _by_hand(), inner)]
            frame.add_widget(self.host.listing(rows, style.gap_s))
        elif state.doing is not None:
            rows = _progress(state.doing, state.step, inner)
            frame.add_widget(self.host.listing(rows, style.gap_s))
        elif self._is_played():
            text = _("update.play_it_to_its_end")
            rows = [told(_("update.a_match_is_under_way"), text, inner, "!", "dawn")]
            frame.add_widget(self.host.listing(rows, style.gap_s))
        else:
            self._fill_idle(frame, inner)

    # -- private ----------------------------------------------------------------------------

    def _is_played(self) -> bool:
        view = self._played()
        return view is not None and view.outcome is None

    def _fill_idle(self, frame: Frame, width: float) -> None:
        state = self._state
        if self._sure and state.before is not None:
            self._fill_question(frame, width, state.before)
            return
        rows: list[Any] = []
        if self._trouble:
            rows.append(told(_("update.that_did_not_work"), self._trouble, width, "✕", "stop"))
        elif state.result:
            rows.append(_result(state, width))
        if state.installed is not None:
            title = _("update.installed_version").format(version=state.installed.version)
            rows.append(told(title, _since(state.installed), width, "●"))
        if state.offered:
            title = _("update.version_of_day").format(
                version=state.offered, day=_day(state.offered_on)
            )
            text = _("update.it_takes_some_minutes_and_needs")
            rows.append(told(title, text, width, "⇪", "dawn"))
        frame.add_widget(self.host.listing(rows, style.gap_s))
        frame.add_widget(beside(*self._keys(state)))

    def _keys(self, state: UpdateState) -> list[Any]:
        keys = []
        if state.before is not None:
            text = _("update.back_to_version").format(version=state.before.version)
            keys.append(Key(text, self._ask_back, symbol="↺"))
        look = partial(self.ask, Wanted.LOOK)
        keys.append(Key(_("update.look_for_updates"), look, symbol="◎", primary=not state.offered))
        if state.offered:
            update = partial(self.ask, Wanted.UPDATE)
            keys.append(Key(_("update.update_now"), update, symbol="⇪", primary=True))
        return keys

    def _fill_question(self, frame: Frame, width: float, before: Release) -> None:
        title = _("update.go_back_to_version").format(version=before.version)
        text = _("update.heelstone_starts_anew_with_it")
        rows = [told(title, f"{_since(before)} {text}", width, "↺", "dawn")]
        frame.add_widget(self.host.listing(rows, style.gap_s))
        stay = Key(_("update.no_stay"), self._stay, symbol="✕")
        frame.add_widget(beside(stay, Key(_("update.yes_go_back"), partial(self.ask, Wanted.BACK))))

    # -- what touches do --------------------------------------------------------------------

    def ask(self, wanted: Wanted) -> None:
        """Sends a request to root, unless a match began meanwhile."""
        self._sure, self._trouble = False, ""
        if not self._is_played():
            try:
                self._updates.ask(wanted)
            except UpdateError as error:
                self._trouble = exactly(error.sentence)
        self._state = self._updates.look()
        self.host.renew()

    def _ask_back(self) -> None:
        self._sure = True
        self.host.renew()

    def _stay(self) -> None:
        self._sure = False
        self.host.renew()


def _by_hand() -> str:
    return _("update.between_two_matches")


def _day(written: str) -> str:
    """A day as root writes it, in the form of the language."""
    try:
        return time.strftime(_("language.date"), time.strptime(written, "%Y-%m-%d"))
    except ValueError:
        return written


def _since(release: Release) -> str:
    day = time.strftime(_("language.date"), time.localtime(release.installed_s))
    return _("update.installed_on_day").format(day=day) if release.installed_s else ""


def _progress(doing: Wanted, step: str, width: float) -> list[Any]:
    """The steps: those that are done, the one that is under way, those to come."""
    steps = STEPS[doing]
    at = steps.index(step) if step in steps else 0
    text = _("update.please_leave_the_power_on")
    rows: list[Any] = [told(_(f"update.doing.{doing}"), text, width, "…", "ask"), _gap()]
    for number, name in enumerate(steps):
        sign = "✓" if number < at else "▸" if number == at else "○"
        tone = style.bone if number <= at else style.ash
        rows.append(_step_line(sign, Words(_(f"update.steps.{name}"), bold=number == at, color=tone,
                                           width=width - style.type_l)))  # fmt: skip
    return rows


def _step_line(sign: str, words: Any) -> Any:
    symbol = Symbol(text=sign, color=words.color, size_hint=(None, None))
    symbol.size = (style.type_l, words.height)
    return beside(symbol, words, gap=0)


def _gap() -> Any:
    return Widget(size_hint_y=None, height=style.grid)


def _result(state: UpdateState, width: float) -> Any:
    """Result of the last request."""
    if state.result == "ok":
        if state.asked is Wanted.UPDATE and state.why != "newest":
            return told(
                _("update.heelstone_is_up_to_date"), _("update.the_update_worked"), width, "✓", "ok"
            )
        if state.asked is Wanted.BACK:
            return told(_("update.the_version_before_is_in_use"), "", width, "✓", "ok")
        found = (
            _("update.there_is_a_newer_version")
            if state.offered
            else _("update.there_is_nothing_newer")
        )
        return told(found, "", width, "✓", "ok")
    if state.result == "cut":
        text = _("update.the_power_went")
        return told(_("update.it_was_interrupted"), text, width, "!", "dawn")
    if state.result == "unheard":
        text = _("update.restart_the_computer")
        return told(_("update.nobody_answers"), text, width, "✕", "stop")
    return told(_("update.that_did_not_work"), _reason(state.why), width, "✕", "stop")


def _reason(why: str) -> str:
    reasons = Texts("update.reasons", language())
    if not reasons.knows(why):
        return _("update.the_file_heelstone_install_log")
    calm = "" if why == "returned" else f" {_('update.nothing_was_changed')}"
    return reasons[why] + calm
