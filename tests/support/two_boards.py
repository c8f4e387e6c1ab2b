"""One match on two virtual boards: hands at each table make its own moves, and set the other's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.app.demo.stage import Stage
from companion.app.demo.whole import WholeMatch
from companion.club.membership import Membership
from companion.club.two_tables import ClubTables
from companion.journal.entries import Header, Together, new_match_id
from companion.match.remote_match import decided_by
from companion.match.view import TableView
from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import Candidate
from rules.reading.sighting import looks

SHARED = "89abcdef0123456789abcdef"


def header_there(
    game: str, players: int, here: tuple[int, ...], other: str, *, hosting: bool,
    shared: str = SHARED,
) -> Header:  # fmt: skip
    """Header that one of the two tables writes down of their match."""
    return Header(
        id=new_match_id(), game=game, players=players,
        options=find_game(game).complete_options(players, {}), physical=True, seed="there",
        names=("",) * players, enforcement="enforce", created_s=1.0,
        together=Together(shared, other, here, hosting),
    )  # fmt: skip


class BoardThere(Stage):
    """A virtual table with its camera, which plays a match together with another table."""

    def __init__(
        self, game: str, out: Path, member: Membership, other: str, here: tuple[int, ...],
        players: int,
    ) -> None:  # fmt: skip
        self._other, self.here = other, here
        out.mkdir(parents=True, exist_ok=True)
        super().__init__(game, out, "en", players)
        self.tables = ClubTables(member, out)
        # Nothing has been seen yet, so nothing can happen in between.
        self.tables.follow(self.session)
        self.tables.start()

    def header(self, seed: str) -> Header:
        """The match of both tables."""
        return header_there(
            self.game.id, self.players, self.here, self._other, hosting=0 in self.here
        )

    def close(self) -> None:
        """End everything in order."""
        self.tables.close()
        super().close()


class _Side(WholeMatch):
    """The hands at one of the boards."""

    def _deal(self) -> None:
        """A turn in which nothing is left to do ends by itself."""
        super()._deal()
        while done := _nothing_else(self.truth):
            self.truth.push(done)
            self._dealt.append(done)
            super()._deal()

    def _leads(self, candidate: Candidate) -> bool:
        """True if a candidate leads to the match as it was played."""
        if candidate.takeback:
            return False
        trial = self.stage.journal_match()
        for move in candidate.moves:
            trial.push(move)
        trial.follow()
        while done := _nothing_else(trial):
            trial.push(done)
            trial.follow()
        return [entry.move for entry in trial.log] == [entry.move for entry in self.truth.log]

    def mine(self, move: Move) -> None:
        """Hands here make a move; ``truth`` has it already."""
        if self.shown == looks(self.truth.layout):
            self._say(move)
        else:
            self._lay(move)
        self.shown = looks(self.truth.layout)

    def theirs(self, move: Move) -> None:
        """Sets a move that was made at the other table; the camera says that it lies there."""
        self.hands.hold(f"'{move}' is heard of", lambda _view: self._agrees)
        if self.shown != looks(self.truth.layout):
            self.hands.hold(f"'{move}' is to be set", _asked_to_set)
            self._hands()
        self.shown = looks(self.truth.layout)
        if self.stage.view.outcome is None:
            self.hands.hold(f"'{move}' lies here, too", _settled)

    shown: object = None


def _nothing_else(match: Match) -> Move | None:
    """The end of the turn, if that is all that is left to do."""
    moves = match.legal_moves()
    return moves[0] if match.ply and len(moves) == 1 and moves[0].verb == "done" else None


class TwoBoards:
    """Plays a match of ``game`` at both; ``after`` is called after every move on both boards."""

    def __init__(
        self, one: BoardThere, other: BoardThere, seed: int, after: Callable[[int], object] = id
    ) -> None:
        self.boards, self._after = (one, other), after
        self.sides = [_Side(board, seed) for board in self.boards]
        self.sides[1].truth = self.sides[0].truth
        self.set_by_hand = 0
        """Moves that were set at the other board and confirmed by its camera."""

    def play(self, most: int | None = None) -> int:
        """Plays to the end, or for a number of moves; returns how many there were. Raises
        StageError."""
        first, second = self.sides
        truth = first.truth
        for side in self.sides:
            side.shown = looks(truth.layout)
            if side.shown:
                side.hands.set_out(truth.layout)
            side.hands.hold("the table is recognised", _settled)
        for number, move in enumerate(first._moves(), 1):
            here = decided_by(truth) in self.boards[0].here
            mover, other = (first, second) if here else (second, first)
            before = looks(truth.layout)
            truth.push(move)
            first._deal()
            mover.mine(move)
            other.theirs(move)
            self.set_by_hand += looks(truth.layout) != before
            self._after(number)
            if most is not None and number >= most:
                return number
        return truth.ply


def _asked_to_set(view: TableView) -> bool:
    """True if lamps and screen say what is to be set."""
    return bool(view.fixes) or view.outcome is not None


def _settled(view: TableView) -> bool:
    return not view.fixes and view.state.value in ("settled", "pending")
