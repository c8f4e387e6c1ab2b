"""Captures of the table: what the camera saw and believed, kept on request.

A moment is a JSON file with pictures of the same name beside it, in ``reports/moments`` of the
state folder. The newest few stay; they survive a restart and go into the next problem report. Which
is the newest is counted, not read off the clock: a Raspberry Pi has none of its own, and after a
power cut it may believe that it is last year.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.match.view import TableView
from companion.settings.writing import write_whole
from rules.reading.sighting import EMPTY, look_text

if TYPE_CHECKING:
    from vision.pieces.sighting import Sighting

log = logging.getLogger(__name__)

MOST_MOMENTS = 12
NUMBER = "number"
"""Key of the number of moments saved before, in a moment's file."""
SCENE = "scene"
"""Key of the sightings and touches."""
LIKELIEST = 3
"""Number of looks of a site that are listed, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One look at the table: everything that explains why something was concluded."""

    name: str
    facts: Mapping[str, Any]
    """Plain JSON data: time, table, beliefs."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """JPEG files by what they show: ``frame``, ``seen``."""
    scene: Sequence[Mapping[str, Any]] = ()
    """Sightings and touches until then, as lines for ``heelstone rehearse``."""


class Moments:
    """The moments of a state folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, evidence: Evidence) -> None:
        """Write a moment; the oldest gives way. Raises OSError."""
        number = max((known for known, _ in self._numbered()), default=0) + 1
        for what, picture in evidence.pictures.items():
            write_whole(self.folder / f"{evidence.name}-{what}.jpg", picture)
        # The facts come last: without them the pictures are not a moment yet.
        facts = {**evidence.facts, NUMBER: number, SCENE: evidence.scene}
        text = json.dumps(facts, ensure_ascii=False, indent=1)
        write_whole(self.folder / f"{evidence.name}.json", text + "\n")
        for old in self.names()[:-MOST_MOMENTS]:
            (self.folder / f"{old}.json").unlink(missing_ok=True)
        stay = self.names()
        for path in self.folder.glob("*.jpg"):
            # Including those whose facts a full disk did not take.
            if path.stem.rpartition("-")[0] not in stay:
                path.unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Names of all moments, the oldest first; a name begins with date and time."""
        return [name for _, name in sorted(self._numbered())]

    def all(self) -> list[Evidence]:
        """All moments, the newest first; one that cannot be read is left out and logged."""
        found = []
        for name in reversed(self.names()):
            try:
                facts = self._facts(name)
                facts.pop(NUMBER, None)
                scene = facts.pop(SCENE, ())
                pictures = {
                    path.stem.removeprefix(f"{name}-"): path.read_bytes()
                    for path in sorted(self.folder.glob(f"{name}-*.jpg"))
                }
            except (OSError, ValueError, RecursionError) as error:
                log.warning("the moment %s cannot be read: %s", name, error)
                continue
            found.append(Evidence(name, facts, pictures, scene))
        return found

    def _facts(self, name: str) -> dict[str, Any]:
        """Raises OSError, ValueError, RecursionError."""
        facts = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        if not isinstance(facts, dict):
            raise ValueError("it holds no facts")
        return facts

    def _numbered(self) -> list[tuple[int, str]]:
        """Number of moments saved before each, and its name; 0 for one that does not say."""
        found = []
        for path in self.folder.glob("*.json"):
            try:
                number = self._facts(path.stem).get(NUMBER, 0)
            except (OSError, ValueError, RecursionError):
                number = 0
            found.append((number if isinstance(number, int) else 0, path.stem))
        return found


def stamp(now_s: float) -> str:
    """A moment's name: date and time here, to the tenth of a second."""
    return time.strftime("%Y%m%d-%H%M%S", time.localtime(now_s)) + f"-{int(now_s * 10) % 10}"


def beliefs_of(sighting: Sighting | None) -> dict[str, Any]:
    """Beliefs of the camera, as plain data."""
    if sighting is None:
        return {"board": "no camera"}
    sites: dict[str, dict[str, Any]] = {}
    for site, belief in sighting.sites.items():
        if belief.occluded:
            sites[site] = {"hidden": True}
        elif belief.best != EMPTY or len(belief.looks) > 1:
            ranked = sorted(belief.looks, key=belief.score, reverse=True)[:LIKELIEST]
            sites[site] = {look_text(look) or "bare": round(belief.score(look), 2)
                           for look in ranked}  # fmt: skip
    return {
        "board": sighting.board,
        "reason": str(sighting.reason or ""),
        "hand": sighting.hand,
        "still": sighting.still,
        "moved": sighting.moved,
        "light": round(sighting.light, 3),
        "sharpness": round(sighting.sharpness, 3),
        "px_per_module": round(sighting.px_per_module, 2),
        "pose_error_px": round(sighting.pose_error_px, 3),
        "sites": sites,
        "strays": [{"kind": s.kind, "at_mm": list(s.at_mm)} for s in sighting.strays],
        "ms": {part: round(ms, 1) for part, ms in sighting.ms.items()},
    }


def table_of(view: TableView | None) -> dict[str, Any]:
    """State of a match, as plain data; players appear only as seats."""
    if view is None:
        return {}
    return {
        "game": view.game,
        "match": view.match_id,
        "state": view.state.value,
        "blind_reason": view.blind_reason,
        "ply": view.ply,
        "turn": view.turn,
        "scores": list(view.scores),
        "last": "" if view.last is None else view.last.text,
        "refused": "" if view.refused is None else view.refused.text,
        "objections": [
            {"rule": o.rule, "code": o.code, "params": dict(o.params)} for o in view.objections
        ],
        "fixes": [
            {"site": f.site, "seen": look_text(f.seen), "wanted": look_text(f.wanted)}
            for f in view.fixes
        ],
        "candidates": [
            {"moves": [move.text for move in c.moves], "takeback": c.takeback}
            for c in view.candidates
        ],
        "enforcement": view.enforcement.value,
        "devices": dict(view.devices),
        "machine": [note.code for note in view.machine],
    }
