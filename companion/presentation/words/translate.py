"""The screens' own words, by gettext; rule texts come from ``rules.telling``.

Message ids are the English words. ``_`` translates into the language set last.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import as_file, files
from typing import Final

__all__ = ["N_", "_", "language", "set_language", "speaking"]


class _Current:
    """The language in use; one for all screens, as there is one window."""

    lang = "de"


_SPOKEN: Final[ContextVar[str]] = ContextVar("spoken", default="")
"""The language of ``speaking``; empty outside of it."""


@cache
def _catalogue(lang: str) -> gettext.NullTranslations:
    with as_file(files("companion") / "locale") as folder:
        return gettext.translation("heelstone", folder, languages=[lang])


def set_language(lang: str) -> None:
    """Use ``de`` or ``en`` from now on; raises FileNotFoundError for any other."""
    _catalogue(lang)
    _Current.lang = lang


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Use ``de`` or ``en`` in the ``with`` block, in this thread only: the screen of a table may
    speak another language than somebody's phone. Raises FileNotFoundError for any other."""
    _catalogue(lang)
    before = _SPOKEN.set(lang)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def language() -> str:
    """The language in use."""
    return _SPOKEN.get() or _Current.lang


def _(message: str) -> str:
    """``message`` in the language in use."""
    return _catalogue(language()).gettext(message)


def N_(message: str) -> str:  # noqa: N802
    """``message`` itself, marked for the catalogues; it is translated where it is shown."""
    return message
