"""Journals with matches in them."""

from __future__ import annotations

from pathlib import Path

from companion.journal.events import Source
from companion.journal.store import Journal
from rules.authors.playout import random_match
from rules.match import Match
from tests.support.table_setup import header, played


def filled(path: Path | str, moves: int = 30) -> Journal:
    """A journal with one match of some moves."""
    journal = Journal(path)
    journal.create(header())
    game = Match("knizia_stonehenge", 2).game
    for number, (_, _, move) in enumerate(random_match(game, 2, dict(header().options), 3)):
        if number == moves:
            break
        journal.append("m1", played(move.text), src=Source.TOUCH)
    return journal
