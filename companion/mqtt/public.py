"""A table's messages to a broker, made from its ``PublicView``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from companion.match.events import TableEvent
from companion.match.view import TableState
from companion.presentation.announcement import ROWS, What, fields_of, winners
from companion.presentation.announcement import happened as announced
from companion.presentation.views import PublicView
from companion.presentation.words.sentences import teller_of
from rules.core import Outcome
from rules.telling import Teller

VERSION: Final = 1
"""Version of the messages; it grows when a field changes its meaning or goes."""

Told = Mapping[str, Any]
"""The event, as plain JSON data."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player; no ``score`` where the game counts none."""

    seat: int
    name: str
    colour: str
    score: int | None


@dataclass(frozen=True, slots=True)
class Title:
    """The thing to do now."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Ended(Title):
    """Outcome of the match."""

    reason: str
    ranking: Sequence[Sequence[int]]
    scores: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NobodyPlays:
    """State of a table without a match."""

    v: int = VERSION
    lang: str
    running: bool = False
    match: None = None
    game_name: None = None
    players: Sequence[Seat] = ()
    turn_of: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """State of a table with a match."""

    v: int = VERSION
    lang: str
    running: bool
    match: str
    game: str
    game_name: str
    started: str
    players: Sequence[Seat]
    turn: int
    turn_of: str | None
    turn_of_seat: int | None
    state: str
    state_text: str
    prompt: Title | None
    moves: int
    last: str | None
    winner: str | None
    outcome: Ended | None


def public_table(view: PublicView, lang: str) -> PublicTable:
    """State of the table."""
    teller, asked = teller_of(view, lang), view.asked
    names = tuple(teller.seat(seat) for seat in range(view.players))
    scores = view.scores if view.counts_points else (None,) * view.players
    prompt = None if view.prompt is None else teller.prompt(view.prompt)
    state = TableState.BLIND if view.blind else view.state
    if state is TableState.ILLEGAL and view.deals_hidden:
        state = TableState.SETTLED
    won = () if view.outcome is None else winners(view.outcome, view.game)
    return PublicTable(
        lang=lang,
        running=view.outcome is None,
        match=view.public_id,
        game=view.game,
        game_name=teller.game_name,
        started=datetime.fromtimestamp(view.started_s, UTC).isoformat(timespec="seconds"),
        players=[Seat(n, names[n], view.colours[n], scores[n]) for n in range(view.players)],
        turn=view.turn,
        turn_of=None if asked is None else names[asked],
        turn_of_seat=asked,
        state=state.value,
        state_text=teller.text("state", state.value),
        prompt=None if prompt is None else Title(prompt.title, prompt.text),
        moves=view.ply,
        last=None if view.last is None else teller.move(view.last),
        winner=teller.list([names[seat] for seat in won]) if won else None,
        outcome=None if view.outcome is None else _ended(teller, view.outcome),
    )


def happened(
    before: PublicView | None, view: PublicView, events: Sequence[TableEvent], lang: str
) -> list[Told]:
    """Events that led from the view ``before`` to this one, in order; None: this is the first."""
    if before is not None and before.public_id != view.public_id:
        before = None
    teller = teller_of(view, lang)
    about = {"v": VERSION, "match": view.public_id, "game": view.game, "moves": view.ply}
    told: list[Told] = []
    if before is None:
        players = [teller.seat(seat) for seat in range(view.players)]
        # What was dealt is no beginning: it goes on if anybody has decided something.
        begun = "match.resumed" if view.decided else "match.started"
        told.append({"event_type": begun, **about, "players": players, "text": teller.game_name})
    for one in announced(before, view, events):
        fields = one.row.broker
        if fields is None or (one.what is What.REFUSED and view.deals_hidden):
            continue
        for each in one.by_move() if one.what in _BY_MOVE else (one,):
            # What was known for a moment may be forgotten with what followed at once.
            now = view.told[each.ply - 1 : each.ply] if one.what in _AGREED else ()
            said = replace(each, moves=now) if now else each
            told.append({"event_type": one.name, **about, **fields_of(fields, said, view, teller)})
    return told


_AGREED: Final = (What.AGREED, What.TO_SET)
_BY_MOVE: Final = (*_AGREED, What.TAKEN_BACK)
"""Announcements with a message for each move."""
EVENT_TYPES: Final = (
    "match.started", "match.resumed", *dict.fromkeys(
        row.name or what.value for what, row in ROWS.items() if row.broker is not None
    ),
)  # fmt: skip
"""Types of all events."""


def _ended(teller: Teller, outcome: Outcome) -> Ended:
    told = teller.outcome(outcome)
    return Ended(told.title, told.text, outcome.reason, outcome.ranking, outcome.scores)
