"""Der Hohe Rat (The High Council) by Volker Hesselmann, one of the five games of the anthology.

Two factions, Pro (white and yellow) and Contra (blue and red), seat their followers on the
council circle of 30 fields and persuade those of the other side; the first block of sixteen wins.
Two players, or four in pairs. Section and ruling ids (2.1 … 2.9, HR1 … HR28) are those of the rule
pages in ``rules/text/hoher_rat.*.toml``.

``material`` numbers what is in the box, ``notation`` reads and writes the moves, ``state`` is the
position, ``refusals`` knows why not, ``attempts`` what might be tried; here is the course of the
game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
)
from rules.games.hoher_rat import notation
from rules.games.hoher_rat.attempts import attempts
from rules.games.hoher_rat.material import (
    ALTAR,
    BLACK,
    BOX_KIND,
    CARD_COLOUR,
    CARD_FIELD,
    COLOURS,
    EMPTY,
    FACTIONS,
    FIELD_NAME,
    HAND,
    HEAP_ITEMS,
    HEAP_SITE,
    PIECE_FACTION,
    RING_ITEM,
    SEAT_COLOURS,
    SPOKESMAN,
    TRILITHON,
    VOTE_ITEM,
    faction_of,
)
from rules.games.hoher_rat.notation import (
    CONSULT,
    CONSULT_UNSEEN,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    LIFT,
    NONE,
    PERSUADE,
    PONDER,
    RETURN,
    RETURN_UNSEEN,
    SEAT_FREE,
    SEAT_PAID,
    SEAT_SWAP,
    START,
    Step,
    decode,
)
from rules.games.hoher_rat.refusals import ARGUMENTS_FOR_SEAT, CODES, refusals
from rules.games.hoher_rat.state import BLOCK, Pending, RatState, find_fronts

_PROMPTS = {
    (code, seat): Prompt(actor, seat, code, rule)
    for code, rule, actor in (
        ("deal", "2.2", Actor.DEALER),
        ("draw", "2.4", Actor.DEALER),
        ("reshuffle", "HR21", Actor.DEALER),
        ("turn", "2.4", Actor.PLAYER),
        ("persuade_or_done", "2.4", Actor.PLAYER),
        ("give_back", "2.4", Actor.PLAYER),
        ("lift", "2.7", Actor.PLAYER),
    )
    for seat in range(4)
}
_START_PROMPT = Prompt(Actor.DEALER, None, "start", "HR1")


class HoherRat(Game[RatState]):
    """The rules, section by section."""

    id = "hoher_rat"
    box = "stonehenge_anthology"
    players = (2, 4)
    options: ClassVar = {}
    codes = CODES
    handling_rule = "2.4"

    # -- 2.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RatState:
        state = RatState(players, physical)
        # Three cards each round the table, then the lot for the start player (HR1).
        deal = [Pending("draw", seat) for _ in range(HAND) for seat in range(players)]
        state.pending = [Pending("start"), *reversed(deal)]
        return state

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """HR19; with two players the first of the two colours stands for the seat."""
        return tuple(COLOURS[colour] for colour in SEAT_COLOURS[:players])

    def restored(self, data: Json) -> RatState:
        return RatState.from_json(data)

    # -- 2.4 Turn -------------------------------------------------------------------------

    def prompt(self, state: RatState) -> Prompt | None:
        if state.winner != NONE:
            return None
        if not state.pending:
            return _PROMPTS["persuade_or_done" if state.acted else "turn", state.turn]
        pending = state.pending[-1]
        verb, seat = pending.verb, pending.seat
        if verb == "draw":
            if state.turn == NONE:
                return _PROMPTS["deal", seat]
            # HR21: the table has to reshuffle before this card can be drawn.
            return _PROMPTS["draw" if state.pile_size(seat & 1) else "reshuffle", seat]
        if verb == "start":
            return _START_PROMPT
        return _PROMPTS["give_back" if verb == "return" else "lift", seat]

    def moves(self, state: RatState) -> list[Move]:
        if state.winner != NONE:
            return []
        if state.pending:
            return self._interruption(state)
        seat = state.turn
        found = [DONE[seat]]
        arguments = state.arguments[seat]
        if any(arguments):
            self._add_persuasions(state, seat, arguments, found)
        if not state.acted:
            found.append(PONDER[seat])
            hand = state.holdable(seat)
            self._add_discussions(state, seat, hand, found)
            self._add_seats(state, seat, hand, found)
            if state.players == 4:
                if state.zones is None:
                    row = CONSULT[seat]
                    found += [row[card] for card in hand]
                else:
                    found.append(CONSULT_UNSEEN[seat])
        return found

    def _interruption(self, state: RatState) -> list[Move]:
        """Legal answers to what interrupts a turn or precedes the first."""
        verb, seat, _, source = state.pending[-1]
        if verb == "draw":
            if state.zones is not None:
                return [DRAW_UNSEEN[seat]]
            row = DRAW[seat]
            return [row[card] for card in state.drawable(seat & 1)]
        if verb == "start":
            return list(START[: state.players])
        if verb == "return":
            if state.zones is not None:
                return [RETURN_UNSEEN[seat]]
            row = RETURN[seat]
            return [row[card] for card in state.hands[seat]]
        # HR14: any own follower but the one that persuades.
        own, row = state.own(seat), LIFT[seat]
        return [row[f] for f, piece in enumerate(state.ring) if piece in own and f != source]

    def _add_discussions(
        self, state: RatState, seat: int, hand: tuple[int, ...], found: list[Move]
    ) -> None:
        open_to = notation.discussions(seat, hand)
        already = len(found)
        found += open_to.coloured
        if open_to.black or open_to.trilithons:
            room = tuple([min(2, number) for number in state.room(faction_of(seat))])
            if open_to.black:
                found += notation.black_discussions(seat, open_to.black, room)
            for card in open_to.trilithons:
                found += notation.trilithon_discussions(seat, card, room)
        if not state.may_hold_any(seat):
            # Cards that may be in hand one by one need not all be there together.
            found[already:] = [move for move in found[already:] if _together(state, move)]

    def _add_seats(
        self, state: RatState, seat: int, hand: tuple[int, ...], found: list[Move]
    ) -> None:
        ring, arguments = state.ring, state.arguments[seat]
        followers = state.mask(seat, state.followers)
        spokesmen = state.mask(seat, state.spokesmen)
        for card in hand:
            field = CARD_FIELD[card]
            if field == NONE:
                continue
            if ring[field] == EMPTY:
                found += SEAT_FREE[seat][followers][spokesmen][field]
            elif spokesmen and ring[field] in state.own(seat):
                found += SEAT_SWAP[seat][spokesmen][field]
            colour = CARD_COLOUR[card]
            for pay in range(5) if colour == BLACK else (colour,):
                if arguments[pay] >= ARGUMENTS_FOR_SEAT:
                    for other, moves in SEAT_PAID[seat][followers][field][pay].items():
                        if ring[other] == EMPTY:
                            found += moves

    def _add_persuasions(
        self, state: RatState, seat: int, arguments: Sequence[int], found: list[Move]
    ) -> None:
        if state.fronts is None:
            state.fronts = find_fronts(state)
        rows = PERSUADE[seat][state.mask(seat, state.followers)]
        for place, price, colour in state.fronts[seat & 1]:
            if colour != BLACK:
                if arguments[colour] >= price:
                    found += rows[place][colour]
            else:
                for pay in range(5):
                    if arguments[pay] >= price:
                        found += rows[place][pay]

    def check(self, state: RatState, move: Move) -> list[Objection]:
        return refusals(state, decode(move.text), move.text)

    def apply(self, state: RatState, move: Move) -> None:
        step = decode(move.text)
        assert step is not None, f"'{move}' is no pseudo-move"
        match step.verb:
            case "draw":
                state.draw(step.seat, step.cards[0])
                self._answered(state, "draw")
            case "done":
                state.turn = (state.turn + 1) % state.players
                state.acted = False
            case "discuss":
                self._apply_discuss(state, step)
            case "seat":
                self._apply_seat(state, step)
            case "persuade":
                self._apply_persuade(state, step)
            case "ponder":
                self._acts(state, step.seat)
                state.ponder(step.seat)
                self._refill(state, step.seat)
            case "consult":
                self._acts(state, step.seat)
                if state.players == 4:
                    partner = (step.seat + 2) % 4
                    state.give(step.seat, partner, step.cards[0])
                    state.pending.append(Pending("return", partner))
            case "return":
                state.give(step.seat, (step.seat + 2) % state.players, step.cards[0])
                self._answered(state, "return")
            case "lift":
                self._apply_lift(state, step)
            case "start":
                state.turn = step.seat
                self._answered(state, "start")

    @staticmethod
    def _answered(state: RatState, verb: str) -> None:
        if state.pending and state.pending[-1].verb == verb:
            state.pending.pop()

    @staticmethod
    def _acts(state: RatState, seat: int) -> None:
        if seat == state.turn:
            state.acted = True

    @staticmethod
    def _refill(state: RatState, seat: int) -> None:
        missing = HAND - state.hand_size(seat)
        state.pending += [Pending("draw", seat)] * missing

    # 2.4 1. Discuss

    def _apply_discuss(self, state: RatState, step: Step) -> None:
        self._acts(state, step.seat)
        for colour, number in self._gains(step):
            state.take(step.seat, colour, number)
        for card in step.cards:
            state.play(step.seat, card)
        self._refill(state, step.seat)

    @staticmethod
    def _gains(step: Step) -> list[tuple[int, int]]:
        """Colours and numbers of arguments asked for; HR6 cuts them to the room there is."""
        colours = {CARD_COLOUR[card] for card in step.cards}
        if TRILITHON in colours:
            return [(colour, 1) for colour in step.colours]
        colours.discard(BLACK)
        named = tuple(colours) or step.colours
        return [(named[0], len(step.cards))] if len(named) == 1 else []

    # 2.4 2. Take a seat

    def _apply_seat(self, state: RatState, step: Step) -> None:
        seat = step.seat
        self._acts(state, seat)
        state.play(seat, step.cards[0])
        if step.pay != NONE:
            state.pay(seat, step.pay, ARGUMENTS_FOR_SEAT)
        self._refill(state, seat)
        self._place(state, step)

    # 2.4 Persuade

    def _apply_persuade(self, state: RatState, step: Step) -> None:
        # HR14: price and groups are measured before anything moves.
        state.pay(step.seat, step.pay, state.price(step.source, step.field))
        state.clear(step.field)
        self._place(state, step)

    def _place(self, state: RatState, step: Step) -> None:
        """The piece goes on its field, or a follower of the ring has to be lifted (2.7)."""
        piece = step.piece
        if piece == NONE:
            own = state.own(step.seat)
            left = [colour for colour in own if state.followers[colour] > 0]
            if not left:
                if any(p in own for f, p in enumerate(state.ring) if f != step.source):
                    state.pending.append(Pending("lift", step.seat, step.field, step.source))
                return
            piece = left[0]
        state.put(step.field, piece)
        # 2.5: the vote begins when the last empty field is taken, and never ends (HR13).
        if not state.empty:
            state.vote = True
        self._look_for_block(state, step.field)

    # 2.7 No follower left

    def _apply_lift(self, state: RatState, step: Step) -> None:
        piece = state.ring[step.field]
        target = NONE
        if state.pending and state.pending[-1].verb == "lift":
            target = state.pending.pop().field
        if piece == EMPTY or target in (NONE, step.field):
            return
        state.clear(step.field)
        state.put(target, piece)
        self._look_for_block(state, target)

    # -- 2.6 End --------------------------------------------------------------------------

    @staticmethod
    def _look_for_block(state: RatState, field: int) -> None:
        if state.block(field) >= BLOCK:
            state.winner = PIECE_FACTION[state.ring[field]]
            state.pending.clear()  # HR28: no card is drawn any more.

    def outcome(self, state: RatState) -> Outcome | None:
        winner = state.winner
        if winner == NONE:
            return None
        factions = tuple(
            tuple(range(faction, state.players, 2)) for faction in (winner, 1 - winner)
        )
        return Outcome("block", factions, self.scores(state))

    def scores(self, state: RatState) -> tuple[int, ...]:
        blocks = [state.largest_block(faction) for faction in (0, 1)]
        return tuple(blocks[faction_of(seat)] for seat in range(state.players))

    def explain_scores(self, state: RatState) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "block", points, (("faction", FACTIONS[faction_of(seat)]),))
            for seat, points in enumerate(self.scores(state))
        ]

    def choose(self, state: RatState, moves: Sequence[Move], random: Random) -> Move:
        """2.9: at random, but rather a persuasion or a seat than anything else."""
        move = moves[int(random.random() * len(moves))]
        if move.verb == "seat" or move.verb == "persuade":
            return move
        return moves[int(random.random() * len(moves))]

    def pseudo_moves(self, state: RatState) -> Iterable[Move]:
        if state.winner != NONE:
            return {}
        found: dict[Move, None] = dict.fromkeys(attempts(state))
        found.update(dict.fromkeys(self.moves(state)))
        return found

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: RatState) -> Layout:
        table = RING_ITEM[state.players]
        items = [table[piece][f] for f, piece in enumerate(state.ring) if piece != EMPTY]
        for colour, number in enumerate(state.heap):
            items += HEAP_ITEMS[colour][number]
        if state.vote:
            items.append(VOTE_ITEM)
        return Counter(items)

    def supply(self, state: RatState, seat: int) -> Counter[str]:
        left: Counter[str] = Counter()
        for colour in state.own(seat):
            left[BOX_KIND[colour]] = state.followers[colour]
            left[BOX_KIND[colour + SPOKESMAN]] = state.spokesmen[colour]
        for colour, number in enumerate(state.arguments[seat]):
            left[f"bar {COLOURS[colour]}"] = number
        return +left

    def touches(self, state: RatState, move: Move) -> Collection[str]:
        step = decode(move.text)
        if step is None:
            return ()
        match step.verb:
            case "discuss":
                room = state.room(faction_of(step.seat))
                return [HEAP_SITE[colour] for colour, _ in self._gains(step) if room[colour]]
            case "persuade":
                return self._paid_site(state, step, [FIELD_NAME[step.field]])
            case "seat":
                lifted = step.piece == NONE and not state.has_follower(step.seat)
                # A field that waits for its follower is named only where something changes now.
                sites = [] if lifted and step.pay == NONE else [FIELD_NAME[step.field]]
                if state.empty == 1 and not lifted:
                    sites.append(ALTAR)
                return self._paid_site(state, step, sites)
            case "lift":
                target = state.pending[-1].field if state.pending else NONE
                return [FIELD_NAME[step.field], FIELD_NAME[target]] if target != NONE else ()
        return ()

    @staticmethod
    def _paid_site(state: RatState, step: Step, sites: list[str]) -> list[str]:
        if step.pay != NONE and state.arguments[step.seat][step.pay]:
            sites.append(HEAP_SITE[step.pay])
        return sites

    def implied(self, state: RatState, moves: Sequence[Move]) -> list[Move]:
        """Also a seat whose follower is still to be lifted: hands do both at once."""
        found = super().implied(state, moves)
        if state.turn != NONE and not state.has_follower(state.turn):
            found += [m for m in moves if m.verb == "seat" and len(m.args) == 2]
        return found

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: RatState, move: Move, seat: int | None) -> Move:
        """Cards drawn are seen by the one who draws, cards passed on by both partners."""
        if move.verb == "draw" and (seat is None or move.args[0] != f"p{seat}"):
            step = decode(move.text)
            return move if step is None else DRAW_UNSEEN[step.seat]
        passed = move.player is not None and move.verb in ("consult", "return")
        if passed and (seat is None or faction_of(seat) != faction_of(move.player or 0)):
            unseen = CONSULT_UNSEEN if move.verb == "consult" else RETURN_UNSEEN
            return unseen[move.player or 0]
        return move

    def view(self, state: RatState, seat: int | None) -> Json:
        data = state.to_json()
        if state.zones is None:
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
            for key in ("piles", "pondered"):
                data[key] = {name: len(cards) for name, cards in data[key].items()}
        return data

    # -- safety ---------------------------------------------------------------------------

    def invariants(self, state: RatState) -> list[str]:
        return state.invariants()


def _together(state: RatState, move: Move) -> bool:
    step = decode(move.text)
    return step is not None and state.may_hold(step.seat, *step.cards)


GAME = HoherRat()
