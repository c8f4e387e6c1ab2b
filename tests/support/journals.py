"""Journals with matches in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.journal import schema
from companion.journal.events import Source
from companion.journal.store import Journal
from rules.match import Match
from rules.testing.playout import random_match
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


def made_older(path: Path) -> None:
    """Write a journal as the version before would have."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        matches = db.execute("select id, header, status, sum from matches order by number")
        events = db.execute(
            "select match, seq, t_utc, mono, type, src, body, sum from events order by match, seq"
        )
        rows = matches.fetchall(), events.fetchall()
        for table in ("matches", "events"):
            db.execute(f"drop table {table}")
        for statement in schema.LAYOUTS[schema.UPGRADABLE]:
            db.execute(statement)
        db.executemany("insert into matches values (?, ?, ?, ?)", rows[0])
        db.executemany("insert into events values (?, ?, ?, ?, ?, ?, ?, ?)", rows[1])
        db.execute(f"pragma user_version = {schema.UPGRADABLE}")
        db.execute(f"pragma application_id = {schema.seal_of(schema.UPGRADABLE)}")
        db.execute("vacuum")
