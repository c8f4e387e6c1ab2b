"""Advice to the people at the table: changes that would make the camera see better.

An ``Adviser`` looks at a picture and at what was made of it. It answers in codes with parameters;
the sentences are in ``rules/languages/*/camera.toml``. White and black are measured where they are
known: at the rims and frames of the corner stickers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import cv2
import numpy as np

from rules.box import Box, Corner, with_cells
from vision.arrays import Floats, Mask, Picture, Points, floats
from vision.board.pose import BoardPose
from vision.camera.frames import Quantity
from vision.pieces.sighting import Sighting
from vision.stickers.reader import RIM, StickerReader

Code = Literal[
    "board_not_found", "trembles", "too_dark", "too_bright", "blurred", "board_cut_off",
    "place_cut_off", "corner_covered", "stickers_small", "lamp_reflects", "uneven_light",
    "board_not_flat", "no_exposure", "no_white_balance", "no_focus",
]  # fmt: skip

UNADJUSTED: Mapping[Quantity, Code] = {
    "exposure": "no_exposure", "white_balance": "no_white_balance", "focus": "no_focus"
}  # fmt: skip
"""The advice for each thing that a camera could not find by itself."""

Value: TypeAlias = str | float | tuple[str, ...]

DARK, DARK_PICTURE = 85.0, 40.0
"""Grey of white paper, and of a whole picture without a board, below which light is lacking."""
BRIGHT, BRIGHT_BOARD = 251.0, 0.8
"""Grey from which white paper is overexposed, if the board is this light too."""
BLURRED = 0.15
"""Sharpness (see ``Sighting.sharpness``) below which it is blurred."""
NEEDED_PX = 2.2
"""Module size to aim at; 2 px is the minimum that can be read."""
UNEVEN = 3.0
"""Ratio of light at the brightest and darkest corners from which it is uneven."""
NOT_FLAT = 0.0005
"""Reprojection error of the corner stickers per long side of the picture; flat boards have 0.0002
with sharp pictures."""
COVERED = 0.6
"""Correlation below which a corner sticker is not seen."""
CUT_OFF_PX = 2.0

GRID_MM = 2.0
AS_PAPER = 0.93
"""Share of the brightness of white paper from which anything but paper is a reflection."""
ABOVE_DRAWING = 0.12
"""Printed colours nearer to white than this are told from a reflection only above it."""
MOST_LIT = 1.15
"""Most brightness of white fields right below a lamp, per white at the board's corners."""
CLIPPED = 249.0
"""Grey that nothing lit reaches while white paper is not overexposed."""
LEAST_GLARE_MM2 = 80.0
REFLECTS_SHARE = 0.06
"""Share of a site that must reflect."""
NEAR_MM = 40.0
"""A reflection between sites is reported for the nearest one within this distance."""
PIECE_RIM_MM = 4.0


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing that could be better."""

    code: Code
    params: Mapping[str, Value] = field(default_factory=dict)
    """Numbers, and ids: ``sites`` (of the box), ``corner`` (``top_left`` … of the board),
    ``sides`` (``left`` … of the picture)."""

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        params = {k: list(v) if isinstance(v, tuple) else v for k, v in self.params.items()}
        return {"code": self.code, "params": params}


class Adviser:
    """Gives advice about the view of one box's board."""

    def __init__(self, box: Box) -> None:
        """Raises BoxError if OpenCV cannot read the box's stickers."""
        self._box = box
        self._reader = StickerReader(box)
        self._lightest = _lightest(box)
        width, height = box.size
        x = np.arange(GRID_MM / 2 - width / 2, width / 2, GRID_MM)
        y = np.arange(height / 2 - GRID_MM / 2, -height / 2, -GRID_MM)
        across, down = np.meshgrid(x, y)
        self._mm: Points = np.stack([across, down], axis=-1)

    def advise(self, image: Picture, sighting: Sighting) -> tuple[Advice, ...]:
        """Advice about a picture (height × width × 3, BGR), the most important first."""
        pose = sighting.pose
        if sighting.board == "lost" or pose is None:
            return tuple(_lost(image))
        size = (image.shape[1], image.shape[0])
        off = sighting.pose_error_px > NOT_FLAT * max(size)
        visible = self._corners_seen(image, pose)
        if off:
            # A sticker that stands up was read, only not where a flat board would have it.
            visible |= dict.fromkeys(pose.stickers, True)
        levels = {c.id: _levels(image, pose, c) for c in self._box.corners if visible[c.id]}
        whites = {sticker: white for sticker, (white, _) in levels.items()}
        advice = [Advice("trembles")] if sighting.trembling else []
        advice += [*self._light(whites, sighting), *self._sharp(sighting)]
        sides = _sides_cut_off(pose, self._box, size)
        if sides:
            advice.append(Advice("board_cut_off", {"sides": sides}))
        if places := places_cut_off(pose, self._box, size):
            advice.append(Advice("place_cut_off", {"sites": places}))
        for corner in self._box.corners:
            if not visible[corner.id] and _inside(pose, corner, size):
                advice.append(
                    Advice("corner_covered", {"corner": _place(corner), "sticker": corner.id})
                )
        told = {a.code for a in advice}
        if len(whites) >= 3 and "too_bright" not in told:
            advice += self._reflections(image, sighting, pose, whites)
        # Blur and glaring light move the corners, too.
        if all(visible.values()) and off and not told & {"blurred", "too_bright"}:
            error = round(sighting.pose_error_px, 2)
            advice.append(Advice("board_not_flat", {"error_px": error}))
        order = {code: rank for rank, code in enumerate(Code.__args__)}  # type: ignore[attr-defined]
        return tuple(sorted(advice, key=lambda a: order[a.code]))

    def _corners_seen(self, image: Picture, pose: BoardPose) -> dict[int, bool]:
        corners = self._box.corners
        squares = [_square(pose, c, 1.0) for c in corners]
        matches = self._reader.match(image, [c.id for c in corners], squares)
        return {c.id: match >= COVERED for c, match in zip(corners, matches, strict=True)}

    def _light(self, whites: Mapping[int, float], sighting: Sighting) -> list[Advice]:
        if not whites:
            return []
        white = float(np.median(list(whites.values())))
        if white < DARK:
            return [Advice("too_dark", {"white": round(white)})]
        if white >= BRIGHT and sighting.light > BRIGHT_BOARD:
            return [Advice("too_bright", {"white": round(white)})]
        dark, bright = min(whites, key=lambda c: whites[c]), max(whites.values())
        ratio = (bright / max(whites[dark], 1.0)) ** 2.2
        if ratio > UNEVEN:
            corner = next(c for c in self._box.corners if c.id == dark)
            return [Advice("uneven_light", {"ratio": round(ratio, 1), "corner": _place(corner)})]
        return []

    @staticmethod
    def _sharp(sighting: Sighting) -> list[Advice]:
        advice = []
        if sighting.sharpness and sighting.sharpness < BLURRED:
            advice.append(Advice("blurred", {"sharpness": round(sighting.sharpness, 2)}))
        if sighting.px_per_module < NEEDED_PX:
            px = round(sighting.px_per_module, 1)
            advice.append(Advice("stickers_small", {"px": px, "needed": NEEDED_PX}))
        return advice

    # -- reflections ----------------------------------------------------------------------

    def _reflections(
        self, image: Picture, sighting: Sighting, pose: BoardPose, whites: Mapping[int, float]
    ) -> list[Advice]:
        tall, wide = self._mm.shape[:2]
        px = floats(pose.project(self._mm.reshape(-1, 2))).reshape(tall, wide, 2)
        seen = cv2.remap(image, px, None, cv2.INTER_LINEAR, borderValue=0)  # type: ignore[call-overload]
        # Lack of colour: the darkest channel of a lit green is dark, a lamp's is not.
        least = floats(np.asarray(seen).min(axis=2))
        white = self._white(whites)
        bar = np.maximum(AS_PAPER, min(self._lightest + ABOVE_DRAWING, MOST_LIT)) * white
        if sighting.hand:
            # A bright sleeve is as white as paper; only a lamp is whiter.
            bar = np.maximum(bar, CLIPPED)
        glare = ((least > bar) & (self._taken(sighting) == 0)).astype(np.uint8)
        glare = np.asarray(cv2.morphologyEx(glare, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        count, labels, stats, middles = cv2.connectedComponentsWithStats(glare)
        sites: dict[str, float] = {}
        for number in range(1, count):
            area = float(stats[number, cv2.CC_STAT_AREA]) * GRID_MM**2
            if area < LEAST_GLARE_MM2:
                continue
            spots = self._mm[labels == number]
            middle = self._mm[round(middles[number][1]), round(middles[number][0])]
            for site in self._sites_hit(spots, middle):
                sites[site] = sites.get(site, 0.0) + area
        if not sites:
            return []
        return [Advice("lamp_reflects", {"sites": tuple(sorted(sites, key=lambda s: -sites[s]))})]

    def _white(self, whites: Mapping[int, float]) -> Floats:
        """Grey of white paper all over the board: a plane through the corners."""
        known = [c for c in self._box.corners if c.id in whites]
        at = np.array([(*c.at, 1.0) for c in known])
        plane, *_ = np.linalg.lstsq(at, np.array([whites[c.id] for c in known]), rcond=None)
        surface = self._mm @ plane[:2] + plane[2]
        return floats(np.clip(surface, min(whites.values()), 255.0))

    def _taken(self, sighting: Sighting) -> Mask:
        """255 where pieces and corner stickers lie, whose paper is white anyway."""
        taken: Mask = np.zeros(self._mm.shape[:2], dtype=np.uint8)
        for piece in sighting.pieces:
            # The sticker's image leans outwards with its height; the body reaches that far.
            hull = cv2.convexHull(floats(self._grid(piece.body_mm)))
            cv2.fillConvexPoly(taken, np.round(hull).astype(np.int32), 255)
        for corner in self._box.corners:
            square = np.array(corner.at) + _unit_square() * corner.size / 2 * RIM
            cv2.fillConvexPoly(taken, np.round(self._grid(square)).astype(np.int32), 255)
        reach = 2 * round(PIECE_RIM_MM / GRID_MM) + 1
        return np.asarray(cv2.dilate(taken, np.ones((reach, reach), np.uint8)), dtype=np.uint8)

    def _grid(self, mm: Points) -> Points:
        width, height = self._box.size
        return np.column_stack([mm[:, 0] + width / 2, height / 2 - mm[:, 1]]) / GRID_MM - 0.5

    def _sites_hit(self, spots: Points, middle: Points) -> Sequence[str]:
        """Sites partly covered by a reflection, else the nearest one."""
        hit = []
        places = with_cells(self._box, ()).sites.values()
        for site in places:
            dx, dy = np.abs(spots[:, 0] - site.at[0]), np.abs(spots[:, 1] - site.at[1])
            if site.size is None:
                inside, area = np.hypot(dx, dy) <= site.radius, math.pi * site.radius**2
            else:
                inside = (dx <= site.size[0] / 2) & (dy <= site.size[1] / 2)
                area = site.size[0] * site.size[1]
            if int(inside.sum()) * GRID_MM**2 > REFLECTS_SHARE * area:
                hit.append(site.id)
        if hit:
            return hit
        near = min(places, key=lambda s: math.dist(s.at, middle), default=None)
        return [near.id] if near is not None and math.dist(near.at, middle) < NEAR_MM else []


def _lost(image: Picture) -> list[Advice]:
    """The advice when no board was found."""
    grey = float(np.median(image[::8, ::8]))
    if grey < DARK_PICTURE:
        return [Advice("board_not_found"), Advice("too_dark", {"white": round(grey)})]
    return [Advice("board_not_found")]


def _lightest(box: Box) -> float:
    """The printed colour that is nearest to white: its darkest channel, 0 to 1, in grey values."""
    colours = [colour for role, colour in box.colours.items() if role != "table"]
    colours += [stroke.colour for stroke in box.strokes]
    shades = [
        min(int(c[k : k + 2], 16) for k in (1, 3, 5))
        for c in colours
        if len(c) == 7 and c.startswith("#")
    ]
    return max(shades, default=0) / 255


def _levels(image: Picture, pose: BoardPose, corner: Corner) -> tuple[float, float]:
    """Grey of a corner sticker's white rim and black frame."""
    half, module = corner.size / 2, corner.size / 6
    along = np.linspace(-half + module, half - module, 9)
    found = []
    for distance in (half + module / 2, half - module / 2):
        ring = [(s * distance, float(t)) for s in (-1, 1) for t in along]
        ring += [(float(t), s * distance) for s in (-1, 1) for t in along]
        px = np.round(pose.project(np.array(ring) + corner.at)).astype(int)
        inside = ((px >= 0) & (px < (image.shape[1], image.shape[0]))).all(axis=1)
        spots = image[px[inside, 1], px[inside, 0]]
        found.append(float(np.median(spots.mean(axis=1))) if len(spots) else 0.0)
    return found[0], found[1]


def _unit_square() -> Points:
    return np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])


