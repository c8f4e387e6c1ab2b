"""Pieces at the sites of a board, by two readers that know nothing of each other.

Small stickers are read softly (``vision.stickers.direct``); where that leaves a doubt, OpenCV's
decoder looks at the same place enlarged (``vision.stickers.reader``). What both say is believed,
and what one says if the other says nothing; if they name different stickers, neither is believed,
and the site is left to the next frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.box import Box, PieceKind
from rules.errors import Sentence
from vision.arrays import Bools, Picture, Points, points
from vision.board.pose import BoardPose
from vision.pieces.sighting import SeenPiece
from vision.stickers.direct import LEAST_PX_PER_MODULE, Answer, DirectDecoder, Place
from vision.stickers.reader import SeenSticker, StickerReader

ROAM_MM = 5.0
"""Distance of a piece's sticker from the middle of its site up to which it is read directly."""
WORTH = 0.75
"""Likeness from which an unsure direct answer is worth contradicting."""


class KnownPlaces:
    """The places of one box where a single piece lies at a known height."""

    def __init__(self, box: Box, reader: StickerReader, piled: Collection[str]) -> None:
        """``piled``: kinds that may lie on each other; their height is not known."""
        self._box = box
        self._modules = reader.modules
        self._decoder = DirectDecoder({i: reader.pattern(i) for i in reader.tellable})
        self._single = frozenset(
            site.id
            for site in box.sites.values()
            if site.room == 1
            and site.size is None
            and not any(kind.id in piled for kind in box.kinds_at(site.id))
        )
        stickers = dict.fromkeys(
            (site.id, site.at, kind.height, kind.sticker_mm)
            for site in box.sites.values() for kind in box.kinds_at(site.id) if kind.stickers
        )  # fmt: skip
        self._sides = [(site, side) for site, _at, _height, side in stickers]
        """Site and size (mm) of each sticker that may lie anywhere."""
        self._at_mm = np.array([(*at, height) for _, at, height, _ in stickers]).reshape(-1, 3)
        """Their places, n × 3 mm."""
        self._last: tuple[BoardPose, dict[str, list[Place]]] | None = None
        """Places that were asked for, as they are seen from a pose."""
        self._small: tuple[BoardPose, Mapping[str, float]] | None = None

    def read(self, image: Picture, pose: BoardPose, sites: Iterable[str]) -> dict[str, Answer]:
        """The likeliest sticker at each of ``sites`` that can be read directly."""
        single = [site for site in sites if site in self._single]
        wanted = [(site, place) for site in single for place in self._places(pose, site)]
        return self._likeliest(image, wanted)

    def read_hard(self, image: Picture, pose: BoardPose, sites: Iterable[str]) -> dict[str, Answer]:
        """The same, also where pieces may lie on each other: for what nothing else can read."""
        small = [site for site in sites if self._box.sites[site].size is None]
        return self._likeliest(image, [(s, place) for s in small for place in self._at(pose, s)])

    def _likeliest(self, image: Picture, wanted: Sequence[tuple[str, Place]]) -> dict[str, Answer]:
        answers = self._decoder.read(image, [place for _, place in wanted])
        best: dict[str, Answer] = {}
        for (site, _), answer in zip(wanted, answers, strict=True):
            if site not in best or _weight(answer) > _weight(best[site]):
                best[site] = answer
        return best

    def px_per_module(self, pose: BoardPose, kind: PieceKind, at: tuple[float, float]) -> float:
        """Size in px of the modules of a kind's stickers at a point of the board, in mm."""
        return pose.px_per_mm(at, kind.height) * kind.sticker_mm / self._modules

    def too_small(self, pose: BoardPose) -> Mapping[str, float]:
        """Sites that take pieces whose stickers are too small to be read, and px per module."""
        if self._small is None or self._small[0] is not pose:
            small: dict[str, float] = {}
            for (site, side), scale in zip(self._sides, pose.scales(self._at_mm), strict=True):
                px = float(scale) * side / self._modules
                if px < min(LEAST_PX_PER_MODULE, small.get(site, np.inf)):
                    small[site] = px
            self._small = (pose, small)
        return self._small[1]

    def _places(self, pose: BoardPose, site: str) -> list[Place]:
        if self._last is None or self._last[0] is not pose:
            self._last = (pose, {})
        known = self._last[1]
        if site not in known:
            known[site] = self._at(pose, site)
        return known[site]

    def _at(self, pose: BoardPose, site: str) -> list[Place]:
        """One place per height and size of sticker."""
        ids: dict[tuple[float, float], list[int]] = {}
        for kind in self._box.kinds_at(site):
            if kind.stickers:
                ids.setdefault((kind.height, kind.sticker_mm), []).extend(kind.stickers)
            if kind.lying_stickers:
                lying = (min(kind.size), kind.sticker_mm)
                ids.setdefault(lying, []).extend(kind.lying_stickers)
        x, y = self._box.sites[site].at
        places = []
        for (height, side), stickers in ids.items():
            half = side / 2
            spots = [(x, y), (x - half, y), (x + half, y), (x, y - half), (x, y + half)]
            px = pose.project(np.array([(*spot, height) for spot in spots]))
            across = np.column_stack([px[2] - px[1], px[4] - px[3]]) / side
            places.append(Place(px[0], across, side, ROAM_MM, tuple(stickers)))
        return places


