"""Whole matches of every game by touch alone: from the shelf over the seats to the result.

Real journal, real session, real app; only the window is drawn nowhere. In the test run each game
is played once, at one of the sizes and in one of the languages. The beginning and the end are
played by touch, and the middle is written into the journal while the table rests on the shelf; the
thorough run touches more of it. ``make matches`` (``--long``) plays every game whole, with every
number of players, dealt by the program and with real pieces, sizes and languages in turn, and
prints what each match took.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from companion.journal.entries import FINISHED
from rules.games import find_game, game_ids
from tests.support.at_the_screen import Player, play_on
from tests.support.ui_harness import LANGS, SIZES, need_screen, walk

SHORT = {"knizia_stonehenge", "rollende_steine"}
"""Games that are played without a break in the thorough run."""
MIDDLING = {*SHORT, "dolmengoetter"}
QUICK, THOROUGH = (3, 3), (12, 14)
"""Of the others so many decisions are touched before and after the break; the quick run plays one
of them."""
PLAYERS = {"hoher_rat": 2, "dominion": 2, "trilithen_knallen": 2, "dolmengoetter": 2}

Case = tuple[str, tuple[int, int], str, bool]
CASES: list[Case] = [
    (game, SIZES[number % 2], LANGS[number // 2 % 2], number % 3 == 2)
    for number, game in enumerate(game_ids())
]
QUICK_CASES = [case for case in CASES if case[0] == "dominion"]
EVERY_TABLE: list[tuple[Case, int]] = [
    ((game, SIZES[(seats + physical) % 2], LANGS[seats // 2 % 2], physical), seats)
    for game in game_ids()
    for seats in find_game(game).players
    for physical in (False, True)[: 1 + find_game(game).watched]
]


BY_BOARD = ("dolmengoetter", "knizia_stonehenge", "rollende_steine", "trilithen_knallen")
"""Games that are played by touching the board, at every number of players."""
BY_CARDS = ("erbaut_stonehenge", "hoher_rat", "opferroulette")
"""Games of numbered cards, which are chosen in the picker."""
TABLES: list[tuple[Case, int]] = [
    ((game, SIZES[seats % 2], LANGS[seats // 2 % 2], seats == 4), seats)
    for game in BY_BOARD
    for seats in find_game(game).players
] + [
    ((game, SIZES[seats % 2], LANGS[seats // 2 % 2], seats % 3 != 1), seats)
    for game in BY_CARDS
    for seats in find_game(game).players
]


def name_of(case: Case) -> str:
    game, size, lang, physical = case
    return f"{game}-{size[0]}x{size[1]}-{lang}-{'real' if physical else 'dealt'}"


@pytest.mark.parametrize("case", QUICK_CASES, ids=name_of)
def test_a_match_is_played_by_touch_alone(case: Case, tmp_path: Path) -> None:
    _play(case, tmp_path, QUICK)


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_most_of_a_match_is_played_by_touch_alone(case: Case, tmp_path: Path) -> None:
    _play(case, tmp_path, None if case[0] in MIDDLING else THOROUGH)


@pytest.mark.thorough
@pytest.mark.parametrize(("case", "seats"), TABLES, ids=lambda value: str(value)[:24])
def test_any_number_of_players_touch_what_glows(case: Case, seats: int, tmp_path: Path) -> None:
    _play(case, tmp_path, None if case[0] in SHORT else THOROUGH, seats)


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "seats"), EVERY_TABLE, ids=lambda it: name_of(it) if isinstance(it, tuple) else str(it)
)
def test_a_whole_match_is_played_by_touch_alone(
    case: Case, seats: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    decisions, touches = _play(case, tmp_path, None, seats)
    minutes = (time.monotonic() - began) / 60
    told = f"{decisions} decisions, {touches} touches, {minutes:.1f} minutes"
    with capsys.disabled():
        print(f"\n{name_of(case)}, {seats} players: {told}", flush=True)


def _play(
    case: Case, folder: Path, touched: tuple[int, int] | None, table: int = 0
) -> tuple[int, int]:
    """One match; only so many decisions are touched at its beginning and end, None: all.

    Gives how many decisions that were, and how many touches they took.
    """
    need_screen()
    game, size, lang, physical = case
    random = Random(f"{game}/touch")
    player = Player(folder, size, lang)
    try:
        seats = table or PLAYERS.get(game, find_game(game).players[0])
        player.set_up(game, seats, physical=physical)
        assert player.view.game == game
        played, before = 0, player.touches
        while not player.over and (touched is None or played < touched[0]):
            player.play(random)
            played += 1
        if touched is not None:
            player.press("☰")
            player.press(player.word("screens.to_the_shelf"))
            play_on(player.house, touched[1], random)
            (tile,) = (w for w in walk(player.screen) if getattr(w, "symbol", "") == "▶")
            player.touch(tile)
            player.press(player.word("shelf.go_on"))
        while not player.over:
            player.play(random)
            played += 1
        # How many are left for the end is only known about.
        assert played > (touched or (9, 0))[0] + (touched or (9, 0))[1] * 0.3
        if player.screen.result is not None:
            # What the last move brought to light is seen before how the match ended.
            player.put_away()
        assert player.says(player.word("ending.rematch"))
        match_id = player.view.match_id
        assert player.house.journal.status(match_id) == FINISHED
        record = player.house.journal.load(match_id)
        assert record.outcome == player.view.outcome
        return played, player.touches - before
    finally:
        player.close()
