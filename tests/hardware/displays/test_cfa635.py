"""Crystalfontz CFA631 and CFA635: judged by what twins show, and by vectors of the data sheet."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.cfa635 import (
    CORNER_KEYS,
    KEYS,
    CrystalfontzDisplay,
    DisplayLamps,
    PacketReader,
    _Packets,
    crc16,
    packet,
)
from hardware.displays.cfa635.simulated import Cfa631Twin, Cfa635Twin
from hardware.settings import ScoreSettings
from hardware.simulated.strip import AdalightTwin
from tests.hardware.conftest import Heard
from tests.support.devices import PAUSE, Case, Device, nobody, show_text, shows_text, strip_frame
from tests.support.waiting import PATIENCE_S, until

SOON_S = 0.02


def _show(display: CrystalfontzDisplay, number: int) -> None:
    show_text(display, number)
    DisplayLamps(display).show(strip_frame(number))


DEVICE = Device(
    models={
        "cfa635": Case(
            Cfa635Twin,
            lambda url, heard: CrystalfontzDisplay(url, heard, first_wait_s=SOON_S),
            _show,
            lambda twin, n: shows_text(twin, n) and twin.leds[0] == (0, round(n / 2.55)),
            whole=4 * 26,
        ),
        "cfa631": Case(
            Cfa631Twin,
            lambda url, heard: CrystalfontzDisplay(
                url, heard, ScoreSettings(rows=2), first_wait_s=SOON_S
            ),
            lambda display, n: display.show([f"score {n}", f"two {n}"]),
            lambda twin, n: [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"],
            {"rows": 2},
            whole=2 * 26,
        ),
    },
    parser=lambda: _Packets("x", "CFA635", (b" " * 20,) * 4, lambda key, down: None),
    flood=packet(0x46) + packet(0x80, b"\5"),
    display=lambda: CrystalfontzDisplay("wire", nobody, on_key=nobody),
    says=(
        PAUSE.join(packet(0x40 | kind) for kind in (0, 6, 12, 13, 14, 23, 31, 34)),
        PAUSE.join(packet(0x80, bytes((key,))) for key in range(1, 13)),
        packet(0xC0, b"0123456789abcdef") * 6,
    ),
)


@pytest.mark.parametrize(
    ("kind", "data", "wire"),
    [
        (0x06, "", "06 00 97 5B"),
        (0x00, "", "00 00 47 0F"),
        (0x0D, "59", "0D 01 59 2F EF"),
        (0x0E, "64", "0E 01 64 2D EA"),
        (0x0C, "00", "0C 01 00 B7 7A"),
        (0x1F, "07 00 38", "1F 03 07 00 38 C8 05"),
    ],
)
def test_packets_are_those_another_program_sends(kind: int, data: str, wire: str) -> None:
    assert packet(kind, bytes.fromhex(data)) == bytes.fromhex(wire)


def test_the_crc_is_the_x25_check_value() -> None:
    assert crc16(b"123456789") == 0x906E


def test_more_data_than_a_packet_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="22 bytes"):
        packet(0x1F, bytes(23))


def test_the_reader_finds_packets_between_garbage() -> None:
    reader = PacketReader()
    wire = b"\xff\x00\x30" + packet(0x46) + b"\x17\xff" + packet(0x80, b"\5")
    assert reader.feed(wire) == [(0x46, b""), (0x80, b"\5")]


def test_a_packet_hidden_in_an_unfinished_one_is_found_when_that_is_given_up() -> None:
    reader = PacketReader()
    assert reader.feed(b"\x40\x10" + packet(0x46)) == []
    assert reader.unstick() == [(0x46, b"")]
    assert reader.unstick() == []


@given(chunks=st.lists(st.binary(max_size=40), max_size=10), data=st.binary(max_size=22))
def test_after_any_garbage_the_reader_finds_the_next_packet(
    chunks: list[bytes], data: bytes
) -> None:
    reader = PacketReader()
    for chunk in chunks:
        reader.feed(chunk)
    reader.feed(b"\xff" * 30)
    assert reader.feed(packet(0x5F, data)) == [(0x5F, data)]


def test_a_packet_cut_into_single_bytes_is_put_together() -> None:
    reader = PacketReader()
    wire = packet(0x40, b"hello")
    found = [one for byte in wire for one in reader.feed(bytes((byte,)))]
    assert found == [(0x40, b"hello")]


def test_text_appears_on_the_display_with_umlauts(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        display.show(["Jürgen\t12", "Weiß\t7", "", "Druide zieht"])
        assert twin.wait_for(lambda: twin.rows()[3].startswith("Druide zieht"))
        assert twin.rows() == [
            "Jürgen            12",
            "Weiß               7",
            "                    ",
            "Druide zieht        ",
        ]
        assert twin.cursor_style == 0
        assert (twin.backlight, twin.contrast) == (100, 95)
        assert heard.codes == ["connected"]
        display.close()
        assert twin.rows() == [" " * 20] * 4
        assert (twin.errors, twin.refused) == ([], [])


def greeted(twin: Cfa635Twin) -> bool:
    """Waits until nothing is left to say: the LEDs come last, two for each of the four rows."""
    return twin.wait_for(lambda: [command for command, _ in twin.packets].count(0x22) == 8)


def test_only_what_changed_is_sent(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        display.show(["WHITE 7"])
        assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 7"))
        assert greeted(twin)
        sent = len(twin.packets)
        display.show(["WHITE 8"])
        assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 8"))
        display.show(["WHITE 8"])
        time.sleep(0.05)
        assert twin.packets[sent:] == [(0x1F, b"\x06\x008")]
        display.close()


def test_the_leds_can_be_set_one_by_one(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        display.show_leds([(100, 0), (0, 100), (50, 50), (0, 0)])
        assert twin.wait_for(lambda: twin.leds == [(100, 0), (0, 100), (50, 50), (0, 0)])
        assert twin.outputs[11] == 100
        assert twin.outputs[10] == 100
        DisplayLamps(display).show(((255, 0, 0), (0, 0, 255)))
        assert twin.wait_for(lambda: twin.leds == [(0, 100), (100, 0), (0, 0), (0, 0)])
        assert twin.pixels[0] == (255, 0, 0)
        display.close()
        assert twin.leds == [(0, 0)] * 4


def test_brightness_the_display_does_not_have_is_refused_at_once(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        for leds in ([(101, 0)] * 4, [(0, 0)] * 3):
            with pytest.raises(ValueError, match="percentages"):
                display.show_leds(leds)
        display.close()


def test_all_six_keys_report_press_and_release(heard: Heard) -> None:
    seen: list[tuple[str, bool]] = []
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(
            twin.url, heard, on_key=lambda key, down: seen.append((key, down))
        )
        assert heard.wait_for("connected")
        for key in KEYS:
            twin.press(key)
            twin.release(key)
        assert until(lambda: len(seen) == 12)
        display.close()
    assert seen == [(key, down) for key in KEYS for down in (True, False)]


def test_a_key_that_is_down_when_the_cable_is_pulled_counts_as_let_go(
    heard: Heard, hasty: None
) -> None:
    seen: list[tuple[str, bool]] = []
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(
            twin.url, heard, on_key=lambda key, down: seen.append((key, down)), first_wait_s=SOON_S
        )
        assert heard.wait_for("connected")
        twin.press("enter")
        assert until(lambda: seen == [("enter", True)])
        twin.unplug()
        assert until(lambda: seen == [("enter", True), ("enter", False)])
        twin.replug()
        assert heard.wait_for("connected", 2)
        twin.press("enter")
        assert until(lambda: seen[2:] == [("enter", True)])
        display.close()


def test_a_cfa631_shows_two_rows_and_its_four_corner_keys_are_heard(heard: Heard) -> None:
    seen: list[tuple[str, bool]] = []
    with Cfa631Twin() as twin:
        display = CrystalfontzDisplay(
            twin.url,
            heard,
            ScoreSettings(rows=2),
            on_key=lambda key, down: seen.append((key, down)),
        )
        display.show(["Jürgen\t12", "Weiß\t7"])
        assert twin.wait_for(
            lambda: twin.rows() == ["Jürgen            12", "Weiß               7"]
        )
        assert sorted(display.keys) == sorted(twin.keys)
        for key in CORNER_KEYS:
            twin.press(key)
            twin.release(key)
        assert until(lambda: len(seen) == 8)
        display.close()
        assert (twin.errors, twin.refused) == ([], [])
        assert heard.codes == ["connected"]
    assert seen == [(key, down) for key in CORNER_KEYS for down in (True, False)]


@pytest.mark.parametrize(
    ("make", "rows", "model", "found"),
    [(Cfa631Twin, 4, "CFA631", "20 × 2"), (Cfa635Twin, 2, "CFA635", "20 × 4")],
)
def test_a_display_of_the_other_size_says_both_sizes_and_does_not_flicker(
    make: type[Cfa635Twin], rows: int, model: str, found: str, heard: Heard
) -> None:
    with make() as twin:
        display = CrystalfontzDisplay(
            twin.url, heard, ScoreSettings(rows=rows), first_wait_s=SOON_S
        )
        display.show(["Anna\t12"])
        assert heard.wait_for("wrong_size")
        assert twin.wait_for(lambda: twin.packets.count((0x01, b"")) >= 3)
        assert heard.codes == ["wrong_size"]
        for said in (model, found, f"20 × {rows}"):
            assert said in heard.reports[0].message
        assert (0x06, b"") not in twin.packets
        display.close()


GREETING = 4 + 4 + 5 + 6 + 4  # ping, version, cursor style, key reporting, clear


@pytest.mark.parametrize("count", [1, 4, 13, GREETING, 24, 30, 40, 60, 90])
def test_a_display_unplugged_at_any_byte_shows_the_whole_screen_again(
    count: int, heard: Heard, hasty: None
) -> None:
    with Cfa635Twin() as twin:
        twin.unplug_after(count)
        display = CrystalfontzDisplay(twin.url, heard, first_wait_s=SOON_S)
        display.show(["first", "second", "third", "fourth"])
        assert twin.wait_for(lambda: not twin.plugged)
        twin.replug()
        assert twin.wait_for(lambda: twin.rows()[3].startswith("fourth"))
        assert [row.strip() for row in twin.rows()] == ["first", "second", "third", "fourth"]
        display.close()
        assert twin.refused == []


def test_a_display_pulled_while_nothing_happens_is_redrawn_when_it_comes_back(
    heard: Heard, hasty: None
) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard, first_wait_s=SOON_S)
        display.show(["Anna\t3"])
        display.show_leds([(9, 0)] * 4)
        assert twin.wait_for(lambda: "Anna" in twin.rows()[0] and twin.leds[3] == (9, 0))
        twin.unplug()
        assert heard.wait_for("missing")
        twin.replug()
        assert twin.boots == 2
        assert twin.wait_for(lambda: "Anna" in twin.rows()[0] and twin.leds[3] == (9, 0))
        assert twin.rows()[1] == " " * 20
        display.close()


def test_noise_from_the_device_is_survived(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    give_up = PacketReader.unstick

    def patient_again(reader: PacketReader) -> list[tuple[int, bytes]]:
        monkeypatch.setattr("hardware.displays.cfa635.REPLY_WAIT_S", PATIENCE_S)
        return give_up(reader)

    monkeypatch.setattr(PacketReader, "unstick", patient_again)
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        assert greeted(twin)
        monkeypatch.setattr("hardware.displays.cfa635.REPLY_WAIT_S", 0.25)
        # Looks like a long reply, so the next real reply hides in it until it is given up.
        twin.send(b"\x40\x10")
        display.show(["still here"])
        assert twin.wait_for(lambda: "still here" in twin.rows()[0])
        display.close()
        assert heard.codes == ["connected"]


def test_a_display_that_hangs_is_told_as_such_and_not_as_another_device(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard, first_wait_s=SOON_S)
        assert greeted(twin)
        twin.stall()
        monkeypatch.setattr("hardware.displays.cfa635.REPLY_WAIT_S", 0.05)
        display.show(["Anna\t12"])
        assert heard.wait_for("fell_silent")
        time.sleep(0.5)
        assert heard.codes == ["connected", "fell_silent"]
        monkeypatch.setattr("hardware.displays.cfa635.REPLY_WAIT_S", 0.5)
        twin.resume()
        assert twin.wait_for(lambda: twin.rows()[0].endswith("12"))
        twin.unplug()
        assert heard.wait_for("missing")
        display.close()


def test_another_kind_of_device_is_not_taken_for_a_display(heard: Heard, hasty: None) -> None:
    with AdalightTwin(1) as strip:
        display = CrystalfontzDisplay(strip.url, heard, first_wait_s=SOON_S)
        assert heard.wait_for("no_answer")
        assert "CFA635" in heard.reports[0].message
        display.close()


def test_a_display_of_a_size_there_is_not_is_told(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard, ScoreSettings(columns=22))
        display.show(["x" * 10, "y\tz"])
        assert heard.wait_for("wrong_size")
        assert "20 × 4" in heard.reports[-1].message and "22 × 4" in heard.reports[-1].message
        display.close()


def test_a_display_that_refuses_what_it_is_to_show_is_not_called_connected_by_turns(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cfa635Twin, "version", b"CFA999:h1,f1")  # says nothing of its size
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(
            twin.url, heard, ScoreSettings(columns=22), first_wait_s=SOON_S
        )
        display.show(["x" * 10, "y\tz"])
        assert heard.wait_for("refused")
        assert twin.wait_for(lambda: len(twin.refused) >= 4)
        assert heard.codes == ["connected", "refused"]
        assert heard.reports[-1].params["command"] == "0x1F"
        display.close()


def test_the_newest_score_wins_when_the_display_is_slow(heard: Heard) -> None:
    with Cfa635Twin() as twin:
        display = CrystalfontzDisplay(twin.url, heard)
        assert heard.wait_for("connected")
        for points in range(1000):
            display.show([f"Anna\t{points}"])
        assert twin.wait_for(lambda: twin.rows()[0] == "Anna             999")
        assert len(twin.packets) < 1000
        display.close()


@settings(max_examples=30)
@given(noise=st.binary(max_size=200))
def test_the_twin_survives_any_bytes_and_works_afterwards(noise: bytes) -> None:
    with Cfa635Twin() as twin:
        twin.take(noise)
        twin.take(b"\xff" * 30)  # no command begins so: whatever hung in the air is given up
        before = len(twin.packets)
        twin.take(packet(0x1F, b"\0\0ok"))
        assert len(twin.packets) == before + 1
        assert twin.rows()[0].startswith("ok")


def test_the_twin_counts_what_a_real_display_would_drop() -> None:
    with Cfa635Twin() as twin:
        wrong = bytearray(packet(0x06))
        wrong[-1] ^= 1
        twin.take(bytes(wrong) + packet(0x06))
        assert twin.bad_bytes == 4
        assert twin.packets == [(0x06, b"")]
        twin.take(packet(0x0E, b"\x65") + packet(0x15, b"\0\0") + packet(0x06, b"x"))
        assert [command for command, _ in twin.refused] == [0x0E, 0x15, 0x06]
