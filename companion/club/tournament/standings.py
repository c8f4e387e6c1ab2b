"""The table of a tournament, with its tie-breaks.

As in the FIDE Handbook C.07: Buchholz is the sum of the points of a player's opponents, Buchholz
cut 1 leaves the least of them out, Sonneborn-Berger counts the points of the opponents beaten and
half of those drawn with. At larger tables the opponents of one game count together as their mean. A
bye counts like a game won against an opponent with the player's own points. Rounds not played after
leaving count as half a win for the opponents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.club.tournament.games import DUEL, Game, Scale

HALF = Fraction(1, 2)


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

    points: Fraction
    won: bool
    others: Mapping[int, Fraction]
    """How each opponent was beaten: 1, ½ for a tie, or 0."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the table in exact numbers."""

    player: int
    points: Fraction
    direct: Fraction | None
    buchholz_cut_1: Fraction
    buchholz: Fraction
    sonneborn_berger: Fraction
    wins: int
    played: int

    @property
    def order(self) -> tuple[Fraction | int, ...]:
        """The place in the table, the lowest first; equal for those whom nothing separates."""
        return (
            -self.points, -(self.direct or 0), -self.buchholz_cut_1, -self.buchholz,
            -self.sonneborn_berger, -self.wins,
        )  # fmt: skip

    def told(self, place: int) -> Standing:
        """The line as it is shown."""
        return Standing(
            place, self.player, float(self.points), self.played, self.wins,
            None if self.direct is None else float(self.direct), float(self.buchholz_cut_1),
            float(self.buchholz), float(self.sonneborn_berger),
        )  # fmt: skip


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
    points = {id: sum((game.points for game in seen[id]), Fraction()) for id in players}
    rounds = max((game.round for game in games if game.places), default=0)
    missed = Fraction(scale[0]) / 2
    counted = {
        id: points[id] + missed * max(rounds - left[id], 0) if left and id in left else points[id]
        for id in players
    }
    lines = [_line(id, seen[id], points, counted, seen) for id in players]
    lines.sort(key=lambda line: line.order)
    places = list[int]()
    for number, line in enumerate(lines):
        same = number > 0 and lines[number - 1].order == line.order
        places.append(places[-1] if same else number + 1)
    return [line.told(place) for line, place in zip(lines, places, strict=True)]


def _seen(
    players: Sequence[int], games: Sequence[Game], scale: Scale
) -> dict[int, list[_Seen]]:  # fmt: skip
    seen: dict[int, list[_Seen]] = {id: [] for id in players}
    for game in games:
        for id, place, points in zip(game.players, game.places, game.points(scale), strict=False):
            if id in seen:
                others = {
                    other: Fraction(1 if place < theirs else 0) if place != theirs else HALF
                    for other, theirs in zip(game.players, game.places, strict=True)
                    if other != id
                }
                alone = game.places.count(place) == 1
                seen[id].append(_Seen(points, place == 1 and alone and bool(others), others))
    return seen


def _line(
    id: int,
    mine: Sequence[_Seen],
    points: Mapping[int, Fraction],
    counted: Mapping[int, Fraction],
    seen: Mapping[int, Sequence[_Seen]],
) -> _Line:
    theirs, beaten = list[Fraction](), Fraction()
    for game in mine:
        if not game.others:
            theirs.append(points[id])
            beaten += points[id]
            continue
        worth = [counted.get(other, Fraction()) for other in game.others]
        theirs.append(sum(worth, Fraction()) / len(worth))
        shares = zip(game.others.values(), worth, strict=True)
        beaten += sum((share * got for share, got in shares), Fraction()) / len(worth)
    buchholz = sum(theirs, Fraction())
    return _Line(
        player=id,
        points=points[id],
        direct=_direct(id, points, seen),
        buchholz_cut_1=buchholz - min(theirs, default=Fraction()),
        buchholz=buchholz,
        sonneborn_berger=beaten,
        wins=sum(game.won for game in mine),
        played=len(mine),
    )


def _direct(
    id: int, points: Mapping[int, Fraction], seen: Mapping[int, Sequence[_Seen]]
) -> Fraction | None:
    tied = {other for other in points if points[other] == points[id]}
    if len(tied) == 1:
        return None
    for one in tied:
        if not tied - {one} <= {other for game in seen[one] for other in game.others}:
            return None
    shares = (s for game in seen[id] for other, s in game.others.items() if other in tied)
    return sum(shares, Fraction())
