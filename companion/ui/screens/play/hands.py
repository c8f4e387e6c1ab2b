"""Looking at what only one player may see: a sheet of cards that are held to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.uix.widget import Widget

from companion.match.hands import Hand
from companion.match.view import TableView
from companion.presentation.words.translate import _
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.hold import HoldCard
from rules.telling import Teller

__all__ = ["hand_lines", "hold_cards"]

_HEIGHT = 116.0


def hold_cards(
    view: TableView, teller: Teller, hand: Callable[[int], Hand], width: float, room: float
) -> list[Widget]:
    """One card per player; its contents are fetched when it is held.

    All of them stay within ``room`` px, since a scrolling list would hold the finger back.
    """
    intro = Words(
        _("play.press_and_hold_your_card"),
        font_size=style.type_xs, color=style.ash, width=width,
    )  # fmt: skip
    each = (room - intro.height) / view.players - style.gap_s
    height = max(style.target, min(_HEIGHT * style.factor, each))
    cards = []
    for seat in range(view.players):
        rows = partial(_rows, teller, hand, seat, height)
        cards.append(HoldCard(teller.seat(seat), _("play.hold_to_look"), rows, width, height))
    for card in cards:
        card.others = tuple(other for other in cards if other is not card)
    return [intro, *cards]


def hand_lines(hand: Hand, teller: Teller) -> list[str]:
    """What a hand holds, in words: things in the hand, then what lies face down where."""
    lines = []
    if hand.things:
        names = [
            f"{teller.kind(thing)} ×{count}" if count > 1 else teller.kind(thing)
            for thing, count in hand.things
        ]
        lines.append(", ".join(names))
    if hand.lying:
        places = [f"{teller.site(site)}: {teller.kind(thing)}" for site, thing in hand.lying]
        lines.append(_("play.face_down_places").format(places=", ".join(places)))
    return lines or [_("play.you_hold_nothing_the_others_cannot")]


def _rows(
    teller: Teller, hand: Callable[[int], Hand], seat: int, height: float, width: float
) -> list[Widget]:
    lines = hand_lines(hand(seat), teller)
    room = height - style.grid
    for size in (style.type_s, style.type_xs * 1.08, style.type_xs, style.type_xs * 0.85):
        rows: list[Widget] = [Words(line, font_size=size, width=width) for line in lines]
        if sum(row.height for row in rows) <= room:
            break
    return rows
