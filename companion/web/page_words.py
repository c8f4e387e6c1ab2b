"""The fixed words of the pages. Those of games come with each picture of a match."""

from __future__ import annotations

import json
from typing import Final

from rules.texts import LANGUAGES, Texts

LANGUAGES_SCRIPT: Final = "languages.js"
"""The one script of the pages that is made, not written."""


def languages_script() -> bytes:
    """The languages that pages can be shown in, each by its own name."""
    names = {lang: Texts("language", lang)("name") for lang in LANGUAGES}
    told = json.dumps(names, ensure_ascii=False)
    return f"// The languages of the pages.\n\nexport const LANGUAGES = {told};\n".encode()


def page_words(lang: str) -> dict[str, str]:
    """Every fixed word by its key, and ``lang`` itself. Raises FileNotFoundError for a language
    that there is not."""
    return {"lang": lang} | Texts("pages", lang).all()
