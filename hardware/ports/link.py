"""A link that keeps a device connected, survives unplugging and never blocks the caller.

A `Link` has a slot for exactly one value. A newer value replaces the older one
(the latest wins), so a slow or stalled device is simply shown fewer of the steps in between.
The link's thread opens the port, greets the device, sends the value, and starts all over when
the device vanishes, at whatever byte that happens. A device that never stops talking is given up
and tried again later, and a driver that fails is reported like a device that does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from hardware.ports.serial_port import SerialPort, open_port, why_gone
from hardware.status import (
    DeviceFloods,
    DeviceRefused,
    DeviceSilent,
    HardwareError,
    Listener,
    PortError,
    Report,
)
from hardware.supervised_thread import SupervisedThread

CLOSE_WAIT_S = 5.0
"""Maximum wait for the last words when closing: a network may take long to open a port."""
MOST_A_SECOND = 16 * 1024
"""Bytes. The fastest usual line carries fewer, and what our devices have to say is a tenth."""
MOST_AT_ONCE = 64 * 1024
"""Bytes that may come faster than that, as the messages of a controller that starts."""
CHATTY_A_SECOND = 1024
CHATTY = 512
"""Bytes of a device that says more than that which are heard at once, without a gap."""
CHATTY_GAP_S = 0.01
"""A device that says much is heard no more often: each byte by itself would keep the computer
busy."""
CALM_S = 5.0
"""Seconds without a flood after which a device that was given up counts as connected again."""

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
        """The connection has ended, from either side; buttons that were down no longer are."""


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
        self._failure: Exception | None = None
        self._refused = False
        """True for a device that refuses what it is to show: it is greeted again and again, and not
        called connected in between."""
        self._known = False
        """True if the device has answered since it was plugged in: silence means no other one."""
        self._floods = False
        self._calm_at = 0.0
        """Time (s, monotonic) from which a device that flooded counts as well again."""
        self._report = Report("connecting", {"port": url})
        self._thread = SupervisedThread(f"heelstone-{name}", self._run, failed=self._mistaken)
        self._thread.start()

    def put(self, value: T) -> None:
        """Replaces the value to be shown; returns at once."""
        with self._changed:
            self._value = value
            self._pending = True
            self._changed.notify_all()

    def close(self) -> None:
        """Sends what is still waiting if the device is there, and ends the thread."""
        self._thread.end()
        with self._changed:
            self._changed.notify_all()
        self._thread.close(CLOSE_WAIT_S)

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
                    # An answer that never came is no mystery if the cable was pulled meanwhile.
                    cause = self._failure or error
                    if not isinstance(cause, HardwareError | OSError):
                        raise cause from error
                    self._refused = isinstance(cause, DeviceRefused)
                    self._floods = isinstance(cause, DeviceFloods)
                    self._tell(self._why_lost(cause))
            if self._thread.rest(wait_s):
                return
            wait_s = min(2 * wait_s, self._longest_wait_s)

    def _serve(self, port: SerialPort) -> None:
        """Works on one connection; returns when the link is closed, raises when it is lost."""
        self._failure = None
        self._calm_at = time.monotonic() + CALM_S if self._floods else 0.0
        reader = SupervisedThread(
            f"heelstone-{self._name}-in", lambda: self._read(port, reader), once=True
        )
        reader.start()
        try:
            said = self._driver.greet(port)
            if not self._refused:
                self._tell_well(said)
            with self._changed:
                self._pending = self._value is not None
            self._feed(port)
        finally:
            reader.end()
            try:
                port.wake()
                reader.close()
            finally:
                port.close()
                self._driver.lost()

    def _feed(self, port: SerialPort) -> None:
        while True:
            with self._changed:
                due = self._changed.wait_for(
                    lambda: self._pending or self._failure or self._thread.closing,
                    self._rest_s(),
                )
                if self._failure is not None:
                    raise self._failure
                if due and not self._pending:
                    return
                value = self._value
                self._pending = False
            if value is None:
                if self._calm_at:
                    self._tell_well(None)
                continue
            said = self._driver.send(port, value)
            self._refused = False
            self._tell_well(said)
            if self._min_gap_s:
                self._thread.rest(self._min_gap_s)

    def _rest_s(self) -> float | None:
        """Seconds until the keep-alive or the end of a flood; None: until there is a value."""
        waits = [] if self._value is None or self._keepalive_s is None else [self._keepalive_s]
        if self._calm_at:
            waits.append(max(0.0, self._calm_at - time.monotonic()))
        return min(waits, default=None)

    def _read(self, port: SerialPort, reader: SupervisedThread) -> None:
        flow = Flow(self._url)
        try:
            while not reader.closing:
                data = port.read()
                if data:
                    gap_s = flow.take(len(data))
                    self._driver.received(data)
                    if gap_s:
                        reader.rest(gap_s)
        except Exception as error:
            # The other thread must hear of any error: the device is no longer read.
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _why_lost(self, error: HardwareError | OSError) -> Report:
        if isinstance(error, DeviceSilent) and self._known:
            return Report("fell_silent", {"port": self._url})
        if isinstance(error, HardwareError):
            return error.report
        return why_gone(self._url, error)

    def _mistaken(self) -> None:
        """Report a mistake in the driver or in a library that it calls."""
        self._known, self._refused = False, True
        self._tell(Report("mistake", {"port": self._url}))

    def _tell_well(self, said: Report | None) -> None:
        """The device works, or only a part of it; after a flood that takes a while to be true."""
        if self._calm_at and time.monotonic() < self._calm_at:
            return
        self._floods, self._calm_at = False, 0.0
        self._tell(said or Report("connected", {"port": self._url}))

    def _tell(self, report: Report) -> None:
        self._known = self._known or report.code == "connected"
        if report != self._report:
            self._report = report
            self._listener(report)


class Flow:
    """A limit on the amount that a device says. ``clock`` returns seconds; tests may replace it."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._at = clock()
        self._much = 0.0
        """Bytes beyond what any device may say in the long run."""
        self._chatty = 0.0
        """Bytes beyond what devices usually say."""

    def take(self, count: int) -> float:
        """Count bytes that have come; seconds after which to read again. Raises DeviceFloods."""
        now = self._clock()
        passed, self._at = now - self._at, now
        self._much = max(0.0, self._much - passed * MOST_A_SECOND) + count
        self._chatty = max(0.0, self._chatty - passed * CHATTY_A_SECOND) + count
        self._chatty = min(self._chatty, 2.0 * CHATTY)
        if self._much > MOST_AT_ONCE:
            raise DeviceFloods("floods", port=self._url)
        return CHATTY_GAP_S if self._chatty > CHATTY else 0.0
