"""What a look at the table tells of a turn, and what it leaves open (8.7).

What nobody could see is never made up here: the record waits where it is, until the rest is seen or
touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from rules.core import Actor, Board, Json, Move
from rules.games.dominion.components import ACTIONS, COINS, COST, DEAREST, TREASURES
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.moves import shape
from rules.games.dominion.state import NOBODY, DominionState, Frame
from rules.games.dominion.table import BONUS, MORE_ACTIONS, Table, watched
from rules.hidden import UNSEEN

_ASKING = frozenset({"cellar", "feast", "library", "remodel", "throne-room", "workshop"})
"""Actions whose answers lie on the discard pile, or play a card that brings such."""
_COVERING = _ASKING | {"adventurer", "chancellor", "spy"}
"""Actions after which another card, or none, may lie on top of their player's discard pile."""
_TRASHING = frozenset({"chapel", "feast", "mine", "moneylender", "remodel", "thief", "throne-room"})
"""Actions after which another card may lie on top of the trash."""
_DRAWING = frozenset({"council-room", "library", "moat", "smithy", "witch"})
"""Actions that make the hand larger and end the actions of most turns."""
_SEEN = frozenset({"play", "buy", "gain", "draw"})
"""Kinds of moves that are never supplied unseen, but for a treasure gained into the hand."""


def fitting(state: DominionState, moves: Sequence[Move], board: Board) -> Sequence[Move]:
    """Those of the legal ``moves`` that may have led to what ``board`` shows."""
    if not watched(state):
        return moves
    table = Table(state, board)
    if state.seats[state.stack[-1][1] if state.stack else state.seat].dealt:
        return ()  # What the program holds for somebody no hands lay down.
    if not state.stack:
        return [move for move in moves if _fits_turn(table, move)]
    frame = state.stack[-1]
    found = [move for move in moves if fits_answer(table, frame, move)]
    # A Mine is for better coins.
    return sorted(found, key=lambda m: -COST[m.args[0]]) if frame[0] == "gain-treasure" else found


def implied(state: DominionState, moves: Sequence[Move], board: Board) -> list[Move]:
    """Those of ``fitting`` that leave no trace, or one that is not seen.

    8.7: a Moat shown or not, Library's keep, Cellar's done; a card discarded or trashed below
    another one, or on one that looks the same; what goes to a hand or face down on a pile.
    """
    fit = fitting(state, moves, board)
    asking = state.stack[-1][0] if state.stack else ""
    if asking == "gain-treasure":
        return [*fit]
    if asking == "bureaucrat":
        return []
    return [move for move in fit if shape(move) not in _SEEN]


def guessed(state: DominionState, move: Move, board: Board) -> bool:
    """Whether ``move`` is a purchase of which nothing shows, or the end of a turn, or of a packet,
    in which as well something more may have been bought or discarded."""
    if not watched(state) or move.actor is Actor.DEALER:
        return False
    table = Table(state, board)
    if state.stack:
        return _guesses_answer(table, state.stack[-1], move)
    if move.verb == "buy":
        return _guesses_purchase(table, move.args[0])
    if move.verb == "play":
        return move.args[0] == "cellar" and _in_some_other_order(table)
    return move.verb == "done" and not table.bought_nothing


def halfway(state: DominionState, board: Board) -> bool:
    """Whether a card that was bought may lie on others that an action of the same look brought
    there; what was drawn for them nobody knows either."""
    if not watched(state) or state.seat == NOBODY or state.over:
        return False
    table = Table(state, board)
    if table.cards.dealt:
        return False
    changed = table.top != table.cards.face or any(map(table.has_run_out, state.piles))
    asked = bool(state.stack) and state.stack[-1][0] in (*_ASKING, "gain")
    return changed and (asked or not _ASKING.isdisjoint(table.laid))


def essence(state: DominionState) -> Json:
    """What of a position matters to those who play on: neither in which order a turn was played,
    nor which card of a packet lies on top."""
    data = dict(state.to_json())
    data["trash"] = sorted(data["trash"])
    if state.physical and not state.keeps_ledger:
        data["seats"] = [
            {**cards, "face": "", "play": sorted(cards["play"])} for cards in data["seats"]
        ]
    return data


def turns(moves: Sequence[Move]) -> int:
    """How many turns these are; who shows a Moat or discards for the Militia has none."""
    return sum(1 for _ in groupby(m.player for m in moves if m.verb in ("play", "buy")))


def _fits_turn(table: Table, move: Move) -> bool:
    """Whether the player whose turn it is may have done this."""
    if move.verb == "done":
        gone = not table.lying or table.gone
        # Who has just laid a card has not cleared away: what lacks lies below it.
        return bool(gone) and not table.laid and table.cleaned_up
    card = move.args[0]
    if move.verb == "play":
        # Of a hand that was not changed before, a Cellar may take whatever it took.
        ends = card in ACTIONS and card not in MORE_ACTIONS
        return table.newly_laid(card) and not (ends and _laid_besides(table, "cellar"))
    if table.has_run_out(card):
        return True
    if any(coin in TREASURES for coin in table.laid):
        return False  # the fan first: what it holds was laid for this purchase
    if table.gone:
        return _first_of_its_kind(table, card) or card in _likeliest(table)
    return table.newly_got(table.seat, card)


