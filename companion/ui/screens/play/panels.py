"""What the column of words says in each state of the table: rows, and buttons below them.

A panel is built for one view and one width; every row knows its height at once, so that the
play screen can see whether it fits and ask for a denser one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.match.looking_back.rematch import next_first
from companion.match.view import (
    BoardIsRight,
    CameraIsWrong,
    Choose,
    PlayAnyway,
    Redo,
    TableState,
    TapMove,
    Undo,
)
from companion.ui.drawing.chart import Chart
from companion.ui.model.choosing import Tile, sections
from companion.ui.model.question import Question, question_of
from companion.ui.model.table_words import TableWords
from companion.ui.screens.play.answers import answer_rows
from companion.ui.screens.play.panel_rows import (
    Scribe,
    asked_for,
    heading_rows,
    last_move,
    player_card,
    player_cards,
    told_in,
)
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.progress import Progress
from companion.ui.widgets.rows import indented, stacked
from companion.ui.widgets.tiles import tile_rows
from companion.ui.words.sentences import candidate_text, fix_lines, rule_page, score_text
from companion.ui.words.translate import _
from rules.core import Outcome

__all__ = ["Panel", "panel_of", "tiles_of"]

_CHART_PX = 84.0


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows of the column, and its buttons: one list per line."""

    rows: list[Widget]
    actions: list[list[Widget]]
    listing: list[Widget] = field(default_factory=list)
    """Tiles to choose a move from; they take the remaining room, and scroll."""
    listed_after: int = 0
    """How many of ``rows`` are above the tiles."""


def tiles_of(
    words: TableWords, chosen: tuple[str, ...], width: float, touch: Callable[[Tile], None]
) -> list[Widget]:
    """Rows of tiles for the moves that are offered right beside the board.

    They are costly, so they are made once for all densities of a panel.
    """
    if not words.listed:
        return []
    tiles = tile_rows(sections(words.listed, words.teller, chosen), width, touch)
    if chosen:
        anew = Tile(_("Choose again"), (), ("",))
        tiles.append(Key(anew.text, partial(touch, anew), symbol="↺", height=style.target))
    return tiles


def panel_of(s: Scribe) -> Panel:
    """The panel for the view's state."""
    view = s.words.view
    if view.outcome is not None:
        return _result(s)
    if view.state is TableState.ILLEGAL and view.objections:
        return _refusal(s)
    if len(view.candidates) == 1 and view.candidates[0].takeback and not view.candidates[0].moves:
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
    if s.covered:
        return _cover(s)
    title, text = asked_for(s)
    heading = heading_rows(s, title, text)
    # Where there is much to choose from, or everybody waits for what happened, even the players
    # give way.
    crowded = s.words.crowded and bool(s.tiles) and s.density.players == "paired"
    if crowded and not s.words.told:
        heading = heading_rows(s, title, "")
    rows = [*heading] if crowded else [*heading, *player_cards(s)]
    more = s.words.unlisted
    if more:
        label = _("More moves ({count})") if s.words.on_board else _("Choose from {count}")
        count = label.format(count=len(more))
        rows.append(Key(count, s.touches.open_moves, symbol="…", height=style.target))
    rows += last_move(s)
    return Panel(rows, [_turn_keys(s)], s.tiles, len(heading) if s.tiles else 0)


def _cover(s: Scribe) -> Panel:
    """Before one player's secrets: the screen is handed over."""
    prompt = s.words.view.prompt
    assert prompt is not None
    name = s.words.teller.seat(prompt.player or 0)
    text = _("What comes now is for {name} alone to see.").format(name=name)
    rows = heading_rows(s, _("Over to {name}").format(name=name), text)
    ready = Key(_("I am {name}").format(name=name), s.touches.uncover, symbol="◉", primary=True)
    undo = Key(_("Undo"), partial(s.touches.post, Undo()), symbol="↺", size_hint_x=0.7)
    undo.disabled = not s.words.view.can_undo
    return Panel([*rows, *player_cards(s, active=False), *last_move(s)], [[undo, ready]])


