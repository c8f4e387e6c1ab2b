"""Tables and tournaments together: games that wait for a table, and recorded matches that are their
results."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.club.public_events import Call
from companion.club.repository import Database, Played, played_of
from companion.club.tournament.results import places_by_seat, seats_of
from companion.club.tournament.rows import About, Paired, Rows, settled
from companion.decoding import Unfit
from companion.settings.people import LONGEST_NAME, clean_name

log = logging.getLogger(__name__)

LATELY_S = 3_600.0
"""Seconds for which a result follows what its table corrects, if no older game waits."""
MOST_CALLS = 12
"""Games that a table is told of at most."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that is to be played, with the names of its players."""

    about: About
    game: Paired
    names: tuple[str, ...]
    paired_s: float

    def call(self, table: str) -> Call:
        """The game as a table is told of it."""
        about, game = self.about, self.game
        return Call(
            pairing=str(game.id), tournament=about.name, round=game.round, board=game.board,
            game=about.game, options=dict(about.options), names=names_at_table(self.names),
            here=game.where == table,
        )  # fmt: skip


class Sending:
    """Finds what waits for tables, and takes what they recorded."""

    def __init__(self, database: Database) -> None:
        self._db, self._rows = database, Rows(database)

    async def waiting(self) -> list[Waiting]:
        """The games without a result of all tournaments that are not over, in their order; what a
        table has recorded meanwhile becomes the result first."""
        found = [one for about in await self._rows.all() if about.game and not about.over
                 for one in await self._of(about)]  # fmt: skip
        return await self._take(found) if found else []

    async def calls(self, tables: Collection[str]) -> dict[str, list[Call]]:
        """Games to be played, by table: first its own games, then those that any may play. Games
        under way are not told."""
        waiting = await self.waiting()
        busy = set[int]()
        for tournament in {one.about.id for one in waiting}:
            busy |= (await self._rows.playing(tournament)).keys()
        free = [one for one in waiting if one.game.id not in busy]
        anywhere = [one for one in free if one.game.where not in tables]
        found = dict[str, list[Call]]()
        for table in tables:
            here = [one for one in free if one.game.where == table]
            found[table] = [one.call(table) for one in (*here, *anywhere)[:MOST_CALLS]]
        return found

    # -- private --------------------------------------------------------------------------

    async def _of(self, about: About) -> list[Waiting]:
        """The games that nobody has typed, and those without a result."""
        games = [game for game in await self._rows.games(about.id)
                 if not game.is_bye and (game.typed_s is None or not game.places)]  # fmt: skip
        if not games:
            return []
        rows = await self._db.rows(
            "select id, extract(epoch from paired_at)::double precision from pairings "
            "where tournament = %s", about.id,
        )  # fmt: skip
        paired_s = {int(id): float(moment) for id, moment in rows}
        names = {one.id: one.name for one in await self._rows.entrants(about.id)}
        return [
            Waiting(about, game, tuple(names[id] for id in game.players), paired_s[game.id])
            for game in games
        ]

    async def _take(self, games: Sequence[Waiting]) -> list[Waiting]:
        """Matches that the club recorded become the results of games, each once, and a result
        follows a match that its table corrects; gives the games that still wait."""
        used = {*await self._db.rows("select tab, match from pairings where match is not null")}
        open_s = (one.paired_s for one in games if not one.game.places)
        told = await self._recorded(min(open_s, default=time.time()) - LATELY_S)
        free = [match for key, match in told.items() if match is not None and key not in used]
        left = []
        for one in games:
            own = (one.game.table, one.game.match)
            if one.game.places and own not in told:
                continue
            # What the organiser has cleared is not taken from the same match again.
            match = told.get(own) if one.game.typed_s is None else None
            if match is None:
                match = next((match for match in free if _is(match, one)), None)
            game = one.game if match is None else _as_recorded(one, match)
            if match in free:
                free.remove(match)
            if match is None:
                game = replace(game, places=())
                left.append(replace(one, game=game))
            if game != one.game:
                await self._db.change(*settled(one.about.id, game))
        return left

    async def _recorded(self, since_s: float) -> dict[tuple[str, str], Played | None]:
        """Matches of which something was noted since then, in the order in which they ended; None
        for one that is not over after all."""
        found = dict[tuple[str, str], Played | None]()
        rows = await self._db.settled(since_s)
        for table, id, header, body, ended_s, _noted_s in sorted(rows, key=lambda row: row[4] or 0):
            try:
                ended = None if body is None else played_of(table, id, header, body, ended_s)
            except Unfit as error:
                log.warning("the end of match %s makes no sense: %s", id, error)
                continue
            found[table, id] = ended
        return found


def _as_recorded(one: Waiting, match: Played) -> Paired:
    """The game with the result of a match."""
    ended = places_by_seat(match)
    places = tuple(ended[seat] for seat in seats_of(match, one.game.id, one.names))
    return replace(
        one.game, places=places, table=match.table, match=match.match, typed_s=None
    )  # fmt: skip


def names_at_table(names: Sequence[str]) -> tuple[str, ...]:
    """Names as long as tables show them, still told apart."""
    short = [clean_name(name) for name in names]
    return tuple(
        name if short.count(name) == 1 else f"{name[: LONGEST_NAME - 2].rstrip()} {seat}"
        for seat, name in enumerate(short, 1)
    )


def _is(match: Played, one: Waiting) -> bool:
    """True if a match is this game: begun as such, or of the same people since they were paired."""
    if match.game.partition("@")[0] != one.about.game or not seats_of(
        match, one.game.id, one.names
    ):
        return False
    begun = match.pairing == str(one.game.id)
    return begun or (not match.pairing and match.ended_s >= one.paired_s)
