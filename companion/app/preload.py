"""Loads what the first frame did without, in a separate thread, while people choose a game.

The steps are small, and between two of them the screen has its turn. Nothing depends on them: code
that needs a part sooner loads it itself.
"""

from __future__ import annotations

import gc
import importlib.util
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from companion.support.memory import give_back, search_at_rest
from hardware.supervised_thread import SupervisedThread

log = logging.getLogger(__name__)

PAUSE_S = 0.005
SWITCH_S = 0.001
"""Maximum time that a Python thread keeps the screen waiting meanwhile, seconds; usually it is 5
ms."""
BITE = 1 << 20


class Warming:
    """Takes the steps one after another; ``start`` it once."""

    def __init__(self, steps: Sequence[Callable[[], object]]) -> None:
        self._steps = steps
        self.done = False
        """True if every step has been taken."""
        self._thread = SupervisedThread("warming", self._run, once=True)

    def start(self) -> Warming:
        """Begin; returns at once."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Take no further step; the one under way is waited for."""
        self._thread.close(10)

    def _run(self) -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        try:
            for step in self._steps:
                if self._thread.rest(PAUSE_S):
                    return
                _take(step)
            self.done = True
        finally:
            sys.setswitchinterval(usual)


def _take(step: Callable[[], object]) -> None:
    try:
        step()
    except Exception:
        # What fails here fails again where it is needed, and is reported there.
        log.exception("something could not be loaded ahead")


def load(*names: str) -> list[Callable[[], object]]:
    """Steps that import these modules, one each."""

    def step(name: str) -> Callable[[], object]:
        return lambda: import_module(name)

    return [step(name) for name in names]


def read_ahead(package: str) -> None:
    """Read a package's libraries, so that the import finds them in memory.

    Python stands still while a library is loaded; from an SD card that may take seconds.
    """
    spec = importlib.util.find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    for folder in (Path(f) for f in folders):
        for place in (folder, folder.with_name(f"{folder.name}.libs")):
            for path in sorted(place.rglob("*.so*")) if place.is_dir() else []:
                with path.open("rb", buffering=0) as file:
                    while file.read(BITE):
                        pass


def settle_memory() -> None:
    """Exempts all loaded objects from garbage collection, which would make frames late, and returns
    unused memory to the system."""
    gc.freeze()
    search_at_rest()
    give_back()
