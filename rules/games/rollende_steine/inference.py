"""4.8: cushions and marks as a picture tells them, and a disc that was seen rolling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from rules.core import Board, Boards, Inference, Lies, Move, Thought
from rules.games.rollende_steine.components import (
    COLOURS,
    COURSES,
    CUSHIONS,
    GATES,
    MARKED_KINDS,
    MOST_RELOCATED,
    NOBODY,
    ROLL,
    STEP,
)
from rules.games.rollende_steine.moves import BITS_OF, FEWEST_FIRST, MISS, ROLL_DISC, SCORE, SHORT
from rules.games.rollende_steine.state import RollendeSteineState

UNMARKED = 1.2
"""Natural-log odds against a gate that was passed and has no mark: there was no disc for it."""


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
                and list(kinds) in [[kind] for kind in MARKED_KINDS]
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
            rolls = [ROLL_DISC[state.turn]] if sure <= state.laid[state.turn] else []
            return [*cushions, *rolls]
        sure, possible = self._marks_shown(state, boards)
        found = self._scores_that_show(state, sure, possible)
        surely = any(self._scores_surely(state, move, sure) for move in found)
        again = [move for move in moves if self._scores_again(state, move, sure)]
        return [*cushions, *(found if surely else [SHORT, MISS, *found, *again])]

    def plausible(
        self,
        state: RollendeSteineState,
        moves: Sequence[Move],
        board: Board,
        since: Sequence[Move],
    ) -> Iterable[Thought]:
        """4.8: a roll without a cushion step is inferred from its result, and a roll that led to
        nothing from the next player's step. A gate may be scored for which no disc is left."""
        for move in moves:
            bits = BITS_OF[move.args[0]] if move.verb == "score" else 0
            unmarked = bits.bit_count() - self._shown_marks(state, bits).bit_count()
            yield Thought(move, UNMARKED * unmarked, covered=move.verb in ("roll", "miss"))

    def rolled(
        self, state: RollendeSteineState, crossed: bool, gates: Sequence[str]
    ) -> tuple[Move, ...]:
        """4.8: a roll without a cushion step is inferred. RS3: scored gates do not count."""
        if state.over:
            return ()
        passed = sum(1 << GATES.index(gate) for gate in set(gates) if gate in GATES) & state.left
        if not crossed:
            result = SHORT
        else:
            result = SCORE[passed] if passed else MISS
        return (result,) if state.phase == ROLL else (ROLL_DISC[state.turn], result)

    def _scores_surely(self, state: RollendeSteineState, move: Move, sure: int) -> bool:
        """True if a result shows in full and more can follow it."""
        bits = BITS_OF[move.args[0]]
        return bits != state.left and not self._shown_marks(state, bits) & ~sure

    @staticmethod
    def _scores_again(state: RollendeSteineState, move: Move, sure: int) -> bool:
        """True for gates of which others have scored some and whose marks are changed (RS3)."""
        bits = BITS_OF[move.args[0]] if move.verb == "score" else 0
        again = [gate for gate in range(len(GATES)) if (bits & ~state.left) >> gate & 1]
        by_others = all(state.scorer[gate] != state.turn for gate in again)
        return bool(again) and by_others and not bits & ~sure

    def _scores_that_show(self, state: RollendeSteineState, sure: int, possible: int) -> list[Move]:
        """One ``score`` per set of marks that may have come, out of the gates that surely or
        possibly show one; and with further gates if all discs are used up, so that these have none.
        Marks that came together were made by one disc."""
        by_marks: dict[int, list[Move]] = {}
        for bits in FEWEST_FIRST:
            shown = self._shown_marks(state, bits)
            if shown and not bits & ~state.left and not shown & ~possible:
                by_marks.setdefault(shown, []).append(SCORE[bits])
        most = max((shown.bit_count() for shown in by_marks if not shown & ~sure), default=0)
        certain = [shown for shown in by_marks if shown.bit_count() == most and not shown & ~sure]
        # Of several that are all certain, the first gates come first.
        dropped = set(certain[1:])
        return [
            move
            for shown, moves in by_marks.items()
            if shown not in dropped and (shown & ~sure or shown.bit_count() == most)
            for move in moves
        ]

    @staticmethod
    def _marks_shown(state: RollendeSteineState, boards: Boards) -> tuple[int, int]:
        """The bits of the gates that surely and possibly show a disc of the player to move."""
        if state.course != COURSES[0]:
            return 0, 0
        kind = state.paint.kind(MARKED_KINDS[state.turn])
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
