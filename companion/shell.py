"""The program around the screens: journal, camera, rig, and the one session at a time."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.complaints import in_language
from companion.cues import ASK, CueDirector
from companion.fronts import Fronts
from companion.journal import ABANDONED, Header, Journal, JournalError, new_match_id
from companion.lamp_sites import LampSites
from companion.own_boards import OwnBoards
from companion.people import People, Plan
from companion.preferences import PreferencesFile, tune
from companion.recent_log import RecentLog, note_events
from companion.settings import Settings
from companion.table_check import Bench, CheckFile
from companion.ui.shell import MatchSummary
from companion.view import Amend, Choose, Enforcement, Redo, TapMove, Undo
from companion.warming import Warming, load, read_ahead, settle_memory
from hardware.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.status import DeviceStatus
from rules.core import OptionError
from rules.games import find_game

if TYPE_CHECKING:
    # Loaded when they are first needed: the shelf stands sooner without them.
    from companion.camera_gate import CameraGate
    from companion.eyes import Eyes, Onlooker
    from companion.library import Library
    from companion.session import Session
    from companion.workbench import Workbench
    from rules.box import Box
    from rules.match import Entry
    from vision.lens import Lens
    from vision.sighting import Sighting
    from vision.sources import FrameSource

__all__ = ["House", "run_app"]

log = logging.getLogger(__name__)


def open_source(text: str, size: tuple[int, int] | None, lock: bool) -> FrameSource:
    """``vision.sources.open_source``; vision is loaded when the first camera is opened."""
    from vision.sources import open_source as opened

    return opened(text, size, lock)


@dataclass
class House:
    """Everything of one Heelstone but its screens; implements ``companion.ui.shell.Shell``."""

    settings: Settings
    state: Path
    lang: str
    settings_file: Path | None = None
    """Where the settings were read from; None: from the usual place."""
    session: Session | None = field(default=None, init=False)
    eyes: Eyes | None = field(default=None, init=False)
    _gate: CameraGate | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.journal = Journal(self.state / "journal.db")
        if self.journal.salvage:
            log.warning("%s", self.journal.salvage)
        self.people = People(self.state)
        if self.people.salvage:
            log.warning("%s", self.people.salvage)
        self.checked = CheckFile(self.state)
        self.fronts = Fronts(self.state / "shelf")
        self.own_boards = OwnBoards(self.state)
        self.preferences = PreferencesFile(self.state, self.settings, self.lang)
        self.lang = self.preferences.now.lang
        self.lamp_sites = LampSites(self.state / "lamps", self.settings.lamp_sites)
        self.rig = Rig(self.settings.rig, listener=self._device)
        self.director = CueDirector(self.rig, self.lang, self.lamp_sites)
        self.recent_log = RecentLog().start()
        tune(self.rig, self.director, self.preferences.now)
        for name in self.settings.rig.buttons:
            self.rig.buttons.when_pressed(name, partial(self._button, name))

    # -- the shell of the screens ---------------------------------------------------------

    def unfinished(self) -> Sequence[MatchSummary]:
        """Matches that may be resumed, the latest first; those that do not replay are left out."""
        waiting = self.journal.unfinished()
        if not waiting:
            return []
        from companion.table import Table

        found = []
        for summary in waiting:
            header = summary.header
            try:
                table = Table(self.journal, header, self.settings.manners)
            except JournalError as error:
                log.warning("%s", error)
                continue
            events = self.journal.events(header.id)
            view = table.view()
            found.append(
                MatchSummary(
                    match_id=header.id,
                    game=header.game,
                    colours=view.colours,
                    names=header.names,
                    scores=view.scores,
                    turn=view.turn,
                    saved_s=events[-1].t_utc if events else header.created_s,
                )
            )
        return found

    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf; those on boards of one's own come last."""
        return [*self.fronts.games(), *self.own_boards.games()]

    def start(self, plan: Plan) -> Session:
        """Begin a match; one that was under way is abandoned and never comes back by itself.

        With real pieces the camera is not listened to before ``begin``.
        """
        for summary in self.journal.unfinished():
            self.journal.set_status(summary.header.id, ABANDONED)
        match_id = new_match_id()
        header = Header(
            id=match_id,
            game=plan.game,
            players=plan.players,
            options=find_game(plan.game).complete_options(plan.players, plan.options),
            physical=plan.physical,
            seed=match_id,
            names=plan.seats,
            enforcement=plan.enforcement.value,
            created_s=time.time(),
            course=self._course(plan.options),
            commit=plan.commit,
            board=find_game(plan.game).board_text,
            series=plan.series or (match_id if find_game(plan.game).series else ""),
        )
        self.journal.create(header)
        self.people.remember(plan)
        return self._open(header, ready=False)

    def begin(self) -> None:
        """The pieces lie ready: from now on the camera counts."""
        self.director.take_back()
        if self.eyes is not None and self.session is not None:
            # What lies where is known now; bare pieces show their colours under this light.
            items = self.session.view.items
            self.eyes.tracker.teach({item.site: item.kind for item in items if item.kind})
        if self._gate is not None:
            self._gate.open()

    def pause(self) -> None:
        """Nobody plays; the match under way can be resumed."""
        if self.session is not None:
            self._close_table()
            self.director.take_back()
            self._rest()

    def abandon(self, match_id: str) -> None:
        """Give an unfinished match up; it never comes back by itself."""
        if self.session is not None and self.session.view.match_id == match_id:
            self.pause()
        self.journal.set_status(match_id, ABANDONED)

    def resume(self, match_id: str) -> Session:
        """Go on with an unfinished match."""
        return self._open(self.journal.header(match_id), ready=True)

    @cached_property
    def library(self) -> Library:
        """Matches that were played; with a connection to the journal of its own."""
        from companion.library import Library

        return Library(Journal(self.state / "journal.db"), self.state / "exports")

    @cached_property
    def workbench(self) -> Workbench:
        """What the workshop asks for."""
        from companion.workbench import Workbench

        return Workbench(self, self._source(), self.recent_log)

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry]) -> None:
        """Put a wrong entry right; in the match under way by its session. Raises JournalError."""
        session = self.session
        if session is None or session.view.match_id != match_id:
            self.library.amend(match_id, ply, entries)
            return
        moves = tuple(entry.move.text for entry in entries)
        session.post(Amend(ply, moves, session.view.ply))
        session.settle()

    def recent_players(self) -> Sequence[str]:
        """Names of people who played here, the latest first."""
        return self.people.recent

    def forget_player(self, name: str) -> None:
        """Offer this name no more."""
        self.people.forget(name)

    def plan_for(self, game: str, names: Sequence[str] = ()) -> Plan:
        """What was chosen for a game last, as far as the game still knows it."""
        rules = find_game(game)
        plan = self.people.last(game, names)
        if plan is not None:
            try:
                rules.complete_options(plan.players, plan.options)
                return plan
            except OptionError as error:
                log.warning("the last setup of %s is not offered: %s", game, error)
        enforcement = Enforcement(self.settings.enforcement)
        commit = self.settings.manners.commit
        return Plan(game, rules.players[0], enforcement=enforcement, commit=commit)

    def notices(self) -> Sequence[str]:
        """What players should know about damaged files, as sentences."""
        own = self.own_boards.troubles
        found = (self.journal.salvage, self.people.salvage, self.checked.salvage, *own)
        lang = self.preferences.now.lang
        return [in_language(sentence, lang) for sentence in found if sentence]

    def sees(self) -> Sighting | None:
        """What the camera sees now; None if there is no picture of the board."""
        sighting = None if self.eyes is None else self.eyes.last
        return None if sighting is None or sighting.board != "found" else sighting

    def point_at(self, sites: Sequence[str]) -> None:
        """Let lamps glow at these places until the match begins."""
        if self.session is None:
            return
        self.director.lend()
        lamps = self.director.lamp_of(self.session.view.box)
        glow = Light(ASK, Rhythm.SLOW_PULSE)
        self.rig.lamps.show({lamps[site]: glow for site in sites if site in lamps})

    @property
    def has_camera(self) -> bool:
        """Whether a camera is set up."""
        return bool(self.settings.camera.source)

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever played or checked here."""
        return not self.checked.path.exists() and not self.journal.matches()

    @property
    def box_in_use(self) -> str:
        """The box of the match whose camera is on; empty if there is none."""
        return "" if self.eyes is None or self.session is None else self.session.view.box

    def bench(self, box: str) -> Bench:
        """The devices for a check of the table; a match under way holds still until its end."""
        gate, eyes, own = self._gate, self.eyes, None
        was_open = gate is not None and gate.is_open
        if gate is not None:
            gate.shut()
        self.workbench.unwatch()
        if eyes is None and self.has_camera:
            from companion.camera_gate import IdleTable

            board = self.own_boards.box(box)
            own = eyes = self._eyes(board, IdleTable())
        self.director.lend()

        def give_back() -> None:
            if own is not None:
                own.close()
            self.director.take_back()
            if self.session is None:
                self._rest()
            if gate is not None and was_open:
                gate.open()

        return Bench(self.rig, eyes, give_back)

    def steps_ahead(self) -> Sequence[Callable[[], object]]:
        """What the first match, the workshop and the camera need; see ``companion.warming``."""
        steps = [*load("companion.table", "companion.session"), lambda: self.workbench]
        if self.has_camera:
            steps += [partial(read_ahead, name) for name in ("numpy", "cv2")]
            steps += load(
                "numpy", "cv2", "vision.sources", "vision.tracker", "companion.eyes",
                "companion.camera_watch", "companion.lenses",
            )  # fmt: skip
        return steps

    def close(self) -> None:
        """End everything in order."""
        self._close_table()
        self.workbench.close()
        self.rig.close()
        if "library" in self.__dict__:
            self.library.close()
        self.journal.close()
        self.recent_log.stop()

    # -- private --------------------------------------------------------------------------

    def _course(self, options: Mapping[str, str]) -> str:
        """The course of one's own that a match is played on; empty for all others."""
        if options.get("course") != "own":
            return ""
        from companion.records import CourseError, Courses

        try:
            return Courses(self.state / "courses").current()
        except CourseError as error:
            log.warning("%s", error)
            return ""

    def _open(self, header: Header, *, ready: bool) -> Session:
        """``ready``: the pieces lie on the table as the record says."""
        from companion.session import Session
        from companion.table import Table

        self._close_table()
        session = Session(Table(self.journal, header, self.settings.manners))
        session.listen(self.director)
        session.listen(note_events)
        # Once the session runs, only its thread may speak to the director.
        self.director(session.view, ())
        self.session = session.start()
        for status in self.rig.status():
            self._device(status)
        self.workbench.unwatch()
        if self.has_camera and header.physical:
            from companion.camera_gate import CameraGate

            self._gate = CameraGate(session, is_open=ready)
            self.eyes = self._eyes(self.own_boards.box(session.view.box), self._gate)
        return session

    def _eyes(self, box: Box, onlooker: Onlooker) -> Eyes:
        """Eyes that look at this board with the camera of the settings."""
        from companion.eyes import Eyes

        return Eyes(self._source(), box, onlooker, self._lens_of(), self._bare).start()

    def _rest(self) -> None:
        """Nothing is played: nothing glows."""
        self.rig.lamps.idle()
        self.rig.score.clear()

    def _source(self) -> Callable[[], FrameSource]:
        camera = self.settings.camera
        return partial(open_source, camera.source, camera.size, camera.lock)

    @property
    def _bare(self) -> tuple[str, ...]:
        """Pieces without stickers, as the settings name them."""
        return self.settings.camera.bare_names

    def _lens_of(self) -> Callable[[tuple[int, int]], Lens | None] | None:
        """The camera's calibrated lens, if it has one."""
        from companion.lenses import Lenses

        return Lenses(self.state).of(self.settings.camera.source)

    def _close_table(self) -> None:
        if self.eyes is not None:
            self.eyes.close()
        if self.session is not None:
            self.session.close()
        self.eyes = self.session = self._gate = None

    def _device(self, status: DeviceStatus) -> None:
        session = self.session
        if session is not None:
            quiet = status.ok or status.code == "connecting"
            session.device(status.name, "" if quiet else status.code)

    def _button(self, name: str) -> None:
        """A player's button: ``commit`` agrees or ends the turn, ``undo`` and ``redo`` go back."""
        session = self.session
        if session is None:
            return
        if name == "undo":
            session.post(Undo(), "button")
        elif name == "redo":
            session.post(Redo(), "button")
        else:
            done = [move for move in session.view.legal if move.verb == "done"]
            if session.view.candidates:
                session.post(Choose(0), "button")
            elif done:
                session.post(TapMove(done[0].text), "button")


