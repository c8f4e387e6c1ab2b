"""The table of a tournament, and what decides between players of equal points.

As in the FIDE Handbook C.07: Buchholz is the sum of the points of one's opponents, Buchholz cut 1
leaves the least of them out, Sonneborn-Berger counts the points of those one beat and half of those
one drew with. A bye counts like a game won against somebody with one's own points. For their
opponents, rounds that somebody did not play after leaving count as draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.club.pairings import Pairing

__all__ = ["Standing", "standings"]


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
