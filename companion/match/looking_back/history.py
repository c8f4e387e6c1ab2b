"""A match move by move: what was played, how the scores went, and what a correction would do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.journal.entries import Header
from companion.journal.events import EntryAmended, Event, MatchEnded, TipGiven
from companion.journal.fold import Fold, begin, replay
from companion.match.view import TableView, still_view
from rules.box import load_box
from rules.core import GameError, Move, Objection, State
from rules.match import Entry, Match

BREAK_S = 1800.0
"""Pause after which people count as away, seconds."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of the record."""

    number: int
    """Counted from 1."""
    move: Move
    """Public form of the move; all of it once the match is over."""
    entry: Entry
    objections: tuple[Objection, ...]
    """Objections of the rules; empty unless it was played all the same."""
    penalties: int
    """Breaches that were noted before it (enforcement ``penalise``)."""
    sites: tuple[str, ...]
    way: tuple[str, ...]
    turn: int
    """Number of the turn it belongs to, from 1."""
    tips: tuple[TipGiven, ...] = ()
    """The tips that were asked for before it, also before moves that were taken back; while the
    match goes on only their number means anything to others."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A later move that a correction would make wrong."""

    ply: int
    """Counted from 1."""
    move: Move
    objections: tuple[Objection, ...]
    possible: bool
    """True if hands could still make it; False: it cannot even be kept against the rules."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """The record after a correction that is not written yet."""

    ply: int
    """The move (from 1) that is replaced."""
    entries: tuple[Entry, ...]
    """The moves from there on, those that conflict marked as against the rules."""
    objections: tuple[Objection, ...]
    """Objections to the new move itself."""
    conflicts: tuple[Conflict, ...]
    left_out: int
    """Moves at the end that no hand could make any more."""


class Recording:
    """A match as in the journal, looked at from any of its moves."""

    def __init__(self, header: Header, events: Sequence[Event]) -> None:
        self.header = header
        fold = replay(header, events)
        match = fold.match
        self.outcome = match.outcome
        self.players = match.players
        self.colours, self.options = match.colours, match.options
        self._box = load_box(match.game.box).for_game(match.game.id)
        self._entries = match.log
        self._walk = begin(header)
        self.taken_back = fold.taken_back
        """Number of moves that were taken back and do not count."""
        self.amended = fold.amended
        """Number of wrong entries that were put right afterwards."""
        at_table = _at_table(events)
        self.ended_s = at_table[-1].t_utc if at_table else header.created_s
        self.played_s = _played_s(header, at_table)
        """Time it was played, without breaks, seconds."""
        self.scores = score_history(match)
        """Points by seat before the first move and after each."""
        self.plies = _plies(fold)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def sealed(self) -> bool:
        """True if it goes on against a computer player whose cards the program deals: playing on in
        a copy, or putting one of its moves right, would reveal them."""
        if self.outcome is not None or type(self._walk.state).view is State.view:
            return False
        header = self.header
        return any(
            header.computer(seat) and (not header.physical or seat in header.dealt)
            for seat in range(self.players)
        )

    def by_computer(self, ply: int) -> bool:
        """True if a computer player decided move ``ply`` (from 1)."""
        player = self._entries[ply - 1].move.player
        return player is not None and bool(self.header.computer(player))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The moves that count."""
        return self._entries

    def match_at(self, ply: int) -> Match:
        """The match after its first ``ply`` moves: a copy to be played with."""
        self._go_to(ply)
        return self._walk.clone()

    def view(self, ply: int) -> TableView:
        """Public view of the table after the first ``ply`` moves."""
        self._go_to(ply)
        if not ply:
            return still_view(self.header, self._walk, 1, None)
        last = self.plies[ply - 1]
        sites = tuple(site for site in last.sites if site in self._box.sites)
        return still_view(self.header, self._walk, last.turn, last.move, sites, last_way=last.way)

    def choices(self, ply: int) -> tuple[Move, ...]:
        """Legal moves that could have been played instead of move ``ply`` (from 1), sorted."""
        self._go_to(ply - 1)
        return tuple(m for m in self._walk.legal_moves() if m != self._entries[ply - 1].move)

    def _go_to(self, ply: int) -> None:
        if not 0 <= ply <= len(self._entries):
            raise IndexError(f"the match has {len(self._entries)} moves, not {ply}")
        walk = self._walk
        while walk.ply > ply:
            walk.pop()
        for entry in self._entries[walk.ply : ply]:
            walk.play(entry)


def _at_table(events: Sequence[Event]) -> Sequence[Event]:
    """Events while it was played: a wrong entry may be put right a year after the end."""
    over = False
    for number, event in enumerate(events):
        if over and isinstance(event.what, EntryAmended):
            return events[:number]
        over = over or isinstance(event.what, MatchEnded)
    return events


def _played_s(header: Header, events: Sequence[Event]) -> float:
    moments = [header.created_s, *(event.t_utc for event in events)]
    gaps = (then - before for before, then in itertools.pairwise(moments))
    return sum(gap for gap in gaps if 0 < gap < BREAK_S)


def _plies(fold: Fold) -> tuple[Ply, ...]:
    match, turn, asked = fold.match, 1, None
    # While it goes on the list shows no more than the table has seen.
    told: Sequence[Move] = [played.entry.move for played in fold.played]
    if match.outcome is None:
        told = match.state.remembered([played.public for played in fold.played])
    found = []
    for number, (played, move) in enumerate(zip(fold.played, told, strict=True), 1):
        if played.asked is not None:
            turn += asked not in (None, played.asked)
            asked = played.asked
        noted = fold.penalties.count(number - 1)
        tips = tuple(tip for ply, tip in fold.tips if ply == number - 1)
        found.append(
            Ply(
                number, move, played.entry, played.objections, noted, played.sites, played.way,
                turn, tips,
            )
        )  # fmt: skip
    return tuple(found)


def score_history(match: Match) -> tuple[tuple[int, ...], ...]:
    """Points by seat before the first move of ``match`` and after each; nothing where the game
    counts none."""
    if not match.game.counts_points:
        return ()
    state = match.beginning()
    scores = [state.scores()]
    for entry in match.log:
        state.apply(entry.move)
        scores.append(state.scores())
    return tuple(scores)


def amended(match: Match, ply: int, move: Move, later: Iterable[Entry] = ()) -> Amendment:
    """The record with its move ``ply`` (from 1) replaced by ``move``.

    ``match`` is before that move (and is not changed), ``later`` are the moves after it, the
    replaced one not included. Raises GameError if no hand could make ``move``.
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
            possible = entry.move in set(trial.state.pseudo_moves())
            conflicts.append(Conflict(number, entry.move, against, possible))
        try:
            trial.force(entry.move)
        except GameError:
            # Nothing after it can be judged any more.
            return Amendment(
                ply, tuple(entries), objections, tuple(conflicts), len(rest) - len(entries) + 1
            )
        entries.append(Entry(entry.move, forced=bool(against)))
    return Amendment(ply, tuple(entries), objections, tuple(conflicts), 0)
