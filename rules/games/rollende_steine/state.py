"""The position of one match of Rollende Steine: supplies, cushions, gates and their marks."""

from __future__ import annotations

from typing import Self

from rules.colours import Paint
from rules.core import Json, State
from rules.games.rollende_steine.components import (
    ALL_GATES,
    CUSHIONS,
    DISCS,
    GATES,
    NEUTRAL_SHARE,
    NOBODY,
    ROLL,
    STEP,
)


class RollendeSteineState(State):
    """Fields of a position; lists are indexed by seat or by gate (G1 = 0)."""

    __slots__ = (
        "course", "cushions", "laid", "left", "lying", "marked", "neutral", "out", "own",
        "paint", "phase", "physical", "scorer", "turn", "used",
    )  # fmt: skip

    def __init__(self, players: int, course: str, physical: bool, paint: Paint) -> None:
        self.course, self.physical, self.paint = course, physical, paint
        self.phase = STEP
        self.turn = 0
        self.own = [DISCS] * players
        """Discs of the player's colour in the supply, per seat."""
        self.neutral = [NEUTRAL_SHARE[players]] * players
        """Neutral discs in the supply, per seat; their colours do not matter (RS15)."""
        self.out = [0] * players
        """The player's discs that are out of the game and lie ready as marks, per seat."""
        self.cushions = [CUSHIONS] * players
        """Cushions in the supply, per seat."""
        self.laid = [0] * players
        """Cushions on the board, per owner."""
        self.lying = 0
        """Cushions on the board, of whatever colour."""
        self.left = ALL_GATES
        """Bits of the gates not yet scored."""
        self.scorer = [NOBODY] * len(GATES)
        self.marked = [False] * len(GATES)
        """By gate: True if a disc lies in the hollow; RS2: else the app alone marks."""
        self.used = 0

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.course, other.physical, other.paint = self.course, self.physical, self.paint
        other.phase, other.turn = self.phase, self.turn
        other.own, other.neutral, other.out = self.own[:], self.neutral[:], self.out[:]
        other.cushions, other.laid, other.lying = self.cushions[:], self.laid[:], self.lying
        other.left, other.used = self.left, self.used
        other.scorer, other.marked = self.scorer[:], self.marked[:]
        return other

    def to_json(self) -> Json:
        """The whole position; ``gates`` are ``[seat, disc in the hollow]`` of those scored."""
        return {
            "players": len(self.own),
            "options": {"course": self.course, **self.paint.option(len(self.own))},
            "physical": self.physical,
            "phase": self.phase,
            "turn": self.turn,
            "supply": [list(pair) for pair in zip(self.own, self.neutral, strict=True)],
            "out": self.out[:],
            "cushions": self.cushions[:],
            "board": self.laid[:],
            "gates": {
                GATES[gate]: [seat, self.marked[gate]]
                for gate, seat in enumerate(self.scorer)
                if seat != NOBODY
            },
            "used": self.used,
        }

    def read(self, data: Json) -> None:
        self.phase, self.turn = str(data["phase"]), int(data["turn"])
        self.own = [int(own) for own, _ in data["supply"]]
        self.neutral = [int(neutral) for _, neutral in data["supply"]]
        self.out = [int(n) for n in data["out"]]
        self.cushions = [int(n) for n in data["cushions"]]
        self.laid = [int(n) for n in data["board"]]
        self.lying = sum(self.laid)
        for name, (seat, marked) in data["gates"].items():
            gate = GATES.index(name)
            self.scorer[gate], self.marked[gate] = int(seat), bool(marked)
            self.left &= ~(1 << gate)
        self.used = int(data["used"])

    def problems(self) -> list[str]:
        players = len(self.own)
        found = []
        lists = (self.neutral, self.out, self.cushions, self.laid)
        if any(len(numbers) != players for numbers in lists):
            return ["some list is not as long as there are players"]
        if any(number < 0 for numbers in (self.own, *lists) for number in numbers):
            found.append("somebody has fewer than no pieces")
        if self.phase not in (STEP, ROLL):
            found.append(f"there is no phase '{self.phase}'")
        if self.turn not in range(players):
            return [*found, f"it is the turn of nobody: {self.turn}"]
        if any(seat not in range(NOBODY, players) for seat in self.scorer):
            found.append(f"gates are scored by {self.scorer}")
        for seat in range(players):
            marks = sum(
                marked
                for marked, owner in zip(self.marked, self.scorer, strict=True)
                if owner == seat
            )
            if self.own[seat] + self.out[seat] + marks != DISCS:
                found.append(f"the own discs of p{seat} are not {DISCS}")
            if self.cushions[seat] + self.laid[seat] != CUSHIONS:
                found.append(f"the cushions of p{seat} are not {CUSHIONS}")
            if self.own[seat] and self.neutral[seat] != NEUTRAL_SHARE[players]:
                found.append(f"p{seat} rolled neutral discs before the own ones were gone")
        rolled = players * (DISCS + NEUTRAL_SHARE[players]) - sum(self.own) - sum(self.neutral)
        if rolled != self.used:
            found.append(f"{self.used} discs are counted as used, {rolled} are gone")
        if self.phase == ROLL and not self.own[self.turn] + self.neutral[self.turn]:
            found.append(f"p{self.turn} rolls a disc without having one")
        return found

    @property
    def over(self) -> bool:
        """4.5: all gates are scored, or no discs are left; all run out together (RS6)."""
        return not self.left or not self.own[self.turn] + self.neutral[self.turn]
