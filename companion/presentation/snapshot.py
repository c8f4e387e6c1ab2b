"""A match at one moment, and the views of it that may leave its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.match.hands import Hand
from companion.match.view import TableView
from companion.presentation.table_words import PLAYING
from companion.presentation.views import PrivateView, PublicView, facts_of, public_view, view_after
from rules.core import Move, State
from rules.match import Match

if TYPE_CHECKING:
    from companion.journal.entries import Header
    from companion.journal.events import Told
    from companion.journal.fold import Played
    from companion.match.record import MatchRecord


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match at one moment, taken in the session's thread and looked at in others.

    It holds every secret: only views made of it may be sent. Taking one is cheap: a record changes
    by putting another match in the place of the one before, so nothing is copied.
    """

    public_id: str
    """The name of the match outside, see ``companion.match.public_log``."""
    header: Header
    match: Match
    """The match is over and stays as it is."""
    view: TableView
    played: Sequence[Played]
    """The moves, and what was known when they were made."""
    hands: tuple[Hand, ...] = ()
    """Hands by seat."""
    told: Sequence[Told] = ()
    """All changes to the record, where phones play."""
    back: int = 0
    """Number of moves that a phone may take back now: those of one step, if nobody learnt anything
    by them."""

    @property
    def public(self) -> PublicView:
        """The public view of the match."""
        return public_view(self.view, self.public_id)

    def after(self, ply: int) -> PublicView:
        """The match after its first ``ply`` moves, as the public may know it now.

        Raises NoLookingBack.
        """
        return view_after(ply, self.match, self.header, self.view.told, self.public_id, self.played)

    def seat(self, seat: int, public: PublicView | None = None) -> PrivateView:
        """The match as ``seat`` may see it; ``public``: the public view, if that is known."""
        view, public = self.view, public or self.public
        asked, calm = view.asked == seat, _is_calm(view)
        plays = asked and calm
        tip = view.tip
        if tip is not None and (tip.seat != seat or not tip.on_phone):
            tip = None
        hides = type(self.match.state).view is not State.view
        common = {
            **facts_of(view), "changes": view.changes, "public": public,
            "seat": seat, "hand": self.hands[seat], "may_play": plays,
            "may_tip": view.may_tip and asked and view.outcome is None,
            "tip": tip, "hides": any(self.hands) or (view.physical and hides),
            "back": self._back(seat) if calm else (), "secret": view.secret,
        }  # fmt: skip
        if not plays:
            return PrivateView(**common, state=public.state)
        # At a physical table what a camera asks is for the people there.
        return PrivateView(
            **common, legal=view.legal, hints=view.hints, usual=view.usual, places=view.places,
            ahead=view.ahead,
        )  # fmt: skip

    def _back(self, seat: int) -> tuple[Move, ...]:
        log = self.match.log
        moves = tuple(entry.move for entry in log[len(log) - self.back :]) if self.back else ()
        others = {move.player for move in moves} - {seat}
        # Computer players mind nothing that is taken back.
        if any(player is None or not self.header.computer(player) for player in others):
            return ()
        return tuple(move for move in moves if move.player == seat)


def snapshot_of(
    public_id: str, record: MatchRecord, view: TableView, hands: tuple[Hand, ...]
) -> Snapshot:
    """A table's match as it is now."""
    back = record.undone_by(1)
    back = 0 if record.reveals(back) else back
    return Snapshot(
        public_id, record.header, record.match, view, record.played, hands, record.told, back
    )


def _is_calm(view: TableView) -> bool:
    """True if the program deals, and the table waits for nothing else."""
    return not view.physical and view.outcome is None and view.state in PLAYING
