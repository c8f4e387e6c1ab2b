"""The entries of one match, and the decision that is due by its sheet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Self

from rules.core import Field, Json, Options, State
from rules.games.any_game.sheet import LAST_ROUND, Row, Sheet

PHASES = ("start", "round", "end", "over")


class Entry(NamedTuple):
    """A number on the sheet."""

    seat: int
    round: int
    """Number of the round; 0 before the first and after the last."""
    row: str
    number: int
    factor: int


class Slot(NamedTuple):
    """A decision: who enters something, and in which rows it may be."""

    seats: tuple[int, ...]
    """Several enter their numbers of one row in any order."""
    rows: tuple[Row, ...]
    many: bool = False
    """True if several entries may be made; then ``done`` ends it."""


class ScoreState(State):
    """Fields of a position."""

    __slots__ = (
        "entries", "options", "phase", "physical", "players", "round", "sheet", "sides", "slot",
        "won",
    )  # fmt: skip

    def __init__(
        self, sheet: Sheet, players: int, options: Options, physical: bool,
        sides: Sequence[Sequence[int]],
    ) -> None:  # fmt: skip
        self.sheet, self.players, self.physical = sheet, players, physical
        self.options = dict(options)
        self.sides = tuple(map(tuple, sides))
        self.entries: list[Entry] = []
        self.phase = PHASES[0]
        self.round = 0
        self.slot = 0
        """Number of the decision within the round, or within start or end."""
        self.won: tuple[int, str] | None = None
        """The seat that won at once, and by which victory."""
        self.settle()

    def clone(self) -> Self:
        other = type(self).__new__(type(self))
        other.sheet, other.players, other.physical = self.sheet, self.players, self.physical
        other.options, other.sides = self.options, self.sides
        other.entries, other.won = self.entries[:], self.won
        other.phase, other.round, other.slot = self.phase, self.round, self.slot
        return other

    def to_json(self) -> Json:
        """The whole position; ``entries`` are ``[seat, round, row, number, factor]``."""
        return {
            "players": self.players,
            "options": dict(self.options),
            "physical": self.physical,
            "phase": self.phase,
            "round": self.round,
            "slot": self.slot,
            "entries": [list(entry) for entry in self.entries],
            "won": None if self.won is None else list(self.won),
        }

    def read(self, data: Json) -> None:
        self.phase, self.round, self.slot = data["phase"], int(data["round"]), int(data["slot"])
        self.entries = [
            Entry(int(seat), int(turn), str(row), int(number), int(factor))
            for seat, turn, row, number, factor in data["entries"]
        ]
        self.won = None if data["won"] is None else (int(data["won"][0]), str(data["won"][1]))

    def problems(self) -> list[str]:
        found, players = [], range(self.players)
        if self.phase not in PHASES:
            return [f"there is no phase '{self.phase}'"]
        if self.phase != "over" and self.slot not in range(len(self.slots())):
            found.append(f"there is no decision {self.slot} in round {self.round}")
        if not 0 <= self.round <= LAST_ROUND or (self.phase == "round") > self.round:
            found.append(f"there is no round {self.round}")
        for entry in self.entries:
            row = self.sheet.row.get(entry.row)
            if row is None or entry.seat not in players:
                found.append(f"there is no row '{entry.row}' of p{entry.seat}")
            elif entry.number not in row.range or entry.factor not in (1, *row.factors):
                found.append(f"p{entry.seat} has {entry.number} × {entry.factor} in '{entry.row}'")
            elif not (entry.round <= self.round and (row.when == "round") == (entry.round > 0)):
                found.append(f"'{entry.row}' was not due in round {entry.round}")
        if self.won is not None and (
            self.won[0] not in players or self.won[1] not in self.sheet.victory
        ):
            found.append(f"p{self.won[0]} cannot have won by '{self.won[1]}'")
        if (self.won is not None) > (self.phase == "over"):
            found.append("somebody has won, and the match goes on")
        return found

    # -- 1.1 The order of the entries -----------------------------------------------------

    def slots(self) -> tuple[Slot, ...]:
        """All decisions of the round, or of start or end, in order."""
        rows, order = self.sheet.rows(self.phase), self.sheet.sheet.order
        seats = [*range(self.players)]
        if self.phase == "round" and self.sheet.sheet.first == "next":
            begins = (self.round - 1) % self.players
            seats = seats[begins:] + seats[:begins]
        if not rows:
            # Only a victory can be told, by whoever is at the screen.
            only = self.phase == "round" and self.sheet.victory
            return (Slot((0,), ()),) if only else ()
        each = [(seat,) for seat in seats]
        if self.phase == "round" and order == "any":
            return tuple(Slot(one, self.free(*one)) for one in each)
        groups = _groups(rows)
        if order != "rows" and self.phase != "start" and len(groups) > 1:
            return tuple(Slot(one, *group) for one in each for group in groups)
        # A goal that ends the match at once, and a turn of several entries, have an order.
        in_order = self.phase == "round" and self.sheet.sheet.at_once
        return tuple(
            Slot(some, row, many)
            for row, many in groups
            for some in (each if in_order or many else [tuple(seats)])
        )

    def free(self, seat: int) -> tuple[Row, ...]:
        """The rows of rounds into which ``seat`` has not entered anything."""
        taken = {entry.row for entry in self.entries if entry.seat == seat}
        return tuple(row for row in self.sheet.rows("round") if row.id not in taken)

    @property
    def due(self) -> Slot | None:
        """The decision that is due; None when the match is over."""
        return None if self.phase == "over" else self.slots()[self.slot]

    @property
    def answered(self) -> tuple[int, ...]:
        """The seats that have entered their number where several do so in any order."""
        due = self.due
        if due is None or len(due.seats) == 1:
            return ()
        row = due.rows[0].id
        has = {one.seat for one in self.entries if (one.round, one.row) == (self.part, row)}
        return tuple(seat for seat in due.seats if seat in has)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that must enter something now, in order; empty when the match is over."""
        due, has = self.due, self.answered
        return () if due is None else tuple(seat for seat in due.seats if seat not in has)

    @property
    def part(self) -> int:
        """The round of what is entered now; 0 before the first and after the last."""
        return self.round if self.phase == "round" else 0

    def fields(self) -> tuple[Field, ...]:
        """Entries that are allowed now."""
        rows = () if self.due is None else self.due.rows
        return tuple(
            Field(row.id, seat, "score", row.range, row.factors)
            for seat in (*self.awaited, *self.answered)
            for row in rows
        )

    def entered(self) -> list[Entry]:
        """Entries made in the decision that is due; it allows several entries."""
        due, found = self.due, []
        rows = () if due is None else {row.id for row in due.rows}
        for entry in reversed(self.entries):
            if due is None or entry.seat not in due.seats or entry.row not in rows:
                break
            if entry.round != self.part:
                break
            found.append(entry)
        return found[::-1]

    @property
    def may_close(self) -> bool:
        """1.3: True if a match without a fixed end may be ended now."""
        head = self.sheet.sheet
        if self.phase != "round" or head.rounds or head.target or head.order == "any":
            return False
        if self.due is not None and self.due.many and self.entered():
            return False
        begun = self.slot > 0 or self.round > 1 or self.answered
        return not self.sheet.rows("round") or bool(begun)

    def settle(self) -> None:
        """Go on to the next part of the match while nothing is due in this one."""
        while self.phase != "over" and self.slot >= len(self.slots()):
            if self.phase != "round":
                self._begin(PHASES[PHASES.index(self.phase) + 1])
            elif self._last_round():
                self._begin("end")
            else:
                self.round, self.slot = self.round + 1, 0

    def end_rounds(self) -> None:
        """1.3: what is counted at the end comes next, and after that nothing."""
        self._begin("over" if self.phase == "end" else "end")
        self.settle()

    def _begin(self, phase: str) -> None:
        self.phase, self.slot = phase, 0
        self.round += phase == "round"

    def _last_round(self) -> bool:
        head, rows = self.sheet.sheet, self.sheet.rows("round")
        last = len(rows) if head.order == "any" else head.rounds or LAST_ROUND
        return not rows or self.round >= last or self.reached()

    @abstractmethod
    def reached(self) -> bool:
        """True if the target of the sheet is reached."""


def _groups(rows: Sequence[Row]) -> list[tuple[tuple[Row, ...], bool]]:
    """Rows that are entered one after the other; those with many entries are one decision."""
    found: list[tuple[tuple[Row, ...], bool]] = []
    for row in rows:
        if row.many and found and found[-1][1]:
            found[-1] = ((*found[-1][0], row), True)
        else:
            found.append(((row,), row.many))
    return found
