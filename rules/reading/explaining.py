"""Positions that explain a sighting: those that legal moves lead to.

People play turns, not moves: before the hand leaves, several things are done in the order that
suits them, some leave no trace, and some are covered by what follows. So what is looked for is a
whole run of moves, from the record to a layout that the rules would want and the picture shows,
through turns that nobody closed and into the next player's. Every explanation is scored by the
sighting's own likelihoods plus a small cost per step: people make legal moves often and take
moves back rarely (see ``retelling``).

The search is best-first (Hart, Nilsson, Raphael 1968): the cost so far, and a fixed price for each
thing on the board that is still explained by nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf, log

from rules.core import Inference, Lies, Move, Run, Runs, Thought
from rules.reading.effects import Effects
from rules.reading.sighting import EMPTY
from rules.reading.weighing import CHANGED, MARGIN, Node, Position, Weighing

# Costs are natural-log odds against the ordinary. They only decide between explanations that
# the picture itself leaves open, so their order matters and their exact size does not.
STEP = 0.7
"""One more legal move."""
IMPLIED = 0.4
"""A move that left no trace, such as a forgotten ``done``."""
DETOUR = 2.0
"""A step whose trace a later one covered, such as a ball that rolled twice."""
UNEXPLAINED_THING = 3.0
"""Cost that the search expects of each thing that nothing explains yet."""
MAX_NODES = 250
MAX_RIVALS = 60
"""Number of positions that are looked at after one that explains everything."""
PLAIN = 3.5
"""Most that an explanation by ordinary steps may cost which nothing else is likelier than."""
FARTHEST = 7.0
"""Least likelihood, beside the best, of an explanation that is looked for at all."""
MAX_STEPS = 40
"""Moves in one explanation: more than the longest turn of any game."""
MAX_ALIKE = 2
"""Number that is followed of moves that look alike."""
MAX_DETOURS = 4
MAX_WIDE = 200
"""Number of steps carried out to find one of which nothing is left …"""
MAX_DETOURS_GONE = 2
"""… and the most detours together with that one."""
MAX_NODES_OPENING = 50
"""Positions that one step, or one point of the record, is gone on from …"""
MAX_NODES_RETOLD = 160
"""… and all of these together."""


class Explanations(Weighing):
    """Explanations of one sighting by legal moves since a match was last agreed on."""

    cut_off = inf
    """The least that is expected to speak against what a search gave up before it was tried."""
    wide = False
    """True if steps are tried as well that nothing of what lies there speaks for …"""
    wide_left = MAX_WIDE
    """… and how many more steps are carried out for that."""
    all_known = False
    """True if the game itself told every run of moves that comes into question."""
    unsure: AbstractSet[str] = frozenset()
    """Sites at which every move is tried, whatever seems to lie there."""
    seen_before: Collection[Move] = ()
    """Moves that were seen when they were made: they were made, though others may cover them."""

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self.match.state)

    @property
    def cut_short(self) -> bool:
        """True if a search gave up although there was more to try."""
        return self.cut_off < inf

    @property
    def all_matters(self) -> bool:
        """True if the game does not say what of a position matters: the way there may."""
        return type(self.game.inference).essence is Inference.essence

    @cached_property
    def reach(self) -> float:
        """Least likelihood, beside the best, of a rival: hands that were seen may have done what
        leaves less to see."""
        seen_s = 0.0 if self.since.hands_s == inf else self.since.hands_s
        return min(FARTHEST, MARGIN + seen_s)

    @cached_property
    def all_lies_still(self) -> bool:
        """True if nothing that the record has on the table is gone from its place."""
        best, wanted = self.best, self.start.wanted
        here = ((Counter(wanted.get(s, EMPTY)), Counter(best[s])) for s in self.start.changed)
        return all(should <= lies for should, lies in here)

    def search(
        self,
        root: Node,
        most: int = MAX_NODES,
        least: float = -inf,
        known: Collection[Position] = (),
    ) -> list[Node]:
        """Positions that legal moves from ``root`` lead to and the picture supports; about
        ``most`` of them at most. One that is much less likely than ``least`` is not looked for,
        and what follows from a ``known`` one has been."""
        told = self.runs(root)
        if told.found is not None:
            self.all_known = True
            self.cut_off = self.cut_off if told.all_tried else 0.0
            return [root, *self.told(root, told.found)]
        found = [root]
        frontier: list[tuple[float, int, Node]] = [(self._rank(root), 0, root)]
        tie = count(1)
        seen: dict[object, float] = {}
        behind: Counter[object] = Counter()
        ends: set[tuple[object, object]] = set()
        best, margin = max(root.score, least), MARGIN if root.takeback else self.reach
        price, paid = UNEXPLAINED_THING, inf
        while frontier:
            rank, _, node = first = heappop(frontier)
            # Nothing that follows from here can be better than the picture itself allows.
            if self.top - node.cost - STEP < best - margin or len(node.moves) >= MAX_STEPS:
                continue
            if price < UNEXPLAINED_THING and rank > self.top - best + margin:
                break  # Nothing that is left is expected to be a rival.
            if len(found) >= most and PLAIN < paid < inf and price == UNEXPLAINED_THING:
                # What was put off for all that it leaves over may be explained as cheaply.
                price, most = paid / max(root.things, 1), len(found) + MAX_RIVALS
                frontier = [(self._rank(n, price), t, n) for _, t, n in (first, *frontier)]
                heapify(frontier)
                continue
            if len(found) >= most:
                self.cut_off = min(self.cut_off, rank)
                break
            for child, followed in self._children(node):
                # In another order the same moves may leave another card on top.
                looks_so = frozenset(child.wanted.items())
                key = tuple(sorted([m.text for m in child.moves])), looks_so, child.complete
                if seen.get(key, -inf) >= child.score:
                    continue
                seen[key] = child.score
                found.append(child)
                if child.complete:
                    best = max(best, child.score - self.unheeded(child))
                    if not child.things:
                        # Everything is explained; its rivals, if there are any, are near.
                        most = min(most, len(found) + MAX_RIVALS)
                        paid = min(paid, child.cost)
                # Moves that look alike (one colour, many cards) are all candidates, but what may
                # follow them is looked for behind a few of them only.
                alike = (looks_so, child.detours, child.implied, round(child.score))
                if (alike, end := self._end(child)) in ends:
                    continue  # Another way to the same is no further explanation.
                ends.add((alike, end))
                behind[alike] += 1
                child.alike = (*child.alike, (alike, len(node.moves)))
                if followed or child.at in known:
                    continue
                if child.complete and not (child.things or self.doubtful or self.hidden):
                    continue  # Nothing is left that what follows could explain.
                silent = not child.complete and child.detours == node.detours
                if self.wide and child.astray:
                    # One after the other is followed to its end.
                    least_rank = min(rank, self._rank(child, price))
                    heappush(frontier, (least_rank, -next(tie), child))
                elif silent or behind[alike] <= MAX_ALIKE:
                    heappush(frontier, (self._rank(child, price), next(tie), child))
            if node is root:
                most += len(found)  # However many first steps there are, the likeliest goes on.
        for node in found:
            many = (before for alike, before in node.alike[:-1] if behind[alike] > MAX_ALIKE)
            node.one_of_many = next(many, None)
        return found

    def _end(self, node: Node) -> object:
        """Key that tells ``node`` from others that look alike: what matters to the players, if the
        game says that, and which of the things that lay there it explains."""
        lay, inference = self.since.lay, self.game.inference
        if self.all_matters:
            return node.moves
        return repr(inference.essence(node.state)), frozenset(
            lay - self.passed(node) if lay else ()
        )

    def search_wide(self, least: float) -> list[Node]:
        """Positions behind a step of which nothing is left to see, such as of a piece that went
        there and back while somebody else moved: any piece may have done so; see ``search``."""
        if self.all_known:
            return []
        self.wide = True
        found = self.search(self.start, 2 * MAX_WIDE, least)
        self.wide = False
        whole = [node for node in found if node.astray and not node.changed]
        if whole:
            self.cut_off = 0.0  # Of many such pieces a few were tried.
        return whole

    def runs(self, root: Node) -> Runs:
        """The runs of moves from ``root`` that a game finds by itself."""
        inference = self.game.inference
        return inference.runs(root.state, self.beliefs, at_once=self.since.at_once)

    def after(self, node: Node, move: Move, cost: float) -> Node:
        """The position after ``move``, and after draws that follow automatically and unseen."""
        child = self._follow(node, node.at.after(move), (move,), cost)
        while (dealt := self._next_dealt(child)) is not None:
            # Draws change the height of a pile, which nobody sees, or turn something up.
            ahead = child.at.after(dealt)
            if not child.at.touches(dealt):
                child = replace(child, at=ahead, moves=(*child.moves, dealt))
                continue
            further = self._follow(child, ahead, (dealt,), 0.0)
            if further.wanted != child.wanted:
                break
            child = further
        return child

    def played(self, node: Node, moves: Sequence[Move], against: float = 0.0) -> Node | None:
        """``node`` with ``moves`` in place of its own, and draws that follow by themselves; None if
        they are not legal, or do not explain everything."""
        at, done = self.before(node.takeback), list[Move]()
        for move in moves:
            while at.state.violations(move):
                dealt = self._dealt_after(node, at, done)
                if dealt is None:
                    return None
                at = at.after(dealt)
                done.append(dealt)
            at = at.after(move)
            done.append(move)
        cost = node.cost + against
        changed = self.weighed(replace(node, at=at, moves=tuple(done), cost=cost))
        return None if changed.changed else changed

    def told(self, root: Node, runs: Iterable[Run]) -> Iterator[Node]:
        """The positions that those of ``runs`` lead to that are legal; draws that follow by
        themselves and show may still be due."""
        for run in runs:
            at, moves = root.at, list(root.moves)
            sure: tuple[Move, ...] = ()
            ends: list[tuple[Position, int]] = []
            for number, move in enumerate(run.moves):
                if at.state.violations(move):
                    break
                at = at.after(move)
                moves.append(move)
                ends = [(at, len(moves))]
                while (dealt := self._dealt_after(root, at, moves)) is not None:
                    shows = self.compared(at).looks
                    at = at.after(dealt)
                    moves.append(dealt)
                    last = len(ends) - (shows == self.compared(at).looks)
                    ends[last:] = [(at, len(moves))]
                if number + 1 == run.sure:
                    sure = tuple(moves)
            else:
                nodes = (
                    self.weighed(
                        replace(
                            root, at=end, moves=tuple(moves[:length]), cost=root.cost + run.cost,
                            complete=run.complete, sure=sure, guessed=run.guessed,
                            unseen=run.unseen,
                        )
                    )
                    for end, length in reversed(ends)
                )  # fmt: skip
                yield min(nodes, key=lambda node: len(node.changed))

    # -- private --------------------------------------------------------------------------

    def _rank(self, node: Node, price: float = UNEXPLAINED_THING) -> float:
        return node.cost + price * node.things

    def _children(self, node: Node) -> Iterator[tuple[Node, bool]]:
        """The positions one step further, each with True if what follows it by itself is among
        them."""
        changed = self.doubtful.union(node.changed, node.begun, self.hidden)
        changed |= self.dice.sites if node.untold else frozenset()
        thought_of = self.thought_of(node)
        touches = {move: node.at.touches(move) for move in thought_of}
        if self.dice.sites:
            touches = self.dice.touched(node.state, node.moves, touches)
        steps = [*zip(thought_of.values(), touches.values(), strict=True)]
        quiet = sum(one.covered and not touched for one, touched in steps)
        shown = sum(bool(touched) for _, touched in steps)
        alike: Counter[object] = Counter()
        strayed: set[object] = set()
        for one, touched in steps:
            move, against, guessed, vouched, _ = one
            idle = bool(touched) and not vouched and changed.isdisjoint(touched)
            gone = False
            if idle and (not self.wide or node.astray):
                continue
            if self.wide and not self._is_worth_it(node, move, alike, idle=idle):
                continue
            if touched:
                child = None
                kind = None if idle else (vouched, self._kind_of(node, move, touched))
                if kind and (kind not in strayed or move in self.seen_before):
                    child = self._shown(node, move, STEP + against, vouched=vouched)
                    if child is None:
                        strayed.add(kind)
                if child is None and self.wide and not node.astray:
                    gone, cost = True, STEP + against + log(shown)
                    child = self._shown(node, move, cost, vouched=True)
            elif vouched and (node.things or self.doubtful or not node.moves):
                # One silent move of many is as many times less likely to be the one.
                child = self.after(node, move, IMPLIED + log(quiet) + against)
                child.implied, child.complete = child.implied + 1, False
            else:
                continue
            if child is not None:
                child.astray = child.astray or gone
                child.hidden = node.hidden or self._out_of_sight(touched, node, child)
                child.guessed = node.guessed or guessed
                if child.guessed and not node.guessed:
                    child.before_guess = node.moves
                run = [child, *self._dealt(child)]
                for unfinished in run[:-1]:
                    unfinished.complete = False  # the cards that follow are drawn at once
                yield from ((each, each is not run[-1]) for each in run)

    def _kind_of(self, node: Node, move: Move, touched: Collection[str]) -> object:
        """Key of moves behind ``node`` that are as far from the picture: they differ only in which
        places they change where all certainly lies as it should."""
        looks, certain = node.at.looks, self.certain
        even = [s for s in touched if s in certain and looks.get(s, EMPTY) == self.best[s]]
        lies = sorted(looks.get(site, EMPTY) for site in even)
        named = (word for word in move.args if word not in even)
        return move.player, move.verb, *named, *lies, frozenset(touched).difference(even)

    def _out_of_sight(self, touched: Collection[str], node: Node, child: Node) -> bool:
        """True if what ``child`` has otherwise than ``node`` lies where something hides it."""
        if self.hidden.isdisjoint(touched):
            return False
        sites = (site for site in touched if node.wanted.get(site) != child.wanted.get(site))
        return not any(site in self.beliefs and site not in self.hidden for site in sites)

    def thought_of(self, node: Node) -> dict[Move, Thought]:
        """The moves that may come next, for everything that the picture leaves open."""
        inference, state = self.game.inference, node.state
        found: dict[Move, Thought] = {}
        if thrown := self.dice.shown(state, node.moves):
            return {move: Thought(move, against) for move, against in thrown.items()}
        moves = inference.fitting(state, node.at.legal, self.open_looks)
        for board in self.boards:
            for one in inference.plausible(state, moves, board, node.moves):
                known = found.setdefault(one.move, one)
                if one.against < known.against or one.covered > known.covered:
                    found[one.move] = known._replace(
                        against=min(one.against, known.against),
                        covered=one.covered or known.covered,
                    )
        for move, one in found.items():
            if one.seconds is not None:
                node.at.takes(move, one.seconds)
        if self.unsure:
            for move in node.at.legal:
                if move not in found and not self.unsure.isdisjoint(node.at.touches(move)):
                    found[move] = Thought(move)
        before = (m for m in self.seen_before if m not in node.moves and m in node.at.legal)
        for move in (*before, *self.dice.begun_by(state, node.moves)):
            found[move] = Thought(move, covered=True)
        return found

    def _shown(self, node: Node, move: Move, cost: float, *, vouched: bool) -> Node | None:
        """After a move that shows; None if the picture is farther away then without a reason.

        ``vouched``: the game says that its trace may be covered.
        """
        child = self.after(node, move, cost)
        if self.wide:
            self._effects.learn(move, node.at.looks, child.at.looks, 0.0)
        if vouched and (child.wanted == node.wanted or self._only_waits(node, child)):
            child.implied, child.complete = child.implied + 1, False
            return child
        gain = child.score + child.cost - node.score - node.cost
        if child.things < node.things and gain >= -0.5:
            return child
        # What may lie differently for the moment only waits for the step that explains it.
        if child.apart < node.apart and child.against <= node.against + 0.5:
            return child
        if self._builds_up(node, child):
            return child
        if move in self.seen_before:
            child.complete = False
            return child
        spent = child.detours >= (MAX_DETOURS_GONE if self.wide else MAX_DETOURS)
        no_worse = child.against <= node.against + CHANGED and not (self.wide and spent)
        if child.apart == node.apart and no_worse and child.wanted != node.wanted:
            # What it leaves is in doubt: perhaps it is there.
            child.detours += self.wide
            return child
        farther = min(child.apart - node.apart, child.things - node.things)
        strays = farther > (0 if self.wide and node.astray else 1) and not vouched
        if strays or spent:
            return None
        child.detours += 1
        child.astray = child.astray or not vouched
        child.unseen += vouched
        child.cost += DETOUR
        child.score -= DETOUR
        child.complete = False
        return child

    def _only_waits(self, node: Node, child: Node) -> bool:
        """True if ``child`` explains nothing by what it leaves, but waits for people."""
        new = (how for site, how in child.lies.items() if node.lies.get(site) is not how)
        waits = Lies.UNTOLD in new
        return waits and self.compared(child.at).looks == self.compared(node.at).looks

    def _is_worth_it(self, node: Node, move: Move, alike: Counter[object], *, idle: bool) -> bool:
        """True if ``move`` is to be carried out for the sake of a step of which nothing is left."""
        # Where a piece was meanwhile is all the same for what others did, and which one was put
        # down from a supply; but where one was taken away another may have come.
        touched, piece = node.at.touches(move), move.args
        if len(touched) > 1:
            piece = move.args[:-1]
        elif not any(node.at.looks.get(site) for site in touched):
            piece = ()
        kind = (move.player, move.verb, piece) if idle else move
        alike[kind] += 1
        if alike[kind] > MAX_ALIKE:
            self.cut_off = min(self.cut_off, self._rank(node))
            return False
        if node.astray and self._effects.leads_away(move, node.at.looks, self.best):
            return False
        self.wide_left -= 1
        return self.wide_left > 0

    def _builds_up(self, node: Node, child: Node) -> bool:
        """True if all that ``child`` has otherwise than ``node`` is more of what may lie there,
        such as the first coin of a fan."""
        changed = [
            site
            for site, look in child.wanted.items()
            if site in self.open_looks and node.wanted.get(site, EMPTY) != look
        ]
        return bool(changed) and all(
            any(
                not Counter(child.wanted[site]) - Counter(look)
                and not Counter(node.wanted.get(site, EMPTY)) - Counter(child.wanted[site])
                for look in self.open_looks[site]
            )
            for site in changed
        )

    def _dealt(self, node: Node) -> Iterator[Node]:
        """Positions behind automatic deals to the table, card after card that shows."""
        while (dealt := self._next_dealt(node)) is not None:
            after = self.after(node, dealt, 0.0)
            # A move that left no trace is told by the card that follows it, if that is seen.
            told = after.wanted != node.wanted and after.score > node.score
            node = replace(after, complete=node.complete or told)
            yield node

    def _next_dealt(self, node: Node) -> Move | None:
        """The draw that follows automatically on a physical table; None if people must show it."""
        return self._dealt_after(node, node.at, node.moves)

    def _dealt_after(self, root: Node, at: Position, moves: Sequence[Move]) -> Move | None:
        if not self.match.physical:
            return None
        # A dealer's draw depends on the number of the move, as it does in the record.
        ply = self.match.ply - root.takeback + len(moves)
        if ply not in at.dealt:
            at.dealt[ply] = self.match.chance.answer(at.state, ply)
        return at.dealt[ply]

    def _follow(self, node: Node, at: Position, moves: tuple[Move, ...], cost: float) -> Node:
        return self.weighed(
            replace(node, at=at, moves=node.moves + moves, cost=node.cost + cost, complete=True)
        )
