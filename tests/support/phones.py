"""Phones without a server, for the tests of screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.presentation.phones import PhonesNow, SeatPhone, SeatState
from companion.signals import Signal

ADDRESS = "http://192.168.178.45:8750/"


class FakePhones:
    """Does at once what is asked, and remembers it."""

    def __init__(self, seats: int = 0, *, on: bool = True) -> None:
        self.now = PhonesNow(on=False, seats=tuple(SeatPhone() for _seat in range(seats)))
        self.asked: list[str] = []
        self._changed = Signal[[]]()
        for seat in range(seats):
            self.put(seat, SeatState.FREE)
        if on:
            self.turn(True)
            self.asked.clear()

    def put(self, seat: int, state: SeatState, *, renewed: bool = False) -> None:
        """Say how a seat stands."""
        coded = renewed or state is SeatState.FREE
        link = f"{ADDRESS}hand#{seat}cKz9mTtv6Q3fXw0R8bNyg" if coded else ""
        seats = list(self.now.seats)
        seats[seat] = SeatPhone(state, renewed, link)
        self.set(seats=tuple(seats))

    def set(self, **changes: object) -> None:
        """Change what is to be seen, and tell who listens."""
        self.now = replace(self.now, **changes)  # type: ignore[arg-type]
        self._changed()

    def turn(self, on: bool) -> None:
        self.asked.append("on" if on else "off")
        self.set(on=on, ready=on, address=ADDRESS if on else "", trouble="")

    def confirm(self, seat: int) -> None:
        self.asked.append(f"confirm {seat}")
        self.put(seat, SeatState.OPEN)

    def refuse(self, seat: int) -> None:
        self.asked.append(f"refuse {seat}")
        self.put(seat, SeatState.FREE)

    def take_back(self, seat: int) -> None:
        self.asked.append(f"take back {seat}")
        self.put(seat, SeatState.FREE)

    def renew(self, seat: int) -> None:
        self.asked.append(f"renew {seat}")
        self.put(seat, SeatState.OPEN, renewed=True)

    def lend(self, picture: bytes) -> None:
        self.asked.append(f"lend {len(picture) > 0}")

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        return self._changed.add(callback)
