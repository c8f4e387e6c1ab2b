"""How the bare board should look in this light, without ever having seen it bare.

The box says how the board is drawn. What a camera makes of it is

    colour = ink(class) · detail · gain(x, y) + glare(x, y)      (linear light)

with one ink per drawn colour (printers and cameras have their own idea of green), gain and glare
as slow quadratic surfaces. Gain is common to the channels, glare has its own colour. All is fitted
robustly, so that hands and pieces in the picture, even in the first one, do not count; once a
picture without a hand was seen, the inks stay and ``detail`` learns grain, rims and misprints.

Robust fitting by reweighting with Tukey's biweight: P. Huber, "Robust Statistics" (1981).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Picture, Points, floats
from vision.board_pose import BoardPose

__all__ = ["BoardAppearance", "Difference", "grid_px"]

MM_PER_PX = 2.0
"""Grid of the flattened board; finer shows only noise, coarser loses fingers."""
FINE = 4
"""The drawing is made this many times finer, then averaged."""
SAMPLES = 2500
WARM_SAMPLES = 1200
CUTS = (0.8, 0.6, 0.45, 0.35, 0.3)
"""Relative residuals beyond which a pixel does not count, round by round."""
WARM_CUTS = (0.5, 0.3)
GLARE_COST = 6e-4
GAIN_COST = 6e-5
TINT_COST = 0.5
"""Glare is about as white as the lamp; where a shade falls, tinted glare would explain too much."""
PURE = 0.95
LEAST_GAIN = 0.05
TRUSTED_SHARE = 0.6
"""A fit with the known inks must explain this share of the open board."""
SOME = 0.02
"""Linear light that counts as nothing; keeps ratios of dark pixels tame."""
FAINT = 0.01
"""Linear light by which a colour may be off without meaning anything; black ink shows it most."""
LEARNING = 0.25
GRAIN_PX = 12.0
"""What is learnt and broader than so many grid pixels is shade or glare."""
FULL = 0.9
"""Brighter than this a camera cannot tell colours apart any more."""
PORTRAIT_COLOURS, PORTRAIT_ROUNDS = 8, 6
STALE = 0.15
"""Where more than this share of the colour was learnt, the drawing may be nearer to the truth."""


@dataclass(frozen=True)
class Difference:
    """A flattened board against how it should look; grids of height × width, float32."""

    angle: Floats
    """Difference of colour: degrees between seen and expected colour as vectors."""
    ratio: Floats
    """Seen brightness per expected brightness."""
    off_plane: Floats
    """What of ``angle`` neither shade nor white glare can explain, in degrees."""
    seen: Floats
    expected: Floats
    """Both in linear light, height × width × 3."""
    residual: Floats
    """Seen minus expected, per expected brightness; height × width × 3."""
    pure: Bools
    """Where the drawing is of one colour; at its edges a small shift looks like a difference."""


def grid_px(box: Box, mm: Points) -> Points:
    """Grid pixels of board points: n × 2 mm → n × 2."""
    width, height = box.size
    return np.column_stack(
        [(mm[:, 0] + width / 2) / MM_PER_PX - 0.5, (height / 2 - mm[:, 1]) / MM_PER_PX - 0.5]
    )


class BoardAppearance:
    """What one box's board looks like; learns as it goes."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.size = (round(box.size[0] / MM_PER_PX), round(box.size[1] / MM_PER_PX))
        portrait = _portrait(box, self.size)
        self._shares, self._drawn_inks = portrait[:2] if portrait else _draw(box, self.size)
        self._first_detail = portrait[2] if portrait else None
        """What a picture of the board shows beside its colours; None if only a drawing is known."""
        width, height = self.size
        x = np.linspace(-1, 1, width, dtype=np.float32)
        y = np.linspace(-1, 1, height, dtype=np.float32)
        across, down = np.meshgrid(x, y)
        self._surfaces: Floats = np.stack(
            [np.ones_like(across), across, down, across**2, across * down, down**2], axis=-1
        )
        self._pure = self._shares.max(axis=-1) > PURE
        self.forget()

    def forget(self) -> None:
        """Forget what was learnt, for another board or camera."""
        self._inks: Floats | None = None
        self._detail: Floats = np.ones((*self.size[::-1], 3), dtype=np.float32)
        if self._first_detail is not None:
            self._detail = self._first_detail.copy()
        self._grain = self._detail
        self._stale: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._expected: Floats | None = None
        self._fitted_inks: Floats = self._drawn_inks
        self._light: Light | None = None
        self._fitted_light: Light | None = None

    def flatten(self, image: Picture, pose: BoardPose) -> Floats:
        """The board seen from straight above in linear light, height × width × 3, 0 to 1."""
        width, height = self.size
        px = pose.project(_rim(self._box))
        low = np.maximum(np.floor(px.min(axis=0)) - 8, 0).astype(int)
        high = (np.ceil(px.max(axis=0)) + 8).astype(int)
        small = image[low[1] : high[1], low[0] : high[0]]
        scale = pose.px_per_mm() * MM_PER_PX
        halvings = 0
        # Halving by averaging keeps the noise down and is the one shrinking that costs little.
        while scale >= 2.8 and min(small.shape[:2]) >= 4:
            tall, wide = small.shape[0] // 2, small.shape[1] // 2
            part = small[: 2 * tall, : 2 * wide]
            small = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA))
            scale, halvings = scale / 2, halvings + 1
        if small.size == 0:
            return np.zeros((height, width, 3), dtype=np.float32)
        # Pixels of the grid are projected at a few knots only; between them the map is smooth.
        knots = 25
        x = np.linspace(0.5 * MM_PER_PX, self._box.size[0] - 0.5 * MM_PER_PX, knots)
        y = np.linspace(0.5 * MM_PER_PX, self._box.size[1] - 0.5 * MM_PER_PX, knots)
        mm_x, mm_y = np.meshgrid(x - self._box.size[0] / 2, self._box.size[1] / 2 - y)
        px = pose.project(np.column_stack([mm_x.ravel(), mm_y.ravel()]))
        px = (px - low + 0.5) / 2**halvings - 0.5
        u = np.linspace(0, knots - 1, width, dtype=np.float32)
        v = np.linspace(0, knots - 1, height, dtype=np.float32)
        grid = cv2.remap(floats(px.reshape(knots, knots, 2)), *np.meshgrid(u, v), cv2.INTER_LINEAR)
        flat = cv2.remap(
            small, floats(grid), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )  # type: ignore[call-overload]
        return floats(cv2.LUT(np.asarray(flat), _LINEAR))

    def compare(self, flat: Floats, hidden: Mask) -> Difference:
        """How ``flat`` differs from the bare board; what is ``hidden`` does not count."""
        self._expected = expected = self._fit(flat, hidden)
        dot = _dot(flat, expected)
        square = np.maximum(_dot(expected, expected), 1e-6)
        length = np.sqrt(square)
        seen = np.sqrt(_dot(flat, flat))
        far = np.sqrt(np.maximum(seen**2 - dot**2 / square - FAINT**2, 0))
        # White light added to the expected colour spans a plane with it; what sticks out of that
        # plane is another material.
        blue, green, red = expected[..., 0], expected[..., 1], expected[..., 2]
        normal = np.stack([green - red, red - blue, blue - green], axis=-1)
        steady = np.maximum(np.sqrt(_dot(normal, normal)), 1e-4)
        out = np.sqrt(np.maximum((_dot(flat, normal) / steady) ** 2 - FAINT**2, 0)) / (seen + SOME)
        return Difference(
            floats(np.degrees(np.arctan2(far, np.maximum(dot / length, SOME)))),
            floats(dot / square),
            floats(np.degrees(np.arcsin(np.minimum(out, 1)))),
            flat,
            expected,
            floats((flat - expected) / (length + SOME)[..., None]),
            self._pure,
        )

    @property
    def lamp(self) -> Floats:
        """Colour of the light by the board's own colours, if they are as the box has them: (3,)."""
        known = self._drawn_inks.max(axis=1) > SOME
        gain = self._fitted_inks[known] / np.maximum(self._drawn_inks[known], SOME)
        return floats(np.median(gain, axis=0))

    def unlit(self, seen: Floats, mm: Points) -> Floats:
        """Colours ``seen`` (n × 3, linear light) at board points (n × 2 mm), freed of slow changes
        of brightness and of glare; the lamp's colour stays in. To be called after ``compare``."""
        if self._fitted_light is None:
            return seen
        x = np.clip(2 * mm[:, 0] / self._box.size[0], -1.1, 1.1)
        y = np.clip(-2 * mm[:, 1] / self._box.size[1], -1.1, 1.1)
        surfaces = np.stack([np.ones_like(x), x, y, x**2, x * y, y**2], axis=-1)
        return self._fitted_light.unshine(seen, floats(surfaces))

    def learn(self, flat: Floats, bare: Bools) -> None:
        """Remember how the board looks where it is ``bare`` (height × width, true or false).

        To be called after ``compare`` with the same ``flat``, and only if there is no hand.
        """
        if self._expected is None:
            return
        first = self._inks is None
        if first:
            self._inks = self._fitted_inks
        self._light = self._fitted_light
        change = np.clip((flat + SOME) / (self._expected + SOME), 0.4, 2.5)
        told = bare & (np.maximum(flat, self._expected).max(axis=-1) < FULL)
        share = np.where(told, np.float32(1.0 if first else LEARNING), np.float32(0))
        gone = self._stale[bare.ravel()[self._stale]]
        self._detail.reshape(-1, 3)[gone] = 1.0
        self._detail *= 1 + share[..., None] * (change - 1)
        # Only what is finer than any shade may have a say in what the light is like.
        self._grain = _grain(self._detail)

    def _fit(self, flat: Floats, hidden: Mask) -> Floats:
        """The bare board in the light of ``flat``, height × width × 3."""
        open_ = np.flatnonzero((hidden == 0).ravel() & self._pure.ravel())
        if len(open_) < 100:
            return floats(self._shares @ self._fitted_inks)
        classes = self._shares.reshape(-1, self._shares.shape[-1])
        warm = self._inks is not None and self._light is not None
        chosen = _spread(open_, classes, WARM_SAMPLES if warm else SAMPLES)
        sample = _Sample(
            flat.reshape(-1, 3)[chosen], classes[chosen], self._grain.reshape(-1, 3)[chosen],
            self._surfaces.reshape(-1, 6)[chosen],
        )  # fmt: skip
        fit = None
        if self._inks is not None and self._light is not None:
            fit = _refit(sample, self._inks, self._light)
        if fit is None or fit.share < TRUSTED_SHARE:
            # A lamp was switched: what was known of the light is worth nothing.
            plain = sample
            if self._first_detail is not None:
                # A picture's colours are coarse; what they leave out is no light.
                detail = self._first_detail.reshape(-1, 3)[chosen]
                plain = replace(sample, seen=floats(sample.seen / detail))
            anew = _fit_anew(plain, self._drawn_inks)
            if fit is None or anew.share > fit.share:
                fit = anew
        self._fitted_inks, self._fitted_light = fit.inks, fit.light
        drawn = self._shares @ fit.inks
        expected = fit.light.shine(floats(drawn * self._detail), self._surfaces)
        self._unlearn(flat, expected, drawn, fit.light)
        return floats(np.clip(expected, 0.002, 1.0))

    def _unlearn(self, flat: Floats, expected: Floats, drawn: Floats, light: Light) -> None:
        """Put the plain drawing into ``expected`` where ``flat`` is nearer to that.

        Shade and glare are learnt with the grain; when the lamp or what cast the shade is gone,
        a bare board must not look foreign for it.
        """
        learnt = np.flatnonzero(np.abs(self._detail.reshape(-1, 3) - 1).max(axis=-1) > STALE)
        seen, known = flat.reshape(-1, 3)[learnt], expected.reshape(-1, 3)[learnt]
        plain = light.shine(drawn.reshape(-1, 3)[learnt], self._surfaces.reshape(-1, 6)[learnt])
        nearer = _dot(seen - plain, seen - plain) < _dot(seen - known, seen - known)
        self._stale = learnt[nearer]
        expected.reshape(-1, 3)[self._stale] = plain[nearer]


