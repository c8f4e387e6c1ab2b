"""What the column of words says in each state of the table: rows, and buttons below them.

A panel is built for one view and one width; every row knows its height at once, so that the
play screen can see whether it fits and ask for a denser one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rematch import next_first
from companion.ui.choosing import Tile, needs_steps, sections
from companion.ui.scene import candidate_scene
from companion.ui.style import style
from companion.ui.touching import Picked, done_move, placeless, sites_of
from companion.ui.widgets.base import Card, Key, Words, fit_one_line
from companion.ui.widgets.board import Board
from companion.ui.widgets.chart import Chart
from companion.ui.widgets.kept import KeptWidgets
from companion.ui.widgets.player_card import PlayerCard, supply_of
from companion.ui.widgets.progress import Progress
from companion.ui.widgets.tiles import tile_rows
from companion.ui.wording import candidate_text, fix_lines, rule_page, score_text
from companion.ui.words import _
from companion.view import (
    BoardIsRight,
    CameraIsWrong,
    Choose,
    Intent,
    PlayAnyway,
    Redo,
    TableState,
    TableView,
    TapMove,
    Undo,
)
from rules.box import Box
from rules.core import Actor, ScoreLine
from rules.reading import Candidate
from rules.telling import Teller

__all__ = ["Panel", "Scribe", "listed", "panel_of"]

_CHART_UP_TO = 4
"""From this density on the score over time is shown when asked for only."""
_CHART_PX = 84.0

_PLAYING = (TableState.SETTLED, TableState.HAND, TableState.BLIND)


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
    exported: str = ""
    kept: KeptWidgets = field(default_factory=KeptWidgets)
    """What was built for another density, or for the view before."""

    @property
    def dense(self) -> bool:
        """Whether room is short."""
        return self.density >= 3


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows of the column, and its buttons: one list per line."""

    rows: list[Widget]
    actions: list[list[Widget]]
    listing: list[Widget] = field(default_factory=list)
    """Tiles to choose a move from; they take the room that is left, and scroll."""
    listed_after: int = 0
    """So many of ``rows`` stand above the tiles."""


MOST_BESIDE = 24
"""More tiles than this are offered on a sheet of their own."""


def listed(
    view: TableView,
    box: Box,
    teller: Teller,
    chosen: tuple[str, ...],
    width: float,
    touch: Callable[[Tile], None],
) -> list[Widget]:
    """Rows of tiles, if nothing but tiles can say the next move, or card after card must be said.

    They are costly, so they are made once for all densities of a panel.
    """
    plain = view.outcome is None and view.state in _PLAYING
    more = placeless(view, box) if plain else ()
    if not more:
        return []
    steps = needs_steps(more)
    if any(sites_of(move, box) for move in view.legal) and not steps:
        return []
    if len(more) > MOST_BESIDE and not steps:
        # Beside the players' cards that would be many swipes; a sheet shows most of it at once.
        return []
    tiles = tile_rows(sections(more, teller, chosen), width, touch)
    if chosen:
        anew = Tile(_("Choose anew"), (), ("",))
        tiles.append(Key(anew.text, partial(touch, anew), symbol="↺", height=style.target))
    return tiles


def panel_of(s: Scribe) -> Panel:
    """The panel for the view's state."""
    view = s.view
    if view.outcome is not None:
        return _result(s)
    if view.state is TableState.ILLEGAL and view.objections:
        return _refusal(s)
    if view.candidates and view.candidates[0].takeback and not view.candidates[0].moves:
        return _takeback(s)
    if view.state is TableState.AMBIGUOUS and view.candidates:
        return _choice(s)
    if view.state is TableState.PROPOSED and view.candidates:
        return _proposal(s)
    if view.state is TableState.PENDING and view.fixes:
        return _pending(s)
    if view.state is TableState.DESYNC:
        return _guide(s)
    return _play(s)


# -- playing ----------------------------------------------------------------------------------


