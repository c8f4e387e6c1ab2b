"""The rig: all devices of a table, built from settings.

A device that is missing, or set up wrongly, is reported and left out; the rest works. The kind
"mock" is a part of the product: it builds a simulated device behind a real pty and drives it with
the real driver, for the demo and the rig view on the screen.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import msgspec

from hardware.buttons import Buttons
from hardware.displays.crystalfontz import CrystalfontzDisplay, DisplayLamps
from hardware.displays.lcdproc import LcddDisplay
from hardware.displays.matrix_orbital import MatrixOrbitalDisplay
from hardware.displays.score import NoDisplay, RememberedDisplay, ScoreDisplay
from hardware.displays.serial7segment import Serial7SegmentDisplay
from hardware.lamps.lamps import KEEPALIVE_S, AdalightStrip, LampBackend, Lamps, NoLamps
from hardware.pico import MOST_LAMPS, PicoLamps, PicoTable
from hardware.pins.uses import pins_used_twice
from hardware.sound.sound import Sound, Speaker, Tone
from hardware.sound.voice import Voice
from hardware.status import BadSettings, DeviceStatus, HardwareError, Listener, PinError, Report
from hardware.stuck import Stuck
from hardware.twin.picture import Picture

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]
Part = Annotated[float, msgspec.Meta(ge=0, le=1)]
Pin = Annotated[int, msgspec.Meta(ge=0, le=63)]

log = logging.getLogger(__name__)


class LampSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: "wled" a strip behind a controller with WLED, "adalight" one behind any controller
    that speaks Adalight, "spi" a WS2812 strip at the SPI bus, "gpio" LEDs at pins, "display" the
    four LEDs of a CFA635 or the strip at a Pico, "mock" a simulated strip."""

    kind: Literal["none", "gpio", "wled", "adalight", "spi", "display", "mock"] = "none"
    port: str = ""
    """Device path or URL of the strip's controller; for "spi" the bus, empty for
    /dev/spidev0.0."""
    baud: int = 115200
    count: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Lamps of the strip; for pins and the LEDs of a CFA635 it follows from them."""
    pins: list[Pin | Annotated[list[Pin], msgspec.Meta(min_length=3, max_length=3)]] = (
        msgspec.field(default_factory=list)
    )
    """GPIO numbers, one entry a lamp: a number for a plain LED, [red, green, blue] for RGB."""
    active_low: bool = False
    """Whether the LEDs shine when their pins are low (common anode)."""
    brightness: Part = 0.4
    """The most light a lamp may give, as a part of what it could."""
    gamma: Annotated[float, msgspec.Meta(ge=1, le=3)] = 2.4
    supply_ma: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 850
    """What a strip may draw in mA; beyond it all its lamps are dimmed. 0: no limit."""
    order: Literal["grb", "rgb", "brg", "bgr", "gbr", "rbg"] = "grb"
    """The order in which the strip takes red, green and blue."""


class ScoreSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: "cfa635" Crystalfontz CFA631 and CFA635, "matrix_orbital" also Adafruit backpacks,
    "serial7segment" four digits of SparkFun, "lcdd" whatever LCDd drives, "pico" our firmware on a
    Raspberry Pi Pico, "mock" a simulated CFA635."""

    kind: Literal["none", "cfa635", "matrix_orbital", "serial7segment", "lcdd", "pico", "mock"] = (
        "none"
    )
    port: str = ""
    host: str = "localhost"
    """Computer on which LCDd runs."""
    tcp_port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 13666
    """Where LCDd listens."""
    display: Literal["lcd", "tm1637", "max7219", "none"] = "lcd"
    """What hangs at a Pico: a character display, four digits, eight digits, or nothing."""
    baud: int = 0
    """Bits per second; 0 for what the device has from the factory."""
    columns: Annotated[int, msgspec.Meta(ge=4, le=40)] = 20
    rows: Annotated[int, msgspec.Meta(ge=1, le=4)] = 4
    backlight: Percent = 100
    contrast: Byte = 0
    """0 for what the device's manual recommends."""
    color: Annotated[list[Byte], msgspec.Meta(min_length=3, max_length=3)] | None = None
    """Red, green and blue of an Adafruit backpack's background; absent for other displays."""
    umlauts: bool = True
    """Whether a Matrix Orbital display has the usual ROM with umlauts."""


class SoundSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: "voice" needs espeak-ng and aplay, "mock" remembers what was to be heard. A voice
    table has a buzzer too when `pin` is set."""

    kind: Literal["silent", "voice", "buzzer", "mock"] = "silent"
    language: Literal["de", "en"] = "de"
    volume: Part = 0.8
    pin: Pin | None = None
    """GPIO number of the buzzer."""
    folder: str = ""
    """Where recordings are kept; empty for the cache folder of the service or user."""


class RigSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about the devices of one table."""

    lamps: LampSettings = LampSettings()
    score: ScoreSettings = ScoreSettings()
    sound: SoundSettings = SoundSettings()
    buttons: dict[
        str,
        Pin | Literal["up", "down", "left", "right", "enter", "exit", "button1", "button2"],
    ] = msgspec.field(default_factory=dict)
    """Name of a button to its GPIO number, or to a key of the display."""
    hold_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    """A button is held after so many seconds."""
    pin_factory: Literal["lgpio", "mock"] = "lgpio"
    """How GPIO pins are reached; used only where a pin is."""


MOCK_RIG = RigSettings(
    lamps=LampSettings(kind="mock", count=24),
    score=ScoreSettings(kind="mock"),
    sound=SoundSettings(kind="mock"),
    buttons={"commit": "enter", "undo": "exit"},
    pin_factory="mock",
)
"""A whole simulated rig, for the demo."""


class Twin(Protocol):
    """What all simulated devices have in common."""

    def rows(self) -> list[str]:
        """The device as lines of text."""

    @property
    def picture(self) -> Picture:
        """The device as plain shapes to draw."""

    def close(self) -> None:
        """Removes the device."""


StatusListener = Callable[[DeviceStatus], None]
"""Told about every change, from the device's own thread."""


