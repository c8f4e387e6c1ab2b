"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.trilithen_knallen.components import COLOURS, HUES, NOBODY, RING, SPOTS, UNBOUND
from rules.games.trilithen_knallen.moves import (
    BAR,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    FLIP,
    FLIPPED,
    PEEK,
    PLACE,
    RAM,
    RIDE,
    SHOW,
    SHOW_UNSEEN,
    START,
    SWAP,
    discard,
)
from rules.games.trilithen_knallen.placing import may_be_stuck, places, skips
from rules.games.trilithen_knallen.state import Phase, TrilithenState

# Members of an enumeration are slow to look up, and this is called all the time.
_BARS, _DEAL, _START, _PLACE = Phase.BARS, Phase.DEAL, Phase.START, Phase.PLACE
_RAM, _FLIP, _SHOW, _SWAP = Phase.RAM, Phase.FLIP, Phase.SHOW, Phase.SWAP
_PEEK, _LOOK, _DRAW, _OVER = Phase.PEEK, Phase.LOOK, Phase.DRAW, Phase.OVER

# -- prompts ---------------------------------------------------------------------------------


def prompt(state: TrilithenState) -> Prompt | None:
    """The prompt of a position."""
    phase, seat = state.phase, state.turn
    match phase:
        case Phase.OVER:
            return None
        case Phase.BARS:
            field = (("field", state.bars.index(NOBODY) + 1),)
            return Prompt(Actor.DEALER, None, "bar", "5.2", field)
        case Phase.START:
            return Prompt(Actor.DEALER, None, "start", "TK25")
        case Phase.DEAL | Phase.DRAW:
            missing = (("missing", state.full_hand() - state.deck.hand_size(seat)),)
            rule = "5.2" if phase is _DEAL else "5.3"
            return Prompt(Actor.DEALER, seat, phase.value, rule, missing)
        case Phase.PLACE:
            return _asked_to_place(state, seat)
        case Phase.RAM:
            return Prompt(Actor.PLAYER, seat, "ram", "TK4")
        case Phase.FLIP:
            params = (
                ("colour", COLOURS[state.needed[state.right]]),
                ("right", state.right),
                ("cards", len(state.needed)),
            )
            return Prompt(Actor.PLAYER, seat, "flip", "5.3", params)
        case Phase.PEEK:
            return Prompt(Actor.PLAYER, state.owner(state.target), "peek", "TK34")
    spot = (("site", SPOTS[state.spot]),)
    if phase is _SWAP:
        return Prompt(Actor.PLAYER, seat, "swap", "TK31", spot)
    if phase is _LOOK:
        return Prompt(Actor.DEALER, state.owner(state.target), "look", "5.4", spot)
    return Prompt(Actor.DEALER, seat, "show", "5.3", spot)


def _asked_to_place(state: TrilithenState, seat: int) -> Prompt:
    if state.placed:
        return Prompt(Actor.PLAYER, seat, "place_second", "TK26")
    if not state.physical and not places(state):
        return Prompt(Actor.PLAYER, seat, "skip", "5.3")
    code, rule = ("place_waiting", "TK26") if state.waiting(seat) else ("place", "5.3")
    return Prompt(Actor.PLAYER, seat, code, rule)


# -- pseudo-moves ----------------------------------------------------------------------------


def legal_moves(state: TrilithenState) -> list[Move]:
    """The right answers."""
    phase = state.phase
    if phase is _FLIP:
        row = FLIP[state.turn]
        return [row[spot] for spot, up in enumerate(state.up) if not up] + rides(state)
    if phase is _SHOW:
        return _shows(state)
    if phase is _DRAW or phase is _DEAL:
        if state.physical:
            return [DRAW_UNSEEN[state.turn]]
        row = DRAW[state.turn]
        return [row[card] for card in state.deck.drawable()]
    if phase is _PLACE:
        found = places(state)
        if not found or state.physical:
            found += skips(state, found)
        return found
    if phase is _RAM:
        rows = RAM[state.turn]
        return [rows[colour][way] for colour, way, _, _ in state.rams]
    if phase is _BARS:
        field = state.bars.index(NOBODY)
        laid = state.bars[field - field % HUES : field]
        return [move for colour, move in enumerate(BAR[field]) if colour not in laid]
    if phase is _PEEK:
        seat = state.owner(state.target)
        return [PEEK[seat][s] for s, up in enumerate(state.up) if not up] + [DONE[seat]]
    if phase is _LOOK:
        if state.physical:
            return [SHOW_UNSEEN[state.spot]]
        return _shows(state)
    if phase is _SWAP:
        spot = state.spot
        row = SWAP[state.turn][spot]
        return [row[other] for other in range(len(state.card)) if other != spot]
    if phase is _START:
        return list(START[: state.players])
    return []


