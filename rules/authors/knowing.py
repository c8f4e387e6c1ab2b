"""Whether anybody is told what only others may know.

Two moves that a seat is told in the same words, and after which the same is turned up, lead to
positions that this seat cannot tell apart: what it sees and hears of them must be the same. So
every draw from a hidden pile, and every card that another player puts down unseen, shows whether
``view`` gives anything away, or the table, a prompt, or what is said against a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from rules.authors.place import Place, canonical
from rules.core import Actor, Move

__all__ = ["check_knowing"]

WORLDS = 3
"""So many moves that sound alike are compared."""
OBJECTIONS = 12
"""So many pseudo-moves are tried in each of their positions."""


def check_knowing(place: Place) -> None:
    """Compare what each seat sees after moves that it cannot tell apart."""
    game, state, seats = place.game, place.state, range(place.match.players)
    own = place.move.player
    if own is not None and (told := game.public(state, place.move, own)) != place.move:
        place.wrong(
            f"p{own} plays '{place.move}' and is told '{told}'",
            "Let public tell players their own moves as they are",
        )
    for seat in (None, *seats):
        alike: dict[tuple[str, ...], list[Move]] = {}
        for move in place.moves:
            told = game.public(state, move, seat)
            if Move.parse(str(told)) != told:
                place.wrong(
                    f"'{move}' is told as '{told}', which does not parse back",
                    "Let public return a move whose text reads back",
                )
                return
            turned_up = (one.text for one in game.shown(state, move)[1:])
            alike.setdefault((told.text, *turned_up), []).append(move)
        for (told_as, *_), moves in alike.items():
            if len(moves) > 1 and _apart(place, seat, told_as, moves):
                break


def _apart(place: Place, seat: int | None, told_as: str, moves: Sequence[Move]) -> bool:
    """Whether the seat can tell apart what it was told in the same words; if so, it is noted."""
    game = place.game
    worlds = []
    for move in (*moves[: WORLDS - 1], moves[-1]):
        after = place.state.clone()
        game.apply(after, move)
        worlds.append(after)
    who = "everybody" if seat is None else f"seat {seat}"
    if len({canonical(game.view(world, seat)) for world in worlds}) > 1:
        place.wrong(
            f"{who} is told '{told_as}' and sees in 'view' which of {len(moves)} moves it was",
            "Leave out of view what the seat was not told, or let public tell it",
        )
        return True
    question = f"{place.prompt.code} told to {'all' if seat is None else 'one'}"
    more = place.report.deserves_more(question)
    shown = _shown(place, seat, worlds, moves) if more else {}
    for what, seen in shown.items():
        if any(one != seen[0] for one in seen[1:]):
            place.wrong(
                f"{who} is told '{told_as}' and sees by {what} which of {len(moves)} moves it was",
                f"Let {what} depend on nothing that only others know",
            )
            return True
    return False


def _shown(
    place: Place, seat: int | None, worlds: Sequence[Any], moves: Sequence[Move]
) -> dict[str, list[Any]]:
    """What is shown in each of the worlds, by hook."""
    game, seats = place.game, range(place.match.players)
    asked = [game.prompt(world) for world in worlds]
    shown: dict[str, list[Any]] = {
        "layout": [game.layout(world) for world in worlds],
        "supply": [[game.supply(world, one) for one in seats] for world in worlds],
    }
    if seat is None:
        shown["prompt"] = [
            (one.actor, one.player) if one is not None and _is_private(place, one.code) else one
            for one in asked
        ]
        shown["result"] = [
            game.result(place.state, move, world)
            for move, world in zip((*moves[: WORLDS - 1], moves[-1]), worlds, strict=True)
        ]
        first = asked[0]
        if first is not None and first.actor is Actor.PLAYER and not _is_private(place, first.code):
            told = f"private, which lacks '{first.code}',"
            shown[told] = [sorted(move.text for move in game.moves(world)) for world in worlds]
    elif asked[0] is not None and asked[0].player != seat:
        mine = (move for move in game.pseudo_moves(worlds[0]) if move.player == seat)
        tried = list(islice(mine, OBJECTIONS))
        shown["check"] = [[game.check(world, move) for move in tried] for world in worlds]
    return shown


def _is_private(place: Place, code: str) -> bool:
    return place.game.private is None or code in place.game.private
