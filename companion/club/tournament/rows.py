"""Tournaments as the club's database holds them: what is read, and the steps that change it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.club.naming import ClubError
from companion.club.repository import Database
from companion.club.schema import PAIRINGS
from companion.club.tournament.games import DUEL, Game, Scale
from companion.club.tournament.pairing import Room
from companion.club.tournament.standings import Standing, standings
from rules.games import find_game

MOST_SEATS = 6
THERE_S = 900.0
"""Seconds for which a table counts as being there after it was heard; one that is on asks every
ten minutes."""

Step = tuple[str, Sequence[object]]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament."""

    id: int
    name: str
    number: int
    left_after: int | None
    """The last round of one who has left."""


@dataclass(frozen=True, slots=True)
class About:
    """A tournament without its players and games."""

    id: int
    name: str
    game: str
    kind: str
    rounds: int
    over: bool
    seats: int
    scale: Scale
    by_rating: bool
    options: Mapping[str, str]
    players: int
    round: int

    @property
    def room(self) -> Room:
        """Numbers of players at one table: the wished one, or one more or fewer if the game can be
        played so."""
        able = find_game(self.game).players if self.game else range(2, MOST_SEATS + 1)
        near = [n for n in able if abs(n - self.seats) <= 1 and n > 1] or [self.seats]
        return Room(self.seats, min(near), max(near))


@dataclass(frozen=True, slots=True)
class Paired(Game):
    """A game as it was paired."""

    id: int = 0
    """Under which tables know it; 0: it has none yet."""
    where: str = ""
    """The table of the club at which it is to be played; empty: at any, or without one."""
    table: str = ""
    match: str = ""
    """The recorded match that belongs to it, and the table that recorded it."""
    typed_s: float | None = None
    """When the result was first typed, or cleared, seconds since 1970; None: it was not."""


class Rows:
    """Reads tournaments. Raises ClubError for one that is not there."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def all(self) -> list[About]:
        """All tournaments, the newest first."""
        rows = await self.database.rows(
            "select t.id, t.name, t.game, t.kind, t.rounds, t.over, t.seats, t.scale, t.by_rating, "
            "t.options, (select count(*) from entrants where tournament = t.id), "
            "(select coalesce(max(round), 0) from pairings where tournament = t.id) "
            "from tournaments t order by t.id desc"
        )
        return [replace(about, scale=tuple(about.scale)) for about in (About(*row) for row in rows)]

    async def one(self, tournament: int) -> About:
        """A tournament."""
        for about in await self.all():
            if about.id == tournament:
                return about
        raise ClubError("no_tournament")

    async def open(self, tournament: int) -> About:
        """A tournament that is not over; else raises ClubError."""
        about = await self.one(tournament)
        if about.over:
            raise ClubError("tournament_over")
        return about

    async def entrants(self, tournament: int) -> list[Entrant]:
        """The players in their order."""
        rows = await self.database.rows(
            "select m.id, m.name, e.number, e.left_after from entrants e "
            "join members m on m.id = e.member where e.tournament = %s order by e.number",
            tournament,
        )
        return [Entrant(*row) for row in rows]

    async def games(self, tournament: int) -> list[Paired]:
        """All games in the order of rounds and boards."""
        rows = await self.database.rows(
            "select p.round, p.board, array_agg(member order by seat), "
            "array_agg(place order by seat), "
            "p.id, p.at_table, coalesce(p.tab, ''), coalesce(p.match, ''), "
            "extract(epoch from p.typed_at)::double precision "
            "from pairings p join seats using (tournament, round, board) where p.tournament = %s "
            "group by p.tournament, p.round, p.board order by p.round, p.board", tournament,
        )  # fmt: skip
        return [
            Paired(round, board, tuple(players), () if None in places else tuple(places), *rest)
            for round, board, players, places, *rest in rows
        ]

    async def playing(self, tournament: int) -> dict[int, str]:
        """The tables at which games are played just now, by the games' ids."""
        rows = await self.database.rows(
            "select p.id, m.tab from pairings p "
            "join matches m on m.header ->> 'pairing' = p.id::text "
            "where p.tournament = %s and m.status = 'open' and m.replaced_by is null "
            "and m.changed_at > now() - interval '12 hours'", tournament,
        )  # fmt: skip
        return {int(id): str(table) for id, table in rows}

    async def tables_there(self) -> list[str]:
        """The tables of the club that were heard of not long ago, by name."""
        rows = await self.database.rows(
            "select name from tables where heard_at > now() - make_interval(secs => %s) "
            "order by name", THERE_S,
        )  # fmt: skip
        return [str(name) for (name,) in rows]

    async def wanted_tables(self) -> set[str]:
        """The tables at which a game of an open tournament is still to be played."""
        rows = await self.database.rows(
            "select distinct at_table from pairings p join seats using (tournament, round, board) "
            "join tournaments t on t.id = p.tournament where not t.over and place is null"
        )
        return {str(table) for (table,) in rows}

    async def taken_back(
        self, about: About, games: Sequence[Game]
    ) -> tuple[int, int, list[Paired]] | None:
        """The round taken back last that may come again: its number there, its round, its
        games."""
        results = any(game.places and not game.is_bye for game in games
                      if game.round == about.round)  # fmt: skip
        rounds = [about.round + 1] if results or not about.round else [about.round, about.round + 1]
        rows = await self.database.rows(
            "select id, round, games from taken_back where tournament = %s and round = any(%s) "
            "order by id desc limit 1", about.id, rounds,
        )  # fmt: skip
        if not rows:
            return None
        id, number, kept = rows[0]
        found = [
            Paired(number, board, tuple(players), tuple(places), *rest)
            for board, players, places, *rest in kept
        ]
        return int(id), int(number), found


