"""A device's report about itself: a code with parameters, and an English sentence for it.

The screen is bilingual, so the code and its parameters are what counts; the sentence is
for logs, for `heelstone doctor` and for users without a translation at hand.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

log = logging.getLogger(__name__)

TEXTS: Mapping[str, str] = {
    "off": "Not in use.",
    "simulated": "Simulated; no real device is used.",
    "ready": "Ready.",
    "connecting": "Looking for the device at {port}.",
    "connected": "Connected at {port}.",
    "missing": "Nothing is plugged in at {port}. Plug the device in, or change the port in the "
    "settings.",
    "busy": "Another program is using {port}. Close that program.",
    "no_permission": "No permission to open {port}. Add this user to the group 'dialout', then "
    "log in again.",
    "no_server": "Nothing listens at {port}. Start the program there, such as LCDd, or correct its "
    "address in the settings.",
    "no_host": "The computer of {port} cannot be reached: {reason}. Check its name in the "
    "settings, and the network.",
    "port_failed": "{port} cannot be opened: {reason}. Check the port in the settings.",
    "unplugged": "The device at {port} was unplugged. Plug it in again; it will be found.",
    "stalled": "The device at {port} takes no more bytes. Unplug it and plug it in again.",
    "floods": "The device at {port} never stops sending. Unplug it and plug it in again, or check "
    "the kind of device and its port in the settings.",
    "mistake": "Heelstone made a mistake with the device at {port}; it is being tried again. Write "
    "a problem report.",
    "fell_silent": "The device at {port} does not answer any more. Unplug it and plug it in again, "
    "or start its program anew.",
    "lost": "The device at {port} went away: {reason}. Plug it in again; it will be found.",
    "no_answer": "Something is plugged in at {port}, but it does not answer as a {device}. Check "
    "the kind of device in the settings.",
    "talks_back": "Something at {port} talks, which a {device} never does. Check the kind of "
    "device and its port in the settings.",
    "no_firmware": "What is plugged in at {port} only repeats what it is told, as a Pico does that "
    "does not run our firmware. Copy main.py to it, as docs/devices.md says.",
    "refused": "The {device} at {port} refused command {command}. Check columns and rows in the "
    "settings.",
    "lcdd_size": "LCDd at {port} drives a display of {found}, but the settings say {wanted}. "
    "Correct columns and rows in the settings.",
    "wrong_size": "The {device} at {port} shows {found} letters, but the settings say {wanted}. "
    "Correct columns and rows in the settings.",
    "key_kept": "Button '{button}' is the key '{key}' of the display, which LCDd keeps for its "
    "menu. Choose another key, or another MenuKey in LCDd.conf.",
    "same_port": "Both {part} and {other} are to be at {port}, but a port has room for one device. "
    "Correct 'port' in the settings.",
    "no_pico_display": "The Pico at {port} finds no display. Check its wires, and 'display' in the "
    "settings.",
    "strip_too_long": "A strip of {count} lamps needs a longer SPI buffer than {buffer} bytes. Add "
    "spidev.bufsiz=32768 to /boot/firmware/cmdline.txt and start again.",
    "spi_missing": "The strip at {port} needs the Python package spidev. Install it: sudo apt "
    "install python3-spidev.",
    "spi_failed": "The SPI bus {port} cannot be used: {reason}. Switch SPI on with raspi-config, "
    "and add this user to the group 'spi'.",
    "no_port": "No port is given. Set 'port' to the device, such as /dev/serial/by-id/….",
    "no_such_lamp": "Lamp {index} was asked for, but there are {count} lamps. Correct 'count' in "
    "the settings.",
    "no_pins": "No pin is given. Set the GPIO numbers in the settings.",
    "pins_missing": "The GPIO pins cannot be used: {reason}. On a Raspberry Pi install it: sudo "
    "apt install python3-lgpio; elsewhere set pin_factory to 'mock'.",
    "pins_failed": "The GPIO pins cannot be used: {reason}. Add this user to the group 'gpio', "
    "then log in again; on a computer without pins set pin_factory to 'mock'.",
    "pin_twice": "GPIO {pin} is used twice: for {first} and for {second}. Give one of them another "
    "pin in the settings.",
    "pin_failed": "GPIO pin {pin} cannot be used: {reason}. Check the pins in the settings.",
    "button_flutters": "Button '{button}' is pressed more often than a finger can, and is not "
    "heeded until it rests. Its contact is loose, or its device is broken.",
    "button_stuck": "Button '{button}' has been down for half a minute. It is stuck, or its wires "
    "touch.",
    "no_display_keys": "Button '{button}' is a key of the display, but this display has no key "
    "'{key}'. Use a GPIO pin, or a CFA635 display.",
    "no_display_lamps": "Lamps of the display were asked for, but this display has none. Use a "
    "CFA635 display or a Pico, or another kind of lamps.",
    "too_many_lamps": "A Pico lights {most} lamps at most, not {count}. Correct 'count' in the "
    "settings.",
    "program_missing": "The program {program} is not installed. Install it: sudo apt install "
    "{package}.",
    "program_failed": "The program {program} failed: {reason}. Try it in a terminal.",
    "no_sound_card": "There is no sound card. Plug in a USB sound card or loudspeaker, or set "
    "'kind' of the sound to 'silent'.",
    "folder_failed": "The voice speaks, but cannot keep its recordings in {folder}: {reason}. "
    "Check permissions and free space.",
}
"""English sentence for each code, to be filled with the report's parameters."""

