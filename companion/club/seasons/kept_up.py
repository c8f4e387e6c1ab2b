"""The club's recorded matches and its seasons, kept up with the database in a thread of their own:
pages are worked out once, and the event loop waits for none of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

import msgspec

from companion.club.repository import Database, Played, played_of
from companion.club.seasons.portraits import Portrait, unseated
from companion.club.seasons.season import Line, Rating, Season, page_of, year_of
from companion.club.tournament.results import Result, counted, results
from companion.decoding import Unfit
from rules.games import find_game, game_ids
from rules.telling import Teller

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_S: Final = 5.0
"""Minimum time between two looks for new matches, seconds."""
_AGAIN_S: Final = 60.0
"""Seconds before the newest known match that are read again: transactions end in another order than
they note the time."""


class Seasons:
    """Pages, ratings and portraits from matches that are over. Raises psycopg.Error."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._thread = ThreadPoolExecutor(1, "seasons")
        self._recorded: dict[tuple[str, str], Played] = {}
        self._known_s = 0.0
        self._results: list[Result] = []
        self._played: list[Played] = []
        self._lines: dict[str, Line] = {"": Line()}
        """By game; all games together under an empty name."""
        self._pages: dict[tuple[int, str, str], bytes] = {}
        self._stale_s = 0.0

    async def page(self, year: int, game: str, lang: str) -> bytes:
        """The page of a season as JSON; ``game``: of one game only."""
        if time.monotonic() < self._stale_s and (found := self._pages.get((year, game, lang))):
            return found
        return await self._there(partial(self._page, year, game, lang))

    async def played(self) -> Sequence[Played]:
        """All matches that count, in the order in which they ended."""
        return await self._there(self._look)

    async def ratings(self) -> Mapping[str, Rating]:
        """The rating of everybody who was rated."""
        return (await self._there(self._now)).ratings

    async def faces(self, names: Iterable[str]) -> dict[str, Portrait]:
        """Portraits by name, as tables showed them last."""
        seen = (await self._there(self._now)).faces
        return {name: seen.get(name) or unseated(name) for name in names}

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _there(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # -- in the thread ----------------------------------------------------------------------

    def _page(self, year: int, game: str, lang: str) -> bytes:
        key = year, game, lang
        self._look()
        if key not in self._pages:
            told = page_of(self._line(game), year, game)
            self._pages[key] = msgspec.json.encode(told | {"game_names": game_names(lang)})
        return self._pages[key]

    def _now(self) -> Season:
        """All games, as they stand."""
        played = self._look()
        return self._line("").at(year_of(played[-1].ended_s) if played else 0)

    def _line(self, game: str) -> Line:
        line = self._lines.setdefault(game, Line())
        if line.of is not self._played:
            line.follow(self._played, game)
        return line

    def _look(self) -> list[Played]:
        began_s = time.thread_time()
        if time.monotonic() < self._stale_s:
            return self._played
        if asyncio.run(self._read()):
            self._played = counted(self._recorded.values(), self._results)
            self._pages = {}
        # However much was played, most of the time is for other pages.
        self._stale_s = time.monotonic() + max(LOOK_S, 20 * (time.thread_time() - began_s))
        return self._played

    async def _read(self) -> bool:
        """Takes what has changed; True if anything has."""
        database, changed = Database(self._dsn), False
        try:
            rows = await database.settled(self._known_s - _AGAIN_S)
            of_tournaments = await results(database)
        finally:
            await database.close()
        if of_tournaments != self._results:
            self._results, changed = of_tournaments, True
        for table, id, header, body, ended_s, noted_s in rows:
            self._known_s = max(self._known_s, noted_s)
            one: Played | None = None
            try:
                one = None if body is None else played_of(table, id, header, body, ended_s)
            except Unfit as error:
                log.warning("the end of match %s makes no sense: %s", id, error)
            if one != self._recorded.get((table, id)):
                changed = True
                self._recorded.pop((table, id), None)
                if one is not None:
                    self._recorded[table, id] = one
        return changed


def game_names(lang: str) -> dict[str, str]:
    """Names of all games."""
    return {id: Teller(find_game(id), lang, ()).game_name for id in game_ids()}
