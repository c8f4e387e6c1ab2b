"""Words for the checks of a table: what was measured, and what to do next. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.devices import what_to_do
from companion.presentation.words.numbers import figure as written
from companion.presentation.words.translate import _
from companion.setup.table_check import Finding, Verdict

__all__ = ["advice", "figure", "step_name"]


def step_name(step: str) -> str:
    """What a step checks, in one word."""
    return {
        "camera": _("Camera"),
        "light": _("Light"),
        "sharpness": _("Sharpness"),
        "stickers": _("Stickers"),
        "corners": _("Corners"),
        "lamps": _("Lamps"),
        "display": _("Display"),
        "sound": _("Sound"),
    }[step]


def figure(finding: Finding) -> str:
    """What was measured, short."""
    value, of = finding.value, finding.of
    match finding.verdict:
        case Verdict.ABSENT:
            return _("not set up")
        case Verdict.SKIPPED:
            return _("skipped")
        case Verdict.WAITING:
            return _("not tried yet") if finding.code == "try" else "…"
    if value is None:
        if finding.verdict is Verdict.GOOD:
            return _("works")
        return _("not in view") if finding.code == "board_lost" else _("does not work")
    match finding.step:
        case "camera":
            return _("{number} pictures/s").format(number=written(value))
        case "light":
            return _("{number} % brightness").format(number=written(100 * value, 0))
        case "sharpness":
            least = written(of or 0.0, 2)
            return _("{number}, at least {least}").format(number=written(value, 2), least=least)
        case "stickers":
            return _("{number} px, at least {least}").format(
                number=written(value), least=written(of or 0.0, 0)
            )
        case "corners":
            return _("off by {number} px").format(number=written(value))
    return _("{right} of {count} correct").format(right=int(value), count=int(of or 0))


def advice(finding: Finding) -> str:
    """What to do next about a step that failed."""
    match finding.code:
        case "no_pictures":
            return _(
                "Check its cable and plug. The settings say which camera is used; the command "
                "‘heelstone doctor’ lists those that are connected."
            )
        case "board_lost":
            return _(
                "Heelstone looks for the stickers in the four corners. Clear away whatever "
                "covers them, get the whole board into the picture, and add light if it is "
                "dark."
            )
        case "too_dark":
            return _("Add more light, ideally from above and from two sides.")
        case "too_bright":
            return _("Turn the lamp so that it does not shine back into the camera.")
        case "blurred":
            return _("Wipe the lens, or turn its focus ring until the stickers are sharp.")
        case "too_small":
            return _("Move the camera closer, or choose a larger picture in the settings.")
        case "crooked":
            return _("Lay the board flat and uncover the stickers in all four corners.")
        case "lamps_dark":
            return _("Check the lamps’ plug and power, and their number in the settings.")
        case "lamps_order":
            return _(
                "A different lamp lit up. Check which lamp comes first and how many there are."
            )
        case "display_dark":
            return _("Check its plug, and its contrast in the settings.")
        case "display_wrong":
            return _("Check the type of display and its columns and rows in the settings.")
        case "silent":
            return _("Check the loudspeaker, its plug and the volume.")
        case "misheard":
            return _("Turn the volume up, or try again when it is quiet.")
    return what_to_do(finding.code)
