"""Lamps: judged by what the strip at the other end of the wire, or the pin, shows."""

from __future__ import annotations

import time
from itertools import cycle, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hardware.lamps.adalight import AdalightStrip, adalight_frame
from hardware.lamps.lamps import (
    DARK_MA,
    LEAST_PART,
    PART_MA,
    Drawing,
    Frame,
    Lamps,
    Light,
    NoLamps,
    within_supply,
)
from hardware.lamps.leds import GpioLamps
from hardware.rhythm import Rhythm, level, until_change
from hardware.simulated.gpio import GpioTwin
from hardware.simulated.strip import AdalightTwin
from hardware.status import PinError
from tests.hardware.conftest import Heard
from tests.support.waiting import until

RED = Light((255, 0, 0))
BLUE_QUESTION = Light((0, 114, 178), Rhythm.SLOW_PULSE)
VERMILION_NO = Light((213, 94, 0), Rhythm.DOUBLE_BLINK)


@pytest.mark.parametrize(
    ("count", "header"),
    [
        (1, "41 64 61 00 00 55"),
        (2, "41 64 61 00 01 54"),
        (9, "41 64 61 00 08 5D"),
        (12, "41 64 61 00 0B 5E"),
        (257, "41 64 61 01 00 54"),
    ],
)
def test_adalight_headers_are_those_of_the_published_table(count: int, header: str) -> None:
    frame = adalight_frame(((1, 2, 3),) * count)
    assert frame[:6] == bytes.fromhex(header)
    assert frame[6:] == b"\1\2\3" * count


@pytest.mark.parametrize("count", [0, 65537])
def test_a_strip_the_format_cannot_say_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="65536"):
        adalight_frame(((0, 0, 0),) * count)


def test_a_steady_light_is_capped_and_gamma_corrected() -> None:
    drawing = Drawing(2, brightness=0.5, gamma=2.2)
    drawing.set({0: Light((255, 128, 0))}, now=0.0)
    assert drawing.frame(99.0) == ((128, 28, 0), (0, 0, 0))


def test_a_question_pulses_slowly_and_never_goes_quite_dark() -> None:
    assert level(Rhythm.SLOW_PULSE, 0.0) == 1.0
    assert level(Rhythm.SLOW_PULSE, 1.0) == pytest.approx(0.15)
    assert level(Rhythm.SLOW_PULSE, 2.0) == 1.0


def test_not_allowed_blinks_twice_and_pauses() -> None:
    shape = "".join("#" if level(Rhythm.DOUBLE_BLINK, step / 25) else "." for step in range(2 * 31))
    assert shape.startswith("####.....####.................")
    assert shape.count(".#") == 3


@pytest.mark.parametrize("rhythm", list(Rhythm))
def test_no_rhythm_flashes_three_times_a_second(rhythm: Rhythm) -> None:
    steps = [level(rhythm, step / 1000) > 0.5 for step in range(10000)]
    flashes = [step for step in range(1, 10000) if steps[step] and not steps[step - 1]]
    for first, second in pairwise(flashes):
        assert second - first > 1000 / 3


@given(seconds=st.floats(0, 1e5))
def test_the_blink_does_not_change_before_it_says_so(seconds: float) -> None:
    wait = until_change(Rhythm.DOUBLE_BLINK, seconds)
    assert 0 < wait <= 0.75
    assume(wait > 1e-6)  # at an edge, half the wait is lost in rounding
    before = level(Rhythm.DOUBLE_BLINK, seconds)
    assert level(Rhythm.DOUBLE_BLINK, seconds + wait * 0.5) == before


def test_showing_the_same_light_again_does_not_restart_its_beat() -> None:
    drawing = Drawing(1, brightness=1)
    drawing.set({0: VERMILION_NO}, now=10.0)
    drawing.set({0: VERMILION_NO}, now=10.2)
    assert drawing.frame(10.3) == ((0, 0, 0),)
    drawing.set({}, now=10.3)
    drawing.set({0: VERMILION_NO}, now=10.3)
    assert drawing.frame(10.3) != ((0, 0, 0),)


@pytest.mark.parametrize("later", [10.05, 10.2, 10.6, 11.1])
def test_a_lamp_that_joins_a_rhythm_joins_its_beat(later: float) -> None:
    drawing = Drawing(3, brightness=1)
    drawing.set({1: VERMILION_NO}, now=10.0)
    drawing.set(dict.fromkeys(range(3), VERMILION_NO), now=later)
    for step in range(100):
        frame = drawing.frame(later + step / 40)
        assert len(set(frame)) == 1
    drawing.set({0: Light((0, 0, 255), Rhythm.SLOW_PULSE)}, now=20.0)
    drawing.set({2: VERMILION_NO}, now=30.0)
    assert drawing.frame(30.0)[2] != (0, 0, 0), "a beat nobody shows any more begins anew"


class Recorder:
    is_strip = True

    def __init__(self, count: int) -> None:
        self.count = count
        self.frames: list[Frame] = []

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.frames.append(())


