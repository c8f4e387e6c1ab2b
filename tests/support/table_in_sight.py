"""A virtual table, the camera above it, and what one tracker sees of it, look by look."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.camera.observer import kinds_by_site
from companion.simulator import Camera, VirtualTable
from rules.box import Box
from rules.core import Layout
from rules.reading.sighting import EMPTY, Look, looks
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker


class TableInSight:
    """A table that lies still whenever it is looked at: neither a hand nor anything else hides a
    site."""

    def __init__(self, box: Box, seed: int, bare: Collection[str] = ()) -> None:
        """``bare``: kinds and groups without stickers, as the tracker is told."""
        self.table = VirtualTable(box.without_stickers(bare), seed)
        self.camera = Camera.over(box, seed=seed)
        self.tracker = Tracker(box, bare=bare)
        self._looks = 0

    def look(self) -> Sighting:
        """The next look, a second after the last one."""
        picture = self.camera.render(self.table)
        frame = Frame(picture, self._looks, "", float(self._looks))
        self._looks += 1
        seen = self.tracker.look(frame, settled=True)
        assert not seen.hand and not seen.occluded
        return seen

    def shows(self, layout: Layout) -> bool:
        """True if the next look tells just this layout."""
        return lying(self.look()) == looks(layout)

    def lay(self, layout: Layout) -> bool:
        """Let hands lay it; true if it is seen. The tracker knows then that it is recorded."""
        self.table.set_layout(layout)
        seen = self.shows(layout)
        items = list(layout.elements())
        self.tracker.expect(kinds_by_site(items), {item.site: item.pose for item in items})
        return seen


def lying(seen: Sighting) -> Mapping[str, Look]:
    """The likeliest look of each site where something lies."""
    return {site: one.best for site, one in seen.sites.items() if one.best != EMPTY}
