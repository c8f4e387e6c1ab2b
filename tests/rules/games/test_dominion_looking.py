"""Dominion looked at by a camera, and refusals that say no more than the table knows."""

from __future__ import annotations

from rules.box import load_box
from rules.core import Item, Layout, Move
from rules.games.dominion import GAME
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import Glimpse, SiteBelief
from rules.reading.ways_out import ways_out
from rules.testing.pictures import DrawnSighting, draw
from tests.support.dominion_table import Table
from tests.support.scenes.clearing import not_cleared_away

BOX = load_box(GAME.box).for_game(GAME.id)


def _match(*texts: str) -> Match:
    match = Match(GAME, 2, GAME.complete_options(2, {}), physical=True, seed=0)
    for text in ("dealer start p0", *texts):
        match.push(Move.parse(text))
        while (dealt := match.next_chance()) is not None:
            match.push(dealt)
    return match


def _read(match: Match, **sites: str) -> Reading:
    return read(match, _sighting(match, **sites))


def _sighting(match: Match, **sites: str) -> DrawnSighting:
    """A look where the named sites hold these cards, and the others what is recorded."""
    named = {site.replace("_", "-"): cards.split() for site, cards in sites.items()}
    lying: Layout = match.layout.copy()
    for item in [item for item in lying if item.site in named]:
        del lying[item]
    for site, cards in named.items():
        for card in cards:
            lying[Item(site, card)] += 1
    return draw(BOX, lying)


def _played(reading: Reading) -> list[str]:
    assert reading.status is Status.MOVE, reading
    return [move.text for move in reading.moves if move.verb != "draw"]


FOUR = ["p0 play copper"] * 4
SMITHY = Move.parse("p0 buy smithy")


def test_a_bought_card_is_read_while_its_coins_still_lie() -> None:
    look = {"play_p0": "copper copper copper copper", "discard_p0": "smithy"}
    assert _played(_read(_match(), **look)) == [*FOUR, "p0 buy smithy"]


def test_of_a_turn_swept_away_the_likeliest_are_offered_and_its_purchase_tells_with_what() -> None:
    match, look = _match(), {"discard_p0": "copper"}
    sighting = _sighting(match, **look)
    assert _read(match, **look).status is Status.PENDING
    likely, told = ways_out(match, sighting), ways_out(match, sighting, touched=SMITHY)
    assert likely is not None and told is not None
    assert {c.moves[-6].text for c in likely.candidates} >= {"p0 buy silver"}
    assert [c.moves.index(SMITHY) for c in told.candidates] == [4, 5]  # that many coppers


def test_nothing_is_offered_while_something_is_hidden() -> None:
    match = _match()
    sites = dict(_sighting(match, discard_p0="copper").sites)
    sites["play-p0"] = SiteBelief({}, occluded=True)
    assert ways_out(match, DrawnSighting(sites)) is None


def test_hands_that_sweep_late_show_what_they_bought() -> None:
    match = _match(*FOUR)
    lying = not_cleared_away(match, Move.parse("p0 buy smithy"))
    assert lying is not None
    assert _played(read(match, draw(BOX, lying))) == ["p0 buy smithy"]


def test_the_sweep_and_any_card_of_the_owner_on_top_say_nothing_new() -> None:
    match = _match(*FOUR, "p0 buy smithy")
    assert _read(match, play_p0="copper copper").status is Status.SETTLED
    reading = _read(match, discard_p0="estate")
    assert reading.status is Status.SETTLED
    assert set(reading.left) == {"discard-p0"}


def test_what_was_bought_and_swept_away_unseen_is_waited_for() -> None:
    reading = _read(_match(*FOUR), play_p0="", discard_p0="copper", play_p1="copper copper")
    assert reading.status is Status.PENDING


def test_a_sticker_in_doubt_elsewhere_makes_nobody_guess_what_was_bought() -> None:
    match = _match("p0 play copper")
    lying = {"play_p0": "", "discard_p0": "copper", "play_p1": "copper copper"}
    clear = _read(match, **lying)
    assert clear.status is Status.PENDING
    seen = _sighting(match, **lying)
    market = Glimpse("market")
    doubted = SiteBelief({(): -0.7, (market,): -1.2}, floor=-5.0)
    doubtful = read(match, DrawnSighting({**seen.sites, "k9": doubted}))
    assert doubtful.status is Status.PENDING, doubtful


