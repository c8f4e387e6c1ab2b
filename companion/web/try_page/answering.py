"""Questions of the page, and their answers: one line of JSON each.

``answer`` is the only thing that the browser's side calls; it holds the one match of a page.
"""

from __future__ import annotations

import json
from typing import Final

from companion.web.try_page.trial import Trial
from rules.core import GameError, IllegalMove, Json

MOST_S: Final = 5.0
"""Maximum thinking time of a computer player here, seconds."""


class _Page:
    """The match of this page."""

    trial: Trial | None = None


def answer(text: str) -> str:
    """Do what a line asks and tell what became of it.

    The line is ``{"do": …, "lang": "de"}`` with ``begin`` (``game``, ``players``, ``options``,
    ``seed``, ``names``, ``computers``), ``load`` (``kept``), ``picture``, ``play`` (``moves``),
    ``touch`` (``things``, ``sites``, ``pile``: why is that not allowed?), ``roll``, ``think``
    (``seconds``) or ``back``. The answer is ``{"picture": …, "why": …}``, or ``{"error": …}`` with
    a sentence if nothing was done.
    """
    asked = json.loads(text)
    lang = str(asked["lang"])
    try:
        said = _done(asked, lang)
    except GameError as error:
        said = {"error": error.sentence.told(lang, brief=True)}
    return json.dumps(said, ensure_ascii=False)


def _done(asked: Json, lang: str) -> Json:
    if asked["do"] in ("begin", "load"):
        # What was there stays if this cannot be had.
        _Page.trial = _begun(asked) if asked["do"] == "begin" else Trial.load(asked["kept"])
        return {"picture": _Page.trial.picture(lang)}
    trial, why = _Page.trial, None
    if trial is None:
        return {"picture": None}
    match asked["do"]:
        case "play":
            try:
                trial.play([str(move) for move in asked["moves"]])
            except IllegalMove as error:
                why = trial.explained(lang, error.objections)
        case "touch":
            pile = bool(asked.get("pile"))
            return {"why": trial.refusal(lang, asked["things"], asked["sites"], pile=pile)}
        case "roll":
            trial.roll()
        case "think":
            trial.think(min(float(asked["seconds"]), MOST_S))
        case "back":
            trial.take_back()
    return {"picture": trial.picture(lang), "why": why}


def _begun(asked: Json) -> Trial:
    return Trial(
        asked["game"], int(asked["players"]), asked["options"], seed=str(asked["seed"]),
        names=asked["names"], computers=asked["computers"],
    )  # fmt: skip
