"""Places of the lamps: shown on the screen, saved and forgotten again."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from companion.outputs.cues import CueDirector
from companion.outputs.lamp_sites import LampSites, Places, WalkFile
from companion.words.errors import of_file
from hardware.rig import Rig
from rules.box import Box, load_box
from rules.games import find_game

log = logging.getLogger(__name__)


class LampBench:
    """Lamps and the fields they stand at, game by game."""

    def __init__(self, rig: Rig, director: CueDirector, sites: LampSites) -> None:
        self._rig, self._director, self._sites = rig, director, sites
        self._walks = WalkFile(sites.folder)

    def places(self, game: str) -> Places:
        """Site to the lamps that stand there."""
        box = _box(game)
        places = self._director.lamp_of(box.id)
        return {site: lamps for site, lamps in places.items() if site in box.sites}

    def found(self, game: str) -> bool:
        """True if they were shown on the screen, and not only taken from settings or box."""
        return self._sites.found(_box(game).id)

    def keep(self, game: str, places: Places, asked: int | None = None) -> str:
        """Save them; returns what went wrong, as a sentence, or nothing.

        ``asked``: how many lamps, from the first, were asked about; the others stay where they are.
        """
        try:
            self._sites.keep(_box(game), places, asked)
        except OSError as error:
            return self._refusal(error)
        self._show()
        return ""

    def forget(self, game: str) -> None:
        """Back to settings or box."""
        try:
            self._sites.forget(_box(game).id)
        except OSError as error:
            log.warning("the lamps' places stay: %s", error)
        self._show()

    def walk(self, game: str) -> list[str | None]:
        """Lamps that were shown before the walk was stopped: the field of each, or None."""
        return self._walks.steps(game, _box(game))[: self._rig.lamps.count]

    def keep_walk(self, game: str, steps: Sequence[str | None]) -> str:
        """Save that, so that it survives a power cut; returns what went wrong, or nothing."""
        try:
            self._walks.keep(game, steps)
        except OSError as error:
            return self._refusal(error)
        return ""

    def _refusal(self, error: OSError) -> str:
        return of_file(error, self._sites.folder).told(self._director.lang)

    def _show(self) -> None:
        """A match shows its lamps at their new places."""
        self._rig.lamps.places_changed()
        self._director.show_again()


def _box(game: str) -> Box:
    """The box as a game uses it."""
    return load_box(find_game(game).box).for_game(game)
