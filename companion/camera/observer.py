"""The one frame loop: a picture of the table in, what the match is told about it out.

The eyes of a session, ``heelstone watch`` and the benchmarks look through an ``Observer``; they
differ in where their pictures come from and whom they tell.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from companion.boards.store import without_supplies
from companion.camera.rolls import RollWatch, rolls_are_watched
from companion.match.messages import ProposedRoll, Seen
from companion.match.view import SightNote
from companion.words.bare_names import unknown
from rules.box import Box
from rules.core import Item
from vision.board.lens_learning import LensShelf
from vision.camera.lens import Lens
from vision.camera.sources import Frame, SourceError
from vision.pieces.bare import named_here
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

log = logging.getLogger(__name__)

MOST_HIDDEN = 0.2
"""Share of a still board's sites above which people are told that they cannot be seen: a thing lies
there, it is too dark, or the camera delivers half a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Result of one frame."""

    sighting: Sighting
    seen: Seen | None
    """Message for a table; None while the picture has not held still long enough to be read."""
    roll: ProposedRoll | None
    """A disc that has just been seen rolling."""


class Observer:
    """Looks at one table on which one game is played."""

    def __init__(
        self,
        box: Box,
        game: str = "",
        lens_of: Callable[[tuple[int, int]], Lens | None] | None = None,
        bare: Collection[str] = (),
        shelf: LensShelf | None = None,
    ) -> None:
        """``game``: its id; empty while none is played. ``lens_of``: the camera's calibrated lens
        for pictures of a width and height in px, or None. ``bare``: kinds and groups of pieces
        without stickers; what this box does not have is left out. ``shelf``: where the lens that is
        learnt from the pictures is kept.

        Raises BoxError if OpenCV cannot read the box's stickers.
        """
        self.box = box.for_game(game)
        here = named_here(self.box, bare)
        self.tracker = Tracker(self.box, lens_of=lens_of, bare=here, shelf=shelf)
        self.read: Callable[[Frame, bool], Sighting] = self.tracker.look
        """Makes a sighting of a frame; benchmarks put others in its place."""
        # A box of one's own is not on the shelf, but below the camera.
        self._unknown = unknown([name for name in bare if name not in here])
        self._rolls = RollWatch(box) if rolls_are_watched(box, game) else None
        self._adjusting = False
        """True if the camera was still adjusting itself in the last frame."""
        self._concluded = False
        """True once it was done with that. From then on hands are told of whatever it does, lest a
        move be agreed below one."""

    def expect(self, items: Iterable[Item], stickered: Collection[str] = ()) -> None:
        """Sets the layout by the record, and the groups that people said carry stickers."""
        lying = [*items]
        self.tracker.expect(kinds_by_site(lying), {one.site: one.pose for one in lying if one.pose})
        self.tracker.have_stickers(stickered)

    def look(self, frame: Frame, settled: bool = False) -> Observed:
        """Observes ``frame``. ``settled``: it is a still view whatever came before. While a camera
        is adjusting itself, nothing is concluded.

        Raises SourceError if the frame's picture cannot be fetched.
        """
        ready = frame.condition.ready
        if ready and self._adjusting:
            self.tracker.look_anew()
        self._adjusting = not ready
        sighting = self.read(frame, settled)
        self._concluded |= ready
        if not (ready or (self._concluded and sighting.hand)):
            return Observed(sighting, None, None)
        seen = None
        blind = "board_lost" if sighting.board == "lost" else ""
        if sighting.still or sighting.hand or blind:
            slow = self._rolls is not None and self._rolls.too_slow and not settled
            notes = sight_notes(sighting, self._unknown, slow, frame.condition.missing)
            seen = Seen(without_supplies(sighting, self.box), settled, blind, notes)
        return Observed(sighting, seen, None if settled else self._roll(frame, sighting))

    def finish(self) -> ProposedRoll | None:
        """The roll that was still under way when the pictures ended, if any."""
        return None if self._rolls is None else self._rolls.finish()

    def _roll(self, frame: Frame, sighting: Sighting) -> ProposedRoll | None:
        if self._rolls is None:
            return None
        try:
            return self._rolls.look(frame, sighting)
        except SourceError as error:
            # What was seen still counts; the next frame will come.
            log.debug("frame %s has no picture: %s", frame.name, error)
            return None


def kinds_by_site(items: Iterable[Item]) -> dict[str, list[str]]:
    """Kinds that a camera above should see at each site."""
    layout: dict[str, list[str]] = {}
    for item in items:
        if item.seen:
            layout.setdefault(item.site, []).append(item.kind)
    return layout


def sight_notes(
    sighting: Sighting,
    unknown: tuple[str, ...] = (),
    too_slow: bool = False,
    missing: tuple[str, ...] = (),
) -> tuple[SightNote, ...]:
    """Notes for players on how the board is seen; none while it is not.

    ``unknown``: names of bare pieces in the settings that no box has. ``too_slow``: for discs that
    roll. ``missing``: what the camera could not adjust (``vision.camera.adjusting``).
    """
    if sighting.board == "lost":
        return ()
    notes = [SightNote("trembles")] if sighting.trembling else []
    notes += [SightNote("stickers_small", ("sticker",))] if sighting.reason else []
    hidden = sum(belief.occluded for belief in sighting.sites.values())
    if sighting.still and not sighting.hand:
        notes += [SightNote(code) for code in sighting.lattice]
    if sighting.still and not sighting.hand and sighting.unshown - sighting.glaring:
        notes.append(SightNote("unshown"))
    elif sighting.still and not sighting.hand and hidden > MOST_HIDDEN * len(sighting.sites):
        notes.append(SightNote("hidden"))
    elif sighting.still and not sighting.hand and sighting.glaring:
        notes.append(SightNote("glare", tuple(sorted(sighting.glaring))))
    if sighting.bare_found:
        notes.append(SightNote("bare", tuple(sorted(sighting.bare_found))))
    notes += [SightNote("unadjusted", (quantity,)) for quantity in missing]
    if too_slow:
        notes.append(SightNote("rolls_slow", ("disc",)))
    if unknown:
        notes.append(SightNote("bare_unknown", unknown))
    return tuple(notes)
