"""Nine Men's Morris before a camera: stones are moved, lifted, put back and taken; whoever keeps to
the rules is never accused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.match.corrections.open_record import OpenRecord
from companion.match.messages import Seen
from companion.match.observation import Observation
from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Game, Item, Move
from rules.match import Match
from rules.reading.reading import MISSING, Reading, Status, read
from rules.reading.sighting import looks
from rules.reading.since import LONG_AGO, Since
from rules.testing.pictures import draw
from rules.testing.playout import random_match
from tests.support.morris import PLACED, placed
from tests.support.scenes.drawn_sitting import DrawnSitting
from vision.camera.sources import Frame
from vision.tracker import Tracker

TAKEN = ("taken-by-white", "taken-by-black")
MOVING = PLACED + " f6"
"""White has closed a mill with the last stone, takes b4, and black places there again."""


@pytest.fixture
def moving(morris: Game[Any]) -> Match:
    """All stones are placed, and white is to move."""
    match = placed(morris, MOVING)
    match.push("p0 take b4")
    match.push("p1 place b4")
    return match


def seen(match: Match, *lifted: str, brief: bool = False, **put: str) -> Reading:
    """Reading of a table without the stones ``lifted`` and with others put down: d3=black."""
    layout = Counter({item: 1 for item in match.layout if item.site not in lifted})
    for site, colour in put.items():
        layout[Item(site, f"stone {colour}", ("white", "black").index(colour))] = 1
    since = Since(hands_s=0.5, elapsed_s=0.5) if brief else LONG_AGO
    return read(match, draw(load_box(match.game.box), layout), since=since)


def seen_after(match: Match, *moves: str) -> Reading:
    """Reading of a table after unseen moves."""
    truth = match.clone()
    for move in moves:
        truth.push(move)
    return read(match, draw(load_box(match.game.box), truth.layout))


def read_as(reading: Reading) -> list[str]:
    assert reading.status is Status.MOVE, reading
    return [move.text for move in reading.moves]


def test_a_stone_moved_is_read(moving: Match) -> None:
    assert read_as(seen(moving, "f6", d6="white")) == ["p0 move f6 d6"]


def test_a_mill_and_the_stone_it_takes_are_read_at_once(moving: Match) -> None:
    for move in ("p0 move f6 d6", "p1 move c3 d3"):
        moving.push(move)
    reading = seen(moving, "d6", "e4", f6="white")
    assert read_as(reading) == ["p0 move d6 f6", "p0 take e4"]
    assert read_as(seen(moving, "d6", f6="white")) == ["p0 move d6 f6"]


def test_both_players_turns_are_read_at_once(moving: Match) -> None:
    reading = seen(moving, "f6", "c3", d6="white", d3="black")
    assert read_as(reading) == ["p0 move f6 d6", "p1 move c3 d3"]


def test_a_stone_that_was_placed_and_taken_before_anybody_looked_is_read(
    morris: Game[Any],
) -> None:
    match = placed(morris, PLACED)
    assert read_as(seen(match, "b4", f6="white"))[0] == "p0 place f6"


def test_an_own_stone_lifted_is_waited_for(moving: Match) -> None:
    for site in ("f6", "a7", "f4"):
        assert seen(moving, site).status is Status.PENDING


def test_an_own_stone_lifted_while_stones_are_placed_accuses_nobody(morris: Game[Any]) -> None:
    assert seen(placed(morris, "a1 g7 b2 d7"), "b2").status is Status.PENDING


def test_a_stone_taken_without_a_mill_is_led_back_with_the_reason(morris: Game[Any]) -> None:
    reading = seen(placed(morris, "a1 g7 b2 d7"), "g7")
    assert (reading.status, reading.doubt) == (Status.UNCLEAR, "differs")
    assert [objection.code for objection in reading.objections] == ["no_mill"]


def test_a_stone_that_went_on_after_the_others_turn_has_not_gone_too_far(moving: Match) -> None:
    reading = seen(moving, "c5", "c3", c3="white", d3="black")
    assert read_as(reading) == ["p0 move c5 c4", "p1 move c3 d3", "p0 move c4 c3"]


def test_stones_that_go_to_and_fro_are_no_moves_taken_back(moving: Match) -> None:
    for move in ("p0 move a7 a4", "p1 move c3 d3"):
        moving.push(move)
    reading = seen(moving, "a4", "d3", a7="white", c3="black")
    assert read_as(reading) == ["p0 move a4 a7", "p1 move d3 c3"]


def test_a_stone_out_of_turn_is_refused_unless_the_other_may_have_gone_to_and_fro(
    moving: Match,
) -> None:
    reading = seen(moving, "c3", d3="black", brief=True)
    assert [objection.code for objection in reading.objections] == ["wrong_player"]
    waits = seen(moving, "c3", d3="black")
    assert (waits.status, waits.doubt) == (Status.PENDING, MISSING)


@pytest.mark.parametrize(
    ("looks_at", "hand_until", "found"),
    [
        ((0.0, 0.1, 1.5, 1.6, 60.0), 1.5, Status.ILLEGAL),
        ((0.0, 0.1, 4.5, 4.6), 4.5, Status.ILLEGAL),
        ((0.0, 0.1, 6.0, 6.1), 6.0, Status.PENDING),
        ((0.0, 9.0, 18.0), 0.0, Status.PENDING),
    ],
    ids=["a quick hand", "a slow hand", "a hand for long", "a camera that seldom looks"],
)
def test_only_a_move_out_of_turn_is_refused_in_which_there_was_no_time_for_three(
    moving: Match, looks_at: tuple[float, ...], hand_until: float, found: Status
) -> None:
    sight, box = Observation(), load_box(moving.game.box)
    before, truth = draw(box, moving.layout), moving.clone()
    for move in ("p0 move a7 a4", "p1 move c3 d3", "p0 move a4 a7"):
        truth.push(move)
    after = draw(box, truth.layout)
    for number, now in enumerate(looks_at):
        hand = number > 0 and now < hand_until
        sight.take(Seen(replace(before, hand=hand) if number == 0 or hand else after))
        sight.read(moving, now, OpenRecord(moving))
    assert sight.reading is not None
    assert sight.reading.status is found


def test_a_stone_taken_by_a_mill_that_opened_and_closed_unseen_is_waited_for(
    moving: Match,
) -> None:
    opened = ("p0 move f6 d6", "p1 move c3 d3", "p0 move d6 f6", "p0 take e4")
    moving.push("p0 move f6 d6")
    for move in ("p1 move c3 d3", "p0 move d6 f6", "p0 take b6", "p1 move d3 c3"):
        moving.push(move)
    assert seen_after(moving, *opened).doubt == MISSING


@pytest.mark.parametrize(
    ("lying", "played"),
    [
        ("a1 g7 d1 f6 g1", ("p0 take g7", "p1 place g7", "p0 place b2")),
        ("a1 g7 d1 f6 b4", ("p1 place d7", "p0 place g1", "p0 take d7")),
        (PLACED, ("p0 place d6", "p1 place a4", "p0 move d6 f6")),
    ],
    ids=["placed again where it was taken", "taken at once", "gone on at once"],
)
def test_a_stone_of_which_nothing_is_left_accuses_nobody(
    morris: Game[Any], lying: str, played: tuple[str, ...]
) -> None:
    reading = seen_after(placed(morris, lying), *played)
    assert reading.status in (Status.PENDING, Status.AMBIGUOUS), reading


def test_a_stone_put_back_at_once_takes_back_its_move(moving: Match) -> None:
    moving.push("p0 move f6 d6")
    reading = seen(moving, "d6", brief=True, f6="white")
    assert reading.status is Status.AMBIGUOUS
    assert [candidate.takeback for candidate in reading.candidates] == [1]


def test_a_stone_taken_before_the_mill_is_closed_accuses_nobody(moving: Match) -> None:
    for move in ("p0 move f6 d6", "p1 move c3 d3"):
        moving.push(move)
    assert seen(moving, "e4").status is Status.UNCLEAR
    assert seen(moving, "e4", "d6").status is not Status.ILLEGAL


def test_the_wrong_stone_taken_is_refused(morris: Game[Any]) -> None:
    match = placed(morris, MOVING)
    match.push("p0 take b4")
    match.push("p1 place a4")
    match.push("p0 move f6 d6")
    match.push("p1 move b6 b4")
    match.push("p0 move d6 f6")
    kept = seen(match, "g7")
    assert read_as(kept) == ["p0 take g7"]
    own = seen(match, "d7")
    assert own.status is not Status.MOVE


def test_a_step_too_far_is_refused_with_its_reason(moving: Match) -> None:
    reading = seen(moving, "a7", g1="white")
    assert reading.status is Status.ILLEGAL
    assert [objection.code for objection in reading.objections] == ["not_next"]
    assert reading.anyway == (Move.parse("p0 move a7 g1"),)


def test_the_virtual_table_is_read_with_the_stones_that_were_taken_before_whoever_took_them(
    morris: Game[Any],
) -> None:
    box = load_box(morris.box)
    table, camera = VirtualTable(box, seed=3), Camera.over(box, 1200, 1440, seed=5)
    tracker = Tracker(box)
    played = [(m.clone(), move) for m, _, move in random_match(morris, 2, {}, 4)]
    read_with_taken = 0
    for match, move in (played[11], *Random(2).sample(played[60:], 1)):
        before = match.clone()
        match.push(move)
        taken = [
            Item(site, f"stone {colour}")
            for site, colour, count in zip(TAKEN, ("black", "white"), match.scores, strict=True)
            for _ in range(count)
        ]
        read_with_taken += len(taken)
        table.set_layout(match.layout + Counter(taken))
        sighting = tracker.look(Frame(camera.render(table), 0, "virtual", 0.0), settled=True)
        seen_on_board = {s: b.best for s, b in sighting.sites.items() if b.best and s not in TAKEN}
        assert seen_on_board == looks(match.layout)
        assert read_as(read(before, sighting)) == [move.text]
    assert read_with_taken > 1


@pytest.mark.parametrize("whole_turns", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_a_whole_match_is_read_without_asking(whole_turns: bool) -> None:
    sitting = DrawnSitting("nine_mens_morris", 6, 2, lambda line: None, whole_turns=whole_turns)
    tally = sitting.play()
    assert tally.read == tally.visible > 50
    assert tally.accused == tally.wrong == tally.asked == 0, tally.troubles
