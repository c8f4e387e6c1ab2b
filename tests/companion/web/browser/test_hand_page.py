"""A player's page: looking, reading, choosing and playing, in every game."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from rules.games import find_game, game_ids
from tests.support.looked_at import LookedAt, spend
from tests.support.sweep import widely
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


def test_a_hasty_second_touch_does_not_hit_what_moved_under_the_finger(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    while table.view.prompt is None or table.view.prompt.code != "militia":
        table.play(*spend(table.view, table.table, ("militia", "silver")))
    phone = table.phone(table.asked_seat)
    at = box_of(phone, ".hand .card.lit")
    before = table.view.ply
    for _touch in range(2):
        phone.touchscreen.tap(at["x"] + 20, at["y"] + 20)
    assert until(lambda: table.view.ply == before + 1)
    phone.wait_for_selector("text=Take back")
    phone.touchscreen.tap(at["x"] + 20, at["y"] + 20)
    assert table.session.settle() and table.view.ply == before + 1


def test_what_was_touched_by_mistake_is_taken_back_with_one_touch(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(table.asked_seat)
    before, ply = table.held(phone), table.view.ply
    assert phone.locator("text=Take back").count() == 0
    phone.locator(".hand .card.lit").first.click()
    phone.locator("[data-key=back]").click()
    assert until(lambda: table.view.ply == ply and table.held(phone) == before)


def test_a_pile_is_only_taken_from_by_the_key_that_names_it(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(table.asked_seat)
    curse, ply = (
        phone.get_by_role("button", name="Curse").and_(phone.locator(".ware")),
        table.view.ply,
    )
    curse.click()
    phone.get_by_role("button", name="Leave it").click()
    curse.click()
    curse.click()
    assert table.session.settle() and table.view.ply == ply
    curse.click()
    phone.get_by_role("button", name="Buy for 0").click()
    assert until(lambda: any(e.move.verb == "buy" for e in table.table.match.log))


def test_a_phone_that_scans_another_seats_code_keeps_its_own_and_is_told(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    table.pages.tolerated = "409"
    phone = table.phone(0, lang="de")
    table.server.lang = "en"
    phone.goto(f"{table.address}hand?lang=de#{table.server.seats.token(1)}")
    phone.wait_for_selector("text=Dieses Handy gehört schon Ada")
    assert until(lambda: table.held(phone) == dict(table.session.hand(0).things))
    assert table.server.seats.waiting() == () and table.server.seats.token(1)


def test_a_card_that_is_read_stays_open_while_others_play(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(1 - table.asked_seat)
    phone.locator(".hand .card").first.click()
    sheet = phone.locator("dialog.reading")
    sheet.wait_for()
    table.play_on(1)
    assert until(lambda: shown_ply(phone) == str(table.view.ply))
    assert sheet.is_visible()


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_keys_are_in_reach_and_nothing_sticks_out_even_with_letters_of_twice_the_size(
    serve: Serve, size: tuple[int, int]
) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(table.asked_seat, size=size)
    for scale in ("100%", "200%"):
        phone.evaluate("(s) => { document.documentElement.style.fontSize = s; }", scale)
        wide = phone.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], f"{scale}: {wide} px wide"
        # The page may just be drawn anew, and then has no keys for a moment.
        assert until(lambda: end_of(phone, ".bar .key") <= size[1]), scale
        room = box_of(phone, ".bar")
        assert room["height"] <= size[1] * 0.6 or room["width"] <= size[0] * 0.5, scale


def box_of(phone: Any, what: str) -> dict[str, float]:
    """Where the first of ``what`` is, px; waits while the page is drawn anew."""
    found: list[Any] = []

    def there() -> bool:
        found[:] = [phone.locator(what).first.bounding_box()]
        return found[0] is not None

    assert until(there), what
    return dict(found[0])


def end_of(phone: Any, what: str) -> float:
    """Where the first of ``what`` ends, px from the top; infinitely far if there is none."""
    box = phone.locator(what).first.bounding_box()
    return inf if box is None else float(box["y"] + box["height"])


@pytest.mark.parametrize("game", widely(game_ids(), most=1))
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
        other = phone.locator(".bar .key:not(.cover):not([data-key=leave]):not([data-key=back])")
        if other.count():
            other.first.click()
            return
        phone.wait_for_timeout(50)
