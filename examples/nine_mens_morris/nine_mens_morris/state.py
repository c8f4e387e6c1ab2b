"""The position, and the lines of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from rules.core import (
    Actor,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Outcome,
    Prompt,
    ScoreLine,
    State,
    StateError,
)

# 1.1 Board: 24 points, letters from left to right and figures from bottom to top.
FIELDS = (
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
)  # fmt: skip
MILLS = (
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
)  # fmt: skip
COLOURS = ("white", "black")
STONES = 9
NOBODY = 2
FEWEST = 3
"""1.6: a player with fewer stones than a mill has lost."""
FLYING = 3
"""1.5: number of stones with which one may fly."""
QUIET_TURNS = 100
"""NM6: number of quiet turns before the match is a draw: fifty each."""
OUTCOMES = ("two_stones", "no_move", "repetition", "quiet")
TIMES = 3
"""NM5: number of times a position comes about before the match is a draw."""

FIELD = {name: at for at, name in enumerate(FIELDS)}
LINES = tuple(tuple(FIELD[name] for name in mill.split()) for mill in MILLS)
MILLS_OF = tuple(
    tuple(tuple(p for p in line if p != at) for line in LINES if at in line)
    for at in range(len(FIELDS))
)
"""The other two points of each of a point's mills."""
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
"""The points one step along a line from each point."""


_POINTS = range(len(FIELDS))
_PLACE = tuple(tuple(Move.of(p, "place", f) for f in FIELDS) for p in (0, 1))
_TAKE = tuple(tuple(Move.of(p, "take", f) for f in FIELDS) for p in (0, 1))
_MOVE = tuple(
    tuple(tuple(Move.of(p, "move", a, b) for b in FIELDS) for a in FIELDS) for p in (0, 1)
)
_ITEM = tuple(tuple(Item(f, f"stone {c}", p) for f in FIELDS) for p, c in enumerate(COLOURS))


