"""Die Dolmengötter: whose dolmens may be worth what, which stones earn them, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.core.matches import Json
from rules.games.dolmengoetter.board import FACTORS
from rules.games.dolmengoetter.components import LEVELS, TOP, UNKNOWN, VALUES
from rules.games.dolmengoetter.state import ACTION, DRUIDS, NOBODY, RIGHTS, STONE, DolmenState
from rules.players.craft import Craft, from_scores
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import Found
from rules.players.view import SeatView

USUAL_VALUE = 2.0
"""Worth of a dolmen that will be built, before its factor."""
PUSHED_DOWN = 0.8
"""Part of a pile's points that is still there when it scores: others build on top."""
WEIGHS = {"apprentice": 15, "druid": 90}
"""With three dozen walks to choose from, more playouts are worth much here: weaker players weigh
few of them."""
AHEAD = 0.45
"""Weight of a good place under a druid before its stone is put down."""


class DolmenCraft(Craft[DolmenState]):
    """The craft, for any number of players and any board."""

    horizon = 60
    reasons: ClassVar = (
        "first_dolmen", "new_majority", "tie", "spoils_majority", "no_gift", "saves_stone",
        "builds_high", "builds_low", "keeps_dolmen", "good_ground", "lies_down", "scores_circle",
    )  # fmt: skip

    def __init__(self, game: Game[DolmenState], weighs: int | None = None) -> None:
        """``weighs``: most ways on that are tried; None: as many as there is time for."""
        super().__init__(game)
        self._weighs = weighs

    def as_known_by(self, level: str) -> DolmenCraft:
        return DolmenCraft(self.game, WEIGHS.get(level, self._weighs))

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Key],
        depth: int | None,
    ) -> Found:  # fmt: skip
        return super().look_ahead(worlds, budget.at_most(self._weighs), random, only, depth)

    # -- what is hidden -------------------------------------------------------------------

    def states(self, view: SeatView) -> Callable[[Random], DolmenState]:
        """DG21: every dolmen that was never shown may be any of its owner's set."""
        empty = self.game.setup(view.players, view.options, physical=False)
        data: dict[str, Json] = {**view.state, "physical": False}
        data.pop("zones", None)
        piles = {name: [list(one) for one in pile] for name, pile in data["piles"].items()}
        unseen = [[v for v in VALUES for _ in range(empty.set[v])] for _ in range(view.players)]
        gaps: list[list[tuple[str, int]]] = [[] for _ in range(view.players)]
        for name, pile in (*data["scored"], *piles.items()):
            for level, (owner, value) in enumerate(pile):
                if value:
                    unseen[owner].remove(value)
                else:
                    gaps[owner].append((name, level))
        for owner, own in enumerate(gaps):
            for (name, level), value in zip(own, unseen[owner], strict=False):
                piles[name][level][1] = value
        data["piles"] = piles
        data["supplies"] = [unseen[owner][len(own) :] for owner, own in enumerate(gaps)]
        first = self.game.from_json(data)
        circle = empty.board.circle

        def deal(random: Random) -> DolmenState:
            state = first.clone()
            for owner, own_gaps in enumerate(gaps):
                if not own_gaps:
                    continue
                values = random.sample(unseen[owner], len(unseen[owner]))
                for name, level in own_gaps:
                    state.piles[circle[name]][level] = (owner, values.pop())
                state.values[owner] = [0, *(values.count(v) for v in VALUES)]
            return state

        return deal

    # -- what is promising ----------------------------------------------------------------

    def priors(self, state: DolmenState, moves: Sequence[Move]) -> Sequence[float]:
        return [4.0 ** max(-3.0, min(3.0, worth)) for worth in self._worths(state, moves)]

    def carry_on(self, state: DolmenState, moves: Sequence[Move], random: Random) -> Move:
        """The better of a few moves that come to mind."""
        number = len(moves)
        some = [moves[int(random.random() * number)] for _ in range(3)] if number > 3 else moves
        worths = self._worths(state, some)
        noisy = [worth + random.random() for worth in worths]
        return some[noisy.index(max(noisy))]

    def estimate(self, state: DolmenState) -> Sequence[float]:
        """Points, and what the piles would bring now."""
        points = [float(p) for p in state.points]
        for circle, pile in enumerate(state.piles):
            if pile:
                for seat, gained in enumerate(state.circle_points(circle, pile)):
                    points[seat] += PUSHED_DOWN * gained
        return from_scores([round(10 * p) for p in points])

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: DolmenState, move: Move) -> Reason | None:
        seat = move.player
        if seat is None:
            return None
        place, verb = state.board.place, move.verb
        if verb == "dolmen":
            high = int(move.args[2]) >= 3
            return Reason.of("builds_high" if high else "builds_low", circle=move.args[0])
        if verb == "keep":
            if move.args[0] in place:
                owner = self._gift(state, seat, state.left)
                if owner != NOBODY:
                    return Reason.of("no_gift", other=owner)
                return Reason.of("saves_stone")
            return Reason.of("keeps_dolmen")
        if verb == "herbs":
            return Reason.of("lies_down")
        if verb in ("walk", "fly", "stone"):
            found = self._stone_reason(state, seat, place[move.args[0]])
            if found is not None or verb == "stone":
                return found
            return Reason.of("good_ground", site=move.args[1])
        return None

    def _stone_reason(self, state: DolmenState, seat: int, place: int) -> Reason | None:
        for circle in state.board.circles_of[place]:
            owner, level, fills = _right(state, seat, circle)
            name = state.board.circle_ids[circle]
            if owner == seat:
                if not state.piles[circle]:
                    return Reason.of("first_dolmen", circle=name)
                return Reason.of("new_majority" if level == TOP else "tie", circle=name)
            if owner == NOBODY and state.maj[circle] not in (NOBODY, seat):
                row = state.count[circle]
                if row[seat] + 1 == max(row):
                    return Reason.of("spoils_majority", circle=name, other=state.maj[circle])
            if fills and state.piles[circle] and state.piles[circle][0][0] == seat:
                return Reason.of("scores_circle", circle=name)
        return None

    def _gift(self, state: DolmenState, seat: int, place: int) -> int:
        """The other seat that would get a right by a stone there; ``NOBODY``: none."""
        if place == NOBODY:
            return NOBODY
        for circle in state.board.circles_of[place]:
            owner = _right(state, seat, circle)[0]
            if owner not in (NOBODY, seat):
                return owner
        return NOBODY

    # -- private --------------------------------------------------------------------------

    def _worths(self, state: DolmenState, moves: Sequence[Move]) -> list[float]:
        """Points that each move promises at first sight."""
        phase, seat = state.phase, moves[0].player
        if seat is None:
            return [0.0] * len(moves)
        place = state.board.place
        known: dict[int, float] = {}

        def stone(at: int) -> float:
            found = known.get(at)
            if found is None:
                found = known[at] = _stone_worth(state, seat, at)
            return found

        if phase == ACTION:
            worths = []
            for move in moves:
                if move.verb == "herbs":
                    worths.append(-1.5)
                    continue
                here, there = place[move.args[0]], place[move.args[1]]
                worths.append(max(-1.0, stone(here)) / 3 + AHEAD * _ground(state, seat, there))
            return worths
        if phase == STONE:
            worth = stone(state.left)
            return [worth / 3 if move.verb == "stone" else -0.35 for move in moves]
        if phase == RIGHTS:
            return [_built_worth(state, seat, move) for move in moves]
        if phase == DRUIDS:
            return [_ground(state, seat, place[move.args[0]]) for move in moves]
        return [0.0] * len(moves)


