"""The last stage of a look: the findings as a sighting."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rules.box import Box
from vision.arrays import points
from vision.board.pose import BoardPose
from vision.pieces.figures import light
from vision.pieces.known_places import too_small
from vision.pieces.reader import PieceReader
from vision.pieces.sighting import SeenPiece, Sighting, site_beliefs, strays
from vision.pipeline.results import Compared, FoundBoard, ReadPieces, Settled


class Telling:
    """Makes sightings of one box's table."""

    def __init__(self, box: Box, reader: PieceReader) -> None:
        self._box, self._reader = box, reader
        self._unseen: tuple[BoardPose, frozenset[str]] | None = None

    def tell(
        self, board: FoundBoard, compared: Compared, read: ReadPieces, settled: Settled,
        beneath: Iterable[SeenPiece], unread: frozenset[str], bare_found: frozenset[str],
        sharpness: float, box: Box, lattice: tuple[str, ...] = (),
    ) -> Sighting:  # fmt: skip
        """The sighting; its ``ms`` are left to the caller, who has the clock.

        ``beneath``: pieces that may lie below others where they were read before. ``unread``: sites
        with things that may be pieces. ``bare_found``: groups of pieces without stickers. ``box``:
        with the cells that are looked at. ``lattice``: as in the sighting.
        """
        pose, bare, coverage = board.pose, settled.bare, settled.coverage
        pieces = tuple(piece for piece in settled.pieces if piece.site not in read.disputed)
        small = self._reader.places.too_small(pose)
        occluded = coverage.covered | read.disputed | small.keys() | bare.doubtful
        beliefs = site_beliefs(
            box,
            pieces,
            occluded,
            self._out_of_view(pose),
            coverage.strange,
            beneath,
            unread,
        )
        return Sighting(
            sites=bare.beliefs(box, beliefs),
            hand=coverage.hand,
            strays=(*strays(pieces), *bare.strays),
            pose=pose,
            moved=board.moved,
            pieces=pieces,
            bare=bare.pieces,
            bare_found=bare_found,
            occluded=occluded,
            glaring=coverage.glaring,
            strange=coverage.strange,
            lattice=lattice,
            reason=too_small(min(small.values())) if small else None,
            light=light(compared.flat, settled.hidden),
            sharpness=sharpness,
            px_per_module=pose.px_per_mm() * self._reader.least_mm / 6,
            pose_error_px=pose.error_px,
        )

    def _out_of_view(self, pose: BoardPose) -> frozenset[str]:
        """Sites that are partly outside the picture."""
        if self._unseen is not None and self._unseen[0] is pose:
            return self._unseen[1]
        sites = list(self._box.sites.values())
        sizes = [site.size or (2 * site.radius, 2 * site.radius) for site in sites]
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        rims = points([s.at for s in sites])[:, None] + points(sizes)[:, None] * corners
        px = pose.project(rims.reshape(-1, 2)).reshape(-1, 4, 2)
        inside = ((px >= 0) & (px < pose.lens.size)).reshape(len(sites), -1)
        unseen = {site.id for site, seen in zip(sites, inside, strict=True) if not seen.all()}
        self._unseen = (pose, frozenset(unseen))
        return self._unseen[1]
