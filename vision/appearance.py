"""How the bare board should look in this light, without ever having seen it bare.

The box says how the board is drawn. What a camera makes of it is

    colour = ink(class) · detail · gain(x, y) + glare(x, y)      (linear light)

with one ink per drawn colour (printers and cameras have their own idea of green), gain and glare
as slow quadratic surfaces. Gain is common to the channels, glare has its own colour. All is fitted
robustly, so that hands and pieces in the picture, even in the first one, do not count; once a
picture without a hand was seen, the inks stay and ``detail`` learns grain, rims and misprints.

The flattened board is kept channel after channel (``Planes``): what is worked out per pixel from
three channels takes numpy ten times as long, or a hundred, when they lie side by side.

Robust fitting by reweighting with Tukey's biweight: P. Huber, "Robust Statistics" (1981).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Picture, Planes, Points, floats
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
ARRIVED_SHARE, STEPS = 0.97, 3
"""A light that explains less may be on its way only; it takes at most so many steps more."""
SOME = 0.02
"""Linear light that counts as nothing; keeps ratios of dark pixels tame."""
FAINT = 0.01
"""Linear light by which a colour may be off without meaning anything; black ink shows it most."""
DEGREES = np.float32(180 / np.pi)
LEARNING = 0.25
GRAIN_PX, COARSER = 12.0, 3
"""What is learnt and broader than so many grid pixels is shade or glare; it is worked out on a grid
so many times coarser."""
FULL = 0.9
"""Brighter than this a camera cannot tell colours apart any more."""
IN_SHADE, EVEN = 0.75, 1.4
"""All of a colour may lie in the shade if it seems so much darker than it is drawn, by the others,
and about evenly so in all channels."""
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
    seen: Planes
    expected: Planes
    """Both in linear light."""
    residual: Planes
    """Seen minus expected, per expected brightness."""
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
        self._pure = self._shares.max(axis=0) > PURE
        main = self._shares[0] > PURE
        self._pure_kinds = (self._pure & ~main).ravel(), main.ravel()
        """Flat: where the drawing is of one rare colour, and where of the board's own."""
        self._surfaces = _Surfaces(self.size)
        self.forget()

    def forget(self) -> None:
        """Forget what was learnt, for another board or camera."""
        self._inks: Floats | None = None
        self._detail: Planes = np.ones((3, *self.size[::-1]), dtype=np.float32)
        if self._first_detail is not None:
            self._detail = self._first_detail.copy()
        self._shade: Planes = np.zeros_like(self._detail)
        """Logarithm of what was learnt and is too broad for grain."""
        self._learnt: Bools = np.zeros_like(self._pure)
        """Where much was learnt."""
        self._stale = self._learnt
        """Where that seems to be out of date."""
        self._seen_from: _View | None = None
        self._drawn: Planes | None = None
        """The drawing in the inks that are known."""
        self._white: Floats = np.ones(3, dtype=np.float32)
        """Colour of the lamp by the one in which the inks became known."""
        self._expected: Planes | None = None
        self._fit: _Fit | None = None
        self._light: Light | None = None

    def flatten(self, image: Picture, pose: BoardPose) -> Planes:
        """The board seen from straight above in linear light, 0 to 1."""
        view = self._seen_from
        if view is None or view.pose is not pose or view.shape != image.shape:
            view = self._seen_from = _View.of(self._box, self.size, pose, image)
        width, height = self.size
        flat = view.take(image)
        if flat is None:
            return np.zeros((3, height, width), dtype=np.float32)
        planes = np.concatenate(cv2.split(flat))
        return floats(cv2.LUT(planes, _LINEAR)).reshape(3, height, width)

    def compare(self, flat: Planes, hidden: Mask) -> Difference:
        """How ``flat`` differs from the bare board; what is ``hidden`` does not count."""
        self._expected = expected = self._bare_board(flat, hidden)
        dot = _dot(flat, expected)
        square = np.maximum(_dot(expected, expected), 1e-6)
        length = np.sqrt(square)
        seen_square = _dot(flat, flat)
        ratio = dot / square
        far = np.sqrt(np.maximum(seen_square - dot * ratio - FAINT**2, 0))
        # White light added to the expected colour spans a plane with it; what sticks out of that
        # plane is another material.
        blue, green, red = expected
        normal = np.stack([green - red, red - blue, blue - green])
        steady = np.maximum(_dot(normal, normal), 1e-8)
        out = np.sqrt(np.maximum(_dot(flat, normal) ** 2 / steady - FAINT**2, 0))
        out /= np.sqrt(seen_square) + SOME
        return Difference(
            floats(np.arctan2(far, np.maximum(dot / length, SOME)) * DEGREES),
            floats(ratio),
            floats(np.arcsin(np.minimum(out, 1)) * DEGREES),
            flat,
            expected,
            floats((flat - expected) / (length + SOME)),
            self._pure,
        )

    @property
    def lamp(self) -> Floats:
        """Colour of the light by the board's own colours, if they are as the box has them: (3,)."""
        known = self._drawn_inks.max(axis=1) > SOME
        inks = self._drawn_inks if self._fit is None else self._fit.inks * self._fit.white
        gain = inks[known] / np.maximum(self._drawn_inks[known], SOME)
        return floats(np.median(gain, axis=0))

    def unlit(self, seen: Floats, mm: Points) -> Floats:
        """Colours ``seen`` (n × 3, linear light) at board points (n × 2 mm), freed of slow changes
        of brightness and of glare; the lamp's colour stays in. To be called after ``compare``."""
        if self._fit is None:
            return seen
        x = np.clip(2 * mm[:, 0] / self._box.size[0], -1.1, 1.1)
        y = np.clip(-2 * mm[:, 1] / self._box.size[1], -1.1, 1.1)
        return self._fit.light.unshine(seen.T, _surfaces_at(x, y)).T

    def learn(self, flat: Planes, bare: Bools) -> None:
        """Remember how the board looks where it is ``bare`` (height × width, true or false).

        To be called after ``compare`` with the same ``flat``, and only if there is no hand.
        """
        if self._expected is None or self._fit is None:
            return
        first = self._inks is None
        if first:
            self._know(self._fit)
        if self._fit.inks is self._inks:
            # Gain and glare mean something beside the lamp's colour only.
            self._white = self._fit.white
        self._light = self._fit.light
        change = np.clip((flat + SOME) / (self._expected + SOME), 0.4, 2.5)
        told = bare & (np.maximum(flat, self._expected).max(axis=0) < FULL)
        share = told * np.float32(1.0 if first else LEARNING)
        np.copyto(self._detail, np.float32(1), where=self._stale & bare)
        self._detail *= 1 + share * (change - 1)
        self._learnt = np.abs(self._detail - 1).max(axis=0) > STALE
        # Only what is finer than any shade may have a say in what the light is like.
        self._shade = _shade(self._detail)

    def _know(self, fit: _Fit) -> None:
        """Take inks for those of the board; what lies in the shade as a whole seems darker than it
        is drawn, which may pass: it is a matter of detail."""
        drawn = self._drawn_inks * self.lamp
        share = fit.inks / np.maximum(drawn, SOME)
        dark = (share.max(axis=1) < IN_SHADE) & (drawn.max(axis=1) > SOME)
        dark &= share.max(axis=1) < EVEN * share.min(axis=1)
        # Pictures of boards leave out what their few colours cannot tell.
        dark &= self._first_detail is None
        inks = floats(np.where(dark[:, None], drawn, fit.inks))
        self._inks, self._drawn = inks, _mixed(self._shares, inks)
        self._fit = replace(fit, inks=inks)
        if dark.any():
            self._detail *= _mixed(self._shares, fit.inks) / np.maximum(self._drawn, 1e-4)

    def _bare_board(self, flat: Planes, hidden: Mask) -> Planes:
        """The bare board in the light of ``flat``."""
        open_ = hidden.ravel() == 0
        few, many = (np.flatnonzero(open_ & those) for those in self._pure_kinds)
        if len(few) + len(many) < 100:
            inks = self._drawn_inks if self._fit is None else self._fit.inks * self._fit.white
            return _mixed(self._shares, inks)
        self._fit = fit = self._fitted(flat, few, many)
        drawn = self._drawn
        if drawn is None or fit.inks is not self._inks:
            drawn = _mixed(self._shares, fit.inks)
        gain, glare = self._surfaces.of(fit.light)
        lit = drawn * (gain * fit.white[:, None, None])
        plain, expected = lit + glare, lit * self._detail
        expected += glare
        # Shade and glare are learnt with the grain; when the lamp or what cast the shade is gone,
        # a bare board must not look foreign for it: then the plain drawing is nearer.
        beyond, beside = flat - plain, flat - expected
        self._stale = self._learnt & (_dot(beyond, beyond) < _dot(beside, beside))
        np.copyto(expected, plain, where=self._stale)
        return np.clip(expected, 0.002, 1.0, out=expected)

    def _fitted(self, flat: Planes, few: npt.NDArray[np.intp], many: npt.NDArray[np.intp]) -> _Fit:
        """Inks and light; ``few``, ``many``: flat indices of open pixels of rare colours, and of
        the board's own."""
        warm = self._inks is not None and self._light is not None
        chosen = _spread(few, many, WARM_SAMPLES if warm else SAMPLES)
        seen, detail = _at(flat, chosen), _at(self._detail, chosen)
        sample = _Sample(
            seen, _at(self._shares, chosen), floats(detail / np.exp(_at(self._shade, chosen))),
            self._surfaces.at(chosen),
        )  # fmt: skip
        fit = None
        if self._inks is not None and self._light is not None:
            fit = _refit(sample, self._inks, self._white, self._light)
            # Far from the light before, as below another lamp, one step does not arrive; and what
            # seems foreign for it would pass for a hand, below which nothing is learnt.
            for _ in range(STEPS):
                if fit.share >= ARRIVED_SHARE:
                    break
                nearer = _refit(sample, self._inks, fit.white, fit.light)
                if nearer.share <= fit.share:
                    break
                fit = nearer
            if fit.share >= TRUSTED_SHARE:
                return fit
        # A lamp was switched: what was known of the light is worth nothing.
        if self._first_detail is not None:
            # A picture's colours are coarse; what they leave out is no light.
            sample = replace(sample, seen=floats(seen / _at(self._first_detail, chosen)))
        anew = _fit_anew(sample, self._drawn_inks)
        return anew if fit is None or anew.share > fit.share else fit


