"""Replays a match of a club's table from its public events.

The rules referee it like a match with real pieces: they know what was shown and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.journal.entries import Header, JournalError
from companion.journal.events import MISFIT, MovePlayed, TakenBack, from_row
from companion.journal.fold import Fold
from companion.match.public_log import last_sites, public_log, turn_of
from rules.core import Move
from rules.match import Match

__all__ = ["Spectated"]


class Spectated:
    """One match, kept up by ``take``. Raises JournalError for a header or a game that is unknown.

    It can be looked at like a table's own record (``companion.web.snapshot.Recorded``).
    """

    def __init__(self, name: str, header: Mapping[str, Any]) -> None:
        told = Header.from_json({**header, "id": name, "seed": ""})
        fold = Fold(told)
        # Of a ledger everything is known; nothing else is ever dealt here.
        ledger = fold.match.game.keeps_ledger(fold.match.options)
        self.header = replace(told, physical=told.physical or not ledger)
        self._fold = Fold(self.header)
        self._spans: list[int] = []
        """For each move of the table's record: how many moves it is here."""
        self.seq = 0
        """Number of the last event that was taken."""

    def take(self, seq: int, type: str, body: Mapping[str, Any]) -> None:
        """The next event. Raises JournalError if it does not fit."""
        try:
            what = from_row(type, body)
            match what:
                case MovePlayed(move, forced, joined):
                    shown = [Move.parse(str(text)) for text in body.get("shown", [move.text])]
                    for number, one in enumerate(shown):
                        self._fold.take(MovePlayed(one, forced, joined or number > 0))
                    self._spans.append(len(shown))
                case TakenBack(count):
                    gone = sum(self._spans[-count:])
                    del self._spans[-count:]
                    if gone:
                        self._fold.take(TakenBack(gone))
                case _:
                    self._fold.take(what)
        except MISFIT as error:
            raise JournalError(
                "event_damaged", match=self.header.id, event=seq, reason=error
            ) from error
        self.seq = seq

    @property
    def match(self) -> Match:
        """The match as it stands; ``take`` changes it."""
        return self._fold.match

    @property
    def public_log(self) -> Sequence[Move]:
        """The moves as everybody may still know them."""
        return public_log(self._fold)

    @property
    def turn(self) -> int:
        """Number of the current turn, counted from 1."""
        return turn_of(self._fold)

    @property
    def last_sites(self) -> tuple[str, ...]:
        """The sites of the last player's turn so far."""
        return last_sites(self._fold)

    def still(self) -> Spectated:
        """A copy that nobody changes."""
        other = object.__new__(Spectated)
        other.header, other.seq = self.header, self.seq
        other._fold, other._spans = self._fold.clone(), list(self._spans)
        return other
