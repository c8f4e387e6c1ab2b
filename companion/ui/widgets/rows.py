"""Rows of a column: blocks of them, moved in, and framed in the colour of a signal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Words
from rules.core import Build
from rules.telling import Teller

__all__ = ["build_words", "framed", "indented", "stacked"]


def stacked(rows: Sequence[Widget], spacing: float) -> Any:
    """One block of rows, ``spacing`` px apart, as high as all of them."""
    block = BoxLayout(orientation="vertical", spacing=spacing, size_hint_y=None)
    for row in rows:
        block.add_widget(row)
    block.height = sum(row.height for row in rows) + spacing * (len(rows) - 1)
    return block


def indented(row: Any, indent: float) -> Any:
    """A row that begins ``indent`` px further right."""
    block = BoxLayout(size_hint_y=None, height=row.height, padding=(indent, 0, 0, 0))
    block.add_widget(row)
    return block


def build_words(build: Build, teller: Teller, width: float) -> list[Words]:
    """What is said below a drawing of what is built before a match."""
    told = (teller.text("builds", build.seen), teller.text("builds", "note"))
    return [Words(text, color=style.ash, width=width) for text in told]


def framed(
    lines: Sequence[str], small: str, tone: str, width: float, *, compact: bool = True
) -> Any:
    """A card of ``width`` px in the colour ``tone``: ``lines`` of what matters, then an aside."""
    pad = style.gap if compact else style.gap_l
    inner = width - 2 * pad
    size = style.caption if compact else style.body
    rows: list[Widget] = [Words(line, bold=True, font_size=size, width=inner) for line in lines]
    if small:
        rows.append(Words(small, font_size=style.caption, color=style.ash, width=inner))
    block = stacked(rows, style.grid)
    card = Card(fill=tone, line=tone, size_hint_y=None, height=block.height + 2 * pad * 0.8)
    card.tint(tone, tone, 0.13)
    frame = BoxLayout(padding=(pad, pad * 0.8), size_hint=(1, 1), pos_hint={"x": 0, "y": 0})
    frame.add_widget(block)
    card.add_widget(frame)
    return card
