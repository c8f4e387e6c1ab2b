"""Serial ports: judged by the bytes that came out at the other end."""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import serial

from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort, open_port
from hardware.simulated.pty import PtyTwin
from hardware.status import TEXTS, DeviceSilent, PortError, Report
from tests.hardware.conftest import Heard
from tests.support.devices import Lines
from tests.support.waiting import PATIENCE_S, until

SOON_S = 0.02


class Listening(PtyTwin):
    """A device that only listens."""

    def boot(self) -> None:
        self.heard = bytearray()

    def take(self, data: bytes) -> None:
        self.heard += data


@contextmanager
def link(
    url: str, heard: Heard, driver: Lines | None = None, **options: float
) -> Iterator[Link[str]]:
    waits: dict[str, Any] = {"first_wait_s": SOON_S, "longest_wait_s": 0.1, **options}
    made = Link("test", url, driver or Lines(), heard, **waits)
    try:
        yield made
    finally:
        made.close()


def test_a_value_reaches_the_device_after_the_greeting(heard: Heard) -> None:
    with Listening() as twin, link(twin.url, heard) as wire:
        wire.put("7")
        assert twin.wait_for(lambda: twin.heard == b"hello;<7>")
        assert heard.codes == ["connected"]


def test_a_value_put_in_before_the_device_is_there_is_sent_when_it_comes(heard: Heard) -> None:
    with Listening() as twin:
        twin.unplug()
        with link(twin.url, heard) as wire:
            wire.put("early")
            assert heard.wait_for("missing")
            twin.replug()
            assert twin.wait_for(lambda: twin.heard == b"hello;<early>")
            assert heard.codes == ["missing", "connected"]


@pytest.mark.parametrize("count", range(1, 11))
def test_a_device_unplugged_at_any_byte_gets_everything_again(count: int, heard: Heard) -> None:
    with Listening() as twin:
        twin.unplug_after(count)
        with link(twin.url, heard) as wire:
            wire.put("42")
            assert twin.wait_for(lambda: not twin.plugged)
            twin.replug()
            assert twin.wait_for(lambda: twin.heard == b"hello;<42>")


def test_unplugging_an_idle_device_is_noticed_without_sending_anything(heard: Heard) -> None:
    with Listening() as twin, link(twin.url, heard):
        assert heard.wait_for("connected")
        twin.unplug()
        assert heard.wait_for("missing")
        assert "unplugged" in heard.codes


def test_the_latest_value_wins_and_nobody_waits_for_a_stalled_device(heard: Heard) -> None:
    driver = Lines()
    with Listening() as twin, link(twin.url, heard, driver) as wire:
        assert heard.wait_for("connected")
        twin.stall()
        filler = "x" * 30000  # more than a pty holds, so that the link's thread is stuck in it
        wire.put(filler)
        assert until(lambda: driver.begun == [filler])
        for number in range(5000):
            wire.put(str(number))
        twin.resume()
        assert twin.wait_for(lambda: twin.heard.endswith(b"<4999>"))
        assert twin.heard.count(b"<") == 2


