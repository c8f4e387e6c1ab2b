"""Records: players, results, series and best lists, all read from the journal.

Nothing here is stored twice: a record is a view of finished matches. Only the players' own courses
(Rollende Steine) have a file, since their notes and picture belong to no match.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.journal.entries import FINISHED, Header, JournalError
from companion.journal.fold import replay
from companion.journal.store import Journal
from companion.settings.writing import write_whole
from companion.words.errors import HeelstoneError
from rules.bounded import read_bytes, read_text
from rules.core import Achievement, GameError, Outcome
from rules.games import find_game
from rules.printable import one_line
from rules.texts import Texts

MAX_PICTURE_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match."""

    header: Header
    outcome: Outcome
    achievement: Achievement | None
    ended_s: float
    """Seconds since the epoch, if the clock was right."""

    def name(self, seat: int) -> str:
        """Name of the player of a seat; the colour if no name was given."""
        given = self.header.names[seat] if seat < len(self.header.names) else ""
        if given:
            return given
        game = find_game(self.header.game)
        return game.colours(self.header.players, self.header.options)[seat]


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """Results of one player, over all games."""

    name: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class SeriesTotal:
    """Standings of a series of matches."""

    names: tuple[str, ...]
    totals: tuple[int, ...]
    """Points by name, in the order of ``names``."""
    lower_wins: bool
    leaders: tuple[str, ...]
    next_first: str | None
    """Player who begins the next match, None if the players agree on it."""


@dataclass(frozen=True, slots=True)
class BestEntry:
    """A line of a best list."""

    place: int
    """Equal achievements share a place."""
    result: MatchResult
    achievement: Achievement


def results(journal: Journal, game: str | None = None) -> list[MatchResult]:
    """All finished matches (of one game), the newest first; damaged ones are left out."""
    found = []
    for summary in journal.matches():
        header = summary.header
        if summary.status != FINISHED or (game is not None and header.game != game):
            continue
        try:
            events = journal.events(header.id)
            match = replay(header, events).match
        except (JournalError, GameError):
            # A match that no longer replays cannot be counted; `doctor` reports it.
            continue
        if match.outcome is None:
            continue
        achievement = match.state.achievement()
        ended = events[-1].t_utc if events else header.created_s
        found.append(MatchResult(header, match.outcome, achievement, ended))
    return found


def players(found: Iterable[MatchResult]) -> list[PlayerRecord]:
    """All players with a name, by matches won; computer players do not count."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for result in found:
        for seat, name in enumerate(result.header.names):
            if name and not result.header.computer(seat):
                played[name] += 1
                won[name] += seat in result.outcome.ranking[0]
    order = sorted(played, key=lambda name: (-won[name], -played[name], name))
    return [PlayerRecord(name, played[name], won[name]) for name in order]


def series_total(found: Iterable[MatchResult], series: str) -> SeriesTotal | None:
    """Standings of a series; None if no match of it is finished, or its game counts none.

    Players may change seats between matches, so points go by name.
    """
    matches = sorted(
        (r for r in found if r.header.series == series and series), key=lambda r: r.ended_s
    )
    if not matches:
        return None
    rule = find_game(matches[0].header.game).series
    if rule is None:
        return None
    totals: dict[str, int] = {}
    for result in matches:
        for seat, points in enumerate(rule.points(result.outcome)):
            name = result.name(seat)
            totals[name] = totals.get(name, 0) + points
    best = min(totals.values()) if rule.lower_wins else max(totals.values())
    first = rule.next_first(matches[-1].outcome)
    return SeriesTotal(
        names=tuple(totals),
        totals=tuple(totals.values()),
        lower_wins=rule.lower_wins,
        leaders=tuple(name for name, total in totals.items() if total == best),
        next_first=None if first is None else matches[-1].name(first),
    )


def best_list(found: Iterable[MatchResult], game: str, name: str) -> list[BestEntry]:
    """The best list ``name`` of a game (see ``Achievement.list``), the best first. What computer
    players had a part in does not count."""
    fitting = [
        (result, result.achievement)
        for result in found
        if result.header.game == game
        and result.achievement is not None
        and not result.header.computers
        and list_name(result.header, result.achievement) == name
    ]
    fitting.sort(key=lambda pair: (pair[1].rank, pair[0].ended_s))
    entries: list[BestEntry] = []
    for number, (result, achievement) in enumerate(fitting, 1):
        shared = entries and entries[-1].achievement.rank == achievement.rank
        entries.append(BestEntry(entries[-1].place if shared else number, result, achievement))
    return entries


def list_name(header: Header, achievement: Achievement) -> str:
    """The best list of an achievement; the players' own courses have one each (RS8)."""
    return f"{achievement.list}/{header.course}" if header.course else achievement.list


