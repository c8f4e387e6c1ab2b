"""Positions that explain a sighting: what legal moves lead to, or moves taken back.

Every explanation is a layout the rules would want after some moves. It is scored by the sighting's
own likelihoods plus a small cost per step: people make legal moves often and take moves back
rarely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from math import log
from typing import Any

from rules.core import Move
from rules.match import Match
from rules.reading.sighting import EMPTY, Look, Sighting, looks

__all__ = ["MARGIN", "Explanations", "Node"]

# Costs are natural-log odds against the ordinary. They only decide between explanations that
# the picture itself leaves open, so their order matters and their exact size does not.
STEP = 0.7
"""One more legal move."""
IMPLIED = 0.4
"""A move that left no trace, such as a forgotten ``done``."""
DETOUR = 2.0
"""A step whose trace a later one covered, such as a ball that rolled twice."""
TAKEBACK = 1.5
"""Somebody takes moves back."""

CHANGED = 1.5
"""A site counts as changed if the picture speaks against the record by more than this."""
MARGIN = 2.5
"""The best explanation must lead by this much."""
MAX_NODES = 400
MAX_ALIKE = 2
"""How many moves that look alike are followed."""
MAX_DETOURS = 2
MAX_TAKEBACK = 8
MAX_CORRECTED = 3
"""How many moves back a refused one may be corrected."""


@dataclass(slots=True)
class Node:
    """A position some explanation leads to."""

    state: Any
    moves: tuple[Move, ...]
    score: float
    wanted: dict[str, Look]
    """What the rules want to lie where."""
    takeback: int = 0
    cost: float = 0.0
    """What its steps cost so far, whatever the picture says."""
    detours: int = 0
    implied: int = 0
    varied: bool = False
    """Whether other layouts would be equally right."""
    complete: bool = True
    """False while the last step must still be followed by one that shows."""


class Explanations:
    """What may have happened since a match was last agreed on, by one sighting."""

    def __init__(self, match: Match, sighting: Sighting) -> None:
        self.match, self.game = match, match.game
        self.beliefs = sighting.sites
        """Beliefs about the sites that count."""
        self.best = {site: belief.best for site, belief in self.beliefs.items()}
        self.top = self._most()
        """Log likelihood of the sighting's own best looks."""
        wanted, varied = self.wanted(match.state)
        self.start = Node(match.state, (), self._likelihood(wanted), wanted, varied=varied)
        """Nothing has happened."""

    def ignore(self, sites: Collection[str]) -> None:
        """Nothing is concluded from these sites."""
        self.beliefs = {s: b for s, b in self.beliefs.items() if s not in sites}
        self.top = self._most()
        self.start.score = self._likelihood(self.start.wanted)

    def changed(self, node: Node) -> list[str]:
        """Sites where the picture speaks against a position."""
        return [
            site
            for site, belief in self.beliefs.items()
            if belief.score(self.best[site]) - belief.score(node.wanted.get(site, EMPTY)) > CHANGED
        ]

    def wanted(self, state: Any) -> tuple[dict[str, Look], bool]:
        """What must lie where, and whether something else would be equally right.

        Of several right layouts it is the one that the picture supports.
        """
        usual = looks(self.game.layout(state))
        others = self.game.also_right(state)
        best, lead = usual, 0.0
        for layout in others:
            other = looks(layout)
            gain = 0.0
            for site in {site for site, _ in other.items() ^ usual.items()}:
                belief = self.beliefs.get(site)
                if belief is not None:
                    gain += belief.score(other.get(site, EMPTY))
                    gain -= belief.score(usual.get(site, EMPTY))
            if gain > lead:
                best, lead = other, gain
        return best, bool(others)

    def search(self, root: Node) -> list[Node]:
        """Positions that legal moves from ``root`` lead to and the picture supports."""
        found = [root]
        frontier: list[tuple[float, int, Node]] = [(-root.score, 0, root)]
        tie = count(1)
        seen: set[object] = set()
        behind: Counter[object] = Counter()
        limit = len(self.changed(root)) + 2 + MAX_DETOURS
        best = root.score
        while frontier and len(found) < MAX_NODES:
            _, _, node = heappop(frontier)
            # Nothing that follows from here can be better than the picture itself allows.
            if self.top - node.cost - STEP < best - MARGIN or len(node.moves) >= limit:
                continue
            for child in self._children(node):
                key = frozenset(Counter(child.moves).items())
                if key in seen:
                    continue
                seen.add(key)
                found.append(child)
                if child.complete:
                    best = max(best, child.score)
                # Moves that look alike (one colour, many cards) are all candidates, but what may
                # follow them is looked for behind a few of them only.
                alike = (frozenset(child.wanted.items()), child.detours, child.implied)
                behind[alike] += 1
                silent = not child.complete and child.detours == node.detours
                if silent or behind[alike] <= MAX_ALIKE:
                    heappush(frontier, (-child.score, next(tie), child))
        return found

    def after(self, node: Node, move: Move, touched: Collection[str], cost: float) -> Node:
        """The position after ``move``, and after draws that follow automatically and unseen."""
        state = node.state.clone()
        self.game.apply(state, move)
        moves = (*node.moves, move)
        wanted, varied, sites = node.wanted, node.varied, touched
        if touched:
            wanted, varied = self.wanted(state)
            if varied or node.varied:
                sites = [s for s in self.best if wanted.get(s) != node.wanted.get(s)]
        while (dealt := self._next_dealt(state)) is not None:
            ahead = state.clone()
            self.game.apply(ahead, dealt)
            # Draws change the height of a pile, which nobody sees, or turn something up.
            if self.game.touches(state, dealt) and self.wanted(ahead)[0] != wanted:
                break
            state = ahead
            moves = (*moves, dealt)
        score = node.score - cost
        for site in sites:
            belief = self.beliefs.get(site)
            if belief is not None:
                score += belief.score(wanted.get(site, EMPTY))
                score -= belief.score(node.wanted.get(site, EMPTY))
        return replace(
            node, state=state, moves=moves, score=score, wanted=wanted, varied=varied,
            cost=node.cost + cost,
            complete=True,
        )  # fmt: skip

    def takebacks(self) -> list[Node]:
        """Earlier positions of the match that look like the picture."""
        found = []
        trial: Match | None = None
        for number in range(1, min(MAX_TAKEBACK, self.match.ply) + 1):
            trial = trial or self.match.clone()
            trial.pop()
            wanted, varied = self.wanted(trial.state)
            score = self._likelihood(wanted)
            cost = TAKEBACK + 0.2 * number
            node = Node(trial.state.clone(), (), score - cost, wanted, number, cost, varied=varied)
            if score > self.start.score + 1.0 and not self.changed(node):
                found.append(node)
                break
        return found

    def corrected(self) -> Node | None:
        """A little taken back and played differently, so that it explains everything."""
        trial = self.match.clone()
        for number in range(1, min(MAX_CORRECTED, self.match.ply) + 1):
            trial.pop()
            wanted, varied = self.wanted(trial.state)
            score = self._likelihood(wanted)
            root = Node(
                trial.state.clone(), (), score - TAKEBACK, wanted, number, TAKEBACK, varied=varied
            )
            nodes = [n for n in self.search(root) if n.complete and n.moves]
            nodes = [n for n in nodes if not self.changed(n)]
            if nodes:
                return max(nodes, key=lambda node: node.score)
        return None

    # -- private --------------------------------------------------------------------------

    def _children(self, node: Node) -> Iterator[Node]:
        changed = set(self.changed(node))
        moves = self.game.moves(node.state)
        implied = set(self.game.implied(node.state, moves)) if node.implied < 2 else set()
        for move in moves:
            touched = self.game.touches(node.state, move)
            child: Node | None = None
            if not changed.isdisjoint(touched):
                child = self.after(node, move, touched, STEP)
                gain = child.score - node.score + STEP
                if gain <= 0.5:
                    child.detours += 1
                    child.cost += DETOUR
                    child.score -= DETOUR
                    child.complete = False
                    if gain <= -1.0 or child.detours > MAX_DETOURS:
                        child = None
            elif move in implied and not touched:
                # One silent move of many is as many times less likely to be the one.
                child = self.after(node, move, touched, IMPLIED + log(len(implied)))
                child.implied += 1
                child.complete = False
            if child is not None:
                yield child
                yield from self._dealt(child)

    def _dealt(self, node: Node) -> Iterator[Node]:
        """What follows when the table is dealt to automatically, card after card that shows."""
        while (dealt := self._next_dealt(node.state)) is not None:
            after = self.after(node, dealt, self.game.touches(node.state, dealt), 0.0)
            # A move that left no trace is told by the card that follows it, if that is seen.
            told = after.wanted != node.wanted and after.score > node.score
            node = replace(after, complete=node.complete or told)
            yield node

    def _next_dealt(self, state: Any) -> Move | None:
        """The draw that follows automatically on a physical table; None if people must show it."""
        if not self.match.physical:
            return None
        return self.match.chance.answer(self.game, state, 0)

    def _likelihood(self, wanted: Mapping[str, Look]) -> float:
        return sum(b.score(wanted.get(site, EMPTY)) for site, b in self.beliefs.items())

    def _most(self) -> float:
        return sum(b.score(self.best[site]) for site, b in self.beliefs.items())
