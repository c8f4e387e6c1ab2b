"""A hand with its arm, seen from above: drawn once, then laid over the picture in perspective.

The hand is modelled as a height field of tapered rods (bones with flesh) and lit like clay, so
that it looks round. Its own axes are millimetres: thumb and forefinger meet at the origin, the
arm goes off towards -y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from companion.simulator.board_art import bgr, mottle
from companion.simulator.objects import Floats, Hand, Image, Light
from companion.simulator.piece_art import Expose, Patch, Project

_PX_PER_MM = 2.5
LEFT_MM = 75.0
"""Half the width of the hand's picture, mm."""
_FRONT_MM = 22.0
REACH_MM = 760.0
"""Length of arm that is drawn, from the fingertips."""
_BEYOND = 48
"""Margin around the hand, px, so that blurring does not notice where it is cut."""
_RISE = 0.16
"""Rise of the arm towards the elbow, mm per mm."""
_CUFF_MM = 172.0

_Rod = tuple[float, float, float, float]
"""x, y, height and radius of a joint in mm."""

_FINGERS: tuple[tuple[_Rod, ...], ...] = (
    ((37, -84, 27, 10), (45, -58, 31, 8.6), (44, -38, 22, 7.6), (39, -24, 11, 6.6)),
    ((22, -75, 31, 11), (30, -41, 37, 9.4), (30, -17, 26, 8.2), (25, -2, 13, 7.2)),
    ((5, -71, 33, 11.5), (13, -33, 40, 9.8), (14, -7, 28, 8.6), (10, 8, 13, 7.6)),
    ((-34, -96, 16, 15), (-41, -68, 15, 11.5), (-29, -34, 12, 10), (-11, -7, 8, 8.2)),
    ((-12, -77, 33, 11), (-10, -41, 39, 9.6), (-4, -16, 26, 8.4), (0, -1, 12, 7.4)),
)
"""Joints of the little, ring and middle finger, the thumb, and the forefinger."""
_PALM: tuple[tuple[_Rod, _Rod], ...] = (
    ((12, -150, 18, 25), (37, -88, 20, 16)),
    ((11, -150, 19, 26), (22, -80, 24, 16)),
    ((9, -150, 20, 26), (5, -78, 25, 17)),
    ((7, -150, 19, 25), (-12, -82, 24, 16)),
    ((2, -146, 15, 23), (-32, -100, 12, 17)),
    ((9, -215, 18, 27), (9, -140, 18, 26)),
)


def draw_hand(
    hand: Hand,
    project: Project,
    light: Light,
    expose: Expose,
    blur: float,
    frame: tuple[int, int],
) -> tuple[Patch | None, Patch | None]:
    """Shadow and hand as patches, in the order to lay them; None where out of the picture.

    ``frame``: width and height of the picture in px; ``blur``: deviation in px.
    """
    turn = 30 * round((light.from_deg - hand.from_deg) / 30)
    picture = hand_picture(hand.sleeve, turn)
    corners = hand_corners(hand)
    lean = np.array(light.cast)
    fallen = corners.copy()
    fallen[:, :2] += corners[:, 2:] * lean
    fallen[:, 2] = 0.0
    scale = _scale(project(corners), picture)
    return (
        _shadow(picture[:, :, 3], project(fallen), scale, frame),
        _solid(picture, project(corners), expose, blur, frame),
    )


def hand_corners(hand: Hand) -> Floats:
    """Board mm (4, 3) of the picture's corners: upper left, right, lower right, left."""
    turn = math.radians(hand.from_deg + 90.0)
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    own = np.array(
        [
            [-LEFT_MM, _FRONT_MM],
            [LEFT_MM, _FRONT_MM],
            [LEFT_MM, -REACH_MM],
            [-LEFT_MM, -REACH_MM],
        ]
    )
    flat = own * hand.size @ spin + (hand.x_mm, hand.y_mm)
    return np.column_stack([flat, np.maximum(hand.z_mm - own[:, 1] * hand.size * _RISE, 2.0)])


