"""3.3 … 3.7 What each move does, and how a turn goes on.

Every function takes the state and the step. What hands do against the rules changes the pieces
alone; only a move that belongs to the decision asked for moves the turn on.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from rules.games.erbaut_stonehenge.components import (
    BUILD,
    DEAL,
    DEALT,
    DISPLAY,
    DRAW,
    EMPTY,
    END,
    FACE_DOWN,
    FIRST_D,
    FIRST_T,
    HAND,
    HIDDEN,
    LAY_OUT,
    LOT,
    LYING,
    MARKED,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    PILLARS_0,
    PROJECT,
    REFILL,
    RETURN,
    REVEALED,
    SHOW,
    STANDING,
    SUPPLY,
    is_day,
)
from rules.games.erbaut_stonehenge.moves import Step
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.games.erbaut_stonehenge.turn import (
    BLOCKED,
    MONUMENT,
    begin_draw,
    begin_turn,
    display_full,
    end_turn,
    finish,
    go_on_drawing,
    lacks_site,
    next_turn,
    occupied,
    something_happened,
)

# -- 3.2 Set-up ----------------------------------------------------------------------------


def deal(state: ErbautState, step: Step) -> None:
    """``dealer draw pN CARD``: a hand card in the set-up or the draw phase."""
    seat, card = step.seat, step.a
    phase = state.phase
    if seat != state.turn or phase not in (DEAL, DEALT):
        return
    if card == HIDDEN:
        if not state.cards.draw_unseen(seat):
            return
    elif not state.cards.take_from_pile(card):
        return
    elif card < NUMBER_CARDS:
        state.cards.gain(seat, card)
    else:
        _trilithon_comes(state, seat, card)
    if phase == DEALT:
        state.due -= 1
        go_on_drawing(state)
        return
    dealt = sum(state.cards.hand_size)
    state.turn = dealt % state.players
    if dealt == HAND * state.players:
        state.lay_trilithons_in()


def lay_out(state: ErbautState, step: Step) -> None:
    """``dealer draw display CARD``: the display is filled to three."""
    if state.phase not in (LAY_OUT, REFILL) or not state.cards.take_from_pile(step.a):
        return
    insort(state.display, step.a)
    if len(state.display) == DISPLAY or not state.cards.pile_left:
        if state.phase == LAY_OUT:
            state.phase = LOT
        else:
            display_full(state)


def start(state: ErbautState, step: Step) -> None:
    """``dealer start pN``."""
    if state.phase == LOT:
        begin_turn(state, step.seat)


# -- 3.3 Build phase -----------------------------------------------------------------------


def build(state: ErbautState, step: Step) -> None:
    """The project makes one step."""
    seat = step.seat
    stage = state.stage[seat]
    asked = state.phase == BUILD and seat == state.turn
    if seat == state.turn and not asked:
        return
    done = False
    if asked and lacks_site(state, seat):
        state.phase = OCCUPY
        return
    if stage == FACE_DOWN:
        if state.yard[seat] == HIDDEN:
            if asked:
                something_happened(state)
                state.phase = SHOW
            return
        state.stage[seat] = OPEN
        if asked:
            state.phase = REVEALED
        something_happened(state)
        return
    if stage == OPEN:
        done = _build_element(state, seat)
        if not done:
            return
    elif stage == MARKED:
        done = _erect(state, seat)
        if not done:
            return
    elif stage:
        state.stage[seat] = stage + 1
        state.stolen[seat] = False
        if stage + 1 == MARKED and state.discs[seat]:
            # ES14: without a disc the step happens all the same.
            state.discs[seat] -= 1
            state.marked_trilithons[seat] = True
    else:
        return
    something_happened(state)
    if not state.to_build:
        finish(state, MONUMENT)
    elif asked:
        if done:
            begin_draw(state)
        else:
            end_turn(state)


def _build_element(state: ErbautState, seat: int) -> bool:
    site, card = state.druid[seat], state.yard[seat]
    if not 0 <= site < FIRST_T or state.built[site] != NONE:
        return False
    if site >= FIRST_D:
        if not state.discs[seat]:
            return False
        state.discs[seat] -= 1
        state.built[site] = seat
    elif state.bars[seat]:
        state.bars[seat] -= 1
        state.built[site] = seat
    elif state.neutral:
        # 3.5: the player of the first neutral block owns all of them at the end.
        state.neutral -= 1
        state.built[site] = state.players
        if state.neutral_owner == NONE:
            state.neutral_owner = seat
    else:
        return False
    if site < FIRST_D and state.influences(seat, card):
        insort(state.influence[seat], card)
    else:
        state.gone.append(card)
    _element_done(state, seat)
    return True


def _erect(state: ErbautState, seat: int) -> bool:
    site = state.druid[seat]
    if site < FIRST_T or state.built[site] != NONE:
        return False
    state.built[site] = seat
    if not state.marked_trilithons[seat]:
        state.unmarked.append(site)
    state.gone.append(state.yard[seat])
    _element_done(state, seat)
    return True


def _element_done(state: ErbautState, seat: int) -> None:
    state.to_build -= 1
    _clear_yard(state, seat)
    # The building keeps the site from being free when the druid goes.
    state.druid[seat] = SUPPLY


def _clear_yard(state: ErbautState, seat: int) -> None:
    state.yard[seat] = NONE
    state.stage[seat] = EMPTY
    state.stolen[seat] = False
    state.marked_trilithons[seat] = False


def show(state: ErbautState, step: Step) -> None:
    """``table show CN CARD``: the card turned up on a real table."""
    seat = step.seat
    if (
        state.phase != SHOW
        or seat != state.turn
        or step.a not in state.cards.may_lie_face_down(seat)
    ):
        return
    state.cards.turn_up(seat, step.a)
    state.yard[seat] = step.a
    state.stage[seat] = OPEN
    state.phase = REVEALED


def atone(state: ErbautState, step: Step) -> None:
    """3.7: the druid at the altar is stood up; one turn later it returns."""
    seat = step.seat
    asked = state.phase == BUILD and seat == state.turn
    where = state.druid[seat]
    if where >= SUPPLY or (seat == state.turn and not asked):
        return
    something_happened(state)
    if where == LYING:
        state.druid[seat] = STANDING
        if asked:
            next_turn(state)
        return
    state.druid[seat] = SUPPLY
    if asked:
        if state.stage[seat] >= OPEN:
            state.phase = OCCUPY
        elif state.stage[seat]:
            end_turn(state)
        else:
            # ES20: draw and project phase take place as usual.
            begin_draw(state)


# -- 3.4 Occupying a site ------------------------------------------------------------------


def occupy(state: ErbautState, step: Step) -> None:
    """The druid goes to a building site."""
    seat, site = step.seat, step.a
    if seat == state.turn and state.at_altar(seat):
        return
    state.send(seat, site)
    something_happened(state)
    if seat != state.turn or state.phase not in (OCCUPY, REVEALED):
        return
    # A site where this project can never stand leaves the decision open.
    if state.built[site] == NONE and (site >= FIRST_T) == (state.stage[seat] >= PILLARS_0):
        occupied(state)


# -- 3.3 Draw phase ------------------------------------------------------------------------


def take(state: ErbautState, step: Step) -> None:
    """A card of the display goes to the hand, a trilithon card into the yard."""
    seat, card = step.seat, step.a
    if card not in state.display:
        return
    if card >= NUMBER_CARDS and (
        state.stage[seat] or (seat == state.turn and state.phase not in (DRAW, PROJECT))
    ):
        return
    state.display.remove(card)
    if card < NUMBER_CARDS:
        state.cards.gain(seat, card)
    else:
        _trilithon_comes(state, seat, card)
        if state.phase == PROJECT and seat == state.turn:
            state.phase = OCCUPY
    if state.phase == DRAW and seat == state.turn:
        # ES3: a trilithon counts as one of the cards due.
        state.due -= 1
        go_on_drawing(state)


def _trilithon_comes(state: ErbautState, seat: int, card: int) -> None:
    state.yard[seat] = card
    state.stage[seat] = PILLARS_0
    if seat == state.turn and state.phase != PROJECT:
        state.came = True


def draw(state: ErbautState, step: Step) -> None:
    """The top card of the pile is drawn; the dealer says which."""
    if state.phase == DRAW and step.seat == state.turn and not state.came and state.cards.pile_left:
        state.phase = DEALT


# -- 3.3 Project phase ---------------------------------------------------------------------


def play(state: ErbautState, step: Step) -> None:
    """A hand card becomes the project: a day card face down, a night card open."""
    seat, card = step.seat, step.a
    asked = state.phase == PROJECT and seat == state.turn
    if state.stage[seat] or (not asked and seat in (state.turn, state.giver)):
        return
    if card == HIDDEN:
        if not state.cards.lay_face_down(seat):
            return
    elif not state.cards.lose(seat, card):
        return
    state.yard[seat] = card
    state.stage[seat] = FACE_DOWN if card == HIDDEN or is_day(card) else OPEN
    something_happened(state)
    if asked:
        if state.stage[seat] == OPEN:
            state.phase = OCCUPY
        else:
            end_turn(state)


def blocked(state: ErbautState, step: Step) -> None:
    """ES2, ES32: a player says that they can do nothing."""
    seat = step.seat
    if state.phase != PROJECT or seat != state.turn:
        return
    state.blocked[seat] = True
    if all(state.blocked):
        finish(state, BLOCKED)
    else:
        next_turn(state)


def steal(state: ErbautState, step: Step) -> None:
    """3.6: another player's trilithon project changes hands for two cards."""
    seat, other, first, second = step.seat, step.a, step.b, step.c
    if state.phase != PROJECT or seat != state.turn or state.stage[seat]:
        return
    stage = state.stage[other]
    if not PILLARS_0 <= stage < MARKED or not _pay(state, seat, other, (first, second)):
        return
    state.yard[seat], state.stage[seat], state.stolen[seat] = state.yard[other], stage, True
    _clear_yard(state, other)
    # ES15, ES16: the owner's druid returns, unless it does penance.
    if state.druid[other] >= 0:
        state.send(other, SUPPLY)
    state.giver = other
    something_happened(state)
    state.phase = OCCUPY


