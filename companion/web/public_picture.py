"""What everybody may see of a match, as data for pages.

Everything in here is made of ``open_to_all``, of the moves as everybody may know them, and of the
game's texts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from companion.match.table_view import still_view
from companion.match.view import TO_BE_SET, ClockView, TableView
from companion.ui.model.boxes import box_of
from companion.ui.model.piece_colours import NAMED, fill_of
from companion.ui.model.players import Player, player_of
from companion.ui.theme.tokens import SAFE, rgba
from companion.ui.words.sentences import rule_page, teller_of
from companion.ui.words.translate import speaking
from companion.web.board_shapes import lying_of
from companion.web.snapshot import Snapshot, open_to_all
from companion.web.wares import wares_of
from rules.core import Actor, Game, Item, Move
from rules.match import Match
from rules.telling import Teller, Told

__all__ = ["MOST_MOVES", "VERSION", "NoLookingBack", "picture_after", "public_picture"]

Json = dict[str, Any]

VERSION: Final = 1
"""Of pictures; another number means that fields have gone or mean something else."""
MOST_MOVES: Final = 60
"""So many moves are told in words, the newest first."""


class NoLookingBack(Exception):
    """The match cannot be looked back at: there is no such move, or (``memory``) remembering what
    lay there is part of the game."""

    def __init__(self, *, memory: bool) -> None:
        super().__init__("memory" if memory else "no_move")
        self.memory = memory


def public_picture(snapshot: Snapshot, lang: str, name: str) -> Json:
    """The match as everybody may see it; ``name``: what it is called outside of its table."""
    with speaking(lang):
        return _picture(open_to_all(snapshot), snapshot.told, lang, name)


def picture_after(snapshot: Snapshot, ply: int, lang: str, name: str) -> Json:
    """The match after its first ``ply`` moves, as everybody may know it now.

    Raises NoLookingBack.
    """
    match, game = snapshot.match, snapshot.match.game
    if not 0 <= ply <= match.ply:
        raise NoLookingBack(memory=False)
    if match.outcome is None and _forgets(game):
        raise NoLookingBack(memory=True)
    then, asked, sites = _go_back(match, ply)
    told = snapshot.told[:ply]
    turn = 1 + sum(1 for a, b in pairwise(asked) if a != b)
    view = still_view(snapshot.header, then, turn, told[-1] if told else None, sites)
    before = Snapshot(snapshot.header, then, view, told, ())
    with speaking(lang):
        picture = _picture(open_to_all(before), told, lang, name)
    return picture | {"plies": match.ply, "live": ply == match.ply}


# -- private ----------------------------------------------------------------------------------


def _forgets(game: Game[Any]) -> bool:
    """Whether players must remember what they saw (TK23)."""
    return type(game).remembered is not Game.remembered


def _go_back(match: Match, ply: int) -> tuple[Match, list[int], tuple[str, ...]]:
    """The match after ``ply`` moves, who was asked until then, and what the last move touched."""
    then = match.begun()
    asked: list[int] = []
    sites: tuple[str, ...] = ()
    for number, entry in enumerate(match.log[:ply], 1):
        _note_asked(then, asked)
        if number == ply:
            sites = tuple(then.game.touches(then.state, entry.move))
        then.play(entry)
    _note_asked(then, asked)
    return then, asked, sites


def _note_asked(match: Match, asked: list[int]) -> None:
    prompt = match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        asked.append(prompt.player)


def _picture(view: TableView, told: Sequence[Move], lang: str, name: str) -> Json:
    teller, box = teller_of(view, lang), box_of(view)
    last_sites = [site for site in view.last_sites if site in box.sites]
    return {
        "v": VERSION,
        "match": name,
        "game": view.game,
        "game_name": teller.game_name,
        "box": view.box,
        "lang": lang,
        "state": str(view.state),
        "turn": view.turn,
        "ply": view.ply,
        "plies": view.ply,
        "live": True,
        "started": round(view.started_s),
        "players": [_player(view, player_of(view, teller, n)) for n in range(view.players)],
        "prompt": None if view.prompt is None else _told(teller.prompt(view.prompt)),
        "items": _items(view.items),
        "board": lying_of(view, lang),
        "market": wares_of(view, lang),
        "last": {
            "sites": last_sites, "text": "" if view.last is None else teller.last(view.last),
        },
        "moves": _moves(told, teller),
        "why": _why(view, teller),
        "result": _result(view, teller),
        "clock": _clock(view.clock),
        "outcome": _outcome(view, teller),
    }  # fmt: skip


def _player(view: TableView, player: Player) -> Json:
    prompt, token = view.prompt, player.token
    asked = prompt is not None and prompt.actor is Actor.PLAYER and prompt.player == player.seat
    supply = player.supply
    lying: list[Json] = [{"kind": kind.id, "count": n, "of": None} for kind, n in supply.tokens]
    lying += [{"kind": kind.id, "count": n, "of": of} for kind, n, of in supply.counters]
    return {
        "seat": player.seat,
        "name": player.name,
        "colour": player.colour,
        "rgb": _rgb(player),
        "token": None if token is None else token.id,
        "score": player.score,
        "asked": asked,
        "supply": lying,
    }


def _rgb(player: Player) -> str:
    """The colour of their pieces; without any the colour they are called by."""
    if player.token is not None:
        colour = fill_of(player.token, "printed")
    else:
        colour = rgba(SAFE[NAMED.get(player.colour, player.colour)])
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])


def _items(items: Sequence[Item]) -> list[Json]:
    """What lies where; equal things at one place are one entry."""
    counts = Counter((i.site, i.kind, i.owner, i.level, i.pose, i.face) for i in items)
    return [
        {"site": site, "kind": kind, "owner": owner, "level": level, "pose": pose, "face": face,
         "count": count}
        for (site, kind, owner, level, pose, face), count in counts.items()
    ]  # fmt: skip


def _moves(told: Sequence[Move], teller: Teller) -> list[Json]:
    newest = list(enumerate(told, 1))[-MOST_MOVES:]
    return [
        {"ply": ply, "seat": move.player, "text": teller.move(move)}
        for ply, move in reversed(newest)
    ]


def _told(told: Told) -> Json:
    return {"title": told.title, "text": told.text, "do": told.do}


def _why(view: TableView, teller: Teller) -> Json | None:
    """Why something was not allowed, and the rule that says so."""
    if not view.objections:
        return None
    told = teller.objection(view.objections[0])
    page = rule_page(teller, told.rule, view.options)
    rule = None if page is None else {"title": page.title, "text": page.text}
    return _told(told) | {"rule": rule}


def _result(view: TableView, teller: Teller) -> Json | None:
    if view.result is None or view.result.code in TO_BE_SET:
        return None
    told = teller.result(view.result)
    return {"title": told.title, "text": told.text, "good": view.result.good}


def _clock(clock: ClockView | None) -> Json | None:
    """How much time everybody had left at a moment, s, and whose time has run since."""
    if clock is None:
        return None
    now = time.monotonic()
    left = [round(clock.left_at(seat, now), 1) for seat in range(len(clock.left_s))]
    return {
        "left_s": left, "asked": clock.asked, "running": clock.running,
        "at_s": round(time.time(), 1),
    }  # fmt: skip


def _outcome(view: TableView, teller: Teller) -> Mapping[str, Any] | None:
    if view.outcome is None:
        return None
    return _told(teller.outcome(view.outcome)) | {
        "reason": view.outcome.reason,
        "ranking": [list(group) for group in view.outcome.ranking],
        "scores": list(view.outcome.scores),
    }
