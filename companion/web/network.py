"""Addresses of a table in its own network, and those that may reach it."""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import re
import socket
import struct
from pathlib import Path
from typing import Final

_SIOCGIFADDR: Final = 0x8915
"""Linux: the IPv4 address of an interface."""
_NEAR: Final = tuple(
    ipaddress.IPv4Network(net)
    for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
)
_FURTHER: Final = re.compile(r"-[0-9]{1,2}\.local\Z")
"""Suffix that avahi announces if another computer has the name already."""
_NOWHERE: Final = "192.0.2.1"
"""An address for documentation: the way there is looked up, and nothing is sent."""


def is_near(address: str) -> bool:
    """True if an IPv4 address is of a home's own network, or this machine's."""
    try:
        found = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    return any(found in net for net in _NEAR)


def own_addresses() -> tuple[str, ...]:
    """This machine's addresses in its own networks, the likeliest to be reached first; without
    127.0.0.1."""
    return tuple(one for one in addresses() if is_near(one))


def network_trouble() -> str:
    """Code of why no phone can reach this machine: ``phones_no_network``, or ``phones_not_private``
    where all its networks are public ones; empty: phones can."""
    if own_addresses():
        return ""
    return "phones_not_private" if addresses() else "phones_no_network"


def listening(port: int) -> socket.socket:
    """A socket that is bound to this port, on all networks. Raises OSError."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("0.0.0.0", port))
    except OSError:
        bound.close()
        raise
    return bound


def port_trouble(error: OSError) -> str:
    """Code of why a port cannot be opened: ``phones_port_taken``, ``phones_port_forbidden``."""
    forbidden = error.errno in (errno.EACCES, errno.EPERM)
    return "phones_port_forbidden" if forbidden else "phones_port_taken"


def addresses() -> tuple[str, ...]:
    """All addresses of this machine but 127.0.0.1, the likeliest to be reached first."""
    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_NOWHERE, 9))
            found[probe.getsockname()[0]] = None
        except OSError:
            pass  # without a way out there may still be a network
        for name in _interfaces():
            asked = struct.pack("256s", name.encode()[:15])
            try:
                told = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)
            except OSError:
                continue  # an interface without such an address
            found[socket.inet_ntoa(told[20:24])] = None
    return tuple(one for one in found if not one.startswith("127."))


def _interfaces() -> list[str]:
    """Names of this machine's interfaces. Asking for them by a socket of their own kind is more
    than the unit of a table may do."""
    try:
        return sorted(path.name for path in Path("/sys/class/net").iterdir())
    except OSError:
        return []


class Names:
    """Names of the table that a browser may use in the Host header.

    Another name that leads here belongs to a foreign page that had its name point to this machine
    (DNS rebinding).
    """

    def __init__(self, port: int, called: str = "") -> None:
        """``called``: what the settings call the table; without it, what the computer is called."""
        self._port = port
        own = socket.gethostname().partition(".")[0].lower()
        names = [f"{name}.local" for name in (called.lower(), own) if name]
        self.local = names[0] if names else ""
        """The name to be shown: ``kitchen.local``."""
        self._known = {"localhost", *names}

    def is_page(self, origin: str | None, host: str) -> bool:
        """True if the value of an Origin header, sent along with this Host, is our very page."""
        return origin == f"http://{host}"

    def knows(self, host: str, here: str) -> bool:
        """True if the value of a Host header is one of ours: the address ``here`` that was
        connected to, our ``.local`` name or localhost, with our port."""
        name, port = _split(host)
        asked = name.lower()
        known = asked in self._known or _FURTHER.sub(".local", asked) in self._known
        return port == self._port and bool(name) and (known or name == here)


def _split(host: str) -> tuple[str, int | None]:
    """Name and port; a browser leaves out port 80."""
    name, colon, port = host.rpartition(":")
    if not colon:
        name, port = host, "80"
    number = int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else None
    return name, number
