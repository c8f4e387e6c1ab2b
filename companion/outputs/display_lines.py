"""Lines of the score display, for every size from four digits to 40 × 4 letters.

Points come first, then whose turn it is or what is wrong, then the last move and the state of the
table. Where people play with a clock, the time of the player to move has a row, or the end of one;
four digits show the last minute only. Nothing is cut off: a sentence that does not fit is broken
into rows, else a shorter one takes its place, else it is left to the screen. Names are whole, or
all of them are initials. A name that small displays have no letters for gives way to the player's
colour. If not even all points fit, those of the player whose turn it is stay.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator, Sequence

from companion.match.view import TableView
from companion.presentation.announcement import (
    SENTENCE,
    Announcement,
    Urgency,
    What,
    refusal,
    standing,
)
from companion.settings.clocks import clock_figures
from hardware.displays.lettering import ASCII_ROM, UNKNOWN
from hardware.displays.segments import SEATS, Digits
from rules.core import Call
from rules.telling import Teller
from rules.texts import Texts

LAST_S = 60.0
"""Seconds of a player's time that four digits count down, instead of points."""
ASKS = (What.TURN, What.CHANCE)
TURN_MARK = ">"
"""Precedes the name, or the points, of the player whose turn it is, where no row says so."""


def display_lines(
    view: TableView,
    teller: Teller,
    columns: int,
    rows: int,
    digits: Digits | None = None,
    now: float | None = None,
) -> list[str]:
    """At most `rows` lines of at most `columns` letters. A tab separates the two ends of a line.

    With `digits` it is one line for `hardware.displays.segments.digit_text`. `now` (monotonic
    seconds; None: this moment) is for the players' clock.
    """
    now = time.monotonic() if now is None else now
    if digits is not None:
        return [_digits(view, digits, now)]
    teller = _sayable(teller, view)
    words, told = Texts("announcements", teller.lang), _first_told(view)
    urgent = told is not None and told.urgency is Urgency.WARNING
    names = [teller.seat(seat) for seat in range(len(view.scores))]
    if rows == 1:
        said = _first_fit(_shorter(told, teller, words), columns, 1) if told and urgent else []
        return said or _scores(view, names, columns, 1, marked=True)
    timed = _timed(view, teller, columns, now)
    if len(names) < 2:
        scores = [f"{name}\t{points}" for name, points in zip(names, _points(view), strict=True)]
        scores = scores if all(_width(line) <= columns for line in scores) else []
        scores = scores or _points(view)
    else:
        scores = _whole(view, names, columns, rows - 1)
        asking = view.prompt is not None and view.prompt.player is not None
        if not scores and asking and not timed and not urgent and view.outcome is None:
            # Everybody's whole name says more than initials below a sentence about one of them.
            scores = _whole(view, names, columns, rows, marked=True)
            if scores:
                return scores
        scores = scores or _everybody(view, names, columns, rows - 1)
        if not scores and not urgent:
            scores = _everybody(view, names, columns, rows, marked=True)
            if scores:
                return scores
        scores = scores or _one(view, names, columns)
    room = rows - len(scores)
    headline = timed
    if not timed or room > 1 or urgent:
        headline = _first_fit(
            _headlines(told, teller, words), columns, room - (room > 1) * len(timed)
        )
        headline += timed if room > 1 and headline else []
    if not headline:
        scores = _scores(view, names, columns, rows, marked=True)
    lines = [*headline, *scores]
    for more in _rest(view, teller):
        wrapped = _wrap(more, columns)
        if wrapped and len(lines) + len(wrapped) <= rows:
            lines += wrapped
    return lines


def _width(text: str) -> int:
    """Minimum columns of a line, even on a display that has to spell umlauts out."""
    return max(len(text), len(ASCII_ROM.spell(text.replace("\t", " "))))


def _sayable(teller: Teller, view: TableView) -> Teller:
    """The same teller with names that a small display has letters for."""
    names = [_plain(name) for name in teller.names]
    seats = range(len(names))
    known = [names[s] if _can_be_written(names[s]) else teller.colours[s] for s in seats]
    if known == list(teller.names):
        return teller
    return Teller(teller.game, teller.lang, view.colours, known)


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _can_be_written(name: str) -> bool:
    written = ASCII_ROM.spell(name)
    return written.count(UNKNOWN) == name.count(UNKNOWN) and any(map(str.isalnum, written))


