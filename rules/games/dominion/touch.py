"""The supply as cards for sale: what a screen shows of it, and why something cannot be had now.

Nothing in here depends on what a hand holds (DO17).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.core import (
    Call,
    Market,
    Move,
    Objection,
    Picture,
    Place,
    SupplyPile,
    Touch,
    read_pictures,
)
from rules.games.dominion.card_questions import Gain, HandQuestion
from rules.games.dominion.components import (
    COINS,
    COST,
    GROUPS,
    KINGDOM,
    POINTS,
    TYPES,
    kingdom_of,
    layout_order,
    pile_sizes,
    points_of,
)
from rules.games.dominion.effects import PRIVATE, QUESTIONS
from rules.games.dominion.ledger import shown_order
from rules.games.dominion.legality import unplayable, violations
from rules.games.dominion.moves import BUY, GAIN, KEEP, NAME, SHOW_MOAT
from rules.games.dominion.questions import KingdomLot
from rules.games.dominion.state import NOBODY, DominionState, Frame
from rules.texts import minus

_UNWANTED = frozenset({"copper", "curse"})
"""Cards that players hardly ever want to buy."""


class DominionTouch(Touch[DominionState]):
    """The game at a screen: touches and pictures."""

    private = PRIVATE

    worth = staticmethod(points_of)

    def stands_for(self, option: str, value: str) -> Sequence[str]:
        return kingdom_of(value) if option == "kingdom" else ()

    def stock(self, kinds: Sequence[str], players: int) -> Sequence[SupplyPile]:
        sizes = pile_sizes(players, list(kinds))
        return [_pile(card, sizes[card], sizes) for card in layout_order(tuple(kinds))]

    def market(self, state: DominionState) -> Market | None:
        """The supply; None where only a ledger is kept (DO31), and before there is
        anything."""
        if state.keeps_ledger:
            return None
        if not state.piles:
            return _naming(state)
        sizes = pile_sizes(state.players, state.kingdom)
        turn = None if state.seat == NOBODY else state.seat
        frame = state.stack[-1] if state.stack else None
        return Market(
            wares=tuple(_ware(state, card, sizes) for card in shown_order(state.kingdom)),
            trash=tuple(state.trash),
            turn=turn,
            figures=(("actions", state.actions), ("buys", state.buys), ("coins", state.coins)),
            played=() if turn is None else tuple(state.seats[turn].play),
            open=tuple(_open(state, frame)),
            places=_places(frame),
            brings={} if frame is not None or (state.bought and state.treasures_first) else COINS,
        )

    def pictures(self) -> Mapping[str, Picture]:
        """A little picture of every card."""
        return read_pictures("rules.games.dominion", "pictures.toml")

    def calls(self, before: DominionState, move: Move, after: DominionState) -> Sequence[Call]:
        """DO3, DO20: the draw pile has run out, and all discards are a draw pile now."""
        seats = tuple(
            seat for seat, cards in enumerate(after.seats)
            if not cards.dealt and not cards.discard_size() and _discards(before, after, seat)
        )  # fmt: skip
        sites = tuple(f"{pile}-p{seat}" for seat in seats for pile in ("discard", "draw"))
        return (Call("shuffle", seats, sites),) if seats else ()

    def usual(self, state: DominionState, moves: Sequence[Move]) -> Move | None:
        """The usual move; the turn is ended when nothing is left worth wanting."""
        if only := super().usual(state, moves):
            return only
        if state.stack:
            return next((move for move in moves if move in SHOW_MOAT or move in KEEP), None)
        wanted = [m for m in moves if m.verb == "play" or (m.args and m.args[0] not in _UNWANTED)]
        done = [move for move in moves if move.verb == "done"]
        return done[0] if done and not wanted and not state.keeps_ledger else None


def _discards(before: DominionState, after: DominionState, seat: int) -> int:
    """Cards that lay on the discard pile, or came there at the end of the turn."""
    cards = before.seats[seat]
    ended = before.turns[seat] != after.turns[seat]
    return cards.discard_size() + ended * (cards.hand_size() + len(cards.play))


def _naming(state: DominionState) -> Market:
    """DO11: which ten cards of the kingdom will be for sale."""
    sizes = pile_sizes(state.players, list(KINGDOM))
    return Market(
        wares=tuple(_ware(state, card, sizes) for card in layout_order(KINGDOM)),
        trash=(), places={"kingdom": Place.WARES}, naming=True,
    )  # fmt: skip


def _ware(state: DominionState, card: str, sizes: Mapping[str, int]) -> SupplyPile:
    left = state.piles.get(card, 0) if state.piles else sizes[card]
    return _pile(card, left, sizes, _refused(state, card), _idle(state, card))


def _pile(
    card: str, left: int, sizes: Mapping[str, int], refused: Objection | None = None,
    idle: Objection | None = None,
) -> SupplyPile:  # fmt: skip
    return SupplyPile(
        kind=card,
        cost=COST[card],
        left=left,
        full=sizes[card],
        group=GROUPS[card],
        types=TYPES[card],
        sign=minus(COINS.get(card, POINTS.get(card, ""))),
        rule=f"8.4-{card}",
        harms=POINTS.get(card, 0) < 0,
        refused=refused,
        idle=idle,
    )


def _refused(state: DominionState, card: str) -> Objection | None:
    """The reason why no such card can be taken from the supply now."""
    if state.over:
        return None
    if not state.stack:
        return _first(violations(state, BUY[state.seat][card]))
    frame = state.stack[-1]
    question = QUESTIONS[frame[0]]
    if isinstance(question, Gain):
        return _first(question.refuse(state, frame, GAIN[frame[1]][card]))
    if isinstance(question, KingdomLot):
        return _first(question.refuse(state, frame, NAME[frame[1]][card]))
    return None if frame[0] == "reveal" else question.first(frame)


def _idle(state: DominionState, card: str) -> Objection | None:
    """The reason why such a card in the hand of the player asked is of no use now."""
    if state.over or not state.piles:
        return None
    if not state.stack:
        return _first(unplayable(state, card))
    frame = state.stack[-1]
    question = QUESTIONS[frame[0]]
    if isinstance(question, HandQuestion):
        fits = card in question.fits
        return None if fits else Objection.of(question.rule, question.wrong, card=card)
    if frame[0] == "moat" and card == "moat":
        return None
    return question.first(frame)


def _first(found: Sequence[Objection]) -> Objection | None:
    return found[0] if found else None


def _places(frame: Frame | None) -> Mapping[str, Place]:
    """Places of the cards that answers name, by verb."""
    if frame is None:
        return {"play": Place.HAND, "buy": Place.WARES}
    question = QUESTIONS[frame[0]]
    if isinstance(question, HandQuestion):
        return {question.verb: Place.HAND}
    if isinstance(question, Gain):
        return {"gain": Place.WARES}
    match frame[0]:
        case "moat":
            return {"show": Place.HAND}
        case "thief":
            return {"trash": Place.OPEN}
        case "loot":
            return {"gain": Place.OPEN}
        case "reveal" | "look":
            return {"reveal": Place.WARES, "draw": Place.WARES}
    return {}


def _open(state: DominionState, frame: Frame | None) -> Iterable[tuple[int, str]]:
    """Face-up cards that are decided about: cards revealed, or those a Thief may take (DO24)."""
    if frame is None:
        return ()
    if frame[0] in ("spy", "thief"):
        return ((frame[2], card) for card in state.seats[frame[2]].aside)
    return ((frame[1], card) for card in frame[2]) if frame[0] == "loot" else ()
