"""DO31 The ledger: people play with any printed cards, and enter only what changes hands.

In a turn its player, or a helper at the screen, enters what any player gained or trashed, and then
that the turn is over. Hands, draws and played cards do not matter here, so that no card asks
anything; the owners of cards are known all the same, and with them piles, end and points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from rules.core import Actor, Ledger, Move, Objection, Pile, Prompt
from rules.games.dominion import final_count
from rules.games.dominion.components import BASIC, GROUPS
from rules.games.dominion.effects import end_turn, settle
from rules.games.dominion.moves import DONE, GAIN, GAIN_FOR, STEAL, TAKE, TRASH, shape
from rules.games.dominion.state import DominionState

KINDS = frozenset({"gain owner", "take"}) | final_count.KINDS
"""Kinds of moves that only a ledger has, or a final count."""

_ENTRIES = frozenset({"gain", "gain owner", "take", "trash", "trash owner", "done"})
_TRASHES = {
    "feast": ("feast",),
    "moneylender": ("copper",),
    "mine": ("copper", "silver"),
    "remodel": ("curse", "estate", "copper"),
    "chapel": ("curse", "estate", "copper"),
}
"""Usual victims of the cards that trash."""


def prompt(state: DominionState) -> Prompt:
    """The question for entries; tells how near the end is."""
    if state.counting:
        return final_count.prompt(state)
    return _prompt(state.seat, state.piles["province"], _empty(state))


@lru_cache(maxsize=1024)
def _prompt(seat: int, provinces: int, empty: int) -> Prompt:
    over = not provinces or empty >= 3
    near = provinces <= 2 or empty == 2
    code = "ledger_last" if over else "ledger_near" if near else "ledger"
    params = (("provinces", provinces), ("empty", empty))
    return Prompt(Actor.PLAYER, seat, code, "8.3" if over or near else "DO31", params)


def legal_moves(state: DominionState) -> list[Move]:
    """All that may be entered now."""
    if state.counting:
        return final_count.legal_moves(state)
    seat = state.seat
    there = [card for card, left in state.piles.items() if left]
    found = [GAIN[seat][card] for card in there]
    found += [TRASH[seat][card] for card in state.seats[seat].owned]
    for other in state.others(seat):
        found += [GAIN_FOR[seat][other][card] for card in there]
        found += [STEAL[seat][other][card] for card in state.seats[other].owned]
    found += [TAKE[seat][card] for card in loot(state)]
    found.append(DONE[seat])
    return found


def pseudo_moves(state: DominionState, seat: int) -> Iterator[Move]:
    """All that could be entered for the player asked, on whatever pile."""
    for card in state.piles:
        yield TAKE[seat][card]
        for other in state.others(seat):
            yield GAIN_FOR[seat][other][card]
            yield STEAL[seat][other][card]


def violations(state: DominionState, move: Move, kind: str) -> list[Objection]:
    """The reasons why this may not be entered; the form of the move is in order."""
    if state.counting:
        return final_count.violations(state, move, kind)
    if kind not in _ENTRIES:
        return [Objection.of("DO31", "not_entered")]
    seat, owner = state.seat, _owner(move)
    if move.player != seat:
        return [Objection.of("8.2", "wrong_player", player=seat, other=move.player or 0)]
    if kind.endswith("owner") and owner == seat:
        return [Objection.of("8.6", "unknown_move", move=move.text)]
    card = move.args[-1] if move.args else ""
    if kind.startswith("gain") and not state.piles[card]:
        return [Objection.of("DO10", "pile_empty", card=card)]
    if kind.startswith("trash") and card not in state.seats[owner].owned:
        return [Objection.of("DO17", "not_owned", player=owner, card=card)]
    if kind == "take" and not loot(state)[card]:
        # DO30: nothing else comes back from the trash.
        return [Objection.of("DO24", "not_trashed_now", card=card)]
    return []


def enter(state: DominionState, move: Move) -> None:
    """Carry out what was entered; what cannot be done changes nothing."""
    if state.counting:
        final_count.enter(state, move)
        return
    kind = shape(move)
    if kind not in _ENTRIES:
        return
    if kind == "done":
        state.entered.clear()
        end_turn(state)
        settle(state)
    elif _changed_hands(state, kind, _owner(move), move.args[-1]):
        state.entered.append(move)


def _changed_hands(state: DominionState, kind: str, owner: int, card: str) -> bool:
    if kind == "take":
        return state.gain_from_trash(owner, card)
    if kind.startswith("gain"):
        return state.gain(owner, card)
    if not state.seats[owner].take(card):
        return False
    state.put_in_trash(owner, card)
    return True


def _owner(move: Move) -> int:
    """The seat whose cards change."""
    if len(move.args) > 1:
        return int(move.args[0][1:])
    return move.player or 0


def loot(state: DominionState) -> Counter[str]:
    """DO24: other players' cards that were trashed in this turn and are still in the trash."""
    found: Counter[str] = Counter()
    for move in state.entered:
        if move.verb == "trash" and len(move.args) > 1:
            found[move.args[1]] += 1
        elif move.verb == "take":
            found[move.args[0]] -= 1
    return +found


def choose(state: DominionState, moves: Sequence[Move], random: Random) -> Move:
    """A random player's entry: about two in a turn, and one in ten for another player."""
    if state.counting:
        return final_count.choose(state, moves, random)
    if random.random() < 1 / 3:
        return DONE[state.seat]
    own = [move for move in moves if len(move.args) == 1]
    some = own if own and random.random() < 0.9 else moves
    return some[int(random.random() * len(some))]


def ledger_of(state: DominionState) -> Ledger | None:
    """The ledger that a screen shows; None if none is kept or the piles are not laid out yet."""
    if state.counting:
        return final_count.ledger_of(state)
    if not state.keeps_ledger or not state.piles:
        return None
    return Ledger(
        piles=tuple(_pile(state, card) for card in shown_order(state.kingdom)),
        owned=tuple(dict(cards.owned) for cards in state.seats),
        trash=len(state.trash),
        entered=tuple(state.entered),
        likely=() if state.over else tuple(_likely(state)),
        verbs=("gain", "trash"),
        others="trash" if _owns(state, "thief") and not _owns(state, "witch") else "gain",
    )


def _pile(state: DominionState, card: str) -> Pile:
    left = state.piles[card]
    last = left <= 2 if card == "province" else left == 1 and _empty(state) == 2
    return Pile(card, left, GROUPS[card], scarce=left > 0 and last)


def _empty(state: DominionState) -> int:
    """DO4: every supply pile counts."""
    return sum(not left for left in state.piles.values())


def _likely(state: DominionState) -> Iterator[Move]:
    """8.4: cards that those of the turn's player make people trash, and the Witch's victims."""
    seat = state.seat
    if _owns(state, "witch") and state.piles["curse"]:
        yield from (GAIN_FOR[seat][other]["curse"] for other in state.others(seat))
    trashed = [card for owned, cards in _TRASHES.items() if _owns(state, owned) for card in cards]
    yield from (TRASH[seat][card] for card in dict.fromkeys(trashed) if _owns(state, card))


def _owns(state: DominionState, card: str) -> bool:
    return card in state.seats[state.seat].owned


def shown_order(kingdom: Sequence[str]) -> list[str]:
    """Money and points, then the kingdom in two rows with the Curse at the end of the first."""
    first = [card for card in BASIC if card != "curse"]
    return [*first, *kingdom[:5], "curse", *kingdom[5:]]
