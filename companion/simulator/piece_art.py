"""Pieces as the camera sees them: small patches to be laid over the picture of the bare table."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

import cv2
import numpy as np

from companion.simulator.board_art import (
    Colour,
    bgr,
    mottle,
    shade,
    sticker_modules,
    sticker_texture,
)
from companion.simulator.dice_art import pips
from companion.simulator.objects import (
    Column,
    Floats,
    Image,
    Light,
    Piece,
    TableError,
    runs,
    thickness,
)
from rules.box import Box, PieceKind, arrow_points, foot_points, parts_of

# -- bodies -----------------------------------------------------------------------------------
#
# A body is made of convex parts in millimetres. It stands on the board's plane at the origin of its
# own axes; a lying body lies along y with its head towards +y.


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One convex part."""

    corners: Floats
    """Corners of one face after another: (n, 3) mm, each face counter-clockwise from outside."""
    ends: tuple[int, ...]
    """End of each face in ``corners``."""
    normals: Floats
    """Unit vectors out of the faces: (faces, 3)."""

    @staticmethod
    def of(faces: Sequence[Floats]) -> Part:
        """A part with these faces, each (n, 3) mm."""
        ends = tuple(accumulate(map(len, faces)))
        return Part(np.vstack(faces), ends, np.array([_normal(face) for face in faces]))

    @property
    def starts(self) -> tuple[int, ...]:
        """Beginning of each face in ``corners``."""
        return (0, *self.ends[:-1])

    def placed(self, turn: Floats, shift: Floats) -> Part:
        """The part after a turn, as a matrix (3, 3) for rows, and a shift in mm (3,)."""
        return Part(self.corners @ turn + shift, self.ends, self.normals @ turn)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A piece's shape."""

    parts: tuple[Part, ...]
    """From the lowest to the highest."""
    face: Floats
    """Plane of the upper side as origin, right and up: (3, 3) mm; stickers lie in it."""

    def placed(self, turn: Floats, shift: Floats) -> Body:
        """The body after a turn, as a matrix (3, 3) for rows, and a shift in mm (3,)."""
        face = np.vstack([self.face[:1] @ turn + shift, self.face[1:] @ turn])
        return Body(tuple(part.placed(turn, shift) for part in self.parts), face)


