"""Positions that fit what a seat knows of a match.

What a table knows of a match, and what a seat knows that has seen its own draws, is kept by the
rules in the same form: zones with known and unknown cards. For a digital match it is found by
replaying the moves as the seat was told them at a table (the rules promise that this is possible),
and so it is where the program deals for some at a table with real cards; where all cards are real
it is the view itself. The unknown cards are then dealt at random.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rules.core import Game, Json
from rules.games.dominion.holdings import Counts, DealtCards, Holdings, WatchedCards, add
from rules.games.dominion.state import DominionState
from rules.players.view import SeatView

__all__ = ["dealer", "known_to"]


def known_to(game: Game[DominionState], view: SeatView) -> DominionState:
    """What ``view`` knows: a position as a table would know it, with the seat's own draws named."""
    if view.physical and not view.dealt:
        return game.from_json(view.state)
    state = game.setup(view.players, view.options, True)
    for move in view.moves:
        state.apply(move)
    return state


def dealer(known: DominionState) -> Callable[[Random], DominionState]:
    """Deals all that is not known in ``known``; every position returned is the caller's own."""
    plain = _without_cards(known)
    seats = [_Seat(cards) for cards in known.seats]

    def deal(random: Random) -> DominionState:
        state = plain.clone()
        state.seats = [seat.dealt(random) for seat in seats]
        return state

    return deal


def _without_cards(known: DominionState) -> DominionState:
    plain = known.clone()
    plain.physical, plain.seats = False, []
    return plain


class _Seat:
    """What is known of one player's cards, sorted out for dealing."""

    __slots__ = ("known", "pools")

    def __init__(self, cards: Holdings) -> None:
        self.known = DealtCards()
        new = self.known
        new.play, new.aside = cards.play[:], cards.aside[:]
        new.face, new.owned = cards.face, cards.owned.copy()
        self.pools: list[tuple[list[str], list[tuple[str, int]]]] = []
        """Unknown cards, and how many of them lie in which zone."""
        assert isinstance(cards, WatchedCards)
        zones = cards.zones.to_json()
        for name, zone in zones["zones"].items():
            self._lay_known(name, zone)
        for number, pool in enumerate(zones["pools"]):
            places = [
                (name, zone["unknown"][str(number)])
                for name, zone in zones["zones"].items()
                if str(number) in zone.get("unknown", {})
            ]
            listed = [card for card, many in pool.items() for _ in range(many)]
            self.pools.append((listed, places))

    def _lay_known(self, name: str, zone: Json) -> None:
        new = self.known
        if name == "drawn":
            new.drawn = next(iter(zone.get("known", ())), "")
            return
        for card, number in zone.get("known", {}).items():
            add(_pile(new, name), card, number)
        if name == "draw":
            new.known_top = list(zone.get("top", ()))

    def dealt(self, random: Random) -> DealtCards:
        new = self.known.clone()
        for pool, places in self.pools:
            cards = pool
            if len(places) > 1:
                cards = pool[:]
                draw = random.random
                cards.sort(key=lambda _card: draw())
            first = 0
            for name, number in places:
                part = cards[first : first + number]
                first += number
                if name == "drawn":
                    new.drawn = part[0]
                    continue
                pile = _pile(new, name)
                for card in part:
                    pile[card] = pile.get(card, 0) + 1
        return new


def _pile(cards: DealtCards, name: str) -> Counts:
    if name == "hand":
        return cards.hand
    return cards.deck if name == "draw" else cards.discards