@dataclass(frozen=True, eq=False)
class _View:
    """How the board is cut out of pictures from one pose."""

    pose: BoardPose
    shape: tuple[int, ...]
    """Of the pictures."""
    part: tuple[slice, slice]
    """Where they show the board."""
    halvings: int
    """So many times is that part made half as large, to keep the noise down."""
    grid: Floats
    """Where the flattened board's pixels lie then, height × width × 2 px."""

    @staticmethod
    def of(box: Box, size: tuple[int, int], pose: BoardPose, image: Picture) -> _View:
        """``size``: width and height of the flattened board in grid pixels."""
        px = pose.project(_rim(box))
        low = np.maximum(np.floor(px.min(axis=0)) - 8, 0).astype(int)
        high = np.maximum((np.ceil(px.max(axis=0)) + 8).astype(int), low)
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        scale, halvings = pose.px_per_mm() * MM_PER_PX, 0
        least = min(image[part].shape[:2])
        while scale >= 2.8 and least >= 4:
            scale, least, halvings = scale / 2, least // 2, halvings + 1
        # Pixels of the grid are projected at a few knots only; between them the map is smooth.
        knots = 25
        x = np.linspace(0.5 * MM_PER_PX, box.size[0] - 0.5 * MM_PER_PX, knots)
        y = np.linspace(0.5 * MM_PER_PX, box.size[1] - 0.5 * MM_PER_PX, knots)
        mm_x, mm_y = np.meshgrid(x - box.size[0] / 2, box.size[1] / 2 - y)
        px = pose.project(np.column_stack([mm_x.ravel(), mm_y.ravel()]))
        px = (px - low + 0.5) / 2**halvings - 0.5
        u = np.linspace(0, knots - 1, size[0], dtype=np.float32)
        v = np.linspace(0, knots - 1, size[1], dtype=np.float32)
        grid = cv2.remap(floats(px.reshape(knots, knots, 2)), *np.meshgrid(u, v), cv2.INTER_LINEAR)
        return _View(pose, image.shape, part, halvings, floats(grid))

    def take(self, image: Picture) -> Picture | None:
        """The board from straight above, height × width × 3; None if it is out of sight."""
        small = image[self.part]
        if small.size == 0:
            return None
        # Averaging is the one shrinking that keeps the noise down and costs little.
        for _ in range(self.halvings):
            tall, wide = small.shape[0] // 2, small.shape[1] // 2
            even = small[: 2 * tall, : 2 * wide]
            small = np.asarray(cv2.resize(even, (wide, tall), interpolation=cv2.INTER_AREA))
        flat = cv2.remap(small, self.grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        return np.asarray(flat, dtype=np.uint8)


class _Surfaces:
    """Slow quadratic surfaces over the flattened board."""

    def __init__(self, size: tuple[int, int]) -> None:
        """``size``: width and height of the board in grid pixels."""
        width, height = size
        x = np.linspace(-1, 1, width, dtype=np.float32)
        y = np.linspace(-1, 1, height, dtype=np.float32)
        self._x: Floats = np.stack([np.ones_like(x), x, x**2])
        self._y: Floats = np.stack([np.ones_like(y), y, y**2], axis=1)
        self._every = _surfaces_at(*(each.ravel() for each in np.meshgrid(x, y)))

    def at(self, chosen: npt.NDArray[np.intp]) -> Floats:
        """Values of the six surfaces at some pixels (flat indices), 6 × n."""
        return _at(self._every, chosen)

    def of(self, light: Light) -> tuple[Floats, Planes]:
        """Gain (height × width) and glare of a light all over the board."""
        # Powers of y times weights times powers of x: far less than six products per pixel.
        one, x, y, xx, xy, yy = np.concatenate([light.gain[None], light.glare]).T
        none = np.zeros_like(one)
        weights = np.array([[one, x, xx], [y, xy, none], [yy, none, none]]).transpose(2, 0, 1)
        every = floats(self._y @ floats(weights) @ self._x)
        return floats(np.maximum(every[0], LEAST_GAIN)), every[1:]


@dataclass(frozen=True)
class Light:
    """Gain and glare over the board."""

    gain: Floats
    """Weights of the surfaces, (6,)."""
    glare: Floats
    """Weights of the surfaces per channel, 3 × 6."""

    def shine(self, ink: Floats, surfaces: Floats) -> Floats:
        """What ``ink`` (3 × n) looks like where the surfaces have these values (6 × n)."""
        gain = np.maximum(self.gain @ surfaces, LEAST_GAIN)
        return floats(ink * gain + self.glare @ surfaces)

    def unshine(self, seen: Floats, surfaces: Floats) -> Floats:
        """The ink that looks like ``seen``."""
        gain = np.maximum(self.gain @ surfaces, LEAST_GAIN)
        return floats((seen - self.glare @ surfaces) / gain)


@dataclass(frozen=True)
class _Sample:
    """Some pixels of a flattened board: 3 × n, colours × n, 3 × n, 6 × n."""

    seen: Floats
    shares: Floats
    detail: Floats
    surfaces: Floats


@dataclass(frozen=True)
class _Fit:
    inks: Floats
    """Colours × 3; as they are known, or found anew."""
    white: Floats
    """Factor on them per channel, (3,): the lamp's colour has changed."""
    light: Light
    share: float
    """How much of the sample it explains."""


def _refit(sample: _Sample, inks: Floats, white: Floats, light: Light) -> _Fit:
    """Known inks in a light that is much as before."""
    ink = floats((inks * white).T @ sample.shares * sample.detail)
    expected = light.shine(ink, sample.surfaces)
    change = _scale(sample.seen, expected)
    ink, expected = floats(ink * change[:, None]), floats(expected * change[:, None])
    for cut in WARM_CUTS:
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, ink, expected, fair)
        expected = light.shine(ink, sample.surfaces)
    share = float((_fairness(sample.seen, expected, CUTS[-1]) > 0).mean())
    return _Fit(inks, floats(white * change), light, share)


