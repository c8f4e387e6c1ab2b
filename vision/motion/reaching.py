"""Does something reach into the picture from its edge? An arm does, even when it holds still.

The picture is compared with the last few still ones. Whatever is laid down within the picture
changes a patch of it; what reaches in changes a patch that hangs on the edge. No board is needed.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Picture, floats

LONG_SIDE = 200
"""Px that are looked at along the longer side."""
DIFFERENCE = 0.12
"""Smallest difference that counts, as a share of the mean brightness."""
LEAST_CONTACT = 6
"""Px along the edge: a wrist is about as wide in a picture of a whole table."""
LEAST_PIXELS = 60
KEPT = 4
"""Still pictures that are remembered, so that an arm that came and went is no news."""
THIN, ROUNDS = 3, 3
"""Every third px each way tells the light; what does not fit is left out of the next round."""
SURELY_SAME, DARKEST = 0.05, 0.02
"""Differences of light that are none (natural log), and the least light, as a share of the mean."""
RESTING_S = 10.0
"""Seconds of stillness after which a thing is no arm, whatever it looks like."""


class Reaching:
    """A watcher for things that reach into still pictures of one table."""

    def __init__(self) -> None:
        self._known: list[Floats] = []
        self._since: float | None = None

    def look(self, image: Picture, time_s: float) -> bool:
        """True if something reaches into ``image``, taken at ``time_s`` (s, any clock).

        The first picture, and the first of another size, is believed to show nothing like that.
        """
        now = _small(image)
        known = [one for one in self._known if one.shape == now.shape]
        if known and all(_hangs_on_edge(_changed(now, one)) for one in known):
            self._since = time_s if self._since is None else self._since
            if time_s - self._since < RESTING_S:
                return True
        self._since = None
        if known and not np.any(_changed(now, known[-1])):
            known.pop()
        self._known = [*known, now][-KEPT:]
        return False


def _small(image: Picture) -> Floats:
    """Colours as shares of their means: lamps dim, and exposure and white balance follow."""
    scale = LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return floats(floats(small) / np.maximum(small.mean(axis=(0, 1)), 1.0))


def _changed(now: Floats, before: Floats) -> Floats:
    """1 where two pictures differ, thin lines left out: those a trembling camera shows too."""
    relit = now / _gain(now, before)[:, :, None]
    differs = (np.abs(relit - before).max(axis=2) > DIFFERENCE).astype(np.uint8)
    return floats(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def _gain(now: Floats, before: Floats) -> Floats:
    """Gain of the lamp's light in each part of the picture: quadratic in x and y, fitted to what
    has not changed otherwise."""
    rows, columns = now.shape[:2]
    y, x = np.mgrid[-0.5 : 0.5 : rows * 1j, -0.5 : 0.5 : columns * 1j]
    powers = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    lights = [np.log(np.maximum(one.mean(axis=2), DARKEST)) for one in (now, before)]
    ratio = (lights[0] - lights[1])[::THIN, ::THIN].ravel()
    thin = powers[::THIN, ::THIN].reshape(len(ratio), -1)
    kept = np.ones(len(ratio), np.bool_)
    for _round in range(ROUNDS):
        solved = np.linalg.lstsq(thin[kept], ratio[kept], rcond=None)[0]
        rest = np.abs(ratio - thin @ solved)
        kept = rest < max(SURELY_SAME, 2 * float(np.median(rest)))
    return floats(np.exp(powers @ solved))


def _hangs_on_edge(changed: Floats) -> bool:
    number, labels = cv2.connectedComponents(changed.astype(np.uint8))
    parts = np.asarray(labels, np.intp)
    edge = np.concatenate([parts[0], parts[-1], parts[1:-1, 0], parts[1:-1, -1]])
    contacts = np.bincount(edge, minlength=number)
    areas = np.bincount(parts.ravel(), minlength=number)
    return bool(np.any((contacts >= LEAST_CONTACT)[1:] & (areas >= LEAST_PIXELS)[1:]))
