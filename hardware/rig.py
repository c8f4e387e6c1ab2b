"""The rig: all devices of a table, made from settings.

A device that is missing, or set up wrongly, is reported and left out; the rest works. The kind
"mock" is a part of the product: a simulated device behind a real pty, driven by the real driver,
for the demo and the rig view on the screen.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from hardware.buttons.buttons import Buttons
from hardware.displays.score import NoDisplay, RememberedDisplay, ScoreDisplay
from hardware.lamps.lamps import REMIND_S, USUAL_ORDER, LampBackend, Lamps, NoLamps
from hardware.settings import DISPLAYS, LAMPS, RigSettings
from hardware.sound import buzzer
from hardware.sound.sound import Sound, Tone
from hardware.sound.voice import Voice
from hardware.status import DeviceStatus, HardwareError, Report, Statuses, StatusListener
from hardware.supervised_thread import SupervisedThread
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.simulated.mock import Twin

T = TypeVar("T")

log = logging.getLogger(__name__)


class Rig:
    """The devices of a table: `lamps`, `score`, `sound`, `buttons`.

    All their methods return at once, whatever the devices do; a device that fails raises nothing.
    `twins` holds the simulated devices by part: "lamps", "score", "sound", "gpio".
    """

    def __init__(self, settings: RigSettings, listener: StatusListener | None = None) -> None:
        self.settings = settings
        before = set(threading.enumerate())
        self.twins: dict[str, Twin] = {}
        self._statuses = Statuses(_kinds(settings), listener)
        self._wiring = Wiring(self._simulated(), self._key_changed, self._keys_kept)
        self._lamps_before = Report("ready")
        """The last report of the lamps before a lamp was asked for that does not exist."""
        self._closers: list[Callable[[], None]] = []
        self.buttons = Buttons(
            settings.buttons, hold_s=settings.hold_s, listener=self._statuses.teller("buttons")
        )
        no_display: ScoreDisplay = NoDisplay()
        self.score = RememberedDisplay(self._made("score", self._display, no_display))
        self.lamps = self._lamps()
        self.sound = self._sound()
        self._made("buttons", self._wire_buttons, None)
        self._watch_pins()
        self._threads = [t for t in threading.enumerate() if t not in before and _lasting(t)]

    def alive(self) -> bool:
        """True if every thread that serves a device still runs; missing devices do not matter."""
        now_s = time.monotonic()
        hanging = [thread.name for thread in self._threads if thread.hangs(now_s)]
        if hanging:
            log.error("%s: at the same place for too long", ", ".join(hanging))
        return not hanging and all(thread.is_alive() for thread in self._threads)

    def status(self) -> list[DeviceStatus]:
        """The state of each part now, in the order lamps, score, sound, buttons."""
        return self._statuses.now()

    def close(self) -> None:
        """Dark lamps, an empty display, silence; no thread or twin is left."""
        for close in self._closers:
            close()
        self._closers = []
        self.lamps.close()
        self.sound.close()
        self.score.close()
        self.buttons.close()
        for twin in self.twins.values():
            twin.close()
        self._wiring.pins.close()

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _made(self, part: str, make: Callable[[], T], nothing: T) -> T:
        """One device, or nothing: a failure is the state of its part and affects nothing else."""
        try:
            return make()
        except HardwareError as error:
            self._statuses.note(part, error.report)
            return nothing

    def _simulated(self) -> RigSettings:
        """The settings that devices are made from."""
        settings = self.settings
        if "mock" not in (settings.lamps.kind, settings.score.kind):
            return settings
        # Imported only by tables that have simulated devices.
        from hardware.simulated.mock import simulated

        return simulated(settings, self.twins)

    def _display(self) -> ScoreDisplay:
        kind = self._wiring.settings.score.kind
        if kind == "none":
            return NoDisplay()
        connect = import_module(DISPLAYS[kind]).connect
        display: ScoreDisplay = connect(self._wiring, self._statuses.teller("score"))
        return display

    def _lamps(self) -> Lamps:
        lamps = self._wiring.settings.lamps
        no_lamps: LampBackend = NoLamps()
        backend = self._made("lamps", self._lamp_backend, no_lamps)
        return Lamps(
            backend,
            brightness=lamps.brightness,
            gamma=lamps.gamma,
            supply_ma=lamps.supply_ma if backend.is_strip else 0,
            order=lamps.order if backend.is_strip else USUAL_ORDER,
            # A strip at the bus has no driver of its own that would remind it after a glitch.
            refresh_s=REMIND_S if lamps.kind == "spi" else None,
            listener=self._lamp_asked_for,
        )

    def _lamp_backend(self) -> LampBackend:
        kind = self._wiring.settings.lamps.kind
        if kind == "none":
            return NoLamps()
        if kind == "display":
            if self.score.own_lamps is None:
                raise HardwareError("no_display_lamps")
            if not self.score.own_lamps.count:
                raise HardwareError("no_such_lamp", index=0, count=0)
            return self.score.own_lamps
        connect = import_module(LAMPS[kind]).connect
        backend: LampBackend = connect(self._wiring, self._statuses.teller("lamps"))
        return backend

    def _lamp_asked_for(self, report: Report) -> None:
        """A lamp that does not exist was asked for; or other lamps are asked for from now on."""
        now = self._statuses.of("lamps")
        if report.code != "ready":
            self._lamps_before = now
            self._statuses.note("lamps", report)
        elif now.code == "no_such_lamp":
            self._statuses.note("lamps", self._lamps_before)

    def _sound(self) -> Sound:
        sound = self.settings.sound
        if sound.kind == "mock":
            from hardware.simulated.sound import SoundTwin

            twin = self.twins["sound"] = SoundTwin(sound.volume)
            self._statuses.note("sound", Report("simulated"))
            return Sound(twin, twin)
        voice: Voice | None = None
        if sound.kind == "voice":
            folder = Path(sound.folder) if sound.folder else None
            tell = self._statuses.teller("sound")
            voice = Voice(tell, language=sound.language, volume=sound.volume, folder=folder)
        tone: Tone | None = None
        if sound.kind == "buzzer" or (voice is not None and sound.pin is not None):
            tone = self._made("sound", lambda: buzzer.connect(self._wiring), None)
        return Sound(voice, tone)

    def _wire_buttons(self) -> None:
        for button, key in self.settings.buttons.items():
            if isinstance(key, str) and key not in self.score.keys:
                lacking = Report("no_display_keys", {"button": button, "key": key})
                self._statuses.note("buttons", lacking)
        pins = {name: pin for name, pin in self.settings.buttons.items() if isinstance(pin, int)}
        if pins:
            self._wiring.take_pins("buttons")
            factory = self._wiring.pins.factory
            from hardware.buttons.pin_buttons import GpioButtons

            source = GpioButtons(pins, factory, self.buttons.change)
            self._closers.append(source.close)
            for name in source.down:
                self.buttons.found_down(name)

    def _watch_pins(self) -> None:
        """Attaches a window to simulated pins, to show them and push their buttons."""
        if self._wiring.pins.opened and self.settings.pin_factory == "mock":
            from hardware.simulated.gpio import GpioTwin

            self.twins["gpio"] = GpioTwin(self.settings.lamps.pins, self._wiring.pins.factory)

    def _keys_kept(self, kept: tuple[str, ...]) -> None:
        """A display has been greeted and said which keys it keeps; next time it may be none."""
        for name, key in self.settings.buttons.items():
            if key in kept:
                told = Report("key_kept", {"button": name, "key": str(key)})
                self._statuses.note("buttons", told)
                return
        if self._statuses.of("buttons").code == "key_kept":
            self._statuses.note("buttons", Report("ready"))

    def _key_changed(self, key: str, pressed: bool) -> None:
        for name, wanted in self.settings.buttons.items():
            if wanted == key:
                self.buttons.change(name, pressed)


def _kinds(settings: RigSettings) -> Mapping[str, str]:
    """The kind of each part; that of the buttons names where their presses come from."""
    sources = {"gpio" if isinstance(pin, int) else "display" for pin in settings.buttons.values()}
    return {
        "lamps": settings.lamps.kind,
        "score": settings.score.kind,
        "sound": settings.sound.kind,
        "buttons": "+".join(sorted(sources)) or "none",
    }


def _lasting(thread: threading.Thread) -> TypeGuard[SupervisedThread]:
    """True if a thread belongs to the rig and ends only with it; readers come and go."""
    if not isinstance(thread, SupervisedThread):
        return False
    return thread.name.startswith("heelstone-") and not thread.once
