"""One question to all at once, answered from phones in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.games import add_games
from tests.support.elsewhere import elsewhere
from tests.support.looked_at import LookedAt
from tests.support.waiting import until

FISTS = Path(__file__).parents[3] / "support" / "fists"


@pytest.fixture
def fists() -> Iterator[None]:
    """Rock, paper, scissors is known for as long as its table is served."""
    with elsewhere():
        add_games(FISTS)
        yield


@pytest.mark.thorough
def test_phones_answer_in_any_order_anew_and_after_a_restart(
    fists: None, serve: Callable[..., LookedAt]
) -> None:
    table = serve("fists", 3)
    table.pages.tolerated = "net::ERR"  # While the table is away.
    phones = [table.phone(seat) for seat in range(3)]
    onlooker = table.spectator()

    def answer(seat: int, shape: str) -> None:
        ply = table.view.ply
        phones[seat].locator(f'[data-key="key p{seat} show {shape}"]').click()
        assert until(lambda: table.view.ply > ply)

    def asked(phone: Any) -> list[str]:
        found: list[str] = phone.locator(".player.asked .player-name").all_inner_texts()
        return found

    for seat, phone in enumerate(phones):
        phone.locator(f"text={('Ada', 'Bo', 'Cleo')[seat]} chooses").first.wait_for()
    answer(2, "rock")
    phones[2].locator("h1:text('It is your turn')").wait_for(state="detached")
    assert until(lambda: all(asked(one) == ["Ada", "Bo"] for one in (*phones, onlooker)))
    table.restart()
    phones[2].reload()
    assert until(lambda: len(table.server.hands) == 3), "the others come back by themselves"
    answer(2, "paper")
    answer(1, "scissors")
    assert until(lambda: asked(phones[0]) == ["Ada"])
    answer(0, "paper")
    shown = [entry.move.text for entry in table.table.match.log]
    assert shown == [
        "p2 show rock", "p2 show paper", "p1 show scissors", "p0 show paper",
        "dealer reveal paper scissors paper",
    ]  # fmt: skip
    assert until(lambda: asked(phones[1]) == ["Ada", "Bo", "Cleo"])