def _pending(s: Scribe) -> Panel:
    rows = heading_rows(s, _("Please put this down"), "")
    rows.append(told_in(s, fix_lines(s.words.view, s.words.box, s.words.teller), "", "ask"))
    rows += player_cards(s, active=False)
    # What must be put down now is what was played last, so that may give way first.
    rows += last_move(s) if s.density.last_move == "always" else []
    return Panel(rows, [_turn_keys(s)])


def _proposal(s: Scribe) -> Panel:
    told = candidate_text(s.words.view.candidates[0], s.words.view, s.words.teller)
    if s.words.view.hold_s > 0:
        rows = [
            *heading_rows(s, told, _("It will be recorded in a moment.")),
            Progress(s.words.view.hold_s),
        ]
    else:
        rows = heading_rows(s, told, _("It will be recorded when you say so."))
    rows += player_cards(s, active=False)
    agree = Key(_("That’s right"), partial(s.touches.post, Choose(0)), symbol="✓", primary=True)
    wrong = Key(_("No"), partial(s.touches.post, CameraIsWrong()), symbol="✕")
    return Panel(rows, [[wrong, agree]])


def _turn_keys(s: Scribe) -> list[Widget]:
    view = s.words.view

    def redo() -> Any:
        size = {"size_hint_x": None, "width": style.button}
        return Key("", partial(s.touches.post, Redo()), symbol="↻", **size)

    def end_turn() -> None:
        if done is not None:
            s.touches.post(TapMove(done))

    def ready() -> Any:
        key = Key(_("Done"), end_turn, symbol="✓", primary=done is not None)
        key.disabled = done is None
        return key

    keys: list[Widget] = [_undo(s)]
    if view.can_redo:
        keys.append(s.kept.give("redo", redo))
    done = s.words.done
    keys.append(s.kept.give(("done", done), ready))
    return keys


def _undo(s: Scribe, *, brief: bool = False) -> Any:
    """``brief``: without a word, where another key needs the room."""
    able = s.words.view.can_undo

    def make() -> Any:
        size = {"size_hint_x": None, "width": style.button} if brief else {}
        word = "" if brief else _("Undo")
        key = Key(word, partial(s.touches.post, Undo()), symbol="↺", **size)
        key.disabled = not able
        return key

    return s.kept.give(("undo", able, brief), make)


# -- questions and refusals -------------------------------------------------------------------


def _refusal(s: Scribe) -> Panel:
    view, first = s.words.view, s.words.view.objections[0]
    told = s.words.teller.objection(first)
    rows = heading_rows(s, told.title, told.text, strong=True)
    do = told.do
    if do:
        light = _("The lamp shows where.") if view.fixes else ""
        rows.append(told_in(s, (do,), light, "stop"))
    actions: list[list[Widget]] = []
    if rule_page(s.words.teller, first.rule) is not None:
        label = _("See rule {rule}").format(rule=first.rule)
        actions.append([Key(label, partial(s.touches.open_rule, first.rule), symbol="§")])
    anyway = Key(_("Anyway"), partial(s.touches.post, PlayAnyway()), symbol="…")
    # Something that was only tapped lies nowhere: then nobody blames the camera.
    excuse = _("Camera is wrong") if view.fixes else _("I see")
    symbol = "◎" if view.fixes else "✓"
    wrong = Key(excuse, partial(s.touches.post, CameraIsWrong()), symbol=symbol)
    return Panel(rows, [*actions, [anyway, wrong]])


def _choice(s: Scribe) -> Panel:
    question = question_of(s.words.view, s.words.teller)
    rows = heading_rows(s, question.title, "")
    spacing = style.gap if s.density.airy else style.gap_s
    room = s.room - sum(row.height + spacing for row in rows)
    answers = answer_rows(s, question, room)
    rows.append(stacked(answers, style.gap_s))
    other = Key(_("Something else: enter it"), partial(s.touches.post, CameraIsWrong()), symbol="…")
    return Panel(rows, [[_undo(s, brief=True), other]])


def _takeback(s: Scribe) -> Panel:
    count = s.words.view.candidates[0].takeback
    title = _("Take the move back?")
    if count > 1:
        title = _("Take {count} moves back?").format(count=count)
    rows = [*heading_rows(s, title, _("The table looks as it did before.")), *last_move(s)]
    rows += player_cards(s, active=False)
    yes = Key(_("Yes, take back"), partial(s.touches.post, Choose(0)), symbol="↺", primary=True)
    no = Key(_("No"), partial(s.touches.post, CameraIsWrong()), symbol="✕", size_hint_x=0.55)
    return Panel(rows, [[no, yes]])


