"""Verifies that a journal is whole: every entry as it was written, none missing, none out of
place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import STATUSES
from companion.journal.schema import (
    EVENT_COLUMNS,
    MATCH_COLUMNS,
    SCHEMA,
    DamageError,
    begun,
    checksum,
    linked,
    sealed,
)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The row of a match, as far as it describes its events."""

    start: int
    """The hash before the first."""
    count: int
    head: int
    """The hash of the last."""


def verify(db: sqlite3.Connection) -> None:
    """Raises DatabaseError unless every entry is what was written, and all of them are there."""
    matches = dict(_matches(db))
    rows = db.execute(f"select match, {EVENT_COLUMNS[SCHEMA]} from events order by match, seq")
    for match, of_match in _by_match(rows):
        kept = matches.pop(match, None)
        if kept is None:
            raise DamageError("match_missing", match=match)
        _check_events(match, kept, of_match)
    for match, kept in matches.items():
        _check_events(match, kept, ())


def check_chain(match_id: str, header: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Raises DatabaseError unless ``rows`` (as in ``EVENT_COLUMNS``) follow on each other.

    Whether the last of them is the last that was written is not asked.
    """
    check_links(match_id, begun(match_id, header), 0, rows)


def check_links(match_id: str, link: int, seq: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """The same for rows after event ``seq``, whose hash is ``link``."""
    for row in rows:
        link, seq = _next(match_id, link, seq, row), seq + 1


def _matches(db: sqlite3.Connection) -> Iterator[tuple[str, _Kept]]:
    query = f"select {MATCH_COLUMNS[SCHEMA]} from matches order by number"
    for place, row in enumerate(db.execute(query), 1):
        match_id, header, status, total, number, events, head, seal = row
        if number != place:
            raise DamageError("matches_missing", number=place)
        if (
            total != checksum(match_id, header) or status not in STATUSES
            or seal != sealed(total, status, number, events, head)
        ):  # fmt: skip
            raise DamageError("match_changed", match=match_id)
        yield match_id, _Kept(begun(match_id, header), events, head)


def _by_match(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    of_match: list[tuple[Any, ...]] = []
    current: str | None = None
    for match, *row in rows:
        if match != current:
            if current is not None:
                yield current, of_match
            current, of_match = match, []
        of_match.append(tuple(row))
    if current is not None:
        yield current, of_match


def _check_events(match_id: str, kept: _Kept, rows: Iterable[tuple[Any, ...]]) -> None:
    last, seq = kept.start, 0
    for row in rows:
        last, seq = _next(match_id, last, seq, row), seq + 1
    if (seq, last) != (kept.count, kept.head):
        raise DamageError("events_missing", match=match_id, event=seq + 1)


def _next(match_id: str, last: int, before: int, row: tuple[Any, ...]) -> int:
    """The hash of the event after number ``before``; raises DatabaseError if it is another."""
    seq, t_utc, mono, type, src, body, _total, chain = row
    if seq != before + 1:
        raise DamageError("events_missing", match=match_id, event=before + 1)
    if chain != linked(last, seq, t_utc, mono, type, src, body):
        raise DamageError("event_changed", match=match_id, event=seq)
    return int(chain)
