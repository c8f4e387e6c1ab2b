"""A lens without calibration, learnt from what is always there: corner stickers and the drawing.

Every picture from another place, and fewer and fewer from the same, adds what it tells to what is
known (``LensBelief``). A lens is used only if it explains what it was not fitted to better than the
one in use: half of the marks are predicted from the other half, and the other way round. Where the
one in use comes from the same picture's stickers alone, it has seen what it would have to foretell;
then the question is whether stickers are foretold better from the others and the drawing than from
the others alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from rules.box import Box
from vision.arrays import Picture, Points
from vision.board.drawing import drawing_of
from vision.board.drawn_marks import DrawnMarks
from vision.board.fitting import Fitted, LensBelief, Marks, fit_marks, losses, misses, values_of
from vision.board.flattening import MM_PER_PX
from vision.board.pose import STICKERS_NEEDED, BoardFinder, BoardPose
from vision.camera.lens import Lens

ALIKE = 10
"""Pictures of one table through one lens err alike: at most about this many count."""
STRANGE_LOOKS = 3
"""Looks in a row that a lens must contradict before what was learnt of it is forgotten."""
OFTEN, SELDOM = 12, 4
"""After ``OFTEN`` pictures one in ``SELDOM`` is learnt from when the camera moves."""
WORTH_MM = 0.15
"""A lens that moves no part of the board by more is not worth another map of the board."""
BETTER = 0.9
"""A lens must foretell what it was not fitted to with this share of the errors of the one in use:
drawings differ from what was printed, and must not bend a lens that is right."""
STRAY = 4.0
"""Corners that are off by more sigmas than this begin to lose weight."""


@dataclass(frozen=True, eq=False)
class LearntLens:
    """A camera's lens as learnt at one picture size."""

    belief: LensBelief
    pictures: int
    """Number of pictures it was learnt from."""
    error_mm: float
    """Median error on the board of what was measured in the last of them."""


class LensShelf(Protocol):
    """A store for the learnt lenses of one camera."""

    def learnt(self, size: tuple[int, int]) -> LearntLens | None:
        """The lens learnt for pictures of this width and height in px."""

    def keep_learnt(self, learnt: LearntLens) -> None:
        """Keep it for the next time; trouble with that must not stop a match."""


