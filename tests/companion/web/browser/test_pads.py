"""Numbers and dice entered on phones, key by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.presentation.pad import SIGN, TIMES
from companion.presentation.words.sentences import teller_of
from rules.core import Move
from rules.games import add_games
from tests.support.elsewhere import elsewhere
from tests.support.looked_at import LookedAt
from tests.support.pads import strokes
from tests.support.sweep import widely
from tests.support.waiting import until

RACE = Path(__file__).parents[3] / "support" / "race"
Serve = Callable[..., LookedAt]
SHEETS = {
    "rounds": {"rounds": "3"}, "bidding": {"rounds": "3"}, "words": {"rounds": "3"},
    "five_dice": {},
}  # fmt: skip


def likely(table: LookedAt, chance: Random) -> Move:
    """A number as people have them; a turn of several entries is over after two."""
    legal = table.view.legal
    done = next((move for move in legal if move.verb == "done"), None)
    if done is not None and len(table.table.match.state.entered()) > 1:
        return done
    entries = [move for move in legal if move.verb == "score" and 0 <= int(move.args[1]) < 40]
    row = chance.choice(sorted({move.args[0] for move in legal if move.verb == "score"}))
    fitting = [move for move in entries if move.args[0] == row]
    return chance.choice(fitting or [move for move in legal if move.args[:1] == (row,)])


def touch_keys(phone: Any, table: LookedAt, move: Move) -> None:
    """Touch every key of the page that says ``move``."""
    named = {TIMES: "times", SIGN: "sign"}
    word = teller_of(table.view, "en").word
    said = strokes(table.view, move) or []
    for stroke in said:
        name = word(stroke) if stroke in move.args[:1] else named.get(stroke, stroke)
        phone.locator(f'[data-key="pad {name}"]').click()
    if move.verb == "done" or len(said) != 1 or said[0] != move.args[0]:
        # A row that takes one number only was entered with its own key.
        phone.locator(".bar .key.yellow").click()


@pytest.mark.parametrize("sheet", widely([*SHEETS], most=1))
def test_three_phones_play_a_sheet_to_its_end(serve: Serve, sheet: str) -> None:
    table, chance = serve("any_game", 3, seed=3, sheet=sheet, **SHEETS[sheet]), Random(3)
    phones = [table.phone(seat) for seat in range(3)]
    while table.view.outcome is None:
        seat, ply = table.asked_seat, table.view.ply
        phone, move = phones[seat], likely(table, chance)
        shown = phone.locator(f'main[data-ply="{ply}"]')
        shown.wait_for(state="attached")
        assert not any(phones[other].locator(".pad").count() for other in range(3) if other != seat)
        touch_keys(phone, table, move)
        assert until(lambda ply=ply: table.view.ply > ply), move  # type: ignore[misc]
        assert table.table.match.log[-1].move == move
    outcome = table.view.outcome
    for phone in phones:
        phone.locator(".note.result").wait_for()
        shown = phone.locator(".sheet-paper thead b").all_inner_texts()
        assert [text.split()[-1] for text in shown] == [str(points) for points in outcome.scores]


@pytest.fixture
def race() -> Iterator[None]:
    """The game of dice is known for as long as its table is served."""
    with elsewhere():
        add_games(RACE)
        yield


def test_dice_are_told_face_by_face_in_any_order(race: None, serve: Serve) -> None:
    table = serve("dice_race", 2, physical=True, hosted=True)
    for seat, first, second, field in ((0, "5", "3", "f6"), (1, "6", "6", "f7")):
        phone = table.phone(seat)
        phone.locator(f'[data-key="pad {second}"]').click()
        table.pages.look_over(phone)
        phone.locator('[data-key="pad back"]').click()
        for face in (first, second):
            assert phone.locator(".pad .figure").count() == 6
            phone.locator(f'[data-key="pad {face}"]').click()
        told = f"dealer roll {min(first, second)} {first}"
        assert until(lambda told=told: table.table.match.log[-1].move.text == told)  # type: ignore[misc]
        table.play(Move.parse(f"p{seat} move {field}"))
