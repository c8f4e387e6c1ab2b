"""Reasons why a step is not allowed: the conditions of 2.4, 2.7 and 2.9, a function per verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rules.core import Move, Objection, Param
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    BLACK,
    CARD_COLOUR,
    CARD_FIELD,
    CARD_NAME,
    COLOURS,
    DECK,
    EMPTY,
    FIELD_COLOUR,
    FIELD_NAME,
    LAST,
    NEXT,
    NONE,
    PIECE_FACTION,
    PIECE_NAME,
    SPOKESMAN,
    TRILITHON,
    faction_of,
    seat_of,
)
from rules.games.hoher_rat.moves import HIDDEN, Step, cards_for, decode, gains, may_pay, names_of
from rules.games.hoher_rat.state import LIMIT, RatState

CODES = (
    "match_over", "unknown_move", "wrong_player",
    "deal_first", "start_first", "draw_first", "no_draw_now", "no_start_now", "draw_other",
    "card_not_in_pile", "return_first", "lift_first", "no_return_now", "no_lift_now",
    "already_acted", "other_pile", "not_in_hand", "card_played", "cannot_hold", "not_together",
    "trilithon_alone", "mixed_colours", "colour_fixed", "name_colour", "one_colour", "name_two",
    "no_room",
    "no_partner", "not_neighbours", "from_empty", "from_other_faction", "to_empty",
    "to_own_faction", "not_own_follower", "lift_from",
    "trilithon_never_seats", "wrong_field", "occupied", "only_spokesman_swaps", "own_field_free",
    "other_colour_field", "never_spokesman", "not_your_piece", "no_such_follower", "no_spokesman",
    "take_from_supply", "lift_instead", "wrong_argument", "too_few_arguments",
)  # fmt: skip


Found = list[Objection]


def violations(state: RatState, move: Move) -> Found:
    """The objections to a move; empty if it is legal."""
    step = decode(move.text)
    if state.winner != NONE:
        return _no("2.6", "match_over")
    if step is None or step.seat >= state.players or not _right_form(state, step):
        return _no("2.9", "unknown_move", move=move.text)
    if step.verb in ("draw", "start"):
        return _dealt(state, step)
    if found := _waiting(state, step):
        return found
    return _BY_VERB[step.verb](state, step)


def _no(rule: str, code: str, **params: Param) -> Found:
    return [Objection.of(rule, code, **params)]


def _right_form(state: RatState, step: Step) -> bool:
    """Cards that only their owner sees are ``?`` if they are real, and named otherwise."""
    real = not state.dealt[step.seat & 1]
    if step.verb not in ("draw", "consult", "return"):
        # Unnamed cards are possible only where they lie on a real table.
        return step.cards != (HIDDEN,) or real
    return (step.cards[0] == HIDDEN) == real


# -- 2.2 Set-up, draws, and who is asked ----------------------------------------------------


def _dealt(state: RatState, step: Step) -> Found:
    open_draw = state.pending[-1] if state.pending else None
    if step.verb == "start":
        if open_draw is None or open_draw.verb != "start":
            return _no("HR1", "no_start_now")
        return []
    if open_draw is None or open_draw.verb != "draw":
        return _no("2.4", "no_draw_now", player=step.seat)
    if open_draw.seat != step.seat:
        return _no("2.4", "draw_other", player=open_draw.seat, other=step.seat)
    card = step.cards[0]
    if card != HIDDEN and card not in state.drawable(faction_of(step.seat)):
        return _no("HR21", "card_not_in_pile", card=CARD_NAME[card])
    return []


def _waiting(state: RatState, step: Step) -> Found:
    """The objection that another player or another decision comes first."""
    seat, asked, wanted = step.seat, state.turn, ""
    if state.pending:
        wanted, first = state.pending[-1][:2]
        if wanted == "start":
            return _no("HR1", "start_first")
        if wanted == "draw":
            rule, code = ("2.2", "deal_first") if state.turn == NONE else ("2.4", "draw_first")
            return _no(rule, code, player=first)
        asked = first
    if seat != asked:
        return _no("2.4", "wrong_player", player=asked, other=seat)
    if wanted == "return" and step.verb != "return":
        return _no("2.4", "return_first", player=asked, other=(asked + 2) % state.players)
    if wanted == "lift" and step.verb != "lift":
        return _no("2.7", "lift_first", player=asked)
    return []


def _done(state: RatState, step: Step) -> Found:
    return []  # HR3: passing is always allowed.


# -- 2.4 Cards ------------------------------------------------------------------------------


def _acted(state: RatState, step: Step) -> Found:
    return _no("2.4", "already_acted", player=step.seat) if state.acted else []


def _ponder(state: RatState, step: Step) -> Found:
    return _acted(state, step)


def _in_hand(state: RatState, step: Step) -> Found:
    for card in step.cards:
        if card == HIDDEN:
            continue
        name = CARD_NAME[card]
        if card // DECK != faction_of(step.seat):
            return _no("2.2", "other_pile", player=step.seat, card=name)
        if not state.may_hold(step.seat, card):
            if state.dealt[step.seat & 1]:
                return _no("2.4", "not_in_hand", player=step.seat, card=name)
            # HR21: a card once shown stays among the discards until they are reshuffled.
            code = "card_played" if state.zones.whereabouts(name) else "cannot_hold"
            return _no("HR21", code, player=step.seat, card=name)
    if step.cards != (HIDDEN,) and not state.may_hold(step.seat, *step.cards):
        return _no("HR21", "not_together", player=step.seat, cards=names_of(step.cards))
    return []


def _discuss(state: RatState, step: Step) -> Found:
    if step.cards == (HIDDEN,):
        return _unnamed_discussion(state, step)
    found = [] if _names(state, step) else _acted(state, step)
    found = found or _in_hand(state, step)
    if found:
        return found
    kinds = {CARD_COLOUR[card] for card in step.cards}
    if TRILITHON in kinds:
        if len(step.cards) > 1:
            return _no("HR7", "trilithon_alone", player=step.seat)
        return _trilithon(state, step)
    coloured = sorted(kinds - {BLACK})
    if len(coloured) > 1:
        first, second = (COLOURS[colour] for colour in coloured[:2])
        return _no("2.4", "mixed_colours", colour=first, second=second)
    if coloured:
        if step.colours:
            return _no("2.4", "colour_fixed", colour=COLOURS[coloured[0]])
        return []
    return _black_alone(state, step)


def _unnamed_discussion(state: RatState, step: Step) -> Found:
    """As more of what the cards brought comes to light, the discussion grows."""
    if state.acted and not (state.unnamed and cards_for((*state.unnamed, *step.colours))):
        return _acted(state, step)
    return _room_for(state.room(faction_of(step.seat)), step.colours)


def _names(state: RatState, step: Step) -> bool:
    """True if the cards may be those that were not named when they were laid; what two of one
    colour bring, one trilithon card brings too."""
    laid = cards_for(state.unnamed)
    if not laid or not state.may_name(step.seat, step.cards[:laid]):
        return False
    return Counter(state.unnamed) <= Counter(dict(gains(step)))


def _black_alone(state: RatState, step: Step) -> Found:
    room = state.room(faction_of(step.seat))
    if len(step.colours) > 1:
        return _no("2.4", "one_colour")
    if not step.colours:
        return _no("HR23", "name_colour") if any(room) else []
    return _room_for(room, step.colours)


def _trilithon(state: RatState, step: Step) -> Found:
    room = state.room(faction_of(step.seat))
    if found := _room_for(room, step.colours):
        return found
    if len(step.colours) < min(2, sum(room)):
        return _no("HR23", "name_two" if sum(room) > 1 else "name_colour")
    return []


def _room_for(room: tuple[int, ...], colours: tuple[int, ...]) -> Found:
    for colour in colours:
        if room[colour] < colours.count(colour):
            return _no(
                "HR23", "no_room", colour=COLOURS[colour], room=room[colour], limit=LIMIT
            )  # fmt: skip
    return []


def _consult(state: RatState, step: Step) -> Found:
    if state.players == 2:
        return _no("2.4", "no_partner")
    found = _acted(state, step)
    return found or ([] if step.cards[0] == HIDDEN else _in_hand(state, step))


def _return(state: RatState, step: Step) -> Found:
    if not state.pending:
        return _no("2.4", "no_return_now", player=step.seat)
    return [] if step.cards[0] == HIDDEN else _in_hand(state, step)


# -- 2.4 2. Take a seat ---------------------------------------------------------------------


def _seat(state: RatState, step: Step) -> Found:
    found = _acted(state, step) or _in_hand(state, step)
    if found:
        return found
    card = step.cards[0]
    if card == HIDDEN:
        return _seat_with_another(state, step)
    if CARD_FIELD[card] == NONE:
        return _no("2.4", "trilithon_never_seats", card=CARD_NAME[card])
    return _free_seat(state, step) if step.pay == NONE else _paid_seat(state, step)


def _free_seat(state: RatState, step: Step) -> Found:
    own = CARD_FIELD[step.cards[0]]
    name = FIELD_NAME[step.field]
    if step.field != own:
        return _no(
            "2.4", "wrong_field", site=name, card=CARD_NAME[step.cards[0]], own=FIELD_NAME[own],
            number=ARGUMENTS_FOR_SEAT,
        )  # fmt: skip
    there = state.ring[own]
    if there == EMPTY:
        return _piece(state, step)
    if there >= SPOKESMAN or not state.owns(step.seat, there):
        return _occupied(state, step)
    if step.piece == NONE or (step.piece < SPOKESMAN and state.owns(step.seat, step.piece)):
        return _no("2.4", "only_spokesman_swaps", site=name, player=step.seat)
    return _piece(state, step)


def _paid_seat(state: RatState, step: Step) -> Found:
    card, field = step.cards[0], step.field
    colour = CARD_COLOUR[card]
    if field == CARD_FIELD[card]:
        return _no("HR25", "own_field_free", site=FIELD_NAME[field])
    if FIELD_COLOUR[field] != colour:
        return _no(
            "HR9", "other_colour_field", site=FIELD_NAME[field], card=CARD_NAME[card],
            colour=_colour_word(colour), field_colour=_colour_word(FIELD_COLOUR[field]),
        )  # fmt: skip
    if state.ring[field] != EMPTY:
        return _occupied(state, step)
    return _never_spokesman(state, step) or _payment(
        state, step, colour, ARGUMENTS_FOR_SEAT, "HR9", "why-seat"
    )


def _seat_with_another(state: RatState, step: Step) -> Found:
    """HR9 with an unnamed card."""
    field = step.field
    if not others_for(state, step.seat, field):
        return _no("HR21", "cannot_hold", player=step.seat, card=CARD_NAME[_own_card(step)])
    if state.ring[field] != EMPTY:
        return _occupied(state, step)
    return _never_spokesman(state, step) or _payment(
        state, step, FIELD_COLOUR[field], ARGUMENTS_FOR_SEAT, "HR9", "why-seat"
    )


def _own_card(step: Step) -> int:
    return faction_of(step.seat) * DECK + step.field


def others_for(state: RatState, seat: int, field: int) -> list[int]:
    """The cards of a field's colour, other than its own, that a player may hold."""
    return [
        card
        for card in state.holdable(seat)
        if CARD_COLOUR[card] == FIELD_COLOUR[field] and CARD_FIELD[card] != field
    ]


