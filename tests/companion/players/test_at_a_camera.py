"""A person and the druid at a virtual table with a camera: hands set what the druid decides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.demo.stage import Stage
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.view import TableState, TableView, TapMove
from companion.players.opponents import Opponents
from companion.settings.players import PlayersSettings

GAME = "knizia_stonehenge"
COLOURS = ("black", "brown")


class _Table(Stage):
    """A virtual table where the druid sits too."""

    def __init__(self, out: Path) -> None:
        super().__init__(GAME, out, "de", seed=7)
        self.opponents = Opponents(PlayersSettings(seconds=0.1, pause_s=0.0))
        self.opponents.follow(self.session)

    def new_match(self, journal: Journal, seed: str) -> Header:
        """Begin a match of Anna and the druid."""
        header = super().new_match(Journal(":memory:"), seed)
        header = replace(header, names=("Anna", "Druide"), computers=("", "druid"))
        journal.create(header)
        return header

    def close(self) -> None:
        """End everything in order."""
        self.opponents.close()
        super().close()

    def do_something(self, random: Random) -> None:
        """What a patient person does next."""
        view = self.view
        places = [move for move in view.legal if move.verb == "place"]
        if view.fixes:
            self._put_right(view)
        elif view.thinks is not None or not view.legal:
            self.frame()
        elif places:
            move, ply = random.choice(places), view.ply
            stone = f"stone {COLOURS[move.player or 0]} {move.args[0]}"
            self.drag(self.piece_in_store(stone), move.args[1])
            self.wait(f"{move.text} is recorded", lambda v: v.ply > ply)
        else:
            self.session.post(TapMove(view.legal[-1]))
            self.session.settle()

    def wait_for_words(self) -> TableView:
        """Hold still until the table says what differs."""
        states = (TableState.DESYNC, TableState.ILLEGAL, TableState.PENDING)
        self.wait("it is told", lambda v: v.state in states and len(v.fixes) > 1)
        return self.view

    def _put_right(self, view: TableView) -> None:
        before = view.fixes
        for fix in before:
            for glimpse in fix.wanted:
                if glimpse not in fix.seen:
                    self.drag(self.piece_in_store(glimpse.kind), fix.site)
        self.wait("the druid's move is set", lambda v: v.fixes != before)


@pytest.mark.thorough
def test_a_match_with_real_pieces_comes_to_its_end_through_kills(tmp_path: Path) -> None:
    random, kills = Random(5), 0
    while True:
        table = _Table(tmp_path)
        try:
            for _ in range(40):
                if table.view.outcome is not None:
                    break
                table.do_something(random)
            if table.view.outcome is not None:
                break
            kills += 1
        finally:
            table.close()
    assert kills
    with Journal(tmp_path / "journal.db") as journal:
        (summary,) = journal.matches()
        events = journal.events(summary.header.id)
    assert summary.status == FINISHED
    played = [event for event in events if isinstance(event.what, MovePlayed)]
    by = {(event.src, event.what.move.player) for event in played}  # type: ignore[union-attr]
    assert (Source.CAMERA, 0) in by and (Source.COMPUTER, 1) in by
    assert not {(Source.CAMERA, 1), (Source.TOUCH, 1), (Source.COMPUTER, 0)} & by


@pytest.mark.thorough
def test_a_wrong_piece_is_led_back_kindly_and_nobody_is_accused(tmp_path: Path) -> None:
    table = _Table(tmp_path)
    try:
        table.wait("the board is seen", lambda v: v.state is TableState.SETTLED)
        while not table.view.fixes:
            table.do_something(Random(2))
        (fix,) = table.view.fixes
        (wanted,) = fix.wanted
        elsewhere = next(s for s in table.box.site_order if len(s) == 1 and s != fix.site
                         and not table.virtual.at(s))  # fmt: skip
        piece = table.piece_in_store(wanted.kind)
        table.drag(piece, elsewhere)
        view = table.wait_for_words()
        assert not view.objections
        assert {fix.site for fix in view.fixes} >= {elsewhere}
        table.drag(piece, fix.site)
        table.wait("it is set", lambda v: v.state is TableState.SETTLED)
    finally:
        table.close()
