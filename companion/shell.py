"""The program around the screens: journal, camera, rig, and the one session at a time."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import get_args, get_type_hints

from companion.cues import CueDirector
from companion.eyes import Eyes
from companion.journal import ABANDONED, Header, Journal, JournalError, new_match_id
from companion.records import CourseError, Courses
from companion.session import Session
from companion.settings import ScreenSettings, Settings
from companion.table import Table
from companion.ui.shell import MatchSummary
from companion.view import Choose, Enforcement, Redo, TapMove, Undo
from hardware.rig import Rig
from hardware.status import DeviceStatus
from rules.box import load_box
from rules.games import find_game, game_ids
from rules.telling import LANGUAGES
from vision.sources import open_source

__all__ = ["House", "run_app"]

log = logging.getLogger(__name__)

THEMES = get_args(get_type_hints(ScreenSettings)["theme"])


@dataclass
class House:
    """Everything of one Heelstone but its screens; implements ``companion.ui.shell.Shell``."""

    settings: Settings
    state: Path
    lang: str
    session: Session | None = field(default=None, init=False)
    eyes: Eyes | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.journal = Journal(self.state / "journal.db")
        if self.journal.salvage:
            log.warning("%s", self.journal.salvage)
        self.rig = Rig(self.settings.rig, listener=self._device)
        self.director = CueDirector(self.rig, self.lang, self.settings.lamp_sites)
        for name in self.settings.rig.buttons:
            self.rig.buttons.when_pressed(name, partial(self._button, name))

    # -- the shell of the screens ---------------------------------------------------------

    def unfinished(self) -> Sequence[MatchSummary]:
        """Matches that may be resumed, the latest first; those that do not replay are left out."""
        found = []
        for summary in self.journal.unfinished():
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
        """Ids of the games on the shelf."""
        return game_ids()

    def start(
        self,
        game: str,
        players: int,
        options: Mapping[str, str],
        enforcement: Enforcement,
        names: Sequence[str],
        physical: bool,
    ) -> Session:
        """Begin a match; one that was under way is abandoned and never comes back by itself."""
        for summary in self.journal.unfinished():
            self.journal.set_status(summary.header.id, ABANDONED)
        match_id = new_match_id()
        header = Header(
            id=match_id,
            game=game,
            players=players,
            options=find_game(game).complete_options(players, options),
            physical=physical,
            seed=match_id,
            names=tuple(names),
            enforcement=enforcement.value,
            created_s=time.time(),
            course=self._course(options),
        )
        self.journal.create(header)
        return self._open(header)

    def resume(self, match_id: str) -> Session:
        """Go on with an unfinished match."""
        return self._open(self.journal.header(match_id))

    def close(self) -> None:
        """End everything in order."""
        self._close_table()
        self.rig.close()
        self.journal.close()

    # -- private --------------------------------------------------------------------------

    def _course(self, options: Mapping[str, str]) -> str:
        """The course of one's own that a match is played on; empty for all others."""
        if options.get("course") != "own":
            return ""
        try:
            return Courses(self.state / "courses").current()
        except CourseError as error:
            log.warning("%s", error)
            return ""

    def _open(self, header: Header) -> Session:
        self._close_table()
        session = Session(Table(self.journal, header, self.settings.manners))
        session.listen(self.director)
        # Once the session runs, only its thread may speak to the director.
        self.director(session.view, ())
        self.session = session.start()
        for status in self.rig.status():
            self._device(status)
        source = self.settings.camera.source
        if source:
            size = (self.settings.camera.width, self.settings.camera.height)
            box = load_box(session.view.box)
            self.eyes = Eyes(partial(open_source, source, size), box, session).start()
        return session

    def _close_table(self) -> None:
        if self.eyes is not None:
            self.eyes.close()
        if self.session is not None:
            self.session.close()
        self.eyes = self.session = None

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


def run_app(settings: Settings, state: Path, lang: str) -> int:
    """Show the screens until somebody closes them."""
    from companion.ui import kivy_env

    kivy_env.prepare(state)
    from companion.ui.app import HeelstoneApp

    style_file = state / "style.json"
    theme = settings.screen.theme
    if style_file.exists():
        try:
            kept = json.loads(style_file.read_text(encoding="utf-8"))
            if kept["lang"] not in LANGUAGES or kept["theme"] not in THEMES:
                raise ValueError(f"unknown language or theme in {kept}")
            lang, theme = kept["lang"], kept["theme"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("%s is damaged and will be written anew: %s", style_file, error)
    house = House(settings, state, lang)

    def keep_style(new_lang: str, new_theme: str) -> None:
        house.director.lang = new_lang
        text = json.dumps({"lang": new_lang, "theme": new_theme})
        try:
            style_file.write_text(text, encoding="utf-8")
        except OSError as error:
            log.warning("the style cannot be kept: %s", error)

    try:
        app = HeelstoneApp(
            house, lang, theme, motion=settings.screen.animations, on_style=keep_style
        )
        app.run()
    finally:
        house.close()
    return 0
