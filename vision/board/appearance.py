"""The expected look of the bare board in this light, though it may never have been seen bare.

The box says how the board is drawn (``drawing``); printers and cameras have their own idea of
green, so there is one ink per drawn colour, fitted together with the light (``lighting``). Once a
picture without a hand has been seen, the inks stay, and ``detail`` learns grain, rims and
misprints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Picture, Planes, Points, floats, inner, picked
from vision.board.drawing import PURE, SOME, Drawing, Fields, drawing_of, mixed
from vision.board.flattening import MM_PER_PX, Flattening
from vision.board.lighting import Fit, Light, Sample, Surfaces, fit_anew, refit, surfaces_at
from vision.board.masks import margins
from vision.board.pose import BoardPose

SAMPLES, WARM_SAMPLES = 2500, 1200
"""Approximate number of grid pixels fitted; the second where light and inks are known."""
TRUSTED_SHARE = 0.6
"""A fit with the known inks must explain this share of the open board."""
ARRIVED_SHARE, STEPS = 0.97, 3
"""A light that explains less may not have converged; it gets at most this many more steps."""
UNEVEN_LEAD = 0.1
"""The hues of so much more of the board must be explained than a slow light explains, for its light
to be uneven."""
FAINT = 0.01
"""Linear light by which a colour may be off without meaning anything; black ink shows it most."""
NEAR = 0.1
"""Residual below which colours are as good as the same: they differ by less than 6.5 degrees."""
DEGREES = np.float32(180 / np.pi)
LEARNING = 0.25
"""Share of a new look in what is known of the detail."""
GRAIN_PX, COARSER = 12.0, 3
"""Learnt patterns broader than this many grid pixels are shade or glare; they are worked out on a
grid this many times coarser."""
FULL = 0.9
"""Brighter than this a camera can no longer tell colours apart."""
CLIPPED = 0.97
"""From here on a channel may have been cut off."""
BARE = 0.3
"""Mean residual below which the bare board is seen: rendered stickers have 0.58 and
more, drawings that passed for stickers 0.07 and less."""
IN_SHADE, EVEN = 0.75, 1.4
"""All of a colour may lie in the shade if it seems this much darker than drawn, by the others,
and about evenly so in all channels."""
OTHER_DEG = 10.0
"""Angle between colours from which they are another material's."""
LEAST_LEFT = np.float32(0.2)
"""Share of its light that a shade leaves to a place at least: the sky's, in a room the walls'.
Fitted glare may be negative, to stand for shade, but beyond that it is only a slope that went on
too far where nothing held it, as in the corner of a board with a lamp's reflection."""
STALE = 0.15
"""Learnt share of a colour above which the drawing may be nearer to the truth."""


@dataclass(frozen=True)
class Difference:
    """A flattened board against how it should look; grids of height × width, float32."""

    odd: npt.NDArray[np.intp]
    """Flat indices of the n pixels whose residual is more than hardly anything; all others are
    hidden or look as they should."""
    angle: Floats
    """Difference of colour at the ``odd`` pixels, (n,): degrees between seen and expected colour as
    vectors."""
    ratio: Floats
    """Seen brightness per expected brightness, (n,); 1 where it is more by next to nothing."""
    off_plane: Floats
    """The part of ``angle`` that neither shade nor white glare can explain, in degrees, (n,)."""
    seen: Planes
    expected: Planes
    """Both in linear light."""
    residual: Planes
    """Seen minus expected, per expected brightness."""
    pure: Bools
    """True where the drawing is of one colour; at its edges a shift looks like a difference."""
    known: Bools
    """True where the board itself was seen before; elsewhere only its drawing is known."""
    beside: Bools
    """True where the table shows beside an own board. Nothing is judged there."""
    uneven: bool = False
    """True if sun or shade falls in patches all over the board."""
    steady: bool = True
    """True if what is known was last seen from here. After a move thin lines may be off by the
    doubt about both poses."""

    fields: Fields | None = None
    """The fields of several colours that were told by their looks alone."""
    alike: Bools | None = None
    """True where an own board was never seen, but what is drawn is known from places alike."""

    @property
    def by_colour(self) -> bool:
        """True if nothing but their colours tells the fields, as far as they are not ``known``."""
        return self.fields is not None

    @property
    def ends(self) -> Bools | None:
        """True where fields that are told ``by_colour`` may end."""
        return None if self.fields is None else self.fields.ends & ~self.known

    @property
    def told(self) -> Bools:
        """True where an own board's drawing is known, as it was seen there or at places alike."""
        return self.known if self.alike is None else self.known | self.alike

    @cached_property
    def too_bright(self) -> Bools:
        """True where light drowns all colour and the bare board would look different: a white field
        in good light is as bright, but looks as it should."""
        blue, green, red = self.seen > FULL
        full: Bools = np.asarray((blue & green) | (green & red) | (red & blue), dtype=np.bool_)
        # Few tables have any.
        spots = np.flatnonzero(full)
        residual = picked(self.residual, spots)
        dazzles = (picked(self.seen, spots) > picked(self.expected, spots)).all(axis=0)
        full.ravel()[spots] = dazzles & (inner(residual, residual) > BARE**2)
        return full


