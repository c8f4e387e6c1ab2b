"""The physical pieces of a box: which there are, where each lies, and what rests on what."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from companion.simulator.objects import Drift, Piece, TableError, footprint, thickness
from rules.box import Box, PieceKind, Point, Site, is_cell, middles_of, on_open_ground, span_of


class Pieces:
    """All pieces of one box, on its board and beside it; one of them may be in a hand."""

    def __init__(self, box: Box, seed: int = 0) -> None:
        """All pieces beside the board; ``seed`` decides how carelessly they are laid."""
        self.box = box
        self._rng = np.random.default_rng(seed)
        # Players lay the first piece of a lattice where they like, at any angle.
        self.drift = Drift()
        if box.lattice is not None and box.lattice.floats:
            turns, kinds = box.lattice.turns, map(box.kinds_of_group.get, box.lattice.takes)
            # Of several turns that look alike the one that is nearest to upright counts.
            told = all(len(kind.poses) == turns for group in kinds for kind in group or ())
            most = 180 if told else 180 / turns - 4
            x, y, angle = self._rng.uniform((-40, -40, -most), (40, 40, most)).tolist()
            self.drift = Drift(x, y, angle)
        self._held: int | None = None
        self._homes = homes(box)
        self._reach = max(_farthest(kind) for kind in box.kinds.values())
        """Pieces farther apart than this do not lie on each other, mm."""
        self._pieces: dict[int, Piece] = {}
        for kind_id, places in self._homes.items():
            kind = box.kinds[kind_id]
            for number, (x, y, z) in enumerate(places):
                sticker = kind.stickers[number % len(kind.stickers)] if kind.stickers else None
                pose = kind.poses[0] if kind.poses else ""
                piece = Piece(
                    len(self._pieces), kind_id, kind_id, sticker, x, y, 0.0, pose, z=z, stored=True
                )
                self._pieces[piece.id] = piece
        self._front = {piece.id: piece.sticker for piece in self._pieces.values()}

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece of the box, in the order of their ids."""
        return tuple(self._pieces.values())

    @property
    def carried(self) -> int | None:
        """Id of the piece a hand holds, None if it holds none."""
        return self._held

    def piece(self, piece_id: int) -> Piece:
        """The piece with this id; raises TableError if there is none."""
        if piece_id not in self._pieces:
            last = len(self._pieces) - 1
            raise TableError(f"this table has the pieces 0 to {last}, not {piece_id}")
        return self._pieces[piece_id]

    def at(self, site: str) -> tuple[Piece, ...]:
        """The pieces at a site, the lowest first; raises TableError for an unknown site."""
        name = self.place(site).id
        found = [p for p in self._pieces.values() if p.site == name and p.id != self._held]
        return tuple(sorted(found, key=lambda p: (p.z, p.id)))

    def stacks(self, site: str) -> list[list[Piece]]:
        """The pieces of a site as stacks side by side, each the lowest first; those of a heap, in
        which they lie as they like, one by one."""
        if (place := self.box.sites.get(site)) is not None and place.heap:
            return [[piece] for piece in self.at(site)]
        columns: list[list[Piece]] = []
        for piece in self.at(site):
            for column in columns:
                if piece.z > column[-1].z and self._overlap(piece, column[-1]):
                    column.append(piece)
                    break
            else:
                columns.append([piece])
        return columns

    def covers(self, piece: Piece, at: Point, slack: float = 0.0) -> bool:
        """True if a board point (mm) lies within a piece's foot, ``slack`` mm added."""
        kind = self._kind(piece.shows)
        wide, deep = footprint(kind, piece.pose)
        x, y = piece.from_board(*at)
        if kind.shape in ("disc", "pawn", "octagon") and piece.pose != "lying":
            return math.hypot(x / (wide / 2 + slack), y / (deep / 2 + slack)) <= 1.0
        wide, deep = wide / 2 + slack, deep / 2 + slack
        return any(abs(x - mx) <= wide and abs(y - my) <= deep for mx, my in middles_of(kind))

    def middles(self, piece: Piece) -> list[Point]:
        """The middles of all that a piece covers, mm: one for each of its cells."""
        return [piece.to_board(*at) for at in middles_of(self._kind(piece.shows))]

    def above(self, piece: Piece) -> Piece | None:
        """A piece that lies on this one; None if it can be taken."""
        others = (p for p in self._pieces.values() if p.z > piece.z and p.id != self._held)
        return next((other for other in others if self._overlap(piece, other)), None)

    def name(self, piece_id: int, kind: str) -> Piece:
        """Says which a face-down piece is; it changes places with one of that kind that looks the
        same.

        Raises TableError if all pieces of that kind are in sight.
        """
        piece = self.piece(piece_id)
        if piece.kind == kind:
            return piece
        back = self._kind(piece.kind).back
        for twin in self._pieces.values():
            if twin.kind == kind and back and self._kind(kind).back == back:
                # Face up at home it is in sight, but nobody has looked through the supply.
                if twin.face_up and not twin.stored:
                    continue
                front = self._front
                front[piece.id], front[twin.id] = front[twin.id], front[piece.id]
                swapped = self._keep(self._facing(replace(twin, kind=piece.kind), twin.face_up))
                if twin.stored:
                    self._go_home(replace(swapped, stored=False))
                return self._keep(self._facing(replace(piece, kind=kind), piece.face_up))
        raise TableError(f"every '{kind}' lies open; a piece that lies face down cannot be one")

    def turn_over(self, piece_id: int) -> Piece:
        """Turn a piece onto its other face; raises TableError if it has no back."""
        piece = self.piece(piece_id)
        if not self.box.kinds[piece.kind].back:
            raise TableError(f"a '{piece.kind}' has no back to turn up")
        return self._keep(self._facing(piece, not piece.face_up))

    # -- beside the board -------------------------------------------------------------------

    def _fetch(self, kind: str, face_up: bool = True) -> Piece:
        """A piece from beside the board that shows ``kind`` (or its back), no longer stored."""
        wanted = self._kind(kind)
        stored = [p for p in self._pieces.values() if p.stored and p.id != self._held]
        own = [p for p in stored if p.kind == kind]
        if not own:
            own = self._swapped(kind, stored)
        if own:
            piece = self._facing(max(own, key=lambda p: p.z), True)
            if not face_up and wanted.back:
                piece = self._facing(piece, False)
        else:
            backed = [p for p in stored if self._kind(p.kind).back == kind]
            if not backed:
                raise TableError(
                    f"no '{kind}' is left beside the board; the box holds {wanted.count}"
                )
            # Which one it is stays open, as with real hands.
            pick = int(self._rng.integers(len(backed)))
            piece = self._facing(backed[pick], False)
        return self._keep(replace(piece, stored=False))

    def _swapped(self, kind: str, stored: Iterable[Piece]) -> list[Piece]:
        """A stored piece that changed places with a face-down one of the kind, if that helps.

        Two equal backs cannot be told apart at the table.
        """
        back = self._kind(kind).back
        twins = [p for p in stored if back and self._kind(p.kind).back == back]
        down = [p for p in self._pieces.values() if p.kind == kind and not p.face_up]
        if not twins or not down:
            return []
        here, there = twins[0], down[0]
        self._keep(replace(there, kind=here.kind))
        self._front[here.id], self._front[there.id] = self._front[there.id], self._front[here.id]
        return [self._keep(self._facing(replace(here, kind=kind), True))]

    def _go_home(self, piece: Piece) -> Piece:
        taken = {(p.x_mm, p.y_mm, p.z) for p in self._pieces.values() if p.stored}
        homes = self._homes[piece.kind]
        x, y, z = next((home for home in homes if home not in taken), homes[-1])
        pose = (self._kind(piece.kind).poses or ("",))[0]
        back = self._facing(piece, True)
        return self._keep(
            replace(back, x_mm=x, y_mm=y, z=z, angle_deg=0.0, pose=pose, site=None, stored=True)
        )

    def _facing(self, piece: Piece, up: bool) -> Piece:
        """The piece with its front or its back up."""
        if up:
            return replace(piece, shows=piece.kind, sticker=self._front[piece.id], face_up=True)
        back = self._kind(self._kind(piece.kind).back)
        sticker = back.stickers[piece.id % len(back.stickers)] if back.stickers else None
        return replace(piece, shows=back.id, sticker=sticker, face_up=False)

    # -- resting on each other --------------------------------------------------------------

    def _top(self, piece: Piece) -> float:
        return piece.z + thickness(self._kind(piece.shows), piece.pose)

    def _overlap(self, one: Piece, other: Piece) -> bool:
        """True if one of two pieces would rest on the other."""
        # Most pieces are far apart, and every one is compared with all others.
        if abs(one.x_mm - other.x_mm) > self._reach or abs(one.y_mm - other.y_mm) > self._reach:
            return False
        return any(self.covers(one, at) for at in self.middles(other)) or any(
            self.covers(other, at) for at in self.middles(one)
        )

    def _rest_height(self, piece: Piece, at: Point) -> float:
        """Height in mm at which a piece comes to rest at a point."""
        there = replace(piece, x_mm=at[0], y_mm=at[1])
        others = (p for p in self._pieces.values() if p.id not in (piece.id, self._held))
        return max((self._top(p) for p in others if self._overlap(there, p)), default=0.0)

    def _must_be_free(self, piece: Piece) -> None:
        if (above := self.above(piece)) is not None:
            raise TableError(
                f"piece {above.id} ({above.kind}) lies on piece {piece.id} ({piece.kind}); "
                "move that first"
            )

    # -- finding ----------------------------------------------------------------------------

    def place(self, name: str) -> Site:
        """A site where it is on this table; raises TableError for an unknown one."""
        if name not in self.box.sites:
            raise TableError(f"the box {self.box.id} has no site '{name}'")
        site = self.box.sites[name]
        return replace(site, at=self.drift.on_table(site.at)) if is_cell(self.box, name) else site

    def _site_at(self, at: Point, group: str) -> Site | None:
        """The site of this table that a piece at a point (mm) belongs to."""
        beside = on_open_ground(self.box).site_at(at, group)
        if self.box.lattice is None or (beside is not None and beside.id in self.box.sites):
            return beside
        there = self.box.site_at(self.drift.on_lattice(at), group)
        return there if there is not None and is_cell(self.box, there.id) else None

    def _kind(self, name: str) -> PieceKind:
        if name not in self.box.kinds:
            raise TableError(f"the box {self.box.id} has no pieces of kind '{name}'")
        return self.box.kinds[name]

    def _keep(self, piece: Piece) -> Piece:
        self._pieces[piece.id] = piece
        return piece


