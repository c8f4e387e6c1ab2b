"""Words of the review about a move, the scores, and a correction."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.looking_back.history import Amendment, Ply, Recording
from companion.match.view import TableView
from companion.presentation.players import player_of
from companion.presentation.words.sentences import rule_page
from companion.presentation.words.translate import _
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.player_card import PlayerCard
from companion.ui.widgets.rows import built, framed
from rules.telling import Teller

_MOST_CONFLICTS = 8


def when(seconds: float) -> str:
    """The day of a match, as people write it."""
    return time.strftime(_("language.date"), time.localtime(seconds))


def move_rows(
    ply: Ply, teller: Teller, width: float, open_rule: Callable[[str], None], dense: bool,
    *, over: bool = True,
) -> list[Widget]:  # fmt: skip
    """A move in words; if it was against the rules, why. ``over``: the match is."""
    size = style.type_s
    rows: list[Widget] = [Words(teller.move(ply.move), bold=True, font_size=size, width=width)]
    if ply.objections:
        first = ply.objections[0]
        told = teller.objection(first)
        title = _("looking_back.played_anyway").format(why=told.title)
        if rule_page(teller, first.rule) is not None:
            key = Key(title, partial(open_rule, first.rule), symbol="§")
            key.tint("stop", "stop", 0.13)
            rows.append(key)
            title = ""
        if title or not dense:
            rows.append(built(framed((title,) if title else (), told.text, "stop", width)))
    if ply.penalties:
        rows.append(
            Words(
                _("looking_back.a_breach_of_the_rules"),
                font_size=style.type_xs, color=style.stop, width=width,
            )
        )  # fmt: skip
    rows += _tip_rows(ply, teller, width, over=over)
    return rows


def _tip_rows(ply: Ply, teller: Teller, width: float, *, over: bool) -> list[Widget]:
    """Rows on a tip that was asked for; with its move only once nothing is hidden any more."""
    if not ply.tips:
        return []
    tip = ply.tips[-1]
    told = _("looking_back.name_had_asked_for_a_tip").format(name=teller.seat(tip.player))
    if over:
        told = _("looking_back.name_had_asked_for_a_tip_move").format(
            name=teller.seat(tip.player), move=teller.move(tip.move)
        )
    return [Words(told, font_size=style.type_xs, color=style.ash, width=width)]


def scores_block(view: TableView, teller: Teller, width: float) -> Any:
    """Names and points, two players in a row."""
    block = BoxLayout(orientation="vertical", spacing=style.grid, size_hint_y=None)
    half = (width - style.grid) / 2
    height = 0.0
    for first in range(0, view.players, 2):
        line = BoxLayout(spacing=style.grid, size_hint_y=None)
        for seat in range(first, min(first + 2, view.players)):
            prompt = view.prompt
            active = prompt is not None and prompt.player == seat
            player = player_of(view, teller, seat, supply=False)
            card = PlayerCard(player, active=active, narrow=True, width=half)
            line.add_widget(card)
            line.height = card.height
        if first + 1 == view.players:
            line.add_widget(Widget())
        block.add_widget(line)
        height += line.height + style.grid
    block.height = height - style.grid
    return block


def amendment_rows(
    recording: Recording, amendment: Amendment, teller: Teller, width: float
) -> list[Widget]:
    """Rows on a correction: the old move, the new one, and later moves that would no longer fit."""
    old = recording.plies[amendment.ply - 1].move
    new = amendment.entries[0].move
    rows: list[Widget] = [
        Words(f"{amendment.ply}. {teller.move(old)}", color=style.ash, width=width),
        Words(_("looking_back.instead_move").format(move=teller.move(new)), bold=True, width=width),
    ]
    if amendment.objections:
        told = teller.objection(amendment.objections[0])
        rows.append(built(framed((told.title,), told.text, "stop", width)))
    later = len(recording) - amendment.ply
    if not amendment.conflicts and later:
        rows.append(
            Words(
                _("looking_back.all_count_later_moves_still_fit").format(count=later), width=width
            )
        )
    for conflict in amendment.conflicts[:_MOST_CONFLICTS]:
        why = teller.objection(conflict.objections[0])
        line = f"{conflict.ply}. {teller.move(conflict.move)}"
        kept = "" if conflict.possible else _("looking_back.this_move_and_all_moves_after")
        rows.append(built(framed((line,), f"{why.title}. {kept}".strip(), "ask", width)))
    more = len(amendment.conflicts) - _MOST_CONFLICTS
    if more > 0:
        rows.append(Words(_("looking_back.and_count_more").format(count=more), width=width))
    if amendment.left_out:
        text = _("looking_back.the_last_count_moves_are_left")
        rows.append(Words(text.format(count=amendment.left_out), bold=True, width=width))
    return rows
