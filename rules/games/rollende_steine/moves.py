"""Moves by what they name, and how likely the results of a roll are."""

from __future__ import annotations

from itertools import accumulate, combinations

from rules.core import Actor, Move
from rules.games.rollende_steine.components import ALL_GATES, COLOURS, GATES

CUSHION, RELOCATE, ROLL_DISC = (
    tuple(Move.of(seat, verb) for seat in range(len(COLOURS)))
    for verb in ("cushion", "relocate", "roll")
)

_STEPS = (
    (ROLL_DISC,), (CUSHION, ROLL_DISC), (RELOCATE, ROLL_DISC), (CUSHION, RELOCATE, ROLL_DISC),
)  # fmt: skip

STEP_MOVES = tuple(
    tuple(tuple(verb[seat] for verb in verbs) for verbs in _STEPS) for seat in range(len(COLOURS))
)
"""Legal steps per seat, by 1 (has a cushion) + 2 (a cushion lies on the board)."""

SHORT = Move.of(Actor.TABLE, "short")

MISS = Move.of(Actor.TABLE, "miss")


def _gate_sets() -> dict[int, Move]:
    """``score`` moves by the bits of their gates: every non-empty set, ascending."""
    numbers = range(len(GATES))
    return {
        sum(1 << gate for gate in chosen): Move.of(
            Actor.TABLE, "score", ",".join(GATES[gate] for gate in chosen)
        )
        for size in range(1, len(GATES) + 1)
        for chosen in combinations(numbers, size)
    }


SCORE = _gate_sets()

FEWEST_FIRST = sorted(SCORE, key=lambda bits: (bits.bit_count(), bits))

BITS_OF = {move.args[0]: bits for bits, move in SCORE.items()}

RESULTS = tuple(
    tuple(
        sorted([SHORT, MISS, *(move for bits, move in SCORE.items() if not bits & ~left)])
    )
    for left in range(ALL_GATES + 1)
)  # fmt: skip
"""All results of a roll, by the bits of the gates not yet scored."""


def _likelihood(move: Move) -> int:
    """In fifths: miss 60, short 12, a single gate 4, a pair 1, a larger set 0.2."""
    if move is SHORT:
        return 60
    if move is MISS:
        return 300
    return {1: 20, 2: 5}.get(BITS_OF[move.args[0]].bit_count(), 1)


LIKELIHOOD = {
    move.text: _likelihood(move) for move in (SHORT, MISS, *SCORE.values())
}  # fmt: skip

CUMULATIVE = tuple(
    tuple(accumulate(LIKELIHOOD[move.text] for move in results)) for results in RESULTS
)
