"""A season of a club: who won how often, records of each game, and ratings."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from companion.club.repository import Played
from companion.club.seasons.portraits import Portrait, portrait_at

# -- ratings ----------------------------------------------------------------------------------
#
# R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking" (Journal of Machine
# Learning Research 12, 2011), Plackett-Luce model, for two players and more. The numbers are those
# of Elo: a player begins at 1500, and 150 points more win about three matches of four.

BEGIN, DOUBT, SPREAD, DRIFT = 1500.0, 300.0, 150.0, 3.0
"""First rating of every player, its uncertainty (standard deviation), the chance in a match, and
how much strength may change between two matches."""

Ranked = Sequence[Sequence[str]]
"""The players of a match by place; those of one group share it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Estimate of a player's strength."""

    value: float
    doubt: float
    """Standard deviation; the strength lies within twice of it nineteen times of twenty."""
    matches: int


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=BEGIN, sigma=DOUBT, beta=SPREAD, tau=DRIFT)


def _rate_on(known: dict[str, Rating], ranking: Ranked) -> None:
    """One match more; it counts if at least two players took part, and none of them twice."""
    names = [name for group in ranking for name in group]
    if len(names) < 2 or len(set(names)) < len(names):
        return
    places = [float(place) for place, group in enumerate(ranking, 1) for _ in group]
    before = [known.get(name, Rating(BEGIN, DOUBT, 0)) for name in names]
    teams = [[_model().rating(mu=one.value, sigma=one.doubt)] for one in before]
    after = _model().rate(teams, ranks=places)
    for name, old, (new,) in zip(names, before, after, strict=True):
        known[name] = Rating(new.mu, new.sigma, old.matches + 1)


def rate(matches: Iterable[Ranked]) -> dict[str, Rating]:
    """The ratings after ``matches``, in the order in which they ended."""
    known: dict[str, Rating] = {}
    for ranking in matches:
        _rate_on(known, ranking)
    return known


def year_of(moment_s: float) -> int:
    """The season in which something happened."""
    return datetime.fromtimestamp(moment_s, UTC).year


def base(game: str) -> str:
    """The game without the board of the players' own that it was played on."""
    return game.partition("@")[0]


def ranked(one: Played) -> list[list[str]]:
    """The players by place; empty if one of them has no name."""
    ranking = [[one.names[seat].strip() for seat in group] for group in one.ranking]
    return [] if any(not name for group in ranking for name in group) else ranking


# -- a season, match by match -----------------------------------------------------------------


@dataclass(slots=True)
class Season:
    """A season as it stands after the matches that were taken. Ratings go on from season to
    season; the rest begins anew with each."""

    year: int = 0
    played: int = 0
    ratings: dict[str, Rating] = field(default_factory=dict)
    faces: dict[str, Portrait] = field(default_factory=dict)
    """As everybody was seen last, in whatever season."""
    matches: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    of_game: Counter[str] = field(default_factory=Counter)
    best: dict[str, tuple[int, Played]] = field(default_factory=dict)
    """The best score that won each game, and its match; the first of equal ones."""

    def take(self, one: Played) -> None:
        """The match that ended next."""
        self.begin(year_of(one.ended_s))
        ranking = ranked(one)
        _rate_on(self.ratings, ranking)
        self.played += 1
        for place, group in enumerate(ranking):
            self.matches.update(group)
            if place == 0 and len(ranking) > 1:
                self.wins.update(group)
        for seat, name in enumerate(one.names):
            if name.strip():
                self.faces[name.strip()] = portrait_at(one, seat)
        game = base(one.game)
        self.of_game[game] += 1
        points = _winning(one)
        if points is not None and (game not in self.best or points > self.best[game][0]):
            self.best[game] = points, one

    def begin(self, year: int) -> None:
        """The season of a year, unless it has begun."""
        if year != self.year:
            self.year, self.played, self.best = year, 0, {}
            self.matches, self.wins, self.of_game = Counter(), Counter(), Counter()

    def copy(self) -> Season:
        """An equal one that goes on by itself."""
        return Season(
            self.year, self.played, copy(self.ratings), copy(self.faces), copy(self.matches),
            copy(self.wins), copy(self.of_game), copy(self.best),
        )  # fmt: skip

    def told(self) -> dict[str, Any]:
        """Players and records for a page."""
        players = [
            {
                "name": name, "rating": round(self.ratings[name].value),
                "doubt": round(self.ratings[name].doubt), "matches": self.matches[name],
                "wins": self.wins[name], **self.faces[name],
            }
            for name in sorted(self.matches)
            if name in self.ratings
        ]  # fmt: skip
        players.sort(key=lambda one: -int(str(one["rating"])))
        records = [self._record(game) for game in sorted(self.best)]
        return {"matches": self.played, "players": players, "records": records}

    def _record(self, game: str) -> dict[str, Any]:
        one = self.best[game][1]
        winners = one.ranking[0]
        return {
            "game": game, "matches": self.of_game[game], "points": one.scores[winners[0]],
            "names": [one.names[seat] for seat in winners], "table": one.table,
            "faces": [portrait_at(one, seat) for seat in winners if one.names[seat].strip()],
            "ended_s": round(one.ended_s),
        }  # fmt: skip


