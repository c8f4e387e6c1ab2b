"""Names of pieces without stickers in the settings, compared with what the boxes know."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from companion.words.errors import notice
from rules.box import box_ids, load_box
from rules.core import GameError
from rules.errors import Sentence
from rules.games import find_game, game_ids, own_ids
from rules.near import hint

ALL = "*"
AUTO = "auto"
"""Same as in ``vision.pieces.bare``, which is not loaded for a single word."""


def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Groups and kinds of every box that can be read, those of games from elsewhere too."""
    return _known_with(game_ids())


@cache
def _known_with(games: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    found: set[str] = set()
    kinds: set[str] = set()
    # Which games there are is told late: a folder may be named in the call.
    for name in (*box_ids(), *(game for game in games if game not in own_ids())):
        try:
            box = load_box(name if name not in games else find_game(name).box)
        except GameError:
            # A broken game or box from elsewhere is reported where its games are.
            continue
        found |= box.kinds_of_group.keys()
        kinds |= box.kinds.keys()
    return frozenset(found), frozenset(kinds)


def groups() -> tuple[str, ...]:
    """Groups of pieces that may be named, from all boxes."""
    return tuple(sorted(g for g in _known()[0] if not g.startswith("card")))


def unknown(named: Collection[str]) -> tuple[str, ...]:
    """Names of ``named`` that no box has."""
    if not set(named) - {ALL, AUTO}:
        # No box is loaded for nothing: the program would start later.
        return ()
    known = _known()[0] | _known()[1] | {ALL, AUTO}
    return tuple(name for name in named if name not in known)


def unknown_names(named: Collection[str], file: Path) -> Sentence | None:
    """Sentence on the names that no box has; None if there are none."""
    wrong = unknown(named)
    if not wrong:
        return None
    known = hint(wrong[0], [*groups(), ALL, AUTO], sorted(_known()[1]))
    return notice("bare_unknown", names=wrong, file=file, hint=known)
