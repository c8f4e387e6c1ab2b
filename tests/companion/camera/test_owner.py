"""The one owner of the camera: whoever looks, it is never opened twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.camera.owner import TableCamera
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import TableState
from companion.settings.manners import Manners
from companion.settings.settings import CameraSettings
from rules.box import load_box
from tests.support.scenery import picture
from tests.support.table_setup import header
from tests.support.waiting import PATIENCE_S, until
from vision.camera.sources import MemorySource

KNIZIA, DOLMEN = "knizia_stonehenge", "dolmengoetter"


class Cable:
    """Counts how often the camera is open."""

    def __init__(self) -> None:
        self.opened: list[MemorySource] = []

    def open(self, *_: object) -> MemorySource:
        """As ``open_source``; a camera that is open already cannot be opened."""
        assert all(source.ended for source in self.opened), "the camera is opened twice"
        self.opened.append(MemorySource())
        return self.opened[-1]

    @property
    def free(self) -> bool:
        """Whether nobody has it."""
        return all(source.ended for source in self.opened)


@pytest.fixture
def cable(monkeypatch: pytest.MonkeyPatch) -> Cable:
    """What the owner opens."""
    made = Cable()
    monkeypatch.setattr("companion.camera.owner.open_source", made.open)
    return made


@pytest.fixture
def camera(cable: Cable, tmp_path: Path) -> Iterator[TableCamera]:
    """The owner."""
    made = TableCamera(CameraSettings(source="0"), tmp_path, load_box)
    yield made
    made.close()
    assert cable.free


@pytest.fixture
def session() -> Iterator[Session]:
    """A running session with a new match."""
    with Journal(":memory:") as journal:
        journal.create(header())
        running = Session(Table(journal, journal.header("m1"), Manners())).start()
        yield running
        running.close()


def test_to_look_for_the_same_board_again_opens_nothing_anew(
    camera: TableCamera, cable: Cable
) -> None:
    camera.look_around(KNIZIA)
    assert until(lambda: len(cable.opened) == 1)
    camera.look_around(KNIZIA)
    camera.look_around(DOLMEN)
    assert until(lambda: len(cable.opened) == 2)
    assert cable.opened[0].ended and not cable.opened[1].ended
    camera.stop_looking_around()
    assert cable.free and not camera.looks and camera.snapshot() is None


def test_whoever_comes_next_takes_the_camera_from_whoever_had_it(
    camera: TableCamera, cable: Cable, session: Session
) -> None:
    camera.look_around(KNIZIA)
    assert until(lambda: len(cable.opened) == 1)
    walks: list[MemorySource] = []

    def recall() -> None:
        walks.pop().close()

    opened = camera.lend_pictures(recall)
    assert cable.free and not camera.looks
    walks.append(opened())  # type: ignore[arg-type]
    eyes, give_back = camera.lend(KNIZIA)
    assert eyes is not None and not walks
    assert until(lambda: len(cable.opened) == 3)
    camera.watch(session, ready=True)
    assert until(lambda: len(cable.opened) == 4)
    give_back()
    assert not cable.opened[3].ended, "a check that is over takes nothing from the match"


def test_a_match_keeps_its_eyes_and_others_look_through_them(
    camera: TableCamera, cable: Cable, session: Session
) -> None:
    camera.watch(session, ready=True)
    camera.look_around(DOLMEN)
    camera.stop_looking_around()
    pictures = camera.lend_pictures(lambda: None)()
    eyes, give_back = camera.lend(DOLMEN)
    assert eyes is camera.eyes
    give_back()
    assert until(lambda: len(cable.opened) == 1)

    def shown() -> bool:
        cable.opened[0].push(picture({}))
        return session.view.state is TableState.SETTLED

    assert until(shown)
    frame = pictures.read(timeout=PATIENCE_S)
    assert frame is not None and frame.taken
    pictures.close()
    assert not cable.opened[0].ended


def test_without_a_camera_in_the_settings_nobody_gets_eyes(cable: Cable, tmp_path: Path) -> None:
    camera = TableCamera(CameraSettings(), tmp_path, load_box)
    camera.look_around(KNIZIA)
    eyes, give_back = camera.lend(KNIZIA)
    give_back()
    assert eyes is None and not camera.is_set_up and not cable.opened
