"""Buttons: one action for one press, whatever the source."""

from __future__ import annotations

import threading
import time

import pytest
from gpiozero.pins.mock import MockPWMPin

from hardware.buttons.buttons import BOUNCE_S, FLUTTERS, TOGETHER_S, Buttons
from hardware.buttons.pin_buttons import GpioButtons
from hardware.simulated.gpio import GpioTwin
from hardware.status import PinError
from tests.hardware.conftest import Heard
from tests.support.waiting import PATIENCE_S, until


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
        assert until(lambda: seen == ["undo", "commit"])
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
    buttons = Buttons(["commit", "undo"], hold_s=PATIENCE_S)
    for name in ("commit", "undo"):
        buttons.when_pressed(name, lambda name=name: seen.append(name))  # type: ignore[misc]
        buttons.when_held(name, lambda name=name: seen.append(f"{name} held"))  # type: ignore[misc]
    buttons.change("commit", True)
    buttons.change("commit", True)
    buttons.change("commit", False)
    buttons.change("undo", True, at=time.monotonic() - PATIENCE_S + 0.1)
    assert until(lambda: seen == ["commit", "undo", "undo held"])
    time.sleep(0.05)
    buttons.change("undo", False)
    buttons.close()
    assert seen == ["commit", "undo", "undo held"]


def test_a_slow_action_does_not_turn_a_short_press_into_a_long_one() -> None:
    seen: list[str] = []
    buttons = Buttons(["a", "b"], hold_s=0.1)
    let_go = threading.Event()

    def slow() -> None:
        let_go.wait(PATIENCE_S)

    buttons.when_pressed("a", slow)
    buttons.when_held("a", lambda: seen.append("a held"))
    buttons.when_held("b", lambda: seen.append("b held"))
    buttons.change("b", True, at=10.0)
    buttons.change("a", True, at=10.0 + TOGETHER_S)
    buttons.change("a", False, at=10.02 + TOGETHER_S)
    buttons.change("b", False, at=10.5)
    let_go.set()
    buttons.close()
    assert seen == ["b held"]


def test_contacts_that_bounce_are_one_press() -> None:
    seen: list[str] = []
    buttons = Buttons(["undo"])
    buttons.when_pressed("undo", lambda: seen.append("pressed"))
    at = 10.0
    for burst in range(3):
        for _ in range(20):
            buttons.change("undo", True, at=at)
            buttons.change("undo", False, at=at + 0.001)
            at += 0.002 + (BOUNCE_S - 0.004 if burst == 1 else 0)
    buttons.change("undo", True, at=at)
    buttons.change("undo", False, at=at + 0.1)
    buttons.change("undo", True, at=at + 0.15 + BOUNCE_S)
    buttons.close()
    assert seen == ["pressed", "pressed"], "one for the bursts, one for the next finger"


def test_a_bounce_in_the_middle_does_not_end_a_hold() -> None:
    seen: list[str] = []
    buttons = Buttons(["undo"], hold_s=1.0)
    buttons.when_held("undo", lambda: seen.append("held"))
    for pressed, at in [(True, 10.0), (False, 10.5), (True, 10.51), (False, 11.2)]:
        buttons.change("undo", pressed, at=at)
    for pressed, at in [(True, 20.0), (False, 20.5), (True, 20.6), (False, 21.2)]:
        buttons.change("undo", pressed, at=at)
    buttons.close()
    assert seen == ["held"], "the second time the finger left it in between"


@pytest.mark.parametrize(
    ("gap_s", "acted"),
    [(0.0, ["commit"]), (TOGETHER_S - 0.01, ["commit"]), (TOGETHER_S, ["commit", "undo"])],
)
def test_of_two_buttons_pressed_together_the_first_counts(gap_s: float, acted: list[str]) -> None:
    seen: list[str] = []
    buttons = Buttons(["commit", "undo"], hold_s=0.1)
    for name in ("commit", "undo"):
        buttons.when_pressed(name, lambda name=name: seen.append(name))  # type: ignore[misc]
    buttons.change("commit", True, at=10.0)
    buttons.change("undo", True, at=10.0 + gap_s)
    buttons.change("commit", False, at=10.05 + gap_s)
    buttons.change("undo", False, at=10.06 + gap_s)
    buttons.change("undo", True, at=11.0)
    buttons.close()
    assert seen == [*acted, "undo"], "alone it counts again"


def test_one_quickly_after_the_other_was_let_go_counts() -> None:
    seen: list[str] = []
    buttons = Buttons(["commit", "undo"])
    for name in ("commit", "undo"):
        buttons.when_pressed(name, lambda name=name: seen.append(name))  # type: ignore[misc]
    buttons.change("commit", True, at=10.0)
    buttons.change("commit", False, at=10.08)
    buttons.change("undo", True, at=10.1)
    buttons.close()
    assert seen == ["commit", "undo"]


