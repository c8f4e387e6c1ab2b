"""Whole matches of every game by touch alone: from the shelf over the seats to the result.

Real journal, real session, real app; only the window is drawn nowhere. In the test run each game
is played once, at one of the sizes and in one of the languages; of long games the beginning and
the end are played by touch, and the middle is written into the journal while the table rests on
the shelf. ``HEELSTONE_LONG=1`` plays every game whole, at both sizes, in both languages, dealt by
the program and with real pieces.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from random import Random

import pytest

from companion.journal.entries import FINISHED
from rules.games import find_game, game_ids
from tests.support.at_the_screen import Player, play_on
from tests.support.ui_harness import LANGS, SIZES, need_screen, undrawn

LONG = os.environ.get("HEELSTONE_LONG") == "1"
WHOLE = {"knizia_stonehenge", "rollende_steine", "dolmengoetter"}
"""Games that are short enough to be played without a break in the test run."""
FIRST, LAST = 12, 14
"""Of the others so many decisions are touched before and after the break."""
PLAYERS = {"hoher_rat": 2, "dominion": 2, "trilithen_knallen": 2, "dolmengoetter": 2}
DRAWN_EVERY = 6
"""The screen is drawn after so many decisions; drawing by software takes most of the time."""

Case = tuple[str, tuple[int, int], str, bool]


def cases() -> list[Case]:
    """Game, size, language, with real pieces."""
    if LONG:
        return [
            (game, size, lang, physical)
            for game, size, lang, physical in product(game_ids(), SIZES, LANGS, (False, True))
        ]
    found: list[Case] = []
    for number, game in enumerate(game_ids()):
        size, lang = SIZES[number % 2], LANGS[number // 2 % 2]
        found.append((game, size, lang, number % 3 == 2))
    return found


def name_of(case: Case) -> str:
    game, size, lang, physical = case
    return f"{game}-{size[0]}x{size[1]}-{lang}-{'real' if physical else 'dealt'}"


@pytest.mark.parametrize("case", cases(), ids=name_of)
def test_a_match_is_played_by_touch_alone(case: Case, tmp_path: Path) -> None:
    need_screen()
    game, size, lang, physical = case
    random = Random(f"{game}/touch")
    player = Player(tmp_path, size, lang)
    try:
        seats = PLAYERS.get(game, find_game(game).players[0])
        player.set_up(game, seats, physical=physical)
        assert player.view.game == game
        played, whole = 0, LONG or game in WHOLE
        while not player.over and (whole or played < FIRST):
            played += _some(player, random)
        if not player.over:
            player.press("☰")
            player.press(player.word("To the shelf"))
            play_on(player.house, LAST, random)
            player.press(player.word("Go on"))
            while not player.over:
                played += _some(player, random)
        assert played >= 9
        assert player.says(player.word("New match"))
        match_id = player.view.match_id
        assert player.house.journal.status(match_id) == FINISHED
        record = player.house.journal.load(match_id)
        assert record.outcome == player.view.outcome
    finally:
        player.close()


def _some(player: Player, random: Random) -> int:
    """Some decisions, of which only the last is drawn; gives how many there were."""
    played = 0
    with undrawn():
        while played < DRAWN_EVERY and not player.over:
            player.play(random)
            played += 1
    return played
