"""A match move by move: what was played, how the scores went, and what a correction would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.journal.entries import ABANDONED, FINISHED, Event, Header, JournalError, replay
from companion.journal.store import Journal
from companion.match.hands import keeps_secrets
from companion.match.view import TableState, TableView
from companion.settings.manners import Enforcement
from rules.box import load_box
from rules.core import Actor, GameError, Move, Objection
from rules.match import Entry, Match

__all__ = [
    "Amendment",
    "Conflict",
    "Ply",
    "Recording",
    "amended",
    "fresh_match",
    "score_history",
    "write_amendment",
]


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of the record."""

    number: int
    """Counted from 1."""
    move: Move
    """As everybody may know it; all of it once the match is over."""
    entry: Entry
    objections: tuple[Objection, ...]
    """Why the rules were against it; empty unless it was played all the same."""
    penalties: int
    """Breaches that were noted before it (enforcement ``penalise``)."""
    sites: tuple[str, ...]
    turn: int
    """Number of the turn it belongs to, from 1."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A later move that a correction would make wrong."""

    ply: int
    """Counted from 1."""
    move: Move
    objections: tuple[Objection, ...]
    possible: bool
    """Hands could make it all the same; False: it cannot even be kept against the rules."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What the record would be after a correction; nothing of it is written yet."""

    ply: int
    """The move (from 1) that is replaced."""
    entries: tuple[Entry, ...]
    """The moves from there on, those that conflict marked as against the rules."""
    objections: tuple[Objection, ...]
    """Why the rules are against the new move itself."""
    conflicts: tuple[Conflict, ...]
    left_out: int
    """Moves at the end that no hand could make any more."""


