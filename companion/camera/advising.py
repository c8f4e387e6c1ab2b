"""Advice about what the camera sees, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules.box import Box
from rules.texts import Texts, decimals
from vision.advice import Advice, Value

MOST_NAMES = 4
"""Maximum number of places named; the rest are counted."""


def advice_text(
    advice: Advice, box: Box, lang: str, site_name: Callable[[str], str] | None = None
) -> str:
    """One or two sentences for people.

    ``site_name``: what the game calls a site, ``rules.telling.Teller.site``; without it sites go
    by what is printed on the board.
    """
    say = Texts("camera.advice", lang)
    name = site_name or (lambda site: box.sites[site].label or site)
    return say(advice.code, **{k: _spoken(k, v, say, lang, name) for k, v in advice.params.items()})


def advice_json(
    advice: Iterable[Advice], box: Box, lang: str, site_name: Callable[[str], str] | None = None
) -> list[dict[str, object]]:
    """For ``--json``: codes, parameters and sentences."""
    return [{**one.to_json(), "text": advice_text(one, box, lang, site_name)} for one in advice]


def _spoken(key: str, value: Value, say: Texts, lang: str, site_name: Callable[[str], str]) -> str:
    if isinstance(value, tuple):
        names = [site_name(one) if key == "sites" else say(one) for one in value]
        if len(names) > MOST_NAMES:
            more = len(names) - MOST_NAMES + 1
            names = [*names[: MOST_NAMES - 1], say("more", count=more)]
        return ", ".join(names)
    if isinstance(value, str):
        return say(value)
    return decimals(f"{value:g}", lang)
