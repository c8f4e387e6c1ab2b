"""The virtual table: physical pieces, the hand that moves them, and the lamp above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from companion.virtual.light import Light
from companion.virtual.room import hides, spots
from companion.virtual.store import homes, owners, slots
from companion.virtual.things import Hand, Nudge, Piece, TableError, footprint, thickness
from rules.box import Box, PieceKind, Point, Site
from rules.core import Item, Layout

__all__ = ["VirtualTable", "wanted_stacks"]

_CARRY_MM = 26.0
"""How high a hand carries a piece above what lies on the board."""
_SLEEVES = ("#41618c", "#8c4a41", "#57744a", "#6b5487")

_Look = tuple[str, str]
"""Kind and pose that are seen."""


class VirtualTable:
    """Pieces of one box on and beside its board, as things that lie where hands put them.

    It knows no rules: whatever hands can do is done. ``light``, ``hand`` and ``nudge`` may be
    set at any time.
    """

    def __init__(self, box: Box, seed: int = 0) -> None:
        """All pieces beside the board; ``seed`` decides how carelessly they are laid."""
        self.box = box
        self.light = Light()
        self.hand: Hand | None = None
        self.nudge = Nudge()
        self._rng = np.random.default_rng(seed)
        self._held: int | None = None
        self._homes = homes(box)
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

    # -- looking ----------------------------------------------------------------------------

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
        name = self._site(site).id
        found = [p for p in self._pieces.values() if p.site == name and p.id != self._held]
        return tuple(sorted(found, key=lambda p: (p.z, p.id)))

    def stacks(self, site: str) -> list[list[Piece]]:
        """The pieces of a site as stacks side by side, each the lowest first."""
        return self._columns(site)

    def free_place(self, site: str, piece_id: int) -> Point:
        """Where in a site there is room for a piece, mm; where its last one lies if it is full."""
        return self._free_slot(self._site(site), self.piece(piece_id))

    def pick(self, x_mm: float, y_mm: float, slack: float = 2.0) -> Piece | None:
        """The topmost piece whose foot covers a board point, ``slack`` mm added; else None.

        For a place in the camera's picture ask ``Camera.pick``, which knows heights.
        """
        under = [p for p in self._pieces.values() if self.covers(p, (x_mm, y_mm), slack)]
        return max(under, key=lambda p: (p.z, -math.dist(p.at, (x_mm, y_mm))), default=None)

    def covers(self, piece: Piece, at: Point, slack: float = 0.0) -> bool:
        """Whether a board point (mm) lies within a piece's foot, ``slack`` mm added."""
        kind = self._kind(piece.shows)
        wide, deep = footprint(kind, piece.pose)
        x, y = piece.from_board(*at)
        if kind.shape in ("disc", "pawn", "octagon") and piece.pose != "lying":
            return math.hypot(x / (wide / 2 + slack), y / (deep / 2 + slack)) <= 1.0
        return abs(x) <= wide / 2 + slack and abs(y) <= deep / 2 + slack

    def layout_seen(self) -> Layout:
        """What truly lies at every site, as a layout without owners.

        ``seen`` is False below other pieces; pieces beside every site and one in a hand are left
        out.
        """
        layout = Layout()
        for site in self.box.sites:
            for column in self._columns(site):
                for level, piece in enumerate(column):
                    face = "up" if piece.face_up else "down"
                    seen = level == len(column) - 1
                    layout[Item(site, piece.shows, None, level, piece.pose, face, seen)] += 1
        return layout

    # -- laying and taking ------------------------------------------------------------------

    def put(
        self, kind: str, site: str, jitter: bool = True, pose: str = "", face_up: bool = True
    ) -> Piece:
        """Lay an unused piece on a site: on a free place there, else on top of what lies there.

        ``kind`` may be what a back shows; then some piece with that back is laid face down.
        With ``jitter`` it lies up to 3 mm off the middle, round things at any angle. Raises
        TableError if the site, the kind or the pose does not exist or no such piece is left.
        """
        place, wanted = self._site(site), self._kind(kind)
        self._pose(wanted, pose)
        if not face_up and not wanted.back:
            raise TableError(f"a '{kind}' has no back to turn up")
        piece = self._fetch(kind, face_up)
        return self._lay(piece, place, self._free_slot(place, piece), jitter, pose)

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

        It still counts to the site it was laid at; raises TableError for an unknown piece.
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

    def turn_over(self, piece_id: int) -> Piece:
        """Turn a piece onto its other face; raises TableError if it has no back."""
        piece = self.piece(piece_id)
        if not self.box.kinds[piece.kind].back:
            raise TableError(f"a '{piece.kind}' has no back to turn up")
        return self._keep(self._facing(piece, not piece.face_up))

    def turn(self, piece_id: int) -> Piece:
        """What a tap on a piece does: its next pose, or its other face.

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

    def name(self, piece_id: int, kind: str) -> Piece:
        """Say what a face-down piece is; it changes places with one of that kind nobody can tell
        from it.

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

    def clear(self) -> None:
        """Bring every piece home."""
        self._held, self.hand = None, None
        for piece in list(self._pieces.values()):
            self._pieces[piece.id] = replace(piece, stored=False, site=None)
        for piece in list(self._pieces.values()):
            self._go_home(piece)

    def set_layout(self, layout: Layout) -> None:
        """Make the table show a layout of the rules; what is right already stays untouched.

        Several items of one level lie side by side, unseen ones below a pile. Raises TableError
        if a site or kind is unknown or the box does not hold so many pieces; the table is then
        left as it was.
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
        """The hand of a player whose finger tips are at a board point (mm).

        The first player of the box sits at the reader's edge, the second opposite, and so on.
        """
        seats = owners(self.box)
        seat = seats.index(owner) if owner in seats else 0
        side = 1.0 if seat % 2 else -1.0
        # a right arm comes from the right of its owner's middle
        elbow = (0.55 * x - side * 70.0, side * (self.box.size[1] / 2 + 330.0))
        direction = math.degrees(math.atan2(elbow[1] - y, elbow[0] - x))
        return Hand(x, y, z, direction, 0.92, _SLEEVES[seat % len(_SLEEVES)])

    def drag(self, piece_id: int, to: str | Point, steps: int = 12) -> Iterator[VirtualTable]:
        """Let a hand carry a piece to a site or board point, in ``steps`` states of this table.

        Yields this table with the hand reaching in, carrying, and leaving; when the iterator is
        exhausted the piece lies there and the hand is gone. Raises TableError as ``lift`` does,
        and for fewer than 3 steps.
        """
        if steps < 3:
            raise TableError(f"a hand cannot reach, carry and leave in {steps} steps; give it 3")
        piece = self.piece(piece_id)
        goal = self._scatter(self._site(to), piece) if isinstance(to, str) else to
        self._must_be_free(piece)
        aside = max(1, steps // 5)
        carried = steps - 2 * aside
        for step in range(aside):
            self.hand = self._aside(piece, (aside - step) / (aside + 1))
            yield self
        start = piece.at
        self.lift(piece_id)
        for step in range(1, carried + 1):
            # hands start and stop gently
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
        """Let a hand carry a piece to its home beside the board, as ``drag`` does."""
        piece = self.piece(piece_id)
        side = 1.0 if piece.x_mm > 0 else -1.0
        yield from self.drag(piece_id, (side * (self.box.size[0] / 2 + 40.0), piece.y_mm), steps)
        self._go_home(replace(self.piece(piece_id), stored=False))

    def tap(self, piece_id: int) -> Iterator[VirtualTable]:
        """Let a hand come, turn a piece (see ``turn``) and go, in three states of this table."""
        piece = self.piece(piece_id)
        for share in (0.5, 0.0):
            self.hand = self._aside(piece, share)
            if not share:
                self.turn(piece_id)
            yield self
        self.hand = self._aside(self.piece(piece_id), 0.5)
        yield self
        self.hand = None

    def bump(self, dx: float, dy: float, angle: float = 0.0) -> None:
        """Push the table before the camera by mm and turn it by deg; bumps add up."""
        was = self.nudge
        self.nudge = Nudge(was.dx + dx, was.dy + dy, was.angle + angle)

    # -- inside -----------------------------------------------------------------------------

    def _site(self, name: str) -> Site:
        if name not in self.box.sites:
            raise TableError(f"the box {self.box.id} has no site '{name}'")
        return self.box.sites[name]

    def _kind(self, name: str) -> PieceKind:
        if name not in self.box.kinds:
            raise TableError(f"the box {self.box.id} has no pieces of kind '{name}'")
        return self.box.kinds[name]

    def _keep(self, piece: Piece) -> Piece:
        self._pieces[piece.id] = piece
        return piece

    def _in_hand(self) -> Piece:
        if self._held is None:
            raise TableError("the hand holds no piece; lift one first")
        return self._pieces[self._held]

    def _top(self, piece: Piece) -> float:
        return piece.z + thickness(self._kind(piece.shows), piece.pose)

    def _overlap(self, one: Piece, other: Piece) -> bool:
        """Whether one of two pieces would rest on the other."""
        return self.covers(one, other.at) or self.covers(other, one.at)

    def _rest_height(self, piece: Piece, at: Point) -> float:
        """Height in mm at which a piece comes to rest at a point."""
        there = replace(piece, x_mm=at[0], y_mm=at[1])
        others = (p for p in self._pieces.values() if p.id not in (piece.id, self._held))
        return max((self._top(p) for p in others if self._overlap(there, p)), default=0.0)

    def _must_be_free(self, piece: Piece) -> None:
        for other in self._pieces.values():
            if other.z > piece.z and other.id != self._held and self._overlap(piece, other):
                raise TableError(
                    f"piece {other.id} ({other.kind}) lies on piece {piece.id} ({piece.kind}); "
                    "move that first"
                )

    def _set_down(self, piece: Piece, x: float, y: float) -> Piece:
        site = self.box.site_at((x, y), self._kind(piece.shows).group)
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

    def _facing(self, piece: Piece, up: bool) -> Piece:
        """The piece with its front or its back up."""
        if up:
            return replace(piece, shows=piece.kind, sticker=self._front[piece.id], face_up=True)
        back = self._kind(self._kind(piece.kind).back)
        sticker = back.stickers[piece.id % len(back.stickers)] if back.stickers else None
        return replace(piece, shows=back.id, sticker=sticker, face_up=False)

    def _aligned(self, piece: Piece) -> Piece:
        """A piece that was laid or turned by hand, as its site lets it lie."""
        if piece.site is None:
            return piece
        kind, site = self._kind(piece.shows), self.box.sites[piece.site]
        below = [p for p in self.at(piece.site) if p.z < piece.z and self._overlap(piece, p)]
        if kind.shape == "card" and below and self._kind(below[-1].shows).shape == "card":
            # Cards are squared up on their pile.
            (x, y), angle = below[-1].at, below[-1].angle_deg
            return self._keep(replace(piece, x_mm=x, y_mm=y, angle_deg=angle))
        long = site.size is not None and kind.size[0] != kind.size[1]
        if kind.shape != "card" and not long and piece.pose not in ("cw", "ccw"):
            return piece
        return self._keep(replace(piece, angle_deg=self._angle(site, kind, piece.pose, True)))

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
            # which one it is stays open, as with real hands
            pick = int(self._rng.integers(len(backed)))
            piece = self._facing(backed[pick], False)
        return self._keep(replace(piece, stored=False))

    def _swapped(self, kind: str, stored: Iterable[Piece]) -> list[Piece]:
        """A stored piece that changed places with a face-down one of the kind, if that helps.

        Nobody at the table can tell which of two equal backs is which.
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

    def _columns(self, site: str) -> list[list[Piece]]:
        """The pieces of a site as stacks side by side, each the lowest first."""
        columns: list[list[Piece]] = []
        for piece in self.at(site):
            for column in columns:
                if piece.z > column[-1].z and self._overlap(piece, column[-1]):
                    column.append(piece)
                    break
            else:
                columns.append([piece])
        return columns

    def _free_slot(self, site: Site, piece: Piece) -> Point:
        """Where in a site there is room for a piece, else where the site's last one lies."""
        places = slots(site, footprint(self._kind(piece.shows), piece.pose))
        lying = [p for p in self.at(site.id) if p.id != piece.id]
        need = min(footprint(self._kind(piece.shows), piece.pose)) / 2 - 1.0
        free = [p for p in places if not any(self.covers(other, p, need) for other in lying)]
        if site.room > 1 and site.size is not None:
            # Nobody who wants to be understood lays a thing where it hides another's sticker.
            return self._clearest(site, piece, [*free, *spots(site)])
        if free:
            return free[0]
        return places[-1] if site.room > 1 else lying[-1].at if lying else places[0]

    def _clearest(self, site: Site, piece: Piece, places: list[Point]) -> Point:
        """The first of the places where a piece hides the fewest stickers."""
        angle = self._angle(site, self._kind(piece.shows), piece.pose, False)
        top = [column[-1] for column in self._columns(site.id)]
        others = [p for p in top if p.id != piece.id]
        fewest, best = math.inf, places[0]
        for x, y in places:
            laid = replace(piece, x_mm=x, y_mm=y, angle_deg=angle, z=0.0)
            hidden = hides(self.box, laid, others)
            if hidden < fewest:
                fewest, best = hidden, (x, y)
            if not hidden:
                break
        return best

    def _scatter(self, site: Site, piece: Piece) -> Point:
        """A careless point within 3 mm of a free place of a site."""
        x, y = self._free_slot(site, piece)
        reach, turn = 2.6 * math.sqrt(self._rng.random()), 2 * math.pi * self._rng.random()
        return (x + reach * math.cos(turn), y + reach * math.sin(turn))

    def _lay(self, piece: Piece, site: Site, at: Point, jitter: bool, pose: str) -> Piece:
        kind = self._kind(piece.shows)
        posed = replace(piece, pose=self._pose(kind, pose))
        below = next(
            (p for p in reversed(self.at(site.id)) if p.id != piece.id and self.covers(p, at)),
            None,
        )
        if kind.shape == "card" and below is not None and self._kind(below.shows).shape == "card":
            # cards are squared up on their pile
            x, y = below.at
            angle = below.angle_deg
        else:
            (x, y), angle = at, self._angle(site, kind, posed.pose, jitter)
            if jitter:
                reach, turn = 2.6 * math.sqrt(self._rng.random()), 2 * math.pi * self._rng.random()
                x, y = x + reach * math.cos(turn), y + reach * math.sin(turn)
        placed = replace(posed, x_mm=x, y_mm=y, angle_deg=angle, site=site.id, stored=False)
        return self._keep(replace(placed, z=self._rest_height(placed, (x, y))))

    def _pose(self, kind: PieceKind, pose: str) -> str:
        if pose and pose not in kind.poses:
            known = ", ".join(kind.poses) or "none"
            raise TableError(f"a '{kind.id}' has no pose '{pose}'; it has: {known}")
        return pose or (kind.poses or ("",))[0]

    def _angle(self, site: Site, kind: PieceKind, pose: str, jitter: bool) -> float:
        """Angle in deg at which a hand lays a piece on a site."""
        around = math.degrees(math.atan2(site.at[1], site.at[0]))
        loose = float(self._rng.normal(0.0, 2.5)) if jitter else 0.0
        if pose in ("cw", "ccw"):
            # the sticker's upper edge points along the circle about the board's centre
            return around + (180.0 if pose == "cw" else 0.0) + 2.0 * loose
        if kind.shape == "card":
            return loose
        if site.size is not None and kind.size[0] != kind.size[1]:
            same = (site.size[0] >= site.size[1]) == (kind.size[0] >= kind.size[1])
            return (0.0 if same else 90.0) + loose
        return float(self._rng.uniform(-180.0, 180.0)) if jitter else 0.0

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
            self._site(name)
        keeps: dict[tuple[str, int], list[Piece]] = {}
        for site in self.box.sites:
            lying = self._columns(site)
            stay: set[int] = set()
            for number, column in enumerate(wanted.get(site, [])):
                looks = [(item.kind, item.pose) for item in column]
                best = max(lying, key=lambda c: _common(c, looks), default=[])
                same = _common(best, looks)
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
        # open faces first: they name their piece, a back takes any
        backs = {kind.back for kind in self.box.kinds.values()}
        fetched: dict[tuple[str, int, int], Piece] = {}
        for site, number, level, item in sorted(missing, key=lambda need: need[3].kind in backs):
            fetched[site, number, level] = self._fetch(item.kind, item.face != "down")
        for site, number, level, item in missing:
            place = self._site(site)
            piece = fetched[site, number, level]
            stack = keeps.setdefault((site, number), [])
            at = stack[-1].at if stack else self._free_slot(place, piece)
            stack.append(self._lay(piece, place, at, True, item.pose))


def _common(column: list[Piece], looks: list[_Look]) -> int:
    """How many pieces from the bottom are what is wanted."""
    same = 0
    for piece, (kind, pose) in zip(column, looks, strict=False):
        if piece.shows != kind or (pose and piece.pose != pose):
            break
        same += 1
    return same


def wanted_stacks(layout: Layout) -> dict[str, list[list[Item]]]:
    """The stacks of a layout side by side at every site, each the lowest item first."""
    sites: dict[str, list[Item]] = {}
    for item, count in layout.items():
        sites.setdefault(item.site, []).extend([item] * count)
    columns: dict[str, list[list[Item]]] = {}
    for site, items in sites.items():
        stacks: list[list[Item]] = [[]]
        # what nobody sees lies below what everybody sees
        items.sort(key=lambda item: (item.level, item.seen, item.kind, item.pose))
        for item in items:
            if not item.seen:
                stacks[0].append(item)
                continue
            fitting = (
                stack
                for stack in stacks
                if not stack or stack[-1].level < item.level or not stack[-1].seen
            )
            stack = next(fitting, None)
            if stack is None:
                stacks.append([item])
            else:
                stack.append(item)
        columns[site] = [stack for stack in stacks if stack]
    return columns
