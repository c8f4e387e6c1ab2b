"""Drawing a board of another edition of Die Dolmengötter: places, lines between them, runes.

People put a place where a stone can lie and join neighbours. The stone circles are what the lines
enclose: the faces of the drawing, found by walking along each line and always turning to the same
side. Runes are suggested from the four corners inwards and can be set by hand.
"""

from __future__ import annotations

import itertools
import math
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.boards.mapping import Fault, into_outline
from companion.words.errors import notice
from rules.box import Box, Point, load_box
from rules.box.override import moved_corner, outline_lines
from rules.core import GameError
from rules.games import find_game
from rules.games.dolmengoetter.board import FACTORS
from rules.games.dolmengoetter.game import DolmenGame
from rules.games.dolmengoetter.own_board import check_board

MOST_STEPS = 200
MOST_PLACES = 200


@dataclass(frozen=True)
class _Drawing:
    board: Box
    """Corner stickers and size, in mm."""
    places: Mapping[str, Point]
    lines: frozenset[frozenset[str]]
    runes: tuple[frozenset[str], ...] = ()


class BoardDraft:
    """A board that is being drawn; with undo."""

    game = DolmenGame.id
    """Id of the game that is played on it."""

    def __init__(self, board: Box, name: str = "") -> None:
        """``board``: corner stickers and size, in mm."""
        self.name = name
        self._now = _Drawing(board, {}, frozenset())
        self._undo: list[_Drawing] = []
        self._held: _Drawing | None = None
        self._judged: tuple[_Drawing, list[Fault]] | None = None

    @classmethod
    def of_game(cls, game_id: str, board: Box | None = None) -> BoardDraft:
        """The board that a game is played on now; ``board``: with these corner stickers."""
        game = find_game(game_id)
        box = load_box(game.box)
        assert isinstance(game, DolmenGame), f"{game_id} has no stone circles"
        found = game.board
        draft = cls(board or box, game.board_name)
        draft._now = _Drawing(
            draft.board,
            {place: box.sites[place].at for place in found.places},
            found.sides,
            tuple(frozenset(places) for places in found.runes.values()),
        )
        return draft

    # -- what there is ----------------------------------------------------------------------

    @property
    def board(self) -> Box:
        """Corner stickers and size, in mm."""
        return self._now.board

    @property
    def across_mm(self) -> float:
        """Distance between the middles of the upper two stickers, mm."""
        first, second = (corner.at for corner in self.board.corners[:2])
        return math.dist(first, second)

    @property
    def places(self) -> Mapping[str, Point]:
        """Places for stones, mm."""
        return self._now.places

    @property
    def lines(self) -> frozenset[frozenset[str]]:
        """Pairs of neighbours."""
        return self._now.lines

    @property
    def runes(self) -> tuple[frozenset[str], ...]:
        """Places that carry the same rune."""
        return self._now.runes

    @property
    def outline(self) -> tuple[Point, ...]:
        """The board's corners, mm, clockwise from the upper left; empty: all is board."""
        return self.board.outline

    @property
    def can_undo(self) -> bool:
        """True if there is a step to take back."""
        return bool(self._undo)

    def place_at(self, at: Point, reach: float) -> str | None:
        """The place nearest to ``at``, at most ``reach`` mm away."""
        near = [(math.dist(at, spot), name) for name, spot in self.places.items()]
        best = min(near, default=(math.inf, ""))
        return best[1] if best[0] <= reach else None

    def circles(self) -> list[tuple[str, ...]]:
        """The places around each area that lines enclose, row by row from above."""
        found = [face for face in self._faces() if self._area(face) > 0]
        return sorted(found, key=self._row)

    def rim(self) -> tuple[str, ...]:
        """Places on a line that belongs to one area only."""
        sides: dict[frozenset[str], int] = {}
        for circle in self.circles():
            for side in _sides(circle):
                sides[side] = sides.get(side, 0) + 1
        rim = {place for side, count in sides.items() if count == 1 for place in side}
        return tuple(place for place in self.places if place in rim)

    # -- drawing ----------------------------------------------------------------------------

    def add(self, at: Point) -> str:
        """A new place; returns its id."""
        taken = {int(p[1:]) for p in self.places if p[0] == "P" and p[1:].isdecimal()}
        name = next(f"P{n}" for n in itertools.count(1) if n not in taken)
        self._step(replace(self._now, places={**self.places, name: at}))
        return name

    def remove(self, place: str) -> None:
        """Take a place away with its lines and its rune."""
        self._step(
            _Drawing(
                self.board,
                {p: at for p, at in self.places.items() if p != place},
                frozenset(line for line in self.lines if place not in line),
                tuple(rune for rune in self.runes if place not in rune),
            )
        )

    def join(self, one: str, other: str) -> None:
        """Make two places neighbours, or separate them if they are."""
        if one != other:
            self._step(replace(self._now, lines=self.lines ^ {frozenset((one, other))}))

    def pair(self, one: str, other: str) -> None:
        """Give two places the same rune, or take it from them if they share one of their own."""
        both = frozenset((one, other))
        if len(both) < 2:
            return
        if both in self.runes:
            self._step(replace(self._now, runes=tuple(r for r in self.runes if r != both)))
            return
        kept = tuple(rune for rune in self.runes if not rune & both)
        self._step(replace(self._now, runes=(*kept, both)))

    def suggest_runes(self) -> None:
        """Runes for opposite places: the four corners, then from corner to corner inwards.

        Sides of different length leave places without a rune; those are set by hand.
        """
        rim = self._rim_walk()
        corners = [self._extreme(rim, *way) for way in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        if len(set(corners)) < 4:
            return
        start = rim.index(corners[0])
        rim = rim[start:] + rim[:start]
        cuts = [rim.index(corner) for corner in corners]
        if cuts != sorted(cuts):
            rim = [rim[0], *reversed(rim[1:])]
            cuts = [rim.index(corner) for corner in corners]
        top, right = rim[cuts[0] + 1 : cuts[1]], rim[cuts[1] + 1 : cuts[2]]
        bottom, left = rim[cuts[2] + 1 : cuts[3]], rim[cuts[3] + 1 :]
        pairs = itertools.chain(
            zip(top, reversed(bottom), strict=False), zip(right, reversed(left), strict=False)
        )
        runes = (frozenset(corners), *(frozenset(pair) for pair in pairs))
        self._step(replace(self._now, runes=runes))

    def grip(self) -> None:
        """A gesture begins: what follows is one step, until ``release``."""
        self._held = self._now

    def release(self) -> None:
        """The gesture is over; if it changed nothing it is not a step."""
        held, self._held = self._held, None
        if held is not None and held is not self._now:
            self._undo = [*self._undo[-MOST_STEPS + 1 :], held]

    def move(self, place: str, to: Point) -> None:
        """Lay a place elsewhere, mm."""
        self._step(replace(self._now, places={**self.places, place: (to[0], to[1])}))

    def set_outline(self, outline: Sequence[Point]) -> None:
        """These are the board's corners, mm; none: all between the stickers is board."""
        self._now = replace(self._now, board=replace(self.board, outline=tuple(outline)))

    def move_outline(self, number: int, to: Point) -> None:
        """Lay one corner of the outline elsewhere, mm, as far as the picture reaches and the board
        keeps its shape. Raises IndexError if there is no such corner."""
        self.set_outline(moved_corner(self.outline, number, to, self.board.size))

    def fill_outline(self) -> None:
        """Lay all places into the outline, if one is beside it: they were only guessed then."""
        if not self._beside():
            return
        about, move, scale = into_outline(list(self.places.values()), self.outline)
        x, y = (about[k] * (1 - scale) + move[k] for k in (0, 1))
        places = {p: (at[0] * scale + x, at[1] * scale + y) for p, at in self.places.items()}
        self._now = replace(self._now, places=places)

    def scale_corners(self, across_mm: float) -> None:
        """Say how far apart the upper two stickers are, middle to middle: all is scaled by it."""
        factor = across_mm / self.across_mm
        corners = tuple(replace(c, at=_scaled(c.at, factor)) for c in self.board.corners)
        board = replace(self.board, size=_scaled(self.board.size, factor), corners=corners,
                        outline=tuple(_scaled(at, factor) for at in self.outline))  # fmt: skip
        places = {place: _scaled(at, factor) for place, at in self.places.items()}
        self._step(replace(self._now, board=board, places=places))

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        if self._undo:
            self._now = self._undo.pop()

    # -- the outcome ------------------------------------------------------------------------

    def faults(self) -> list[Fault]:
        """Reasons why this is not a board yet, the first thing to do first; empty: it is one."""
        if self._judged is None or self._judged[0] is not self._now:
            self._judged = (self._now, self._judge())
        return self._judged[1]

    def text(self) -> str:
        """The board's file."""
        names = itertools.chain(
            string.ascii_uppercase, (a + b for a in string.ascii_uppercase
                                     for b in string.ascii_uppercase)
        )  # fmt: skip
        lines = [
            "# A board of Die Dolmengötter: stone circles, runes, and where every place lies in",
            "# millimetres. Written by Heelstone; see docs/own-board.md.",
            "[board]",
            f"name = {_text(self.name or '–')}",
            f"size = [{self.board.size[0]:.2f}, {self.board.size[1]:.2f}]",
            *outline_lines(self.outline),
            "",
            "[corners]",
            *(f"{c.id} = [{c.at[0]:.2f}, {c.at[1]:.2f}]" for c in self.board.corners),
            "",
            "[circles]",
        ]
        for number, circle in enumerate(self.circles(), 1):
            lines.append(f"K{number:02} = [{', '.join(map(_text, circle))}]")
        lines += ["", "[runes]"]
        order = {place: number for number, place in enumerate(self.places)}
        for rune in self.runes:
            places = sorted(rune, key=order.__getitem__)
            lines.append(f"{next(names)} = [{', '.join(map(_text, places))}]")
        lines += ["", "[places]"]
        lines += [f"{_text(p)} = [{x:.2f}, {y:.2f}]" for p, (x, y) in self.places.items()]
        return "\n".join(lines) + "\n"

    # -- private ----------------------------------------------------------------------------

    def _step(self, after: _Drawing) -> None:
        if after == self._now:
            return
        if self._held is None:
            self._undo = [*self._undo[-MOST_STEPS + 1 :], self._now]
        self._now = after

    def _judge(self) -> list[Fault]:
        if not self.places:
            return [Fault("no_places", (), True)]
        if len(self.places) > MOST_PLACES:
            return [Fault("too_many", (), True)]
        circles = self.circles()
        around = {place for circle in circles for place in circle}
        loose = [place for place in self.places if place not in around]
        faults = [Fault("loose", tuple(loose), True)] if loose else []
        if beside := self._beside():
            faults.append(Fault("beside", beside, True))
        for circle in circles:
            if len(circle) not in FACTORS or len(set(circle)) < len(circle):
                faults.append(Fault("circle_size", circle, True))
        if not faults:
            carry = {place for rune in self.runes for place in rune}
            bare = tuple(place for place in self.rim() if place not in carry)
            if bare:
                faults.append(Fault("no_rune", bare, True))
        if not faults:
            try:
                check_board(self.text(), notice("the_board"))
            except GameError as error:
                faults.append(Fault("no_board", (), True, error.sentence))
        return faults

    def _beside(self) -> tuple[str, ...]:
        """The places beside the outline."""
        return tuple(name for name, at in self.places.items() if not self.board.is_on_board(at))

    def _faces(self) -> list[tuple[str, ...]]:
        """Every face of the drawing once; what lies around everything runs the other way round."""
        turns: dict[str, list[str]] = {place: [] for place in self.places}
        for line in self.lines:
            one, other = line
            turns[one].append(other)
            turns[other].append(one)
        for place, others in turns.items():
            others.sort(key=partial(self._angle, place))
        faces, walked = [], set[tuple[str, str]]()
        for start in sorted((a, b) for a in turns for b in turns[a]):
            if start in walked:
                continue
            face, (here, there) = [], start
            while (here, there) not in walked:
                walked.add((here, there))
                face.append(here)
                # At the next place the line that comes first clockwise from the one just walked.
                others = turns[there]
                here, there = there, others[others.index(here) - 1]
            faces.append(tuple(face))
        return faces

    def _angle(self, place: str, other: str) -> float:
        (x0, y0), (x1, y1) = self.places[place], self.places[other]
        return math.atan2(y1 - y0, x1 - x0)

    def _area(self, face: tuple[str, ...]) -> float:
        at = [self.places[place] for place in face]
        sides = zip(at, at[1:] + at[:1], strict=True)
        return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides)

    def _row(self, circle: tuple[str, ...]) -> tuple[int, float]:
        xs, ys = zip(*(self.places[place] for place in circle), strict=True)
        return (-round(sum(ys) / len(ys) / 30), sum(xs) / len(xs))

    def _rim_walk(self) -> list[str]:
        """The places of the outer face in its order."""
        outer = [list(face) for face in self._faces() if self._area(face) < 0]
        return max(outer, key=len, default=[])

    def _extreme(self, rim: list[str], across: int, up: int) -> str:
        return max(
            rim, default="",
            # Twice as much across: on the known boards the corners stand at the rim's short sides.
            key=lambda p: 2 * across * self.places[p][0] + up * self.places[p][1],
        )  # fmt: skip


def _scaled(at: Point, factor: float) -> Point:
    return (at[0] * factor, at[1] * factor)


def _sides(circle: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(p) for p in zip(circle, (*circle[1:], circle[0]), strict=True)]


def _text(value: str) -> str:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    text = f'"{quoted}"'
    tomllib.loads(f"a = {text}")
    return text
