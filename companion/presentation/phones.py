"""Phones at the table, as screens need them: whether they are let in, and how each seat stands.

Free of Kivy, and of the server: that is loaded only when somebody turns it on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class SeatState(StrEnum):
    """How a seat stands."""

    FREE = "free"
    """Its code may be scanned."""
    WAITING = "waiting"
    """A phone has scanned it, and nobody has said yes yet."""
    OPEN = "open"
    """A phone is there."""


@dataclass(frozen=True, slots=True)
class SeatPhone:
    """The phone of one seat."""

    state: SeatState = SeatState.FREE
    renewed: bool = False
    """A phone is there, and another one may take its place."""
    link: str = ""
    """What the seat's code says; empty while no phone may claim it. Never for a log."""


@dataclass(frozen=True, slots=True)
class PhonesNow:
    """How things stand."""

    on: bool = False
    """Whether phones are let in, as people chose."""
    ready: bool = False
    """Whether the pages can be opened."""
    trouble: str = ""
    """The trouble, as a code of errors; empty if all is well."""
    address: str = ""
    """Where spectators look; empty without a network."""
    name_address: str = ""
    """The same with the name of this computer."""
    seats: tuple[SeatPhone, ...] = ()
    """By seat; none if no match is on the table."""
    streams: int = 0
    """How many pages are open."""

    def has_phone(self, seat: int) -> bool:
        """Whether a phone sits there that was let in."""
        return 0 <= seat < len(self.seats) and self.seats[seat].state is SeatState.OPEN

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose phones wait for the table's yes."""
        return tuple(n for n, one in enumerate(self.seats) if one.state is SeatState.WAITING)


class Phones(Protocol):
    """What screens ask of the phones; everything returns at once."""

    @property
    def now(self) -> PhonesNow:
        """How things stand."""

    def turn(self, on: bool, /) -> None:
        """Let phones in, or no more; it is remembered."""

    def confirm(self, seat: int, /) -> None:
        """The phone that waits belongs to whoever sits there."""

    def refuse(self, seat: int, /) -> None:
        """It does not; the seat gets a new code."""

    def take_back(self, seat: int, /) -> None:
        """Shut out the phone of a seat, which gets a new code."""

    def renew(self, seat: int, /) -> None:
        """Show a code for another phone; the one that is there stays until the other is let in."""

    def listen(self, callback: Callable[[], None], /) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
