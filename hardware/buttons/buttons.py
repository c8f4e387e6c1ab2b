"""Named buttons. Where a press comes from (GPIO pin, display key, screen) does not matter here.

The actions run one after the other in the buttons' own thread, so a slow action delays other
buttons, but never a display, a lamp or the pins.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hardware.status import Listener, Report, unheard
from hardware.supervised_thread import InboxThread, tell_failure

# The meaning of presses and releases. No clock and no thread here.
#
# Four things that fingers never mean are not presses: contacts that bounce, a second button going
# down with the first (a sleeve, a palm), a button that was down from the start, and one that
# flutters because its contact is loose or its device has gone mad.

BOUNCE_S = 0.04
"""Released and pressed again within this time: the contacts bounced. No finger is so quick."""
TOGETHER_S = 0.25
"""A button that goes down this soon after another one that is still down was not meant."""
STUCK_S = 30.0
"""A button that is down for this long is stuck, or its wires touch."""
FLUTTERS = 8
MOST_BOUNCES = 64
FLUTTERS_S = 1.0
"""A button that goes down so often in this time, or bounces so often, is not pressed by a finger.
It counts again once it has not changed for as long."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a button at the time `at` (s, monotonic)."""

    name: str
    pressed: bool
    at: float
    found: bool = False
    """True if it was not seen: the button was down already when its source began to look."""


class Presses:
    """The buttons of a table: which are down, since when, and which of them are held or stuck."""

    def __init__(self, hold_s: float, stuck_s: float) -> None:
        self._hold_s, self._stuck_s = hold_s, stuck_s
        self._down_at: dict[str, float] = {}
        self._up_at: dict[str, float] = {}
        self._held_at: dict[str, float] = {}
        self._broken_off: dict[str, float] = {}
        self._stuck: set[str] = set()
        self._downs: dict[tuple[str, bool], deque[float]] = {}
        """Times (s, monotonic) at which each button went down lately, by whether it bounced."""
        self._fluttering: dict[str, float] = {}
        """Buttons that flutter, and when (s, monotonic) each of them will have rested."""
        self._new_flutter = ""

    def next_due(self) -> float | None:
        """Time (s, monotonic) of the next change without a press or release, if any."""
        dues = [*self._held_at.values(), *self._fluttering.values()]
        dues += [
            at + self._stuck_s for name, at in self._down_at.items() if name not in self._stuck
        ]
        return min(dues, default=None)

    def goes_down(self, change: Change) -> bool:
        """Records a press; True if it was meant."""
        name, at = change.name, change.at
        if name in self._down_at:
            return False
        bounced = at - self._up_at.get(name, float("-inf")) < BOUNCE_S
        flutters = self._is_fluttering(change, bounced)
        leaned = any(at - other < TOGETHER_S for other in self._down_at.values())
        self._down_at[name] = at
        due = self._broken_off.pop(name, None)
        if bounced and due is not None:
            # The finger never left it: it is still being held.
            self._held_at[name] = due
        if change.found or bounced or leaned or flutters:
            return False
        self._held_at[name] = at + self._hold_s
        return True

    def up(self, change: Change) -> bool:
        """Records a release; True if the button was held long enough, unnoticed so far."""
        self._up_at[change.name] = change.at
        if change.name in self._fluttering:
            self._fluttering[change.name] = change.at + FLUTTERS_S
        self._down_at.pop(change.name, None)
        self._stuck.discard(change.name)
        due = self._held_at.pop(change.name, None)
        if due is None:
            return False
        if due > change.at:
            self._broken_off[change.name] = due
        return change.at >= due

    def forget(self, change: Change) -> bool:
        """Forgets a button that is lent at present; True if one that was stuck has come up."""
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
        """True if this button was found to be stuck and is still down."""
        return name in self._stuck

    def first_stuck(self) -> str | None:
        """A button that is stuck, if there is one."""
        return min(self._stuck, default=None)

    def begins_to_flutter(self) -> str:
        """A button that has just begun to flutter, each only once; empty if none has."""
        name, self._new_flutter = self._new_flutter, ""
        return name

    def rested(self, now: float) -> list[str]:
        """The buttons that have ceased to flutter at the time ``now``, each only once."""
        found = [name for name, due in self._fluttering.items() if due <= now]
        for name in found:
            del self._fluttering[name]
        return found

    def first_fluttering(self) -> str | None:
        """A button that flutters, if there is one."""
        return min(self._fluttering, default=None)

    def _is_fluttering(self, change: Change, bounced: bool) -> bool:
        """Records that a button goes down; True if it does so too often for a finger."""
        name, at, most = change.name, change.at, MOST_BOUNCES if bounced else FLUTTERS
        downs = self._downs.setdefault((name, bounced), deque(maxlen=most))
        downs.append(at)
        if name not in self._fluttering:
            if len(downs) < most or at - downs[0] > FLUTTERS_S:
                return False
            self._new_flutter = name
            self._held_at.pop(name, None)
            self._broken_off.pop(name, None)
        self._fluttering[name] = at + FLUTTERS_S
        return True


Action = Callable[[], None]
Borrower = Callable[[str, bool], None]
"""Hears the name of a button, and whether it was pressed or released."""
MOST_WAITING = 256
"""Most changes that wait to be handled; hands bring about a few, a mad device thousands."""


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
        """Reports a button that was down when its source began to look: not a press."""
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
