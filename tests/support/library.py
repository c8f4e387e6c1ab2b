"""Finished matches for the library."""

from __future__ import annotations

import random

from companion.journal.store import Journal
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.settings.manners import Manners
from tests.support.table_setup import header, tap_move

OPENING = (
    "p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E", "p0 done",
    "p1 place 2 J", "p1 done", "p0 place 1 G", "p0 done",
)  # fmt: skip


def played(
    journal: Journal, *moves: str, match_id: str = "m1", enforcement: str = "enforce"
) -> Table:
    journal.create(header(match_id, enforcement))
    table = Table(journal, journal.header(match_id), Manners())
    for move in moves:
        table.handle(tap_move(move), 0.0)
    return table


def finished(journal: Journal, match_id: str = "m1") -> Table:
    table = played(journal, match_id=match_id)
    chance = random.Random(4)
    while table.match.outcome is None:
        legal = table.match.legal_moves()
        claims = [move for move in legal if move.verb == "claim"]
        table.handle(PlayMove(chance.choice(claims or legal)), 0.0)
    return table
