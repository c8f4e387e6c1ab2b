"""Backgammon, a game of heaps and dice in a package of its own: rules, turns as another program has
them, hands, and its computer player."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.presentation.touching import Picked, placeless, targets
from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Game, Layout, Move
from rules.match import Match
from rules.players import Budget, SeatView
from rules.players.craft import craft_of
from rules.players.levels import LEVELS, Searcher
from rules.reading.belief import Belief
from rules.reading.reading import Status, read
from rules.reading.sighting import looks
from rules.reading.since import LONG_AGO
from rules.reading.ways_out import ways_out
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from rules.testing.pictures import draw
from rules.testing.playout import random_match
from tests.support.ui_harness import view_of
from vision.board.appearance import BoardAppearance
from vision.board.drawing import drawing_of
from vision.board.flattening import grid_px
from vision.camera.sources import Frame
from vision.tracker import Tracker

EXAMPLES = Path(__file__).parents[2] / "examples"
TURNS = Path(__file__).with_name("backgammon_turns.txt")
BAR = 25


def men(**at: int) -> list[int]:
    """Checkers by pips, ``p6=5`` or ``bar=1``; all others are borne off."""
    found = [0] * (BAR + 1)
    for name, number in at.items():
        found[BAR if name == "bar" else int(name[1:])] = number
    found[0] = 15 - sum(found)
    return found


def position(
    game: Game[Any], white: list[int], black: list[int], dice: Sequence[int] = (), **options: str
) -> Any:
    """White is to move with ``dice``, or is asked about doubling without any."""
    state = game.setup(2, game.complete_options(2, options), physical=False)
    state.men, state.dice = (white, black), sorted(dice)
    state.phase = "move" if dice else "double"
    return state


def texts(state: Any) -> set[str]:
    return {move.text.removeprefix("p0 move ") for move in state.legal_moves()}


def codes(state: Any, move: str) -> list[str]:
    return [objection.code for objection in state.violations(Move.parse(move))]


def played(state: Any, *moves: str) -> Any:
    for text in moves:
        assert codes(state, text) == [], text
        state.apply(Move.parse(text))
    return state


def test_it_conforms(backgammon: Game[Any]) -> None:
    assert check_game(backgammon, matches=1).problems == []


# -- 1.3 to 1.7 Throwing and moving ---------------------------------------------------------------


def test_whoever_throws_more_begins_with_both_dice_and_equal_ones_are_thrown_again(
    backgammon: Game[Any],
) -> None:
    match = Match(backgammon, 2)
    for move in ("dealer roll 4", "dealer roll 4"):
        match.push(move)
    assert match.prompt is not None and (match.prompt.code, match.prompt.player) == ("first", 0)
    for move in ("dealer roll 2", "dealer roll 5"):
        match.push(move)
    assert match.state.turn == 1 and match.state.dice == [2, 5]
    assert [o.code for o in match.why_not("p0 move 24 22")] == ["wrong_player"]
    assert [o.code for o in match.why_not("dealer roll 1 1")] == ["not_to_throw"]


def test_its_matches_are_played_as_they_were(backgammon: Game[Any]) -> None:
    assert differences(backgammon, EXAMPLES / "backgammon/tests/golden") == []


def test_both_dice_are_used_if_there_is_a_way(backgammon: Game[Any]) -> None:
    # With the 1 first, the 6 would be blocked.
    state = position(backgammon, men(p10=1, p1=1), men(p22=2, p23=2), (1, 6))
    assert texts(state) == {"10 4"}
    assert codes(state, "p0 move 10 9") == ["use_both"]


def test_of_two_dice_the_higher_is_used_if_only_one_can_be(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p20=1), men(p16=2), (5, 6))
    assert texts(state) == {"20 14"}
    assert codes(state, "p0 move 20 15") == ["use_both"]


def test_a_double_is_played_four_times_as_far_as_it_goes(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p13=2), men(p18=2), (3, 3, 3, 3))
    assert texts(state) == {"13 10"}
    played(state, "p0 move 13 10", "p0 move 13 10")
    assert state.phase == "pass" and state.obliged() == Move.parse("p0 pass")


def test_a_checker_that_is_hit_enters_before_others_move(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p8=2), men(p20=1, p18=2), (3, 2))
    played(state, "p0 move 8 5")
    assert state.men[1][BAR] == 1 and state.men[1][20] == 0
    assert Counter(item.site for item in state.layout())["bar-black"] == 1
    state.turn, state.dice = 1, [1, 4]
    assert codes(state, "p1 move 7 8") == ["bar_first"]
    assert codes(state, "p1 move bar-black 4") == []


def test_a_higher_number_bears_off_from_the_farthest_point_only(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p4=1, p2=1), men(p1=2), (3, 6))
    assert codes(state, "p0 move 2 off-white") == ["farther_first"]
    assert {"4 off-white", "4 1"} <= texts(state)
    outside = position(backgammon, men(p7=1, p2=1), men(p1=2), (2, 3))
    assert codes(outside, "p0 move 2 off-white") == ["not_home"]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("p0 move 8 10", "backwards"),
        ("p0 move 8 7", "not_thrown"),
        ("p0 move 8 4", "blocked"),
        ("p0 move 9 5", "none_there"),
        ("p0 take", "no_offer"),
        ("p0 double", "no_double"),
        ("p0 pass", "can_move"),
        ("p0 move 8 8", "unknown_move"),
    ],
)
def test_what_is_wrong_is_named(backgammon: Game[Any], move: str, code: str) -> None:
    state = position(backgammon, men(p8=2), men(p21=2), (2, 4))
    assert codes(state, move) == [code]


# -- 1.8 to 1.10 The cube, points, the match ------------------------------------------------------


def test_whoever_takes_has_the_cube_and_the_game_counts_double(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p1=1), men(p1=2), points="5")
    played(state, "p0 double")
    assert codes(state, "p0 done") == ["wrong_player"]
    assert codes(state, "p1 done") == ["answer_first"]
    assert [i.site for i in state.layout() if (i.kind, i.pose) == ("cube", "2")] == ["cube"]
    played(state, "p1 take")
    assert [i.site for i in state.layout() if (i.kind, i.pose) == ("cube", "2")] == ["cube-black"]
    played(state, "dealer roll 1 2", "p0 move 1 off-white")
    assert state.scores() == (2, 0)


def test_a_cube_not_taken_wins_what_the_game_counted_before(backgammon: Game[Any]) -> None:
    state = position(backgammon, men(p1=1), men(p1=2), points="5")
    played(state, "p0 double", "p1 drop")
    assert state.scores() == (1, 0) and state.cube == 1


@pytest.mark.parametrize(
    ("loser", "options", "points"),
    [
        (men(p1=2), {}, 1),
        (men(p1=15), {}, 2),
        (men(p19=1, p1=14), {}, 3),
        (men(bar=1, p1=14), {}, 3),
        (men(bar=1, p1=13), {}, 1),
        (men(p19=1, p1=14), {"jacoby": "on"}, 1),
    ],
)
def test_gammons_and_backgammons(
    backgammon: Game[Any], loser: list[int], options: dict[str, str], points: int
) -> None:
    state = position(backgammon, men(p1=1), loser, (1, 2), points="money", **options)
    played(state, "p0 move 1 off-white")
    assert state.scores() == (points, 0)


def test_nobody_doubles_in_the_first_game_after_one_point_is_missing(
    backgammon: Game[Any],
) -> None:
    def asked_after_the_first_throw() -> str:
        played(state, "dealer roll 5", "dealer roll 2")
        while state.phase == "move":
            state.apply(state.legal_moves()[0])
        return str(state.phase)

    state = position(backgammon, men(p1=1), men(p1=15), (1, 2), points="3")
    played(state, "p0 move 1 off-white")
    assert state.scores() == (2, 0) and state.crawford == "now"
    assert asked_after_the_first_throw() == "throw"
    state._win(1, "single")
    assert state.crawford == "past"
    assert asked_after_the_first_throw() == "double"


# -- as another program has it --------------------------------------------------------------------


def turns(state: Any) -> set[tuple[str, str]]:
    """The boards that the turn can lead to, as the file writes them."""
    ways, found, met = [state], set(), set()
    while ways:
        at = ways.pop()
        written = tuple("".join(f"{number:x}" for number in men) for men in at.men)
        moves = at.legal_moves() if at.phase == "move" and at.turn == 0 else []
        if not moves:
            found.add((written[0], written[1]))
        for move in moves:
            after = at.clone()
            after.apply(move)
            if (key := (*map(tuple, after.men), tuple(after.dice))) not in met:
                met.add(key)
                ways.append(after)
    return found


def test_turns_lead_to_the_boards_that_open_spiel_names(backgammon: Game[Any]) -> None:
    """Positions of its random games (``benchmarks/opponents/backgammon.py``), its boards only as a
    checksum: OpenSpiel is not needed here."""
    lines = TURNS.read_text(encoding="utf-8").splitlines()
    for line in lines:
        white, black, dice, number, checksum = line.split()
        own, other = ([int(digit, 16) for digit in digits] for digits in (white, black))
        state = position(backgammon, own, other, [*map(int, dice)], points="money", cube="off")
        boards = turns(state)
        text = "\n".join(sorted(" ".join(board) for board in boards))
        assert (len(boards), zlib.crc32(text.encode())) == (int(number), int(checksum)), line
    assert len(lines) > 40


# -- hands ----------------------------------------------------------------------------------------


def looked_at(match: Match, layout: Layout) -> Any:
    return read(match, draw(load_box(match.game.box), layout))


def test_every_checker_put_down_is_read_and_lifting_one_is_no_move(backgammon: Game[Any]) -> None:
    told, room = Counter[bool](), load_box(backgammon.box).sites["1"].room
    for match, _, move in random_match(backgammon, 2, {"cube": "off"}, 5, physical=True):
        if move.verb != "move" or match.ply > 150:
            continue
        after = match.clone()
        after.push(move)
        reading = looked_at(match, after.layout)
        lifted = looked_at(match, match.layout - (match.layout - after.layout))
        assert lifted.moves == () and lifted.status in (Status.PENDING, Status.SETTLED)
        full = sum(1 for item in match.layout.elements() if item.site == move.args[-1]) >= room
        assert reading.moves == (move,) or (full and not reading.moves), (match.state.men, move)
        told[bool(reading.moves)] += 1
    assert told[True] > 5 * told[False]


def test_a_checker_out_of_sight_on_a_full_point_is_told_once_the_next_dice_lie_there(
    backgammon: Game[Any],
) -> None:
    match = Match(backgammon, 2, {"cube": "off"}, physical=True)
    for move in ("dealer roll 2", "dealer roll 5"):
        match.push(move)
    after = match.clone()
    for move in ("p1 move 17 19", "p1 move 12 17"):
        after.push(move)
    assert looked_at(match, after.layout).status is Status.PENDING
    after.push("dealer roll 2 6")
    (told,) = looked_at(match, after.layout).candidates
    assert [move.text for move in told.moves][-1] == "dealer roll 2 6" and len(told.moves) == 3


def test_of_a_row_that_shows_far_too_few_checkers_some_were_moved(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, {"cube": "off"}, physical=True)
    match.state.men = (men(p6=15), men(p1=5, p3=6, p8=4))
    match.state.turn, match.state.phase, match.state.dice = 1, "move", [2, 2, 2, 2]
    after = match.clone()
    for _ in range(4):
        after.push("p1 move 22 24")
    after.push("dealer roll 1 3")
    read_all = looked_at(match, after.layout)
    assert [m.text for m in read_all.moves] == ["p1 move 22 24"] * 4 + ["dealer roll 1 3"]


def test_what_hands_do_after_that_is_told_by_itself(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, {"cube": "off"}, physical=True)
    for move in ("dealer roll 1", "dealer roll 2"):
        match.push(move)
    after, belief, told = match.clone(), Belief(), list[list[str]]()
    for move in ("p1 move 17 19", "p1 move 1 2"):
        after.push(move)
        picture = draw(load_box(backgammon.box), after.layout)
        reading = belief.read(match, picture, (), {}, LONG_AGO)
        told.append([move.text for move in reading.moves])
    assert told == [[], ["p1 move 1 2"]]


def test_whoever_moved_by_dice_taken_up_since_is_not_accused(backgammon: Game[Any]) -> None:
    # A checker goes on twice, and the other player hits it in between.
    plies = (140, 146)
    matches = random_match(backgammon, 2, {}, 118202, physical=True)
    before, after = (m.clone() for m, _, _ in islice(matches, plies[-1] + 1) if m.ply in plies)
    reading = looked_at(before, after.layout)
    assert (reading.status, reading.doubt) == (Status.PENDING, "missing")


def test_whoever_throws_has_not_doubled(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, {"cube": "on"}, physical=True)
    for move in ("dealer roll 2", "dealer roll 5", "p1 move 17 19", "p1 move 12 17"):
        match.push(move)
    after = match.clone()
    for move in ("p0 done", "dealer roll 2 6"):
        after.push(move)
    reading = looked_at(match, after.layout)
    assert reading.status is Status.MOVE
    assert [move.text for move in reading.moves] == ["p0 done", "dealer roll 2 6"]
    for move in ("p0 move 13 7", "p0 move 13 11", "p1 done", "dealer roll 6 6"):
        after.push(move)
    gone_on = looked_at(match, after.layout)
    assert (gone_on.status, gone_on.doubt) == (Status.PENDING, "missing"), "by a throw nobody saw"


def test_the_first_throw_of_a_new_game_takes_nothing_back(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, {"cube": "on"}, physical=True)
    for move in ("dealer roll 2", "dealer roll 5", "p1 move 17 19", "p1 move 12 17"):
        match.push(move)
    match.push("p0 double")
    after = match.clone()
    after.push("p1 drop")
    reading = looked_at(match, after.layout)
    assert (reading.status, reading.moves[:1]) == (Status.MOVE, (Move.parse("p1 drop"),))
    match.push("p1 drop")
    after.push("dealer roll 6")
    reading = looked_at(match, after.layout)
    assert [move.text for move in reading.moves] == ["dealer roll 6"]
    for _ in ("p0 double", "p1 drop"):
        match.pop()
    waits = looked_at(match, after.layout)
    assert (waits.status, waits.doubt) == (Status.PENDING, "missing")
    ways = ways_out(match, draw(load_box(backgammon.box), after.layout))
    assert ways is not None
    assert [m.text for m in ways.candidates[0].moves] == ["p0 double", "p1 drop", "dealer roll 6"]


def test_the_camera_knows_points_that_strokes_alone_draw(backgammon: Game[Any]) -> None:
    """Else everything printed would be something that lies there."""
    box = load_box(backgammon.box)
    ground = drawing_of(box, BoardAppearance(box).size).shares[0]
    for pip in range(1, BAR):
        x, y = grid_px(box, np.array([box.sites[str(pip)].at]))[0]
        assert ground[round(y), round(x)] < 0.1, pip


@pytest.mark.parametrize("bare", [False, True])
def test_touching_checkers_are_seen_before_and_after_a_move_with_stickers_and_without(
    backgammon: Game[Any], bare: bool
) -> None:
    box, match = load_box(backgammon.box), Match(backgammon, 2, {"cube": "off"}, physical=True)
    table, camera = VirtualTable(box, seed=3), Camera.over(box, 1600, 1200, seed=3)
    camera.faces = {} if bare else None
    tracker = Tracker(box, bare=("checker",) if bare else ("auto",))
    for number, moves in enumerate(((), ("dealer roll 2", "dealer roll 5", "p1 move 17 19"))):
        for move in moves:
            match.push(move)
        table.set_layout(match.layout)
        sighting = tracker.look(Frame(camera.render(table), number, "", number), settled=True)
        assert not sighting.hand
        lying = looks(match.layout)
        for site, belief in sighting.sites.items():
            seen = lying.get(site, ())[: box.sites[site].room]
            assert not belief.occluded and belief.best == seen, site


# -- computer players -----------------------------------------------------------------------------


def test_a_computer_that_looks_once_beats_chance(backgammon: Game[Any]) -> None:
    craft, won = craft_of(backgammon), 0
    for seed in range(6):
        match, random = Match(backgammon, 2, {"points": "1"}, seed=seed), Random(seed)
        while True:
            match.follow()
            if match.outcome is not None:
                break
            seat, moves = match.state.asked(), match.legal_moves()
            chosen = random.choice(moves)
            if seat == seed % 2:
                chances = []
                for move in moves:
                    then = match.state.clone()
                    then.apply(move)
                    chances.append(1.0 if then.outcome() else craft.estimate(then)[seat])
                chosen = moves[chances.index(max(chances))]
            match.push(chosen)
        won += match.outcome.ranking[0] == (seed % 2,)
    assert won >= 5


def test_a_master_covers_a_point_at_home_with_three_and_one(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, {"points": "1"}, seed=1)
    for move in ("dealer roll 3", "dealer roll 1"):
        match.push(move)
    player = Searcher(LEVELS[-1])
    for _ in range(2):
        view = SeatView.of(match, 0)
        choice = player.choose(view, match.legal_moves(), Budget(playouts=400), Random(1))
        match.push(choice.move)
    assert match.state.men[0][5] == 2


def test_faces_of_dice_are_keys_although_points_have_the_same_names(backgammon: Game[Any]) -> None:
    match = Match(backgammon, 2, physical=True)
    view, box = view_of(match), load_box(backgammon.box)
    assert {move.verb for move in view.legal} == {"roll"}
    assert not targets(view, box, Picked())
    assert placeless(view, box) == view.legal
