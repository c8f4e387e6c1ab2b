"""A table without a screen is told which game of a tournament waits for it, and begins it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from starlette.requests import Request

from companion.app.application import Application
from companion.app.hosting import Hosting
from companion.club.membership import FILE, write_secret
from companion.settings.settings import Settings
from companion.web.hosting import COOKIE, Host, HostPages
from companion.web.server import TableServer
from tests.support.club import Servers, Writing, pages
from tests.support.hall_browser import Browser
from tests.support.waiting import until

LONG = ("Friederike Schneider-Baumgartner", "Friederike Schneider-Baumann")
"""Two people who are one and the same in as many letters as a table shows."""


class Phone:
    """The host's phone at a table's pages."""

    def __init__(self, hosting: Hosting, folder: Path) -> None:
        host = Host(hosting, folder / "host.json")
        desk = TableServer(0, "en", folder / "phones.json", host=host)
        self._pages = HostPages(host, desk, lambda _: True)
        self._cookie = host.claim(host.token())

    def order(self, **asked: Any) -> int:
        body = json.dumps(asked).encode()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        cookie = f"{COOKIE}={self._cookie}".encode()
        scope = {"type": "http", "method": "POST", "headers": [(b"cookie", cookie)],
                 "query_string": b""}  # fmt: skip
        return asyncio.run(self._pages.order(Request(scope, receive))).status_code

    def shown(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = json.loads(self._pages.picture("en"))["pairings"]
        return found


def test_a_host_begins_the_game_of_a_tournament_that_waits_and_the_hall_shows_where(
    club: Servers, tmp_path: Path
) -> None:
    write_secret(tmp_path / FILE, club.table("called").toml())
    house = Application(Settings(), tmp_path, "en")
    hosting = Hosting(house)
    try:
        with Writing(club), pages(club) as address:
            organiser, phone = Browser(address), Phone(hosting, tmp_path)
            organiser.sign_in()
            asked = {"name": "Called", "game": "knizia_stonehenge", "kind": "swiss", "rounds": 1,
                     "options": {"hidden": "on"}}  # fmt: skip
            id = organiser.organise(do="begin", **asked)[1]["id"]
            organiser.organise(do="enter", tournament=id, name="\n".join(LONG))
            assert organiser.organise(do="pair", tournament=id)[0] == 200

            def mine() -> list[dict[str, str]]:
                return [one for one in phone.shown() if one["text"].endswith("Called")]

            assert until(lambda: bool(mine()))
            (waiting,) = mine()
            assert waiting["title"] == "Friederike S 1 – Friederike S 2"
            assert waiting["text"] == "Round 1, board 1 · Stonehenge · Called"
            assert phone.order(do="pairing", pairing="0") == 409, "a game that waits no more"
            assert phone.order(do="pairing", pairing=waiting["id"]) == 200
            assert until(lambda: house.session is not None)
            assert house.session is not None
            header = house.session.table.record.header
            assert (header.pairing, header.options["hidden"]) == (waiting["id"], "on")
            assert until(lambda: not mine())

            def playing() -> str:
                (game,) = organiser.get(f"/api/tournaments/{id}")["games"]
                return str(game["playing"])

            assert until(lambda: playing() == "called")
            organiser.organise(do="end", tournament=id)
    finally:
        hosting.close()
        house.close()
