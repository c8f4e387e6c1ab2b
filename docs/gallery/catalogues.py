"""Brings the catalogues of the screens' words up to date: ``python -m docs.gallery.catalogues``.

A word of the screens is written ``_("Undo")``, in English. This program

1. collects all of them from the source files that ``companion/locale/babel.cfg`` names,
2. writes new ones into ``companion/locale/<lang>/LC_MESSAGES/heelstone.po`` and drops those that
   are no longer used; translations stay,
3. compiles every ``.po`` into the ``.mo`` beside it, which is what the screens read.

In English a new word is its own translation. In any other language it is left empty, and the
program names it and ends with exit code 1: fill it in and run the program again. Babel is
needed for this only; it comes with ``pip install -e '.[test]'``.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

__all__ = ["collected", "compiled", "main"]

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "companion" / "locale"
LANGUAGES = ("de", "en")

_HEADER = "Words of the screens. Message ids are the English words; rule texts live in rules/text."
_DATE = datetime(2025, 1, 1, tzinfo=UTC)
"""The same every time, so that only words make a difference between two versions of a file."""


def collected() -> dict[str, list[str]]:
    """Every word in the sources, and the files it is in."""
    from babel.messages.extract import extract_from_dir

    methods, options = _mapping()
    found: dict[str, set[str]] = {}
    for name, _line, message, _comments, _context in extract_from_dir(ROOT, methods, options):
        texts = message if isinstance(message, tuple) else (message,)
        for text in texts:
            found.setdefault(str(text), set()).add(Path(name).as_posix())
    return {text: sorted(found[text]) for text in sorted(found)}


def main() -> int:
    """Update and compile all catalogues; 1 if something is not translated."""
    words, missing = collected(), 0
    for lang in LANGUAGES:
        for text in _update(lang, words):
            print(f"{lang}: not translated: {text}")
            missing += 1
    for path in sorted(LOCALE.rglob("*.po")):
        path.with_suffix(".mo").write_bytes(compiled(path))
    return 1 if missing else 0


def compiled(path: Path) -> bytes:
    """The ``.mo`` of a ``.po``."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = BytesIO()
    with path.open("rb") as source:
        write_mo(made, read_po(source))
    return made.getvalue()


def _mapping() -> tuple[list[tuple[str, str]], dict[str, dict[str, Any]]]:
    """Methods and options of ``babel.cfg``."""
    from configparser import ConfigParser

    config = ConfigParser()
    config.read(LOCALE / "babel.cfg", encoding="utf-8")
    methods, options = [], {}
    for section in config.sections():
        method, _colon, pattern = (part.strip() for part in section.partition(":"))
        methods.append((pattern, method))
        options[pattern] = dict(config.items(section))
    return methods, options


def _update(lang: str, words: dict[str, list[str]]) -> list[str]:
    """Write the words of one language; returns what is not translated."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    path = LOCALE / lang / "LC_MESSAGES" / "heelstone.po"
    with path.open("rb") as source:
        before = {str(m.id): str(m.string or "") for m in read_po(source) if m.id}
    catalogue = Catalog(
        locale=lang, project="heelstone", version="0.1", header_comment=f"# {_HEADER}",
        creation_date=_DATE, revision_date=_DATE, last_translator="", language_team=lang,
        msgid_bugs_address="", fuzzy=False,
    )  # fmt: skip
    missing = []
    for text, places in words.items():
        told = before.get(text) or (text if lang == "en" else "")
        if not told:
            missing.append(text)
        catalogue.add(text, told, locations=[(place, 0) for place in places])
    with path.open("wb") as target:
        write_po(target, catalogue, width=98, include_lineno=False, sort_output=True)
    return missing


if __name__ == "__main__":
    sys.exit(main())
