"""A real browser for tests of the pages: Debian's chromium without a window, driven by Playwright.

What a page must never do fails every test that uses it: ask another host, or complain in its
console.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.needed import skip_without
from tests.support.waiting import PATIENCE_S

PHONE, WIDE = (390, 844), (1280, 720)
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first spends half the time of a whole browser, whose own bars are pages as well."""
_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--font-render-hinting=none",
)  # fmt: skip

_AXE = {
    "runOnly": {"type": "tag", "values": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice",
    ]},
    "rules": {"label-content-name-mismatch": {"enabled": True}, "target-size": {"enabled": True}},
}  # fmt: skip
"""Rules of axe-core that are tried."""


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        skip_without("chromium-headless-shell")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(_FLAGS))
        yield browser
        browser.close()


@dataclass
class Visits:
    """Pages that are open, each on a machine of its own, and what was wrong with them."""

    browser: Any
    hosts: set[str] = field(default_factory=set)
    """Hosts of all requests."""
    complaints: list[str] = field(default_factory=list)
    tolerated: str = "\0"
    """Complaints with these words in them are expected."""
    _machines: list[Any] = field(default_factory=list)

    def go(
        self, url: str, size: tuple[int, int] = PHONE, *, lang: str = "en", light: bool = False,
        machine: Any = None,
    ) -> Any:  # fmt: skip
        """Open a page on a new machine, or on the one of another page."""
        if machine is None:
            machine = self.browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                color_scheme="light" if light else "dark", locale=f"{lang}-GB",
                has_touch=size == PHONE, is_mobile=size == PHONE, reduced_motion="reduce",
            )  # fmt: skip
            machine.set_default_timeout(PATIENCE_S * 1000)
            self._machines.append(machine)
        page = machine.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._ask(request.url))
        where, _hash, token = url.partition("#")
        page.goto(f"{where}{'&' if '?' in where else '?'}lang={lang}{_hash}{token}")
        return page

    def _ask(self, url: str) -> None:
        # Nobody is asked for what a page has made itself.
        if not url.startswith("blob:"):
            self.hosts.add(urlsplit(url).hostname or "")

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning") and self.tolerated not in message.text:
            self.complaints.append(message.text)

    def look_over(self, page: Any) -> None:
        """Fails if a page breaks a rule of accessibility that a program can check."""
        axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
        page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
        broken = page.evaluate(f"axe.run(document, {json.dumps(_AXE)})")["violations"]
        told = [(rule["id"], one["html"][:200]) for rule in broken for one in rule["nodes"]]
        assert not told, told

    def close(self) -> None:
        """Close all pages."""
        while self._machines:
            self._machines.pop().close()


@contextmanager
def visits(browser: Any) -> Iterator[Visits]:
    """Pages for one test; fails if one of them complained, or called another host than the
    table."""
    seen = Visits(browser)
    try:
        yield seen
    finally:
        seen.close()
    assert not seen.complaints, seen.complaints
    assert seen.hosts <= {"127.0.0.1"}, seen.hosts
