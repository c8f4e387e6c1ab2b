"""Words about computer players and tips. Free of Kivy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.match.view import TableView, TipView
from companion.presentation.words.translate import _
from rules.players.analysis_result import told_reason
from rules.telling import Teller

_SAYS_LITTLE = frozenset({"only_move", "winning", "best_chances", "about_equal", "least_bad"})
"""Reasons that every game has; beside a move that was played they are not worth a line."""


@dataclass(frozen=True, slots=True)
class TipWords:
    """A tip as it is written."""

    title: str
    lines: tuple[str, ...]


def thinking_words(view: TableView, teller: Teller) -> tuple[str, str]:
    """Title and text while a computer player is asked."""
    assert view.thinks is not None
    name = teller.seat(view.thinks)
    return _("play.name_is_thinking").format(name=name), _("play.one_moment")


def why_played(view: TableView, teller: Teller) -> str:
    """Reason of a computer player's last moves; empty if there is little to say."""
    computed = view.computed
    if computed is None or computed.why.code in _SAYS_LITTLE:
        return ""
    return told_reason(computed.why, teller)


def played_beside(view: TableView, teller: Teller) -> str:
    """Cards that a player has played in this turn and that lie nowhere; empty in any other turn."""
    market = view.market
    if market is None or market.turn not in view.dealt or not market.played:
        return ""
    cards = Counter(market.played).items()
    named = (teller.kind(card) + (f" ×{number}" if number > 1 else "") for card, number in cards)
    return _("play.name_has_played").format(
        name=teller.seat(market.turn or 0), cards=", ".join(named)
    )  # fmt: skip


def tip_here(view: TableView) -> TipView | None:
    """The tip on the table's own screen: not one that a phone asked for."""
    return None if view.tip is None or view.tip.on_phone else view.tip


def tip_words(tip: TipView, teller: Teller) -> TipWords:
    """Words for a tip."""
    if tip.failed:
        return TipWords(_("play.no_tip_this_time"), (_("play.heelstone_found_none"),))
    if tip.choice is None:
        return TipWords(_("play.heelstone_is_thinking"), (_("play.one_moment"),))
    choice, second = tip.choice, tip.choice.second
    why = told_reason(choice.why, teller)
    lines = [f"{why[:1].upper()}{why[1:]}."]
    if second is not None and second.visits:
        lines.append(_("play.second_best").format(move=teller.move(second.move)))
    return TipWords(teller.move(choice.move), tuple(lines))


def helpless_line(view: TableView, teller: Teller) -> str:
    """One calm line about a computer player that cannot choose; empty if all can."""
    for seat in sorted(view.helpless):
        return _("play.name_cannot_think_now_please_play").format(name=teller.seat(seat))
    return ""


def helpless_text() -> str:
    """Advice for people if a computer player cannot choose."""
    return _("play.the_computer_player_does_not_answer")


def plays_alone(view: TableView) -> bool:
    """True if one person plays with computer players only, without onlookers."""
    return bool(view.computers) and view.computers.count("") <= 1
