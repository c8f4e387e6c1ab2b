"""Moves as text, hidden zones, matches, words."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import GameError, IllegalMove, Json, Move, MoveSyntaxError, StateError
from rules.games import find_game, game_ids
from rules.hidden import Certainty, HiddenError, Zones
from rules.match import Match
from rules.telling import Teller, TextError

# -- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "p0 place 3 A",
        "dealer draw p1 ?",
        "table score G2,G4",
        "p3 persuade 7 8 white pay=white",
        "p2 roll-fall d1",
    ],
)
def test_a_move_prints_as_it_parses(text: str) -> None:
    assert str(Move.parse(text)) == text
    assert copy.deepcopy(Move.parse(text)) is Move.parse(text)


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_a_syntax_error(text: str) -> None:
    try:
        assert str(Move.parse(text)) == text
    except MoveSyntaxError as error:
        assert "is not a move" in str(error)


@pytest.mark.parametrize("text", ["", "p0", "p0  done", " p0 done", "p0 done ", "P0 done", "x y"])
def test_sloppy_texts_are_no_moves(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        Move.parse(text)


# -- hidden zones -----------------------------------------------------------------------------


def test_an_unseen_draw_may_be_anything_left_and_a_shown_card_is_bound() -> None:
    zones = Zones()
    zones.fill("pile", {"a": 2, "b": 1})
    zones.draw("pile", "hand", None)
    assert zones.certainty("hand", "a") is Certainty.POSSIBLE
    zones.move("hand", "table", "b")
    assert zones.certainty("pile", "b") is Certainty.IMPOSSIBLE
    assert zones.certainty("pile", "a") is Certainty.SURE
    assert zones.whereabouts("b") == {"table": 1}


def test_a_card_all_of_which_are_seen_is_impossible() -> None:
    zones = Zones()
    zones.fill("pile", ["a", "b", "c"])
    zones.draw("pile", "table", "a")
    zones.draw("pile", "hand", None)
    with pytest.raises(HiddenError):
        zones.move("hand", "table", "a")


def test_a_known_top_is_drawn_first() -> None:
    zones = Zones()
    zones.fill("pile", ["a", "b"])
    zones.put("hand", ["x"])
    zones.place_on_top("hand", "pile", "x")
    assert zones.draws("pile") == Counter({"x": 1})
    zones.draw("pile", "hand", "x")
    assert zones.draws("pile") == Counter({"a": 1, "b": 1})


def test_a_shuffle_forgets_which_card_is_where() -> None:
    zones = Zones()
    zones.put("discards", ["a", "b"])
    zones.shuffle(["discards"], "pile")
    assert zones.size("discards") == 0
    assert zones.draws("pile") == Counter({"a": 1, "b": 1})


@given(st.randoms(use_true_random=False))
def test_what_really_happens_is_never_called_impossible(random) -> None:  # type: ignore[no-untyped-def]
    """A real table beside its bookkeeping: draws, plays, shuffles at random."""
    zones = Zones()
    real: dict[str, list[str]] = {"pile": list("aabbccdd"), "hand": [], "other": [], "open": []}
    random.shuffle(real["pile"])
    zones.fill("pile", real["pile"])
    for _ in range(60):
        stored, copy = zones.to_json(), zones.clone()
        if random.random() < 0.5:
            zones, copy = copy, zones
        action = random.randrange(5)
        if action <= 1 and real["pile"]:
            hand = random.choice(["hand", "other"])
            real[hand].append(real["pile"].pop())
            zones.draw("pile", hand, None)
        elif action == 2:
            hand = random.choice(["hand", "other"])
            if real[hand]:
                card = real[hand].pop(random.randrange(len(real[hand])))
                assert zones.certainty(hand, card) is not Certainty.IMPOSSIBLE
                zones.move(hand, "open", card)
                real["open"].append(card)
        elif action == 3 and real["hand"]:
            card = real["hand"].pop(random.randrange(len(real["hand"])))
            real["other"].append(card)
            zones.move("hand", "other", None)
        elif action == 4 and not real["pile"]:
            real["pile"], real["open"] = real["open"], []
            random.shuffle(real["pile"])
            zones.shuffle(["open"], "pile")
        assert zones.invariants() == []
        assert copy.to_json() == stored
        assert zones.count_all() == Counter("aabbccdd")
        assert Zones.from_json(json.loads(json.dumps(zones.to_json()))).to_json() == zones.to_json()


# -- matches ----------------------------------------------------------------------------------


def test_taking_back_and_playing_again_come_back_to_the_same_position() -> None:
    match = Match("knizia_stonehenge", 2)
    for _ in range(40):
        match.push(match.legal_moves()[-1])
    before = match.state.to_json()
    for _ in range(25):
        match.pop()
    for _ in range(25):
        match.redo()
    assert match.state.to_json() == before


def test_a_refused_move_leaves_the_match_as_it_was() -> None:
    match = Match("knizia_stonehenge", 2)
    with pytest.raises(IllegalMove, match=r"1\.5 still_open"):
        match.push("p0 claim H1")
    assert match.ply == 0


def test_playing_on_anyway_is_recorded_as_such() -> None:
    match = Match("knizia_stonehenge", 2)
    assert [o.code for o in match.force("p0 claim H1")] == ["still_open"]
    assert match.log[-1].forced
    match.pop()
    match.redo()
    assert match.log[-1].forced, "played again it is still against the rules"
    again = Match.load(json.loads(json.dumps(match.dump())))
    assert again.state.to_json() == match.state.to_json()


@pytest.mark.parametrize("data", [{}, [], {"game": "knizia_stonehenge"}, None, 3])
def test_a_stored_match_that_is_none_is_refused(data: object) -> None:
    with pytest.raises(StateError):
        Match.load(data)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_stored_position_with_something_of_another_kind_in_it_brings_out_no_foreign_error(
    game_id: str,
) -> None:
    game = find_game(game_id)
    good = Match(game_id, game.players[0]).state.to_json()
    assert game.from_json(json.loads(json.dumps(good))).to_json() == good
    refused = 0
    # Infinity is what Python's json makes of 1e999; it cannot become a whole number.
    for name, wrong in itertools.product(good, (float("inf"), {"?": "?"}, ["?"], "?", None)):
        try:
            game.from_json({**good, name: wrong})
        except StateError:
            refused += 1
    assert refused > len(good)
    shapeless: list[Json] = [None, 3, [], {}, "?", {"players": float("inf")}]
    for nonsense in shapeless:
        with pytest.raises(StateError, match="not a position of"):
            game.from_json(nonsense)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"turn": 1.0}, "turn: 1.0"),
        ({"placed": 1}, "placed: 1"),
        ({"hands": [[1], [2]]}, "hands.0: "),
        ({"lines": {"H1": -1}}, "lines: "),
    ],
)
def test_what_is_written_otherwise_than_it_was_read_is_refused_with_its_place(
    change: dict[str, Json], place: str
) -> None:
    game = find_game("knizia_stonehenge")
    good = Match("knizia_stonehenge", 2).state.to_json()
    shuffled = {**good, "hands": [hand[::-1] for hand in good["hands"]]}
    assert game.from_json(shuffled).to_json() == good, "what has no order may come in any"
    with pytest.raises(StateError) as refused:
        game.from_json({**good, **change})
    assert str(refused.value).startswith(place)


def test_an_unknown_game_names_those_there_are() -> None:
    with pytest.raises(GameError, match="knizia_stonehenge"):
        find_game("tiddlywinks")


# -- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_name_tagline_and_pages_in_both_languages(game_id: str, lang: str) -> None:
    game = find_game(game_id)
    teller = Teller(game, lang, game.colours(game.players[0], game.complete_options(
        game.players[0], {})))  # fmt: skip
    assert teller.game_name and teller.tagline
    assert len(teller.pages) >= 5


def test_a_refusal_says_what_is_the_matter_why_and_what_to_do() -> None:
    match = Match("knizia_stonehenge", 2)
    match.push("p0 place 3 L")
    teller = Teller(match.game, "de", match.colours, ["Oma", "Kim"])
    told = teller.objection(match.why_not("p0 claim H4")[0])
    assert told.title == "Linie H4 ist noch offen"
    assert told.text.startswith("Oma hat dort 3. Kim kann auf J, K, M und N")
    assert told.do == "Nimm den Megalithen zurück."


def test_a_missing_text_names_file_and_key() -> None:
    match = Match("knizia_stonehenge", 2)
    teller = Teller(match.game, "en", match.colours)
    with pytest.raises(TextError, match=r"en/knizia_stonehenge\.toml.*objections\.nonsense"):
        teller.text("objections", "nonsense")


def test_a_move_as_long_as_only_a_foreign_file_has_it_is_read_and_not_remembered() -> None:
    text = "p0 place " + "x" * 1000
    assert Move.parse(text) == Move.parse(text)
    assert Move.parse(text) is not Move.parse(text)
    assert Move.parse("p0 done") is Move.parse("p0 done")
