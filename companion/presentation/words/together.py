"""What screens say about a match at two tables. Free of Kivy."""

from __future__ import annotations

from companion.match.state import Heard
from companion.match.view import OtherTable, TableView
from companion.presentation.remote_table import Invitation
from companion.presentation.words.translate import N_, _
from rules.telling import Teller

__all__ = ["answer_text", "away_line", "away_text", "away_title", "missing_text", "not_suited"]

_ANSWERS = {
    "no": N_("At table {table} they do not want to play now. Your match has not begun."),
    "busy": N_("At table {table} a match is going on. Ask again when it is over."),
    "game": N_("Table {table} does not have this game, or not this board."),
    "rules": N_(
        "Table {table} has another version of this game. Bring Heelstone up to date at both tables."
    ),
    "gone": N_("Table {table} is not heard of any more."),
}


def answer_text(invitation: Invitation) -> str:
    """Why the other table does not play along, and what to do."""
    return _(_ANSWERS[invitation.answer]).format(table=invitation.table)


def not_suited() -> tuple[str, str]:
    """Why a match cannot be played at two tables."""
    return (
        _("This game is played at one table"),
        _("Cards or pieces are dealt in it that not everybody may see. Two decks at two tables "
          "would not lie in the same order."),
    )  # fmt: skip


def missing_text(*, connected: bool) -> str:
    """Why there is no table to choose."""
    if not connected:
        return _("The club cannot be reached now. As soon as it can, its tables appear here.")
    return _(
        "No other table is there yet. Heelstone must be running at the other table, and it must "
        "belong to the same club."
    )


def away_line(view: TableView) -> str:
    """One calm line about the other table, while people here decide; empty if all is well."""
    other = view.other
    if other is None or other.asked or view.outcome is not None or other.heard is Heard.THERE:
        return ""
    if other.heard is Heard.MISFIT:
        return _("The two tables’ records differ")
    if other.heard is Heard.GONE:
        return _("Table {table} has left the match").format(table=other.name)
    if other.heard is Heard.RESTS:
        return _("Table {table} has put the match away").format(table=other.name)
    return _("Table {table} is not heard – just play on").format(table=other.name)


def away_title(view: TableView, teller: Teller) -> str:
    """Who decides at the other table."""
    asked = view.prompt.player if view.prompt is not None else None
    if asked is None:
        return _("The other table decides")
    return _("{name} is to move").format(name=teller.seat(asked))


def away_text(other: OtherTable) -> str:
    """How things stand at the other table, and what to do here."""
    match other.heard:
        case Heard.GONE:
            text = _(
                "Table {table} does not play this match any more. Your record stays; from the menu "
                "you can leave the match."
            )
        case Heard.RESTS:
            text = _(
                "At table {table} the match was put away for later. It goes on by itself when it "
                "lies on both tables again."
            )
        case Heard.MISFIT:
            text = _(
                "What table {table} tells does not fit your match. Your record stays as it is. "
                "Compare both boards, and begin the match anew if they differ."
            )
        case Heard.NOT:
            text = _(
                "Table {table} is not heard of just now. As soon as it is back, the match goes on "
                "by itself."
            )
        case _ if other.wished:
            text = _("Table {table} is asked whether your move may go back.")
        case _:
            text = _("They play at table {table}. Then your board shows what to set.")
    return text.format(table=other.name)
