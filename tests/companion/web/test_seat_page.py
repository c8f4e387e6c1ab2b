"""A phone can say every legal move, and gets none when it is not its turn."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.presentation.words.translate import speaking
from rules.core import Actor
from rules.games import find_game, game_ids
from tests.support.phone_pictures import play_on, public_json, seat_json, table_of, taken


@pytest.mark.parametrize("game", game_ids())
def test_every_legal_move_can_be_said_in_some_way(game: str, thorough: bool) -> None:
    options = {"hidden": "on"} if game == "knizia_stonehenge" else {}
    table = table_of(game, find_game(game).players[-1], seed=5, options=options)
    chance = Random(5)
    for _number in range(150 if thorough else 40):
        view = table.view()
        if view.outcome is not None or view.prompt is None:
            break
        seat = view.prompt.player
        if seat is not None and view.prompt.actor is Actor.PLAYER:
            told = seat_json(taken(table), seat, "de")
            said = {move for one in told["keys"] for move in one["moves"]}
            for part in ("hand", "wares", "open"):
                said |= {move for one in told[part] for move in one["moves"]}
            said |= {one["move"] for one in told["moves"] if one["things"] or one["sites"]}
            said |= {tile["move"] for part in told["choices"] for tile in part["tiles"]}
            assert {move.text for move in view.legal} <= said, view.prompt
            held = dict(table.hands[seat].things)
            assert {one["id"]: one["count"] for one in told["hand"]} == held
        play_on(table, 1, chance)


@pytest.mark.parametrize("game", ["dominion", "hoher_rat", "knizia_stonehenge"])
def test_who_is_not_asked_gets_the_hand_and_nothing_to_do(game: str) -> None:
    options = {"hidden": "on"} if game == "knizia_stonehenge" else {}
    table = table_of(game, seed=5, options=options)
    play_on(table, 4, Random(1))
    view = table.view()
    told = seat_json(taken(table), 1 if view.asked == 0 else 0, "en")
    del told["public"]
    assert told["hand"] and not told["may_play"]
    for part in ("wares", "keys", "choices", "moves", "figures"):
        assert not told[part], part
    assert not any(one["able"] or one["moves"] or one["why_not"] for one in told["hand"])
    for move in view.legal:
        assert move.text not in json.dumps(told)


def test_what_is_for_sale_says_nothing_about_who_may_buy() -> None:
    table = table_of("dominion", seed=5)
    play_on(table, 30, Random(2))
    wares = public_json(taken(table), "en")["market"]
    assert wares is not None and len(wares["wares"]) == 17
    assert {"copper", "province"} <= {ware["kind"] for ware in wares["wares"]}
    assert "moves" not in json.dumps(wares) and "able" not in json.dumps(wares)
    assert all(ware["text"] and ware["name"] for ware in wares["wares"])


def test_words_of_one_thread_leave_those_of_another_alone() -> None:
    from companion.presentation.words.translate import language

    before = language()
    with speaking("en"):
        assert language() == "en"
        with speaking("de"):
            assert language() == "de"
        assert language() == "en"
    assert language() == before