def _occupied(state: RatState, step: Step) -> Found:
    owner = seat_of(state.ring[step.field] % SPOKESMAN, state.players)
    return _no("2.4", "occupied", site=FIELD_NAME[step.field], owner=owner)


# -- the piece that is put down, and what is paid for it -----------------------------------


def _never_spokesman(state: RatState, step: Step) -> Found:
    """2.4: with arguments only followers are placed."""
    if step.piece >= SPOKESMAN:
        return _no("2.4", "never_spokesman")
    return _piece(state, step)


def _piece(state: RatState, step: Step) -> Found:
    piece, seat = step.piece, step.seat
    if piece == NONE:
        # HR22: a follower of the ring may be moved only when none is left in supply.
        if state.has_follower(seat):
            return _no("HR22", "take_from_supply", player=seat)
        return []
    if not state.owns(seat, piece):
        return _no("2.4", "not_your_piece", player=seat, piece=PIECE_NAME[piece])
    if piece >= SPOKESMAN:
        if not state.spokesmen[piece - SPOKESMAN]:
            return _no("2.4", "no_spokesman", colour=COLOURS[piece - SPOKESMAN])
    elif state.followers[piece] <= 0:
        code = "no_such_follower" if state.has_follower(seat) else "lift_instead"
        return _no("HR22", code, player=seat, colour=COLOURS[piece])
    return []


