"""Eyes: the thread that takes pictures, lets vision read them, and tells the session."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

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

AGAIN_S = 3.0
"""A camera that was not there is looked for again after so long."""


class Eyes:
    """Reads a source for ever and posts what was seen; survives whatever the camera does."""

    def __init__(
        self, source: FrameSource | Callable[[], FrameSource], box: Box, session: Session
    ) -> None:
        """``source``: frames, or how to open them; a camera may be plugged in later."""
        self._open = source if callable(source) else None
        self._source = None if callable(source) else source
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
        if self._source is not None:
            self._source.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        source = self._wait_for_source()
        if source is not None:
            self._watch(source)
            source.close()

    def _wait_for_source(self) -> FrameSource | None:
        """The source, opened as often as it takes; None if the eyes are closed meanwhile."""
        told = ""
        while self._source is None and self._open is not None:
            try:
                self._source = self._open()
            except SourceError as error:
                if str(error) != told:
                    log.warning("playing without a camera: %s", error)
                    told = str(error)
                    self.session.see(CameraGone())
                if self._stop.wait(AGAIN_S):
                    return None
        return self._source

    def _watch(self, source: FrameSource) -> None:
        seen_at = time.monotonic()
        gone = False
        while not self._stop.is_set():
            try:
                frame = source.read(timeout=0.5)
            except SourceError as error:
                log.warning("the camera failed: %s", error)
                frame = None
                self._stop.wait(REST_S)
            sighting = None if frame is None else self._look(frame, source.settled)
            if sighting is None:
                if not gone and time.monotonic() - seen_at > SILENCE_S:
                    gone = True
                    self.session.see(CameraGone())
                if frame is None and source.ended:
                    if not gone and not self._stop.is_set():
                        self.session.see(CameraGone())
                    return
                continue
            seen_at, gone = time.monotonic(), False
            self.last = sighting
            self.frames += 1
            blind = blind_reason(sighting)
            if sighting.still or sighting.hand or blind:
                self.session.see(Seen(sighting, source.settled, blind))

    def _look(self, frame: Frame, settled: bool) -> Sighting | None:
        """What a frame shows; None if vision could make nothing at all of it."""
        start = time.monotonic()
        try:
            sighting = self.tracker.look(frame, settled)
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
