"""Results of tournaments among all matches of a club: what was typed counts like what a table
recorded, and what was corrected counts as the tournament says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.club.repository import Database, Played
from companion.club.tournament.games import places_of


@dataclass(frozen=True, slots=True)
class Result:
    """A game of a tournament that was played."""

    id: int
    table: str | None
    match: str | None
    """The recorded match that belongs to it; None: there is none."""
    typed_s: float | None
    """When it was first typed, seconds since 1970; None: it is as recorded."""
    game: str
    names: Sequence[str]
    places: Sequence[int]

    def typed(self) -> Played:
        """The game as a match that no table recorded."""
        return Played("", f"pairing-{self.id}", self.game, tuple(self.names),
                      _ranking(self.places), (), self.typed_s or 0.0)  # fmt: skip

    def over(self, recorded: Played) -> Played:
        """The match that is this game, of the people who were paired, with the result that counts:
        points of a result that was corrected are none."""
        seats = seats_of(recorded, self.id, self.names)
        by_seat = [seats.index(seat) for seat in range(len(seats))]
        names = tuple(self.names[at] for at in by_seat)
        if self.typed_s is None:
            return replace(recorded, names=names)
        ranking = _ranking([self.places[at] for at in by_seat])
        return replace(recorded, names=names, ranking=ranking, scores=())


def seats_of(match: Played, pairing: int, names: Sequence[str]) -> list[int]:
    """The seat in a recorded match of each player of a game of a tournament; none if they are not
    those who played."""
    if match.pairing == str(pairing) and len(match.names) == len(names):
        return list(range(len(names)))
    told = [name.strip().lower() for name in match.names]
    wanted = [name.lower() for name in names]
    return [told.index(name) for name in wanted] if sorted(told) == sorted(wanted) else []


def places_by_seat(match: Played) -> tuple[int, ...]:
    """The place of each seat of a recorded match."""
    order = {seat: rank for rank, group in enumerate(match.ranking, 1) for seat in group}
    last = len(match.ranking) + 1
    return places_of([order.get(seat, last) for seat in range(len(match.names))])


def _ranking(places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Seats by place."""
    return tuple(
        tuple(seat for seat, other in enumerate(places) if other == place)
        for place in sorted(set(places))
    )


async def results(database: Database) -> list[Result]:
    """The games of all tournaments that were played, but byes."""
    rows = await database.rows(
        "select p.id, p.tab, p.match, extract(epoch from p.typed_at)::double precision, "
        "t.game, array_agg(m.name order by s.seat), array_agg(s.place order by s.seat) "
        "from pairings p join seats s using (tournament, round, board) "
        "join members m on m.id = s.member join tournaments t on t.id = p.tournament "
        "group by p.tournament, p.round, p.board, t.game "
        "having count(*) > 1 and count(s.place) = count(*)"
    )
    return [Result(*row) for row in rows]


def counted(recorded: Iterable[Played], results: Sequence[Result]) -> list[Played]:
    """All matches that count, in the order in which they ended: recorded ones, which are as their
    tournament says if they belong to one, and typed ones."""
    of_match = {(one.table, one.match): one for one in results if one.match}
    found = [one.typed() for one in results if not one.match]
    for match in recorded:
        result = of_match.get((match.table, match.match))
        found.append(match if result is None else result.over(match))
    return sorted(found, key=lambda one: one.ended_s)
