"""Things that reach over a board, cut out: hands from photographs, with arms and sleeves; sticks,
heads, paws and the like, which are painted.

A thing is a picture with an alpha channel (height × width × 4, float32, 0 to 1) around the place in
its middle that is over the board; what comes from outside comes from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Bools, Floats, floats

SKINS = {
    "own": "", "pale": "#f3e7db", "light": "#e6c3a5", "tan": "#c68e63", "brown": "#8d5a3c",
    "dark": "#5c3a28", "black": "#33211a", "glove white": "#e8e8e6", "glove black": "#1c1c1e",
    "glove blue": "#3a6ea8", "glove green": "#6d9a5f",
}  # fmt: skip
"""Colours of the middle of a hand; ``own`` as it was photographed."""
SLEEVES = {
    "bare": (), "white": ("#e9e6df",), "black": ("#18181a",), "navy": ("#232b45",),
    "grey": ("#77787a",), "red": ("#a03030",), "brown": ("#7a5a3a",), "wood": ("#cfa05c",),
    "green": ("#4d6b4a",), "striped": ("#e4e0d8", "#2c3d6b"), "checked": ("#9b2d2d", "#22242a"),
}  # fmt: skip
"""Colours of sleeves; two alternate."""
THINGS = ("stick", "pencil", "head", "paw")
RARE = ("ruler", "straw", "tongs", "tail", "finger")
"""Things that come only if they are asked for; a finger is a child's, up to its first joints."""
DYES = {
    "stick": ("#8b5e34", "#d9b26a", "#20211f", "#b8352c", "#e9c33a"),
    "paw": ("#d8a060", "#3a3632", "#8c8378", "#e9e4da", "#b06a35"),
    "ruler": ("#d9b26a", "#c9c9c4", "#e8d9a0", "#3f6fb0"),
    "straw": ("#f0efe8", "#c33a3a", "#3c8a4a", "#e7c23c"),
    "tongs": ("#b9bcc0", "#3a3b3e", "#c79a5b"),
    "finger": ("#f3e7db", "#e6c3a5", "#c68e63", "#8d5a3c", "#5c3a28", "#33211a"),
}
"""Colours that painted things may have."""
PER_MM = 1.2
"""Px a millimetre of a thing."""
SIDE_MM = 1000.0
"""Side of the picture: an arm goes on beyond any board."""
LONG_MM = (130.0, 185.0)
"""Length of a hand to its wrist."""
MOST_TONE = 1.25
"""Brightness of a hand, per its mean."""
STRIPE_MM, WOOL = 14.0, 0.06
"""Width of stripes, and deviation of the brightness of cloth."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in a photograph."""

    picture: Path
    mask: Path
    part: int
    """Number of its connected part of the mask."""
    wrist_deg: float
    """Direction of its wrist, y upwards."""


def hands(folder: Path, labels: dict[str, int]) -> list[Hand]:
    """The labelled hands in a folder of pictures ``rgb`` and masks ``mask``."""
    found = []
    for name, wrist in labels.items():
        number, part = name.split("_")
        found.append(Hand(folder / "rgb" / f"{number}.jpg", folder / "mask" / f"{number}.png",
                          int(part), wrist))  # fmt: skip
    return found


