"""Build the Debian packages: ``python systemd/package.py`` writes them to ``out``.

A package holds one version's source, as in this folder, and every Python package that it needs,
for one Debian and one machine; so one file installs a table without a network. Its scripts call
install.sh, which builds the version beside the one in use, tries it, switches, and goes back where
that fails.

The same source makes the same file, byte for byte: files are in order, are root's, and have the
time of the last commit, or of ``SOURCE_DATE_EPOCH``.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from email.utils import formatdate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from pin import SYSTEMS, fitting

from companion.support.version import RECORD, commit_of

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "systemd" / "debian"
PLACE = "usr/lib/heelstone"
"""Where the package has install.sh, the source, and ``wheels``."""
SOURCES = (
    "LICENSE", "README.md", "companion", "hardware", "install.sh", "pyproject.toml",
    "rules", "systemd", "vision",
)  # fmt: skip
"""What a version is built from, and the pages that name its licence."""
LEFT_OUT = ("__pycache__", "*.pyc", "*.egg-info", ".*")
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
"""Debian's name of a machine, and Python's."""
RELEASES = {"bookworm": "12", "trixie": "13"}
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
DESCRIPTION = """Description: referee at a game table, with a camera over real boards
 Heelstone sees the real board, knows the rules of eight board games, keeps the
 score, and says in plain words why a move is not allowed.
 .
 This package makes a table of its own of a computer that does nothing else:
 Heelstone starts with it, on its screen or without one, is watched, and its
 journal is backed up. A newer version is built and tried beside the one in use.
"""


def main(arguments: list[str] | None = None) -> int:
    """Build what is asked for; the exit code is that of the program that failed."""
    parser = argparse.ArgumentParser(prog="package.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--system", choices=list(RELEASES), action="append", help="a Debian; all")
    parser.add_argument("--machine", choices=list(MACHINES), action="append", help="a kind; all")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="where they go")
    parser.add_argument("--source", type=Path, default=ROOT, help="the version's folder")
    parser.add_argument("--wheels", type=Path, default=ROOT / "out" / "wheels", help="kept here")
    asked = parser.parse_args(arguments)
    try:
        for system in asked.system or RELEASES:
            for machine in asked.machine or MACHINES:
                wheels = fetched(asked.source, system, machine, asked.wheels)
                print(build(asked.source, system, machine, wheels, asked.out))
    except subprocess.CalledProcessError as error:
        print(f"package.py: {error.cmd[0]} failed", file=sys.stderr)
        return int(error.returncode)
    except WrongWheel as error:
        print(f"package.py: {error}", file=sys.stderr)
        return 2
    return 0


class WrongWheel(ValueError):
    """A file is not the one that was pinned."""


# -- what is in it -------------------------------------------------------------------------


def version_of(source: Path, system: str) -> str:
    """The package's version. Debian 13's is the newer one, so that its upgrade takes it."""
    text = (source / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "([0-9][0-9A-Za-z.]*)"$', text, re.M)
    if found is None:
        raise ValueError("pyproject.toml has no version that a package can have")
    return f"{found[1]}+deb{RELEASES[system]}"


def system_packages(source: Path, name: str) -> list[str]:
    """An array of install.sh: what it has apt install where there is no package."""
    text = (source / "install.sh").read_text(encoding="utf-8")
    found = re.search(rf"^{name}=\(([^)]*)\)", text, re.M)
    if found is None:
        raise ValueError(f"install.sh names no {name}")
    return found[1].split()


def control(source: Path, system: str, machine: str, size_kib: int) -> str:
    """What dpkg and apt want to know. ``size_kib``: of everything that is unpacked."""
    major, minor = (int(part) for part in SYSTEMS[system][0].split("."))
    # Wheels are for one Python; another Debian needs another package.
    python = [f"python3 (>= {major}.{minor})", f"python3 (<< {major}.{minor + 1})"]
    needed = [*python, *system_packages(source, "NEEDED"), *system_packages(source, "KIOSK")]
    lines = [
        "Package: heelstone",
        f"Version: {version_of(source, system)}",
        f"Architecture: {machine}",
        f"Maintainer: {maintainer()}",
        f"Installed-Size: {size_kib}",
        f"Depends: {', '.join(needed)}",
        f"Recommends: {', '.join(system_packages(source, 'WANTED'))}",
        f"Suggests: {', '.join(system_packages(source, 'CLUB'))}",
        "Section: games",
        "Priority: optional",
    ]
    return "\n".join(lines) + "\n" + DESCRIPTION


def maintainer() -> str:
    """Whoever builds it, as Debian's own tools are told; else the computer that has it."""
    name = os.environ.get("DEBFULLNAME", "The Heelstone founders")
    return f"{name} <{os.environ.get('DEBEMAIL', 'root@localhost')}>"


