"""Phones at the table, as screens need them: whether they are let in, and how each seat stands.

Free of Kivy, and of the server: that is loaded only when phones are turned on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class SeatState(StrEnum):
    """State of a seat."""

    FREE = "free"
    """Its code may be scanned."""
    WAITING = "waiting"
    """A phone has scanned it, and is not confirmed yet."""
    OPEN = "open"
    """A phone is there."""


@dataclass(frozen=True, slots=True)
class SeatPhone:
    """The phone of one seat."""

    state: SeatState = SeatState.FREE
    renewed: bool = False
    """True if a phone is there, and another one may take its place."""
    link: str = ""
    """Address in the seat's code; empty while no phone may claim it. Never for a log."""


@dataclass(frozen=True, slots=True)
class PhonesNow:
    """State of the phones."""

    on: bool = False
    """True if phones are let in, as people chose."""
    ready: bool = False
    """True if the pages can be opened."""
    trouble: str = ""
    """The trouble, as a code of errors; empty if all is well."""
    address: str = ""
    """Address for spectators; empty without a network."""
    name_address: str = ""
    """The same with the name of this computer."""
    seats: tuple[SeatPhone, ...] = ()
    """State of each seat; none if no match is on the table."""
    streams: int = 0
    """Number of open pages."""

    def has_phone(self, seat: int) -> bool:
        """True if a phone sits there that was let in."""
        return 0 <= seat < len(self.seats) and self.seats[seat].state is SeatState.OPEN

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose phones wait for the table's yes."""
        return tuple(n for n, one in enumerate(self.seats) if one.state is SeatState.WAITING)


class Phones(Protocol):
    """The phones as screens use them; every call returns at once."""

    @property
    def now(self) -> PhonesNow:
        """Present state."""

    def turn(self, on: bool, /) -> None:
        """Turns phones on or off, and remembers it."""

    def confirm(self, seat: int, /) -> None:
        """Confirms that the waiting phone belongs to the player of this seat."""

    def refuse(self, seat: int, /) -> None:
        """Refuses the waiting phone; the seat gets a new code."""

    def take_back(self, seat: int, /) -> None:
        """Shut out the phone of a seat, which gets a new code."""

    def renew(self, seat: int, /) -> None:
        """Show a code for another phone; the one that is there stays until the other is let in."""

    def lend(self, picture: bytes, /) -> None:
        """Shows everybody who watches the picture of the match, which is over, a PNG file."""

    def listen(self, callback: Callable[[], None], /) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
