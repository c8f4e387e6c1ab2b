"""A table: one match, its journal, and the explicit state machine between camera and record.

Three things are never mixed: what is *seen* (a sighting), what is *proposed* (its reading), and
what is *agreed* (the journal). ``Table`` is plain and synchronous, driven by messages and a clock
that its caller reads; ``companion.session`` gives it a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from msgspec.structs import replace

from companion.events import (
    Agreed,
    Asked,
    Over,
    Penalised,
    Refused,
    StateEntered,
    TableEvent,
    TookBack,
    Trouble,
)
from companion.hands import Hand, hand_of, keeps_secrets
from companion.journal import FINISHED, OPEN, Event, Header, Journal, JournalError
from companion.recording import score_history, write_amendment
from companion.records import is_new_record, results
from companion.settings import Manners
from companion.view import (
    AboutStickers,
    Amend,
    BoardIsRight,
    CameraIsWrong,
    Choose,
    Enforcement,
    Intent,
    PlayAnyway,
    Redo,
    SightNote,
    TableState,
    TableView,
    TapMove,
    Undo,
)
from rules.box import load_box
from rules.core import Actor, GameError, Move, Objection, ScoreLine
from rules.match import Entry, Match
from rules.reading import Candidate, Fix, Reading, Status, read
from rules.sighting import EMPTY, Look, Sighting, SiteBelief, Stray, looks

__all__ = ["CameraGone", "Message", "ProposedRoll", "RolledDisc", "Seen", "Table", "Tick"]

NO_CAMERA = "no_camera"

MOST_ROLLS = 3
"""So many explanations of a roll are offered."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A still look at the table."""

    sighting: Sighting
    settled: bool = False
    """The picture counts as settled (a folder of pictures): nothing needs to hold still."""
    blind: str = ""
    """Why the board is not seen, as a code; empty if it is."""
    notes: tuple[SightNote, ...] = ()
    """What else is to be said about how it is seen."""


