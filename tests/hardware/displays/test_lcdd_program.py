"""An independent program, LCDd of Debian's lcdproc, drives our twins: they speak the language."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware.displays.cfa635.simulated import Cfa631Twin, Cfa635Twin
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from tests.support.lcdd_server import lcdd_server
from tests.support.needed import needs
from tests.support.waiting import PATIENCE_S

pytestmark = needs("LCDd")


@contextmanager
def lcdd(tmp_path: Path, driver: str, options: str) -> Iterator[socket.socket]:
    """LCDd with one driver, and a client of it that owns the screen."""
    with (
        lcdd_server(tmp_path, driver, options) as port,
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client,
    ):
        client.sendall(
            b"hello\nclient_set -name table\nscreen_add s\n"
            b"screen_set s -priority alert -heartbeat off\nwidget_add s a string\n"
            b'widget_set s a 1 1 "WHITE 07  BLACK 05"\n'
        )
        yield client


def test_lcdd_writes_on_our_cfa635_without_one_wrong_byte(tmp_path: Path) -> None:
    with Cfa635Twin() as twin:
        options = f"Model=635\nDevice={twin.url}\nUSB=yes\nContrast=350\nBrightness=1000"
        with lcdd(tmp_path, "CFontzPacket", options) as client:
            assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 07  BLACK 05"))
            client.sendall(b'widget_set s a 1 1 "WHITE 08  BLACK 05"\n')
            assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 08"))
        assert twin.errors == []
        assert twin.contrast == 89
        assert (0x1F, b"\x07\x008") in twin.packets


def test_lcdd_writes_on_our_cfa631_and_knows_its_keys(tmp_path: Path) -> None:
    with Cfa631Twin() as twin:
        options = f"Model=631\nDevice={twin.url}\nUSB=yes\nContrast=350\nBrightness=1000"
        with lcdd(tmp_path, "CFontzPacket", options) as client:
            assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 07  BLACK 05"))
            client.sendall(b"client_add_key Up Enter Down Escape\n")
            client.settimeout(PATIENCE_S)
            said = b""
            for key, name in (
                ("up", b"Up"), ("enter", b"Enter"), ("down", b"Down"), ("exit", b"Escape")
            ):  # fmt: skip
                twin.press(key)
                while b"key " + name + b"\n" not in said:
                    said += client.recv(4096)
                twin.release(key)
        assert twin.errors == []
        assert twin.refused == []


def test_lcdd_writes_on_our_matrix_orbital_without_one_wrong_byte(tmp_path: Path) -> None:
    with MatrixOrbitalTwin(one_output=True) as twin:
        options = f"Device={twin.url}\nSize=20x4\nType=lcd\nContrast=480\nSpeed=19200"
        with lcdd(tmp_path, "MtxOrb", options) as client:
            assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 07  BLACK 05"))
            client.sendall(b'widget_set s a 1 1 "WHITE 08  BLACK 05"\n')
            assert twin.wait_for(lambda: twin.rows()[0].startswith("WHITE 08"))
        assert twin.errors == []
