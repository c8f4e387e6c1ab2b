"""On a disk that is full what is agreed is still saved, in the room that the journal has kept."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.backup import back_up
from companion.journal.entries import Header, JournalError
from companion.journal.events import MovePlayed, Source
from companion.journal.reserve import KEPT
from companion.journal.store import Journal
from companion.settings.writing import WriteError
from rules.core import Move

MATCH = Header("m1", "knizia_stonehenge", 2, {}, False, "1", ("", ""), "enforce", 0.0)
DISK_MB = 48
EVENING = 300
"""Moves of a long evening."""


@pytest.fixture(params=["ext4", "tmpfs"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    if request.param == "ext4":
        with image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        make = ["mkfs.ext4", "-q", "-F", "-m", "0", str(image)]
        mount = ["mount", "-o", "loop", str(image), str(folder)]
    else:
        make, mount = ["true"], ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "x", str(folder)]
    try:
        for command in (make, mount):
            subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all the room that is left."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    os.sync()
    return filler


def play(journal: Journal, moves: int) -> None:
    for _ in range(moves):
        journal.append("m1", MovePlayed(Move.parse("p0 place 3 L")), src=Source.TOUCH)


def test_an_evening_is_saved_on_a_full_disk_and_the_room_comes_back(disk: Path) -> None:
    reserve = disk / "journal.reserve"
    with Journal(disk / "journal.db") as journal:
        journal.create(MATCH)
        assert reserve.stat().st_blocks * 512 >= KEPT, "real blocks, no hole"
        filler = fill(disk)
        play(journal, EVENING)
        assert not reserve.exists()
        with pytest.raises(WriteError):
            back_up(disk / "journal.db", disk / "copies", 3)
        assert len(journal.events("m1")) == EVENING
    # Switched off and on again, the disk as full as before.
    with Journal(disk / "journal.db") as journal:
        assert journal.salvage is None
        play(journal, 1)
        assert len(journal.events("m1")) == EVENING + 1
        filler.unlink()
        play(journal, 1)
        assert reserve.stat().st_size == KEPT


def test_without_it_nothing_would_be_saved(disk: Path) -> None:
    """A test of the test."""
    with Journal(disk / "journal.db") as journal:
        journal.create(MATCH)
        journal._reserve = None
        fill(disk)
        with pytest.raises(JournalError, match="no space"):
            play(journal, EVENING)
