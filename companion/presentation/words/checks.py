"""Words for the checks of a table: what was measured, and what to do next. Free of Kivy."""

from __future__ import annotations

from collections.abc import Sequence

from companion.presentation.words.sentences import figure as written
from companion.presentation.words.translate import _, language
from companion.presentation.words.troubles import what_to_do
from companion.support.finding import Figure, Finding, Verdict
from hardware.rhythm import Rhythm
from rules.texts import Texts, decimals


def step_name(step: str) -> str:
    """Subject of a step, in one word."""
    return _(f"screens.{step}")


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
    for name in ("setup.advice", "fieldtest.advice", "camera.advice"):
        words = Texts(name, language())
        if words.knows(finding.code):
            return words[finding.code]
    return what_to_do(finding.code)


def check_name(check: str) -> str:
    """Subject of a check of the field test, or of a part of one; empty where the figures of a part
    say it themselves."""
    words, doctor = Texts("fieldtest.names", language()), Texts("doctor", language())
    if words.knows(check):
        return words[check]
    own = check.partition("_")[2]
    return doctor[f"check_{own}"] if doctor.knows(f"check_{own}") else own


def answer_words(choice: str) -> str:
    """A possible answer; a word or number that is to be recognised stays as it is."""
    words = Texts("fieldtest.answers", language())
    return words[choice] if words.knows(choice) else tone_words(choice)


def tone_words(choice: str) -> str:
    """Words for a rhythm of the buzzer; anything else stays as it is."""
    tones = {
        Rhythm.STEADY.value: _("setup.one_long_tone"),
        Rhythm.DOUBLE_BLINK.value: _("setup.two_short_tones"),
    }
    return tones.get(choice, choice)


def outcome(finding: Finding) -> str:
    """A finding of the field test in a sentence."""
    match finding.verdict:
        case Verdict.GOOD:
            return _("fieldtest.fine")
        case Verdict.ABSENT if not finding.code:
            return _("fieldtest.not_there")
        case Verdict.SKIPPED if not finding.code:
            return _("fieldtest.was_skipped")
    return advice(finding)


def in_brief(finding: Finding) -> str:
    """The first figure with a unit: without one and its name a number says nothing."""
    return next((_measured(told) for told in finding.figures if told.unit), "")


def figure_rows(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """Measured figures: name and number with its unit and limits; parts by their names."""
    rows, words = [], Texts("fieldtest.figures", language())
    for finding in findings:
        part = check_name(finding.check)
        for told in finding.figures:
            name = words[told.name] if words.knows(told.name) else told.name
            whole = f"{part}: {name}" if part and finding is not findings[0] else name
            rows.append((whole, _measured(told) + _limits(told)))
    return rows


def _measured(told: Figure) -> str:
    places = 0 if float(told.value).is_integer() else (3 if abs(told.value) < 1 else 1)
    unit = {"1/s": "/s"}.get(told.unit, f" {told.unit}".rstrip())
    return written(told.value, places) + unit


def _limits(told: Figure) -> str:
    words = ""
    for key, limit in (("at_least", told.least), ("at_most", told.most)):
        if limit is not None:
            words += ", " + _(f"fieldtest.{key}").format(limit=decimals(f"{limit:g}", language()))
    return words
