"""The picture below a layout that is mapped: your own board, flattened, with its sites drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.boards.mapping import Mapping
from companion.words.errors import HeelstoneError
from rules.bounded import read_bytes
from rules.box import Box, Point
from rules.box.override import overridden
from vision.arrays import Picture
from vision.board.board_edge import BoardEdge, board_edge
from vision.board.flat_board import corner_stickers, flat_picture, measured_corners, with_corners
from vision.board.pose import BoardFinder, NoBoard
from vision.camera.lens import Lens
from vision.camera.picture_files import decoded

MOST_PX = 1100
"""Long side of the flattened picture, px."""
MOST_BYTES = 60 << 20

_LINE, _HALO, _WRONG, _RIM = (75, 194, 240), (20, 20, 20), (60, 90, 232), (230, 235, 240)


class BoardPictureError(HeelstoneError):
    """A picture shows no board that can be mapped; the message says why."""


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A board seen from straight above."""

    picture: Picture
    """Height × width × 3, blue-green-red."""
    board: Box
    """The box with corner stickers and size as they are in the picture."""
    px_per_mm: float

    def portrait(self) -> bytes:
        """The picture as a JPEG file."""
        _done, coded = cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        return coded.tobytes()

    def px(self, at: Point) -> tuple[float, float]:
        """Pixel of a point of the board, mm."""
        width, height = self.board.size
        return (
            (at[0] + width / 2) * self.px_per_mm - 0.5,
            (height / 2 - at[1]) * self.px_per_mm - 0.5,
        )


def read_picture(path: Path) -> Picture:
    """A picture file. Raises BoardPictureError, OSError."""
    if path.stat().st_size > MOST_BYTES:
        raise BoardPictureError("picture_too_large", file=path)
    image = decoded(read_bytes(path, MOST_BYTES))
    if image is None:
        raise BoardPictureError("no_picture", file=path)
    return image


def board_picture(
    image: Picture, box: Box, lens: Lens | None = None, *, across_mm: float = 0.0,
    measure: bool = True,
) -> BoardPicture:  # fmt: skip
    """Find the corner stickers of ``box`` in a picture and flatten the board between them.

    ``measure``: find out how far apart the stickers are, else ``box`` says so. ``across_mm``: the
    measured distance of the upper two; a picture alone knows it to 1 or 2 per cent. Raises
    BoardPictureError.
    """
    size = (image.shape[1], image.shape[0])
    board = box
    try:
        seen = corner_stickers(image, box)
        if measure:
            places = measured_corners(seen, box, size, lens)
            if across_mm:
                first, second = (np.array(places[c.id]) for c in box.corners[:2])
                factor = across_mm / float(np.linalg.norm(second - first))
                places = {i: (x * factor, y * factor) for i, (x, y) in places.items()}
            board = with_corners(box, places)
        finder = BoardFinder(board, None if lens is None else lambda _size: lens)
        pose = finder.find(seen, size)
    except NoBoard as error:
        raise BoardPictureError("board_not_found", reason=error) from error
    px_per_mm = MOST_PX / max(board.size)
    return BoardPicture(flat_picture(image, pose, board.size, px_per_mm), board, px_per_mm)


def found_edge(picture: Picture, mapping: Mapping) -> BoardEdge:
    """Edge of the board in a flattened picture of it, found by looking; its fields are where
    ``mapping`` has them. Raises BoxError if no board could have its stickers there."""
    box = overridden(mapping.box, replace(mapping.override, outline=()))
    return board_edge(picture, box)


def draw_layout(picture: BoardPicture, mapping: Mapping) -> Picture:
    """The flattened board with its outline and its layout; what blocks saving with a cross."""
    image = picture.picture.copy()
    wrong = {site for fault in mapping.faults() if fault.blocks for site in fault.sites}
    if mapping.outline:
        rim = np.round([picture.px(at) for at in mapping.outline]).astype(np.int32)
        for colour, width in ((_HALO, 5), (_RIM, 2)):
            cv2.polylines(image, [rim], True, colour, width, cv2.LINE_AA)
    for name in mapping.shown:
        place, site = mapping.places[name], mapping.box.sites[name]
        if not site.printed:
            continue
        x, y = (round(v) for v in picture.px(place.at))
        for colour, width in ((_HALO, 4), (_WRONG if name in wrong else _LINE, 2)):
            if place.size is None:
                radius = max(round(place.radius * picture.px_per_mm), 2)
                cv2.circle(image, (x, y), radius, colour, width, cv2.LINE_AA)
            else:
                w, h = (round(v * picture.px_per_mm / 2) for v in place.size)
                cv2.rectangle(image, (x - w, y - h), (x + w, y + h), colour, width, cv2.LINE_AA)
            if name in wrong:
                cv2.drawMarker(image, (x, y), colour, cv2.MARKER_TILTED_CROSS, 14, width)
            # OpenCV's letters are ASCII only.
            label = site.id.encode("ascii", "replace").decode()
            at = (x - 5 * len(label), y + 6)
            cv2.putText(image, label, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, width, cv2.LINE_AA)
    return np.asarray(image, dtype=np.uint8)
