"""Files that somebody names: pipes are not waited for, and only plain files are ever replaced."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.settings.writing import HandedError, hand_out
from companion.words.errors import HeelstoneError
from tests.support.command import Heelstone
from tests.support.journals import filled

KNIZIA = "knizia_stonehenge"


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Whoever waits for a pipe fails instead."""

    def give_up(*_: Any) -> None:
        raise TimeoutError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "line",
    [
        f"watch PIPE --game {KNIZIA}",
        f"watch PIPE.png --game {KNIZIA}",
        f"watch PIPE.mp4 --game {KNIZIA}",
        f"watch FOLDER --game {KNIZIA}",
        f"watch FOLDER --game {KNIZIA} --box PIPE.toml",
        "simulate dolmengoetter --board PIPE",
        "calibrate PIPE.jpg --camera pi",
        "import PIPE",
        "restore PIPE",
        "rehearse --from-report PIPE",
        f"why {KNIZIA} p0 done --state PIPE",
        f"board {KNIZIA} --picture PIPE",
        "courses --keep Garden --picture PIPE.png",
        "print PIPE.toml --out sheet.pdf",
        "games --settings /dev/zero",
    ],
)
def test_a_pipe_into_which_nobody_writes_is_refused_and_not_waited_for(
    heelstone: Heelstone, tmp_path: Path, line: str
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("p", "p.png", "p.mp4", "p.jpg", "p.toml", "pictures/a.png"):
        os.mkfifo(tmp_path / name)
    words = [
        str(tmp_path / word.replace("PIPE", "p")) if word.startswith("PIPE") else
        str(pictures) if word == "FOLDER" else word
        for word in line.split()
    ]  # fmt: skip
    assert heelstone(*words).complaint()


OUTS = [
    "export m1 --out TARGET",
    "report --out TARGET",
    "print knizia_stonehenge --what stickers --out TARGET",
    "calibrate --sheet TARGET",
]


@pytest.mark.parametrize("line", OUTS[:2])
def test_what_is_written_goes_into_a_pipe_and_behind_a_link(
    heelstone: Heelstone, tmp_path: Path, line: str
) -> None:
    filled(tmp_path / "journal.db").close()
    pipe, link, file = (tmp_path / name for name in ("pipe.png", "link.png", "file.png"))
    os.mkfifo(pipe)
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)

    def run(target: Path) -> Any:
        words = [{"TARGET": str(target)}.get(word, word) for word in line.split()]
        return heelstone(*words, "--data", tmp_path)

    # Nobody reads: refused, and the pipe is still one.
    assert "nobody reads" in run(pipe).complaint()
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    assert run(pipe).code == 0
    reader.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert run(link).code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_bytes()) == pytest.approx(len(heard[0]), rel=0.1)
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("line", OUTS)
def test_a_device_stays_a_device(heelstone: Heelstone, tmp_path: Path, line: str) -> None:
    filled(tmp_path / "journal.db").close()
    # A node of our own, so that a failure of this test costs nobody the computer's.
    full = tmp_path / "full.png"
    try:
        os.mknod(full, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        full.open("wb").close()
    except PermissionError:
        pytest.skip("only root makes devices")
    words = [{"TARGET": str(full)}.get(word, word) for word in line.split()]
    told = heelstone(*words, "--data", tmp_path)
    assert told.code == 2
    assert "No space left" in told.err
    assert stat.S_ISCHR(full.stat().st_mode)


def test_a_disk_is_never_written_to_and_a_draft_of_somebody_else_stays(tmp_path: Path) -> None:
    theirs = tmp_path / "match.jsonl.part"
    theirs.write_text("theirs")
    hand_out(tmp_path / "match.jsonl", "ours")
    assert theirs.read_text() == "theirs"
    with pytest.raises(IsADirectoryError):
        hand_out(tmp_path, "ours")
    disk = tmp_path / "disk"
    try:
        os.mknod(disk, 0o600 | stat.S_IFBLK, os.makedev(7, 250))
    except PermissionError:
        pytest.skip("only root makes devices")
    with pytest.raises(HandedError, match="whole disk"):
        hand_out(disk, "ours")


def test_a_demo_writes_through_no_link_and_removes_only_what_a_demo_left(tmp_path: Path) -> None:
    from companion.demo.run import MARK, _make_room

    theirs, out = tmp_path / "theirs", tmp_path / "out"
    theirs.write_text("theirs")
    _make_room(out)
    for name in ("heard.jsonl", "1-start-camera.jpg", "journal.db-wal", "table.json.part"):
        (out / name).symlink_to(theirs)
    os.mkfifo(out / "report.md")
    _make_room(out)
    assert [path.name for path in out.iterdir()] == [MARK]
    assert theirs.read_text() == "theirs"
    for name in ("notes.txt", "holiday.png", "heard.jsonl.txt"):
        (out / name).write_text("my own")
        with pytest.raises(HeelstoneError, match="in use"):
            _make_room(out)
        (out / name).unlink()
    (tmp_path / "pipe").mkdir()
    (tmp_path / "pipe" / "heard.jsonl").write_text("a file of that name is no demo")
    with pytest.raises(HeelstoneError, match="in use"):
        _make_room(tmp_path / "pipe")
    for place in (theirs, out / MARK):
        with pytest.raises(OSError):
            _make_room(place)
