"""Serial ports: one protocol, and a link that survives unplugging and never blocks the caller.

A `Link` has a slot for exactly one value. Whoever puts a newer value in replaces the older one
(the latest wins), so a slow or stalled device is simply shown fewer of the steps in between.
The link's thread opens the port, greets the device, sends the value, and starts all over when
the device vanishes, at whatever byte that happens.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import termios
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import serial
from serial.tools import list_ports

from hardware.status import DeviceRefused, DeviceSilent, HardwareError, Listener, PortError, Report

READ_WAIT_S = 0.5
"""How long one read waits at most; also how often an idle link wakes up."""
WRITE_TIMEOUT_S = 1.0
"""A device that takes no byte for so long counts as lost."""
CLOSE_WAIT_S = 5.0
"""Closing waits at most so long for the last words: a network may keep a port opening for long."""

_UNPLUGGED = (errno.EIO, errno.ENXIO, errno.ENODEV, errno.EBADF, errno.EPIPE)

_NETWORK = ("socket:", "rfc2217:")
_WRONG_ADDRESS = (ValueError, KeyError, TypeError, re.error)
"""What pyserial runs into when an address is not of the form it expects."""

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class SerialPort(Protocol):
    """An open port. Every method raises OSError when the device is gone."""

    def read(self) -> bytes:
        """What has arrived; waits up to READ_WAIT_S seconds for the first byte, else b""."""

    def write(self, data: bytes) -> None:
        """Hands over all bytes within WRITE_TIMEOUT_S seconds."""

    def wake(self) -> None:
        """Makes a waiting `read` return early, where the platform can do that."""

    def close(self) -> None:
        """Closes the port; safe to call on a port whose device is gone."""


class Driver(Protocol[T_contra]):
    """The language of one kind of device, spoken over a port that a `Link` keeps open.

    `greet` and `send` may return what is to be said instead of "connected", where only a part of
    the device works.
    """

    def greet(self, port: SerialPort) -> Report | None:
        """Prepares a freshly opened device of which nothing is known.

        Raises HardwareError when the device is not what it should be.
        """

    def send(self, port: SerialPort, value: T_contra) -> Report | None:
        """Makes the device show `value`; may leave out what it shows already."""

    def received(self, data: bytes) -> None:
        """Takes bytes from the device, in another thread than `greet` and `send`.

        Must accept any bytes at all without raising.
        """

    def lost(self) -> None:
        """The connection has ended, by whomever; buttons that were down are so no longer."""


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port of this computer: `device` is its path, `description` is for people."""

    device: str
    description: str


def found_ports() -> list[FoundPort]:
    """The serial ports this computer has now, in order of their paths."""
    return sorted(
        (FoundPort(port.device, port.description) for port in list_ports.comports()),
        key=lambda port: port.device,
    )


def open_port(url: str, baud: int) -> SerialPort:
    """Opens a device path, `loop://`, `socket://host:port` or `rfc2217://host:port`.

    `baud` is in bits per second, always 8N1. Raises PortError with a plain reason.
    """
    if not url:
        raise PortError("no_port")
    try:
        port = serial.serial_for_url(
            url, baudrate=baud, timeout=READ_WAIT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
        )
    except (OSError, *_WRONG_ADDRESS, termios.error) as error:
        raise _port_error(url, error) from error
    return _PyserialPort(port)


