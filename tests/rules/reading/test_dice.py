"""Dice in a tray, read with the record: thrown, thrown again, free, and the same once more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.match.rehearsing.hands import Tried, stumbles
from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import read_scene
from companion.settings.enforcement import Enforcement
from rules.box import load_box
from rules.core import Game, Item, Layout
from rules.games import add_games, find_game
from rules.match import Match
from rules.reading.dice import Dice, Trays
from rules.reading.reading import Reading, Status, read
from rules.reading.since import Since
from rules.testing.conformance import check_game
from rules.testing.pictures import draw
from rules.testing.playout import random_match
from tests.support.elsewhere import elsewhere

RACE = Path(__file__).parents[2] / "support" / "race"
SPOTS = ((0.0, 60.0), (30.0, 70.0), (-40.0, 50.0), (-60.0, 75.0))


@pytest.fixture(scope="module", autouse=True)
def race() -> Iterator[Game[Any]]:
    """The game of dice."""
    with elsewhere():
        (name,) = add_games(RACE)
        yield find_game(name)


def match_after(*moves: str) -> Match:
    match = Match("dice_race", 2, physical=True)
    for move in moves:
        match.push(move)
    return match


def look(
    match: Match, now: str, before: str | None, *, layout: Layout | None = None,
    spots: Sequence[tuple[float, float]] = (), spots_before: Sequence[tuple[float, float]] = (),
) -> Reading:  # fmt: skip
    """The meaning of dice that show ``now``, where ``before`` lay when no throw was due."""
    pieces = {i: n for i, n in (layout or match.layout).items() if i.site != "tray"}
    dice = Counter(Item("tray", "die", pose=face) for face in now)
    sighting = draw(load_box(match.game.box), Counter(pieces) + dice)
    tray = replace(sighting.sites["tray"], at=tuple(spots))
    lay = draw(load_box(match.game.box), Counter(Item("tray", "die", pose=f) for f in before or ""))
    known = {} if before is None else {"tray": Dice(lay.sites["tray"].best, tuple(spots_before))}
    return read(match, sighting, since=Since(trays=Trays({"tray": tray}, known)))


def told(reading: Reading) -> list[str]:
    return [move.text for move in reading.moves]


START, THROWN = match_after, "dealer roll 3 5"


@pytest.mark.parametrize(
    ("now", "before", "moves"),
    [
        ("35", "", [THROWN]), ("35", None, [THROWN]), ("35", "34", [THROWN]),
        ("35", "35", []), ("3", "", []), ("", "35", []), ("356", "", []),
    ],
)  # fmt: skip
def test_a_throw_that_is_due_is_as_many_dice_as_it_has_that_were_moved(
    now: str, before: str | None, moves: list[str]
) -> None:
    reading = look(match_after(), now, before)
    assert told(reading) == moves
    assert reading.status is (Status.MOVE if moves else Status.SETTLED)


def test_the_same_faces_again_are_a_throw_if_all_dice_lie_elsewhere() -> None:
    match = match_after()
    still = look(match, "35", "35", spots=SPOTS[:2], spots_before=SPOTS[:2])
    one = look(match, "35", "35", spots=(SPOTS[0], SPOTS[2]), spots_before=SPOTS[:2])
    both = look(match, "35", "35", spots=SPOTS[2:], spots_before=SPOTS[:2])
    assert [told(still), told(one), told(both)] == [[], [], [THROWN]]


@pytest.mark.parametrize("now", ["35", "", "3", "5"])
def test_dice_lie_free_once_they_are_read(now: str) -> None:
    assert look(match_after(THROWN), now, "35").status in (Status.SETTLED, Status.AMBIGUOUS)


def test_dice_that_may_not_be_thrown_again_are_turned_and_taken_away_by_anybody() -> None:
    match = match_after(THROWN, "p0 again 3 5", "dealer roll 1 2")
    for now in ("12", "66", "", "1", "123"):
        assert look(match, now, "12").status is Status.SETTLED


def test_some_dice_are_thrown_again_while_the_others_lie_there_or_aside() -> None:
    match = match_after(THROWN)
    assert told(look(match, "56", "35")) == ["p0 again 3", "dealer roll 6"]
    assert told(look(match, "66", "35")) == ["p0 again 3 5", "dealer roll 6 6"]
    aside = look(match, "6", "35")
    assert aside.status is Status.AMBIGUOUS
    assert {c.moves[0].text for c in aside.candidates} == {"p0 again 3", "p0 again 5"}


def test_a_turn_and_the_next_throw_are_read_in_one_look() -> None:
    match, after = match_after(THROWN), match_after(THROWN, "p0 move f9")
    assert told(look(match, "35", "35", layout=after.layout)) == ["p0 move f9"]
    assert told(look(match, "", "35", layout=after.layout)) == ["p0 move f9"]
    both = look(match, "12", "35", layout=after.layout)
    assert told(both) == ["p0 move f9", "dealer roll 1 2"]


def test_whoever_goes_on_by_a_throw_that_was_not_read_is_not_accused() -> None:
    match, after = match_after(), match_after(THROWN, "p0 move f9")
    for now in ("35", "", "3"):
        reading = look(match, now, "35", layout=after.layout)
        assert (reading.status, reading.doubt) == (Status.PENDING, "missing")


def test_a_pawn_that_goes_farther_than_the_dice_is_still_refused() -> None:
    match = match_after(THROWN)
    off = Counter({item: n for item, n in match.layout.items() if item.kind != "pawn red"})
    off[Item("f8", "pawn red", 0)] = 1
    assert look(match, "35", "35", layout=off).status is Status.ILLEGAL


def test_two_faces_that_a_die_may_show_are_asked_about() -> None:
    match = match_after()
    sighting = draw(load_box(match.game.box), match.layout)
    one = draw(load_box(match.game.box), Counter(Item("tray", "die", pose=f) for f in "35"))
    other = draw(load_box(match.game.box), Counter(Item("tray", "die", pose=f) for f in "36"))
    looks = {one.sites["tray"].best: -0.5, other.sites["tray"].best: -0.9}
    tray = replace(sighting.sites["tray"], looks=looks)
    reading = read(match, sighting, since=Since(trays=Trays({"tray": tray})))
    assert reading.status is Status.AMBIGUOUS
    assert [c.moves[0].text for c in reading.candidates] == [THROWN, "dealer roll 3 6"]
    unread = replace(tray, unread=True)
    assert read(match, sighting, since=Since(trays=Trays({"tray": unread}))).moves == ()


def test_the_game_conforms_and_a_table_reads_what_hands_lay(race: Game[Any]) -> None:
    assert check_game(race, matches=2).problems == []
    tried = Tried(enough=2)
    assert [*stumbles(race, tried)] == []
    assert {"roll", "move"} <= {verb for verb, _ in tried.laid}


# -- through the whole table ----------------------------------------------------------------------


def dice(faces: str) -> dict[str, Any]:
    return {"look": {"tray": [{"kind": "die", "pose": face} for face in faces]}}


def rehearsed(*lines: dict[str, Any]) -> Rehearsal:
    start = {"look": {"f1": ["pawn red", "pawn blue"]}}
    text = "\n".join(json.dumps(line) for line in (start, *lines))
    rehearsal = Rehearsal(find_game("dice_race"), 2, {}, Enforcement.ENFORCE)
    rehearsal.play(read_scene(text, "scene"))
    return rehearsal


def test_equal_throws_follow_each_other_and_no_throw_counts_twice() -> None:
    rehearsal = rehearsed(
        dice("3"), dice("35"), dice("35"), {"wait": 20},
        {"look": {"f1": ["pawn blue"], "f9": ["pawn red"]}}, {"wait": 20},
        dice(""), dice("35"), dice("5"), dice("15"),
        {"look": {"tray": [], "f1": [], "f7": ["pawn blue"]}}, dice("66"),
    )  # fmt: skip
    assert [entry.move.text for entry in rehearsal.table.match.log] == [
        THROWN, "p0 move f9", THROWN, "p1 again 3", "dealer roll 1", "p1 move f7",
        "dealer roll 6 6",
    ]  # fmt: skip


def test_a_throw_that_was_taken_back_is_not_read_again_until_dice_are_thrown() -> None:
    rehearsal = rehearsed(dice("35"), {"press": "undo"}, {"wait": 20}, {"tap": "dealer roll 3 6"})
    assert [entry.move.text for entry in rehearsal.table.match.log] == ["dealer roll 3 6"]
    again = rehearsed(dice("35"), {"press": "undo"}, {"wait": 9}, dice("3"), dice("34"))
    assert [entry.move.text for entry in again.table.match.log] == ["dealer roll 3 4"]


def test_dice_that_cannot_be_told_are_asked_for_in_words_and_a_turned_one_is_no_offence() -> None:
    faces = ("3", "", "356", "35", "")
    told = [str(one.event) for one in rehearsed(*map(dice, faces)).told]
    calls = ["dice_missing", "dice_too_many"]
    found = [c for line in told for c in (*calls, "dice_turned", "Refused") if c in line]
    assert found == calls

    rehearsal = rehearsed(
        dice("35"), *({"tap": move} for move in ("p0 again 5", "dealer roll 2")),
        dice("32"), dice("36"), dice("32"),
    )  # fmt: skip
    told = [str(one.event) for one in rehearsal.told]
    assert sum("dice_turned" in line for line in told) == 1
    assert [entry.move.text for entry in rehearsal.table.match.log][-1] == "dealer roll 2"


def test_a_whole_match_of_throws_and_moves_is_read_without_a_question() -> None:
    for seed in range(3):
        played = [*random_match(find_game("dice_race"), 2, {}, seed)]
        moves = [move.text for *_, move in played]
        for style in ("each", "end"):
            groups = [moves] if style == "each" else [moves[i : i + 3] for i in range(0, 60, 3)]
            lines = [{"moves": group, "look": style} for group in groups if group]
            rehearsal = rehearsed(*lines)
            log = [entry.move.text for entry in rehearsal.table.match.log]
            # Whoever throws a die again and gets the same may as well have left it.
            assert [m for m in log if "move" in m] == [m for m in moves if "move" in m]
            assert rehearsal.table.match.outcome is not None
            assert not [one for one in rehearsal.told if type(one.event).__name__ == "Asked"]


def test_throws_are_read_in_a_game_whose_layout_leaves_dice_out(
    race: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(match_after().state)
    whole = kind.layout
    bare = lambda state: Layout({i: n for i, n in whole(state).items() if i.site != "tray"})  # noqa: E731
    monkeypatch.setattr(kind, "layout", bare)
    assert told(look(match_after(), "35", "")) == [THROWN]
    moves = [THROWN, "p0 again 3", "dealer roll 6", "p0 move f12", "dealer roll 5 6"]
    rehearsal = rehearsed({"moves": moves, "look": "each"})
    assert [entry.move.text for entry in rehearsal.table.match.log] == moves
