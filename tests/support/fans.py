"""Cards with stickers, fanned on the virtual table, and pictures of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.simulator.camera import Camera
from companion.simulator.objects import Light
from companion.simulator.table import VirtualTable
from rules.box import load_box
from vision.arrays import Picture

BOX = load_box("dominion").for_game("dominion")
SIZE = (880, 660)


class FanTable:
    """A table on which nothing lies but what is fanned."""

    def __init__(self, seed: int = 1, light: Light | None = None, noise: float = 1.6) -> None:
        self.table = VirtualTable(BOX, seed)
        self.table.light = light or self.table.light
        self.camera = Camera(*SIZE, height_mm=810.0, noise=noise, seed=seed)

    def lay(self, kind: str, x: float, y: float, turn: float = 0.0) -> int:
        """Lay a card, its middle at mm of the board; returns the piece."""
        waiting = [p for p in self.table.pieces if p.kind == kind and p.stored]
        piece = max(waiting, key=lambda p: p.z)
        self.table.move(piece.id, x, y)
        laid = self.table.piece(piece.id)
        self.table.knock(piece.id, 0.0, 0.0, turn - laid.angle_deg)
        return piece.id

    def fan(
        self, kinds: Sequence[str], at: tuple[float, float] = (0.0, 0.0), turn: float = 0.0,
        step: float = 51.0, spread: float = 6.0,
    ) -> list[int]:  # fmt: skip
        """Lay cards ``step`` mm apart, each turned by ``spread`` deg more than the one before."""
        first, laid = (len(kinds) - 1) / 2, []
        x = at[0] - first * step * math.cos(math.radians(turn))
        y = at[1] - first * step * math.sin(math.radians(turn))
        for number, kind in enumerate(kinds):
            angle = turn - (number - first) * spread
            laid.append(self.lay(kind, x, y, angle))
            x += step * math.cos(math.radians(angle - spread / 2))
            y += step * math.sin(math.radians(angle - spread / 2))
        return laid

    def clear(self, pieces: Iterable[int] | None = None) -> None:
        """Take these cards away, or all."""
        if pieces is None:
            self.table.clear()
        else:
            for piece in pieces:
                self.table.put_back(piece)

    def picture(self) -> Picture:
        """Picture of the camera; the box's other cards are out of its sight."""
        return self.camera.render(self.table)
