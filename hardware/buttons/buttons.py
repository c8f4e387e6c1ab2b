"""Named buttons. Where a press comes from (GPIO pin, display key, screen) does not matter here.

The actions run one after the other in the buttons' own thread, so a slow action delays other
buttons, but never a display, a lamp or the pins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from hardware.buttons.presses import STUCK_S, Change, Presses
from hardware.status import Listener, Report, unheard
from hardware.supervised_thread import InboxThread, tell_failure

Action = Callable[[], None]
Borrower = Callable[[str, bool], None]
"""Hears the name of a button, and whether it was pressed or released."""
MOST_WAITING = 256
"""Changes that nobody has looked at yet; hands bring about a few, a mad device thousands."""


class Buttons:
    """The buttons of a table.

    `when_held` fires once, `hold_s` seconds after the press, while the button is still down;
    `when_pressed` has already fired at the press. A button that is down for `stuck_s` seconds is
    reported to the `listener` as `button_stuck`, and `ready` when it has come up. One that goes up
    and down as no finger could is reported as `button_flutters` and does nothing until it rests.
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
        self._presses = Presses(hold_s, stuck_s)
        self._lost: dict[str, Change] = {}
        """The newest change of each button for which there was no room."""
        self._thread = InboxThread(
            "heelstone-buttons", self._take_all, tick=self._look_at_the_clock, due=self._due
        )
        if self.names:
            self._thread.start()

    def when_pressed(self, name: str, action: Action) -> None:
        """Replaces what happens at a press. A name that no button of this table has is fine."""
        self._pressed_actions[name] = action

    def when_held(self, name: str, action: Action) -> None:
        """Replaces what happens when the button is held for `hold_s` seconds."""
        self._held_actions[name] = action

    @property
    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""
        return self._down

    def borrow(self, borrower: Borrower) -> Callable[[], None]:
        """Hands the buttons over; no action happens until the returned function is called.

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
            self._put(Change(name, pressed, time.monotonic() if at is None else at))

    def found_down(self, name: str) -> None:
        """A source began to look, and this button was down: nobody has just pressed it."""
        if name in self.names:
            self._put(Change(name, True, time.monotonic(), found=True))

    def close(self) -> None:
        """Ends the thread after the actions that are waiting."""
        self._thread.close()

    def _put(self, change: Change) -> None:
        if self._thread.waiting < MOST_WAITING:
            self._thread.put(change)
        else:
            self._lost[change.name] = change

    def _due(self) -> float | None:
        due = self._presses.next_due()
        return None if due is None else due - time.monotonic()

    def _look_at_the_clock(self) -> None:
        now, presses = time.monotonic(), self._presses
        for name in presses.held(now):
            self._act(name, self._held_actions)
        for name in presses.stuck(now):
            self._listener(Report("button_stuck", {"button": name}))
        if presses.rested(now):
            self._tell_free()

    def _take_all(self, change: Change) -> None:
        self._take(change)
        while self._lost and not self._thread.waiting:
            # Only where it ended matters of what there was no room for.
            _name, last = self._lost.popitem()
            self._take(replace(last, found=True))

    def _take(self, change: Change) -> None:
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
        if flutters := presses.begins_to_flutter():
            self._listener(Report("button_flutters", {"button": flutters}))

    def _tell_free(self) -> None:
        """A button is well again; another one may still be stuck or flutter."""
        stuck, flutters = self._presses.first_stuck(), self._presses.first_fluttering()
        if stuck is not None:
            self._listener(Report("button_stuck", {"button": stuck}))
        elif flutters is not None:
            self._listener(Report("button_flutters", {"button": flutters}))
        else:
            self._listener(Report("ready"))

    def _tell(self, borrower: Borrower, change: Change) -> None:
        try:
            borrower(change.name, change.pressed)
        except Exception as error:
            tell_failure(error)

    def _act(self, name: str, actions: dict[str, Action]) -> None:
        action = actions.get(name)
        if action is None:
            return
        try:
            action()
        except Exception as error:
            tell_failure(error)
