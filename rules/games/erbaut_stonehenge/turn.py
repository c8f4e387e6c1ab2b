"""3.3 How a turn goes on from one decision to the next, and when the match is over."""

from __future__ import annotations

from rules.games.erbaut_stonehenge.components import (
    BUILD,
    DISPLAY,
    DRAW,
    END,
    FIRST_T,
    HAND,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    OVER,
    PILLARS_0,
    PROJECT,
    REFILL,
    RETURN,
    SUPPLY,
)
from rules.games.erbaut_stonehenge.state import ErbautState, is_target

MONUMENT, BLOCKED = "monument_complete", "all_blocked"


def begin_turn(state: ErbautState, seat: int) -> None:
    """The build phase, or what comes first where it is left out."""
    state.turn = seat
    state.sabotaged = False
    first = state.first_round > 0
    if first:
        state.first_round -= 1
    if first and not state.stage[seat]:
        # 3.2: in the first round every player has only the project phase.
        state.phase = PROJECT
    elif state.druid[seat] < SUPPLY:
        state.phase = BUILD
    elif state.stage[seat]:
        # Only what was played against the rules has no site yet, or one that is built on.
        state.phase = OCCUPY if lacks_site(state, seat) else BUILD
    else:
        begin_draw(state)


def lacks_site(state: ErbautState, seat: int) -> bool:
    """True if an open project has no site it could be built on."""
    site = state.druid[seat]
    stage = state.stage[seat]
    if stage < OPEN or site < SUPPLY:
        return False
    return site == SUPPLY or state.built[site] != NONE or (site >= FIRST_T) != (stage >= PILLARS_0)


def next_turn(state: ErbautState) -> None:
    """Clockwise to the next player who is not blocked."""
    seat, players = state.turn, state.players
    for _ in range(players):
        seat = (seat + 1) % players
        if state.soft or not state.blocked[seat]:
            break
    begin_turn(state, seat)


def can_sabotage(state: ErbautState) -> bool:
    """3.7, ES17: True if the player whose turn it is may sabotage another."""
    seat = state.turn
    if state.sabotaged or not state.influence[seat] or state.druid[seat] < SUPPLY:
        return False
    return any(other != seat and is_target(state, other) for other in range(state.players))


def end_turn(state: ErbautState) -> None:
    """The closing ``done`` is asked only where a sabotage is possible."""
    if state.influence[state.turn] and can_sabotage(state):
        state.phase = END
    else:
        next_turn(state)


def something_happened(state: ErbautState) -> None:
    """ES31: with ``soft_block=on`` earlier declarations become void."""
    if state.soft:
        state.blocked = [False] * state.players


def finish(state: ErbautState, reason: str) -> None:
    """The match is over."""
    state.phase = OVER
    state.reason = reason


def begin_draw(state: ErbautState) -> None:
    """3.3 Draw phase: the hand is refilled to three."""
    state.due = max(0, HAND - state.cards.hand_size[state.turn])
    state.came = False
    go_on_drawing(state)


def go_on_drawing(state: ErbautState) -> None:
    """The next card due, then the refilling of the display."""
    if state.due:
        display = state.display
        if state.came:
            # ES4: the second card must be an open number card; else it is forfeited.
            possible = bool(display) and display[0] < NUMBER_CARDS
        else:
            # ES22: with nothing to draw there is no draw.
            possible = bool(display) or state.cards.pile_left
        if possible:
            state.phase = DRAW
            return
    # ES33: refilled at the end of every draw phase.
    state.due = 0
    if len(state.display) < DISPLAY and state.cards.pile_left:
        state.phase = REFILL
    else:
        display_full(state)


def display_full(state: ErbautState) -> None:
    """The project phase begins."""
    # ES26: only now does the druid go out for a trilithon that came.
    state.phase = OCCUPY if state.came else PROJECT
    state.came = False


def occupied(state: ErbautState) -> None:
    """A druid has gone out; after a theft the owner discards first (ES29)."""
    giver = state.giver
    if giver != NONE and state.cards.hand_size[giver] > HAND:
        state.phase = RETURN
    else:
        state.giver = NONE
        end_turn(state)
