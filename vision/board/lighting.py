"""The light on a board, fitted to what is seen of it.

What a camera makes of a drawn colour is

    colour = ink · detail · gain(x, y) + glare(x, y)      (linear light)

with gain and glare as slow quadratic surfaces. Gain is common to the channels, glare has its own
colour. Everything is fitted robustly, so that hands and pieces in the picture do not matter.

Below sun through a blind or a lamp that flickers, gain is not slow. What is left of a colour then
is its hue: each pixel has a gain of its own, and only the hues are fitted.

Robust fitting by reweighting with Tukey's biweight: P. Huber, "Robust Statistics" (1981).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Planes, floats, inner
from vision.board.drawing import PURE, SOME

CUTS = (0.8, 0.6, 0.45, 0.35, 0.3)
"""Relative residuals beyond which a pixel is ignored, round by round."""
WARM_CUTS = (0.5, 0.3)
"""The same where light and inks are known from before."""
GLARE_COST, GAIN_COST = 6e-4, 6e-5
"""Strength of the ridge, per pixel of the sample."""
TINT_COST = 0.5
"""Glare is about as white as the lamp; where a shade falls, tinted glare would explain too much."""
UNEVEN = 8.0
"""Most times that a patch of light is brighter, or darker, than what is around it."""
HUE = 0.12
"""Relative residual beyond which a hue is another one: seven degrees."""
ERRS = 0.06
"""Glare, as a share of the board's light, that the fit finds where there is none: cameras bend the
scale of light a little."""
LEAST_GAIN = 0.05
"""No place of the board is quite dark; keeps a fit that says so from dividing by zero."""

_POWERS = [(degree - down, down) for degree in range(5) for down in range(degree + 1)]
"""Exponents of x and y, of which products of two surfaces are made; the first six of a surface."""
_PRODUCTS = np.array([
    [_POWERS.index((across + right, down + low)) for right, low in _POWERS[:6]]
    for across, down in _POWERS[:6]
])  # fmt: skip
"""Number of the product of each two surfaces among these."""
_COSTS = np.diag([GAIN_COST] * 6 + [GLARE_COST] * 18)
"""Ridge of the least squares, per pixel: costs of gain and glare, and of their tint."""
_COSTS[6:, 6:] += TINT_COST * np.kron(np.eye(3) - 1 / 3, np.eye(6))


class Surfaces:
    """Slow quadratic surfaces over the flattened board."""

    def __init__(self, size: tuple[int, int]) -> None:
        """``size``: width and height of the board in grid pixels."""
        width, height = size
        x = np.linspace(-1, 1, width, dtype=np.float32)
        y = np.linspace(-1, 1, height, dtype=np.float32)
        self._x, self._y = (floats([each**power for power in range(5)]) for each in (x, y))

    def at(self, chosen: npt.NDArray[np.intp]) -> Floats:
        """Values of the six surfaces at some pixels (flat indices), and of all other products of
        two of them: 15 × n."""
        rows, columns = np.divmod(chosen, self._x.shape[1])
        x, y = self._x.take(columns, axis=1), self._y.take(rows, axis=1)
        across, down = np.transpose(_POWERS)
        return floats(x.take(across, axis=0) * y.take(down, axis=0))

    def of(self, light: Light) -> tuple[Floats, Planes]:
        """Gain (height × width) and glare of a light all over the board."""
        # Powers of y times weights times powers of x: far less than six products per pixel.
        one, x, y, xx, xy, yy = np.concatenate([light.gain[None], light.glare]).T
        none = np.zeros_like(one)
        weights = np.array([[one, x, xx], [y, xy, none], [yy, none, none]]).transpose(2, 0, 1)
        every = floats(self._y[:3].T @ floats(weights) @ self._x[:3])
        # One bound alone would take numpy twice as long.
        return floats(np.clip(every[0], LEAST_GAIN, np.inf)), every[1:]


@dataclass(frozen=True)
class Light:
    """Gain and glare over the board."""

    gain: Floats
    """Weights of the surfaces, (6,)."""
    glare: Floats
    """Weights of the surfaces per channel, 3 × 6."""

    def shine(self, ink: Floats, surfaces: Floats) -> Floats:
        """The look of ``ink`` (3 × n) where the surfaces have these values (6 × n)."""
        gain = np.maximum(self.gain @ surfaces, LEAST_GAIN)
        return floats(ink * gain + self.glare @ surfaces)

    def unshine(self, seen: Floats, surfaces: Floats, main: Floats | None = None) -> Floats:
        """The ink that looks like ``seen``; ``main``: the ink of most of the board, (3,)."""
        gain, glare = self.gain @ surfaces, self.glare @ surfaces
        if main is not None:
            # Gloss takes no light away. Where one ink fits a shade as well by less glare as by less
            # gain, other inks tell: a shade falls on all alike.
            lost = np.minimum(main @ glare / (main @ main) + ERRS, 0)
            gain, glare = gain + lost, glare - main[:, None] * lost
        return floats((seen - glare) / np.maximum(gain, LEAST_GAIN))


@dataclass(frozen=True)
class Sample:
    """Some pixels of a flattened board: 3 × n, colours × n, 3 × n, 15 × n."""

    seen: Floats
    shares: Floats
    detail: Floats
    products: Floats
    """Of each two surfaces, once."""

    @property
    def surfaces(self) -> Floats:
        """Values of the surfaces, 6 × n."""
        return self.products[:6]


@dataclass(frozen=True)
class Fit:
    inks: Floats
    """Colours × 3; as they are known, or newly found."""
    white: Floats
    """Factor on them per channel, (3,): the lamp's colour has changed."""
    light: Light
    share: float
    """Share of the sample that it explains."""
    uneven: bool = False
    """True if only the hues are fitted."""
    arrived: bool = False
    """True if the last step towards this light explained no more than the one before."""

    def hues(self, sample: Sample) -> float:
        """Share of the sample whose hues it explains, however bright they are."""
        ink = floats((self.inks * self.white).T @ sample.shares * sample.detail)
        expected = self.light.shine(ink, sample.surfaces)
        return _share(_evened(sample.seen, expected), expected, HUE)


