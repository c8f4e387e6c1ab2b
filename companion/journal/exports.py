"""Matches as JSON lines: how they are written for others, and read back from anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.journal.entries import OPEN, STATUSES, Header, JournalError, believable_time
from companion.journal.events import MISFIT, Event, Source, from_row, to_row
from companion.words.errors import notice
from rules.errors import Sentence, Where

__all__ = ["export_lines", "read_export"]

EXPORT_FORMAT = 1
MAX_IMPORT_BYTES = 16 << 20
MAX_IMPORT_EVENTS = 400_000
LONGEST_NAME = 64
"""Letters in a player's name; those entered here are shorter."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What ids look like; they become part of file names."""


def export_lines(header: Header, status: str, events: Iterable[Event]) -> Iterator[str]:
    """A match as JSON lines: the header, then every event."""
    head = {"heelstone": EXPORT_FORMAT, "match": header.to_json(), "status": status}
    yield json.dumps(head, ensure_ascii=False)
    for event in events:
        type, body = to_row(event.what)
        line = {"seq": event.seq, "t": event.t_utc, "type": type, "src": event.src, "body": body}
        yield json.dumps(line, ensure_ascii=False)


def read_export(text: str, where: Where) -> tuple[Header, str, list[Event]]:
    """Read an exported match: header, status and events. Raises JournalError naming the line."""
    if len(text.encode("utf-8", "replace")) > MAX_IMPORT_BYTES:
        raise JournalError("import_too_large", file=where, limit=MAX_IMPORT_BYTES >> 20)
    # Lines end where JSON ends them; other separators may appear within a text.
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise JournalError("import_empty", file=where)
    if len(lines) > MAX_IMPORT_EVENTS:
        raise JournalError("import_too_long", file=where, limit=MAX_IMPORT_EVENTS)
    records = [_record(line, _line(where, number)) for number, line in enumerate(lines, 1)]
    head = records[0]
    if head.get("heelstone") != EXPORT_FORMAT:
        raise JournalError("no_export", file=where, format=EXPORT_FORMAT)
    try:
        header = Header.from_json(head.get("match"))
    except JournalError as error:
        raise JournalError("file_within", file=where, reason=error) from error
    _check_header(header, where)
    status = head.get("status", OPEN)
    if status not in STATUSES:
        raise JournalError("status_unknown", file=where, known=STATUSES, found=status)
    events = [
        _event(record, number, _line(where, number + 1))
        for number, record in enumerate(records[1:], 1)
    ]
    return header, str(status), events


def _line(where: Where, number: int) -> Sentence:
    return notice("line_of", file=where, line=number)


def _record(line: str, where: Where) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
        # Escapes can produce halves of letters, which nothing can write again.
        json.dumps(record, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise JournalError("no_json", file=where, reason=error) from error
    if not isinstance(record, dict):
        raise JournalError("wants_object", file=where)
    return record


def _check_header(header: Header, where: Where) -> None:
    """What only files from elsewhere can get wrong."""
    if not _ID.fullmatch(header.id):
        raise JournalError("match_id", file=where, found=header.id[:80])
    if len(header.names) > max(header.players, 0):
        raise JournalError(
            "names_many", file=where, names=len(header.names), players=header.players
        )
    for name in header.names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise JournalError("name_too_long", file=where, most=LONGEST_NAME, found=name[:80])


def _event(record: Mapping[str, Any], number: int, where: Where) -> Event:
    body, type, src = record.get("body"), record.get("type"), record.get("src")
    if record.get("seq") != number or not isinstance(body, dict):
        raise JournalError("wants_event", file=where, event=number)
    if not isinstance(type, str) or not isinstance(src, str):
        raise JournalError("wants_type", file=where)
    if src not in list(Source):
        raise JournalError("source_unknown", file=where, known=[*Source], found=src[:80])
    try:
        what = from_row(type, body)
    except MISFIT as error:
        raise JournalError("event_unfit", file=where, reason=error) from error
    try:
        when = believable_time(record.get("t", 0.0))
    except (TypeError, ValueError, OverflowError) as error:
        raise JournalError("wants_time", file=where, reason=error) from error
    return Event(number, what, Source(src), when)