def _square(pose: BoardPose, corner: Corner, scale: float) -> Points:
    return pose.project(np.array(corner.at) + _unit_square() * corner.size / 2 * scale)


def _inside(pose: BoardPose, corner: Corner, size: tuple[int, int]) -> bool:
    return _within(_square(pose, corner, 1.0), size)


def _within(px: Points, size: tuple[int, int]) -> bool:
    return bool(((px >= 0) & (px < size)).all())


def _place(corner: Corner) -> str:
    """The name of a corner's place on the board, such as ``top_left``."""
    x, y = corner.at
    return f"{'top' if y > 0 else 'bottom'}_{'left' if x < 0 else 'right'}"


def _sides_cut_off(pose: BoardPose, box: Box, size: tuple[int, int]) -> tuple[str, ...]:
    """Sides of the picture beyond which the board reaches."""
    px = pose.project(_unit_square() * np.array(box.size) / 2)
    low, high = px.min(axis=0), px.max(axis=0)
    beyond = {
        "left": low[0] < -CUT_OFF_PX, "right": high[0] > size[0] + CUT_OFF_PX,
        "top": low[1] < -CUT_OFF_PX, "bottom": high[1] > size[1] + CUT_OFF_PX,
    }  # fmt: skip
    return tuple(side for side, cut in beyond.items() if cut)


def places_cut_off(pose: BoardPose, box: Box, size: tuple[int, int]) -> tuple[str, ...]:
    """Places beside the board that reach out of the picture, of those that must be seen."""
    places = [site for site in box.must_be_seen if box.is_beside_board(site)]
    return tuple(
        site.id for site in places
        if not _within(pose.project(_unit_square() * np.array(site.reach) + site.at), size)
    )  # fmt: skip