def test_nothing_is_drawn_while_nothing_moves() -> None:
    recorder = Recorder(2)
    lamps = Lamps(recorder, brightness=1)
    lamps.show({0: RED})
    assert until(lambda: recorder.frames[-1:] == [((255, 0, 0), (0, 0, 0))])
    count = len(recorder.frames)
    time.sleep(0.2)
    lamps.show({0: RED})
    time.sleep(0.05)
    assert len(recorder.frames) == count
    lamps.close()
    assert recorder.frames[-2:] == [((0, 0, 0), (0, 0, 0)), ()]


def test_the_clock_can_be_set_by_hand() -> None:
    now = [100.0]
    recorder = Recorder(1)
    lamps = Lamps(recorder, brightness=1, clock=lambda: now[0])
    lamps.show({0: Light((255, 255, 255), Rhythm.DOUBLE_BLINK)})
    assert until(lambda: recorder.frames[-1:] == [((255, 255, 255),)])
    now[0] = 100.2
    assert until(lambda: recorder.frames[-1:] == [((0, 0, 0),)])
    lamps.close()


def test_lamps_not_named_go_back_to_rest() -> None:
    recorder = Recorder(2)
    glow = Light((255, 255, 255))
    lamps = Lamps(recorder, brightness=1, rest=glow)
    lamps.show({0: RED})
    assert until(lambda: recorder.frames[-1:] == [((255, 0, 0), (255, 255, 255))])
    lamps.idle()
    assert until(lambda: recorder.frames[-1:] == [((255, 255, 255),) * 2])
    assert lamps.frame == ((255, 255, 255),) * 2
    lamps.close()


def test_a_lamp_that_does_not_exist_is_left_out_and_reported_once(heard: Heard) -> None:
    lamps = Lamps(Recorder(2), listener=heard)
    lamps.show({1: RED, 7: RED})
    lamps.show({-1: RED})
    lamps.close()
    assert heard.codes == ["no_such_lamp"]
    assert heard.reports[0].params == {"index": "7", "count": "2"}


def test_a_table_without_lamps_takes_every_light() -> None:
    lamps = Lamps(NoLamps())
    lamps.show({3: RED})
    lamps.idle()
    lamps.close()


def test_a_colour_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        Light((256, 0, 0))


def test_the_strip_shows_the_lights_and_is_dark_after_closing(heard: Heard) -> None:
    with AdalightTwin(3) as twin:
        lamps = Lamps(AdalightStrip(twin.url, heard, count=3), brightness=1)
        lamps.show({1: RED, 2: Light((0, 0, 255))})
        assert twin.wait_for(lambda: twin.pixels == [(0, 0, 0), (255, 0, 0), (0, 0, 255)])
        assert twin.rows() == [".RB"]
        lamps.close()
        assert twin.wait_for(lambda: twin.pixels == [(0, 0, 0)] * 3)
        assert twin.errors == []


def test_the_strip_gets_at_most_20_frames_a_second(heard: Heard) -> None:
    with AdalightTwin(2) as twin:
        lamps = Lamps(AdalightStrip(twin.url, heard, count=2), brightness=1)
        assert heard.wait_for("connected")
        started = time.monotonic()
        colours = cycle(range(256))

        def shown() -> bool:
            lamps.show({0: Light((next(colours), 0, 0))})
            return twin.frames >= 8

        assert until(shown)
        lamps.show({1: RED})
        assert twin.wait_for(lambda: twin.pixels[1] == (255, 0, 0))
        elapsed = time.monotonic() - started
        assert twin.frames <= elapsed / 0.05 + 2
        lamps.close()
        assert twin.errors == []


def test_a_steady_picture_is_kept_alive_once_a_second(heard: Heard) -> None:
    with AdalightTwin(1) as twin:
        strip = AdalightStrip(twin.url, heard, count=1)
        lamps = Lamps(strip, brightness=1)
        lamps.show({0: RED})
        assert twin.wait_for(lambda: twin.pixels == [(255, 0, 0)])
        frames = twin.frames
        assert twin.wait_for(lambda: twin.frames > frames)
        late, before = twin.frame_times[-1], twin.frame_times[-2]
        assert late - before > 0.5, "not more often than it must be"
        assert strip._link._keepalive_s == 1.0
        lamps.close()


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 11, 12])
def test_a_strip_unplugged_at_any_byte_is_lit_again(count: int, heard: Heard) -> None:
    with AdalightTwin(2) as twin:
        twin.unplug_after(count)
        lamps = Lamps(AdalightStrip(twin.url, heard, count=2, first_wait_s=0.02), brightness=1)
        lamps.show({0: RED})
        assert twin.wait_for(lambda: not twin.plugged)
        twin.replug()
        assert twin.wait_for(lambda: twin.pixels == [(255, 0, 0), (0, 0, 0)])
        lamps.close()
        assert twin.errors == []