@lru_cache(maxsize=256)
def body_of(kind: PieceKind, pose: str) -> Body:
    """The shape of a kind in a pose; raises TableError for an unknown shape."""
    wide, deep = kind.size
    high = max(kind.height, 0.2)
    match kind.shape:
        case _ if kind.cells:
            parts = _tiles(kind, high)
        case "disc":
            parts = _bevelled(_ellipse(wide, deep, 44), high, min(0.9, high / 3))
        case "octagon":
            parts = _bevelled(_ellipse(wide, deep, 8, math.pi / 8), high, min(0.9, high / 3))
        case "hexagon":
            parts = _bevelled(np.array(foot_points(kind)), high, min(0.7, high / 3))
        case "box" | "bar":
            parts = _bevelled(_rectangle(wide, deep), high, min(0.7, high / 3))
        case "die":
            parts = _bevelled(_rounded(wide, deep, 0.14 * wide), high, 0.08 * wide)
        case "card":
            parts = (_prism(_rounded(wide, deep, 3.0), 0.0, high),)
        case "pawn":
            parts = _pawn(wide, deep, high, kind.sticker_mm)
        case "arch":
            parts = _arch(wide, deep, high)
        case _:
            raise TableError(
                f"kind '{kind.id}' has the shape '{kind.shape}'; the virtual table draws disc, "
                "box, octagon, hexagon, pawn, card, bar, arch and die"
            )
    face = np.array([[0.0, 0.0, high], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    standing = Body(parts, face)
    if pose != "lying":
        return standing
    fall = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    return standing.placed(fall.T, np.array([0.0, -high / 2, deep / 2]))


def _normal(face: Floats) -> Floats:
    across = np.cross(face[1] - face[0], face[2] - face[1])
    length = float(np.linalg.norm(across))
    return across / length if length > 0 else np.array([0.0, 0.0, 1.0])


def _ellipse(wide: float, deep: float, corners: int, start: float = 0.0) -> Floats:
    turn = start + np.linspace(0.0, 2 * math.pi, corners, endpoint=False)
    # flat sides, not corners, must measure ``wide``
    reach = 1.0 / math.cos(math.pi / corners) if corners <= 8 else 1.0
    return np.stack([wide / 2 * reach * np.cos(turn), deep / 2 * reach * np.sin(turn)], axis=1)


def _rectangle(wide: float, deep: float) -> Floats:
    x, y = wide / 2, deep / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def _rounded(wide: float, deep: float, radius: float) -> Floats:
    bend = min(radius, wide / 2, deep / 2)
    turn = np.radians(np.arange(0, 91, 18))
    arc = bend * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    x, y = wide / 2 - bend, deep / 2 - bend
    middle = np.array([x, y])
    corners = []
    for number, signs in enumerate(([1, 1], [-1, 1], [-1, -1], [1, -1])):
        # mirrored quarters run backwards, so every other one is reversed
        quarter = arc if number % 2 == 0 else arc[::-1]
        corners.append((quarter + middle) * np.array(signs))
    return np.vstack(corners)


def _prism(outline: Floats, low: float, high: float, inset: float = 0.0) -> Part:
    """A straight body, its upper outline drawn in by ``inset`` mm."""
    half = np.abs(outline).max(axis=0)
    upper = outline * (1.0 - inset / half)
    bottom = np.column_stack([outline, np.full(len(outline), low)])
    top = np.column_stack([upper, np.full(len(outline), high)])
    following = np.roll(np.arange(len(outline)), -1)
    sides = tuple(np.array([bottom[i], bottom[j], top[j], top[i]]) for i, j in enumerate(following))
    return Part.of((bottom[::-1], *sides, top))


def _bevelled(outline: Floats, high: float, bevel: float) -> tuple[Part, ...]:
    upper = _prism(outline, high - bevel, high, bevel)
    return (_prism(outline, 0.0, high - bevel), upper)


def _tiles(kind: PieceKind, high: float) -> tuple[Part, ...]:
    """A piece over several cells; no side of one of them is above the face of another."""
    outlines = [np.array(part) for part in parts_of(kind)]
    tops = [np.column_stack([one, np.full(len(one), high)]) for one in outlines]
    return (*(_prism(one, 0.0, high) for one in outlines), *(Part.of([top]) for top in tops))


def _pawn(wide: float, deep: float, high: float, sticker_mm: float) -> tuple[Part, ...]:
    base, neck = 0.22 * high, 0.80 * high
    # the head carries the sticker with its rim of one module
    head = min(wide, max(0.62 * wide, sticker_mm * 1.34 * math.sqrt(2)))
    foot = _prism(_ellipse(wide, deep, 36), 0.0, base, 0.06 * wide)
    stem = _prism(_ellipse(0.62 * wide, 0.62 * deep, 28), base, neck, 0.11 * wide)
    crown = _prism(_ellipse(head, head * deep / wide, 36), neck, high - 0.8)
    rim = _prism(_ellipse(head, head * deep / wide, 36), high - 0.8, high, 0.8)
    return (foot, stem, crown, rim)


def _arch(wide: float, deep: float, high: float) -> tuple[Part, ...]:
    """A trilithon: two pillars and the capstone that carries the sticker."""
    lintel = 0.72 * high
    pillar = _rectangle(0.24 * wide, 0.82 * deep)
    left = _prism(pillar, 0.0, lintel)
    move = np.array([0.34 * wide, 0.0, 0.0])
    pillars = tuple(left.placed(np.eye(3), shift) for shift in (-move, move))
    beam = _rectangle(wide, deep)
    return (
        *pillars,
        _prism(beam, lintel, high - 0.7),
        _prism(beam, high - 0.7, high, 0.7),
    )


Project = Callable[[Floats], Floats]
"""Pixels (n, 2) of board points (n, 3) in mm."""

Expose = Callable[[Floats, Floats, int, int], Floats]
"""Light the colours (h, w, 3) that cover a share (h, w) of the picture at pixel (x, y)."""

_FINE = 3
"""Factor by which pieces are drawn larger, so that small modules keep their edges."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A patch to lay over a picture: ``picture * keep / 255 + add`` at (x, y)."""

    x: int
    y: int
    keep: Image
    """(h, w, 3) uint8: how much of the picture below stays, 255 for all."""
    add: Image | None
    """(h, w, 3) uint8; None for a shadow."""

    def lay(self, frame: Image) -> None:
        """Lay it over ``frame`` in place; what hangs over the edge is cut off."""
        common = self._common(frame)
        if common is None:
            return
        below, part = common
        cv2.multiply(below, self.keep[part], below, 1.0 / 255.0)
        if self.add is not None:
            cv2.add(below, self.add[part], below)

    def deepen(self, shade: Image) -> None:
        """Keep the darker of this shadow and ``shade`` (height, width), in place."""
        common = self._common(shade)
        if common is not None:
            below, part = common
            np.minimum(below, self.keep[part][:, :, 0], out=below)

    def _common(self, frame: Image) -> tuple[Image, tuple[slice, slice]] | None:
        """The part of ``frame`` below this patch and where it lies in it; None if outside."""
        rows, columns = self.keep.shape[:2]
        x0, y0 = max(self.x, 0), max(self.y, 0)
        x1, y1 = min(self.x + columns, frame.shape[1]), min(self.y + rows, frame.shape[0])
        if x0 >= x1 or y0 >= y1:
            return None
        part = np.s_[y0 - self.y : y1 - self.y, x0 - self.x : x1 - self.x]
        return frame[y0:y1, x0:x1], part


def place_body(piece: Piece, kind: PieceKind) -> Body:
    """The body of a piece where it lies, in board mm."""
    body = body_of(kind, piece.pose)
    turn = math.radians(piece.angle_deg)
    spin = np.array(
        [
            [math.cos(turn), math.sin(turn), 0.0],
            [-math.sin(turn), math.cos(turn), 0.0],
            [0.0, 0.0, 1.0],
        ]
    )
    return body.placed(spin, np.array([piece.x_mm, piece.y_mm, piece.z]))


def draw_piece(
    column: Column,
    box: Box,
    project: Project,
    eye: Floats,
    light: Light,
    expose: Expose,
    blur: float,
    faces: Mapping[str, str] | None = None,
) -> Patch:
    """The patch of a column of pieces.

    ``eye``: the camera's place in board mm (3,). ``blur``: deviation in px. ``faces``: what is
    written on cards instead of stickers, by kind, else their mark; None: stickers.
    """
    piece = column[-1]
    kind = box.kinds[piece.shows]
    if faces is not None:
        kind = replace(kind, stickers=(), lying_stickers=(), mark=faces.get(kind.id, kind.mark))
    bodies = _bodies(column, box)
    body = bodies[-1][0]
    parts = [(part, name) for whole, name in bodies for part in whole.parts]
    seen = project(np.vstack([part.corners for part, _ in parts]))
    pad = 3 + math.ceil(3 * blur)
    left, top = np.floor(seen.min(axis=0)).astype(int) - pad
    right, bottom = np.ceil(seen.max(axis=0)).astype(int) + pad + 1
    brush = _Brush(project, int(left), int(top), int(right - left), int(bottom - top))
    colour = bgr(kind.colour)
    outlines = np.split(brush.fine(seen), np.cumsum([len(part.corners) for part, _ in parts])[:-1])
    for (part, name), outline in zip(parts, outlines, strict=True):
        paint = bgr(box.kinds[name].colour)
        brush.hull(outline, shade(paint, 0.7))
        towards = ((eye - part.corners[part.starts, :]) * part.normals).sum(axis=1)
        gains = _gains(part.normals, light)
        for start, end, seen_from, gain in zip(part.starts, part.ends, towards, gains, strict=True):
            if seen_from > 0:
                brush.polygon(outline[start:end], _glossy(paint, float(gain)))
    brush.grain(piece.id, 0.05)
    right_axis, up_axis = body.face[1], body.face[2]
    outward = np.cross(right_axis, up_axis)
    if float(outward @ (eye - body.face[0])) > 0:
        over, level = _gains(np.array([outward, [0.0, 0.0, 1.0]]), light)
        lit = float(over / level)
        if kind.shape == "card":
            _frame_card(brush, body, kind, colour)
        if kind.turns:
            arrow = np.array([(1.0, x, y) for x, y in arrow_points(kind)]) @ body.face
            brush.face(arrow, shade(_ink_on(colour), lit))
        if kind.is_die and not kind.stickers:
            _pip(brush, kind, piece.pose, body.face, eye, light)
        if kind.mark and (texture := _mark(kind)) is not None:
            picture, at, size = texture
            brush.texture(picture, _quad(body.face, at, size), lit)
        sticker = piece.sticker
        if kind.is_die and kind.stickers:
            sticker = kind.stickers[kind.faces.index(piece.pose)]
        if sticker is not None and faces is None:
            _stick(brush, box, kind, sticker, body.face, lit)
    if piece.pose == "lying" and kind.lying_stickers:
        # a small plate on its side, as high as the piece is thick
        level = np.array([0.0, 0.0, thickness(kind, piece.pose)])
        middle = np.array([piece.x_mm, piece.y_mm, piece.z]) + level
        along = np.array([*piece.to_board(1.0, 0.0), 0.0]) - [piece.x_mm, piece.y_mm, 0.0]
        up = np.array([-along[1], along[0], 0.0])
        _stick(brush, box, kind, kind.lying_stickers[0], np.vstack([middle, along, up]), 1.0)
    return brush.patch(expose, blur)


def _pip(
    brush: _Brush, kind: PieceKind, shown: str, face: Floats, eye: Floats, light: Light
) -> None:
    """Draw the pips of a die."""
    ink, level = bgr(kind.pips), float(_gains(np.array([[0.0, 0.0, 1.0]]), light)[0])
    for corners, normal in pips(kind, shown, face):
        if float(normal @ (eye - corners[0])) > 0:
            gain = float(_gains(normal[None], light)[0])
            brush.face(corners, shade(ink, gain / level))


def _stick(
    brush: _Brush, box: Box, kind: PieceKind, sticker: int, face: Floats, lit: float
) -> None:
    """Draw a sticker with its rim in the middle of a face."""
    side = kind.sticker_mm * (1.0 + 2.0 / sticker_modules(box.dictionary))
    printed = sticker_texture(box.dictionary, sticker)
    plate = _quad(face, (0.0, 0.0), (side, side))
    brush.silhouette(plate, bgr(kind.colour))
    brush.texture(printed, plate, lit)


def _bodies(column: Column, box: Box) -> list[tuple[Body, str]]:
    """The bodies of a column where it stands, and the kinds they show, from below."""
    found = []
    for piece, height in runs(column, box):
        kind = box.kinds[piece.shows]
        if piece is not column[-1]:
            kind = replace(kind, height=height)
        found.append((place_body(piece, kind), piece.shows))
    return found


def draw_shadow(column: Column, box: Box, project: Project, light: Light) -> Patch:
    """The shadow of a column of pieces on the board."""
    piece = column[0]
    cast = np.array([*light.cast])
    parts = [part.corners for body, _ in _bodies(column, box) for part in body.parts]
    flat = [np.column_stack([p[:, :2] + p[:, 2:] * cast, np.zeros(len(p))]) for p in parts]
    feet = [np.column_stack([p[:, :2], np.zeros(len(p))]) for p in parts]
    px_per_mm = _px_per_mm(project, piece)
    top = max(float(p[:, 2].max()) for p in parts)
    soft = (0.9 + 0.075 * top + 0.06 * piece.z) * px_per_mm
    close = 1.7 * px_per_mm
    seen = project(np.vstack(flat + feet))
    pad = math.ceil(3 * max(soft, close)) + 1
    left, upper = np.floor(seen.min(axis=0)).astype(int) - pad
    right, lower = np.ceil(seen.max(axis=0)).astype(int) + pad + 1
    shape = (int(lower - upper), int(right - left))
    dark = _shape(flat, project, left, upper, shape, soft) * 0.50
    keep = 1.0 - dark
    if piece.z < 3.0:
        keep *= 1.0 - _shape(feet, project, left, upper, shape, close) * 0.42
    kept = (keep * 255.0).round().astype(np.uint8)
    return Patch(int(left), int(upper), cv2.merge([kept, kept, kept]).astype(np.uint8), None)


def _shape(
    parts: list[Floats], project: Project, left: int, top: int, shape: tuple[int, int], soft: float
) -> Floats:
    """Blurred picture (0 to 1) of the union of convex ground shapes."""
    mask = np.zeros(shape, np.uint8)
    for part in parts:
        px = (project(part) - (left, top)).astype(np.float32)
        hull = cv2.convexHull(px).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask.astype(np.float32) / 255.0, (0, 0), max(soft, 0.3))


def _px_per_mm(project: Project, piece: Piece) -> float:
    ends = np.array([[piece.x_mm - 5, piece.y_mm, 0.0], [piece.x_mm + 5, piece.y_mm, 0.0]])
    seen = project(ends)
    return math.dist(seen[0], seen[1]) / 10.0


def _gains(normals: Floats, light: Light) -> Floats:
    """Brightness of faces with these normals (n, 3)."""
    gains: Floats = 0.46 + 0.66 * np.maximum(0.0, normals @ np.array(light.towards))
    return gains


def _glossy(colour: Colour, gain: float) -> Colour:
    # a little gloss keeps black pieces from turning into holes
    return shade(colour, gain, 4.0 + 12.0 * gain)


def _quad(face: Floats, at: tuple[float, float], size: tuple[float, float]) -> Floats:
    """Corners (4, 3) of a label in the plane of a face: upper left, right, lower right, left."""
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size) / 2 + np.array(at)
    corners: Floats = face[0] + signs[:, :1] * face[1] + signs[:, 1:] * face[2]
    return corners


