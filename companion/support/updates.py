"""Updates of an installed table: what is installed, what is offered, and asking root for it.

The table's own user may not install anything. It writes one word into a file; a unit of root
(``systemd/heelstone-update.sh``) does it, and says in a folder of its own how it goes.
"""

from __future__ import annotations

import calendar
import fcntl
import re
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.settings.writing import write_whole
from companion.words.errors import HeelstoneError
from rules.bounded import is_folder

WANTED_FILE = "update-wanted"
UNHEARD_S = 30.0
"""Maximum wait for root's unit, which answers within a second."""
MAX_BYTES = 4096

_RELEASE = re.compile(r"(\d{14})-([0-9A-Za-z.+-]{1,40})")
_WORD = re.compile(r"[0-9A-Za-z.+-]{0,64}")


class UpdateError(HeelstoneError):
    """The request is not possible; the sentence says what to do."""


class Wanted(StrEnum):
    """Requests to root."""

    LOOK = "look"
    """Is there a newer version?"""
    UPDATE = "update"
    BACK = "back"
    """The version before."""


STEPS = {
    Wanted.LOOK: ("fetching",),
    Wanted.UPDATE: ("fetching", "packages", "building", "trying", "switching", "starting"),
    Wanted.BACK: ("switching",),
}
"""Steps of each request, one after the other."""


@dataclass(frozen=True, slots=True)
class Release:
    """An installed version."""

    version: str
    installed_s: float
    """Time it was installed, seconds since 1970."""


@dataclass(frozen=True, slots=True)
class UpdateState:
    """State of versions and updates."""

    able: bool = False
    """True at an installed table that can be asked."""
    installed: Release | None = None
    before: Release | None = None
    """The version that one can go back to."""
    offered: str = ""
    """The newer version, if there is one."""
    offered_on: str = ""
    """Its day, ``2026-11-22``."""
    doing: Wanted | None = None
    """Request that is being carried out."""
    step: str = ""
    """Present step: one of ``STEPS``."""
    asked: Wanted | None = None
    """Last request that was carried out."""
    result: str = ""
    """Its result: ``ok``, ``failed``, ``cut`` (the power went) or ``unheard``."""
    why: str = ""
    """A reason, as a word."""


class Updates:
    """``state``: the folder of the table; ``root``: where the system is."""

    def __init__(self, state: Path, root: Path = Path("/")) -> None:
        self._wanted = state / WANTED_FILE
        self._own = root / "var/lib/heelstone-update"
        self._home = root / "opt/heelstone"
        self._able = state == root / "var/lib/heelstone"
        self._asked: Wanted | None = None

    def ask(self, wanted: Wanted) -> None:
        """Sends a request to root. Raises UpdateError."""
        self._asked = wanted
        try:
            write_whole(self._wanted, f"{wanted}\n")
        except OSError as error:
            raise UpdateError("not_asked", reason=error) from error

    def look(self) -> UpdateState:
        """Present state."""
        if not self._able or not is_folder(self._own):
            return UpdateState()
        installed, before = self._releases()
        told = _told(self._own / "state")
        done = Wanted(told["asked"]) if told.get("asked") in list(Wanted) else None
        doing, result = self._doing(told)
        return UpdateState(
            able=True, installed=installed, before=before,
            offered=told.get("version", ""), offered_on=told.get("day", ""),
            doing=doing, step=_step(self._own / "step") if doing else "",
            asked=done, result=result, why=told.get("why", ""),
        )  # fmt: skip

    def _doing(self, told: dict[str, str]) -> tuple[Wanted | None, str]:
        """Request that is being carried out, and else the result of the last."""
        waiting_s = age_s(self._wanted)
        if waiting_s is not None:
            asked = _line(self._wanted)
            if waiting_s < UNHEARD_S and asked in list(Wanted):
                return Wanted(asked), ""
            return None, "unheard"
        # The lock ends with the program that holds it, whatever ended that.
        busy = is_locked(self._own / "lock")
        if told.get("doing") in list(Wanted):
            return (Wanted(told["doing"]), "") if busy else (None, "cut")
        if busy and self._asked is not None:
            # It was heard a moment ago; the state still tells of what was done before.
            return self._asked, ""
        return None, told.get("result", "")

    def _releases(self) -> tuple[Release | None, Release | None]:
        """The version in use and the one before it."""
        current = self._home / "current"
        try:
            now = current.readlink().name
            names = sorted(path.parent.name for path in (self._home / "releases").glob("*/.whole"))
        except OSError:
            return None, None
        older = [name for name in names if name < now and _RELEASE.fullmatch(name)]
        # The one that was in use then; a newer one may lie between that somebody went back from.
        used = _line(self._home / "releases" / now / ".before", 80)
        back = used if used in names else older[-1] if older else ""
        return _release(now), _release(back)


def _release(name: str) -> Release | None:
    found = _RELEASE.fullmatch(name)
    if found is None:
        return None
    try:
        moment = calendar.timegm(time.strptime(found[1], "%Y%m%d%H%M%S"))
    except ValueError:
        # Two installations within a second: the stamp is a number then.
        moment = 0
    return Release(found[2], float(moment))


def _told(path: Path) -> dict[str, str]:
    """``key=word`` lines; what is no word is left out."""
    try:
        text = path.read_bytes()[:MAX_BYTES].decode("ascii", "replace")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines())
    return {key: word for key, _equals, word in pairs if _WORD.fullmatch(word)}


def _line(path: Path, most: int = 32) -> str:
    try:
        return path.read_bytes()[:most].decode("ascii", "replace").strip()
    except OSError:
        return ""


def _step(path: Path) -> str:
    found = _line(path)
    return found if any(found in steps for steps in STEPS.values()) else ""


def age_s(path: Path) -> float | None:
    """Seconds since a file was written; None if there is none."""
    try:
        return max(time.time() - path.stat().st_mtime, 0.0)
    except OSError:
        return None


def is_locked(path: Path) -> bool:
    """True while a program of root holds this lock."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
