"""Knowledge of Backgammon for computer players: who is ahead, and what stands badly.

Nothing is played out: a turn and the answers to it are looked ahead, over the dice, and what is
reached is judged at a look.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import ClassVar

from backgammon.game import BackgammonState
from backgammon.play import BAR, CHECKERS, HOME, pips
from rules.core import Move
from rules.core.matches import Outcome
from rules.players.craft import Craft

WAY = 0.9
"""Worth of being ahead in the race, per square root of the pips that both have still to go
(natural-log odds of winning the game)."""
POINT = (0.0, 0.10, 0.13, 0.18, 0.24, 0.27, 0.25, 0.20, 0.10)
"""Worth of two checkers or more on a point, from the first on; farther away the last."""
ROW = 0.12
"""Worth of each point of a row of points that no checker passes, beyond the second."""
SHOT = 2.2
"""Worth, per pip that would be lost and per share of throws that hit, of a checker alone."""
BARRED = 0.35
"""Worth of the other's checker on the bar, for each point in one's home that it cannot enter on."""
HOLDS = 0.25
"""Worth of having the cube (natural-log odds of winning the game)."""
GAMMON = 0.3
"""Part of won games that count twice, while the loser has borne off nothing."""


class BackgammonCraft(Craft[BackgammonState]):
    """The craft of Backgammon."""

    horizon: ClassVar[int] = 0

    def estimate(self, state: BackgammonState) -> Sequence[float]:
        won = _game_won(state, 0)
        value = state.cube * (2 if state.phase == "answer" else 1)
        chance = won * _match_won(state, 0, value) + (1 - won) * (1 - _match_won(state, 1, value))
        return (chance, 1 - chance)

    def payoff(self, state: BackgammonState, outcome: Outcome) -> Sequence[float]:
        if state.points:
            return [float(seat in outcome.ranking[0]) for seat in (0, 1)]
        return [_money(outcome.scores[seat] - outcome.scores[1 - seat]) for seat in (0, 1)]

    def priors(self, state: BackgammonState, moves: Sequence[Move]) -> Sequence[float]:
        """Moves that look well at once come first."""
        if state.phase != "move":
            return (1.0,) * len(moves)
        return [exp(3.0 * _after(state, move)) for move in moves]


def _after(state: BackgammonState, move: Move) -> float:
    then = state.clone()
    then.apply(move)
    return _odds(then, state.turn) if then.phase != "over" else 3.0


def _game_won(state: BackgammonState, seat: int) -> float:
    odds = _odds(state, seat)
    if state.holder in (0, 1):
        odds += HOLDS if state.holder == seat else -HOLDS
    return 1 / (1 + exp(-odds))


def _odds(state: BackgammonState, seat: int) -> float:
    """Natural-log odds that a seat wins the game, by the board alone."""
    men, other = state.men[seat], state.men[1 - seat]
    left, theirs = pips(men) + 1, pips(other) + 1
    # Whoever throws next is half a throw ahead.
    ahead = theirs - left + (4 if state.asked() == seat else -4)
    odds = WAY * ahead / sqrt(left + theirs)
    return odds + _stand(men, other) - _stand(other, men)


def _stand(men: Sequence[int], other: Sequence[int]) -> float:
    """The standing of one player's checkers, as long as both can meet."""
    farthest = max((pip for pip in range(BAR + 1) if men[pip]), default=0)
    theirs = max((pip for pip in range(BAR + 1) if other[pip]), default=0)
    if farthest + theirs < BAR:
        return 0.0
    worth, row = 0.0, 0
    for pip in range(1, BAR):
        if men[pip] > 1:
            row += 1
            worth += POINT[min(pip, len(POINT) - 1)] + (ROW if row > 2 else 0.0)
        else:
            row = 0
            if men[pip] == 1:
                worth -= SHOT * _hit(pip, other) * (BAR - pip) / 100
    return worth + BARRED * other[BAR] * sum(men[pip] > 1 for pip in range(1, 7)) / 3


def _hit(pip: int, other: Sequence[int]) -> float:
    """The share of throws that hit a checker alone, about."""
    away = (pip - (BAR - back) for back in range(1, BAR + 1) if other[back])
    shots = sum(11 + ahead if ahead < 7 else 3 for ahead in away if 0 < ahead < 12)
    return min(shots / 36, 0.9)


def _match_won(state: BackgammonState, seat: int, value: int) -> float:
    """The chance to win the match after winning this game with a cube of ``value``."""
    doubled = 0.0 if state.men[1 - seat][HOME] else GAMMON
    if not state.points:
        return _money(round(value * (1 + doubled)))
    scores = state.scores()
    own = max(state.points - scores[seat] - value * (1 + doubled), 0.0)
    theirs = state.points - scores[1 - seat]
    # R. Janowski's rule of thumb for the score in a match.
    return 1.0 if not own else min(max(0.5 + 0.85 * (theirs - own) / (max(own, theirs) + 6), 0), 1)


def _money(points: float) -> float:
    return 0.5 + points / (2 * (abs(points) + CHECKERS))
