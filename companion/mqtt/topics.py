"""Under which names a table is told of at a broker."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    table: str
    """Its name, in letters that a topic may have."""
    prefix: str = "homeassistant"
    """Where Home Assistant looks for what it does not know yet."""

    @property
    def state(self) -> str:
        """How the table stands; kept by the broker."""
        return f"heelstone/{self.table}/state"

    @property
    def event(self) -> str:
        """What happens, one message each; not kept."""
        return f"heelstone/{self.table}/event"

    @property
    def availability(self) -> str:
        """``online`` or ``offline``; kept, and the last will."""
        return f"heelstone/{self.table}/availability"

    @property
    def device(self) -> str:
        """The table's id in Home Assistant."""
        return f"heelstone_{self.table}"

    @property
    def discovery(self) -> str:
        """Where Home Assistant is told of the table; kept."""
        return f"{self.prefix}/device/{self.device}/config"

    @property
    def birth(self) -> str:
        """Where Home Assistant says that it has started."""
        return f"{self.prefix}/status"
