"""Two phones and a spectator follow whole matches, played through the real session and server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.core import Move
from tests.support.looked_at import LookedAt, spend
from tests.support.waiting import until

CHEAP = ("curse", "estate", "cellar", "moat", "copper")
Serve = Callable[..., LookedAt]


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


def test_two_phones_and_a_spectator_follow_a_whole_knizia_match(serve: Serve) -> None:
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