class MorrisState(State):
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
        """Reason why the match is over; the seat to move then is the one that did not win."""

    def clone(self) -> MorrisState:
        other = MorrisState.__new__(MorrisState)
        other.flying, other.takes, other.repetition = self.flying, self.takes, self.repetition
        other.points, other.hand, other.seen = self.points[:], self.hand[:], self.seen[:]
        other.turn, other.taking, other.quiet = self.turn, self.taking, self.quiet
        other.over = self.over
        return other

    def to_json(self) -> Json:
        """The whole position; the points are a sign for each of ``FIELDS``: a seat, or a dot."""
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
        """Faults that a position must never have."""
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

    # -- 1.3 to 1.5 Placing, moving, flying -----------------------------------------------

    def prompt(self) -> Prompt | None:
        if self.over:
            return None
        seat = self.turn
        if self.taking:
            return Prompt(Actor.PLAYER, seat, "take", "1.4", (("other", 1 - seat),))
        if self.hand[seat]:
            return Prompt(Actor.PLAYER, seat, "place", "1.3", (("left", self.hand[seat]),))
        if self.flies(seat):
            return Prompt(Actor.PLAYER, seat, "fly", "1.5")
        return Prompt(Actor.PLAYER, seat, "move", "1.3")

    def legal_moves(self) -> list[Move]:
        if self.over:
            return []
        seat, points = self.turn, self.points
        if self.taking:
            return [_TAKE[seat][at] for at in self.takeable(1 - seat)]
        if self.hand[seat]:
            return [_PLACE[seat][at] for at in _POINTS if points[at] == NOBODY]
        flies = self.flies(seat)
        return [
            _MOVE[seat][start][to]
            for start in _POINTS
            if points[start] == seat
            for to in (_POINTS if flies else NEXT_TO[start])
            if points[to] == NOBODY
        ]

    def pseudo_moves(self) -> Iterable[Move]:
        """Moves that hands could make: put a stone on a free point, shift one there, or take one
        away."""
        if self.over:
            return
        free = [at for at in _POINTS if self.points[at] == NOBODY]
        for seat in (0, 1):
            if self.hand[seat]:
                yield from (_PLACE[seat][at] for at in free)
            for at in _POINTS:
                if self.points[at] == seat:
                    yield from (_MOVE[seat][at][to] for to in free)
                elif self.points[at] == 1 - seat:
                    yield _TAKE[seat][at]

    def violations(self, move: Move) -> list[Objection]:
        seat = move.player
        if self.over:
            return [Objection.of("1.6", "match_over")]
        known = {"place": 1, "take": 1, "move": 2}.get(move.verb) == len(move.args)
        if not known or seat not in (0, 1) or not FIELD.keys() >= set(move.args):
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        if seat != self.turn:
            return [Objection.of("1.3", "wrong_player", player=self.turn, other=seat)]
        if move.verb == "take":
            return self._check_take(seat, FIELD[move.args[0]])
        if self.taking:
            return [Objection.of("1.4", "take_first", player=seat, other=1 - seat)]
        if move.verb == "place":
            return self._check_place(seat, move.args[0])
        return self._check_move(seat, *move.args)

    def apply(self, move: Move) -> None:
        seat = move.player
        assert seat is not None
        if move.verb == "take":
            self.take(seat, FIELD[move.args[0]])
            enough = self.left(1 - seat) >= FEWEST and self.takeable(1 - seat)
            if self.taking > 1 and enough:
                self.taking -= 1
            else:
                self._end_turn(seat)
            return
        to = FIELD[move.args[-1]]
        if move.verb == "place":
            self.place(seat, to)
        else:
            self.shift(FIELD[move.args[0]], to)
            self.quiet += 1
        mills = self.mills_at(to)
        if mills and self.takeable(1 - seat):
            # NM2: two mills at once take one stone, or two.
            self.turn, self.taking, self.quiet = seat, min(mills, self.takes), 0
        else:
            self._end_turn(seat)

    def flies(self, seat: int) -> bool:
        """1.5: whether the stones of a seat may go to any free point."""
        return self.flying and not self.hand[seat] and self.left(seat) == FLYING

    def _may_go(self, at: int) -> bool:
        if self.flies(self.points[at]):
            return True
        return any(self.points[to] == NOBODY for to in NEXT_TO[at])

    def _check_place(self, seat: int, site: str) -> list[Objection]:
        if not self.hand[seat]:
            return [Objection.of("1.3", "all_placed", player=seat)]
        if self.points[FIELD[site]] != NOBODY:
            return [Objection.of("1.3", "occupied", site=site)]
        return []

    def _check_move(self, seat: int, start: str, to: str) -> list[Objection]:
        if self.hand[seat]:
            return [Objection.of("1.3", "still_placing", player=seat, left=self.hand[seat])]
        if self.points[FIELD[start]] != seat:
            return [Objection.of("1.3", "not_yours", player=seat, site=start)]
        if self.points[FIELD[to]] != NOBODY:
            return [Objection.of("1.3", "occupied", site=to)]
        if FIELD[to] not in NEXT_TO[FIELD[start]] and not self.flies(seat):
            return [Objection.of("1.5", "not_next", start=start, site=to)]
        return []

    # -- 1.4 Taking -----------------------------------------------------------------------

    def takeable(self, owner: int) -> list[int]:
        """Stones of ``owner`` outside mills; NM1: all of them if there are no others."""
        points = self.points
        own = [at for at in _POINTS if points[at] == owner]
        return [at for at in own if not self.mills_at(at)] or own

    def _check_take(self, seat: int, at: int) -> list[Objection]:
        other, site = 1 - seat, FIELDS[at]
        if self.points[at] != other:
            return [Objection.of("1.4", "nothing_to_take", other=other, site=site)]
        if not self.taking:
            return [Objection.of("1.4", "no_mill", player=seat, other=other)]
        if at not in self.takeable(other):
            return [Objection.of("NM1", "in_mill", player=seat, other=other, site=site)]
        return []

    # -- 1.6 End --------------------------------------------------------------------------

    def _end_turn(self, seat: int) -> None:
        other = 1 - seat
        irreversible = self.taking or self.hand[0] or self.hand[1]
        self.turn, self.taking = other, 0
        if self.left(other) < FEWEST:
            self.over = "two_stones"
            return
        if irreversible:
            self.seen = []
        if self.hand[other]:
            return
        if not any(self._may_go(at) for at in _POINTS if self.points[at] == other):
            self.over = "no_move"
            return
        self.seen.append(self.key())
        if self.repetition and self.seen.count(self.seen[-1]) >= TIMES:
            self.over = "repetition"
        elif self.quiet >= QUIET_TURNS:
            self.over = "quiet"

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        if self.over in ("repetition", "quiet"):
            return Outcome(self.over, ((0, 1),), self.scores())
        loser = self.turn
        return Outcome(self.over, ((1 - loser,), (loser,)), self.scores())

    def scores(self) -> tuple[int, ...]:
        return (STONES - self.left(1), STONES - self.left(0))

    def explain_scores(self) -> list[ScoreLine]:
        return [ScoreLine(p, "taken", n) for p, n in enumerate(self.scores()) if n]

    def layout(self) -> Layout:
        return Counter(_ITEM[owner][at] for at, owner in enumerate(self.points) if owner != NOBODY)

    def supply(self, seat: int) -> Counter[str]:
        """Stones still to be placed. Those that were taken are out of the match."""
        return +Counter({f"stone {COLOURS[seat]}": self.hand[seat]})

    def touches(self, move: Move) -> Collection[str]:
        return move.args


def _written(key: bytes | bytearray) -> str:
    return "".join("01."[owner] for owner in key)


def _read(name: str, text: str) -> bytes:
    if not set(text) <= set("01."):
        raise StateError("unfit", key=name, found=text)
    return bytes("01.".index(sign) for sign in text)
