"""A simulated serial device on a pseudo terminal, which can be unplugged at any byte."""

from __future__ import annotations

import os
import select
import shutil
import tempfile
import threading
import time
import tty
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Self

from hardware.supervised_thread import SupervisedThread

MOST_REMEMBERED = 65536
"""Received bytes that are kept for inspection, at most."""


class PtyTwin(ABC):
    """The common part: power, cable, and a thread that reads the wire.

    Subclasses answer `boot` and `take`. `errors` holds a sentence for each thing on the wire
    that a data sheet does not allow.
    """

    tick_s: float | None = None
    """Seconds between calls of `tick` while nothing arrives; None: never."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.received = bytearray()
        self.boots = 0
        self._folder = Path(tempfile.mkdtemp(prefix="heelstone-twin-"))
        self._path = self._folder / "device"
        self._news = threading.Condition(threading.RLock())
        self._plugged = False
        self._master = self._wake_in = -1
        self._thread: SupervisedThread | None = None
        self._bytes_left: int | None = None
        self._stalled = False
        self.replug()

    @abstractmethod
    def boot(self) -> None:
        """Power has come: the device shows what it shows before it has received anything."""

    @abstractmethod
    def take(self, data: bytes) -> None:
        """Bytes have arrived, called with `_news` held. Must accept any bytes."""

    def tick(self) -> None:  # noqa: B027
        """Time has passed, called with `_news` held; most devices do nothing by themselves."""

    @property
    def url(self) -> str:
        """The port to open; stays the same for the twin's whole life."""
        return str(self._path)

    @property
    def plugged(self) -> bool:
        """True if the cable is in."""
        return self._plugged

    def send(self, data: bytes) -> None:
        """The device says something; bytes that are not read are lost, as on a real port."""
        with self._news:
            if self._plugged:
                try:
                    os.write(self._master, data)
                except BlockingIOError:
                    self.errors.append(f"Nobody reads; {len(data)} bytes of the device were lost.")

    def unplug(self) -> None:
        """Pulls the cable: the port vanishes and its users get an I/O error."""
        with self._news:
            if not self._plugged:
                return
            self._vanish()
            thread = self._thread
        if thread is not None:
            thread.close()

    def unplug_after(self, count: int) -> None:
        """Pulls the cable as soon as `count` more bytes have been received."""
        with self._news:
            self._bytes_left = count

    def replug(self) -> None:
        """Puts the cable back: power comes, the device boots, the port is there again."""
        with self._news:
            if self._plugged:
                return
            thread = self._thread
        if thread is not None:
            thread.close()
        with self._news:
            self._master, slave = os.openpty()
            tty.setraw(self._master)
            tty.setraw(slave)
            os.set_blocking(self._master, False)
            wake, self._wake_in = os.pipe()
            self._bytes_left = None
            self._plugged = True
            self.boots += 1
            self.boot()
            fresh = self._folder / "fresh"
            fresh.symlink_to(os.ttyname(slave))
            fresh.replace(self._path)
            serve = partial(self._run, self._master, wake, (slave, self._wake_in))
            self._thread = SupervisedThread("heelstone-twin", serve, once=True)
            self._thread.start()
            self._news.notify_all()

    def stall(self) -> None:
        """The device stops taking bytes, with the cable in."""
        with self._news:
            self._stalled = True
            self._poke()

    def resume(self) -> None:
        """The device takes bytes again."""
        with self._news:
            self._stalled = False
            self._poke()

    def wait_for(self, seen: Callable[[], bool], timeout_s: float = 60.0) -> bool:
        """Waits until `seen()` is true, looking again after each byte; True if it became true."""
        until = time.monotonic() + timeout_s
        with self._news:
            while not seen():
                left = until - time.monotonic()
                if left <= 0:
                    return False
                # The state behind `seen` may change without a byte, so look again now and then.
                self._news.wait(min(left, 0.05))
            return True

    def close(self) -> None:
        """Unplugs for good and removes the port's path."""
        self.unplug()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _vanish(self) -> None:
        self._plugged = False
        self._path.unlink(missing_ok=True)
        os.write(self._wake_in, b".")
        self._news.notify_all()

    def _poke(self) -> None:
        if self._plugged:
            os.write(self._wake_in, b".")

    def _run(self, master: int, wake: int, others: tuple[int, int]) -> None:
        """Reads the wire until the cable is pulled, then hangs up.

        Only this thread closes the master, so it can never wait for a number that was given to
        another file in the meantime.
        """
        try:
            while True:
                with self._news:
                    if not self._plugged:
                        return
                    waited = [wake] if self._stalled else [master, wake]
                ready, _, _ = select.select(waited, [], [], self.tick_s)
                if wake in ready:
                    os.read(wake, 64)
                    continue
                with self._news:
                    if self._plugged and not self._stalled:
                        if master in ready:
                            self._fetch(master)
                        self.tick()
        finally:
            for opened in (master, wake, *others):
                os.close(opened)

    def _fetch(self, master: int) -> None:
        limit = 4096 if self._bytes_left is None else min(4096, self._bytes_left)
        if limit:
            data = os.read(master, limit)
            self.received += data
            del self.received[:-MOST_REMEMBERED]
            self.take(data)
            if self._bytes_left is not None:
                self._bytes_left -= len(data)
        if self._bytes_left == 0:
            self._vanish()
        self._news.notify_all()
