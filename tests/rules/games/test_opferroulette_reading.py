"""Opferroulette looked at by a camera, and the rules that refusals cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from rules.box import load_box
from rules.core import Item, Layout, Move
from rules.games.opferroulette import GAME
from rules.games.opferroulette.runs import Picture
from rules.games.opferroulette.state import OpferrouletteState
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import Glimpse, SiteBelief, looks
from rules.testing.pictures import DrawnSighting, draw
from tests.support.opferroulette_table import position
from tests.support.rulings import play

BOX = load_box(GAME.box).for_game(GAME.id)


def begun() -> Match:
    """Two players, ball on 6 facing clockwise, n30 turned for the last fall, p0 to move."""
    match = Match(GAME, 2, physical=True)
    cards = [*(f"d{n}" for n in range(1, 11)), *(f"n{n}" for n in range(1, 11))]
    for number, card in enumerate(cards):
        match.push(f"dealer offer p{number // 10} {card}")
    for number in range(20, 30):
        match.push(f"dealer offer neutral d{number}")
    match.push("dealer ball d30")
    match.deal()
    match.push("dealer start p1")
    for text in ("p1 roll-fall d6", "dealer turn n30"):
        match.push(text)
    match.deal()
    return match


def layout_after(match: Match, moves: Sequence[str]) -> Layout:
    after = match.clone()
    for text in moves:
        after.push(text)
    return after.layout


def seen(match: Match, layout: Layout) -> Reading:
    return read(match, draw(BOX, layout))


def told(reading: Reading) -> list[str]:
    return [move.text for move in reading.moves if "draw" not in move.text]


def pushed_together(layout: Layout, top: str) -> Layout:
    rest = {item: n for item, n in layout.items() if item.site != "discard-pile"}
    return Counter({**rest, Item("discard-pile", f"card {top}"): 1})


@pytest.mark.parametrize(
    "moves",
    [
        ["p0 roll d5"],
        ["p0 roll d5", "p0 roll d23", "p0 roll n29"],
        ["p0 reverse t-red", "p0 roll n16"],
        ["p0 roll d5", "p0 reverse t-blue"],
        ["p0 roll-fall d11", "dealer turn n3"],
        ["p0 roll d5", "p0 fall n29", "dealer turn t-green"],
        ["p0 roll d3", "p0 done", "dealer draw p0 ?", "p1 roll n16"],
    ],
)
def test_cards_that_lie_side_by_side_tell_the_whole_turn(moves: list[str]) -> None:
    match = begun()
    reading = seen(match, layout_after(match, moves))
    assert reading.status is Status.MOVE
    trial = match.clone()
    for move in reading.moves:
        trial.push(move)
    after = match.clone()
    for text in moves:
        after.push(text)
    assert looks(trial.layout) == looks(after.layout)
    assert Counter(told(reading)) == Counter(text for text in moves if "draw" not in text)


def test_a_pile_that_was_pushed_together_is_right_too() -> None:
    match = begun()
    assert seen(match, pushed_together(match.layout, "n30")).status is Status.SETTLED
    layout = pushed_together(layout_after(match, ["p0 roll d5"]), "d5")
    assert told(seen(match, layout)) == ["p0 roll d5"]


def test_a_covered_card_is_asked_for_among_those_that_fit() -> None:
    match = begun()
    moves = ["p0 roll-fall d11", "dealer turn n3"]
    reading = seen(match, pushed_together(layout_after(match, moves), "n3"))
    assert reading.status is Status.AMBIGUOUS
    asked = [[move.text for move in c.moves if "draw" not in move.text] for c in reading.candidates]
    assert moves in asked and len(asked) <= 4


def test_a_card_whose_ball_has_still_to_roll_is_no_offence() -> None:
    match = begun()
    early = layout_after(match, [])
    early[Item("discard-pile", "card d5")] = 1
    reading = seen(match, early)
    assert reading.status is Status.PENDING and not reading.refused


def test_a_fall_without_a_roll_is_refused() -> None:
    match = begun()
    forced = match.clone()
    for text in ("p0 fall d5", "dealer turn n3"):
        forced.force(text)
    reading = seen(match, forced.layout)
    assert reading.status is not Status.MOVE


def test_offerings_are_laid_by_all_at_once() -> None:
    match = Match(GAME, 3, physical=True)
    layout: Layout = Counter()
    for seat, pits in enumerate((("4-day", "9-night"), ("7-day",), ("30-night", "1-day"))):
        colour = GAME.colours(3, {})[seat]
        layout.update(Item(pit, f"disc {colour}", seat) for pit in pits)
    reading = seen(match, layout)
    assert reading.status is Status.MOVE
    assert sorted(told(reading)) == ["dealer offer p0 d4", "dealer offer p0 n9"]


def with_pile(match: Match, *cards: str, against: Sequence[str]) -> DrawnSighting:
    """The table of a match with ``cards`` on its discard pile, or perhaps ``against``."""
    sites = dict(draw(BOX, match.layout).sites)
    likely, other = (
        tuple(sorted(Glimpse(f"card {card}") for card in each)) for each in (cards, against)
    )
    sites["discard-pile"] = SiteBelief({likely: -0.4, other: -1.6}, floor=-5.0)
    return DrawnSighting(sites)


def test_a_card_that_the_record_never_had_is_hardly_supposed_below_others() -> None:
    match = begun()
    picture = Picture(match.state, with_pile(match, "d6", "n30", against=("d1", "d6", "n30")).sites)
    assert [picture.supposed(cards) for _, cards in picture.cards] == [0, 1]


def test_backs_that_show_on_the_draw_pile_leave_nothing_open() -> None:
    match = begun()
    after = match.clone()
    after.push("p0 roll d5")
    sites = dict(draw(BOX, after.layout).sites)
    sites["draw-pile"] = SiteBelief({(Glimpse("card back"),): 0.0, (): -0.3})
    lying = sites["discard-pile"].best
    below = tuple(sorted([*lying, Glimpse("card d1")]))
    sites["discard-pile"] = SiteBelief({lying: 0.0, (): -0.3, below: -0.5})
    assert told(read(match, DrawnSighting(sites))) == ["p0 roll d5"]


def test_a_card_that_is_badly_seen_is_asked_for() -> None:
    match = begun()
    after = match.clone()
    for text in ("p0 roll-fall d11", "dealer turn n3"):
        after.push(text)
    both = with_pile(after, "d6", "n30", "n11", "n3", against=("d6", "n30", "d11", "n3"))
    reading = read(match, both)
    assert reading.status is Status.AMBIGUOUS
    asked = [next(move.text for move in each.moves) for each in reading.candidates]
    assert asked[:2] == ["p0 roll-fall n11", "p0 roll-fall d11"]


def laid_out(players: int) -> Match:
    """The set-up with one offering to come: that of p0 for his white trilithon card."""
    match = Match(GAME, players, physical=True)
    cards = ["t-white", *(f"d{n}" for n in range(1, 31)), *(f"n{n}" for n in range(1, 20))]
    for number, card in enumerate(cards[: 10 * players]):
        match.push(f"dealer offer p{number // 10} {card}")
    return match


@pytest.mark.parametrize("players", [3, 5])
def test_the_last_offering_is_recorded_before_it_is_asked_who_began(players: int) -> None:
    match, after = laid_out(players), laid_out(players)
    for text in ("p0 offer 30-night", "dealer ball n25"):
        after.push(text)
    after.deal()
    after.push("dealer start p2")
    after.push("p2 roll n29")
    first = seen(match, after.layout)
    assert first.status is Status.MOVE and told(first) == ["p0 offer 30-night"]
    match.push("p0 offer 30-night")
    second = seen(match, after.layout)
    if players == 3:
        starts = {move for each in second.candidates for move in each.moves if move.verb == "start"}
        assert second.status is Status.AMBIGUOUS and len(starts) == 3
    else:
        # With five who may have begun, a question would lack one of them.
        assert second.status is Status.PENDING


def test_an_offering_on_one_of_the_same_colour_is_waited_for() -> None:
    match = laid_out(3)
    layout = layout_after(match, ["p0 offer 1-day", "dealer ball n25"])
    assert seen(match, layout).status is Status.PENDING


def test_cards_that_were_shuffled_into_a_new_pile_are_waited_for() -> None:
    match = begun()
    deck = match.state.deck
    while deck.pile_size > 1:
        deck.draw(0, None)
    moves = ["p0 roll-fall d11", "dealer turn n3", "p1 roll-fall n12", "dealer turn d6"]
    after = match.clone()
    for text in moves:
        after.push(text)
    assert [item.kind for item in after.layout if item.site == "discard-pile"] == ["card d6"]
    assert seen(match, after.layout).status is Status.PENDING


def test_the_last_card_is_told_before_a_new_pile_is_made() -> None:
    match = begun()
    deck = match.state.deck
    while deck.pile_size > 1:
        deck.draw(0, None)
    turned = layout_after(match, ["p0 roll-fall d11", "dealer turn n3"])
    reading = seen(match, turned)
    assert [move.text for move in reading.moves] == ["p0 roll-fall d11", "dealer turn n3"]


def _objections(state: OpferrouletteState, move: str) -> list[tuple[str, str]]:
    return [(o.rule, o.code) for o in state.violations(Move.parse(move))]


def test_a_second_colour_is_refused_by_the_rule_of_one_colour() -> None:
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll n2") == [("6.3", "other_colour")]
    assert _objections(state, "p0 fall n2") == [("6.3", "other_colour")]


def test_or1_is_cited_where_black_is_one_of_the_two_colours() -> None:
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll n6") == [("OR1", "other_colour")]
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll n6")
    assert _objections(state, "p0 roll d5") == [("OR1", "other_colour")]


def test_a_card_of_another_colour_is_not_said_to_roll() -> None:
    """The sentence of ``other_number`` ends with: the card may roll the ball."""
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll-fall n2") == [("6.3", "other_colour")]
