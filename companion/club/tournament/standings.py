"""The table of a tournament, with its tie-breaks.

As in the FIDE Handbook C.07: Buchholz is the sum of the points of a player's opponents, Buchholz
cut 1 leaves the least of them out, Sonneborn-Berger counts the points of the opponents beaten and
half of those drawn with. At larger tables the opponents of one game count together as their mean. A
bye counts like a game won against an opponent with the player's own points. Rounds not played after
leaving count as half a win for the opponents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.club.tournament.games import DUEL, Game, Scale


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
    """Share of the opponents of equal points that the player was before, if all of them have met;
    else None."""
    buchholz_cut_1: float
    buchholz: float
    sonneborn_berger: float


@dataclass(frozen=True, slots=True)
class _Seen:
    """A game as one of its players sees it."""

    points: float
    won: bool
    others: Mapping[int, float]
    """How each opponent was beaten: 1, ½ for a tie, or 0."""


def standings(
    players: Sequence[int],
    games: Sequence[Game],
    left: Mapping[int, int] | None = None,
    scale: Scale = DUEL,
) -> list[Standing]:
    """The table. ``left``: of those who have left, the last round they were there.

    Order: points, direct encounter, Buchholz cut 1, Buchholz, Sonneborn-Berger, games won.
    """
    seen = _seen(players, games, scale)
    # Thirds of points, added in another order, are to be equal.
    points = {id: round(sum(game.points for game in seen[id]), 6) for id in players}
    rounds = max((game.round for game in games if game.places), default=0)
    counted = {
        id: points[id] + scale[0] * max(rounds - left[id], 0) / 2 if left and id in left
        else points[id]
        for id in players
    }  # fmt: skip
    lines = [_line(id, seen[id], points, counted, seen) for id in players]
    lines.sort(key=_order)
    found: list[Standing] = []
    for number, line in enumerate(lines):
        same = number > 0 and _order(lines[number - 1]) == _order(line)
        found.append(replace(line, place=found[-1].place if same else number + 1))
    return found


def _seen(
    players: Sequence[int], games: Sequence[Game], scale: Scale
) -> dict[int, list[_Seen]]:  # fmt: skip
    seen: dict[int, list[_Seen]] = {id: [] for id in players}
    for game in games:
        for id, place, points in zip(game.players, game.places, game.points(scale), strict=False):
            if id in seen:
                others = {
                    other: 1.0 if place < theirs else 0.5 if place == theirs else 0.0
                    for other, theirs in zip(game.players, game.places, strict=True)
                    if other != id
                }
                alone = game.places.count(place) == 1
                seen[id].append(_Seen(points, place == 1 and alone and bool(others), others))
    return seen


def _line(
    id: int,
    mine: Sequence[_Seen],
    points: Mapping[int, float],
    counted: Mapping[int, float],
    seen: Mapping[int, Sequence[_Seen]],
) -> Standing:
    theirs, beaten = list[float](), 0.0
    for game in mine:
        if not game.others:
            theirs.append(points[id])
            beaten += points[id]
            continue
        worth = [counted.get(other, 0.0) for other in game.others]
        theirs.append(sum(worth) / len(worth))
        shares = zip(game.others.values(), worth, strict=True)
        beaten += sum(share * got for share, got in shares) / len(worth)
    return Standing(
        place=0,
        player=id,
        points=points[id],
        played=len(mine),
        wins=sum(game.won for game in mine),
        direct=_direct(id, points, seen),
        buchholz_cut_1=sum(theirs) - min(theirs, default=0.0),
        buchholz=sum(theirs),
        sonneborn_berger=beaten,
    )


def _direct(
    id: int, points: Mapping[int, float], seen: Mapping[int, Sequence[_Seen]]
) -> float | None:
    tied = {other for other in points if points[other] == points[id]}
    if len(tied) == 1:
        return None
    for one in tied:
        if not tied - {one} <= {other for game in seen[one] for other in game.others}:
            return None
    return sum(share for game in seen[id] for other, share in game.others.items() if other in tied)


def _order(line: Standing) -> tuple[float, ...]:
    return (
        -line.points, -(line.direct or 0.0), -line.buchholz_cut_1, -line.buchholz,
        -line.sonneborn_berger, -line.wins,
    )  # fmt: skip
