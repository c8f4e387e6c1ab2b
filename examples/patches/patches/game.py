"""Patches: the position with its rules, and the game as Heelstone's are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Set
from functools import cache
from pathlib import Path
from typing import ClassVar

from rules.box import PieceKind, around, cell_of, covered, load_box
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
    ScoreLine,
    State,
    Touch,
    ranked,
)

COLOURS = ("white", "black")
BOX = str(Path(__file__).with_name("box.toml"))

# 1.1 Letters of the patches, and how many of each a player has.
NAMES = {"D": "domino", "B": "bar", "L": "corner", "Q": "square"}
EACH = Counter(D=3, B=2, L=2, Q=1)
# 1.2 The first patch lies anywhere: places and turns count from it.
FIRST = "0:0"
_FIRST = [[Move.of(seat, "lay", letter, FIRST, "0") for letter in EACH] for seat in (0, 1)]
# 1.3 Squares from one edge of the quilt to the other.
WIDEST = 10


@cache
def _kind(letter: str) -> PieceKind:
    return load_box(BOX).kinds[f"{NAMES[letter]} white"]


def squares(move: Move) -> tuple[str, ...]:
    """The squares that the patch of a move covers, its own place first."""
    letter, site, turn = move.args
    return covered(_kind(letter), site, turn)


@cache
def _over(seat: int, letter: str, square: str) -> tuple[tuple[Move, tuple[str, ...]], ...]:
    """All ways in which a seat can cover a square by such a patch: moves, and what they cover."""
    column, row = cell_of(square) or (0, 0)
    every = (
        Move.of(seat, "lay", letter, f"{column - x}:{row - y}", turn)
        for turn in _kind(letter).poses or "0"
        for x, y in filter(None, map(cell_of, covered(_kind(letter), FIRST, turn)))
    )  # fmt: skip
    return tuple((move, squares(move)) for move in every)


@cache
def _item(move: Move) -> Item:
    letter, site, turn = move.args
    seat, pose = move.player or 0, turn if _kind(letter).poses else ""
    return Item(site, f"{NAMES[letter]} {COLOURS[seat]}", seat, pose=pose)


@cache
def _within(left: int, right: int, low: int, high: int) -> frozenset[str]:
    return frozenset(f"{x}:{y}" for x in range(left, right) for y in range(low, high))


class PatchesState(State):
    """Position of one match: the patches in the order in which they were laid."""

    __slots__ = ("laid", "open", "over", "owner", "points")

    def __init__(self) -> None:
        self.laid: list[Move] = []
        self.owner: dict[str, int] = {}
        """Seat by covered square."""
        self.points = [0, 0]
        self.open: list[Move] | None = None
        """The moves that are legal now, once they were asked for."""
        self.over: bool | None = None
        """True if there are none; None until that is asked for."""

    def clone(self) -> PatchesState:
        other = PatchesState.__new__(PatchesState)
        other.laid, other.owner, other.points = self.laid[:], self.owner.copy(), self.points[:]
        other.open, other.over = self.open, self.over
        return other

    def to_json(self) -> Json:
        return {"options": {}, "laid": [move.text for move in self.laid]}

    def read(self, data: Json) -> None:
        for text in data["laid"]:
            self.apply(Move.parse(text))

    def problems(self) -> list[str]:
        before = PatchesState()
        for move in self.laid:
            if before.violations(move):
                return [f"{move} cannot have been played"]
            before.apply(move)
        return []

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return len(self.laid) % 2

    def left(self, seat: int) -> Counter[str]:
        """1.1: the patches that a player still has, by letter."""
        gone = Counter(move.args[0] for move in self.laid if move.player == seat)
        return EACH - gone

    # -- 1.3 Laying ------------------------------------------------------------------------

    def prompt(self) -> Prompt | None:
        if self.outcome() is not None:
            return None
        code, rule = ("lay", "1.3") if self.laid else ("begin", "1.2")
        return Prompt(Actor.PLAYER, self.turn, code, rule)

    def _beside(self, *seats: int) -> dict[str, None]:
        """The free squares beside patches of these seats."""
        laid = (square for square, whose in self.owner.items() if whose in seats)
        every = dict.fromkeys(n for square in laid for n in around(square, 4))
        return {square: None for square in every if square not in self.owner}

    def _over_any(
        self, seat: int, goals: Iterable[str], closed: Set[str]
    ) -> Iterable[tuple[Move, tuple[str, ...]]]:
        """The ways to cover one of these squares, and none that is closed."""
        left, closed = self.left(seat), set(closed)
        for goal in goals:
            free = closed.isdisjoint
            for letter in left:
                yield from (way for way in _over(seat, letter, goal) if free(way[1]))
            closed.add(goal)

    def legal_moves(self) -> list[Move]:
        if self.open is None:
            self.open = list(self._legal())
        return self.open

    def _legal(self) -> Iterable[Move]:
        if not self.laid:
            return _FIRST[0]
        beside, fits = self._beside(self.turn), self._field().issuperset
        goals = [square for square in self._beside(1 - self.turn) if square not in beside]
        found = self._over_any(self.turn, goals, self.owner.keys() | beside.keys())
        return (move for move, own in found if fits(own))

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can lay either colour beside anything."""
        if not self.laid:
            yield from (*_FIRST[0], *_FIRST[1])
        elif self.outcome() is None:
            goals = self._beside(0, 1)
            for seat in (self.turn, 1 - self.turn):
                yield from (move for move, _ in self._over_any(seat, goals, self.owner.keys()))

    def violations(self, move: Move) -> list[Objection]:
        if self.outcome() is not None:
            return [Objection.of("1.5", "match_over")]
        if not self._is_known(move):
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        if (seat := move.player or 0) != self.turn:
            return [Objection.of("1.3", "wrong_player", player=self.turn, other=seat)]
        code = self._fault(move) if self.laid else ""
        return [Objection.of("1.3", code, site=move.args[1])] if code else []

    def _is_known(self, move: Move) -> bool:
        """True if a player has such a patch left, and there are such squares."""
        if move.verb != "lay" or move.player is None or len(move.args) != 3:
            return False
        letter, site, turn = move.args
        if not self.left(move.player)[letter] or turn not in (_kind(letter).poses or "0"):
            return False
        first = bool(self.laid) or (site, turn) == (FIRST, "0")
        return first and all(square in load_box(BOX).sites for square in squares(move))

    def _fault(self, move: Move) -> str:
        """1.3: what is wrong with a place for a patch; empty if nothing is."""
        own, owner = squares(move), self.owner
        if any(square in owner for square in own):
            return "occupied"
        beside = {owner[n] for square in own for n in around(square, 4) if n in owner}
        if move.player in beside:
            return "beside_own"
        if not beside:
            return "apart"
        return "" if self._field().issuperset(own) else "too_wide"

    def _field(self) -> frozenset[str]:
        """1.3: the squares that do not make the quilt too wide."""
        x, y = zip(*filter(None, map(cell_of, self.owner)), strict=True)
        return _within(max(x) - WIDEST + 1, min(x) + WIDEST, max(y) - WIDEST + 1, min(y) + WIDEST)

    def apply(self, move: Move) -> None:
        seat, own = move.player or 0, squares(move)
        # 1.4 A point for each side of a square at which the patch meets another's.
        self.points[seat] += sum(
            self.owner.get(n, seat) != seat for square in own for n in around(square, 4)
        )
        self.open = self.over = None
        self.owner |= dict.fromkeys(own, seat)
        self.laid.append(move)

    # -- 1.5 The end -----------------------------------------------------------------------

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def explain_scores(self) -> list[ScoreLine]:
        return [ScoreLine(seat, "sides", n) for seat, n in enumerate(self.points) if n]

    def outcome(self) -> Outcome | None:
        if self.over is None:
            # One is enough, and this is asked far more often than all of them.
            self.over = next(iter(self._legal()), None) is None
        if not self.over:
            return None
        scores = self.scores()
        return Outcome("drawn" if scores[0] == scores[1] else "more", ranked(scores), scores)

    # -- the table -------------------------------------------------------------------------

    def layout(self) -> Layout:
        return Counter(map(_item, self.laid))

    def supply(self, seat: int) -> Counter[str]:
        left = self.left(seat).items()
        return Counter({f"{NAMES[letter]} {COLOURS[seat]}": n for letter, n in left})

    def touches(self, move: Move) -> Collection[str]:
        return move.args[1:2]


class PatchesTouch(Touch[PatchesState]):
    """A patch is laid by touching it, and then the squares that it is to cover."""

    def places(self, state: PatchesState, move: Move) -> tuple[str, ...]:
        return squares(move)


class Patches(Game[PatchesState]):
    """Patches for two. Everything about a match is in its ``PatchesState``."""

    id = "patches"
    package = "patches"
    box = BOX
    players = (2,)
    options: ClassVar = {}
    codes = (
        "match_over", "unknown_move", "wrong_player", "occupied", "beside_own", "apart", "too_wide",
    )  # fmt: skip
    outcomes = ("more", "drawn")
    handling_rule = "1.3"
    touch = PatchesTouch()

    def setup(self, players: int, options: Options, physical: bool) -> PatchesState:
        return PatchesState()

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Patches()