def _guide(s: Scribe) -> Panel:
    lines = fix_lines(s.words.view, s.words.box, s.words.teller)
    rows = heading_rows(s, _("The table differs"), _("Put it right, one piece at a time:"))
    left = len(lines) - 1
    more = _("Then {count} more.").format(count=left) if left > 0 else ""
    rows.append(told_in(s, lines[:1], more, "ask"))
    if s.words.view.candidates:
        room = s.room - sum(row.height + style.gap for row in rows)
        rows.append(_likeliest(s, room))
    board = Key(_("Board is right"), partial(s.touches.post, BoardIsRight()), symbol="✓")
    camera = Key(_("Camera is wrong"), partial(s.touches.post, CameraIsWrong()), symbol="◎")
    return Panel(rows, [[board, camera]])


def _likeliest(s: Scribe, room: float) -> Widget:
    """What may have happened at a table that differs: one or two explanations."""
    question = question_of(s.words.view, s.words.teller)
    # The board shows what is to be put right, and no numbers of answers.
    few = tuple(replace(answer, flag="") for answer in question.answers[:2])
    title = Words(question.title, font_size=style.type_xs * 1.08, color=style.ash, width=s.width)
    left = room - title.height - style.gap_s
    return stacked([title, *answer_rows(s, Question("", few), left)], style.gap_s)


def _result(s: Scribe) -> Panel:
    view = s.words.view
    assert view.outcome is not None
    told = s.words.teller.outcome(view.outcome)
    record = _("★ A new record!") if view.new_record else ""
    reason = told.text if s.density.reason_apart else f"{told.text} {record}".strip()
    rows = heading_rows(s, told.title, reason)
    if record and s.density.reason_apart:
        rows.append(Words(record, bold=True, color=style.dawn, width=s.width))
    rows += _ranking(s, view.outcome)
    history, chart = s.words.history, s.density.chart
    if chart != "asked for" and len(history) > 1:
        height = _CHART_PX * style.factor * (1.5 if chart == "tall" else 1.0)
        rows.append(Chart(history, s.words.teller.names, height=height))
    rows += _next_match(s)
    undo = Key(_("Undo"), partial(s.touches.post, Undo()), symbol="↺")
    undo.disabled = not view.can_undo
    new = Key(_("New match"), s.touches.again, primary=True)
    looks = _looks(s)
    return Panel(rows, [looks, [undo, new]] if looks else [[undo, new]])


def _ranking(s: Scribe, outcome: Outcome) -> list[Widget]:
    """The players, best first, and where their points come from."""
    rows: list[Widget] = []
    for place, group in enumerate(outcome.ranking):
        for seat in group:
            block: list[Widget] = [player_card(s, seat, "row", active=place == 0)]
            why = score_text(s.words.score_lines, seat, s.words.teller)
            if why:
                indent = style.gap
                label = Words(why, font_size=style.type_xs, color=style.ash, width=s.width - indent)
                block.append(indented(label, indent))
            rows.append(stacked(block, style.grid * (0.5 if s.density.compact else 1.0)))
    return rows


def _looks(s: Scribe) -> list[Widget]:
    """Keys to what can be looked at after a match."""
    looks: list[Widget] = []
    if s.touches.review is not None:
        looks.append(Key(_("Review"), s.touches.review))
    if s.density.chart == "asked for" and len(s.words.history) > 1:
        looks.append(Key(_("Score"), s.touches.open_chart))
    if s.touches.export is not None:
        looks.append(Key(_("Export"), s.touches.export))
    return looks


def _next_match(s: Scribe) -> list[Widget]:
    """Who begins the next match, if the rules of a series say so."""
    first = next_first(s.words.view)
    if first is None or not s.density.next_match:
        return []
    text = _("Next match: {name} begins.").format(name=s.words.teller.seat(first))
    return [Words(text, font_size=style.type_xs * 1.08, color=style.ash, width=s.width)]
