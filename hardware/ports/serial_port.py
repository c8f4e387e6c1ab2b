"""Serial ports: one protocol over pyserial, and a plain reason for a port that cannot be opened."""

from __future__ import annotations

import errno
import os
import re
import socket
import termios
from typing import Any, Protocol

import serial

from hardware.status import PortError, Report

MOST_AT_A_TIME = 4096
"""Bytes that one read returns from a network at most."""
READ_WAIT_S = 0.5
"""Maximum wait of one read; also how often an idle link wakes up."""
WRITE_TIMEOUT_S = 1.0
"""A device that takes no byte for this long counts as lost."""

_UNPLUGGED = (errno.EIO, errno.ENXIO, errno.ENODEV, errno.EBADF, errno.EPIPE)

_NETWORK = ("socket:", "rfc2217:")
_KINDS = ("loop", "socket", "rfc2217")
"""Addresses that only reach a device. pyserial knows others: one of them copies all that is said
into a file that the address names, whatever that held."""
_OPTIONS = ("ign_set_control", "poll_modem")
"""Allowed after a ``?``; others change the program's log, or how long it waits for an answer."""
_WRONG_ADDRESS = (ValueError, KeyError, TypeError, re.error)
"""Exceptions of pyserial for an address that is not of the form it expects."""


class SerialPort(Protocol):
    """An open port. Every method raises OSError when the device is gone."""

    def read(self) -> bytes:
        """The bytes that have arrived; waits up to READ_WAIT_S seconds for one, else b""."""

    def write(self, data: bytes) -> None:
        """Hands over all bytes within WRITE_TIMEOUT_S seconds."""

    def wake(self) -> None:
        """Makes a waiting `read` return early, where the platform can do that."""

    def close(self) -> None:
        """Closes the port; safe to call on a port whose device is gone."""


def open_port(url: str, baud: int) -> SerialPort:
    """Opens a device path, `loop://`, `socket://host:port` or `rfc2217://host:port`.

    `baud` is in bits per second, always 8N1. Raises PortError with a plain reason.
    """
    if not url:
        raise PortError("no_port")
    _check_address(url)
    try:
        port = serial.serial_for_url(
            url, baudrate=baud, timeout=READ_WAIT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
        )
    except (OSError, *_WRONG_ADDRESS, termios.error) as error:
        raise _port_error(url, error) from error
    return _PyserialPort(port, counts=not url.lower().startswith("socket:"))


def _check_address(url: str) -> None:
    """Raises PortError unless it is a device path, or an address that only reaches a device."""
    if "://" not in url:
        return
    kind, _, rest = url.partition("://")
    if kind not in _KINDS:
        reason = "it is neither a device nor one of loop://, socket:// and rfc2217://"
        raise PortError("port_failed", port=url, reason=reason)
    # pyserial ignores everything after a ``#``, and so does this.
    _, _, options = rest.partition("#")[0].partition("?")
    odd = [name for name in re.split("[&;]", options) if name and name not in _OPTIONS]
    if odd:
        reason = f"of options only {' and '.join(_OPTIONS)} are possible"
        raise PortError("port_failed", port=url, reason=reason)


def why_gone(url: str, error: OSError) -> Report:
    """The report on a device whose open port raised this error."""
    if isinstance(error, serial.SerialTimeoutException):
        return Report("stalled", {"port": url})
    # pyserial wraps what a write ran into, and leaves the number behind.
    number = error.errno or getattr(error.__context__, "errno", None)
    if number in _UNPLUGGED or "readiness to read but returned no data" in str(error):
        return Report("unplugged", {"port": url})
    return Report("lost", {"port": url, "reason": _plain_reason(error)})


class _PyserialPort:
    """`SerialPort` over pyserial. It never touches modem lines: a pty has none."""

    def __init__(self, port: serial.SerialBase, *, counts: bool) -> None:
        """``counts``: True if it knows how many bytes are waiting, and not only that some are."""
        # Every kind of port has `in_waiting`, but the stub of the common base does not say so.
        self._port: Any = port
        self._counts = counts

    def read(self) -> bytes:
        with _gone_is_oserror():
            first: bytes = self._port.read(1)
            if not first:
                return first
            if not self._counts:
                return first + self._at_hand()
            waiting: int = self._port.in_waiting
            return first + self._port.read(waiting) if waiting else first

    def _at_hand(self) -> bytes:
        """Bytes that a network has already brought; byte by byte it would take far longer."""
        if not self._port.in_waiting:
            return b""
        self._port.timeout = 0
        try:
            found: bytes = self._port.read(MOST_AT_A_TIME)
            return found
        finally:
            self._port.timeout = READ_WAIT_S

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
    """pyserial lets termios.error through, which is not an OSError although it means the same."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, termios.error):
            raise OSError(*error.args) from error


def _port_error(url: str, error: Exception) -> PortError:
    code = error.errno if isinstance(error, OSError) else None
    # socket:// hides what really happened behind its own error.
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
