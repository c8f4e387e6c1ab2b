"""2.2 … 2.6 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import (
    Board,
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
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    COLOURS,
    EMPTY,
    FACTIONS,
    HAND,
    NONE,
    PIECE_FACTION,
    SEAT_COLOURS,
    faction_of,
)
from rules.games.hoher_rat.layout import layout, supply, touches
from rules.games.hoher_rat.legality import CODES, violations
from rules.games.hoher_rat.moves import (
    CONSULT_UNSEEN,
    DONE,
    DRAW_UNSEEN,
    HIDDEN,
    RETURN_UNSEEN,
    Step,
    cards_for,
    decode,
    gains,
)
from rules.games.hoher_rat.prompts import legal_moves, prompt, pseudo_moves
from rules.games.hoher_rat.reading import discussed, halfway, plausible, tolerates, unentered
from rules.games.hoher_rat.state import BLOCK, Pending, RatState


class HoherRat(Game[RatState]):
    """The rules, section by section."""

    id = "hoher_rat"
    box = "stonehenge_anthology"
    bgg_id = 20436
    craft = "rules.players.crafts.hoher_rat:Council"
    players = (2, 4)
    options: ClassVar = {"lift_from": ("off", "on")}
    outcomes = ("block",)
    codes = CODES
    private = frozenset({"give_back", "turn"})
    handling_rule = "2.4"

    # -- 2.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RatState:
        state = RatState(players, options["lift_from"] == "on", physical)
        # Three cards each round the table, then the lot for the start player (HR1).
        deal = [Pending("draw", seat) for _ in range(HAND) for seat in range(players)]
        state.pending = [Pending("start"), *reversed(deal)]
        return state

    def deals_for(self, players: int, options: Options, seats: Collection[int]) -> bool:
        # Partners draw from one pile.
        return all((seat + 2) % players in seats for seat in seats if players == 4)

    def deal_for(self, state: RatState, seats: Collection[int]) -> None:
        for seat in seats:
            state.deal_for(faction_of(seat))

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """HR19; with two players the first of the two colours stands for the seat."""
        return tuple(COLOURS[colour] for colour in SEAT_COLOURS[:players])

    # -- 2.4 Turn -------------------------------------------------------------------------

    def prompt(self, state: RatState) -> Prompt | None:
        return prompt(state)

    def turn_of(self, state: RatState) -> int | None:
        return state.turn if state.turn != NONE else None

    def moves(self, state: RatState) -> list[Move]:
        return legal_moves(state)

    def pseudo_moves(self, state: RatState) -> Iterable[Move]:
        return dict.fromkeys((*pseudo_moves(state), *legal_moves(state)))

    def check(self, state: RatState, move: Move) -> list[Objection]:
        return violations(state, move)

    def apply(self, state: RatState, move: Move) -> None:
        step = decode(move.text)
        assert step is not None, f"'{move}' is no pseudo-move"
        match step.verb:
            case "draw":
                state.draw(step.seat, step.cards[0])
                self._answered(state, "draw")
            case "done":
                state.turn = (state.turn + 1) % state.players
                state.acted, state.unnamed = False, ()
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
        known = Counter(state.unnamed)
        laid = cards_for(state.unnamed)
        if step.cards == (HIDDEN,):
            state.unnamed = tuple(sorted((*state.unnamed, *step.colours)))
            state.play_unseen(step.seat, cards_for(state.unnamed) - laid)
            known.clear()
        else:
            # Cards that nobody named when they were laid are named now, and any others come too.
            state.unnamed = ()
            state.name(step.seat, step.cards[:laid])
            for card in step.cards[laid:]:
                state.play(step.seat, card)
        for colour, number in gains(step):
            state.take(step.seat, colour, number - known[colour])
        self._refill(state, step.seat)

    # 2.4 2. Take a seat

    def _apply_seat(self, state: RatState, step: Step) -> None:
        seat = step.seat
        self._acts(state, seat)
        if step.cards == (HIDDEN,):
            state.play_unseen(seat)
        else:
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
                # HR14: the follower on FROM stays, unless the option lets it go too.
                stays = NONE if state.lift_from else step.source
                if any(p in own for f, p in enumerate(state.ring) if f != stays):
                    state.pending.append(Pending("lift", step.seat, step.field, stays))
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
            state.pending.clear()  # HR28: no more cards are drawn.

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

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: RatState) -> Layout:
        return layout(state)

    def supply(self, state: RatState, seat: int) -> Counter[str]:
        return supply(state, seat)

    def touches(self, state: RatState, move: Move) -> Collection[str]:
        return touches(state, move)

    # -- what the table tells -------------------------------------------------------------

    def implied(self, state: RatState, moves: Sequence[Move], board: Board) -> list[Move]:
        """Includes a seat whose follower is still to be lifted: hands do both at once."""
        found = super().implied(state, moves, board) + discussed(state, board)
        if state.turn != NONE and not state.has_follower(state.turn):
            found += [m for m in moves if m.verb == "seat" and len(m.args) == 2]
        return found

    def obliged(self, state: RatState) -> Move | None:
        """A card given back unseen is one like another, and who has acted and has no arguments left
        has finished."""
        if state.winner != NONE:
            return None
        if state.pending:
            verb, seat = state.pending[-1][:2]
            unseen = verb == "return" and not state.dealt[seat & 1]
            return RETURN_UNSEEN[seat] if unseen else None
        # A discussion that nobody entered may have brought more than is known.
        open_end = not state.acted or state.unnamed or any(state.arguments[state.turn])
        return None if open_end else DONE[state.turn]

    def plausible(
        self, state: RatState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        return plausible(state, moves, board, since)

    def unentered(self, state: RatState) -> Iterable[RatState]:
        return unentered(state)

    def tolerates(self, state: RatState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        return tolerates(state, site, seen)

    def halfway(self, state: RatState, board: Board) -> bool:
        return halfway(state, board)

    # -- at a screen ----------------------------------------------------------------------

    def usual(self, state: RatState, moves: Sequence[Move]) -> Move | None:
        """After the action the turn is over, unless there is somebody to persuade."""
        if state.acted and not state.pending and any(move.verb == "persuade" for move in moves):
            return None
        done = next((move for move in moves if move.verb == "done"), None)
        return done if state.acted else super().usual(state, moves)

    def may_deal(self, state: RatState) -> bool:
        """HR1: only who begins."""
        return bool(state.pending) and state.pending[-1].verb == "start"

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: RatState, move: Move, seat: int | None) -> Move:
        """Drawn cards are seen by whoever draws them, cards passed on by both partners."""
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
        if any(state.dealt):
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
            for key in ("piles", "pondered"):
                data[key] = {name: len(cards) for name, cards in data[key].items()}
        return data
