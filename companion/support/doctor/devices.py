"""Checks of cameras, ports, sound and pins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec

from companion.settings.settings import Settings
from companion.support.doctor.finding import Place, user
from companion.support.finding import Finding, Verdict
from hardware.fittings import fittings, uses_of_pins

PORTLESS_LAMPS = ("none", "mock", "gpio", "display", "spi")
"""Kinds of lamps that need no serial port."""

CONSOLES = ("serial0", "ttyAMA0", "ttyS0")
"""Ports that the system's own console may hold."""


def camera(place: Place, settings: Settings) -> Iterator[Finding]:
    """The camera in the settings, and those that were found."""
    source = settings.camera.source
    device = f"/dev/video{source}" if source.isdigit() else source
    # A Raspberry Pi has many video nodes that are not cameras; only cameras have lasting names.
    cameras = sorted((place.root / "dev/v4l/by-id").glob("*-index0"))
    cameras = cameras or sorted((place.root / "dev").glob("video*"))
    names = ", ".join(f"/{path.relative_to(place.root)}" for path in cameras)
    if source == "pi" or source.startswith("pi:"):
        if find_spec("picamera2") is None:
            yield place.trouble("camera", "camera_library")
        else:
            yield place.ok("camera", "camera_set", path=source)
    elif (
        source
        and not settings.camera.is_virtual
        and not place.exists(device)
        and "://" not in source
    ):
        yield place.trouble("camera", "camera_gone", path=device)
    elif source:
        yield place.ok("camera", "camera_set", path=source)
    elif cameras:
        yield place.hint("camera", "camera_unset", paths=names)
    else:
        yield place.hint("camera", "camera_none")
    if device.startswith("/dev/") and place.exists(device):
        yield from _busy(place, "camera", device)
    for path in cameras:
        if not os.access(path, os.R_OK | os.W_OK):
            name = f"/{path.relative_to(place.root)}"
            yield place.trouble("camera", "no_access", path=name, group="video", user=user())


def ports(place: Place, settings: Settings) -> Iterator[Finding]:
    """The serial ports of lamps and score display, as far as they are set."""
    score, lamps = settings.rig.score, settings.rig.lamps
    wanted = []
    for name, kind, port, serial in (
        ("score display", score.kind, score.port, fittings(settings.rig).serial),
        ("lamps", lamps.kind, lamps.port, lamps.kind not in PORTLESS_LAMPS),
    ):
        if not serial:
            yield place.ok(name, "device_off" if kind == "none" else "device_here")
        elif "://" in port:
            yield place.ok(name, "device_url", port=port)
        elif port:
            wanted.append(port)
            yield from _port(place, name, port)
    if lamps.kind == "spi" and not any((place.root / "dev").glob("spidev*")):
        yield place.trouble("lamps", "spi_off")
    if wanted and any(name == "ModemManager" for _, name, _ in place.programs()):
        yield place.hint("ports", "modem_manager")


def voice(place: Place, settings: Settings) -> Iterator[Finding]:
    """The programs that speak, and something to hear them with."""
    wanted = settings.rig.sound.kind == "voice"
    for program, package in (("espeak-ng", "espeak-ng"), ("aplay", "alsa-utils")):
        if shutil.which(program):
            yield place.ok(program, "program_ok", program=program)
        else:
            verdict = Verdict.BAD if wanted else Verdict.DOUBTFUL
            lacking = {"program": program, "package": package}
            yield place.finding(program, verdict, "program_missing", **lacking)
    if wanted and not any(
        line.strip()[:1].isdigit() for line in place.read("proc/asound/cards").splitlines()
    ):
        yield place.trouble("sound", "sound_none")


def pins(place: Place, settings: Settings) -> Iterator[Finding]:
    """The pins of all devices."""
    # It loads gpiozero, which few calls of the doctor need.
    from hardware.pins.factory import load_lgpio

    rig = settings.rig
    uses_pins = any(uses_of_pins(rig).values())
    chips = sorted((place.root / "dev").glob("gpiochip*"))
    if not uses_pins or rig.pin_factory == "mock":
        yield place.ok("pins", "pins_unused")
    elif find_spec("lgpio") is None:
        yield place.trouble("pins", "pins_library")
    elif not hasattr(load_lgpio(), "gpiochip_open"):
        # An empty package of that name is offered for some systems.
        yield place.trouble("pins", "pins_library_empty")
    elif not chips:
        yield place.trouble("pins", "pins_none")
    elif not os.access(chips[0], os.R_OK | os.W_OK):
        path = f"/dev/{chips[0].name}"
        yield place.trouble("pins", "no_access", path=path, group="gpio", user=user())
    else:
        yield place.ok("pins", "pins_ok")


def _port(place: Place, name: str, port: str) -> Iterator[Finding]:
    path = place.root / port.lstrip("/")
    if not path.exists():
        # A program for Braille displays claims the chip that many microcontrollers have.
        braille = port.startswith("/dev/ttyUSB") and place.exists("/usr/bin/brltty")
        key = "port_braille" if braille else "port_gone"
        yield place.trouble(name, key, port=port)
        return
    console = path.resolve().name in CONSOLES or path.name in CONSOLES
    taken = any(
        word.startswith("console=") and word[8:].split(",")[0] in CONSOLES
        for word in place.read("proc/cmdline").split()
    )
    if console and taken:
        yield place.trouble(name, "port_console", port=port)
    elif not os.access(path, os.R_OK | os.W_OK):
        yield place.trouble(name, "no_access", path=port, group="dialout", user=user())
    else:
        yield place.ok(name, "port_ok", port=port)
        yield from _busy(place, name, port)


def _busy(place: Place, check: str, device: str) -> Iterator[Finding]:
    holders = place.holders(device)
    if holders:
        yield place.trouble(check, "device_busy", path=device, program=holders[0])
