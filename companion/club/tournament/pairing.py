"""Pairings of a tournament: round robins, Swiss rounds for two, and Swiss rounds at larger
tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from companion.club.naming import ClubError
from companion.club.tournament.games import DUEL, Game, History, Scale, bye, histories

_AGAIN, _MUST = 10**18, 10**14
"""Costs of a pairing: of two who have met, and of a second bye; of two who both must begin, or both
must not …"""
_SCORE, _UNEVEN, _WISH = 10**8, 30_000, 10_000
"""… for a difference of half a win, squared; for two who both have begun once too often, or too
rarely; for two who both would like the same."""
_REST = -1
"""The opponent of a player who has a bye."""
_NEAR = 24
"""Neighbours in the ranking that are tried first; all others only if that leads to no round."""

# -- round robin ------------------------------------------------------------------------------


def berger_rounds(players: int) -> int:
    """Number of rounds until all players have met."""
    return players - 1 + players % 2


def berger_round(players: Sequence[int], number: int) -> list[Game]:
    """Round ``number`` (from 1) of the Berger tables (FIDE Handbook C.05, Annex 1).

    With an odd number of players one has a bye in each round. Raises ClubError for another round.
    """
    if not 1 <= number <= berger_rounds(len(players)):
        raise ClubError("all_rounds_played", rounds=berger_rounds(len(players)))
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
            found.append(bye(number, board, players[min(first, second) - 1]))
        else:
            found.append(Game(number, board, (players[first - 1], players[second - 1])))
    return found


# -- Swiss, two at a board --------------------------------------------------------------------


def swiss_round(
    players: Sequence[int], games: Sequence[Game], number: int, *, again: bool = False
) -> list[Game]:
    """Round ``number`` for ``players`` (the strongest first), two at a board.

    No two players meet twice, and none has two byes. Among all rounds for which that holds the one
    is taken in which players of equal points meet (the upper half of each score group the lower
    half), and in which no player begins much more often than not: a matching of maximum weight
    (Edmonds, "Paths, trees, and flowers", 1965). With ``again`` a round is always found, with as
    few second meetings and second byes as possible. Raises ClubError if there is none without.
    """
    ranked = histories(players, games, DUEL)
    for byes, meetings in ((False, False), (True, False), (True, True)):
        mates = _matching(ranked, byes_again=byes, meet_again=meetings)
        if mates is None:
            continue
        if byes and not again:
            raise ClubError("round_meets_again" if meetings else "round_second_bye", number=number)
        return _boards(mates, {player.id: player for player in ranked}, number)
    raise ClubError("too_few_players")


def _matching(
    ranked: Sequence[History], *, byes_again: bool, meet_again: bool
) -> set[tuple[int, int]] | None:
    """The cheapest pairs of all players; None if somebody is left over."""
    import networkx

    groups = _score_groups(ranked)
    for near in (_NEAR, len(ranked)):
        graph = networkx.Graph()
        graph.add_nodes_from(player.id for player in ranked)
        for place, one in enumerate(ranked):
            for other in ranked[place + 1 : place + 1 + near]:
                if meet_again or other.id not in one.met:
                    graph.add_edge(one.id, other.id, weight=-_cost(one, other, groups))
        if len(ranked) % 2:
            for player in ranked:
                if byes_again or not player.byes:
                    cost = _SCORE * player.score**2 + (len(ranked) - player.rank)
                    graph.add_edge(player.id, _REST, weight=-cost - _AGAIN * player.byes)
        mates: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(mates) == len(ranked) + len(ranked) % 2:
            return mates
    return None


def _score_groups(ranked: Sequence[History]) -> dict[int, range]:
    """The ranks of all who have equal points, by points."""
    groups: dict[int, range] = {}
    for player in ranked:
        begins = groups.get(player.score, range(player.rank, player.rank)).start
        groups[player.score] = range(begins, player.rank + 1)
    return groups


def _cost(one: History, other: History, groups: Mapping[int, range]) -> int:
    cost = _AGAIN * one.met[other.id] + _SCORE * (one.score - other.score) ** 2
    if one.must is not None and one.must == other.must:
        cost += _MUST
    if one.wish is not None and one.wish == other.wish:
        cost += _UNEVEN if one.balance and other.balance else _WISH
    if one.score == other.score:
        group = groups[one.score]
        half = len(group) // 2
        same_half = (one.rank - group[0] < half) == (other.rank - group[0] < half)
        cost += abs(abs(one.rank - other.rank) - half) + (len(group) if same_half else 0)
    return cost


def _boards(mates: set[tuple[int, int]], players: Mapping[int, History], number: int) -> list[Game]:
    """The best play at the first boards; a bye comes last."""
    pairs: list[tuple[History, History]] = []
    found: list[Game] = []
    for pair in mates:
        here = sorted((players[id] for id in pair if id != _REST), key=lambda p: p.rank)
        if len(here) == 1:
            found.append(bye(number, len(mates), here[0].id))
        else:
            pairs.append((here[0], here[1]))
    pairs.sort(key=lambda pair: (-pair[0].score - pair[1].score, pair[0].rank))
    for board, (high, low) in enumerate(pairs, 1):
        first, second = (high, low) if _begins(high, low, board) else (low, high)
        found.append(Game(number, board, (first.id, second.id)))
    return sorted(found, key=lambda game: game.board)


def _begins(high: History, low: History, board: int) -> bool:
    """True if the player who is ranked higher begins."""
    if high.must != low.must:
        return not low.must if high.must is None else high.must
    if high.balance != low.balance:
        return high.balance < low.balance
    for mine, theirs in zip(reversed(high.begun), reversed(low.begun), strict=False):
        if mine != theirs:
            # The one who did not begin when the other did.
            return not mine
    if high.wish is not None:
        return high.wish
    return board % 2 == 1


# -- Swiss, three and more at a table ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Room:
    """Numbers of players that may sit at one table."""

    wished: int
    least: int
    most: int

    def tables(self, players: int) -> list[int]:
        """Sizes of the tables, the larger ones first; they differ by at most one. Players for whom
        there is no place at a table have a bye."""
        for seated in range(players, self.least - 1, -1):
            counts = range(-(-seated // self.most), seated // self.least + 1)
            if counts:
                count = min(counts, key=lambda n: (abs(seated / n - self.wished), n))
                size, larger = divmod(seated, count)
                return [size + 1] * larger + [size] * (count - larger)
        return []


def table_round(
    players: Sequence[int],
    games: Sequence[Game],
    number: int,
    room: Room,
    scale: Scale,
    *,
    again: bool = False,
) -> list[Game]:
    """Round ``number`` for ``players`` (the strongest first), three or more at a table.

    Few players meet again, those of nearly equal points sit together, from each part of their score
    group one, and everybody sits on each seat about equally often: tables are begun in the order of
    points, and players exchanged as long as that is better. Raises ClubError if a player would rest
    a second time, unless that is allowed by ``again``.
    """
    ranked = histories(players, games, scale)
    sizes = room.tables(len(ranked))
    if not sizes:
        raise ClubError("too_few_players")
    resting = sorted(ranked, key=lambda p: (p.byes, p.score, -p.rank))[: len(ranked) - sum(sizes)]
    if not again and any(player.byes for player in resting):
        raise ClubError("round_second_bye", number=number)
    tables = _tables([player for player in ranked if player not in resting], sizes)
    tables.sort(key=lambda table: (-max(p.score for p in table), min(p.rank for p in table)))
    found = [
        Game(number, board, tuple(player.id for player in _seats(table)))
        for board, table in enumerate(tables, 1)
    ]
    rests = enumerate(resting, len(found) + 1)
    return found + [bye(number, board, player.id) for board, player in rests]


def _tables(ranked: Sequence[History], sizes: Sequence[int]) -> list[list[History]]:
    groups = _score_groups(ranked)
    parts, within = dict[int, int](), dict[int, int]()
    for player in ranked:
        group = groups[player.score]
        width = -(-len(group) // sizes[0])
        parts[player.id], within[player.id] = divmod(player.rank - group.start, width)

    def cost(table: Sequence[History]) -> int:
        total = 0
        for one, other in combinations(table, 2):
            total += _AGAIN * one.met[other.id] ** 2 + _SCORE * (one.score - other.score) ** 2
            total += one.score == other.score and parts[one.id] == parts[other.id]
        return total

    dealt = sorted(ranked, key=lambda p: (-p.score, within[p.id], parts[p.id]))
    place = {player.id: at for at, player in enumerate(dealt)}
    tables: list[list[History]] = []
    for size in sizes:
        begun = sum(map(len, tables))
        tables.append(dealt[begun : begun + size])
    costs = [cost(table) for table in tables]
    better = True
    while better:
        better = False
        for a, b, i, j in _exchanges(tables):
            if abs(place[tables[a][i].id] - place[tables[b][j].id]) > 2 * _NEAR:
                continue
            tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
            new = cost(tables[a]), cost(tables[b])
            if sum(new) < costs[a] + costs[b]:
                costs[a], costs[b] = new
                better = True
            else:
                tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
    return tables


def _exchanges(tables: Sequence[Sequence[History]]) -> Iterator[tuple[int, int, int, int]]:
    """Two tables, and a place at each."""
    for a, b in combinations(range(len(tables)), 2):
        for i in range(len(tables[a])):
            for j in range(len(tables[b])):
                yield a, b, i, j


def _seats(table: Sequence[History]) -> Sequence[History]:
    """The order in which the fewest sit where they often sat already."""

    def worn(order: Sequence[History]) -> int:
        return sum(player.seats.count(seat) ** 2 for seat, player in enumerate(order))

    by_rank = sorted(table, key=lambda player: player.rank)
    return min(permutations(by_rank), key=worn)
