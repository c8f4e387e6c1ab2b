"""Renders announcements on lamps, score display, voice and buzzer.

A correction lights and says only what changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil

from companion.match.events import TableEvent
from companion.match.view import ClockView, TableView
from companion.outputs.display_lines import display_lines
from companion.outputs.lamp_sites import Places
from companion.presentation.announcement import (
    EVERYWHERE,
    RHYTHMS,
    Announcement,
    Cue,
    Share,
    Urgency,
    What,
    happened,
    joined,
    phone_asks,
    standing,
)
from companion.presentation.words.sentences import teller_of
from companion.settings.preferences import Preferences, Spoken
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.supervised_thread import InboxThread, SupervisedThread
from rules.box import load_box
from rules.telling import Teller

# -- the clock --------------------------------------------------------------------------------

LATE_S = 0.02
"""Delay of a beat after the second, so that it is never shown too early."""


class ClockTicker:
    """Calls ``beat`` at every full second of the clock that it follows, in a thread of its own; no
    thread is started before a clock runs."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._clock: ClockView | None = None
        self._thread = InboxThread[None](
            "clock", tick=beat, due=lambda: _until_next(self._clock, time.monotonic()), limit=1
        )

    def follow(self, clock: ClockView | None) -> None:
        """Beat with this clock from now on; returns at once."""
        if clock == self._clock:
            return
        self._clock = clock
        if clock is not None and clock.running:
            self._thread.start()
        # It asks anew when the next second is due.
        self._thread.put(None)

    def close(self) -> None:
        """End the thread, if there is one."""
        self._thread.close(5)


def _until_next(clock: ClockView | None, now: float) -> float | None:
    """Seconds until another second is shown; None if none will be."""
    if clock is None or clock.asked is None or not clock.running:
        return None
    left = clock.left_at(clock.asked, now)
    return left - ceil(left) + 1 + LATE_S if left > 0 else None


# Okabe and Ito, "Color Universal Design" (2008): told apart with every kind of colour vision.
OK = (0, 158, 115)
ASK = (86, 180, 233)
STOP = (213, 94, 0)
DAWN = (240, 194, 75)
COLOURS = {"ok": OK, "ask": ASK, "stop": STOP, "dawn": DAWN}
"""Colours of lamps, by name."""
CALL_S = 3.0
"""Seconds for which the lamps call players to the screen."""


@dataclass(frozen=True, slots=True)
class Speech:
    """The spoken sentence."""

    least: Urgency
    """Least urgency that is spoken."""
    reasons: bool = False
    """True if it also tells why something is refused, and more about whose turn it is."""


SPEECH: Mapping[Spoken, Speech] = {
    "quiet": Speech(Urgency.WARNING),
    "short": Speech(Urgency.NEWS),
    "full": Speech(Urgency.PLAY, reasons=True),
}
"""Speech at each level of the voice."""
NO_NEWS = (What.TURN, What.CHANCE)
"""Announcements that are said only if nothing else is."""
EVERY_TIME = (What.REFUSED, What.PHONE)
"""Announcements that are said even to players who know them already."""


