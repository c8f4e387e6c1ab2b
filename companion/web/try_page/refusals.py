"""What fingers meant that touched what is not allowed: the move, and why not."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.match.layout_diff import sites_of
from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.touching import Finger, Picked, Play
from rules.core import Actor, Move, Objection
from rules.match import Match

__all__ = ["tried"]


def tried(
    match: Match, view: TableView, finger: Finger, things: Sequence[str], sites: Sequence[str],
    verbs: Collection[str] | None = None,
) -> tuple[Move, list[Objection]] | None:  # fmt: skip
    """The forbidden move that is said by these things of a hand and these places, one after the
    other, and what speaks against it; None if there is no such. ``verbs``: one of these only."""
    for move in (*_by_finger(view, finger, things, sites), *_by_hands(match, view, things, sites)):
        objections = match.why_not(move)
        if objections and (verbs is None or move.verb in verbs):
            return move, objections
    return None


def _by_finger(
    view: TableView, finger: Finger, things: Sequence[str], sites: Sequence[str]
) -> list[Move]:
    """As at a table's own screen."""
    if not sites:
        return []
    box = box_of(view)
    kind = next((thing for thing in things if thing in box.kinds), "")
    finger.picked = Picked(tuple(sites[:-1]), kind)
    answer = finger.touch_site(view, box, sites[-1])
    finger.clear()
    return [answer.move] if isinstance(answer, Play) else []


def _by_hands(
    match: Match, view: TableView, things: Sequence[str], sites: Sequence[str]
) -> list[Move]:
    """What hands could try: the moves that name the most of what was touched."""
    box = box_of(view)
    marks = {thing: box.kinds[thing].mark if thing in box.kinds else thing for thing in things}
    # Whoever has the device in their hands is the one who is asked.
    prompt = view.prompt
    mover = prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None
    found: list[tuple[int, Move]] = []
    for move in match.state.pseudo_moves():
        named = sites_of(move, box)
        if move.player != mover or (sites and sites[-1] not in named):
            continue
        words = {part for arg in move.args for part in (arg.partition("=")[2] or arg).split(",")}
        said = sum(thing in words or mark in words for thing, mark in marks.items())
        same = sum(site in named for site in sites)
        if said or (sites and same):
            found.append((said + same - abs(len(named) - len(sites)), move))
    found.sort(key=lambda one: (-one[0], one[1].text))
    return [move for _number, move in found]