@dataclass(frozen=True, slots=True)
class CameraGone:
    """The camera does not deliver pictures."""

    reason: str = NO_CAMERA


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class RolledDisc:
    """One thing that a rolling disc may have done."""

    crossed: bool
    """It got across the run-up zone."""
    gates: tuple[str, ...]
    """Gates it passed, in order."""
    likely: float
    """Probability, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """The camera followed a disc: what it did is asked, never taken into the record by itself."""

    results: tuple[RolledDisc, ...]
    """Likeliest first."""


Message = Intent | Seen | CameraGone | Tick | ProposedRoll


@dataclass(frozen=True, slots=True)
class _Past:
    """What was known when a move was made."""

    asked: int | None
    public: Move
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Masked:
    """A sighting without the sites the players said the camera is wrong about."""

    sites: Mapping[str, SiteBelief]
    hand: bool
    strays: Sequence[Stray]


class Table:
    """One match at one table."""

    def __init__(
        self,
        journal: Journal,
        header: Header,
        manners: Manners,
    ) -> None:
        self.journal = journal
        self.header = header
        # What was chosen for this match wins over the settings; an unknown word changes nothing.
        match header.commit:
            case "stillness" | "button" as commit:
                manners = replace(manners, commit=commit)
        self.manners = manners
        self.enforcement = Enforcement(header.enforcement)
        self.match = Match(
            header.game,
            header.players,
            header.options,
            physical=header.physical,
            seed=header.seed,
        )
        self._past: list[_Past] = []
        self._new_record = False
        self._events: list[TableEvent] = []
        self._state = TableState.BLIND
        self._blind = NO_CAMERA
        self._seen: Seen | None = None
        self._reading: Reading | None = None
        self._reading_since = 0.0
        self._hand_at = float("-inf")
        self._told = False
        self._advised: tuple[Move, ...] = ()
        """Enforcement ``advise``: what was told and will be taken in as soon as play goes on."""
        self._refusal: tuple[Move, tuple[Objection, ...]] | None = None
        self._rolled: tuple[Candidate, ...] = ()
        """What a disc that was seen rolling may have done, until somebody says what it did."""
        self._awaiting: set[str] = set()
        self._ignored: dict[str, Look] = {}
        self._answered: frozenset[str] = frozenset()
        """Groups of pieces of which players said whether they carry stickers, and"""
        self._stickered: frozenset[str] = frozenset()
        """those that do."""
        for event in journal.events(header.id):
            self._replay(event)
        self._deal()

    # -- what can be seen from outside ----------------------------------------------------

    @property
    def state(self) -> TableState:
        """The visible state."""
        if self._refusal is not None:
            return TableState.ILLEGAL
        return TableState.AMBIGUOUS if self._rolled else self._state

    @property
    def reading(self) -> Reading | None:
        """The reading of the last sighting."""
        return self._reading

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Where the points come from."""
        return tuple(self.match.game.explain_scores(self.match.state))

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """Points by seat before the first move and after each, once the match is over."""
        return score_history(self.match) if self.match.outcome is not None else ()

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What each seat may see and others may not."""
        return tuple(hand_of(self.match, seat) for seat in range(self.match.players))

    def view(self, devices: Mapping[str, str] | None = None) -> TableView:
        """A frozen picture of everything."""
        match, game = self.match, self.match.game
        reading = self._reading
        state = self.state
        objections: tuple[Objection, ...] = ()
        refused: Move | None = None
        fixes: tuple[Fix, ...] = ()
        candidates: tuple[Candidate, ...] = ()
        if self._refusal is not None:
            refused, objections = self._refusal
        elif self._rolled:
            candidates = self._rolled
        elif reading is not None:
            if state is TableState.ILLEGAL:
                refused, fixes = reading.refused, reading.fixes
                objections = reading.objections if self._told else ()
            if state in (TableState.PENDING, TableState.DESYNC):
                fixes = reading.fixes
            if state in (TableState.PROPOSED, TableState.AMBIGUOUS, TableState.DESYNC):
                candidates = reading.candidates
        told = self._public_log()
        return TableView(
            match_id=self.header.id,
            game=game.id,
            box=game.box,
            players=match.players,
            options=dict(match.options),
            physical=match.physical,
            names=self.header.names,
            colours=match.colours,
            state=state,
            blind_reason=self._blind if state is TableState.BLIND else "",
            prompt=match.prompt,
            scores=match.scores,
            supplies=tuple(dict(game.supply(match.state, seat)) for seat in range(match.players)),
            items=tuple(sorted(match.layout.elements())),
            legal=tuple(match.legal_moves()),
            hints=tuple(game.hints(match.state)),
            last=told[-1] if told else None,
            last_sites=self._last_sites(),
            ply=match.ply,
            turn=self._turn(),
            started_s=self.header.created_s,
            can_undo=any(entry.move.actor is not Actor.DEALER for entry in match.log),
            can_redo=bool(match.undone),
            enforcement=self.enforcement,
            objections=objections,
            refused=refused,
            fixes=fixes,
            candidates=candidates,
            outcome=match.outcome,
            series=self.header.series,
            new_record=self._new_record and match.outcome is not None,
            secret=keeps_secrets(match),
            hold_s=self.manners.commit_s if self.manners.commit == "stillness" else 0.0,
            notes=self._notes(),
            stickered=self._stickered,
            devices=dict(devices or {}),
        )

    def _notes(self) -> tuple[SightNote, ...]:
        """What the camera has to say and nobody has answered."""
        if self._seen is None or self._seen.blind:
            return ()
        return tuple(
            note for note in self._seen.notes
            if not note.groups or frozenset(note.groups) - self._answered
        )  # fmt: skip

    # -- messages -------------------------------------------------------------------------

    def handle(self, message: Message, now: float, src: str = "touch") -> list[TableEvent]:
        """Take in one message at ``now`` (monotonic seconds); gives what happened."""
        self._events = []
        before = self.state
        try:
            match message:
                case Seen():
                    self._see(message, now)
                case CameraGone(reason):
                    self._seen = self._reading = None
                    self._blind = reason
                    self._enter(TableState.BLIND)
                case ProposedRoll(discs):
                    self._propose_roll(discs)
                case Tick():
                    self._conclude(now)
                case TapMove(text):
                    self._tap(text, src, now)
                case Undo(count):
                    self._undo(count, src, now)
                case Redo():
                    self._redo(src, now)
                case Choose(index):
                    self._choose(index, src, now)
                case AboutStickers(groups, have):
                    self._answered |= frozenset(groups)
                    self._stickered |= frozenset(groups if have else ())
                case PlayAnyway():
                    self._play_anyway(src, now)
                case CameraIsWrong():
                    self._ignore_camera(now)
                case BoardIsRight():
                    self._trust_board(src, now)
                case Amend(ply, moves, expected):
                    if expected == self.match.ply:
                        self._amend(ply, moves, src, now)
        except JournalError as error:
            self._events.append(Trouble(str(error)))
        if self.state is not before:
            self._events.append(StateEntered(self.state))
        return self._events

    def next_deadline(self) -> float | None:
        """When (monotonic seconds) something may change by time alone."""
        reading = self._reading
        if reading is None or self._seen is None or self._seen.settled:
            return None
        since, manners = self._reading_since, self.manners
        match reading.status:
            case Status.MOVE if manners.commit == "stillness":
                return since + manners.commit_s
            case Status.AMBIGUOUS:
                return since + manners.quiet_s
            case Status.ILLEGAL if not self._told:
                return since + manners.reason_s
            case Status.UNCLEAR if reading.doubt not in ("hand", "match_over"):
                return since + manners.desync_s
        return None

    # -- seeing ---------------------------------------------------------------------------

    def _see(self, seen: Seen, now: float) -> None:
        self._seen = seen
        if seen.blind:
            self._blind = seen.blind
            self._reading = None
            self._enter(TableState.BLIND)
            return
        self._reread(now)

    def _reread(self, now: float) -> None:
        """Read the last sighting against the record as it is now."""
        if self._seen is None or self._seen.blind:
            return
        sighting = self._masked(self._seen.sighting)
        if not sighting.hand:
            wanted = self._wanted_looks()
            self._awaiting = {
                site
                for site in self._awaiting
                if site in sighting.sites and sighting.sites[site].best != wanted.get(site, EMPTY)
            }
        reading = read(self.match, sighting, self._awaiting)
        if self._reading is None or _key(reading) != _key(self._reading):
            self._reading_since = now
            self._told = False
            if reading.status is not Status.SETTLED and self._refusal is not None:
                # The table moved on; what was refused by touch no longer matters.
                self._refusal = None
        self._reading = reading
        self._conclude(now)

    def _masked(self, sighting: Sighting) -> Sighting:
        if not self._ignored or sighting.hand:
            return sighting
        # The players' word holds until the camera sees something new at that place.
        self._ignored = {
            site: look
            for site, look in self._ignored.items()
            if site in sighting.sites and sighting.sites[site].best == look
        }
        sites = {s: b for s, b in sighting.sites.items() if s not in self._ignored}
        return _Masked(sites, sighting.hand, sighting.strays)

    def _wanted_looks(self) -> dict[str, Look]:
        return looks(self.match.layout)

    def _conclude(self, now: float) -> None:
        """What the current reading means after it has lasted until ``now``."""
        reading = self._reading
        if reading is None or self._seen is None:
            return
        age = float("inf") if self._seen.settled else now - self._reading_since
        manners = self.manners
        match reading.status:
            case Status.UNCLEAR if reading.doubt == "hand":
                self._hand_at = now
                self._enter(TableState.HAND)
            case Status.UNCLEAR if reading.doubt == "match_over":
                self._enter(TableState.SETTLED)
            case Status.UNCLEAR:
                if age >= manners.desync_s and not self._seen.settled:
                    self._enter(TableState.DESYNC)
            case Status.SETTLED:
                self._enter(TableState.SETTLED)
            case Status.PENDING:
                self._enter(TableState.PENDING)
            case Status.MOVE if self._state is TableState.DESYNC:
                # The camera may propose here, and never commits: somebody must agree by touch.
                pass
            case Status.MOVE:
                self._enter(TableState.PROPOSED)
                if manners.commit == "stillness" and age >= manners.commit_s:
                    self._commit(reading.moves, "camera", now)
            case Status.AMBIGUOUS:
                if age >= manners.quiet_s and self._enter(TableState.AMBIGUOUS):
                    self._events.append(Asked(reading.candidates))
            case Status.ILLEGAL:
                self._refuse_seen(reading, age, now)

    def _refuse_seen(self, reading: Reading, age: float, now: float) -> None:
        manners = self.manners
        if self.enforcement is Enforcement.OFF and reading.anyway:
            if age >= manners.commit_s:
                self._commit(reading.anyway, "camera", now, force=True)
            return
        if self._advised and set(self._advised) < set(reading.anyway):
            # It was said, and play went on all the same.
            advised, self._advised = self._advised, ()
            self._commit(advised, "camera", now, force=True)
            return
        if age < manners.quiet_s:
            return
        # One misplaced piece is a matter of rules; several are a board in disorder.
        if (reading.refused is None and len(reading.fixes) > 2) or len(reading.fixes) > 4:
            self._enter(TableState.DESYNC)
        else:
            self._enter(TableState.ILLEGAL)
        if age >= manners.reason_s and not self._told:
            self._told = True
            if self.enforcement is Enforcement.ADVISE:
                self._advised = reading.anyway
            sites = tuple(fix.site for fix in reading.fixes)
            self._events.append(Refused(reading.objections, sites))
            asked = self.match.prompt
            if (
                self.enforcement is Enforcement.PENALISE
                and reading.refused is not None
                and asked is not None
                and asked.player is not None
            ):
                player = reading.refused.player
                player = asked.player if player is None else player
                objection = reading.objections[0]
                self.journal.append(
                    self.header.id,
                    "penalty",
                    {"player": player, "rule": objection.rule, "code": objection.code},
                    "camera",
                )
                self._events.append(Penalised(player, objection))

    def _enter(self, state: TableState) -> bool:
        changed = state is not self._state
        self._state = state
        return changed

    # -- intents --------------------------------------------------------------------------

    def _tap(self, text: str, src: str, now: float) -> None:
        refused, self._refusal = self._refusal, None
        try:
            move = Move.parse(text)
        except GameError:
            move = Move.parse("table nothing")
        objections = tuple(self.match.why_not(move))
        if objections:
            insists = refused is not None and refused[0] == move
            free = self.enforcement is Enforcement.OFF or (
                self.enforcement is Enforcement.ADVISE and insists
            )
            if free and self._possible(move):
                self._commit((move,), src, now, force=True)
                return
            self._refusal = (move, objections)
            self._events.append(Refused(objections, self._touched(move)))
            return
        self._commit((move,), src, now)

    def _undo(self, count: int, src: str, now: float) -> None:
        if self._refusal is not None:
            self._refusal = None
            return
        log = self.match.log
        number = 0
        for _ in range(count):
            # Dealt cards go back together with the decision they followed.
            while number < len(log) and log[-1 - number].move.actor is Actor.DEALER:
                number += 1
            if number < len(log):
                number += 1
        if number and any(e.move.actor is not Actor.DEALER for e in log[-number:]):
            self._take_back(number, src)
            self._deal()
            self._reread(now)

    def _redo(self, src: str, now: float) -> None:
        self._refusal = None
        if not self.match.undone:
            return
        entry = self.match.undone[-1]
        body: dict[str, object] = {"move": entry.move.text}
        if entry.forced:
            body["forced"] = True
        self.journal.append(self.header.id, "move", body, src)
        past = self._note(entry.move)
        self.match.redo()
        self._agreed((past,), src, now, forced=entry.forced)

    def _propose_roll(self, discs: Sequence[RolledDisc]) -> None:
        """Ask what a rolling disc did; nothing is agreed before somebody has answered."""
        self._rolled = self.roll_candidates(discs)
        if self._rolled:
            self._refusal = None
            self._events.append(Asked(self._rolled))

    def roll_candidates(self, discs: Sequence[RolledDisc]) -> tuple[Candidate, ...]:
        """The legal moves that a rolling disc may have been, likeliest first; nothing changes."""
        ways: dict[tuple[Move, ...], float] = {}
        for disc in discs:
            moves = self.match.game.rolled(self.match.state, disc.crossed, disc.gates)
            if moves and self._playable(moves):
                ways[moves] = ways.get(moves, 0.0) + disc.likely
        ranked = sorted(ways.items(), key=lambda way: -way[1])[:MOST_ROLLS]
        # As for other candidates: relative to the best.
        return tuple(
            Candidate(moves, score=log(max(likely, 1e-6) / max(ranked[0][1], 1e-6)))
            for moves, likely in ranked
        )

    def _playable(self, moves: Sequence[Move]) -> bool:
        trial = self.match.clone()
        for move in moves:
            if trial.why_not(move):
                return False
            trial.push(move)
        return True

    def _choose(self, index: int, src: str, now: float) -> None:
        if self._rolled:
            if 0 <= index < len(self._rolled):
                self._accept(self._rolled[index], src, now)
            return
        reading = self._reading
        if reading is None or not 0 <= index < len(reading.candidates):
            return
        self._accept(reading.candidates[index], src, now)

    def _accept(self, candidate: Candidate, src: str, now: float) -> None:
        if candidate.takeback:
            self._take_back(candidate.takeback, src)
        if candidate.moves:
            self._commit(candidate.moves, src, now)
        else:
            self._deal()
            self._reread(now)

    def _play_anyway(self, src: str, now: float) -> None:
        if self._refusal is not None:
            move, _ = self._refusal
            if self._possible(move):
                self._refusal = None
                self._commit((move,), src, now, force=True)
        elif self._reading is not None and self._reading.anyway:
            self._commit(self._reading.anyway, src, now, force=True)
        else:
            self._trust_board(src, now)

    def _trust_board(self, src: str, now: float) -> None:
        reading = self._reading
        if reading is None:
            return
        if reading.candidates:
            self._accept(reading.candidates[0], src, now)
        elif reading.anyway:
            self._commit(reading.anyway, src, now, force=True)

    def _amend(self, ply: int, moves: Sequence[str], src: str, now: float) -> None:
        """Put a wrong entry right: moves taken back, others appended, all of it at once."""
        try:
            entries = [Entry(Move.parse(text)) for text in moves]
        except GameError as error:
            raise JournalError(f"the correction does not fit: {error}") from error
        self._rolled = ()
        before = self._past[ply - 1 :]
        recording = write_amendment(self.journal, self.header, ply, entries, src)
        while self.match.ply >= ply:
            self.match.pop()
            self._past.pop()
        for entry in recording.entries[ply - 1 :]:
            self._note(entry.move)
            self.match.replay([entry])
        after = self._past[ply - 1 :]
        sites = tuple(site for past in (*before, *after) for site in past.sites)
        if self._seen is not None:
            self._awaiting.update(sites)
        self._refusal = None
        self._events.append(TookBack(tuple(past.public for past in before), sites))
        self._events.append(Agreed(tuple(past.public for past in after), src, sites))
        self._deal()
        outcome = self.match.outcome
        if outcome is not None:
            self._events.append(Over(outcome, self._is_record()))
        else:
            self.journal.set_status(self.header.id, OPEN)
        self._reread(now)

    def _ignore_camera(self, now: float) -> None:
        self._refusal = None
        if self._rolled:
            self._rolled = ()
            return
        if self._seen is None or self._reading is None:
            return
        sites = self._seen.sighting.sites
        wanted = self._wanted_looks()
        for site, belief in sites.items():
            if not belief.occluded and belief.best != wanted.get(site, EMPTY):
                self._ignored[site] = belief.best
        self._reread(now)

    # -- the record -----------------------------------------------------------------------

    def _commit(self, moves: Sequence[Move], src: str, now: float, *, force: bool = False) -> None:
        """Journal first, then the match, then everybody else."""
        trial = self.match.clone()
        records: list[tuple[str, Mapping[str, object], str]] = []
        for move in moves:
            body: dict[str, object] = {"move": move.text}
            if force and trial.force(move):
                body["forced"] = True
            elif not force:
                trial.push(move)
            records.append(("move", body, src))
        self.journal.append_all(self.header.id, records)
        pasts: list[_Past] = []
        forced = False
        for move in moves:
            pasts.append(self._note(move))
            if force:
                forced |= bool(self.match.force(move))
            else:
                self.match.push(move)
        self._agreed(pasts, src, now, forced=forced)

    def _agreed(self, pasts: Sequence[_Past], src: str, now: float, *, forced: bool) -> None:
        """Tell of moves that are in the record now, and let what follows from them happen."""
        sites = tuple(site for past in pasts for site in past.sites)
        if src != "camera" and self._seen is not None:
            self._awaiting.update(sites)
        self._events.append(Agreed(tuple(past.public for past in pasts), src, sites, forced))
        self._refusal = None
        self._rolled = ()
        self._deal()
        outcome = self.match.outcome
        if outcome is not None:
            self.journal.append(self.header.id, "end", outcome.to_json(), src)
            self.journal.set_status(self.header.id, FINISHED)
            self._events.append(Over(outcome, self._is_record()))
        self._reread(now)

    def _is_record(self) -> bool:
        self._new_record = False
        if self.match.game.achievement(self.match.state) is not None:
            found = results(self.journal, self.match.game.id)
            self._new_record = any(
                r.header.id == self.header.id and is_new_record(found, r) for r in found
            )
        return self._new_record

    def _take_back(self, number: int, src: str) -> None:
        self.journal.append(self.header.id, "takeback", {"count": number}, src)
        self._rolled = ()
        if self.match.outcome is not None:
            self.journal.set_status(self.header.id, OPEN)
        moves = list(reversed(self._public_log()[-number:]))
        sites: list[str] = []
        for _ in range(number):
            self.match.pop()
            sites += self._past.pop().sites
        if src != "camera" and self._seen is not None:
            self._awaiting.update(sites)
        self._events.append(TookBack(tuple(moves), tuple(sites)))

    def _deal(self) -> None:
        """Let chance answer what it can without people."""
        while (move := self.match.next_chance()) is not None:
            body = {"move": move.text}
            self.journal.append(self.header.id, "move", body, "dealer")
            past = self._note(move)
            self.match.push(move)
            self._events.append(Agreed((past.public,), "dealer", past.sites))

    def _replay(self, event: Event) -> None:
        try:
            if event.type == "move":
                move = Move.parse(str(event.body["move"]))
                self._note(move)
                if event.body.get("forced"):
                    self.match.force(move)
                else:
                    self.match.push(move)
            elif event.type == "takeback":
                for _ in range(int(event.body["count"])):
                    self.match.pop()
                    self._past.pop()
        except (GameError, KeyError, TypeError, ValueError) as error:
            raise JournalError(
                f"match {self.header.id}, event {event.seq} does not fit: {error}"
            ) from error

    def _note(self, move: Move) -> _Past:
        """Remember what everybody may know of a move that is about to be made."""
        match = self.match
        prompt = match.prompt
        past = _Past(
            prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None,
            match.game.public(match.state, move, None),
            tuple(match.game.touches(match.state, move)),
        )
        self._past.append(past)
        return past

    def _public_log(self) -> Sequence[Move]:
        """The record as everybody may still know it; some games forget on purpose (TK23)."""
        public = [past.public for past in self._past]
        return self.match.game.remembered(self.match.state, public)

    def _possible(self, move: Move) -> bool:
        return move in set(self.match.game.pseudo_moves(self.match.state))

    def _touched(self, move: Move) -> tuple[str, ...]:
        if not self._possible(move):
            return ()
        return tuple(self.match.game.touches(self.match.state, move))

    def _turn(self) -> int:
        askers = [past.asked for past in self._past if past.asked is not None]
        prompt = self.match.prompt
        if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
            askers.append(prompt.player)
        return 1 + sum(1 for a, b in pairwise(askers) if a != b)

    def _last_sites(self) -> tuple[str, ...]:
        """The sites of the last player's turn so far."""
        sites: list[str] = []
        player: int | None = None
        for past in reversed(self._past):
            if past.asked is None or not past.sites:
                continue
            if player is None:
                player = past.asked
            if past.asked != player:
                break
            sites += past.sites
        game = self.match.game
        board = load_box(game.box).for_game(game.id).sites
        return tuple(site for site in dict.fromkeys(sites) if site in board)


def _key(reading: Reading) -> tuple[object, ...]:
    return (
        reading.status,
        reading.moves,
        reading.refused,
        reading.doubt,
        tuple((fix.site, fix.seen) for fix in reading.fixes),
        tuple((c.moves, c.takeback) for c in reading.candidates),
    )