def refit(sample: Sample, inks: Floats, white: Floats, light: Light, uneven: bool = False) -> Fit:
    """Known inks in a light that is much as before; ``uneven``: only their hues are."""
    ink = floats((inks * white).T @ sample.shares * sample.detail)
    expected = light.shine(ink, sample.surfaces)
    sample = _even(sample, expected) if uneven else sample
    change = _scale(sample.seen, expected)
    ink, expected = floats(ink * change[:, None]), floats(expected * change[:, None])
    for cut in WARM_CUTS:
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, ink, expected, fair)
        expected = light.shine(ink, sample.surfaces)
        sample = _even(sample, expected) if uneven else sample
    share = _share(sample.seen, expected)
    arrived = share <= float((fair > 0).mean())
    return Fit(inks, floats(white * change), light, share, uneven, arrived)


def fit_anew(sample: Sample, drawn: Floats, uneven: bool = False) -> Fit:
    """Inks and light from nothing but how the board is drawn; ``uneven``: from the hues."""
    main = sample.shares[0] > PURE
    guess = drawn
    if main.sum() > 30:
        guess = floats(drawn * (np.median(sample.seen[:, main], axis=1) / drawn[0]))
    inks = _medians(sample.seen, sample.shares, guess)
    expected = floats(inks.T @ sample.shares)
    light = Light(floats(np.eye(6)[0]), floats(np.zeros((3, 6))))
    for cut in CUTS:
        sample = _even(sample, expected) if uneven else sample
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, floats(inks.T @ sample.shares), expected, fair)
        expected = light.shine(floats(inks.T @ sample.shares), sample.surfaces)
        good = _fairness(sample.seen, expected, cut) > 0
        bare = light.unshine(sample.seen[:, good], sample.surfaces[:, good])
        inks = _medians(bare, sample.shares[:, good], inks)
        expected = light.shine(floats(inks.T @ sample.shares), sample.surfaces)
    share = _share(sample.seen, expected)
    return Fit(inks, np.ones(3, dtype=np.float32), light, share, uneven)


