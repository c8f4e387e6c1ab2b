"""Checks of a table before it is used: camera, light, lamps, display and sound.

The camera is judged by its figures. Only people can say whether a lamp glows or a word is heard, so
those are *trials*: something is shown, and people touch what they saw. None of this touches a
match. Free of Kivy.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from companion.settings.writing import set_aside, write_whole
from companion.support.finding import Figure, Finding, Verdict, measured
from companion.words.errors import notice
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from rules.bounded import read_bytes
from rules.errors import Sentence, because

if TYPE_CHECKING:
    # Vision is loaded when a camera is looked through.
    from companion.camera.camera_thread import Snapshot
    from vision.camera.frames import Condition

log = logging.getLogger(__name__)

CAMERA_STEPS = ("camera", "light", "sharpness", "stickers", "corners")
STEPS = (*CAMERA_STEPS, "lamps", "display", "sound")
"""All checks, in order."""

DARK, BRIGHT = 0.12, 0.95
"""Median brightness of the board between which stickers are read."""
BLURRED = 0.15
"""Sharpness (``vision.pieces.sighting``) below which a picture is blurred."""
LEAST_PX = 2.0
"""Pixels per module of the smallest sticker that can be read (``vision.pieces.sighting``)."""
CORNERS_OFF_PX = 2.0
"""Reprojection error of the corner stickers from which the board is crooked or badly seen."""
PATIENCE_S = 8.0
"""Seconds without a picture after which a camera is in trouble."""

GLOW = (255, 220, 150)
WORDS = ("Avebury", "Carnac", "Orkney", "Callanish", "Durrington", "Marlborough")
"""Words to be heard: stone circles, which are called the same in every language."""
NUMBERS = tuple(str(n) for n in range(2, 10))
"""Numbers to be heard."""
TONES = (Rhythm.STEADY.value, Rhythm.DOUBLE_BLINK.value)
"""Rhythms of a buzzer that can be told apart."""
MOST_TRIED = 5
"""Maximum number of lamps of a strip that are tried: both ends, and some between."""


class Figures(Protocol):
    """Figures of a sighting on how well the camera sees."""

    @property
    def board(self) -> str: ...
    @property
    def light(self) -> float: ...
    @property
    def sharpness(self) -> float: ...
    @property
    def px_per_module(self) -> float: ...
    @property
    def pose_error_px(self) -> float: ...


@dataclass(frozen=True, slots=True)
class CameraLook:
    """Present state of the camera."""

    configured: bool
    frames: int = 0
    per_s: float = 0.0
    """Pictures per second."""
    waited_s: float = 0.0
    """Since when it has been looked for."""
    figures: Figures | None = None
    """Figures of the newest picture."""
    condition: Condition | None = None
    """State of the camera's own adjustment; None before the first picture."""


def camera_findings(look: CameraLook) -> tuple[Finding, ...]:
    """The five steps of ``CAMERA_STEPS``."""
    others = CAMERA_STEPS[1:]
    if not look.configured:
        return tuple(Finding(step, Verdict.ABSENT) for step in CAMERA_STEPS)
    figures = look.figures
    if look.frames == 0 or figures is None:
        # With pictures but without figures it is still adjusting itself.
        camera = Finding("camera", Verdict.WAITING)
        if look.frames == 0 and look.waited_s >= PATIENCE_S:
            camera = Finding("camera", Verdict.BAD, code="no_pictures")
        return (camera, *(Finding(step, Verdict.WAITING) for step in others))
    camera = Finding("camera", Verdict.GOOD, (Figure("rate", look.per_s, "1/s"),))
    if figures.board != "found":
        corners = Finding("corners", Verdict.BAD, code="board_lost")
        return (camera, *(Finding(step, Verdict.WAITING) for step in others[:-1]), corners)
    light = Figure("light", figures.light, least=DARK, most=BRIGHT)
    sharpness = Figure("sharpness", figures.sharpness, least=BLURRED)
    pixels = Figure("module", figures.px_per_module, "px", least=LEAST_PX)
    off = Figure("error", figures.pose_error_px, "px", most=CORNERS_OFF_PX)
    return (
        camera,
        measured("light", light, code="too_dark" if figures.light < DARK else "too_bright"),
        measured("sharpness", sharpness, code="blurred"),
        measured("stickers", pixels, code="too_small"),
        measured("corners", off, code="crooked"),
    )


