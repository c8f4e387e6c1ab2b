"""The rig: what is missing is reported and left out, the rest works."""

from __future__ import annotations

import re
import threading
import time
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from hardware.displays.cfa635 import KEYS
from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.displays.lcdd import KEYS as LCDD_KEYS
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.displays.pico import BUTTONS
from hardware.displays.pico.simulated import PicoTwin
from hardware.displays.serial7segment.simulated import Serial7SegmentTwin
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.settings import DISPLAYS, LAMPS, MOCK_RIG, LampSettings, RigSettings, ScoreSettings
from hardware.simulated.gpio import GpioTwin
from hardware.simulated.sound import SoundTwin
from hardware.simulated.strip import AdalightTwin
from hardware.status import DeviceStatus
from tests.support.rig import rig_of, rig_settings
from tests.support.waiting import PATIENCE_S, until


def codes(rig: Rig) -> dict[str, str]:
    return {status.name: status.code for status in rig.status()}


def test_an_empty_table_takes_every_call_and_starts_no_thread() -> None:
    before = threading.active_count()
    with rig_of({}) as rig:
        rig.lamps.show({0: Light((255, 0, 0))})
        rig.lamps.idle()
        rig.score.show(["Anna\t3"])
        rig.sound.say("hello")
        rig.sound.buzz(Rhythm.STEADY)
        rig.buttons.when_pressed("commit", lambda: None)
        assert threading.active_count() == before
        assert set(codes(rig).values()) == {"off"}
        assert all(status.ok for status in rig.status())


def test_the_mock_rig_shows_says_and_feels_everything() -> None:
    pressed = threading.Event()
    with Rig(MOCK_RIG) as rig:
        score, lamps, sound = rig.twins["score"], rig.twins["lamps"], rig.twins["sound"]
        assert isinstance(score, Cfa635Twin)
        assert isinstance(lamps, AdalightTwin)
        assert isinstance(sound, SoundTwin)
        rig.buttons.when_pressed("commit", pressed.set)
        rig.score.show(["Anna\t12"])
        rig.lamps.show({5: Light((255, 0, 0))})
        rig.sound.say("Anna ist am Zug")
        rig.sound.buzz(Rhythm.DOUBLE_BLINK)
        assert score.wait_for(lambda: score.rows()[0] == "Anna              12")
        assert lamps.wait_for(lambda: lamps.pixels[5][0] > 50)
        score.press("enter")
        assert pressed.wait(PATIENCE_S)
        assert sound.rows() == ["Anna ist am Zug"]
        assert sound.buzzed == [Rhythm.DOUBLE_BLINK]
        assert codes(rig)["score"] == codes(rig)["lamps"] == "connected"
        assert score.errors == lamps.errors == []


def test_real_kinds_reach_the_devices_at_their_ports() -> None:
    with MatrixOrbitalTwin(16, 2, adafruit=True) as display, AdalightTwin(8) as strip:
        settings = {
            "lamps": {"kind": "adalight", "port": strip.url, "count": 8, "brightness": 1},
            "score": {
                "kind": "matrix_orbital",
                "port": display.url,
                "columns": 16,
                "rows": 2,
                "options": {"color": [255, 0, 0]},
            },
        }
        with rig_of(settings) as rig:
            rig.score.show(["Anna\t12"])
            rig.lamps.show({7: Light((0, 255, 0))})
            assert display.wait_for(lambda: display.rows()[0] == "Anna          12")
            assert strip.wait_for(lambda: strip.rows() == [".......G"])
            assert display.color == (255, 0, 0)
            assert display.errors == strip.errors == []


def test_gpio_lamps_buttons_and_buzzer_share_the_pins() -> None:
    held = threading.Event()
    settings = {
        "lamps": {"kind": "gpio", "pins": [17, [22, 23, 24]], "brightness": 1},
        "sound": {"kind": "buzzer", "pin": 18},
        "buttons": {"commit": 5},
        "hold_s": 0.05,
        "pin_factory": "mock",
    }
    with rig_of(settings) as rig:
        twin = rig.twins["gpio"]
        assert isinstance(twin, GpioTwin)
        rig.buttons.when_held("commit", held.set)
        rig.lamps.show({1: Light((0, 0, 255))})
        rig.sound.buzz(Rhythm.STEADY)
        assert until(lambda: twin.pixels == [(0, 0, 0), (0, 0, 255)])
        assert until(lambda: 1 in [seen.state for seen in twin.factory.pin(18).states])
        twin.press(5)
        assert held.wait(PATIENCE_S)
        assert set(codes(rig).values()) == {"off", "ready"}


def test_the_leds_of_the_display_can_be_the_lamps() -> None:
    settings = {
        "lamps": {"kind": "display", "brightness": 1},
        "score": {"kind": "mock"},
    }
    with rig_of(settings) as rig:
        twin = rig.twins["score"]
        assert isinstance(twin, Cfa635Twin)
        rig.lamps.show({0: Light((255, 0, 0)), 3: Light((0, 255, 0))})
        assert twin.wait_for(lambda: twin.leds == [(0, 100), (0, 0), (0, 0), (100, 0)])


