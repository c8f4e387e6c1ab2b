"""Exposure, white balance and focus are held once they are found: nothing is held that was not, and
nothing is read before. Against a Pi camera that searches as late and as badly as a test wants."""

from __future__ import annotations

import math
import random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.camera.observer import Observer
from tests.support.fake_picamera2 import FIXED_FOCUS, Bench, Nature
from tests.support.scenes.photographs import scene, stonehenge
from vision.camera import adjusting
from vision.camera.form import Form
from vision.camera.frames import ADJUSTED, Condition, Frame, Quantity
from vision.camera.pi import AF_CONTINUOUS, PiCameraSource

ALL: tuple[Quantity, ...] = ("exposure", "white_balance", "focus")


def source_of(bench: Bench, size: tuple[int, int] = (640, 480), **more: Any) -> PiCameraSource:
    return PiCameraSource(0, Form(size, **more), load=bench.load, clock=bench.clock)


def watched(bench: Bench, source: PiCameraSource, seconds: float, rests: bool = False) -> Frame:
    """The last frame of so many seconds; whoever looks at them tells of hands and blur, as the eyes
    do. ``rests``: the hand does not move."""
    end, frame = bench.clock_s + seconds, None
    while bench.clock_s < end:
        frame = source.read(1.0)
        sharp = abs(bench.eye.lens - bench.distance) < 0.3
        source.looked(
            hand=bench.hand, still=rests or not bench.hand, sharpness=0.4 if sharp else 0.05
        )
    assert frame is not None
    return frame


def held(bench: Bench) -> tuple[str, ...]:
    """The values that the camera was last told to hold."""
    by = {"exposure": "AeEnable", "white_balance": "AwbEnable", "focus": "AfMode"}
    last = {name: last_of(bench, control) for name, control in by.items()}
    return tuple(name for name in ALL if last[name] in (False, 0) and last[name] is not None)


def last_of(bench: Bench, control: str) -> Any:
    """The value that a control was set to last; None if never."""
    return next((c[control] for c in reversed(bench.set) if control in c), None)


def test_what_was_found_is_held_and_pictures_count_from_then_on() -> None:
    bench = Bench()
    source = source_of(bench)
    assert watched(bench, source, 0.5).condition == Condition(ready=False, searching=ALL)
    assert held(bench) == ()
    frame = watched(bench, source, adjusting.LIMIT_S - 1)
    assert frame.condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []
    assert last_of(bench, "LensPosition") == pytest.approx(1.5)
    assert last_of(bench, "ColourGains") == pytest.approx((1.9, 1.6), rel=0.03)


@pytest.mark.parametrize("has_ae_state", [True, False])
@pytest.mark.parametrize("late_s", [2.0, 12.0])
def test_what_converges_late_is_held_late(late_s: float, has_ae_state: bool) -> None:
    nature = Nature(exposure_s=late_s, white_s=1.5, scan_s=late_s, has_ae_state=has_ae_state)
    bench = Bench(nature=nature)
    source = source_of(bench)
    frame = watched(bench, source, 5 * late_s)
    assert frame.condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []


def test_an_exposure_that_never_converges_is_never_held_and_people_are_told() -> None:
    bench = Bench(nature=Nature(exposure_s=math.inf))
    source = source_of(bench)
    assert not watched(bench, source, adjusting.LIMIT_S - 0.5).condition.ready
    frame = watched(bench, source, 20)
    assert frame.condition == Condition(True, ("exposure",))
    assert held(bench) == ("white_balance", "focus") and bench.held_wrongly == []


def test_what_a_camera_does_not_report_is_not_known_and_not_held() -> None:
    bench = Bench(nature=Nature(silent=True))
    source = source_of(bench)
    assert watched(bench, source, 20).condition == Condition(True, ALL)
    assert held(bench) == ()


def test_a_focus_that_failed_is_searched_again_and_never_held_as_it_is() -> None:
    bench = Bench(nature=Nature(failing_scans=2))
    source = source_of(bench)
    assert watched(bench, source, 8).condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []


def test_a_focus_that_is_not_found_stays_with_the_camera_until_it_is() -> None:
    bench = Bench(nature=Nature(failing_scans=4))
    source = source_of(bench)
    assert watched(bench, source, 15).condition == Condition(True, ("focus",))
    assert last_of(bench, "AfMode") == AF_CONTINUOUS
    assert last_of(bench, "LensPosition") is None
    bench.hand = True
    watched(bench, source, 2)
    assert last_of(bench, "LensPosition") is None, "it is sharp on the hand"
    bench.hand = False
    assert watched(bench, source, 3).condition == ADJUSTED
    assert last_of(bench, "LensPosition") == pytest.approx(1.5)


@pytest.mark.parametrize("rests", [True, False])
def test_nothing_is_held_while_a_hand_is_over_the_board(rests: bool) -> None:
    bench = Bench()
    bench.hand = True
    source = source_of(bench)
    frame = watched(bench, source, 20, rests)
    assert frame.condition == ADJUSTED, "pictures are not waited for for ever"
    assert held(bench) == ()
    bench.hand = False
    assert watched(bench, source, 5).condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []


def test_another_lamp_makes_it_search_anew_and_a_hand_does_not() -> None:
    bench = Bench()
    source = source_of(bench)
    watched(bench, source, 6)
    bench.hand, bench.light = True, 0.25
    assert not watched(bench, source, 10).condition.ready, "it is far too dark"
    assert held(bench) == ALL, "but a hand may be the reason"
    bench.hand, bench.light = False, 3.0
    bench.white = (1.4, 2.2)
    assert not watched(bench, source, 3).condition.ready
    assert held(bench) == ALL, "the light may come back"
    watched(bench, source, 3)
    assert held(bench) == ("focus",), "the board has not come nearer"
    assert last_of(bench, "ExposureTime") == 0
    assert watched(bench, source, 6).condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []
    assert last_of(bench, "ExposureTime") == pytest.approx(1e4 / 3, rel=0.05)


