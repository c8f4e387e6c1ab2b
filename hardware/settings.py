"""Settings of the devices of a table, and the kinds of devices there are."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

_DRIVERS = Path(__file__).parent / "displays"

DISPLAYS: Mapping[str, str] = {
    folder.name: f"hardware.displays.{folder.name}"
    for folder in sorted(_DRIVERS.iterdir())
    if (folder / "__init__.py").is_file()
}
"""Kind of a score display to the module that drives it: each package in `hardware.displays`.
Its `connect` makes the display; it is loaded only by tables that have one."""

LAMPS: Mapping[str, str] = {
    # LEDs at pins
    "gpio": "hardware.lamps.leds",
    # a strip behind a controller with WLED
    "wled": "hardware.lamps.wled",
    # a strip behind any controller that speaks Adalight
    "adalight": "hardware.lamps.adalight",
    # a WS2812 strip at the SPI bus
    "spi": "hardware.lamps.spi_strip",
}
"""Kind of lamps to the module that drives them; its `connect` makes the lamps."""

if TYPE_CHECKING:
    ScoreKind = str
    LampKind = str
else:
    # So that a kind is named in one place only; the settings file must use these names.
    ScoreKind = Literal["none", *DISPLAYS, "mock"]
    LampKind = Literal["none", *LAMPS, "display", "mock"]

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]
Part = Annotated[float, msgspec.Meta(ge=0, le=1)]
Pin = Annotated[int, msgspec.Meta(ge=0, le=63)]


class LampSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: one of `LAMPS`, "display" for the four LEDs of a CFA635 or the strip at a Pico, or
    "mock" for a simulated strip."""

    kind: LampKind = "none"
    port: str = ""
    """Device path or URL of the strip's controller; for "spi" the bus, empty for
    /dev/spidev0.0."""
    baud: int = 115200
    count: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Lamps of the strip; for pins and the LEDs of a CFA635 it follows from them."""
    pins: list[Pin | Annotated[list[Pin], msgspec.Meta(min_length=3, max_length=3)]] = (
        msgspec.field(default_factory=list)
    )
    """GPIO numbers, one entry per lamp: a number for a plain LED, [red, green, blue] for RGB."""
    active_low: bool = False
    """If set, the LEDs shine when their pins are low (common anode)."""
    brightness: Part = 0.4
    """The most light a lamp may emit, as a part of what it could."""
    gamma: Annotated[float, msgspec.Meta(ge=1, le=3)] = 2.4
    supply_ma: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 850
    """Most current of a strip, in mA; beyond it all its lamps are dimmed. 0: no limit."""
    order: Literal["grb", "rgb", "brg", "bgr", "gbr", "rbg"] = "grb"
    """The order in which the strip takes red, green and blue."""


class ScoreSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: one of `DISPLAYS`, or "mock" for a simulated CFA635."""

    kind: ScoreKind = "none"
    port: str = ""
    baud: int = 0
    """Bits per second; 0 for the device's factory setting."""
    columns: Annotated[int, msgspec.Meta(ge=4, le=40)] = 20
    rows: Annotated[int, msgspec.Meta(ge=1, le=4)] = 4
    backlight: Percent = 100
    contrast: Byte = 0
    """0 for what the device's manual recommends."""
    options: dict[str, Any] = {}
    """Settings of its kind alone: `Options` of the module that drives it."""


USUAL = ScoreSettings()


class DisplayOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the `Options` of a kind of score displays; a kind without any has this."""


def options_type(kind: str) -> type[DisplayOptions]:
    """The options of one of `DISPLAYS`."""
    declared: type[DisplayOptions] = getattr(
        import_module(DISPLAYS[kind]), "Options", DisplayOptions
    )
    return declared


class SoundSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kind`: "voice" needs espeak-ng and aplay, "mock" remembers what was to be heard. A voice
    table has a buzzer too when `pin` is set."""

    kind: Literal["silent", "voice", "buzzer", "mock"] = "silent"
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2,3}\Z")] = "de"
    volume: Part = 0.8
    pin: Pin | None = None
    """GPIO number of the buzzer."""
    folder: str = ""
    """Folder for recordings; empty for the cache folder of the service or user."""


class RigSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of all devices of one table."""

    lamps: LampSettings = LampSettings()
    score: ScoreSettings = ScoreSettings()
    sound: SoundSettings = SoundSettings()
    buttons: dict[
        str,
        Pin | Literal["up", "down", "left", "right", "enter", "exit", "button1", "button2"],
    ] = msgspec.field(default_factory=dict)
    """Name of a button to its GPIO number, or to a key of the display."""
    hold_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    """Seconds a button must be down to count as held."""
    pin_factory: Literal["lgpio", "mock"] = "lgpio"
    """Access to GPIO pins; used only where a pin is."""


MOCK_RIG = RigSettings(
    lamps=LampSettings(kind="mock", count=24),
    score=ScoreSettings(kind="mock"),
    sound=SoundSettings(kind="mock"),
    buttons={"commit": "enter", "undo": "exit"},
    pin_factory="mock",
)
"""A whole simulated rig, for the demo."""
