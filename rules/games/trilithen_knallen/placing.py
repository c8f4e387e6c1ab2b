"""5.3 items 1 and 2: which hand cards let a trilithon materialise, and who must skip."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Move
from rules.games.trilithen_knallen.components import DAY_CARD, NEXT, PREVIOUS
from rules.games.trilithen_knallen.moves import DONE, PLACE, RAM, discard, subsets
from rules.games.trilithen_knallen.state import FREE, TrilithenState


def places(state: TrilithenState) -> list[Move]:
    """Every ``place`` of the player whose turn it is, with cards they hold (physical: may hold)."""
    seat, ring = state.turn, state.ring
    hand = playable(state, seat)
    found = []
    for colour in state.placeable(seat):
        here, rows = state.place_of[colour], PLACE[seat][colour]
        # TK3: the player's own lifted trilithon does not block, but not the same two fields again.
        open_to = (FREE, colour)
        for card in hand:
            if ring[card] in open_to:
                if card != here and ring[NEXT[card]] in open_to:
                    found.append(rows[card][0])
                before = PREVIOUS[card]
                if before != here and ring[before] in open_to:
                    found.append(rows[card][1])
    return found


def mistaken(state: TrilithenState, seat: int, card: int) -> tuple[int, int] | None:
    """Physical match: a card is played that the record has among the covered discards, out of
    sight. The number on either pillar may have been played there; returns the place in the pile and
    the card that it must have been. None if it cannot be so."""
    discards = state.deck.discards
    # A card played in this round has been seen.
    if not state.physical or card not in discards[: -state.players]:
        return None
    for other in (NEXT[card], PREVIOUS[card]):
        if other not in discards and state.deck.holds(seat, other):
            return discards.index(card), other
    return None


def playable(state: TrilithenState, seat: int) -> list[int]:
    """Cards that the player holds; physical: may hold, or be ``mistaken`` for one that they may."""
    hand = state.deck.playable(seat)
    if not state.physical:
        return hand
    discards = state.deck.discards
    held = {*hand}.difference(discards)
    covered = discards[: -state.players]
    return hand + [card for card in covered if not held.isdisjoint((NEXT[card], PREVIOUS[card]))]


def fitting_cards(state: TrilithenState) -> set[int]:
    """Cards that could materialise a trilithon now, among those the hand may hold."""
    return {DAY_CARD[move.args[1]] for move in places(state)}


def stuck_cards(state: TrilithenState, placing: Sequence[Move]) -> list[int]:
    """Cards the hand may hold that fit nowhere; ``placing``: all ``places``."""
    fitting = {DAY_CARD[move.args[1]] for move in placing}
    return [card for card in state.deck.playable(state.turn) if card not in fitting]


def may_be_stuck(state: TrilithenState) -> bool:
    """True if no hand card fits; in a physical match, if that is possible."""
    return len(stuck_cards(state, places(state))) >= state.deck.hand_size(state.turn)


def skips(state: TrilithenState, placing: Sequence[Move]) -> list[Move]:
    """Choices of a player whose cards fit nowhere; ``placing``: all ``places``."""
    seat = state.turn
    stuck = stuck_cards(state, placing)
    size = state.deck.hand_size(seat)
    if len(stuck) < size:
        return []
    if state.placed:
        # TK26: the second one goes on waiting and the turn continues.
        return [RAM[seat][c][way] for c, way, _, _ in state.rams] or [DONE[seat]]
    found = [
        discard(seat, cards)
        for cards in subsets(stuck, size)
        if len(cards) == 1 or state.deck.holds_all(seat, cards)
    ]
    found.append(DONE[seat])
    return found
