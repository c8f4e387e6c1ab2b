"""What a look at the table tells of a turn, and what it leaves open (8.7).

A hand of cards is laid in a fan, the card that it buys goes on the discard pile while the coins
still lie, and then everything is swept up in one go, hand and all, with any card on top. So much of
a turn is seen only while it lasts. What nobody could see is never made up here: the record waits
where it is, until the rest is seen or touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import groupby

from rules.core import Actor, Board, Json, Move
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.holdings import CardsBeside
from rules.games.dominion.layout import BACK, areas, dealt_beside, heap_site, pile_site
from rules.games.dominion.material import ACTIONS, ATTACKS, COINS, COST, DEAREST, TREASURES
from rules.games.dominion.moves import shape
from rules.games.dominion.state import NOBODY, DominionState, Frame
from rules.hidden import UNSEEN

_BACKS = ((), ((BACK, ""),))
"""What a draw pile may look like while cards are drawn or shuffled."""
_REACH = ATTACKS | {"council-room"}
"""Cards that move other players' cards."""
_ASKING = frozenset({"cellar", "feast", "library", "remodel", "throne-room", "workshop"})
"""Actions whose answers lie on the discard pile, or play a card that brings such."""
_COVERING = _ASKING | {"adventurer", "chancellor", "spy"}
"""Actions after which another card, or none, may lie on top of their player's discard pile."""
_TRASHING = frozenset({"chapel", "feast", "mine", "moneylender", "remodel", "thief", "throne-room"})
"""Actions after which another card may lie on top of the trash."""
_DRAWING = frozenset({"council-room", "library", "moat", "smithy", "witch"})
"""Actions that make the hand larger and end the actions of most turns."""
_MORE_ACTIONS = {
    "cellar": 1, "festival": 2, "laboratory": 1, "market": 1, "spy": 1, "village": 2,
}  # fmt: skip
"""Actions that actions bring (8.4)."""
HAND, MOST_DRAWN = 5, 3
"""Cards drawn at the end of a turn, and by an action (8.4)."""
_BONUS = {
    "moneylender": 3, "militia": 2, "chancellor": 2, "woodcutter": 2, "festival": 2, "market": 1,
}  # fmt: skip
"""Coins of actions (8.4)."""


def fitting(state: DominionState, moves: Sequence[Move], board: Board) -> Sequence[Move]:
    """Those of the legal ``moves`` that may have led to what ``board`` shows."""
    if not _watched(state):
        return moves
    table = _Table(state, board)
    if state.seats[state.stack[-1][1] if state.stack else state.seat].dealt:
        return ()  # What the program holds for somebody no hands lay down.
    if not state.stack:
        return [move for move in moves if table.fits_turn(move)]
    frame = state.stack[-1]
    found = [move for move in moves if table.fits_answer(frame, move)]
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


_SEEN = frozenset({"play", "buy", "gain", "draw"})
"""Kinds of moves that are never supplied unseen, but for a treasure gained into the hand."""


def guessed(state: DominionState, move: Move, board: Board) -> bool:
    """Whether ``move`` is a purchase of which nothing shows, or the end of a turn, or of a packet,
    in which as well something more may have been bought or discarded."""
    if not _watched(state) or move.actor is Actor.DEALER:
        return False
    table = _Table(state, board)
    if state.stack:
        return table.guesses_answer(state.stack[-1], move)
    if move.verb == "buy":
        return table.guesses(move.args[0])
    if move.verb == "play":
        return move.args[0] == "cellar" and table.in_some_other_order
    return move.verb == "done" and not table.bought_nothing


def tolerated(
    state: DominionState, sites: Collection[str], board: Board, moves: Sequence[Move]
) -> Collection[str]:
    """Those of ``sites`` where what lies there says nothing against the position.

    ``moves``: what is only supposed to have been played; the rest is in the record.
    """
    if not _watched(state) or state.seat == NOBODY:
        return ()
    heaps = {heap_site(seat) for seat in dealt_beside(state)}
    table = _Table(state, board, moves)
    beside = {site for site in heaps.intersection(sites) if table.may_be_heap(site)}
    cards = [site for site in sites if site not in heaps]
    return beside.union(_tolerated_cards(table, cards, moves)) if cards else beside


