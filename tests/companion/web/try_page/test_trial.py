"""A match on one device: what it shows, what it refuses, what it keeps."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.match.hands import answers_of
from companion.web.try_page.answering import answer
from companion.web.try_page.trial import Trial
from rules.core import GameError, IllegalMove, OptionError, StateError
from rules.games import find_game, game_ids
from tests.support.pads import typed_on_phone

OWN = [game for game in game_ids() if find_game(game).package == "rules"]

BEGIN: Any = {
    "do": "begin", "game": "knizia_stonehenge", "players": 2, "options": {}, "seed": "1",
    "names": [], "computers": [],
}  # fmt: skip


def seats_of(game: str) -> int:
    return next(count for count in find_game(game).players if count > 1)


def play_on(trial: Trial, decisions: int, random: Random) -> None:
    for _number in range(decisions):
        if trial.match.outcome is not None:
            return
        if trial.picture("en")["rolls"]:
            trial.roll()
        else:
            legal = trial.match.legal_moves()
            trial.play([trial.match.state.choose(legal, random).text])


def say(**asked: Any) -> Any:
    return json.loads(answer(json.dumps({"lang": "en", **asked})))


@pytest.mark.parametrize("game", OWN)
def test_every_game_can_be_played_kept_and_taken_back(game: str) -> None:
    trial = Trial(game, seats_of(game), seed="5")
    beginning = trial.match.state.to_json()
    play_on(trial, 25, Random(5))
    kept = json.loads(json.dumps(trial.dump()))
    again = Trial.load(kept)
    assert again.match.state.to_json() == trial.match.state.to_json()
    assert again.dump() == kept
    for lang in ("de", "en"):
        shown, same = trial.picture(lang), again.picture(lang)
        for one in (shown, same):
            # What a move brought to light is told once.
            one["public"].pop("result")
            one["public"].pop("started")
        assert json.loads(json.dumps(shown)) == json.loads(json.dumps(same))
    while again.dump()["steps"]:
        again.take_back()
    assert again.match.state.to_json() == beginning


@pytest.mark.parametrize("game", OWN)
def test_everything_that_may_be_done_can_be_touched(game: str) -> None:
    trial, random = Trial(game, seats_of(game), seed="6"), Random(6)
    for _number in range(12):
        shown = trial.picture("de")
        if not shown["may_play"]:
            break
        moves = {entry["move"] for entry in shown["moves"]}
        for key in shown["keys"]:
            moves |= set(key["moves"])
        for tile in (*shown["hand"], *shown["wares"], *shown["open"]):
            moves |= set(tile["moves"])
        moves |= {tile["move"] for section in shown["choices"] for tile in section["tiles"]}
        moves |= typed_on_phone(shown)
        legal = answers_of(trial.match.legal_moves(), trial.match)
        assert {move.text for move in legal} <= moves, shown["prompt"]
        play_on(trial, 1, random)


def test_a_stone_on_a_stone_is_refused_with_reason_deed_and_rule() -> None:
    trial = Trial("knizia_stonehenge", 2)
    trial.play(["p0 place 5 D"])
    for lang, title in (("en", "Field D is taken"), ("de", "Feld D ist besetzt")):
        why = trial.refusal(lang, ["stone brown 4"], ["D"])
        assert why is not None and why["title"] == title
        assert why["do"] and why["rule"]["title"] and len(why["rule"]["text"]) > 40


@pytest.mark.parametrize("game", OWN)
def test_nobody_is_told_that_it_is_somebody_elses_turn(game: str) -> None:
    """The player who touches has the device, and so it is their turn."""
    trial, random = Trial(game, seats_of(game), seed="8"), Random(8)
    play_on(trial, 9, random)
    shown = trial.picture("en")
    sites = {piece["site"] for piece in shown["public"]["board"]["pieces"]}
    for site in sorted(sites)[:12]:
        why = trial.refusal("en", [], [site])
        assert why is None or why["move"].startswith(f"p{shown['seat']} ") != shown["rolls"], why


def test_what_means_nothing_is_not_explained() -> None:
    trial = Trial("knizia_stonehenge", 2)
    assert trial.refusal("en", [], []) is None


def test_a_forbidden_move_changes_nothing_and_is_explained() -> None:
    say(
        do="begin",
        game="knizia_stonehenge",
        players=2,
        options={},
        seed="1",
        names=[],
        computers=[],
    )
    before = say(do="picture")["picture"]
    said = say(do="play", moves=["p0 place 5 D", "p0 place 6 D"])
    assert said["why"]["title"] and said["picture"]["public"]["items"] == before["public"]["items"]
    assert said["picture"]["kept"]["match"]["moves"] == []


def test_of_several_moves_all_count_or_none() -> None:
    trial = Trial("knizia_stonehenge", 2)
    with pytest.raises(IllegalMove):
        trial.play(["p0 place 5 D", "p0 place 6 E"])
    assert trial.match.ply == 0 and trial.dump()["steps"] == []


def test_stones_before_a_player_are_there_to_be_chosen() -> None:
    trial = Trial("knizia_stonehenge", 2)
    hand = {card["id"]: card["count"] for card in trial.picture("en")["hand"]}
    assert hand["stone black 1"] == 2 and hand["stone black 6"] == 1
    assert "megalith black" not in hand
    trial.play(["p0 place 6 D"])
    assert "stone black 6" not in {card["id"] for card in trial.picture("en")["hand"]}


def test_a_computer_player_answers_and_its_answer_goes_back_with_what_it_answered() -> None:
    trial = Trial("knizia_stonehenge", 2, computers=["", "apprentice"])
    trial.think(0.01)
    assert trial.match.ply == 0, "nobody thinks while a person is asked"
    trial.play(["p0 place 5 D"])
    while trial.thinks:
        assert not trial.picture("en")["may_play"]
        trial.think(0.01)
    assert trial.asked == 0 and trial.match.ply > 3
    trial.take_back()
    assert trial.match.ply == 0, "what followed by itself goes back with the decision"


def test_nobody_sees_a_hand_while_a_computer_thinks_between_two_people() -> None:
    trial = Trial("dominion", 3, computers=["", "", "apprentice"], seed="2")
    random = Random(2)
    while not trial.thinks:
        shown = trial.picture("en")
        assert shown["secret"] and shown["hand"]
        play_on(trial, 1, random)
    assert trial.picture("en")["hand"] == []


def test_whoever_plays_alone_is_not_covered() -> None:
    shown = Trial("dominion", 2, computers=["", "apprentice"]).picture("en")
    assert not shown["secret"] and shown["people"] == [0]


def test_piles_that_cannot_be_taken_say_why() -> None:
    trial = Trial("dominion", 2, seed="3")
    wares = {ware["kind"]: ware for ware in trial.picture("en")["wares"]}
    assert not wares["province"]["able"] and wares["province"]["why_not"]
    assert "" not in wares
    why = trial.refusal("en", ["province"], [], pile=True)
    assert why is not None and "Province" in why["title"] and why["rule"]["text"]


@pytest.mark.parametrize(
    "broken",
    [
        {}, {"match": {}}, {"match": None, "names": [], "computers": []},
        {"match": {"game": "chess", "players": 2, "options": {}, "seed": "", "moves": []},
         "names": [], "computers": [], "steps": [], "laid": []},
        {"match": {"game": "knizia_stonehenge", "players": 2, "options": {}, "seed": "",
                   "moves": ["p0 place 5 D", "p0 place 5 E"]},
         "names": [], "computers": [], "steps": [], "laid": []},
        {"match": {"game": "knizia_stonehenge", "players": 2, "options": {}, "seed": "",
                   "moves": []},
         "names": [], "computers": ["nobody"], "steps": [], "laid": []},
    ],
)  # fmt: skip
def test_what_is_no_kept_match_says_so_and_the_match_of_now_stays(broken: Any) -> None:
    with pytest.raises(GameError):
        Trial.load(broken)
    say(
        do="begin",
        game="knizia_stonehenge",
        players=2,
        options={},
        seed="1",
        names=[],
        computers=[],
    )
    say(do="play", moves=["p0 place 5 D"])
    assert say(do="load", kept=broken)["error"]
    kept = say(do="picture")["picture"]["kept"]["match"]["moves"]
    assert kept == ["p0 place 5 D", "p0 done"]


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(OptionError):
        Trial("knizia_stonehenge", 7)
    with pytest.raises(StateError):
        Trial.load({"match": 3})
