"""Rows of the column of words: titles, players' cards, what to do.

Every row knows its height at once, so that the play screen can see whether all of them fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kivy.uix.widget import Widget

from companion.ui.model.density import Density
from companion.ui.model.table_words import TableWords
from companion.ui.model.ways import Touches
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words, fit_one_line
from companion.ui.widgets.kept import KeptWidgets
from companion.ui.widgets.page import beside
from companion.ui.widgets.player_card import PlayerCard
from companion.ui.widgets.rows import framed, stacked
from companion.ui.words.translate import _

__all__ = [
    "Scribe",
    "asked_for",
    "heading_rows",
    "last_move",
    "player_card",
    "player_cards",
    "told_in",
]


@dataclass(frozen=True, slots=True)
class Scribe:
    """What a panel is written from and how, and who its buttons tell."""

    words: TableWords
    touches: Touches
    picked: str
    """The kind of piece that the finger holds."""
    covered: bool
    """The moves are one player's secret, and they have not said yet that they are alone."""
    width: float
    """px of the column between its margins."""
    room: float
    """px of height for all rows together."""
    density: Density
    tiles: list[Widget]
    """What no touch on the board can express, if it is offered at once."""
    kept: KeptWidgets
    """What was built for another density, or for the previous view."""


def asked_for(s: Scribe) -> tuple[str, str]:
    """Title and text of what the player to move is asked."""
    prompt = s.words.view.prompt
    if prompt is None:
        return "", ""
    told = s.words.teller.prompt(prompt)
    return told.title, told.text


def heading_rows(s: Scribe, title: str, text: str, *, strong: bool = False) -> list[Widget]:
    """Title as large as fits, and what to do. ``strong``: the text is the reason, not an aside."""
    sizes = (style.type_l, style.type_m * 1.12, style.type_m, style.type_m * 0.86)
    size = fit_one_line(title, sizes[s.density.title :], s.width)
    rows: list[Widget] = []
    if title:
        rows.append(_words(s, title, bold=True, font_size=size, line_height=1.05))
    if text:
        body = (style.type_s, style.type_xs * 1.08, style.type_xs)[s.density.text]
        rows.append(_words(s, text, font_size=body, tone="bone" if strong else "ash"))
    return [stacked(rows, style.grid * (1.5 if strong else 0.5))] if rows else []


def _words(s: Scribe, text: str, *, tone: str = "bone", **look: Any) -> Any:
    """Words across the column."""

    def make() -> Any:
        return Words(text, color=style.tone(tone), width=s.width, **look)

    return s.kept.give(("words", text, s.width, tone, *sorted(look.items())), make)


def told_in(s: Scribe, lines: tuple[str, ...], small: str, tone: str) -> Any:
    """A card across the column that says what to do."""
    return framed(lines, small, tone, s.width, compact=s.density.compact)


def player_cards(s: Scribe, *, active: bool = True) -> list[Widget]:
    """One card per player; the one to move is the largest and their pieces can be picked."""
    mover, many, shapes = s.words.mover if active else None, s.words.view.players > 2, s.density
    if many and shapes.players in ("waiting paired", "paired"):
        large = mover if shapes.players == "waiting paired" else None
        return [stacked(_paired_cards(s, large), style.grid)]
    waiting = "row" if many or shapes.players != "cards" else "plain"
    cards = [
        player_card(s, seat, "full" if seat == mover else waiting, active=seat == mover)
        for seat in range(s.words.view.players)
    ]
    return [stacked(cards, style.grid if shapes.compact else style.gap_s)]


def _paired_cards(s: Scribe, large: int | None) -> list[Widget]:
    """Two players in a row, only names and scores; the one to move (``large``) has their own."""
    seats = [seat for seat in range(s.words.view.players) if seat != large]
    width = (s.width - style.grid) / 2
    cells = [
        player_card(s, seat, "cell", active=seat == s.words.mover, width=width) for seat in seats
    ]
    if len(cells) % 2:
        cells.append(Widget(height=0))
    rows = [beside(*cells[first : first + 2], gap=style.grid) for first in range(0, len(cells), 2)]
    return rows if large is None else [player_card(s, large, "full", active=True), *rows]


def player_card(s: Scribe, seat: int, shape: str, *, active: bool, width: float = 0.0) -> Any:
    """A player's card, across the column or ``width`` px wide."""
    player, width = s.words.players[seat], width or s.width
    look = (player.look, shape, active, s.picked, width)

    def make() -> Any:
        return PlayerCard(
            player, shape=shape, active=active, picked=s.picked, on_kind=s.touches.pick_kind,
            width=width,
        )  # fmt: skip

    return s.kept.give(("card", *look), make)


def last_move(s: Scribe) -> list[Widget]:
    """What was played last, if there is room for it."""
    last = s.words.view.last
    if last is None or s.density.last_move == "never":
        return []
    # The label is quiet, what happened is not; markup keeps both on one line.
    quiet = "".join(f"{round(c * 255):02x}" for c in style.ash[:3])
    told = s.words.teller.move(last).replace("[", "&bl;")
    label = _("Last:")
    text = f"[color=#{quiet}]{label}[/color] {told}"
    return [_words(s, text, font_size=style.type_xs * 1.08, markup=True)]
