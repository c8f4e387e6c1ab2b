"""Breaches as explanations of a sighting: refused moves, and pieces disturbed.

A breach is the smallest relaxation: one condition of one step is given up, and legal moves may come
before and after it. Each further condition costs more, and so do a player who is not asked, least
the one who has just moved, and a piece of another player's: so the person named is the one who
acted. Where a step is legal and only its effect lies elsewhere, that is the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice, product
from operator import attrgetter
from typing import Any

from rules.box import load_box
from rules.core import Actor, Move, Objection, Prompt
from rules.reading.effects import Effects
from rules.reading.explaining import DETOUR, STEP, Explanations
from rules.reading.sighting import EMPTY, IMPLAUSIBLE, Glimpse
from rules.reading.timing import in_time
from rules.reading.weighing import MARGIN, Node, things_apart

ILLEGAL = 4.5
"""A player does something illegal."""
FURTHER = 1.5
"""… for one reason more."""
PLAYED_ON = 0.5
"""… and other players have gone on as if nothing had happened."""
AGAIN = 0.3
"""… and does the same once more, such as a second coin of a fan."""
NOT_DUE = 0.5
"""… which is another kind of step than any that is due."""
OUT_OF_TURN = 1.5
"""… when it is not their turn."""
WENT_ON = 0.8
"""… which has just ended."""
IN_PLACE = 0.3
"""… but exactly what is due from another player, with pieces of their own."""
HURRIED = 1.1
"""… as the next player in one look with the last one, with a piece that belongs to nobody."""
BORROWED = 2.0
"""… with a piece of another player's."""
DISTURBED = 7.0
"""A piece was shifted, lost or added without any move."""

UNEXPLAINED = 1.0
"""Least cost that is expected of a thing without an explanation."""

COVERING = 2
"""Number of things that are expected to lie on what nobody sees."""

MAX_BREACHED = 8
"""Number of legal explanations behind which forbidden acts are looked for."""
MAX_CARRIED_OUT = 100
"""Number of acts, forbidden ones and those that follow them, that are carried out in one look."""
THOUGHTS = 100
"""Number of acts that can be thought of in the time it takes to carry one out …"""
MOST_THOUGHTS = 8
"""… and the most that such a time counts, since where there are many few are alike."""
IN_DISORDER = 6
"""If more places differ, the board is in disorder, and nobody asks for rules before it is put
right."""
MAX_AFTERWARDS = 60
"""Number of positions that are looked at behind one forbidden act."""
MAX_FORBIDDEN = 5
"""Maximum number of forbidden acts in a row that are told apart."""


@dataclass(slots=True)
class Breach:
    """A position explained by something that is not allowed."""

    node: Node
    """The position behind the legal moves that explain a part; the way back leads from there."""
    score: float
    objections: tuple[Objection, ...]
    refused: Move | None
    anyway: tuple[Move, ...]
    disturbed: bool
    """True if pieces were also shifted, lost or added without any move."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A run of moves, some of them illegal."""

    legal: Node
    """The position before the first illegal move."""
    base: Node
    objections: tuple[Objection, ...] = ()
    refused: Move | None = None
    """The first illegal move."""
    steps: int = 0
    """Number of illegal moves."""
    gone_on: bool = True
    """False while legal moves may still follow the last illegal one."""

    @property
    def further(self) -> float:
        """Least cost of a way that goes on from here."""
        return self.base.cost + (ILLEGAL if self.refused is None else AGAIN)

    @property
    def rank(self) -> float:
        """Its cost, and the least that the rest is expected to cost."""
        if not self.base.changed:
            return self.base.cost
        return max(self.base.cost + UNEXPLAINED * self.base.things, self.further)


@dataclass(slots=True)
class _Act:
    """A forbidden move that is thought of and has not been carried out."""

    way: _Way
    move: Move
    why: tuple[Objection, ...]
    cost: float
    sites: frozenset[str]
    """Sites that it may change and that are to be explained."""
    covered: bool
    """True if the step is due, and was done wrongly below what shows."""
    further: int
    """Number of things more than before that are expected to lie otherwise behind it: the least …
    """
    effects: int = 0
    """… by this number of effects of such acts; where none is known, nothing does at its sites."""


