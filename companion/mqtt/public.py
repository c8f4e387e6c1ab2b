"""What a broker is told of a table: only what everybody at it may know.

Everything is made from the parts of a view that are the same for all seats: points, whoever is
asked, the record as everybody may know it. What a player may do, holds, or has been offered is in
the same view, and is never read here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from companion.match.events import Agreed, Over, Penalised, Refused, TableEvent, TimeUp, TookBack
from companion.match.view import TableState, TableView
from rules.core import Actor, Outcome, State
from rules.games import find_game
from rules.match import Match
from rules.telling import Teller

__all__ = ["EVENT_TYPES", "VERSION", "PublicTable", "as_json", "happened", "public_table"]

VERSION: Final = 1
"""Of the messages; it grows when a field changes its meaning or goes."""

EVENT_TYPES: Final = (
    "match.started",
    "match.resumed",
    "turn.started",
    "move.agreed",
    "move.taken_back",
    "move.refused",
    "breach.noted",
    "time.up",
    "match.won",
    "match.ended",
)
"""Everything that may be told to have happened."""

Told = Mapping[str, Any]
"""A message, as plain JSON data."""


@dataclass(frozen=True, slots=True)
class PublicTable:
    """The state of a table as a message, and whom it is about."""

    told: Told
    seats: tuple[str, ...] = ()
    """Players' names by seat; none if no match is on the table."""


def as_json(told: Told) -> bytes:
    """A message as it is sent."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def public_table(view: TableView | None, lang: str, name: str = "") -> PublicTable:
    """How the table stands; without a view nobody plays. ``name``: what the match is called."""
    if view is None:
        nothing: Told = {"match": None, "game_name": None, "players": [], "turn_of": None}
        return PublicTable({"v": VERSION, "lang": lang, "running": False, **nothing})
    teller = _teller(view, lang)
    names = tuple(teller.seat(seat) for seat in range(view.players))
    prompt = None if view.prompt is None else teller.prompt(view.prompt)
    asked, state = _asked(view), _open_state(view)
    won = () if view.outcome is None else _winners(view, view.outcome)
    told: dict[str, Any] = {
        "v": VERSION,
        "lang": lang,
        "running": view.outcome is None,
        "match": name,
        "game": view.game,
        "game_name": teller.game_name,
        "started": datetime.fromtimestamp(view.started_s, UTC).isoformat(timespec="seconds"),
        "players": [
            {
                "seat": seat,
                "name": name,
                "colour": view.colours[seat],
                "score": view.scores[seat] if view.counts_points else None,
            }
            for seat, name in enumerate(names)
        ],
        "turn": view.turn,
        "turn_of": None if asked is None else names[asked],
        "turn_of_seat": asked,
        "state": state.value,
        "state_text": teller.text("state", state.value),
        "prompt": None if prompt is None else {"title": prompt.title, "text": prompt.text},
        "moves": view.ply,
        "last": None if view.last is None else teller.move(view.last),
        "winner": teller.list([names[seat] for seat in won]) if won else None,
        "outcome": None if view.outcome is None else _ended(teller, view.outcome),
    }
    return PublicTable(told, names)


def happened(
    before: TableView | None,
    view: TableView,
    events: Sequence[TableEvent],
    lang: str,
    name: str = "",
) -> list[Told]:
    """What led from the view ``before`` to this one, in order; None: this is the first."""
    teller = _teller(view, lang)
    told: list[Told] = []
    about = {"v": VERSION, "match": name, "game": view.game, "moves": view.ply}

    def tell(event_type: str, **more: Any) -> None:
        told.append({"event_type": event_type, **about, **more})

    new = before is None or before.match_id != view.match_id
    if new:
        players = [teller.seat(seat) for seat in range(view.players)]
        # What was dealt is no beginning: it goes on if anybody has decided something.
        begun = "match.resumed" if view.can_undo else "match.started"
        tell(begun, players=players, text=teller.game_name)
    for event in events:
        match event:
            case Agreed(moves) | TookBack(moves):
                verb = "move.agreed" if isinstance(event, Agreed) else "move.taken_back"
                for move in moves:
                    tell(verb, seat=move.player, text=teller.move(move))
            case Refused(objections) if objections and _refuses_openly(view):
                tell("move.refused", rule=objections[0].rule,
                     text=teller.objection(objections[0]).title)  # fmt: skip
            case Penalised(player, objection):
                tell("breach.noted", seat=player, rule=objection.rule,
                     text=teller.objection(objection).title)  # fmt: skip
            case TimeUp(player):
                tell("time.up", seat=player, name=teller.seat(player))
            case Over(outcome):
                ended = _ended(teller, outcome)
                if won := _winners(view, outcome):
                    names = [teller.seat(seat) for seat in won]
                    tell("match.won", seats=list(won), names=names, text=ended["title"])
                tell("match.ended", **ended)
    asked = _asked(view)
    if asked is not None and (new or asked != _asked(before) or view.turn != _turn(before)):
        tell("turn.started", seat=asked, name=teller.seat(asked), turn=view.turn)
    return told


def _asked(view: TableView | None) -> int | None:
    """The seat that has to decide something."""
    if view is None or view.prompt is None or view.prompt.actor is not Actor.PLAYER:
        return None
    return view.prompt.player


def _open_state(view: TableView) -> TableState:
    """The state of the table, but for what was tried in vain out of a hand."""
    refused = view.state is TableState.ILLEGAL and not _refuses_openly(view)
    # Where nothing lies on a table it is no news that no camera sees it.
    unseen = view.state is TableState.BLIND and not view.physical
    return TableState.SETTLED if refused or unseen else view.state


def _refuses_openly(view: TableView) -> bool:
    """Whether everybody may know what was tried in vain. Where the program deals what is hidden,
    that a move is refused tells what somebody does not have."""
    dealt = not view.physical or view.dealt
    return not dealt or _tells_all(view.game)


@cache
def _tells_all(game_id: str) -> bool:
    """Whether every move of a game may be known to everybody."""
    game = find_game(game_id)
    return type(Match(game, game.players[0]).state).public is State.public


def _turn(view: TableView | None) -> int:
    return 0 if view is None else view.turn


def _winners(view: TableView, outcome: Outcome) -> tuple[int, ...]:
    """The seats that share the first place; nobody where everybody lost together."""
    lost = outcome.reason in find_game(view.game).lost_together
    return () if lost or not outcome.ranking else outcome.ranking[0]


def _ended(teller: Teller, outcome: Outcome) -> dict[str, Any]:
    told = teller.outcome(outcome)
    return {"title": told.title, "text": told.text, **outcome.to_json()}


def _teller(view: TableView, lang: str) -> Teller:
    """The words of this match, with players called by their colour who gave no name."""
    game = find_game(view.game)
    colours = Teller(game, lang, view.colours).colours
    names = [name or colours[seat] for seat, name in enumerate(view.names)]
    return Teller(game, lang, view.colours, names or None)
