"""What the table tells of a turn: which cards can have been played, and what may lie there now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from rules.core import Board, Json, Move
from rules.games.opferroulette.layout import DISCARDS, OPEN, disc_of
from rules.games.opferroulette.material import (
    CARD,
    COLOUR,
    FACINGS,
    FIELDS,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    PIT_OF_CARD,
    PITS,
    SEAT,
    pits_hit,
)
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState, Phase

STEP, SILENT = 0.7, 0.4
"""What a move costs, and one without a trace (natural-log odds against the ordinary)."""
SPREAD = 1.6
"""Ways that cost this much more than the cheapest need not be looked at."""
PASS = 3.0
"""Hardly anybody who could play lets it be, and those who do say so."""
NEXT_PLAYER = 2.2
"""It takes a while until a turn is closed and the next player has begun."""
SAME_COLOUR = 1.8
"""The next player happens to play the very colour that was played last one time in six."""
NO_FALL = 1.5
"""Whose card could make the ball fall seldom only rolls it."""
UNTURNED = 4.2
"""Who lets the ball fall turns a card with the other hand."""
MISREAD = 2.5
"""A card that nobody played is another one, badly seen."""
UNSEEN = 2.0
"""Cards lie where they can be seen."""
COVERED = 4
"""So many cards are thought of where the one that was played lies below others."""
RENEWED = 8
"""A pile as small as this may have been used up and made anew since the last look."""
MOST_SPOTS = 1500
"""Number of spots that are looked at on the ways to one table."""
LATELY = 3
"""A pile that was pushed together may show any of the last so many cards."""

Likely = Iterator[tuple[Move, float]]


# -- what may have been done ------------------------------------------------------------------


def plausible(
    state: OpferrouletteState, moves: Sequence[Move], board: Board, since: Sequence[Move]
) -> Likely:
    """The moves that can have led to ``board``, and what speaks against each (natural log)."""
    phase = state.phase
    if phase is Phase.TURN:
        yield from _in_turn(state, moves, board, since)
    elif phase is Phase.FALL:
        yield from ((m, 0.0) for m in _turned(state, moves, board))
    elif phase is Phase.OFFER or phase is Phase.NEUTRAL:
        yield from ((m, 0.0) for m in _offered(state, moves, board))
    elif phase is Phase.BALL:
        # Day or night card: all are shuffled again, so one of them will do.
        yield from [(m, 0.0) for m in moves if _ball(board)[0] == _number(m)][:1]
    else:
        yield from ((move, 0.0) for move in moves)


def implied(state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
    """Ends of turns, the lot for the first player, and cards that lie below others."""
    if len(moves) == 1 or state.phase is Phase.START:
        return list(moves)
    if state.phase is Phase.TURN:
        return [m for m in moves if m.verb == "done"] + _covered(state, moves, board)
    if state.phase is Phase.FALL:
        return _turned(state, moves, board)
    if state.phase is Phase.OFFER:
        # After the last offering of a player those that the next one laid before are explained.
        return _offered(state, moves, board)
    return []


def _in_turn(
    state: OpferrouletteState, moves: Sequence[Move], board: Board, since: Sequence[Move]
) -> Likely:
    ways, here = _plan(state, board)
    costs = {
        move: ways.after(here, move.verb, card) if len(here.left) <= OPEN else inf
        for move in moves
        if move.verb != "done" and (card := CARD[move.args[0]]) in here.left
    }
    best = min(costs.values(), default=inf)
    if state.played and len(here.left) <= OPEN:
        best = min(best, ways.done(here))
    spread = _side_by_side(state, board)
    if best == inf and spread and since:
        return  # A wrong turning was taken before.
    for move in moves:
        if move.verb == "done":
            yield move, ways.against_done(here) if state.played else PASS
        elif move in costs and (best == inf or costs[move] <= best + SPREAD):
            yield move, ways.against(here, move.verb, CARD[move.args[0]])
    if best == inf or not spread:
        yield from ((move, UNSEEN) for move in _covered(state, moves, board))


def _covered(state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
    """Some of the cards that may have been played and lie below others now, or were shuffled."""
    new = _new(state, board)
    field, pose = _ball(board)
    colours = {COLOUR[card] for card in new if card < NUMBER_CARDS}
    if state.colour != NO_COLOUR:
        colours = {state.colour}
    elif field != state.ball:
        colours = {field % 6}
    found: dict[str, list[Move]] = {"roll-fall": [], "roll": [], "fall": [], "reverse": []}
    for move in moves:
        if move.verb == "done" or (card := CARD[move.args[0]]) in new:
            continue
        if card >= NUMBER_CARDS:
            fits = pose not in ("", FACINGS[state.facing])
        elif move.verb == "roll-fall":
            fits = NUMBER[card] == field
        else:
            fits = COLOUR[card] in colours
        if fits:
            found[move.verb].append(move)
    return [move for several in found.values() for move in several[:COVERED]]


def _turned(state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
    """What was turned for a fall: an open card, or one that fits the pits if none is to be seen."""
    ways, here = _plan(state, board)
    costs = {
        move: ways.turned(here, card) if len(here.left) <= OPEN else inf
        for move in moves
        if (card := CARD[move.args[0]]) in here.left
    }
    best = min(costs.values(), default=inf)
    near = [move for move, cost in costs.items() if best == inf or cost <= best + SPREAD]
    found = sorted(near, key=costs.__getitem__)[:COVERED]
    if found and best < inf and _side_by_side(state, board):
        return found
    hit = here.full.intersection(pits_hit(state.ball, NUMBER_CARDS))
    covered = [
        move
        for move in moves
        if (card := CARD[move.args[0]]) not in here.left
        and ways.standing.isdisjoint(pits := pits_hit(state.ball, card))
        and hit.issubset(pits)
    ]
    return found + covered[:COVERED]


def _side_by_side(state: OpferrouletteState, board: Board) -> bool:
    """Whether all cards that were played since can be seen: those from before can."""
    discards = state.deck.discards
    return bool(discards) and discards[-1] in _seen(board)


def _offered(state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
    """The first offering on the board that the record lacks: their order tells nothing."""
    for move in moves:
        card = CARD[move.args[1]]
        if card >= NUMBER_CARDS:
            continue
        pit = PIT_OF_CARD[card]
        owner = state.players if move.args[0] == "neutral" else SEAT[move.args[0]]
        if not state.pits[pit] and (disc_of(owner, state.players), "") in board.get(PITS[pit], ()):
            return [move]
    return []


def _number(move: Move) -> int:
    card = CARD[move.args[-1]]
    return NUMBER[card] if card < NUMBER_CARDS else 0


def _ball(board: Board) -> tuple[int, str]:
    """Field and pose of the ball; 0 if it lies on none."""
    for field in range(1, FIELDS + 1):
        for kind, pose in board.get(str(field), ()):
            if kind == "figure grey":
                return field, pose
    return 0, ""


def _seen(board: Board) -> set[int]:
    """The cards that lie openly."""
    names = (kind.removeprefix("card ") for kind, _ in board.get(DISCARDS, ()))
    return {CARD[name] for name in names if name in CARD}


def _new(state: OpferrouletteState, board: Board) -> set[int]:
    """The open cards that nobody has played, as far as the record goes."""
    seen = _seen(board)
    # What is played out of a pile made anew has lain among the discards before.
    again = state.deck.pile_size <= RENEWED and not _side_by_side(state, board)
    return seen if again else seen.difference(state.deck.discards)


# -- whole turns ------------------------------------------------------------------------------


class Spot(NamedTuple):
    """Somewhere on the way to what lies there."""

    ball: int
    facing: int
    colour: int
    """Of the turn that is open; NO_COLOUR before its first number card."""
    left: frozenset[int]
    """Open cards that nobody has played yet."""
    full: frozenset[int]
    """Pits that hold offerings, but must be empty in the end."""


class Ways:
    """The ways to play all open cards so that the ball gets where it lies.

    Eight cards have thousands of orders; the ball and the pits rule nearly all of them out, and
    that is found out faster here than by playing them.
    """

    def __init__(self, ball: int, facing: int, standing: frozenset[int]) -> None:
        """``standing``: the pits whose offerings are still there in the end."""
        self.goal, self.standing = (ball, facing), standing
        self._known: dict[Spot, float] = {}

    def cost(self, spot: Spot) -> float:
        """What the likeliest way from a spot costs; infinite if there is none."""
        found = self._known.get(spot)
        if found is None:
            # A card that is badly seen may leave no way at all; then enough has been tried.
            if len(self._known) >= MOST_SPOTS:
                return inf
            self._known[spot] = inf
            found = self._known[spot] = self._cheapest(spot)
        return found

    def after(self, spot: Spot, verb: str, card: int) -> float:
        """What the likeliest way costs that begins with a card."""
        return self.against(spot, verb, card) + self._onward(spot, verb, card)

    def against(self, spot: Spot, verb: str, card: int) -> float:
        """What speaks against a card played like that."""
        if verb == "roll":
            reached = NEXT[spot.facing][spot.ball][COLOUR[card]]
            return NO_FALL if reached == NUMBER[card] else 0.0
        return UNTURNED if "fall" in verb and spot.left == {card} else 0.0

    def against_done(self, spot: Spot) -> float:
        """What speaks against the end of a turn."""
        further = any(card < NUMBER_CARDS and COLOUR[card] == spot.colour for card in spot.left)
        return NEXT_PLAYER + (SAME_COLOUR if further else 0.0)

    def done(self, spot: Spot) -> float:
        """What the likeliest way costs that begins with the end of a turn."""
        return SILENT + self.against_done(spot) + self.cost(spot._replace(colour=NO_COLOUR))

    def turned(self, spot: Spot, card: int) -> float:
        """What the likeliest way costs if ``card`` is turned for a fall."""
        pits = pits_hit(spot.ball, card)
        if not self.standing.isdisjoint(pits):
            return inf
        left, full = spot.left - {card}, spot.full.difference(pits)
        return STEP + self.cost(spot._replace(left=left, colour=NO_COLOUR, full=full))

    def _onward(self, spot: Spot, verb: str, card: int) -> float:
        spot = spot._replace(left=spot.left - {card})
        if verb == "reverse":
            return STEP + self.cost(spot._replace(facing=1 - spot.facing))
        spot = spot._replace(colour=COLOUR[card])
        if verb != "fall":
            spot = spot._replace(ball=NEXT[spot.facing][spot.ball][COLOUR[card]])
        if verb == "roll":
            return STEP + self.cost(spot)
        unturned = inf
        if self._reached(spot):
            unturned = MISREAD * len(spot.left) + (UNTURNED if spot.left else 0.0)
        return STEP + min([unturned, *(self.turned(spot, other) for other in spot.left)])

    def _reached(self, spot: Spot) -> bool:
        return not spot.full and (spot.ball, spot.facing) == self.goal

    def _cheapest(self, spot: Spot) -> float:
        ways = [MISREAD * len(spot.left) if self._reached(spot) else inf]
        for card in spot.left:
            if card >= NUMBER_CARDS:
                ways.append(self.after(spot, "reverse", card))
            elif spot.colour in (NO_COLOUR, COLOUR[card]):
                ways.append(self.after(spot, "roll", card))
                if NEXT[spot.facing][spot.ball][COLOUR[card]] == NUMBER[card]:
                    ways.append(self.after(spot, "roll-fall", card))
                if spot.colour != NO_COLOUR:
                    ways.append(self.after(spot, "fall", card))
        if spot.colour != NO_COLOUR:
            ways.append(self.done(spot))
        return min(ways)


@lru_cache(maxsize=16)
def _ways(ball: int, facing: int, standing: frozenset[int]) -> Ways:
    """The same for all positions that one look is compared with."""
    return Ways(ball, facing, standing)


def _plan(state: OpferrouletteState, board: Board) -> tuple[Ways, Spot]:
    """The ways to ``board``, and where on them a position is."""
    ball, pose = _ball(board)
    facing = FACINGS.index(pose) if pose in FACINGS else state.facing
    standing = frozenset(pit for pit, name in enumerate(PITS) if board.get(name))
    full = frozenset(pit for pit, owners in enumerate(state.pits) if owners) - standing
    left = frozenset(_new(state, board))
    return _ways(ball, facing, standing), Spot(state.ball, state.facing, state.colour, left, full)


# -- what may lie there -----------------------------------------------------------------------


def tolerates(state: OpferrouletteState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
    """Cards pushed together, and offerings that others lay before it is their turn."""
    if site == DISCARDS:
        return _pushed_together(state, _seen({DISCARDS: tuple(seen)}))
    if state.phase is Phase.OFFER and len(seen) == 1:
        others = [*range(state.turn + 1, state.players), state.players]
        return seen[0][0] in [disc_of(owner, state.players) for owner in others]
    return False


def _pushed_together(state: OpferrouletteState, seen: set[int]) -> bool:
    discards = state.deck.discards
    if not discards or not seen:
        return False
    if len(seen) == 1:
        return not seen.isdisjoint(discards[-LATELY:])
    return discards[-1] in seen and seen.issubset(discards)


def halfway(state: OpferrouletteState, board: Board) -> bool:
    """Whether a card lies there and its ball has still to roll, or the pile is made anew."""
    if state.phase in (Phase.BALL, Phase.DEAL, Phase.START):
        return True
    if not state.ball and _ball(board)[0]:
        return True  # Where it was first laid is not known, so no roll of it can be judged.
    if state.phase not in (Phase.TURN, Phase.FALL):
        return False
    new = _seen(board).difference(state.deck.discards)
    if len(new) < 2:
        ways, here = _plan(state, board)
        return not new or (ways.goal == (state.ball, state.facing) and not here.full)
    return state.deck.pile_size <= 2 * RENEWED and not _side_by_side(state, board)


def essence(state: OpferrouletteState) -> Json:
    """The position without the order of the open cards, which nobody needs."""
    data = state.to_json()
    data["discards"] = sorted(data["discards"])
    return data
