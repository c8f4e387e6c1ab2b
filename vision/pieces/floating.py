"""Pieces on a lattice that floats: where its cells lie on the table, and which piece is in which.

The first piece may lie anywhere at any angle, and hands push everything about. So the lattice is
fitted to what lies there, look by look. While most pieces stay where they were, it stays too; when
all of them were moved, it follows the record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rules.box import (
    GROUND,
    Box,
    Cell,
    Lattice,
    cell_name,
    cell_of,
    covered,
    is_cell,
    looked_at,
    middles_of,
    on_open_ground,
    settled,
    turn_of,
)
from rules.box.lattice import TURNS
from vision.arrays import Bools, Floats, floats, points
from vision.board.flattening import grid_px
from vision.pieces.sighting import BarePiece, SeenPiece

LaidPiece = SeenPiece | BarePiece
T = TypeVar("T", SeenPiece, BarePiece)
Complexes = npt.NDArray[np.complex128]
Ints = npt.NDArray[np.intp]

HEXAGON = TURNS["hexagon"]
TELLING = ("hexagon", "box")
"""Shapes that lie as the cells do; a disc may be turned anyhow."""
WITHIN = 0.3
"""Most distance of a piece from the middle of its cell, pitches: one that is farther lies between
two. A third of a tile beside its place is where hands would push it straight."""
ASKEW = 0.3
"""Most turn of a piece against its cell, in steps of a turn."""
STAYED_MM = 5.0
"""A piece that was read this near to where it was has not been moved: hands that push things push
them farther."""
APART_MM, ASKEW_DEG = 2.0, 3.0
"""Deviations of places and turns from those of the cells, as careful hands lay."""
COVERED = 0.25
"""Share of a cell below a thing from which nothing is said of it."""
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """The place of a lattice on the table."""

    at: complex
    """The middle of the cell ``0:0``, x + iy mm."""
    turn: complex
    """Its direction 0, of length 1."""

    def mm(self, lattice: Lattice, cell: Cell) -> complex:
        """The middle of a cell on the table."""
        return self.at + self.turn * complex(*lattice.at(cell))

    def cell(self, lattice: Lattice, at: complex) -> Cell:
        """The cell nearest to a point of the table."""
        there = (at - self.at) / self.turn
        return lattice.cell((there.real, there.imag))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A piece of the record."""

    cell: Cell
    kind: str
    pose: str


