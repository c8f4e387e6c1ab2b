"""The order in which things came to lie at one place: what lay there already came before what is
new, however the record is told anew.

Two things that can change places in a run, such as two cards of one number, are told in the order
in which they were seen: a pile shows only the last of its cards, so their order tells later on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core import Move
from rules.reading.sighting import EMPTY, Glimpse, Look, looks

Looks = Mapping[str, Look]


def in_order(state: Any, moves: Sequence[Move], lay: Looks, lies: Looks) -> tuple[Move, ...] | None:
    """``moves`` from ``state``, in words by which they put down what ``lies`` there after what
    ``lay`` there already; None if that is not legal, or would look otherwise."""
    after = state.clone()
    put: dict[str, list[str]] = {}
    before = looks(after.layout())
    for move in moves:
        after.apply(move)
        now = looks(after.layout())
        for site, look in now.items():
            things = _more(look, before.get(site, EMPTY)) & Counter(lies.get(site, EMPTY))
            put.setdefault(site, []).extend(thing.kind for thing in things)
        before = now
    told: dict[str, str] = {}
    for site, kinds in put.items():
        new = {thing.kind for thing in _more(lies.get(site, EMPTY), lay.get(site, EMPTY))}
        due = sorted(kinds, key=lambda kind: kind in new)
        told.update((_word(a), _word(b)) for a, b in zip(kinds, due, strict=True) if a != b)
    if not told:
        return tuple(moves)
    trial, others = state.clone(), list[Move]()
    for move in moves:
        args = (told.get(word, word) for word in move.args)
        other = Move.parse(" ".join((move.text.split()[0], move.verb, *args)))
        if trial.violations(other):
            return None
        trial.apply(other)
        others.append(other)
    return tuple(others) if looks(trial.layout()) == before else None


def _more(one: Look, other: Look) -> Counter[Glimpse]:
    return Counter(one) - Counter(other)


def _word(kind: str) -> str:
    """The word by which moves name a thing of a kind."""
    return kind.rpartition(" ")[2]
