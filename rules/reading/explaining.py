"""Positions that explain a sighting: what legal moves lead to, or moves taken back.

People play turns, not moves: before the hand leaves, several things are done in the order that
suits them, some leave no trace, and some are covered by what follows. So what is looked for is a
whole run of moves, from the record to a layout that the rules would want and the picture shows,
through turns that nobody closed and into the next player's. Every explanation is scored by the
sighting's own likelihoods plus a small cost per step: people make legal moves often and take
moves back rarely.

The search is best-first (Hart, Nilsson, Raphael 1968): the cost so far, and a fixed price for each
thing on the board that is still explained by nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count, islice
from math import inf, log
from typing import Any

from rules.core import Actor, Board, Lies, Move, Run, Runs, Thought
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, Left, Look, Sighting, SiteBelief, looks
from rules.reading.since import LONG_AGO, Opening, Since

# Costs are natural-log odds against the ordinary. They only decide between explanations that
# the picture itself leaves open, so their order matters and their exact size does not.
STEP = 0.7
"""One more legal move."""
IMPLIED = 0.4
"""A move that left no trace, such as a forgotten ``done``."""
DETOUR = 2.0
"""A step whose trace a later one covered, such as a ball that rolled twice."""
MORE_TAKEN_BACK = 0.2
"""… and one move more. What speaks against it at all, the game says (``Inference.taken_back``)."""
TOLERATED = 0.2
"""Something lies where it may lie just now, but where it is not going to stay."""
UNFINISHED = 6.0
"""A move was begun and is not finished."""
COVERED = 2.0
"""What was put down lies below the beginning of another move already."""
CONCLUDED = 2.0
"""What was only concluded, from the absence of something, was concluded wrongly."""

CHANGED = 1.5
"""A site counts as changed if the picture speaks against the record by more than this."""
MARGIN = 2.5
"""The best explanation must lead by this much."""
UNEXPLAINED_THING = 3.0
"""What the search expects each thing to cost that nothing explains yet."""
MAX_NODES = 250
MAX_RIVALS = 60
"""How many positions are looked at after one that explains everything."""
MAX_STEPS = 40
"""Moves in one explanation: more than the longest turn of any game."""
MAX_ALIKE = 2
"""How many moves that look alike are followed."""
MAX_DETOURS = 4
MAX_OTHER_BOARDS = 4
"""Number of doubtful sites for which the moves that fit are worked out anew."""
MAX_TAKEBACK = 12
"""How many moves back, draws included."""
MAX_NODES_WIDE = 150
MAX_NODES_OPENING = 80
MAX_NODES_RETOLD = 240
MOST_RETOLD = 10.0
"""Most that a record told anew may cost where nothing else explains everything."""


@dataclass(slots=True)
class Node:
    """A position some explanation leads to."""

    state: Any
    moves: tuple[Move, ...]
    wanted: dict[str, Look]
    """What the rules want to lie where."""
    losses: dict[str, float]
    """Sites that the picture speaks against, and by how much (natural log)."""
    score: float = 0.0
    """Log posterior: what the picture says, less what the steps cost."""
    tolerated: int = 0
    """How many sites hold what may lie there for the moment only."""
    begun: tuple[str, ...] = ()
    """Sites that show the beginning of a move that is not finished."""
    covered: int = 0
    """How many of them hide something that its own moves put there."""
    takeback: int = 0
    cost: float = 0.0
    """What its steps cost so far, whatever the picture says."""
    detours: int = 0
    astray: bool = False
    """True if nothing of what lies there speaks for one of its steps."""
    unseen: int = 0
    """How many of its moves left no trace by which they were told: only the game says that they
    may have been made."""
    implied: int = 0
    things: int = 0
    """How many things lie on the table that should not, or lack where they should lie."""
    apart: int = 0
    """The same, with what may lie differently for the moment."""
    against: float = 0.0
    """How much the picture speaks against it (natural log), with what may lie differently."""
    guessed: bool = False
    """Whether one of its moves only stands for many that may have happened as well."""
    before_guess: tuple[Move, ...] = ()
    """Its moves before the first such one."""
    alike: tuple[tuple[object, int], ...] = ()
    """How the positions on the way to it look and what they cost, each with the number of moves
    that lead to the one before."""
    one_of_many: int | None = None
    """The number of its moves after which others that look alike were not followed any further;
    None if all of them were."""
    complete: bool = True
    """False while the last step must still be followed by one that shows."""
    left: Left = field(default_factory=dict)
    """What lies otherwise than wanted, and may for now."""
    lies: Mapping[str, Lies] = field(default_factory=dict)
    """How long, as far as the game says so."""
    changed: list[str] = field(default_factory=list)
    """Sites that the picture clearly speaks against."""
    sure: tuple[Move, ...] = ()
    """The first of its moves that show by themselves, whatever followed them."""
    opening: Opening | None = None
    """The point from which the record is told anew; None if it goes on from its end."""
    hidden: bool = False
    """True if one of its moves left its trace where something hides it."""
    silent_turns: int = 0
    """Number of its turns, after the first, of which nothing shows."""
    given_away: bool = False
    """True if somebody's whole turn in it is nothing but passed."""
    hurried: bool = False
    """True if turns of which nothing shows would have followed each other in a hurry."""


