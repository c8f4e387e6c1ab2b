"""Reading small stickers at places where one can lie, softly: by likeness, not bit by bit.

OpenCV cuts a picture into black and white and then looks for squares; below three pixels per
module the cells of a sticker run into each other and nothing square is left. Here nothing is cut.
Where a sticker can lie, how large it is and which ids are allowed is known, so all that is left
open is a small shift and turn:

1. a dense search over turns and shifts for a dark border within a light rim;
2. the best spots are compared with every allowed sticker in all four directions;
3. shift, turn, size and light of the likeliest are fitted to the picture by least squares with
   the blurred sticker's own gradients (inverse compositional: S. Baker, I. Matthews,
   "Lucas-Kanade 20 years on", IJCV 56, 2004);
4. an answer must resemble the picture closely, and clearly more than every other allowed sticker.

Everything is done for all places at once, in a few calls per step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, Grey, Picture, Points, floats
from vision.stickers.blurred import (
    BLURS,
    PER_MODULE,
    Light,
    blurred_stickers,
    level,
    sample_grid,
)
from vision.stickers.cuts import SLACK, Cuts, Place, px_per_module

__all__ = ["LEAST_PX_PER_MODULE", "Answer", "DirectDecoder", "Place"]

LEAST_PX_PER_MODULE = 2.0
"""Smaller modules are not read: what the picture holds would leave room for guesses."""

LIKENESS, LIKENESS_WITHIN = 0.9, 0.8
"""Correlation an answer needs: of the whole sticker, and of its inner modules alone."""
LEAD = 1.5
"""Factor by which the second likeliest sticker must leave more of the picture unexplained. Where
nothing lay, or a sticker of another box, it was 1.2 at most among what was like enough."""
PATCHY_LIKENESS, PATCHY_WITHIN, PATCHY_LEAD = 0.82, 0.75, 1.35
"""The same in patchy light. From that likeness on, the lead was 1.02 at most at 7,000 empty places,
1.23 where stickers of other boxes lay, and 1.26 and more for the right ones in bad light."""
PATCHY_FROM = 0.4
"""Likeness in patchy light, before anything is fitted, from which it is."""
LEAST_CONTRAST = 6.0
"""Grey levels between black and white below which nothing is believed."""

TURNS = 8
"""Turns tried over a quarter; the fit finds what lies between."""
SPOTS, GUESSES = 4, 2
"""Spots per place, and stickers per spot, that are fitted."""
ROUNDS = 4
STRETCH = 0.15
"""Stickers may be this much larger or smaller than expected (as a logarithm)."""
USUAL_BLUR_PX, SAMPLING_BLUR = 0.85, 0.1
"""Blur of a sharp picture, one sigma in px, and what sampling adds to it, px²."""
FAINT = 4.0
"""Grey levels that count as nothing when borders are compared."""
AT_ONCE = 24
"""Places in one batch; larger ones no longer fit into a processor's cache."""
SMALL_PRODUCT = 250_000
"""Multiplications that OpenBLAS does on one thread. It splits more over several, and for so little
work, waiting for a processor that is busy elsewhere costs more."""

Whole = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Answer:
    """The sticker found at one place."""

    id: int | None
    """The sticker that was read; None if there is none or it is uncertain."""
    guess: int | None
    """The likeliest sticker, sure or not; None if nothing was tried: it would be too small."""
    corners: Points
    """Corners of the likeliest sticker's black square, 4 × 2 px, as in ``SeenSticker``."""
    likeness: float
    """The lower of the correlations with it, of the whole sticker and within its border."""
    lead: float
    """Factor by which the next likeliest sticker of the dictionary leaves more unexplained."""
    px_per_module: float
    """Size of its modules in the picture."""


