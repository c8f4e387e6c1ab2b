"""One seat may do what another may, and begins with as much.

The seats of most games are alike but for who begins. So what happens to some of them again and
again, and to one never, stands for a seat that was forgotten, or for one in the place of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.core import Actor, Layout, Move, Outcome, Prompt, ScoreLine

EXPECTED = 10
"""Matches in which something should have happened to a seat, before it is odd that it never did."""
OFTEN = 4
"""Times that somebody is named before it is a habit."""
DIFFERENT = 3
"""Moments of a match, counted in moves, at which it happened."""
LOOK = "a look at "
REMEDY = "If the seats are alike, look for one that stands in the place of another"


@dataclass
class Seats:
    """Counts of what happened to each seat, over all matches of a check."""

    met: dict[tuple[int, str], Counter[int]] = field(default_factory=dict)
    """By number of players and what happened: matches by seat."""
    at: dict[tuple[int, str], set[int]] = field(default_factory=dict)
    """By the same: numbers of moves before it."""
    only_at: dict[str, str] = field(default_factory=dict)
    """By what only happens while a question is looked at closely: the key of these looks in
    ``met``."""
    near: dict[str, Counter[bool]] = field(default_factory=dict)
    """True if something happened to the player who is named, by what names one."""
    unequal: dict[str, None] = field(default_factory=dict)
    """Things with which one seat begins, and another does not."""
    _now: dict[tuple[str, int], None] = field(default_factory=dict)
    """Of the match that is played: what happened, and to which seat."""
    _made: Counter[str] = field(default_factory=Counter)
    """Of the same match: moves by verb."""
    _ply: int = -1
    _players: int = 0
    _last: tuple[Move, int] | None = None

    def begin(self, state: Any, players: int, groups: dict[str, tuple[str, str]]) -> None:
        """A match begins; ``groups``: group and owner of each kind."""
        self._last, self._ply, self._players = None, -1, players
        self._now.clear()
        self._made.clear()
        have = [_owned(state.supply(seat), state.layout(), seat, groups) for seat in range(players)]
        for seat, own in enumerate(have[1:], 1):
            for group in sorted(own.keys() & have[0].keys()):
                if own[group] != have[0][group]:
                    told = f"seat {seat} begins with {own[group]} of '{group}', seat 0 with "
                    self.unequal[told + str(have[0][group])] = None

    def asked(self, prompt: Prompt, move: Move) -> None:
        """Note a question, and the ``move`` that answers it."""
        seat, self._ply = move.player, self._ply + 1
        if self._last is not None and seat == self._last[1] and not prompt.together:
            verb = self._last[0].verb
            told = f"question '{prompt.code}' right after an own '{verb}'"
            # What follows the last piece of all comes to whoever lays it.
            self._met(told, seat, self._made[verb])
        self._last = None if seat is None else (move, seat)
        if prompt.actor is Actor.PLAYER and seat is not None:
            self._met(f"question '{prompt.code}'", seat)
            self._met(f"a move '{move.verb}'", seat)
        self._made[move.verb] += 1

    def looked(self, seat: int, question: str) -> None:
        """Note that all forbidden moves were tried while a seat was asked."""
        self._met(LOOK + question, seat)

    def refused(self, seat: int, code: str, question: str) -> None:
        """A move of whoever is asked is objected to."""
        told = f"objection '{code}' to an answer to '{question}'"
        self.only_at[told] = LOOK + question
        self._met(told, seat)

    def named(self, what: str, seat: int, near: Container[int | None]) -> None:
        """Something names a player; ``near``: those to whom anything happened."""
        self._met(what, seat)
        self.near.setdefault(what, Counter())[seat in near] += 1

    def end(self, outcome: Outcome, lines: Iterable[ScoreLine] = ()) -> None:
        """A match is over; ``lines``: of its points."""
        self._players = len(outcome.scores)
        for line in lines:
            self._met(f"points '{line.code}'", line.player)
        if len(outcome.ranking) > 1:
            for seat in outcome.ranking[0]:
                self._met(f"a win by '{outcome.reason}'", seat)
        for what, seat in self._now:
            self.met.setdefault((self._players, what), Counter())[seat] += 1
        self._now.clear()

    def _met(self, what: str, seat: int, at: int | None = None) -> None:
        self._now[what, seat] = None
        self.at.setdefault((self._players, what), set()).add(self._ply if at is None else at)

    def found(self) -> Iterator[tuple[str, str]]:
        """Things that never happened to a seat, and what to do."""
        for told in self.unequal:
            yield told, REMEDY
        for what, near in self.near.items():
            if near[False] >= OFTEN and not near[True]:
                yield (
                    f"{what} always names a player who did not move, is not asked next, and of "
                    "whom nothing has changed",
                    "Name the player whom it is about",
                )
        for (players, what), by_seat in self.met.items():
            # What comes at one time of a match only, such as beginning it, is one seat's by nature.
            if len(self.at[players, what]) < DIFFERENT or what.startswith(LOOK):
                continue
            for seat in range(players):
                others = [by_seat[other] for other in range(players) if other != seat]
                if (look := self.only_at.get(what)) and self.met[players, look][seat] < EXPECTED:
                    continue
                if not by_seat[seat] and min(others, default=0) >= EXPECTED:
                    yield f"{what} never came to seat {seat} of {players}", REMEDY


def _owned(
    supply: Counter[str], layout: Layout, seat: int, groups: dict[str, tuple[str, str]]
) -> Counter[str]:
    """By group: pieces of a colour that belong to a seat when a match begins."""
    found = Counter[str]()
    for kind, number in supply.items():
        if kind in groups and groups[kind][1]:
            found[groups[kind][0]] += number
    for item, number in layout.items():
        if item.owner == seat and item.kind in groups and groups[item.kind][1]:
            found[groups[item.kind][0]] += number
    return found
