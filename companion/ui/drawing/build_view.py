"""A drawing of what is built before a match: from the front, or from above."""

from __future__ import annotations

from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rotate,
    SmoothLine,
)
from kivy.uix.widget import Widget

from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.ink import Round
from companion.ui.drawing.pieces import draw_piece
from companion.ui.theme.style import style
from rules.box import Box, PieceKind
from rules.core import Block, Build

_TALL = 0.85
"""Height of a piece, as a share of its width, seen from the front."""
_PILLAR = 0.24
_LINTEL = 0.3
"""Share of the width and of the height."""
_MARGIN = 0.6
"""Margin around everything, in widths."""


class BuildView(Widget):  # type: ignore[misc]
    """Draws ``build`` with pieces of ``box``, as large as there is room."""

    def __init__(self, box: Box, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._box = box
        self._build: Build | None = None
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, build: Build) -> None:
        """Draw this one from now on."""
        self._build = build
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        build = self._build
        if build is None or min(self.size) < style.gap:
            return
        front = build.seen == "front"
        rise = _TALL if front else 1.0
        reach = max(abs(block.across) for block in build.blocks) + 0.5 + _MARGIN
        ups = [block.up * rise for block in build.blocks]
        low, high = min(ups) - _MARGIN, max(ups) + _MARGIN + (rise if front else 0.0)
        unit = min(self.width / (2 * reach), self.height / (high - low))
        middle = self.y + self.height / 2 - (low + high) / 2 * unit
        if front:
            self._floor(middle, reach * unit)
        else:
            self._edge(middle + low * unit, unit)
        for block in sorted(build.blocks, key=lambda one: one.up):
            kind = self._box.kinds[block.kind]
            at = (self.x + self.width / 2 + block.across * unit, middle + block.up * rise * unit)
            if front:
                self._gate(kind, at, unit)
            else:
                self._above(kind, block, at, unit)

    def _floor(self, y: float, reach: float) -> None:
        self._drawing.add(Color(*style.tone("ash", 0.6)))
        x = self.x + self.width / 2
        ends = [x - reach, y, x + reach, y]
        self._drawing.add(SmoothLine(points=ends, width=style.hairline))

    def _edge(self, y: float, unit: float) -> None:
        """The edge that is played from."""
        self._drawing.add(Color(*style.tone("dawn", 0.8)))
        x = self.x + self.width / 2
        ends = [x - 1.6 * unit, y, x + 1.6 * unit, y]
        self._drawing.add(SmoothLine(points=ends, width=style.stroke))

    def _gate(self, kind: PieceKind, at: tuple[float, float], unit: float) -> None:
        """Two pillars and what lies on them; ``at`` is the middle of its foot."""
        wide, tall = unit * 0.94, unit * _TALL * 0.97
        pillar, lintel = wide * _PILLAR, tall * _LINTEL
        left, (x, y) = at[0] - wide / 2, at
        fill = fill_of(kind, style.chosen.piece_colours)
        parts = (
            (left + wide * 0.04, y, pillar, tall - lintel),
            (x + wide / 2 - wide * 0.04 - pillar, y, pillar, tall - lintel),
            (left, y + tall - lintel, wide, lintel),
        )
        for px, py, w, h in parts:
            self._drawing.add(Color(*style.tone("rim_dark")))
            self._block(px - 1, py - 1, w + 2, h + 2)
            self._drawing.add(Color(*fill))
            self._block(px, py, w, h)

    def _block(self, x: float, y: float, wide: float, high: float) -> None:
        corner = min(wide, high) * 0.16
        self._drawing.add(Round((x, y), (wide, high), corner))

    def _above(self, kind: PieceKind, block: Block, at: tuple[float, float], unit: float) -> None:
        self._drawing.add(PushMatrix())
        self._drawing.add(Rotate(angle=block.turn, origin=at))
        draw_piece(self._drawing, kind, at, unit * 0.94 / max(kind.size))
        self._drawing.add(PopMatrix())
