"""A match at one moment, taken in the session's thread and looked at in others.

Taking one is cheap: nothing is copied, because a record changes by putting another match in the
place of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.journal.entries import Header
from companion.match.private_view import Hand, hand_of
from companion.match.state import TableState
from companion.match.still import still_view
from companion.match.view import TableView
from rules.core import Actor, GameError, Move
from rules.match import Match

__all__ = ["Recorded", "Snapshot", "open_to_all", "snapshot_of"]


class Recorded(Protocol):
    """A match as it is recorded: at a table a ``MatchRecord``."""

    @property
    def header(self) -> Header:
        """What it started with."""

    @property
    def match(self) -> Match:
        """As agreed; a change puts another object in its place."""

    @property
    def public_log(self) -> Sequence[Move]:
        """The moves as everybody may still know them."""

    @property
    def turn(self) -> int:
        """Number of the current turn, counted from 1."""

    @property
    def last_sites(self) -> tuple[str, ...]:
        """The sites of the last player's turn so far."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match at one moment. It holds every secret: only pictures made of it may be sent."""

    header: Header
    match: Match
    """Nobody changes it any more."""
    view: TableView
    """As the table's own screen has it."""
    told: tuple[Move, ...]
    """The moves as everybody may still know them."""
    hands: tuple[Hand, ...]
    """By seat."""
    back: int = 0
    """How many moves go if one step is taken back now."""

    def asked(self, seat: int) -> bool:
        """Whether ``seat`` must decide something."""
        prompt = self.view.prompt
        return prompt is not None and prompt.actor is Actor.PLAYER and prompt.player == seat


def snapshot_of(
    record: Recorded, view: TableView | None = None, hands: tuple[Hand, ...] | None = None,
    back: int = 0,
) -> Snapshot:  # fmt: skip
    """``record`` as it is now. ``view`` and ``hands``: what its table has worked out already;
    without a table nothing may be played or taken back."""
    match, told = record.match, tuple(record.public_log)
    if view is None:
        last = told[-1] if told else None
        view = still_view(record.header, match, record.turn, last, record.last_sites)
    if hands is None:
        hands = tuple(
            Hand(seat) if record.header.computer(seat) else hand_of(match, seat)
            for seat in range(match.players)
        )
    return Snapshot(record.header, match, view, told, hands, back)


def open_to_all(snapshot: Snapshot) -> TableView:
    """The view without all that only one player, or only the people at the table, may know."""
    view, refused = snapshot.view, snapshot.view.refused
    state = view.state
    # What was tried in vain tells what somebody holds, unless everybody may know such a move.
    tells = not view.secret and (refused is None or _is_public(refused, snapshot.match))
    if state is TableState.BLIND or (state is TableState.ILLEGAL and not tells):
        # One state for both: where no camera looks, another one would tell of the trial.
        state = TableState.SETTLED
    return replace(
        view, match_id="", state=state, blind_reason="", legal=(), hints=(), usual=None,
        can_undo=False, can_redo=False, may_deal=False, spread=None, ahead=None, places={},
        objections=view.objections if tells else (), refused=None, fixes=(), candidates=(),
        previews=(), notes=(), devices={}, machine=(), wrong=None, may_tip=False, tip=None,
    )  # fmt: skip


def _is_public(move: Move, match: Match) -> bool:
    """Whether everybody may know all of a move that was tried in vain."""
    try:
        return bool(match.state.public(move, None) == move)
    except GameError:
        # No move of this game.
        return False
