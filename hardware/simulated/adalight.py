"""A simulated LED strip behind a microcontroller that speaks Adalight and nothing else."""

from __future__ import annotations

from hardware.simulated.strip import StripTwin


class AdalightTwin(StripTwin):
    """A strip that names every byte that belongs to no frame."""

    def boot(self) -> None:
        super().boot()
        self._wire = bytearray()

    def take(self, data: bytes) -> None:
        self._wire += data
        while self._wire:
            if not b"Ada".startswith(self._wire[:3]):
                self._skip("no frame begins so")
                continue
            if len(self._wire) < 6:
                return
            high, low, check = self._wire[3:6]
            if check != high ^ low ^ 0x55:
                self._skip("wrong checksum in the header")
                continue
            end = 6 + 3 * ((high << 8 | low) + 1)
            if len(self._wire) < end:
                return
            self.light(bytes(self._wire[6:end]))
            del self._wire[:end]

    def _skip(self, reason: str) -> None:
        self.errors.append(f"Byte 0x{self._wire[0]:02X} was skipped: {reason}.")
        del self._wire[0]
