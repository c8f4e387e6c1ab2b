"""Names of pieces without stickers in the settings, held against what the boxes know."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from companion.words.wording import Wording
from rules.box import BoxError, box_ids, load_box

__all__ = ["groups", "unknown", "unknown_text"]

ALL = "*"
AUTO = "auto"
"""As in ``vision.pieces.bare``, which is not loaded for a word."""


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Groups and kinds of every box on the shelf that can be read."""
    found: set[str] = set()
    kinds: set[str] = set()
    for name in box_ids():
        try:
            box = load_box(name)
        except BoxError:
            # A box from elsewhere that is broken is told of where its games are.
            continue
        found |= box.kinds_of_group.keys()
        kinds |= box.kinds.keys()
    return frozenset(found), frozenset(kinds)


def groups() -> tuple[str, ...]:
    """Groups of pieces that may be named, of all boxes."""
    return tuple(sorted(g for g in _known()[0] if not g.startswith("card")))


def unknown(named: Collection[str]) -> tuple[str, ...]:
    """Those of ``named`` that no box has."""
    if not set(named) - {ALL, AUTO}:
        # No box is loaded for nothing: the program would start later.
        return ()
    known = _known()[0] | _known()[1] | {ALL, AUTO}
    return tuple(name for name in named if name not in known)


def unknown_text(named: Collection[str], path: Path, lang: str) -> str:
    """One sentence about the names that no box has; empty if there are none."""
    wrong = unknown(named)
    if not wrong:
        return ""
    return Wording("sight", lang)(
        "bare_unknown", names=", ".join(wrong), path=path, known=", ".join(groups())
    )
