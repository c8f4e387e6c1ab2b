"""Ctrl-C at the worst moment: ``python -m tests.endurance.interruptions [DEED…]``.

``install.sh`` runs in a folder of its own, with stand-ins for everything that belongs to a system.
It is ended before its first command, before its second, and so on to its end: by Ctrl-C, by a
command that fails, by a power cut. Then the table must run as before, or come back with the next
start, and the next run of the installer must finish. So is what root does for the screen's button
for updates, and nothing unsigned is installed then, either.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.support.updates import Updates, Wanted
from tests.support.updating import SCRIPT, Table

PROJECT = Path(__file__).parents[2]
SCREEN, TABLE = "heelstone.service", "heelstone-table.service"
OLD, NEW = "1.0", "2.0"

CALLS: Mapping[str, tuple[str, ...]] = {
    "upgrade": (),
    "a version that dies": (),
    "to a screen": ("--screen",),
    "a screen that fails": ("--screen",),
    "to a table": ("--table", "--game dominion"),
    "back": ("--rollback",),
    "back to one that dies": ("--rollback",),
}
"""What is interrupted, and how ``install.sh`` is called for it."""

BUTTON: Mapping[str, Wanted] = {f"button: {wanted}": wanted for wanted in Wanted}
"""What is interrupted of the button for updates."""

CUT = """
if [ "${0##*/}" = "${CUT_IN:-install.sh}" ]; then
	unset BASH_ENV
	cut_now=0
	cut_before() {
		cut_now=$((cut_now + 1))
		if [ "$BASHPID" = $$ ]; then echo "$cut_now" >"$BOX/commands"; fi
		# The terminal sends Ctrl-C to whatever runs; the power goes for all of it at once.
		if [ "$cut_now" = "$CUT_AT" ] && mkdir "$BOX/cut" 2>/dev/null; then
			kill "-$CUT_WITH" -- -$$
		fi
	}
	set -o functrace
	trap cut_before DEBUG
fi
"""

PROGRAM = """#!/bin/sh
# Stands for a version of Heelstone; its journals say which one wrote them.
own=VERSION
journal=$STATE_DIRECTORY/journal.db
written() { head -n 1 "$1" 2>/dev/null || echo 0; }
aside() {
	n=1
	while [ -e "$STATE_DIRECTORY/journal-$1-20260101-$n-e30f.db" ]; do n=$((n + 1)); done
	mv "$2" "$STATE_DIRECTORY/journal-$1-20260101-$n-e30f.db"
}
case $1 in
matches) [ "$(written "$journal")" -le "$own" ] ;;
backup)
	mkdir -p "$3"
	n=2
	while [ -e "$3/journal-20260101-000000-$n.db" ]; do n=$((n + 1)); done
	cp "$journal" "$3/journal-20260101-000000-$n.db"
	echo "$3/journal-20260101-000000-$n.db"
	;;
restore)
	[ "$(written "$2")" -le "$own" ] || exit 2
	cp "$2" "$journal.part"
	if [ -e "$journal" ]; then aside before-restore "$journal"; fi
	mv "$journal.part" "$journal"
	;;
starts)
	[ "$(written "$journal")" -le "$own" ] || exit 2
	if [ "$(written "$journal")" -lt "$own" ]; then
		{ echo $own; tail -n +2 "$journal"; } >"$journal.part"
		ln -f "$journal" "$STATE_DIRECTORY/journal-before-upgrade-20260101-1-e30f.db"
		mv "$journal.part" "$journal"
	fi
	! grep -q dies "$0.kind"
	;;
esac
"""

STAND_IN = """#!/bin/sh
# Stands for every program that belongs to a system.
name=${0##*/}
if [ -n "$BREAK_AT" ]; then
	read -r calls <"$BOX/calls"
	calls=$((calls + 1))
	echo $calls >"$BOX/calls"
	if [ $calls = "$BREAK_AT" ]; then exit 1; fi
fi
units=$HEELSTONE_ROOT/etc/systemd/system
case $name in
id) echo 0 ;;
dpkg) if [ "$1" = --print-architecture ]; then echo arm64; fi ;;
dpkg-query) echo install ok installed ;;
df) printf 'Avail\\n99999\\n' ;;
install)
	for word; do
		shift
		case $before$word in -o* | -g*) ;; *) set -- "$@" "$word" ;; esac
		case $word in -o | -g) before=$word ;; *) before="" ;; esac
	done
	exec /usr/bin/install "$@"
	;;
runuser)
	while [ "$1" != -- ]; do shift; done
	shift
	TABLES_OWN=yes exec "$@"
	;;
python3)
	if [ "$1" = -I ]; then cat "$BOX/commit" 2>/dev/null; exit 0; fi
	release=$4
	mkdir -p "$release/bin"
	cp "$BOX/python" "$release/bin/python"
	;;
