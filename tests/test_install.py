"""What is laid on a Raspberry Pi: units that verify, and packages that are pinned."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"
UNITS = sorted(p.name for p in SYSTEMD.glob("*.service"))
NEED_NO_SCREEN = ("heelstone-table.service", "heelstone-backup.service")
LOCKS = sorted(SYSTEMD.glob("requirements-*.txt"))


def run(*command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed here")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


@pytest.mark.parametrize("unit", [*UNITS, "heelstone-backup.timer"])
def test_systemd_finds_nothing_wrong_with_the_unit(unit: str) -> None:
    told = run("systemd-analyze", "verify", str(SYSTEMD / unit)).splitlines()
    # Programs that only an installed table has.
    absent = re.compile(r"Command /(opt/heelstone|usr/bin/cage)\S* is not executable")
    assert [line for line in told if not absent.search(line)] == []


@pytest.mark.parametrize("unit", NEED_NO_SCREEN)
def test_a_unit_without_a_screen_is_hardly_exposed(unit: str) -> None:
    told = run("systemd-analyze", "security", "--offline=true", str(SYSTEMD / unit))
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", told)
    assert found is not None, told
    assert float(found[1]) <= 2.5


@pytest.mark.parametrize("unit", ["heelstone.service", "heelstone-table.service"])
def test_a_table_that_hangs_or_falls_is_started_again(unit: str) -> None:
    text = (SYSTEMD / unit).read_text()
    for key in ("Type=notify", "WatchdogSec=", "Restart=always", "StateDirectory=heelstone"):
        assert key in text


def test_every_group_a_unit_names_is_made_by_the_installer() -> None:
    users = (SYSTEMD / "heelstone.sysusers").read_text()
    made = set(re.findall(r"^[gm] (?:heelstone )?(\w+)", users, re.M))
    for unit in UNITS:
        for groups in re.findall(r"^SupplementaryGroups=(.*)$", (SYSTEMD / unit).read_text(), re.M):
            assert set(groups.split()) <= made


def test_no_unit_listens_to_the_network() -> None:
    for unit in UNITS:
        text = (SYSTEMD / unit).read_text()
        assert "IPAddressDeny=any" in text
        assert "Listen" not in text


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_every_package_is_pinned_with_its_hash(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) > 10
    for line in lines:
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+", line), line
    names = {line.split("==")[0] for line in lines}
    # The Pi camera's library is built against the system's own numpy.
    assert "numpy" not in names
    project = (ROOT / "pyproject.toml").read_text()
    block = project.split("\ndependencies = [")[1].split("]")[0]
    wanted = set(re.findall(r'"([a-z0-9-]+)', block)) - {"numpy"}
    assert wanted <= names


def test_there_is_a_lock_for_each_system_we_promise() -> None:
    assert [lock.stem for lock in LOCKS] == ["requirements-bookworm", "requirements-trixie"]


def test_the_installer_is_clean_shell() -> None:
    assert run("bash", "-n", str(ROOT / "install.sh")) == ""
    assert run("shellcheck", str(ROOT / "install.sh")) == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--nonsense"], "unknown option '--nonsense'"),
        (["--table"], "--table needs the game"),
    ],
)
def test_a_wrong_call_of_the_installer_is_one_clear_line(arguments: list[str], told: str) -> None:
    done = subprocess.run(
        ["bash", str(ROOT / "install.sh"), *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_installer_says_how_it_is_used() -> None:
    told = run("bash", str(ROOT / "install.sh"), "--help")
    for option in ("--table", "--rollback", "--uninstall", "--purge"):
        assert option in told
