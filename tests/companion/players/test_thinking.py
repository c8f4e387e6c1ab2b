"""Computer players in processes of their own, also at a table with a camera."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.app.demo.stage import QUICK, Stage
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.view import PlayMove, TableState, TableView
from companion.players.engine_client import EngineClient, Patience
from companion.settings.services import PlayersSettings
from rules.match import Match
from rules.players import SeatView
from rules.players.engine_protocol import Answer, Question

SOON_S = 20.0


class _Asked:
    """A keeper, and the answers that came."""

    def __init__(self, program: str = "", **patience: float) -> None:
        command = {"command": (sys.executable, "-c", program)} if program else {}
        self.thinking = EngineClient(Patience(**patience), **command)
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def ask(self, name: str, **changes: Any) -> None:
        match = Match("knizia_stonehenge", players=2)
        view, moves = SeatView.of(match, 0), tuple(match.legal_moves())
        known = {"player": "apprentice", "seconds": 0.05, "seed": 1, **changes}
        self.thinking.ask(Question(name, view=view, moves=moves, **known), self.answers.put)

    def hear(self) -> Answer:
        return self.answers.get(timeout=SOON_S)


def _wait(met: Any) -> None:
    until = time.monotonic() + SOON_S
    while not met():
        assert time.monotonic() < until
        time.sleep(0.005)


def _children() -> set[int]:
    """Processes that this one started and that are not reaped."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        # A thread may end while it is looked at.
        with contextlib.suppress(FileNotFoundError):
            found.update(map(int, (task / "children").read_text().split()))
    return found


ECHO = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "id" in said:
        {deed}
        move = said["moves"][0]
        print(json.dumps({{"id": said["id"], "move": move, "why": {{"code": "only_move",
            "params": {{}}}}, "line": [], "thoughts": [], "playouts": 1}}), flush=True)
