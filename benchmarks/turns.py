"""Reading whole turns: hundreds of looks per game at what people leave on the table.

Each game is played at random with every number of players; the referee looks once a turn, or after
one to four steps, with stickers read perfectly and with 2 % misread and 2 % missing. The peer is a
plain breadth-first search for the layout that is seen, which may look at as many positions.

``python -m benchmarks.turns [GAME …] [--looks N] [--seed S] [--failures N]`` prints the table of
``docs/reading.md``, and what went wrong; ``--without-hooks`` that of games whose authors answered
nothing that a reading may ask.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count

from benchmarks.measure import Result
from companion.app.preload import settle_memory
from rules.games import find_game
from rules.testing.pictures import Noise
from tests.support.scenes.hookless import HOOKLESS, hookless
from tests.support.scenes.turns import Judged, Pace, Verdict, breadth_first, looks_at_turns
from tests.support.watched import WATCHED

LOOKS = 200
"""Looks per game, pace and noise."""
PEER_LOOKS = 40
PEER = "breadth-first search"
HARD = {"opferroulette", "dominion"}
"""Games in which more must be asked, since cards cover each other."""
MOST_MATCHES = 40


@dataclass
class Tally:
    """The results of many looks."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)
    failed: list[Judged] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        """Count one look."""
        self.verdicts[judged.verdict] += 1
        self.ms.append(judged.ms)
        if judged.verdict not in (Verdict.READ, Verdict.SETTLED, Verdict.ASKED):
            self.failed.append(judged)

    def share(self, *verdicts: Verdict) -> float:
        """Per cent of the looks."""
        total = self.verdicts.total()
        return 100 * sum(self.verdicts[each] for each in verdicts) / total if total else 0.0

    @property
    def late_ms(self) -> float:
        """95th percentile of the processor time of a reading."""
        return sorted(self.ms)[int(len(self.ms) * 0.95)] if self.ms else 0.0

    @property
    def slowest_ms(self) -> float:
        """The most processor time of a reading."""
        return max(self.ms, default=0.0)


def results() -> Iterator[Result]:
    """Every game at both paces, clear and noisy."""
    yield from _results(WATCHED)
    for game_id in HOOKLESS:
        with hookless(game_id):
            yield from _results([game_id])


def _results(games: Iterable[str]) -> Iterator[Result]:
    for game_id in games:
        for pace in Pace:
            ours, theirs = tally(game_id, pace), tally(game_id, pace, looks=PEER_LOOKS, plain=True)
            name = f"{game_id}, {pace}"
            read, peer = (t.share(Verdict.READ, Verdict.SETTLED) for t in (ours, theirs))
            aim = "≥ 90" if game_id in HARD else "≥ 95"
            ratio = read / peer if peer else None
            yield Result(f"{name}: read or settled", read, "%", PEER, peer, ratio, aim)
            noisy = tally(game_id, pace, Noise())
            for what, counted in (("", ours), (" in noise", noisy)):
                for verdict in (Verdict.ACCUSED, Verdict.WRONG, Verdict.ASKED_AMISS):
                    value = counted.share(verdict)
                    yield Result(f"{name}: {verdict}{what}", value, "%", "", None, None, "0")
            yield Result(f"{name}: 95 % within", ours.late_ms, "ms", "", None, None, "≤ 60")
            yield Result(f"{name}: slowest", ours.slowest_ms, "ms", "", None, None, "≤ 150")


def tally(
    game_id: str,
    pace: Pace,
    noise: Noise | None = None,
    looks: int = LOOKS,
    first: int = 0,
    *,
    plain: bool = False,
) -> Tally:
    """The tally of looks at random matches from seed ``first``, with every number of players."""
    told = Tally()
    counts: Sequence[int] = find_game(game_id).players
    settle_memory()  # As at a table that runs, no full search for garbage falls into a look.
    for seed in range(first, first + MOST_MATCHES):
        players = counts[seed % len(counts)]
        share = max(looks // (3 * len(counts)), 10)
        found = (
            looks_at_turns(game_id, players, seed, pace, noise, reader=breadth_first)
            if plain
            else looks_at_turns(game_id, players, seed, pace, noise)
        )
        for number, judged in zip(count(1), found, strict=False):
            told.add(judged)
            if number == share or told.verdicts.total() == looks:
                break
        if told.verdicts.total() == looks:
            break
    return told


HEAD = (
    "| game | pace | read | settled | asked | … without the truth | unclear | accused | wrong "
    "| 95 % within | slowest |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


def _row(game_id: str, pace: str, told: Tally) -> str:
    shares = " | ".join(f"{told.share(verdict):.1f} %" for verdict in Verdict)
    return f"| {game_id} | {pace} | {shares} | {told.late_ms:.0f} ms | {told.slowest_ms:.0f} ms |"


def main() -> int:
    """The table of the docs, and what went wrong."""
    parser = argparse.ArgumentParser(prog="benchmarks.turns", description=main.__doc__)
    parser.add_argument("game", nargs="*", help=f"any of: {', '.join(WATCHED)}")
    parser.add_argument("--looks", type=int, default=LOOKS)
    parser.add_argument("--seed", type=int, default=0, help="of the first match")
    parser.add_argument("--failures", type=int, default=0, help="print so many per row")
    parser.add_argument("--without-hooks", action="store_true")
    given = parser.parse_args()
    print(HEAD)
    for game_id in given.game or (HOOKLESS if given.without_hooks else WATCHED):
        with hookless(game_id) if given.without_hooks else nullcontext():
            _rows(game_id, given)
    return 0


def _rows(game_id: str, given: argparse.Namespace) -> None:
    for pace in Pace:
        for noise in (None, Noise()):
            told = tally(game_id, pace, noise, given.looks, given.seed)
            print(_row(game_id, f"{pace}{', noisy' if noise else ''}", told), flush=True)
            for judged in told.failed[: given.failures]:
                print(_failure(judged), file=sys.stderr)


def _failure(judged: Judged) -> str:
    reading = judged.reading
    answers = [[move.text for move in each.moves] for each in reading.candidates]
    return (
        f"  {judged.verdict}: played {[move.text for move in judged.played]}; said "
        f"{[move.text for move in reading.moves]} {[o.code for o in reading.objections]} "
        f"{reading.refused or ''} {reading.doubt} {answers}"
    )


if __name__ == "__main__":
    sys.exit(main())