def device_finding(step: str, kind: str, ok: bool, code: str) -> Finding | None:
    """Finding from a device's own state, before any trial; None if it can be tried."""
    if kind in ("none", "silent") or code == "off":
        return Finding(step, Verdict.ABSENT)
    if code == "connecting":
        return Finding(step, Verdict.WAITING)
    return None if ok else Finding(step, Verdict.BAD, code=code)


# -- trials -----------------------------------------------------------------------------------


class LampTrial:
    """Lamps glow one at a time; people touch which one. Ends with the first mistake."""

    def __init__(self, count: int, chance: random.Random) -> None:
        between = chance.sample(range(1, count - 1), min(max(count - 2, 0), MOST_TRIED - 2))
        ends = [0, count - 1] if count > 1 else [0]
        self.order = tuple(sorted({*ends, *between}))
        self.count = count
        self._right = 0
        self._code = ""
        self.seen: int | None = None
        """Lamp that was touched when it was the wrong one."""

    @property
    def glowing(self) -> int | None:
        """The lamp that must glow now; None when the trial is over."""
        over = bool(self._code) or self._right >= len(self.order)
        return None if over else self.order[self._right]

    def answer(self, index: int | None) -> None:
        """People say that lamp ``index`` glows, or none."""
        shown = self.glowing
        if shown is None:
            return
        if index == shown:
            self._right += 1
            return
        self.seen = index
        self._code = "lamps_dark" if index is None else "lamps_order"

    @property
    def finding(self) -> Finding | None:
        """None while lamps are left."""
        if self.glowing is not None:
            return None
        right = Figure("right", self._right, least=len(self.order))
        return measured("lamps", right, code=self._code)


@dataclass(frozen=True, slots=True)
class Trial:
    """Shows or says something; people choose which of several it was."""

    step: str
    right: str
    choices: tuple[str, ...]

    @classmethod
    def among(cls, step: str, words: Sequence[str], chance: random.Random) -> Trial:
        """One of three of ``words``, in any order."""
        choices = tuple(chance.sample(list(words), 3))
        return cls(step, chance.choice(choices), choices)

    def finding(self, answer: str | None) -> Finding:
        """``answer``: one of ``choices``; None: nothing was seen or heard."""
        if answer == self.right:
            return Finding(self.step, Verdict.GOOD)
        nothing = "display_dark" if self.step == "display" else "silent"
        wrong = "display_wrong" if self.step == "display" else "misheard"
        return Finding(self.step, Verdict.BAD, code=nothing if answer is None else wrong)


# -- the devices ------------------------------------------------------------------------------


class _Seeing(Protocol):
    """The eyes, as far as the checks use them."""

    @property
    def frames(self) -> int: ...
    @property
    def last(self) -> Figures | None: ...
    @property
    def adjusts(self) -> bool: ...
    def adjust(self) -> None: ...
    def snapshot(self) -> Snapshot | None: ...


