"""Drawing what the tracker sees over the picture, for ``watch --debug`` and for bug reports."""

from __future__ import annotations

import cv2
import numpy as np

from rules.box import Box, Site
from rules.sighting import EMPTY, look_text
from vision.arrays import Picture, Points
from vision.board_pose import BoardPose
from vision.sighting import Sighting
from vision.sources import Frame

__all__ = ["annotate"]

Colour = tuple[int, int, int]
BARE: Colour = (190, 190, 190)
TAKEN: Colour = (80, 220, 80)
HIDDEN: Colour = (60, 60, 230)
STRAY: Colour = (0, 200, 255)
PAPER: Colour = (255, 255, 255)
INK: Colour = (20, 20, 20)


def annotate(frame: Frame, sighting: Sighting, box: Box) -> Picture:
    """A copy of the frame's picture (height × width × 3, BGR) with outlines of the sites, what
    was read there, what is hidden, strays, and a line that says how it goes."""
    image: Picture = frame.image.copy()
    scale = max(image.shape[:2]) / 1600
    if sighting.pose is not None:
        for site in box.sites.values():
            _draw_site(image, sighting, sighting.pose, site, scale)
        for piece in sighting.pieces:
            colour = TAKEN if piece.site is not None else STRAY
            outline = np.round(piece.corners_px).astype(np.int32)
            cv2.polylines(image, [outline], True, colour, max(1, round(2 * scale)))
            if piece.site is None:
                _write(image, piece.kind, piece.corners_px.mean(axis=0), scale, STRAY)
    _write(image, _headline(sighting), np.array([12.0, 24 * scale]), scale, INK)
    return image


def _headline(sighting: Sighting) -> str:
    if sighting.board == "lost":
        return f"no board: {sighting.reason}"
    words = ["hand" if sighting.hand else "clear", "still" if sighting.still else "moving"]
    words.append(f"{sighting.ms.get('total', 0):.1f} ms")
    words.append(f"{sighting.px_per_module:.1f} px/module")
    words.append(f"pose {sighting.pose_error_px:.2f} px")
    return "  ".join(words)


def _draw_site(
    image: Picture, sighting: Sighting, pose: BoardPose, site: Site, scale: float
) -> None:
    belief = sighting.sites.get(site.id)
    if belief is None:
        return
    hidden, look = belief.occluded, belief.best
    colour = HIDDEN if hidden else (BARE if look == EMPTY else TAKEN)
    outline = np.round(pose.project(_outline(site))).astype(np.int32)
    cv2.polylines(image, [outline], True, colour, max(1, round(2 * scale)))
    text = f"{site.id}?" if hidden else f"{site.id} {look_text(look)}".strip()
    _write(image, text, outline.mean(axis=0), scale, colour)


def _outline(site: Site) -> Points:
    x, y = site.at
    if site.size is not None:
        w, h = site.size[0] / 2, site.size[1] / 2
        return np.array([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)])
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack([x + site.radius * np.cos(angles), y + site.radius * np.sin(angles)])


def _write(image: Picture, text: str, at: Points, scale: float, colour: Colour) -> None:
    """Text with a pale rim, so that it can be read on any board; OpenCV knows ASCII only."""
    plain = text.encode("ascii", "replace").decode("ascii")
    place = (round(float(at[0])), round(float(at[1])))
    size, width = 0.5 * scale, max(1, round(scale))
    face = cv2.FONT_HERSHEY_SIMPLEX
    rim = INK if colour != INK else PAPER
    cv2.putText(image, plain, place, face, size, rim, width + 2, cv2.LINE_AA)
    cv2.putText(image, plain, place, face, size, colour, width, cv2.LINE_AA)
