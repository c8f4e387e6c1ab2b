"""Rows of the column of words: titles, players' cards, what to do, explanations to choose from.

Every row knows its height at once, so that the play screen can see whether all of them fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.view import Intent, TableView
from companion.ui.drawing.board import Board
from companion.ui.model.scene import candidate_scene
from companion.ui.model.touching import Picked
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Words, fit_one_line
from companion.ui.widgets.kept import KeptWidgets
from companion.ui.widgets.player_card import PlayerCard, supply_of
from companion.ui.words.sentences import candidate_text
from companion.ui.words.translate import _
from rules.box import Box
from rules.core import Actor, ScoreLine
from rules.reading.reading import Candidate
from rules.telling import Teller

__all__ = [
    "ChoiceCard",
    "Scribe",
    "asked_for",
    "framed",
    "heading_rows",
    "indented",
    "last_move",
    "player_card",
    "player_cards",
    "stacked",
]


def _no_more() -> None:
    """Nothing is covered."""


@dataclass(frozen=True, slots=True)
class Scribe:
    """What a panel is written from, and whom its buttons tell."""

    view: TableView
    box: Box
    teller: Teller
    width: float
    """px of the column between its margins."""
    density: int
    """0 airy, 1 closer, 2 with smaller type, 3 with one row per player, 4 without the last move,
    5 with two players who wait in a row, 6 with all of them so."""
    picked: Picked
    score_lines: tuple[ScoreLine, ...]
    post: Callable[[Intent], None]
    pick_kind: Callable[[str], None]
    open_rule: Callable[[str], None]
    open_moves: Callable[[], None]
    again: Callable[[], None]
    tiles: list[Widget] = field(default_factory=list)
    """What no touch on the board can say, where it is offered at once (see ``listed``)."""
    covered: bool = False
    """The moves are one player's secret, and he has not said yet that he is alone."""
    uncover: Callable[[], None] = _no_more
    history: tuple[tuple[int, ...], ...] = ()
    """Points by seat before the first move and after each, once the match is over."""
    open_chart: Callable[[], None] = _no_more
    review: Callable[[], None] | None = None
    export: Callable[[], None] | None = None
    kept: KeptWidgets = field(default_factory=KeptWidgets)
    """What was built for another density, or for the view before."""

    @property
    def dense(self) -> bool:
        """Whether room is short."""
        return self.density >= 3


def asked_for(s: Scribe) -> tuple[str, str]:
    if s.view.prompt is None:
        return "", ""
    told = s.teller.prompt(s.view.prompt)
    return told.title, told.text


def heading_rows(s: Scribe, title: str, text: str, *, strong: bool = False) -> list[Widget]:
    """Title as large as fits, and what to do. ``strong``: the text is no aside but the reason."""
    sizes = (style.type_l, style.type_m * 1.12, style.type_m, style.type_m * 0.86)
    size = fit_one_line(title, sizes[(0, 1, 1, 2, 2, 2, 3)[s.density] :], s.width)
    rows: list[Widget] = []
    if title:
        rows.append(_words(s, title, bold=True, font_size=size, line_height=1.05))
    if text:
        small = style.type_xs
        body = (style.type_s, style.type_s, small * 1.08, small)[min(s.density, 3)]
        rows.append(_words(s, text, font_size=body, tone="bone" if strong else "ash"))
    return [stacked(rows, style.grid * (1.5 if strong else 0.5))] if rows else []


def _words(s: Scribe, text: str, *, tone: str = "bone", **look: Any) -> Any:
    """Words across the column."""

    def make() -> Any:
        return Words(text, color=style.tone(tone), width=s.width, **look)

    return s.kept.give(("words", text, s.width, tone, *sorted(look.items())), make)


def stacked(rows: list[Widget], spacing: float) -> Any:
    block = BoxLayout(orientation="vertical", spacing=spacing, size_hint_y=None)
    for row in rows:
        block.add_widget(row)
    block.height = sum(row.height for row in rows) + spacing * (len(rows) - 1)
    return block


def indented(row: Any, indent: float) -> Any:
    block = BoxLayout(size_hint_y=None, height=row.height, padding=(indent, 0, 0, 0))
    block.add_widget(row)
    return block


def player_cards(s: Scribe, *, active: bool = True) -> list[Widget]:
    """One card per player; the one to move is the largest and his pieces can be picked."""
    prompt = s.view.prompt
    mover = prompt.player if active and prompt and prompt.actor is Actor.PLAYER else None
    if s.density >= 5 and s.view.players > 2:
        return [stacked(_paired_cards(s, None if s.density > 5 else mover), style.grid)]
    cards: list[Widget] = []
    for seat in range(s.view.players):
        if seat == mover:
            shape = "full"
        elif s.view.players > 2 or s.dense:
            shape = "row"
        else:
            shape = "plain"
        cards.append(player_card(s, seat, shape, active=seat == mover))
    return [stacked(cards, style.grid if s.dense else style.gap_s)]