class Bench:
    """The devices of a table while they are checked."""

    def __init__(
        self,
        rig: Rig,
        eyes: _Seeing | None,
        close: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``eyes``: None if no camera is set up. ``close`` gives everything back."""
        self.rig = rig
        self._eyes, self._close, self._clock = eyes, close, clock
        self._begun = self._marked = clock()
        self._frames = self._marked_frames = 0 if eyes is None else eyes.frames
        self._per_s = 0.0

    def camera(self) -> CameraLook:
        """Present state of the camera."""
        eyes = self._eyes
        if eyes is None:
            return CameraLook(configured=False)
        now, frames = self._clock(), eyes.frames
        if now - self._marked >= 1.0:
            self._per_s = (frames - self._marked_frames) / (now - self._marked)
            self._marked, self._marked_frames = now, frames
        snapshot = eyes.snapshot()
        condition = None if snapshot is None else snapshot.frame.condition
        return CameraLook(True, frames, self._per_s, now - self._begun, eyes.last, condition)

    def snapshot(self) -> Snapshot | None:
        """The newest picture with what was seen in it; None before the first."""
        return None if self._eyes is None else self._eyes.snapshot()

    @property
    def adjusts(self) -> bool:
        """True if the camera adjusts itself."""
        return self._eyes is not None and self._eyes.adjusts

    def adjust(self) -> None:
        """Have the camera search for exposure, white balance and focus anew."""
        if self._eyes is not None:
            self._eyes.adjust()

    def device(self, step: str) -> Finding | None:
        """Finding from the state of ``lamps``, ``display`` or ``sound``; None if it can be
        tried."""
        part = {"display": "score"}.get(step, step)
        for status in self.rig.status():
            if status.name == part:
                if part == "lamps" and status.ok and self.rig.lamps.count == 0:
                    return Finding(step, Verdict.ABSENT)
                return device_finding(step, status.kind, status.ok, status.code)
        return Finding(step, Verdict.ABSENT)

    @property
    def speaks(self) -> bool:
        """True if the sound is a voice; otherwise it is a buzzer."""
        return self.rig.settings.sound.kind != "buzzer"

    def trial(self, step: str, chance: random.Random) -> LampTrial | Trial:
        """Trial of ``lamps``, ``display`` or ``sound``, with something new to tell."""
        if step == "lamps":
            return LampTrial(self.rig.lamps.count, chance)
        if step == "display":
            return Trial.among(step, WORDS, chance)
        if self.speaks:
            return Trial.among(step, NUMBERS, chance)
        return Trial(step, chance.choice(TONES), TONES)

    def show(self, trial: LampTrial | Trial | None) -> None:
        """Show or say what people are to tell; None: nothing more."""
        match trial:
            case LampTrial():
                self.glow(trial.glowing)
            case Trial(step="display"):
                self.write(trial.right)
            case Trial() if self.speaks:
                self.say(trial.right)
            case Trial():
                self.buzz(Rhythm(trial.right))
            case None:
                self.glow(None)
                self.write("")

    def glow(self, index: int | None) -> None:
        """Lights one lamp, or none."""
        self.rig.lamps.show({} if index is None else {index: Light(GLOW, Rhythm.STEADY)})

    def write(self, text: str) -> None:
        """Show a word on the score display."""
        self.rig.score.show([text])

    def say(self, text: str) -> None:
        """Say something."""
        self.rig.sound.say(text)

    def buzz(self, rhythm: Rhythm) -> None:
        """Sound the buzzer once."""
        self.rig.sound.buzz(rhythm)

    def close(self) -> None:
        """Gives the devices back to their previous user."""
        self._close()


# -- what is kept -----------------------------------------------------------------------------


class _Kept(msgspec.Struct):
    when_s: float
    findings: list[Finding]


class CheckFile:
    """``table_check.json``: the last result, and whether the check was ever offered."""

    def __init__(self, state: Path) -> None:
        self.path = state / "table_check.json"
        self.salvage: Sentence | None = None
        """Report on a damaged file; None if all was well."""

    def __call__(self) -> tuple[float, tuple[Finding, ...]] | None:
        """Time (seconds since the epoch) and findings of the last check; None if there was none."""
        try:
            # Older files call a check a step.
            data = read_bytes(self.path).replace(b'"step":', b'"check":')
            kept = msgspec.json.decode(data, type=_Kept)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            # ValueError: also what is not UTF-8.
            self.salvage = notice("check_damaged", file=self.path.name, because=because(error))
            log.warning("%s", self.salvage)
            if not isinstance(error, OSError):
                self._set_aside()
            return None
        return kept.when_s, tuple(kept.findings)

    def keep(self, findings: Sequence[Finding], when_s: float) -> None:
        """Save a result."""
        try:
            write_whole(self.path, msgspec.json.encode(_Kept(when_s, list(findings))))
        except OSError as error:
            log.warning("the result of the check cannot be kept in %s: %s", self.path, error)

    def _set_aside(self) -> None:
        try:
            set_aside(self.path)
        except OSError as error:
            log.warning("%s stays where it is: %s", self.path, error)
