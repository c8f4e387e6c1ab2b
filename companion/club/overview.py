"""All tables of a club: found, sorted, and as many at a time as somebody looks at. Only the matches
of those are replayed."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

import msgspec
import psycopg

from companion.club.repository import Database, StoredMatch, TableLine
from companion.club.schema import PAIRINGS
from companion.club.seasons.kept_up import game_names
from companion.club.seasons.season import base
from companion.club.watching import LOOKED_S, Watched
from companion.web.stream import Readers
from rules.texts import LANGUAGES

log = logging.getLogger(__name__)

REST_S: Final = 0.2
"""Seconds between two rounds of keeping up."""
AT_ONCE: Final = 200
"""Number of tables that are asked for in one query."""
QUIET_S: Final = 30 * 60.0
"""Seconds without an entry after which a match is no longer among those that are played."""
NEAR_END: Final = 0.85
"""Share of a game's usual number of entries from which on a match counts as near its end."""
LENGTHS_S: Final = 600.0
"""Seconds for which the usual lengths of matches are good."""
MOST: Final = 60
"""Most tables in one view."""

Show = Literal["all", "playing", "near", "over"]
SHOWS: Final[Sequence[Show]] = ("all", "playing", "near", "over")


@dataclass(frozen=True, slots=True)
class Window:
    """A visitor's view: which tables, and how many of them at a time."""

    lang: str
    find: str = ""
    """Part of the name of a table, a game or a player, as ``str.casefold`` has it; empty: any."""
    show: Show = "all"
    start: int = 0
    count: int = 24


@dataclass(slots=True)
class _Entry:
    """A table, and what is known of its newest match without replaying it."""

    line: TableLine
    match: StoredMatch | None
    words: dict[str, str] = field(default_factory=dict)
    """Words by which a search finds it, by language, in small letters."""

    def fits(self, find: str, lang: str) -> bool:
        """True if the table, its game or a player is called so."""
        if not find:
            return True
        if lang not in self.words:
            told = [self.line.name]
            if self.match is not None:
                game = self.match.game
                told += [_game_names(lang).get(base(game), game), *self.match.names]
            self.words[lang] = "\n".join(told).casefold()
        return find in self.words[lang]

    def rank(self, now_s: float) -> int:
        """Tables at which something happens come first."""
        match = self.match
        if match is None:
            return 3
        if match.status != "open":
            return 2
        return int(now_s - match.changed_s > QUIET_S)

    def nearness(self, usual: Mapping[str, int]) -> float:
        """Share of the usual length of its game that a match has."""
        match = self.match
        return 0.0 if match is None else match.complete / usual.get(match.game, 10**9)


