"""What a check finds, and where it looks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.wording import Wording

__all__ = ["Finding", "Place"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    level: str
    """``ok``, ``hint`` (comfort is missing) or ``trouble``."""
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """The computer that is examined, and the language it is talked about in."""

    say: Wording
    root: Path

    def ok(self, check: str, key: str, **values: object) -> Finding:
        """All is well."""
        return self.finding(check, "ok", key, **values)

    def hint(self, check: str, key: str, **values: object) -> Finding:
        """Something would be better otherwise."""
        return self.finding(check, "hint", key, **values)

    def trouble(self, check: str, key: str, **values: object) -> Finding:
        """Something does not work."""
        return self.finding(check, "trouble", key, **values)

    def finding(self, check: str, level: str, key: str, **values: object) -> Finding:
        """A finding whose text is ``key`` of the doctor's texts."""
        return Finding(check, level, self.say(key, **values))

    def read(self, path: str) -> str:
        """A small file of the system, stripped; empty if it cannot be read."""
        with suppress(OSError, UnicodeDecodeError):
            return (self.root / path).read_text(encoding="utf-8").strip()
        return ""

    def exists(self, path: str) -> bool:
        """Whether an absolute path is there."""
        return (self.root / path.lstrip("/")).exists()

    def programs(self) -> Iterator[tuple[int, str, Path]]:
        """Number, name and folder of every running program that may be looked at."""
        for folder in (self.root / "proc").glob("[0-9]*"):
            with suppress(OSError):
                yield int(folder.name), (folder / "comm").read_text().strip(), folder

    def holders(self, device: str) -> list[str]:
        """Names of other programs that hold ``device`` open, as far as this user may know."""
        wanted = (self.root / device.lstrip("/")).resolve()
        found = []
        for number, name, folder in self.programs():
            if number == os.getpid():
                continue
            with suppress(OSError):
                links = (folder / "fd").iterdir()
                if any(link.resolve() == wanted for link in links):
                    found.append(name)
        return found
