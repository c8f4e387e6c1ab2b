"""Inference from a look at the table: the turn it tells, what it leaves open, and what may differ
from the record for a while (8.7).

What nobody could see is never made up here: the record waits where it is, until the rest is seen or
touched. Things are cleared away late, or before all of a turn was seen; cards and coins are laid
early, and the next player begins while the last one tidies up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from rules.core import Actor, Board, Boards, Inference, Json, Lies, Move, Thought
from rules.games.dominion.components import ACTIONS, ATTACKS, COINS, COST, DEAREST, TREASURES
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.holdings import CardsBeside
from rules.games.dominion.layout import BACK, areas, dealt_beside, heap_site
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
_IN_TURN = frozenset({"play", "buy", "done"})
_BACKS = ((), ((BACK, ""),))
"""Looks of a draw pile while cards are drawn or shuffled."""
_REACH = ATTACKS | {"council-room"}
"""Cards that move other players' cards."""


def _explaining(state: DominionState, moves: Sequence[Move], board: Board) -> Sequence[Move]:
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
    found = [move for move in moves if _fits_answer(table, frame, move)]
    if frame[0] == "gain-treasure":
        # A Mine is for better coins.
        gains = [move for move in found if move.verb == "gain" and move.player == frame[1]]
        return sorted(gains, key=lambda m: -COST[m.args[0]])
    return found


