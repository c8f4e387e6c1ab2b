"""Checks the hooks for readings of the table (``rules.core.inference``): whether they
answer for every board there may be, answer what they are asked, and do not agree to everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import Any

from rules.core import Actor, Inference, Layout, Move, State
from rules.hidden import UNSEEN
from rules.reading.sighting import EMPTY, Glimpse, Look, looks
from rules.testing.report import Place, fault

_ANSWER = "Let it answer for every board: nothing at a place, or a piece that never lies there"
ENOUGH = 16
"""Number of times that a hook is asked at least, if there are moves enough."""
_NAMING = "fitting", "plausible"
SIBLINGS = 3
"""Most moves of a position that are looked at beside the one that is played."""


def _own(place: Place, *hooks: str) -> bool:
    """True if the game answers one of these itself, or its position does."""
    asked = (place.game.inference, Inference), (place.state, State)
    return any(
        getattr(type(one), hook) is not getattr(kind, hook)
        for one, kind in asked
        for hook in hooks
        if hasattr(kind, hook)
    )


def check_reading(place: Place) -> None:
    """Ask the hooks that the game has of its own, in this position and in the next."""
    state, move = place.state, place.move
    after = state.clone()
    after.apply(move)
    layout, later = state.layout(), after.layout()
    before, then = _board(place, layout), _board(place, later)
    strange = _strange(place, before)
    asking: list[tuple[tuple[str, ...], Callable[[], None]]] = [
        (("may_lie",), lambda: _tolerance(place, before, strange)),
        (
            ("fitting", "plausible"),
            lambda: _thinkable(place, before, then),
        ),
        (("essence",), lambda: _told_apart(place, after, later)),
        (("remembered",), lambda: state.remembered([e.move for e in place.match.log])),
    ]
    for hooks, ask in asking:
        if _own(place, *hooks):
            try:
                ask()
            except Exception as error:  # whatever it is, it is the finding
                asked = ", ".join(hook for hook in hooks if _own(place, hook))
                place.wrong(f"{asked} fails: {fault(error)}", _ANSWER)
    _check_lifted(place, layout, later, before)


def _board(place: Place, layout: Layout) -> dict[str, Look]:
    """All that a camera would see of a layout."""
    return {**dict.fromkeys(place.sites, EMPTY), **looks(layout)}


def _strange(place: Place, before: Mapping[str, Look]) -> dict[str, Look]:
    """A board after an accident: everything lies where something else should."""
    kinds = sorted(place.box.kinds)
    return {
        site: (Glimpse(kinds[number % len(kinds)]),) if not before[site] else EMPTY
        for number, site in enumerate(before)
    }


def _tolerance(place: Place, before: Mapping[str, Look], strange: Mapping[str, Look]) -> None:
    wrong = [site for site in before if before[site] != strange[site]]
    fewer = wrong[:: 1 + len(wrong) // 12]
    found = place.game.inference.may_lie(place.state, fewer, strange, ())
    place.report.habits.answered("may_lie", len(found) == len(fewer))
    bare = {**before, **dict.fromkeys(fewer, EMPTY)}
    place.game.inference.may_lie(place.state, [site for site in fewer if before[site]], bare, ())


def _thinkable(place: Place, before: Mapping[str, Look], then: Mapping[str, Look]) -> None:
    """Moves that a hook names are legal, and mostly the move that was made is among them."""
    game, state, moves, move = place.game, place.state, place.moves, place.move
    # Nothing may be left to choose from, once a hook has left out the rest.
    list(game.inference.plausible(state, [], before, ()))
    if not place.match.physical:
        return
    for board in (before, then):
        named = game.inference.plausible(state, moves, board, ())
        _legal_only(place, "plausible", [one.move for one in named if one.covered])
    _named_after(place, move, before, then)
    hooks = [hook for hook in _NAMING if _own(place, hook)]
    asked = place.report.habits.asked
    if any(asked[f"{hook} leaves out"] + asked[hook] < ENOUGH for hook in hooks):
        # A hook that is seldom asked is asked about moves that are not played, too.
        for other in [one for one in moves if one != move][:SIBLINGS]:
            after = state.clone()
            after.apply(other)
            _named_after(place, other, before, _board(place, after.layout()))


def _named_after(
    place: Place, move: Move, before: Mapping[str, Look], then: Mapping[str, Look]
) -> None:
    """Check the moves that hooks name if ``move`` was played and the table lies as ``then``."""
    game, state, moves = place.game, place.state, place.moves
    changed = {site: (look,) for site, look in then.items() if look != before[site]}
    if not changed or move.actor is Actor.DEALER:
        return
    leaves_out = place.report.habits.leaves_out
    some: Sequence[Move]
    if _own(place, "fitting"):
        some = game.inference.fitting(state, moves, changed)
        # It may leave out what no picture could tell from many others.
        leaves_out("fitting", move not in some)
    if _own(place, "plausible"):
        named = list(game.inference.plausible(state, moves, then, ()))
        some = [one.move for one in named]
        leaves_out("plausible", move not in some)
        _right_one(place, "plausible", move, some, then)
        place.report.habits.answered("guessed", all(one.guessed for one in named))
        if not all(isfinite(one.against) for one in named):
            place.wrong("plausible gives odds that are no number", "Give 0 for most moves")


def _right_one(
    place: Place, hook: str, move: Move, named: Sequence[Move], then: Mapping[str, Look]
) -> None:
    """Of the moves after which the table lies exactly as it does, at least one is among ``named``;
    a picture may leave open which."""
    if not named or UNSEEN in move.args:
        return
    table = {site: look for site, look in then.items() if look}

    def leads_there(one: Move) -> bool:
        trial = place.state.clone()
        trial.apply(one)
        return looks(trial.layout()) == table

    astray = move not in named and not any(map(leads_there, named))
    place.report.habits.led(hook, f"{place.here}: {hook} leaves {move} out" if astray else "")


def _legal_only(place: Place, hook: str, named: Iterable[Move]) -> None:
    if strange := [one for one in named if place.state.violations(one)]:
        place.wrong(
            f"{hook} names {strange[0]}, which is not legal", f"Let {hook} name legal moves"
        )


def _told_apart(place: Place, after: Any, later: Layout) -> None:
    """Positions with one essence look alike, and the same is asked in them."""
    game = place.game
    states = [(place.move, after, later)]
    for move in islice((one for one in place.moves if one != place.move), SIBLINGS - 1):
        other = place.state.clone()
        other.apply(move)
        states.append((move, other, other.layout()))
    game.inference.essence(place.state)
    met: list[tuple[Any, Move, Any, Layout]] = []
    for move, state, layout in states:
        essence = game.inference.essence(state)
        for same, first, first_state, lay in met:
            if essence == same and first_state.prompt() != state.prompt():
                place.wrong(
                    f"essence is the same after {first} and after {move}, and something else is "
                    "asked",
                    "Leave out of essence only what does not matter to those who play on",
                )
            if essence == same and looks(lay) != looks(layout):
                place.wrong(
                    f"essence is the same after {first} and after {move}, which look different",
                    "Leave out of essence only what does not matter to those who play on",
                )
        met.append((essence, move, state, layout))


def _check_lifted(place: Place, layout: Layout, later: Layout, before: Mapping[str, Look]) -> None:
    """A piece that its player may move is in the hand for a moment, which is no offence."""
    game, state, seat = place.game, place.state, place.move.player
    gone, come = layout - later, later - layout
    lifted = [
        item for item in gone
        if seat is not None and item.owner == seat and item.seen and len(before[item.site]) == 1
        and any(one.kind == item.kind and one.site != item.site for one in come)
    ]  # fmt: skip
    if len(lifted) != 1 or gone.total() != 1 or place.box.kinds[lifted[0].kind].shape == "card":
        return
    site = lifted[0].site
    board = {**before, site: EMPTY}
    try:
        waited_for = game.inference.may_lie(state, [site], board, ())
    except Exception as error:  # whatever it is, it is the finding
        place.wrong(f"may_lie fails: {fault(error)}", _ANSWER)
        return
    if not waited_for:
        place.wrong(
            f"{place.move} begins with {lifted[0].kind} in the hand, which looks like a mistake",
            "Let may_lie say BEGUN where a piece of whoever is to move is gone from its place",
        )
