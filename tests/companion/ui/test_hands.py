"""Secrets on a shared screen, and what came to light."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.match.hands import keeps_secrets
from companion.match.view import ClockView, PlayMove, SetForeground, TableView
from companion.presentation.scene import SeenResults
from companion.settings.clocks import ClockKind, ClockPlan
from companion.ui.shell import Ways
from rules.core import Move
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.sweep import widely
from tests.support.table_setup import tap_move
from tests.support.ui_harness import (
    LANGS,
    PLACES,
    SIZES,
    FakeTable,
    OnScreen,
    badly_set,
    key,
    need_screen,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    touch_place,
    view_of,
    walk,
)


class Shown(OnScreen):
    """A play screen at a table whose secrets the program deals."""

    def __init__(self, size: tuple[int, int], lang: str, match: Match) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen

        match.deal()
        self.table = FakeTable(match)
        ways = Ways(hand=self.table.hand)
        self.put(PlayScreen(self.table.post, ways, now_s=lambda: 60.0, **self.room), 0)
        self.table.subscribe(lambda view: self.screen.show(view, self.table.score_lines))
        assert self.table.view is not None
        self.screen.show(self.table.view)
        tick(4)


def hidden_stones() -> Match:
    return Match("knizia_stonehenge", 2, {"hidden": "on"}, seed=3)


def dealt_secretly(game: str) -> Match:
    """A match of three, where somebody first plays from what only they can see."""
    match, chance = Match(game, 3, seed=2), random.Random(2)
    match.deal()
    while not keeps_secrets(match):
        match.push(pick(match.state, match.legal_moves(), chance))
        match.deal()
    return match


@pytest.fixture
def shown(opened: Opened[Shown]) -> Shown:
    return opened(Shown((800, 480), "de", hidden_stones()))


def cards(shown: Shown) -> list[Any]:
    from companion.ui.widgets.hold import HoldCard

    found = [w for w in walk(shown.screen) if isinstance(w, HoldCard)]
    return sorted(found, key=lambda card: -card.to_window(*card.pos)[1])


def finger(widget: Any, uid: str = "one", dx: float = 0.0) -> Any:
    from kivy.tests.common import UnitTestTouch

    x, y = widget.to_window(*widget.center)
    touch = UnitTestTouch(x + dx, y)
    touch.uid = uid
    return touch


@pytest.mark.parametrize(
    ("game", "lang", "size"),
    widely(["dominion", "opferroulette", "knizia_stonehenge"], LANGS, SIZES),
)
def test_the_cover_and_the_cards_fit(
    game: str, lang: str, size: tuple[int, int], opened: Opened[Shown]
) -> None:
    match = hidden_stones() if game == "knizia_stonehenge" else dealt_secretly(game)
    shown = opened(Shown(size, lang, match))
    assert shown.screen.covered
    assert badly_set(shown.screen) == []
    assert too_small(shown.screen) == []
    shown.screen.sheets.open_hands()
    tick(3)
    first = cards(shown)[0]
    touch = finger(first)
    touch.touch_down()
    tick(2)
    assert first.open
    inside = sum(row.height for row in first.children[0].children)
    assert inside <= first.height
    touch.touch_up()


def test_before_one_players_secrets_the_screen_is_handed_over(shown: Shown) -> None:
    said = texts(shown.screen)
    assert "Weiter an Schwarz" in said
    assert not shown.screen.board.scene.targets, "targets would tell what is in the hand"
    tap(*shown.screen.board.centre_of("L"))
    assert shown.table.intents == []
    assert shown.screen.fingers.offer is None
    tap_on(key(shown.screen, "Ich bin Schwarz"))
    tick(2)
    assert "Schwarz ist am Zug" in texts(shown.screen)
    assert shown.screen.board.scene.targets


def test_the_next_players_moves_are_covered_again(shown: Shown) -> None:
    tap_on(key(shown.screen, "Ich bin Schwarz"))
    value = shown.table.hand(0).things[0][0]
    shown.table.post(tap_move(f"p0 place {value} L"))
    tick(2)
    assert not shown.screen.covered, "it is still the same player's turn"
    shown.table.post(tap_move("p0 done"))
    tick(2)
    assert shown.screen.covered
    assert "Weiter an Braun" in texts(shown.screen)


def test_secrets_can_be_covered_in_between(shown: Shown) -> None:
    tap_on(key(shown.screen, "Ich bin Schwarz"))
    tick(2)
    tap_on(key(shown.screen, "Verdecken"))
    assert shown.screen.covered
    assert not shown.screen.board.scene.targets


def test_no_list_of_moves_opens_while_they_are_covered(opened: Opened[Shown]) -> None:
    need_screen()
    from companion.ui.widgets.tiles import TileGrid

    shown = opened(Shown((800, 480), "de", dealt_secretly("opferroulette")))
    assert shown.screen.covered
    assert not [w for w in walk(shown.screen) if isinstance(w, TileGrid)]
    shown.screen.sheets.open_moves()
    tick(2)
    assert not [w for w in walk(shown.screen.sheet) if isinstance(w, TileGrid)]


def test_a_hand_is_seen_only_while_it_is_held(shown: Shown) -> None:
    shown.screen.sheets.open_menu()
    tick(2)
    tap_on(key(shown.screen.sheet, "Verdecktes"))
    tick(3)
    black, brown = cards(shown)
    secret = ", ".join(thing for thing, _count in shown.table.hand(0).things)
    assert secret not in texts(shown.screen)
    touch = finger(black)
    touch.touch_down()
    tick(1)
    assert secret in texts(black).replace(" ×2", "")
    assert not brown.open
    touch.touch_up()
    tick(1)
    assert not black.open
    assert secret not in texts(shown.screen).replace(" ×2", "")


def test_a_second_finger_covers_the_hand(shown: Shown) -> None:
    shown.screen.sheets.open_hands()
    tick(3)
    black, brown = cards(shown)
    first, second = finger(black), finger(brown, "two")
    first.touch_down()
    assert black.open
    second.touch_down()
    tick(1)
    assert not black.open
    assert not brown.open, "two fingers open nothing"
    second.touch_up()
    first.touch_up()


def test_a_finger_that_slides_off_covers_the_hand(shown: Shown) -> None:
    shown.screen.sheets.open_hands()
    tick(3)
    black = cards(shown)[0]
    touch = finger(black)
    touch.touch_down()
    assert black.open
    touch.touch_move(10, 10)
    tick(1)
    assert not black.open
    touch.touch_up()


def test_a_new_view_closes_the_cards(shown: Shown) -> None:
    shown.screen.sheets.open_hands()
    tick(3)
    touch = finger(cards(shown)[0])
    touch.touch_down()
    shown.table.post(PlayMove(shown.table.match.legal_moves()[0]))
    tick(2)
    assert cards(shown) == []
    touch.touch_up()


def test_where_everything_is_open_nothing_is_covered(opened: Opened[Shown]) -> None:
    shown = opened(Shown((800, 480), "de", Match("knizia_stonehenge", 2)))
    assert not shown.screen.covered
    shown.screen.sheets.open_menu()
    tick(2)
    assert "Verdecktes" not in texts(shown.screen)


NAMES = ("Anna-Katharina", "Wolfgang Amadeus", "Bo", "Käthe", "Maximilian")


def turned_up(*, good: bool) -> TableView:
    """Trilithen for five, and a card that has just been turned up."""
    match = Match("trilithen_knallen", 5, seed=3)
    while True:
        match.deal()
        legal = match.legal_moves()
        move = legal[0]
        before = match.state.clone()
        match.push(move)
        if move.verb != "flip":
            continue
        before = match.state.clone()
        match.deal()
        show = next(entry.move for entry in reversed(match.log) if entry.move.verb == "show")
        result = match.game.touch.result(before, show, match.state)
        if result is not None and result.good is good:
            view = view_of(match, names=NAMES)
            return replace(view, result=result, result_ply=match.ply)


@pytest.fixture(params=PLACES)
def table(request: pytest.FixtureRequest, opened: Opened[OnScreen]) -> tuple[Any, FakeTable, str]:
    window = opened(OnScreen(*request.param))
    from companion.ui.screens.play.screen import PlayScreen

    table = FakeTable(Match("trilithen_knallen", 5))
    return window.put(PlayScreen(table.post, **window.room), 0), table, window.lang


def test_looking_at_a_card_costs_nobody_time(table: Any) -> None:
    screen, played, lang = table
    clock = ClockView(ClockPlan(ClockKind.TURN, 60), (60.0,) * 5, 0.0, 0, False, False)
    view = replace(turned_up(good=False), clock=clock)
    screen.show(view)
    tick(2)
    screen.show(view)
    tick(3)
    assert played.intents == [SetForeground(False)]
    assert screen.covered
    tap_on(key(screen, "Ich bin Maximilian" if lang == "de" else "I am Maximilian"))
    assert played.intents == [SetForeground(False), SetForeground(True)]


def test_a_wrong_card_stays_in_sight_until_its_key_is_touched(table: Any) -> None:
    screen, _table, lang = table
    view = turned_up(good=False)
    screen.show(view)
    tick(3)
    assert badly_set(screen) == []
    assert too_small(screen) == []
    assert view.result is not None
    assert screen.board.scene.verdicts == {view.result.site: False}
    assert (view.result.site, view.result.kind) in {
        (item.site, item.kind) for item in screen.board.scene.items
    }, "it lies open, though by the rules it has been turned back"
    assert screen.board.scene.targets == frozenset(), "nobody else is shown where to go yet"
    ready = "Ich bin Maximilian" if lang == "de" else "I am Maximilian"
    screen.show(view)
    tick(2)
    assert ready in texts(screen), "drawing the same again changes nothing"
    tap_on(key(screen, ready))
    assert screen.result is None and not screen.covered, "both have seen it, with one touch"
    screen.show(replace(view, result_ply=view.result_ply + 1))
    tick(2)
    assert screen.result is not None, "the same card later is something new"
    tap_on(key(screen, "Zurückdrehen" if lang == "de" else "Turn it back"))
    assert screen.result is None


def test_a_touch_anywhere_on_the_board_puts_it_away_too(table: Any) -> None:
    screen, shown, _lang = table
    screen.show(turned_up(good=False))
    tick(3)
    assert screen.result is not None
    tap(*screen.board.to_window(screen.board.x + 4, screen.board.y + 4))
    assert screen.result is None
    assert shown.intents == []


def test_who_goes_on_may_touch_the_next_card_at_once(table: Any) -> None:
    screen, shown, _lang = table
    view = turned_up(good=True)
    screen.show(view)
    tick(3)
    targets = screen.board.scene.targets
    assert targets, "the next cards glow already"
    spot = sorted(targets)[0]
    touch_place(screen.board, spot)
    assert screen.result is None
    mover = view.prompt.player if view.prompt else None
    assert [intent.move for intent in shown.intents] == [Move.of(mover or 0, "flip", spot)]


def test_what_was_put_away_is_not_shown_again_after_undo_and_redo() -> None:
    seen, view = SeenResults(), turned_up(good=False)
    assert seen.waiting(view) == view.result
    seen.put_away(view)
    assert seen.waiting(replace(view, result=None)) is None
    assert seen.waiting(view) is None
    assert seen.waiting(replace(view, match_id="another")) == view.result
