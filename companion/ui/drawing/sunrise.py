"""The great trilithon at sunrise, below which winners are honoured, drawn to any size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from kivy.graphics.texture import Texture

from companion.presentation.theme import tokens as theme

Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]
Point = tuple[float, float]

_BITS = 4
"""Binary digits of a px in the places of corners, for soft edges."""


class Honour(NamedTuple):
    """The place below the lintel, px from the lower left of the picture."""

    x: float
    y: float
    radius: float


def honour(width: float, height: float) -> Honour:
    """The place of the winner's face in a picture of this size."""
    unit = _unit(width, height)
    # A wide picture has words below it, a tall one keys as well.
    return Honour(width / 2, height * (0.44 if width > height else 0.5) + unit * 6, unit * 68)


@lru_cache(maxsize=4)
def sunrise(size: tuple[int, int], name: str, *, risen: bool, wreath: bool) -> Any:
    """The picture in the theme of this name, as a texture; ``risen``: the sun is; ``wreath``: gold
    leaves are around the place of honour."""
    pixels = _painted(size, (theme.SUNRISE if risen else theme.DUSK)[name], wreath=wreath)
    texture = Texture.create(size=size, colorfmt="rgb")
    # A texture begins at the bottom.
    texture.blit_buffer(
        np.ascontiguousarray(pixels[::-1]).tobytes(), colorfmt="rgb", bufferfmt="ubyte"
    )
    return texture


def _unit(width: float, height: float) -> float:
    """px of a unit: the trilithon is 270 of them wide, and 310 high."""
    return min(width / 320, height / 440)


def _painted(size: tuple[int, int], light: theme.Daylight, *, wreath: bool) -> Pixels:
    """Rows of red, green and blue, from the top."""
    wide, high = size
    place, unit = honour(wide, high), _unit(wide, high)
    # From here on y goes down, as in pictures.
    x, y = place.x, high - place.y
    foot = y + 150 * unit
    canvas = _sky(wide, high, light, (x, y + 66 * unit), unit)
    _stones_far_away(canvas, light, x, foot, unit)
    _trilithon(canvas, light, (x, y), unit)
    _hill(canvas, light, foot, unit)
    if wreath:
        _wreath(canvas, light, (x, y), place.radius * 1.2, unit)
    return canvas


def _tone(colour: str) -> Floats:
    return np.array([part * 255 for part in theme.rgba(colour)[:3]], dtype=np.float32)


def _ink(tone: Floats) -> list[float]:
    return [float(part) for part in tone]


def _fixed(corners: Sequence[Point]) -> npt.NDArray[np.int32]:
    return np.array([[round(c * 2**_BITS) for c in corner] for corner in corners], dtype=np.int32)


def _fill(canvas: Any, corners: Sequence[Point], ink: list[float]) -> None:
    cv2.fillPoly(canvas, [_fixed(corners)], ink, lineType=cv2.LINE_AA, shift=_BITS)


def _sky(wide: int, high: int, light: theme.Daylight, sun: Point, unit: float) -> Pixels:
    """A slope of colours, a glow around the sun, and rays."""
    x = np.arange(wide, dtype=np.float32)[None, :] - sun[0]
    y = np.arange(high, dtype=np.float32)[:, None] - sun[1]
    down, away = np.clip(1 + y / max(sun[1], 1), 0, 1) ** 1.6, np.hypot(x, y) / unit
    rays = np.clip(np.sin(np.arctan2(y, x) * 26) * 4, -1, 1) * 0.5 + 0.5
    rays = rays * light.rays * np.clip(1 - away / 420, 0, 1)
    warm = np.clip(np.exp(-away / 105) * 1.15 + rays, 0, 1)[..., None]
    colours = _tone(light.high) + (_tone(light.low) - _tone(light.high)) * down[..., None]
    colours = colours + (_tone(light.sun) - colours) * warm
    # Grains hide the steps of eight bits.
    grains = np.random.default_rng(5).random((high, wide, 1), dtype=np.float32)
    return np.asarray(np.clip(colours + grains, 0, 255), dtype=np.uint8)


def _stones_far_away(
    canvas: Pixels, light: theme.Daylight, x: float, foot: float, unit: float
) -> None:
    """The rest of the circle, small on the horizon."""
    ink, reach = _ink(_tone(light.far)), canvas.shape[1] / unit / 2
    for number in range(-12, 13):
        at = number * 44 + 14 * math.sin(number * 2.4)
        if abs(at) > reach + 20:
            continue
        tall, half = 46 + 9 * math.sin(number * 1.7), 8 + 2 * math.cos(number)
        left, right = x + (at - half) * unit, x + (at + half) * unit
        top = foot - tall * unit
        _fill(canvas, [(left, foot), (left + unit, top), (right - unit, top), (right, foot)], ink)
        if number % 3 == 0:
            high, end = top - 9 * unit, right + 30 * unit
            _fill(canvas, [(left - unit, top), (left, high), (end, high), (end, top)], ink)


