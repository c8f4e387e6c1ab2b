"""The cards at each site of the table mat, those before players, and the sites a move changes.

Conventions of the physical table: a revealed card lies in its owner's ``aside`` area; a hand that
is discarded and a draw pile turned over by the Chancellor go down face down, so that a camera
sees a back until the next card comes on top (DO17: they need not be shown). Cards that the program
deals for a player lie on one heap in place of the discard pile, wherever the program has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from rules.core import Item, Layout, Move
from rules.games.dominion.components import ACTIONS, BASIC
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.holdings import CardsBeside
from rules.games.dominion.moves import SEAT_NAMES, shape
from rules.games.dominion.state import DominionState

BACK = "card back"

_BASIC = frozenset(BASIC)
_AREAS = ("hand", "draw", "discard", "play", "aside")


def pile_site(state: DominionState, card: str) -> str:
    """The site of the supply pile of a card: kingdom piles by cost, then by name."""
    return card if card in _BASIC else f"k{state.kingdom.index(card) + 1}"


def layout(state: DominionState) -> Layout:
    """8.1, 8.2: supply, trash and all players' cards."""
    items: Layout = Counter()
    if state.keeps_ledger or not state.piles:
        return items
    for card, left in state.piles.items():
        if left:
            _pile(items, pile_site(state, card), card, left, None)
    if state.trash:
        items[Item("trash", state.trash[-1])] = 1
        for card in state.trash[:-1]:
            items[Item("trash", card, seen=False)] += 1
    for seat, cards in enumerate(state.seats):
        if type(cards) is CardsBeside:
            _heap(items, seat, cards)
            continue
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


def _heap(items: Layout, seat: int, cards: CardsBeside) -> None:
    top = cards.uppermost()
    if top:
        items[Item(heap_site(seat), top, seat)] = 1
    for card, number in cards.owned.items():
        if number > (card == top):
            items[Item(heap_site(seat), card, seat, seen=False)] = number - (card == top)


def heap_site(seat: int) -> str:
    """The site of the cards that the program deals for a player."""
    return f"discard-p{seat}"


def dealt_beside(state: DominionState) -> list[int]:
    """The seats for which the program deals at a table with real cards."""
    # Asked of every position that a reading tries, and ``isinstance`` takes long for these.
    return [seat for seat, cards in enumerate(state.seats) if type(cards) is CardsBeside]


def _pile(items: Layout, site: str, card: str, number: int, owner: int | None) -> None:
    items[_item(site, card, owner, "up", True)] = 1
    if number > 1:
        items[_item(site, card, owner, "up", False)] = number - 1


def _face_down(items: Layout, site: str, number: int, owner: int, *, top_seen: bool) -> None:
    if top_seen and number:
        items[_item(site, BACK, owner, "down", True)] = 1
        number -= 1
    if number > 0:
        items[_item(site, BACK, owner, "down", False)] = number


@lru_cache(maxsize=1 << 12)
def _item(site: str, kind: str, owner: int | None, face: str, seen: bool) -> Item:
    """The same each time, since dozens are asked for of every position that a reading tries."""
    return Item(site, kind, owner, face=face, seen=seen)


def supply(state: DominionState, seat: int) -> Counter[str]:
    """The hand, face down; none if it is in the program only."""
    if isinstance(state.seats[seat], CardsBeside):
        return Counter()
    return +Counter({BACK: state.seats[seat].hand_size()})


def areas(seat: int, *names: str) -> list[str]:
    """Sites of a seat, all if none is named."""
    return [f"{name}-p{seat}" for name in names or _AREAS]


def touches(state: DominionState, move: Move) -> Collection[str] | None:
    """Sites that ``move`` may change, found without trying it; None if it must be tried.

    Draws that follow automatically on a real table may empty or refill a draw pile, so both
    piles are named with moves that are often followed by draws.
    """
    if state.keeps_ledger:
        return ()
    if not state.piles:
        return None
    beside = dealt_beside(state)
    if not beside:
        return _touched(state, move)
    if move.player in beside or any(SEAT_NAMES[seat] in move.args for seat in beside):
        return None  # only what is gained or lost shows
    found = _touched(state, move)
    if found is None:
        return None
    nowhere = {site for seat in beside for site in areas(seat)} - set(map(heap_site, beside))
    return [site for site in found if site not in nowhere]


def _touched(state: DominionState, move: Move) -> Collection[str] | None:
    if move.player is None:
        return _touched_by_dealer(state, move)
    seat, kind = move.player, shape(move)
    due = state.stack[-1] if state.stack else None
    if due is None and seat == state.seat:
        if kind == "done":
            return None
        if kind == "play":
            return _touched_by_play(state, seat, move.args[0])
        found = _touched_by_hand(state, move, kind)
        if kind == "buy" and state.buys == 1:
            found += areas(seat, "hand", "play", "draw")
        return found
    answers = due is not None and QUESTIONS[due[0]].hears(due, move)
    if due is not None and answers and (len(state.stack) > 1 or due[0] == "throne-room"):
        return None  # whatever comes next may move other cards
    found = _touched_by_hand(state, move, kind)
    if due is not None and kind == "gain":
        found += {"gain-treasure": [f"hand-p{seat}"], "loot": ["trash"]}.get(due[0], [])
    return found


def _touched_by_dealer(state: DominionState, move: Move) -> Collection[str] | None:
    if move.verb not in ("draw", "reveal") or not state.stack:
        return None
    owner, due = int(move.args[0][1:]), state.stack[-1]
    more = due[0] == move.verb and due[2] > 1 and state.seats[owner].draw_size() > 1
    if not more and [frame[0] for frame in state.stack[:-1]] != ["turn"]:
        return None  # the last card: whatever comes next may move others
    return areas(owner, "draw", "discard", "hand" if move.verb == "draw" else "aside")


def _touched_by_play(state: DominionState, seat: int, card: str) -> list[str]:
    found = areas(seat, "hand", "play")
    if card not in ACTIONS:
        return found
    found += areas(seat, "draw", "discard", "aside")
    if card in ("council-room", "spy", "thief", "witch"):
        for other in state.others(seat):
            found += areas(other, "draw", "discard", "hand")
    if card == "witch":
        found.append("curse")
    if card == "bureaucrat":
        found.append("silver")
    if card == "feast":
        found.append("trash")
    return found


def _touched_by_hand(state: DominionState, move: Move, kind: str) -> list[str]:
    """The sites that a move touches if nothing follows from it."""
    seat, args = move.player or 0, move.args
    match kind:
        case "buy" | "gain":
            piles = [pile_site(state, args[0])] if args[0] in state.piles else []
            return [*piles, f"discard-p{seat}"]
        case "play" | "discard" | "aside":
            return areas(seat, "hand", kind)
        case "topdeck":
            return areas(seat, "hand", "draw")
        case "trash":
            return [f"hand-p{seat}", "trash"]
        case "discard deck":
            return areas(seat, "draw", "discard")
        case "discard owner":
            return areas(int(args[0][1:]), "aside", "discard")
        case "keep owner":
            return areas(int(args[0][1:]), "aside", "draw")
        case "trash owner":
            return [f"aside-{args[0]}", "trash"]
    return []
