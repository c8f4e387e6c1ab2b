"""A device that was greeted well and then never stops talking, at the full speed of a pty.

Whatever it says, it is shown its text, or given up and reported until it is calm. Memory, the other
devices and the computer do not notice it.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.displays import cfa635 as crystalfontz
from hardware.displays import pico
from hardware.displays.cfa635 import KEY_REPORT, packet
from hardware.displays.lcdd import LcddDisplay
from hardware.ports import link as ports
from hardware.ports.link import MOST_A_SECOND, Flow, Link
from hardware.ports.serial_port import SerialPort
from hardware.status import DeviceFloods, DeviceSilent, DeviceStatus
from tests.hardware.conftest import Heard
from tests.support.devices import Lines, show_text
from tests.support.lcdd_server import FakeLcdd
from tests.support.plugged_in import AT_PORTS
from tests.support.rig import rig_of
from tests.support.waiting import PATIENCE_S, until

CHANCE = random.Random(5)
RUBBISH = CHANCE.randbytes(4096)
FRAMES = {
    "cfa": b"".join(packet(kind, b"\x05") for kind in (0x40, 0x5F, 0x80, 0xC6)) * 60
    + packet(KEY_REPORT, b"\x01")
    + packet(KEY_REPORT, b"\x07"),
    "pico": b"".join(
        pico.line(number, *fields)
        for number in range(0, 256, 4)
        for fields in (("A", "9" * 600), ("E", ""), ("B", "1", "1"), ("B", "999999999999", "-1"))
    ),
    "wled": b"WLED 99999999999999999999\r\nWLED x" + b"W" * 600,
    "half": b"\x1f\x16" + b"$01,A," + b"9" * 500 + b"Ada" + b"\xfe",
    "lcdd": b"success\nhuh? " + b"9" * 3000 + b"\nkey Up\nconnect LCDproc wid " + b"9" * 900,
}
LATE_S = PATIENCE_S


class Flood:
    """Bytes without end from a twin, as fast as they are taken."""

    def __init__(self, twin: Any, data: bytes) -> None:
        self._twin, self._data = twin, data
        self.said = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="flood", daemon=True)
        self._thread.start()

    def __enter__(self) -> Flood:
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self.said += os.write(self._twin._master, self._data)
            except OSError:
                # Nothing is read at the moment.
                time.sleep(0.001)


@pytest.fixture(autouse=True)
def soon_calm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "CALM_S", 0.05)
    monkeypatch.setattr(ports, "MOST_AT_ONCE", 16 * 1024)


@contextlib.contextmanager
def memory_stays() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20, f"{peak} bytes at the most"


@pytest.fixture(autouse=True)
def soon_given_up(hasty: None) -> None:
    """An answer that was lost in the flood is not waited for."""


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        *((kind, "rubbish") for kind in AT_PORTS),
        *((kind, said) for kind in ("cfa635", "pico") for said in ("frames", "half")),
        ("wled", "frames"),
    ],
)
def test_a_device_that_floods_is_reported_or_shows_its_text_and_is_well_when_it_is_calm(
    kind: str, said: str, heard: Heard
) -> None:
    case, language = AT_PORTS[kind], kind.partition(",")[0].removesuffix("635").removesuffix("631")
    data = {"rubbish": RUBBISH, "half": FRAMES["half"]}.get(said, FRAMES.get(language, RUBBISH))
    with case.twin() as twin:
        device = case.driver(twin.url, heard)
        case.show(device, 11)
        assert twin.wait_for(lambda: case.shows(twin, 11))
        assert heard.wait_for("connected")
        with memory_stays(), Flood(twin, data) as flood:
            case.show(device, 12)
            assert heard.wait_for("floods"), (heard.codes, flood.said)
        case.show(device, 13)
        assert twin.wait_for(lambda: case.shows(twin, 13), LATE_S), (twin.rows(), heard.codes)
        assert until(lambda: heard.codes[-1] == "connected", LATE_S), heard.codes
        device.close()


def test_lcdd_that_floods_is_reported_and_found_again(heard: Heard) -> None:
    with FakeLcdd() as server:
        display = LcddDisplay("127.0.0.1", heard, tcp_port=server.port, first_wait_s=0.01)
        show_text(display, 11)
        assert server.wait_for(lambda: server.rows()[2].rstrip() == "three 11")
        with memory_stays():
            end = time.monotonic() + PATIENCE_S
            while "floods" not in heard.codes and time.monotonic() < end:
                with contextlib.suppress(OSError):
                    server.say(FRAMES["lcdd"] * 4)
        show_text(display, 13)
        assert server.wait_for(lambda: server.rows()[2].rstrip() == "three 13", LATE_S)
        assert until(lambda: heard.codes[-1] == "connected", LATE_S), heard.codes
        display.close()


class Endless:
    """A port that always has more, without a pause."""

    def __init__(self, chunk: bytes) -> None:
        self._chunk = chunk
        self.reads = 0

    def read(self) -> bytes:
        self.reads += 1
        return self._chunk

    def write(self, data: bytes) -> None:
        pass

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_device_that_talks_byte_by_byte_does_not_keep_the_computer_busy(heard: Heard) -> None:
    port = Endless(b"x")
    link = Link("test", "x", Lines(), heard, opener=lambda _url, _baud: port)
    assert heard.wait_for("connected")
    before, began = port.reads, time.monotonic()
    time.sleep(0.3)
    assert port.reads - before <= (time.monotonic() - began) / ports.CHATTY_GAP_S + 600
    link.close()


def test_a_flood_is_told_once_and_the_device_is_greeted_more_and_more_rarely(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "CALM_S", 5.0)
    opened: list[float] = []

    def opener(_url: str, _baud: int) -> SerialPort:
        opened.append(time.monotonic())
        return Endless(bytes(ports.MOST_AT_ONCE // 2))

    link = Link("test", "x", Lines(), heard, opener=opener, first_wait_s=0.05)
    link.put("7")
    assert until(lambda: len(opened) == 4)
    link.close()
    assert heard.codes == ["connected", "floods"]
    assert opened[3] - opened[2] > 0.15


def test_what_devices_usually_say_is_no_flood_and_heard_at_once() -> None:
    now = 0.0
    flow = Flow("x", clock=lambda: now)
    for _ in range(2000):
        now += 0.05
        assert flow.take(24) == 0.0
    now += 10.0
    assert flow.take(ports.MOST_AT_ONCE - 1) > 0, "a controller that starts"
    for _ in range(1000):
        now += 0.1
        flow.take(MOST_A_SECOND // 11)
    with pytest.raises(DeviceFloods):
        for _ in range(1000):
            now += 0.1
            flow.take(MOST_A_SECOND // 9)


class Chatter:
    """A port on which something else than the answer comes, again and again."""

    def __init__(self, driver: Any, data: bytes) -> None:
        self._driver, self._data = driver, data
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chatter", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(0.01):
            self._driver.received(self._data)

    def write(self, data: bytes) -> None:
        pass

    def end(self) -> None:
        self._over.set()
        self._thread.join()


@pytest.mark.parametrize(
    ("driver", "data"),
    [
        (lambda: crystalfontz._Packets("x", "CFA635", (b" " * 20,) * 4, None), packet(0x7F)),
        (lambda: pico._Lines("x", ("S",), None), b"".join(pico.line(n, "A") for n in (0, 9))),
    ],
)
def test_answers_to_something_else_do_not_make_a_greeting_wait_for_ever(
    driver: Callable[[], Any], data: bytes
) -> None:
    greeted = driver()
    port = Chatter(greeted, data)
    with pytest.raises(DeviceSilent):
        greeted.greet(port)
    port.end()


def test_one_device_that_floods_leaves_the_others_alone(failures: list[str]) -> None:
    told: list[DeviceStatus] = []
    rig = rig_of(
        {"score": {"kind": "mock"}, "lamps": {"kind": "mock", "count": 3}}, listener=told.append
    )
    try:
        assert until(lambda: all(status.ok for status in rig.status()))
        with Flood(rig.twins["score"], RUBBISH):
            assert until(lambda: any(status.code == "floods" for status in told))
            rig.lamps.brightness = 0.9
            assert rig.alive()
            bad = {status.name for status in told if not status.ok and status.code != "connecting"}
            assert bad == {"score"}
    finally:
        rig.close()
    assert failures == []
