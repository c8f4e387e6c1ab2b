"""What everybody may see of a match, as data for pages.

Everything in here is made of ``open_to_all``, of the moves as everybody may know them, and of the
game's texts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.match.still import still_view
from companion.presentation.words.translate import speaking
from companion.web.picture import MOST_MOVES, VERSION, picture_of
from companion.web.snapshot import Snapshot, open_to_all
from rules.core import Actor, State
from rules.match import Match

__all__ = ["MOST_MOVES", "VERSION", "NoLookingBack", "picture_after", "public_picture"]

Json = dict[str, Any]


class NoLookingBack(Exception):
    """The match cannot be looked back at: there is no such move, or (``memory``) remembering what
    lay there is part of the game."""

    def __init__(self, *, memory: bool) -> None:
        super().__init__("memory" if memory else "no_move")
        self.memory = memory


def public_picture(snapshot: Snapshot, lang: str, name: str) -> Json:
    """The match as everybody may see it; ``name``: what it is called outside of its table."""
    with speaking(lang):
        return picture_of(open_to_all(snapshot), snapshot.told, lang, name)


def picture_after(snapshot: Snapshot, ply: int, lang: str, name: str) -> Json:
    """The match after its first ``ply`` moves, as everybody may know it now.

    Raises NoLookingBack.
    """
    match = snapshot.match
    if not 0 <= ply <= match.ply:
        raise NoLookingBack(memory=False)
    if match.outcome is None and _forgets(match.state):
        raise NoLookingBack(memory=True)
    then, asked, sites = _go_back(match, ply)
    told = snapshot.told[:ply]
    turn = 1 + sum(1 for a, b in pairwise(asked) if a != b)
    view = still_view(snapshot.header, then, turn, told[-1] if told else None, sites)
    before = Snapshot(snapshot.header, then, view, told, ())
    with speaking(lang):
        picture = picture_of(open_to_all(before), told, lang, name)
    return picture | {"plies": match.ply, "live": ply == match.ply}


# -- private ----------------------------------------------------------------------------------


def _forgets(state: State) -> bool:
    """Whether players must remember what they saw (TK23)."""
    return type(state).remembered is not State.remembered


def _go_back(match: Match, ply: int) -> tuple[Match, list[int], tuple[str, ...]]:
    """The match after ``ply`` moves, who was asked until then, and what the last move touched."""
    then = match.begun()
    asked: list[int] = []
    sites: tuple[str, ...] = ()
    for number, entry in enumerate(match.log[:ply], 1):
        _note_asked(then, asked)
        if number == ply:
            sites = tuple(then.state.touches(entry.move))
        then.play(entry)
    _note_asked(then, asked)
    return then, asked, sites


def _note_asked(match: Match, asked: list[int]) -> None:
    prompt = match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        asked.append(prompt.player)
