"""The page to try the rules, in a real browser: ``python -m tests.endurance.try_page``.

It builds the page, serves it, and visits it as people do on a phone: cold, with a wrong move first;
a hasty second touch; loaded again in the middle; back and on; in another language; hands passed on;
a computer that answers; every game touched for a while; without WebAssembly; without a network. It
prints how long a visitor waits for the first explained refusal, in seconds by the wall and of
processors, and fails if anybody but the page's own server is asked, or the page complains. Needs
chromium, and Pyodide as ``python -m companion.web.try_page`` keeps it; ``--engine`` names the
package otherwise.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.web.try_page.building import build
from companion.web.try_page.engine import EngineError
from rules.games import find_game, game_ids
from tests.support.browser import Visits, chromium, visits

WITHIN_S = 10.0
"""So soon a visitor must have seen the first explained refusal, on two quiet cores."""
PATIENCE_S = 120.0
SEAT = "import('./seat.js').then(m => m.seat)"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Any static server will do; this is Python's own."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: Any) -> None:
            """Writes nothing."""

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


class Visitor:
    """A visitor with a phone."""

    def __init__(self, pages: Visits, url: str, lang: str = "en") -> None:
        self.page = pages.go(url, lang=lang)
        self.page.set_default_timeout(PATIENCE_S * 1000)

    def choose(self, game: str, *people: int) -> None:
        """Begin a match; ``people``: seats beside the first that people take."""
        self.page.click(f"[data-game={game}]")
        for seat in people:
            self.page.select_option(f'[data-key="level {seat}"]', "")
        self.page.click("[data-key=begin]")

    def tell(self, what: str) -> Any:
        """Something of the page's own state."""
        return self.page.evaluate(f"{SEAT}.then(seat => {what})")

    def until(self, what: str) -> None:
        """Wait for something of the page's own state."""
        limit = time.monotonic() + PATIENCE_S
        while not self.tell(f"Boolean(seat.picture) && ({what})"):
            if time.monotonic() > limit:
                raise AssertionError(f"it never came true: {what}")
            time.sleep(0.05)

    def touch(self, site: str) -> None:
        """A finger on a place of the board."""
        self.page.touchscreen.tap(*self._at(site))

    def touch_hastily(self, site: str) -> None:
        """Two touches at once."""
        self.page.evaluate(
            """([clientX, clientY]) => {
                const under = document.elementFromPoint(clientX, clientY);
                for (let time = 0; time < 2; time += 1) {
                  under.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
                }
            }""",
            self._at(site),
        )

    def _at(self, site: str) -> Any:
        return self.page.evaluate(
            """async (name) => {
                const { seat } = await import("./seat.js");
                const svg = document.querySelector(".board svg");
                const [x, y] = seat.shapes.sites[name].at;
                const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                return [at.x, at.y];
            }""",
            site,
        )

    def ply(self) -> int:
        """Moves played so far."""
        return int(self.tell("seat.picture.public.ply"))


def refused_at_once(pages: Visits, url: str) -> tuple[float, float]:
    """A cold start, and a line claimed that is still open: seconds by the wall, and those of all
    processors, until it is explained why not. The browser must have shown no page before."""
    began, spent = time.monotonic(), _spent_s()
    visitor = Visitor(pages, url)
    visitor.choose("knizia_stonehenge", 1)
    visitor.page.wait_for_selector(".hand .card")
    visitor.touch("H4")
    visitor.page.wait_for_selector(".refusal")
    took = time.monotonic() - began, _spent_s() - spent
    note = visitor.page.locator(".refusal")
    assert note.locator("h2").inner_text() and note.locator(".todo").inner_text()
    note.locator("[data-key=rule]").click()
    assert len(visitor.page.locator("dialog.sheet p").first.inner_text()) > 40
    return took


def a_visit(pages: Visits, url: str) -> None:
    """One match with everything that people do to a page."""
    visitor = Visitor(pages, url)
    page = visitor.page
    visitor.choose("knizia_stonehenge")
    page.wait_for_selector(".hand .card")
    stone = page.locator('.hand [data-key="card stone black 5"]')
    stone.click()
    # A hasty second touch means nothing.
    visitor.touch_hastily("D")
    visitor.until("seat.picture.may_play && seat.picture.public.ply >= 3 && !seat.sending")
    page.wait_for_timeout(500)
    assert page.locator(".refusal").count() == 0
    before = visitor.ply()
    visitor.touch("D")
    page.wait_for_selector(".refusal")
    page.click("[data-key=understood]")
    assert visitor.ply() == before
    page.reload()
    page.wait_for_selector(".hand .card")
    assert visitor.ply() == before
    page.go_back()
    page.wait_for_selector("[data-key=begin]")
    page.go_forward()
    page.wait_for_selector(".hand .card")
    assert visitor.ply() == before
    page.click("#top [data-key=lang]")
    page.wait_for_selector("text=Du bist am Zug")
    page.click("[data-key=back]")
    visitor.until("seat.picture.public.ply === 0")


def hands_are_passed_on(pages: Visits, url: str) -> None:
    """Between two people a cover lies over the page, also when it is loaded again."""
    visitor = Visitor(pages, url)
    visitor.choose("dominion", 1)
    for _time in range(2):
        visitor.page.wait_for_selector(".pass")
        assert visitor.page.locator(".card").count() == 0
        visitor.page.click("[data-key=uncover]")
        visitor.page.wait_for_selector(".hand .card")
        visitor.page.reload()


