"""A server of pages that only remembers what it was asked, for tests of turning phones on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from companion.presentation.phones import SeatState
from companion.signals import Signal


class _Seats:
    def __init__(self, changed: Callable[[], None]) -> None:
        self.states: dict[int, SeatState] = {}
        self._changed = changed

    def put(self, seat: int, state: SeatState) -> None:
        self.states[seat] = state
        self._changed()

    def state(self, seat: int) -> SeatState:
        return self.states.get(seat, SeatState.FREE)

    def renewed(self, _seat: int) -> bool:
        return False

    def waiting(self) -> tuple[int, ...]:
        return tuple(seat for seat, state in self.states.items() if state is SeatState.WAITING)

    def confirm(self, seat: int) -> None:
        self.put(seat, SeatState.OPEN)


class TableServer:
    """Every one that was made is in ``made``; ``next_trouble`` is what the next one starts with."""

    made: ClassVar[list[TableServer]] = []
    next_trouble: ClassVar[str] = ""

    def __init__(
        self, port: int, lang: str, kept: Path, aliases: Any = None, called: str = "",
        host: Any = None,
    ) -> None:  # fmt: skip
        self.port, self.lang, self.kept, self.trouble = port, lang, kept, ""
        self.followed: list[Any] = []
        self.open = False
        self.phones = 0
        self._changed = Signal[[]]()
        self.seats = _Seats(self._changed)
        type(self).made.append(self)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/" if self.open else ""

    name_address = ""

    def link(self, seat: int) -> str:
        return f"{self.address}hand#{seat}"

    def start(self) -> str:
        self.trouble = type(self).next_trouble
        self.open = not self.trouble
        return self.trouble

    def follow(self, session: Any) -> None:
        self.followed.append(session)

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        return self._changed.add(callback)

    def close(self) -> None:
        self.open = False
