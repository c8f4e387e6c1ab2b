"""How strong players are, from the matches of a club: for two seats and for more.

R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking" (Journal of Machine
Learning Research 12, 2011), Plackett-Luce model, with the numbers people know from Elo: everybody
begins at 1500, and 150 points more win about three matches of four.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Ranked", "Rating", "rate"]

BEGIN, DOUBT, SPREAD, DRIFT = 1500.0, 300.0, 150.0, 3.0
"""Everybody's first rating, how unsure it is (standard deviation), how much chance is in a match,
and how much strength may change between two matches."""

Ranked = Sequence[Sequence[str]]
"""The players of a match by place; those of one group share it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player."""

    value: float
    doubt: float
    """Standard deviation; the strength lies within twice of it nineteen times of twenty."""
    matches: int


def rate(matches: Iterable[Ranked]) -> dict[str, Rating]:
    """The ratings after ``matches``, in the order in which they ended.

    A match counts if at least two played it, and nobody twice.
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