def test_a_board_that_stays_blurred_is_focused_again_but_not_all_the_time() -> None:
    bench = Bench()
    source = source_of(bench)
    watched(bench, source, 6)
    bench.distance = 2.5
    watched(bench, source, 12)
    assert last_of(bench, "LensPosition") == pytest.approx(2.5)
    assert held(bench) == ALL and bench.held_wrongly == []
    bench.set.clear()
    bench.distance, bench.nature.failing_scans = 8.0, math.inf
    watched(bench, source, 30)
    assert sum("AfTrigger" in controls for controls in bench.set) == 3
    assert held(bench) == () and last_of(bench, "AfMode") == AF_CONTINUOUS


def test_it_searches_anew_when_people_ask_but_waits_until_their_hand_is_gone() -> None:
    bench = Bench()
    source = source_of(bench)
    watched(bench, source, 6)
    bench.hand, bench.distance = True, 0.8
    watched(bench, source, 0.1)
    source.adjust()
    assert watched(bench, source, 3).condition == ADJUSTED and held(bench) == ALL
    bench.hand = False
    assert not watched(bench, source, 0.5).condition.ready
    assert watched(bench, source, 6).condition == ADJUSTED
    assert held(bench) == ALL and bench.held_wrongly == []
    assert last_of(bench, "LensPosition") == pytest.approx(0.8)


def test_a_lens_without_focus_motor_is_asked_for_nothing_it_cannot_do() -> None:
    bench = Bench()
    bench.controls = FIXED_FOCUS
    source = source_of(bench, mains_hz=50)
    assert watched(bench, source, 6).condition == ADJUSTED
    assert held(bench) == ("exposure", "white_balance")


def test_nothing_is_held_if_so_wished_but_nothing_is_read_before_it_is_found_either() -> None:
    bench = Bench()
    source = source_of(bench, lock=False)
    assert not watched(bench, source, 0.5).condition.ready
    assert watched(bench, source, 6).condition == ADJUSTED
    assert held(bench) == () and last_of(bench, "AfMode") == AF_CONTINUOUS


@pytest.mark.parametrize(("mains_hz", "period"), [(50, 10_000), (60, 8_333), (None, None)])
def test_exposures_are_chosen_that_show_no_bands_of_lamps_on_the_mains(
    mains_hz: int | None, period: int | None
) -> None:
    bench = Bench()
    source_of(bench, mains_hz=mains_hz).close()
    assert last_of(bench, "AeFlickerPeriod") == period
    assert last_of(bench, "AeFlickerMode") == (None if period is None else 1)


def test_a_stream_that_nobody_reads_is_switched_off() -> None:
    bench = Bench()
    source = source_of(bench)
    assert bench.open[0].camera_configuration()["raw"] is None
    source.close()


def of_chance(chance: random.Random) -> Nature:
    """A camera as it may be found in somebody's living room."""
    return Nature(
        exposure_s=chance.choice([0.1, 0.5, 1.0, 2.0, 4.0, 9.0, math.inf]),
        white_s=chance.choice([0.0, 0.5, 1.0, 1.3]),
        scan_s=chance.choice([0.2, 0.7, 1.5, 3.0]),
        failing_scans=chance.choice([0, 0, 0, 1, 2, 3, 5, math.inf]),
        has_ae_state=chance.random() < 0.7,
    )


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(n, marks=pytest.mark.thorough) for n in range(6, 50))]
)
def test_whatever_the_start_nothing_is_held_that_was_not_found(seed: int) -> None:
    chance = random.Random(seed)
    bench = Bench(nature=of_chance(chance))
    bench.light, bench.distance = chance.uniform(0.2, 5), chance.uniform(0.5, 4)
    source = source_of(bench)
    for _ in range(5):
        bench.hand = chance.random() < 0.4
        watched(bench, source, chance.uniform(0.3, 4), rests=chance.random() < 0.5)
    bench.hand = False
    frame = watched(bench, source, 30)
    assert frame.condition.ready
    assert bench.held_wrongly == []
    assert set(held(bench)).isdisjoint(frame.condition.missing)
    source.close()


@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(50) if n != 3)]
)
def test_no_start_is_read_wrongly(seed: int) -> None:
    chance = random.Random(1000 + seed)
    shot = scene("middle")
    bench = Bench(nature=of_chance(chance))
    bench.light, bench.distance = chance.uniform(0.2, 5), chance.uniform(0.5, 4)
    size = (1382, 1036)
    bench.view = np.asarray(cv2.resize(shot.image, size, interpolation=cv2.INTER_AREA))
    source, observer = source_of(bench, size), Observer(stonehenge(), "knizia_stonehenge")
    read, end, condition = 0, math.inf, ADJUSTED
    while bench.clock_s < min(end, 15):
        frame = source.read(1.0)
        assert frame is not None
        seen, condition = observer.look(frame), frame.condition
        sighting = seen.sighting
        sharpness = sighting.sharpness if sighting.board == "found" else None
        source.looked(hand=sighting.hand, still=sighting.still, sharpness=sharpness)
        if seen.seen is not None and not sighting.hand and sighting.board == "found":
            assert condition.ready
            end, read = min(end, bench.clock_s + 2), read + 1
            if not condition.missing:
                assert sighting.table == shot.table
    assert bench.held_wrongly == []
    assert read or condition.missing
    source.close()
