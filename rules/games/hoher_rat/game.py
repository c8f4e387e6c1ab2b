"""2.2 … 2.6 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Json, Move, Options, Outcome, Outlook, ScoreLine, Touch
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    COLOURS,
    EMPTY,
    FACTIONS,
    FIELD_NAME,
    HAND,
    NONE,
    PIECE_FACTION,
    SEAT_COLOURS,
    SPOKESMAN,
    faction_of,
)
from rules.games.hoher_rat.inference import RatInference
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
from rules.games.hoher_rat.state import BLOCK, Pending, RatState


class RatPosition(RatState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    violations = violations
    layout = layout
    supply = supply
    touches = touches

    def deal_for(self, seats: Collection[int]) -> None:
        for seat in seats:
            self.deal_faction(faction_of(seat))

    # -- 2.4 Turn -------------------------------------------------------------------------

    def turn_of(self) -> int | None:
        return self.turn if self.turn != NONE else None

    def pseudo_moves(self) -> Iterable[Move]:
        return dict.fromkeys((*pseudo_moves(self), *legal_moves(self)))

    def apply(self, move: Move) -> None:
        step = decode(move.text)
        assert step is not None, f"'{move}' is no pseudo-move"
        match step.verb:
            case "draw":
                self.draw(step.seat, step.cards[0])
                self._answered("draw")
            case "done":
                self.turn = (self.turn + 1) % self.players
                self.acted, self.unnamed = False, ()
            case "discuss":
                self._apply_discuss(step)
            case "seat":
                self._apply_seat(step)
            case "persuade":
                self._apply_persuade(step)
            case "ponder":
                self._acts(step.seat)
                self.ponder(step.seat)
                self._refill(step.seat)
            case "consult":
                self._acts(step.seat)
                if self.players == 4:
                    partner = (step.seat + 2) % 4
                    self.give(step.seat, partner, step.cards[0])
                    self.pending.append(Pending("return", partner))
            case "return":
                self.give(step.seat, (step.seat + 2) % self.players, step.cards[0])
                self._answered("return")
            case "lift":
                self._apply_lift(step)
            case "start":
                self.turn = step.seat
                self._answered("start")

    def _answered(self, verb: str) -> None:
        if self.pending and self.pending[-1].verb == verb:
            self.pending.pop()

    def _acts(self, seat: int) -> None:
        if seat == self.turn:
            self.acted = True

    def _refill(self, seat: int) -> None:
        missing = HAND - self.hand_size(seat)
        self.pending += [Pending("draw", seat)] * missing

    # 2.4 1. Discuss

    def _apply_discuss(self, step: Step) -> None:
        self._acts(step.seat)
        known = Counter(self.unnamed)
        laid = cards_for(self.unnamed)
        if step.cards == (HIDDEN,):
            self.unnamed = tuple(sorted((*self.unnamed, *step.colours)))
            self.play_unseen(step.seat, cards_for(self.unnamed) - laid)
            known.clear()
        else:
            # Cards that were not named when they were laid are named now, and any others come too.
            self.unnamed = ()
            self.name(step.seat, step.cards[:laid], laid)
            for card in step.cards[laid:]:
                self.play(step.seat, card)
        for colour, number in gains(step):
            self.take(step.seat, colour, number - known[colour])
        self._refill(step.seat)

    # 2.4 2. Take a seat

    def _apply_seat(self, step: Step) -> None:
        seat = step.seat
        self._acts(seat)
        if step.cards == (HIDDEN,):
            self.play_unseen(seat)
        else:
            self.play(seat, step.cards[0])
        if step.pay != NONE:
            self.pay(seat, step.pay, ARGUMENTS_FOR_SEAT)
        self._refill(seat)
        self._place(step)

    # 2.4 Persuade

    def _apply_persuade(self, step: Step) -> None:
        # HR14: price and groups are measured before anything moves.
        self.pay(step.seat, step.pay, self.price(step.source, step.field))
        self.clear(step.field)
        self._place(step)

    def _place(self, step: Step) -> None:
        """The piece goes on its field, or a follower of the ring has to be lifted (2.7)."""
        piece = step.piece
        if piece == NONE:
            own = self.own(step.seat)
            left = [colour for colour in own if self.followers[colour] > 0]
            if not left:
                # HR14: the follower on FROM stays, unless the option lets it go too.
                stays = NONE if self.lift_from else step.source
                if any(p in own for f, p in enumerate(self.ring) if f != stays):
                    self.pending.append(Pending("lift", step.seat, step.field, stays))
                return
            piece = left[0]
        self.put(step.field, piece)
        # 2.5: the vote begins when the last empty field is taken, and never ends (HR13).
        if not self.empty:
            self.vote = True
        self._look_for_block(step.field)

    # 2.7 No follower left

    def _apply_lift(self, step: Step) -> None:
        piece = self.ring[step.field]
        target = NONE
        if self.pending and self.pending[-1].verb == "lift":
            target = self.pending.pop().field
        if piece == EMPTY or target in (NONE, step.field):
            return
        self.clear(step.field)
        self.put(target, piece)
        self._look_for_block(target)

    # -- 2.6 End --------------------------------------------------------------------------

    def _look_for_block(self, field: int) -> None:
        if self.block(field) >= BLOCK:
            self.winner = PIECE_FACTION[self.ring[field]]
            self.pending.clear()

    # HR28: no more cards are drawn.

    def outcome(self) -> Outcome | None:
        winner = self.winner
        if winner == NONE:
            return None
        factions = tuple(tuple(range(faction, self.players, 2)) for faction in (winner, 1 - winner))
        return Outcome("block", factions, self.scores())

    def scores(self) -> tuple[int, ...]:
        blocks = [self.largest_block(faction) for faction in (0, 1)]
        return tuple(blocks[faction_of(seat)] for seat in range(self.players))

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "block", points, (("faction", FACTIONS[faction_of(seat)]),))
            for seat, points in enumerate(self.scores())
        ]

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """2.9: at random, but rather a persuasion or a seat than anything else."""
        move = moves[int(random.random() * len(moves))]
        if move.verb == "seat" or move.verb == "persuade":
            return move
        return moves[int(random.random() * len(moves))]

    # -- the table ------------------------------------------------------------------------

    def obliged(self) -> Move | None:
        """A card given back unseen is one like another, and who has acted and has no arguments left
        has finished."""
        if self.winner != NONE:
            return None
        if self.pending:
            verb, seat = self.pending[-1][:2]
            unseen = verb == "return" and not self.dealt[seat & 1]
            return RETURN_UNSEEN[seat] if unseen else None
        # A discussion that was not entered may have brought more than is known.
        open_end = not self.acted or self.unnamed or any(self.arguments[self.turn])
        return None if open_end else DONE[self.turn]

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        """Drawn cards are seen by their drawer only, cards passed on by both partners."""
        if move.verb == "draw" and (seat is None or move.args[0] != f"p{seat}"):
            step = decode(move.text)
            return move if step is None else DRAW_UNSEEN[step.seat]
        passed = move.player is not None and move.verb in ("consult", "return")
        if passed and (seat is None or faction_of(seat) != faction_of(move.player or 0)):
            unseen = CONSULT_UNSEEN if move.verb == "consult" else RETURN_UNSEEN
            return unseen[move.player or 0]
        return move

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        if any(self.dealt):
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
            for key in ("piles", "pondered"):
                data[key] = {name: len(cards) for name, cards in data[key].items()}
        return data


class RatTouch(Touch[RatState]):
    """The game at a screen: touches and pictures."""

    private = frozenset({"give_back", "turn"})

    def usual(self, state: RatState, moves: Sequence[Move]) -> Move | None:
        """After the action the turn is over, unless there is a piece to persuade."""
        if state.acted and not state.pending and any(move.verb == "persuade" for move in moves):
            return None
        done = next((move for move in moves if move.verb == "done"), None)
        return done if state.acted else super().usual(state, moves)

    def outlook(self, state: RatState, move: Move) -> Outlook | None:
        """2.4: the arguments of a discussion, and what it costs to persuade."""
        step = decode(move.text)
        if step is None:
            return None
        if step.verb == "discuss":
            room = state.room(faction_of(step.seat))
            count = sum(min(number, room[colour]) for colour, number in gains(step))
            return Outlook("argument" if count == 1 else "arguments", (("count", count),))
        if step.verb == "seat" and step.piece >= SPOKESMAN:
            return Outlook("spokesman")
        return None

    def standing(self, state: RatState, seat: int) -> tuple[str, ...]:
        """2.3: the largest block."""
        return tuple(FIELD_NAME[field] for field in state.fields_of_block(faction_of(seat)))

    def way(self, state: RatState, move: Move) -> tuple[str, ...]:
        """2.7: the follower that moves."""
        if move.verb != "lift" or not state.pending:
            return ()
        return (move.args[0], FIELD_NAME[state.pending[-1].field])

    def may_deal(self, state: RatState) -> bool:
        """HR1: only who begins."""
        return bool(state.pending) and state.pending[-1].verb == "start"


class HoherRat(Game[RatState]):
    """Name, players, options and set-up."""

    id = "hoher_rat"
    box = "stonehenge_anthology"
    bgg_id = 20436
    craft = "rules.players.crafts.hoher_rat:Council"
    players = (2, 4)
    options: ClassVar = {"lift_from": ("off", "on")}
    outcomes = ("block",)
    codes = CODES
    handling_rule = "2.4"
    scoring_rule = "2.3"
    goal = BLOCK
    inference = RatInference()
    touch = RatTouch()

    def sides(self, players: int, _options: Options) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(range(faction, players, 2)) for faction in range(len(FACTIONS)))

    # -- 2.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RatState:
        state = RatPosition(players, options["lift_from"] == "on", physical)
        # Three cards each round the table, then the lot for the start player (HR1).
        deal = [Pending("draw", seat) for _ in range(HAND) for seat in range(players)]
        state.pending = [Pending("start"), *reversed(deal)]
        return state

    def deals_for(self, players: int, options: Options, seats: Collection[int]) -> bool:
        # Partners draw from one pile.
        return all((seat + 2) % players in seats for seat in seats if players == 4)

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """HR19; with two players the first of the two colours stands for the seat."""
        return tuple(COLOURS[colour] for colour in SEAT_COLOURS[:players])
