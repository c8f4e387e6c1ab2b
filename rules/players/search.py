"""Looking ahead: information-set Monte Carlo tree search.

One tree is grown over many worlds, each with what is hidden dealt anew (SO-ISMCTS: P. Cowling,
E. Powley, D. Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE TCIAIG 4(2), 2012);
without anything hidden it is plain UCT. Which branch is tried next follows the mean result plus
what looks promising at first sight (PUCT: C. Rosin, *Multi-armed bandits with episode context*,
Annals of Mathematics and Artificial Intelligence 61, 2011).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from rules.players.player import Budget
from rules.players.position import CHANCE, OVER, Key, Position, Worlds

CURIOSITY = 1.4
"""Preference for branches that were tried seldom; more: broader, less: deeper."""
UNTRIED = 0.1
"""Difference between the mean of all branches and the hope for one never tried."""


@dataclass(slots=True)
class Node:
    """A move and all that follows it, in all worlds in which it can follow."""

    key: Key = None
    """The move as it was played last: what cannot be seen of it differs by world."""
    actor: int = OVER
    """The actor whose move it was."""
    prior: float = 0.0
    visits: int = 0
    total: float = 0.0
    """Sum of the results for ``actor``."""
    decider: int = OVER
    """The actor who decides what follows."""
    outlook: float = 0.0
    """Sum of the results for ``decider``."""
    children: dict[Hashable, Node] = field(default_factory=dict)
    untried: list[tuple[float, Key]] | None = None
    """Moves never tried and their priors, the best last, where nothing is hidden; None: not looked
    at yet."""

    @property
    def mean(self) -> float:
        """The chance of ``actor`` after the move; one half if it was never tried."""
        return self.total / self.visits if self.visits else 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    root: Node
    playouts: int

    @property
    def ranked(self) -> list[Node]:
        """The moves at the root, the one tried most often first."""
        return sorted(
            self.root.children.values(),
            key=lambda node: (node.visits, node.mean, str(node.key)), reverse=True,
        )  # fmt: skip


def search(
    worlds: Worlds,
    budget: Budget,
    random: Random,
    *,
    only: Collection[Key] | None = None,
    depth: int | None = None,
    curiosity: float = CURIOSITY,
) -> Found:
    """Look ahead until ``budget`` is used up; the root is a player's decision.

    ``only``: the moves at the root that are looked at; None: all that are worth a look. ``depth``:
    decisions of players that are looked ahead before a playout; None: as many as there are.
    """
    if only is not None:
        # Asked for many times, and kept in this order.
        only = dict.fromkeys(only)
    root = Node()
    done = 0
    while done == 0 or not budget.over(done):
        position = worlds(random)
        _once(root, position, random, only, depth, curiosity)
        done += 1
    return Found(root, done)


def _once(
    root: Node,
    position: Position,
    random: Random,
    only: Collection[Key] | None,
    depth: int | None,
    curiosity: float,
) -> None:
    node, path = root, [root]
    decisions = 0
    while True:
        actor = position.actor()
        if actor == OVER:
            break
        if actor == CHANCE:
            key = position.draw(random)
            seen = position.seen(key)
            child = node.children.get(seen)
            if child is None:
                child = node.children[seen] = Node(key, CHANCE)
            position.play(key)
            node = child
            path.append(node)
            continue
        if depth is not None and decisions >= depth:
            break
        decisions += 1
        wanted = only if node is root else None
        choose = _best_of_open if position.open else _best_of_world
        node = choose(node, position, wanted, actor, random, curiosity)
        position.play(node.key)
        path.append(node)
        if not node.visits:
            break
    results = position.playout(random)
    for one in path:
        one.visits += 1
        if one.actor >= 0:
            one.total += results[one.actor]
        if one.decider >= 0:
            one.outlook += results[one.decider]


def _keys(position: Position, wanted: Collection[Key] | None) -> Sequence[Key]:
    keys = position.keys()
    if wanted is None:
        return keys
    return [key for key in keys if key in wanted] or list(wanted)


def _best_of_open(
    node: Node, position: Position, wanted: Collection[Key] | None, actor: int, random: Random,
    curiosity: float,
) -> Node:  # fmt: skip
    """The move to be tried where nothing is hidden: of those never tried, only the most promising
    needs to be weighed."""
    if node.untried is None:
        keys = _keys(position, wanted)
        # Equal ones are not tried in the order in which the rules list them.
        weighed = [
            (prior, random.random(), key)
            for prior, key in zip(position.priors(keys), keys, strict=True)
        ]
        weighed.sort(key=lambda one: one[:2])
        node.untried = [(prior, key) for prior, _, key in weighed]
        node.decider = actor
    urge = curiosity * sqrt(max(1, node.visits))
    best, chosen = -1.0, None
    for child in node.children.values():
        value = child.total / child.visits + urge * child.prior / (1 + child.visits)
        if value > best:
            best, chosen = value, child
    if node.untried:
        prior, key = node.untried[-1]
        hoped = (node.outlook / node.visits if node.visits else 0.5) - UNTRIED
        if hoped + urge * prior > best or chosen is None:
            node.untried.pop()
            chosen = node.children[key] = Node(key, actor, prior)
    assert chosen is not None
    return chosen


def _best_of_world(
    node: Node, position: Position, wanted: Collection[Key] | None, actor: int, random: Random,
    curiosity: float,
) -> Node:  # fmt: skip
    """The move to be tried in this world, in which others are possible than in the next."""
    if node.decider != actor:
        # In other worlds another actor decides here; its hopes are not this one's.
        node.decider, node.outlook = actor, 0.5 * node.visits
    keys, children = _keys(position, wanted), node.children
    hoped = (node.outlook / node.visits if node.visits else 0.5) - UNTRIED
    urge = curiosity * sqrt(max(1, node.visits))
    best, chosen, best_key = -1.0, None, None
    for key, prior in zip(keys, position.priors(keys), strict=True):
        seen = position.seen(key)
        child = children.get(seen)
        if child is None:
            child = children[seen] = Node(key, actor, prior)
        visits = child.visits
        value = child.total / visits if visits else hoped
        value += urge * child.prior / (1 + visits) + random.random() * 1e-6
        if value > best:
            best, chosen, best_key = value, child, key
    assert chosen is not None
    # The hidden part of a move differs by world, and it is this one's that is played.
    chosen.key = best_key
    return chosen