def _tolerated_cards(
    table: _Table, sites: Collection[str], moves: Sequence[Move]
) -> Collection[str]:
    """The same for everything but heaps of cards that the program deals."""
    if table.state.over or table.cards.dealt:
        return set(table.left_by_the_last(moves)).intersection(sites)
    if not any(move.player == table.seat for move in moves) and table.swept_away(sites):
        return list(sites)
    found = set(table.left_by_the_last(moves))
    found.update(table.taken_late())
    if table.others_may_begin and not {table.play, table.discard}.intersection(sites):
        found.update(table.begun_by_the_next())
    if table.waits_for_a_touch:
        found.update(table.laid_meanwhile())
    elif table.card_before_coins():
        found.add(table.discard)
    return found.intersection(sites)


def stays(state: DominionState, site: str) -> bool:
    """Whether what lies at ``site`` is what came to lie on top at the last clean-up, or a pile that
    was shuffled at another time."""
    if not _watched(state):
        return False
    if site in map(heap_site, dealt_beside(state)):
        return True
    return site.startswith("draw") or site == f"discard-p{_Table(state, {}).last}"


def awaits(state: DominionState, site: str) -> bool:
    """Whether people must still say something if ``site`` lies otherwise than wanted.

    It is not so while somebody clears away late or lays coins early.
    """
    table = _Table(state, {})
    others = areas(table.last, "play", "discard")
    if site in map(heap_site, dealt_beside(state)):
        return False
    return not site.startswith("draw") and site not in (*others, f"play-p{table.next}")


def halfway(state: DominionState, board: Board) -> bool:
    """Whether a card that was bought may lie on others that an action of the same look brought
    there; what was drawn for them nobody knows either."""
    if not _watched(state) or state.seat == NOBODY or state.over:
        return False
    table = _Table(state, board)
    if table.cards.dealt:
        return False
    new = table.lying - table.played
    changed = table.top != table.cards.face or any(map(table.has_run_out, state.supply))
    asked = bool(state.stack) and state.stack[-1][0] in (*_ASKING, "gain")
    return changed and (asked or not _ASKING.isdisjoint(new))


def essence(state: DominionState) -> Json:
    """What of a position matters to those who play on: neither in which order a turn was played,
    nor which card of a packet lies on top."""
    data = dict(state.to_json())
    data["trash"] = sorted(data["trash"])
    if state.physical and not state.ledger:
        data["seats"] = [
            {**cards, "face": "", "play": sorted(cards["play"])} for cards in data["seats"]
        ]
    return data


def turns(moves: Sequence[Move]) -> int:
    """How many turns these are; who shows a Moat or discards for the Militia has none."""
    return sum(1 for _ in groupby(m.player for m in moves if m.verb in ("play", "buy")))


def _watched(state: DominionState) -> bool:
    return state.physical and not state.ledger and bool(state.supply)