class HeldDown(MockPWMPin):  # type: ignore[misc]
    """A pin that is connected to ground before we look: the pull-up cannot lift it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


def test_a_button_that_is_down_at_the_start_is_no_press() -> None:
    seen: list[str] = []
    with GpioTwin() as twin:
        twin.factory.pin_class = HeldDown
        buttons = Buttons(["commit"], hold_s=0.01)
        buttons.when_pressed("commit", lambda: seen.append("pressed"))
        buttons.when_held("commit", lambda: seen.append("held"))
        pins = GpioButtons({"commit": 5}, twin.factory, buttons.change)
        for name in pins.down:
            buttons.found_down(name)
        assert until(lambda: buttons.down == {"commit"}), "the workshop shows it"
        twin.release(5)
        assert until(lambda: buttons.down == set())
        assert seen == []
        time.sleep(2 * BOUNCE_S)
        twin.press(5)
        assert until(lambda: seen == ["pressed", "held"])
        pins.close()
        buttons.close()


def test_a_stuck_button_is_reported_once_acts_once_and_blocks_no_other(heard: Heard) -> None:
    seen: list[str] = []
    buttons = Buttons(["commit", "undo"], hold_s=0.01, stuck_s=60.0, listener=heard)
    for name in ("commit", "undo"):
        buttons.when_pressed(name, lambda name=name: seen.append(name))  # type: ignore[misc]
    now = time.monotonic()
    buttons.change("undo", True, at=now - 61)
    assert heard.wait_for("button_stuck")
    assert heard.reports[0].params == {"button": "undo"}
    assert not heard.reports[0].ok
    buttons.change("commit", True, at=now)
    buttons.change("commit", False, at=now + 0.01)
    buttons.change("undo", False)
    assert heard.wait_for("ready")
    buttons.close()
    assert seen == ["undo", "commit"]
    assert heard.codes == ["button_stuck", "ready"]


def test_an_action_never_runs_in_the_thread_of_the_source() -> None:
    where: list[threading.Thread] = []
    buttons = Buttons(["a"])
    buttons.when_pressed("a", lambda: where.append(threading.current_thread()))
    buttons.change("a", True)
    buttons.close()
    assert where != [threading.current_thread()]
    assert len(where) == 1


def test_an_action_that_fails_is_told_and_the_next_press_works(failures: list[str]) -> None:
    seen: list[int] = []

    def action() -> None:
        seen.append(1)
        raise RuntimeError("not my day")

    buttons = Buttons(["a"])
    buttons.when_pressed("a", action)
    for at, down in enumerate((True, False, True)):
        buttons.change("a", down, at=float(at))
    buttons.close()
    assert seen == [1, 1]
    assert failures == ["not my day"], "told once, however often it fails"


def presses(buttons: Buttons, name: str, count: int, gap_s: float, at: float) -> None:
    for number in range(count):
        buttons.change(name, True, at=at + number * gap_s)
        buttons.change(name, False, at=at + number * gap_s + gap_s / 8)


def test_a_button_that_flutters_is_told_and_does_nothing_until_it_rests(heard: Heard) -> None:
    seen: list[str] = []
    buttons = Buttons(["undo", "commit"], listener=heard)
    for name in buttons.names:
        buttons.when_pressed(name, lambda name=name: seen.append(name))  # type: ignore[misc]
    now = time.monotonic()
    presses(buttons, "undo", 100, 0.06, now - 6.0)
    presses(buttons, "commit", 1, 0.1, now)
    assert heard.wait_for("ready")
    presses(buttons, "undo", 2, 0.3, time.monotonic() + 1.0)
    buttons.close()
    assert heard.codes == ["button_flutters", "ready"]
    assert seen.count("undo") <= FLUTTERS + 1
    assert seen[-3:] == ["commit", "undo", "undo"], "others work, and it works again"


def test_changes_without_end_fill_no_memory_and_end_as_the_last_of_them_says() -> None:
    busy, seen = threading.Event(), list[str]()
    buttons = Buttons(["undo", "commit"])
    buttons.when_pressed("commit", lambda: (busy.wait(5), None)[1])
    buttons.when_pressed("undo", lambda: seen.append("undo"))
    buttons.change("commit", True, at=1.0)
    presses(buttons, "undo", 2000, 0.001, 2.0)
    buttons.change("commit", False, at=9.0)
    waiting = buttons._thread.waiting
    busy.set()
    assert until(lambda: not buttons._lost and not buttons.down)
    buttons.close()
    assert waiting <= 256
    assert seen == ["undo"], "a contact that bounces is one press, however often it does"


def test_names_without_a_button_are_fine() -> None:
    buttons = Buttons([])
    buttons.when_pressed("undo", lambda: None)
    buttons.change("undo", True)
    buttons.close()
