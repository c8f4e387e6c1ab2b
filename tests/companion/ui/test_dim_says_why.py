"""Nothing on a screen is silent: what is dim says why when it is touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.match.hands import hand_of
from companion.presentation.boxes import game_box
from companion.presentation.touching import Picked, targets
from companion.settings.people import MatchSetup
from rules.core import Actor
from rules.games import find_game, game_ids
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running
from tests.support.fake_shell import FakeShell
from tests.support.sweep import some
from tests.support.ui_harness import (
    FakeTable,
    OnScreen,
    need_screen,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)

LANGS = ("de", "en")
CASES: list[tuple[str, dict[str, str], str]] = [
    (game, {}, LANGS[number % 2]) for number, game in enumerate(game_ids())
]
CASES += [("dominion", {"record": "ledger"}, "de")]


class Shown(OnScreen):
    """A play screen of a dealt match on which every intent is carried out at once."""

    def __init__(self, match: Match, lang: str) -> None:
        super().__init__((800, 480), lang)
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.shell import Ways

        self.table = FakeTable(match)
        ways = Ways(hand=lambda seat: hand_of(match, seat), leave=lambda: None)
        self.put(PlayScreen(self._post, ways, **self.room), 0)
        self.show()

    def _post(self, intent: Any) -> None:
        self.table.post(intent)
        self.screen.show(self.table.view)

    def show(self) -> None:
        """Show the match as it is, to the player who is asked."""
        self.screen.show(view_of(self.table.match))
        self.screen.uncover()
        if self.screen.desk is not None and hasattr(self.screen.desk, "touch_pen"):
            # What was said about the last touch is gone.
            self.screen.desk.touch_pen(self.screen.desk.pen)
        tick(1)


def asked_positions(game: str, number: int, options: dict[str, str]) -> Iterator[Match]:
    """Some positions of a dealt match in which players are asked, one per question."""
    rules = find_game(game)
    players = rules.players[-1]
    match = Match(game, players, rules.complete_options(players, options), seed="dim")
    lot, seen = Random(5), set[str]()
    while match.outcome is None and len(seen) < number and match.ply < 400:
        match.deal()
        prompt = match.prompt
        if prompt is None:
            return
        if prompt.actor is Actor.PLAYER and prompt.code not in seen:
            seen.add(prompt.code)
            yield match.clone()
        match.push(match.state.choose(match.legal_moves(), lot))


def dim_things(shown: Shown) -> list[tuple[str, Callable[[], None]]]:
    """Everything that is dim, with its touch."""
    from companion.ui.widgets.answer_key import AnswerKey
    from companion.ui.widgets.base import Key
    from companion.ui.widgets.card_field import CardField
    from companion.ui.widgets.pile_grid import PileGrid
    from companion.ui.widgets.pressed_cards import CardRow

    screen, found = shown.screen, list[tuple[str, Callable[[], None]]]()
    for widget in walk(screen):
        if isinstance(widget, Key) and widget.disabled:
            found.append((f"key {widget.text or widget.symbol}", partial(tap_on, widget)))
        elif isinstance(widget, AnswerKey) and widget.opacity < 1:
            found.append((f"action {widget.text}", partial(widget.dispatch, "on_release")))
        elif isinstance(widget, CardField):
            place = "hand" if widget is screen.desk.hand else "supply"
            dim = (tile for tile in widget.tiles if not tile.moves)
            found += [(f"{place} {tile.kind}", partial(widget._press, tile)) for tile in dim]
        elif isinstance(widget, PileGrid) and widget._press is not None:
            piles = [tile.kind for tile in widget.tiles if not tile.able]
            found += [(f"pile {kind}", partial(widget._press, kind)) for kind in piles]
        elif isinstance(widget, CardRow):
            hand = screen.fingers.hand
            idle = (card for card in hand.cards if card not in hand.able)
            found += [(f"card {card}", partial(screen.fingers.touch_card, card)) for card in idle]
    if screen.desk is None and screen.board.parent is not None:
        view, box = screen.view, game_box(screen.view.game)
        lit = targets(view, box, Picked())
        places = [site for site in sorted(box.sites) if site not in lit][:5]
        found += [(f"place {site}", partial(screen.fingers.touch_site, site)) for site in places]
    return found


def of_each_sort(names: list[str], most: int) -> list[str]:
    """At most so many names that begin with the same word."""
    counts = Counter[str]()
    kept = []
    for name in names:
        counts[name.split()[0]] += 1
        if counts[name.split()[0]] <= most:
            kept.append(name)
    return kept


@pytest.mark.parametrize(("game", "options", "lang"), some(CASES, 4))
def test_whatever_is_dim_says_why_when_it_is_touched(
    game: str, options: dict[str, str], lang: str, thorough: bool
) -> None:
    need_screen()
    touched, most = 0, 99 if thorough else 1
    for match in asked_positions(game, 5 if thorough else 2, options):
        shown = Shown(match, lang)
        try:
            ply = match.ply
            for name in of_each_sort([name for name, _touch in dim_things(shown)], most):
                touch = dict(dim_things(shown))[name]
                before = texts(shown.screen)
                touch()
                tick(1)
                match_now = shown.table.match
                said = texts(shown.screen) != before or shown.screen.fingers.holding
                assert said, f"{match.prompt}: {name} is silent"
                assert match_now.ply in (ply, ply + 1), name
                if match_now.ply == ply and not shown.screen.fingers.holding:
                    # The reason stands there already: now a mark shows that the finger was felt.
                    before = texts(shown.screen)
                    touch()
                    tick(1)
                    felt = texts(shown.screen) != before or shown.screen.slips.seen
                    assert felt, f"{match.prompt}: {name} is silent when it is touched again"
                while match_now.ply > ply:
                    match_now.pop()
                shown.screen.let_go()
                shown.show()
                touched += 1
        finally:
            shown.close()
    assert touched


def test_a_ledger_with_a_computer_player_is_dim_and_says_why(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    shell = FakeShell(tmp_path, games=game_ids())
    shell.people.remember(MatchSetup("dominion", 2, computers=("", "druid"), physical=False))
    running = opened(Running((800, 480), "en", shell, begin=lambda app: app.seats("dominion")))
    ledger = next(w for w in walk(running.screen) if getattr(w, "text", "") == "Ledger")
    assert ledger.disabled
    tap_on(ledger)
    assert "Not with a computer player" in texts(running.screen)
    assert running.screen.plan.options.get("record", "turns") == "turns"