def table_of(
    about: About, entrants: Sequence[Entrant], games: Sequence[Game]
) -> list[Standing]:  # fmt: skip
    """The standings of a tournament."""
    left = {one.id: one.left_after for one in entrants if one.left_after is not None}
    return standings([one.id for one in entrants], games, left, about.scale)


def seated(game: Game, scale: Scale) -> list[tuple[int, int | None, float | None]]:
    """Player, place and points of each seat."""
    nothing = (None,) * len(game.players)
    points = tuple(map(float, game.points(scale))) or nothing
    return list(zip(game.players, game.places or nothing, points, strict=True))


# -- steps of a change --------------------------------------------------------------------------

TOLD: Step = (f"select pg_notify('{PAIRINGS}', '')", ())
"""Step that tells the tables' callers of the change."""


def settled(tournament: int, game: Paired) -> list[Step]:
    """Steps that write the result of a game."""
    where = (tournament, game.round, game.board)
    places = game.places or (None,) * len(game.players)
    return [
        ("update pairings set tab = nullif(%s, ''), match = nullif(%s, ''), "
         "typed_at = to_timestamp(%s) where tournament = %s and round = %s and board = %s",
         [game.table, game.match, game.typed_s, *where]),
        *(("update seats set place = %s where tournament = %s and round = %s and board = %s "
           "and member = %s", [place, *where, player])
          for player, place in zip(game.players, places, strict=True)),
        TOLD,
    ]  # fmt: skip


def added(tournament: int, games: Sequence[Paired]) -> list[Step]:
    """Steps that add a round."""
    steps: list[Step] = []
    for game in games:
        where = (tournament, game.round, game.board)
        steps.append((
            "insert into pairings (tournament, round, board, at_table, tab, match, typed_at, id) "
            "values (%s, %s, %s, %s, nullif(%s, ''), nullif(%s, ''), to_timestamp(%s), "
            "coalesce(nullif(%s, 0), nextval(pg_get_serial_sequence('pairings', 'id'))))",
            (*where, game.where, game.table, game.match, game.typed_s, game.id),
        ))  # fmt: skip
        for seat, (player, place, _) in enumerate(seated(game, DUEL), 1):
            steps.append((
                "insert into seats (tournament, round, board, seat, member, place) "
                "values (%s, %s, %s, %s, %s, %s)", (*where, seat, player, place),
            ))  # fmt: skip
    return [*steps, TOLD]


def put_aside(tournament: int, round: int, games: Sequence[Paired]) -> list[Step]:
    """Steps that take a round out, and keep it."""
    kept = [
        (game.board, game.players, game.places, game.id, game.where, game.table, game.match,
         game.typed_s)
        for game in games if game.round == round
    ]  # fmt: skip
    return [
        ("insert into taken_back (tournament, round, games) values (%s, %s, %s)",
         [tournament, round, json.dumps(kept)]),
        ("delete from pairings where tournament = %s and round = %s", [tournament, round]),
        TOLD,
    ]  # fmt: skip
