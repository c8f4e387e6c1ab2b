"""Nobody can reach Heelstone over a network, for it listens to none."""

from __future__ import annotations

from pathlib import Path

from companion.app.application import Application
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG

LISTENING, UNCONNECTED = "0A", "07"
"""States in /proc/net: a TCP socket that listens, a UDP socket that takes from anybody."""


def own_listeners() -> list[str]:
    """Lines of /proc/net about sockets of this program that take what strangers send."""
    own = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            own.add(str(link.readlink()))
        except FileNotFoundError:
            continue
    found = []
    for name, state in (("tcp", LISTENING), ("tcp6", LISTENING), ("udp", UNCONNECTED),
                        ("udp6", UNCONNECTED)):  # fmt: skip
        path = Path("/proc/self/net") / name
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            fields = line.split()
            if fields[3] == state and f"socket:[{fields[9]}]" in own:
                found.append(f"{name} {fields[1]}")
    return found


def test_a_match_with_every_output_opens_no_port(tmp_path: Path) -> None:
    house = Application(Settings(rig=MOCK_RIG), tmp_path, "en")
    try:
        session = house.start(MatchSetup("knizia_stonehenge", 2, physical=False))
        house.begin()
        session.post(PlayMove(session.view.legal[0]))
        session.settle()
        assert own_listeners() == []
    finally:
        house.close()


def test_a_port_that_is_open_would_be_seen() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)):
        assert [line.split()[0] for line in own_listeners()] == ["tcp"]
