"""A screen is one that answers; naming it is not enough."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from companion.support.screen import NoScreenError, find_screen


@pytest.fixture(autouse=True)
def none_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


def found_at(path: Path, answer: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    """The driver for a Wayland socket behind which somebody says ``answer``."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(path / "wayland-0"))
        server.listen()

        def serve() -> None:
            line, _ = server.accept()
            with line:
                assert line.recv(12)
                line.sendall(answer)
                given_up.wait(5)

        given_up = threading.Event()
        serving = threading.Thread(target=serve)
        serving.start()
        driver = find_screen(path).driver
        given_up.set()
        serving.join()
    (path / "wayland-0").unlink()
    return driver


def test_a_compositor_that_answers_is_a_screen_and_a_mute_one_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found_at(tmp_path, bytes(12), monkeypatch) == "wayland"
    monkeypatch.setattr("companion.support.screen.ANSWER_S", 0.05)
    assert found_at(tmp_path, b"", monkeypatch) == ""


def test_a_screen_that_is_named_and_dead_is_no_reason_to_look_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDL would go on to a card that somebody else's desktop holds, or draw where nobody sees."""
    (tmp_path / "dev/dri").mkdir(parents=True)
    (tmp_path / "dev/dri/card0").touch()
    assert find_screen(tmp_path).need() == "kmsdrm"
    monkeypatch.setenv("DISPLAY", ":77")
    with pytest.raises(NoScreenError, match="DISPLAY=:77"):
        find_screen(tmp_path).need()
