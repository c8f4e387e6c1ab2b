"""The craft of Der Hohe Rat: good play, and reasons for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.core.matches import Outcome
from rules.games.hoher_rat.components import (
    BLACK,
    EMPTY,
    FIELD_NAME,
    LAST,
    NEXT,
    NONE,
    PIECE_COLOUR,
    PIECE_FACTION,
    SPOKESMAN,
    faction_of,
)
from rules.games.hoher_rat.moves import Step, decode, gains
from rules.games.hoher_rat.state import BLOCK, RatState, find_fronts
from rules.players.craft import Craft
from rules.players.crafts.hoher_rat.dealing import dealt_anew, hand_is_known
from rules.players.crafts.hoher_rat.position import Debate
from rules.players.crafts.hoher_rat.promise import looks, weighed, worth_a_look
from rules.players.crafts.hoher_rat.standing import FULL, Weights, hope_of_pro, ring_of, run, won_by
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.tasks import Luck, Task
from rules.players.view import SeatView

# Reasons why a move of Der Hohe Rat is good, by what lies open.

CODES = (
    "wins", "breaks_and_joins", "breaks", "joins", "keeps_apart", "stands_firm", "spokesman",
    "takes_seat", "affords", "arguments", "new_cards", "saves_arguments", "turn_done",
    "partner_needs", "missed_least",
)  # fmt: skip

_LARGE = 4
"""Number of pieces from which a block is worth speaking of."""
_FIRM = 3
"""Number of pieces from which a group costs the full price."""


def why(state: RatState, move: Move) -> Reason | None:
    """The reason, None if there is none but the chances."""
    step = decode(move.text)
    if step is None:
        return None
    match step.verb:
        case "persuade":
            return _persuading(state, step)
        case "seat":
            return _seating(state, step)
        case "discuss":
            return _discussing(state, step)
        case "ponder":
            return Reason("new_cards")
        case "done":
            return Reason("saves_arguments" if _could_persuade(state, step.seat) else "turn_done")
        case "consult" | "return":
            return Reason("partner_needs")
        case "lift":
            return _lifting(state, step)
    return None


def _could_persuade(state: RatState, seat: int) -> bool:
    owned = state.arguments[seat]
    return any(
        price <= (max(owned) if front == BLACK else owned[front])
        for _, price, front in find_fronts(state)[faction_of(seat)]
    )


def _block(state: RatState, field: int, faction: int) -> int:
    """Pieces of a faction side by side if one of them stands on ``field``."""
    return run(state.ring, field, faction, PIECE_FACTION)


def _persuading(state: RatState, step: Step) -> Reason | None:
    faction = faction_of(step.seat)
    joined, broken = _block(state, step.field, faction), state.block(step.field)
    if joined >= BLOCK:
        return Reason("wins")
    if joined >= _LARGE and broken >= _LARGE:
        return Reason.of("breaks_and_joins", broken=broken, joined=joined)
    if broken >= _LARGE:
        return Reason.of("breaks", broken=broken)
    return Reason.of("joins", joined=joined) if joined > 1 else None


def _seating(state: RatState, step: Step) -> Reason | None:
    faction, field = faction_of(step.seat), step.field
    if state.ring[field] != EMPTY:
        return Reason("spokesman")
    joined, kept = _block(state, field, faction), _block(state, field, 1 - faction)
    if joined >= BLOCK:
        return Reason("wins")
    if kept > max(joined, _LARGE):
        return Reason.of("keeps_apart", size=kept)
    if joined >= _LARGE:
        return Reason.of("joins", joined=joined)
    if step.piece != NONE:
        group = run(state.ring, field, PIECE_COLOUR[step.piece], PIECE_COLOUR)
        if group >= _FIRM:
            return Reason.of("stands_firm", size=group)
        if step.piece >= SPOKESMAN:
            return Reason("spokesman")
    return Reason.of("joins", joined=joined) if joined > 1 else Reason("takes_seat")


def _discussing(state: RatState, step: Step) -> Reason | None:
    faction, owned = faction_of(step.seat), list(state.arguments[step.seat])
    room, number = state.room(faction), 0
    before = owned[:]
    for colour, wanted in gains(step):
        taken = min(wanted, room[colour])
        owned[colour] += taken
        number += taken
    # The persuasion that brings most of those it makes affordable.
    ring, best, found = ring_of(state), 0.0, None
    for place, price, front in find_fronts(state)[faction]:
        colours = range(5) if front == BLACK else (front,)
        if not any(before[colour] < price <= owned[colour] for colour in colours):
            continue
        if any(before[colour] >= price for colour in colours):
            continue
        source = place // 2
        field = NEXT[source] if place & 1 else LAST[source]
        own, theirs, _ = ring.gain(faction, field)
        if found is None or own + theirs > best:
            best, found = own + theirs, field
    if found is not None:
        return Reason.of("affords", field=FIELD_NAME[found])
    return Reason.of("arguments", number=number) if number > 1 else None


def _lifting(state: RatState, step: Step) -> Reason | None:
    alone = state.block(step.field) == 1
    return Reason.of("missed_least", field=FIELD_NAME[step.field]) if alone else None


# The task for a turn of Der Hohe Rat: the longest block that persuading can join.


class LongestBlock(Task[RatState]):
    """The longest block that a turn can leave. After the action the cards drawn cannot be used any
    more, so they do not matter."""

    name: ClassVar[str] = "longest_block"
    luck: ClassVar[Luck] = Luck.ANY
    fewest: ClassVar[int] = 2
    most: ClassVar[int] = 3_000

    def begins(self, state: RatState, seat: int, moves: Sequence[Move]) -> bool:
        if state.acted or state.pending or self.largest(state, seat) < _BEGUN:
            return False
        # There must be something to join by words.
        return any(move.verb == "persuade" for move in moves)

    def reached(self, state: RatState, seat: int) -> int:
        # With sixteen the match is over.
        return min(BLOCK, self.largest(state, seat))

    def largest(self, state: RatState, seat: int) -> int:
        """The largest block of the player's faction."""
        return state.largest_block(faction_of(seat))

    def worth_a_look(self, state: RatState, seat: int, moves: Sequence[Move]) -> Sequence[Move]:
        # New cards cannot be played in the same turn.
        return [move for move in moves if move.verb not in ("done", "ponder", "consult")]

    def ends(self, state: RatState, move: Move) -> bool:
        return move.verb == "done"

    def first_idea(self, state: RatState, seat: int, moves: Sequence[Move]) -> Move:
        """The move that makes the longest block at once."""

        def at_once(move: Move) -> int:
            trial = state.clone()
            trial.apply(move)
            return self.largest(trial, seat)

        return max(moves, key=lambda move: (at_once(move), move.text))

    def reason(self, state: RatState, turn: Sequence[Move]) -> Reason:
        steps = [step for move in turn if (step := decode(move.text)) is not None]
        words = sum(step.verb == "persuade" for step in steps)
        if steps[0].verb == "discuss":
            return Reason.of("talks_first", number=words)
        if steps[0].verb == "seat":
            return Reason.of("sits_first", number=words)
        if any(step.verb == "seat" for step in steps):
            return Reason.of("words_first", number=words)
        return Reason.of("in_this_order", number=words)

    def same(self, state: RatState) -> Hashable:
        return (
            tuple(state.ring), tuple(map(tuple, state.arguments)), state.acted, state.vote,
            tuple(state.pending), tuple(state.followers), tuple(state.spokesmen), state.turn,
            None if state.acted else tuple(state.hands), state.winner, tuple(state.heap),
        )  # fmt: skip


