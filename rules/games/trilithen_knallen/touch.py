"""A match on a screen: the places of the bars, the meaning of a turned card, and the places that
say where to ride."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Move, Outlook, Param, Result, Spread, Touch
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DISPLAY,
    FIRST_TRILITHON,
    HUES,
    NOBODY,
    RING,
    SPOTS,
    STEP,
    TRACK,
    TRACK_START,
    UNBOUND,
)
from rules.games.trilithen_knallen.layout import BAR_SITE
from rules.games.trilithen_knallen.moves import BAR, MEANING
from rules.games.trilithen_knallen.state import GONE, WAITING, Phase, TrilithenState

# -- set-up ----------------------------------------------------------------------------------


class TrilithenTouch(Touch[TrilithenState]):
    """The game at a screen: touches and pictures."""

    beside = frozenset({"draw-pile", "discard-pile"})
    private = frozenset({"peek", "place", "place_second", "place_waiting", "skip", "swap"})

    def may_deal(self, state: TrilithenState) -> bool:
        """5.2: the bars on the ring are open, and who begins is drawn by lot."""
        return state.phase in (Phase.BARS, Phase.START)

    def spread(self, state: TrilithenState) -> Spread | None:
        """5.2: the bars that are not entered yet; each colour lies below one of five numbers."""
        if state.phase is not Phase.BARS:
            return None
        moves: dict[str, dict[str, Move]] = {}
        sets = []
        for low in range(0, RING, HUES):
            laid = state.bars[low : low + HUES]
            free = [field for field in range(low, low + HUES) if state.bars[field] == NOBODY]
            for field in free:
                moves[BAR_SITE[field]] = {
                    f"bar {colour}": BAR[field][number]
                    for number, colour in enumerate(COLOURS) if number not in laid
                }  # fmt: skip
            if free:
                sets.append(frozenset(BAR_SITE[field] for field in free))
        return Spread(moves, tuple(sets))

    def result(self, before: TrilithenState, move: Move, after: TrilithenState) -> Result | None:
        """5.3: a card that was turned up, or that has just changed its place, and what follows."""
        if move.verb == "show" and before.phase is Phase.SHOW:
            spot, card = MEANING[move.text]
            if card == UNBOUND:
                return None
            if card >= FIRST_TRILITHON:
                return _told("swap", before, spot, card, goes_on=True)
            return _judged(before, after, spot, card)
        if move.verb == "swap" and before.phase is Phase.SWAP:
            _, one, other = MEANING[move.text]
            return _judged(before, after, other, before.card[one], moved=(one, other))
        return None

    def outlook(self, state: TrilithenState, move: Move) -> Outlook | None:
        """5.5: whom the trilithon could ram from there, and over how many fields."""
        if move.verb != "place":
            return None
        after = state.clone()
        after.apply(move)
        colour = MEANING[move.text][1]
        params: list[tuple[str, Param]] = [("field", move.args[-1])]
        found = [reach for reach in after.reaches() if reach[0] == colour]
        for number, (_colour, _way, target, free) in enumerate(found):
            params += [(f"target_{number}", COLOURS[target]), (f"free_{number}", free)]
        return Outlook(("no_ram", "one_ram", "two_rams")[len(found)], tuple(params))

    def way(self, state: TrilithenState, move: Move) -> tuple[str, ...]:
        """5.5: the fields that the rammer rides over."""
        start = -1 if state.rammer == NOBODY else state.place_of[state.rammer]
        if start < 0 or move.verb not in ("show", "swap", "ride"):
            return ()
        after = state.clone()
        after.apply(move)
        goal, passed = after.place_of[state.rammer], [start]
        while goal >= 0 and passed[-1] != goal:
            passed.append((passed[-1] + STEP[state.direction]) % RING)
        return tuple(TRACK[place] for place in passed) if len(passed) > 1 else ()

    def places(self, state: TrilithenState, move: Move) -> tuple[str, ...]:
        """5.3: a trilithon is taken up and put down, or rides to the side that is touched. Which
        one is meant need not be said if there is but one, or if both wait at the same place."""
        if move.verb == "place":
            seat, colour, _, place = MEANING[move.text]
            starts = {_where(state, one) for one in state.placeable(seat)}
            goal = TRACK[place]
        elif move.verb == "ram":
            _, colour, way = MEANING[move.text]
            starts = {_where(state, one) for one, _, _, _ in state.rams}
            goal = TRACK[_aim(state, colour, way)]
        else:
            return ()
        return (_where(state, colour), goal) if len(starts) > 1 else (goal,)


# -- what came to light ----------------------------------------------------------------------


def _judged(
    before: TrilithenState,
    after: TrilithenState,
    spot: int,
    card: int,
    moved: tuple[int, ...] = (),
) -> Result:
    right = before.right + (card % HUES == before.needed[before.right])
    if right == before.right:
        code = {0: "wrong_still", 1: "wrong_one"}.get(right, "wrong")
        more: list[tuple[str, Param]] = [("fields", right), ("next", _next(after))]
        return _told(code, before, spot, card, more, good=False, moved=moved)
    if right < len(before.needed):
        hue = COLOURS[before.needed[right]]
        return _told("right", before, spot, card, [("then", hue)], right, goes_on=True, moved=moved)
    target = before.target
    lives = after.place_of[target] not in (WAITING, GONE)
    code = "rammed" if lives else "destroyed"
    gained = _foreign(after, before.turn) - _foreign(before, before.turn)
    more = [("target", COLOURS[target]), ("points", max(gained, 0))]
    return _told(code, before, spot, card, more, right, moved=moved)


def _foreign(state: TrilithenState, seat: int) -> int:
    """Points of others that a player holds."""
    row = state.points[seat]
    return sum(row) - sum(row[colour] for colour in state.own[seat])


def _told(
    code: str,
    before: TrilithenState,
    spot: int,
    card: int,
    more: Sequence[tuple[str, Param]] = (),
    right: int = -1,
    *,
    good: bool = True,
    goes_on: bool = False,
    moved: tuple[int, ...] = (),
) -> Result:
    """``right``: how many cards are right now; -1: as many as before."""
    lying = {s: before.card[s] for s, up in enumerate(before.up) if up and s not in (*moved, spot)}
    if moved and before.up[moved[1]]:
        # Two cards that lay open have changed places.
        lying[moved[0]] = before.card[moved[1]]
    right = before.right if right < 0 else right
    sought = COLOURS[before.needed[before.right]]
    return Result(
        code, good, f"card {DISPLAY[card]}", SPOTS[spot],
        (("card", DISPLAY[card]), ("rammer", COLOURS[before.rammer]), ("player", before.turn),
         ("cards", len(before.needed)), *more),
        (("sought", sought), ("right", right)), goes_on, COLOURS[card % HUES],
        tuple((SPOTS[s], f"card {DISPLAY[there]}") for s, there in sorted(lying.items())),
    )  # fmt: skip


def _next(after: TrilithenState) -> int:
    """The seat whose turn comes after the one that has just ended."""
    return after.turn if after.phase is Phase.PLACE else after.next_seat()


# -- which places say a move -----------------------------------------------------------------


def _where(state: TrilithenState, colour: int) -> str:
    place = state.place_of[colour]
    return TRACK[place] if place >= 0 else TRACK_START


def _aim(state: TrilithenState, colour: int, way: int) -> int:
    """The trilithon that is rammed; TK22: the side, where the same one stands at both."""
    found = {w: target for c, w, target, _ in state.rams if c == colour}
    target = found.get(way)
    if target is None or list(found.values()).count(target) > 1:
        return (state.place_of[colour] + 2 * STEP[way]) % RING
    return state.place_of[target]
