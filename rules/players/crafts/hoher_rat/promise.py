"""Promises of moves of Der Hohe Rat at first sight, in logits of the chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import exp

from rules.core import Move
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    BLACK,
    CARD_FIELD,
    EMPTY,
    LAST,
    NEXT,
    NONE,
    PIECE_COLOUR,
    PIECE_FACTION,
    SPOKESMAN,
)
from rules.games.hoher_rat.moves import SAME_COLOUR, decode, gains
from rules.games.hoher_rat.state import BLOCK, RatState, find_fronts
from rules.players.crafts.hoher_rat.standing import FULL, Weights, ring_of, run

WIN = 50.0
"""Worth of a block of sixteen."""
FIRM = 0.3
"""Worth of a spokesman where a follower would be easy to persuade."""
KEPT = 0.2
"""Worth of a spokesman in supply."""
CARD = 0.03
"""Worth of a card in hand."""
KEPT_SEAT = 0.5
"""Part of a victory at the next seat that a card is worth that may bring it."""
OPENED = 0.9
"""Part of a persuasion's worth that the arguments for it are worth."""
PASS = -1.0
"""Worth of ending a turn without an action."""
PONDER = -0.2
"""Worth of changing the cards of a hand."""
TEMPER = 0.4
"""Logits by which a move must look better to seem e times as promising."""
FLOOR = 0.02
"""Least weight of a move, compared with the best."""


_VARIANTS = {"persuade": 2, "seat": 2, "discuss": 2, "lift": 4, "consult": 2, "return": 4}
"""Most moves that are looked at for the same field or the same arguments."""


def worth_a_look(
    state: RatState, moves: Sequence[Move], weights: Weights = FULL
) -> tuple[Sequence[Move], Sequence[float]]:
    """Of moves that come to much the same the best, and what they seem to bring."""
    scores = looks(state, moves, weights)
    if len(moves) < 3:
        return moves, scores
    tried: Counter[tuple[str, object]] = Counter()
    found, kept = [], []
    for place in sorted(range(len(moves)), key=lambda at: -scores[at]):
        move = moves[place]
        verb = move.verb
        if verb == "done" and not state.acted:
            # There is always something to do that is no worse.
            continue
        kind = verb, _kind(move)
        tried[kind] += 1
        if tried[kind] <= _VARIANTS.get(verb, 1):
            found.append(move)
            kept.append(scores[place])
    return found, kept


def _kind(move: Move) -> object:
    if move.verb in ("persuade", "seat"):
        return move.args[1]
    return _brings(move.text) if move.verb == "discuss" else None


@lru_cache(maxsize=1 << 15)
def _brings(text: str) -> tuple[int, ...]:
    """The colours of the arguments that a discussion brings."""
    step = decode(text)
    assert step is not None
    return tuple(colour for colour, _ in gains(step))


@lru_cache(maxsize=1 << 15)
def _laid(text: str) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """The arguments that a discussion asks for, and the cards for them."""
    step = decode(text)
    assert step is not None
    return gains(step), step.cards


def weighed(scores: Sequence[float]) -> list[float]:
    """Weights of moves that seem to bring ``scores`` logits."""
    best = max(scores)
    return [FLOOR + exp((score - best) / TEMPER) for score in scores]


def looks(state: RatState, moves: Sequence[Move], weights: Weights = FULL) -> list[float]:
    """Logits that each of ``moves``, all of one player, seems to bring."""
    player = moves[0].player
    assert player is not None
    return _Eye(state, player, weights).all(moves)


