"""Eyes: the thread that takes pictures, lets vision read them, and tells the session."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from companion.boards.store import without_supplies
from companion.camera.rolls import RollWatch, rolls_are_watched
from companion.match.messages import CameraGone, ProposedRoll, Seen
from companion.match.view import SightNote, TableView
from companion.words.bare_names import unknown
from rules.box import Box
from rules.core import Item
from vision.arrays import Picture
from vision.camera.lens import Lens
from vision.camera.sources import Frame, FrameSource, SourceError
from vision.pieces.bare import named_here
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

__all__ = ["Eyes", "Onlooker", "Snapshot", "blind_reason", "kinds_by_site", "sight_notes"]

log = logging.getLogger(__name__)

SILENCE_S = 3.0
"""A camera that delivers nothing for so long counts as gone."""

REST_S = 0.2
"""A source that failed is not asked again sooner."""

HANGS_S = 25.0
"""Eyes that began nothing new for so long hang. The first look at a large board takes a while."""

AGAIN_S = 3.0
"""A camera that was not there is looked for again after so long."""


WATCHED_S = 3.0
"""So long after somebody asked for a snapshot the full picture of every frame is taken; a camera
that gives it on demand is spared otherwise."""


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


class _Played(Protocol):
    @property
    def game(self) -> str: ...


class Onlooker(Protocol):
    """Who is told what the eyes see: a session, or whoever looks at an idle table."""

    @property
    def view(self) -> _Played:
        """Says which game is played; an empty one: none."""

    def see(self, message: Seen | CameraGone | ProposedRoll, /) -> None:
        """Hand over what the camera saw; returns at once."""


class Eyes:
    """Reads a source for ever and posts what was seen; survives whatever the camera does."""

    def __init__(
        self,
        source: FrameSource | Callable[[], FrameSource],
        box: Box,
        session: Onlooker,
        lens_of: Callable[[tuple[int, int]], Lens | None] | None = None,
        bare: Collection[str] = (),
    ) -> None:
        """``source``: frames, or how to open them; a camera may be plugged in later. ``lens_of``:
        the camera's calibrated lens for pictures of a width and height in px, or None. ``bare``:
        kinds and groups of pieces without stickers; what this box does not have is left out."""
        self._open = source if callable(source) else None
        self._source = None if callable(source) else source
        self.session = session
        board = box.for_game(session.view.game)
        self._unknown = unknown(bare)
        self.tracker = Tracker(board, lens_of=lens_of, bare=named_here(board, bare))
        watched = rolls_are_watched(box, session.view.game)
        self._rolls = RollWatch(box) if watched else None
        self.last: Sighting | None = None
        """The newest sighting, for screens that show what the camera sees."""
        self._snapshot: Snapshot | None = None
        self._known: object = None
        self._asked_s = -WATCHED_S
        self.frames = 0
        self.see_ms: list[float] = []
        """Milliseconds of the last looks, newest last."""
        self._stop = threading.Event()
        self._ended = False
        self._turned_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> Eyes:
        """Open the eyes."""
        self._thread.start()
        return self

    def snapshot(self) -> Snapshot | None:
        """The newest picture with its sighting; None before the first. From any thread."""
        self._asked_s = time.monotonic()
        return self._snapshot

    def alive(self) -> bool:
        """Whether they still look, be there something to see or not, or have seen a film to its
        end."""
        looking = self._thread.is_alive() and time.monotonic() - self._turned_s < HANGS_S
        return looking or self._ended

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
            self._turned_s = time.monotonic()
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
            self._turned_s = time.monotonic()
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
                    self._ended = True
                    return
                continue
            seen_at, gone = time.monotonic(), False
            self.last = sighting
            if frame is not None and frame.taken:
                self._snapshot = Snapshot(frame, sighting)
            self.frames += 1
            blind = blind_reason(sighting)
            if sighting.still or sighting.hand or blind:
                told = without_supplies(sighting, self.tracker.box)
                slow = self._rolls is not None and self._rolls.too_slow and not source.settled
                notes = sight_notes(sighting, self._unknown, slow)
                self.session.see(Seen(told, source.settled, blind, notes))
            if frame is not None and self._rolls is not None and not source.settled:
                self._watch_rolls(frame, sighting)

    def _watch_rolls(self, frame: Frame, sighting: Sighting) -> None:
        assert self._rolls is not None
        try:
            proposal = self._rolls.look(frame, sighting)
        except SourceError as error:
            log.debug("frame %s has no picture: %s", frame.name, error)
            return
        if proposal is not None:
            self.session.see(proposal)

    def _expect(self) -> None:
        """Tell the tracker what must lie where, and what people said about stickers."""
        view = self.session.view
        if view is self._known or not isinstance(view, TableView):
            return
        self._known = view
        self.tracker.expect(kinds_by_site(view.items))
        self.tracker.have_stickers(view.stickered)

    def _look(self, frame: Frame, settled: bool) -> Sighting | None:
        """What a frame shows; None if vision could make nothing at all of it."""
        start = time.monotonic()
        self._expect()
        try:
            if start - self._asked_s < WATCHED_S and not frame.taken:
                _ = frame.image
            sighting = self.tracker.look(frame, settled)
        except SourceError as error:
            # The camera went on or away before its full picture was fetched; the next one comes.
            log.debug("frame %s has no picture: %s", frame.name, error)
            return None
        except Exception:
            # One odd picture must not close the eyes for the rest of the evening.
            log.exception("frame %s could not be read", frame.name)
            self.tracker.forget()
            return None
        self.see_ms = [*self.see_ms[-999:], (time.monotonic() - start) * 1e3]
        return sighting


def kinds_by_site(items: Iterable[Item]) -> dict[str, list[str]]:
    """What a camera above should see at each site."""
    layout: dict[str, list[str]] = {}
    for item in items:
        if item.seen:
            layout.setdefault(item.site, []).append(item.kind)
    return layout


def sight_notes(
    sighting: Sighting, unknown: tuple[str, ...] = (), too_slow: bool = False
) -> tuple[SightNote, ...]:
    """What players should know about how the board is seen; nothing while it is not.

    ``unknown``: names of bare pieces in the settings that no box has. ``too_slow``: for discs that
    roll.
    """
    if sighting.board == "lost":
        return ()
    notes = [SightNote("stickers_small", ("sticker",))] if sighting.reason else []
    if sighting.bare_found:
        notes.append(SightNote("bare", tuple(sorted(sighting.bare_found))))
    if too_slow:
        notes.append(SightNote("rolls_slow", ("disc",)))
    if unknown:
        notes.append(SightNote("bare_unknown", unknown))
    return tuple(notes)


def blind_reason(sighting: Sighting) -> str:
    """A code for why nothing can be read; empty if something can."""
    return "board_lost" if sighting.board == "lost" else ""
