"""The search: which list to go by from here on, and whether there is a better move than the list's.

Nearly everything in Dominion happens far beyond a tree that could be grown, so no tree is grown.
First the lists are compared, each by playing the match out from here by it; who is tried next is
decided by upper confidence bounds (P. Auer et al., *Finite-time Analysis of the Multiarmed Bandit
Problem*, Machine Learning 47, 2002), beginning with what the list has shown in other matches. Then
the moves are compared, with the best list carrying on (rollout of a policy; D. Bertsekas et al.,
*Rollout Algorithms for Combinatorial Optimization*, Journal of Heuristics 3, 1997).

Nothing is remembered from one choice to the next: what is owned already speaks for the list it
belongs to, and the comparison begins anew from the position there is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random

from rules.core import Move
from rules.games.dominion.state import DominionState
from rules.players.crafts.dominion.answers import finish_questions, habitual
from rules.players.crafts.dominion.lists import (
    COPPER,
    COST,
    CURSE,
    ESTATE,
    IS_ACTION,
    KINDS,
    NUMBER,
    PROVINCE,
    BuyList,
    lists_for,
)
from rules.players.crafts.dominion.table import Table
from rules.players.crafts.dominion.turns import play_out
from rules.players.player import Budget
from rules.players.search import Found, Node

# The lists that a player considers in a position, by how much of the game they know.

CONSIDERED = 10
"""Lists that are compared in a position."""
KEPT, BROKEN = 0.03, 0.08
"""Evidence of a kingdom card owned for a list that has it, and against one that has not."""


class FirstMatch(BuyList):
    """The purchases of people in their first match: the dearest card, an action card rather than
    money."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("first match", ())

    def pick(self, coins: int, owned: Sequence[int], supply: Sequence[int]) -> int:
        for card in _BY_LOOKS:
            if COST[card] <= coins and supply[card]:
                return card
        return ESTATE if coins >= 2 and supply[PROVINCE] <= 2 and supply[ESTATE] else -1


_BY_LOOKS = sorted(
    (card for card in range(KINDS) if card not in (COPPER, CURSE, ESTATE)),
    key=lambda card: (-COST[card], not IS_ACTION[card], card),
)
FIRST_MATCH = FirstMatch()


def considered(
    state: DominionState, seat: int, level: str, most: int = CONSIDERED
) -> list[tuple[BuyList, float]]:
    """The lists that ``seat`` may go by from here on, and how well each promises to do, 0 … 1; the
    most promising first.

    A list is worth what it is against plain money, more if cards of it are owned already, less if
    others are.
    """
    if level == "apprentice":
        return [(FIRST_MATCH, 0.5)]
    owned = [NUMBER[card] for card in state.seats[seat].owned if card in state.kingdom]
    found = [
        (one, _promise(one, owned)) for one in lists_for(state.kingdom, simple=level == "druid")
    ]
    found.sort(key=lambda pair: -pair[1])
    best = found[0][1]
    # The best of them meets others who know it too.
    return [(one, 0.5 + promise - best) for one, promise in found[:most]]


def _promise(one: BuyList, owned: Sequence[int]) -> float:
    kept = sum(1 for card in owned if card in one.needs)
    return one.rating + KEPT * kept - BROKEN * (len(owned) - kept)


def likely(state: DominionState, seat: int, level: str) -> list[BuyList]:
    """The lists by which ``seat`` probably goes, judged by what it owns."""
    return [one for one, _ in considered(state, seat, level, 2)]


PART_FOR_LISTS = {"apprentice": 0.0, "druid": 1.0}
"""Part of the budget in which lists are compared, one half if nothing else is said: an apprentice
knows one only, and a druid goes by the most promising without weighing each buy."""
CURIOSITY_LISTS, CURIOSITY_MOVES = 0.35, 0.5
KNOWN = 24
"""Playouts that weigh as much as the results of a list in other matches."""
HABIT = 4.0
"""Factor by which the move by list and habit is more promising than any other."""
ONE_MOVE = 64
"""Playouts if there is one move only: enough to say how the match stands."""
LIKELIEST = 0.7
"""Share of others who go by the list that fits best what they own, not by the next best one."""
DOUBT = 1.5
"""Standard errors by which a move that is not the list's must look better: early on most differ by
less than can be found out."""
UNTRIED = 0.05
"""Difference between the best chance and that hoped for from a move never tried."""


class _Plan:
    """A list that is tried."""

    __slots__ = ("buys", "known", "total", "visits")

    def __init__(self, buys: BuyList, promise: float) -> None:
        self.buys, self.visits = buys, 0
        self.known = self.total = KNOWN * min(1.0, max(0.0, promise))

    @property
    def played(self) -> float:
        """Sum of the results."""
        return self.total - self.known

    @property
    def mean(self) -> float:
        return self.total / (self.visits + KNOWN)

    def bound(self, tried: int) -> float:
        return self.mean + CURIOSITY_LISTS * sqrt(log(1 + tried) / (self.visits + KNOWN))


