"""Lens calibration: views of a printed sheet become focal length and distortion.

The sheet is a chessboard with markers in its white squares (ChArUco), so that every view counts
even if a part of the sheet lies outside the picture. ``Calibration`` does no input or output: it is
given pictures, says what it made of each and what is still wanted, and returns the lens at the end.

Method: Z. Zhang, "A flexible new technique for camera calibration", PAMI 22 (2000), as
``cv2.calibrateCameraExtended`` does it; sheet: S. Garrido-Jurado et al., Pattern Recognition 47
(2014), and OpenCV's ``CharucoBoard``.
"""

from __future__ import annotations

import math
import struct
import zlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from rules.errors import Complaint, Sentence
from vision.arrays import Floats, Grey, Picture, Points, floats, points
from vision.camera.lens import Lens

SQUARES = (6, 9)
"""Squares across and down."""
SQUARE_MM, MARKER_MM = 30.0, 22.0
"""Sides; only their ratio matters, since a lens knows no millimetres."""
PAPER_MM = (210.0, 297.0)
DPI = 300

VIEWS_NEEDED = 10
MOST_VIEWS = 40
"""Most views; more cost time and add nothing."""
LEAST_CORNERS = 12
"""Number of the 40 inner corners that must be visible."""
LEAST_SQUARE_PX = 9.0
LEAST_SHARPNESS = 0.18
"""Steepest edge: share of the contrast per px; the same measure as in a sighting."""
ALIKE = 0.025
"""Views whose corners differ by less than this share of the picture's width are one view."""
GRID = (3, 3)
"""Parts of the picture, across and down, that must each have been covered."""
LEAST_IN_PART = 12
"""Corners, over all views, that cover a part of the picture."""
TILT_DEG = 14.0
"""Tilt from which a view tells focal length and distance apart."""
TILTS_NEEDED = 4
LIMIT = 0.0004
"""Largest reprojection error that passes, per long side of the picture (0.77 px at 1920)."""
FOCAL_DOUBT = 0.01
"""Largest doubt (one sigma) about the focal length that passes, as a share of it."""
OUTLIER = 3.0
"""Views whose error is this many times the median are left out."""
BETTER = 0.995
"""A third radial coefficient is kept if it lowers the error below this share."""

Ids: TypeAlias = npt.NDArray[np.intp]
"""Numbers of the sheet's inner corners."""

Region = Literal[
    "top_left", "top", "top_right", "left", "middle", "right", "bottom_left", "bottom",
    "bottom_right",
]  # fmt: skip
REGIONS: tuple[Region, ...] = (
    "top_left", "top", "top_right", "left", "middle", "right", "bottom_left", "bottom",
    "bottom_right",
)  # fmt: skip

Verdict = Literal[
    "taken", "no_sheet", "few_corners", "too_small", "blurred", "seen_before", "other_size",
    "enough",
]  # fmt: skip


class CalibrationError(Complaint, ValueError):
    """No lens can be derived from these views; the code says why."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The verdict on a picture, and the wish for the next one."""

    verdict: Verdict
    """``taken``, or why the picture does not count."""
    want: Region | Literal["tilt", "more", ""]
    """Place where the sheet should be held next, ``tilt`` (hold it at a slant), ``more`` (anywhere
    else), or empty: there is enough."""
    views: int
    """Number of views so far."""
    share: float
    """Share of the needed views that is there, 0 to 1."""
    corners_px: Points
    """The corners that were found, n × 2 px, for a screen to draw."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The lens that explains the views best."""

    lens: Lens
    error_px: float
    """Reprojection error, root mean square over all corners of the views that count."""
    worst_px: float
    """The same of the worst view."""
    focal_doubt: float
    """One sigma of the focal length as a share of it."""
    views: int
    left_out: int
    """Views that did not fit the others."""

    @property
    def limit_px(self) -> float:
        """The largest error that passes."""
        return LIMIT * max(self.lens.size)

    @property
    def passed(self) -> bool:
        """True if the lens may be used."""
        return self.error_px <= self.limit_px and self.focal_doubt <= FOCAL_DOUBT


@dataclass(frozen=True)
class _View:
    ids: Ids
    px: Points
    tilt_deg: float