def script(source: Path, name: str) -> str:
    """A maintainer script. What another file does for it is put in: there is none when it runs."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    installer = (source / "install.sh").read_text(encoding="utf-8")
    found = re.search(r"^purge\(\) \{.*?^\}$", installer, re.M | re.S)
    if found is None:
        raise ValueError("install.sh has no purge()")
    lacking = (source / "systemd" / "lacking.sh").read_text(encoding="utf-8")
    text = text.replace("# systemd/lacking.sh\n", lacking.partition("\n")[2])
    return text.replace("# purge() of install.sh\n", f"{found[0]}\n")


def changelog(source: Path, system: str, moment_s: int) -> str:
    """Debian's form of it; what changed for players is in CHANGELOG.md beside it."""
    return (
        f"heelstone ({version_of(source, system)}) {system}; urgency=medium\n\n"
        "  * What changed for players is in CHANGELOG.md.\n\n"
        f" -- {maintainer()}  {formatdate(moment_s)}\n"
    )


# -- wheels --------------------------------------------------------------------------------


def locks(source: Path, system: str) -> list[Path]:
    """The files of pinned packages that install.sh may want on such a system."""
    names = (f"requirements-{system}", "requirements-source", f"requirements-club-{system}")
    return [source / "systemd" / f"{name}.txt" for name in names]


def fetched(source: Path, system: str, machine: str, kept: Path) -> list[Path]:
    """Every pinned file, from ``kept`` or else from the package index."""
    folder = kept / f"{system}-{machine}"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return pinned(locks(source, system), folder)
    except WrongWheel:
        pass
    table, sources, club = locks(source, system)
    fits = fitting(SYSTEMS[system][0], MACHINES[machine])
    download(table, folder, *fits)
    download(club, folder, *fits)
    # pip asks a source what it is called, and setuptools answers: the pinned one.
    with tempfile.TemporaryDirectory() as tools:
        for wheel in folder.glob("setuptools-*.whl"):
            zipfile.ZipFile(wheel).extractall(tools)
        how = ("--no-binary=:all:", "--no-build-isolation")
        download(sources, folder, *how, PYTHONPATH=tools)
    return pinned(locks(source, system), folder)


def download(lock: Path, folder: Path, *how: str, **environment: str) -> None:
    """What a file pins, from pip's index."""
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--quiet", "--no-deps",
        "--require-hashes", "--dest", str(folder), *how, "-r", str(lock),
    ]  # fmt: skip
    surroundings = {**os.environ, **environment}
    subprocess.run(command, check=True, stdout=sys.stderr, env=surroundings)


def pinned(files: Iterable[Path], folder: Path) -> list[Path]:
    """The pinned files, one for each line; others in ``folder`` are left where they are."""
    by_digest = {
        hashlib.sha256(path.read_bytes()).hexdigest(): path for path in sorted(folder.iterdir())
    }
    found = []
    for lock in files:
        for line in lock.read_text(encoding="utf-8").splitlines():
            digests = re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
            if not digests:
                continue
            path = next((by_digest[one] for one in digests if one in by_digest), None)
            if path is None:
                raise WrongWheel(f"{line.split()[0]}: no file in {folder} has a pinned hash")
            found.append(path)
    return found


