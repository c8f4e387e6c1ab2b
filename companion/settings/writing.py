"""Files and folders written whole or not at all, and set aside when damaged.

Everything that is written passes here: ``write_whole`` for the program's own files, ``hand_out``
and ``whole_folder`` for files that were asked for. Every failure is a ``WriteError``, which names
the file by its final name.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence, sentence_of

_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""Paths that a program has open already; these are never replaced."""
_REMEDIES = {
    errno.ENOSPC: "make_room",
    errno.EDQUOT: "make_room",
    errno.EFBIG: "make_room",
    errno.EISDIR: "name_file_there",
    errno.ENOTDIR: "file_for_folder",
    errno.EEXIST: "file_for_folder",
    errno.ENOENT: "make_folder_first",
    errno.ENXIO: "read_pipe",
}


class HandedError(HeelstoneError):
    """A file cannot be written to the path asked for; the sentence says why."""


class WriteError(OSError):
    """A file that could not be written, and why."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(error.errno, error.strerror, str(path))

    @property
    def sentence(self) -> Sentence:
        """File, reason and remedy."""
        remedy = notice(_REMEDIES.get(self.errno or 0, "name_other_place"))
        file, reason = Path(self.filename), sentence_of(self)
        return notice("unwritten", file=file, reason=reason, remedy=remedy)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Reports errors meanwhile as errors of ``path``. Raises WriteError."""
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        raise WriteError(path, error) from error


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file so that a power cut leaves either the old one or the new one. Raises WriteError.

    ``private``: only this user may read it, even while it is written.
    """
    # Of one name, so that the next time replaces what a power cut left.
    draft = path.with_name(path.name + ".part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if private:
            draft.unlink(missing_ok=True)
        _replace(path, draft, content, os.O_TRUNC, 0o600 if private else 0o666)


def hand_out(
    path: Path, content: str | bytes, *, make_folder: bool = True, mode: int | None = None
) -> None:
    """Writes a file to the path asked for: whole or not at all.

    Only a plain file is ever replaced. What is given to a device or a pipe is written into it, and
    behind a link the file that it leads to is written. ``make_folder``: its folder may be new.
    ``mode``: who may read and write it; without it as before, and a new one as this user's files.
    Raises WriteError, HandedError.
    """
    with writing(path):
        try:
            kind = path.stat().st_mode
        except FileNotFoundError:
            kind = 0
        if stat.S_ISBLK(kind):
            raise HandedError("out_is_disk", file=path)
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if str(path.absolute()).startswith(_STREAMS) or (kind and not stat.S_ISREG(kind)):
            # A pipe from which nobody reads would otherwise be waited for.
            number = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY)
            os.set_blocking(number, True)
            with os.fdopen(number, "wb") as file:
                file.write(_data(content))
            return
        target = Path(os.path.realpath(path))
        if make_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        # Of a name that nobody else uses, so that no file of somebody's own is lost, and no link
        # that somebody put there is followed.
        draft = target.with_name(f".{secrets.token_hex(8)}.part")
        lasting = stat.S_IMODE(kind) if mode is None else mode
        _replace(target, draft, content, os.O_EXCL, lasting or 0o666, lasting)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to be filled, which afterwards takes the place of ``folder``: with everything in it
    or, if anything fails meanwhile, not at all. Raises WriteError.
    """
    target = folder.resolve()
    with writing(folder):
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".heelstone-", dir=target.parent))
        try:
            draft.chmod(0o777 & ~_umask())
            yield draft
            for path in (*draft.rglob("*"), draft):
                _settle(path)
            if target.exists():
                shutil.rmtree(target)
            draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _replace(
    path: Path, draft: Path, content: str | bytes, how: int, mode: int, lasting: int = 0
) -> None:
    """Put a new file in another one's place, in the end with the mode ``lasting`` if it is given,
    else with ``mode`` less what the user's mask forbids."""
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | how, mode)
        with os.fdopen(number, "wb") as file:
            if lasting:
                os.fchmod(number, lasting)
            file.write(_data(content))
            file.flush()
            os.fsync(number)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def _data(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
    """Make the disk take what was created or renamed in a folder, not only what is in the files.

    Raises OSError.
    """
    try:
        _settle(folder, os.O_DIRECTORY)
    except PermissionError:
        # A folder that may be written to but not read; its files are on the disk all the same.
        return


def _settle(path: Path, kind: int = 0) -> None:
    number = os.open(path, os.O_RDONLY | kind)
    try:
        os.fsync(number)
    finally:
        os.close(number)
