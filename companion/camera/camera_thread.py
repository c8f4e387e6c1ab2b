"""The camera thread: takes pictures, has them read, and posts sightings to the session."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from companion.camera.observer import Observed, Observer
from companion.match.messages import CameraGone, ProposedRoll, Seen
from companion.match.view import TableView
from hardware.supervised_thread import SupervisedThread, tell_failure
from vision.arrays import Picture
from vision.camera.frames import Iterated
from vision.camera.sources import Frame, FrameSource, SourceError
from vision.pieces.sighting import Sighting

log = logging.getLogger(__name__)

SILENCE_S = 3.0
"""Seconds without a picture after which a camera counts as gone."""

REST_S = 0.2
"""Seconds before a source that failed is asked again."""

TOLD_S = 60.0
"""Seconds before the same kind of mistake is told again."""

HANGS_S = 25.0
"""Seconds without a new step after which the thread counts as hung. A first look at a large board
takes a while."""

FROZEN_S = 30.0
"""Seconds without any change of its picture after which a camera is none: each has some noise."""

SAMPLE_PX = 8
"""Distance of the compared px of a picture."""

AGAIN_S = 3.0
"""Seconds before an absent camera is looked for again."""


WATCHED_S = 3.0
"""Seconds after a snapshot was asked for in which the full picture of every frame is taken;
otherwise a camera that delivers it on demand is spared."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The newest picture and what was seen in it."""

    frame: Frame
    """Its picture is there; asking for it costs nothing."""
    sighting: Sighting

    def picture(self, longest_px: int = 960) -> tuple[Picture, float]:
        """The picture made small enough for a screen, and its px per px of the frame."""
        image = self.frame.image
        height, width = image.shape[:2]
        scale = min(longest_px / max(height, width), 1.0)
        if scale == 1.0:
            return image, scale
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        # Every second or third pixel first: averaging twelve million takes longer than looking.
        step = max(int(0.5 / scale), 1)
        thin = np.ascontiguousarray(image[::step, ::step])
        return np.asarray(cv2.resize(thin, size, interpolation=cv2.INTER_AREA)), scale


class Onlooker(Protocol):
    """Receives what the camera sees: a session, or a gate in front of it."""

    @property
    def view(self) -> TableView:
        """The table with the layout of the record."""

    def see(self, message: Seen | CameraGone | ProposedRoll, /) -> None:
        """Hand over what the camera saw; returns at once."""