def _play(s: Scribe) -> Panel:
    view = s.view
    if s.covered:
        return _cover(s)
    title, text = _asked(s)
    heading = _heading(s, title, text)
    if s.tiles:
        return Panel([*heading, *_cards(s), *_last(s)], [_turn_keys(s)], s.tiles, len(heading))
    rows = [*heading, *_cards(s)]
    more = placeless(view, s.box)
    if more:
        only = not any(sites_of(move, s.box) for move in view.legal)
        label = _("Choose from {count}") if only else _("More moves ({count})")
        count = label.format(count=len(more))
        rows.append(Key(count, s.open_moves, symbol="…", height=style.target))
    rows += _last(s)
    return Panel(rows, [_turn_keys(s)])


def _cover(s: Scribe) -> Panel:
    """Before one player's secrets: the screen is handed over."""
    prompt = s.view.prompt
    assert prompt is not None
    name = s.teller.seat(prompt.player or 0)
    text = _("What comes now is for {name} alone to see.").format(name=name)
    rows = _heading(s, _("Over to {name}").format(name=name), text)
    ready = Key(_("I am {name}").format(name=name), s.uncover, symbol="◉", primary=True)
    undo = Key(_("Undo"), partial(s.post, Undo()), symbol="↺", size_hint_x=0.7)
    undo.disabled = not s.view.can_undo
    return Panel([*rows, *_cards(s, active=False), *_last(s)], [[undo, ready]])


def _pending(s: Scribe) -> Panel:
    rows = _heading(s, _("Please put this down"), "")
    rows.append(_framed(s, fix_lines(s.view, s.box, s.teller), "", "ask"))
    rows += _cards(s, active=False)
    # What must be put down now is what was played last, so that may give way first.
    rows += [] if s.density > 1 else _last(s)
    return Panel(rows, [_turn_keys(s)])


def _proposal(s: Scribe) -> Panel:
    told = candidate_text(s.view.candidates[0], s.view, s.teller)
    if s.view.hold_s > 0:
        rows = [*_heading(s, told, _("It counts in a moment.")), Progress(s.view.hold_s)]
    else:
        rows = _heading(s, told, _("It counts when you say so."))
    rows += _cards(s, active=False)
    agree = Key(_("That’s right"), partial(s.post, Choose(0)), symbol="✓", primary=True)
    wrong = Key(_("No"), partial(s.post, CameraIsWrong()), symbol="✕")
    return Panel(rows, [[wrong, agree]])


def _turn_keys(s: Scribe) -> list[Widget]:
    view = s.view

    def redo() -> Any:
        size = {"size_hint_x": None, "width": style.button}
        return Key("", partial(s.post, Redo()), symbol="↻", **size)

    def ready() -> Any:
        key = Key(_("Done"), partial(s.post, TapMove(text)), symbol="✓", primary=done is not None)
        key.disabled = done is None
        return key

    keys: list[Widget] = [_undo(s)]
    if view.can_redo:
        keys.append(s.kept.give("redo", redo))
    done = done_move(view)
    text = done.text if done else ""
    keys.append(s.kept.give(("done", text), ready))
    return keys


def _undo(s: Scribe) -> Any:
    able = s.view.can_undo

    def make() -> Any:
        key = Key(_("Undo"), partial(s.post, Undo()), symbol="↺")
        key.disabled = not able
        return key

    return s.kept.give(("undo", able), make)


# -- questions and refusals -------------------------------------------------------------------


def _refusal(s: Scribe) -> Panel:
    view, first = s.view, s.view.objections[0]
    told = s.teller.objection(first)
    rows = _heading(s, told.title, told.text, strong=True)
    do = told.do
    if do:
        light = _("The light shows the place.") if view.fixes else ""
        rows.append(_framed(s, (do,), light, "stop"))
    actions: list[list[Widget]] = []
    if rule_page(s.teller, first.rule) is not None:
        label = _("See rule {rule}").format(rule=first.rule)
        actions.append([Key(label, partial(s.open_rule, first.rule), symbol="§")])
    anyway = Key(_("Anyway"), partial(s.post, PlayAnyway()), symbol="…")
    # Something that was only tapped lies nowhere: then nobody blames the camera.
    excuse = _("Camera is wrong") if view.fixes else _("I see")
    symbol = "◎" if view.fixes else "✓"
    wrong = Key(excuse, partial(s.post, CameraIsWrong()), symbol=symbol)
    return Panel(rows, [*actions, [anyway, wrong]])


