"""The disk is full in the middle of a turn: nothing unwritten counts, and it goes on with room."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.journal.entries import FINISHED, Header, JournalError
from companion.journal.events import Happening, MatchEnded, MovePlayed, Source
from companion.journal.store import Journal
from companion.match.events import MatchOver, MovesCommitted, TableEvent, Trouble
from companion.match.messages import Tick
from companion.match.table import Table
from companion.match.view import PlayMove, Undo
from companion.settings.manners import Manners
from rules.core import Actor
from rules.games import find_game
from tests.support.table_setup import Hands, header


class Disk:
    """Has no room for entries that ``refused`` picks."""

    def __init__(
        self, patch: pytest.MonkeyPatch, refused: Callable[[Happening, Source], bool]
    ) -> None:
        self.full, real = True, Journal.append

        def append(
            journal: Journal,
            match_id: str,
            *happened: Happening,
            src: Source,
            status: str | None = None,
        ) -> int:
            if self.full and any(refused(what, src) for what in happened):
                raise JournalError("the disk is full")
            return real(journal, match_id, *happened, src=src, status=status)

        patch.setattr(Journal, "append", append)


def kinds(events: list[TableEvent]) -> list[type[TableEvent]]:
    return [type(event) for event in events]


def test_what_chance_owes_is_dealt_as_soon_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else nobody could move any more until the program is started anew."""
    disk = Disk(monkeypatch, lambda _, src: src is Source.DEALER)
    game = find_game("opferroulette")
    options = game.complete_options(3, {})
    with Journal(":memory:") as journal:
        journal.create(Header("m1", game.id, 3, options, False, "5", (), "enforce", 0.0))
        # The first draws fall due when the table is laid.
        table = Table(journal, journal.header("m1"), Manners())
        assert table.match.ply == 0
        assert kinds(table.handle(Tick(), 0.0)) == [Trouble]
        assert kinds(table.handle(Tick(), 1.0)) == [], "it is told once, not with every picture"
        assert kinds(table.handle(Undo(), 2.0)) == [Trouble], "but to whoever asks for something"
        disk.full = False
        assert MovesCommitted in kinds(table.handle(Tick(), 3.0))
        log = table.match.log
        assert log and all(entry.move.actor is Actor.DEALER for entry in log)
        assert table.view().legal
        assert [e.what for e in journal.events("m1")] == [MovePlayed(e.move) for e in log]


def test_the_end_is_written_down_as_soon_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch, lambda what, _: isinstance(what, MatchEnded))
    with Journal(":memory:") as journal:
        journal.create(header())
        table, told = Table(journal, journal.header("m1"), Manners()), list[TableEvent]()
        while table.match.outcome is None:
            legal = table.match.legal_moves()
            claims = [move for move in legal if move.verb == "claim"]
            told = table.handle(PlayMove((claims or legal)[0]), 0.0)
        assert kinds(told)[-1] is Trouble
        assert journal.status("m1") != FINISHED
        disk.full = False
        assert MatchOver in kinds(table.handle(Tick(), 1.0))
        assert journal.status("m1") == FINISHED


def test_a_recognised_move_without_room_is_told_once_and_agreed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk, hands = Disk(monkeypatch, lambda _, src: src is Source.CAMERA), Hands()
    hands.look()
    hands.lay("G", "stone black 1", seconds=5.0)
    assert kinds(hands.events).count(Trouble) == 1
    assert hands.moves == []
    disk.full = False
    hands.hold_still(1.0)
    assert hands.moves == ["p0 place 1 G"]
