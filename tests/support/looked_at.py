"""A table whose pages are served, and people who look at them with a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, PlayMoves, TableView
from companion.web.hosting import Host
from companion.web.server import TableServer
from rules.core import Move
from rules.testing.playout import pick
from tests.support.browser import WIDE, Visits
from tests.support.phone_pictures import session_of, table_of
from tests.support.waiting import until

if TYPE_CHECKING:
    from companion.web.hosting import House


@dataclass
class LookedAt:
    """A match at a table, its server, and the pages that were opened."""

    table: Table
    session: Session
    server: TableServer
    pages: Visits
    kept: Path
    chance: Random

    @classmethod
    def put_up(
        cls, game: str, players: int, folder: Path, pages: Visits, *, seed: int = 1,
        physical: bool = False, hosted: bool = False, **options: str,
    ) -> LookedAt:  # fmt: skip
        """A new match, with nothing played yet; ``hosted``: at a table without a screen."""
        table = table_of(game, players, seed=seed, physical=physical, options=options)
        kept = folder / "phones.json"
        host = Host(cast("House", None), folder / "host.json") if hosted else None
        server = TableServer(0, "en", kept, host=host)
        server.start()
        session = session_of(table)
        server.follow(session)
        return cls(table, session, server, pages, kept, Random(seed))

    def close(self) -> None:
        """Stops the server and the session."""
        self.server.close()
        self.session.close()

    def restart(self, *, meanwhile: Callable[[], object] = lambda: None) -> None:
        """The program of the table ends and begins again; the match is taken up."""
        port = self.server.port
        self.server.close()
        meanwhile()
        self.server = TableServer(port, "en", self.kept)
        self.server.start()
        self.server.follow(self.session)

    # -- playing ------------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        """View on the table's own screen."""
        return self.session.view

    def play(self, *moves: Move) -> None:
        """Enter moves at the table's screen."""
        before = self.view.ply
        self.session.post(PlayMove(moves[0]) if len(moves) == 1 else PlayMoves(moves))
        assert self.session.settle()
        assert self.view.ply > before, f"{moves} was not played"

    def play_on(self, moves: int) -> None:
        """Plays a number of decisions at random."""
        for _number in range(moves):
            if self.view.outcome is None:
                match = self.table.match
                legal = match.state.legal_moves()
                self.play(pick(match.state, legal, self.chance))

    # -- looking ------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """Address of the pages."""
        return f"http://127.0.0.1:{self.server.port}/"

    def spectator(self, **how: Any) -> Any:
        """A page that looks on."""
        return self.pages.go(self.address, **{"size": WIDE, **how})

    def phone(self, seat: int, *, confirmed: bool = True, **how: Any) -> Any:
        """A phone that scanned the code of a seat, and was let in."""
        page = self.pages.go(f"{self.address}hand#{self.server.seats.token(seat)}", **how)
        page.wait_for_selector("text=/Waiting until|Warte, bis/")
        if confirmed:
            assert self.server.seats.confirm(seat)
            page.wait_for_selector(".heading, .note.result")
        return page

    @property
    def asked_seat(self) -> int:
        """Seat that must decide something."""
        prompt = self.view.prompt
        assert prompt is not None and prompt.player is not None
        return prompt.player

    @staticmethod
    def held(page: Any) -> dict[str, int]:
        """The cards of a hand as a phone shows them."""
        found = page.evaluate(
            """() => Object.fromEntries(
              [...document.querySelectorAll(".hand .card")].map((card) => [
                card.dataset.key.slice("card ".length),
                Number(card.querySelector(".badge")?.textContent.slice(1) ?? 1),
              ]))"""
        )
        return {str(card): int(count) for card, count in found.items()}

    def shows_now(self, page: Any) -> bool:
        """True if a spectator's page shows the newest move."""
        newest = page.locator(".move.here .ply")
        ply = self.view.ply
        return until(lambda: newest.count() > 0 and _last(newest) >= ply and self.view.ply == ply)


def _last(locator: Any) -> int:
    return int(locator.first.inner_text())


def spend(view: TableView, table: Table, want: Sequence[str]) -> tuple[Move, ...]:
    """Moves of a player of Dominion who plays all their money and buys the first of ``want``."""
    legal = {move.text: move for move in view.legal}
    prompt, market = view.prompt, view.market
    assert prompt is not None and prompt.player is not None and market is not None
    seat = f"p{prompt.player}"
    if prompt.code not in ("action", "buy"):
        return (view.usual or view.legal[0],)
    held = dict(table.hands[prompt.player].things)
    if held.get("militia") and f"{seat} play militia" in legal:
        return (legal[f"{seat} play militia"],)
    money = [
        legal[f"{seat} play {kind}"]
        for kind in ("gold", "silver", "copper")
        for _number in range(held.get(kind, 0))
        if f"{seat} play {kind}" in legal
    ]
    if money:
        return tuple(money)
    for kind in want:
        if f"{seat} buy {kind}" in legal:
            return (legal[f"{seat} buy {kind}"],)
    return (legal[f"{seat} done"],)
