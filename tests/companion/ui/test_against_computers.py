"""Whole matches against computer players by touch alone, in the real program: from the shelf to the
result, with real pieces and without, and with hands that only their players may see."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.journal.entries import FINISHED
from companion.journal.events import MovePlayed, Source
from companion.settings.people import MatchSetup
from companion.settings.services import PlayersSettings
from companion.settings.settings import Settings
from tests.support.at_the_screen import Player
from tests.support.ui_harness import SIZES, need_screen

QUICK = Settings(players=PlayersSettings(seconds=0.05, pause_s=0.0))
GAMES = [
    ("knizia_stonehenge", False), ("knizia_stonehenge", True), ("opferroulette", False),
    ("hoher_rat", True), ("dominion", True),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "physical"), GAMES)
def test_a_match_against_a_computer_player_is_played_by_touch_alone(
    game: str, physical: bool, tmp_path: Path
) -> None:
    need_screen()
    random, player = Random(1), Player(tmp_path, SIZES[0], "de", QUICK)
    player.house.people.remember(
        MatchSetup(game, 2, names=("Anna",), computers=("", "apprentice"), physical=physical)
    )
    try:
        player.set_up(game, 2, physical=physical)
        assert player.view.names == ("Anna", "Lehrling")
        while not player.over:
            if player.view.thinks is not None and player.screen.result is None:
                player.wait(
                    lambda: player.view.thinks is None or player.over or bool(player.view.result),
                    "it has chosen",
                )  # fmt: skip
                player.settle()
            elif player.screen.result is not None:
                player.put_away()
                player.settle()
            elif player.view.legal:
                player.play(random)
            else:
                player.settle()
        match_id = player.view.match_id
        assert player.house.journal.status(match_id) == FINISHED
        played = [event for event in player.house.journal.events(match_id)
                  if isinstance(event.what, MovePlayed)]  # fmt: skip
        assert {Source.TOUCH, Source.COMPUTER} <= {event.src for event in played}
    finally:
        player.close()
