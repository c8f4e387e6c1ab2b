"""Parts of the window in px of the screen itself, which scissors want, however it is turned."""

from __future__ import annotations

from kivy.core.window import Window


def window_part(
    left: float, bottom: float, width: float, height: float
) -> tuple[int, int, int, int]:
    """The same for a part of what is shown, on the screen as it was built."""
    wide, high = Window.size
    match Window.rotation:
        case 90:
            part = (high - bottom - height, left, height, width)
        case 180:
            part = (wide - left - width, high - bottom - height, width, height)
        case 270:
            part = (bottom, wide - left - width, height, width)
        case _:
            part = (left, bottom, width, height)
    x, y, across, up = map(round, part)
    return x, y, across, up