def _choice(s: Scribe) -> Panel:
    why = "" if s.dense else _("The camera sees more than one way.")
    rows = _heading(s, _("What was played?"), why)
    for index, candidate in enumerate(s.view.candidates[:3]):
        rows.append(ChoiceCard(s, candidate, partial(s.post, Choose(index))))
    none = Key(_("None of these"), partial(s.post, CameraIsWrong()), symbol="✕")
    return Panel(rows, [[_undo(s), none]])


def _takeback(s: Scribe) -> Panel:
    count = s.view.candidates[0].takeback
    title = _("Take the move back?")
    if count > 1:
        title = _("Take {count} moves back?").format(count=count)
    rows = [*_heading(s, title, _("The table looks as it did before.")), *_last(s)]
    rows += _cards(s, active=False)
    yes = Key(_("Yes, take back"), partial(s.post, Choose(0)), symbol="↺", primary=True)
    no = Key(_("No"), partial(s.post, CameraIsWrong()), symbol="✕", size_hint_x=0.55)
    return Panel(rows, [[no, yes]])


def _guide(s: Scribe) -> Panel:
    lines = fix_lines(s.view, s.box, s.teller)
    rows = _heading(s, _("The table differs"), _("Put it right, one piece after the other:"))
    left = len(lines) - 1
    more = _("Then {count} more.").format(count=left) if left > 0 else ""
    rows.append(_framed(s, lines[:1], more, "ask"))
    for index, candidate in enumerate(s.view.candidates[:2]):
        rows.append(ChoiceCard(s, candidate, partial(s.post, Choose(index))))
    board = Key(_("Board is right"), partial(s.post, BoardIsRight()), symbol="✓")
    camera = Key(_("Camera is wrong"), partial(s.post, CameraIsWrong()), symbol="◎")
    return Panel(rows, [[board, camera]])


def _result(s: Scribe) -> Panel:
    view = s.view
    assert view.outcome is not None
    told = s.teller.outcome(view.outcome)
    record = _("★ A new record!") if view.new_record else ""
    reason = told.text if s.density < 4 else f"{told.text} {record}".strip()
    rows = _heading(s, told.title, reason)
    if record and s.density < 4:
        rows.append(Words(record, bold=True, color=style.dawn, width=s.width))
    for place, group in enumerate(view.outcome.ranking):
        for seat in group:
            block: list[Widget] = [_card(s, seat, "row", active=place == 0)]
            why = score_text(s.score_lines, seat, s.teller)
            if why:
                indent = style.gap
                label = Words(why, font_size=style.type_xs, color=style.ash, width=s.width - indent)
                block.append(_indented(label, indent))
            rows.append(_block(block, style.grid * (0.5 if s.dense else 1.0)))
    if s.density < _CHART_UP_TO and len(s.history) > 1:
        height = _CHART_PX * style.factor * (1.5 if s.density < 1 else 1.0)
        rows.append(Chart(s.history, s.teller.names, height=height))
    rows += _next_match(s)
    undo = Key(_("Undo"), partial(s.post, Undo()), symbol="↺")
    undo.disabled = not view.can_undo
    looks: list[Widget] = []
    if s.review is not None:
        looks.append(Key(_("Review"), s.review))
    if s.density >= _CHART_UP_TO and len(s.history) > 1:
        looks.append(Key(_("Score"), s.open_chart))
    if s.export is not None:
        looks.append(Key(_("Export"), s.export))
    new = Key(_("New match"), s.again, primary=True)
    return Panel(rows, [looks, [undo, new]] if looks else [[undo, new]])


