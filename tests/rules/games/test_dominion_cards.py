"""Each kingdom card of Dominion: the plain case, as much as possible, empty piles, and the worst.

Every table here is watched by a physical referee, who must follow the public log.
"""

from __future__ import annotations

from collections import Counter

import pytest

from rules.core import Move
from rules.games.dominion import GAME
from rules.games.dominion.components import COST, KINGDOM
from tests.support.dominion_table import Table


def with_cards(*cards: str) -> list[str]:
    """A kingdom of ten with these cards; a Moat only if it is named."""
    rest = [card for card in KINGDOM if card not in cards and card != "moat"]
    return [*cards, *rest][:10]


def table(*seats: str, cards: str, **piles: int) -> Table:
    """A table with these kingdom cards; seats as ``hand / draw pile / discard pile``."""
    return Table(*seats, kingdom=with_cards(*cards.split()), piles=piles)


def gains(t: Table, seat: int, limit: int) -> list[str]:
    """All gains up to a cost from piles that are not empty."""
    piles = [card for card, left in t.state.piles.items() if left and COST[card] <= limit]
    return sorted(f"p{seat} gain {card}" for card in piles)


# -- adventurer -----------------------------------------------------------------------------


def test_adventurer_takes_two_treasures_and_discards_the_rest() -> None:
    t = table("adventurer / copper silver estate×3", "", cards="adventurer")
    t.play("p0 play adventurer", "dealer reveal p0 estate", "dealer reveal p0 copper")
    t.play("dealer reveal p0 estate", "dealer reveal p0 silver")
    assert t.hand(0) == "copper silver"
    assert t.discards(0) == "estate estate"
    assert "p0 play copper" in t.legal


def test_adventurer_shuffles_once_without_what_is_revealed_and_stops_when_nothing_is_left() -> None:
    t = table("adventurer / estate / gold duchy", "", cards="adventurer")
    t.play("p0 play adventurer", "dealer reveal p0 estate")
    assert t.weights == {"dealer reveal p0 duchy": 1, "dealer reveal p0 gold": 1}
    t.play("dealer reveal p0 duchy", "dealer reveal p0 gold")
    assert (t.hand(0), t.discards(0)) == ("gold", "duchy estate")


def test_adventurer_with_no_card_at_all_does_nothing() -> None:
    t = table("adventurer", "", cards="adventurer").play("p0 play adventurer")
    assert t.legal == ["p0 buy copper", "p0 buy curse", "p0 done"]


def test_adventurer_under_throne_room_reveals_anew_and_shuffles_its_own_discards() -> None:
    t = table("throne-room adventurer / estate copper×2 silver", "", cards="adventurer throne-room")
    t.play("p0 play throne-room", "p0 play adventurer")
    t.play("dealer reveal p0 estate", "dealer reveal p0 copper ×2")
    t.play("dealer reveal p0 silver")
    assert t.legal == ["dealer reveal p0 estate"]
    t.play("dealer reveal p0 estate")
    assert (t.hand(0), t.discards(0)) == ("copper copper silver", "estate")


# -- bureaucrat -----------------------------------------------------------------------------


def test_bureaucrat_gains_a_silver_onto_the_draw_pile() -> None:
    t = table("bureaucrat / copper×5", "copper estate", cards="bureaucrat")
    t.play("p0 play bureaucrat")
    assert t.legal == ["p1 topdeck estate"]
    t.play("p1 topdeck estate", "p0 done")
    assert t.legal == ["dealer draw p0 silver"]
    t.deal("silver", *["copper"] * 4).play("p1 done")
    assert t.legal == ["dealer draw p1 estate"]


def test_bureaucrat_without_silvers_still_attacks() -> None:
    t = table("bureaucrat", "copper×2", cards="bureaucrat", silver=0)
    t.play("p0 play bureaucrat")
    assert t.legal == ["p1 show copper,copper"]
    assert t.refused("p1 show copper") == ["wrong_hand"]
    t.play("p1 show copper,copper")
    assert t.cards(0).draw_size() == 0