def _fit_anew(sample: _Sample, drawn: Floats) -> _Fit:
    """Inks and light from nothing but how the board is drawn."""
    main = sample.shares[0] > PURE
    guess = drawn
    if main.sum() > 30:
        guess = floats(drawn * (np.median(sample.seen[:, main], axis=1) / drawn[0]))
    inks = _medians(sample.seen, sample.shares, guess)
    expected = floats(inks.T @ sample.shares)
    light = Light(floats(np.eye(6)[0]), floats(np.zeros((3, 6))))
    for cut in CUTS:
        fair = _fairness(sample.seen, expected, cut)
        light = _surfaces_fit(sample, floats(inks.T @ sample.shares), expected, fair)
        expected = light.shine(floats(inks.T @ sample.shares), sample.surfaces)
        good = _fairness(sample.seen, expected, cut) > 0
        bare = light.unshine(sample.seen[:, good], sample.surfaces[:, good])
        inks = _medians(bare, sample.shares[:, good], inks)
        expected = light.shine(floats(inks.T @ sample.shares), sample.surfaces)
    share = float((_fairness(sample.seen, expected, CUTS[-1]) > 0).mean())
    return _Fit(inks, np.ones(3, dtype=np.float32), light, share)


TINTS = np.zeros((24, 24))
"""What counts as tint in the weights of gain and glare."""
TINTS[6:, 6:] = np.kron(np.eye(3) - 1 / 3, np.eye(6))

