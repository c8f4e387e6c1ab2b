"""Errors of the table, and what is to be said although nothing failed."""

from __future__ import annotations

from pathlib import Path

from rules.errors import Complaint, Sentence, sentence_of


class HeelstoneError(Complaint):
    """An error of the table, not of a game."""


def notice(code: str, /, **params: object) -> Sentence:
    """Sentence for people on what was put right, or can wait."""
    return HeelstoneError(code, **params).sentence


def of_file(error: Exception, place: Path | str = "") -> Sentence:
    """Sentence on an error, after the file it concerns; ``place`` if the error names none."""
    file = getattr(error, "filename", None) or place
    told = sentence_of(error)
    if isinstance(error, Complaint) or not file:
        return told
    return notice("of_file", file=Path(file), reason=told)
