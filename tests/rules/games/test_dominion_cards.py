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
from tests.support.rulings import Steps, at, claim, doing, follow


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


RULINGS = [
    # -- adventurer
    claim("adventurer takes two treasures and discards the rest",
          at(table, "adventurer / copper silver estate×3", "", cards="adventurer"),
          "p0 play adventurer · dealer reveal p0 estate · dealer reveal p0 copper",
          "dealer reveal p0 estate · dealer reveal p0 silver",
          (lambda t: t.hand(0), "copper silver"), (lambda t: t.discards(0), "estate estate"),
          "[… | p0 play copper]"),
    claim("adventurer shuffles once without what is revealed and stops when nothing is left",
          at(table, "adventurer / estate / gold duchy", "", cards="adventurer"),
          "p0 play adventurer · dealer reveal p0 estate", (lambda t: t.weights,
              {"dealer reveal p0 duchy": 1, "dealer reveal p0 gold": 1}),
          "dealer reveal p0 duchy · dealer reveal p0 gold",
          (lambda t: (t.hand(0), t.discards(0)), ("gold", "duchy estate"))),
    claim("adventurer with no card at all does nothing",
          at(table, "adventurer", "", cards="adventurer"),
          "p0 play adventurer · [p0 buy copper | p0 buy curse | p0 done]"),
    claim("adventurer under throne room reveals anew and shuffles its own discards",
          at(table, "throne-room adventurer / estate copper×2 silver", "",
              cards="adventurer throne-room"), "p0 play throne-room · p0 play adventurer · "
          "dealer reveal p0 estate", "dealer reveal p0 copper ×2 · dealer reveal p0 silver · "
          "[dealer reveal p0 estate]", "dealer reveal p0 estate",
          (lambda t: (t.hand(0), t.discards(0)), ("copper copper silver", "estate"))),
    # -- bureaucrat
    claim("bureaucrat gains a silver onto the draw pile",
          at(table, "bureaucrat / copper×5", "copper estate", cards="bureaucrat"),
          "p0 play bureaucrat · [p1 topdeck estate] · p1 topdeck estate · p0 done · "
          "[dealer draw p0 silver]",
          doing(lambda t: t.deal("silver", *["copper"] * 4).play("p1 done")),
          "[dealer draw p1 estate]"),
    claim("bureaucrat without silvers still attacks",
          at(table, "bureaucrat", "copper×2", cards="bureaucrat", silver=0),
          "p0 play bureaucrat · [p1 show copper,copper] · p1 show copper ✗ wrong_hand",
          "p1 show copper,copper", (lambda t: t.cards(0).draw_size(), 0)),
    claim("bureaucrat does not accept a curse or a hidden victory card",
          at(table, "bureaucrat", "curse province", cards="bureaucrat"),
          "p0 play bureaucrat · [p1 topdeck province] · p1 topdeck curse ✗ not_a_victory_card",
          "p1 show curse,province ✗ must_topdeck · p1 none ✗ not_optional"),
    claim("bureaucrat under throne room takes two and moat protects once",
          at(table, "throne-room bureaucrat", "moat estate duchy", "",
              cards="bureaucrat throne-room moat"), "p0 play throne-room · p0 play bureaucrat · "
          "p1 show moat · p1 none · [p1 topdeck duchy | p1 topdeck estate]", "p1 topdeck duchy",
          (lambda t: t.cards(0).known_top, ["silver", "silver"]),
          (lambda t: t.cards(1).known_top, ["duchy"])),
    claim("bureaucrat does not make the discards be shuffled",
          at(table, "bureaucrat / / copper×4", "", cards="bureaucrat"),
          "p0 play bureaucrat · p0 done · [dealer draw p0 silver] · dealer draw p0 silver",
          (lambda t: t.weights, {"dealer draw p0 bureaucrat": 1, "dealer draw p0 copper": 4})),
    # -- cellar
    claim("cellar discards any number and draws as many",
          at(table, "cellar estate×2 copper / silver×3", "", cards="cellar"),
          "p0 play cellar · [p0 discard copper | p0 discard estate | p0 done]",
          doing(lambda t: t.play("p0 discard estate ×2", "p0 done").deal("silver", "silver")),
          (lambda t: (t.hand(0), t.counters), ("copper silver silver", (1, 1, 0)))),
    claim("cellar may discard nothing and closes with the last card",
          at(table, "cellar estate / silver×3", "", cards="cellar"), "p0 play cellar · p0 done",
          (lambda t: t.hand(0), "estate"),
          at(table, "cellar estate / silver×3", "", cards="cellar"),
          "p0 play cellar · p0 discard estate · [dealer draw p0 silver]"),
    claim("cellar may draw the very cards it discarded",
          at(table, "cellar estate duchy", "", cards="cellar"),
          "p0 play cellar · p0 discard estate · p0 discard duchy", (lambda t: t.weights,
              {"dealer draw p0 duchy": 1, "dealer draw p0 estate": 1})),
    claim("cellar alone in hand asks nothing",
          at(table, "cellar / silver", "", cards="cellar"),
          "p0 play cellar · [p0 buy copper | p0 buy curse | p0 done]"),
    claim("cellar under throne room draws before the second playing",
          at(table, "throne-room cellar estate×2 / village×2", "",
              cards="cellar throne-room village"), "p0 play throne-room · p0 play cellar · "
          "p0 discard estate · p0 done", "dealer draw p0 village · [p0 discard estate | "
          "p0 discard village | p0 done]"),
    # -- chancellor
    claim("chancellor may discard the draw pile",
          at(table, "chancellor / copper×5 / gold", "", cards="chancellor"),
          "p0 play chancellor · [p0 discard deck | p0 none] · p0 discard deck",
          (lambda t: t.counters, (0, 1, 2)), (lambda t: t.discards(0),
              "copper copper copper copper copper gold"), "p0 done", (lambda t: t.weights,
              {"dealer draw p0 chancellor": 1, "dealer draw p0 copper": 5,
              "dealer draw p0 gold": 1})),
    claim("chancellor is not asked over an empty draw pile",
          at(table, "chancellor / / gold", "", cards="chancellor"),
          "p0 play chancellor · [… | p0 done]"),
    claim("chancellor under throne room is asked once if the pile is gone",
          at(table, "throne-room chancellor / copper", "", cards="chancellor throne-room"),
          "p0 play throne-room · p0 play chancellor · p0 discard deck",
          (lambda t: t.counters, (0, 1, 4)), at(table, "throne-room chancellor / copper", "",
              cards="chancellor throne-room"), "p0 play throne-room · p0 play chancellor · "
          "p0 none · p0 none"),
    claim("chancellor discards known cards too",
          at(table, "bureaucrat village / chancellor copper", "",
              cards="chancellor bureaucrat village"), "p0 play village · "
          "dealer draw p0 chancellor · p0 play bureaucrat",
          "p0 play chancellor · p0 discard deck", (lambda t: t.discards(0), "copper silver")),
    # -- chapel
    claim("chapel may trash nothing and closes with an empty hand",
          at(table, "chapel copper", "", cards="chapel"), "p0 play chapel · p0 done",
          (lambda t: t.hand(0), "copper"), at(table, "chapel copper", "", cards="chapel"),
          "p0 play chapel · p0 trash copper · [… | p0 buy copper]",
          at(table, "chapel", "", cards="chapel"), "p0 play chapel · [… | p0 buy copper]"),
    claim("chapel under throne room trashes up to eight",
          at(table, "throne-room chapel copper×6", "", cards="chapel throne-room"),
          "p0 play throne-room · p0 play chapel · p0 trash copper ×4 · p0 trash copper ×2",
          (lambda t: t.hand(0), "")),
    # -- council room
    claim("council room draws four and one for each other",
          at(table, "council-room / copper×5", " / silver", " / gold", cards="council-room"),
          "p0 play council-room · dealer draw p0 copper ×4", (lambda t: t.counters, (0, 2, 0)),
          "dealer draw p1 silver · dealer draw p2 gold",
          (lambda t: (t.hand(1), t.hand(2)), ("silver", "gold"))),
    claim("council room goes on where somebody has no card",
          at(table, "council-room / copper / estate", "", " / / gold", cards="council-room"),
          "p0 play council-room · dealer draw p0 copper · dealer draw p0 estate",
          "dealer draw p2 gold", (lambda t: t.hand(2), "gold")),
    claim("council room is no attack so moat is not asked",
          at(table, "council-room / copper×4", "moat / gold", cards="council-room moat"),
          "p0 play council-room · dealer draw p0 copper ×4 · [dealer draw p1 gold]"),
    # -- feast
    claim("feast does not gain from an empty pile",
          at(table, "feast", "", cards="feast", duchy=0),
          "p0 play feast · p0 gain duchy ✗ pile_empty · [no p0 gain duchy]"),
    claim("feast may gain the next feast",
          at(table, "feast", "", cards="feast"), "p0 play feast · p0 gain feast",
          (lambda t: t.discards(0), "feast")),
    # -- gardens
    claim("gardens cannot be played and count tens of all cards",
          at(table, "gardens×2 copper×3 / silver×8 / gold×6", "", cards="gardens"),
          "p0 play gardens ✗ not_playable", (lambda t: t.state.scores(), (2, 0)), at(table,
              "gardens×2 copper×3 / silver×8 / gold×7", "", cards="gardens"),
          (lambda t: t.state.scores(), (4, 0)),
          (lambda t: t.state.supply(0), Counter({"card back": 5}))),
    claim("gardens count cards in play too",
          at(table, "gardens copper×3 / silver×6", "", cards="gardens"), "p0 play copper ×3",
          (lambda t: t.state.scores(), (1, 0))),
    claim("gardens are an empty pile like any other",
          at(table, "copper", "", cards="gardens", gardens=0, curse=0, estate=0), "p0 done",
          (lambda t: t.state.outcome().reason, "piles")),
    # -- library
    claim("library draws up to seven",
          at(table, "library copper×5 / silver×5", "", cards="library"),
          "p0 play library · dealer draw p0 silver · p0 keep · dealer draw p0 silver · p0 keep",
          (lambda t: t.cards(0).hand_size(), 7), "[… | p0 done]"),
    claim("library sets aside actions only and only the card drawn",
          at(table, "library village copper×4 / smithy estate×9", "",
              cards="library village smithy"), "p0 play library · dealer draw p0 smithy · "
          "[p0 aside smithy | p0 keep]", "p0 aside village ✗ not_drawn · "
          "p0 aside estate ✗ not_an_action · p0 keep", "dealer draw p0 estate · [p0 keep]"),
    claim("library with seven cards draws nothing",
          at(table, "library copper×7 / silver", "", cards="library"),
          "p0 play library · [… | p0 done]"),
    claim("library stops when nothing is left and discards what is aside",
          at(table, "library / village / smithy", "", cards="library village smithy"),
          "p0 play library · dealer draw p0 village · p0 aside village · dealer draw p0 smithy",
          "p0 keep", (lambda t: (t.hand(0), t.discards(0)), ("smithy", "village"))),
    claim("library under throne room finds a full hand the second time",
          at(table, "throne-room library copper×6 / silver×2", "", cards="library throne-room"),
          "p0 play throne-room · p0 play library · dealer draw p0 silver · p0 keep",
          (lambda t: t.counters, (0, 1, 0)), "[… | p0 done]"),
    claim("library keeps a card that everybody knows",
          at(table, "bureaucrat village / library copper", "",
              cards="library bureaucrat village"), "p0 play village · dealer draw p0 library · "
          "p0 play bureaucrat · p0 play library · [dealer draw p0 silver]",
          "dealer draw p0 silver · p0 keep · dealer draw p0 copper · p0 keep",
          (lambda t: t.hand(0), "copper silver")),
    # -- militia
    claim("militia leaves three cards one player after the other",
          at(table, "militia", "copper×3 estate×2", "gold×4", "copper×3", cards="militia"),
          "p0 play militia", (lambda t: t.counters, (0, 1, 2)),
          "[p1 discard copper | p1 discard estate] · p1 done ✗ not_optional",
          "p2 discard gold ✗ wrong_player · p1 discard estate ×2 · [p2 discard gold]",
          "p2 discard gold · [… | p0 done]"),
    claim("militia and two moats in one hand",
          at(table, "militia", "moat×2 copper×3", "copper×4", cards="militia moat"),
          "p0 play militia · [p1 none | p1 show moat] · p1 show moat · [p2 none] · p2 none",
          "p2 discard copper", (lambda t: t.hand(1), "copper copper copper moat moat")),
    # -- mine
    claim("mine falls away without a hand and gains nothing from empty piles",
          at(table, "mine", "", cards="mine"), "p0 play mine · [… | p0 done]", at(table,
              "mine copper", "", cards="mine", copper=0, silver=0),
          "p0 play mine · p0 trash copper · [… | p0 done]", (lambda t: t.hand(0), "")),
    claim("mine must take a treasure of the hand and of the supply",
          at(table, "mine copper estate", "", cards="mine"),
          "p0 play mine · p0 none ✗ must_choose · p0 trash estate ✗ not_a_treasure",
          "p0 trash gold ✗ not_owned · p0 trash copper · [p0 gain copper | p0 gain silver]",
          "p0 gain estate ✗ not_a_treasure · p0 gain gold ✗ cost_too_high"),
    claim("mine under throne room can raise one card twice",
          at(table, "throne-room mine copper", "", cards="mine throne-room"),
          "p0 play throne-room · p0 play mine · p0 trash copper · p0 gain silver",
          "p0 trash silver · p0 gain gold · p0 play gold", (lambda t: t.counters, (0, 1, 3))),
    # -- moat
    claim("moat is not asked of an empty hand nor without the pile",
          at(table, "militia", "", "copper", cards="militia moat"),
          "p0 play militia · [p2 none]", at(table, "militia", "copper", cards="militia"),
          "p0 play militia · [… | p0 done]"),
    claim("moat protects nobody else and only a moat protects",
          at(table, "witch", "moat copper", "moat", cards="witch moat"),
          "p0 play witch · p1 show copper ✗ only_moat · p1 done ✗ answer_first · p1 none",
          "p2 show moat", (lambda t: (t.discards(1), t.discards(2)), ("curse", ""))),
    claim("moat that is not in hand cannot be shown",
          at(table, "witch", "copper / / moat", cards="witch moat"),
          "p0 play witch · [p1 none] · p1 show moat ✗ not_in_hand"),
    # -- moneylender
    claim("moneylender turns a copper into three coins",
          at(table, "moneylender copper silver", "", cards="moneylender"),
          "p0 play moneylender · [p0 trash copper] · p0 trash silver ✗ only_copper",
          "p0 trash copper", (lambda t: t.counters, (0, 1, 3))),
    claim("moneylender without a copper says none",
          at(table, "moneylender silver", "", cards="moneylender"),
          "p0 play moneylender · [p0 none] · p0 none", (lambda t: t.counters, (0, 1, 0)),
          at(table, "moneylender", "", cards="moneylender"),
          "p0 play moneylender · [… | p0 done]"),
    claim("moneylender under throne room with one copper",
          at(table, "throne-room moneylender copper silver", "",
              cards="moneylender throne-room"), "p0 play throne-room · p0 play moneylender · "
          "p0 trash copper · p0 none", (lambda t: t.counters, (0, 1, 3))),
    # -- remodel
    claim("remodel gains up to two more",
          at(table, "remodel estate gold", "", cards="remodel"),
          "p0 play remodel · [p0 trash estate | p0 trash gold] · p0 trash estate",
          lambda t: t.legal == gains(t, 0, 4), "p0 gain remodel",
          (lambda t: t.discards(0), "remodel")),
    claim("remodel of a gold reaches the province",
          at(table, "remodel gold", "", cards="remodel"),
          "p0 play remodel · p0 trash gold · [… | p0 gain province]"),
    claim("remodel under throne room needs a card each time",
          at(table, "throne-room remodel estate", "", cards="remodel throne-room"),
          "p0 play throne-room · p0 play remodel · p0 trash estate · p0 gain silver · [… | "
          "p0 done]"),
    # -- spy
    claim("spy decides for himself first then for each other",
          at(table, "spy / copper estate", " / gold", " / curse", cards="spy"),
          "p0 play spy · dealer draw p0 copper · dealer reveal p0 estate",
          (lambda t: t.counters, (1, 1, 0)), "[p0 discard p0 estate | p0 keep p0 estate] · "
          "p0 discard p0 estate", "dealer reveal p1 gold · "
          "p0 keep p1 silver ✗ not_revealed · p1 keep ✗ wrong_player",
          "p0 discard p1 gold · dealer reveal p2 curse · p0 keep p2 curse",
          (lambda t: t.cards(2).known_top, ["curse"])),
    claim("spy reveals his own discards after a reshuffle",
          at(table, "spy / copper / estate", "", cards="spy"), "p0 play spy · "
          "dealer draw p0 copper · dealer reveal p0 estate · p0 discard p0 estate",
          (lambda t: t.discards(0), "estate")),
    claim("spy under throne room sees the same card again",
          at(table, "throne-room spy / copper×3", "moat / gold estate",
              cards="spy throne-room moat"), "p0 play throne-room · p0 play spy · p1 none · "
          "dealer draw p0 copper", "dealer reveal p0 copper · p0 keep p0 copper · "
          "dealer reveal p1 gold", "p0 keep p1 gold · p1 none · [dealer draw p0 copper] · "
          "dealer draw p0 copper", "dealer reveal p0 copper · p0 discard p0 copper · "
          "[dealer reveal p1 gold]"),
    claim("spy does not touch who has shown a moat",
          at(table, "spy / copper×2", "moat / gold", cards="spy moat"),
          "p0 play spy · p1 show moat · dealer draw p0 copper · dealer reveal p0 copper",
          "p0 keep p0 copper · [… | p0 done]"),
    # -- thief
    claim("thief trashes one treasure and may gain it",
          at(table, "thief", " / gold copper", cards="thief"), "p0 play thief · "
          "dealer reveal p1 copper · dealer reveal p1 gold · [p0 trash p1 copper | "
          "p0 trash p1 gold]", "p0 trash p1 silver ✗ not_revealed · p0 trash p1 gold",
          (lambda t: t.discards(1), "copper"), "p0 gain gold",
          (lambda t: (t.discards(0), "p0 buy copper" in t.legal), ("gold", True))),
    claim("thief finds no treasure or no card",
          at(table, "thief", " / estate curse", "", " / estate", cards="thief"),
          "p0 play thief · dealer reveal p1 estate · dealer reveal p1 curse",
          "dealer reveal p3 estate", (lambda t: (t.discards(1), t.discards(3)),
              ("curse estate", "estate")), "[… | p0 done]"),
    claim("thief of two equal treasures trashes one",
          at(table, "thief", " / copper×2", cards="thief"),
          "p0 play thief · dealer reveal p1 copper ×2 · [p0 trash p1 copper]",
          "p0 trash p1 copper · p0 done", (lambda t: t.discards(1), "copper")),
    claim("thief under throne room may not gain the first loot later",
          at(table, "throne-room thief", " / gold×2 silver×2", cards="thief throne-room"),
          "p0 play throne-room · p0 play thief · dealer reveal p1 gold ×2 · p0 trash p1 gold",
          "p0 done · dealer reveal p1 silver ×2 · p0 trash p1 silver · [p0 done | "
          "p0 gain silver]"),
    claim("thief and a moat",
          at(table, "thief", "moat / gold×2", "copper / gold×2", cards="thief moat"),
          "p0 play thief · p1 show moat · p2 none · dealer reveal p2 gold ×2 · "
          "[p0 trash p2 gold]"),
    # -- throne room
    claim("throne room must double an action if there is one",
          at(table, "throne-room village copper", "", cards="throne-room village"),
          "p0 play throne-room · [p0 play village] · p0 none ✗ must_choose",
          "p0 play copper ✗ not_an_action · p0 done ✗ not_optional"),
    claim("throne room on a card uses no action and both stay in play",
          at(table, "throne-room woodcutter", "", cards="throne-room woodcutter"),
          "p0 play throne-room · p0 play woodcutter",
          (lambda t: t.cards(0).play, ["throne-room", "woodcutter"]),
          (lambda t: t.counters, (0, 3, 4))),
    claim("throne room on throne room with a single target",
          at(table, "throne-room×2 village / copper×9", "", cards="throne-room village"),
          "p0 play throne-room · p0 play throne-room · p0 play village",
          "dealer draw p0 copper ×2 · [p0 none] · p0 none", (lambda t: t.counters, (4, 1, 0))),
    # -- witch
    claim("witch without curses still draws",
          at(table, "witch / copper", "", cards="witch", curse=0),
          "p0 play witch · dealer draw p0 copper",
          (lambda t: (t.discards(1), "p0 done" in t.legal), ("", True))),
    claim("witch curses come after the draws so they cannot be drawn by the witch",
          at(table, "witch / copper×2", " / copper", cards="witch"), "p0 play witch",
          (lambda t: t.discards(1), ""), "dealer draw p0 copper ×2",
          (lambda t: t.discards(1), "curse")),
    # -- workshop
    claim("workshop gains a card up to four",
          at(table, "workshop", "", cards="workshop gardens", silver=0), "p0 play workshop",
          lambda t: t.legal == gains(t, 0, 4), "[no p0 gain silver] · "
          "p0 gain gold ✗ cost_too_high · p0 gain gardens",
          (lambda t: t.discards(0), "gardens")),
    claim("workshop under throne room can empty a pile",
          at(table, "throne-room workshop", "", cards="workshop throne-room", estate=1),
          "p0 play throne-room · p0 play workshop · p0 gain estate · [no p0 gain estate]",
          "p0 gain silver", (lambda t: t.discards(0), "estate silver")),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


# -- bureaucrat -----------------------------------------------------------------------------


def test_bureaucrat_wants_no_hand_named_at_a_table_and_still_reads_one() -> None:
    """DO27: the hand is shown to the players; older records name its cards."""
    t = table("bureaucrat", "copper×2 curse", cards="bureaucrat").play("p0 play bureaucrat")
    offered = [move.text for move in t.referee.legal_moves()]
    assert "p1 none" in offered and not [text for text in offered if " show " in text]
    likely = GAME.inference.plausible(t.referee, t.referee.legal_moves(), {}, ())
    assert not any(one.covered for one in likely), "a card face down looks the same"
    named = t.referee.clone()
    for state, text in ((t.referee, "p1 none"), (named, "p1 show copper,copper,curse")):
        move = Move.parse(text)
        assert state.violations(move) == []
        state.apply(move)
        prompt = state.prompt()
        assert prompt is not None and prompt.code == "buy"


# -- chapel ---------------------------------------------------------------------------------


def test_chapel_trashes_up_to_four() -> None:
    t = table("chapel copper×3 estate×2", "", cards="chapel")
    before = Counter(t.state.trash)
    t.play("p0 play chapel")
    assert t.legal == ["p0 done", "p0 trash copper", "p0 trash estate"]
    t.play("p0 trash copper ×3", "p0 trash estate")
    assert t.trashed(before) == Counter(copper=3, estate=1)
    assert (t.hand(0), "p0 done" in t.legal) == ("estate", True)


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


# -- remodel --------------------------------------------------------------------------------


def test_remodel_with_nothing_cheap_enough_only_trashes() -> None:
    cards = "remodel adventurer council-room festival laboratory library market mine witch smithy"
    t = table("remodel copper", "", cards=cards, copper=0, curse=0, estate=0)
    t.play("p0 play remodel", "p0 trash copper")
    assert "p0 done" in t.legal
    t = table("remodel", "", cards="remodel").play("p0 play remodel")
    assert "p0 done" in t.legal


# -- witch ----------------------------------------------------------------------------------


def test_witch_draws_two_and_gives_everybody_a_curse() -> None:
    t = table("witch / copper×2", "", "", "", cards="witch").play("p0 play witch")
    t.play("dealer draw p0 copper ×2")
    assert [t.discards(seat) for seat in range(4)] == ["", "curse", "curse", "curse"]
    assert t.state.piles["curse"] == 27


# -- workshop -------------------------------------------------------------------------------


def test_workshop_gains_nothing_if_no_pile_is_cheap_enough() -> None:
    cards = "workshop adventurer council-room festival laboratory library market mine witch smithy"
    t = table(
        "workshop", "", cards=cards, copper=0, curse=0, estate=0, silver=0, smithy=0, workshop=0
    )
    t.play("p0 play workshop")
    assert t.legal == ["p0 done"]
