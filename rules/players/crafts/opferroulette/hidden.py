"""Possible places of the cards of Opferroulette, as far as one seat knows.

The pile is what was shuffled last, so a watcher knows more than how many cards lie where: as long
as a pile lasts, a card that was among the discards when it was made is in it or in a hand that drew
since, and one that was not is in a hand that held it before (OR20).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rules.core import Game, Json, Move
from rules.games.opferroulette.components import CARD, CARDS
from rules.games.opferroulette.state import OpferrouletteState
from rules.hidden import UNSEEN
from rules.players.crafts.whereabouts import Heap, Unseen
from rules.players.view import SeatView

_PILE = "pile"
_LAID = frozenset({"roll", "roll-fall", "fall", "reverse"})


def sees_own_hand(view: SeatView) -> bool:
    """True if the seat's own hand has been shown; at a real table it may never have been."""
    if not view.physical or "zones" not in view.state:
        return True
    size: int = view.state["hands"][view.seat]
    known = view.state["zones"]["zones"].get(f"p{view.seat}", {}).get("known", {})
    return bool(sum(known.values()) == size)


def worlds_of(
    game: Game[OpferrouletteState], view: SeatView
) -> Callable[[Random], OpferrouletteState]:
    """Positions in which every card has a name and that fit everything ``view`` knows."""
    seats = range(view.players)
    if view.state["ball"] is None:
        # 6.2: until the ball lies, every card is open or undrawn.
        state = game.from_json(_named(view.state, [[] for _ in seats], []))
        return lambda _random: state.clone()
    unseen = unseen_by(view)
    own = view.state["hands"][view.seat]
    mine = [CARD[name] for name in own] if isinstance(own, list) else None

    def dealt(random: Random) -> tuple[list[list[int]], list[int]]:
        cards = unseen.deal(random)
        hands = [cards.get(f"p{seat}", []) for seat in seats]
        if mine is not None:
            hands[view.seat] = mine[:]
        return hands, cards.get(_PILE, [])

    first = game.from_json(_named(view.state, *dealt(Random(0))))

    def world(random: Random) -> OpferrouletteState:
        state = first.clone()
        state.deck.hands, state.deck.pile = dealt(random)
        return state

    return world


def unseen_by(view: SeatView) -> Unseen:
    """The cards that the seat cannot see."""
    if view.physical:
        return Unseen.of_zones(view.state["zones"], CARD)
    data = view.state
    sizes = {
        f"p{seat}": size for seat, size in enumerate(data["hands"]) if isinstance(size, int)
    }  # fmt: skip
    sizes[_PILE] = data["pile"]
    watched = _watched(view)
    if watched is not None and watched.adds_up(sizes):
        return watched
    # The list of moves does not reach back to the first deal.
    named = {*data["discards"], *data["hands"][view.seat]}
    return Unseen.one_heap((CARD[name] for name in CARDS if name not in named), sizes.items())


def _named(data: Json, hands: list[list[int]], pile: list[int]) -> Json:
    """The position of a digital match in which the cards lie so."""
    found = {name: value for name, value in data.items() if name != "zones"}
    found["physical"] = False
    found["hands"] = [[CARDS[card] for card in hand] for hand in hands]
    found["pile"] = [CARDS[card] for card in pile]
    return found


def _watched(view: SeatView) -> Unseen | None:
    """Knowledge from the moves; None if they contradict each other."""
    me = f"p{view.seat}"
    heaps: list[set[int]] = [set(range(len(CARDS)))]
    held: list[dict[str, int]] = [{}]
    """By heap: how many of its cards each of the other hands holds."""
    left, discards = len(CARDS), list[int]()
    for move in view.moves:
        laid = move.verb in _LAID
        if not laid and not _draws(move):
            continue
        if laid:
            card = CARD[move.args[0]]
            if move.player != view.seat and not _take(heaps, held, card, f"p{move.player}"):
                return None
            discards.append(card)
            continue
        if not left:
            heaps.append(set(discards))
            held.append({})
            left, discards = len(discards), []
        left -= 1
        name = move.args[-1]
        if name == UNSEEN:
            held[-1][move.args[0]] = held[-1].get(move.args[0], 0) + 1
            continue
        if CARD[name] not in heaps[-1] or (move.verb == "draw" and move.args[0] != me):
            return None
        heaps[-1].remove(CARD[name])
        if move.verb == "turn":
            discards.append(CARD[name])
    held[-1][_PILE] = left
    return Unseen(
        tuple(
            Heap(tuple(sorted(cards)), tuple(places.items()))
            for cards, places in zip(heaps, held, strict=True)
        )
    )


def _draws(move: Move) -> bool:
    return move.player is None and move.verb in ("draw", "turn")


def _take(heaps: list[set[int]], held: list[dict[str, int]], card: int, hand: str) -> bool:
    """Take out a card that ``hand`` has laid; False if it cannot have been in the hand."""
    for heap, places in zip(heaps, held, strict=True):
        if card in heap and places.get(hand):
            heap.remove(card)
            places[hand] -= 1
            return True
    return False