class DominionInference(Inference[DominionState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def seconds(self, state: DominionState, move: Move) -> float:
        """Who has nothing to answer with says so."""
        return 0.0 if move.verb == "none" else super().seconds(state, move)

    def essence(self, state: DominionState) -> Json:
        """The part of a position that matters for going on: neither in which order a turn was
        played, nor which card of a packet lies on top."""
        data = dict(state.to_json())
        data["trash"] = sorted(data["trash"])
        if state.physical and not state.keeps_ledger:
            data["seats"] = [
                {**cards, "face": "", "play": sorted(cards["play"])} for cards in data["seats"]
            ]
        return data

    def fitting(
        self, state: DominionState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        asked = state.stack[-1] if state.stack else ("",)
        if asked[0] == "gain":
            # Where a card is gained, that on the discard pile was, rightly or not.
            return [m for m in moves if m.verb not in ("buy", "discard") or m.player != asked[1]]
        if state.stack:
            return moves
        # Where nothing is asked, a card on the discard pile was bought, rightly or not.
        return [move for move in moves if move.verb not in ("gain", "discard")]

    def plausible(
        self, state: DominionState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """8.7: nothing need show of a Moat shown or not, Library's keep, Cellar's done; of a card
        discarded or trashed below another one, or on one that looks the same; and of what goes to a
        hand or face down on a pile."""
        table = Table(state, board)
        asking = state.stack[-1][0] if state.stack else ""
        for move in _explaining(state, moves, board):
            silent = asking != "bureaucrat" and shape(move) not in _SEEN
            covered = silent or asking == "gain-treasure"
            yield Thought(move, guessed=_guesses(table, move), covered=covered)

    def may_lie(
        self, state: DominionState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        if not watched(state) or state.seat == NOBODY:
            return {}
        heaps = {heap_site(seat) for seat in dealt_beside(state)}
        table = Table(state, board, moves)
        right = {site for site in heaps.intersection(sites) if _may_be_heap(table, site)}
        if cards := [site for site in sites if site not in heaps]:
            right.update(_tolerated_cards(table, cards, moves))
        open_end = not moves and len(right) < len(sites) and _halfway(table)
        found = dict.fromkeys(sites, Lies.UNJUDGED) if open_end else {}
        asked = state.prompt()
        own = areas(asked.player) if asked is not None and asked.player is not None else []
        lifted = [site for site in own if site in sites and site not in right]
        found.update(super().may_lie(state, lifted, board, moves))
        return {**found, **{site: _how_long(table, site) for site in right}}


def _guesses(table: Table, move: Move) -> bool:
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


# -- what a look explains -----------------------------------------------------------------


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


def _fits_answer(table: Table, frame: Frame, move: Move) -> bool:
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
    covered = table.newly_got(frame[1], top) and top not in options and _covers(table)
    return options[:1] if covered else ()


def _asks_for_cards(table: Table) -> bool:
    """True if a card is asked for, or will be, that comes to lie on the discard pile."""
    asked = bool(table.stack) and table.stack[-1][0] in (*_ASKING, "gain")
    # DO12: no action is played any more once a card was bought or a treasure laid.
    return asked or (not table.buying and not _ASKING.isdisjoint(table.laid))


def _covers(table: Table) -> bool:
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
    laid = table.laid.items()
    return table.coins + sum(n * (COINS.get(c, 0) or BONUS.get(c, 0)) for c, n in laid)


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


# -- what lies there for a while ----------------------------------------------------------


def _how_long(table: Table, site: str) -> Lies:
    """How long what may lie at ``site`` lies there.

    A packet, or a pile that was shuffled at another time, stays. While somebody clears away late,
    or lays coins before another one's turn, which shows, is over, nobody need say anything.
    """
    if site in map(heap_site, dealt_beside(table.state)):
        return Lies.FOR_GOOD
    if any(site == f"discard-p{seat}" for seat in _asked_as_well(table)):
        return Lies.UNTOLD
    if site.startswith("draw") or site == f"discard-p{table.last}":
        return Lies.FOR_GOOD
    early = site == f"play-p{table.next}" and (table.played or table.buying)
    return Lies.FOR_NOW if early or site == f"play-p{table.last}" else Lies.UNTOLD


def _halfway(table: Table) -> bool:
    """True if a card that was bought may lie on others that an action of the same look brought
    there; what was drawn for them nobody knows either."""
    if table.state.over or table.cards.dealt:
        return False
    if any(map(table.has_run_out, table.state.piles)):
        return _asks_for_cards(table)
    return table.top != table.cards.face and _asks_for_cards(table) and _covers(table)


def _tolerated_cards(
    table: Table, sites: Collection[str], moves: Sequence[Move]
) -> Collection[str]:
    """The same for everything but heaps of cards that the program deals."""
    if table.state.over or table.cards.dealt:
        return set(_left_by_the_last(table, moves)).intersection(sites)
    begun = any(move.player == table.seat for move in moves)
    if {*sites} == {table.play} and _being_swept(table):
        return list(sites)
    if not begun and (_swept_away(table, sites) or _turns_swept_away(table, sites)):
        return list(sites)
    found = set(_left_by_the_last(table, moves))
    found.update(_taken_late(table))
    found.update(_revealed_still(table))
    for seat in _asked_as_well(table):
        if table.may_top(seat, table.top_of(seat)):
            found.add(f"discard-p{seat}")
    if _others_may_begin(table) and not {table.play, table.discard}.intersection(sites):
        found.update(_begun_by_the_next(table))
    if _waits_for_a_touch(table):
        found.update(_laid_meanwhile(table))
    elif _card_before_coins(table):
        found.add(table.discard)
    return found.intersection(sites)


def _being_swept(table: Table) -> bool:
    """True if the cards played were cleared away, and what this turn brought still lies on top."""
    return not table.lying and table.state.quiet < 0 and table.top == table.cards.face


def _swept_away(table: Table, sites: Collection[str]) -> bool:
    """True if a turn was cleared away before all of it had been seen.

    What was bought then is under other cards. It is waited for until a touch tells it.
    """
    if {*sites} == {"trash"} and table.trash == "feast" and not table.played:
        return False  # A Feast has just been played, and its gain is still to come.
    begun = f"play-p{table.next}"
    elsewhere = not set(sites) <= {table.play, table.discard, begun}
    drawn = not table.top and elsewhere and not ACTIONS.isdisjoint(table.cards.owned)
    if table.lying or not (table.cleaned_up or drawn or _card_before_coins(table)):
        return False
    if begun in sites and not elsewhere and table.bought_nothing:
        return False
    return all(_may_change(table, site) for site in sites)


def _turns_swept_away(table: Table, sites: Collection[str]) -> bool:
    """The same for several turns in a row, each of which left a hand on its player's discards."""
    if table.stack or table.discard not in sites:
        return False
    own = [site for site in sites if _may_change(table, site)]
    rest = [site for site in sites if site not in own]
    if not rest or not _swept_away(table, own):
        return False
    after = table.next_turn()
    nothing = not after.lying and rest == [after.discard] and after.top == BACK
    return nothing or _swept_away(after, rest) or _turns_swept_away(after, rest)


def _may_change(table: Table, site: str) -> bool:
    """True if the rest of this turn, or the beginning of the next, may show at ``site``."""
    if site == table.play or site in areas(table.seat, "discard", "draw"):
        return True
    if site == f"play-p{table.next}":
        return bool(_begun_by_the_next(table))
    if site == f"discard-p{table.next}" and not table.board[site]:
        return True  # shuffled
    if site == "trash" or site.startswith("aside"):
        return True
    if site.startswith(("discard", "draw")):
        return site in areas(table.next, "draw") or not _REACH.isdisjoint(table.cards.owned)
    return table.may_run_out(site)


def _card_before_coins(table: Table) -> bool:
    """True if the card on top was taken before the coins for it were laid."""
    state, card = table.state, table.top
    if table.stack or table.buys < 1 or not state.piles.get(card) or card == table.cards.face:
        return False
    laid = table.laid
    short = COST[card] - table.coins - sum(COINS.get(c, 0) * n for c, n in laid.items())
    if short <= 0:
        return False
    if any(kind in TREASURES for kind in table.lying):
        # Some coins lie: the others, of the commonest kind, may still be missing.
        left = table.cards.hand_size() - laid.total()
        return short <= left and table.cards.may_hold("copper")
    return short <= sum(_best_hand(table))


def _best_hand(table: Table) -> list[int]:
    """The coins of the best hand the player may hold."""
    worth = {card: COINS.get(card, 0) for card in table.cards.kinds()}
    if not table.buying and table.acts:
        worth.update({card: BONUS.get(card, 0) for card in worth if card in ACTIONS})
    coins: list[int] = []
    for card in worth:
        coins += [worth[card]] * (table.cards.owned.get(card, 0) - table.played[card])
    return sorted(coins, reverse=True)[: table.cards.hand_size()]


def _may_be_heap(table: Table, site: str) -> bool:
    """True if a heap of which nobody knows the uppermost card shows one of its own."""
    seat = int(site[-1])
    cards = table.state.seats[seat]
    known = isinstance(cards, CardsBeside) and cards.heap
    return not known and table.top_of(seat) in cards.owned


def _others_may_begin(table: Table) -> bool:
    """True if the turn is under way and its cards still lie: somebody is in a hurry."""
    return bool(table.lying and (table.played or table.buying))


def _begun_by_the_next(table: Table) -> Iterator[str] | list[str]:
    """The next player's play area, if what lies there may be their beginning."""
    seat, site = table.next, f"play-p{table.next}"
    cards, laid = table.state.seats[seat], table.kinds(site)
    if cards.dealt:
        return []
    swept = Counter(table.state.swept) if seat == table.last else Counter()
    if any(move.player == seat for move in table.moves) or (swept and swept <= laid):
        return []  # that is a turn which was not cleared away
    held = all(card in COST and cards.may_hold(card) for card in laid)
    if laid and held and laid.total() <= cards.hand_size() and not cards.play:
        return [site]
    return []


def _waits_for_a_touch(table: Table) -> bool:
    """True if something is asked that nothing on the table answers."""
    frame = table.stack[-1] if table.stack else ("", table.seat)
    if frame[0] == "reveal":
        return table.turned_up(frame[1]).isdisjoint(table.state.seats[frame[1]].draws())
    if frame[0] == "bureaucrat":
        return True  # a card laid face down on the draw pile looks like the one below
    if frame[1] != table.seat or frame[0] not in ("chapel", "gain", "throne-room"):
        return False
    answers = QUESTIONS[frame[0]].moves(table.state, frame)
    return frame[0] == "chapel" or not any(_fits_answer(table, frame, m) for m in answers)


def _taken_late(table: Table) -> Iterator[str]:
    """Sites of steps that follow by themselves, and that hands have yet to do."""
    for seat in range(table.state.players):
        if table.board.get(f"draw-p{seat}") in _BACKS:
            yield f"draw-p{seat}"  # shuffled late, or early
        cards = table.state.seats[seat]
        if cards.shuffled and table.top_of(seat) == cards.shuffled != cards.face:
            yield f"discard-p{seat}"
    if table.lying and table.played and not table.top:
        yield table.discard  # more was drawn than is known, and it was shuffled for that
    if "witch" in table.cards.play:
        for seat in table.state.others(table.seat):
            late = table.may_top(seat, table.top_of(seat)) or not table.top_of(seat)
            if table.state.seats[seat].face == "curse" and late:
                yield f"discard-p{seat}"
    frame = table.stack[-1] if table.stack else ("",)
    if frame[0] == "gain" and frame[3] == "feast" and table.laid == {"feast": 1}:
        yield from (table.play, "trash")


def _asked_as_well(table: Table) -> list[int]:
    """Seats that are asked the same as the one whose answer is due: they answer in any order."""
    asked = table.stack[-1] if table.stack else ("",)
    if asked[0] != "militia":
        return []
    return [frame[1] for frame in table.stack[:-1] if frame[0] == asked[0]]


def _revealed_still(table: Table) -> list[str]:
    """Sites of cards that were revealed and have gone by the record: hands clear them away in
    their own time."""
    shown = table.kinds(f"aside-p{table.seat}")
    treasures = sum(number for card, number in shown.items() if card in TREASURES)
    if table.stack or table.cards.aside or table.played["adventurer"] == 0 or treasures != 2:
        return []
    cleared = table.top and not table.may_top(table.seat, table.top)
    return [] if cleared else areas(table.seat, "aside", "discard")


def _laid_meanwhile(table: Table) -> list[str]:
    """Sites where the player may go on to lay cards without having answered."""
    if table.stack[-1][0] == "reveal":
        return _turning_up(table)
    if table.gone:
        return []
    laid = table.laid
    if not _enough_actions(table, laid) or any(not table.cards.may_hold(card) for card in laid):
        return []
    found = [table.play]
    if table.laid and table.may_top(table.seat, table.top):
        found.append(table.discard)
    return found


def _enough_actions(table: Table, laid: Counter[str]) -> bool:
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


def _turning_up(table: Table) -> list[str]:
    """Where revealed cards lie, or went before they were seen."""
    seats = range(table.state.players)
    found = [site for seat in seats for site in areas(seat, "aside", "discard", "draw")]
    return [*found, "trash", table.play]


def _left_by_the_last(table: Table, moves: Sequence[Move]) -> Iterator[str]:
    """Sites that the players whose turns are over may not have put in order yet: the last one, and
    all whose turns are only supposed."""
    ended = {m.player for m in moves if m.verb in ("buy", "done") and m.player is not None}
    for seat in {table.last, *ended} - {table.seat}:
        yield from _left_by(table, seat, moves)


def _left_by(table: Table, seat: int, moves: Sequence[Move]) -> Iterator[str]:
    """Sites that a player whose turn is over may not have put in order yet."""
    if table.state.seats[seat].dealt:
        return
    if not table.state.turns[seat] or any(map(partial(_concerns, seat), table.stack)):
        return
    ended = next(
        (m for m in reversed(moves) if m.player == seat and m.verb in ("buy", "done")), None
    )
    swept = Counter(table.state.swept) if seat == table.last else Counter[str]()
    laid, top = table.kinds(f"play-p{seat}"), table.top_of(seat)
    if ended is not None and ended.verb == "done":
        if table.may_top(seat, top):
            yield f"discard-p{seat}"
        return
    rest = swept - laid
    if not laid - swept and not (rest and laid and ended):
        yield f"play-p{seat}"
    if ended is not None:
        if top == ended.args[0]:
            yield f"discard-p{seat}"
    elif _laid_on_since(table, seat):
        return
    elif table.may_top(seat, top) or (not top and (laid or not table.played)):
        yield f"discard-p{seat}"


def _laid_on_since(table: Table, seat: int) -> bool:
    """True if something came to lie on the discard pile of the last player since that was put in
    order."""
    swept, face = table.state.swept, table.state.seats[seat].face
    return seat == table.last and face not in ("", *swept[-1:])


def _concerns(seat: int, frame: Frame) -> bool:
    return frame[1] == seat or (frame[0] in ("spy", "thief") and frame[2] == seat)
