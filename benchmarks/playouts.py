"""Playouts a second: a game's craft beside the rules alone.

The peer is a playout by the rules with the random player of ``simulate``, from the same positions
to the end of the match; a craft's playout may be shorter, because it judges a position that is not
over yet, or slower, because it thinks a little. Both in processor seconds of one core.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.measure import Result
from rules.core import Game
from rules.games import find_game, game_ids
from rules.match import Match
from rules.players import SeatView
from rules.players.craft import Craft, RulesPosition, craft_of
from rules.players.position import Worlds
from rules.testing.playout import random_match

SPAN_S = 0.5
"""Processor seconds for each position and way."""
PARTS = (0.0, 0.3, 0.6)
"""Shares of a match after which the positions lie."""


def results() -> Iterator[Result]:
    """Each game in turn."""
    for name in game_ids():
        game = find_game(name)
        plain, crafted = [], []
        for match, seat in _positions(game):
            craft, random = craft_of(game), Random(1)
            crafted.append(_rate(craft.worlds(SeatView.of(match, seat)), random))
            plain.append(_rate(_by_rules(game, match, seat), random))
        value, peer = _mean(crafted), _mean(plain)
        yield Result(
            f"playouts of {name}", value, "playouts/s", "by the rules alone, to the end", peer,
            value / peer, "–",
        )  # fmt: skip


def _by_rules(game: Game[Any], match: Match, seat: int) -> Worlds:
    plain: Craft[Any] = Craft(game)
    return lambda _random: RulesPosition(plain, match.state.clone(), seat)


def _positions(game: Game[Any]) -> Iterator[tuple[Match, int]]:
    players = max(2, min(game.players))
    length = sum(1 for _ in random_match(game, players, {}, 1))
    for part in PARTS:
        for match, moves, _ in random_match(game, players, {}, 1):
            seat = moves[0].player
            if match.ply >= part * length and len(moves) > 1 and seat is not None:
                yield match, seat
                break


def _rate(worlds: Worlds, random: Random) -> float:
    done, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < SPAN_S or not done:
        worlds(random).playout(random)
        done += 1
    return done / spent


def _mean(rates: list[float]) -> float:
    """The harmonic mean: what a second brings on average, whatever the position."""
    return len(rates) / sum(1 / rate for rate in rates)