class FloatingLattice:
    """The cells of one box, wherever they lie."""

    def __init__(self, box: Box) -> None:
        assert box.lattice is not None
        self._box, self.lattice = box, box.lattice
        self._ground = on_open_ground(box).sites[GROUND]
        self.wanted: tuple[Wanted, ...] = ()
        """The pieces of the record."""

    def expect(self, layout: Mapping[str, Sequence[str]], poses: Mapping[str, str]) -> None:
        """Take the layout of the record: kinds by site, and the poses of those that have one."""
        self.wanted = tuple(
            Wanted(cell, kinds[-1], poses.get(site, ""))
            for site, kinds in layout.items()
            if is_cell(self._box, site) and kinds and (cell := cell_of(site)) is not None
        )

    def takes(self, piece: LaidPiece) -> bool:
        """True if a piece lies on the ground and belongs into a cell; spare ones wait beside it."""
        here = bool(piece.ways) and self._ground.holds(piece.at_mm)
        return here and self._box.kinds[piece.kind].group in self.lattice.takes

    def follow(
        self, pieces: Sequence[LaidPiece], before: Sequence[LaidPiece], frame: Frame | None
    ) -> Frame | None:
        """The lattice's place now. ``before``, ``frame``: pieces and lattice of the last look."""
        if not self.lattice.floats:
            return Frame(0j, 1 + 0j)
        mine = [piece for piece in pieces if self.takes(piece)]
        if not mine:
            return frame
        at = [complex(*piece.at_mm) for piece in mine]
        fitted, cells = self._fitted(mine, at, frame)
        if frame is not None and _stayed(mine, [p for p in before if self.takes(p)]):
            return self._nearest(fitted, frame, at)
        return self._by_record(fitted, mine, cells, frame)

    def snapped(self, pieces: Sequence[T], frame: Frame | None) -> tuple[T, ...]:
        """The pieces, each in its cell and turn, or at no site if it lies between cells."""
        return tuple(
            self._snapped(piece, frame) if frame is not None and self.takes(piece) else piece
            for piece in pieces
        )

    def cells_at(self, at: Complexes, frame: Frame) -> tuple[Ints, Complexes]:
        """The cells of points (x + iy mm), n × 2, and where they are from their middles."""
        (x0, y0), (x1, y1) = (self.lattice.at(one) for one in ((0, 0), (0, 1)))
        there = (at - frame.at) / frame.turn - complex(x0, y0)
        up = complex(x1 - x0, y1 - y0)
        row = there.imag / up.imag
        exact = np.column_stack([(there.real - row * up.real) / self.lattice.pitch, row])
        cells = np.rint(exact)
        if self.lattice.turns == HEXAGON:
            # Columns, rows and a third direction sum up to nothing: what was rounded most follows.
            third = np.rint(-exact.sum(axis=1))
            astray = np.abs(np.column_stack([exact - cells, -exact.sum(axis=1) - third]))
            worst = astray.argmax(axis=1)
            other = -third - cells.sum(axis=1)
            cells[:, 0] += np.where(worst == 0, other, 0)
            cells[:, 1] += np.where(worst == 1, other, 0)
        middles = cells[:, 0] * self.lattice.pitch + cells[:, 1] * up
        return cells.astype(np.intp), there - middles

    def outwards(self, at: Complexes) -> Floats:
        """Distances of points (x + iy mm from the middle of a cell) towards its edges, mm."""
        ways = [self.step(number).conjugate() for number in range(self.lattice.turns)]
        return floats(np.max([(at * way).real for way in ways], axis=0))

    def cells(
        self, pieces: Sequence[LaidPiece], frame: Frame | None, within: Bools
    ) -> frozenset[str]:
        """The cells that are looked at: those around what lies there and what is recorded, as far
        as they lie on the table. ``within``: True where that is seen, height × width."""
        kinds = self._box.kinds
        lying = {
            site for piece in pieces if piece.site is not None
            for site in covered(kinds[piece.kind], piece.site, piece.pose)
        }  # fmt: skip
        wanted = {
            site for one in self.wanted
            for site in covered(kinds[one.kind], cell_name(one.cell), one.pose)
        }  # fmt: skip
        found = looked_at(self._box, lying | wanted)
        if frame is None:
            return found
        seen = self._share(frame, found, within)
        return frozenset(site for site in found if site in wanted or seen[site] > 1 - COVERED)

    def covered(self, frame: Frame | None, cells: Sequence[str], things: Bools) -> frozenset[str]:
        """The cells that ``things`` (height × width) cover."""
        if frame is None or not things.any():
            return frozenset()
        return frozenset(s for s, n in self._share(frame, cells, things).items() if n > COVERED)

    def ends(self, piece: LaidPiece) -> list[complex]:
        """The middles of all cells that a piece covers, x + iy mm."""
        at, way = complex(*piece.at_mm), piece.ways[0]
        return [at + way * complex(*one) for one in middles_of(self._box.kinds[piece.kind])]

    # -- inside -----------------------------------------------------------------------------

    def _fitted(
        self, pieces: Sequence[LaidPiece], at: Sequence[complex], before: Frame | None
    ) -> tuple[Frame, list[Cell]]:
        """A lattice through the pieces, whichever of its cells is the first and whichever turn;
        and the cells in which they then are."""
        turn = self._direction(pieces, at, before)
        frame = max((Frame(one, turn) for one in at), key=lambda each: len(self._held(each, at)))
        told = sum(self._box.kinds[piece.kind].shape in TELLING for piece in pieces)
        for _ in range(ROUNDS):
            held = self._held(frame, at)
            z = np.array([at[n] for n in held])
            flat = np.array([complex(*self.lattice.at(frame.cell(self.lattice, one))) for one in z])
            arm = flat - flat.mean()
            spread = float((np.abs(arm) ** 2).sum())
            # The places tell the turn the better, the farther apart they are; so do turned pieces.
            by_places = spread / APART_MM**2
            by_turns = told / math.radians(ASKEW_DEG) ** 2
            straight = complex((z * arm.conj()).sum()) / max(spread, 1e-9)
            mean = by_turns * turn + by_places * straight
            way = mean / abs(mean) if abs(mean) > 0 else turn
            frame = Frame(complex(z.mean() - way * flat.mean()), way)
        return frame, [frame.cell(self.lattice, one) for one in at]

    def _held(self, frame: Frame, at: Sequence[complex]) -> list[int]:
        """Indices of the points that lie in the middle of cells."""
        far = WITHIN * self.lattice.pitch
        return [
            n for n, one in enumerate(at)
            if abs(one - frame.mm(self.lattice, frame.cell(self.lattice, one))) < far
        ]  # fmt: skip

    def _direction(
        self, pieces: Sequence[LaidPiece], at: Sequence[complex], before: Frame | None
    ) -> complex:
        """The direction of the lattice, except for whole turns: of the pieces that lie as cells do,
        else of pieces side by side, else as before."""
        ways = [
            piece.ways[0] for piece in pieces if self._box.kinds[piece.kind].shape in TELLING
        ] or [
            (b - a) / abs(b - a) for n, a in enumerate(at) for b in at[:n]
            if 0.8 < abs(b - a) / self.lattice.pitch < 1.2
        ]  # fmt: skip
        if not ways:
            return 1 + 0j if before is None else before.turn
        folded = np.array(ways) ** self.lattice.turns
        mean = folded.mean()
        # One that lies askew does not turn the others.
        straight = folded[(folded * np.conj(mean)).real >= 0]
        mean = complex(straight.mean()) if len(straight) else complex(mean)
        angle = math.atan2(mean.imag, mean.real) / self.lattice.turns
        return complex(math.cos(angle), math.sin(angle))

    def step(self, number: int) -> complex:
        """The direction of a turn, of length 1."""
        angle = 2 * math.pi * number / self.lattice.turns
        return complex(math.cos(angle), math.sin(angle))

    def _nearest(self, fitted: Frame, frame: Frame, at: Sequence[complex]) -> Frame:
        """The same lattice, named as it was."""
        number = max(
            range(self.lattice.turns),
            key=lambda n: (fitted.turn * self.step(n) * frame.turn.conjugate()).real,
        )
        turn = fitted.turn * self.step(number)
        # Where the pieces are it must be the same: farther away a small turn moves much.
        middle = sum(at) / len(at)
        cell = frame.cell(self.lattice, middle)
        there = Frame(fitted.at, turn)
        now = there.mm(self.lattice, there.cell(self.lattice, frame.mm(self.lattice, cell)))
        return Frame(now - turn * complex(*self.lattice.at(cell)), turn)

    def _by_record(
        self, fitted: Frame, pieces: Sequence[LaidPiece], cells: Sequence[Cell],
        before: Frame | None,
    ) -> Frame:  # fmt: skip
        """The same lattice, its cells named so that most pieces are where the record has them; the
        first of a match is at the first cell, and not turned. Where a turn cannot be told, the
        lattice is as upright as can be."""
        turns = self.lattice.turns
        poses = [self._pose(piece.ways[0], fitted)[0] for piece in pieces]
        votes: Counter[tuple[int, Cell]] = Counter()
        first = pieces[0].kind
        told = "0" if self._box.kinds[first].tells_turn else ""
        wanted = self.wanted or (Wanted((0, 0), first, told),)
        for number in range(turns):
            turned = [self.lattice.turned(cell, -number) for cell in cells]
            for piece, pose, cell in zip(pieces, poses, turned, strict=True):
                kind = self._box.kinds[piece.kind]
                (column, row), turn = settled(kind, cell, (pose - number) % turns)
                for one in wanted:
                    if one.kind != piece.kind:
                        continue
                    same = not one.pose or turn_of(one.pose) == turn
                    shift = (one.cell[0] - column, one.cell[1] - row)
                    votes[number, shift] += 2 + same
                if not self.wanted:
                    break
        if not votes:
            votes[0, (0, 0)] = 1
        most = max(votes.values())
        found = [
            self._named(fitted, *one) for one, number in votes.items() if number == most
        ]  # fmt: skip
        like = before if before is not None and self.wanted else Frame(found[0].at, 1 + 0j)
        return min(found, key=lambda f: (round(abs(f.turn - like.turn), 2), abs(f.at - like.at)))

    def _named(self, fitted: Frame, number: int, shift: Cell) -> Frame:
        turn = fitted.turn * self.step(number)
        return Frame(fitted.at - turn * complex(*self.lattice.at(shift)), turn)

    def _pose(self, way: complex, frame: Frame) -> tuple[int, float]:
        """The turn of a piece, and how far it lies askew, in steps of a turn."""
        way /= frame.turn
        steps = math.atan2(way.imag, way.real) * self.lattice.turns / (2 * math.pi)
        return round(steps) % self.lattice.turns, abs(steps - round(steps))

    def _snapped(self, piece: T, frame: Frame) -> T:
        at, kind = complex(*piece.at_mm), self._box.kinds[piece.kind]
        number, askew = self._pose(piece.ways[0], frame)
        straight = askew < ASKEW or not (kind.turns or kind.cells)
        cell = frame.cell(self.lattice, at)
        far = abs(at - frame.mm(self.lattice, cell)) > WITHIN * self.lattice.pitch
        cell, number = settled(kind, cell, number)
        site = cell_name(cell)
        if far or not straight or site not in self._box.sites:
            return piece.laid(None)
        if not kind.tells_turn:
            return piece.laid(site)
        turns = [self._pose(way, frame)[0] for way in piece.ways] if kind.turns else [number]
        return piece.laid(site, list(map(str, turns)))

    def _share(self, frame: Frame, cells: Iterable[str], where: Bools) -> dict[str, float]:
        """The share of each cell that lies ``where`` (height × width)."""
        high, wide = where.shape
        reach = 0.35 * self.lattice.pitch
        names = list(cells)
        middles = [frame.mm(self.lattice, cell_of(site) or (0, 0)) for site in names]
        around = [0j, *(reach * frame.turn * self.step(n) for n in range(self.lattice.turns))]
        spots = [(z.real, z.imag) for one in middles for z in (one + step for step in around)]
        if not spots:
            return {}
        px: Floats = floats(np.round(grid_px(self._box, points(spots))))
        inside = (px >= 0).all(axis=1) & (px[:, 0] < wide) & (px[:, 1] < high)
        x, y = np.clip(px, 0, (wide - 1, high - 1)).astype(int).T
        hit = (where[y, x] & inside).reshape(len(names), -1).mean(axis=1)
        return dict(zip(names, hit.tolist(), strict=True))


def _stayed(now: Sequence[LaidPiece], before: Sequence[LaidPiece]) -> bool:
    """True if most pieces are where they were in the last look."""
    if not before:
        return False
    there = [
        any(
            one.kind == piece.kind and math.dist(one.at_mm, piece.at_mm) < STAYED_MM
            for one in before
        )
        for piece in now
    ]
    return 2 * sum(there) >= min(len(now), len(before))
