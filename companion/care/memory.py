"""Memory that was needed only for a moment goes back to the system."""

from __future__ import annotations

import ctypes

__all__ = ["give_back"]


def give_back() -> None:
    """Return what is free at once; takes a few milliseconds.

    Of itself the C library keeps it: after a screen was built or left that is some ten megabytes.
    A glibc call (``malloc_trim``); other systems do without.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
