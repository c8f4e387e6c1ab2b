"""A question of the game: who is asked, which answers are right, why another is not.

A question falls away without a move only if everybody can see that nothing fits (DO13): ``stands``
looks at sizes of hands and piles and at open cards, never at what a hand holds.

What the cards ask is in ``asked_by_cards``, what chance answers in ``dealing``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from rules.core import Actor, Move, Objection, Prompt
from rules.games.dominion.moves import shape
from rules.games.dominion.state import DominionState, Frame


class Question(ABC):
    """One kind of decision. The frame on the stack is ``(name, seat, …)``."""

    actor = Actor.PLAYER
    card = ""
    """The card that asks."""
    shapes: frozenset[str] = frozenset()
    """The kinds of answer (``moves.shape``)."""
    code = ""
    """Prompt code."""

    @property
    def rule(self) -> str:
        """The page that explains the question."""
        return f"8.4-{self.card}"

    def stands(self, state: DominionState, frame: Frame) -> bool:
        """Whether the question is put at all."""
        return True

    @abstractmethod
    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        """The right answers."""

    @abstractmethod
    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        """Why an answer of the right kind by the right player is not right."""

    @abstractmethod
    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        """The answer is given; the frame lies on the stack still."""

    def hears(self, frame: Frame, move: Move) -> bool:
        """Whether ``move`` is an answer of the right kind by whoever is asked."""
        asked = frame[1] if self.actor is Actor.PLAYER else None
        return move.player == asked and move.actor is self.actor and shape(move) in self.shapes

    def first(self, frame: Frame) -> Objection:
        """This must be answered before anything else."""
        return Objection.of(self.rule, "answer_first", player=frame[1], card=self.card)

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        """Who must do what now."""
        return Prompt(self.actor, frame[1], self.code or self.card, self.rule)


def not_held(state: DominionState, seat: int, card: str) -> Objection:
    """``card`` cannot be in this hand; says where the copies lie."""
    cards = state.seats[seat]
    if not cards.owned.get(card):
        return Objection.of("DO17", "not_owned", player=seat, card=card)
    places = cards.whereabouts(card) or ["aside"]
    sites = ",".join(f"{place}-p{seat}" for place in places)
    return Objection.of("DO17", "not_in_hand", player=seat, card=card, sites=sites)
