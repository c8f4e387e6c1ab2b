"""Foreign patches on a flattened board, and how much of them is nothing but light.

Sun and shade fall in patches, and keep the hue of what they fall on. A dark sleeve is as dark as a
shade, and white paper as bright as sun; but over a whole patch their hue is their own. Where the
board itself is grey, hue says little: there nothing is taken for light, unless it falls in patches
all over the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, Mask, floats, inner, picked
from vision.board.appearance import Difference
from vision.board.drawing import SOME

OFF_PLANE_DEG, ANGLE_DEG = 7.0, 10.0
"""Colours differ from these angles on. Of the bare board in 70 pictures, traced and photographed,
99.5 % is below 3.9 and 8.5; most hands have 13 to 22 and 17 to 27 in the middle."""
DARK = 0.2
"""Darker than this share of the expected light is not a soft shadow."""
BRIGHT = 1.8
"""Brighter than this times the expected light is not the bare board: 99.5 % of it is below 1.42."""
BRIGHTER = 1.2
"""A patch of light is brighter than this times the expected light."""
EDGE_LENIENCE = 2.0
"""At the drawing's edges, limits are this many times wider: colours are off by 2.4 times as much
there."""
DIM, BLUNT = 0.35, 3.0
"""Share of the expected light below which a colour says less and less, for what the sensor adds to
it stays: limits grow as the light falls, up to this factor."""
SAME_DEG, NEARER, SUNNY = 4.0, 0.3, 0.5
"""Mean hue over a patch of light differs from the board's by less, and by this share of what grey
differs, the second where sun falls in patches all over the board: of shade and sun on green 0.5 to
2.5 degrees, of a black sleeve 11."""
SCATTER = 0.2
"""Most deviation of single pixels from the board's hue, as a share of their light: the sensor's
noise in deep shade is 0.1."""
GREY_DEG = 4.0
"""A colour nearer to grey has no hue that another material could not have as well."""
COLOURED = 0.5
"""Least share of a patch where the board is coloured."""
MORE = 0.5
"""Share that is more of a patch than not."""
LEAST_HUES, SHOWS = 0.025, 0.4
"""Deviation of the board's hues (shares of red, green and blue) over a patch from which its drawing
must be seen through light, and the correlation from which it is."""
EDGES = 0.15
"""Median difference between neighbouring pixels (natural log) on a sticker that sun or shade falls
on too, 0.3; on bare board it is 0.01 to 0.09."""
BLACKEST = 0.02
"""Share of the light that comes into the blackest shade: a head of black hair left 0.003."""
LEAST_SPOTS = 20
"""Smallest patch in grid pixels (80 mm²): of fewer, noise may have any hue."""


def foreign(difference: Difference) -> Bools:
    """True where something other than the bare board shows, shade and glare included if strong."""
    other, dark, bright = _strange(difference)
    return where(difference, other | dark | bright) & ~difference.beside


def lit(difference: Difference, hidden: Callable[[], Mask]) -> Bools:
    """True where what is ``foreign`` is the board itself in a patch of sun or shade. Nothing is
    said of patches that are wholly ``hidden``, which gives 255 where pieces lie."""
    ratio = difference.ratio
    much = (ratio < DARK) | (ratio > BRIGHT)
    if np.count_nonzero(much) < LEAST_SPOTS:
        return np.zeros_like(difference.pure)
    open_ = hidden().ravel().take(difference.odd) == 0
    if not (much & open_).any():
        return np.zeros_like(difference.pure)
    other, dark, bright = _strange(difference)
    light = _only_light(difference, (~other & (ratio > BRIGHTER), ~other & dark), open_)
    return where(difference, light & (bright | dark))


def _strange(difference: Difference) -> tuple[Bools, Bools, Bools]:
    """The odd pixels that have another colour, those that are too dark, and too bright."""
    lenient, wide = doubt(difference)
    other = (difference.off_plane > OFF_PLANE_DEG * wide) | (difference.angle > ANGLE_DEG * wide)
    return other, difference.ratio < DARK / lenient, difference.ratio > BRIGHT * lenient


def where(difference: Difference, which: Bools) -> Bools:
    """The grid pixels that are ``which`` of the odd ones (n,), height × width."""
    places = np.zeros_like(difference.pure)
    places.ravel()[difference.odd[which]] = True
    return places


def doubt(difference: Difference) -> tuple[Floats, Floats]:
    """Factors on the limits at the odd pixels: for brightness, and for colour."""
    lenient = floats(np.where(difference.pure.ravel()[difference.odd], 1.0, EDGE_LENIENCE))
    # The darker a pixel, the less its colour says.
    return lenient, floats(lenient * (DIM / np.clip(difference.ratio, DIM / BLUNT, DIM)))


def _only_light(difference: Difference, kinds: Sequence[Bools], open_: Bools) -> Bools:
    """True for those of the odd pixels (n,) that belong to patches of nothing but light.

    ``kinds``: odd pixels that are much brighter, and much darker than expected, and whose hue, each
    for itself, may be the board's; a patch is of one kind. ``open_``: a patch has some of these.
    """
    light = np.zeros_like(kinds[0])
    label, count = np.zeros(len(light), dtype=np.intp), 0
    for patchy in kinds:
        if np.count_nonzero(patchy) < LEAST_SPOTS:
            continue
        spots = difference.odd[patchy]
        patches = np.zeros(difference.pure.shape, dtype=np.uint8)
        patches.ravel()[spots] = 1
        # Patches go on across lines of the drawing, where a shift looks like another hue.
        wide = cv2.dilate(patches, np.ones((3, 3), np.uint8))
        found, labels = cv2.connectedComponents(np.asarray(wide, dtype=np.uint8), connectivity=8)
        label[patchy] = np.asarray(labels).ravel()[spots] + count
        count += found - 1
    large = np.bincount(label, minlength=count + 1) >= LEAST_SPOTS
    large &= np.bincount(label[open_], minlength=count + 1) > 0
    large[0] = False
    # Patch after patch: all that is summed up over each takes one call.
    some = np.flatnonzero(large[label])
    if not len(some):
        return light
    some = some[np.argsort(label[some], kind="stable")]
    _, starts, patch = np.unique(label[some], return_index=True, return_inverse=True)
    number = np.diff([*starts, len(some)])

    def totals(*values: Floats | Bools) -> Floats:
        return floats(np.add.reduceat(np.stack(values), starts, axis=1, dtype=np.float64))

    seen, drawn = (
        picked(each, difference.odd[some]) for each in (difference.seen, difference.expected)
    )
    bright, plain = inner(seen, seen), inner(drawn, drawn)
    length, size = np.sqrt(bright), np.maximum(np.sqrt(3 * plain), 1e-6)
    from_grey = np.arccos(np.minimum(drawn.sum(axis=0) / size, 1))
    coloured = np.asarray(from_grey > np.deg2rad(GREY_DEG))
    # A patch that is mostly grey is judged as a whole, any other by its coloured part.
    tinted = totals(coloured)[0] >= COLOURED * number
    counts = coloured | ~tinted[patch]
    off = (seen - drawn * (inner(seen, drawn) / np.maximum(plain, 1e-6))) * counts
    weight = length * counts
    *offs, scatter, lengths, squares, greys, brighter = totals(
        *off, inner(off, off), weight, weight**2, weight * from_grey, bright > plain
    )
    lengths = np.maximum(lengths, 1e-6)
    mean = np.sqrt(sum(each**2 for each in offs)) / lengths
    told = (np.sqrt(scatter / np.maximum(squares, 1e-6)) < SCATTER) & (mean < np.deg2rad(SAME_DEG))
    away = mean / np.maximum(greys / lengths, 1e-6)
    sunny = difference.uneven & (brighter > MORE * number)
    told &= (tinted & (away < NEARER)) | (sunny & (away < SUNNY))
    if not told.any():
        return light
    hues = np.concatenate([each[:2] / np.maximum(each.sum(axis=0), 1e-6) for each in (seen, drawn)])
    hues -= (totals(*hues) / number)[:, patch]
    ours, theirs = hues[:2], hues[2:]
    found, contrast, both = totals(inner(ours, ours), inner(theirs, theirs), inner(ours, theirs))
    told &= (contrast < LEAST_HUES**2 * number) | (both > SHOWS * np.sqrt(found * contrast))
    light[some] = told[patch]
    return light


def tinted(difference: Difference, spots: npt.NDArray[np.intp]) -> bool:
    """True if a patch is of another hue than the board. Of a single pixel in the dark that says
    little, of all together much."""
    seen, expected = picked(difference.seen, spots), picked(difference.expected, spots)
    gain = inner(seen, expected) / np.maximum(inner(expected, expected), SOME**2)
    here, board = seen.sum(axis=1), (expected * gain).sum(axis=1)
    cosine = float(here @ board) / max(float(np.linalg.norm(here) * np.linalg.norm(board)), SOME**2)
    return bool(cosine < np.cos(np.deg2rad(ANGLE_DEG)))


def black(difference: Difference, spots: npt.NDArray[np.intp]) -> bool:
    """True if a patch shows next to nothing of the light: some comes into every shade."""
    seen, expected = (
        picked(each, spots).sum(axis=0) for each in (difference.seen, difference.expected)
    )
    return bool(np.median(seen / np.maximum(expected, SOME**2)) < BLACKEST)


def rugged(difference: Difference, spots: npt.NDArray[np.intp]) -> bool:
    """True if what is seen at ``spots`` (flat indices) has more edges than light has: most
    neighbouring pixels differ, as on a sticker that cannot be read."""
    y, x = np.divmod(spots, difference.pure.shape[1])
    top, left = y.min(), x.min()
    around = np.s_[:, top : y.max() + 2, left : x.max() + 2]
    gain = np.log(
        (difference.seen[around].sum(axis=0) + SOME)
        / (difference.expected[around].sum(axis=0) + SOME)
    )
    rows, columns = np.minimum(y - top, len(gain) - 2), np.minimum(x - left, gain.shape[1] - 2)
    here = gain[rows, columns]
    steps = np.abs([gain[rows + 1, columns] - here, gain[rows, columns + 1] - here])
    return bool(np.median(steps) > EDGES)