# -- the clock ----------------------------------------------------------------------------


def _timed(view: TableView, teller: Teller, columns: int, now: float) -> list[str]:
    """Row with the player to move and their time left; none if it does not fit."""
    clock = view.clock
    if clock is None or clock.asked is None or view.outcome is not None or refusal(view):
        return []
    name, left = teller.seat(clock.asked), clock_figures(clock.left_at(clock.asked, now))
    rows = [f"{called}\t{left}" for called in (name, name.partition(" ")[0])]
    return [row for row in rows if _width(row) <= columns][:1]


def _last_minute(view: TableView, digits: Digits, now: float) -> str:
    """The last minute of the player to move, while it runs; empty otherwise."""
    clock = view.clock
    if clock is None or clock.asked is None or not clock.running:
        return ""
    left = clock.left_at(clock.asked, now)
    if left > LAST_S or digits.places < 4:
        return ""
    minutes, seconds = clock_figures(left).split(":")
    return f"{minutes.zfill(2)}:{seconds}" if digits.colon else f"{minutes}.{seconds}"


# -- digits -------------------------------------------------------------------------------


def _digits(view: TableView, digits: Digits, now: float) -> str:
    """A task for hands, the last minute, other calls, or else the points."""
    seats = {call.hands: _called(call, digits) for _ply, call in reversed(view.calls)}
    last = _last_minute(view, digits, now)
    return seats.get(True) or last or seats.get(False) or _points_in_digits(view, digits)


def _called(call: Call, digits: Digits) -> str:
    """The seats that are called, and dashes: ``A---``; only dashes if more than have room are."""
    seats = "".join(SEATS[seat] for seat in call.seats)
    return (seats if len(seats) <= digits.places else "").ljust(digits.places, "-")


def _points_in_digits(view: TableView, digits: Digits) -> str:
    """Two scores as "07:05", with a dot after the one whose turn it is; else one seat and its
    score. If there is no room for the seat beside its score, the score stays. Without points
    the seat alone.
    """
    asked = view.prompt.player if view.prompt is not None and view.outcome is None else None
    if not view.counts_points:
        return SEATS[_seat_to_show(view)]
    sides = [f"{points:02d}" for points in view.scores]
    room = 2 if digits.colon else (digits.places - 1) // 2
    if len(sides) == 2 and all(len(side) <= room for side in sides):
        return ":".join(side + ("." if seat == asked else "") for seat, side in enumerate(sides))
    seat = _seat_to_show(view)
    points = str(view.scores[seat])
    if len(view.scores) == 1 or len(points) >= digits.places:
        return points
    return SEATS[seat] + points.rjust(digits.places - 1)


def _seat_to_show(view: TableView) -> int:
    """If there is room for one: who is asked, at the end who has won, else the first."""
    if view.outcome is not None:
        return view.outcome.ranking[0][0] if view.outcome.ranking else 0
    asked = view.prompt.player if view.prompt is not None else None
    return 0 if asked is None else asked


# -- points -------------------------------------------------------------------------------


def _points(view: TableView) -> list[str]:
    """Points of all players; empty texts in a game that counts none."""
    return [str(points) if view.counts_points else "" for points in view.scores]


def _scores(
    view: TableView, names: Sequence[str], columns: int, most_rows: int, *, marked: bool = False
) -> list[str]:
    """All players with their points; if they do not fit, one of them."""
    everybody = _everybody(view, names, columns, most_rows, marked=marked)
    return everybody or _one(view, names, columns, marked=marked)


def _everybody(
    view: TableView, names: Sequence[str], columns: int, most_rows: int, *, marked: bool = False
) -> list[str]:
    """All players with their points: names whole, or as initials, or (only then) points alone."""
    for called in (names, _initials(names)):
        if spread := _whole(view, called, columns, most_rows, marked=marked):
            return spread
    if not view.counts_points:
        return []
    return _whole(view, [""] * len(names), columns, most_rows, marked=marked) or (
        [] if marked and view.outcome is None else _spread(_points(view), columns, most_rows)
    )


def _one(view: TableView, names: Sequence[str], columns: int, *, marked: bool = False) -> list[str]:
    """One player and the points, with as much of the name as there is room for."""
    seat = _seat_to_show(view)
    mark, points = _marks(view, marked)[seat], _points(view)[seat]
    for called in (names[seat], names[seat].partition(" ")[0], _initials(names)[seat], ""):
        for between in ("\t", " ", "") if points else ("",):
            line = f"{mark}{called}{between}{points}"
            if line and _width(line) <= columns and (between or not (called and points)):
                return [line]
    return [points] if points and _width(points) <= columns else []