class CameraThread:
    """Reads a source for ever and posts what was seen; survives whatever the camera does."""

    def __init__(
        self,
        source: FrameSource | Callable[[], FrameSource],
        observer: Observer,
        onlooker: Onlooker | None = None,
    ) -> None:
        """``source``: frames, or how to open them; a camera may be plugged in later.
        ``onlooker``: who is told what is seen; None while no match is played."""
        self._open = source if callable(source) else None
        self._source = None if callable(source) else source
        self.observer = observer
        self._onlooker = onlooker
        self.last: Sighting | None = None
        """The newest sighting, for screens that show what the camera sees; those of a camera that
        is still adjusting itself do not count."""
        self._waits = False
        """True if it was told that a camera is still adjusting itself."""
        self._snapshot: Snapshot | None = None
        self._asked_s = -WATCHED_S
        self.frames = 0
        self.see_ms: list[float] = []
        """Milliseconds of the last looks, newest last."""
        self._ended = False
        self._turned_s = time.monotonic()
        self._mistakes: dict[type[Exception], float] = {}
        """Time each kind of unexpected error was last reported."""
        self._sample: tuple[Picture | None, float] = (None, 0.0)
        """Some px of the newest picture, and since when (s) they have been the same."""
        self._thread = SupervisedThread("eyes", self._run)

    def start(self) -> CameraThread:
        """Open the eyes."""
        self._thread.start()
        return self

    def snapshot(self) -> Snapshot | None:
        """The newest picture with its sighting; None before the first. From any thread."""
        self._asked_s = time.monotonic()
        return self._snapshot

    @property
    def adjusts(self) -> bool:
        """True if there is a camera that adjusts itself."""
        return self._source is not None and self._source.adjusts

    def adjust(self) -> None:
        """Have the camera search for exposure, white balance and focus anew. From any thread."""
        if self._source is not None:
            self._source.adjust()

    def alive(self) -> bool:
        """True if the thread still looks, even if there is nothing to see, or has seen a film to
        its end."""
        looking = self._thread.is_alive() and time.monotonic() - self._turned_s < HANGS_S
        return looking or self._ended

    def close(self) -> None:
        """Close them and the source."""
        self._thread.end()
        self._let_go()
        self._thread.close(5)

    def _run(self) -> None:
        while not self._thread.closing and not self._ended:
            try:
                source = self._wait_for_source()
                if source is not None:
                    self._watch(source)
            except Exception as error:
                # A driver may raise anything at all; without eyes the evening would go on blind.
                self._went_wrong(error)
                self._thread.rest(REST_S)
        self._let_go()

    def _let_go(self) -> None:
        """Close the source, which a camera that has gone may refuse."""
        if self._source is not None:
            try:
                self._source.close()
            except Exception as error:
                tell_failure(error)

    def _wait_for_source(self) -> FrameSource | None:
        """The source, opened as often as it takes; None if the eyes are closed meanwhile."""
        told = ""
        while self._source is None and self._open is not None:
            self._turned_s = time.monotonic()
            try:
                self._source = self._open()
            except SourceError as error:
                if str(error) != told:
                    log.warning("playing without a camera: %s", error)
                    told = str(error)
                    self._tell(CameraGone())
            except Exception as error:
                self._went_wrong(error)
            if self._source is None and self._thread.rest(AGAIN_S):
                return None
        return self._source

    def _watch(self, source: FrameSource) -> None:
        seen_at = time.monotonic()
        gone = stands = False
        while not self._thread.closing:
            self._turned_s = time.monotonic()
            try:
                frame = source.read(timeout=0.5)
            except SourceError as error:
                log.warning("the camera failed: %s", error)
                frame = None
                self._thread.rest(REST_S)
            except Exception as error:
                self._went_wrong(error)
                frame = None
                self._thread.rest(REST_S)
            observed = None if frame is None else self._look(frame, source.settled)
            if frame is not None and observed is not None:
                before, stands = stands, not source.settled and self._stands(frame, observed)
                if stands:
                    seen_at = time.monotonic()
                    if not before:
                        log.warning("the camera delivers one and the same picture")
                        self._tell(CameraGone("frozen"))
                    continue
            if frame is None or observed is None:
                if not gone and time.monotonic() - seen_at > SILENCE_S:
                    gone = True
                    self._tell(CameraGone())
                if frame is None and source.ended:
                    if not gone and not self._thread.closing:
                        self._tell(CameraGone())
                    self._ended = True
                    return
                continue
            seen_at, gone = time.monotonic(), False
            sighting = observed.sighting
            sharpness = sighting.sharpness if sighting.board == "found" else None
            source.looked(hand=sighting.hand, still=sighting.still, sharpness=sharpness)
            self._took(frame, observed)

    def _stands(self, frame: Frame, observed: Observed) -> bool:
        """True if a camera's picture has been exactly the same for long."""
        shown = frame.image if frame.small is None else frame.small
        sample = shown[::SAMPLE_PX, ::SAMPLE_PX].copy()
        before, since_s = self._sample
        if before is None or not np.array_equal(before, sample):
            self._sample = (sample, frame.time_s)
            return False
        # Without light there is no noise either; then it is told that the board is not seen.
        return frame.time_s - since_s > FROZEN_S and observed.sighting.board == "found"

    def _went_wrong(self, error: Exception) -> None:
        """Reports an unexpected error to the log and to people, but not at every frame."""
        if self._thread.closing:
            # A source that is closed while it is read may say anything.
            return
        now_s = time.monotonic()
        if now_s - self._mistakes.get(type(error), -TOLD_S) < TOLD_S:
            return
        self._mistakes[type(error)] = now_s
        log.exception("a mistake while looking; the eyes go on")
        try:
            self._tell(CameraGone(mistake=True))
        except Exception:
            log.exception("nobody could be told that the camera failed")

    def _took(self, frame: Frame, observed: Observed) -> None:
        """Keep what was seen, and pass it on."""
        if frame.condition.ready:
            self.last = observed.sighting
        elif self.last is None and not self._waits:
            # Later, what is on the table stays as it was last seen.
            self._waits = True
            self._tell(CameraGone("adjusting"))
        if frame.taken:
            self._snapshot = Snapshot(frame, observed.sighting)
        self.frames += 1
        if observed.seen is not None:
            self._tell(observed.seen)
        if observed.roll is not None:
            self._tell(observed.roll)

    def _tell(self, message: Seen | CameraGone | ProposedRoll) -> None:
        if self._onlooker is not None:
            self._onlooker.see(message)

    def _look(self, frame: Frame, settled: bool) -> Observed | None:
        """Observation of a frame; None if vision could make nothing at all of it."""
        start = time.monotonic()
        if self._onlooker is not None:
            view = self._onlooker.view
            self.observer.expect(view.items, view.stickered)
        try:
            if start - self._asked_s < WATCHED_S and not frame.taken:
                _ = frame.image
            observed = self.observer.look(frame, settled)
        except SourceError as error:
            # The camera went on or away before its full picture was fetched; the next one comes.
            log.debug("frame %s has no picture: %s", frame.name, error)
            return None
        except Exception as error:
            # One odd picture must not close the eyes for the rest of the evening.
            tell_failure(error)
            self.observer.tracker.forget()
            return None
        self.see_ms = [*self.see_ms[-999:], (time.monotonic() - start) * 1e3]
        return observed


class Glances(Iterated):
    """The pictures that the eyes of a match take anyway: no camera can be opened twice."""

    def __init__(self, snapshot: Callable[[], Snapshot | None]) -> None:
        self._snapshot = snapshot
        self._last: Frame | None = None

    def read(self, timeout: float | None = None) -> Frame | None:
        """The newest picture, if there is one that was not returned before."""
        end = time.monotonic() + (timeout or 0.0)
        while True:
            snapshot = self._snapshot()
            if snapshot is not None and snapshot.frame is not self._last:
                self._last = snapshot.frame
                return self._last
            if time.monotonic() >= end:
                return None
            time.sleep(0.02)
