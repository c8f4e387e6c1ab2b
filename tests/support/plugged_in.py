"""Every kind of device; those of score displays come from their own tests."""

from __future__ import annotations

from importlib import import_module

from hardware.lamps.adalight import AdalightStrip
from hardware.lamps.wled import WledStrip
from hardware.settings import DISPLAYS
from hardware.simulated.strip import AdalightTwin
from hardware.simulated.wled import WledTwin
from tests.support.devices import SOON_S, Case, Device, strip_frame

SCORE_DISPLAYS: dict[str, Device] = {
    kind: import_module(f"tests.hardware.displays.test_{kind}").DEVICE for kind in DISPLAYS
}

CASES: dict[str, Case] = {
    **{name: case for device in SCORE_DISPLAYS.values() for name, case in device.models.items()},
    "adalight": Case(
        lambda: AdalightTwin(3),
        lambda url, heard: AdalightStrip(url, heard, count=3, first_wait_s=SOON_S),
        lambda strip, n: strip.show(strip_frame(n)),
        lambda twin, n: tuple(twin.pixels) == strip_frame(n),
    ),
    "wled": Case(
        lambda: WledTwin(3),
        lambda url, heard: WledStrip(url, heard, count=3, first_wait_s=SOON_S),
        lambda strip, n: strip.show(strip_frame(n)),
        lambda twin, n: tuple(twin.pixels) == strip_frame(n),
    ),
}

AT_PORTS = {name: case for name, case in CASES.items() if case.at_port}
"""Devices that can be unplugged at any byte, and may say anything."""