# -- where pieces wait beside the board ---------------------------------------------------

Home = tuple[float, float, float]
"""x, y and z in mm of a piece that waits beside the board."""

_GAP = 5.0
_MARGIN = 17.0
"""Distance between pieces, and between the board and the first of them, mm."""
_REACH_MM = 330.0
"""Farthest up or down that pieces are laid, except in longer columns, mm."""


def owners(box: Box) -> tuple[str, ...]:
    """Colours of the players in the order of the box file."""
    return tuple(dict.fromkeys(kind.owner for kind in box.kinds.values() if kind.owner))


def held_counts(box: Box) -> Mapping[str, int]:
    """Number of physical pieces of each kind.

    A kind that is the back of others is not a separate piece, as far as there are fronts for it.
    """
    fronts: dict[str, int] = {}
    for kind in box.kinds.values():
        if kind.back:
            fronts[kind.back] = fronts.get(kind.back, 0) + kind.count
    return {kind.id: max(0, kind.count - fronts.get(kind.id, 0)) for kind in box.kinds.values()}


@dataclass(slots=True)
class _Side:
    """One margin; ``sign`` is -1 left of the board and 1 right of it."""

    sign: int
    x: float
    columns: list[list[tuple[PieceKind, int]]] = field(default_factory=list)

    def column(self) -> list[tuple[PieceKind, int]]:
        self.columns.append([])
        return self.columns[-1]


