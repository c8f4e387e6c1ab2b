"""Erbaut Stonehenge!: worked examples, then the rulings, then the points.

A script is a list of moves separated by `` · `` or line ends; ``[a, b]`` says which moves are
offered at that point, and that there are no others.
"""

from __future__ import annotations

import pytest

from rules.games.erbaut_stonehenge import GAME
from rules.games.erbaut_stonehenge.state import ErbautState
from tests.support.erbaut_table import dealt, position, project
from tests.support.rulings import Steps, at, claim, follow, play


def test_a_night_card_is_built_one_turn_later_and_a_day_card_two() -> None:
    state = dealt(["n3 d4 n5", "n8 d9 n10", "d13 n14 n15"], "n25 n26 n27")
    play(
        state,
        """[p0 play d4 | p0 play n3 | p0 play n5]
        p0 play n3
        [p0 occupy 15 | p0 occupy 21 | p0 occupy 27 | p0 occupy 3 | p0 occupy 9]
        p0 occupy 3 · p1 play d9 · p2 play n14 · p2 occupy 14
        [p0 build]
        p0 build
        [p0 draw | p0 take n25 | p0 take n26 | p0 take n27]
        p0 draw · dealer draw p0 t-blue · p0 occupy T2 · p1 build
        [p1 occupy 15 | p1 occupy 21 | p1 occupy 27 | p1 occupy 9]
        p1 occupy 9 · p2 build · p2 take n27 · dealer draw display t-red · p2 play n15
        p2 occupy 15 · p0 build · p1 build
        [p1 take t-red]
        p1 take t-red · dealer draw display n1
        [p1 occupy T1 | p1 occupy T3 | p1 occupy T4 | p1 occupy T5]
        p1 occupy T1 · p2 build""",
    )
    assert "n3" in state.to_json()["gone"]
    assert state.to_json()["influence"] == [[], [], ["n15"]]
    play(
        state,
        """[p2 draw | p2 sabotage p0 n15 | p2 sabotage p1 n15 | p2 take n1 | p2 take n25
        | p2 take n26]
        p2 take n1 · dealer draw display n2
        [p2 play d13 | p2 play n1 | p2 play n27 | p2 sabotage p0 n15 | p2 sabotage p1 n15
        | p2 steal p0 n1,d13]
        p2 sabotage p0 n15
        [p2 play d13 | p2 play n1 | p2 play n27 | p2 steal p0 n1,d13]
        p2 play n27 · p2 occupy 21
        [p0 atone]
        p0 atone · p1 build · p2 build · p2 take n25 · dealer draw display n7 · p2 play n1
        p2 occupy 1
        [p2 done | p2 sabotage p1 n27]
        p2 done · p0 atone
        [p0 occupy T2 | p0 occupy T3 | p0 occupy T4 | p0 occupy T5]
        p0 occupy T5 · p1 build""",
    )
    assert state.to_json()["projects"][0]["stage"] == "pillars-1"
    assert state.to_json()["projects"][1]["stage"] == "pillars-2"


THEFT = """p0 play n4 · p0 occupy 4 · p1 play n10 · p1 occupy 10 · p2 play n14 · p2 occupy 14
    p0 build
    [p0 take t-red]
    p0 take t-red · dealer draw display n1 · p0 occupy T3 · p1 build · p1 draw
    dealer draw p1 n17
    [p1 play n11 | p1 play n17 | p1 play n9 | p1 steal p0 n11,n17]
    p1 steal p0 n11,n17
    [p1 occupy T1 | p1 occupy T2 | p1 occupy T3 | p1 occupy T4 | p1 occupy T5]
    p1 occupy T3
    [p0 discard n11 | p0 discard n17 | p0 discard n2 | p0 discard n5]
    p0 discard n2"""


