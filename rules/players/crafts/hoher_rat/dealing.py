"""Possible hands and piles of Der Hohe Rat, as one seat knows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from rules.core import Game
from rules.games.hoher_rat.components import CARD_NUMBER, DECK, FACTIONS, NONE, faction_of
from rules.games.hoher_rat.moves import HIDDEN, decode
from rules.games.hoher_rat.state import RatState
from rules.players.crafts.whereabouts import Whereabouts
from rules.players.view import SeatView

# The names of the zones of a physical match.
_PILES = tuple(f"pile {name}" for name in FACTIONS)
_PLAYED = tuple(f"played {name}" for name in FACTIONS)
_PONDERED = tuple(f"pondered {name}" for name in FACTIONS)
_HANDS = tuple(f"hand p{seat}" for seat in range(4))
_PLACES = (*_PILES, *_PLAYED, *_PONDERED, *_HANDS)


def dealt_anew(game: Game[RatState], view: SeatView) -> Callable[[Random], RatState]:
    """Positions that fit ``view``, all cards dealt."""
    deal = whereabouts(view).dealer()
    players = view.players
    nothing = {key: dict.fromkeys(FACTIONS, ()) for key in ("piles", "played", "pondered")}
    # A position without its cards is not sound, so that the first is read without being checked.
    bare = game.read_unchecked({
        **view.state, **nothing, "physical": False, "unnamed": (), "hands": [()] * players,
        "options": view.options,
    })  # fmt: skip

    def world(random: Random) -> RatState:
        dealt, state = deal(random), bare.clone()
        state.hands = [tuple(sorted(dealt.get(_HANDS[seat], ()))) for seat in range(players)]
        state.piles = [dealt.get(name, []) for name in _PILES]
        state.played = [dealt.get(name, []) for name in _PLAYED]
        state.pondered = [dealt.get(name, []) for name in _PONDERED]
        return state

    return world


def whereabouts(view: SeatView) -> Whereabouts:
    """The possible places of the cards, by the names of the zones of a physical match."""
    if not view.physical:
        return _of_dealt(view, (0, 1))
    cards = _of_dealt(view, {faction_of(seat) for seat in view.dealt})
    if "zones" in view.state:
        cards.join(Whereabouts.of_zones(view.state["zones"], CARD_NUMBER))
    return cards


def _of_dealt(view: SeatView, factions: Collection[int]) -> Whereabouts:
    """Of factions whose cards the program deals."""
    cards, counted = _followed(view, factions), _counted(view, factions)
    if any(cards.size(place) != counted.size(place) for place in _PLACES):
        # A position that was laid out: how it came about is unknown.
        return counted
    return cards


def _followed(view: SeatView, factions: Collection[int]) -> Whereabouts:
    """The cards' ways as the seat saw them; own cards are never lost sight of."""
    cards = Whereabouts()
    for faction in factions:
        cards.fill(_PILES[faction], range(faction * DECK, (faction + 1) * DECK))
    for move in view.moves:
        step = decode(move.text)
        if step is None or step.seat == NONE or faction_of(step.seat) not in factions:
            continue
        hand, faction = _HANDS[step.seat], faction_of(step.seat)
        known = [None if card == HIDDEN else card for card in step.cards]
        match step.verb:
            case "draw":
                pile = _PILES[faction]
                if not cards.size(pile):  # HR21
                    cards.gather((_PLAYED[faction], _PONDERED[faction]), pile)
                cards.move(pile, hand, known[0])
            case "discuss" | "seat":
                for card in known:
                    cards.move(hand, _PLAYED[faction], card)
            case "ponder":
                cards.move_all(hand, _PONDERED[faction])
            case "consult" | "return":
                partner = (step.seat + 2) % 4
                cards.move(hand, _HANDS[partner], known[0])
    return cards


def _counted(view: SeatView, factions: Collection[int]) -> Whereabouts:
    """Knowledge from the position alone: the numbers of cards at each place."""
    cards, data = Whereabouts(), view.state
    for faction in factions:
        name = FACTIONS[faction]
        everything = range(faction * DECK, (faction + 1) * DECK)
        cards.fill(_PILES[faction], everything)
        for shown in data["played"][name]:
            cards.move(_PILES[faction], _PLAYED[faction], CARD_NUMBER[shown])
    for seat, hand in enumerate(data["hands"] if factions else ()):
        if faction_of(seat) not in factions:
            continue
        unseen = [None] * hand if isinstance(hand, int) else [CARD_NUMBER[name] for name in hand]
        for card in unseen:
            cards.move(_PILES[faction_of(seat)], _HANDS[seat], card)
    for faction in factions:
        for _ in range(data["pondered"][FACTIONS[faction]]):
            cards.move(_PILES[faction], _PONDERED[faction], None)
    return cards


def hand_is_known(view: SeatView) -> bool:
    """True if the seat's own hand has been shown; at a real table it may never have been."""
    if view.cards_seen:
        return True
    held = view.state["zones"]["zones"].get(_HANDS[view.seat], {})
    return not held.get("unknown")