def test_a_pico_is_display_lamps_and_buttons_of_the_rig() -> None:
    pressed = threading.Event()
    with PicoTwin("lcd", 16, 2) as twin:
        settings = {
            "score": {"kind": "pico", "port": twin.url, "columns": 16, "rows": 2},
            "lamps": {"kind": "display", "count": 5, "brightness": 1},
            "buttons": {"commit": "button1"},
        }
        with rig_of(settings) as rig:
            rig.buttons.when_pressed("commit", pressed.set)
            rig.score.show(["Anna\t12"])
            rig.lamps.show({4: Light((255, 0, 0))})
            assert twin.wait_for(lambda: twin.rows()[0] == "Anna          12")
            assert twin.wait_for(lambda: twin.pixels == [(0, 0, 0)] * 4 + [(255, 0, 0)])
            twin.press("button1")
            assert pressed.wait(PATIENCE_S)
            assert (rig.score.columns, rig.score.rows) == (16, 2)
        assert twin.errors == []


@pytest.mark.parametrize(
    ("count", "part", "code"), [(101, "score", "too_many_lamps"), (0, "lamps", "no_such_lamp")]
)
def test_a_strip_that_no_pico_can_light_is_named(count: int, part: str, code: str) -> None:
    score = {"kind": "pico", "port": "/dev/no-pico"}
    with rig_of({"score": score, "lamps": {"kind": "display", "count": count}}) as rig:
        assert codes(rig)[part] == code


def test_two_parts_at_one_port_are_told_and_the_first_of_them_works(tmp_path: Path) -> None:
    with MatrixOrbitalTwin(16, 2) as twin:
        other = tmp_path / "by-path"
        other.symlink_to(twin.url)
        settings = {
            "score": {"kind": "matrix_orbital", "port": twin.url, "columns": 16, "rows": 2},
            "lamps": {"kind": "adalight", "port": str(other), "count": 3},
        }
        with rig_of(settings) as rig:
            rig.score.show(["Anna\t12"])
            assert twin.wait_for(lambda: twin.rows()[0] == "Anna          12")
            found = {status.name: status for status in rig.status()}
            assert found["lamps"].code == "same_port"
            assert "lamps" in found["lamps"].message and "score" in found["lamps"].message
        assert twin.errors == []


def test_four_digits_are_a_display_of_the_rig() -> None:
    with Serial7SegmentTwin() as twin:
        with rig_of({"score": {"kind": "serial7segment", "port": twin.url}}) as rig:
            assert (rig.score.columns, rig.score.rows) == (4, 1)
            rig.score.show(["07:05"])
            assert twin.wait_for(lambda: twin.rows() == ["07:05"])
        assert twin.errors == []


def test_missing_devices_are_reported_and_the_rest_works(tmp_path: Path) -> None:
    seen: list[DeviceStatus] = []
    settings = {
        "lamps": {"kind": "adalight", "port": str(tmp_path / "no-strip"), "count": 3},
        "score": {"kind": "mock"},
        "sound": {"kind": "buzzer", "pin": 18},
        "buttons": {"commit": 17, "undo": "exit"},
        "pin_factory": "lgpio",
    }
    with rig_of(settings, seen.append) as rig:
        twin = rig.twins["score"]
        assert isinstance(twin, Cfa635Twin)
        rig.score.show(["works"])
        rig.sound.buzz(Rhythm.STEADY)
        rig.lamps.show({0: Light((1, 2, 3))})
        assert twin.wait_for(lambda: "works" in twin.rows()[0])
        assert until(lambda: codes(rig)["lamps"] == "missing")
        assert codes(rig)["score"] == "connected"
        # No lgpio on a computer that is no Raspberry Pi; never a silent step to another factory.
        assert codes(rig)["sound"] == codes(rig)["buttons"] == "pins_missing"
        by_name = {status.name: status for status in rig.status()}
        assert not by_name["lamps"].ok
        assert str(tmp_path) in by_name["lamps"].message
        assert "python3-lgpio" in by_name["buttons"].message
    assert {status.code for status in seen} >= {"missing", "connected", "pins_missing"}


@pytest.mark.parametrize(
    ("settings", "part", "code"),
    [
        ({"lamps": {"kind": "adalight", "count": 3}}, "lamps", "no_port"),
        ({"lamps": {"kind": "adalight", "port": "/dev/x"}}, "lamps", "no_such_lamp"),
        ({"lamps": {"kind": "gpio"}, "pin_factory": "mock"}, "lamps", "no_pins"),
        ({"lamps": {"kind": "gpio", "pins": [4, 4]}, "pin_factory": "mock"}, "lamps", "pin_twice"),
        ({"lamps": {"kind": "display"}}, "lamps", "no_display_lamps"),
        ({"score": {"kind": "cfa635"}}, "score", "no_port"),
        ({"score": {"kind": "pico"}}, "score", "no_port"),
        ({"lamps": {"kind": "wled", "count": 3}}, "lamps", "no_port"),
        ({"lamps": {"kind": "spi"}}, "lamps", "no_such_lamp"),
        ({"sound": {"kind": "buzzer"}}, "sound", "no_pins"),
        ({"buttons": {"undo": "enter"}}, "buttons", "no_display_keys"),
    ],
)
def test_settings_that_cannot_work_are_reported_for_their_part_only(
    settings: dict[str, Any], part: str, code: str
) -> None:
    with rig_of(settings) as rig:
        found = codes(rig)
        assert found.pop(part) == code
        assert set(found.values()) <= {"off"}


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"lamps": {"kind": "laser"}}, r"lamps\.kind"),
        ({"lamps": {"brightness": 1.5}}, r"lamps\.brightness"),
        ({"lamps": {"pins": [[1, 2]]}}, r"lamps\.pins"),
        ({"score": {"kolumns": 20}}, "kolumns"),
        ({"buttons": {"undo": "space"}}, "buttons"),
        ({"sound": {"language": "french"}}, r"sound\.language"),
    ],
)
def test_wrong_settings_are_refused_and_the_place_is_named(
    settings: dict[str, Any], place: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=place):
        rig_settings(settings)


