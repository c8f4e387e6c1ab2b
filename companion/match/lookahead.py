"""Legal moves after a hypothetical sequence, for touches that enter several moves at once.

It is tried with the match itself, so it ends where a move would bring to light what only making it
may tell: nobody may read hidden things by asking what would be allowed after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import takewhile
from typing import Any, TypeVar

from rules.core import Actor, Move, Objection, Outlook
from rules.match import Entry, Match, reveals

T = TypeVar("T")


class MoveLookahead:
    """Looks ahead from a match that is not changed any more; it may be kept by other threads. What
    a screen asks again each time it is built is found once."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._found: dict[Hashable, Any] = {}

    def after(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Every legal move after ``moves``, sorted; none if one of them is not allowed, or tells
        more than its player says."""
        trial = self._match.clone()
        for move in moves:
            if trial.why_not(move) or _tells(trial, move):
                return ()
            trial.play(Entry(move))
        return tuple(trial.legal_moves())

    def next_asked(self, move: Move) -> int | None:
        """The player asked after a legal move; None if nobody is, or it brings more to light than
        its player says."""
        trial = self._match.clone()
        if _tells(trial, move):
            return None
        trial.play(Entry(move))
        prompt = trial.prompt
        return None if prompt is None or prompt.actor is not Actor.PLAYER else prompt.player

    def why_idle(self, thing: str, verbs: Collection[str]) -> Objection | None:
        """The reason against most of what hands could try with a ``thing`` by these verbs, of what
        begins like a move that is allowed."""
        key = ("idle", thing, frozenset(verbs))
        return self._once(key, lambda: self._why_idle(thing, verbs))

    def _why_idle(self, thing: str, verbs: Collection[str]) -> Objection | None:
        legal = [move for move in self._match.legal_moves() if move.verb in verbs]
        seats = {move.player for move in legal}
        tried: dict[int, list[Move]] = {}
        for move in self._tries:
            if move.verb in verbs and move.player in seats and thing in move.args:
                alike = max(_alike(one, move) for one in legal)
                tried.setdefault(alike, []).append(move)
        nearest = tried[max(tried)] if tried else []
        found = Counter(why[0] for move in nearest if (why := self._match.why_not(move)))
        return found.most_common(1)[0][0] if found else None

    def outlook(self, move: Move) -> Outlook | None:
        """Consequence of a legal move, as its game tells it beforehand."""
        return self._once(
            ("outlook", move), lambda: self._match.game.touch.outlook(self._match.state, move)
        )

    def way(self, move: Move) -> tuple[str, ...]:
        """The sites that a piece passes by a legal move, as its game tells them."""
        return self._once(
            ("way", move), lambda: self._match.game.touch.way(self._match.state, move)
        )

    def refusal(self, moves: Sequence[Move]) -> tuple[Objection, ...] | None:
        """Objections to the first of ``moves`` that is not allowed, one after the other; empty: all
        are. None: that depends on what another of them brings to light."""
        trial = self._match.clone()
        for left, move in zip(range(len(moves) - 1, -1, -1), moves, strict=True):
            if objections := trial.why_not(move):
                return tuple(objections)
            if left and _tells(trial, move):
                return None
            trial.play(Entry(move))
        return ()

    def points(self, move: Move) -> int | None:
        """Points of a legal move's player after it; None if that is not for its player to say."""
        return self._end(move)[0]

    def standing(self, move: Move) -> tuple[str, ...]:
        """The standing of a legal move's player after it, see ``Touch.standing``; empty if that is
        not for its player to say."""
        return self._end(move)[1]

    def _end(self, move: Move) -> tuple[int | None, tuple[str, ...]]:
        """Points and standing of a move's player after it."""
        return self._once(("end", move), lambda: self._played(move))

    def _played(self, move: Move) -> tuple[int | None, tuple[str, ...]]:
        trial, seat = self._match.clone(), move.player
        if seat is None or _tells(trial, move):
            return None, ()
        trial.play(Entry(move))
        return trial.scores[seat], trial.game.touch.standing(trial.state, seat)

    def nearest(self, verb: str) -> tuple[Move, Objection] | None:
        """A move that the player asked could try with ``verb``, which is not allowed now, and the
        objection that is the last to be raised; None if they could not even try."""
        return self._once(("nearest", verb), lambda: self._nearest(verb))

    def _nearest(self, verb: str) -> tuple[Move, Objection] | None:
        match, prompt = self._match, self._match.prompt
        seat, codes = None if prompt is None else prompt.player, match.game.codes
        tried = (m for m in self._tries if m.verb == verb and m.player == seat)
        refused = [(move, found[0]) for move in tried if (found := match.why_not(move))]
        return max(refused, key=lambda one: codes.index(one[1].code), default=None)

    @property
    def _tries(self) -> Sequence[Move]:
        """Everything that hands could try now, allowed or not."""
        return self._once("tries", lambda: tuple(self._match.state.pseudo_moves()))

    def _once(self, key: Hashable, find: Callable[[], T]) -> T:
        if key not in self._found:
            self._found[key] = find()
        found: T = self._found[key]
        return found


def _alike(one: Move, other: Move) -> int:
    """Number of arguments with which both begin."""
    pairs = zip(one.args, other.args, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _tells(match: Match, move: Move) -> bool:
    # What came of the table's chance is said by people, and asked of nobody else.
    return move.actor is Actor.PLAYER and reveals(match.state, move, match.players)
