"""Results that the stages of a look hand each other, and that one look leaves for the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from vision.arrays import Bools, Mask, Picture, Planes, Points
from vision.board.appearance import Difference
from vision.board.blobs import MORE, MOST, Blob, Same, Spots, changed, lies_on, overlap, spots_of
from vision.board.occlusion import Coverage
from vision.board.pose import BoardPose
from vision.pieces.bare import BareLook
from vision.pieces.floating import Frame
from vision.pieces.remains import Remains
from vision.pieces.sighting import SeenPiece
from vision.pipeline.untouched import Before, Untouched
from vision.stickers.reader import SeenSticker


class Rest(IntEnum):
    """Time for which nothing has moved."""

    NONE = 0
    SHORT = 1
    """A second or two: what looks like a hand may be something else."""
    LONG = 2
    """Longer than any hand lies still."""


LINGERING_S = 2.0
"""Seconds of stillness after which a supposed hand is compared once more, with the board as it is
drawn: another lamp may have changed how it was known to look. What was there at the first look has
always lain there: a bowl, a reflection, an arm that rests."""
RESTING_S = 15.0
"""Seconds of stillness after which a thing is not a hand, whatever it looks like."""


def rest_of(still_s: float) -> Rest:
    """The rest of what has not moved for some seconds."""
    return Rest.LONG if still_s > RESTING_S else Rest(still_s > LINGERING_S)


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing over the board, and for how long it has been where it is."""

    blob: Blob
    since_s: float | None
    """Time of the first settled picture that shows it there; None in live ones."""
    came: bool
    """True if nothing lay there in a look before, while it was not yet there."""

    def lies(self, rest: Rest, time_s: float | None) -> bool:
        """True if it has lain still for too long to be a hand. ``rest``: of all the picture."""
        if self.since_s is not None and time_s is not None:
            rest = max(rest, rest_of(time_s - self.since_s))
        sure = self.blob.sure or (self.came and self.blob.large)
        return rest >= (Rest.LONG if sure else Rest.SHORT)

    @staticmethod
    def of(blob: Blob, memory: Memory, time_s: float | None, same: Same | None = None) -> Thing:
        """The thing that a ``blob`` is: one of those of the look before, or a new one. ``same``:
        tells where it looks as in that."""
        stays = same is None or not changed(blob.spots, same, 1 - MOST)
        for thing in memory.things:
            if lies_on(blob, [thing.blob]) and stays:
                return Thing(blob, thing.since_s, thing.came)
        lay = spots_of(thing.blob for thing in memory.things)
        came = memory.pose is not None and overlap(blob.spots, lay) < MORE
        return Thing(blob, time_s, came)


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """The knowledge of a table from the previous look."""

    size: tuple[int, int]
    """Width and height of the pictures, px."""
    pose: BoardPose | None = None
    """The camera's pose; None if the board was not found."""
    pieces: tuple[SeenPiece, ...] = ()
    bare: BareLook = field(default_factory=BareLook)
    untouched: Untouched = field(default_factory=Untouched)
    """The look of the table when nobody reached in."""
    things: tuple[Thing, ...] = ()
    """Things over the board that are taken for hands."""
    below: frozenset[str] = frozenset()
    """Sites whose piece was not seen again since the hand came: it may lie below the hand."""
    flat: Planes | None = None
    """The flattened board of the look before, as long as the camera stays."""
    frame: Frame | None = None
    """The place of the lattice; None if there is none, or nothing was seen on it yet."""
    gone: tuple[Remains, ...] = ()
    """Pieces that are no longer read and may still lie where they lay."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """A picture in which the board was found."""

    image: Picture
    pose: BoardPose
    first: bool
    """True if it was not found in the previous look: nothing is known of what lies there."""
    moved: bool
    """True if camera or board were bumped since."""
    corners: Mapping[int, Points]
    """Corner stickers that were read, id to 4 × 2 px."""
    missing: tuple[int, ...]
    """Corner stickers that were not."""
    anywhere: tuple[SeenSticker, ...]
    """Other stickers that were read while the corner stickers were searched for."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPieces:
    """Pieces whose stickers were read."""

    pieces: tuple[SeenPiece, ...]
    disputed: frozenset[str]
    """Sites about which two readers disagree."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The flattened board against how it should look bare."""

    flat: Planes
    """Linear light."""
    difference: Difference
    alien: Bools
    """True where something other than the bare board and the pieces known so far shows."""
    across: Spots
    """Flat indices of where things lie across an own board's outline."""
    before: Before | None = None
    """This look beside the one in which nobody reached in."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """All pieces that could be read, and what covers the rest."""

    pieces: tuple[SeenPiece, ...]
    bare: BareLook
    coverage: Coverage
    hidden: Mask
    """255 on the grid where pieces lie."""
    lit: Bools
    """True where sun, shade or a veil of light falls on the board."""