class BlockNow(LongestBlock):
    """A block of sixteen, and with it the match."""

    name: ClassVar[str] = "block_now"
    fewest: ClassVar[int] = 1

    def reached(self, state: RatState, seat: int) -> int:
        return int(self.largest(state, seat) >= BLOCK)


TASKS = (BlockNow, LongestBlock)

_BEGUN = 4
"""Number of pieces from which a block is worth making longer."""


NOISE = 0.1
"""Logits by which people in a playout misjudge a move."""


KNOWN_BY = {"apprentice": Weights(group=0.1), "druid": Weights(group=0.2)}
"""Weights for players of a level."""


class Council(Craft[RatState]):
    """Extend one's own blocks in large groups, break those of the others where it is cheap."""

    reasons: ClassVar = CODES

    def __init__(self, game: Game[RatState], weights: Weights = FULL) -> None:
        super().__init__(game)
        self.weights = weights

    # -- what is hidden -------------------------------------------------------------------

    def sees(self, view: SeatView) -> bool:
        return hand_is_known(view)

    def states(self, view: SeatView) -> Callable[[Random], RatState]:
        return dealt_anew(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        return lambda random: Debate(self, states(random), view.seat, self.weights)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: RatState, moves: Sequence[Move]) -> Sequence[Move]:
        return worth_a_look(state, moves, self.weights)[0]

    def priors(self, state: RatState, moves: Sequence[Move]) -> Sequence[float]:
        return weighed(looks(state, moves, self.weights))

    def carry_on(self, state: RatState, moves: Sequence[Move], random: Random) -> Move:
        best, chosen = -99.0, moves[0]
        for move, score in zip(moves, looks(state, moves, self.weights), strict=True):
            score += NOISE * random.random()
            if score > best:
                best, chosen = score, move
        return chosen

    # -- what it is worth -----------------------------------------------------------------

    def estimate(self, state: RatState) -> Sequence[float]:
        pro = hope_of_pro(state, self.weights)
        return [1 - pro if faction_of(seat) else pro for seat in range(state.players)]

    def payoff(self, state: RatState, outcome: Outcome) -> Sequence[float]:
        """Partners win and lose together."""
        return won_by(faction_of(outcome.ranking[0][0]), state.players)

    # -- how much is known ----------------------------------------------------------------

    def as_known_by(self, level: str) -> Council:
        """Weaker players think too little of keeping a colour together."""
        return Council(self.game, KNOWN_BY.get(level, FULL))

    def tasks(self) -> Sequence[type[Task[RatState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: RatState, move: Move) -> Reason | None:
        return why(state, move)
