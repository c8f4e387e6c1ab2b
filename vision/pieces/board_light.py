"""The look of the board between the pieces of a crowded table, without having seen it bare.

Its colour is the one that is commoner where no piece reaches than where pieces would lie; how
bright it is beside each site is taken from the nearest pixels of about that hue.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.arrays import Bools, Floats, Mask, Points, floats
from vision.board.drawing import Fields
from vision.pieces.rims import Indices, Rims, area_of

FLOOR, LEAST_FLOOR = 0.05, 0.002
"""Light that counts as nothing: per light of the board, and at least; keeps logarithms tame."""
COARSE = 2
"""Every second pixel tells enough about the board."""
BIN, BINS = 0.25, 64
"""Colours are counted in bins of this size, logarithms of light."""
CORE = 0.6
"""Part of an outline that a piece covers wherever it stands at its site."""
PLAIN = 0.8
"""Weight of what shows where pieces would lie; below 1, for on an empty table it is the board."""
LIGHT_SIGMA, HUE_SIGMA, SAME_BOARD = 0.7, 0.2, 6.0
"""The board may be this much brighter, or of another hue, at one site than at another (deviations
of logarithms): lamps and shade change its light, glare makes it a little paler."""
TABLE_LIGHT, TABLE_HUE, ONE_LOOK = 0.4, 0.2, 0.85
"""Most differences of a table of one look, of brightness and of hue (logarithms), and least share
of it beside the board that has no more."""
OTHER_HUE = 1.3
"""Difference of hue of what is neither board nor piece, logarithms: shade, glare and blurred rims
have less."""
NEAR, NEARER, WIDER = 2.0, 1.1, (1.0, 1.6, 2.5, 4.0)
"""Reach around a site within which the board is looked at, per width of a piece: before and after
it is known where pieces lie, and further where too little shows."""
ENOUGH = 20
SHADE_HUE = 0.06
"""Deviation of hue of the board in a shade from the board as it is, logarithms."""
DARKEST = 0.35
"""Share of the board beside a site that may be darker than what counts as its darkest light."""
SHADE, GRAIN = 0.3, 0.08
"""Least deviations of brightness and hue of one thing, logarithms: shade and sides; noise."""
MARGIN = 1.25
"""Around a piece its shade and its reflection are not the board's colour."""
DEVIATION = 1.48
"""Deviation per median distance, of a normal distribution."""