def _pay(state: ErbautState, seat: int, other: int, cards: tuple[int, int]) -> bool:
    """Two cards go from hand to hand; False if they cannot be there."""
    if HIDDEN in cards:
        if state.cards.zones is None or state.cards.hand_size[seat] < len(cards):
            return False
        for _ in cards:
            state.cards.hand_over(seat, other)
        return True
    if not state.cards.holds(seat, *cards):
        return False
    for card in cards:
        state.cards.lose(seat, card)
        # ES35: the compensation is shown to all.
        state.cards.gain(other, card)
    return True


# -- cards under the pile ------------------------------------------------------------------


def discard(state: ErbautState, step: Step) -> None:
    """A project is given up (ES9, ES30), or a hand card goes after a theft (ES29)."""
    seat, card = step.seat, step.a
    if state.stage[seat] == OPEN and state.yard[seat] == card:
        if seat == state.turn and state.phase in (BUILD, REVEALED, OCCUPY):
            state.cards.put_below(card)
            _clear_yard(state, seat)
            if state.druid[seat] >= 0:
                state.send(seat, SUPPLY)
            something_happened(state)
            begin_draw(state)
        return
    if state.cards.hand_below(seat, card) and state.phase == RETURN and seat == state.giver:
        occupied(state)


# -- 3.7 Sabotage --------------------------------------------------------------------------


