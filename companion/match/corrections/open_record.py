"""The open end of the record: what may still be told otherwise, and from where.

The camera records what it concludes at once, so that nobody waits; what people touched is changed
only by their word.
The last two turns stay open: a step may be taken back and made otherwise, one of two
moves that look alike may turn out to have been the other, and a turn that was closed by touch while
a hand was still at it has not ended before that hand had. Every such point is an ``Opening``; the
reading weighs it like any other explanation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rules.core import Actor, Move
from rules.hidden import UNSEEN
from rules.match import Match
from rules.reading.since import MORE_TAKEN_BACK, TAKEBACK, Opening

OPEN_TURNS = 2
"""Turns at the end of the record that stay open."""
MOST_OPENINGS = 6
"""Decisions back that are tried."""
RETOLD = 1.5
"""Natural-log odds against telling the record anew, besides those of the moves taken back."""
AT_ONCE_S = 4.0
"""Hardly anybody has closed a turn, drawn cards and left the next one to somebody else sooner."""
UNDER_A_HAND = -3.0
"""Natural-log odds against a turn closed below a hand having been meant to hold what that hand
did, if the hand left at once."""


@dataclass(slots=True)
class _Closed:
    """A touch that closed a turn below a hand."""

    move: Move
    before: int
    """Length of the record without it …"""
    until: int
    """… and with it and all that followed by itself."""
    at_s: float
    """When it was touched, in monotonic seconds."""
    left_s: float | None = None
    """When the hand had left."""
    begun: bool = False
    """True if something had been done in that turn before."""


class OpenRecord:
    """The open end of one table's record."""

    def __init__(self, match: Match) -> None:
        self._settled = match.ply
        """Length of the record up to the last thing people touched."""
        self._closed: _Closed | None = None
        self.hidden: frozenset[str] = frozenset()
        """Sites that were hidden when the camera last recorded something, and since."""

    def changed(
        self, match: Match, *, by_camera: bool, hidden: Collection[str] = frozenset()
    ) -> None:
        """The record is ``match`` now; ``by_camera``: nobody touched anything for that;
        ``hidden``: sites that nobody could see meanwhile."""
        self._settled = min(self._settled, match.ply) if by_camera else match.ply
        self.hidden = self.hidden.union(hidden) if by_camera else frozenset()

    def closed_below_a_hand(self, before: Match, move: Move, match: Match, now: float) -> None:
        """``move`` was touched while a hand was over the board, and led from ``before`` to
        ``match``."""
        self._closed = None
        if _closes(before, move, match):
            begun = _has_begun(before, move)
            self._closed = _Closed(move, before.ply, match.ply, now, begun=begun)

    def agrees(self, hidden: Collection[str]) -> None:
        """The table lies as the record has it, but for what is ``hidden``: nothing had been done
        below a hand."""
        self._closed = None
        self.hidden = self.hidden.intersection(hidden)

    def hand_left(self, now: float) -> None:
        """A look without a hand."""
        if self._closed is not None and self._closed.left_s is None:
            self._closed.left_s = now

    def openings(self, match: Match) -> tuple[Opening, ...]:
        """Points from which ``match`` may be told anew, the latest first."""
        return (*self._below_a_hand(match), *self._concluded(match))

    def _below_a_hand(self, match: Match) -> tuple[Opening, ...]:
        closed = self._closed
        if closed is None or closed.left_s is None:
            return ()
        if match.ply != closed.until or match.log[closed.before].move != closed.move:
            self._closed = None  # Play went on.
            return ()
        at_once = closed.left_s - closed.at_s < AT_ONCE_S
        cost = UNDER_A_HAND if at_once and not closed.begun else 0.0
        return (Opening(match.ply - closed.before, cost, then=(closed.move,)),)

    def _concluded(self, match: Match) -> tuple[Opening, ...]:
        found: list[Opening] = []
        trial = match.clone()
        whose: set[int | None] = set()
        undone = 0
        shown = touched = turned_up = False
        while trial.ply and not trial.log[-1].forced:
            touched = touched or trial.ply <= self._settled
            move = trial.pop()
            undone += 1
            if move.actor is Actor.DEALER:
                turned_up |= UNSEEN not in move.args and bool(trial.state.touches(move))
                if touched and turned_up:
                    break  # What people say that chance showed is as they say.
                continue
            if move.player is not None and not trial.state.is_answer(move):
                whose.add(move.player)
            if len(whose) > (1 if touched else OPEN_TURNS) or len(found) == MOST_OPENINGS:
                break
            shows, turned_up = turned_up or bool(trial.state.touches(move)), False
            if shows and shown and (len(whose) > 1 or move.player is None):
                break  # Nobody changes their mind once another turn was seen.
            cost = RETOLD
            if shown or shows:
                cost += TAKEBACK + MORE_TAKEN_BACK * (undone - 1)
            concluded = not (shown or touched)
            shown = shown or shows
            found.append(Opening(undone, cost, concluded, touched=touched))
        return tuple(found)


def _closes(before: Match, move: Move, match: Match) -> bool:
    """True if a touch did nothing but end the turn and passed it on."""
    prompt = match.prompt
    passed = prompt is None or prompt.player != move.player or prompt.actor is not Actor.PLAYER
    return passed and (move.verb == "done" or not before.state.touches(move))


def _has_begun(before: Match, move: Move) -> bool:
    """True if whoever closes their turn with ``move`` has done something in it."""
    last = next((e.move for e in reversed(before.log) if e.move.player is not None), None)
    decided = last is not None and last.actor is Actor.PLAYER
    return last is not None and decided and last.player == move.player
