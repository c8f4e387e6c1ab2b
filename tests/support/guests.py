"""The rights of an ordinary user, for tests that root may run too.

Root passes every permission bit, so a closed folder is open for it. An ordinary user needs no
change; root becomes the owner of the checkout, who may read the program wherever it was cloned, and
gives up its power to pass permission bits.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]

# linux/capability.h
_VERSION_3 = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Rights(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


@contextmanager
def as_guest() -> Iterator[None]:
    """Permission bits count for this thread and those that it starts, as for an ordinary user."""
    if os.geteuid() != 0:
        yield
        return
    owner = CHECKOUT.stat().st_uid
    try:
        # The kernel takes the power away from whoever is not root; root itself must give it up.
        os.seteuid(owner)
        if owner == 0:
            _pass_permission_bits(False)
        yield
    finally:
        os.seteuid(0)
        _pass_permission_bits(True)


def _pass_permission_bits(may: bool) -> None:
    """See capset(2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, rights = _Header(_VERSION_3, 0), (_Rights * 2)()
    power = 1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH
    _succeed(libc.capget(ctypes.byref(header), rights))
    low = rights[0]
    low.effective = low.effective | power & low.permitted if may else low.effective & ~power
    _succeed(libc.capset(ctypes.byref(header), rights))


def _succeed(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that all users may enter; pytest's own are for one user only."""
    mask = os.umask(0o022)
    folder = Path(tempfile.mkdtemp(prefix="heelstone-test-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        os.umask(mask)
        for inside in (folder, *folder.rglob("*")):
            if inside.is_dir():
                inside.chmod(0o755)
        shutil.rmtree(folder)
