"""The virtual table: what hands do with the pieces on it, the hand itself, and the lamp above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.simulator.objects import (
    Drift,
    Floats,
    Hand,
    Light,
    Nudge,
    Piece,
    TableError,
    alike,
    footprint,
    thickness,
    wanted_stacks,
)
from companion.simulator.pieces import Pieces, owners
from rules.box import Box, PieceKind, Point, Site, is_cell, longest, settled, side_by_side, turn_of
from rules.core import Layout

# -- places in a site -------------------------------------------------------------------------

_RIM = 8 / 6
"""Size of a sticker with its white rim, per side of its black square."""
_LENS_HIGH = 1.4
"""Height of the lens in board lengths, roughly; tall things lean outwards in its picture."""
_STEP_MM = 5.0
_SLACK_MM = 3.0
"""Inaccuracy of hands, mm."""


def free_place(pieces: Pieces, site: Site, piece: Piece) -> Point:
    """Point of a site with room for a piece, mm; that of its last one if it is full."""
    foot = footprint(pieces.box.kinds[piece.shows], piece.pose)
    places = _slots(site, foot)
    lying = [p for p in pieces.at(site.id) if p.id != piece.id]
    need = min(foot) / 2 - 1.0
    free = [p for p in places if not any(pieces.covers(other, p, need) for other in lying)]
    if site.heap:
        # Where all are taken the heap grows evenly.
        return free[0] if free else places[len(lying) % len(places)]
    if site.room > 1 and site.size is not None:
        # Nobody who wants to be understood lays a thing where it hides another's sticker.
        return _clearest(pieces, site, piece, [*free, *places, *_spots(site)])
    if free:
        return free[0]
    return places[-1] if site.room > 1 else lying[-1].at if lying else places[0]


def laid_angle(site: Site, kind: PieceKind, pose: str, rng: np.random.Generator | None) -> float:
    """Angle in deg at which a hand lays a piece on a site; exactly, if ``rng`` is None."""
    around = math.degrees(math.atan2(site.at[1], site.at[0]))
    loose = float(rng.normal(0.0, 2.5)) if rng is not None else 0.0
    if pose in ("cw", "ccw"):
        # The sticker's upper edge points along the circle about the board's centre.
        return around + (180.0 if pose == "cw" else 0.0) + 2.0 * loose
    if kind.shape == "card":
        return loose
    if site.size is not None and kind.size[0] != kind.size[1]:
        same = (site.size[0] >= site.size[1]) == (kind.size[0] >= kind.size[1])
        return (0.0 if same else 90.0) + loose
    return float(rng.uniform(-180.0, 180.0)) if rng is not None else 0.0


def slip(at: Point, rng: np.random.Generator) -> Point:
    """A careless point within 3 mm of the one that was meant."""
    reach, turn = 2.6 * math.sqrt(rng.random()), 2 * math.pi * rng.random()
    return (at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn))


def _clearest(pieces: Pieces, site: Site, piece: Piece, places: Sequence[Point]) -> Point:
    """The first of the places where a piece hides the fewest stickers."""
    angle = laid_angle(site, pieces.box.kinds[piece.shows], piece.pose, None)
    # What is laid at the rim sticks out of the site, under what stands next to it.
    out = max(footprint(pieces.box.kinds[piece.shows], piece.pose)) / 2 + _SLACK_MM
    others = [p for p in _uppermost(pieces, site, out) if p.id != piece.id]
    fewest, best = math.inf, places[0]
    for x, y in places:
        laid = replace(piece, x_mm=x, y_mm=y, angle_deg=angle, z=0.0)
        hidden = _hides(pieces.box, laid, others)
        if hidden < fewest:
            fewest, best = hidden, (x, y)
        if not hidden:
            break
    return best


def _uppermost(pieces: Pieces, site: Site, out: float) -> Iterator[Piece]:
    """Uppermost pieces at a site, and those of other sites that reach over it, or nearer to it than
    ``out`` mm."""
    yield from (column[-1] for column in pieces.stacks(site.id))
    area = _area(site, out)
    for other in pieces.box.sites:
        if other != site.id:
            top = (column[-1] for column in pieces.stacks(other))
            yield from (piece for piece in top if _meet(_body(pieces.box, piece), area))


def _area(site: Site, out: float) -> Floats:
    """The outline of a rectangular site with ``out`` mm around it."""
    (x, y), (w, h) = site.at, site.size or (0.0, 0.0)
    wide, high = w + 2 * out, h + 2 * out
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + a * wide / 2, y + b * high / 2) for a, b in signs], dtype=np.float32)


def _slots(site: Site, foot: Point) -> list[Point]:
    """Centres in mm of the places where pieces can lie side by side at a site."""
    x, y = site.at
    if site.room <= 1:
        return [site.at]
    if site.heap:
        return [(x + dx, y + dy) for dx, dy in side_by_side(site, foot, site.room)[0]]
    if site.size is None:
        reach = max(site.radius - max(foot) / 2, site.radius * 0.45)
        turns = (2 * math.pi * i / site.room + math.pi / 2 for i in range(site.room))
        return [(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]
    wide, high = site.size
    columns = min(
        range(1, site.room + 1),
        key=lambda n: abs(wide / n - foot[0] / foot[1] * high / -(-site.room // n)),
    )
    rows = -(-site.room // columns)
    cells = [(i % columns, i // columns) for i in range(site.room)]
    return [
        (x + wide * ((c + 0.5) / columns - 0.5), y + high * (0.5 - (r + 0.5) / rows))
        for c, r in cells
    ]


def _spots(site: Site) -> Iterator[Point]:
    """Places all over a rectangular site, mm, those in its middle first."""
    if site.size is None:
        return
    (x, y), (wide, high) = site.at, (max(side - 2 * _SLACK_MM, 0.0) for side in site.size)
    across, down = (int(side / 2 / _STEP_MM) for side in (wide, high))
    steps = [(i, j) for i in range(-across, across + 1) for j in range(-down, down + 1)]
    for i, j in sorted(steps, key=lambda step: math.hypot(*step)):
        yield (x + i * _STEP_MM, y + j * _STEP_MM)


def _hides(box: Box, piece: Piece, lying: Iterable[Piece]) -> int:
    """Number of stickers that cannot be read if ``piece`` lies like this: those of corners, which
    count double, its own, and those of what is ``lying`` there."""
    body, sticker = _body(box, piece), _sticker(box, piece)
    corners = (_square(c.at, c.size * _RIM / 2 + _SLACK_MM) for c in box.corners)
    hidden = 2 * sum(_meet(body, corner) for corner in corners)
    for other in lying:
        hidden += _meet(body, _sticker(box, other)) + _meet(_body(box, other), sticker)
    return hidden


def _body(box: Box, piece: Piece) -> Floats:
    """Outline of the board that a piece hides, convex, in mm (n, 2)."""
    kind = box.kinds[piece.shows]
    wide, deep = footprint(kind, piece.pose)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    foot = np.array([piece.to_board(sx * wide / 2, sy * deep / 2) for sx, sy in signs])
    top = foot * _lean(box, piece.z + thickness(kind, piece.pose))
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))
    return np.asarray(hull, dtype=np.float32).reshape(-1, 2)


def _sticker(box: Box, piece: Piece) -> Floats:
    """Outline of a piece's sticker as seen on the board, with its rim and the inaccuracy of
    hands."""
    kind = box.kinds[piece.shows]
    grown = _lean(box, piece.z + thickness(kind, piece.pose))
    half = kind.sticker_mm * _RIM / 2 + _SLACK_MM
    return _square((piece.x_mm * grown, piece.y_mm * grown), half)


def _square(at: Point, half: float) -> Floats:
    (x, y), signs = at, ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + sx * half, y + sy * half) for sx, sy in signs], dtype=np.float32)


def _lean(box: Box, height: float) -> float:
    """Factor by which a point this high above the board appears farther out than it is."""
    lens = _LENS_HIGH * max(box.size)
    return lens / (lens - height)


def _meet(one: Floats, other: Floats) -> bool:
    return cv2.intersectConvexConvex(one, other)[0] > 0


_CARRY_MM = 26.0
"""Height at which a hand carries a piece above what lies on the board, mm."""
_NEAR = 0.8
"""Pieces this near to the board's edge, and by the longest piece, leave no room for another,
pitches."""
_SLEEVES = ("#41618c", "#8c4a41", "#57744a", "#6b5487")


class VirtualTable(Pieces):
    """Pieces of one box on and beside its board, as things that lie where hands put them.

    It knows no rules: whatever hands can do is done. ``light``, ``hand`` and ``nudge`` may be
    set at any time.
    """

    def __init__(self, box: Box, seed: int = 0) -> None:
        """All pieces beside the board; ``seed`` decides how carelessly they are laid."""
        super().__init__(box, seed)
        self.light = Light()
        self.hand: Hand | None = None
        self.nudge = Nudge()

    def free_place(self, site: str, piece_id: int) -> Point:
        """Point of a site with room for a piece, mm; that of its last one if it is full."""
        return free_place(self, self.place(site), self.piece(piece_id))

    # -- laying and taking ------------------------------------------------------------------

    def put(
        self, kind: str, site: str, jitter: bool = True, pose: str = "", face_up: bool = True
    ) -> Piece:
        """Lay an unused piece on a site: on a free place there, else on top of what lies there.

        ``kind`` may be what a back shows; then some piece with that back is laid face down.
        With ``jitter`` it lies up to 3 mm off the middle, round things at any angle. Raises
        TableError if the site, the kind or the pose does not exist or no such piece is left.
        """
        place, wanted = self.place(site), self._kind(kind)
        self._pose(wanted, pose)
        if not face_up and not wanted.back:
            raise TableError(f"a '{kind}' has no back to turn up")
        piece = self._fetch(kind, face_up)
        return self._lay(piece, place, free_place(self, place, piece), jitter, pose)

    def take(self, site: str) -> Piece:
        """Bring the topmost piece of a site back to its home; raises TableError if it is bare."""
        lying = self.at(site)
        if not lying:
            raise TableError(f"nothing lies at {site}")
        return self._go_home(lying[-1])

    def move(self, piece_id: int, x: float, y: float) -> Piece:
        """Lay a piece at a board point (mm), on top of what lies there already.

        Raises TableError if something lies on the piece.
        """
        piece = self.piece(piece_id)
        self._must_be_free(piece)
        return self._set_down(piece, x, y)

    def knock(self, piece_id: int, dx: float, dy: float, turn: float = 0.0) -> Piece:
        """Shift a piece by mm and turn it by deg, with all that lies on it, as a sleeve does.

        It still belongs to the site it was laid at; raises TableError for an unknown piece.
        """
        piece = self.piece(piece_id)
        pile, reached = [piece], True
        while reached:
            above = [
                p
                for p in self._pieces.values()
                if p not in pile
                and p.id != self._held
                and any(p.z > below.z and self._overlap(p, below) for below in pile)
            ]
            pile, reached = pile + above, bool(above)
        for each in pile:
            self._keep(
                replace(
                    each, x_mm=each.x_mm + dx, y_mm=each.y_mm + dy, angle_deg=each.angle_deg + turn
                )
            )
        return self.piece(piece_id)

    def turn(self, piece_id: int) -> Piece:
        """Taps a piece: it gets its next pose, or shows its other face.

        Raises TableError if something lies on it, or if it looks the same from every side.
        """
        piece = self.piece(piece_id)
        self._must_be_free(piece)
        kind = self._kind(piece.kind)
        if not kind.poses:
            return self.turn_over(piece_id)
        pose = kind.poses[(kind.poses.index(piece.pose) + 1) % len(kind.poses)]
        turned = self._keep(replace(piece, pose=pose))
        return self._aligned(turned)

    def put_back(self, piece_id: int) -> Piece:
        """Bring a piece to its home beside the board; raises TableError if something lies on it."""
        piece = self.piece(piece_id)
        self._must_be_free(piece)
        if self._held == piece_id:
            self._held, self.hand = None, None
        return self._go_home(self._keep(replace(piece, stored=False)))

    def clear(self) -> None:
        """Bring every piece home."""
        self._held, self.hand = None, None
        for piece in list(self._pieces.values()):
            self._pieces[piece.id] = replace(piece, stored=False, site=None)
        for piece in list(self._pieces.values()):
            self._go_home(piece)

    def set_layout(self, layout: Layout) -> None:
        """Make the table show a layout of the rules; what is already right stays untouched.

        Several items of one level lie side by side, unseen ones below a pile. Raises TableError if
        a site or kind is unknown or the box does not hold that many pieces; the table is then left
        as it was.
        """
        before, fronts = dict(self._pieces), dict(self._front)
        held, hand = self._held, self.hand
        self._held, self.hand = None, None
        try:
            self._rearrange(layout)
        except TableError:
            self._pieces, self._front = before, fronts
            self._held, self.hand = held, hand
            raise

    # -- a hand -----------------------------------------------------------------------------

    def lift(self, piece_id: int) -> Piece:
        """Take a piece up with a hand, which then follows ``carry``.

        Raises TableError if the hand holds one already or something lies on the piece.
        """
        if self._held is not None:
            raise TableError(f"the hand holds piece {self._held} already; drop it first")
        piece = self.piece(piece_id)
        self._must_be_free(piece)
        self._held = piece_id
        return self.carry(piece.x_mm, piece.y_mm)

    def carry(self, x: float, y: float) -> Piece:
        """Move hand and held piece above a board point (mm); raises TableError if it is empty."""
        piece = self._in_hand()
        kind = self._kind(piece.shows)
        height = self._rest_height(piece, (x, y)) + _CARRY_MM
        raised = replace(piece, x_mm=x, y_mm=y, z=height, site=None, stored=False)
        self.hand = self.reaching(x, y, height + thickness(kind, piece.pose), kind.owner)
        return self._keep(raised)

    def drop(self, x: float | None = None, y: float | None = None) -> Piece:
        """Lay the held piece down, where it is or at a board point (mm); the hand goes away."""
        piece = self._in_hand()
        self._held, self.hand = None, None
        laid = self._set_down(piece, piece.x_mm if x is None else x, piece.y_mm if y is None else y)
        return self._aligned(laid)

    def reaching(self, x: float, y: float, z: float = 12.0, owner: str = "") -> Hand:
        """The hand of a player whose fingertips are at a board point (mm).

        The first player of the box sits at the reader's edge, the second opposite, and so on.
        """
        seats = owners(self.box)
        seat = seats.index(owner) if owner in seats else 0
        side = 1.0 if seat % 2 else -1.0
        # A right arm comes from the right of its owner's middle.
        elbow = (0.55 * x - side * 70.0, side * (self.box.size[1] / 2 + 330.0))
        direction = math.degrees(math.atan2(elbow[1] - y, elbow[0] - x))
        return Hand(x, y, z, direction, 0.92, _SLEEVES[seat % len(_SLEEVES)])

    def drag(self, piece_id: int, to: str | Point, steps: int = 12) -> Iterator[VirtualTable]:
        """Carries a piece by hand to a site or board point, in ``steps`` states of this table.

        Yields this table with the hand reaching in, carrying, and leaving; when the iterator is
        exhausted the piece lies there and the hand is gone. Raises TableError as ``lift`` does,
        and for fewer than 3 steps.
        """
        if steps < 3:
            raise TableError(f"a hand cannot reach, carry and leave in {steps} steps; give it 3")
        piece = self.piece(piece_id)
        if isinstance(to, str):
            goal = slip(free_place(self, self.place(to), piece), self._rng)
        else:
            goal = to
        self._must_be_free(piece)
        aside = max(1, steps // 5)
        carried = steps - 2 * aside
        for step in range(aside):
            self.hand = self._aside(piece, (aside - step) / (aside + 1))
            yield self
        start = piece.at
        self.lift(piece_id)
        for step in range(1, carried + 1):
            # Hands start and stop gently.
            share = 0.5 - 0.5 * math.cos(math.pi * step / carried)
            self.carry(
                start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])
            )
            yield self
        piece = self.drop(*goal)
        for step in range(aside):
            self.hand = self._aside(piece, (step + 1) / (aside + 1))
            yield self
        self.hand = None

    def bring_home(self, piece_id: int, steps: int = 12) -> Iterator[VirtualTable]:
        """Carries a piece by hand to its home beside the board, as ``drag`` does."""
        piece = self.piece(piece_id)
        side = 1.0 if piece.x_mm > 0 else -1.0
        yield from self.drag(piece_id, (side * (self.box.size[0] / 2 + 40.0), piece.y_mm), steps)
        self._go_home(replace(self.piece(piece_id), stored=False))

    def tap(self, piece_id: int) -> Iterator[VirtualTable]:
        """Taps a piece by hand (see ``turn``), in three states of this table."""
        piece = self.piece(piece_id)
        for share in (0.5, 0.0):
            self.hand = self._aside(piece, share)
            if not share:
                self.turn(piece_id)
            yield self
        self.hand = self._aside(self.piece(piece_id), 0.5)
        yield self
        self.hand = None

    def shove(self, dx: float, dy: float, angle: float = 0.0) -> None:
        """Push all that lies on a lattice by mm and turn it around its first cell by deg."""
        was = self.drift
        self.drift = Drift(was.x + dx, was.y + dy, was.angle + angle)
        for piece in self.pieces:
            if piece.site is not None and is_cell(self.box, piece.site):
                x, y = self.drift.on_table(was.on_lattice(piece.at))
                self._keep(replace(piece, x_mm=x, y_mm=y, angle_deg=piece.angle_deg + angle))

    def make_room(self) -> bool:
        """Push what lies on a lattice to the middle of the board if it comes near to the edge; True
        if it did."""
        lying = [p for p in self.pieces if p.site is not None and is_cell(self.box, p.site)]
        if not lying or self.box.lattice is None or not self.box.lattice.floats:
            return False
        far = (_NEAR + longest(self.box)) * self.box.lattice.pitch
        near = [side / 2 - far for side in self.box.size]
        middles = [at for piece in lying for at in self.middles(piece)]
        if not any(abs(at[axis]) > near[axis] for at in middles for axis in (0, 1)):
            return False
        ends = [[at[axis] for at in middles] for axis in (0, 1)]
        self.shove(*(-(min(one) + max(one)) / 2 for one in ends))
        return True

    def turn_in_hand(self, piece_id: int, pose: str) -> Piece:
        """Give a piece the pose in which it is to be laid."""
        return self._keep(replace(self.piece(piece_id), pose=pose))

    def bump(self, dx: float, dy: float, angle: float = 0.0) -> None:
        """Push the table under the camera by mm and turn it by deg; bumps add up."""
        was = self.nudge
        self.nudge = Nudge(was.dx + dx, was.dy + dy, was.angle + angle)

    # -- inside -----------------------------------------------------------------------------

    def _in_hand(self) -> Piece:
        if self._held is None:
            raise TableError("the hand holds no piece; lift one first")
        return self._pieces[self._held]

    def _set_down(self, piece: Piece, x: float, y: float) -> Piece:
        site = self._site_at((x, y), self._kind(piece.shows).group)
        half = self.box.size[0] / 2, self.box.size[1] / 2
        beside = site is None and (abs(x) > half[0] or abs(y) > half[1])
        return self._keep(
            replace(
                piece,
                x_mm=x,
                y_mm=y,
                z=self._rest_height(piece, (x, y)),
                site=None if site is None else site.id,
                stored=beside,
            )
        )

    def _aligned(self, piece: Piece) -> Piece:
        """A piece that was laid or turned by hand, as its site lets it lie."""
        if piece.site is None:
            return piece
        kind, site = self._kind(piece.shows), self.place(piece.site)
        below = [p for p in self.at(piece.site) if p.z < piece.z and self._overlap(piece, p)]
        if kind.shape == "card" and below and self._kind(below[-1].shows).shape == "card":
            # Cards are squared up on their pile.
            (x, y), angle = below[-1].at, below[-1].angle_deg
            return self._keep(replace(piece, x_mm=x, y_mm=y, angle_deg=angle))
        long = site.size is not None and kind.size[0] != kind.size[1]
        if is_cell(self.box, site.id):
            laid = self._in_cells(kind, piece)
            return self._keep(replace(laid, z=self._rest_height(laid, laid.at)))
        if kind.shape != "card" and not long and piece.pose not in ("cw", "ccw"):
            return piece
        return self._keep(replace(piece, angle_deg=laid_angle(site, kind, piece.pose, self._rng)))

    def _in_cells(self, kind: PieceKind, piece: Piece) -> Piece:
        """A piece as a hand lays it edge to edge with others, its sticker at any end where nobody
        minds; it lies straight above where it is to be."""
        lattice = self.box.lattice
        assert lattice is not None
        turn = int(self._rng.integers(lattice.turns))
        if kind.tells_turn:
            turn = turn_of(piece.pose)
            if kind.cells and not kind.turns:
                turn += len(kind.poses) * int(self._rng.integers(lattice.turns // len(kind.poses)))
        angle = self.drift.angle + 360 / lattice.turns * turn + float(self._rng.normal(0.0, 2.0))
        x, y = self.drift.on_lattice(piece.at)
        there, (x0, y0) = lattice.at(settled(kind, (0, 0), turn)[0]), lattice.first
        x, y = self.drift.on_table((x - there[0] + x0, y - there[1] + y0))
        return replace(piece, x_mm=x, y_mm=y, angle_deg=angle)

    def _lay(self, piece: Piece, site: Site, at: Point, jitter: bool, pose: str) -> Piece:
        kind = self._kind(piece.shows)
        posed = replace(piece, pose=self._pose(kind, pose))
        below = next(
            (p for p in reversed(self.at(site.id)) if p.id != piece.id and self.covers(p, at)),
            None,
        )
        if kind.shape == "card" and below is not None and self._kind(below.shows).shape == "card":
            # Cards are squared up on their pile.
            x, y = below.at
            angle = below.angle_deg
        else:
            angle = laid_angle(site, kind, posed.pose, self._rng if jitter else None)
            x, y = slip(at, self._rng) if jitter else at
        placed = replace(posed, x_mm=x, y_mm=y, angle_deg=angle, site=site.id, stored=False)
        if is_cell(self.box, site.id):
            placed, (x, y) = (laid := self._in_cells(kind, placed)), laid.at
        return self._keep(replace(placed, z=self._rest_height(placed, (x, y))))

    def _pose(self, kind: PieceKind, pose: str) -> str:
        if pose and pose not in kind.poses:
            known = ", ".join(kind.poses) or "none"
            raise TableError(f"a '{kind.id}' has no pose '{pose}'; it has: {known}")
        return pose or (kind.poses or ("",))[0]

    def _aside(self, piece: Piece, share: float) -> Hand:
        """A hand on its way to or from a piece, ``share`` of the way out of the picture."""
        kind = self._kind(piece.shows)
        hand = self.reaching(*piece.at, self._top(piece), kind.owner)
        turn = math.radians(hand.from_deg)
        away = share * (self.box.size[1] / 2 + 60.0)
        return replace(
            hand,
            x_mm=hand.x_mm + away * math.cos(turn),
            y_mm=hand.y_mm + away * math.sin(turn),
            z_mm=hand.z_mm + 14.0 * math.sqrt(share),
        )

    def _rearrange(self, layout: Layout) -> None:
        wanted = wanted_stacks(layout)
        for name in wanted:
            self.place(name)
        keeps: dict[tuple[str, int], list[Piece]] = {}
        for site in self.box.sites:
            lying = self.stacks(site)
            stay: set[int] = set()
            for number, column in enumerate(wanted.get(site, [])):
                best = max(lying, key=lambda lain: alike(lain, column), default=[])
                same = alike(best, column)
                if same:
                    keeps[site, number] = best[:same]
                    stay.update(piece.id for piece in best[:same])
                    lying.remove(best)
            for piece in reversed(self.at(site)):
                if piece.id not in stay:
                    self._go_home(piece)
        for piece in list(self._pieces.values()):
            if piece.site is None and not piece.stored:
                self._go_home(piece)
        missing = [
            (site, number, level, item)
            for site, columns in wanted.items()
            for number, column in enumerate(columns)
            for level, item in enumerate(column)
            if level >= len(keeps.get((site, number), ()))
        ]
        # Open faces first: they name their piece, a back takes any.
        backs = {kind.back for kind in self.box.kinds.values()}
        fetched: dict[tuple[str, int, int], Piece] = {}
        for site, number, level, item in sorted(missing, key=lambda need: need[3].kind in backs):
            fetched[site, number, level] = self._fetch(item.kind, item.face != "down")
        for site, number, level, item in missing:
            place = self.place(site)
            piece = fetched[site, number, level]
            stack = keeps.setdefault((site, number), [])
            at = stack[-1].at if stack else free_place(self, place, piece)
            stack.append(self._lay(piece, place, at, True, item.pose))
