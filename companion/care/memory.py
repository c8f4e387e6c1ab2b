"""Garbage is searched for, and memory given back, when nobody waits for the screen."""

from __future__ import annotations

import ctypes
import gc

__all__ = ["give_back", "is_overdue", "keep_loaded", "tidy"]

_YOUNG = 20_000
"""After so many new objects Python looks through these itself, in the middle of a frame: a few
milliseconds."""
_ROUNDS = 20
"""After so many of these rounds it searches everything that they left, ten times as long: a last
resort against growing for ever, at a table that never rests."""
_WAITING = 4
"""So many rounds without a rest are enough: a search takes the longer the later it comes."""
_MUCH = 8_000
"""New objects that are worth a search: what one to three moves leave."""


def keep_loaded() -> None:
    """What is there now stays, and is never searched; of what comes, only ``tidy`` looks through
    all. Of itself Python would do that in the middle of a frame, soon after the start of a match
    for a fifth of a second."""
    gc.freeze()
    gc.set_threshold(_YOUNG, _ROUNDS, 1)


def give_back() -> None:
    """Return what is free at once; takes a few milliseconds.

    Of itself the C library keeps it: after a screen was built or left that is some ten megabytes.
    A glibc call (``malloc_trim``); other systems do without.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def tidy() -> None:
    """Look for garbage if much was made since the last time, and then give back what is free.

    Screens that are gone hold on to themselves, so that only a search finds them. The sooner it
    comes, the shorter it is.
    """
    new, rounds, more = gc.get_count()
    if new > _MUCH or rounds or more:
        gc.collect()
        give_back()


def is_overdue() -> bool:
    """Whether so much came without a rest that any moment will do."""
    return gc.get_count()[1] > _WAITING
