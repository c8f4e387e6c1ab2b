"""Facts about this Heelstone: versions, and the space that its files take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.journal.reserve import free_bytes
from companion.support.report import versions
from hardware.sound.recordings import recordings_folder


@dataclass(frozen=True, slots=True)
class About:
    """This Heelstone and where it keeps things."""

    version: str
    packages: Mapping[str, str]
    """Version by package, of everything else that matters."""
    journal_bytes: int
    matches: int
    free_bytes: int
    voice_bytes: int
    reports: int
    notes: tuple[str, ...]
    """Faults of files of the state folder, as sentences."""


def about(state: Path, matches: int, notes: tuple[str, ...]) -> About:
    """Measure the state folder. ``matches``: how many the journal holds."""
    packages = versions()
    recordings = recordings_folder()
    return About(
        version=packages.pop("heelstone"),
        packages=packages,
        journal_bytes=sum(_size(state / f"journal.db{tail}") for tail in ("", "-wal", "-shm")),
        matches=matches,
        free_bytes=free_bytes(state),
        voice_bytes=sum(_size(path) for path in recordings.glob("*.wav")),
        reports=len(list((state / "reports").glob("heelstone-*.zip"))),
        notes=notes,
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        # Another thread may just have taken the file away.
        return 0
