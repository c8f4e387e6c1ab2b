"""Matches between players: the same deal with every seating, results with 95 % intervals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, Protocol

from rules.core import Actor, Game, Move, Outcome
from rules.match import Match
from rules.players import Budget, Choice, Player, SeatView, find_player
from rules.testing.playout import pick

Z_95 = 1.96


class Contestant(Protocol):
    """A player at a seat of a contest."""

    def __call__(self, match: Match, seat: int, random: Random) -> Move:
        """The move that the seat plays now."""


def by_chance(match: Match, seat: int, random: Random) -> Move:
    """The random player of ``heelstone simulate``."""
    return pick(match.state, match.legal_moves(), random)


class Thinking:
    """A contestant that thinks for ``seconds`` a move; counts what it cost."""

    def __init__(
        self, player: str | Player, seconds: float, clock: Callable[[], float] = time.thread_time
    ) -> None:
        """``seconds`` of processor time by default: other users of the machine do not weaken it."""
        self.player = find_player(player) if isinstance(player, str) else player
        self.seconds, self._clock = seconds, clock
        self.choices, self.playouts, self.spent_s = 0, 0, 0.0

    def __call__(self, match: Match, seat: int, random: Random) -> Move:
        moves = match.legal_moves()
        view = SeatView.of(match, seat)
        began = time.thread_time()
        budget = Budget(self.seconds, clock=self._clock)
        choice: Choice = self.player.choose(view, moves, budget, random)
        self.choices += 1
        self.playouts += choice.playouts
        self.spent_s += time.thread_time() - began
        if choice.move not in moves:
            raise ValueError(f"{choice.move} is not legal; legal are {moves}")
        return choice.move


@dataclass(frozen=True, slots=True)
class Played:
    """One match of a contest."""

    seed: int
    seat: int
    """Seat of the first contestant; the second one sat on all other seats."""
    outcome: Outcome
    plies: int
    partners: int = 1
    """Seats of the first contestant: that of a partner too, who wins and loses with it.
    """


@dataclass
class Standing:
    """The results of the first contestant."""

    played: list[Played] = field(default_factory=list)

    @property
    def won(self) -> float:
        """Matches won; of a shared victory its part."""
        return sum(
            one.partners / len(one.outcome.ranking[0])
            for one in self.played
            if one.seat in one.outcome.ranking[0]
        )

    @property
    def beaten(self) -> float:
        """Part of the others that it left behind; a shared place is half."""
        total = 0.0
        for one in self.played:
            places = {s: n for n, group in enumerate(one.outcome.ranking) for s in group}
            others = [place for seat, place in places.items() if seat != one.seat]
            mine = places[one.seat]
            total += sum((mine < p) + 0.5 * (mine == p) for p in others) / len(others)
        return total

    def line(self) -> str:
        """The figures in one line."""
        number = len(self.played)
        low, high = wilson(self.won, number)
        text = f"won {self.won:g} of {number} = {self.won / number:.1%} ({low:.1%} to {high:.1%})"
        if self.played and len(self.played[0].outcome.scores) > 2:
            low, high = wilson(self.beaten, number)
            text += f"; left behind {self.beaten / number:.1%} ({low:.1%} to {high:.1%})"
        return text


def wilson(won: float, number: int) -> tuple[float, float]:
    """The 95 % interval of a share (E. B. Wilson, JASA 22, 1927)."""
    if not number:
        return 0.0, 1.0
    share, z2 = won / number, Z_95 * Z_95
    middle = (share + z2 / (2 * number)) / (1 + z2 / number)
    half = Z_95 * sqrt(share * (1 - share) / number + z2 / (4 * number * number))
    half /= 1 + z2 / number
    return max(0.0, middle - half), min(1.0, middle + half)


def contest(
    game: Game[Any],
    players: int,
    first: Contestant,
    second: Contestant,
    matches: int,
    *,
    options: dict[str, str] | None = None,
    seed: int = 1,
    sides: int = 0,
    most_plies: int = 20_000,
) -> Iterator[Played]:
    """Play ``matches`` with as many players; each deal is played once from every seat.

    ``sides``: where partners share the outcome, how many sides there are; they sit by turns.
    """
    sides = sides or players
    for number in range(matches):
        deal, seat = seed + number // sides, number % sides
        seats: Sequence[Contestant] = [
            first if one % sides == seat else second for one in range(players)
        ]  # fmt: skip
        match = Match(game, players, options, seed=deal)
        random = Random(f"{game.id}/{deal}/{seat}")
        while (outcome := match.outcome) is None and match.ply < most_plies:
            prompt = match.prompt
            assert prompt is not None
            if prompt.actor is Actor.PLAYER:
                assert prompt.player is not None
                match.push(seats[prompt.player](match, prompt.player, random))
            elif not match.deal():
                match.push(pick(match.state, match.legal_moves(), random))
        if outcome is None:
            raise ValueError(f"{game.id}: no end after {match.ply} moves, seed {deal}")
        yield Played(deal, seat, outcome, match.ply, players // sides)