class _Search:
    """The search for the likeliest breach, best first."""

    def __init__(self, known: Explanations, least: float) -> None:
        self.known = known
        self.of_use = self.least = least
        """Score from which on a breach matters at all, and matters beside what was found."""
        self.best: Breach | None = None
        self.left = MAX_CARRIED_OUT
        self.queue: list[tuple[float, bool, int, int, _Way | _Act]] = []
        self.tie = count()
        self.effects = Effects(known.start.state)
        self.tried: dict[object, _Way] = {}
        """Known effects of steps that were carried out, and the way that they followed …"""
        self.reached: dict[object, _Way] = {}
        """… and how the table looks behind them; ways are kept, as their ids are part of keys."""

    def run(self, nodes: Iterable[Node]) -> Breach | None:
        """The likeliest breach behind one of ``nodes``."""
        known = self.known
        ways = [_Way(node, _as_seen(known, node)) for node in nodes]
        ways.sort(key=attrgetter("rank"))
        # What the clock cannot hold leads nowhere.
        possible = (way for way in ways if in_time(known, replace(way.legal)))
        for way in islice(possible, MAX_BREACHED):
            self._push(way.rank, way)
        while self.queue:
            rank, _, _, _, thought = heappop(self.queue)
            if isinstance(thought, _Way):
                self._judge(thought)
                continue
            cost = thought.way.base.cost + thought.cost
            if self.left == 0 or self._hopeless(cost):
                continue
            # What such acts do has been learnt meanwhile.
            if known.top - cost - self.effects.against(thought.move) <= self.of_use:
                continue
            rest = self._rest(thought)
            if self._hopeless(cost + AGAIN * (rest > 0)):
                continue
            if cost + UNEXPLAINED * rest > rank:
                self._push(cost + UNEXPLAINED * rest, thought)
            elif not self._is_tried(thought) and (after := self._carried_out(thought)) is not None:
                self._push(after.rank, after)
        return self.best

    def _push(self, rank: float, thought: _Way | _Act) -> None:
        # Of equal ones what has been carried out comes first, the nearest to the picture before.
        act = isinstance(thought, _Act)
        apart = 0 if isinstance(thought, _Act) else thought.base.apart
        heappush(self.queue, (rank, act, apart, next(self.tie), thought))

    def _is_tried(self, act: _Act) -> bool:
        """True if a likelier step of the same kind has come to the same, such as a seat that any of
        many cards would have paid."""
        effects = self.effects.of(act.move)
        if not effects:
            return False
        key = id(act.way), act.move.player, act.move.verb, effects
        if key in self.tried:
            return True
        self.tried[key] = act.way
        return False

    def _hopeless(self, cost: float) -> bool:
        """True if nothing of this cost can be likelier than what was found, or of use."""
        return self.known.top - cost <= self.least

    def _judge(self, way: _Way) -> None:
        """Compare a way with the best, and think of what may have followed it."""
        base = way.base
        if not base.changed and not way.objections:
            return
        found = _disturbance(self.known, way)
        if self.best is None or found.score > self.best.score:
            self.best = found
            self.least = max(self.least, found.score)
        if (
            self.left == 0
            or self._hopeless(way.further)
            or not 0 < len(base.changed) <= IN_DISORDER
        ):
            return
        if not way.gone_on:
            # After the forbidden step the turn may have gone on as it should, or not at all.
            follow = {id(base): base}
            least = self.least + MARGIN  # Nothing else is of use.
            reached = self.known.search(base, min(MAX_AFTERWARDS, self.left), least)
            self.left = max(0, self.left - len(reached))
            further = (_noticed(way, node) for node in reached if node.complete)
            likeliest = max(further, key=attrgetter("score"))
            follow[id(likeliest)] = likeliest
            for node in follow.values():
                after = replace(way, base=node, gone_on=True)
                self._push(after.rank, after)
        elif way.steps < MAX_FORBIDDEN:
            possible = list(dict.fromkeys(base.state.pseudo_moves()))
            self.left = max(0, self.left - min(MOST_THOUGHTS, 1 + len(possible) // THOUGHTS))
            most = self.known.top - self.least - base.cost
            for act in _forbidden_acts(self.known, way, possible, most):
                cost = base.cost + act.cost
                self._push(cost + UNEXPLAINED * self._rest(act), act)

    def _rest(self, act: _Act) -> int:
        """Number of things that are expected to lack an explanation behind an act: with one that is
        covered, also what covers it."""
        self.effects.compare(act, act.way.base.wanted, self.known.best)
        return max(0, act.way.base.things + act.further) + COVERING * (not act.sites)

    def _carried_out(self, act: _Act) -> _Way | None:
        """The way with the act at its end; None if that explains nothing more."""
        known, way, move, node = self.known, act.way, act.move, act.way.base
        self.left -= 1
        child, cost = known.after(node, move, act.cost), act.cost
        against = _by_its_pieces(known, node, child, move)
        self.effects.learn(move, node.wanted, child.wanted, against)
        if not move.args and child.things > node.things and _can_be_tried_again(move, child.state):
            # What is done step by step, such as building, may show only when it is done twice.
            child, cost = known.after(child, move, AGAIN), cost + AGAIN
        if any(not known.best[s] for s in _waits(child).difference(_waits(node), node.changed)):
            return None  # What is only lifted has not been put anywhere.
        # Of several cards at one place each explains a part, which the picture does not reward yet,
        # and what might lie there before it may have to be explained behind it.
        nearer = child.things < node.things or child.apart < node.apart
        if child.score - node.score + cost < 2.0 and not nearer and not act.covered:
            return None
        child.cost, child.score = child.cost + against, child.score - against
        # As dear for another reason, it says no more.
        key = id(way), move.player, move.verb, frozenset(child.wanted.items()), child.cost
        if key in self.reached:
            return None
        self.reached[key] = way
        new = tuple(objection for objection in act.why if objection not in way.objections)
        return _Way(
            way.legal, child, (*way.objections, *new), way.refused or move, way.steps + 1,
            gone_on=False,
        )  # fmt: skip


def _can_be_tried_again(move: Move, state: Any) -> bool:
    """True if ``move`` is against the rules in ``state``, but hands could make it."""
    return bool(state.violations(move)) and move in state.pseudo_moves()


def likeliest_breach(known: Explanations, nodes: Sequence[Node], least: float) -> Breach | None:
    """The likeliest explanation of all that is left by forbidden acts, if it is likelier than
    ``least``; else any.

    ``nodes``: what legal moves explain of it.
    """
    return _Search(known, least).run(nodes)


def _as_seen(known: Explanations, node: Node) -> Node:
    """``node`` at a higher cost if effects of its moves are not seen."""
    start, best = known.usual, known.best
    made_up = DETOUR * sum(
        node.wanted.get(site, EMPTY) != start.get(site, EMPTY)
        and things_apart(node.wanted.get(site, EMPTY), best[site])
        >= things_apart(start.get(site, EMPTY), best[site])
        for site in node.changed
    )
    if not made_up:
        return node
    return replace(node, cost=node.cost + made_up, score=node.score - made_up)


def _noticed(way: _Way, node: Node) -> Node:
    """``node`` at a higher cost if other players have gone on behind an illegal move."""
    further = {move.player for move in node.moves[len(way.base.moves) :]} - {None}
    if way.refused is None or further <= {way.refused.player}:
        return node
    return replace(node, cost=node.cost + PLAYED_ON, score=node.score - PLAYED_ON)


def _forbidden_acts(
    known: Explanations, way: _Way, possible: Sequence[Move], most: float
) -> Iterator[_Act]:
    """The illegal moves of all that are ``possible`` that may explain some of what is left, at a
    cost below ``most``."""
    node = way.base
    # A thing that is perhaps only taken for another one accuses nobody.
    left = frozenset(
        site
        for site in node.changed
        if node.losses[site] > IMPLAUSIBLE
        or len(node.wanted.get(site, EMPTY)) != len(known.best[site])
    )
    # Where all lies as it should, nobody has moved anything from there or to there.
    open_sites = {*node.changed, *node.begun, *node.left, *known.doubtful}
    seen = {s for s, b in known.beliefs.items() if not b.occluded and s not in open_sites}
    state, last, asked = node.state, _last_player(known, node), node.state.prompt()
    before = {(objection.rule, objection.code) for objection in way.objections}
    fitting = known.game.inference.fitting(state, possible, known.open_looks)
    # A step that is due may have been done wrongly below what shows.
    due = {(move.player, move.verb) for move in node.at.legal}
    wrong = [move for move in fitting if (move.player, move.verb) in due]
    covered: set[Move] = set()
    if len(wrong) > 1:
        thought_of = known.game.inference.plausible(state, wrong, known.best, node.moves)
        covered = {one.move for one in thought_of if one.covered}
    apart = {s: things_apart(node.wanted.get(s, EMPTY), known.best[s]) for s in left}
    refused = way.refused
    for move in fitting:
        same = refused is not None and refused.player == move.player
        if not same and most <= ILLEGAL:
            continue
        # Most of thousands of attempts have nothing to do with what lies otherwise.
        touched = state.touches(move)
        vouched = bool(covered and touched) and move in covered
        if not vouched and left.isdisjoint(touched):
            continue
        named = {*touched}.intersection(move.args)
        if len(named) > 1 and not seen.isdisjoint(named):
            continue
        why = state.violations(move)
        if not why:
            continue
        if same and (move == refused or {(o.rule, o.code) for o in why} <= before):
            cost = AGAIN if refused is not None and refused.verb == move.verb else STEP
        else:
            cost = ILLEGAL + FURTHER * (len(why) - 1)
            if (move.player, move.verb) not in due:
                cost += _untimely(state, asked, move, last)
        if cost >= most:
            continue
        sites = left.intersection(touched)
        further = -sum(apart[site] for site in sites)
        yield _Act(way, move, tuple(why), cost, sites, vouched, further)


def _waits(node: Node) -> set[str]:
    """Sites where something is still to be put."""
    return {*node.begun, *(site for site, (_, wanted) in node.left.items() if wanted)}


def _untimely(state: Any, asked: Prompt | None, move: Move, last: int | None) -> float:
    """The cost of a move of another kind than those that are due; the least of it, if its pieces
    tell who made it."""
    if asked is None:
        return 0.0
    if move.player in (asked.player, None):
        return NOT_DUE
    if move.player == last:
        return WENT_ON
    return IN_PLACE if _is_due_from(asked.player, state, move) else OUT_OF_TURN


def _is_due_from(asked: int | None, state: Any, move: Move) -> bool:
    """True if the same step is due from ``asked``."""
    return asked is not None and not state.violations(Move.of(asked, move.verb, *move.args))


def _by_its_pieces(known: Explanations, node: Node, after: Node, move: Move) -> float:
    """The further cost of a move, by whose pieces it puts down."""
    asked = node.state.prompt()
    if move.player is None or asked is None:
        return 0.0
    put = after.state.layout() - node.state.layout()
    owners = {item.owner for item in put} - {None}
    if owners:
        return 0.0 if move.player in owners else BORROWED
    if move.player == asked.player:
        # Before the hand has left, another player has hardly begun.
        return HURRIED if _last_of(node.moves) not in (None, move.player) else 0.0
    out_of_turn = _untimely(node.state, asked, move, _last_player(known, node)) == IN_PLACE
    return OUT_OF_TURN - IN_PLACE if out_of_turn else 0.0


def _last_player(known: Explanations, node: Node) -> int | None:
    """The player who moved last, by the record and the moves of ``node``."""
    entries = [entry.move for entry in known.match.log[-MAX_AFTERWARDS:]]
    if node.takeback:
        entries = entries[: -node.takeback]
    return _last_of((*entries, *node.moves))


def _last_of(moves: Sequence[Move]) -> int | None:
    return next((move.player for move in reversed(moves) if move.player is not None), None)


def _disturbance(known: Explanations, way: _Way) -> Breach:
    """An explanation of the rest: a step carried out elsewhere, or pieces shifted, missing, added
    or swapped."""
    base, left = way.base, way.base.changed
    score = base.score + sum(
        known.beliefs[s].score(known.best[s]) - known.beliefs[s].score(base.wanted.get(s, EMPTY))
        for s in left
    )
    elsewhere = _elsewhere(known, base) if left and not way.objections else None
    if elsewhere is not None:
        move, why = elsewhere
        # A step that shows so well is judged, however much else may have been tried.
        node = replace(base, moves=()) if base.moves[0] == move else base
        return Breach(node, score - ILLEGAL, (why,), move, (), disturbed=False)
    found = _shifted(known, base)
    score -= DISTURBED * len(found)
    # Only moves can be played against the rules; a shifted piece has no move.
    anyway = base.moves if way.refused is not None and not found else ()
    return Breach(
        way.legal, score, (*way.objections, *found), way.refused, anyway, disturbed=bool(found)
    )  # fmt: skip


def _elsewhere(known: Explanations, base: Node) -> tuple[Move, Objection] | None:
    """The step of ``base`` whose effect is seen at another place than it should be, and the
    objection; None if that does not explain the rest."""
    if not base.moves or base.takeback or len(base.changed) > 2:
        return None
    sites = load_box(known.match.game.box).sites
    start, wanted, best = known.usual, base.at.looks, known.best
    # Where hands may still have to end something, nothing has happened either.
    open_sites = {*base.changed, *base.begun, *base.left}
    undone = [s for s in open_sites if best[s] == start.get(s, EMPTY) != wanted.get(s, EMPTY)]
    done = [s for s in base.changed if best[s] != start.get(s, EMPTY) == wanted.get(s, EMPTY)]
    for site, other in product(undone, done):
        if sites[site].takes != sites[other].takes or not {*base.changed} <= {site, other}:
            continue
        due, before = wanted.get(site, EMPTY), start.get(site, EMPTY)
        put = Counter(due) - Counter(before)
        if put != Counter(best[other]) - Counter(start.get(other, EMPTY)):
            continue
        if not put and (due or best[other]):
            continue
        found = _step_at(known, base, site)
        if found is None:
            continue
        move, rule = found
        if put:
            why = Objection.of(rule, "put_elsewhere", kind=_kind(put), site=site, to=other)
        else:
            kind = _kind(Counter(start[other]))
            why = Objection.of(rule, "taken_elsewhere", kind=kind, site=site, to=other)
        return move, why
    return None


def _step_at(known: Explanations, base: Node, site: str) -> tuple[Move, str] | None:
    """The player's step whose effect ``base`` wants at ``site``, and its rule; None if a player
    chose the place."""
    at = known.before(0)
    step: tuple[Move, str] | None = None
    for move in base.moves:
        asked = at.state.prompt()
        if move.actor is Actor.PLAYER and asked is not None:
            step = move, asked.rule
        if site in at.touches(move):
            return None if site in move.args else step
        at = at.after(move)
    return None


def _shifted(known: Explanations, base: Node) -> list[Objection]:
    """The rest as pieces shifted, missing, added or swapped."""
    rule, left = known.game.handling_rule, base.changed
    gone = {s: Counter(base.wanted.get(s, EMPTY)) - Counter(known.best[s]) for s in left}
    come = {s: Counter(known.best[s]) - Counter(base.wanted.get(s, EMPTY)) for s in left}
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
        if lost and extra and _kind(lost) == _kind(extra):
            found.append(Objection.of(rule, "piece_tipped", site=site, kind=_kind(lost)))
        elif lost and extra:
            found.append(
                Objection.of(
                    rule, "piece_swapped", site=site,
                    kind=_kind(extra), expected=_kind(lost),
                )
            )  # fmt: skip
        elif lost:
            found.append(Objection.of(rule, "piece_removed", site=site, kind=_kind(lost)))
        elif extra:
            found.append(Objection.of(rule, "piece_added", site=site, kind=_kind(extra)))
    return found


def _kind(glimpses: Counter[Glimpse]) -> str:
    """One of several, always the same."""
    return min(glimpse.kind for glimpse in glimpses)
