"""Numbers as the language of the screen writes them."""

from __future__ import annotations

from companion.presentation.words.translate import language
from rules.texts import decimals

__all__ = ["figure", "percent"]


def figure(value: float, places: int = 1) -> str:
    """``value`` with so many decimal places."""
    return decimals(f"{value:.{places}f}", language())


def percent(part: float) -> str:
    """A share of one, in percent."""
    return f"{round(part * 100)} %"
