"""Photographs with known truth, and what can befall a photograph."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, load_box
from vision.arrays import Grey, Picture, Points
from vision.board.pose import BoardFinder, BoardPose
from vision.camera.pi import SMALL_WIDTH
from vision.camera.sources import Frame, read_picture
from vision.pieces.sighting import Sighting
from vision.stickers.reader import StickerReader
from vision.tracker import Tracker

PICTURES = Path(__file__).parent / "pictures"
MATCH = Path(__file__).parents[3] / "../shared/photos/knizia_stonehenge"

GRAIN_SPARE = 32
"""Margin by which the noise of a photograph is larger than it, px."""

SOFT_PX = 112
"""Distance around a drawn hand within which its shadow and softened pixels lie, px."""

Change = Callable[[Picture, BoardPose], Picture]


@dataclass(frozen=True, eq=False)
class Scene:
    """A photograph and what it shows."""

    name: str
    image: Picture
    hand: bool
    table: dict[str, str]
    pose: BoardPose


def stonehenge() -> Box:
    """The box of all photographs here."""
    return load_box("knizia_stonehenge")


@lru_cache(maxsize=8)
def scene(name: str) -> Scene:
    """The photograph ``pictures/<name>.jpg``."""
    truth = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))
    entry = next(p for p in truth["pictures"] if p["picture"] == f"{name}.jpg")
    image = read_picture(PICTURES / f"{name}.jpg")
    size = (image.shape[1], image.shape[0])
    seen = StickerReader(stonehenge()).search(image, smallest_px=12)
    pose = BoardFinder(stonehenge()).find({s.id: s.corners for s in seen}, size)
    return Scene(name, image, entry["hand"], entry["table"], pose)


_FRAMES = count()


def look(tracker: Tracker, image: Picture, settled: bool = True) -> Sighting:
    """One look at a picture, a thirtieth of a second after the one before."""
    return tracker.look(Frame(image, 0, "picture", next(_FRAMES) / 30), settled)


def first_look(name: str, change: Change | None = None) -> Sighting:
    """First sighting of a photograph, changed or not."""
    shot = scene(name)
    image = shot.image if change is None else change(shot.image, shot.pose)
    return look(Tracker(stonehenge()), np.ascontiguousarray(image))


# -- what can befall a photograph ---------------------------------------------------------


def curve(function: Callable[[Points], Points]) -> Change:
    """Every pixel value through ``function``."""
    table = np.clip(function(np.arange(256, dtype=np.float64)), 0, 255).astype(np.uint8)
    return lambda image, pose: as_picture(cv2.LUT(image, table))


def as_picture(values: object) -> Picture:
    """Any array as a picture."""
    picture: Picture = np.clip(np.asarray(values), 0, 255).astype(np.uint8)
    return picture


def blurred(sigma: float) -> Change:
    """Out of focus."""
    return lambda image, pose: as_picture(cv2.GaussianBlur(image, (0, 0), sigma))


def noisy(sigma: float) -> Change:
    """A small sensor in the evening."""

    chance = np.random.default_rng(7)

    def change(image: Picture, pose: BoardPose) -> Picture:
        grain = _grain(image.shape, sigma)
        down, across = chance.integers(0, GRAIN_SPARE, 2)
        here = grain[down : down + image.shape[0], across : across + image.shape[1]]
        return as_picture(cv2.add(image, here, dtype=cv2.CV_8U))

    return change


@cache
def _grain(shape: tuple[int, ...], sigma: float) -> npt.NDArray[np.int16]:
    """Noise for every picture of a shape, a little larger, so that each shows another part."""
    rows, columns, channels = shape
    larger = (rows + GRAIN_SPARE, columns + GRAIN_SPARE, channels)
    noise = np.random.default_rng(7).standard_normal(larger, np.float32)
    return np.asarray(np.rint(sigma * noise), dtype=np.int16)


def packed(quality: int) -> Change:
    """Saved as JPEG."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return as_picture(cv2.imdecode(data, cv2.IMREAD_COLOR))

    return change


