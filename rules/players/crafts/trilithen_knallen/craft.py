"""The craft of Trilithen Knallen: good play, and reasons for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import exp
from random import Random
from typing import ClassVar

from rules.core import Move
from rules.games.trilithen_knallen.components import COLOURS, POINTS
from rules.games.trilithen_knallen.moves import MEANING
from rules.games.trilithen_knallen.ramming import strike
from rules.games.trilithen_knallen.state import GONE, Phase, TrilithenState
from rules.players.craft import Craft
from rules.players.crafts.trilithen_knallen.memory import dealt_anew, forgetful, hand_is_known
from rules.players.crafts.trilithen_knallen.position import Race
from rules.players.crafts.trilithen_knallen.promise import Aim, aim, aims, candidates, looks
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.tasks import Task
from rules.players.view import SeatView

# Reasons why a move of Trilithen Knallen is good, by what lies open.
#
# TK23: no card that lies face down is named, nor whether one is known: it is a memory game.

CODES = (
    "throws_off", "rams_far", "rams_near", "reaches", "reaches_near", "reaches_two",
    "could_throw_off", "next_colour", "first_colour", "looks", "no_look", "swaps",
    "new_cards",
)  # fmt: skip

_NEAR = 3
"""Number of cards up to which a way is short."""


def why(state: TrilithenState, move: Move) -> Reason | None:
    """The reason, None if there is none but the chances."""
    match move.verb:
        case "place":
            return _placing(state, move)
        case "ram":
            _, colour, direction = MEANING[move.text]
            one = aim(state, colour, state.place_of[colour], direction)
            return None if one is None else _ramming(state, one)
        case "flip":
            return _turning(state)
        case "peek":
            return Reason("looks")
        case "swap":
            return Reason("swaps")
        case "discard":
            return Reason("new_cards")
        case "done" if state.phase is Phase.PEEK:
            return Reason("no_look")
    return None


def _destroys(state: TrilithenState, one: Aim) -> bool:
    return one.distance > state.points[state.owners[one.target]][one.target]


def _placing(state: TrilithenState, move: Move) -> Reason | None:
    _, colour, _, place = MEANING[move.text]
    found = aims(state, colour, place)
    targets = {one.target for one in found}
    for one in found:
        if _destroys(state, one):
            return Reason.of("could_throw_off", target=COLOURS[one.target])
    if len(targets) > 1:
        return Reason.of("reaches_two", targets=",".join(COLOURS[one] for one in sorted(targets)))
    if not found:
        return None
    one = max(found, key=lambda other: other.distance)
    if one.distance == 1:
        return Reason.of("reaches_near", target=COLOURS[one.target])
    return Reason.of("reaches", target=COLOURS[one.target], number=one.distance)


def _ramming(state: TrilithenState, one: Aim) -> Reason:
    if _destroys(state, one):
        return Reason.of("throws_off", target=COLOURS[one.target])
    if len(one.needed) <= _NEAR:
        return Reason.of("rams_near", number=len(one.needed))
    return Reason.of("rams_far", target=COLOURS[one.target], number=one.distance)


def _turning(state: TrilithenState) -> Reason:
    colour = COLOURS[state.needed[state.right]]
    if not state.right:
        return Reason.of("first_colour", colour=colour)
    return Reason.of("next_colour", colour=colour, right=state.right, cards=len(state.needed))


# The task for a turn of Trilithen Knallen: the ram that brings most, if every card that is turned
# up is right.


class BestRam(Task[TrilithenState]):
    """The place and the direction whose ram, and all that bounces off (5.4), brings most."""

    name: ClassVar[str] = "best_ram"
    fewest: ClassVar[int] = 4

    def begins(self, state: TrilithenState, seat: int, moves: Sequence[Move]) -> bool:
        return all(move.verb == "place" for move in moves) and not state.placed

    def before(self, state: TrilithenState, seat: int) -> int:
        return _captured(state, seat)

    def reached(self, state: TrilithenState, seat: int) -> int:
        if state.phase is not Phase.FLIP or state.turn != seat:
            return _captured(state, seat)
        trial = state.clone()
        trial.right = len(trial.needed)
        strike(trial)
        return _captured(trial, seat)

    def worth_a_look(
        self, state: TrilithenState, seat: int, moves: Sequence[Move]
    ) -> Sequence[Move]:
        return [move for move in moves if move.verb in ("place", "ram")]

    def first_idea(self, state: TrilithenState, seat: int, moves: Sequence[Move]) -> Move:
        """The placing from which the way is longest."""

        def distance(move: Move) -> int:
            trial = state.clone()
            trial.apply(move)
            return max((one[3] for one in trial.rams), default=0)

        return max(moves, key=lambda move: (distance(move), move.text))

    def reason(self, state: TrilithenState, turn: Sequence[Move]) -> Reason:
        trial = state.clone()
        trial.apply(turn[0])
        _, colour, direction = MEANING[turn[1].text]
        one = aim(trial, colour, trial.place_of[colour], direction)
        assert one is not None
        direct = min(one.distance, trial.points[trial.owners[one.target]][one.target])
        trial.apply(turn[1])
        number = self.reached(trial, state.turn) - _captured(state, state.turn)
        if number > direct:
            return Reason.of("bounce_pays", target=COLOURS[one.target], number=number - direct)
        if one.distance > direct:
            return Reason.of("throws_off", target=COLOURS[one.target])
        return Reason.of("rams_far", target=COLOURS[one.target], number=direct)

    def same(self, state: TrilithenState) -> Hashable:
        return (
            tuple(state.place_of), state.phase, state.turn, state.placed, state.rammer,
            state.direction,
        )  # fmt: skip


TASKS = (BestRam,)


def _captured(state: TrilithenState, seat: int) -> int:
    """Points of others that a player holds."""
    return sum(
        points for colour, points in enumerate(state.points[seat]) if colour not in state.own[seat]
    )


TEMPER = 2.0
"""Points by which a move must look better to seem e times as promising."""
FLOOR = 0.02
"""Least weight of a move, compared with the best."""
NOISE = 0.5
"""Points by which people in a playout misjudge a move."""

# In logits: fitted by logistic regression to matches that ``Demolition`` played against itself.
POINT = 0.2
"""Worth of a structure point of one's own."""
TRILITHON = 1.1
"""Worth of a trilithon besides its points."""
TURN = 0.2
"""Worth of being at turn."""


