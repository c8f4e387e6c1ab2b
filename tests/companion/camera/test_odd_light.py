"""Darkness, people in view and odd pictures: what is told is true, and nothing is made up.

The camera is drawn, the clock is ours: ten minutes take as long as their pictures.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from companion.camera.camera_thread import CameraThread
from companion.camera.observer import Observer
from companion.journal.events import Source
from companion.match.messages import Tick
from companion.match.view import SightNote, TableState, TableView
from tests.support.scenery import Board, picture
from tests.support.scenes.photographs import covered_by
from tests.support.table_setup import BOX, Hands
from vision.arrays import Picture
from vision.camera.sources import Frame, MemorySource

ONE: Board = {"G": "stone black 1"}
TWO: Board = {**ONE, "A": "stone brown 5"}
HIDDEN = SightNote("hidden")


@cache
def _small(board: frozenset[tuple[str, str]]) -> Picture:
    return np.asarray(cv2.resize(picture(dict(board)), (1120, 840), interpolation=cv2.INTER_AREA))


def small(board: Board) -> Picture:
    """A picture in which the stickers can just be read: looks cost less."""
    return _small(frozenset(board.items()))


class Room:
    """A table below a camera, with one stone recorded."""

    def __init__(self) -> None:
        self.hands, self.observer = Hands(), Observer(BOX, "knizia_stonehenge")
        self.now, self._count = 100.0, 0
        self.states: list[TableState] = []
        self.film(small({}), 2)
        self.film(small(ONE), 3.5)
        assert self.view.ply == 1

    @property
    def view(self) -> TableView:
        return self.hands.table.view()

    def film(self, image: Picture, seconds: float, step_s: float = 0.5) -> None:
        """Pictures of some seconds, with the noise of a camera."""
        for _ in range(round(seconds / step_s)):
            self.now += step_s
            self._count += 1
            noisy = image.copy()
            noisy[:: 7 + self._count % 5, ::9] ^= 1
            frame = Frame(noisy, self._count, str(self._count), self.now)
            self.observer.expect(self.view.items, self.view.stickered)
            seen = self.observer.look(frame).seen
            for message in (Tick(),) if seen is None else (seen, Tick()):
                self.hands.table.handle(message, self.now, Source.CAMERA)
            self.states.append(self.view.state)

    def goes_on(self) -> None:
        """Two moves are recognised without a question, and none was made up before."""
        assert self.view.ply == 1
        self.film(small(ONE), 3)
        assert self.view.state is TableState.SETTLED and self.view.notes == ()
        asked = {TableState.AMBIGUOUS, TableState.ILLEGAL, TableState.DESYNC}
        assert not asked & set(self.states)
        self.film(small(TWO), 3.5)
        assert self.view.ply == 3 and not asked & set(self.states)


def in_light(share: float) -> Picture:
    return np.asarray(small(ONE) * share, dtype=np.uint8)


def torn(image: Picture) -> Picture:
    half = image.copy()
    half[half.shape[0] // 2 :] = 0
    return half


def shifted(image: Picture) -> Picture:
    half, middle = image.copy(), image.shape[0] // 2
    half[middle:] = np.roll(image, 200, axis=1)[middle:]
    return half


ODD: Mapping[str, Callable[[Picture], Picture]] = {
    "lights off": np.zeros_like,
    "nearly dark": lambda image: np.asarray(image * 0.03, dtype=np.uint8),
    "white": lambda image: np.full_like(image, 255),
    "torn": torn,
    "shifted": shifted,
}


def test_darkness_and_odd_pictures_are_told_of_and_the_match_goes_on_without_a_question() -> None:
    room = Room()
    for kind, made in ODD.items():
        room.film(made(small(ONE)), 20, 5.0)
        told = room.view.blind_reason == "board_lost" or room.view.notes == (HIDDEN,)
        assert told or room.view.state is TableState.HAND, kind
        # At first the lights are on for a moment only.
        room.film(small(ONE), 0.5 if kind == "lights off" else 1.5)
    room.film(np.asarray(small(ONE) * 0.3, dtype=np.uint8), 2)
    assert room.view.state is TableState.SETTLED and room.view.notes == ()
    room.goes_on()


@pytest.mark.thorough
def test_people_who_lean_over_the_board_for_ten_minutes_are_waited_for() -> None:
    room, chance = Room(), random.Random(4)
    pose, table = room.observer.tracker.pose, small(ONE)
    assert pose is not None
    people = []
    for shape, colour in (
        ("sleeve", (60, 50, 40)),
        ("hand", (130, 165, 210)),
        ("sleeve", (9, 9, 140)),
    ):
        at = (chance.uniform(-120, 120), chance.uniform(-90, 90))
        people.append(covered_by(shape, colour, at, chance.uniform(0, 6))(table, pose))
    began = room.now
    while room.now < began + 600:
        # Some stand quite still for a while: longer than what counts as a thing that lies there.
        room.film(chance.choice(people), chance.choice((40, 80, 120)), 20.0)
    assert set(room.states[-20:]) <= {TableState.HAND, TableState.SETTLED, TableState.BLIND}
    room.goes_on()


class Ear:
    """Hears what the eyes tell."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.heard: list[str] = []

    def see(self, message: object) -> None:
        reason = getattr(message, "reason", None) or getattr(message, "blind", None)
        self.heard.append(reason or type(message).__name__)


@pytest.fixture
def ear() -> Iterator[Ear]:
    yield Ear(Hands().table.view())
    assert not any(thread.name == "eyes" for thread in threading.enumerate())


def test_a_camera_whose_picture_stands_still_is_told_of_until_it_moves(
    ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.camera_thread.FROZEN_S", 0.3)
    source, image = MemorySource(), small(ONE).copy()
    eyes = CameraThread(source, Observer(BOX), ear).start()
    end = time.monotonic() + 10
    while "frozen" not in ear.heard and time.monotonic() < end:
        source.push(image)
        time.sleep(0.01)
    for _ in range(5):
        source.push(image)
        time.sleep(0.02)
    assert ear.heard[-1] == "frozen" and ear.heard.count("frozen") == 1
    while ear.heard[-1] == "frozen" and time.monotonic() < end:
        image[0, 0, 0] ^= 1
        source.push(image.copy())
        time.sleep(0.02)
    assert ear.heard[-1] == "Seen"
    eyes.close()
