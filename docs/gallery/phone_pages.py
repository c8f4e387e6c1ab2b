"""Pictures of the pages for phones and spectators: ``python -m docs.gallery.phone_pages DIR``.

Taken by chromium, driven by Playwright, from a table that serves them.
"""

from __future__ import annotations

import base64
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import cv2
import numpy as np

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import TableView, TapMove, TapMoves
from companion.settings.manners import Manners
from companion.web.server import TableServer
from rules.authors.playout import pick
from rules.core import Move
from rules.games import find_game

__all__ = ["main"]

NAMES: Final = ("Ada", "Ben", "Cleo")
PHONE: Final = (390, 844)
WIDE: Final = (1280, 720)
PHOTO: Final = Path(__file__).parents[1] / "pictures" / "table.jpg"


def main(folder: Path) -> Iterator[Path]:
    """Write all pictures; gives their paths."""
    with ExitStack() as stack:
        browser = stack.enter_context(_chromium())
        for write in (_dominion, _dolmens, _stonehenge):
            yield from write(browser, folder)


def _dominion(browser: Any, folder: Path) -> Iterator[Path]:
    with _table("dominion", 2, 4) as (session, server):
        phone = _Phone(browser, server)
        yield phone.waits(0, folder / "phone-waiting.png")
        server.seats.confirm(0)
        other = _Phone(browser, server)
        other.waits(1)
        server.seats.confirm(1)
        _until(session, _buys, _begins_a_turn)
        yield phone.taken("text=It is your turn", folder / "phone-hand.png")
        _until(session, _buys, lambda v: v.prompt is not None and v.prompt.code == "militia")
        asked = (phone, other)[_asked(session.view)]
        yield asked.taken("text=You are asked", folder / "phone-militia.png")


def _dolmens(browser: Any, folder: Path) -> Iterator[Path]:
    with _table("dolmengoetter", 3, 3) as (session, server):
        _until(session, _random(3), lambda v: v.ply > 60 and _asks_for_a_dolmen(v))
        phone = _Phone(browser, server)
        phone.waits(_asked(session.view))
        server.seats.confirm(_asked(session.view))
        yield phone.taken(".hand .card", folder / "phone-dolmens.png")


def _stonehenge(browser: Any, folder: Path) -> Iterator[Path]:
    with _table("knizia_stonehenge", 2, 2) as (session, server):
        _until(session, _random(5), lambda v: v.ply > 12 and sum(v.scores) > 1)
        address = f"http://127.0.0.1:{server.port}/"
        for name, size in (("spectators-phone.png", PHONE), ("spectators.jpg", WIDE)):
            page = _page(browser, f"{address}?lang=en", size)
            page.wait_for_selector(".player")
            yield _shot(page, folder / name)
        overlay = _page(browser, f"{address}overlay?lang=en", WIDE)
        overlay.wait_for_selector(".player-name")
        yield _over_a_photo(browser, overlay, folder / "overlay.jpg")


def _over_a_photo(browser: Any, overlay: Any, path: Path) -> Path:
    """The overlay as a program for streams lays it over a camera's picture."""
    above = base64.b64encode(overlay.screenshot(omit_background=True)).decode()
    below = base64.b64encode(PHOTO.read_bytes()).decode()
    page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
    page.set_content(
        f"""<style>body {{ margin: 0; background: url(data:image/jpeg;base64,{below})
        center / cover }} img {{ display: block }}</style>
        <img src="data:image/png;base64,{above}">"""
    )
    page.wait_for_function("document.querySelector('img').complete")
    page.screenshot(path=path, type="jpeg", quality=70)
    page.close()
    return path


class _Phone:
    """A phone that scans the code of a seat."""

    def __init__(self, browser: Any, server: TableServer) -> None:
        self._browser, self._server = browser, server
        self._page: Any = None

    def waits(self, seat: int, path: Path | None = None) -> Path:
        """Waits for the table's yes."""
        token = self._server.seats.token(seat)
        address = f"http://127.0.0.1:{self._server.port}/hand?lang=en#{token}"
        self._page = _page(self._browser, address, PHONE)
        self._page.wait_for_selector("text=Waiting until")
        return Path() if path is None else _shot(self._page, path)

    def taken(self, shows: str, path: Path) -> Path:
        """A picture, as soon as the page shows this."""
        self._page.wait_for_selector(shows)
        return _shot(self._page, path)


