"""Checks that what a game says of one thing in several ways is the same each time: of a throw, of
what a finger touches, and of the figures in its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from rules.box import TRAY, around, covered, is_cell, turn_of
from rules.core import Actor, Item, Layout, Prompt
from rules.testing.report import Place
from rules.testing.statistics import Habits


def check_agreement(place: Place, before: Layout, after: Layout) -> None:
    """``before``, ``after``: what lies on the table without the move, and with it."""
    _check_thrown(place, before, after)
    _check_touched(place, before - after, after - before)


def _check_thrown(place: Place, before: Layout, after: Layout) -> None:
    """Check that dice lie in their tray with the faces that the throw says, if they lie at all,
    that nobody else changes them, and that they are taken up for the next throw."""
    throw, move, habits = place.state.throw(), place.move, place.report.habits
    if throw is None or move not in throw:
        if move.actor is Actor.PLAYER:
            for kind, face in _shown(place, after, habits.dice) - _shown(
                place, before, habits.dice
            ):
                place.wrong(
                    f"after '{move}' a {kind} shows '{face}', which nobody has thrown",
                    "Let layout keep what was thrown, or leave it out",
                )
        return
    habits.dice.update(throw.dice)
    habits.left_lying[before != throw.taken_up(before)] += 1
    due = throw.lying(before, move)
    lies, should = (_faces(layout, throw.dice) for layout in (after, due))
    if lies - _faces(throw.taken_up(before), throw.dice) and not lies <= should:
        strange = min(lies - should)
        place.wrong(
            f"after '{move}' a {strange[1]} of face '{strange[2]}' lies at {strange[0]}",
            f"Show in layout the faces that were thrown, at {throw.site} as the throw says",
        )


def _shown(place: Place, layout: Layout, dice: Collection[str]) -> Counter[tuple[str, str]]:
    """The faces of dice in trays."""
    found, sites = Counter[tuple[str, str]](), place.box.sites
    for item, number in layout.items():
        if item.kind in dice and item.site in sites and sites[item.site].kind == TRAY:
            found[item.kind, item.pose] += number
    return found


def _faces(layout: Layout, dice: Sequence[str]) -> Counter[tuple[str, str, str]]:
    found = Counter[tuple[str, str, str]]()
    for item, number in layout.items():
        if item.kind in dice:
            found[item.site, item.kind, item.pose] += number
    return found


def _check_touched(place: Place, gone: Layout, come: Layout) -> None:
    """Check that places are touched in the order in which a piece goes, and are those that it
    covers or points to."""
    move, box = place.move, place.box
    named = place.game.touch.places(place.state, move)
    touched = named or [arg for arg in move.args if arg in box.sites]
    if move.player is None or len(touched) < 2:
        return
    first, last = touched[0], touched[-1]
    if _kinds_at(gone, last) & _kinds_at(come, first) and not _kinds_at(gone, first):
        place.wrong(
            f"{move} is said by touching {first} first, and the piece comes from {last}",
            "Name in places, or in the move, what is taken up first, then where it goes",
        )
    laid = [item for item in come if item.site == first and item.kind in box.kinds]
    if len(laid) == 1 and named and is_cell(box, first):
        _check_lying(place, laid[0], named)


def _check_lying(place: Place, item: Item, named: Sequence[str]) -> None:
    kind = place.box.kinds[item.kind]
    covers = covered(kind, item.site, item.pose)
    if kind.cells and {*covers} != {*named}:
        place.wrong(
            f"{place.move} is said by touching {', '.join(named)}, and {item.kind} covers "
            f"{', '.join(covers)}",
            "Let places and the pose in layout say the same",
        )
        return
    near = around(item.site, len(kind.poses)) if kind.turns else ()
    if len(named) == 2 and named[1] in near:
        place.report.habits.pointing[near[turn_of(item.pose)] == named[1]] += 1


def _kinds_at(layout: Layout, site: str) -> set[str]:
    return {item.kind for item in layout if item.site == site}


def count_down(habits: Habits, asked: Iterable[Prompt]) -> None:
    """Follow the figures of one match's questions: many say how often something is still asked."""
    last: dict[tuple[str, str, int | None], int] = {}
    for prompt in asked:
        for name, value in prompt.values.items():
            if not isinstance(value, int) or name in ("player", "other"):
                continue
            key = prompt.code, name, prompt.player
            if (before := last.get(key)) is not None:
                count = habits.counted.setdefault((prompt.code, name), Counter())
                count[before - value] += 1
                if value >= before:
                    habits.counted_to.setdefault((prompt.code, name), Counter())[before] += 1
            last[key] = value