def arm(hand: Hand, skin: str, sleeve: str, chance: np.random.Generator) -> Floats:
    """A hand of a ``skin`` with its arm in a ``sleeve``; its fingertips are in the middle."""
    image, mask = cv2.imread(str(hand.picture)), cv2.imread(str(hand.mask), cv2.IMREAD_GRAYSCALE)
    assert image is not None and mask is not None
    _, labels = cv2.connectedComponents((mask > 0).astype(np.uint8))
    inside = np.asarray(labels == hand.part)
    # Turned so that the wrist is below.
    y, x = np.nonzero(inside)
    turn = np.deg2rad(-90 - hand.wrist_deg)
    along = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    at = np.column_stack([x, y]) @ along.T
    long = float(np.ptp(at[:, 1]))
    scale = float(chance.uniform(*LONG_MM)) * PER_MM / long
    size = round(SIDE_MM * PER_MM)
    top = at[at[:, 1] < at[:, 1].min() + 0.08 * long].mean(axis=0)
    matrix = np.column_stack([along * scale, size / 2 - top * scale])
    colour = floats(cv2.warpAffine(floats(image) / 255, matrix, (size, size), flags=cv2.INTER_AREA))
    soft = cv2.GaussianBlur(cv2.erode(inside.astype(np.float32), np.ones((3, 3))), (0, 0), 1.0)
    alpha = floats(cv2.warpAffine(soft, matrix, (size, size), flags=cv2.INTER_AREA))
    mean = floats(image[inside].mean(axis=0) / 255)
    if SKINS[skin]:
        # Skin is matt: it does not shine as the flash made it.
        tone = np.minimum(colour.sum(axis=2, keepdims=True) / float(mean.sum()), MOST_TONE)
        mean = bgr(SKINS[skin])
        colour = floats(tone * mean)
    colour, alpha = _with_arm(colour, alpha, mean, sleeve, chance)
    return _layer(colour, alpha)


def _with_arm(
    colour: Floats, alpha: Floats, skin: Floats, sleeve: str, chance: np.random.Generator
) -> tuple[Floats, Floats]:  # fmt: skip
    size = len(alpha)
    rows = np.flatnonzero((alpha > 0.5).any(axis=1))
    end = int(rows[-1])
    near = max(end - round(18 * PER_MM), int(rows[0]))
    wrist = np.flatnonzero((alpha[near : near + 3] > 0.5).any(axis=0))
    left, right = float(wrist.min()), float(wrist.max())
    middle, half = (left + right) / 2, min(max((right - left) / 2, 22 * PER_MM), 38 * PER_MM)
    lean = float(chance.uniform(-0.25, 0.25))
    far = size - near
    forearm = np.array([
        (middle - half, near), (middle + half, near),
        (middle + lean * far + 1.5 * half, size), (middle + lean * far - 1.5 * half, size),
    ])  # fmt: skip
    bare_mm = SIDE_MM if sleeve == "bare" else float(chance.uniform(5, 70))
    x, y = np.meshgrid(np.arange(size), np.arange(size))
    axis = middle + lean * (y - near)
    wide = half * (1 + 0.5 * (y - near) / max(far, 1))
    shading = floats(np.sqrt(np.maximum(1 - 0.55 * ((x - axis) / wide) ** 2, 0.3)))[..., None]
    grown: Floats = np.zeros((size, size), dtype=np.float32)
    cv2.fillConvexPoly(grown, np.round(forearm).astype(np.int32), (1.0,), cv2.LINE_AA)
    flesh = floats(shading * skin * (1 + 0.03 * _noise(size, chance)[..., None]))
    colour = floats(np.where(alpha[..., None] > 0.5, colour, flesh))
    alpha = np.maximum(alpha, grown)
    if sleeve != "bare":
        from_row = end - round(20 * PER_MM) + round(bare_mm * PER_MM)
        cuff = forearm.copy()
        cuff[:2, 1] = from_row
        cuff[:2, 0] = middle + lean * (from_row - near) + np.array([-1.25, 1.25]) * half
        cuff[2:, 0] += np.array([0.4, -0.4]) * half
        cloth: Floats = np.zeros((size, size), dtype=np.float32)
        cv2.fillConvexPoly(cloth, np.round(cuff).astype(np.int32), (1.0,), cv2.LINE_AA)
        wide = wide * 1.3
        folds = floats(np.sqrt(np.maximum(1 - 0.5 * ((x - axis) / wide) ** 2, 0.3)))[..., None]
        colour = floats(np.where(cloth[..., None] > 0.5, folds * _cloth(sleeve, size, chance),
                                 colour))  # fmt: skip
        alpha = np.maximum(alpha, cloth)
    return colour, alpha


