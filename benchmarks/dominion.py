"""Speed of Dominion: whole matches of big money against itself, beside pyminion's bots.

pyminion (https://github.com/evanofslack/pyminion) is the peer: the same two players, the same
strategy, run by its own simulator. It writes a line for nearly everything that happens, so it is
measured twice: as it comes (what it writes is thrown away) and with logging turned off altogether.
Our side deals with ``dominion_money.deal``, since it needs no log of moves.
"""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

from benchmarks.measure import Result, rate
from rules.games.dominion.components import KINGDOMS
from tests.support.dominion_money import money_match

NAME = "matches of big money, two players"
AIM = "≥ 2.5"
ROUNDS = 3
AT_ONCE = 5
"""Matches of pyminion in one run of its simulator."""


def results() -> Iterator[Result]:
    """Our matches per second beside pyminion's, logging and not; best of some rounds in turn."""
    contenders: dict[str, Callable[[], float]] = {"": _our_rate}
    try:
        with _logging_as_it_was():
            import_module("pyminion.simulator")
    except ImportError as error:
        print(f"nothing to compare Dominion with: {error}", file=sys.stderr)
    else:
        contenders["pyminion BigMoney as it comes, logging"] = partial(_their_rate, log=True)
        contenders["pyminion BigMoney, logging off"] = partial(_their_rate, log=False)
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(ROUNDS):
        for name, measure in contenders.items():
            best[name] = max(best[name], measure())
    value = best.pop("")
    for peer, peer_value in best.items():
        yield Result(NAME, value, "matches/s", peer, peer_value, value / peer_value, AIM)
    if not best:
        yield Result(NAME, value, "matches/s", "", None, None, AIM)


def _our_rate() -> float:
    seeds = count()

    def play() -> int:
        money_match(next(seeds))
        return 1

    return rate(play, rounds=1)


def _their_rate(*, log: bool) -> float:
    base: Any = import_module("pyminion.expansions.base")
    examples: Any = import_module("pyminion.bots.examples")
    simulator: Any = import_module("pyminion.simulator").Simulator
    # The second edition has no Woodcutter; big money would not buy one.
    names = [card.replace("-", "_") for card in KINGDOMS["first-game"]]
    kingdom = [getattr(base, name, base.laboratory) for name in names]
    bots = [examples.BigMoney("a"), examples.BigMoney("b")]
    with _logging_as_it_was(), redirect_stderr(_Nowhere()):
        # As the first import of pyminion leaves the log; or no log at all.
        logging.root.setLevel(logging.INFO)
        logging.disable(logging.NOTSET if log else logging.CRITICAL)
        game = import_module("pyminion.game").Game(
            bots, [base.base_set], kingdom_cards=kingdom, log_stdout=log
        )

        def play() -> int:
            simulator(game, AT_ONCE).run()
            return AT_ONCE

        return rate(play, rounds=1)


class _Nowhere(io.TextIOBase):
    """Takes text and forgets it."""

    def write(self, text: str) -> int:
        return len(text)


@contextmanager
def _logging_as_it_was() -> Iterator[None]:
    """pyminion sets up the log of the whole program; this takes it back."""
    root = logging.root
    level, handlers, disabled = root.level, root.handlers[:], root.manager.disable
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
        logging.disable(disabled)