@dataclass(frozen=True)
class Light:
    """Gain and glare over the board."""

    gain: Floats
    """Weights of the surfaces, (6,)."""
    glare: Floats
    """Weights of the surfaces per channel, 6 × 3."""

    def shine(self, ink: Floats, surfaces: Floats) -> Floats:
        """What ``ink`` (… × 3) looks like where the surfaces have these values (… × 6)."""
        gain = np.maximum(surfaces @ self.gain, LEAST_GAIN)
        return floats(ink * gain[..., None] + surfaces @ self.glare)

    def unshine(self, seen: Floats, surfaces: Floats) -> Floats:
        """The ink that looks like ``seen``."""
        gain = np.maximum(surfaces @ self.gain, LEAST_GAIN)
        return floats((seen - surfaces @ self.glare) / gain[..., None])


@dataclass(frozen=True)
class _Sample:
    """Some pixels of a flattened board: n × 3, n × colours, n × 3, n × 6."""

    seen: Floats
    shares: Floats
    detail: Floats
    surfaces: Floats


@dataclass(frozen=True)
class _Fit:
    inks: Floats
    light: Light
    share: float
    """How much of the sample it explains."""


def _refit(sample: _Sample, inks: Floats, light: Light) -> _Fit:
    """Known inks in a light that is much as before."""
    expected = light.shine((sample.shares @ inks) * sample.detail, sample.surfaces)
    white = np.median((sample.seen + SOME) / (expected + SOME), axis=0)
    inks = floats(inks * white)
    ink = floats((sample.shares @ inks) * sample.detail)
    expected = floats(expected * white)
    for cut in WARM_CUTS:
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, ink, expected, fair)
        expected = light.shine(ink, sample.surfaces)
    return _Fit(inks, light, float((_fairness(sample.seen, expected, CUTS[-1]) > 0).mean()))


