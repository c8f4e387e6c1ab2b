"""Hex with the swap rule, by an author who wrote the rules and nothing for the camera."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

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
    ranked,
)

SIZE = 9
COLOURS = ("red", "blue")
FIELDS = {
    f"{letter}{row + 1}": (column, row)
    for column, letter in enumerate("abcdefghi")
    for row in range(SIZE)
}
_NAME = {at: name for name, at in FIELDS.items()}
_PUT = [[Move.of(seat, "put", field) for field in FIELDS] for seat in (0, 1)]
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class HexState(State):
    """The owners of stones by cell, in the order in which the stones were put down."""

    __slots__ = ("owner", "swapped", "winner")

    def __init__(self) -> None:
        self.owner: dict[str, int] = {}
        self.swapped = False
        self.winner: int | None = None

    def clone(self) -> HexState:
        other = HexState()
        other.owner, other.swapped, other.winner = dict(self.owner), self.swapped, self.winner
        return other

    def to_json(self) -> Json:
        return {
            "options": {},
            "owner": dict(self.owner),
            "swapped": self.swapped,
            "winner": self.winner,
        }

    def read(self, data: Json) -> None:
        self.owner, self.swapped = dict(data["owner"]), data["swapped"]
        self.winner = data["winner"]

    def problems(self) -> list[str]:
        return []

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return (len(self.owner) + self.swapped) % 2

    def prompt(self) -> Prompt | None:
        if self.winner is not None:
            return None
        return Prompt(Actor.PLAYER, self.turn, "put", "1")

    def pseudo_moves(self) -> Iterable[Move]:
        for seat in (0, 1):
            yield from _PUT[seat]
        if len(self.owner) == 1:
            yield Move.of(1, "swap")

    def violations(self, move: Move) -> list[Objection]:
        if self.winner is not None:
            return [Objection.of("2", "match_over")]
        if move.player != self.turn:
            return [Objection.of("1", "wrong_player", player=self.turn)]
        if move.verb == "swap":
            late = len(self.owner) != 1 or self.swapped
            return [Objection.of("1", "too_late")] if late else []
        if move.verb != "put" or len(move.args) != 1 or move.args[0] not in FIELDS:
            return [Objection.of("1", "unknown_move", move=move.text)]
        if move.args[0] in self.owner:
            return [Objection.of("1", "occupied", site=move.args[0])]
        return []

    def apply(self, move: Move) -> None:
        if move.verb == "swap":
            ((field, _),) = self.owner.items()
            column, row = FIELDS[field]
            self.owner, self.swapped = {_NAME[row, column]: 1}, True
        elif move.player is not None:
            self.owner[move.args[0]] = move.player
            if self._joins(move.player):
                self.winner = move.player

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        return Outcome("joined", ranked([seat == self.winner for seat in (0, 1)]), self.scores())

    def _joins(self, seat: int) -> bool:
        """True if stones of a seat lead from one of its sides to the other."""
        own = {FIELDS[field] for field, owner in self.owner.items() if owner == seat}
        todo = [at for at in own if at[seat] == 0]
        reached = set(todo)
        while todo:
            column, row = todo.pop()
            if (column, row)[seat] == SIZE - 1:
                return True
            near = {(column + x, row + y) for x, y in _AROUND}.intersection(own) - reached
            reached |= near
            todo += near
        return False

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def layout(self) -> Layout:
        return Counter(
            Item(field, f"stone {COLOURS[seat]}", seat) for field, seat in self.owner.items()
        )

    def touches(self, move: Move) -> Collection[str]:
        # Whoever swaps begins a board that is all but empty.
        return super().touches(move) if move.verb == "swap" else move.args


class Hex(Game[HexState]):
    """Name, players, options and set-up."""

    id = "hex"
    package = "hex_game"
    box = str(Path(__file__).with_name("hex.toml"))
    players = (2,)
    options: ClassVar = {}
    codes = ("match_over", "wrong_player", "unknown_move", "occupied", "too_late")
    outcomes = ("joined",)
    counts_points = False
    handling_rule = "1"

    def setup(self, players: int, options: Options, physical: bool) -> HexState:
        return HexState()

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS


GAME = Hex()
