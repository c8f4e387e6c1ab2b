"""``make demo`` and ``make test`` on fresh machines: bare Debians, odd places, odd settings.

    sudo python3 -m tests.endurance.fresh_machines [CASE …] [--system bookworm]

A case is one condition, or several joined with ``+``. Each runs in a root of its own, laid over a
Debian that debootstrap made with git, make and python3 only; on request over one in which the
system packages are there already, so that they are not fetched each time. A case passes if both
commands end well, no test fails, and nothing is left: no process, and no file outside of the
checkout. Needs root, debootstrap and unshare; about ten minutes a case, 6 GB below /var/tmp.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2]
PLACE = Path("/var/tmp/heelstone-machines")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
SYSTEMS = ("bookworm", "trixie")
BARE = "ca-certificates,git,make,python3"
LONGEST_S = 3600

STRICT = ("home", "root", "tmp", "var/tmp", "opt", "srv", "mnt", "media")
"""Where neither apt nor Debian's packages leave anything."""
ALLOWED = re.compile(r"home/anna/\.(bash|profile|sudo).*|home/anna|root/\.(bashrc|profile|ssh)")
"""What useradd, sudo and Debian's packages leave."""


@dataclass(frozen=True)
class Condition:
    """One thing that is unusual about a machine."""

    about: str
    folder: str = ""
    """Where the checkout is."""
    reached: str = ""
    """From where the commands are called, if not from there."""
    user: str = ""
    environment: dict[str, str | None] = field(default_factory=dict)
    """None: not set at all."""
    prepare: str = ""
    """What root does first."""
    shell: str = ""
    """What the user's shell does first."""
    shm: str = ""
    """Options of ``/dev/shm``; "absent": there is none."""
    cores: int = 0
    memory_gb: int = 0
    bare: bool = False
    """System packages are not there yet."""
    commands: tuple[str, ...] = ()
    offline: tuple[str, ...] = ()
    """More commands, without a network."""
    refused: str = ""
    """What the commands must say, ending badly."""


APT = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"
BROKEN_OFF = " ".join(
    f"timeout -s KILL {seconds} make test >/dev/null 2>&1;" for seconds in (4, 15, 30, 45)
)

CONDITIONS = {
    "bare": Condition("root, cloned into root's home (700); git, make and python3 only", bare=True),
    "sudo": Condition(
        "a user with sudo; git, make, python3 and sudo only", user="anna", bare=True,
        prepare=f"apt-get update -q && {APT} sudo && "
                "echo 'anna ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/anna"),
    "refused": Condition(
        "a user without sudo where packages are missing is told which", user="anna", bare=True,
        refused="Please install as root: apt-get install python3-venv"),
    "user": Condition("a user without sudo; system packages are there", user="anna"),
    "space": Condition("a folder with a space and an umlaut", folder="Unsere Spieltische/Käfer"),
    "link": Condition("reached by a symbolic link", folder="deep/down/here", reached="shortcut"),
    "umask": Condition("umask 077", shell="umask 077"),
    "tmpdir": Condition("TMPDIR elsewhere, with 64 MB", environment={"TMPDIR": "/small"},
                        prepare="mkdir -p /small && mount -t tmpfs -o size=64m,mode=1777 t /small"),
    "shm-small": Condition("/dev/shm of 64 MB", shm="size=64m"),
    "shm-absent": Condition("no /dev/shm", shm="absent"),
    "shm-noexec": Condition("/dev/shm from which nothing may run", shm="noexec"),
    "no-home": Condition("no HOME", environment={"HOME": None}),
    "offline": Condition("no network after the set-up", commands=("make ready testable",),
                         offline=("make demo", "make test")),
    "lang-c": Condition("LANG=C", environment={"LANG": "C", "LC_ALL": "C"}),
    "lang-de": Condition(
        "LANG=de_DE.UTF-8", environment={"LANG": "de_DE.UTF-8"},
        prepare=f"apt-get update -q && {APT} locales && localedef -i de_DE -f UTF-8 de_DE.UTF-8"),
    "one-core": Condition("one core", cores=1),
    "memory": Condition("4 GB of memory", memory_gb=4),
    "time-zone": Condition("another time zone", environment={"TZ": "Pacific/Kiritimati"}),
    "display": Condition("DISPLAY of a screen that is not there", environment={"DISPLAY": ":77"}),
    "twice": Condition("the same command twice at once", commands=(
        "make demo & first=$!; make demo; second=$?; wait $first && exit $second",
        "make test & first=$!; make test; second=$?; wait $first && exit $second")),
    "interrupted": Condition("after a set-up that was broken off four times",
                             commands=(f"{BROKEN_OFF} true", "make demo", "make test")),
}  # fmt: skip


