"""Whether a text says something, to somebody who reads its language, and names one thing each."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rules.box import Box
from rules.testing.report import Report
from rules.texts import AUTHORED

__all__ = ["check_wording", "flat"]

LONGEST = 110
"""Letters of a title: more do not fit two lines of any screen."""
_UNDONE = re.compile(r"\W*(todo|tbd|fixme|xxx|lorem ipsum|translate me)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = frozenset({"kinds", "kinds_many", "breaks", "sites", "words", "types"})
"""Sections of names, which other texts hold."""
_FORMS = frozenset(
    {"", "player", "site", "sites", "kind", "kinds", "word", "words", "points"}
)  # fmt: skip
_GERMAN = """
    der die das den dem des ein eine einen einem einer und oder nicht ist sind wird werden auf mit
    von zu im vom zum wer wenn dein deine deinen du sich nur noch dort wie kein keine hat bitte aus
    nach bei für auch als so es er sie
"""
_ENGLISH = """
    the a an and or not is are be been of to on with from for who when your you only it its that
    this there no has have at by as into if they their may please does do can
"""
_COMMON = {"de": frozenset(_GERMAN.split()), "en": frozenset(_ENGLISH.split())}
"""Words that nearly every sentence has, by language; none is in both."""
SURE = 3
"""So many of them give a language away, if there is none of its own."""


def check_wording(
    texts: Mapping[str, Mapping[str, Any]], box: Box, report: Report, *, box_is_own: bool
) -> None:
    """``texts`` by language; ``box_is_own``: no other game uses the box."""
    for lang, own in texts.items():
        for key in _not_text(own):
            report.add(f"{lang}: '{key}' is no text", "Write it in quotes")
        for key, text in flat(own).items():
            _check_text(lang, key, text, report)
        for section in ("kinds", "kinds_many", "sites"):
            words = own.get(section, {})
            if not isinstance(words, Mapping):
                continue
            if section == "sites" and (strange := sorted(set(words) - set(box.sites))):
                report.add(
                    f"{lang}: the box has no place {', '.join(strange[:5])}",
                    "Write it as the box file does, or delete the text",
                )
            if section == "kinds" and box_is_own and (none := sorted(set(words) - set(box.kinds))):
                report.add(
                    f"{lang}: the box has no kind {', '.join(none[:5])}",
                    "Write it as the box file does, or delete the text",
                )
            twice = [name for name, number in Counter(words.values()).items() if number > 1]
            for name in twice:
                keys = [key for key, word in words.items() if word == name]
                report.add(
                    f"{lang}: {section} calls {', '.join(keys[:3])} '{name}'",
                    "Give each a name of its own, or players cannot tell them apart",
                )


def _check_text(lang: str, key: str, text: str, report: Report) -> None:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        report.add(f"{lang}: text '{key}' cannot be read: {error}", "Close each brace, or write {{")
        return
    said = "".join(words for words, *_ in parts)
    for _, name, form, _ in parts:
        if name is not None and form not in _FORMS:
            report.add(
                f"{lang}: text '{key}' has '{{{name}:{form}}}'",
                f"After the colon stands one of {', '.join(sorted(_FORMS - {''}))}",
            )
    named = any(name is not None for _, name, _, _ in parts)
    if named and key.partition(".")[0] in _PLAIN:
        report.add(f"{lang}: text '{key}' has braces", "Write the name alone, for it is put in")
    if text.strip() and (_UNDONE.match(text) or not (named or re.search(r"\w", said))):
        report.add(f"{lang}: text '{key}' says '{text}'", "Write what players are to read")
    if key.endswith("title") and len(said) > LONGEST:
        report.add(
            f"{lang}: text '{key}' has {len(said)} letters", "Say it in a line, and more in 'text'"
        )
    words = {word.lower() for word in _WORD.findall(said)}
    for other in AUTHORED:
        if other != lang and len(words & _COMMON[other]) >= SURE and not words & _COMMON[lang]:
            report.add(f"{lang}: text '{key}' is in {other}: {said[:50]!r}", "Translate it")


def _not_text(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _not_text(value, f"{prefix}{key}.")
        elif not isinstance(value, str):
            yield f"{prefix}{key}"


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Every text of a file by the keys that lead to it, with dots between them."""
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            found.update(flat(value, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = str(value)
    return found