_LINEAR: Floats = floats((np.arange(256) / 255) ** 2.2)
"""Linear light of a pixel value; cameras' curves differ, and the surfaces take up the rest."""


def _dot(a: Floats, b: Floats) -> Floats:
    """Inner product over the channels, which come first."""
    return floats(np.einsum("k...,k...->...", a, b))


def _at(planes: Floats, chosen: npt.NDArray[np.intp]) -> Floats:
    """Some pixels (flat indices) of planes: k × n."""
    return floats(planes.reshape(len(planes), -1).take(chosen, axis=1))


def _mixed(shares: Floats, inks: Floats) -> Planes:
    """Inks (colours × 3) in these shares (colours × height × width)."""
    mixed = inks.T @ shares.reshape(len(shares), -1)
    return floats(mixed).reshape(3, *shares.shape[1:])


def _surfaces_at(x: npt.NDArray[np.floating], y: npt.NDArray[np.floating]) -> Floats:
    """Values of the surfaces at n points, -1 to 1 over the board: 6 × n."""
    return floats(np.stack([np.ones_like(x), x, y, x**2, x * y, y**2]))


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
    """The board as drawn: share of each colour per grid pixel (colours × height × width), and the
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
    return floats(np.stack(layers)), floats(inks)


def _portrait(box: Box, size: tuple[int, int]) -> tuple[Floats, Floats, Planes] | None:
    """A board by its picture: shares and colours as ``_draw`` gives them, and the detail that the
    colours leave out; None if there is no picture of it.

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
    shares, inks = floats(np.stack(layers)), floats(centres**2)
    seen = np.stack(cv2.split(cv2.resize(floats(roots**2), size, interpolation=cv2.INTER_AREA)))
    detail = np.clip((seen + SOME) / (_mixed(shares, inks) + SOME), 0.4, 2.5)
    return shares, inks, floats(detail)