def _next_match(s: Scribe) -> list[Widget]:
    """Who begins the next match, where the rules of a series say so."""
    first = next_first(s.view)
    if first is None or s.density >= 5:
        return []
    text = _("Next match: {name} begins.").format(name=s.teller.seat(first))
    return [Words(text, font_size=style.type_xs * 1.08, color=style.ash, width=s.width)]


# -- rows -------------------------------------------------------------------------------------


def _asked(s: Scribe) -> tuple[str, str]:
    if s.view.prompt is None:
        return "", ""
    told = s.teller.prompt(s.view.prompt)
    return told.title, told.text


def _heading(s: Scribe, title: str, text: str, *, strong: bool = False) -> list[Widget]:
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
    return [_block(rows, style.grid * (1.5 if strong else 0.5))] if rows else []


def _words(s: Scribe, text: str, *, tone: str = "bone", **look: Any) -> Any:
    """Words across the column."""

    def make() -> Any:
        return Words(text, color=style.tone(tone), width=s.width, **look)

    return s.kept.give(("words", text, s.width, tone, *sorted(look.items())), make)


def _block(rows: list[Widget], spacing: float) -> Any:
    block = BoxLayout(orientation="vertical", spacing=spacing, size_hint_y=None)
    for row in rows:
        block.add_widget(row)
    block.height = sum(row.height for row in rows) + spacing * (len(rows) - 1)
    return block


def _indented(row: Any, indent: float) -> Any:
    block = BoxLayout(size_hint_y=None, height=row.height, padding=(indent, 0, 0, 0))
    block.add_widget(row)
    return block


def _cards(s: Scribe, *, active: bool = True) -> list[Widget]:
    """One card per player; the one to move is the largest and his pieces can be picked."""
    prompt = s.view.prompt
    mover = prompt.player if active and prompt and prompt.actor is Actor.PLAYER else None
    if s.density >= 5 and s.view.players > 2:
        return [_block(_paired_cards(s, None if s.density > 5 else mover), style.grid)]
    cards: list[Widget] = []
    for seat in range(s.view.players):
        if seat == mover:
            shape = "full"
        elif s.view.players > 2 or s.dense:
            shape = "row"
        else:
            shape = "plain"
        cards.append(_card(s, seat, shape, active=seat == mover))
    return [_block(cards, style.grid if s.dense else style.gap_s)]


def _paired_cards(s: Scribe, large: int | None) -> list[Widget]:
    """Two players in a row, only names and scores; the one to move (``large``) has his own."""
    prompt = s.view.prompt
    mover = prompt.player if prompt and prompt.actor is Actor.PLAYER else None
    rows: list[Widget] = []
    pair: list[Any] = []
    for seat in range(s.view.players):
        if seat == large:
            rows.insert(0, _card(s, seat, "full", active=True))
            continue
        width = (s.width - style.grid) / 2
        pair.append(_card(s, seat, "cell", active=seat == mover, width=width))
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


def _card(s: Scribe, seat: int, shape: str, *, active: bool, width: float = 0.0) -> Any:
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


def _last(s: Scribe) -> list[Widget]:
    if s.view.last is None or s.density >= 4:
        return []
    # The label is quiet, what happened is not; markup keeps both on one line.
    quiet = "".join(f"{round(c * 255):02x}" for c in style.ash[:3])
    told = s.teller.move(s.view.last).replace("[", "&bl;")
    label = _("Last:")
    text = f"[color=#{quiet}]{label}[/color] {told}"
    return [_words(s, text, font_size=style.type_xs * 1.08, markup=True)]


def _framed(s: Scribe, lines: tuple[str, ...], small: str, tone: str) -> Any:
    """A card that says what to do."""
    pad = style.gap_l if not s.dense else style.gap
    inner = s.width - 2 * pad
    size = style.type_s if not s.dense else style.type_xs * 1.08
    rows: list[Widget] = [Words(line, bold=True, font_size=size, width=inner) for line in lines]
    if small:
        rows.append(Words(small, font_size=style.type_xs, color=style.ash, width=inner))
    block = _block(rows, style.grid)
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
