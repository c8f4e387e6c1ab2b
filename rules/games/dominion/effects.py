"""Effects of the action cards (8.4), card by card, and the steps that follow automatically.

A card's function is called when it is played: ``(state, seat)``, for attacks ``(state, seat,
victims)`` with the players who are affected, clockwise. Decisions and draws are put on the stack
by ``state.do`` in the order in which they happen; what follows an answer stands right below the
card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core import Actor
from rules.games.dominion.card_questions import (
    Bureaucrat,
    Chancellor,
    Gain,
    GainTreasure,
    HandQuestion,
    Library,
    Loot,
    Moat,
    Spy,
    Thief,
)
from rules.games.dominion.components import ACTIONS, ANY, ATTACKS, COST, TREASURES
from rules.games.dominion.questions import (
    Draw,
    FewerTurns,
    KingdomChoice,
    KingdomLot,
    Look,
    Question,
    Reveal,
    StartLot,
)
from rules.games.dominion.state import QUIET_ROUNDS, DominionState, Frame, seats_of
from rules.hidden import UNSEEN

# -- playing a card -------------------------------------------------------------------------


def play_action(state: DominionState, seat: int, card: str) -> None:
    """One playing of an action card; DO18: before an attack's text, Moats may be shown."""
    if card in ATTACKS:
        asked = [("moat", q) for q in state.others(seat)] if "moat" in state.kingdom else []
        state.do(*asked, ("attack", seat, card, ()))
    elif card in _ACTIONS:
        _ACTIONS[card](state, seat)


def attack(state: DominionState, seat: int, card: str, unaffected: tuple[int, ...]) -> None:
    """An attack's text, after all other players have been asked for a Moat."""
    _ATTACKS[card](state, seat, [q for q in state.others(seat) if q not in unaffected])


# -- the cards without a decision -----------------------------------------------------------


def council_room(state: DominionState, seat: int) -> None:
    """+4 cards, +1 buy; each other player draws a card."""
    state.buys += 1
    state.do(("draw", seat, 4), *(("draw", q, 1) for q in state.others(seat)))


def festival(state: DominionState, seat: int) -> None:
    """+2 actions, +1 buy, +2 coins."""
    state.actions += 2
    state.buys += 1
    state.coins += 2


def laboratory(state: DominionState, seat: int) -> None:
    """+2 cards, +1 action."""
    state.actions += 1
    state.do(("draw", seat, 2))


def market(state: DominionState, seat: int) -> None:
    """+1 card, +1 action, +1 buy, +1 coin."""
    state.actions += 1
    state.buys += 1
    state.coins += 1
    state.do(("draw", seat, 1))


def moat(state: DominionState, seat: int) -> None:
    """+2 cards; the reaction is asked for in ``play_action``."""
    state.do(("draw", seat, 2))


def smithy(state: DominionState, seat: int) -> None:
    """+3 cards."""
    state.do(("draw", seat, 3))


def village(state: DominionState, seat: int) -> None:
    """+1 card, +2 actions."""
    state.actions += 2
    state.do(("draw", seat, 1))


def woodcutter(state: DominionState, seat: int) -> None:
    """+1 buy, +2 coins."""
    state.buys += 1
    state.coins += 2


# -- the cards that ask ---------------------------------------------------------------------


def adventurer(state: DominionState, seat: int) -> None:
    """Reveal cards until two treasures are revealed; these to your hand, discard the rest."""
    cards = state.seats[seat]
    found = [card for card in cards.aside if card in TREASURES]
    if len(found) < 2 and cards.ready():
        state.do(("reveal", seat, 1), ("adventurer", seat))
        return
    for card in found:
        cards.aside.remove(card)
        cards.to_hand(card)
    discard_revealed(state, seat)


def discard_revealed(state: DominionState, seat: int) -> None:
    """The cards that are still laid aside go to the discard pile."""
    cards = state.seats[seat]
    for card in cards.aside:
        cards.to_discard(card)
    cards.aside.clear()


def bureaucrat(state: DominionState, seat: int, victims: list[int]) -> None:
    """Gain a Silver onto your draw pile; each other player puts a victory card on theirs (DO27)."""
    state.gain(seat, "silver", to="draw")
    state.do(*(("bureaucrat", q) for q in victims))


def _bureaucrat_puts(state: DominionState, frame: Frame, card: str) -> None:
    state.seats[frame[1]].to_top(card)


def cellar(state: DominionState, seat: int) -> None:
    """+1 action; discard any number of cards; +1 card for each, after all of them (DO22)."""
    state.actions += 1
    state.do(("cellar", seat), ("draw", seat, 0))


def _cellar_discards(state: DominionState, frame: Frame, card: str) -> None:
    seat = frame[1]
    _lay_on_discards(state, seat, card)
    state.amend("draw", lambda draw: ("draw", seat, draw[2] + 1))
    state.do(("cellar", seat))