def fits_answer(table: Table, frame: Frame, move: Move) -> bool:
    """Whether what a card asks may have been answered so, or this have been drawn."""
    kind = shape(move)
    card = move.args[-1] if move.args else ""
    match kind:
        case "play":
            return table.newly_laid(card)
        case "gain" if frame[0] == "gain-treasure":
            return card in _better_coins(table, frame)
        case "gain":
            seen = table.newly_got(frame[1], card) or table.has_run_out(card)
            return seen or card in _covered(table, frame)
        case "discard":
            return _fits_discard(table, frame, card)
        case "trash":
            return card == table.trash
        case "aside":
            return table.kinds(f"aside-p{frame[1]}")[card] > 0
        case "reveal":
            return card in table.turned_up(frame[1])
        case "done":
            # DO14: a packet of trashed cards shows one; it is asked whether that was all.
            return bool(frame[0] != "chapel" or frame[2] == 4)
        case "none" if frame[0] == "throne-room":
            return False  # nobody plays it for nothing without saying so
        case "show":
            return bool(frame[0] == "moat")
    return True


def _fits_discard(table: Table, frame: Frame, card: str) -> bool:
    """DO22: of a packet one card is seen; the others lie below it."""
    cards, top = table.state.seats[frame[1]], table.top_of(frame[1])
    shows = table.newly_got(frame[1], top) and cards.may_hold(top)
    if card != UNSEEN:
        return shows and card == top
    return bool(frame[0] == "militia" and not (cards.hand_size() == 4 and shows))


def _better_coins(table: Table, frame: Frame) -> list[str]:
    """What a Mine may have brought into the hand, by what was laid from there since."""
    options = [move.args[0] for move in QUESTIONS[frame[0]].moves(table.state, frame)]
    laid = table.laid
    return [card for card in options if _holds(table, laid - Counter([card]))] or options


def _holds(table: Table, laid: Counter[str]) -> bool:
    """Whether all of this can have been in the hand."""
    hand = table.cards.clone()
    return all(hand.take(card) for card in laid.elements())


def _covered(table: Table, frame: Frame) -> Sequence[str]:
    """What may have been gained, if a card that was bought afterwards covers it."""
    options = [move.args[0] for move in QUESTIONS[frame[0]].moves(table.state, frame) if move.args]
    top = table.top_of(frame[1])
    covered = table.newly_got(frame[1], top) and top not in options
    return options[:1] if covered and frame[1] == table.seat and frame[0] == "gain" else ()


def _likeliest(table: Table) -> Sequence[str]:
    """What was probably bought, if nobody saw it and the next player has bought as well."""
    if table.coins < 2:
        return ()
    return table.state.market.dear[min(table.coins, DEAREST)][:3]


def _first_of_its_kind(table: Table, card: str) -> bool:
    """Whether the card on top can only have been got in this turn."""
    return card == table.top and card not in table.cards.owned


def _guesses_purchase(table: Table, card: str) -> bool:
    """Whether nothing shows that ``card`` was bought."""
    seen = table.newly_got(table.seat, card)
    if card in table.played and table.newly_got(table.next, table.top_of(table.next)):
        seen = False  # The turn is over, and it may lie on top since it was played.
    if table.gone:
        seen = _first_of_its_kind(table, card)
    return not seen and not table.has_run_out(card)


def _guesses_answer(table: Table, frame: Frame, move: Move) -> bool:
    """Whether something else may have been answered, of which nothing shows either."""
    asking, card = frame[0], move.args[-1] if move.args else ""
    match move.verb:
        case "gain" if asking == "gain" and frame[1] == table.seat:
            return not table.newly_got(table.seat, card) or _covered_later(table, card)
        case "gain" if asking == "gain-treasure":
            return len(_better_coins(table, frame)) > 1
        case "trash" if asking in _TRASHING:
            return table.may_follow(_TRASHING)
        case "none" if asking in _TRASHING:
            return table.may_follow(_TRASHING)
        case "show":
            # Of a packet one card is seen, and that may look like the one below; it is asked,
            # unless so much is open that a question would leave most of it out.
            face = table.state.seats[frame[1]].face
            alike = face and table.state.seats[frame[1]].may_hold(face)
            return bool(alike and table.may_follow(_ASKING))
        case "discard" if asking == "cellar":
            return bool(table.laid)
        case "done" if asking == "cellar":
            # Nobody plays a Cellar for nothing: what went down lies below other cards.
            return _shuffled_since(table) or not table.stack[-2][2]
        case "done":
            return _shuffled_since(table)
    return False


def _shuffled_since(table: Table) -> bool:
    """Whether what lay on top is gone: shuffled, with whatever came to lie on it."""
    return not table.top and bool(table.cards.face)


def _covered_later(table: Table, card: str) -> bool:
    """Whether ``card``, which lies on top, may have come there after what is gained now."""
    laid = table.laid
    coins = table.coins
    coins += sum(n * (COINS.get(c, 0) or BONUS.get(c, 0)) for c, n in laid.items())
    return coins >= COST[card] or table.may_follow(_COVERING)


def _in_some_other_order(table: Table) -> bool:
    """Whether a Cellar that lies there may have come after cards that change what it takes, or
    what is shuffled for it."""
    laid = table.laid
    asking = sum(n for card, n in laid.items() if card in _ASKING)
    return table.may_follow(_DRAWING) or (table.shuffled and asking > 1)


def _laid_besides(table: Table, card: str) -> bool:
    """Whether ``card`` lies there and has still to be played."""
    return table.lying[card] > table.played[card]
