"""Returns memory that was needed only for a moment to the system, when that delays nothing."""

from __future__ import annotations

import ctypes
import gc


def give_back() -> None:
    """Return what is free at once; takes a few milliseconds.

    Of itself the C library keeps it: after a screen was built or left that is some ten megabytes.
    A glibc call (``malloc_trim``); other systems do without.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


_SELDOM = 24
"""How many middle searches without a rest lead to a full one; of itself ten do."""


def search_at_rest() -> None:
    """Leave full searches for garbage to ``tidy``: one takes as long as ten frames. Only where
    nothing ever rests they come in between."""
    gc.set_threshold(*gc.get_threshold()[:2], _SELDOM)


def tidy() -> None:
    """Look for garbage if much was made since the last time, and give back what is free.

    Screens that are gone hold on to themselves, so that only a search finds them. Of itself it
    comes in the middle of a frame, which takes the longer the less often it was searched.
    """
    if gc.get_count()[2]:
        gc.collect()
    give_back()
