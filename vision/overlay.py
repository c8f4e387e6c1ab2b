"""Drawing what the tracker sees over the picture, for ``watch --debug`` and for bug reports."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, Site, with_cells
from rules.reading.sighting import EMPTY, SiteBelief, look_text
from vision.arrays import Picture, Points
from vision.board.pose import BoardPose
from vision.camera.sources import Frame
from vision.pieces.sighting import SeenPiece, Sighting

Colour = tuple[int, int, int]
BARE: Colour = (200, 200, 200)
TAKEN: Colour = (100, 235, 100)
HIDDEN: Colour = (110, 110, 255)
GLARE: Colour = (0, 220, 255)
STRAY: Colour = (0, 200, 255)
PAPER: Colour = (255, 255, 255)
SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue",
                       "ß": "ss", "–": "-", "×": "x"})  # fmt: skip
"""OpenCV draws ASCII only."""


def annotate(frame: Frame, sighting: Sighting, box: Box, notes: Sequence[str] = ()) -> Picture:
    """A copy of the frame's picture (height × width × 3, BGR) with what was seen drawn in.

    Outlines of the sites with the likeliest look and its probability in percent; hidden sites
    hatched; the stickers that were read; pieces beside all sites with their place in mm; a line of
    figures; and ``notes``, sentences for people, below it.
    """
    image: Picture = frame.image.copy()
    scale = max(image.shape[:2]) / 1600
    if sighting.pose is not None:
        # The places of cells are not known.
        for site in with_cells(box, ()).sites.values():
            _draw_site(image, sighting, sighting.pose, site, scale)
        for piece in sighting.pieces:
            _draw_piece(image, piece, scale)
    lines = [_headline(sighting), *notes]
    for number, line in enumerate(lines):
        at = np.array([10.0, (24 + 30 * number) * scale])
        _write(image, line, at, 1.25 * scale, PAPER if number == 0 else STRAY, centred=False)
    return image


def _headline(sighting: Sighting) -> str:
    if sighting.board == "lost":
        return f"no board: {sighting.reason}"
    words = ["hand" if sighting.hand else "clear", "still" if sighting.still else "moving"]
    words.append(f"{sighting.ms.get('total', 0):.1f} ms")
    words.append(f"{sighting.px_per_module:.1f} px/module")
    words.append(f"light {100 * sighting.light:.0f} %")
    words.append(f"sharpness {sighting.sharpness:.2f}")
    words.append(f"pose {sighting.pose_error_px:.2f} px")
    return "   ".join(words)


def _draw_piece(image: Picture, piece: SeenPiece, scale: float) -> None:
    colour = TAKEN if piece.site is not None else STRAY
    outline = np.round(piece.corners_px).astype(np.int32)
    cv2.polylines(image, [outline], True, colour, max(1, round(2 * scale)))
    middle = piece.corners_px.mean(axis=0)
    # The upper edge, to show which way a piece points.
    cv2.line(image, outline[0].tolist(), outline[1].tolist(), PAPER, max(1, round(2 * scale)))
    if piece.site is None:
        x, y = piece.at_mm
        _write(image, f"{piece.kind} ({x:.0f}, {y:.0f}) mm", middle, scale, STRAY)


def _draw_site(
    image: Picture, sighting: Sighting, pose: BoardPose, site: Site, scale: float
) -> None:
    belief = sighting.sites.get(site.id)
    if belief is None:
        return
    hidden, look = belief.occluded, belief.best
    glares = hidden and site.id in sighting.glaring
    colour = (GLARE if glares else HIDDEN) if hidden else (BARE if look == EMPTY else TAKEN)
    outline = np.round(pose.project(_outline(site))).astype(np.int32)
    width = max(1, round(2 * scale))
    if hidden:
        _hatch(image, outline, colour, width, max(4, round(10 * scale)))
    cv2.polylines(image, [outline], True, colour, width)
    text = f"{site.id} {'glare' if glares else '?'}" if hidden else site.id
    below = np.array([outline[:, 0].mean(), outline[:, 1].max() + 12 * scale])
    if not hidden and look != EMPTY:
        sure = _probability(belief)
        # A certain belief needs no number; a doubtful one must stand out.
        text += f" {look_text(look)}" + ("" if sure > 0.995 else f" {100 * sure:.0f} %")
    _write(image, text, below, scale, colour)


def _probability(belief: SiteBelief) -> float:
    """Of the likeliest look, among those considered and a bare site."""
    scores = [belief.score(look) for look in belief.looks]
    if EMPTY not in belief.looks:
        scores.append(belief.score(EMPTY))
    top = max(scores)
    return 1.0 / sum(math.exp(score - top) for score in scores)


def _hatch(
    image: Picture, outline: npt.NDArray[np.int32], colour: Colour, width: int, step: int
) -> None:
    """Slanted lines within an outline: colour alone says too little."""
    left, top = np.maximum(outline.min(axis=0), 0)
    right = min(int(outline[:, 0].max()) + 1, image.shape[1])
    bottom = min(int(outline[:, 1].max()) + 1, image.shape[0])
    if right <= left or bottom <= top:
        return
    part = image[top:bottom, left:right]
    tall, wide = part.shape[:2]
    lines = np.zeros((tall, wide), dtype=np.uint8)
    for start in range(-tall, wide, step):
        cv2.line(lines, (start, tall), (start + tall, 0), 255, width)
    inside = np.zeros_like(lines)
    cv2.fillPoly(inside, [outline - np.array([left, top], dtype=np.int32)], 255)
    part[(lines & inside) > 0] = colour


def _outline(site: Site) -> Points:
    x, y = site.at
    if site.size is not None:
        w, h = site.size[0] / 2, site.size[1] / 2
        return np.array([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)])
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack([x + site.radius * np.cos(angles), y + site.radius * np.sin(angles)])


def _write(
    image: Picture, text: str, at: Points, scale: float, colour: Colour, centred: bool = True
) -> None:
    """Text on a dark ground, so that it can be read on any board. ``at``: the middle of its lower
    edge, or its lower left corner."""
    plain = text.translate(SPELT).encode("ascii", "replace").decode("ascii")
    face, size, thick = cv2.FONT_HERSHEY_SIMPLEX, 0.45 * scale, max(1, round(0.8 * scale))
    (wide, tall), under = cv2.getTextSize(plain, face, size, thick)
    left = round(float(at[0]) - (wide / 2 if centred else 0))
    base = round(float(at[1]))
    rim = max(2, round(3 * scale))
    top, bottom = max(base - tall - rim, 0), min(base + under + rim // 2, image.shape[0])
    ground = image[top:bottom, max(left - rim, 0) : max(left + wide + rim, 0)]
    ground[:] = ground // 4
    cv2.putText(image, plain, (left, base), face, size, colour, thick, cv2.LINE_AA)
