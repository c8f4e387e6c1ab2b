"""Telling in words and pictures what the camera sees, for the workshop's pages and reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

import cv2

from companion.camera.advising import advice_text
from companion.camera.eyes import Snapshot
from companion.care.snapshots import Evidence, beliefs_of, stamp, table_of
from companion.match.view import TableView
from companion.ui.workbench import CameraLook
from companion.words.wording import Wording
from rules.box import Box
from rules.games import find_game
from rules.reading.sighting import EMPTY, Look
from rules.telling import Teller
from vision.advice import Advice, Adviser
from vision.overlay import annotate

__all__ = ["CameraTeller", "evidence_of"]

ADVICE_S = 1.5
"""Advice changes no sooner; working it out takes longer than looking at a still table."""

WIDEST_PX = 1600
"""Pictures of a report are no wider."""


class CameraTeller:
    """Tells what a camera sees, and what would let it see better."""

    def __init__(self, source: str, box_named: Callable[[str], Box]) -> None:
        """``source``: as the settings name it, empty for none. ``box_named``: a box as it lies on
        this table, by its id."""
        self._source, self._box_named = source, box_named
        self._advising: tuple[Box, Adviser] | None = None
        self._advised: tuple[str, float, tuple[Advice, ...]] = ("", 0.0, ())

    def box(self, game: str) -> Box:
        """The box as a game uses it and as it lies on this table."""
        return self._box_named(find_game(game).box).for_game(game)

    def look(self, snapshot: Snapshot | None, game: str, lang: str) -> CameraLook:
        """What a snapshot shows, in words of a language."""
        if snapshot is None:
            return CameraLook(self._source, game)
        box = self.box(game)
        seen = snapshot.sighting
        return CameraLook(
            source=self._source,
            game=game,
            number=snapshot.frame.index + 1,
            picture=annotate(snapshot.frame, seen, box),
            board=seen.board,
            hand=seen.hand,
            light=seen.light,
            sharpness=seen.sharpness,
            px_per_module=seen.px_per_module,
            error_px=seen.pose_error_px,
            ms=seen.ms.get("total", 0.0),
            beliefs=_beliefs(snapshot, game, lang),
            advice=tuple(advice_text(a, box, lang) for a in self._advice(snapshot, game)),
        )

    def _advice(self, snapshot: Snapshot, game: str) -> tuple[Advice, ...]:
        known, told_s, told = self._advised
        now = time.monotonic()
        if known != game or now - told_s > ADVICE_S:
            told = self._adviser(game).advise(snapshot.frame.image, snapshot.sighting)
            self._advised = (game, now, told)
        return told

    def _adviser(self, game: str) -> Adviser:
        box = self.box(game)
        if self._advising is None or self._advising[0] != box:
            self._advising = (box, Adviser(box))
        return self._advising[1]


def evidence_of(
    snapshot: Snapshot | None, view: TableView | None, box: Box, now_s: float, name: str = ""
) -> Evidence:
    """What is seen and agreed now, with pictures, for a report."""
    pictures = {}
    if snapshot is not None:
        pictures["frame"] = _jpeg(snapshot.frame.image)
        pictures["seen"] = _jpeg(annotate(snapshot.frame, snapshot.sighting, box))
    facts = {
        "when_s": round(now_s, 1),
        "table": table_of(view),
        "camera": beliefs_of(None if snapshot is None else snapshot.sighting),
    }
    return Evidence(name or stamp(now_s), facts, pictures)


def _jpeg(image: cv2.typing.MatLike) -> bytes:
    height, width = image.shape[:2]
    if width > WIDEST_PX:
        size = (WIDEST_PX, round(height * WIDEST_PX / width))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    done, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 82])
    # OpenCV codes any picture of 8 bits; what is none must not become an empty file.
    if not done:
        raise OSError("a picture could not be written as JPEG")
    return coded.tobytes()


def _beliefs(snapshot: Snapshot, game: str, lang: str) -> tuple[tuple[str, str], ...]:
    teller, say = _teller(game, lang), Wording("sight", lang)
    lines = []
    for site, belief in snapshot.sighting.sites.items():
        if belief.occluded:
            lines.append((_site(teller, site), say("covered")))
        elif belief.best != EMPTY:
            lines.append((_site(teller, site), _look(teller, belief.best)))
    lines += [(say("beside"), teller.kind(stray.kind)) for stray in snapshot.sighting.strays]
    return tuple(lines)


def _site(teller: Teller, site: str) -> str:
    name = teller.site(site)
    return name[:1].upper() + name[1:]


def _look(teller: Teller, look: Look) -> str:
    return teller.list([teller.kind(glimpse.kind) for glimpse in look])


@lru_cache(maxsize=16)
def _teller(name: str, lang: str) -> Teller:
    game = find_game(name)
    players = game.players[0]
    return Teller(game, lang, game.colours(players, game.complete_options(players, {})))
