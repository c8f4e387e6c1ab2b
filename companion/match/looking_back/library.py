"""The library: matches that were played, to look at, try out, correct and export.

It has its own connection to the journal, so that looking back never disturbs a match that
is under way on another thread.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.journal.entries import ABANDONED, FINISHED, Header, JournalError
from companion.journal.events import MovePlayed, Source
from companion.journal.file_names import ENDING, PICTURE, free_place, match_file_name
from companion.journal.fold import know_board
from companion.journal.store import Journal
from companion.match.looking_back.history import Amendment, Recording, amended
from companion.match.looking_back.judgements import Judgements
from companion.match.looking_back.judging import Judging
from companion.match.looking_back.standings import MatchResult, results
from companion.match.practice.sandbox import SandboxMatch
from companion.match.record import MatchRecord
from companion.settings.manners import Manners
from companion.settings.writing import write_whole
from rules.core import Move, Outcome
from rules.games import find_game
from rules.match import Entry
from rules.telling import Teller

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listed:
    """A line in the list of matches."""

    header: Header
    status: str
    """``open``, ``finished`` or ``abandoned``."""
    outcome: Outcome | None


class Library:
    """All matches of one journal; ``exports`` is the folder that exported ones are written to.

    ``judging``: where it is worked out what turned them.
    """

    def __init__(self, journal: Journal, exports: Path, judging: Judging | None = None) -> None:
        self._journal, self.exports = journal, exports
        self.judging = judging or Judging(Judgements(None))

    def close(self) -> None:
        """Release the journal."""
        self._journal.close()

    def matches(self) -> list[Listed]:
        """All matches of which something was played, the newest first."""
        found = []
        for summary in self._journal.matches():
            header = summary.header
            if not summary.played and summary.status != FINISHED:
                # Only set out, and then something else was done.
                continue
            try:
                know_board(header)
            except JournalError as error:
                log.warning("a match is left out: %s", error)
                continue
            found.append(Listed(header, summary.status, self._journal.ending(header.id)))
        return found

    def recording(self, match_id: str) -> Recording:
        """A match move by move; raises JournalError."""
        header = self._journal.header(match_id)
        return Recording(header, self._journal.events(header.id))

    def results(self) -> list[MatchResult]:
        """All finished matches, the newest first."""
        return results(self._journal)

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry]) -> None:
        """Replace the record from move ``ply`` (from 1) on; what was there stays in the journal.

        For matches that are not being played; one under way is amended by its session (``Amend``).
        Raises JournalError and changes nothing if the moves do not fit.
        """
        header = self._journal.header(match_id)
        if header.together is not None:
            # The other table would not hear of it, and its record would be another one.
            raise JournalError("amended_together")
        # An evening of last year must not ask to be resumed because it lost its last move.
        over = self._journal.status(header.id) == FINISHED
        moves = [entry.move for entry in entries]
        MatchRecord(self._journal, header).amend(
            ply, moves, Source.TOUCH, ABANDONED if over else None, to_the_end=over
        )

    def exported(self, match_id: str, lang: str) -> tuple[str, bytes]:
        """The name of a match's file, in a language, and what is in it. Raises JournalError."""
        name = self._file_name(match_id, lang, ENDING)
        text = "\n".join(self._journal.export(match_id)) + "\n"
        return name, text.encode()

    def export(self, match_id: str, lang: str = "en") -> Path:
        """Write a match as JSON lines and return the file; raises JournalError."""
        return self._written(*self.exported(match_id, lang))

    def keep_picture(self, match_id: str, lang: str, picture: bytes) -> Path:
        """Write a PNG picture of a match beside its file and return it; raises JournalError."""
        return self._written(self._file_name(match_id, lang, PICTURE), picture)

    def picture(self, match_id: str, lang: str) -> tuple[str, bytes] | None:
        """The picture that was kept of a match, and its name; None: there is none."""
        path = self.exports / self._file_name(match_id, lang, PICTURE)
        return (path.name, path.read_bytes()) if path.is_file() else None

    def _file_name(self, match_id: str, lang: str, ending: str) -> str:
        header = self._journal.header(match_id)
        know_board(header)
        title = Teller(find_game(header.game), lang, ()).game_name
        return match_file_name(title, header.created_s, header.names, ending)

    def _written(self, name: str, content: bytes) -> Path:
        path = free_place(self.exports / name, content)
        try:
            write_whole(path, content)
        except OSError as error:
            raise JournalError("export_unwritten", file=path, reason=error) from error
        return path


class Branch(SandboxMatch):
    """“What if”: a copy of a match, played on from one of its moves; the record stays as it is."""

    def __init__(self, recording: Recording, ply: int, manners: Manners | None = None) -> None:
        # Another seed: nobody must find out by trying what the real match will deal next.
        header = replace(
            recording.header,
            id=f"what-if-{recording.header.id}",
            seed=f"{recording.header.seed}/what-if",
            series="",
        )
        played = [MovePlayed(e.move, e.forced) for e in recording.entries[:ply]]
        super().__init__(header, played, manners)


def correction(recording: Recording, ply: int, move: Move) -> Amendment:
    """The record of ``recording`` with ``move`` in place of its move ``ply`` (from 1)."""
    return amended(recording.match_at(ply - 1), ply, move, recording.entries[ply:])
