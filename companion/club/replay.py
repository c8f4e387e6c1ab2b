"""Replays a match of a club's table from its public events.

The rules referee it like a match with real pieces: they know what was shown and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.journal.entries import Header, JournalError
from companion.journal.events import MISFIT, MovePlayed, TakenBack, from_row
from companion.journal.fold import Fold
from companion.match.public_log import last_sites, public_log, turn_of
from companion.match.view import still_view
from companion.presentation.snapshot import Snapshot
from rules.core import Move
from rules.match import Match

__all__ = ["Spectated"]


class Spectated:
    """One match, kept up by ``take``. Raises JournalError for an unknown header or game."""

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

    def snapshot(self) -> Snapshot:
        """The match as it is now, which nobody changes."""
        fold = self._fold.clone()
        told = tuple(public_log(fold))
        view = still_view(
            self.header, fold.match, turn_of(fold), told[-1] if told else None, last_sites(fold),
            told=told,
        )  # fmt: skip
        return Snapshot(self.header.id, self.header, fold.match, view)
