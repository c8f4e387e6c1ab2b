"""Judgements of past matches, kept so that each is worked out once.

It lies beside the journal, a file for each match, and may be lost without harm: it is worked out
anew then, as it is for a match whose record was put right, and after an update that judges better.
"""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

from companion.settings.writing import write_whole
from rules.core import StateError
from rules.match import Match
from rules.players.analysis_result import Judgement

log = logging.getLogger(__name__)

MOST_KEPT = 500
"""Maximum number of files, of a few kilobytes each; the oldest go first."""


class Judgements:
    """``folder``: where they are kept; None: in memory only."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, Judgement] = {}

    def of(self, match_id: str, match: Match) -> Judgement | None:
        """Judgement of a match with exactly these moves; None if there is none."""
        name = _name(match_id, match)
        found = self._known.get(name)
        if found is None and self._folder is not None:
            found = _read(self._folder / name)
        if found is not None and found.plies == match.ply:
            self._known[name] = found
            return found
        return None

    def keep(self, match_id: str, match: Match, judgement: Judgement) -> None:
        """Keep what was found. Where that is not possible, it is known until the program ends."""
        name = _name(match_id, match)
        self._known[name] = judgement
        if self._folder is None:
            return
        try:
            write_whole(self._folder / name, json.dumps(judgement.to_json()))
            files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for file in files[:-MOST_KEPT]:
                file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("what was found about %s is not kept: %s", match_id, error)


def _read(file: Path) -> Judgement | None:
    try:
        return Judgement.from_json(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError, StateError) as error:
        log.info("%s is worked out anew: %s", file.name, error)
        return None


def _name(match_id: str, match: Match) -> str:
    """File name from match and moves: after any change of the record the old file no longer
    fits."""
    told = "\n".join([match_id, *(entry.move.text for entry in match.log)])
    return f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.json"
