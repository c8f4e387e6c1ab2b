"""Cards chosen in the picker: what they may mean, what may be added, and why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.match.hands import hand_of
from companion.match.view import TableState
from companion.presentation.cards import Picking, card_plan, is_only_cards, picking_of
from companion.presentation.hand_cards import HandCards, hand_cards
from companion.ui.shell import Ways
from rules.games import game_ids
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.ui_harness import (
    LANGS,
    FakeTable,
    OnScreen,
    badly_set,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)


def match_of(game: str, players: int, moves: Sequence[str] = (), *, seed: int = 0) -> Match:
    """A match with real pieces; what says nothing is dealt in between."""
    match = Match(game, players, physical=True, seed=seed)
    match.deal()
    for move in moves:
        match.push(move)
        match.deal()
    return match


def picking(match: Match, *cards: str) -> Picking:
    found = picking_of(view_of(match))
    assert found is not None
    for card in cards:
        assert card in found.possible, card
        found = found.touch(card)
    return found


def told(found: Picking) -> list[list[str]]:
    return [[move.text for move in entry] for entry in found.entries]


RING = [
    f"dealer offer p{seat} {suit}{number}"
    for seat, suit, first in ((0, "d", 1), (1, "d", 11), (2, "n", 1))
    for number in range(first, first + 10)
]


def test_the_plan_follows_the_board() -> None:
    plan = card_plan("stonehenge_anthology")
    assert plan is not None and plan.columns == 6
    assert [(len(suit.cards), suit.light) for suit in plan.suits] == [(30, True), (30, False)]
    signs = [plan.kinds[card].signed for card in plan.suits[0].cards[5:8]]
    assert signs == ["black", "white", "blue"]
    assert len(plan.others) == 5
    boxes = {view_of(Match(game, 2)).box for game in game_ids() if game != "erbaut_stonehenge"}
    assert {box for box in boxes if card_plan(box) is not None} == {"stonehenge_anthology"}


def test_a_hand_that_is_dealt_is_entered_at_once() -> None:
    match = match_of("opferroulette", 3)
    assert is_only_cards(view_of(match, TableState.BLIND))
    assert not is_only_cards(view_of(match)), "a camera looks at the board"
    found = picking(match, *(f"d{number}" for number in range(1, 11)))
    assert found.wanted == 10 and not found.possible
    (entry,) = found.entries
    assert [move.text for move in entry] == [f"dealer offer p0 d{n}" for n in range(1, 11)]
    for move in entry:
        match.push(move)
    refused = picking(match).why_not("d3")
    assert refused is not None and refused.code == "already_drawn"


def test_cards_entered_one_by_one_count_among_all_of_their_showing() -> None:
    match = match_of("opferroulette", 3, RING[:5])
    found = picking_of(replace(view_of(match), told=tuple(entry.move for entry in match.log)))
    assert found is not None
    assert (found.entered, found.wanted) == (5, 5)
    first = picking_of(view_of(match_of("opferroulette", 3)))
    assert first is not None and first.entered == 0


def test_cards_of_one_colour_are_rolled_one_after_the_other() -> None:
    match = match_of("opferroulette", 3, [*RING, "dealer ball n12", "dealer start p0"])
    assert not is_only_cards(view_of(match, TableState.BLIND))
    two = picking(match, "d5", "d11")
    assert told(two) == [
        ["p0 roll d5", "p0 fall d11"], ["p0 roll d5", "p0 roll d11"],
    ]  # fmt: skip
    three = two.touch("n29")
    assert ["p0 roll d5", "p0 roll d11", "p0 roll-fall n29"] in told(three)
    assert not three.one_by_one and not three.wanted
    refused = two.why_not("d2")
    assert refused is not None and refused.code == "other_colour"
    # The first one left out again: what rested on it goes with it only if it must.
    assert two.touch("d5").chosen == ("d11",)
    assert three.back().chosen == two.chosen


def test_a_touch_says_everything_where_one_card_came() -> None:
    match = match_of(
        "opferroulette", 3,
        [*RING, "dealer ball n12", "dealer start p0", "p0 roll d5", "p0 fall d11"],
    )  # fmt: skip
    assert is_only_cards(view_of(match, TableState.BLIND)) and picking(match).one_by_one


def test_several_cards_of_one_move_and_what_is_said_besides() -> None:
    match = match_of("hoher_rat", 2, ["dealer start p0"])
    coloured = picking(match, "d1", "d7", "d6")
    assert told(coloured) == [["p0 discuss d1,d6,d7"]]
    black = picking(match, "d6", "d12")
    assert [entry[0].args[1] for entry in black.entries] == [
        "white", "blue", "green", "yellow", "red",
    ]  # fmt: skip
    trilithon = picking(match, "t-white")
    assert trilithon.asked_parts == ("white", "blue", "green", "yellow", "red")
    assert told(trilithon.say("green").say("green")) == [["p0 discuss t-white green,green"]]
    assert "d2" not in picking(match, "d1").possible
    refused = picking(match, "d1").why_not("d2")
    assert refused is not None


# -- a dealt hand beside the board ----------------------------------------------------------------


def dealt(game: str, players: int, wanted: Callable[[HandCards], bool]) -> tuple[Match, HandCards]:
    """The first position of a match in which the hand of whoever is to move is as ``wanted``."""
    match, random = Match(game, players, seed=1), Random(game)
    match.deal()
    while True:
        hand = hand_of_mover(match)
        if hand is not None and wanted(hand):
            return match, hand
        match.push(pick(match.state, match.legal_moves(), random))
        match.deal()


def hand_of_mover(match: Match) -> HandCards | None:
    view = view_of(match)
    assert view.prompt is not None and view.prompt.player is not None
    return hand_cards(view, [card for card, _ in hand_of(match, view.prompt.player).things])


def test_a_card_of_a_hand_plays_its_only_move_or_asks_which() -> None:
    match, hand = dealt("opferroulette", 3, lambda hand: len(hand.able) > 2)
    assert set(hand.cards) >= hand.able and not hand.begun
    by_card = {card: hand.touch(card) for card in hand.able}
    for card, after in by_card.items():
        moves = [move for move in match.legal_moves() if move.args[:1] == (card,)]
        assert after.meant == (moves[0] if len(moves) == 1 else None)
        assert sorted(map(str, after.moves)) == sorted(map(str, moves))
    first, second = sorted(hand.able)[:2]
    assert by_card[first].touch(second).picking.chosen == (second,), "another is taken instead"
    assert not by_card[first].touch(first).begun


def test_a_card_that_cannot_be_played_says_why() -> None:
    _match, hand = dealt("opferroulette", 3, lambda hand: hand.able < set(hand.cards))
    dim = min(set(hand.cards) - hand.able)
    refused = hand.touch(dim)
    assert refused.refused == dim and refused.objection is not None and refused.meant is None


def test_cards_of_one_move_are_taken_together_and_colours_said_besides() -> None:
    _match, hand = dealt("hoher_rat", 4, lambda hand: hand.picking.sets)
    together = [move for move in hand.picking.moves if move.args[0].count(",") == 1]
    both = next(move for move in together if len(move.args) == 1)
    first, second = both.args[0].split(",")
    hand = hand.touch(first)
    assert hand.meant is None and second in hand.picking.possible
    assert both in hand.touch(second).moves or both == hand.touch(second).meant


def test_with_real_cards_nothing_of_a_hand_is_shown() -> None:
    match = match_of("opferroulette", 3, [*RING, "dealer ball n12", "dealer start p0"])
    assert hand_cards(view_of(match), []) is None


@pytest.mark.parametrize("text", ["normal", "largest"])
@pytest.mark.parametrize("lang", LANGS)
def test_every_key_that_says_what_cards_mean_is_in_sight(
    lang: str, text: str, opened: Opened[OnScreen]
) -> None:
    """Across, where the column is low: a finger would have to find out that keys scroll."""
    window = opened(OnScreen(lang=lang, text=text))
    from companion.ui.screens.play.screen import PlayScreen
    from companion.ui.widgets.base import Key
    from companion.ui.widgets.sheet import Column

    def asks_twice(hand: HandCards) -> bool:
        return any(hand.touch(card).parts for card in hand.able)

    match, hand = dealt("hoher_rat", 2, asks_twice)
    table = FakeTable(match)
    screen = window.put(PlayScreen(table.post, Ways(hand=table.hand), **window.room), 0)
    screen.show(view_of(match))
    screen.uncover()
    asked = next(card for card in hand.cards if hand.touch(card).parts)
    for part in (False, True):
        if part:
            tap_on(next(w for w in walk(screen) if hasattr(w, "part")))
        else:
            screen.fingers.touch_card(asked)
        tick(2)
        listing = next(w for w in walk(screen) if isinstance(w, Column) and w.listing)
        assert len([w for w in walk(listing) if isinstance(w, Key)]) >= 5
        assert listing.scroll is None, texts(listing)
        assert badly_set(screen) == []


@pytest.mark.parametrize("lang", LANGS)
def test_a_card_of_the_council_says_its_seat_what_that_brings_and_if_it_is_taken(
    lang: str, opened: Opened[OnScreen]
) -> None:
    window = opened(OnScreen(lang=lang))
    from companion.ui.screens.play.screen import PlayScreen
    from companion.ui.widgets.pressed_cards import CardRow

    def mixed(hand: HandCards) -> bool:
        numbers = [card for card in hand.cards if not card.startswith("t-")]
        return bool(hand.placed) and any(not hand.leads(card) for card in numbers)

    match, hand = dealt("hoher_rat", 2, mixed)
    table = FakeTable(match)
    screen = window.put(PlayScreen(table.post, Ways(hand=table.hand), **window.room), 0)
    screen.show(view_of(match))
    screen.uncover()
    tick(2)
    (row,) = (w for w in walk(screen) if isinstance(w, CardRow))
    for card in hand.cards:
        own = f"{'Sitz' if lang == 'de' else 'Seat'} {card[1:]}"
        if card.startswith("t-"):
            continue
        if any(move.args[1] == card[1:] for move in hand.leads(card)):
            assert row.feet[card][0].startswith(own)
        elif not hand.leads(card):
            assert row.feet[card][0] == ("besetzt" if lang == "de" else "taken")
