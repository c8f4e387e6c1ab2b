"""Eyes: pictures become agreed moves, and whatever the camera does, the match goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.camera.camera_thread import CameraThread
from companion.camera.observer import Observer
from companion.journal.store import Journal
from companion.match.events import TableEvent, Trouble
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import SightNote, TableState
from companion.settings.manners import Manners
from tests.support.scenery import Board, album, no_board, picture
from tests.support.table_setup import BOX, Hands, header, tap_move
from tests.support.waiting import PATIENCE_S, until
from vision.arrays import Picture
from vision.camera.frames import Condition
from vision.camera.lens import Lens
from vision.camera.sources import FolderSource, Frame, MemorySource, SourceError

QUICK = Manners(commit_s=0.1, quiet_s=0.1, reason_s=0.2, desync_s=1.0)
ONE: Board = {"G": "stone black 1"}
TWO: Board = {**ONE, "A": "stone brown 5"}
THREE: Board = {**TWO, "E": "stone black 4"}


@pytest.fixture
def session() -> Iterator[Session]:
    """A running session with a new match."""
    with Journal(":memory:") as journal:
        journal.create(header())
        running = Session(Table(journal, journal.header("m1"), QUICK)).start()
        yield running
        running.close()


def show(
    source: MemorySource, board: Board | None, done: Callable[[], bool], seconds: float = PATIENCE_S
) -> bool:
    """Film a board until something holds; whether it came to hold. None: film something else."""
    image = no_board() if board is None else picture(board)
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        source.push(image)
        time.sleep(0.02)
    return True


def test_what_a_camera_films_becomes_an_agreed_move(session: Session) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert session.view.state is TableState.BLIND
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    assert show(source, ONE, lambda: session.view.ply == 1)
    assert str(session.view.last) == "p0 place 1 G"
    assert show(source, TWO, lambda: session.view.ply == 3)
    assert eyes.last is not None and eyes.last.table == TWO
    assert eyes.frames > 5 and len(eyes.see_ms) == eyes.frames
    eyes.close()


def test_a_source_that_ends_leaves_the_table_blind_and_playable(session: Session) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    source.close()
    eyes._thread.join(PATIENCE_S)
    # A film that is over must not have the watchdog start the table anew every minute.
    assert not eyes._thread.is_alive() and eyes.alive()
    assert until(lambda: session.view.state is TableState.BLIND)
    assert session.view.blind_reason == "no_camera"
    session.post(tap_move("p0 place 1 G"))
    assert until(lambda: session.view.ply == 1)
    eyes.close()
    assert not any(thread.name == "eyes" for thread in threading.enumerate())


def test_a_camera_that_falls_silent_leaves_the_table_blind_until_it_is_back(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    with monkeypatch.context() as patch:
        patch.setattr("companion.camera.camera_thread.SILENCE_S", 0.2)
        assert until(lambda: session.view.state is TableState.BLIND)
    assert show(source, ONE, lambda: session.view.ply == 1)
    eyes.close()


def test_a_board_out_of_sight_says_so_until_it_is_laid_down(session: Session) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, None, lambda: session.view.blind_reason == "board_lost")
    assert session.view.state is TableState.BLIND
    assert show(source, ONE, lambda: session.view.ply == 1)
    eyes.close()


def test_a_camera_that_is_covered_in_the_middle_is_noticed(session: Session) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, ONE, lambda: session.view.ply == 1)
    try:
        assert show(source, None, lambda: session.view.blind_reason == "board_lost")
        assert show(source, TWO, lambda: session.view.ply == 3)
    finally:
        eyes.close()


class Faulty(MemorySource):
    """A camera whose every second picture fails."""

    reads = 0

    def read(self, timeout: float | None = None) -> Frame | None:
        self.reads += 1
        if self.reads % 2:
            raise SourceError("the camera does not answer")
        return super().read(timeout)


def test_a_source_that_fails_now_and_then_is_asked_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.camera_thread.REST_S", 0.01)
    source = Faulty()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    assert show(source, ONE, lambda: session.view.ply == 1)
    eyes.close()


class Searching(MemorySource):
    """A camera that is still looking for its exposure."""

    condition = Condition(ready=False)

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = super().read(timeout)
        if frame is not None:
            frame.condition = self.condition
        return frame


def test_nothing_is_concluded_while_a_camera_adjusts_itself_and_what_it_cannot_is_told(
    session: Session,
) -> None:
    source = Searching()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert show(source, {}, lambda: session.view.blind_reason == "adjusting")
    assert show(source, ONE, lambda: eyes.frames > 12)
    assert session.view.ply == 0 and eyes.last is None and eyes.snapshot() is not None
    source.condition = Condition(ready=True, missing=("focus",))
    assert show(source, ONE, lambda: session.view.ply == 1)
    assert session.view.notes == (SightNote("unadjusted", ("focus",)),)
    source.condition = Condition(ready=False)
    assert show(source, TWO, lambda: eyes.frames > 25)
    assert session.view.ply == 1 and session.view.state is not TableState.BLIND
    eyes.close()


class Broken(MemorySource):
    """A camera that only fails."""

    reads = 0

    def read(self, timeout: float | None = None) -> Frame | None:
        self.reads += 1
        raise SourceError("the camera does not answer")


def test_a_source_that_only_fails_is_gone_and_does_not_keep_the_computer_busy(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.camera_thread.SILENCE_S", 0.3)
    source = Broken()
    eyes = CameraThread(source, Observer(BOX), session).start()
    began = time.monotonic()
    time.sleep(1.0)
    assert session.view.state is TableState.BLIND
    assert source.reads < 12 * (time.monotonic() - began)
    eyes.close()


class Odd(MemorySource):
    """A camera whose driver raises what no camera should, in every second read."""

    reads = 0

    def read(self, timeout: float | None = None) -> Frame | None:
        self.reads += 1
        if self.reads % 2:
            raise ZeroDivisionError("of the driver")
        return super().read(timeout)

    def close(self) -> None:
        super().close()
        raise ZeroDivisionError("of the driver")


def test_what_nobody_expects_of_a_camera_is_told_and_the_eyes_go_on(
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failures: list[str],
) -> None:
    monkeypatch.setattr("companion.camera.camera_thread.REST_S", 0.01)
    monkeypatch.setattr("companion.camera.camera_thread.AGAIN_S", 0.01)
    source, tries, events = Odd(), 0, list[TableEvent]()
    session.listen(lambda _view, new: events.extend(new))

    def opened() -> MemorySource:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise KeyError("in the driver")
        return source

    eyes = CameraThread(opened, Observer(BOX), session).start()
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    assert show(source, ONE, lambda: session.view.ply == 1)
    assert eyes.alive()
    assert Trouble() in events
    # Both are in the log with their tracebacks, and not once for every frame.
    told = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert told == [KeyError, ZeroDivisionError]
    eyes.close()
    assert not any(thread.name == "eyes" for thread in threading.enumerate())
    assert set(failures) == {"of the driver"}, "it could not be closed either"


def test_a_picture_that_vision_cannot_digest_does_not_close_the_eyes(
    session: Session, monkeypatch: pytest.MonkeyPatch, failures: list[str]
) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session)
    look = eyes.observer.read

    def picky(frame: Frame, settled: bool) -> object:
        if frame.image.shape[0] < 10:
            raise ValueError("too small")
        return look(frame, settled)

    monkeypatch.setattr(eyes.observer, "read", picky)
    eyes.start()
    source.push(np.zeros((3, 3, 3), np.uint8))
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    source.push(np.zeros((3, 3, 3), np.uint8))
    assert show(source, ONE, lambda: session.view.ply == 1)
    eyes.close()
    assert failures == ["too small"], "told once, not with every picture"


@pytest.mark.parametrize("size", [(1, 1), (8, 2000), (40, 40)])
def test_odd_picture_sizes_are_survived(
    session: Session, size: tuple[int, int], failures: list[str]
) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    for _ in range(4):
        source.push(np.full((*size, 3), 128, np.uint8))
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    eyes.close()


def test_every_picture_of_a_folder_counts(session: Session, tmp_path: Path) -> None:
    folder = album(tmp_path, [{}, ONE, TWO, no_board(), THREE])
    eyes = CameraThread(FolderSource(folder), Observer(BOX), session).start()
    assert until(lambda: session.view.ply == 5)
    assert until(lambda: session.view.state is TableState.BLIND)
    assert [e.move.text for e in session.table.match.log][::2] == [
        "p0 place 1 G", "p1 place 5 A", "p0 place 4 E",
    ]  # fmt: skip
    eyes.close()


def test_closing_twice_and_before_the_start_is_allowed(session: Session) -> None:
    eyes = CameraThread(MemorySource(), Observer(BOX), session)
    eyes.close()
    eyes.close()
    started = CameraThread(MemorySource(), Observer(BOX), session).start()
    started.close()
    started.close()
    assert not any(thread.name == "eyes" for thread in threading.enumerate())


def test_a_camera_that_comes_later_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.camera.camera_thread.AGAIN_S", 0.05)
    late = MemorySource()
    tries = 0

    def opened() -> MemorySource:
        nonlocal tries
        tries += 1
        if tries < 4:
            raise SourceError("there is no camera yet")
        return late

    hands = Hands()
    session = Session(hands.table).start()
    eyes = CameraThread(opened, Observer(BOX), session).start()
    assert until(lambda: tries == 4)
    eyes.close()
    session.close()
    assert tries == 4
    assert late.ended


def test_a_snapshot_is_small_enough_for_a_screen_and_says_by_how_much(session: Session) -> None:
    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX), session).start()
    assert eyes.snapshot() is None
    assert show(source, ONE, lambda: session.view.ply == 1)
    snapshot = eyes.snapshot()
    assert snapshot is not None and snapshot.sighting.table == ONE
    small, scale = snapshot.picture(400)
    height, width = snapshot.frame.image.shape[:2]
    assert max(small.shape[:2]) == 400
    assert scale == pytest.approx(400 / max(width, height))
    assert abs(float(small.mean()) - float(snapshot.frame.image.mean())) < 2
    same, one = snapshot.picture(9999)
    assert same is snapshot.frame.image and one == 1.0
    eyes.close()


class OnDemand(MemorySource):
    """A camera that takes its full picture only when it is asked for."""

    taken = 0

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = super().read(timeout)
        if frame is None:
            return None
        image = frame.image

        def take() -> Picture:
            self.taken += 1
            return image

        small = np.ascontiguousarray(image[::8, ::8, 1])
        return Frame(take, frame.index, frame.name, frame.time_s, small=small)


def test_a_snapshot_always_holds_a_picture_that_was_taken(session: Session) -> None:
    source = OnDemand()
    eyes = CameraThread(source, Observer(BOX), session).start()
    eyes.snapshot()
    assert show(source, ONE, lambda: session.view.ply == 1)
    snapshot = eyes.snapshot()
    assert snapshot is not None and snapshot.frame.taken
    before = source.taken
    assert snapshot.frame.image.shape == (1200, 1600, 3)
    assert source.taken == before
    eyes.close()


def test_the_calibrated_lens_is_the_one_that_is_used(session: Session) -> None:
    asked: list[tuple[int, int]] = []

    def lens_of(size: tuple[int, int]) -> Lens | None:
        asked.append(size)
        return None

    source = MemorySource()
    eyes = CameraThread(source, Observer(BOX, lens_of=lens_of), session).start()
    assert show(source, {}, lambda: session.view.state is TableState.SETTLED)
    eyes.close()
    assert asked and set(asked) == {(1600, 1200)}
