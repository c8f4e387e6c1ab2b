"""Touches for Dominion played with real cards, while only a ledger is kept.

A match is played by the program; what changed hands in it is entered at a real table, with the
touches that its screen asks for. Beside the touches it counts the matches in which the ledger comes
to other points, another end or another order than the rules did.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Result
from tests.support.dominion_ledger import keep

MATCHES = 100


def results() -> Iterator[Result]:
    """Touches per turn, the most in one match, and matches that came out differently."""
    kept = [keep(number) for number in range(MATCHES)]
    turns = sum(one.turns for one in kept)
    touches = sum(one.touches for one in kept)
    yield Result("ledger: touches per turn", touches / turns, "touches", "", None, None, "≤ 2.5")
    entries = sum(one.entries for one in kept) / turns
    yield Result("ledger: cards entered per turn", entries, "cards", "", None, None, "–")
    most = max(one.touches / one.turns for one in kept)
    yield Result("ledger: touches per turn, worst match", most, "touches", "", None, None, "–")
    wrong = sum(not one.right for one in kept)
    yield Result(f"ledger: wrong results of {MATCHES}", wrong, "matches", "", None, None, "0")
