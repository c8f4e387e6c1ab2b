"""The part of ``heelstone check`` that needs a table: moves that hands lay must be recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.match.rehearsing.hands import Tried, stumbles
from companion.settings.writing import hand_out
from rules.core import Game
from rules.testing.report import Report


def check_hands(
    game: Game[Any], report: Report, folder: Path, played: Callable[[int, int], object]
) -> int:
    """Lay the moves of random matches at a table; returns how many were laid.

    What a table stumbles at is written into ``folder`` as a scene for ``heelstone rehearse``.
    """
    tried = Tried()
    for number, stumble in enumerate(stumbles(game, tried, played), 1):
        file = folder / f"check-{number}.jsonl"
        hand_out(file, stumble.text)
        report.add(
            f"'{stumble.move}', laid {stumble.manner}, {stumble.came}: {stumble.told}".rstrip("."),
            f"See it: heelstone rehearse {game.id} {file}",
        )
    return tried.laid.total()
