"""Whether anybody is told what only others may know.

Two moves that a seat is told in the same words, and after which the same is turned up, lead to
positions that this seat cannot tell apart: what it sees of them must be the same. So every draw
from a hidden pile, and every card that another player puts down unseen, shows whether ``view``
gives anything away.
"""

from __future__ import annotations

from rules.authors.place import Place, canonical
from rules.core import Move

__all__ = ["check_knowing"]

WORLDS = 3
"""So many moves that sound alike are compared."""


def check_knowing(place: Place) -> None:
    """Compare what each seat sees after moves that it cannot tell apart."""
    game, state, seats = place.game, place.state, range(place.match.players)
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
        who = "everybody" if seat is None else f"seat {seat}"
        for (told_as, *_), moves in alike.items():
            views = set()
            for move in (*moves[: WORLDS - 1], moves[-1]) if len(moves) > 1 else ():
                after = state.clone()
                game.apply(after, move)
                views.add(canonical(game.view(after, seat)))
            if len(views) > 1:
                place.wrong(
                    f"{who} is told '{told_as}' and sees in 'view' which of {len(moves)} "
                    "moves it was",
                    "Leave out of view what the seat was not told",
                )
                break
