"""Things that may lie there for the moment, where hands have not finished."""

from __future__ import annotations

from collections.abc import Sequence

from rules.games.trilithen_knallen.components import (
    DISCARDS,
    HUES,
    NOBODY,
    PILE,
    RING,
    SPOT,
    STEP,
    TRACK,
    TRACK_START,
    front,
)
from rules.games.trilithen_knallen.placing import fitting_cards
from rules.games.trilithen_knallen.ramming import strike
from rules.games.trilithen_knallen.seen import DAY, FACE, TRILITHON
from rules.games.trilithen_knallen.state import FREE, Phase, TrilithenState

_TURNING = (Phase.FLIP, Phase.SHOW, Phase.SWAP)

_PLACE_AT = {site: place for place, site in enumerate(TRACK)}


def may_lie(state: TrilithenState, site: str, kinds: Sequence[str]) -> bool:
    """True if hands that have not finished may have left this."""
    if site.endswith("-area"):
        # Points, lives and hands, in whatever order people like.
        return True
    if site in SPOT:
        return _may_still_lie_up(state, SPOT[site], kinds)
    if site == PILE:
        # TK16: the discards are just being shuffled.
        return not kinds and not state.deck.discards
    if site == TRACK_START:
        return _may_wait(state, kinds)
    place = _PLACE_AT.get(site)
    return place is not None and (
        _may_not_have_moved(state, place, kinds) or _may_be_on_its_way(state, place, kinds)
    )


def begins(state: TrilithenState, site: str, kinds: Sequence[str]) -> bool:
    """True if it may be a ``place`` half done: the trilithon in the hand, the card on the pile, or
    the card still in the hand; or the end of a ram: its cards are turned back one by one."""
    if site == DISCARDS and _card_may_follow(state, kinds):
        return True
    if state.phase is Phase.FLIP and state.physical:
        if site in SPOT:
            turned = dict(enumerate(state.up)).get(SPOT[site], False)
            return bool(turned) and [*kinds] == ["card back"]
        return not kinds and _PLACE_AT.get(site) in _moving(state)
    if state.phase is not Phase.PLACE:
        return False
    if site == DISCARDS:
        return _card_may_be_played(state, kinds)
    place = _PLACE_AT.get(site)
    if kinds or place is None:
        return False
    standing = state.ring[place]
    return standing in state.placeable(state.turn) and state.place_of[standing] == place


def _moving(state: TrilithenState) -> set[int]:
    """5.9: places of trilithons that ride when cards were turned up and back, or are struck."""
    after = state.clone()
    strike(after)
    struck = {before for before, now in zip(state.place_of, after.place_of, strict=True)
              if before != now}  # fmt: skip
    return {state.place_of[state.rammer], state.place_of[state.target], *struck}


def _may_still_lie_up(state: TrilithenState, spot: int, kinds: Sequence[str]) -> bool:
    """The cards of a turn are turned back by and by."""
    card = FACE.get(kinds[0]) if len(kinds) == 1 else None
    if card is None or spot not in state.turned_back or card != state.card[spot]:
        return False
    # One that fits a ram to come may well have been turned up anew.
    return all(
        state.bars[front(state.place_of[colour], way)] != card % HUES
        for colour, way, _, _ in state.rams
    )


def _card_may_follow(state: TrilithenState, kinds: Sequence[str]) -> bool:
    """A card that follows its trilithon; until then there lies the one before it, or none."""
    discards = state.deck.discards
    if not state.placed:
        return False
    before = discards[-2:-1]
    return [DAY.get(kind) for kind in kinds] == before


def _card_may_be_played(state: TrilithenState, kinds: Sequence[str]) -> bool:
    card = DAY.get(kinds[0]) if kinds else None
    if card is None or card in state.deck.discards:
        return False
    return state.deck.holds(state.turn, card) and card in fitting_cards(state)


def _may_wait(state: TrilithenState, kinds: Sequence[str]) -> bool:
    """Trilithons beside the track: those that wait, some of them in a hand, and lifted ones."""
    lifted = state.placeable(state.turn) if state.phase is Phase.PLACE else []
    colours = [TRILITHON.get(kind, NOBODY) for kind in kinds]
    return all(c in lifted or state.place_of[c] < 0 for c in colours if c != NOBODY)


def _may_be_on_its_way(state: TrilithenState, place: int, kinds: Sequence[str]) -> bool:
    """TK35: the rammer anywhere on its way while cards are turned."""
    if not state.right or state.rammer == NOBODY or state.phase not in _TURNING:
        return False
    gone = (place - state.place_of[state.rammer]) * STEP[state.direction] % RING
    if not kinds:
        return not gone
    return 0 < gone < len(state.needed) and [TRILITHON.get(k) for k in kinds] == [state.rammer]


def _may_not_have_moved(state: TrilithenState, place: int, kinds: Sequence[str]) -> bool:
    """A trilithon that a ram has moved, and hands have not yet."""
    if not state.moved_from:
        return False
    if not kinds:
        standing = state.ring[place]
        return standing != FREE and state.moved_from[standing] != state.place_of[standing] == place
    colours = [TRILITHON.get(kind, NOBODY) for kind in kinds]
    return len(colours) == 1 and colours[0] != NOBODY and state.moved_from[colours[0]] == place