def main() -> int:
    """Run cases; the exit code is 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("case", nargs="*", help="conditions, several joined with +; all")
    parser.add_argument("--system", choices=SYSTEMS, action="append", help="a Debian; both")
    parser.add_argument("--list", action="store_true", help="say what there is")
    given = parser.parse_args()
    if given.list:
        for name, condition in CONDITIONS.items():
            print(f"{name:<12} {condition.about}")
        return 0
    if os.geteuid() != 0:
        parser.error("only root can make machines")
    failed = 0
    for case in given.case or CONDITIONS:
        for system in given.system or SYSTEMS:
            told = Machine(system, case).run()
            failed += bool(told["wrong"])
            print(json.dumps(told, ensure_ascii=False), flush=True)
    return 1 if failed else 0


class Machine:
    """A root for one case, its two commands, and what they leave."""

    def __init__(self, system: str, case: str) -> None:
        self.system, self.case = system, case
        self.conditions = [CONDITIONS[name] for name in case.split("+")]
        self.root = PLACE / "cases" / f"{system}-{case}"
        self.log = PLACE / "logs" / f"{system}-{case}.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.user = self._one("user") or "root"
        self.home = "/root" if self.user == "root" else f"/home/{self.user}"
        self.folder = f"{self.home}/{self._one('folder') or 'heelstone'}"
        reached = self._one("reached")
        self.reached = f"{self.home}/{reached}" if reached else self.folder

    def _one(self, name: str) -> Any:
        """Words of one of the conditions, or nothing."""
        return next((v for c in self.conditions if (v := getattr(c, name))), "")

    def run(self) -> dict[str, Any]:
        """Run the case; what it came to, and under ``wrong`` what must not be."""
        told: dict[str, Any] = {
            "system": self.system,
            "case": self.case,
            "wrong": [],
            "seconds": [],
        }
        lower = [debian(self.system)]
        if not any(c.bare for c in self.conditions):
            lower.insert(0, furnished(self.system))
        with ExitStack() as stack, self.log.open("w", encoding="utf-8") as log:
            stack.enter_context(laid_over(self.root, lower))
            stack.enter_context(devices(self.root, self._one("shm")))
            self.inside(self._beginning(), log, user="root", check=True)
            known = self._files()
            for command, network in self._commands():
                begun = time.monotonic()
                code, left = self.inside(command, log, network=network)
                told["seconds"].append(round(time.monotonic() - begun))
                if (code != 0) != bool(self._one("refused")):
                    told["wrong"].append(f"{command.split()[1]}: exit code {code}")
                told["wrong"] += [f"left running: {one}" for one in left]
            new = self._files() - known
            top = sorted(path for path in new if str(Path(path).parent) not in new)
            for path in top:
                inner = sorted(one for one in new if one.startswith(f"{path}/"))[:3]
                told["wrong"].append(" ".join(["left behind:", path, *inner]))
            if told["wrong"] and (out := self.root / self.folder.strip("/") / "out").is_dir():
                shutil.copytree(out, self.log.with_suffix(".out"), dirs_exist_ok=True)
        words = self.log.read_text(encoding="utf-8", errors="replace")
        told["tests"] = re.findall(r"^\d+ (?:passed|failed).* in .*$", words, re.MULTILINE)
        told["skipped"] = sorted(set(re.findall(r"^SKIPPED .*?: (.*)$", words, re.MULTILINE)))
        if (refused := self._one("refused")) not in words:
            told["wrong"].append(f"it did not say '{refused}'")
        if told["wrong"]:
            told["log"] = str(self.log)
        return told

    def _commands(self) -> Iterator[tuple[str, bool]]:
        own = self._one("commands")
        yield from ((one, True) for one in own or ("make demo", "make test"))
        yield from ((one, False) for one in self._one("offline"))

    def _beginning(self) -> str:
        """Commands of root before the user begins."""
        lines = ["set -e"]
        if self.user != "root":
            lines.append(f"useradd -m -s /bin/bash {self.user}")
        lines += [c.prepare for c in self.conditions if c.prepare]
        as_user = f"runuser -u {self.user} --"
        folder, reached = shlex.quote(self.folder), shlex.quote(self.reached)
        lines.append(f"{as_user} git clone -q -b machine /machine.bundle {folder}")
        if reached != folder:
            lines.append(f"{as_user} ln -s {folder} {reached}")
        return "\n".join(lines)

    def inside(
        self, command: str, log: Any, *, user: str = "", network: bool = True, check: bool = False
    ) -> tuple[int, list[str]]:
        """Run a command inside; its exit code, and the processes that it left."""
        user = user or self.user
        environment: dict[str, str | None] = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.home, "USER": user,
            "TERM": "dumb", "PIP_CERT": CERTIFICATES,
        }  # fmt: skip
        if not self._one("bare"):
            # What one user kept in it, another may not replace.
            environment["PIP_CACHE_DIR"] = f"/pip-cache/{user}"
        for condition in self.conditions:
            environment |= condition.environment
        first = "; ".join(c.shell for c in self.conditions if c.shell) or "true"
        if user != "root" or not check:
            first += f"; cd {shlex.quote(self.reached)} || exit 9"
        words = [f"{name}={value}" for name, value in environment.items() if value is not None]
        script = f"{first}; {command}"
        call = ["env", "-i", *words, "bash", "-c", script]
        if user != "root":
            call = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *call]
        # The namespace's first process ends last, and says who is left.
        guard = (
            f"mount -t proc proc /proc; {shlex.join(call)}; code=$?; sleep 1; "
            "for one in /proc/[0-9]*; do pid=${one#/proc/}; "
            "if [ $pid != 1 ] && [ -s $one/cmdline ]; then "
            "echo \"LEFT $(tr '\\0' ' ' <$one/cmdline | cut -c 1-150)\"; fi; done; exit $code"
        )
        outer = ["unshare", "--pid", "--fork", "--kill-child"]
        if not network:
            outer += ["--net", "sh", "-c", 'ip link set lo up; exec "$@"', "-"]
        outer += ["chroot", str(self.root), "bash", "-c", guard]
        if cores := self._one("cores"):
            outer = ["taskset", "-c", ",".join(map(str, range(cores))), *outer]
        print(f"\n$ {command}", file=log, flush=True)
        with limited(self._one("memory_gb"), self.root) as enter:
            done = subprocess.Popen(
                outer, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                text=True, errors="replace", preexec_fn=enter,
            )  # fmt: skip
            left = []
            assert done.stdout is not None
            for line in done.stdout:
                log.write(line)
                log.flush()
                if line.startswith("LEFT "):
                    left.append(line[5:].strip())
            code = done.wait(LONGEST_S)
        left = [one for one in left if not one.startswith(("tr ", "cut ", "bash -c mount"))]
        if check and code:
            raise RuntimeError(f"{self.case}: the machine could not be made; see {self.log}")
        return code, left

    def _files(self) -> set[str]:
        """Everything in places where only people leave something, but for the checkout."""
        found = set()
        inside = self.folder.strip("/")
        for place in (*STRICT, "dev/shm", "small"):
            for folder, folders, files in os.walk(self.root / place):
                here = str(Path(folder).relative_to(self.root))
                folders[:] = [f for f in folders if f"{here}/{f}" != inside]
                found |= {f"{here}/{one}" for one in (*files, *folders)}
        return {one for one in found if not ALLOWED.fullmatch(one) and not inside.startswith(one)}


def debian(system: str) -> Path:
    """A Debian with git, make and python3 only; made once."""
    root = PLACE / system
    if not (root / ".whole").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={BARE}", system, str(root)],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        # A network with certificates of its own must be reachable from inside too.
        shutil.copy(CERTIFICATES, f"{root}{CERTIFICATES}")
        (root / ".whole").touch()
    return root


def furnished(system: str) -> Path:
    """Additions of the set-up: the layer between a bare Debian and a case."""
    layer = PLACE / f"{system}-packages"
    if not (layer / ".whole").exists():
        shutil.rmtree(layer, ignore_errors=True)
        machine = Machine(system, "bare")
        with ExitStack() as stack, machine.log.open("w", encoding="utf-8") as log:
            stack.enter_context(laid_over(machine.root, [debian(system)], layer))
            stack.enter_context(devices(machine.root, ""))
            machine.inside(machine._beginning(), log, user="root", check=True)
            code, _ = machine.inside("make testable", log)
            machine.inside(f"rm -rf {machine.folder}", log)
            if code:
                raise RuntimeError(f"packages of {system} were not installed: {machine.log}")
        (layer / ".whole").touch()
    return layer


@contextmanager
def laid_over(root: Path, lower: list[Path], upper: Path | None = None) -> Iterator[None]:
    """Mount a root in which everything that is written lands in ``upper``, or is thrown away."""
    bundle = PLACE / "machine.bundle"
    if not bundle.exists() or bundle.stat().st_mtime < STARTED:
        subprocess.run(["git", "-C", str(SOURCE), "branch", "-qf", "machine", "HEAD"], check=True)
        subprocess.run(["git", "-C", str(SOURCE), "bundle", "create", "-q", str(bundle), "machine"],
                       check=True)  # fmt: skip
        subprocess.run(["git", "-C", str(SOURCE), "branch", "-qD", "machine"], check=True)
    written, work = (
        upper or root.with_name(root.name + ".upper"),
        root.with_name("work-" + root.name),
    )
    cache = PLACE / "pip-cache"
    for folder in (root, written, work, cache):
        folder.mkdir(parents=True, exist_ok=True)
    cache.chmod(0o1777)
    below = ":".join(map(str, lower))
    how = f"lowerdir={below},upperdir={written},workdir={work}"
    try:
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", how, str(root)], check=True)
        (root / "pip-cache").mkdir(exist_ok=True)
        subprocess.run(["mount", "--bind", str(cache), str(root / "pip-cache")], check=True)
        shutil.copy(bundle, root / "machine.bundle")
        (root / "machine.bundle").chmod(0o644)
        yield
    finally:
        subprocess.run(["umount", "-R", str(root)], check=False)
        if not os.path.ismount(root):
            for folder in (root, work) if upper else (root, work, written):
                shutil.rmtree(folder, ignore_errors=True)


STARTED = time.time()
NODES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
"""Minor numbers of major 1, Linux' devices.txt."""


