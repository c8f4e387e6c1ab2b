"""Pins of the table: where lgpio puts its pipe, and one pin that two things want."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockPWMPin

from hardware.lamps.lamps import Light
from hardware.pins.factory import open_factory
from hardware.rig import Rig
from hardware.simulated.gpio import GpioTwin
from hardware.status import DeviceStatus, PinError
from tests.support.rig import rig_of
from tests.support.waiting import until


def status(rig: Rig, part: str) -> DeviceStatus:
    (found,) = (status for status in rig.status() if status.name == part)
    return found


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that puts a pipe into the folder it is imported from, as lgpio 0.2.2 does."""
    place = tmp_path / "package"
    place.mkdir()
    (place / "lgpio.py").write_text(
        "import pathlib\n"
        "made = pathlib.Path.cwd() / '.lgd-nfy0'\n"
        "made.touch()\n"
        "def gpiochip_open(chip): raise OSError('can not open gpiochip')\n"
        "def __getattr__(name):\n"
        "    if name.isupper(): return 0\n"
        "    raise AttributeError(name)\n"
    )
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    yield place
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(name, None)


def test_lgpio_is_loaded_from_any_folder_and_leaves_nothing_there(
    lgpio: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "somebody's documents"
    here.mkdir()
    monkeypatch.chdir(here)
    with pytest.raises(PinError, match="group 'gpio'"):
        open_factory("lgpio")
    assert list(here.iterdir()) == []
    assert Path.cwd() == here
    made = sys.modules["lgpio"].made
    assert made.name == ".lgd-nfy0"
    assert "heelstone-pins-" in str(made.parent)


def test_without_lgpio_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with rig_of({"lamps": {"kind": "gpio", "pins": [17]}, "buttons": {"undo": 5}}) as rig:
        for part in ("lamps", "buttons"):
            assert status(rig, part).code == "pins_missing"
            assert "sudo apt install python3-lgpio" in status(rig, part).message
            assert "'mock'" in status(rig, part).message


def test_an_empty_package_is_not_taken_for_lgpio(lgpio: Path) -> None:
    (lgpio / "lgpio.py").write_text("")
    with pytest.raises(PinError, match="empty package"):
        open_factory("lgpio")


TWICE: list[tuple[dict[str, Any], str, str]] = [
    (
        {"lamps": {"kind": "gpio", "pins": [5, 17]}, "buttons": {"undo": 17}},
        "buttons",
        "GPIO 17 is used twice: for rig.lamps.pins and for rig.buttons.undo",
    ),
    (
        {"lamps": {"kind": "gpio", "pins": [17, [22, 17, 24]]}},
        "lamps",
        "GPIO 17 is used twice: for rig.lamps.pins and for rig.lamps.pins",
    ),
    (
        {"buttons": {"undo": 6, "commit": 6}},
        "buttons",
        "GPIO 6 is used twice: for rig.buttons.undo and for rig.buttons.commit",
    ),
    (
        {"sound": {"kind": "buzzer", "pin": 6}, "buttons": {"commit": 6}},
        "buttons",
        "GPIO 6 is used twice: for rig.sound.pin and for rig.buttons.commit",
    ),
    (
        {"lamps": {"kind": "spi", "count": 3}, "buttons": {"commit": 10}},
        "buttons",
        "GPIO 10 is used twice: for rig.lamps (MOSI) and for rig.buttons.commit",
    ),
]


@pytest.mark.parametrize(("settings", "part", "sentence"), TWICE)
def test_a_pin_that_two_things_want_is_named_with_both(
    settings: dict[str, Any], part: str, sentence: str
) -> None:
    with rig_of({**settings, "pin_factory": "mock"}) as rig:
        assert status(rig, part).code == "pin_twice"
        assert status(rig, part).message.startswith(sentence)
        others = {s.code for s in rig.status() if s.name != part}
        assert others <= {"ready", "off", "spi_missing", "simulated"}


def test_a_voice_speaks_though_its_buzzer_has_no_pin(tmp_path: Path) -> None:
    settings = {
        "lamps": {"kind": "gpio", "pins": [17]},
        "sound": {"kind": "voice", "pin": 17, "folder": str(tmp_path)},
        "pin_factory": "mock",
    }
    with rig_of(settings) as rig:
        assert status(rig, "sound").code == "pin_twice"
        assert rig.sound.speaks
        assert not rig.sound.buzzes


def test_a_pin_that_fails_later_is_reported_and_the_lamps_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {"lamps": {"kind": "gpio", "pins": [17], "brightness": 1}, "pin_factory": "mock"}
    with rig_of(settings) as rig:
        twin = rig.twins["gpio"]
        assert isinstance(twin, GpioTwin)
        broken = [True]
        set_state = MockPWMPin._set_state

        class error(Exception):  # noqa: N801
            """As `lgpio.error`."""

        error.__module__ = "lgpio"

        def fails(pin: Any, value: float) -> None:
            if broken[0] and value:
                raise error("GPIO busy")
            set_state(pin, value)

        monkeypatch.setattr(MockPWMPin, "_set_state", fails)
        rig.lamps.show({0: Light((255, 255, 255))})
        assert until(lambda: status(rig, "lamps").code == "pins_failed")
        assert "GPIO busy" in status(rig, "lamps").message
        assert rig.alive(), "or the watchdog would end the match once a minute"
        broken[0] = False
        rig.lamps.show({0: Light((254, 254, 254))})
        assert until(lambda: status(rig, "lamps").code == "ready")
        assert twin.level(17) > 0.9
