"""One match at two tables: which of them decides, and how one record follows the other.

Each table keeps a journal of its own, and only the table where the next decision is made adds to
the record. So of the two records one is always the beginning of the other, whatever is lost on the
way or ends in between, and following means adding what is missing. Taking a move back once the
other table is to decide is a wish, which that table fulfils unless it has decided something
meanwhile. Each table judges what comes from the other by the strictness both agreed on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.journal.entries import Header
from companion.journal.events import EntryAmended, MovePlayed, TakenBack, Told
from companion.journal.fold import Fold, Played
from companion.match.messages import RemoteSync, RemoteUndo
from companion.settings.enforcement import Enforcement
from companion.words.errors import HeelstoneError
from rules.core import Actor, GameError, Move
from rules.match import Entry, Match


class DecidedElsewhere(HeelstoneError):
    """The decision is not this table's alone; the sentence says so."""


class Misfit(HeelstoneError):
    """The other table's events cannot follow from the record here."""


class Seats:
    """The seats at this table. ``here``: its seats, empty if all are; ``computers``: those for
    which a computer player decides."""

    def __init__(self, here: Collection[int], computers: Collection[int] = ()) -> None:
        self.here, self.computers = frozenset(here), frozenset(computers)

    def asked(self, match: Match) -> bool:
        """True if people at this table make the next decision."""
        return self.at_this_table(match) and self.computer(match) is None

    def at_this_table(self, match: Match) -> bool:
        """True if the next decision is made at this table, by people or a computer player."""
        return not self.here or decided_by(match) in self.here

    def computer(self, match: Match) -> int | None:
        """The seat for which a computer player decides what comes next; None: none does."""
        prompt = match.prompt
        if prompt is None or prompt.actor is not Actor.PLAYER:
            return None
        return prompt.player if prompt.player in self.computers else None

    def computer_decides(self, match: Match, move: Move) -> bool:
        """True if a computer player is asked, and decides ``move``."""
        asked = self.computer(match)
        return asked is not None and move.player == asked

    def close_turns(self, match: Match, legal: Sequence[Move]) -> bool:
        """True if a turn in which nothing is left to do does not wait for hands that close it: the
        other table, or a computer player, moves in it or next. ``legal``: all legal moves."""
        if self.here or not self.computers or self.computer(match) is not None:
            return bool(self.here or self.computers)
        if len(legal) != 1 or legal[0].verb != "done":
            return False
        trial = match.clone()
        trial.play(Entry(legal[0]))
        trial.deal()
        return self.computer(trial) is not None

    def own(self, match: Match, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The first of ``moves``, played one after the other, as far as this table decides them."""
        if not self.here and not self.computers:
            return tuple(moves)
        trial, own = match.clone(), []
        for move in moves:
            if not self.asked(trial) or (self.here and not _by(move, self.here)):
                break
            own.append(move)
            trial.play(Entry(move))
        return tuple(own)

    def own_last(self, played: Sequence[Played], number: int) -> bool:
        """True if the other table decided none of the last ``number`` moves."""
        return not self.here or _all_by(self.here, played, number)

    def trailing(self, played: Sequence[Played]) -> Sequence[Played]:
        """Moves that were decided elsewhere, or by computer players, since people here decided."""
        if not self.here and not self.computers:
            return ()
        own = (self._decided_here(one) for one in reversed(played))
        number = next((n for n, decided in enumerate(own) if decided), len(played))
        return _last(played, number)

    def by_computer(self, one: Played) -> bool:
        """True if a computer player decided a move."""
        return one.asked in self.computers

    def _decided_here(self, one: Played) -> bool:
        here = not self.here or one.seat in self.here
        return here and not one.by_itself and not self.by_computer(one)

    def theirs_last(self, played: Sequence[Played], number: int) -> bool:
        """True if this table decided none of the last ``number`` moves."""
        return all(one.by_itself or one.seat not in self.here for one in _last(played, number))


def may_force(header: Header) -> bool:
    """True if a move against the rules may count. People at one table can agree on that at any
    moment; two tables have agreed beforehand."""
    lax = (Enforcement.OFF, Enforcement.ADVISE)
    return header.together is None or header.enforcement in lax


def decided_by(match: Match) -> int:
    """The seat that makes the next decision; the first one for what concerns all."""
    prompt = match.prompt
    return 0 if prompt is None or prompt.player is None else prompt.player


def answer_to(
    mine: Sequence[Told], theirs: Sequence[Told], wish: int
) -> RemoteSync | RemoteUndo | None:
    """Reaction of the table that told ``mine`` to what the other tells, and wishes; None: nothing.

    Raises Misfit if neither of the two is the beginning of the other.
    """
    common = min(len(mine), len(theirs))
    if list(mine[:common]) != list(theirs[:common]):
        raise Misfit("misfit_elsewhere")
    if len(theirs) > len(mine):
        return RemoteSync(len(mine), tuple(theirs[len(mine) :]))
    if wish and len(theirs) == len(mine):
        return RemoteUndo(len(mine), wish)
    return None


def follow(fold: Fold, told: Sequence[Told], here: Collection[int], *, granted: int) -> Fold:
    """The record with what the other table told; ``fold`` stays as it is.

    ``granted``: number of moves of this table that the other may take back first, because it was
    asked to. Raises Misfit if it may not have decided that, or if that is not possible.
    """
    trial, seats = fold.clone(), Seats(here)
    for what in told:
        if seats.asked(trial.match):
            raise Misfit("misfit_elsewhere")
        try:
            match what:
                case MovePlayed(move, forced, joined):
                    public = trial.match.state.public(move, None)
                    if move != public or move.player in seats.here:
                        raise Misfit("misfit_elsewhere")
                    if forced and not may_force(fold.header):
                        raise Misfit("forced_elsewhere")
                    if trial.play(move, force=forced, joined=joined) != what:
                        raise Misfit("misfit_elsewhere")
                case TakenBack(count):
                    _may_take_back(trial, count, seats, granted)
                    trial.take(what)
                case EntryAmended(ply):
                    if not 1 <= ply <= trial.match.ply + 1:
                        raise Misfit("misfit_elsewhere")
                    trial.take(what)
        except GameError as error:
            raise Misfit("misfit_elsewhere") from error
        granted = 0
    return trial


def _may_take_back(trial: Fold, count: int, seats: Seats, granted: int) -> None:
    if not 1 <= count <= trial.match.ply:
        raise Misfit("misfit_elsewhere")
    if seats.theirs_last(trial.played, count):
        return
    if count != granted or not seats.own_last(trial.played, count):
        raise Misfit("misfit_elsewhere")


def _by(move: Move, here: frozenset[int]) -> bool:
    """True if it is a move of a player ``here``, or of none."""
    return move.player is None or move.player in here


def _all_by(here: frozenset[int], played: Sequence[Played], number: int) -> bool:
    return all(one.by_itself or one.seat in here for one in _last(played, number))


def _last(played: Sequence[Played], number: int) -> Sequence[Played]:
    return played[len(played) - number :] if number else ()
