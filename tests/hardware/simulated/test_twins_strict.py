"""Every twin at every byte of a good stream: one dropped, one too many, one wrong.

A twin either names the mistake, or is in a state that the data sheet defines; and the next good
greeting finds it as a real device would be found. Streams of score displays come from their own
tests, except of those whose packets or answers are counted here. With -s a run says how much it
tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from hardware.displays import cfa635 as crystalfontz
from hardware.displays import pico
from hardware.displays.cfa635.simulated import Cfa631Twin, Cfa635Twin
from hardware.displays.pico.simulated import PicoTwin
from hardware.lamps.adalight import adalight_frame
from hardware.simulated.strip import AdalightTwin
from hardware.simulated.wled import WledTwin
from tests.support.devices import Stream
from tests.support.plugged_in import CASES

tried: dict[str, int] = {}


def mutations(stream: bytes, bits: range = range(8)) -> Iterator[bytes]:
    """The stream with one byte dropped, doubled, inserted or changed, at each place in turn."""
    chance = random.Random(len(stream))
    for place in range(len(stream)):
        head, byte, tail = stream[:place], stream[place], stream[place + 1 :]
        yield head + tail
        yield head + bytes((byte, byte)) + tail
        yield head + bytes((chance.randrange(256), byte)) + tail
        for bit in bits:
            yield head + bytes((byte ^ 1 << bit,)) + tail
        yield head + bytes((chance.randrange(256),)) + tail


@pytest.fixture
def quiet(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A twin without a listener."""
    twin = request.param()
    twin.send = lambda data: None
    with twin:
        yield twin


def each(twin: Any, stream: bytes, bits: range = range(8)) -> Iterator[bytes]:
    """Each mutation, with the twin fresh from power and its slate clean."""
    for wrong in mutations(stream, bits):
        twin.boot()
        twin.errors.clear()
        yield wrong
        tried[type(twin).__name__] = tried.get(type(twin).__name__, 0) + 1


def packets(rows: int) -> bytes:
    commands: list[tuple[int, bytes]] = [(0x00, b""), (0x01, b""), (0x0C, b"\0"), (0x06, b"")]
    commands += [(0x1F, bytes((3, row)) + b"Anna %d" % row) for row in range(rows)]
    commands += [(0x0E, b"\x32"), (0x0D, b"\x60"), *([(0x22, b"\x0b\x64")] if rows > 2 else [])]
    return b"".join(crystalfontz.packet(kind, data) for kind, data in commands)


@pytest.mark.parametrize("quiet", [Cfa635Twin, Cfa631Twin], indirect=True)
def test_a_crystalfontz_obeys_no_packet_that_was_not_sent(quiet: Any) -> None:
    good = packets(quiet.row_count)
    quiet.take(good)
    sent = list(quiet.packets)
    assert len(sent) >= 8 and quiet.refused == []
    for wrong in each(quiet, good):
        quiet.packets.clear()
        quiet.take(wrong)
        assert all(packet in sent for packet in quiet.packets)
        assert quiet.refused == []
        whole = len(quiet.packets) >= len(sent)
        assert whole or quiet.errors or quiet._wire, "it missed a packet and said nothing"
        quiet.take(b"\xff" * 30 + crystalfontz.packet(0x06) + good)
        assert quiet.rows()[0] == "   Anna 0           "


STREAMS = {name: case.stream for name, case in CASES.items() if case.stream is not None}


@pytest.mark.parametrize(
    ("quiet", "stream"),
    [pytest.param(CASES[name].twin, stream, id=name) for name, stream in STREAMS.items()],
    indirect=["quiet"],
)
def test_a_display_stays_within_its_manual_and_understands_the_next_greeting(
    quiet: Any, stream: Stream
) -> None:
    good = stream.data()
    quiet.take(good)
    assert tuple(quiet.rows()) == stream.rows and quiet.errors == []
    for wrong in each(quiet, good):
        quiet.take(wrong)
        assert stream.sound(quiet)
        quiet.take(stream.rest)
        quiet.errors.clear()
        quiet.take(good)
        assert tuple(quiet.rows()) == stream.rows
        # The first byte of the greeting may have ended what hung in the air.
        assert len(quiet.errors) <= (0 if stream.rest else 1)


@pytest.mark.parametrize("quiet", [PicoTwin], indirect=True)
def test_a_pico_obeys_no_line_that_was_not_sent(quiet: Any) -> None:
    lines = [
        ("V",), ("S", "lcd", "16", "2", "2", "5000"), ("T", "0", b"Anna 12".ljust(16).hex()),
        ("T", "1", b"B".ljust(16).hex()), ("L", "0102030a0b0c"), ("K",),
    ]  # fmt: skip
    good = b"".join(pico.line(number + 1, *fields) for number, fields in enumerate(lines))
    answers: list[bytes] = []
    for wrong in each(quiet, good, range(0, 8, 7)):
        quiet._table.say = answers.append
        answers.clear()
        quiet.take(wrong)
        shown = quiet.rows()
        assert all(
            row.strip() in ("", "Heelstone", whole)
            for row, whole in zip(shown, ("Anna 12", "B"), strict=True)
        )
        assert quiet.pixels in ([], [(0, 0, 0)] * 2, [(1, 2, 3), (10, 11, 12)])
        numbers = [answer[1:3] for answer in answers]
        assert numbers == sorted(set(numbers)), "a line was answered twice, or out of turn"
        assert len(answers) >= len(lines) - 2, "one byte costs its line, and the next at most"
        quiet.take(good)
        assert quiet.rows() == ["Anna 12         ", "B               "]
        assert quiet.errors == []


@pytest.mark.parametrize("quiet", [lambda: AdalightTwin(3), lambda: WledTwin(3)], indirect=True)
def test_a_strip_names_what_is_no_frame_and_shows_the_next_one_but_one(quiet: Any) -> None:
    frames = [tuple((n, 2 * n, 3) for n in range(first, first + 3)) for first in (1, 40)]
    good = b"".join(adalight_frame(frame) for frame in frames)
    quiet.take(good)
    assert tuple(quiet.pixels) == frames[1] and quiet.errors == []
    for wrong in each(quiet, good):
        quiet.take(wrong)
        assert len(quiet.pixels) == 3
        whole = tuple(quiet.pixels) == frames[1]
        quiet.take(good)
        # Only a byte that a controller takes for its baud rate makes it deaf, and that is named.
        assert tuple(quiet.pixels) == frames[1] or 0xB0 <= quiet.obeyed[-1] <= 0xB7
        assert whole or quiet.errors or isinstance(quiet, WledTwin) or len(wrong) == len(good)


@pytest.fixture(scope="module", autouse=True)
def told() -> Iterator[None]:
    yield
    print(f"\ntried: {tried}")
