"""The table's messages to a broker, made of what everybody may know of it: its ``PublicView``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from companion.match.events import Agreed, Over, Penalised, Refused, TableEvent, TimeUp, TookBack
from companion.match.view import TableState
from companion.presentation.views import PublicView
from companion.presentation.words.sentences import teller_of
from rules.core import Outcome
from rules.games import find_game
from rules.telling import Teller

__all__ = ["EVENT_TYPES", "VERSION", "NobodyPlays", "PublicTable", "happened", "public_table"]

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
"""What happened, as plain JSON data."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player; no ``score`` where the game counts none."""

    seat: int
    name: str
    colour: str
    score: int | None


@dataclass(frozen=True, slots=True)
class Title:
    """What must be done now."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Ended(Title):
    """How the match ended."""

    reason: str
    ranking: Sequence[Sequence[int]]
    scores: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NobodyPlays:
    """No match is on the table."""

    v: int = VERSION
    lang: str
    running: bool = False
    match: None = None
    game_name: None = None
    players: Sequence[Seat] = ()
    turn_of: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """How the table stands."""

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
    """How the table stands."""
    teller, asked = teller_of(view, lang), view.asked
    names = tuple(teller.seat(seat) for seat in range(view.players))
    scores = view.scores if view.counts_points else (None,) * view.players
    prompt = None if view.prompt is None else teller.prompt(view.prompt)
    state = TableState.BLIND if view.blind else view.state
    if state is TableState.ILLEGAL and view.deals_hidden:
        state = TableState.SETTLED
    won = () if view.outcome is None else _winners(view, view.outcome)
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
    """What led from the view ``before`` to this one, in order; None: this is the first."""
    teller = teller_of(view, lang)
    told: list[Told] = []
    about = {"v": VERSION, "match": view.public_id, "game": view.game, "moves": view.ply}

    def tell(event_type: str, **more: Any) -> None:
        told.append({"event_type": event_type, **about, **more})

    new = before is None or before.public_id != view.public_id
    if new:
        players = [teller.seat(seat) for seat in range(view.players)]
        # What was dealt is no beginning: it goes on if anybody has decided something.
        begun = "match.resumed" if view.decided else "match.started"
        tell(begun, players=players, text=teller.game_name)
    for event in events:
        match event:
            case Agreed(moves) | TookBack(moves):
                verb = "move.agreed" if isinstance(event, Agreed) else "move.taken_back"
                for move in moves:
                    tell(verb, seat=move.player, text=teller.move(move))
            case Refused() if view.objections and not view.deals_hidden:
                refused = view.objections[0]
                tell("move.refused", rule=refused.rule, text=teller.objection(refused).title)
            case Penalised(player, objection):
                tell("breach.noted", seat=player, rule=objection.rule,
                     text=teller.objection(objection).title)  # fmt: skip
            case TimeUp(player):
                tell("time.up", seat=player, name=teller.seat(player))
            case Over(outcome):
                ended = _ended(teller, outcome)
                if won := _winners(view, outcome):
                    names = [teller.seat(seat) for seat in won]
                    tell("match.won", seats=won, names=names, text=ended.title)
                tell("match.ended", **asdict(ended))
    asked = view.asked
    if asked is not None and (
        before is None or new or (view.turn, asked) != (before.turn, before.asked)
    ):
        tell("turn.started", seat=asked, name=teller.seat(asked), turn=view.turn)
    return told


def _winners(view: PublicView, outcome: Outcome) -> tuple[int, ...]:
    """The seats that share the first place; nobody where everybody lost together."""
    lost = outcome.reason in find_game(view.game).lost_together
    return () if lost or not outcome.ranking else outcome.ranking[0]


def _ended(teller: Teller, outcome: Outcome) -> Ended:
    told = teller.outcome(outcome)
    return Ended(told.title, told.text, outcome.reason, outcome.ranking, outcome.scores)
