"""Variations of an explanation: other moves, or more of them, that explain as much.

A search follows a few of the moves that look alike. What else a picture leaves open is found from
the likeliest explanation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations

from rules.core import Actor, Move
from rules.reading.explaining import (
    DETOUR,
    MAX_NODES_OPENING,
    MAX_NODES_RETOLD,
    STEP,
    Explanations,
)
from rules.reading.weighing import Node, Position

MOST_LAID = 4
"""Number of steps that are added because something lay there that lies below something else now."""


def instead_of_passing(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain everything if a player who is said to have passed did something
    that later moves of ``node`` cover, or something hides, or that leaves no trace but matters
    to all."""
    here, differ, left = known.start, known.otherwise(0) | known.hidden, MAX_NODES_RETOLD
    for number, move in enumerate(node.moves):
        if move.verb == "done":
            for other in _that_hide(known, here, move, differ):
                if left > 0:
                    after = known.after(here, other, STEP)
                    reached = known.search(after, min(left, MAX_NODES_OPENING))
                    left -= len(reached)
                    yield from (n for n in reached if n.complete and not n.changed)
        here = replace(here, at=here.at.after(move), moves=node.moves[: number + 1])


def _that_hide(
    known: Explanations, here: Node, passing: Move, differ: Collection[str]
) -> Iterator[Move]:
    """Moves that may have been made in place of ``passing``, one for each that matters."""
    essence = known.game.inference.essence
    ends = [essence(here.at.after(passing).state)]
    for other in here.at.legal:
        touched = here.at.touches(other)
        if other.player != passing.player or not set(differ).issuperset(touched):
            continue
        if touched:
            yield other
        elif other != passing and passing in (after := known.after(here, other, 0.0)).at.legal:
            end = essence(after.at.after(passing).state)
            if end not in ends:
                ends.append(end)
                yield other


