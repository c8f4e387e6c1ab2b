"""The newest pages of a match, each made once, and only on request.

Belongs to the thread that serves the pages.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import msgspec

from companion.presentation.views import NoLookingBack, Snapshot
from companion.web.public_page import NothingOpen, PublicPage, public_page
from companion.web.seat_page import seat_page

_MOST_LOOKED_BACK: Final = 64
"""Maximum number of kept pages of earlier moves: people scrub back and forth."""


class Feed:
    """Pages of one match after the other, as UTF-8 JSON."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        self._pages: dict[str, PublicPage] = {}
        self._public: dict[str, bytes] = {}
        self._seats: dict[tuple[int, str], bytes] = {}
        self._before: OrderedDict[tuple[int, str], bytes] = OrderedDict()

    @property
    def name(self) -> str:
        """The public id of the match; empty without one."""
        return "" if self.snapshot is None else self.snapshot.public_id

    def take(self, snapshot: Snapshot | None) -> None:
        """This is how things stand now."""
        was, self.snapshot = self.snapshot, snapshot
        # Pages of earlier moves name how many moves there are.
        if was is None or snapshot is None or was.match is not snapshot.match:
            self._before.clear()
        for pages in (self._pages, self._public, self._seats):
            pages.clear()

    def public(self, lang: str) -> bytes:
        """The public page."""
        found = self._public.get(lang)
        if found is None:
            snapshot = self.snapshot
            page = NothingOpen(lang) if snapshot is None else self._page(snapshot, lang)
            found = self._public[lang] = msgspec.json.encode(page)
        return found

    def seat(self, seat: int, lang: str) -> bytes:
        """The page of ``seat``; the public one while no match is open."""
        snapshot = self.snapshot
        if snapshot is None:
            return self.public(lang)
        found = self._seats.get((seat, lang))
        if found is None:
            page = seat_page(snapshot.seat(seat), lang, self._page(snapshot, lang))
            found = self._seats[seat, lang] = msgspec.json.encode(page)
        return found

    def after(self, ply: int, lang: str) -> bytes:
        """The public page after ``ply`` moves. Raises NoLookingBack."""
        if self.snapshot is None:
            raise NoLookingBack(memory=False)
        found = self._before.get((ply, lang))
        if found is None:
            page = public_page(self.snapshot.after(ply), lang)
            found = self._before[ply, lang] = msgspec.json.encode(page)
            while len(self._before) > _MOST_LOOKED_BACK:
                self._before.popitem(last=False)
        return found

    def _page(self, snapshot: Snapshot, lang: str) -> PublicPage:
        """All seats hold the same one."""
        if lang not in self._pages:
            self._pages[lang] = public_page(snapshot.public, lang)
        return self._pages[lang]
