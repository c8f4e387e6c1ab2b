"""A match that two tables played together counts once in the club's season."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

from companion.club.repository import Database
from companion.club.upload import Uploader
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MatchEnded, MovePlayed, Source
from companion.journal.store import Journal
from rules.match import Match
from rules.testing.playout import pick
from tests.support.club import Servers, Writing, equal_at
from tests.support.two_boards import header_there
from tests.support.waiting import until


def finished(journal: Journal, header: Header) -> None:
    """Write a whole match down; the same at both tables."""
    journal.create(header)
    match, chance = (
        Match(header.game, header.players, header.options, physical=True),
        random.Random(2),
    )
    moves = []
    while match.outcome is None:
        move = pick(match.state, match.legal_moves(), chance)
        match.push(move)
        moves.append(MovePlayed(move))
    journal.append(header.id, *moves, src=Source.TOUCH)
    journal.append(header.id, MatchEnded(match.outcome), src=Source.DEALER, status=FINISHED)


def test_of_two_tables_the_one_that_invited_counts(club: Servers, tmp_path: Path) -> None:
    hosts, guests = club.make(["hosts", "guests"])
    with Writing(club):
        for member, other, seat in ((guests, "hosts", 1), (hosts, "guests", 0)):
            folder = tmp_path / member.table
            folder.mkdir()
            header = header_there("knizia_stonehenge", 2, (seat,), other, hosting=not seat)
            with Journal(folder / "journal.db") as journal:
                finished(journal, replace(header, names=("Ada", "Ben")))
                uploader = Uploader(member, folder).start()
                assert until(lambda j=journal, m=member: equal_at(club, j, m))  # type: ignore[misc]
                uploader.close()

    async def played() -> list[str]:
        database = Database(club.database.dsn)
        try:
            return [one.table for one in await database.played()]
        finally:
            await database.close()

    tables = asyncio.run(played())
    assert tables.count("hosts") == 1 and "guests" not in tables
