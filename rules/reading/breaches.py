"""Breaches as explanations of a sighting: refused moves, and pieces disturbed.

A breach is the smallest relaxation: one condition of one step is given up, and legal moves may come
before and after it. Each further condition costs more, and so do a player who is not asked, least
the one who has just moved, and a piece of another player's: so the person named is the one who
acted. Where a step is legal and only its effect lies elsewhere, that is the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush, nsmallest
from itertools import count, product
from operator import attrgetter
from typing import Any

from rules.box import load_box
from rules.core import Actor, Move, Objection
from rules.reading.explaining import DETOUR, Explanations, Node
from rules.reading.sighting import EMPTY, Glimpse, Look, looks

ILLEGAL = 4.5
"""A player does something illegal."""
FURTHER = 1.5
"""… for one reason more."""
PLAYED_ON = 2.2
"""… and other players have gone on as if nothing had happened."""
AGAIN = 0.3
"""… and does the same once more, such as a second coin of a fan."""
OUT_OF_TURN = 1.5
"""… when it is not their turn."""
WENT_ON = 0.8
"""… which has just ended."""
HURRIED = 1.1
"""… as the next player in one look with the last one, with a piece that belongs to nobody."""
BORROWED = 2.0
"""… with a piece of another player's."""
DISTURBED = 7.0
"""A piece was shifted, lost or added without any move."""

UNEXPLAINED = 1.0
"""Least cost that is expected of a thing without an explanation."""

MAX_BREACHED = 8
"""Number of legal explanations behind which forbidden acts are looked for."""
MAX_WAYS = 12
"""Number of positions from which forbidden acts are looked for."""
MAX_STEPS = 5
"""Number of forbidden acts that are followed from one position."""
IN_DISORDER = 6
"""If more places differ, the board is in disorder, and nobody asks for rules before it is put
right."""
MAX_AFTERWARDS = 60
"""Number of positions that are looked at behind a forbidden act."""
MAX_FORBIDDEN = 5
"""Maximum number of forbidden acts in a row that are told apart."""


@dataclass(slots=True)
class Breach:
    """A position explained by something that is not allowed."""

    node: Node
    """What legal moves explain of it; the way back leads from there."""
    score: float
    objections: tuple[Objection, ...]
    refused: Move | None
    anyway: tuple[Move, ...]
    disturbed: bool
    """Whether pieces were also shifted, lost or added without any move."""


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
    def rank(self) -> float:
        """Its cost, and the least that the rest is expected to cost."""
        return self.base.cost + UNEXPLAINED * self.base.things


def likeliest_breach(known: Explanations, nodes: Sequence[Node]) -> Breach | None:
    """The likeliest explanation of all that is left by forbidden acts.

    ``nodes``: what legal moves explain of it.
    """
    best: Breach | None = None
    tie = count()
    begin = [_Way(node, _as_seen(known, node)) for node in nodes]
    likeliest = nsmallest(MAX_BREACHED, begin, key=attrgetter("rank"))
    queue = [(way.rank, next(tie), way) for way in likeliest]
    looked_at = 0
    while queue:
        _, _, way = heappop(queue)
        if not way.base.changed and not way.objections:
            continue
        found = _disturbance(known, way)
        if best is None or found.score > best.score:
            best = found
        hopeless = known.top - way.base.cost - AGAIN <= best.score
        if hopeless or looked_at == MAX_WAYS or not 0 < len(way.base.changed) <= IN_DISORDER:
            continue
        looked_at += 1
        for further in _further(known, way):
            heappush(queue, (further.rank, next(tie), further))
    return best


def _as_seen(known: Explanations, node: Node) -> Node:
    """``node`` at a higher cost if effects of its moves are not seen."""
    start, best = looks(known.match.layout), known.best
    made_up = DETOUR * sum(
        node.wanted.get(site, EMPTY) != start.get(site, EMPTY)
        and _apart(node.wanted.get(site, EMPTY), best[site])
        >= _apart(start.get(site, EMPTY), best[site])
        for site in node.changed
    )
    return replace(node, cost=node.cost + made_up, score=node.score - made_up)


def _apart(one: Look, other: Look) -> int:
    a, b = Counter(one), Counter(other)
    return (a - b).total() + (b - a).total()


def _further(known: Explanations, way: _Way) -> Iterator[_Way]:
    """Longer ways: with an illegal move more, or legal ones after the last illegal one."""
    if not way.gone_on:
        # After the forbidden step the turn may have gone on as it should.
        reached = [n for n in known.search(way.base, MAX_AFTERWARDS) if n.complete]
        base = max((_noticed(way, node) for node in reached), key=attrgetter("score"))
        yield replace(way, base=base, gone_on=True)
    elif way.steps < MAX_FORBIDDEN:
        yield from _forbidden_steps(known, way)


