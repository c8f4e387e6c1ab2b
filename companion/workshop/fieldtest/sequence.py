"""The sequence of checks, the one under way, and the file that is handed out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.support.finding import Finding, Verdict
from companion.support.report import Redactor, versions
from companion.workshop.fieldtest import computer, glass
from companion.workshop.fieldtest.devices import buttons, trial_of
from companion.workshop.fieldtest.record import About, Mark, photograph, written
from companion.workshop.fieldtest.steps import Answer, Check, Kit, Step, Steps, absent
from hardware.supervised_thread import tell_failure

if TYPE_CHECKING:
    from companion.settings.settings import Settings

MOST_BEGUN = 2
"""Times that a check may end the program before it counts as failed."""


def _of_camera(name: str) -> Check:
    def check(kit: Kit) -> Steps:
        if not kit.camera.is_set_up:
            return absent(name)
        # Vision is loaded for the first of them.
        from companion.workshop.fieldtest import camera

        found: Check = getattr(camera, name)
        return (yield from found(kit))

    return check


CHECKS: Mapping[str, Check] = {
    "computer": computer.computer,
    "start": computer.start,
    "screen": glass.screen,
    "touch": glass.touch,
    "fingers": glass.fingers,
    "modes": _of_camera("modes"),
    "settling": _of_camera("settling"),
    "picture": _of_camera("picture"),
    "flicker": _of_camera("flicker"),
    "photo": _of_camera("photo"),
    "lamps": trial_of("lamps"),
    "display": trial_of("display"),
    "sound": trial_of("sound"),
    "buttons": buttons,
    "heat": computer.heat,
    "memory": computer.memory,
    "power_cut": computer.power_cut,
}
"""All checks, in order: the plug is pulled last."""


class FieldTest:
    """One run, which goes on where it was after whatever ended the program."""

    def __init__(self, kit: Kit, settings: Settings, checks: Mapping[str, Check] = CHECKS) -> None:
        self.kit, self.checks, self._settings = kit, checks, settings
        self.name = ""
        """The check under way, or the one that ended last; empty before the first."""
        self.step: Step | None = None
        """Present step of the check under way; None if none is."""
        self.last: Sequence[Finding] = ()
        """Everything that the last check has found."""
        self._running: Steps | None = None

    @property
    def findings(self) -> Mapping[str, Finding]:
        """Newest findings by check, and by parts of checks."""
        return self.kit.record.findings

    @property
    def following(self) -> str:
        """The first check without a finding; empty if all have one."""
        return next((name for name in self.checks if name not in self.findings), "")

    @property
    def interrupted(self) -> bool:
        """True if the program ended in the middle of a check."""
        return self.kit.record.mark().check in self.checks

    def go_on(self) -> None:
        """Begin the check that was interrupted, or else the next one."""
        mark = self.kit.record.mark()
        if mark.check not in self.checks:
            if self.following:
                self.begin(self.following)
        elif mark.begun < MOST_BEGUN:
            self.begin(mark.check)
        else:
            # Going on with it would end the program for ever.
            self.name = mark.check
            self._ended([Finding(mark.check, Verdict.BAD, code="ends_program")])

    def begin(self, name: str) -> None:
        """Begin a check, for the first time or again."""
        self.leave(keep_mark=True)
        record = self.kit.record
        mark = record.mark()
        if mark.check == name:
            # A plug that was pulled because it was asked for has ended nothing by mistake.
            counts = name != "power_cut" or not mark.confirmed
            begun = Mark(name, mark.boot, mark.begun + counts, mark.confirmed)
        else:
            begun = Mark(name)
        record.keep_mark(begun)
        self.name, self._running = name, self.checks[name](self.kit)
        self.tick()

    def tick(self, answer: Answer | None = None) -> None:
        """Let the check go on; several times a second, and with each answer."""
        running = self._running
        if running is None:
            return
        try:
            # A generator that has not begun takes no answer.
            self.step = next(running) if self.step is None else running.send(answer)
        except StopIteration as end:
            self._ended(end.value)
        except Exception as error:
            tell_failure(error)
            self._ended([Finding(self.name, Verdict.BAD, code="mistake")])

    def skip(self) -> None:
        """Leave the check out; what an earlier try has found stays."""
        name = self.name
        self.leave()
        if name not in self.findings:
            self.kit.record.add([Finding(name, Verdict.SKIPPED)])

    def leave(self, *, keep_mark: bool = False) -> None:
        """End the check under way, if there is one, without a finding."""
        running, self._running, self.step, self.last = self._running, None, None, ()
        if running is not None:
            running.close()
        if not keep_mark:
            self.kit.record.keep_mark(Mark())

    def _ended(self, found: Sequence[Finding]) -> None:
        self._running, self.step, self.last = None, None, tuple(found)
        self.kit.record.add(found)
        self.kit.record.keep_mark(Mark())

    # -- the file ---------------------------------------------------------------------------

    def file(self, *, photo: bool = True) -> bytes:
        """The file. ``photo``: with the picture of the board, if people allowed one."""
        jpeg = self.kit.record.photo if photo else b""
        pictures = [photograph("board", jpeg)] if jpeg else []
        return written(about_table(self.kit, self._settings), self.findings.values(), pictures)


def file_name(day: str) -> str:
    """Name of the file on a stick."""
    return f"heelstone-fieldtest-{day}.jsonl"


def today() -> str:
    """The day as the computer's clock has it."""
    return time.strftime("%Y-%m-%d")


def about_table(kit: Kit, settings: Settings) -> About:
    """Kinds of devices and versions."""
    veil = Redactor({}, {}, versions().values(), kit.root)
    rig = settings.rig
    kinds = {status.name: status.kind for status in kit.devices.rig.status()}
    devices = {"camera": _camera_model(kit, settings.camera.source), **kinds}
    stand_in = devices["camera"] in ("file", "virtual")
    release = re.search(r'PRETTY_NAME="?([^"\n]*)', kit.read("etc/os-release"))
    known = {**versions(), "os": release[1] if release else ""}
    return About(
        day=today(),
        board=veil(kit.read("proc/device-tree/model") or known["system"].rpartition(" ")[2]),
        simulated=stand_in or rig.pin_factory == "mock" or "mock" in kinds.values(),
        versions={name: veil(text) for name, text in known.items()},
        devices={name: veil(text) for name, text in devices.items()},
    )


def _camera_model(kit: Kit, source: str) -> str:
    """Name by sensor or maker, which says nothing of the single camera."""
    if not source or source == "virtual":
        return source or "none"
    from vision.camera.pi import pi_cameras
    from vision.camera.sources import camera_name

    name = camera_name(source)
    if name.startswith("pi-"):
        models = pi_cameras()
        number = int(name.removeprefix("pi-"))
        return models[number] if number < len(models) else "pi"
    if not name:
        return "file"
    node = f"video{source}" if source.isdigit() else Path(source).resolve().name
    return kit.read(f"sys/class/video4linux/{node}/name") or "usb"
