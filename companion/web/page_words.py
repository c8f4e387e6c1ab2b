"""The fixed words of the pages. Those of games come with each picture of a match."""

from __future__ import annotations

from rules.texts import Texts


def page_words(lang: str) -> dict[str, str]:
    """Every fixed word by its key, and ``lang`` itself. Raises FileNotFoundError for a language
    that there is not."""
    return {"lang": lang} | Texts("pages", lang).all()