def run_app(settings: Settings, state: Path, lang: str, settings_file: Path | None = None) -> int:
    """Show the screens until somebody closes them."""
    from companion.ui import kivy_env

    kivy_env.prepare(state)
    from companion.heartbeat import Heartbeat
    from companion.service import signs_of_life
    from companion.ui.app import HeelstoneApp

    house = House(settings, state, lang, settings_file)
    chosen = house.preferences.now

    def keep_style(new_lang: str, new_theme: str) -> None:
        house.workbench.choose(lang=new_lang, theme=new_theme)

    def check_fronts() -> None:
        if house.fronts.check():
            app.fronts_changed()

    def drawn() -> None:
        gc.enable()
        warming.start()

    warming = Warming([check_fronts, *house.steps_ahead(), settle_memory])
    try:
        app = HeelstoneApp(
            house,
            chosen.lang,
            chosen.theme,
            motion=chosen.animations,
            piece_colours=chosen.piece_colours,
            fronts=house.fronts,
            on_style=keep_style,
            on_drawn=drawn,
        )
        heartbeat = Heartbeat({**signs_of_life(house), "screen": app.alive})

        def ready(*_: object) -> None:
            # Kivy asks no further once a listener gives something back, not even the app itself.
            heartbeat.start()

        # Ready is who can be touched.
        app.bind(on_start=ready)
        try:
            app.run()
        finally:
            warming.close()
            heartbeat.close()
    finally:
        house.close()
    return 0