systemctl)
	if [ "$1" = --version ]; then echo "systemd 252"; exit; fi
	command=$1
	shift
	if [ "$1" = --now ]; then shift; fi
	case $command in
	enable)
		for unit; do
			mkdir -p "$units/multi-user.target.wants"
			ln -sfn "../$unit" "$units/multi-user.target.wants/$unit"
		done
		;;
	disable) for unit; do rm -f "$units/multi-user.target.wants/$unit"; done ;;
	start | restart)
		for unit; do
			case $unit in *.timer | *.path) continue ;; esac
			rm -f "$BOX/active"
			[ -s "$units/$unit" ] || exit 5
			if [ -e "$BOX/no-screen" ] && [ "$unit" = heelstone.service ]; then exit 1; fi
			TABLES_OWN=yes STATE_DIRECTORY=$HEELSTONE_ROOT/var/lib/heelstone \\
				"$HEELSTONE_ROOT/opt/heelstone/current/bin/heelstone" starts || exit 1
			echo "$unit" >"$BOX/active"
		done
		;;
	stop) if [ "$(cat "$BOX/active" 2>/dev/null)" = "$1" ]; then rm -f "$BOX/active"; fi ;;
	show)
		case $3 in
		ActiveState) grep -qx "$1" "$BOX/active" 2>/dev/null && echo active || echo failed ;;
		NRestarts) echo 0 ;;
		esac
		;;
	is-active) exit 3 ;;
	get-default) cat "$BOX/default" ;;
	set-default) echo "$1" >"$BOX/default" ;;
	esac
	;;
