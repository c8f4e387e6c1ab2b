"""The questions of the game: who is asked, which answers are right, why another is not.

A question falls away without a move only if everybody can see that nothing fits (DO13): ``stands``
looks at sizes of hands and piles and at open cards, never at what a hand holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from rules.core import Actor, Move, Objection, Prompt
from rules.games.dominion.cards import (
    ACTIONS,
    COINS,
    COST,
    DEAREST,
    KINGDOM,
    TREASURES,
    VICTORIES,
)
from rules.games.dominion.moves import (
    ASIDE,
    CARD_MOVES,
    DISCARD_DECK,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    GAIN,
    KEEP,
    LOT_KINGDOM,
    NAME,
    NONE,
    REVEAL,
    SHOW_MOAT,
    SPY_DISCARD,
    SPY_KEEP,
    START,
    STEAL,
    TOPDECK,
    shape,
    show_hand,
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


# -- the dealer -----------------------------------------------------------------------------


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
        if len(state.kingdom) == 10:
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
    """DO16: who begins, by lot."""

    actor = Actor.DEALER
    shapes = frozenset({"start"})
    code = "start"
    rule = "DO16"

    @staticmethod
    def candidates(state: DominionState) -> list[int]:
        """Everybody, or those who did not win the last match."""
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
        if state.physical and not cards.top():
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
        if state.physical:
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
        """What becomes of the top card."""
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
            return [Objection.of("DO14", "not_optional", player=seat, card=self.card)]
        card = move.args[0]
        if card not in self.fits:
            return [Objection.of(self.rule, self.wrong, card=card)]
        if not cards.may_hold(card):
            return [not_held(state, seat, card)]
        return []

    def answer(self, state: DominionState, frame: Frame, move: Move) -> None:
        if move.verb in ("done", "none"):
            state.stack.pop()
        elif state.seats[frame[1]].take(move.args[0]):
            state.stack.pop()
            self.then(state, frame, move.args[0])


class Bureaucrat(HandQuestion):
    """DO27: a victory card goes on the draw pile, or the hand is shown to hold none."""

    def __init__(self, then: Then) -> None:
        super().__init__("bureaucrat", "topdeck", VICTORIES, then, wrong="not_a_victory_card")
        self.shapes = frozenset({"topdeck", "show", "done", "none"})

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        cards = state.seats[seat]
        found = [TOPDECK[seat][card] for card in cards.kinds() if card in VICTORIES]
        if not cards.surely_holds(VICTORIES):
            found += [show_hand(seat, hand) for hand in cards.hands_without(VICTORIES)]
        return found

    def refuse(self, state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        if move.verb != "show":
            return super().refuse(state, frame, move)
        seat = frame[1]
        cards, hand = state.seats[seat], move.args[0].split(",")
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
    """DO18: whether a Moat is shown, before any of the attack's text."""

    card = "moat"
    shapes = frozenset({"show", "none"})

    def stands(self, state: DominionState, frame: Frame) -> bool:
        return state.seats[frame[1]].hand_size() > 0

    def moves(self, state: DominionState, frame: Frame) -> list[Move]:
        seat = frame[1]
        if state.seats[seat].may_hold("moat"):
            return [SHOW_MOAT[seat], NONE[seat]]
        return [NONE[seat]]

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


class Gain(Question):
    """A card from the supply that costs at most so much: ``(name, seat, limit, card)``."""

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
            return [Objection.of("DO14", "not_optional", player=seat, card=frame[3])]
        card = move.args[0]
        found = []
        if not state.supply.get(card):
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
    """Why the card that ``move`` names is not one of those the owner has revealed."""
    named = int(move.args[0][1:])
    if named == owner and move.args[1] in state.seats[owner].aside:
        return []
    return [Objection.of("8.2", "not_revealed", player=named, card=move.args[1])]


def put_back(state: DominionState, move: Move) -> bool:
    """A revealed card goes where ``move`` says; False if it does not lie there."""
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


# -- the turn -------------------------------------------------------------------------------


def refuse_turn(state: DominionState, move: Move) -> list[Objection]:
    """8.2: why the player whose turn it is may not do this; play, buy or done."""
    seat = state.seat
    if move.verb == "done":
        return []
    card = move.args[0]
    if move.verb == "buy":
        found = []
        if not state.supply.get(card):
            found.append(Objection.of("DO10", "pile_empty", card=card))
        if COST[card] > state.coins:
            found.append(
                Objection.of("8.2", "too_dear", card=card, cost=COST[card], coins=state.coins)
            )
        return found
    if card in ACTIONS:
        if state.buying:
            found = [Objection.of("DO12", "action_phase_over", player=seat)]
        elif not state.actions:
            found = [Objection.of("8.2", "no_actions", player=seat)]
        else:
            found = []
    elif card in COINS:
        late = state.treasures_first and state.bought
        found = [Objection.of("DO1", "treasure_after_buy", card=card)] if late else []
    else:
        found = [Objection.of("8.2", "not_playable", card=card)]
    if not state.seats[seat].may_hold(card):
        found.append(not_held(state, seat, card))
    return found
