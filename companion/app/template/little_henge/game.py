"""Little Henge: three stones in a row on nine places, for two players.

The game to begin with: change it, step by step, into yours. Write here what it is called, who
invented it and where its rules are from. The numbers (1.1 … 1.4) are those of the rule pages in
``text/little_henge.*.toml``.
"""

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
    StateError,
    ranked,
)

# 1.1 The board: nine places, called by column and row, and eight rows of three.
PLACES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
ROWS = (
    ("a1", "b1", "c1"), ("a2", "b2", "c2"), ("a3", "b3", "c3"),
    ("a1", "a2", "a3"), ("b1", "b2", "b3"), ("c1", "c2", "c3"),
    ("a1", "b2", "c3"), ("a3", "b2", "c1"),
)  # fmt: skip

# 1.2 The stones, for each seat.
COLOURS = ("black", "white")
STONES = 5

_SET = tuple({place: Move.of(seat, "set", place) for place in PLACES} for seat in (0, 1))
"""Every move there is, built once."""


class LittleHengeState(State):
    """Position of one match: who has a stone where. Whose turn it is follows from their number."""

    __slots__ = ("owner",)

    def __init__(self) -> None:
        self.owner: dict[str, int] = {}
        """Seat by place; empty places are left out."""

    def clone(self) -> LittleHengeState:
        other = LittleHengeState()
        other.owner = dict(self.owner)
        return other

    def to_json(self) -> Json:
        """The whole position; ``options`` belongs to every position, even if there are none."""
        return {"options": {}, "owner": dict(self.owner)}

    def read(self, data: Json) -> None:
        """Take over what ``to_json`` wrote."""
        for place, seat in data["owner"].items():
            if place not in PLACES or seat not in (0, 1):
                raise StateError("unfit", key=f"owner.{place}", found=seat)
            self.owner[place] = seat

    def problems(self) -> list[str]:
        """Violated invariants; here, more stones of a player than their turns."""
        first, second = (sum(o == seat for o in self.owner.values()) for seat in (0, 1))
        if first - second not in (0, 1):
            return [f"there are {first} black stones and {second} white ones"]
        return []

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return len(self.owner) % 2

    def row_of(self, seat: int) -> bool:
        """True if a player has three in a row."""
        return any(all(self.owner.get(place) == seat for place in row) for row in ROWS)

    # -- 1.3 A turn -----------------------------------------------------------------------

    def prompt(self) -> Prompt | None:
        if self.outcome() is not None:
            return None
        return Prompt(Actor.PLAYER, self.turn, "set", "1.3")

    def pseudo_moves(self) -> Iterable[Move]:
        """Moves that hands can make: either player may put a stone anywhere."""
        if self.outcome() is None:
            for moves in _SET:
                yield from moves.values()

    def violations(self, move: Move) -> list[Objection]:
        if self.outcome() is not None:
            return [Objection.of("1.4", "match_over")]
        if move.player not in (0, 1) or move not in _SET[move.player].values():
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        if move.player != self.turn:
            seats = {"player": self.turn, "other": move.player}
            return [Objection.of("1.3", "wrong_player", **seats)]
        (place,) = move.args
        if place in self.owner:
            return [Objection.of("1.3", "occupied", site=place)]
        return []

    def apply(self, move: Move) -> None:
        if move.player is not None:
            self.owner[move.args[0]] = move.player

    # -- 1.4 The end ----------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        rows = [self.row_of(seat) for seat in (0, 1)]
        if any(rows):
            return Outcome("row", ranked(rows), self.scores())
        if len(self.owner) == len(PLACES):
            return Outcome("full", ranked(rows), self.scores())
        return None

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    # -- the table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        return Counter(
            Item(place, f"stone {COLOURS[seat]}", seat) for place, seat in self.owner.items()
        )

    def supply(self, seat: int) -> Counter[str]:
        lying = sum(owner == seat for owner in self.owner.values())
        return +Counter({f"stone {COLOURS[seat]}": STONES - lying})

    def touches(self, move: Move) -> Collection[str]:
        return move.args


class LittleHenge(Game[LittleHengeState]):
    """Name, players, options and set-up."""

    id = "little_henge"
    package = "little_henge"
    box = str(Path(__file__).with_name("box.toml"))
    players = (2,)
    options: ClassVar = {}
    codes = ("match_over", "wrong_player", "unknown_move", "occupied")
    outcomes = ("row", "full")
    counts_points = False
    handling_rule = "1.3"

    # -- 1.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> LittleHengeState:
        return LittleHengeState()

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS


GAME = LittleHenge()
