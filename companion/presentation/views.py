"""The views of a match that leave its table: all that pages, brokers and clubs are made of.

What only one seat may know has no field in a ``PublicView``; it is in the ``PrivateView`` of that
seat. Computer players are handed ``rules.players.SeatView`` instead, which is a position to think
about and not a table to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise, takewhile
from operator import eq
from typing import TYPE_CHECKING, Any

from companion.match.hands import Hand, answers_of, places_of
from companion.match.state import PLAYING, TableState
from companion.match.view import Begun, MatchView, PlayView, TableView
from rules.core import Actor, Move, Objection, Prompt, State
from rules.match import Match

if TYPE_CHECKING:
    from companion.journal.entries import Header
    from companion.journal.events import Told
    from companion.journal.fold import Played
    from companion.match.record import MatchRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView(MatchView):
    """A table as the public may see it."""

    public_id: str
    """The name of the match outside, see ``companion.match.public_log``."""
    state: TableState = TableState.SETTLED
    """SETTLED while the table tries something in vain that is not public, and where no camera
    looks: another one would tell of the trial."""
    blind: bool = False
    """True if no camera sees the real pieces of this table."""
    objections: tuple[Objection, ...] = ()
    """Objections to a refused move, if the move is public."""
    decided: bool = False
    """True if anything was decided yet."""
    plies: int
    """Moves of the whole match; ``ply`` of them are in this view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateView(PlayView):
    """A match as one seat may see it; sent to that seat alone."""

    public: PublicView
    seat: int
    hand: Hand
    may_play: bool = False
    """True if moves from this seat's own device count now: it is asked, the program deals, and the
    table waits for nothing else. Only then anything is ``legal``."""
    may_tip: bool = False
    """True if it may ask for a tip now."""
    hides: bool = False
    """True if a player has something that only they may see, or may have it in a real hand."""
    back: tuple[Move, ...] = ()
    """Its moves that go if it takes its last touch back. None if another player has acted since, or
    anything was dealt or turned up: then the table's screen decides."""


class NoLookingBack(Exception):
    """The match cannot be looked back at: there is no such move, or (``memory``) remembering what
    lay there is part of the game."""

    def __init__(self, *, memory: bool) -> None:
        super().__init__("memory" if memory else "no_move")
        self.memory = memory


def facts_of(view: MatchView) -> dict[str, Any]:
    """The public part of a view, by field."""
    return {field.name: getattr(view, field.name) for field in fields(MatchView)}


def public_view(view: TableView, public_id: str) -> PublicView:
    """The public part of a table's view."""
    tells, state = view.refuses_openly, view.state
    if state is TableState.BLIND or (state is TableState.ILLEGAL and not tells):
        state = TableState.SETTLED
    return PublicView(
        **facts_of(view), public_id=public_id, state=state, plies=view.ply, decided=view.can_undo,
        blind=view.state is TableState.BLIND and view.physical,
        objections=view.open_objections if tells else (),
    )  # fmt: skip


def told_alike(before: PublicView | None, now: PublicView | None) -> int | None:
    """Number of first moves that the public is told ``now`` as before; all others were taken back,
    or some games forget them on purpose (TK23). None: it is told the same moves."""
    if before is None or now is None or before.public_id != now.public_id:
        return 0
    if before.told == now.told:
        return None
    return sum(1 for _same in takewhile(bool, map(eq, before.told, now.told)))


def view_after(
    ply: int, match: Match, begun: Begun | Header, told: tuple[Move, ...], public_id: str,
    played: Sequence[Played],
) -> PublicView:  # fmt: skip
    """The match after its first ``ply`` moves, as the public may know it now; ``told``: its moves,
    ``played``: what was known of them.

    Raises NoLookingBack.
    """
    if not 0 <= ply <= match.ply:
        raise NoLookingBack(memory=False)
    if match.outcome is None and type(match.state).remembered is not State.remembered:
        # Players must remember what they saw (TK23).
        raise NoLookingBack(memory=True)
    then, told, played = match.after(ply), told[:ply], played[:ply]
    asked = [one.asked for one in played if one.asked is not None]
    prompt = then.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        asked.append(prompt.player)
    turn = 1 + sum(1 for a, b in pairwise(asked) if a != b)
    sites = played[-1].sites if played else ()
    return PublicView.of(
        begun, then, turn, told[-1] if told else None, sites, told=told,
        public_id=public_id, plies=match.ply,
    )  # fmt: skip


# -- a match at one moment ---------------------------------------------------------------------


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
    shared: bool = False
    """True at a table without a screen: what no player is asked, such as who begins, any phone
    answers."""

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
        prompt = view.prompt
        together = prompt is not None and seat in prompt.together
        if prompt is not None and together and view.asked != seat:
            view = self._asked_as_well(view, replace(prompt, player=seat))
        asked = view.asked == seat
        # What others try in vain must not be felt here, if the public may not know it.
        calm = _is_calm(view, view.state if asked else public.state)
        plays = (asked and (calm or together)) or (self.shared and _asks_all(view))
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

    def _asked_as_well(self, view: TableView, prompt: Prompt) -> TableView:
        """The view of a player who is asked together with the one whom the screen asks."""
        state, touch, seat = self.match.state, self.match.game.touch, prompt.player
        legal = answers_of(self.match.legal_moves(), self.match, seat)
        return replace(
            view, prompt=prompt, legal=legal, hints=(), usual=touch.usual(state, legal),
            places=places_of(self.match, legal), tip=None, may_tip=False,
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
    public_id: str, record: MatchRecord, view: TableView, hands: tuple[Hand, ...], *,
    shared: bool = False,
) -> Snapshot:  # fmt: skip
    """A table's match as it is now."""
    back = record.undone_by(1)
    back = 0 if record.reveals(back) else back
    return Snapshot(
        public_id, record.header, record.match, view, record.played, hands, record.told, back,
        shared,
    )  # fmt: skip


def _asks_all(view: TableView) -> bool:
    """True if everybody at the table is asked for something that was drawn or rolled there, or
    turned up."""
    return view.prompt is not None and view.asked is None and view.state in PLAYING


def _is_calm(view: TableView, state: TableState) -> bool:
    """True if the program deals, and a table in this state waits for nothing else."""
    return not view.physical and view.outcome is None and state in PLAYING
