"""Eyes: the thread that takes pictures, lets vision read them, and tells the session."""

from __future__ import annotations

import logging
import threading
import time

from companion.session import Session
from companion.table import CameraGone, Seen
from rules.box import Box
from vision.sighting import Sighting
from vision.sources import Frame, FrameSource, SourceError
from vision.tracker import Tracker

__all__ = ["Eyes", "blind_reason"]

log = logging.getLogger(__name__)

SILENCE_S = 3.0
"""A camera that delivers nothing for so long counts as gone."""

REST_S = 0.2
"""A source that failed is not asked again sooner."""


class Eyes:
    """Reads a source for ever and posts what was seen; survives whatever the camera does."""

    def __init__(self, source: FrameSource, box: Box, session: Session) -> None:
        self.source = source
        self.session = session
        self.tracker = Tracker(box.for_game(session.view.game))
        self.last: Sighting | None = None
        """The newest sighting, for screens that show what the camera sees."""
        self.frames = 0
        self.see_ms: list[float] = []
        """Milliseconds of the last looks, newest last."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> Eyes:
        """Open the eyes."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Close them and the source."""
        self._stop.set()
        self.source.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        seen_at = time.monotonic()
        gone = False
        while not self._stop.is_set():
            try:
                frame = self.source.read(timeout=0.5)
            except SourceError as error:
                log.warning("the camera failed: %s", error)
                frame = None
                self._stop.wait(REST_S)
            sighting = None if frame is None else self._look(frame)
            if sighting is None:
                if not gone and time.monotonic() - seen_at > SILENCE_S:
                    gone = True
                    self.session.see(CameraGone())
                if frame is None and self.source.ended:
                    if not gone and not self._stop.is_set():
                        self.session.see(CameraGone())
                    return
                continue
            seen_at, gone = time.monotonic(), False
            self.last = sighting
            self.frames += 1
            blind = blind_reason(sighting)
            if sighting.still or sighting.hand or blind:
                self.session.see(Seen(sighting, self.source.settled, blind))

    def _look(self, frame: Frame) -> Sighting | None:
        """What a frame shows; None if vision could make nothing at all of it."""
        start = time.monotonic()
        try:
            sighting = self.tracker.look(frame, self.source.settled)
        except Exception:
            # One odd picture must not close the eyes for the rest of the evening.
            log.exception("frame %s could not be read", frame.name)
            self.tracker.forget()
            return None
        self.see_ms = [*self.see_ms[-999:], (time.monotonic() - start) * 1e3]
        return sighting


def blind_reason(sighting: Sighting) -> str:
    """A code for why nothing can be read; empty if something can."""
    return "board_lost" if sighting.board == "lost" else ""
