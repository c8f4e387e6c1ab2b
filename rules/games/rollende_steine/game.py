"""4.2 … 4.5 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.colours import paint_of
from rules.core import Achievement, Choice, Game, Move, Options, Outcome, ScoreLine
from rules.games.rollende_steine.components import COLOURS, COURSES, GATES, NOBODY, ROLL, STEP
from rules.games.rollende_steine.inference import RollendeSteineInference
from rules.games.rollende_steine.layout import layout, supply, touches
from rules.games.rollende_steine.legality import CODES, violations
from rules.games.rollende_steine.moves import BITS_OF, CUMULATIVE, LIKELIHOOD, RESULTS
from rules.games.rollende_steine.prompts import legal_moves, prompt, pseudo_moves
from rules.games.rollende_steine.state import RollendeSteineState
from rules.games.rollende_steine.touch import RollendeSteineTouch


class RollendeSteinePosition(RollendeSteineState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    layout = layout
    supply = supply
    touches = touches

    # -- 4.4 Turn: a step, then the roll --------------------------------------------------

    def apply(self, move: Move) -> None:
        verb = move.verb
        seat = move.player
        if seat is not None:
            if verb == "cushion" and self.cushions[seat]:
                self.cushions[seat] -= 1
                self.laid[seat] += 1
                self.lying += 1
            self.phase = ROLL
        elif verb == "miss":
            self._use_disc(scored=0)
        elif verb == "score":
            bits = BITS_OF[move.args[0]]
            # Where nothing but scored gates is marked against RS3, their marks are changed.
            self._use_disc(scored=bits & self.left or bits)

        # RS14: after ``short`` the same player rolls the same disc again.

    def _use_disc(self, scored: int) -> None:
        seat = self.turn
        self.used += 1
        in_first_gate = False
        # Own discs first, then the neutral ones: which disc is rolled is not a decision.
        if self.own[seat]:
            self.own[seat] -= 1
            if scored:
                in_first_gate = True
            else:
                self.out[seat] += 1
        else:
            self.neutral[seat] -= 1
        if scored:
            self.left &= ~scored
            for gate in range(len(GATES)):
                if scored >> gate & 1:
                    if self.marked[gate]:
                        # Against RS3: whoever marked it gets that disc back.
                        self.marked[gate] = False
                        self.out[self.scorer[gate]] += 1
                    self.scorer[gate] = seat
                    # RS16: an own disc lies in the first gate; own discs that are out of the
                    # game mark the others in order. RS2: as long as there are any.
                    if in_first_gate:
                        in_first_gate = False
                        self.marked[gate] = True
                    elif self.out[seat]:
                        self.out[seat] -= 1
                        self.marked[gate] = True
        self.phase = STEP
        self.turn = (seat + 1) % len(self.own)

    def weights(self, moves: Sequence[Move]) -> Sequence[int]:
        return [LIKELIHOOD.get(move.text, 1) for move in moves]

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """Steps uniformly; results by ``weights``, since most outcomes of a roll are scores."""
        if self.phase == STEP:
            return moves[int(random.random() * len(moves))]
        results = RESULTS[self.left]
        if len(moves) == len(results):
            return random.choices(results, cum_weights=CUMULATIVE[self.left])[0]
        return random.choices(moves, weights=self.weights(moves))[0]

    # -- 4.5 End --------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        # RS7: the last gate with the last disc is a win. RS17: all share the place either way.
        reason = "out_of_discs" if self.left else "all_gates_scored"
        return Outcome(reason, (tuple(range(len(self.own))),), self.scores())

    def achievement(self) -> Achievement | None:
        """RS8: same course and number of players; more gates first, then fewer discs."""
        gates = len(GATES) - self.left.bit_count()
        players = len(self.own)
        values = (("course", self.course), ("gates", gates), ("discs", self.used))
        return Achievement(f"{self.course}/{players}", (-gates, self.used), values)

    def scores(self) -> tuple[int, ...]:
        return tuple(self.scorer.count(seat) for seat in range(len(self.own)))

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "gate", 1, (("gate", GATES[gate]),))
            for gate, seat in enumerate(self.scorer)
            if seat != NOBODY
        ]


class RollendeSteine(Game[RollendeSteinePosition]):
    """Name, players, options and set-up."""

    id = "rollende_steine"
    box = "stonehenge_anthology"
    bgg_id = 20436
    players = (1, 2, 3, 4, 5)
    options: ClassVar = {"course": COURSES}
    choices: ClassVar = {"course": Choice()}
    outcomes = ("all_gates_scored", "out_of_discs")
    codes = CODES
    handling_rule = "RS5"
    scoring_rule = "4.5"
    inference = RollendeSteineInference()
    touch = RollendeSteineTouch()
    craft = "rules.players.crafts.rollende_steine:RollendeSteineCraft"
    lost_together = ("out_of_discs",)
    most_points_win = False
    palette = COLOURS

    # -- 4.2, 4.3 Set-up ------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RollendeSteinePosition:
        paint = paint_of(COLOURS, self.colours(players, options))
        return RollendeSteinePosition(players, options["course"], physical, paint)

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return True