def _noticed(way: _Way, node: Node) -> Node:
    """``node`` at a higher cost if other players have gone on behind an illegal move."""
    further = {move.player for move in node.moves[len(way.base.moves) :]} - {None}
    if way.refused is None or further <= {way.refused.player}:
        return node
    return replace(node, cost=node.cost + PLAYED_ON, score=node.score - PLAYED_ON)


def _forbidden_steps(known: Explanations, way: _Way) -> Iterator[_Way]:
    """The illegal moves that explain most of what is left."""
    node = way.base
    left = set(node.changed)
    # Where all lies as it should, nobody has moved anything from there or to there.
    open_sites = left.union(node.begun, node.left, known.doubtful)
    seen = {s for s, b in known.beliefs.items() if not b.occluded and s not in open_sites}
    state, last = node.state, _last_player(known, node)
    before = {(objection.rule, objection.code) for objection in way.objections}
    found: list[tuple[float, int, int, Node, Move, list[Objection]]] = []
    pseudo_moves = list(state.pseudo_moves())
    fitting = known.game.inference.fitting(state, pseudo_moves, known.open_looks)
    # A step that is due may have been done wrongly below what shows.
    due = {(move.player, move.verb) for move in state.legal_moves()}
    wrong = [move for move in fitting if (move.player, move.verb) in due]
    covered = known.game.inference.implied(state, wrong, known.best) if len(wrong) > 1 else []
    for move in fitting:
        touched = state.touches(move)
        vouched = bool(touched) and move in covered
        if left.isdisjoint(touched) and not vouched:
            continue
        named = {*touched}.intersection(move.args)
        if len(named) > 1 and not seen.isdisjoint(named):
            continue
        why = state.violations(move)
        if not why:
            continue
        same = way.refused is not None and way.refused.player == move.player
        if same and {(o.rule, o.code) for o in why} <= before:
            cost = AGAIN
        else:
            cost = ILLEGAL + FURTHER * (len(why) - 1) + _out_of_turn(state, move, last)
        child = known.after(node, move, cost)
        if any(not known.best[s] for s in _waits(child).difference(_waits(node), node.changed)):
            continue  # What is only lifted has not been put anywhere.
        # Of several cards at one place each explains a part, which the picture does not reward yet,
        # and what might lie there before it may have to be explained behind it.
        nearer = child.things < node.things or child.apart < node.apart
        if child.score - node.score + cost < 2.0 and not nearer and not vouched:
            continue
        found.append((-child.score, child.apart, len(found), child, move, why))
    for _, _, _, child, move, why in sorted(found)[:MAX_STEPS]:
        against = _not_theirs(node, child, move)
        child.cost, child.score = child.cost + against, child.score - against
        new = tuple(objection for objection in why if objection not in way.objections)
        yield _Way(
            way.legal, child, (*way.objections, *new), way.refused or move, way.steps + 1,
            gone_on=False,
        )  # fmt: skip


def _waits(node: Node) -> set[str]:
    """Sites where something is still to be put."""
    return {*node.begun, *(site for site, (_, wanted) in node.left.items() if wanted)}


def _out_of_turn(state: Any, move: Move, last: int | None) -> float:
    """The cost of a move by a player who is not asked."""
    asked = state.prompt()
    if asked is None or move.player == asked.player:
        return 0.0
    return WENT_ON if move.player == last else OUT_OF_TURN


def _not_theirs(node: Node, after: Node, move: Move) -> float:
    """The cost of a move with pieces that are not the player's own."""
    if move.player is None:
        return 0.0
    put = after.state.layout() - node.state.layout()
    owners = {item.owner for item in put} - {None}
    if owners:
        return 0.0 if move.player in owners else BORROWED
    # Before the hand has left, another player has hardly begun.
    last, asked = _last_of(node.moves), node.state.prompt()
    own_turn = asked is not None and move.player == asked.player
    return HURRIED if own_turn and last not in (None, move.player) else 0.0


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
    start, wanted, best = looks(known.match.layout), looks(base.state.layout()), known.best
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
    state = known.match.state.clone()
    step: tuple[Move, str] | None = None
    for move in base.moves:
        asked = state.prompt()
        if move.actor is Actor.PLAYER and asked is not None:
            step = move, asked.rule
        if site in state.touches(move):
            return None if site in move.args else step
        state.apply(move)
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