def sabotage(state: ErbautState, step: Step) -> None:
    """An influence card is spent; the victim's druid lies down on the altar stone."""
    seat, other, card = step.seat, step.a, step.b
    # Out of turn, no player's decision is taken away from them.
    if card not in state.influence[seat] or (seat != state.turn and other == state.turn):
        return
    state.influence[seat].remove(card)
    state.gone.append(card)
    if state.druid[other] >= SUPPLY:
        state.send(other, LYING)
    stage = state.stage[other]
    if stage in (FACE_DOWN, OPEN):
        if stage == FACE_DOWN:
            state.cards.face_down_below(other, state.yard[other])
        else:
            state.cards.put_below(state.yard[other])
        _clear_yard(state, other)
    something_happened(state)
    if seat == state.turn:
        state.sabotaged = True
        if state.phase == END:
            next_turn(state)


def done(state: ErbautState, step: Step) -> None:
    """The end of the turn, asked only where a sabotage is possible."""
    if state.phase == END and step.seat == state.turn:
        next_turn(state)


ACTS: tuple[Callable[[ErbautState, Step], None], ...] = (
    build, atone, take, draw, occupy, discard, play, steal, sabotage, blocked, done, deal,
    lay_out, start, show,
)  # fmt: skip
"""The effect of each kind of step, by its number."""
