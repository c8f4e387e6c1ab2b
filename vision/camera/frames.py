"""A frame, and what every source of frames has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from rules.errors import Complaint
from vision.arrays import Grey, Picture


class SourceError(Complaint, OSError):
    """No frames are available; the sentence says from where, why, and what to do."""


Quantity: TypeAlias = Literal["exposure", "white_balance", "focus"]
"""A setting that cameras search for by themselves."""


class Condition(NamedTuple):
    """How well a camera has adjusted itself to light and distance."""

    ready: bool = True
    """False while it is still searching: nothing may be concluded from its pictures."""
    missing: tuple[Quantity, ...] = ()
    """Quantities that it could not find."""
    searching: tuple[Quantity, ...] = ()
    """Quantities that it has not found yet; empty once it is ready."""


ADJUSTED = Condition()
"""A camera that need not adjust itself, or has done so."""


class Frame:
    """One picture of the table.

    A camera with two streams delivers a small grey picture at once and the full one only on
    request, from the same exposure: most frames of an evening show that nothing has changed.
    """

    __slots__ = ("_image", "_take", "condition", "index", "name", "path", "small", "time_s")

    def __init__(
        self,
        image: Picture | Callable[[], Picture],
        index: int,
        name: str,
        time_s: float,
        path: Path | None = None,
        small: Grey | None = None,
        condition: Condition = ADJUSTED,
    ) -> None:
        """``image``: the full picture, or what takes it when it is first asked for."""
        self._take = image if callable(image) else None
        self._image = None if callable(image) else image
        self.index = index
        """Number of the frame in its source, from 0."""
        self.name = name
        """File name, or the index as text."""
        self.time_s = time_s
        """Seconds on the source's own clock; only differences mean anything."""
        self.path = path
        """The file it was read from, if it has one to itself."""
        self.small = small
        """The whole view in grey, a few hundred px wide (height × width), where the camera offers
        one for little; None where only the full picture is available."""
        self.condition = condition
        """The camera's when it was taken."""

    @property
    def image(self) -> Picture:
        """Height × width × 3, blue-green-red.

        Raises SourceError if the camera has gone on (a frame's full picture is available until the
        next frame is read) or away.
        """
        if self._image is None:
            assert self._take is not None
            self._image = self._take()
        return self._image

    @property
    def taken(self) -> bool:
        """True if the full picture is here already, so that ``image`` costs nothing."""
        return self._image is not None


class FrameSource(Protocol):
    """An iterator of frames that may also be asked with a time limit."""

    @property
    def settled(self) -> bool:
        """True if every picture counts as a settled view of the table (a folder)."""

    @property
    def status(self) -> str:
        """The state of the source, as one sentence for people."""

    @property
    def ended(self) -> bool:
        """True when no further frame will ever come."""

    @property
    def adjusts(self) -> bool:
        """True if it is a camera that adjusts itself."""

    def looked(self, *, hand: bool, still: bool, sharpness: float | None) -> None:
        """Tell a camera what was seen in its newest frame (``vision.pieces.sighting``);
        ``sharpness``: None if no board was seen. It changes nothing while a hand is there."""

    def adjust(self) -> None:
        """Have a camera search for exposure, white balance and focus anew. From any thread."""

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None if none came within ``timeout`` seconds or the source ended.

        Raises SourceError if a picture cannot be read; the next call continues after it.
        """

    def __iter__(self) -> Iterator[Frame]:
        """Every frame until the source ends."""

    def close(self) -> None:
        """Release file or device; the source has then ended. May be called twice."""


class SelfAdjusting(Protocol):
    """The search of a camera for its exposure, white balance and focus."""

    def looked(self, *, hand: bool, still: bool, sharpness: float | None) -> None:
        """As of ``FrameSource``."""

    def ask(self) -> None:
        """Begin anew."""


class Iterated(ABC):
    """The common part of all sources: iterating means reading until the end."""

    settled = False
    status = "ready"
    ended = False
    adjusting: SelfAdjusting | None = None
    """The search of a camera that adjusts itself; None: it does not, or it is no camera."""

    @property
    def adjusts(self) -> bool:
        return self.adjusting is not None

    def looked(self, *, hand: bool, still: bool, sharpness: float | None) -> None:
        adjusting = self.adjusting
        if adjusting is not None:
            adjusting.looked(hand=hand, still=still, sharpness=sharpness)

    def adjust(self) -> None:
        adjusting = self.adjusting
        if adjusting is not None:
            adjusting.ask()

    @abstractmethod
    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None if none came in time or none will."""

    def close(self) -> None:
        self.ended = True

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None or not self.ended:
            if frame is not None:
                yield frame
