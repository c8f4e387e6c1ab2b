"""A player's page: looking, reading, choosing and playing, in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.games import find_game, game_ids
from tests.support.looked_at import LookedAt
from tests.support.waiting import until

Serve = Callable[..., LookedAt]


def test_a_dimmed_card_says_why_and_a_held_one_can_be_read(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(table.asked_seat)
    phone.locator(".card.dim").first.click()
    sheet = phone.locator("dialog.sheet")
    assert "at the end" in sheet.inner_text()
    sheet.get_by_role("button", name="Close").click()
    before = table.view.ply
    card = phone.locator(".card.lit").first
    card.dispatch_event("pointerdown")
    sheet.wait_for()
    card.dispatch_event("pointerup")
    card.dispatch_event("click")
    assert "worth 1" in sheet.inner_text() or "Treasure" in sheet.inner_text()
    assert table.session.settle() and table.view.ply == before


def test_a_covered_hand_is_nowhere_on_the_page_and_stays_covered(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(0)
    phone.get_by_role("button", name="Cover").click()
    for _time in range(2):
        phone.wait_for_selector("text=Nobody sees your hand")
        assert phone.locator(".card").count() == 0 and "Copper" not in phone.content()
        phone.reload()
    phone.get_by_role("button", name="Uncover").click()
    assert until(lambda: table.held(phone) == dict(table.session.hand(0).things))


@pytest.mark.parametrize("game", game_ids())
def test_a_phone_can_play_every_game(serve: Serve, game: str) -> None:
    """All that is played in these turns is said by touches of the page."""
    options = {"hidden": "on"} if game == "knizia_stonehenge" else {}
    table = serve(game, find_game(game).players[-1], seed=3, **options)
    table.play_on(6)
    seat = until_asked(table)
    phone = table.phone(seat)
    for _turn in range(3):
        until_asked(table, seat)
        before = table.view.ply
        assert until(lambda before=before: shown_ply(phone) == str(before))  # type: ignore[misc]
        touch_something(phone)
        assert until(lambda before=before: table.view.ply > before), "nothing was played"  # type: ignore[misc]


def until_asked(table: LookedAt, seat: int | None = None) -> int:
    """Play at the table until a player is asked whose phone may answer."""
    for _number in range(400):
        prompt = table.view.prompt
        asked = None if prompt is None or str(prompt.actor) != "player" else prompt.player
        if asked is not None and seat in (None, asked):
            return asked
        table.play_on(1)
    raise AssertionError("nobody was asked")


def shown_ply(phone: Any) -> str | None:
    found = phone.locator("main").get_attribute("data-ply")
    return None if found is None else str(found)


def touch_something(phone: Any) -> None:
    """What a player may touch now, until a move is played: cards, places, the list, keys."""
    phone.locator(".card.lit, .board .ring.target, .bar .key:not(.cover)").first.wait_for(
        state="attached"
    )
    card = phone.locator(".card.lit")
    if card.count():
        card.first.click()
        if phone.locator("text=Leave it").count() == 0:
            return
    for _touch in range(4):
        key = phone.locator(".bar .key.yellow:not([data-key=list])")
        if key.count():
            key.first.click()
            return
        listed = phone.locator(".bar [data-key=list]")
        if listed.count():
            listed.click()
            phone.locator("dialog .tile").first.click()
            return
        other = phone.locator(".bar .key:not(.cover):not([data-key=leave])")
        if other.count():
            other.first.click()
            return
        phone.wait_for_timeout(50)