class Demolition(Craft[TrilithenState]):
    """Stand where a ram reaches a player whose colours are remembered."""

    reasons: ClassVar = CODES

    # -- what is hidden -------------------------------------------------------------------

    def sees(self, view: SeatView) -> bool:
        return hand_is_known(view)

    def states(self, view: SeatView) -> Callable[[Random], TrilithenState]:
        return dealt_anew(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        return lambda random: Race(self, states(random), view.seat)

    def forgetful(self, view: SeatView, memory: float, random: Random) -> SeatView:
        return forgetful(view, memory)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: TrilithenState, moves: Sequence[Move]) -> Sequence[Move]:
        return candidates(state, moves)

    def obvious(self, state: TrilithenState, moves: Sequence[Move]) -> Move | None:
        """The card to be turned up or looked at: all that might be turned are alike."""
        few = candidates(state, moves)
        return few[0] if len(few) == 1 else None

    def priors(self, state: TrilithenState, moves: Sequence[Move]) -> Sequence[float]:
        scores = looks(state, moves)
        best = max(scores)
        return [FLOOR + exp((score - best) / TEMPER) for score in scores]

    def carry_on(self, state: TrilithenState, moves: Sequence[Move], random: Random) -> Move:
        few = candidates(state, moves)
        if len(few) == 1:
            return few[0]
        best, chosen = -1.0, few[0]
        for move, score in zip(few, looks(state, few), strict=True):
            score += NOISE * random.random()
            if score > best:
                best, chosen = score, move
        return chosen

    # -- what it is worth -----------------------------------------------------------------

    def estimate(self, state: TrilithenState) -> Sequence[float]:
        """By what each player has left to lose."""
        strong = []
        for seat, colours in enumerate(state.own):
            points, left = state.points[seat], 0.0
            for colour in colours:
                if state.place_of[colour] != GONE:
                    left += TRILITHON + POINT * points[colour]
            if left:
                left += state.lives[seat] * (TRILITHON + POINT * POINTS)
                left += TURN * (seat == state.turn)
            strong.append(exp(left) if left else 0.0)
        total = sum(strong)
        return [one / total for one in strong]

    def tasks(self) -> Sequence[type[Task[TrilithenState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: TrilithenState, move: Move) -> Reason | None:
        return why(state, move)
