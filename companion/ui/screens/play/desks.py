"""Surfaces that take the place of board and words where cards are handled, not a board.

A desk fills the whole play screen and has its own way to the menu. The first one that is wanted for
a view is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from companion.match.view import TableView
from companion.ui.model.card_picking import is_only_cards
from companion.ui.model.ways import DeskWays
from companion.ui.screens.play.card_desk import CardDesk
from companion.ui.screens.play.ledger_desk import LedgerDesk, keeps_ledger

__all__ = ["Desk", "desk_for"]


class Desk(Protocol):
    """A widget; ``size`` and ``pos`` are set before ``show``."""

    pos: Any
    size: Any

    def show(self, view: TableView) -> None:
        """Show ``view``, for which this desk is wanted."""

    def leave(self) -> None:
        """It is no longer shown."""


_DESKS: Final[tuple[tuple[Callable[[TableView], bool], Callable[[DeskWays], Desk]], ...]] = (
    (keeps_ledger, LedgerDesk),
    (is_only_cards, CardDesk),
)


def desk_for(view: TableView) -> Callable[[DeskWays], Desk] | None:
    """What makes the desk that is wanted for ``view``; None: board and words are shown."""
    return next((make for wanted, make in _DESKS if wanted(view)), None)