def _fit_anew(sample: _Sample, drawn: Floats) -> _Fit:
    """Inks and light from nothing but how the board is drawn."""
    main = sample.shares[:, 0] > PURE
    guess = drawn
    if main.sum() > 30:
        guess = floats(drawn * (np.median(sample.seen[main], axis=0) / drawn[0]))
    inks = _medians(sample.seen, sample.shares, guess)
    expected = floats(sample.shares @ inks)
    light = Light(floats(np.eye(6)[0]), floats(np.zeros((6, 3))))
    for cut in CUTS:
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, floats(sample.shares @ inks), expected, fair)
        expected = light.shine(floats(sample.shares @ inks), sample.surfaces)
        good = _fairness(sample.seen, expected, cut) > 0
        bare = light.unshine(sample.seen[good], sample.surfaces[good])
        inks = _medians(bare, sample.shares[good], inks)
        expected = light.shine(floats(sample.shares @ inks), sample.surfaces)
    return _Fit(inks, light, float((_fairness(sample.seen, expected, CUTS[-1]) > 0).mean()))


_LINEAR: Floats = floats((np.arange(256) / 255) ** 2.2)
"""Linear light of a pixel value; cameras' curves differ, and the surfaces take up the rest."""


def _dot(a: Floats, b: Floats) -> Floats:
    """Inner product over the last axis; einsum, for a sum over three is slow in numpy."""
    return floats(np.einsum("...k,...k->...", a, b))


