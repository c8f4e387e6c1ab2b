"""A small LCDd for tests: it reads its clients strictly and can go away at any byte."""

from __future__ import annotations

import re
import select
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.support.waiting import PATIENCE_S, until

ARGUMENT = re.compile(rb'"((?:[^"\\]|\\.)*)"|(\S+)')


class FakeLcdd:
    """One screen of one client. `errors` names every line that LCDd's guide does not allow."""

    def __init__(self, columns: int = 20, rows: int = 4) -> None:
        self.columns, self.row_count = columns, rows
        self.errors: list[str] = []
        self.lines: list[bytes] = []
        self.clients = 0
        self.silent = False
        self.kept: set[str] = set()
        """The keys that it keeps for its menu."""
        self._bytes_left: int | None = None
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._client: socket.socket | None = None
        self._forget()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="fake-lcdd", daemon=True)
        self._thread.start()

    def rows(self) -> list[str]:
        return [bytes(row).decode("latin-1") for row in self.text]

    def go_away_after(self, count: int) -> None:
        """Hangs up when `count` more bytes have come; takes the next client again."""
        self._bytes_left = count

    def press(self, key: str) -> None:
        if self._client is not None and key in self.keys:
            self._client.sendall(f"key {key}\n".encode())

    def say(self, data: bytes) -> None:
        if self._client is not None:
            self._client.sendall(data)

    def wait_for(self, seen: Callable[[], bool], timeout_s: float = PATIENCE_S) -> bool:
        return until(seen, timeout_s)

    def close(self) -> None:
        self._open = False
        self._thread.join()
        self._listening.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _forget(self) -> None:
        self.text = [bytearray(b" " * self.columns) for _ in range(self.row_count)]
        self.greeted = False
        self.screens: set[bytes] = set()
        self.widgets: set[bytes] = set()
        self.keys: set[str] = set()

    def _run(self) -> None:
        while self._open:
            if select.select([self._listening], [], [], 0.02)[0]:
                client, _ = self._listening.accept()
                self.clients += 1
                self._forget()
                with client:
                    self._client = client
                    self._serve(client)
                    self._client = None

    def _serve(self, client: socket.socket) -> None:
        wire = b""
        while self._open:
            if not select.select([client], [], [], 0.02)[0]:
                continue
            left = self._bytes_left
            limit = 4096 if left is None else min(4096, left)
            try:
                data = client.recv(limit) if limit else b""
            except OSError:
                return
            if not data:
                return
            *lines, wire = (wire + data).split(b"\n")
            for line in lines:
                self.lines.append(line)
                answer = self._obey(line)
                if not answer.startswith(
                    (b"success", b"connect", b"noop", b"huh? Could not reserve")
                ):
                    self.errors.append(f"{line!r}: {answer!r}")
                if not self.silent:
                    try:
                        client.sendall(answer + b"\n")
                    except OSError:
                        return
            # A limit set meanwhile counts from what comes next.
            if left is not None:
                self._bytes_left = left - len(data) or None
                if self._bytes_left is None:
                    return

    def _obey(self, line: bytes) -> bytes:
        words = [re.sub(rb"\\(.)", rb"\1", a) if a else b for a, b in ARGUMENT.findall(line)]
        verb, args = (words[0], words[1:]) if words else (b"", [])
        if verb == b"hello":
            self.greeted = True
            size = f"wid {self.columns} hgt {self.row_count} cellwid 6 cellhgt 8"
            return f"connect LCDproc 0.5.9 protocol 0.3 lcd {size}".encode()
        if not self.greeted:
            return b"huh? say hello first"
        if verb == b"noop" and not args:
            return b"noop complete"
        if verb == b"client_set" and args[:1] == [b"-name"] and len(args) == 2:
            return b"success"
        if verb == b"client_add_key" and args:
            wanted = {key.decode() for key in args}
            self.keys |= wanted - self.kept
            # LCDd 0.5.9 says "success" after its refusals, too.
            refusals = [f'huh? Could not reserve key "{key}"\n' for key in wanted & self.kept]
            return "".join(refusals).encode() + b"success"
        if verb == b"screen_add" and len(args) == 1 and args[0] not in self.screens:
            self.screens.add(args[0])
            return b"success\nlisten " + args[0]
        if verb == b"screen_set" and args[0] in self.screens and len(args) % 2 == 1:
            return b"\n".join([b"success"] * (len(args) // 2))
        if verb == b"widget_add" and args[0] in self.screens and args[2:] == [b"string"]:
            self.widgets.add(args[1])
            return b"success"
        if verb == b"widget_set" and args[0] in self.screens and args[1] in self.widgets:
            return self._write(int(args[2]), int(args[3]), args[4])
        return b"huh? invalid command"

    def _write(self, column: int, row: int, text: bytes) -> bytes:
        if not (1 <= column <= self.columns and 1 <= row <= self.row_count):
            return b"huh? outside"
        if column - 1 + len(text) > self.columns:
            return b"huh? too long"
        self.text[row - 1][column - 1 : column - 1 + len(text)] = text
        return b"success"


LCDD = shutil.which("LCDd", path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin")


@contextmanager
def lcdd_server(tmp_path: Path, driver: str, options: str, port: int = 0) -> Iterator[int]:
    """LCDd with one driver; the TCP port it listens at, a free one unless one is given."""
    if not port:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
    folder = next(Path("/usr/lib").glob("**/lcdproc/CFontzPacket.so")).parent
    config = tmp_path / "LCDd.conf"
    config.write_text(
        f"[server]\nDriverPath={folder}/\nDriver={driver}\nBind=127.0.0.1\nPort={port}\n"
        f'User=root\nForeground=yes\nServerScreen=blank\nHello=""\nGoodBye=""\n'
        f"[{driver}]\n{options}\n"
    )
    server = subprocess.Popen(
        [str(LCDD), "-c", str(config), "-f"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        connect(port, server).close()
        yield port
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


def connect(port: int, server: subprocess.Popen[bytes]) -> socket.socket:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        except OSError:
            if time.monotonic() > end or server.poll() is not None:
                raise
            time.sleep(0.05)
