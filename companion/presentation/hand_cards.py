"""A dealt hand beside the board: a touch of a card plays it, or asks which of its moves is meant.
Free of Kivy.

Where several cards make one move, each touch adds one that fits; else another card is taken
instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.match.view import TableView
from companion.presentation.card_picking import Entry, Picking, is_hand, picking_of
from rules.core import Move, Objection

__all__ = ["HandCards", "hand_cards"]


@dataclass(frozen=True, slots=True)
class HandCards:
    """The cards of whoever is to move, and what was chosen of them."""

    picking: Picking
    cards: tuple[str, ...]
    """All of the hand, in the order of the board."""
    begun: bool = False
    """Somebody touched a card."""
    refused: str = ""
    """The card that was touched last and cannot be chosen …"""
    objection: Objection | None = None
    """… and why, as far as the rules can say."""

    @property
    def able(self) -> frozenset[str]:
        """Cards that a touch may choose now."""
        more = self.picking.possible if self.picking.sets else frozenset()
        return self._anew.possible | more

    @property
    def moves(self) -> tuple[Move, ...]:
        """What the chosen cards may mean and needs no more words."""
        return tuple(move for (move,) in self._entries if not self._unsaid(move))

    @property
    def parts(self) -> tuple[str, ...]:
        """What must be said besides, one at a time."""
        return self.picking.asked_parts

    @property
    def meant(self) -> Move | None:
        """The move, if the touches so far can mean only this one."""
        if not self.begun or self.refused or len(self._entries) != 1:
            return None
        more = self.picking.sets and self.picking.possible
        return None if more else self._entries[0][0]

    def touch(self, card: str) -> HandCards:
        """The hand after ``card`` was touched."""
        picking = self.picking
        if self.begun and card in picking.chosen:
            left = picking.touch(card)
            return HandCards(left, self.cards, begun=bool(left.chosen))
        if card not in self.able:
            return replace(self, refused=card, objection=self._anew.why_not(card))
        adds = picking.sets and self.begun and card in picking.possible
        base = picking if adds else self._anew
        return HandCards(base.touch(card), self.cards, begun=True)

    def say(self, part: str) -> HandCards:
        """The hand after ``part`` was said besides."""
        return replace(self, picking=self.picking.say(part), begun=True)

    @property
    def _anew(self) -> Picking:
        """Nothing chosen yet."""
        return replace(self.picking, chosen=(), parts=())

    @property
    def _entries(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.picking.entries if len(entry) == 1)

    def _unsaid(self, move: Move) -> bool:
        """Whether one of the parts that are asked would still have to be said for it."""
        return bool(self.parts) and self.picking.lacks(move)


def hand_cards(view: TableView, held: Sequence[str]) -> HandCards | None:
    """The hand of whoever is to move; ``held``: all that is in it, as far as it is known.

    None if nothing of a hand is asked for, or too much to be shown beside the board.
    """
    picking = picking_of(view)
    if picking is None or not is_hand(view):
        return None
    cards = {card for card in held if card in picking.plan.kinds} | picking.possible
    return HandCards(picking, tuple(sorted(cards, key=picking.plan.order)))
