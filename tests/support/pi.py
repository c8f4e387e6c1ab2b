"""A Raspberry Pi that is told what to say about itself."""

from __future__ import annotations

from pathlib import Path


class Pi:
    """The files of a Raspberry Pi that tell of power and heat."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._alarm = root / "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
        self._bits = root / "sys/devices/platform/soc/soc:firmware/get_throttled"
        self._heat = root / "sys/class/thermal/thermal_zone0/temp"
        for path in (self._alarm, self._bits, self._heat):
            path.parent.mkdir(parents=True)
        (self._alarm.parent / "name").write_text("rpi_volt\n")
        self.tell()

    def tell(self, *, low: bool = False, bits: str = "0", temp: int = 51_000) -> None:
        self._alarm.write_text("1\n" if low else "0\n")
        self._bits.write_text(f"{bits}\n")
        self._heat.write_text(f"{temp}\n")
