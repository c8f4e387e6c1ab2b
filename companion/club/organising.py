"""Tournaments in the club's database: entering players, rounds and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import psycopg

from companion.club.naming import ClubError
from companion.club.pairings import Pairing, berger_round, berger_rounds, swiss_round
from companion.club.ratings import Rating
from companion.club.repository import Database
from companion.club.tie_breaks import standings

__all__ = ["KINDS", "Organiser"]

KINDS = ("swiss", "round_robin")
MOST_PLAYERS = 200
LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class _Entrant:
    id: int
    name: str
    number: int
    left_after: int | None


class Organiser:
    """Does what the organiser asks for. Raises ClubError with what is wrong with it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # -- looking --------------------------------------------------------------------------

    async def tournaments(self) -> list[dict[str, Any]]:
        """All tournaments, the newest first."""
        rows = await self._db.rows(
            "select t.id, t.name, t.game, t.kind, t.rounds, t.over, "
            "(select count(*) from entrants where tournament = t.id), "
            "(select coalesce(max(round), 0) from pairings where tournament = t.id) "
            "from tournaments t order by t.id desc"
        )
        keys = ("id", "name", "game", "kind", "rounds", "over", "players", "round")
        return [dict(zip(keys, row, strict=True)) for row in rows]

    async def tournament(self, id: int) -> dict[str, Any]:
        """One of them with its players, rounds and table."""
        about = [one for one in await self.tournaments() if one["id"] == id]
        if not about:
            raise ClubError("no_tournament")
        entrants, pairings = await self._entrants(id), await self._pairings(id)
        names = {one.id: one.name for one in entrants}
        left = {one.id: one.left_after for one in entrants if one.left_after is not None}
        table = standings([one.id for one in entrants], pairings, left)
        return {
            **about[0], "v": 1,
            "players": [
                {"id": one.id, "name": one.name, "left": one.left_after is not None}
                for one in entrants
            ],
            "table": [{**asdict(line), "name": names[line.player]} for line in table],
            "games": [
                {
                    **asdict(game), "first_name": names[game.first],
                    "second_name": None if game.second is None else names[game.second],
                }
                for game in pairings
            ],
        }  # fmt: skip

    # -- changing -------------------------------------------------------------------------

    async def begin(self, name: str, game: str, kind: str, rounds: int) -> int:
        """A new tournament; gives its number. ``rounds`` counts in Swiss ones only."""
        if kind not in KINDS or not 1 <= rounds <= 200:
            raise ClubError("bad_tournament")
        rows = await self._db.rows(
            "insert into tournaments (name, game, kind, rounds) values (%s, %s, %s, %s) "
            "returning id", _named(name), game[:64], kind, rounds,
        )  # fmt: skip
        return int(rows[0][0])

    async def enter(self, tournament: int, name: str) -> None:
        """A player takes part; after the first round of a round robin nobody comes any more."""
        about = await self._open(tournament)
        if about["kind"] == "round_robin" and about["round"]:
            raise ClubError("tournament_begun")
        if about["players"] >= MOST_PLAYERS:
            raise ClubError("tournament_full", most=MOST_PLAYERS)
        told = _named(name)
        await self._db.rows("insert into members (name) values (%s) on conflict do nothing", told)
        rows = await self._db.rows(
            "insert into entrants (tournament, member, number) "
            "select %s, id, (select coalesce(max(number), 0) + 1 from entrants "
            "where tournament = %s) from members where lower(name) = lower(%s) "
            "on conflict (tournament, member) do update set left_after = null returning member",
            tournament, tournament, told,
        )  # fmt: skip
        assert rows, "the member was just entered"

    async def leave(self, tournament: int, player: int) -> None:
        """A player goes: is paired no more; before the first round the entry is taken out."""
        about = await self._open(tournament)
        if not about["round"]:
            await self._db.rows(
                "delete from entrants where tournament = %s and member = %s", tournament, player
            )
            return
        await self._db.rows(
            "update entrants set left_after = %s where tournament = %s and member = %s",
            about["round"], tournament, player,
        )  # fmt: skip

    async def pair(self, tournament: int, ratings: Mapping[str, Rating]) -> int:
        """The next round; gives its number. All results of the last one must be there."""
        about = await self._open(tournament)
        entrants, pairings = await self._entrants(tournament), await self._pairings(tournament)
        number = int(about["round"]) + 1
        if any(game.points is None for game in pairings):
            raise ClubError("results_missing", round=number - 1)
        if about["kind"] == "round_robin":
            if len(entrants) < 2 or number > berger_rounds(len(entrants)):
                raise ClubError("club_no_round", number=number)
            games = _without_absent(
                berger_round([one.id for one in entrants], number),
                {one.id for one in entrants if one.left_after is not None},
            )
        else:
            here = [one for one in entrants if one.left_after is None]
            if len(here) < 2 or number > about["rounds"]:
                raise ClubError("club_no_round", number=number)
            # The strongest first; who was never rated comes after them, in the order of entry.
            here.sort(key=lambda one: -ratings[one.name].value if one.name in ratings else 0.0)
            games = swiss_round([one.id for one in here], pairings, number)
        await self._keep(tournament, games)
        return number

    async def result(self, tournament: int, round: int, board: int, points: float | None) -> None:
        """What the first player of a board got: 1, ½ or 0; None: not played yet."""
        await self._open(tournament)
        if points not in (0.0, 0.5, 1.0, None):
            raise ClubError("bad_result")
        rows = await self._db.rows(
            "update pairings set points = %s where tournament = %s and round = %s and board = %s "
            "and second is not null and round = (select max(round) from pairings "
            "where tournament = %s) returning board", points, tournament, round, board, tournament,
        )  # fmt: skip
        if not rows:
            raise ClubError("no_such_board", round=round, board=board)

    async def unpair(self, tournament: int) -> None:
        """Take the last round back, with its results."""
        await self._open(tournament)
        await self._db.rows(
            "delete from pairings where tournament = %s and round = "
            "(select max(round) from pairings where tournament = %s)", tournament, tournament,
        )  # fmt: skip

    async def end(self, tournament: int, over: bool) -> None:
        """The tournament is over, or goes on after all."""
        rows = await self._db.rows(
            "update tournaments set over = %s where id = %s returning id", over, tournament
        )
        if not rows:
            raise ClubError("no_tournament")

    # -- private --------------------------------------------------------------------------

    async def _open(self, tournament: int) -> dict[str, Any]:
        for about in await self.tournaments():
            if about["id"] == tournament:
                if about["over"]:
                    raise ClubError("tournament_over")
                return about
        raise ClubError("no_tournament")

    async def _entrants(self, tournament: int) -> list[_Entrant]:
        rows = await self._db.rows(
            "select m.id, m.name, e.number, e.left_after from entrants e "
            "join members m on m.id = e.member where e.tournament = %s order by e.number",
            tournament,
        )
        return [_Entrant(*row) for row in rows]

    async def _pairings(self, tournament: int) -> list[Pairing]:
        rows = await self._db.rows(
            "select round, board, first, second, points::double precision from pairings "
            "where tournament = %s order by round, board", tournament,
        )  # fmt: skip
        return [Pairing(*row) for row in rows]

    async def _keep(self, tournament: int, games: Sequence[Pairing]) -> None:
        values = [
            value for g in games for value in (tournament, g.round, g.board, g.first, g.second,
                                               g.points)
        ]  # fmt: skip
        places = ", ".join(["(%s, %s, %s, %s, %s, %s)"] * len(games))
        try:
            await self._db.rows(
                "insert into pairings (tournament, round, board, first, second, points) "
                f"values {places}", *values,
            )  # fmt: skip
        except psycopg.errors.UniqueViolation as error:
            # Two asked for the same round at once.
            raise ClubError("tournament_begun") from error


def _without_absent(games: Sequence[Pairing], absent: set[int]) -> list[Pairing]:
    """Whoever was to play somebody who has left has a bye; the others go on as the table says."""
    found = []
    for game in games:
        here = [id for id in (game.first, game.second) if id is not None and id not in absent]
        if len(here) == 2:
            found.append(game)
        elif here:
            found.append(Pairing(game.round, game.board, here[0], None, 1.0))
    return found


def _named(name: str) -> str:
    told = " ".join(name.split())
    if not told or len(told) > LONGEST_NAME or not told.isprintable():
        raise ClubError("bad_player_name", most=LONGEST_NAME)
    return told
