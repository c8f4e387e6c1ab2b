"""Lock what is installed: ``make locks`` writes all ``requirements-*.txt`` anew.

uv finds the versions that fit a Python on a 64-bit Raspberry Pi and on a PC, and the hashes of
their files. There are two kinds of locks: those of this folder are what install.sh puts on a
table, those beside the Makefile what ``make demo`` and ``make test`` need. numpy is left out on a
table: the system's own must be used, for the Pi camera's library is built against it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PARTS = ("print", "web", "mqtt", "club")
"""Extras that are on every table: a few MB, loaded only once they are used."""
BUILDING = ("setuptools>=77", "wheel")
SOURCES = ("nkeys",)
"""Pure Python that is offered without wheels; the locked setuptools makes them."""
SYSTEMS = {
    # OpenCV from 4.12 on needs numpy 2; Debian 12 has numpy 1.24.
    "bookworm": ("3.11", "opencv-python==4.11.0.86"),
    "trixie": ("3.13", "opencv-python>=4.12"),
}
MACHINES = ("aarch64", "x86_64")
SYSTEM_OWN = {"numpy"}

Pins = dict[tuple[str, str], set[str]]
"""By name and version: the hashes of the files."""


def main() -> int:
    """Write the files; the exit code is uv's if it finds no answer."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *BUILDING]
    on_a_table = [*needed, *(one for part in PARTS for one in extras[part])]
    try:
        for system, (python, opencv) in SYSTEMS.items():
            whose = f"an installed table with Debian {system} or its Raspberry Pi OS"
            table = _without(_pins(python, [*on_a_table, opencv]), *SOURCES, *SYSTEM_OWN)
            _write(HERE / f"requirements-{system}.txt", whose, table)
            everything = _pins(python, [*on_a_table, opencv, *extras["club-server"]])
            club = {p: h for p, h in _without(everything, *SOURCES, *SYSTEM_OWN).items()
                    if p not in table}  # fmt: skip
            _write(HERE / f"requirements-club-{system}.txt", f"a club on {whose}", club)
            sources = {p: h for p, h in everything.items() if p[0] in SOURCES}
            _write(HERE / "requirements-source.txt", "every installed table", sources)
            pins = _pins(python, [*needed, *extras["test"]])
            _write(ROOT / f"requirements-{python}.txt", f"a checkout with Python {python}", pins)
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


def _pins(python: str, wanted: list[str]) -> Pins:
    pins: Pins = {}
    for machine in MACHINES:
        for name, version, digests in _resolve(python, machine, wanted):
            pins.setdefault((name, version), set()).update(digests)
    return pins


def _without(pins: Pins, *names: str) -> Pins:
    return {pin: digests for pin, digests in pins.items() if pin[0] not in names}


def _write(path: Path, whose: str, pins: Pins) -> None:
    lines = [f"# Written by `make locks` for {whose}."]
    for (package, version), digests in sorted(pins.items()):
        hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(digests))
        lines.append(f"{package}=={version} {hashes}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(pins)} packages")


def _resolve(python: str, machine: str, wanted: list[str]) -> list[tuple[str, str, list[str]]]:
    """Name, version and SHA-256 of the files of everything that is wanted."""
    command = [
        sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--generate-hashes",
        "--no-annotate", "--no-header", "--python-version", python,
        "--python-platform", f"{machine}-manylinux_2_28",
        "--only-binary", ":all:", *(word for one in SOURCES for word in ("--no-binary", one)), "-",
    ]  # fmt: skip
    told = subprocess.run(
        command, check=True, input="\n".join(wanted), stdout=subprocess.PIPE, text=True
    ).stdout
    found = re.findall(r"^([\w.-]+)==(\S+)((?: \\\n +--hash=\S+)+)", told, re.MULTILINE)
    return [
        (name, version, re.findall(r"--hash=sha256:([0-9a-f]{64})", rest))
        for name, version, rest in found
    ]


def fitting(python: str, machine: str) -> list[str]:
    """Options of pip for the wheels that such a system takes, whatever this one is."""
    tag = "cp" + python.replace(".", "")
    platforms = [f"manylinux_2_28_{machine}", f"manylinux_2_17_{machine}", "any"]
    return [
        "--only-binary=:all:", "--python-version", python, "--implementation", "cp",
        *(f"--abi={abi}" for abi in (tag, "abi3", "none")),
        *(f"--platform={p}" for p in (*platforms, f"manylinux2014_{machine}")),
    ]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