def _rim(box: Box) -> Points:
    x = np.linspace(-box.size[0] / 2, box.size[0] / 2, 9)
    y = np.linspace(-box.size[1] / 2, box.size[1] / 2, 9)
    return np.concatenate([
        np.column_stack([x, np.full(9, y[0])]), np.column_stack([x, np.full(9, y[-1])]),
        np.column_stack([np.full(9, x[0]), y]), np.column_stack([np.full(9, x[-1]), y]),
    ])  # fmt: skip


def _colour(text: str) -> tuple[int, int, int]:
    """Blue, green, red of ``#rrggbb``."""
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


def _draw(box: Box, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """The board as drawn: share of each colour per grid pixel (height × width × colours), and the
    colours in linear light (colours × 3); the board's own colour comes first."""
    width, height = size
    fine: Mask = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    colours = [_colour(box.colours.get("board", "#808080"))]

    def number(text: str) -> int:
        colour = _colour(text)
        if colour not in colours:
            colours.append(colour)
        return colours.index(colour)

    def place(at: tuple[float, float]) -> tuple[int, int]:
        px = (grid_px(box, np.array([at]))[0] + 0.5) * FINE - 0.5
        return round(float(px[0])), round(float(px[1]))

    def length(mm: float) -> int:
        return max(1, round(mm / MM_PER_PX * FINE))

    for stroke in box.strokes:
        ink = number(stroke.colour)
        corners = [place(point) for point in stroke.points]
        outline = np.array(corners, dtype=np.int32)
        if stroke.kind == "polygon" and stroke.width == 0:
            cv2.fillPoly(fine, [outline], ink)
        elif stroke.kind == "circle":
            cv2.circle(fine, corners[0], length(stroke.width), ink, -1)
        elif stroke.kind != "text":
            cv2.polylines(fine, [outline], stroke.kind == "polygon", ink, length(stroke.width))
    for site in box.printed_sites:
        text = box.colours.get(site.colour) or box.colours.get(site.kind)
        if text is None:
            continue
        if site.size is None:
            cv2.circle(fine, place(site.at), length(site.radius), number(text), -1)
        else:
            (x, y), (w, h) = site.at, site.size
            low, high = place((x - w / 2, y + h / 2)), place((x + w / 2, y - h / 2))
            cv2.rectangle(fine, low, high, number(text), -1)
    layers = [
        cv2.resize(floats(fine == k), size, interpolation=cv2.INTER_AREA)
        for k in range(len(colours))
    ]
    inks = _LINEAR[np.array(colours)]
    return floats(np.stack(layers, axis=-1)), floats(inks)


def _portrait(box: Box, size: tuple[int, int]) -> tuple[Floats, Floats, Floats] | None:
    """A board by its picture: shares and colours as ``_draw`` gives them, and the detail that the
    colours leave out (height × width × 3); None if there is no picture of it.

    The colours are found by k-means from the colours that lie farthest apart.
    """
    image = cv2.imread(box.portrait) if box.portrait else None
    if image is None:
        return None
    fine = cv2.resize(image, (size[0] * FINE, size[1] * FINE), interpolation=cv2.INTER_AREA)
    # Square roots of light are about as far apart as people find the colours.
    roots = np.sqrt(floats(cv2.LUT(np.asarray(fine), _LINEAR)))
    some = roots[::3, ::3].reshape(-1, 3)
    centres = np.median(some, axis=0)[None]
    while len(centres) < PORTRAIT_COLOURS:
        gap = np.linalg.norm(some[:, None] - centres[None], axis=2).min(axis=1)
        # One odd pixel is no colour: the farthest but for a few.
        centres = np.vstack([centres, some[np.argsort(gap)[-max(len(some) // 200, 1)]]])
    for _ in range(PORTRAIT_ROUNDS):
        nearest = np.linalg.norm(some[:, None] - centres[None], axis=2).argmin(axis=1)
        own = [some[nearest == k] for k in range(len(centres))]
        centres = np.stack(
            [mine.mean(axis=0) if len(mine) else c for mine, c in zip(own, centres, strict=True)]
        )
    counts = [len(mine) for mine in own]
    centres = floats(centres[np.argsort(counts)[::-1]])
    gaps = [np.linalg.norm(roots - centre, axis=2) for centre in centres]
    label = np.argmin(np.stack(gaps), axis=0)
    layers = [
        cv2.resize(floats(label == k), size, interpolation=cv2.INTER_AREA)
        for k in range(len(centres))
    ]
    shares, inks = floats(np.stack(layers, axis=-1)), floats(centres**2)
    seen = cv2.resize(floats(roots**2), size, interpolation=cv2.INTER_AREA)
    detail = np.clip((floats(seen) + SOME) / (shares @ inks + SOME), 0.4, 2.5)
    return shares, inks, floats(detail)


def _grain(detail: Floats) -> Floats:
    """What of ``detail`` is finer than any shade."""
    broad = cv2.GaussianBlur(np.log(detail), (0, 0), GRAIN_PX)
    return floats(detail / np.exp(np.asarray(broad)))


def _spread(open_: npt.NDArray[np.intp], classes: Floats, count: int) -> npt.NDArray[np.intp]:
    """About ``count`` pixels, evenly over the board but with enough of every rare colour."""
    main = classes[open_, 0] > PURE
    few, many = open_[~main], open_[main]
    kept = [group[:: max(1, 2 * len(group) // count)] for group in (few, many)]
    return np.concatenate(kept)


def _fairness(seen: Floats, expected: Floats, cut: float) -> Floats:
    """Tukey's biweight of the relative residual, per pixel."""
    gap = seen - expected
    off = np.sqrt(_dot(gap, gap)) / (np.sqrt(_dot(expected, expected)) + SOME)
    return floats(np.where(off < cut, (1 - (off / cut) ** 2) ** 2, 0))


def _medians(seen: Floats, shares: Floats, otherwise: Floats) -> Floats:
    inks = otherwise.copy()
    for number in range(len(inks)):
        own = shares[:, number] > PURE
        if own.sum() >= 12:
            inks[number] = np.median(seen[own], axis=0)
    return inks


def _surfaces_fit(sample: _Sample, ink: Floats, expected: Floats, fair: Floats) -> Light:
    """Gain and glare by weighted ridge regression.

    The ridge pulls to gain 1 and no glare: a board of one colour cannot tell them apart.
    """
    scale = np.sqrt(fair) / (np.sqrt(_dot(expected, expected)) + SOME)
    basis = sample.surfaces * scale[:, None]
    normal = np.zeros((24, 24))
    right = np.zeros(24)
    glare = basis.T @ basis
    for channel in range(3):
        part = slice(6 + 6 * channel, 12 + 6 * channel)
        gain = basis * ink[:, channel : channel + 1]
        aim = sample.seen[:, channel] * scale
        normal[:6, :6] += gain.T @ gain
        normal[:6, part] = gain.T @ basis
        normal[part, :6] = normal[:6, part].T
        normal[part, part] = glare
        right[:6] += gain.T @ aim
        right[part] = basis.T @ aim
    cost = np.array([GAIN_COST] * 6 + [GLARE_COST] * 18) * max(float(fair.sum()), 1.0)
    normal += np.diag(cost)
    tint = TINT_COST * max(float(fair.sum()), 1.0) * (np.eye(3) - 1 / 3)
    normal[6:, 6:] += np.kron(tint, np.eye(6))
    right[0] += cost[0]
    weights = np.linalg.solve(normal, right)
    return Light(floats(weights[:6]), floats(weights[6:].reshape(3, 6).T))
