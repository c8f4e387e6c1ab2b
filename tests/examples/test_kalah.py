"""Kalah, a game of heaps in a package of its own: rules, hands, and what is drawn of heaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.journal.events import Source
from companion.match.messages import Seen
from companion.match.view import PlayMove, TableState
from companion.presentation.plan import Plan
from companion.simulator import Drag, VirtualTable, next_step
from rules.box import load_box
from rules.core import Game, Item, Layout, Move
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import Status, read
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from rules.testing.pictures import draw
from rules.testing.playout import random_match
from tests.support.phone_pictures import table_of

EXAMPLES = Path(__file__).parents[2] / "examples"
PITS = ["a1", "b1", "c1", "d1", "e1", "f1", "s1", "f2", "e2", "d2", "c2", "b2", "a2", "s2"]


def test_it_conforms(kalah: Game[Any]) -> None:
    assert check_game(kalah, matches=2).problems == []


def test_its_matches_are_played_as_they_were(kalah: Game[Any]) -> None:
    assert differences(kalah, EXAMPLES / "kalah/tests/golden") == []


def sown(board: list[int], pit: int, seat: int) -> tuple[list[int], int]:
    """Seeds on the round of fourteen, and whose turn it is, after a turn by the book: seed by seed,
    written without a look at the game."""
    after, home, other = board[:], 6 + 7 * seat, 13 - 7 * seat
    hand, after[pit], at = after[pit], 0, pit
    while hand:
        at = (at + 1) % 14
        if at != other:
            after[at] += 1
            hand -= 1
    if at == home:
        return after, seat
    if after[at] == 1 and at // 7 == seat and after[12 - at]:
        after[home] += 1 + after[12 - at]
        after[at] = after[12 - at] = 0
    return after, 1 - seat


def test_every_turn_of_whole_matches_comes_to_what_the_book_says(kalah: Game[Any]) -> None:
    compared = 0
    for seed, seeds in enumerate(("4", "3", "6", "4")):
        before: tuple[list[int], int] | None = None
        for match, _, move in random_match(kalah, 2, {"seeds": seeds}, seed):
            state = match.state
            board = [state.seeds[site] for site in PITS]
            if move.verb == "sow":
                if before is not None:
                    assert (board, state.turn) == before
                    compared += 1
                before = sown(board, PITS.index(move.args[0]), state.turn)
        assert before is not None and before[0] == [match.state.seeds[site] for site in PITS]
        sides = [sum(before[0][7 * seat : 7 * seat + 6]) for seat in (0, 1)]
        assert 0 in sides
        assert match.scores == tuple(before[0][6 + 7 * s] + sides[s] for s in (0, 1))
    assert compared > 100


def test_a_place_that_holds_more_than_its_box_says_is_told(
    kalah: Game[Any], tmp_path: Path
) -> None:
    text = Path(kalah.box).read_text(encoding="utf-8")
    text = text.replace('id = "kalah"', 'id = "crowded"').replace("heap = 72", "heap = 4", 1)
    narrow = tmp_path / "box.toml"
    narrow.write_text(text.replace("room = 16", "room = 4"), encoding="utf-8")
    crowded = type("Crowded", (type(kalah),), {"box": str(narrow)})()
    problems = check_game(crowded, matches=1).problems
    assert any("5 pieces lie at" in problem for problem in problems)


# -- hands --------------------------------------------------------------------------------------


def ways(before: Layout, after: Layout) -> Iterator[list[Layout]]:
    """Layouts while hands carry out a move: all lifted first, or one after another."""
    gone = list((before - after).elements())
    come = sorted((after - before).elements(), key=lambda item: PITS.index(item.site))
    one = [before - Counter(gone[:n]) + Counter(come[:m])
           for n in range(1, len(gone) + 1) for m in (n - 1, n)]  # fmt: skip
    yield [before - Counter(gone) + Counter(come[:n]) for n in range(len(come) + 1)]
    yield one


def test_hands_that_sow_are_waited_for_and_nobody_is_accused(kalah: Game[Any]) -> None:
    box, told = load_box(kalah.box), Counter[tuple[bool, Status]]()
    unclear = Counter[str]()
    for match, _, move in random_match(kalah, 2, {}, 3, physical=True):
        after = match.clone()
        after.push(move)
        for looks in ways(match.layout, after.layout):
            for layout in looks:
                reading = read(match, draw(box, layout))
                told[layout == after.layout, reading.status] += 1
                unclear[move.verb] += reading.status is Status.UNCLEAR
                assert reading.moves in ((), (move,)), (move, reading)
                assert layout != after.layout or reading.moves == (move,)
    assert not told[False, Status.ILLEGAL] and not told[False, Status.AMBIGUOUS]
    under_way = sum(number for (whole, _), number in told.items() if not whole)
    # Who takes the other's seeds first is not understood before their own is gone too.
    assert unclear["sow"] < 0.02 * under_way


def test_lifting_from_a_heap_and_laying_where_nothing_more_shows_is_not_moving(
    kalah: Game[Any],
) -> None:
    match = Match(kalah, 2, {}, physical=True)
    match.state.seeds.update(dict.fromkeys(PITS, 0) | {"a1": 1, "b1": 20, "f2": 27})
    box = load_box(kalah.box)
    lifted = match.layout - Counter({Item("a1", "seed", 0): 1})
    assert read(match, draw(box, lifted)).status is Status.PENDING
    # A seed fewer of twenty is nothing that a camera could see.
    fewer = match.layout - Counter({Item("b1", "seed", 0): 1})
    assert read(match, draw(box, fewer)).status is Status.SETTLED


def test_a_seed_more_is_one_more_although_another_lies_out_of_sight(kalah: Game[Any]) -> None:
    table = table_of("kalah", physical=True)
    box, now = load_box(kalah.box), 0.0
    moves = random_moves("21", 40)
    for move in moves[:34]:
        table.handle(PlayMove(move), now)

    def look(layout: Layout) -> None:
        nonlocal now
        for _ in range(4):
            now += 1.0
            table.handle(Seen(draw(box, layout)), now, Source.CAMERA)

    look(table.match.layout)
    hidden = Counter({Item("e1", "seed", 0): 1})
    for move in moves[34:]:
        after = table.match.clone()
        after.push(move)
        look(after.layout - hidden)
        assert table.match.log[-1].move == move
        assert table.state is TableState.SETTLED
    # It comes to light, which is no move.
    look(table.match.layout)
    assert table.match.ply == 40 and table.state is TableState.SETTLED


def random_moves(seed: str, number: int) -> list[Move]:
    """The first moves of a random match."""
    return [move for _, _, move in islice(random_match(find_game("kalah"), 2, {}, seed), number)]


# -- drawing and laying -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 4, 5, 16, 30])
def test_a_heap_stays_within_its_place_and_says_how_many_it_has(
    kalah: Game[Any], number: int
) -> None:
    box = load_box(kalah.box)
    plan, site = Plan.in_mm(box), box.sites["c1"]
    items = [Item("c1", "seed")] * number
    slots = plan.slots(items)
    assert len(slots) == min(number, site.room)
    half = box.kinds["seed"].size[0] / 2
    for slot in slots:
        away = sum((a - b) ** 2 for a, b in zip(slot.at, site.at, strict=True)) ** 0.5
        assert away + half * slot.scale < site.radius * 1.1
    assert plan.piles(items) == ({"c1": number} if number > 4 else {})


def test_hands_sow_at_the_virtual_table_seed_by_seed(kalah: Game[Any]) -> None:
    table, random = VirtualTable(load_box(kalah.box)), Random(1)
    match = Match(kalah, 2, {"seeds": "6"})
    table.set_layout(match.layout)
    for _ in range(12):
        before = match.layout
        match.push(random.choice(match.state.legal_moves()))
        steps = 0
        while (step := next_step(table, match.layout)) is not None:
            assert isinstance(step, Drag)
            table.lift(step.piece)
            table.drop(*step.to)
            steps += 1
        assert steps == (before - match.layout).total()
        lying = Counter(piece.site for piece in table.pieces if piece.site)
        assert lying == +Counter(match.state.seeds)