class BoardAppearance:
    """The look of one box's board; learns as it goes."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.size = (round(box.size[0] / MM_PER_PX), round(box.size[1] / MM_PER_PX))
        self._drawing = drawing_of(box, self.size)
        self._first_detail = self._drawing.detail
        self.promised = not box.outline or self._first_detail is not None
        """True if it is known beforehand what the board shows."""
        self.fields: Fields | None = None
        """The colours of the fields of an own board, if they are of several."""
        self._draw(self._drawing)
        self._sides = [side.ravel() for side in margins(box, self.size)]
        """Flat: where beside the drawing a table may show."""
        self._surfaces = Surfaces(self.size)
        self.forget()

    def _draw(self, drawing: Drawing) -> None:
        self._shares, self._drawn_inks = drawing.shares, drawing.inks
        self._pure = self._shares.max(axis=0) > PURE
        main = self._shares[0] > PURE
        self._pure_kinds = (self._pure & ~main).ravel(), main.ravel()
        """Flat: where the drawing is of one rare colour, and where of the board's own."""

    @property
    def undrawn(self) -> bool:
        """True if neither box nor picture tells any fields, and the board was not learnt either."""
        return not self.promised and len(self._drawing.inks) == 1 and self._inks is None

    @property
    def picture(self) -> Planes | None:
        """The board in its own picture, linear light; None if there is none."""
        if self._first_detail is None:
            return None
        return floats(mixed(self._drawing.shares, self._drawing.inks) * self._first_detail)

    def draw(self, fields: Fields | None) -> None:
        """Take the ``fields`` of an ``undrawn`` board as they are seen, or of its ``picture``."""
        self.fields = fields
        if not self.promised:
            self._draw(self._drawing if fields is None else fields.drawn(self._drawing.inks[0]))

    def forget(self) -> None:
        """Forget what was learnt, for another board or camera."""
        if not self.promised:
            self.draw(None)
        self._inks: Floats | None = None
        self._detail: Planes = np.ones((3, *self.size[::-1]), dtype=np.float32)
        if self._first_detail is not None:
            self._detail = self._first_detail.copy()
        self._shade: Planes = np.zeros_like(self._detail)
        """Logarithm of what was learnt and is too broad for grain."""
        self._learnt: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        """Flat indices of where much was learnt."""
        self._known: Bools = np.zeros_like(self._pure)
        """True where anything was learnt."""
        self._stale: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        """Flat indices of where that seems to be out of date."""
        self._beside: Bools = np.zeros_like(self._pure)
        """True where the table shows between an own board and its corner stickers."""
        self._seen_from: Flattening | None = None
        self._learnt_from: Flattening | None = None
        self._drawn: Planes | None = None
        """The drawing in the inks that are known."""
        self._white: Floats = np.ones(3, dtype=np.float32)
        """Colour of the lamp relative to the one in which the inks became known."""
        self._expected: Planes | None = None
        self._fit: Fit | None = None
        self._light: Light | None = None

    def flatten(self, image: Picture, pose: BoardPose) -> Planes:
        """The board seen from straight above in linear light, 0 to 1."""
        view = self._seen_from
        if view is None or not view.fits(pose, image):
            view = self._seen_from = Flattening.of(self._box, self.size, pose, image)
        return view.flatten(image)

    def compare(self, flat: Planes, hidden: Mask, shaded: Mask | None = None) -> Difference:
        """The difference between ``flat`` and the bare board, except where it is ``hidden``.

        ``shaded``: places that may look otherwise and say nothing of the light, but are compared.
        """
        told = self.undrawn and self.fields is not None
        ignored = hidden if shaded is None or told else hidden | shaded
        self._expected = expected = self._bare_board(flat, ignored)
        length = np.sqrt(inner(expected, expected))
        residual = flat - expected
        residual /= length + SOME
        size = inner(residual, residual)
        # A tenth of the light bends a colour by less than anything that is looked for; where it is
        # too dark for that, it is too faint to count.
        odd = np.flatnonzero((size >= NEAR**2) & (hidden == 0))
        return Difference(
            odd, *_apart(picked(flat, odd), picked(expected, odd)), flat, expected, residual,
            self._pure, self._known, self._beside, self._fit is not None and self._fit.uneven,
            self._is_steady(),
            None if self.promised else self.fields,
        )  # fmt: skip

    def _is_steady(self) -> bool:
        now, before = self._seen_from, self._learnt_from
        if now is None or before is None or now is before:
            return True
        return now.shows_same(self._box, before)

    @property
    def lamp(self) -> Floats:
        """Colour of the light by the board's own colours, if they are as in the box: (3,)."""
        known = self._drawn_inks.max(axis=1) > SOME
        inks = self._drawn_inks if self._fit is None else self._fit.inks * self._fit.white
        gain = inks[known] / np.maximum(self._drawn_inks[known], SOME)
        return floats(np.median(gain, axis=0))

    def unlit(self, seen: Floats, mm: Points) -> Floats:
        """Colours ``seen`` (n × 3, linear light) at board points (n × 2 mm, or one), freed of slow
        changes of brightness and of glare; the lamp's colour stays in. To be called after
        ``compare``."""
        if self._fit is None:
            return seen
        x = np.clip(2 * mm[:, 0] / self._box.size[0], -1.1, 1.1)
        y = np.clip(-2 * mm[:, 1] / self._box.size[1], -1.1, 1.1)
        main = self._fit.inks[0] * self._fit.white
        return self._fit.light.unshine(seen.T, surfaces_at(x, y), main).T

    def learn(self, flat: Planes, bare: Bools) -> None:
        """Remember how the board looks where it is ``bare`` (height × width, true or false).

        To be called after ``compare`` with the same ``flat``, and only if there is no hand.
        """
        if self._expected is None or self._fit is None:
            return
        if self._inks is None:
            self._know(self._fit)
        if self._fit.inks is self._inks:
            # Gain and glare mean something only together with the lamp's colour.
            self._white = self._fit.white
        self._light = self._fit.light
        if self._fit.uneven:
            # Patches of sun and shade move on.
            return
        self._learnt_from = self._seen_from
        # A channel that is cut off tells nothing, and what the others learnt without it would be
        # another hue.
        brightest = np.maximum(flat, self._expected).max(axis=0)
        told = bare & ~self._beside & (brightest < FULL)
        # After the first look at a place, that look is all that is known of it.
        share = self._known * np.float32(LEARNING - 1)
        share += 1
        share = share * told
        stale = self._stale[bare.ravel()[self._stale]]
        self._detail.reshape(3, -1)[:, stale] = self._grain(stale)
        # detail · (1 + share · change), in place: new arrays of this size are slow.
        change = flat - self._expected
        change /= self._expected + SOME
        np.clip(change, -0.6, 1.5, out=change)
        change *= share
        change += 1
        self._detail *= change
        most, least = self._detail.max(axis=0), self._detail.min(axis=0)
        self._learnt = np.flatnonzero((most > 1 + STALE) | (least < 1 - STALE))
        # Only what is finer than any shade may influence what the light is like.
        self._shade = _shade(self._detail)

    def recognise(self, where: Bools) -> None:
        """The board itself is what was seen ``where``, height × width: it looked as it should."""
        self._known = self._known | (where & ~self._beside)

    def _know(self, fit: Fit) -> None:
        """Take inks for those of the board; what lies in the shade as a whole seems darker than it
        is drawn, which is acceptable: it is a matter of detail."""
        drawn = self._drawn_inks * self.lamp
        share = fit.inks / np.maximum(drawn, SOME)
        dark = (share.max(axis=1) < IN_SHADE) & (drawn.max(axis=1) > SOME)
        dark &= share.max(axis=1) < EVEN * share.min(axis=1)
        # Pictures of boards leave out what their few colours cannot express.
        dark &= self._first_detail is None
        inks = floats(np.where(dark[:, None], drawn, fit.inks))
        self._inks, self._drawn = inks, mixed(self._shares, inks)
        self._fit = replace(fit, inks=inks)
        if dark.any():
            self._detail *= mixed(self._shares, fit.inks) / np.maximum(self._drawn, 1e-4)

    def _bare_board(self, flat: Planes, hidden: Mask) -> Planes:
        """The bare board in the light of ``flat``."""
        open_ = hidden.ravel() == 0
        if self._inks is None and self._first_detail is None:
            self._beside = self._table(flat, open_).reshape(self._pure.shape)
        open_ &= ~self._beside.ravel()
        if self.undrawn and self.fields is not None:
            open_ &= self.fields.beside.ravel()
        few, many = (np.flatnonzero(open_ & those) for those in self._pure_kinds)
        if len(few) + len(many) < 100:
            inks = self._drawn_inks if self._fit is None else self._fit.inks * self._fit.white
            return mixed(self._shares, inks)
        self._fit = fit = self._fitted(flat, few, many)
        drawn = self._drawn
        if drawn is None or fit.inks is not self._inks:
            drawn = mixed(self._shares, fit.inks)
        gain, glare = self._surfaces.of(fit.light)
        expected = drawn * gain
        expected *= fit.white[:, None, None]
        # Shade and glare are learnt with the grain; when the lamp or what cast the shade is gone,
        # a bare board must not look foreign because of it: then the drawing alone is nearer.
        spots = self._learnt
        plain = picked(expected, spots)
        if not self.promised:
            plain *= self._grain(spots)
        plain += picked(glare, spots)
        expected *= self._detail
        darkest = expected * LEAST_LEFT
        expected += glare
        np.maximum(expected, darkest, out=expected)
        seen = picked(flat, spots)
        beyond, beside = seen - plain, seen - picked(expected, spots)
        nearer = np.flatnonzero(inner(beyond, beyond) < inner(beside, beside))
        self._stale = spots[nearer]
        expected.reshape(3, -1)[:, self._stale] = picked(plain, nearer)
        return np.clip(expected, 0.002, 1.0, out=expected)

    def _grain(self, spots: npt.NDArray[np.intp]) -> Floats:
        """The learnt detail at ``spots`` without shade and glare, 3 × n; where the drawing is known
        beforehand it is that, and this is 1."""
        if self.promised:
            return np.ones((3, len(spots)), dtype=np.float32)
        return floats(picked(self._detail, spots) / np.exp(picked(self._shade, spots)))

    def _table(self, flat: Planes, open_: Bools) -> Bools:
        """Flat: the sides that are mostly of another hue than the board, as far as they are
        ``open_``. The stickers of an own board may lie beside it; what is between is no board."""
        main = open_ & self._pure_kinds[1]
        table = np.zeros_like(open_)
        within = main & ~np.any(self._sides, axis=0) if self._sides else main
        if np.count_nonzero(within) < 100:
            return table
        hue = np.median(flat.reshape(3, -1)[:, within], axis=1)
        for side in self._sides:
            seen = flat.reshape(3, -1)[:, main & side]
            lengths = np.linalg.norm(seen, axis=0) * np.linalg.norm(hue) + SOME**2
            other = hue @ seen < lengths * np.cos(np.deg2rad(OTHER_DEG))
            if np.count_nonzero(other) > 0.5 * len(other):
                table |= side
        return table

    def _fitted(self, flat: Planes, few: npt.NDArray[np.intp], many: npt.NDArray[np.intp]) -> Fit:
        """Inks and light; ``few``, ``many``: flat indices of open pixels of rare colours, and of
        the board's own."""
        warm = self._inks is not None and self._light is not None
        chosen = _spread(few, many, WARM_SAMPLES if warm else SAMPLES)
        seen, shares = picked(flat, chosen), picked(self._shares, chosen)
        detail = picked(self._detail, chosen) / np.exp(picked(self._shade, chosen))
        sample = Sample(seen, shares, floats(detail), self._surfaces.at(chosen))
        fit = None
        if self._inks is not None and self._light is not None:
            fit = refit(sample, self._inks, self._white, self._light)
            # Far from the light before, as below another lamp, one step does not arrive; and what
            # seems foreign because of it would pass for a hand, below which nothing is learnt.
            for _ in range(STEPS):
                if fit.arrived or fit.share >= ARRIVED_SHARE:
                    break
                nearer = refit(sample, self._inks, fit.white, fit.light)
                if nearer.share <= fit.share:
                    break
                fit = nearer
            # Between patches of sun, a slow light explains little, but all hues are the board's.
            if fit.share < 1 - UNEVEN_LEAD:
                uneven = refit(sample, self._inks, self._white, self._light, uneven=True)
                fit = _likelier(fit, uneven, sample)
            if fit.uneven or fit.share >= TRUSTED_SHARE:
                return fit
        # A lamp was switched: what was known of the light is worthless.
        if self._first_detail is not None:
            # A picture's colours are coarse; what they leave out is not light.
            sample = replace(sample, seen=floats(seen / picked(self._first_detail, chosen)))
        anew = fit_anew(sample, self._drawn_inks)
        # Of a board that was never seen nobody knows what is shade and what is drawn.
        if anew.share < 1 - UNEVEN_LEAD and (self.promised or self._known.any()):
            anew = _likelier(anew, fit_anew(sample, self._drawn_inks, uneven=True), sample)
        return anew if fit is None or anew.share > fit.share else fit


