"""A table without a screen, looked after by a phone: the real program and real pages."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import FINISHED
from companion.journal.store import Journal
from tests.support.browser import Visits
from tests.support.club import free_port
from tests.support.waiting import PATIENCE_S, until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PROGRAM = """
import sys
import companion.web.network
companion.web.network.addresses = lambda: ("127.0.0.1",)
from companion.app.entry import main
sys.exit(main())
"""
"""The command ``heelstone`` on a computer that is in a network, which this one may not be."""


class Served:
    """``heelstone serve`` without a game, with phones and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._settings, self._state = folder / "heelstone.toml", folder / "state"
        self.port = free_port()
        self._settings.write_text(f"[web]\nenabled = true\nport = {self.port}\n")
        self._program = subprocess.Popen(self._command("serve"), stderr=subprocess.DEVNULL)

    def _command(self, *words: str) -> list[str]:
        return [
            sys.executable, "-c", PROGRAM, "--lang", "en",
            "--settings", str(self._settings), "--data", str(self._state), *words,
        ]  # fmt: skip

    def host_link(self) -> str:
        """The code of the table, as its owner sees it."""
        asked = subprocess.run(
            self._command("--json", "phones", "code"), capture_output=True, check=False
        )
        return str(json.loads(asked.stdout)["link"]) if asked.returncode == 0 else ""

    def finished(self) -> list[str]:
        """Games of the matches that came to their end."""
        with Journal(self._state / "journal.db", beside=True) as journal:
            return [one.header.game for one in journal.matches() if one.status == FINISHED]

    def close(self) -> None:
        self._program.terminate()
        self._program.wait()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    table = Served(tmp_path)
    yield table
    table.close()


def here(table: Served, link: str) -> str:
    """A code's address on this machine."""
    return f"http://127.0.0.1:{table.port}/{link.rpartition('/')[2]}"


@pytest.fixture
def host(served: Served, pages: Visits) -> Any:
    links: list[str] = []

    def shown() -> bool:
        links.append(served.host_link())
        return bool(links[-1])

    assert until(shown)
    return pages.go(here(served, links[-1]))


def test_a_match_is_set_up_dealt_and_ended_from_phones_only(
    served: Served, pages: Visits, host: Any
) -> None:
    host.click('[data-key="game knizia_stonehenge"]')
    for seat, name in enumerate(("Ada", "Ben")):
        host.fill(f'[data-key="name {seat}"]', name)
    pages.look_over(host)
    host.click("[data-key=begin]")
    host.wait_for_selector("h2 >> text=Ada")
    phones = [_seated(served, pages, host, seat) for seat in range(2)]
    host.click('[data-key="new 0"]')
    host.click('[data-key="code 0"]')
    host.wait_for_selector(".code svg")
    pages.look_over(host)
    _play(phones, plies=5)
    host.click("[data-key=end]")
    host.click("[data-key=end_yes]")
    host.wait_for_selector('[data-key="game dominion"]')
    phones[0].wait_for_selector("text=No match is on the table now")


@pytest.mark.thorough
def test_two_whole_matches_are_begun_dealt_and_ended_from_phones_only(
    served: Served, pages: Visits, host: Any
) -> None:
    host.click('[data-key="game knizia_stonehenge"]')
    host.click("[data-key=begin]")
    for number in range(2):
        phones = [_seated(served, pages, host, seat) for seat in range(2)]
        _play(phones, plies=10_000)
        assert until(lambda n=number: len(served.finished()) == n + 1)  # type: ignore[misc]
        for phone in phones:
            phone.close()
        host.click("[data-key=again]")


def _seated(table: Served, pages: Visits, host: Any, seat: int) -> Any:
    """A phone that scanned the code of a seat on the host's page, and was let in there."""
    host.wait_for_selector(f'[data-key="here {seat}"]')
    link = host.get_attribute(f'[data-key="here {seat}"]', "href")
    phone = pages.go(here(table, link))
    phone.wait_for_selector("text=On the host's phone")
    host.click(f'[data-key="yes {seat}"]')
    phone.wait_for_selector(".bar")
    return phone


def _play(phones: list[Any], plies: int) -> None:
    """Play what is offered first at the phone that is asked, to the end or for ``plies`` moves."""
    offered = (
        ".bar .key.yellow:not([data-key=list])", ".bar [data-key^=key]", ".bar [data-key=list]",
        ".card.lit",
    )  # fmt: skip
    ends_s = time.monotonic() + 4 * PATIENCE_S
    while time.monotonic() < ends_s:
        for phone in phones:
            over, ply, free = phone.evaluate(
                "import('./static/seat.js').then(({seat: {picture: seen, sending}}) => seen"
                " ? [Boolean(seen.public.outcome), seen.public.ply, seen.may_play && !sending"
                " && !document.querySelector('.settling')] : [false, 0, false])"
            )
            if over or ply >= plies:
                return
            found = [key for key in offered if free and phone.locator(key).count()]
            if found:
                # What was there may just have gone.
                with suppress(playwright.Error):
                    phone.locator(found[0]).first.click(timeout=1000)
                    if found[0].endswith("[data-key=list]"):
                        phone.locator("dialog .tile").first.click(timeout=1000)
        time.sleep(0.05)
    raise AssertionError("the match does not end")
