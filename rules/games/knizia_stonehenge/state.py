"""The position of one match of Knizia's Stonehenge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Self

from rules.colours import Paint
from rules.core import Json, State
from rules.games.knizia_stonehenge.components import (
    FIELD,
    FIELDS,
    FIELDS_OF,
    LINE,
    LINE_IDS,
    LINES,
    LINES_OF,
    MEGALITHS,
    STONES,
    UNKNOWN,
    VALUES,
)
from rules.hidden import Zones

NOBODY = -1


class KniziaState(State):
    """Position of one game. Lists are indexed by seat, field (A = 0) or line (H1 = 0)."""

    __slots__ = (
        "claimed",
        "count",
        "early",
        "empty",
        "faceup",
        "free",
        "hidden",
        "hints",
        "last",
        "megaliths",
        "open_lines",
        "order",
        "owner",
        "paint",
        "pending",
        "pending_claim",
        "physical",
        "placed",
        "reach",
        "sums",
        "turn",
        "value",
        "zones",
    )  # fmt: skip

    def __init__(
        self, hidden: bool, early: bool, hints: bool, physical: bool, paint: Paint
    ) -> None:
        self.hidden, self.early, self.hints, self.physical = hidden, early, hints, physical
        self.paint = paint
        self.turn = 0
        self.placed = False
        self.owner = [NOBODY] * len(FIELDS)
        self.value = [UNKNOWN] * len(FIELDS)
        self.faceup = [False] * len(FIELDS)
        self.order: list[int] = []
        """Fields in the order in which stones were placed."""
        self.empty = list(range(len(FIELDS)))
        self.count = [[0, 2, 2, 2, 1, 1, 1] for _ in (0, 1)]
        """Stones in hand per seat and value."""
        self.reach = [_reach(count) for count in self.count]
        """Per seat: the most that k more stones can bring, for k = 0 … 5."""
        self.claimed = [NOBODY] * len(LINES)
        self.open_lines = list(range(len(LINES)))
        self.free = [len(fields) for fields in FIELDS_OF]
        self.sums = [[0] * len(LINES) for _ in (0, 1)]
        self.last = [NOBODY] * len(LINES)
        """Seat that placed the last stone on each line."""
        self.megaliths = [0, 0]
        """Lines claimed per seat."""
        self.pending: list[int] = []
        """Physical match, 1.7: fields whose stones the table must show now."""
        self.pending_claim = NOBODY
        """Physical match, KN7: line whose claim is being proved."""
        self.zones: Zones | None = None
        """Physical match, 1.7: possible owners of each stone's value."""
        if hidden and physical:
            self.zones = Zones()
            for seat in (0, 1):
                self.zones.fill(f"p{seat}", [str(v) for v in STONES])

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.hidden, other.early = self.hidden, self.early
        other.hints, other.physical, other.paint = self.hints, self.physical, self.paint
        other.turn, other.placed = self.turn, self.placed
        other.owner, other.value = self.owner[:], self.value[:]
        other.faceup, other.order, other.empty = self.faceup[:], self.order[:], self.empty[:]
        other.count = [self.count[0][:], self.count[1][:]]
        other.reach = [self.reach[0], self.reach[1]]
        other.claimed, other.open_lines = self.claimed[:], self.open_lines[:]
        other.free, other.last = self.free[:], self.last[:]
        other.sums = [self.sums[0][:], self.sums[1][:]]
        other.megaliths = self.megaliths[:]
        other.pending, other.pending_claim = self.pending[:], self.pending_claim
        other.zones = None if self.zones is None else self.zones.clone()
        return other

    def to_json(self) -> Json:
        """The whole position; ``fields`` are ``[seat, value, face up]`` in the order of placing."""
        data = {
            "options": {
                "hidden": _on(self.hidden),
                "hidden_early_claim": _on(self.early),
                "hints": _on(self.hints),
                **self.paint.option(2),
            },
            "physical": self.physical,
            "turn": self.turn,
            "placed": self.placed,
            "fields": {
                FIELDS[f]: [self.owner[f], self.value[f], self.faceup[f]] for f in self.order
            },
            "order": [FIELDS[f] for f in self.order],
            "lines": {
                LINE_IDS[line]: seat for line, seat in enumerate(self.claimed) if seat != NOBODY
            },
            "hands": [[v for v in VALUES for _ in range(count[v])] for count in self.count],
        }
        if self.zones is not None:
            data["hands"] = [self.zones.size("p0"), self.zones.size("p1")]
            data["zones"] = self.zones.to_json()
            data["pending"] = [FIELDS[f] for f in self.pending]
            data["pending_claim"] = (
                None if self.pending_claim == NOBODY else LINE_IDS[self.pending_claim]
            )
        return data

    def read(self, data: Json) -> None:
        for name in data["order"]:
            owner, value, faceup = data["fields"][name]
            self.lay(owner, value, FIELD[name])
            self.faceup[FIELD[name]] = faceup
        for name, seat in data["lines"].items():
            self.put_megalith(seat, LINE[name])
        self.turn, self.placed = int(data["turn"]), bool(data["placed"])
        if self.zones is not None:
            self.zones = Zones.from_json(data["zones"])
            self.pending = [FIELD[name] for name in data["pending"]]
            claim = data["pending_claim"]
            self.pending_claim = NOBODY if claim is None else LINE[claim]

    def problems(self) -> list[str]:
        found = []
        for seat in (0, 1):
            placed = [f for f in self.order if self.owner[f] == seat]
            lying = sorted(self.value[f] for f in placed)
            if self.zones is None:
                stones = sorted(lying + [v for v in VALUES for _ in range(self.count[seat][v])])
                if stones != list(STONES):
                    found.append(f"the stones of p{seat} are {stones}")
            elif Counter(lying) - Counter([*STONES, *[UNKNOWN] * len(placed)]):
                found.append(f"p{seat} has shown {lying}")
            if len(placed) > len(STONES):
                found.append(f"p{seat} has more than {len(STONES)} stones on the board")
            if self.megaliths[seat] > MEGALITHS:
                found.append(f"p{seat} has claimed {self.megaliths[seat]} lines")
        if any(self.owner[f] not in (0, 1) for f in self.order):
            found.append("somebody else has stones on the board")
        if any(self.faceup[f] and self.value[f] == UNKNOWN for f in self.order):
            found.append("a stone lies face up and nobody knows it")
        if self.turn not in (0, 1):
            found.append(f"it is the turn of nobody: {self.turn}")
        return found if self.zones is None else found + self.zones.invariants()

    def stones_left(self, seat: int) -> int:
        """Stones in the hand of ``seat``."""
        return len(STONES) - self.owner.count(seat)

    def lay(self, seat: int, value: int, field: int) -> None:
        """A stone goes on a field; sums, free places and last placers follow. Against the rules a
        stone that lies there already goes home."""
        if self.owner[field] != NOBODY:
            self._take_up(field)
        self.owner[field] = seat
        self.value[field] = value
        self.faceup[field] = not self.hidden
        self.order.append(field)
        self.empty.remove(field)
        if value:
            count = self.count[seat]
            count[value] -= 1
            self.reach[seat] = _reach(count)
        sums, last, free = self.sums[seat], self.last, self.free
        for line in LINES_OF[field]:
            sums[line] += value
            last[line] = seat
            free[line] -= 1

    def _take_up(self, field: int) -> None:
        seat, value = self.owner[field], self.value[field]
        self.owner[field], self.value[field] = NOBODY, UNKNOWN
        self.order.remove(field)
        self.empty.append(field)
        self.empty.sort()
        if value:
            self.count[seat][value] += 1
            self.reach[seat] = _reach(self.count[seat])
        for line in LINES_OF[field]:
            self.sums[seat][line] -= value
            self.free[line] += 1

    def put_megalith(self, seat: int, line: int) -> None:
        """A line is claimed."""
        self.claimed[line] = seat
        self.open_lines.remove(line)
        self.megaliths[seat] += 1

    @property
    def winner(self) -> int | None:
        """1.6: the seat that has put down the eighth megalith."""
        if self.megaliths[0] >= MEGALITHS:
            return 0
        return 1 if self.megaliths[1] >= MEGALITHS else None

    def turn_up(self, field: int, value: int) -> None:
        """A face-down stone is shown."""
        self.faceup[field] = True
        if self.value[field] == UNKNOWN:
            self.value[field] = value
            for line in LINES_OF[field]:
                self.sums[self.owner[field]][line] += value

    def face_down_on(self, line: int, seat: int | None = None) -> list[int]:
        """Fields of a line with face-down stones (of one seat), in the line's order."""
        return [
            f
            for f in FIELDS_OF[line]
            if self.owner[f] != NOBODY
            and not self.faceup[f]
            and (seat is None or self.owner[f] == seat)
        ]

    def newly_shown(self, field: int) -> list[int]:
        """1.7: fields to turn up after a stone on ``field``: line's order, lines H, L, R."""
        found: list[int] = []
        for line in LINES_OF[field]:
            if self.free[line] == 0:
                found += [f for f in self.face_down_on(line) if f not in found]
        return found

    def unseen(self, seat: int) -> list[int]:
        """Values of a seat that no other player knows, in hand or face down; largest first."""
        if self.zones is not None:
            values = [int(v) for v in self.zones.unseen(f"p{seat}").elements()]
            for f in self.order:
                if self.owner[f] == seat and not self.faceup[f] and not values:
                    values = [int(v) for v in self.zones.unseen(FIELDS[f]).elements()]
            return sorted(values, reverse=True)
        hand = [v for v in VALUES for _ in range(self.count[seat][v])]
        lying = [self.value[f] for f in self.order if self.owner[f] == seat and not self.faceup[f]]
        return sorted(hand + lying, reverse=True)


def _on(flag: bool) -> str:
    return "on" if flag else "off"


def _reach(count: Sequence[int]) -> list[int]:
    """The largest sums of up to five stones left, padded with the sum of all of them."""
    reach = [0]
    for value in (6, 5, 4, 3, 2, 1):
        for _ in range(count[value]):
            reach.append(reach[-1] + value)
    reach += [reach[-1]] * (6 - len(reach))
    return reach