class DirectDecoder:
    """Reads stickers of one dictionary."""

    def __init__(
        self, patterns: Mapping[int, Floats], least_px_per_module: float = LEAST_PX_PER_MODULE
    ) -> None:
        """``patterns``: id → modules with a rim of one, n × n, 1 white and 0 black; best of the
        whole dictionary, so that a sticker of another box is not taken for the nearest of this.
        ``least_px_per_module``: places with smaller stickers get no answer."""
        self.patterns = patterns
        ids = sorted(patterns)
        self._ids = np.array(ids, dtype=np.intp)
        self._row = {sticker: row for row, sticker in enumerate(ids)}
        self._known = blurred_stickers([patterns[sticker] for sticker in ids])
        self._floor = least_px_per_module
        self._may: dict[tuple[int, ...], Bools] = {}

    @property
    def ids(self) -> tuple[int, ...]:
        """The stickers it knows."""
        return tuple(self._row)

    def read(self, image: Picture, places: Sequence[Place]) -> list[Answer]:
        """The answers for ``places``; raises KeyError for ids without a pattern."""
        modules = self._known.modules
        sizes = [px_per_module(place, modules) for place in places]
        answers = [Answer(None, None, np.zeros((4, 2)), 0.0, 0.0, size) for size in sizes]
        wanted = [n for n, size in enumerate(sizes) if size >= self._floor and places[n].ids]
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            read = self._read(image, [places[n] for n in some], [sizes[n] for n in some])
            for number, answer in zip(some, read, strict=True):
                answers[number] = answer
        return answers

    def _read(
        self, image: Picture, places: Sequence[Place], sizes: Sequence[float]
    ) -> list[Answer]:
        cuts = Cuts.of(image, places, self._known.modules)
        allowed = np.stack([self._allowed(place.ids) for place in places])
        spots, known = self._spots(cuts), self._known
        fits = self._guess(spots, allowed, known.even)
        solvers = known.solvers[fits.row, fits.blur]
        for _ in range(ROUNDS):
            self._improve(cuts, fits, solvers, self._sample(cuts, fits))
        even = (LIKENESS, LIKENESS_WITHIN, LEAD)
        answers = self._judge(cuts, fits, allowed, sizes, known.even, even)
        left = np.flatnonzero([answer.id is None for answer in answers])
        if not len(left):
            return answers
        fits = self._guess(spots.of(left), allowed, known.patchy)
        left = np.unique(fits.owner[fits.like >= PATCHY_FROM])
        if not len(left):
            return answers
        fits = fits.of(left)
        solvers, looks = (each[fits.row, fits.blur] for each in (known.solvers, known.raw))
        for _ in range(ROUNDS):
            seen = self._sample(cuts, fits)
            self._improve(cuts, fits, solvers, known.as_if_even(seen, looks))
        patchy = (PATCHY_LIKENESS, PATCHY_WITHIN, PATCHY_LEAD)
        some = [sizes[n] for n in left.tolist()]
        again = self._judge(cuts, fits, allowed, some, known.patchy, patchy)
        for number, answer in zip(left.tolist(), again, strict=True):
            if answer.id is not None:
                answers[number] = answer
        return answers

    def _allowed(self, ids: tuple[int, ...]) -> Bools:
        """True for those of the decoder's stickers that may lie at a place."""
        known = self._may.get(ids)
        if known is None:
            known = self._may[ids] = np.zeros(len(self._ids), dtype=np.bool_)
            known[[self._row[sticker] for sticker in ids]] = True
        return known

    def _spots(self, cuts: Cuts) -> _Fits:
        """Spots where a dark border lies within a light rim: the best ones per place."""
        side, places = self._known.side, len(cuts.module)
        reach = int(np.ceil(float(cuts.roam.max()) * PER_MODULE))
        wide, shifts = side + 2 * reach, 2 * reach + 1
        turns = np.arange(TURNS, dtype=np.float64) * (np.pi / 2 / TURNS)
        frames = (cuts.frame[:, None] @ _rotation(turns)).reshape(-1, 2, 2)
        px = _spread(frames, sample_grid(wide), np.repeat(cuts.middle, TURNS, axis=0))
        # One tile below the other, so that each step is one call.
        tall = (places * TURNS * wide, wide)
        seen = cuts.grey_at(px[0].reshape(tall), px[1].reshape(tall))
        score = _border_score(seen, side, shifts).reshape(places, TURNS, shifts, shifts)
        steps = np.arange(-reach, reach + 1) / PER_MODULE
        away = np.hypot(steps, steps[:, None])
        outside = away > np.maximum(SLACK * cuts.roam, 0.5)[:, None, None]
        np.copyto(score, -np.inf, where=outside[:, None])
        flat = score.reshape(places, TURNS, -1)
        best = flat.argmax(axis=2)
        value = np.take_along_axis(flat, best[..., None], axis=2)[..., 0]
        chosen = np.argsort(-value, axis=1)[:, :SPOTS]
        owner = np.repeat(np.arange(places), SPOTS)
        turned = chosen.ravel()
        rows, columns = np.divmod(best[owner, turned], shifts)
        turn = turns[turned]
        corner = ((owner * TURNS + turned) * wide + rows) * wide + columns
        square = np.add.outer(np.arange(side) * wide, np.arange(side)).ravel()
        tiles = seen.ravel().take(corner[:, None] + square)
        local = np.stack([columns - reach, reach - rows], axis=1) / PER_MODULE
        usual = np.sqrt(USUAL_BLUR_PX**2 / cuts.shrunk**2 + SAMPLING_BLUR) / cuts.module
        blur = np.abs(usual[:, None] - np.array(BLURS)).argmin(axis=1)
        return _Fits(
            owner, (_rotation(turn) @ local[..., None])[..., 0], turn, np.zeros(len(owner)),
            np.zeros(len(owner), dtype=np.intp), blur[owner], floats(tiles), np.zeros(len(owner)),
        )  # fmt: skip

    def _guess(self, spots: _Fits, allowed: Bools, light: Light) -> _Fits:
        """The likeliest stickers per spot in a kind of light, each in the direction that suits it
        best."""
        some = np.flatnonzero(allowed.any(axis=0))
        match = self._likenesses(light, light.freed(spots.seen), spots.blur, some)
        per_sticker = np.where(allowed[:, some][spots.owner], match.max(axis=1), -2.0)
        keep = min(GUESSES, len(some))
        best = np.argpartition(-per_sticker, keep - 1, axis=1)[:, :keep]
        again = np.repeat(np.arange(len(match)), keep)
        quarter = match[again, :, best.ravel()].argmax(axis=1)
        return _Fits(
            spots.owner[again], spots.shift[again], spots.turn[again] + quarter * (np.pi / 2),
            spots.stretch[again], some[best.ravel()], spots.blur[again], spots.seen[again],
            match[again, quarter, best.ravel()].astype(np.float64),
        )  # fmt: skip

    def _improve(self, cuts: Cuts, fits: _Fits, solvers: Floats, seen: Floats) -> None:
        """One round of least squares; ``solvers``: fits × 5 × samples, ``seen``: fits × samples."""
        solved = (solvers @ seen[..., None])[..., 0]
        contrast = np.where(np.abs(solved[:, :1]) < 1.0, 1.0, solved[:, :1])
        step = np.clip(solved[:, 1:] / contrast, -0.5, 0.5).astype(np.float64)
        # The step would move the sticker onto the picture: its place moves the other way.
        back = (_rotation(fits.turn) @ step[:, :2, None])[..., 0]
        shift = fits.shift - np.exp(fits.stretch)[:, None] * back
        limit = SLACK * cuts.roam[fits.owner]
        fits.shift = shift / np.maximum(np.hypot(*shift.T) / limit, 1.0)[:, None]
        fits.turn = fits.turn - np.clip(step[:, 2], -0.2, 0.2)
        fits.stretch = np.clip(fits.stretch - step[:, 3], -STRETCH, STRETCH)

    def _judge(
        self, cuts: Cuts, fits: _Fits, allowed: Bools, sizes: Sequence[float], light: Light,
        least: tuple[float, float, float],
    ) -> list[Answer]:  # fmt: skip
        """The answers for the places that have ``fits``; ``sizes``: their px per module.
        ``least``: of likeness, of that within the border, and of the lead."""
        known, places = self._known, np.arange(len(sizes))
        seen = self._sample(cuts, fits)
        looks = light.freed(seen)
        per_blur = (light.looks[fits.row] @ looks[..., None])[..., 0]
        count = len(fits.owner) // len(sizes)
        may = allowed[fits.owner, fits.row]
        by_place = np.where(may, per_blur.max(axis=1), -1.0).reshape(len(sizes), count)
        winner = by_place.argmax(axis=1) + places * count
        row, blur = fits.row[winner], per_blur[winner].argmax(axis=1)
        first = by_place.max(axis=1)
        # The best that others can make of it, fitted for themselves, or just where this one is.
        # Those that must not lie here count as well: what is one of them is not one that may.
        rival = fits.row.reshape(len(sizes), count) != row[:, None]
        second = np.where(rival, by_place, 0.0).max(axis=1)
        match = self._likenesses(light, looks[winner], blur, np.arange(len(self._ids)))
        there = match.max(axis=1)
        there[places, row] = 0.0
        second = np.maximum(second, there.max(axis=1))
        lead = (1 - second**2) / np.maximum(1 - first**2, 1e-4)
        hearts = level(looks[winner].take(known.within, axis=1))
        within = np.einsum("ns,ns->n", hearts, light.hearts[row, blur])
        contrast = np.einsum("ns,ns->n", seen[winner], known.solvers[row, blur, 0])
        sure = (first >= least[0]) & (within >= least[1]) & (lead >= least[2])
        sure &= contrast >= LEAST_CONTRAST
        half = known.modules / 2
        square = floats([[-half, half, half, -half], [half, half, -half, -half]])
        corners = _px(cuts, fits, square, winner).transpose(1, 2, 0).astype(np.float64)
        corners = cuts.unmap(corners, fits.owner[winner])
        ids = self._ids[row].tolist()
        return [
            Answer(
                ids[n] if sure[n] else None, ids[n], corners[n],
                float(min(first[n], within[n])), float(lead[n]), sizes[n],
            )
            for n in range(len(sizes))
        ]  # fmt: skip

    def _likenesses(self, light: Light, looks: Floats, blur: Whole, stickers: Whole) -> Floats:
        """Correlation of looks (each with its ``blur``) with ``stickers`` (rows) in all four
        directions, n × quarters × stickers."""
        match: Floats = np.empty((len(looks), 4, len(stickers)), dtype=np.float32)
        for strength in np.unique(blur):
            those = np.flatnonzero(blur == strength)
            known = light.looks[:, strength]
            if len(stickers) < len(self._ids):
                known = known[stickers]
            turned = looks[those].take(self._known.quarters, axis=1)
            some = turned.reshape(-1, looks.shape[1]).T
            rows = max(SMALL_PRODUCT // some.size, 1)
            parts = [known[n : n + rows] @ some for n in range(0, len(known), rows)]
            match[those] = np.concatenate(parts).T.reshape(len(those), 4, -1)
        return match

    def _sample(self, cuts: Cuts, fits: _Fits) -> Floats:
        return cuts.sample(*_px(cuts, fits, self._known.grid))


@dataclass(eq=False)
class _Fits:
    """Stickers that may lie somewhere; all arrays go along the first axis."""

    owner: Whole
    """Number of the place; each place has equally many, one after the other."""
    shift: Points
    """Modules from the place's middle, n × 2, y up."""
    turn: Points
    """Counter-clockwise, rad."""
    stretch: Points
    """Logarithm of its size relative to what was expected."""
    row: Whole
    """Row of the sticker among the decoder's."""
    blur: Whole
    """Number of the blur."""
    seen: Floats
    """Samples, n × samples."""

    like: Points
    """Likeness to its sticker as it was guessed."""

    def of(self, owners: Whole) -> _Fits:
        """The fits of some ``owners``, which are in order."""
        some = np.flatnonzero(np.isin(self.owner, owners))
        return _Fits(
            self.owner[some], self.shift[some], self.turn[some], self.stretch[some],
            self.row[some], self.blur[some], self.seen[some], self.like[some],
        )  # fmt: skip


def _border_score(seen: Grey, side: int, shifts: int) -> Points:
    """Contrast of a sticker's light rim to its dark border, by how much both vary.

    ``seen``: square tiles one below the other. ``side``: of the sticker with half its rim, in
    samples; it is tried at ``shifts`` × ``shifts`` places of each tile: tiles × shifts × shifts.
    """
    wide, inner, heart = seen.shape[1], side - PER_MODULE, side - 3 * PER_MODULE
    # Sums over squares of any size from sums over all that is above and to the left. Those of
    # squares may be too large for their numbers; differences come out right all the same.
    plain, squared = cv2.integral2(seen, sdepth=cv2.CV_32S, sqdepth=cv2.CV_32S)

    def within(total: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
        low, high = (side - size) // 2, (side + size) // 2
        tiles = (-1, wide, wide + 1)
        below = total[1:].reshape(tiles)[:, high - 1 : high - 1 + shifts]
        rows = below - total[:-1].reshape(tiles)[:, low : low + shifts]
        return np.asarray(rows[..., high : high + shifts] - rows[..., low : low + shifts])

    whole, square, middle = (within(plain, size) for size in (side, inner, heart))
    rim, border = whole - square, square - middle
    rims, borders = side**2 - inner**2, inner**2 - heart**2
    squares = within(squared, side) - within(squared, heart)
    mean = (whole - middle) * (1 / (rims + borders))
    rest = squares * (1 / (rims + borders)) - mean * mean
    spread = np.sqrt(np.maximum(rest, 0, out=rest) + FAINT**2)
    return np.asarray((rim * (1 / rims) - border * (1 / borders)) / spread, dtype=np.float64)


def _px(cuts: Cuts, fits: _Fits, grid: Floats, some: Whole | slice = slice(None)) -> Floats:
    """Places of ``grid`` (2 × n modules) in the cuts' grey by ``some`` fits: 2 × fits × n."""
    size = np.exp(fits.stretch[some])[:, None, None]
    owner = fits.owner[some]
    frame = cuts.frame[owner]
    middle = cuts.middle[owner] + (frame @ fits.shift[some][..., None])[..., 0]
    return _spread(frame @ (_rotation(fits.turn[some]) * size), grid, middle)


def _spread(frames: Points, grid: Floats, middles: Points) -> Floats:
    """``grid`` (2 × n) in each of some ``frames`` (m × 2 × 2) around their ``middles`` (m × 2):
    2 × m × n."""
    # The middle is one more column, so that all is one product; all x come first, then all y.
    spans = np.concatenate([frames, middles[:, :, None]], axis=2).transpose(1, 0, 2)
    spans = floats(spans).reshape(-1, 3)
    spots = np.concatenate([grid, np.ones_like(grid[:1])])
    px: Floats = np.empty((len(spans), grid.shape[1]), dtype=np.float32)
    rows = max(SMALL_PRODUCT // spots.size, 1)
    for n in range(0, len(spans), rows):
        np.matmul(spans[n : n + rows], spots, out=px[n : n + rows])
    return px.reshape(2, len(frames), -1)


def _rotation(turn: Points) -> Points:
    """Counter-clockwise by ``turn`` (n, rad), n × 2 × 2."""
    rotation = np.empty((len(turn), 2, 2))
    rotation[:, 0, 0] = rotation[:, 1, 1] = np.cos(turn)
    rotation[:, 1, 0] = np.sin(turn)
    rotation[:, 0, 1] = -rotation[:, 1, 0]
    return rotation
