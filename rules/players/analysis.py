"""Looking back at a finished match: the chances over time, and the decisions that turned it.

The curve of chances is that of the real position, since the match is over and nothing needs to be
hidden. A decision is judged by what its seat knew when it was made and by nothing else: bad luck
with a good move is no mistake.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from rules.core import Actor, GameError, Move
from rules.match import Match
from rules.players.analysis_result import Judgement, Moment, TurningPoint
from rules.players.craft import Craft, RulesPosition, craft_of
from rules.players.player import Budget, Reason
from rules.players.position import Key, Position, Worlds
from rules.players.search import Found, search
from rules.players.view import SeatView
from rules.players.weighing import Scales, Weight, doubt_between

# The position as it really was, for looking back; no player at the table knows it.


def real_worlds(craft: Craft[Any], state: Any, view: SeatView) -> Worlds:
    """Worlds of the position ``state`` as it was; ``view``: what the seat at turn knows of it.

    Dealt by the program, there is only one such world. With real cards the record does not know
    those that were never turned up: then it is dealt as the seat at turn might have imagined it.
    """
    if view.physical or not craft.hides(view):
        return craft.worlds(view)
    position = RulesPosition(craft, state, view.seat, open=True)
    return lambda _random: position.clone()


def overheard(
    worlds: Worlds, seats: int, budget: Budget, random: Random
) -> tuple[Found, tuple[float, ...]]:
    """A search, and the chance of each seat, 0 … 1, if all look ahead as it does."""
    told: _Told = {}
    found = search(lambda r: _Overheard(worlds(r), told), budget, random)
    totals, weight = [0.0] * seats, 0
    for results in told.values():
        # The moves tried often are those that will be played; the rest was only curiosity.
        weight += len(results) ** 2
        for seat in range(seats):
            totals[seat] += len(results) * sum(result[seat] for result in results)
    return found, tuple(total / weight for total in totals)


_Told: TypeAlias = dict[Key, list[Sequence[float]]]
"""Results for all seats, by the first move."""


class _Overheard:
    """A position whose results are kept for all seats; a search remembers only those of the seat
    that decides."""

    __slots__ = ("_first", "_inner", "_told", "open")

    def __init__(self, inner: Position, told: _Told, first: Key = None) -> None:
        self._inner, self._told, self._first = inner, told, first
        self.open = inner.open

    def clone(self) -> _Overheard:
        return _Overheard(self._inner.clone(), self._told, self._first)

    def actor(self) -> int:
        return self._inner.actor()

    def keys(self) -> Sequence[Key]:
        return self._inner.keys()

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        return self._inner.priors(keys)

    def draw(self, random: Random) -> Key:
        return self._inner.draw(random)

    def seen(self, key: Key) -> Hashable:
        return self._inner.seen(key)

    def play(self, key: Key) -> None:
        if self._first is None:
            self._first = key
        self._inner.play(key)

    def playout(self, random: Random) -> Sequence[float]:
        results = self._inner.playout(random)
        self._told.setdefault(self._first, []).append(results)
        return results

    def move(self, key: Key) -> Move:
        return self._inner.move(key)


TURNING_POINTS = 3
CLOSER = 8
"""Number of decisions that seem to matter most and are looked at once more, and closer."""
CLOSER_BUDGET = 3
"""Budgets of a decision for each of the two moves that are compared then."""
SHORTEST_S, LONGEST_S = 0.01, 1.0
"""Least and most seconds for a decision at the first look."""
LEAST = 0.05
"""Chance that a move must cost or gain to have turned anything."""
FIND = 0.6
"""Weight of a good move's gain beside a mistake's cost: good moves are many."""
MOST_MOMENTS = 80
"""A curve needs no more; with more each would rest on less."""
SEEN_PART = 4
"""At every fourth moment at least it must be known what the seat held, or nothing is told."""
SURE_WORLDS = 4
"""Number of possible worlds; a move that is none in one of them was perhaps none at all."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a judgement; the last one brings the result."""

    done: int
    total: int
    """In units of about the same length."""
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision, and what a first look says about it."""

    ply: int
    """Number of the move, from 1."""
    view: SeatView
    played: Move
    rival: Move
    gain: float
    """Chance that the move played seems to gain against its rival."""


def can_be_judged(match: Match) -> bool:
    """True if looking back says something: the match is over, and one player could have won it from
    another."""
    return match.outcome is not None and match.players > 1 and match.ply > 0


def seconds_each(match: Match, seconds: float) -> float:
    """The seconds for one decision of ``match`` if all of it may take about ``seconds``."""
    choices = len(_decisions(match, craft_of(match.game))[0])
    return min(max(seconds / max(_units(choices), 1), SHORTEST_S), LONGEST_S)


def judge(match: Match, budget: Budget, seed: int | str = 0) -> Iterator[Progress]:
    """Look back at a finished ``match``, which is not changed; ``budget`` is that of one decision.

    Nothing is done between two steps, so that the caller may stop or wait there. Raises GameError
    if the match cannot be judged, see ``can_be_judged``.
    """
    if not can_be_judged(match):
        raise GameError("not_judged", game=match.game.id)
    return _judged(match, budget, seed)


def _judged(match: Match, budget: Budget, seed: int | str) -> Iterator[Progress]:
    walk = _Walk(match, budget, seed)
    total = _units(len(walk.plies))
    moments: list[Moment] = []
    decisions: list[_Decision] = []
    yield Progress(0, total)
    for number, ply in enumerate(walk.plies, 1):
        moment, decision = walk.first_look(ply)
        if moment is not None:
            moments.append(moment)
        if decision is not None:
            decisions.append(decision)
        yield Progress(number, total)
    if len(moments) * SEEN_PART < len(walk.watched):
        raise GameError("hand_unseen", game=match.game.id)
    moments.append(walk.end())
    decisions.sort(key=lambda one: _weight(one.gain), reverse=True)
    turned = []
    for number, decision in enumerate(decisions[:CLOSER], 1):
        point = walk.closer_look(decision)
        if point is not None:
            turned.append(point)
        yield Progress(len(walk.plies) + number * 2 * CLOSER_BUDGET, total)
    points = _decisive(turned, walk.turns)
    yield Progress(total, total, Judgement(match.ply, tuple(moments), points, len(walk.plies)))


class _Walk:
    """A match from its beginning, with what each seat gets to know on the way."""

    def __init__(self, match: Match, budget: Budget, seed: int | str) -> None:
        self._match, self._budget, self._seed = match, budget, seed
        self._craft: Craft[Any] = craft_of(match.game)
        self._state = match.beginning()
        self._at = 0
        self._told: list[list[Move]] = [[] for _ in range(match.players)]
        self.plies, self.turns = _decisions(match, self._craft)
        self.watched = _watched(self.plies, self.turns)
        self._patience = len(self.plies) / max(len(self.watched), 1)

    def first_look(self, ply: int) -> tuple[Moment | None, _Decision | None]:
        """The chances of all seats before move ``ply`` (from 1), if that is a moment of the curve,
        and the worth of its decision; nothing if the seat's hand was never shown."""
        self._go_to(ply - 1)
        played, part = self._match.log[ply - 1].move, self._budget.share(0.35)
        view, random = self._view(played), Random(f"{self._seed}/{ply}")
        if not self._craft.sees(view):
            return None, None
        scales = Scales(self._craft, view, random, [played])
        moment = None
        if ply in self.watched:
            real = real_worlds(self._craft, self._state, view)
            longer = part.share(self._patience)
            found, chances = overheard(real, self._match.players, longer, random)
            moment = Moment(ply - 1, chances, found.playouts)
        rival = _rival(scales, scales.look_ahead(part.share(1.0), random), played, random)
        if rival is None:
            return moment, None
        own = scales.weigh(played, self._budget.share(0.3), random)
        return moment, _Decision(ply, view, played, rival.move, own.chance - rival.chance)

    def closer_look(self, decision: _Decision) -> TurningPoint | None:
        """A decision looked at again, with other random numbers; None if it turned nothing."""
        view, random = decision.view, Random(f"{self._seed}/{decision.ply}/closer")
        scales = Scales(self._craft, view, random, [decision.played, decision.rival])
        budget = self._budget.share(CLOSER_BUDGET)
        own = scales.weigh(decision.played, budget, random)
        other = scales.weigh(decision.rival, budget.share(1.0), random)
        gain, doubt = own.chance - other.chance, doubt_between(own, other)
        if abs(gain) < max(LEAST, doubt):
            return None
        better = own if gain > 0 else other
        why = self._craft.reason(view, self._craft.states(view)(random), better.move)
        why = why or Reason("winning" if better.chance >= 0.8 else "best_chances")
        return TurningPoint(
            decision.ply, view.seat, own.move, other.move, own.chance, other.chance, why, doubt
        )  # fmt: skip

    def end(self) -> Moment:
        """The moment of the end."""
        outcome = self._match.outcome
        assert outcome is not None
        first = outcome.ranking[0]
        lost = outcome.reason in self._match.game.lost_together
        won = tuple(
            1 / len(first) if seat in first and not lost else 0.0
            for seat in range(self._match.players)
        )
        return Moment(self._match.ply, won, 0)

    # -- private --------------------------------------------------------------------------

    def _go_to(self, ply: int) -> None:
        for entry in self._match.log[self._at : ply]:
            for seat, told in enumerate(self._told):
                told.append(self._state.public(entry.move, seat))
            self._state.apply(entry.move)
        self._at = ply

    def _view(self, played: Move) -> SeatView:
        """The view of the seat that makes the next move, with everything it ever saw."""
        match, seat = self._match, played.player
        assert seat is not None
        return SeatView.told(match, seat, self._state, self._told[seat])


