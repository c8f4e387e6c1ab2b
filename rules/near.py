"""Near matches: the probable meaning of an unknown name."""

from __future__ import annotations

from collections.abc import Iterable

from rules.errors import Sentence

LEAST_ALIKE, BEGUN = 0.65, 0.9
"""Likeness, from 0, nothing in common, to 1, the same: of a name worth a question, and of one that
was only begun."""
LEAST_BEGUN = 3
"""Letters that begin a name rather than many."""
MOST_LISTED = 40
"""A longer list in a line is no help."""


def nearest(name: object, known: Iterable[object]) -> tuple[str, ...]:
    """The known names most like this one, several if equally so; none if none is like it.

    Capital letters, and what stands between words, make no difference. A number is like none.
    """
    from difflib import SequenceMatcher

    asked = _plain(str(name))
    if not asked or asked.isdecimal():
        return ()
    comparing = SequenceMatcher(None, "", asked)
    likeness = {}
    for one in map(str, known):
        plain = _plain(one)
        comparing.set_seq1(plain)
        alike = comparing.ratio() if comparing.quick_ratio() >= LEAST_ALIKE else 0.0
        begun = len(asked) >= LEAST_BEGUN and plain.startswith(asked)
        likeness[one] = max(alike, BEGUN) if begun else alike
    best = max(likeness.values(), default=0.0)
    if best < LEAST_ALIKE:
        return ()
    return tuple(one for one, alike in likeness.items() if alike == best)


def hint(name: object, known: Iterable[object], beyond: Iterable[object] = ()) -> Sentence:
    """The probable meaning of a name, or else every name there is.

    ``beyond``: what may have been meant too, and would make the list too long.
    """
    names = tuple(map(str, known))
    if found := nearest(name, [*names, *beyond]):
        return Sentence("near", {"names": [Sentence("quoted", {"name": one}) for one in found]})
    more = ["…"] if len(names) > MOST_LISTED else []
    return Sentence("there_are", {"known": [*names[:MOST_LISTED], *more]})


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
