"""From a table's journal through the broker into the club's database, with real programs."""

from __future__ import annotations

from pathlib import Path

from companion.club.uploader import Uploader
from companion.journal.store import Journal
from tests.support.club import GAMES, Servers, Writing, expected, play, stored
from tests.support.waiting import until

FEW = 60


def test_the_database_holds_what_the_journal_says_event_by_event(
    club: Servers, tmp_path: Path
) -> None:
    member = club.table("all-games")
    with Journal(tmp_path / "journal.db") as journal:
        for number, game in enumerate(GAMES):
            play(journal, game, number, most=FEW)
        told = expected(journal, member)
        uploader = Uploader(member, tmp_path).start()
        try:
            with Writing(club):
                assert until(lambda: stored(club.database.dsn, "all-games") == told)
        finally:
            uploader.close()