def _ink_on(ground: Colour) -> Colour:
    """The darkest or brightest ink, whichever is seen on this ground."""
    return (30, 30, 30) if sum(ground) / 3 > 110 else (225, 230, 232)


def _frame_card(brush: _Brush, body: Body, kind: PieceKind, colour: Colour) -> None:
    wide, deep = kind.size
    brush.face(_quad(body.face, (0.0, 0.0), (wide - 4.5, deep - 4.5)), shade(colour, 0.78))
    brush.face(_quad(body.face, (0.0, 0.0), (wide - 6.0, deep - 6.0)), shade(colour, 1.0, 12.0))


def _mark(kind: PieceKind) -> tuple[Image, tuple[float, float], tuple[float, float]] | None:
    """Picture, place and size (mm) of what is printed for people; None if there is no room."""
    wide, deep = kind.size
    side = kind.sticker_mm * 4 / 3 if kind.stickers else 0.0
    room = (deep - side) / 2 if side else min(wide, deep) * 0.8
    round_shape = kind.shape in ("disc", "octagon", "pawn")
    if room < 6.0 or (round_shape and side):
        return None
    high = min(room * 0.62, 14.0)
    at = (0.0, -(side / 2 + room / 2)) if side else (0.0, 0.0)
    picture = _letters(kind.mark, kind.colour)
    width = high * picture.shape[1] / picture.shape[0]
    most = wide * 0.86
    if width > most and not side:
        high *= most / width
    return picture, at, (min(width, most), high)


