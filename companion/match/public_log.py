"""The public log of a match: its moves as every player may know them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby, pairwise
from secrets import token_bytes

from companion.journal.fold import Fold, Played
from companion.match.state import LastTurn
from rules.box import load_box
from rules.core import Actor, Move, State
from rules.hidden import UNSEEN
from rules.match import Match

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


def last_turn(fold: Fold) -> LastTurn | None:
    """The last turn of a match that is over or in which its player has decided something."""
    return last_turn_of(fold.match, fold.played, public_log(fold))


def last_turn_of(match: Match, played: Sequence[Played], told: Sequence[Move]) -> LastTurn | None:
    """The same of its moves ``played``, in words for everybody. Alone, a player's every decision
    begins a turn."""
    whose = [(number, one.turn) for number, one in enumerate(played) if one.turn is not None]
    end = len(played)
    for seat, group in groupby(reversed(whose), key=lambda one: one[1]):
        own = [number for number, _turn in group]
        # Chance before its first move belongs to the turn before.
        begin = own[0 if match.players == 1 else -1]
        over = end < len(played) or _is_over(match, seat)
        if over or not all(one.by_itself for one in played[begin:end]):
            return LastTurn(seat, tuple(told[begin:end]), over)
        end = begin
    return None


def _is_over(match: Match, seat: int) -> bool:
    """True if it is not the turn of ``seat`` any more."""
    prompt = match.prompt
    if prompt is None or prompt.actor is not Actor.PLAYER:
        return prompt is None
    return bool(seat != match.state.turn_of())


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


def last_way(fold: Fold) -> tuple[str, ...]:
    """The sites that a piece passed in the last player's turn so far; the last one that did."""
    player: int | None = None
    for played in reversed(fold.played):
        if played.turn is not None and player not in (None, played.turn):
            break
        player = played.turn if player is None else player
        if played.way:
            return played.way
    return ()