def _paired_cards(s: Scribe, large: int | None) -> list[Widget]:
    """Two players in a row, only names and scores; the one to move (``large``) has his own."""
    prompt = s.view.prompt
    mover = prompt.player if prompt and prompt.actor is Actor.PLAYER else None
    rows: list[Widget] = []
    pair: list[Any] = []
    for seat in range(s.view.players):
        if seat == large:
            rows.insert(0, player_card(s, seat, "full", active=True))
            continue
        width = (s.width - style.grid) / 2
        pair.append(player_card(s, seat, "cell", active=seat == mover, width=width))
        if len(pair) == 2:
            rows.append(_pair(*pair))
            pair = []
    if pair:
        rows.append(_pair(*pair, Widget()))
    return rows


def _pair(*cards: Any) -> Any:
    line = BoxLayout(spacing=style.grid, size_hint_y=None, height=cards[0].height)
    for card in cards:
        line.add_widget(card)
    return line


def player_card(s: Scribe, seat: int, shape: str, *, active: bool, width: float = 0.0) -> Any:
    view = s.view
    lying = Counter(item.kind for item in view.items if item.owner == seat)
    colour, name, score = view.colours[seat], s.teller.seat(seat), str(view.scores[seat])
    supply = supply_of(s.box, colour, view.supplies[seat], lying)
    picked = s.picked.kind if active else ""
    look = (seat, colour, name, score, shape, active, picked, width or s.width)

    def make() -> Any:
        return PlayerCard(
            s.box, seat, colour, name, score, supply, shape=shape, active=active, picked=picked,
            on_kind=s.pick_kind, width=width or s.width,
        )  # fmt: skip

    return s.kept.give(("card", *look, supply.told), make)


def last_move(s: Scribe) -> list[Widget]:
    if s.view.last is None or s.density >= 4:
        return []
    # The label is quiet, what happened is not; markup keeps both on one line.
    quiet = "".join(f"{round(c * 255):02x}" for c in style.ash[:3])
    told = s.teller.move(s.view.last).replace("[", "&bl;")
    label = _("Last:")
    text = f"[color=#{quiet}]{label}[/color] {told}"
    return [_words(s, text, font_size=style.type_xs * 1.08, markup=True)]


def framed(s: Scribe, lines: tuple[str, ...], small: str, tone: str) -> Any:
    """A card that says what to do."""
    pad = style.gap_l if not s.dense else style.gap
    inner = s.width - 2 * pad
    size = style.type_s if not s.dense else style.type_xs * 1.08
    rows: list[Widget] = [Words(line, bold=True, font_size=size, width=inner) for line in lines]
    if small:
        rows.append(Words(small, font_size=style.type_xs, color=style.ash, width=inner))
    block = stacked(rows, style.grid)
    card = Card(fill=tone, line=tone, size_hint_y=None, height=block.height + 2 * pad * 0.8)
    card.tint(tone, tone, 0.13)
    frame = BoxLayout(padding=(pad, pad * 0.8), size_hint=(1, 1), pos_hint={"x": 0, "y": 0})
    frame.add_widget(block)
    card.add_widget(frame)
    return card


class ChoiceCard(ButtonBehavior, Card):  # type: ignore[misc]
    """One explanation to choose: a small picture and a sentence."""

    def __init__(self, s: Scribe, candidate: Candidate, press: Callable[[], None]) -> None:
        super().__init__(fill="stone", line="edge", size_hint_y=None)
        self.text = candidate_text(candidate, s.view, s.teller)
        side = (66 if s.dense else 84) * style.factor
        picture = Board(size_hint=(None, None), size=(side * 1.15, side))
        words = Words(
            self.text, bold=True, font_size=style.type_xs * 1.08,
            width=s.width - picture.width - 2 * style.gap - style.gap_s,
        )  # fmt: skip
        self.height = max(side + style.grid, words.height + 2 * style.gap)
        picture.show(candidate_scene(s.view, candidate))
        self._picture, self._words = picture, words
        self.add_widget(picture)
        self.add_widget(words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        self._picture.pos = (
            self.x + style.gap_s,
            self.y + self.height / 2 - self._picture.height / 2,
        )
        left = self._picture.x + self._picture.width + style.gap
        self._words.pos = (left, self.y + self.height / 2 - self._words.height / 2)
