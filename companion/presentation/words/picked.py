"""Words about chosen cards. Free of Kivy."""

from __future__ import annotations

from collections.abc import Sequence

from companion.presentation.cards import CardPlan, Suit
from rules.telling import Teller

__all__ = ["suit_name", "told_cards"]


def suit_name(suit: Suit, teller: Teller) -> str:
    """What the cards of a suit are called without their numbers."""
    return teller.kind(suit.cards[0]).rstrip(" 0123456789")


def told_cards(cards: Sequence[str], plan: CardPlan, teller: Teller) -> str:
    """Cards in the order of the plan: „Tag 8, 20 · Nacht 14“."""
    parts = []
    for suit in plan.suits:
        numbers = [plan.kinds[card].mark for card in suit.cards if card in cards]
        if numbers:
            parts.append(f"{suit_name(suit, teller)} {', '.join(numbers)}")
    parts += [teller.kind(card) for card in plan.others if card in cards]
    return " · ".join(parts)
