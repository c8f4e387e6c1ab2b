"""Pictures of a club's hall, served by the real programs: all tables, and a tournament."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.club.upload import Uploader
from companion.journal.store import Journal
from docs.gallery.contact_sheet import Picture
from docs.gallery.phone_pages import shot
from docs.gallery.still_screen import faces_worn
from tests.support.browser import PHONE, WIDE, Visits, chromium, visits
from tests.support.club import PASSWORD, Servers, Writing, equal_at, pages, play, servers
from tests.support.waiting import until

HALL_PICTURES: Final = ("hall.png", "tournament-phone.png")
SHOWN: Final = (1024, 576)
TABLES: Final = (
    ("east", "erbaut_stonehenge", 11, 44, ("Ida", "Jonas", "Karla")),
    ("fireside", "dolmengoetter", 2, 60, ("Ida", "Jonas", "Karla")),
    ("gallery", "dolmengoetter", 3, 900, ("Emil", "Frieda", "Gustav")),
    ("north", "knizia_stonehenge", 4, 22, ("Ada", "Ben")),
    ("south", "hoher_rat", 5, 16, ("Emil", "Frieda")),
    ("table-8", "dominion", 6, 40, ("Mia", "Noah")),
    ("table-9", "knizia_stonehenge", 7, 26, ("Ada", "Ben")),
    ("west", "rollende_steine", 8, 5, ("Mia", "Noah")),
    ("window", "opferroulette", 9, 9, ("Emil", "Frieda")),
)
"""Name, game, seed, how many moves are played, and by whom."""
PLAYERS: Final = ("Ada", "Ben", "Cleo", "Dan", "Emil", "Frieda", "Gustav")
PLACES: Final = (((1, 2), (1, 1), (2, 1)), ((2, 1), (1, 2), (1, 1)), ((2, 1), (1, 2), (1, 1)))
"""Of both players, by round and board."""


def hall_pictures(_wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Both of them; skips without a browser, a broker or a database."""
    with servers() as club, faces_worn(), ExitStack() as stack:
        _play(club, stack)
        address = stack.enter_context(pages(club))
        # Only now: its event loop runs in this thread, and what comes before needs its own.
        seen = stack.enter_context(visits(stack.enter_context(chromium())))
        hall = seen.go(address, WIDE)
        for name, *_ in TABLES:
            hall.wait_for_selector(f".tables >> text={name}")
        hall.wait_for_selector("text=Connecting", state="detached")
        small = cv2.resize(shot(hall), SHOWN, interpolation=cv2.INTER_AREA)
        yield HALL_PICTURES[0], small.astype(np.uint8)
        number = _tournament(seen, address)
        phone = seen.go(f"{address}#tournaments/{number}", PHONE)
        phone.wait_for_selector("text=Round 4")
        yield HALL_PICTURES[1], shot(phone)
        seen.close()


def _play(club: Servers, stack: ExitStack) -> None:
    members = club.make([name for name, *_ in TABLES])
    stack.enter_context(Writing(club))
    place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    for member, (name, game, seed, most, names) in zip(members, TABLES, strict=True):
        state = place / name
        state.mkdir()
        journal = stack.enter_context(Journal(state / "journal.db"))
        match = play(journal, game, seed, most=most, names=names, corrections=False)
        if journal.load(match).outcome is None:
            journal.set_status(match, "open")
        stack.callback(Uploader(member, state).start().close)
        if not until(partial(equal_at, club, journal, member)):
            raise TimeoutError(f"the club was never told of table {name}")


def _tournament(seen: Visits, address: str) -> int:
    """A Swiss one in its fourth round; gives its number."""
    organiser = seen.go(address)

    def do(path: str, **asked: Any) -> Any:
        return organiser.evaluate(
            """async ([path, asked]) => {
                const headers = { "X-Heelstone": "1", "Content-Type": "application/json" };
                const answer = await fetch(path, { method: "POST", headers, body: asked });
                if (!answer.ok) throw new Error(await answer.text());
                return answer.json();
            }""",
            [path, json.dumps(asked)],
        )

    do("/api/organiser", password=PASSWORD)
    number = int(do("/api/organise", do="begin", name="Summer", kind="swiss", rounds=5)["id"])
    do("/api/organise", do="enter", tournament=number, name="\n".join(PLAYERS))
    for round_, results in enumerate(PLACES, 1):
        do("/api/organise", do="pair", tournament=number)
        for board, places in enumerate(results, 1):
            do(
                "/api/organise", do="result", tournament=number, round=round_, board=board,
                places=places,
            )  # fmt: skip
    do("/api/organise", do="pair", tournament=number)
    return number
