"""The stage: an ordinary Heelstone whose camera looks at the virtual table, and hands that play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path

import cv2
import msgspec

from companion.app.application import Application
from companion.camera.camera_thread import CameraThread
from companion.journal.entries import Header, new_match_id
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.view import ChooseCandidate, PlayMove, TableView
from companion.settings.manners import Manners
from companion.settings.settings import CameraSettings, Settings
from companion.settings.writing import hand_out
from companion.simulator import Camera, Drag, Piece, PutBack, Step, Turn, VirtualTable
from companion.simulator.objects import thickness
from hardware.settings import MOCK_RIG, LampSettings
from rules.box import load_box
from rules.core import Layout, Move
from rules.games import find_game
from rules.match import Match

QUICK = Settings(manners=Manners(commit_s=0.3, quiet_s=0.3, reason_s=0.6, desync_s=4.0))
"""Shorter waits than at a real table, where players should not be hurried."""

HAND_FRAMES = 6
"""Pictures in which a hand carries a piece."""

SEED = 7
"""Seed of a match, if nobody names another."""

STILL_S = 0.1
"""Time between two pictures while hands hold still."""

PATIENCE_S = 60.0
"""Maximum time for a step of the demo, seconds, even on a slow machine."""


class StageError(Exception):
    """The demo did not go as it should; the message says what was expected."""


class Stage:
    """One application with simulated devices, and hands at its virtual table.

    Hands belong to one thread; ``looked`` is called in it after every picture they wait for.
    """

    def __init__(
        self,
        game_id: str,
        out: Path,
        lang: str,
        players: int = 2,
        options: Mapping[str, str] | None = None,
        settings: Settings = QUICK,
        *,
        bare: tuple[str, ...] = (),
        seed: int = SEED,
    ) -> None:
        """Take up the match that is under way in ``out``, or begin one; pieces of the kinds and
        groups ``bare`` carry no stickers. ``seed``: decides all that is chance."""
        self.game, self.players, self.options = find_game(game_id), players, options or {}
        self.seed = seed
        self.box = load_box(self.game.box).for_game(game_id)
        lamps = LampSettings(kind="mock", count=len(self.box.site_order))
        rig = msgspec.structs.replace(MOCK_RIG, lamps=lamps)
        camera = CameraSettings(source="virtual", bare=bare)
        self.house = Application(
            msgspec.structs.replace(settings, camera=camera, rig=rig), out, lang
        )
        self.out = out
        self.manners = settings.manners
        self.simulator = self.house.camera.simulator
        # While hands think, the computer is theirs; but a camera that sends nothing counts as gone.
        self.simulator.idle_s = 1.0
        self.looked: Callable[[], None] = lambda: None
        open_matches = self.house.unfinished()
        self.resumed = bool(open_matches)
        self.house.resume(open_matches[0].match_id if open_matches else self._begun(str(seed)))
        self._reader = Journal(out / "journal.db", beside=True)

    def header(self, seed: str) -> Header:
        """The beginning of a match of nameless players."""
        return Header(
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

    def play_again(self) -> None:
        """A bare board, and on it everything that a new match begins with."""
        self.house.pause()
        match_id = self._begun("play")
        with self.simulator.changed:
            self.virtual.clear()
            self.virtual.set_layout(self.house.journal.load(match_id).layout)
        self.house.resume(match_id)

    def close(self) -> None:
        """End everything in order."""
        self._reader.close()
        self.house.close()

    # -- what is there --------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session of the match under way."""
        session = self.house.session
        assert session is not None
        return session

    @property
    def view(self) -> TableView:
        """The newest view of the session."""
        return self.session.view

    @property
    def eyes(self) -> CameraThread:
        """The window that looks at the table."""
        eyes = self.house.eyes
        assert eyes is not None
        return eyes

    @property
    def virtual(self) -> VirtualTable:
        """The virtual table."""
        return self.simulator.table

    @property
    def camera(self) -> Camera:
        """The camera above it."""
        return self.simulator.camera

    def journal_match(self) -> Match:
        """The match as the journal on the disk tells it."""
        return self._reader.load(self.view.match_id)

    def piece_in_store(self, kind: str) -> int:
        """A piece of this kind that is not on the board yet."""
        for piece in self.virtual.pieces:
            if piece.kind == kind and piece.site is None:
                return piece.id
        raise StageError(f"there is no {kind} left beside the board")

    def in_sight(self, piece: Piece) -> bool:
        """True if the camera sees a piece's middle, at its foot and at its top."""
        camera = self.camera
        top = piece.z + thickness(self.box.kinds[piece.shows], piece.pose)
        seen = (camera.board_to_px(piece.x_mm, piece.y_mm, z) for z in (piece.z, top))
        return all(0 <= u < camera.width and 0 <= v < camera.height for u, v in seen)

    # -- hands ----------------------------------------------------------------------------

    def drag(
        self,
        piece_id: int,
        to: str | tuple[float, float],
        seen: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Take a piece to a site (or to a place in mm) with a hand the camera sees.

        ``seen`` is called with the number of each picture of it.
        """
        self._move(self.virtual.drag(piece_id, to, HAND_FRAMES), seen)
        self.look()

    def carry_out(self, step: Step) -> None:
        """Drag, put back or turn a piece with a hand the camera sees."""
        match step:
            case Drag():
                self._move(self.virtual.drag(step.piece, step.to, HAND_FRAMES))
            case PutBack():
                self._move(self.virtual.bring_home(step.piece, HAND_FRAMES))
            case Turn():
                self._move(self.virtual.tap(step.piece))

    def set_out(self, layout: Layout) -> None:
        """Lay everything out while a hand is in the way, as people set a game up."""
        hand = self.virtual.reaching(0.0, 0.0)
        for _ in range(2):
            self.virtual.hand = hand
            self.look()
        with self.simulator.changed:
            self.virtual.set_layout(layout)
            self.virtual.hand = hand
        self.look()
        self.virtual.hand = None

    def make_room(self) -> None:
        """Push everything to the middle of a table that grows, if it comes near to its edge."""
        with self.simulator.changed:
            moved = self.virtual.make_room()
            self.virtual.hand = self.virtual.reaching(0.0, 0.0) if moved else self.virtual.hand
        if moved:
            self.look()
            self.virtual.hand = None
            self.look()

    def tap(self, move: Move) -> None:
        """Say a move, as the play screen would."""
        self.session.post(PlayMove(move))
        self.session.settle()

    def choose(self, number: int) -> None:
        """Answer a question with this candidate, as the play screen would."""
        self.session.post(ChooseCandidate(number))
        self.session.settle()

    def hold(self, what: str, done: Callable[[TableView], bool]) -> float:
        """Hold still until ``done``; returns the seconds it took. Raises StageError."""
        start = time.monotonic()
        while (begun := time.monotonic()) - start < PATIENCE_S:
            self.look()
            if done(self.view):
                return time.monotonic() - start
            time.sleep(max(0.02, begun + STILL_S - time.monotonic()))
        view = self.view
        odd = [fix.site for fix in view.fixes] + [note.code for note in view.notes]
        raise StageError(
            f"expected: {what}; the table is in state {view.state} after {view.ply} moves"
            + (f": {', '.join(odd)}" if odd else "")
        )

    def look(self) -> None:
        """Return when the camera has looked at the table as it is now."""
        self.simulator.look()
        self.looked()

    def photograph(self, name: str) -> None:
        """Keep what the camera sees now."""
        with self.simulator.changed:
            picture = self.camera.render(self.virtual)
        _done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        hand_out(self.out / f"{name}-camera.jpg", coded.tobytes())

    # -- private --------------------------------------------------------------------------

    def _begun(self, seed: str) -> str:
        """Write the beginning of a match into the journal, and return its id."""
        header = self.header(seed)
        self.house.journal.create(header)
        return header.id

    def _move(
        self, steps: Iterator[VirtualTable], seen: Callable[[int], None] = lambda number: None
    ) -> None:
        """Move hands step by step; ``seen`` is called with the number of each that was seen."""
        for number in count():
            with self.simulator.changed:
                if next(steps, None) is None:
                    return
            self.look()
            seen(number)