"""


def test_a_real_player_is_asked_and_nothing_of_it_remains() -> None:
    before = _children()
    asked = _Asked()
    asked.ask("1")
    answer = asked.hear()
    assert answer.id == "1" and answer.choice is not None
    assert len(_children() - before) == 1
    asked.thinking.close()
    assert _children() <= before


def test_a_new_question_ends_the_old_one_and_only_the_new_answer_is_heard() -> None:
    asked = _Asked()
    asked.ask("1", seconds=500.0, player="archdruid")
    asked.ask("2")
    assert asked.hear().id == "2"
    asked.ask("3", seconds=500.0, player="archdruid")
    asked.thinking.stop()
    asked.ask("4")
    assert asked.hear().id == "4"
    assert asked.answers.empty()
    asked.thinking.close()


def test_a_process_that_dies_is_asked_once_more_and_then_it_is_said(tmp_path: Path) -> None:
    first = tmp_path / "first"
    once = f"open({str(first)!r}, 'x').close() or sys.exit(3)"
    deed = f"import os\n        if not os.path.exists({str(first)!r}): {once}"
    asked = _Asked(ECHO.format(deed=deed))
    asked.ask("1")
    assert asked.hear().choice is not None
    asked.thinking.close()
    dies = _Asked(ECHO.format(deed="sys.exit(3)"))
    dies.ask("1")
    assert dies.hear().error
    # It is tried anew with the next question.
    dies.ask("2")
    assert dies.hear().id == "2"
    dies.thinking.close()


def test_a_process_killed_from_outside_while_it_thinks_is_replaced() -> None:
    before = _children()
    asked = _Asked()
    asked.ask("1", seconds=1.0, player="archdruid")
    _wait(lambda: _children() - before)
    (pid,) = _children() - before
    os.kill(pid, 9)
    answer = asked.hear()
    assert answer.id == "1" and answer.choice is not None
    assert pid not in _children()
    asked.thinking.close()


def test_a_player_that_does_not_stop_is_killed_and_the_next_question_is_answered() -> None:
    deed = "import time\n        if said['id'] == 'long': time.sleep(500)"
    asked = _Asked(ECHO.format(deed=deed), stop_s=0.1)
    asked.ask("long")
    asked.ask("short")
    assert asked.hear().id == "short"
    asked.ask("long")
    asked.thinking.stop()
    _wait(lambda: not asked.thinking.running)
    asked.thinking.close()


def test_an_answer_that_never_comes_is_an_error_in_time() -> None:
    asked = _Asked("import time; time.sleep(500)", start_s=0.1)
    # The question waits in the pipe, however long it is.
    asked.ask("1", player="x" * 500_000)
    assert "time" in asked.hear().error
    assert not asked.thinking.running
    asked.thinking.close()


def test_what_makes_no_sense_is_passed_over() -> None:
    asked = _Asked(ECHO.format(deed="print('nonsense', flush=True); print('[1]'); print('{}')"))
    asked.ask("1")
    assert asked.hear().choice is not None
    asked.thinking.close()


CHOICE = '{"id": said["id"], "move": said["moves"][0], "why": {"code": "only_move", "params": {}}'
HOSTILE = {
    "bytes that are no text": r"sys.stdout.buffer.write(b'\xff\xfe\x80\n' * 3)",
    "lists within each other": "print('[' * 100_000)",
    "lists within an answer": "print('{\"id\": ' + '[' * 400 + ']' * 400 + '}')",
    "numbers without an end": f"print(json.dumps({CHOICE}, 'thoughts': [[said['moves'][0], "
    "float('nan'), 1]]}))",
    "numbers of many digits": "print('{\"id\": ' + '9' * 5_000 + '}')",
    "letters that turn text around": f"print(json.dumps({CHOICE}, 'line': ['p0 \u202e']}}))",
    "half a letter": """print('{"id": "\\\\ud800"}')""",
    "another's answer": "print(json.dumps({'id': 'x', 'error': 'no'}))",
}


@pytest.mark.parametrize("deed", HOSTILE.values(), ids=HOSTILE)
def test_what_a_player_says_besides_its_answer_does_no_harm(deed: str) -> None:
    asked = _Asked(ECHO.format(deed=deed))
    asked.ask("1")
    assert asked.hear().choice is not None
    asked.ask("2")
    assert asked.hear().choice is not None
    asked.thinking.close()


@pytest.mark.parametrize(
    "deed",
    [
        "print('x' * 20_000_000)",
        "while True: sys.stdout.write('x' * 100_000)",
        "while True: print('{}')",
        "while True: print(json.dumps({'id': 'x', 'error': 'no'}))",
    ],
)
def test_a_player_that_never_stops_talking_is_ended_and_it_is_said(deed: str) -> None:
    before = _children()
    asked = _Asked(ECHO.format(deed=deed))
    asked.ask("1")
    assert asked.hear().error
    assert _children() <= before
    asked.thinking.close()


@pytest.mark.parametrize(
    "more",
    [
        "'move': 'p0 claim R5'", "'move': 'p1 place 1 A'", "'move': 'p0 fly'",
        "'move': said['moves'][0], 'thoughts': [['p0 fly', 0.5, 1]]",
    ],
)  # fmt: skip
def test_a_player_chooses_among_the_moves_it_was_asked_about(more: str) -> None:
    said = f"{{'id': said['id'], 'why': {{'code': 'only_move', 'params': {{}}}}, {more}}}"
    deed = f"print(json.dumps({said}), flush=True); continue"
    asked = _Asked(ECHO.format(deed=deed))
    asked.ask("1")
    answer = asked.hear()
    assert answer.choice is None and answer.error
    asked.thinking.close()


def test_a_program_that_is_not_there_is_an_error() -> None:
    asked = _Asked()
    asked.thinking = EngineClient(command=("/nowhere/players",))
    asked.ask("1")
    assert asked.hear().error
    asked.thinking.close()


def test_without_questions_it_ends_and_the_next_one_starts_it_again() -> None:
    before = _children()
    asked = _Asked(ECHO.format(deed="pass"), rest_s=0.1)
    for name in "12":
        asked.ask(name)
        assert asked.hear().choice is not None
        _wait(lambda: not asked.thinking.running)
        assert _children() <= before
    asked.thinking.close()


@pytest.mark.parametrize("seconds", [0.0, 500.0])
def test_closing_in_the_middle_of_a_thought_leaves_nothing(seconds: float) -> None:
    before = _children()
    asked = _Asked(close_s=0.5)
    asked.ask("1", seconds=seconds, player="archdruid")
    asked.thinking.close()
    assert _children() <= before


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
        """The next step of a patient person."""
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
