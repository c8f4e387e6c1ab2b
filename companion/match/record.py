"""The record of a table: one match and its journal, always in step.

Every change is tried with a copy and on the disk before the match changes, and before it is
reported. The answers are events for the table to report; nothing here knows cameras or clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile

from companion.journal.entries import FINISHED, OPEN, Header, JournalError
from companion.journal.events import (
    ClockStood,
    EntryAmended,
    Happening,
    MatchEnded,
    MovePlayed,
    PenaltyNoted,
    Source,
    StickersSaid,
    TakebackWished,
    TakenBack,
    TipGiven,
    Told,
)
from companion.journal.fold import Fold, Played, replay
from companion.journal.store import Journal
from companion.match.events import MatchOver, MovesCommitted, MovesUndone
from companion.match.looking_back.standings import is_new_record, results
from companion.match.public_log import (
    last_sites,
    last_told,
    last_turn,
    last_way,
    public_log,
    turn_of,
)
from companion.match.remote_match import follow
from companion.match.state import LastTurn
from companion.match.view import LAID_OUT, SET_ELSEWHERE, SET_FOR_COMPUTER
from rules.core import Call, GameError, Layout, Move, Objection, Result
from rules.hidden import Dealer
from rules.match import Match

LITTLE_TO_LAY = 3
"""Number of places up to which people see themselves what was put down."""


class MatchRecord:
    """One match as in its journal. Raises JournalError if it does not replay."""

    def __init__(self, journal: Journal, header: Header) -> None:
        self.journal, self.header = journal, header
        self._fold = replay(header, journal.events(header.id))
        self._computers = frozenset(s for s in range(header.players) if header.computer(s))
        self._legal: tuple[Move, ...] | None = None
        self.new_record = False
        """True if the match is over and better than all before it in its best list."""
        self.result: Result | None = None
        """Result of the last decision, until there is another …"""
        self.result_ply = 0
        """… and how many moves there were then."""
        self.calls: tuple[tuple[int, Call], ...] = ()
        """Calls of the game since the last decision, each with the number of moves before it."""

    # -- what it says -----------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match as agreed; after every change it is a different object."""
        return self._fold.match

    @property
    def legal(self) -> tuple[Move, ...]:
        """Every legal move, sorted; worked out on demand."""
        if self._legal is None:
            self._legal = tuple(self.match.legal_moves())
        return self._legal

    @property
    def about_stickers(self) -> frozenset[str]:
        """Groups of pieces about which players said whether they carry stickers."""
        return self._fold.about_stickers

    @property
    def stickered(self) -> frozenset[str]:
        """Groups of pieces that players said carry stickers."""
        return self._fold.stickered

    @property
    def clocks(self) -> Sequence[tuple[int, ClockStood]]:
        """Readings of the clock, with the number of moves in the record before each; in order."""
        return self._fold.clocks

    @property
    def tips(self) -> Sequence[tuple[int, TipGiven]]:
        """Every tip that was asked for, and how many moves of the record came before it."""
        return self._fold.tips

    @property
    def played(self) -> Sequence[Played]:
        """The moves that count, and what was known when they were made."""
        return self._fold.played

    @property
    def told(self) -> Sequence[Told]:
        """Events so far that make the record; of two tables that play the same match, one has told
        the beginning of what the other has."""
        return self._fold.told

    @property
    def wish(self) -> int:
        """As in ``Fold``."""
        return self._fold.wish

    @property
    def public_log(self) -> Sequence[Move]:
        """The moves as the public may still know them; some games forget on purpose (TK23)."""
        return public_log(self._fold)

    @property
    def last_told(self) -> Move | None:
        """The last move that is worth a word, as the public may still know it."""
        return last_told(self._fold)

    @property
    def last_turn(self) -> LastTurn | None:
        """The turn in which somebody decided something last."""
        return last_turn(self._fold)

    @property
    def turn(self) -> int:
        """Number of the current turn, counted from 1."""
        return turn_of(self._fold)

    @property
    def last_sites(self) -> tuple[str, ...]:
        """The sites of the last player's turn so far."""
        return last_sites(self._fold)

    @property
    def last_way(self) -> tuple[str, ...]:
        """The sites that a piece passed in it."""
        return last_way(self._fold)

    def undone_by(self, count: int) -> int:
        """Number of moves that go back if players take back ``count`` of theirs; 0 if there are
        none.

        What followed a decision by itself, such as cards dealt, or computer players' moves, goes
        back together with it, and so does what one touch entered.
        """
        played, number = self._fold.played, 0
        for _ in range(count):
            while number < len(played) and not self._decided(played[-1 - number]):
                number += 1
            joined = True
            while joined and number < len(played):
                joined = played[-1 - number].entry.joined
                number += 1
        return number if number and any(map(self._decided, played[-number:])) else 0

    def reveals(self, number: int) -> bool:
        """True if somebody learnt by the last ``number`` moves what is still known when they are
        taken back."""
        return any(one.reveals for one in self.played[len(self.played) - number :])

    def decisions_in(self, count: int) -> int:
        """Number of people's moves that go back if they take back ``count`` of their steps."""
        number = self.undone_by(count)
        gone = self._fold.played[len(self._fold.played) - number :]
        return sum(map(self._decided, gone))

    def made_by_itself(self, move: Move) -> bool:
        """True if ``move`` was made since the last decision, without one."""
        since = takewhile(lambda one: one.by_itself, reversed(self._fold.played))
        return any(one.entry.move == move for one in since)

    def possible(self, move: Move) -> bool:
        """True if hands could make this move, allowed or not."""
        return self._fold.possible(move)

    def touched(self, move: Move) -> tuple[str, ...]:
        """The sites that ``move`` would touch, if hands could make it."""
        if not self.possible(move):
            return ()
        return tuple(self.match.state.touches(move))

    # -- moves ------------------------------------------------------------------------------

    def commit(
        self, moves: Sequence[Move], src: Source, *, force: bool = False, joined: bool = False
    ) -> MovesCommitted:
        """Take moves into the record; ``force``: even against the rules; ``joined``: one touch
        entered them, and one takes them back.

        Raises IllegalMove and changes nothing if one of them is not allowed, or with ``force`` if
        hands could not make it.
        """
        trial = self._fold.clone()
        happened, results = [], []
        calls: list[tuple[int, Call]] = []
        for number, move in enumerate(moves):
            before = trial.match.state.clone()
            happened.append(trial.play(move, force=force, joined=joined and number > 0))
            results.append(trial.match.game.touch.result(before, move, trial.match.state))
            called = trial.match.game.touch.calls(before, move, trial.match.state)
            calls += [(trial.match.ply, call) for call in called]
        agreed = _agreed(trial.played[self.match.ply :], src)
        self._keep(trial, happened, src)
        self._hear(results, decided=src is not Source.DEALER)
        self.calls = (*(self.calls if src is Source.DEALER else ()), *calls)
        return agreed

    def redo(self, src: Source) -> MovesCommitted:
        """Take what was last taken back into the record again; there must be something."""
        trial = self._fold.clone()
        happened = [trial.redo()]
        while trial.match.undone and trial.match.undone[-1].joined:
            happened.append(trial.redo())
        self._keep(trial, happened, src)
        return _agreed(trial.played[-len(happened) :], src)

    def deal(
        self, *, ends_turns: bool = False, asked: Callable[[Match], bool] = lambda _match: True
    ) -> Iterator[MovesCommitted]:
        """Plays what needs no people: chance, and answers without an alternative.

        ``ends_turns``: even if that ends a turn; ``asked``: whether it happens at this table.
        """
        while (move := self.match.by_itself(ends_turns=ends_turns)) is not None:
            if not asked(self.match):
                return
            undone = self.match.undone
            # What was taken back with a decision comes back with it, and more may follow.
            again = bool(undone) and undone[-1].move == move
            yield self.redo(Source.DEALER) if again else self.commit([move], Source.DEALER)

    def end_turn(self, asked: Callable[[Match], bool]) -> MovesCommitted | None:
        """Ends a turn in which nothing else is left to do, if its player sits here.

        It goes back together with the move before it.
        """
        match, legal = self.match, self.legal
        if not match.log or len(legal) != 1 or legal[0].verb != "done" or not asked(match):
            return None
        trial = self._fold.clone()
        happened = trial.play(legal[0], joined=True)
        agreed = _agreed(trial.played[-1:], Source.DEALER)
        called = match.game.touch.calls(match.state, legal[0], trial.match.state)
        self._keep(trial, [happened], Source.DEALER)
        self.calls += tuple((self.match.ply, call) for call in called)
        return agreed

    def dealt_for_people(self) -> tuple[Move, ...]:
        """Moves that the program would draw now in the place of people with real pieces, who have
        only to put them down. Empty if they must draw themselves."""
        trial, dealer = self.match.clone(), Dealer(self.match.seed)
        moves: list[Move] = []
        while trial.physical:
            drawn = trial.game.touch.may_deal(trial.state)
            move = (dealer if drawn else trial.chance).answer(trial.state, trial.ply)
            if move is None or not (drawn or moves):
                break
            trial.push(move)
            moves.append(move)
        return tuple(moves)

    def ask_to_lay_out(self, before: Layout) -> None:
        """Asks people to lay out what the program drew, unless it is only a little more than
        ``before``."""
        if len({item.site for item in self.match.layout - before}) > LITTLE_TO_LAY:
            self.result, self.result_ply = Result(LAID_OUT), self.match.ply

    def ask_to_set(self, before: Layout, code: str = SET_ELSEWHERE) -> None:
        """Asks people to set what was set at the other table, and to say so: no camera sees it."""
        if self.result is None and self.match.layout != before:
            self.result, self.result_ply = Result(code), self.match.ply

    def set_down(self) -> None:
        """People say that they have carried out what a computer player decided."""
        if self.result is not None and self.result.code == SET_FOR_COMPUTER:
            self.result = None

    def close(self, src: Source) -> MatchOver | None:
        """Write the end down, if the match is over and that has not been done yet."""
        outcome = self.match.outcome
        if outcome is None:
            return None
        if self._fold.ended:
            if self.journal.status(self.header.id) == OPEN:
                self.journal.set_status(self.header.id, FINISHED)
            return None
        self._note(MatchEnded(outcome), src, FINISHED)
        return MatchOver(outcome, self._is_new_record())

    # -- corrections ------------------------------------------------------------------------

    def take_back(self, number: int, src: Source) -> MovesUndone:
        """Take the last ``number`` moves out of the record."""
        moves = tuple(reversed(self.public_log[-number:]))
        gone = reversed(self._fold.played[-number:])
        self.result, self.calls = None, ()
        self._note(TakenBack(number), src, OPEN if self.match.outcome is not None else None)
        return MovesUndone(moves, tuple(site for played in gone for site in played.sites))

    def amend(
        self, ply: int, moves: Sequence[Move], src: Source, unfinished: str | None = OPEN,
        *, to_the_end: bool = False,
    ) -> tuple[MovesUndone, MovesCommitted, MatchOver | None]:  # fmt: skip
        """Put a wrong entry right: moves taken back from ``ply`` (from 1) on, others appended.

        Both events name all places affected. ``unfinished``: how the match stands if it is not over
        then; None: as before. ``to_the_end``: what follows by itself goes with it, in one piece; if
        the power went in between, a match that is over would be neither finished nor offered.
        Raises JournalError and changes nothing if the moves do not fit.
        """
        before = self._fold.played[ply - 1 :]
        trial, length = self._fold.clone(), self.match.ply
        if not 1 <= ply <= length + 1:
            raise JournalError("no_move_there", moves=length, ply=ply)
        happened: list[Happening] = [EntryAmended(ply, len(before))]
        happened += [TakenBack(len(before))] if before else []
        for what in happened:
            trial.take(what)
        try:
            happened += [trial.play(move, force=True) for move in moves]
        except GameError as error:
            raise JournalError("correction_misfit", reason=error) from error
        while to_the_end and (move := trial.match.by_itself(ends_turns=True)) is not None:
            happened.append(trial.play(move))
        outcome = trial.match.outcome
        if outcome is not None:
            happened.append(MatchEnded(outcome))
            trial.take(happened[-1])
        self.result, self.calls = None, ()
        self._keep(trial, happened, src, unfinished if outcome is None else FINISHED)
        after = trial.played[ply - 1 :]
        sites = tuple(site for played in (*before, *after) for site in played.sites)
        took = MovesUndone(tuple(played.public for played in before), sites)
        agreed = MovesCommitted(tuple(played.public for played in after), src, sites)
        return took, agreed, None if outcome is None else MatchOver(outcome, self._is_new_record())

    def follow(self, told: Sequence[Told], *, granted: int) -> list[MovesUndone | MovesCommitted]:
        """Take in what was decided at the other table; see ``elsewhere.follow``.

        Raises Misfit and changes nothing if it may not have decided that.
        """
        assert self.header.together is not None
        trial = follow(self._fold, told, self.header.together.here, granted=granted)
        found: list[MovesUndone | MovesCommitted] = []
        step, since, results = self._fold.clone(), self.match.ply, []
        for what in (*told, None):
            if not isinstance(what, MovePlayed) and step.match.ply > since:
                found.append(_agreed(step.played[since:], Source.ELSEWHERE))
            if what is None:
                break
            before, state = tuple(step.played), step.match.state.clone()
            step.take(what)
            if isinstance(what, MovePlayed):
                results.append(step.match.game.touch.result(state, what.move, step.match.state))
                continue
            since = step.match.ply
            if isinstance(what, TakenBack):
                gone = before[since:]
                moves = tuple(played.public for played in reversed(gone))
                found.append(MovesUndone(moves, tuple(s for played in gone for s in played.sites)))
                results.clear()
        reopened = self.match.outcome is not None and trial.match.outcome is None
        self._keep(trial, told, Source.ELSEWHERE, OPEN if reopened else None)
        self._hear(results, decided=True)
        self.calls = ()
        return found

    # -- other entries ----------------------------------------------------------------------

    def note_tip(self, tip: TipGiven) -> None:
        """Note a tip that was given. The match stays the same object, as with the clock."""
        self.journal.append(self.header.id, tip, src=Source.COMPUTER)
        self._fold.take(tip)

    def wish_back(self, number: int) -> None:
        """Note that the other table is asked for the last moves: it counts after a restart, too,
        and nothing else lets go of them. The match stays the same object."""
        self.journal.append(self.header.id, wished := TakebackWished(number), src=Source.TOUCH)
        self._fold.take(wished)

    def penalise(self, player: int, objection: Objection) -> None:
        """Note a breach; it changes no position."""
        self._note(PenaltyNoted(player, objection.rule, objection.code), Source.CAMERA)

    def answer_stickers(self, groups: Collection[str], have: bool, src: Source) -> None:
        """Note what players said: these groups of pieces do carry stickers, or do not."""
        self._note(StickersSaid(tuple(sorted(groups)), have), src)

    def note_clock(self, stood: ClockStood, src: Source) -> None:
        """Note how the clock stands. The match stays the same object: nothing is read anew."""
        self.journal.append(self.header.id, stood, src=src)
        self._fold.take(stood)

    # -- private ----------------------------------------------------------------------------

    def _decided(self, one: Played) -> bool:
        """True if people decided a move."""
        return not one.by_itself and one.asked not in self._computers

    def _hear(self, results: Sequence[Result | None], *, decided: bool) -> None:
        """Keep what came to light; ``decided``: what came to light earlier is history."""
        found = [result for result in results if result is not None]
        if found:
            self.result, self.result_ply = found[-1], self.match.ply
        elif decided:
            self.result = None

    def _note(self, what: Happening, src: Source, status: str | None = None) -> None:
        trial = self._fold.clone()
        trial.take(what)
        self._keep(trial, [what], src, status)

    def _keep(
        self, trial: Fold, happened: Sequence[Happening], src: Source, status: str | None = None
    ) -> None:
        """Write down what happened, then continue with what it led to."""
        self.journal.append(self.header.id, *happened, src=src, status=status)
        self._fold, self._legal = trial, None

    def _is_new_record(self) -> bool:
        self.new_record = False
        if self.match.state.achievement() is not None:
            found = results(self.journal, self.match.game.id)
            self.new_record = any(
                r.header.id == self.header.id and is_new_record(found, r) for r in found
            )
        return self.new_record


def _agreed(played: Sequence[Played], src: Source) -> MovesCommitted:
    sites = tuple(site for one in played for site in one.sites)
    forced = any(one.entry.forced for one in played)
    return MovesCommitted(tuple(one.public for one in played), src, sites, forced)
