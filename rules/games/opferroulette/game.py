"""6.2 … 6.4 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar

from rules.colours import paint_of
from rules.core import (
    Belief,
    Board,
    Boards,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    Result,
    Runs,
    ScoreLine,
    ranked,
)
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
from rules.games.opferroulette.layout import layout, supply, touches
from rules.games.opferroulette.legality import CODES, violations
from rules.games.opferroulette.moves import DRAW_UNSEEN, ROLL_FALL
from rules.games.opferroulette.prompts import legal_moves, prompt, pseudo_moves
from rules.games.opferroulette.reading import (
    awaits,
    essence,
    fitting,
    halfway,
    implied,
    plausible,
    runs,
    tolerated,
)
from rules.games.opferroulette.state import NO_COLOUR, NOBODY, OpferrouletteState, Phase
from rules.games.opferroulette.touch import result
from rules.hidden import UNSEEN

_SET_UP = (Phase.OFFER, Phase.NEUTRAL, Phase.BALL, Phase.START)
_TURN, _FALL, _REFILL, _OVER = Phase.TURN, Phase.FALL, Phase.REFILL, Phase.OVER
_FALLS = frozenset({"fall", "roll-fall"})


class Opferroulette(Game[OpferrouletteState]):
    """The rules, section by section."""

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
    beside = frozenset({"draw-pile", "discard-pile"})
    private = frozenset({"go_on", "last_pass", "play", "reversed", "reversed_alone"})
    handling_rule = "6.3"
    craft = "rules.players.crafts.opferroulette:OpferrouletteCraft"

    # -- 6.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> OpferrouletteState:
        return OpferrouletteState(
            players,
            shared=options["shared_pits"] == "on",
            alone=options["trilithon_alone"] == "on",
            all_pass_ends=options["all_pass_ends"] == "on",
            physical=physical,
            paint=paint_of(COLOURS, self.chosen_colours(players, options)),
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return self.chosen_colours(players, options)

    # -- asking ---------------------------------------------------------------------------

    def prompt(self, state: OpferrouletteState) -> Prompt | None:
        return prompt(state)

    def moves(self, state: OpferrouletteState) -> list[Move]:
        return legal_moves(state)

    def pseudo_moves(self, state: OpferrouletteState) -> Iterable[Move]:
        return pseudo_moves(state)

    def check(self, state: OpferrouletteState, move: Move) -> list[Objection]:
        return violations(state, move)

    def choose(self, state: OpferrouletteState, moves: Sequence[Move], random: Random) -> Move:
        """A fall four times in five where there is one; else hardly ever the end of the turn."""
        if state.phase is _TURN:
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

    def apply(self, state: OpferrouletteState, move: Move) -> None:
        verb, seat = move.verb, move.player
        if seat is None:
            self._apply_dealer(state, verb, move.args)
        elif verb == "done":
            if seat == state.turn and state.phase is _TURN:
                self._end_turn(state)
        elif verb == "offer":
            state.put_offering(seat, PIT[move.args[0]])
            place = state.holders.index(seat) if seat in state.holders else NOBODY
            if place != NOBODY:
                state.holders[place] = NOBODY
            self._next_offering(state)
        else:
            self._apply_card(state, seat, verb, CARD[move.args[0]])

    @staticmethod
    def _apply_card(state: OpferrouletteState, seat: int, verb: str, card: int) -> None:
        # OR20: a played card lies on the discard pile at once.
        state.deck.lay_open(seat, card)
        if seat == state.turn:
            state.played = True
            state.passes = 0
        if verb == "reverse":
            state.facing = 1 - state.facing
            return
        if card < NUMBER_CARDS:
            if seat == state.turn:
                state.colour = COLOUR[card]
            if verb != "fall":
                state.ball = NEXT[state.facing][state.ball][COLOUR[card]]
        if verb != "roll":
            state.phase = _FALL

    def _apply_dealer(self, state: OpferrouletteState, verb: str, args: tuple[str, ...]) -> None:
        if verb == "turn":
            self._fall(state, CARD[args[0]])
        elif verb == "draw":
            name = args[1]
            self._draw(state, SEAT[args[0]], None if name == UNSEEN else CARD[name])
        elif verb == "offer":
            self._offer(state, args[0], CARD[args[1]])
        elif verb == "ball":
            self._place_ball(state, CARD[args[0]])
        else:
            state.phase, state.turn = _TURN, SEAT[args[0]]

    @staticmethod
    def _remove_undrawn(state: OpferrouletteState, card: int) -> None:
        if card in state.undrawn:
            state.undrawn.remove(card)

    def _offer(self, state: OpferrouletteState, target: str, card: int) -> None:
        """6.2 items 1 and 2: a card brings an offering into its pit."""
        self._remove_undrawn(state, card)
        neutral = target == "neutral"
        owner = state.players if neutral else SEAT[target]
        if card < NUMBER_CARDS:
            state.put_offering(owner, PIT_OF_CARD[card])
        elif not neutral:
            state.holders[card - NUMBER_CARDS] = owner
        dealt = len(CARDS) - len(state.undrawn)
        if not neutral:
            if dealt < OFFERINGS * state.players:
                state.turn = dealt // OFFERINGS
                return
            state.turn = 0
            if state.players == 2:
                state.phase = Phase.NEUTRAL
                return
        elif state.own_left[owner] < OFFERINGS:
            return
        self._next_offering(state)

    @staticmethod
    def _next_offering(state: OpferrouletteState) -> None:
        """OR18: by the colours of the trilithon cards, whoever holds them; then the ball."""
        for seat in state.holders:
            if seat != NOBODY:
                state.phase, state.turn = Phase.TRILITHON, seat
                return
        state.phase, state.turn = Phase.BALL, 0

    def _place_ball(self, state: OpferrouletteState, card: int) -> None:
        self._remove_undrawn(state, card)
        # OR11: a trilithon card is put aside, another one is drawn.
        if card < NUMBER_CARDS:
            state.ball = NUMBER[card]
            state.shuffle_all()
            state.phase = Phase.DEAL

    def _draw(self, state: OpferrouletteState, seat: int, card: int | None) -> None:
        # OR20: if the pile is empty the deck is renewed, now that a card is needed.
        state.deck.draw(seat, card)
        if state.phase is Phase.DEAL:
            # 6.2 item 5: one card each round the table, until all have five.
            state.drawn += 1
            state.turn = state.drawn % state.players
            if state.drawn == HAND * state.players:
                state.phase, state.turn = Phase.START, 0
        elif not self._played_through(state):
            self._refill(state)

    def _fall(self, state: OpferrouletteState, card: int) -> None:
        """6.3 Fall: night pit, day pit, or with a trilithon card both pits of the field."""
        state.deck.turn_up(card)
        for pit in pits_hit(state.ball, card):
            if state.pits[pit]:
                state.crush(state.turn, pit)
        # OR9: the fall first, then the refill to a limit that may have risen.
        if not self._played_through(state):
            self._refill(state)

    @staticmethod
    def _played_through(state: OpferrouletteState) -> bool:
        """OR13: the moment the pile's last card is drawn; the 2nd (3rd) time is the end."""
        if state.deck.pile_size:
            return False
        state.through += 1
        if state.through < state.last_through:
            return False
        state.phase = _OVER
        return True

    def _end_turn(self, state: OpferrouletteState) -> None:
        if state.played:
            self._refill(state)
            return
        # OR5: a turn without any card is a pass; by the house rule passes all round end the match.
        state.passes += 1
        if state.all_pass_ends and state.passes == state.players:
            state.phase = _OVER
        else:
            self._next_player(state)

    def _refill(self, state: OpferrouletteState) -> None:
        """OR17: up to the hand limit of this moment. OR21: short if no card is left anywhere."""
        seat, deck = state.turn, state.deck
        if deck.hand_size(seat) < state.hand_limit(seat) and (deck.pile_size or deck.discards):
            state.phase = _REFILL
        else:
            self._next_player(state)

    @staticmethod
    def _next_player(state: OpferrouletteState) -> None:
        state.phase = _TURN
        state.turn = (state.turn + 1) % state.players
        state.played = False
        state.colour = NO_COLOUR

    # -- 6.4 End and scoring --------------------------------------------------------------

    def outcome(self, state: OpferrouletteState) -> Outcome | None:
        if state.phase is not _OVER:
            return None
        scores = self.scores(state)
        reason = "all_passed" if state.passes == state.players else "played_through"
        # OR14: equal scores share the place.
        return Outcome(reason, ranked(scores), scores)

    def scores(self, state: OpferrouletteState) -> tuple[int, ...]:
        return tuple(2 * state.own_left[s] + sum(row) for s, row in enumerate(state.crushed))

    def explain_scores(self, state: OpferrouletteState) -> list[ScoreLine]:
        lines = []
        for seat, row in enumerate(state.crushed):
            if kept := state.own_left[seat]:
                lines.append(ScoreLine(seat, "kept", 2 * kept, (("number", kept),)))
            for owner, number in enumerate(row):
                if number:
                    params = (("number", number), ("colour", state.paint.colours[owner]))
                    lines.append(ScoreLine(seat, "crushed", number, params))
        return lines

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: OpferrouletteState) -> Layout:
        return state.paint.layout(layout(state))

    def supply(self, state: OpferrouletteState, seat: int) -> Counter[str]:
        return state.paint.kinds(supply(state, seat))

    def result(
        self, before: OpferrouletteState, move: Move, after: OpferrouletteState
    ) -> Result | None:
        return result(before, move, after)

    def touches(self, state: OpferrouletteState, move: Move) -> Collection[str]:
        return touches(state, move)

    # -- what the table tells -------------------------------------------------------------

    def runs(
        self, state: OpferrouletteState, seen: Mapping[str, Belief], *, at_once: bool
    ) -> Runs | None:
        return runs(state, seen, at_once=at_once)

    def fitting(
        self, state: OpferrouletteState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        return fitting(state, moves, boards)

    def implied(self, state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
        return implied(state, moves, board)

    def plausible(
        self,
        state: OpferrouletteState,
        moves: Sequence[Move],
        board: Board,
        since: Sequence[Move],
    ) -> Iterable[tuple[Move, float]]:
        return plausible(state, moves, board, since)

    def tolerated(
        self,
        state: OpferrouletteState,
        sites: Collection[str],
        board: Board,
        moves: Sequence[Move],
    ) -> list[str]:
        return tolerated(state, sites, board, moves)

    def awaits(self, state: OpferrouletteState, site: str) -> bool:
        return awaits(state)

    def halfway(self, state: OpferrouletteState, board: Board) -> bool:
        return halfway(state, board)

    def essence(self, state: OpferrouletteState) -> Json:
        return essence(state)

    def twin(self, state: OpferrouletteState, move: Move) -> Move | None:
        if move.verb != "roll" or move.player is None:
            return None
        fall = ROLL_FALL[move.player][CARD[move.args[0]]]
        return None if self.check(state, fall) else fall

    # -- at a screen ----------------------------------------------------------------------

    def may_deal(self, state: OpferrouletteState) -> bool:
        """6.2: the cards of the set-up are open, and all are shuffled together afterwards."""
        return state.phase in _SET_UP

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: OpferrouletteState, move: Move, seat: int | None) -> Move:
        if move.verb == "draw" and move.args[0] != f"p{seat}":
            return DRAW_UNSEEN[SEAT[move.args[0]]]
        return move

    def view(self, state: OpferrouletteState, seat: int | None) -> Json:
        data = state.to_json()
        state.deck.conceal(data, seat)
        return data
