"""A question of the game: the seat asked, the right answers, and reasons against others.

A question falls away without a move only if everybody can see that nothing fits (DO13): ``stands``
looks at sizes of hands and piles and at open cards, never at what a hand holds.

Chance answers some of them: kingdom, first player, and the cards that are drawn. Those that the
cards ask are in ``card_questions``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from rules.core import Actor, Move, Objection, Prompt
from rules.games.dominion.components import KINGDOM, KINGDOM_CHOICE
from rules.games.dominion.final_count import tied
from rules.games.dominion.moves import (
    DRAW,
    DRAW_UNSEEN,
    FEWER,
    LOT_KINGDOM,
    NAME,
    NONE,
    REVEAL,
    START,
    shape,
)
from rules.games.dominion.state import DominionState, Frame, seats_of
from rules.hidden import UNSEEN


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
        """True if the question is put at all."""
        return True

    @abstractmethod
    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        """The right answers."""

    def only(self, state: DominionState, frame: Frame) -> Move | None:
        """The only right answer, if it is publicly known that there is no other."""
        return None

    @abstractmethod
    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        """The reasons why an answer of the right kind by the right player is not right."""

    @abstractmethod
    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        """The answer is given; the frame is still on the stack."""

    def hears(self, frame: Frame, move: Move) -> bool:
        """True if ``move`` is an answer of the right kind by the seat asked."""
        asked = frame[1] if self.actor is Actor.PLAYER else None
        return move.player == asked and move.actor is self.actor and shape(move) in self.shapes

    def first(self, frame: Frame) -> Objection:
        """This must be answered before anything else."""
        return Objection.of(self.rule, "answer_first", player=frame[1], card=self.card)

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        """The decision that is due."""
        return Prompt(self.actor, frame[1], self.code or self.card, self.rule)


def not_held(state: DominionState, seat: int, card: str) -> Objection:
    """``card`` cannot be in this hand; says where the copies lie."""
    cards = state.seats[seat]
    if not cards.owned.get(card):
        return Objection.of("DO17", "not_owned", player=seat, card=card)
    places = cards.whereabouts(card) or ["aside"]
    sites = ",".join(f"{place}-p{seat}" for place in places)
    return Objection.of("DO17", "not_in_hand", player=seat, card=card, sites=sites)


# -- answers of chance --------------------------------------------------------------------


class KingdomLot(Question):
    """DO11: ten of the 25 kingdom cards, by lot."""

    actor = Actor.DEALER
    shapes = frozenset({"kingdom"})
    code = "kingdom_lot"
    rule = "DO11"

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        return [LOT_KINGDOM[card] for card in KINGDOM if card not in state.kingdom]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        card = move.args[0]
        if card not in KINGDOM:
            return [Objection.of("DO11", "not_kingdom_card", card=card)]
        if card in state.kingdom:
            return [Objection.of("DO11", "already_named", card=card)]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        card = move.args[0]
        if card not in state.kingdom and card in KINGDOM:
            state.kingdom.append(card)
            state.stack[-1] = (frame[0], len(state.kingdom) % state.players)
        if len(state.kingdom) == KINGDOM_CHOICE.number:
            state.stack.pop()

    def first(self, frame: Frame) -> Objection:
        return Objection.of("DO11", "kingdom_first")

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        player = frame[1] if self.actor is Actor.PLAYER else None
        left = (("number", 10 - len(state.kingdom)),)
        return Prompt(self.actor, player, self.code, self.rule, left)


class KingdomChoice(KingdomLot):
    """DO11: the players name one each, in seat order, until there are ten."""

    actor = Actor.PLAYER
    code = "kingdom_choice"

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        row = NAME[frame[1]]
        return [row[card] for card in KINGDOM if card not in state.kingdom]


class StartLot(Question):
    """DO16: the first player, by lot."""

    actor = Actor.DEALER
    shapes = frozenset({"start"})
    code = "start"
    rule = "DO16"

    @staticmethod
    def candidates(state: DominionState) -> list[int]:
        """All seats, or those that did not win the last match."""
        winners = seats_of(state.last_winners)
        losers = [seat for seat in range(state.players) if seat not in winners]
        return losers or list(range(state.players))

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        return [START[seat] for seat in self.candidates(state)]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        seat = int(move.args[0][1:])
        if seat in self.candidates(state):
            return []
        return [Objection.of("DO16", "not_a_candidate", player=seat)]

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        state.stack.pop()
        state.seat = int(move.args[0][1:])

    def first(self, frame: Frame) -> Objection:
        return Objection.of("DO16", "start_first")

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        return Prompt(self.actor, None, self.code, self.rule)


class FewerTurns(Question):
    """DO7, DO32: the seats that had fewer turns, of those that tie in a final count."""

    shapes = frozenset({"fewer", "none"})
    code = "fewer"
    rule = "DO32"

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        return [*(FEWER[frame[1]][seat] for seat in tied(state)), NONE[frame[1]]]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        if move.verb == "none" or int(move.args[0][1:]) in tied(state):
            return []
        return [Objection.of("DO32", "not_tied", player=int(move.args[0][1:]))]

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        state.stack.pop()
        state.over = "counted"
        if move.verb == "fewer":
            state.turns[int(move.args[0][1:])] -= 1

    def first(self, frame: Frame) -> Objection:
        return Objection.of("DO32", "fewer_first")


class Draw(Question):
    """A number of cards from the draw pile to the hand, one at a time (DO21)."""

    actor = Actor.DEALER
    shapes = frozenset({"draw"})
    code = "draw"
    rule = "DO20"
    row = DRAW

    def stands(self, state: DominionState, frame: Frame) -> bool:
        # DO3, DO20: shuffled when a card is needed; with no card at all the rest falls away.
        return bool(frame[2] > 0 and state.seats[frame[1]].ready())

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        cards = state.seats[seat]
        if not cards.dealt and not cards.top():
            return [DRAW_UNSEEN[seat]]
        row = self.row[seat]
        return [row[card] for card in cards.draws()]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        seat, owner, card = frame[1], int(move.args[0][1:]), move.args[1]
        cards = state.seats[seat]
        top = cards.top()
        if owner != seat:
            return [Objection.of("DO21", "other_pile", player=seat, other=owner)]
        if top:
            wrong = card != top
            return [Objection.of("DO17", "top_known", player=seat, card=top)] if wrong else []
        return self._refuse_unknown(state, seat, card)

    def _refuse_unknown(self, state: DominionState, seat: int, card: str) -> list[Objection]:
        if not state.seats[seat].dealt:
            if card == UNSEEN:
                return []
            return [Objection.of("DO17", "stays_hidden", player=seat, card=card)]
        if card in state.seats[seat].draws():
            return []
        return [Objection.of("DO20", "not_in_pile", player=seat, card=card)]

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if int(move.args[0][1:]) == frame[1] and self.lift(state, frame[1], move.args[1]):
            state.stack.pop()
            if frame[2] > 1:
                state.stack.append((frame[0], frame[1], frame[2] - 1))

    def lift(self, state: DominionState, seat: int, card: str) -> bool:
        """Move the top card as the question says; False if it cannot be ``card``."""
        return state.seats[seat].draw(card)

    def first(self, frame: Frame) -> Objection:
        return Objection.of("DO21", "draw_first", player=frame[1])

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        return Prompt(self.actor, frame[1], self.code, self.rule, (("number", frame[2]),))


class Look(Draw):
    """DO19: the Library draws one card, which is answered before the next is drawn."""

    def lift(self, state: DominionState, seat: int, card: str) -> bool:
        return state.seats[seat].look(card)


class Reveal(Draw):
    """A number of cards from the top of the draw pile, face up."""

    shapes = frozenset({"reveal"})
    code = "reveal"
    row = REVEAL

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        row = REVEAL[frame[1]]
        return [row[card] for card in state.seats[frame[1]].draws()]

    def _refuse_unknown(self, state: DominionState, seat: int, card: str) -> list[Objection]:
        if card in state.seats[seat].draws():
            return []
        return [Objection.of("DO20", "not_in_pile", player=seat, card=card)]

    def lift(self, state: DominionState, seat: int, card: str) -> bool:
        return state.seats[seat].reveal(card)

    def first(self, frame: Frame) -> Objection:
        return Objection.of("DO21", "reveal_first", player=frame[1])