@lru_cache(maxsize=256)
def _letters(text: str, ground: str) -> Image:
    colour = shade(bgr(ground), 1.0, 12.0)
    bright = sum(colour) / 3 > 110
    font = cv2.FONT_HERSHEY_DUPLEX
    plain, dotted = _undotted(text)
    (wide, high), low = cv2.getTextSize(plain, font, 2.0, 4)
    above = 14 if dotted else 0
    picture = np.empty((high + low + 12 + above, wide + 12, 3), np.uint8)
    picture[:] = colour
    ink = shade(colour, 0.28) if bright else shade(colour, 1.0, 150.0)
    cv2.putText(picture, plain, (6, high + 6 + above), font, 2.0, ink, 4, cv2.LINE_AA)
    for number in dotted:
        left, right = (cv2.getTextSize(plain[:end], font, 2.0, 4)[0][0] for end in _ends(number))
        for side in (-8, 8):
            at = (6 + (left + right) // 2 + side, above + 2 + (0 if plain[number].isupper() else 8))
            cv2.circle(picture, at, 4, ink, -1, cv2.LINE_AA)
    return picture


def _undotted(text: str) -> tuple[str, list[int]]:
    """A text in the letters that OpenCV can write, and which of them had dots."""
    plain, dotted = "", []
    for letter in text.replace("ß", "ss"):
        parts = unicodedata.normalize("NFKD", letter)
        if "\u0308" in parts:
            dotted.append(len(plain))
        plain += parts[0]
    return plain, dotted


def _ends(number: int) -> tuple[int, int]:
    return number, number + 1


@lru_cache(maxsize=1)
def _speckle() -> Floats:
    return mottle((512, 512), (9.0, 3.0), 31).astype(np.float32)


class _Brush:
    """Paints one patch, ``_FINE`` times enlarged."""

    def __init__(self, project: Project, left: int, top: int, wide: int, high: int) -> None:
        self.project = project
        self.left, self.top = left, top
        self.colour: Image = np.zeros((high * _FINE, wide * _FINE, 3), np.uint8)
        self.mask: Image = np.zeros((high * _FINE, wide * _FINE), np.uint8)

    def fine(self, seen: Floats) -> Floats:
        """Pixels of the picture (n, 2) in the enlarged patch, float32."""
        enlarged: Floats = (seen - (self.left, self.top) + 0.5) * _FINE - 0.5
        return enlarged.astype(np.float32)

    def silhouette(self, points: Floats, colour: Colour) -> None:
        self.hull(self.fine(self.project(points)), colour)

    def hull(self, there: Floats, colour: Colour) -> None:
        corners = _fixed(cv2.convexHull(there).reshape(-1, 2))
        cv2.fillConvexPoly(self.mask, corners, (255,), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(self.colour, corners, colour, cv2.LINE_AA, 4)

    def face(self, points: Floats, colour: Colour) -> None:
        self.polygon(self.fine(self.project(points)), colour)

    def polygon(self, there: Floats, colour: Colour) -> None:
        cv2.fillConvexPoly(self.colour, _fixed(there), colour, cv2.LINE_AA, 4)

    def grain(self, seed: int, strength: float) -> None:
        rows, columns = self.mask.shape
        y, x = (seed * 67) % 256, (seed * 41) % 256
        tile = _speckle()[y : y + 256, x : x + 256] * strength + 1.0
        cloud = cv2.resize(tile, (columns, rows), interpolation=cv2.INTER_LINEAR)
        gain = cv2.merge([cloud, cloud, cloud])
        cv2.multiply(self.colour, gain, self.colour, dtype=cv2.CV_8U)

    def texture(self, picture: Image, quad: Floats, gain: float) -> None:
        rows, columns = picture.shape[:2]
        corners = np.array(
            [[-0.5, -0.5], [columns - 0.5, -0.5], [columns - 0.5, rows - 0.5], [-0.5, rows - 0.5]],
            np.float32,
        )
        there = self.fine(self.project(quad))
        left, top = np.maximum(np.floor(there.min(axis=0)).astype(int) - 1, 0)
        right, bottom = np.ceil(there.max(axis=0)).astype(int) + 2
        below = self.colour[top:bottom, left:right]
        there -= np.array([left, top], np.float32)
        size = (below.shape[1], below.shape[0])
        warped = cv2.warpPerspective(
            cv2.convertScaleAbs(picture, alpha=gain),
            cv2.getPerspectiveTransform(corners, there),
            size,
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_REPLICATE,
        )
        cover = np.zeros(below.shape[:2], np.uint8)
        cv2.fillConvexPoly(cover, _fixed(there), (255,), cv2.LINE_AA, 4)
        share = cv2.merge([cover, cover, cover])
        kept = cv2.multiply(below, 255 - share, scale=1.0 / 255.0)
        cv2.add(kept, cv2.multiply(warped, share, scale=1.0 / 255.0), below)

    def patch(self, expose: Expose, blur: float) -> Patch:
        rows, columns = self.mask.shape
        size = (columns // _FINE, rows // _FINE)
        colour: Floats = cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA)
        mask: Floats = cv2.resize(self.mask, size, interpolation=cv2.INTER_AREA)
        colour, mask = colour.astype(np.float32), mask.astype(np.float32) / 255.0
        lit = expose(colour, mask, self.left, self.top)
        if blur > 0:
            lit = cv2.GaussianBlur(lit, (0, 0), blur)
            mask = cv2.GaussianBlur(mask, (0, 0), blur)
        kept = ((1.0 - mask) * 255.0).round().astype(np.uint8)
        keep = cv2.merge([kept, kept, kept]).astype(np.uint8)
        return Patch(self.left, self.top, keep, np.clip(lit, 0, 255).astype(np.uint8))


def _fixed(there: Floats) -> Image:
    """Pixels (n, 2) with four bits below the point, int32, as OpenCV draws them."""
    return np.round(there * 16).astype(np.int32)
