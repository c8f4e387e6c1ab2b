"""What presses and releases mean. No clock and no thread here.

Four things that fingers never mean are not presses: contacts that bounce, a second button going
down with the first (a sleeve, a palm), a button that was down before anybody could press it, and
one that flutters because its contact is loose or its device has gone mad.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

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
    """Something that happened to a button at the time `at` (s, monotonic)."""

    name: str
    pressed: bool
    at: float
    found: bool = False
    """It was not seen happening: the button was down already when we began to look."""


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
        """When (s, monotonic) each button went down lately, by whether it bounced."""
        self._fluttering: dict[str, float] = {}
        """Buttons that flutter, and when (s, monotonic) each of them will have rested."""
        self._new_flutter = ""

    def next_due(self) -> float | None:
        """When (s, monotonic) time alone changes something."""
        dues = [*self._held_at.values(), *self._fluttering.values()]
        dues += [
            at + self._stuck_s for name, at in self._down_at.items() if name not in self._stuck
        ]
        return min(dues, default=None)

    def goes_down(self, change: Change) -> bool:
        """Records a press; whether somebody meant it."""
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
        """Records a release; whether the button was held without anybody having noticed."""
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
        """Records that a button goes down; whether it does so too often for a finger."""
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
