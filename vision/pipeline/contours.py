"""Contours that nothing drawn explains: the two rims of what comes in over a board's edge.

A pencil, a finger, a tail may have the board's own colour. But its rims are long and straight, they
come in over the edge and end on the board, and between them the drawing is lost that shows beside
them. The rims of a shade or of a stripe of sun are as long; in those the drawing stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Mask, floats, middles
from vision.board.appearance import Difference
from vision.board.blobs import MORE, MOST, NOWHERE, PIECE_LIMIT_MM, Same, Spots, along_rim
from vision.board.detail import FAINT, SHOWS, Detail
from vision.board.drawing import SOME
from vision.board.flattening import MM_PER_PX
from vision.board.masks import RIM_MM, Masks

TURNS = 72
"""Directions of rims that are told apart."""
RIGHT, DOWN = (floats(way(np.arange(TURNS) * (np.pi / TURNS))) for way in (np.cos, np.sin))
"""Across lines of each direction."""
WIDEST_PX = 24
"""Most grid pixels between the rims: a ruler, a child's wrist."""
LONG_MM = 44.0
"""Rims are at least as long, and longer than any piece: a finger's first two joints."""
STEP, LEAST_STEP, BY_LINES = 2.5, 0.03, 2.0
"""A rim is a step that is so many times the usual one between grid pixels, at least of this size
(natural log per pixel); and a larger one, by this factor, at the edges of what is drawn."""
ALONG = 0.6
"""Share of its steepest step that a rim takes across itself."""
FROM_MM = 40.0
"""One rim is seen so near to the board's edge, or it does not come in over it."""
FEW, MOST_TRIED = 8, 16
"""Grid pixels of a rim that lie on one line, and most pairs of lines that are followed."""
SAME_PX, SAME_TURN = 3, 2
"""Lines that differ by no more, in grid pixels and directions, are one."""
PAIR, ONE, NONE, UNSEEN = 1.0, -0.4, -1.3, -0.05
"""Evidence of each grid pixel along two lines for a thing between them: both rims are seen, one of
them, none, or pieces hide them."""
BOTH, OPEN = 0.55, 0.5
"""Least shares of the length along which both rims, and anything at all, are seen."""
ENDS_PX = 3
"""Grid pixels without a rim up to the board's edge at most, if it comes in there."""
FLANK_PX, BESIDE, GONE = 5, 0.35, 0.55
"""Grid pixels on either side that are compared with what is between the rims; the correlation from
which they show the drawing; and the share of it, and of that on open board, below which it is lost
between them. Of what arms' shade left 0.7 and more, things 0.55 and less."""
CORE = 0.2
"""Least share of what is between the rims that looks foreign all along."""
AROUND_PX, LEAST_SPOTS = 9, 200
"""Grid pixels along a strip with which each is compared, and least number of them to be judged."""


@dataclass(frozen=True)
class _Steps:
    """Changes of brightness that no drawing explains, height × width."""

    right: Floats
    down: Floats
    size: Floats
    rim: Bools
    """True where it may be a rim."""


@dataclass(frozen=True)
class _Strip:
    """A strip along two rims, places along it × grid pixels across it, both flanks included."""

    spots: Spots
    open_: Bools
    """True where no piece hides the board."""
    comes_in: bool = True
    """True if one of its ends is at the board's edge."""

    @property
    def within(self) -> _Strip:
        """The part between the rims, these included."""
        inner = np.s_[:, FLANK_PX + 1 : -FLANK_PX - 1]
        return _Strip(self.spots[inner], self.open_[inner])

    @property
    def flanks(self) -> _Strip:
        """The parts beside it."""
        first, last = np.s_[:, :FLANK_PX], np.s_[:, -FLANK_PX:]
        return _Strip(
            np.hstack([self.spots[first], self.spots[last]]),
            np.hstack([self.open_[first], self.open_[last]]),
        )


