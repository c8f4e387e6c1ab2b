"""A person and the druid at a virtual table with a camera: hands set what the druid decides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.app.demo.stage import QUICK, Stage
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.view import PlayMove, TableState, TableView
from companion.settings.services import PlayersSettings

GAME = "knizia_stonehenge"
COLOURS = ("black", "brown")


class _Table(Stage):
    """A virtual table where the druid sits too."""

    def __init__(self, out: Path) -> None:
        quick = PlayersSettings(seconds=0.1, pause_s=0.0)
        super().__init__(GAME, out, "de", settings=msgspec.structs.replace(QUICK, players=quick))

    def header(self, seed: str) -> Header:
        """A match of Anna and the druid."""
        header = super().header(seed)
        return replace(header, names=("Anna", "Druide"), computers=("", "druid"))

    def do_something(self, random: Random) -> None:
        """What a patient person does next."""
        view = self.view
        places = [move for move in view.legal if move.verb == "place"]
        if view.fixes:
            self.put_right()
        elif view.thinks is not None or not view.legal:
            self.look()
        elif places:
            move, ply = random.choice(places), view.ply
            stone = f"stone {COLOURS[move.player or 0]} {move.args[0]}"
            self.drag(self.piece_in_store(stone), move.args[1])
            self.hold(f"{move.text} is recorded", lambda v: v.ply > ply)
        else:
            self.session.post(PlayMove(view.legal[-1]))
            self.session.settle()

    def wait_for_words(self, site: str) -> TableView:
        """Hold still until the table says what differs, also at ``site``."""
        states = (TableState.DESYNC, TableState.ILLEGAL, TableState.PENDING)
        self.hold("it is told", lambda v: v.state in states and _differs_at(site, v))
        return self.view

    def put_right(self) -> None:
        """Set what the druid decided."""
        before = self.view.fixes
        for fix in before:
            for glimpse in fix.wanted:
                if glimpse not in fix.seen:
                    self.drag(self.piece_in_store(glimpse.kind), fix.site)
        self.hold("the druid's move is set", lambda v: v.fixes != before)


def _differs_at(site: str, view: TableView) -> bool:
    return site in {fix.site for fix in view.fixes}


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
        table.hold("the board is seen", lambda v: v.state is TableState.SETTLED)
        while not table.view.fixes:
            table.do_something(Random(2))
        fix = next(fix for fix in table.view.fixes if len(fix.site) == 1)
        (wanted,) = fix.wanted
        elsewhere = next(s for s in table.box.site_order if len(s) == 1 and s != fix.site
                         and not table.virtual.at(s))  # fmt: skip
        piece = table.piece_in_store(wanted.kind)
        table.drag(piece, elsewhere)
        view = table.wait_for_words(elsewhere)
        assert not view.objections
        assert _differs_at(fix.site, view)
        table.drag(piece, fix.site)
        table.hold("it is set", lambda v: not _differs_at(fix.site, v))
        while table.view.state is not TableState.SETTLED:
            table.put_right() if table.view.fixes else table.look()
    finally:
        table.close()
