"""Pieces of which a part still shows where they lay: somebody laid a thing over them.

A piece that was taken away leaves nothing; below a stick, a sleeve or a paw in the board's colour,
which would not be missed, the rest of a piece looks as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, Planes, Points, floats, inner, middles, picked
from vision.board.appearance import Difference
from vision.board.drawing import SOME
from vision.board.masks import Masks

SAME, OTHER = 0.3, 0.6
"""Change of a colour, per its light, up to which it is as before; and difference from the bare
board from which it is a piece's."""
LEAST_SPOTS, LEFT = 12, 0.1
"""Grid pixels (48 mm²) of a piece that must differ from the board, and share of them that is left.
Of 350 pieces that were taken away 343 left less than half of that share; the others were in the
shade of an arm or below lamps of other colours."""


@dataclass(frozen=True, slots=True, eq=False)
class Remains:
    """A piece as it looked when it was last read."""

    site: str
    spots: npt.NDArray[np.intp]
    """Flat indices of what it hides of the board."""
    colours: Floats
    """Linear light there, 3 × n."""

    @staticmethod
    def of(site: str, body: Points, flat: Planes, masks: Masks) -> Remains:
        """A piece with some ``body`` (n × 2 mm) on a flattened board."""
        spots = masks.spots(body)
        return Remains(site, spots, picked(flat, spots))


def showing(
    gone: Sequence[Remains], flat: Planes, expected: Planes, open_: Bools, gain: Floats
) -> frozenset[str]:
    """The sites of those that are ``gone`` of which a part is still to be seen.

    ``flat``, ``expected``: the board in this look, and how it should look bare. ``open_``: flat,
    where no other piece is. ``gain``: change of the light since, (3,).
    """
    spots = np.concatenate([one.spots for one in gone])
    owner = np.repeat(np.arange(len(gone)), [len(one.spots) for one in gone])
    free = open_[spots]
    spots, owner = spots[free], owner[free]
    then = np.concatenate([one.colours for one in gone], axis=1)[:, free]
    then *= gain[:, None]
    now, bare = picked(flat, spots), picked(expected, spots)
    own = _apart(then, bare) > OTHER
    left = own & (_apart(now, then) < SAME) & (_apart(now, bare) > SAME)
    owned, kept = (np.bincount(owner[which], minlength=len(gone)) for which in (own, left))
    shows = (owned >= LEAST_SPOTS) & (kept > LEFT * owned)
    return frozenset(one.site for one, told in zip(gone, shows.tolist(), strict=True) if told)


def unlike(difference: Difference) -> Bools:
    """True where a part of a piece may show: the board looks otherwise than it should."""
    # Hardly less than what is asked of each pixel then.
    return np.asarray(inner(difference.residual, difference.residual) > (0.99 * SAME) ** 2)


def change_of_light(now: Planes, before: Planes, open_: Bools) -> Floats:
    """Factor per channel by which most of the ``open_`` board (flat) became brighter, (3,)."""
    spots = np.flatnonzero(open_)[::97]
    if not len(spots):
        return np.ones(3, dtype=np.float32)
    seen, then = picked(now, spots) + np.float32(SOME), picked(before, spots) + np.float32(SOME)
    return middles(seen / then)


def _apart(one: Floats, other: Floats) -> Floats:
    """Difference of colours, 3 × n each, per light of the second, (n,)."""
    gap = one - other
    return floats(np.sqrt(inner(gap, gap)) / (np.sqrt(inner(other, other)) + SOME))
