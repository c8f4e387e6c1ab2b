"""Domineering: white lays dominoes upright, black across; whoever cannot lay one loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

from rules.box import Box, around, covered, load_box
from rules.core import (
    Actor,
    Game,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    State,
    Touch,
    ranked,
)

COLOURS = ("white", "black")
BOX = str(Path(__file__).with_name("domineering.toml"))


def _box() -> Box:
    return load_box(BOX)


def fields(move: Move) -> tuple[str, ...]:
    """The two fields of a move: its own, and the one to the right of it or above."""
    return covered(_box().kinds["domino white"], *move.args)


class DomineeringState(State):
    """The dominoes in the order in which they were laid."""

    __slots__ = ("laid", "taken")

    def __init__(self) -> None:
        self.laid: list[Move] = []
        self.taken: set[str] = set()

    def clone(self) -> DomineeringState:
        other = DomineeringState()
        other.laid, other.taken = self.laid[:], self.taken.copy()
        return other

    def to_json(self) -> Json:
        return {"options": {}, "laid": [move.text for move in self.laid]}

    def read(self, data: Json) -> None:
        for text in data["laid"]:
            self.apply(Move.parse(text))

    def problems(self) -> list[str]:
        return []

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return len(self.laid) % 2

    def prompt(self) -> Prompt | None:
        return None if self.outcome() else Prompt(Actor.PLAYER, self.turn, "lay", "1")

    def _free(self, seat: int, turn: str) -> Iterable[Move]:
        for field in _box().sites:
            other = around(field, 4)[int(turn)]
            if other in _box().sites and self.taken.isdisjoint((field, other)):
                yield Move.of(seat, "lay", field, turn)

    def legal_moves(self) -> list[Move]:
        return [*self._free(self.turn, "10"[self.turn])]

    def pseudo_moves(self) -> Iterable[Move]:
        for seat in (0, 1):
            yield from (*self._free(seat, "0"), *self._free(seat, "1"))

    def violations(self, move: Move) -> list[Objection]:
        known = move.verb == "lay" and len(move.args) == 2 and move.args[1] in ("0", "1")
        if not known or not _box().sites.keys() >= {*fields(move)}:
            return [Objection.of("1", "unknown_move", move=move.text)]
        if self.outcome():
            return [Objection.of("2", "match_over")]
        if move.player != self.turn:
            return [Objection.of("1", "wrong_player", player=self.turn)]
        if not self.taken.isdisjoint(fields(move)):
            return [Objection.of("1", "occupied", site=move.args[0])]
        return [Objection.of("1", "turned")] if move.args[1] != "10"[self.turn] else []

    def apply(self, move: Move) -> None:
        self.laid.append(move)
        self.taken.update(fields(move))

    def outcome(self) -> Outcome | None:
        if self.legal_moves():
            return None
        return Outcome("stuck", ranked([seat != self.turn for seat in (0, 1)]), self.scores())

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def layout(self) -> Layout:
        return Counter(
            Item(move.args[0], f"domino {COLOURS[seat]}", seat, pose=move.args[1])
            for number, move in enumerate(self.laid) for seat in [number % 2]
        )  # fmt: skip

    def touches(self, move: Move) -> Collection[str]:
        return move.args[:1]


class DomineeringTouch(Touch[DomineeringState]):
    """Both fields of a domino are touched."""

    def places(self, state: DomineeringState, move: Move) -> tuple[str, ...]:
        return fields(move)


class Domineering(Game[DomineeringState]):
    """Name, players, options and set-up."""

    id = "domineering"
    package = "domineering_game"
    box = BOX
    players = (2,)
    options: ClassVar = {}
    codes = ("match_over", "wrong_player", "unknown_move", "occupied", "turned")
    outcomes = ("stuck",)
    counts_points = False
    handling_rule = "1"
    touch = DomineeringTouch()

    def setup(self, players: int, options: Options, physical: bool) -> DomineeringState:
        return DomineeringState()

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS


GAME = Domineering()
