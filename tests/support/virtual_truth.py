"""The true layout of a virtual table, and where its hand is, for tests that judge pictures."""

from __future__ import annotations

import numpy as np

from companion.simulator import Camera, VirtualTable
from companion.simulator.hand_art import draw_hand
from companion.simulator.objects import Image
from rules.core import Item, Layout


def layout_seen(table: VirtualTable) -> Layout:
    """True contents of every site, as a layout without owners.

    ``seen`` is False below other pieces; pieces beside every site and one in a hand are left out.
    """
    layout = Layout()
    for site in table.box.sites:
        for column in table.stacks(site):
            for level, piece in enumerate(column):
                face = "up" if piece.face_up else "down"
                seen = level == len(column) - 1
                layout[Item(site, piece.shows, None, level, piece.pose, face, seen)] += 1
    return layout


def hand_mask(camera: Camera, table: VirtualTable) -> Image:
    """Pixels of the hand: (height, width) uint8, 255 on hand and arm, without shadow."""
    mask = np.full((camera.height, camera.width, 3), 255, np.uint8)
    if table.hand is not None:
        _, solid = draw_hand(
            table.hand,
            lambda points: camera.project(points, table.nudge),
            table.light,
            lambda colours, cover, x, y: colours * 0.0,
            0.0,
            (camera.width, camera.height),
        )
        if solid is not None:
            solid.lay(mask)
    return (255 - mask[:, :, 0]).astype(np.uint8)
