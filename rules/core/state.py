"""A position: the decision that is due, what is allowed, the effect of a move, and the layout.

A match (``rules.match``) owns its one position; computer players and readings clone it and play on.
Everything that leaves it is frozen, so that screens, journals and other threads may keep it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Self, TypeVar

from rules.core.dice import Throw
from rules.core.matches import Achievement, Json, Outcome, Prompt, ScoreLine
from rules.core.moves import Actor, Move, Objection
from rules.core.tables import Layout, Ledger


class State(ABC):
    """Position of one match, with the rules that hold in it; mutable inside."""

    __slots__ = ()

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def to_json(self) -> Json:
        """The whole position, as plain JSON data."""

    @abstractmethod
    def read(self, data: Json) -> None:
        """Take over what ``to_json`` wrote, in the position that ``Game.setup`` made.

        The data may be wrong: whatever that raises is dealt with by ``Game.from_json``, and so is
        what was read otherwise than it is written.
        """

    @abstractmethod
    def problems(self) -> list[str]:
        """Violated invariants of the position, as sentences; empty if it is sound."""

    # -- play -----------------------------------------------------------------------------

    @abstractmethod
    def prompt(self) -> Prompt | None:
        """The decision that is asked now, and of whom; None when the match is over."""

    def turn_of(self) -> int | None:
        """The seat whose turn it is, while a player is asked.

        By default the seat asked. A game in which others answer in the middle of a turn, such as
        those whom an attack hits, names the player whose turn it remains.
        """
        prompt = self.prompt()
        return None if prompt is None or prompt.actor is not Actor.PLAYER else prompt.player

    def is_answer(self, move: Move) -> bool:
        """True if a player's ``move`` belongs to the turn of somebody else."""
        return self.turn_of() not in (None, move.player)

    @abstractmethod
    def pseudo_moves(self) -> Iterable[Move]:
        """All that hands could try now, allowed or not; holds every legal move."""

    @abstractmethod
    def violations(self, move: Move) -> list[Objection]:
        """The objections to ``move`` now; empty means legal.

        Answers for any move at all, even one that is not a pseudo-move (code ``unknown_move``).
        """

    def legal_moves(self) -> list[Move]:
        """Every legal move, in any order; empty when the match is over."""
        return [move for move in self.pseudo_moves() if not self.violations(move)]

    @abstractmethod
    def apply(self, move: Move) -> None:
        """Carry out a pseudo-move. Total on pseudo-moves: it never checks."""

    def obliged(self) -> Move | None:
        """The only legal answer to a player's question, if it is publicly known to be the only one
        and hands do nothing for it: such a question need not be put at all.

        None where people decide, and wherever the answer follows from what only one player knows.
        """
        return None

    def hinted_moves(self) -> list[Move]:
        """Moves worth pointing out, where the game has an option for it."""
        return []

    # -- chance ---------------------------------------------------------------------------

    def weights(self, moves: Sequence[Move]) -> Sequence[int]:
        """Relative odds of each of ``moves`` at a DEALER or TABLE decision."""
        throw = self.throw()
        return [1] * len(moves) if throw is None else throw.weights(moves)

    def throw(self) -> Throw | None:
        """The dice that are to be thrown now, at a DEALER decision whose legal moves are all of the
        throw's; the seat of its prompt throws them."""
        return None

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """A random player's choice, as the game's rule file asks for it."""
        return moves[int(random.random() * len(moves))]

    def deal_for(self, seats: Collection[int]) -> None:
        """From the set-up on the program deals for ``seats``, which ``Game.deals_for`` allows;
        their draws are named in the position, and told to no other seat (``public``, ``view``).

        Nothing is to be done where nothing is drawn.
        """
        return

    # -- the end and the points -----------------------------------------------------------

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end of the match, None while it goes on."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Points by seat at this moment; all nought in a game that counts none."""

    def explain_scores(self) -> list[ScoreLine]:
        """The origins of the points of ``scores``; they add up to it."""
        return [
            ScoreLine(seat, "score", points) for seat, points in enumerate(self.scores()) if points
        ]

    def achievement(self) -> Achievement | None:
        """The entry of the finished match in a best list; None where a game keeps none."""
        return None

    # -- the table ------------------------------------------------------------------------

    @abstractmethod
    def layout(self) -> Layout:
        """The pieces that must lie at each site."""

    def layout_at(self, sites: Collection[str]) -> Layout:
        """The part of ``layout`` at some ``sites``; override it where reading must be fast."""
        return Counter({item: n for item, n in self.layout().items() if item.site in sites})

    def supply(self, seat: int) -> Counter[str]:
        """Pieces still in front of ``seat``, by kind of the box; public knowledge only."""
        return Counter()

    def touches(self, move: Move) -> Collection[str]:
        """Sites whose layout ``move`` may change: at least those, better no others.

        The default compares layouts; override it where reading must be fast.
        """
        after = self.clone()
        after.apply(move)
        before, then = self.layout(), after.layout()
        found = {item.site for item, number in before.items() if then[item] != number}
        return found | {item.site for item, number in then.items() if before[item] != number}

    def ledger(self) -> Ledger | None:
        """The entries so far, if people play with their own cards and only enter what changes
        hands; then nothing lies anywhere (``layout``). None in any other match."""
        return None

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        """``move`` as ``seat`` may know it (None: as everybody may), made here."""
        return move

    def remembered(self, told: Sequence[Move]) -> Sequence[Move]:
        """The moves ``told`` so far, as a list of moves may still show them now."""
        return told

    def shown(self, move: Move) -> tuple[Move, ...]:
        """The moves a physical table logs for ``move`` of a digital match, made here.

        Usually ``public(move, None)`` alone; followed by ``table show …`` moves where a digital
        move turns something up at once.
        """
        return (self.public(move, None),)

    def view(self, seat: int | None) -> Json:
        """The position as ``seat`` may see it (None: as everybody may)."""
        return self.to_json()


S = TypeVar("S", bound=State)