def chancellor(state: DominionState, seat: int) -> None:
    """+2 coins; you may put your draw pile on your discard pile (DO26)."""
    state.coins += 2
    state.do(("chancellor", seat))


def chapel(state: DominionState, seat: int) -> None:
    """Trash up to four cards from your hand."""
    state.do(("chapel", seat, 4))


def _chapel_trashes(state: DominionState, frame: Frame, card: str) -> None:
    _, seat, left = frame
    state.put_in_trash(seat, card)
    if left > 1:
        state.do(("chapel", seat, left - 1))


def feast(state: DominionState, seat: int) -> None:
    """Trash this card; gain a card costing up to 5. DO6: gained again even if it is gone."""
    cards = state.seats[seat]
    if "feast" in cards.play:
        cards.play.remove("feast")
        state.put_in_trash(seat, "feast")
    state.do(("gain", seat, 5, "feast"))


def library(state: DominionState, seat: int) -> None:
    """Draw until you have 7 cards in hand; actions drawn may be set aside (DO19)."""
    cards = state.seats[seat]
    if cards.hand_size() < 7 and cards.ready():
        state.do(("look", seat, 1), ("library", seat), ("library-goes-on", seat))
    else:
        discard_revealed(state, seat)


def militia(state: DominionState, seat: int, victims: list[int]) -> None:
    """+2 coins; each other player discards down to 3 cards, one after the other (DO22)."""
    state.coins += 2
    state.do(*(("militia", q) for q in victims))


def _militia_discards(state: DominionState, frame: Frame, card: str) -> None:
    _lay_on_discards(state, frame[1], card)
    state.do(frame)


def _lay_on_discards(state: DominionState, seat: int, card: str) -> None:
    """DO22; a card that was not shown lies there already, below the others of its packet."""
    if card != UNSEEN:
        state.seats[seat].to_discard(card)


def mine(state: DominionState, seat: int) -> None:
    """Trash a treasure from your hand; gain one costing up to 3 more, into your hand."""
    state.do(("mine", seat))


def _mine_trashes(state: DominionState, frame: Frame, card: str) -> None:
    state.put_in_trash(frame[1], card)
    state.do(("gain-treasure", frame[1], COST[card] + 3, "mine"))


def moneylender(state: DominionState, seat: int) -> None:
    """Trash a Copper from your hand; if you do, +3 coins."""
    state.do(("moneylender", seat))


def _moneylender_trashes(state: DominionState, frame: Frame, card: str) -> None:
    state.put_in_trash(frame[1], card)
    if card == "copper":
        state.coins += 3


def remodel(state: DominionState, seat: int) -> None:
    """Trash a card from your hand; gain one costing up to 2 more."""
    state.do(("remodel", seat))


def _remodel_trashes(state: DominionState, frame: Frame, card: str) -> None:
    state.put_in_trash(frame[1], card)
    state.do(("gain", frame[1], COST[card] + 2, "remodel"))


def spy(state: DominionState, seat: int, victims: list[int]) -> None:
    """+1 card, +1 action; each player, you first, reveals their top card; you decide (DO23)."""
    state.actions += 1
    state.do(
        ("draw", seat, 1),
        *(frame for q in (seat, *victims) for frame in (("reveal", q, 1), ("spy", seat, q))),
    )


def thief(state: DominionState, seat: int, victims: list[int]) -> None:
    """Each other player reveals two cards, one treasure is trashed; gain any of these (DO24)."""
    for_each: list[Frame] = []
    for q in victims:
        for_each += [("reveal", q, 2), ("thief", seat, q), ("discard-revealed", q)]
    state.do(*for_each, ("loot", seat, ()))


def throne_room(state: DominionState, seat: int) -> None:
    """Choose an action card in your hand, play it twice (DO25)."""
    state.do(("throne-room", seat))


def _throne_room_plays(state: DominionState, frame: Frame, card: str) -> None:
    seat = frame[1]
    state.seats[seat].play.append(card)
    state.do(("play", seat, card), ("play", seat, card))


def witch(state: DominionState, seat: int, victims: list[int]) -> None:
    """+2 cards; each other player gains a Curse, while there are any (DO5)."""
    state.do(("draw", seat, 2), *(("curse", q) for q in victims))


def curse(state: DominionState, seat: int) -> None:
    """DO5: players who come after the last Curse gain nothing."""
    state.gain(seat, "curse")


def workshop(state: DominionState, seat: int) -> None:
    """Gain a card costing up to 4."""
    state.do(("gain", seat, 4, "workshop"))


