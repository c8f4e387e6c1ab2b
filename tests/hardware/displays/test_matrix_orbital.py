"""Matrix Orbital and Adafruit displays: judged by what their twin shows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.matrix_orbital import (
    CLEAR,
    SCROLL_OFF,
    WRAP_OFF,
    MatrixOrbitalDisplay,
    Options,
    _Commands,
    go_to,
)
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.settings import ScoreSettings
from tests.hardware.conftest import Heard
from tests.support.devices import (
    PAUSE,
    Case,
    Device,
    Stream,
    nobody,
    said,
    show_text,
    shows_text,
)

SOON_S = 0.02
LETTERS = {*range(8), *range(0x20, 0x80), *range(0xA0, 0x100)}
"""Bytes that are shown."""


def _stream(first: bytes) -> Stream:
    """A greeting that begins with ``first``, and two rows of 16 letters."""

    def data() -> bytes:
        setup = [first, SCROLL_OFF, b"\xfe\x50\x8c", CLEAR]
        driver = _Commands("x", setup, (b" " * 16,) * 2)
        rows = (b"Anna 12".ljust(16), b"B" * 16)
        return said(driver.greet) + said(lambda port: driver.send(port, rows))

    def sound(twin: MatrixOrbitalTwin) -> bool:
        column, row = twin.cursor
        letters = {letter for text in twin.text for letter in text}
        return (
            1 <= column <= 17
            and 1 <= row <= 2
            and (letters <= LETTERS or bool(twin.errors))
            and [len(text) for text in twin.text] == [16, 16]
        )

    # An unfinished command takes the next bytes for its own, 32 at most.
    return Stream(data, ("Anna 12         ", "B" * 16), b"\x20" * 32, sound)


DEVICE = Device(
    models={
        "matrix_orbital": Case(
            MatrixOrbitalTwin,
            lambda url, heard: MatrixOrbitalDisplay(url, heard, first_wait_s=SOON_S),
            show_text,
            shows_text,
            baud=19200,
            whole=4 * 24,
        ),
        "matrix_orbital, two rows": Case(
            lambda: MatrixOrbitalTwin(16, 2),
            lambda url, heard: MatrixOrbitalDisplay(
                url, heard, ScoreSettings(columns=16, rows=2), first_wait_s=SOON_S
            ),
            lambda display, n: display.show([f"score {n}", f"two {n}"]),
            lambda twin, n: [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"],
            {"columns": 16, "rows": 2},
            ("Black to play   ", "Black 12 Brown 7"),
            stream=_stream(WRAP_OFF),
            baud=19200,
            whole=2 * 20,
        ),
        "adafruit": Case(
            lambda: MatrixOrbitalTwin(16, 2, adafruit=True),
            lambda url, heard: MatrixOrbitalDisplay(
                url,
                heard,
                ScoreSettings(columns=16, rows=2),
                Options(color=[0, 9, 99]),
                first_wait_s=SOON_S,
            ),
            lambda display, n: display.show([f"score {n}", f"two {n}"]),
            lambda twin, n: (
                [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"]
                and twin.color == (0, 9, 99)
            ),
            {"columns": 16, "rows": 2, "options": {"color": [0, 120, 60]}},
            stream=_stream(b"\xfe\xd1\x10\x02"),
            whole=2 * 20,
        ),
    },
    parser=lambda: _Commands("x", [], (b" " * 20,) * 4),
    flood=b"\xfe\x47",
    display=lambda: MatrixOrbitalDisplay("wire", nobody),
    says=(PAUSE.join((b"A", b"BCD", b"EFGH")),),
    noise=b"\0ABCabcH",
)


def test_the_greeting_is_the_commands_of_the_manual(heard: Heard) -> None:
    with MatrixOrbitalTwin() as twin:
        display = MatrixOrbitalDisplay(twin.url, heard)
        assert heard.wait_for("connected")
        expected = "FE 44 FE 52 FE 4B FE 54 FE 50 8C FE 99 FF FE 42 00 FE 58"
        assert twin.wait_for(lambda: len(twin.received) >= 19)
        assert bytes(twin.received) == bytes.fromhex(expected)
        assert twin.contrast == 140
        assert not (twin.wrap or twin.scroll or twin.blink or twin.underline)
        display.close()
        assert twin.errors == []


def test_a_backpack_is_told_size_and_colour_and_nothing_it_does_not_know(heard: Heard) -> None:
    with MatrixOrbitalTwin(16, 2, adafruit=True) as twin:
        display = MatrixOrbitalDisplay(
            twin.url, heard, ScoreSettings(columns=16, rows=2), Options(color=[0, 114, 178])
        )
        assert heard.wait_for("connected")
        expected = "FE D1 10 02 FE D0 00 72 B2 FE 52 FE 4B FE 54 FE 50 C8 FE 99 FF FE 42 00"
        assert twin.wait_for(lambda: len(twin.received) >= 26)
        assert bytes(twin.received) == bytes.fromhex(expected + " FE 58")
        assert twin.color == (0, 114, 178)
        assert twin.contrast == 200, "as Adafruit recommends; with 140 hardly a letter is seen"
        display.show(["x" * 16, "y" * 16])
        assert twin.wait_for(lambda: twin.rows() == ["x" * 16, "y" * 16])
        assert not (twin.scroll or twin.blink or twin.underline)
        display.close()
        assert twin.errors == []


def test_text_appears_where_it_belongs(heard: Heard) -> None:
    with MatrixOrbitalTwin() as twin:
        display = MatrixOrbitalDisplay(twin.url, heard, ScoreSettings(backlight=50))
        display.show(["Jürgen\t12", "Weiß\t7", "", "Ärger"])
        assert twin.wait_for(lambda: twin.rows()[3].startswith("ärger"))
        assert twin.rows()[:2] == ["Jürgen            12", "Weiß               7"]
        assert twin.brightness == 128
        assert twin.pixels == [(128, 128, 128)]
        display.close()
        assert twin.wait_for(lambda: twin.rows() == [" " * 20] * 4)
        assert twin.errors == []


def test_a_display_without_umlauts_gets_them_spelled_out(heard: Heard) -> None:
    with MatrixOrbitalTwin() as twin:
        display = MatrixOrbitalDisplay(twin.url, heard, options=Options(umlauts=False))
        display.show(["Größe"])
        assert twin.wait_for(lambda: twin.rows()[0].startswith("Groesse"))
        display.close()


def test_only_what_changed_is_sent(heard: Heard) -> None:
    with MatrixOrbitalTwin() as twin:
        display = MatrixOrbitalDisplay(twin.url, heard)
        display.show(["A", "score 07"])
        assert twin.wait_for(lambda: "07" in twin.rows()[1])
        before = len(twin.received)
        display.show(["A", "score 08"])
        assert twin.wait_for(lambda: "08" in twin.rows()[1])
        assert bytes(twin.received[before:]) == go_to(8, 2) + b"8"
        assert go_to(8, 2) == bytes.fromhex("FE 47 08 02")
        display.close()


@pytest.mark.parametrize("count", [1, 10, 18, 19, 21, 24, 45])
def test_a_display_unplugged_at_any_byte_shows_the_whole_screen_again(
    count: int, heard: Heard
) -> None:
    with MatrixOrbitalTwin() as twin:
        twin.unplug_after(count)
        display = MatrixOrbitalDisplay(twin.url, heard, first_wait_s=SOON_S)
        display.show(["first one", "second one", "third one", "fourth one"])
        assert twin.wait_for(lambda: not twin.plugged)
        twin.replug()
        assert twin.wait_for(lambda: twin.rows()[3].startswith("fourth one"))
        assert [row.split()[0] for row in twin.rows()] == ["first", "second", "third", "fourth"]
        display.close()
        assert twin.errors == []


def test_the_twin_wraps_and_scrolls_as_long_as_nobody_forbids_it() -> None:
    with MatrixOrbitalTwin(4, 2) as twin:
        twin.take(b"\xfe\x58" + b"abcdefghij")
        assert twin.rows() == ["efgh", "ij  "]
        twin.take(b"\xfe\x58\xfe\x52" + b"abcdefghij")
        assert twin.rows() == ["ijcd", "efgh"]
        twin.take(b"\xfe\x58\xfe\x44" + b"abcde")
        assert twin.rows() == ["abcd", "    "]
        assert len(twin.errors) == 1
        twin.take(b"\xfe\x48x\xfe\x4d!\xfe\x4c\xfe\x4cb\xfe\x46")
        assert twin.rows()[0] == "xb!d"
        assert not twin.backlight


def test_the_twin_names_what_no_manual_allows() -> None:
    with MatrixOrbitalTwin() as twin:
        twin.take(b"\xfe\x01" + go_to(21, 1) + b"\xfe\xd1\x0a")
        assert len(twin.errors) == 4
    with MatrixOrbitalTwin(adafruit=True) as twin:
        twin.take(b"\xfe\x44\xfe\x26\xfe\xd1\x10\x02")
        assert len(twin.errors) == 3


@settings(max_examples=50)
@given(noise=st.binary(max_size=300))
def test_the_twin_survives_any_bytes(noise: bytes) -> None:
    with MatrixOrbitalTwin() as twin:
        twin.take(noise)
        assert [len(row) for row in twin.rows()] == [20] * 4
