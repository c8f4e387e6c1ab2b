"""Rollende Steine (Rolling Rocks) by Tyler Tinsley, for one to five players together.

Discs are rolled as stone wheels through five trilithon gates; all win together when every gate
has been passed, and lose together when the discs run out first. Section and ruling ids (4.1 … 4.6,
RS1 … RS18) are those of the rule pages in ``rules/languages/*/rollende_steine.toml``.

What a disc did is a ``table`` move: people enter it. A camera that followed the disc may propose
one (``rolled``), and people confirm it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, combinations
from random import Random
from typing import ClassVar, Self

from rules.colours import Paint, paint_of
from rules.core import (
    Achievement,
    Actor,
    Block,
    Board,
    Boards,
    Build,
    Choice,
    Game,
    Inference,
    Item,
    Json,
    Layout,
    Lies,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    Result,
    ScoreLine,
    State,
    Thought,
    Touch,
)

# 4.1 Components; RS13: colours by seat, clockwise.
COLOURS = ("white", "blue", "green", "yellow", "red")
DISCS = 10
CUSHIONS = 10
MOST_RELOCATED = 2
GATES = ("G1", "G2", "G3", "G4", "G5")

# 4.2 Neutral discs each player gets, by number of players; what is left over stays in the box.
NEUTRAL_SHARE = {1: 40, 2: 15, 3: 6, 4: 2, 5: 0}

# 4.3 Courses. The default stands on the marked fields; ``podest`` and ``mauer`` are for beginners.
COURSES = (
    "marked", "podest", "pyramide", "mauer", "dach", "keil", "treppe", "mann", "wasserlaeufer",
    "own",
)  # fmt: skip

# The book's drawings of the courses are lost (4.3), so these are suggestions by name, and say so.
_BUILDS = {
    "podest": ("front", ((-1.5, 0), (-0.5, 0), (0.5, 0), (1.5, 0), (0, 1))),
    "pyramide": ("front", ((-1, 0), (0, 0), (1, 0), (-0.5, 1), (0.5, 1))),
    "mauer": ("front", ((-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0))),
    "dach": ("top", ((-1.4, -0.7, 35), (-0.7, 0, 35), (0, 0.4), (0.7, 0, -35), (1.4, -0.7, -35))),
    "keil": ("top", ((0, -0.9), (-0.8, -0.1), (0.8, -0.1), (-1.6, 0.7), (1.6, 0.7))),
    "treppe": ("top", ((-1.8, -1), (-0.9, -0.5), (0, 0), (0.9, 0.5), (1.8, 1))),
    "mann": (
        "top", ((0, 1.2), (-0.8, 0.4, 20), (0.8, 0.4, -20), (-0.4, -0.8, 75), (0.4, -0.8, -75)),
    ),
    "wasserlaeufer": (
        "top", ((0, 0), (-1.1, 0.8, -40), (1.1, 0.8, 40), (-1.1, -0.8, 40), (1.1, -0.8, -40)),
    ),
}  # fmt: skip

ALL_GATES = (1 << len(GATES)) - 1
NOBODY = -1

# A match asks for a step (cushion, relocate, roll), then for the result of the disc.
STEP, ROLL = "step", "roll"

_CUSHION, _RELOCATE, _ROLL = (
    tuple(Move.of(seat, verb) for seat in range(len(COLOURS)))
    for verb in ("cushion", "relocate", "roll")
)
_STEPS = (
    (_ROLL,), (_CUSHION, _ROLL), (_RELOCATE, _ROLL), (_CUSHION, _RELOCATE, _ROLL),
)  # fmt: skip
_STEP_MOVES = tuple(
    tuple(tuple(verb[seat] for verb in verbs) for verbs in _STEPS) for seat in range(len(COLOURS))
)
"""Legal steps per seat, by 1 (has a cushion) + 2 (a cushion lies on the board)."""

_SHORT = Move.of(Actor.TABLE, "short")
_MISS = Move.of(Actor.TABLE, "miss")


def _gate_sets() -> dict[int, Move]:
    """``score`` moves by the bits of their gates: every non-empty set, ascending."""
    numbers = range(len(GATES))
    return {
        sum(1 << gate for gate in chosen): Move.of(
            Actor.TABLE, "score", ",".join(GATES[gate] for gate in chosen)
        )
        for size in range(1, len(GATES) + 1)
        for chosen in combinations(numbers, size)
    }


_SCORE = _gate_sets()
_FEWEST_FIRST = sorted(_SCORE, key=lambda bits: (bits.bit_count(), bits))
_BITS_OF = {move.args[0]: bits for bits, move in _SCORE.items()}
_RESULTS = tuple(
    tuple(
        sorted([_SHORT, _MISS, *(move for bits, move in _SCORE.items() if not bits & ~left)])
    )
    for left in range(ALL_GATES + 1)
)  # fmt: skip
"""All results of a roll, by the bits of the gates not yet scored."""


def _likelihood(move: Move) -> int:
    """In fifths: miss 60, short 12, a single gate 4, a pair 1, a larger set 0.2."""
    if move is _SHORT:
        return 60
    if move is _MISS:
        return 300
    return {1: 20, 2: 5}.get(_BITS_OF[move.args[0]].bit_count(), 1)


_LIKELIHOOD = {
    move.text: _likelihood(move) for move in (_SHORT, _MISS, *_SCORE.values())
}  # fmt: skip
_CUMULATIVE = tuple(
    tuple(accumulate(_LIKELIHOOD[move.text] for move in results)) for results in _RESULTS
)

_BARE_ITEM = tuple(Item(gate, "trilithon") for gate in GATES)
_MARKED_ITEM = tuple(
    tuple(Item(gate, f"trilithon {colour}", seat) for gate in GATES)
    for seat, colour in enumerate(COLOURS)
)
_MARKED_KINDS = tuple(f"trilithon {colour}" for colour in COLOURS)
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
            return list(_RESULTS[self.left])
        if self.over:
            return []
        seat = self.turn
        choice = (1 if self.cushions[seat] else 0) + (2 if self.lying else 0)
        return list(_STEP_MOVES[seat][choice])

    def pseudo_moves(self) -> Iterable[Move]:
        """Cushions and discs of any player, and every result there is."""
        if self.over:
            return
        if self.phase == ROLL:
            yield from _RESULTS[ALL_GATES]
        for seat in range(len(self.own)):
            yield from (_CUSHION[seat], _RELOCATE[seat], _ROLL[seat])

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
            case "score", (gates,) if move.actor is Actor.TABLE and gates in _BITS_OF:
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
        if move.verb == "score" and (again := _BITS_OF[move.args[0]] & ~self.left):
            # RS3: passing gates that are scored already does not score.
            gates = _SCORE[again].args[0]
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
            bits = _BITS_OF[move.args[0]]
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
        return [_LIKELIHOOD.get(move.text, 1) for move in moves]

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """Steps uniformly; results by ``weights``, since most outcomes of a roll are scores."""
        if self.phase == STEP:
            return moves[int(random.random() * len(moves))]
        results = _RESULTS[self.left]
        if len(moves) == len(results):
            return random.choices(results, cum_weights=_CUMULATIVE[self.left])[0]
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


class RollendeSteineTouch(Touch[RollendeSteineState]):
    """The game at a screen: touches and pictures."""

    beside = frozenset({"board"})
    signs: ClassVar = {"miss": "✕", "short": "↩"}

    def build(self, options: Options) -> Build | None:
        if options["course"] not in _BUILDS:
            return None
        seen, places = _BUILDS[options["course"]]
        return Build(seen, tuple(Block("trilithon", *place) for place in places))

    def usual(self, state: RollendeSteineState, moves: Sequence[Move]) -> Move | None:
        """A turn is a roll; the result of the disc is not known beforehand."""
        return _ROLL[state.turn] if moves and state.phase == STEP else None

    def result(
        self, before: RollendeSteineState, move: Move, after: RollendeSteineState
    ) -> Result | None:
        """A gate that was passed; of a miss its player has just told."""
        if move.verb != "score":
            return None
        gates = len(GATES) - after.left.bit_count()
        wheels = sum(after.own) + sum(after.neutral)
        params = (("gates", move.args[0]), ("player", before.turn), ("next", after.turn))
        code = "through" if after.left else "all_through"
        facts = (("passed", gates), ("wheels", wheels))
        return Result(code, True, "", move.args[0].split(",")[0], params, facts)


class RollendeSteineInference(Inference[RollendeSteineState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def may_lie(
        self,
        state: RollendeSteineState,
        sites: Collection[str],
        board: Board,
        moves: Sequence[Move],
    ) -> Mapping[str, Lies]:
        right = (site for site in sites if self._may_lie(state, site, board[site]))
        return {**super().may_lie(state, sites, board, moves), **dict.fromkeys(right, Lies.FOR_NOW)}

    @staticmethod
    def _may_lie(state: RollendeSteineState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        """Discs that came to rest (RS18), cushions on their way (RS11), and a mark of whatever
        colour in a hollow for which no own disc was left (RS2)."""
        kinds = Counter(kind for kind, _ in seen)
        if site in GATES:
            gate = GATES.index(site)
            return (
                state.scorer[gate] != NOBODY
                and not state.marked[gate]
                and list(kinds) in [[kind] for kind in _MARKED_KINDS]
            )
        if site != "board":
            return False
        laid = state.paint.kinds(
            Counter({f"bar {COLOURS[p]}": n for p, n in enumerate(state.laid)})
        )
        more, less = kinds - laid, laid - kinds
        lifted = MOST_RELOCATED if state.phase == STEP else 0
        return less.total() <= lifted and all(kind.startswith("disc ") for kind in more)

    def fitting(
        self, state: RollendeSteineState, moves: Sequence[Move], boards: Boards
    ) -> list[Move]:
        """4.8: a cushion shows, and so do the marks of a result. A picture of several turns does
        not tell in which of them a cushion or a mark came: so each came as early as possible."""
        cushions = [move for move in moves if self._cushion_may_lie(state, move, boards)]
        if state.phase == STEP:
            sure, _ = self._cushions_shown(state, state.turn, boards)
            rolls = [_ROLL[state.turn]] if sure <= state.laid[state.turn] else []
            return [*cushions, *rolls]
        sure, possible = self._marks_shown(state, boards)
        found = self._scores_that_show(state, sure, possible)
        surely = any(self._scores_surely(state, move, sure) for move in found)
        again = [move for move in moves if self._scores_again(state, move, sure)]
        return [*cushions, *(found if surely else [_SHORT, _MISS, *found, *again])]

    def plausible(
        self,
        state: RollendeSteineState,
        moves: Sequence[Move],
        board: Board,
        since: Sequence[Move],
    ) -> Iterable[Thought]:
        """4.8: a roll without a cushion step is inferred from its result, and a roll that led to
        nothing from the next player's step."""
        return (Thought(move, covered=move.verb in ("roll", "miss")) for move in moves)

    def rolled(
        self, state: RollendeSteineState, crossed: bool, gates: Sequence[str]
    ) -> tuple[Move, ...]:
        """4.8: a roll without a cushion step is inferred. RS3: scored gates do not count."""
        if state.over:
            return ()
        passed = sum(1 << GATES.index(gate) for gate in set(gates) if gate in GATES) & state.left
        if not crossed:
            result = _SHORT
        else:
            result = _SCORE[passed] if passed else _MISS
        return (result,) if state.phase == ROLL else (_ROLL[state.turn], result)

    def _scores_surely(self, state: RollendeSteineState, move: Move, sure: int) -> bool:
        """True if a result shows in full and more can follow it."""
        bits = _BITS_OF[move.args[0]]
        return bits != state.left and not self._shown_marks(state, bits) & ~sure

    @staticmethod
    def _scores_again(state: RollendeSteineState, move: Move, sure: int) -> bool:
        """True for gates of which others have scored some and whose marks are changed (RS3)."""
        bits = _BITS_OF[move.args[0]] if move.verb == "score" else 0
        again = [gate for gate in range(len(GATES)) if (bits & ~state.left) >> gate & 1]
        by_others = all(state.scorer[gate] != state.turn for gate in again)
        return bool(again) and by_others and not bits & ~sure

    def _scores_that_show(self, state: RollendeSteineState, sure: int, possible: int) -> list[Move]:
        """One ``score`` per set of marks that may have come, out of the gates that surely or
        possibly show one. Marks that came together were made by one disc; of results with the
        same marks, the one with the fewest gates is it, because further gates would be marked
        if that were possible."""
        by_marks: dict[int, Move] = {}
        for bits in _FEWEST_FIRST:
            shown = self._shown_marks(state, bits)
            if shown and not bits & ~state.left and not shown & ~possible:
                by_marks.setdefault(shown, _SCORE[bits])
        most = max((shown.bit_count() for shown in by_marks if not shown & ~sure), default=0)
        certain = [shown for shown in by_marks if shown.bit_count() == most and not shown & ~sure]
        # Of several that are all certain, the first gates come first.
        dropped = set(certain[1:])
        return [
            move
            for shown, move in by_marks.items()
            if shown not in dropped and (shown & ~sure or shown.bit_count() == most)
        ]

    @staticmethod
    def _marks_shown(state: RollendeSteineState, boards: Boards) -> tuple[int, int]:
        """The bits of the gates that surely and possibly show a disc of the player to move."""
        if state.course != COURSES[0]:
            return 0, 0
        kind = state.paint.kind(_MARKED_KINDS[state.turn])
        sure = possible = 0
        for gate, name in enumerate(GATES):
            if name not in boards:
                possible |= 1 << gate
                continue
            shows = [any(kind == seen for seen, _ in look) for look in boards[name]]
            sure |= all(shows) << gate
            possible |= any(shows) << gate
        return sure, possible

    def _cushion_may_lie(self, state: RollendeSteineState, move: Move, boards: Boards) -> bool:
        """True for a cushion, laid rightly or not, of a player of whom one more may lie there."""
        seat = move.player
        if move.verb != "cushion" or seat is None:
            return False
        return self._cushions_shown(state, seat, boards)[1] > state.laid[seat]

    @staticmethod
    def _cushions_shown(state: RollendeSteineState, seat: int, boards: Boards) -> tuple[int, int]:
        """Numbers of cushions of a player that lie there surely and at most."""
        if "board" not in boards:
            return 0, CUSHIONS
        kind = state.paint.kind(f"bar {COLOURS[seat]}")
        numbers = [sum(kind == seen for seen, _ in look) for look in boards["board"]]
        return min(numbers), max(numbers)

    @staticmethod
    def _shown_marks(state: RollendeSteineState, gates: int) -> int:
        """The bits of those of ``gates`` that get a disc if they are scored now (RS2, RS16)."""
        discs = state.out[state.turn] + bool(state.own[state.turn])
        shown = 0
        for gate in range(len(GATES)):
            if gates >> gate & 1 and discs:
                discs -= 1
                shown |= 1 << gate
        return shown

    # -- at a screen ----------------------------------------------------------------------


class RollendeSteine(Game[RollendeSteineState]):
    """Name, players, options and set-up."""

    id = "rollende_steine"
    box = "stonehenge_anthology"
    bgg_id = 20436
    players = (1, 2, 3, 4, 5)
    options: ClassVar = {"course": COURSES}
    choices: ClassVar = {"course": Choice()}
    outcomes = ("all_gates_scored", "out_of_discs")
    codes = (
        "match_over", "wrong_player", "unknown_move", "result_first", "roll_first",
        "no_cushion", "nothing_to_relocate", "already_scored",
    )  # fmt: skip
    handling_rule = "RS5"
    scoring_rule = "4.5"
    inference = RollendeSteineInference()
    touch = RollendeSteineTouch()
    craft = "rules.players.crafts.rollende_steine:RollendeSteineCraft"
    lost_together = ("out_of_discs",)
    most_points_win = False
    palette = COLOURS

    # -- 4.2, 4.3 Set-up ------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RollendeSteineState:
        paint = paint_of(COLOURS, self.colours(players, options))
        return RollendeSteineState(players, options["course"], physical, paint)

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = RollendeSteine()
