"""The position of one match of Die Dolmengötter: places, circles, supplies, rights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Self

from rules.colours import paint_of
from rules.core import COLOURS, Json, Options, State, StateError
from rules.games.dolmengoetter.board import FACTORS
from rules.games.dolmengoetter.components import COLOURS as PALETTE
from rules.games.dolmengoetter.components import (
    DOLMENS_TABLE,
    DRUIDS_EACH,
    LEVELS,
    STONES_TABLE,
    UNKNOWN,
    VALUES,
    dolmen_set,
)
from rules.games.dolmengoetter.moves import MoveTables
from rules.hidden import Zones

NOBODY = -1

# Pieces on a place: 0 nothing, 1 + seat a stone, DRUID + seat or LYING + seat a druid.
DRUID = 8
LYING = DRUID | 16


PHASES = ("start", "druids", "action", "stone", "rights", "show", "over")
START, DRUIDS, ACTION, STONE, RIGHTS, SHOW, OVER = range(7)


Right = tuple[int, int, int, int]
"""Place of the owner in the order of DG6, circle, owner, TOP or UNDER."""

Pile = list[tuple[int, int]]
"""Owner and value of each dolmen, the topmost first."""


def hand(seat: int) -> str:
    """Zone of the dolmens in front of a player."""
    return f"p{seat}"


def built(seat: int) -> str:
    """Zone of a player's dolmens that lie in circles and have never been seen."""
    return f"p{seat} built"


def majority(counts: Sequence[int]) -> int:
    """7.6, Maj: the colour ahead of every other, with 3 stones of 2 colours; else ``NOBODY``."""
    total, most = sum(counts), max(counts)
    if total >= 3 and most < total and counts.count(most) == 1:
        return counts.index(most)
    return NOBODY