def test_bureaucrat_wants_no_hand_named_at_a_table_and_still_reads_one() -> None:
    """DO27: the hand is shown to the players; older records name its cards."""
    t = table("bureaucrat", "copper×2 curse", cards="bureaucrat").play("p0 play bureaucrat")
    offered = [move.text for move in t.referee.legal_moves()]
    assert "p1 none" in offered and not [text for text in offered if " show " in text]
    implied = GAME.inference.implied(t.referee, t.referee.legal_moves(), {})
    assert implied == [], "a card face down looks the same"
    named = t.referee.clone()
    for state, text in ((t.referee, "p1 none"), (named, "p1 show copper,copper,curse")):
        move = Move.parse(text)
        assert state.violations(move) == []
        state.apply(move)
        prompt = state.prompt()
        assert prompt is not None and prompt.code == "buy"


def test_bureaucrat_does_not_accept_a_curse_or_a_hidden_victory_card() -> None:
    t = table("bureaucrat", "curse province", cards="bureaucrat").play("p0 play bureaucrat")
    assert t.legal == ["p1 topdeck province"]
    assert t.refused("p1 topdeck curse") == ["not_a_victory_card"]
    assert t.refused("p1 show curse,province") == ["must_topdeck"]
    assert t.refused("p1 none") == ["not_optional"]


def test_bureaucrat_under_throne_room_takes_two_and_moat_protects_once() -> None:
    t = table(
        "throne-room bureaucrat", "moat estate duchy", "", cards="bureaucrat throne-room moat"
    )
    t.play("p0 play throne-room", "p0 play bureaucrat", "p1 show moat", "p1 none")
    assert t.legal == ["p1 topdeck duchy", "p1 topdeck estate"]
    t.play("p1 topdeck duchy")
    assert t.cards(0).known_top == ["silver", "silver"]
    assert t.cards(1).known_top == ["duchy"]


def test_bureaucrat_does_not_make_the_discards_be_shuffled() -> None:
    t = table("bureaucrat / / copper×4", "", cards="bureaucrat").play("p0 play bureaucrat")
    t.play("p0 done")
    assert t.legal == ["dealer draw p0 silver"]
    t.play("dealer draw p0 silver")
    assert t.weights == {"dealer draw p0 bureaucrat": 1, "dealer draw p0 copper": 4}


# -- cellar ---------------------------------------------------------------------------------


def test_cellar_discards_any_number_and_draws_as_many() -> None:
    t = table("cellar estate×2 copper / silver×3", "", cards="cellar").play("p0 play cellar")
    assert t.legal == ["p0 discard copper", "p0 discard estate", "p0 done"]
    t.play("p0 discard estate ×2", "p0 done").deal("silver", "silver")
    assert (t.hand(0), t.counters) == ("copper silver silver", (1, 1, 0))


def test_cellar_may_discard_nothing_and_closes_with_the_last_card() -> None:
    t = table("cellar estate / silver×3", "", cards="cellar")
    t.play("p0 play cellar", "p0 done")
    assert t.hand(0) == "estate"
    t = table("cellar estate / silver×3", "", cards="cellar")
    t.play("p0 play cellar", "p0 discard estate")
    assert t.legal == ["dealer draw p0 silver"]


def test_cellar_may_draw_the_very_cards_it_discarded() -> None:
    t = table("cellar estate duchy", "", cards="cellar").play("p0 play cellar")
    t.play("p0 discard estate", "p0 discard duchy")
    assert t.weights == {"dealer draw p0 duchy": 1, "dealer draw p0 estate": 1}


def test_cellar_alone_in_hand_asks_nothing() -> None:
    t = table("cellar / silver", "", cards="cellar").play("p0 play cellar")
    assert t.legal == ["p0 buy copper", "p0 buy curse", "p0 done"]


def test_cellar_under_throne_room_draws_before_the_second_playing() -> None:
    t = table("throne-room cellar estate×2 / village×2", "", cards="cellar throne-room village")
    t.play("p0 play throne-room", "p0 play cellar", "p0 discard estate", "p0 done")
    t.play("dealer draw p0 village")
    assert t.legal == ["p0 discard estate", "p0 discard village", "p0 done"]


