"""Words for the checks of a table: what was measured, and what to do next. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.sentences import figure as written
from companion.presentation.words.translate import _, language
from companion.presentation.words.troubles import what_to_do
from companion.support.finding import Finding, Verdict
from rules.texts import Texts


def step_name(step: str) -> str:
    """Subject of a step, in one word."""
    return {
        "camera": _("screens.camera"),
        "light": _("screens.light"),
        "sharpness": _("screens.sharpness"),
        "stickers": _("screens.stickers"),
        "corners": _("screens.corners"),
        "lamps": _("screens.lamps"),
        "display": _("screens.display"),
        "sound": _("screens.sound"),
    }[step]


def figure(finding: Finding) -> str:
    """The measured figure, short."""
    match finding.verdict:
        case Verdict.ABSENT:
            return _("setup.not_set_up")
        case Verdict.SKIPPED:
            return _("setup.skipped")
        case Verdict.WAITING:
            return _("setup.not_tried_yet") if finding.code == "try" else "…"
    told = finding.figure
    if told is None:
        if finding.verdict is Verdict.GOOD:
            return _("screens.works")
        return _("setup.not_in_view") if finding.code == "board_lost" else _("setup.does_not_work")
    value, least = told.value, told.least or 0.0
    match told.name:
        case "rate":
            return _("setup.number_pictures_s").format(number=written(value))
        case "light":
            return _("setup.number_brightness").format(number=written(100 * value, 0))
        case "sharpness":
            limit = written(least, 2)
            return _("setup.number_at_least").format(number=written(value, 2), least=limit)
        case "module":
            return _("setup.number_px").format(number=written(value), least=written(least, 0))
        case "error":
            return _("setup.off_by_number_px").format(number=written(value))
        case "right":
            return _("setup.right_of_count_correct").format(right=int(value), count=int(least))
    return f"{written(value)} {told.unit}".strip()


def advice(finding: Finding) -> str:
    """Advice on a step that failed."""
    words = Texts("setup.advice", language())
    return words[finding.code] if words.knows(finding.code) else what_to_do(finding.code)
