"""Cards fanned below a camera, for the pictures of the final count."""

from __future__ import annotations

import math

from companion.camera.card_counter import CardWatch
from companion.simulator.camera import Camera
from companion.simulator.table import VirtualTable
from rules.box import load_box
from vision.camera.sources import Frame, MemorySource

BOX = "dominion"
FANS = (
    (("province", "gold", "estate", "duchy", "copper", "village", "gardens"), 120.0, 7.0),
    (("province", "smithy", "copper", "silver", "curse"), -80.0, 5.0),
)
"""Kinds, how far up the middle of the fan lies (mm), and the turn from card to card (deg)."""
STEP_MM = 51.0
LOOKS = 5


def fanned_cards(_box: str) -> CardWatch:
    """A watch that has looked at two fans, and looks no more."""
    box = load_box(BOX)
    table, camera = VirtualTable(box, 5), Camera(1200, 900, height_mm=810.0, seed=5)
    for kinds, up, turn in FANS:
        _lay(table, kinds, up, turn)
    picture, watch = camera.render(table), CardWatch(MemorySource, box)
    for number in range(LOOKS):
        watch.see(Frame(picture, number, "", float(number)))
    return watch


def _lay(table: VirtualTable, kinds: tuple[str, ...], up: float, turn: float) -> None:
    first = (len(kinds) - 1) / 2
    x, y = -first * STEP_MM, up - first * turn
    for number, kind in enumerate(kinds):
        angle = (first - number) * turn
        waiting = [piece for piece in table.pieces if piece.kind == kind and piece.stored]
        piece = max(waiting, key=lambda one: one.z)
        table.move(piece.id, x, y)
        table.knock(piece.id, 0.0, 0.0, angle - table.piece(piece.id).angle_deg)
        x += STEP_MM * math.cos(math.radians(angle - turn / 2))
        y += STEP_MM * math.sin(math.radians(angle - turn / 2))
