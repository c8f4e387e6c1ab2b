"""Does what the organiser of tournaments asks for: players, rounds, results and tables."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from companion.club.naming import ClubError
from companion.club.repository import Database
from companion.club.seasons.kept_up import Seasons
from companion.club.tournament.games import DUEL, Game, Scale, bye, places_of
from companion.club.tournament.pairing import (
    berger_round,
    berger_rounds,
    swiss_round,
    table_round,
)
from companion.club.tournament.rows import (
    MOST_SEATS,
    TOLD,
    Paired,
    Rows,
    added,
    put_aside,
    seated,
    settled,
    table_of,
)
from rules.core import OptionError
from rules.games import find_game

KINDS = ("swiss", "round_robin")
MOST_PLAYERS, MOST_ROUNDS = 200, 200
LONGEST_NAME = 64
SCALES: Mapping[int, Scale] = {
    2: DUEL, 3: (3.0, 1.0, 0.0), 4: (5.0, 3.0, 1.0, 0.0), 5: (6.0, 4.0, 2.0, 1.0, 0.0),
    6: (8.0, 5.0, 3.0, 2.0, 1.0, 0.0),
}  # fmt: skip
"""Points by place unless the organiser says otherwise, by number of seats at a table."""
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.):]|[-*•])\s*")


class Organiser:
    """Does what the organiser asks for. Raises ClubError with the reason if it cannot be done."""

    def __init__(self, database: Database, seasons: Seasons) -> None:
        """``seasons``: asked for ratings only where players are paired by them."""
        self._db, self._rows, self._seasons = database, Rows(database), seasons

    # -- looking --------------------------------------------------------------------------

    async def tournaments(self) -> list[dict[str, Any]]:
        """All tournaments, the newest first."""
        return [asdict(one) for one in await self._rows.all()]

    async def tournament(self, id: int) -> dict[str, Any]:
        """One of them with its players, rounds and table."""
        about, rows = await self._rows.one(id), self._rows
        entrants, games = await rows.entrants(id), await rows.games(id)
        names = {one.id: one.name for one in entrants}
        playing, taken_back = await rows.playing(id), await rows.taken_back(about, games)
        return {
            **asdict(about), "v": 3,
            "all_rounds": berger_rounds(len(entrants)) if about.kind == "round_robin"
            else about.rounds,
            "restorable": taken_back[1] if taken_back else 0,
            "tables": await rows.tables_there() if about.game and not about.over else [],
            "players": [
                {"id": one.id, "name": one.name, "left": one.left_after is not None}
                for one in entrants
            ],
            "table": [
                {**asdict(line), "name": names[line.player]}
                for line in table_of(about, entrants, games)
            ],
            "games": [
                {
                    "round": game.round, "board": game.board, "where": game.where,
                    "playing": playing.get(game.id, ""),
                    "table": game.table if game.places and game.typed_s is None else "",
                    "seats": [
                        {"player": id, "name": names[id], "place": place, "points": points}
                        for id, place, points in seated(game, about.scale)
                    ],
                }
                for game in games
            ],
        }  # fmt: skip

    # -- changing -------------------------------------------------------------------------

    async def begin(
        self, name: str, game: str, kind: str, rounds: int, *, seats: int = 2,
        scale: Sequence[float] = (), by_rating: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> int:  # fmt: skip
        """A new tournament; gives its number. ``rounds`` counts in Swiss ones only; ``options`` are
        those of the game that are not as usual.

        Raises ClubError if the game is not played by so many, or so, or the points make no sense.
        """
        if kind not in KINDS or not 1 <= rounds <= MOST_ROUNDS or seats not in SCALES:
            raise ClubError("bad_tournament")
        if kind == "round_robin" and seats != 2:
            raise ClubError("round_robin_of_two")
        if game and seats not in find_game(game).players:
            able = ", ".join(str(n) for n in find_game(game).players if n > 1)
            raise ClubError("not_so_many_players", numbers=able)
        try:
            chosen = find_game(game).complete_options(seats, options or {}) if game else {}
        except OptionError as error:
            raise ClubError("bad_tournament") from error
        points = tuple(float(one) for one in scale) or SCALES[seats]
        falling = all(a >= b for a, b in pairwise(points))
        if not falling or points[0] <= points[-1] or points[-1] < 0 or len(points) > MOST_SEATS:
            raise ClubError("bad_scale")
        rows = await self._db.rows(
            "insert into tournaments (name, game, kind, rounds, seats, scale, by_rating, options) "
            "values (%s, %s, %s, %s, %s, %s, %s, %s) returning id",
            _named(name), game[:64], kind, rounds, seats, list(points), by_rating, Jsonb(chosen),
        )  # fmt: skip
        return int(rows[0][0])

    async def enter(self, tournament: int, text: str) -> list[str]:
        """Enters all players whose names are in ``text``, in their order; gives the names that were
        entered before, or are there twice: nobody else is entered by them.

        Raises ClubError, with nobody entered, if a name is none, a round robin has begun, or the
        tournament takes no more.
        """
        about = await self._rows.open(tournament)
        if about.kind == "round_robin" and about.round:
            raise ClubError("tournament_begun")
        asked = names_in(text)
        if not asked:
            raise ClubError("bad_player_name", most=LONGEST_NAME)
        known = {one.name.lower(): one for one in await self._rows.entrants(tournament)}
        new, twice, back = dict[str, str](), list[str](), list[int]()
        for name in asked:
            told = name.lower()
            if told in known and known[told].left_after is not None and known[told].id not in back:
                back.append(known[told].id)
            elif told in known or told in new:
                twice.append(name)
            else:
                new[told] = name
        if about.players + len(new) > MOST_PLAYERS:
            raise ClubError("tournament_full", most=MOST_PLAYERS)
        names = list(new.values())
        await self._db.change(
            ("insert into members (name) select unnest(%s::text[]) on conflict do nothing",
             [names]),
            ("update entrants set left_after = null where tournament = %s and member = any(%s)",
             [tournament, back]),
            ("insert into entrants (tournament, member, number) "
             "select %s, m.id, n.number + (select coalesce(max(number), 0) from entrants "
             "where tournament = %s) from unnest(%s::text[]) with ordinality n(name, number) "
             "join members m on lower(m.name) = lower(n.name) on conflict do nothing",
             [tournament, tournament, names]),
        )  # fmt: skip
        return twice

    async def leave(self, tournament: int, player: int) -> None:
        """A player goes: is paired no more; before the first round the entry is taken out."""
        about = await self._rows.open(tournament)
        if not about.round:
            await self._db.rows(
                "delete from entrants where tournament = %s and member = %s", tournament, player
            )
            return
        await self._db.rows(
            "update entrants set left_after = %s where tournament = %s and member = %s",
            about.round, tournament, player,
        )  # fmt: skip

    async def more_rounds(self, tournament: int) -> None:
        """One round more than was planned, of a Swiss tournament."""
        about = await self._rows.open(tournament)
        if about.kind != "swiss" or about.rounds >= MOST_ROUNDS:
            raise ClubError("bad_tournament")
        await self._db.rows("update tournaments set rounds = rounds + 1 where id = %s", tournament)

    async def pair(self, tournament: int, *, again: bool = False) -> int:
        """The next round; gives its number. All results of the last one must be there.

        ``again``: players may meet, and rest, a second time where nothing else is possible. Games
        of a round that was taken back keep their results.
        """
        about = await self._rows.open(tournament)
        entrants, games = await self._rows.entrants(tournament), await self._rows.games(tournament)
        number = about.round + 1
        if any(not game.places for game in games):
            raise ClubError("results_missing", round=number - 1)
        here = [one for one in entrants if one.left_after is None]
        if len(here) < 2:
            raise ClubError("too_few_players")
        if about.kind == "round_robin":
            paired = _without_absent(
                berger_round([one.id for one in entrants], number),
                {one.id for one in entrants if one.left_after is not None},
            )
        else:
            if number > about.rounds:
                raise ClubError("all_rounds_played", rounds=about.rounds)
            if about.by_rating:
                ratings = await self._seasons.ratings()
                # Players who were never rated come after all others, in the order of entry.
                here.sort(key=lambda one: -ratings[one.name].value if one.name in ratings else 0.0)
            ids = [one.id for one in here]
            if about.seats == 2:
                paired = await asyncio.to_thread(swiss_round, ids, games, number, again=again)
            else:
                paired = await asyncio.to_thread(
                    table_round, ids, games, number, about.room, about.scale, again=again
                )
        kept = await self._rows.taken_back(about, games)
        before = kept[2] if kept and kept[1] == number else ()
        round = [_as_before(game, before) for game in paired]
        await self._add(tournament, await self._seated_at_tables(round) if about.game else round)
        return number

    async def result(
        self, tournament: int, round: int, board: int, order: Sequence[int]
    ) -> dict[str, Any]:
        """Sets or corrects the places of a game, of any round; none: not played yet.

        A match that a table recorded stays with its game. Pairings of later rounds stay. Gives each
        player's change of place in the table, and the last round that was paired by the old result
        (0: none).
        """
        about = await self._rows.open(tournament)
        entrants, games = await self._rows.entrants(tournament), await self._rows.games(tournament)
        game = _at(games, round, board)
        if order and (
            len(order) != len(game.players) or not all(1 <= one <= len(order) for one in order)
        ):
            raise ClubError("bad_result")
        new = replace(game, places=places_of(order), typed_s=game.typed_s or time.time())
        await self._db.change(*settled(tournament, new))
        after = table_of(about, entrants, [new if g is game else g for g in games])
        places = {line.player: line.place for line in table_of(about, entrants, games)}
        names = {one.id: one.name for one in entrants}
        return {
            "paired": about.round if round < about.round else 0,
            "moved": [
                {"name": names[line.player], "from": places[line.player], "to": line.place}
                for line in after if line.place != places[line.player]
            ],
        }  # fmt: skip

    async def move(self, tournament: int, round: int, board: int, table: str) -> None:
        """A game is to be played at this table of the club; empty: at any that is free."""
        await self._rows.open(tournament)
        game = _at(await self._rows.games(tournament), round, board)
        if table and table not in await self._rows.tables_there():
            raise ClubError("table_away", table=table[:64])
        await self._db.change(
            ("update pairings set at_table = %s where id = %s", [table, game.id]), TOLD
        )

    async def unpair(self, tournament: int) -> None:
        """Takes the last round back; it is kept with its results."""
        await self._rows.open(tournament)
        games = await self._rows.games(tournament)
        last = max((game.round for game in games), default=0)
        if last:
            await self._db.change(*put_aside(tournament, last, games))

    async def restore(self, tournament: int) -> int:
        """Brings the round back that was taken back last, in place of one without results; gives
        its number."""
        about = await self._rows.open(tournament)
        games = await self._rows.games(tournament)
        found = await self._rows.taken_back(about, games)
        if found is None:
            raise ClubError("nothing_to_restore")
        id, number, kept = found
        aside = put_aside(tournament, number, games) if number == about.round else ()
        await self._db.change(
            *aside, ("delete from taken_back where id = %s", [id]), *added(tournament, kept)
        )
        return number

    async def end(self, tournament: int, over: bool) -> None:
        """The tournament is over, or goes on after all."""
        await self._rows.one(tournament)
        await self._db.change(
            ("update tournaments set over = %s where id = %s", [over, tournament]), TOLD
        )

    # -- private --------------------------------------------------------------------------

    async def _seated_at_tables(self, games: Sequence[Paired]) -> list[Paired]:
        """The games of a round, each at a table of the club of its own as far as there are some."""
        wanted = await self._rows.wanted_tables() | {game.where for game in games}
        free = [table for table in await self._rows.tables_there() if table not in wanted]
        found = []
        for game in games:
            waits = not (game.where or game.places) and free
            found.append(replace(game, where=free.pop(0)) if waits else game)
        return found

    async def _add(self, tournament: int, games: Sequence[Paired]) -> None:
        try:
            await self._db.change(*added(tournament, games))
        except psycopg.errors.UniqueViolation as error:
            # Two asked for the same round at once.
            raise ClubError("tournament_begun") from error


def names_in(text: str) -> list[str]:
    """Names that were typed, pasted from a list or read from a file: one per line, of which the
    first column counts and numbers before it do not, or separated by commas in one line.

    Raises ClubError for a name that is too long or cannot be shown.
    """
    lines = text.lstrip("\ufeff").splitlines()
    if len([line for line in lines if line.strip()]) == 1:
        lines = re.split(r"[,;\t]", text)
    cells = (re.split(r"[;\t]", line, maxsplit=1)[0] for line in lines)
    plain = (_NUMBERED.sub("", cell).strip().strip('"') for cell in cells)
    return [_named(name) for name in plain if name]


def _named(name: str) -> str:
    told = " ".join(name.split())
    if not told or len(told) > LONGEST_NAME or not told.isprintable():
        raise ClubError("bad_player_name", most=LONGEST_NAME)
    return told


def _at(games: Sequence[Paired], round: int, board: int) -> Paired:
    """A game that people play. Raises ClubError if there is none."""
    for game in games:
        if (game.round, game.board) == (round, board) and not game.is_bye:
            return game
    raise ClubError("no_such_board", round=round, board=board)


def _as_before(game: Game, before: Sequence[Paired]) -> Paired:
    """A game as the same players had it in a round that was taken back, with its result: perhaps
    they have begun it. Else a new one."""
    for old in before:
        if not game.is_bye and sorted(old.players) == sorted(game.players):
            return replace(old, board=game.board)
    return Paired(game.round, game.board, game.players, game.places)


def _without_absent(games: Sequence[Game], absent: set[int]) -> list[Game]:
    """Gives players whose opponent has left a bye; the others go on as the table says."""
    found = []
    for game in games:
        here = [id for id in game.players if id not in absent]
        if len(here) == 2:
            found.append(game)
        elif here:
            found.append(bye(game.round, game.board, here[0]))
    return found
