"""``heelstone watch``: referee what a camera, a video or a folder of pictures shows."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import cv2

from companion.boards.store import load_any_box, without_supplies
from companion.camera.advising import advice_json
from companion.camera.eyes import blind_reason, kinds_by_site
from companion.camera.rolls import RollWatch, rolls_are_watched
from companion.journal.entries import Header, new_match_id
from companion.journal.store import Journal
from companion.match.events import Agreed, TookBack
from companion.match.messages import ProposedRoll, Seen
from companion.match.roll_moves import roll_candidates
from companion.match.table import Table
from companion.settings.settings import CameraSettings, Manners
from rules.box import Box, load_box
from rules.core import Game, GameError
from rules.reading.reading import Status
from rules.reading.sighting import look_text
from rules.telling import Teller
from vision.advice import Advice, Adviser
from vision.camera.lens import Lens
from vision.camera.sources import Frame, open_source
from vision.pieces.bare import named_here
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

__all__ = ["Watch"]

ADVICE_S = 1.0
"""A film's pictures are judged this often: light and focus do not change faster."""

LensOf: TypeAlias = Callable[[tuple[int, int]], Lens | None]
"""The lens for pictures of a width and height in px."""


@dataclass
class Watch:
    """One match refereed from pictures, with nobody to answer questions."""

    source: str
    game: Game[Any]
    players: int
    options: Mapping[str, str]
    lang: str
    box_file: str | None = None
    """A box, or an override of the usual one; None: the board as it lies on this table."""
    debug: Path | None = None
    """Folder for the pictures with everything drawn in that was seen."""
    camera: CameraSettings = field(default_factory=CameraSettings)
    """Size and lock of a camera; its ``source`` does not count."""
    lenses: Callable[[str], LensOf | None] = lambda source: None
    """Calibrated lenses by the camera that took the pictures."""
    taken_by: str = ""
    """The camera that took the pictures, if ``source`` is none itself."""
    own_box: Callable[[str], Box] = load_box
    """The box as it lies on this table, by its id."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per picture (per change, for a live camera), then the outcome."""
        box = self._box()
        table = self._table()
        teller = Teller(self.game, self.lang, table.match.colours)
        lenses = self.lenses(self.taken_by or self.source)
        bare = named_here(box, self.camera.bare_names)
        tracker = Tracker(box, lens_of=lenses, bare=bare)
        self._adviser = Adviser(box)
        self._advice: tuple[Advice, ...] = ()
        self._advised_s: float | None = None
        self._laid_at = -1
        source = open_source(self.source, self.camera.size, self.camera.lock)
        last: dict[str, Any] = {}
        rolls = None
        if rolls_are_watched(box, self.game.id) and not source.settled:
            rolls = RollWatch(box)
        frame: Frame | None = None
        try:
            # A live camera never ends by itself; Ctrl-C is how people say that they are done.
            with contextlib.suppress(KeyboardInterrupt):
                for frame in source:
                    self._expect(tracker, table)
                    sighting, record = self._record(
                        frame, source.settled, table, tracker, box, teller
                    )
                    if rolls is not None and (roll := rolls.look(frame, sighting)):
                        yield self._rolled(frame, roll, table, teller)
                    if record is None:
                        continue
                    shown = {k: v for k, v in record.items() if k not in ("frame", "ms")}
                    if source.settled or shown != last:
                        yield record
                    last = shown
                if rolls is not None and frame is not None and (roll := rolls.finish()):
                    yield self._rolled(frame, roll, table, teller)
        finally:
            source.close()
            table.journal.close()
        outcome = table.match.outcome
        end: dict[str, Any] = {"outcome": None}
        if outcome is not None:
            told = teller.outcome(outcome)
            end["outcome"] = {
                **outcome.to_json(),
                "winners": [table.match.colours[seat] for seat in outcome.ranking[0]],
                "text": str(told),
            }
        end["moves"] = [entry.move.text for entry in table.match.log]
        yield end

    def _box(self) -> Box:
        """The box the pictures show; raises BoxError, or GameError if the game needs another."""
        usual = load_box(self.game.box).for_game(self.game.id)
        if self.box_file is None:
            return self.own_box(self.game.box).for_game(self.game.id)
        box = load_any_box(self.box_file, self.game.box).for_game(self.game.id)
        lacking = [site for site in usual.sites if site not in box.sites]
        lacking += [kind for kind in usual.kinds if kind not in box.kinds]
        if lacking:
            more = ", …" if len(lacking) > 5 else ""
            raise GameError(
                f"the box {self.box_file} does not fit {self.game.id}: it lacks "
                f"{', '.join(lacking[:5])}{more}"
            )
        return box

    def _table(self) -> Table:
        journal = Journal(":memory:")
        header = Header(
            id=new_match_id(),
            game=self.game.id,
            players=self.players,
            options=self.game.complete_options(self.players, self.options),
            physical=True,
            seed="watch",
            names=(),
            enforcement="enforce",
            created_s=time.time(),
            board=self.game.board_text,
        )
        journal.create(header)
        return Table(journal, header, Manners())

    def _record(
        self,
        frame: Frame,
        settled: bool,
        table: Table,
        tracker: Tracker,
        box: Box,
        teller: Teller,
    ) -> tuple[Sighting, dict[str, Any] | None]:
        """What came of a frame; no record while it has not held still long enough to be read."""
        started = time.perf_counter()
        sighting = tracker.look(frame, settled)
        seen = time.perf_counter()
        blind = blind_reason(sighting)
        if not (settled or sighting.still or sighting.hand or blind):
            return sighting, None
        ply = table.match.ply
        # A video is read faster than it was filmed, so its own clock counts.
        told = without_supplies(sighting, box)
        events = table.handle(Seen(told, settled, blind), frame.time_s, "camera")
        read = time.perf_counter()
        reading = table.reading
        agreed = [m.text for e in events if isinstance(e, Agreed) for m in e.moves]
        taken = [m.text for e in events if isinstance(e, TookBack) for m in e.moves]
        status = Status.UNCLEAR if reading is None else reading.status
        if agreed and table.match.ply > ply:
            status = Status.MOVE
        record: dict[str, Any] = {
            "frame": frame.name,
            "status": status.value,
            "moves": agreed,
            "objections": [],
            "table": {
                site: look_text(belief.best)
                for site, belief in sorted(sighting.sites.items())
                if belief.best and not belief.occluded
            },
            "advice": [],
            "ms": {
                "see": round((seen - started) * 1e3, 2),
                "read": round((read - seen) * 1e3, 2),
            },
        }
        if settled or self._advised_s is None or frame.time_s - self._advised_s >= ADVICE_S:
            self._advised_s = frame.time_s
            self._advice = self._adviser.advise(frame.image, sighting)
        record["advice"] = advice_json(self._advice, box, self.lang, teller.site)
        if taken:
            record["taken_back"] = taken
        if sighting.bare_found:
            record["without_stickers"] = sorted(sighting.bare_found)
        if reading is not None and status is Status.ILLEGAL:
            record["objections"] = [
                {"rule": o.rule, "code": o.code, "text": str(teller.objection(o))}
                for o in reading.objections
            ]
        if status is Status.UNCLEAR:
            record["doubt"] = sighting.reason or (reading.doubt if reading is not None else "")
        if reading is not None and status is Status.AMBIGUOUS:
            record["candidates"] = [
                {"takeback": c.takeback, "moves": [m.text for m in c.moves]}
                for c in reading.candidates
            ]
        if self.debug is not None:
            self._draw(frame, sighting, box, [one["text"] for one in record["advice"]])
        return sighting, record

    def _expect(self, tracker: Tracker, table: Table) -> None:
        """Tell the tracker what must lie where, whenever that has changed."""
        if self._laid_at == table.match.ply:
            return
        self._laid_at = table.match.ply
        tracker.expect(kinds_by_site(table.match.layout.elements()))

    @staticmethod
    def _rolled(frame: Frame, roll: ProposedRoll, table: Table, teller: Teller) -> dict[str, Any]:
        """A disc that was seen rolling; what it did is for people to say."""
        candidates = roll_candidates(table.match, roll.results)
        return {
            "frame": frame.name,
            "status": Status.AMBIGUOUS.value,
            "moves": [],
            "objections": [],
            "table": {},
            "advice": [],
            "ms": {},
            "candidates": [
                {
                    "takeback": 0,
                    "moves": [m.text for m in c.moves],
                    "text": ", ".join(teller.move(m) for m in c.moves),
                }
                for c in candidates
            ],
            "roll": [
                {"crossed": r.crossed, "gates": list(r.gates), "likely": round(r.likely, 3)}
                for r in roll.results
            ],
        }

    def _draw(self, frame: Frame, sighting: Sighting, box: Box, notes: list[str]) -> None:
        from vision.overlay import annotate

        assert self.debug is not None
        self.debug.mkdir(parents=True, exist_ok=True)
        name = Path(frame.name).stem
        cv2.imwrite(str(self.debug / f"{name}.jpg"), annotate(frame, sighting, box, notes))
