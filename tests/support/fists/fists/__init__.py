"""Rock, paper, scissors: the smallest game that asks all players at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    State,
    ranked,
)
from rules.hidden import UNSEEN

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
WINS = 3
SEATS = range(5)
SHOW = {(seat, shape): Move.of(seat, "show", shape) for seat in SEATS for shape in BEATS}
HIDDEN = tuple(Move.of(seat, "show", UNSEEN) for seat in SEATS)
_MOVES = frozenset(SHOW.values())


class FistsState(State):
    """Rounds won by seat, and the shapes chosen in this round: empty, hidden or known."""

    __slots__ = ("chosen", "won")

    def __init__(self, players: int) -> None:
        self.won, self.chosen = [0] * players, [""] * players

    def clone(self) -> FistsState:
        other = FistsState(len(self.won))
        other.won, other.chosen = self.won[:], self.chosen[:]
        return other

    def to_json(self) -> Json:
        players = len(self.won)
        return {"players": players, "options": {}, "won": self.won[:], "chosen": self.chosen[:]}

    def read(self, data: Json) -> None:
        self.won, self.chosen = [int(n) for n in data["won"]], [str(c) for c in data["chosen"]]

    def problems(self) -> list[str]:
        sound = {*self.chosen} <= {"", UNSEEN, *BEATS} and len(self.won) == len(self.chosen)
        sound = sound and all(0 <= won <= WINS for won in self.won)
        return [] if sound else [f"{self.won} rounds won, {self.chosen} chosen"]

    # -- 1.1 Choosing ----------------------------------------------------------------------

    def prompt(self) -> Prompt | None:
        if WINS in self.won:
            return None
        if "" not in self.chosen:
            return Prompt(Actor.DEALER, None, "reveal", "1.2")
        seats = tuple(range(len(self.won)))
        answered = tuple(seat for seat in seats if self.chosen[seat])
        first = self.chosen.index("")
        return Prompt(Actor.PLAYER, first, "show", "1.1", together=seats, answered=answered)

    def legal_moves(self) -> list[Move]:
        prompt, seats = self.prompt(), range(len(self.won))
        if prompt is None:
            return []
        if prompt.actor is Actor.PLAYER:
            # Whoever has chosen may choose again.
            return [SHOW[s, c] for s in seats for c in BEATS if c != self.chosen[s]]
        found: list[tuple[str, ...]] = [()]
        for shape in self.chosen:
            found = [(*one, s) for one in found for s in (BEATS if shape == UNSEEN else [shape])]
        return [Move.of(Actor.DEALER, "reveal", *shapes) for shapes in found]

    def pseudo_moves(self) -> Iterable[Move]:
        if WINS not in self.won:
            yield from (SHOW[seat, shape] for seat in range(len(self.won)) for shape in BEATS)
        if "" not in self.chosen:
            yield from self.legal_moves()

    def violations(self, move: Move) -> list[Objection]:
        if WINS in self.won:
            return [Objection.of("1.3", "match_over")]
        if move in self.legal_moves():
            return []
        if move in _MOVES and move.player is not None and move.player < len(self.won):
            same = self.chosen[move.player] == move.args[0] and "" in self.chosen
            return [Objection.of("1.1" if same else "1.2", "same" if same else "revealed")]
        return [Objection.of("1.1", "unknown_move", move=move.text)]

    def apply(self, move: Move) -> None:
        if move.player is not None:
            self.chosen[move.player] = move.args[0]
            return
        shapes = set(move.args)
        for seat, shape in enumerate(move.args):
            self.won[seat] += len(shapes) == 2 and BEATS[shape] in shapes
        self.chosen = [""] * len(self.won)

    # -- 1.3 The end -----------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if WINS not in self.won:
            return None
        return Outcome("won", ranked(self.won), self.scores())

    def scores(self) -> tuple[int, ...]:
        return tuple(self.won)

    def layout(self) -> Layout:
        return Layout()

    # -- what may be known -----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        return move if move.player in (None, seat) else HIDDEN[move.player]

    def shown(self, move: Move) -> tuple[Move, ...]:
        return (move,)

    def view(self, seat: int | None) -> Json:
        own = [c if n == seat or not c else UNSEEN for n, c in enumerate(self.chosen)]
        return {**self.to_json(), "chosen": own}


class Fists(Game[FistsState]):
    """Rock, paper, scissors for some."""

    id = "fists"
    package = "fists"
    box = "no_board"
    watched = False
    players = (2, 3)
    options: ClassVar = {}
    codes = ("match_over", "unknown_move", "revealed", "same")
    outcomes = ("won",)
    handling_rule = "1.1"

    def setup(self, players: int, options: Options, physical: bool) -> FistsState:
        return FistsState(players)

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return ("red", "blue", "green")[:players]

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Fists()
