"""The network services of a table: MQTT broker, club, the club's other tables.

Each is called when it is first asked for, since their packages take a moment to load; a table
without services loads none of them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.match.public_log import PublicIds
from companion.settings.preferences import PreferencesFile
from companion.settings.services import MqttSettings
from companion.words.errors import HeelstoneError
from rules.bounded import is_there

if TYPE_CHECKING:
    from companion.club.membership import Membership
    from companion.club.two_tables import ClubTables
    from companion.club.upload import Uploader
    from companion.mqtt.line import BrokerLink

log = logging.getLogger(__name__)

CLUB_FILE = "club.toml"
"""File in the state folder of a table that belongs to a club; see ``companion.club.membership``."""
HERE = ("localhost", "127.0.0.1", "::1")
"""Names of this computer on itself."""


class Neighbours:
    """The lines of one table.

    ``kept``: whether matches are saved; only those are told to a club. ``part_told`` hears the name
    of a line and the code of its trouble. ``seats_used``: most seats of any match before.
    """

    def __init__(
        self,
        mqtt: MqttSettings,
        state: Path,
        preferences: PreferencesFile,
        aliases: PublicIds,
        part_told: Callable[[str, str], None],
        *,
        kept: bool,
        seats_used: int,
    ) -> None:
        self._mqtt, self._state, self._preferences = mqtt, state, preferences
        self._aliases, self._part_told, self._kept = aliases, part_told, kept
        self._seats_used = seats_used
        self._line: BrokerLink | None = None
        self._uploader: Uploader | None = None
        self.tables: ClubTables | None = None
        """The other tables of the club, once they were joined."""
        self._connecting = threading.RLock()

    @property
    def elsewhere(self) -> bool:
        """True if any of the services is on another machine."""
        return self._mqtt.host not in ("", *HERE) or is_there(self._state / CLUB_FILE)

    @property
    def line(self) -> BrokerLink | None:
        """The line to the house's broker; None if the settings name none, or it cannot be used."""
        if self._line is None and self._mqtt.host:
            with self._connecting:
                self._line = self._line or self._call_the_house()
        return self._line

    @property
    def uploader(self) -> Uploader | None:
        """Sends matches to the club; None at a table that belongs to none."""
        if self._uploader is None and self._in_club:
            with self._connecting:
                self._uploader = self._uploader or self._call_the_club()
        return self._uploader

    def join_tables(self) -> ClubTables | None:
        """Begin to speak with the other tables of the club, if there is one."""
        if self.tables is None and self._in_club:
            with self._connecting:
                self.tables = self.tables or self._call_the_tables()
        return self.tables

    def rest(self) -> None:
        """Tells the broker that no match is on the table."""
        if self._line is not None:
            self._line.rest()

    def close(self) -> None:
        """Closes all connections."""
        for one in (self._line, self._uploader, self.tables):
            if one is not None:
                one.close()

    @property
    def _in_club(self) -> bool:
        return self._kept and is_there(self._state / CLUB_FILE)

    def _call_the_house(self) -> BrokerLink | None:
        if find_spec("paho") is None:
            self._part_told("house", "mqtt_missing")
            return None
        from companion.mqtt.line import BrokerLink

        told = partial(self._part_told, "house")
        line = BrokerLink(
            self._mqtt, self._preferences.now.lang, told, self._aliases, self._seats_used
        )
        self._preferences.follow(lambda chosen: line.speak(chosen.lang))
        return line.start()

    def _call_the_club(self) -> Uploader | None:
        member = self._membership()
        if member is None:
            return None
        from companion.club.upload import Uploader

        return Uploader(member, self._state).start()

    def _call_the_tables(self) -> ClubTables | None:
        member = self._membership()
        if member is None:
            return None
        from companion.club.two_tables import ClubTables

        return ClubTables(member, self._state).start()

    def _membership(self) -> Membership | None:
        if find_spec("nats") is None:
            self._part_told("club", "club_missing")
            return None
        from companion.club.membership import read_membership

        try:
            return read_membership(self._state / CLUB_FILE)
        except HeelstoneError as error:
            log.warning("%s", error)
            self._part_told("club", "club_file")
            return None