class Explanations:
    """What may have happened since a match was last agreed on, by one sighting."""

    def __init__(
        self, match: Match, sighting: Sighting, left: Left, since: Since = LONG_AGO
    ) -> None:
        self.match, self.game, self.since = match, match.game, since
        self.sighting, self.left = sighting, left
        self.beliefs = _that_count(sighting.sites, match)
        """Beliefs about the sites that count."""
        self.best = {site: belief.best for site, belief in self.beliefs.items()}
        self.open_looks = {s: b.plausible for s, b in self.beliefs.items() if not b.occluded}
        """What the picture leaves open, by site."""
        self.top = self._most()
        """Log likelihood of the sighting's own best looks."""
        self.doubtful = frozenset(s for s, b in self.beliefs.items() if _in_doubt(b))
        """Sites that may as well look differently: their stickers are badly seen."""
        self.hidden = frozenset(s for s, b in self.beliefs.items() if b.occluded)
        """Sites that something hides."""
        self.boards = [self.best, *self._other_boards()]
        """What may lie on the table, the likeliest first."""
        self.cut_off = inf
        """The least that is expected to speak against what a search gave up before it was tried."""
        self.wide = False
        """True if steps are tried as well that nothing of what lies there speaks for."""
        self.all_known = False
        """Whether the game itself told every run of moves that comes into question."""
        self.usual = looks(match.layout)
        """The look that the record wants at each site."""
        self.start = self._weighed(Node(match.state, (), {}, {}))
        """Nothing has happened."""

    @property
    def cut_short(self) -> bool:
        """Whether a search gave up although there was more to try."""
        return self.cut_off < inf

    def ignore(self, sites: Collection[str]) -> None:
        """Nothing is concluded from these sites."""
        self.beliefs = {s: b for s, b in self.beliefs.items() if s not in sites}
        self.top = self._most()
        self.start = self._weighed(self.start)

    def instead(self, state: Any) -> Node:
        """``state`` in place of the record's."""
        return self._weighed(Node(state, (), {}, {}))

    def search(self, root: Node, most: int = MAX_NODES, least: float = -inf) -> list[Node]:
        """Positions that legal moves from ``root`` lead to and the picture supports; about
        ``most`` of them at most. One that is much less likely than ``least`` is not looked for."""
        told = self._told_by_the_game(root)
        if told is not None:
            self.all_known = True
            self.cut_off = self.cut_off if told.all_tried else 0.0
            return [root, *self._told(root, told.found)]
        found = [root]
        frontier: list[tuple[float, int, Node]] = [(self._rank(root), 0, root)]
        tie = count(1)
        seen: dict[object, float] = {}
        behind: Counter[object] = Counter()
        best = max(root.score, least)
        while frontier:
            rank, _, node = heappop(frontier)
            # Nothing that follows from here can be better than the picture itself allows.
            if self.top - node.cost - STEP < best - MARGIN or len(node.moves) >= MAX_STEPS:
                continue
            if len(found) >= most:
                self.cut_off = min(self.cut_off, rank)
                break
            for child in self._children(node):
                # In another order the same moves may leave another card on top.
                looks_so = frozenset(child.wanted.items())
                key = frozenset(Counter(child.moves).items()), looks_so, child.complete
                if seen.get(key, -inf) >= child.score:
                    continue
                seen[key] = child.score
                found.append(child)
                if child.complete:
                    best = max(best, child.score)
                    if not child.things:
                        # Everything is explained; its rivals, if there are any, are near.
                        most = min(most, len(found) + MAX_RIVALS)
                # Moves that look alike (one colour, many cards) are all candidates, but what may
                # follow them is looked for behind a few of them only.
                alike = (looks_so, child.detours, child.implied, round(child.score))
                behind[alike] += 1
                child.alike = (*child.alike, (alike, len(node.moves)))
                silent = not child.complete and child.detours == node.detours
                if silent or behind[alike] <= MAX_ALIKE:
                    heappush(frontier, (self._rank(child), next(tie), child))
        for node in found:
            many = (before for alike, before in node.alike[:-1] if behind[alike] > MAX_ALIKE)
            node.one_of_many = next(many, None)
        return found

    def search_wide(self) -> list[Node]:
        """Positions behind a step of which nothing is left to see, such as of a piece that went
        there and back while somebody else moved: any piece may have done so."""
        if self.all_known:
            return []
        self.wide = True
        found = self.search(self.start, MAX_NODES_WIDE)
        self.wide = False
        return [node for node in found if node.astray and not node.changed]

    def _told_by_the_game(self, root: Node) -> Runs | None:
        """The runs of moves that a game finds by itself, if it does."""
        inference = self.game.inference
        return inference.runs(root.state, self.beliefs, at_once=self.since.at_once)

    def after(self, node: Node, move: Move, cost: float) -> Node:
        """The position after ``move``, and after draws that follow automatically and unseen."""
        state = node.state.clone()
        state.apply(move)
        child = self._follow(node, state, (move,), cost)
        while (dealt := self._next_dealt(child)) is not None:
            # Draws change the height of a pile, which nobody sees, or turn something up.
            ahead = child.state.clone()
            shows = child.state.touches(dealt)
            ahead.apply(dealt)
            if not shows:
                child = replace(child, state=ahead, moves=(*child.moves, dealt))
                continue
            further = self._follow(child, ahead, (dealt,), 0.0)
            if further.wanted != child.wanted:
                break
            child = further
        return child

    def takebacks(self) -> list[Node]:
        """Earlier positions of the match that look like the picture."""
        for number, trial in self._undone(MAX_TAKEBACK):
            cost = self._against_undoing(number) + MORE_TAKEN_BACK * number
            node = self._earlier(trial, number, cost)
            # Whoever takes a move back leaves the table as it was.
            loose = node.tolerated + len(node.begun)
            as_it_was = not node.changed and loose <= self.start.tolerated
            if as_it_was and node.score + node.cost > self.start.score + 1.0:
                return [node]
        return []

    def earlier(self) -> Iterator[Node]:
        """Earlier positions of the open turn that look like the picture, the latest first."""
        for number, trial in self._undone(MAX_TAKEBACK):
            undone = [entry.move for entry in self.match.log[-number:]]
            if self.game.inference.turns(undone) > 1:
                return
            node = self._earlier(trial, number, self._against_undoing(number))
            if not node.changed and not node.begun:
                yield node

    def retold(self, best: Node, *, certain: bool) -> list[Node]:
        """Positions that explain everything if the open end of the record is told anew, see
        ``Since.openings``: those that are not much less likely than ``best``, with ``certain``
        only those that this costs nothing. No farther point is tried if it cannot be likelier."""
        least = self.top - MOST_RETOLD if best.changed else best.score
        found: list[Node] = []
        left = MAX_NODES_RETOLD
        for opening in self.since.openings:
            if left <= 0 or any(n.score - MARGIN >= self.top - opening.cost - STEP for n in found):
                break
            if certain and opening.cost > 0.0 and opening.twin is None:
                continue
            trial = self.match.clone()
            undone: dict[Move, bool] = {}
            for _ in range(opening.takeback):
                move = trial.pop()
                undone[move] = bool(trial.state.touches(move))
            shown = Counter(move for move, shows in undone.items() if shows)
            if opening.touched and not shown:
                continue  # What people say and nobody can see is as they say.
            root = self._earlier(trial, opening.takeback, 0.0)
            root.opening = opening
            free = opening.twin is not None
            paid = 0.0 if free else min(opening.cost, CONCLUDED)
            reached = self.search(root, min(left, MAX_NODES_OPENING), least + paid)
            left -= len(reached)
            for node in reached:
                if not node.complete or not node.moves or node.changed:
                    continue
                if self._only_earlier(Counter(undone.keys()), node.moves):
                    continue
                if self._only_undraws(undone, node.moves):
                    continue
                if not opening.touched and self._puts_below(root, node.moves):
                    continue
                if _handed_on(undone, node.moves):
                    continue
                # What was seen stands; only what was concluded is told anew.
                stands = not shown - Counter(node.moves)
                cost = min(opening.cost, CONCLUDED) if stands else opening.cost
                if opening.twin is not None and node.moves[0] == opening.twin:
                    cost = 0.0
                elif certain and cost > 0.0:
                    continue
                node.cost += cost
                node.score -= cost
                if (ended := self._ended(node, opening.then)) is not None:
                    found.append(ended)
        return found

    def _ended(self, node: Node, then: Sequence[Move]) -> Node | None:
        """``node`` with the moves ``then``, which are known to have come last; None if they hold
        it already in another place than its end."""
        for move in then:
            if move in node.moves:
                continue
            if node.state.violations(move):
                continue  # The turn ended without it.
            node = self.after(node, move, 0.0)
        return node

    def _against_undoing(self, number: int) -> float:
        undone = [entry.move for entry in self.match.log[-number:]]
        return self.game.inference.taken_back(self.match.state, undone)

    def _only_earlier(self, undone: Counter[Move], moves: Sequence[Move]) -> bool:
        """Whether nothing was changed, but something else would have had to come first.

        ``undone`` was taken back, ``moves`` were played instead. What leaves no trace may have come
        first without anybody having said so.
        """
        rest = Counter(moves)
        if undone - rest:
            return False
        state, hidden = self.match.state, self.since.hidden
        return any(not hidden.issuperset(state.touches(move)) for move in rest - undone)

    def _only_undraws(self, undone: Collection[Move], moves: Sequence[Move]) -> bool:
        """Whether nothing is told anew, but something drawn goes back: nobody does that."""
        left_out = [move for move in undone if move not in moves]
        told_anew = any(move not in undone for move in moves)
        return bool(left_out) and not told_anew and all(m.actor is Actor.DEALER for m in left_out)

    def _puts_below(self, root: Node, moves: Sequence[Move]) -> bool:
        """Whether something that is new at a place is said to have come there before something
        that lay there already."""
        new = {site: _more_of(self.best[site], self.usual.get(site, EMPTY)) for site in self.best}
        new = {site: more for site, more in new.items() if more}
        state, come = root.state.clone(), set[str]()
        before = looks(state.layout())
        for move in moves:
            state.apply(move)
            after = looks(state.layout())
            for site in new:
                put = _more_of(after.get(site, EMPTY), before.get(site, EMPTY))
                if put & new[site]:
                    come.add(site)
                elif site in come and put & Counter(self.best[site]):
                    return True
            before = after
        return False

    def _undone(self, most: int) -> Iterator[tuple[int, Match]]:
        """The match as it was before each of its last decisions, the last one first.

        What was drawn since goes back with the decision; nobody takes back a mere draw.
        """
        trial = self.match.clone()
        shown = False
        for number in range(1, min(most, self.match.ply) + 1):
            move = trial.pop()
            if move.actor is Actor.DEALER:
                continue
            shown = shown or bool(trial.state.touches(move))
            if shown:
                yield number, trial

    # -- private --------------------------------------------------------------------------

    def _told(self, root: Node, runs: Sequence[Run]) -> Iterator[Node]:
        """The positions that those of ``runs`` lead to that are legal."""
        for run in runs:
            state, moves = root.state.clone(), list(root.moves)
            sure: tuple[Move, ...] = ()
            for number, move in enumerate(run.moves):
                if state.violations(move):
                    break
                state.apply(move)
                moves.append(move)
                while (dealt := self._dealt_after(root, state, moves)) is not None:
                    state.apply(dealt)
                    moves.append(dealt)
                if number + 1 == run.sure:
                    sure = tuple(moves)
            else:
                node = replace(
                    root, state=state, moves=tuple(moves), cost=root.cost + run.cost,
                    complete=run.complete, sure=sure, guessed=run.guessed,
                )  # fmt: skip
                yield self._weighed(node)

    def _other_boards(self) -> Iterator[Board]:
        """What lies there if one of the doubtful sites does not look as it seems."""
        for site in islice(sorted(self.doubtful), MAX_OTHER_BOARDS):
            belief = self.beliefs[site]
            seen = self.best[site]
            others = [look for look in belief.looks if not _same_things(look, seen)]
            most = max(belief.looks[look] for look in others)
            likeliest = [look for look in others if belief.looks[look] == most]
            for look in likeliest if belief.unread else likeliest[:1]:
                yield {**self.best, site: look}

    def _earlier(self, trial: Match, number: int, cost: float) -> Node:
        return self._weighed(Node(trial.state.clone(), (), {}, {}, takeback=number, cost=cost))

    def _rank(self, node: Node) -> float:
        return node.cost + UNEXPLAINED_THING * node.things

    def _children(self, node: Node) -> Iterator[Node]:
        changed = self.doubtful.union(node.changed, node.begun, self.hidden)
        thought_of, implied = self._thought_of(node)
        touches = {move: node.state.touches(move) for move in {*thought_of, *implied}}
        quiet = sum(not touches[move] for move in implied)
        shows = {move for move, sites in touches.items() if sites}
        idle = {m for m in shows - implied if changed.isdisjoint(touches[m])}
        for move, (_, against, guessed) in thought_of.items():
            touched = touches[move]
            if move in idle and (not self.wide or node.astray):
                continue
            if touched:
                vouched = move in implied or move in idle
                many = log(len(idle)) if move in idle else 0.0
                child = self._shown(node, move, STEP + against + many, vouched=vouched)
            elif move in implied and (node.things or self.doubtful or not node.moves):
                # One silent move of many is as many times less likely to be the one.
                child = self.after(node, move, IMPLIED + log(quiet) + against)
                child.implied, child.complete = child.implied + 1, False
            else:
                continue
            if child is not None:
                child.astray = child.astray or move in idle
                child.hidden = node.hidden or self._out_of_sight(touched, node, child)
                child.guessed = node.guessed or guessed
                if child.guessed and not node.guessed:
                    child.before_guess = node.moves
                run = [child, *self._dealt(child)]
                for unfinished in run[:-1]:
                    unfinished.complete = False  # the cards that follow are drawn at once
                yield from run

    def _out_of_sight(self, touched: Collection[str], node: Node, child: Node) -> bool:
        """True if what ``child`` has otherwise than ``node`` lies where something hides it."""
        if self.hidden.isdisjoint(touched):
            return False
        sites = (site for site in touched if node.wanted.get(site) != child.wanted.get(site))
        return not any(site in self.beliefs and site not in self.hidden for site in sites)

    def _thought_of(self, node: Node) -> tuple[dict[Move, Thought], set[Move]]:
        """The moves that may come next, each with what speaks against it, and which of them may
        be inferred; for everything that the picture leaves open."""
        game, state = self.game, node.state
        found: dict[Move, Thought] = {}
        implied: set[Move] = set()
        legal = state.legal_moves()
        moves = game.inference.fitting(state, legal, self.open_looks)
        for board in self.boards:
            implied.update(game.inference.implied(state, legal, board))
            for one in game.inference.plausible(state, moves, board, node.moves):
                known = found.setdefault(one.move, one)
                if one.against < known.against:
                    found[one.move] = known._replace(against=one.against)
        return found, implied & found.keys()

    def _shown(self, node: Node, move: Move, cost: float, *, vouched: bool) -> Node | None:
        """After a move that shows; None if the picture is farther away then without a reason.

        ``vouched``: the game says that its trace may be covered.
        """
        child = self.after(node, move, cost)
        if vouched and child.wanted == node.wanted:
            child.implied, child.complete = child.implied + 1, False
            return child
        gain = child.score + child.cost - node.score - node.cost
        if (child.things < node.things and gain >= -0.5) or self._builds_up(node, child):
            return child
        # What may lie differently for the moment only waits for the step that explains it.
        if child.apart < node.apart and child.against <= node.against + 0.5:
            return child
        no_worse = child.against <= node.against + CHANGED
        if child.apart == node.apart and no_worse and child.wanted != node.wanted:
            # What it leaves is in doubt: perhaps it is there.
            return child
        farther = min(child.apart - node.apart, child.things - node.things)
        if child.detours >= MAX_DETOURS or (farther > 1 and not vouched):
            return None
        child.detours += 1
        child.astray = child.astray or not vouched
        child.unseen += vouched
        child.cost += DETOUR
        child.score -= DETOUR
        child.complete = False
        return child

    def _builds_up(self, node: Node, child: Node) -> bool:
        """Whether all that ``child`` has otherwise than ``node`` is more of what may lie there,
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
        """What follows when the table is dealt to automatically, card after card that shows."""
        while (dealt := self._next_dealt(node)) is not None:
            after = self.after(node, dealt, 0.0)
            # A move that left no trace is told by the card that follows it, if that is seen.
            told = after.wanted != node.wanted and after.score > node.score
            node = replace(after, complete=node.complete or told)
            yield node

    def _next_dealt(self, node: Node) -> Move | None:
        """The draw that follows automatically on a physical table; None if people must show it."""
        return self._dealt_after(node, node.state, node.moves)

    def _dealt_after(self, root: Node, state: Any, moves: Sequence[Move]) -> Move | None:
        if not self.match.physical:
            return None
        # A dealer's draw depends on the number of the move, as it does in the record.
        ply = self.match.ply - root.takeback + len(moves)
        return self.match.chance.answer(state, ply)

    # -- weighing a position against the picture ----------------------------------------------

    def _follow(self, node: Node, state: Any, moves: tuple[Move, ...], cost: float) -> Node:
        return self._weighed(
            replace(
                node, state=state, moves=node.moves + moves, cost=node.cost + cost, complete=True
            )
        )

    def _weighed(self, node: Node) -> Node:
        """``node`` with what its state wants to lie where, and what the picture says to that."""
        wanted = looks(node.state.layout())
        best, beliefs = self.best, self.beliefs
        losses: dict[str, float] = {}
        kept: dict[str, tuple[Look, Look]] = {}
        things = apart = 0
        begun: list[str] = []
        against = 0.0
        for site, belief in beliefs.items():
            want, seen = wanted.get(site, EMPTY), best[site]
            if want is seen or want == seen:
                continue
            loss = belief.score(seen) - belief.score(want)
            if loss <= 0.0:
                continue
            if self.left.get(site) == (seen, want):
                wanted[site] = seen
                kept[site] = (seen, want)
                continue
            against += loss
            apart += _apart(want, seen) if loss > CHANGED else 0
            losses[site] = loss
        lies = self._may_lie(node, losses, wanted) if losses else {}
        right = [site for site, how in lies.items() if how.right]
        for site in right:
            kept[site] = (best[site], wanted.get(site, EMPTY))
            wanted[site] = best[site]
            del losses[site]
        tolerated = len(right)
        doubt = 0.0
        for site in [s for s in losses if beliefs[s].unread]:
            instead = self._may_lie_as(node, site)
            if instead is not None:
                other, lies[site] = instead
                kept[site] = (best[site], wanted.get(site, EMPTY))
                wanted[site] = other
                doubt += beliefs[site].score(best[site]) - beliefs[site].score(other)
                tolerated += 1
                del losses[site]
        covered = 0
        for site, loss in list(losses.items()):
            if loss <= CHANGED:
                continue
            things += _apart(wanted.get(site, EMPTY), best[site])
            if lies.get(site) is Lies.BEGUN:
                usual = self.usual.get(site, EMPTY)
                covered += bool(node.moves) and wanted.get(site, EMPTY) not in (usual, EMPTY)
                wanted[site] = best[site]
                begun.append(site)
                del losses[site]
        halfway = TOLERATED * tolerated + UNFINISHED * len(begun) + COVERED * covered + doubt
        score = self.top - sum(losses.values()) - halfway - node.cost
        changed = [site for site, loss in losses.items() if loss > CHANGED]
        return replace(
            node, wanted=wanted, losses=losses, score=score, tolerated=tolerated,
            begun=tuple(begun), covered=covered, things=things, changed=changed, apart=apart,
            against=against, left=kept, lies=lies,
        )  # fmt: skip

    def _may_lie(
        self, node: Node, losses: dict[str, float], wanted: dict[str, Look]
    ) -> dict[str, Lies]:
        """Those of the sites ``losses`` where what lies there may lie for the moment."""
        ask = self.game.inference.may_lie
        found = dict(ask(node.state, losses, self.best, node.moves))
        clear = [site for site, loss in losses.items() if loss > CHANGED]
        right = sum(how.right for how in found.values())
        if right == len(losses) or len(clear) in (0, len(losses)):
            return found
        # What is badly seen may lie as it should, and says nothing against the rest.
        as_wanted = {site: wanted.get(site, EMPTY) for site in losses if site not in clear}
        again = ask(node.state, clear, {**self.best, **as_wanted}, node.moves)
        return found | {site: how for site, how in again.items() if how.right}

    def _may_lie_as(self, node: Node, site: str) -> tuple[Look, Lies] | None:
        """What may lie there for the moment, if what could not be read of it is a piece."""
        belief, seen = self.beliefs[site], self.best[site]
        for look, score in belief.looks.items():
            if look == seen or belief.score(seen) - score >= MARGIN:
                continue
            board = {**self.best, site: look}
            how = self.game.inference.may_lie(node.state, {site}, board, node.moves).get(site)
            if how is not None and how.right:
                return look, how
        return None

    def _most(self) -> float:
        return sum(b.score(self.best[site]) for site, b in self.beliefs.items())


def _that_count(sites: Mapping[str, SiteBelief], match: Match) -> Mapping[str, SiteBelief]:
    """What the camera believes, without its doubt whether what lies at a pile or before a player
    is a supply: where the record has something, what lies there is part of the match."""
    told = {}
    layout = match.layout
    shown = {item.site for item in layout if item.seen}
    unseen = {(item.site, item.kind) for item in layout if not item.seen}
    for site in {item.site for item in layout}.intersection(sites):
        belief = sites[site]
        best = belief.best
        if best and belief.score(best) - belief.score(EMPTY) < MARGIN:
            things = {look: score for look, score in belief.looks.items() if look}
            if site not in shown and all((site, glimpse.kind) in unseen for glimpse in best):
                things = {EMPTY: 0.0}  # A pile whose looks the rules want to know nothing of.
            told[site] = replace(belief, looks=things)
    return {**sites, **told} if told else sites


def _in_doubt(belief: SiteBelief) -> bool:
    """Whether other things are about as likely to lie here as those of the best look."""
    if belief.occluded or len(belief.looks) < 2:
        return False
    best = belief.best
    most = belief.score(best)
    return any(
        most - score < MARGIN and not _same_things(best, look)
        for look, score in belief.looks.items()
    )


def _handed_on(undone: Collection[Move], moves: Sequence[Move]) -> bool:
    """Whether somebody else is said to have done what was ``undone``; nobody changes that."""
    return any(
        one.args and one.args == move.args and None not in (one.player, move.player)
        for one in undone
        for move in moves
        if one.player != move.player
    )


def _same_things(one: Look, other: Look) -> bool:
    """Whether two looks differ at most in that one of them does not say how a thing stands."""
    return len(one) == len(other) and all(
        a.kind == b.kind and (a.pose == b.pose or not a.pose or not b.pose)
        for a, b in zip(one, other, strict=True)
    )


def _more_of(one: Look, other: Look) -> Counter[Glimpse]:
    return Counter(one) - Counter(other)


def _apart(one: Look, other: Look) -> int:
    """How many things would have to be put down or taken away to make one look the other."""
    if not one or not other:
        return len(one) + len(other)
    if len(one) == len(other) == 1:
        return 2
    a, b = Counter(one), Counter(other)
    return (a - b).total() + (b - a).total()
