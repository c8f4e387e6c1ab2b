"""The position, and the lines of the board."""

from __future__ import annotations

from rules.core import Json, StateError

# 1.1 Board: 24 points, letters from left to right and figures from bottom to top.
FIELDS = (
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
)  # fmt: skip
MILLS = (
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
)  # fmt: skip
STONES = 9
NOBODY = 2
OUTCOMES = ("two_stones", "no_move", "repetition", "quiet")

FIELD = {name: at for at, name in enumerate(FIELDS)}
LINES = tuple(tuple(FIELD[name] for name in mill.split()) for mill in MILLS)
MILLS_OF = tuple(
    tuple(tuple(p for p in line if p != at) for line in LINES if at in line)
    for at in range(len(FIELDS))
)
"""By point: the other two points of each of its mills."""
NEXT_TO = tuple(
    tuple(
        other
        for line in LINES
        if at in line
        for other in line
        if abs(line.index(other) - line.index(at)) == 1
    )
    for at in range(len(FIELDS))
)
"""By point: the points one step along a line."""


class MorrisState:
    """Position of one match. ``points`` hold a seat or NOBODY, in the order of ``FIELDS``."""

    __slots__ = (
        "flying", "hand", "over", "points", "quiet", "repetition", "seen", "takes", "taking", "turn"
    )  # fmt: skip

    def __init__(self, *, flying: bool, takes: int, repetition: bool) -> None:
        self.flying, self.takes, self.repetition = flying, takes, repetition
        self.points = bytearray([NOBODY] * len(FIELDS))
        self.hand = [STONES, STONES]
        """Stones still to be placed, by seat."""
        self.turn = 0
        self.taking = 0
        """Stones that the seat to move must still take."""
        self.quiet = 0
        """Turns since the last mill, after placing."""
        self.seen: list[bytes] = []
        """NM5: the positions since a stone was placed or taken; none of them can come back."""
        self.over = ""
        """Why the match is over; the seat to move then is the one that did not win."""

    def clone(self) -> MorrisState:
        other = MorrisState.__new__(MorrisState)
        other.flying, other.takes, other.repetition = self.flying, self.takes, self.repetition
        other.points, other.hand, other.seen = self.points[:], self.hand[:], self.seen[:]
        other.turn, other.taking, other.quiet = self.turn, self.taking, self.quiet
        other.over = self.over
        return other

    def to_json(self) -> Json:
        """Everything; positions are a sign for each of ``FIELDS``: a seat, or a dot."""
        return {
            "options": {
                "flying": "on" if self.flying else "off",
                "two_mills": "two" if self.takes == 2 else "one",
                "repetition": "on" if self.repetition else "off",
            },
            "points": _written(self.points),
            "hand": self.hand[:],
            "turn": self.turn,
            "taking": self.taking,
            "quiet": self.quiet,
            "seen": [_written(key) for key in self.seen],
            "over": self.over,
        }

    def read(self, data: Json) -> None:
        """Take over what ``to_json`` wrote."""
        self.points = bytearray(_read("points", data["points"]))
        self.hand = [int(count) for count in data["hand"]]
        self.turn, self.taking = int(data["turn"]), int(data["taking"])
        self.quiet, self.over = int(data["quiet"]), str(data["over"])
        self.seen = [_read("seen", text) for text in data["seen"]]

    def problems(self) -> list[str]:
        """What must never be wrong with a position."""
        found = []
        for seat in (0, 1):
            if not 0 <= self.hand[seat] <= STONES or self.left(seat) > STONES:
                found.append(f"p{seat} has {self.left(seat)} stones, {self.hand[seat]} in hand")
        if self.turn not in (0, 1) or self.taking not in range(self.takes + 1):
            found.append(f"p{self.turn} takes {self.taking} stones")
        if self.over not in ("", *OUTCOMES):
            found.append(f"the match is over by '{self.over}'")
        if not set(self.points) <= {NOBODY, 0, 1} or len(self.points) != len(FIELDS):
            found.append(f"the points are {self.points}")
        return found

    def key(self) -> bytes:
        """The points and who is to move: what makes two positions the same."""
        return bytes(self.points) + bytes([self.turn])

    def left(self, seat: int) -> int:
        """Stones of ``seat`` on the board and in its hand."""
        return self.points.count(seat) + self.hand[seat]

    def mills_at(self, at: int) -> int:
        """Number of mills that the stone on ``at`` is in."""
        points, owner = self.points, self.points[at]
        return sum(points[a] == owner == points[b] for a, b in MILLS_OF[at])

    def place(self, seat: int, at: int) -> None:
        """A stone out of the hand goes on a point."""
        self.hand[seat] -= 1
        self.points[at] = seat

    def shift(self, start: int, to: int) -> None:
        """A stone goes from one point to another."""
        self.points[to], self.points[start] = self.points[start], NOBODY

    def take(self, seat: int, at: int) -> None:
        """``seat`` takes the stone on a point off the board."""
        self.points[at] = NOBODY
        self.turn = seat


def _written(key: bytes | bytearray) -> str:
    return "".join("01."[owner] for owner in key)


def _read(name: str, text: str) -> bytes:
    if not set(text) <= set("01."):
        raise StateError("unfit", key=name, found=text)
    return bytes("01.".index(sign) for sign in text)
