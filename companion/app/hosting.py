"""Decisions of the host of a table without a screen, carried out in order in a thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.app.application import Application
from companion.presentation.remote_table import Pairing
from companion.settings.people import MatchSetup
from companion.words.errors import HeelstoneError
from hardware.supervised_thread import InboxThread
from rules.core import GameError

log = logging.getLogger(__name__)

CLOSE_S = 5.0


class Hosting:
    """Matches as they are begun and ended without a screen (a ``companion.web.hosting.House``)."""

    def __init__(self, house: Application) -> None:
        self._house, self.trouble = house, ""
        self._thread = InboxThread[Callable[[], object]]("host", self._do)
        self._thread.start()
        self._thread.put(self._join)

    @property
    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf."""
        return self._house.games()

    @property
    def pairings(self) -> Sequence[Pairing]:
        """The games of a club's tournaments that wait for this table."""
        tables = self._house.together
        return () if tables is None else tables.now.pairings

    def plan_for(self, game: str) -> MatchSetup:
        """The setup of a game that was chosen last. Raises GameError for an unknown one."""
        return self.fit(self._house.plan_for(game))

    def fit(self, plan: MatchSetup) -> MatchSetup:
        """The plan as it can be played here: without a camera nobody could say what lies on a real
        board, so the program deals."""
        return plan if self._house.camera.is_set_up else replace(plan, physical=False)

    def begin(self, plan: MatchSetup) -> None:
        """Begin a match in place of the one on the table; returns at once."""
        self._thread.put(lambda: self._begin(plan))

    def again(self) -> None:
        """Begin the match that is over once more; returns at once."""
        self._thread.put(self._again)

    def end(self) -> None:
        """Give up the match on the table; returns at once."""
        self._thread.put(self._end)

    def close(self) -> None:
        """End the thread."""
        self._thread.close(CLOSE_S)

    # -- in the thread ----------------------------------------------------------------------

    def _do(self, deed: Callable[[], object]) -> None:
        self.trouble = ""
        try:
            deed()
        except (HeelstoneError, GameError) as error:
            log.warning("%s", error)
            self.trouble = str(error)
            self._house.phones.tell_host()

    def _join(self) -> None:
        """Hears which games of tournaments wait, if the table belongs to a club."""
        tables = self._house.neighbours.join_tables()
        if tables is not None:
            tables.listen(self._house.phones.tell_host)

    def _begin(self, plan: MatchSetup) -> None:
        log.info("a new match of %s", plan.game)
        self._house.start(plan)
        self._house.begin()

    def _again(self) -> None:
        from companion.match.looking_back.rematch import rematch_of

        session = self._house.session
        if session is not None and session.view.outcome is not None and session.view.other is None:
            self._begin(rematch_of(session.view))

    def _end(self) -> None:
        session = self._house.session
        if session is not None:
            self._house.abandon(session.view.match_id)