class _Table:
    """What lies on the table in a turn; ``board`` shows it."""

    def __init__(self, state: DominionState, board: Board, moves: Sequence[Move] = ()) -> None:
        self.state, self.board, self.moves = state, board, moves
        # While cards are drawn at the end of a turn, that turn is over for whoever looks.
        over = bool(state.stack) and state.stack[0][0] == "turn"
        self.stack: list[Frame] = [] if over else state.stack
        self.seat: int = state.stack[0][1] if over else state.seat
        if state.over:
            self.seat = (state.seat + 1) % state.players  # nobody's turn; the last one is over
        self.cards = state.seats[self.seat]
        self.play, self.discard = f"play-p{self.seat}", f"discard-p{self.seat}"
        self.last = (self.seat - 1) % state.players
        self.next = (self.seat + 1) % state.players
        self._coins, self._buys, self._buying, self._acts = (
            (0, 1, False, 1) if over else (state.coins, state.buys, state.buying, state.actions)
        )
        self.lying = self._kinds(self.play)
        """What lies in the play area of the player whose turn it is."""
        self.played = Counter(self.cards.play)
        self.top = self._top(self.seat)

    def _kinds(self, site: str) -> Counter[str]:
        return Counter(kind for kind, _ in self.board.get(site, ()))

    def _top(self, seat: int) -> str:
        look = self.board.get(f"discard-p{seat}", ())
        return look[0][0] if look else ""

    # -- which moves fit ----------------------------------------------------------------------

    def fits_turn(self, move: Move) -> bool:
        """Of what the player whose turn it is may do."""
        if move.verb == "done":
            gone = not self.lying or self.played - self.lying
            # Who has just laid a card has not cleared away: what lacks lies below it.
            return bool(gone) and not self.lying - self.played and self.cleaned_up
        card = move.args[0]
        if move.verb == "play":
            # Of a hand that was not changed before, a Cellar may take whatever it took.
            ends = card in ACTIONS and card not in _MORE_ACTIONS
            return self._newly_laid(card) and not (ends and self._laid_besides("cellar"))
        if self.has_run_out(card):
            return True
        if any(coin in TREASURES for coin in self.lying - self.played):
            return False  # the fan first: what it holds was laid for this purchase
        if self.played - self.lying:
            return self._first_of_its_kind(card) or card in self._likeliest
        return self._newly_got(self.seat, card)

    def guesses(self, card: str) -> bool:
        """Whether nothing shows that ``card`` was bought."""
        seen = self._newly_got(self.seat, card)
        if card in self.played and self._newly_got(self.next, self._top(self.next)):
            seen = False  # The turn is over, and it may lie on top since it was played.
        if self.played - self.lying:
            seen = self._first_of_its_kind(card)
        return not seen and not self.has_run_out(card)

    def guesses_answer(self, frame: Frame, move: Move) -> bool:
        """Whether something else may have been answered, of which nothing shows either."""
        asking, card = frame[0], move.args[-1] if move.args else ""
        match move.verb:
            case "gain" if asking == "gain" and frame[1] == self.seat:
                return not self._newly_got(self.seat, card) or self._covered_later(card)
            case "gain" if asking == "gain-treasure":
                return len(self._better_coins(frame)) > 1
            case "trash" if asking in _TRASHING:
                return self.may_follow(_TRASHING)
            case "none" if asking in _TRASHING:
                return self.may_follow(_TRASHING)
            case "show":
                # Of a packet one card is seen, and that may look like the one below; it is asked,
                # unless so much is open that a question would leave most of it out.
                face = self.state.seats[frame[1]].face
                alike = face and self.state.seats[frame[1]].may_hold(face)
                return bool(alike and self.may_follow(_ASKING))
            case "discard" if asking == "cellar":
                return bool(self.lying - self.played)
            case "done" if asking == "cellar":
                # Nobody plays a Cellar for nothing: what went down lies below other cards.
                return self._shuffled_since or not self.stack[-2][2]
            case "done":
                return self._shuffled_since
        return False

    @property
    def _shuffled_since(self) -> bool:
        """Whether what lay on top is gone: shuffled, with whatever came to lie on it."""
        return not self.top and bool(self.cards.face)

    def _covered_later(self, card: str) -> bool:
        """Whether ``card``, which lies on top, may have come there after what is gained now."""
        laid = self.lying - self.played
        coins = self._coins
        coins += sum(n * (COINS.get(c, 0) or _BONUS.get(c, 0)) for c, n in laid.items())
        return coins >= COST[card] or self.may_follow(_COVERING)

    @property
    def in_some_other_order(self) -> bool:
        """Whether a Cellar that lies there may have come after cards that change what it takes, or
        what is shuffled for it."""
        laid = self.lying - self.played
        asking = sum(n for card, n in laid.items() if card in _ASKING)
        return self.may_follow(_DRAWING) or (self._shuffled and asking > 1)

    def _laid_besides(self, card: str) -> bool:
        """Whether ``card`` lies there and has still to be played."""
        return self.lying[card] > self.played[card]

    def may_follow(self, cards: Collection[str]) -> bool:
        """Whether one of ``cards`` lies there that has still to be played, for the first or the
        second time."""
        again = any(frame[0] == "play" and frame[2] in cards for frame in self.stack)
        return again or any(card in cards for card in self.lying - self.played)

    def has_run_out(self, card: str) -> bool:
        """Whether the pile of ``card`` is bare, and had one card left."""
        bare = not self.board.get(self._pile(card), (None,))
        return bare and self.state.supply[card] == 1

    def _first_of_its_kind(self, card: str) -> bool:
        """Whether the card on top can only have been got in this turn."""
        return card == self.top and card not in self.cards.owned

    def fits_answer(self, frame: Frame, move: Move) -> bool:
        """Of what a card asks, or is drawn."""
        kind = shape(move)
        card = move.args[-1] if move.args else ""
        match kind:
            case "play":
                return self._newly_laid(card)
            case "gain" if frame[0] == "gain-treasure":
                return card in self._better_coins(frame)
            case "gain":
                seen = self._newly_got(frame[1], card) or self.has_run_out(card)
                return seen or card in self.covered(frame)
            case "discard":
                return self._fits_discard(frame, card)
            case "trash":
                return card == self._trash
            case "aside":
                return self._kinds(f"aside-p{frame[1]}")[card] > 0
            case "reveal":
                return card in self._turned_up(frame[1])
            case "done":
                # DO14: a packet of trashed cards shows one; it is asked whether that was all.
                return bool(frame[0] != "chapel" or frame[2] == 4)
            case "none" if frame[0] == "throne-room":
                return False  # nobody plays it for nothing without saying so
            case "show":
                return bool(frame[0] == "moat")
        return True

    def _better_coins(self, frame: Frame) -> list[str]:
        """What a Mine may have brought into the hand, by what was laid from there since."""
        options = [move.args[0] for move in QUESTIONS[frame[0]].moves(self.state, frame)]
        laid = self.lying - self.played
        return [card for card in options if self._holds(laid - Counter([card]))] or options

    def _holds(self, laid: Counter[str]) -> bool:
        """Whether all of this can have been in the hand."""
        hand = self.cards.clone()
        return all(hand.take(card) for card in laid.elements())

    def covered(self, frame: Frame) -> Sequence[str]:
        """What may have been gained, if a card that was bought afterwards covers it."""
        options = [
            move.args[0] for move in QUESTIONS[frame[0]].moves(self.state, frame) if move.args
        ]
        top = self._top(frame[1])
        covered = self._newly_got(frame[1], top) and top not in options
        return options[:1] if covered and frame[1] == self.seat and frame[0] == "gain" else ()

    @property
    def _likeliest(self) -> Sequence[str]:
        """What was probably bought, if nobody saw it and the next player has bought as well."""
        if self._coins < 2:
            return ()
        return self.state.market.dear[min(self._coins, DEAREST)][:3]

    def _newly_laid(self, card: str) -> bool:
        if self.lying[card] > self.played[card]:
            return True
        return bool(card == "feast" and card == self._trash)

    def _newly_got(self, seat: int, card: str) -> bool:
        cards = self.state.seats[seat]
        if isinstance(cards, CardsBeside):
            return card == self._top(seat) != cards.heap != ""
        return card == self._top(seat) != cards.face

    def _fits_discard(self, frame: Frame, card: str) -> bool:
        """DO22: of a packet one card is seen; the others lie below it."""
        cards, top = self.state.seats[frame[1]], self._top(frame[1])
        shows = self._newly_got(frame[1], top) and cards.may_hold(top)
        if card != UNSEEN:
            return shows and card == top
        return bool(frame[0] == "militia" and not (cards.hand_size() == 4 and shows))

    def _pile(self, card: str) -> str:
        return pile_site(self.state, card)

    @property
    def _trash(self) -> str:
        look = self.board.get("trash", ())
        return look[0][0] if look else ""

    def _turned_up(self, owner: int) -> set[str]:
        found = set(self._kinds(f"aside-p{owner}"))
        if any(frame[0] == "adventurer" for frame in self.stack):
            return found  # the treasures are in the hand already
        tops = {self._top(owner): owner, self._top(self.seat): self.seat}
        found.update(card for card, seat in tops.items() if self._newly_got(seat, card))
        found |= {self._trash} - set(self.state.trash[-1:])
        # The Thief's booty was among the two.
        booty = (found & TREASURES) - set(self.state.seats[owner].aside)
        return booty if booty and any(frame[0] == "loot" for frame in self.stack) else found

    # -- what may lie there for a while ---------------------------------------------------------

    def may_be_heap(self, site: str) -> bool:
        """Whether a heap of which nobody knows the uppermost card shows one of its own."""
        seat = int(site[-1])
        cards = self.state.seats[seat]
        known = isinstance(cards, CardsBeside) and cards.heap
        return not known and self._top(seat) in cards.owned

    @property
    def cleaned_up(self) -> bool:
        """Whether the discard pile may be what it is after the clean-up of this turn."""
        if not self.top:
            nothing = not self.cards.hand_size() + len(self.played)
            return nothing or self._shuffled or self.cards.discard_size() > 0
        same = self.top == (self.cards.face or (BACK if self.cards.discard_size() else ""))
        return self._may_top(self.seat, self.top) and not (same and self._lies_still(self.top))

    def _lies_still(self, card: str) -> bool:
        """Whether a card on top can only have lain there before: there is no other, and the pile
        was not shuffled meanwhile."""
        return self.cards.owned.get(card) == 1 and not self._shuffled

    @property
    def _shuffled(self) -> bool:
        """Whether this turn and its end may take more than the draw pile holds."""
        drawn = HAND + (MOST_DRAWN if not ACTIONS.isdisjoint(self.cards.owned) else 0)
        return self.cards.draw_size() < drawn

    def _may_top(self, seat: int, card: str) -> bool:
        """DO17: the hand goes down in one packet, and any card of it may be on top."""
        return card == BACK or card in self.state.seats[seat].owned

    def swept_away(self, sites: Collection[str]) -> bool:
        """Whether a turn was cleared away before all of it had been seen.

        What was bought then is under other cards. It is waited for until a touch tells it.
        """
        begun = f"play-p{self.next}"
        elsewhere = not set(sites) <= {self.play, self.discard, begun}
        drawn = not self.top and elsewhere and not ACTIONS.isdisjoint(self.cards.owned)
        if self.lying or not (self.cleaned_up or drawn or self.card_before_coins()):
            return False
        if not elsewhere and not self.played and self.top == BACK:
            return False
        if begun in sites and not elsewhere and self.bought_nothing:
            return False
        return all(self._may_change(site) for site in sites)

    @property
    def bought_nothing(self) -> bool:
        """Whether a turn that was cleared away can hardly have brought anything."""
        if self.stack:
            return False
        if self._buying and not self.cards.hand_size():
            return self._coins < 2
        if self.played:
            more = self.top in TREASURES and self.top not in self.played
            return self.state.bought and self._coins < 2 and not more
        # DO17: what was never laid open goes down face down.
        return self.top not in TREASURES and (self.top == BACK or self.top in self.cards.owned)

    def _may_change(self, site: str) -> bool:
        """Whether the rest of this turn, or the beginning of the next, may show at ``site``."""
        if site == self.play or site in areas(self.seat, "discard", "draw"):
            return True
        if site == f"play-p{self.next}":
            return bool(self.begun_by_the_next())
        if site == f"discard-p{self.next}" and not self.board[site]:
            return True  # shuffled
        if site == "trash" or site.startswith("aside"):
            return True
        if site.startswith(("discard", "draw")):
            return site in areas(self.next, "draw") or not _REACH.isdisjoint(self.cards.owned)
        return not self.board[site] and not site.startswith("play")  # a pile has run out

    @property
    def others_may_begin(self) -> bool:
        """Whether the turn is under way and its cards still lie: somebody is in a hurry."""
        return bool(self.lying and (self.played or self._buying))

    def begun_by_the_next(self) -> Iterator[str] | list[str]:
        """The next player's play area, if what lies there may be their beginning."""
        seat, site = self.next, f"play-p{self.next}"
        cards, laid = self.state.seats[seat], self._kinds(site)
        if cards.dealt:
            return []
        swept = Counter(self.state.swept) if seat == self.last else Counter()
        if any(move.player == seat for move in self.moves) or (swept and swept <= laid):
            return []  # that is a turn which was not cleared away
        held = all(card in COST and cards.may_hold(card) for card in laid)
        if laid and held and laid.total() <= cards.hand_size() and not cards.play:
            return [site]
        return []

    @property
    def waits_for_a_touch(self) -> bool:
        """Whether something is asked that nothing on the table answers."""
        frame = self.stack[-1] if self.stack else ("", self.seat)
        if frame[0] == "reveal":
            return self._turned_up(frame[1]).isdisjoint(self.state.seats[frame[1]].draws())
        if frame[0] == "bureaucrat":
            return True  # a card laid face down on the draw pile looks like the one below
        if frame[1] != self.seat or frame[0] not in ("chapel", "gain", "throne-room"):
            return False
        answers = QUESTIONS[frame[0]].moves(self.state, frame)
        return frame[0] == "chapel" or not any(self.fits_answer(frame, m) for m in answers)

    def taken_late(self) -> Iterator[str]:
        """What follows by itself, and hands have yet to do."""
        for seat in range(self.state.players):
            if self.board.get(f"draw-p{seat}") in _BACKS:
                yield f"draw-p{seat}"  # shuffled late, or early
        if self.lying and self.played and not self.top:
            yield self.discard  # more was drawn than is known, and it was shuffled for that
        if "witch" in self.cards.play:
            for seat in self.state.others(self.seat):
                late = self._may_top(seat, self._top(seat)) or not self._top(seat)
                if self.state.seats[seat].face == "curse" and late:
                    yield f"discard-p{seat}"
        frame = self.stack[-1] if self.stack else ("",)
        if frame[0] == "gain" and frame[3] == "feast" and self.lying - self.played == {"feast": 1}:
            yield from (self.play, "trash")

    def laid_meanwhile(self) -> list[str]:
        """What the player may go on to lay without having answered."""
        if self.stack[-1][0] == "reveal":
            return self._turning_up()
        if self.played - self.lying:
            return []
        laid = self.lying - self.played
        if not self._enough_actions(laid) or any(not self.cards.may_hold(card) for card in laid):
            return []
        found = [self.play]
        if self.lying - self.played and self._may_top(self.seat, self.top):
            found.append(self.discard)
        return found

    def _enough_actions(self, laid: Counter[str]) -> bool:
        """Whether the actions of ``laid`` can be played, in whichever order."""
        played = [card for card in laid.elements() if card in ACTIONS]
        if not played or "throne-room" in self.lying:
            return True  # what is played twice brings twice as much
        brought = sum(_MORE_ACTIONS.get(card, 0) for card in played)
        going_on = any(card in _MORE_ACTIONS for card in played)
        first = self._acts > 0 and (going_on or len(played) <= self._acts)
        return first and len(played) <= self._acts + brought

    def _turning_up(self) -> list[str]:
        """Where revealed cards lie, or went before they were seen."""
        seats = range(self.state.players)
        found = [site for seat in seats for site in areas(seat, "aside", "discard", "draw")]
        return [*found, "trash", self.play]

    def card_before_coins(self) -> bool:
        """Whether the card on top was taken before the coins for it were laid."""
        state, card = self.state, self.top
        if self.stack or self._buys < 1 or not state.supply.get(card) or card == self.cards.face:
            return False
        laid = self.lying - self.played
        short = COST[card] - self._coins - sum(COINS.get(c, 0) * n for c, n in laid.items())
        if short <= 0:
            return False
        if any(kind in TREASURES for kind in self.lying):
            # Some coins lie: the others, of the commonest kind, may still be missing.
            left = self.cards.hand_size() - laid.total()
            return short <= left and self.cards.may_hold("copper")
        return short <= sum(self._best_hand())

    def _best_hand(self) -> list[int]:
        """The coins of the best hand the player may hold."""
        worth = {card: COINS.get(card, 0) for card in self.cards.kinds()}
        if not self._buying and self._acts:
            worth.update({card: _BONUS.get(card, 0) for card in worth if card in ACTIONS})
        coins: list[int] = []
        for card in worth:
            coins += [worth[card]] * (self.cards.owned.get(card, 0) - self.played[card])
        return sorted(coins, reverse=True)[: self.cards.hand_size()]

    def left_by_the_last(self, moves: Sequence[Move]) -> Iterator[str]:
        """What the player whose turn is over may not have put in order yet."""
        seat = self.last
        if self.state.seats[seat].dealt:
            return
        if not self.state.turns[seat] or any(map(partial(_concerns, seat), self.stack)):
            return
        ended = next(
            (m for m in reversed(moves) if m.player == seat and m.verb in ("buy", "done")), None
        )
        laid, top = self._kinds(f"play-p{seat}"), self._top(seat)
        if ended is not None and ended.verb == "done":
            if self._may_top(seat, top):
                yield f"discard-p{seat}"
            return
        rest = Counter(self.state.swept) - laid
        if not laid - Counter(self.state.swept) and not (rest and laid and ended):
            yield f"play-p{seat}"
        if ended is not None:
            if top == ended.args[0]:
                yield f"discard-p{seat}"
        elif self._may_top(seat, top) or (not top and (laid or not self.played)):
            yield f"discard-p{seat}"


def _concerns(seat: int, frame: Frame) -> bool:
    return frame[1] == seat or (frame[0] in ("spy", "thief") and frame[2] == seat)
