"""Every move text on one board, built once (7.10)."""

from __future__ import annotations

from rules.core import Actor, Move
from rules.games.dolmengoetter.board import DolmenBoard
from rules.games.dolmengoetter.components import LEVELS, SEATS
from rules.hidden import UNSEEN

DOLMEN_TEXTS = (UNSEEN, "1", "2", "3", "4")

Row = tuple[Move, ...]
"""Moves by the place they lead to."""


def _player_move(seat: int, verb: str, *args: str) -> Move:
    """A move known to be well formed; there are too many here to parse each."""
    return Move(" ".join((f"p{seat}", verb, *args)), Actor.PLAYER, seat, verb, args)


class MoveTables:
    """The moves of every seat on one board, by numbers of places and circles.

    Walks and flights from a place are built when they are first needed: a board like R28 has
    more than fifty thousand of them.
    """

    def __init__(self, board: DolmenBoard) -> None:
        self.board = board
        places, circles = board.places, board.circle_ids
        self.start = tuple(Move.of(Actor.DEALER, "start", f"p{seat}") for seat in SEATS)
        self.druid = tuple(tuple(_player_move(s, "druid", p) for p in places) for s in SEATS)
        self.herbs = tuple(tuple(_player_move(s, "herbs", p) for p in places) for s in SEATS)
        self.stone = tuple(tuple(_player_move(s, "stone", p) for p in places) for s in SEATS)
        self.keep = tuple(tuple(_player_move(s, "keep", p) for p in places) for s in SEATS)
        self.refuse = tuple(tuple(_player_move(s, "keep", c) for c in circles) for s in SEATS)
        self.dolmen = tuple(
            tuple(
                tuple(
                    tuple(_player_move(s, "dolmen", c, level, value) for value in DOLMEN_TEXTS)
                    for level in LEVELS
                )
                for c in circles
            )
            for s in SEATS
        )
        """By seat, circle, TOP or UNDER, and value; value 0 is a hidden one."""
        nothing: list[Row | None] = [None] * len(places)
        self._walks = [nothing[:] for _ in SEATS]
        self._flights = [nothing[:] for _ in SEATS]
        self._steps: list[list[tuple[tuple[int, Move], ...] | None]] = [
            [None] * len(places) for _ in SEATS
        ]

    def walks(self, seat: int, place: int) -> Row:
        """Walks of ``seat`` from a place, by the place they lead to."""
        row = self._walks[seat][place]
        if row is None:
            names = self.board.places
            row = tuple(_player_move(seat, "walk", names[place], to) for to in names)
            self._walks[seat][place] = row
        return row

    def flights(self, seat: int, place: int) -> Row:
        """Flights of ``seat`` from a place, by the place they lead to."""
        row = self._flights[seat][place]
        if row is None:
            names = self.board.places
            row = tuple(_player_move(seat, "fly", names[place], to) for to in names)
            self._flights[seat][place] = row
        return row

    def steps(self, seat: int, place: int) -> tuple[tuple[int, Move], ...]:
        """The places linked to a place, each with the walk of ``seat`` that leads there."""
        steps = self._steps[seat][place]
        if steps is None:
            row = self.walks(seat, place)
            steps = tuple((to, row[to]) for to in self.board.links[place])
            self._steps[seat][place] = steps
        return steps
