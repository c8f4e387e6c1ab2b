"""A player's memory of the display of Trilithen Knallen, and how people forget.

TK23: the view of a position names no card that lies face down again. A player who looked on knows
more: what was shown, what they looked at themselves, and which cards changed places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.core import Game, Move
from rules.games.trilithen_knallen.components import (
    DAY_CARD,
    DISPLAY,
    DISPLAY_CARD,
    RING,
    SPOT,
    UNBOUND,
    display_of,
)
from rules.games.trilithen_knallen.moves import MEANING, SHOW_UNSEEN, discarded
from rules.games.trilithen_knallen.state import TrilithenState
from rules.players.crafts.whereabouts import Whereabouts
from rules.players.view import SeatView


@dataclass(slots=True)
class _Spot:
    card: int = UNBOUND
    """Card that is known to lie here."""
    public: bool = False
    """True if everybody saw it."""
    peeked: int = 0
    """Bits of the seats that looked at it secretly."""
    told: int = -1
    """Number of the move that showed it."""


class Memory:
    """The display as one seat remembers it."""

    def __init__(self, view: SeatView) -> None:
        display = view.state["display"]
        self.spots = [_Spot() for _ in display]
        looker = None
        for ply, move in enumerate(view.moves):
            verb, meaning = move.verb, MEANING.get(move.text, ())
            if verb == "flip":
                looker = None
            elif verb == "peek":
                looker = meaning[0]
            elif verb == "show":
                self._show(meaning[0], meaning[1], looker, ply)
            elif verb == "swap":
                one, other = meaning[1:]
                spots = self.spots
                spots[one], spots[other] = spots[other], spots[one]
            elif verb == "ride" and view.options.get("changing", "0") != "0":
                # TK31: among the unseen cards one may have changed places with any.
                self.spots = [_Spot() for _ in display]
        for name, entry in display.items():
            if entry["up"]:
                self._show(SPOT[name], DISPLAY_CARD[entry["card"]], None, len(view.moves))

    def _show(self, spot: int, card: int, looker: int | None, ply: int) -> None:
        here = self.spots[spot]
        if looker is not None:
            here.peeked |= 1 << looker
        if card == UNBOUND:
            return
        for other in self.spots:
            if other.card == card and other is not here:
                # TK23: cards were moved; what lies there now is unknown.
                other.card, other.public, other.peeked = UNBOUND, False, 0
        if here.card not in (card, UNBOUND):
            here.public, here.peeked = False, 0
        here.card, here.told = card, ply
        if looker is None:
            here.public = True
        else:
            here.peeked |= 1 << looker


def forgetful(view: SeatView, memory: float) -> SeatView:
    """``view`` as known by a player who remembers the part ``memory`` of the cards that were shown
    and lie face down again, the older the likelier not."""
    if memory >= 1:
        return view
    up = {entry["card"] for entry in view.state["display"].values() if entry["up"]}
    known = [one for one in Memory(view).spots if one.card != UNBOUND]
    known = [one for one in known if DISPLAY[one.card] not in up]
    known.sort(key=lambda one: one.told)
    forgotten = set()
    for age, one in enumerate(known, 1):
        # The mean over all ages is the part that is remembered. What is forgotten stays forgotten:
        # the same card shown at the same time meets the same chance until it is shown again.
        chance = Random(f"{view.seat} {one.told} {view.moves[one.told].text}").random()
        if memory <= 0 or chance >= (age / len(known)) ** ((1 - memory) / memory):
            forgotten.add(one.card)
    return replace(view, moves=tuple(_without(view.moves, forgotten)))


def _without(moves: Sequence[Move], forgotten: set[int]) -> Iterable[Move]:
    for move in moves:
        if move.verb == "show" and MEANING[move.text][1] in forgotten:
            yield SHOW_UNSEEN[MEANING[move.text][0]]
        else:
            yield move


# Possible displays, hands and piles of Trilithen Knallen, as one seat knows.

# The names of the zones of a physical match.
_PILE, _GONE, _DISCARDS = "pile", "out", "discards"
_HANDS = ("p0", "p1", "p2", "p3", "p4")


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
    """The possible places of the day cards, by the names of the zones of a physical match."""
    if view.physical:
        return Whereabouts.of_zones(view.state["zones"], DAY_CARD)
    cards, counted = _followed(view), _counted(view)
    if any(cards.size(place) != counted.size(place) for place in (_PILE, _GONE, *_HANDS)):
        # A position that was laid out: how it came about is unknown.
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
    """Digital match: knowledge from the position alone, the numbers of cards at each place."""
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
    """True if the seat's own hand has been shown; at a real table it may never have been."""
    if not view.physical:
        return True
    held = view.state["zones"]["zones"].get(_HANDS[view.seat], {})
    return not held.get("unknown")
