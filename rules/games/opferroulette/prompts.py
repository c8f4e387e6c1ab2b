"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.opferroulette.components import (
    CARDS,
    COLOUR,
    FIELD_COLOURS,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
)
from rules.games.opferroulette.moves import (
    BALL,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    FALL,
    OFFER,
    OFFER_NEUTRAL,
    PUT,
    REVERSE,
    ROLL,
    ROLL_FALL,
    START,
    TURN,
)
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState, Phase

_TURN, _FALL, _REFILL, _OVER = Phase.TURN, Phase.FALL, Phase.REFILL, Phase.OVER


def prompt(state: OpferrouletteState) -> Prompt | None:
    """The decision that is due; None after the end."""
    phase, seat = state.phase, state.turn
    if phase is _OVER:
        return None
    if phase is _TURN:
        return _asked_in_turn(state)
    if phase is _FALL:
        return Prompt(Actor.DEALER, seat, "turn", "6.3", (("field", state.ball),))
    if phase is _REFILL or phase is Phase.DEAL:
        missing = state.hand_limit(seat) - state.deck.hand_size(seat)
        code = "refill" if phase is _REFILL else "deal"
        rule = "6.3" if phase is _REFILL else "6.2"
        return Prompt(Actor.DEALER, seat, code, rule, (("missing", missing),))
    if phase is Phase.TRILITHON:
        card = CARDS[NUMBER_CARDS + state.holders.index(seat)]
        return Prompt(Actor.PLAYER, seat, "offering", "OR18", (("card", card),))
    who = seat if phase is Phase.OFFER else None
    rule = {Phase.NEUTRAL: "OR19", Phase.BALL: "OR11", Phase.START: "OR22"}.get(phase, "6.2")
    return Prompt(Actor.DEALER, who, phase.value, rule)


def _asked_in_turn(state: OpferrouletteState) -> Prompt:
    seat = state.turn
    if state.colour != NO_COLOUR:
        colour = (("colour", FIELD_COLOURS[state.colour]),)
        return Prompt(Actor.PLAYER, seat, "go_on", "6.3", colour)
    if state.played:
        code = "reversed_alone" if state.alone else "reversed"
        return Prompt(Actor.PLAYER, seat, code, "OR5")
    if state.all_pass_ends and state.passes == state.players - 1:
        # OR5: said before the last of these passes.
        return Prompt(Actor.PLAYER, seat, "last_pass", "OR5")
    return Prompt(Actor.PLAYER, seat, "play", "6.3")


def legal_moves(state: OpferrouletteState) -> list[Move]:
    """The right answers: every legal move."""
    phase, seat = state.phase, state.turn
    if phase is _TURN:
        return _answers_in_turn(state)
    if phase is _REFILL or phase is Phase.DEAL:
        if state.physical:
            return [DRAW_UNSEEN[seat]]
        row = DRAW[seat]
        return [row[card] for card in state.deck.drawable()]
    if phase is _FALL:
        return [TURN[card] for card in state.deck.drawable()]
    if phase is Phase.OFFER:
        row = OFFER[seat]
        return [row[card] for card in state.undrawn]
    if phase is Phase.NEUTRAL:
        return [OFFER_NEUTRAL[card] for card in state.undrawn]
    if phase is Phase.TRILITHON:
        row = PUT[seat]
        if state.shared:
            return list(row)
        return [row[pit] for pit, owners in enumerate(state.pits) if not owners]
    if phase is Phase.BALL:
        return [BALL[card] for card in state.undrawn]
    if phase is Phase.START:
        return list(START[: state.players])
    return []


def _answers_in_turn(state: OpferrouletteState) -> list[Move]:
    seat, colour = state.turn, state.colour
    reach = NEXT[state.facing][state.ball]
    roll, roll_fall = ROLL[seat], ROLL_FALL[seat]
    found: list[Move] = []
    trilithons: list[int] = []
    for card in state.deck.playable(seat):
        if card >= NUMBER_CARDS:
            trilithons.append(card)
            continue
        own = COLOUR[card]
        if colour == NO_COLOUR or own == colour:
            found.append(roll[card])
            if reach[own] == NUMBER[card]:
                found.append(roll_fall[card])
            if colour != NO_COLOUR:
                found.append(FALL[seat][card])
    rolled = colour != NO_COLOUR
    if trilithons:
        reverse = REVERSE[seat]
        if rolled or state.alone or (found and not state.physical):
            found += [reverse[card] for card in trilithons]
        elif found:
            found += [reverse[card] for card in trilithons if state.holds_number_card(seat, card)]
    if rolled or state.alone or not state.played:
        found.append(DONE[seat])
    return found


def pseudo_moves(state: OpferrouletteState) -> Iterable[Move]:
    """All that players could play, deal or place now, and a button pressed too early."""
    phase, seat, seats = state.phase, state.turn, range(state.players)
    if phase is _OVER:
        return
    yield from (DONE[s] for s in seats)
    if phase is _TURN:
        for s in seats:
            for table in (ROLL, ROLL_FALL, FALL, REVERSE):
                yield from table[s]
    elif phase is _REFILL or phase is Phase.DEAL:
        for s in seats:
            yield DRAW_UNSEEN[s]
            yield from DRAW[s]
    elif phase is _FALL:
        yield from TURN
    elif phase is Phase.OFFER:
        yield from OFFER[seat]
    elif phase is Phase.NEUTRAL:
        yield from OFFER_NEUTRAL
    elif phase is Phase.TRILITHON:
        # Whoever has no offering left to place has none in hand.
        for s in sorted({*state.holders} & {*seats}):
            yield from PUT[s]
    elif phase is Phase.BALL:
        yield from BALL
    else:
        yield from START[: state.players]