class Calibration:
    """Collects views of the sheet by one camera at one picture size."""

    def __init__(self) -> None:
        self._board = _board()
        self._sheet_mm = floats(self._board.getChessboardCorners())[:, :2]
        self._detector = cv2.aruco.CharucoDetector(self._board)
        self._views: list[_View] = []
        self.size: tuple[int, int] | None = None
        """Width and height of the pictures; that of the first one."""

    @property
    def views(self) -> int:
        """Number of views that count."""
        return len(self._views)

    @property
    def covered(self) -> dict[Region, bool]:
        """Parts of the picture, each True if it has been covered."""
        counts = self._counts()
        return {region: counts[n] >= LEAST_IN_PART for n, region in enumerate(REGIONS)}

    @property
    def tilted(self) -> int:
        """Number of views that show the sheet at a slant."""
        return sum(view.tilt_deg >= TILT_DEG for view in self._views)

    @property
    def ready(self) -> bool:
        """True if there is enough for ``solve``."""
        return not self._want()

    def add(self, image: Picture) -> Hint:
        """Look at one picture (height × width × 3, BGR) and take it as a view if it is a good
        one."""
        size = (image.shape[1], image.shape[0])
        if self.size is not None and size != self.size:
            return self._hint("other_size")
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        found, ids, markers, _ = self._detector.detectBoard(grey)
        if ids is None or len(ids) == 0:
            return self._hint("few_corners" if markers is not None and len(markers) else "no_sheet")
        px, numbers = points(found), np.ravel(ids).astype(np.intp)
        verdict, tilt = self._judge(grey, px, numbers, size)
        if verdict == "taken":
            self.size = size
            self._views.append(_View(numbers, px, tilt))
        return self._hint(verdict, px)

    def solve(self) -> Calibrated:
        """The lens. Raises CalibrationError (``few_views``, ``uncovered``, ``no_tilt``,
        ``no_lens``) if the views do not suffice."""
        if self.size is None or self.views < VIEWS_NEEDED:
            raise CalibrationError("few_views", views=self.views, needed=VIEWS_NEEDED)
        uncovered = [Sentence(region)
                     for region, is_covered in self.covered.items() if not is_covered]  # fmt: skip
        if uncovered:
            raise CalibrationError("uncovered", regions=uncovered)
        if self.tilted < TILTS_NEEDED:
            raise CalibrationError("no_tilt", views=self.tilted, needed=TILTS_NEEDED)
        views = list(self._views)
        fit = _fit(views, self._sheet_mm, self.size)
        outliers = fit.errors > max(OUTLIER * float(np.median(fit.errors)), 0.5)
        if outliers.any() and int((~outliers).sum()) >= VIEWS_NEEDED:
            views = [view for view, out in zip(views, outliers, strict=True) if not out]
            fit = _fit(views, self._sheet_mm, self.size)
        if not 0.2 < fit.lens.focal / max(self.size) < 5:
            raise CalibrationError("no_lens", error=round(fit.error, 2))
        return Calibrated(
            fit.lens, fit.error, float(fit.errors.max()), fit.doubt, len(views),
            self.views - len(views),
        )  # fmt: skip

    # -- judging views --------------------------------------------------------------------

    def _judge(
        self, grey: Grey, px: Points, ids: Ids, size: tuple[int, int]
    ) -> tuple[Verdict, float]:
        """The verdict on a view, and its tilt in degrees."""
        mm = self._sheet_mm[ids]
        spread = np.linalg.svd(mm - mm.mean(axis=0), compute_uv=False)
        # Corners in one row of the sheet say nothing about its plane.
        if len(ids) < LEAST_CORNERS or spread[1] < SQUARE_MM:
            return "few_corners", 0.0
        scale = float(np.max(px.std(axis=0))) / max(float(np.max(mm.std(axis=0))), 1e-6)
        if scale * SQUARE_MM < LEAST_SQUARE_PX:
            return "too_small", 0.0
        if _sharpness(grey, px, scale * SQUARE_MM) < LEAST_SHARPNESS:
            return "blurred", 0.0
        if self._is_known(px, ids, size):
            return "seen_before", 0.0
        if len(self._views) >= MOST_VIEWS:
            return "enough", 0.0
        return "taken", _tilt(mm, px, size)

    def _is_known(self, px: Points, ids: Ids, size: tuple[int, int]) -> bool:
        for view in self._views:
            _, here, there = np.intersect1d(ids, view.ids, return_indices=True)
            if len(here) >= LEAST_CORNERS // 2:
                shift = np.linalg.norm(px[here] - view.px[there], axis=1).mean()
                if shift < ALIKE * max(size):
                    return True
        return False

    def _counts(self) -> Points:
        """Corners in each part of the picture, row by row."""
        counts = np.zeros(GRID[0] * GRID[1])
        if self.size is not None:
            for view in self._views:
                cells = np.clip((view.px / self.size * GRID).astype(int), 0, np.array(GRID) - 1)
                np.add.at(counts, cells[:, 1] * GRID[0] + cells[:, 0], 1)
        return counts

    def _want(self) -> Region | Literal["tilt", "more", ""]:
        counts = self._counts()
        if counts.min() < LEAST_IN_PART:
            return REGIONS[int(counts.argmin())]
        if self.tilted < TILTS_NEEDED:
            return "tilt"
        return "more" if self.views < VIEWS_NEEDED else ""

    def _hint(self, verdict: Verdict, px: Points | None = None) -> Hint:
        parts = [
            min(self.views / VIEWS_NEEDED, 1.0),
            float(np.minimum(self._counts() / LEAST_IN_PART, 1.0).mean()),
            min(self.tilted / TILTS_NEEDED, 1.0),
        ]
        corners = np.empty((0, 2)) if px is None else px
        return Hint(verdict, self._want(), self.views, min(parts), corners)


