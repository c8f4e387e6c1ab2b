"""The newest pictures of a match, each made once, and only when somebody asks for it.

Belongs to the thread that serves the pages.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

import msgspec

from companion.web.public_picture import VERSION, picture_after, public_picture
from companion.web.seat_picture import seat_picture
from companion.web.snapshot import Snapshot

__all__ = ["Feed", "nothing_open"]

_MOST_LOOKED_BACK: Final = 64
"""So many pictures of earlier moves are kept: people scrub back and forth."""


def nothing_open(lang: str) -> dict[str, Any]:
    """The public picture while no match is on the table."""
    return {"v": VERSION, "match": None, "lang": lang}


class Feed:
    """Pictures of one match after the other, as UTF-8 JSON."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        self.name = ""
        """What the match is called outside of its table."""
        self._public: dict[str, tuple[dict[str, Any], bytes]] = {}
        self._seats: dict[tuple[int, str], bytes] = {}
        self._before: OrderedDict[tuple[int, str], bytes] = OrderedDict()

    def take(self, snapshot: Snapshot | None, name: str) -> None:
        """This is how things stand now."""
        was = self.snapshot
        if snapshot is None or was is None or name != self.name or _changed(was, snapshot):
            self._before.clear()
        self.snapshot, self.name = snapshot, name
        self._public.clear()
        self._seats.clear()

    def public(self, lang: str) -> bytes:
        """What everybody may see."""
        return self._shown(lang)[1]

    def seat(self, seat: int, lang: str) -> bytes:
        """What ``seat`` may see; as for everybody while no match is open."""
        if self.snapshot is None:
            return self.public(lang)
        found = self._seats.get((seat, lang))
        if found is None:
            shown, encoded = self._shown(lang)
            picture = seat_picture(self.snapshot, seat, lang, self.name, shown)
            # All seats hold the same public part: it is made and written once.
            picture["public"] = msgspec.Raw(encoded)
            found = self._seats[seat, lang] = msgspec.json.encode(picture)
        return found

    def after(self, ply: int, lang: str) -> bytes:
        """What everybody may know of the match after ``ply`` moves. Raises NoLookingBack; a match
        must be open."""
        assert self.snapshot is not None
        found = self._before.get((ply, lang))
        if found is None:
            picture = picture_after(self.snapshot, ply, lang, self.name)
            found = self._before[ply, lang] = msgspec.json.encode(picture)
            while len(self._before) > _MOST_LOOKED_BACK:
                self._before.popitem(last=False)
        return found

    def _shown(self, lang: str) -> tuple[dict[str, Any], bytes]:
        found = self._public.get(lang)
        if found is None:
            snapshot = self.snapshot
            if snapshot is None:
                picture = nothing_open(lang)
            else:
                picture = public_picture(snapshot, lang, self.name)
            found = self._public[lang] = (picture, msgspec.json.encode(picture))
        return found


def _changed(before: Snapshot, now: Snapshot) -> bool:
    """Whether pictures of earlier moves may look different: then those that name how many moves
    there are do in any case."""
    return before.match is not now.match
