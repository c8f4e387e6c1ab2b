"""Dominion: the worked examples of the rules, section by section, then the rulings."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from rules.core import Move, OptionError, StateError
from rules.games.dominion import GAME
from rules.games.dominion.components import BASIC, CARDS, COST, KINGDOM, KINGDOMS, NAMES
from rules.match import Match
from rules.telling import Teller, load_text
from tests.support.dominion_table import Table
from tests.support.rulings import Steps, at, claim, doing, follow


def buys(seat: int, *cards: str) -> list[str]:
    return [f"p{seat} buy {card}" for card in cards]


def test_village_smithy_woodcutter() -> None:
    table = Table("village smithy copper×3 / woodcutter estate×2 copper / ", "")
    table.play("p0 play village", "dealer draw p0 estate")
    assert table.counters == (2, 1, 0)
    table.play("p0 play smithy").deal("woodcutter", "copper", "estate")
    assert table.counters == (1, 1, 0)
    table.play("p0 play woodcutter")
    assert table.counters == (0, 2, 2)
    table.play("p0 play copper ×3", "p0 buy village")
    assert table.counters == (0, 1, 2)
    table.play("p0 play copper", "p0 buy silver")
    assert table.weights == {
        "dealer draw p0 copper": 4,
        "dealer draw p0 estate": 2,
        "dealer draw p0 silver": 1,
        "dealer draw p0 smithy": 1,
        "dealer draw p0 village": 2,
        "dealer draw p0 woodcutter": 1,
    }


WITCH_AND_MOAT = [*KINGDOMS["first-game"][:8], "throne-room", "witch"]

RULINGS = [
    # -- worked examples
    claim("village smithy woodcutter with treasures first",
          at(Table, "village smithy copper×3 / woodcutter estate×2 copper / ", "",
              treasures_first="on"), "p0 play village · dealer draw p0 estate · p0 play smithy",
          doing(lambda t: t.deal("woodcutter", "copper", "estate").play("p0 play woodcutter",
              "p0 play copper ×3")), "p0 buy village", (lambda t: t.legal,
              [*buys(0, "cellar", "copper", "curse", "estate", "moat"), "p0 done"]),
          "p0 play copper ✗ treasure_after_buy"),
    claim("the last curse goes to the left even without a hand",
          at(Table, "witch", "", "copper", kingdom=WITCH_AND_MOAT, piles={"curse": 1}),
          "p0 play witch · [p2 none] · p2 none",
          (lambda t: (t.discards(1), t.discards(2)), ("curse", ""))),
    claim("throne room chain",
          at(Table, "throne-room×2 market smithy / copper×9", "", kingdom="village-square"),
          "p0 play throne-room · [p0 play market | p0 play smithy | p0 play throne-room]",
          "p0 play throne-room · [p0 play market | p0 play smithy] · p0 play market",
          "dealer draw p0 copper ×2 · [p0 play smithy] · p0 play smithy",
          "dealer draw p0 copper ×6", (lambda t: t.counters, (2, 3, 2))),
    claim("throne room without an action says none",
          at(Table, "throne-room copper", "", kingdom="village-square"),
          "p0 play throne-room · [p0 none]"),
    claim("throne room as the only card asks nothing",
          at(Table, "throne-room", "", kingdom="village-square"), "p0 play throne-room",
          (lambda t: t.legal, [*buys(0, "copper", "curse"), "p0 done"])),
    claim("mine trashes a treasure and gains one into the hand",
          at(Table, "mine copper silver estate", ""), "p0 play mine · [p0 trash copper | "
          "p0 trash silver] · p0 trash silver · [p0 gain copper | p0 gain gold | "
          "p0 gain silver]", "p0 gain gold", (lambda t: t.hand(0), "copper estate gold"),
          at(Table, "mine estate", ""), "p0 play mine · [p0 none]"),
    claim("library does not shuffle in what is set aside",
          at(Table, "library copper×5 / militia / village estate", "", kingdom="interaction"),
          "p0 play library · dealer draw p0 militia · p0 aside militia", (lambda t: t.weights,
              {"dealer draw p0 estate": 1, "dealer draw p0 village": 1}),
          "dealer draw p0 estate · [p0 keep] · p0 keep · dealer draw p0 village · p0 keep",
          (lambda t: t.hand(0), "copper copper copper copper copper estate village"),
          (lambda t: t.discards(0), "militia")),
    # -- rulings
    claim("do1 treasures may be laid between two buys",
          at(Table("market copper×4 / copper", "").play("p0 play market").deal, "copper"),
          "p0 play copper ×2 · p0 buy silver · [… | p0 play copper]"),
    claim("do4 the trash is no pile and treasures count",
          at(Table, "", "", piles={"copper": 0, "silver": 0, "gold": 0}), "p0 done",
          (lambda t: t.state.outcome().reason, "piles")),
    claim("do12 no action after a treasure or a buy",
          at(Table, "village copper", ""), "p0 play copper · "
          "p0 play village ✗ action_phase_over", at(Table, "woodcutter village×2", ""),
          "p0 play woodcutter · p0 buy copper · p0 play village ✗ action_phase_over"),
    claim("do12 the last buy ends the turn",
          at(Table, "copper×5", ""), "p0 buy copper", (lambda t: t.state.turns, [1, 0])),
    claim("do15 nobody draws after the last turn",
          at(Table, "gold×3 / copper×5", "", piles={"province": 1}),
          "p0 play gold ×3 · p0 buy province", (lambda t: t.cards(0).hand, {}),
          (lambda t: t.cards(0).draw_size(), 5)),
    claim("do15 a province pile emptied by an action does not end the turn",
          at(Table, "remodel gold", "", piles={"province": 1}),
          "p0 play remodel · p0 trash gold · p0 gain province",
          lambda t: t.state.outcome() is None, "p0 done",
          (lambda t: t.state.outcome().reason, "provinces")),
    claim("do17 a hand card that comes to lie on top is not shown",
          at(Table, "copper×5 / estate×9", ""), "p0 done", (lambda t: t.cards(0).face, ""),
          at(Table, "copper×5 / estate×9", ""), "p0 play copper · p0 done",
          (lambda t: t.cards(0).face, "copper")),
    claim("do28 lower places go by points then turns",
          at(Table, "gold×3", " / / curse", " / / estate", " / / curse", piles={"province": 1}),
          "p0 play gold ×3 · p0 buy province",
          (lambda t: t.state.outcome().ranking, ((0,), (2,), (1, 3))),
          (lambda t: t.state.outcome().scores, (6, -1, 1, -1))),
    claim("do30 gardens count full tens of all own cards",
          at(Table, "gardens copper×3 / silver×8 / gold×6 gardens", "",
              kingdom="size-distortion"), (lambda t: t.state.scores(), (2, 0)), "p0 buy copper",
          (lambda t: t.state.scores(), (4, 0))),
    # -- refusals and safety
    claim("a dealt card comes before everything else",
          at(Table, "village / copper×3", "copper"),
          "p0 play village · p0 done ✗ draw_first · dealer draw p1 copper ✗ other_pile",
          "dealer draw p0 gold ✗ not_in_pile · dealer reveal p0 copper ✗ draw_first"),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


@pytest.mark.parametrize(
    ("duchy", "ranking", "scores"),
    [
        ("duchy", ((3,), (0, 1, 2)), (9, 9, 9, 9)),
        ("", ((2,), (3,), (0, 1)), (6, 6, 9, 6)),
    ],
)
def test_fewer_turns(duchy: str, ranking: tuple[tuple[int, ...], ...], scores: object) -> None:
    others = f" / copper×5 / province {duchy}"
    table = Table(others, others, "gold×3 / / duchy", others, piles={"province": 1})
    table.play("p0 done").deal(*["copper"] * 5).play("p1 done").deal(*["copper"] * 5)
    if table.legal == ["dealer draw p2 gold"]:
        raise AssertionError("p2 already has their hand")
    table.play("p2 play gold ×3", "p2 buy province")
    assert table.legal == []
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking, outcome.scores) == ("provinces", ranking, scores)


def test_opening() -> None:
    match = Match("dominion", 2, {"last_winners": "p1"})
    assert [m.text for m in match.legal_moves()] == [
        "dealer draw p0 copper",
        "dealer draw p0 estate",
    ]
    assert list(match.state.weights(match.legal_moves())) == [7, 3]

    def push(*texts: str) -> None:
        for text in texts:
            match.push(text)

    push(*["dealer draw p0 copper"] * 4, "dealer draw p0 estate")
    push(*["dealer draw p1 copper"] * 3, *["dealer draw p1 estate"] * 2)
    assert [m.text for m in match.legal_moves()] == [
        *buys(0, "copper", "curse"),
        "p0 done",
        "p0 play copper",
    ]
    push(*["p0 play copper"] * 4)
    assert [m.text for m in match.legal_moves()] == [
        *buys(
            0, "cellar", "copper", "curse", "estate", "militia", "moat", "remodel", "silver",
            "smithy", "village", "woodcutter", "workshop",
        ),
        "p0 done",
    ]  # fmt: skip
    push("p0 buy smithy")
    push(*[f"dealer draw p0 {card}" for card in ("copper", "estate", "copper", "estate")])
    assert [m.text for m in match.legal_moves()] == ["dealer draw p0 copper"]
    push("dealer draw p0 copper", "p1 done", *["dealer draw p1 copper"] * 4)
    push("dealer draw p1 estate", "p0 done")
    moves = match.legal_moves()
    assert dict(zip([m.text for m in moves], match.state.weights(moves), strict=True)) == {
        "dealer draw p0 copper": 7,
        "dealer draw p0 estate": 3,
        "dealer draw p0 smithy": 1,
    }


def test_throne_room_attack_moat() -> None:
    table = Table(
        "throne-room witch / copper×4", "moat copper", "copper",
        kingdom=WITCH_AND_MOAT, piles={"curse": 3},
    )  # fmt: skip
    table.play("p0 play throne-room")
    assert table.legal == ["p0 play witch"]
    table.play("p0 play witch")
    assert table.legal == ["p1 none", "p1 show moat"]
    table.play("p1 show moat")
    assert table.legal == ["p2 none"]
    table.play("p2 none", "dealer draw p0 copper ×2")
    assert (table.discards(1), table.discards(2)) == ("", "curse")
    table.play("p1 none", "p2 none", "dealer draw p0 copper ×2")
    assert (table.discards(1), table.discards(2)) == ("curse", "curse curse")
    assert table.state.piles["curse"] == 0


def test_throne_room_militia_twice_against_five_cards() -> None:
    kingdom = [*KINGDOMS["first-game"][:9], "throne-room"]
    table = Table(
        "throne-room militia silver / copper×5", "copper×4 estate / copper", kingdom=kingdom
    )
    table.play("p0 play throne-room", "p0 play militia", "p1 none")
    table.play("p1 discard estate", "p1 discard copper")
    assert table.legal == ["p1 none"]
    table.play("p1 none", "p0 play silver", "p0 buy gold", "dealer draw p0 copper")


def test_throne_room_on_feast_gains_twice_and_trashes_once() -> None:
    table = Table("throne-room feast", "", kingdom="big-money")
    before = Counter(table.state.trash)
    table.play("p0 play throne-room", "p0 play feast", "p0 gain duchy", "p0 gain laboratory")
    assert table.trashed(before) == Counter(feast=1)
    assert table.discards(0) == "duchy laboratory"


def test_thief_reshuffles_without_the_card_already_revealed() -> None:
    kingdom = [card for card in KINGDOMS["interaction"] if card != "moat"] + ["cellar"]
    table = Table(
        "thief", " / silver / copper estate", " / gold estate", kingdom=kingdom, piles={"gold": 28}
    )
    table.play("p0 play thief")
    assert table.legal == ["dealer reveal p1 silver"]
    table.play("dealer reveal p1 silver")
    assert table.weights == {"dealer reveal p1 copper": 1, "dealer reveal p1 estate": 1}
    table.play("dealer reveal p1 copper")
    assert table.legal == ["p0 trash p1 copper", "p0 trash p1 silver"]
    table.play("p0 trash p1 silver", "dealer reveal p2 estate", "dealer reveal p2 gold")
    assert table.legal == ["p0 trash p2 gold"]
    table.play("p0 trash p2 gold")
    assert table.legal == ["p0 done", "p0 gain gold", "p0 gain silver"]
    table.play("p0 gain gold")
    assert table.legal == ["p0 done", "p0 gain silver"]
    assert table.refused("p0 gain gold") == ["not_trashed_now"]
    assert "gold" in table.state.trash


def test_spy_puts_known_cards_back_and_passes_over_who_has_none() -> None:
    table = Table(
        "spy / copper×2", "copper / estate silver", "copper", kingdom="interaction"
    )  # fmt: skip
    table.play("p0 play spy", "p1 none", "p2 none", "dealer draw p0 copper")
    table.play("dealer reveal p0 copper", "p0 keep p0 copper", "dealer reveal p1 silver")
    table.play("p0 keep p1 silver")
    assert table.legal == [
        *buys(0, "copper", "curse"), "p0 done", "p0 play copper",
    ]  # fmt: skip
    table.play("p0 done")
    assert table.legal == ["dealer draw p0 copper"]
    table.deal("copper", "copper", "spy").play("p1 done")
    assert table.legal == ["dealer draw p1 silver"]


def test_bureaucrat_asks_for_a_victory_card_or_the_whole_hand() -> None:
    kingdom = [*KINGDOMS["size-distortion"][:9], "bureaucrat"]
    table = Table(
        "bureaucrat", "estate gardens curse", "curse gold copper×2", "", kingdom=kingdom
    )  # fmt: skip
    table.play("p0 play bureaucrat")
    assert table.legal == ["p1 topdeck estate", "p1 topdeck gardens"]
    table.play("p1 topdeck gardens")
    assert table.legal == ["p2 show copper,copper,curse,gold"]
    table.play("p2 show copper,copper,curse,gold", "p0 done")
    assert table.legal == ["dealer draw p0 silver"]


def test_three_empty_piles_end_the_match_after_the_turn() -> None:
    table = Table("village workshop / copper", "", piles={"curse": 0, "cellar": 0, "estate": 1})
    table.play("p0 play village", "dealer draw p0 copper", "p0 play workshop", "p0 gain estate")
    assert table.state.outcome() is None
    table.play("p0 done")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking, outcome.scores) == ("piles", ((0,), (1,)), (1, 0))


def test_a_hundred_quiet_turns_end_a_dead_match_of_two() -> None:
    table = Table("", "", piles={"copper": 0, "curse": 0})
    for turn in range(100):
        assert table.legal == [f"p{turn % 2} done"]
        table.play(f"p{turn % 2} done")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("quiet", ((0, 1),))


# -- 8.1 set-up -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "victory", "curses", "coppers"), [(2, 8, 10, 46), (3, 12, 20, 39), (4, 12, 30, 32)]
)
def test_there_are_17_piles(players: int, victory: int, curses: int, coppers: int) -> None:
    options = GAME.complete_options(players, {"kingdom": "size-distortion"})
    supply = GAME.setup(players, options, physical=False).piles
    assert len(supply) == 17
    assert [supply[c] for c in BASIC] == [coppers, 40, 30, victory, victory, victory, curses]
    assert supply["gardens"] == victory
    assert supply["cellar"] == 10


def test_the_names_of_the_cards_are_those_of_the_texts() -> None:
    for lang in ("de", "en"):
        kinds = load_text("dominion", lang)["kinds"]
        assert {card: kinds[card] for card in CARDS} == {c: NAMES[c][lang] for c in CARDS}


def test_there_are_25_kingdom_cards_and_each_set_has_ten() -> None:
    assert len(KINGDOM) == 25
    assert len(CARDS) == 32
    for name, kingdom in KINGDOMS.items():
        assert len(set(kingdom)) == 10, name
        assert set(kingdom) <= set(KINGDOM), name
    assert COST["adventurer"] == 6


# -- rulings --------------------------------------------------------------------------------


def test_do11_ten_cards_named_before_the_match_are_its_kingdom() -> None:
    named = ["witch", "adventurer", *KINGDOMS["first-game"][:8]]
    match = Match("dominion", 2, {"kingdom": ",".join(named)}, seed=4)
    assert set(match.state.kingdom) == set(named)
    assert set(match.state.piles) == {*BASIC, *named}


@pytest.mark.parametrize(
    "value",
    [
        ",".join(KINGDOMS["first-game"][:9]),
        ",".join([*KINGDOMS["first-game"][:9], "copper"]),
        ",".join([*KINGDOMS["first-game"][:9], "cellar", "cellar"]),
    ],
)
def test_do11_nine_cards_or_cards_of_every_match_are_no_kingdom(value: str) -> None:
    with pytest.raises(OptionError):
        GAME.complete_options(2, {"kingdom": value})


def test_do11_random_names_ten_of_25() -> None:
    match = Match("dominion", 3, {"kingdom": "random"}, seed=4)
    assert len(match.legal_moves()) == 25
    for number in range(10):
        assert len(match.legal_moves()) == 25 - number
        move = match.next_chance()
        assert move is not None and move.verb == "kingdom"
        match.push(move)
    assert len(match.state.kingdom) == 10
    assert [m.text for m in match.legal_moves()] == [f"dealer start p{s}" for s in range(3)]


def test_do11_choose_asks_the_players_in_turn() -> None:
    match = Match("dominion", 3, {"kingdom": "choose", "last_winners": "p0"})
    for number, card in enumerate(KINGDOM[:10]):
        assert match.prompt is not None
        assert match.prompt.player == number % 3
        assert [o.code for o in match.why_not("p0 kingdom gold")] in (
            [["not_kingdom_card"]] if number % 3 == 0 else [["wrong_player"]]
        )
        match.push(f"p{number % 3} kingdom {card}")
    assert match.legal_moves()[0].text == "dealer draw p1 copper"


@pytest.mark.parametrize(
    ("winners", "first"),
    [
        ("none", ["dealer start p0", "dealer start p1", "dealer start p2"]),
        ("p0,p1,p2", ["dealer start p0", "dealer start p1", "dealer start p2"]),
        ("p2", ["dealer draw p0 copper", "dealer draw p0 estate"]),
        ("p0,p2", ["dealer draw p1 copper", "dealer draw p1 estate"]),
    ],
)
def test_do16_who_starts(winners: str, first: list[str]) -> None:
    match = Match("dominion", 3, {"last_winners": winners})
    assert [m.text for m in match.legal_moves()] == first


def test_do16_after_several_winners_the_others_draw_lots() -> None:
    match = Match("dominion", 4, {"last_winners": "p0,p2"})
    assert [m.text for m in match.legal_moves()] == ["dealer start p1", "dealer start p3"]
    assert [o.code for o in match.why_not("dealer start p0")] == ["not_a_candidate"]


def test_do16_a_winner_who_does_not_play_is_bad_use() -> None:
    with pytest.raises(OptionError, match="only 2 play"):
        Match("dominion", 2, {"last_winners": "p0,p3"})


def test_do17_other_players_see_a_draw_as_unknown() -> None:
    state = GAME.setup(2, GAME.complete_options(2, {"last_winners": "p1"}), physical=False)
    move = Move.parse("dealer draw p0 copper")
    assert state.public(move, 0).text == "dealer draw p0 copper"
    assert state.public(move, 1).text == "dealer draw p0 ?"
    assert state.public(move, None).text == "dealer draw p0 ?"


def test_do17_a_view_hides_hands_and_piles() -> None:
    table = Table("copper×4 estate / silver×5 / gold×2", "militia×2 copper / silver / estate")
    mine, theirs = table.state.view(0)["seats"]
    assert mine["hand"] == {"copper": 4, "estate": 1}
    assert (mine["draw"], mine["discard"], mine["face"]) == (5, 2, "gold")
    assert (theirs["hand"], theirs["draw"], theirs["discard"]) == (3, 1, 1)


def test_do29_with_quiet_rounds_off_nothing_ends_by_quiet() -> None:
    table = Table("", "", piles={"copper": 0, "curse": 0}, quiet_rounds="off")
    for turn in range(120):
        table.play(f"p{turn % 2} done")
    assert table.state.outcome() is None


def test_do29_a_card_that_leaves_the_supply_begins_the_count_anew() -> None:
    table = Table("", "", piles={"copper": 1, "curse": 0})
    for turn in range(60):
        table.play(f"p{turn % 2} done")
    table.play("p0 buy copper", "dealer draw p0 copper", "p1 done")
    assert table.state.quiet == 1


# -- refusals and safety --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "codes"),
    [
        ("p0 play smithy", ["not_owned"]),
        ("p0 play estate", ["not_playable"]),
        ("p0 play silver", ["not_in_hand"]),
        ("p0 buy gold", ["too_dear"]),
        ("p0 buy cellar", ["pile_empty", "too_dear"]),
        ("p0 buy witch", ["not_in_game"]),
        ("p0 gain copper", ["nothing_asks"]),
        ("p1 done", ["wrong_player"]),
        ("p2 done", ["unknown_move"]),
        ("p0 play p1", ["unknown_move"]),
        ("dealer draw p0 copper", ["no_card_due"]),
        ("dealer draw p0 ?", ["unknown_move"]),
        ("p0 discard deck", ["nothing_asks"]),
    ],
)
def test_why_not_at_the_start_of_a_turn(move: str, codes: list[str]) -> None:
    table = Table("village copper estate / silver", "copper", piles={"cellar": 0})
    assert table.refused(move) == codes


def test_json_of_something_else_is_refused_with_a_reason() -> None:
    data = Table("copper", "estate").state.to_json()
    broken = json.loads(json.dumps(data))
    broken["seats"][0]["hand"] = {"copper": 2}
    with pytest.raises(StateError, match="copper"):
        GAME.from_json(broken)
    for key in data:
        broken = json.loads(json.dumps(data))
        del broken[key]
        with pytest.raises(StateError):
            GAME.from_json(broken)
    for frame in ([], ["dance", 0], ["draw", 0], ["draw", 7, 1], ["gain", 0, 4, "dog"]):
        broken = json.loads(json.dumps(data))
        broken["stack"] = [frame]
        with pytest.raises(StateError):
            GAME.from_json(broken)


@pytest.mark.parametrize(
    ("hand", "moves", "refused", "told"),
    [
        ("copper×5", "", "p0 buy silver", "Lay money first."),
        ("copper×5", "p0 play copper", "p0 buy silver", "Lay more money"),
        ("militia", "p0 play militia", "p1 done", "Until only three cards are left"),
        ("mine copper", "p0 play mine", "p0 done", "does not say “may”"),
    ],
)
def test_what_is_refused_says_why(hand: str, moves: str, refused: str, told: str) -> None:
    table = Table(hand, "copper×5", kingdom=["militia", "mine", *KINGDOMS["village-square"][:8]])
    if moves:
        table.play(moves)
    objection = table.state.violations(Move.parse(refused))[0]
    assert told in str(Teller(GAME, "en", GAME.colours(2, {})).objection(objection))
