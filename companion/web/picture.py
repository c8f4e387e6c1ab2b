"""A table's view as data for pages: what is told of it, in words and in figures.

Everything that the view holds is told; who may see it is decided by whoever makes the view
(``companion.web.snapshot.open_to_all``). Nothing here needs a table or a journal.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.match.view import TO_BE_SET, ClockView, TableView
from companion.presentation.boxes import box_of
from companion.presentation.players import Player, player_of
from companion.presentation.theme.piece_colours import fill_of, named_colour
from companion.presentation.theme.tokens import rgba
from companion.presentation.words.sentences import rule_page, teller_of
from companion.web.board_shapes import lying_of
from companion.web.supply import wares_of
from rules.core import Actor, Item, Move
from rules.telling import Teller, Told

__all__ = ["MOST_MOVES", "VERSION", "picture_of"]

Json = dict[str, Any]

VERSION: Final = 1
"""Of pictures; another number means that fields have gone or mean something else."""
NO_COLOUR: Final = "#8e8e8e"
"""Of a player who is called by a colour that nobody knows, and has no piece."""
MOST_MOVES: Final = 60
"""So many moves are told in words, the newest first."""


def picture_of(view: TableView, told: Sequence[Move], lang: str, name: str) -> Json:
    """What ``view`` shows; ``told``: the moves to be told, ``name``: what the match is called
    outside of its table. Call it while ``speaking`` the language."""
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


# -- private ----------------------------------------------------------------------------------


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
        colour = rgba(named_colour(player.colour) or NO_COLOUR)
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