# -- chancellor -----------------------------------------------------------------------------


def test_chancellor_may_discard_the_draw_pile() -> None:
    t = table("chancellor / copper×5 / gold", "", cards="chancellor").play("p0 play chancellor")
    assert t.legal == ["p0 discard deck", "p0 none"]
    t.play("p0 discard deck")
    assert t.counters == (0, 1, 2)
    assert t.discards(0) == "copper copper copper copper copper gold"
    t.play("p0 done")
    assert t.weights == {
        "dealer draw p0 chancellor": 1, "dealer draw p0 copper": 5, "dealer draw p0 gold": 1,
    }  # fmt: skip


def test_chancellor_is_not_asked_over_an_empty_draw_pile() -> None:
    t = table("chancellor / / gold", "", cards="chancellor").play("p0 play chancellor")
    assert "p0 done" in t.legal


def test_chancellor_under_throne_room_is_asked_once_if_the_pile_is_gone() -> None:
    t = table("throne-room chancellor / copper", "", cards="chancellor throne-room")
    t.play("p0 play throne-room", "p0 play chancellor", "p0 discard deck")
    assert t.counters == (0, 1, 4)
    t = table("throne-room chancellor / copper", "", cards="chancellor throne-room")
    t.play("p0 play throne-room", "p0 play chancellor", "p0 none", "p0 none")


def test_chancellor_discards_known_cards_too() -> None:
    t = table("bureaucrat village / chancellor copper", "", cards="chancellor bureaucrat village")
    t.play("p0 play village", "dealer draw p0 chancellor", "p0 play bureaucrat")
    t.play("p0 play chancellor", "p0 discard deck")
    assert t.discards(0) == "copper silver"


# -- chapel ---------------------------------------------------------------------------------


def test_chapel_trashes_up_to_four() -> None:
    t = table("chapel copper×3 estate×2", "", cards="chapel")
    before = Counter(t.state.trash)
    t.play("p0 play chapel")
    assert t.legal == ["p0 done", "p0 trash copper", "p0 trash estate"]
    t.play("p0 trash copper ×3", "p0 trash estate")
    assert t.trashed(before) == Counter(copper=3, estate=1)
    assert (t.hand(0), "p0 done" in t.legal) == ("estate", True)


def test_chapel_may_trash_nothing_and_closes_with_an_empty_hand() -> None:
    t = table("chapel copper", "", cards="chapel").play("p0 play chapel", "p0 done")
    assert t.hand(0) == "copper"
    t = table("chapel copper", "", cards="chapel").play("p0 play chapel", "p0 trash copper")
    assert "p0 buy copper" in t.legal
    t = table("chapel", "", cards="chapel").play("p0 play chapel")
    assert "p0 buy copper" in t.legal


def test_chapel_under_throne_room_trashes_up_to_eight() -> None:
    t = table("throne-room chapel copper×6", "", cards="chapel throne-room")
    t.play("p0 play throne-room", "p0 play chapel", "p0 trash copper ×4", "p0 trash copper ×2")
    assert t.hand(0) == ""


# -- council room ---------------------------------------------------------------------------


def test_council_room_draws_four_and_one_for_each_other() -> None:
    t = table("council-room / copper×5", " / silver", " / gold", cards="council-room")
    t.play("p0 play council-room", "dealer draw p0 copper ×4")
    assert t.counters == (0, 2, 0)
    t.play("dealer draw p1 silver", "dealer draw p2 gold")
    assert (t.hand(1), t.hand(2)) == ("silver", "gold")


def test_council_room_goes_on_where_somebody_has_no_card() -> None:
    t = table("council-room / copper / estate", "", " / / gold", cards="council-room")
    t.play("p0 play council-room", "dealer draw p0 copper", "dealer draw p0 estate")
    t.play("dealer draw p2 gold")
    assert t.hand(2) == "gold"


def test_council_room_is_no_attack_so_moat_is_not_asked() -> None:
    t = table("council-room / copper×4", "moat / gold", cards="council-room moat")
    t.play("p0 play council-room", "dealer draw p0 copper ×4")
    assert t.legal == ["dealer draw p1 gold"]


