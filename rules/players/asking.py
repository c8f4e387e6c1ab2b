"""Asking a player that thinks in a process of its own: questions and answers as lines of JSON.

A question is ``{"id": "7", "player": "druid", "view": …, "moves": […], "seconds": 1.5, "seed": 3}``
and ``{"stop": "7"}`` ends it. Every question gets exactly one answer: the choice, an error, or that
it was ended. What is wrong with a line that is no question is answered with an empty id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core import GameError, Json, Move, Param
from rules.players.player import Choice, Reason, Thought
from rules.players.view import SeatView

__all__ = ["Answer", "Question", "choice_from", "choice_json", "line_of"]

LONGEST_S = 600.0
"""Nobody waits longer for a move."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a player is asked."""

    id: str
    player: str
    """A name that ``rules.players.find_player`` knows."""
    view: SeatView
    moves: tuple[Move, ...]
    """The legal moves, as the seat may know them; at least one."""
    seconds: float
    """How long it may think."""
    seed: int
    """Of its random numbers."""
    playouts: int | None = None
    """At most so many ways on are tried; with the same number the choice is always the same."""

    def to_json(self) -> Json:
        """The question as plain JSON data."""
        return {
            "id": self.id, "player": self.player, "view": self.view.to_json(),
            "moves": [move.text for move in self.moves], "seconds": self.seconds,
            "seed": self.seed, **({"playouts": self.playouts} if self.playouts else {}),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """Read ``to_json()`` back; raises GameError, KeyError, TypeError or ValueError."""
        moves = tuple(Move.parse(str(text)) for text in data["moves"])
        seconds, playouts = float(data["seconds"]), data.get("playouts")
        if not moves or not 0 <= seconds <= LONGEST_S:
            raise ValueError(data["id"])
        return cls(
            str(data["id"]), str(data["player"]), SeatView.from_json(data["view"]), moves, seconds,
            int(data["seed"]), None if playouts is None else max(1, int(playouts)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back: a choice, an error, or neither for a question that was ended."""

    id: str
    choice: Choice | None = None
    error: str = ""
    """What went wrong, in English, for the log."""

    def to_json(self) -> Json:
        """The answer as plain JSON data."""
        if self.choice is not None:
            return {"id": self.id, **choice_json(self.choice)}
        return {"id": self.id, **({"error": self.error} if self.error else {"stopped": True})}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Answer:
        """Read ``to_json()`` back; raises GameError, KeyError, TypeError or ValueError."""
        choice = choice_from(data) if "move" in data else None
        return cls(str(data["id"]), choice, str(data.get("error", "")))


def line_of(said: Json) -> str:
    """One line of the conversation, with its end."""
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")) + "\n"


def choice_json(choice: Choice) -> Json:
    """A choice as plain JSON data."""
    second = choice.second
    return {
        "move": choice.move.text,
        "why": {"code": choice.why.code, "params": choice.why.values},
        "chance": choice.chance,
        "second": None if second is None else {"move": second.move.text, "chance": second.chance},
        "line": [move.text for move in choice.line],
        "thoughts": [[one.move.text, one.chance, one.visits] for one in choice.thoughts],
        "playouts": choice.playouts,
    }


def choice_from(data: Mapping[str, Any]) -> Choice:
    """Read ``choice_json`` back; raises GameError, KeyError, TypeError or ValueError."""
    why = data["why"]
    params = tuple((str(name), _param(value)) for name, value in why["params"].items())
    thoughts = tuple(
        Thought(Move.parse(str(move)), float(chance), int(visits))
        for move, chance, visits in data["thoughts"]
    )
    return Choice(
        Move.parse(str(data["move"])), Reason(str(why["code"]), params), thoughts,
        _moves(data["line"]), int(data["playouts"]),
    )  # fmt: skip


def _moves(texts: Sequence[Any]) -> tuple[Move, ...]:
    return tuple(Move.parse(str(text)) for text in texts)


def _param(value: Any) -> Param:
    if not isinstance(value, str | int):
        raise GameError("no_stored_match", reason=TypeError(value))
    return value
