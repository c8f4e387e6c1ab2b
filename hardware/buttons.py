"""Named buttons. Where a press comes from (GPIO pin, display key, screen) does not matter here.

The actions run one after the other in the buttons' own thread, so a slow action delays other
buttons, but never a display, a lamp or the pins.

Three things that fingers never mean are no presses: contacts that bounce, a second button that goes
down with the first (a sleeve, a palm), and a button that was down before anybody could press it.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hardware.status import Listener, Report, unheard

Action = Callable[[], None]
Borrower = Callable[[str, bool], None]
"""Hears the name of a button, and whether it was pressed or let go."""
log = logging.getLogger(__name__)

BOUNCE_S = 0.04
"""Let go and pressed again within so long: the contacts bounced. No finger is so quick."""
TOGETHER_S = 0.25
"""A button that goes down so soon after another one that is still down was not meant."""
STUCK_S = 30.0
"""A button that is down for so long is stuck, or its wires touch."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Something that happened to a button at the time `at` (s, monotonic)."""

    name: str
    pressed: bool
    at: float
    found: bool = False
    """It was not seen happening: the button was down already when we began to look."""


class Buttons:
    """The buttons of a table.

    `when_held` fires once, `hold_s` seconds after the press, while the button is still down;
    `when_pressed` has fired at the press already. A button that is down for `stuck_s` seconds is
    reported to the `listener` as `button_stuck`, and `ready` when it has come up.
    """

    def __init__(
        self,
        names: Iterable[str],
        *,
        hold_s: float = 1.0,
        stuck_s: float = STUCK_S,
        listener: Listener = unheard,
    ) -> None:
        self.names = tuple(names)
        self._hold_s = hold_s
        self._stuck_s = stuck_s
        self._listener = listener
        self._pressed_actions: dict[str, Action] = {}
        self._held_actions: dict[str, Action] = {}
        self._borrower: Borrower | None = None
        self._down: frozenset[str] = frozenset()
        self._presses = _Presses(hold_s, stuck_s)
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

    def change(self, name: str, pressed: bool, at: float | None = None) -> None:
        """Takes a press or a release from a source; returns at once. `at`: when (s, monotonic)."""
        if name in self.names:
            self._changes.put(_Change(name, pressed, time.monotonic() if at is None else at))

    def found_down(self, name: str) -> None:
        """A source began to look, and this button was down: nobody has pressed it just now."""
        if name in self.names:
            self._changes.put(_Change(name, True, time.monotonic(), found=True))

    def close(self) -> None:
        """Ends the thread after the actions that are waiting."""
        if self._thread.ident is not None:
            self._changes.put(None)
            self._thread.join()

    def _run(self) -> None:
        presses = self._presses
        while True:
            due = presses.next_due()
            wait_s = None if due is None else max(0.0, due - time.monotonic())
            try:
                change = self._changes.get(timeout=wait_s)
            except queue.Empty:
                now = time.monotonic()
                for name in presses.held(now):
                    self._act(name, self._held_actions)
                for name in presses.stuck(now):
                    self._listener(Report("button_stuck", {"button": name}))
                continue
            if change is None:
                return
            self._take(change)

    def _take(self, change: _Change) -> None:
        name, presses = change.name, self._presses
        self._down = self._down | {name} if change.pressed else self._down - {name}
        if self._borrower is not None:
            if presses.forget(change):
                self._tell_free()
            self._tell(self._borrower, change)
        elif not change.pressed:
            was_stuck = presses.is_stuck(name)
            # A slow action may have kept us from seeing in time that the hold was long enough.
            if presses.up(change):
                self._act(name, self._held_actions)
            if was_stuck:
                self._tell_free()
        elif presses.goes_down(change):
            self._act(name, self._pressed_actions)

    def _tell_free(self) -> None:
        """A stuck button has come up; another one may still be down."""
        still = self._presses.first_stuck()
        self._listener(
            Report("ready") if still is None else Report("button_stuck", {"button": still})
        )

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


class _Presses:
    """What presses and releases mean. Has no clock and no thread of its own."""

    def __init__(self, hold_s: float, stuck_s: float) -> None:
        self._hold_s, self._stuck_s = hold_s, stuck_s
        self._down_at: dict[str, float] = {}
        self._up_at: dict[str, float] = {}
        self._held_at: dict[str, float] = {}
        self._broken_off: dict[str, float] = {}
        self._stuck: set[str] = set()

    def next_due(self) -> float | None:
        """When (s, monotonic) time alone changes something."""
        dues = list(self._held_at.values())
        dues += [
            at + self._stuck_s for name, at in self._down_at.items() if name not in self._stuck
        ]
        return min(dues, default=None)

    def goes_down(self, change: _Change) -> bool:
        """Takes a press in; whether somebody meant it."""
        name, at = change.name, change.at
        if name in self._down_at:
            return False
        bounced = at - self._up_at.get(name, float("-inf")) < BOUNCE_S
        leaned = any(at - other < TOGETHER_S for other in self._down_at.values())
        self._down_at[name] = at
        due = self._broken_off.pop(name, None)
        if bounced and due is not None:
            # The finger never left it: it is still being held.
            self._held_at[name] = due
        if change.found or bounced or leaned:
            return False
        self._held_at[name] = at + self._hold_s
        return True

    def up(self, change: _Change) -> bool:
        """Takes a release in; whether the button was held without anybody having noticed."""
        self._up_at[change.name] = change.at
        self._down_at.pop(change.name, None)
        self._stuck.discard(change.name)
        due = self._held_at.pop(change.name, None)
        if due is None:
            return False
        if due > change.at:
            self._broken_off[change.name] = due
        return change.at >= due

    def forget(self, change: _Change) -> bool:
        """Somebody else has the buttons; whether one that was stuck has come up."""
        was_stuck = not change.pressed and change.name in self._stuck
        self._held_at.pop(change.name, None)
        self._down_at.pop(change.name, None)
        self._stuck.discard(change.name)
        return was_stuck

    def held(self, now: float) -> list[str]:
        """The buttons that have been down long enough at the time ``now``, each only once."""
        found = [name for name, due in self._held_at.items() if due <= now]
        for name in found:
            del self._held_at[name]
        return found

    def stuck(self, now: float) -> list[str]:
        """The buttons that turn out to be stuck at the time ``now``, each only once."""
        found = [
            name
            for name, at in self._down_at.items()
            if name not in self._stuck and at + self._stuck_s <= now
        ]
        self._stuck.update(found)
        return found

    def is_stuck(self, name: str) -> bool:
        """Whether this button was found to be stuck and is still down."""
        return name in self._stuck

    def first_stuck(self) -> str | None:
        """A button that is stuck, if there is one."""
        return min(self._stuck, default=None)
