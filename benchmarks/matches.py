"""Whole matches on rendered frames: what is read without asking, what is asked, what is wrong.

A random match of every game is played at the virtual table (``tests.support.scenes.sitting``):
hands come and go, pieces lie askew and get knocked, the table is pushed, a lamp is switched,
a passing shade falls on the board. A move counts as visible if it changes what can be seen and a
*perfect* picture would leave no doubt about it; others are tapped, or asked about, and counted
separately.

``matches`` plays the beginning of each match and ends within minutes; ``whole-matches`` plays two
of every game to their ends, reports its progress, and ends with the table of
``docs/reading.md``; that takes hours. ``python -m benchmarks.matches GAME … [--seed S] [--moves N]
[--from PLY] [--whole-turns] [--plain] [--keep DIR] [--tremble MM HZ] [--pushes N]`` plays
single ones and reports everything that went wrong; ``--matches N --log FILE`` plays several, and
goes on where it was stopped. With ``--drawn`` there is no camera: every sticker is read, and a
match takes seconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import cv2

from benchmarks.measure import Result
from benchmarks.plain_eye import plain
from companion.simulator import Tremble
from tests.support.scenes.drawn_sitting import DrawnSitting
from tests.support.scenes.sitting import PUSHES, Sitting, tracker
from tests.support.scenes.tally import Tally
from tests.support.watched import WATCHED

SHORT = 8
"""Moves of the short run; the table is pushed before the third and the lamp switched before the
fifth."""
PEER_MOVES = 60
"""The plain detector plays no further than this: its players help it all the time."""
PEER = "plain detector + nearest field"
SEED = 1
SEEDS = (1, 2)


def results() -> Iterator[Result]:
    """The beginning of a match of every game."""
    for game_id in WATCHED:
        yield from _compared(f"match of {game_id}", *_played(game_id, SEED, SHORT))


def whole() -> Iterator[Result]:
    """Whole matches of every game; the table of the docs goes to the error output."""
    rows = []
    for game_id in WATCHED:
        for seed in SEEDS:
            ours, theirs = _played(game_id, seed, None, _tell)
            rows.append(_row(game_id, seed, ours, theirs))
            yield from _compared(f"match {seed} of {game_id}", ours, theirs)
    print("\n".join(["", HEAD, *rows]), file=sys.stderr)


def _played(
    game_id: str, seed: int, moves: int | None, tell: Callable[[str], None] = lambda line: None
) -> tuple[Tally, Tally]:
    """The same match seen by the tracker and by its peer."""
    ours = Sitting(game_id, seed, tell=tell).play(moves)
    theirs = Sitting(game_id, seed, plain).play(PEER_MOVES if moves is None else moves)
    return ours, theirs


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


HEAD = (
    "| game | seed | visible moves | read without asking | asked | wrong | accused "
    "| pushes, lamps | peer: read, wrong |\n|---|---|---|---|---|---|---|---|---|"
)


def _row(game_id: str, seed: int, ours: Tally, theirs: Tally) -> str:
    """One match as a line of the table in ``docs/reading.md``."""
    end = "whole" if ours.finished else f"first {ours.visible + ours.alike}"
    return (
        f"| {game_id}, {end} | {seed} | {ours.visible} "
        f"| {ours.read} ({100 * ours.share:.1f} %) | {ours.asked} | {ours.wrong} "
        f"| {ours.accused} | {ours.pushes}, {ours.lamps} "
        f"| {theirs.read} of {theirs.visible} ({100 * theirs.share:.0f} %), {theirs.wrong} |"
    )


def _compared(what: str, ours: Tally, theirs: Tally) -> Iterator[Result]:
    for trouble in ours.troubles:
        print(trouble, file=sys.stderr)
    yield Result(
        f"{what}: read without asking, of {ours.visible} moves", 100 * ours.share, "%",
        f"{PEER}, of {theirs.visible} moves", 100 * theirs.share,
        ours.share / theirs.share if theirs.share > 0 else None, "≥ 99.5",
    )  # fmt: skip
    for name, field, aim in (
        ("asked about, or helped with", "asked", "≤ 0.5 %"),
        ("wrong moves in the record", "wrong", "0"),
        ("taken for a breach of the rules", "accused", "0"),
    ):
        value, peer = float(getattr(ours, field)), float(getattr(theirs, field))
        yield Result(f"{what}: {name}", value, "moves", PEER, peer, None, aim)
    for name, count in (
        ("look like other legal moves; asked about rightly", ours.alike_asked),
        ("look like other legal moves", ours.alike),
        ("leave no trace; tapped", ours.tapped),
        ("dealt by themselves", ours.dealt),
        ("pushes of the table", ours.pushes),
        ("lamps switched", ours.lamps),
    ):
        yield Result(f"{what}: {name}", float(count), "times", "", None, None, "told only")


def main() -> int:
    """Single matches, with everything that went wrong."""
    parser = argparse.ArgumentParser(prog="benchmarks.matches", description=main.__doc__)
    parser.add_argument("game", nargs="+", choices=WATCHED)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--moves", type=int, default=None, help="stop after so many visible moves")
    parser.add_argument(
        "--from", type=int, default=0, dest="start", help="enter the moves before this ply by touch"
    )
    parser.add_argument("--width", type=int, default=1600, help="px of the camera's 4:3 picture")
    parser.add_argument(
        "--whole-turns", action="store_true", help="hands do all of a turn before they leave"
    )
    parser.add_argument("--plain", action="store_true", help="with the plain detector instead")
    parser.add_argument(
        "--drawn", action="store_true", help="no camera: every sticker is read, within seconds"
    )
    parser.add_argument("--keep", type=Path, default=None, help="folder for pictures of troubles")
    parser.add_argument("--matches", type=int, default=1, help="so many, with seeds from --seed")
    parser.add_argument(
        "--log", type=Path, default=None,
        help="file with a line for every match played; those already in it are not played again",
    )  # fmt: skip
    parser.add_argument(
        "--tremble", type=float, nargs=2, metavar=("MM", "HZ"), help="of the camera on its arm"
    )
    parser.add_argument(
        "--pushes", type=int, default=PUSHES, help="visible moves between two pushes of the table"
    )
    parser.add_argument("--threads", type=int, default=None, help="of OpenCV; as many as it likes")
    given = parser.parse_args()
    if given.threads is not None:
        cv2.setNumThreads(given.threads)
    for game_id, number in product(given.game, range(given.matches)):
        _play(game_id, given.seed + number, given)
    return 0


def _play(game_id: str, seed: int, given: argparse.Namespace) -> None:
    """One match, told line by line."""
    name = f"{game_id}/{seed}"
    log: Path | None = given.log
    known = log.read_text().splitlines() if log is not None and log.exists() else []
    if played := [line for line in known if line.startswith(f"{name}, to the end")]:
        print(played[-1], flush=True)
        return
    begun = time.monotonic()
    sitting = _sitting(game_id, seed, given)
    line = _line(name, sitting.play(given.moves, given.start), time.monotonic() - begun)
    print(line, flush=True)
    if log is not None:
        with log.open("a") as lines:
            lines.write(f"{line}\n")


def _sitting(game_id: str, seed: int, given: argparse.Namespace) -> Sitting:
    def tell(line: str) -> None:
        print(f"  {line}", flush=True)

    if given.drawn:
        return DrawnSitting(game_id, seed, given.players, tell, whole_turns=given.whole_turns)
    return Sitting(
        game_id, seed, plain if given.plain else tracker, given.width,
        given.players, given.keep, tell, whole_turns=given.whole_turns,
        tremble=Tremble(*given.tremble) if given.tremble else None, pushes=given.pushes,
    )  # fmt: skip


def _line(name: str, tally: Tally, took_s: float) -> str:
    look = statistics.median(tally.ms) if tally.ms else 0.0
    end = "to the end" if tally.finished else "so far"
    return (
        f"{name}, {end}: {tally.visible} visible, {tally.read} read ({tally.late} late), "
        f"{tally.asked} asked, {tally.wrong} wrong, {tally.accused} accused; "
        f"{tally.alike} look alike ({tally.alike_asked} asked rightly), "
        f"{tally.otherwise} put right, {tally.tapped} tapped, {tally.dealt} dealt; "
        f"{tally.pushes} pushes, {tally.lamps} lamps, {tally.frames} frames, "
        f"{look:.0f} ms a look, {took_s:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
