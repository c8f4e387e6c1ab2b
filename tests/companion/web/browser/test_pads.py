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
from rules.texts import minus
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
        prompt, ply = table.view.prompt, table.view.ply
        waiting = [seat for seat in range(3) if prompt is not None and prompt.awaits(seat)]
        seat = chance.choice(waiting)
        phone, chosen = phones[seat], likely(table, chance)
        move = Move.of(seat, chosen.verb, *chosen.args)
        shown = phone.locator(f'main[data-ply="{ply}"]')
        shown.wait_for(state="attached")
        for other in set(range(3)).difference(waiting, prompt.together if prompt else ()):
            assert not phones[other].locator(".pad").count()
        touch_keys(phone, table, move)
        assert until(lambda ply=ply: table.view.ply > ply), move  # type: ignore[misc]
        assert table.table.match.log[-1].move == move
    outcome = table.view.outcome
    for phone in phones:
        phone.locator(".note.result").wait_for()
        shown = phone.locator(".sheet-paper thead b").all_inner_texts()
        assert [text.split()[-1] for text in shown] == [minus(points) for points in outcome.scores]


def test_all_type_at_once_and_no_answer_disturbs_another(serve: Serve) -> None:
    table = serve("any_game", 3, seed=3, sheet="rounds", rounds="3")
    phones = [table.phone(seat) for seat in range(3)]
    for figure in ("1", "2", "3"):
        for phone in phones:
            phone.locator(f'[data-key="pad {figure}"]').click()
    for seat in (2, 0):
        phones[seat].locator(".bar .key.yellow").click()
        assert until(lambda seat=seat: table.view.scores[seat] == 123)  # type: ignore[misc]
    assert not phones[1].locator(".question").count()
    assert phones[2].locator(".heading").inner_text().endswith(table.view.told[-1].text.split()[-1])
    # Whoever has entered theirs corrects it while the last one still types.
    phones[2].locator('[data-key="pad 7"]').click()
    phones[2].locator(".bar .key.yellow").click()
    assert until(lambda: table.view.scores[2] == 7)
    phones[1].locator('[data-ply="3"]').wait_for(state="attached")
    assert phones[1].locator(".typed b").inner_text().startswith("123")
    phones[1].locator(".bar .key.yellow").click()
    assert until(lambda: table.view.scores == (123, 123, 7))


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
