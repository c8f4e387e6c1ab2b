"""Our LCDd client: against a small strict server, and against the real LCDd on our CFA635."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.displays.lcdd import LcddDisplay, _Dialogue, quoted
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.ports.serial_port import _PyserialPort
from tests.hardware.conftest import Heard
from tests.support.devices import PAUSE, Device, nobody
from tests.support.lcdd_server import FakeLcdd, lcdd_server
from tests.support.needed import needs
from tests.support.rig import rig_of
from tests.support.waiting import PATIENCE_S, until

SOON_S = 0.02

DEVICE = Device(
    models={},
    parser=lambda: _Dialogue("x", 20, 4, lambda key, down: None),
    flood=b"success\nkey Up\nhuh? what\nlisten table\n",
    display=lambda: LcddDisplay("wire", nobody, on_key=nobody),
    says=(
        b"connect LCDproc 0.5.9 protocol 0.3 lcd wid 20 hgt 4 cellwid 5 cellhgt 8\n"
        + PAUSE
        + b"success\n" * 20
        + PAUSE
        + b"listen table\nkey Up\nignore table\nhuh? what\n",
    ),
)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket cannot be woken from reading; here it is not waited for so long."""
    monkeypatch.setattr("hardware.ports.serial_port.READ_WAIT_S", 0.05)


def display_at(server: FakeLcdd, heard: Heard, **options: float) -> LcddDisplay:
    return LcddDisplay(
        "127.0.0.1",
        heard,
        tcp_port=server.port,
        first_wait_s=SOON_S,
        **options,  # type: ignore[arg-type]
    )


def test_the_dialogue_is_the_one_of_the_developers_guide(heard: Heard) -> None:
    with FakeLcdd(20, 2) as server:
        display = display_at(server, heard, rows=2)
        display.show(['say "yes"\t7', "back\\slash"])
        assert server.wait_for(lambda: server.rows()[1].startswith("back\\slash"))
        assert server.rows()[0] == 'say "yes"          7'
        assert server.lines[:8] == [
            b"hello",
            b"client_set -name heelstone",
            b"screen_add table",
            b"screen_set table -name Heelstone",
            b"screen_set table -priority alert",
            b"screen_set table -heartbeat off",
            b"widget_add table row1 string",
            b"widget_add table row2 string",
        ]
        display.close()
        assert server.wait_for(lambda: server.rows() == [" " * 20] * 2)
        assert server.errors == []
        assert heard.codes == ["connected"]


def test_quotes_and_backslashes_cannot_end_an_argument() -> None:
    assert quoted(b'a"b\\') == b'"a\\"b\\\\"'


def test_umlauts_are_latin_1_and_only_changed_rows_are_sent(heard: Heard) -> None:
    with FakeLcdd() as server:
        display = display_at(server, heard)
        display.show(["Jürgen\t12", "Weiß\t7"])
        assert server.wait_for(lambda: server.rows()[1].endswith("7"))
        assert server.rows()[0] == "Jürgen            12"
        before = len(server.lines)
        display.show(["Jürgen\t12", "Weiß\t8"])
        assert server.wait_for(lambda: server.rows()[1].endswith("8"))
        assert len(server.lines) == before + 1
        display.close()
        assert server.errors == []


def test_a_server_that_restarts_gets_the_whole_screen_again(heard: Heard, hasty: None) -> None:
    with FakeLcdd() as server:
        display = display_at(server, heard)
        display.show(["Anna\t3", "Bert\t4"])
        assert server.wait_for(lambda: "Bert" in server.rows()[1])
        server.go_away_after(5)
        display.show(["Anna\t5", "Bert\t4"])
        assert server.wait_for(lambda: server.clients >= 2 and server.rows()[0].endswith("5"))
        # One row after the other.
        assert server.wait_for(lambda: "Bert" in server.rows()[1])
        display.close()
        assert server.errors == []