@contextmanager
def devices(root: Path, shm: str) -> Iterator[None]:
    """Mount ``/dev`` as a container has it."""
    dev = root / "dev"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "dev", str(dev)], check=True)
    for name, minor in NODES.items():
        os.mknod(dev / name, 0o20666, os.makedev(1, minor))
        (dev / name).chmod(0o666)
    os.mknod(dev / "tty", 0o20666, os.makedev(5, 0))
    (dev / "tty").chmod(0o666)
    for name, target in {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0",
                         "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
                         "ptmx": "pts/ptmx"}.items():  # fmt: skip
        (dev / name).symlink_to(target)
    (dev / "pts").mkdir()
    how = "newinstance,ptmxmode=0666,mode=620"
    subprocess.run(["mount", "-t", "devpts", "-o", how, "pts", str(dev / "pts")], check=True)
    if shm != "absent":
        (dev / "shm").mkdir()
        how = f"mode=1777,{shm or 'size=50%'}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", how, "shm", str(dev / "shm")], check=True)
    yield


@contextmanager
def limited(memory_gb: int, root: Path) -> Iterator[Any]:
    """Call of a process that limits its memory; inside the limit can be read, as in a
    container."""
    if not memory_gb:
        yield None
        return
    base, name = Path("sys/fs/cgroup/memory"), "memory.limit_in_bytes"
    if not ("/" / base).exists():
        base, name = base.parent, "memory.max"
    group = "/" / base / f"heelstone-{os.getpid()}"
    group.mkdir()
    (group / name).write_text(str(memory_gb << 30))
    (root / base).mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "--bind", str(group), str(root / base)], check=True)
    try:
        yield lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
    finally:
        subprocess.run(["umount", str(root / base)], check=False)
        time.sleep(1)
        group.rmdir()


if __name__ == "__main__":
    sys.exit(main())