class DolmenState(State):
    """Position of one match. Lists are indexed by seat, place or circle of the board."""

    __slots__ = (
        "board", "bonus", "count", "dolmens", "druids", "filled", "first", "first_out", "free",
        "last", "left", "maj", "occ", "options", "over_by", "paint", "pending", "phase", "physical",
        "piles", "players", "points", "refused", "rights", "scored", "set", "stone", "stones",
        "stones_left", "tables", "tie_min", "turn", "values", "zones",
    )  # fmt: skip

    def __init__(self, tables: MoveTables, players: int, options: Options, physical: bool) -> None:
        self.tables, self.board = tables, tables.board
        board = self.board
        self.players, self.physical = players, physical
        self.options = dict(options)
        chosen = options[COLOURS].split(",") if COLOURS in options else PALETTE[:players]
        self.paint = paint_of(PALETTE, tuple(chosen))
        self.tie_min = int(options["tie_min"])
        self.bonus = options["bonus_on_fill"] == "on"
        stones, dolmens = options["stones"], options["dolmens"]
        each = STONES_TABLE[players] if stones == "table" else int(stones)
        number = DOLMENS_TABLE[players] if dolmens == "table" else int(dolmens)
        self.set = dolmen_set(options["values"], number)
        """Dolmens each player began with, per value."""
        self.phase = START
        self.turn = 0
        """Seat whose turn it is; in a turn with rights still the mover, not the seat asked."""
        self.first = NOBODY
        self.points = [int(options["start_score"])] * players
        self.refused = [0] * players
        """Places left empty, one point each."""
        self.stones = [each] * players
        """Stones in supply."""
        self.stones_left = each * players
        self.dolmens = [number] * players
        """Dolmens in supply."""
        self.values = [list(self.set) for _ in range(players)]
        """Digital match: dolmens in supply per value."""
        self.zones: Zones | None = None
        """Physical match: possible dolmens in supply and in circles."""
        if physical:
            self.zones = Zones()
            for seat in range(players):
                self.zones.fill(hand(seat), {str(v): self.set[v] for v in VALUES})
        self.druids: list[list[int]] = [[] for _ in range(players)]
        self.occ = [0] * len(board.places)
        self.free = bytearray(b"\1" * len(board.places))
        """1 for each place with neither druid nor stone."""
        self.count = [[0] * players for _ in board.circle_ids]
        """Stones in each circle by seat."""
        self.filled = [0] * len(board.circle_ids)
        self.maj = [NOBODY] * len(board.circle_ids)
        self.piles: list[Pile] = [[] for _ in board.circle_ids]
        self.scored: list[tuple[int, tuple[tuple[int, int], ...]]] = []
        """Circles that have scored and the pile each had, in the order of scoring."""
        self.left = NOBODY
        """STONE: the place just left."""
        self.stone = NOBODY
        """Place where the last action put a stone, until the next action."""
        self.rights: list[Right] = []
        self.pending: list[int] = []
        """Circles that are scoring; only physical ones wait here, for dolmens to be shown."""
        self.first_out = NOBODY
        """DG12: the first player to build their last dolmen."""
        self.last: list[int] | None = None
        """Seats that still have a last turn; None while the last turns are not running."""
        self.over_by = ""
        """Reason of the end, set before the final scoring."""

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.tables, other.board = self.tables, self.board
        other.players, other.physical = self.players, self.physical
        other.options, other.tie_min, other.bonus = self.options, self.tie_min, self.bonus
        other.paint = self.paint
        other.set, other.phase, other.turn, other.first = (
            self.set, self.phase, self.turn, self.first,
        )  # fmt: skip
        other.points, other.refused = self.points[:], self.refused[:]
        other.stones, other.stones_left = self.stones[:], self.stones_left
        other.dolmens = self.dolmens[:]
        other.values = [values[:] for values in self.values]
        other.zones = None if self.zones is None else self.zones.clone()
        other.druids = [places[:] for places in self.druids]
        other.occ, other.free = self.occ[:], self.free[:]
        other.count = [row[:] for row in self.count]
        other.filled, other.maj = self.filled[:], self.maj[:]
        other.piles = [pile[:] for pile in self.piles]
        other.scored = self.scored[:]
        other.left, other.stone = self.left, self.stone
        other.rights, other.pending = self.rights[:], self.pending[:]
        other.first_out, other.over_by = self.first_out, self.over_by
        other.last = None if self.last is None else self.last[:]
        return other

    def to_json(self) -> Json:
        """The position; piles are ``[seat, value]`` from the top, value null while unknown."""
        places, circles = self.board.places, self.board.circle_ids
        data: dict[str, Json] = {
            "board": self.board.name,
            "players": self.players,
            "options": dict(self.options),
            "physical": self.physical,
            "phase": PHASES[self.phase],
            "turn": self.turn,
            "first": _seat(self.first),
            "points": self.points[:],
            "refused": self.refused[:],
            "stones_left": self.stones[:],
            "dolmens_left": self.dolmens[:],
            "druids": [
                {places[p]: "lying" if self.occ[p] >= LYING else "standing" for p in sorted(own)}
                for own in self.druids
            ],
            "stones": {places[p]: o - 1 for p, o in enumerate(self.occ) if 0 < o < DRUID},
            "piles": {circles[c]: _pile(pile) for c, pile in enumerate(self.piles) if pile},
            "scored": [[circles[c], _pile(pile)] for c, pile in self.scored],
            "left": None if self.left == NOBODY else places[self.left],
            "stone": None if self.stone == NOBODY else places[self.stone],
            "rights": [[circles[c], owner, LEVELS[level]] for _, c, owner, level in self.rights],
            "pending": [circles[c] for c in self.pending],
            "first_out": _seat(self.first_out),
            "last_turns": None if self.last is None else self.last[:],
            "over_by": self.over_by or None,
        }
        if self.zones is None:
            data["supplies"] = [
                [v for v in VALUES for _ in range(values[v])] for values in self.values
            ]
        else:
            data["zones"] = self.zones.to_json()
        return data

    def read(self, data: Json) -> None:
        place, circle = self.board.place, self.board.circle
        if data["board"] != self.board.name:
            raise StateError("other_board", found=data["board"], wanted=self.board.name)
        self.phase, self.turn = PHASES.index(data["phase"]), int(data["turn"])
        self.first, self.first_out = _number(data["first"]), _number(data["first_out"])
        self.points, self.refused, self.stones, self.dolmens = (
            [int(number) for number in data[key]]
            for key in ("points", "refused", "stones_left", "dolmens_left")
        )
        self.stones_left = sum(self.stones)
        poses = {"standing": DRUID, "lying": LYING}
        self.druids = [[place[name] for name in own] for own in data["druids"]]
        for owner, own in enumerate(data["druids"]):
            for name, pose in own.items():
                self.occ[place[name]] = poses[pose] + owner
        for name, owner in data["stones"].items():
            self.occ[place[name]] = 1 + range(self.players)[owner]
        self._settle_counts()
        for name, pile in data["piles"].items():
            self.piles[circle[name]] = _dolmens(pile)
        self.scored = [(circle[name], tuple(_dolmens(pile))) for name, pile in data["scored"]]
        self.left = NOBODY if data["left"] is None else place[data["left"]]
        self.stone = NOBODY if data["stone"] is None else place[data["stone"]]
        self.rights = [
            ((owner - self.turn) % self.players, circle[name], owner, LEVELS.index(level))
            for name, owner, level in data["rights"]
        ]
        self.pending = [circle[name] for name in data["pending"]]
        self.last = None if data["last_turns"] is None else list(data["last_turns"])
        self.over_by = data["over_by"] or ""
        if self.zones is not None:
            self.zones = Zones.from_json(data["zones"])
        else:
            self.values = [[0, *map(own.count, VALUES)] for own in data["supplies"]]

    def problems(self) -> list[str]:
        players, seats = self.players, {*range(self.players)}
        per_seat = (
            self.points, self.refused, self.stones, self.dolmens, self.druids, self.values,
        )  # fmt: skip
        if any(len(values) != players for values in per_seat):
            return ["some list is not as long as there are players"]
        owners = {owner for pile in self._all_piles() for owner, _ in pile}
        owners |= {owner for _, _, owner, _ in self.rights} | {self.turn, *(self.last or ())}
        if strangers := (owners | {self.first, self.first_out} - {NOBODY}) - seats:
            return [f"somebody has no seat: {sorted(strangers)}"]
        found = [problem for seat in range(players) for problem in self._seat_problems(seat)]
        if self.zones is not None:
            found += self.zones.invariants()
            if [self.zones.size(hand(seat)) for seat in range(players)] != self.dolmens:
                found.append("hidden dolmens and supplies do not add up")
        return found + self._phase_problems()

    def _all_piles(self) -> list[Sequence[tuple[int, int]]]:
        return [*self.piles, *(pile for _, pile in self.scored)]

    def _seat_problems(self, seat: int) -> list[str]:
        """Faults of a seat: points that are not those earned, or pieces other than at the start."""
        found, name = [], f"p{seat}"
        setup = type(self)(self.tables, self.players, self.options, self.physical)
        earned = setup.points[seat] - self.refused[seat]
        earned += sum(self.circle_points(circle, pile)[seat] for circle, pile in self.scored)
        if self.points[seat] != earned:
            found.append(f"{name} has {self.points[seat]} points and earned {earned}")
        stones = self.stones[seat] + self.occ.count(1 + seat)
        if stones != setup.stones[seat] or self.stones[seat] < 0:
            found.append(f"{name} has {stones} stones of {setup.stones[seat]}")
        own = Counter(value for pile in self._all_piles() for owner, value in pile if owner == seat)
        dolmens = self.dolmens[seat] + own.total()
        if dolmens != setup.dolmens[seat] or self.dolmens[seat] < 0:
            found.append(f"{name} has {dolmens} dolmens")
        for value in VALUES:
            whole, placed, left = self.set[value], own[value], self.values[seat][value]
            if self.zones is None and (left < 0 or left + placed != whole):
                found.append(f"{name} has {left} + {placed} dolmens of value {value}, not {whole}")
            elif placed > whole:
                found.append(f"{name} has shown {placed} dolmens of value {value}")
        druids = [p for p, o in enumerate(self.occ) if o >= DRUID and o & 7 == seat]
        if sorted(self.druids[seat]) != druids or len(druids) > DRUIDS_EACH:
            found.append(f"{name} has druids on {druids}")
        if self.phase > DRUIDS and len(druids) != DRUIDS_EACH:
            found.append(f"{name} has {len(druids)} druids")
        return found

    def _phase_problems(self) -> list[str]:
        """Faults of the phase: reasons why the decision that is due cannot be due."""
        found = []
        if (self.phase == STONE) != (self.left != NOBODY):
            found.append("a place left and the phase do not go together")
        if (self.phase == RIGHTS and not self.rights) or (self.rights and self.stone == NOBODY):
            found.append("rights and the phase do not go together")
        if (self.phase == SHOW) != bool(self.pending):
            found.append("dolmens to show and the phase do not go together")
        elif self.pending and all(value for _, value in self.piles[self.pending[0]]):
            found.append("a circle waits for dolmens that are all known")
        if self.over_by not in ("", "last_stone", "last_dolmen"):
            found.append(f"the match is over by '{self.over_by}'")
        if self.phase == OVER and not self.over_by:
            found.append("the match is over for no reason")
        return found

    def _settle_counts(self) -> None:
        """Work out free places and the stones in each circle from what stands where."""
        for p, standing in enumerate(self.occ):
            self.free[p] = not standing
            if 0 < standing < DRUID:
                for c in self.board.circles_of[p]:
                    self.count[c][standing - 1] += 1
                    self.filled[c] += 1
        self.maj = [majority(counts) for counts in self.count]

    def reach(self, place: int) -> list[int]:
        """7.5, reach: free places at the end of a path over druids (DG8)."""
        links, occ = self.board.links, self.occ
        found: list[int] = []
        seen = {place}
        stack = [place]
        while stack:
            for to in links[stack.pop()]:
                if to not in seen:
                    seen.add(to)
                    standing = occ[to]
                    if not standing:
                        found.append(to)
                    elif standing >= DRUID:
                        stack.append(to)
        return found

    def path(self, place: int, goal: int) -> tuple[int, ...]:
        """7.5: the shortest way to a place, by one link or over druids; without one its ends."""
        came, row = {place: place}, [place]
        for at in row:
            for to in self.board.links[at]:
                if to not in came:
                    came[to] = at
                    if self.occ[to] >= DRUID:
                        row.append(to)
        if goal not in came:
            return (place, goal)
        back = [goal]
        while back[-1] != place:
            back.append(came[back[-1]])
        return tuple(reversed(back))

    def next_hidden(self) -> tuple[int, int, int]:
        """SHOW: circle, level from the top counted from 0, and owner of the dolmen to turn up."""
        circle = self.pending[0]
        pile = self.piles[circle]
        level = next(n for n, (_, value) in enumerate(pile) if value == UNKNOWN)
        return circle, level, pile[level][0]

    def circle_points(self, circle: int, pile: Sequence[tuple[int, int]]) -> list[int]:
        """7.7: points that a pile brings each seat; levels below the table's last bring nothing."""
        gained = [0] * self.players
        for (owner, value), factor in zip(pile, FACTORS[self.board.size[circle]], strict=False):
            gained[owner] += value * factor
        return gained

    def offered(self, seat: int) -> list[int]:
        """7.10: values a player may choose from; on a real table a hidden one."""
        if not self.dolmens[seat]:
            return []
        if self.physical:
            return [UNKNOWN]
        return [value for value in VALUES if self.values[seat][value]]


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _number(seat: int | None) -> int:
    return NOBODY if seat is None else int(seat)


def _pile(pile: Sequence[tuple[int, int]]) -> list[list[int | None]]:
    return [[owner, value or None] for owner, value in pile]


def _dolmens(pile: Json) -> Pile:
    values = (UNKNOWN, *VALUES)
    return [(int(owner), UNKNOWN if value is None else values[value]) for owner, value in pile]
