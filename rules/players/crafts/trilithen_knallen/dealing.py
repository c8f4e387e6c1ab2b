"""What may lie in the display, the hands and the pile of Trilithen Knallen, as one seat knows."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rules.core import Game
from rules.games.trilithen_knallen.components import DAY_CARD, RING, UNBOUND, display_of
from rules.games.trilithen_knallen.moves import MEANING, discarded
from rules.games.trilithen_knallen.state import TrilithenState
from rules.players.crafts.trilithen_knallen.memory import Memory
from rules.players.crafts.whereabouts import Whereabouts
from rules.players.view import SeatView

__all__ = ["dealt_anew", "hand_is_known", "whereabouts"]

_PILE, _GONE, _DISCARDS = "pile", "out", "discards"
_HANDS = ("p0", "p1", "p2", "p3", "p4")
# The names of the zones of a physical match.


def dealt_anew(game: Game[TrilithenState], view: SeatView) -> Callable[[Random], TrilithenState]:
    """Positions that fit ``view``, all cards dealt."""
    players = view.players
    bare = _bare(game, view)
    deal = whereabouts(view).dealer()
    spots = Memory(view).spots
    loose = set(display_of(bare.simple, bare.changing)) - {one.card for one in spots}
    bare.card = [one.card for one in spots]
    bare.seen_by_all = [one.public and one.card != UNBOUND for one in spots]
    bare.peeked = [one.peeked for one in spots]
    bare.loose = []
    unknown = [spot for spot, one in enumerate(spots) if one.card == UNBOUND]
    rest = sorted(loose)

    def world(random: Random) -> TrilithenState:
        dealt, state = deal(random), bare.clone()
        deck = state.deck
        deck.hands = [dealt.get(_HANDS[seat], []) for seat in range(players)]
        deck.pile, deck.gone = dealt.get(_PILE, []), dealt.get(_GONE, [])
        cards = rest[:]
        random.shuffle(cards)
        for spot, card in zip(unknown, cards, strict=True):
            state.card[spot] = card
        return state

    return world


def _bare(game: Game[TrilithenState], view: SeatView) -> TrilithenState:
    """The position without what is hidden. It is not sound, so that it is not checked."""
    data = dict(view.state)
    data.pop("zones", None)
    data["display"] = {
        name: {"card": entry["card"], "up": entry["up"], "public": entry["up"], "peeked": ()}
        for name, entry in data["display"].items()
    }
    data["hands"], data["pile"], data["gone"] = [()] * view.players, (), ()
    return game.read_unchecked({**data, "physical": False, "options": view.options})


def whereabouts(view: SeatView) -> Whereabouts:
    """Where the day cards may lie, by the names that zones of a physical match have."""
    if view.physical:
        return Whereabouts.of_zones(view.state["zones"], DAY_CARD)
    cards, counted = _followed(view), _counted(view)
    if any(cards.size(place) != counted.size(place) for place in (_PILE, _GONE, *_HANDS)):
        # A position that was laid out: nobody saw how it came about.
        return counted
    return cards


def _followed(view: SeatView) -> Whereabouts:
    """Digital match: the cards' ways as the seat saw them; own cards are never lost sight of."""
    cards = Whereabouts()
    cards.fill(_PILE, range(RING))
    for move in view.moves:
        if move.verb == "draw":
            seat, card = MEANING[move.text]
            if not cards.size(_PILE):  # TK16
                cards.gather([_DISCARDS], _PILE)
            cards.move(_PILE, _HANDS[seat], None if card < 0 else card)
        elif move.verb == "place":
            seat, _, card, _ = MEANING[move.text]
            cards.move(_HANDS[seat], _DISCARDS, card)
        elif move.verb == "discard" and move.player is not None:
            for card in discarded(move) or ():
                cards.move(_HANDS[move.player], _DISCARDS, card)
    for hand, left in zip(_HANDS, view.state["hands"], strict=False):
        if not left and cards.size(hand):
            cards.move_all(hand, _GONE)  # TK27
    return cards


def _counted(view: SeatView) -> Whereabouts:
    """Digital match: what the position alone tells, the numbers of cards at each place."""
    cards, data = Whereabouts(), view.state
    cards.fill(_PILE, range(RING))
    for name in data["discards"]:
        cards.move(_PILE, _DISCARDS, DAY_CARD[name])
    for hand, held in zip(_HANDS, data["hands"], strict=False):
        unseen = [None] * held if isinstance(held, int) else [DAY_CARD[name] for name in held]
        for card in unseen:
            cards.move(_PILE, hand, card)
    for _ in range(data["gone"]):
        cards.move(_PILE, _GONE, None)
    return cards


def hand_is_known(view: SeatView) -> bool:
    """Whether somebody has shown what the seat holds; at a real table perhaps nobody has."""
    if not view.physical:
        return True
    held = view.state["zones"]["zones"].get(_HANDS[view.seat], {})
    return not held.get("unknown")
