"""``heelstone watch``: referee what a camera, a video or a folder of pictures shows."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import cv2

from companion.boards.store import load_any_box
from companion.camera.advising import advice_json
from companion.camera.observer import Observer
from companion.journal.entries import Header, new_match_id
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, MovesUndone, TableEvent
from companion.match.messages import ProposedRoll
from companion.match.observation import roll_candidates
from companion.match.table import Table
from companion.settings.manners import Manners
from companion.settings.memory import SHARES, Share
from companion.settings.settings import CameraSettings
from companion.settings.writing import hand_out
from rules.box import Box, BoxError, load_box
from rules.core import Game
from rules.reading.reading import Status
from rules.reading.sighting import look_text
from rules.telling import Teller
from rules.texts import Texts
from vision.advice import Adviser
from vision.camera.lens import Lens
from vision.camera.sources import Frame, open_source
from vision.pieces.sighting import Sighting

ADVICE_S = 1.0
"""Seconds between judgements of a film's pictures: light and focus change slowly."""

LensOf: TypeAlias = Callable[[tuple[int, int]], Lens | None]
"""The lens for pictures of a width and height in px."""


def in_words(record: Mapping[str, Any], say: Texts) -> str:
    """A record as one line for people."""
    if "frame" not in record:
        return "–" if record["outcome"] is None else str(record["outcome"]["text"])
    if "roll" in record:
        # What a disc did is never recorded automatically; these are the likeliest.
        status = "roll"
        told = " / ".join(candidate["text"] for candidate in record["candidates"]) or "?"
    else:
        status, doubt = record["status"], record.get("doubt", "")
        why = [str(objection["text"]) for objection in record["objections"]]
        if not why and doubt:
            why = [say(doubt) if say.knows(doubt) else doubt]
        told = "; ".join([", ".join(record["moves"])] * bool(record["moves"]) + why)
    return f"{record['frame']:<12} {say(status):<12} {told}".rstrip()


@dataclass
class Watch:
    """One match refereed from pictures, without answers to questions."""

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
    """Size and lock of a camera; its ``source`` is ignored."""
    share: Share = SHARES[-1]
    """Of the computer's memory."""
    lenses: Callable[[str], LensOf | None] = lambda source: None
    """Calibrated lenses by the camera that took the pictures."""
    taken_by: str = ""
    """The camera that took the pictures, if ``source`` is not a camera."""
    own_box: Callable[[str], Box] = load_box
    """The box as it lies on this table, by its id."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per picture (per change, for a live camera), then the outcome."""
        box, table = self._box(), self._table()
        lenses = self.lenses(self.taken_by or self.source)
        observer = Observer(box, self.game.id, lenses, self.camera.bare_names)
        clerk = _Clerk(observer, table, Teller(self.game, self.lang, table.match.colours))
        source = open_source(self.source, self.camera.form(self.share))
        last: dict[str, Any] = {}
        frame: Frame | None = None
        try:
            # A live camera never ends by itself; Ctrl-C is how people say that they are done.
            with contextlib.suppress(KeyboardInterrupt):
                for frame in source:
                    roll, record = clerk.look(frame, source.settled)
                    if roll is not None:
                        yield roll
                    if record is None:
                        continue
                    if self.debug is not None:
                        clerk.draw(frame, self.debug)
                    shown = {k: v for k, v in record.items() if k not in ("frame", "ms")}
                    if source.settled or shown != last:
                        yield record
                    last = shown
                if frame is not None and (ending := observer.finish()):
                    yield clerk.rolled(frame, ending)
        finally:
            source.close()
            table.record.journal.close()
        yield clerk.end()

    def _box(self) -> Box:
        """The box the pictures show; raises BoxError, or GameError if the game needs another."""
        usual = load_box(self.game.box).for_game(self.game.id)
        if self.box_file is None:
            return self.own_box(self.game.box).for_game(self.game.id)
        box = load_any_box(self.box_file, self.game.box).for_game(self.game.id)
        lacking = [site for site in usual.sites if site not in box.sites]
        lacking += [kind for kind in usual.kinds if kind not in box.kinds]
        if lacking:
            few = [*lacking[:5], "…"][: len(lacking)]
            raise BoxError("box_misfit", file=self.box_file, game=self.game.id, lacking=few)
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


