"""Reasons why a move is not allowed: 5.2, 5.3 and the rulings, in the order of hands' actions."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Move, Objection
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY,
    DISPLAY,
    HUES,
    NEXT,
    NOBODY,
    RING,
    SPOTS,
    STEP,
    UNBOUND,
    front,
)
from rules.games.trilithen_knallen.moves import MEANING, discarded
from rules.games.trilithen_knallen.placing import fitting_cards, may_be_stuck, mistaken
from rules.games.trilithen_knallen.state import FREE, GONE, Phase, TrilithenState
from rules.hidden import UNSEEN

CODES = (
    "match_over", "unknown_move", "wrong_player",
    # Acts of chance.
    "players_turn", "other_deal", "other_bar", "bar_laid", "wrong_hand", "stays_hidden",
    "name_it", "not_in_pile", "other_spot", "not_in_display", "lies_open", "cards_moved",
    # Too early.
    "deal_first", "draw_first", "show_first", "place_first", "announce_first", "swap_first",
    "look_or_done",
    # Placing and skipping.
    "not_yours", "is_gone", "waiting_first", "on_discards", "not_in_hand", "field_taken",
    "same_fields", "must_place", "card_fits", "no_discarding", "already_placed",
    # Ramming.
    "must_ram", "not_placed_now", "touching", "too_far", "own_next", "already_announced",
    "no_stopping", "already_up", "swap_this_card", "no_swap", "no_look", "ram_over",
)  # fmt: skip

_DEALT_BY = {
    Phase.BARS: "bar", Phase.DEAL: "draw", Phase.START: "start", Phase.SHOW: "show",
    Phase.LOOK: "show", Phase.DRAW: "draw",
}  # fmt: skip
"""The dealer's verb in each of the dealer's phases."""


def violations(state: TrilithenState, move: Move) -> list[Objection]:
    """Every reason against ``move``; empty if it is legal."""
    if state.phase is Phase.OVER:
        return [Objection.of("5.6", "match_over")]
    meaning = _meaning(state, move)
    if meaning is None:
        return [Objection.of("5.3", "unknown_move", move=move.text)]
    if move.player is None:
        return _dealer(state, move, meaning)
    return _player(state, move.verb, move.player, meaning)


def _meaning(state: TrilithenState, move: Move) -> tuple[int, ...] | None:
    """The numbers of a move that exists with these players and this display."""
    seat, spots = move.player, len(state.card)
    if seat is not None and seat >= state.players:
        return None
    if move.verb == "discard":
        return None if seat is None else discarded(move)
    meaning = MEANING.get(move.text)
    match move.verb, meaning:
        case (_, None):
            return None
        case (("place" | "ram"), (_, colour, *_)) if state.owner(colour) == NOBODY:
            return None
        case "flip", (_, spot, _):
            return meaning if spot < spots and state.physical else None
        case (("flip" | "peek" | "swap"), (_, *named)) if max(named) >= spots:
            return None
        case (("draw" | "start"), (target, *_)) if target >= state.players:
            return None
        case "ride", (_, number) if not _rides(state, number):
            return None
        case "show", (spot, _) if spot >= spots:
            return None
    return meaning


def _rides(state: TrilithenState, number: int) -> bool:
    """True if that many further cards can have been right, seen by the players alone."""
    left = len(state.needed) - state.right
    return state.physical and (state.phase is not Phase.FLIP or number <= left)


# -- the dealer ------------------------------------------------------------------------------


def _dealer(state: TrilithenState, move: Move, meaning: Sequence[int]) -> list[Objection]:
    phase, verb = state.phase, move.verb
    wanted = _DEALT_BY.get(phase)
    if wanted is None:
        return [Objection.of("5.3", "players_turn", player=_asked(state))]
    if verb != wanted:
        rule = "5.3" if phase in (Phase.SHOW, Phase.LOOK, Phase.DRAW) else "5.2"
        return [Objection.of(rule, "other_deal", verb=wanted)]
    if verb == "bar":
        return _bar(state, meaning[0], meaning[1])
    if verb == "draw":
        return _draw(state, meaning[0], meaning[1])
    if verb == "show":
        return _show(state, meaning[0], meaning[1])
    return []


def _bar(state: TrilithenState, field: int, colour: int) -> list[Objection]:
    wanted = state.bars.index(NOBODY)
    if field != wanted:
        return [Objection.of("5.2", "other_bar", field=wanted + 1)]
    first = field - field % HUES
    if colour in state.bars[first:field]:
        name, last = COLOURS[colour], first + HUES
        return [Objection.of("5.2", "bar_laid", colour=name, first=first + 1, last=last)]
    return []


def _draw(state: TrilithenState, seat: int, card: int) -> list[Objection]:
    rule = "5.2" if state.phase is Phase.DEAL else "5.3"
    if seat != state.turn:
        return [Objection.of(rule, "wrong_hand", target=f"p{state.turn}")]
    if state.physical:
        if card != UNBOUND:
            return [Objection.of(rule, "stays_hidden", player=state.turn)]
    elif card == UNBOUND:
        return [Objection.of(rule, "name_it", card=UNSEEN)]
    elif card not in state.deck.drawable():
        # TK16 says why it does not come only for a card on the discard pile.
        rule = "TK16" if card in state.deck.discards else rule
        return [Objection.of(rule, "not_in_pile", card=DAY[card])]
    return []


def _show(state: TrilithenState, spot: int, card: int) -> list[Objection]:
    if spot != state.spot:
        return [Objection.of("5.3", "other_spot", site=SPOTS[state.spot])]
    if state.phase is Phase.LOOK and state.physical:
        if card == UNBOUND:
            return []
        return [Objection.of("5.4", "stays_hidden", player=state.owner(state.target))]
    if card == UNBOUND:
        return [Objection.of("5.3", "name_it", card=UNSEEN)]
    bound = state.card[spot]
    if card == bound or (bound == UNBOUND and card in state.loose):
        return []
    if card not in state.loose and card not in state.card:
        return [Objection.of("5.2", "not_in_display", card=DISPLAY[card])]
    if card in state.card and state.up[there := state.card.index(card)]:
        return [Objection.of("5.3", "lies_open", card=DISPLAY[card], site=SPOTS[there])]
    # TK23: whatever was seen here or there before is not named again.
    return [Objection.of("TK23", "cards_moved", site=SPOTS[spot])]


# -- the players -----------------------------------------------------------------------------


def _asked(state: TrilithenState) -> int:
    return state.owner(state.target) if state.phase is Phase.PEEK else state.turn


def _player(
    state: TrilithenState, verb: str, seat: int, meaning: Sequence[int]
) -> list[Objection]:  # fmt: skip
    phase = state.phase
    if phase in (Phase.BARS, Phase.DEAL, Phase.START):
        return [Objection.of("5.2", "deal_first")]
    if phase is Phase.DRAW:
        return [Objection.of("5.3", "draw_first", player=state.turn)]
    if phase in (Phase.SHOW, Phase.LOOK):
        return [Objection.of("5.3", "show_first", site=SPOTS[state.spot])]
    asked = _asked(state)
    if verb == "flip" and len(meaning) > 2:
        return _turned_up(state, seat, meaning)
    if seat != asked:
        return [Objection.of("5.3", "wrong_player", player=asked, other=seat)]
    if phase is Phase.PEEK:
        return _compensation(state, verb, meaning)
    if phase is Phase.SWAP:
        return _swap(state, verb, meaning)
    if verb == "swap":
        return [Objection.of("TK31", "no_swap")]
    if verb == "peek":
        return [Objection.of("TK15", "no_look")]
    if phase is Phase.PLACE:
        return _materialise(state, verb, seat, meaning)
    if verb == "place":
        return [Objection.of("5.3", "already_placed", player=seat)]
    if phase is Phase.FLIP:
        return _turn_up(state, verb, meaning)
    if verb in ("flip", "ride"):
        return [Objection.of("5.3", "announce_first", player=seat)]
    if verb != "ram":
        return [Objection.of("TK4", "must_ram", player=seat)]
    return _ram(state, seat, meaning[1], meaning[2])


def _materialise(
    state: TrilithenState, verb: str, seat: int, meaning: Sequence[int]
) -> list[Objection]:
    if verb == "place":
        return _place(state, seat, *meaning[1:])
    stuck = may_be_stuck(state)
    if verb in ("done", "discard"):
        if verb == "discard" and state.placed:
            return [Objection.of("TK26", "no_discarding")]
        if not stuck:
            return [Objection.of("5.3", "must_place", player=seat)]
        if verb == "discard":
            return _discard(state, seat, meaning)
        if state.placed and state.rams:
            return [Objection.of("TK4", "must_ram", player=seat)]
        return []
    if verb == "ram" and stuck and state.placed and state.rams:
        return _ram(state, seat, meaning[1], meaning[2])
    return [Objection.of("5.3", "place_first", player=seat)]


def _place(
    state: TrilithenState, seat: int, colour: int, card: int, place: int
) -> list[Objection]:  # fmt: skip
    owner, here = state.owner(colour), state.place_of[colour]
    if owner != seat:
        return [Objection.of("5.3", "not_yours", colour=COLOURS[colour], owner=owner)]
    if here == GONE:
        return [Objection.of("5.4", "is_gone", colour=COLOURS[colour])]
    if colour not in state.placeable(seat):
        first = COLOURS[state.waiting(seat)[0]]
        return [Objection.of("TK26", "waiting_first", colour=first)]
    found = _no_such_card(state, seat, card)
    for field in (place, NEXT[place]):
        there = state.ring[field]
        if there not in (FREE, colour):
            found.append(
                Objection.of("5.3", "field_taken", field=field + 1, colour=COLOURS[there])
            )  # fmt: skip
    if place == here:
        found.append(Objection.of("TK3", "same_fields", colour=COLOURS[colour]))
    return found


def _no_such_card(state: TrilithenState, seat: int, card: int) -> list[Objection]:
    if card in state.deck.discards and mistaken(state, seat, card) is None:
        return [Objection.of("5.3", "on_discards", card=DAY[card], player=seat)]
    if card not in state.deck.discards and not state.deck.holds(seat, card):
        return [Objection.of("5.3", "not_in_hand", card=DAY[card], player=seat)]
    return []


def _discard(state: TrilithenState, seat: int, cards: Sequence[int]) -> list[Objection]:
    found = [objection for card in cards for objection in _no_such_card(state, seat, card)]
    if found:
        return found
    for number, card in enumerate(cards, start=1):
        # Each of them may be in an unseen hand, and yet not all of them together.
        if not state.deck.holds_all(seat, cards[:number]):
            return [Objection.of("5.3", "not_in_hand", card=DAY[card], player=seat)]
    fitting = fitting_cards(state)
    return [
        Objection.of("5.3", "card_fits", card=DAY[card], player=seat)
        for card in cards
        if card in fitting
    ]


def _ram(state: TrilithenState, seat: int, colour: int, direction: int) -> list[Objection]:
    if state.owner(colour) != seat:
        owner = state.owner(colour)
        return [Objection.of("5.3", "not_yours", colour=COLOURS[colour], owner=owner)]
    if colour not in state.placed:
        return [Objection.of("TK26", "not_placed_now", colour=COLOURS[colour])]
    if any(one[:2] == (colour, direction) for one in state.rams):
        return []
    crossed = [0] * HUES
    start = front(state.place_of[colour], direction)
    for distance in range(RING):
        field = (start + STEP[direction] * distance) % RING
        hue, target = state.bars[field], state.ring[field]
        crossed[hue] += 1
        if crossed[hue] > state.range_limit:
            limit = state.range_limit
            return [Objection.of("5.3", "too_far", colour=COLOURS[hue], limit=limit)]
        if target != FREE:
            if state.owner(target) == seat:
                return [Objection.of("TK18", "own_next", colour=COLOURS[target])]
            break
    return [Objection.of("5.3", "touching", colour=COLOURS[target])]


def _turn_up(state: TrilithenState, verb: str, meaning: Sequence[int]) -> list[Objection]:
    if verb == "ram":
        return [Objection.of("TK4", "already_announced", colour=COLOURS[state.target])]
    if verb == "ride":
        return []
    if verb != "flip":
        return [Objection.of("TK4", "no_stopping", player=state.turn)]
    return _face_down(state, "5.3", meaning[1])


def _turned_up(state: TrilithenState, seat: int, meaning: Sequence[int]) -> list[Objection]:
    """A card that came up when none was to be turned up."""
    if seat != state.turn and state.turned_back and not state.placed:
        return [Objection.of("5.3", "ram_over", player=seat, site=SPOTS[meaning[1]])]
    found = _player(state, "flip", seat, meaning[:2])
    # Where it is allowed, the card is shown with a move of its own.
    return found or [Objection.of("5.3", "unknown_move", move=f"flip {SPOTS[meaning[1]]}")]


def _swap(state: TrilithenState, verb: str, meaning: Sequence[int]) -> list[Objection]:
    site = SPOTS[state.spot]
    if verb != "swap":
        return [Objection.of("TK31", "swap_first", site=site)]
    if meaning[1] != state.spot:
        return [Objection.of("TK21", "swap_this_card", site=site)]
    return []


def _compensation(state: TrilithenState, verb: str, meaning: Sequence[int]) -> list[Objection]:
    if verb == "done":
        return []
    if verb != "peek":
        return [Objection.of("TK15", "look_or_done", player=_asked(state))]
    return _face_down(state, "TK15", meaning[1])


def _face_down(state: TrilithenState, rule: str, spot: int) -> list[Objection]:
    return [Objection.of(rule, "already_up", site=SPOTS[spot])] if state.up[spot] else []