# -- feast ----------------------------------------------------------------------------------


def test_feast_is_trashed_for_a_card_up_to_five() -> None:
    t = table("feast", "", cards="feast")
    before = Counter(t.state.trash)
    t.play("p0 play feast")
    assert t.trashed(before) == Counter(feast=1)
    assert t.legal == gains(t, 0, 5)
    assert t.refused("p0 gain gold") == ["cost_too_high"]
    assert t.refused("p0 none") == ["not_optional"]
    t.play("p0 gain duchy")
    assert t.discards(0) == "duchy"


def test_feast_does_not_gain_from_an_empty_pile() -> None:
    t = table("feast", "", cards="feast", duchy=0).play("p0 play feast")
    assert t.refused("p0 gain duchy") == ["pile_empty"]
    assert "p0 gain duchy" not in t.legal


def test_feast_may_gain_the_next_feast() -> None:
    t = table("feast", "", cards="feast").play("p0 play feast", "p0 gain feast")
    assert t.discards(0) == "feast"


# -- festival, laboratory, market, smithy, village, woodcutter --------------------------------


@pytest.mark.parametrize(
    ("card", "draws", "counters"),
    [
        ("festival", 0, (2, 2, 2)),
        ("laboratory", 2, (1, 1, 0)),
        ("market", 1, (1, 2, 1)),
        ("moat", 2, (0, 1, 0)),
        ("smithy", 3, (0, 1, 0)),
        ("village", 1, (2, 1, 0)),
        ("woodcutter", 0, (0, 2, 2)),
    ],
)
def test_cards_without_a_decision(card: str, draws: int, counters: tuple[int, int, int]) -> None:
    t = table(f"{card} / copper×9", "", cards=card).play(f"p0 play {card}")
    t.deal(*["copper"] * draws)
    assert t.counters == counters
    assert t.cards(0).hand.get("copper", 0) == draws
    assert "p0 done" in t.legal


@pytest.mark.parametrize(
    ("card", "draws"),
    [("laboratory", 2), ("market", 1), ("moat", 2), ("smithy", 3), ("village", 1)],
)
def test_draws_go_over_a_reshuffle_and_stop_when_nothing_is_left(card: str, draws: int) -> None:
    t = table(f"{card} / copper", "", cards=card).play(f"p0 play {card}", "dealer draw p0 copper")
    assert "p0 done" in t.legal
    t = table(f"{card}", "", cards=card).play(f"p0 play {card}")
    assert "p0 done" in t.legal
    t = table(f"{card} / / gold×4", "", cards=card).play(f"p0 play {card}")
    t.deal(*["gold"] * draws)
    assert (t.cards(0).draw_size(), t.cards(0).discard_size()) == (4 - draws, 0)


@pytest.mark.parametrize(
    ("card", "draws", "counters"),
    [
        ("festival", 0, (4, 3, 4)),
        ("laboratory", 4, (2, 1, 0)),
        ("market", 2, (2, 3, 2)),
        ("moat", 4, (0, 1, 0)),
        ("smithy", 6, (0, 1, 0)),
        ("village", 2, (4, 1, 0)),
        ("woodcutter", 0, (0, 3, 4)),
    ],
)
def test_throne_room_doubles_everything(
    card: str, draws: int, counters: tuple[int, int, int]
) -> None:
    t = table(f"throne-room {card} / copper×9", "", cards=f"throne-room {card}")
    t.play("p0 play throne-room", f"p0 play {card}").deal(*["copper"] * draws)
    assert t.counters == counters


# -- gardens --------------------------------------------------------------------------------


def test_gardens_cannot_be_played_and_count_tens_of_all_cards() -> None:
    t = table("gardens×2 copper×3 / silver×8 / gold×6", "", cards="gardens")
    assert t.refused("p0 play gardens") == ["not_playable"]
    assert t.state.scores() == (2, 0)
    t = table("gardens×2 copper×3 / silver×8 / gold×7", "", cards="gardens")
    assert t.state.scores() == (4, 0)
    assert t.state.supply(0) == Counter({"card back": 5})