class CueDirector:
    """Listens to a session and conducts a rig. Returns at once; the rig has its own threads."""

    def __init__(
        self,
        rig: Rig,
        lang: str,
        lamp_sites: Mapping[str, Places] | None = None,
        speech: Speech = SPEECH["short"],
    ) -> None:
        self.rig = rig
        self.lang = lang
        self._lamp_sites = {} if lamp_sites is None else lamp_sites
        self.speech = speech
        """The spoken sentence."""
        self._turn = threading.RLock()
        self._lent = False
        self._shown: TableView | None = None
        self._flash: Mapping[str, Cue] = {}
        """The places that were announced last, and their cues."""
        self._call: tuple[Announcement, SupervisedThread] | None = None
        """A phone that calls, and what ends its light."""
        self._beat = ClockTicker(self._show_time)

    def __call__(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """A session's listener."""
        with self._turn:
            self._hear(view, events)

    def tune(self, chosen: Preferences) -> None:
        """Sets lamps, voice and cues as chosen; takes effect at once."""
        self.rig.lamps.brightness = chosen.brightness
        self.rig.sound.tune(chosen.lang, chosen.volume)
        self.speech = SPEECH[chosen.speech]
        if self.lang != chosen.lang:
            self.lang = chosen.lang
            self.show_again()

    def lend(self) -> None:
        """Leaves lamps and score display to another user, until ``take_back``. Voice and buzzer go
        on: players must not miss anything meanwhile."""
        with self._turn:
            self._lent = True

    def take_back(self) -> None:
        """Show on lamps and score display what they would have shown without the loan."""
        with self._turn:
            self._lent = False
            self.show_again()

    def phone_asks(self, seat: int, *, by_button: bool = False) -> None:
        """A phone wants this seat: said once, and the lamps call for a moment. Any thread.

        ``by_button``: no screen asks, so it is said too how buttons answer.
        """
        with self._turn:
            view = self._shown
            if view is None or seat >= view.players:
                return
            asks = phone_asks(seat, by_button=by_button)
            self._tell([asks], view)
            if self._call is not None:
                self._call[1].end()
            call = SupervisedThread("phone's call", lambda: self._end_call(call), once=True)
            self._call = asks, call
            call.start()
            self._show_lamps(view)

    def _end_call(self, call: SupervisedThread) -> None:
        call.rest(CALL_S)
        with self._turn:
            if self._call is not None and self._call[1] is call:
                self._call = None
                if self._shown is not None:
                    self._show_lamps(self._shown)

    def _show_lamps(self, view: TableView) -> None:
        if not self._lent:
            self.rig.lamps.show(self._lights(view))

    def rest(self) -> None:
        """Nothing is played: stops the seconds until the next view."""
        self._beat.follow(None)

    def close(self) -> None:
        """Show no more seconds at all."""
        self._beat.close()
        with self._turn:
            if self._call is not None:
                self._call[1].end()
                self._call = None

    def show_again(self) -> None:
        """Show the newest view again: the language or the lamps' places have changed."""
        with self._turn:
            if self._lent:
                return
            if self._shown is None:
                self.rig.lamps.idle()
                self.rig.score.clear()
            else:
                self._show(self._shown)

    def say_again(self) -> None:
        """Say what applies now in full, however much is spoken otherwise."""
        with self._turn:
            view = self._shown
            if view is None:
                return
            loud = (one for one in standing(view) if one.urgency >= Urgency.NEWS)
            if (applies := next(loud, None)) is not None:
                told = applies.told(teller_of(view, self.lang))
                self.rig.sound.say(joined([told.title, told.text, told.do]))

    def _hear(self, view: TableView, events: Sequence[TableEvent]) -> None:
        before, self._shown = self._shown, view
        if before is not None and before.match_id != view.match_id:
            # Nothing of the previous match may glow in this one.
            before, self._flash = None, {}
        made = happened(before, view, events)
        for one in made:
            if one.places is not None:
                self._flash = one.places
        if not self._lent:
            self._show(view)
        self._tell(made, view)

    def _tell(self, made: Sequence[Announcement], view: TableView) -> None:
        """Say it and let it be heard."""
        if sentence := self._sentence(made, teller_of(view, self.lang)):
            self.rig.sound.say(sentence)
        rhythm = max((one.rhythm for one in made), key=RHYTHMS.index, default=Rhythm.OFF)
        if rhythm is not Rhythm.OFF:
            self.rig.sound.buzz(rhythm)

    def _show(self, view: TableView) -> None:
        self.rig.lamps.show(self._lights(view))
        self.rig.score.show(self.lines(view))
        self._beat.follow(view.clock)

    def _show_time(self) -> None:
        """A second has passed."""
        with self._turn:
            if self._shown is not None and not self._lent:
                self.rig.score.show(self.lines(self._shown))

    # -- score display --------------------------------------------------------------------

    def lines(self, view: TableView) -> list[str]:
        """Lines of the score display: turn, scores, last move or what is wrong."""
        score = self.rig.score
        columns, rows = score.columns or 20, max(score.rows, 1)
        return display_lines(view, teller_of(view, self.lang), columns, rows, score.digits)

    # -- lamps ----------------------------------------------------------------------------

    def _lights(self, view: TableView) -> dict[int, Light]:
        applies = tuple(standing(view))
        call = None if self._call is None else self._call[0].places
        alone = (one for one in applies if one.places is not None and one.share is Share.ALL)
        layers = [one.places for one in islice(alone, 1)] or [
            *(one.places for one in applies if one.share is Share.BELOW),
            call,
            self._flash,
            *(one.places for one in applies if one.share is Share.ABOVE),
        ]
        lights: dict[str, Cue] = {}
        for places in layers:
            for place, cue in (places or {}).items():
                lights |= dict.fromkeys(
                    self._all_lit(view) if place == EVERYWHERE else [place], cue
                )
        index = self.lamp_of(view.box)
        # Five games share one box, and a number may be a field in one and mean nothing in another.
        sites = load_box(view.box).for_game(view.game).sites
        # Two fields may share a lamp: what must be put right outshines what is well.
        urgent = sorted(lights.items(), key=lambda entry: RHYTHMS.index(entry[1].rhythm))
        return {
            lamp: Light(COLOURS[cue.colour], cue.rhythm)
            for site, cue in urgent if site in sites for lamp in index.get(site, ())
        }  # fmt: skip

    def _all_lit(self, view: TableView) -> list[str]:
        """Every site that has a lamp, for a cue that cannot be missed. A table may have fewer lamps
        than sites; those that it lacks are not asked for."""
        sites, index = load_box(view.box).for_game(view.game).sites, self.lamp_of(view.box)
        count = self.rig.lamps.count
        return [site for site in sites if all(lamp < count for lamp in index.get(site, ()))]

    def lamp_of(self, box: str) -> Places:
        """Lamps at each site of a box."""
        chosen = self._lamp_sites.get(box)
        if chosen:
            return chosen
        return {site: (number,) for number, site in enumerate(load_box(box).site_order)}

    # -- voice ----------------------------------------------------------------------------

    def _sentence(self, made: Sequence[Announcement], teller: Teller) -> str:
        """One utterance for everything that just happened; only what changed is said."""
        said: list[str] = []
        for one in made:
            news = not one.again or one.what in EVERY_TIME
            if one.urgency >= self.speech.least and news and not (said and one.what in NO_NEWS):
                said += self._parts(one, teller)
        return joined(said)

    def _parts(self, one: Announcement, teller: Teller) -> list[str]:
        if one.what is What.TO_SET and self.speech.least > Urgency.PLAY:
            # Only what hands must do.
            one = replace(one, moves=tuple(move for move in one.moves if move.verb != "done"))
            if not one.moves:
                return []
        told = one.told(teller)
        titles = [teller.move(move) for move in one.moves] or [told.title]
        if one.what is What.BREACH:
            return titles
        text = [told.text] if self.speech.reasons or one.what is What.ENDED else []
        record = [teller.word("new_record")] if one.new_record else []
        return [*titles, *text, told.do, *record]