class _Clerk:
    """Shows a table what was seen, and writes down what came of it."""

    def __init__(self, observer: Observer, table: Table, teller: Teller) -> None:
        self._observer, self._table, self._teller = observer, table, teller
        self._adviser = Adviser(observer.box)
        self._advice: list[dict[str, object]] = []
        self._advised_s: float | None = None
        self._settled = False
        self._sighting: Sighting | None = None

    def look(
        self, frame: Frame, settled: bool
    ) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """A roll that has ended, if any, and what came of a frame; nothing came of it while it has
        not held still long enough to be read."""
        table = self._table
        self._observer.expect(table.match.layout.elements())
        started = time.perf_counter()
        observed = self._observer.look(frame, settled)
        self._settled = settled
        seen = time.perf_counter()
        self._sighting = observed.sighting
        record: dict[str, Any] | None = None
        if observed.seen is not None:
            ply = table.match.ply
            # A video is read faster than it was filmed, so its own clock counts.
            events = table.handle(observed.seen, frame.time_s, Source.CAMERA)
            read = time.perf_counter()
            if settled or self._advised_s is None or frame.time_s - self._advised_s >= ADVICE_S:
                self._advise(frame, observed.sighting)
            status = self._status(events, ply)
            record = {
                "frame": frame.name,
                "status": status.value,
                "moves": [m.text for e in events if isinstance(e, MovesCommitted) for m in e.moves],
                "objections": [],
                "table": {
                    site: look_text(belief.best)
                    for site, belief in sorted(observed.sighting.sites.items())
                    if belief.best and not belief.occluded
                },
                "advice": self._advice,
                "ms": {
                    "see": round((seen - started) * 1e3, 2),
                    "read": round((read - seen) * 1e3, 2),
                },
                **self._why(events, status, observed.sighting),
            }
        roll = None if observed.roll is None else self.rolled(frame, observed.roll)
        return roll, record

    def rolled(self, frame: Frame, roll: ProposedRoll) -> dict[str, Any]:
        """A disc that was seen rolling; what it did is for people to say."""
        candidates = roll_candidates(self._table.match, roll.results)
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
                    "text": ", ".join(self._teller.move(m) for m in c.moves),
                }
                for c in candidates
            ],
            "roll": [
                {"crossed": r.crossed, "gates": list(r.gates), "likely": round(r.likely, 3)}
                for r in roll.results
            ],
        }

    def draw(self, frame: Frame, folder: Path) -> None:
        """Keep the frame's picture with everything drawn in that was seen."""
        from vision.overlay import annotate

        assert self._sighting is not None
        notes = [str(one["text"]) for one in self._advice]
        picture = annotate(frame, self._sighting, self._observer.box, notes)
        _done, coded = cv2.imencode(".jpg", picture)
        hand_out(folder / f"{Path(frame.name).stem}.jpg", coded.tobytes())

    def end(self) -> dict[str, Any]:
        """The outcome, if there is one, and all moves."""
        match = self._table.match
        told: dict[str, Any] | None = None
        if match.outcome is not None:
            told = {
                **match.outcome.to_json(),
                "winners": [match.colours[seat] for seat in match.outcome.ranking[0]],
                "text": str(self._teller.outcome(match.outcome)),
            }
        return {"outcome": told, "moves": [entry.move.text for entry in match.log]}

    def _status(self, events: Sequence[TableEvent], ply: int) -> Status:
        """``ply``: of the match before these events."""
        if self._table.match.ply > ply and any(
            isinstance(e, MovesCommitted) and e.moves for e in events
        ):
            return Status.MOVE
        reading = self._table.reading
        if reading is None:
            return Status.UNCLEAR
        if reading.doubt == "differs" and self._settled and reading.objections:
            # On a settled picture nothing is on its way: whoever moved it broke a rule.
            return Status.ILLEGAL
        return reading.status

    def _why(
        self, events: Sequence[TableEvent], status: Status, sighting: Sighting
    ) -> dict[str, Any]:
        """Further details: takebacks, pieces without stickers, doubts and objections."""
        more: dict[str, Any] = {}
        if taken := [m.text for e in events if isinstance(e, MovesUndone) for m in e.moves]:
            more["taken_back"] = taken
        if sighting.bare_found:
            more["without_stickers"] = sorted(sighting.bare_found)
        reading = self._table.reading
        if status is Status.UNCLEAR:
            doubt = "" if reading is None else reading.doubt
            lost = sighting.reason
            more["doubt"] = doubt if lost is None else lost.told(self._teller.lang)
        if reading is not None and reading.objections:
            more["objections"] = [
                {"rule": o.rule, "code": o.code, "text": str(self._teller.objection(o))}
                for o in reading.objections
            ]
        elif reading is not None and status is Status.AMBIGUOUS:
            more["candidates"] = [
                {"takeback": c.takeback, "moves": [m.text for m in c.moves]}
                for c in reading.candidates
            ]
        return more

    def _advise(self, frame: Frame, sighting: Sighting) -> None:
        self._advised_s = frame.time_s
        advice = self._adviser.advise(frame.image, sighting)
        teller = self._teller
        self._advice = advice_json(advice, self._observer.box, teller.lang, teller.site)
