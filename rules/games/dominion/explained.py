"""Moves of a turn that a look explains, and which of them only stand for others of which nothing
shows either (8.7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.core import Actor, Board, Move
from rules.games.dominion.components import ACTIONS, COINS, COST, DEAREST, TREASURES
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.moves import shape
from rules.games.dominion.state import DominionState, Frame
from rules.games.dominion.table import MORE_ACTIONS, Table, coins_of, watched
from rules.hidden import UNSEEN

_ASKING = frozenset({"cellar", "feast", "library", "remodel", "throne-room", "workshop"})
"""Actions whose answers lie on the discard pile, or play a card that brings such."""

_COVERING = _ASKING | {"adventurer", "chancellor", "spy"}
"""Actions after which another card, or none, may lie on top of their player's discard pile."""

_TRASHING = frozenset({"chapel", "feast", "mine", "moneylender", "remodel", "thief", "throne-room"})
"""Actions after which another card may lie on top of the trash."""

_DRAWING = frozenset({"council-room", "library", "moat", "smithy", "witch"})
"""Actions that make the hand larger and end the actions of most turns."""

_IN_TURN = frozenset({"play", "buy", "done"})


def explaining(state: DominionState, moves: Sequence[Move], board: Board) -> Sequence[Move]:
    """Legal ``moves`` that may have led to what ``board`` shows."""
    if not watched(state):
        return moves
    table = Table(state, board)
    if state.seats[state.stack[-1][1] if state.stack else state.seat].dealt:
        return ()  # What the program holds for somebody no hands lay down.
    if not state.stack:
        own = (move for move in moves if move.player == state.seat and move.verb in _IN_TURN)
        return [move for move in own if _fits_turn(table, move)]
    frame = state.stack[-1]
    found = [move for move in moves if fits_answer(table, frame, move)]
    if frame[0] == "gain-treasure":
        # A Mine is for better coins.
        gains = [move for move in found if move.verb == "gain" and move.player == frame[1]]
        return sorted(gains, key=lambda m: -COST[m.args[0]])
    return found


def guesses(table: Table, move: Move) -> bool:
    """True if ``move`` is a purchase of which nothing shows, or the end of a turn, or of a packet,
    in which as well something more may have been bought or discarded."""
    if not watched(table.state) or move.actor is Actor.DEALER:
        return False
    if table.state.stack:
        return _guesses_answer(table, table.state.stack[-1], move)
    if move.verb == "buy":
        return _guesses_purchase(table, move.args[0])
    if move.verb == "play":
        return move.args[0] == "cellar" and _in_some_other_order(table)
    return move.verb == "done" and not table.bought_nothing


def _fits_turn(table: Table, move: Move) -> bool:
    """True if the player whose turn it is may have done this."""
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
    """True if what a card asks may have been answered so, or this have been drawn."""
    kind = shape(move)
    card = move.args[-1] if move.args else ""
    match kind:
        case "play":
            return table.newly_laid(card)
        case "gain" if frame[0] == "gain-treasure":
            return card in _better_coins(table)
        case "gain":
            seen = table.newly_got(frame[1], card) or table.has_run_out(card)
            return seen or card in _covered(table, frame)
        case "discard":
            return _fits_discard(table, frame, card)
        case "discard owner":
            return _fits_discard_of(table, int(move.args[0][1:]), card)
        case "keep owner":
            return not table.newly_got(int(move.args[0][1:]), card)
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


def _fits_discard_of(table: Table, owner: int, card: str) -> bool:
    """DO23: a revealed card that is discarded lies on top, or below one that came there since."""
    top = table.top_of(owner)
    return top == card or table.newly_got(owner, top)


def _better_coins(table: Table) -> list[str]:
    """Treasures that a Mine may have brought into the hand, rightly or not, by what was laid from
    there since."""
    laid = table.laid
    coins = [card for card in COINS if table.state.piles.get(card)]
    return [card for card in coins if _holds(table, laid - Counter([card]))] or coins


def _holds(table: Table, laid: Counter[str]) -> bool:
    """True if all of this can have been in the hand."""
    hand = table.cards.clone()
    return all(hand.take(card) for card in laid.elements())


def _covered(table: Table, frame: Frame) -> Sequence[str]:
    """Gains that a card bought afterwards may cover."""
    options = [move.args[0] for move in QUESTIONS[frame[0]].moves(table.state, frame) if move.args]
    top = table.top_of(frame[1])
    if frame[1] != table.seat or frame[0] != "gain":
        return ()
    covered = table.newly_got(frame[1], top) and top not in options and covers(table)
    return options[:1] if covered else ()


