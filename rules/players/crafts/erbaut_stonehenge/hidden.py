"""Possible places of the cards of Erbaut Stonehenge!, as far as one seat knows.

Others' hands, the shuffled part of the pile, face-down projects and some cards under the pile are
hidden. What was taken openly, or paid for a theft, is remembered as long as it is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from rules.core import Game, Json
from rules.games.erbaut_stonehenge.components import (
    CARD,
    CARD_NAMES,
    CARDS,
    NUMBER_CARDS,
    YARDS,
    card_name,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.hidden import UNSEEN
from rules.players.crafts.whereabouts import Heap, Unseen
from rules.players.view import SeatView

_PILE = "pile"


def sees_own_hand(view: SeatView) -> bool:
    """True if the seat's own hand has been shown; at a real table it may never have been."""
    if not view.physical:
        return True
    size: int = view.state["hands"][view.seat]
    known = view.state["zones"]["zones"].get(f"p{view.seat}", {}).get("known", {})
    return bool(sum(known.values()) == size)


def worlds_of(game: Game[ErbautState], view: SeatView) -> Callable[[Random], ErbautState]:
    """Positions in which every card has a name and that fit everything ``view`` knows."""
    places = _of_table(view) if view.physical else _of_program(view)
    first = game.from_json(_named(view, places.deal(Random(0))))
    mine = None if view.physical else sorted(CARD[name] for name in view.state["hands"][view.seat])
    seats = range(view.players)
    under = [(CARD.get(name), by) for name, by in view.state["under"]]
    hidden_yards = _face_down(view.state)
    open_pile = [CARD[name] for name in view.state["pile"]] if view.physical else []
    begin = int(view.state.get("under_first", 0))

    def world(random: Random) -> ErbautState:
        cards = places.deal(random)
        state = first.clone()
        hands = [sorted(cards.get(f"p{seat}", ())) for seat in seats]
        if mine is not None:
            hands[view.seat] = mine[:]
        state.cards.hands = hands
        state.cards.pile = [*cards.get(_PILE, ()), *open_pile]
        state.cards.below = [
            (cards[f"below {begin + place}"][0] if card is None else card, -1 if by is None else by)
            for place, (card, by) in enumerate(under)
        ]
        for seat in hidden_yards:
            state.yard[seat] = cards[YARDS[seat]][0]
        return state

    return world