def turned(code: int) -> Change:
    """The camera mounted another way round."""
    return lambda image, pose: as_picture(cv2.rotate(image, code))


def scaled(width: int) -> Change:
    """A smaller sensor."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        height = image.shape[0] * width // image.shape[1]
        return as_picture(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))

    return change


def tilted(x: float, y: float, z: float) -> Change:
    """The camera turned by a few degrees about its own axes."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        inside = pose.lens.matrix
        turn = np.asarray(cv2.Rodrigues(np.radians([x, y, z]))[0])
        warp = inside @ turn @ np.linalg.inv(inside)
        size = (image.shape[1], image.shape[0])
        return as_picture(cv2.warpPerspective(image, warp, size, borderMode=cv2.BORDER_REPLICATE))

    return change


def shifted(dx: int, dy: int) -> Change:
    """The table was pushed."""
    return lambda image, pose: as_picture(np.roll(image, (dy, dx), axis=(0, 1)))


def painted_corner(sticker: int, colour: tuple[int, int, int], soft_px: float = 0.0) -> Change:
    """A corner sticker under paint (hard edge) or washed out by a reflection (soft)."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        corner = next(c for c in stonehenge().corners if c.id == sticker)
        half = corner.size * 0.7
        x, y = corner.at
        square = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half),
                           (x - half, y + half)])  # fmt: skip
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.round(pose.project(square)).astype(np.int32), 255)
        if soft_px:
            mask = as_picture(cv2.GaussianBlur(mask, (0, 0), soft_px))
        share = mask[..., None] / np.float32(255.0)
        return as_picture(image * (1 - share) + np.array(colour, np.float32) * share)

    return change


def covered_by(
    shape: str, colour: tuple[int, int, int], at: tuple[float, float], turn: float
) -> Change:
    """A drawn hand, sleeve or finger over the board at ``at`` (mm), with a soft shadow."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        scale = pose.px_per_mm()
        centre = pose.project(np.array([at]))[0]
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        along = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-along[1], along[0]])

        def part(dx: float, dy: float, a: float, b: float, angle: float = 0.0) -> None:
            x, y = centre + (along * dx + across * dy) * scale
            cv2.ellipse(
                mask, (round(x), round(y)), (round(a * scale), round(b * scale)),
                np.degrees(turn) + angle, 0, 360, 255, -1,
            )  # fmt: skip

        if shape == "hand":
            part(0, 0, 38, 28)
            part(-95, 0, 70, 26)
            part(10, 38, 22, 8, 40)
            for finger in range(4):
                part(55, -24 + 16 * finger, 32, 6.5, (finger - 1.5) * 6)
        elif shape == "sleeve":
            part(-60, 0, 120, 40)
        else:
            part(0, 0, 35, 7)
        shadow = np.roll(mask, (25, -20), (0, 1))
        # Beyond the shadow the picture stays as it is; most of it need not be reckoned with.
        x, y, width, height = cv2.boundingRect(mask | shadow)
        rows = slice(max(0, y - SOFT_PX), y + height + SOFT_PX)
        columns = slice(max(0, x - SOFT_PX), x + width + SOFT_PX)
        mask, shadow = mask[rows, columns], shadow[rows, columns]
        shade = cv2.GaussianBlur(shadow, (0, 0), 18) / np.float32(510.0)
        inner = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / (12 * scale)
        light = 0.75 + 0.25 * np.minimum(np.asarray(inner), 1)
        share = cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None] / np.float32(255.0)
        below = image[rows, columns] * (1 - shade[..., None])
        picture = image.copy()
        picture[rows, columns] = as_picture(
            below * (1 - share) + share * np.array(colour) * light[..., None]
        )
        return picture

    return change


def small_stream(image: Picture) -> Grey:
    """The small stream of a Pi camera beside a picture."""
    height, width = image.shape[:2]
    size = (SMALL_WIDTH, round(SMALL_WIDTH * height / width / 2) * 2)
    grey = np.ascontiguousarray(image[:, :, 1])
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
