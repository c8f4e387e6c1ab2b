"""Backgammon of ``examples/`` against OpenSpiel's: the same turns in the same positions.

``python -m benchmarks.opponents.backgammon --positions 2500`` plays OpenSpiel's random games, and
compares in each position all boards that a turn can lead to, and at the end what was won.
``--record FILE`` keeps some of these positions, with the number and a checksum of OpenSpiel's
boards, for ``tests/examples/test_backgammon.py``.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyspiel

from rules.games import add_games, find_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "backgammon"
KEPT = 60
"""Positions that are recorded."""

Men = tuple[int, ...]
"""Checkers by pips, as their player counts: those borne off, 24 points, those on the bar."""
Boards = set[tuple[Men, Men]]
"""Checkers of whoever moves, and of the other."""


def men_of(state: Any, player: int) -> Men:
    """The checkers of a player in a position of OpenSpiel's."""
    points = [state.board(player, 24 - pip if player == 0 else pip - 1) for pip in range(1, 25)]
    bar = _line(state, "Bar").count("xo"[player])
    return (15 - sum(points) - bar, *points, bar)


def dice_of(state: Any) -> list[int]:
    """The dice of a turn that begins."""
    dice = [int(face) for face in _line(state, "Dice")]
    return dice * 2 if dice[0] == dice[1] else dice


def theirs(state: Any, player: int) -> Boards:
    """The boards that OpenSpiel's turn can lead to; of a double it moves two and two."""
    found: Boards = set()
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        if _begins(state) and after.current_player() == player and not _begins(after):
            found |= theirs(after, player)
        else:
            found.add((men_of(after, player), men_of(after, 1 - player)))
    return found


def ours(men: Sequence[int], other: Sequence[int], dice: Sequence[int]) -> Boards:
    """The boards that a turn of ours can lead to, move by move."""
    begun = _turn(men, other, dice)
    found: Boards = set()
    met: set[tuple[Men, Men, Men]] = set()
    ways = [begun]
    while ways:
        state = ways.pop()
        lies = (tuple(state.men[0]), tuple(state.men[1]))
        moves = state.legal_moves() if state.phase == "move" and state.turn == 0 else []
        if not moves or moves[0].verb != "move":
            found.add(lies)
        for move in moves:
            after = state.clone()
            after.apply(move)
            reached = (tuple(after.men[0]), tuple(after.men[1]), tuple(after.dice))
            if reached not in met:
                met.add(reached)
                ways.append(after)
    return found


def won(other: Sequence[int]) -> int:
    """The points that we count for bearing off the last checker against these of the other."""
    state = _turn((14, 1, *[0] * 24), other, (1, 2))
    state.apply(state.legal_moves()[0])
    return int(state.scores()[0])


def checksum(boards: Boards) -> int:
    """One number for all boards, whatever their order."""
    return zlib.crc32("\n".join(sorted(f"{written(a)} {written(b)}" for a, b in boards)).encode())


def written(men: Iterable[int]) -> str:
    """Checkers as hexadecimal digits."""
    return "".join(f"{number:x}" for number in men)


def turns(random: Random) -> Iterator[Any]:
    """The positions of a random game of OpenSpiel's in which a turn begins, and the last one."""
    state = pyspiel.load_game("backgammon(scoring_type=full_scoring)").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, odds)[0])
            continue
        if _begins(state):
            yield state
        state.apply_action(random.choice(state.legal_actions()))
    yield state


def main() -> int:
    """Compare as many positions as asked for."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--positions", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="file for some of the positions")
    given = parser.parse_args()
    add_games(EXAMPLE)
    random, seen, lines = Random(given.seed), Counter[str](), list[str]()
    while seen["positions"] < given.positions:
        for state in turns(random):
            player = int(state.current_player())
            if state.is_terminal():
                returns = state.returns()
                loser = returns.index(min(returns))
                seen["games"] += 1
                seen["differ"] += won(men_of(state, loser)) != max(returns)
                continue
            men, other, dice = men_of(state, player), men_of(state, 1 - player), dice_of(state)
            expected = theirs(state, player)
            seen["positions"] += 1
            seen["doubles"] += len(dice) == 4
            seen["on the bar"] += men[-1] > 0
            seen["bearing off"] += not sum(men[7:])
            seen["no move"] += expected == {(men, other)}
            seen["differ"] += ours(men, other, dice) != expected
            if random.random() < KEPT / given.positions:
                faces = "".join(map(str, dice))
                line = (written(men), written(other), faces, len(expected), checksum(expected))
                lines.append(" ".join(map(str, line)))
    print(", ".join(f"{number} {what}" for what, number in seen.items()))
    if given.record:
        given.record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if seen["differ"] else 0


def _turn(men: Sequence[int], other: Sequence[int], dice: Sequence[int]) -> Any:
    game = find_game("backgammon")
    state = game.setup(2, game.complete_options(2, {"points": "money", "cube": "off"}), False)
    state.men, state.phase, state.dice = (list(men), list(other)), "move", sorted(dice)
    return state


def _begins(state: Any) -> bool:
    return "Extra turn: 1" not in str(state)


def _line(state: Any, name: str) -> str:
    lines = (line.partition(":") for line in str(state).splitlines())
    return next(rest.strip() for head, _, rest in lines if head == name)


if __name__ == "__main__":
    sys.exit(main())
