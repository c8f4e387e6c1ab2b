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
from rules.near import hint
from rules.printable import json_line

EXPORT_FORMAT = 1
MAX_IMPORT_BYTES = 16 << 20
MAX_IMPORT_EVENTS = 50_000
"""Maximum number of events of an imported match, ten times that of the longest evening: all are
replayed when it is resumed."""
LONGEST_NAME = 64
"""Maximum length of a player's name or a course's, letters; those entered here are shorter."""
LONGEST_SEED = 256

_SOURCES = frozenset(Source)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Form of ids; they become part of file names."""


def export_lines(header: Header, status: str, events: Iterable[Event]) -> Iterator[str]:
    """A match as JSON lines: the header, then every event."""
    head = {"heelstone": EXPORT_FORMAT, "match": header.to_json(), "status": status}
    yield json_line(head)
    for event in events:
        type, body = to_row(event.what)
        line = {"seq": event.seq, "t": event.t_utc, "type": type, "src": event.src, "body": body}
        yield json_line(line)


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
    records = [_record(line, where, number) for number, line in enumerate(lines, 1)]
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
        raise JournalError("status_unknown", file=where, found=status, hint=hint(status, STATUSES))
    events = [_event(record, number, where) for number, record in enumerate(records[1:], 1)]
    return header, str(status), events


def _line(where: Where, number: int) -> Sentence:
    return notice("line_of", file=where, line=number)


def _record(line: str, where: Where, number: int) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
        if "\\u" in line:
            # Escapes can produce halves of letters, which nothing can write again.
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise JournalError("no_json", file=_line(where, number), reason=error) from error
    if not isinstance(record, dict):
        raise JournalError("wants_object", file=_line(where, number))
    return record


def _check_header(header: Header, where: Where) -> None:
    """Checks what only files from elsewhere can get wrong."""
    if not _ID.fullmatch(header.id):
        raise JournalError("match_id", file=where, found=header.id[:80])
    if len(header.names) > max(header.players, 0):
        raise JournalError(
            "names_many", file=where, names=len(header.names), players=header.players
        )
    for name in header.names:
        _check_text(name, LONGEST_NAME, where)
    for name in header.computers:
        _check_text(name, LONGEST_NAME, where)
    told = (header.course, header.commit, header.clock, header.pairing)
    for text in (*told, header.game.partition("@")[2]):
        _check_text(text, LONGEST_NAME, where)
    _check_text(header.seed, LONGEST_SEED, where)
    if header.series and not _ID.fullmatch(header.series):
        raise JournalError("match_id", file=where, found=header.series[:80])


def _check_text(text: str, most: int, where: Where) -> None:
    """Refuses text that is too long, moves a cursor or reverses words: people will be shown it."""
    if len(text) > most or not text.isprintable():
        raise JournalError("name_too_long", file=where, most=most, found=text[:80])


def _event(record: Mapping[str, Any], number: int, file: Where) -> Event:
    def unfit(code: str, **params: object) -> JournalError:
        # Only now: a sentence for each of thousands of lines that are as they should be takes time.
        return JournalError(code, file=_line(file, number + 1), **params)

    body, type, src = record.get("body"), record.get("type"), record.get("src")
    if record.get("seq") != number or not isinstance(body, dict):
        raise unfit("wants_event", event=number)
    if not isinstance(type, str) or not isinstance(src, str):
        raise unfit("wants_type")
    if src not in _SOURCES:
        raise unfit("source_unknown", found=src[:80], hint=hint(src[:80], Source))
    try:
        what = from_row(type, body)
    except MISFIT as error:
        raise unfit("event_unfit", reason=error) from error
    try:
        when = believable_time(record.get("t", 0.0))
    except (TypeError, ValueError, OverflowError) as error:
        raise unfit("wants_time", reason=error) from error
    return Event(number, what, Source(src), when)
