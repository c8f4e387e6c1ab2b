"""The numbered cards of a box in the order and the colours of its board. Free of Kivy.

Found in the box alone: the suits by the letters before the numbers, the columns by how often the
colours of the numbered places return.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.box import Box, PieceKind, load_box
from rules.core import Move

__all__ = ["CardPlan", "Suit", "card_plan", "cards_of", "others_of"]


@dataclass(frozen=True, slots=True)
class Suit:
    """Numbered cards of one sort, such as those of the day."""

    cards: tuple[str, ...]
    """As moves name them, in the order of their numbers."""
    light: bool
    """Whether these cards are lighter than others."""


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Where every card of a box has its place on the screen."""

    suits: tuple[Suit, ...]
    others: tuple[str, ...]
    """Cards without a number."""
    columns: int
    """So many numbers stand beside each other."""
    kinds: Mapping[str, PieceKind]
    """By the cards' names in moves."""
    colours: Mapping[str, str]
    """The colour of each card's place on the board, or its own; empty if it has none."""
    paints: Mapping[str, PieceKind]
    """By colour: a piece that has it."""

    def order(self, card: str) -> int:
        """Where a card comes in the order of all."""
        return [*self.kinds].index(card)


@lru_cache(maxsize=8)
def card_plan(name: str) -> CardPlan | None:
    """The plan of the box with this name; None if its cards bear no numbers."""
    box = load_box(name)
    cards = {kind.id.rpartition(" ")[2]: kind for kind in box.kinds.values() if _is_face(kind)}
    numbered = {card: kind for card, kind in cards.items() if kind.mark.isdigit()}
    if not numbered:
        return None
    by_letters: dict[str, list[str]] = {}
    for card in sorted(numbered, key=lambda card: int(numbered[card].mark)):
        by_letters.setdefault(card.rstrip("0123456789"), []).append(card)
    lights = {
        letters: _mean(_light(cards[card]) for card in by_letters[letters])
        for letters in by_letters
    }
    suits = [
        Suit(tuple(by_letters[letters]), light >= _mean(lights.values()))
        for letters, light in lights.items()
    ]
    others = tuple(card for card in cards if card not in numbered)
    ordered = [card for suit in suits for card in suit.cards] + [*others]
    colours = {card: _colour(cards[card], box) for card in ordered}
    return CardPlan(
        suits=tuple(sorted(suits, key=lambda suit: not suit.light)),
        others=others,
        columns=_period([colours[card] for card in suits[0].cards]),
        kinds={card: cards[card] for card in ordered},
        colours=colours,
        paints={kind.owner: kind for kind in box.kinds.values() if kind.owner and kind not in
                cards.values()},
    )  # fmt: skip


def cards_of(move: Move, plan: CardPlan) -> tuple[str, ...]:
    """The cards that a move names, in its order."""
    return tuple(part for part in _parts(move) if part in plan.kinds)


def others_of(move: Move, plan: CardPlan) -> tuple[str, ...]:
    """Everything else that a move names, in its order."""
    return tuple(part for part in _parts(move) if part not in plan.kinds)


def _parts(move: Move) -> list[str]:
    return [p for arg in move.args for p in (arg.partition("=")[2] or arg).split(",")]


def _is_face(kind: PieceKind) -> bool:
    return kind.shape == "card" and bool(kind.mark) and kind.mark != "?"


def _light(kind: PieceKind) -> int:
    return sum(int(kind.colour[at : at + 2], 16) for at in (1, 3, 5))


def _mean(values: Iterable[float]) -> float:
    found = [*values]
    return sum(found) / len(found)


def _colour(kind: PieceKind, box: Box) -> str:
    site = box.sites.get(kind.mark)
    return kind.owner or (site.colour if site is not None else "")


def _period(colours: Sequence[str]) -> int:
    """After how many cards the colours return."""
    for step in range(1, len(colours)):
        if all(a == b for a, b in zip(colours, colours[step:], strict=False)):
            return step
    return len(colours)
