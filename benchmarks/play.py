"""Speed of the rules: random play of every game beside OpenSpiel's Python tic-tac-toe.

OpenSpiel's ``python_tic_tac_toe`` is a game built the same way (rules in Python, one object per
state) whose rules are far simpler; it is the peer that the figures are ratios to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from benchmarks.measure import Result, median_ms, rate
from rules.box import load_box
from rules.core import Game
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.reading import Status, read
from rules.testing.pictures import draw
from rules.testing.playout import pick, random_match

AIMS = {"knizia_stonehenge": "≥ 4"}
PEER = "OpenSpiel python_tic_tac_toe steps/s"


def results() -> Iterator[Result]:
    """Random play of each game, and the time of a reading."""
    peer = _open_spiel()
    for name in game_ids():
        game = find_game(name)
        value = rate(_random_play(game))
        yield Result(
            f"random play of {name}",
            value,
            "steps/s",
            PEER,
            peer,
            None if peer is None else value / peer,
            AIMS.get(name, "≥ 2"),
        )
    for name in game_ids():
        yield _reading_of(find_game(name))
    yield Result(
        "read() of a two-step turn, Knizia", _two_step_reading(), "ms", "", None, None, "≤ 5 ms"
    )


def _random_play(game: Game[Any]) -> Callable[[], int]:
    players = game.players[0]
    options = game.complete_options(players, {})
    random = Random(1)

    def play() -> int:
        state = game.setup(players, options, False)
        steps = 0
        while moves := state.legal_moves():
            state.apply(pick(state, moves, random))
            steps += 1
        return steps

    return play


def _open_spiel() -> float | None:
    try:
        import pyspiel
        from open_spiel.python.games import tic_tac_toe  # noqa: F401 - registers the game
    except ImportError:
        return None
    game = pyspiel.load_game("python_tic_tac_toe")
    random = Random(1)

    def play() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            steps += 1
        return steps

    return rate(play)


def _two_step_reading() -> float:
    """Median over the turns of a match: the turn before was not closed, a stone was placed."""
    spans = []
    random = Random(5)
    box = load_box("knizia_stonehenge")
    match = Match("knizia_stonehenge", 2)
    while match.outcome is None:
        ahead = match.clone()
        for move in ("done", "place"):
            fitting = [m for m in ahead.legal_moves() if m.verb == move]
            if fitting:
                ahead.push(random.choice(fitting))
        if ahead.ply - match.ply == 2:
            picture = draw(box, ahead.layout)
            assert read(match, picture).status is Status.MOVE
            spans.append(median_ms(partial(read, match, picture), 5))
        match.push(random.choice(match.legal_moves()))
    return sorted(spans)[len(spans) // 2]


def _reading_of(game: Game[Any]) -> Result:
    """95th percentile of read() over positions of physical matches."""
    box = load_box(game.box).for_game(game.id)
    spans = []
    for seed in (1, 2):
        players = game.players[-1]
        options = game.complete_options(players, {})
        referee = Match(game, players, options, physical=True, seed=seed)
        for match, _, move in random_match(game, players, options, seed):
            for shown in match.state.shown(move):
                before = referee.clone()
                referee.push(shown)
                if shown.player is not None and referee.ply % 3 == 0:
                    after = referee.clone()
                    after.deal()
                    picture = draw(box, after.layout)
                    start = time.perf_counter()
                    read(before, picture)
                    spans.append((time.perf_counter() - start) * 1e3)
            if len(spans) > 100 * seed:
                break
    slow = sorted(spans)[int(len(spans) * 0.95)]
    return Result(f"read() of {game.id}, 95th percentile", slow, "ms", "", None, None, "≤ 30 ms")
