"""Pages in a real browser: a hand that is played, whole matches, and coming back."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from rules.core import Move
from rules.games import find_game, game_ids
from tests.support.browser import PHONE
from tests.support.looked_at import LookedAt, spend
from tests.support.sweep import some, widely
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
    # However long this machine takes, the third touch is a hasty one, too.
    phone.evaluate(
        "() => { const later = window.setTimeout; window.setTimeout = (call, ms, ...more) =>"
        " later(call, ms === 350 ? 60000 : ms, ...more); }"
    )
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


@pytest.mark.parametrize("size", some([((360, 640),), ((844, 390),)], 1))
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
    """Place of the first of ``what``, px; waits while the page is drawn anew."""
    found: list[Any] = []

    def there() -> bool:
        found[:] = [phone.locator(what).first.bounding_box()]
        return found[0] is not None

    assert until(there), what
    return dict(found[0])


def end_of(phone: Any, what: str) -> float:
    """End of the first of ``what``, px from the top; infinitely far if there is none."""
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
    onlooker = table.spectator(light=True, lang="de")
    onlooker.wait_for_selector(".player")
    for page in (phone, onlooker):
        table.pages.look_over(page)
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
        if prompt is not None:
            asked = prompt.player if seat is None else seat
            if asked is not None and prompt.awaits(asked):
                return asked
        table.play_on(1)
    raise AssertionError("nobody was asked")


def shown_ply(phone: Any) -> str | None:
    found = phone.locator("main").get_attribute("data-ply")
    return None if found is None else str(found)


def touch_something(phone: Any) -> None:
    """Everything a player may touch now, until a move is played: cards, places, the list, keys."""
    phone.locator(
        ".card.lit, .board .ring.target, .bar .key:not(.cover), .pad .key"
    ).first.wait_for(state="attached")
    card = phone.locator(".card.lit")
    if card.count():
        card.first.click()
        if phone.locator("text=Leave it").count() == 0:
            return
    figures = phone.locator(".pad .figure:not([data-key='pad back'])")
    if figures.count():
        figures.first.click()
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


CHEAP = ("curse", "estate", "cellar", "moat", "copper")


@pytest.mark.thorough
def test_two_phones_and_a_spectator_follow_a_whole_dominion_match(serve: Serve) -> None:
    served = serve("dominion", seed=4)
    onlooker, phones = served.spectator(), [served.phone(seat) for seat in (0, 1)]

    def all_hands_are_right() -> bool:
        return until(lambda: all(served.held(phones[s]) == dict(served.session.hand(s).things)
                                 for s in (0, 1)))  # fmt: skip

    assert all_hands_are_right()
    # The first turn is played on the phone, by nothing but touches.
    first = served.asked_seat
    mover, other = phones[first], phones[1 - first]
    assert other.locator(".card.lit").count() == 0
    mover.get_by_role("button", name="Play all treasures").click()
    mover.get_by_role("button", name="Estate").and_(mover.locator(".ware")).click()
    mover.get_by_role("button", name="Buy for 2").click()
    assert until(lambda: served.asked_seat == 1 - first)
    assert served.shows_now(onlooker)

    # Somebody plays a Militia, and the other one discards on the phone.
    while served.view.prompt is not None and served.view.prompt.code != "militia":
        served.play(*spend(served.view, served.table, ("militia", "silver")))
    asked = served.asked_seat
    phone = phones[asked]
    phone.wait_for_selector("text=You are asked")
    onlooker.wait_for_selector(".player.asked >> text=is asked")
    before = sum(count for _card, count in served.session.hand(asked).things)
    for left in range(before - 1, 2, -1):
        assert until(lambda left=left: sum(served.held(phone).values()) == left + 1)  # type: ignore[misc]
        phone.locator(".hand .card.lit").first.click()
        assert until(lambda left=left: _held(served, asked) == left)  # type: ignore[misc]
    log = [entry.move for entry in served.table.match.log]
    assert [m.verb for m in log if m.player == asked][-1] == "discard"
    assert all_hands_are_right()

    while served.view.outcome is None:
        served.play(*spend(served.view, served.table, CHEAP))
        if served.view.ply % 7 == 0:
            assert all_hands_are_right()
    assert served.shows_now(onlooker)
    told = onlooker.locator(".note.result h2").inner_text()
    assert told
    for page in phones:
        page.wait_for_selector(f"text={told}")
    scores = onlooker.locator(".player .score").all_inner_texts()
    assert scores == [str(score) for score in served.view.scores]


def _held(served: LookedAt, seat: int) -> int:
    return sum(count for _card, count in served.session.hand(seat).things)


def test_two_phones_and_a_spectator_follow_a_whole_knizia_match(
    serve: Serve, thorough: bool
) -> None:
    served = serve("knizia_stonehenge", seed=2, hidden="on")
    onlooker, phones = served.spectator(), [served.phone(seat) for seat in (0, 1)]
    for seat in (0, 1):
        stones = dict(served.session.hand(seat).things)
        assert until(lambda seat=seat, stones=stones: served.held(phones[seat]) == stones)  # type: ignore[misc]
    # First what, then where, then the key that says both.
    mover = served.asked_seat
    phone = phones[mover]
    phone.locator(".hand .card.lit").first.click()
    touch_site(phone, "J")
    phone.locator(".bar .key.yellow").click()
    assert until(lambda: served.view.ply >= 1)
    placed = served.table.match.log[0].move
    assert (placed.verb, placed.args[-1], placed.player) == ("place", "J", mover)

    while served.view.ply < 12:
        served.play_on(1)
    assert served.shows_now(onlooker)
    stones_now = onlooker.locator(".board svg g > g[transform]").count()

    # Looking back stays where it is, whatever is played meanwhile.
    onlooker.locator(".move", has=onlooker.locator("text=/^1$/")).click()
    onlooker.wait_for_selector("text=/^Move 1 of/")
    assert onlooker.locator(".board svg g > g[transform]").count() == 1 < stones_now
    served.play_on(3)
    onlooker.wait_for_selector(f"text=Move 1 of {served.view.ply}")
    onlooker.get_by_label("One move later").click()
    onlooker.wait_for_selector("text=/^Move 2 of/")
    onlooker.get_by_role("button", name="Back to live").click()
    assert served.shows_now(onlooker)
    assert onlooker.locator("text=/^Move . of/").count() == 0
    if not thorough:
        return

    while served.view.outcome is None:
        served.play_on(1)
    assert served.shows_now(onlooker)
    told = onlooker.locator(".note.result h2").inner_text()
    for page in phones:
        page.wait_for_selector(f"text={told}")
    assert onlooker.locator(".player.first").count() == 1
    onlooker.keyboard.press("ArrowLeft")
    onlooker.wait_for_selector(f"text=Move {served.view.ply - 1} of {served.view.ply}")


def touch_site(page: Any, site: str) -> None:
    """Touch a place of the board, where the page draws it."""
    at = page.evaluate(
        """async (name) => {
          const { match } = await (await fetch("api/table")).json();
          const asked = new URLSearchParams({ match, lang: "en" });
          const shapes = await (await fetch(`api/board?${asked}`)).json();
          const svg = document.querySelector(".board svg");
          svg.scrollIntoView({block: "center"});
          const [x, y] = shapes.sites[name].at;
          const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
          return [at.x, at.y];
        }""",
        site,
    )
    page.mouse.click(*at)


def test_a_spectator_never_gets_what_only_a_seat_may_know(serve: Serve) -> None:
    served = serve("knizia_stonehenge", seed=2, hidden="on")
    served.play_on(9)
    onlooker = served.spectator()
    assert served.shows_now(onlooker)
    shown = onlooker.evaluate("async () => (await fetch('api/table')).text()")
    for seat in (0, 1):
        for site, stone in served.session.hand(seat).lying:
            colour = served.view.colours[seat]
            assert Move.parse(f"p{seat} place {stone} {site}").text not in shown
            assert f"stone {colour} {stone}" not in onlooker.locator(".board").inner_html()


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
    [("en-GB", "de", "Scan the code"), ("fr-FR", "de", "Scanne den Code")],
)
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
