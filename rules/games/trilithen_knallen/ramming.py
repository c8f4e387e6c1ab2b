"""5.4, 5.5: the targets of a ram, and its effects on all in its way."""

from __future__ import annotations

from rules.games.trilithen_knallen.components import NOBODY, POINTS, RING, STEP, front
from rules.games.trilithen_knallen.state import FREE, GONE, WAITING, TrilithenState


def announce(state: TrilithenState, colour: int, direction: int) -> None:
    """``ram``: target and colours needed are fixed."""
    field = front(state.place_of[colour], direction)
    needed = []
    while True:
        needed.append(state.bars[field])
        target = state.ring[field]
        if target not in (FREE, colour) or len(needed) == RING:
            break
        field = (field + STEP[direction]) % RING
    state.rammer, state.direction, state.target = colour, direction, target
    # TK1: one card more than free fields: the last is for the target's first field.
    state.needed, state.right = tuple(needed), 0


def advance(state: TrilithenState, fields: int) -> None:
    """The rammer moves along its direction."""
    place = state.place_of[state.rammer] + STEP[state.direction] * fields
    state.place_of[state.rammer] = place % RING
    state.settle()


def strike(state: TrilithenState) -> None:
    """All cards were right: payment, rammer, target, chain (5.5)."""
    damage = len(state.needed) - 1
    target = state.target
    paid = _pay(state, target, damage)
    advance(state, damage)
    if not paid:
        # TK11: a destroyed target does not bounce.
        _destroy(state, target)
    elif not state.simple:
        _bounce(state, target, damage, state.direction)
    state.settle()


def _bounce(state: TrilithenState, colour: int, distance: int, direction: int) -> None:
    """Slide, hit, slide on: each is pushed away from the one that hit it."""
    while True:
        free, other = _gap(state, colour, direction)
        # TK7: only what is nearer than the slide goes is hit.
        slide = min(free, distance)
        state.place_of[colour] = (state.place_of[colour] + STEP[direction] * slide) % RING
        state.settle()
        # TK8: a trilithon right behind is touched, but not damaged.
        if free >= distance or not free:
            return
        damage = (free + 1) // 2
        if not _pay(state, other, damage):
            # TK12: the one that hit it stays beside the empty place.
            _destroy(state, other)
            return
        colour, distance = other, damage


def _gap(state: TrilithenState, colour: int, direction: int) -> tuple[int, int]:
    """Free fields ahead of a trilithon, and who stands behind them."""
    field, free = front(state.place_of[colour], direction), 0
    while state.ring[field] == FREE:
        field = (field + STEP[direction]) % RING
        free += 1
    return free, state.ring[field]


def _pay(state: TrilithenState, colour: int, damage: int) -> bool:
    """Points of ``colour`` go to the player whose turn it is; True if all could be paid."""
    owner = state.owner(colour)
    paid = min(damage, state.points[owner][colour])
    state.points[owner][colour] -= paid
    # TK9: one's own points are not foreign; they go to no player.
    if owner != state.turn:
        state.points[state.turn][colour] += paid
    # TK10: paying exactly the last point is paying in full.
    return paid == damage


def _destroy(state: TrilithenState, colour: int) -> None:
    """TK13: by ram or bounce alike."""
    owner = state.owner(colour)
    if state.lives[owner]:
        state.lives[owner] -= 1
        winner = _most_points(state, colour, owner)
        if winner != NOBODY:
            state.won[winner][owner] += 1
        # TK33: all ten points return, including those that are lost.
        for row in state.points:
            row[colour] = 0
        state.points[owner][colour] = POINTS
        state.place_of[colour] = WAITING
        return
    state.place_of[colour] = GONE
    if state.is_out(owner):
        state.deck.put_away(owner)


def _most_points(state: TrilithenState, colour: int, owner: int) -> int:
    """TK33: the other player with the most points of a colour; NOBODY on a tie or with none."""
    held = [0 if seat == owner else row[colour] for seat, row in enumerate(state.points)]
    most = max(held)
    return held.index(most) if most and held.count(most) == 1 else NOBODY
