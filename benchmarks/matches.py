"""Whole matches on rendered frames: what is read without asking, what is asked, what is wrong.

A random match of every game is played at the virtual table (see ``benchmarks.sitting``): hands
come and go, pieces lie askew and get knocked, the table is pushed, a lamp is switched, somebody's
shade falls on the board. A move counts as visible if it changes what can be seen and a *perfect*
picture would leave no doubt about it; others are tapped, or asked about, and counted apart.

``matches`` plays the beginning of each match and ends within minutes; ``whole-matches`` plays to
the end, which takes an hour on two cores. ``python -m benchmarks.matches GAME … [--seed S]
[--moves N] [--plain] [--keep DIR]`` plays single ones and tells of everything that went wrong.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result
from benchmarks.plain_eye import PlainEye
from benchmarks.sitting import Sitting, Tally, tracker
from rules.games import game_ids

__all__ = ["results", "whole"]

SHORT = 8
"""Moves of the short run; the table is pushed before the third and the lamp switched before the
fifth."""
PEER_MOVES = 30
"""The plain detector plays no further than this: its players help it all the time."""
PEER = "plain detector + nearest field"
SEED = 1


def results() -> Iterator[Result]:
    """The beginning of a match of every game."""
    for game_id in game_ids():
        yield from _of(game_id, SHORT)


def whole() -> Iterator[Result]:
    """A whole match of every game."""
    for game_id in game_ids():
        yield from _of(game_id, None)


def _of(game_id: str, moves: int | None) -> Iterator[Result]:
    ours = Sitting(game_id, SEED).play(moves)
    limit = PEER_MOVES if moves is None else moves
    theirs = Sitting(game_id, SEED, PlainEye).play(limit)
    for trouble in ours.troubles:
        print(trouble, file=sys.stderr)
    what = f"match of {game_id}"
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
    parser.add_argument("game", nargs="+", choices=game_ids())
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--moves", type=int, default=None, help="stop after so many visible moves")
    parser.add_argument("--width", type=int, default=1600, help="px of the camera's 4:3 picture")
    parser.add_argument("--plain", action="store_true", help="with the plain detector instead")
    parser.add_argument("--keep", type=Path, default=None, help="folder for pictures of troubles")
    given = parser.parse_args()
    for game_id in given.game:
        sitting = Sitting(
            game_id, given.seed, PlainEye if given.plain else tracker, given.width,
            given.players, given.keep,
        )  # fmt: skip
        print(_line(game_id, sitting.play(given.moves)), flush=True)
    return 0


def _line(game_id: str, tally: Tally) -> str:
    lines = [f"  {trouble}" for trouble in tally.troubles]
    look = statistics.median(tally.ms) if tally.ms else 0.0
    end = "to the end" if tally.finished else "so far"
    lines.append(
        f"{game_id}, {end}: {tally.visible} visible, {tally.read} read, {tally.asked} asked, "
        f"{tally.wrong} wrong, {tally.accused} accused; {tally.alike} look alike "
        f"({tally.alike_asked} asked rightly), {tally.tapped} tapped, {tally.dealt} dealt; "
        f"{tally.pushes} pushes, {tally.lamps} lamps, {tally.frames} frames, {look:.0f} ms a look"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