def homes(box: Box) -> Mapping[str, list[Home]]:
    """A home for every piece by kind: columns per player, further ones out of the picture.

    The first player's pieces lie to the left, the second's to the right and so on; cards lie in one
    pile per kind. No home is at a site beside the board: what waits there is not part of the match.
    """
    counts = held_counts(box)
    taken = _beside(box)
    sides = (_Side(-1, box.size[0] / 2 + _MARGIN), _Side(1, box.size[0] / 2 + _MARGIN))
    found: dict[str, list[Home]] = {}
    for number, owner in enumerate(owners(box)):
        side = sides[number % 2]
        mine = [kind for kind in box.kinds.values() if kind.owner == owner]
        for group in dict.fromkeys(kind.group for kind in mine):
            _fill(side, [kind for kind in mine if kind.group == group], counts, box)
    shared = [kind for kind in box.kinds.values() if not kind.owner]
    for group in dict.fromkeys(kind.group for kind in shared):
        shortest = min(sides, key=lambda side: len(side.columns))
        _fill(shortest, [kind for kind in shared if kind.group == group], counts, box)
    for side in sides:
        x = side.x
        for column in side.columns:
            x = _lay_out(column, side.sign, x, taken, found)
    return found


def _lay_out(
    column: list[tuple[PieceKind, int]],
    sign: int,
    x: float,
    taken: list[_Rectangle],
    found: dict[str, list[Home]],
) -> float:
    """Homes of one column from ``x`` outwards; returns where the next one begins."""
    wide = max(_foot(kind)[0] for kind, _ in column)
    total = sum(_foot(kind)[1] for kind, _ in column) + _GAP * (len(column) - 1)
    inner, outer = sign * x, sign * (x + wide)
    left, right = min(inner, outer), max(inner, outer)
    blocked = [r for r in taken if left - _GAP < r[2] and r[0] < right + _GAP]
    # Where a site is in the way the column continues beyond it, or begins further out.
    y, gaps = total / 2, list(_gaps(blocked))
    room = sum(top - bottom for bottom, top in gaps)
    if blocked and room < total + _GAP * len(gaps) + max(_foot(k)[1] for k, _ in column):
        beyond = max(abs(side) for r in blocked for side in (r[0], r[2]))
        return _lay_out(column, sign, beyond + _GAP, taken, found)
    for kind, pile in column:
        high, (dx, dy) = _foot(kind)[1], span_of(kind)[1]
        if blocked:
            y = next((min(y, t) for b, t in gaps if min(y, t) - high >= b), y)
        at = ((left + right) / 2 - dx, y - high / 2 - dy)
        found.setdefault(kind.id, []).extend(
            (at[0], at[1], level * kind.height) for level in range(pile)
        )
        y -= high + _GAP
    return x + wide + _GAP


