"""Contradictions found in settings alone are those that the rig reports when built from them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from hardware.contradictions import contradictions, lamp_count
from hardware.rig import Rig
from hardware.settings import MOCK_RIG, RigSettings

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


def test_lamps_are_counted_where_the_settings_say_how_many_there_are() -> None:
    assert lamp_count(settings_of({})) is None
    assert lamp_count(settings_of(RIGHT[1])) == 2
    assert lamp_count(settings_of(RIGHT[2])) == 4
    assert lamp_count(settings_of(RIGHT[3])) == 9
    assert lamp_count(MOCK_RIG) is None
    assert contradictions(MOCK_RIG) == []
