"""Reading: which legal moves explain what the camera saw.

Every explanation of a sighting is a layout the rules would want after some moves. It is scored
by the sighting's own likelihoods plus a small cost per step (people make legal moves often, take
moves back seldom, and break rules rarely), and the best one counts if it leads by a clear margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import heappop, heappush
from itertools import count
from math import log
from typing import Any

from rules.box import load_box
from rules.core import Actor, Move, Objection
from rules.match import Match
from rules.sighting import EMPTY, Glimpse, Look, Sighting, looks

__all__ = ["Candidate", "Fix", "Reading", "Status", "read"]

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
ILLEGAL = 4.5
"""Somebody does what the rules forbid."""
OUT_OF_TURN = 0.8
"""… and it is not even his turn."""
DISTURBED = 6.0
"""A piece was shifted, lost or added without any move."""

CHANGED = 1.5
"""A site counts as changed if the picture speaks against the record by more than this."""
MARGIN = 2.5
"""The best explanation must lead by this much."""
UNEXPLAINED = 9.0
"""More doubt than this left over makes an explanation worthless."""
MAX_NODES = 400
MAX_ALIKE = 2
MAX_BREACHED = 4
"""Forbidden acts are looked for behind so many legal explanations."""
MAX_DETOURS = 2
MAX_TAKEBACK = 8


class Status(StrEnum):
    """What a sighting means for a match."""

    SETTLED = "settled"
    PENDING = "pending"
    MOVE = "move"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One explanation: take back ``takeback`` moves, then play ``moves``."""

    moves: tuple[Move, ...]
    takeback: int = 0
    score: float = 0.0
    """Log posterior, relative to the best."""