def _sharpness(grey: Grey, px: Points, square_px: float) -> float:
    """Steepest edge at the corners of the sheet: share of the contrast per px."""
    half = int(np.clip(square_px / 4, 3, 12))
    steep = []
    for x, y in np.round(px).astype(int):
        part = floats(grey[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1])
        if min(part.shape) < 2 * half:
            continue
        low, high = np.percentile(part, [5, 95])
        across = cv2.Sobel(part, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        down = cv2.Sobel(part, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        slope = float(np.percentile(np.hypot(across, down), 96))
        steep.append(slope / max(float(high - low), 8.0))
    return float(np.median(steep)) if steep else 0.0


def _tilt(mm: Floats, px: Points, size: tuple[int, int]) -> float:
    """Angle between the sheet and the picture's plane in degrees, for a usual lens."""
    lens = Lens.guess(*size)
    space = np.column_stack([mm, np.zeros(len(mm))])
    good, rotation, _ = cv2.solvePnP(
        space, px.reshape(-1, 1, 2), lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    if not good:
        return 0.0
    return math.degrees(math.acos(min(abs(float(cv2.Rodrigues(rotation)[0][2, 2])), 1.0)))


# -- the lens -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fit:
    lens: Lens
    error: float
    errors: Points
    """Root mean square error per view, px."""
    doubt: float


def _fit(views: list[_View], sheet_mm: Floats, size: tuple[int, int]) -> _Fit:
    """The lens for these views; a third radial coefficient only where it is needed."""
    usual = _fit_once(views, sheet_mm, size, cv2.CALIB_FIX_K3)
    wide = _fit_once(views, sheet_mm, size, 0)
    return wide if wide.error < BETTER * usual.error else usual


def _fit_once(views: list[_View], sheet_mm: Floats, size: tuple[int, int], flags: int) -> _Fit:
    space = [floats(np.column_stack([sheet_mm[v.ids], np.zeros(len(v.ids))])) for v in views]
    seen = [floats(v.px).reshape(-1, 1, 2) for v in views]
    start = Lens.guess(*size)
    result = cv2.calibrateCameraExtended(
        space, seen, size, start.matrix, np.zeros(5),
        flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST,
    )  # fmt: skip
    error, matrix, bend, _, _, doubts, _, errors = result
    k1, k2, _, _, k3 = map(float, np.ravel(bend)[:5])
    matrix = np.asarray(matrix, dtype=np.float64)
    offset = (
        float(matrix[0, 2]) - (size[0] - 1) / 2,
        float(matrix[1, 2]) - (size[1] - 1) / 2,
    )
    lens = Lens(size, float(matrix[0, 0]), k1, offset, (k2, k3))
    doubt = float(np.max(np.ravel(doubts)[:2])) / max(lens.focal, 1.0)
    return _Fit(lens, float(error), np.ravel(errors).astype(np.float64), doubt)


# -- the sheet ----------------------------------------------------------------------------


def _board() -> cv2.aruco.CharucoBoard:
    # A dictionary that no box uses: a sheet on the table is never taken for pieces.
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def draw_sheet(px_per_mm: float = DPI / 25.4) -> Grey:
    """The A4 sheet to print, height × width, with a line that says how."""
    width, height = (round(side * px_per_mm) for side in PAPER_MM)
    square = math.floor(SQUARE_MM * px_per_mm)
    across, down = SQUARES[0] * square, SQUARES[1] * square
    board = _board().generateImage((across, down))
    paper: Grey = np.full((height, width), 255, dtype=np.uint8)
    left, top = (width - across) // 2, (height - down) // 2
    paper[top : top + down, left : left + across] = board
    line = "HEELSTONE LENS SHEET   A4, 100 %   keep it flat"
    size = 2.4 * px_per_mm / 22
    place = (left, top + down + round(7 * px_per_mm))
    thick = max(1, round(0.25 * px_per_mm))
    cv2.putText(paper, line, place, cv2.FONT_HERSHEY_SIMPLEX, size, 0, thick, cv2.LINE_AA)
    return paper


def sheet_png() -> bytes:
    """The sheet as a PNG file that knows its size in millimetres."""
    _, data = cv2.imencode(".png", draw_sheet())
    png = data.tobytes()
    per_metre = round(DPI / 0.0254)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body))
    end_of_header = 8 + 25
    return png[:end_of_header] + chunk + png[end_of_header:]
