"""What lies where on the table mat, and which places a move touches.

Conventions of the physical table: a revealed card lies in its owner's ``aside`` area; a hand that
is discarded and a draw pile turned over by the Chancellor go down face down, so that a camera
sees a back until the next card comes on top (DO17: they need not be shown).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Actor, Item, Layout, Move
from rules.games.dominion.cards import ACTIONS, BASIC
from rules.games.dominion.moves import shape
from rules.games.dominion.state import DominionState

BACK = "card back"

_BASIC = frozenset(BASIC)
_AREAS = ("hand", "draw", "discard", "play", "aside")


def pile_site(state: DominionState, card: str) -> str:
    """Where the supply pile of a card lies: kingdom piles by cost, then by name."""
    return card if card in _BASIC else f"k{state.kingdom.index(card) + 1}"


def layout(state: DominionState) -> Layout:
    """8.1, 8.2: supply, trash and everybody's cards."""
    items: Layout = Counter()
    if not state.supply:
        return items
    for card, left in state.supply.items():
        if left:
            _pile(items, pile_site(state, card), card, left, None)
    if state.trash:
        items[Item("trash", state.trash[-1])] = 1
        for card in state.trash[:-1]:
            items[Item("trash", card, seen=False)] += 1
    for seat, cards in enumerate(state.seats):
        _face_down(items, f"hand-p{seat}", cards.hand_size(), seat, top_seen=False)
        _face_down(items, f"draw-p{seat}", cards.draw_size(), seat, top_seen=True)
        discards = cards.discard_size()
        if cards.face:
            items[Item(f"discard-p{seat}", cards.face, seat)] = 1
            _face_down(items, f"discard-p{seat}", discards - 1, seat, top_seen=False)
        else:
            _face_down(items, f"discard-p{seat}", discards, seat, top_seen=True)
        for card in cards.play:
            items[Item(f"play-p{seat}", card, seat)] += 1
        for card in cards.aside:
            items[Item(f"aside-p{seat}", card, seat)] += 1
    return items


def _pile(items: Layout, site: str, card: str, number: int, owner: int | None) -> None:
    items[Item(site, card, owner)] = 1
    if number > 1:
        items[Item(site, card, owner, seen=False)] = number - 1


def _face_down(items: Layout, site: str, number: int, owner: int, *, top_seen: bool) -> None:
    if top_seen and number:
        items[Item(site, BACK, owner, face="down")] = 1
        number -= 1
    if number > 0:
        items[Item(site, BACK, owner, face="down", seen=False)] = number


def areas(seat: int, *names: str) -> list[str]:
    """Sites of a seat, all if none is named."""
    return [f"{name}-p{seat}" for name in names or _AREAS]


def touches(state: DominionState, move: Move) -> Collection[str] | None:
    """Sites that ``move`` may change, found without trying it; None if it must be tried."""
    if not state.supply:
        return None
    seat, verb, args = move.player, move.verb, move.args
    if move.actor is Actor.DEALER:
        if verb not in ("draw", "reveal") or not state.stack:
            return None
        owner, due = int(args[0][1:]), state.stack[-1]
        more = due[0] == verb and due[2] > 1 and state.seats[owner].draw_size() > 1
        if not more and [frame[0] for frame in state.stack[:-1]] != ["turn"]:
            return None  # the last card: whatever comes next may move others
        return areas(owner, "draw", "discard", "hand" if verb == "draw" else "aside")
    assert seat is not None
    in_turn = not state.stack and seat == state.seat
    kind = shape(move)
    if kind == "play":
        if in_turn and args[0] not in ACTIONS:
            return areas(seat, "hand", "play")
        return None
    if kind == "buy" and in_turn and args[0] in state.supply:
        found = [pile_site(state, args[0]), f"discard-p{seat}"]
        return found + areas(seat, "hand", "play", "draw") if state.buys == 1 else found
    if kind == "done" and in_turn:
        cards = state.seats[seat]
        if cards.hand_size() or cards.play or not cards.draw_size():
            return None if not cards.owned else areas(seat, "hand", "play", "draw", "discard")
        return ()
    return None
