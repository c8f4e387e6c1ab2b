"""Every twin at every byte of a good stream: one dropped, one too many, one wrong.

A twin either names the mistake, or is in a state that the data sheet defines; and the next good
greeting finds it as a real device would be found. With -s a run says how much it tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.displays.cfa635 import driver as crystalfontz
from hardware.displays.cfa635.simulated import Cfa631Twin, Cfa635Twin
from hardware.displays.matrix_orbital import driver as matrix_orbital
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.displays.pico import driver as pico
from hardware.displays.pico.simulated import PicoTwin
from hardware.displays.segments import digit_text
from hardware.displays.serial7segment import driver as serial7segment
from hardware.displays.serial7segment.simulated import Serial7SegmentTwin
from hardware.lamps.adalight import adalight_frame
from hardware.ports.serial_port import SerialPort
from hardware.simulated.strip import AdalightTwin
from hardware.simulated.wled import WledTwin

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


class Wire:
    """A port that only remembers."""

    def __init__(self) -> None:
        self.data = bytearray()

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        self.data += data

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass


def said(speak: Callable[[SerialPort], object]) -> bytes:
    wire = Wire()
    speak(wire)
    return bytes(wire.data)


@pytest.mark.parametrize(
    "quiet",
    [lambda: MatrixOrbitalTwin(16, 2), lambda: MatrixOrbitalTwin(16, 2, adafruit=True)],
    indirect=True,
)
def test_a_matrix_orbital_stays_within_its_manual(
    quiet: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix_orbital, "COMMAND_PAUSE_S", 0.0)
    backpack = 0xD1 in quiet._arguments
    setup = [matrix_orbital.SCROLL_OFF, b"\xfe\x50\x8c", matrix_orbital.CLEAR]
    setup.insert(0, b"\xfe\xd1\x10\x02" if backpack else matrix_orbital.WRAP_OFF)
    driver = matrix_orbital._Commands("x", setup, (b" " * 16,) * 2)
    good = said(driver.greet) + said(lambda p: driver.send(p, (b"Anna 12".ljust(16), b"B" * 16)))
    quiet.take(good)
    assert quiet.rows() == ["Anna 12         ", "B" * 16] and quiet.errors == []
    allowed = set(range(8)) | set(range(0x20, 0x80)) | set(range(0xA0, 0x100))
    for wrong in each(quiet, good):
        quiet.take(wrong)
        column, row = quiet.cursor
        assert 1 <= column <= 17 and 1 <= row <= 2
        letters = {letter for text in quiet.text for letter in text}
        assert letters <= allowed or quiet.errors
        assert [len(text) for text in quiet.text] == [16, 16]
        # An unfinished command takes the next bytes for its own, 32 at most; then all is well.
        quiet.take(b"\x20" * 32)
        quiet.errors.clear()
        quiet.take(good)
        assert quiet.rows() == ["Anna 12         ", "B" * 16]
        assert quiet.errors == []


@pytest.mark.parametrize("quiet", [Serial7SegmentTwin], indirect=True)
def test_four_digits_stay_within_their_manual_and_the_next_greeting_is_understood(
    quiet: Any,
) -> None:
    driver = serial7segment._Digits("x", 40)
    good = said(driver.greet)
    good += b"".join(serial7segment.wire(digit_text(text, 4)) for text in ("07.:05", "C112"))
    quiet.take(good)
    assert quiet.rows() == ["C112"] and quiet.errors == []
    for wrong in each(quiet, good):
        quiet.take(wrong)
        assert 0 <= quiet.cursor < 4 and 0 <= quiet.brightness <= 100
        assert all(0 <= mask < 0x80 for mask in quiet.segments)
        named = len(quiet.errors)
        quiet.take(said(serial7segment._Digits("x", 40).greet))
        quiet.take(serial7segment.wire(digit_text("12", 4)))
        assert quiet.rows() == ["  12"]
        assert quiet.brightness == 40
        # The first byte of the greeting may have ended what hung in the air.
        assert len(quiet.errors) <= named + 1


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
