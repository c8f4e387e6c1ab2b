"""Tournaments in the club's database: entering players, rounds and results."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import psycopg

from companion.club.naming import ClubError
from companion.club.repository import Database, Played
from companion.club.seasons import Seasons
from companion.club.tournament.games import DUEL, Game, Scale, bye, places_of
from companion.club.tournament.pairing import (
    Room,
    berger_round,
    berger_rounds,
    swiss_round,
    table_round,
)
from companion.club.tournament.standings import Standing, standings
from rules.games import find_game

KINDS = ("swiss", "round_robin")
MOST_PLAYERS, MOST_ROUNDS, MOST_SEATS = 200, 200, 6
LONGEST_NAME = 64
SCALES: Mapping[int, Scale] = {
    2: DUEL, 3: (3.0, 1.0, 0.0), 4: (5.0, 3.0, 1.0, 0.0), 5: (6.0, 4.0, 2.0, 1.0, 0.0),
    6: (8.0, 5.0, 3.0, 2.0, 1.0, 0.0),
}  # fmt: skip
"""Points by place unless the organiser says otherwise, by number of seats at a table."""
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.):]|[-*•])\s*")

Step = tuple[str, Sequence[object]]


@dataclass(frozen=True, slots=True)
class _Entrant:
    id: int
    name: str
    number: int
    left_after: int | None


@dataclass(frozen=True, slots=True)
class _About:
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
    players: int
    round: int

    @property
    def room(self) -> Room:
        """Numbers of players at one table: the wished one, or one more or fewer if the game can be
        played so."""
        able = find_game(self.game).players if self.game else range(2, MOST_SEATS + 1)
        near = [n for n in able if abs(n - self.seats) <= 1 and n > 1] or [self.seats]
        return Room(self.seats, min(near), max(near))


class Organiser:
    """Does what the organiser asks for. Raises ClubError with the reason if it cannot be done."""

    def __init__(self, database: Database, seasons: Seasons) -> None:
        """``seasons``: asked for recorded matches and ratings only where they may count."""
        self._db, self._seasons = database, seasons

    # -- looking --------------------------------------------------------------------------

    async def tournaments(self) -> list[dict[str, Any]]:
        """All tournaments, the newest first."""
        return [asdict(one) for one in await self._all()]

    async def tournament(self, id: int) -> dict[str, Any]:
        """One of them with its players, rounds and table."""
        about = await self._one(id)
        await self._take_recorded(about)
        entrants, games = await self._entrants(id), await self._games(id)
        tables = await self._recorded(id)
        names = {one.id: one.name for one in entrants}
        taken_back = await self._taken_back(about, games)
        return {
            **asdict(about), "v": 2,
            "all_rounds": berger_rounds(len(entrants)) if about.kind == "round_robin"
            else about.rounds,
            "restorable": taken_back[1] if taken_back else 0,
            "players": [
                {"id": one.id, "name": one.name, "left": one.left_after is not None}
                for one in entrants
            ],
            "table": [
                {**asdict(line), "name": names[line.player]}
                for line in _standings(about, entrants, games)
            ],
            "games": [
                {
                    "round": game.round, "board": game.board,
                    "table": tables.get((game.round, game.board), ""),
                    "seats": [
                        {"player": id, "name": names[id], "place": place, "points": points}
                        for id, place, points in _seated(game, about.scale)
                    ],
                }
                for game in games
            ],
        }  # fmt: skip

    # -- changing -------------------------------------------------------------------------

    async def begin(
        self, name: str, game: str, kind: str, rounds: int, *, seats: int = 2,
        scale: Sequence[float] = (), by_rating: bool = False,
    ) -> int:  # fmt: skip
        """A new tournament; gives its number. ``rounds`` counts in Swiss ones only.

        Raises ClubError if the game is not played by so many, or the points make no sense.
        """
        if kind not in KINDS or not 1 <= rounds <= MOST_ROUNDS or seats not in SCALES:
            raise ClubError("bad_tournament")
        if kind == "round_robin" and seats != 2:
            raise ClubError("round_robin_of_two")
        if game and seats not in find_game(game).players:
            able = ", ".join(str(n) for n in find_game(game).players if n > 1)
            raise ClubError("not_so_many_players", numbers=able)
        points = tuple(float(one) for one in scale) or SCALES[seats]
        falling = all(a >= b for a, b in pairwise(points))
        if not falling or points[0] <= points[-1] or points[-1] < 0 or len(points) > MOST_SEATS:
            raise ClubError("bad_scale")
        rows = await self._db.rows(
            "insert into tournaments (name, game, kind, rounds, seats, scale, by_rating) "
            "values (%s, %s, %s, %s, %s, %s, %s) returning id",
            _named(name), game[:64], kind, rounds, seats, list(points), by_rating,
        )  # fmt: skip
        return int(rows[0][0])

    async def enter(self, tournament: int, text: str) -> list[str]:
        """Enters all players whose names are in ``text``, in their order; gives the names that were
        entered before, or are there twice: nobody else is entered by them.

        Raises ClubError, with nobody entered, if a name is none, a round robin has begun, or the
        tournament takes no more.
        """
        about = await self._open(tournament)
        if about.kind == "round_robin" and about.round:
            raise ClubError("tournament_begun")
        asked = names_in(text)
        if not asked:
            raise ClubError("bad_player_name", most=LONGEST_NAME)
        known = {one.name.lower(): one for one in await self._entrants(tournament)}
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
        about = await self._open(tournament)
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
        about = await self._open(tournament)
        if about.kind != "swiss" or about.rounds >= MOST_ROUNDS:
            raise ClubError("bad_tournament")
        await self._db.rows("update tournaments set rounds = rounds + 1 where id = %s", tournament)

    async def pair(self, tournament: int, *, again: bool = False) -> int:
        """The next round; gives its number. All results of the last one must be there.

        ``again``: players may meet, and rest, a second time where nothing else is possible. Games
        of a round that was taken back keep their results.
        """
        about = await self._open(tournament)
        await self._take_recorded(about)
        entrants, games = await self._entrants(tournament), await self._games(tournament)
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
        kept = await self._taken_back(about, games)
        before = kept[2] if kept and kept[1] == number else ()
        await self._add(tournament, [_as_before(game, before) for game in paired])
        return number

    async def result(
        self, tournament: int, round: int, board: int, order: Sequence[int]
    ) -> dict[str, Any]:
        """Sets or corrects the places of a game, of any round; none: not played yet.

        Pairings of later rounds stay. Gives each player's change of place in the table, and the
        last round that was paired by the old result (0: none).
        """
        about = await self._open(tournament)
        entrants, games = await self._entrants(tournament), await self._games(tournament)
        found = [g for g in games if (g.round, g.board) == (round, board) and not g.is_bye]
        if not found:
            raise ClubError("no_such_board", round=round, board=board)
        (game,) = found
        if order and (
            len(order) != len(game.players) or not all(1 <= one <= len(order) for one in order)
        ):
            raise ClubError("bad_result")
        new = Game(round, board, game.players, places_of(order))
        await self._db.change(*_settled(tournament, new))
        after = _standings(about, entrants, [new if g is game else g for g in games])
        places = {line.player: line.place for line in _standings(about, entrants, games)}
        names = {one.id: one.name for one in entrants}
        return {
            "paired": about.round if round < about.round else 0,
            "moved": [
                {"name": names[line.player], "from": places[line.player], "to": line.place}
                for line in after if line.place != places[line.player]
            ],
        }  # fmt: skip

    async def unpair(self, tournament: int) -> None:
        """Takes the last round back; it is kept with its results."""
        await self._open(tournament)
        games = await self._games(tournament)
        last = max((game.round for game in games), default=0)
        if last:
            await self._db.change(*_put_aside(tournament, last, games))

    async def restore(self, tournament: int) -> int:
        """Brings the round back that was taken back last, in place of one without results; gives
        its number."""
        about = await self._open(tournament)
        games = await self._games(tournament)
        found = await self._taken_back(about, games)
        if found is None:
            raise ClubError("nothing_to_restore")
        id, number, kept = found
        aside = _put_aside(tournament, number, games) if number == about.round else ()
        await self._db.change(
            *aside, ("delete from taken_back where id = %s", [id]), *_added(tournament, kept)
        )
        return number

    async def end(self, tournament: int, over: bool) -> None:
        """The tournament is over, or goes on after all."""
        rows = await self._db.rows(
            "update tournaments set over = %s where id = %s returning id", over, tournament
        )
        if not rows:
            raise ClubError("no_tournament")

    # -- private --------------------------------------------------------------------------

    async def _all(self) -> list[_About]:
        rows = await self._db.rows(
            "select t.id, t.name, t.game, t.kind, t.rounds, t.over, t.seats, t.scale, t.by_rating, "
            "(select count(*) from entrants where tournament = t.id), "
            "(select coalesce(max(round), 0) from pairings where tournament = t.id) "
            "from tournaments t order by t.id desc"
        )
        names = (
            "id", "name", "game", "kind", "rounds", "over", "seats", "scale", "by_rating",
            "players", "round",
        )  # fmt: skip
        told = [dict(zip(names, row, strict=True)) for row in rows]
        return [_About(**{**one, "scale": tuple(one["scale"])}) for one in told]

    async def _one(self, tournament: int) -> _About:
        for about in await self._all():
            if about.id == tournament:
                return about
        raise ClubError("no_tournament")

    async def _open(self, tournament: int) -> _About:
        about = await self._one(tournament)
        if about.over:
            raise ClubError("tournament_over")
        return about

    async def _entrants(self, tournament: int) -> list[_Entrant]:
        rows = await self._db.rows(
            "select m.id, m.name, e.number, e.left_after from entrants e "
            "join members m on m.id = e.member where e.tournament = %s order by e.number",
            tournament,
        )
        return [_Entrant(*row) for row in rows]

    async def _games(self, tournament: int) -> list[Game]:
        rows = await self._db.rows(
            "select round, board, array_agg(member order by seat), array_agg(place order by seat) "
            "from seats where tournament = %s group by round, board order by round, board",
            tournament,
        )
        return [
            Game(round, board, tuple(players), () if None in places else tuple(places))
            for round, board, players, places in rows
        ]

    async def _recorded(self, tournament: int) -> dict[tuple[int, int], str]:
        """The tables at which games were recorded that count as results, by round and board."""
        rows = await self._db.rows(
            "select round, board, tab from pairings where tournament = %s and tab is not null",
            tournament,
        )
        return {(round, board): str(table) for round, board, table in rows}

    async def _taken_back(
        self, about: _About, games: Sequence[Game]
    ) -> tuple[int, int, list[Game]] | None:
        """The round taken back last that may come again: its number there, its round, its
        games."""
        results = any(game.places and not game.is_bye for game in games
                      if game.round == about.round)  # fmt: skip
        rounds = [about.round + 1] if results or not about.round else [about.round, about.round + 1]
        rows = await self._db.rows(
            "select id, round, games from taken_back where tournament = %s and round = any(%s) "
            "order by id desc limit 1", about.id, rounds,
        )  # fmt: skip
        if not rows:
            return None
        id, number, kept = rows[0]
        found = [
            Game(number, board, tuple(players), tuple(places)) for board, players, places in kept
        ]
        return int(id), int(number), found

    async def _take_recorded(self, about: _About) -> None:
        """Matches that the club recorded become the results of the games that were paired and not
        played yet: those of the same game and the same people, once."""
        tournament = about.id
        if not about.game or about.over:
            return
        rows = await self._db.rows(
            "select p.round, p.board, extract(epoch from p.paired_at), "
            "array_agg(s.member order by s.seat), array_agg(lower(m.name) order by s.seat) "
            "from pairings p join seats s using (tournament, round, board) "
            "join members m on m.id = s.member where p.tournament = %s "
            "group by p.round, p.board, p.paired_at having count(s.place) = 0 "
            "order by p.round, p.board", tournament,
        )  # fmt: skip
        if not rows:
            return
        used = await self._db.rows(
            "select tab, match from pairings where tournament = %s and match is not null",
            tournament,
        )
        taken = {(str(table), str(match)) for table, match in used}
        played = await self._seasons.played(min(float(paired_s) for _, _, paired_s, *_ in rows))
        for round, board, paired_s, members, names in rows:
            for one in played:
                told = [name.strip().lower() for name in one.names]
                if (
                    (one.table, one.match) not in taken
                    and one.game.partition("@")[0] == about.game
                    and one.ended_s >= float(paired_s)
                    and sorted(told) == sorted(names)
                ):
                    taken.add((one.table, one.match))
                    ended = _ended(one)
                    places = tuple(ended[told.index(name)] for name in names)
                    game = Game(round, board, tuple(members), places)
                    await self._db.change(*_settled(tournament, game, (one.table, one.match)))
                    break

    async def _add(self, tournament: int, games: Sequence[Game]) -> None:
        try:
            await self._db.change(*_added(tournament, games))
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


def _standings(
    about: _About, entrants: Sequence[_Entrant], games: Sequence[Game]
) -> list[Standing]:  # fmt: skip
    left = {one.id: one.left_after for one in entrants if one.left_after is not None}
    return standings([one.id for one in entrants], games, left, about.scale)


def _seated(game: Game, scale: Scale) -> list[tuple[int, int | None, float | None]]:
    """Player, place and points of each seat."""
    nothing = (None,) * len(game.players)
    points = game.points(scale) or nothing
    return list(zip(game.players, game.places or nothing, points, strict=True))


def _ended(one: Played) -> list[int]:
    """The place of each seat of a recorded match."""
    order = {seat: rank for rank, group in enumerate(one.ranking, 1) for seat in group}
    last = len(one.ranking) + 1
    return list(places_of([order.get(seat, last) for seat in range(len(one.names))]))


def _as_before(game: Game, before: Sequence[Game]) -> Game:
    """A game with the result that the same players had in a round that was taken back."""
    for old in before:
        if old.places and not game.places and sorted(old.players) == sorted(game.players):
            places = dict(zip(old.players, old.places, strict=True))
            return Game(game.round, game.board, game.players,
                        tuple(places[id] for id in game.players))  # fmt: skip
    return game


def _settled(tournament: int, game: Game, recorded: tuple[str, str] | None = None) -> list[Step]:
    """Steps that write the result of a game. ``recorded``: table and match that it was taken
    from."""
    where = (tournament, game.round, game.board)
    places = game.places or (None,) * len(game.players)
    return [
        ("update pairings set tab = %s, match = %s where tournament = %s and round = %s "
         "and board = %s", [*(recorded or (None, None)), *where]),
        *(("update seats set place = %s where tournament = %s and round = %s and board = %s "
           "and member = %s", [place, *where, player])
          for player, place in zip(game.players, places, strict=True)),
    ]  # fmt: skip


def _added(tournament: int, games: Sequence[Game]) -> list[Step]:
    """Steps that add a round."""
    steps: list[Step] = []
    for game in games:
        where = (tournament, game.round, game.board)
        steps.append(("insert into pairings (tournament, round, board) values (%s, %s, %s)", where))
        for seat, (player, place, _) in enumerate(_seated(game, DUEL), 1):
            steps.append((
                "insert into seats (tournament, round, board, seat, member, place) "
                "values (%s, %s, %s, %s, %s, %s)", (*where, seat, player, place),
            ))  # fmt: skip
    return steps


def _put_aside(tournament: int, round: int, games: Sequence[Game]) -> list[Step]:
    """Steps that take a round out, and keep it."""
    kept = [(game.board, game.players, game.places) for game in games if game.round == round]
    return [
        ("insert into taken_back (tournament, round, games) values (%s, %s, %s)",
         [tournament, round, json.dumps(kept)]),
        ("delete from pairings where tournament = %s and round = %s", [tournament, round]),
    ]  # fmt: skip


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