@contextmanager
def _chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def _table(game: str, players: int, seed: int) -> Iterator[tuple[Session, TableServer]]:
    """A match that the program deals, the same every time, and its pages."""
    rules = find_game(game)
    header = Header(
        id="picture", game=game, players=players, options=rules.complete_options(players, {}),
        physical=False, seed=str(seed), names=NAMES[:players], enforcement="enforce",
        created_s=0.0,
    )  # fmt: skip
    with Journal(":memory:") as journal:
        journal.create(header)
        session = Session(Table(journal, header, Manners())).start()
        server = TableServer(0, "en")
        try:
            server.start()
            server.follow(session)
            yield session, server
        finally:
            server.close()
            session.close()


def _page(browser: Any, url: str, size: tuple[int, int]) -> Any:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark",
        is_mobile=size == PHONE, has_touch=size == PHONE, reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(url)
    return page


def _shot(page: Any, path: Path) -> Path:
    # The ground's soft light alone would take more than a hundred kilobytes.
    page.evaluate("document.body.style.background = 'var(--night)'")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(600)
    if path.suffix == ".jpg":
        page.screenshot(path=path, quality=82)
        return path
    drawn = np.frombuffer(page.screenshot(), np.uint8)
    # A quarter smaller, and no eye sees it.
    picture = np.asarray(cv2.imdecode(drawn, cv2.IMREAD_COLOR), np.uint8)
    fewer_tones = picture & np.uint8(0xFC)
    cv2.imwrite(str(path), fewer_tones, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return path


def _asked(view: TableView) -> int:
    """Whoever must decide something; -1: nobody."""
    prompt = view.prompt
    return -1 if prompt is None or prompt.player is None else prompt.player


def _begins_a_turn(view: TableView) -> bool:
    """Whether seat 0 has an action to play, and money."""
    verbs = [move.verb for move in view.legal if move.text.startswith("p0 play ")]
    return _asked(view) == 0 and view.turn > 8 and len(verbs) > 2


def _asks_for_a_dolmen(view: TableView) -> bool:
    return view.prompt is not None and view.prompt.code.startswith("dolmen_")


def _until(
    session: Session, play: Callable[[Session], Sequence[Move]], enough: Callable[[TableView], bool]
) -> None:
    while not enough(session.view):
        assert session.view.outcome is None, "the match ended before that"
        moves = tuple(play(session))
        session.post(TapMove(moves[0]) if len(moves) == 1 else TapMoves(moves))
        session.settle()


def _random(seed: int) -> Callable[[Session], Sequence[Move]]:
    chance = Random(seed)

    def play(session: Session) -> Sequence[Move]:
        match = session.table.match
        return (pick(match.game, match.state, match.legal_moves(), chance),)

    return play


def _buys(session: Session) -> Sequence[Move]:
    """All money, then the best card there is for it."""
    view = session.view
    legal = {move.text: move for move in view.legal}
    seat = f"p{_asked(view)}"
    held = dict(session.hand(_asked(view)).things)
    if f"{seat} play militia" in legal:
        return (legal[f"{seat} play militia"],)
    money = [
        legal[f"{seat} play {kind}"]
        for kind in ("gold", "silver", "copper")
        for _number in range(held.get(kind, 0))
        if f"{seat} play {kind}" in legal
    ]
    wanted = (f"{seat} buy {kind}" for kind in ("gold", "smithy", "militia", "village", "silver"))
    bought = next((legal[text] for text in wanted if text in legal), None)
    return money or [bought or view.usual or view.legal[-1]]


if __name__ == "__main__":
    for written in main(Path(sys.argv[1])):
        print(written)
