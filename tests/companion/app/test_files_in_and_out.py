"""Files that somebody names: pipes are not waited for, and only plain files are ever replaced."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.authoring import box_looks
from companion.settings.writing import HandedError, WriteError, hand_out, whole_folder
from companion.words.errors import HeelstoneError
from tests.support.command import Heelstone
from tests.support.journals import filled
from tests.support.own_board import photograph
from tests.support.waiting import PATIENCE_S

KNIZIA = "knizia_stonehenge"


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Lets a wait for a pipe fail instead."""

    def give_up(*_: Any) -> None:
        raise TimeoutError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(round(PATIENCE_S))
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
    # Open before the program looks whether there is a reader.
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(end, True)
    reader = threading.Thread(target=lambda: heard.append(_read(end)), daemon=True)
    reader.start()
    assert run(pipe).code == 0
    reader.join()
    os.close(end)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert run(link).code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_bytes()) == pytest.approx(len(heard[0]), rel=0.1)
    assert not list(tmp_path.glob(".*.part"))


def _read(pipe: int) -> bytes:
    """All that the first writer says until it closes the pipe."""
    heard = b""
    while (part := os.read(pipe, 1 << 16)) or not heard:
        heard += part
        if not part:
            time.sleep(0.001)
    return heard


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


WRITERS = [
    f"screens {KNIZIA} --out OUT",
    f"demo {KNIZIA} --headless --out OUT",
    f"print {KNIZIA} --what stickers --out OUT/sheet.pdf",
    "export m1 --out OUT/match.jsonl",
    "report --out OUT/report.zip",
    f"board {KNIZIA} --picture BOARD --out OUT/board.png",
    "box show dolmengoetter --out OUT",
    "golden rollende_steine --out OUT",
    "new-game our_game --folder OUT",
    "calibrate --sheet OUT/sheet.png",
    "backup --out OUT",
    f"watch PICTURES --game {KNIZIA} --debug OUT",
    "club found hall --club OUT/club.toml",
    "club new-table kitchen --club CLUB --out OUT/kitchen.toml",
]
"""Every command that writes where it is told to."""


@pytest.fixture
def words_of(tmp_path: Path) -> Callable[[str, Path], list[object]]:
    """A line as the words of a command, with everything that it reads."""
    from companion.club.settings import found_club

    filled(tmp_path / "journal.db").close()
    (tmp_path / "pictures").mkdir()
    picture = cv2.imencode(".png", np.full((48, 64, 3), 90, np.uint8))[1].tobytes()
    (tmp_path / "pictures" / "1.png").write_bytes(picture)
    board = tmp_path / "board.png"
    board.write_bytes(_photograph())
    found_club(tmp_path / "club.toml", "hall", "127.0.0.1")
    named = {"PICTURES": tmp_path / "pictures", "CLUB": tmp_path / "club.toml", "BOARD": board}

    def words(line: str, out: Path) -> list[object]:
        given = [named.get(word, word.replace("OUT", str(out))) for word in line.split()]
        return [*given, "--data", tmp_path, "--lang", "en"]

    return words


@cache
def _photograph() -> bytes:
    return cv2.imencode(".png", photograph())[1].tobytes()


def one_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a box only what is drawn soonest."""
    monkeypatch.setattr(box_looks, "VIEWS", dict([*box_looks.VIEWS.items()][:1]))


@pytest.mark.parametrize("line", WRITERS)
def test_on_a_full_disk_every_writer_says_so_and_leaves_nothing_half_written(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str,
    words_of: Callable[[str, Path], list[object]],
) -> None:  # fmt: skip
    words, out = words_of(line, tmp_path / "out"), tmp_path / "out"

    usual = os.fsync
    if "OUT/" in line:
        out.mkdir()

    def full(number: int) -> None:
        written = Path(f"/proc/self/fd/{number}").readlink()
        if written.is_relative_to(tmp_path / "out") or ".heelstone-" in str(written):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        usual(number)

    def full_too(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("companion.settings.writing.os.fsync", full)
    monkeypatch.setattr("companion.journal.backup._check", full_too)
    monkeypatch.setattr("companion.app.demo.run.free_mb", lambda _folder: 0)
    one_view(monkeypatch)
    told = heelstone(*words).complaint()
    assert str(out) in told
    assert "space" in told and "choose another" in told
    left = [path.name for path in out.rglob("*") if path.is_file()] if out.exists() else []
    assert left in ([], [".heelstone-demo"])
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    "line",
    # Golden files are read first, and that is what fails.
    [line for line in WRITERS if not line.startswith("golden")],
)
def test_where_a_file_is_in_the_way_every_writer_says_so(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str,
    words_of: Callable[[str, Path], list[object]],
) -> None:  # fmt: skip
    one_view(monkeypatch)
    (tmp_path / "file").write_text("mine")
    told = heelstone(*words_of(line, tmp_path / "file" / "out")).complaint()
    assert str(tmp_path / "file") in told
    assert "choose another place" in told.lower()
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_appears_with_everything_in_it_or_stays_as_it_was(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "old").touch()
    with pytest.raises(WriteError, match="No space") as failed, whole_folder(page) as draft:
        (draft / "new").touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(draft / "new"))
    assert failed.value.filename == str(page)
    assert [path.name for path in tmp_path.rglob("*")] == ["page", "old"]
    with whole_folder(page) as draft:
        (draft / "new").touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["page", "new"]


def test_a_disk_is_never_written_to_and_a_draft_of_somebody_else_stays(tmp_path: Path) -> None:
    theirs = tmp_path / "match.jsonl.part"
    theirs.write_text("theirs")
    hand_out(tmp_path / "match.jsonl", "ours")
    assert theirs.read_text() == "theirs"
    with pytest.raises(WriteError, match="Is a directory"):
        hand_out(tmp_path, "ours")
    disk = tmp_path / "disk"
    try:
        os.mknod(disk, 0o600 | stat.S_IFBLK, os.makedev(7, 250))
    except PermissionError:
        pytest.skip("only root makes devices")
    with pytest.raises(HandedError, match="whole disk"):
        hand_out(disk, "ours")


def test_a_demo_writes_through_no_link_and_removes_only_what_a_demo_left(tmp_path: Path) -> None:
    from companion.app.demo.run import MARK, _make_room

    theirs, out = tmp_path / "theirs", tmp_path / "out"
    theirs.write_text("theirs")
    _make_room(out)
    for name in ("heard.jsonl", "1-start-camera.jpg", "journal.db-wal", "virtual-table.json.part"):
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
