"""A race with two dice, of which a player may throw some once more: the smallest game of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from rules.core import (
    DICE,
    Actor,
    Game,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    State,
    Throw,
    ranked,
)

FIELDS = 20
COLOURS = ("red", "blue")
_MOVES = {Move.of(s, "move", f"f{n + 1}") for s in (0, 1) for n in range(FIELDS)}
THROWS = (Throw("die"), Throw("die", "die"))


class RaceState(State):
    """The pawns' fields, whose turn it is, what the dice show, and those to be thrown again."""

    __slots__ = ("again", "at", "dice", "kept", "program", "turn")

    def __init__(self, program: str) -> None:
        self.program = program
        """The option that says who throws."""
        self.at, self.turn = [1, 1], 0
        self.dice: tuple[str, ...] = ()
        """Faces shown; empty before a throw."""
        self.kept: tuple[str, ...] = ()
        """Faces of dice that are not thrown again."""
        self.again = False
        """True if some were thrown again in this turn."""

    def clone(self) -> RaceState:
        other = RaceState(self.program)
        other.at, other.turn, other.dice = self.at[:], self.turn, self.dice
        other.kept, other.again = self.kept, self.again
        return other

    def to_json(self) -> Json:
        return {
            "options": {"dice": self.program}, "at": self.at[:], "turn": self.turn,
            "dice": [*self.dice], "kept": [*self.kept], "again": self.again,
        }  # fmt: skip

    def read(self, data: Json) -> None:
        self.at, self.turn, self.again = [*data["at"]], data["turn"], data["again"]
        self.dice, self.kept = tuple(data["dice"]), tuple(data["kept"])

    def problems(self) -> list[str]:
        dice = len(self.kept) < 2 and len(self.dice) in (0, 2)
        there = len(self.at) == 2 and all(at in range(1, FIELDS + 1) for at in self.at)
        there = there and self.turn in (0, 1)
        faces = {*self.dice, *self.kept} <= {*"123456"}
        return [] if dice and there and faces else ["a pawn or a die that cannot be"]

    # -- 1 Throwing ------------------------------------------------------------------------

    def throw(self) -> Throw | None:
        if self.dice or FIELDS in self.at:
            return None
        kept = Counter(("die", face) for face in self.kept)
        return THROWS[1 - len(self.kept)].keeping(kept)

    def prompt(self) -> Prompt | None:
        if FIELDS in self.at:
            return None
        if not self.dice:
            return Prompt(Actor.DEALER, self.turn, "throw", "1")
        return Prompt(Actor.PLAYER, self.turn, "move", "2")

    # -- 2 Moving --------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        if FIELDS in self.at:
            return []
        if (throw := self.throw()) is not None:
            return [*throw.moves]
        at, (one, two) = self.at[self.turn], map(int, self.dice)
        fields = sorted({min(at + step, FIELDS) for step in (one, two, one + two)})
        moves = [Move.of(self.turn, "move", f"f{field}") for field in fields]
        if self.again:
            return moves
        some = sorted({*((face,) for face in self.dice), self.dice})
        return [*moves, *(Move.of(self.turn, "again", *faces) for faces in some)]

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can put either pawn anywhere."""
        yield from self.legal_moves()
        if FIELDS not in self.at:
            yield from sorted(_MOVES.difference(self.legal_moves()))

    def violations(self, move: Move) -> list[Objection]:
        if FIELDS in self.at:
            return [Objection.of("2", "match_over")]
        if move in self.legal_moves():
            return []
        if move not in _MOVES:
            return [Objection.of("2", "unknown_move", move=move.text)]
        if move.player != self.turn:
            return [Objection.of("2", "wrong_player", player=self.turn, other=move.player or 0)]
        if not self.dice:
            return [Objection.of("1", "not_thrown", player=self.turn)]
        return [Objection.of("2", "too_far", site=move.args[0])]

    def apply(self, move: Move) -> None:
        if move.verb == "roll":
            self.dice, self.kept = tuple(sorted((*self.kept, *move.args))), ()
        elif move.verb == "again":
            left = Counter(self.dice) - Counter(move.args)
            self.dice, self.kept, self.again = (), tuple(left.elements()), True
        elif move.player is not None:
            self.at[move.player] = int(move.args[0][1:])
            self.turn, self.dice, self.kept, self.again = 1 - move.player, (), (), False

    # -- 3 The end -------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if FIELDS not in self.at:
            return None
        return Outcome("home", ranked([at == FIELDS for at in self.at]), self.scores())

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def layout(self) -> Layout:
        dice = Counter(Item("tray", "die", pose=face) for face in (*self.dice, *self.kept))
        pawns = (Item(f"f{at}", f"pawn {COLOURS[s]}", s) for s, at in enumerate(self.at))
        return dice + Counter(pawns)


class Race(Game[RaceState]):
    """Name, players, options and set-up."""

    id = "dice_race"
    package = "race_game"
    box = str(Path(__file__).with_name("box.toml"))
    players = (2,)
    options: ClassVar = {**DICE}
    codes = ("match_over", "wrong_player", "not_thrown", "too_far", "unknown_move")
    outcomes = ("home",)
    counts_points = False
    handling_rule = "2"

    def setup(self, players: int, options: Options, physical: bool) -> RaceState:
        return RaceState(options["dice"])

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Race()
