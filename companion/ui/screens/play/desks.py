"""Surfaces that take the place of board and words where cards are handled, not a board.

A desk fills the whole play screen and has its own way to the menu. The first one that is wanted for
a view is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from companion.match.view import TableView
from companion.presentation.cards import is_only_cards
from companion.presentation.market import sells_cards
from companion.presentation.pad import has_pad
from companion.ui.screens.play.card_desk import CardDesk
from companion.ui.screens.play.ledger_desk import LedgerDesk, keeps_ledger
from companion.ui.screens.play.market_desk import MarketDesk
from companion.ui.screens.play.pad_desk import PadDesk
from companion.ui.shell import DeskWays


class Desk(Protocol):
    """A widget; ``size`` and ``pos`` are set before ``show``."""

    pos: Any
    size: Any

    def show(self, view: TableView) -> None:
        """Show ``view``, for which this desk is wanted."""

    def leave(self) -> None:
        """The desk is no longer shown."""


class _Kind(NamedTuple):
    """One kind of desk."""

    wanted: Callable[[TableView], bool]
    make: Callable[[DeskWays], Desk]
    hides: bool
    """True if it stays while a player's secrets are covered, and hides them itself."""


_DESKS: Final = (
    _Kind(has_pad, PadDesk, hides=False),
    _Kind(keeps_ledger, LedgerDesk, hides=False),
    _Kind(sells_cards, MarketDesk, hides=True),
    _Kind(is_only_cards, CardDesk, hides=False),
)


def desk_for(view: TableView, *, covered: bool) -> Callable[[DeskWays], Desk] | None:
    """Factory of the desk that is wanted for ``view``; None: board and words are shown.

    ``covered``: the next moves are one player's secret, and they have not said that they are there.
    """
    for kind in _DESKS:
        if kind.wanted(view) and (kind.hides or not covered):
            return kind.make
    return None
