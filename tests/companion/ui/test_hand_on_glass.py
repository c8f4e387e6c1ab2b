"""The hand one plays from lies on the screen: first what, then where, and what it costs before."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.match.view import TableState
from companion.presentation.words.sentences import teller_of
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.in_sight import out_of_sight
from tests.support.one_finger import Hand
from tests.support.picking import card_row
from tests.support.ui_harness import badly_set, key, tap, tap_on, texts, tick
from tests.support.ui_harness import touch_place as touch


def placing(players: int, code: str = "place", seed: int = 3) -> Match:
    match, chance = Match("trilithen_knallen", players, seed=seed), random.Random(seed)
    match.deal()
    while match.prompt is None or match.prompt.code != code:
        match.push(pick(match.state, match.legal_moves(), chance))
        match.deal()
    return match


@pytest.fixture
def hand(opened: Opened[Hand]) -> Hand:
    """Three players; who is asked has one trilithon, and a card that reaches two places."""
    found = opened(Hand(placing(3)))
    found.deal()
    return found


def card(hand: Hand, *, reaching: int) -> str:
    row = card_row(hand.screen)
    return str(next(c for c in row.hand.cards if len(row.hand.leads(c)) == reaching))


def touch_card(hand: Hand, name: str) -> None:
    row = card_row(hand.screen)
    x, y, width, height = row.cells[name]
    tap(*row.to_window(x + width / 2, y + height / 2))
    tick(2)


def touch_place(hand: Hand, site: str) -> None:
    touch(hand.screen.board, site)
    tick(2)


def test_a_card_is_lifted_and_only_its_places_glow(hand: Hand) -> None:
    name = card(hand, reaching=2)
    everywhere = hand.screen.board.scene.targets
    touch_card(hand, name)
    scene, row = hand.screen.board.scene, card_row(hand.screen)
    goals = {hand.screen.view.places[move][-1] for move in row.hand.leads(name)}
    assert row.hand.lifted == name
    assert scene.targets == goals < everywhere
    assert {*scene.labels.values()} == {move.args[-1] for move in row.hand.leads(name)}
    assert f"Kostet Tag {name[1:]}" in texts(hand.screen), "what it costs is said before"
    touch_place(hand, min(goals))
    assert hand.table.match.log[-1].move.args[1] == name


def test_a_lifted_card_goes_back_with_a_touch_and_another_takes_its_place(hand: Hand) -> None:
    first, ply = card(hand, reaching=2), hand.table.match.ply
    touch_card(hand, first)
    other = next(c for c in card_row(hand.screen).hand.able if c != first)
    touch_card(hand, other)
    assert card_row(hand.screen).hand.lifted == other
    touch_card(hand, other)
    assert not card_row(hand.screen).hand.lifted and hand.table.match.ply == ply


def test_a_place_that_is_touched_first_shows_the_card_it_would_cost(hand: Hand) -> None:
    """A second touch spends it."""
    view, ply = hand.screen.view, hand.table.match.ply
    ways: dict[str, list[Any]] = {}
    for move, places in view.places.items():
        ways.setdefault(places[-1], []).append(move)
    site, (move,) = next((s, found) for s, found in ways.items() if len(found) == 1)
    touch_place(hand, site)
    assert hand.table.match.ply == ply, "one touch spends nothing"
    assert card_row(hand.screen).hand.lifted == move.args[1]
    touch_place(hand, site)
    assert hand.table.match.log[-1].move == move


def test_a_card_lifted_after_a_place_that_it_does_not_reach_shows_its_own(hand: Hand) -> None:
    match, fingers = hand.table.match, hand.screen.fingers
    while len({places[0] for places in hand.screen.view.places.values()}) < 2:
        # Until there is more than one trilithon to move.
        match.push(pick(match.state, match.legal_moves(), random.Random(match.ply)))
        hand.deal()
    row = card_row(hand.screen).hand
    reach = {name: {hand.screen.view.places[m][-1] for m in row.leads(name)} for name in row.able}
    held = 0
    for name in sorted(name for name, sites in reach.items() if sites):
        for site in sorted(set().union(*reach.values()) - reach[name]):
            hand.screen.let_go()
            fingers.touch_card(name)
            fingers.touch_site(site)
            held += fingers.picked.sites == (site,) and fingers.hand.lifted != name
            if fingers.hand.lifted != name:
                fingers.touch_card(name)
            assert fingers.hand.lifted == name and hand.screen.board.scene.targets
    assert held


def test_a_card_that_fits_nowhere_is_dim_and_says_why(opened: Opened[Hand]) -> None:
    for seed in range(20):
        hand = opened(Hand(placing(5, seed=seed)))
        hand.deal()
        row = card_row(hand.screen)
        idle = [c for c in row.hand.cards if c not in row.hand.able]
        if idle:
            break
    assert row.feet[idle[0]][0] in ("besetzt", "steht dort")
    touch_card(hand, idle[0])
    assert row.hand.why_idle(idle[0]) is not None
    assert card_row(hand.screen).hand.refused == idle[0]
    assert badly_set(hand.screen) == []


def test_a_covered_screen_shows_no_card(hand: Hand) -> None:
    tap_on(key(hand.screen, "Verdecken"))
    tick(2)
    assert card_row(hand.screen) is None
    assert out_of_sight(hand.screen, hand.table.match)


# -- a slip of a finger -----------------------------------------------------------------------


def druids() -> Match:
    match, chance = Match("dolmengoetter", 2, seed=1), random.Random(1)
    match.deal()
    while match.prompt is None or match.prompt.code != "action":
        match.push(pick(match.state, match.legal_moves(), chance))
        match.deal()
    return match


def test_a_slip_on_glass_is_one_line_and_the_next_right_touch_is_the_answer(
    opened: Opened[Hand],
) -> None:
    """The finger keeps what it holds; nothing is red, and nothing asks to be played anyway."""
    hand = opened(Hand(druids()))
    hand.deal()
    view, ply = hand.screen.view, hand.table.match.ply
    move = next(m for m in view.legal if m.verb == "walk")
    start, goal = move.args
    far = next(
        site for site in hand.screen.board.scene.box.sites
        if site[0] == "X" and not any(m.args[-1] == site for m in view.legal)
    )  # fmt: skip
    touch_place(hand, start)
    hand.screen.fingers.touch_site(far)
    tick(2)
    scene, told = hand.screen.board.scene, texts(hand.screen)
    assert hand.screen.view.state is TableState.SETTLED and not scene.wrong
    assert hand.screen.view.objections and "Trotzdem" not in told
    objection = hand.screen.view.objections[0]
    assert teller_of(hand.screen.view, "de").objection(objection).title in told
    assert scene.picked == {start} and goal in scene.targets
    touch_place(hand, goal)
    assert hand.table.match.ply > ply and hand.table.match.log[ply].move == move
    assert not hand.screen.view.objections


def test_a_question_at_a_touched_place_stays_through_a_slip(opened: Opened[Hand]) -> None:
    match = Match("knizia_stonehenge", 2)
    for text in ("p0 place 5 A", "p0 done"):
        match.push(text)
    hand = opened(Hand(match))
    hand.deal()
    touch_place(hand, "D")
    asked = hand.screen.fingers.offer
    touch_place(hand, "A")
    assert hand.screen.view.objections and hand.screen.slips.seen
    assert asked is not None and hand.screen.fingers.offer == asked
    touch_place(hand, "H")
    assert hand.screen.fingers.picked.sites == ("H",)


def test_with_real_pieces_it_is_an_offence_and_a_right_touch_still_answers_it(
    opened: Opened[Hand],
) -> None:
    match = Match("dolmengoetter", 2, physical=True)
    for text in ("dealer start p0", "p0 druid U1"):
        match.push(text)
    hand = opened(Hand(match))
    hand.deal()
    touch_place(hand, "U1")
    assert hand.screen.view.state is TableState.ILLEGAL
    assert key(hand.screen, "Trotzdem") is not None
    assert "U3" in hand.screen.board.scene.targets
    touch_place(hand, "U3")
    assert match.log[-1].move.text == "p1 druid U3"