def exchanged(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much if two players made each other's steps, such as taking
    one of two cards: nobody sees who took which."""
    for (a, one), (b, other) in combinations(enumerate(node.moves), 2):
        alike = one.verb == other.verb and one.actor is other.actor is Actor.PLAYER
        if not alike or one.player == other.player or one.args == other.args:
            continue
        moves = list(node.moves)
        moves[a] = Move.of(one.player or 0, one.verb, *other.args)
        moves[b] = Move.of(other.player or 0, other.verb, *one.args)
        if (changed := known.played(node, moves)) is not None:
            yield changed


def alike_instead(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much if another step was made for one of ``node`` that looks
    alike: of many such steps only a few were followed. If the search was cut short, it may be
    any that left no trace: what shows after one of two shows after the other."""
    if known.all_known:
        return
    here = Node(known.before(node.takeback), (), {}, {}, takeback=node.takeback)
    many = len(node.moves) if node.one_of_many is None else node.one_of_many
    for number, move in enumerate(node.moves):
        after = replace(here, at=here.at.after(move), moves=node.moves[: number + 1])
        looks = known.compared(after.at).looks
        silent = known.cut_short and known.compared(here.at).looks == looks
        if move.actor is Actor.PLAYER and (silent or number >= many):
            for other, one in known.thought_of(here).items():
                kind = one.covered if silent else other.verb == move.verb
                if not kind or other == move or other.player != move.player:
                    continue
                moves = [*here.moves, other, *node.moves[number + 1 :]]
                changed = known.played(node, moves, one.against)
                if changed is not None and known.compared(here.at.after(other)).looks == looks:
                    changed.guessed = node.guessed or one.guessed
                    changed.before_guess = here.moves if one.guessed else node.before_guess
                    yield changed
        here = after


def by_another_way(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much if a piece went there by another place than in ``node``, of
    which nothing is left either; a search that was cut short follows a few of them."""
    at = known.before(node.takeback)
    places = [at, *(at := at.after(move) for move in node.moves)]
    for (a, come), (b, gone) in combinations(enumerate(node.moves), 2):
        if come.player != gone.player or come.actor is not Actor.PLAYER:
            continue
        begun = {*places[a].touches(come)}
        between = begun & {*places[b].touches(gone)} - known.otherwise(0)
        if len(between) != 1 or begun == between:
            continue
        ends = {*places[b].touches(gone)} - between
        for other in _from(places[a], come, begun - between):
            aside = {*places[a].touches(other)} - begun
            at, rest = places[a].after(other), node.moves[a + 1 : b]
            for move in rest:
                if at.state.violations(move):
                    break
                at = at.after(move)
            else:
                for last in _from(at, gone, ends | aside):
                    moves = (*node.moves[:a], other, *rest, last, *node.moves[b + 1 :])
                    if (changed := known.played(node, moves)) is not None:
                        yield changed


def _from(at: Position, like: Move, sites: Collection[str]) -> Iterator[Move]:
    """Legal moves like another one that touch ``sites``."""
    for move in at.legal:
        alike = move != like and (move.player, move.verb) == (like.player, like.verb)
        if alike and {*at.touches(move)}.issuperset(sites):
            yield move


def dealt_between(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much if something else was turned up first, which a later step
    took instead of one that left no trace, before what lies there now was turned up: one
    stands for all that nobody saw."""
    here = Node(known.before(node.takeback), (), {}, {}, takeback=node.takeback)
    dealt: list[tuple[Node, Move]] = []
    for number, move in enumerate(node.moves):
        if move.actor is Actor.PLAYER and _is_traceless(known, here.at, move):
            for before, seen in dealt:
                yield from _taken_between(known, node, before, seen, number)
        elif move.actor is Actor.DEALER and here.at.touches(move):
            dealt.append((here, move))
        here = replace(here, at=here.at.after(move), moves=node.moves[: number + 1])


def _is_traceless(known: Explanations, at: Position, move: Move) -> bool:
    return known.compared(at).looks == known.compared(at.after(move)).looks


def _taken_between(
    known: Explanations, node: Node, here: Node, seen: Move, number: int
) -> Iterator[Node]:
    """``node`` if something else than ``seen`` was turned up ``here`` first, and taken by its
    move ``number``."""
    others = (move for move in here.at.legal if move.args[:-1] == seen.args[:-1])
    other = next((m for m in others if m.verb == seen.verb and m != seen), None)
    if other is None:
        return
    start, passed = len(here.moves), node.moves[number]
    between = node.moves[start + 1 : number]
    was, at = here.at.after(seen), here.at.after(other)
    for move in between:
        if at.state.violations(move):
            return
        was, at = was.after(move), at.after(move)
    drawn, rest = was.after(passed), node.moves[number + 1 :]
    while rest and rest[0].actor is Actor.DEALER and _is_traceless(known, drawn, rest[0]):
        drawn, rest = drawn.after(rest[0]), rest[1:]
    as_well = {*was.legal}
    for move in at.legal:
        if move.player != passed.player or move in as_well:
            continue
        moves = (*here.moves, other, *between, move, seen, *rest)
        changed = known.played(node, moves, DETOUR)
        if changed is not None:
            changed.guessed, changed.before_guess = True, here.moves
            yield changed
            return


def once_more(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much if something was put once more where the same lay already:
    nobody sees how many such things lie there. While it may still be entered, nobody asks."""
    if known.all_known or node.again == MOST_LAID:
        return
    at, log, end = known.before(node.takeback), known.match.log, node.at
    moves = [*(entry.move for entry in log[: len(log) - node.takeback][-1:]), *node.moves]
    for number, move in enumerate(moves, len(node.moves) - len(moves)):
        at = at.after(move) if number >= 0 else at
        over = move.actor is Actor.PLAYER and end.state.violations(move)
        if not over or at.state.violations(move) or not at.touches(move):
            continue
        if not _is_traceless(known, at, move):
            continue
        more = (*node.moves[: number + 1], move, *node.moves[number + 1 :])
        changed = known.played(node, more, STEP)
        if changed is not None:
            changed.again += 1
            yield changed
            yield from once_more(known, changed)
            return


def laid_before(known: Explanations, node: Node) -> Iterator[Node]:
    """Positions that explain as much with further steps: they put there what lay there
    meanwhile, and lies below something else now."""
    for _ in range(MOST_LAID):
        more = list(_one_more(known, node))
        yield from more
        if not more:
            return
        node = min(more, key=lambda one: len(known.since.lay - known.passed(one)))


def _one_more(known: Explanations, node: Node) -> Iterator[Node]:
    gone = known.since.lay - known.passed(node) if known.since.lay else frozenset()
    here = known.before(node.takeback)
    for number in range(len(node.moves) if gone else 0):
        for move in here.legal:
            put = [(site, look) for site, look in gone if site in here.touches(move)]
            lies = known.compared(here.after(move)).looks if put else {}
            if any(lies.get(site) == look for site, look in put):
                moves = (*node.moves[:number], move, *node.moves[number:])
                changed = known.played(node, moves, STEP)
                if changed is not None:
                    yield _told_anew(known, changed)
        here = here.after(node.moves[number])


def _told_anew(known: Explanations, node: Node) -> Node:
    """``node``, whose moves may stand for others no longer now that more are known."""
    here = Node(known.before(node.takeback), (), {}, {}, takeback=node.takeback)
    for number, move in enumerate(node.moves):
        thought = known.thought_of(here).get(move) if node.guessed else None
        if thought is not None and thought.guessed:
            node.before_guess = here.moves
            return node
        here = replace(here, at=here.at.after(move), moves=node.moves[: number + 1])
    node.guessed, node.before_guess = False, ()
    return node
