"""Pictures of the pages for phones and spectators, in a browser, from a table that serves them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import cv2
import numpy as np

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, PlayMoves, TableView
from companion.settings.manners import Manners
from companion.web.server import TableServer
from docs.gallery.camera_pictures import table_photo
from docs.gallery.contact_sheet import Picture, read
from docs.gallery.still_screen import faces_worn
from rules.core import Move
from rules.games import find_game
from rules.testing.playout import pick
from tests.support.browser import PHONE, WIDE, Visits, chromium, visits

NAMES: Final = ("Ada", "Ben", "Cleo")


PHONE_PICTURES: Final = (
    "phone-waiting.png", "phone-hand.png", "phone-militia.png", "phone-dolmens.png",
    "spectators-phone.png", "spectators.jpg", "overlay.jpg",
)  # fmt: skip


def phone_pictures(_wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """All of them; skips where there is no browser."""
    with faces_worn(), chromium() as browser:
        for draw in (_dominion, _dolmens, _stonehenge):
            with visits(browser) as pages:
                yield from draw(pages)


def _dominion(pages: Visits) -> Iterator[tuple[str, Picture]]:
    with _table("dominion", 2, 4) as (session, server):
        phone = _Phone(pages, server, 0)
        yield "phone-waiting.png", shot(phone.page)
        server.seats.confirm(0)
        other = _Phone(pages, server, 1)
        server.seats.confirm(1)
        _until(session, _buys, _begins_a_turn)
        yield "phone-hand.png", phone.shows("text=It is your turn")
        _until(session, _buys, lambda v: v.prompt is not None and v.prompt.code == "militia")
        asked = (phone, other)[_asked(session.view)]
        yield "phone-militia.png", asked.shows("text=You are asked")
        pages.close()


def _dolmens(pages: Visits) -> Iterator[tuple[str, Picture]]:
    with _table("dolmengoetter", 3, 3) as (session, server):
        _until(session, _random(3), lambda v: v.ply > 60 and _asks_for_a_dolmen(v))
        phone = _Phone(pages, server, _asked(session.view))
        server.seats.confirm(_asked(session.view))
        yield "phone-dolmens.png", phone.shows(".hand .card")
        pages.close()


def _stonehenge(pages: Visits) -> Iterator[tuple[str, Picture]]:
    with _table("knizia_stonehenge", 2, 2) as (session, server):
        _until(session, _random(5), lambda v: v.ply > 12 and sum(v.scores) > 1)
        address = f"http://127.0.0.1:{server.port}/"
        for name, size in (("spectators-phone.png", PHONE), ("spectators.jpg", WIDE)):
            page = pages.go(address, size)
            page.wait_for_selector(".player")
            yield name, shot(page)
        overlay = pages.go(f"{address}overlay", WIDE)
        overlay.wait_for_selector(".player-name")
        yield "overlay.jpg", _over_a_photo(overlay)
        pages.close()


def _over_a_photo(overlay: Any) -> Picture:
    """The overlay as a program for streams lays it over a camera's picture."""
    coded = np.frombuffer(overlay.screenshot(omit_background=True), np.uint8)
    drawn = np.asarray(cv2.imdecode(coded, cv2.IMREAD_UNCHANGED))
    above, cover = drawn[..., :3], drawn[..., 3:] / 255.0
    width, height = WIDE
    photo = cv2.resize(table_photo(), (width, width * 3 // 4), interpolation=cv2.INTER_AREA)
    top = (photo.shape[0] - height) // 2
    below = photo[top : top + height]
    return np.asarray(np.round(above * cover + below * (1 - cover)), np.uint8)


class _Phone:
    """A phone that scans the code of a seat."""

    def __init__(self, pages: Visits, server: TableServer, seat: int) -> None:
        """Waits for the table's yes."""
        token = server.seats.token(seat)
        self.page = pages.go(f"http://127.0.0.1:{server.port}/hand#{token}")
        self.page.wait_for_selector("text=Waiting until")

    def shows(self, what: str) -> Picture:
        """A picture, as soon as the page shows this."""
        self.page.wait_for_selector(what)
        return shot(self.page)


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


def shot(page: Any) -> Picture:
    """Photograph of a page that is at rest."""
    # The ground's soft light alone would take more than a hundred kilobytes.
    page.evaluate("document.body.style.background = 'var(--night)'")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(600)
    return read(page.screenshot())


def _asked(view: TableView) -> int:
    """The seat that must decide something; -1: none."""
    prompt = view.prompt
    return -1 if prompt is None or prompt.player is None else prompt.player


def _begins_a_turn(view: TableView) -> bool:
    """True if seat 0 has an action to play, and money."""
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
        session.post(PlayMove(moves[0]) if len(moves) == 1 else PlayMoves(moves))
        session.settle()


def _random(seed: int) -> Callable[[Session], Sequence[Move]]:
    chance = Random(seed)

    def play(session: Session) -> Sequence[Move]:
        match = session.table.match
        return (pick(match.state, match.legal_moves(), chance),)

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
