"""A simulated Raspberry Pi Pico. The program in it is no imitation: it is the firmware itself, on
simulated chips (`hardware.displays.pico.board`).
"""

from __future__ import annotations

from typing import Any

from hardware.displays.pico.board import Board, Pixel
from hardware.simulated.picture import (
    Picture,
    digits_picture,
    letters_picture,
    read_segments,
    strip_picture,
)
from hardware.simulated.pty import PtyTwin

BUTTON_PINS = {"button1": 14, "button2": 15}


class PicoTwin(PtyTwin):
    """`display` ("lcd", "tm1637" or "max7219") is looked at by `rows` and `picture`; `has` names
    the displays that are connected."""

    tick_s = 0.01

    def __init__(
        self,
        display: str = "lcd",
        columns: int = 16,
        rows: int = 2,
        *,
        has: tuple[str, ...] = ("lcd", "tm1637", "max7219"),
    ) -> None:
        self.display = display
        self.columns = columns
        self.row_count = rows
        self._has = has
        super().__init__()

    def boot(self) -> None:
        self.board = Board(self._has)
        # One list for the twin's whole life: a mistake is not forgiven by pulling the plug.
        self.board.errors = self.board.lcd.errors = self.errors
        self.board.tm1637.errors = self.board.max7219.errors = self.errors
        self._table: Any = self.board.load()["Table"](self.send)

    def take(self, data: bytes) -> None:
        self._table.feed(data)

    def tick(self) -> None:
        self._table.tick()

    @property
    def pixels(self) -> list[Pixel]:
        """Red, green and blue of each lamp of the strip, 0 to 255."""
        with self._news:
            return list(self.board.pixels)

    @property
    def resting(self) -> bool:
        """True if it has not been set up, or has heard nothing for long."""
        with self._news:
            return not self._table.ready

    def rows(self) -> list[str]:
        """The text or digits on the display."""
        with self._news:
            if self.display == "lcd":
                return self.board.lcd.text(self.columns, self.row_count)
            text = ""
            for mask in self._digits():
                text += read_segments(mask)
                if mask & 0x80:
                    text += ":" if self.display == "tm1637" else "."
            return [text]

    @property
    def picture(self) -> Picture:
        """The display as it shines, and the strip below it."""
        shown, pixels = self._display_picture(), self.pixels
        return shown.above(strip_picture(pixels)) if pixels else shown

    def press(self, button: str) -> None:
        """A finger pushes "button1" or "button2"."""
        with self._news:
            self.board.pressed.add(BUTTON_PINS[button])

    def release(self, button: str) -> None:
        """The finger lets go."""
        with self._news:
            self.board.pressed.discard(BUTTON_PINS[button])

    def _display_picture(self) -> Picture:
        with self._news:
            if self.display == "lcd":
                light = 1.0 if self.board.lcd.backlight else 0.0
                return letters_picture(self.rows(), light=light)
            masks = self._digits()
        colon = self.display == "tm1637" and bool(masks[1] & 0x80)
        dots = [place for place, mask in enumerate(masks) if mask & 0x80 and not colon]
        return digits_picture([mask & 0x7F for mask in masks], dots, colon)

    def _digits(self) -> list[int]:
        if self.display == "tm1637":
            chip = self.board.tm1637
            return list(chip.digits) if chip.on else [0] * 4
        return self.board.max7219.digits
