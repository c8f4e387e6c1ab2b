"""Every game on the real screen at 800 × 480, played by touches alone."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from companion.ui.boxes import game_box
from companion.ui.touching import sites_of
from companion.ui.wording import group_text, teller_of
from rules.core import Move
from rules.games import find_game, game_ids
from rules.match import Match
from tests.companion.ui_harness import (
    FakeTable,
    badly_set,
    need_screen,
    tap,
    tap_on,
    tick,
    view_of,
    walk,
)

SIZE = (800, 480)
MOVES = 25
MOST_TOUCHES = 3


class Hand:
    """One finger before a play screen; counts its touches."""

    def __init__(self, match: Match) -> None:
        from companion.ui.offscreen import open_window
        from companion.ui.screens.play import PlayScreen
        from companion.ui.style import style

        self.window = open_window(SIZE)
        # The style is one for the whole process, and another test may have left it at its own size.
        style.use_size(*SIZE)
        style.motion = False
        style.use_theme("night")
        style.use_language("de")
        self.table = FakeTable(match)
        self.screen: Any = PlayScreen(
            self.table.post, size_hint=(None, None), size=SIZE, now_s=lambda: 60.0
        )
        self.window.add_widget(self.screen)
        self.table.subscribe(lambda view: self.screen.show(view, self.table.score_lines))
        self.touches = 0

    def close(self) -> None:
        self.screen.leave()
        self.window.remove_widget(self.screen)

    def deal(self) -> None:
        """Let chance do its part, and show the table."""
        self.table.match.deal()
        self.table.send(view_of(self.table.match))
        tick(3)

    def play(self, move: Move) -> None:
        """Touch what ``move`` takes; the test fails if that does not play it."""
        self.touches, ply = 0, self.table.match.ply
        self._touch_all(move)
        match = self.table.match
        assert match.ply == ply + 1, f"{move} did not arrive after {self.touches} touches"
        assert match.log[-1].move == move
        assert self.touches <= MOST_TOUCHES, f"{move} took {self.touches} touches"

    def _touch_all(self, move: Move) -> None:
        view, ply = self.screen.view, self.table.match.ply
        told = teller_of(view, "de").move(move)
        if move.verb == "done":
            self._touch_key("✓")
            return
        for site in sites_of(move, game_box(view.game)):
            self.touches += 1
            tap(*self.screen.board.centre_of(site))
            if self.table.match.ply > ply:
                return
            if self.screen.chooser is not None and self._touch_choice(move, told):
                return
        if self._has(told):
            self._touch_key(told)
            return
        self.touches += 1
        tap_on(next(k for k in self._keys(self.screen) if k.symbol == "…"))
        tick(3)
        if not self._has(told):
            group = next(
                k for k in self._keys(self.screen.sheet) if k.symbol == "…" and self._leads(k, told)
            )
            self.touches += 1
            self._tap_scrolled(group, lambda: self._has(told))
        self._touch_key(told)

    def _leads(self, group: Any, told: str) -> bool:
        return told.startswith(group.text.partition(" …")[0].rstrip())

    def _touch_choice(self, move: Move, told: str) -> bool:
        """Choose the move from the card beside the board, if it is offered there."""
        from companion.ui.touching import piece_of
        from companion.ui.widgets.chooser import PieceKey

        view, chooser = self.screen.view, self.screen.chooser
        if any(k.text == told for k in self._keys(chooser)):
            self._touch_key(told)
            return True
        piece = piece_of(move, view, game_box(view.game))
        for found in walk(chooser):
            if isinstance(found, PieceKey) and piece is not None and found.kind.id == piece.id:
                self.touches += 1
                tap_on(found)
                return True
        return False

    def _keys(self, widget: Any) -> list[Any]:
        from companion.ui.widgets.base import Key

        return [w for w in walk(widget) if isinstance(w, Key) and not w.disabled]

    def _has(self, text: str) -> bool:
        return any(k.text == text and k.symbol != "…" for k in self._keys(self.screen))

    def _touch_key(self, text: str) -> None:
        found = next(
            k for k in self._keys(self.screen) if text in (k.text, k.symbol) and k.symbol != "…"
        )
        self.touches += 1
        ply = self.table.match.ply
        self._tap_scrolled(found, lambda: self.table.match.ply > ply)

    def _tap_scrolled(self, key: Any, done: Any) -> None:
        """Scroll to a key (that is no touch), then touch it and wait until a list gives it on."""
        from kivy.uix.scrollview import ScrollView

        above = key.parent
        while above is not None and above is not above.parent:
            if isinstance(above, ScrollView):
                above.scroll_to(key, animate=False)
                tick(3)
            above = above.parent
        tap_on(key)
        deadline = time.monotonic() + 1.5
        while not done() and time.monotonic() < deadline:
            tick(1)
            time.sleep(0.01)


def shape(move: Move, game: str) -> tuple[str, int]:
    return (move.verb, len(sites_of(move, game_box(game))))


@pytest.mark.parametrize("game", game_ids())
def test_every_kind_of_move_takes_three_touches_at_most(game: str) -> None:
    need_screen()
    chance = random.Random(11)
    rules = find_game(game)
    hand = Hand(Match(game, rules.players[min(1, len(rules.players) - 1)], seed=11))
    match, met, played = hand.table.match, set(), 0
    while played < MOVES:
        hand.deal()
        if match.outcome is not None:
            break
        legal = match.legal_moves()
        new = [move for move in legal if shape(move, game) not in met]
        move = chance.choice(new) if new else rules.choose(match.state, legal, chance)
        met.add(shape(move, game))
        hand.play(move)
        played += 1
    hand.close()
    assert played == MOVES or match.outcome is not None


@pytest.mark.parametrize("game", game_ids())
def test_the_words_of_the_screen_fit_in_every_game(game: str) -> None:
    """With as many players as there can be, in both languages."""
    need_screen()
    from companion.ui.style import style

    chance = random.Random(5)
    rules = find_game(game)
    hand = Hand(Match(game, rules.players[-1], seed=5))
    match = hand.table.match
    for number in range(33):
        hand.deal()
        if match.outcome is not None:
            break
        if number % 16 == 0:
            for lang in ("en", "de"):
                style.use_language(lang)
                tick(3)
                assert badly_set(hand.screen) == [], f"{lang}, move {number}"
        match.push(rules.choose(match.state, match.legal_moves(), chance))
    hand.close()


def test_a_group_of_moves_is_told_by_the_words_they_begin_with() -> None:
    match = Match("knizia_stonehenge", 2)
    view = view_of(match)
    moves = [move for move in view.legal if move.args[0] == "3"]
    assert group_text(moves, teller_of(view, "de")) == f"Schwarz legt die 3 auf … ({len(moves)})"
