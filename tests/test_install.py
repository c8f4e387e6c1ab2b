"""Files for a Raspberry Pi: units that verify, and packages that are pinned."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.needed import skip_without

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"
UNITS = sorted(p.name for p in SYSTEMD.glob("*.service"))
INSTALLS = "heelstone-update.service"
"""It reaches the network, since it fetches new versions."""
OPENS = "heelstone-network.service"
"""It asks where a club is."""
TIMERS_AND_PATHS = sorted(p.name for p in SYSTEMD.iterdir() if p.suffix in (".timer", ".path"))
MOUNTS = "heelstone-stick@.service"
NEED_NO_SCREEN = (
    "heelstone-table.service",
    "heelstone-backup.service",
    "heelstone-club.service",
    "heelstone-club@.service",
    "heelstone-network.service",
)

TABLES = ("heelstone.service", "heelstone-table.service")
LOCKS = sorted(SYSTEMD.glob("requirements-*.txt"))
CHECKOUT_LOCKS = sorted(ROOT.glob("requirements-*.txt"))


def run(*command: str) -> str:
    skip_without(command[0])
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    return done.stdout + done.stderr


@pytest.mark.parametrize("unit", [*UNITS, *TIMERS_AND_PATHS])
def test_systemd_finds_nothing_wrong_with_the_unit(unit: str) -> None:
    told = run("systemd-analyze", "verify", "--man=no", str(SYSTEMD / unit)).splitlines()
    # Programs that only an installed table has.
    absent = re.compile(
        r"Command /(opt/heelstone|usr/bin/cage|usr/local/lib/heelstone)\S* is not executable"
    )
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


@pytest.mark.parametrize("unit", ["heelstone.service", "heelstone-table.service"])
def test_a_table_is_started_again_however_often_it_fell(unit: str) -> None:
    assert "StartLimitIntervalSec=0" in (SYSTEMD / unit).read_text()
    assert "RestartMaxDelaySec=60" in (SYSTEMD / "back-off.conf").read_text()


def test_the_screen_unit_hears_the_app_and_lets_it_draw() -> None:
    """Each was missing once, and the unit never came up: seen in a booted Debian."""
    text = (SYSTEMD / "heelstone.service").read_text()
    # The app is a child of cage. A login session would move both out of the unit.
    assert "NotifyAccess=all" in text
    assert not re.search(r"^PAMName=", text, re.M)
    assert "LIBSEAT_BACKEND=seatd" in text and "Wants=seatd.service" in text
    assert re.search(r"^KIOSK=\(.*\bseatd\b.*\)$", (ROOT / "install.sh").read_text(), re.M)
    # Where nothing may be written, Xwayland and cage need places for their sockets.
    assert "ProtectSystem=strict" in text and "PrivateTmp=yes" in text
    assert "RuntimeDirectory=heelstone" in text and "XDG_RUNTIME_DIR=/run/heelstone" in text
    # Raspberry Pi OS Lite starts into that target, a desktop into one that wants it.
    assert "WantedBy=multi-user.target" in text


def test_the_table_unit_may_use_what_the_settings_offer() -> None:
    text = (SYSTEMD / "heelstone-table.service").read_text()
    allowed = set(re.findall(r"^DeviceAllow=(\S+) rw$", text, re.M))
    assert allowed >= {
        "char-gpiochip", "char-spi", "char-alsa", "char-video4linux", "char-media", "char-dma_heap",
        "char-ttyACM", "char-ttyUSB", "char-ttyAMA", "char-ttyS",
    }  # fmt: skip
    # gpiozero reads from /proc which Raspberry Pi this is, and fails without.
    assert not re.search(r"^ProcSubset=pid", text, re.M)


def test_every_group_a_unit_names_is_made_by_the_installer() -> None:
    users = (SYSTEMD / "heelstone.sysusers").read_text()
    made = set(re.findall(r"^[gm] (?:heelstone )?(\w+)", users, re.M))
    for unit in UNITS:
        for groups in re.findall(r"^SupplementaryGroups=(.*)$", (SYSTEMD / unit).read_text(), re.M):
            assert set(groups.split()) <= made


def test_no_unit_of_a_table_reaches_the_network_by_itself() -> None:
    for unit in UNITS:
        text = (SYSTEMD / unit).read_text()
        assert "IPAddressDeny=any" in text or unit in (INSTALLS, OPENS, MOUNTS)
        assert "Listen" not in text
    for unit in TABLES:
        allowed = re.findall(r"^IPAddressAllow=(.*)$", (SYSTEMD / unit).read_text(), re.M)
        assert allowed == ["localhost"], unit


def test_root_takes_one_word_for_the_network_and_gives_it_back_with_the_program() -> None:
    unit = (SYSTEMD / OPENS).read_text()
    assert re.findall(r"^ExecStart=(.*)$", unit, re.M) == ["/usr/local/lib/heelstone/network asked"]
    path = (SYSTEMD / "heelstone-network.path").read_text()
    assert "PathExists=/var/lib/heelstone/network-wanted" in path
    removing = (ROOT / "install.sh").read_text().split("\nuninstall() {")[1].split("\n}")[0]
    for name in ("heelstone-network.*", "$NETWORKS", "heelstone.service.d", "$HALL"):
        assert name in removing, name


def test_root_installs_only_what_it_noted_itself_and_mounts_nothing_that_runs() -> None:
    unit = (SYSTEMD / INSTALLS).read_text()
    assert re.findall(r"^ExecStart=(.*)$", unit, re.M) == ["/usr/local/lib/heelstone/update"]
    assert "User=" not in unit and "EnvironmentFile" not in unit
    path = (SYSTEMD / "heelstone-update.path").read_text()
    assert "PathExists=/var/lib/heelstone/update-wanted" in path
    stick = (SYSTEMD / MOUNTS).read_text()
    for option in ("nosuid", "nodev", "noexec", "uid=heelstone"):
        assert option in stick
    # What the installer lays, it takes away again.
    installer = (ROOT / "install.sh").read_text()
    removing = installer.split("\nuninstall() {")[1].split("\n}")[0]
    for name in (INSTALLS, "heelstone-update.path", MOUNTS, "$UPDATER", "$UPDATES"):
        assert name in removing, name


@pytest.mark.parametrize("lock", [*LOCKS, *CHECKOUT_LOCKS], ids=lambda path: path.stem)
def test_every_package_is_pinned_once_with_its_hashes(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+", line), line
    # Two versions would mean that a Raspberry Pi and a PC need different ones.
    assert len(pinned(lock)) == len(lines)
    # The Pi camera's library is built against the system's own numpy.
    assert ("numpy" in pinned(lock)) == (lock in CHECKOUT_LOCKS)


def test_what_demo_and_test_need_is_locked_for_each_python_we_promise() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = {
        line.rpartition(" ")[2] for line in project["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.")
    }  # fmt: skip
    assert {lock.stem.removeprefix("requirements-") for lock in CHECKOUT_LOCKS} == promised
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    for lock in CHECKOUT_LOCKS:
        versions = dict(re.findall(r"^([a-z0-9.-]+)==([\w.]+)", lock.read_text(), re.M))
        for one in [*wanted, "setuptools", "wheel"]:
            requirement = Requirement(one)
            assert requirement.specifier.contains(versions[requirement.name]), (lock.name, one)


def pinned(*locks: Path) -> set[str]:
    lines = [line for lock in locks for line in lock.read_text().splitlines()]
    return {line.split("==")[0] for line in lines if not line.startswith("#")}


@pytest.mark.parametrize("system", ["bookworm", "trixie"])
def test_an_installed_table_has_phones_the_house_and_its_club(system: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]

    def named(wanted: list[str]) -> set[str]:
        return {re.split(r"[\[><=]", one)[0] for one in wanted}

    table = SYSTEMD / f"requirements-{system}.txt", SYSTEMD / "requirements-source.txt"
    parts = [*extras["web"], *extras["mqtt"], *extras["club"], *extras["print"]]
    assert named([*project["dependencies"], *parts]) - {"numpy"} <= pinned(*table)
    club = SYSTEMD / f"requirements-club-{system}.txt"
    assert named(extras["club-server"]) <= pinned(*table, club)
    # Which version is used must not depend on which file came last.
    assert not pinned(*table) & pinned(club)


def test_an_audit_that_could_not_look_is_no_clean_one() -> None:
    """Without --strict it ends well where nobody answers, though nothing was looked up."""
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"pip_audit --strict .*--require-hashes -r", makefile)


def test_there_is_a_lock_for_each_system_we_promise() -> None:
    assert {lock.stem.removeprefix("requirements-") for lock in LOCKS} == {
        "bookworm", "trixie", "club-bookworm", "club-trixie", "source",
    }  # fmt: skip


@pytest.mark.parametrize(
    "script",
    [
        "install.sh",
        "systemd/heelstone.sh",
        "systemd/heelstone-update.sh",
        "systemd/heelstone-network.sh",
        "systemd/lacking.sh",
        "tests/endurance/installation.sh",
        "tests/endurance/package.sh",
    ],
)
def test_a_script_is_clean_shell(script: str) -> None:
    assert run("bash", "-n", str(ROOT / script)) == ""
    assert run("shellcheck", str(ROOT / script)) == ""


def pretending(folder: Path, **programs: str) -> dict[str, str]:
    """An environment in which programs say something else; ``id`` says that this is root."""
    for name, told in {"id": "0", **programs}.items():
        (folder / name).write_text(f"#!/bin/sh\nprintf '%s\\n' {told}\n")
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("programs", "told"),
    [
        # The kernel of a 32-bit Raspberry Pi OS has 64 bits.
        ({"uname": "aarch64", "dpkg": "armhf"}, "a 64-bit system is needed, and this one is armhf"),
        ({"dpkg": "arm64", "df": "Avail 10"}, "MB of free space are needed in /, and there are 10"),
    ],
)
def test_a_system_that_will_not_do_is_told_in_one_line(
    programs: dict[str, str], told: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        ["bash", str(ROOT / "install.sh"), "--check"],
        env=pretending(tmp_path, **programs), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    if "is needed, not" in done.stderr:
        pytest.skip("this is neither Debian 12 nor 13")
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def a_system(
    folder: Path, offered: str, here: str = "", board: str = "Raspberry Pi 4"
) -> dict[str, str]:
    """One whose package sources offer, and which has, what the patterns match."""
    surroundings = pretending(folder, dpkg="arm64", df="Avail 9999")
    for name, told, pattern in (
        ("apt-cache", "one from somewhere", offered), ("dpkg-query", "install ok installed", here),
    ):  # fmt: skip
        known = f"case $last in {pattern or '-'}) echo {told} ;; esac"
        (folder / name).write_text(f"#!/bin/sh\nfor last; do :; done\n{known}\n")
        (folder / name).chmod(0o755)
    for place, text in (
        ("proc/device-tree/model", f"{board} Model B\0"),
        ("etc/os-release", "VERSION_CODENAME=trixie\n"),
    ):  # fmt: skip
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_text(text)
    return {**surroundings, "HEELSTONE_ROOT": str(folder)}


LIBRARIES = ("python3-lgpio", "python3-picamera2")
WITHOUT = ("lamps and buttons at the pins do not work", "USB cameras and touch do")


@pytest.mark.parametrize(
    ("system", "lacks", "then"),
    [
        ({"offered": "python3"}, LIBRARIES, "Raspberry Pi OS does"),
        ({"offered": "python3*"}, LIBRARIES, "sudo apt install {}"),
        # Started for the first time, it has no lists of packages.
        ({"offered": ""}, LIBRARIES, "sudo apt update && sudo apt install {}"),
        ({"offered": "python3*", "here": "*lgpio"}, LIBRARIES[1:], "sudo apt install {}"),
        ({"offered": "python3*", "here": "*"}, (), ""),
        ({"offered": "python3", "board": "A laptop"}, (), ""),
    ],
)
def test_what_a_pi_lacks_what_works_without_it_and_what_adds_it_is_said(
    system: dict[str, str], lacks: tuple[str, ...], then: str, tmp_path: Path
) -> None:
    told = subprocess.run(
        ["sh", str(SYSTEMD / "lacking.sh")],
        env=a_system(tmp_path, **system), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stderr == ""
    lines = told.stdout.splitlines()
    assert len(lines) == 2 * len(lacks)
    for name, first, second in zip(lacks, lines[::2], lines[1::2], strict=True):
        assert first.startswith(f"This system lacks {name}: ")
        assert WITHOUT[LIBRARIES.index(name)] in first and then.format(name) in second


def test_each_way_of_installing_says_first_what_is_lacking(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", str(ROOT / "install.sh"), "--check"],
        env=a_system(tmp_path, "python3"), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("This system lacks python3-lgpio")
    assert done.stdout.endswith("This system will do.\n")
    # Nothing is changed before: neither by install.sh nor by make.
    installing = (ROOT / "install.sh").read_text().split("\ninstall)\n")[1]
    assert installing.index("lacking.sh") < installing.index("install_packages")
    planned = run("make", "-nB", "-C", str(ROOT), "--no-print-directory", ".venv/.ready")
    assert planned.startswith("sh systemd/lacking.sh\n")


def test_a_library_that_debian_13_has_by_another_name_counts_as_there(tmp_path: Path) -> None:
    """It was asked for anew each time, which failed without a network and without being root."""
    query = tmp_path / "dpkg-query"
    query.write_text(
        "#!/bin/sh\nfor name; do\n"
        "case $name in libmtdev1t64|python3-venv) echo install ok installed ;; esac\ndone\n"
    )
    query.chmod(0o755)
    here = re.search(r"^here\(\) \{.*?^\}", (ROOT / "install.sh").read_text(), re.M | re.S)
    assert here is not None
    asked = "for name in libmtdev1 python3-venv libgl1; do here $name && echo $name; done"
    told = subprocess.run(
        ["bash", "-c", f"{here[0]}\n{asked}"],
        env=pretending(tmp_path), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert told.stdout.split() == ["libmtdev1", "python3-venv"]
    assert "$${package}t64" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize(
    ("configured", "torn", "wanted"),
    [
        ("true", "", ""),
        ("false", "", "--fix-broken --reinstall -y --no-install-recommends install"),
        # dpkg says that all is well then, and apt alone cannot mend it.
        ("true", "libone libtwo", "--reinstall -y --no-install-recommends install libone libtwo"),
    ],
)
def test_packages_that_a_power_cut_tore_are_unpacked_again(
    configured: str, torn: str, wanted: str
) -> None:
    install = re.search(
        r"^install_packages\(\) \{.*?^\}", (ROOT / "install.sh").read_text(), re.M | re.S
    )
    assert install is not None
    around = (
        "set -euo pipefail; NEEDED=() KIOSK=() CLUB=() WANTED=() unit=none LOG=log\n"
        'say() { :; }; fail() { exit 3; }; quietly() { "$@"; }; apt() { echo "apt $*"; }\n'
        f"dpkg() {{ {configured}; }}\n"
        f"dpkg-query() {{ echo 'ok adduser'; for p in {torn}; do echo reinstreq $p; done; }}\n"
    )
    done = subprocess.run(
        ["bash", "-c", f"{around}{install[0]}\ninstall_packages"],
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    last = (done.stdout.splitlines() or [""])[-1]
    assert last.endswith(wanted)
    assert bool(last) == bool(wanted)


def test_the_command_of_a_table_never_writes_as_root(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(SYSTEMD / "heelstone.sh"), "doctor", "--lang", "de"],
        env=pretending(tmp_path, runuser='"$@"'), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    words = done.stdout.split()
    assert words[:3] == ["-u", "heelstone", "--"]
    assert "STATE_DIRECTORY=/var/lib/heelstone" in words
    assert words[-3:] == ["doctor", "--lang", "de"]


def test_settings_are_written_by_root_for_the_table_to_read(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(SYSTEMD / "heelstone.sh"), "settings", "set", "lang=en", "mqtt.password"],
        env=pretending(tmp_path, runuser='"$CONFIGURATION_DIRECTORY $*"'), capture_output=True,
        text=True, timeout=240,
    )  # fmt: skip
    assert done.stdout.strip() == (
        "/etc/heelstone -u root -g heelstone -- /opt/heelstone/current/bin/heelstone "
        "settings set lang=en mqtt.password"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--nonsense"], "unknown option '--nonsense'"),
        (["--table"], "--table needs the game"),
        (["--table", '--game "dominion"'], "--table takes no quotation marks"),
        (["--purge"], "--purge needs --uninstall"),
        (["--club"], "--club needs the club's name"),
        (["--address", "192.168.1.10"], "--address needs --club"),
    ],
)
def test_a_wrong_call_of_the_installer_is_one_clear_line(arguments: list[str], told: str) -> None:
    done = subprocess.run(
        ["bash", str(ROOT / "install.sh"), *arguments], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_installer_says_how_it_is_used() -> None:
    told = run("bash", str(ROOT / "install.sh"), "--help")
    for option in ("--table", "--screen", "--club", "--rollback", "--purge"):
        assert option in told


def test_what_is_equal_in_two_versions_lies_on_the_card_once(tmp_path: Path) -> None:
    skip_without("hardlink")
    installer = (ROOT / "install.sh").read_text()
    parts = [
        re.search(rf"^{name}\(\) \{{.*?^\}}$", installer, re.M | re.S)
        for name in ("compile_all", "share_files")
    ]
    first, second = tmp_path / "first", tmp_path / "second"
    for version in (first, second):
        (version / "bin").mkdir(parents=True)
        (version / "bin/python").symlink_to(sys.executable)
        (version / "lib").mkdir()
        (version / "lib/same.py").write_text("".join(f"A{n} = {n}\n" for n in range(300)))
        (version / "lib/own.py").write_text("".join(f"{version.name}{n} = 1\n" for n in range(300)))
    functions = "\n".join(part[0] for part in parts if part)
    call = f"""quietly() {{ "$@"; }}
        HOME_DIR={tmp_path}
        {functions}
        compile_all {first}; sleep 1; touch {second}/lib/same.py; compile_all {second}
        share_files {second} {first}; share_files {first} ''"""
    subprocess.run(["bash", "-euc", call], check=True)
    inodes = [
        {p.name: p.stat().st_ino for p in (version / "lib").rglob("*.py*")}
        for version in (first, second)
    ]
    alike = {name for name, inode in inodes[0].items() if inodes[1][name] == inode}
    assert {name.partition(".")[0] for name in alike} == {"same"} and len(alike) == 2
    # Each reads its own.
    for version in (first, second):
        read = [
            str(version / "bin/python"),
            "-c",
            f"import own, same; own.{version.name}7; same.A7",
        ]
        env = {"PYTHONPATH": str(version / "lib")}
        subprocess.run(read, check=True, env=env, cwd=tmp_path)
