"""Pieces without stickers on a lattice, by the cells that they fill.

Pieces of one colour that touch are one spot. So every pixel of the ground is first assigned to a
colour of pieces or to none; then the lattice is sought in whose cells the colours are mixed least,
from where it was, else by the outlines' directions. The cells that one colour fills are explained
by pieces: first those of the record, then the fewest others. What no cell explains may be a piece
that lies beside the lattice, as one on its own does. The turn of a piece is that of its cells, or
the direction in which its mark lies.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Cell, PieceKind, Point, foot_points, parts_of, settled, turn_of
from rules.box.lattice import next_to
from rules.box.spread import cells_of
from rules.reading.sighting import Glimpse
from vision.arrays import Bools, Floats, Mask, floats
from vision.board.colour import ColourClasses, apart
from vision.board.flattening import MM_PER_PX
from vision.board.patches import BoardView, Patch
from vision.pieces.floating import FloatingLattice, Frame
from vision.pieces.sighting import BarePiece

OTHER = 24.0
"""Colours further than this from every known one are something else, in weighted Lab units."""
LEAST_GAIN = 2.5
"""Lab units by which a spot must be nearer to a piece's colour than to the board's."""
CORE, FILLED = 0.8, 0.65
"""The part of a cell that is looked at, and the share of it that must be of one colour: pieces lie
loosely, and bear marks."""
AGAINST = 4
"""Cells that look as before for each that does not, from which a lattice is where it was: after a
push, of two colours every other one is as before by chance."""
MOST_NEW = 3
"""Most pieces of one colour that come at once side by side and are told apart."""
INK, MARK, ONLY = 18.0, 0.03, 0.4
"""Lab units by which a mark differs from its piece, the least share of its side of the piece that
it covers, and the most on any other side, per that."""
MARK_FROM, MARK_TO = 0.4, 0.87
"""A mark that points lies between these shares of the way from the middle to the edge."""
ENOUGH = 4000
"""Pixels by which a lattice is sought."""
STEPS, BEST = 6, 3
"""Tried places of an unknown lattice across a cell, and how many of them are looked at closely."""

SPECK: Mask = np.ones((3, 3), np.uint8)

Complexes = npt.NDArray[np.complex128]
Ints = npt.NDArray[np.intp]
Colours = Mapping[Cell, str]
"""The colours of cells; that of bare board is empty."""
Form = tuple[PieceKind, ...]
"""Kinds of one colour that cover the same cells."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece that explains cells: ``ways`` are the places of its first cell and its turns."""

    form: Form
    cells: frozenset[Cell]
    ways: tuple[tuple[Cell, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Pixels of the ground: where the pieces' upper sides are, and the number of their colour; 0
    is the board, and pixels that show something else are left out."""

    at: Complexes
    """x + iy mm."""
    colours: Ints
    rows: Ints
    columns: Ints
    """On the grid."""

    def of(self, some: Bools | slice) -> _Spots:
        """Some of them."""
        return _Spots(self.at[some], self.colours[some], self.rows[some], self.columns[some])


class FilledCells:
    """Recognises the bare pieces on one box's lattice."""

    def __init__(
        self, floating: FloatingLattice, kinds: Sequence[PieceKind], classes: ColourClasses
    ) -> None:
        """``kinds``: those that may lack stickers and lie on the lattice."""
        self._floating, self._lattice, self._classes = floating, floating.lattice, classes
        forms: dict[tuple[object, ...], list[PieceKind]] = {}
        for kind in kinds:
            forms.setdefault((kind.cells, kind.turns, kind.colour), []).append(kind)
        self._forms = [tuple(alike) for alike in forms.values()]
        self._form_of = {kind.id: form for form in self._forms for kind in form}
        self._colours = list(dict.fromkeys(kind.colour for kind in kinds))
        self._height = max(kind.height for kind in kinds)
        side, turns = self._lattice.pitch / 2, self._lattice.turns
        self._cell_px = turns * side**2 * math.tan(math.pi / turns) / MM_PER_PX**2
        self._spread = any(kind.cells for kind in kinds)
        self.forget()

    def forget(self) -> None:
        """Forget where the lattice was."""
        self._last: Frame | None = None
        self._lay: Colours = {}

    def look(self, view: BoardView) -> list[BarePiece]:
        """The pieces on the ground, at no site yet."""
        labels = self._seen(view)
        spots = self._spots(view, labels)
        if np.count_nonzero(spots.colours) < FILLED * self._cell_px:
            return []
        self._last = self._frame(spots, labels, self._last)
        self._lay = self._filled(spots, self._last)
        found, mine = self._pieces(view, spots, self._last, self._recorded)
        labels[spots.rows[mine], spots.columns[mine]] = 0
        return found + self._beside(view, labels)

    def _pieces(
        self, view: BoardView, spots: _Spots, frame: Frame,
        recorded: Callable[[Colours], list[Laid]],
    ) -> tuple[list[BarePiece], Bools]:  # fmt: skip
        """The pieces that lie as a lattice does, and which pixels are theirs."""
        filled = self._filled(spots, frame)
        laid = self._explained(filled, recorded(filled))
        cells, _ = self._floating.cells_at(spots.at, frame)
        mine = np.zeros(len(cells), dtype=np.bool_)
        found = []
        for one in laid:
            piece, own = self._piece(view, spots, cells, frame, one, filled)
            found.append(piece)
            mine |= own
        return found, mine

    def _beside(self, view: BoardView, labels: Ints) -> list[BarePiece]:
        """Pieces that lie alone, and not as the lattice has its cells."""
        found = []
        for number in range(1, len(self._colours) + 1):
            mask = cv2.morphologyEx((labels == number).astype(np.uint8), cv2.MORPH_OPEN, SPECK)
            count, parts, stats, _ = cv2.connectedComponentsWithStats(np.asarray(mask))
            for part in range(1, count):
                if stats[part, cv2.CC_STAT_AREA] < FILLED * self._cell_px:
                    continue
                alone = np.where((labels > 0) & (parts != part), -1, labels)
                spots = self._spots(view, alone)
                frame = self._frame(spots, alone, None)
                found += self._pieces(view, spots, frame, lambda filled: [])[0]
        return found

    # -- pixels -------------------------------------------------------------------------------

    def _seen(self, view: BoardView) -> Ints:
        """The colours' numbers, height × width: 0 is the board, -1 is unknown or something else."""
        open_ = view.hidden == 0
        odd = np.asarray(cv2.dilate(view.odd.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        rows, columns = np.nonzero(odd & open_)
        tones, from_board = view.pixels(rows, columns)
        far = np.stack([apart(tones, self._classes.mean(colour)) for colour in self._colours])
        like = far.min(axis=0)
        lead = np.minimum(from_board, OTHER) - like
        numbers = np.where(lead > LEAST_GAIN, far.argmin(axis=0) + 1, -1)
        numbers[from_board < np.minimum(like, OTHER) - LEAST_GAIN] = 0
        labels = np.where(open_, 0, -1)
        labels[rows, columns] = numbers
        return labels

    def _spots(self, view: BoardView, labels: Ints) -> _Spots:
        """The pixels of pieces, and of the board within a pitch or so of them."""
        side = 2 * round(1.2 * self._lattice.pitch / MM_PER_PX) + 1
        near = cv2.dilate((labels > 0).astype(np.uint8), np.ones((side, side), np.uint8))
        rows, columns = np.nonzero((np.asarray(near) > 0) & (labels >= 0))
        colours = labels[rows, columns]
        return _Spots(view.above(rows, columns, self._height), colours, rows, columns)

    def _angle(self, labels: Ints) -> float:
        """The direction of the lattice by that of the outlines, except for whole turns, rad."""
        known = cv2.dilate((labels < 0).astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
        fronts = 0j
        for number in range(1, len(self._colours) + 1):
            soft = cv2.GaussianBlur(floats(labels == number), (0, 0), 1.2)
            right, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
            rise = (right - 1j * down)[known]
            length = np.abs(rise)
            rise = rise[length > 0.1 * length.max(initial=1.0)]
            unit = rise / np.abs(rise)
            fronts += complex((np.abs(rise) ** 2 * unit**self._lattice.turns).sum())
        return cmath.phase(fronts) / self._lattice.turns

    # -- the lattice --------------------------------------------------------------------------

    def _frame(self, spots: _Spots, labels: Ints, before: Frame | None) -> Frame:
        """The lattice in whose cells colours are mixed least: as ``before`` while what lay there
        is still seen there."""
        if not self._lattice.floats:
            return Frame(0j, 1 + 0j)
        some = spots.of(slice(None, None, 1 + len(spots.at) // ENOUGH))
        middle = complex(spots.at[spots.colours > 0].mean())
        if before is not None:
            lay = {cell: colour for cell, colour in self._lay.items() if colour}
            cells, _ = self._floating.cells_at(some.at, before)
            old = some.of((some.colours == 0) | _among(cells, lay))
            frame, _ = self._nearer(old, before, middle)
            filled = self._filled(spots, frame)
            stays = [filled[cell] == colour for cell, colour in lay.items() if cell in filled]
            if sum(stays) > max(len(lay) / 2, AGAINST * stays.count(False)):
                return frame
        turn = cmath.rect(1.0, self._angle(labels))
        right, up = (turn * complex(*self._lattice.at(one)) / STEPS for one in ((1, 0), (0, 1)))
        tried = [
            Frame(middle + a * right + b * up, turn) for a in range(STEPS) for b in range(STEPS)
        ]
        best = sorted(tried, key=lambda one: self._mixed(some, one))[:BEST]
        refined = [self._nearer(some, one, middle) for one in best]
        return min(refined, key=lambda one: one[1])[0]

    def _nearer(self, spots: _Spots, frame: Frame, middle: complex) -> tuple[Frame, float]:
        """The lattice moved and turned a little around the ``middle`` of what lies there, to where
        colours are mixed least; and how much they then are."""
        least = self._mixed(spots, frame)
        step = self._lattice.pitch / 10
        far = max(float(np.abs(spots.at - middle).max()), self._lattice.pitch)
        while step > 0.4:
            turn = cmath.rect(1.0, step / far)
            moves = [(shift, 1 + 0j) for shift in (step, -step, 1j * step, -1j * step)]
            tried = [
                Frame(middle + (frame.at - middle) * spin + shift * frame.turn, frame.turn * spin)
                for shift, spin in [*moves, (0j, turn), (0j, turn.conjugate())]
            ]
            mixed = [self._mixed(spots, one) for one in tried]
            if min(mixed) < least:
                frame, least = tried[mixed.index(min(mixed))], min(mixed)
            else:
                step /= 2
        return frame, least

    def _mixed(self, spots: _Spots, frame: Frame) -> float:
        """Pixels that are not of the colour of most in their cell, per those of pieces."""
        cells, _ = self._floating.cells_at(spots.at, frame)
        counts = self._counted(cells, spots.colours)[1]
        return float((counts.sum(axis=1) - counts.max(axis=1)).sum()) / max(
            float(counts[:, 1:].sum()), 1.0
        )

    def _counted(self, cells: Ints, colours: Ints) -> tuple[Ints, Ints]:
        """Cells, n × 2, and the number of their pixels by colour."""
        low = cells.min(axis=0)
        wide, high = (cells.max(axis=0) - low + 1).tolist()
        kinds = len(self._colours) + 1
        flat = ((cells[:, 0] - low[0]) * high + cells[:, 1] - low[1]) * kinds + colours
        counts = np.bincount(flat, minlength=wide * high * kinds).reshape(-1, kinds)
        some = np.flatnonzero(counts.any(axis=1))
        return np.column_stack([some // high, some % high]) + low, counts[some]

    def _filled(self, spots: _Spots, frame: Frame) -> Colours:
        """The cells that are of one colour, or bare, which is an empty one."""
        cells, there = self._floating.cells_at(spots.at, frame)
        core = self._floating.outwards(there) < CORE * self._lattice.pitch / 2
        names, counts = self._counted(cells[core], spots.colours[core])
        full = counts.max(axis=1) > FILLED * CORE**2 * self._cell_px
        shown = counts.argmax(axis=1)[full].tolist()
        colours = ["", *self._colours]
        return {
            (column, row): colours[number]
            for (column, row), number in zip(names[full].tolist(), shown, strict=True)
        }

    # -- the pieces ---------------------------------------------------------------------------

    def _explained(self, filled: Colours, recorded: Iterable[Laid]) -> list[Laid]:
        """The pieces that fill cells, as far as it can only be those: of a spot beside which
        nothing is known, there may be more."""
        left, found = {cell: colour for cell, colour in filled.items() if colour}, []
        for one in recorded:
            if all(left.get(cell) == one.form[0].colour for cell in one.cells):
                found.append(one)
                for cell in one.cells:
                    del left[cell]
        spare = Counter({form: sum(kind.count for kind in form) for form in self._forms})
        spare.subtract(one.form for one in found)
        for spot in _joined(left, self._lattice.turns):
            beside = {one for cell in spot for one in next_to(cell, self._lattice.turns)}
            if beside <= filled.keys() or not self._spread:
                found += self._fewest(spot, left[min(spot)], spare)
        return found

    def _recorded(self, filled: Colours) -> list[Laid]:
        """The pieces of the record, on the lattice that has most of their cells filled."""
        wanted = [one for one in self._floating.wanted if one.kind in self._form_of]
        votes: Counter[tuple[int, Cell]] = Counter()
        there = [
            (cell, kind.colour) for one in wanted
            for kind in self._form_of[one.kind][:1]
            for cell in _covers(kind, one.cell, turn_of(one.pose))
        ]  # fmt: skip
        for number in range(self._lattice.turns if self._lattice.floats else 1):
            for cell, colour in there:
                column, row = self._lattice.turned(cell, number)
                for (x, y), shown in filled.items():
                    if shown == colour:
                        votes[number, (x - column, y - row)] += 1
        # As it was, if that is as good.
        number, (x, y) = max(
            votes, key=lambda one: (votes[one], one == (0, (0, 0))), default=(0, (0, 0))
        )
        found = []
        for one in wanted:
            column, row = self._lattice.turned(one.cell, number)
            form, turn = self._form_of[one.kind], turn_of(one.pose) + number
            found.append(self._laid(form, (column + x, row + y), turn))
        return found

    def _laid(self, form: Form, cell: Cell, turn: int) -> Laid:
        """A piece at a cell in a turn; of one that bears a mark, every way to cover the same."""
        turns = self._lattice.turns
        kind = form[0]
        covers = _covers(kind, cell, turn % turns)
        if not kind.turns:
            return Laid(form, covers, (settled(kind, cell, turn % turns),))
        ways = tuple(
            (at, way) for way in range(turns) for at in covers if _covers(kind, at, way) == covers
        )
        return Laid(form, covers, ways)

    def _fewest(self, spot: frozenset[Cell], colour: str, spare: Counter[Form]) -> list[Laid]:
        """The pieces of one ``colour`` that cover a spot; none if that can be several."""
        forms = [form for form in self._forms if form[0].colour == colour]
        for many in range(1, MOST_NEW + 1):
            covers = {frozenset(one): one for one in self._covers_of(spot, forms, many)}
            if covers:
                pieces, *others = covers.values()
                used = Counter(one.form for one in pieces)
                if others or any(spare[form] < n for form, n in used.items()):
                    return []
                spare.subtract(used)
                return list(pieces)
        return []

    def _covers_of(
        self, spot: frozenset[Cell], forms: Sequence[Form], many: int
    ) -> Iterator[tuple[Laid, ...]]:
        """All ways to cover a spot by so ``many`` pieces."""
        if not spot:
            yield ()
        if not spot or not many:
            return
        first = min(spot)
        for form in forms:
            tried = {
                self._laid(form, (first[0] - x, first[1] - y), turn)
                for turn in range(self._lattice.turns)
                for x, y in cells_of(form[0], turn)
            }
            for one in tried:
                if one.cells <= spot:
                    for others in self._covers_of(spot - one.cells, forms, many - 1):
                        yield (one, *others)

    def _piece(
        self, view: BoardView, spots: _Spots, cells: Ints, frame: Frame, one: Laid,
        filled: Colours,
    ) -> tuple[BarePiece, Bools]:  # fmt: skip
        """The piece that fills cells, and its pixels: those in its cells, and of its colour in free
        ones around it."""
        kind, turns = one.form[0], self._lattice.turns
        around = {
            near for cell in one.cells for near in next_to(cell, turns) if not filled.get(near)
        }
        inside = _among(cells, one.cells)
        own = spots.colours == self._colours.index(kind.colour) + 1
        mine = own & (inside | _among(cells, around))
        middles = [frame.mm(self._lattice, cell) for cell in one.cells]
        shift = complex(spots.at[mine].mean()) - sum(middles) / len(middles)
        placed = [
            (frame.mm(self._lattice, cell) + shift, frame.turn * self._floating.step(turn))
            for cell, turn in one.ways
        ]
        patches = {
            at: view.patch((at.real, at.imag), min(kind.size) / 2, kind.height)
            for at in {at for at, _ in placed}
        }
        if kind.turns:
            placed = self._pointing(kind, placed, patches)
        at, way = placed[0]
        blue, green, red = _plain(patches[at]).tolist()
        bodies = [self._body(view, part, at, way) for part in _parts(kind)]
        piece = BarePiece(
            kind.id, None, (at.real, at.imag),
            {(Glimpse(alike.id),): 0.0 for alike in one.form},
            np.concatenate(bodies), kind.height, (blue, green, red),
            tuple(way for _, way in placed), tuple(bodies) if kind.cells else (),
        )  # fmt: skip
        return piece, mine | inside

    def _body(
        self, view: BoardView, part: Sequence[Point], at: complex, way: complex
    ) -> npt.NDArray[np.float64]:
        """The area of the board that a convex part of a piece hides, n × 2 mm."""
        turned = [complex(x, y) * way for x, y in part]
        corners = [(z.real, z.imag, high) for z in turned for high in (0.0, self._height)]
        return view.hull((at.real, at.imag), np.array(corners))

    def _pointing(
        self, kind: PieceKind, placed: list[tuple[complex, complex]],
        patches: Mapping[complex, Patch],
    ) -> list[tuple[complex, complex]]:  # fmt: skip
        """Of the places and turns of a piece, the one in which its mark points; all, if none is
        clearly seen."""
        half, inked = min(kind.size) / 2, []
        for at, way in placed:
            there = _places(patches[at]) / way
            side = np.abs(np.angle(there)) < math.pi / self._lattice.turns
            side &= (np.abs(there) > MARK_FROM * half) & (np.abs(there) < MARK_TO * half)
            ink = apart(patches[at].seen[side], _plain(patches[at])) > INK
            inked.append(float(ink.mean()))
        best, second = np.argsort(inked)[:-3:-1]
        clear = inked[best] > MARK and inked[second] < ONLY * inked[best]
        return [placed[best]] if clear else placed


def _places(patch: Patch) -> Complexes:
    """The pixels of a patch from its middle, x + iy mm."""
    cx, cy = patch.middle
    rows, columns = np.indices(patch.open.shape)
    return np.asarray(columns - cx + 1j * (cy - rows))


def _plain(patch: Patch) -> Floats:
    """The colour of most of a round piece of a patch, Lab, (3,)."""
    inside = np.abs(_places(patch)) < MARK_TO * patch.middle[0]
    return floats(np.median(patch.seen[inside], axis=0))


def _covers(kind: PieceKind, cell: Cell, turn: int) -> frozenset[Cell]:
    return frozenset((cell[0] + x, cell[1] + y) for x, y in cells_of(kind, turn))


def _parts(kind: PieceKind) -> Iterable[Sequence[Point]]:
    return parts_of(kind) if kind.cells else (foot_points(kind),)


def _among(cells: Ints, some: Iterable[Cell]) -> Bools:
    """True for each of ``cells`` (n × 2) that is one of ``some``."""
    inside = np.zeros(len(cells), dtype=np.bool_)
    for column, row in some:
        inside |= (cells[:, 0] == column) & (cells[:, 1] == row)
    return inside


def _joined(cells: Colours, turns: int) -> list[frozenset[Cell]]:
    """Cells side by side that one colour fills."""
    left, found = set(cells), []
    while left:
        spot, ends = set(), [left.pop()]
        while ends:
            spot.add(cell := ends.pop())
            more = {one for one in next_to(cell, turns) if cells.get(one) == cells[cell]} & left
            left -= more
            ends += more
        found.append(frozenset(spot))
    return found
