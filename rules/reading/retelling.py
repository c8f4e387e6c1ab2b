"""Explanations by which the record is wrong: moves were taken back, or its open end is told anew.

The picture still decides: positions from here are searched and weighed as all others, and cost as
much more as it is rare that people change what was agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from rules.core import Actor, Lies, Move
from rules.reading.explaining import MAX_NODES_OPENING, MAX_NODES_RETOLD, STEP, Explanations
from rules.reading.order import in_order
from rules.reading.sighting import EMPTY, Look
from rules.reading.since import MORE_TAKEN_BACK, TAKEBACK
from rules.reading.weighing import MARGIN, MAX_TAKEBACK, Node

# Costs are natural-log odds against the ordinary, see ``explaining``.
STANDS = 7.0
"""Moves of several players, which were seen, were taken back: pieces go to and fro, so what looks
like an earlier position mostly is a new one."""
GONE_ON = 2.0
"""… although others have gone on from there meanwhile."""
CONCLUDED = 2.0
"""Moves that were only concluded, from the absence of something, were concluded wrongly."""
MOST_RETOLD = 10.0
"""Most that a record told anew may cost where nothing else explains everything."""


def takebacks(known: Explanations) -> list[Node]:
    """Earlier positions of the match that look like the picture."""
    for number in _decisions(known):
        # Whoever takes a move back leaves the table as it was.
        if len(known.unlike(known.before(number))) > known.start.tolerated:
            continue
        cost = _against_undoing(known, number) + MORE_TAKEN_BACK * number
        node = _back_to(known, number, cost)
        loose = node.tolerated + len(node.begun)
        as_it_was = not node.changed and loose <= known.start.tolerated
        if as_it_was and node.score + node.cost > known.start.score + 1.0:
            return [node]
    return []


def earlier(known: Explanations) -> Iterator[Node]:
    """Earlier positions of the open turn that look like the picture, the latest first."""
    for number in _decisions(known):
        if known.turns_back(number) > 1:
            return
        node = _back_to(known, number, _against_undoing(known, number))
        if not node.changed and not node.begun:
            yield node


def retold(known: Explanations, best: Node, *, certain: bool) -> list[Node]:
    """Positions that explain everything if the open end of the record is told anew, see
    ``Since.openings``: those that are not much less likely than ``best``, with ``certain``
    only where this costs nothing. No farther point is tried if it cannot be likelier."""
    least = known.top - MOST_RETOLD if best.changed else best.score
    found: list[Node] = []
    left = MAX_NODES_RETOLD
    tried = {known.start.at}
    for opening in known.since.openings:
        if left <= 0 or any(n.score - MARGIN >= known.top - opening.cost - STEP for n in found):
            break
        same = twin(known, opening.takeback) if opening.concluded else None
        if certain and opening.cost > 0.0 and same is None:
            continue
        undone = _undone(known, opening.takeback)
        recorded = tuple(entry.move for entry in known.match.log[-opening.takeback :])
        shown = Counter(move for move, shows in undone.items() if shows)
        if opening.touched and not shown:
            continue  # What people say and nobody can see is as they say.
        root = _back_to(known, opening.takeback, 0.0)
        root.opening = opening
        turns = known.turns_back(opening.takeback)
        paid = 0.0 if same is not None else min(opening.cost, CONCLUDED)
        most = min(left, MAX_NODES_OPENING)
        known.seen_before = () if opening.touched else shown
        reached = known.search(root, most, least + paid, known=tried)
        known.seen_before = ()
        tried.add(root.at)
        left -= len(reached)
        for node in reached:
            if not _is_instead(known, node, undone) or _leaves_over(known, node, shown):
                continue
            if not opening.touched:
                moves = in_order(root.state, node.moves, known.usual, known.best)
                told = node if moves == node.moves else moves and known.played(node, moves)
                if not told:
                    continue
                node = told
            if _is_recorded(node.moves, recorded):
                continue
            # What was seen stands; only what was concluded is told anew.
            stands = known.all_lies_still or not shown - Counter(node.moves)
            cost = min(opening.cost, CONCLUDED) if stands else opening.cost
            if same is not None and node.moves[0] == same:
                cost = 0.0
            elif certain and cost > 0.0:
                continue
            elif not stands and known.turns(node.moves, opening.takeback) > turns:
                cost += GONE_ON
            node.cost += cost
            node.score -= cost
            if (ended := _ended(known, node, opening.then)) is not None:
                found.append(ended)
    return found


def _is_recorded(moves: Sequence[Move], recorded: Sequence[Move]) -> bool:
    """True if ``moves`` are the ``recorded`` ones, but for draws at their end that follow by
    themselves: that is nothing else."""
    left_out = recorded[len(moves) :]
    same = tuple(recorded[: len(moves)]) == tuple(moves)
    return same and all(move.actor is Actor.DEALER for move in left_out)


def twin(known: Explanations, number: int) -> Move | None:
    """The legal move that leaves the same on the table as that ``number`` moves ago in the
    record, said with the same words but for the verb, such as a fall from a roll."""
    before, move = known.before(number), known.match.log[-number].move
    if not move.args:
        return None
    lies = known.compared(known.before(number - 1)).looks
    named = (m for m in before.legal if m.args == move.args and m.player == move.player)
    twins = (m for m in named if m != move and known.compared(before.after(m)).looks == lies)
    return next(twins, None)


def undoes(known: Explanations, back: int) -> bool:
    """True if something that the last ``back`` moves of the record put down has visibly been taken
    up again, or lies as before it."""
    usual, before = known.usual, known.compared(known.before(back)).looks
    gone = {
        site
        for site in (*known.start.changed, *known.start.left)
        if _taken_up(before.get(site, EMPTY), usual.get(site, EMPTY), known.best[site])
    }
    return bool(gone) and any(
        not gone.isdisjoint(known.before(number).touches(known.match.log[-number].move))
        for number in range(1, back + 1)
    )


def _undone(known: Explanations, number: int) -> dict[Move, bool]:
    """The last ``number`` moves of the record, each with True if it showed."""
    undone: dict[Move, bool] = {}
    for back in range(1, number + 1):
        before, move = known.before(back), known.match.log[-back].move
        shows = bool(before.touches(move))
        after = known.compared(known.before(back - 1)).looks if shows else {}
        undone[move] = shows and known.compared(before).looks != after
    return undone


def _is_instead(known: Explanations, node: Node, undone: Mapping[Move, bool]) -> bool:
    """True if ``node`` explains everything by moves that may have been made, not ``undone``."""
    if not node.complete or not node.moves or node.changed:
        return False
    if _only_earlier(known, Counter(undone.keys()), node.moves):
        return False
    return not (_only_undraws(undone, node.moves) or _handed_on(undone, node.moves))


def _leaves_over(known: Explanations, node: Node, shown: Collection[Move]) -> bool:
    """True if ``node`` leaves open where something comes from that is in the record and was seen
    when it was made."""
    sites = {site for site, how in node.lies.items() if how is Lies.UNTOLD}
    if not sites:
        return False
    seen = {known.match.log[-n].move: n for n in range(1, node.takeback + 1)}
    return any(
        not sites.isdisjoint(known.before(seen[move]).touches(move))
        for move in shown
        if move not in node.moves
    )


def _ended(known: Explanations, node: Node, then: Sequence[Move]) -> Node | None:
    """``node`` with the moves ``then``, which are known to have come last; None if they hold
    it already in another place than its end."""
    for move in then:
        if move in node.moves:
            continue
        if node.state.violations(move):
            continue  # The turn ended without it.
        node = known.after(node, move, 0.0)
    return node


def _against_undoing(known: Explanations, number: int) -> float:
    undone = ((n, known.match.log[-n].move) for n in range(1, number + 1))
    seen = {move.player for n, move in undone if known.before(n).touches(move)} - {None}
    return STANDS if len(seen) > 1 else TAKEBACK


def _only_earlier(known: Explanations, undone: Counter[Move], moves: Sequence[Move]) -> bool:
    """True if nothing was changed, but something else would have had to come first.

    ``undone`` was taken back, ``moves`` were played instead. What leaves no trace may have come
    first without anybody having said so.
    """
    rest = Counter(moves)
    if undone - rest:
        return False
    here, hidden = known.before(0), known.since.hidden
    return any(not hidden.issuperset(here.touches(move)) for move in rest - undone)


def _only_undraws(undone: Collection[Move], moves: Sequence[Move]) -> bool:
    """True if nothing is told anew, but something drawn goes back: nobody does that."""
    left_out = [move for move in undone if move not in moves]
    told_anew = any(move not in undone for move in moves)
    return bool(left_out) and not told_anew and all(m.actor is Actor.DEALER for m in left_out)


def _decisions(known: Explanations) -> Iterator[int]:
    """The number of moves since before each of the last decisions, the last one first.

    What was drawn since goes back with the decision; nobody takes back a mere draw.
    """
    shown = False
    for number in range(1, min(MAX_TAKEBACK, known.match.ply) + 1):
        move = known.match.log[-number].move
        if move.actor is Actor.DEALER:
            continue
        shown = shown or bool(known.before(number).touches(move))
        if shown:
            yield number


def _back_to(known: Explanations, number: int, cost: float) -> Node:
    return known.weighed(Node(known.before(number), (), {}, {}, takeback=number, cost=cost))


def _handed_on(undone: Collection[Move], moves: Sequence[Move]) -> bool:
    """True if somebody else is said to have done what was ``undone``; nobody changes that."""
    return any(
        one.args and one.args == move.args and None not in (one.player, move.player)
        for one in undone
        for move in moves
        if one.player != move.player and one not in moves
    )


def _taken_up(before: Look, put: Look, lies: Look) -> bool:
    """True if some of what was ``put`` where ``before`` lay has been taken up again: all lies as
    before it, or something older shows without it."""
    if lies in (EMPTY, before):
        return bool(put)
    older = Counter(before)
    return bool(older & Counter(lies) and Counter(put) - older - Counter(lies))
