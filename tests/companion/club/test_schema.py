"""Databases of older versions are brought up to date with all that is in them."""

from __future__ import annotations

import asyncio

from psycopg import AsyncConnection

from companion.club.schema import MIGRATIONS, migrate
from tests.support.club import Servers


def test_results_of_two_become_places_at_a_table(club: Servers) -> None:
    seats = asyncio.run(_migrated(club.database.dsn))
    assert seats == [
        (1, 1, "Ada", 1), (1, 1, "Ben", 2),
        (1, 2, "Cleo", 1), (1, 2, "Dan", 1),
        (1, 3, "Emil", 1),
        (2, 1, "Ben", 2), (2, 1, "Cleo", 1),
        (2, 2, "Ada", None), (2, 2, "Emil", None),
    ]  # fmt: skip


async def _migrated(dsn: str) -> list[tuple[object, ...]]:
    db = await AsyncConnection.connect(dsn, autocommit=True, options="-c search_path=before")
    async with db:
        await db.execute("create schema before")
        await db.execute("create table schema_version (version integer not null)")
        for number, statements in enumerate(MIGRATIONS[:3], 1):
            await db.execute(statements)
            await db.execute("insert into schema_version values (%s)", (number,))
        await db.execute(
            "insert into members (name) values ('Ada'), ('Ben'), ('Cleo'), ('Dan'), ('Emil'); "
            "insert into tournaments (name, game, kind, rounds) values ('Old', '', 'swiss', 3); "
            "insert into pairings (tournament, round, board, first, second, points) values "
            "(1, 1, 1, 1, 2, 1), (1, 1, 2, 3, 4, 0.5), (1, 1, 3, 5, null, 1), "
            "(1, 2, 1, 2, 3, 0), (1, 2, 2, 1, 5, null)"
        )
        await migrate(db)
        rows = await db.execute(
            "select round, board, name, place from seats join members m on m.id = member "
            "order by round, board, seat"
        )
        return await rows.fetchall()
