"""What the names of players' buttons mean."""

from __future__ import annotations

__all__ = ["BUTTONS", "button_action"]

BUTTONS = ("commit", "undo", "redo", "again", "clock")
"""What a button's name says; what follows a ``_`` tells several alike apart."""


def button_action(name: str) -> str:
    """What a button of this name does; empty if the name means nothing."""
    does = name.partition("_")[0]
    return does if does in BUTTONS else ""
