"""The computer below the table: room to write, power and heat are watched and told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.match.view import MachineNote
from companion.support.machine import LEAST_FREE_MB, MachineWatch, degrees, power_bits
from tests.support.pi import Pi
from tests.support.waiting import until

Told = list[tuple[MachineNote, ...]]


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path / "root")


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many MB are free."""

    def become(megabytes: int) -> None:
        monkeypatch.setattr("companion.support.machine.free_mb", lambda _folder: megabytes)

    become(9000)
    return become


def codes(watch: MachineWatch) -> list[str]:
    return [note.code for note in watch.notes]


def test_a_supply_that_was_weak_for_a_moment_is_told_until_it_is_read(
    pi: Pi, tmp_path: Path, free: Callable[[int], None]
) -> None:
    told: Told = []
    watch = MachineWatch(tmp_path, told.append, pi.root)
    assert watch.notes == ()
    pi.tell(low=True)
    watch.look()
    pi.tell()
    watch.look()
    watch.look()
    assert codes(watch) == ["power_low"]
    assert told == [(MachineNote("power_low"),)], "it is told once"


@pytest.mark.parametrize(("bits", "low"), [("50005", True), ("4", True), ("50000", False)])
def test_the_firmware_tells_what_is_now_and_not_what_was_long_ago(
    bits: str, low: bool, pi: Pi, tmp_path: Path, free: Callable[[int], None]
) -> None:
    pi.tell(bits=bits)
    assert codes(MachineWatch(tmp_path, lambda notes: None, pi.root)) == ["power_low"] * low


def test_heat_is_told_while_it_lasts(pi: Pi, tmp_path: Path, free: Callable[[int], None]) -> None:
    told: Told = []
    watch = MachineWatch(tmp_path, told.append, pi.root)
    pi.tell(temp=83_400)
    watch.look()
    assert codes(watch) == ["heat_high"]
    pi.tell(temp=70_000)
    watch.look()
    assert told[-1] == ()


def test_room_to_write_is_told_before_it_is_gone(
    pi: Pi, tmp_path: Path, free: Callable[[int], None]
) -> None:
    watch = MachineWatch(tmp_path, lambda notes: None, pi.root)
    found = []
    for megabytes in (LEAST_FREE_MB, LEAST_FREE_MB - 1, 0, 9000):
        free(megabytes)
        watch.look()
        found.append(codes(watch))
    assert found == [[], ["storage_low"], ["storage_full"], []]


def test_a_full_disk_is_told_apart_from_one_on_which_the_journal_has_kept_room(
    pi: Pi, tmp_path: Path, free: Callable[[int], None]
) -> None:
    watch = MachineWatch(tmp_path, lambda notes: None, pi.root)
    reserve = tmp_path / "journal.reserve"
    reserve.touch()
    free(1)
    watch.look()
    assert codes(watch) == ["storage_reserve"], "it is let go with the next move"
    reserve.unlink()
    free(9)
    watch.look()
    assert codes(watch) == ["storage_reserve"]


def test_a_disk_that_can_only_be_read_is_told(
    pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.support.machine.is_read_only", lambda _folder: True)
    watch = MachineWatch(tmp_path, lambda notes: None, pi.root)
    assert codes(watch) == ["storage_read_only"]


def test_a_computer_that_tells_nothing_of_power_is_left_alone(
    tmp_path: Path, free: Callable[[int], None]
) -> None:
    heat = tmp_path / "sys/class/thermal/thermal_zone0/temp"
    heat.parent.mkdir(parents=True)
    heat.write_text("95000\n")
    assert power_bits(tmp_path) is None and degrees(tmp_path) == 95
    watch = MachineWatch(tmp_path / "missing", lambda notes: None, tmp_path)
    assert watch.notes == ()


def test_damaged_files_of_the_system_say_nothing(
    pi: Pi, tmp_path: Path, free: Callable[[int], None]
) -> None:
    pi.tell(bits="?!")
    (pi.root / "sys/class/thermal/thermal_zone0/temp").write_bytes(b"\xff\xfe")
    assert codes(MachineWatch(tmp_path, lambda notes: None, pi.root)) == []


def test_the_watch_looks_by_itself_and_ends(
    pi: Pi, tmp_path: Path, free: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.support.machine.LOOK_S", 0.01)
    told: Told = []
    before = threading.active_count()
    watch = MachineWatch(tmp_path, told.append, pi.root).start().start()
    pi.tell(low=True)
    assert until(lambda: bool(told))
    watch.close()
    assert threading.active_count() == before
