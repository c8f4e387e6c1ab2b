"""The findings of checks, and the place that is checked."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.support.finding import Figure, Finding, Verdict
from companion.support.machine import read_small
from rules.errors import Sentence
from rules.texts import Texts

WITH_VALUE = ("--lang", "--data", "--settings")
"""Options of all commands that are followed by a word of their own."""


@dataclass(frozen=True, slots=True)
class Place:
    """The computer that is examined, and the language used to talk about it."""

    lang: str
    root: Path

    @property
    def say(self) -> Texts:
        """The doctor's texts."""
        return Texts("doctor", self.lang)

    def told(self, what: Sentence) -> str:
        """A sentence from elsewhere, in the language of the texts."""
        return what.told(self.lang)

    def ok(self, check: str, key: str, **values: object) -> Finding:
        """All is well."""
        return self.finding(check, Verdict.GOOD, key, **values)

    def hint(self, check: str, key: str, **values: object) -> Finding:
        """Finding of something that could be better."""
        return self.finding(check, Verdict.DOUBTFUL, key, **values)

    def trouble(self, check: str, key: str, **values: object) -> Finding:
        """Finding of something that does not work."""
        return self.finding(check, Verdict.BAD, key, **values)

    def finding(
        self, check: str, verdict: Verdict, key: str, *figures: Figure, **values: object
    ) -> Finding:
        """A finding whose text is ``key`` of the doctor's texts; ``figures`` are values of it."""
        values |= {figure.name: figure.value for figure in figures}
        return Finding(check, verdict, figures, key, self.say(key, **values))

    def told_of(self, check: str, verdict: Verdict, what: Sentence) -> Finding:
        """A finding whose text is a sentence from elsewhere."""
        return Finding(check, verdict, (), what.code, self.told(what))

    def read(self, path: str) -> str:
        """A small file of the system, stripped; empty if it cannot be read."""
        return read_small(self.root / path)

    def exists(self, path: str) -> bool:
        """True if an absolute path is there."""
        return (self.root / path.lstrip("/")).exists()

    def tables(self) -> list[int]:
        """Numbers of the other running programs that are a Heelstone at a table."""
        family = {os.getpid(), os.getppid()}
        return [
            number
            for number, name, folder in self.programs()
            if number not in family
            and name in ("heelstone", "python3", "python")
            # The app has no argument after its name; of the commands only one keeps running.
            and _is_table(self.read(str((folder / "cmdline").relative_to(self.root))))
        ]

    def programs(self) -> Iterator[tuple[int, str, Path]]:
        """Number, name and folder of every running program that may be looked at."""
        for folder in (self.root / "proc").glob("[0-9]*"):
            with suppress(OSError):
                yield int(folder.name), (folder / "comm").read_text().strip(), folder

    def holders(self, device: str) -> list[str]:
        """Names of other programs that hold ``device`` open, as far as this user may know.

        A Heelstone table is not one of them: that it runs is reported elsewhere.
        """
        wanted = (self.root / device.lstrip("/")).resolve()
        found, ours = [], {os.getpid(), *self.tables()}
        for number, name, folder in self.programs():
            if number in ours:
                continue
            with suppress(OSError):
                links = (folder / "fd").iterdir()
                if any(link.resolve() == wanted for link in links):
                    found.append(name)
        return found


def user() -> str:
    """Name of the user who runs this; a service may run under a number without one."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _is_table(command: str) -> bool:
    words = [word for word in command.split("\0") if word]
    for place, word in enumerate(words[:3]):
        if word.rpartition("/")[2] == "heelstone":
            rest = iter(words[place + 1 :])
            for other in rest:
                if other in WITH_VALUE:
                    next(rest, "")
                elif not other.startswith("-"):
                    return other == "serve"
            return not {"-h", "--help", "--version"} & {*words}
    return False
