"""The scene on the first page: a move that is wrong on the board, and what the referee says to it.

It is played by the real rules when the page is built, so that a visitor sees it before Python is
there.
"""

from __future__ import annotations

from typing import Any, Final

from companion.web.try_page.trial import Trial
from rules.core import Move

Json = dict[str, Any]

GAME: Final = "knizia_stonehenge"
NAMES: Final = ("Ada", "Ben")
PLAYED: Final = (
    "p0 place 2 H", "p1 place 4 E", "p0 place 3 D", "p1 place 5 A", "p0 place 4 O", "p1 place 1 G",
    "p0 place 1 B", "p0 done",
)  # fmt: skip
"""Moves that led there."""
WRONG: Final = Move.parse("p1 claim H2")
"""A megalith taken too early: the other can still reach more on this line."""


def first_scene(lang: str) -> Json:
    """The scene as data: ``game``; the boards ``before`` and ``after`` the wrong move, as a page
    for phones draws them; ``sites`` that it touched; and ``why`` it is not allowed."""
    trial = Trial(GAME, len(NAMES), names=NAMES)
    for move in PLAYED:
        trial.play([move])
    why = trial.explained(lang, trial.match.why_not(WRONG))
    before, sites = trial.picture(lang)["public"], trial.match.state.touches(WRONG)
    trial.match.force(WRONG)
    after = trial.picture(lang)["public"]
    return {
        "game": GAME, "name": before["game_name"], "sites": list(sites), "why": why,
        # One frame for both: the board must not jump. What was moved before is of no interest.
        "before": {**before["board"], "frame": after["board"]["frame"], "last": []},
        "after": {**after["board"], "last": []},
    }  # fmt: skip
