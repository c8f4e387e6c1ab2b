"""Other worlds: matches that look the same to one player, in which the secrets of others differ.

A world is a whole match, move by move. Two are alike for a seat if every move looks the same to it
(``State.public``) and a table would have shown the same (``State.shown``); what ``State.view`` says
is not asked, so that a view which says too much is found as well. One world is made out of another
by exchanging what two hidden moves brought, and repairing what no longer fits afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rules.core import Move
from rules.hidden import UNSEEN
from rules.match import Entry, Match

_Look = tuple[Move, tuple[Move, ...] | None]
"""A move as a seat sees it, and as a table shows it; None: of that no more than the move is
remembered."""
_TRIES = 6
"""Number of exchanges that are tried for every world wanted …"""
_EXCHANGES = 3
"""… and number of those that are made in it, if that many succeed."""
_LATEST = 12
"""Number of latest hidden moves of which mostly one is exchanged, because what they brought still
matters."""


def worlds(
    match: Match, seat: int | None, count: int, random: Random, *, later: bool = False
) -> Iterator[Match]:
    """Up to ``count`` matches that ``seat`` (None: the public) cannot tell from ``match``; fewer if
    few are found. They come one out of the other, so the last ones differ most. ``later``: for
    whoever knows no more of the moves than the list of them says now (``State.remembered``)."""
    looks, here = _looks(match, seat), match
    if later:
        told = match.state.remembered([look for look, _shown in looks])
        looks = [
            look if now == look[0] else (now, None) for look, now in zip(looks, told, strict=True)
        ]
    for _number in range(count):
        made = 0
        for _try in range(_TRIES):
            other = _exchanged(here, looks, seat, random)
            if other is not None:
                here, made = other, made + 1
            if made == _EXCHANGES:
                break
        if [entry.move for entry in here.log] != [entry.move for entry in match.log]:
            yield here


def alike(one: Match, other: Match, seat: int | None) -> bool:
    """True if two matches look the same to ``seat``, move by move."""
    return one.ply == other.ply and _looks(one, seat) == _looks(other, seat)


def _looks(match: Match, seat: int | None) -> list[_Look]:
    state, looks = _begin(match), list[_Look]()
    for entry in match.log:
        looks.append(_look(state, entry.move, seat))
        state.apply(entry.move)
    return looks


def _look(state: Any, move: Move, seat: int | None) -> tuple[Move, tuple[Move, ...]]:
    return state.public(move, seat), state.shown(move)


def _fits(state: Any, move: Move, seat: int | None, look: _Look) -> bool:
    if look[1] is not None:
        return _look(state, move, seat) == look
    seen, told = state.public(move, seat), look[0]
    return (seen.actor, seen.player, seen.verb) == (told.actor, told.player, told.verb) and all(
        now in (arg, UNSEEN) for arg, now in zip(seen.args, told.args, strict=True)
    )


def _begin(match: Match) -> Any:
    return match.beginning()


def _exchanged(
    here: Match, looks: Sequence[_Look], seat: int | None, random: Random
) -> Match | None:
    """``here`` with what two hidden moves brought exchanged, if that leads to a world."""
    moves = [entry.move for entry in here.log]
    hidden = [
        n for n, move in enumerate(moves) if UNSEEN in looks[n][0].args and looks[n][0] != move
    ]
    if not hidden:
        return None
    first = random.choice(hidden[-_LATEST:] if random.random() < 0.8 else hidden)
    partners = [
        n for n in hidden
        if n != first and moves[n] != moves[first]
        and looks[n][0].verb == looks[first][0].verb
        and len(_unseen(looks[n][0])) == len(_unseen(looks[first][0]))
    ]  # fmt: skip
    plan = dict(enumerate(moves))
    if partners:
        second = random.choice(partners[-_LATEST:] if random.random() < 0.8 else partners)
        plan[first] = _filled(looks[first][0], moves[first], moves[second], looks[second][0])
        plan[second] = _filled(looks[second][0], moves[second], moves[first], looks[first][0])
        start = min(first, second)
    else:
        del plan[first]
        start = first
    return _replayed(here, plan, looks, start, seat, random)


def _is_hidden(move: Move, look: Move) -> bool:
    return UNSEEN in look.args and look != move


def _unseen(move: Move) -> list[int]:
    return [n for n, arg in enumerate(move.args) if arg == UNSEEN]


def _filled(look: Move, own: Move, other: Move, other_look: Move) -> Move:
    """The move ``own`` with what is hidden of ``other``."""
    hidden = _unseen(look)
    theirs = [other.args[n] if n < len(other.args) else UNSEEN for n in _unseen(other_look)]
    if len(own.args) != len(look.args):
        return other
    args = list(own.args)
    for place, thing in zip(hidden, theirs, strict=True):
        args[place] = thing
    who = own.actor if own.player is None else own.player
    return Move.of(who, own.verb, *args)


def _replayed(
    here: Match,
    plan: Mapping[int, Move],
    looks: Sequence[_Look],
    start: int,
    seat: int | None,
    random: Random,
) -> Match | None:
    other = here.clone()
    while other.ply > start:
        other.pop()
    for number in range(start, len(looks)):
        state = other.state
        move, look = plan.get(number), looks[number]
        if move is None or state.violations(move) or not _fits(state, move, seat, look):
            fitting = [one for one in state.legal_moves() if _fits(state, one, seat, look)]
            if not fitting:
                return None
            move = random.choice(fitting)
        other.play(Entry(move))
    return other
