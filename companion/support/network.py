"""The network of an installed table: shut until something is turned on that needs it.

The table's own user may open nothing. It writes one word into a file; a unit of root
(``systemd/heelstone-network.sh``) opens the local network to the table's unit, or shuts it.
"""

from __future__ import annotations

import ipaddress
import logging
from contextlib import suppress
from pathlib import Path

from companion.settings.writing import write_whole

log = logging.getLogger(__name__)

WANTED_FILE = "network-wanted"
UNITS = "etc/systemd/system"
RULES = "heelstone.service.d/network.conf"
"""Rules of what is open; the same for both units of a table."""

Net = ipaddress.IPv4Network | ipaddress.IPv6Network


class Network:
    """``state``: the folder of the table; ``root``: where the system is."""

    def __init__(self, state: Path, root: Path = Path("/")) -> None:
        self._wanted = state / WANTED_FILE
        self._rules = root / UNITS / RULES
        installed = state == root / "var/lib/heelstone"
        self.guarded = installed and (root / UNITS / "heelstone-network.path").exists()
        """True at an installed table, whose network is opened by another unit."""

    def want(self, needed: bool) -> None:
        """Asks that the local network be open, or shut; does nothing where it is so already."""
        if not self.guarded or needed == self.is_open:
            return
        try:
            write_whole(self._wanted, "open\n" if needed else "closed\n")
        except OSError as error:
            log.warning("the network cannot be asked for: %s", error)

    @property
    def is_open(self) -> bool:
        """True if the table and its local network reach each other."""
        return not self.guarded or self._rules.exists()

    def admits(self, address: str) -> bool:
        """True if the table may speak with this address."""
        if not self.guarded:
            return True
        found = ipaddress.ip_address(address.partition("%")[0])
        return found.is_loopback or any(
            found.version == net.version and found in net for net in self._nets()
        )

    def _nets(self) -> list[Net]:
        try:
            lines = self._rules.read_text(encoding="ascii").splitlines()
        except OSError:
            return []
        nets: list[Net] = []
        for line in lines:
            key, _equals, value = line.partition("=")
            for word in value.split() if key == "IPAddressAllow" else ():
                with suppress(ValueError):
                    nets.append(ipaddress.ip_network(word, strict=False))
        return nets