class Rig:
    """The devices of a table: `lamps`, `score`, `sound`, `buttons`.

    All their methods return at once, whatever the devices do. `twins` holds the simulated devices
    by part: "lamps", "score", "sound", "gpio". Raises BadSettings when a mapping is not what
    `RigSettings` describes; a device that fails raises nothing.
    """

    def __init__(
        self,
        settings: RigSettings | Mapping[str, Any],
        listener: StatusListener | None = None,
    ) -> None:
        self.settings = settings if isinstance(settings, RigSettings) else rig_settings(settings)
        before = set(threading.enumerate())
        self.twins: dict[str, Twin] = {}
        self._listener = listener
        self._noting = threading.Lock()
        self._kinds: dict[str, str] = {}
        self._statuses: dict[str, DeviceStatus] = {}
        self._pins: _Pins | None = None
        self._clashes = pins_used_twice(self.settings)
        self._ports: dict[str, str] = {}
        self._closers: list[Callable[[], None]] = []

        for part, kind in self._parts().items():
            self._kinds[part] = kind
            self._note(part, Report("off" if kind in ("none", "silent") else "ready"))
        self.buttons = Buttons(
            self.settings.buttons, hold_s=self.settings.hold_s, listener=self._teller("buttons")
        )
        self.score: ScoreDisplay = NoDisplay()
        self._attempt("score", self._build_score)
        self._backend: LampBackend = NoLamps()
        self._lamps_before = self._statuses["lamps"]
        self._lamp_count = 0
        self._attempt("lamps", self._build_lamps)
        self.lamps = Lamps(
            self._backend,
            self._lamp_count,
            brightness=self.settings.lamps.brightness,
            gamma=self.settings.lamps.gamma,
            supply_ma=self.settings.lamps.supply_ma if self._is_strip() else 0,
            order=self.settings.lamps.order if self._is_strip() else "grb",
            # A strip at the bus has no driver of its own that would remind it after a glitch.
            refresh_s=KEEPALIVE_S if self.settings.lamps.kind == "spi" else None,
            listener=self._lamp_asked_for,
        )
        self._speaker: Speaker | None = None
        self._tone: Tone | None = None
        self._attempt("sound", self._build_sound)
        self.sound = Sound(self._speaker, self._tone)
        self._attempt("buttons", self._build_buttons)
        self.shown = RememberedDisplay(self.score)
        """The score display, and what it shows."""
        self.score = self.shown
        self._threads = [t for t in threading.enumerate() if t not in before and _lasting(t)]
        self._stuck = Stuck(self._threads)

    def alive(self) -> bool:
        """Whether every thread that serves a device still runs; a missing device is no matter."""
        hanging = self._stuck.names()
        if hanging:
            log.error("%s: at the same place for too long", ", ".join(hanging))
        return not hanging and all(thread.is_alive() for thread in self._threads)

    def status(self) -> list[DeviceStatus]:
        """The state of each part now, in the order lamps, score, sound, buttons."""
        with self._noting:
            return [self._statuses[part] for part in self._kinds]

    def close(self) -> None:
        """Dark lamps, an empty display, silence; no thread and no twin is left."""
        for close in self._closers:
            close()
        self._closers = []
        self.lamps.close()
        self.sound.close()
        self.score.close()
        self.buttons.close()
        for twin in self.twins.values():
            twin.close()
        if self._pins is not None:
            self._pins.close()
            self._pins = None

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _parts(self) -> dict[str, str]:
        settings = self.settings
        sources = {
            "gpio" if isinstance(pin, int) else "display" for pin in settings.buttons.values()
        }
        return {
            "lamps": settings.lamps.kind,
            "score": settings.score.kind,
            "sound": settings.sound.kind,
            "buttons": "+".join(sorted(sources)) or "none",
        }

    def _build_score(self) -> None:
        score = self.settings.score
        tell = self._teller("score")
        port = score.port
        if score.kind == "mock":
            from hardware.twin.cfa635 import Cfa635Twin

            twin = Cfa635Twin()
            self.twins["score"] = twin
            port = twin.url
        if score.kind == "lcdd":
            port = f"{score.host}:{score.tcp_port}"
        if score.kind != "none" and not port:
            raise HardwareError("no_port")
        if score.kind != "none":
            self._take_port("score", port)
            self._note("score", Report("connecting", {"port": port}))
        if score.kind in ("cfa635", "mock"):
            self.score = CrystalfontzDisplay(
                port,
                tell,
                columns=20 if score.kind == "mock" else score.columns,
                rows=4 if score.kind == "mock" else score.rows,
                baud=score.baud or 115200,
                backlight=score.backlight,
                contrast=min(score.contrast, 254) or 95,
                on_key=self._key_changed,
            )
        elif score.kind == "matrix_orbital":
            color = (
                None if score.color is None else (score.color[0], score.color[1], score.color[2])
            )
            self.score = MatrixOrbitalDisplay(
                port,
                tell,
                columns=score.columns,
                rows=score.rows,
                baud=score.baud or 19200,
                backlight=score.backlight,
                contrast=score.contrast or None,
                color=color,
                umlauts=score.umlauts,
            )
        elif score.kind == "serial7segment":
            self.score = Serial7SegmentDisplay(
                port, tell, baud=score.baud or 9600, backlight=score.backlight
            )
        elif score.kind == "lcdd":
            self.score = LcddDisplay(
                score.host,
                tell,
                tcp_port=score.tcp_port,
                columns=score.columns,
                rows=score.rows,
                on_key=self._key_changed,
                wanted=[key for key in self.settings.buttons.values() if isinstance(key, str)],
                on_kept=self._keys_kept,
            )
        elif score.kind == "pico":
            lamps = self.settings.lamps
            strip = lamps.count if lamps.kind == "display" else 0
            if strip > MOST_LAMPS:
                raise HardwareError("too_many_lamps", count=strip, most=MOST_LAMPS)
            self.score = PicoTable(
                port,
                tell,
                display=score.display,
                columns=score.columns,
                rows=score.rows,
                lamps=strip,
                on_key=self._key_changed,
            )

    def _build_lamps(self) -> None:
        lamps = self.settings.lamps
        port, count = lamps.port, lamps.count
        if lamps.kind == "mock":
            from hardware.twin.adalight import AdalightTwin

            count = count or 24
            twin = AdalightTwin(count)
            self.twins["lamps"] = twin
            port = twin.url
        if lamps.kind in ("wled", "adalight", "mock"):
            if not port:
                raise HardwareError("no_port")
            if not count:
                raise HardwareError("no_such_lamp", index=0, count=0)
            self._take_port("lamps", port)
            self._note("lamps", Report("connecting", {"port": port}))
            self._backend = AdalightStrip(
                port, self._teller("lamps"), baud=lamps.baud, wled=lamps.kind == "wled", count=count
            )
        elif lamps.kind == "spi":
            if not count:
                raise HardwareError("no_such_lamp", index=0, count=0)
            from hardware.lamps.spi_strip import SpiStrip

            self._backend = SpiStrip(port or "/dev/spidev0.0", count, self._teller("lamps"))
        elif lamps.kind == "gpio":
            if not lamps.pins:
                raise HardwareError("no_pins")
            from hardware.pins.gpio import GpioLamps

            pins = self._open_pins("lamps")
            self._backend = GpioLamps(
                lamps.pins,
                pins.factory,
                active_low=lamps.active_low,
                listener=self._teller("lamps"),
            )
            count = len(lamps.pins)
        elif lamps.kind == "display" and isinstance(self.score, PicoTable):
            if not count:
                raise HardwareError("no_such_lamp", index=0, count=0)
            self._backend = PicoLamps(self.score)
        elif lamps.kind == "display":
            if not isinstance(self.score, CrystalfontzDisplay) or self.score.rows < 4:
                raise HardwareError("no_display_lamps")
            self._backend = DisplayLamps(self.score)
            count = self.score.led_count
        else:
            count = 0
        self._lamp_count = count

    def _is_strip(self) -> bool:
        """Whether the lamps are addressed one after the other along one wire."""
        return not isinstance(self._backend, DisplayLamps) and self.settings.lamps.kind != "gpio"

    def _lamp_asked_for(self, report: Report) -> None:
        """A lamp was asked for that does not exist; or other lamps are asked for from now on."""
        if report.code != "ready":
            with self._noting:
                self._lamps_before = self._statuses["lamps"]
            self._note("lamps", report)
        elif self.status()[0].code == "no_such_lamp":
            before = self._lamps_before
            self._note("lamps", Report(before.code, before.params))

    def _build_sound(self) -> None:
        sound = self.settings.sound
        if sound.kind == "mock":
            from hardware.twin.sound import SoundTwin

            twin = SoundTwin(sound.volume)
            self.twins["sound"] = twin
            self._speaker = self._tone = twin
            self._note("sound", Report("simulated"))
            return
        if sound.kind == "voice":
            folder = Path(sound.folder) if sound.folder else None
            self._speaker = Voice(
                self._teller("sound"), language=sound.language, volume=sound.volume, folder=folder
            )
        if sound.kind == "buzzer" and sound.pin is None:
            raise HardwareError("no_pins")
        if sound.kind in ("buzzer", "voice") and sound.pin is not None:
            from hardware.pins.gpio import gpio_buzzer
            from hardware.sound.sound import Buzzer

            self._tone = Buzzer(gpio_buzzer(sound.pin, self._open_pins("sound").factory))

    def _build_buttons(self) -> None:
        for button, key in self.settings.buttons.items():
            if isinstance(key, str) and key not in getattr(self.score, "keys", ()):
                self._note("buttons", Report("no_display_keys", {"button": button, "key": key}))
        pins = {name: pin for name, pin in self.settings.buttons.items() if isinstance(pin, int)}
        if pins:
            from hardware.pins.gpio import GpioButtons

            source = GpioButtons(pins, self._open_pins("buttons").factory, self.buttons.change)
            self._closers.append(source.close)
            for name in source.down:
                self.buttons.found_down(name)

    def _take_port(self, part: str, port: str) -> None:
        """Remembers who uses a port. Raises HardwareError when another part has it already.

        Links such as those in /dev/serial/by-id are followed; while the device is not there, two
        names of it cannot be told to be one.
        """
        place = os.path.realpath(port) if port.startswith("/") else port
        other = self._ports.setdefault(place, part)
        if other != part:
            raise HardwareError("same_port", part=part, other=other, port=port)

    def _open_pins(self, part: str) -> _Pins:
        """The pin factory, opened by the first part that needs it. Raises PinError."""
        clash = self._clashes.get(part)
        if clash is not None:
            raise PinError(clash.code, **clash.params)
        if self._pins is None:
            self._pins = _Pins(self.settings)
            if self._pins.twin is not None:
                self.twins["gpio"] = self._pins.twin
        return self._pins

    def _keys_kept(self, kept: tuple[str, ...]) -> None:
        """LCDd has greeted us and said which keys it keeps; the next time it may be none."""
        for name, key in self.settings.buttons.items():
            if key in kept:
                self._note("buttons", Report("key_kept", {"button": name, "key": str(key)}))
                return
        with self._noting:
            before = self._statuses["buttons"].code
        if before == "key_kept":
            self._note("buttons", Report("ready"))

    def _key_changed(self, key: str, pressed: bool) -> None:
        for name, wanted in self.settings.buttons.items():
            if wanted == key:
                self.buttons.change(name, pressed)

    def _attempt(self, part: str, build: Callable[[], None]) -> None:
        """Builds one part; a failure is that part's state and nobody else's trouble."""
        try:
            build()
        except HardwareError as error:
            self._note(part, error.report)

    def _teller(self, part: str) -> Listener:
        return lambda report: self._note(part, report)

    def _note(self, part: str, report: Report) -> None:
        status = DeviceStatus(
            part, self._kinds[part], report.ok, report.code, report.params, report.message
        )
        with self._noting:
            self._statuses[part] = status
        if self._listener is None:
            return
        try:
            self._listener(status)
        except Exception:
            log.exception("The listener failed on the status '%s' of %s.", status.code, part)


def _lasting(thread: threading.Thread) -> bool:
    """Whether a thread is one of the rig's own that ends with the rig; readers come and go."""
    return thread.name.startswith("heelstone-") and not thread.name.endswith("-in")


class _Pins:
    """The GPIO pins of the rig: real ones, or simulated ones with their twin."""

    def __init__(self, settings: RigSettings) -> None:
        # Imported only by tables that use pins: gpiozero costs a tenth of a second and more.
        from hardware.pins.gpio import open_factory

        self.twin: Twin | None = None
        if settings.pin_factory == "mock":
            from hardware.twin.gpio import GpioTwin

            twin = GpioTwin(settings.lamps.pins)
            self.twin = twin
            self.factory = twin.factory
        else:
            self.factory = open_factory(settings.pin_factory)

    def close(self) -> None:
        if self.twin is None:
            self.factory.close()


def rig_settings(values: Mapping[str, Any]) -> RigSettings:
    """Settings from plain values, as read from TOML. Raises BadSettings that names the place."""
    try:
        return msgspec.convert(values, RigSettings)
    except msgspec.ValidationError as error:
        raise BadSettings("bad_settings", reason=error) from error