def test_gardens_count_cards_in_play_too() -> None:
    t = table("gardens copper×3 / silver×6", "", cards="gardens").play("p0 play copper ×3")
    assert t.state.scores() == (1, 0)


def test_gardens_are_an_empty_pile_like_any_other() -> None:
    t = table("copper", "", cards="gardens", gardens=0, curse=0, estate=0).play("p0 done")
    outcome = t.state.outcome()
    assert outcome is not None and outcome.reason == "piles"


# -- library --------------------------------------------------------------------------------


def test_library_draws_up_to_seven() -> None:
    t = table("library copper×5 / silver×5", "", cards="library").play("p0 play library")
    t.play("dealer draw p0 silver", "p0 keep", "dealer draw p0 silver", "p0 keep")
    assert t.cards(0).hand_size() == 7
    assert "p0 done" in t.legal


def test_library_sets_aside_actions_only_and_only_the_card_drawn() -> None:
    t = table("library village copper×4 / smithy estate×9", "", cards="library village smithy")
    t.play("p0 play library", "dealer draw p0 smithy")
    assert t.legal == ["p0 aside smithy", "p0 keep"]
    assert t.refused("p0 aside village") == ["not_drawn"]
    assert t.refused("p0 aside estate") == ["not_an_action"]
    t.play("p0 keep", "dealer draw p0 estate")
    assert t.legal == ["p0 keep"]


def test_library_with_seven_cards_draws_nothing() -> None:
    t = table("library copper×7 / silver", "", cards="library").play("p0 play library")
    assert "p0 done" in t.legal


def test_library_stops_when_nothing_is_left_and_discards_what_is_aside() -> None:
    t = table("library / village / smithy", "", cards="library village smithy")
    t.play("p0 play library", "dealer draw p0 village", "p0 aside village")
    t.play("dealer draw p0 smithy", "p0 keep")
    assert (t.hand(0), t.discards(0)) == ("smithy", "village")


def test_library_under_throne_room_finds_a_full_hand_the_second_time() -> None:
    t = table("throne-room library copper×6 / silver×2", "", cards="library throne-room")
    t.play("p0 play throne-room", "p0 play library", "dealer draw p0 silver", "p0 keep")
    assert t.counters == (0, 1, 0)
    assert "p0 done" in t.legal


def test_library_keeps_a_card_that_everybody_knows() -> None:
    t = table("bureaucrat village / library copper", "", cards="library bureaucrat village")
    t.play("p0 play village", "dealer draw p0 library", "p0 play bureaucrat", "p0 play library")
    assert t.legal == ["dealer draw p0 silver"]
    t.play("dealer draw p0 silver", "p0 keep", "dealer draw p0 copper", "p0 keep")
    assert t.hand(0) == "copper silver"


# -- militia --------------------------------------------------------------------------------


def test_militia_leaves_three_cards_one_player_after_the_other() -> None:
    t = table("militia", "copper×3 estate×2", "gold×4", "copper×3", cards="militia")
    t.play("p0 play militia")
    assert t.counters == (0, 1, 2)
    assert t.legal == ["p1 discard copper", "p1 discard estate"]
    assert t.refused("p1 done") == ["not_optional"]
    assert t.refused("p2 discard gold") == ["wrong_player"]
    t.play("p1 discard estate ×2")
    assert t.legal == ["p2 discard gold"]
    t.play("p2 discard gold")
    assert "p0 done" in t.legal


def test_militia_and_two_moats_in_one_hand() -> None:
    t = table("militia", "moat×2 copper×3", "copper×4", cards="militia moat")
    t.play("p0 play militia")
    assert t.legal == ["p1 none", "p1 show moat"]
    t.play("p1 show moat")
    assert t.legal == ["p2 none"]
    t.play("p2 none", "p2 discard copper")
    assert t.hand(1) == "copper copper copper moat moat"


# -- mine -----------------------------------------------------------------------------------


def test_mine_falls_away_without_a_hand_and_gains_nothing_from_empty_piles() -> None:
    t = table("mine", "", cards="mine").play("p0 play mine")
    assert "p0 done" in t.legal
    t = table("mine copper", "", cards="mine", copper=0, silver=0).play("p0 play mine")
    t.play("p0 trash copper")
    assert "p0 done" in t.legal
    assert t.hand(0) == ""


