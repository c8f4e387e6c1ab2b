"""Buttons: one action for one press, whatever the source."""

from __future__ import annotations

import io
import logging
import threading
import time

import pytest

from hardware.buttons import Buttons
from hardware.gpio import GpioButtons
from hardware.status import PinError
from hardware.twin.gpio import GpioTwin
from tests.hardware.conftest import eventually


def test_a_pressed_pin_calls_the_action_of_its_name() -> None:
    seen: list[str] = []
    with GpioTwin() as twin:
        buttons = Buttons(["commit", "undo"])
        pins = GpioButtons({"commit": 5, "undo": 6}, twin.factory, buttons.change)
        buttons.when_pressed("commit", lambda: seen.append("commit"))
        buttons.when_pressed("undo", lambda: seen.append("undo"))
        twin.press(6)
        twin.release(6)
        twin.press(5)
        assert eventually(lambda: seen == ["undo", "commit"])
        pins.close()
        buttons.close()


def test_contacts_are_debounced_by_the_pin_driver() -> None:
    with GpioTwin() as twin:
        pins = GpioButtons({"commit": 5}, twin.factory, lambda name, down: None, bounce_s=0.03)
        assert twin.factory.pin(5).bounce == 0.03
        assert twin.factory.pin(5).pull == "up"
        pins.close()


def test_a_pin_used_twice_is_named_and_nothing_stays_reserved() -> None:
    with GpioTwin() as twin:
        with pytest.raises(PinError, match="5"):
            GpioButtons({"a": 5, "b": 5}, twin.factory, lambda name, down: None)
        GpioButtons({"a": 5}, twin.factory, lambda name, down: None).close()


def test_held_fires_once_and_only_while_the_button_is_down() -> None:
    seen: list[str] = []
    buttons = Buttons(["commit"], hold_s=0.1)
    buttons.when_pressed("commit", lambda: seen.append("pressed"))
    buttons.when_held("commit", lambda: seen.append("held"))
    buttons.change("commit", True)
    buttons.change("commit", True)
    time.sleep(0.03)
    buttons.change("commit", False)
    time.sleep(0.15)
    assert seen == ["pressed"]
    buttons.change("commit", True)
    assert eventually(lambda: seen == ["pressed", "pressed", "held"])
    time.sleep(0.15)
    buttons.change("commit", False)
    buttons.close()
    assert seen == ["pressed", "pressed", "held"]


def test_a_slow_action_does_not_turn_a_short_press_into_a_long_one() -> None:
    seen: list[str] = []
    buttons = Buttons(["a", "b"], hold_s=0.1)
    buttons.when_pressed("a", lambda: time.sleep(0.3))
    buttons.when_held("a", lambda: seen.append("a held"))
    buttons.when_held("b", lambda: seen.append("b held"))
    buttons.change("a", True)
    buttons.change("b", True)
    time.sleep(0.02)
    buttons.change("a", False)
    time.sleep(0.15)
    buttons.change("b", False)
    buttons.close()
    assert seen == ["b held"]


def test_an_action_never_runs_in_the_thread_of_the_source() -> None:
    where: list[threading.Thread] = []
    buttons = Buttons(["a"])
    buttons.when_pressed("a", lambda: where.append(threading.current_thread()))
    buttons.change("a", True)
    buttons.close()
    assert where != [threading.current_thread()]
    assert len(where) == 1


def test_an_action_that_fails_is_logged_and_the_next_press_works() -> None:
    heard = io.StringIO()
    ear = logging.StreamHandler(heard)
    # An ear of our own: what other tests do to the root logger must not decide this one.
    logger = logging.getLogger("hardware.buttons")
    logger.addHandler(ear)
    logger.setLevel(logging.ERROR)
    logger.disabled = False
    seen: list[int] = []

    def action() -> None:
        seen.append(1)
        raise RuntimeError("not my day")

    buttons = Buttons(["a"])
    buttons.when_pressed("a", action)
    for down in (True, False, True):
        buttons.change("a", down)
    buttons.close()
    assert seen == [1, 1]
    logger.removeHandler(ear)
    assert "button 'a' failed" in heard.getvalue()


def test_names_without_a_button_are_fine() -> None:
    buttons = Buttons([])
    buttons.when_pressed("undo", lambda: None)
    buttons.change("undo", True)
    buttons.close()
