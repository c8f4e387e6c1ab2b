"""Drawings that are used again: what looks the same in the same place is not drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Scale, Translate

from companion.ui.theme.style import style

__all__ = ["KeptDrawings", "UnderWay"]

Px = tuple[float, float]
Draw = Callable[[InstructionGroup, Px], None]
"""Draws something into a group, with its middle there (px)."""

_FIRST_SIZE = 0.75
"""What appears grows from this part of its size."""


class KeptDrawings:
    """The drawings of a group, by everything that they depend on: ``begin``, ``add`` each in its
    turn, the lowest first, and ``end``. If all are as before, nothing is drawn at all."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self._drawn: dict[Hashable, InstructionGroup] = {}
        self._wanted: dict[Hashable, InstructionGroup] = {}

    def begin(self) -> None:
        """Everything may be different."""
        self._wanted = {}

    def add(self, key: Hashable, draw: Callable[[InstructionGroup], None]) -> None:
        """What lies next is what ``draw`` draws, for this ``key``.

        Colours and sizes of the style are included automatically.
        """
        look = (style.name, style.factor, style.piece_colours, style.text)
        whole, twin = (key, look, 0), 0
        while whole in self._wanted:
            twin += 1
            whole = (key, look, twin)
        part = self._drawn.get(whole)
        if part is None:
            part = InstructionGroup()
            draw(part)
        self._wanted[whole] = part

    def end(self) -> None:
        """Show what was added since ``begin``, and nothing else."""
        if list(self._wanted) != list(self._drawn):
            self._group.clear()
            for part in self._wanted.values():
                self._group.add(part)
        self._drawn = self._wanted


class UnderWay:
    """Something that moves from ``start`` to ``end`` (px), or appears there or goes from there if
    the other is None. It is drawn only once."""

    def __init__(
        self, group: InstructionGroup, draw: Draw, start: Px | None, end: Px | None
    ) -> None:
        self._start, self._end = start, end
        at = end or start
        assert at is not None
        self._shift, self._size = Translate(0, 0), Scale(1, 1, 1, origin=at)
        drawing = InstructionGroup()
        draw(drawing, at)
        self._inks = [(ink, float(ink.a)) for ink in _inks(drawing)]
        for part in (PushMatrix(), self._shift, self._size, drawing, PopMatrix()):
            group.add(part)

    def go(self, part: float) -> None:
        """It has come this ``part`` of its way, 0 to 1."""
        if self._start is not None and self._end is not None:
            (x0, y0), (x1, y1), left = self._start, self._end, 1 - part
            self._shift.xy = ((x0 - x1) * left, (y0 - y1) * left)
            return
        seen = part if self._start is None else 1 - part
        if self._start is None:
            size = _FIRST_SIZE + (1 - _FIRST_SIZE) * part
            self._size.xyz = (size, size, 1)
        for ink, full in self._inks:
            ink.a = full * seen


def _inks(drawing: Any) -> list[Any]:
    return [part for part in drawing.children if isinstance(part, Color)]