class Tables:
    """All tables of a club. ``lang``: of visitors who name none."""

    def __init__(self, club: str, database: Database, lang: str) -> None:
        self.readers = Readers()
        """Readers of the hall."""
        self._club, self._database, self._lang = club, database, lang
        self._paired = 0
        """Number of changes of tournaments that were told."""
        self._tables: dict[str, Watched] = {}
        self._entries: dict[str, _Entry] = {}
        self._due: dict[str, None] = {}
        """Tables that told something which the entries lack."""
        self._bell = asyncio.Event()
        self._open: Counter[Window] = Counter()
        self._looked_s: dict[Window, float] = {}
        self._usual: dict[str, int] = {}
        self._usual_s = -LENGTHS_S
        self._pictures: dict[Window, bytes] = {}
        self._found: dict[tuple[str, str], dict[Show, list[_Entry]]] = {}
        """Tables that are found, by what is sought and the language; good for one round."""

    async def table(self, name: str) -> Watched | None:
        """A table to be watched; None if the club has none of that name."""
        if name not in self._entries or not self._watched(name).lines:
            await self._ask([name])
        if name not in self._entries:
            return None
        table = self._watched(name)
        table.looked_s = time.monotonic()
        if not table.lines:
            await table.refresh(self._database, self._entries[name].match)
        self._bell.set()
        return table

    async def look(self, window: Window) -> bytes:
        """A view of the hall as it is now; its tables are kept up for a while."""
        if not self._entries:
            await self._ask(list(self._due))
        self._looked_s[window] = time.monotonic()
        self._bell.set()
        return self.picture(window)

    @contextmanager
    def watched(self, window: Window) -> Iterator[None]:
        """Its tables are kept up meanwhile."""
        self._open[window] += 1
        self._bell.set()
        try:
            yield
        finally:
            self._open[window] -= 1
            self._open += Counter()

    def picture(self, window: Window) -> bytes:
        """A view of the hall as it is now."""
        if window not in self._pictures:
            found = self._sorted(window.find, window.lang)
            self._pictures[window] = msgspec.json.encode({
                "v": 2, "club": self._club, "lang": window.lang, "start": window.start,
                "paired": self._paired,
                "counts": {show: len(some) for show, some in found.items()},
                "tables": [self._line(entry, window.lang) for entry in self._here(window)],
            })  # fmt: skip
        return self._pictures[window]

    async def follow(self) -> None:
        """Hear what is stored; never ends."""
        async for name in self._database.changed():
            try:
                names = [name] if name else await self._database.names()
            except psycopg.Error as error:
                log.warning("the tables cannot be listed: %s", error)
                continue
            self._due.update(dict.fromkeys(names))
            self._bell.set()

    async def follow_tournaments(self) -> None:
        """Hear what is paired and settled; never ends."""
        async for _ in self._database.changed(PAIRINGS):
            self._paired += 1
            self._bell.set()

    async def keep_up(self) -> None:
        """Bring up to date what is looked at; never ends."""
        # What tables are found by is in the words of the games, which take a moment to load.
        await asyncio.to_thread(lambda: [_game_names(lang) for lang in LANGUAGES])
        while True:
            await self._bell.wait()
            self._bell.clear()
            windows = self._windows()
            # Tables with spectators first.
            names = dict.fromkeys(self._looked_at())
            due = [name for name in self._due if windows or name in names]
            try:
                await self._ask(due)
                if windows and time.monotonic() - self._usual_s > LENGTHS_S:
                    self._usual_s = time.monotonic()
                    self._usual = await self._database.usual_lengths()
                self._found.clear()
                for window in windows:
                    names.update(dict.fromkeys(one.line.name for one in self._here(window)))
                for name in names:
                    await self._refresh(name)
            except psycopg.Error as error:
                # All is due again as soon as the database is back.
                log.warning("the tables cannot be read: %s", error)
            self._pictures.clear()
            self.readers.wake()
            await asyncio.sleep(REST_S)

    # -- private --------------------------------------------------------------------------

    async def _ask(self, names: Sequence[str]) -> None:
        for begin in range(0, len(names), AT_ONCE):
            some = names[begin : begin + AT_ONCE]
            for name in some:
                self._due.pop(name, None)
            for line, match in await self._database.newest(some):
                self._entries[line.name] = _Entry(line, match)

    async def _refresh(self, name: str) -> None:
        entry, table = self._entries.get(name), self._watched(name)
        if entry is not None and table.is_behind(entry.match):
            await table.refresh(self._database, entry.match)
            if table.is_behind(entry.match):
                self._bell.set()

    def _here(self, window: Window) -> list[_Entry]:
        """The tables in a view."""
        return self._sorted(window.find, window.lang)[window.show][window.start :][: window.count]

    def _sorted(self, find: str, lang: str) -> dict[Show, list[_Entry]]:
        """The tables that are found, in order, by what is shown."""
        known = self._found.get((find, lang))
        if known is None:
            now_s = time.time()
            ranks = {
                name: one.rank(now_s) for name, one in self._entries.items() if one.fits(find, lang)
            }
            order = sorted(ranks, key=lambda name: (ranks[name], _natural(name)))
            of_rank = [[self._entries[name] for name in order if ranks[name] == n] for n in (0, 2)]
            near = [one for one in of_rank[0] if one.nearness(self._usual) >= NEAR_END]
            near.sort(key=lambda one: -one.nearness(self._usual))
            known = self._found[find, lang] = {
                "all": [self._entries[name] for name in order], "playing": of_rank[0],
                "near": near, "over": of_rank[1],
            }  # fmt: skip
        return known

    def _line(self, entry: _Entry, lang: str) -> dict[str, Any]:
        told = self._watched(entry.line.name).lines.get(lang, {"match": None, "wait": True})
        heard = {} if told["match"] else {"heard_s": round(entry.line.heard_s)}
        return {"name": entry.line.name, **heard, **told}

    def _windows(self) -> set[Window]:
        """The views that somebody has."""
        oldest_s = time.monotonic() - LOOKED_S
        self._looked_s = {one: at for one, at in self._looked_s.items() if at > oldest_s}
        return {*self._open, *self._looked_s}

    def _watched(self, name: str) -> Watched:
        return self._tables.setdefault(name, Watched(name, self._lang))

    def _looked_at(self) -> list[str]:
        now_s = time.monotonic()
        return [
            name for name, table in self._tables.items()
            if len(table.readers) or now_s - table.looked_s < LOOKED_S
        ]  # fmt: skip


@cache
def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Order in which table 10 comes after table 9."""
    return tuple((int(digits or 0), text) for digits, text in re.findall(r"(\d{1,18})|(\D+)", name))


@cache
def _game_names(lang: str) -> dict[str, str]:
    return game_names(lang)
