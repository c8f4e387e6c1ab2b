"""Reasons why a move is not allowed: every objection of Erbaut Stonehenge!"""

from __future__ import annotations

from rules.core import Move, Objection
from rules.games.erbaut_stonehenge.components import (
    BLACK,
    BUILD,
    CARD_COLOUR,
    COLOURS,
    DEAL,
    DEALT,
    DRAW,
    EMPTY,
    END,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    LAY_OUT,
    LOT,
    MARKED,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    OVER,
    PILLARS_0,
    RETURN,
    REVEALED,
    SHOW,
    SITE_NAMES,
    YARDS,
    card_name,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.moves import (
    OP_ATONE,
    OP_BLOCKED,
    OP_BUILD,
    OP_DEAL,
    OP_DISCARD,
    OP_DISPLAY,
    OP_DONE,
    OP_DRAW,
    OP_OCCUPY,
    OP_PLAY,
    OP_SABOTAGE,
    OP_SHOW,
    OP_START,
    OP_STEAL,
    OP_TAKE,
    Step,
    decode,
)
from rules.games.erbaut_stonehenge.prompts import DEALER_PHASES, can_pay, fitting_sites, pays
from rules.games.erbaut_stonehenge.state import ErbautState, cannot_build

CODES = (
    "match_over", "unknown_move", "wrong_player", "deal_first", "players_turn", "other_deal",
    "stays_hidden", "not_in_pile", "next_below", "show_first", "nothing_to_show", "cannot_be",
    "discards_first", "at_altar", "not_at_altar", "build_first", "no_piece", "keep_project",
    "other_card", "no_discard", "occupy_first", "give_up_first", "trilithon_field",
    "no_trilithon_card", "wrong_colour", "built_on", "reserved", "number_free",
    "draw_first", "not_in_display", "trilithon_first", "from_display",
    "pile_empty", "no_project", "nothing_to_occupy", "draw_over", "project_first",
    "fits_nowhere", "not_in_hand", "lies_elsewhere", "face_down", "no_day_card", "can_play",
    "no_trilithon", "marked", "stolen_before", "price", "sabotage_used", "no_influence",
    "no_project_there", "already_atoning", "turn_over", "night_card",
)  # fmt: skip

_DEALER_OPS = (OP_DEAL, OP_DISPLAY, OP_START)


def violations(state: ErbautState, move: Move) -> list[Objection]:
    """The reasons why ``move`` is not allowed now; empty if it is."""
    if state.phase == OVER:
        return [Objection.of("3.8", "match_over")]
    step = decode(move.text)
    if step is None or not _exists(state, step):
        return [Objection.of("3.3", "unknown_move", move=move.text)]
    if step.op in _DEALER_OPS:
        return _check_dealer(state, step)
    if step.op == OP_SHOW:
        return _check_show(state, step)
    if state.phase in DEALER_PHASES:
        rule = "3.2" if state.phase in (DEAL, LAY_OUT, LOT) else "3.3"
        return [Objection.of(rule, "deal_first")]
    if state.phase == SHOW:
        return [Objection.of("3.3", "show_first", player=state.turn, site=YARDS[state.turn])]
    asked = state.giver if state.phase == RETURN else state.turn
    if step.seat != asked:
        rule = "ES29" if state.phase == RETURN else "3.3"
        return [Objection.of(rule, "wrong_player", player=asked, other=step.seat)]
    return _check_player(state, step)


def _exists(state: ErbautState, step: Step) -> bool:
    """True if such a move can occur in a match with these players, digital or physical."""
    if step.seat >= state.players:
        return False
    if step.op in (OP_STEAL, OP_SABOTAGE):
        named = step.b != HIDDEN or state.cards.zones is not None
        return named and step.a < state.players and step.a != step.seat
    if step.a == HIDDEN:
        return state.cards.zones is not None
    return step.op != OP_SHOW or state.cards.zones is not None


# -- what is dealt and shown ----------------------------------------------------------------


def _check_dealer(state: ErbautState, step: Step) -> list[Objection]:
    phase = state.phase
    if phase == SHOW:
        return [Objection.of("3.3", "show_first", player=state.turn, site=YARDS[state.turn])]
    if phase not in DEALER_PHASES:
        asked = state.giver if phase == RETURN else state.turn
        return [Objection.of("3.3", "players_turn", player=asked)]
    rule = "3.2" if phase in (DEAL, LAY_OUT, LOT) else "3.3"
    to_hand = phase in (DEAL, DEALT)
    wanted = OP_DEAL if to_hand else OP_START if phase == LOT else OP_DISPLAY
    if step.op != wanted or (to_hand and step.seat != state.turn):
        due = f"due_hand_{state.turn}" if to_hand else "due_lot" if phase == LOT else "due_display"
        return [Objection.of(rule, "other_deal", due=due)]
    if wanted == OP_START:
        return []
    card = step.a
    if to_hand and state.cards.zones is not None and 0 <= card < NUMBER_CARDS:
        return [Objection.of("3.11", "stays_hidden", card=card_name(card))]
    if card in state.cards.outcomes(open_card=not to_hand):
        return []
    if not state.cards.shuffled_left and state.cards.below:
        following, knower = state.cards.below[0]
        due = card_name(following) if knower == NONE else card_name(HIDDEN)
        return [Objection.of("ES34", "next_below", card=card_name(card), due=due)]
    return [Objection.of(rule, "not_in_pile", card=card_name(card))]


def _check_show(state: ErbautState, step: Step) -> list[Objection]:
    site = YARDS[step.seat]
    if state.phase != SHOW or step.seat != state.turn:
        return [Objection.of("3.3", "nothing_to_show", site=site)]
    if step.a not in state.cards.may_lie_face_down(step.seat):
        return [Objection.of("3.3", "cannot_be", site=site, card=card_name(step.a))]
    return []


# -- the player asked -----------------------------------------------------------------------


def _check_player(state: ErbautState, step: Step) -> list[Objection]:
    phase, op = state.phase, step.op
    if phase == RETURN:
        if op != OP_DISCARD:
            return [Objection.of("ES29", "discards_first", player=step.seat)]
        if state.cards.zones is not None and step.a != HIDDEN:
            return [Objection.of("3.11", "stays_hidden", card=card_name(step.a))]
        return _in_hand(state, step.seat, step.a)
    if state.at_altar(step.seat):
        return (
            [] if op == OP_ATONE and phase == BUILD
            else [Objection.of("3.7", "at_altar", player=step.seat)]
        )  # fmt: skip
    if op == OP_SABOTAGE:
        return _check_sabotage(state, step)
    if op == OP_ATONE:
        return [Objection.of("3.7", "not_at_altar", player=step.seat)]
    if op == OP_DISCARD:
        return _check_discard(state, step)
    if phase == BUILD:
        return _check_build(state, step)
    if phase in (REVEALED, OCCUPY):
        return _check_occupy(state, step)
    if phase == DRAW:
        return _check_draw(state, step)
    if phase == END:
        return [] if op == OP_DONE else [Objection.of("3.3", "turn_over", player=step.seat)]
    return _check_project(state, step)


def _check_build(state: ErbautState, step: Step) -> list[Objection]:
    if step.op != OP_BUILD:
        return [Objection.of("3.3", "build_first", player=step.seat)]
    if cannot_build(state, step.seat):
        return [_no_piece(state, step.seat)]
    return []


def _no_piece(state: ErbautState, seat: int) -> Objection:
    piece = "stone_block" if state.druid[seat] < FIRST_D else "disc"
    return Objection.of("ES30", "no_piece", player=seat, piece=piece)


def _check_discard(state: ErbautState, step: Step) -> list[Objection]:
    seat, card = step.seat, state.yard[step.seat]
    open_project = state.stage[seat] == OPEN
    must = (state.phase == BUILD and cannot_build(state, seat)) or (
        state.phase in (REVEALED, OCCUPY) and not fitting_sites(state)
    )
    if must:
        if step.a == card:
            return []
        return [Objection.of("ES9", "other_card", card=card_name(step.a), due=card_name(card))]
    if open_project and step.a == card:
        return [Objection.of("ES9", "keep_project", card=card_name(card))]
    return [Objection.of("ES29", "no_discard", player=seat)]


# -- 3.4 Occupying a site -------------------------------------------------------------------


def _check_occupy(state: ErbautState, step: Step) -> list[Objection]:
    seat, site = step.seat, step.a
    card = state.yard[seat]
    if step.op != OP_OCCUPY:
        if not fitting_sites(state):
            return [Objection.of("ES9", "give_up_first", card=card_name(card))]
        return [Objection.of("3.4", "occupy_first", player=seat, card=card_name(card))]
    if state.phase == REVEALED and not is_day(card):
        return [Objection.of("3.3", "night_card", card=card_name(card))]
    if any(move.args[0] == SITE_NAMES[site] for move in fitting_sites(state)):
        return []
    found = _check_site(state, seat, card, site)
    name = SITE_NAMES[site]
    owner = state.built[site]
    if owner != NONE:
        found.append(Objection.of("3.4", "built_on", site=name, colour=state.paint.colours[owner]))
    elif site in state.druid:
        found.append(Objection.of("ES8", "reserved", site=name, other=state.druid.index(site)))
    return found


def _check_site(state: ErbautState, seat: int, card: int, site: int) -> list[Objection]:
    name = SITE_NAMES[site]
    if is_trilithon(card):
        if site < FIRST_T:
            return [Objection.of("3.4", "trilithon_field", site=name)]
        return []
    if site >= FIRST_T:
        return [Objection.of("3.4", "no_trilithon_card", site=name, card=card_name(card))]
    found = []
    if site < FIRST_D:
        colour = CARD_COLOUR[card]
        if site % 6 != colour:
            found.append(
                Objection.of(
                    "3.4", "wrong_colour", site=name, card=card_name(card), colour=COLOURS[colour],
                    field=COLOURS[site % 6],
                )
            )  # fmt: skip
        if not state.has_bar(seat):
            found.append(Objection.of("ES13", "no_piece", player=seat, piece="stone_block"))
    else:
        number = card >> 1
        if state.built[number] == NONE:
            found.append(
                Objection.of(
                    "ES7", "number_free", site=name, card=card_name(card), field=SITE_NAMES[number]
                )
            )
        if not state.discs[seat]:
            found.append(Objection.of("3.4", "no_piece", player=seat, piece="disc"))
    return found


# -- 3.3 Draw phase -------------------------------------------------------------------------


def _check_draw(state: ErbautState, step: Step) -> list[Objection]:
    display = state.display
    if step.op not in (OP_TAKE, OP_DRAW):
        return [Objection.of("3.3", "draw_first", player=step.seat, due=state.due)]
    trilithons = [card for card in display if is_trilithon(card)]
    if step.op == OP_DRAW:
        if state.came:
            return [Objection.of("ES4", "from_display", player=step.seat)]
        if trilithons:
            return [Objection.of("3.3", "trilithon_first", card=card_name(trilithons[0]))]
        if not state.cards.pile_left:
            return [Objection.of("3.3", "pile_empty")]
        return []
    if step.a not in display:
        return [Objection.of("3.3", "not_in_display", card=card_name(step.a))]
    if state.came:
        if is_trilithon(step.a):
            return [Objection.of("ES5", "from_display", player=step.seat)]
    elif trilithons and not is_trilithon(step.a):
        return [Objection.of("3.3", "trilithon_first", card=card_name(trilithons[0]))]
    return []


# -- 3.3 Project phase ----------------------------------------------------------------------


def _check_project(state: ErbautState, step: Step) -> list[Objection]:
    seat, op = step.seat, step.op
    if op == OP_PLAY:
        return _check_play(state, seat, step.a)
    if op == OP_STEAL:
        return _check_steal(state, step)
    if op == OP_BLOCKED:
        if any(
            state.cards.surely_holds(seat, c) for c in state.cards.hand(seat) if state.fits(seat, c)
        ):
            return [Objection.of("ES1", "can_play", player=seat)]
        return []
    if op == OP_BUILD:
        return [Objection.of("3.3", "no_project", player=seat)]
    if op == OP_OCCUPY:
        return [Objection.of("3.4", "nothing_to_occupy", player=seat)]
    if op in (OP_TAKE, OP_DRAW):
        return [Objection.of("3.3", "draw_over", player=seat)]
    return [Objection.of("ES1", "project_first", player=seat)]


def _check_play(state: ErbautState, seat: int, card: int) -> list[Objection]:
    if card == HIDDEN:
        if any(is_day(c) and state.fits(seat, c) for c in state.cards.hand(seat)):
            return []
        return [Objection.of("ES27", "no_day_card", player=seat)]
    if state.cards.zones is not None and is_day(card):
        return [Objection.of("3.11", "face_down", card=card_name(card))]
    found = _in_hand(state, seat, card)
    if not state.fits(seat, card):
        colour = COLOURS[CARD_COLOUR[card]]
        found.append(Objection.of("3.4", "fits_nowhere", card=card_name(card), colour=colour))
    return found


def _in_hand(state: ErbautState, seat: int, *cards: int) -> list[Objection]:
    """Objections to named cards that cannot be in a hand; says where they are if all may know."""
    if cards == (HIDDEN,):
        return []
    found = []
    for card in cards:
        if not state.cards.holds(seat, card):
            place = _public_place(state, card)
            if place:
                found.append(
                    Objection.of(
                        "3.3", "lies_elsewhere", player=seat, card=card_name(card), place=place
                    )
                )
            else:
                found.append(Objection.of("3.3", "not_in_hand", player=seat, card=card_name(card)))
    if not found and len(cards) > 1 and not state.cards.holds(seat, *cards):
        # On a real table each may be in the hand, but not both.
        found.append(Objection.of("3.3", "not_in_hand", player=seat, card=card_name(cards[-1])))
    return found


def _public_place(state: ErbautState, card: int) -> str:
    """The place of a card, as a word of the text file, if it is public."""
    if card in state.display:
        return "in_display"
    if card in state.gone:
        return "out_of_game"
    if (card, NONE) in state.cards.below:
        return "below_pile"
    for seat in range(state.players):
        if state.yard[seat] == card and state.stage[seat] >= OPEN:
            return f"in_yard_{seat}"
        if card in state.influence[seat]:
            return f"influence_{seat}"
        if state.cards.zones is not None and state.cards.surely_holds(seat, card):
            return f"in_hand_{seat}"
    return ""


# -- 3.6 Stealing, 3.7 sabotage -------------------------------------------------------------


def _check_steal(state: ErbautState, step: Step) -> list[Objection]:
    seat, other = step.seat, step.a
    cards: tuple[int, ...] = (step.b, step.c)
    stage = state.stage[other]
    if stage < PILLARS_0:
        return [Objection.of("3.6", "no_trilithon", other=other)]
    found = []
    if stage == MARKED:
        found.append(Objection.of("3.6", "marked", other=other))
    elif state.stolen[other] and not state.steal_back:
        found.append(Objection.of("ES28", "stolen_before", other=other))
    trilithon = state.yard[other]
    if step.b == HIDDEN:
        # The payment was not shown to the record, but it must have been possible.
        cards = () if can_pay(state, seat, other) else (HIDDEN,)
    else:
        found += _in_hand(state, seat, *cards)
    for card in cards:
        if card == HIDDEN or not pays(state.hue[other], trilithon, card):
            rule = "ES11" if card != HIDDEN and CARD_COLOUR[card] == BLACK else "3.6"
            found.append(
                Objection.of(
                    rule,
                    "price",
                    card=card_name(card),
                    colour=state.paint.colours[other],
                    due=card_name(trilithon),
                )
            )
    return found


def _check_sabotage(state: ErbautState, step: Step) -> list[Objection]:
    seat, other, card = step.seat, step.a, step.b
    found = []
    if state.sabotaged:
        found.append(Objection.of("ES17", "sabotage_used", player=seat))
    if card not in state.influence[seat]:
        found.append(Objection.of("3.7", "no_influence", player=seat, card=card_name(card)))
    if state.at_altar(other):
        found.append(Objection.of("ES18", "already_atoning", other=other))
    elif state.stage[other] == EMPTY:
        found.append(Objection.of("ES18", "no_project_there", other=other))
    return found
