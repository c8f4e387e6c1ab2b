"""Whether a game says everything, in both languages."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rules.box import BoxError, load_box
from rules.core import Game, GameError
from rules.near import nearest
from rules.telling import SECTIONS, Teller, load_text
from rules.testing.report import Report
from rules.testing.wording import check_wording, flat
from rules.texts import AUTHORED

__all__ = ["check_named", "check_texts"]

SHORT = 24
"""Letters; a longer text that is the same in two languages was not translated."""
_NUMBERED = re.compile(r"([A-Z]+)([0-9]+)")
_LETTER = re.compile(r"[^\W\d_]")
_TOLD = ("objections", "outcomes", "picked", "prompts", "results", "spread")
_PARTS = ("title", "text", "do", "verdict")
_BOTH = "Write it in both languages"


def check_texts(game: Game[Any], report: Report) -> None:
    """What can be seen in the files of texts alone."""
    files: dict[str, Mapping[str, Any]] = {}
    for lang in AUTHORED:
        try:
            files[lang] = load_text(game.id, lang, game.package)
        except GameError as error:
            report.add(str(error).rstrip("."), _remedy(game, error.code))
    if len(files) < len(AUTHORED):
        return
    try:
        box = load_box(game.box)
    except BoxError:
        return
    check_wording(files, box, report, box_is_own=Path(game.box).is_absolute())
    _check_translated({lang: flat(texts) for lang, texts in files.items()}, report)
    for lang, own in files.items():
        _check_sections(lang, own, report)
        _check_declared(game, lang, own, report)
        _check_numbers(lang, own.get("rulings", {}), report)


def _remedy(game: Game[Any], code: str) -> str:
    if code in ("bad_toml", "not_text"):
        return "Mend the file"
    elsewhere = not type(game).__module__.startswith("rules.")
    if elsewhere and game.package == "rules":
        return 'Name the package where the texts of the game lie: package = "my_package"'
    return "Every game has a file of texts for each language"


def check_named(game: Game[Any], report: Report) -> None:
    """What turned up in the matches, and must have a name or a page."""
    try:
        box = load_box(game.box)
    except BoxError:
        return
    for lang in AUTHORED:
        own, common = load_text(game.id, lang, game.package), load_text("common", lang)
        teller = Teller(game, lang, game.palette)
        words = {**common["words"], **own.get("words", {})}
        plurals = own.get("kinds_many", {})
        for kind, most in sorted(report.kinds.items()):
            if kind not in own.get("kinds", {}) and kind not in words:
                report.add(
                    f"{lang}: kinds.'{kind}' is missing", "Name every piece that players see"
                )
            card = kind in box.kinds and box.kinds[kind].shape == "card"
            if most > 1 and kind not in plurals and not card:
                report.add(
                    f"{lang}: kinds_many.'{kind}' is missing, but a player has {most}",
                    "Give what is counted a plural in both languages",
                )
        for rule in sorted(report.cited):
            report.tell(f"{lang}: rule '{rule}'", partial(teller.rule, rule))


def _check_translated(texts: Mapping[str, Mapping[str, str]], report: Report) -> None:
    first, second = AUTHORED
    for key in sorted(set(texts[first]) ^ set(texts[second])):
        missing = second if key in texts[first] else first
        report.add(f"text '{key}' is missing in {missing}", _BOTH)
    for key in sorted(set(texts[first]) & set(texts[second])):
        names = [_placeholders(texts[lang][key]) for lang in AUTHORED]
        if names[0] != names[1]:
            report.add(
                f"text '{key}' has {names[0]} in {first} but {names[1]} in {second}",
                "Use the same names in braces in both languages",
            )
        for lang in AUTHORED:
            if not texts[lang][key].strip():
                report.add(f"text '{key}' is empty in {lang}", _BOTH)
        words = _said(texts[first][key])
        if len(words) > SHORT and " " in words and words == _said(texts[second][key]):
            report.add(f"text '{key}' is the same in {first} and {second}", "Translate it")


def _check_sections(lang: str, own: Mapping[str, Any], report: Report) -> None:
    """Nothing is written where nobody reads it."""
    for name, section in own.items():
        if name in ("name", "tagline"):
            continue
        if name not in SECTIONS:
            near = nearest(name, SECTIONS)
            hint = f"Did you mean [{near[0]}]?" if near else "See docs/texts.md for those there are"
            report.add(f"{lang}: nobody reads the section [{name}]", hint)
        elif not isinstance(section, Mapping):
            report.add(f"{lang}: '{name}' is a section", f"Write [{name}] and its keys below it")
        elif name in _TOLD:
            _check_told(lang, name, section, report)


def _check_told(lang: str, name: str, section: Mapping[str, Any], report: Report) -> None:
    for code, entry in section.items():
        if not isinstance(entry, Mapping):
            continue
        for part in entry:
            if part not in _PARTS:
                report.add(
                    f"{lang}: nobody reads '{part}' of {name}.{code}",
                    f"The parts of an entry are {', '.join(_PARTS)}",
                )
        if not entry.get("title"):
            report.add(f"{lang}: {name}.{code} has no title", "Say in a few words what it is about")


def _check_declared(game: Game[Any], lang: str, own: Mapping[str, Any], report: Report) -> None:
    """Words for everything that the game says it has."""
    common = load_text("common", lang)
    for name in ("name", "tagline"):
        if not own.get(name):
            report.add(f"{lang}: '{name}' is missing", "The shelf shows it: write it")
    teller = Teller(
        game, lang, game.colours(game.players[0], game.complete_options(game.players[0], {}))
    )
    for section, codes in (("objections", game.codes), ("outcomes", game.outcomes)):
        for code in codes:
            if code not in own.get(section, {}) and code not in common.get(section, {}):
                report.add(f"{lang}: {section}.{code} is missing", _BOTH)
        for code in own.get(section, {}):
            if code not in codes:
                report.add(
                    f"{lang}: {section}.{code} is not among those that the game declares",
                    "Declare the code, or delete its text",
                )
    for code, entry in own.get("objections", {}).items():
        if not all(entry.get(part) for part in ("title", "text", "do")):
            report.add(
                f"{lang}: objections.{code} needs title, text and do",
                "Say what is wrong, why, and what to do now",
            )
    for name, values in game.options.items():
        report.tell(f"{lang}: options.{name}", partial(teller.option, name))
        told = own.get("options", {}).get(name, {}).get("values", {})
        for value in values:
            if value not in told and value not in common["words"] and _LETTER.search(value):
                report.add(f"{lang}: options.{name}.values.{value} is missing", _BOTH)
    for name in own.get("options", {}):
        if name not in game.options:
            report.add(
                f"{lang}: there is no option '{name}'", "Declare the option, or delete its text"
            )
    words = {**common["words"], **own.get("words", {})}
    for players in game.players:
        for colour in game.colours(players, game.complete_options(players, {})):
            if colour not in words:
                report.add(f"{lang}: words.{colour} is missing", "Name the colour of every seat")
    for section in ("rules", "rulings"):
        for rule, page in own.get(section, {}).items():
            if not isinstance(page, Mapping) or not (page.get("title") and page.get("text")):
                report.add(f"{lang}: {section}.{rule} needs title and text", "Write the page")
                continue
            report.tell(f"{lang}: {section}.{rule}", partial(teller.rule, rule))
    report.tell(f"{lang}: handling_rule", partial(teller.rule, game.handling_rule))


def _check_numbers(lang: str, rulings: Mapping[str, Any], report: Report) -> None:
    """Rulings are counted, and none is left out."""
    found: dict[str, set[int]] = {}
    for name in rulings:
        if match := _NUMBERED.fullmatch(name):
            found.setdefault(match[1], set()).add(int(match[2]))
    for prefix, numbers in found.items():
        for number in sorted(set(range(1, max(numbers))) - numbers):
            report.add(
                f"{lang}: rulings.{prefix}{number} is missing, but {prefix}{max(numbers)} is there",
                "Give every ruling a page, or number them without gaps",
            )


def _said(text: str) -> str:
    """A text without what stands in braces."""
    return " ".join("".join(words for words, *_ in _parts(text)).split())


def _placeholders(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in _parts(text) if name})


def _parts(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(text))
    except ValueError:
        return [(text, None, None, None)]  # said by check_wording
