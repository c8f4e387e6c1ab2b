"""A whole Heelstone off-screen, and a finger that plays on its touchscreen.

The finger goes through the window like a real one. It touches only what the screen offers: keys,
boxes on the shelf, seats, places that the board points at, tiles, pieces in a choice. Lists are
swiped.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.app.application import Application
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, TableView
from companion.presentation.boxes import game_box
from companion.presentation.touching import lying_sites, touched
from companion.settings.settings import Settings
from rules.core import Move
from rules.games import find_game
from rules.testing.playout import pick
from tests.support.laying import enter_laid
from tests.support.market import touch_market
from tests.support.pads import type_number
from tests.support.picking import enter_cards, lift_card
from tests.support.shelf import kept_fronts
from tests.support.ui_harness import (
    frames_until,
    need_screen,
    still,
    tap,
    texts,
    tick,
    touch_place,
    walk,
)

MOST_SWIPES = 40
PATIENCE_S = 60.0


class NotOfferedError(AssertionError):
    """The screen does not offer what the player wanted to do."""


class Finger:
    """A finger on a play screen; ``touches`` counts how often it came down."""

    def __init__(self, window: Any, lang: str) -> None:
        self.window, self.lang = window, lang
        self.touches = 0

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        raise NotImplementedError

    @property
    def session(self) -> Session | None:
        """The match that is shown."""
        raise NotImplementedError

    # -- looking --------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        """View that the play screen shows now."""
        view: TableView = self.screen.view
        return view

    def says(self, words: str) -> bool:
        """True if these words can be read."""
        return words in texts(self.screen)

    def buttons(self, widget: Any | None = None) -> list[Any]:
        """Every button that answers, as it lies on the top."""
        from companion.ui.widgets.base import Key, Link, Note

        top = widget or getattr(self.screen, "sheet", None) or self.screen
        return [w for w in walk(top) if isinstance(w, Key | Link | Note) and not w.disabled]

    def key(self, text: str) -> Any:
        """The button with this word or sign. Raises NotOfferedError."""
        for found in self.buttons():
            signs = (found.text, getattr(found, "symbol", ""), _sign_of(found))
            if text in signs:
                return found
        raise NotOfferedError(f"there is no button '{text}' among: {texts(self.screen)}")

    def wait(self, done: Callable[[], bool], what: str) -> None:
        """Runs frames until ``done``; the test fails if it never is."""
        frames_until(done, what)

    # -- touching -------------------------------------------------------------------------

    def touch(self, widget: Any) -> None:
        """Touch the middle of a widget; a list is swiped until it is in sight."""
        self.bring(widget, lambda: widget.center)
        self.touch_at(*widget.to_window(*widget.center))

    def touch_at(self, x: float, y: float) -> None:
        """One finger, down and up."""
        self.touches += 1
        tap(x, y)

    def _touch_and_see(self, x: float, y: float) -> None:
        self.touch_at(x, y)
        self.settle()

    def press(self, text: str) -> None:
        """Touch the button with this word or sign, and wait until something happened."""
        found, screen = self.key(text), self.screen
        before, gone = self._state(), found.parent
        self.touch(found)
        if _scroll_above(found) is not None:
            # A list passes a touch on only when it knows that it was not a drag.
            self.wait(
                lambda: self.screen is not screen or self._state() != before
                or found.parent is not gone, f"'{text}' does something",
            )  # fmt: skip
        self.settle()

    def settle(self) -> None:
        """Wait until the session and the screen have dealt with everything."""
        session = self.session
        if session is None:
            tick(2)
            return
        assert session.settle(PATIENCE_S)
        tick(1)
        if hasattr(self.screen, "board"):
            # The session may be a tick ahead of what has been drawn.
            self.wait(lambda: self.screen.view is session.view, "the newest view is shown")

    def bring(self, widget: Any, place: Callable[[], tuple[float, float]]) -> None:
        """Swipe the list around ``widget`` until ``place`` (in the widget's parent) is in sight."""
        scroll = _scroll_above(widget)
        if scroll is None:
            return
        if scroll.do_scroll_x:
            self._bring_across(widget, scroll)
            return
        for _ in range(MOST_SWIPES):
            _x, at = widget.to_window(*place())
            _x, low = scroll.to_window(*scroll.pos)
            edge = min(20.0, scroll.height / 4)
            if low + edge <= at <= low + scroll.height - edge:
                return
            self._swipe(scroll, low + scroll.height / 2 - at)
        raise NotOfferedError(f"swiping never brings '{getattr(widget, 'text', widget)}' in sight")

    def _bring_across(self, widget: Any, scroll: Any) -> None:
        """The same in a row that scrolls sideways."""
        for _ in range(MOST_SWIPES):
            at, _y = widget.to_window(*widget.center)
            left, _y = scroll.to_window(*scroll.pos)
            if left + widget.width / 3 <= at <= left + scroll.width - widget.width / 3:
                return
            self._swipe_across(scroll, left + scroll.width / 2 - at)
        raise NotOfferedError(f"swiping never brings '{getattr(widget, 'text', widget)}' in sight")

    def _swipe_across(self, scroll: Any, distance: float) -> None:
        from kivy.tests.common import UnitTestTouch

        most = scroll.width * 0.7
        distance = max(-most, min(most, distance))
        far = max(abs(distance), scroll.scroll_distance * 1.5) * (1 if distance > 0 else -1)
        middle, y = scroll.to_window(*scroll.center)
        touch = UnitTestTouch(middle - far / 2, y)
        self.touches += 1
        touch.touch_down()
        for step in range(1, 6):
            touch.touch_move(middle - far / 2 + far * step / 5, y)
            tick(1)
        # Held still, or it would glide on.
        for _ in range(4):
            time.sleep(0.02)
            touch.touch_move(middle + far / 2, y)
            tick(1)
        touch.touch_up()
        places: list[float] = []

        def rests() -> bool:
            places.append(scroll.scroll_x)
            return len(places) > 4 and len(set(places[-4:])) == 1

        self.wait(rests, "the row comes to rest")

    def _swipe(self, scroll: Any, distance: float) -> None:
        """Drag a list's content by ``distance`` px, at most as far as the list is high."""
        from kivy.tests.common import UnitTestTouch

        most = scroll.height * 0.8
        distance = max(-most, min(most, distance))
        # Kivy takes a shorter way for a touch.
        far = max(abs(distance), scroll.scroll_distance * 1.5) * (1 if distance > 0 else -1)
        x, middle = scroll.to_window(*scroll.center)
        touch = UnitTestTouch(x, middle - far / 2)
        self.touches += 1
        touch.touch_down()
        # At once beyond what a list takes for a touch: a frame may be slow, and then it is one.
        begin = scroll.scroll_distance * (1.2 if distance > 0 else -1.2)
        touch.touch_move(x, middle - far / 2 + begin)
        tick(1)
        for step in range(1, 6):
            touch.touch_move(x, middle - far / 2 + far * step / 5)
            tick(1)
        # Held still, or it would glide on.
        for _ in range(4):
            time.sleep(0.02)
            touch.touch_move(x, middle + far / 2)
            tick(1)
        touch.touch_up()
        tick(2)
        places: list[float] = []

        def rests() -> bool:
            places.append(scroll.scroll_y)
            return len(places) > 4 and len(set(places[-4:])) == 1

        self.wait(rests, "the list comes to rest")

    def _state(self) -> tuple[object, ...]:
        screen = self.screen
        sheet = getattr(screen, "sheet", None)
        return (screen, sheet, getattr(screen, "view", None), texts(screen))

    def word(self, text: str) -> str:
        """A text of the screens, by its id, in the language of the screen."""
        from companion.presentation.words.translate import _

        return _(text)

    # -- playing --------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """True if the result is shown."""
        return self.view.outcome is not None

    def play(self, random: Random) -> Move:
        """One decision by touch alone; gives the move it became."""
        if self.screen.covered:
            self.press("◉")
            return self.play(random)
        if self.screen.result is not None and not self.screen.result.goes_on:
            self.put_away()
        view = self.view
        move = self._wish(random)
        if self.screen.result is not None and not touched(move, view, game_box(view.game)):
            # The board plays on at once; what it cannot say waits below what came to light.
            self.put_away()
        ply = view.ply
        self.touch_move(move)
        self.wait(lambda: self.view.ply > ply, f"'{move}' is played")
        self.settle()
        session = self.session
        assert session is not None
        played = [entry.move for entry in session.table.match.log[ply:]]
        assert move in played, f"'{move}' was touched, the record has {played}"
        return move

    def put_away(self) -> None:
        """Touch the key below what came to light."""
        from companion.presentation.words.sentences import teller_of

        told = teller_of(self.view, self.lang).result(self.screen.result)
        self.press(told.do)

    def _wish(self, random: Random) -> Move:
        """A wish of the player to move, of what the screen was told is allowed."""
        session = self.session
        assert session is not None
        match = session.table.match
        legal = list(self.view.legal)
        assert legal, f"nobody can do anything: {texts(self.screen)}"
        return pick(match.state, legal, random)

    def touch_move(self, move: Move) -> None:
        """Touch whatever plays ``move``."""
        view, box = self.view, game_box(self.view.game)
        ply = view.ply
        if touch_market(self.screen, move, self._touch_and_see):
            return
        if type_number(self.screen, move, self._touch_and_see):
            return
        if enter_cards(self.screen, [move], self._touch_and_see, lambda: self.view.ply > ply):
            return
        if enter_laid(self.screen, move, self._touch_and_see):
            return
        sites = touched(move, view, box)
        lying = () if sites else lying_sites(move, view, box)
        if self._key_played(move):
            return
        lift_card(self.screen, move, self._touch_and_see)
        for number, site in enumerate(sites):
            self._must_point_at(site, number, sites)
            touch_place(self.screen.board, site, self.touch_at)
            self.settle()
            if self.view.ply > ply or self._key_played(move):
                return
        if not self._tiles(move):
            if lying:
                touch_place(self.screen.board, lying[0], self.touch_at)
                self.settle()
                if self.view.ply > ply or self._key_played(move):
                    return
            self.press("…")
        while self.view.ply == ply:
            self._touch_tile(move)

    def _key_played(self, move: Move) -> bool:
        """Touch the key or the piece that plays the move, if there is one."""
        found = next((w for w in walk(self.screen) if getattr(w, "move", None) == move), None)
        if found is None:
            return False
        ply = self.view.ply
        self.touch(found)
        self.wait(lambda: self.view.ply > ply, f"the key of '{move}' plays it")
        self.settle()
        return True

    def _must_point_at(self, site: str, number: int, sites: tuple[str, ...]) -> None:
        """Unless finding the move is the game, the board says where the finger may go."""
        scene = self.screen.board.scene
        offered = scene.targets | scene.hints | scene.picked
        if self.view.options.get("hints") == "off" or site in offered:
            return
        raise NotOfferedError(
            f"the board does not point at {site} ({number + 1} of {sites}), but at "
            f"{sorted(offered)}"
        )

    def _touch_tile(self, move: Move) -> None:
        from companion.ui.widgets.tiles import TileGrid

        ply, chosen = self.view.ply, self.screen.fingers.chosen
        offered = self._tiles(move)
        if not offered:
            raise NotOfferedError(f"no tile leads to '{move}': {texts(self.screen)}")
        widget, number, _tile = next((t for t in offered if t[2].move == move), offered[0])
        if isinstance(widget, TileGrid):

            def middle() -> tuple[float, float]:
                x, y, w, h = widget.cell(number)
                return (x + w / 2, y + h / 2)

            self.bring(widget, middle)
            self.touch_at(*widget.to_window(*middle()))
        else:
            self.touch(widget)
        self.wait(
            lambda: self.view.ply > ply or self.screen.fingers.chosen != chosen,
            f"a tile for '{move}'",
        )
        self.settle()

    def _tiles(self, move: Move) -> list[tuple[Any, int, Any]]:
        """Widget, number and tile of everything that leads to the move."""
        from companion.ui.widgets.tiles import TileGrid

        found: list[tuple[Any, int, Any]] = []
        for widget in walk(self.screen.sheet or self.screen):
            if isinstance(widget, TileGrid):
                found += [(widget, n, t) for n, t in enumerate(widget.tiles) if move in t.moves]
            elif hasattr(widget, "tile") and move in widget.tile.moves:
                found.append((widget, 0, widget.tile))
        return found


class Player(Finger):
    """``HeelstoneApp`` around a real house, and a finger that plays on it."""

    def __init__(
        self, folder: Path, size: tuple[int, int], lang: str, settings: Settings | None = None
    ) -> None:
        need_screen()
        from companion.ui.offscreen import open_window

        super().__init__(open_window(size), lang)
        from companion.ui.app import HeelstoneApp

        self.house = Application(settings or Settings(), folder, lang)
        self.app = HeelstoneApp(self.house, still(lang), fronts=kept_fronts())
        self.root = self.app.build()
        self.window.add_widget(self.root)
        tick(4)

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        return self.app.screen

    @property
    def session(self) -> Session | None:
        """The match under way, if there is one."""
        return self.house.session

    def close(self) -> None:
        """End everything."""
        self.app.on_stop()
        self.screen.leave()
        self.window.remove_widget(self.root)
        self.house.close()

    # -- before and after a match ---------------------------------------------------------

    def set_up(self, game: str, players: int, *, physical: bool) -> None:
        """From wherever one is at the start to the first move of a new match."""
        from companion.ui.screens.first_run import FirstRunScreen
        from companion.ui.screens.open_matches import OpenMatchesScreen
        from companion.ui.screens.seats.screen import SeatsScreen
        from companion.ui.screens.start import BoxFront

        if isinstance(self.screen, FirstRunScreen):
            checks = self.house.can_check
            self.press(self.word("screens.later" if checks else "screens.to_the_shelf"))
        if isinstance(self.screen, OpenMatchesScreen):
            self.press(self.word("screens.new_match"))
        fronts = [w for w in walk(self.screen) if isinstance(w, BoxFront)]
        front = next((w for w in fronts if w.game == game), None)
        if front is None:
            raise NotOfferedError(f"there is no box of {game} on the shelf")
        self.touch(front)
        self.wait(lambda: isinstance(self.screen, SeatsScreen), "the seats are shown")
        if self.screen.plan.players != players:
            self.press(str(players))
        self._choose_way(physical)
        self.press(self.word("screens.start_playing"))
        if physical:
            # What must lie where is listed first; people may always go on by themselves.
            begin = self.word("setup.start_anyway")
            told = {found.text for found in self.buttons()}
            self.press(begin if begin in told else self.word("screens.start_playing"))
        self.settle()

    def _choose_way(self, physical: bool) -> None:
        """Say what is played with; some games have more ways than two, or one."""
        if not find_game(self.screen.plan.game).watched:
            return
        title = self.word("screens.camera" if physical else "seats.touch")
        if title not in {found.text for found in self.buttons()}:
            title = self.word("seats.real_pieces" if physical else "seats.screen_only")
        self.press(title)


def play_on(house: Application, left: int, random: Random) -> None:
    """Play the unfinished match on behind the screen's back, into its journal.

    ``left``: number of players' decisions that are left for the screen, as far as one can know that
    beforehand: the match is played to its end in a copy first.
    """
    (summary, *_) = house.journal.unfinished()
    table = Table(house.journal, summary.header, house.settings.manners)
    ahead, moves = table.match.clone(), []
    ahead.deal()
    while ahead.outcome is None:
        move = pick(ahead.state, ahead.legal_moves(), random)
        ahead.push(move)
        ahead.deal()
        moves.append(move)
    for move in moves[: max(len(moves) - left, 0)]:
        table.handle(PlayMove(move), time.monotonic())
    assert table.match.outcome is None


def _scroll_above(widget: Any) -> Any | None:
    from kivy.uix.scrollview import ScrollView

    above = widget.parent
    while above is not None and above is not above.parent:
        if isinstance(above, ScrollView):
            return above
        above = above.parent
    return None


def _sign_of(widget: Any) -> str:
    """The sign of a quiet button."""
    found = getattr(widget, "_sign", None)
    return "" if found is None else str(found.text)


def as_people_see(label: Any) -> str:
    """A label's letters as they are drawn, without markup if it is on."""
    if not label.markup:
        return str(label.text)
    text = "".join(part for part in re.split(r"(\[.*?\])", label.text) if not part.startswith("["))
    return text.replace("&bl;", "[").replace("&br;", "]").replace("&amp;", "&")
