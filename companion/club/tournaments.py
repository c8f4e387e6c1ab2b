"""Tournaments in the club's database: entering players, rounds and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg

from companion.club.naming import ClubError
from companion.club.repository import Database
from companion.club.season import Rating

# -- pairings ---------------------------------------------------------------------------------

BYE_POINTS = 1.0
"""Points of a bye, those of a win."""

_SCORE, _MUST, _WISH = 100_000_000, 100_000, 1_000
"""Costs of a pairing: for a difference of half a point, squared; for two who both must begin, or
both must not; for two who both would like the same."""
_REST = -1
"""The opponent of a player who has a bye."""
_NEAR = 24
"""Neighbours in the ranking that are tried first; all others only if that leads to no round."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round."""

    round: int
    board: int
    first: int
    """The player who begins."""
    second: int | None
    """None: ``first`` has a bye."""
    points: float | None = None
    """Points of ``first``: 1, ½ or 0; None as long as it is not played."""


# -- round robin ------------------------------------------------------------------------------


def berger_rounds(players: int) -> int:
    """Number of rounds until all players have met."""
    return players - 1 + players % 2


def berger_round(players: Sequence[int], number: int) -> list[Pairing]:
    """Round ``number`` (from 1) of the Berger tables (FIDE Handbook C.05, Annex 1).

    With an odd number of players one has a bye in each round. Raises ClubError for another round.
    """
    if not 1 <= number <= berger_rounds(len(players)):
        raise ClubError("club_no_round", number=number)
    size = len(players) + len(players) % 2
    pairs: list[tuple[int, int]] = []
    for low in range(1, size):
        for high in range(low + 1, size):
            if (low + high) % (size - 1) == (number + 1) % (size - 1):
                # Of two numbers whose sum is odd the lower one begins.
                pairs.append((low, high) if (low + high) % 2 else (high, low))
        if 2 * low % (size - 1) == (number + 1) % (size - 1):
            pairs.insert(0, (low, size) if low <= size // 2 else (size, low))
    found = []
    for board, (first, second) in enumerate(pairs, 1):
        if max(first, second) > len(players):
            found.append(Pairing(number, board, players[min(first, second) - 1], None, BYE_POINTS))
        else:
            found.append(Pairing(number, board, players[first - 1], players[second - 1]))
    return found


# -- Swiss ------------------------------------------------------------------------------------


@dataclass
class _Player:
    """A player with the history that the next pairing depends on."""

    id: int
    rank: int = 0
    half_points: int = 0
    met: set[int] = field(default_factory=set)
    had_bye: bool = False
    begun: list[bool] = field(default_factory=list)
    """For every game so far: whether they began."""

    @property
    def balance(self) -> int:
        """Games begun minus games not begun."""
        return sum(1 if began else -1 for began in self.begun)

    @property
    def must(self) -> bool | None:
        """True if they must begin, False if they must not; None if both is possible."""
        if abs(self.balance) > 1:
            return self.balance < 0
        if len(self.begun) > 1 and self.begun[-1] == self.begun[-2]:
            return not self.begun[-1]
        return None

    @property
    def wish(self) -> bool | None:
        """Fair choice of whether they begin; None if either is."""
        if self.must is not None or not self.begun:
            return self.must
        return self.balance < 0 if self.balance else not self.begun[-1]


def swiss_round(players: Sequence[int], pairings: Sequence[Pairing], number: int) -> list[Pairing]:
    """Round ``number`` for ``players`` (in the order of entry, the strongest first).

    No two players meet twice, and none has two byes. Among all rounds for which that holds the one
    is taken in which players of equal points meet (the upper half of each score group the lower
    half), and in which no player begins much more often than not: a matching of maximum weight
    (Edmonds, "Paths, trees, and flowers", 1965). Raises ClubError if there is no such round.
    """
    import networkx

    ranked = _ranked(players, pairings)
    groups: dict[int, list[int]] = {}
    for player in ranked:
        groups.setdefault(player.half_points, []).append(player.rank)
    for near in (_NEAR, len(ranked)):
        graph = networkx.Graph()
        graph.add_nodes_from(player.id for player in ranked)
        for place, one in enumerate(ranked):
            for other in ranked[place + 1 : place + 1 + near]:
                if other.id not in one.met:
                    graph.add_edge(one.id, other.id, weight=-_cost(one, other, groups))
        if len(ranked) % 2:
            for player in ranked:
                if not player.had_bye:
                    cost = _SCORE * player.half_points**2 + (len(ranked) - player.rank)
                    graph.add_edge(player.id, _REST, weight=-cost)
        mates = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(mates) == len(ranked) + len(ranked) % 2:
            return _boards(mates, {player.id: player for player in ranked}, number)
    raise ClubError("club_no_round", number=number)


def _ranked(players: Sequence[int], pairings: Sequence[Pairing]) -> list[_Player]:
    """Players with their history, by points, those of equal points by entry."""
    found = {id: _Player(id) for id in players}
    for pairing in sorted(pairings, key=lambda one: one.round):
        points = pairing.points or 0.0
        sides = [(pairing.first, pairing.second, points, True)]
        if pairing.second is not None and pairing.points is not None:
            sides.append((pairing.second, pairing.first, 1 - points, False))
        elif pairing.second is not None:
            sides.append((pairing.second, pairing.first, 0.0, False))
        for id, other, got, began in sides:
            if (player := found.get(id)) is None:
                continue
            player.half_points += round(2 * got)
            if other is None:
                player.had_bye = True
            else:
                player.met.add(other)
                player.begun.append(began)
    ranked = sorted(found.values(), key=lambda player: -player.half_points)
    for rank, player in enumerate(ranked):
        player.rank = rank
    return ranked


def _cost(one: _Player, other: _Player, groups: Mapping[int, Sequence[int]]) -> int:
    cost = _SCORE * (one.half_points - other.half_points) ** 2
    if one.must is not None and one.must == other.must:
        cost += _MUST
    if one.wish is not None and one.wish == other.wish:
        cost += _WISH
    if one.half_points == other.half_points:
        group = groups[one.half_points]
        half = len(group) // 2
        same_half = (one.rank - group[0] < half) == (other.rank - group[0] < half)
        cost += abs(abs(one.rank - other.rank) - half) + (len(group) if same_half else 0)
    return cost


def _boards(
    mates: set[tuple[int, int]], players: Mapping[int, _Player], number: int
) -> list[Pairing]:
    """The best play at the first boards; a bye comes last."""
    games: list[tuple[_Player, _Player]] = []
    found: list[Pairing] = []
    for pair in mates:
        here = sorted((players[id] for id in pair if id != _REST), key=lambda p: p.rank)
        if len(here) == 1:
            found.append(Pairing(number, len(mates), here[0].id, None, BYE_POINTS))
        else:
            games.append((here[0], here[1]))
    games.sort(key=lambda game: (-game[0].half_points - game[1].half_points, game[0].rank))
    for board, (high, low) in enumerate(games, 1):
        first, second = (high, low) if _begins(high, low, board) else (low, high)
        found.append(Pairing(number, board, first.id, second.id))
    return sorted(found, key=lambda pairing: pairing.board)


def _begins(high: _Player, low: _Player, board: int) -> bool:
    """True if the player who is ranked higher begins."""
    if high.balance != low.balance:
        return high.balance < low.balance
    for mine, theirs in zip(reversed(high.begun), reversed(low.begun), strict=False):
        if mine != theirs:
            # Whoever did not begin when the other did.
            return not mine
    if high.wish is not None:
        return high.wish
    return board % 2 == 1


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
        """Enters a player. Raises ClubError if a round robin has begun, or the tournament is
        full."""
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
        """Sets the points of the first player of a board: 1, ½ or 0; None: not played yet."""
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
    """Gives players whose opponent has left a bye; the others go on as the table says."""
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


# -- standings --------------------------------------------------------------------------------
#
# As in the FIDE Handbook C.07: Buchholz is the sum of the points of a player's opponents, Buchholz
# cut 1 leaves the least of them out, Sonneborn-Berger counts the points of the opponents beaten and
# half of those drawn with. A bye counts like a game won against an opponent with the player's own
# points. Rounds not played after leaving count as draws for the opponents.


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table."""

    place: int
    """Shared by those whom nothing separates."""
    player: int
    points: float
    played: int
    wins: int
    """Games won at the board."""
    direct: float | None
    """Points from games among those of equal points, if all of them have met; else None."""
    buchholz_cut_1: float
    buchholz: float
    sonneborn_berger: float


@dataclass(frozen=True, slots=True)
class _Game:
    """A round as one of its players sees it."""

    other: int | None
    points: float


def standings(
    players: Sequence[int], pairings: Sequence[Pairing], left: Mapping[int, int] | None = None
) -> list[Standing]:
    """The table. ``left``: of those who have left, the last round they were there.

    Order: points, direct encounter, Buchholz cut 1, Buchholz, Sonneborn-Berger, games won.
    """
    games = _games(players, pairings)
    points = {id: sum(game.points for game in games[id]) for id in players}
    rounds = max((p.round for p in pairings if p.points is not None), default=0)
    told = {
        id: points[id] + max(rounds - left[id], 0) / 2 if left and id in left else points[id]
        for id in players
    }
    lines = [_line(id, games[id], points, told, games) for id in players]
    lines.sort(key=_order)
    found: list[Standing] = []
    for number, line in enumerate(lines):
        same = number > 0 and _order(lines[number - 1]) == _order(line)
        place = found[-1].place if same else number + 1
        found.append(Standing(
            place, line.player, line.points, line.played, line.wins, line.direct,
            line.buchholz_cut_1, line.buchholz, line.sonneborn_berger,
        ))  # fmt: skip
    return found


def _games(players: Sequence[int], pairings: Sequence[Pairing]) -> dict[int, list[_Game]]:
    games: dict[int, list[_Game]] = {id: [] for id in players}
    for pairing in pairings:
        if pairing.points is None:
            continue
        if pairing.first in games:
            games[pairing.first].append(_Game(pairing.second, pairing.points))
        if pairing.second is not None and pairing.second in games:
            games[pairing.second].append(_Game(pairing.first, 1 - pairing.points))
    return games


def _line(
    id: int,
    mine: Sequence[_Game],
    points: Mapping[int, float],
    told: Mapping[int, float],
    games: Mapping[int, Sequence[_Game]],
) -> Standing:
    theirs = [points[id] if game.other is None else told.get(game.other, 0.0) for game in mine]
    return Standing(
        place=0,
        player=id,
        points=points[id],
        played=len(mine),
        wins=sum(game.other is not None and game.points == 1 for game in mine),
        direct=_direct(id, points, games),
        buchholz_cut_1=sum(theirs) - min(theirs, default=0.0),
        buchholz=sum(theirs),
        sonneborn_berger=sum(g.points * got for g, got in zip(mine, theirs, strict=True)),
    )


def _direct(
    id: int, points: Mapping[int, float], games: Mapping[int, Sequence[_Game]]
) -> float | None:
    tied = {other for other in points if points[other] == points[id]}
    if len(tied) == 1:
        return None
    for one in tied:
        if not tied - {one} <= {game.other for game in games[one]}:
            return None
    return sum(game.points for game in games[id] if game.other in tied)


def _order(line: Standing) -> tuple[float, ...]:
    return (
        -line.points, -(line.direct or 0.0), -line.buchholz_cut_1, -line.buchholz,
        -line.sonneborn_berger, -line.wins,
    )  # fmt: skip
