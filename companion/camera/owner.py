"""The one camera of a table, and who looks through it: a match, or a check of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.settings.settings import CameraSettings
from rules.core import Item

if TYPE_CHECKING:
    # Loaded when they are first needed: the shelf stands sooner without them.
    from companion.camera.eyes import Eyes, Onlooker
    from companion.camera.gate import CameraGate
    from companion.match.session import Session
    from rules.box import Box
    from vision.camera.lens import Lens
    from vision.camera.sources import FrameSource
    from vision.pieces.sighting import Sighting

__all__ = ["TableCamera"]


def open_source(text: str, size: tuple[int, int] | None, lock: bool) -> FrameSource:
    """``vision.camera.sources.open_source``; vision is loaded when the first camera is opened."""
    from vision.camera.sources import open_source as opened

    return opened(text, size, lock)


class TableCamera:
    """Lends the camera to one at a time."""

    def __init__(self, settings: CameraSettings, state: Path) -> None:
        """``state``: the folder with the lenses that were calibrated."""
        self._settings, self._state = settings, state
        self.eyes: Eyes | None = None
        """The eyes of the match under way."""
        self._gate: CameraGate | None = None

    @property
    def is_set_up(self) -> bool:
        """Whether the settings name a camera."""
        return bool(self._settings.source)

    def source(self) -> Callable[[], FrameSource]:
        """How to open the camera of the settings."""
        camera = self._settings
        return partial(open_source, camera.source, camera.size, camera.lock)

    def watch(self, session: Session, box: Box, *, ready: bool) -> None:
        """Look at a match; ``ready``: the pieces lie on the table as the record says."""
        from companion.camera.gate import CameraGate

        self._gate = CameraGate(session, is_open=ready)
        self.eyes = self._open(box, self._gate)

    def begin(self, items: Iterable[Item]) -> None:
        """The pieces of a new match lie ready: from now on the camera counts."""
        if self.eyes is not None:
            # What lies where is known now; bare pieces show their colours under this light.
            self.eyes.tracker.teach({item.site: item.kind for item in items if item.kind})
        if self._gate is not None:
            self._gate.open()

    def sees(self) -> Sighting | None:
        """What the match's eyes see now; None if there is no picture of the board."""
        sighting = None if self.eyes is None else self.eyes.last
        return None if sighting is None or sighting.board != "found" else sighting

    def lend(self, board: Callable[[], Box]) -> tuple[Eyes | None, Callable[[], None]]:
        """Eyes for a check of the table, and how to give them back; a match holds still until then.

        ``board``: gives the one that lies there, if no match says it. No eyes without a camera.
        """
        gate, eyes, own = self._gate, self.eyes, None
        was_open = gate is not None and gate.is_open
        if gate is not None:
            gate.shut()
        if eyes is None and self.is_set_up:
            from companion.camera.gate import IdleTable

            own = eyes = self._open(board(), IdleTable())

        def give_back() -> None:
            if own is not None:
                own.close()
            if gate is not None and was_open:
                gate.open()

        return eyes, give_back

    def close(self) -> None:
        """The match looks no longer."""
        if self.eyes is not None:
            self.eyes.close()
        self.eyes = self._gate = None

    def _open(self, box: Box, onlooker: Onlooker) -> Eyes:
        from companion.camera.eyes import Eyes

        bare = self._settings.bare_names
        return Eyes(self.source(), box, onlooker, self._lens_of(), bare).start()

    def _lens_of(self) -> Callable[[tuple[int, int]], Lens | None] | None:
        """The camera's calibrated lens, if it has one."""
        from companion.camera.lenses import Lenses

        return Lenses(self._state).of(self._settings.source)
