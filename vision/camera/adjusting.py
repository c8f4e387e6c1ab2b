"""A camera that adjusts itself to light and distance, until its pictures may be read.

Exposure, white balance and focus are *quantities* of one kind: the camera searches for each, it
tells in its own words or by its figures how far it has come, and what is found is held, or a hand
would refocus the camera and a white sleeve darken the board. What is not known counts as not found.
After a while the pictures are read all the same; what was not found by then stays with the camera,
people are told, and it is held if it is found later.

Nothing is held or begun anew while a hand is over the board; whoever looks at the pictures says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from vision.camera.frames import ADJUSTED, Condition, Quantity

STILL_FRAMES = 10
"""A quantity is found when it has stood still for so many frames in a row …"""
STILL_S, UNTOLD_STILL_S = 0.4, 2.0
"""… and for so long; longer if only its figures tell: they also stand before a search begins."""

TOLERANCE: Mapping[Quantity, float] = {"exposure": 0.03, "white_balance": 0.01, "focus": 0.03}
"""Share of a figure, or of one if it is smaller, by which it may differ while it stands still.
White balance creeps: within a hundredth for ten frames it is within a fortieth of its aim."""

LIMIT_S = 8.0
"""Seconds after which pictures are read, whatever was found."""
FOCUS_AFTER_S = 3.0
"""Seconds that white balance and focus wait for an exposure, which they need to see anything."""

MOST_SEARCHES = 3
"""Searches that may fail before a quantity is left to the camera."""
STALE_S = 1.0
"""A camera goes on telling of the last failure for so long after it was asked to search again."""

JUDGE_FRAMES = 12
"""Frames after which it is judged whether holding a quantity has changed it …"""
HOLD_CHANGES = 0.15
"""… by more than this share: drivers that tell made-up figures turn the picture black or white. It
is left to the camera then."""

LIGHT_CHANGE, LIGHT_LASTS_S = 1.7, 5.0
"""Brighter or darker by this factor for so long, with no hand over the board, is another lamp or
the evening; exposure and white balance are searched for again. Nothing is read meanwhile."""

BLURRED = 0.15
"""Sharpness (``vision.pieces.sighting``) below which the board is blurred."""
BLUR_LASTS_S = 5.0
"""A still board that is blurred, or that was not found, for so long is focused again …"""
REFOCUS_S, MOST_REFOCUS_S = 20.0, 640.0
"""… but no sooner than after this time, which doubles each time until the board is seen sharply."""


class State(Enum):
    """A camera's own word on a quantity."""

    SEARCHING = auto()
    FOUND = auto()
    FAILED = auto()


class Do(Enum):
    """An order to a camera about a quantity."""

    SEARCH = auto()
    """Search for it anew."""
    HOLD = auto()
    """Keep it as it is in this frame."""
    LEAVE = auto()
    """Do with it what it likes from now on."""


@dataclass(frozen=True, slots=True)
class Told:
    """A camera's evidence of a quantity in one frame."""

    figures: tuple[float, ...] = ()
    """They stand still once it is found; empty: there are none."""
    state: State | None = None
    """None: the camera has no word for it."""


