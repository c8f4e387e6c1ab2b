"""The one owner of a table's camera: it cannot be opened twice, so only one looks at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.settings.memory import SHARES, Share
from companion.settings.settings import CameraSettings
from rules.core import Item
from rules.games import find_game

if TYPE_CHECKING:
    # Loaded when they are first needed: the shelf appears sooner without them.
    from companion.camera.camera_thread import CameraThread, Snapshot
    from companion.camera.card_counter import CardWatch
    from companion.camera.gate import CameraGate
    from companion.camera.lenses import CameraLenses
    from companion.match.session import Session
    from companion.simulator.source import Simulator
    from rules.box import Box
    from vision.camera.form import Form
    from vision.camera.sources import FrameSource
    from vision.pieces.sighting import Sighting


def open_source(text: str, form: Form) -> FrameSource:
    """``vision.camera.sources.open_source``; vision is loaded when the first camera is opened."""
    from vision.camera.sources import open_source as opened

    return opened(text, form)


class TableCamera:
    """Lends the camera: to a match, to a check of the table, to the workshop's pages.

    A match keeps its eyes until it is closed, and all other users look through them. Without a
    match, the next user takes the camera from the one before.
    """

    def __init__(
        self, settings: CameraSettings, state: Path, box_named: Callable[[str], Box],
        share: Share = SHARES[-1],
    ) -> None:  # fmt: skip
        """``state``: the folder with the lenses that were calibrated. ``box_named``: a box as it
        lies on this table, by its id. ``share``: of the computer's memory."""
        self._share = share
        self.settings, self._state, self._box_named = settings, state, box_named
        self.eyes: CameraThread | None = None
        """The eyes of the match under way."""
        self._gate: CameraGate | None = None
        self._around: tuple[str, CameraThread] | None = None
        """The game whose board is looked for without a match, and the eyes for it."""
        self._recall: Callable[[], None] | None = None
        """Takes the camera from its user, except the match."""
        self._turn = threading.RLock()

    @property
    def is_set_up(self) -> bool:
        """True if the settings name a camera."""
        return bool(self.settings.source)

    @cached_property
    def simulator(self) -> Simulator:
        """The virtual table, if the settings name it as the camera."""
        from companion.simulator.source import Simulator

        return Simulator(self._state / "virtual-table.json")

    @property
    def looks(self) -> bool:
        """True if pictures of a table are taken now."""
        return self.eyes is not None or self._around is not None

    def snapshot(self) -> Snapshot | None:
        """The newest picture of the table with its sighting; None without one."""
        eyes = self._looking
        return None if eyes is None else eyes.snapshot()

    @property
    def adjusts(self) -> bool:
        """True if pictures are taken by a camera that adjusts itself."""
        eyes = self._looking
        return eyes is not None and eyes.adjusts

    def adjust(self) -> None:
        """Have the camera search for exposure, white balance and focus anew."""
        eyes = self._looking
        if eyes is not None:
            eyes.adjust()

    @property
    def _looking(self) -> CameraThread | None:
        with self._turn:
            return self.eyes or (None if self._around is None else self._around[1])

    def lens_of(self) -> CameraLenses | None:
        """The camera's lenses by width and height of its pictures in px, if it has any."""
        from companion.camera.lenses import Lenses

        return Lenses(self._state).of(self.settings.source)

    # -- a match ----------------------------------------------------------------------------

    def watch(self, session: Session, *, ready: bool) -> None:
        """Look at a match; ``ready``: the pieces lie on the table as recorded."""
        from companion.camera.gate import CameraGate

        with self._turn:
            self._take()
            self._gate = CameraGate(session, is_open=ready)
            self.eyes = self._opened(session.view.box, session.view.game, self._gate)

    def begin(self, items: Iterable[Item]) -> None:
        """The pieces of a new match lie ready: from now on the camera is used."""
        if self.eyes is not None:
            # What lies where is known now; bare pieces show their colours under this light.
            opening = {item.site: item.kind for item in items if item.kind}
            self.eyes.observer.tracker.teach(opening)
        if self._gate is not None:
            self._gate.open()

    def sees(self) -> Sighting | None:
        """The last sighting of the match's camera; None if there is no picture of the board."""
        sighting = None if self.eyes is None else self.eyes.last
        return None if sighting is None or sighting.board != "found" else sighting

    def close(self) -> None:
        """Ends all looking."""
        with self._turn:
            self._take()
            if self.eyes is not None:
                self.eyes.close()
            self.eyes = self._gate = None

    # -- everybody else ---------------------------------------------------------------------

    def lend(self, box: str) -> tuple[CameraThread | None, Callable[[], None]]:
        """Eyes for a check of the table, and how to give them back; a match pauses until then.

        ``box``: id of the box whose board lies there, if no match tells. No eyes without a camera.
        """
        with self._turn:
            self._take()
            gate, eyes, own = self._gate, self.eyes, None
            was_open = gate is not None and gate.is_open
            if gate is not None:
                gate.shut()
            if eyes is None and self.is_set_up:
                own = eyes = self._opened(box, "", None)
                self._recall = own.close

        def give_back() -> None:
            if own is not None:
                own.close()
            if gate is not None and was_open:
                gate.open()

        return eyes, give_back

    def look_around(self, game: str) -> None:
        """Look for the board of a game, without a match; one under way looks for its own."""
        with self._turn:
            if self.eyes is not None or not self.is_set_up:
                return
            if self._around is not None and self._around[0] == game:
                return
            self._take()
            self._around = (game, self._opened(find_game(game).box, game, None))
            self._recall = self.stop_looking_around

    def stop_looking_around(self) -> None:
        """The end of ``look_around``."""
        with self._turn:
            if self._around is not None:
                self._around[1].close()
            self._around = None

    def lend_pictures(
        self,
        recall: Callable[[], None],
        box: Box | None = None,
        size: tuple[int, int] | None = None,
    ) -> Callable[[], FrameSource]:
        """Opens a source of pictures as they come; during a match those that its camera takes.

        ``recall``: ends that at once if the camera is needed elsewhere. ``box``: whose board or
        pieces are wanted, if it matters. ``size``: width and height in px, other than in the
        settings.
        """
        with self._turn:
            if self.eyes is not None:
                from companion.camera.camera_thread import Glances

                return partial(Glances, self.eyes.snapshot)
            self._take()
            self._recall = recall
            return self._source(box, size)

    def count_cards(self, box: str) -> CardWatch:
        """Count the cards of a box that people fan below the camera; close it after use."""
        from companion.camera.card_counter import CardWatch

        watch: CardWatch | None = None

        def give_back() -> None:
            if watch is not None:
                watch.close()

        cards = self._box_named(box)
        watch = CardWatch(self.lend_pictures(give_back, cards), cards)
        return watch.start()

    # -- private ----------------------------------------------------------------------------

    def _take(self) -> None:
        """Takes the camera back from all users but the match."""
        recall, self._recall = self._recall, None
        if recall is not None:
            recall()

    def _source(
        self, box: Box | None, size: tuple[int, int] | None = None
    ) -> Callable[[], FrameSource]:
        camera = self.settings
        if camera.is_virtual and box is not None:
            self.simulator.lay(box.without_stickers(camera.bare_names))
            return self.simulator.open
        form = camera.form(self._share)
        return partial(open_source, camera.source, replace(form, size=size) if size else form)

    def _opened(self, box: str, game: str, gate: CameraGate | None) -> CameraThread:
        from companion.camera.camera_thread import CameraThread
        from companion.camera.observer import Observer

        bare = self.settings.bare_names
        lenses = self.lens_of()
        observer = Observer(self._box_named(box), game, lenses, bare, shelf=lenses)
        return CameraThread(self._source(observer.box), observer, gate).start()