def coming_in(
    difference: Difference, detail: Detail, alien: Bools, hidden: Mask, masks: Masks,
    same: Same | None = None,
) -> Spots:  # fmt: skip
    """Flat indices of a thing that comes in over the board's edge between two straight rims and
    ends on the board, of whatever colour: it looks foreign, or the drawing is lost there. Longer
    than any piece, and foreign where the board was seen before, it may lie anywhere.

    ``detail``: its fine drawing. ``alien``: where it looks foreign. ``hidden``: 255 where pieces
    lie. ``same``: tells where it looks as when nobody reached in.
    """
    # A lamp that is mirrored has rims as well; it spills over on a sensor.
    if difference.too_bright.any():
        blind = cv2.dilate(difference.too_bright.astype(np.uint8), np.ones((5, 5), np.uint8))
        hidden = np.where(np.asarray(blind) > 0, np.uint8(255), hidden)
    steps = _steps(detail.gain, difference.pure, hidden)
    for line in _pairs(steps, masks):
        strip = _followed(line, steps, hidden, masks)
        if strip is None:
            continue
        within = strip.within
        # The rim itself, where its outline was not dragged quite true, lies along itself.
        if along_rim(within.spots, masks) >= masks.inwards[within.spots].max():
            continue
        spots = within.spots[within.open_]
        here = within.open_ & alien.ravel()[within.spots]
        # Beside a pencil lies its shade, which is the board.
        lines = here.sum(axis=0) / np.maximum(within.open_.sum(axis=0), 1)
        foreign = float((lines > MOST).mean()) >= CORE
        if not strip.comes_in:
            # A drawing that is not quite in its place looks so as well.
            known = float(difference.known.ravel()[spots].mean()) > MORE
            told = foreign and known and len(strip.spots) * MM_PER_PX > PIECE_LIMIT_MM
        else:
            told = foreign or _hides(strip, detail)
        told = told and (same is None or _is_new(within, same()))
        if told and not detail.steps.show(masks.inside(spots).reshape(alien.shape)):
            return within.spots.ravel()
    return NOWHERE


