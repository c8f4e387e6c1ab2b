"""Counting cards that people fan below the camera, helping by helping.

``SteadyCount`` turns looks into a count that can be relied on: a card counts once it was read alike
in three looks at a still table. Equal cards carry equal stickers, so nothing but people can tell a
card from one that was counted before: after a helping was taken its cards have to go away, and
only then is the next one counted. ``CardWatch`` is the thread that takes the looks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.camera.fanned import Fanned, FannedCard, Phase
from hardware.supervised_thread import SupervisedThread, tell_failure
from rules.box import Box
from vision.arrays import Picture, Points
from vision.camera.sources import Frame, FrameSource, SourceError
from vision.motion.gate import Gate
from vision.motion.reaching import Reaching
from vision.stickers.reader import SeenSticker
from vision.stickers.strewn import Strewn, StrewnReader

# -- the picture of fanned cards --------------------------------------------------------------

COUNTS, LEFT_OUT, UNREAD = (60, 200, 250), (150, 150, 150), (70, 70, 235)
"""Colours of outlines: blue, green, red."""
GROWN = 1.45
"""Size of an outline, in sizes of the black of a sticker."""


def fan_picture(fanned: Fanned, longest_px: int = 960) -> Picture | None:
    """The picture small enough for a screen; a frame around each card that counts, a thin grey one
    around what does not, and a cross where something cannot be read. None without a picture."""
    if fanned.picture is None:
        return None
    height, width = fanned.picture.shape[:2]
    scale = min(longest_px / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    drawn: Picture = np.asarray(
        cv2.resize(fanned.picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    stroke = max(round(max(size) / 240), 1)
    for card in fanned.cards:
        colour, thick = (COUNTS, stroke) if card.counts else (LEFT_OUT, max(stroke // 2, 1))
        _frame(drawn, card.corners * scale, colour, thick)
    if fanned.phase is not Phase.CLEARING:
        for outline in fanned.unread:
            first, second, third, fourth = np.round(outline * scale).astype(int).tolist()
            cv2.line(drawn, first, third, UNREAD, stroke, cv2.LINE_AA)
            cv2.line(drawn, second, fourth, UNREAD, stroke, cv2.LINE_AA)
    return drawn


def _frame(image: Picture, corners: Points, colour: tuple[int, int, int], thick: int) -> None:
    middle = corners.mean(axis=0)
    grown = np.round(middle + GROWN * (corners - middle)).astype(np.int32)
    cv2.polylines(image, [grown], True, colour, thick, cv2.LINE_AA)


log = logging.getLogger(__name__)

LOOKS = 3
"""Number of equal looks, one after the other, after which a card counts."""
MOST_LOOKS = 12
"""Maximum number of looks that do not agree, until something moves."""
QUIET_FRAMES = 2
"""Number of frames without motion before a look is taken."""
SILENCE_S = 3.0
"""Seconds without a picture after which a camera counts as gone."""
REST_S = 0.1
"""Seconds between a picture that could not be read and the next."""
AGAIN_S = 1.0
"""Seconds before an absent camera is looked for again."""
TOUCH = 2.0
"""Distance from a sticker's middle within which a touch means its card, in sides."""


@dataclass(eq=False)
class SteadyCount:
    """The cards that several looks have in common; plain and synchronous."""

    box: Box
    _looks: list[Strewn] = field(default_factory=list)
    _looked: int = 0
    """Looks since something moved."""
    _left_out: list[SeenSticker] = field(default_factory=list)
    """Cards that do not count as long as they lie where they are."""
    _clearing: bool = False
    _moving: bool = True
    _cards: tuple[SeenSticker, ...] = ()
    _unread: tuple[Points, ...] = ()

    def stir(self) -> None:
        """Forgets earlier looks: the cards have moved."""
        self._looks, self._looked, self._moving = [], 0, True

    def look(self, seen: Strewn) -> None:
        """Take a look at a still table."""
        self._looks, self._moving = [*self._looks, seen][-LOOKS:], False
        self._looked += 1
        newest = self._looks[-1]
        alike = [one for one in newest.read if all(_read(look, one) for look in self._looks)]
        doubtful = [
            one.corners
            for look in self._looks
            for one in look.read
            if not any(_same(one, other) for other in alike)
        ]
        self._cards = tuple(alike)
        self._unread = (*newest.unread, *_distinct(doubtful))
        if self._full:
            self._settle()

    def take(self) -> None:
        """The helping was taken: what lies there must go away before anything counts again."""
        self._clearing = True
        self.stir()

    def begin(self) -> None:
        """Begins anew: what lies there has not been counted, whatever was taken before."""
        self._clearing = False
        self.stir()

    def touch(self, x: float, y: float) -> None:
        """The card at a px of the picture does not count, or counts again."""
        at = np.array([x, y])
        near = [(_away(one, at), one) for one in self._cards]
        found = min(near, key=lambda pair: pair[0], default=None)
        if found is None or found[0] > TOUCH:
            return
        left = [one for one in self._left_out if not _same(one, found[1])]
        self._left_out = [*left, found[1]] if len(left) == len(self._left_out) else left

    @property
    def done(self) -> bool:
        """True if further looks at this still table would add nothing new."""
        return self._looked >= MOST_LOOKS or (self._full and not self._wavers)

    @property
    def fanned(self) -> Fanned:
        """Current state of the count; without a picture."""
        cards = tuple(
            FannedCard(self.box.kind_of_sticker[one.id].id, one.corners, self._counts(one))
            for one in self._cards
        )
        return Fanned(self._phase, cards, () if self._clearing else self._unread)

    @property
    def _phase(self) -> Phase:
        if self._clearing:
            return Phase.CLEARING
        if self._moving:
            return Phase.MOVING
        return Phase.READY if self._full else Phase.LOOKING

    @property
    def _full(self) -> bool:
        return len(self._looks) == LOOKS

    @property
    def _wavers(self) -> bool:
        return any(len(look.read) != len(self._cards) for look in self._looks)

    def _counts(self, one: SeenSticker) -> bool:
        return not self._clearing and not self._is_left_out(one)

    def _is_left_out(self, one: SeenSticker) -> bool:
        return any(_same(one, out) for out in self._left_out)

    def _settle(self) -> None:
        """A helping that was taken is gone once no look shows any of its cards."""
        if self._clearing and not self._wavers:
            self._clearing = not all(self._is_left_out(one) for one in self._cards)


