"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.core import Actor, Move, Prompt
from rules.games.erbaut_stonehenge.components import (
    BUILD,
    CARD_COLOUR,
    CARD_NAMES,
    DEAL,
    DEALT,
    DRAW,
    FACE_DOWN,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    LAY_OUT,
    LOT,
    LYING,
    MARKED,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    OVER,
    PILLARS_0,
    PILLARS_1,
    PILLARS_2,
    PROJECT,
    REFILL,
    RETURN,
    REVEALED,
    SHOW,
    SITE_NAMES,
    SUPPLY,
    YARDS,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.moves import (
    ATONE_MOVE,
    BLOCKED_MOVE,
    BUILD_MOVE,
    DEAL_MOVE,
    DEAL_UNSEEN,
    DISCARD_MOVE,
    DISCARD_UNSEEN,
    DISPLAY_MOVE,
    DONE_MOVE,
    DRAW_MOVE,
    OCCUPY_MOVE,
    OCCUPY_RING,
    OCCUPY_TRILITHON,
    PLAY_MOVE,
    PLAY_UNSEEN,
    SABOTAGE_MOVE,
    SHOW_MOVE,
    START_MOVE,
    STEAL_UNSEEN,
    TAKE_MOVE,
    steal_move,
)
from rules.games.erbaut_stonehenge.state import ErbautState, cannot_build, is_loot, is_target
from rules.games.erbaut_stonehenge.turn import can_sabotage

DEALER_PHASES = frozenset({DEAL, LAY_OUT, LOT, DEALT, REFILL})


_PLAIN_PROMPTS = {
    DEAL: (Actor.DEALER, "deal", "3.2"),
    LOT: (Actor.DEALER, "lot", "3.2"),
    DEALT: (Actor.DEALER, "dealt", "3.3"),
    PROJECT: (Actor.PLAYER, "project", "3.3"),
    RETURN: (Actor.PLAYER, "return", "ES29"),
}
_BUILD_PROMPTS = {
    FACE_DOWN: "build_reveal", PILLARS_0: "build_pillar", PILLARS_1: "build_pillar",
    PILLARS_2: "build_capstone", MARKED: "build_erect",
}  # fmt: skip


def prompt(state: ErbautState) -> Prompt | None:
    """The decision that is due; None after the end."""
    phase, seat = state.phase, state.turn
    if phase == OVER:
        return None
    if phase in _PLAIN_PROMPTS:
        actor, code, rule = _PLAIN_PROMPTS[phase]
        who = None if phase == LOT else state.giver if phase == RETURN else seat
        return Prompt(actor, who, code, rule)
    if phase in (LAY_OUT, REFILL):
        rule = "3.2" if phase == LAY_OUT else "ES33"
        return Prompt(Actor.DEALER, None, "display", rule)
    if phase == SHOW:
        return Prompt(Actor.TABLE, seat, "show", "3.3", (("site", YARDS[seat]),))
    if phase == BUILD:
        return _asked_to_build(state)
    if phase in (OCCUPY, REVEALED):
        return _asked_to_occupy(state)
    if phase == DRAW:
        open_trilithon = not state.came and is_trilithon(max(state.display, default=NONE))
        code = "draw_trilithon" if open_trilithon else "draw_open" if state.came else "draw"
        return Prompt(Actor.PLAYER, seat, code, "3.3", (("due", state.due),))
    return Prompt(Actor.PLAYER, seat, "end", "ES17")


def _asked_to_build(state: ErbautState) -> Prompt:
    seat = state.turn
    if state.at_altar(seat):
        code = "atone_rise" if state.druid[seat] == LYING else "atone_return"
        return Prompt(Actor.PLAYER, seat, code, "3.7")
    if cannot_build(state, seat):
        card = CARD_NAMES[state.yard[seat]]
        return Prompt(Actor.PLAYER, seat, "give_up", "ES30", (("card", card),))
    if state.stage[seat] == OPEN:
        code = "build_block" if state.druid[seat] < FIRST_D else "build_dolerite"
    else:
        code = _BUILD_PROMPTS[state.stage[seat]]
    where = state.druid[seat]
    site = SITE_NAMES[where] if where >= 0 else YARDS[seat]
    return Prompt(Actor.PLAYER, seat, code, "3.3", (("site", site),))


def _asked_to_occupy(state: ErbautState) -> Prompt:
    seat = state.turn
    card = state.yard[seat]
    named = (("card", CARD_NAMES[card]),)
    if not fitting_sites(state):
        return Prompt(Actor.PLAYER, seat, "give_up", "ES9", named)
    code = "occupy_trilithon" if is_trilithon(card) else "occupy"
    rule = "ES26" if is_trilithon(card) else "3.4"
    return Prompt(Actor.PLAYER, seat, code, rule, named)


def legal_moves(state: ErbautState) -> list[Move]:
    """The right answers: every legal move."""
    found = _OFFERS[state.phase](state)
    if state.influence[state.turn] and can_sabotage(state) and _own_decision(state):
        found += sabotages(state)
    return found


def _own_decision(state: ErbautState) -> bool:
    # ES17: at every decision of one's turn; the discards after a theft are the owner's.
    phase = state.phase
    return phase not in DEALER_PHASES and phase not in (SHOW, RETURN, OVER)


def sabotages(state: ErbautState) -> list[Move]:
    """ES18: every influence card against every player with a project."""
    seat = state.turn
    table, cards = SABOTAGE_MOVE[seat], state.influence[seat]
    return [
        table[other][card]
        for other in range(state.players)
        if other != seat and is_target(state, other)
        for card in cards
    ]


# -- what is dealt and shown ----------------------------------------------------------------


def _hand_draws(state: ErbautState) -> list[Move]:
    row = DEAL_MOVE[state.turn]
    if state.cards.zones is None:
        return [row[card] for card in state.cards.outcomes(open_card=False)]
    unseen = DEAL_UNSEEN[state.turn]
    return [
        unseen if card == HIDDEN else row[card] for card in state.cards.outcomes(open_card=False)
    ]


def _display_draws(state: ErbautState) -> list[Move]:
    return [DISPLAY_MOVE[card] for card in state.cards.outcomes(open_card=True)]


def _lots(state: ErbautState) -> list[Move]:
    return list(START_MOVE[: state.players])


def _shows(state: ErbautState) -> list[Move]:
    row = SHOW_MOVE[state.turn]
    return [row[card] for card in state.cards.may_lie_face_down(state.turn)]


# -- 3.3 Build phase ------------------------------------------------------------------------


def _build(state: ErbautState) -> list[Move]:
    seat = state.turn
    if state.druid[seat] < SUPPLY:
        return [ATONE_MOVE[seat]]
    if cannot_build(state, seat):
        return [DISCARD_MOVE[seat][state.yard[seat]]]
    return [BUILD_MOVE[seat]]


# -- 3.4 Occupying a site -------------------------------------------------------------------


def _sites(state: ErbautState) -> list[Move]:
    seat = state.turn
    if state.stage[seat] >= PILLARS_0:
        free = state.trilithon_free
        if not free:
            # Never by the rules: a druid blocks the last field against them.
            free = sum(1 << i for i, owner in enumerate(state.built[FIRST_T:]) if owner == NONE)
        return list(OCCUPY_TRILITHON[seat][free])
    card = state.yard[seat]
    found: list[Move] = []
    if state.bars[seat] or state.neutral:
        colour = CARD_COLOUR[card]
        found += OCCUPY_RING[seat][colour][state.ring_free[colour]]
    if state.built[card >> 1] != NONE and state.discs[seat]:
        row = OCCUPY_MOVE[seat]
        found += [row[site] for site in state.dolerite_free]
    # ES9: what fits nowhere is given up.
    return found or [DISCARD_MOVE[seat][card]]


def _sites_of_revealed(state: ErbautState) -> list[Move]:
    card = state.yard[state.turn]
    if not is_day(card):
        # A night card laid face down is treated like a card that fits nowhere.
        return [DISCARD_MOVE[state.turn][card]]
    return _sites(state)


def fitting_sites(state: ErbautState) -> list[Move]:
    """The sites offered for the open project of the player whose turn it is."""
    offers = _sites if state.phase != REVEALED else _sites_of_revealed
    return [move for move in offers(state) if move.verb == "occupy"]


# -- 3.3 Draw phase -------------------------------------------------------------------------


def _draws(state: ErbautState) -> list[Move]:
    seat, display = state.turn, state.display
    row = TAKE_MOVE[seat]
    if not state.came:
        if display and display[-1] >= NUMBER_CARDS:
            return [row[card] for card in display if card >= NUMBER_CARDS]
        found = [row[card] for card in display]
        if state.cards.pile_left:
            found.append(DRAW_MOVE[seat])
        return found
    return [row[card] for card in display if card < NUMBER_CARDS]


# -- 3.3 Project phase ----------------------------------------------------------------------


def _projects(state: ErbautState) -> list[Move]:
    seat = state.turn
    if state.cards.zones is None:
        row = PLAY_MOVE[seat]
        ring_free, built = state.ring_free, state.built
        bar = state.bars[seat] or state.neutral
        disc = state.discs[seat] and state.dolerite_free
        found = [
            row[card]
            for card in state.cards.hands[seat]
            if (bar and ring_free[CARD_COLOUR[card]]) or (disc and built[card >> 1] != NONE)
        ] or [BLOCKED_MOVE[seat]]
    else:
        found = _plays_unseen(state, seat)
    if state.cards.hand_size[seat] > 1:
        for other in _loot(state, seat):
            found += _thefts(state, seat, other)
    return found


def _loot(state: ErbautState, seat: int) -> list[int]:
    """The players whose trilithon project ``seat`` may steal and pay for."""
    return [m for m in range(state.players) if m != seat and is_loot(state, m)]


def _plays_unseen(state: ErbautState, seat: int) -> list[Move]:
    row = PLAY_MOVE[seat]
    cards = [card for card in state.cards.hand(seat) if state.fits(seat, card)]
    found = [row[card] for card in cards if not is_day(card)]
    if any(map(is_day, cards)):
        found.append(PLAY_UNSEEN[seat])
    # ES32: that a player is blocked rests on their word, unless it is public knowledge.
    if not any(state.cards.surely_holds(seat, card) for card in cards):
        found.append(BLOCKED_MOVE[seat])
    return found


def pays(hue_paid: int, trilithon: int, card: int) -> bool:
    """3.6: True if a card is a price: the owner's colour or the trilithon's. ES11: no black."""
    return CARD_COLOUR[card] in (hue_paid, CARD_COLOUR[trilithon])


def _thefts(state: ErbautState, seat: int, other: int) -> list[Move]:
    trilithon = state.yard[other]
    cards = [card for card in state.cards.hand(seat) if pays(state.hue[other], trilithon, card)]
    return [steal_move(seat, other, a, b) for a, b in state.cards.pairs(seat, cards)]


def can_pay(state: ErbautState, seat: int, other: int) -> bool:
    """True if ``seat`` may hold two cards that pay for the trilithon project of ``other``."""
    return bool(_thefts(state, seat, other))


def _returns(state: ErbautState) -> list[Move]:
    giver = state.giver
    if state.cards.zones is not None:
        return [DISCARD_UNSEEN[giver]]
    return [DISCARD_MOVE[giver][card] for card in state.cards.hands[giver]]


def _end(state: ErbautState) -> list[Move]:
    return [DONE_MOVE[state.turn]]


def _nothing(state: ErbautState) -> list[Move]:
    return []


_OFFERS: tuple[Callable[[ErbautState], list[Move]], ...] = (
    _hand_draws, _display_draws, _lots, _build, _shows, _sites_of_revealed, _draws, _hand_draws,
    _display_draws, _projects, _sites, _returns, _end, _nothing,
)  # fmt: skip
"""By phase."""


# -- attempts of hands ------------------------------------------------------------------------


def pseudo_moves(state: ErbautState) -> Iterator[Move]:
    """All that players could do now with pieces and cards that may be theirs."""
    phase, turn = state.phase, state.turn
    if phase in (DEAL, DEALT):
        yield from DEAL_MOVE[turn]
        if state.cards.zones is not None:
            yield DEAL_UNSEEN[turn]
    elif phase in (LAY_OUT, REFILL):
        yield from DISPLAY_MOVE
    elif phase == LOT:
        yield from START_MOVE[: state.players]
    elif phase == SHOW:
        yield from SHOW_MOVE[turn]
    elif phase != OVER:
        for seat in range(state.players):
            yield from _tried_by(state, seat, _thefts_tried)


def shown_attempts(state: ErbautState) -> Iterator[Move]:
    """Moves that hands could make in a turn, as far as the table shows: of all prices of a theft
    one stands for all."""
    for seat in range(state.players):
        yield from _tried_by(state, seat, lambda _, seat, other, __: [STEAL_UNSEEN[seat][other]])


_Thefts = Callable[[ErbautState, int, int, list[int]], Iterable[Move]]
"""Thefts of a seat from another one with cards of a hand."""


def _tried_by(state: ErbautState, seat: int, thefts: _Thefts) -> Iterator[Move]:
    yield BUILD_MOVE[seat]
    yield ATONE_MOVE[seat]
    yield DRAW_MOVE[seat]
    yield BLOCKED_MOVE[seat]
    yield DONE_MOVE[seat]
    yield from OCCUPY_MOVE[seat]
    yield from (TAKE_MOVE[seat][card] for card in state.display)
    hand = state.cards.hand(seat)
    if state.cards.zones is None:
        yield from (PLAY_MOVE[seat][card] for card in hand)
        yield from (DISCARD_MOVE[seat][card] for card in hand)
    elif state.cards.hand_size[seat]:
        yield from (PLAY_MOVE[seat][card] for card in hand)
        yield PLAY_UNSEEN[seat]
        yield DISCARD_UNSEEN[seat]
        if state.phase == RETURN and seat == state.giver:
            yield from (DISCARD_MOVE[seat][card] for card in hand)
    if state.stage[seat] == OPEN:
        yield DISCARD_MOVE[seat][state.yard[seat]]
    if state.cards.hand_size[seat] > 1:
        for other in range(state.players):
            if other != seat and state.stage[other] >= PILLARS_0:
                yield from thefts(state, seat, other, hand)
    for card in state.influence[seat]:
        for other in range(state.players):
            if other != seat:
                yield SABOTAGE_MOVE[seat][other][card]


def _thefts_tried(state: ErbautState, seat: int, other: int, hand: list[int]) -> Iterable[Move]:
    moves = dict.fromkeys(_thefts(state, seat, other))
    # On a real table a hand may be any of many cards: so only neighbours in the list, too.
    step = len(hand) if state.cards.zones is None else 2
    for place, first in enumerate(hand):
        for second in hand[place + 1 : place + step]:
            if state.cards.holds(seat, first, second):
                moves[steal_move(seat, other, first, second)] = None
    return moves
