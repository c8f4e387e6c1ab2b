"""Small files of the state folder: written whole or not at all, and set aside when damaged."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import time
from pathlib import Path

from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence

__all__ = ["hand_out", "put_aside", "set_aside", "settle_folder", "write_whole"]

_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""What a program has open already; these are never replaced."""


class HandedError(HeelstoneError):
    """A file cannot be written where somebody asked for it; the sentence says why."""


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file so that a power cut leaves either the old one or the new one. Raises OSError.

    ``private``: nobody but this user may read it, not even while it is written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if private:
            draft.unlink(missing_ok=True)
            draft.touch(mode=0o600, exist_ok=False)
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def hand_out(
    path: Path, content: str | bytes, *, make_folder: bool = True, mode: int | None = None
) -> None:
    """Write a file where somebody asked for it: whole or not at all. Raises OSError, HandedError.

    Only a plain file is ever replaced. What is given to a device or a pipe is written into it, and
    behind a link the file that it leads to is written. ``make_folder``: its folder may be new.
    ``mode``: who may read and write it; without it as before, and a new one as this user's files.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        kind = 0
    if stat.S_ISBLK(kind):
        raise HandedError("out_is_disk", file=path)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if str(path.absolute()).startswith(_STREAMS) or (kind and not stat.S_ISREG(kind)):
        # A pipe from which nobody reads would otherwise be waited for.
        number = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            os.set_blocking(number, True)
            with os.fdopen(number, "wb") as file:
                file.write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error
        return
    target = Path(os.path.realpath(path))
    if make_folder:
        target.parent.mkdir(parents=True, exist_ok=True)
    _replace(target, data, stat.S_IMODE(kind) if mode is None else mode)


def _replace(path: Path, data: bytes, mode: int) -> None:
    """Put a new file in a plain one's place, with this ``mode`` if there is one."""
    # Of a name that nobody else uses, so that no file of somebody's own is lost, and no link that
    # somebody put there is followed.
    draft = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(number, "wb") as file:
            if mode:
                os.fchmod(number, mode)
            file.write(data)
            file.flush()
            os.fsync(number)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


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
