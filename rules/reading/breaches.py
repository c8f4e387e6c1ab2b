"""What the rules forbid, as an explanation of a sighting: refused moves, and pieces disturbed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rules.core import Move, Objection
from rules.reading.explaining import Explanations, Node
from rules.reading.sighting import EMPTY, Glimpse

ILLEGAL = 4.5
"""Somebody does what the rules forbid."""
AGAIN = 0.3
"""… and does the same once more, such as a second coin of a fan."""
OUT_OF_TURN = 0.8
"""… and it is not even their turn."""
DISTURBED = 6.0
"""A piece was shifted, lost or added without any move."""

MAX_BREACHED = 4
"""Number of legal explanations behind which forbidden acts are looked for."""
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


def likeliest_breach(known: Explanations, nodes: Sequence[Node]) -> Breach | None:
    """The likeliest explanation of all that is left by forbidden acts.

    ``nodes``: what legal moves explain of it.
    """
    best: Breach | None = None
    for node in sorted(nodes, key=lambda node: -node.score)[:MAX_BREACHED]:
        for breach in _breaches_from(known, node):
            if best is None or breach.score > best.score:
                best = breach
    return best


def _breaches_from(known: Explanations, node: Node) -> Iterator[Breach]:
    left = node.changed
    if not left:
        return
    yield _disturbance(known, node, left, (), None, node)
    if len(left) > IN_DISORDER:
        return
    base = node
    objections: tuple[Objection, ...] = ()
    refused: Move | None = None
    for _ in range(MAX_FORBIDDEN):
        step = _forbidden_step(known, base, left, objections)
        if step is None:
            return
        base, move, why = step
        new = tuple(objection for objection in why if objection not in objections)
        objections, refused = (*objections, *new), refused or move
        # After the forbidden step the turn may have gone on as it should.
        further = (n for n in known.search(base, MAX_AFTERWARDS) if n.complete)
        base = max(further, key=lambda node: node.score)
        left = base.changed
        yield _disturbance(known, base, left, objections, refused, node)
        if not left:
            return


def _forbidden_step(
    known: Explanations, node: Node, left: Collection[str], before: Sequence[Objection]
) -> tuple[Node, Move, tuple[Objection, ...]] | None:
    """The forbidden move that explains most of the sites ``left``.

    ``before``: what forbids those that came before; once more for the same reasons is one act.
    """
    game = known.game
    best: tuple[Node, Move, tuple[Objection, ...]] | None = None
    asked = node.state.prompt()
    open_sites = set(left)
    for move in game.inference.fitting(
        node.state, list(node.state.pseudo_moves()), known.open_looks
    ):
        touched = node.state.touches(move)
        if open_sites.isdisjoint(touched):
            continue
        why = node.state.violations(move)
        if not why:
            continue
        cost = ILLEGAL
        if set(why) <= set(before):
            cost = AGAIN
        elif asked is not None and move.player != asked.player:
            cost += OUT_OF_TURN
        child = known.after(node, move, cost)
        # Of several cards at one place each explains a part, which the picture does not reward yet.
        if child.score - node.score + cost < 2.0 and child.things >= node.things:
            continue
        if best is None or child.score > best[0].score:
            best = (child, move, tuple(why))
    return best


def _disturbance(
    known: Explanations,
    base: Node,
    left: Collection[str],
    objections: tuple[Objection, ...],
    refused: Move | None,
    legal: Node,
) -> Breach:
    """Explain ``left`` by pieces shifted, missing, added or swapped."""
    rule = known.game.handling_rule
    gone = {s: Counter(base.wanted.get(s, EMPTY)) - Counter(known.best[s]) for s in left}
    come = {s: Counter(known.best[s]) - Counter(base.wanted.get(s, EMPTY)) for s in left}
    score = base.score + sum(
        known.beliefs[s].score(known.best[s]) - known.beliefs[s].score(base.wanted.get(s, EMPTY))
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
    score -= DISTURBED * len(found)
    # Only moves can be played against the rules; a shifted piece has no move.
    anyway = base.moves if refused is not None and not found else ()
    return Breach(legal, score, (*objections, *found), refused, anyway, bool(found))


def _kind(glimpses: Counter[Glimpse]) -> str:
    """One of several, always the same."""
    return min(glimpse.kind for glimpse in glimpses)
