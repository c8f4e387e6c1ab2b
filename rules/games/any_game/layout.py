"""Nothing lies anywhere: only numbers are entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Layout, Move
from rules.games.any_game.state import ScoreState


def layout(state: ScoreState) -> Layout:
    return Counter()


def supply(state: ScoreState, seat: int) -> Counter[str]:
    return Counter()


def touches(state: ScoreState, move: Move) -> Collection[str]:
    return ()
