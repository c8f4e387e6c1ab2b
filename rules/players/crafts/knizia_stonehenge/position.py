"""Stonehenge with open stones, in numbers: turns instead of single moves, fast enough to search.

A player who can claim a line claims it at once: a megalith is never lost and never missed, since
the eighth one wins. So a turn is one stone, and what is claimed follows from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from random import Random
from typing import Self

from rules.core import Move
from rules.games.knizia_stonehenge.components import FIELDS, LINES, LINES_OF, MEGALITHS
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState
from rules.players.position import OVER, Key

N_FIELDS, N_LINES = len(FIELDS), len(LINES)

_SIZES = (1, 3, 3, 3, 2, 2, 2)
"""Number of possible numbers of stones of each value 0 … 6 in a hand."""


def code_of(count: Sequence[int]) -> int:
    """A hand as a number; ``count``: stones by value, 0 … 6."""
    code = 0
    for value in range(1, 7):
        code = code * _SIZES[value] + count[value]
    return code


@cache
def _hand(code: int) -> tuple[int, ...]:
    """The values of a hand, ascending."""
    values: list[int] = []
    for value in range(6, 0, -1):
        code, number = divmod(code, _SIZES[value])
        values += [value] * number
    return tuple(reversed(values))


def _reach(values: Sequence[int]) -> tuple[int, ...]:
    """The most that k more stones can bring, for k = 0 … 5."""
    best = sorted(values, reverse=True)
    return tuple(sum(best[:k]) for k in range(6))


_HANDS = 3 * 3 * 3 * 2 * 2 * 2
HAND = tuple(_hand(code) for code in range(_HANDS))
DISTINCT = tuple(tuple(sorted(set(hand))) for hand in HAND)
REACH = tuple(_reach(hand) for hand in HAND)


def _without(code: int, value: int) -> int:
    values = HAND[code]
    return code_of([0, *(values.count(v) - (v == value) for v in range(1, 7))])


AFTER = tuple(
    tuple(_without(code, value) if value in HAND[code] else -1 for value in range(7))
    for code in range(_HANDS)
)
"""The hand after a stone of each value left it."""


def value_of(key: Key) -> int:
    """The stone that a key stands for."""
    return int(key) // N_FIELDS


class Stones:
    """A position between two stones; implements ``rules.players.position.Position``.

    A key is ``value * 18 + field``.
    """

    open = True
    __slots__ = ("claimed", "empty", "free", "hands", "last", "megaliths", "sums", "turn")

    def __init__(
        self,
        turn: int,
        empty: list[int],
        hands: list[int],
        sums: tuple[list[int], list[int]],
        free: list[int],
        last: list[int],
        claimed: list[int],
    ) -> None:
        self.turn, self.empty, self.hands = turn, empty, hands
        self.sums, self.free, self.last, self.claimed = sums, free, last, claimed
        self.megaliths = [claimed.count(0), claimed.count(1)]

    @classmethod
    def of(cls, state: KniziaState) -> Stones:
        """The position, whose stones are all known; what the player to move can claim is claimed,
        and a turn whose stone lies is over."""
        position = cls(
            state.turn, sorted(state.empty), [code_of(count) for count in state.count],
            (state.sums[0][:], state.sums[1][:]), state.free[:], state.last[:], state.claimed[:],
        )  # fmt: skip
        position._claim(range(N_LINES))
        if state.placed:
            position._next()
        return position

    def clone(self) -> Self:
        other = type(self).__new__(type(self))
        other.turn, other.empty, other.hands = self.turn, self.empty[:], self.hands[:]
        other.sums = (self.sums[0][:], self.sums[1][:])
        other.free, other.last = self.free[:], self.last[:]
        other.claimed, other.megaliths = self.claimed[:], self.megaliths[:]
        return other

    @property
    def winner(self) -> int:
        """The seat with eight megaliths; ``NOBODY`` as long as there is none."""
        if self.megaliths[0] >= MEGALITHS:
            return 0
        return 1 if self.megaliths[1] >= MEGALITHS else NOBODY

    def threatened(self, line: int, by: int) -> bool:
        """True if ``by`` could claim a line with one stone on it, if it were their turn."""
        mine, theirs, left = self.sums[by][line], self.sums[1 - by][line], self.free[line] - 1
        if self.claimed[line] != NOBODY or left < 0 or not HAND[self.hands[by]]:
            return False
        need = theirs + REACH[self.hands[1 - by]][left]
        most = mine + HAND[self.hands[by]][-1]
        return most >= need if left else most > need

    def with_stone(self, seat: int, line: int, value: int) -> Stones:
        """The position with a stone more somewhere on ``line``; without any claims."""
        other = self.clone()
        other.hands[seat] = AFTER[other.hands[seat]][value]
        other.sums[seat][line] += value
        other.free[line] -= 1
        other.last[line] = seat
        return other

    def actor(self) -> int:
        return OVER if self.winner != NOBODY else self.turn

    def keys(self) -> Sequence[Key]:
        empty = self.empty
        return [
            value * N_FIELDS + field
            for value in DISTINCT[self.hands[self.turn]]
            for field in empty
        ]  # fmt: skip

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        weights = [self._promise(key) for key in keys]
        total = sum(weights)
        return [weight / total for weight in weights]

    def draw(self, random: Random) -> Key:
        raise AssertionError("nothing is chance in this game")

    def seen(self, key: Key) -> Hashable:
        return int(key)

    def play(self, key: Key) -> None:
        value, field = divmod(int(key), N_FIELDS)
        self._lay(value, field)
        self._claim(LINES_OF[field])
        if self.winner == NOBODY:
            self._next()

    def playout(self, random: Random) -> Sequence[float]:
        """Stones at random, the better of two each time."""
        while self.winner == NOBODY:
            hand, empty = HAND[self.hands[self.turn]], self.empty
            count, fields = len(hand), len(empty)
            first = hand[int(random.random() * count)] * N_FIELDS
            first += empty[int(random.random() * fields)]
            second = hand[int(random.random() * count)] * N_FIELDS
            second += empty[int(random.random() * fields)]
            better = self.gain(second) > self.gain(first)
            self.play(second if better else first)
        mine = self.megaliths[0] - self.megaliths[1]
        won = 0.5 + (0.46 if mine > 0 else -0.46) + 0.005 * mine
        return (won, 1 - won)

    def move(self, key: Key) -> Move:
        value, field = divmod(int(key), N_FIELDS)
        return Move.of(self.turn, "place", value, FIELDS[field])

    # -- private --------------------------------------------------------------------------

    def _lay(self, value: int, field: int) -> None:
        me = self.turn
        self.empty.remove(field)
        self.hands[me] = AFTER[self.hands[me]][value]
        sums, free, last = self.sums[me], self.free, self.last
        for line in LINES_OF[field]:
            sums[line] += value
            free[line] -= 1
            last[line] = me

    def _claim(self, lines: Sequence[int]) -> None:
        """1.5: the player to move claims those of ``lines`` that they control."""
        me = self.turn
        mine, theirs, free = self.sums[me], self.sums[1 - me], self.free
        reach, claimed = REACH[self.hands[1 - me]], self.claimed
        for line in lines:
            if claimed[line] != NOBODY:
                continue
            need = theirs[line] + reach[free[line]]
            # On a full line equal sums win for the player who did not lay the last stone.
            if mine[line] > need or (mine[line] == need and (free[line] or self.last[line] != me)):
                claimed[line] = me
                self.megaliths[me] += 1
                if self.megaliths[me] >= MEGALITHS:
                    return

    def _next(self) -> None:
        self.turn = 1 - self.turn
        self._claim(range(N_LINES))
        if self.winner == NOBODY and not self.empty:
            # Nothing is left to be laid: the other claims what is theirs.
            self.turn = 1 - self.turn
            self._claim(range(N_LINES))

    def gain(self, key: int) -> float:
        """Lines that a stone wins at once, less those that it gives away."""
        value, field = divmod(key, N_FIELDS)
        me = self.turn
        mine, theirs, free = self.sums[me], self.sums[1 - me], self.free
        reach = REACH[self.hands[1 - me]]
        own = REACH[AFTER[self.hands[me]][value]]
        gain = -0.02 * value
        for line in LINES_OF[field]:
            if self.claimed[line] != NOBODY:
                continue
            left, sum_mine, sum_theirs = free[line] - 1, mine[line] + value, theirs[line]
            if left:
                if sum_mine >= sum_theirs + reach[left]:
                    gain += 1
                elif sum_theirs >= sum_mine + own[left]:
                    gain -= 1
            elif sum_mine > sum_theirs:
                gain += 1
            else:
                gain -= 1
        return gain

    def _promise(self, key: int) -> float:
        return float(2.0 ** (1.5 * self.gain(key)))


def after(position: Stones, key: Key) -> Stones:
    """The position after a turn; ``position`` stays as it is."""
    other = position.clone()
    other.play(key)
    return other


# Endgames of Stonehenge with open stones, solved exactly: the winner, and the right stones.

MOST_EMPTY = 6
"""Most empty fields; with more, solving takes minutes."""


def winning(position: Stones) -> list[Key]:
    """The stones with which the player to move wins against every answer; empty if none does.

    Meant for up to ``MOST_EMPTY`` empty fields.
    """
    me, known = position.turn, dict[tuple[object, ...], int]()
    keys = position.keys()
    return [key for key in keys if _winner(after(position, key), known) == me]


def winner(position: Stones) -> int:
    """The winner if neither errs from here on."""
    return _winner(position.clone(), {})


def _winner(position: Stones, known: dict[tuple[object, ...], int]) -> int:
    """``position`` is used up."""
    if position.actor() == OVER:
        return position.winner
    place = (
        position.turn, tuple(position.empty), tuple(position.hands), tuple(position.sums[0]),
        tuple(position.sums[1]), tuple(position.claimed), tuple(position.last),
    )  # fmt: skip
    found = known.get(place)
    if found is not None:
        return found
    me = position.turn
    keys = sorted(position.keys(), key=position.gain, reverse=True)
    found = 1 - me
    for key in keys:
        if _winner(after(position, key), known) == me:
            found = me
            break
    known[place] = found
    return found