def test_a_server_that_says_nothing_any_more_is_noticed(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeLcdd() as server:
        display = display_at(server, heard, keepalive_s=0.05)
        assert server.wait_for(lambda: server.lines.count(b"noop") >= 2)
        assert heard.codes == ["connected"]
        monkeypatch.setattr("hardware.displays.lcdd.REPLY_WAIT_S", 0.1)
        asked = server.lines.count(b"noop")
        # The first of them may have been asked with all the patience there was before.
        assert server.wait_for(lambda: server.lines.count(b"noop") >= asked + 2)
        server.silent = True
        assert heard.wait_for("fell_silent")
        assert heard.codes[:2] == ["connected", "fell_silent"]
        server.silent = False
        monkeypatch.setattr("hardware.displays.lcdd.REPLY_WAIT_S", PATIENCE_S)
        assert heard.wait_for("connected", 2)
        display.close()


def test_a_smaller_display_than_the_settings_say_is_reported_with_both_sizes(heard: Heard) -> None:
    with FakeLcdd(16, 2) as server:
        display = display_at(server, heard)
        assert heard.wait_for("lcdd_size")
        assert "16 × 2" in heard.reports[-1].message
        assert "20 × 4" in heard.reports[-1].message
        display.close()


def test_no_server_is_reported_and_looked_for_again(heard: Heard) -> None:
    with FakeLcdd() as server:
        port = server.port
    display = LcddDisplay("127.0.0.1", heard, tcp_port=port, first_wait_s=SOON_S)
    assert heard.wait_for("no_server")
    assert str(port) in heard.reports[0].message and "LCDd" in heard.reports[0].message
    display.close()


def test_keys_of_lcdd_are_buttons() -> None:
    with FakeLcdd() as server:
        pressed: list[str] = []
        settings = {
            "score": {"kind": "lcdd", "options": {"host": "127.0.0.1", "tcp_port": server.port}},
            "buttons": {"commit": "enter", "undo": "exit"},
        }
        with rig_of(settings) as rig:
            rig.buttons.when_pressed("commit", lambda: pressed.append("commit"))
            rig.buttons.when_pressed("undo", lambda: pressed.append("undo"))
            assert server.wait_for(lambda: server.keys == {"Enter", "Escape"})
            for key in ("Enter", "Escape"):
                server.press(key)
            assert until(lambda: pressed == ["commit", "undo"]), pressed
            server.say(b"key F13\nlisten table\nignore table\nbye\n\xff\0\n")
            rig.score.show(["fine"])
            assert server.wait_for(lambda: server.rows()[0].startswith("fine"))
            assert server.errors == []


def test_a_key_that_lcdd_keeps_is_named_and_the_display_works_all_the_same(hasty: None) -> None:
    with FakeLcdd() as server:
        server.kept = {"Escape"}
        settings = {
            "score": {"kind": "lcdd", "options": {"host": "127.0.0.1", "tcp_port": server.port}},
            "buttons": {"commit": "enter", "undo": "exit"},
        }
        with rig_of(settings) as rig:
            rig.score.show(["Anna\t3"])
            assert server.wait_for(lambda: server.rows()[0].endswith("3"))
            found = {status.name: status for status in rig.status()}
            assert found["buttons"].code == "key_kept"
            assert "'undo'" in found["buttons"].message and "'exit'" in found["buttons"].message
            assert until(lambda: {s.name: s.code for s in rig.status()}["score"] == "connected")
            server.kept = set()
            server.go_away_after(1)
            rig.score.show(["Anna\t4"])
            assert until(lambda: {s.name: s.code for s in rig.status()}["buttons"] == "ready")


# -- an independent program between our client and our twins ------------------------------

needs_lcdd = needs("LCDd")


@needs_lcdd
def test_our_client_drives_the_real_lcdd_which_drives_our_cfa635(
    tmp_path: Path, heard: Heard
) -> None:
    with Cfa635Twin() as twin:
        options = f"Model=635\nDevice={twin.url}\nUSB=yes\nContrast=350\nBrightness=1000"
        pressed: list[tuple[str, bool]] = []
        with lcdd_server(tmp_path, "CFontzPacket", options) as port:
            display = LcddDisplay(
                "127.0.0.1",
                heard,
                tcp_port=port,
                on_key=lambda key, down: pressed.append((key, down)),
            )
            display.show(["Jürgen\t12", 'Weiß "W"\t7', "", "Druide zieht"])
            assert twin.wait_for(lambda: twin.rows()[3].startswith("Druide zieht"))
            assert twin.rows()[0] == "Jürgen            12"
            assert twin.rows()[1] == 'Weiß "W"           7'
            for points in range(13, 18):
                display.show([f"Jürgen\t{points}"])
                assert twin.wait_for(lambda n=points: twin.rows()[0].endswith(str(n)))  # type: ignore[misc]
            # LCDd asks for keys now and then, so a key is held for longer than a moment.
            twin.press("enter")
            time.sleep(0.3)
            twin.release("enter")
            assert until(lambda: ("enter", True) in pressed)
            display.close()
        assert heard.codes == ["connected"]
        assert twin.errors == []
        assert twin.refused == []


@needs_lcdd
def test_lcdd_as_debian_sets_it_up_shows_the_score_and_keeps_only_its_menu_key(
    tmp_path: Path,
) -> None:
    menu = "[menu]\nMenuKey=Escape\nEnterKey=Enter\nUpKey=Up\nDownKey=Down"
    with Cfa635Twin() as twin:
        options = f"Model=635\nDevice={twin.url}\nUSB=yes\nContrast=350\nBrightness=1000\n{menu}"
        pressed: list[str] = []
        with lcdd_server(tmp_path, "CFontzPacket", options) as port:
            settings = {
                "score": {"kind": "lcdd", "options": {"host": "127.0.0.1", "tcp_port": port}},
                "buttons": {"commit": "enter", "undo": "exit"},
            }
            with rig_of(settings) as rig:
                rig.buttons.when_pressed("commit", lambda: pressed.append("commit"))
                rig.score.show(["Anna\t3"])
                assert twin.wait_for(lambda: twin.rows()[0] == "Anna               3")
                twin.press("enter")
                assert until(lambda: pressed == ["commit"])
                twin.release("enter")
                codes = {status.name: status.code for status in rig.status()}
                assert codes["buttons"] == "key_kept"
                assert codes["score"] == "connected"
        assert twin.errors == []


@needs_lcdd
def test_a_score_that_stands_for_long_keeps_the_real_lcdd(
    tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    say = _PyserialPort.write

    def write(port: _PyserialPort, data: bytes) -> None:
        asked.append(data)
        say(port, data)

    monkeypatch.setattr(_PyserialPort, "write", write)
    with Cfa635Twin() as twin:
        options = f"Model=635\nDevice={twin.url}\nUSB=yes\nContrast=350\nBrightness=1000"
        with lcdd_server(tmp_path, "CFontzPacket", options) as port:
            display = LcddDisplay("127.0.0.1", heard, tcp_port=port, keepalive_s=0.05)
            display.show(["Anna\t12"])
            assert until(lambda: asked.count(b"noop\n") >= 6)
            display.show(["Anna\t13"])
            assert twin.wait_for(lambda: twin.rows()[0] == "Anna              13")
            display.close()
    assert heard.codes == ["connected"]
    assert asked.count(b"hello\n") == 1


@needs_lcdd
def test_our_client_finds_a_real_lcdd_again_after_it_was_restarted(
    tmp_path: Path, heard: Heard, hasty: None
) -> None:
    with MatrixOrbitalTwin(one_output=True) as twin:
        options = f"Device={twin.url}\nSize=20x4\nType=lcd\nContrast=480\nSpeed=19200"
        with lcdd_server(tmp_path, "MtxOrb", options) as port:
            display = LcddDisplay("127.0.0.1", heard, tcp_port=port, first_wait_s=0.1)
            display.show(["first"])
            assert twin.wait_for(lambda: twin.rows()[0].startswith("first"))
        display.show(["second"])
        with lcdd_server(tmp_path, "MtxOrb", options, port):
            assert twin.wait_for(lambda: twin.rows()[0].startswith("second"))
            display.close()
        assert heard.codes.count("connected") == 2
        assert twin.errors == []