class Link(Generic[T]):
    """Keeps one device connected and shows it the latest value.

    `min_gap_s`: least seconds between two sends. `keepalive_s`: the value is sent again after
    so many seconds without a send (None: never). `first_wait_s` and `longest_wait_s` bound the
    back-off between attempts to open the port.
    """

    def __init__(
        self,
        name: str,
        url: str,
        driver: Driver[T],
        listener: Listener,
        *,
        baud: int = 115200,
        min_gap_s: float = 0.0,
        keepalive_s: float | None = None,
        first_wait_s: float = 0.25,
        longest_wait_s: float = 4.0,
        opener: Callable[[str, int], SerialPort] = open_port,
    ) -> None:
        self._name = name
        self._url = url
        self._driver = driver
        self._listener = listener
        self._baud = baud
        self._min_gap_s = min_gap_s
        self._keepalive_s = keepalive_s
        self._first_wait_s = first_wait_s
        self._longest_wait_s = longest_wait_s
        self._opener = opener

        self._changed = threading.Condition()
        self._value: T | None = None
        self._pending = False
        self._failure: OSError | None = None
        self._refused = False
        """A device that refuses what it is to show is greeted again and again; it is not called
        connected in between."""
        self._known = False
        """The device has answered since it was plugged in: silence does not mean another device."""
        self._stopping = threading.Event()
        self._report = Report("connecting", {"port": url})
        self._thread = threading.Thread(target=self._run, name=f"heelstone-{name}", daemon=True)
        self._thread.start()

    @property
    def report(self) -> Report:
        """What was last known about the device."""
        return self._report

    def put(self, value: T) -> None:
        """Replaces the value to be shown; returns at once."""
        with self._changed:
            self._value = value
            self._pending = True
            self._changed.notify_all()

    def close(self) -> None:
        """Sends what is still waiting if the device is there, and ends the thread."""
        with self._changed:
            self._stopping.set()
            self._changed.notify_all()
        self._thread.join(CLOSE_WAIT_S)

    def _run(self) -> None:
        wait_s = self._first_wait_s
        while True:
            try:
                port = self._opener(self._url, self._baud)
            except PortError as error:
                self._known = False
                self._tell(error.report)
            else:
                try:
                    self._serve(port)
                    return
                except (HardwareError, OSError) as error:
                    if self._report.code == "connected":
                        wait_s = self._first_wait_s
                    self._refused = isinstance(error, DeviceRefused)
                    # An answer that never came is no riddle when the cable was pulled meanwhile.
                    self._tell(self._why_lost(self._failure or error))
            if self._stopping.wait(wait_s):
                return
            wait_s = min(2 * wait_s, self._longest_wait_s)

    def _serve(self, port: SerialPort) -> None:
        """Works on one connection; returns when the link is closed, raises when it is lost."""
        self._failure = None
        ended = threading.Event()
        reader = threading.Thread(
            target=self._read, args=(port, ended), name=f"heelstone-{self._name}-in", daemon=True
        )
        reader.start()
        try:
            said = self._driver.greet(port)
            if not self._refused:
                self._tell(said or Report("connected", {"port": self._url}))
            with self._changed:
                self._pending = self._value is not None
            self._feed(port)
        finally:
            ended.set()
            port.wake()
            reader.join()
            port.close()
            self._driver.lost()

    def _feed(self, port: SerialPort) -> None:
        while True:
            with self._changed:
                due = self._changed.wait_for(
                    lambda: self._pending or self._failure or self._stopping.is_set(),
                    self._keepalive_s if self._value is not None else None,
                )
                if self._failure is not None:
                    raise self._failure
                if due and not self._pending:
                    return
                value = self._value
                self._pending = False
            if value is None:
                continue
            said = self._driver.send(port, value)
            self._refused = False
            self._tell(said or Report("connected", {"port": self._url}))
            if self._min_gap_s:
                self._stopping.wait(self._min_gap_s)

    def _read(self, port: SerialPort, ended: threading.Event) -> None:
        try:
            while not ended.is_set():
                data = port.read()
                if data:
                    self._driver.received(data)
        except OSError as error:
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _why_lost(self, error: HardwareError | OSError) -> Report:
        if isinstance(error, DeviceSilent) and self._known:
            return Report("fell_silent", {"port": self._url})
        if isinstance(error, HardwareError):
            return error.report
        if isinstance(error, serial.SerialTimeoutException):
            return Report("stalled", {"port": self._url})
        # pyserial wraps what a write ran into, and leaves the number behind.
        number = error.errno or getattr(error.__context__, "errno", None)
        if number in _UNPLUGGED or "readiness to read but returned no data" in str(error):
            return Report("unplugged", {"port": self._url})
        return Report("lost", {"port": self._url, "reason": _plain_reason(error)})

    def _tell(self, report: Report) -> None:
        self._known = self._known or report.code == "connected"
        if report != self._report:
            self._report = report
            self._listener(report)


class _PyserialPort:
    """`SerialPort` over pyserial. It never touches modem lines: a pty has none."""

    def __init__(self, port: serial.SerialBase) -> None:
        # Every kind of port has `in_waiting`, but the stub of the common base does not say so.
        self._port: Any = port

    def read(self) -> bytes:
        with _gone_is_oserror():
            first: bytes = self._port.read(1)
            waiting: int = self._port.in_waiting if first else 0
            return first + self._port.read(waiting) if waiting else first

    def write(self, data: bytes) -> None:
        with _gone_is_oserror():
            try:
                self._port.write(data)
            except serial.SerialTimeoutException:
                # Closing a port waits up to 30 s for bytes that the device does not take.
                self._port.reset_output_buffer()
                raise

    def wake(self) -> None:
        # socket:// cannot cancel a read; there, closing waits for READ_WAIT_S.
        if hasattr(self._port, "cancel_read"):
            with _gone_is_oserror():
                self._port.cancel_read()

    def close(self) -> None:
        with _gone_is_oserror():
            self._port.close()


class _gone_is_oserror:  # noqa: N801
    """pyserial lets termios.error through, which is no OSError although it means the same."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, termios.error):
            raise OSError(*error.args) from error


def _port_error(url: str, error: Exception) -> PortError:
    code = error.errno if isinstance(error, OSError) else None
    # socket:// keeps what really happened in the background of its own error.
    network = error.__context__ if url.startswith(_NETWORK) else None
    if isinstance(network, ConnectionRefusedError):
        return PortError("no_server", port=url)
    if isinstance(network, OSError):
        return PortError("no_host", port=url, reason=_plain_reason(network))
    if isinstance(network, _WRONG_ADDRESS):
        return PortError("port_failed", port=url, reason="an address reads socket://computer:4001")
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return PortError("missing", port=url)
    if code in (errno.EBUSY, errno.EAGAIN):
        return PortError("busy", port=url)
    if code in (errno.EACCES, errno.EPERM):
        return PortError("no_permission", port=url)
    if isinstance(error.__context__, termios.error):
        return PortError("port_failed", port=url, reason="it is no serial port")
    return PortError("port_failed", port=url, reason=_plain_reason(error))


def _plain_reason(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "nobody knows this name"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    text = str(error).strip().rstrip(".")
    return text or type(error).__name__
