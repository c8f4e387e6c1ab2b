"""Other tables of a club, as a test says: who is there, who invites, who answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.club.eligibility import suits, usual
from companion.presentation.remote_table import Invitation, TableThere, TogetherNow
from companion.settings.people import MatchSetup
from companion.signals import Signal

MATCH = "0123456789abcdef01234567"


class FakeTables:
    """Remembers what was asked for."""

    own_name = "north"

    def __init__(self, *tables: str, connected: bool = True) -> None:
        self.now = TogetherNow(connected, tuple(TableThere(name, False) for name in tables))
        self.asked: list[str] = []
        self._changed = Signal[[]]()

    def set(self, **changes: object) -> None:
        """Changes the state."""
        self.now = replace(self.now, **changes)  # type: ignore[arg-type]
        self._changed()

    def invited_by(self, table: str, plan: MatchSetup, here: tuple[int, ...] = (1,)) -> None:
        """Another table invites this one."""
        self.set(received=Invitation(MATCH, table, plan, here))

    def answer(self, answer: str) -> None:
        """The table that was invited answers."""
        assert self.now.sent is not None
        self.set(sent=replace(self.now.sent, answer=answer))

    def knows(self, game: str, /) -> bool:
        return suits(usual(game))

    def suits(self, plan: MatchSetup, /) -> bool:
        return suits(plan)

    def look(self, on: bool, /) -> None:
        self.asked.append("look" if on else "look away")

    def invite(self, table: str, plan: MatchSetup, here: tuple[int, ...], /) -> None:
        self.asked.append(f"invite {table}")
        self.set(sent=Invitation(MATCH, table, plan, here))

    def withdraw(self) -> None:
        self.asked.append("withdraw")
        self.set(sent=None)

    def refuse(self) -> None:
        self.asked.append("refuse")
        self.set(received=None)

    def listen(self, callback: Callable[[], None], /) -> Callable[[], None]:
        return self._changed.add(callback)
