"""Named buttons. Where a press comes from (GPIO pin, display key, screen) does not matter here.

The actions run one after the other in the buttons' own thread, so a slow action delays other
buttons, but never a display, a lamp or the pins.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Action = Callable[[], None]
Borrower = Callable[[str, bool], None]
"""Hears the name of a button, and whether it was pressed or let go."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Change:
    """Something that happened to a button at the time `at` (s, monotonic)."""

    name: str
    pressed: bool
    at: float


class Buttons:
    """The buttons of a table.

    `when_held` fires once, `hold_s` seconds after the press, while the button is still down;
    `when_pressed` has fired at the press already.
    """

    def __init__(self, names: Iterable[str], *, hold_s: float = 1.0) -> None:
        self.names = tuple(names)
        self._hold_s = hold_s
        self._pressed_actions: dict[str, Action] = {}
        self._held_actions: dict[str, Action] = {}
        self._borrower: Borrower | None = None
        self._down: frozenset[str] = frozenset()
        self._changes: queue.SimpleQueue[_Change | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="heelstone-buttons", daemon=True)
        if self.names:
            self._thread.start()

    def when_pressed(self, name: str, action: Action) -> None:
        """Replaces what happens at a press. A name this table has no button for is fine."""
        self._pressed_actions[name] = action

    def when_held(self, name: str, action: Action) -> None:
        """Replaces what happens when the button is held for `hold_s` seconds."""
        self._held_actions[name] = action

    @property
    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""
        return self._down

    def borrow(self, borrower: Borrower) -> Callable[[], None]:
        """While somebody else has the buttons no action happens; gives the way to end that.

        The borrower is called in the buttons' own thread.
        """
        self._borrower = borrower

        def give_back() -> None:
            if self._borrower is borrower:
                self._borrower = None

        return give_back

    def change(self, name: str, pressed: bool) -> None:
        """Takes a press or a release from a source; returns at once."""
        if name in self.names:
            self._changes.put(_Change(name, pressed, time.monotonic()))

    def close(self) -> None:
        """Ends the thread after the actions that are waiting."""
        if self._thread.ident is not None:
            self._changes.put(None)
            self._thread.join()

    def _run(self) -> None:
        held_at: dict[str, float] = {}
        down: set[str] = set()
        while True:
            wait_s = max(0.0, min(held_at.values()) - time.monotonic()) if held_at else None
            try:
                change = self._changes.get(timeout=wait_s)
            except queue.Empty:
                now = time.monotonic()
                for name in [name for name, due in held_at.items() if due <= now]:
                    del held_at[name]
                    self._act(name, self._held_actions)
                continue
            if change is None:
                return
            self._down = (
                self._down | {change.name} if change.pressed else self._down - {change.name}
            )
            if self._borrower is not None:
                held_at.pop(change.name, None)
                down.discard(change.name)
                self._tell(self._borrower, change)
            elif not change.pressed:
                down.discard(change.name)
                # A slow action may have kept us from seeing in time that the hold was long enough.
                if change.at >= held_at.pop(change.name, change.at + 1):
                    self._act(change.name, self._held_actions)
            elif change.name not in down:
                down.add(change.name)
                held_at[change.name] = change.at + self._hold_s
                self._act(change.name, self._pressed_actions)

    def _tell(self, borrower: Borrower, change: _Change) -> None:
        try:
            borrower(change.name, change.pressed)
        except Exception:
            log.exception("Whoever borrowed button '%s' failed; it stays in use.", change.name)

    def _act(self, name: str, actions: dict[str, Action]) -> None:
        action = actions.get(name)
        if action is None:
            return
        try:
            action()
        except Exception:
            log.exception("The action of button '%s' failed; the button stays in use.", name)
