"""The program around the screens: journal, camera, rig, and the one session at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.match_setup import header_of, house_rules, own_course, waiting_matches
from companion.app.network_services import CLUB_FILE, Neighbours
from companion.app.phones import TablePhones
from companion.app.preload import load, read_ahead
from companion.boards.store import OwnBoards
from companion.camera.owner import TableCamera
from companion.journal.entries import (
    ABANDONED,
    Header,
    JournalError,
    Together,
)
from companion.journal.lock import TableLock
from companion.journal.store import Journal
from companion.match.public_log import PublicIds
from companion.match.state import MachineNote
from companion.outputs.lamp_sites import LampSites
from companion.presentation.faces import wear
from companion.settings.people import MatchSetup, People
from companion.settings.preferences import PreferencesFile
from companion.settings.settings import Settings, exports_folder, settings_path
from companion.settings.validating import faults
from companion.setup.shelf import Fronts
from companion.setup.table_check import Bench, CheckFile
from companion.support.failures import FailureWatch
from companion.support.log import RecentLog, note_events
from companion.support.machine import MachineWatch
from companion.support.network import Network
from companion.ui.shell import UnfinishedMatch
from companion.words.errors import notice
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.status import DeviceStatus
from rules.bounded import is_there
from rules.core import OptionError
from rules.errors import Sentence
from rules.games import find_game

if TYPE_CHECKING:
    # Loaded when they are first needed: the shelf appears sooner without them.
    from companion.camera.camera_thread import CameraThread
    from companion.club.two_tables import ClubTables
    from companion.match.looking_back.judging import Judging
    from companion.match.looking_back.library import Library
    from companion.match.session import Session
    from companion.outputs.cues import CueDirector
    from companion.outputs.player_buttons import PlayerButtons
    from companion.players.opponents import Opponents
    from companion.workshop.workshop import Workshop
    from rules.match import Entry

log = logging.getLogger(__name__)


@dataclass
class Application:
    """Heelstone without its screens: settings, journal, devices and the current session.

    Implements ``companion.ui.shell.Shell``.
    """

    settings: Settings
    state: Path
    lang: str
    settings_file: Path | None = None
    """File the settings were read from; None: the usual place."""
    session: Session | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._alone = TableLock(self.state)
        self.unkept: Sentence | None = None
        """Reason why matches are not saved; None if they are."""
        self.journal = self._journal()
        if self.journal.salvage:
            log.warning("%s", self.journal.salvage)
        self.people = People(self.state)
        if self.people.salvage:
            log.warning("%s", self.people.salvage)
        wear(self.people.faces)
        self.checked = CheckFile(self.state)
        self.fronts = Fronts(self.state / "shelf")
        self.own_boards = OwnBoards(self.state)
        self._share = self.settings.memory
        self.camera = TableCamera(
            self.settings.camera, self.state, self.own_boards.box, self._share
        )
        self.preferences = PreferencesFile(self.state, self.settings, self.lang)
        self.lamp_sites = LampSites(self.state / "lamps", self.settings.lamp_sites)
        self.aliases = PublicIds()
        """Ids of matches outside this table."""
        self.phones = TablePhones(self.settings.web, self.state, self._keep_phones, self.aliases)
        self.preferences.follow(lambda chosen: self.phones.speak(chosen.lang))
        self.neighbours = Neighbours(
            self.settings.mqtt,
            self.state,
            self.preferences,
            self.aliases,
            self._part_told,
            kept=self.unkept is None,
            seats_used=self.journal.seats_used() if self.settings.mqtt.host else 0,
        )
        self._network = Network(self.state)
        self.preferences.follow(
            lambda chosen: self._network.want(chosen.phones or self.neighbours.elsewhere)
        )
        self.phones.when_asked(lambda seat: self.director.phone_asks(seat))
        self.recent_log = RecentLog().start()
        self.faults = faults(self.settings, self.settings_file or settings_path())
        """Faults found in the settings."""
        for fault in self.faults:
            log.warning("%s", fault)
        self.machine = MachineWatch(self.state, self._machine)
        self._mistakes = FailureWatch(self.machine.note_mistake).start()
        self.rig = Rig(self.settings.rig, listener=self._device_news)
        self._outputs: tuple[CueDirector, PlayerButtons] | None = None
        self._opponents: Opponents | None = None
        self._told: dict[str, str] = {}
        """Parts that are no devices of the rig and in trouble, and the code of it."""
        self._connecting = threading.RLock()

    @property
    def director(self) -> CueDirector:
        """The conductor of lamps, score display and voice."""
        return self._connected()[0]

    @property
    def buttons(self) -> PlayerButtons:
        """The players' buttons."""
        return self._connected()[1]

    def _connected(self) -> tuple[CueDirector, PlayerButtons]:
        """Devices and the players, joined by whichever thread needs that first: the shelf appears
        before."""
        with self._connecting:
            if self._outputs is None:
                from companion.outputs.cues import CueDirector
                from companion.outputs.player_buttons import PlayerButtons

                director = CueDirector(self.rig, self.lang, self.lamp_sites)
                self.preferences.follow(director.tune)
                buttons = PlayerButtons(lambda: self.session, director.say_again)
                buttons.connect(self.rig.buttons, self.settings.rig.buttons)
                self._outputs = director, buttons
            return self._outputs

    @property
    def together(self) -> ClubTables | None:
        """The other tables of the club; None at a table that belongs to none, or as long as the
        first screen is not there."""
        return self.neighbours.tables

    @property
    def opponents(self) -> Opponents:
        """Client of the computer players, made when first needed."""
        if self._opponents is None:
            from companion.players.engine_client import COMMAND, EngineClient, Patience
            from companion.players.opponents import Opponents

            thinking = EngineClient(
                Patience(rest_s=self._share.rest_s), (*COMMAND, str(self._share.players_mb))
            )
            self._opponents = found = Opponents(self.settings.players, thinking)
            self.preferences.follow(lambda chosen: found.take_time(chosen.think_s))
        return self._opponents

    # -- the shell of the screens ---------------------------------------------------------

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        """Matches that may be resumed, the one taken up last first."""
        return waiting_matches(self.journal)

    def last_played(self) -> Mapping[str, float]:
        """Time each game was last started, seconds since 1970."""
        return self.journal.last_begun_s()

    def options_played(self, game: str) -> Sequence[Mapping[str, str]]:
        """Options of the last matches of a game."""
        return self.journal.options_played(game)

    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf; those on boards of the players' own come last."""
        return [*self.fronts.games(), *self.own_boards.games()]

    def start(self, plan: MatchSetup) -> Session:
        """Begin a match; all others stay open, and what was only set out is put away.

        With real pieces the camera is not listened to before ``begin``.
        """
        return self._start(plan, None)

    def begin_together(self) -> Session:
        """Begin the match that this table and another one agreed on.

        Its record holds what lies on both boards and what is public, as that of any match with real
        pieces; and there is no clock, since two would never show the same.
        """
        tables = self.neighbours.join_tables()
        agreed = None if tables is None else tables.agreed()
        if agreed is None:
            raise JournalError("nobody_together")
        plan, together = agreed
        alone = replace(plan, physical=True, clock="", computers=(), tips=False)
        return self._start(alone, together)

    def _start(self, plan: MatchSetup, together: Together | None) -> Session:
        course = own_course(self.state, plan.options)
        header = header_of(plan, self.lang, course=course, together=together)
        set_out = [s.header.id for s in self.journal.unfinished() if not s.played]
        self.journal.create(header)
        for other in set_out:
            # Only now: a match that could not be begun must not end another.
            self.journal.set_status(other, ABANDONED)
        if together is None or together.hosting:
            self.people.remember(house_rules(plan))
        return self._open(header, ready=False)

    def begin(self) -> None:
        """The pieces lie ready: from now on the camera is used."""
        self.director.take_back()
        if self.session is not None:
            self.camera.begin(self.session.view.items)

    def pause(self) -> None:
        """Closes the table; the match under way can be resumed, unless it was only set out."""
        if self.session is not None:
            match_id = self.session.view.match_id
            self._close_table()
            self.director.take_back()
            self._rest()
            self._put_away(match_id)

    def abandon(self, match_id: str) -> None:
        """Give up an unfinished match; it never comes back by itself."""
        if self.session is not None and self.session.view.match_id == match_id:
            self.pause()
        self.journal.set_status(match_id, ABANDONED)
        self._given_up(self.journal.header(match_id))

    def resume(self, match_id: str) -> Session:
        """Continue an unfinished match."""
        return self._open(self.journal.header(match_id), ready=True)

    @cached_property
    def library(self) -> Library:
        """Matches that were played; has its own connection to the journal."""
        from companion.match.looking_back.library import Library

        journal = self.journal
        if isinstance(journal.path, Path):
            journal = Journal(journal.path, beside=True)
        return Library(journal, exports_folder(self.state), self.judging)

    @cached_property
    def judging(self) -> Judging:
        """Analyses past matches in the background; it waits while a match is played."""
        from companion.match.looking_back.judgements import Judgements
        from companion.match.looking_back.judging import Judging

        kept = self.state / "looking-back" if isinstance(self.journal.path, Path) else None
        judging = Judging(Judgements(kept), most_mb=self._share.players_mb)
        judging.pause(self.session is not None and self.session.view.outcome is None)
        return judging

    @cached_property
    def workshop(self) -> Workshop:
        """The benches, for the person who looks after the table."""
        from companion.workshop.workshop import Workshop

        return Workshop(
            settings=self.settings,
            settings_file=self.settings_file,
            state=self.state,
            preferences=self.preferences,
            journal=self.journal,
            rig=self.rig,
            director=self.director,
            lamp_sites=self.lamp_sites,
            own_boards=self.own_boards,
            table_camera=self.camera,
            recent_log=self.recent_log,
            played=lambda: None if self.session is None else self.session.view,
            check_bench=self.bench,
            scene=lambda name: [] if self.session is None else self.session.scene(name),
        )

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry]) -> None:
        """Put a wrong entry right; in the match under way by its session. Raises JournalError."""
        session = self.session
        if session is None or session.view.match_id != match_id:
            self.library.amend(match_id, ply, entries)
            return
        from companion.match.view import Amend

        moves = tuple(entry.move for entry in entries)
        session.post(Amend(ply, moves, session.view.changes))
        session.settle()

    def plan_for(self, game: str, names: Sequence[str] = ()) -> MatchSetup:
        """The last setup chosen for a game, as far as the game still accepts it, else its
        default."""
        rules = find_game(game)
        plan = self.people.last(game, names)
        if plan is not None:
            try:
                rules.complete_options(plan.players, plan.options)
                return plan
            except OptionError as error:
                log.warning("the last setup of %s is not offered: %s", game, error)
        return MatchSetup(
            game, rules.players[0], enforcement=self.settings.enforcement,
            # Without a camera all pieces would have to be entered besides.
            physical=self.camera.is_set_up, commit=self.settings.manners.commit,
        )  # fmt: skip

    def bgg_number(self, game: str) -> int:
        """A game's number at BoardGameGeek; 0: it is not known."""
        return self.preferences.now.bgg.get(game, find_game(game).bgg_id)

    def keep_bgg_number(self, game: str, number: int) -> None:
        """Remember a game's number at BoardGameGeek; 0: forget it."""
        others = {name: known for name, known in self.preferences.now.bgg.items() if name != game}
        self.preferences.choose(bgg={**others, game: number} if number else others)

    def notices(self) -> Sequence[Sentence]:
        """Warnings for players about damaged files and settings."""
        own = (*self.own_boards.troubles, *self.lamp_sites.troubles, *self.faults)
        kept = (self.unkept, self.journal.salvage, self.people.salvage, self.checked.salvage)
        return [*(told for told in kept if told is not None), *own]

    def machine_notes(self) -> Sequence[MachineNote]:
        """Current problems of the computer."""
        return self.machine.notes

    def point_at(self, sites: Sequence[str]) -> None:
        """Lights the lamps of these sites until the match begins."""
        if self.session is None:
            return
        from companion.outputs.cues import ASK

        self.director.lend()
        lamps = self.director.lamp_of(self.session.view.box)
        glow = Light(ASK, Rhythm.SLOW_PULSE)
        self.rig.lamps.show({lamp: glow for site in sites for lamp in lamps.get(site, ())})

    @property
    def eyes(self) -> CameraThread | None:
        """The eyes of the match under way."""
        return self.camera.eyes

    @property
    def is_new(self) -> bool:
        """True if nothing was ever played or checked here."""
        return not is_there(self.checked.path) and not self.journal.matches()

    @property
    def box_in_use(self) -> str:
        """The box of the match whose camera is on; empty if there is none."""
        return "" if self.eyes is None or self.session is None else self.session.view.box

    @property
    def can_check(self) -> bool:
        """True if a camera or a device is set up."""
        devices = (status.kind for status in self.rig.status())
        return self.camera.is_set_up or not {*devices} <= {"none", "silent"}

    def bench(self, box: str) -> Bench:
        """The devices for a check of the table; a match under way pauses until its end."""
        eyes, put_back = self.camera.lend(box)
        self.director.lend()

        def give_back() -> None:
            self.director.take_back()
            if self.session is None:
                self._rest()
            put_back()

        return Bench(self.rig, eyes, give_back)

    def steps_ahead(self) -> Sequence[Callable[[], object]]:
        """Steps that load the first match, the workshop and the camera ahead of time."""
        steps: list[Callable[[], object]] = [
            *load("companion.outputs.cues", "companion.outputs.player_buttons"),
            self._connected,
            *load("companion.match.table", "companion.match.session"),
            *load("companion.players.opponents"),
        ]
        steps += [lambda: self.workshop, self.machine.start]
        if self.preferences.now.phones:
            steps.append(partial(self.phones.want, True))
        if self.settings.mqtt.host:
            steps += [*load("companion.mqtt.line"), lambda: self.neighbours.line]
        if is_there(self.state / CLUB_FILE):
            steps += [*load("companion.club.upload"), lambda: self.neighbours.uploader]
            steps += [*load("companion.club.two_tables"), self.neighbours.join_tables]
        if self.camera.is_set_up:
            steps += [partial(read_ahead, name) for name in ("numpy", "cv2")]
            steps += load(
                # Medians ask for the second.
                "numpy", "numpy.ma", "cv2", "vision.camera.sources", "vision.tracker",
                "companion.camera.camera_thread", "companion.workshop.camera",
                "companion.camera.lenses",
            )  # fmt: skip
        return steps

    def close(self) -> None:
        """End everything in order."""
        self.machine.close()
        self._close_table()
        if self._opponents is not None:
            self._opponents.close()
        self.phones.close()
        # Its report keeps the log of this run, also if nobody opened the workshop.
        self.workshop.close()
        if self._outputs is not None:
            self.director.close()
        self.neighbours.close()
        self.rig.close()
        if "judging" in self.__dict__:
            self.judging.close()
        if "library" in self.__dict__:
            self.library.close()
        self.journal.close()
        self._alone.close()
        self._mistakes.stop()
        self.recent_log.stop()

    # -- private --------------------------------------------------------------------------

    def _journal(self) -> Journal:
        """The journal; one that is not saved if it cannot be opened, since people want to play."""
        try:
            return Journal(self.state / "journal.db")
        except JournalError as error:
            self.unkept = notice("not_kept", reason=error)
            log.warning("%s", self.unkept)
            return Journal(":memory:")

    def _open(self, header: Header, *, ready: bool) -> Session:
        """``ready``: the pieces lie on the table as recorded."""
        from companion.match.session import Session
        from companion.match.table import Table

        self._close_table()
        try:
            self.journal.note_opened(header.id)
        except JournalError as error:
            # Looking at it needs no room on the disk; a move says what is wrong with that.
            log.warning("%s", error)
        session = Session(Table(self.journal, header, self.settings.manners))
        session.listen(self.director)
        session.listen(self.buttons)
        session.listen(note_events)
        session.listen(lambda view, _events: self._judging_waits(view.outcome is None))
        if (line := self.neighbours.line) is not None:
            session.listen(line)
            line(session.view, ())
        if (uploader := self.neighbours.uploader) is not None:
            session.listen(uploader)
        if (tables := self.neighbours.join_tables()) is not None:
            tables.follow(session)
        if any(header.computers) or header.tips:
            self.opponents.follow(session)
        # Once the session runs, only its thread may speak to the director.
        self.director(session.view, ())
        self.buttons(session.view, ())
        self.session = session.start()
        self._judging_waits(session.view.outcome is None)
        self.phones.follow(session)
        session.machine(self.machine.start().notes)
        for status in self.rig.status():
            self._device(status)
        for part, code in self._told.items():
            session.device(part, code)
        if self.camera.is_set_up and header.physical:
            self.camera.watch(session, ready=ready)
        return session

    def _put_away(self, match_id: str) -> None:
        """A match of which nothing was played is not kept for later."""
        summary = next((s for s in self.journal.unfinished() if s.header.id == match_id), None)
        if summary is not None and not summary.played:
            try:
                self.journal.set_status(match_id, ABANDONED)
                self._given_up(summary.header)
            except JournalError as error:
                log.warning("the match stays unfinished: %s", error)

    def _given_up(self, header: Header) -> None:
        """Tell the other table of a match that it is not played on."""
        if header.together is not None and self.together is not None:
            self.together.given_up(header.together)

    def _rest(self) -> None:
        """Sets lamps and displays to idle: nothing is played."""
        self.director.rest()
        self.rig.lamps.idle()
        self.rig.score.clear()

    def _close_table(self) -> None:
        self.camera.close()
        self.phones.follow(None)
        if self.neighbours.tables is not None:
            self.neighbours.tables.follow(None)
        if self._opponents is not None:
            self._opponents.follow(None)
        if self.session is not None:
            self.session.close()
            self.neighbours.rest()
        self.session = None
        self._judging_waits(False)

    def _judging_waits(self, playing: bool) -> None:
        """Looking back leaves the computer to those who play."""
        if "judging" in self.__dict__:
            self.judging.pause(playing)

    def _device_news(self, status: DeviceStatus) -> None:
        """A device's state has changed; without a screen only the log tells."""
        level = logging.INFO if status.ok or status.code == "connecting" else logging.WARNING
        log.log(level, "%s: %s", status.name, status.message)
        self._device(status)

    def _device(self, status: DeviceStatus) -> None:
        session = self.session
        if session is not None:
            quiet = status.ok or status.code == "connecting"
            session.device(status.name, "" if quiet else status.code)

    def _keep_phones(self, on: bool) -> None:
        self.preferences.choose(phones=on)

    def _part_told(self, part: str, code: str) -> None:
        """A part that is no device of the rig is in trouble, or (empty) well again."""
        self._told[part] = code
        if (session := self.session) is not None:
            session.device(part, code)

    def _machine(self, notes: tuple[MachineNote, ...]) -> None:
        session = self.session
        if session is not None:
            session.machine(notes)
