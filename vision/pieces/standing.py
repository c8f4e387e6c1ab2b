"""Stickers to the pieces that carry them, the sites they stand on, and how high they lie.

Stickers stand above the board by the height of their piece. Where pieces may be piled up, that
height is found from the sticker's size in the picture: nearer to the camera it looks larger.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from rules.box import Box, PieceKind, Site
from vision.arrays import Bools, Points
from vision.board.masks import Masks
from vision.board.pose import BoardPose
from vision.pieces.known_places import KnownPlaces
from vision.pieces.sighting import SeenPiece, pose_of
from vision.stickers.direct import LEAST_PX_PER_MODULE
from vision.stickers.reader import SeenSticker

SITE_SLACK_MM = 3.0
"""Pieces this far outside a site still belong to it; hands are not rulers."""
SMALLEST, LARGEST = 0.75, 1.3
"""Ratio of a sticker's side in the plane of its piece to its true side; beyond it, the sticker is
another piece's, or held up in a hand."""
OBLONG = 1.5
"""A sticker is square: if one side is this many times as long as another, part of a sticker was
taken for another one."""
CORNER_DOUBT_PX = 0.4
"""Doubt about the side of a sticker in the picture."""
LIFT_DOUBTS = 2.5
"""A pile is believed from this many times that doubt."""
NEXT = [1, 2, 3, 0]
"""A sticker's corners in order, from the one after the first."""
PILE_LEAN = 0.12
"""Most distance of the top of a pile from its site, per mm of height."""


class Standing:
    """Turns stickers into the pieces of one box, each with the place where it stands."""

    def __init__(
        self, box: Box, masks: Masks, places: KnownPlaces, piled: frozenset[str]
    ) -> None:  # fmt: skip
        """``piled``: kinds that may lie on each other."""
        self._box, self._masks, self._places, self._piled = box, masks, places, piled

    def place(self, pose: BoardPose, stickers: Iterable[SeenSticker]) -> list[SeenPiece]:
        """The pieces that stickers belong to and where they stand; corner stickers have none."""
        kinds = self._box.kind_of_sticker
        known = [sticker for sticker in stickers if sticker.id in kinds]
        if not known:
            return []
        heights = [_height(kinds[sticker.id], sticker.id) for sticker in known]
        px = np.concatenate([sticker.corners for sticker in known])
        every = pose.on_board(px, np.repeat(heights, 4)).reshape(-1, 4, 2)
        pieces = (self._piece(pose, *one) for one in zip(known, heights, every, strict=True))
        return [piece for piece in pieces if piece is not None]

    def _piece(
        self, pose: BoardPose, sticker: SeenSticker, height: float, corners: Points
    ) -> SeenPiece | None:
        """The piece with a sticker whose ``corners`` (4 × 2 mm) are ``height`` mm above the board,
        if it is not piled up."""
        kind = self._box.kind_of_sticker[sticker.id]
        lying = sticker.id in kind.lying_stickers
        sides = _sides(corners)
        if max(sides) > OBLONG * min(sides):
            return None
        side = sum(sides) / 4
        if not SMALLEST < side / kind.sticker_mm < LARGEST:
            return None
        if self._places.px_per_module(pose, kind, (0.0, 0.0)) < LEAST_PX_PER_MODULE:
            return None
        lift = 0.0
        if kind.id in self._piled:
            lift = _lift(pose, kind, height, side, _side(sticker.corners))
            height += lift
            corners = pose.on_board(sticker.corners, height)
        x, y = zip(*corners.tolist(), strict=True)
        at = (sum(x) / 4, sum(y) / 4)
        site = self._box.site_at(at, kind.group, SITE_SLACK_MM + PILE_LEAN * lift)
        if site is None and kind.id in self._piled:
            site = self._site_below(pose, kind, sticker, height - lift)
        # Away from the sites for such a piece, a mere likeness is no evidence.
        if site is None and not sticker.sure:
            return None
        name = site.id if site is not None else None
        cells = self._masks.cells(pose, kind, corners, height) if kind.cells else ()
        body = (
            np.concatenate(cells) if cells
            else self._masks.body(pose, kind, corners, height, lying)
        )  # fmt: skip
        stands = pose_of(kind, sticker.id, at, corners)
        return SeenPiece(
            kind.id, sticker.id, at, name, corners, sticker.corners, body, stands, height, cells
        )

    def piles(self, pose: BoardPose, pieces: Iterable[SeenPiece]) -> list[tuple[Points, float]]:
        """The body of each piece that may lie on others (mm), and how high above the first one it
        may lie, in mm. A pile too low to be recognised by its sticker still casts shade."""
        return [
            (
                piece.body_mm,
                max(
                    piece.height_mm - self._box.kinds[piece.kind].height,
                    _lift_doubt(pose, piece.height_mm, _side(piece.corners_px)),
                ),
            )
            for piece in pieces
            if piece.kind in self._piled
        ]

    def _site_below(
        self, pose: BoardPose, kind: PieceKind, sticker: SeenSticker, height: float
    ) -> Site | None:
        """The site of the pile under a piece that seems to lie beside every site.

        A pile leans away from the camera before its sticker tells how high it is; of the heights
        that its size leaves open, the likeliest one above a site is used. ``height``: alone, mm.
        """
        side = _side(pose.on_board(sticker.corners, height))
        guess = (float(pose.eye[2]) - height) * (1 - kind.sticker_mm / side)
        doubt = _lift_doubt(pose, height, _side(sticker.corners))
        lifts = (layer * kind.height for layer in range(1, kind.count))
        for lift in sorted(
            (z for z in lifts if abs(z - guess) < doubt), key=lambda z: abs(z - guess)
        ):
            x, y = pose.on_board(sticker.corners, height + lift).mean(axis=0)
            site = self._box.site_at((float(x), float(y)), kind.group, SITE_SLACK_MM)
            if site is not None:
                return site
        return None