@dataclass(frozen=True, slots=True)
class Fix:
    """What hands should do at one site."""

    site: str
    seen: Look
    wanted: Look


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sighting means for a match."""

    status: Status
    moves: tuple[Move, ...] = ()
    """MOVE: the moves to commit."""
    candidates: tuple[Candidate, ...] = ()
    """Explanations in order of likelihood; for AMBIGUOUS those to ask about."""
    objections: tuple[Objection, ...] = ()
    """ILLEGAL: why."""
    refused: Move | None = None
    """ILLEGAL: the pseudo-move that explains the sighting, if one does."""
    anyway: tuple[Move, ...] = ()
    """ILLEGAL: moves that lead to what was seen, if it is played against the rules."""
    fixes: tuple[Fix, ...] = ()
    """PENDING, ILLEGAL, UNCLEAR: the way to what the record says."""
    doubt: str = ""
    """UNCLEAR: ``hand``, ``occluded``, ``board_lost`` or ``unexplained``."""


def read(match: Match, sighting: Sighting, awaiting: Collection[str] = ()) -> Reading:
    """Explain a sighting of the table.

    ``awaiting``: sites where the record is ahead of the hands (moves entered by touch); they may
    still look as before. The match is not changed.
    """
    if sighting.hand:
        return Reading(Status.UNCLEAR, doubt="hand")
    if not sighting.sites:
        return Reading(Status.UNCLEAR, doubt="board_lost")
    return _Reader(match, sighting, awaiting).reading()


@dataclass(slots=True)
class _Node:
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
    """Whether other layouts would be as right."""
    complete: bool = True
    """False while the last step still has to be followed by one that shows."""


@dataclass(slots=True)
class _Breach:
    """A position explained by something that is not allowed."""

    node: _Node
    score: float
    objections: tuple[Objection, ...]
    refused: Move | None
    anyway: tuple[Move, ...]


class _Reader:
    """One reading in the making."""

    def __init__(self, match: Match, sighting: Sighting, awaiting: Collection[str]) -> None:
        self.match = match
        self.game = match.game
        self.sighting = sighting
        self.beliefs = sighting.sites
        self.best = {site: belief.best for site, belief in self.beliefs.items()}
        self.top = sum(b.score(self.best[site]) for site, b in self.beliefs.items())
        wanted, varied = self._wanted(match.state)
        start = _Node(match.state, (), 0.0, wanted, varied=varied)
        start.score = self._likelihood(start.wanted)
        self.start = start
        self.late = [site for site in self._changed(start) if site in awaiting]
        if self.late:
            self._ignore(self.late)

    def _wanted(self, state: Any) -> tuple[dict[str, Look], bool]:
        """What must lie where, and whether something else would be as right.

        Of several layouts that are right it is the one the picture speaks for.
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

    def _likelihood(self, wanted: Mapping[str, Look]) -> float:
        return sum(b.score(wanted.get(site, EMPTY)) for site, b in self.beliefs.items())

    def _ignore(self, sites: Collection[str]) -> None:
        start = self.start
        self.beliefs = {s: b for s, b in self.beliefs.items() if s not in sites}
        self.top = sum(b.score(self.best[site]) for site, b in self.beliefs.items())
        start.score = self._likelihood(start.wanted)

    # -- the decision ---------------------------------------------------------------------

    def reading(self) -> Reading:
        changed = self._changed(self.start)
        if not changed:
            return self._unchanged()
        if self.match.outcome is not None and not self._takebacks(changed):
            return self._unexplained("match_over")
        reached = self._search(self.start)
        # A silent step or a detour explains nothing unless something follows it; what follows
        # may be forbidden, though.
        nodes = [n for n in reached if n.complete] + self._takebacks(changed)
        nodes.sort(key=lambda node: -node.score)
        best = nodes[0]
        # Nobody is accused where legal moves explain everything.
        breach = self._breach(reached) if self._changed(best) else None
        if breach is not None and breach.score > best.score:
            if breach.score - best.score < MARGIN:
                return self._unexplained()
            return Reading(
                Status.ILLEGAL,
                objections=breach.objections,
                refused=breach.refused,
                anyway=breach.anyway,
                fixes=self._fixes(breach.node),
                candidates=self._corrections(changed),
            )
        # Thirty bars of a set-up are thirty steps, which is much but no doubt.
        if self.top - best.score - best.cost > UNEXPLAINED:
            return self._unexplained()
        rivals = [n for n in nodes[1:] if best.score - n.score < MARGIN and n is not best]
        candidates = tuple(
            Candidate(n.moves, n.takeback, n.score - best.score) for n in (best, *rivals)
        )
        if best is self.start or any(n is self.start for n in rivals):
            return self._unexplained(candidates=candidates)
        if best.takeback or rivals:
            # A question does no harm, so it is asked even where a breach is nearly as likely.
            return Reading(Status.AMBIGUOUS, candidates=candidates)
        if breach is not None and best.score - breach.score < MARGIN:
            return self._unexplained(candidates=candidates)
        return Reading(Status.MOVE, moves=best.moves, candidates=candidates)

    def _unexplained(
        self, doubt: str = "unexplained", candidates: tuple[Candidate, ...] = ()
    ) -> Reading:
        return Reading(
            Status.UNCLEAR, doubt=doubt, candidates=candidates, fixes=self._fixes(self.start)
        )

    def _unchanged(self) -> Reading:
        if self.late:
            fixes = tuple(
                Fix(s, self.sighting.sites[s].best, self.start.wanted.get(s, EMPTY))
                for s in self.late
            )
            return Reading(Status.PENDING, fixes=fixes)
        width, height = load_box(self.game.box).size
        # Beside the board lie the supplies; they are nobody's concern.
        if any(
            abs(stray.at_mm[0]) < width / 2 and abs(stray.at_mm[1]) < height / 2
            for stray in self.sighting.strays
        ):
            return Reading(Status.UNCLEAR, doubt="stray")
        prompt = self.match.prompt
        if prompt is not None and prompt.actor is not Actor.PLAYER:
            return Reading(Status.PENDING)
        return Reading(Status.SETTLED)

    # -- legal explanations ---------------------------------------------------------------

    def _changed(self, node: _Node) -> list[str]:
        return [
            site
            for site, belief in self.beliefs.items()
            if belief.score(self.best[site]) - belief.score(node.wanted.get(site, EMPTY)) > CHANGED
        ]

    def _search(self, root: _Node) -> list[_Node]:
        """Positions that legal moves from ``root`` lead to and the picture speaks for."""
        found = [root]
        frontier: list[tuple[float, int, _Node]] = [(-root.score, 0, root)]
        tie = count(1)
        seen: set[object] = set()
        behind: Counter[object] = Counter()
        limit = len(self._changed(root)) + 2 + MAX_DETOURS
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

    def _children(self, node: _Node) -> Iterator[_Node]:
        changed = set(self._changed(node))
        moves = self.game.moves(node.state)
        implied = set(self.game.implied(node.state, moves)) if node.implied < 2 else set()
        for move in moves:
            touched = self.game.touches(node.state, move)
            child: _Node | None = None
            if not changed.isdisjoint(touched):
                child = self._after(node, move, touched, STEP)
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
                child = self._after(node, move, touched, IMPLIED + log(len(implied)))
                child.implied += 1
                child.complete = False
            if child is not None:
                yield child
                yield from self._dealt(child)

    def _after(self, node: _Node, move: Move, touched: Collection[str], cost: float) -> _Node:
        """The position after ``move``, and after draws that follow by themselves unseen."""
        state = node.state.clone()
        self.game.apply(state, move)
        moves = (*node.moves, move)
        wanted, varied, sites = node.wanted, node.varied, touched
        if touched:
            wanted, varied = self._wanted(state)
            if varied or node.varied:
                sites = [s for s in self.best if wanted.get(s) != node.wanted.get(s)]
        while (dealt := self._next_dealt(state)) is not None:
            ahead = state.clone()
            self.game.apply(ahead, dealt)
            # Draws change the height of a pile, which nobody sees, or turn something up.
            if self.game.touches(state, dealt) and self._wanted(ahead)[0] != wanted:
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

    def _dealt(self, node: _Node) -> Iterator[_Node]:
        """What follows when the table is dealt to by itself, card after card that shows."""
        while (dealt := self._next_dealt(node.state)) is not None:
            after = self._after(node, dealt, self.game.touches(node.state, dealt), 0.0)
            # A move that left no trace is told by the card that follows it, if that is seen.
            told = after.wanted != node.wanted and after.score > node.score
            node = replace(after, complete=node.complete or told)
            yield node

    def _next_dealt(self, state: Any) -> Move | None:
        """The draw that follows by itself on a physical table; None if people must show it."""
        if not self.match.physical:
            return None
        return self.match.chance.answer(self.game, state, 0)

    # -- taking back ----------------------------------------------------------------------

    def _takebacks(self, changed: Collection[str]) -> list[_Node]:
        """Earlier positions of the match that look like the picture."""
        found = []
        trial: Match | None = None
        for number in range(1, min(MAX_TAKEBACK, self.match.ply) + 1):
            trial = trial or self.match.clone()
            trial.pop()
            wanted, varied = self._wanted(trial.state)
            score = self._likelihood(wanted)
            cost = TAKEBACK + 0.2 * number
            node = _Node(trial.state.clone(), (), score - cost, wanted, number, cost, varied=varied)
            if score > self.start.score + 1.0 and not self._changed(node):
                found.append(node)
                break
        return found

    def _corrections(self, changed: Collection[str]) -> tuple[Candidate, ...]:
        """Take back a little and play otherwise: offered beside a refusal, never chosen."""
        trial = self.match.clone()
        for number in range(1, min(3, self.match.ply) + 1):
            trial.pop()
            wanted, varied = self._wanted(trial.state)
            score = self._likelihood(wanted)
            root = _Node(
                trial.state.clone(), (), score - TAKEBACK, wanted, number, TAKEBACK, varied=varied
            )
            nodes = [n for n in self._search(root) if n.complete and n.moves]
            nodes = [n for n in nodes if not self._changed(n)]
            if nodes:
                best = max(nodes, key=lambda node: node.score)
                return (Candidate(best.moves, number),)
        return ()

    # -- what is not allowed --------------------------------------------------------------

    def _breach(self, nodes: list[_Node]) -> _Breach | None:
        """The likeliest explanation of all that is left by forbidden acts."""
        best: _Breach | None = None
        for node in sorted(nodes, key=lambda node: -node.score)[:MAX_BREACHED]:
            for breach in self._breaches_from(node):
                if best is None or breach.score > best.score:
                    best = breach
        return best

    def _breaches_from(self, node: _Node) -> Iterator[_Breach]:
        left = self._changed(node)
        if not left:
            return
        yield self._disturbance(node, left, (), None, node)
        base = node
        objections: tuple[Objection, ...] = ()
        refused: Move | None = None
        for _ in range(3):
            step = self._forbidden_step(base, left)
            if step is None:
                return
            base, move, why = step
            objections, refused = (*objections, *why), refused or move
            left = self._changed(base)
            yield self._disturbance(base, left, objections, refused, node)
            if not left:
                return

    def _forbidden_step(
        self, node: _Node, left: Collection[str]
    ) -> tuple[_Node, Move, tuple[Objection, ...]] | None:
        best: tuple[_Node, Move, tuple[Objection, ...]] | None = None
        asked = self.game.prompt(node.state)
        open_sites = set(left)
        for move in self.game.pseudo_moves(node.state):
            touched = self.game.touches(node.state, move)
            if open_sites.isdisjoint(touched):
                continue
            why = self.game.check(node.state, move)
            if not why:
                continue
            cost = ILLEGAL
            if asked is not None and move.player != asked.player:
                cost += OUT_OF_TURN
            child = self._after(node, move, touched, cost)
            if child.score - node.score + cost < 2.0:
                continue
            if best is None or child.score > best[0].score:
                best = (child, move, tuple(why))
        return best

    def _disturbance(
        self,
        base: _Node,
        left: Collection[str],
        objections: tuple[Objection, ...],
        refused: Move | None,
        legal: _Node,
    ) -> _Breach:
        """Explain ``left`` by pieces shifted, missing, added or swapped."""
        rule = self.game.handling_rule
        gone = {s: Counter(base.wanted.get(s, EMPTY)) - Counter(self.best[s]) for s in left}
        come = {s: Counter(self.best[s]) - Counter(base.wanted.get(s, EMPTY)) for s in left}
        score = base.score + sum(
            self.beliefs[s].score(self.best[s]) - self.beliefs[s].score(base.wanted.get(s, EMPTY))
            for s in left
        )
        found: list[Objection] = []
        for site in left:
            for glimpse in list(gone[site]):
                target = next((s for s in left if s != site and come[s][glimpse]), None)
                if target is not None:
                    gone[site][glimpse] -= 1
                    come[target][glimpse] -= 1
                    found.append(
                        Objection(
                            rule,
                            "piece_moved",
                            (("kind", glimpse.kind), ("from", site), ("to", target)),
                        )
                    )
        for site in left:
            lost, extra = +gone[site], +come[site]
            if lost and extra:
                found.append(
                    Objection.of(
                        rule, "piece_swapped", site=site,
                        kind=_kinds(extra), expected=_kinds(lost),
                    )
                )  # fmt: skip
            elif lost:
                found.append(Objection.of(rule, "piece_removed", site=site, kind=_kinds(lost)))
            elif extra:
                found.append(Objection.of(rule, "piece_added", site=site, kind=_kinds(extra)))
        score -= DISTURBED * len(found)
        # Only moves can be played against the rules; a shifted piece has no move.
        anyway = base.moves if refused is not None and not found else ()
        return _Breach(legal, score, (*objections, *found), refused, anyway)

    def _fixes(self, node: _Node) -> tuple[Fix, ...]:
        return tuple(
            Fix(site, self.best[site], node.wanted.get(site, EMPTY)) for site in self._changed(node)
        )


def _kinds(glimpses: Counter[Glimpse]) -> str:
    return next(iter(sorted(glimpse.kind for glimpse in glimpses)))
