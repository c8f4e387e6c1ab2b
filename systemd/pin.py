"""Pin what the installer installs: ``python systemd/pin.py`` writes ``requirements-*.txt`` anew.

For each system it asks pip which versions fit its Python, and writes them down with the hashes of
the wheels for 64-bit Raspberry Pi and PC. numpy is left out: the system's own must be used, for
the Pi camera's library is built against it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
WANTED = (
    "kivy>=2.3.1,<3", "gpiozero>=2.0.1.post3", "pyserial>=3.5", "msgspec>=0.20",
    "platformdirs>=4", "segno>=1.6", "fpdf2>=2.8", "setuptools>=68", "wheel",
    # Phones, the house's broker, and a table of a club: a few MB, loaded only once they are used.
    "starlette>=1.0.1", "uvicorn>=0.35", "paho-mqtt>=2.0", "nats-py>=2.9", "pynacl>=1.5",
)  # fmt: skip
SOURCES = ("nkeys>=0.2.1",)
"""Pure Python that is offered without wheels; the pinned setuptools makes them."""
CLUB = ("psycopg[binary]>=3.2", "openskill>=6", "networkx>=3.2")
"""What the computer of a club needs besides."""
SYSTEMS = {
    # OpenCV from 4.12 on needs numpy 2; Debian 12 has numpy 1.24.
    "bookworm": ("3.11", "opencv-python==4.11.0.86"),
    "trixie": ("3.13", "opencv-python>=4.12,<6"),
}
MACHINES = ("aarch64", "x86_64")
SYSTEM_OWN = {"numpy"}


def main() -> int:
    """Write the files; the exit code is pip's if it finds no answer."""
    for system, (python, opencv) in SYSTEMS.items():
        table = _pins(python, (*WANTED, opencv))
        _write(f"requirements-{system}.txt", system, table)
        everything = _pins(python, (*WANTED, opencv, *CLUB))
        club = {pin: digests for pin, digests in everything.items() if pin not in table}
        _write(f"requirements-club-{system}.txt", system, club)
    sources = _asked("--no-deps", "--no-binary=:all:", *SOURCES)
    pins = {(name, version): {digest} for name, version, digest in sources}
    _write("requirements-source.txt", "bookworm or trixie", pins)
    return 0


Pins = dict[tuple[str, str], set[str]]
"""By name and version: the hashes of the wheels."""


def _pins(python: str, wanted: tuple[str, ...]) -> Pins:
    pins: Pins = {}
    for machine in MACHINES:
        for name, version, digest in _resolve(python, machine, wanted):
            if name not in SYSTEM_OWN:
                pins.setdefault((name, version), set()).add(digest)
    return pins


def _write(name: str, system: str, pins: Pins) -> None:
    lines = [f"# Written by systemd/pin.py for Debian {system} and its Raspberry Pi OS."]
    for (package, version), digests in sorted(pins.items()):
        hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(digests))
        lines.append(f"{package}=={version} {hashes}")
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {len(pins)} packages")


def _resolve(python: str, machine: str, wanted: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of every wheel that pip would install."""
    return _asked(*fitting(python, machine), *wanted)


def fitting(python: str, machine: str) -> list[str]:
    """Options of pip for the wheels that such a system takes, whatever this one is."""
    tag = "cp" + python.replace(".", "")
    platforms = [f"manylinux_2_28_{machine}", f"manylinux_2_17_{machine}", "any"]
    return [
        "--only-binary=:all:", "--python-version", python, "--implementation", "cp",
        *(f"--abi={abi}" for abi in (tag, "abi3", "none")),
        *(f"--platform={p}" for p in (*platforms, f"manylinux2014_{machine}")),
    ]  # fmt: skip


def _asked(*arguments: str) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of every file that ``pip install`` would take."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
            "--target", folder, "--report", str(report), *arguments,
        ]  # fmt: skip
        subprocess.run(command, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return [
        (
            str(item["metadata"]["name"]).lower().replace("_", "-"),
            str(item["metadata"]["version"]),
            str(item["download_info"]["archive_info"]["hashes"]["sha256"]),
        )
        for item in found
    ]


if __name__ == "__main__":
    sys.exit(main())
