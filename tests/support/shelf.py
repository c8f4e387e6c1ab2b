"""The fronts of the boxes, drawn once for all the tests of a process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from companion.setup import shelf
from companion.setup.shelf import Fronts

# Nothing is installed meanwhile, and to look at every file of the program takes as long as a frame.
_stamp = cache(shelf._stamp)


def kept_fronts() -> Fronts:
    """Fronts as a Heelstone finds them on the disk after an earlier start: names, and pictures as
    drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf, "_stamp", _stamp)
        return Fronts(_folder())


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="heelstone-shelf-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Fronts(folder).check()
    return folder
