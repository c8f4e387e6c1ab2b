"""Whole matches and written scenes of every game, and what the table says of them at every exit.

If a change is meant, ``python -m tests.support.exits`` writes the transcripts anew.
"""

from __future__ import annotations

import pytest

from rules.games import game_ids
from tests.support.exits import ANNOUNCED, transcript


@pytest.mark.parametrize("game", game_ids())
def test_every_exit_says_what_it_always_said(game: str) -> None:
    kept = (ANNOUNCED / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    assert "\n".join(transcript(game)).splitlines() == kept
