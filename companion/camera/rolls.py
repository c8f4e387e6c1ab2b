"""Watching discs roll: from the eyes' frames to a question at the table.

Only a game whose board has a run-up zone is watched. The gates are where the trilithons' stickers
were read last; a camera with fewer than some twenty frames a second shows too little of a roll,
and then nothing is proposed.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.match.messages import ProposedRoll, RolledDisc
from rules.box import Box
from rules.games import find_game
from vision.arrays import Picture
from vision.board.pose import BoardPose
from vision.camera.frames import Frame
from vision.pieces.sighting import Sighting
from vision.rolls.following import RollTracker
from vision.rolls.path import Gate, Roll, gates_of, run_up_zone

SLOWEST_FPS = 20.0
"""Lowest frame rate that follows a disc; at fewer frames a second it rolls past too much unseen."""
LARGEST_PX = 2_600_000
"""Larger pictures are made smaller: a disc is followed on a grid of 2 mm. A camera that delivers
large ones only on demand takes too long to deliver every one; then its small grey ones must do."""
SAME_PLACE_MM = 4.0
"""Tolerance of a gate's place, mm: gates are read a little differently every time."""
DISCS = "disc"
LATE = 8
"""Number of frames counted before their pace is believed."""


def rolls_are_watched(box: Box, game: str) -> bool:
    """True if discs are rolled over this board in ``game``."""
    if not game or not find_game(game).inference.rolls:
        return False
    try:
        run_up_zone(box)
    except ValueError:
        return False
    return True


def proposed(roll: Roll) -> ProposedRoll:
    """Question for the players about a roll."""
    return ProposedRoll(tuple(RolledDisc(v.crossed, v.gates, v.likely) for v in roll.verdicts))


class RollWatch:
    """Follows the discs of one board, as long as it is seen where the gates stand."""

    def __init__(self, box: Box) -> None:
        self._box = box
        discs = [k for k in box.kinds.values() if k.group == DISCS]
        self._disc_mm = max((k.size[0] for k in discs), default=18.0)
        self._pose: BoardPose | None = None
        self._gates: tuple[Gate, ...] = ()
        self._tracker: RollTracker | None = None
        self._times: list[float] = []

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that are watched now."""
        return self._gates

    def look(self, frame: Frame, sighting: Sighting) -> ProposedRoll | None:
        """Take the next frame with what was seen last; a question, if a roll has ended."""
        self._times = [*self._times, frame.time_s][-LATE:]
        if sighting.pose is None:
            self._tracker = self._pose = None
            return None
        if self._tracker is None or not self._tracker.rolling:
            self._place(sighting)
        if self._tracker is None or not self._fast():
            return None
        width, height = sighting.pose.lens.size
        picture = enough_of(frame, width * height)
        if picture is None:
            return None
        roll = self._tracker.look(Frame(picture, frame.index, frame.name, frame.time_s))
        return None if roll is None else proposed(roll)

    def finish(self) -> ProposedRoll | None:
        """The roll that was still under way when the pictures ended, if any."""
        roll = None if self._tracker is None else self._tracker.finish()
        return None if roll is None else proposed(roll)

    @property
    def too_slow(self) -> bool:
        """True if the gates are seen, but pictures come too slowly to follow a disc."""
        return bool(self._gates) and len(self._times) == LATE and not self._fast()

    def _fast(self) -> bool:
        """True if frames come quickly enough."""
        if len(self._times) < LATE:
            return False
        span = self._times[-1] - self._times[0]
        return 0 < span <= (LATE - 1) / SLOWEST_FPS

    def _place(self, sighting: Sighting) -> None:
        """Watch the gates where they stand; the camera may have been moved, and so may they."""
        gates = self._gates
        if sighting.still and not sighting.hand:
            gates = gates_of(self._box, sighting.pieces)
        if sighting.pose is self._pose and _same(gates, self._gates):
            return
        self._pose, self._gates = sighting.pose, gates
        self._tracker = None
        if sighting.pose is not None and gates:
            self._tracker = RollTracker(self._box, sighting.pose, gates, self._disc_mm)


def enough_of(frame: Frame, pixels: int) -> Picture | None:
    """The picture of a frame, no larger than is needed; None if the camera would be kept busy.

    ``pixels``: of the full picture. Raises SourceError as ``Frame.image``.
    """
    if pixels <= LARGEST_PX:
        return frame.image
    if not frame.taken:
        if frame.small is None:
            return None
        return np.asarray(cv2.cvtColor(frame.small, cv2.COLOR_GRAY2BGR))
    scale = math.sqrt(LARGEST_PX / pixels)
    height, width = frame.image.shape[:2]
    size = (round(width * scale), round(height * scale))
    return np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_LINEAR))


def _same(some: tuple[Gate, ...], others: tuple[Gate, ...]) -> bool:
    if [g.name for g in some] != [g.name for g in others]:
        return False
    return all(
        abs(a - b) < SAME_PLACE_MM
        for one, other in zip(some, others, strict=True)
        for a, b in zip(one.left_mm + one.right_mm, other.left_mm + other.right_mm, strict=True)
    )