def test_a_card_of_a_fan_that_is_badly_read_may_be_what_brought_another() -> None:
    match = _match(*FOUR, "p0 buy workshop", "p1 done", "p0 done", "p1 done")
    seen = _sighting(match, discard_p0="moat")
    coins = (Glimpse("copper"),) * 2
    fan = SiteBelief({coins: -0.7, (*coins, Glimpse("workshop")): -1.2}, floor=-5.0)
    # If it is a Workshop, what that brought may lie below a bought Moat.
    assert read(match, DrawnSighting({**seen.sites, "play-p0": fan})).status is Status.PENDING


def test_whether_a_moat_was_shown_is_asked_where_nothing_else_tells_it() -> None:
    bought = ["p0 play copper", "p0 play copper", "p0 buy moat", *["p1 play copper"] * 4]
    two_rounds = ["p1 buy militia", "p0 done", "p1 done", "p0 done", "p1 play militia"]
    match = _match(*bought, *two_rounds)
    reading = _read(match, play_p1="militia copper")
    answers = [[m.text for m in c.moves if m.verb != "draw"] for c in reading.candidates]
    assert reading.status is Status.AMBIGUOUS
    assert ["p0 show moat", "p1 play copper"] in answers


SILVER = ["p0 play copper", "p0 play copper", "p0 play copper", "p0 buy silver"]


def test_what_a_workshop_brought_below_a_bought_card_is_waited_for() -> None:
    match = _match(*FOUR, "p0 buy workshop", "p1 done", *SILVER, "p1 done")
    for card in ("market", "village"):  # what a Workshop cannot bring, and what it may have brought
        fan = {"play_p0": "workshop silver copper copper copper", "discard_p0": card}
        assert _played(_read(match, **fan)) == ["p0 play workshop"]
        after = match.clone()
        after.push("p0 play workshop")
        assert _read(after, **fan).status is Status.PENDING
        after.push("p0 gain moat")
        assert f"p0 buy {card}" in _played(_read(after, **fan))
    assert _played(_read(match, play_p0="workshop", discard_p0="village"))[-1] == "p0 gain village"


def test_what_a_cellar_took_below_a_bought_card_is_waited_for() -> None:
    match = _match(
        "p0 play copper", "p0 play copper", "p0 buy cellar", "p1 done", *SILVER, "p1 done"
    )
    fan = {"play_p0": "cellar copper copper copper", "discard_p0": "village"}
    assert _played(_read(match, **fan)) == ["p0 play cellar"]
    match.push("p0 play cellar")
    assert _read(match, **fan).status is Status.PENDING
    match.push("p0 discard estate")
    assert _played(_read(match, **fan)) == ["p0 done", *SILVER[:3], "p0 buy village"]


def test_a_turn_that_still_lies_there_is_not_the_beginning_of_the_next_one() -> None:
    match = _match(*FOUR, "p0 buy workshop", "p1 done", *SILVER, "p1 done")
    reading = _read(match, play_p0="workshop silver copper", discard_p0="moat", play_p1="copper")
    assert reading.status is not Status.ILLEGAL
    assert not any(move.verb == "buy" for move in reading.moves)


def test_in_which_order_coins_were_laid_makes_no_difference() -> None:
    first = [*SILVER, "p1 done", "p0 done", "p1 done"]
    one = _match(*first, "p0 play silver", "p0 play copper", "p0 buy village")
    other = _match(*first, "p0 play copper", "p0 play silver", "p0 buy village")
    assert one.state.to_json() != other.state.to_json()
    assert GAME.inference.essence(one.state) == GAME.inference.essence(other.state)


def test_a_card_taken_first_waits_for_coins_that_its_owner_may_hold() -> None:
    assert _read(_match(), discard_p0="smithy").status is Status.PENDING
    refused = _read(_match(), discard_p0="gold")
    assert [objection.code for objection in refused.objections] == ["too_dear"]


def test_a_card_below_others_of_its_packet_is_recorded_as_unseen() -> None:
    hand = ["p1 play copper", "p1 done", "p0 done", "p1 done"]
    match = _match(*FOUR, "p0 buy militia", *hand)
    match.push(Move.parse("p0 play militia"))
    if any(move.verb == "none" for move in match.legal_moves()):
        match.push(Move.parse("p1 none"))
    unseen = Move.parse("p1 discard ?")
    owned = dict(match.state.seats[1].owned)
    assert unseen in match.legal_moves()
    match.push(unseen)
    match.push(Move.parse("p1 discard estate"))
    assert match.state.seats[1].owned == owned
    assert match.state.seats[1].hand_size() == 3


