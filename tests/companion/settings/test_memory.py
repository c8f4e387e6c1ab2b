"""Use of a computer's memory, by what it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.memory import SHARES, offered_mb, share_of
from companion.settings.settings import CameraSettings, Settings
from vision.camera.form import Form

MODULE_3, HQ, SMALL = (4608, 2592), (4056, 3040), (1640, 1232)


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.mark.parametrize(
    ("total_kb", "board"),
    [(437_000, 512), (928_000, 1024), (1_894_000, 2048), (3_881_000, 4096), (8_245_000, 4096)],
)
def test_every_board_is_known_by_what_its_system_and_its_unit_leave(
    total_kb: int, board: int, tmp_path: Path
) -> None:
    write(tmp_path, "proc/meminfo", f"MemTotal: {total_kb} kB\nMemFree: 5 kB")
    assert share_of(offered_mb(tmp_path)).board_mb == board
    write(tmp_path, "proc/self/cgroup", "0::/system.slice/heelstone.service\n")
    limit = str(total_kb * 1024 * 9 // 10)
    write(tmp_path, "sys/fs/cgroup/system.slice/heelstone.service/memory.max", limit)
    assert share_of(offered_mb(tmp_path)).board_mb == board


@pytest.mark.parametrize(
    ("line", "folder", "name"),
    [
        ("0::/a/b", "", "memory.max"),
        ("4:cpu,memory:/a/b", "memory", "memory.limit_in_bytes"),
    ],
)
def test_the_least_limit_of_all_groups_above_counts(
    line: str, folder: str, name: str, tmp_path: Path
) -> None:
    write(tmp_path, "proc/meminfo", "MemTotal: 8000000 kB")
    write(tmp_path, "proc/self/cgroup", f"1:name=systemd:/\n{line}\n")
    write(tmp_path, f"sys/fs/cgroup/{folder}/a/{name}", f"{400 << 20}\n")
    assert offered_mb(tmp_path) == 400
    write(tmp_path, f"sys/fs/cgroup/{folder}/a/b/{name}", f"{300 << 20}\n")
    assert offered_mb(tmp_path) == 300
    write(tmp_path, f"sys/fs/cgroup/{folder}/a/b/{name}", "max\n")
    assert offered_mb(tmp_path) == 400


def test_where_nothing_tells_it_is_enough() -> None:
    assert offered_mb(Path("/nowhere")) is None
    assert share_of(None) is SHARES[-1]


def test_a_setting_says_that_this_were_a_smaller_board() -> None:
    assert Settings(memory_mb=400).memory is SHARES[0]


def test_pictures_of_a_small_board_are_the_halves_that_its_sensor_offers() -> None:
    small, large = (CameraSettings().form(share) for share in (SHARES[0], SHARES[1]))
    assert [small.size_of(one) for one in (MODULE_3, HQ, SMALL)] == [
        (2304, 1296), (2028, 1520), SMALL,
    ]  # fmt: skip
    assert large.size_of(MODULE_3) == MODULE_3
    assert (small.buffers, large.buffers) == (2, 2)
    # What is asked for is taken.
    assert CameraSettings(width=4000, height=3000).form(SHARES[0]).size_of(HQ) == (4000, 3000)
    assert Form().size_of((65, 43)) == (64, 42)
