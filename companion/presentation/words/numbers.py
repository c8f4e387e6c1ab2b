"""Numbers as the language of the screen writes them."""

from __future__ import annotations

from companion.presentation.words.translate import language

__all__ = ["figure", "percent"]


def figure(value: float, places: int = 1) -> str:
    """``value`` with so many decimal places."""
    text = f"{value:.{places}f}"
    return text.replace(".", ",") if language() == "de" else text


def percent(part: float) -> str:
    """A share of one, in percent."""
    return f"{round(part * 100)} %"