def test_coins_out_of_turn_are_one_act() -> None:
    reading = _read(_match(), play_p1="copper copper")
    assert [objection.code for objection in reading.objections] == ["wrong_player"]


def test_the_purchase_that_ends_the_match_is_read_while_its_coins_still_lie() -> None:
    match = _match()
    match.state.piles.update(curse=0, estate=0, moat=1)
    match.state.sort_market()
    pile = f"k{match.state.kingdom.index('moat') + 1}"
    seen = _sighting(match, play_p0="copper copper", discard_p0="moat", **{pile: ""})
    reading = read(match, seen)
    assert _played(reading) == ["p0 play copper", "p0 play copper", "p0 buy moat"]
    for move in reading.moves:
        match.push(move)
    assert match.outcome is not None
    assert read(match, seen).status is Status.SETTLED


def _table(*seats: str, cards: str) -> Table:
    """A kingdom with the cards named, filled up with cards that ask nobody."""
    rest = "festival gardens laboratory market smithy village woodcutter adventurer council-room"
    kingdom = list(dict.fromkeys([*cards.split(), *rest.split(), "chancellor"]))[:10]
    return Table(*seats, kingdom=kingdom)


def _objections(table: Table, move: str) -> list[tuple[str, str]]:
    return [(o.rule, o.code) for o in table.state.violations(Move.parse(move))]


def test_cellar_and_chapel_are_not_said_to_demand_a_card() -> None:
    """Any number may be none: ``done`` is the answer, ``none`` only its wrong name."""
    for card in ("cellar", "chapel"):
        table = _table(f"{card} copper×2", "", cards="cellar chapel").play(f"p0 play {card}")
        assert _objections(table, "p0 none") == [(f"8.4-{card}", "answer_first")]
        assert _objections(table, "p0 done") == []


def test_a_hand_without_a_fitting_card_is_not_asked_for_one() -> None:
    """DO13: such a hand answers ``none``; no objection says that a card must be chosen."""
    for card in ("mine", "moneylender", "throne-room"):
        table = _table(f"{card} estate", "", cards="mine moneylender throne-room")
        table.play(f"p0 play {card}")
        assert table.legal == ["p0 none"]
        assert _objections(table, "p0 done") == [(f"8.4-{card}", "answer_first")]


def test_a_hand_without_victory_cards_is_not_asked_for_one() -> None:
    """DO27: it is shown."""
    table = _table("bureaucrat", "copper curse", cards="bureaucrat").play("p0 play bureaucrat")
    assert table.legal == ["p1 show copper,curse"]
    assert _objections(table, "p1 none") == [("8.4-bureaucrat", "answer_first")]


def test_a_must_is_still_named_where_the_hand_can_follow_it() -> None:
    """DO14."""
    table = _table("mine copper", "", cards="mine").play("p0 play mine")
    assert _objections(table, "p0 done") == [("DO14", "not_optional")]
    assert _objections(table, "p0 none") == [("DO14", "must_choose")]


def test_who_answers_out_of_order_is_sent_to_the_page_of_the_card() -> None:
    """In p0's turn p1 answers first; 8.2 alone would say that nobody but p0 is due."""
    table = _table("militia", "copper×4", "gold×4", cards="militia").play("p0 play militia")
    assert _objections(table, "p2 discard gold") == [("8.4-militia", "wrong_player")]
    assert _objections(table, "p0 done") == [("8.4-militia", "wrong_player")]
    feast = _table("feast", "", cards="feast").play("p0 play feast")
    assert _objections(feast, "p1 done") == [("8.4-feast", "wrong_player")]
    naming = GAME.setup(2, GAME.complete_options(2, {"kingdom": "choose"}), physical=False)
    found = naming.violations(Move.parse("p1 kingdom moat"))
    assert [(o.rule, o.code) for o in found] == [("DO11", "wrong_player")]


def test_out_of_turn_without_a_question_cites_the_turn() -> None:
    table = _table("copper", "copper", cards="moat")
    assert _objections(table, "p1 done") == [("8.2", "wrong_player")]
