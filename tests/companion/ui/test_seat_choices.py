"""The choices that decide what is played, by touch on the seats page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.presentation.setting_up.choices import Naming, choices_of, house_rules_of
from companion.settings.people import MatchSetup
from rules.games import find_game, game_ids
from rules.games.dominion.components import KINGDOM, KINGDOMS
from rules.telling import Teller
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.sweep import widely
from tests.support.ui_harness import LANGS, SIZES, key, tap_on, texts, tick, walk

FIRST, BIG = ("first-game", "big-money")


@pytest.fixture
def shell(tmp_path: Path) -> FakeShell:
    return FakeShell(tmp_path, games=game_ids())


@pytest.fixture
def seats(shell: FakeShell, opened: Opened[Running]) -> Callable[..., Running]:
    """Opens the seats of a game."""

    def start(
        game: str = "dominion", size: tuple[int, int] = (800, 480), lang: str = "en"
    ) -> Running:
        return opened(Running(size, lang, shell, begin=lambda app: app.seats(game)))

    return start


def open_choice(running: Running, number: int = 0) -> None:
    """Touch a choice on the seats page."""
    from companion.ui.screens.seats.choices import ChoiceCard

    cards = [w for w in walk(running.screen) if isinstance(w, ChoiceCard)]
    tap_on(sorted(cards, key=lambda card: card.x)[number])


def picker(running: Running) -> Any:
    """The cards to name."""
    from companion.ui.screens.seats.choices import KindPicker

    (found,) = (w for w in walk(running.screen) if isinstance(w, KindPicker))
    return found.field


def lit(running: Running) -> set[str]:
    """The cards that are named."""
    return {tile.kind for tile in picker(running).tiles if tile.chosen}


def touch_card(running: Running, kind: str) -> None:
    """Touch a card among those to name."""
    field = picker(running)
    tile, _cell = field.tile_of(kind)
    field._press(tile)
    tick(2)


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
@pytest.mark.parametrize("game", [game for game in game_ids() if find_game(game).choices])
def test_choices_stand_with_the_seats_and_fit_and_house_rules_hold_all_others(
    seats: Callable[..., Running],
    shell: FakeShell,
    game: str,
    size: tuple[int, int],
    lang: str,
) -> None:
    rules = find_game(game)
    shell.people.remember(MatchSetup(game, rules.players[-1]))
    running = seats(game, size, lang)
    plan = running.screen.plan
    assert faults(running.screen) == []
    for number, option in enumerate(choices_of(plan)):
        assert option not in house_rules_of(plan)
        open_choice(running, number)
        assert faults(running.screen) == []
        assert running.screen.page_shown == option
        running.screen.back()
        tick(2)


def test_a_set_is_chosen_with_one_touch_and_its_cards_are_lit(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats()
    open_choice(running)
    assert lit(running) == set(KINGDOMS[FIRST])
    tap_on(key(running.screen, "Big Money"))
    assert lit(running) == set(KINGDOMS[BIG])
    tap_on(key(running.screen, "Done"))
    assert "Big Money" in texts(running.screen)
    tap_on(key(running.screen, "Start playing"))
    assert shell.started[-1].options["kingdom"] == BIG


def test_cards_picked_by_hand_are_what_the_match_is_played_with(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats()
    open_choice(running)
    touch_card(running, "moat")
    assert "9 of 10 cards – choose 1 more." in texts(running.screen)
    touch_card(running, "witch")
    touch_card(running, "feast")
    assert "11 of 10 cards – leave 1 out." in texts(running.screen)
    touch_card(running, "cellar")
    tap_on(key(running.screen, "Done"))
    assert "Your own" in texts(running.screen)
    tap_on(key(running.screen, "Start playing"))
    named = {*KINGDOMS[FIRST], "witch", "feast"} - {"moat", "cellar"}
    assert set(shell.started[-1].options["kingdom"].split(",")) == named
    assert set(shell.table.match.state.kingdom) == named


def test_too_few_cards_leave_everything_as_it_was_and_the_key_says_so(
    seats: Callable[..., Running],
) -> None:
    running = seats()
    open_choice(running)
    touch_card(running, "moat")
    tap_on(key(running.screen, "Cancel"))
    assert "First Game" in texts(running.screen)
    open_choice(running)
    assert lit(running) == set(KINGDOMS[FIRST])


def test_a_finger_that_rests_reads_a_card_and_names_nothing(seats: Callable[..., Running]) -> None:
    running = seats()
    open_choice(running)
    tile, _cell = picker(running).tile_of("witch")
    picker(running)._hold(tile)
    tick(2)
    assert "Curse" in texts(running.screen)
    tap_on(key(running.screen, "Close"))
    assert lit(running) == set(KINGDOMS[FIRST])


def test_again_and_not_lately_are_offered_once_something_was_played(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats()
    open_choice(running)
    assert "Again" not in texts(running.screen)
    shell.options["dominion"] = [{"kingdom": "random"}, {"kingdom": BIG}, {"kingdom": FIRST}]
    running.screen.renew()
    tick(2)
    tap_on(key(running.screen, "Again: the last one"))
    assert lit(running) == set(KINGDOMS[BIG])
    tap_on(key(running.screen, "Not played lately"))
    assert set(KINGDOM) - {*KINGDOMS[BIG], *KINGDOMS[FIRST]} <= lit(running)


def test_cards_drawn_by_lot_are_ten_others_each_time() -> None:
    naming, lot = Naming("dominion", "kingdom", 2), Random(1)
    values = {naming.draw(lot).value for _time in range(20)}
    assert len(values) == 20
    for value in values:
        find_game("dominion").complete_options(2, {"kingdom": value})


def test_what_was_played_longest_ago_comes_before_what_was_played_last() -> None:
    naming = Naming("dominion", "kingdom", 2)
    drawn = naming.draw(Random(1), [KINGDOM[:12], KINGDOM[12:20]])
    assert set(KINGDOM[20:]) <= set(drawn.chosen)
    assert set(drawn.chosen) - set(KINGDOM[20:]) <= set(KINGDOM[12:20])


def test_ten_cards_that_are_a_set_of_the_book_go_by_its_name() -> None:
    naming = Naming("dominion", "kingdom", 2, tuple(reversed(KINGDOMS[BIG])))
    assert naming.value == BIG


def test_a_course_is_chosen_by_its_drawing(seats: Callable[..., Running], shell: FakeShell) -> None:
    from companion.ui.screens.seats.choices import _BuildTile

    running = seats("rollende_steine")
    open_choice(running)
    tiles = {w.text: w for w in walk(running.screen) if isinstance(w, _BuildTile)}
    tap_on(tiles["The Pyramid"])
    assert "Seen from the front" in texts(running.screen)
    tap_on(key(running.screen, "Done"))
    tap_on(key(running.screen, "Start playing"))
    assert shell.started[-1].options["course"] == "pyramide"


@pytest.mark.parametrize(
    ("game", "lang"), [(game, LANGS[n % 2]) for n, game in enumerate(game_ids())]
)
def test_the_aim_of_each_game_stands_on_its_seats_page(
    seats: Callable[..., Running], game: str, lang: str
) -> None:
    rules = find_game(game)
    running = seats(game, lang=lang)
    teller = Teller(rules, lang, rules.colours(rules.players[0], {}))
    assert teller.tagline in texts(running.screen)
    assert faults(running.screen) == []