class LensLearner:
    """Learns the lens of the camera above one box's board, and tells a ``BoardFinder``."""

    def __init__(self, box: Box, finder: BoardFinder, shelf: LensShelf | None = None) -> None:
        self._box, self._finder, self._shelf = box, finder, shelf
        self._drawn: DrawnMarks | None = None
        self.forget()

    def forget(self) -> None:
        """Forget everything, for another camera or picture size."""
        self._known: LearntLens | None = None
        self._lens: Lens | None = None
        """The one in use."""
        self._asked: tuple[int, int] | None = None
        self._pose: BoardPose | None = None
        self._looks = self._moves = self._strange = 0

    def begin(self, size: tuple[int, int]) -> None:
        """Pictures of ``size`` will come: use what was learnt earlier."""
        if self._asked == size:
            return
        self.forget()
        self._asked = size
        if self._finder.is_calibrated(size) or self._shelf is None:
            return
        self._known = self._shelf.learnt(size)
        if self._known is not None:
            self._lens = self._known.belief.lens
            self._finder.know(self._lens)

    def learn(self, image: Picture, pose: BoardPose, corners: Mapping[int, Points]) -> BoardPose:
        """Learn from a picture, if it is worth it; the pose by the lens that is known then.

        ``corners``: the corner stickers that were read, id to 4 × 2 px.
        """
        size = pose.lens.size
        if len(corners) < STICKERS_NEEDED or self._finder.is_calibrated(size):
            return pose
        if not self._is_due(pose):
            return pose
        self._doubt(pose)
        pictures = 1 if self._known is None else self._known.pictures + 1
        fitted, is_better, error_mm = self._study(image, pose, corners)
        belief = fitted.belief
        assert belief is not None
        after = BoardPose(
            fitted.lens, fitted.rotation, fitted.translation, pose.error_px, tuple(corners)
        )
        if is_better and self._apart(pose, after) > WORTH_MM:
            self._lens = fitted.lens
            self._finder.know(fitted.lens)
            self._pose = pose = self._finder.find(corners, size)
        else:
            self._lens = pose.lens
        if not is_better:
            # The lens in use has proved itself once more.
            told = belief if self._known is None else self._known.belief
            belief = LensBelief(size, values_of(pose.lens), told.information, belief.third)
        self._known = LearntLens(belief, pictures, error_mm)
        if self._shelf is not None:
            self._shelf.keep_learnt(self._known)
        return pose

    def _is_due(self, pose: BoardPose) -> bool:
        if pose is not self._pose:
            self._pose, self._looks = pose, 0
            self._moves += 1
            pictures = 0 if self._known is None else self._known.pictures
            return pictures < OFTEN or self._moves % SELDOM == 0
        self._looks += 1
        return self._looks & (self._looks - 1) == 0 and self._looks > 1

    def _doubt(self, pose: BoardPose) -> None:
        """Forget a lens that the finder had to replace several times in a row: it was zoomed."""
        if self._known is None or pose.lens is self._lens:
            self._strange = 0
            return
        self._strange += 1
        if self._strange >= STRANGE_LOOKS:
            self._known, self._lens, self._strange = None, None, 0

    def _study(
        self, image: Picture, pose: BoardPose, corners: Mapping[int, Points]
    ) -> tuple[Fitted, bool, float]:
        """The camera that explains a picture best, whether it foretells clearly better than the
        one in use what it was not fitted to, and the median error of corners in mm."""
        size = pose.lens.size
        belief = self._prior(pose)
        stickers = self._finder.marks(corners, size)
        stickers = replace(stickers, stray=np.full(len(stickers), STRAY))
        start, trial = (pose.rotation, pose.translation), pose
        marks = stickers
        for fine in (True,) if self._known is not None else (False, True):
            tiles = self._tiles().find(image, trial, fine)
            marks = Marks.joined([stickers, tiles])
            fitted = fit_marks(marks, start, trial.lens, belief)
            start = fitted.rotation, fitted.translation
            trial = BoardPose(fitted.lens, *start, 0.0, ())
        if pose.lens is self._lens:
            now = _foretold(marks, start, pose.lens, None)
            is_better = _foretold(marks, start, fitted.lens, belief) < BETTER * now
        else:
            is_better = _drawing_helps(marks, start, fitted.lens, belief)
        scale = trial.px_per_mm()
        off = np.sqrt(np.median(misses(marks, fitted)[: len(stickers)]))
        return fitted, is_better, float(off / stickers.weight[0, 0, 0] / scale)

    def _prior(self, pose: BoardPose) -> LensBelief:
        """The belief before a picture; some of it wears off, since pictures err alike."""
        kinds = [belief for belief, _rarity in LensBelief.kinds(pose.lens.size)]
        now = self._known.belief.lens if self._known is not None else pose.lens
        base = min(kinds, key=lambda kind: abs(np.log(kind.lens.focal / now.focal)))
        if self._known is None:
            return base
        told = self._known.belief
        more = (1 - 1 / ALIKE) * (told.information - base.information)
        return replace(told, information=base.information + more)

    def _apart(self, one: BoardPose, other: BoardPose) -> float:
        """Largest distance between two poses on the board, mm."""
        x, y = np.meshgrid(*(np.linspace(-side / 2, side / 2, 5) for side in self._box.size))
        spots = np.column_stack([x.ravel(), y.ravel()])
        return float(np.linalg.norm(other.on_board(one.project(spots)) - spots, axis=1).max())

    def _tiles(self) -> DrawnMarks:
        if self._drawn is None:
            width, height = self._box.size
            grid = (round(width / MM_PER_PX), round(height / MM_PER_PX))
            self._drawn = DrawnMarks(self._box, grid, drawing_of(self._box, grid))
        return self._drawn


def _foretold(
    marks: Marks, start: tuple[Points, Points], lens: Lens, belief: LensBelief | None
) -> float:
    """The loss of the marks when each half is foretold by a fit to the other half."""
    total = 0.0
    for half in (0, 1):
        held_out = marks.group % 2 == half
        fitted = fit_marks(marks.chosen(~held_out), start, lens, belief)
        tested = marks.chosen(held_out)
        total += float(losses(misses(tested, fitted), tested.stray).sum())
    return total


def _drawing_helps(
    marks: Marks, start: tuple[Points, Points], lens: Lens, belief: LensBelief
) -> bool:
    """True if stickers are foretold better by the others and the drawing than by the others alone.

    A drawing that is not where the board's owner mapped it, or below many pieces, makes it worse.
    """
    glued = marks.drawn == 0
    alone = together = 0.0
    for sticker in np.unique(marks.group[glued]):
        held_out = glued & (marks.group == sticker)
        tested = marks.chosen(held_out)
        errors = []
        for known in (glued & ~held_out, ~held_out):
            fitted = fit_marks(marks.chosen(known), start, lens, belief)
            errors.append(float(losses(misses(tested, fitted), tested.stray).sum()))
        alone, together = alone + errors[0], together + errors[1]
    return together < BETTER * alone
