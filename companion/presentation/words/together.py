"""Words about a match at two tables. Free of Kivy."""

from __future__ import annotations

from companion.match.state import Heard
from companion.match.view import OtherTable, TableView
from companion.presentation.remote_table import Invitation
from companion.presentation.words.translate import _
from rules.telling import Teller


def answer_text(invitation: Invitation) -> str:
    """Reason why the other table does not play along, and what to do."""
    return _(f"together.answers.{invitation.answer}").format(table=invitation.table)


def not_suited() -> tuple[str, str]:
    """Title and text on why a match cannot be played at two tables."""
    return (
        _("together.this_game_is_played"),
        _("together.cards_or_pieces_are_dealt"),
    )  # fmt: skip


def missing_text(*, connected: bool) -> str:
    """Reason why there is no table to choose."""
    if not connected:
        return _("together.the_club_cannot_be_reached_now")
    return _("together.no_other_table_is_there_yet")


def away_line(view: TableView) -> str:
    """One calm line about the other table, while people here decide; empty if all is well."""
    other = view.other
    if other is None or other.asked or view.outcome is not None or other.heard is Heard.THERE:
        return ""
    if other.heard is Heard.MISFIT:
        return _("together.the_two_tables_records_differ")
    if other.heard is Heard.GONE:
        return _("together.table_has_left_the_match").format(table=other.name)
    if other.heard is Heard.RESTS:
        return _("together.table_has_put_the_match").format(table=other.name)
    return _("together.table_is_not_heard_just").format(table=other.name)


def away_title(view: TableView, teller: Teller) -> str:
    """Title with the player who decides at the other table."""
    asked = view.prompt.player if view.prompt is not None else None
    if asked is None:
        return _("screens.the_other_table_decides")
    return _("together.name_is_to_move").format(name=teller.seat(asked))


def away_text(other: OtherTable) -> str:
    """State of the other table, and what to do here."""
    match other.heard:
        case Heard.GONE:
            text = _("together.table_does_not_play")
        case Heard.RESTS:
            text = _("together.at_table_the_match")
        case Heard.MISFIT:
            text = _("together.what_table_tells_does")
        case Heard.NOT:
            text = _("together.table_is_not_heard_of_just_now")
        case _ if other.wished:
            text = _("together.table_is_asked_whether")
        case _:
            text = _("together.they_play_at_table")
    return text.format(table=other.name)
