"""Files of unknown origin: never waited for, and never read without end."""

from __future__ import annotations

import errno
import os
from pathlib import Path

MOST_BYTES = 64 << 20
"""Most bytes of a file; more than any that is read whole."""


def read_bytes(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """The content of a file. A pipe without a writer is empty.

    Raises OSError, with EFBIG for more than ``most_bytes``.
    """
    # Opened otherwise, a pipe keeps its reader waiting for a writer.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        os.set_blocking(number, True)
        with os.fdopen(number, "rb", closefd=False) as file:
            data = file.read(most_bytes + 1)
    except OSError as error:
        # An open file no longer knows what it is called.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        os.close(number)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The same as text in UTF-8. Raises OSError, UnicodeDecodeError."""
    text = read_bytes(path, most_bytes).decode("utf-8")
    # As files are read elsewhere: one kind of line end.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_there(path: Path) -> bool:
    """True if something can be found there; not in a folder that may not be entered."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def is_folder(path: Path) -> bool:
    """True if a folder can be found there."""
    try:
        return path.is_dir()
    except OSError:
        return False
