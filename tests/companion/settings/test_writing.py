"""Small files are written whole, and what is set aside stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.writing import set_aside, write_whole
from companion.setup.table_check import CheckFile


def test_a_file_set_aside_at_the_same_time_as_another_does_not_replace_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a battery a clock tells the same time again after every start."""
    monkeypatch.setattr("companion.settings.writing.time.strftime", lambda _: "20260101-000000")
    path = tmp_path / "people.json"
    for text in ("one", "two", "three"):
        path.write_text(text)
        set_aside(path)
    assert sorted(p.read_text() for p in tmp_path.iterdir()) == ["one", "three", "two"]


def test_a_write_without_room_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.json"
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.settings.writing.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("people.json", "old")]


def test_a_check_of_the_table_that_is_no_text_is_set_aside_and_said(tmp_path: Path) -> None:
    kept = CheckFile(tmp_path)
    kept.path.write_bytes(b'{"when_s": 1, "findings": [{"step": "\xff"}]}')
    assert kept() is None
    assert "was damaged" in str(kept.salvage)
    assert list(tmp_path.glob("table_check-damaged-*"))
