"""What lies where beside the usual layout, what players keep, and which sites a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Game, Layout, Move
from rules.games.trilithen_knallen.material import (
    COLOURS,
    DISCARDS,
    FACE_ITEM,
    FIRST_TRILITHON,
    HUES,
    NOBODY,
    PILE,
    RING,
    SPOTS,
    START,
    STEP,
    TRACK,
    TRACK_ITEM,
)
from rules.games.trilithen_knallen.notation import MEANING
from rules.games.trilithen_knallen.position import WAITING, Phase, TrilithenState


def also_right(state: TrilithenState) -> list[Layout]:
    """Layouts as right as ``layout`` for the moment.

    TK35: the rammer anywhere on its way while cards are turned. And the display cards of the
    turn that has just ended, still lying face up.
    """
    usual = list(state.items())
    found: list[Layout] = []
    if state.phase in (Phase.FLIP, Phase.SHOW, Phase.SWAP) and state.rammer != NOBODY:
        rows = TRACK_ITEM[state.rammer][state.owner(state.rammer)]
        start = state.place_of[state.rammer]
        for steps in range(1, len(state.needed)):
            place = (start + STEP[state.direction] * steps) % RING
            found.append(Counter(rows[place] if i == rows[start] else i for i in usual))
    elif state.turned_back:
        face = {SPOTS[spot]: FACE_ITEM[spot][state.card[spot]] for spot in state.turned_back}
        found.append(Counter(face.get(item.site, item) for item in usual))
    return found


def supply(state: TrilithenState, seat: int) -> Counter[str]:
    """Structure points, bars (own lives in the own colour, won ones), and the hand."""
    left = Counter({f"disc {COLOURS[c]}": n for c, n in enumerate(state.points[seat])})
    left[f"bar {COLOURS[seat]}"] += state.lives[seat]
    for loser, number in enumerate(state.won[seat]):
        left[f"bar {COLOURS[loser]}"] += number
    left["card back"] = state.deck.hand_size(seat)
    return +left


def touches(game: Game[TrilithenState], state: TrilithenState, move: Move) -> Collection[str]:
    """Sites that ``move`` changes."""
    verb = move.verb
    if verb == "discard":
        return (DISCARDS,)
    if verb == "draw":
        return (PILE,) if state.deck.pile_size else (PILE, DISCARDS)
    if verb in ("flip", "peek", "ram", "start"):
        return ()
    meaning = MEANING[move.text]
    if verb == "place":
        old = state.place_of[meaning[1]]
        new = TRACK[meaning[3]]
        return (new, DISCARDS) if old < WAITING else ((*TRACK, START)[old], new, DISCARDS)
    if verb == "bar":
        return (f"bar-{meaning[0] + 1}",)
    if verb == "show" and state.phase is not Phase.LOOK:
        card = meaning[1]
        # A card tried out of turn may come when all fields were found already.
        due = state.needed[state.right] if state.right < len(state.needed) else None
        right = card % HUES == due
        goes_on = right and state.right + 1 < len(state.needed)
        spot = SPOTS[meaning[0]]
        if goes_on or card >= FIRST_TRILITHON:
            return (spot,)
        return {spot, *_upset(game, state, move)}
    if verb == "swap":
        return {*move.args, *_upset(game, state, move)}
    return _upset(game, state, move)


def _upset(game: Game[TrilithenState], state: TrilithenState, move: Move) -> set[str]:
    """Spots turned back and track sites that change by the end of a turn."""
    after = state.clone()
    game.apply(after, move)
    sites = {SPOTS[spot] for spot, up in enumerate(state.up) if up and not after.up[spot]}
    for old, new in zip(state.place_of, after.place_of, strict=True):
        if old != new:
            sites |= {(*TRACK, START)[place] for place in (old, new) if place >= WAITING}
    return sites
