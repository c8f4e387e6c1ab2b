"""The camera above the virtual table: where it is, what its lens does, and its pictures."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.simulator.board_art import scene_texture
from companion.simulator.hand_art import draw_hand
from companion.simulator.objects import (
    Column,
    Floats,
    Image,
    Light,
    Nudge,
    Piece,
    Tremble,
    columns,
    thickness,
)
from companion.simulator.piece_art import Patch, draw_piece, draw_shadow
from companion.simulator.table import VirtualTable
from rules.box import Box, Point, span_of

_STILL = Nudge()
_RIM_MM = 20.0
"""Room around places beside the board in the picture: what stands there leans outwards."""


@dataclass(eq=False)
class Camera:
    """A camera above a board, looking at its centre or another point.

    ``render`` keeps what does not change between frames (the bare table, every piece at its
    place), so one camera should keep looking at one table. Not safe for several threads.
    """

    width: int = 1600
    height: int = 1200
    """Size of the picture in px."""
    height_mm: float = 650.0
    """Height of the lens above the board."""
    tilt: float = 4.0
    """Degrees by which it leans; it is then towards the lower edge of the picture."""
    yaw: float = 0.0
    """Degrees by which the camera is turned clockwise: the board appears turned the other way."""
    focal: float | None = None
    """Focal length in px; None is as long as the picture is wide (53 degrees across)."""
    k1: float = -0.045
    """Radial distortion as OpenCV defines it; negative bulges like a barrel."""
    aim: Point = (0.0, 0.0)
    """The point of the board that it looks at, mm."""
    noise: float = 1.6
    """Standard deviation of the pixel noise, of 255."""
    blur: float = 0.55
    """Standard deviation of the lens blur in px."""
    shiver: float = 0.0
    """Standard deviation of the camera's shake from frame to frame in px."""
    tremble: Tremble | None = None
    """Its swinging; ``shiver`` comes on top."""
    vignette: float = 0.16
    """Share of the light that is lost in the picture's corners."""
    faces: Mapping[str, str] | None = None
    """Texts on cards instead of stickers, by kind, else their mark; None: stickers, which are
    really there. Machines read those, people do not."""
    seed: int = 0
    """The same seed, tables and order of calls give the same frames."""
    _frame: int = field(default=0, init=False, repr=False)
    _patches: OrderedDict[Hashable, Patch] = field(default_factory=OrderedDict, init=False)
    _bare: tuple[Hashable, Image] | None = field(default=None, init=False, repr=False)
    _light: tuple[Hashable, tuple[Floats, Floats | None]] | None = field(
        default=None, init=False, repr=False
    )
    _laid: tuple[Hashable, Image] | None = field(default=None, init=False, repr=False)
    _order: tuple[Hashable, list[Column]] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.width < 16 or self.height < 16:
            raise ValueError(f"a picture of {self.width} x {self.height} px is too small")
        if self.height_mm <= 0:
            raise ValueError(f"the camera must be above the board, not at {self.height_mm} mm")
        if abs(self.tilt) > 60:
            raise ValueError(f"the camera leans by {self.tilt} deg; 60 is the most")
        if self.k1 < -0.3:
            raise ValueError(f"k1 = {self.k1} bends the picture back on itself; -0.3 is the least")

    @classmethod
    def over(cls, box: Box, width: int = 1600, height: int = 1200, seed: int = 0) -> Camera:
        """A camera hung so that the box's board, and the places beside it, fill its picture with a
        margin at the sides."""
        sides = []
        for half, low, high, margin in zip(
            (side / 2 for side in box.size), *box.in_view, (45.0, 34.0), strict=True
        ):
            # Near places lie within the margin of the board.
            below, above = min(-half - margin, low - _RIM_MM), max(half + margin, high + _RIM_MM)
            sides.append((below, above))
        (left, right), (low, high) = sides
        across = max((high - low) * width / height, right - left)
        up = across * height / width
        # As near to the middle of the board as shows everything.
        aim = (
            min(max(0.0, right - across / 2), left + across / 2),
            min(max(0.0, high - up / 2), low + up / 2),
        )
        return cls(width, height, height_mm=across, aim=aim, seed=seed)

    # -- where things are seen --------------------------------------------------------------

    def board_to_px(self, x: float, y: float, z: float = 0.0, nudge: Nudge = _STILL) -> Point:
        """Pixel at which a board point (mm) is seen; ``nudge`` is the table's.

        The shake of single frames (``shiver``, ``tremble``) is not included.
        """
        u, v = self.project(np.array([[x, y, z]]), nudge)[0]
        return (float(u), float(v))

    def px_to_board(self, u: float, v: float, z: float = 0.0, nudge: Nudge = _STILL) -> Point:
        """Board point (mm) at height ``z`` that is seen at a pixel; the inverse.

        Raises ValueError for a pixel that looks past the horizon.
        """
        ray = self._axes.T @ np.array([*self._undistort(self._normal(np.array([[u, v]])))[0], 1.0])
        if ray[2] >= 0:
            raise ValueError(f"the pixel ({u:.0f}, {v:.0f}) looks past the horizon")
        at = self._eye + ray * ((z - self._eye[2]) / ray[2])
        turn = math.radians(nudge.angle)
        dx, dy = at[0] - nudge.dx, at[1] - nudge.dy
        return (
            float(dx * math.cos(turn) + dy * math.sin(turn)),
            float(-dx * math.sin(turn) + dy * math.cos(turn)),
        )

    def project(self, points: Floats, nudge: Nudge = _STILL) -> Floats:
        """Pixels (n, 2) of board points (n, 3) in mm, lens included."""
        placed = _moved(np.asarray(points, np.float64), nudge)
        seen = (placed - self._eye) @ self._axes.T
        plain = seen[:, :2] / np.maximum(seen[:, 2:], 1.0)
        spread = (plain**2).sum(axis=1, keepdims=True)
        # far outside the picture the polynomial folds back; hold it where it still grows
        limit = np.inf if self.k1 >= 0 else -0.28 / self.k1
        bent = plain * (1.0 + self.k1 * np.minimum(spread, limit))
        pixels: Floats = bent * self._focal + (self.width / 2 - 0.5, self.height / 2 - 0.5)
        return pixels

    @cached_property
    def matrix(self) -> Floats:
        """Camera matrix (3, 3) as OpenCV defines it; the distortion is (k1, 0, 0, 0)."""
        return np.array(
            [
                [self._focal, 0.0, self.width / 2 - 0.5],
                [0.0, self._focal, self.height / 2 - 0.5],
                [0.0, 0.0, 1.0],
            ]
        )

    # -- pictures ---------------------------------------------------------------------------

    def render(self, table: VirtualTable) -> Image:
        """Picture of the table now: (height, width, 3) BGR uint8, new noise in every call."""
        frame = self._laid_table(table).copy()
        if table.hand is not None:
            for patch in draw_hand(
                table.hand,
                lambda points: self.project(points, table.nudge),
                table.light,
                lambda colours, cover, x, y: self._expose(colours, cover, x, y, table.light),
                self.blur,
                (self.width, self.height),
            ):
                if patch is not None:
                    patch.lay(frame)
        return self._develop(frame)

    def pick(self, table: VirtualTable, u: float, v: float) -> Piece | None:
        """The piece that is seen at a pixel, the topmost one there; None for the bare table."""
        best: Piece | None = None
        for piece in table.pieces:
            if best is not None and piece.z <= best.z:
                continue
            high = thickness(table.box.kinds[piece.shows], piece.pose)
            # its upper side is what people touch, its foot what they see of a tall one
            for z in (piece.z + high, piece.z + high / 2, piece.z):
                if table.covers(piece, self.px_to_board(u, v, z, table.nudge), 1.0):
                    best = piece
                    break
        return best

    # -- the pose ---------------------------------------------------------------------------

    @cached_property
    def _focal(self) -> float:
        return float(self.width) if self.focal is None else self.focal

    @cached_property
    def _eye(self) -> Floats:
        lean, turn = math.radians(self.tilt), math.radians(self.yaw)
        back = self.height_mm * math.tan(lean)
        x, y = self.aim
        return np.array([x - back * math.sin(turn), y - back * math.cos(turn), self.height_mm])

    @cached_property
    def _axes(self) -> Floats:
        """Rows: the picture's right, down and forward directions in board axes."""
        turn = math.radians(self.yaw)
        forward = np.array([*self.aim, 0.0]) - self._eye
        forward /= np.linalg.norm(forward)
        right = np.array([math.cos(turn), -math.sin(turn), 0.0])
        return np.stack([right, np.cross(forward, right), forward])

    def _normal(self, pixels: Floats) -> Floats:
        centred: Floats = pixels - (self.width / 2 - 0.5, self.height / 2 - 0.5)
        return centred / self._focal

    def _undistort(self, bent: Floats) -> Floats:
        """Undo the lens for points (..., 2) of the normal plane."""
        spread = (bent**2).sum(axis=-1, keepdims=True)
        shrink = np.ones_like(spread)
        for _ in range(10):
            shrink = 1.0 / (1.0 + self.k1 * spread * shrink**2)
        plain: Floats = bent * shrink
        return plain

    def _ground(self) -> tuple[Floats, Floats]:
        """Point of the table below every pixel, in mm before any nudge: two (height, width)."""
        # Lens and perspective are smooth: a few knots suffice.
        across, down = (max(2, side // 16) for side in (self.width, self.height))
        u = np.linspace(0, self.width - 1, across)
        v = np.linspace(0, self.height - 1, down)
        plain = self._undistort(self._normal(np.stack(np.meshgrid(u, v), axis=-1)))
        rays = np.concatenate([plain, np.ones((*plain.shape[:2], 1))], axis=-1) @ self._axes
        # pixels above the horizon look at the table's far end
        reach = self._eye[2] / np.maximum(-rays[..., 2:], 0.02)
        knots = (self._eye[:2] + rays[..., :2] * reach).astype(np.float32)
        columns_at = np.linspace(0, across - 1, self.width, dtype=np.float32)
        rows_at = np.linspace(0, down - 1, self.height, dtype=np.float32)
        # OpenCV's own interpolation is in steps of 1/32, which would shift pixels
        whole = _between(_between(knots, rows_at).swapaxes(0, 1), columns_at).swapaxes(0, 1)
        return whole[..., 0], whole[..., 1]

    # -- parts of the picture ---------------------------------------------------------------

    def _bare_table(self, table: VirtualTable) -> Image:
        key = (id(table.box), table.nudge, table.light)
        if self._bare is None or self._bare[0] != key:
            self._patches.clear()
            self._bare = (key, self._draw_bare(table))
        return self._bare[1]

    def _laid_table(self, table: VirtualTable) -> Image:
        """The table with everything on it."""
        bare = self._bare_table(table)
        drawn = self._in_drawing_order(table)
        key = (self._bare and self._bare[0], tuple(drawn))
        if self._laid is not None and self._laid[0] == key:
            return self._laid[1]
        frame = bare.copy()
        # Where shadows of one lamp meet it is no darker than in the darkest of them.
        shade = np.full(frame.shape[:2], 255, np.uint8)
        for column in drawn:
            self._patch("shadow", column, table).deepen(shade)
        cv2.multiply(frame, cv2.merge([shade, shade, shade]), frame, 1.0 / 255.0)
        for column in drawn:
            self._patch("piece", column, table).lay(frame)
        while len(self._patches) > 2 * len(drawn) + 64:
            self._patches.popitem(last=False)
        self._laid = (key, frame)
        return frame

    def _draw_bare(self, table: VirtualTable) -> Image:
        x, y = self._ground()
        x, y = x - np.float32(table.nudge.dx), y - np.float32(table.nudge.dy)
        turn = math.radians(table.nudge.angle)
        across = x * math.cos(turn) + y * math.sin(turn)
        along = -x * math.sin(turn) + y * math.cos(turn)
        largest = 1.6 * max(table.box.size)
        half = tuple(
            min(math.ceil(float(np.abs(side).max()) / 60 + 1) * 60.0, largest)
            for side in (across, along)
        )
        # a texture barely finer than the picture needs no filter of its own
        scale = 1.12 * self._focal / float(self._eye[2])
        texture = scene_texture(table.box, scale, (half[0], half[1]), table.light.cast)
        u = (across * scale + (texture.shape[1] / 2 - 0.5)).astype(np.float32)
        v = (texture.shape[0] / 2 - 0.5 - along * scale).astype(np.float32)
        seen = cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        cover = np.ones(seen.shape[:2], np.float32)
        lit = self._expose(seen.astype(np.float32), cover, 0, 0, table.light)
        bare = np.clip(lit, 0, 255, out=lit).astype(np.uint8)
        if self.blur > 0:
            bare = cv2.GaussianBlur(bare, (0, 0), self.blur).astype(np.uint8)
        return bare

    def _light_maps(self, light: Light) -> tuple[Floats, Floats | None]:
        """Gain (height, width) and added glare (height, width, 0 to 255) of every pixel."""
        if self._light is not None and self._light[0] == light:
            return self._light[1]
        u = np.linspace(-1.0, 1.0, self.width, dtype=np.float32)[None, :]
        v = np.linspace(1.0, -1.0, self.height, dtype=np.float32)[:, None]
        fall = 1.0 - self.vignette * ((u**2 + v**2) / 2.0) ** 1.3
        gain = light.brightness * fall * (1.0 + light.gradient[0] * u + light.gradient[1] * v)
        glare: Floats | None = None
        if light.glare is not None:
            spot = light.glare
            x, y = self._ground()
            away = ((x - spot.x_mm) ** 2 + (y - spot.y_mm) ** 2) / spot.radius_mm**2
            glare = (255.0 * spot.strength * np.exp(-1.4 * away)).astype(np.float32)
        if light.shade is not None:
            shade = light.shade
            x, y = self._ground()
            away = ((x - shade.x_mm) ** 2 + (y - shade.y_mm) ** 2) / shade.radius_mm**2
            gain = gain * (1.0 - shade.strength * np.exp(-1.4 * away))
        self._light = (light, (gain.astype(np.float32), glare))
        return self._light[1]

    def _expose(self, colours: Floats, cover: Floats, x: int, y: int, light: Light) -> Floats:
        """Light the colours (h, w, 3) of a patch at pixel (x, y); float32."""
        gain, glare = self._light_maps(light)
        rows = np.clip(np.arange(y, y + colours.shape[0]), 0, self.height - 1)
        columns = np.clip(np.arange(x, x + colours.shape[1]), 0, self.width - 1)
        inside = gain[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        if inside.shape != colours.shape[:2]:
            inside = gain[np.ix_(rows, columns)]
        lit: Floats = cv2.multiply(colours, cv2.merge([inside, inside, inside]))
        # Whole rows at once: numpy is slow where it begins anew every three numbers.
        in_rows = lit.reshape(len(lit), -1)
        in_rows *= np.tile(np.array(light.tint, np.float32), lit.shape[1])
        if glare is not None:
            added = glare[np.ix_(rows, columns)] * cover
            lit += added[:, :, None]
        return lit

    def _in_drawing_order(self, table: VirtualTable) -> list[Column]:
        """Pieces in the picture as neat piles, those behind first."""
        # Most frames show the same as the previous one.
        seen = (id(table.box), table.pieces, table.nudge, table.carried)
        if self._order is None or self._order[0] != seen:
            self._order = (seen, self._sorted_for_drawing(table))
        return self._order[1]

    def _sorted_for_drawing(self, table: VirtualTable) -> list[Column]:
        shown: list[tuple[bool, float, float, Column]] = []
        for column in columns(table.pieces, table.box):
            foot, top = column[0], column[-1]
            kind = table.box.kinds[top.shows]
            reach = max(*span_of(kind)[0], kind.height, top.z - foot.z + kind.height)
            at = np.array([[foot.x_mm, foot.y_mm, foot.z]])
            u, v = self.project(at, table.nudge)[0]
            margin = 2.0 * reach * self._focal / self._eye[2]
            if not (-margin < u < self.width + margin and -margin < v < self.height + margin):
                continue
            away = float(np.linalg.norm(_moved(at, table.nudge)[0] - self._eye))
            held = top.id == table.carried
            shown.append((held, 0.0 if held else round(foot.z, 2), -away, column))
        return [entry[3] for entry in sorted(shown, key=lambda entry: entry[:3])]

    def _patch(self, what: str, column: Column, table: VirtualTable) -> Patch:
        key = (what, column)
        found = self._patches.get(key)
        if found is not None:
            self._patches.move_to_end(key)
            return found
        nudge, light = table.nudge, table.light
        if what == "shadow":
            made = draw_shadow(column, table.box, lambda p: self.project(p, nudge), light)
        else:
            made = draw_piece(
                column,
                table.box,
                lambda p: self.project(p, nudge),
                _unmoved(self._eye, nudge),
                light,
                lambda colours, cover, x, y: self._expose(colours, cover, x, y, light),
                self.blur,
                self.faces,
            )
        self._patches[key] = made
        return made

    def _swing(self, number: int) -> tuple[Floats, Floats]:
        """Swing of the camera in a frame: across, down and at its picture's sides by
        turning; and how far it goes across and down while the frame is exposed. Px."""
        swinging = self.tremble
        if swinging is None or swinging.mm == 0:
            return np.zeros(3), np.zeros(2)
        # Slightly different rhythms, so that no two swings are alike.
        rhythm = 2 * math.pi * swinging.hz * np.array([1.0, 0.83, 0.71])
        phase = rhythm * number * swinging.frame_s + np.array([0.0, 1.0, 2.0])
        reach = swinging.mm * self._focal / float(self._eye[2])
        return reach * np.sin(phase), (reach * swinging.exposure_s * rhythm * np.cos(phase))[:2]

    def _develop(self, frame: Image) -> Image:
        """Shake and noise of this one frame."""
        rng = np.random.default_rng((self.seed, self._frame))
        swing, speed = self._swing(self._frame)
        self._frame += 1
        if self.shiver > 0 or self.tremble is not None:
            dx, dy = rng.normal(0.0, self.shiver, 2) + swing[:2]
            turn = (rng.normal(0.0, self.shiver) + swing[2]) / self.width
            centre = (self.width / 2, self.height / 2)
            shake: Floats = cv2.getRotationMatrix2D(centre, math.degrees(turn), 1.0)
            shake[:, 2] += (dx, dy)
            size = (self.width, self.height)
            frame = cv2.warpAffine(
                frame, shake, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ).astype(np.uint8)
            frame = _smeared(frame, speed)
        if self.noise > 0:
            plus, minus = _noise_pool(self.seed, self.width, self.height, self.noise)
            top, left = int(rng.integers(0, 62)), int(rng.integers(0, 84))
            part = np.s_[top : top + self.height, left : left + self.width]
            cv2.add(frame, plus[part], frame)
            cv2.subtract(frame, minus[part], frame)
        return frame


def _smeared(frame: Image, way: Floats) -> Image:
    """``frame`` as the camera saw it while it moved along ``way`` (px)."""
    reach = math.ceil(float(np.abs(way).max()) / 2)
    if reach < 1:
        return frame
    steps = np.round((np.linspace(-0.5, 0.5, 64)[:, None] * way) + reach).astype(np.int64)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    np.add.at(kernel, (steps[:, 1], steps[:, 0]), 1 / len(steps))
    smeared: Image = cv2.filter2D(frame, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return smeared


@lru_cache(maxsize=2)
def _noise_pool(seed: int, width: int, height: int, deviation: float) -> tuple[Image, Image]:
    """Brightness that noise adds and takes away, a little larger than a frame."""
    rng = np.random.default_rng(seed)
    grain = rng.standard_normal((height + 61, width + 83, 3), np.float32)
    more, less = np.maximum(grain, 0.0), np.minimum(grain, 0.0)
    plus, minus = (cv2.convertScaleAbs(part, alpha=deviation) for part in (more, less))
    return plus, minus


def _between(knots: Floats, at: Floats) -> Floats:
    """Rows of ``knots`` at fractional numbers ``at``, interpolated."""
    low = np.minimum(at.astype(np.int64), len(knots) - 2)
    share = (at - low)[:, None, None].astype(np.float32)
    mixed: Floats = knots[low] * (1 - share) + knots[low + 1] * share
    return mixed


def _moved(points: Floats, nudge: Nudge) -> Floats:
    """Board points (n, 3) after the nudge, in the camera's own board axes."""
    turn = math.radians(nudge.angle)
    x, y = points[:, 0], points[:, 1]
    return np.stack(
        [
            x * math.cos(turn) - y * math.sin(turn) + nudge.dx,
            x * math.sin(turn) + y * math.cos(turn) + nudge.dy,
            points[:, 2],
        ],
        axis=1,
    )


def _unmoved(point: Floats, nudge: Nudge) -> Floats:
    turn = math.radians(nudge.angle)
    dx, dy = point[0] - nudge.dx, point[1] - nudge.dy
    return np.array(
        [
            dx * math.cos(turn) + dy * math.sin(turn),
            -dx * math.sin(turn) + dy * math.cos(turn),
            point[2],
        ]
    )
