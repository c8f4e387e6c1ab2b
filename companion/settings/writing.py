"""Small files of the state folder: written whole or not at all, and set aside when damaged."""

from __future__ import annotations

import os
import time
from pathlib import Path

from companion.words.errors import notice
from rules.errors import Sentence

__all__ = ["put_aside", "set_aside", "settle_folder", "write_whole"]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a power cut leaves either the old one or the new one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def set_aside(path: Path) -> Path:
    """Rename a damaged file so that nothing is lost; returns its new path. Raises OSError."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside, number = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}"), 2
    while aside.exists():
        # Without a battery a clock shows the same time again after every start.
        aside = path.with_name(f"{path.stem}-damaged-{stamp}-{number}{path.suffix}")
        number += 1
    path.replace(aside)
    return aside


def put_aside(path: Path) -> Sentence:
    """Set a damaged file aside; gives what became of it."""
    try:
        return notice("was_set_aside", aside=set_aside(path).name)
    except OSError as error:
        return notice("not_set_aside", reason=error)


def settle_folder(folder: Path) -> None:
    """Make the disk take what was created or renamed in a folder, not only what is in the files."""
    try:
        entry = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        # A folder that may be written to but not read; its files are on the disk all the same.
        return
    try:
        os.fsync(entry)
    finally:
        os.close(entry)
