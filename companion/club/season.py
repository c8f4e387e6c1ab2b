"""A season of a club: who won how often, records of each game, and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.club.portraits import portraits
from companion.club.repository import Played

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


def rate(matches: Iterable[Ranked]) -> dict[str, Rating]:
    """The ratings after ``matches``, in the order in which they ended.

    A match counts if at least two players took part, and none of them twice.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=BEGIN, sigma=DOUBT, beta=SPREAD, tau=DRIFT)
    known: dict[str, Rating] = {}
    for ranking in matches:
        names = [name for group in ranking for name in group]
        if len(names) < 2 or len(set(names)) < len(names):
            continue
        places = [float(place) for place, group in enumerate(ranking, 1) for _ in group]
        before = [known.get(name, Rating(BEGIN, DOUBT, 0)) for name in names]
        teams = [[model.rating(mu=one.value, sigma=one.doubt)] for one in before]
        after = model.rate(teams, ranks=places)
        for name, old, (new,) in zip(names, before, after, strict=True):
            known[name] = Rating(new.mu, new.sigma, old.matches + 1)
    return known


def year_of(moment_s: float) -> int:
    """The season in which something happened."""
    return datetime.fromtimestamp(moment_s, UTC).year


def season_of(played: Sequence[Played], year: int, game: str = "") -> dict[str, Any]:
    """Contents of a season's page; ``game``: of one game only.

    Ratings go on from season to season; only the players of this one are listed.
    """
    of_game = [one for one in played if not game or _base(one.game) == game]
    here = [one for one in of_game if year_of(one.ended_s) == year]
    counting = of_game if here else []
    rated = rate(ranked(one) for one in counting if year_of(one.ended_s) <= year)
    matches, wins = _counts(here)
    seen = portraits(here)
    players = [
        {
            "name": name, "rating": round(rated[name].value), "doubt": round(rated[name].doubt),
            "matches": matches[name], "wins": wins[name], **seen[name],
        }
        for name in sorted(matches)
        if name in rated
    ]  # fmt: skip
    players.sort(key=lambda one: -int(str(one["rating"])))
    return {
        "v": 1,
        "year": year,
        "years": sorted({year_of(one.ended_s) for one in played}, reverse=True),
        "games": sorted({_base(one.game) for one in played}),
        "game": game,
        "matches": len(here),
        "players": players,
        "records": [
            record
            for each in sorted({_base(one.game) for one in here})
            if (record := _record(each, [one for one in here if _base(one.game) == each]))
        ],
    }


def _base(game: str) -> str:
    """The game without the board of the players' own that it was played on."""
    return game.partition("@")[0]


def ranked(one: Played) -> list[list[str]]:
    """The players by place; empty if one of them has no name."""
    ranking = [[one.names[seat].strip() for seat in group] for group in one.ranking]
    return [] if any(not name for group in ranking for name in group) else ranking


def _counts(played: Iterable[Played]) -> tuple[Counter[str], Counter[str]]:
    """Numbers of matches, and of matches won, by name."""
    matches: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for one in played:
        ranking = ranked(one)
        for place, group in enumerate(ranking):
            matches.update(group)
            if place == 0 and len(ranking) > 1:
                wins.update(group)
    return matches, wins


def _record(game: str, played: Sequence[Played]) -> dict[str, Any] | None:
    """The best score that won a game; the first of equal ones."""
    best: tuple[int, Played] | None = None
    for one in played:
        # Where nobody has a point, the game may count none.
        if one.computers or not one.ranking or not one.ranking[0] or not any(one.scores):
            continue
        winner = one.ranking[0][0]
        # In some games the fewest points win.
        sign = -1 if len(one.ranking) > 1 and one.scores[winner] < max(one.scores) else 1
        points = sign * one.scores[winner]
        if best is None or points > best[0]:
            best = points, one
    if best is None:
        return None
    one = best[1]
    seen = portraits([one])
    return {
        "game": game, "matches": len(played), "points": one.scores[one.ranking[0][0]],
        "names": [one.names[seat] for seat in one.ranking[0]], "table": one.table,
        "faces": [seen[name] for seat in one.ranking[0] if (name := one.names[seat].strip())],
        "ended_s": round(one.ended_s),
    }  # fmt: skip