def _winning(one: Played) -> int | None:
    """The points that won a match, the more the better; None if it counts for no record."""
    # Where nobody has a point, the game may count none.
    if one.computers or not one.ranking or not one.ranking[0] or not any(one.scores):
        return None
    winner = one.ranking[0][0]
    # In some games the fewest points win.
    sign = -1 if len(one.ranking) > 1 and one.scores[winner] < max(one.scores) else 1
    return sign * one.scores[winner]


STEP = 1_000
"""Number of matches after which a season is kept as it stood then."""


class Line:
    """Matches in the order in which they ended, and the season after any number of them. Whatever
    changes, only what comes after it is worked out anew."""

    def __init__(self) -> None:
        self.of: Sequence[Played] = ()
        """The matches of all games, of which these are some."""
        self._some: list[Played] = []
        self._kept = {0: Season()}

    def follow(self, played: Sequence[Played], game: str = "") -> None:
        """The matches are these now; of ``game`` only, if one is given."""
        some = [one for one in played if not game or base(one.game) == game]
        equal = min(len(some), len(self._some))
        for number, (old, new) in enumerate(zip(self._some, some, strict=False)):
            if old is not new and old != new:
                equal = number
                break
        self.of, self._some = played, some
        self._kept = {n: kept for n, kept in self._kept.items() if n <= equal}

    def at(self, year: int) -> Season:
        """The season of a year at its end, or as it stands."""
        some = self._some
        count = bisect_right(some, year, key=lambda one: year_of(one.ended_s))
        begun = max(n for n in self._kept if n <= count)
        season = self._kept[begun].copy()
        for number, one in enumerate(some[begun:count], begun + 1):
            season.take(one)
            if number % STEP == 0:
                self._kept[number] = season.copy()
        if count == len(some):
            whole = {n: kept for n, kept in self._kept.items() if n % STEP == 0}
            self._kept = {**whole, count: season.copy()}
        season.begin(year)
        return season


def season_of(played: Sequence[Played], year: int, game: str = "") -> dict[str, Any]:
    """Contents of a season's page; ``game``: of one game only."""
    line = Line()
    line.follow(played, game)
    return page_of(line, year, game)


def page_of(line: Line, year: int, game: str = "") -> dict[str, Any]:
    """Contents of a season's page of a line of matches: those of ``game``."""
    years = {year_of(one.ended_s) for one in line.of}
    return {
        "v": 1, "year": year, "years": sorted(years, reverse=True),
        "games": sorted({base(one.game) for one in line.of} - {""}), "game": game,
        **line.at(year).told(),
    }  # fmt: skip
