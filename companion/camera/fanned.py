"""Cards that people fan below the camera, as far as they are recognised."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.arrays import Picture, Points


class Phase(StrEnum):
    """Phase of counting."""

    BLIND = "blind"
    """The camera delivers no picture."""
    MOVING = "moving"
    """The picture moves, by a hand for instance."""
    REACHING = "reaching"
    """All is still, but something reaches into the picture, such as an arm."""
    LOOKING = "looking"
    """All is still, and there were too few looks."""
    READY = "ready"
    """The helping can be taken."""
    CLEARING = "clearing"
    """A helping was taken; its cards must go away."""


@dataclass(frozen=True, slots=True, eq=False)
class FannedCard:
    """A card that was read alike in every look."""

    kind: str
    """Kind of the box."""
    corners: Points
    """Corners of its sticker, 4 × 2 px, as in ``SeenSticker``."""
    counts: bool = True
    """False: touched by people, since it belongs to no helping."""


@dataclass(frozen=True, slots=True, eq=False)
class Fanned:
    """Cards below the camera."""

    phase: Phase = Phase.BLIND
    cards: tuple[FannedCard, ...] = ()
    unread: tuple[Points, ...] = ()
    """Outlines of apparent cards that cannot be read, 4 × 2 px."""
    picture: Picture | None = None
    """The newest picture that was looked at."""

    @property
    def helping(self) -> Counter[str]:
        """Number of cards that count, by kind."""
        return Counter(card.kind for card in self.cards if card.counts)
