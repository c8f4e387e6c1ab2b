"""Erbaut Stonehenge!: what a picture tells of the moves, and what may lie where for a moment."""

from __future__ import annotations

from collections.abc import Mapping

from rules.box import load_box
from rules.games.erbaut_stonehenge import GAME
from rules.games.erbaut_stonehenge.components import COLOURS
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import Glimpse, Look, looks
from rules.testing.pictures import DrawnSighting, clear, draw
from rules.testing.playout import random_match

BOX = load_box(GAME.box).for_game(GAME.id)
PLAYED = (
    "dealer start p0", "p0 play n3", "p0 occupy 3", "p1 play ?", "p2 play n14", "p2 occupy 14",
)  # fmt: skip
TRILITHON = (
    "p0 build", "p0 take t-red", "dealer draw display n1", "p0 occupy T1", "p1 build",
    "table show C2 d9", "p1 occupy 9", "p2 build", "p2 draw", "dealer draw p2 ?", "p2 play n15",
    "p2 occupy 15", "p0 build",
)  # fmt: skip


def _match(*moves: str, display: str = "n25 n26 n27") -> Match:
    match = Match(GAME, 3, physical=True)
    match.deal()
    for card in display.split():
        match.push(f"dealer draw display {card}")
    for move in (*PLAYED, *moves):
        match.push(move)
        match.deal()
    return match


def _after(match: Match, *moves: str) -> Match:
    ahead = match.clone()
    for move in moves:
        ahead.push(move)
        ahead.deal()
    return ahead


def _kinds(*kinds: str) -> Look:
    return tuple(sorted(Glimpse(k, "standing" if "figure" in k else "") for k in kinds))


def _seen(match: Match, changed: Mapping[str, Look], ahead: Match | None = None) -> Reading:
    sites = dict(draw(BOX, (ahead or match).layout).sites)
    sites |= {site: clear(look) for site, look in changed.items()}
    return read(match, DrawnSighting(sites))


def _read(match: Match, ahead: Match) -> list[str]:
    reading = _seen(match, {}, ahead)
    assert reading.status is Status.MOVE
    return [move.text for move in reading.moves if move.player is not None]


def test_what_really_happened_is_never_left_out() -> None:
    for seed in range(3):
        real = Match(GAME, 3, physical=True)
        for match, _, move in random_match(GAME, 3, GAME.complete_options(3, {}), seed):
            for shown in match.state.shown(move):
                before = real.clone()
                real.push(shown)
                seen = looks(real.layout)
                boards = {site: [seen.get(site, ())] for site in BOX.sites}
                found = GAME.inference.fitting(before.state, before.legal_moves(), boards)
                assert shown in found or shown.verb == "steal"


def test_nobody_is_accused_of_a_card_that_was_turned_up_before_anybody_could_see_it() -> None:
    """3.3: a bluff is given up, and another card is drawn and laid, all before the hand leaves."""
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?", "p0 play n4", "p0 occupy 4")
    ahead = _after(
        match, "p1 build", "table show C2 n12", "p1 discard n12", "p1 draw", "dealer draw p1 ?",
        "p1 play n23", "p1 occupy 23",
    )  # fmt: skip
    assert _seen(match, {}, ahead).status is Status.UNCLEAR
    # If somebody saw it turned up, it is known what may be done with it.
    shown = _after(match, "p1 build", "table show C2 n12")
    reading = _seen(shown, {"12": _kinds(f"figure {COLOURS[1]}")})
    assert reading.status is Status.ILLEGAL
    assert [objection.code for objection in reading.objections] == ["night_card"]


def test_a_reveal_leaves_one_card_of_all_that_may_lie_there() -> None:
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?", "p0 play n4", "p0 occupy 4")
    ahead = _after(match, "p1 build", "table show C2 d9", "p1 occupy 9")
    assert _read(match, ahead) == ["p1 build", "p1 occupy 9"]


def test_the_display_may_be_filled_up_last() -> None:
    match = _match()
    taken = _after(match, "p0 build", "p0 take n25")
    early = {"C1": _kinds("card n25"), "25": _kinds("figure white")}
    reading = _seen(match, early, taken)
    assert [move.text for move in reading.moves] == ["p0 build", "p0 take n25"]
    assert _seen(taken, early).status is Status.PENDING
    ahead = _after(taken, "dealer draw display n1", "p0 play n25", "p0 occupy 25")
    assert _read(taken, ahead) == ["p0 play n25", "p0 occupy 25"]


def test_a_druid_may_go_out_first_and_a_used_card_may_lie_on() -> None:
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?")
    assert _seen(match, {"4": _kinds("figure white")}).status is Status.SETTLED
    assert _seen(match, {"3": _kinds("bar white", "figure white")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n3")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n4")}).status is Status.MOVE
    assert _seen(match, {"3": _kinds("figure white")}).status is not Status.SETTLED


def test_a_theft_names_its_price_if_that_lies_open_and_else_leaves_it_open() -> None:
    match = _match(*TRILITHON, display="n26 n27 t-red")
    ahead = _after(
        match, "p1 build", "p1 draw", "dealer draw p1 ?", "p1 steal p0 n11,n17", "p1 occupy T3"
    )
    priced = _seen(match, {"C1": _kinds("card n11", "card n17")}, ahead)
    assert [move.text for move in priced.moves][-2:] == ["p1 steal p0 n11,n17", "p1 occupy T3"]
    unpriced = _seen(match, {}, ahead)
    assert [move.text for move in unpriced.moves][-2:] == ["p1 steal p0 ?", "p1 occupy T3"]
    match = _after(match, *[move.text for move in unpriced.moves])
    # It may be shown afterwards; other cards are still to be taken away.
    assert _seen(match, {"C1": _kinds("card n11", "card n17")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n8", "card n10")}).status is not Status.SETTLED


def test_a_price_that_nobody_saw_must_have_been_possible() -> None:
    steps = ("p1 build", "p1 draw", "dealer draw p1 ?")
    match = _match(*TRILITHON, *steps, display="n26 n27 t-red")
    assert match.why_not("p1 steal p2 ?")[0].code == "no_trilithon"
    assert not match.why_not("p1 steal p0 ?")
    match.push("p1 steal p0 ?")
    sizes = match.state.cards.hand_size
    assert (sizes[0], sizes[1]) == (4, 1)
    # Players who may have given them away, and those who may have got them, may play them.
    assert match.state.cards.holds(0, 10) and match.state.cards.holds(1, 10)
    assert match.state.problems() == []
    assert GAME.read_unchecked(match.state.to_json()).to_json() == match.state.to_json()
    dealt = Match(GAME, 3, seed=1)
    assert dealt.why_not("p1 steal p0 ?")[0].code == "unknown_move"


def test_in_chosen_colours_the_druids_are_told_apart_too() -> None:
    match = Match(GAME, 3, {"colours": "red,white,blue"}, physical=True)
    match.deal()
    for card in ("n25", "n26", "n27"):
        match.push(f"dealer draw display {card}")
    match.push("dealer start p0")
    assert _read(match, _after(match, "p0 play n3", "p0 occupy 9")) == ["p0 play n3", "p0 occupy 9"]
