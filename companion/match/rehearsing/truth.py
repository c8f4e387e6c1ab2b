"""The truth of a scene: the match as hands play it, of which the table only hears and sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.match.rehearsing.scene import Moves
from rules.core import Actor, IllegalMove, Layout, Move
from rules.hidden import UNSEEN
from rules.match import Match
from rules.reading.sighting import looks

_LEFT_OPEN = "done"
"""Closes a turn; the table may leave that to the next player's move."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The table after some steps."""

    layout: Layout
    steps: int
    """How many steps of hands led to it."""
    thrown: bool = False
    """True if dice are in a hand, or were just thrown: it is always seen."""


class Leads(NamedTuple):
    """Progress of an explanation towards the truth; the larger the better."""

    all: bool
    moves: int
    """How many moves of the truth it tells."""


class Truth:
    """A match that is played along with a scene; ``match`` may be looked at."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.followed = match.follow()
        """What followed by itself from the last move; a scene may name it all the same."""

    def play(self, step: Moves) -> list[Laid]:
        """Play the moves of a line; what lies there after every step that can be seen, or only at
        the end. Raises SceneError where a move is not allowed, or none of them is forbidden."""
        table, laid, steps = self.match, [Laid(self.match.layout, 0)], 0
        for move in step.moves:
            if move in self.followed:
                self.followed.remove(move)
                continue
            throw = table.state.throw()
            thrown = throw is not None and move in throw and table.throws_lie_here
            before = table.layout
            if throw is not None and thrown:
                laid.append(Laid(throw.taken_up(before), steps, thrown=True))
                steps = 0
            try:
                table.push(move)
            except IllegalMove as error:
                table = self._forbidden(step, table, error)
            self.followed = table.follow()
            shows = thrown or looks(table.layout) != looks(laid[-1].layout)
            steps += shows or move.verb != _LEFT_OPEN
            if shows:
                after = throw.lying(before, move) if throw is not None and thrown else table.layout
                laid.append(Laid(after, steps, thrown))
                steps = 0
        if step.forbidden and table is self.match:
            step.line.fail("scene_allowed")
        return _closed(laid, table.layout, steps)

    def _forbidden(self, step: Moves, table: Match, error: IllegalMove) -> Match:
        """The position after a move that is against the rules; the truth stays where it was."""
        if not step.forbidden:
            raise step.line.error("scene_not_allowed", reason=error) from error
        table = table.clone() if table is self.match else table
        try:
            table.force(error.move)
        except IllegalMove:
            step.line.fail("scene_not_by_hands", move=error.move.text)
        return table

    def leads(self, record: Match, takeback: int, moves: Iterable[Move]) -> Leads | None:
        """Progress of ``record`` with an explanation; None if something else was played."""
        after = record.clone()
        for _ in range(takeback):
            after.pop()
        for move in moves:
            if after.why_not(move):
                return None
            after.push(move)
        if self.is_record(after):
            return Leads(all=True, moves=after.ply)
        told = self._told(after)
        return None if told is None else Leads(all=False, moves=told)

    def begins_with(self, record: Match, moves: Iterable[Move]) -> bool:
        """True if the truth came by what ``moves`` lead to, with nothing left out in between."""
        said = [*(entry.move for entry in record.log), *moves]
        own = [entry.move for entry in self.match.log]
        start = _common(said, own)
        told, played = (
            [move for move in one[start:] if move.actor is Actor.PLAYER] for one in (said, own)
        )
        return Counter(told) == Counter(played[: len(told)])

    def since(self, record: Match) -> list[Move]:
        """The moves played since the two were the same."""
        own = [entry.move for entry in self.match.log]
        return own[_common([entry.move for entry in record.log], own) :]

    def is_record(self, record: Match) -> bool:
        """True if a record comes to the same as the truth for those who play on, or holds the same
        moves but for what nobody saw; how the last turn was closed makes no difference."""
        essence = self.match.game.inference.essence
        wanted, found = _open_or_closed(self.match), _open_or_closed(record)
        reached = [essence(match.state) for match in wanted]
        if any(essence(match.state) in reached for match in found):
            return True
        return any(_left(one, other) == [] for one in found for other in wanted)

    def _told(self, record: Match) -> int | None:
        """Number of moves of the truth in a record that says nothing else."""
        left = _left(record, self.match)
        own = _by_players(entry.move for entry in self.match.log)
        return None if left is None else own.total() - len(left)


def _closed(laid: Sequence[Laid], layout: Layout, steps: int) -> list[Laid]:
    """The same, with what lies there first only if nothing else does, and steps without a trace at
    the end."""
    seen = list(laid[1:]) or [Laid(layout, 0)]
    last = seen[-1]
    end = last.layout if last.thrown else layout
    return [*seen[:-1], Laid(end, last.steps + steps, last.thrown)]


def at_the_end(laid: Sequence[Laid]) -> list[Laid]:
    """The looks of ``laid`` that are seen where only its end is: that, and throws."""
    seen, steps = list[Laid](), 0
    for number, one in enumerate(laid, 1):
        steps += one.steps
        if one.thrown or number == len(laid):
            seen.append(Laid(one.layout, steps, one.thrown))
            steps = 0
    return seen


def _open_or_closed(match: Match) -> list[Match]:
    """``match`` and the same without the end of the last turn."""
    found, back = [match.clone()], match.clone()
    found[0].follow()
    while back.log and back.log[-1].move.actor is not Actor.PLAYER:
        back.pop()
    if back.log and back.log[-1].move.verb == _LEFT_OPEN:
        back.pop()
        found.append(back)
    return found


def _common(one: Sequence[Move], other: Sequence[Move]) -> int:
    """Number of moves with which two records begin alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _left(record: Match, truth: Match) -> list[Move] | None:
    """The players' moves of the truth that a record does not hold; None if it holds others."""
    one, other = ([entry.move for entry in match.log] for match in (record, truth))
    start = _common(one, other)
    said, own = _by_players(one[start:]), _by_players(other[start:])
    left = list((own - said).elements())
    for move in (said - own).elements():
        fits = next((other for other in left if _says_less(move, other)), None)
        if fits is None:
            return None
        left.remove(fits)
    return left


def _by_players(moves: Iterable[Move]) -> Counter[Move]:
    return Counter(move for move in moves if move.actor is Actor.PLAYER)


def _says_less(move: Move, other: Move) -> bool:
    """True if ``move`` is ``other`` but for what nobody saw."""
    if (move.player, move.verb, len(move.args)) != (other.player, other.verb, len(other.args)):
        return False
    return all(a in (b, UNSEEN) for a, b in zip(move.args, other.args, strict=True))
