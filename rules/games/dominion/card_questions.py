"""Questions that the cards ask (8.4): cards of the hand, of the supply, and revealed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules.core import Move, Objection, Prompt
from rules.games.dominion.components import ACTIONS, COST, DEAREST, TREASURES, VICTORIES
from rules.games.dominion.holdings import Holdings
from rules.games.dominion.moves import (
    ASIDE,
    CARD_MOVES,
    DISCARD_DECK,
    DISCARD_UNSEEN,
    DONE,
    GAIN,
    KEEP,
    NONE,
    SHOW_MOAT,
    SPY_DISCARD,
    SPY_KEEP,
    STEAL,
    TOPDECK,
    show_hand,
)
from rules.games.dominion.questions import Question, not_held
from rules.games.dominion.state import DominionState, Frame
from rules.hidden import UNSEEN

# -- a card from the hand -------------------------------------------------------------------

Then = Callable[[DominionState, Frame, str], None]


class HandQuestion(Question):
    """Choose a card in your hand and play, trash, discard it or put it on your draw pile."""

    def __init__(
        self,
        card: str,
        verb: str,
        fits: frozenset[str],
        then: Then,
        *,
        wrong: str = "",
        optional: bool = False,
        none: bool = False,
        more_than: int = 0,
    ) -> None:
        self.card, self.verb, self.fits, self.then = card, verb, fits, then
        self.wrong = wrong
        """Objection code for a card that does not fit."""
        self.optional = optional
        """``done`` is an answer."""
        self.none = none
        """``none`` is the answer of a hand without a card that fits (DO13)."""
        self.more_than = more_than
        """Asked only while the hand holds more cards than that."""
        self.shapes = frozenset({verb, "done", "none"})
        self.row = CARD_MOVES[verb]

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return state.seats[frame[1]].hand_size() > self.more_than

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        cards, row, fits = state.seats[seat], self.row[seat], self.fits
        found = [row[card] for card in cards.kinds() if card in fits]
        if not cards.dealt and self.verb == "discard" and found:
            found.append(DISCARD_UNSEEN[seat])
        if self.optional:
            found.append(DONE[seat])
        if self.none and not cards.surely_holds(fits):
            found.append(NONE[seat])
        return found

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        seat = frame[1]
        cards = state.seats[seat]
        if move.verb == "none" and self.none:
            if cards.surely_holds(self.fits):
                return [Objection.of("DO14", "must_choose", player=seat, card=self.card)]
            return []
        if move.verb in ("none", "done"):
            if move.verb == "done" and self.optional:
                return []
            if self.optional or not cards.surely_holds(self.fits):
                # DO13, DO14: nothing is demanded here; the answer has another name.
                return [self.first(frame)]
            why = f"until-{self.more_than}" if self.more_than else "no-may"
            return [Objection.of("DO14", "not_optional", player=seat, card=self.card, why=why)]
        card = move.args[0]
        if card == UNSEEN:
            return []
        if card not in self.fits:
            return [Objection.of(self.rule, self.wrong, card=card)]
        if not cards.may_hold(card):
            return [not_held(state, seat, card)]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if move.verb in ("done", "none"):
            state.stack.pop()
        elif self._taken(state.seats[frame[1]], move.args[0]):
            state.stack.pop()
            self.then(state, frame, move.args[0])

    @staticmethod
    def _taken(cards: Holdings, card: str) -> bool:
        return cards.discard_unseen() if card == UNSEEN else cards.take(card)


class Bureaucrat(HandQuestion):
    """DO27: a victory card goes on the draw pile, or the hand is shown to hold none."""

    def __init__(self, then: Then) -> None:
        super().__init__("bureaucrat", "topdeck", VICTORIES, then, wrong="not_a_victory_card")
        self.shapes = frozenset({"topdeck", "show", "done", "none"})

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        cards = state.seats[seat]
        found = [TOPDECK[seat][card] for card in cards.kinds() if card in VICTORIES]
        if cards.surely_holds(VICTORIES):
            return found
        if not cards.dealt:
            # The hand is shown to the players; it need not be named to the referee.
            return [*found, NONE[seat]]
        return [*found, *(show_hand(seat, hand) for hand in cards.hands_without(VICTORIES))]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        seat = frame[1]
        cards = state.seats[seat]
        if move.verb == "none" and not cards.dealt:
            if cards.surely_holds(VICTORIES):
                return [Objection.of("DO27", "must_topdeck", player=seat)]
            return []
        if move.verb != "show":
            return super().refuse(state, frame, move)
        hand = move.args[0].split(",")
        if cards.surely_holds(VICTORIES) or any(card in VICTORIES for card in hand):
            return [Objection.of("DO27", "must_topdeck", player=seat)]
        if not cards.may_be_hand(hand):
            return [Objection.of("DO27", "wrong_hand", player=seat, number=cards.hand_size())]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if move.verb == "show":
            state.seats[frame[1]].show_hand(move.args[0].split(","))
            state.stack.pop()
        else:
            super().answer(state, frame, move)


# -- other answers to cards -----------------------------------------------------------------


class Moat(Question):
    """DO18: the choice to show a Moat, before any of the attack's text."""

    card = "moat"
    shapes = frozenset({"show", "none"})

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return state.seats[frame[1]].hand_size() > 0

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        if state.seats[seat].may_hold("moat"):
            return [SHOW_MOAT[seat], NONE[seat]]
        return [NONE[seat]]

    def only(self, state: DominionState, frame: Frame) -> Move | None:
        # Without a Moat none can be shown, and everybody saw what each player gained. What else a
        # dealt hand lacks is a secret.
        cards = state.seats[frame[1]]
        lacks = not (cards.owned.get("moat", 0) if cards.dealt else cards.may_hold("moat"))
        return NONE[frame[1]] if lacks else None

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        if move.verb == "show":
            if move.args[0] != "moat":
                return [Objection.of("DO18", "only_moat", player=frame[1])]
            if not state.seats[frame[1]].may_hold("moat"):
                return [not_held(state, frame[1], "moat")]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        state.stack.pop()
        if move.verb == "show":
            state.seats[frame[1]].show("moat")
            state.amend(
                "attack",
                lambda attack: (*attack[:3], tuple(sorted({*attack[3], frame[1]}))),
            )