def _hill(canvas: Pixels, light: theme.Daylight, foot: float, unit: float) -> None:
    high, wide = canvas.shape[:2]
    rise = [(x, foot - 18 * unit * math.sin(math.pi * x / wide)) for x in range(0, wide + 8, 8)]
    _fill(canvas, [(0, high), *rise, (wide, high)], _ink(_tone(light.ground)))


def _trilithon(canvas: Pixels, light: theme.Daylight, middle: Point, unit: float) -> None:
    """Two uprights and a lintel, lit by the sun behind them, with the grain of stone."""
    x, y = middle
    high, wide = canvas.shape[:2]
    mask = np.zeros((high, wide), dtype=np.uint8)
    for part in _STONES:
        _fill(mask, [(x + a * unit, y + b * unit) for a, b in part], [255])
    across = (np.abs(np.arange(wide, dtype=np.float32) - x) / unit)[None, :]
    down = ((np.arange(high, dtype=np.float32) - y) / unit)[:, None]
    upright = down > _LINTEL
    inner = np.exp(-np.abs(across - 72) / 13) * upright
    below = np.exp(-np.abs(down - _LINTEL) / 9) * ~upright * np.clip((84 - across) / 22, 0, 1)
    above = np.exp(-np.abs(down + 155) / 7) * 0.16
    # The lintel is wider, and darkens what it lies on.
    shade = 1 - 0.5 * np.exp(-np.clip(down - _LINTEL, 0, None) / 12) * upright
    stone = _tone(light.stone) * (0.8 + 0.4 * _grain(high, wide, unit) * shade)[..., None]
    stone = stone + (_tone(light.sun) - stone) * (np.clip(inner + below, 0, 1) * 0.36)[..., None]
    stone = stone * shade[..., None] + 255 * above[..., None]
    seen = (mask.astype(np.float32) / 255)[..., None]
    canvas[:] = np.clip(canvas + (stone - canvas) * seen, 0, 255).astype(np.uint8)


_LINTEL = -99.0
"""Lower edge of the lintel, units below the middle."""
_STONES = (
    ((-133, -100), (-74, -100), (-70, 160), (-124, 160)),
    ((133, -100), (74, -100), (70, 160), (124, 160)),
    ((-140, -150), (-132, -157), (131, -155), (141, -148), (144, -101), (-145, -99)),
)


def _grain(high: int, wide: int, unit: float) -> Floats:
    """Soft noise of three sizes, 0 to 1, the same every time."""
    chance = np.random.default_rng(7)
    found = np.zeros((high, wide), dtype=np.float32)
    for size, share in ((26, 0.5), (9, 0.3), (2.5, 0.2)):
        side = max(size * unit, 1)
        rough = chance.random((round(high / side) + 2, round(wide / side) + 2), dtype=np.float32)
        found += share * cv2.resize(rough, (wide, high), interpolation=cv2.INTER_LINEAR)
    return found


_LEAVES = 13
"""Pairs of leaves on a side of the wreath."""


def _wreath(canvas: Pixels, light: theme.Daylight, middle: Point, ring: float, unit: float) -> None:
    """Leaves of gold from below on both sides, open at the top."""
    gold = _tone(light.gold)
    dark, bright = _ink(gold * 0.6), _ink(gold + (255 - gold) * 0.35)
    for side in (-1, 1):
        arc = [math.radians(90 + side * (6 + 143 * part / 40)) for part in range(41)]
        stem = [(middle[0] + ring * math.cos(a), middle[1] + ring * math.sin(a)) for a in arc]
        thick = max(round(2.2 * unit), 1)
        cv2.polylines(canvas, [_fixed(stem)], False, dark, thick, cv2.LINE_AA, _BITS)
        for number in range(_LEAVES):
            turn = 90 + side * (12 + 138 * number / (_LEAVES - 1))
            for out, lean, ink in ((8, 34, bright), (-8, -38, _ink(gold))):
                away, angle = ring + out * unit, math.radians(turn)
                at = (middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle))
                leaf = _leaf(at, turn + side * (90 - lean), unit)
                _fill(canvas, leaf, ink)
                cv2.polylines(canvas, [_fixed(leaf)], True, dark, 1, cv2.LINE_AA, _BITS)


def _leaf(at: Point, way: float, unit: float) -> list[Point]:
    """Corners of a leaf that points this way (degrees)."""
    ahead = (math.cos(math.radians(way)), math.sin(math.radians(way)))
    rounds = [2 * math.pi * part / 24 for part in range(24)]
    # Pointed at both ends.
    along = [(11.5 * math.cos(a), 5.2 * math.sin(a) * abs(math.sin(a)) ** 0.35) for a in rounds]
    return [
        (at[0] + (a * ahead[0] - b * ahead[1]) * unit, at[1] + (a * ahead[1] + b * ahead[0]) * unit)
        for a, b in along
    ]
