"""Every game: whole matches are played as they were, and positions have as many moves as counted by
hand.

If a change of a game is meant, ``python -m tests.rules.games.test_golden`` writes its matches anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.core import State
from rules.games import find_game, game_ids
from rules.games.hoher_rat import GAME as HOHER_RAT
from rules.match import Match
from rules.testing.golden import perft, playthrough
from tests.support import opferroulette_table, trilithen_table
from tests.support.dominion_table import Table as DominionTable
from tests.support.erbaut_table import dealt
from tests.support.rulings import play

HERE = Path(__file__).parent
SHEETS = ["rounds", "low", "together", "five_dice", "bidding", "words", "tiles", "final_count"]
OTHERS = {
    "dominion": ("kingdom", {2: "interaction", 3: "village-square", 4: "big-money"}),
    "any_game": ("sheet", dict(enumerate(SHEETS, 1))),
}
"""Other cards, or another sheet, for every number of players."""
MATCHES = [(game, players) for game in game_ids() for players in find_game(game).players]

Entry = Mapping[str, Any]


def _match(game: str) -> Callable[[Entry], Match]:
    return lambda entry: Match(
        game, entry["players"], entry.get("options", {}), physical=entry.get("physical", False)
    )


def _dominion(entry: Entry) -> DominionTable:
    return DominionTable(*entry["seats"], kingdom=entry["kingdom"], piles=entry.get("piles", {}))


def _trilithen(entry: Entry) -> State:
    return trilithen_table.position(
        entry["trilithons"], players=entry["players"], hand=entry["hand"]
    )


COUNTED: Mapping[str, Callable[[Entry], Any]] = {
    "dolmengoetter": _match("dolmengoetter"),
    "dominion": _dominion,
    "erbaut_stonehenge": lambda entry: dealt(entry["hands"], entry["display"], entry["start"]),
    "hoher_rat": lambda entry: HOHER_RAT.from_json(entry["state"]),
    "opferroulette": lambda entry: opferroulette_table.position(
        entry["players"], entry["hand"], tuple(entry["ball"])
    ),
    "rollende_steine": _match("rollende_steine"),
    "trilithen_knallen": _trilithen,
}
"""How the positions of ``perft`` are laid out, by game."""


def _golden(game: str, players: int) -> tuple[Path, str]:
    option, values = OTHERS.get(game, ("", {}))
    options = {option: values[players]} if option else {}
    text = playthrough(find_game(game), players, options=options)
    return HERE / "golden" / f"{game}_{players}p.txt", text


@pytest.mark.parametrize(("game", "players"), MATCHES)
def test_a_whole_match_is_still_played_the_same(game: str, players: int) -> None:
    stored, played = _golden(game, players)
    assert played == stored.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", COUNTED)
def test_a_position_has_as_many_moves_as_counted_by_hand(game: str) -> None:
    file = HERE / "perft" / f"{game}.json"
    entries = json.loads(file.read_text(encoding="utf-8"))["positions"]
    assert len(entries) >= 3
    for entry in entries:
        position = play(COUNTED[game](entry), *entry.get("moves", ()))
        state = position if isinstance(position, State) else position.state
        counts = entry["counts"] if "counts" in entry else [entry["legal"]]
        assert perft(state, len(counts)) == counts, entry["name"]


if __name__ == "__main__":
    for one in MATCHES:
        path, match = _golden(*one)
        path.write_text(match, encoding="utf-8")