class Recording:
    """A match as the journal has it, looked at from any of its moves."""

    def __init__(self, header: Header, events: Sequence[Event]) -> None:
        self.header = header
        match = replay(header, events)
        self.outcome = match.outcome
        self.players = match.players
        self.colours = match.colours
        self._box = load_box(match.game.box).for_game(match.game.id)
        self._entries = match.log
        self._walk = fresh_match(header)
        self.taken_back = sum(int(e.body["count"]) for e in events if e.type == "takeback")
        """How many moves were taken back and do not count."""
        self.amended = sum(1 for e in events if e.type == "amended")
        """How often a wrong entry was put right afterwards."""
        self.ended_s = events[-1].t_utc if events else header.created_s
        self.scores: tuple[tuple[int, ...], ...] = ()
        """Points by seat before the first move and after each."""
        self.plies = self._read(_penalties(events))

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The moves as they count."""
        return self._entries

    def match_at(self, ply: int) -> Match:
        """The match after its first ``ply`` moves: a copy to be played with."""
        self._go_to(ply)
        return self._walk.clone()

    def view(self, ply: int) -> TableView:
        """The table after the first ``ply`` moves, as everybody may see it."""
        self._go_to(ply)
        match, game = self._walk, self._walk.game
        last = self.plies[ply - 1] if ply else None
        return TableView(
            match_id=self.header.id,
            game=game.id,
            box=game.box,
            players=match.players,
            options=dict(match.options),
            physical=match.physical,
            names=self.header.names,
            colours=match.colours,
            state=TableState.SETTLED,
            blind_reason="",
            prompt=match.prompt,
            scores=match.scores,
            supplies=tuple(dict(game.supply(match.state, s)) for s in range(match.players)),
            items=tuple(sorted(match.layout.elements())),
            legal=(),
            hints=(),
            last=last.move if last else None,
            last_sites=tuple(s for s in last.sites if s in self._box.sites) if last else (),
            ply=ply,
            turn=last.turn if last else 1,
            started_s=self.header.created_s,
            can_undo=False,
            can_redo=False,
            enforcement=Enforcement(self.header.enforcement),
            outcome=match.outcome,
            secret=keeps_secrets(match),
        )

    def choices(self, ply: int) -> tuple[Move, ...]:
        """What could have been played instead of move ``ply`` (from 1), sorted: legal moves."""
        self._go_to(ply - 1)
        return tuple(m for m in self._walk.legal_moves() if m != self._entries[ply - 1].move)

    def _go_to(self, ply: int) -> None:
        if not 0 <= ply <= len(self._entries):
            raise IndexError(f"the match has {len(self._entries)} moves, not {ply}")
        walk = self._walk
        while walk.ply > ply:
            walk.pop()
        walk.replay(self._entries[walk.ply : ply])

    def _read(self, penalties: Sequence[int]) -> tuple[Ply, ...]:
        """Walk through all moves once."""
        match, found = fresh_match(self.header), []
        scores = [match.scores]
        over = self.outcome is not None
        turn, asked = 1, None
        public: list[Move] = []
        for number, entry in enumerate(self._entries, 1):
            prompt = match.prompt
            if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
                turn += asked is not None and asked != prompt.player
                asked = prompt.player
            objections = tuple(match.why_not(entry.move)) if entry.forced else ()
            public.append(match.game.public(match.state, entry.move, None))
            sites = tuple(match.game.touches(match.state, entry.move))
            noted = penalties.count(number - 1)
            found.append(Ply(number, entry.move, entry, objections, noted, sites, turn))
            match.replay([entry])
            scores.append(match.scores)
        self.scores = tuple(scores)
        if over:
            return tuple(found)
        # While it goes on the list shows no more than the table has seen.
        told = match.game.remembered(match.state, public)
        return tuple(replace(p, move=move) for p, move in zip(found, told, strict=True))


def fresh_match(header: Header) -> Match:
    """The match of ``header`` before its first move; raises JournalError."""
    return replay(header, ())


def score_history(match: Match) -> tuple[tuple[int, ...], ...]:
    """Points by seat before the first move of ``match`` and after each."""
    state = match.game.setup(match.players, match.options, match.physical)
    scores = [match.game.scores(state)]
    for entry in match.log:
        match.game.apply(state, entry.move)
        scores.append(match.game.scores(state))
    return tuple(scores)


def amended(match: Match, ply: int, move: Move, later: Iterable[Entry] = ()) -> Amendment:
    """What becomes of a record if its move ``ply`` (from 1) is replaced by ``move``.

    ``match`` stands before that move (and is not changed), ``later`` are the moves behind it,
    the replaced one not included. Raises GameError if no hand could make ``move``.
    """
    trial = match.clone()
    objections = tuple(trial.why_not(move))
    trial.force(move)
    entries = [Entry(move, forced=bool(objections))]
    conflicts: list[Conflict] = []
    rest = tuple(later)
    for number, entry in enumerate(rest, ply + 1):
        against = tuple(trial.why_not(entry.move))
        if against and not entry.forced:
            possible = entry.move in set(trial.game.pseudo_moves(trial.state))
            conflicts.append(Conflict(number, entry.move, against, possible))
        try:
            trial.force(entry.move)
        except GameError:
            # Nothing behind it can be judged any more.
            return Amendment(
                ply, tuple(entries), objections, tuple(conflicts), len(rest) - len(entries) + 1
            )
        entries.append(Entry(entry.move, forced=bool(against)))
    return Amendment(ply, tuple(entries), objections, tuple(conflicts), 0)


def write_amendment(
    journal: Journal, header: Header, ply: int, entries: Sequence[Entry], src: str
) -> Recording:
    """Append a correction to the journal: moves taken back, and the new ones. Gives the result.

    Everything is tried first and written at once, so there is all of it or nothing. Raises
    JournalError.
    """
    before = Recording(header, journal.events(header.id))
    if not 1 <= ply <= len(before) + 1:
        raise JournalError(f"the match has {len(before)} moves; there is no move {ply} to replace")
    trial = before.match_at(ply - 1)
    try:
        for entry in entries:
            trial.force(entry.move)
    except GameError as error:
        raise JournalError(f"the correction does not fit: {error}; nothing was changed") from error
    events: list[tuple[str, Mapping[str, Any], str]] = [
        ("amended", {"ply": ply, "moves": len(before) - ply + 1}, src)
    ]
    if len(before) >= ply:
        events.append(("takeback", {"count": len(before) - ply + 1}, src))
    again = before.match_at(ply - 1)
    for entry in entries:
        body: dict[str, Any] = {"move": entry.move.text}
        if again.force(entry.move):
            body["forced"] = True
        events.append(("move", body, src))
    outcome = again.outcome
    if outcome is not None:
        events.append(("end", outcome.to_json(), src))
    status = None
    if outcome is not None:
        status = FINISHED
    elif journal.status(header.id) == FINISHED:
        # An evening of last year must not ask to be resumed because it lost its last move.
        status = ABANDONED
    journal.append_all(header.id, events, status)
    return Recording(header, journal.events(header.id))


def _penalties(events: Iterable[Event]) -> list[int]:
    """For every breach noted: how many moves of the record stood before it."""
    ply = 0
    found: list[int] = []
    for event in events:
        if event.type == "move":
            ply += 1
        elif event.type == "takeback":
            ply -= int(event.body["count"])
            found = [before for before in found if before <= ply]
        elif event.type == "penalty":
            found.append(ply)
    if ply < 0:
        raise JournalError("more moves were taken back than were made")
    return found
