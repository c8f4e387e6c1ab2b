"""Names of pieces without stickers in the settings, compared with what the boxes know."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from companion.words.errors import notice
from rules.box import BoxError, box_ids, load_box
from rules.errors import Sentence
from rules.near import hint

ALL = "*"
AUTO = "auto"
"""Same as in ``vision.pieces.bare``, which is not loaded for a single word."""


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Groups and kinds of every box on the shelf that can be read."""
    found: set[str] = set()
    kinds: set[str] = set()
    for name in box_ids():
        try:
            box = load_box(name)
        except BoxError:
            # A broken box from elsewhere is reported where its games are.
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
