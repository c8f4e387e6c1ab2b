"""The stage: a virtual table with a camera above it, and a whole Heelstone that watches it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2

from companion.camera.camera_thread import CameraThread
from companion.camera.observer import Observer
from companion.journal.entries import Header, new_match_id
from companion.journal.store import Journal
from companion.match.events import Agreed, TableEvent, TookBack
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import TableView
from companion.outputs.cues import CueDirector
from companion.settings.manners import Manners
from companion.settings.writing import hand_out, write_whole
from companion.simulator import Camera, Drag, Piece, PutBack, Step, Turn, VirtualTable
from companion.simulator.objects import thickness
from hardware.rig import Rig
from hardware.settings import MOCK_RIG, LampSettings, RigSettings
from rules.box import load_box
from rules.core import Layout
from rules.games import find_game
from rules.match import Match
from vision.camera.sources import MemorySource

__all__ = ["MANNERS", "Stage", "StageError"]

MANNERS = Manners(commit_s=0.3, quiet_s=0.3, reason_s=0.6, desync_s=4.0)
"""Quicker than at a real table, where nobody wants to be hurried."""

HAND_FRAMES = 6
"""Pictures in which a hand carries a piece."""

STILL_FRAME_S = 0.1
"""Time between two pictures while nothing moves: what a camera would send, and no more."""

PATIENCE_S = 60.0
"""No step of the demo takes longer than this, not even on a slow machine."""


class StageError(Exception):
    """The demo did not go as it should; the message says what was expected."""


class Stage:
    """Everything of one table, from the pieces to the score display."""

    def __init__(
        self,
        game_id: str,
        out: Path,
        lang: str,
        seed: int,
        players: int = 2,
        manners: Manners = MANNERS,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.options = options or {}
        self.out, self.players, self.manners = out, players, manners
        self.game = find_game(game_id)
        self.box = load_box(self.game.box).for_game(game_id)
        self.journal = Journal(out / "journal.db")
        open_matches = self.journal.unfinished()
        self.resumed = bool(open_matches)
        header = open_matches[0].header if open_matches else self.new_match(self.journal, str(seed))
        self._reader = Journal(out / "journal.db")
        self._match_id = header.id
        self.session = Session(Table(self.journal, header, manners))
        self.rig = Rig(_rig_settings(len(self.box.site_order)))
        self.director = CueDirector(self.rig, lang)
        self.events: list[TableEvent] = []
        self._heard = (out / "heard.jsonl").open("a", encoding="utf-8")
        self.session.listen(self.director)
        self.session.listen(self._hear)
        self.director(self.session.view, ())
        self.camera = Camera.over(self.box, seed=seed)
        self.virtual = VirtualTable(self.box, seed=seed)
        self._restore()
        # Drawing the board for the first time takes long; nobody should have to wait for it later.
        self.camera.render(self.virtual)
        self.source = MemorySource()
        self.eyes = CameraThread(self.source, Observer(self.box, game_id), self.session)
        self.session.start()
        self.eyes.start()

    def new_match(self, journal: Journal, seed: str) -> Header:
        """Begin a match of nameless players in ``journal``."""
        header = Header(
            id=new_match_id(),
            game=self.game.id,
            players=self.players,
            options=self.game.complete_options(self.players, self.options),
            physical=True,
            seed=seed,
            names=("",) * self.players,
            enforcement="enforce",
            created_s=time.time(),
            tips=False,
        )
        journal.create(header)
        return header

    @property
    def view(self) -> TableView:
        """The newest view of the session."""
        return self.session.view

    def journal_match(self) -> Match:
        """The match as the journal on the disk tells it."""
        return self._reader.load(self._match_id)

    def follow(self, journal: Path, match_id: str) -> None:
        """From now on ``journal_match`` is this one, in another journal."""
        self._reader.close()
        self._reader, self._match_id = Journal(journal), match_id

    # -- hands ----------------------------------------------------------------------------

    def drag(self, piece_id: int, to: str | tuple[float, float], steps: int = 6) -> None:
        """Take a piece to a site (or to a place in mm) with a hand the camera sees."""
        for _ in self.virtual.drag(piece_id, to, steps):
            self.frame()
        self._remember()
        self.frame()

    def carry_out(self, step: Step) -> None:
        """Drag, put back or turn a piece with a hand the camera sees."""
        match step:
            case Drag():
                moves = self.virtual.drag(step.piece, step.to, HAND_FRAMES)
            case PutBack():
                moves = self.virtual.bring_home(step.piece, HAND_FRAMES)
            case Turn():
                moves = self.virtual.tap(step.piece)
        for _ in moves:
            self.frame()

    def set_out(self, layout: Layout) -> None:
        """Lay everything out while a hand is in the way, as people set a game up."""
        for _ in range(2):
            self.virtual.hand = self.virtual.reaching(0.0, 0.0)
            self.frame()
        self.virtual.set_layout(layout)
        self.virtual.hand = self.virtual.reaching(0.0, 0.0)
        self.frame()
        self.virtual.hand = None

    def piece_in_store(self, kind: str) -> int:
        """A piece of this kind that is not on the board yet."""
        used = {piece.id for site in self.box.sites for piece in self.virtual.at(site)}
        for piece in self.virtual.pieces:
            if piece.kind == kind and piece.id not in used:
                return piece.id
        raise StageError(f"there is no {kind} left beside the board")

    def store_place(self, piece_id: int) -> tuple[float, float]:
        """Where a piece lies now, in mm."""
        piece = self.virtual.piece(piece_id)
        return piece.x_mm, piece.y_mm

    def in_sight(self, piece: Piece) -> bool:
        """Whether the camera sees a piece's middle, at its foot and at its top."""
        camera = self.camera
        top = piece.z + thickness(self.box.kinds[piece.shows], piece.pose)
        seen = (camera.board_to_px(piece.x_mm, piece.y_mm, z) for z in (piece.z, top))
        return all(0 <= u < camera.width and 0 <= v < camera.height for u, v in seen)

    # -- camera ---------------------------------------------------------------------------

    def frame(self) -> None:
        """One picture for the camera; returns when it has been looked at."""
        before = self.eyes.frames
        self.source.push(self.camera.render(self.virtual))
        deadline = time.monotonic() + PATIENCE_S
        while self.eyes.frames == before and time.monotonic() < deadline:
            time.sleep(0.002)

    def wait(self, what: str, done: Callable[[TableView], bool]) -> float:
        """Hold still until ``done``; returns the seconds it took. Raises StageError."""
        start = time.monotonic()
        while (begun := time.monotonic()) - start < PATIENCE_S:
            self.frame()
            if done(self.view):
                return time.monotonic() - start
            time.sleep(max(0.02, begun + STILL_FRAME_S - time.monotonic()))
        raise StageError(
            f"expected: {what}; the table is in state {self.view.state} after {self.view.ply} moves"
        )

    def photograph(self, name: str) -> None:
        """Keep what the camera sees now."""
        picture = self.camera.render(self.virtual)
        path = self.out / f"{name}-camera.jpg"
        _done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        hand_out(path, coded.tobytes())

    # -- keeping --------------------------------------------------------------------------

    def _hear(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """Write down what listeners were told, to compare it with the journal after the kill."""
        self.events += events
        for event in events:
            if isinstance(event, Agreed | TookBack):
                kind = "move" if isinstance(event, Agreed) else "takeback"
                line = {"type": kind, "moves": [m.text for m in event.moves], "ply": view.ply}
                self._heard.write(json.dumps(line) + "\n")
                self._heard.flush()
                os.fsync(self._heard.fileno())

    def _remember(self) -> None:
        """The real table outlives the program; the virtual one needs a file for that."""
        lying = {site: piece.kind for site in self.box.sites for piece in self.virtual.at(site)}
        write_whole(self.out / "table.json", json.dumps(lying))

    def _restore(self) -> None:
        path = self.out / "table.json"
        if path.exists():
            for site, kind in json.loads(path.read_text(encoding="utf-8")).items():
                self.virtual.put(kind, site)

    def close(self) -> None:
        """End everything in order."""
        self.eyes.close()
        self.session.close()
        self.rig.close()
        self._heard.close()
        self._reader.close()
        self.journal.close()


def _rig_settings(lamps: int) -> RigSettings:
    return RigSettings(
        lamps=LampSettings(kind="mock", count=lamps),
        score=MOCK_RIG.score,
        sound=MOCK_RIG.sound,
        buttons=MOCK_RIG.buttons,
        pin_factory="mock",
    )
