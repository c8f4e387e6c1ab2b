"""Colours of things, separated from the colours of lamps.

A colour is named by its place in CIELAB after the lamp has been taken out of it: slow changes
of brightness over the board are known from the board itself (``appearance``), and the colour of
the lamp from the white rims of the corner stickers, each channel by its own factor (J. von Kries,
1902). Distances count lightness less than hue: the sides of a piece are darker than its top, and
no lamp is where the last one was.

CIELAB: CIE 15:2004, with the white of sRGB.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Floats, Picture, Points, floats
from vision.board.appearance import BoardAppearance
from vision.board.flattening import LINEAR
from vision.board.pose import BoardPose

PAPER = 0.82
"""Linear light of white paper under a light that makes a perfect white 1."""
LIGHTNESS = 0.5
"""Weight of a difference in lightness relative to one in hue."""
SPREAD = 7.0
"""Deviation of a piece's colour from its class, in weighted Lab units."""
RATE = 0.2
"""Share of a new observation in what is learnt of a class."""
STRAYS_TO = 28.0
"""A class never drifts further than this from where it began."""
GLOSS = 0.018
"""Linear light that even black things reflect."""
RIM_AT = 7 / 6
"""Middle of a sticker's white rim: side of that square per side of the black one."""
LEAST_RIMS = 2

_XYZ: Floats = floats(
    [[0.180481, 0.357584, 0.412391], [0.072192, 0.715169, 0.212639], [0.950532, 0.119195, 0.019331]]
)
"""Linear blue, green, red to XYZ (IEC 61966-2-1, columns in OpenCV's order)."""
_WHITE: Floats = floats(_XYZ.sum(axis=1))


def linear(picture: Picture) -> Floats:
    """Pixel values as linear light, 0 to 1; the same shape."""
    return floats(LINEAR[picture])


def lab(light: Floats) -> Floats:
    """CIELAB of linear light … × 3 (blue, green, red; white is 1) → … × 3."""
    share = np.maximum(light @ _XYZ.T, 0) / _WHITE
    bent = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return floats(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1))


def apart(one: Floats, other: Floats) -> Floats:
    """Weighted distances of Lab colours, … × 3 each → …."""
    gap = one - other
    return floats(np.sqrt((LIGHTNESS * gap[..., 0]) ** 2 + gap[..., 1] ** 2 + gap[..., 2] ** 2))


def paper_white(box: Box, image: Picture, pose: BoardPose, appearance: BoardAppearance) -> Floats:
    """The look of a perfect white in this light, freed of unevenness: (3,).

    From the white rims of the corner stickers; if too few can be seen, from the board's own
    colours, trusting the printer. To be called after ``appearance.compare``.
    """
    board = appearance.lamp
    seen_rims = _seen_rims(box, image, pose)
    if seen_rims is None:
        return board
    mm, seen = seen_rims
    bare = appearance.unlit(seen, mm).reshape(len(box.corners), -1, 3)
    rims = np.median(bare, axis=1) / PAPER
    # A corner below a hand or in a reflection is no reference: the most alike are used.
    plain = rims.mean(axis=1)
    middle = float(np.median(plain))
    good = rims[np.abs(plain - middle) < 0.25 * middle]
    likely = np.abs(np.log(np.maximum(good, 1e-3) / np.maximum(board, 1e-3))).max(axis=1) < 0.9
    good = good[likely] if len(good) else good
    return board if len(good) < LEAST_RIMS else floats(np.median(good, axis=0))


def rim_light(box: Box, image: Picture, pose: BoardPose) -> Floats | None:
    """The look of a perfect white in a picture, by the white rims of the corner stickers: (3,);
    None if they are not all in the picture."""
    rims = _seen_rims(box, image, pose)
    if rims is None:
        return None
    each = np.median(rims[1].reshape(len(box.corners), -1, 3), axis=1)
    return floats(np.median(each, axis=0) / PAPER)


def _seen_rims(box: Box, image: Picture, pose: BoardPose) -> tuple[Points, Floats] | None:
    """Points on the rims of the corner stickers (n × 2 mm), one after another, and their linear
    light (n × 3); None if they are not all in the picture."""
    mm = np.concatenate([_rim(corner.at, corner.size * RIM_AT) for corner in box.corners])
    px = pose.project(mm)
    height, width = image.shape[:2]
    if not bool(((px >= 1) & (px < (width - 2, height - 2))).all()):
        return None
    grid = floats(px.reshape(-1, 1, 2))
    seen = cv2.remap(image, grid, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    return mm, linear(np.asarray(seen).reshape(-1, 3))


def light_of(text: str) -> Floats:
    """Linear light (blue, green, red) that a thing of colour ``#rrggbb`` returns of white light
    1, its gloss included: (3,)."""
    blue, green, red = int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)
    return floats(linear(np.array([blue, green, red], dtype=np.uint8)) + GLOSS)


class ColourClasses:
    """The colours that pieces of one box come in, by name; they learn."""

    def __init__(self, colours: Mapping[str, str]) -> None:
        """``colours``: name → ``#rrggbb`` as in the box, where learning begins."""
        self._start = {name: lab(light_of(text)) for name, text in colours.items()}
        self.forget()

    def forget(self) -> None:
        """Back to the colours of the box."""
        self._mean = dict(self._start)

    @property
    def names(self) -> tuple[str, ...]:
        """All classes."""
        return tuple(self._start)

    def mean(self, name: str) -> Floats:
        """Lab of a class, (3,)."""
        return self._mean[name]

    def learn(self, name: str, seen: Floats, rate: float = RATE) -> None:
        """Learn that a thing of class ``name`` was seen in colour ``seen`` (Lab, (3,))."""
        now = self._mean[name] + rate * (seen - self._mean[name])
        off = now - self._start[name]
        far = float(apart(now, self._start[name]))
        self._mean[name] = floats(self._start[name] + off * min(1.0, STRAYS_TO / max(far, 1e-6)))

    def likelihoods(self, seen: Floats, names: Iterable[str]) -> dict[str, float]:
        """Log likelihood of colour ``seen`` (Lab, (3,)) per class, not normalised."""
        return {name: -0.5 * (float(apart(seen, self._mean[name])) / SPREAD) ** 2 for name in names}


def _rim(at: tuple[float, float], side: float) -> Points:
    """Points along the rim of a square, n × 2 mm; not its corners, where cutters slip."""
    steps = np.linspace(-0.4, 0.4, 9) * side
    edge = np.full(9, side / 2)
    sides = [
        np.column_stack([steps, edge]), np.column_stack([steps, -edge]),
        np.column_stack([edge, steps]), np.column_stack([-edge, steps]),
    ]  # fmt: skip
    return np.asarray(np.concatenate(sides) + np.array(at))