@dataclass(frozen=True, eq=False)
class Reconciled:
    """The stickers that two readers agree on."""

    stickers: list[SeenSticker]
    doubtful: frozenset[str]
    """Sites about which they disagree, or where neither can read what is there."""


def remembered(answers: Mapping[str, Answer], before: Iterable[SeenPiece]) -> dict[str, Answer]:
    """``answers`` (by site), the unsure ones supported by what was read ``before`` with the camera
    where it is now.

    A lamp that is reflected in a sticker, or a shade on it, leaves too little to tell it from all
    others. But if the likeliest of them is the one that was there, just where it was, it still is.
    """
    supported = dict(answers)
    for piece in before:
        answer = answers.get(piece.site or "")
        if answer is None or answer.id is not None or answer.guess != piece.sticker:
            continue
        there = _same_spots(points([piece.corners_px.mean(axis=0)]), answer.corners[None])
        if answer.likeness >= WORTH and answer.lead > 1 and there[0, 0]:
            supported[piece.site or ""] = replace(answer, id=answer.guess)
    return supported


def reconcile(answers: Mapping[str, Answer], seen: Sequence[SeenSticker]) -> Reconciled:
    """Join direct ``answers`` (by site) with stickers that were ``seen`` in another way."""
    rest = list(enumerate(seen))
    told = {
        site: answer for site, answer in answers.items()
        if answer.guess is not None and (answer.id is not None or answer.likeness >= WORTH)
    }  # fmt: skip
    same = _same_spots(
        points([other.corners.mean(axis=0) for other in seen]),
        np.array([answer.corners for answer in told.values()]).reshape(-1, 4, 2),
    )
    stickers: list[SeenSticker] = []
    doubtful = set()
    for (site, answer), near in zip(told.items(), same, strict=True):
        here = [other for n, other in rest if near[n]]
        # A likeness is no match for a direct reading; bits that were read one by one are.
        against = [o for o in here if o.id != answer.guess and (o.sure or answer.id is None)]
        if against:
            doubtful.add(site)
        elif answer.id is not None:
            stickers.append(SeenSticker(answer.id, answer.corners))
        elif not here:
            # Something like a sticker that nobody can read is not nothing.
            doubtful.add(site)
        else:
            continue
        rest = [(n, other) for n, other in rest if not near[n]]
    return Reconciled([*stickers, *(other for _, other in rest)], frozenset(doubtful))


def too_small(px_per_module: float) -> Sentence:
    """The reason that nothing is read, and what to do."""
    return Sentence(
        "stickers_too_small",
        {"found": px_per_module, "needed": LEAST_PX_PER_MODULE},
    )


def _weight(answer: Answer) -> tuple[bool, float]:
    return (answer.id is not None, answer.likeness)


def _same_spots(middles: Points, corners: Points) -> Bools:
    """True where one of n ``middles`` of stickers (n × 2 px) is where one of m others has its
    ``corners`` (m × 4 × 2 px): m × n."""
    sides = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    away = np.linalg.norm(middles - corners.mean(axis=1)[:, None], axis=2)
    return np.asarray(away < sides[:, None] / 2)
