"""The workshop of a Heelstone: hands out the benches, each made when it is first asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.boards.store import OwnBoards
from companion.camera.owner import TableCamera
from companion.journal.store import Journal
from companion.match.rehearsing.recall import Step
from companion.match.view import TableView
from companion.outputs.cues import CueDirector
from companion.outputs.lamp_sites import LampSites
from companion.settings.preferences import PreferencesFile
from companion.settings.settings import Settings, settings_path
from companion.settings.writing import write_whole
from companion.setup.table_check import Bench
from companion.support.log import RecentLog
from companion.support.report import last_run_log
from companion.support.updates import Updates
from companion.support.version import heelstone_version
from companion.support.wifi import Wifi
from companion.workshop.about import About, about
from companion.workshop.devices import DeviceBench
from companion.workshop.lamps import LampBench
from hardware.rig import Rig
from rules.games import find_game, game_ids

if TYPE_CHECKING:
    # Vision is loaded when a camera is looked through, not with the program.
    from companion.workshop.boards import BoardBench
    from companion.workshop.camera import CameraBench
    from companion.workshop.fieldtest.sequence import FieldTest
    from companion.workshop.lens import LensBench
    from companion.workshop.report import ReportBench

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Workshop:
    """The benches and what they work on. Those that need vision load it."""

    settings: Settings
    settings_file: Path | None
    """File the settings were read from; None: the usual place."""
    state: Path
    preferences: PreferencesFile
    journal: Journal
    rig: Rig
    director: CueDirector
    lamp_sites: LampSites
    own_boards: OwnBoards
    table_camera: TableCamera
    recent_log: RecentLog
    played: Callable[[], TableView | None]
    """The match under way; None if there is none."""
    check_bench: Callable[[str], Bench]
    """Borrows the devices for a check, with the board of this box below the camera."""
    scene: Callable[[str], Sequence[Step]]
    """Last sightings and touches in it, as a scene of this name; empty if there is none."""

    def __post_init__(self) -> None:
        log.info("Heelstone %s begins", heelstone_version())

    # -- the benches ------------------------------------------------------------------------

    @cached_property
    def devices(self) -> DeviceBench:
        """Trying the devices out."""
        return DeviceBench(self.rig, self.director, self.played)

    @cached_property
    def lamps(self) -> LampBench:
        """Bench for the places of the lamps."""
        return LampBench(self.rig, self.director, self.lamp_sites)

    @cached_property
    def camera(self) -> CameraBench:
        """Looking through the camera."""
        from companion.workshop.camera import CameraBench

        return CameraBench(
            self.table_camera, self.own_boards, self.preferences, self.played, self.games
        )

    @cached_property
    def lens(self) -> LensBench:
        """Measuring the camera's lens."""
        from companion.camera.lenses import Lenses
        from companion.workshop.lens import LensBench

        return LensBench(self.table_camera, Lenses(self.state), self.preferences)

    @cached_property
    def boards(self) -> BoardBench:
        """Mapping and drawing boards of the players' own."""
        from companion.workshop.boards import BoardBench

        folder = self.state / "board-pictures"
        return BoardBench(self.own_boards, folder, self.table_camera, self.preferences)

    @cached_property
    def report(self) -> ReportBench:
        """Moments to remember, and the problem report."""
        from companion.workshop.report import ReportBench

        return ReportBench(
            state=self.state,
            settings=self.settings,
            settings_file=self.settings_file,
            preferences=self.preferences,
            recent_log=self.recent_log,
            rig=self.rig,
            table_camera=self.table_camera,
            camera=self.camera,
            played=self.played,
            scene=self.scene,
        )

    @cached_property
    def field_test(self) -> FieldTest:
        """The guided test of the whole table."""
        from companion.workshop.fieldtest.record import Record
        from companion.workshop.fieldtest.sequence import FieldTest
        from companion.workshop.fieldtest.steps import Kit

        game = self.games()[0]
        box = self.own_boards.box(find_game(game).box)
        kit = Kit(
            bench=lambda: self.check_bench(box.id),
            devices=self.devices,
            camera=self.table_camera,
            game=game,
            box=box,
            state=self.state,
            settings_file=self.settings_file or settings_path(),
            record=Record(self.state),
        )
        return FieldTest(kit, self.settings)

    @cached_property
    def updates(self) -> Updates:
        """Newer versions, and the one before."""
        return Updates(self.state)

    @cached_property
    def wifi(self) -> Wifi:
        """The Wi-Fi of an installed table."""
        return Wifi(self.state)

    # -- what is asked of the workshop as a whole -------------------------------------------

    def games(self) -> Sequence[str]:
        """All games on a board; the one that is played, or was last, comes first."""
        view = self.played()
        if view is not None:
            last = view.game
        else:
            matches = self.journal.matches()
            last = matches[0].header.game if matches else ""
        on_boards = (game for game in game_ids() if find_game(game).watched)
        return sorted(on_boards, key=lambda game: game != last)

    def about(self) -> About:
        """This Heelstone and where it keeps things."""
        notes = (
            self.preferences.trouble,
            *self.lamp_sites.troubles,
            *self.own_boards.troubles,
            self.journal.salvage,
        )
        lang = self.preferences.now.lang
        told = tuple(note.told(lang) for note in notes if note)
        return about(self.state, len(self.journal.matches()), told)

    def close(self) -> None:
        """Give back what was borrowed and save the log of this run."""
        self.devices.give_back()
        try:
            text = "".join(f"{line}\n" for line in self.recent_log.lines())
            write_whole(last_run_log(self.state), text)
        except OSError as error:
            log.warning("the log of this run cannot be kept: %s", error)