def test_leds_at_gpio_pins_shine_as_bright_as_asked() -> None:
    with GpioTwin([17, [22, 23, 24]]) as twin:
        lamps = Lamps(GpioLamps(twin.lamps, twin.factory), brightness=1)
        lamps.show({0: RED, 1: Light((255, 0, 128))})
        assert until(lambda: twin.level(22) == 1.0)
        assert twin.level(17) == 1.0
        assert twin.level(23) == 0.0
        assert twin.level(24) == pytest.approx(0.192, abs=0.003)
        assert twin.pixels[1][0] == 255
        assert twin.rows() == ["**"]
        lamps.idle()
        assert until(lambda: twin.rows() == [".."])
        lamps.close()


def test_leds_that_shine_when_low_are_driven_the_other_way_round() -> None:
    with GpioTwin([17]) as twin:
        lamps = Lamps(GpioLamps([17], twin.factory, active_low=True), brightness=1)
        assert until(lambda: twin.level(17) == 1.0)
        lamps.show({0: RED})
        assert until(lambda: twin.level(17) == 0.0)
        lamps.close()


@pytest.mark.parametrize("pins", [[17, 17], [99], [[17, 18]]])
def test_pins_that_cannot_be_used_are_named(pins: list[int | list[int]]) -> None:
    with GpioTwin() as twin:
        with pytest.raises(PinError, match=r"17|99"):
            GpioLamps(pins, twin.factory)
        GpioLamps([17], twin.factory).close()


def test_the_brightness_can_be_set_while_lamps_glow() -> None:
    recorder = Recorder(1)
    lamps = Lamps(recorder, brightness=1, gamma=1)
    lamps.show({0: RED})
    assert until(lambda: recorder.frames[-1:] == [((255, 0, 0),)])
    lamps.brightness = 0.2
    assert until(lambda: recorder.frames[-1:] == [((51, 0, 0),)])
    assert lamps.brightness == 0.2
    for wrong in (-0.1, 1.1):
        with pytest.raises(ValueError, match="0 to 1"):
            lamps.brightness = wrong
    lamps.close()


def test_a_strip_never_draws_more_than_its_supply_gives() -> None:
    white = Light((255, 255, 255))
    recorder = Recorder(100)
    lamps = Lamps(recorder, brightness=1, supply_ma=500)
    lamps.show(dict.fromkeys(range(100), white))
    assert until(lambda: bool(recorder.frames) and any(recorder.frames[-1][0]))
    frame = recorder.frames[-1]
    assert 400 < milliamps(frame) <= 500
    assert len(set(frame)) == 1, "all of them are dimmed alike"
    lamps.show({3: white})
    assert until(lambda: recorder.frames[-1][3] == (255, 255, 255))
    lamps.close()


def milliamps(frame: Frame) -> float:
    """Current in mA of a strip that shows `frame`."""
    return len(frame) * DARK_MA + sum(map(sum, frame)) / 255 * PART_MA


@given(
    frame=st.lists(st.tuples(*[st.integers(0, 255)] * 3), max_size=300).map(tuple),
    supply=st.integers(0, 5000),
)
def test_no_frame_draws_more_than_the_supply(frame: Frame, supply: int) -> None:
    shown = within_supply(frame, supply)
    assert len(shown) == len(frame)
    room = max(supply, len(frame) * DARK_MA + supply * LEAST_PART)
    assert shown == frame if not supply else milliamps(shown) <= room + 1e-6


@pytest.mark.parametrize("order", ["grb", "rgb", "brg", "bgr", "gbr", "rbg"])
def test_a_strip_of_another_order_shows_the_same_colours(order: str) -> None:
    recorder = Recorder(1)
    lamps = Lamps(recorder, brightness=1, gamma=1, order=order)
    lamps.show({0: Light((255, 128, 3))})
    assert until(lambda: bool(recorder.frames) and any(recorder.frames[-1][0]))
    red, green, blue = recorder.frames[-1][0]
    wire = (green, red, blue)  # as a controller for a WS2812B sends them
    assert {colour: wire[place] for place, colour in enumerate(order)} == {
        "r": 255, "g": 128, "b": 3,
    }  # fmt: skip
    assert lamps.frame == ((255, 128, 3),), "what is drawn on the screen is what people see"
    lamps.close()


def test_a_lamp_that_others_stand_for_is_no_trouble_any_more(heard: Heard) -> None:
    lamps = Lamps(Recorder(2), listener=heard)
    lamps.places_changed()
    lamps.show({7: RED})
    lamps.places_changed()
    lamps.show({1: RED})
    lamps.show({8: RED})
    lamps.close()
    assert heard.codes == ["no_such_lamp", "ready", "no_such_lamp"]


def test_a_frame_is_sent_only_when_the_wire_is_free(heard: Heard) -> None:
    # 300 lamps are 906 bytes, which 115200 baud carry in 79 ms: at 20 a second they would queue.
    gaps: list[float] = []
    for baud, count in ((115200, 300), (115200, 30), (1000000, 300)):
        strip = AdalightStrip("/dev/heelstone-no-strip", heard, baud=baud, count=count)
        gaps.append(strip._link._min_gap_s)
        strip.close()
    assert gaps == [pytest.approx(0.0786, abs=1e-3), 0.05, 0.05]