def rides(state: TrilithenState) -> list[Move]:
    """5.9: at a table where cards were turned up and back again before they were seen."""
    if not state.physical:
        return []
    return list(RIDE[state.turn][: len(state.needed) - state.right + 1])


def _shows(state: TrilithenState) -> list[Move]:
    spot = state.spot
    card = state.card[spot]
    row = SHOW[spot]
    return [row[c] for c in state.loose] if card == UNBOUND else [row[card]]


def pseudo_moves(state: TrilithenState) -> Iterable[Move]:
    """All that hands could lay, turn or push now, and buttons pressed too early."""
    phase, seats, spots = state.phase, range(state.players), len(state.card)
    if phase is _OVER:
        return
    yield from DONE[: state.players]
    if phase is _BARS:
        field = state.bars.index(NOBODY)
        yield from BAR[field]
        yield from BAR[(field + 1) % RING]
    elif phase in (Phase.DEAL, Phase.DRAW):
        for seat in seats:
            yield DRAW_UNSEEN[seat]
            yield from DRAW[seat]
    elif phase is _START:
        yield from START[: state.players]
    elif phase in (Phase.SHOW, Phase.LOOK):
        for spot in range(spots):
            yield SHOW_UNSEEN[spot]
            yield from SHOW[spot]
        yield from FLIP[state.turn][:spots]
    else:
        if phase is _FLIP:
            yield from rides(state)
        if state.physical:
            yield from _turned_up(state)
        for seat in seats:
            yield from _with_trilithons(state, seat)
            yield from FLIP[seat][:spots]
            yield from PEEK[seat][:spots]
        if phase in (Phase.PLACE, Phase.RAM):
            yield from _with_cards(state)
        turned = state.spot if phase is _SWAP else 0
        for spot in (turned, (turned + 1) % spots):
            yield from (SWAP[state.turn][spot][other] for other in range(spots) if other != spot)
        yield SHOW[0][0]


def _turned_up(state: TrilithenState) -> Iterable[Move]:
    """Cards turned up when none is to be turned up, or by another player."""
    # Before anything was placed it is the last ram that goes on.
    flipping = state.turn if state.phase is _FLIP or not state.placed else NOBODY
    for seat in range(state.players):
        if seat != flipping:
            for spot, up in enumerate(state.up):
                row, card = FLIPPED[seat][spot], state.card[spot]
                if not up:
                    yield from [row[c] for c in state.loose] if card == UNBOUND else [row[card]]


def _with_trilithons(state: TrilithenState, seat: int) -> Iterable[Move]:
    """Trilithons put anywhere with any card, and rams; whose turn it is, also with others'."""
    for colour in state.in_play if seat == state.turn else state.own[seat]:
        for pair in PLACE[seat][colour]:
            yield from pair
        yield from RAM[seat][colour]


def _with_cards(state: TrilithenState) -> Iterable[Move]:
    """Any card, or as many as the hand holds, thrown away."""
    seat = state.turn
    singles = [discard(seat, (card,)) for card in range(RING)]
    yield from singles
    if state.phase is _PLACE and not state.placed:
        known = set(singles)
        yield from (
            move
            for move in skips(state, places(state))
            if move.verb == "discard" and move not in known
        )
        hand = tuple(sorted(state.deck.playable(seat))[: state.deck.hand_size(seat)])
        if len(hand) > 1 and not may_be_stuck(state):
            yield discard(seat, hand)