@dataclass(frozen=True, slots=True)
class _Places:
    """The possible places of hidden cards."""

    unseen: Unseen
    taken: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Cards that a player is known to have, and the places where they may have put them."""

    def deal(self, random: Random) -> dict[str, list[int]]:
        """One way the cards may lie."""
        taken = self.taken
        while True:
            found = self._tried(taken, random)
            if found is not None:
                return found
            # A player has broken the rules, or was remembered wrongly: then nothing is remembered.
            taken = taken[:-1]

    def _tried(
        self, taken: tuple[tuple[int, tuple[str, ...]], ...], random: Random
    ) -> dict[str, list[int]] | None:
        found = {place: list(cards) for place, cards in self.unseen.known.items()}
        where = dict(taken)
        for heap in self.unseen.heaps:
            cards, room = list(heap.cards), dict(heap.places)
            random.shuffle(cards)
            # 3.3: only day cards lie face down, so these are dealt first.
            for yard in [place for place in YARDS if room.get(place)]:
                days = [c for c in cards if is_day(c) and yard in where.get(c, (yard,))]
                if not days and taken:
                    return None
                found[yard] = [days[0] if days else cards[0]]
                cards.remove(found[yard][0])
                room[yard] = 0
            for card in [card for card in cards if card in where]:
                free = [place for place in where[card] if room.get(place)]
                if not free:
                    return None
                (place,) = random.choices(free, [room[place] for place in free])
                found.setdefault(place, []).append(card)
                cards.remove(card)
                room[place] -= 1
            for place, count in room.items():
                found.setdefault(place, []).extend(cards[:count])
                del cards[:count]
        return found


def _of_table(view: SeatView) -> _Places:
    return _Places(Unseen.of_zones(view.state["zones"], CARD))


def _of_program(view: SeatView) -> _Places:
    data = view.state
    named = {CARD[name] for name in _names(data, view.seat)}
    trilithons = [card for card in CARDS if card not in named and is_trilithon(card)]
    if data["phase"] == "deal":
        # 3.2: only after the first hands are dealt do they join the pile.
        trilithons = []
    numbers = [card for card in range(NUMBER_CARDS) if card not in named]
    others = [seat for seat in range(view.players) if seat != view.seat]
    places = [(f"p{seat}", int(data["hands"][seat])) for seat in others]
    places += [(YARDS[seat], 1) for seat in _face_down(data)]
    places += [
        (f"below {place}", 1) for place, (name, _) in enumerate(data["under"]) if name == UNSEEN
    ]
    places.append((_PILE, int(data["pile"]) - len(trilithons)))
    unseen = Unseen((Heap(tuple(numbers), tuple(places)),), {_PILE: tuple(trilithons)})
    taken = []
    for seat, cards in openly_held(view).items():
        wanted = [f"p{seat}", YARDS[seat]]
        wanted += [f"below {n}" for n, (_, by) in enumerate(data["under"]) if by == seat]
        taken += [(card, tuple(wanted)) for card in sorted(cards) if card not in named]
    return _Places(unseen, tuple(taken))


def openly_held(view: SeatView) -> dict[int, set[int]]:
    """Cards that came openly to others' hands, and have not been seen to leave them since.

    They may have been laid face down, in a yard or under the pile. Once the pile has come down to
    the cards that were put under it, such cards may have gone on to any player, and are forgotten.
    """
    held: dict[int, set[int]] = {s: set() for s in range(view.players) if s != view.seat}
    run_out = not view.state["pile"]
    for move in view.moves:
        seat, verb = move.player, move.verb
        if verb == "take" and seat in held and CARD[move.args[0]] < NUMBER_CARDS:
            held[seat].add(CARD[move.args[0]])
        elif verb == "steal":
            paid = {CARD[name] for name in move.args[1].split(",")}
            other = int(move.args[0][1:])
            if seat in held:
                held[seat] -= paid
            if other in held:
                held[other] |= paid
        elif verb in ("play", "discard") and seat in held:
            if move.args[0] != UNSEEN:
                held[seat].discard(CARD[move.args[0]])
            elif run_out and verb == "discard":
                held[seat].clear()
        elif verb == "sabotage" and run_out:
            victim = int(move.args[0][1:])
            if victim in held:
                held[victim] = {card for card in held[victim] if not is_day(card)}
    return held


def _names(data: Json, seat: int) -> Iterable[str]:
    """The cards that the seat sees, by name."""
    yield from data["hands"][seat]
    yield from data["display"]
    yield from data["gone"]
    for cards in data["influence"]:
        yield from cards
    yield from (one["card"] for one in data["projects"] if one and one["card"] != UNSEEN)
    yield from (name for name, _ in data["under"] if name != UNSEEN)


def _face_down(data: Json) -> list[int]:
    """The seats whose project no other player has seen."""
    return [
        seat for seat, one in enumerate(data["projects"]) if one and one["card"] == UNSEEN
    ]  # fmt: skip


def _named(view: SeatView, cards: dict[str, list[int]]) -> Json:
    """The position of a digital match in which the cards lie so."""
    left_out = ("zones", "under_first")
    data = {name: value for name, value in view.state.items() if name not in left_out}
    begin = int(view.state.get("under_first", 0))
    data["physical"] = False
    data["hands"] = [
        hand if isinstance(hand, list) else [CARD_NAMES[card] for card in cards.get(f"p{seat}", ())]
        for seat, hand in enumerate(view.state["hands"])
    ]
    open_pile = view.state["pile"] if view.physical else []
    data["pile"] = [*(CARD_NAMES[card] for card in cards.get(_PILE, ())), *open_pile]
    data["under"] = [
        [card_name(cards[f"below {begin + place}"][0]) if name == UNSEEN else name, by]
        for place, (name, by) in enumerate(view.state["under"])
    ]
    data["projects"] = [
        {**one, "card": card_name(cards[YARDS[seat]][0])} if one and one["card"] == UNSEEN else one
        for seat, one in enumerate(view.state["projects"])
    ]
    return data