def _payment(state: RatState, step: Step, colour: int, number: int, rule: str, why: str) -> Found:
    if step.pay not in may_pay(colour):
        # 2.5: the vote changes the price only, never the colour.
        rule = "2.4" if rule == "2.5" else rule
        return _no(rule, "wrong_argument", colour=COLOURS[colour], pay=COLOURS[step.pay])
    have = state.arguments[step.seat][step.pay]
    if have < number:
        # HR8: the partner's arguments do not count.
        return _no(
            rule, "too_few_arguments", player=step.seat, colour=COLOURS[step.pay],
            number=number, have=have, why=why,
        )  # fmt: skip
    return []


def _colour_word(colour: int) -> str:
    return "black" if colour == BLACK else COLOURS[colour]


# -- 2.4 Persuade ---------------------------------------------------------------------------


def _persuade(state: RatState, step: Step) -> Found:
    source, field = step.source, step.field
    names = FIELD_NAME[source], FIELD_NAME[field]
    if field not in (NEXT[source], LAST[source]):
        return _no("HR2", "not_neighbours", site=names[0], target=names[1])
    faction = faction_of(step.seat)
    here, there = state.ring[source], state.ring[field]
    if here == EMPTY:
        return _no("2.4", "from_empty", site=names[0])
    if PIECE_FACTION[here] != faction:
        return _no("2.4", "from_other_faction", site=names[0], player=step.seat)
    if there == EMPTY:
        return _no("2.4", "to_empty", site=names[1])
    if PIECE_FACTION[there] == faction:
        return _no("2.4", "to_own_faction", site=names[1], player=step.seat)
    if found := _never_spokesman(state, step):
        return found
    rule, price = "2.5" if state.vote else "2.4", state.price(source, field)
    return _payment(state, step, FIELD_COLOUR[source], price, rule, _why(state, step, price))


def _why(state: RatState, step: Step, price: int) -> str:
    """The word of the texts that says why a persuasion costs ``price``."""
    if state.vote and price == 1 and state.group(step.source) > state.group(step.field):
        return "why-vote"
    return "why-spokesman" if state.ring[step.field] >= SPOKESMAN else f"why-{price}"


# -- 2.7 No follower left -------------------------------------------------------------------


def _lift(state: RatState, step: Step) -> Found:
    if not state.pending:
        return _no("2.7", "no_lift_now", player=step.seat)
    name = FIELD_NAME[step.field]
    piece = state.ring[step.field]
    # HR15: a spokesman never moves.
    if piece >= SPOKESMAN or not state.owns(step.seat, piece):
        return _no("HR15", "not_own_follower", site=name, player=step.seat)
    if step.field == state.pending[-1].source:
        return _no("HR14", "lift_from", site=name)
    return []


_BY_VERB: dict[str, Callable[[RatState, Step], Found]] = {
    "done": _done,
    "ponder": _ponder,
    "discuss": _discuss,
    "consult": _consult,
    "return": _return,
    "seat": _seat,
    "persuade": _persuade,
    "lift": _lift,
}