esac
exit 0
"""

PYTHON = """#!/bin/sh
# Stands for the Python of a version: pip puts the program there.
for last; do :; done
if [ -r "$last/pyproject.toml" ]; then
	bin=${0%/*}
	version=$(sed -n 's/^version = "\\(.\\).*/\\1/p' "$last/pyproject.toml")
	sed "s/VERSION/$version/" "$BOX/program" >"$bin/heelstone"
	chmod 755 "$bin/heelstone"
	cp "$last/README.md" "$bin/heelstone.kind"
	place=${bin%/*}/lib/python3.11/site-packages/companion/support
	mkdir -p "$place"
	cp "$last/companion/support/commit.txt" "$place/commit.txt"
fi
"""

PROGRAMS = (
    "id", "dpkg", "dpkg-query", "df", "install", "runuser", "systemctl", "systemd-sysusers",
    "udevadm", "journalctl", "git", "sync", "sleep", "chown", "getent", "usermod", "useradd",
    "groupadd", "apt-get", "apt-cache",
)  # fmt: skip
WATCHED = (
    "cat",
    "chmod",
    "chown",
    "cp",
    "find",
    "install",
    "ln",
    "mkdir",
    "mv",
    "rm",
    "rmdir",
    "touch",
)
"""What touches files; tests look whether root does so in the folder of the table's own user."""


@dataclass(frozen=True)
class Standing:
    """State of a table."""

    active: str
    enabled: tuple[str, ...]
    version: str
    units: str
    default: str
    desktop: str
    arguments: str
    journal: str


@dataclass
class Room:
    """A computer in a folder: a table with version 1.0 and a match, and 2.0 to be installed.

    ``like``: a room as it was made, for the same table; copying it takes less time.
    """

    folder: Path
    call: str = "upgrade"
    like: Room | None = None

    def __post_init__(self) -> None:
        self.root, self.box = self.folder / "root", self.folder / "box"
        self.source = self.folder / "source"
        if self.like is None:
            self._furnish()
        else:
            shutil.copytree(self.like.folder, self.folder, symlinks=True, dirs_exist_ok=True)
            current = self.root / "opt/heelstone/current"
            place = current.readlink().relative_to(self.like.folder)
            current.unlink()
            current.symlink_to(self.folder / place)
        self.offer(NEW, dies=self.call == "a version that dies")
        if self.call == "a screen that fails":
            (self.box / "no-screen").touch()
        self.before = self.standing()

    def _furnish(self) -> None:
        programs = self.folder / "programs"
        for place in (
            self.box, programs, self.root / "usr/bin", self.root / "run/systemd/system",
            self.root / "var/lib", self.root / "var/log", self.root / "usr/local/bin",
            self.root / "etc/systemd/system", self.root / "opt",
        ):  # fmt: skip
            place.mkdir(parents=True)
        stand_in = programs / "stand-in"
        _program(stand_in, STAND_IN)
        for name in PROGRAMS:
            (programs / name).symlink_to("stand-in")
        (self.root / "usr/bin/python3").symlink_to("../../../programs/stand-in")
        _program(self.box / "python", PYTHON)
        _program(self.box / "program", PROGRAM)
        (self.folder / "cut.bash").write_text(CUT)
        (self.root / "etc/os-release").write_text("VERSION_CODENAME=bookworm\n")
        (self.root / "etc/systemd/system/display-manager.service").write_text("a desktop")
        (self.box / "default").write_text("graphical.target\n")
        for name in ("rules", "vision", "hardware", "companion/support"):
            (self.source / name).mkdir(parents=True)
        shutil.copytree(PROJECT / "systemd", self.source / "systemd")
        shutil.copy(PROJECT / "install.sh", self.source / "install.sh")
        self.offer(OLD)
        first = ("--screen",) if self.call == "to a table" else ("--table", "--game trilithen")
        assert self.install(*first).returncode == 0
        (self.state / "journal.db").write_text("1\na match\n")
        # The clock stands still: the next copy gets the same time, and a number.
        (self.state / "before-upgrade").mkdir()
        older = self.state / "before-upgrade/journal-20260101-000000.db"
        older.write_text("1\nhalf a match\n")
        if self.call.startswith("back"):
            self.offer(NEW)
            assert self.install().returncode == 0
            (self.state / "journal.db").write_text("2\na match\nand one more\n")
        if self.call == "back to one that dies":
            (kind,) = self.root.glob("opt/heelstone/releases/*-1.0/bin/heelstone.kind")
            kind.write_text("dies\n")

    def offer(self, version: str, *, dies: bool = False) -> None:
        """Sets the contents of the source folder."""
        (self.source / "pyproject.toml").write_text(f'version = "{version}"\n')
        (self.source / "README.md").write_text("dies\n" if dies else "lives\n")
        (self.source / "LICENSE").touch()
        unit = self.source / "systemd" / TABLE
        unit.write_text(f"# {version}\n{(PROJECT / 'systemd' / TABLE).read_text()}")

    @property
    def state(self) -> Path:
        """The folder of the table's own user."""
        return self.root / "var/lib/heelstone"

    def install(
        self, *arguments: str, cut_at: int = 0, with_signal: str = "INT", break_at: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run the installer; it may be ended before a command, or one of its programs fail."""
        shutil.rmtree(self.box / "cut", ignore_errors=True)
        (self.box / "calls").write_text("0\n")
        environment = {
            "PATH": f"{self.folder / 'programs'}:/usr/sbin:/usr/bin:/sbin:/bin",
            "HEELSTONE_ROOT": str(self.root), "BOX": str(self.box), "HOME": "/",
            "BASH_ENV": str(self.folder / "cut.bash"), "CUT_AT": str(cut_at),
            "CUT_WITH": with_signal, "BREAK_AT": str(break_at or ""), "LC_ALL": "C",
        }  # fmt: skip
        return subprocess.run(
            ["bash", str(self.source / "install.sh"), *arguments], env=environment, text=True,
            capture_output=True, timeout=120, start_new_session=True, check=False,
            # Whoever runs this in the background ignores it, and a shell could not catch it then.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip

    def counted(self) -> tuple[int, int]:
        """Commands of the last run that may be cut, and programs that may fail."""
        return int((self.box / "commands").read_text()), int((self.box / "calls").read_text())

    def boot(self) -> None:
        """The power is back: what is enabled is started."""
        (self.box / "active").unlink(missing_ok=True)
        for unit in self.standing().enabled[:1]:
            subprocess.run(
                [self.folder / "programs/systemctl", "start", unit], check=False,
                env={"PATH": os.environ["PATH"], "HEELSTONE_ROOT": str(self.root),
                     "BOX": str(self.box), "BREAK_AT": ""},
            )  # fmt: skip

    def standing(self) -> Standing:
        """The present state of everything."""
        units = self.root / "etc/systemd/system"
        return Standing(
            active=_text(self.box / "active"),
            enabled=tuple(
                unit for unit in (SCREEN, TABLE)
                if (units / "multi-user.target.wants" / unit).is_symlink()
            ),
            version=(self.root / "opt/heelstone/current").resolve().name.rpartition("-")[2],
            units=_text(units / TABLE).partition("\n")[0][2:],
            default=_text(self.box / "default"),
            desktop=_text(self.root / "etc/heelstone/desktop"),
            arguments=_text(self.root / "etc/heelstone/table.env"),
            journal=_text(self.state / "journal.db"),
        )  # fmt: skip

    def litter(self) -> list[str]:
        """Files that an interrupted run must not leave behind."""
        left = [str(p) for p in self.root.rglob("*.new")]
        left += [str(p) for p in (self.root / "opt/heelstone").glob("building")]
        left += [str(p) for p in self.state.glob("trial")]
        for release in (self.root / "opt/heelstone/releases").iterdir():
            if not (release / ".whole").exists():
                left.append(str(release))
        return left


def wrong_after(
    room: Room, done: subprocess.CompletedProcess[str], ended_by: str, *, again: bool = True
) -> str:
    """Faults after an end by INT, TERM, KILL or a failure; empty if there are none.

    ``again``: whether the next run can finish is tried, too.
    """
    now, call = room.standing(), CALLS[room.call]
    if ended_by == "KILL" and done.returncode == -signal.SIGKILL:
        room.boot()
        now = room.standing()
        if now.active not in (SCREEN, TABLE) and not _hopeless(room):
            return f"nothing runs after the next start: {now}"
    elif done.returncode == 0:
        wanted = SCREEN if call == ("--screen",) else TABLE
        version = OLD if room.call == "back" else NEW
        if (now.active, now.enabled, now.version, now.units) != (
            wanted, (wanted,), version, version
        ):  # fmt: skip
            return f"it was not installed: {now}"
        return ""
    else:
        if now != room.before:
            return f"not as before: {now}, but {room.before}; {done.stderr}"
        if litter := room.litter():
            return f"left behind: {litter}"
        # Before it has looked at the system there is nothing to tell.
        if done.returncode != -signal.SIGINT and "install.sh: " not in done.stderr:
            return "nobody was told"
    # The next run must be able to finish.
    (room.box / "no-screen").unlink(missing_ok=True)
    if again and "dies" not in room.call and room.call != "back":
        next_run = room.install(*call)
        if next_run.returncode:
            return f"the next run did not finish: {next_run.stderr}"
        return wrong_after(room, next_run, "nothing")
    return ""


def _hopeless(room: Room) -> bool:
    """True if the version in use cannot start: the power went while it was being tried."""
    return room.call in ("a version that dies", "a screen that fails", "back to one that dies")


def _program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def _text(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _sweep(call: str, ended_by: str, every: int) -> tuple[int, list[str]]:
    """End one deed everywhere; how often, and what was wrong."""
    wrong: list[str] = []
    at, tried = 1, 0
    with tempfile.TemporaryDirectory() as base:
        first = Room(Path(base) / "first", call)
        while True:
            room = Room(Path(base) / "next", call, first)
            if ended_by == "fail":
                done = room.install(*CALLS[call], break_at=at)
                over = room.counted()[1] < at
            else:
                done = room.install(*CALLS[call], cut_at=at, with_signal=ended_by)
                over = not (room.box / "cut").exists()
            if over:
                return tried, wrong
            tried += 1
            if found := wrong_after(room, done, ended_by):
                wrong.append(f"{call}, {ended_by} at {at}: {found}")
            shutil.rmtree(room.folder)
            at += every


def _sweep_updates(wanted: Wanted, every: int) -> tuple[int, list[str]]:
    """Cut the power before each command of root's unit for updates; as ``_sweep``."""
    wrong: list[str] = []
    at, tried = 1, 0
    while True:
        with tempfile.TemporaryDirectory() as base:
            table = Table(Path(base))
            if wanted is Wanted.BACK:
                table.publish("1.5")
                table.ask(Wanted.UPDATE)
            table.publish("2.0")
            table.commit("3.0", "planted = 1")
            table.git("tag", "v3.0")
            (table.root / "cut.bash").write_text(CUT)
            Updates(table.state, table.root).ask(wanted)
            table.start({
                "BASH_ENV": str(table.root / "cut.bash"), "CUT_IN": SCRIPT.name, "BOX": base,
                "CUT_AT": str(at), "CUT_WITH": "KILL",
            })  # fmt: skip
            if not (table.root / "cut").exists():
                return tried, wrong
            tried += 1
            now = table.now
            if now.doing not in (None, wanted) or now.offered not in ("", "2.0"):
                wrong.append(f"{wanted} at {at}: {now}")
            after = table.ask(Wanted.UPDATE)
            if after.installed is None or after.installed.version != "2.0":
                wrong.append(f"{wanted} at {at}, then: {after}")
        at += every


def main() -> int:
    """Interrupt everything everywhere; 1 if a table was left otherwise than it was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", nargs="*", help=", ".join([*CALLS, *BUTTON]))
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    bad = 0
    for call in given.calls or [*CALLS, *BUTTON]:
        if call in BUTTON:
            tried, wrong = _sweep_updates(BUTTON[call], given.every)
            bad += len(wrong)
            print(f"{call}: cut at {tried} places, {len(wrong)} wrong", *wrong,
                  sep="\n  ", flush=True)  # fmt: skip
            continue
        for ended_by in ("INT", "fail", "KILL"):
            tried, wrong = _sweep(call, ended_by, given.every)
            bad += len(wrong)
            print(f"{call}: ended by {ended_by} at {tried} places, {len(wrong)} left otherwise",
                  flush=True)  # fmt: skip
            for line in wrong[:5]:
                print(f"  {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
