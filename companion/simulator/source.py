"""The virtual table as a kind of camera: ``source = "virtual"`` in the settings."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import msgspec

from companion.settings.writing import write_whole
from companion.simulator.camera import Camera
from companion.simulator.table import VirtualTable
from rules.box import Box
from vision.camera.frames import Frame, Iterated

PATIENCE_S = 60.0
"""Maximum wait for a picture, seconds, even on a slow machine."""

_SEED = 7


class _Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    site: str
    kind: str
    pose: str = ""
    face_up: bool = True


class _Kept(msgspec.Struct, frozen=True):
    """The pieces on the board of a box, the lowest first."""

    box: str
    pieces: tuple[_Piece, ...]


class Simulator:
    """The virtual table below a table's camera.

    It stays there while the camera is closed. What lies on its board is kept in a file, as a real
    table outlives the program, and laid again as the file says when another program has written it.
    """

    def __init__(self, file: Path) -> None:
        self.changed = threading.Condition()
        """Held while anything on the table is moved, and while a picture is drawn."""
        self.idle_s = 0.1
        """Time between two pictures while no hand asks for one."""
        self.pause_s = 0.0
        """The shortest time between two pictures, for people who watch the hands."""
        self._file = file
        self._read_ns = 0
        self._kept: _Kept | None = None
        self._scene: tuple[VirtualTable, Camera] | None = None
        self._last_s = 0.0
        self._wanted = self._taken = self._looked = 0
        """Numbers of pictures: asked for, taken, and looked at."""

    @property
    def table(self) -> VirtualTable:
        """The table with its pieces; there is none before a board was laid."""
        assert self._scene is not None
        return self._scene[0]

    @property
    def camera(self) -> Camera:
        """The camera that looks at the table."""
        assert self._scene is not None
        return self._scene[1]

    def lay(self, box: Box) -> None:
        """Lay the board of ``box`` below the camera; one that lies there already stays."""
        with self.changed:
            if self._scene is None or self._scene[0].box != box:
                self._scene = VirtualTable(box, seed=_SEED), Camera.over(box, seed=_SEED)
                self._kept, self._read_ns = None, 0

    def open(self) -> Iterated:
        """The camera's pictures, one whenever a hand asks for it, else every ``idle_s``."""
        return _Pictures(self)

    def look(self) -> None:
        """Return when a picture of the table as it is now has been taken and looked at."""
        with self.changed:
            self._wanted = number = self._taken + 1
            self.changed.notify_all()
            self.changed.wait_for(lambda: self._looked >= number, PATIENCE_S)

    def take(self, source: Iterated, timeout: float | None) -> Frame | None:
        """The next picture for ``source``, which has been looking at the last one until now."""
        with self.changed:
            self._looked = self._taken
            self.changed.notify_all()
            due_s = max(self.pause_s, self.idle_s) - self._since_s()
            limit_s = due_s if timeout is None else min(due_s, timeout)
            asked = self.changed.wait_for(
                lambda: source.ended or self._wanted > self._taken, limit_s
            )
            if not asked and limit_s < due_s:
                return None
            self.changed.wait_for(lambda: source.ended, self.pause_s - self._since_s())
            if source.ended:
                return None
            self._lay_as_kept()
            image = self.camera.render(self.table)
            number, self._taken = self._taken, self._taken + 1
            self._last_s = time.monotonic()
            self._keep()
            return Frame(image, number, str(number), self._last_s)

    # -- private --------------------------------------------------------------------------

    def _since_s(self) -> float:
        return time.monotonic() - self._last_s

    def _keep(self) -> None:
        """Write down what lies on the board."""
        table = self.table
        lying = sorted(table.pieces, key=lambda piece: piece.z)
        pieces = tuple(
            _Piece(p.site, p.kind, p.pose, p.face_up)
            for p in lying
            if p.site is not None and p.id != table.carried
        )
        kept = _Kept(table.box.id, pieces)
        if kept != self._kept:
            write_whole(self._file, msgspec.json.format(msgspec.json.encode(kept)))
            self._kept, self._read_ns = kept, self._file.stat().st_mtime_ns

    def _lay_as_kept(self) -> None:
        """Lay the pieces as the file says, if another program has written it."""
        try:
            written_ns = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            return
        if written_ns == self._read_ns:
            return
        self._read_ns = written_ns
        kept = msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        if kept.box == self.table.box.id:
            self.table.clear()
            for piece in kept.pieces:
                self.table.put(piece.kind, piece.site, pose=piece.pose, face_up=piece.face_up)


class _Pictures(Iterated):
    """The source that a camera thread reads."""

    status = "pictures of the virtual table"

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next picture; None once it is closed."""
        return None if self.ended else self._simulator.take(self, timeout)

    def close(self) -> None:
        with self._simulator.changed:
            self.ended = True
            self._simulator.changed.notify_all()