class Chancellor(Question):
    """DO26: the draw pile may go on the discard pile, at once."""

    card = "chancellor"
    shapes = frozenset({"discard deck", "none"})

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return state.seats[frame[1]].draw_size() > 0

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        return [DISCARD_DECK[frame[1]], NONE[frame[1]]]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        state.stack.pop()
        if move.verb == "discard":
            state.seats[frame[1]].turn_over()


class Library(Question):
    """DO19: the card just drawn is kept, or, an action, set aside."""

    card = "library"
    shapes = frozenset({"keep", "aside"})

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        drawn = state.seats[seat].looked_at()
        return [KEEP[seat], *(ASIDE[seat][card] for card in drawn if card in ACTIONS)]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        if move.verb == "keep":
            return []
        card = move.args[0]
        if card not in ACTIONS:
            return [Objection.of("DO19", "not_an_action", card=card)]
        if card not in state.seats[frame[1]].looked_at():
            return [Objection.of("DO19", "not_drawn", player=frame[1], card=card)]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        cards = state.seats[frame[1]]
        if move.verb == "keep":
            cards.keep()
            state.stack.pop()
        elif cards.set_aside(move.args[0]):
            state.stack.pop()


# -- a card from the supply -----------------------------------------------------------------


class Gain(Question):
    """A card from the supply that costs at most ``limit``: ``(name, seat, limit, card)``."""

    shapes = frozenset({"gain", "done", "none"})
    code = "gain"
    to = "discard"
    rule = "8.4"

    def candidates(self, state: DominionState, frame: Frame) -> Iterable[str]:
        """The piles that qualify."""
        return state.market.up_to[min(frame[2], DEAREST)]

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return any(True for _ in self.candidates(state, frame))

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        row = GAIN[frame[1]]
        return [row[card] for card in self.candidates(state, frame)]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        seat, limit = frame[1], frame[2]
        if move.verb != "gain":
            why = "no-may"
            return [Objection.of("DO14", "not_optional", player=seat, card=frame[3], why=why)]
        card = move.args[0]
        found = []
        if not state.piles.get(card):
            found.append(Objection.of("DO10", "pile_empty", card=card))
        if COST[card] > limit:
            found.append(
                Objection.of("8.4", "cost_too_high", card=card, cost=COST[card], limit=limit)
            )
        return found

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if move.verb != "gain" or state.gain(frame[1], move.args[0], self.to):
            state.stack.pop()

    def first(self, frame: Frame) -> Objection:
        return Objection.of(f"8.4-{frame[3]}", "answer_first", player=frame[1], card=frame[3])

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        params = (("limit", frame[2]), ("card", frame[3]))
        return Prompt(self.actor, frame[1], self.code, f"8.4-{frame[3]}", params)


