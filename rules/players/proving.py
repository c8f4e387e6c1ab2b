"""Whether one turn is clearly better than all others: what makes a position a puzzle.

Where a craft can solve a position (``Craft.solved``), it is solved. Elsewhere moves are weighed one
by one, and those drop out that are certainly worse by ``GAP`` (successive elimination: E. Even-Dar,
S. Mannor, Y. Mansour, *Action Elimination and Stopping Conditions*, JMLR 7, 2006); whoever is left
is looked at twice as closely, until those left are as good as each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rules.core import Move
from rules.match import Match
from rules.players.craft import Craft
from rules.players.player import Budget
from rules.players.view import SeatView
from rules.players.weighing import Scales, Weight, doubt_between
from rules.puzzle import EXACT, SEARCHED, ProofKind, Turn

__all__ = [
    "GAP",
    "MOST",
    "MOST_RIGHT",
    "Proof",
    "clear_turns",
    "proved",
    "seen_by",
    "settle",
]

GAP = 0.15
"""So much worse all other moves are at least."""
EVEN = 0.04
"""Moves are as good as each other if their chances differ by no more, after the closest look."""
FIRST, MOST = 32, 4096
"""Playouts for each move: in the first round, and in the last."""
AGAIN, BEST_AGAIN = 256, 4
"""Playouts for each of the others at the end, and so many of them are looked at as closely as the
right ones."""
MOST_RIGHT = 3
"""More right moves make no puzzle."""
MOST_TURNS = 12


@dataclass(frozen=True, slots=True)
class Proof:
    """Which of the moves of a decision are right."""

    right: tuple[Move, ...]
    """The best one first."""
    chance: float
    """What it is worth, 0 … 1."""
    rest: float
    """The same of the best of all others."""
    kind: ProofKind
    chances: dict[Move, float]
    """Of every move that was weighed."""


def seen_by(match: Match, seat: int, craft: Craft[Any]) -> SeatView:
    """What somebody knows who meets the position as a puzzle: what their seat can see, and nothing
    of what was shown earlier and lies hidden again."""
    return craft.forgetful(SeatView.of(match, seat), 0.0, Random(0))


def proved(
    match: Match,
    craft: Craft[Any],
    random: Random,
    *,
    most: int = MOST,
    gap: float = GAP,
) -> Proof | None:
    """The proof that few of the legal moves of ``match`` are right; None if that is not so.

    ``most``: playouts for each move in the last round; ``gap``: so much worse are the others.
    """
    legal = match.legal_moves()
    seat = legal[0].player
    assert seat is not None
    view = seen_by(match, seat, craft)
    solved = craft.solved(match.state) if not craft.hides(view) else None
    if solved is not None:
        return _from_chances(solved, solved, EXACT, len(legal), gap)
    scales = Scales(craft, view, random)
    if len(scales.keys) < 2:
        return None
    left, known = _weighed(scales, random, most, gap)
    right = {one.move: one.chance for one in left}
    proof = _from_chances(right, known, SEARCHED, len(legal), gap)
    if proof is None:
        return None
    # What dropped out early was not looked at deeply: it may only have seemed bad.
    rest = _looked_at_again(scales, random, most, [m for m in known if m not in proof.right])
    return _from_chances(right, known | rest, SEARCHED, len(legal), gap)


def clear_turns(
    match: Match,
    craft: Craft[Any],
    random: Random,
    first: Proof,
    *,
    most: int = MOST,
    gap: float = GAP,
) -> list[Turn]:
    """The turns that begin with a right move of ``first``, as far as their moves are clear too."""

    seat = first.right[0].player or 0

    def on(trial: Match, line: list[Move], marked: set[int]) -> Iterator[Turn]:
        """Every clear way on after ``line``; ``trial`` is after it."""
        for move in settle(trial, craft, seat):
            marked = marked | {len(line)}
            line = [*line, move]
        goes_on = trial.outcome is None and trial.next_chance() is None
        legal = trial.legal_moves() if goes_on else []
        proof = None
        if legal and legal[0].player == seat:
            proof = proved(trial, craft, random, most=most, gap=gap)
        if proof is None:
            yield Turn(tuple(line), frozenset(marked))
            return
        for move in proof.right:
            after = trial.clone()
            after.push(move)
            yield from on(after, [*line, move], marked)

    turns: list[Turn] = []
    for move in first.right:
        trial = match.clone()
        trial.push(move)
        turns += on(trial, [move], set())
        if len(turns) > MOST_TURNS:
            return []
    return turns


def settle(match: Match, craft: Craft[Any], seat: int) -> list[Move]:
    """Play what goes without saying for ``seat`` now, and nothing of chance; returns that."""
    played: list[Move] = []
    while match.outcome is None and match.next_chance() is None:
        legal = match.legal_moves()
        if not legal or legal[0].player != seat:
            break
        move = legal[0] if len(legal) == 1 else craft.obvious(match.state, legal)
        if move is None:
            break
        match.push(move)
        played.append(move)
    return played


# -- private ----------------------------------------------------------------------------------


def _weighed(
    scales: Scales, random: Random, most: int, gap: float
) -> tuple[list[Weight], dict[Move, float]]:
    """The moves that are not certainly worse, and the chances of all."""
    left: Sequence[Move] = list(scales.keys)
    known: dict[Move, float] = {}
    playouts = FIRST
    while True:
        weights = [scales.weigh(move, Budget(playouts=playouts), random) for move in left]
        weights.sort(key=lambda one: one.chance, reverse=True)
        known |= {one.move: one.chance for one in weights}
        best = weights[0]
        weights = [one for one in weights if not _worse(one, best, gap)]
        even = all(best.chance - one.chance <= _even(gap) for one in weights)
        if playouts >= most or (len(weights) == 1 and playouts >= most // 8):
            return weights, known
        if playouts >= most // 4 and (even or len(weights) > 2 * MOST_RIGHT):
            return weights, known
        left = [one.move for one in weights]
        if len(left) == 1:
            # It alone is left: only how good it is remains to be known.
            playouts = max(playouts, most // 16)
        playouts *= 2


def _looked_at_again(
    scales: Scales, random: Random, most: int, moves: Sequence[Move]
) -> dict[Move, float]:
    """What ``moves`` are worth at a closer look, and the best of them at the closest."""
    found: dict[Move, float] = {}
    for playouts, count in ((AGAIN, len(moves)), (most, BEST_AGAIN)):
        ranked = sorted(moves, key=lambda move: (-found.get(move, 0.0), move.text))[:count]
        for move in ranked:
            weight = scales.weigh(move, Budget(playouts=playouts), random)
            found[move] = max(found.get(move, 0.0), weight.chance)
    return found


def _worse(one: Weight, best: Weight, gap: float) -> bool:
    worse = best.chance - one.chance
    return worse >= gap and worse - doubt_between(one, best) > _even(gap)


def _even(gap: float) -> float:
    return min(EVEN, gap / 3)


def _from_chances(
    left: Mapping[Move, float], known: Mapping[Move, float], kind: ProofKind, legal: int, gap: float
) -> Proof | None:
    ranked = sorted(left, key=lambda move: (-left[move], move.text))
    best = left[ranked[0]]
    right = tuple(move for move in ranked if best - left[move] <= _even(gap))
    rest = max((chance for move, chance in known.items() if move not in right), default=None)
    if rest is None or best - rest < gap or not len(right) <= min(MOST_RIGHT, legal // 2):
        return None
    return Proof(right, best, rest, kind, dict(known))