def test_a_stolen_project_is_stolen_straight_back() -> None:
    """ES28: the book lets any unmarked project be stolen."""
    state = dealt(["n2 n4 n5", "n11 n10 n9", "d13 n14 n15"], "n25 n26 t-red")
    play(
        state,
        f"""{THEFT} · p2 build · p2 take n25 · dealer draw display n7 · p2 play n15 · p2 occupy 15
        [p0 play n11 | p0 play n17 | p0 play n5 | p0 steal p1 n11,n17 | p0 steal p1 n5,n11
        | p0 steal p1 n5,n17]
        p0 steal p1 n11,n17
        [p0 occupy T1 | p0 occupy T2 | p0 occupy T3 | p0 occupy T4 | p0 occupy T5]
        p0 occupy T3
        [p1 play n11 | p1 play n17 | p1 play n9 | p1 steal p0 n11,n17]""",
    )
    assert state.to_json()["projects"][0] == project("t-red", "pillars-0", stolen=True)


def test_a_theft_costs_two_cards_and_by_the_option_is_not_undone_before_a_build_step() -> None:
    state = dealt(
        ["n2 n4 n5", "n11 n10 n9", "d13 n14 n15"], "n25 n26 t-red", options={"steal_back": "off"}
    )
    play(state, THEFT)
    assert state.to_json()["under"] == [["n2", 0]]
    play(
        state,
        """p2 build · p2 take n25 · dealer draw display n7 · p2 play n15 · p2 occupy 15
        [p0 play n11 | p0 play n17 | p0 play n5]
        p0 play n5 · p0 occupy 5 · p1 build · p2 build · p2 take n26 · dealer draw display n8
        p2 play n26 · p2 occupy 26 · p2 done · p0 build · p0 take n1 · dealer draw display n13
        [p0 play n1 | p0 play n11 | p0 play n17 | p0 steal p1 n11,n17]
        p0 steal p1 n11,n17 · p0 occupy T1
        [p1 play n11 | p1 play n17 | p1 play n9]
        p1 play n9 · p1 occupy 9""",
    )
    assert state.to_json()["projects"][0] == project("t-red", "pillars-1", stolen=True)


def yellow_is_crowded() -> ErbautState:
    return play(
        dealt(["n4 d28 n1", "n10 n28 n8", "n16 n9 n15", "n22 n20 n21"], "n2 n3 n5"),
        """p0 play n4 · p0 occupy 4 · p1 play n10 · p1 occupy 10 · p2 play n16 · p2 occupy 16
        p3 play n22 · p3 occupy 22 · p0 build · p0 take n2 · dealer draw display n6
        [p0 play d28 | p0 play n1 | p0 play n2]
        p0 play d28 · p1 build · p1 take n3 · dealer draw display n7 · p1 play n28
        [p1 occupy 28]
        p1 occupy 28 · p2 build · p2 take n5 · dealer draw display n12 · p2 play n9
        p2 occupy 9 · p3 build""",
    )


def two_due(display: list[str]) -> ErbautState:
    return position(
        phase="build",
        hands=[["n20"], ["n8", "n9", "n10"], ["n11", "n12", "n13"]],
        projects=[project("n3", "open"), None, None],
        druids=["3", "supply", "supply"],
        display=display,
    )


