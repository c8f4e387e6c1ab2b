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
from tests.support import erbaut_table, opferroulette_table, trilithen_table
from tests.support.dominion_table import Table as DominionTable

HERE = Path(__file__).parent
KINGDOMS = {2: "interaction", 3: "village-square", 4: "big-money"}
"""Other cards at every table of Dominion."""
MATCHES = [(game, players) for game in game_ids() for players in find_game(game).players]

Entry = Mapping[str, Any]


def _match(game: str) -> Callable[[Entry], State]:
    def reached(entry: Entry) -> State:
        players, physical = entry["players"], entry.get("physical", False)
        match = Match(game, players, entry.get("options", {}), physical=physical)
        for move in entry["moves"]:
            match.push(move)
        state: State = match.state
        return state

    return reached


def _dominion(entry: Entry) -> State:
    table = DominionTable(*entry["seats"], kingdom=entry["kingdom"], piles=entry.get("piles", {}))
    table.play(*entry["moves"])
    return table.state


def _erbaut(entry: Entry) -> State:
    state = erbaut_table.dealt(entry["hands"], entry["display"], entry["start"])
    return erbaut_table.play(state, " · ".join(entry["moves"]))


def _opferroulette(entry: Entry) -> State:
    state = opferroulette_table.position(entry["players"], entry["hand"], tuple(entry["ball"]))
    return opferroulette_table.play(state, *entry["moves"])


def _trilithen(entry: Entry) -> State:
    state = trilithen_table.position(
        entry["trilithons"], players=entry["players"], hand=entry["hand"]
    )
    return trilithen_table.play(state, *entry["moves"])


COUNTED: Mapping[str, Callable[[Entry], State]] = {
    "dolmengoetter": _match("dolmengoetter"),
    "dominion": _dominion,
    "erbaut_stonehenge": _erbaut,
    "hoher_rat": lambda entry: HOHER_RAT.from_json(entry["state"]),
    "opferroulette": _opferroulette,
    "rollende_steine": _match("rollende_steine"),
    "trilithen_knallen": _trilithen,
}
"""How the positions of ``perft`` are reached, by game."""


def _golden(game: str, players: int) -> tuple[Path, str]:
    options = {"kingdom": KINGDOMS[players]} if game == "dominion" else {}
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
        counts = entry["counts"] if "counts" in entry else [entry["legal"]]
        assert perft(COUNTED[game](entry), len(counts)) == counts, entry["name"]


if __name__ == "__main__":
    for one in MATCHES:
        path, match = _golden(*one)
        path.write_text(match, encoding="utf-8")