class Adjusting:
    """Follows the search of one camera that was just opened; see the module.

    Made and stepped in the camera's thread; ``looked`` and ``ask`` may be called from any.
    """

    def __init__(self, quantities: Iterable[Quantity], hold: bool, now_s: float) -> None:
        """``quantities``: those that this camera adjusts itself. ``hold``: hold what is found."""
        self._all = [_Searched(name) for name in quantities]
        self._hold = hold
        self.condition: Condition = Condition(ready=False) if self._all else ADJUSTED
        self._since_s, self._searching = now_s, bool(self._all)
        self._asked = False
        self._hand = self._rests = False
        """True if a hand is over the board, or something moves; and if it is a hand that rests."""
        self._held_light: float | None = None
        """Mean brightness since the exposure is held for good; None while it is not."""
        self._odd = False
        """True if the light of this frame is another, be it only of a sleeve …"""
        self._odd_since_s: float | None = None
        """… and since when without a hand."""
        self._unclear_since_s: float | None = None
        self._refocused_s, self._refocus_s = -math.inf, REFOCUS_S
        self._sharp: bool | None = None
        """True if the board is seen sharply, False if it is blurred; None if that is not known."""
        self._lost = False
        """True if there is no board in a still picture."""

    @property
    def curious(self) -> bool:
        """True if it needs to know what the camera tells of this frame."""
        return self._asked or any(not one.done(self._hold) or one.judge_in for one in self._all)

    def looked(self, *, hand: bool, still: bool, sharpness: float | None) -> None:
        """Take what was seen in the newest frame. ``sharpness``: None if no board was seen."""
        # A lens that moves makes the whole picture move, which looks like a hand at first.
        self._hand, self._rests = hand, hand and still
        self._sharp = None if hand or sharpness is None else sharpness >= BLURRED
        self._lost = still and not hand and sharpness is None

    def ask(self) -> None:
        """People want everything searched for anew."""
        self._asked = True

    def step(
        self, told: Mapping[Quantity, Told], light: float, now_s: float
    ) -> list[tuple[Quantity, Do]]:
        """Orders to the camera after a frame; mostly none. ``told``: nothing if it was not asked.
        ``light``: the frame's mean brightness."""
        light = max(light, 1.0)
        if self._asked and not self._hand:
            self._asked, self._refocus_s = False, REFOCUS_S
            self._begin(("exposure", "white_balance", "focus"), now_s)
        self._notice_light(light, now_s)
        self._notice_blur(now_s)
        orders: list[tuple[Quantity, Do]] = []
        blind = self._waits_for_exposure(now_s)
        for one in self._all:
            # White balance is given back at once; the lens waits until there is something to see.
            waits = blind and (one.name == "focus" or (one.name == "white_balance" and one.begun))
            if one.name in told and not waits:
                one.spoilt |= self._rests
                blurred = one.name == "focus" and self._sharp is False
                do = one.step(told[one.name], now_s, self._hand, blurred, hold=self._hold)
                if do is not None:
                    orders.append((one.name, do))
            if one.name == "exposure":
                sure = one.held and not one.judge_in
                self._held_light = (self._held_light or light) if sure else None
        self._judge(now_s)
        return orders

    def _waits_for_exposure(self, now_s: float) -> bool:
        exposure = next((one for one in self._all if one.name == "exposure"), None)
        waited = now_s - self._since_s > FOCUS_AFTER_S
        return exposure is not None and not (exposure.found or exposure.left or waited)

    def _judge(self, now_s: float) -> None:
        if self._searching:
            late = now_s - self._since_s >= LIMIT_S
            if not (late or all(one.done(self._hold) for one in self._all)):
                self.condition = Condition(False, searching=self._lacking)
                return
            self._searching = False
        if self._odd:
            # Held for another light, the picture may be white or black all over.
            self.condition = Condition(False, self.condition.missing)
            return
        if self._hand:
            # Nothing can be found below it, which is no fault of the camera.
            self.condition = Condition(True, self.condition.missing)
            return
        self.condition = Condition(True, self._lacking)

    @property
    def _lacking(self) -> tuple[Quantity, ...]:
        return tuple(one.name for one in self._all if not one.found)

    def _begin(self, names: Iterable[Quantity], now_s: float) -> None:
        self._since_s = now_s
        self._odd, self._odd_since_s, self._unclear_since_s = False, None, None
        for place, one in enumerate(self._all):
            if one.name in names:
                self._all[place] = _Searched(one.name)
        self.condition, self._searching = Condition(ready=False), True

    def _notice_light(self, light: float, now_s: float) -> None:
        held = self._held_light or light
        self._odd = max(light / held, held / light) >= LIGHT_CHANGE
        if self._hand or not self._odd:
            self._odd_since_s = None
        elif self._odd_since_s is None:
            self._odd_since_s = now_s
        elif now_s - self._odd_since_s > LIGHT_LASTS_S:
            # The focus stays: the board has not come nearer.
            self._begin(("exposure", "white_balance"), now_s)

    def _notice_blur(self, now_s: float) -> None:
        if self._sharp:
            self._refocus_s = REFOCUS_S
        unclear = self._sharp is False or self._lost
        if not unclear or not any(o.name == "focus" and o.held for o in self._all):
            self._unclear_since_s = None
        elif self._unclear_since_s is None:
            self._unclear_since_s = now_s
        elif (
            now_s - self._unclear_since_s > BLUR_LASTS_S
            and now_s - self._refocused_s > self._refocus_s
        ):
            self._refocused_s = now_s
            self._refocus_s = min(self._refocus_s * 2, MOST_REFOCUS_S)
            self._begin(("focus",), now_s)