_ACTIONS: dict[str, Callable[[DominionState, int], None]] = {
    "adventurer": adventurer,
    "cellar": cellar,
    "chancellor": chancellor,
    "chapel": chapel,
    "council-room": council_room,
    "feast": feast,
    "festival": festival,
    "laboratory": laboratory,
    "library": library,
    "market": market,
    "mine": mine,
    "moat": moat,
    "moneylender": moneylender,
    "remodel": remodel,
    "smithy": smithy,
    "throne-room": throne_room,
    "village": village,
    "woodcutter": woodcutter,
    "workshop": workshop,
}
_ATTACKS: dict[str, Callable[[DominionState, int, list[int]], None]] = {
    "bureaucrat": bureaucrat,
    "militia": militia,
    "spy": spy,
    "thief": thief,
    "witch": witch,
}


# -- set-up and turn ------------------------------------------------------------------------


def lay_out(state: DominionState) -> None:
    """DO21: the kingdom is settled; supply, then the lot for the starter."""
    state.lay_out_supply()
    candidates = StartLot.candidates(state)
    winners = seats_of(state.last_winners)
    if len(winners) == 1:
        state.seat = (winners[0] + 1) % state.players
    elif len(candidates) == 1:
        # All other players have won: no lot is needed where only one can be drawn.
        state.seat = candidates[0]
    else:
        state.do(("start", 0))


def deal(state: DominionState) -> None:
    """DO21: five cards each, clockwise from the starter, then their first turn."""
    seats = [state.seat, *state.others(state.seat)]
    state.do(*(("draw", seat, 5) for seat in seats), ("turn", state.seat))


def begin_turn(state: DominionState, seat: int) -> None:
    """8.2: one action, one buy, no coins."""
    state.seat = seat
    state.actions = state.buys = 1
    state.coins = 0
    state.buying = state.bought = False
    for cards in state.seats:
        cards.shuffled = ""


def end_turn(state: DominionState) -> None:
    """8.2 clean-up; DO15: cards away, the end is tested, then five cards are drawn."""
    seat = state.seat
    state.swept, state.got = tuple(state.seats[seat].play), state.seats[seat].face
    state.seats[seat].clean_up()
    state.turns[seat] += 1
    state.quiet += 1
    supply = state.piles
    if not supply["province"]:
        state.over = "provinces"
    elif len(state.market.up_to[-1]) <= len(supply) - 3:
        # DO4: every supply pile counts.
        state.over = "piles"
    elif state.quiet_rounds and state.quiet >= QUIET_ROUNDS * state.players:
        state.over = "quiet"
    else:
        state.stack += (("turn", (seat + 1) % state.players), ("draw", seat, 5))


QUESTIONS: dict[str, Question] = {
    "kingdom-lot": KingdomLot(),
    "kingdom-choice": KingdomChoice(),
    "start": StartLot(),
    "fewer": FewerTurns(),
    "draw": Draw(),
    "look": Look(),
    "reveal": Reveal(),
    "moat": Moat(),
    "gain": Gain(),
    "gain-treasure": GainTreasure(),
    "bureaucrat": Bureaucrat(_bureaucrat_puts),
    "cellar": HandQuestion("cellar", "discard", ANY, _cellar_discards, optional=True),
    "chancellor": Chancellor(),
    "chapel": HandQuestion("chapel", "trash", ANY, _chapel_trashes, optional=True),
    "library": Library(),
    "militia": HandQuestion("militia", "discard", ANY, _militia_discards, more_than=3),
    "mine": HandQuestion(
        "mine", "trash", TREASURES, _mine_trashes, none=True, wrong="not_a_treasure"
    ),
    "moneylender": HandQuestion(
        "moneylender", "trash", frozenset({"copper"}), _moneylender_trashes,
        none=True, wrong="only_copper",
    ),
    "remodel": HandQuestion("remodel", "trash", ANY, _remodel_trashes),
    "spy": Spy(),
    "thief": Thief(),
    "loot": Loot(),
    "throne-room": HandQuestion(
        "throne-room", "play", ACTIONS, _throne_room_plays, none=True, wrong="not_an_action"
    ),
}  # fmt: skip
"""Decisions, by the name on the stack."""

PRIVATE = frozenset({"action", "buy"}) | {
    question.code or question.card
    for question in QUESTIONS.values()
    if question.actor is Actor.PLAYER and question.code != KingdomChoice.code
}
"""DO17: prompts that a player answers with their own hand before them; what is for sale is chosen
in public."""

STEPS: dict[str, Callable[..., Any]] = {
    "lay-out": lambda state, _seat: lay_out(state),
    "deal": lambda state, _seat: deal(state),
    "turn": begin_turn,
    "play": play_action,
    "attack": attack,
    "adventurer": adventurer,
    "library-goes-on": library,
    "discard-revealed": discard_revealed,
    "curse": curse,
}
"""Steps that follow automatically, by the name on the stack."""


def settle(state: DominionState) -> None:
    """Carry out all that follows automatically, up to the next decision."""
    stack = state.stack
    while stack:
        frame = stack[-1]
        question = QUESTIONS.get(frame[0])
        if question is None:
            stack.pop()
            STEPS[frame[0]](state, *frame[1:])
        elif question.stands(state, frame):
            return
        else:
            stack.pop()
