"""Ways out of waiting: the likeliest readings of what no picture tells, from which people choose.

While hands are at work a reading waits for what only people can know, or what the next look shows.
Once the table lies calm, the likeliest are offered. The truth may not be among them: then people
enter it, or hands go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from rules.core import Move
from rules.match import Match
from rules.reading.case import MOST_ANSWERS, Case, candidates
from rules.reading.explaining import MAX_NODES_OPENING, MAX_NODES_RETOLD, Explanations
from rules.reading.meaning import MISSING, Reading, Status
from rules.reading.retelling import retold
from rules.reading.sighting import Left, Sighting
from rules.reading.since import LONG_AGO, Since
from rules.reading.weighing import Node

MOST_TRIED = 60
"""Number of unseen runs that are carried out."""


def ways_out(
    match: Match,
    sighting: Sighting,
    awaiting: Collection[str] = (),
    left: Left | None = None,
    since: Since = LONG_AGO,
    *,
    touched: Move | None = None,
) -> Reading | None:
    """The same waiting with a few likely readings to choose from; None if none is known, or while
    something is hidden. ``touched``: a move that people have named; all of these hold it."""
    case = Case(Explanations(match, sighting, left or {}, since), awaiting)
    if sighting.hand or case.hidden:
        return None
    nodes = sorted(_likely(case, touched), key=lambda node: -node.score)
    answers = candidates(_distinct(case, nodes)[:MOST_ANSWERS])
    return Reading(Status.PENDING, candidates=answers, doubt=MISSING) if answers else None


def _likely(case: Case, touched: Move | None) -> Iterator[Node]:
    """Positions after which all lies as it may, seen or not."""
    for node in (*case.nodes, *_other_minds(case)):
        whole = (node.moves or node.takeback) and _lies_right(case, node)
        if whole and not node.guessed and (touched is None or touched in node.moves):
            yield node
    yield from unseen_ways(case, touched)


def _other_minds(case: Case) -> Iterator[Node]:
    """Positions to which another step of the open turn led than was recorded, where what lies there
    now may lie there for other reasons as well."""
    now = case.match.prompt
    for node in retold(case.known, case.start, certain=False) if case.as_recorded else ():
        then = node.state.prompt()
        goes_on = now is not None and then is not None and then.player == now.player
        if goes_on and case.known.turns_back(node.takeback) == 1:
            yield node


def unseen_ways(case: Case, touched: Move | None = None) -> Iterator[Node]:
    """Positions that runs of which nothing shows lead to, such as a turn cleared away; the
    likeliest first."""
    known, start = case.known, case.start
    runs = known.runs(start).unseen
    fits = (run for run in runs if touched is None or touched in run.moves)
    found, left = 0, MAX_NODES_RETOLD
    for node in known.told(start, islice(fits, MOST_TRIED)):
        there = known.instead(node.state)
        if not _lies_right(case, there) and left > 0:
            # The next player may have gone on; what they did is read once this one is told.
            reached = known.search(node, min(left, MAX_NODES_OPENING))
            left -= len(reached)
            shown = (n for n in reached if n.complete and not (n.guessed or n.unseen or n.implied))
            there = next((n for n in shown if _lies_right(case, n)), there)
        if _lies_right(case, there):
            node.score, found = there.score - node.cost, found + 1
            yield node
        if found == MOST_ANSWERS:
            return


def _lies_right(case: Case, node: Node) -> bool:
    """True if all lies as it may, but for what hands are still to do."""
    return case.awaiting.issuperset((*node.changed, *node.begun))


def _distinct(case: Case, nodes: Sequence[Node]) -> list[Node]:
    """``nodes`` without those that come to the same as one before them."""
    essence = case.match.game.inference.essence
    found: dict[str, Node] = {}
    for node in nodes:
        found.setdefault(repr(essence(node.state)), node)
    return list(found.values())
