"""Pictures of the page to try the rules in a browser."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.web.try_page.building import build
from companion.web.try_page.engine import EngineError
from docs.gallery.contact_sheet import Picture
from docs.gallery.phone_pages import shot
from tests.endurance.try_page import Visitor, served
from tests.support.browser import chromium, visits

TRY_PICTURES: Final = ("try-shelf.png", "try-refused.png", "try-pass.png")


def try_pictures(_wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """All of them; skips without a browser, or where Pyodide cannot be fetched."""
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        folder = Path(place) / "page"
        try:
            build(folder, None)
        except EngineError as error:
            pytest.skip(str(error))
        with served(folder) as url, visits(browser) as pages:
            visitor = Visitor(pages, url)
            page = visitor.page
            page.wait_for_selector("[data-game]")
            # What a match is dealt by: the same every time.
            page.evaluate("() => { crypto.getRandomValues = (numbers) => numbers.fill(7); }")
            yield "try-shelf.png", shot(page)
            visitor.choose("knizia_stonehenge", 1)
            page.wait_for_selector(".hand .card")
            for number, (stone, site) in enumerate((("black 5", "H"), ("brown 4", "G"))):
                _set(visitor, stone, site)
                # Nobody is asked whether that is all where nothing else can be done.
                visitor.until(f"seat.picture.public.ply === {2 * number + 2} && !seat.sending")
            _set(visitor, "black 3", "G")
            page.wait_for_selector(".refusal")
            yield "try-refused.png", shot(page)
            page.click("#top [data-key=home]")
            visitor.choose("dominion", 1)
            page.wait_for_selector(".pass")
            yield "try-pass.png", shot(page)


def _set(visitor: Visitor, stone: str, site: str) -> None:
    # A second touch that comes too soon means nothing.
    visitor.page.wait_for_timeout(500)
    visitor.page.click(f'[data-key="card stone {stone}"]')
    visitor.touch(site)