def test_mine_must_take_a_treasure_of_the_hand_and_of_the_supply() -> None:
    t = table("mine copper estate", "", cards="mine").play("p0 play mine")
    assert t.refused("p0 none") == ["must_choose"]
    assert t.refused("p0 trash estate") == ["not_a_treasure"]
    assert t.refused("p0 trash gold") == ["not_owned"]
    t.play("p0 trash copper")
    assert t.legal == ["p0 gain copper", "p0 gain silver"]
    assert t.refused("p0 gain estate") == ["not_a_treasure"]
    assert t.refused("p0 gain gold") == ["cost_too_high"]


def test_mine_under_throne_room_can_raise_one_card_twice() -> None:
    t = table("throne-room mine copper", "", cards="mine throne-room")
    t.play("p0 play throne-room", "p0 play mine", "p0 trash copper", "p0 gain silver")
    t.play("p0 trash silver", "p0 gain gold", "p0 play gold")
    assert t.counters == (0, 1, 3)


# -- moat -----------------------------------------------------------------------------------


def test_moat_is_not_asked_of_an_empty_hand_nor_without_the_pile() -> None:
    t = table("militia", "", "copper", cards="militia moat").play("p0 play militia")
    assert t.legal == ["p2 none"]
    t = table("militia", "copper", cards="militia").play("p0 play militia")
    assert "p0 done" in t.legal


def test_moat_protects_nobody_else_and_only_a_moat_protects() -> None:
    t = table("witch", "moat copper", "moat", cards="witch moat").play("p0 play witch")
    assert t.refused("p1 show copper") == ["only_moat"]
    assert t.refused("p1 done") == ["answer_first"]
    t.play("p1 none", "p2 show moat")
    assert (t.discards(1), t.discards(2)) == ("curse", "")


def test_moat_that_is_not_in_hand_cannot_be_shown() -> None:
    t = table("witch", "copper / / moat", cards="witch moat").play("p0 play witch")
    assert t.legal == ["p1 none"]
    assert t.refused("p1 show moat") == ["not_in_hand"]


# -- moneylender ----------------------------------------------------------------------------


def test_moneylender_turns_a_copper_into_three_coins() -> None:
    t = table("moneylender copper silver", "", cards="moneylender").play("p0 play moneylender")
    assert t.legal == ["p0 trash copper"]
    assert t.refused("p0 trash silver") == ["only_copper"]
    t.play("p0 trash copper")
    assert t.counters == (0, 1, 3)


def test_moneylender_without_a_copper_says_none() -> None:
    t = table("moneylender silver", "", cards="moneylender").play("p0 play moneylender")
    assert t.legal == ["p0 none"]
    t.play("p0 none")
    assert t.counters == (0, 1, 0)
    t = table("moneylender", "", cards="moneylender").play("p0 play moneylender")
    assert "p0 done" in t.legal


def test_moneylender_under_throne_room_with_one_copper() -> None:
    t = table("throne-room moneylender copper silver", "", cards="moneylender throne-room")
    t.play("p0 play throne-room", "p0 play moneylender", "p0 trash copper", "p0 none")
    assert t.counters == (0, 1, 3)


# -- remodel --------------------------------------------------------------------------------


def test_remodel_gains_up_to_two_more() -> None:
    t = table("remodel estate gold", "", cards="remodel").play("p0 play remodel")
    assert t.legal == ["p0 trash estate", "p0 trash gold"]
    t.play("p0 trash estate")
    assert t.legal == gains(t, 0, 4)
    t.play("p0 gain remodel")
    assert t.discards(0) == "remodel"


def test_remodel_of_a_gold_reaches_the_province() -> None:
    t = table("remodel gold", "", cards="remodel").play("p0 play remodel", "p0 trash gold")
    assert "p0 gain province" in t.legal