class _Searched:
    """One quantity, from the first order to search for it."""

    def __init__(self, name: Quantity) -> None:
        self.name = name
        self.found = self.held = self.left = False
        self.spoilt = False
        """True if a hand was seen during the search, which it may have been about."""
        self.judge_in = 0
        """Frames until it is judged whether holding it has changed it."""
        self._searches = 0
        self._asked_s = 0.0
        self._first: tuple[float, ...] = ()
        """Figures from which it must not move away."""
        self._still, self._still_since_s = 0, 0.0
        self._lies = False

    @property
    def begun(self) -> bool:
        """True if the camera was asked to search for it."""
        return self._searches > 0

    def done(self, hold: bool) -> bool:
        """True if nothing more is to be waited for."""
        return self.held or (self.found and (not hold or self._lies))

    def step(self, told: Told, now_s: float, hand: bool, blurred: bool, *, hold: bool) -> Do | None:
        """The order after a frame. ``blurred``: what it has found cannot be right."""
        if self.held:
            return self._judged(told, hand)
        if not self.begun:
            return self._search(now_s) if hold else self._leave()
        if hand:
            self.found, self._still = False, 0
            return None
        if self.spoilt and not self.left:
            self._searches -= 1
            return self._search(now_s)
        self.found = self._stands(told, now_s) and not blurred
        failed = told.state is State.FAILED or (blurred and self._still >= STILL_FRAMES)
        if failed and not self.left and now_s - self._asked_s > STALE_S:
            return self._search(now_s) if self._searches < MOST_SEARCHES else self._leave()
        if not (hold and self.found) or self._lies:
            return None
        self.held, self.judge_in, self._first = True, JUDGE_FRAMES, told.figures
        return Do.HOLD

    def _search(self, now_s: float) -> Do:
        self._searches, self._asked_s, self._still = self._searches + 1, now_s, 0
        self.spoilt = False
        return Do.SEARCH

    def _leave(self) -> Do:
        self._searches, self.left, self._still = MOST_SEARCHES, True, 0
        return Do.LEAVE

    def _stands(self, told: Told, now_s: float) -> bool:
        """True if it has been found and has stood still for long enough."""
        known = bool(told.figures) if told.state is None else told.state is State.FOUND
        if not known:
            self._still = 0
            return False
        if not self._still or self._off(told) > TOLERANCE[self.name]:
            self._first, self._still, self._still_since_s = told.figures, 0, now_s
        self._still += 1
        # A camera that searches when it likes takes a while to notice that it should.
        needed_s = UNTOLD_STILL_S if told.state is None or self.left else STILL_S
        return self._still >= STILL_FRAMES and now_s - self._still_since_s >= needed_s

    def _judged(self, told: Told, hand: bool) -> Do | None:
        if hand or not self.judge_in or not told.figures:
            return None
        self.judge_in -= 1
        if self.judge_in or self._off(told) <= HOLD_CHANGES:
            return None
        self.held, self._lies = False, True
        return self._leave()

    def _off(self, told: Told) -> float:
        """The largest share by which a figure differs from the first."""
        if len(told.figures) != len(self._first):
            return math.inf
        pairs = zip(told.figures, self._first, strict=True)
        return max((abs(a - b) / max(abs(b), 1.0) for a, b in pairs), default=0.0)
