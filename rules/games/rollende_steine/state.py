"""The position of one match of Rollende Steine: supplies, cushions, gates and their marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Self

from rules.colours import Paint
from rules.core import (
    Achievement,
    Actor,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Outcome,
    Prompt,
    ScoreLine,
    State,
)
from rules.games.rollende_steine.components import (
    ALL_GATES,
    COLOURS,
    CUSHIONS,
    DISCS,
    GATES,
    NEUTRAL_SHARE,
    NOBODY,
    ROLL,
    STEP,
)
from rules.games.rollende_steine.moves import (
    BITS_OF,
    CUMULATIVE,
    CUSHION,
    LIKELIHOOD,
    RELOCATE,
    RESULTS,
    ROLL_DISC,
    SCORE,
    STEP_MOVES,
)

_BARE_ITEM = tuple(Item(gate, "trilithon") for gate in GATES)

_MARKED_ITEM = tuple(
    tuple(Item(gate, f"trilithon {colour}", seat) for gate in GATES)
    for seat, colour in enumerate(COLOURS)
)

_CUSHION_ITEM = tuple(
    Item("board", f"bar {colour}", seat) for seat, colour in enumerate(COLOURS)
)  # fmt: skip


class RollendeSteineState(State):
    """Position of one match; lists are indexed by seat or by gate (G1 = 0)."""

    __slots__ = (
        "course", "cushions", "laid", "left", "lying", "marked", "neutral", "out", "own",
        "paint", "phase", "physical", "scorer", "turn", "used",
    )  # fmt: skip

    def __init__(self, players: int, course: str, physical: bool, paint: Paint) -> None:
        self.course, self.physical, self.paint = course, physical, paint
        self.phase = STEP
        self.turn = 0
        self.own = [DISCS] * players
        """Discs of the player's colour in the supply, per seat."""
        self.neutral = [NEUTRAL_SHARE[players]] * players
        """Neutral discs in the supply, per seat; their colours do not matter (RS15)."""
        self.out = [0] * players
        """The player's discs that are out of the game and lie ready as marks, per seat."""
        self.cushions = [CUSHIONS] * players
        """Cushions in the supply, per seat."""
        self.laid = [0] * players
        """Cushions on the board, per owner."""
        self.lying = 0
        """Cushions on the board, of whatever colour."""
        self.left = ALL_GATES
        """Bits of the gates not yet scored."""
        self.scorer = [NOBODY] * len(GATES)
        self.marked = [False] * len(GATES)
        """By gate: True if a disc lies in the hollow; RS2: else the app alone marks."""
        self.used = 0

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.course, other.physical, other.paint = self.course, self.physical, self.paint
        other.phase, other.turn = self.phase, self.turn
        other.own, other.neutral, other.out = self.own[:], self.neutral[:], self.out[:]
        other.cushions, other.laid, other.lying = self.cushions[:], self.laid[:], self.lying
        other.left, other.used = self.left, self.used
        other.scorer, other.marked = self.scorer[:], self.marked[:]
        return other

    def to_json(self) -> Json:
        """The whole position; ``gates`` are ``[seat, disc in the hollow]`` of those scored."""
        return {
            "players": len(self.own),
            "options": {"course": self.course, **self.paint.option(len(self.own))},
            "physical": self.physical,
            "phase": self.phase,
            "turn": self.turn,
            "supply": [list(pair) for pair in zip(self.own, self.neutral, strict=True)],
            "out": self.out[:],
            "cushions": self.cushions[:],
            "board": self.laid[:],
            "gates": {
                GATES[gate]: [seat, self.marked[gate]]
                for gate, seat in enumerate(self.scorer)
                if seat != NOBODY
            },
            "used": self.used,
        }

    def read(self, data: Json) -> None:
        self.phase, self.turn = str(data["phase"]), int(data["turn"])
        self.own = [int(own) for own, _ in data["supply"]]
        self.neutral = [int(neutral) for _, neutral in data["supply"]]
        self.out = [int(n) for n in data["out"]]
        self.cushions = [int(n) for n in data["cushions"]]
        self.laid = [int(n) for n in data["board"]]
        self.lying = sum(self.laid)
        for name, (seat, marked) in data["gates"].items():
            gate = GATES.index(name)
            self.scorer[gate], self.marked[gate] = int(seat), bool(marked)
            self.left &= ~(1 << gate)
        self.used = int(data["used"])

    def problems(self) -> list[str]:
        players = len(self.own)
        found = []
        lists = (self.neutral, self.out, self.cushions, self.laid)
        if any(len(numbers) != players for numbers in lists):
            return ["some list is not as long as there are players"]
        if any(number < 0 for numbers in (self.own, *lists) for number in numbers):
            found.append("somebody has fewer than no pieces")
        if self.phase not in (STEP, ROLL):
            found.append(f"there is no phase '{self.phase}'")
        if self.turn not in range(players):
            return [*found, f"it is the turn of nobody: {self.turn}"]
        if any(seat not in range(NOBODY, players) for seat in self.scorer):
            found.append(f"gates are scored by {self.scorer}")
        for seat in range(players):
            marks = sum(
                marked
                for marked, owner in zip(self.marked, self.scorer, strict=True)
                if owner == seat
            )
            if self.own[seat] + self.out[seat] + marks != DISCS:
                found.append(f"the own discs of p{seat} are not {DISCS}")
            if self.cushions[seat] + self.laid[seat] != CUSHIONS:
                found.append(f"the cushions of p{seat} are not {CUSHIONS}")
            if self.own[seat] and self.neutral[seat] != NEUTRAL_SHARE[players]:
                found.append(f"p{seat} rolled neutral discs before the own ones were gone")
        rolled = players * (DISCS + NEUTRAL_SHARE[players]) - sum(self.own) - sum(self.neutral)
        if rolled != self.used:
            found.append(f"{self.used} discs are counted as used, {rolled} are gone")
        if self.phase == ROLL and not self.own[self.turn] + self.neutral[self.turn]:
            found.append(f"p{self.turn} rolls a disc without having one")
        return found

    @property
    def over(self) -> bool:
        """4.5: all gates are scored, or no discs are left; all run out together (RS6)."""
        return not self.left or not self.own[self.turn] + self.neutral[self.turn]

    # -- 4.4 Turn: a step, then the roll --------------------------------------------------

    def prompt(self) -> Prompt | None:
        if self.over:
            return None
        seat = self.turn
        if self.phase == ROLL:
            return Prompt(Actor.TABLE, seat, "result", "4.4")
        code = "step" if self.cushions[seat] or self.lying else "step_roll"
        return Prompt(Actor.PLAYER, seat, code, "4.4")

    def legal_moves(self) -> list[Move]:
        if self.phase == ROLL:
            return list(RESULTS[self.left])
        if self.over:
            return []
        seat = self.turn
        choice = (1 if self.cushions[seat] else 0) + (2 if self.lying else 0)
        return list(STEP_MOVES[seat][choice])

    def pseudo_moves(self) -> Iterable[Move]:
        """Cushions and discs of any player, and every result there is."""
        if self.over:
            return
        if self.phase == ROLL:
            yield from RESULTS[ALL_GATES]
        for seat in range(len(self.own)):
            yield from (CUSHION[seat], RELOCATE[seat], ROLL_DISC[seat])

    def violations(self, move: Move) -> list[Objection]:
        if self.over:
            return [Objection.of("4.5", "match_over")]
        seat = move.player
        match move.verb, move.args:
            case (("cushion" | "relocate" | "roll"), ()) if seat is not None and seat < len(
                self.own
            ):
                pass
            case (("short" | "miss"), ()) if move.actor is Actor.TABLE:
                pass
            case "score", (gates,) if move.actor is Actor.TABLE and gates in BITS_OF:
                pass
            case _:
                return [Objection.of("4.4", "unknown_move", move=move.text)]
        if seat is None:
            return self._check_result(move)
        if seat != self.turn:
            return [Objection.of("4.4", "wrong_player", player=self.turn, other=seat)]
        if self.phase == ROLL:
            # RS4: one step per turn, and not another before the disc is rolled again.
            return [Objection.of("RS4", "result_first", player=seat)]
        if move.verb == "cushion" and not self.cushions[seat]:
            return [Objection.of("4.4", "no_cushion", player=seat)]
        if move.verb == "relocate" and not self.lying:
            return [Objection.of("RS11", "nothing_to_relocate", player=seat)]
        return []

    def _check_result(self, move: Move) -> list[Objection]:
        if self.phase != ROLL:
            return [Objection.of("4.4", "roll_first", player=self.turn)]
        if move.verb == "score" and (again := BITS_OF[move.args[0]] & ~self.left):
            # RS3: passing gates that are scored already does not score.
            gates = SCORE[again].args[0]
            return [Objection.of("RS3", "already_scored", gates=gates)]
        return []

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

    def layout(self) -> Layout:
        """Gates with the discs in their hollows, and how many cushions lie on the board.

        RS12: gates are things, not fields. Only course ``marked`` says where they stand.
        """
        gates = [
            _MARKED_ITEM[self.scorer[gate]][gate] if self.marked[gate] else _BARE_ITEM[gate]
            for gate in range(len(GATES))
        ]
        if self.course != "marked":
            gates = [item._replace(seen=False) for item in gates]
        layout = Counter(gates)
        for seat, number in enumerate(self.laid):
            if number:
                layout[_CUSHION_ITEM[seat]] = number
        return self.paint.layout(layout)

    def supply(self, seat: int) -> Counter[str]:
        """Own discs and cushions, and the neutral discs: of whatever colour they are (RS15), they
        count as the same number of each colour without a player."""
        players = len(self.own)
        chosen = self.paint.colours[:players]
        found = Counter(
            {f"disc {chosen[seat]}": self.own[seat], f"bar {chosen[seat]}": self.cushions[seat]}
        )
        spare = [colour for colour in COLOURS if colour not in chosen]
        left = self.neutral[seat]
        for colour in spare:
            number = min(left, NEUTRAL_SHARE[players] // len(spare))
            found[f"disc {colour}"] += number
            left -= number
        return +found

    def touches(self, move: Move) -> Collection[str]:
        if move.verb == "score":
            return move.args[0].split(",")
        # 4.8: where a cushion lies is not part of the layout, only how many there are.
        return ("board",) if move.verb == "cushion" else ()
