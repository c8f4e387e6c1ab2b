"""Somebody who may not do everything: root may, and tests may be run by root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["as_guest", "open_folder"]

NOBODY = 65534


@contextmanager
def as_guest() -> Iterator[None]:
    """Files are seen as by a user without rights of its own; what code needs is loaded before."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; pytest's own are for one user only."""
    folder = Path(tempfile.mkdtemp(prefix="heelstone-test-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        for inside in (folder, *folder.rglob("*")):
            if inside.is_dir():
                inside.chmod(0o755)
        shutil.rmtree(folder)
