"""Die Dolmengötter: worked examples first, then the rules and rulings one by one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import MappingProxyType

import pytest

from rules.box import load_box
from rules.core import Board, Item, Move, OptionError, StateError
from rules.games.dolmengoetter import GAME
from rules.games.dolmengoetter.components import dolmen_set
from rules.games.dolmengoetter.legality import put_stone
from rules.games.dolmengoetter.state import ACTION, DRUID, LYING, NOBODY, DolmenState
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import Glimpse
from rules.telling import Teller
from rules.testing.pictures import DrawnSighting, clear, draw
from tests.support.rulings import Steps, at, claim, doing, follow, legal, reasons

HERE = Path(__file__).parent
BOX = load_box(GAME.box).for_game(GAME.id)
PLACES = GAME.board.places


def _match(players: int, druids: str, *moves: str, **options: str) -> Match:
    """A match begun by p0, with druids put in the order given, and then ``moves``."""
    return _played(Match(GAME, players, options), druids, *moves)


def _physical(players: int, druids: str, *moves: str, **options: str) -> Match:
    return _played(Match(GAME, players, options, physical=True), druids, *moves)


def _played(match: Match, druids: str, *moves: str) -> Match:
    match.push("dealer start p0")
    for number, site in enumerate(druids.split()):
        match.push(f"p{number % match.players} druid {site}")
    for move in moves:
        match.push(move)
    return match


def _targets(match: Match, start: str) -> set[str]:
    """Places that walks and flights from ``start`` lead to."""
    return {
        move.args[1]
        for move in match.legal_moves()
        if move.verb in ("walk", "fly") and move.args[0] == start
    }


def _rights(match: Match) -> set[str]:
    """Open rights as ``K08 p0 top``."""
    data = match.state.to_json()["rights"]
    return {f"{circle} p{owner} {level}" for circle, owner, level in data}


def _set_points(match: Match, *points: int) -> None:
    """Give everybody points as if earlier circles had brought them."""
    match.state.points = list(points)


def _spend(state: DolmenState, seat: int, **left: int) -> None:
    """Dolmens and stones of ``seat`` have gone elsewhere; ``left`` says what remains."""
    for value in range(1, 5):
        state.values[seat][value] = left.get(f"v{value}", 0)
    state.dolmens[seat] = sum(state.values[seat])


def _stand(state: DolmenState, seat: int, *sites: str) -> None:
    """Move the druids of ``seat`` to other places."""
    for place in state.druids[seat]:
        state.occ[place], state.free[place] = 0, 1
    state.druids[seat] = [PLACES.index(site) for site in sites]
    for place in state.druids[seat]:
        state.occ[place], state.free[place] = DRUID + seat, 0


def _lay_stones(state: DolmenState, seat: int, *sites: str) -> None:
    """Stones of ``seat`` lie there since long ago."""
    for site in sites:
        put_stone(state, seat, PLACES.index(site))
    state.rights, state.stone = [], NOBODY


def test_example_1_reach_flight_and_the_place_left() -> None:
    match = _match(2, "U2 Z2 U15 Z3 Z15 W6")
    assert _targets(match, "U2") == {"U1", "U3", "Z1", "Z4", "Y3"}
    assert _targets(match, "U15") == {"U14", "V11", "U1", "Z1", "Z14", "Y11"}
    match.push("p0 walk U2 Y3")
    assert legal(match) == ["p0 keep U2", "p0 stone U2"]
    match.push("p0 stone U2")
    assert _targets(match, "Z2") == {"Z1", "Z4", "U3", "Y2", "Y4"}
    match.push("p1 herbs W6")
    match.push("p0 herbs U15")
    assert len(_targets(match, "W6")) == 67
    assert "W6" not in _targets(match, "W6")
    assert not {f"p1 walk W6 {site}" for site in PLACES} & set(legal(match))
    assert "p1 herbs W6" not in legal(match)
    match.push("p1 fly W6 W7")
    match.push("p1 keep W6")
    assert match.scores == (4, 3)
    assert match.state.free[PLACES.index("W6")]


HEXAGON = (
    "p0 walk W1 V1", "p0 stone W1", "p1 walk X1 Y1", "p1 stone X1", "p0 walk W2 V2",
    "p0 stone W2",
)  # fmt: skip


def test_example_2_a_hexagon_from_first_stone_to_scoring() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3", *HEXAGON)
    offered = [f"p0 dolmen K12 top {value}" for value in (1, 2, 3, 4)]
    assert legal(match) == [*offered, "p0 keep K12"]
    match.push("p0 dolmen K12 top 3")
    for move in ("p1 walk X2 Y2", "p1 stone X2"):
        match.push(move)
    offered = [f"p1 dolmen K12 under {value}" for value in (1, 2, 3, 4)]
    assert legal(match) == [*offered, "p1 keep K12"]
    for move in (
        "p1 dolmen K12 under 2", "p0 walk X3 X4", "p0 stone X3", "p0 dolmen K12 top 2",
        "p1 walk W3 W4", "p1 stone W3",
    ):  # fmt: skip
        match.push(move)
    assert match.scores == (4, 4), "a full circle waits for the right that is open in it"
    match.push("p1 dolmen K12 under 4")
    assert match.scores == (21, 12)
    assert match.state.to_json()["scored"] == [["K12", [[0, 2], [0, 3], [1, 2], [1, 4]]]]
    assert match.prompt is not None and match.prompt.player == 0


def test_example_2_on_a_real_table_the_values_are_shown_when_the_circle_scores() -> None:
    match = _physical(2, "W1 X1 W2 X2 X3 W3", *HEXAGON)
    assert legal(match) == ["p0 dolmen K12 top ?", "p0 keep K12"]
    for move in (
        "p0 dolmen K12 top ?", "p1 walk X2 Y2", "p1 stone X2", "p1 dolmen K12 under ?",
        "p0 walk X3 X4", "p0 stone X3", "p0 dolmen K12 top ?", "p1 walk W3 W4", "p1 stone W3",
        "p1 dolmen K12 under ?",
    ):  # fmt: skip
        match.push(move)
    for level, value in enumerate((2, 3, 2, 4), 1):
        assert legal(match) == [f"table show K12 {level} {v}" for v in (1, 2, 3, 4)]
        match.push(f"table show K12 {level} {value}")
    assert match.scores == (21, 12)


THREE_OWNERS = (
    "p0 walk V5 V6", "p0 stone V5", "p1 walk W4 W5", "p1 stone W4", "p2 walk W1 V1",
    "p2 stone W1", "p0 herbs U8", "p1 walk X4 X5", "p1 stone X4", "p2 walk X1 Y1",
    "p2 stone X1", "p0 walk W3 W2", "p0 stone W3",
)  # fmt: skip


def test_example_3_three_owners_by_one_stone() -> None:
    match = _match(3, "V5 W4 W1 W3 X4 X1 U8 U9 U10", *THREE_OWNERS)
    assert _rights(match) == {"K08 p0 top", "K12 p2 top", "K13 p1 top"}
    assert {move.split()[0] for move in legal(match)} == {"p0"}
    match.push("p0 keep K08")
    assert {move.split()[0] for move in legal(match)} == {"p1"}
    match.push("p1 dolmen K13 top 4")
    assert {move.split()[0] for move in legal(match)} == {"p2"}
    match.push("p2 keep K12")
    assert match.prompt is not None
    assert (match.prompt.code, match.prompt.player) == ("action", 1)


THIRD_COLOUR = (
    "p0 walk W1 V1", "p0 stone W1", "p1 walk X1 Y1", "p1 stone X1", "p2 walk X3 X4",
    "p2 stone X3",
)  # fmt: skip


def test_example_4_third_colour() -> None:
    druids = "W1 X1 X3 W2 X2 W3 U8 U9 U10"
    match = _match(3, druids, *THIRD_COLOUR)
    assert _rights(match) == {"K12 p2 under"}
    match.push("p2 dolmen K12 under 1")
    assert _rights(_match(3, druids, *THIRD_COLOUR, tie_min="2")) == set()
    match = _match(
        3, druids, *THIRD_COLOUR,
        "p0 walk W2 V2", "p0 stone W2", "p0 dolmen K12 top 1",
        "p1 walk X2 Y2", "p1 stone X2", "p1 dolmen K12 under 1",
        "p2 walk W3 W4", "p2 stone W3", "p2 dolmen K12 under 4", tie_min="2",
    )  # fmt: skip
    assert match.scores == (8, 7, 12)


OLD_MAJORITY = (
    "p0 walk W3 W2", "p0 stone W3", "p1 walk W4 W5", "p1 stone W4", "p2 herbs U9",
    "p0 walk X3 X2", "p0 stone X3", "p0 keep K13", "p1 herbs U8", "p2 walk X4 X5", "p2 stone X4",
)  # fmt: skip


def _example_6() -> Match:
    match = _match(3, "U8 X1 U9 U10 U11 U12 U13 Z7 Z8", "p0 herbs U8")
    state = match.state
    _lay_stones(state, 2, "W1", "W2")
    for seat in range(3):
        _spend(state, seat, **{"v4" if seat < 2 else "v1": 1})
    _set_points(match, 9, 12, 8)
    return match


def _implied(match: Match, board: Board = MappingProxyType({})) -> list[str]:
    named = GAME.inference.plausible(match.state, match.legal_moves(), board, ())
    return [one.move.text for one in named if one.covered]


RULINGS = [
    # -- worked examples
    claim("example 5 by the option an old majority gets nothing when a circle fills",
          at(_match, 3, "W3 W4 X4 X3 U8 U9 U10 U11 U12", *OLD_MAJORITY, bonus_on_fill="off"),
          (lambda t: t.state.to_json()["scored"], [["K13", []]]),
          (lambda t: (t.prompt.code, t.prompt.player), ("action", 0)),
          (lambda t: t.scores, (4, 4, 4))),
    claim("example 5 the old majority builds once more",
          at(_match, 3, "W3 W4 X4 X3 U8 U9 U10 U11 U12", *OLD_MAJORITY),
          (lambda t: _rights(t), {"K13 p0 top"}), "p0 dolmen K13 top 4",
          (lambda t: t.scores, (16, 4, 4))),
    claim("example 6 the last dolmen in another players turn",
          at(_example_6), "p1 walk X1 Y1 · p1 stone X1 · p2 dolmen K12 top 1",
          (lambda t: (t.prompt.code, t.prompt.player), ("last_action", 0)), "p0 herbs U10",
          (lambda t: t.prompt.player, 1), "p1 herbs U11", (lambda t: t.outcome.to_json(),
              {"reason": "last_dolmen", "ranking": [[2], [1], [0]], "scores": [9, 12, 12]})),
    claim("example 6 with two players the mover plays twice in a row",
          at(_match, 2, "X1 U9 U10 U11 U12 U13"),
          doing(lambda t: _lay_stones(t.state, 1, "W1", "W2")),
          doing(lambda t: _spend(t.state, 1, v1=1)),
          "p0 walk X1 Y1 · p0 stone X1 · p1 dolmen K12 top 1 · p0 herbs U10",
          (lambda t: t.outcome.reason, "last_dolmen")),
    claim("example 8 a circle of one colour scores without dolmens",
          at(_match, 2, "W3 U8 U9 U10 U11 U12"),
          doing(lambda t: _lay_stones(t.state, 0, "W4", "X4", "X3")),
          "p0 walk W3 W2 · p0 stone W3", (lambda t: t.state.to_json()["scored"], [["K13", []]]),
          (lambda t: t.scores, (4, 4)), (lambda t: t.prompt.player, 1)),
    # -- 7.1 and 7.4 set-up
    claim("everybody starts with four or five points",
          at(Match, GAME, 4), (lambda t: t.scores, (4, 4, 4, 4)),
          at(Match, GAME, 2, {"start_score": "5"}), (lambda t: t.scores, (5, 5))),
    # -- 7.5 turn
    # Over U3 to U4 and by rune B to Z3, further over V3 to V2 and V4; over U1 to V1 and by rune
    # F to the other corners; straight to Z2 by rune A.
    claim("dg8 several druids in a row and round corners are stepped over",
          at(_match, 2, "U2 U3 V3 U1 W6 W7"), (lambda t: _targets(t, "U2"),
              {"Z2", "Z3", "U4", "V2", "V4", "V1", "U15", "Z1", "Z15"})),
    claim("dg8 lying druids are stepped over too",
          at(_match, 2, "U2 U3 W6 W7 W8 X7", "p0 herbs W6", "p1 herbs U3"),
          (lambda t: _targets(t, "U2"), {"U1", "Z2", "U4", "V3", "Z3"})),
    claim("a stone stops a walk and only herbs are left behind stones",
          at(_match, 2, "U2 W6 W7 W8 X7 X8"),
          doing(lambda t: _lay_stones(t.state, 1, "U1", "U3", "Z2")),
          (lambda t: _targets(t, "U2"), set()), "[… | p0 herbs U2] · "
          "p0 walk U2 V1 ✗ DG8/hemmed_in"),
    claim("dg9 a lying druid flies and a standing one walks",
          at(_match, 2, "U2 W6 W7 W8 X7 X8", "p0 herbs U2", "p1 herbs W6"),
          "p0 walk U2 U1 ✗ DG9/lying_cannot_walk · p0 fly W7 U1 ✗ 7.5/standing_cannot_fly",
          "p0 herbs U2 ✗ 7.5/already_lying · p0 fly U2 Z15",
          (lambda t: t.state.occ[PLACES.index("Z15")], DRUID)),
    claim("dg20 all three druids may lie",
          at(_match, 2, "U2 W6 W7 W8 X7 X8", "p0 herbs U2", "p1 herbs W6", "p0 herbs W7",
              "p1 herbs W8", "p0 herbs X7", "p1 herbs X8"), (lambda t: len(legal(t)), 3 * 68),
          (lambda t: {move.split()[1] for move in legal(t)}, {"fly"})),
    claim("dg23 a druid never flies back onto its own place",
          at(_match, 2, "U2 W6 W7 W8 X7 X8", "p0 herbs U2", "p1 herbs W6"),
          "p0 fly U2 U2 ✗ DG23/stood_up_in_place · p0 fly U2 W8 ✗ DG23/occupied_druid"),
    claim("the stone goes where the druid came from",
          at(_match, 2, "W1 X1 W2 X2 X3 W3"), "p0 stone U8 ✗ 7.5/action_first · "
          "p0 keep W1 ✗ 7.5/nothing_to_keep · p0 walk W1 V1",
          "p0 stone U8 ✗ 7.5/wrong_place · p0 walk W2 V2 ✗ 7.5/place_left_open",
          "p1 herbs X1 ✗ 7.5/place_left_open · p1 stone W1 ✗ 7.5/wrong_player"),
    # -- 7.6 dolmens
    claim("the page of the set up names the start score that was chosen",
          at(Teller, GAME, "en", GAME.colours(2, {})),
          lambda t: "begins with 4 points" in t.rule("7.4").text,
          lambda t: "begins with 5 points" in t.rule("7.4", {"start_score": "5"}).text),
    claim("dg5 every right may be refused",
          at(_match, 2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 keep K12"),
          (lambda t: t.prompt.player, 1), (lambda t: t.state.dolmens, [13, 13]),
          "p1 walk X2 Y2 · p1 stone X2 · p1 keep K12", lambda t: not any(t.state.piles)),
    claim("reasons remain after the turn until somebody acts",
          at(_match, 3, "W1 X1 X3 W2 X2 W3 U8 U9 U10", *THIRD_COLOUR, tie_min="2"),
          "p2 dolmen K12 under 1 ✗ DG3/tie_too_small · p0 herbs W2",
          "p2 dolmen K12 under 1 ✗ 7.6/no_new_stone"),
    claim("a tie may not go on top",
          at(_match, 2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 keep K12", "p1 walk X2 Y2",
              "p1 stone X2"), "p1 dolmen K12 top 1 ✗ 7.6/only_under"),
    # -- the table
    claim("the next players druid closes several rights also if it only lies down",
          at(_match, 3, "V5 W4 W1 W3 X4 X1 U8 U9 U10", *THREE_OWNERS),
          (lambda t: _implied(t, {"U9": (("druid blue", "standing"),)}), []),
          (lambda t: _implied(t, {"U9": (("druid blue", ""),)}), []),
          (lambda t: _implied(t, {"U9": (("druid blue", "lying"),)}), ["p0 keep K08"])),
    claim("a druid is called by its place",
          at(lambda: _match(2, "U2 W6 W7 W8 X7 X8", "p0 herbs U2").state),
          (lambda t: t.occ[PLACES.index("U2")], LYING), (lambda t: t.to_json()["druids"][0],
              {"U2": "lying", "W7": "standing", "X7": "standing"})),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


def test_example_7_the_forced_last_stone_ends_the_match() -> None:
    match = _match(2, "U8 X1 U9 U10 U11 U12", "p0 herbs U8")
    state = match.state
    _lay_stones(state, 0, "W1", "W2")
    state.stones, state.stones_left = [0, 1], 1
    _spend(state, 0, v1=1, v3=1)
    state.piles[GAME.board.circle["K01"]] = [(1, 3)]
    _set_points(match, 7, 1)
    match.push("p1 walk X1 Y1")
    assert legal(match) == ["p0 dolmen K12 top 1", "p0 dolmen K12 top 3", "p0 keep K12"]
    match.push("p0 dolmen K12 top 3")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("last_stone", (19, 13))


# -- 7.1 and 7.4 set-up -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "stones", "dolmens", "values"),
    [
        (2, 16, 13, (0, 6, 4, 2, 1)), (3, 16, 13, (0, 6, 4, 2, 1)),
        (4, 14, 11, (0, 4, 4, 2, 1)), (5, 11, 9, (0, 2, 4, 2, 1)),
    ],
)  # fmt: skip
def test_stones_and_dolmens_follow_the_table(
    players: int, stones: int, dolmens: int, values: tuple[int, ...]
) -> None:
    state = Match(GAME, players).state
    assert state.stones == [stones] * players
    assert state.dolmens == [dolmens] * players
    assert state.set == values


def test_the_lowest_dolmens_are_taken_out_first() -> None:
    assert dolmen_set("5-4-3-1", 8) == (0, 0, 4, 3, 1)
    assert dolmen_set("4-4-3-2", 8) == (0, 0, 3, 3, 2)
    assert dolmen_set("6-4-2-1", 13) == (0, 6, 4, 2, 1)


@pytest.mark.parametrize(
    ("players", "stones", "fits"),
    [(5, "11", True), (5, "12", False), (4, "15", True), (4, "16", False), (3, "16", True)],
)
def test_a_match_needs_one_free_place_at_its_end(players: int, stones: str, fits: bool) -> None:
    if fits:
        Match(GAME, players, {"stones": stones})
        return
    with pytest.raises(OptionError, match=r"74; choose at most (11|15) stones"):
        Match(GAME, players, {"stones": stones})


def test_the_start_is_drawn_by_lot_and_that_player_puts_the_first_druid() -> None:
    match = Match(GAME, 3)
    assert legal(match) == ["dealer start p0", "dealer start p1", "dealer start p2"]
    assert reasons(match, "p0 druid U2") == [("DG18", "start_first")]
    match.push("dealer start p2")
    assert len(legal(match)) == 74 and legal(match)[0] == "p2 druid U1"
    for move in ("p2 druid U1", "p0 druid U2", "p1 druid U3"):
        match.push(move)
    assert reasons(match, "p2 druid U2") == [("7.4", "occupied_druid")]
    assert reasons(match, "p1 druid U4") == [("7.4", "wrong_player")]
    assert reasons(match, "p2 walk U1 V1") == [("7.4", "druids_first")]
    assert reasons(match, "dealer start p0") == [("DG18", "start_drawn")]
    for number, site in enumerate(("U4", "U5", "U6", "U7", "U8", "U9")):
        match.push(f"p{(2 + number) % 3} druid {site}")
    assert match.prompt is not None
    assert (match.prompt.code, match.prompt.player) == ("action", 2)
    assert reasons(match, "p2 druid U10") == [("7.4", "druids_placed")]


# -- 7.5 turn ---------------------------------------------------------------------------------


def test_a_place_out_of_reach_is_refused_with_those_in_reach() -> None:
    match = _match(2, "U2 W6 W7 W8 X7 X8")
    (objection,) = match.why_not("p0 walk U2 V11")
    assert (objection.rule, objection.code) == ("DG8", "out_of_reach")
    assert objection.values == {"site": "U2", "to": "V11", "sites": "U1,U3,Z2"}


def test_the_way_of_a_druid_leads_over_those_that_it_leaps() -> None:
    state = _match(2, "W1 X1 W2 X2 X3 W3").state
    board, ways = state.board, [GAME.touch.way(state, move) for move in state.legal_moves()]
    leaps = [[board.place[site] for site in way] for way in ways if len(way) > 2]
    assert leaps, "over three druids beside each other"
    for start, *over, end in leaps:
        assert state.occ[start] == DRUID and not state.occ[end]
        assert all(state.occ[place] >= DRUID for place in over)
        links = [board.links[place] for place in (start, *over)]
        assert all(to in near for to, near in zip((*over, end), links, strict=True))


def test_foreign_druids_and_bare_places_are_refused_by_name() -> None:
    match = _match(2, "U2 W6 W7 W8 X7 X8")
    (objection,) = match.why_not("p0 walk W6 X6")
    assert (objection.code, objection.values["owner"]) == ("not_your_druid", 1)
    assert reasons(match, "p0 walk Z1 Z2") == [("7.5", "no_druid_there")]
    assert reasons(match, "p1 walk W6 X6") == [("7.5", "wrong_player")]


def test_a_stone_or_a_druid_on_the_target_is_told_with_its_owner() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3", "p0 walk W1 V1", "p0 stone W1", "p1 herbs X2")
    (objection,) = match.why_not("p0 walk V1 W1")
    assert (objection.code, objection.values) == ("occupied_stone", {"site": "W1", "owner": 0})
    assert reasons(match, "p0 walk W2 X2") == [("7.5", "occupied_druid")]


def test_dg16_and_dg24_the_last_point_cannot_be_paid() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3")
    match.state.points[0] = 2
    match.push("p0 walk W1 V1")
    match.push("p0 keep W1")
    assert match.scores == (1, 4)
    match.push("p1 herbs X1")
    match.push("p0 walk V1 W1")
    assert match.state.occ[PLACES.index("V1")] == 1, "the stone was left by itself"
    assert match.prompt is not None and match.prompt.player == 1


def test_dg24_without_stones_a_druid_goes_free_of_charge() -> None:
    for points in (1, 3):
        match = _match(2, "W1 X1 W2 X2 X3 W3")
        match.state.points[0] = points
        match.state.stones_left -= match.state.stones[0]
        match.state.stones[0] = 0
        match.push("p0 walk W1 V1")
        assert match.scores[0] == points
        assert match.prompt is not None and match.prompt.player == 1


# -- 7.6 dolmens ------------------------------------------------------------------------------


def _right_of(counts: tuple[int, ...], by: int, **options: str) -> tuple[int, str] | None:
    """The right that a stone of ``by`` opens in an octagon which then holds ``counts``."""
    match = _match(len(counts), " ".join(PLACES[: 3 * len(counts)]), **options)
    state: DolmenState = match.state
    circle = GAME.board.circle["K19"]
    places = iter(GAME.board.places_of[circle])
    before = list(counts)
    before[by] -= 1
    for seat, number in enumerate(before):
        for _ in range(number):
            put_stone(state, seat, next(places))
    put_stone(state, by, next(places))
    found = [(owner, ("top", "under")[level]) for _, c, owner, level in state.rights if c == circle]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("counts", "by", "right"),
    [
        ((2, 1), 1, (0, "top")),  # DG2: the other player's stone made the third
        ((3, 1), 1, (0, "top")),  # DG2: three and one likewise
        ((2, 1), 0, (0, "top")),
        ((3, 1), 0, None),  # merely extended
        ((2, 2), 1, (1, "under")),
        ((3, 2), 0, (0, "top")),  # DG1: regained after a tie
        ((3, 0), 0, None),  # DG15
        ((1, 1), 1, None),  # two stones only
    ],
)
def test_dg1_and_dg2_a_majority_is_new_or_gives_nothing(
    counts: tuple[int, ...], by: int, right: tuple[int, str] | None
) -> None:
    assert _right_of(counts, by) == right


@pytest.mark.parametrize(
    ("counts", "by", "tie_min", "right"),
    [
        ((1, 1, 1), 2, "2", None),
        ((1, 1, 1), 2, "1", (2, "under")),
        ((2, 2, 2), 2, "2", (2, "under")),
        ((2, 2, 1), 2, "2", None),  # the new stone is not among the strongest
        ((2, 2, 1), 1, "2", (1, "under")),
    ],
)
def test_dg3_a_tie_needs_the_highest_count_and_two_own_stones(
    counts: tuple[int, ...], by: int, tie_min: str, right: tuple[int, str] | None
) -> None:
    assert _right_of(counts, by, tie_min=tie_min) == right


def test_a_dolmen_without_a_right_is_refused_with_the_exact_reason() -> None:
    match = _match(3, "V5 W4 W1 W3 X4 X1 U8 U9 U10", *THREE_OWNERS[:-2])
    assert reasons(match, "p2 dolmen K01 top 1") == [("7.6", "no_new_stone")]
    assert reasons(match, "p2 dolmen K12 top 1") == [("7.6", "too_few_stones")]
    for move in THREE_OWNERS[-2:]:
        match.push(move)
    assert reasons(match, "p0 dolmen K12 top 1") == [("7.6", "right_of_other")]
    assert reasons(match, "p1 dolmen K13 top 1") == [("DG6", "right_later")]
    assert reasons(match, "p0 dolmen K08 under 1") == [("7.6", "only_top")]
    assert reasons(match, "p1 walk X5 X6") == [("7.6", "dolmens_first")]
    match.push("p0 dolmen K08 top 4")
    assert reasons(match, "p0 dolmen K08 top 1") == [("7.6", "right_used")]
    assert reasons(match, "p0 dolmen K08 top 4") == [("7.6", "right_used")]


def test_an_old_majority_a_single_colour_and_a_weak_colour_are_told_apart() -> None:
    match = _match(3, "W1 X1 X3 W2 X2 W3 U8 U9 U10", bonus_on_fill="off")
    state = match.state
    _lay_stones(state, 1, "W4", "X4", "W5")
    match.push("p0 walk W1 V1")
    match.push("p0 stone W1")
    assert reasons(match, "p0 dolmen K07 top 1") == [("7.6", "too_few_stones")]
    state.stone = PLACES.index("W5")
    assert reasons(match, "p1 dolmen K14 top 1") == [("DG15", "one_colour")]
    _lay_stones(state, 0, "X5", "X6")
    _lay_stones(state, 2, "W6")
    state.stone = PLACES.index("W6")
    assert reasons(match, "p1 dolmen K14 top 1") == [("DG1", "majority_kept")]
    match = _match(3, "W1 X1 X3 W2 X2 W3 U8 U9 U10")
    _lay_stones(match.state, 0, "W4", "X4")
    _lay_stones(match.state, 1, "W5", "X5")
    _lay_stones(match.state, 2, "W6")
    match.state.stone, match.state.phase = PLACES.index("W6"), ACTION
    assert reasons(match, "p2 dolmen K14 under 1") == [("DG3", "not_in_tie")]


def test_other_rights_vanish_with_the_last_dolmen() -> None:
    match = _match(2, "W3 U8 U9 U10 U11 U12")
    state = match.state
    _lay_stones(state, 0, "V5", "X4")
    _lay_stones(state, 1, "W4")
    _spend(state, 0, v2=1)
    match.push("p0 walk W3 W2")
    match.push("p0 stone W3")
    assert _rights(match) == {"K08 p0 top", "K13 p0 top"}
    assert legal(match) == [
        "p0 dolmen K08 top 2", "p0 dolmen K13 top 2", "p0 keep K08", "p0 keep K13",
    ]  # fmt: skip
    match.push("p0 dolmen K13 top 2")
    assert _rights(match) == set()
    assert match.prompt is not None
    assert (match.prompt.code, match.prompt.player) == ("last_action", 1)


def test_dg6_a_full_circle_scores_before_the_rights_in_others_are_settled() -> None:
    match = _match(2, "W3 U8 U9 U10 U11 U12")
    state = match.state
    _lay_stones(state, 0, "X3", "V5")
    _lay_stones(state, 1, "X4", "W4")
    state.piles[GAME.board.circle["K13"]] = [(1, 2)]
    state.maj[GAME.board.circle["K13"]] = 0
    match.push("p0 walk W3 W2")
    match.push("p0 stone W3")
    # K13 is a 2-2 tie of p0 now, so it waits for them; K08 does not.
    assert _rights(match) == {"K08 p0 top", "K13 p0 under"}
    match.push("p0 keep K13")
    assert match.scores == (4, 10)
    assert _rights(match) == {"K08 p0 top"}


# -- 7.7 and 7.8 scoring and end --------------------------------------------------------------


@pytest.mark.parametrize(
    ("circle", "points"), [("K13", 3 + 2), ("K12", 4 + 3 + 2 + 1), ("K19", 5 + 4 + 3 + 2 + 1 + 0)]
)
def test_factors_fall_from_the_top_of_the_pile(circle: str, points: int) -> None:
    state = _match(2, "U8 U9 U10 U11 U12 U13").state
    number = GAME.board.circle[circle]
    height = GAME.board.size[number] - 2
    assert state.circle_points(number, [(1, 1)] * height) == [0, points]


def _near_the_end(players: int, *mover_first: int) -> Match:
    """p0 to move with rights to come; nobody but ``mover_first`` has a last dolmen."""
    match = _match(players, " ".join(("W3", *PLACES[: 3 * players - 1])))
    for seat in mover_first:
        _spend(match.state, seat, v1=1)
    return match


def test_dg12_the_last_turns_go_once_round_without_the_one_who_is_out() -> None:
    match = _near_the_end(4, 2)
    _lay_stones(match.state, 2, "W4", "X4")
    for move in ("p0 walk W3 W2", "p0 stone W3", "p2 dolmen K13 top 1"):
        match.push(move)
    seats = []
    while match.outcome is None:
        assert match.prompt is not None and match.prompt.code == "last_action"
        seats.append(match.prompt.player)
        match.push(next(move for move in legal(match) if " herbs " in move))
    assert seats == [1, 3, 0]
    assert match.outcome.reason == "last_dolmen"


def test_dg19_a_second_player_out_of_dolmens_changes_nothing() -> None:
    match = _near_the_end(3, 0, 1)
    _lay_stones(match.state, 0, "V5")
    _lay_stones(match.state, 1, "W4", "X4")
    for move in ("p0 walk W3 W2", "p0 stone W3", "p0 dolmen K08 top 1", "p1 dolmen K13 top 1"):
        match.push(move)
    assert match.state.first_out == 0
    seats = []
    while match.outcome is None:
        assert match.prompt is not None
        seats.append(match.prompt.player)
        match.push(next(move for move in legal(match) if " herbs " in move))
    assert seats == [1, 2]


def test_dg13_the_last_stone_during_the_last_turns_ends_the_match_at_once() -> None:
    match = _near_the_end(3, 0)
    state = match.state
    _lay_stones(state, 0, "W4", "X4")
    _lay_stones(state, 1, "X3")
    state.maj[GAME.board.circle["K13"]] = NOBODY
    for move in ("p0 walk W3 W2", "p0 stone W3", "p0 dolmen K13 top 1"):
        match.push(move)
    state.stones, state.stones_left = [0, 1, 0], 1
    start = PLACES[state.druids[1][0]]
    match.push(f"p1 herbs {start}")
    state.turn, state.last = 1, [2]
    match.push(f"p1 fly {start} Z8")
    match.push(f"p1 stone {start}")
    assert match.outcome is not None and match.outcome.reason == "last_stone"


def test_dg14_equal_points_and_dolmens_share_the_win() -> None:
    state = _match(3, "U8 U9 U10 U11 U12 U13 W1 W2 W3").state
    state.points = [7, 9, 9]
    state._finish("last_stone")
    outcome = state.outcome()
    assert outcome is not None and outcome.ranking == ((1, 2), (0,))


def test_dg17_scored_dolmens_count_for_the_tie_break() -> None:
    state = _match(2, "U8 U9 U10 U11 U12 U13").state
    state.points = [9, 9]
    state.dolmens = [12, 10]
    state._finish("last_stone")
    outcome = state.outcome()
    assert outcome is not None and outcome.ranking == ((1,), (0,))


def test_dg25_at_the_end_circles_score_however_few_stones_they_hold() -> None:
    state = _match(2, "U8 U9 U10 U11 U12 U13").state
    state.piles[GAME.board.circle["K05"]] = [(0, 4)]
    state._finish("last_stone")
    assert state.scores() == (4 + 3 * 4, 4)
    assert state.violations(Move.parse("p0 herbs U8"))[0].code == "match_over"


def test_the_explained_points_name_every_circle() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3", "p0 walk W1 V1", "p0 keep W1")
    lines = [(line.player, line.code, line.points) for line in match.state.explain_scores()]
    assert lines == [(0, "start", 4), (1, "start", 4), (0, "refused", -1)]


# -- DG21: what is hidden ---------------------------------------------------------------------


def test_dg21_a_value_is_known_to_its_owner_only() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top 3")
    assert match.view(0)["moves"][-1] == "p0 dolmen K12 top 3"
    assert match.view(1)["moves"][-1] == "p0 dolmen K12 top ?"
    assert match.view(None)["state"]["piles"] == {"K12": [[0, None]]}
    assert match.view(1)["state"]["supplies"][0] == 12
    assert match.view(0)["state"]["supplies"] == [[1] * 6 + [2] * 4 + [3, 4], 13]


def test_dg21_a_value_typed_unseen_is_accepted_and_needs_no_showing() -> None:
    match = _physical(2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top 4")
    assert match.view(None)["moves"][-1] == "p0 dolmen K12 top ?"
    assert "zones" not in match.view(1)["state"]
    for move in (
        "p1 walk X2 Y2", "p1 stone X2", "p1 dolmen K12 under ?", "p0 walk X3 X4", "p0 stone X3",
    ):  # fmt: skip
        match.push(move)
    (objection,) = match.why_not("p0 dolmen K12 top 4")
    assert (objection.code, objection.values["number"]) == ("no_such_value", 1)
    for move in ("p0 dolmen K12 top 3", "p1 walk W3 W4", "p1 stone W3", "p1 keep K12"):
        match.push(move)
    assert legal(match) == [f"table show K12 3 {value}" for value in (1, 2, 3, 4)]
    match.push("table show K12 3 2")
    assert match.scores == (4 + 3 * 4 + 4 * 3, 4 + 2 * 2)


def test_dg21_nobody_shows_more_of_a_value_than_his_set_holds() -> None:
    match = _physical(
        2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top ?", "p1 walk X2 Y2", "p1 stone X2",
        "p1 keep K12", "p0 walk X3 X4", "p0 stone X3", "p0 dolmen K12 top ?", "p1 walk W3 W4",
        "p1 stone W3",
    )  # fmt: skip
    assert reasons(match, "table show K12 1 4") == [("DG21", "nothing_to_show")]
    match.push("p1 keep K12")
    assert reasons(match, "table show K12 2 4") == [("DG21", "other_dolmen")]
    assert reasons(match, "p0 herbs V1") == [("DG21", "show_first")]
    weights = dict(zip(legal(match), match.state.weights(match.legal_moves()), strict=True))
    assert list(weights.values()) == [6, 4, 2, 1]
    match.push("table show K12 1 4")
    assert legal(match) == [f"table show K12 2 {value}" for value in (1, 2, 3)]
    (objection,) = match.why_not("table show K12 2 4")
    assert (objection.code, objection.values["number"]) == ("cannot_be", 1)


# -- the table --------------------------------------------------------------------------------


def test_the_layout_tells_standing_from_lying_and_hides_what_is_under_a_pile() -> None:
    match = _match(
        2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top 3", "p1 walk X2 Y2", "p1 stone X2",
        "p1 dolmen K12 under 2", "p0 herbs X3",
    )  # fmt: skip
    layout = match.layout
    assert layout[Item("X3", "druid red", 0, pose="lying")] == 1
    assert layout[Item("Y1", "druid blue", 1, pose="standing")] == 1
    assert layout[Item("W1", "stone red", 0)] == 1
    assert layout[Item("K12", "dolmen red back", 0, 1, face="down")] == 1
    assert layout[Item("K12", "dolmen blue back", 1, 0, face="down", seen=False)] == 1
    assert layout.total() == 6 + 4 + 2
    supply = Counter({"stone red": 14, "dolmen red back": 12})
    assert match.state.supply(0) == supply


def test_shown_dolmens_leave_the_pile_one_by_one_on_a_real_table() -> None:
    match = _physical(
        2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top ?", "p1 walk X2 Y2", "p1 stone X2",
        "p1 dolmen K12 under ?", "p0 walk X3 X4", "p0 stone X3", "p0 keep K12", "p1 walk W3 W4",
        "p1 stone W3", "p1 keep K12",
    )  # fmt: skip
    assert sum(item.site == "K12" for item in match.layout) == 2
    match.push("table show K12 1 3")
    (item,) = (item for item in match.layout if item.site == "K12")
    assert (item.kind, item.seen) == ("dolmen blue back", True)
    match.push("table show K12 2 1")
    assert all(item.site != "K12" for item in match.layout)


def test_a_refusal_is_inferred_only_where_it_is_all_that_is_open() -> None:
    match = _match(3, "V5 W4 W1 W3 X4 X1 U8 U9 U10", *THREE_OWNERS[:-1])
    assert _implied(match) == ["p0 keep W3"]
    match.push("p0 stone W3")
    assert _implied(match) == [], "three rights are open"
    for move in ("p0 keep K08", "p1 keep K13"):
        match.push(move)
    assert _implied(match) == ["p2 keep K12"]
    match.push("p2 keep K12")
    assert _implied(match) == []


def test_a_druid_that_lies_where_nobody_may_lay_it_down_has_fallen_over() -> None:
    match = _physical(2, "W3 W2 U3 V2 U2 W1", "p0 walk U3 V3")
    sites = draw(BOX, match.layout).sites
    fallen = clear((Glimpse("druid red", "lying"),))
    reading = read(match, DrawnSighting({**sites, "U2": fallen}))
    assert (reading.status, reading.doubt) == (Status.UNCLEAR, "differs")
    assert [o.code for o in reading.objections] == ["piece_tipped"]


def test_who_begins_is_inferred_from_the_druids() -> None:
    match = Match(GAME, 3, {}, physical=True)
    one, two = (("druid green", "standing"),), (("druid red", "standing"),)
    assert _implied(match) == []
    assert _implied(match, {"Y5": one}) == ["dealer start p2"]
    assert _implied(match, {"Y5": one, "U3": two, "U5": one}) == ["dealer start p2"]
    assert _implied(match, {"Y5": one, "U3": two}) == ["dealer start p0", "dealer start p2"]


# -- storing and counting ---------------------------------------------------------------------


def test_a_position_comes_back_from_json_and_a_broken_one_is_refused() -> None:
    match = _match(2, "W1 X1 W2 X2 X3 W3", *HEXAGON, "p0 dolmen K12 top 3")
    data = json.loads(json.dumps(match.state.to_json()))
    assert GAME.from_json(data).to_json() == data
    for key, value in (
        ("board", "R29"), ("phase", "sleep"), ("turn", 5), ("stones_left", [16, 16]),
        ("points", [4, 5]), ("piles", {}), ("supplies", [[1], [2]]), ("left", "U2"),
        ("players", 7), ("stones", {"W1": 0, "Y1": 1}), ("rights", [["K12", 0, "top"]]),
    ):  # fmt: skip
        with pytest.raises(StateError):
            GAME.from_json(data | {"stone": None, key: value})
    with pytest.raises(StateError):
        GAME.from_json({})