class CardWatch:
    """A thread that looks at fanned cards; ``look`` tells what counts. Close it after use."""

    def __init__(self, opened: Callable[[], FrameSource], box: Box) -> None:
        """``opened``: opens the camera.

        Raises BoxError if OpenCV cannot read the box's stickers.
        """
        self._opened, self._reader = opened, StrewnReader(box)
        self._count, self._gate, self._quiet = SteadyCount(box), Gate(), 0
        self._reach, self._reaching = Reaching(), False
        self._picture: Picture | None = None
        self._blind = True
        self._turn = threading.Lock()
        self._thread = SupervisedThread("cards", self._run)

    def start(self) -> CardWatch:
        """Begin to look."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; the camera is free again."""
        self._thread.close(5)

    def look(self) -> Fanned:
        """The cards that lie there now."""
        with self._turn:
            if self._blind:
                return Fanned()
            fanned = self._count.fanned
            phase = Phase.REACHING if self._reaching else fanned.phase
            return replace(fanned, phase=phase, picture=self._picture)

    def take(self) -> None:
        """Takes what counts, see ``SteadyCount.take``."""
        with self._turn:
            self._count.take()

    def begin(self) -> None:
        """Begins anew, see ``SteadyCount.begin``."""
        with self._turn:
            self._count.begin()

    def touch(self, x: float, y: float) -> None:
        """A card in the picture was touched, at px of it."""
        with self._turn:
            self._count.touch(x, y)

    def see(self, frame: Frame, settled: bool = False) -> None:
        """Take in the next picture. ``settled``: it shows a still table whatever came before."""
        image = frame.image
        stir = self._gate.step(image if frame.small is None else frame.small)
        self._quiet = 0 if stir.moving else self._quiet + 1
        with self._turn:
            if self._blind or ((stir.changed or stir.moving) and not settled):
                self._count.stir()
            self._blind = False
            done = self._count.done
            if self._picture is None or not done:
                self._picture = image
        if stir.changed:
            self._gate.mark()
        if (self._quiet < QUIET_FRAMES and not settled) or (done and not stir.changed):
            return
        reaching = not settled and self._reach.look(image, frame.time_s)
        seen = Strewn((), ()) if reaching else self._reader.look(image)
        with self._turn:
            self._reaching, self._picture = reaching, image
            if reaching:
                self._count.stir()
                return
            for _ in range(LOOKS if settled else 1):
                self._count.look(seen)

    def _run(self) -> None:
        while not self._thread.closing:
            try:
                source = self._opened()
            except SourceError as error:
                log.warning("no cards can be counted without a camera: %s", error)
                self._thread.rest(AGAIN_S)
                continue
            except Exception as error:
                # A driver may raise anything at all; it is asked again.
                tell_failure(error)
                self._thread.rest(AGAIN_S)
                continue
            try:
                self._watch(source)
            finally:
                try:
                    source.close()
                except Exception as error:
                    tell_failure(error)
            # The last of some pictures stays; a camera is looked for again.
            self._thread.rest(None if source.settled else AGAIN_S)

    def _watch(self, source: FrameSource) -> None:
        """Look until the source ends or the watch is closed."""
        seen_s = time.monotonic()
        while not self._thread.closing:
            frame = None
            try:
                frame = source.read(timeout=0.3)
                if frame is not None and frame.condition.ready:
                    self.see(frame, source.settled)
                    seen_s = time.monotonic()
            except SourceError as error:
                log.warning("the camera failed: %s", error)
                self._thread.rest(AGAIN_S)
            except Exception as error:
                # One odd picture must not end the count, and a camera that has only those must not
                # keep the computer busy.
                tell_failure(error)
                self._thread.rest(REST_S)
            if frame is None and source.ended:
                return
            if time.monotonic() - seen_s > SILENCE_S:
                with self._turn:
                    self._blind = True


def _middle(one: SeenSticker) -> Points:
    return np.asarray(one.corners.mean(axis=0))


def _side(one: SeenSticker) -> float:
    return float(np.linalg.norm(one.corners[1] - one.corners[0]))


def _away(one: SeenSticker, at: Points) -> float:
    """Distance of a px from the middle of a sticker, in its sides."""
    return float(np.linalg.norm(_middle(one) - at)) / max(_side(one), 1.0)


def _same(one: SeenSticker, other: SeenSticker) -> bool:
    """True if the same sticker was read in the same place."""
    return one.id == other.id and _away(one, _middle(other)) < 0.5


def _read(look: Strewn, one: SeenSticker) -> bool:
    return any(_same(one, other) for other in look.read)


def _distinct(outlines: list[Points]) -> list[Points]:
    """One outline per place."""
    kept: list[Points] = []
    for outline in outlines:
        reach = float(np.linalg.norm(outline[1] - outline[0])) / 2
        middle = outline.mean(axis=0)
        if all(np.linalg.norm(other.mean(axis=0) - middle) > reach for other in kept):
            kept.append(outline)
    return kept
