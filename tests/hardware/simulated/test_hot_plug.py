"""Any device may vanish at any byte, come back, and talk nonsense.

HEELSTONE_CUTS=200 tries more; with -s a run says how much it tried.
"""

from __future__ import annotations

import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.lcdd import LcddDisplay
from hardware.lamps.wled import Wled
from hardware.ports import serial_port
from tests.hardware.conftest import Heard
from tests.support.devices import SOON_S, show_text
from tests.support.lcdd_server import FakeLcdd
from tests.support.plugged_in import AT_PORTS, SCORE_DISPLAYS

EXAMPLES = int(os.environ.get("HEELSTONE_CUTS", "3"))

tried = {"cuts": 0, "garbage": 0, "bytes": 0}
"""Counts of this run, for reports."""


@pytest.fixture(autouse=True)
def soon_given_up(hasty: None) -> None:
    """Makes links give up at once: a device that was pulled out in mid-answer is not waited for."""


@pytest.mark.parametrize("kind", AT_PORTS)
@settings(max_examples=EXAMPLES)
@given(cuts=st.lists(st.integers(1, 160), min_size=1, max_size=3))
def test_a_device_cut_off_at_any_byte_shows_the_newest_value_when_it_is_back(
    kind: str, cuts: list[int]
) -> None:
    case = AT_PORTS[kind]
    heard = Heard()
    with case.twin() as twin:
        device = case.driver(twin.url, heard)
        number = 10
        for cut in cuts:
            twin.unplug_after(cut)
            number += 1
            case.show(device, number)
            if not twin.wait_for(lambda: not twin.plugged, 0.06):
                twin.unplug()  # so few bytes were to be sent
            case.show(device, number + 100)
            tried["cuts"] += 1
            twin.replug()
        case.show(device, 77)
        assert twin.wait_for(lambda: case.shows(twin, 77)), (twin.rows(), heard.codes)
        tried["bytes"] += len(twin.received)
        device.close()
        assert twin.errors == []


@pytest.mark.parametrize("kind", AT_PORTS)
@settings(max_examples=EXAMPLES)
@given(noises=st.lists(st.binary(min_size=1, max_size=200), min_size=1, max_size=3))
def test_a_device_that_talks_nonsense_still_shows_what_it_is_told(
    kind: str, noises: list[bytes]
) -> None:
    case = AT_PORTS[kind]
    heard = Heard()
    with case.twin() as twin:
        device = case.driver(twin.url, heard)
        assert heard.wait_for("connected")
        for number, noise in enumerate(noises):
            twin.send(noise)
            tried["garbage"] += len(noise)
            case.show(device, 20 + number)
            assert twin.wait_for(partial(case.shows, twin, 20 + number))
        device.close()
        assert twin.errors == []


@settings(max_examples=max(3, EXAMPLES // 4))
@given(cuts=st.lists(st.integers(1, 400), min_size=1, max_size=2))
def test_lcdd_may_hang_up_at_any_byte_too(cuts: list[int]) -> None:
    heard = Heard()
    with pytest.MonkeyPatch.context() as patch, FakeLcdd() as server:
        patch.setattr(serial_port, "READ_WAIT_S", 0.05)
        display = LcddDisplay("127.0.0.1", heard, tcp_port=server.port, first_wait_s=SOON_S)
        for number, cut in enumerate(cuts):
            server.go_away_after(cut)
            clients = server.clients
            show_text(display, number)
            server.wait_for(lambda c=clients: server.clients > c, 0.3)  # type: ignore[misc]
            tried["cuts"] += 1
        server.go_away_after(1_000_000)
        show_text(display, 77)
        assert server.wait_for(lambda: server.rows()[2].rstrip() == "three 77")
        display.close()
        assert server.errors == []


# -- garbage straight into the parsers ----------------------------------------------------


PARSERS: dict[str, tuple[Callable[[], Any], bytes]] = {
    **{kind: (device.parser, device.flood) for kind, device in SCORE_DISPLAYS.items()},
    "wled": (lambda: Wled("x", 3), b"WLED 1\r\n"),
}
"""By kind: a driver without a port, and valid talk that was not asked for."""


@pytest.mark.parametrize("kind", PARSERS)
@settings(max_examples=100)
@given(chunks=st.lists(st.binary(max_size=300), max_size=8))
def test_no_bytes_make_a_parser_raise(kind: str, chunks: list[bytes]) -> None:
    driver = PARSERS[kind][0]()
    for chunk in chunks:
        driver.received(chunk)
        tried["garbage"] += len(chunk)
    driver.lost()


@pytest.mark.parametrize("kind", PARSERS)
def test_no_amount_of_garbage_or_of_answers_nobody_asked_for_fills_the_memory(kind: str) -> None:
    make, valid = PARSERS[kind]
    driver, flood = make(), valid * 20
    chance = random.Random(7)
    driver.received(flood)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            noise = chance.randbytes(2048) + b"$" + b"A" * 512 + flood + b"\x40\x16"
            driver.received(noise)
            tried["garbage"] += len(noise)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 64 * 1024, f"{grown} bytes more"


@pytest.fixture(scope="module", autouse=True)
def told() -> Iterator[None]:
    yield
    print(f"\ntried: {tried}")