class GainTreasure(Gain):
    """Mine: a treasure from the supply, into the hand."""

    code = "gain_treasure"
    to = "hand"

    def candidates(self, state: DominionState, frame: Frame) -> Iterable[str]:
        return [card for card in super().candidates(state, frame) if card in TREASURES]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        found = super().refuse(state, frame, move)
        if move.verb == "gain" and move.args[0] not in TREASURES:
            found.insert(0, Objection.of("8.4-mine", "not_a_treasure", card=move.args[0]))
        return found


# -- cards that were revealed ---------------------------------------------------------------


class Spy(Question):
    """DO23: ``(spy, seat, owner)``, the owner's top card is discarded or put back."""

    card = "spy"
    shapes = frozenset({"discard owner", "keep owner"})

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return bool(state.seats[frame[2]].aside)

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        _, seat, owner = frame
        card = state.seats[owner].aside[-1]
        return [SPY_DISCARD[seat][owner][card], SPY_KEEP[seat][owner][card]]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        return refuse_hidden(state, frame[2], move)

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        put_back(state, move)
        if not state.seats[frame[2]].aside:
            state.stack.pop()

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        params = (("owner", frame[2]), ("card", state.seats[frame[2]].aside[-1]))
        return Prompt(self.actor, frame[1], "spy", self.rule, params)


class Thief(Question):
    """DO24: ``(thief, seat, owner)``, one of the treasures revealed is trashed."""

    card = "thief"
    shapes = frozenset({"trash owner"})

    @staticmethod
    def _treasures(state: DominionState, frame: Frame) -> list[str]:
        return sorted({card for card in state.seats[frame[2]].aside if card in TREASURES})

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return bool(self._treasures(state, frame))

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        row = STEAL[frame[1]][frame[2]]
        return [row[card] for card in self._treasures(state, frame)]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        found = refuse_hidden(state, frame[2], move)
        if move.args[1] not in TREASURES:
            found.append(Objection.of("DO24", "not_a_treasure", card=move.args[1]))
        return found

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if put_back(state, move):
            state.stack.pop()
            state.amend("loot", lambda loot: (*loot[:2], tuple(sorted([*loot[2], move.args[1]]))))

    def prompt(self, state: DominionState, frame: Frame) -> Prompt:
        return Prompt(self.actor, frame[1], "thief", self.rule, (("owner", frame[2]),))


class Loot(Question):
    """DO24: ``(loot, seat, treasures)``, any of those trashed by this Thief may be gained."""

    card = "thief"
    shapes = frozenset({"gain", "done"})
    code = "loot"

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return bool(frame[2])

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        row = GAIN[frame[1]]
        return [DONE[frame[1]], *(row[card] for card in dict.fromkeys(frame[2]))]

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        if move.verb == "gain" and move.args[0] not in frame[2]:
            return [Objection.of("DO24", "not_trashed_now", card=move.args[0])]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if move.verb == "done":
            state.stack.pop()
        elif state.gain_from_trash(frame[1], move.args[0]):
            rest = list(frame[2])
            if move.args[0] in rest:
                rest.remove(move.args[0])
            state.stack[-1] = (*frame[:2], tuple(rest))


def refuse_hidden(state: DominionState, owner: int, move: Move) -> list[Objection]:
    """The reason why the card that ``move`` names is not one of those the owner has revealed."""
    named = int(move.args[0][1:])
    if named == owner and move.args[1] in state.seats[owner].aside:
        return []
    return [Objection.of("8.2", "not_revealed", player=named, card=move.args[1])]


def put_back(state: DominionState, move: Move) -> bool:
    """A revealed card goes where ``move`` says; False if it is not among those revealed."""
    owner, card = int(move.args[0][1:]), move.args[1]
    cards = state.seats[owner]
    if card not in cards.aside:
        return False
    cards.aside.remove(card)
    if move.verb == "discard":
        cards.to_discard(card)
    elif move.verb == "keep":
        cards.to_top(card)
    else:
        state.put_in_trash(owner, card)
    return True