GOOD_CODES = frozenset({"off", "simulated", "ready", "connected", "folder_failed"})
"""The codes of devices that work, or are not wanted."""


@dataclass(frozen=True, slots=True)
class Report:
    """One thing a device has to say: `code` is a key of `TEXTS`, `params` fill its sentence."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if the device works, or is not wanted at all."""
        return self.code in GOOD_CODES

    @property
    def message(self) -> str:
        """The English sentence."""
        return TEXTS[self.code].format_map(self.params)


Listener = Callable[[Report], None]
"""Told about every change of a device's state, from the device's own thread."""


def unheard(report: Report) -> None:
    """A listener for devices that are not watched."""


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """The state of one device of the rig: `name` is its part ("lamps", "score", …)."""

    name: str
    kind: str
    ok: bool
    code: str
    params: Mapping[str, str]
    message: str


StatusListener = Callable[[DeviceStatus], None]
"""Told about every change of a part, from the device's own thread."""


class Statuses:
    """The state of every part of a rig; `kinds` says which parts there are, and of what kind."""

    def __init__(self, kinds: Mapping[str, str], listener: StatusListener | None = None) -> None:
        self._kinds = kinds
        self._listener = listener
        self._changing = threading.Lock()
        self._statuses: dict[str, DeviceStatus] = {}
        for part, kind in kinds.items():
            self.note(part, Report("off" if kind in ("none", "silent") else "ready"))

    def now(self) -> list[DeviceStatus]:
        """The state of each part, in the order of the kinds."""
        with self._changing:
            return [self._statuses[part] for part in self._kinds]

    def of(self, part: str) -> Report:
        """The last report of a part."""
        with self._changing:
            status = self._statuses[part]
        return Report(status.code, status.params)

    def note(self, part: str, report: Report) -> None:
        """Records a change and tells the listener, whose failures affect nothing else."""
        status = DeviceStatus(
            part, self._kinds[part], report.ok, report.code, report.params, report.message
        )
        with self._changing:
            self._statuses[part] = status
        if self._listener is None:
            return
        try:
            self._listener(status)
        except Exception:
            log.exception("The listener failed on the status '%s' of %s.", status.code, part)

    def teller(self, part: str) -> Listener:
        """A listener for the device of a part."""
        return lambda report: self.note(part, report)


class HardwareError(Exception):
    """Any failure of this package; carries the `report` that explains it."""

    def __init__(self, code: str, **params: object) -> None:
        self.report = Report(code, {name: str(value) for name, value in params.items()})
        super().__init__(self.report.message)


class PortError(HardwareError):
    """A port could not be opened."""


class DeviceSilent(HardwareError):
    """The port is open, but what is behind it does not speak the device's language."""


class DeviceFloods(HardwareError):
    """The device says more than any device has to say, and does not stop."""


class DeviceRefused(HardwareError):
    """The device understood a command and would not do it."""


class PinError(HardwareError):
    """A GPIO pin, or GPIO altogether, cannot be used."""
