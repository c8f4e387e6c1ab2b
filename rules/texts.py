"""Every word for people, one loader for all of it: ``rules/languages/<lang>/<name>.toml``.

A folder of ``languages`` is a language that can be chosen; nothing else names it. The words of a
game from elsewhere lie in its own package, as ``text/<name>.<lang>.toml``, in German and English;
in any other language such a game is told in English.

An id names file, section if the file has some, and key: ``commands.watch.hand``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDER: Final = Path(__file__).parent / "languages"
"""In the lowest package, so that every other one finds its words there."""
LANGUAGES: Final = tuple(sorted(file.parent.name for file in FOLDER.glob("*/language.toml")))
"""The languages in which everything for people is there."""
AUTHORED: Final = ("de", "en")
"""The languages in which an author writes a game; in any further one it is told in English."""


def text_file(name: str, lang: str, package: str = "rules") -> Path | Traversable:
    """The file of the words called ``name``: Heelstone's own, or those of another package."""
    if package == "rules":
        return FOLDER / lang / f"{name}.toml"
    folder = files(package) / "text"
    written = folder / f"{name}.{lang}.toml"
    return written if lang in AUTHORED or written.is_file() else folder / f"{name}.en.toml"


@cache
def read_texts(name: str, lang: str, package: str = "rules") -> Mapping[str, Any]:
    """All words of a file. Raises OSError, UnicodeDecodeError, TOMLDecodeError, and
    ModuleNotFoundError if there is no such package."""
    return tomllib.loads(text_file(name, lang, package).read_text(encoding="utf-8"))


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Every text of a file by the keys that lead to it, with dots between them."""
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            found.update(flat(value, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = str(value)
    return found


def translated(
    words: Mapping[str, str], name: str, section: str, key: str, package: str = "rules"
) -> dict[str, str]:
    """The texts of a data file in all languages: a further one than the authored says it in a
    section of its own texts, or else in English."""
    said = {lang: words.get(lang, "") for lang in AUTHORED}
    for lang in LANGUAGES:
        if lang not in said:
            own = read_texts(name, lang, package).get(section, {})
            said[lang] = str(own.get(key, said["en"]))
    return said


def after(lang: str) -> str:
    """The next language, and after the last one the first."""
    return LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]


def decimals(number: str, lang: str) -> str:
    """A number with the decimal mark of a language."""
    return number.replace(".", str(read_texts("language", lang)["decimal"]))


def minus(number: object) -> str:
    """A number with the sign for minus, which is as wide as a figure, in place of a hyphen."""
    return str(number).replace("-", "−")


class Texts:
    """The words of one file, or of one section of it, in one language; called by key."""

    def __init__(self, name: str, lang: str) -> None:
        file, _, section = name.partition(".")
        words = read_texts(file, lang)
        self._words: Mapping[str, str] = words[section] if section else words

    def __call__(self, key: str, **values: object) -> str:
        """The text with its values filled in."""
        return self._words[key].format(**values)

    def __getitem__(self, key: str) -> str:
        """The text as it is written, for values that are filled in later."""
        return self._words[key]

    def all(self) -> dict[str, str]:
        """All texts, for pages that fill in values themselves."""
        return dict(self._words)

    def knows(self, key: str) -> bool:
        """True if there is such a text."""
        return key in self._words