def _cloth(sleeve: str, size: int, chance: np.random.Generator) -> Floats:
    """The stuff of a sleeve all over the picture."""
    dyes = [bgr(dye) for dye in SLEEVES[sleeve]]
    across = np.arange(size) // max(round(STRIPE_MM * PER_MM), 1) % 2
    first = across[None, :] * np.ones((size, 1), np.intp)
    if sleeve == "checked":
        first = first ^ across[:, None]
    stuff = np.stack([dyes[0], dyes[-1]])[first]
    creases = cv2.GaussianBlur(chance.normal(0, 1, (size // 6 + 1, size // 6 + 1)), (0, 0), 4)
    creases = cv2.resize(floats(creases / max(float(creases.std()), 1e-6)), (size, size))
    grain = WOOL * _noise(size, chance)
    return floats(stuff * np.clip(1 + 0.08 * creases + grain, 0.3, 1.7)[..., None])


def painted(thing: str, chance: np.random.Generator, dye: str = "") -> Floats:
    """One of ``THINGS`` or ``RARE``, of a ``dye`` (#rrggbb) if one is given."""
    size = round(SIDE_MM * PER_MM)
    middle = size / 2
    alpha: Floats = np.zeros((size, size), dtype=np.float32)
    x, y = np.meshgrid(np.arange(size) - middle, np.arange(size) - middle)
    noise = _noise(size, chance)
    hair = cv2.GaussianBlur(noise, (0, 0), sigmaX=1.0, sigmaY=4.0)
    hair = floats(hair / float(hair.std()))[..., None]
    if thing == "head":
        wide, high = 85 * PER_MM, 110 * PER_MM
        head = (x / wide) ** 2 + ((y - high * 0.8) / high) ** 2 <= 1
        body = (np.abs(x) < 190 * PER_MM) & (y > 2.0 * high)
        shock = bgr(dye or str(chance.choice(["#2a1c14", "#0e0d0d", "#7b5430", "#c9a66b"])))
        cloth = bgr(str(chance.choice(["#b04a4a", "#3d6f9e", "#e4e2dc", "#55585a"])))
        alpha = floats(head | body)
        shaggy, plain = shock * (1 + 0.25 * hair), cloth * (1 + 0.05 * hair)
        colour = floats(np.where(head[..., None], shaggy, plain))
        return _layer(colour, floats(cv2.GaussianBlur(alpha, (0, 0), 0.8)))
    alike = {"pencil": "stick", "tail": "paw"}
    body = bgr(dye or str(chance.choice(DYES[alike.get(thing, thing)])))
    if thing in ("stick", "pencil", "straw"):
        wide_mm = {"stick": 9.0, "pencil": 4.0, "straw": 6.0}[thing]
        half = wide_mm / 2 * float(chance.uniform(0.8, 1.6)) * PER_MM
        alpha = floats((np.abs(x) <= half) & (y >= 0))
        colour = body * np.sqrt(np.maximum(1 - 0.7 * (x / half) ** 2, 0.2))[..., None]
        colour = floats(colour * (1 + 0.02 * hair))
        if thing == "straw":
            bands = (x + y) // (6 * PER_MM) % 2 > 0
            colour = floats(np.where(bands[..., None], colour, 0.9))
    elif thing == "ruler":
        half = float(chance.uniform(12, 20)) * PER_MM
        alpha = floats((np.abs(x) <= half) & (y >= 0))
        marks = (y % (10 * PER_MM) < PER_MM) & (x > half * 0.4)
        marks |= (y % (2 * PER_MM) < 0.6 * PER_MM) & (x > half * 0.75)
        colour = floats(np.where(marks[..., None], 0.1, body * (1 + 0.01 * hair)))
    elif thing == "tongs":
        half, apart = 4.5 * PER_MM, (3.0 + 0.12 * y / PER_MM) * PER_MM
        alpha = floats((np.abs(np.abs(x) - apart) <= half) & (y >= 0) & (apart < 26 * PER_MM))
        alpha = np.maximum(alpha, (np.abs(x) <= 30 * PER_MM) & (apart >= 26 * PER_MM))
        inside = (np.abs(x) - apart) / half
        colour = body * np.sqrt(np.maximum(1 - 0.6 * np.minimum(inside**2, 1), 0.2))[..., None]
        colour = floats(colour * (1 + 0.02 * hair))
    elif thing == "tail":
        half = float(chance.uniform(7, 13)) * PER_MM
        sway = 25 * PER_MM * np.sin(y / (60 * PER_MM))
        alpha = floats((np.abs(x - sway) < half * np.minimum(1, 0.5 + y / half / 4)) & (y > 0))
        colour = floats(body * (1 + 0.2 * np.sign(np.sin(y / (8 * PER_MM)))[..., None]))
        colour = floats(colour * (1 + 0.15 * hair))
    elif thing == "finger":
        half = float(chance.uniform(5.0, 7.5)) * PER_MM
        finger = (np.abs(x) < half) & (y > half) | (x**2 + (y - half) ** 2 < half**2)
        hand = (np.abs(x - 2.2 * half) < 4 * half) & (y > 45 * PER_MM)
        alpha = floats(finger | hand)
        shading = np.sqrt(np.maximum(1 - 0.5 * np.minimum((x / half) ** 2, 1), 0.3))
        colour = floats(body * shading[..., None] * (1 + 0.02 * hair))
        nail = (np.abs(x) < 0.55 * half) & (np.abs(y - half) < 0.6 * half)
        colour = floats(np.where(nail[..., None], np.minimum(1.2 * colour + 0.03, 1), colour))
    else:
        half = float(chance.uniform(16, 24)) * PER_MM
        limb = (np.abs(x + 0.1 * y) < half * (1 + 0.15 * y / (100 * PER_MM))) & (y > half)
        pad = (x**2 + (y - half) ** 2) < (1.15 * half) ** 2
        bands = 1 + 0.2 * np.sign(np.sin(y / (9 * PER_MM)))[..., None]
        alpha = floats(limb | pad)
        colour = floats(body * bands * (1 + 0.15 * hair))
    return _layer(colour, floats(cv2.GaussianBlur(floats(alpha), (0, 0), 0.8)))


def laid(
    image: Floats, thing: Floats, at: tuple[int, int], *, turn: float, scale: float,
    blur_px: float = 0.0, shadow: float = 0.0,
) -> tuple[Floats, Bools]:  # fmt: skip
    """``image`` (0 to 1) with a thing over it whose middle is ``at`` (px), and where it hides more
    than half.

    ``turn``: degrees. ``scale``: px per ``PER_MM``. ``blur_px``: how far it moves meanwhile.
    ``shadow``: share of the light that it takes from what is beside it.
    """
    height, width = image.shape[:2]
    middle = len(thing) / 2
    about = cv2.getRotationMatrix2D((middle, middle), turn, scale)
    about = np.column_stack([about[:, :2], about[:, 2] + np.array(at, np.float64) - middle])
    whole = floats(np.dstack([thing[..., :3] * thing[..., 3:], thing[..., 3]]))
    part = cv2.warpAffine(whole, about, (width, height), flags=cv2.INTER_LINEAR)
    if blur_px >= 2:
        wide = round(blur_px)
        kernel = np.zeros((wide, wide), np.float32)
        cv2.line(kernel, (0, wide // 3), (wide - 1, wide - 1 - wide // 3), (1.0,))
        part = cv2.filter2D(part, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    alpha = floats(part[..., 3:])
    dim = cv2.GaussianBlur(alpha, (0, 0), width / 70)
    dim = np.roll(dim, (round(width / 90), round(width / 60)), (0, 1))[..., None]
    found = image * (1 - shadow * dim) * (1 - alpha) + part[..., :3]
    return floats(found), np.asarray(alpha[..., 0] > 0.5)


def _noise(size: int, chance: np.random.Generator) -> Floats:
    return chance.standard_normal((size, size), dtype=np.float32)


def bgr(code: str) -> Floats:
    """A colour ``#rrggbb`` as blue, green, red from 0 to 1."""
    return floats([int(code[n : n + 2], 16) / 255 for n in (5, 3, 1)])


def _layer(colour: Floats, alpha: Floats) -> Floats:
    return floats(np.dstack([np.clip(colour, 0, 1), alpha]))