class _Eye:
    """The evaluation of a player's moves in one position; what many moves share is found once."""

    __slots__ = (
        "_arguments", "_faction", "_held", "_pieces", "_placed", "_ring", "_room", "_state",
        "_unlocked", "_weights",
    )  # fmt: skip

    def __init__(self, state: RatState, seat: int, weights: Weights) -> None:
        self._weights, self._held = weights, weights.held
        self._state, self._faction = state, seat & 1
        self._pieces, self._arguments = state.ring, state.arguments[seat]
        self._ring = ring_of(state)
        self._room: tuple[int, ...] | None = None
        self._placed: dict[tuple[int, int], float] = {}
        self._unlocked: dict[tuple[int, int], float] = {}

    def all(self, moves: Sequence[Move]) -> list[float]:
        acted, found = self._state.acted, []
        for move in moves:
            verb = move.verb
            if verb == "done":
                found.append(0.0 if acted else PASS)
            elif verb == "persuade":
                found.append(self._persuasion(move))
            elif verb == "seat":
                found.append(self._seated(move))
            elif verb == "discuss":
                found.append(self._discussion(move))
            elif verb == "lift":
                found.append(self._lifted(move))
            else:
                found.append(PONDER)
        return found

    def _gain(self, faction: int, field: int) -> float:
        """Worth of any piece of ``faction`` on a field that it does not own."""
        own, theirs, broken = self._ring.gain(faction, field)
        weights = self._weights
        lost = weights.missing * theirs + weights.group * broken
        return weights.missing * own + weights.others * lost

    def _put(self, field: int, piece: int) -> float:
        """Worth of an own piece on a field that is empty or the others'."""
        found = self._placed.get((field, piece))
        if found is not None:
            return found
        faction, pieces = self._faction, self._pieces
        if run(pieces, field, faction, PIECE_FACTION) >= BLOCK:
            found = WIN
        else:
            found = self._gain(faction, field)
            if piece != NONE:
                colour = PIECE_COLOUR[piece]
                found += self._weights.group * (self._ring.alike(field, colour) - 1)
                if piece >= SPOKESMAN:
                    found -= KEPT
                    if run(pieces, field, colour, PIECE_COLOUR) < 3:
                        found += FIRM
        self._placed[field, piece] = found
        return found

    def _persuasion(self, move: Move) -> float:
        step = decode(move.text)
        assert step is not None
        price = self._state.price(step.source, step.field)
        found = self._put(step.field, step.piece) - self._cost(step.pay, price)
        return found if step.piece != NONE else found - self._lift_loss()

    def _cost(self, colour: int, number: int) -> float:
        """Worth of ``number`` arguments that are paid."""
        owned = self._arguments[colour]
        return self._held[owned] - self._held[max(0, owned - number)]

    def _seated(self, move: Move) -> float:
        step = decode(move.text)
        assert step is not None
        if self._pieces[step.field] != EMPTY:
            return self._swapped(step.field, step.piece)
        found = self._put(step.field, step.piece)
        if step.piece == NONE:
            found -= self._lift_loss()
        return found if step.pay == NONE else found - self._cost(step.pay, ARGUMENTS_FOR_SEAT)

    def _swapped(self, field: int, piece: int) -> float:
        ring, pieces = self._ring, self._pieces
        new, old = PIECE_COLOUR[piece], PIECE_COLOUR[pieces[field]]
        found = self._weights.group * (ring.alike(field, new) - ring.alike(field, old)) - KEPT
        return found + FIRM if run(pieces, field, new, PIECE_COLOUR) < 3 else found

    def _discussion(self, move: Move) -> float:
        wanted, cards = _laid(move.text)
        if self._room is None:
            self._room = self._state.room(self._faction)
        found = -CARD * len(cards) - sum([self._last_seat(card) for card in cards])
        for colour, number in wanted:
            number = min(number, self._room[colour])
            if number:
                owned = self._arguments[colour]
                found += (
                    self._held[owned + number] - self._held[owned] + self._opened(colour, number)
                )
        return found

    def _lift_loss(self) -> float:
        """2.7: cost of taking a follower from the ring, the one that is missed least."""
        ring, faction = self._pieces, self._faction
        mine = [
            field for field, piece in enumerate(ring)
            if piece < SPOKESMAN and PIECE_FACTION[piece] == faction
        ]  # fmt: skip
        return min((self._gain(1 - faction, field) for field in mine), default=0.0)

    def _last_seat(self, card: int) -> float:
        """Worth of a card with which a block of sixteen may be filled, now or with three arguments
        more."""
        home = CARD_FIELD[card]
        if home == NONE:
            return 0.0
        for field in (home, *SAME_COLOUR[home]):
            if self._pieces[field] == EMPTY and self._put(field, NONE) >= WIN:
                return KEPT_SEAT * WIN
        return 0.0

    def _opened(self, colour: int, number: int) -> float:
        """Worth of the best persuasion that ``number`` more arguments afford."""
        found = self._unlocked.get((colour, number))
        if found is not None:
            return found
        state, owned = self._state, self._arguments[colour]
        if state.fronts is None:
            state.fronts = find_fronts(state)
        found = 0.0
        for place, price, front in state.fronts[self._faction]:
            if front in (colour, BLACK) and owned < price <= owned + number:
                source = place // 2
                field = NEXT[source] if place & 1 else LAST[source]
                paid = self._held[owned + number] - self._held[owned + number - price]
                found = max(found, self._put(field, NONE) - paid)
        self._unlocked[colour, number] = found = OPENED * found
        return found

    def _lifted(self, move: Move) -> float:
        step = decode(move.text)
        assert step is not None
        # The others' gain by it.
        return -self._gain(1 - self._faction, step.field)