def _likelier(fit: Fit, uneven: Fit, sample: Sample) -> Fit:
    """``uneven`` if it explains the hues of clearly more than ``fit`` explains."""
    return uneven if uneven.hues(sample) > fit.share + UNEVEN_LEAD else fit


def _apart(seen: Floats, expected: Floats) -> tuple[Floats, Floats, Floats]:
    """Angle, ratio and off-plane angle (``Difference``) between colours, 3 × n each."""
    expected = _as_clipped(seen, expected)
    dot = inner(seen, expected)
    square = np.maximum(inner(expected, expected), 1e-6)
    length = np.sqrt(square)
    seen_square = inner(seen, seen)
    ratio = dot / square
    far = np.sqrt(np.maximum(seen_square - dot * ratio - FAINT**2, 0))
    angle = np.arctan2(far, np.maximum(dot / length, SOME))
    # Brighter by next to nothing is not brighter, however little was expected.
    ratio = np.where(dot < square + FAINT * length, np.minimum(ratio, 1), ratio)
    # White light added to the expected colour, or a gleam that has gone, spans a plane with it;
    # what sticks out of that plane is another material.
    blue, green, red = expected
    normal = np.stack([green - red, red - blue, blue - green])
    steady = np.maximum(inner(normal, normal), 1e-8)
    out = np.sqrt(np.maximum(inner(seen, normal) ** 2 / steady - FAINT**2, 0))
    out /= np.sqrt(seen_square) + SOME
    return (
        floats(angle * DEGREES), floats(ratio), floats(np.arcsin(np.minimum(out, 1)) * DEGREES)
    )  # fmt: skip