def _right(state: DolmenState, seat: int, circle: int) -> tuple[int, int, bool]:
    """7.6: who gets a right in a circle by a stone of ``seat``, on which side of the pile, and
    whether the stone fills the circle."""
    row = state.count[circle]
    total = state.filled[circle] + 1
    fills = total == state.board.size[circle]
    if total < 3:
        return NOBODY, TOP, fills
    mine = row[seat] + 1
    most = max(max(row), mine)
    if most == total:
        return NOBODY, TOP, fills
    ahead = [s for s, n in enumerate(row) if (mine if s == seat else n) == most]
    if len(ahead) == 1:
        if ahead[0] != state.maj[circle]:
            return ahead[0], TOP, fills
        if state.bonus and fills and ahead[0] != seat:
            return ahead[0], TOP, fills
        return NOBODY, TOP, fills
    if mine == most and most >= state.tie_min:
        return seat, 1 - TOP, fills
    return NOBODY, TOP, fills


def _stone_worth(state: DolmenState, seat: int, place: int) -> float:
    """Points that a stone there promises: rights of one's own, less those given away."""
    worth = 0.1
    size = state.board.size
    for circle in state.board.circles_of[place]:
        owner, level, _fills = _right(state, seat, circle)
        pile = state.piles[circle]
        factors = FACTORS[size[circle]]
        if owner == NOBODY:
            # A majority to come is worth a little, the more so in a large circle.
            worth += 0.12 * factors[0] if state.count[circle][seat] else 0.05 * factors[0]
            continue
        depth = 0 if level == TOP else min(len(pile), len(factors) - 1)
        gain = USUAL_VALUE * factors[depth]
        if level == TOP and pile:
            # The dolmens that lie there are pushed down by one.
            gain += sum(
                (1 if holder != owner else -1) * USUAL_VALUE
                for holder, _ in pile[: len(factors) - 1]
            )
        worth += gain if owner == seat else -gain / max(1, state.players - 1)
    return worth


def _ground(state: DolmenState, seat: int, place: int) -> float:
    """Worth of a place for leaving a stone on it later."""
    worth = 0.0
    for circle in state.board.circles_of[place]:
        left = state.board.size[circle] - state.filled[circle]
        if left > 0:
            worth += 0.1 * FACTORS[state.board.size[circle]][0]
            owner, _level, _fills = _right(state, seat, circle)
            if owner == seat:
                worth += 1.0
            elif owner != NOBODY:
                worth -= 0.4
    return worth


def _built_worth(state: DolmenState, seat: int, move: Move) -> float:
    """Gain of a dolmen where it would lie; a large one should lie where it stays on top."""
    circle = state.board.circle[move.args[0]]
    if move.verb == "keep":
        return -0.5
    factors, pile = FACTORS[state.board.size[circle]], state.piles[circle]
    top = LEVELS.index(move.args[1]) == TOP
    depth = 0 if top else min(len(pile), len(factors) - 1)
    value = int(move.args[2]) if move.args[2] != "?" else UNKNOWN
    left = state.board.size[circle] - state.filled[circle]
    stays = 1.0 / (1.0 + 0.35 * left) if top else 0.9
    best = max(v for v in VALUES if state.values[seat][v] or v == value)
    # A value is spent for good, so it should meet a factor that is worth it.
    return (value * factors[depth] * stays - 0.8 * value * (2 if best > 1 else 1)) / 4