def surfaces_at(x: npt.NDArray[np.floating], y: npt.NDArray[np.floating]) -> Floats:
    """Values of the surfaces at n points, -1 to 1 over the board: 6 × n."""
    return floats(np.stack([np.ones_like(x), x, y, x**2, x * y, y**2]))


def _even(sample: Sample, expected: Floats) -> Sample:
    return replace(sample, seen=_evened(sample.seen, expected))


def _evened(seen: Floats, expected: Floats) -> Floats:
    """``seen`` as bright as ``expected``, 3 × n, pixel by pixel."""
    gain = inner(seen, expected) / np.maximum(inner(expected, expected), SOME**2)
    return floats(seen / np.clip(gain, 1 / UNEVEN, UNEVEN))


def _share(seen: Floats, expected: Floats, cut: float = CUTS[-1]) -> float:
    return float((_fairness(seen, expected, cut) > 0).mean())


def _fairness(seen: Floats, expected: Floats, cut: float) -> Floats:
    """Tukey's biweight of the relative residual, per pixel."""
    gap = seen - expected
    fair = np.maximum(1 - inner(gap, gap) / (_squares(expected) * cut**2), 0)
    fair *= fair
    return floats(fair)


def _squares(expected: Floats) -> Floats:
    """Squares of the light by which residuals count, per pixel."""
    return floats(np.square(np.sqrt(inner(expected, expected)) + SOME))


def _medians(seen: Floats, shares: Floats, otherwise: Floats) -> Floats:
    inks = otherwise.copy()
    for number in range(len(inks)):
        own = shares[number] > PURE
        if own.sum() >= 12:
            inks[number] = np.median(seen[:, own], axis=1)
    return inks


def _scale(seen: Floats, expected: Floats) -> Floats:
    """Factor per channel (3,) by which most of ``seen`` exceeds ``expected``, both 3 × n.

    Medians weighted by brightness, which is the least sum of differences: a dark pixel's ratio
    is noise, and bending it towards one would give the board's main colour a tint.
    """
    share = seen / np.maximum(expected, 1e-4)
    middles = []
    for ratio, light in zip(share, expected, strict=True):
        order = ratio.argsort()
        weight = light.take(order).cumsum()
        middles.append(ratio[order[np.count_nonzero(weight < weight[-1] / 2)]])
    return floats(middles)


def _surfaces_fit(sample: Sample, ink: Floats, expected: Floats, fair: Floats) -> Light:
    """Gain and glare by weighted ridge regression.

    The ridge pulls to gain 1 and no glare: a board of one colour cannot tell them apart.
    """
    total = max(float(fair.sum()), 1.0)
    # Gain answers for all channels, glare for one each.
    seen, one = sample.seen, np.ones_like(fair)
    every = np.concatenate([inner(ink, ink)[None], ink, one[None], inner(ink, seen)[None], seen])
    every *= fair / _squares(expected)
    sums = (sample.products @ every.T).T
    products = sums[:5].take(_PRODUCTS, axis=1)
    normal = total * _COSTS
    normal[:6, :6] += products[0]
    normal[:6, 6:] = products[1:4].transpose(1, 0, 2).reshape(6, 18)
    normal[6:, :6] = normal[:6, 6:].T
    for first in (6, 12, 18):
        normal[first : first + 6, first : first + 6] += products[4]
    right = sums[5:, :6].ravel().astype(np.float64)
    right[0] += GAIN_COST * total
    weights = np.linalg.solve(normal, right)
    return Light(floats(weights[:6]), floats(weights[6:].reshape(3, 6)))