def _as_clipped(seen: Floats, expected: Floats) -> Floats:
    """``expected`` with the hue that a sensor gives it where it is ``seen`` too bright for one or
    two channels, 3 × n each."""
    full = seen >= CLIPPED
    some = np.flatnonzero(full.any(axis=0) & ~full.all(axis=0))
    if not len(some):
        return expected
    bright, drawn, cut = seen[:, some], expected[:, some], full[:, some]
    open_ = drawn * ~cut
    gain = np.maximum(inner(bright, open_) / np.maximum(inner(open_, open_), 1e-6), LEAST_LEFT)
    clipped = expected.copy()
    clipped[:, some] = np.where(cut & (drawn * gain > bright), bright / gain, drawn)
    return clipped


def _shade(detail: Planes) -> Planes:
    """Logarithm of the part of ``detail`` that is as broad as shade or glare."""
    height, width = detail.shape[1:]
    few = (max(width // COARSER, 1), max(height // COARSER, 1))
    logs = np.asarray(cv2.log(detail.reshape(-1, width))).reshape(detail.shape)
    coarse = cv2.resize(cv2.merge(list(logs)), few, interpolation=cv2.INTER_AREA)
    broad = cv2.GaussianBlur(coarse, (0, 0), GRAIN_PX / COARSER)
    shade: Planes = np.empty_like(detail)
    cv2.split(cv2.resize(broad, (width, height), interpolation=cv2.INTER_LINEAR), list(shade))
    return shade


def _spread(
    few: npt.NDArray[np.intp], many: npt.NDArray[np.intp], count: int
) -> npt.NDArray[np.intp]:
    """About ``count`` pixels, evenly over the board but with enough of every rare colour."""
    kept = [group[:: max(1, 2 * len(group) // count)] for group in (few, many)]
    return np.concatenate(kept)
