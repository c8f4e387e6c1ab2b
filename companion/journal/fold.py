"""Folds the events of a match into its state: the one place where that is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import THE_JOURNAL, Header, JournalError
from companion.journal.events import (
    ClockStood,
    EntryAmended,
    Event,
    Happening,
    MatchEnded,
    MovePlayed,
    PenaltyNoted,
    StickersSaid,
    TakebackWished,
    TakenBack,
    TipGiven,
    Told,
)
from companion.words.errors import notice
from rules.core import Actor, GameError, IllegalMove, Move, Objection, Prompt
from rules.errors import Where
from rules.games import find_game, game_on_board
from rules.match import Entry, Match, answers_in_secret, only_answer, reveals


@dataclass(frozen=True, slots=True)
class Played:
    """One move of the record, and what was known when it was made."""

    entry: Entry
    public: Move
    """Public form of the move, as it was known then."""
    sites: tuple[str, ...]
    """The sites it touched."""
    asked: int | None
    """The seat that was to move; None for decisions of dealer and table."""
    by_itself: bool
    """True if it was no decision: chance, or an answer without an alternative."""
    objections: tuple[Objection, ...]
    """Objections of the rules; empty unless it was played all the same."""
    reveals: bool
    """True if it told anybody what goes on being known when it is taken back: more than its player
    says with it, or, of a computer player, what only that player knew."""
    seat: int = 0
    """Seat that was asked, or of chance, the seat it is about; 0 for what concerns all."""
    turn: int | None = None
    """Seat whose turn it was; None for decisions of dealer and table."""
    way: tuple[str, ...] = ()
    """The sites that a piece of the board passed."""


class Fold:
    """A match with everything that its journal says of it. Raises JournalError without a game. To
    change a match, try it with a ``clone``, write down what happened, and continue with the clone.
    """

    def __init__(self, header: Header, where: Where = THE_JOURNAL) -> None:
        self.header, self.match = header, begin(header, where)
        self._played: list[Played] | None = None
        self.penalties: list[int] = []
        """For every breach noted: how many moves of the record came before it."""
        self.about_stickers: frozenset[str] = frozenset()
        """Groups of pieces about which players said whether they carry stickers."""
        self.stickered: frozenset[str] = frozenset()
        """Groups of them that carry stickers."""
        self.clocks: list[tuple[int, ClockStood]] = []
        """Readings of the clock, with the number of moves in the record before each; in order."""
        self.taken_back = 0
        """Number of moves that were taken back and do not count."""
        self.amended = 0
        """Number of wrong entries that were put right afterwards."""
        self.tips: list[tuple[int, TipGiven]] = []
        """Every tip that was asked for, and how many moves of the record came before it; also those
        that led to moves taken back."""
        self.ended = False
        """True if the end has been written down."""
        self.told: list[Told] = []
        """Events so far that make the record."""
        self._wished: tuple[int, int] | None = None
        """Length of the record when it was made, and number of moves: see ``wish``."""

    def clone(self) -> Fold:
        """An independent copy."""
        other = copy(self)
        other.match, other.penalties = self.match.clone(), list(self.penalties)
        other.clocks, other.told = list(self.clocks), list(self.told)
        other.tips = list(self.tips)
        other._played = None if self._played is None else list(self._played)
        return other

    @property
    def wish(self) -> int:
        """Number of its last moves that this table asks the other one to be allowed to take
        back."""
        made, number = self._wished or (-1, 0)
        return number if made == len(self.told) else 0

    @property
    def played(self) -> Sequence[Played]:
        """The moves that count; worked out when first asked for, and kept up from then on."""
        if self._played is None:
            state, self._played = self.match.beginning(), []
            for entry in self.match.log:
                self._played.append(self._known(state, entry))
                state.apply(entry.move)
        return self._played

    def take(self, what: Happening) -> None:
        """Applies an event; raises GameError if it does not fit."""
        match what:
            case MovePlayed(move, forced, joined):
                self.play(move, force=forced, joined=joined)
            case TakenBack(count):
                self._take_back(count)
                self.told.append(what)
            case PenaltyNoted():
                self.penalties.append(self.match.ply)
            case EntryAmended():
                self.amended += 1
                self.told.append(what)
            case StickersSaid(groups, have):
                self.about_stickers |= set(groups)
                # The last word counts.
                others = self.stickered - set(groups)
                self.stickered = others | set(groups) if have else others
            case ClockStood():
                self.clocks.append((self.match.ply, what))
            case TipGiven():
                self.tips.append((self.match.ply, what))
            case TakebackWished(count):
                self._wished = len(self.told), count
            case MatchEnded():
                self.ended = self.match.outcome is not None

    def play(self, move: Move, *, force: bool = False, joined: bool = False) -> MovePlayed:
        """Play a move if it is allowed; ``force``: if hands can make it; ``joined``: it goes back
        together with the one before. Returns what happened.

        Nothing else asks whether a move on its way to the record is allowed. Raises IllegalMove and
        changes nothing.
        """
        objections = tuple(self.match.why_not(move))
        if objections and not (force and self.possible(move)):
            raise IllegalMove(move, objections)
        entry = Entry(move, forced=bool(objections), joined=joined)
        self._note(entry)
        self.match.play(entry)
        self.told.append(happened := MovePlayed(move, entry.forced, joined))
        return happened

    def redo(self) -> MovePlayed:
        """Play the move taken back last again; there must be one."""
        entry = self.match.undone[-1]
        self._note(entry)
        self.match.redo()
        self.told.append(happened := MovePlayed(entry.move, entry.forced, entry.joined))
        return happened

    def possible(self, move: Move) -> bool:
        """True if hands could make this move, allowed or not."""
        return move in set(self.match.state.pseudo_moves())

    def _note(self, entry: Entry) -> None:
        """Keep ``played`` up with a move that is about to be made."""
        if self._played is not None:
            self._played.append(self._known(self.match.state, entry))

    def _take_back(self, count: int) -> None:
        for _ in range(count):
            self.match.pop()
        if self._played is not None:
            del self._played[self.match.ply :]
        self.penalties = [before for before in self.penalties if before <= self.match.ply]
        self.clocks = [stood for stood in self.clocks if stood[0] <= self.match.ply]
        self.taken_back += count
        self.ended = False

    def _known(self, state: Any, entry: Entry) -> Played:
        """Facts about a move before it is made in ``state``."""
        match, prompt = self.match, state.prompt()
        asked = prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None
        turn = None if asked is None else state.turn_of()
        if prompt is not None and entry.move.player in prompt.together:
            asked = turn = entry.move.player
        objections = tuple(state.violations(entry.move)) if entry.forced else ()
        public, sites = state.public(entry.move, None), tuple(state.touches(entry.move))
        only = only_answer(match.game, state, physical=match.physical)
        by_itself = _is_dealt(match, state, prompt, entry.move) or only == entry.move
        told = reveals(state, entry.move, match.players)
        if not told and asked is not None and self.header.computer(asked):
            told = answers_in_secret(match.game, state)
        seat = 0 if prompt is None or prompt.player is None else prompt.player
        way = match.game.touch.way(state, entry.move)
        return Played(entry, public, sites, asked, by_itself, objections, told, seat, turn, way)


def _is_dealt(match: Match, state: Any, prompt: Prompt | None, move: Move) -> bool:
    """True if the program made ``move`` in ``state``; what a table showed, people may correct."""
    if move.actor is not Actor.DEALER:
        return False
    deals = not match.physical or (prompt is not None and prompt.player in match.dealt)
    deals = deals or (state.throw() is not None and not match.throws_lie_here)
    return deals or len(state.legal_moves()) == 1


def begin(header: Header, where: Where = THE_JOURNAL) -> Match:
    """The match of ``header`` before its first move; raises JournalError."""
    know_board(header)
    try:
        game = find_game(header.game)
        return Match(
            game,
            header.players,
            game.as_played(header.options),
            physical=header.physical,
            seed=header.seed,
            dealt=header.dealt,
        )
    except GameError as error:
        raise JournalError("match_misfit", file=where, match=header.id, reason=error) from error


def know_board(header: Header) -> None:
    """Make the players' own board that a match is played on known to the rules, if it has one.

    Raises JournalError.
    """
    if not header.board:
        return
    base, where = header.game.partition("@")[0], notice("board_of_match", match=header.id)
    try:
        game = game_on_board(base, header.board, where)
    except GameError as error:
        raise JournalError("board_misfit", reason=error) from error
    if game.id != header.game:
        raise JournalError("other_board_of_match", file=where)


def replay(header: Header, events: Iterable[Event], where: Where = THE_JOURNAL) -> Fold:
    """Fold the events of a match; raises JournalError naming the event that does not fit."""
    fold = Fold(header, where)
    for event in events:
        try:
            fold.take(event.what)
        except GameError as error:
            raise JournalError(
                "event_misfit", file=where, match=header.id, event=event.seq, reason=error
            ) from error
    return fold