def test_remodel_with_nothing_cheap_enough_only_trashes() -> None:
    cards = "remodel adventurer council-room festival laboratory library market mine witch smithy"
    t = table("remodel copper", "", cards=cards, copper=0, curse=0, estate=0)
    t.play("p0 play remodel", "p0 trash copper")
    assert "p0 done" in t.legal
    t = table("remodel", "", cards="remodel").play("p0 play remodel")
    assert "p0 done" in t.legal


def test_remodel_under_throne_room_needs_a_card_each_time() -> None:
    t = table("throne-room remodel estate", "", cards="remodel throne-room")
    t.play("p0 play throne-room", "p0 play remodel", "p0 trash estate", "p0 gain silver")
    assert "p0 done" in t.legal


# -- spy ------------------------------------------------------------------------------------


def test_spy_decides_for_himself_first_then_for_each_other() -> None:
    t = table("spy / copper estate", " / gold", " / curse", cards="spy").play("p0 play spy")
    t.play("dealer draw p0 copper", "dealer reveal p0 estate")
    assert t.counters == (1, 1, 0)
    assert t.legal == ["p0 discard p0 estate", "p0 keep p0 estate"]
    t.play("p0 discard p0 estate", "dealer reveal p1 gold")
    assert t.refused("p0 keep p1 silver") == ["not_revealed"]
    assert t.refused("p1 keep") == ["wrong_player"]
    t.play("p0 discard p1 gold", "dealer reveal p2 curse", "p0 keep p2 curse")
    assert t.cards(2).known_top == ["curse"]


def test_spy_reveals_his_own_discards_after_a_reshuffle() -> None:
    t = table("spy / copper / estate", "", cards="spy").play("p0 play spy")
    t.play("dealer draw p0 copper", "dealer reveal p0 estate", "p0 discard p0 estate")
    assert t.discards(0) == "estate"


def test_spy_under_throne_room_sees_the_same_card_again() -> None:
    t = table("throne-room spy / copper×3", "moat / gold estate", cards="spy throne-room moat")
    t.play("p0 play throne-room", "p0 play spy", "p1 none", "dealer draw p0 copper")
    t.play("dealer reveal p0 copper", "p0 keep p0 copper", "dealer reveal p1 gold")
    t.play("p0 keep p1 gold", "p1 none")
    assert t.legal == ["dealer draw p0 copper"]
    t.play("dealer draw p0 copper", "dealer reveal p0 copper", "p0 discard p0 copper")
    assert t.legal == ["dealer reveal p1 gold"]


def test_spy_does_not_touch_who_has_shown_a_moat() -> None:
    t = table("spy / copper×2", "moat / gold", cards="spy moat").play("p0 play spy")
    t.play("p1 show moat", "dealer draw p0 copper", "dealer reveal p0 copper")
    t.play("p0 keep p0 copper")
    assert "p0 done" in t.legal


# -- thief ----------------------------------------------------------------------------------


def test_thief_trashes_one_treasure_and_may_gain_it() -> None:
    t = table("thief", " / gold copper", cards="thief").play("p0 play thief")
    t.play("dealer reveal p1 copper", "dealer reveal p1 gold")
    assert t.legal == ["p0 trash p1 copper", "p0 trash p1 gold"]
    assert t.refused("p0 trash p1 silver") == ["not_revealed"]
    t.play("p0 trash p1 gold")
    assert t.discards(1) == "copper"
    t.play("p0 gain gold")
    assert (t.discards(0), "p0 buy copper" in t.legal) == ("gold", True)


def test_thief_finds_no_treasure_or_no_card() -> None:
    t = table("thief", " / estate curse", "", " / estate", cards="thief").play("p0 play thief")
    t.play("dealer reveal p1 estate", "dealer reveal p1 curse", "dealer reveal p3 estate")
    assert (t.discards(1), t.discards(3)) == ("curse estate", "estate")
    assert "p0 done" in t.legal


def test_thief_of_two_equal_treasures_trashes_one() -> None:
    t = table("thief", " / copper×2", cards="thief").play("p0 play thief")
    t.play("dealer reveal p1 copper ×2")
    assert t.legal == ["p0 trash p1 copper"]
    t.play("p0 trash p1 copper", "p0 done")
    assert t.discards(1) == "copper"


