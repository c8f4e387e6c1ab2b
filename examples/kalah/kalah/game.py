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
# 1.3: a seat never sows into the other's store.
WAYS = tuple(tuple(s for s in ROUND if s != STORES[1 - seat]) for seat in (0, 1))
SEED = "seed"

_SOW = {pit: tuple(Move.of(seat, "sow", pit) for seat in (0, 1)) for pit in OPPOSITE}
_TAKE = {pit: tuple(Move.of(seat, "take", pit) for seat in (0, 1)) for pit in OPPOSITE}
_MOVES = frozenset(move for each in (_SOW, _TAKE) for moves in each.values() for move in moves)


class KalahState(State):
    """Position of one match: seeds by site, whose turn it is, and what is to be taken."""

    __slots__ = ("seeds", "start", "taken", "turn")

    def __init__(self, start: int) -> None:
        self.start = start
        """Seeds in each pit at the beginning."""
        self.seeds = {site: 0 if site in STORES else start for site in ROUND}
        self.turn = 0
        self.taken = ""
        """The pit of the other seat whose seeds are to be taken now; empty: none."""

    def clone(self) -> KalahState:
        other = KalahState.__new__(KalahState)
        other.start, other.turn, other.taken = self.start, self.turn, self.taken
        other.seeds = self.seeds.copy()
        return other

    def to_json(self) -> Json:
        return {
            "options": {"seeds": str(self.start)},
            "seeds": dict(self.seeds), "turn": self.turn, "taken": self.taken,
        }  # fmt: skip

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
        code, rule = ("take", "1.4") if self.taken else ("sow", "1.3")
        return Prompt(Actor.PLAYER, self.turn, code, rule)

    def legal_moves(self) -> list[Move]:
        if self.outcome() is not None:
            return []
        if self.taken:
            return [_TAKE[self.taken][self.turn]]
        return [_SOW[pit][self.turn] for pit in PITS[self.turn] if self.seeds[pit]]

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can sow any seeds, and take any two heaps that face each other."""
        if self.outcome() is None:
            for pit, other in OPPOSITE.items():
                if self.seeds[pit]:
                    yield from _SOW[pit]
                    if self.seeds[other]:
                        yield from _TAKE[pit]

    def violations(self, move: Move) -> list[Objection]:
        if self.outcome() is not None:
            return [Objection.of("1.5", "match_over")]
        seat = move.player
        if move not in _MOVES or seat is None:
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        pit = move.args[0]
        if seat != self.turn:
            return [Objection.of("1.3", "wrong_player", player=self.turn, other=seat)]
        if move.verb == "take":
            return [] if pit == self.taken else [Objection.of("1.4", "not_to_take", site=pit)]
        if self.taken:
            return [Objection.of("1.4", "take_first", player=seat, site=self.taken)]
        if pit not in PITS[seat]:
            return [Objection.of("1.3", "not_yours", player=seat, site=pit)]
        return [] if self.seeds[pit] else [Objection.of("1.3", "empty_pit", site=pit)]

    def apply(self, move: Move) -> None:
        assert move.player is not None
        seat, pit, seeds = move.player, move.args[0], self.seeds
        store, other = STORES[seat], OPPOSITE[pit]
        if move.verb == "take":
            seeds[store] += seeds[pit] + seeds[other]
            seeds[pit] = seeds[other] = 0
            self.turn, self.taken = 1 - seat, ""
            return
        sites = self.sown(move)
        seeds[pit] = 0
        for site in sites:
            seeds[site] += 1
        last = sites[-1]
        self.turn = seat if last == store else 1 - seat
        if last in PITS[seat] and seeds[last] == 1 and seeds[OPPOSITE[last]]:
            self.turn, self.taken = seat, OPPOSITE[last]

    def sown(self, move: Move) -> list[str]:
        """1.3: where each of the seeds of a pit goes, in the order in which they are sown."""
        assert move.player is not None
        way, pit = WAYS[move.player], move.args[0]
        start = ROUND.index(pit) + 1
        around = [site for site in ROUND[start:] + ROUND[:start] if site in way]
        return [around[n % len(around)] for n in range(self.seeds[pit])]

    # -- 1.5 The end -----------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if self.taken or all(any(self.seeds[pit] for pit in side) for side in PITS):
            return None
        scores = self.scores()
        return Outcome("drawn" if scores[0] == scores[1] else "more", ranked(scores), scores)

    def scores(self) -> tuple[int, ...]:
        """1.5: seeds that are left in a pit count for its owner, at the end."""
        return tuple(self._stored(seat) + self._left(seat) for seat in (0, 1))

    def explain_scores(self) -> list[ScoreLine]:
        parts = (("stored", self._stored), ("left", self._left))
        lines = [ScoreLine(seat, code, part(seat)) for seat in (0, 1) for code, part in parts]
        return [line for line in lines if line.points]

    def _stored(self, seat: int) -> int:
        return self.seeds[STORES[seat]]

    def _left(self, seat: int) -> int:
        sides = [sum(self.seeds[pit] for pit in side) for side in PITS]
        return sides[seat] if not self.taken and 0 in sides else 0

    # -- the table -------------------------------------------------------------------------

    def layout(self) -> Layout:
        return +Counter({Item(site, SEED): number for site, number in self.seeds.items()})

    def touches(self, move: Move) -> Collection[str]:
        assert move.player is not None
        pit = move.args[0]
        if move.verb == "take":
            return (pit, OPPOSITE[pit], STORES[move.player])
        return {pit, *self.sown(move)}


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

    # -- 1.2 Set-up ------------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> KalahState:
        return KalahState(int(options["seeds"]))

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return ("white", "black")

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Kalah()