def asks_for_cards(table: Table) -> bool:
    """True if a card is asked for, or will be, that comes to lie on the discard pile."""
    asked = bool(table.stack) and table.stack[-1][0] in (*_ASKING, "gain")
    # DO12: no action is played any more once a card was bought or a treasure laid.
    may_play = table.acts > 0 and not table.buying and enough_actions(table, table.laid)
    return asked or (may_play and not _ASKING.isdisjoint(table.laid))


def enough_actions(table: Table, laid: Counter[str]) -> bool:
    """True if the actions of ``laid`` can be played, in whichever order."""
    played = [card for card in laid.elements() if card in ACTIONS]
    if not played:
        return True
    if "throne-room" in table.lying:
        # What is played twice brings twice as much.
        return table.acts > 0 or table.played["throne-room"] > 0
    brought = sum(MORE_ACTIONS.get(card, 0) for card in played)
    going_on = any(card in MORE_ACTIONS for card in played)
    first = table.acts > 0 and (going_on or len(played) <= table.acts)
    return first and len(played) <= table.acts + brought


def covers(table: Table) -> bool:
    """True if the card on top may lie on another that this turn brought: the coins that lie there
    pay for it, another card brings it, or all was swept away."""
    card = table.top
    swept = table.gone if table.stack else not table.lying
    if swept or card not in COST:
        return True
    laid = sum(number for kind, number in table.laid.items() if kind in _COVERING)
    again = any(frame[0] == "play" and frame[2] in _COVERING for frame in table.stack)
    asked = bool(table.stack) and table.stack[-1][0] in (*_ASKING, "gain")
    return again or laid + asked > 1 or _laid_coins(table) >= COST[card]


def _laid_coins(table: Table) -> int:
    """The coins of this turn with all that lies there."""
    return table.coins + coins_of(table.laid)


def _likeliest(table: Table) -> Sequence[str]:
    """The probable purchase, if it was not seen and the next player has bought as well."""
    if table.coins < 2:
        return ()
    return table.state.market.dear[min(table.coins, DEAREST)][:3]


def _first_of_its_kind(table: Table, card: str) -> bool:
    """True if the card on top can only have been got in this turn."""
    return card == table.top and card not in table.cards.owned


def _guesses_purchase(table: Table, card: str) -> bool:
    """True if nothing shows that ``card`` was bought."""
    seen = table.newly_got(table.seat, card)
    if card in table.played and table.newly_got(table.next, table.top_of(table.next)):
        seen = False  # The turn is over, and it may lie on top since it was played.
    if table.gone:
        seen = _first_of_its_kind(table, card)
    return not seen and not table.has_run_out(card)


def _guesses_answer(table: Table, frame: Frame, move: Move) -> bool:
    """True if something else may have been answered, of which nothing shows either."""
    asking, card = frame[0], move.args[-1] if move.args else ""
    match move.verb:
        case "gain" if asking == "gain" and frame[1] == table.seat:
            return not table.newly_got(table.seat, card) or _covered_later(
                table, table.stack[-1], card
            )
        case "gain" if asking == "gain-treasure":
            return len(_better_coins(table)) > 1
        case "trash" if asking in _TRASHING:
            # Of a packet one card is seen, however often a Chapel is played.
            return table.may_follow(_TRASHING - {asking} if asking == "chapel" else _TRASHING)
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
    """True if what lay on top is gone: shuffled, with whatever came to lie on it."""
    return not table.top and bool(table.cards.face)


def _covered_later(table: Table, frame: Frame, card: str) -> bool:
    """True if ``card``, which lies on top, may have come there after what is gained now."""
    # Which of two gains for the same card came first makes no difference.
    alike = frame[3] if frame[3] in ("feast", "workshop") else ""
    again = any(f[0] == "play" and f[2] in _COVERING and f[2] != alike for f in table.stack)
    laid = any(kind in _COVERING for kind in table.laid)
    return again or laid or _laid_coins(table) >= COST[card]


def _in_some_other_order(table: Table) -> bool:
    """True if a Cellar that lies there may have come after cards that change what it takes, or
    what is shuffled for it."""
    laid = table.laid
    asking = sum(n for card, n in laid.items() if card in _ASKING)
    return table.may_follow(_DRAWING) or (table.shuffled and asking > 1)


def _laid_besides(table: Table, card: str) -> bool:
    """True if ``card`` lies there and has still to be played."""
    return table.lying[card] > table.played[card]
