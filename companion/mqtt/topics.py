"""Topics of a table at a broker."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    table: str
    """Its name, in letters that a topic may have."""
    prefix: str = "homeassistant"
    """Prefix under which Home Assistant looks for new devices."""

    @property
    def state(self) -> str:
        """Topic of the table's state; kept by the broker."""
        return f"heelstone/{self.table}/state"

    @property
    def event(self) -> str:
        """Topic of events, one message each; not kept."""
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
        """Topic of the table's description for Home Assistant; kept."""
        return f"{self.prefix}/device/{self.device}/config"

    @property
    def birth(self) -> str:
        """Topic under which Home Assistant announces that it has started."""
        return f"{self.prefix}/status"