def touched_for_a_while(pages: Visits, url: str, game: str, touches: int) -> int:
    """Play a game by whatever is offered; returns how many moves were played."""
    visitor = Visitor(pages, url)
    count = len(find_game(game).players) and min(n for n in find_game(game).players if n > 1)
    visitor.choose(game, *range(1, count))
    for _number in range(touches):
        visitor.until("!seat.sending && !document.querySelector('.settling')")
        page = visitor.page
        if page.locator("[data-key=uncover]").count():
            page.click("[data-key=uncover]")
            visitor.until("!document.querySelector('.settling')")
        if visitor.tell("Boolean(seat.picture.public.outcome)"):
            break
        ply = visitor.ply()
        if not _offered(page):
            raise AssertionError(f"{game}: nothing to touch: {visitor.tell('seat.picture.prompt')}")
        visitor.until(f"seat.picture.public.ply !== {ply} || seat.picking.begun || seat.ware")
    return visitor.ply()


def _offered(page: Any) -> bool:
    """Touch what is offered: a key, or a list and the first on it, or a card."""
    for key in (".bar .key.yellow:not([data-key=list])", ".bar [data-key^=key]"):
        if page.locator(key).count():
            page.locator(key).first.click()
            return True
    if page.locator(".bar [data-key=list]").count():
        page.locator(".bar [data-key=list]").click()
        page.locator("dialog .tile").first.click()
        return True
    if page.locator(".card.lit").count():
        page.locator(".card.lit").first.click()
        return True
    return False


def without_webassembly(pages: Visits, url: str) -> None:
    """A browser that lacks it is told so."""
    machine = pages.browser.new_context(locale="en-GB")
    machine.add_init_script("delete self.WebAssembly")
    page = pages.go(url, machine=machine)
    page.wait_for_selector("text=too old")
    machine.close()


def without_python(pages: Visits, url: str) -> None:
    """The page says that Python cannot be fetched, and has a key to try again."""
    machine = pages.browser.new_context(locale="en-GB")
    machine.route("**/pyodide.asm.wasm.packed", lambda route: route.abort())
    page = machine.new_page()
    page.goto(url)
    page.click("[data-game=knizia_stonehenge]")
    page.click("[data-key=begin]")
    page.wait_for_selector("text=could not be loaded")
    assert page.get_by_role("button", name="Load again").count() == 1
    machine.close()


def a_glance(pages: Visits, url: str) -> None:
    """The first page shows a wrong move and why, without Python, and is for everybody."""
    page = pages.go(url, lang="de")
    page.wait_for_selector(".scene.is-said")
    assert page.evaluate("import('./python.js').then(m => m.python.step !== 'ready')")
    assert "H2" in page.locator(".scene h2").inner_text()
    pages.look_over(page)


def kept_on_the_device(pages: Visits, folder: Path) -> None:
    """Once it was there, the page plays a match when nobody serves it any more."""
    with served(folder) as url:
        visitor = Visitor(pages, url)
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        visitor.page.wait_for_function("navigator.serviceWorker.controller !== null")
    visitor.page.reload()
    visitor.choose("knizia_stonehenge")
    visitor.page.locator('.hand [data-key="card stone black 5"]').click()
    visitor.touch("D")
    visitor.until("seat.picture.public.ply >= 1")
    pages.look_over(visitor.page)


def a_kept_match_that_cannot_be_read(pages: Visits, url: str) -> None:
    """It is said, and the shelf is there."""
    machine = pages.browser.new_context(locale="en-GB")
    machine.add_init_script(
        """localStorage.setItem("heelstone.try.match", '{"game": "dominion", "kept": 5}')"""
    )
    page = pages.go(f"{url}#play", machine=machine)
    page.set_default_timeout(PATIENCE_S * 1000)
    page.wait_for_selector("dialog >> text=could not be opened")
    assert page.locator("[data-game]").count() >= 8
    machine.close()


def _spent_s() -> float:
    """Processor seconds of everything below this process."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
            except OSError:
                # It has ended meanwhile.
                continue
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            spent[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total, left = 0.0, [os.getpid()]
    while left:
        below = children.get(left.pop(), [])
        total += sum(spent.get(child, 0.0) for child in below)
        left += below
    return total


def main() -> int:
    """Build, visit, tell; 1 if a visitor waits too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.try_page")
    parser.add_argument("--engine", type=Path)
    parser.add_argument("--touches", type=int, default=30, help="for each game")
    own = [game for game in game_ids() if find_game(game).package == "rules"]
    parser.add_argument("--games", default=",".join(own))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "page"
        try:
            size = build(folder, asked.engine)
        except EngineError as error:
            print(error, file=sys.stderr)
            return 2
        print(f"size: {size / 1e6:.1f} MB")
        with served(folder) as url, chromium() as browser:
            with visits(browser) as pages:
                wall_s, processor_s = refused_at_once(pages, url)
            print(f"first explained refusal: {wall_s:.1f} s, {processor_s:.1f} s of processors")
            for visit in (
                a_glance, a_visit, hands_are_passed_on, without_webassembly, without_python,
                a_kept_match_that_cannot_be_read,
            ):  # fmt: skip
                with visits(browser) as pages:
                    visit(pages, url)
                print(f"{visit.__name__}: well")
            with visits(browser) as pages:
                kept_on_the_device(pages, folder)
            print("kept_on_the_device: well")
            for game in asked.games.split(","):
                with visits(browser) as pages:
                    plies = touched_for_a_while(pages, url, game, asked.touches)
                print(f"{game}: {plies} moves, nobody else was asked")
    return int(wall_s > WITHIN_S)


if __name__ == "__main__":
    sys.exit(main())
