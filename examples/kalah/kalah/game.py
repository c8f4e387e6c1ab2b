"""Kalah: the position with its rules, and the game as Heelstone's are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

from rules.core import (
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
    ScoreLine,
    State,
    ranked,
)

# 1.1 The board: the pits of a seat and its store, in the order in which it sows.
PITS = (("a1", "b1", "c1", "d1", "e1", "f1"), ("f2", "e2", "d2", "c2", "b2", "a2"))
STORES = ("s1", "s2")
ROUND = (*PITS[0], STORES[0], *PITS[1], STORES[1])
FACING = tuple(zip(PITS[0], reversed(PITS[1]), strict=True))
OPPOSITE = dict(FACING) | {two: one for one, two in FACING}
_MOVE = {
    (seat, verb, pit): Move.of(seat, verb, pit)
    for seat in (0, 1) for verb in ("sow", "take") for pit in OPPOSITE
}  # fmt: skip
_SEED = {s: Item(s, "seed", seat) for seat in (0, 1) for s in (*PITS[seat], STORES[seat])}
_MOVES = frozenset(_MOVE.values())


class KalahState(State):
    """Position of one match: seeds by site, whose turn it is, and what is to be taken."""

    __slots__ = ("seeds", "start", "taken", "turn")

    def __init__(self, start: int) -> None:
        self.start, self.turn = start, 0
        self.seeds = {site: 0 if site in STORES else start for site in ROUND}
        self.taken = ""
        """The pit of the other seat whose seeds are to be taken now; empty: none."""

    def clone(self) -> KalahState:
        other = KalahState.__new__(KalahState)
        other.start, other.turn, other.taken = self.start, self.turn, self.taken
        other.seeds = self.seeds.copy()
        return other

    def to_json(self) -> Json:
        options = {"seeds": str(self.start)}
        seeds = dict(self.seeds)
        return {"options": options, "seeds": seeds, "turn": self.turn, "taken": self.taken}

    def read(self, data: Json) -> None:
        self.seeds = {site: int(data["seeds"][site]) for site in ROUND}
        self.turn, self.taken = int(data["turn"]), str(data["taken"])

    def problems(self) -> list[str]:
        found = []
        if min(self.seeds.values()) < 0 or sum(self.seeds.values()) != len(OPPOSITE) * self.start:
            found.append(f"the seeds are {self.seeds}, of {self.start} in each pit")
        if self.turn not in (0, 1):
            found.append(f"it is the turn of {self.turn}")
        elif self.taken and (self.taken not in PITS[1 - self.turn] or not self.seeds[self.taken]):
            found.append(f"{self.taken} is to be taken by {self.turn}")
        return found

    # -- 1.3 Sowing, 1.4 taking ------------------------------------------------------------

    def prompt(self) -> Prompt | None:
        if self.outcome() is not None:
            return None
        return Prompt(Actor.PLAYER, self.turn, *(("take", "1.4") if self.taken else ("sow", "1.3")))

    def legal_moves(self) -> list[Move]:
        if self.outcome() is not None:
            return []
        if self.taken:
            return [_MOVE[self.turn, "take", self.taken]]
        return [_MOVE[self.turn, "sow", pit] for pit in PITS[self.turn] if self.seeds[pit]]

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can sow any seeds, and take any two heaps that face each other."""
        for (_, verb, pit), move in _MOVE.items():
            there = self.seeds[pit] and (verb == "sow" or self.seeds[OPPOSITE[pit]])
            if there and self.outcome() is None:
                yield move

    def violations(self, move: Move) -> list[Objection]:
        if self.outcome() is not None:
            return [Objection.of("1.5", "match_over")]
        if move not in _MOVES or (seat := move.player) is None:
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        (pit,) = move.args
        if seat != self.turn:
            return [Objection.of("1.3", "wrong_player", player=self.turn, other=seat)]
        if move.verb == "take":
            return [] if pit == self.taken else [Objection.of("1.4", "not_to_take", site=pit)]
        if self.taken:
            return [Objection.of("1.4", "take_first", player=seat, site=self.taken)]
        if pit not in PITS[seat]:
            return [Objection.of("1.3", "not_yours", player=seat, site=pit)]
        return [] if self.seeds[pit] else [Objection.of("1.3", "empty_pit", site=pit)]

    def sown(self, move: Move) -> list[str]:
        """1.3: where each seed of a pit goes, in order: never into the store of the other seat."""
        start = ROUND.index(move.args[0]) + 1
        around = [s for s in ROUND[start:] + ROUND[:start] if s != STORES[1 - (move.player or 0)]]
        return [around[number % len(around)] for number in range(self.seeds[move.args[0]])]

    def apply(self, move: Move) -> None:
        seat, pit, seeds = move.player or 0, move.args[0], self.seeds
        if move.verb == "take":
            seeds[STORES[seat]] += seeds[pit] + seeds[OPPOSITE[pit]]
            seeds[pit] = seeds[OPPOSITE[pit]] = 0
            self.turn, self.taken = 1 - seat, ""
            return
        sites, seeds[pit] = self.sown(move), 0
        for site in sites:
            seeds[site] += 1
        last = sites[-1]
        self.turn = seat if last == STORES[seat] else 1 - seat
        if last in PITS[seat] and seeds[last] == 1 and seeds[OPPOSITE[last]]:
            self.turn, self.taken = seat, OPPOSITE[last]

    # -- 1.5 The end -----------------------------------------------------------------------

    def _left(self) -> tuple[int, ...]:
        """Seeds in the pits of each seat that count, because the match is over."""
        sides = tuple(sum(self.seeds[pit] for pit in side) for side in PITS)
        return sides if 0 in sides and not self.taken else ()

    def outcome(self) -> Outcome | None:
        if not self._left():
            return None
        scores = self.scores()
        return Outcome("drawn" if scores[0] == scores[1] else "more", ranked(scores), scores)

    def scores(self) -> tuple[int, ...]:
        left = self._left() or (0, 0)
        return tuple(self.seeds[store] + more for store, more in zip(STORES, left, strict=True))

    def explain_scores(self) -> list[ScoreLine]:
        stored = tuple(self.seeds[store] for store in STORES)
        parts = (("stored", stored), ("left", self._left()))
        return [ScoreLine(s, code, n) for code, part in parts for s, n in enumerate(part) if n]

    # -- the table -------------------------------------------------------------------------

    def layout(self) -> Layout:
        return +Counter({_SEED[site]: number for site, number in self.seeds.items()})

    def touches(self, move: Move) -> Collection[str]:
        if move.verb == "take":
            return (*move.args, OPPOSITE[move.args[0]], STORES[move.player or 0])
        return {*move.args, *self.sown(move)}


class Kalah(Game[KalahState]):
    """Kalah for two. Everything about a match is in its ``KalahState``."""

    id = "kalah"
    package = "kalah"
    box = str(Path(__file__).with_name("box.toml"))
    bgg_id = 2448
    players = (2,)
    options: ClassVar = {"seeds": ("4", "3", "6")}
    codes = (
        "match_over", "unknown_move", "wrong_player", "take_first", "not_to_take", "not_yours",
        "empty_pit",
    )  # fmt: skip
    outcomes = ("more", "drawn")
    handling_rule = "1.3"

    def setup(self, players: int, options: Options, physical: bool) -> KalahState:
        return KalahState(int(options["seeds"]))

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return ("white", "black")

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Kalah()
