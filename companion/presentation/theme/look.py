"""How the screens look and speak, as somebody chose it. Free of Kivy."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Look"]


@dataclass(frozen=True, slots=True)
class Look:
    """What can be chosen about all screens at once."""

    lang: str = "de"
    """``de`` or ``en``."""
    theme: str = "night"
    """``night`` or ``limestone``."""
    motion: bool = True
    """Whether pieces move and signals pulse."""
    piece_colours: str = "printed"
    """``printed``, ``safe`` (told apart with every kind of colour vision) or ``patterns``."""
    text: str = "normal"
    """``normal``, ``large`` or ``largest``: the words that are read while a match is played."""
