"""Settings that contradict each other, and devices that a workshop needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hardware.buttons.buttons import Buttons
from hardware.contradictions import contradictions, lamp_count
from hardware.displays import serial7segment
from hardware.displays.score import NoDisplay, RememberedDisplay
from hardware.fittings import Fittings, uses_of_pins
from hardware.lamps.lamps import Frame, Lamps, Light, NoLamps
from hardware.rig import Rig
from hardware.settings import MOCK_RIG, DisplayOptions, Pin, RigSettings
from hardware.sound.sound import Sound
from hardware.sound.voice import Voice
from hardware.status import Report
from hardware.wiring import Wiring
from tests.support.devices import nobody

CFA = {"kind": "cfa635", "port": "/dev/nowhere"}
PICO = {"kind": "pico", "port": "/dev/nowhere"}
WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"score": {"kind": "cfa635"}}, "score", "no_port"),
    ({"score": {"kind": "pico"}}, "score", "no_port"),
    ({"score": {"kind": "matrix_orbital"}}, "score", "no_port"),
    ({"score": {"kind": "serial7segment"}}, "score", "no_port"),
    ({"lamps": {"kind": "wled", "count": 3}}, "lamps", "no_port"),
    ({"lamps": {"kind": "adalight", "port": "/dev/nowhere"}}, "lamps", "no_such_lamp"),
    ({"lamps": {"kind": "spi"}}, "lamps", "no_such_lamp"),
    ({"lamps": {"kind": "gpio"}}, "lamps", "no_pins"),
    ({"lamps": {"kind": "gpio", "pins": [5, 5]}}, "lamps", "pin_twice"),
    ({"lamps": {"kind": "display"}}, "lamps", "no_display_lamps"),
    ({"lamps": {"kind": "display"}, "score": {**CFA, "rows": 2}}, "lamps", "no_display_lamps"),
    ({"lamps": {"kind": "display"}, "score": PICO}, "lamps", "no_such_lamp"),
    ({"lamps": {"kind": "display", "count": 101}, "score": PICO}, "score", "too_many_lamps"),
    (
        {"lamps": {"kind": "wled", "port": "/dev/nowhere", "count": 3}, "score": CFA},
        "lamps", "same_port",
    ),
    ({"sound": {"kind": "buzzer"}}, "sound", "no_pins"),
    (
        {"sound": {"kind": "buzzer", "pin": 5}, "lamps": {"kind": "gpio", "pins": [5]}},
        "sound", "pin_twice",
    ),
    ({"buttons": {"undo": 5, "redo": 5}}, "buttons", "pin_twice"),
    ({"lamps": {"kind": "spi", "count": 3}, "buttons": {"undo": 10}}, "buttons", "pin_twice"),
    ({"buttons": {"undo": "enter"}}, "buttons", "no_display_keys"),
    ({"buttons": {"undo": "left"}, "score": {**CFA, "rows": 2}}, "buttons", "no_display_keys"),
    ({"buttons": {"undo": "enter"}, "score": PICO}, "buttons", "no_display_keys"),
    ({"buttons": {"undo": "button1"}, "score": {"kind": "lcdd"}}, "buttons", "no_display_keys"),
]  # fmt: skip
RIGHT: list[dict[str, Any]] = [
    {},
    {"lamps": {"kind": "gpio", "pins": [5, [6, 7, 8]]}, "sound": {"kind": "buzzer", "pin": 9}},
    {"lamps": {"kind": "display"}, "score": CFA, "buttons": {"undo": "exit", "redo": 4}},
    {"lamps": {"kind": "display", "count": 9}, "score": PICO, "buttons": {"undo": "button2"}},
    {"buttons": {"undo": "enter"}, "score": {"kind": "lcdd"}},
]


def settings_of(data: dict[str, Any]) -> RigSettings:
    return msgspec.convert({"pin_factory": "mock", **data}, RigSettings)


@pytest.mark.parametrize(("data", "part", "code"), WRONG)
def test_what_cannot_work_is_known_before_anything_is_opened(
    data: dict[str, Any], part: str, code: str
) -> None:
    settings = settings_of(data)
    found = contradictions(settings)
    assert [(name, report.code) for name, report in found][:1] == [(part, code)]
    with Rig(settings) as rig:
        told = {status.name: status.code for status in rig.status()}
    assert told[part] == code
    assert {name for name, _ in found} <= {name for name in told if told[name] == code} | {"lamps"}


@pytest.mark.parametrize("data", RIGHT)
def test_what_can_work_is_not_doubted(data: dict[str, Any]) -> None:
    assert contradictions(settings_of(data)) == []


def test_pins_of_a_display_are_taken_in_the_order_in_which_its_driver_names_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Options(DisplayOptions, frozen=True):
        clk: Pin | None = None
        dio: Pin | None = None

    at_pins = Fittings(serial=False, pins=("dio", "clk"))
    monkeypatch.setattr(serial7segment, "fittings", lambda _rig: at_pins, raising=False)
    monkeypatch.setattr(serial7segment, "Options", Options, raising=False)
    score: dict[str, Any] = {"kind": "serial7segment", "options": {"clk": 5, "dio": 6}}
    settings = settings_of({"score": score, "buttons": {"undo": 6}})
    assert Wiring(settings, nobody, nobody).take_pins("score") == (6, 5)
    ((part, report),) = contradictions(settings)
    assert (part, report.code) == ("buttons", "pin_twice")
    assert report.params["first"] == "rig.score.options.dio"
    ((part, report),) = contradictions(settings_of({"score": {"kind": "serial7segment"}}))
    assert (part, report.code) == ("score", "no_pins")
    assert uses_of_pins(settings_of({}))["score"] == ()


def test_lamps_are_counted_where_the_settings_say_how_many_there_are() -> None:
    assert lamp_count(settings_of({})) is None
    assert lamp_count(settings_of(RIGHT[1])) == 2
    assert lamp_count(settings_of(RIGHT[2])) == 4
    assert lamp_count(settings_of(RIGHT[3])) == 9
    assert lamp_count(MOCK_RIG) is None
    assert contradictions(MOCK_RIG) == []


def wait(done: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def test_a_borrowed_button_tells_the_borrower_and_does_nothing_else() -> None:
    acted: list[str] = []
    heard: list[tuple[str, bool]] = []
    buttons = Buttons(["undo"], hold_s=0.02)
    buttons.when_pressed("undo", lambda: acted.append("pressed"))
    buttons.when_held("undo", lambda: acted.append("held"))
    give_back = buttons.borrow(lambda name, pressed: heard.append((name, pressed)))
    buttons.change("undo", True)
    wait(lambda: heard == [("undo", True)])
    assert buttons.down == {"undo"}
    time.sleep(0.05)
    buttons.change("undo", False)
    wait(lambda: len(heard) == 2)
    assert acted == []
    assert buttons.down == frozenset()
    give_back()
    buttons.change("undo", True)
    wait(lambda: acted[:1] == ["pressed"])
    buttons.close()


def test_a_borrower_that_fails_does_not_end_the_buttons(failures: list[str]) -> None:
    heard: list[str] = []

    def fail(name: str, pressed: bool) -> None:
        heard.append(name)
        raise RuntimeError("a mistake of the borrower")

    buttons = Buttons(["undo"])
    buttons.borrow(fail)
    buttons.change("undo", True)
    buttons.change("undo", False)
    wait(lambda: len(heard) == 2)
    buttons.close()
    assert failures == ["a mistake of the borrower"]


def test_only_the_last_borrower_can_give_back() -> None:
    heard: list[str] = []
    buttons = Buttons(["undo"])
    first = buttons.borrow(lambda name, pressed: heard.append("first"))
    buttons.borrow(lambda name, pressed: heard.append("second"))
    first()
    buttons.change("undo", True)
    wait(lambda: heard == ["second"])
    buttons.close()


def test_brightness_counts_at_once() -> None:
    class Backend(NoLamps):
        count = 1
        frames: list[Frame] = []

        def show(self, frame: Frame) -> None:
            self.frames.append(frame)

    backend = Backend()
    lamps = Lamps(backend, brightness=1.0)
    lamps.show({0: Light((255, 255, 255))})
    wait(lambda: lamps.frame == ((255, 255, 255),))
    lamps.brightness = 0.2
    wait(lambda: lamps.frame == ((51, 51, 51),))
    assert lamps.brightness == 0.2
    with pytest.raises(ValueError, match="from 0 to 1"):
        lamps.brightness = 1.5
    lamps.close()


def test_a_voice_is_tuned_without_being_made_anew(tmp_path: Path) -> None:
    told: list[Report] = []
    spoken = tmp_path / "arguments"
    recorder = tmp_path / "recorder"
    recorder.write_text(f'#!/bin/sh\necho "$@" >> {spoken}\nwhile [ "$1" != -w ]; do shift; done\n'
                        'cat > "$2"\n')  # fmt: skip
    player = tmp_path / "player"
    player.write_text("#!/bin/sh\n")
    for program in (recorder, player):
        program.chmod(0o755)
    voice = Voice(told.append, folder=tmp_path / "kept", recorder=str(recorder),
                  player=str(player))  # fmt: skip
    sound = Sound(voice)
    assert sound.speaks
    assert not sound.buzzes
    sound.tune("en", 0.5)
    sound.say("hello")
    wait(lambda: spoken.exists() and "-v en-gb -a 100 " in spoken.read_text())
    sound.close()


def test_the_rig_remembers_what_its_display_shows() -> None:
    with Rig(MOCK_RIG) as rig:
        rig.score.show(["Anna\t12"])
        assert rig.score.lines == ("Anna\t12",)
        wait(lambda: rig.twins["score"].rows()[0].startswith("Anna"))
        rig.score.clear()
        assert not rig.score.lines
    display = RememberedDisplay(NoDisplay())
    assert (display.columns, display.rows) == (0, 0)
