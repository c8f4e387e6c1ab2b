"""Touches of the running screen per turn, game by game, and how soon each is answered.

The whole app off-screen at 800 × 480 px, with journal and session, and a finger that touches only
what is offered: keys, cards, places that glow. It plays what a random player wishes. Everything
counts: handing the screen over, putting a result away, opening the picker, confirming, a closer
look. What is entered before the first player decides something, with real pieces and no camera, is
the set-up and counts by itself; what the program can draw for people it draws.

An answer is the first frame that shows what the touch brought, from the finger's going up until the
frame is drawn. The same in processor time, of all threads, is what it takes at most on a machine
that does nothing else; where others use the machine only that says something. It is also told
without the drawing itself, which is done by software here and by a graphics chip at a table.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.measure import Result
from rules.core import Actor
from rules.games import find_game
from tests.support.watched import WATCHED

DECISIONS = 60
"""Decisions up to which a match is followed."""
SIZE = (800, 480)
STILL = 3
"""Frames without any change after which a touch is over."""
PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Span:
    """A time, ms: on the wall's clock, and of all processors."""

    wall: float
    busy: float
    drawing: float = 0.0
    """Part of ``busy`` that was spent on drawing."""


class Stopwatch:
    """Touches the window, and times each answer and the longest frame after it."""

    def __init__(self, answered: Callable[[], bool]) -> None:
        from kivy.core.window import Window

        self._answered = answered
        """True if what the last touch brought is shown."""
        self.answers: list[Span] = []
        self.longest: list[Span] = []
        self._drawn_from: float | None = None
        """Start of drawing the frame, ms of processor time."""
        Window.bind(on_draw=self._begin_drawing)

    def _begin_drawing(self, *_: Any) -> None:
        self._drawn_from = time.process_time() * 1e3

    def _frame(self) -> Span:
        """The next frame."""
        from kivy.base import EventLoop

        start, self._drawn_from = _now(), None
        EventLoop.idle()
        span = _since(start)
        drawn = 0.0 if self._drawn_from is None else start.busy + span.busy - self._drawn_from
        return Span(span.wall, span.busy, drawn)

    def touch(self, x: float, y: float) -> None:
        """One finger, down and up."""
        from kivy.base import EventLoop
        from kivy.tests.common import UnitTestTouch

        finger = UnitTestTouch(x, y)
        finger.touch_down()
        EventLoop.idle()
        begin, frames, still = _now(), [], 0
        finger.touch_up()
        shown: Span | None = None
        while still < STILL:
            frames.append(self._frame())
            if shown is None and self._answered():
                span, drawing = _since(begin), sum(frame.drawing for frame in frames)
                shown = Span(span.wall, span.busy, drawing)
            if shown is None and _since(begin).wall > PATIENCE_S * 1e3:
                raise AssertionError("a touch is never answered")
            still = still + 1 if shown is not None else 0
        assert shown is not None
        self.answers.append(shown)
        self.longest.append(max(frames, key=lambda span: span.busy))


def _now() -> Span:
    return Span(time.perf_counter() * 1e3, time.process_time() * 1e3)


def _since(start: Span) -> Span:
    now = _now()
    return Span(now.wall - start.wall, now.busy - start.busy)


@dataclass(frozen=True, slots=True)
class Count:
    """The touches of a finger in one match."""

    set_up: int
    """Touches before the first decision of a player."""
    touches: int
    """Touches after that …"""
    turns: int
    """… in this many turns."""
    watch: Stopwatch
    page: Span | None
    """Opening the page with the code for phones, from the menu; None: the match was over."""

    @property
    def per_turn(self) -> float:
        """Touches in one turn."""
        return self.touches / max(self.turns, 1)


def counted(game: str, players: int, *, physical: bool, decisions: int = DECISIONS) -> Count:
    """Play the beginning of a match. Raises AssertionError if something cannot be touched."""
    # Only now: Kivy wants its window first.
    from companion.app.preload import settle_memory
    from companion.support.memory import tidy
    from companion.ui.offscreen import open_window
    from tests.support.at_the_screen import Player
    from tests.support.ui_harness import drawn, tick

    open_window(SIZE)
    from companion.ui import frame_queue
    from companion.ui.drawing.ink import SORTS, meet
    from companion.ui.routes import CODES, PARTS, WAY, screen_class

    # As the program does before a match can be begun.
    for part in PARTS:
        import_module(part)
    for way in (*WAY, *CODES):
        screen_class(way)

    class Timed(Player):
        """A finger whose touches are timed."""

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.watch = Stopwatch(self._answered)

        def touch_at(self, x: float, y: float) -> None:
            self.touches += 1
            self.watch.touch(x, y)

        def _answered(self) -> bool:
            session, screen = self.session, self.screen
            if session is None or not hasattr(screen, "board"):
                return True
            return bool(session.settle() and screen.view is session.view)

    with tempfile.TemporaryDirectory() as folder:
        player = Timed(Path(folder), SIZE, "de")
        with drawn(), closing(player):
            for sort in SORTS:
                frame_queue.soon(partial(meet, sort))
            tick(len(SORTS))
            player.set_up(game, players, physical=physical)
            settle_memory()
            start, begun, first = player.touches, None, player.view.turn
            random = Random(f"{game}/fingers")
            for _ in range(decisions):
                if player.over:
                    break
                prompt = player.view.prompt
                if begun is None and prompt is not None and prompt.actor is Actor.PLAYER:
                    begun, first = player.touches, player.view.turn
                    player.watch = Stopwatch(player._answered)
                player.play(random)
                # As the program does when nobody has touched it for two seconds.
                tidy()
            begun = player.touches if begun is None else begun
            touches, turns, watch = player.touches - begun, player.view.turn - first, player.watch
            page = None
            if not player.over:
                player.watch = Stopwatch(player._answered)
                player.press("☰")
                player.touch(player.key(player.word("screens.phones")))
                page = player.watch.answers[-1]
            return Count(begun - start, touches, turns, watch, page)


def results() -> Iterator[Result]:
    """Per game and way of playing the touches; per game how soon they are answered."""
    pages: list[Span] = []
    for game in WATCHED:
        players = find_game(game).players[min(1, len(find_game(game).players) - 1)]
        for physical, told in ((False, "the program deals"), (True, "real pieces, no camera")):
            count = counted(game, players, physical=physical)
            name = f"{game}, {players} players, {told} (set-up {count.set_up})"
            yield Result(name, count.per_turn, "touches a turn", "", None, None, "fewer")
            if not physical:
                yield from _answers(count.watch)
                pages += [] if count.page is None else [count.page]
    for told, clock in CLOCKS.items():
        name = f"opening the page with a code, {told}"
        yield Result(name, statistics.median(map(clock, pages)), "ms", "", None, None, "≤ 100 ms")


CLOCKS: dict[str, Callable[[Span], float]] = {
    "on the clock": lambda span: span.wall,
    "processor time": lambda span: span.busy,
    "processor time without drawing": lambda span: span.busy - span.drawing,
}


def _answers(watch: Stopwatch) -> Iterator[Result]:
    for told, spans in (("answered", watch.answers), ("longest frame after", watch.longest)):
        for name, clock in CLOCKS.items():
            times = [clock(span) for span in spans]
            aim = "95 of 100 ≤ 50 ms" if told == "answered" else "≤ 100 ms"
            high = statistics.quantiles(times, n=20)[-1]
            half = statistics.median(times)
            value, what = (high, "95 of 100") if told == "answered" else (max(times), "the longest")
            title = f"  {told}, {name}: half of them {half:.0f} ms, {what}"
            yield Result(title, value, "ms", "", None, None, aim)
