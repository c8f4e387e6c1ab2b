"""Trails: the position with its rules, and the game as Heelstone's are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import ClassVar

from rules.box import around
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
    Touch,
    ranked,
)

COLOURS = ("white", "black")
# 1.2 The first tile lies anywhere and points to the right: places and turns count from it.
FIRST, TURNS = "0:0", tuple(map(str, range(6)))


@cache
def lay(seat: int, site: str, turn: str) -> Move:
    """The move that lays a tile."""
    return Move.of(seat, "lay", site, turn)


class TrailsState(State):
    """Position of one match: the tiles in the order in which they were laid."""

    __slots__ = ("each", "tiles")

    def __init__(self, each: int) -> None:
        self.each = each
        self.tiles: dict[str, tuple[int, str]] = {}
        """Seat and turn by site."""

    def clone(self) -> TrailsState:
        other = TrailsState.__new__(TrailsState)
        other.each, other.tiles = self.each, self.tiles.copy()
        return other

    def to_json(self) -> Json:
        tiles = [[site, seat, turn] for site, (seat, turn) in self.tiles.items()]
        return {"options": {"tiles": str(self.each)}, "tiles": tiles}

    def read(self, data: Json) -> None:
        self.tiles = {str(site): (int(seat), str(turn)) for site, seat, turn in data["tiles"]}

    def problems(self) -> list[str]:
        found = []
        if len(self.tiles) > 2 * self.each:
            found.append(f"{len(self.tiles)} tiles lie there, of {2 * self.each}")
        before = TrailsState(self.each)
        for site, (seat, turn) in self.tiles.items():
            if turn not in TURNS or before.violations(move := lay(seat, site, turn)):
                return [*found, f"{seat} cannot have laid a tile at {site}, turned by {turn}"]
            before.apply(move)
        return found

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return len(self.tiles) % 2

    # -- 1.3 Laying ------------------------------------------------------------------------

    def _open(self) -> dict[str, None]:
        """The free places next to a tile; at first the only one there is."""
        found = dict.fromkeys(next_to for site in self.tiles for next_to in around(site))
        return {site: None for site in found if site not in self.tiles} or {FIRST: None}

    def prompt(self) -> Prompt | None:
        if self.outcome() is not None:
            return None
        code, rule = ("lay", "1.3") if self.tiles else ("begin", "1.2")
        return Prompt(Actor.PLAYER, self.turn, code, rule)

    def legal_moves(self) -> list[Move]:
        if self.outcome() is not None:
            return []
        if not self.tiles:
            return [lay(0, FIRST, TURNS[0])]
        return [
            lay(self.turn, site, turn)
            for site in self._open()
            for turn, there in zip(TURNS, around(site), strict=True) if there in self.tiles
        ]  # fmt: skip

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can lay either colour anywhere near, in any turn."""
        if self.outcome() is not None:
            return
        if not self.tiles:
            yield from (lay(seat, FIRST, TURNS[0]) for seat in (0, 1))
            return
        near, turn = self._open(), self.turn
        apart = {far: None for site in near for far in around(site) if far not in self.tiles}
        yield from (lay(turn, site, way) for site in near | apart for way in TURNS)
        if self._left(1 - turn):
            yield from (lay(1 - turn, site, way) for site in near for way in TURNS)

    def violations(self, move: Move) -> list[Objection]:
        if self.outcome() is not None:
            return [Objection.of("1.5", "match_over")]
        if move.verb != "lay" or move.player is None or len(move.args) != 2:
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        site, turn = move.args
        if turn not in TURNS or not around(site):
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        if move.player != self.turn:
            return [Objection.of("1.3", "wrong_player", player=self.turn, other=move.player)]
        if not self.tiles:
            first = (site, turn) == (FIRST, TURNS[0])
            return [] if first else [Objection.of("1.2", "unknown_move", move=move.text)]
        if site in self.tiles:
            return [Objection.of("1.3", "occupied", site=site)]
        if site not in self._open():
            return [Objection.of("1.3", "apart", site=site)]
        if around(site)[int(turn)] not in self.tiles:
            return [Objection.of("1.3", "points_nowhere", site=site)]
        return []

    def apply(self, move: Move) -> None:
        self.tiles[move.args[0]] = (move.player or 0, move.args[1])

    # -- 1.4 Trails, 1.5 the end -----------------------------------------------------------

    def _left(self, seat: int) -> int:
        return self.each - sum(one == seat for one, _ in self.tiles.values())

    def trails(self) -> dict[str, int]:
        """1.4: how long the trail of one colour is that begins with each tile, where it points."""
        found: dict[str, int] = {}
        for site, (seat, turn) in self.tiles.items():
            # Whatever a tile points at was there before it; the first may point nowhere.
            before = around(site)[int(turn)] if found else ""
            same = before in found and self.tiles[before][0] == seat
            found[site] = 1 + (found[before] if same else 0)
        return found

    def scores(self) -> tuple[int, ...]:
        best = [0, 0]
        for site, length in self.trails().items():
            seat = self.tiles[site][0]
            best[seat] = max(best[seat], length)
        return tuple(best)

    def explain_scores(self) -> list[ScoreLine]:
        return [ScoreLine(seat, "trail", n) for seat, n in enumerate(self.scores()) if n]

    def outcome(self) -> Outcome | None:
        if len(self.tiles) < 2 * self.each:
            return None
        scores = self.scores()
        return Outcome("drawn" if scores[0] == scores[1] else "longer", ranked(scores), scores)

    # -- the table -------------------------------------------------------------------------

    def layout(self) -> Layout:
        return Counter(
            Item(site, f"tile {COLOURS[seat]}", seat, pose=turn)
            for site, (seat, turn) in self.tiles.items()
        )

    def supply(self, seat: int) -> Counter[str]:
        return +Counter({f"tile {COLOURS[seat]}": self._left(seat)})

    def touches(self, move: Move) -> Collection[str]:
        return move.args[:1]


class TrailsTouch(Touch[TrailsState]):
    """A tile is laid by touching its place, and then the tile at which it is to point."""

    def places(self, state: TrailsState, move: Move) -> tuple[str, ...]:
        site, turn = move.args
        return (site, around(site)[int(turn)]) if state.tiles else (site,)


class Trails(Game[TrailsState]):
    """Trails for two. Everything about a match is in its ``TrailsState``."""

    id = "trails"
    package = "trails"
    box = str(Path(__file__).with_name("box.toml"))
    players = (2,)
    options: ClassVar = {"tiles": ("10", "7")}
    codes = ("match_over", "unknown_move", "wrong_player", "occupied", "apart", "points_nowhere")
    outcomes = ("longer", "drawn")
    handling_rule = "1.3"
    touch = TrailsTouch()

    def setup(self, players: int, options: Options, physical: bool) -> TrailsState:
        return TrailsState(int(options["tiles"]))

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Trails()