def test_settings_survive_a_trip_through_plain_values() -> None:
    plain = msgspec.to_builtins(MOCK_RIG)
    assert rig_settings({key: value for key, value in plain.items() if value is not None})
    assert msgspec.convert(plain, RigSettings) == MOCK_RIG


def test_every_kind_names_a_module_that_can_make_it() -> None:
    for module in (*DISPLAYS.values(), *LAMPS.values()):
        assert callable(import_module(module).connect), module


def test_the_settings_know_every_key_of_the_display() -> None:
    hints = msgspec.inspect.type_info(RigSettings)
    assert isinstance(hints, msgspec.inspect.StructType)
    field = next(field for field in hints.fields if field.name == "buttons")
    assert isinstance(field.type, msgspec.inspect.DictType)
    assert isinstance(field.type.value_type, msgspec.inspect.UnionType)
    literals = [one for one in field.type.value_type.types if hasattr(one, "values")]
    assert sorted(literals[0].values) == sorted({*KEYS, *BUTTONS, *LCDD_KEYS.values()})
    assert get_args(RigSettings.__annotations__["pin_factory"]) in ((), ("lgpio", "mock"))


def test_no_device_delays_another_or_the_caller() -> None:
    settings = {"lamps": {"kind": "mock", "count": 300}, "score": {"kind": "mock"}}
    with rig_of(settings) as rig:
        score, lamps = rig.twins["score"], rig.twins["lamps"]
        assert isinstance(score, Cfa635Twin)
        assert isinstance(lamps, AdalightTwin)
        assert until(lambda: codes(rig)["score"] == codes(rig)["lamps"] == "connected")
        lamps.stall()
        for number in range(200):
            rig.lamps.show({number: Light((number, 255, 0))})
            rig.score.show([f"Anna\t{number}"])
        assert score.wait_for(lambda: score.rows()[0].endswith("199"))
        # A caller that waits for the strip would have waited until it was given up.
        assert codes(rig)["lamps"] == "connected"
        lamps.resume()
        assert lamps.wait_for(lambda: any(lamps.pixels[199]))


def test_a_rig_at_rest_uses_next_to_no_processor_time() -> None:
    with Rig(MOCK_RIG) as rig:
        assert until(lambda: codes(rig)["score"] == codes(rig)["lamps"] == "connected")
        time.sleep(0.2)
        began, before = time.monotonic(), time.process_time()
        time.sleep(1.0)
        assert time.process_time() - before < 0.03 * (time.monotonic() - began)


def test_a_listener_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def listener(status: DeviceStatus) -> None:
        raise RuntimeError("deaf")

    with Rig(MOCK_RIG, listener) as rig:
        assert until(lambda: codes(rig)["score"] == "connected")
    assert "listener failed" in caplog.text


def test_pulling_and_plugging_shows_in_the_status_and_heals_by_itself(hasty: None) -> None:
    with rig_of({"score": {"kind": "mock"}}) as rig:
        twin = rig.twins["score"]
        assert isinstance(twin, Cfa635Twin)
        rig.score.show(["Anna\t12"])
        assert twin.wait_for(lambda: "Anna" in twin.rows()[0])
        twin.unplug()
        assert until(lambda: codes(rig)["score"] in ("missing", "unplugged"))
        twin.replug()
        assert twin.wait_for(lambda: "Anna" in twin.rows()[0])
        assert until(lambda: codes(rig)["score"] == "connected")


def test_the_settings_on_the_page_of_devices_are_settings_of_a_rig() -> None:
    page = (Path(__file__).parents[2] / "docs" / "devices.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        assert rig_settings(tomllib.loads(block)["rig"]) != RigSettings()
    for kind in get_args(msgspec.structs.fields(ScoreSettings)[0].type):
        assert kind == "none" or f"`{kind}`" in page
    for kind in get_args(msgspec.structs.fields(LampSettings)[0].type):
        assert kind in ("none", "mock") or f"`{kind}`" in page


def test_a_rig_is_alive_until_one_of_its_threads_ends() -> None:
    with Rig(MOCK_RIG) as rig:
        assert rig.alive()
        rig.lamps.close()
        assert not rig.alive()
