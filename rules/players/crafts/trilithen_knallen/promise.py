"""The rams of Trilithen Knallen in reach, how sure they are, and how moves look at first sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core import Move
from rules.games.trilithen_knallen.components import HUES, RING, STEP
from rules.games.trilithen_knallen.moves import FLIP, MEANING, PEEK
from rules.games.trilithen_knallen.state import FREE, Phase, TrilithenState

DESTROYED = 6.0
"""Worth in points of destroying a trilithon besides what it pays."""
TRY = 0.1
"""Worth of ramming at all: cards are turned up, and the others are kept busy."""
MANY = 6
"""Most sets of cards to throw away that are looked at, of all that there are."""


class Aim(NamedTuple):
    """A ram that would be legal."""

    target: int
    """Colour of the trilithon."""
    distance: int
    """Free fields between."""
    needed: tuple[int, ...]
    """Colours to be turned up."""


class Recall:
    """A seat's memory of the display, by colour."""

    __slots__ = ("_sure", "_unseen", "_unseen_of")

    def __init__(self, state: TrilithenState, seat: int) -> None:
        bit = 1 << seat
        sure, seen = [0] * HUES, [0] * HUES
        public, peeked, up = state.seen_by_all, state.peeked, state.up
        for spot, card in enumerate(state.card):
            if public[spot] or peeked[spot] & bit:
                seen[card % HUES] += 1
                if not up[spot]:
                    sure[card % HUES] += 1
        each = len(state.card) // HUES
        self._sure = sure
        self._unseen_of = [each - number for number in seen]
        self._unseen = sum(self._unseen_of)

    def chance(self, needed: Sequence[int]) -> float:
        """Chance that all of these colours are turned up one after the other."""
        sure, unseen_of, unseen = self._sure[:], self._unseen_of[:], self._unseen
        chance = 1.0
        for hue in needed:
            if sure[hue]:
                sure[hue] -= 1
                continue
            if unseen_of[hue] <= 0:
                return 0.0
            chance *= unseen_of[hue] / unseen
            unseen_of[hue] -= 1
            unseen -= 1
        return chance


def knows(state: TrilithenState, seat: int, spot: int) -> bool:
    """True if a seat knows what lies at a spot."""
    return state.seen_by_all[spot] or bool(state.peeked[spot] >> seat & 1)


def aim(state: TrilithenState, colour: int, place: int, direction: int) -> Aim | None:
    """The ram of ``colour`` from a place, as if it stood there (5.5)."""
    limit, seen = state.range_limit, [0] * HUES
    bars, ring, step = state.bars, state.ring, STEP[direction]
    field = (place + 2 if direction == 0 else place - 1) % RING
    needed: list[int] = []
    while True:
        hue = bars[field]
        seen[hue] += 1
        if seen[hue] > limit:
            return None
        needed.append(hue)
        target = ring[field]
        # Its own old place does not count: it is lifted.
        if target not in (FREE, colour):
            break
        field = (field + step) % RING
    if len(needed) == 1 or state.owners[target] == state.owners[colour]:
        return None
    return Aim(target, len(needed) - 1, tuple(needed))


def aims(state: TrilithenState, colour: int, place: int) -> list[Aim]:
    """The rams of ``colour`` from a place, in both directions."""
    found = (aim(state, colour, place, direction) for direction in (0, 1))
    return [one for one in found if one is not None]


def worth(state: TrilithenState, one: Aim) -> float:
    """Points that a ram brings if it succeeds."""
    owner = state.owners[one.target]
    left = state.points[owner][one.target]
    if one.distance <= left:
        return float(one.distance)
    return left + DESTROYED


def candidates(state: TrilithenState, moves: Sequence[Move]) -> Sequence[Move]:
    """Of cards that are as good as each other for all that the player knows, one."""
    phase, seat = state.phase, moves[0].player
    if seat is None:
        return moves
    if phase is Phase.FLIP:
        return [FLIP[seat][_to_turn(state, seat)]]
    if phase is Phase.PEEK:
        spot = _to_look_at(state, seat)
        return moves[-1:] if spot is None else [PEEK[seat][spot]]
    if phase is Phase.SWAP:
        return _swaps(state, seat, moves)
    if phase is Phase.PLACE and moves[0].verb == "discard":
        # None, each alone, or all of them.
        few = [move for move in moves if move.verb == "done" or "," not in move.args[0]]
        most = max(moves, key=lambda move: move.args[0].count(",") if move.args else -1)
        return list(dict.fromkeys((*few, most)))
    return moves


def _to_turn(state: TrilithenState, seat: int) -> int:
    needed, up = state.needed[state.right], state.up
    down = [spot for spot in range(len(up)) if not up[spot]]
    unseen = []
    for spot in down:
        if not knows(state, seat, spot):
            unseen.append(spot)
        elif state.card[spot] % HUES == needed:
            return spot
    if not unseen:
        return down[0]
    # A card that another player has looked at tells that one nothing new.
    return next((spot for spot in unseen if state.peeked[spot]), unseen[0])


def _to_look_at(state: TrilithenState, seat: int) -> int | None:
    up = state.up
    unseen = [s for s in range(len(up)) if not up[s] and not knows(state, seat, s)]
    if not unseen:
        return None
    return next((spot for spot in unseen if state.peeked[spot]), unseen[0])


def _swaps(state: TrilithenState, seat: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Of cards that are known and of cards that are not, one each."""
    found: dict[tuple[bool, bool], Move] = {}
    for move in moves:
        spot = MEANING[move.text][2]
        found.setdefault((knows(state, seat, spot), state.up[spot]), move)
    return list(found.values())


def looks(state: TrilithenState, moves: Sequence[Move]) -> list[float]:
    """Points that each of ``moves``, all of one player, seems to bring."""
    seat = moves[0].player
    assert seat is not None
    recall = Recall(state, seat)
    found = []
    for move in moves:
        if move.verb == "place":
            _, colour, _, place = MEANING[move.text]
            found.append(_best(state, recall, aims(state, colour, place)))
        elif move.verb == "ram":
            _, colour, direction = MEANING[move.text]
            one = aim(state, colour, state.place_of[colour], direction)
            found.append(0.0 if one is None else recall.chance(one.needed) * worth(state, one))
        elif move.verb == "discard":
            found.append(float(len(move.args[0])))
        else:
            found.append(0.0)
    return found


def _best(state: TrilithenState, recall: Recall, those: list[Aim]) -> float:
    return max((TRY + recall.chance(one.needed) * worth(state, one) for one in those), default=0.0)