def is_new_record(found: Iterable[MatchResult], latest: MatchResult) -> bool:
    """True if ``latest`` is better than everything before it in its list, or the first there."""
    if latest.achievement is None or latest.header.computers:
        return False
    name = list_name(latest.header, latest.achievement)
    others = [
        entry.achievement.rank
        for entry in best_list(found, latest.header.game, name)
        if entry.result.header.id != latest.header.id
    ]
    return all(latest.achievement.rank < rank for rank in others)


def report(found: Sequence[MatchResult]) -> Iterator[dict[str, Any]]:
    """All facts about finished matches, as plain records: players first."""
    for player in players(found):
        yield {"record": "player", **asdict(player)}
    for series in dict.fromkeys(r.header.series for r in found if r.header.series):
        total = series_total(found, series)
        if total is not None:
            yield {"record": "series", "series": series, **asdict(total)}
    lists = dict.fromkeys(
        (r.header.game, list_name(r.header, r.achievement))
        for r in found
        if r.achievement is not None
    )
    for game, name in lists:
        for entry in best_list(found, game, name):
            yield {
                "record": "best",
                "game": game,
                "list": name,
                "place": entry.place,
                "names": [entry.result.name(s) for s in range(entry.result.header.players)],
                "ended": entry.result.ended_s,
                **dict(entry.achievement.values),
            }


def in_words(record: dict[str, Any], lang: str) -> str:
    """One line of ``report`` for people."""
    say = Texts("commands.records", lang)
    if record["record"] == "player":
        return say("player", **record)
    if record["record"] == "series":
        points = zip(record["names"], record["totals"], strict=True)
        totals = ", ".join(f"{name} {total}" for name, total in points)
        return say("series", totals=totals, leaders=", ".join(record["leaders"]))
    date = time.strftime("%Y-%m-%d", time.localtime(record["ended"]))
    return say("best", **{**record, "names": ", ".join(record["names"]), "date": date})


@dataclass(frozen=True, slots=True)
class Course:
    """A course of the players' own: where the gates stand, in words and in a picture."""

    name: str
    notes: str = ""
    picture: str = ""
    """File name in the folder of the courses, empty if there is none."""


class CourseError(HeelstoneError):
    """A course cannot be saved; the sentence says why and what to do."""


class Courses:
    """The players' own courses, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "courses.json"

    def all(self) -> list[Course]:
        """Every course, the one in use last; raises CourseError if the file is damaged."""
        try:
            data: Any = json.loads(read_text(self._file))
            courses = [
                Course(*(one_line(str(c[key])) for key in ("name", "notes", "picture")))
                for c in data
            ]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise CourseError("courses_damaged", file=self._file, reason=error) from error
        return courses

    def current(self) -> str:
        """Name of the course last saved or chosen, which the next match is played on; or empty."""
        courses = self.all()
        return courses[-1].name if courses else ""

    def keep(self, name: str, notes: str = "", picture: Path | None = None) -> Course:
        """Add a course, or change and choose the one with that name. Raises CourseError,
        WriteError.

        The picture is copied; what is not given stays as it was.
        """
        # One line each, and nothing in it that would do more than appear.
        name, notes = one_line(name), one_line(notes)
        if not name or len(name) > 40:
            raise CourseError("course_name")
        kept = {course.name: course for course in self.all()}
        old = kept.pop(name, None)
        file = old.picture if old is not None else ""
        if picture is not None:
            file = self._copy(picture, len(kept))
        course = Course(name, notes or (old.notes if old is not None else ""), file)
        kept[name] = course
        write_whole(self._file, json.dumps([asdict(c) for c in kept.values()], ensure_ascii=False))
        return course

    def _copy(self, picture: Path, number: int) -> str:
        if picture.suffix.lower() not in (".jpg", ".jpeg", ".png"):
            raise CourseError("course_not_jpeg", file=picture.name)
        if not picture.is_file():
            raise CourseError("course_no_picture", file=picture)
        if picture.stat().st_size > MAX_PICTURE_BYTES:
            raise CourseError("course_too_large", file=picture.name, limit=MAX_PICTURE_BYTES >> 20)
        # The name comes from us, so that no course can write outside its folder.
        target = self.folder / f"course-{number}{picture.suffix.lower()}"
        write_whole(target, read_bytes(picture, MAX_PICTURE_BYTES))
        return target.name