def _shade(detail: Planes) -> Planes:
    """Logarithm of what of ``detail`` is as broad as shade or glare."""
    height, width = detail.shape[1:]
    few = (max(width // COARSER, 1), max(height // COARSER, 1))
    coarse = [cv2.resize(plane, few, interpolation=cv2.INTER_AREA) for plane in np.log(detail)]
    broad = cv2.GaussianBlur(cv2.merge(coarse), (0, 0), GRAIN_PX / COARSER)
    return np.stack(cv2.split(cv2.resize(broad, (width, height), interpolation=cv2.INTER_LINEAR)))


def _spread(
    few: npt.NDArray[np.intp], many: npt.NDArray[np.intp], count: int
) -> npt.NDArray[np.intp]:
    """About ``count`` pixels, evenly over the board but with enough of every rare colour."""
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
    order = np.argsort(share, axis=1)
    weight = np.cumsum(np.take_along_axis(expected, order, axis=1), axis=1)
    middle = (weight < weight[:, -1:] / 2).sum(axis=1)
    return floats(np.take_along_axis(share, order, axis=1)[np.arange(3), middle])


def _surfaces_fit(sample: _Sample, ink: Floats, expected: Floats, fair: Floats) -> Light:
    """Gain and glare by weighted ridge regression.

    The ridge pulls to gain 1 and no glare: a board of one colour cannot tell them apart.
    """
    scale = np.sqrt(fair) / (np.sqrt(_dot(expected, expected)) + SOME)
    basis, aim = floats(sample.surfaces * scale), floats(sample.seen * scale)
    total = max(float(fair.sum()), 1.0)
    # Gain answers for all channels, glare for one each.
    both = np.stack([_dot(ink, ink), *ink, np.ones_like(scale)])
    products = (both[:, None] * basis) @ basis.T
    normal = TINT_COST * total * TINTS
    normal[:6, :6] += products[0]
    for channel in range(3):
        part = slice(6 + 6 * channel, 12 + 6 * channel)
        normal[:6, part] = normal[part, :6] = products[1 + channel]
        normal[part, part] += products[4]
    right = np.concatenate([basis @ _dot(ink, aim), (aim @ basis.T).ravel()]).astype(np.float64)
    cost = np.array([GAIN_COST] * 6 + [GLARE_COST] * 18) * total
    normal[np.diag_indices(24)] += cost
    right[0] += cost[0]
    weights = np.linalg.solve(normal, right)
    return Light(floats(weights[:6]), floats(weights[6:].reshape(3, 6)))