def choose_by_lists(
    deal: Callable[[Random], DominionState],
    seat: int,
    level: str,
    budget: Budget,
    random: Random,
    only: Collection[Move],
) -> Found:
    """Compare the moves ``only`` of ``seat`` in the positions that ``deal`` returns."""
    first = deal(random)
    plans = [_Plan(buys, promise) for buys, promise in considered(first, seat, level)]
    rivals = [likely(first, other, level) for other in range(first.players)]
    moves = [move for move in first.legal_moves() if move in only] or list(only)
    root = Node(decider=seat)
    for move, prior in zip(moves, attractions(first, moves, plans[0].buys, level), strict=True):
        root.children[move] = Node(move, seat, prior)
    trial = _Trials(deal, seat, rivals, random, root)
    part = budget.share(PART_FOR_LISTS.get(level, 0.5) if len(moves) > 1 else 1.0)
    most = ONE_MOVE if len(moves) == 1 else None
    while trial.done == 0 or not (part.over(trial.done) or trial.done == most):
        trial.play(None, max(plans, key=lambda plan: plan.bound(trial.done)))
    if len(moves) > 1:
        best = max(plans, key=lambda plan: plan.mean)
        usual = trial.carry_over(best, first)
        while not budget.over(trial.done):
            trial.play(_next_tried(root), best)
        return Compared(root, trial.done, usual.key)
    return Found(root, trial.done)


@dataclass(frozen=True, slots=True)
class Compared(Found):
    """Moves that were compared with the one that list and habit make."""

    usual: Move

    @property
    def ranked(self) -> list[Node]:
        """The usual move before all that are not clearly better."""

        def worth(node: Node) -> tuple[float, int, str]:
            doubt = 0.0 if node.key == self.usual else DOUBT * 0.5 / sqrt(max(1, node.visits))
            return ((node.mean if node.visits else 0.0) - doubt, node.visits, str(node.key))

        return sorted(self.root.children.values(), key=worth, reverse=True)


class _Trials:
    """Matches played out from the position, and what came of them."""

    def __init__(
        self,
        deal: Callable[[Random], DominionState],
        seat: int,
        rivals: Sequence[Sequence[BuyList]],
        random: Random,
        root: Node,
    ) -> None:
        self.deal, self.seat, self.rivals = deal, seat, rivals
        self.random, self.root, self.done = random, root, 0

    def play(self, move: Move | None, plan: _Plan) -> None:
        """One match; without a ``move`` with the one that list and habit make."""
        random = self.random
        state = self.deal(random)
        buys = [lists[0 if random.random() < LIKELIEST else -1] for lists in self.rivals]
        buys[self.seat] = plan.buys
        node = self._habitual(state, buys) if move is None else self.root.children[move]
        result = hopes_after(state, node.key, buys, random)[self.seat]
        self.done += 1
        plan.visits += 1
        plan.total += result
        for one in (self.root, node):
            one.visits += 1
            one.total += result

    def carry_over(self, best: _Plan, first: DominionState) -> Node:
        """Moves are compared by the best list alone, which has been tried with one of them."""
        for node in self.root.children.values():
            node.visits, node.total = 0, 0.0
        node = self._habitual(first, [best.buys] * first.players)
        node.visits, node.total = best.visits, best.played
        return node

    def _habitual(self, state: DominionState, buys: Sequence[BuyList]) -> Node:
        children = self.root.children
        found = children.get(habitual(state, state.legal_moves(), buys))
        # If the best move was overlooked, the next best one is made.
        return found or max(children.values(), key=lambda node: node.prior)


def _next_tried(root: Node) -> Move:
    tried = sum(node.visits for node in root.children.values())
    urge = CURIOSITY_MOVES * sqrt(tried)
    # With hardly any time the best list may not have been tried at all.
    means = (node.mean for node in root.children.values() if node.visits)
    hoped = max(means, default=0.5) - UNTRIED

    def bound(node: Node) -> float:
        mean = node.mean if node.visits else hoped
        return mean + urge * node.prior / (1 + node.visits)

    found: Move = max(root.children.values(), key=bound).key
    return found


def hopes_after(
    state: DominionState,
    move: Move,
    buys: Sequence[BuyList],
    random: Random,
) -> Sequence[float]:
    """Play ``move`` and then the match out, all seats by list; the position is used up."""
    state.apply(move)
    finish_questions(state, buys, random)
    return play_out(Table.of(state, list(buys), random))


def attractions(
    state: DominionState, moves: Sequence[Move], buys: BuyList, level: str
) -> list[float]:
    """Priors of ``moves`` by first sight; their sum is 1."""
    plans = [buys] * state.players
    habit = habitual(state, moves, plans)
    found = [HABIT if move == habit else _looks(move, level) for move in moves]
    total = sum(found)
    return [one / total for one in found]


def _looks(move: Move, level: str) -> float:
    if move.verb == "buy":
        card = NUMBER[move.args[0]]
        if level == "apprentice":
            return 0.1 + COST[card] / 3
        return 2.0 if card == PROVINCE else 0.2 if card in (COPPER, CURSE) else 1.0
    return 0.5 if move.verb in ("done", "none") else 1.0
