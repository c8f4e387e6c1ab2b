"""What to do about a device, by the code of its state. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.translate import language
from rules.texts import Texts

__all__ = ["what_to_do"]


def what_to_do(code: str) -> str:
    """What to do about a device whose state has this code."""
    words, known = Texts("device_troubles", language()), _ALIKE.get(code, code)
    return words[known if words.knows(known) else "ask_the_doctor"]


_ALIKE = {
    "lost": "unplugged",
    "port_failed": "no_port",
    "lcdd_size": "wrong_size",
    "too_many_lamps": "no_such_lamp",
    "pin_failed": "no_pins",
    "no_display_lamps": "no_display_keys",
    "spi_missing": "program_missing",
    "pins_missing": "program_missing",
    "folder_failed": "program_failed",
}
"""Codes that call for the same as another."""
