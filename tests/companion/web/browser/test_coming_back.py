"""Phones come back by themselves, with the match as it is then; and are told when they are gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.browser import PHONE
from tests.support.looked_at import LookedAt
from tests.support.sweep import widely
from tests.support.waiting import until

Serve = Callable[..., LookedAt]
HARD = "net::ERR"
"""What chromium writes into the console while nobody answers."""


def hand_is_right(table: LookedAt, page: Any, seat: int) -> bool:
    wanted = dict(table.session.hand(seat).things)
    return until(lambda: table.held(page) == wanted)


def set_network(page: Any, *, there: bool) -> None:
    page.context.set_offline(not there)
    # Where the machine itself has no network, the browser sees no change and says nothing.
    page.evaluate("name => dispatchEvent(new Event(name))", "online" if there else "offline")


def test_a_lost_connection_is_said_and_comes_back_by_itself(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    table.pages.tolerated = HARD
    phone, onlooker = table.phone(0), table.spectator()
    assert hand_is_right(table, phone, 0)
    onlooker.wait_for_selector(".player")
    for page in (phone, onlooker):
        set_network(page, there=False)
        page.wait_for_selector("text=No connection")
    table.play_on(12)
    for page in (phone, onlooker):
        set_network(page, there=True)
    assert hand_is_right(table, phone, 0)
    assert table.shows_now(onlooker)
    phone.wait_for_selector("text=At the table")


def test_a_restarted_table_finds_its_phones_again(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    table.pages.tolerated = HARD
    phone, onlooker = table.phone(1), table.spectator()
    table.restart(meanwhile=lambda: table.play_on(9))
    assert hand_is_right(table, phone, 1)
    assert table.shows_now(onlooker)
    phone.wait_for_selector("text=At the table")


def test_a_phone_that_slept_shows_the_match_as_it_is_now(serve: Serve) -> None:
    table = serve("dominion", seed=4)
    phone = table.phone(0)
    asleep = phone.context.new_cdp_session(phone)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    table.play_on(12)
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    assert hand_is_right(table, phone, 0)


def test_a_silent_line_is_opened_anew(serve: Serve) -> None:
    """A Wi-Fi that dies says nothing; the page hears no beat any more and asks again."""
    table = serve("dominion", seed=4)
    onlooker = table.spectator()
    onlooker.wait_for_selector("text=Live")
    asked: list[str] = []
    onlooker.on("request", lambda request: asked.append(request.url))
    # Every look at the clock is a minute later: a beat heard just now is an old one at once.
    onlooker.evaluate(
        "() => { const now = Date.now; let late = 0; Date.now = () => now() + (late += 60000); }"
    )

    def asks_again() -> bool:
        onlooker.wait_for_timeout(100)
        return any("api/stream" in url for url in asked)

    assert until(asks_again)


def test_the_code_leaves_the_address_bar_and_counts_once(serve: Serve) -> None:
    table = serve("dominion")
    table.pages.tolerated = "status of 40"
    code = table.server.seats.token(0)
    phone = table.phone(0)
    assert "#" not in phone.url and code not in phone.content()
    assert phone.evaluate("document.cookie") == ""
    assert code not in phone.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    other = table.pages.go(f"{table.address}hand#{code}")
    other.wait_for_selector("text=/code is no.* good/")
    assert other.locator(".card").count() == 0
    phone.reload()
    assert hand_is_right(table, phone, 0)


def test_nothing_is_shown_before_the_table_says_yes(serve: Serve) -> None:
    table = serve("dominion")
    table.pages.tolerated = "401"
    phone = table.phone(0, confirmed=False)
    assert phone.locator(".card, .bar button").count() == 0
    assert table.server.seats.refuse(0)
    phone.wait_for_selector("text=The table said no")


@pytest.mark.parametrize("lang", widely(["de", "en"], most=1))
def test_a_phone_that_lost_its_seat_is_told_why_and_what_to_do(serve: Serve, lang: str) -> None:
    table = serve("dominion")
    table.pages.tolerated = "401"
    words = {
        "given": {"de": "ein anderes Handy", "en": "Another phone has this seat"},
        "taken": {"de": "zurückgenommen", "en": "took this seat back"},
        "over": {"de": "vorbei", "en": "match is over"},
        "scan": {"de": "Scanne den Code deines Platzes", "en": "Scan the code of your seat"},
    }
    first = table.phone(0, lang=lang)
    assert table.server.seats.renew(0)
    second = table.phone(0, lang=lang)
    first.wait_for_selector(f"text={words['given'][lang]}")
    assert first.locator(".card").count() == 0
    assert table.server.seats.take_back(0)
    second.wait_for_selector(f"text={words['taken'][lang]}")
    third = table.phone(1, lang=lang)
    table.server.seats.leave(over=True)
    third.wait_for_selector(f"text={words['over'][lang]}")
    stranger = table.pages.go(f"{table.address}hand", PHONE, lang=lang)
    stranger.wait_for_selector(f"text={words['scan'][lang]}")


def test_when_no_match_is_open_everybody_is_told(serve: Serve) -> None:
    table = serve("dominion")
    phone, onlooker = table.phone(0), table.spectator()
    # A page that still asks for the board of a match that is gone is told so in its console.
    assert hand_is_right(table, phone, 0) and table.shows_now(onlooker)
    table.server.follow(None)
    onlooker.wait_for_selector("text=No match is open")
    phone.wait_for_selector("text=comes back by itself")
    table.server.follow(table.session)
    assert hand_is_right(table, phone, 0)
    assert table.shows_now(onlooker) or table.view.ply == 0


@pytest.mark.parametrize(
    ("browser_is", "table_is", "told"),
    [("de-AT", "en", "Scanne den Code"), ("en-GB", "de", "Scan the code"),
     ("fr-FR", "de", "Scanne den Code")],
)  # fmt: skip
def test_a_page_speaks_as_the_phone_does_or_else_as_the_table(
    serve: Serve, browser_is: str, table_is: str, told: str
) -> None:
    table = serve("dominion")
    table.pages.tolerated = "401"
    table.server.lang = table_is
    machine = table.pages.browser.new_context(locale=browser_is)
    page = machine.new_page()
    page.goto(f"{table.address}hand")
    page.wait_for_selector(f"text={told}")
    machine.close()
