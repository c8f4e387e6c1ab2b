"""A whole match before an eye that reads everything: hands come and go, but no picture is drawn.

A failure here is that of the rules or the reading, and a match takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.camera.observer import Observed
from companion.match.messages import Seen
from companion.simulator import VirtualTable
from rules.box import Box
from rules.core import Layout
from rules.reading.sighting import SiteBelief
from rules.testing.pictures import draw
from tests.support.scenes.sitting import Sitting
from vision.pieces.sighting import Sighting

AT_A_GLANCE = {"gate": 0.0, "total": 0.0}


class _Table(VirtualTable):
    """Remembers the layout that hands made last."""

    def __init__(self, box: Box, seed: int) -> None:
        super().__init__(box, seed=seed)
        self.sites: dict[str, SiteBelief] = {}
        """Beliefs of an eye that reads everything."""

    def set_layout(self, layout: Layout) -> None:
        super().set_layout(layout)
        self.sites = dict(draw(self.box, layout).sites)


class DrawnSitting(Sitting):
    """One match of one game; nothing is knocked, nor are lamps switched."""

    def __init__(
        self, game_id: str, seed: int, players: int | None, tell: Callable[[str], None],
        *, whole_turns: bool,
    ) -> None:  # fmt: skip
        """Takes the arguments of ``Sitting``."""
        super().__init__(game_id, seed, players=players, tell=tell, whole_turns=whole_turns)
        self._table = _Table(self.box, self.seed)
        self.virtual = self._table
        self._hidden = dict.fromkeys(self._out_of_picture(), SiteBelief({}, occluded=True))

    def _look(self) -> Observed:
        sites = {**self._table.sites, **self._hidden}
        sighting = Sighting(sites, self.virtual.hand is not None, ms=AT_A_GLANCE)
        return Observed(sighting, Seen(sighting), None)

    def _between(self, number: int) -> None:
        """Such an eye does not mind lamps."""

    def _knock(self, near: tuple[float, float]) -> None:
        """Nor what lies askew."""