@lru_cache(maxsize=16)
def hand_picture(sleeve: str, lamp_deg: int) -> Image:
    """The hand from above: premultiplied BGR and cover, (h, w, 4) uint8.

    ``lamp_deg``: direction of the lamp relative to the arm's own direction.
    """
    columns = round(2 * LEFT_MM * _PX_PER_MM)
    rows = round((REACH_MM + _FRONT_MM) * _PX_PER_MM)
    x = ((np.arange(columns) + 0.5) / _PX_PER_MM - LEFT_MM)[None, :].astype(np.float32)
    y = (_FRONT_MM - (np.arange(rows) + 0.5) / _PX_PER_MM)[:, None].astype(np.float32)
    angle = math.radians(lamp_deg - 90.0)
    lamp = (0.55 * math.cos(angle), 0.55 * math.sin(angle), 0.835)
    skin_rows = round((_CUFF_MM + 12 + _FRONT_MM) * _PX_PER_MM)
    picture = np.zeros((rows, columns, 4), np.float32)
    _paint_skin(picture[:skin_rows], x, y[:skin_rows], lamp)
    _paint_sleeve(picture, x, y, bgr(sleeve), lamp)
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def _rods(joints: Sequence[_Rod], x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Height field and depth inside the outline (both mm) of a chain of tapered rods."""
    height = np.full(np.broadcast_shapes(x.shape, y.shape), -60.0, np.float32)
    inside = np.full(height.shape, -60.0, np.float32)
    for (x0, y0, z0, r0), (x1, y1, z1, r1) in pairwise(joints):
        dx, dy = x1 - x0, y1 - y0
        share = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        away = np.hypot(x - x0 - share * dx, y - y0 - share * dy)
        radius = r0 + share * (r1 - r0)
        arch = np.sqrt(np.clip(1.0 - (away / radius) ** 2, 0.0, 1.0)) * radius
        height = np.where(away < radius, np.maximum(height, z0 + share * (z1 - z0) + arch), height)
        inside = np.maximum(inside, radius - away)
    return height, inside


def _paint_skin(picture: Floats, x: Floats, y: Floats, lamp: tuple[float, float, float]) -> None:
    palm = [_rods(pair, x, y) for pair in _PALM]
    height = np.max([part[0] for part in palm], axis=0)
    inside = np.max([part[1] for part in palm], axis=0)
    nails = np.zeros(height.shape, np.float32)
    groove = np.zeros(height.shape, np.float32)
    for joints in _FINGERS:
        own, within = _rods(joints, x, y)
        above = own > height
        nails[above] = 0.0
        # where a finger lies over another one its outline shows as a soft dark line
        rim = np.clip(1.0 - np.abs(within) / 1.6, 0.0, 1.0) * (inside > 1.0) * (own < 48)
        fade = np.clip((y + 86.0) / 26.0, 0.0, 1.0)
        groove = np.maximum(np.where(above, groove * 0.4, groove), rim * fade)
        if joints is not _FINGERS[3]:
            nails = np.maximum(nails, _nail(joints[-2], joints[-1], x, y) * (own >= height - 1))
        height, inside = np.maximum(height, own), np.maximum(inside, within)
    mask = np.clip(inside * _PX_PER_MM + 0.5, 0.0, 1.0)
    gain = _clay(height, mask, lamp, 1.5)
    freckle = 0.012 * mottle((height.shape[0], height.shape[1]), (22.0, 7.0, 2.0), 3)
    rounding = np.clip(inside / 7.0, 0.0, 1.0)
    skin = np.array([132.0, 164.0, 214.0]) * (1.0 + freckle[:, :, None])
    # thin flesh at the outline lets light through: redder there
    flush = (1.0 - rounding)[:, :, None] * np.array([-0.13, -0.10, 0.0])
    knuckle = np.zeros(height.shape, np.float32)
    for finger in _FINGERS:
        for joint in finger[:2]:
            near = np.hypot(x - joint[0], y - joint[1]) / (joint[3] * 0.9)
            knuckle = np.maximum(knuckle, np.exp(-(near**2)))
    warm = knuckle[:, :, None] * np.array([-0.05, -0.035, 0.0])
    colour = skin * (1.0 + flush + warm) * gain[:, :, None] * (1.0 - 0.30 * groove[:, :, None])
    pale = np.array([176.0, 190.0, 226.0]) * np.minimum(gain + 0.08, 1.2)[:, :, None]
    colour += (pale - colour) * (0.75 * nails)[:, :, None]
    picture[:, :, :3] = np.clip(colour, 0, 255) * mask[:, :, None]
    picture[:, :, 3] = 255.0 * mask


def _nail(joint: _Rod, tip: _Rod, x: Floats, y: Floats) -> Floats:
    dx, dy = tip[0] - joint[0], tip[1] - joint[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    along = (x - tip[0]) * ux + (y - tip[1]) * uy - 1.2
    across = -(x - tip[0]) * uy + (y - tip[1]) * ux
    edge = (np.abs(along) / 4.9) ** 2.6 + (np.abs(across) / (tip[3] * 0.56)) ** 2.6
    share: Floats = np.clip((1.0 - edge) * 2.2, 0.0, 1.0)
    return share


def _clay(height: Floats, mask: Floats, lamp: tuple[float, float, float], soft_mm: float) -> Floats:
    """Brightness of a height field under the lamp, about 1 on level ground."""
    soft = soft_mm * _PX_PER_MM
    share = mask.astype(np.float32)
    # only flesh is averaged, otherwise the outline would sag
    weight = np.maximum(cv2.GaussianBlur(share, (0, 0), soft), 1e-3)
    smooth = cv2.GaussianBlur((height * share).astype(np.float32), (0, 0), soft) / weight
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8.0 * _PX_PER_MM
    slope_y = -cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8.0 * _PX_PER_MM
    steep = np.sqrt(1.0 + slope_x**2 + slope_y**2)
    facing = (-slope_x * lamp[0] - slope_y * lamp[1] + lamp[2]) / steep
    gain: Floats = 0.50 + 0.60 * np.clip(facing, 0.0, 1.0) - 0.12 * (1.0 - 1.0 / steep)
    return gain


def _paint_sleeve(
    picture: Floats,
    x: Floats,
    y: Floats,
    colour: tuple[float, float, float],
    lamp: tuple[float, float, float],
) -> None:
    rows, columns = picture.shape[:2]
    down = -y
    middle = 9.0 + 0.012 * (down - _CUFF_MM)
    wave = mottle((rows, 1), (26 * _PX_PER_MM,), 8)
    radius = 37.0 + 0.035 * (down - _CUFF_MM) + 0.9 * wave * np.clip((down - 185) / 40, 0, 1)
    # the cuff is a ring seen slightly from its opening: its edge bulges towards the hand
    edge = _CUFF_MM - 7.0 * np.sqrt(np.clip(1.0 - ((x - middle) / radius) ** 2, 0.0, 1.0)) + 7.0
    away = np.abs(x - middle)
    mask = np.clip((radius - away) * _PX_PER_MM + 0.5, 0.0, 1.0)
    mask = mask * np.clip((down - edge) * _PX_PER_MM + 0.5, 0.0, 1.0)
    arch = np.sqrt(np.clip(1.0 - (away / radius) ** 2, 0.0, 1.0)) * radius
    # folds run across the arm, bent like the cuff
    bend = (down + 0.0045 * (x - middle) ** 2) * _PX_PER_MM
    folds = mottle((rows + 400, columns), (34 * _PX_PER_MM, 12 * _PX_PER_MM), 12)
    row_of = np.clip(bend + 60, 0, rows + 399).astype(np.int64)
    wrinkle = np.take_along_axis(folds, row_of, axis=0)
    height = arch + 1.5 * wrinkle + 2.2 * (np.abs(down - edge - 13.0) < 12.5)
    gain = _clay(height.astype(np.float32), mask, lamp, 1.2)
    weave = 1.0 + 0.035 * mottle((rows, columns), (2.2,), 13)
    cloth = np.array(colour) * (gain * weave)[:, :, None]
    # the wrist lies in the sleeve's shade
    dark = np.clip(1.0 - (edge - down) / 9.0, 0.0, 1.0) * (down < edge)
    picture[:, :, :3] *= (1.0 - 0.45 * dark)[:, :, None]
    share = mask[:, :, None]
    picture[:, :, :3] += (np.clip(cloth, 0, 255) - picture[:, :, :3]) * share
    picture[:, :, 3:] += (255.0 - picture[:, :, 3:]) * share


def _scale(seen: Floats, picture: Image) -> float:
    """Pixels of the frame per pixel of the hand's picture, near the fingertips."""
    return math.dist(seen[0], seen[1]) / float(picture.shape[1])


def _window(seen: Floats, frame: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of what is seen within the picture; None if nothing is."""
    # a little beyond the edge, where blurring would notice a cut
    pad = _BEYOND
    left, top = np.maximum(np.floor(seen.min(axis=0)).astype(int) - pad, -pad)
    right = min(int(np.ceil(seen[:, 0].max())), frame[0]) + pad
    bottom = min(int(np.ceil(seen[:, 1].max())), frame[1]) + pad
    if right - left <= pad or bottom - top <= pad:
        return None
    return (int(left), int(top), right, bottom)


def _warp(picture: Image, seen: Floats, window: tuple[int, int, int, int], step: int) -> Image:
    left, top, right, bottom = window
    rows, columns = picture.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    there = ((seen - (left, top) + 0.5) / step - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), there)
    size = (max(1, (right - left) // step), max(1, (bottom - top) // step))
    return cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR).astype(np.uint8)


def _shadow(cover: Image, seen: Floats, scale: float, frame: tuple[int, int]) -> Patch | None:
    step = 4
    window = _window(seen, frame)
    if window is None:
        return None
    # coarse is enough for a soft shadow, and sixteen times faster
    small = _warp(cover, seen, window, step)
    soft = 7.0 * _PX_PER_MM * scale / step
    blurred = cv2.GaussianBlur(small, (0, 0), max(soft, 0.5)).astype(np.float32)
    keep = (255.0 - 0.62 * blurred).round().astype(np.uint8)
    size = (window[2] - window[0], window[3] - window[1])
    full = cv2.resize(keep, size, interpolation=cv2.INTER_LINEAR)
    return Patch(window[0], window[1], cv2.merge([full, full, full]).astype(np.uint8), None)


def _solid(
    picture: Image, seen: Floats, expose: Expose, blur: float, frame: tuple[int, int]
) -> Patch | None:
    window = _window(seen, frame)
    if window is None:
        return None
    warped = _warp(picture, seen, window, 1)
    left, top, columns, rows = _covered(warped[:, :, 3], _BEYOND if blur > 0 else 0)
    if not columns:
        return None
    warped = warped[top : top + rows, left : left + columns]
    left, top = window[0] + left, window[1] + top
    cover = warped[:, :, 3]
    lit = expose(warped[:, :, :3].astype(np.float32), cover.astype(np.float32) / 255.0, left, top)
    add = np.clip(lit, 0, 255, out=lit).astype(np.uint8)
    if blur > 0:
        add = cv2.GaussianBlur(add, (0, 0), blur).astype(np.uint8)
        cover = cv2.GaussianBlur(cover, (0, 0), blur).astype(np.uint8)
    kept = (255 - cover).astype(np.uint8)
    return Patch(left, top, cv2.merge([kept, kept, kept]).astype(np.uint8), add)


def _covered(cover: Image, beyond: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of what is covered, with ``beyond`` px around it as far as the
    picture reaches; width and height 0 if nothing is."""
    left, top, width, height = cv2.boundingRect(cover)
    if not width:
        return (0, 0, 0, 0)
    right = min(left + width + beyond, cover.shape[1])
    bottom = min(top + height + beyond, cover.shape[0])
    left, top = max(left - beyond, 0), max(top - beyond, 0)
    return (left, top, right - left, bottom - top)
