"""Words for the checks of a table: what was measured, and what to do next. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.sentences import figure as written
from companion.presentation.words.translate import _, language
from companion.presentation.words.troubles import what_to_do
from companion.setup.table_check import Finding, Verdict
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
    value, of = finding.value, finding.of
    match finding.verdict:
        case Verdict.ABSENT:
            return _("setup.not_set_up")
        case Verdict.SKIPPED:
            return _("setup.skipped")
        case Verdict.WAITING:
            return _("setup.not_tried_yet") if finding.code == "try" else "…"
    if value is None:
        if finding.verdict is Verdict.GOOD:
            return _("screens.works")
        return _("setup.not_in_view") if finding.code == "board_lost" else _("setup.does_not_work")
    match finding.step:
        case "camera":
            return _("setup.number_pictures_s").format(number=written(value))
        case "light":
            return _("setup.number_brightness").format(number=written(100 * value, 0))
        case "sharpness":
            least = written(of or 0.0, 2)
            return _("setup.number_at_least").format(number=written(value, 2), least=least)
        case "stickers":
            return _("setup.number_px").format(number=written(value), least=written(of or 0.0, 0))
        case "corners":
            return _("setup.off_by_number_px").format(number=written(value))
    return _("setup.right_of_count_correct").format(right=int(value), count=int(of or 0))


def advice(finding: Finding) -> str:
    """Advice on a step that failed."""
    words = Texts("setup.advice", language())
    return words[finding.code] if words.knows(finding.code) else what_to_do(finding.code)