def _rival(scales: Scales, found: Found, played: Move, random: Random) -> Weight | None:
    """The best other move; None if there is none.

    At a real table the record may not know all that the seat held: then only what was certainly
    possible.
    """
    possible = [set(scales.worlds(random).keys()) for _ in range(SURE_WORLDS)]
    moves = {key: move for move, key in scales.keys.items()}
    for node in found.ranked:
        move = moves.get(node.key)
        if move in (None, played) or node.visits < 2:
            continue
        if all(node.key in keys for keys in possible):
            return Weight(move, node.mean, node.visits, node)
    return None


def _decisions(match: Match, craft: Craft[Any]) -> tuple[list[int], list[int]]:
    """The moves (from 1) that were a choice worth a thought, and by move the number of its turn."""
    plies, turns = [], []
    state = match.beginning()
    turn, before = 0, None
    for ply, entry in enumerate(match.log, 1):
        move = entry.move
        if move.actor is Actor.PLAYER:
            turn += move.player != before
            before = move.player
            # A move against the rules is no choice among legal moves.
            legal = state.legal_moves()
            if not entry.forced and len(legal) > 1 and craft.obvious(state, legal) != move:
                plies.append(ply)
        turns.append(turn)
        state.apply(move)
    return plies, turns


def _watched(plies: list[int], turns: list[int]) -> frozenset[int]:
    """The choices before which the chances are told: the first of each turn, and of very many turns
    not all."""
    first = [
        ply for before, ply in zip((0, *plies), plies, strict=False)
        if not before or turns[before - 1] != turns[ply - 1]
    ]  # fmt: skip
    return frozenset(first[:: -(-len(first) // MOST_MOMENTS) or 1])


def _decisive(points: list[TurningPoint], turns: list[int]) -> tuple[TurningPoint, ...]:
    """The three that decided most, one a turn, in the order of time."""
    kept: list[TurningPoint] = []
    for point in sorted(points, key=lambda one: _weight(one.gain), reverse=True):
        if turns[point.ply - 1] not in [turns[one.ply - 1] for one in kept]:
            kept.append(point)
    return tuple(sorted(kept[:TURNING_POINTS], key=lambda one: one.ply))


def _units(choices: int) -> int:
    """Amount of work, in budgets of a decision."""
    return choices + min(choices, CLOSER) * 2 * CLOSER_BUDGET


def _weight(gain: float) -> float:
    return gain * FIND if gain > 0 else -gain
