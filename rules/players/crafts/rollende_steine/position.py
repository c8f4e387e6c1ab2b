"""A match of Rollende Steine in numbers, with the chances of the accuracy model.

The rules say what a disc may do, not how likely that is for a player who aims; so the search plays
on positions of its own. Their moves are those of the rules (a test plays both side by side).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random

from rules.core import Move
from rules.games.rollende_steine.components import ALL_GATES, GATES
from rules.games.rollende_steine.game import RollendeSteinePosition
from rules.players.crafts.rollende_steine.accuracy import STRAYS_ON, Shot
from rules.players.crafts.rollende_steine.reckoning import MOST_USEFUL, Reckoning
from rules.players.position import CHANCE, OVER, Key

SHORT_ROLL = -1
"""Result of a roll that did not get across; others are bits of gates, 0 for a miss."""

_ROLL, _CUSHION, _RELOCATE = (
    tuple(Move.of(seat, verb) for seat in range(5)) for verb in ("roll", "cushion", "relocate")
)


def result(shot: Shot, left: int, beside: int, form: float, short: float, random: Random) -> int:
    """The result of a roll, drawn from the accuracy model."""
    if random.random() < short:
        return SHORT_ROLL
    at = random.random()
    for bits, part in shot.passes:
        at -= part * form
        if at < 0:
            if bits & left:
                return bits & left
            break
    # 4.4: a stray disc may be turned back by a cushion.
    if random.random() >= STRAYS_ON ** min(MOST_USEFUL, beside):
        return 1 << shot.aim & left
    return 0


def worth(left: int, used: int, discs: int) -> float:
    """Worth of the end to all: passing every gate, with few discs; else gates (RS8)."""
    if left:
        return 0.06 * (len(GATES) - left.bit_count())
    return 0.8 + 0.2 * (1 - used / discs)


class RollingPosition:
    """A player's step, or a roll."""

    __slots__ = (
        "_cushions", "_discs", "_form", "_left", "_players", "_reckoning", "_rolling", "_short",
        "_turn", "_used", "open",
    )  # fmt: skip

    def __init__(
        self, state: RollendeSteinePosition, reckoning: Reckoning, form: list[float], discs: int
    ) -> None:
        """``form``: how much better than the model each gate is met; ``discs``: in all supplies at
        the beginning."""
        self.open = False
        self._left, self._used, self._turn = state.left, state.used, state.turn
        self._players, self._discs = len(state.own), discs
        self._cushions = state.cushions[:]
        self._reckoning, self._form, self._short = reckoning, form, reckoning.stops_short
        self._rolling: Shot | None = None

    def clone(self) -> RollingPosition:
        other = RollingPosition.__new__(RollingPosition)
        other.open, other._left, other._used = self.open, self._left, self._used
        other._turn, other._players, other._discs = self._turn, self._players, self._discs
        other._cushions, other._form = self._cushions[:], self._form
        other._reckoning, other._short = self._reckoning.with_cushions(), self._short
        other._rolling = self._rolling
        return other

    def actor(self) -> int:
        if not self._left or self._used >= self._discs:
            return OVER
        return self._turn if self._rolling is None else CHANCE

    def keys(self) -> Sequence[Key]:
        found = [_ROLL[self._turn]]
        if self._cushions[self._turn]:
            found.append(_CUSHION[self._turn])
        if any(self._reckoning.beside):
            found.append(_RELOCATE[self._turn])
        return found

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        """A player who knows of cushions uses them, since a step costs nothing (4.4)."""
        knows = self._reckoning.skill.cushions
        weights = [1.0 if (key.verb == "roll") != knows else 0.4 for key in keys]
        total = sum(weights)
        return [weight / total for weight in weights]

    def draw(self, random: Random) -> Key:
        shot = self._rolling
        assert shot is not None
        beside = self._reckoning.beside[shot.aim] if self._reckoning.skill.cushions else 0
        return result(shot, self._left, beside, self._form[shot.aim], self._short, random)

    def seen(self, key: Key) -> Hashable:
        return key  # type: ignore[no-any-return]

    def play(self, key: Key) -> None:
        if isinstance(key, int):
            self._rolled(key)
        else:
            self._step(key.verb)

    def playout(self, random: Random) -> Sequence[float]:
        while self.actor() != OVER:
            if self._rolling is None:
                self._step(self._usual())
            self._rolled(self.draw(random))
        return [worth(self._left, self._used, self._discs)] * self._players

    def move(self, key: Key) -> Move:
        assert isinstance(key, Move)
        return key

    # -- private --------------------------------------------------------------------------

    def _usual(self) -> str:
        reckoning = self._reckoning
        if not reckoning.skill.cushions:
            return "roll"
        passed = sum(n for gate, n in enumerate(reckoning.beside) if not self._left >> gate & 1)
        if passed > 1 or (passed and not self._cushions[self._turn]):
            return "relocate"
        return "cushion" if self._cushions[self._turn] else "roll"

    def _step(self, verb: str) -> None:
        shot = self._reckoning.aim(self._left, verb, self._form)
        if verb == "cushion":
            self._cushions[self._turn] -= 1
        self._reckoning.lay(verb, shot.aim, self._left)
        self._rolling = shot

    def _rolled(self, did: int) -> None:
        if did == SHORT_ROLL:
            return
        self._left &= ~did & ALL_GATES
        self._used += 1
        self._turn = (self._turn + 1) % self._players
        self._rolling = None