def test_thief_under_throne_room_may_not_gain_the_first_loot_later() -> None:
    t = table("throne-room thief", " / gold×2 silver×2", cards="thief throne-room")
    t.play("p0 play throne-room", "p0 play thief", "dealer reveal p1 gold ×2")
    t.play("p0 trash p1 gold", "p0 done", "dealer reveal p1 silver ×2", "p0 trash p1 silver")
    assert t.legal == ["p0 done", "p0 gain silver"]


def test_thief_and_a_moat() -> None:
    t = table("thief", "moat / gold×2", "copper / gold×2", cards="thief moat")
    t.play("p0 play thief", "p1 show moat", "p2 none", "dealer reveal p2 gold ×2")
    assert t.legal == ["p0 trash p2 gold"]


# -- throne room ----------------------------------------------------------------------------


def test_throne_room_must_double_an_action_if_there_is_one() -> None:
    t = table("throne-room village copper", "", cards="throne-room village")
    t.play("p0 play throne-room")
    assert t.legal == ["p0 play village"]
    assert t.refused("p0 none") == ["must_choose"]
    assert t.refused("p0 play copper") == ["not_an_action"]
    assert t.refused("p0 done") == ["not_optional"]


def test_throne_room_on_a_card_uses_no_action_and_both_stay_in_play() -> None:
    t = table("throne-room woodcutter", "", cards="throne-room woodcutter")
    t.play("p0 play throne-room", "p0 play woodcutter")
    assert t.cards(0).play == ["throne-room", "woodcutter"]
    assert t.counters == (0, 3, 4)


def test_throne_room_on_throne_room_with_a_single_target() -> None:
    t = table("throne-room×2 village / copper×9", "", cards="throne-room village")
    t.play("p0 play throne-room", "p0 play throne-room", "p0 play village")
    t.play("dealer draw p0 copper ×2")
    assert t.legal == ["p0 none"]
    t.play("p0 none")
    assert t.counters == (4, 1, 0)


# -- witch ----------------------------------------------------------------------------------


def test_witch_draws_two_and_gives_everybody_a_curse() -> None:
    t = table("witch / copper×2", "", "", "", cards="witch").play("p0 play witch")
    t.play("dealer draw p0 copper ×2")
    assert [t.discards(seat) for seat in range(4)] == ["", "curse", "curse", "curse"]
    assert t.state.piles["curse"] == 27


def test_witch_without_curses_still_draws() -> None:
    t = table("witch / copper", "", cards="witch", curse=0).play("p0 play witch")
    t.play("dealer draw p0 copper")
    assert (t.discards(1), "p0 done" in t.legal) == ("", True)


def test_witch_curses_come_after_the_draws_so_they_cannot_be_drawn_by_the_witch() -> None:
    t = table("witch / copper×2", " / copper", cards="witch").play("p0 play witch")
    assert t.discards(1) == ""
    t.play("dealer draw p0 copper ×2")
    assert t.discards(1) == "curse"


# -- workshop -------------------------------------------------------------------------------


def test_workshop_gains_a_card_up_to_four() -> None:
    t = table("workshop", "", cards="workshop gardens", silver=0).play("p0 play workshop")
    assert t.legal == gains(t, 0, 4)
    assert "p0 gain silver" not in t.legal
    assert t.refused("p0 gain gold") == ["cost_too_high"]
    t.play("p0 gain gardens")
    assert t.discards(0) == "gardens"


def test_workshop_gains_nothing_if_no_pile_is_cheap_enough() -> None:
    cards = "workshop adventurer council-room festival laboratory library market mine witch smithy"
    t = table(
        "workshop", "", cards=cards, copper=0, curse=0, estate=0, silver=0, smithy=0, workshop=0
    )
    t.play("p0 play workshop")
    assert t.legal == ["p0 done"]


def test_workshop_under_throne_room_can_empty_a_pile() -> None:
    t = table("throne-room workshop", "", cards="workshop throne-room", estate=1)
    t.play("p0 play throne-room", "p0 play workshop", "p0 gain estate")
    assert "p0 gain estate" not in t.legal
    t.play("p0 gain silver")
    assert t.discards(0) == "estate silver"
