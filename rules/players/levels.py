"""Levels of Heelstone's own players. Weaker ones err as people do: they overlook what does not
catch the eye, do not ask what the others will answer, forget what was shown, and misjudge how good
a move is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules.core import GameError, Move
from rules.hidden import UNSEEN
from rules.players.craft import Craft, craft_of
from rules.players.player import Budget, Choice, Reason, Thought
from rules.players.position import Key, Position
from rules.players.search import Node
from rules.players.view import SeatView

# Choices from a world in which every card has a name, as hands can make them at a table where the
# card was never seen: there the move leaves it open (``?``).


def as_legal(choice: Choice, moves: Sequence[Move]) -> Choice:
    """``choice`` with the legal ``moves`` that it stands for."""
    if choice.move in moves:
        return choice
    thoughts: dict[Move, Thought] = {}
    for one in choice.thoughts:
        # Of several that are the same for hands, the one tried most often comes first.
        move = _open(one.move, moves)
        thoughts.setdefault(move, one._replace(move=move))
    return replace(choice, move=_open(choice.move, moves), thoughts=tuple(thoughts.values()))


def _open(move: Move, moves: Sequence[Move]) -> Move:
    """The legal move that leaves open what ``move`` names; itself if there is none."""
    return next((legal for legal in moves if _stands_for(legal, move)), move)


def _stands_for(legal: Move, move: Move) -> bool:
    same = (legal.actor, legal.player, legal.verb) == (move.actor, move.player, move.verb)
    return same and len(legal.args) == len(move.args) and all(
        one in (other, UNSEEN) for one, other in zip(legal.args, move.args, strict=True)
    )  # fmt: skip


CLOSELY = 8
"""A move was looked at closely if it was tried at least this fraction as often as the best."""


@dataclass(frozen=True, slots=True)
class Level:
    """A player's strength."""

    name: str
    time: float = 1.0
    """Part of the budget that is used."""
    playouts: int | None = None
    """Most ways on that are tried, however fast the computer is; None: as time allows."""
    depth: int | None = None
    """Number of decisions that it looks ahead; None: as far as there is time."""
    overlooks: float = 0.0
    """Chance that a move that does not catch the eye is not even looked at; 0 … 1."""
    misjudges: float = 0.0
    """Error in the chances of a move (standard deviation), as a part of what lies between the best
    and the worst move that was looked at closely."""
    memory: float = 1.0
    """Part of what was shown and lies hidden again that is remembered."""


LEVELS = (
    Level("apprentice", time=0.3, playouts=40, depth=1, overlooks=0.5, misjudges=0.5, memory=0.4),
    Level("druid", time=0.6, playouts=400, depth=4, overlooks=0.15, misjudges=0.1, memory=0.75),
    Level("archdruid"),
)
"""From weak to strong: Lehrling, Druide and Großdruide on a German screen."""


class Searcher:
    """A player that looks ahead; implements ``rules.players.Player``."""

    def __init__(self, level: Level, craft: Craft[Any] | None = None) -> None:
        """``craft``: instead of the game's own, for comparisons."""
        self.level, self._craft = level, craft

    def choose(
        self, view: SeatView, moves: Sequence[Move], budget: Budget, random: Random
    ) -> Choice:
        """The move whose chances are best, as far as the level sees it.

        Raises GameError if the seat's own hand was never shown.
        """
        level = self.level
        craft = (self._craft or craft_of(view.rules)).as_known_by(level.name)
        if not craft.sees(view):
            raise GameError("hand_unseen", game=view.game)
        known = craft.forgetful(view, level.memory, random)
        state = craft.states(known)(random)
        obvious = moves[0] if len(moves) == 1 else craft.obvious(state, moves)
        if obvious is not None:
            alone = Reason("only_move") if len(moves) == 1 else Reason("matter_of_course")
            why = craft.reason(view, state, obvious) or alone
            return Choice(obvious, why, line=tuple(craft.sequel(state, obvious)))
        worlds = craft.worlds(known)
        first = worlds(random)
        keys = self._noticed(first, random)
        found = craft.look_ahead(worlds, self._limited(budget), random, keys, level.depth)
        best = self._judged(found.ranked, random)
        thoughts = tuple(
            Thought(first.move(node.key), node.mean, node.visits) for node in found.ranked
        )
        move = first.move(best.key)
        why = craft.reason(view, state, move) or _plain(thoughts, move)
        line = tuple(craft.sequel(state, move)) or _line(first, best, view.seat)
        return as_legal(Choice(move, why, thoughts, line, found.playouts), moves)

    # -- private --------------------------------------------------------------------------

    def _noticed(self, position: Position, random: Random) -> list[Key]:
        """The moves that are looked at: what catches the eye always, the rest sometimes."""
        keys = list(position.keys())
        if not self.level.overlooks or len(keys) < 2:
            return keys
        priors = position.priors(keys)
        most = max(priors)
        noticed = [
            key for key, prior in zip(keys, priors, strict=True)
            if prior == most or random.random() >= self.level.overlooks * (1 - prior / most)
        ]  # fmt: skip
        if len(set(priors)) == 1:
            noticed = [key for key in keys if random.random() >= self.level.overlooks]
        return noticed or keys[:1]

    def _limited(self, budget: Budget) -> Budget:
        level, limited = self.level, budget.share(self.level.time)
        if level.playouts is not None:
            most = limited.playouts
            limited.playouts = level.playouts if most is None else min(most, level.playouts)
        return limited

    def _judged(self, ranked: Sequence[Node], random: Random) -> Node:
        """The move that looks best to the level, of those that were looked at closely."""
        best = ranked[0]
        if not self.level.misjudges:
            return best
        close = [node for node in ranked if node.visits * CLOSELY >= best.visits]
        means = [node.mean for node in close]
        spread = self.level.misjudges * (max(means) - min(means))
        judged = [mean + random.gauss(0.0, spread) for mean in means]
        return close[judged.index(max(judged))]


def _plain(thoughts: Sequence[Thought], move: Move) -> Reason:
    """A reason by the chances alone."""
    chance = next(one.chance for one in thoughts if one.move == move)
    others = [one.chance for one in thoughts if one.move != move and one.visits]
    if others and chance - max(others) < 0.02:
        return Reason("about_equal")
    if chance >= 0.8:
        return Reason("winning")
    return Reason("least_bad" if chance <= 0.2 else "best_chances")


def _line(position: Position, node: Node, seat: int) -> tuple[Move, ...]:
    """Moves that the seat means to make next, up to the first decision of others or of chance."""
    line: list[Move] = []
    while node.children:
        node = max(node.children.values(), key=lambda child: child.visits)
        if node.actor != seat or node.visits < 8:
            break
        line.append(position.move(node.key))
    return tuple(line)