def _steps(gain: Floats, pure: Bools, hidden: Mask) -> _Steps:
    right, down = (cv2.Scharr(gain, cv2.CV_32F, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
    size = floats(cv2.magnitude(right, down))
    # What is beside a piece is the piece's own rim.
    open_ = np.asarray(cv2.dilate(hidden, np.ones((3, 3), np.uint8))) == 0
    some = size.ravel()[::3][open_.ravel()[::3]]
    least = max(STEP * float(middles(some)), LEAST_STEP) if len(some) else np.inf
    rim = open_ & (size > least) & (pure | (size > BY_LINES * least))
    return _Steps(floats(right), floats(down), size, rim)


def _pairs(steps: _Steps, masks: Masks) -> Iterator[tuple[int, int, int]]:
    """The likeliest pairs of lines with a step up at one and down at the other: their direction,
    the distance of the first from the middle of the board, and of the other from it, grid pixels.
    """
    spots = np.flatnonzero(steps.rim.ravel() & (masks.inwards >= 0))
    height, width = steps.rim.shape
    y, x = np.divmod(spots, width)
    far = int(np.hypot(height, width) / 2) + 2
    angle = np.arctan2(steps.down.ravel()[spots], steps.right.ravel()[spots])
    turn = np.round(angle * (TURNS / np.pi)).astype(np.intp)
    turns = (turn + np.array([[-1], [0], [1]])) % (2 * TURNS)
    from_middle = floats(x - (width - 1) / 2), floats(y - (height - 1) / 2)
    way = turns % TURNS
    at = from_middle[0] * RIGHT.take(way) + from_middle[1] * DOWN.take(way)
    size = 2 * far + 1
    lines = turns * size + np.round(at).astype(np.intp) + far
    votes = np.bincount(lines.ravel(), minlength=2 * TURNS * size).reshape(2 * TURNS, size)
    near = lines[:, masks.inwards[spots] < FROM_MM]
    seeds = np.unique(near[votes.ravel()[near] >= FEW])
    turn, at = np.divmod(seeds, size)
    wide = np.arange(2, WIDEST_PX + 1)
    others = np.clip(at[:, None] + np.concatenate([-wide[::-1], wide]), 0, size - 1)
    opposite = ((turn + TURNS) % (2 * TURNS))[:, None]
    score = np.minimum(votes[turn, at][:, None], votes[opposite, others]).ravel()
    tried: list[tuple[int, int, int]] = []
    some = np.flatnonzero(score >= FEW)
    for best in some[np.argsort(-score[some], kind="stable")]:
        if len(tried) == MOST_TRIED:
            return
        number = best // others.shape[1]
        first, last = sorted((int(at[number]), int(others.ravel()[best])))
        line = int(turn[number]) % TURNS, first - far, last - first
        if not any(_same(line, other) for other in tried):
            tried.append(line)
            yield line


def _same(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    turn = abs(one[0] - other[0])
    aside = max(abs(one[1] - other[1]), abs(one[2] - other[2]))
    return min(turn, TURNS - turn) <= SAME_TURN and aside <= SAME_PX


def _followed(
    line: tuple[int, int, int], steps: _Steps, hidden: Mask, masks: Masks
) -> _Strip | None:
    """The longest part of a pair of lines that has rims."""
    turn, at, wide = line
    # A grid pixel beside each line.
    aside = at + np.array([-1, 0, 1, wide - 1, wide, wide + 1])
    strip = _cut(turn, aside, np.s_[:], hidden, masks)
    board = np.flatnonzero(strip.spots[:, 1:5].any(axis=1))
    if not len(board):
        return None
    board = np.arange(board[0], board[-1] + 1)
    spots, open_ = strip.spots[board], strip.open_[board]
    step = steps.right.ravel()[spots] * RIGHT[turn] + steps.down.ravel()[spots] * DOWN[turn]
    rim = open_ & steps.rim.ravel()[spots] & (np.abs(step) > ALONG * steps.size.ravel()[spots])
    # Up and down at the first line, and at the other; a grid pixel along it as well.
    found = np.stack([rim & (step > 0), rim & (step < 0)]).reshape(2, -1, 2, 3).any(axis=3)
    wider = np.pad(found, ((0, 0), (1, 1), (0, 0)))
    found = wider[:, :-2] | wider[:, 1:-1] | wider[:, 2:]
    up, up_there, fall, fall_there = (found[way, :, end] for way in (0, 1) for end in (0, 1))
    seen, seen_there = (half.any(axis=1) for half in np.hsplit(open_, 2))
    both = (up & fall_there) | (fall & up_there)
    told = np.asarray(seen | seen_there)
    either = up | fall | up_there | fall_there
    good = np.where(seen & seen_there, both, told & either)
    value = np.where(told, np.where(either, ONE, NONE), UNSEEN)
    total = np.concatenate([[0], np.cumsum(np.where(good, PAIR, value))])
    end = int((total - np.minimum.accumulate(total)).argmax())
    if not end:
        return None
    start = int(total[:end].argmin())
    gaps = told & ~good
    comes_in = [np.count_nonzero(part) <= ENDS_PX for part in (gaps[:start], gaps[end:])]
    part = np.s_[start:end]
    if (
        (end - start) * MM_PER_PX < max(LONG_MM, masks.longest + 2 * RIM_MM)
        or both[part].sum() < BOTH * told[part].sum()
        or told[part].mean() < OPEN
    ):
        return None
    aside = at + np.arange(-FLANK_PX - 1, wide + FLANK_PX + 2)
    whole = _cut(turn, aside, board[part], hidden, masks)
    return replace(whole, comes_in=comes_in[0] != comes_in[1])


def _cut(turn: int, aside: Spots, part: Spots | slice, hidden: Mask, masks: Masks) -> _Strip:
    """A ``part`` of lines all over the board, of a direction and so far ``aside`` of its middle,
    grid pixels; beyond the board its spots are 0."""
    width, height = masks.size
    far = int(np.hypot(height, width) / 2) + 2
    along = np.arange(-far, far + 1)[part, None]
    x = np.round((width - 1) / 2 - along * DOWN[turn] + aside * RIGHT[turn]).astype(np.intp)
    y = np.round((height - 1) / 2 + along * RIGHT[turn] + aside * DOWN[turn]).astype(np.intp)
    there = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    spots = np.where(there, y * width + x, 0)
    there &= masks.inwards[spots] >= 0
    spots[~there] = 0
    return _Strip(spots, there & (hidden.ravel()[spots] == 0))


def _hides(strip: _Strip, detail: Detail) -> bool:
    """True if the drawing is lost between the rims, though it shows beside them."""
    within = strip.within
    if np.count_nonzero(within.open_) < LEAST_SPOTS or (usual := detail.usual)[0] < SHOWS:
        return False
    seen, expected = detail.logs
    here, drawn = _shown(within, seen, expected)
    if drawn < FAINT * usual[1] or here > GONE * usual[0]:
        return False
    beside, _ = _shown(strip.flanks, seen, expected)
    return beside > BESIDE and here < GONE * beside


def _is_new(strip: _Strip, same: Bools) -> bool:
    """True if something along most of a strip looks otherwise than when nobody reached in, be it
    no more than lines that have gone."""
    other = (strip.open_ & ~same.ravel()[strip.spots]).any(axis=1)
    near = np.convolve(other, np.ones(2 * AROUND_PX + 1), "same") > 0
    return float(near.mean()) > MOST


def _shown(strip: _Strip, seen: Floats, expected: Floats) -> tuple[float, float]:
    """Correlation of the drawing seen and expected along a strip, at the likeliest shift, and its
    expected contrast: light may change across it, but hardly along it."""
    weight = floats(strip.open_)
    square = (1, AROUND_PX)
    share = np.maximum(cv2.blur(weight, square, borderType=cv2.BORDER_CONSTANT), SOME)

    def fine(logs: Floats) -> Floats:
        here = logs.ravel()[strip.spots]
        mean = cv2.blur(here * weight, square, borderType=cv2.BORDER_CONSTANT) / share
        return floats((here - mean) * weight)

    here, drawn = fine(seen), fine(expected)
    size, best = float((here**2).sum()), 0.0
    for shift in product((-1, 0, 1), repeat=2):
        moved = np.roll(drawn, shift, (0, 1))
        scale = np.sqrt(size * float((moved**2).sum()))
        best = max(best, float((here * moved).sum()) / max(scale, SOME**2))
    contrast = float((drawn**2).sum()) / max(float(weight.sum()), 1)
    return best, float(np.sqrt(contrast))
