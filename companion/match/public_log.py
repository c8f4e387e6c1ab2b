"""The public log of a match: its moves as every player may know them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise
from secrets import token_bytes

from companion.journal.fold import Fold, Played
from rules.box import load_box
from rules.core import Actor, Move, State
from rules.hidden import UNSEEN

# -- public ids -------------------------------------------------------------------------------
#
# The id in the journal is a secret: old journals use it as the seed that deals the cards.


class PublicIds:
    """Other names for matches, the same as long as this object or its ``key`` lives."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = token_bytes(16) if key is None else key

    def of(self, match_id: str) -> str:
        """The name that stands for ``match_id``: 12 letters and digits."""
        return blake2b(match_id.encode(), key=self._key, digest_size=6).hexdigest()


def public_log(fold: Fold) -> Sequence[Move]:
    """The moves as the public may still know them; some games forget on purpose (TK23)."""
    public = [played.public for played in fold.played]
    state: State = fold.match.state
    return state.remembered(public)


def last_told(fold: Fold) -> Move | None:
    """The last move as the public may still know it. Where a turn ends by itself, because the next
    one begins at another table or is a computer player's, that is no news; nor is the drawing of an
    unseen card, where the program draws for some."""
    told, played = public_log(fold), fold.played
    number = 1
    apart = fold.header.together is not None or bool(fold.header.computers)
    if apart and len(told) == len(played):
        while number < len(played) and _is_no_news(fold, played[-number]):
            number += 1
    return told[-number] if told else None


def _is_no_news(fold: Fold, one: Played) -> bool:
    if fold.header.dealt and one.by_itself and UNSEEN in one.public.args:
        return True
    return one.entry.joined and not one.sites


def turn_of(fold: Fold) -> int:
    """Number of the current turn, counted from 1."""
    askers = [played.asked for played in fold.played if played.asked is not None]
    prompt = fold.match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        askers.append(prompt.player)
    return 1 + sum(1 for a, b in pairwise(askers) if a != b)


def last_sites(fold: Fold) -> tuple[str, ...]:
    """The sites of the last player's turn so far."""
    sites: list[str] = []
    player: int | None = None
    for played in reversed(fold.played):
        if played.asked is None or not played.sites:
            continue
        if player is None:
            player = played.asked
        if played.asked != player:
            break
        sites += played.sites
    game = fold.match.game
    board = load_box(game.box).for_game(game.id).sites
    return tuple(site for site in dict.fromkeys(sites) if site in board)
