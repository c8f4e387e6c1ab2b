"""Words of commands and reports in both languages: ``text/<name>.<lang>.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

__all__ = ["Wording"]


class Wording:
    """The texts of one file in one language, called by key."""

    def __init__(self, name: str, lang: str) -> None:
        self._texts = _load(name, lang)

    def __call__(self, key: str, **values: object) -> str:
        """The text with its values filled in."""
        return self._texts[key].format(**values)

    def all(self) -> dict[str, str]:
        """All texts, for pages that fill in values themselves."""
        return dict(self._texts)

    def knows(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self._texts


@cache
def _load(name: str, lang: str) -> dict[str, str]:
    resource = files("companion.words") / "text" / f"{name}.{lang}.toml"
    return {k: str(v) for k, v in tomllib.loads(resource.read_text(encoding="utf-8")).items()}
