"""The screens by name, loaded when they are first asked for, so that the app starts quickly."""

from __future__ import annotations

from importlib import import_module
from typing import Any

WAY = {
    "first_run": "companion.ui.screens.first_run:FirstRunScreen",
    "seats": "companion.ui.screens.seats.screen:SeatsScreen",
    "setup_check": "companion.ui.screens.setup_check:SetupCheckScreen",
    "play": "companion.ui.screens.play.screen:PlayScreen",
}
"""Name of a screen on the way to a match and to the table: the module and class of it."""
PARTS = (
    "companion.presentation.words.troubles",
    "companion.presentation.market",
    "companion.presentation.hand_cards",
    "companion.ui.screens.seats.table",
    "companion.ui.screens.play.market_desk",
    "companion.ui.screens.play.ledger_desk",
    "companion.ui.screens.play.panels",
    "companion.ui.screens.play.sheets",
)
"""Modules of these screens that are loaded before them, one per frame: at once they would make a
frame late."""
SCREENS = {
    "open_matches": "companion.ui.screens.open_matches:OpenMatchesScreen",
    "review": "companion.ui.screens.looking_back.review:ReviewScreen",
    "export": "companion.ui.screens.export_page:ExportScreen",
    "records": "companion.ui.screens.looking_back.records:RecordsScreen",
    "workshop": "companion.ui.screens.workshop:WorkshopScreen",
    "lesson": "companion.ui.screens.lesson:LessonScreen",
    "puzzles": "companion.ui.screens.puzzle:PuzzleScreen",
    "virtual_games": "companion.ui.screens.demo.without_board:VirtualGamesScreen",
    "virtual_table": "companion.ui.screens.demo.without_board:VirtualTableScreen",
    "phones": "companion.ui.screens.phones_page:PhonesScreen",
    "notices": "companion.ui.screens.notices:NoticesScreen",
    "table_setup": "companion.ui.screens.table_setup:TableSetupScreen",
}
"""The same for what the keys of the shelf open."""
CODES = ("phones", "export")
"""Screens with a code: what draws it is loaded ahead, as for those on the way to a match."""
TABLES = {
    "invite": "companion.ui.screens.together:InviteScreen",
    "invitation": "companion.ui.screens.together:InvitationScreen",
    "pairings": "companion.ui.screens.together:PairingsScreen",
}
"""The same for a table that belongs to a club."""


def screen_class(name: str) -> Any:
    """The class of a screen; raises KeyError for a name that is in none."""
    module, _colon, found = (WAY | SCREENS | TABLES)[name].partition(":")
    return getattr(import_module(module), found)
