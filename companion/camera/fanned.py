"""What is known of cards that people fan below the camera."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.arrays import Picture, Points


class Phase(StrEnum):
    """What is being waited for."""

    BLIND = "blind"
    """The camera delivers no picture."""
    MOVING = "moving"
    """Something moves in the picture, such as a hand."""
    REACHING = "reaching"
    """All is still, but something reaches into the picture, such as an arm."""
    LOOKING = "looking"
    """All is still, and there were too few looks."""
    READY = "ready"
    """What counts can be taken."""
    CLEARING = "clearing"
    """A helping was taken; its cards must go away."""


@dataclass(frozen=True, slots=True, eq=False)
class FannedCard:
    """A card that was read alike in every look."""

    kind: str
    """Kind of the box."""
    corners: Points
    """Of its sticker, 4 × 2 px, as in ``SeenSticker``."""
    counts: bool = True
    """False: people touched it, since it belongs to nobody's helping."""


@dataclass(frozen=True, slots=True, eq=False)
class Fanned:
    """What lies below the camera."""

    phase: Phase = Phase.BLIND
    cards: tuple[FannedCard, ...] = ()
    unread: tuple[Points, ...] = ()
    """Where there seem to be cards that cannot be read, outlines of 4 × 2 px."""
    picture: Picture | None = None
    """The newest picture that was looked at."""

    @property
    def helping(self) -> Counter[str]:
        """Number of cards that count, by kind."""
        return Counter(card.kind for card in self.cards if card.counts)
