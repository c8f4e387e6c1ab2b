"""The workshop's view of a Heelstone: implements ``companion.ui.workbench.Workbench``."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.boards.store import OwnBoards
from companion.camera.owner import TableCamera
from companion.care.log import RecentLog
from companion.care.report import Report, heelstone_version, last_run_log, versions
from companion.care.snapshots import Evidence, Moments
from companion.journal.store import Journal
from companion.outputs.cues import CueDirector
from companion.outputs.lamp_sites import LampSites, Places, WalkFile
from companion.settings.preferences import Preferences, PreferencesFile
from companion.settings.settings import Settings, settings_path
from companion.settings.writing import write_whole
from companion.ui.model.boxes import game_box
from companion.ui.workbench import About, CameraLook, DeviceLine, DisplayFace, LensLook, Pixel
from companion.words.complaints import in_language
from companion.workshop.device_test import DeviceTest
from hardware.rig import Rig
from hardware.sound.recordings import recordings_folder
from rules.games import game_ids

if TYPE_CHECKING:
    # Vision is loaded when a camera is looked through, not with the program.
    from companion.camera.eyes import Snapshot
    from companion.match.session import Session
    from companion.workshop.board_desk import BoardDesk
    from companion.workshop.camera_look import CameraTeller
    from companion.workshop.lens_walk import LensWalk

__all__ = ["Workbench"]

log = logging.getLogger(__name__)

PATIENCE_S = 3.0
"""So long a report waits for the first picture of a camera that was opened for it."""


class _House(Protocol):
    """The Heelstone that is looked after."""

    settings: Settings
    settings_file: Path | None
    state: Path
    journal: Journal
    rig: Rig
    director: CueDirector
    session: Session | None

    @property
    def camera(self) -> TableCamera: ...
    @property
    def preferences(self) -> PreferencesFile: ...
    @property
    def lamp_sites(self) -> LampSites: ...
    @property
    def own_boards(self) -> OwnBoards: ...


class Workbench:
    """Everything the workshop's pages ask for."""

    def __init__(
        self,
        house: _House,
        recent: RecentLog,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``recent``: the log of this program."""
        self._house, self._recent, self._clock = house, recent, clock
        self._lens: LensWalk | None = None
        self._test = DeviceTest(house.rig, house.director)
        self._walks = WalkFile(house.state / "lamps")
        self._moments = Moments(house.state / "reports" / "moments")
        self._game = ""
        self._looked: tuple[Snapshot | None, str, CameraLook] | None = None
        log.info("Heelstone %s begins", heelstone_version())

    # -- preferences ------------------------------------------------------------------------

    @property
    def preferences(self) -> Preferences:
        """What was chosen."""
        return self._house.preferences.now

    def choose(self, **changes: Any) -> None:
        """Change preferences; they count at once and are kept."""
        chosen = self._house.preferences.choose(**changes)
        self._house.director.tune(chosen)

    # -- the camera -------------------------------------------------------------------------

    @cached_property
    def _teller(self) -> CameraTeller:
        from companion.workshop.camera_look import CameraTeller

        return CameraTeller(self._house.settings.camera.source, self._house.own_boards.box)

    def watch(self, game: str = "") -> None:
        """Begin to look for the board of a game; a match under way looks for its own."""
        self._game = game or self.games()[0]
        self._house.camera.look_around(self._game)

    def look(self) -> CameraLook:
        """What is seen now."""
        snapshot = self._house.camera.snapshot()
        game, lang = self._seen_game(), self.preferences.lang
        key = self._looked
        if key is None or key[0] is not snapshot or key[1] != game + lang or snapshot is None:
            look = self._teller.look(snapshot, game, lang)
            self._looked = (snapshot, game + lang, look)
        assert self._looked is not None
        return self._looked[2]

    def unwatch(self) -> None:
        """Stop looking, unless a match needs the camera."""
        self.stop_lens()
        self._house.camera.stop_looking_around()
        self._looked = None

    def _seen_game(self) -> str:
        session = self._house.session
        if self._house.camera.eyes is not None and session is not None:
            return session.view.game
        return self._game or self.games()[0]

    # -- the devices ------------------------------------------------------------------------

    def devices(self) -> Sequence[DeviceLine]:
        """How every part of the rig is doing."""
        return self._test.devices()

    @property
    def lamp_count(self) -> int:
        """Lamps of the table."""
        return self._house.rig.lamps.count

    @property
    def button_names(self) -> Sequence[str]:
        """Names of the players' buttons."""
        return self._house.rig.buttons.names

    @property
    def speaks(self) -> bool:
        """Whether the table has a voice."""
        return self._house.rig.sound.speaks

    @property
    def buzzes(self) -> bool:
        """Whether the table has a buzzer."""
        return self._house.rig.sound.buzzes

    def borrow(self) -> None:
        """Take lamps, score display and buttons; a match goes on without them."""
        self._test.borrow()

    def give_back(self) -> None:
        """End the loan; lamps and display show what the match wants, or nothing without one."""
        lent = self._test.borrowed
        self._test.give_back()
        if lent and self._house.session is None:
            self._house.rig.lamps.idle()
            self._house.rig.score.clear()

    def light(self, lamps: Sequence[int], cue: str) -> None:
        """Light these lamps and no others."""
        self._test.light(lamps, cue)

    def write(self, lines: Sequence[str]) -> None:
        """Show lines on the score display."""
        self._house.rig.score.show(lines)

    def say(self, text: str) -> None:
        """Say a sentence."""
        self._house.rig.sound.say(text)

    def buzz(self, cue: str) -> None:
        """Sound the buzzer once."""
        self._test.buzz(cue)

    def pressed(self) -> frozenset[str]:
        """The buttons that were pressed since they were borrowed."""
        return self._test.pressed()

    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""
        return self._house.rig.buttons.down

    def lamp_colours(self) -> Sequence[Pixel]:
        """Red, green and blue of every lamp as people see it, 0 to 255."""
        return self._test.lamp_colours()

    def display(self) -> DisplayFace:
        """What stands on the score display."""
        return self._test.display()

    def can_push(self, button: str) -> bool:
        """Whether the button is simulated."""
        return self._test.can_push(button)

    def push(self, button: str, pressed: bool) -> None:
        """Push a simulated button, or let go of it."""
        self._test.push(button, pressed)

    # -- where the lamps stand --------------------------------------------------------------

    def games(self) -> Sequence[str]:
        """All games; the one that is played, or was last, comes first."""
        known = list(game_ids())
        session = self._house.session
        if session is not None:
            last = session.view.game
        else:
            matches = self._house.journal.matches()
            last = matches[0].header.game if matches else ""
        return sorted(known, key=lambda game: game != last)

    def lamp_places(self, game: str) -> Places:
        """Site to the lamps that stand there."""
        box = game_box(game)
        places = self._house.director.lamp_of(box.id)
        return {site: lamps for site, lamps in places.items() if site in box.sites}

    def places_found(self, game: str) -> bool:
        """Whether they were shown on the screen."""
        return self._house.lamp_sites.found(game_box(game).id)

    def keep_lamp_places(self, game: str, places: Places, asked: int | None = None) -> str:
        """Keep them; gives what went wrong, as a sentence, or nothing."""
        try:
            self._house.lamp_sites.keep(game_box(game), places, asked)
        except OSError as error:
            return f"{error.filename or self._house.state}: {error.strerror or error}"
        self._house.rig.lamps.places_changed()
        self._house.director.show_again()
        return ""

    def lamp_walk(self, game: str) -> list[str | None]:
        """What was shown of the lamps before somebody stopped."""
        return self._walks.steps(game, game_box(game))[: self.lamp_count]

    def keep_lamp_walk(self, game: str, steps: Sequence[str | None]) -> str:
        """Keep that; gives what went wrong, as a sentence, or nothing."""
        try:
            self._walks.keep(game, steps)
        except OSError as error:
            return f"{error.filename or self._house.state}: {error.strerror or error}"
        return ""

    def forget_lamp_places(self, game: str) -> None:
        """Back to settings or box."""
        try:
            self._house.lamp_sites.forget(game_box(game).id)
        except OSError as error:
            log.warning("the lamps' places stay: %s", error)
        self._house.rig.lamps.places_changed()
        self._house.director.show_again()

    # -- the lens ---------------------------------------------------------------------------

    @property
    def can_measure_lens(self) -> bool:
        """Whether there is a camera whose lens can be measured."""
        from vision.camera.sources import camera_name

        return bool(camera_name(self._house.settings.camera.source))

    def measure_lens(self) -> None:
        """Begin to measure it."""
        from companion.camera.lenses import Lenses
        from companion.workshop.lens_walk import LensWalk
        from vision.camera.sources import camera_name

        self.stop_lens()
        camera, lenses = self._house.settings.camera.source, Lenses(self._house.state)
        opened = self._house.camera.lend_pictures(self.stop_lens)
        lang = self.preferences.lang
        self._lens = LensWalk(camera_name(camera) or "camera", opened, lenses, lang).start()

    def lens(self) -> LensLook:
        """How far it is."""
        return LensLook() if self._lens is None else self._lens.look()

    def stop_lens(self) -> None:
        """End it; the camera is free."""
        if self._lens is not None:
            self._lens.close()
        self._lens = None

    # -- boards of one's own ----------------------------------------------------------------

    @cached_property
    def boards(self) -> BoardDesk:
        """Where the fields of one's own board are mapped."""
        from companion.workshop.board_desk import BoardDesk

        house, camera = self._house, self._house.camera
        return BoardDesk(
            house.own_boards, house.state, camera.snapshot, camera.lens_of(),
            lambda: self.preferences.lang,
        )  # fmt: skip

    # -- reports ----------------------------------------------------------------------------

    def remember_moment(self) -> str:
        """Keep what is seen and believed now; gives what went wrong, or nothing."""
        try:
            self._moments.keep(self._evidence())
        except OSError as error:
            log.warning("a moment could not be kept: %s", error)
            return f"{error.filename or self._moments.folder}: {error.strerror or error}"
        return ""

    def moments(self) -> Sequence[str]:
        """Names of the moments kept, the newest first."""
        return list(reversed(self._moments.names()))

    def write_report(self) -> Path:
        """Write the problem report. Raises OSError, JournalError."""
        self._await_picture()
        session = self._house.session
        told = [f"{s.name}: {s.message}" for s in self._house.rig.status()]
        report = Report(
            state=self._house.state,
            settings_file=self._house.settings_file or settings_path(),
            settings=self._house.settings,
            lang=self.preferences.lang,
            match_id="" if session is None else session.view.match_id,
            log_lines=self._recent.lines(),
            evidence=(self._evidence("now"), *self._moments.all()),
            devices=told,
            now_s=self._clock(),
        )
        return report.write()

    def _await_picture(self) -> None:
        """Eyes that were opened just now need a moment."""
        end = time.monotonic() + PATIENCE_S
        while self._house.camera.snapshot() is None and time.monotonic() < end:
            if not self._house.camera.looks:
                return
            time.sleep(0.05)

    def _evidence(self, name: str = "") -> Evidence:
        from companion.workshop.camera_look import evidence_of

        session = self._house.session
        view = None if session is None else session.view
        box = self._teller.box(self._seen_game())
        return evidence_of(self._house.camera.snapshot(), view, box, self._clock(), name)

    # -- the rest ---------------------------------------------------------------------------

    def about(self) -> About:
        """This Heelstone."""
        state = self._house.state
        parts = [state / f"journal.db{tail}" for tail in ("", "-wal", "-shm")]
        found = versions()
        found.pop("heelstone")
        notes = (
            self._house.preferences.trouble,
            *self._house.lamp_sites.troubles,
            *self._house.own_boards.troubles,
            self._house.journal.salvage,
        )
        return About(
            version=heelstone_version(),
            packages=found,
            journal_bytes=sum(_size(part) for part in parts),
            matches=len(self._house.journal.matches()),
            free_bytes=shutil.disk_usage(state).free,
            voice_bytes=sum(_size(path) for path in _recordings()),
            reports=len(list((state / "reports").glob("heelstone-*.zip"))),
            notes=tuple(in_language(note, self.preferences.lang) for note in notes if note),
        )

    def close(self) -> None:
        """Let go of the camera and keep the log of this run."""
        self.unwatch()
        self._test.give_back()
        try:
            text = "".join(f"{line}\n" for line in self._recent.lines())
            write_whole(last_run_log(self._house.state), text)
        except OSError as error:
            log.warning("the log of this run cannot be kept: %s", error)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        # Another thread may just have taken the file away.
        return 0


def _recordings() -> list[Path]:
    folder = recordings_folder()
    return list(folder.glob("*.wav")) if folder.is_dir() else []
