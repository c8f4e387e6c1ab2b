"""A table: the explicit state machine between what a camera sees and what is agreed.

Three things are never mixed: what is *seen* (``companion.match.observation``), what is *proposed*
(its reading), and what is *agreed* (``companion.match.record``). ``Table`` is plain and
synchronous, driven by messages and a clock that its caller reads; ``companion.match.session``
gives it a thread.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.journal.entries import Header, JournalError
from companion.journal.events import Source, Told
from companion.journal.store import Journal
from companion.match.changes import Changes
from companion.match.computer_seats import ComputerSeats
from companion.match.conclusion import Conclusion, Judge
from companion.match.corrections.late_entry import forgotten
from companion.match.events import (
    Asked,
    MovesCommitted,
    Refused,
    StateEntered,
    TableEvent,
    Trouble,
)
from companion.match.hands import Hand, hands_of
from companion.match.looking_back.history import score_history
from companion.match.messages import (
    CameraGone,
    ComputerFails,
    ComputerPlays,
    GiveTip,
    Message,
    ProposedRoll,
    RemoteSync,
    RemoteUndo,
    RolledDisc,
    Seen,
    Tick,
)
from companion.match.observation import ELSEWHERE, Observation, roll_candidates
from companion.match.permissions import Rights
from companion.match.record import MatchRecord
from companion.match.remote_match import DecidedElsewhere, Misfit, Seats
from companion.match.table_view import Question, question_of, view_of
from companion.match.view import (
    SET_FOR_COMPUTER,
    AboutStickers,
    Amend,
    AskTip,
    AutoDeal,
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    ConfirmPlaced,
    DismissNote,
    PlayAnyway,
    PlayMove,
    PlayMoves,
    Redo,
    SightNote,
    TableState,
    TableView,
    Undo,
)
from companion.match.watchers.answers import AnswersWatcher
from companion.match.watchers.clock import TableClock
from companion.match.watchers.dice import DiceWatcher
from companion.match.watchers.watcher import Happened, Watcher
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit, Manners
from companion.words.errors import notice
from rules.core import Call, IllegalMove, Move, ScoreLine
from rules.errors import Sentence
from rules.match import Match
from rules.reading.reading import Candidate, Reading, Status

log = logging.getLogger(__name__)


class Table:
    """One match at one table. Raises JournalError if the match does not replay."""

    def __init__(self, journal: Journal, header: Header, manners: Manners) -> None:
        # An unknown word, of a newer version, changes nothing.
        if header.commit in list(Commit):
            manners = replace(manners, commit=Commit(header.commit))
        self.manners = manners
        self.enforcement = Enforcement(header.enforcement)
        self.record = MatchRecord(journal, header)
        self.company = ComputerSeats(self.record)
        """The computer players, and tips."""
        self.rights = Rights(self.record, self.company, header.together)
        """Permission checks."""
        self.sight = Observation()
        self._judge = Judge(manners, self.enforcement)
        self._changes = Changes(self.record, self.company, self.rights, self.sight, self._judge)
        self._waiting = self._changes.waiting
        self._trouble: Sentence | None = None
        """The error of the journal, as last reported."""
        # Of what the other table did last nobody knows any more whether it was set here.
        for one in self.seats.trailing(self.record.played):
            self.sight.await_hands(one.sites, elsewhere=True)
        try:
            self._changes.follow_up(Source.DEALER)
        except JournalError as error:
            # Tried again, and reported, with the first message.
            log.warning("%s", error)
        self._clock = TableClock(self.record)
        answers = AnswersWatcher(self.record, self.company)
        self._watchers: tuple[Watcher, ...] = (self._clock, DiceWatcher(manners), answers)
        """All that calls to players because of time, or of what happens here."""

    # -- what can be seen from outside ----------------------------------------------------

    @property
    def seats(self) -> Seats:
        """The seats by who decides for them."""
        return self.rights.seats

    @property
    def match(self) -> Match:
        """The match as agreed."""
        return self.record.match

    @property
    def state(self) -> TableState:
        """The visible state."""
        if self._offended:
            return TableState.ILLEGAL
        return TableState.AMBIGUOUS if self._waiting.rolled else self._judge.state

    @property
    def reading(self) -> Reading | None:
        """The reading of the last sighting."""
        return self.sight.reading

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Sources of the points."""
        return tuple(self.match.state.explain_scores())

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """Points by seat before the first move and after each, once the match is over."""
        return score_history(self.match) if self.match.outcome is not None else ()

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The private view of each seat for which people play."""
        return hands_of(self.match, self.company.deciding)

    def view(self, devices: Mapping[str, str] | None = None) -> TableView:
        """A frozen picture of everything."""
        return view_of(
            self.record,
            self.state,
            self._question(),
            blind=self.sight.blind,
            hold_s=self.manners.commit_s if self.manners.commit is Commit.STILLNESS else 0.0,
            notes=self.sight.notes(self.record.about_stickers),
            devices=devices or {},
            clock=self._clock.view,
            calls=self.calls,
            wished=self.rights.wish > 0,
            company=self.company,
        )

    @property
    def calls(self) -> tuple[tuple[int, Call], ...]:
        """The calls that apply now, each with the number of moves when it came."""
        return (*(call for watcher in self._watchers for call in watcher.calls), *self.record.calls)

    @property
    def _offended(self) -> bool:
        """True if a touched offence stands on the table. Without real pieces a finger slipped: the
        reason is told, and all goes on."""
        return self._waiting.refusal is not None and self.match.physical

    def _question(self) -> Question:
        if self._waiting.refusal is not None:
            refused, objections = self._waiting.refusal
            return Question(objections, refused)
        if self._waiting.rolled:
            return Question(candidates=self._waiting.rolled)
        return question_of(
            self.reading, self.state, told=self._judge.told, offers=self.sight.offers
        )

    # -- messages -------------------------------------------------------------------------

    def handle(self, message: Message, now: float, src: Source = Source.TOUCH) -> list[TableEvent]:
        """Take in one message at ``now`` (monotonic seconds); returns what happened."""
        self._changes.events = []
        before = self.state
        unasked = isinstance(message, Seen | CameraGone | Tick)
        try:
            # What the power, or a full disk, kept from being written happens now.
            if not unasked:
                self._changes.follow_up(Source.DEALER)
            self._handle(message, now, src)
            if unasked:
                self._changes.follow_up(Source.DEALER)
            self._tell_watchers(message, now)
            self._trouble = None
        except JournalError as error:
            # A full disk is reported once, not with every picture.
            if not unasked or error.sentence != self._trouble:
                self._changes.events.append(Trouble(error.sentence))
            self._trouble = error.sentence
        except (DecidedElsewhere, Misfit) as error:
            self._changes.events.append(Trouble(error.sentence))
        if self.state is not before:
            self._changes.events.append(StateEntered(self.state))
        return self._changes.events

    def _tell_watchers(self, message: Message, now: float) -> None:
        sight = self.sight
        happened = Happened(
            message, self._changes.events, self.match, self.state, sight.clear, sight.trays, now
        )
        for watcher in self._watchers:
            watcher.heed(happened)

    def _handle(self, message: Message, now: float, src: Source) -> None:
        if getattr(message, "since", None) not in (None, len(self.record.told)):
            # Meant for a record that has changed meanwhile.
            return
        match message:
            case Seen():
                self._see(message, now)
            case CameraGone(reason, mistake):
                self.sight.lose(reason)
                if mistake:
                    self._changes.events.append(Trouble())
                self._judge.state = TableState.BLIND
            case ProposedRoll(discs):
                self._propose_roll(discs)
            case Tick():
                self._conclude(now)
            case PlayMove(move):
                self._tap(move, src, now)
            case PlayMoves(moves):
                self._tap_all(moves, src, now)
            case AutoDeal():
                self._deal_for_people(src, now)
            case Undo(count):
                self._undo(count, src, now)
            case Redo():
                self._redo(src, now)
            case ChooseCandidate(index):
                self._choose(index, src, now)
            case AboutStickers(groups, have):
                self.record.answer_stickers(groups, have, src)
            case DismissNote(note) if isinstance(note, SightNote):
                self.sight.dismissed.add(note)
            case PlayAnyway():
                self._play_anyway(src, now)
            case CameraIsWrong():
                self._ignore_camera(now)
            case BoardIsRight():
                self._trust_board(src, now)
            case Amend(ply, moves):
                self._changes.amend(ply, moves, src)
                self._reread(now)
            case ComputerPlays():
                self._play_chosen(message, now)
            case ComputerFails(seat):
                self.company.fails(seat)
                self._reread(now)
            case ConfirmPlaced():
                self.record.set_down()
                self._ignore_camera(now)
            case AskTip(seat):
                self.company.ask_tip(seat, src)
            case GiveTip(choice):
                self.company.give_tip(choice)
            case RemoteSync(_since, told):
                self._follow(told, now)
            case RemoteUndo(_since, number):
                self._grant(number, now)

    def next_deadline(self) -> float | None:
        """Time (monotonic seconds) at which time alone may change something."""
        sight = self.sight.deadline(self.manners, told=self._judge.told)
        times = sight, *(watcher.deadline() for watcher in self._watchers)
        return min((time for time in times if time is not None), default=None)

    def close(self, now: float) -> None:
        """The table is left; what only time changed is written down. Raises JournalError."""
        self._clock.close(now)

    # -- seeing ---------------------------------------------------------------------------

    def _see(self, seen: Seen, now: float) -> None:
        self.sight.take(seen)
        if seen.blind:
            self._judge.state = TableState.BLIND
            return
        self._reread(now)

    def _reread(self, now: float) -> None:
        """Compare the last sighting with the record as it is now."""
        if not self.sight.clear:
            return
        if self.sight.read(self.match, now, self._changes.open, led=self.rights.led):
            self._judge.told = False
            if self.reading is not None and self.reading.status is not Status.SETTLED:
                # The table moved on; what was refused by touch no longer matters.
                self._waiting.refusal = None
        self._conclude(now)

    def _conclude(self, now: float) -> None:
        """Act on the current reading after it has lasted until ``now``."""
        reading, seen = self.reading, self.sight.seen
        if reading is None or seen is None:
            return
        age = self.sight.age(now)
        if self.sight.waits_in_vain(age, self.manners):
            self._offer(self.sight.ways_out(self.match, self._changes.open))
            reading = self.sight.reading or reading
        ours = reading.doubt != ELSEWHERE
        if ours and age >= self.manners.commit_s and self._put_better(reading, seen, now):
            return
        wait_s = self.sight.wait_to_record(self.manners)
        concluded = self._judge.conclude(reading, age, wait_s, still=seen.settled)
        self._carry_out(concluded, reading, now)

    def _carry_out(self, concluded: Conclusion, reading: Reading, now: float) -> None:
        if concluded.event is not None:
            self._changes.events.append(concluded.event)
        if isinstance(concluded.event, Refused):
            self._penalise(reading)
        if concluded.agrees:
            self._let_go(now)
        if concluded.moves:
            self._take_in(concluded.moves, reading, now, force=concluded.force)

    def _take_in(
        self, moves: Sequence[Move], reading: Reading, now: float, *, force: bool = False
    ) -> None:
        """Record what the camera saw. What people did for the other table does not count: the
        board is put right."""
        if reading.takeback:
            self._accept(Candidate(tuple(moves), reading.takeback), Source.CAMERA, now)
        elif own := self.seats.own(self.match, moves):
            self._commit(own, Source.CAMERA, now, force=force)
        else:
            self._carry_out(self._judge.differ(reading), reading, now)

    def _put_better(self, reading: Reading, seen: Seen, now: float) -> bool:
        """Let nothing count twice that was taken in against the rules; whether that mattered."""
        if reading.status in (Status.SETTLED, Status.PENDING) or reading.doubt == "hand":
            return False
        if not self.seats.asked(self.match):
            return False
        better = self.sight.better(self.match, self._changes.unjudged)
        if better is not None and self.rights.ours(better):
            self._accept(better, Source.CAMERA, now)
            return True
        if self.enforcement is not Enforcement.OFF:
            return False
        if old := self._changes.unjudged.no_news(reading, seen):
            self.sight.leave(old)
            self._reread(now)
        return bool(old)

    def _penalise(self, reading: Reading) -> None:
        """Note who broke a rule, if that is wanted and somebody did."""
        asked = self.match.prompt
        if self.enforcement is not Enforcement.PENALISE or reading.refused is None:
            return
        if asked is None or asked.player is None:
            return
        player = asked.player if reading.refused.player is None else reading.refused.player
        self._changes.penalise(player, reading.objections[0])

    # -- what fingers and buttons ask for ---------------------------------------------------

    def _tap(self, move: Move, src: Source, now: float) -> None:
        refused, self._waiting.refusal = self._waiting.refusal, None
        insists = refused is not None and refused[0] == move
        free = self.enforcement is Enforcement.OFF or (
            self.enforcement is Enforcement.ADVISE and insists
        )
        if self._changes.unjudged.told_late(self.match, move):
            return
        self.rights.decide([move])
        if shown := self.sight.shown_before(self.match, move):
            self._commit(shown, Source.CAMERA, now)
        if same := self._changes.unjudged.same_by(self.match, [move]):
            self._changes.take_back(same, src)
        before = self.match
        try:
            agreed = self.record.commit([move], src, force=free and self._says_again(move, refused))
        except IllegalMove as error:
            if not free:
                self._not_legal(move, src, error, now)
                return
            if self._told_by(move, now):
                return
            agreed = self.record.commit([move], src, force=True)
        hand = self.sight.hand
        self._agree(agreed, now)
        if hand:
            self._changes.open.closed_below_a_hand(before, move, self.match, now)

    def _says_again(self, move: Move, refused: tuple[Move, object] | None) -> bool:
        """True if people were told why ``move`` is refused, or what it may have been the end of."""
        offered = self.reading.candidates if self.reading is not None and self.sight.offers else ()
        told = bool(offered) and all(move in candidate.moves for candidate in offered)
        return told or (refused is not None and refused[0] == move)

    def _not_legal(self, move: Move, src: Source, error: IllegalMove, now: float) -> None:
        """Take in what a touch may have meant; else refuse it."""
        if self.record.made_by_itself(move):
            return
        if (late := forgotten(self.match, move)) is not None:
            self._changes.amend(*late, src)
            self._reread(now)
            return
        if self._told_by(move, now):
            return
        if self.sight.hand and self._waiting.held is None:
            # What the hand does will show whether it is allowed.
            self._waiting.held = move, src
            return
        self._refuse(move, error)

    def _offer(self, ways: Reading | None) -> bool:
        """Offer readings to choose from, if there are any and somebody here may choose."""
        offered = ways is not None and any(map(self.rights.ours, ways.candidates))
        self.sight.offer(self.match, ways if offered else None)
        return offered

    def _told_by(self, move: Move, now: float) -> bool:
        """Offer the readings that hold what was touched; False if there are none."""
        ways = self.sight.ways_out(self.match, self._changes.open, move)
        if ways is None or not self._offer(ways):
            return False
        self._conclude(now)
        return True

    def _refuse(self, move: Move, error: IllegalMove) -> None:
        self._waiting.refusal = (move, error.objections)
        self._changes.events.append(Refused(error.objections, self.record.touched(move)))

    def _let_go(self, now: float) -> None:
        """Enter what was touched below a hand, now that the camera has seen what the hand did."""
        if self._waiting.held is None:
            return
        (move, src), self._waiting.held = self._waiting.held, None
        try:
            self._agree(self.record.commit([move], src), now)
        except IllegalMove as error:
            if not self.record.made_by_itself(move):
                self._refuse(move, error)

    def _tap_all(self, moves: Sequence[Move], src: Source, now: float) -> None:
        self._waiting.refusal = None
        self.rights.decide(moves)
        try:
            self._commit(moves, src, now, joined=True)
        except IllegalMove as error:
            self._waiting.refusal = (error.move, error.objections)
            self._changes.events.append(Refused(error.objections, ()))

    def _deal_for_people(self, src: Source, now: float) -> None:
        self._waiting.refusal = None
        before = self.match.layout
        if moves := self.record.dealt_for_people():
            self._commit(moves, src, now, joined=True)
            self.record.ask_to_lay_out(before)

    def _undo(self, count: int, src: Source, now: float) -> None:
        offended, self._waiting.refusal = self._offended, None
        if offended:
            return
        number = self.record.undone_by(count)
        if number and self.rights.let_go(number, src):
            self._changes.take_back(number, src)
            self._changes.deal()
            self._reread(now)

    def _redo(self, src: Source, now: float) -> None:
        self._waiting.refusal = None
        if self.match.undone:
            self.rights.decide([self.match.undone[-1].move])
            self._agree(self.record.redo(src), now)
        while self.match.undone and self.seats.computer_decides(
            self.match, self.match.undone[-1].move
        ):
            self._agree(self.record.redo(Source.COMPUTER), now)

    def _propose_roll(self, discs: Sequence[RolledDisc]) -> None:
        """Ask what a rolling disc did; nothing is agreed before somebody has answered."""
        if not self.seats.asked(self.match):
            return
        self._waiting.rolled = roll_candidates(self.match, discs)
        if self._waiting.rolled:
            self._waiting.refusal = None
            self._changes.events.append(Asked(self._waiting.rolled))

    def _choose(self, index: int, src: Source, now: float) -> None:
        offered = () if self.reading is None else self.reading.candidates
        candidates = self._waiting.rolled or offered
        if 0 <= index < len(candidates):
            self._accept(candidates[index], src, now)

    def _accept(self, candidate: Candidate, src: Source, now: float) -> None:
        if not self.rights.ours(candidate):
            raise DecidedElsewhere("decided_elsewhere")
        if candidate.takeback:
            self._changes.take_back(candidate.takeback, src)
        if candidate.moves:
            self._commit(candidate.moves, src, now)
        else:
            self._changes.deal()
            self._reread(now)

    def _play_anyway(self, src: Source, now: float) -> None:
        if self._waiting.refusal is not None:
            move, _ = self._waiting.refusal
            if self.record.possible(move):
                self._commit((move,), src, now, force=True)
        elif self.reading is not None and self.reading.anyway:
            self._commit(self.reading.anyway, src, now, force=True)
        else:
            self._trust_board(src, now)

    def _trust_board(self, src: Source, now: float) -> None:
        reading = self.reading
        if reading is None:
            return
        if reading.candidates:
            self._accept(reading.candidates[0], src, now)
        elif reading.anyway:
            self._commit(reading.anyway, src, now, force=True)
        else:
            self._ignore_camera(now)  # No move explains it; it may lie there all the same.

    def _ignore_camera(self, now: float) -> None:
        self._waiting.refusal = None
        if self._waiting.rolled:
            self._waiting.rolled = ()
            return
        if self.reading is not None:
            self.sight.disbelieve(self.match)
            self._reread(now)

    # -- computer players and tips ------------------------------------------------------------

    def _play_chosen(self, chosen: ComputerPlays, now: float) -> None:
        """Take what a computer player has chosen into the record; hands follow it then."""
        seat, before = self.company.thinks, self.match.layout
        if seat is None or any(move.player != seat for move in chosen.moves):
            return
        agreed = self.record.commit(chosen.moves, Source.COMPUTER, joined=True)
        self.company.has_played(chosen, agreed.moves, seat)
        self._agree(agreed, now)
        if self.match.physical and self._judge.state is TableState.BLIND:
            self.record.ask_to_set(before, SET_FOR_COMPUTER)

    # -- one match at two tables --------------------------------------------------------------

    def _follow(self, told: Sequence[Told], now: float) -> None:
        """Let the record say what was decided at the other table."""
        before = self.match.layout
        forced = self._changes.follow(told)
        if forced and self.enforcement is Enforcement.ADVISE:
            self._changes.events.append(Trouble(notice("forced_there")))
        self._judge.forget_advice()
        if self._judge.state is TableState.BLIND:
            self.record.ask_to_set(before)
        self._reread(now)

    def _grant(self, number: int, now: float) -> None:
        """Take back what the other table decided last, because people there want that."""
        if self.rights.grants(number):
            self._changes.take_back(number, Source.ELSEWHERE)
            self._changes.follow_up(Source.ELSEWHERE)
            self._reread(now)

    # -- the record changes -----------------------------------------------------------------

    def _commit(
        self, moves: Sequence[Move], src: Source, now: float, *,
        force: bool = False, joined: bool = False,
    ) -> None:  # fmt: skip
        self._changes.commit(moves, src, force=force, joined=joined)
        self._reread(now)

    def _agree(self, agreed: MovesCommitted, now: float) -> None:
        self._changes.agree(agreed)
        self._reread(now)
