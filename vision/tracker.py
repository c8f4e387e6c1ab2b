"""Frames in, sightings out.

A settled frame (a folder's picture) is looked at immediately. With a live source, a cheap gate
looks first: while something moves, the table belongs to a hand; when it has been quiet for a few
frames, it is looked at a few times and those looks are fused; then nothing is done until
something changes. What a look is, ``vision.pipeline`` says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rules.box import Box
from rules.reading.sighting import SiteBelief
from vision.arrays import Picture
from vision.board.lens_learning import LensShelf
from vision.board.pose import BoardPose
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.motion.gate import Gate
from vision.pieces.figures import since
from vision.pieces.sighting import Sighting, fuse
from vision.pipeline.looker import Looker
from vision.pipeline.results import Memory, Rest, rest_of

MOST_LOOKS = 12
"""Most looks that never agree, until the next audit."""
AUDIT_S = 5.0
"""Seconds after which a still, live table is read again as a whole."""
FRAME_S = 0.025
"""Least time in which a quiet frame counts as one. Some films have 120 a second, or bunches of them
after a gap: in so short a time a hand moves by nothing."""
TREMBLES_S, SHAKEN = 5.0, 0.15
"""Seconds without a quiet frame, and the share of them in which the whole board moved too fast to
be followed, from which the camera shakes too much."""


class Tracker:
    """Watches one table with the material of ``box``."""

    def __init__(
        self, box: Box, quiet_frames: int = 3, votes: int = 3,
        lens_of: Callable[[tuple[int, int]], Lens | None] | None = None,
        bare: Collection[str] = (), shelf: LensShelf | None = None,
    ) -> None:  # fmt: skip
        """``quiet_frames``: frames without motion before a live table counts as still.
        ``votes``: looks at a still, live table that are fused before it is left alone.
        ``lens_of``: the calibrated lens for pictures of a width and height in px, or None.
        ``bare``: kinds or groups of pieces that may lack stickers and are recognised by their
        colour, ``*`` for all, ``auto`` to find out which from what ``expect`` says; kinds that
        have none in the box are recognised so anyway.
        ``shelf``: where the lens is kept that is learnt from the pictures, if it is not calibrated.

        Raises ValueError if ``bare`` names what the box does not have, BoxError if OpenCV cannot
        read the box's stickers.
        """
        self.box = box
        self._quiet_frames = quiet_frames
        self._votes = _Votes(votes)
        self._looker = Looker(box, lens_of, bare, shelf)
        self.forget()

    def forget(self) -> None:
        """Start afresh: another camera, another board, another picture size."""
        self._memory = Memory((0, 0))
        self._gate = Gate(self.box)
        self._quiet = 0
        self._still = False
        """True if nothing has moved for some frames and some time."""
        self._still_s: float | None = None
        self._restless = self._shaken = 0
        """Frames since the table was last still, and those in which the camera shook too much."""
        self._votes.begin()
        self._last: Sighting | None = None
        self._audited_s = 0.0
        self._stirred_s: float | None = None
        self._compared_anew = False
        """True if a hand that lies still was looked at twice."""
        self._looker.forget()

    def look_anew(self) -> None:
        """Forgets all looks until now: they were seen badly."""
        self._votes.begin()
        self._last = self._stirred_s = None
        self._quiet = 0

    def teach(self, opening: Mapping[str, str]) -> None:
        """The next look shows these kinds at these sites: colours of bare pieces are learnt."""
        self._looker.bare.teach(opening)

    def expect(
        self, layout: Mapping[str, Sequence[str]], poses: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Take the layout of the record: kinds by site, and poses of single pieces. It tells what
        was taken away and what may lie below something else, which cell of a lattice is which, and
        with ``auto`` which pieces carry no stickers."""
        self._looker.expect(layout, poses)

    def have_stickers(self, groups: Collection[str]) -> None:
        """People say that these groups of pieces carry stickers, whatever was found."""
        self._looker.bare.decline(groups)

    @property
    def pose(self) -> BoardPose | None:
        """The camera's pose when the board was last found."""
        return self._memory.pose

    def look(self, frame: Frame, settled: bool) -> Sighting:
        """The sighting in ``frame``. ``settled``: it is a still view whatever came before."""
        if settled:
            self._last = self._see(frame.image, time_s=frame.time_s)
            return self._last
        return self._look_live(frame)

    def _look_live(self, frame: Frame) -> Sighting:
        start = time.perf_counter()
        # A camera with a small stream is asked for the full picture only if it is needed.
        shown = frame.image if frame.small is None else frame.small
        stir = self._gate.step(shown)
        gate_ms = since(start)
        if stir.moving or self._stirred_s is None:
            self._stirred_s = frame.time_s
        if stir.moving:
            self._quiet = 0
            self._votes.begin()
            self._compared_anew = False
        else:
            self._quiet += 1
        still_s, last = frame.time_s - self._stirred_s, self._last
        self._still = self._quiet >= self._quiet_frames and still_s >= self._quiet_frames * FRAME_S
        trembling = self._trembles(frame.time_s, stir.shaken)
        if last is not None and not self._still:
            return replace(
                last, hand=True, still=False, trembling=trembling,
                ms={"gate": gate_ms, "total": gate_ms},
            )  # fmt: skip
        # No hand lies so still for so long; something else has changed the board's looks.
        rest = rest_of(still_s)
        rested = last is not None and last.hand and rest is Rest.LONG
        lingers = last is not None and last.hand and rest > Rest.NONE
        anew = lingers and not self._compared_anew
        self._compared_anew |= anew
        audit = False
        if not (rested or anew) and last is not None and not stir.changed and self._votes.settled:
            audit = not 0 <= frame.time_s - self._audited_s < AUDIT_S
            if not audit:
                return replace(last, still=True, ms={"gate": gate_ms, "total": gate_ms})
        if stir.changed:
            self._votes.begin()
        self._audited_s = frame.time_s
        self._last = self._voted(
            self._see(frame.image, audit, rest, anew),
            audit,
            gate_ms,
        )
        if stir.changed:
            self._gate.follow(shown, self._memory.pose)
        return self._last

    def _trembles(self, time_s: float, shaken: bool) -> bool:
        """True if the camera has shaken too much for long."""
        if self._still or self._still_s is None:
            self._restless, self._shaken, self._still_s = 0, 0, time_s
        self._restless += 1
        self._shaken += shaken
        long = time_s - self._still_s >= TREMBLES_S
        return long and self._shaken > SHAKEN * self._restless

    def _voted(self, seen: Sighting, audit: bool, gate_ms: float) -> Sighting:
        """A look at a live table, fused with those before."""
        if audit and self._last is not None and seen.table != self._last.table:
            # The gate overlooked something, or something was misread: look and vote again.
            self._votes.begin()
        if seen.board == "found":
            seen = replace(seen, sites=self._votes.cast(seen))
        return replace(
            seen,
            still=self._still,
            ms={**seen.ms, "gate": gate_ms, "total": seen.ms["total"] + gate_ms},
        )

    def _see(
        self,
        image: Picture,
        audit: bool = False,
        rest: Rest = Rest.NONE,
        anew: bool = False,
        time_s: float | None = None,
    ) -> Sighting:
        size = (image.shape[1], image.shape[0])
        if self._memory.size != size:
            self.forget()
            self._memory = Memory(size)
        seen, self._memory = self._looker.look(image, self._memory, audit, rest, anew, time_s)
        return seen


class _Votes:
    """The last looks at a still table."""

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self.begin()

    def begin(self) -> None:
        """The table has changed."""
        self._looks: list[Mapping[str, SiteBelief]] = []
        self._tables: list[dict[str, str]] = []
        self._looked = 0

    def cast(self, seen: Sighting) -> Mapping[str, SiteBelief]:
        """The joint belief of the last looks, ``seen`` among them."""
        self._looks = [*self._looks, seen.sites][-self._needed :]
        self._tables = [*self._tables, seen.table][-self._needed :]
        self._looked += 1
        return fuse(self._looks)

    @property
    def settled(self) -> bool:
        """True if the table was looked at often enough: until the last looks agree."""
        if len(self._looks) < self._needed:
            return False
        same = all(table == self._tables[0] for table in self._tables)
        return same or self._looked >= MOST_LOOKS
