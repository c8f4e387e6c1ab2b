"""A shell without journal, camera and devices, for the tests of screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.camera.owner import TableCamera
from companion.journal.store import Journal
from companion.match.looking_back.library import Library
from companion.match.view import MachineNote
from companion.presentation.faces import wear
from companion.presentation.phones import Phones
from companion.presentation.remote_table import TwoTables
from companion.settings.people import MatchSetup, People
from companion.settings.settings import CameraSettings
from companion.setup.table_check import Bench, CheckFile
from companion.ui.shell import TablePort, UnfinishedMatch
from hardware.rig import Rig
from hardware.settings import RigSettings
from rules.box import load_box
from rules.errors import Sentence
from rules.games import find_game
from rules.match import Entry, Match
from tests.support.phones import FakePhones
from tests.support.ui_harness import GAME, FakeTable


class FakeCamera(TableCamera):
    """Sees what a test says."""

    is_set_up = False

    def __init__(self) -> None:
        super().__init__(CameraSettings(), Path(), load_box)
        self.sighting: Any = None

    def sees(self) -> Any:
        return self.sighting


class FakeShell:
    """Remembers what was asked for."""

    def __init__(
        self,
        folder: Path,
        unfinished: Sequence[UnfinishedMatch] = (),
        *,
        games: Sequence[str] = (GAME,),
        is_new: bool = False,
        can_check: bool = True,
        rig: RigSettings | None = None,
        played: Mapping[str, float] | None = None,
    ) -> None:
        self._unfinished, self._games = tuple(unfinished), games
        self._played = played or {}
        self.people = People(folder)
        wear(self.people.faces)
        self.checked = CheckFile(folder)
        self.is_new, self.box_in_use, self.camera = is_new, "", FakeCamera()
        self.can_check = can_check
        self.rig_settings = rig or RigSettings()
        self.started: list[MatchSetup] = []
        self.resumed: list[str] = []
        self.abandoned: list[str] = []
        self.begun = self.paused = self.benches_closed = 0
        self.lit: list[tuple[str, ...]] = []
        self.told: list[Sentence] = []
        self.table = FakeTable(Match(GAME, 2))
        self.bgg: dict[str, int] = {}
        self.options: dict[str, Sequence[Mapping[str, str]]] = {}
        self.library = Library(Journal(folder / "journal.db"), folder / "exports")
        self.workshop: Any = SimpleNamespace(wifi=SimpleNamespace(able=False))
        self.phones: Phones = FakePhones(on=False)
        self.together: TwoTables | None = None

    def bgg_number(self, game: str) -> int:
        return self.bgg.get(game, find_game(game).bgg_id)

    def keep_bgg_number(self, game: str, number: int) -> None:
        self.bgg[game] = number

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry], /) -> None:
        self.library.amend(match_id, ply, entries)

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        return self._unfinished

    def options_played(self, game: str, /) -> Sequence[Mapping[str, str]]:
        return self.options.get(game, ())

    def last_played(self) -> Mapping[str, float]:
        return self._played

    def games(self) -> Sequence[str]:
        return self._games

    def start(self, plan: MatchSetup, /) -> TablePort:
        self.started.append(plan)
        game = find_game(plan.game)
        options = game.complete_options(plan.players, plan.options)
        self.table = FakeTable(Match(plan.game, plan.players, options, physical=plan.physical))
        return self.table

    def begin_together(self) -> TablePort:
        assert self.together is not None
        found = self.together.now
        agreed = found.sent or found.received
        assert agreed is not None
        return self.start(agreed.plan)

    def begin(self) -> None:
        self.begun += 1

    def pause(self) -> None:
        self.paused += 1

    def abandon(self, match_id: str, /) -> None:
        self.abandoned.append(match_id)
        self._unfinished = tuple(m for m in self._unfinished if m.match_id != match_id)

    def resume(self, match_id: str, /) -> TablePort:
        self.resumed.append(match_id)
        return self.table

    def plan_for(self, game: str, names: Sequence[str] = ()) -> MatchSetup:
        return self.people.last(game, names) or MatchSetup(game, find_game(game).players[0])

    def machine_notes(self) -> Sequence[MachineNote]:
        """All is well."""
        return []

    def notices(self) -> Sequence[Sentence]:
        return self.told

    def point_at(self, sites: Sequence[str], /) -> None:
        self.lit.append(tuple(sites))

    def bench(self, box: str, /) -> Bench:
        rig = Rig(self.rig_settings)

        def close() -> None:
            rig.close()
            self.benches_closed += 1

        return Bench(rig, None, close)
