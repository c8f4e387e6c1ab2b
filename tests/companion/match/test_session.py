"""The session: one thread owns the match; nobody can hold it up, harm it or hear too early."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from companion.app.application import Application
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, TableEvent, Trouble
from companion.match.messages import CameraGone, Message, Seen, Tick
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import Intent, PlayMove, Redo, TableState, TableView, Undo
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup
from companion.settings.settings import CameraSettings, Settings
from hardware.displays.cfa635 import ROM as CFA635_ROM
from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.displays.lettering import fit
from hardware.settings import MOCK_RIG
from tests.support.table_setup import Look, header, tap_move
from tests.support.waiting import PATIENCE_S, until

QUICK = Manners(commit_s=0.05, quiet_s=0.05, reason_s=0.1, desync_s=0.2)
BLACK_1 = "stone black 1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Path of the journal."""
    return tmp_path / "journal.db"


@pytest.fixture
def session(path: Path) -> Iterator[Session]:
    """A running session with a match in a journal on the disk."""
    journal = Journal(path)
    journal.create(header())
    running = Session(Table(journal, journal.header("m1"), QUICK)).start()
    yield running
    running.close()
    journal.close()


def test_messages_from_many_threads_are_dealt_with_one_after_the_other(
    session: Session, path: Path
) -> None:
    heard: list[tuple[int, str]] = []
    session.listen(lambda view, _: heard.append((view.ply, threading.current_thread().name)))

    def player(seed: int) -> None:
        random = Random(seed)
        for _ in range(25):
            intents: list[Intent] = [Undo(), Redo(), tap_move("p0 nonsense")]
            intents += [PlayMove(move) for move in session.view.legal] * 2
            session.post(random.choice(intents))
            if random.random() < 0.3:
                session.see(Seen(Look({})) if random.random() < 0.5 else CameraGone())

    threads = [threading.Thread(target=player, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.settle()
    assert {name for _, name in heard} == {"session"}
    with Journal(path) as journal:
        kept = journal.load("m1")
    assert kept.ply == session.view.ply == heard[-1][0]
    assert kept.state.to_json() == session.table.match.state.to_json()
    assert tuple(kept.legal_moves()) == session.view.legal


def test_a_listener_that_raises_harms_neither_the_match_nor_other_listeners(
    session: Session, failures: list[str]
) -> None:
    heard: list[int] = []

    def broken(view: TableView, events: Sequence[TableEvent]) -> None:
        raise RuntimeError("a listener's fault")

    session.listen(broken)
    session.listen(lambda view, _: heard.append(view.ply))
    session.post(tap_move("p0 place 1 G"))
    session.post(tap_move("p0 done"))
    assert session.settle()
    assert heard == [1, 2]
    assert failures == ["a listener's fault"]


def test_a_listener_that_was_taken_off_hears_nothing_more(session: Session) -> None:
    heard: list[int] = []
    stop = session.subscribe(lambda view: heard.append(view.ply))
    session.post(tap_move("p0 place 1 G"))
    session.settle()
    stop()
    stop()
    session.post(tap_move("p0 done"))
    session.settle()
    assert heard == [1]


def test_of_several_waiting_sightings_only_the_newest_is_read(session: Session) -> None:
    handled = spy(session)
    free = hold_up(session)
    looks = [Look({"G": BLACK_1}, hand=True) for _ in range(6)]
    for look in looks:
        session.see(Seen(look))
    session.post(tap_move("p0 done"))
    free.set()
    assert session.settle()
    assert [m.sighting for m in handled if isinstance(m, Seen)] == looks[-1:]
    assert session.view.ply == 2


def test_every_picture_of_a_folder_is_read_however_quick_they_come(session: Session) -> None:
    handled = spy(session)
    free = hold_up(session)
    for _ in range(4):
        session.see(Seen(Look({"G": BLACK_1}), settled=True))
    free.set()
    assert session.settle()
    assert sum(isinstance(message, Seen) for message in handled) == 4


def hold_up(session: Session) -> threading.Event:
    """Keep the session in the middle of a move until the event is set."""
    held, free = threading.Event(), threading.Event()

    def wait(view: TableView, events: Sequence[TableEvent]) -> None:
        held.set()
        free.wait(PATIENCE_S)

    session.listen(wait)
    session.post(tap_move("p0 place 1 G"))
    assert held.wait(PATIENCE_S)
    return free


def spy(session: Session) -> list[Message]:
    """Every message that the table is handed from now on."""
    handled: list[Message] = []
    handle = session.table.handle

    def note(message: Message, now: float, src: Source = Source.TOUCH) -> list[TableEvent]:
        handled.append(message)
        return handle(message, now, src)

    session.table.handle = note  # type: ignore[method-assign]
    return handled


def test_closing_leaves_no_thread(path: Path) -> None:
    before = set(threading.enumerate())
    journal = Journal(path)
    journal.create(header())
    session = Session(Table(journal, journal.header("m1"), QUICK)).start()
    session.post(tap_move("p0 place 1 G"))
    session.close()
    session.close()
    assert set(threading.enumerate()) <= before
    assert journal.load("m1").ply == 1
    journal.close()


def test_a_session_that_never_started_can_be_closed(path: Path) -> None:
    with Journal(path) as journal:
        journal.create(header())
        Session(Table(journal, journal.header("m1"), QUICK)).close()


def test_a_listener_may_close_the_session(session: Session) -> None:
    session.subscribe(lambda _: session.close())
    session.post(tap_move("p0 place 1 G"))
    assert until(lambda: not any(t.name == "session" for t in threading.enumerate()))


def test_a_listener_hears_of_a_move_only_when_it_is_on_the_disk(
    session: Session, path: Path
) -> None:
    checked: list[list[str]] = []

    def look_up(view: TableView, events: Sequence[TableEvent]) -> None:
        told = [move.text for e in events if isinstance(e, MovesCommitted) for move in e.moves]
        if told:
            with Journal(path) as other:
                log = [entry.move.text for entry in other.load("m1").log]
            assert log[-len(told) :] == told
            assert len(log) == view.ply
            checked.append(told)

    session.listen(look_up)
    for _ in range(30):
        session.post(PlayMove(session.view.legal[0]))
        session.settle()
    assert len(checked) == 30


def test_time_alone_brings_a_move_about(session: Session) -> None:
    session.see(Seen(Look({})))
    session.see(Seen(Look({"G": BLACK_1})))
    assert until(lambda: session.view.ply == 1)
    assert str(session.view.last) == "p0 place 1 G"


def test_a_question_that_waits_for_an_answer_does_not_keep_the_thread_busy(
    session: Session,
) -> None:
    session.see(Seen(Look({"G": BLACK_1})))
    assert until(lambda: session.view.ply == 1)
    session.see(Seen(Look({})))
    assert until(lambda: session.view.state is TableState.AMBIGUOUS)
    handled = spy(session)
    began = time.monotonic()
    time.sleep(0.6)
    ticks = sum(isinstance(message, Tick) for message in handled)
    assert ticks <= 2 * max(1.0, time.monotonic() - began)


def test_a_mistake_in_a_game_is_told_and_the_session_goes_on(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[TableEvent] = []
    session.listen(lambda _, happened: events.extend(happened))
    with monkeypatch.context() as patch:
        patch.setattr(session.table, "handle", lambda *_: 1 // 0)
        session.post(Undo())
        assert session.settle()
    assert [type(event) for event in events] == [Trouble]
    session.post(tap_move("p0 place 1 G"))
    assert session.settle()
    assert session.view.ply == 1


def test_a_device_in_trouble_is_in_the_view_until_it_is_well(session: Session) -> None:
    session.device("score", "unplugged")
    assert session.settle()
    assert session.view.devices == {"score": "unplugged"}
    session.device("score", "")
    session.device("lamps", "")
    assert session.settle()
    assert session.view.devices == {}


# -- with real devices (simulated, behind real drivers) ------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    """Everything but the screens, with a simulated rig."""
    built = Application(Settings(rig=MOCK_RIG, manners=QUICK), tmp_path, "de")
    yield built
    built.close()


def begin(house: Application) -> Session:
    """Begin a match."""
    return house.start(MatchSetup("knizia_stonehenge", 2, names=("Anna", "Bo")))


def whole_text_is_shown(house: Application, session: Session) -> bool:
    """True if the display reads exactly as the newest view asks."""
    twin = house.rig.twins["score"]
    return tuple(twin.rows()) == fit(house.director.lines(session.view), 20, 4, CFA635_ROM)


def test_an_unplugged_display_leaves_the_match_running_and_comes_back_with_the_whole_text(
    house: Application,
) -> None:
    session = begin(house)
    twin = house.rig.twins["score"]
    assert isinstance(twin, Cfa635Twin)
    assert until(lambda: whole_text_is_shown(house, session))
    assert session.view.devices == {}
    session.post(tap_move("p0 place 1 G"))
    session.settle()
    twin.unplug()
    for move in ("p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E"):
        session.post(tap_move(move))
    assert session.settle()
    assert session.view.ply == 5
    assert until(lambda: "score" in session.view.devices)
    assert set(session.view.devices) == {"score"}
    twin.replug()
    assert until(lambda: session.view.devices == {})
    assert until(lambda: whole_text_is_shown(house, session))
    assert any("Anna" in row for row in twin.rows())
    assert twin.errors == [] and twin.refused == []


def test_a_button_of_the_display_ends_the_turn(house: Application) -> None:
    session = begin(house)
    twin = house.rig.twins["score"]
    assert isinstance(twin, Cfa635Twin)
    session.post(tap_move("p0 place 1 G"))
    assert session.settle()
    assert until(lambda: whole_text_is_shown(house, session))
    twin.press("enter")
    twin.release("enter")
    assert until(lambda: session.view.ply == 2)
    assert str(session.view.last) == "p0 done"
    twin.press("exit")
    twin.release("exit")
    assert until(lambda: session.view.ply == 1)


def test_a_match_begun_anew_abandons_the_one_before_and_resume_goes_on(house: Application) -> None:
    first = begin(house).view.match_id
    session = begin(house)
    session.post(tap_move("p0 place 1 G"))
    session.settle()
    (summary,) = house.unfinished()
    assert summary.match_id == session.view.match_id != first
    assert house.journal.status(first) == "abandoned"
    again = house.resume(summary.match_id)
    assert str(again.view.last) == "p0 place 1 G"


def test_nothing_of_the_last_match_glows_in_the_next(house: Application) -> None:
    session = begin(house)
    session.post(tap_move("p0 place 1 G"))
    session.settle()
    assert until(lambda: any(any(pixel) for pixel in house.rig.lamps.frame))
    begin(house)
    assert until(lambda: not any(any(pixel) for pixel in house.rig.lamps.frame))


def test_a_camera_that_is_not_there_leaves_a_match_by_touch(tmp_path: Path) -> None:
    house = Application(Settings(camera=CameraSettings(source="/dev/video77")), tmp_path, "en")
    try:
        session = begin(house)
        assert session.view.state is TableState.BLIND
        session.post(tap_move("p0 place 1 G"))
        session.settle()
        assert session.view.ply == 1
    finally:
        house.close()


def test_closing_the_house_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    house = Application(Settings(rig=MOCK_RIG), tmp_path, "de")
    begin(house)
    house.close()
    assert until(lambda: set(threading.enumerate()) <= before)
