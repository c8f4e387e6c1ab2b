"""Finding out unaided that pieces carry no stickers.

What must lie where is known from the record. Where a piece should lie, no sticker is read, and a
spot of that piece's colour and outline with a plain top is seen instead, there it lies without a
sticker. Two such places are enough: then the whole group is recognised by colour and outline
(``bare``). Nothing is taken for bare where stickers could not be read anyway, because they are
too small in the picture, nor anything that people said does carry stickers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rules.box import Box, PieceKind
from vision.arrays import Bools, Mask, Picture, floats
from vision.board.appearance import BoardAppearance, Difference
from vision.board.colour import apart
from vision.board.patches import BoardView
from vision.board.pose import BoardPose
from vision.pieces.bare import AUTO, BareLook, BareReader, bare_kinds
from vision.pieces.floating import FloatingLattice
from vision.pieces.sighting import BarePiece

PLACES = 2
"""Number of pieces of a group that must be seen without stickers."""
READABLE_PX = 2.6
"""Stickers with smaller modules are not read every time; their absence proves nothing."""
CRISP = 1.0
"""Edges must be no wider than a module: blurred stickers are grey spots that pass for pieces."""
PLAIN_SHARE, PLAIN_LAB = 0.85, 9.0
"""Share of a bare top that is this near to its middle colour."""
TOP_SHARE = {"pawn": 0.2}
USUAL_TOP_SHARE = 0.36
"""Half the width of a top that is looked at, per width of the piece."""
NEARLY = 3.0
"""Log likelihood by which another kind may be better without the expected one being refuted."""
FLAT_SHAPES = ("card", "arch")
"""Cards and capstones are never recognised by colour."""


class BareFinder:
    """Watches for groups of one box that carry no stickers."""

    def __init__(
        self, box: Box, appearance: BoardAppearance, named: Collection[str],
        floating: FloatingLattice | None,
    ) -> None:  # fmt: skip
        """``named``: ids of kinds that are known to carry none. ``floating``: see ``BareSense``."""
        self._box, self._appearance, self._named = box, appearance, named
        self._floating = floating
        self._roomy = {site.id for site in box.sites.values() if site.room > 1}
        self._expected: Mapping[str, Counter[str]] = {}
        self._reader: tuple[frozenset[str], BareReader] | None = None
        self._proofs: dict[str, set[str]] = {}
        self.found: frozenset[str] = frozenset()
        """Groups without stickers."""
        self.declined: frozenset[str] = frozenset()
        """Groups that people said carry stickers."""
        self.unsure: tuple[BarePiece, ...] = ()
        """Supposed pieces without stickers of the last look, not believed yet."""

    def forget(self) -> None:
        """Forget what was found; what people said still holds."""
        self._proofs, self._reader, self.unsure = {}, None, ()
        self.found = frozenset()

    def expect(self, layout: Mapping[str, Sequence[str]]) -> None:
        """Take the layout of the record: kinds by site."""
        self._expected = {
            site: Counter(kind for kind in kinds if self._may_be_bare(kind))
            for site, kinds in layout.items()
        }

    def decline(self, groups: Collection[str]) -> None:
        """People say that these carry stickers."""
        self.declined |= frozenset(groups)
        self.found -= self.declined

    def look(
        self, image: Picture, pose: BoardPose, difference: Difference, alien: Bools,
        hidden: Mask, taken: Collection[str | None], sharpness: float,
    ) -> bool:  # fmt: skip
        """Look for proof; True if a group was found. As ``BareReader.look``.

        ``sharpness``: share of the contrast per px at the steepest edges.
        """
        self.unsure = ()
        groups = self.asked(pose, sharpness)
        if not groups:
            return False
        if self._reader is None or self._reader[0] != groups:
            kinds = [k.id for k in self._box.kinds.values() if k.group in groups]
            self._reader = (groups, BareReader(self._box, kinds, self._appearance, self._floating))
        if not any(kinds and site in self._roomy for site, kinds in self._expected.items()):
            # Beside the sites nothing is expected, so nothing is looked for.
            alien = np.zeros_like(alien)
        seen = self._reader[1].look(image, pose, difference, alien, hidden, taken)
        if self._floating is not None:
            # Where the record has them all, if they are what it has.
            frame = self._floating.follow(seen.pieces, (), None)
            seen = replace(seen, pieces=self._floating.snapped(seen.pieces, frame))
        self.unsure = seen.pieces
        if not seen.pieces:
            return False
        view = BoardView(image, pose, difference, hidden, self._box, self._appearance)
        for piece, kind in self._proving(view, seen):
            place = piece.site or ""
            if place in self._roomy:
                place += f" {piece.at_mm[0]:.0f} {piece.at_mm[1]:.0f}"
            self._proofs.setdefault(kind.group, set()).add(place)
        fresh = {g for g in groups if len(self._proofs.get(g, ())) >= PLACES}
        self.found |= fresh
        self.unsure = tuple(p for p in seen.pieces if self._box.kinds[p.kind].group not in fresh)
        return bool(fresh)

    def _may_be_bare(self, kind: str) -> bool:
        known = self._box.kinds.get(kind)
        return (
            known is not None and bool(known.stickers) and known.shape not in FLAT_SHAPES
            and kind not in self._named
        )  # fmt: skip

    def asked(self, pose: BoardPose, sharpness: float) -> frozenset[str]:
        """Groups that may or may not carry stickers, and could be recognised."""
        per_mm = pose.px_per_mm()
        asked = set()
        for kind in self._box.kinds.values():
            module = per_mm * kind.sticker_mm / 6
            crisp = module >= READABLE_PX and module * sharpness >= CRISP
            if crisp and self._may_be_bare(kind.id):
                asked.add(kind.group)
        return frozenset(asked - self.found - self.declined)

    def _proving(self, view: BoardView, seen: BareLook) -> list[tuple[BarePiece, PieceKind]]:
        """The pieces that lie where the record has them, with a plain top, and what they are."""
        left = {site: Counter(kinds) for site, kinds in self._expected.items()}
        proving = []
        for piece in seen.pieces:
            here = left.get(piece.site or "", Counter())
            told = [look[0].kind for look, score in piece.likely.items() if score > -NEARLY]
            kind = next((name for name in told if here[name] > 0), None)
            if kind is not None and _plain(view, piece, self._box.kinds[kind]):
                here[kind] -= 1
                proving.append((piece, self._box.kinds[kind]))
        return proving


class BareSense:
    """Recognises pieces without stickers: those that were named, and those found to have none."""

    def __init__(
        self, box: Box, named: Collection[str], appearance: BoardAppearance,
        floating: FloatingLattice | None = None,
    ) -> None:  # fmt: skip
        """``named``: kinds and groups, ``*`` for all, ``auto`` to find out which. ``floating``: the
        lattice, if the box has one.

        Raises ValueError with the name of what is neither.
        """
        self._box, self._appearance, self._floating = box, appearance, floating
        self._named = bare_kinds(box, [name for name in named if name != AUTO])
        self._finder = BareFinder(box, appearance, self._named, floating) if AUTO in named else None
        self._reader = BareReader(box, self._named, appearance, floating)

    @property
    def found(self) -> frozenset[str]:
        """Groups of pieces that were found to carry no stickers."""
        return frozenset() if self._finder is None else self._finder.found

    @property
    def unsure(self) -> tuple[BarePiece, ...]:
        """Supposed pieces without stickers, not believed yet; they are not bare board."""
        return () if self._finder is None else self._finder.unsure

    def wants(self, pose: BoardPose, sharpness: float) -> bool:
        """True if a picture must be looked at."""
        finder = self._finder
        if finder is None:
            return self._reader.active
        open_ = bool(finder.asked(pose, sharpness))
        if not open_:
            finder.unsure = ()
        return open_ or self._reader.active

    def expect(self, layout: Mapping[str, Sequence[str]]) -> None:
        """Take the layout of the record: kinds by site."""
        if self._finder is not None:
            self._finder.expect(layout)

    def decline(self, groups: Collection[str]) -> None:
        """People say that these groups carry stickers."""
        if self._finder is not None and frozenset(groups) - self._finder.declined:
            self._finder.decline(groups)
            self._tell()

    def teach(self, opening: Mapping[str, str]) -> None:
        """See ``BareReader.teach``."""
        self._reader.teach(opening)

    def forget(self) -> None:
        """Forget what was learnt and found."""
        if self._finder is not None and self._finder.found:
            self._finder.forget()
            self._tell()
        self._reader.forget()

    def look(
        self, image: Picture, pose: BoardPose, difference: Difference, alien: Bools,
        hidden: Mask, taken: Collection[str | None], sharpness: float,
    ) -> BareLook:  # fmt: skip
        """See ``BareFinder.look`` and ``BareReader.look``."""
        if self._finder is not None and self._finder.look(
            image, pose, difference, alien, hidden, taken, sharpness
        ):
            self._tell()
        told = self._reader.look(image, pose, difference, alien, hidden, taken)
        doubtful = {piece.site for piece in self.unsure if piece.site is not None}
        doubtful -= {piece.site for piece in told.pieces}
        return replace(told, doubtful=told.doubtful | doubtful) if doubtful else told

    def learn(self, pieces: Iterable[BarePiece]) -> None:
        """See ``BareReader.learn``."""
        self._reader.learn(pieces)

    def _tell(self) -> None:
        """Recognise what is named or found from now on, and nothing else."""
        groups = self.found
        kinds = {k.id for k in self._box.kinds.values() if k.group in groups}
        self._reader = BareReader(self._box, self._named | kinds, self._appearance, self._floating)


def _plain(view: BoardView, piece: BarePiece, kind: PieceKind) -> bool:
    """True if the top of a piece is of one colour, so that no sticker there was merely not read."""
    half = TOP_SHARE.get(kind.shape, USUAL_TOP_SHARE) * min(kind.size)
    patch = view.patch(piece.at_mm, half, kind.height)
    middle = floats(np.median(patch.seen.reshape(-1, 3), axis=0))
    return float((apart(patch.seen, middle) < PLAIN_LAB).mean()) >= PLAIN_SHARE
