"""Dice: the throw that is due, and the moves that say what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, groupby, product
from math import factorial, prod
from typing import Final, Self

from rules.core.moves import Actor, Move
from rules.core.tables import Item, Layout

DICE: Final[Mapping[str, tuple[str, ...]]] = {"dice": ("table", "program")}
"""The option of games with dice, for their ``options``: whether people throw real ones."""
PROGRAM: Final = "program"
SIX: Final = ("1", "2", "3", "4", "5", "6")
"""Faces of an ordinary die."""


class Throw:
    """Dice that are thrown together, by their kinds in the box.

    Its moves are ``dealer roll 3 5``: the faces in the order of the dice, and those of equal dice,
    which stand side by side, ascending.

    >>> throw = Throw("die", "die")
    >>> len(throw.moves), throw.weights(throw.moves[:2])
    (21, [1, 2])
    >>> throw.showing({("die", "5"): 1, ("die", "3"): 1})
    Move('dealer roll 3 5')
    """

    def __init__(
        self,
        *dice: str,
        faces: Mapping[str, Sequence[str]] | None = None,
        site: str = "tray",
        verb: str = "roll",
    ) -> None:
        """``faces``: by kind, where they are not 1 to 6."""
        self.dice, self.site, self.verb = dice, site, verb
        self.faces = {kind: tuple((faces or {}).get(kind, SIX)) for kind in dice}
        self.kept: Counter[tuple[str, str]] = Counter()
        """Kinds and faces of dice that are not thrown again: they may lie in the tray or aside."""
        self._moves: dict[Move, tuple[str, ...]] | None = None

    def keeping(self, kept: Mapping[tuple[str, str], int]) -> Self:
        """The same throw beside dice that were thrown before: how many by kind and face."""
        other = type(self)(*self.dice, faces=self.faces, site=self.site, verb=self.verb)
        other._moves, other.kept = self._known, Counter(kept)
        return other

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every throw, all of them legal."""
        return tuple(self._known)

    def __contains__(self, move: Move) -> bool:
        return move in self._known

    def weights(self, moves: Sequence[Move]) -> list[int]:
        """In how many ways dice fall so, for each of ``moves``."""
        return [prod(map(_orders, self._by_kind(self._known[move]))) for move in moves]

    def showing(self, seen: Mapping[tuple[str, str], int]) -> Move | None:
        """The throw of exactly these dice, how many by kind and face; None if it is none."""
        faces: list[str] = []
        for kind, dice in groupby(self.dice):
            number, known = len([*dice]), self.faces[kind]
            here = [face for face in known for _ in range(seen.get((kind, face), 0))]
            if len(here) != number:
                return None
            faces += here
        move = Move.of(Actor.DEALER, self.verb, *faces)
        return move if len(faces) == sum(seen.values()) else None

    def taken_up(self, layout: Layout) -> Layout:
        """``layout`` while hands hold the dice."""
        kept, left = Counter(self.kept), Layout()
        for item, number in layout.items():
            if item.site == self.site and item.kind in self.dice:
                number = min(number, kept[item.kind, item.pose])
            if number:
                left[item] = number
        return left

    def lying(self, layout: Layout, move: Move) -> Layout:
        """``layout`` with what a throw shows in its tray."""
        dice = zip(self.dice, self._known[move], strict=True)
        return self.taken_up(layout) + Layout(
            Item(self.site, kind, pose=face) for kind, face in dice
        )

    @property
    def _known(self) -> dict[Move, tuple[str, ...]]:
        if self._moves is None:
            self._moves = {
                Move.of(Actor.DEALER, self.verb, *faces): faces for faces in self._shown()
            }
        return self._moves

    def _shown(self) -> Iterator[tuple[str, ...]]:
        each = (
            combinations_with_replacement(self.faces[kind], len([*dice]))
            for kind, dice in groupby(self.dice)
        )
        return (tuple(face for part in parts for face in part) for parts in product(*each))

    def _by_kind(self, faces: Sequence[str]) -> Iterator[Sequence[str]]:
        rest = iter(faces)
        for _, dice in groupby(self.dice):
            yield [next(rest) for _ in dice]


def _orders(faces: Sequence[str]) -> int:
    """The number of orders in which equal dice show ``faces``."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))
