"""Reading a printed set back: render the PDF, find every sticker, measure it.

``python -m docs.gallery.print_proof`` draws the sets of all boxes on all papers, renders them at
600 dpi and prints what it measured as JSON lines. Needs pypdfium2.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.printing.booklet import printed
from companion.printing.sheet import PAPERS, Document, PrintedPage
from rules.box import Box, box_ids, load_box

Grey = npt.NDArray[np.uint8]
Picture = npt.NDArray[np.uint8]
"""Height × width × 3, blue, green, red."""
COARSE_DPI = 150
"""Stickers are found at this resolution and measured at the full one."""


@dataclass(frozen=True, slots=True)
class ReadSticker:
    """A sticker found on a page; page millimetres."""

    id: int
    centre: tuple[float, float]
    edges: tuple[float, float, float, float]


@dataclass(slots=True)
class Finding:
    """Measurements of one or several pages."""

    pages: int = 0
    stickers: int = 0
    missing: list[str] = field(default_factory=list)
    """Stickers that should have been read, or were read and should not be there."""
    edge_errors: list[float] = field(default_factory=list)
    """Measured minus wanted length, mm, per edge."""
    place_errors: list[float] = field(default_factory=list)
    """Distance of corner stickers from their places in the box file, mm."""

    def add(self, other: Finding) -> None:
        """Take in what another one found."""
        self.pages += other.pages
        self.stickers += other.stickers
        self.missing += other.missing
        self.edge_errors += other.edge_errors
        self.place_errors += other.place_errors


def pages_at(path: Path, dpi: int, pages: Sequence[int] | None = None) -> Iterator[Grey]:
    """Pages of a PDF as grey pictures, one at a time; ``pages``: their numbers, from 1."""
    import pypdfium2

    document = pypdfium2.PdfDocument(str(path))
    try:
        for number in pages if pages is not None else range(1, len(document) + 1):
            bitmap = document[number - 1].render(scale=dpi / 72, grayscale=True)
            yield np.asarray(bitmap.to_numpy(), dtype=np.uint8).reshape(bitmap.height, bitmap.width)
    finally:
        document.close()


def read_stickers(picture: Grey, dpi: int, dictionary: str) -> list[ReadSticker]:
    """Every sticker of the dictionary on a page that was rendered at ``dpi``."""
    shrink = max(1, dpi // COARSE_DPI)
    small = cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    parameters = cv2.aruco.DetectorParameters()
    # The stock floor would hide stickers of 10 mm on a page of 420.
    parameters.minMarkerPerimeterRate = 4 * 6.0 / 420.0
    parameters.adaptiveThreshWinSizeMax = 53
    detector = cv2.aruco.ArucoDetector(book, parameters)
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return []
    modules = book.markerSize + 2
    read = []
    for sticker, outline in zip(np.asarray(ids).ravel(), corners, strict=True):
        # Pixel centres stay centres when a picture is enlarged.
        px = (np.asarray(outline, dtype=np.float32).reshape(4, 1, 2) + 0.5) * shrink - 0.5
        side = float(np.linalg.norm(px[1] - px[0]))
        reach = max(2, round(0.35 * side / modules))
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
        fine = cv2.cornerSubPix(picture, np.ascontiguousarray(px), (reach, reach), (-1, -1), until)
        mm = (fine.reshape(4, 2).astype(np.float64) + 0.5) * 25.4 / dpi
        lengths = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
        x, y = mm.mean(axis=0)
        first, second, third, fourth = (float(length) for length in lengths)
        read.append(ReadSticker(int(sticker), (float(x), float(y)), (first, second, third, fourth)))
    return read


def check_page(picture: Grey, dpi: int, page: PrintedPage, box: Box) -> Finding:
    """Compare a rendered page with what was drawn on it."""
    finding = Finding(pages=1)
    read = read_stickers(picture, dpi, box.dictionary)
    finding.stickers = len(read)
    wanted, found = Counter(page.stickers), Counter(sticker.id for sticker in read)
    for name in sorted((wanted - found) + (found - wanted)):
        finding.missing.append(
            f"page {page.page}: sticker {name} is there {wanted[name]} times and was read "
            f"{found[name]} times"
        )
    sides = dict(zip(page.stickers, page.sticker_mm, strict=True))
    places = {corner.id: corner.at for corner in box.corners}
    for sticker in read:
        if sticker.id not in sides:
            continue
        finding.edge_errors += [edge - sides[sticker.id] for edge in sticker.edges]
        if page.centre is not None:
            at = places[sticker.id]
            there = (page.centre[0] + at[0], page.centre[1] - at[1])
            finding.place_errors.append(float(np.hypot(*np.subtract(sticker.centre, there))))
    return finding


def check_set(document: Document, path: Path, dpi: int, box: Box) -> dict[str, Finding]:
    """Findings per part of a set that was saved at ``path``."""
    found: dict[str, Finding] = {}
    for page, picture in zip(document.pages, pages_at(path, dpi), strict=True):
        found.setdefault(page.what, Finding()).add(check_page(picture, dpi, page, box))
    return found


def assembled(document: Document, path: Path, box: Box, px_per_mm: float) -> Picture:
    """The board as it is when its tiles are glued together: BGR, row 0 is the far edge."""
    import pypdfium2

    columns, rows = (round(side * px_per_mm) for side in box.size)
    board: Picture = np.zeros((rows, columns, 3), dtype=np.uint8)
    pdf = pypdfium2.PdfDocument(str(path))
    try:
        for page in document.pages:
            if page.centre is None or page.own is None:
                continue
            # A tile's own part seldom begins at a full pixel, so it is moved by parts of one.
            drawn = pdf[page.page - 1].render(scale=2 * px_per_mm * 25.4 / 72).to_numpy()
            shift = [
                [0.5, 0.0, columns / 2 - page.centre[0] * px_per_mm - 0.25],
                [0.0, 0.5, rows / 2 - page.centre[1] * px_per_mm - 0.25],
            ]
            moved = cv2.warpAffine(
                np.ascontiguousarray(drawn[:, :, :3]), np.array(shift), (columns, rows),
                flags=cv2.INTER_AREA,
            )  # fmt: skip
            left, bottom, right, top = page.own
            x0, x1 = (round(columns / 2 + x * px_per_mm) for x in (left, right))
            y0, y1 = (round(rows / 2 - y * px_per_mm) for y in (top, bottom))
            board[y0:y1, x0:x1] = moved[y0:y1, x0:x1]
    finally:
        pdf.close()
    return board


def _record(box: str, paper: str, part: str, finding: Finding) -> dict[str, Any]:
    edges = np.array(finding.edge_errors or [0.0])
    record: dict[str, Any] = {
        "box": box,
        "paper": paper,
        "part": part,
        "pages": finding.pages,
        "stickers": finding.stickers,
        "wrong": finding.missing,
        "edge_error_mean_mm": round(float(edges.mean()), 4),
        "edge_error_max_mm": round(float(np.abs(edges).max()), 4),
    }
    if finding.place_errors:
        record["place_error_max_mm"] = round(max(finding.place_errors), 4)
    return record


def main(arguments: Sequence[str] | None = None) -> int:
    """Check sets and print what was measured; 1 if a sticker is wrong or off by over 0.1 mm."""
    parser = argparse.ArgumentParser(prog="python -m docs.gallery.print_proof")
    parser.add_argument("boxes", nargs="*", metavar="BOX")
    parser.add_argument("--paper", choices=sorted(PAPERS), action="append")
    parser.add_argument("--dpi", type=int, default=600)
    given = parser.parse_args(arguments)
    bad = False
    for name in given.boxes or box_ids():
        box = load_box(name)
        for paper in given.paper or sorted(PAPERS):
            document = printed(box, "de", paper)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "set.pdf"
                document.save(path)
                for part, finding in check_set(document, path, given.dpi, box).items():
                    record = _record(name, paper, part, finding)
                    print(json.dumps(record, ensure_ascii=False), flush=True)
                    off = max(record["edge_error_max_mm"], record.get("place_error_max_mm", 0.0))
                    bad = bad or bool(finding.missing) or off > 0.1
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