def once(pieces: Iterable[SeenPiece]) -> list[SeenPiece]:
    """Each piece once, although the parts of the picture that were read overlap."""
    kept: list[SeenPiece] = []
    for piece in pieces:
        like = [other for other in kept if other.sticker == piece.sticker]
        if not (like and _same_place(piece, like)):
            kept.append(piece)
    return kept


def in_place_of(pieces: Sequence[SeenPiece]) -> Bools:
    """Pairs of different stickers read in one place: true at [a, b] if that of piece b was read
    where that of piece a was, n × n."""
    corners = np.stack([piece.corners_px for piece in pieces])
    middle = corners.mean(axis=1)
    edges, between = corners[:, NEXT] - corners, middle[:, None] - middle
    side = np.sqrt(np.einsum("nkx,nkx->nk", edges, edges)).mean(axis=1)
    apart = np.sqrt(np.einsum("abx,abx->ab", between, between))
    sticker = np.array([piece.sticker for piece in pieces])
    return np.asarray((apart < side[:, None] / 3) & (sticker[:, None] != sticker), dtype=np.bool_)


def _same_place(piece: SeenPiece, others: Sequence[SeenPiece]) -> bool:
    """True if the sticker of one of ``others`` was read where that of ``piece`` was."""
    middle, near = piece.corners_px.mean(axis=0), _side(piece.corners_px) / 3
    return any(
        float(np.linalg.norm(other.corners_px.mean(axis=0) - middle)) < near for other in others
    )


def _height(kind: PieceKind, sticker: int) -> float:
    """Height of a sticker on a piece that is alone, mm; the back sticker of a piece that lies is as
    high as the piece is thick."""
    return min(kind.size) if sticker in kind.lying_stickers else kind.height


def _lift(pose: BoardPose, kind: PieceKind, height: float, side: float, side_px: float) -> float:
    """Height that a piece gains on a pile of its like, compared with alone, in mm.

    ``side``: of its sticker in mm if it were ``height`` mm above the board; ``side_px``: in the
    picture.
    """
    lift = (float(pose.eye[2]) - height) * (1 - kind.sticker_mm / side)
    highest = (kind.count - 1) * kind.height
    # A lift within the doubt of the corners' pixels is not worth a guess.
    sure = lift > _lift_doubt(pose, height, side_px)
    return min(lift, highest) if sure else 0.0


def _lift_doubt(pose: BoardPose, height: float, side_px: float) -> float:
    """Least height of a pile that its sticker's size in the picture can tell, in mm."""
    down = float(pose.eye[2]) - height
    return LIFT_DOUBTS * down * CORNER_DOUBT_PX / max(side_px, 1.0)


def _side(corners: Points) -> float:
    """Mean side of a square, 4 × 2."""
    return sum(_sides(corners)) / 4


def _sides(corners: Points) -> tuple[float, float, float, float]:
    one, two, three, four = corners.tolist()
    return math.dist(one, two), math.dist(two, three), math.dist(three, four), math.dist(four, one)
