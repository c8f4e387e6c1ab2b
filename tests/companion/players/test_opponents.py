"""A person plays against the druid, with everything that can happen in between."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import FINISHED, Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import (
    SET_FOR_COMPUTER,
    AskTip,
    ConfirmPlaced,
    PlayMove,
    TableView,
    Undo,
)
from companion.players.engine_client import EngineClient, Patience
from companion.players.opponents import Opponents
from companion.settings.manners import Manners
from companion.settings.services import PlayersSettings
from rules.players.engine_protocol import Answer, Question
from rules.players.player import Choice, Reason

SOON_S = 30.0
QUICK = PlayersSettings(seconds=0.05, pause_s=0.0)


class _Slow(EngineClient):
    """Thinks only when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Question, Callable[[Answer], None]]] = []
        self.stopped = 0

    def ask(self, question: Question, hear: Callable[[Answer], None]) -> None:
        self.asked.append((question, hear))

    def stop(self) -> None:
        self.stopped += 1

    def answer(self, number: int = -1, **error: str) -> None:
        question, hear = self.asked[number]
        choice = None if error else Choice(question.moves[0], Reason("best_chances"))
        hear(Answer(question.id, choice, **error))


@contextmanager
def _match(
    path: Path | str = ":memory:",
    *,
    thinking: EngineClient | None = None,
    physical: bool = False,
    computers: tuple[str, ...] = ("", "druid"),
) -> Iterator[Session]:
    journal = Journal(path)
    header = Header(
        "m1", "knizia_stonehenge", 2, {"hidden": "off", "hints": "off"}, physical, "seed",
        ("Anna", "Druid"), "enforce", 1.0, computers=computers,
    )  # fmt: skip
    if not any(one.header.id == "m1" for one in journal.matches()):
        journal.create(header)
    session = Session(Table(journal, header, Manners()))
    opponents = Opponents(QUICK, thinking)
    opponents.follow(session)
    session.start()
    try:
        yield session
    finally:
        opponents.close()
        session.close()
        journal.close()


def _wait(session: Session, met: Callable[[TableView], Any]) -> TableView:
    until = time.monotonic() + SOON_S
    while not met(view := session.view):
        assert time.monotonic() < until, view
        time.sleep(0.003)
    return view


def _play(session: Session, number: random.Random) -> None:
    """Anna does anything that is legal, and sets what she is asked to."""
    view = _wait(session, lambda v: v.legal or v.outcome or v.result)
    if view.result is not None and view.result.code == SET_FOR_COMPUTER:
        session.post(ConfirmPlaced())
    elif view.legal and view.thinks is None:
        session.post(PlayMove(number.choice(view.legal)))
    session.settle()


@pytest.mark.parametrize("physical", [False, True])
def test_a_match_against_the_druid_comes_to_its_end_through_kills_and_taking_back(
    physical: bool, tmp_path: Path
) -> None:
    path, number, kills = tmp_path / "journal.db", random.Random(3), 0
    while True:
        # Every few moves the program ends without warning and begins again.
        with _match(path, physical=physical) as session:
            for step in range(5):
                if session.view.outcome is not None:
                    break
                _play(session, number)
                if step == 3:
                    session.post(Undo())
                    session.settle()
            if session.view.outcome is not None:
                break
            kills += 1
    assert kills > 1
    with Journal(path) as journal:
        (summary,) = journal.matches()
        events = journal.events("m1")
    assert summary.status == FINISHED
    by = {(e.src, e.what.move.player) for e in events if isinstance(e.what, MovePlayed)}
    assert (Source.COMPUTER, 1) in by and (Source.TOUCH, 0) in by
    assert not {(Source.COMPUTER, 0), (Source.TOUCH, 1)} & by


def test_a_choice_that_comes_after_taking_back_is_not_played() -> None:
    slow = _Slow()
    with _match(thinking=slow) as session:
        session.post(PlayMove(session.view.legal[0]))
        _wait(session, lambda v: v.thinks == 1 and slow.asked)
        session.post(Undo())
        session.settle()
        slow.answer()
        session.post(PlayMove(session.view.legal[1]))
        _wait(session, lambda v: v.thinks == 1 and len(slow.asked) == 2)
        assert slow.stopped
        slow.answer(0)
        time.sleep(0.05)
        assert session.view.ply == 2
        slow.answer(1)
        _wait(session, lambda v: v.thinks is None and v.ply == 4)


def test_a_player_that_cannot_choose_is_said_and_people_play_for_it() -> None:
    slow = _Slow()
    with _match(thinking=slow) as session:
        session.post(PlayMove(session.view.legal[0]))
        _wait(session, lambda v: slow.asked)
        slow.answer(error="it broke")
        view = _wait(session, lambda v: v.helpless)
        assert view.thinks is None and {move.player for move in view.legal} == {1}
        session.post(PlayMove(view.legal[0]))
        session.settle()
        while len(slow.asked) < 2 and session.view.outcome is None:
            if session.view.legal:
                session.post(PlayMove(session.view.legal[-1]))
            session.settle()
        assert slow.asked[1][0].view.seat == 1


def test_tips_come_from_what_the_seat_knows_and_are_thought_about_once() -> None:
    slow = _Slow()
    with _match(thinking=slow, computers=()) as session:
        session.post(AskTip())
        _wait(session, lambda v: slow.asked)
        question, _ = slow.asked[0]
        assert question.view.seat == 0 and set(question.moves) == set(session.view.legal)
        slow.answer()
        view = _wait(session, lambda v: v.tip and v.tip.choice)
        assert view.tip is not None and view.tip.choice is not None
        assert view.tip.choice.move == question.moves[0]
        session.post(AskTip())
        _wait(session, lambda v: v.tip is None)
        session.post(AskTip())
        _wait(session, lambda v: len(slow.asked) == 2)
        slow.answer(error="it broke")
        _wait(session, lambda v: v.tip and v.tip.failed)


def test_two_computers_wait_for_each_other_until_hands_have_set_the_first_ones_move() -> None:
    slow = _Slow()
    with _match(thinking=slow, physical=True, computers=("druid", "druid")) as session:
        _wait(session, lambda v: slow.asked)
        slow.answer()
        _wait(session, lambda v: v.result and len(slow.asked) == 2)
        slow.answer()
        time.sleep(0.05)
        ply = session.view.ply
        session.post(ConfirmPlaced())
        _wait(session, lambda v: v.ply > ply)


def test_nobody_thinks_where_only_people_play() -> None:
    slow = _Slow()
    with _match(thinking=slow, computers=()) as session:
        session.post(PlayMove(session.view.legal[0]))
        session.settle()
        assert not slow.asked
    thinking = EngineClient(Patience())
    with _match(thinking=thinking, computers=()):
        assert not thinking.running
