"""USB sticks: which are found, and that nothing is promised that is not on them."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from companion.export.sticks import Stick, StickDesk, StickError, has_unmounted, keep_on, sticks_in


def told(*parts: dict[str, object]) -> str:
    """What lsblk says of the computer's own disk and of a stick with these parts."""
    own = {"name": "mmcblk0", "type": "disk", "hotplug": True, "rm": False, "mountpoint": None,
           "children": [{"name": "mmcblk0p2", "hotplug": True, "mountpoint": "/"}]}  # fmt: skip
    stick = {"name": "sda", "type": "disk", "hotplug": True, "rm": True, "tran": "usb",
             "model": "Ultra Fit ", "mountpoint": None, "children": list(parts)}  # fmt: skip
    return json.dumps({"blockdevices": [own, *([stick] if parts else [])]})


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def stick_in(folder: Path) -> Stick:
    return Stick("LISA", folder, 1 << 30, True)


def test_only_what_was_plugged_in_is_a_stick(tmp_path: Path) -> None:
    part = {"name": "sda1", "hotplug": True, "label": "LISA", "mountpoint": str(tmp_path)}
    (found,) = sticks_in(told(part), [tmp_path.parent])
    assert (found.name, found.folder, found.writable) == ("LISA", tmp_path, True)
    assert sticks_in(told({**part, "label": None}), [tmp_path.parent])[0].name == "Ultra Fit"
    assert sticks_in(told(part)) == [] and sticks_in(told()) == []
    assert not has_unmounted(told(part)) and has_unmounted(told({**part, "mountpoint": None}))
    for rubbish in ("", "{", "[]", '{"blockdevices": 3}', '{"blockdevices": [null, {}]}'):
        assert sticks_in(rubbish) == []


def test_a_file_is_whole_on_the_stick_before_anybody_is_told(tmp_path: Path) -> None:
    path = keep_on(stick_in(tmp_path), "Dominion Anna.jsonl", b"all of it")
    assert path.read_bytes() == b"all of it"
    assert names_in(tmp_path) == ["Dominion Anna.jsonl"]


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "stick_full"), (errno.EROFS, "stick_read_only"), (errno.EIO, "stick_gone"),
     (errno.EPERM, "stick_unwritable")],
)  # fmt: skip
def test_what_goes_wrong_on_a_stick_is_said_and_leaves_nothing_half(
    number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(StickError) as raised:
        keep_on(stick_in(tmp_path), "a.jsonl", b"x")
    assert raised.value.sentence.code == code
    assert names_in(tmp_path) == []


def test_a_full_or_locked_stick_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    stick = stick_in(tmp_path)
    for other, code in ((replace(stick, free_bytes=10), "stick_full"),
                        (replace(stick, writable=False), "stick_read_only")):  # fmt: skip
        with pytest.raises(StickError) as raised:
            keep_on(other, "a.jsonl", b"x")
        assert raised.value.sentence.code == code
    assert names_in(tmp_path) == []


def test_a_stick_pulled_out_while_it_is_written_is_never_called_safe(tmp_path: Path) -> None:
    folder = tmp_path / "LISA"
    folder.mkdir()

    def pull_out() -> None:
        if folder.exists():
            folder.rename(tmp_path / "gone")

    with pytest.raises(StickError) as raised:
        keep_on(stick_in(folder), "a.jsonl", b"x", pull_out)
    assert raised.value.sentence.code == "stick_gone"


def test_the_desk_sees_a_stick_come_and_go_and_keeps_two_matches_of_one_name(
    tmp_path: Path,
) -> None:
    part: dict[str, object] = {"name": "sda1", "mountpoint": str(tmp_path)}
    now = told()
    desk = StickDesk(lambda: now, [tmp_path.parent])

    def seen() -> tuple[Stick, ...]:
        desk.look()
        return desk.news.sticks

    assert seen() == ()
    now = told(part)
    (stick,) = seen()
    for match_id in ("a1", "b2", "a1"):
        content = json.dumps({"match": {"id": match_id}}).encode()
        desk.keep(stick, "Dominion.jsonl", content)
        assert desk.news.writing
        desk.look()
        assert not desk.news.writing and desk.news.kept is not None
        assert desk.news.kept.read_bytes() == content
    assert names_in(tmp_path) == ["Dominion (2).jsonl", "Dominion.jsonl"]
    now = told()
    assert seen() == () and desk.news.kept is not None
