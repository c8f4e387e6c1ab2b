"""6.2 … 6.4 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.colours import paint_of
from rules.core import Game, Json, Layout, Move, Options, Outcome, ScoreLine, ranked
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    COLOUR,
    COLOURS,
    HAND,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    OFFERINGS,
    PIT,
    PIT_OF_CARD,
    SEAT,
    pits_hit,
)
from rules.games.opferroulette.inference import OpferrouletteInference
from rules.games.opferroulette.layout import layout, supply, touches
from rules.games.opferroulette.legality import CODES, violations
from rules.games.opferroulette.moves import DRAW_UNSEEN
from rules.games.opferroulette.prompts import legal_moves, prompt, pseudo_moves
from rules.games.opferroulette.state import NO_COLOUR, NOBODY, OpferrouletteState, Phase
from rules.games.opferroulette.touch import OpferrouletteTouch
from rules.hidden import UNSEEN

_TURN, _FALL, _REFILL, _OVER = Phase.TURN, Phase.FALL, Phase.REFILL, Phase.OVER
_FALLS = frozenset({"fall", "roll-fall"})


class OpferroulettePosition(OpferrouletteState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    touches = touches

    # -- asking ---------------------------------------------------------------------------

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """A fall four times in five where there is one; else hardly ever the end of the turn."""
        if self.phase is _TURN:
            if random.random() < 0.8:
                falls = [move for move in moves if move.verb in _FALLS]
                if falls:
                    return falls[int(random.random() * len(falls))]
            if random.random() < 0.95:
                others = [move for move in moves if move.verb != "done"]
                if others:
                    return others[int(random.random() * len(others))]
        return moves[int(random.random() * len(moves))]

    # -- 6.3 Turn -------------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        verb, seat = move.verb, move.player
        if seat is None:
            self._apply_dealer(verb, move.args)
        elif verb == "done":
            if seat == self.turn and self.phase is _TURN:
                self._end_turn()
        elif verb == "offer":
            self.put_offering(seat, PIT[move.args[0]])
            place = self.holders.index(seat) if seat in self.holders else NOBODY
            if place != NOBODY:
                self.holders[place] = NOBODY
            self._next_offering()
        else:
            self._apply_card(seat, verb, CARD[move.args[0]])

    def _apply_card(self, seat: int, verb: str, card: int) -> None:
        # OR20: a played card lies on the discard pile at once.
        self.deck.lay_open(seat, card)
        if seat == self.turn:
            self.played = True
            self.passes = 0
        if verb == "reverse":
            self.facing = 1 - self.facing
            return
        if card < NUMBER_CARDS:
            if seat == self.turn:
                self.colour = COLOUR[card]
            if verb != "fall":
                self.ball = NEXT[self.facing][self.ball][COLOUR[card]]
        if verb != "roll":
            self.phase = _FALL

    def _apply_dealer(self, verb: str, args: tuple[str, ...]) -> None:
        if verb == "turn":
            self._fall(CARD[args[0]])
        elif verb == "draw":
            name = args[1]
            self._draw(SEAT[args[0]], None if name == UNSEEN else CARD[name])
        elif verb == "offer":
            self._offer(args[0], CARD[args[1]])
        elif verb == "ball":
            self._place_ball(CARD[args[0]])
        else:
            self.phase, self.turn = _TURN, SEAT[args[0]]

    def _remove_undrawn(self, card: int) -> None:
        if card in self.undrawn:
            self.undrawn.remove(card)

    def _offer(self, target: str, card: int) -> None:
        """6.2 items 1 and 2: a card brings an offering into its pit."""
        self._remove_undrawn(card)
        neutral = target == "neutral"
        owner = self.players if neutral else SEAT[target]
        if card < NUMBER_CARDS:
            self.put_offering(owner, PIT_OF_CARD[card])
        elif not neutral:
            self.holders[card - NUMBER_CARDS] = owner
        dealt = len(CARDS) - len(self.undrawn)
        if not neutral:
            if dealt < OFFERINGS * self.players:
                self.turn = dealt // OFFERINGS
                return
            self.turn = 0
            if self.players == 2:
                self.phase = Phase.NEUTRAL
                return
        elif self.own_left[owner] < OFFERINGS:
            return
        self._next_offering()

    def _next_offering(self) -> None:
        """OR18: by the colours of the trilithon cards, in any hands; then the ball."""
        for seat in self.holders:
            if seat != NOBODY:
                self.phase, self.turn = Phase.TRILITHON, seat
                return
        self.phase, self.turn = Phase.BALL, 0

    def _place_ball(self, card: int) -> None:
        self._remove_undrawn(card)
        # OR11: a trilithon card is put aside, another one is drawn.
        if card < NUMBER_CARDS:
            self.ball = NUMBER[card]
            self.shuffle_all()
            self.phase = Phase.DEAL

    def _draw(self, seat: int, card: int | None) -> None:
        # OR20: if the pile is empty the deck is renewed, now that a card is needed.
        self.deck.draw(seat, card)
        if self.phase is Phase.DEAL:
            # 6.2 item 5: one card each round the table, until all have five.
            self.drawn += 1
            self.turn = self.drawn % self.players
            if self.drawn == HAND * self.players:
                self.phase, self.turn = Phase.START, 0
        elif not self._played_through():
            self._refill()

    def _fall(self, card: int) -> None:
        """6.3 Fall: night pit, day pit, or with a trilithon card both pits of the field."""
        self.deck.turn_up(card)
        for pit in pits_hit(self.ball, card):
            if self.pits[pit]:
                self.crush(self.turn, pit)
        # OR9: the fall first, then the refill to a limit that may have risen.
        if not self._played_through():
            self._refill()

    def _played_through(self) -> bool:
        """OR13: the moment the pile's last card is drawn; the 2nd (3rd) time is the end."""
        if self.deck.pile_size:
            return False
        self.through += 1
        if self.through < self.last_through:
            return False
        self.phase = _OVER
        return True

    def _end_turn(self) -> None:
        if self.played:
            self._refill()
            return
        # OR5: a turn without any card is a pass; by the house rule passes all round end the match.
        self.passes += 1
        if self.all_pass_ends and self.passes == self.players:
            self.phase = _OVER
        else:
            self._next_player()

    def _refill(self) -> None:
        """OR17: up to the hand limit of this moment. OR21: short if no card is left anywhere."""
        seat, deck = self.turn, self.deck
        if deck.hand_size(seat) < self.hand_limit(seat) and (deck.pile_size or deck.discards):
            self.phase = _REFILL
        else:
            self._next_player()

    def _next_player(self) -> None:
        self.phase = _TURN
        self.turn = (self.turn + 1) % self.players
        self.played = False
        self.colour = NO_COLOUR

    # -- 6.4 End and scoring --------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if self.phase is not _OVER:
            return None
        scores = self.scores()
        reason = "all_passed" if self.passes == self.players else "played_through"
        # OR14: equal scores share the place.
        return Outcome(reason, ranked(scores), scores)

    def scores(self) -> tuple[int, ...]:
        return tuple(2 * self.own_left[s] + sum(row) for s, row in enumerate(self.crushed))

    def explain_scores(self) -> list[ScoreLine]:
        lines = []
        for seat, row in enumerate(self.crushed):
            if kept := self.own_left[seat]:
                lines.append(
                    ScoreLine(seat, "kept", 2 * kept, (("piece", "disc"), ("number", kept)))
                )
            for owner, number in enumerate(row):
                if number:
                    params = (("number", number), ("colour", self.paint.colours[owner]))
                    lines.append(ScoreLine(seat, "crushed", number, params))
        return lines

    # -- the table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        return self.paint.layout(layout(self))

    def supply(self, seat: int) -> Counter[str]:
        return self.paint.kinds(supply(self, seat))

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        if move.verb == "draw" and move.args[0] != f"p{seat}":
            return DRAW_UNSEEN[SEAT[move.args[0]]]
        return move

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        self.deck.conceal(data, seat)
        return data


class Opferroulette(Game[OpferrouletteState]):
    """Name, players, options and set-up."""

    id = "opferroulette"
    box = "stonehenge_anthology"
    bgg_id = 20436
    players = (2, 3, 4, 5)
    options: ClassVar = {
        "shared_pits": ("on", "off"),
        "trilithon_alone": ("off", "on"),
        "all_pass_ends": ("off", "on"),
    }
    palette = COLOURS
    formerly: ClassVar = {"all_pass_ends": "on"}
    outcomes = ("played_through", "all_passed")
    codes = CODES
    handling_rule = "6.3"
    scoring_rule = "6.4"
    inference = OpferrouletteInference()
    touch = OpferrouletteTouch()
    craft = "rules.players.crafts.opferroulette:OpferrouletteCraft"

    # -- 6.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> OpferrouletteState:
        return OpferroulettePosition(
            players,
            shared=options["shared_pits"] == "on",
            alone=options["trilithon_alone"] == "on",
            all_pass_ends=options["all_pass_ends"] == "on",
            physical=physical,
            paint=paint_of(COLOURS, self.colours(players, options)),
        )