class BoardLight:
    """The board's light on a flattened rectangle, and at each of its sites."""

    def __init__(
        self, light: Floats, rims: Rims, at: Points, widths: Points, fields: Fields | None = None
    ) -> None:
        """``light``: linear, height × width × 3. ``at``, ``widths``: of the sites' pieces, mm.
        ``fields``: of the rectangle, where they are of several colours."""
        self.at, self.widths = at, widths
        self._rims = rims
        self._within = area_of(at, rims.origin, rims.size)
        gap, core = self._within.astype(np.uint8), np.zeros(rims.size, dtype=np.uint8)
        none = np.zeros(2)
        for site in range(len(at)):
            rims.fill(gap, site, none, 0)
            rims.fill(core, site, none, 1, CORE)
        if np.count_nonzero(gap) < 0.02 * np.count_nonzero(self._within):
            # From so flat an angle pieces hide all that is between them.
            gap = self._within.astype(np.uint8)
        self._gap: Bools = np.asarray(gap > 0)
        self._floor = floor = (
            FLOOR * float(np.median(light[self._gap], axis=0).mean()) + LEAST_FLOOR
        )
        self.log: Floats = floats(np.log(light + floor))
        """Logarithm of the light, height × width × 3."""
        self.brightest = float(np.log(1 + floor))
        """The most that the camera can tell, logarithm."""
        self._flat = self.log.reshape(-1, 3)
        self._main = self._commonest(core > 0, None if fields is None else fields.labels == 0)
        self._labels, self.grounds = None, floats(np.zeros((1, 3)))
        """Flat: number of the colour of the field at each pixel, if they are of several; and the
        colours, logarithms per that of the first."""
        self._plain = self.log
        """Logarithm of the light, as if all fields were of the first colour."""
        self.ground_at: Indices = np.zeros(len(at), dtype=np.intp)
        """Number of the colour of the field at each site."""
        if fields is not None:
            gain = (np.exp(self._main) - floor) / np.maximum(fields.colours[0], LEAST_FLOOR)
            self.grounds = floats(np.log(fields.colours * gain + floor) - self._main)
            self._labels = fields.labels.ravel().astype(np.intp)
            self._plain = floats(self.log - self.grounds[fields.labels])
            column, row = rims.px(at).astype(np.intp).T
            self.ground_at = self._labels.take(row * rims.size[1] + column)
        self.at_site, self.darkest = self._beside(self._gap, NEAR)
        """Logarithm of the bare board's light at each site, and of the darkest beside it, as if
        all fields were of the first colour: n × 3."""
        self.inverse: Floats = self._inverse(self._gap)
        """Inverse covariance of what one thing looks like, 3 × 3."""

    def against(self, at: Indices, sites: Indices) -> Floats:
        """Logarithm of the light at pixels (n × …) per that of the board at ``sites`` (n)."""
        board = self.at_site[sites]
        return floats(self._flat[at] - board.reshape(len(sites), *(1,) * (at.ndim - 1), 3))

    def ground(self, at: Indices) -> Floats:
        """The ``grounds`` at pixels (…), or none where all are of one colour: … × 3."""
        return self.grounds[0] if self._labels is None else self.grounds[self.numbers(at)]

    def numbers(self, at: Indices) -> Indices:
        """Numbers of the ``grounds`` at pixels (…)."""
        return np.zeros_like(at) if self._labels is None else self._labels.take(at)

    def along(self, gains: Floats) -> Floats:
        """Flat: the light of each pixel times the one of the ``gains`` (grounds × 3) of its
        ground."""
        every = floats(self._flat @ gains.T)
        if self._labels is None:
            return every[:, 0]
        return floats(np.take_along_axis(every, self._labels[:, None], axis=1)[:, 0])

    def bare(self, at: Indices, sites: Indices) -> Floats:
        """Logarithm of the light at pixels (n × …) per that of the bare board there."""
        return floats(self.against(at, sites) - self.ground(at))

    def evidence(self, at: Indices, sites: Indices, tones: Floats) -> Floats:
        """Log likelihood ratios of things of some ``tones`` (n × 3) against the bare board."""
        own = tones[:, None, None] - self.ground(at)
        gain = own @ self.inverse
        return floats(np.einsum("...c,...c", self.bare(at, sites) - own / 2, gain))

    def tone(self, light: Floats) -> Floats:
        """Logarithm of a linear ``light`` (3,) per that of the board."""
        return floats(np.log(light + self._floor) - self._main)

    def shows(self, at: Indices, sites: Indices, tones: Iterable[Floats]) -> Bools:
        """True at pixels (n × …) with about the hue of the board beside ``sites`` (n), or of
        pieces of one of the ``tones``, however bright."""
        board = self.at_site[sites].reshape(len(sites), *(1,) * (at.ndim - 1), 3)
        log = self._flat[at]
        whole = np.maximum(np.exp(log) - self._floor, 0).sum(axis=-1, keepdims=True)
        known = np.zeros(at.shape, dtype=np.bool_)
        for tone in (self.ground(at), *tones):
            hue = np.maximum(np.exp(board + tone) - self._floor, LEAST_FLOOR)
            gain = whole / hue.sum(axis=-1, keepdims=True)
            off = log - np.log(np.minimum(gain * hue, 1) + self._floor)
            off -= off.mean(axis=-1, keepdims=True)
            known |= (off**2).sum(axis=-1) < OTHER_HUE**2
        return known

    def learn(self, pieces: Iterable[tuple[int, Points]]) -> None:
        """Look again, knowing where pieces may lie: sites and shifts. All else shows the board."""
        mask: Mask = self._within.astype(np.uint8)
        for site, shift in pieces:
            self._rims.fill(mask, int(site), shift, 0, MARGIN)
        self.at_site, self.darkest = self._beside(mask > 0, NEARER)
        self.inverse = self._inverse(mask > 0)

    def _commonest(self, core: Bools, main: Bools | None) -> Floats:
        log = self.log[::COARSE, ::COARSE]
        masks = [each if main is None else each & main for each in (self._gap, core)]
        there, here = (log[mask[::COARSE, ::COARSE]] for mask in masks)
        low = log.reshape(-1, 3).min(axis=0)

        def shares(values: Floats) -> Points:
            bins = np.clip((values - low) / BIN, 0, BINS - 1).astype(np.intp)
            flat = (bins[:, 0] * BINS + bins[:, 1]) * BINS + bins[:, 2]
            return np.asarray(np.bincount(flat, minlength=BINS**3) / max(len(values), 1))

        more = (shares(there) - PLAIN * shares(here)).reshape(BINS, BINS, BINS)
        around = more.copy()
        for axis in range(3):
            around += np.roll(more, 1, axis) + np.roll(more, -1, axis)
        middle = low + (np.array(np.unravel_index(int(around.argmax()), around.shape)) + 0.5) * BIN
        near = there[np.abs(there - middle).max(axis=1) < 1.5 * BIN]
        return floats(np.median(near, axis=0) if len(near) else middle)

    def _beside(self, mask: Bools, reach: float) -> tuple[Floats, Floats]:
        """Median logarithm of the board's light near each site where ``mask`` is true, and of what
        is darkest right beside it, n × 3 each."""
        log = self._plain[::COARSE, ::COARSE]
        like = _alike(log - self._main)
        there = mask[::COARSE, ::COARSE]
        usable = there & like
        board = there & (like | self._in_shade(log))
        found = np.tile(self._main, (len(self.at), 1))
        darkest = found.copy()
        px = self._rims.px(self.at) / COARSE
        for site, (x, y) in enumerate(px):
            for wider in WIDER:
                part = _window(x, y, float(self.widths[site]) * reach * wider / COARSE)
                some = log[part][usable[part]]
                if len(some) > ENOUGH:
                    found[site] = np.median(some, axis=0)
                    break
            near = _window(x, y, float(self.widths[site]) * reach / COARSE)
            here = log[near][board[near]]
            enough = len(here) > ENOUGH
            darkest[site] = np.quantile(here, DARKEST, axis=0) if enough else found[site]
        return floats(found), floats(darkest)

    def like_table(self, outline: Points) -> Bools:
        """Flat: True beyond the outermost sites where it looks as the table along that side does,
        if that is of one look: a hand that comes in there must not pass for table.

        ``outline``: corners of the board, clockwise, n × 2 mm, dragged by hand: it may end halfway
        from there to the sites. Without any all is board.
        """
        if not len(outline):
            return np.zeros(self.log[..., 0].size, dtype=np.bool_)
        height, width = self._rims.size
        x = self._rims.origin[0] + np.arange(width) + 0.5
        y = self._rims.origin[1] - np.arange(height)[:, None] - 0.5
        ways = np.roll(outline, -1, axis=0) - outline
        beyond = np.stack([
            (wx * (y - ay) - wy * (x - ax)) / np.hypot(wx, wy)
            for (wx, wy), (ax, ay) in zip(ways, outline, strict=True)
        ])  # fmt: skip
        side, alike = beyond.argmax(axis=0), np.zeros((height, width), dtype=np.bool_)
        for n in range(len(outline)):
            strip = (side == n) & (beyond[n] > 0)
            if not strip.any():
                continue
            off = self.log - np.median(self.log[strip], axis=0)
            bright, hue = _parts(off)
            one = (np.abs(bright[strip]) < TABLE_LIGHT) & (hue[strip] < TABLE_HUE)
            if one.mean() > ONE_LOOK:
                alike |= _alike(off) & (side == n)
        nearest = [self.at[np.hypot(*(self.at - corner).T).argmin()] for corner in outline]
        sure = np.concatenate([self.at, (outline + nearest) / 2])
        table = alike & ~area_of(sure, self._rims.origin, self._rims.size)
        return np.asarray(table.ravel())

    def _in_shade(self, log: Floats) -> Bools:
        """True where light may be the board's in a shade, however deep: less of each colour."""
        main = np.exp(self._main) - self._floor
        light = np.exp(log) - self._floor
        gain = np.clip(light.sum(axis=2) / main.sum(), 0, 1)
        off = log - np.log(gain[..., None] * main + self._floor)
        return np.asarray((off**2).sum(axis=2) / SHADE_HUE**2 < SAME_BOARD)

    def _inverse(self, mask: Bools) -> Floats:
        """Inverse covariance of the board near its sites where ``mask`` is true."""
        some = []
        for site in range(0, len(self.at), 3):
            half = float(self.widths[site])
            x, y = self._rims.px(self.at[site : site + 1])[0]
            part = np.s_[
                max(int(y - half), 0) : int(y + half) + 1 : 2,
                max(int(x - half), 0) : int(x + half) + 1 : 2,
            ]
            some.append((self._plain[part] - self.at_site[site])[mask[part]])
        off = np.concatenate(some)
        bright, grain = SHADE, GRAIN
        if len(off) > ENOUGH:
            mean = off.mean(axis=1, keepdims=True)
            bright = max(SHADE, DEVIATION * float(np.median(np.abs(mean - np.median(mean)))))
            grain = max(GRAIN, DEVIATION * float(np.median(np.abs(off - mean))))
        return floats(np.linalg.inv(grain**2 * np.eye(3) + bright**2 * np.ones((3, 3))))


def _alike(off: Floats) -> Bools:
    """True where logarithms of light, per that of one thing (… × 3), may be those of the thing."""
    bright, hue = _parts(off)
    return np.asarray((bright / LIGHT_SIGMA) ** 2 + (hue / HUE_SIGMA) ** 2 < SAME_BOARD)


def _parts(off: Floats) -> tuple[Floats, Floats]:
    """Brightness of logarithms of light (… × 3), and their distance from grey."""
    bright = off.mean(axis=-1)
    return floats(bright), floats(np.sqrt(((off - bright[..., None]) ** 2).sum(axis=-1)))


def _window(x: float, y: float, half: float) -> tuple[slice, slice]:
    """The square around a pixel, ``half`` as wide as it is."""
    return (
        slice(max(int(y - half), 0), int(y + half) + 1),
        slice(max(int(x - half), 0), int(x + half) + 1),
    )
