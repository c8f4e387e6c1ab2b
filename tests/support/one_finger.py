"""One finger before a play screen of any game, which touches only what the screen offers."""

from __future__ import annotations

import time
from typing import Any

from companion.presentation.boxes import game_box
from companion.presentation.cards import card_plan, cards_of
from companion.presentation.touching import touched
from rules.core import Move
from rules.match import Match
from tests.support.laying import enter_laid
from tests.support.market import touch_market
from tests.support.pads import strokes, type_number
from tests.support.picking import enter_cards, lift_card
from tests.support.ui_harness import (
    FakeTable,
    OnScreen,
    tap,
    tap_on,
    tick,
    touch_place,
    view_of,
    walk,
)
from tests.support.waiting import PATIENCE_S

SIZE = (800, 480)
MOST_TOUCHES = 2


class Hand(OnScreen):
    """One finger before a play screen; counts its touches."""

    def __init__(self, match: Match) -> None:
        super().__init__(SIZE)
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.shell import Ways

        self.table = FakeTable(match)
        ways = Ways(hand=self.table.hand)
        self.put(PlayScreen(self.table.post, ways, now_s=lambda: 60.0, **self.room), 0)
        self.table.subscribe(lambda view: self.screen.show(view, self.table.score_lines))
        self.touches = 0

    def deal(self) -> None:
        """Let chance do its part, and show the table."""
        self.table.match.deal()
        self.table.send(view_of(self.table.match))
        tick(3)
        if self.screen.covered:
            tap_on(next(k for k in self._keys(self.screen) if k.symbol == "◉"))
            tick(2)

    def play(self, move: Move) -> None:
        """Touch what ``move`` takes; the test fails if that does not play it. What was laid is
        entered as a whole, with fewer touches than moves."""
        self.touches, ply = 0, self.table.match.ply
        if enter_laid(self.screen, move, self._tap):
            entered = [entry.move for entry in self.table.match.log[ply:]]
            assert move in entered and self.touches <= len(entered), f"{self.touches} touches"
            return
        typed, asked = strokes(self.screen.view, move), self.screen.view.asked
        self._touch_all(move)
        match = self.table.match
        assert match.ply == ply + 1, f"{move} did not arrive after {self.touches} touches"
        assert match.log[-1].move == move
        box = self.screen.view.box
        most = most_touches(move, box) if typed is None else len(typed) + 1 + (move.player != asked)
        assert self.touches <= most, f"{move} took {self.touches} touches"

    def _touch_all(self, move: Move) -> None:
        view, ply = self.screen.view, self.table.match.ply
        if type_number(self.screen, move, self._tap):
            return
        if touch_market(self.screen, move, self._tap):
            return
        if enter_cards(self.screen, [move], self._tap, lambda: self.table.match.ply > ply):
            return
        if self._key_played(move):
            return
        lift_card(self.screen, move, self._tap)
        for site in touched(move, view, game_box(view.game)):
            touch_place(self.screen.board, site, self._tap)
            tick(2)
            if self.table.match.ply > ply or self._key_played(move):
                return
        if not self._tiles(move):
            self.touches += 1
            tap_on(next(k for k in self._keys(self.screen) if k.symbol == "…"))
            tick(3)
        while self.table.match.ply == ply:
            self.touches += 1
            self._touch_tile(move)

    def _tap(self, x: float, y: float) -> None:
        self.touches += 1
        tap(x, y)

    def _key_played(self, move: Move) -> bool:
        """Touch the key or the piece that plays the move, if there is one."""
        found = next((w for w in walk(self.screen) if getattr(w, "move", None) == move), None)
        if found is None:
            return False
        self.touches += 1
        ply = self.table.match.ply
        self._scroll_to(found, found.center)
        tap_on(found)
        self._wait(lambda: self.table.match.ply > ply)
        return True

    def _touch_tile(self, move: Move) -> None:
        """Touch the tile that plays the move, else one that leads towards it."""
        from companion.ui.widgets.tiles import TileGrid

        ply, chosen = self.table.match.ply, self.screen.fingers.chosen
        offered = self._tiles(move)
        assert offered, f"no tile leads on to {move}"
        widget, number, _tile = next((t for t in offered if t[2].move == move), offered[0])
        if isinstance(widget, TileGrid):
            x, y, w, h = widget.cell(number)
            middle = (x + w / 2, y + h / 2)
            self._scroll_to(widget, middle)
            x, y, w, h = widget.cell(number)
            tap(*widget.to_window(x + w / 2, y + h / 2))
        else:
            self._scroll_to(widget, widget.center)
            tap_on(widget)
        self._wait(lambda: self.table.match.ply > ply or self.screen.fingers.chosen != chosen)

    def _tiles(self, move: Move) -> list[tuple[Any, int, Any]]:
        """Widget, number and tile of everything that leads to the move."""
        from companion.ui.widgets.tiles import TileGrid

        found = []
        for widget in walk(self.screen.sheet or self.screen):
            if isinstance(widget, TileGrid):
                found += [(widget, n, t) for n, t in enumerate(widget.tiles) if move in t.moves]
            elif hasattr(widget, "tile") and move in widget.tile.moves:
                found.append((widget, 0, widget.tile))
        return found

    def _scroll_to(self, widget: Any, at: tuple[float, float]) -> None:
        """Bring a point of a widget in a list into sight; that is no touch."""
        from kivy.uix.scrollview import ScrollView

        above = widget.parent
        while above is not None and above is not above.parent:
            if isinstance(above, ScrollView):
                inner = above.children[0]
                below = at[1] - inner.y - above.height / 2
                most = max(inner.height - above.height, 1)
                above.scroll_y = min(max(below / most, 0), 1)
                tick(3)
            above = above.parent

    def _wait(self, done: Any) -> None:
        """A list passes a touch on only when it knows that it was not a drag."""
        deadline = time.monotonic() + PATIENCE_S
        while not done() and time.monotonic() < deadline:
            tick(1)
            time.sleep(0.01)

    def _keys(self, widget: Any) -> list[Any]:
        from companion.ui.widgets.base import Key

        return [w for w in walk(widget) if isinstance(w, Key) and not w.disabled]


def most_touches(move: Move, box: str) -> int:
    """Two; where cards are chosen one opens them, each of them and each colour is one, and one says
    what they are for."""
    things = sum(arg.count(",") + 1 for arg in move.args)
    plan = card_plan(box)
    if plan is not None and cards_of(move, plan):
        return things + 2
    return things + 1 if any("," in arg for arg in move.args) else MOST_TOUCHES
