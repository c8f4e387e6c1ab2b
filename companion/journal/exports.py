"""Matches as JSON lines: how they are written for others, and read back from anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.journal.entries import OPEN, STATUSES, Header, JournalError, believable_time
from companion.journal.events import MISFIT, Event, Source, from_row, to_row

__all__ = ["export_lines", "read_export"]

EXPORT_FORMAT = 1
MAX_IMPORT_BYTES = 16 << 20
MAX_IMPORT_EVENTS = 400_000
LONGEST_NAME = 64
"""Letters of a player; those entered here are shorter."""

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


def read_export(text: str, where: str) -> tuple[Header, str, list[Event]]:
    """Read an exported match: header, status and events. Raises JournalError naming the line."""
    if len(text.encode("utf-8", "replace")) > MAX_IMPORT_BYTES:
        raise JournalError(f"{where} is larger than {MAX_IMPORT_BYTES >> 20} MiB; not imported")
    # Lines end where JSON ends them; other separators may stand within a text.
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise JournalError(f"{where} is empty")
    if len(lines) > MAX_IMPORT_EVENTS:
        raise JournalError(f"{where} has more than {MAX_IMPORT_EVENTS} lines; not imported")
    records = [_record(line, f"{where}, line {number}") for number, line in enumerate(lines, 1)]
    head = records[0]
    if head.get("heelstone") != EXPORT_FORMAT:
        raise JournalError(
            f"{where} is no match exported by Heelstone (format {EXPORT_FORMAT}): its first line "
            "must hold the match"
        )
    header = Header.from_json(head.get("match"))
    _check_header(header, where)
    status = head.get("status", OPEN)
    if status not in STATUSES:
        raise JournalError(f"{where}: the status is one of {', '.join(STATUSES)}, not '{status}'")
    events = [
        _event(record, number, f"{where}, line {number + 1}")
        for number, record in enumerate(records[1:], 1)
    ]
    return header, str(status), events


def _record(line: str, where: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
        # Escapes can say halves of letters, which nothing can write down again.
        json.dumps(record, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise JournalError(f"{where} is no JSON: {error}") from error
    if not isinstance(record, dict):
        raise JournalError(f"{where}: expected a JSON object")
    return record


def _check_header(header: Header, where: str) -> None:
    """What only files from elsewhere can get wrong."""
    if not _ID.fullmatch(header.id):
        raise JournalError(
            f"{where}: the id of a match is made of at most 64 letters, digits, '-' and '_', not "
            f"{header.id[:80]!r}"
        )
    if len(header.names) > max(header.players, 0):
        raise JournalError(
            f"{where}: there are {len(header.names)} names for {header.players} players"
        )
    for name in header.names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise JournalError(
                f"{where}: a name has at most {LONGEST_NAME} letters that can be printed, not "
                f"{name[:80]!r}"
            )


def _event(record: Mapping[str, Any], number: int, where: str) -> Event:
    body, type, src = record.get("body"), record.get("type"), record.get("src")
    if record.get("seq") != number or not isinstance(body, dict):
        raise JournalError(f"{where}: expected event {number} with a body")
    if not isinstance(type, str) or not isinstance(src, str):
        raise JournalError(f"{where}: expected type and src as texts")
    if src not in list(Source):
        raise JournalError(f"{where}: src is one of {', '.join(Source)}, not '{src[:80]}'")
    try:
        what = from_row(type, body)
    except MISFIT as error:
        raise JournalError(f"{where}: the event does not fit: {error}") from error
    try:
        when = believable_time(record.get("t", 0.0))
    except (TypeError, ValueError, OverflowError) as error:
        raise JournalError(f"{where}: t is no time: {error}") from error
    return Event(number, what, Source(src), when)