# -- the file ------------------------------------------------------------------------------


def build(source: Path, system: str, machine: str, wheels: list[Path], out: Path) -> Path:
    """Write the package into ``out``; its path."""
    moment_s = moment(source)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "heelstone"
        lay_out(tree, source, system, wheels, moment_s)
        size_kib = sum(-(-path.stat().st_size // 1024) for path in files_of(tree))
        digests = [
            f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"
            for path in files_of(tree)
        ]
        data = tree / "DEBIAN"
        data.mkdir()
        (data / "control").write_text(control(source, system, machine, size_kib), encoding="utf-8")
        (data / "md5sums").write_text("".join(digests), encoding="utf-8")
        for name in SCRIPTS:
            (data / name).write_text(script(source, name), encoding="utf-8")
        settle(tree, moment_s)
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"heelstone_{version_of(source, system)}_{machine}.deb"
        # Wheels are compressed already; xz would take ten times as long, and save nothing.
        command = [
            "dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(tree), str(path),
        ]  # fmt: skip
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment_s)}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return path


def lay_out(tree: Path, source: Path, system: str, wheels: list[Path], moment_s: int) -> None:
    """What is unpacked, below ``tree``."""
    place = tree / PLACE
    place.mkdir(parents=True)
    leave_out = shutil.ignore_patterns(*LEFT_OUT)
    for name in SOURCES:
        if (source / name).is_dir():
            shutil.copytree(source / name, place / name, ignore=leave_out)
        else:
            shutil.copyfile(source / name, place / name)
    # There is no git where it is unpacked.
    (place / RECORD).write_text(f"{commit_of(source)}\n", encoding="ascii")
    (place / "wheels").mkdir()
    for wheel in wheels:
        shutil.copyfile(wheel, place / "wheels" / wheel.name)
    papers = tree / "usr/share/doc/heelstone"
    papers.mkdir(parents=True)
    (papers / "copyright").write_text(licences(), encoding="utf-8")
    (papers / "changelog.gz").write_bytes(zipped(changelog(source, system, moment_s)))
    changes = (source / "CHANGELOG.md").read_text(encoding="utf-8")
    (papers / "CHANGELOG.md.gz").write_bytes(zipped(changes))
    overrides = tree / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    shutil.copyfile(TEMPLATES / "lintian-overrides", overrides / "heelstone")


def licences() -> str:
    """Debian's file of all licences, with the whole text of the typeface's."""
    text = (ROOT / "companion/presentation/fonts/OFL.txt").read_text(encoding="utf-8")
    whole = "".join(f" {line or '.'}\n" for line in text.splitlines())
    return f"{(TEMPLATES / 'copyright').read_text(encoding='utf-8')}\nLicense: OFL-1.1\n{whole}"


def zipped(text: str) -> bytes:
    """Compressed, without a time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def files_of(tree: Path) -> list[Path]:
    """Every file, in order."""
    return sorted(path for path in tree.rglob("*") if path.is_file())


def moment(source: Path) -> int:
    """What everything in it is dated, seconds since 1970: the last commit, if there is one."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told is not None:
        return int(told)
    command = ["git", "-c", "safe.directory=*", "-C", str(source), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        done = None
    if done is not None and done.returncode == 0:
        return int(done.stdout)
    return int((source / "pyproject.toml").stat().st_mtime)


def settle(tree: Path, moment_s: int) -> None:
    """Rights and times that do not depend on who builds it. What begins with ``#!`` may be run."""
    for path in [*sorted(tree.rglob("*"), reverse=True), tree]:
        if path.is_dir():
            path.chmod(0o755)
        else:
            with path.open("rb") as file:
                path.chmod(0o755 if file.read(2) == b"#!" else 0o644)
        os.utime(path, (moment_s, moment_s))


if __name__ == "__main__":
    sys.exit(main())