def test_a_device_that_takes_no_bytes_is_given_up_and_tried_again(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.ports.serial_port.WRITE_TIMEOUT_S", 1.0)
    driver = Lines()
    with Listening() as twin, link(twin.url, heard, driver) as wire:
        assert heard.wait_for("connected")
        twin.stall()
        wire.put("x" * 30000)
        assert heard.wait_for("stalled")
        wire.put("after")
        assert until(lambda: driver.begun[-1] == "after")
        twin.resume()
        assert twin.wait_for(lambda: twin.heard.endswith(b"<after>"))
        # Bytes that it would not take are dropped: closing a port waits up to 30 s for them.
        assert len(twin.heard) < 10_000


def test_an_answer_missing_because_the_cable_was_pulled_is_told_as_unplugged(heard: Heard) -> None:
    class Patient(Lines):
        def send(self, port: SerialPort, value: str) -> None:
            twin.unplug()
            assert until(lambda: wire._failure is not None)
            raise DeviceSilent("no_answer", port=twin.url, device="thing")

    with Listening() as twin:
        wire = Link("test", twin.url, Patient(), heard, first_wait_s=SOON_S)
        wire.put("x")
        assert heard.wait_for("missing")
        wire.close()
        assert heard.codes == ["connected", "unplugged", "missing"]


@pytest.mark.parametrize(
    ("port", "code", "reason"),
    [
        ("{tmp}", "port_failed", "Is a directory"),
        ("{tmp}/file", "port_failed", "no serial port"),
        ("{tmp}/none", "missing", "Nothing is plugged in"),
        ("socket://127.0.0.1:1", "no_server", "Nothing listens"),
        ("socket://no-such-computer.invalid:1", "no_host", "cannot be reached"),
        ("socket://", "port_failed", "socket://computer:4001"),
        ("socket://host:99999", "port_failed", "socket://computer:4001"),
        ("rfc2217://x", "port_failed", "socket://computer:4001"),
        ("hwgrep://(", "port_failed", "neither a device"),
        ("loop://?x=1", "port_failed", "options"),
        ("loop://?logging=debug", "port_failed", "options"),
        ("rfc2217://host:1?ign_set_control&timeout=9e9", "port_failed", "options"),
        ("bogus://x", "port_failed", "neither a device"),
        ("spy:///dev/null?file={tmp}/file", "port_failed", "neither a device"),
        ("SPY://loop://?file={tmp}/file", "port_failed", "neither a device"),
        ("alt:///dev/null?class=Serial", "port_failed", "neither a device"),
    ],
)
def test_a_port_that_is_none_is_told_in_plain_words(
    port: str, code: str, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("what it held")
    with pytest.raises(PortError) as caught:
        open_port(port.format(tmp=tmp_path), 9600)
    assert caught.value.report.code == code
    assert reason in str(caught.value)
    assert "Errno" not in str(caught.value)
    assert file.read_text() == "what it held"


def test_a_write_into_a_pulled_cable_is_told_as_unplugged(heard: Heard) -> None:
    with Listening() as twin, link(twin.url, heard) as wire:
        port = serial.Serial(twin.url)
        twin.unplug()
        with pytest.raises(OSError) as caught:
            for _ in range(3):
                port.write(b"x")
        port.close()
        assert wire._why_lost(caught.value).code == "unplugged"


def test_a_port_that_takes_for_ever_to_open_does_not_keep_closing_waiting(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.ports.link.CLOSE_WAIT_S", 0.05)
    opening, done = threading.Event(), threading.Event()

    def opener(url: str, baud: int) -> SerialPort:
        opening.set()
        done.wait(PATIENCE_S)
        raise PortError("missing", port=url)

    wire = Link("test", "socket://far.away:1", Lines(), heard, opener=opener)
    assert opening.wait(PATIENCE_S)
    wire.close()
    assert wire._thread.is_alive()
    done.set()
    wire._thread.join(PATIENCE_S)


def test_the_last_words_are_sent_before_closing(heard: Heard) -> None:
    with Listening() as twin:
        with link(twin.url, heard) as wire:
            assert heard.wait_for("connected")
            wire.put("bye")
        assert twin.wait_for(lambda: twin.heard.endswith(b"<bye>"))


def test_keepalive_repeats_the_value_and_the_gap_holds_values_back(heard: Heard) -> None:
    with Listening() as twin, link(twin.url, heard, keepalive_s=0.05) as wire:
        wire.put("tick")
        assert twin.wait_for(lambda: twin.heard.count(b"<tick>") >= 3)
    with Listening() as twin, link(twin.url, heard, min_gap_s=0.1) as wire:
        started = time.perf_counter()
        for number in range(1000):
            wire.put(str(number))
            time.sleep(0.0003)
        elapsed = time.perf_counter() - started
        assert twin.wait_for(lambda: twin.heard.endswith(b"<999>"))
        assert twin.heard.count(b"<") <= elapsed / 0.1 + 2


def test_a_network_port_works_and_its_loss_is_reported(heard: Heard) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        with link(f"socket://127.0.0.1:{server.getsockname()[1]}", heard) as wire:
            peer, _ = server.accept()
            wire.put("net")
            assert read_until(peer, b"<net>") == b"hello;<net>"
            peer.close()
            assert heard.wait_for("lost")
            again, _ = server.accept()
            assert read_until(again, b"<net>") == b"hello;<net>"
            again.close()


def read_until(peer: socket.socket, end: bytes) -> bytes:
    peer.settimeout(PATIENCE_S)
    data = b""
    while not data.endswith(end):
        data += peer.recv(100)
    return data


def test_a_loop_port_echoes_to_the_driver(heard: Heard) -> None:
    driver = Lines()
    wire = Link("test", "loop://", driver, heard)
    wire.put("echo")
    assert until(lambda: bytes(driver.heard) == b"hello;<echo>")
    wire.close()


def test_a_port_in_use_is_reported_as_busy(heard: Heard) -> None:
    with Listening() as twin:
        first = open_port(twin.url, 9600)
        with link(twin.url, heard):
            assert heard.wait_for("busy")
            first.close()
            assert heard.wait_for("connected")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, "missing"),
        (errno.EACCES, "no_permission"),
        (errno.EBUSY, "busy"),
        (errno.EIO, "port_failed"),
    ],
)
def test_each_reason_not_to_open_has_its_own_sentence(
    number: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(url: str, **options: object) -> object:
        raise serial.SerialException(number, os.strerror(number))

    monkeypatch.setattr(serial, "serial_for_url", fail)
    with pytest.raises(PortError, match="/dev/score") as caught:
        open_port("/dev/score", 9600)
    assert caught.value.report.code == code


@pytest.mark.parametrize("url", ["", "nonsense://x", "socket://nowhere", "/dev/null", "/"])
def test_a_port_that_is_none_raises_our_own_error_only(url: str) -> None:
    with pytest.raises(PortError):
        open_port(url, 115200)


def test_a_device_that_does_not_answer_is_reported_and_asked_again(heard: Heard) -> None:
    asked = threading.Semaphore(0)

    class Deaf(Lines):
        def greet(self, port: SerialPort) -> None:
            asked.release()
            raise DeviceSilent("no_answer", port="x", device="CFA635")

    wire = Link("test", "loop://", Deaf(), heard, first_wait_s=SOON_S)
    assert asked.acquire(timeout=PATIENCE_S)
    assert asked.acquire(timeout=PATIENCE_S)
    wire.close()
    assert heard.codes == ["no_answer"]


def test_attempts_become_rarer(heard: Heard) -> None:
    times: list[float] = []

    def never(url: str, baud: int) -> SerialPort:
        times.append(time.monotonic())
        raise PortError("missing", port=url)

    wire = Link("test", "x", Lines(), heard, first_wait_s=0.05, longest_wait_s=60, opener=never)
    assert until(lambda: len(times) >= 4)
    wire.close()
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[0] >= 0.05
    assert gaps[1] >= 0.1
    assert gaps[2] >= 0.2
    assert heard.codes == ["missing"]


def test_closing_does_not_wait_for_the_next_attempt(heard: Heard) -> None:
    hour_s = 3600.0
    wire = Link("test", "/none", Lines(), heard, first_wait_s=hour_s, longest_wait_s=hour_s)
    assert heard.wait_for("missing")
    wire.close()
    assert not wire._thread.is_alive()


def test_every_code_has_a_sentence_that_ends_with_a_full_stop() -> None:
    for code, text in TEXTS.items():
        assert text.endswith("."), code
        # Good news needs no telling, but for where a device is and what is not quite well.
        assert not Report(code).ok or "{" not in text or code in ("connected", "folder_failed")
