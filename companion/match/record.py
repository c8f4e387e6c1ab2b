"""What is agreed at a table: one match and its journal, always in step.

Every change is on the disk before the match changes, and before anybody hears of it. The answers
are events for the table to tell; nothing here knows a camera or a clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.journal.entries import FINISHED, OPEN, Event, Header, JournalError
from companion.journal.store import Journal
from companion.match.events import Agreed, Over, TookBack
from companion.match.history import write_amendment
from companion.match.standings import is_new_record, results
from rules.box import load_box
from rules.core import Actor, GameError, Move, Objection
from rules.match import Entry, Match

__all__ = ["MatchRecord"]


@dataclass(frozen=True, slots=True)
class _Past:
    """What was known when a move was made."""

    asked: int | None
    public: Move
    sites: tuple[str, ...]


class MatchRecord:
    """One match as its journal has it; the replay of all its events when it is made.

    Raises JournalError if an event does not fit.
    """

    def __init__(self, journal: Journal, header: Header) -> None:
        self.journal, self.header = journal, header
        self.match = Match(
            header.game,
            header.players,
            header.options,
            physical=header.physical,
            seed=header.seed,
        )
        self.new_record = False
        """The match is over and better than all before it in its best list."""
        self.about_stickers: frozenset[str] = frozenset()
        """Groups of pieces of which players said whether they carry stickers."""
        self.stickered: frozenset[str] = frozenset()
        """Those of them that do."""
        self._past: list[_Past] = []
        self._closed = False
        """The end is written down."""
        for event in journal.events(header.id):
            self._replay(event)

    # -- what it says -----------------------------------------------------------------------

    @property
    def public_log(self) -> Sequence[Move]:
        """The moves as everybody may still know them; some games forget on purpose (TK23)."""
        public = [past.public for past in self._past]
        return self.match.game.remembered(self.match.state, public)

    @property
    def turn(self) -> int:
        """Number of the current turn, counted from 1."""
        askers = [past.asked for past in self._past if past.asked is not None]
        prompt = self.match.prompt
        if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
            askers.append(prompt.player)
        return 1 + sum(1 for a, b in pairwise(askers) if a != b)

    @property
    def last_sites(self) -> tuple[str, ...]:
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

    def undone_by(self, count: int) -> int:
        """How many moves go back if players take ``count`` of theirs back; 0 if there are none.

        Dealt cards go back together with the decision they followed.
        """
        log, number = self.match.log, 0
        for _ in range(count):
            while number < len(log) and log[-1 - number].move.actor is Actor.DEALER:
                number += 1
            if number < len(log):
                number += 1
        decided = number and any(e.move.actor is not Actor.DEALER for e in log[-number:])
        return number if decided else 0

    def possible(self, move: Move) -> bool:
        """Whether hands could make this move, allowed or not."""
        return move in set(self.match.game.pseudo_moves(self.match.state))

    def touched(self, move: Move) -> tuple[str, ...]:
        """The sites that ``move`` would touch, if hands could make it."""
        if not self.possible(move):
            return ()
        return tuple(self.match.game.touches(self.match.state, move))

    # -- moves ------------------------------------------------------------------------------

    def commit(self, moves: Sequence[Move], src: str, *, force: bool = False) -> Agreed:
        """Take moves into the record; ``force``: against the rules too."""
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
        return _agreed(pasts, src, forced)

    def redo(self, src: str) -> Agreed:
        """Take the move that was taken back last in once more; there must be one."""
        entry = self.match.undone[-1]
        body: dict[str, object] = {"move": entry.move.text}
        if entry.forced:
            body["forced"] = True
        self.journal.append(self.header.id, "move", body, src)
        past = self._note(entry.move)
        self.match.redo()
        return _agreed([past], src, entry.forced)

    def deal(self) -> Iterator[Agreed]:
        """Let chance answer what it can without people."""
        while (move := self.match.next_chance()) is not None:
            self.journal.append(self.header.id, "move", {"move": move.text}, "dealer")
            past = self._note(move)
            self.match.push(move)
            yield _agreed([past], "dealer")

    def close(self, src: str) -> Over | None:
        """Write the end down, if the match is over and it does not stand there yet."""
        outcome = self.match.outcome
        if outcome is None or self._closed:
            return None
        self.journal.append_all(self.header.id, [("end", outcome.to_json(), src)], FINISHED)
        self._closed = True
        return Over(outcome, self._is_new_record())

    # -- corrections ------------------------------------------------------------------------

    def take_back(self, number: int, src: str) -> TookBack:
        """Take the last ``number`` moves out of the record."""
        status = OPEN if self.match.outcome is not None else None
        self.journal.append_all(self.header.id, [("takeback", {"count": number}, src)], status)
        self._closed = False
        moves = list(reversed(self.public_log[-number:]))
        sites: list[str] = []
        for _ in range(number):
            self.match.pop()
            sites += self._past.pop().sites
        return TookBack(tuple(moves), tuple(sites))

    def amend(self, ply: int, moves: Sequence[str], src: str) -> tuple[TookBack, Agreed]:
        """Put a wrong entry right: moves taken back, others appended, all of it at once.

        Both events tell of all places concerned. Raises JournalError and changes nothing if the
        moves do not fit.
        """
        try:
            entries = [Entry(Move.parse(text)) for text in moves]
        except GameError as error:
            raise JournalError(f"the correction does not fit: {error}") from error
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
        took = TookBack(tuple(past.public for past in before), sites)
        return took, Agreed(tuple(past.public for past in after), src, sites)

    def closed_by_amendment(self) -> Over | None:
        """The end, if a correction brought it about; the match goes on otherwise."""
        outcome = self.match.outcome
        self._closed = outcome is not None
        if outcome is not None:
            return Over(outcome, self._is_new_record())
        self.journal.set_status(self.header.id, OPEN)
        return None

    # -- other entries ----------------------------------------------------------------------

    def penalise(self, player: int, objection: Objection) -> None:
        """Note a breach; it changes no position."""
        body = {"player": player, "rule": objection.rule, "code": objection.code}
        self.journal.append(self.header.id, "penalty", body, "camera")

    def answer_stickers(self, groups: Collection[str], have: bool, src: str) -> None:
        """Note what players said: these groups of pieces do carry stickers, or do not."""
        body = {"groups": sorted(groups), "have": have}
        self.journal.append(self.header.id, "stickers", body, src)
        self._learn_stickers(groups, have)

    # -- private ----------------------------------------------------------------------------

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
                self._closed = False
            elif event.type == "end":
                self._closed = self.match.outcome is not None
            elif event.type == "stickers":
                self._learn_stickers(
                    [str(group) for group in event.body["groups"]], bool(event.body["have"])
                )
        except (GameError, KeyError, TypeError, ValueError) as error:
            raise JournalError(
                f"match {self.header.id}, event {event.seq} does not fit: {error}"
            ) from error

    def _learn_stickers(self, groups: Collection[str], have: bool) -> None:
        self.about_stickers |= frozenset(groups)
        # The last word counts.
        self.stickered = self.stickered | set(groups) if have else self.stickered - set(groups)

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

    def _is_new_record(self) -> bool:
        self.new_record = False
        if self.match.game.achievement(self.match.state) is not None:
            found = results(self.journal, self.match.game.id)
            self.new_record = any(
                r.header.id == self.header.id and is_new_record(found, r) for r in found
            )
        return self.new_record


def _agreed(pasts: Sequence[_Past], src: str, forced: bool = False) -> Agreed:
    sites = tuple(site for past in pasts for site in past.sites)
    return Agreed(tuple(past.public for past in pasts), src, sites, forced)
