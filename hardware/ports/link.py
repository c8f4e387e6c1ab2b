"""A link that keeps a device connected, survives unplugging and never blocks the caller.

A `Link` has a slot for exactly one value. A newer value replaces the older one
(the latest wins), so a slow or stalled device is simply shown fewer of the steps in between.
The link's thread opens the port, greets the device, sends the value, and starts all over when
the device vanishes, at whatever byte that happens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from hardware.ports.serial_port import SerialPort, open_port, why_gone
from hardware.status import DeviceRefused, DeviceSilent, HardwareError, Listener, PortError, Report

CLOSE_WAIT_S = 5.0
"""Maximum wait for the last words when closing: a network may take long to open a port."""

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Driver(Protocol[T_contra]):
    """The language of one kind of device, spoken over a port that a `Link` keeps open.

    `greet` and `send` may return what is to be said instead of "connected", if only a part of
    the device works.
    """

    def greet(self, port: SerialPort) -> Report | None:
        """Prepares a freshly opened device about which nothing is known.

        Raises HardwareError when the device is not what it should be.
        """

    def send(self, port: SerialPort, value: T_contra) -> Report | None:
        """Makes the device show `value`; may leave out what it shows already."""

    def received(self, data: bytes) -> None:
        """Takes bytes from the device, in another thread than `greet` and `send`.

        Must accept any bytes at all without raising.
        """

    def lost(self) -> None:
        """The connection has ended, whoever ended it; buttons that were down no longer are."""


class Link(Generic[T]):
    """Keeps one device connected and shows it the latest value.

    `min_gap_s`: minimum seconds between two sends. `keepalive_s`: the value is sent again after
    this many seconds without a send (None: never). `first_wait_s` and `longest_wait_s` bound the
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
                    # An answer that never came is no mystery if the cable was pulled meanwhile.
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
        return why_gone(self._url, error)

    def _tell(self, report: Report) -> None:
        self._known = self._known or report.code == "connected"
        if report != self._report:
            self._report = report
            self._listener(report)