def _whole(
    view: TableView, names: Sequence[str], columns: int, most_rows: int, *, marked: bool = False
) -> list[str]:
    """All players with these names and their points; nothing if they do not fit."""
    for alone in (False, True):
        marks = _marks(view, marked, alone=alone)
        each = zip(marks, names, _points(view), strict=True)
        said = [f"{mark}{' '.join(filter(None, told))}" for mark, *told in each]
        if spread := _spread(said, columns, most_rows):
            return spread
    return []


def _marks(view: TableView, marked: bool, *, alone: bool = False) -> list[str]:
    """A mark for each seat that is asked, or only for the first of them (``alone``)."""
    prompt = view.prompt if marked else None
    seats = range(len(view.scores))
    asked = {seat for seat in seats if prompt is not None and prompt.awaits(seat) and not alone}
    first = None if prompt is None else prompt.player
    return [TURN_MARK if seat == first or seat in asked else "" for seat in seats]


def _spread(said: Sequence[str], columns: int, most_rows: int) -> list[str]:
    """The parts on as few rows as possible, two per row at its ends; nothing if they do not fit."""
    for rows in range(1, most_rows + 1):
        each = -(-len(said) // rows)
        parts = [said[at : at + each] for at in range(0, len(said), each)]
        lines = ["\t".join(part) if len(part) == 2 else " ".join(part) for part in parts]
        if all(_width(line) <= columns for line in lines):
            return lines
    return []


def _initials(names: Sequence[str]) -> list[str]:
    """The shortest beginnings of the names that tell them apart; seat letters if none do."""
    for letters in range(1, 4):
        short = [name[:letters].strip() for name in names]
        if len({ASCII_ROM.spell(name).casefold() for name in short}) == len(names):
            return short
    return [SEATS[seat] for seat in range(len(names))]


# -- sentences ----------------------------------------------------------------------------


def _first_told(view: TableView) -> Announcement | None:
    """The most important announcement that displays tell."""
    return next((one for one in standing(view) if one.row.display), None)


def _headlines(told: Announcement | None, teller: Teller, words: Texts) -> Iterator[str]:
    """The most important sentence, in ever shorter words; the last resort is a mark at the
    points."""
    if told is not None:
        yield from _shorter(told, teller, words)
    if told is None or not (told.what in ASKS and told.seats):
        yield teller.game_name


def _shorter(told: Announcement, teller: Teller, words: Texts) -> Iterator[str]:
    """An announcement in ever shorter words."""
    keys = [key for key in told.row.display if key != SENTENCE]
    if SENTENCE in told.row.display:
        yield told.told(teller).title
    if told.what not in ASKS:
        names = ", ".join(map(teller.seat, told.seats))
        yield from (words(key, name=names) for key in keys)
        if isinstance(told.subject, Call):
            short = teller.call_in_short(told.subject)
            yield from (f"{names}: {short}", teller.call(told.subject).do, short)
        return
    for name in map(teller.seat, told.seats):
        for called in (name, name.partition(" ")[0]):
            yield from (words(key, name=called) for key in keys)
            yield f"{TURN_MARK} {called}"


def _first_fit(sentences: Iterator[str], columns: int, rows: int) -> list[str]:
    """The first sentence that fits into this many rows; nothing if none does."""
    for sentence in sentences:
        wrapped = _wrap(sentence, columns)
        if wrapped and len(wrapped) <= rows:
            return wrapped
    return []


def _rest(view: TableView, teller: Teller) -> Iterator[str]:
    refused = refusal(view)
    if refused is not None:
        yield refused.told(teller).do
        return
    if view.last is not None:
        yield teller.move(view.last)
    yield f"{teller.text('state', view.state.value)}\t{view.turn}"


def _wrap(sentence: str, columns: int) -> list[str]:
    """The sentence in rows, broken only between words; nothing if a word is too long."""
    if "\t" in sentence:
        return [sentence] if _width(sentence) <= columns else []
    lines: list[str] = []
    for word in sentence.split():
        if lines and _width(f"{lines[-1]} {word}") <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines if all(_width(line) <= columns for line in lines) else []
