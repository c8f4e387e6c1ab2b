"""Erbaut Stonehenge!: every ruling that shows in play, and why moves are refused."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core import Move, OptionError, StateError
from rules.games.erbaut_stonehenge import GAME
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.match import Match
from tests.support.erbaut_table import dealt, position, project
from tests.support.rulings import Steps, at, claim, follow, legal, play, reasons

OTHERS = [["n8", "n9", "n10"], ["n11", "n12", "n13"]]
DISPLAY = ["n25", "n26", "n27"]
P0_HAS_NO_DISC = {f"D{n}": 0 for n in range(1, 11)}


def building(card: str, site: str, hand: list[str], **changes: Any) -> ErbautState:
    """p0 is to build what their druid waits for."""
    return position(
        **{
            "phase": "build",
            "hands": [hand, *OTHERS],
            "projects": [project(card, "open"), None, None],
            "druids": [site, "supply", "supply"],
            "display": DISPLAY,
        }
        | changes
    )


def trilithon(stage: str, hand: list[str], disc: bool = False, **changes: Any) -> ErbautState:
    """p0 is to build on t-red; their druid waits on T1."""
    return position(
        **{
            "phase": "build",
            "hands": [hand, *OTHERS],
            "projects": [project("t-red", stage, disc=disc), None, None],
            "druids": ["T1", "supply", "supply"],
            "display": DISPLAY,
        }
        | changes
    )


def without_bars() -> dict[str, Any]:
    """p0 and p1 have no bar left and the neutral ones are gone; 1 and 30 are free."""
    return {
        "bars": [0, 0, 9],
        "neutral": 0,
        "neutral_owner": 1,
        "built": {str(n): (n - 2) // 9 for n in range(2, 20)} | {str(n): 3 for n in range(20, 30)},
    }


RULINGS = [
    # -- rulings
    claim("es1 whoever can play is not blocked",
          at(position, hands=[["n1", "n2"], *OTHERS], display=DISPLAY),
          "p0 blocked ✗ ES1/can_play"),
    claim("es1 a theft may be declined",
          at(position, hands=[["n5", "n11"], ["n8", "n9", "n10"], ["n1", "n12", "n13"]],
              projects=[None, project("t-red", "pillars-0"), None],
              druids=["supply", "T1", "supply"],
              built={str(n): 1 for n in (5, 11, 17, 23, 29)} | P0_HAS_NO_DISC, bars=[9, 4, 9],
              discs=[0, 10, 10], display=DISPLAY), "[p0 blocked | p0 steal p1 n5,n11]"),
    claim("es2 a blocked player is skipped for good",
          at(position, hands=[[], *OTHERS], display=DISPLAY),
          "p0 blocked · p1 play n8 · p1 occupy 8 · p2 play n11 · p2 occupy 11 · [p1 build]"),
    claim("es3 a trilithon counts as the one card due",
          at(building, "n3", "3", ["n20", "n21"], display=["n25", "n26", "t-red"]),
          "p0 build · p0 take t-red · dealer draw display n1 · p0 occupy T1",
          (lambda t: t.cards.hand_size[0], 2)),
    claim("es4 the second card comes from the display and not from the pile",
          at(building, "n3", "3", ["n20"]), "p0 build · p0 draw · dealer draw p0 t-red · "
          "p0 draw ✗ ES4/from_display"),
    claim("es5 only one of several open trilithons is taken",
          at(building, "n3", "3", ["n20"], display=["n25", "t-blue", "t-red"]),
          "p0 build · [p0 take t-blue | p0 take t-red] · p0 take t-red · [p0 take n25]",
          "p0 take t-blue ✗ ES5/from_display"),
    claim("es6 a full hand need not take the trilithon",
          at(building, "n3", "3", ["n20", "n21", "n22"], display=["n25", "n26", "t-red"]),
          "p0 build · [p0 play n20 | p0 play n21 | p0 play n22]"),
    claim("es7 a druid on the own number is no block for a dolerite",
          at(dealt, ["n3 n4 n5", "d3 d9 n9", "n13 n14 n15"], "n25 n26 n27"),
          "p0 play n3 · p0 occupy 3 · p1 play n9 · p1 occupy D1 ✗ ES7/number_free",
          "p1 occupy 3 ✗ ES8/reserved"),
    claim("es8 a site with a druid is not free",
          at(dealt, ["n3 n4 n5", "n9 d9 n10", "n13 n14 n15"], "n25 n26 n27"), "p0 play n3 · "
          "p0 occupy 9 · p1 play n9 · [p1 occupy 15 | p1 occupy 21 | p1 occupy 27 | "
          "p1 occupy 3]"),
    claim("es9 only what fits nowhere is given up",
          at(dealt, ["d3 n4 n5", "n9 d9 n10", "n13 n14 n15"], "n25 n26 n27"),
          "p0 play d3 · p1 play n9 · p1 occupy 3 · p2 play n13 · p2 occupy 13 · p0 build",
          "p0 discard d3 ✗ ES9/keep_project · p0 discard n4 ✗ ES29/no_discard"),
    claim("es12 a neutral block on an own field gives influence",
          at(building, "n1", "1", ["n20", "n21", "n22"], bars=[0, 9, 9],
              built={str(n): 0 for n in range(2, 11)}), "p0 build",
          (lambda t: (t.to_json()["built"]["1"], t.to_json()["influence"][0],
              t.to_json()["neutral"]), (3, ["n1"], 9))),
    claim("es13 without bars the ring is closed but dolerites are not",
          at(position, hands=[["n1", "n2"], *OTHERS], display=DISPLAY, **without_bars()),
          "[p0 play n2] · p0 play n1 ✗ 3.4/fits_nowhere · p0 play n2",
          "p0 occupy 1 ✗ 3.4/wrong_colour ES13/no_piece", (lambda t: legal(t),
              sorted(f'p0 occupy D{n}' for n in range(1, 20)))),
    claim("es15 the thief may use the same field and keeps the pillars",
          at(position, hands=[["n5", "n14"], *OTHERS],
              projects=[None, project("t-red", "pillars-1"), None],
              druids=["supply", "T3", "supply"], display=DISPLAY),
          "p0 steal p1 n5,n14 · p0 occupy T3", (lambda t: t.to_json()["druids"],
              ["T3", "supply", "supply"]), (lambda t: t.to_json()["projects"][0],
              project("t-red", "pillars-1", stolen=True))),
    claim("es17 one influence card per turn and it leaves the game",
          at(position, phase="end", hands=[["n20"], *OTHERS], projects=[project("d3",
              "face-down"), project("n4", "open"), project("d5", "face-down")],
              druids=["supply", "4", "supply"], influence=[["n1", "n7"], [], []], display=DISPLAY),
          "[p0 done | p0 sabotage p1 n1 | p0 sabotage p1 n7 | p0 sabotage p2 n1 | "
          "p0 sabotage p2 n7]", "p0 sabotage p1 n7 · [p1 atone]",
          (lambda t: t.to_json()["gone"], ["n7"]),
          (lambda t: t.to_json()["under"], [["n4", None]])),
    claim("es17 a sabotage in the middle of a turn frees a site at once",
          at(position, hands=[["n4"], *OTHERS], projects=[None, project("n28", "open"), None],
              druids=["supply", "28", "supply"],
              built={str(n): 2 for n in (4, 10, 16, 22)} | P0_HAS_NO_DISC, bars=[9, 9, 5],
              discs=[0, 10, 10], influence=[["n1", "n7"], [], []], display=DISPLAY),
          "[p0 blocked | p0 sabotage p1 n1 | p0 sabotage p1 n7] · p0 sabotage p1 n1 · "
          "[p0 play n4]", "p0 play n4 · [p0 occupy 28]",
          (lambda t: reasons(t, "p0 sabotage p2 n7")[0], ("ES17", "sabotage_used"))),
    claim("es18 a druid at the altar or an empty yard is no target",
          at(position, hands=[["n20"], *OTHERS],
              projects=[None, project("t-red", "pillars-0"), None],
              druids=["supply", "lying", "supply"], influence=[["n1"], [], []], display=DISPLAY),
          "[p0 play n20] · p0 sabotage p1 n1 ✗ ES18/already_atoning",
          "p0 sabotage p2 n1 ✗ ES18/no_project_there",
          "p0 sabotage p2 n2 ✗ 3.7/no_influence ES18/no_project_there"),
    claim("es20 after penance without a project the turn goes on as usual",
          at(position, phase="build", hands=[["n20"], *OTHERS],
              druids=["standing", "supply", "supply"], display=DISPLAY),
          "p0 atone · [p0 draw | p0 take n25 | p0 take n26 | p0 take n27]",
          "p0 atone ✗ 3.7/not_at_altar"),
    claim("es24 in the first round there is only the project phase",
          at(dealt, ["n3 n4 n5", "n9 n10 n11", "n13 n14 n15"], "n25 n26 t-red"),
          "p0 take t-red ✗ 3.3/draw_over · p0 draw ✗ 3.3/draw_over · p0 build ✗ 3.3/no_project"),
    claim("es26 the druid goes out after the display was refilled",
          at(building, "n3", "3", ["n20", "n21"], display=["n25", "n26", "t-red"]),
          "p0 build · p0 take t-red · p0 occupy T1 ✗ 3.3/deal_first"),
    claim("es30 a project whose bar has run out is given up",
          at(position, phase="build", hands=[["n20", "n21", "n22"], *OTHERS],
              projects=[project("n1", "open"), None, None], druids=["1", "supply", "supply"],
              display=DISPLAY, **without_bars()), "p0 build ✗ ES30/no_piece · "
          "p0 discard n20 ✗ ES9/other_card · [p0 discard n1]", "p0 discard n1",
          (lambda t: t.to_json()["druids"][0], "supply"),
          "[p0 play n20 | p0 play n21 | p0 play n22]"),
    claim("es33 the display is refilled even if nothing was due",
          at(building, "n3", "3", ["n20", "n21", "n22"], display=["n25"]), "p0 build · "
          "dealer draw display n1 · dealer draw display n2 · [p0 play n20 | p0 play n21 | "
          "p0 play n22]"),
    claim("es33 it is not refilled where the draw phase is left out",
          at(position, phase="build", hands=[["n20"], *OTHERS],
              projects=[project("t-red", "pillars-0"), project("n4", "open"), None],
              druids=["T1", "4", "supply"], display=["n25"]), "p0 build · [p1 build] · p1 build",
          lambda t: legal(t)[0].startswith("dealer draw display")),
    # -- other refusals
    claim("a trilithon in the display is taken before anything else",
          at(building, "n3", "3", ["n20"], display=["n25", "n26", "t-red"]),
          "p0 build · [p0 take t-red] · p0 take n25 ✗ 3.3/trilithon_first",
          "p0 draw ✗ 3.3/trilithon_first · p0 take n27 ✗ 3.3/not_in_display",
          "p0 play n20 ✗ 3.3/draw_first"),
    claim("sites are refused for their own reasons",
          at(position, phase="occupy", hands=[["n20"], *OTHERS],
              projects=[project("n3", "open"), project("n27", "open"), None],
              druids=["supply", "9", "supply"], built={"15": 1, "D4": 0}, bars=[9, 8, 9],
              discs=[9, 10, 10], display=["n25", "n26", "n30"]),
          "p0 occupy 4 ✗ 3.4/wrong_colour · p0 occupy 15 ✗ 3.4/built_on",
          "p0 occupy 9 ✗ ES8/reserved · p0 occupy T1 ✗ 3.4/no_trilithon_card",
          "p0 occupy D4 ✗ ES7/number_free 3.4/built_on · p0 build ✗ 3.4/occupy_first"),
    claim("a trilithon stands on trilithon fields only",
          at(trilithon, "pillars-0", ["n20"], phase="occupy",
              druids=["supply", "T2", "supply"]), "p0 occupy 5 ✗ 3.4/trilithon_field · "
          "p0 occupy T2 ✗ ES8/reserved"),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


def test_es22_without_pile_and_display_nothing_is_drawn() -> None:
    state = building("n3", "3", ["n20"], display=[])
    data = state.to_json()
    state = GAME.from_json(data | {"pile": [], "gone": data["pile"]})
    play(state, "p0 build [p0 play n20]")


def test_es10_block_and_dolerite_are_a_free_choice() -> None:
    state = position(
        hands=[["n3"], *OTHERS], display=DISPLAY, built={"3": 1}, bars=[9, 8, 9], phase="project"
    )
    play(state, "p0 play n3")
    sites = [move.split()[2] for move in legal(state)]
    assert {"9", "15", "21", "27", "D1", "D19"} <= set(sites)
    assert len(sites) == 4 + 19


def test_es11_black_cards_build_on_black_and_pay_no_theft() -> None:
    state = position(
        hands=[["n5", "n6"], *OTHERS],
        projects=[None, project("t-red", "pillars-0"), None],
        druids=["supply", "T1", "supply"],
        display=DISPLAY,
    )
    assert legal(state) == ["p0 play n5", "p0 play n6"]
    assert reasons(state, "p0 steal p1 n5,n6") == [("ES11", "price")]
    play(
        state,
        """p0 play n6 [p0 occupy 12 | p0 occupy 18 | p0 occupy 24 | p0 occupy 30 | p0 occupy 6]
        p0 occupy 6 · p1 build · p2 play n11 · p2 occupy 11 · p0 build""",
    )
    assert state.to_json()["influence"] == [[], [], []]
    assert state.to_json()["gone"][-1:] == ["n6"]


def test_es14_without_a_disc_the_capstone_counts_as_marked() -> None:
    state = trilithon("pillars-2", ["n20"], discs=[0, 10, 10], built=P0_HAS_NO_DISC)
    play(state, "p0 build")
    assert state.to_json()["projects"][0] == project("t-red", "marked")
    assert codes_of_thief(state) == [("3.6", "marked")]
    kinds = {item.kind for item in state.layout() if item.site == "C1"}
    assert kinds == {"card t-red", "pillar", "trilithon"}


def codes_of_thief(state: ErbautState) -> list[tuple[str, str]]:
    """The reasons why p1, next to play, may not steal from p0; wrong prices aside."""
    found = reasons(state, "p1 steal p0 n8,n9")
    return [entry for entry in found if entry[1] not in ("price", "not_in_hand")]


def test_a_marked_project_is_safe_and_stands_one_step_later() -> None:
    state = trilithon("pillars-2", ["n20"])
    play(state, "p0 build · p1 play n8 · p1 occupy 8 · p2 play n11 · p2 occupy 11 · p0 build")
    assert state.to_json()["built"]["T1"] == 0
    assert state.to_json()["discs"][0] == 9
    assert "t-red" in state.to_json()["gone"]
    assert legal(state)[0] == "p0 draw"


def test_es19_several_druids_may_be_at_the_altar() -> None:
    state = position(
        phase="build",
        hands=[["n20"], *OTHERS],
        druids=["lying", "standing", "lying"],
        display=DISPLAY,
    )
    poses = sorted(item.pose for item in state.layout() if item.site == "altar")
    assert poses == ["lying", "lying", "standing"]
    play(state, "p0 atone · p1 atone [p1 play n10 | p1 play n8 | p1 play n9]")


def test_penance_forbids_everything_else() -> None:
    state = trilithon("pillars-0", ["n20"], druids=["lying", "supply", "supply"])
    for move in ("p0 build", "p0 draw", "p0 take n25", "p0 play n20", "p0 occupy T1", "p0 blocked"):
        assert reasons(state, move) == [("3.7", "at_altar")], move
    play(state, "p0 atone · p1 play n8 · p1 occupy 8 · p2 play n11 · p2 occupy 11 · p0 atone")
    assert legal(state) == [f"p0 occupy T{n}" for n in range(1, 6)]


@pytest.mark.parametrize(("players", "neutral"), [(3, "yellow"), (4, "red")])
def test_es25_the_neutral_colour_is_the_first_nobody_plays(players: int, neutral: str) -> None:
    options = GAME.complete_options(players, {})
    assert GAME.colours(players, options) == ("white", "blue", "green", "yellow")[:players]
    data = Match(GAME, players).state.to_json()
    data |= {"neutral": 9, "neutral_owner": 0, "built": {"8": players}}
    layout = GAME.from_json(data).layout()
    assert {item.kind for item in layout if item.site == "8"} == {f"bar {neutral}"}


def test_es27_a_day_card_is_played_only_if_it_fits_now() -> None:
    state = position(hands=[["d4", "n5"], *OTHERS], display=DISPLAY)
    assert legal(state) == ["p0 play d4", "p0 play n5"]
    yellow = {str(n): 1 for n in (4, 10, 16, 22, 28)}
    full = GAME.from_json(state.to_json() | {"built": yellow, "bars": [9, 4, 9]})
    assert legal(full) == ["p0 play d4", "p0 play n5"], "a dolerite is possible"
    changes = {"built": yellow | P0_HAS_NO_DISC, "bars": [9, 4, 9], "discs": [0, 10, 10]}
    assert legal(GAME.from_json(state.to_json() | changes)) == ["p0 play n5"]


@pytest.mark.parametrize("back", ["on", "off"])
def test_es28_stolen_twice_with_the_option_off_only_after_a_build_step(back: str) -> None:
    state = position(
        options={"steal_back": back},
        hands=[["n5", "n11"], ["n8", "n9", "n10"], ["n1", "n12", "n13"]],
        projects=[None, project("t-red", "pillars-1", stolen=True), None],
        druids=["supply", "T1", "supply"],
        display=DISPLAY,
    )
    refused = [] if back == "on" else [("ES28", "stolen_before")]
    assert reasons(state, "p0 steal p1 n5,n11") == refused
    play(state, "p0 play n5 · p0 occupy 5 · p1 build")
    assert state.to_json()["projects"][1]["stolen"] is False


def test_es29_the_owner_discards_one_by_one_until_he_has_three() -> None:
    state = position(
        turn=1,
        hands=[["n2", "n3", "n4"], ["n5", "n11"], ["n12", "n13", "n14"]],
        projects=[project("t-red", "pillars-0"), None, None],
        druids=["T1", "supply", "supply"],
        display=DISPLAY,
    )
    play(state, "p1 steal p0 n5,n11 · p1 occupy T1")
    assert reasons(state, "p0 play n2") == [("ES29", "discards_first")]
    assert reasons(state, "p1 discard n2") == [("ES29", "wrong_player")]
    assert reasons(state, "p0 discard n12") == [("3.3", "not_in_hand")]
    play(
        state,
        """p0 discard n11 [p0 discard n2 | p0 discard n3 | p0 discard n4 | p0 discard n5]
        p0 discard n2 [p2 play n12 | p2 play n13 | p2 play n14]""",
    )
    assert state.to_json()["under"] == [["n11", 0], ["n2", 0]]


def test_es34_cards_under_the_pile_come_last_and_in_their_order() -> None:
    state = building("n3", "3", ["n20"], under=[["n30", 1], ["d30", None]])
    data = state.to_json()
    data |= {"gone": [card for card in data["pile"] if card != "n1"], "pile": ["n1"]}
    state = GAME.from_json(data)
    play(state, "p0 build · p0 draw [dealer draw p0 n1] dealer draw p0 n1 · p0 draw")
    assert reasons(state, "dealer draw p0 d30") == [("ES34", "next_below")]
    play(state, "[dealer draw p0 n30] dealer draw p0 n30")


def test_es35_the_two_cards_of_a_theft_are_shown_to_all() -> None:
    state = GAME.setup(3, GAME.complete_options(3, {}), True)
    move = Move.parse("p1 steal p0 n11,n17")
    assert state.public(move, None) == move


# -- other refusals -------------------------------------------------------------------------


def test_the_turn_begins_with_the_build_step() -> None:
    state = building("n3", "3", ["n20"])
    for move in ("p0 take n25", "p0 play n20", "p0 done", "p0 blocked", "p0 occupy 9"):
        assert reasons(state, move) == [("3.3", "build_first")], move
    assert reasons(state, "p1 play n8") == [("3.3", "wrong_player")]
    assert reasons(state, "p0 discard n3") == [("ES9", "keep_project")]


def test_a_card_that_lies_open_somewhere_is_named_with_its_place() -> None:
    state = building("n3", "3", ["n20", "n21", "n22"])
    play(state, "p0 build")
    (objection,) = state.violations(Move.parse("p0 play n25"))
    assert (objection.code, objection.values["place"]) == ("lies_elsewhere", "in_display")
    # The owner of a card in hand stays secret.
    assert reasons(state, "p0 play n8") == [("3.3", "not_in_hand")]


def test_texts_that_are_no_moves_of_this_match_are_said_to_be_none() -> None:
    state = dealt(["n3 n4 n5", "n9 n10 n11", "n13 n14 n15"], "n25 n26 t-red")
    for text in (
        "p3 build", "p0 sabotage p0 n1", "p0 steal p0 n3,n4", "p0 steal p1 n4,n3", "p0 play t-red",
        "p0 play ?", "table show C1 d3", "dealer draw p0 ?", "dealer start p3", "p0 occupy D20",
    ):  # fmt: skip
        assert [code for _, code in reasons(state, text)] == ["unknown_move"], text


def test_only_three_or_four_can_play() -> None:
    for players in (2, 5):
        with pytest.raises(OptionError):
            GAME.complete_options(players, {})
    with pytest.raises(OptionError):
        GAME.complete_options(3, {"soft_block": "maybe"})


@pytest.mark.parametrize(
    "changes",
    [
        {"bars": [8, 9, 9]},
        {"discs": [11, 10, 10]},
        {"neutral": 9},
        {"turn": 3},
        {"display": ["n1", "n1", "n2"]},
        {"druids": ["supply", "supply", "moon"]},
        {"hands": [[], []]},
        {"phase": "tea"},
        {"built": {"T1": 3}},
        {"projects": [project("n3", "pillars-1"), None, None]},
    ],
)
def test_positions_that_cannot_be_are_not_read(changes: dict[str, Any]) -> None:
    data = position(hands=[["n20"], *OTHERS], display=DISPLAY).to_json()
    with pytest.raises(StateError):
        GAME.from_json(data | changes)
