"""Who plays whom: pairings as they stand, round robins by Berger tables, and Swiss rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.club.naming import ClubError

__all__ = ["BYE_POINTS", "Pairing", "berger_round", "berger_rounds", "swiss_round"]

BYE_POINTS = 1.0
"""Whoever finds no opponent gets what a win brings."""

_SCORE, _MUST, _WISH = 100_000_000, 100_000, 1_000
"""How much a pairing is to be avoided: for a difference of half a point, squared; for two who both
must begin, or both must not; for two who both would like the same."""
_REST = -1
"""The opponent of whoever has a bye."""
_NEAR = 24
"""Neighbours in the ranking that are tried first; all others only if that leads to no round."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round."""

    round: int
    board: int
    first: int
    """Who begins."""
    second: int | None
    """None: ``first`` has a bye."""
    points: float | None = None
    """What ``first`` got: 1, ½ or 0; None as long as it is not played."""


# -- round robin ------------------------------------------------------------------------------


def berger_rounds(players: int) -> int:
    """How many rounds it takes until everybody has played everybody."""
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
    """What counts for the next pairing of somebody."""

    id: int
    rank: int = 0
    half_points: int = 0
    met: set[int] = field(default_factory=set)
    had_bye: bool = False
    begun: list[bool] = field(default_factory=list)
    """For every game so far: whether they began."""

    @property
    def balance(self) -> int:
        """How much more often they began than not."""
        return sum(1 if began else -1 for began in self.begun)

    @property
    def must(self) -> bool | None:
        """Whether they must begin, or must not; None if both is possible."""
        if abs(self.balance) > 1:
            return self.balance < 0
        if len(self.begun) > 1 and self.begun[-1] == self.begun[-2]:
            return not self.begun[-1]
        return None

    @property
    def wish(self) -> bool | None:
        """What would be fair."""
        if self.must is not None or not self.begun:
            return self.must
        return self.balance < 0 if self.balance else not self.begun[-1]


def swiss_round(players: Sequence[int], pairings: Sequence[Pairing], number: int) -> list[Pairing]:
    """Round ``number`` for ``players`` (in the order of entry, the strongest first).

    Nobody meets twice, nobody has two byes. Among all rounds for which that holds the one is taken
    in which players of equal points meet (the upper half of each score group the lower half), and
    in which nobody begins much more often than not: a matching of maximum weight (Edmonds, "Paths,
    trees, and flowers", 1965). Raises ClubError if there is no such round.
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
    """Everybody with what happened to them, by points, those of equal points by entry."""
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
    """Whether the one who is ranked higher begins."""
    if high.balance != low.balance:
        return high.balance < low.balance
    for mine, theirs in zip(reversed(high.begun), reversed(low.begun), strict=False):
        if mine != theirs:
            # Whoever did not begin when the other did.
            return not mine
    if high.wish is not None:
        return high.wish
    return board % 2 == 1
