"""Stickers in light that is cut along straight lines: half in the shade, or with a band of sun, a
bar of a window or a lamp's reflection across them.

Light that changes evenly over a sticker is simple to take out. An edge of it is not: across it,
white in the shade may be darker than black in the light, and below a reflection everything is
white. So a sticker is cut in two, along one line or along two that bound a band; each part has a
light of its own, and the cut that suits a sticker best counts. That helps every sticker alike: what
is believed is how much less one leaves unexplained than all others do.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, floats
from vision.stickers.blurred import sample_grid

WAYS = 12
"""Directions in which a sticker is cut,"""
OFFSETS = np.linspace(-0.36, 0.36, 9)
"""how far from its middle, in sides,"""
LEAST = 12
"""and least number of samples of a part."""
EDGE = 0.5
"""Samples on either side of a cut that say nothing: edges of light are soft."""
SAME = 6.0
"""Grey levels that count as equally bright."""
FAR = 0.4
"""Samples further from a sticker's look than this share of its contrast tell nothing of its place:
they lie on the edge of the light."""


def explained(seen: Floats, looks: Floats) -> tuple[Floats, Floats, npt.NDArray[np.intp]]:
    """The fit of some stickers to what is ``seen`` (samples), each with the cut that suits it.

    ``looks``: what they would look like, n × samples of a square grid. Returns how much each leaves
    unexplained (n, squared grey levels), its correlation with what is seen within both parts (n): 1
    is perfect; and the number of its cut.
    """
    parts = _parts(round(len(seen) ** 0.5))
    count = parts.sum(axis=1)
    mean_seen, mean_look = parts @ seen / count, looks @ parts.T / count
    varied = parts @ seen**2 - count * mean_seen**2
    square = looks**2 @ parts.T - count * mean_look**2
    both = (looks * seen) @ parts.T - count * mean_look * mean_seen
    # Light never makes white of black.
    told = np.maximum(both, 0) ** 2 / np.maximum(square, 1e-6)
    half = len(parts) // 2
    gain = np.maximum(both, 0) / np.maximum(square, 1e-6)
    black = mean_seen - gain * mean_look
    brighter = np.stack([black, black + gain])
    brighter = brighter[..., :half] - brighter[..., half:]
    # Where there is more light, black is brighter as well as white.
    lit = (brighter > -SAME).all(axis=0) | (brighter < SAME).all(axis=0)
    told, varied = (told[:, :half] + told[:, half:]) * lit, varied[:half] + varied[half:]
    rest = np.maximum(varied - told, 0)
    best = rest.argmin(axis=1)
    rows = np.arange(len(looks))
    share = told[rows, best] / np.maximum(varied[best], 1e-6)
    return floats(rest[rows, best]), floats(np.sqrt(np.clip(share, 0, 1))), best


def undone(seen: Floats, look: Floats, cut: int) -> Floats:
    """Samples ``seen`` of a sticker as if it lay in one light, and its ``look`` where that cannot
    be told; ``cut``: the number of the cut that suits it."""
    parts = _parts(round(len(seen) ** 0.5))
    plain = look.copy()
    for part in (parts[cut] > 0, parts[cut + len(parts) // 2] > 0):
        drawn, here = look[part] - look[part].mean(), seen[part] - seen[part].mean()
        gain = float(drawn @ here) / max(float(drawn @ drawn), 1e-6)
        plain[part] = look[part].mean() + here / max(gain, 1.0)
    return floats(np.where(np.abs(plain - look) < FAR, plain, look))


@lru_cache(maxsize=4)
def _parts(side: int) -> Floats:
    """Cuts × samples, 1 in the one part and 0 elsewhere; then the other parts."""
    grid = sample_grid(side)
    grid = grid / np.abs(grid).max() / 2
    turns = np.arange(WAYS) * (np.pi / WAYS)
    across = np.stack([np.cos(turns), np.sin(turns)], axis=1) @ grid
    edge = EDGE / side
    beyond = [(across > offset + edge, across < offset - edge) for offset in OFFSETS]
    bands = [
        (one & other, before | behind)
        for n, (one, before) in enumerate(beyond) for behind, other in beyond[n + 2 :]
    ]  # fmt: skip
    first, second = (np.concatenate(each) for each in zip(*beyond, *bands, strict=True))
    both = np.unique(np.concatenate([first, second], axis=1), axis=0)
    first, second = both[:, : side**2], both[:, side**2 :]
    large = np.minimum(first.sum(axis=1), second.sum(axis=1)) >= LEAST
    return floats(np.concatenate([first[large], second[large]]))
