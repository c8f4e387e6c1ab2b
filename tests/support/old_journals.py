"""Journals as earlier versions wrote them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.table_setup import header

MOVES = ("p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done")

VERSION_1 = """
create table matches (id text primary key, header text not null, status text not null) strict;
create table events (
    match text not null, seq integer not null, t_utc real not null, mono real not null,
    type text not null, src text not null, body text not null, primary key (match, seq)
) strict, without rowid;
pragma user_version = 1;
"""


def write_version_1(path: Path) -> None:
    """A journal as the first version wrote it."""
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(VERSION_1)
        db.execute(
            "insert into matches values ('m1', ?, 'open')", (json.dumps(header().to_json()),)
        )
        for number, move in enumerate(MOVES, 1):
            body = json.dumps({"move": move})
            db.execute("insert into events values ('m1', ?, 0, 0, 'move', 'touch', ?)",
                       (number, body))  # fmt: skip
