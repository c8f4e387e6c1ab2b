"""A newer version of Heelstone, between matches: what is offered, how far it is, the way back."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.care.updates import STEPS, Release, UpdateError, Updates, UpdateState, Wanted
from companion.match.view import TableView
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import exactly
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Symbol, Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told

__all__ = ["UpdatePage"]


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
        """Whether it is being asked if people really want the version before."""

    @property
    def title(self) -> str:
        return _("Update")

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
            rows = [told(_("This Heelstone is updated by hand."), _by_hand(), inner)]
            frame.add_widget(self.host.listing(rows, style.gap_s))
        elif state.doing is not None:
            rows = _progress(state.doing, state.step, inner)
            frame.add_widget(self.host.listing(rows, style.gap_s))
        elif self._is_played():
            text = _(
                "Play it to its end, or go to the shelf: it is kept and can be played on after "
                "the update."
            )
            rows = [told(_("A match is under way."), text, inner, "!", "dawn")]
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
            rows.append(told(_("That did not work."), self._trouble, width, "✕", "stop"))
        elif state.result:
            rows.append(_result(state, width))
        if state.installed is not None:
            title = _("Installed: version {version}").format(version=state.installed.version)
            rows.append(told(title, _since(state.installed), width, "●"))
        if state.offered:
            title = _("Version {version} of {day} can be installed").format(
                version=state.offered, day=_day(state.offered_on)
            )
            text = _(
                "It takes some minutes and needs a network. Matches and settings are kept. Near "
                "the end the screen goes dark for about a minute."
            )
            rows.append(told(title, text, width, "⇪", "dawn"))
        frame.add_widget(self.host.listing(rows, style.gap_s))
        frame.add_widget(beside(*self._keys(state)))

    def _keys(self, state: UpdateState) -> list[Any]:
        keys = []
        if state.before is not None:
            text = _("Back to {version}").format(version=state.before.version)
            keys.append(Key(text, self._ask_back, symbol="↺"))
        look = partial(self.ask, Wanted.LOOK)
        keys.append(Key(_("Look for updates"), look, symbol="◎", primary=not state.offered))
        if state.offered:
            update = partial(self.ask, Wanted.UPDATE)
            keys.append(Key(_("Update now"), update, symbol="⇪", primary=True))
        return keys

    def _fill_question(self, frame: Frame, width: float, before: Release) -> None:
        title = _("Go back to version {version}?").format(version=before.version)
        text = _(
            "Heelstone starts anew with it. If it cannot read the newer journal, it gets the copy "
            "from before the update; matches played since then stay in a file of their own."
        )
        rows = [told(title, f"{_since(before)} {text}", width, "↺", "dawn")]
        frame.add_widget(self.host.listing(rows, style.gap_s))
        stay = Key(_("No, stay"), self._stay, symbol="✕")
        frame.add_widget(beside(stay, Key(_("Yes, go back"), partial(self.ask, Wanted.BACK))))

    # -- what touches do --------------------------------------------------------------------

    def ask(self, wanted: Wanted) -> None:
        """Ask root, unless a match began meanwhile."""
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
    return _(
        "Between two matches, open a terminal in Heelstone’s folder and run git pull. On a table "
        "that was set up with install.sh, run sudo ./install.sh after that. Matches and settings "
        "are kept."
    )


def _day(written: str) -> str:
    """A day as root writes it, in the form of the language."""
    try:
        return time.strftime(_("%Y-%m-%d"), time.strptime(written, "%Y-%m-%d"))
    except ValueError:
        return written


def _since(release: Release) -> str:
    day = time.strftime(_("%Y-%m-%d"), time.localtime(release.installed_s))
    return _("Installed on {day}.").format(day=day) if release.installed_s else ""


def _progress(doing: Wanted, step: str, width: float) -> list[Any]:
    """The steps: those that are done, the one that is under way, those to come."""
    words = {
        "fetching": _("Look for a newer version"), "packages": _("Get what the system needs"),
        "building": _("Build the new version"), "trying": _("Try it out"),
        "switching": _("Put it in place; the screen goes dark"),
        "starting": _("Start; it counts once it has run for a while"),
    }  # fmt: skip
    titles = {
        Wanted.LOOK: _("Looking for a newer version …"), Wanted.UPDATE: _("Updating …"),
        Wanted.BACK: _("Going back …"),
    }  # fmt: skip
    steps = STEPS[doing]
    at = steps.index(step) if step in steps else 0
    text = _("Please leave the power on. If it fails all the same, the version of now goes on.")
    rows: list[Any] = [told(titles[doing], text, width, "…", "ask"), _gap()]
    for number, name in enumerate(steps):
        sign = "✓" if number < at else "▸" if number == at else "○"
        tone = style.bone if number <= at else style.ash
        rows.append(_step_line(sign, Words(words[name], bold=number == at, color=tone,
                                           width=width - style.type_l)))  # fmt: skip
    return rows


def _step_line(sign: str, words: Any) -> Any:
    symbol = Symbol(text=sign, color=words.color, size_hint=(None, None))
    symbol.size = (style.type_l, words.height)
    return beside(symbol, words, gap=0)


def _gap() -> Any:
    return Widget(size_hint_y=None, height=style.grid)


def _result(state: UpdateState, width: float) -> Any:
    """What came of the last thing that was asked for."""
    if state.result == "ok":
        if state.asked is Wanted.UPDATE and state.why != "newest":
            return told(_("Heelstone is up to date."), _("The update worked."), width, "✓", "ok")
        if state.asked is Wanted.BACK:
            return told(_("The version before is in use again."), "", width, "✓", "ok")
        found = _("There is a newer version.") if state.offered else _("There is nothing newer.")
        return told(found, "", width, "✓", "ok")
    if state.result == "cut":
        text = _("The power went, or it was ended. The version that was in use goes on.")
        return told(_("It was interrupted."), text, width, "!", "dawn")
    if state.result == "unheard":
        text = _("Restart the computer, and try again.")
        return told(_("Nobody answers."), text, width, "✕", "stop")
    return told(_("That did not work."), _reason(state.why), width, "✕", "stop")


def _reason(why: str) -> str:
    calm = _("Nothing was changed.")
    reasons = {
        "network": _("There is no network, or the place with new versions does not answer."),
        "origin": _("It is not known where new versions come from. Run install.sh once from a "
                    "folder that was made with git clone over https."),
        "package": _("Heelstone came as a file here, and so do newer versions. Download the new "
                     "file on this computer, and in the terminal run: sudo apt install ./NAME.deb"),
        "room": _("There is not enough room on the disk."),
        "returned": _("The new version did not start. The version before is in use again."),
        "busy": _("install.sh is at work already. Wait until it is done, and try again."),
        "first": _("There is no version before this one."),
        "journal": _("The other version cannot read the journal."),
    }  # fmt: skip
    if why not in reasons:
        return _("The file heelstone-install.log in /var/log says why.")
    return reasons[why] if why == "returned" else f"{reasons[why]} {calm}"