def nearly_finished(soft_block: str) -> ErbautState:
    built = {str(n): (n - 1) // 9 for n in range(1, 28)} | {"28": 3, "29": 3, "30": 3}
    built |= {f"D{n}": (n - 2) // 9 for n in range(2, 20)} | {"T1": 0, "T2": 1}
    return position(
        options={"soft_block": soft_block},
        built=built,
        bars=[0, 0, 0],
        discs=[0, 0, 10],
        neutral=7,
        neutral_owner=0,
        hands=[["n1", "n2", "n3"], ["n4", "n5", "n6"], ["d13", "n14", "n15"]],
        display=["n25", "n26", "n27"],
        pile_only=["t-blue", "t-green", "t-red"],
    )


ALL_BUT_P2_BLOCKED = """[p0 blocked]
    p0 blocked · p1 blocked
    [p2 play d13 | p2 play n14 | p2 play n15]
    p2 play n14
    [p2 occupy D1]
    p2 occupy D1"""

RULINGS = [
    # -- worked examples
    claim("a revealed card that fits nowhere is given up",
          at(yellow_is_crowded), "p3 take n6 · dealer draw display n13 · p3 play n21 · "
          "p3 occupy 21 · p3 done", "p0 build · [p0 discard d28] · p0 discard d28 · "
          "[p0 draw | p0 take n12 | p0 take n13 | p0 take n7]",
          "p0 take n7 · dealer draw display n14 · [p0 play n1 | p0 play n2 | p0 play n7]",
          "p0 play n1 · p0 occupy 1"),
    claim("after a trilithon from the pile the second card is an open number card",
          at(two_due, ["n25", "n26", "n27"]), "p0 build · p0 draw · dealer draw p0 t-red · "
          "[p0 take n25 | p0 take n26 | p0 take n27]"),
    claim("with only trilithons open the second card is forfeited",
          at(two_due, ["t-white", "t-blue", "t-red"]),
          "p0 build · [p0 take t-blue | p0 take t-red | p0 take t-white] · p0 take t-red",
          "dealer draw display n1 · [p0 occupy T1 | p0 occupy T2 | p0 occupy T3 | "
          "p0 occupy T4 | p0 occupy T5]", "p0 occupy T4", (lambda t: t.cards.hand_size[0], 1)),
    claim("the match ends when all players are blocked",
          at(nearly_finished, "off"), ALL_BUT_P2_BLOCKED,
          "p2 build · p2 take n25 · dealer draw display t-blue · p2 blocked",
          (lambda t: t.outcome().reason, "all_blocked"), (lambda t: t.legal_moves(), [])),
    claim("with soft block every player is asked again in each turn",
          at(nearly_finished, "on"), ALL_BUT_P2_BLOCKED,
          "p0 blocked · p1 blocked · p2 build · p2 take n25 · dealer draw display t-blue",
          "p2 blocked · p0 blocked", lambda t: t.outcome() is None, "p1 blocked",
          (lambda t: t.outcome().reason, "all_blocked")),
    # -- 3.8 points
    claim("an unfinished trilithon counts nothing",
          at(position, phase="build", hands=[[], ["n8", "n9", "n10"], ["n11", "n12", "n13"]],
              projects=[project("t-red", "marked", disc=True), None, None],
              druids=["T1", "supply", "supply"], discs=[9, 10, 10]),
          (lambda t: t.scores(), (0, 0, 0))),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


def test_a_face_down_project_can_be_sabotaged_and_goes_unseen_under_the_pile() -> None:
    state = yellow_is_crowded()
    play(
        state,
        """[p3 draw | p3 sabotage p0 n22 | p3 sabotage p1 n22 | p3 sabotage p2 n22
        | p3 take n12 | p3 take n6 | p3 take n7]
        p3 sabotage p0 n22
        [p3 draw | p3 take n12 | p3 take n6 | p3 take n7]
        p3 take n6 · dealer draw display n13 · p3 play n21 · p3 occupy 21
        [p0 atone]
        p0 atone · p1 build · p1 take n7 · dealer draw display n14 · p1 play n8 · p1 occupy 8
        p2 build · p2 take n12 · dealer draw display n17 · p2 play n15 · p2 occupy 15
        [p2 done | p2 sabotage p1 n9 | p2 sabotage p3 n9]
        p2 done · p3 build · p3 take n13 · dealer draw display n18 · p3 play n20 · p3 occupy 20
        p0 atone
        [p0 draw | p0 take n14 | p0 take n17 | p0 take n18]
        p0 take n14 · dealer draw display n19
        [p0 play n1 | p0 play n14 | p0 play n2]
        p0 play n1 · p0 occupy 1""",
    )
    assert state.to_json()["under"] == [["d28", 0]]
    assert state.view(1)["under"] == [["?", 0]]
    assert state.view(0)["under"] == [["d28", 0]]


def test_a_project_is_stolen_from_a_druid_at_the_altar_whose_penance_goes_on() -> None:
    state = position(
        turn=1,
        hands=[["d4", "n5"], ["n1", "d11", "n9"], ["n13", "n14", "n15"]],
        projects=[project("t-red", "pillars-2"), None, None],
        druids=["lying", "supply", "supply"],
        display=["n20", "n21", "n22"],
    )
    play(
        state,
        """[p1 play d11 | p1 play n1 | p1 play n9 | p1 steal p0 n1,d11]
        p1 steal p0 n1,d11 · p1 occupy T1
        [p0 discard d11 | p0 discard d4 | p0 discard n1 | p0 discard n5]
        p0 discard d4""",
    )
    assert state.to_json()["druids"] == ["lying", "T1", "supply"]
    assert state.to_json()["projects"][1]["stage"] == "pillars-2"
    play(
        state,
        """p2 play n13 · p2 occupy 13 · p0 atone · p1 build · p2 build · p2 take n20
        dealer draw display n23 · p2 play n14 · p2 occupy 14 · p0 atone
        [p0 play d11 | p0 play n1 | p0 play n5]""",
    )


def test_the_owner_of_the_neutral_bars_is_whoever_used_the_first() -> None:
    state = position(
        phase="build",
        bars=[0, 0, 9],
        built={str(n): n % 2 for n in range(13, 31)},
        neutral=10,
        projects=[project("n3", "open"), project("n8", "open"), None],
        druids=["3", "8", "supply"],
        hands=[["n4", "n5", "n6"], ["n9", "n10", "n11"], ["n13", "n14", "n15"]],
        display=["n25", "n26", "n27"],
    )
    before = state.scores()
    play(state, "p0 build · p0 take n25" if state.cards.hand_size[0] < 3 else "p0 build")
    play(state, "p0 play n4 · p0 occupy 4 · p1 build")
    assert state.to_json()["influence"][1] == ["n8"]
    assert state.to_json()["neutral_owner"] == 0
    after = state.scores()
    assert (after[0] - before[0], after[1] - before[1]) == (2, 0)


# -- 3.8 points -----------------------------------------------------------------------------


def score(sites: str, neutral: str = "", neutral_owner: int | None = None, **options: str) -> int:
    """Points of p0 with these sites built on; neutral blocks besides."""
    own = dict.fromkeys(sites.split(), 0)
    blocks = sum(site.isdigit() for site in own)
    data = position().to_json()
    state = GAME.from_json(
        data
        | {
            "options": options,
            "built": own | dict.fromkeys(neutral.split(), 3),
            "bars": [9 - blocks, 9, 9],
            "discs": [10 - (len(own) - blocks), 10, 10],
            "neutral": 10 - len(neutral.split()),
            "neutral_owner": neutral_owner,
        }
    )
    assert sum(line.points for line in state.explain_scores()) == sum(state.scores())
    return state.scores()[0]


def test_five_blocks_in_a_row_bring_fourteen() -> None:
    assert score("3 4 5 6 7") == 14


def test_the_ring_is_closed_between_thirty_and_one() -> None:
    assert score("29 30 1 2") == 12


def test_neutral_blocks_join_rows_for_their_owner_only() -> None:
    assert score("3 4 6 7", neutral="5", neutral_owner=0) == 14
    assert score("3 4 6 7", neutral="5", neutral_owner=1) == 6


def test_the_dolerites_are_an_open_row() -> None:
    assert score("D1 D2 D3 D19") == 15


def test_the_trilithons_are_an_open_row_unless_the_option_closes_it() -> None:
    assert score("T1 T2 T5") == 29
    assert score("T1 T2 T5", trilith_ring="on") == 34
    assert score("T1 T2 T3 T4 T5") == 60
    assert score("T1 T2 T3 T4 T5", trilith_ring="on") == 65


def test_a_row_of_three_blocks_brings_nothing_extra_and_two_long_rows_count_twice() -> None:
    assert score("1 2 3") == 3 + 2
    assert score("1 2 3 4 6 7 8 9") == 8 + 6 + 10
    assert score("D1 D2 D4 D5 D6") == 10 + 3 + 5


def test_equal_points_share_the_place() -> None:
    state = play(
        nearly_finished("off"),
        ALL_BUT_P2_BLOCKED + "· p2 build · p2 take n25 · dealer draw display t-blue · p2 blocked",
    )
    outcome = state.outcome()
    assert outcome is not None
    assert sorted(seat for group in outcome.ranking for seat in group) == [0, 1, 2]
    assert outcome.scores == state.scores()
