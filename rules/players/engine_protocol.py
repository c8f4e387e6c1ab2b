"""Asking a player that thinks in a process of its own: questions and answers as lines of JSON.

A question is ``{"id": "7", "player": "druid", "view": …, "moves": […], "seconds": 1.5, "seed": 3}``
and ``{"stop": "7"}`` ends it. Every question gets exactly one answer: the choice, an error, or that
it was ended. What is wrong with a line that is no question is answered with an empty id.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from rules.core import GameError, Json, Move
from rules.declared import Between, Fits, plain, read_as
from rules.players.player import Choice
from rules.players.view import SeatView

LONGEST_S = 600.0
"""Most seconds for a move."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a player."""

    id: str
    player: str
    """A name that ``rules.players.find_player`` knows."""
    view: SeatView
    moves: Annotated[tuple[Move, ...], Fits("wants_some", bool)]
    """The legal moves, as the seat may know them; at least one."""
    seconds: Annotated[float, Between(0.0, LONGEST_S)]
    """Seconds it may think."""
    seed: int
    """Of its random numbers."""
    playouts: int | None = None
    """Most ways on that are tried; with the same number the choice is always the same."""

    def to_json(self) -> Json:
        """The question as plain JSON data."""
        return plain(self)

    @classmethod
    def from_json(cls, data: Json) -> Question:
        """Read ``to_json()`` back; raises GameError."""
        return read_as(cls, data, "question", GameError)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer: a choice, an error, or neither for a question that was ended."""

    id: str
    choice: Choice | None = None
    error: str = ""
    """The fault, in English, for the log."""

    def to_json(self) -> Json:
        """The answer as plain JSON data."""
        if self.choice is not None:
            return {"id": self.id, **self.choice.to_json()}
        return {"id": self.id, **({"error": self.error} if self.error else {"stopped": True})}

    @classmethod
    def from_json(cls, data: Json) -> Answer:
        """Read ``to_json()`` back; raises GameError."""
        if not isinstance(data, dict) or not isinstance(data.get("id"), str):
            raise GameError("key_missing", file="answer", key="id")
        if "move" not in data:
            return cls(data["id"], error=str(data.get("error", "")))
        said = {key: value for key, value in data.items() if key not in ("id", "chance", "second")}
        return cls(data["id"], read_as(Choice, said, "answer", GameError))


def line_of(said: Json) -> str:
    """One line of the conversation, with its end."""
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")) + "\n"
