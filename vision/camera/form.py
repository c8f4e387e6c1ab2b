"""The form of a camera's pictures; read without loading what takes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """The pictures that are wanted of a camera."""

    size: tuple[int, int] | None = None
    """Width and height in px; None: 1920 × 1080 of a USB camera, of a Pi's all that it has, or a
    half or a quarter of it as long as that is more than ``most_px``."""
    lock: bool = True
    """Hold exposure, white balance and focus once they were found."""
    mains_hz: int | None = None
    """Frequency of the mains: lamps flicker twice as often, and exposure times are chosen that show
    no bands of it. None: it does not matter."""
    most_px: int | None = None
    """Pixels of a picture at most where no ``size`` is asked for; None: any number."""
    buffers: int = 3
    """Pictures in the hands of a Pi camera: one is looked at while the next one is taken."""

    def size_of(self, sensor: tuple[int, int]) -> tuple[int, int]:
        """Width and height of the pictures of a sensor of that size, both even.

        Halves are what sensors join four pixels to: the whole view, more light, and quarter the
        memory in the camera's own buffers, too.
        """
        width, height = self.size or sensor
        while self.size is None and self.most_px is not None and width * height > self.most_px:
            width, height = width // 2, height // 2
        return width - width % 2, height - height % 2


USUAL = Form()
