"""The words of the screens, in the language in use; those of the rules come from ``rules.telling``.

``_("play.undo")`` is the text ``undo`` of the file ``play``; ``_("update.steps.trying")`` is one of
its section ``steps``. See ``rules.texts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from rules.texts import Texts, after


class _Current:
    """The language in use; one for all screens, as there is one window."""

    lang = "de"


_SPOKEN: Final[ContextVar[str]] = ContextVar("spoken", default="")
"""The language of ``speaking``; empty outside of it."""


def set_language(lang: str) -> None:
    """Use a language from now on; raises FileNotFoundError if there is no such."""
    Texts("language", lang)
    _Current.lang = lang


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Use a language in the ``with`` block, in this thread only: the screen of a table may speak
    another language than a phone. Raises FileNotFoundError if there is no such."""
    Texts("language", lang)
    before = _SPOKEN.set(lang)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def language() -> str:
    """The language in use."""
    return _SPOKEN.get() or _Current.lang


def other_language() -> str:
    """The next language, by its own name."""
    return Texts("language", after(language()))["name"]


def _(text: str) -> str:
    """The text with this id in the language in use."""
    name, _, key = text.rpartition(".")
    return Texts(name, language())[key]
