"""Moves, their actors, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Self

from rules.errors import Complaint

Param = str | int
"""A parameter of an objection or prompt; ``rules.telling`` turns it into words by its name."""


class GameError(Complaint, ValueError):
    """A fault of a game; every error of the rules is one of these."""


class MoveSyntaxError(GameError):
    """A text is not a move."""


class OptionError(GameError):
    """A number of players or an option does not exist for this game."""


class StateError(GameError):
    """A stored state cannot be read."""


class IllegalMove(GameError):
    """A move is not allowed; ``objections`` say why."""

    def __init__(self, move: Move, objections: Sequence[Objection]) -> None:
        self.move = move
        self.objections = tuple(objections)
        reasons = [f"{o.rule} {o.code}" for o in self.objections]
        super().__init__("not_allowed", move=move.text, reasons=reasons)


class Actor(StrEnum):
    """The causes of a move."""

    PLAYER = "player"
    DEALER = "dealer"
    """Anything drawn, shuffled or rolled by chance."""
    TABLE = "table"
    """Results of dexterity, and hidden things that become visible."""


_MOVE = re.compile(r"(p[0-9]|dealer|table) ([a-z]+(?:-[a-z]+)*)((?: [^\s]+)*)")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """One atomic decision. Its text is the file format of journals and exports.

    Moves compare by their text, not by identity. Games build theirs once and hand the same
    objects out again, because building one per legal move costs more than everything else.
    """

    text: str
    actor: Actor
    player: int | None
    """Seat of the acting player, None for dealer and table."""
    verb: str
    args: tuple[str, ...]

    @staticmethod
    def of(actor: int | Actor, verb: str, *args: str | int) -> Move:
        """Build a move; ``actor`` is a seat or DEALER or TABLE."""
        who = f"p{actor}" if isinstance(actor, int) else actor.value
        return Move.parse(" ".join((who, verb, *map(str, args))))

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move text; raises MoveSyntaxError if it is not one."""
        return _parse(text) if len(text) <= MOST_KEPT else _parse.__wrapped__(text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __lt__(self, other: Move) -> bool:
        return self.text < other.text

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


MOST_KEPT = 200
"""Most letters of a move that is remembered; a longer one comes from a foreign file, and tens of
thousands of those would fill the memory."""


@lru_cache(maxsize=1 << 16)
def _parse(text: str) -> Move:
    match = _MOVE.fullmatch(text)
    if match is None:
        raise MoveSyntaxError("not_a_move", text=text[:80])
    who, verb, rest = match.groups()
    args = tuple(rest.split(" ")[1:]) if rest else ()
    if who[0] == "p":
        return Move(text, Actor.PLAYER, int(who[1:]), verb, args)
    return Move(text, Actor(who), None, verb, args)


@dataclass(frozen=True, slots=True)
class Objection:
    """A reason why a move is not allowed: rule id and code, never prose."""

    rule: str
    """Rule id of the game's rules, such as ``1.5`` or ``KN3``; its page explains more."""
    code: str
    """Key of the sentence in the game's text file."""
    params: tuple[tuple[str, Param], ...] = ()

    @staticmethod
    def of(rule: str, code: str, **params: Param) -> Objection:
        """Build an objection with named parameters."""
        return Objection(rule, code, tuple(params.items()))

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)