def _foot(kind: PieceKind) -> Point:
    """Width and height of what a piece covers, mm."""
    return span_of(kind)[0]


def _farthest(kind: PieceKind) -> float:
    """Distance from which neither of two such pieces covers a middle of the other, mm."""
    own = math.hypot(*kind.size, kind.height) / 2
    return own + 2 * max(math.hypot(*at) for at in middles_of(kind))


_Rectangle = tuple[float, float, float, float]
"""Left, lower, right and upper side in mm."""


def _beside(box: Box) -> list[_Rectangle]:
    """The sites that lie beside the board."""
    found = []
    for site in on_open_ground(box).sites.values():
        (x, y), (w, h) = site.at, site.size or (2 * site.radius, 2 * site.radius)
        if abs(x) > box.size[0] / 2 or abs(y) > box.size[1] / 2:
            found.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    return found


def _gaps(blocked: list[_Rectangle]) -> Iterator[tuple[float, float]]:
    """Free stretches of a column from top to bottom: lower and upper end in mm."""
    top = _REACH_MM
    for _, low, _, high in sorted(blocked, key=lambda r: -r[3]):
        if high + _GAP < top:
            yield high + _GAP, top
        top = min(top, low - _GAP)
    yield -_REACH_MM, top


def _fill(side: _Side, kinds: list[PieceKind], counts: Mapping[str, int], box: Box) -> None:
    """Add columns with all pieces of one group."""
    room = 0.0
    column: list[tuple[PieceKind, int]] = []
    for kind in kinds:
        left = counts[kind.id]
        while left > 0:
            pile = left if kind.shape == "card" else 1
            if room < _foot(kind)[1]:
                column, room = side.column(), box.size[1]
            column.append((kind, pile))
            room -= _foot(kind)[1] + _GAP
            left -= pile
