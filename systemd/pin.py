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
)  # fmt: skip
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
        pins: dict[tuple[str, str], set[str]] = {}
        for machine in MACHINES:
            for name, version, digest in _resolve(python, machine, (*WANTED, opencv)):
                if name not in SYSTEM_OWN:
                    pins.setdefault((name, version), set()).add(digest)
        lines = [f"# Written by systemd/pin.py for Debian {system} and its Raspberry Pi OS."]
        for (name, version), digests in sorted(pins.items()):
            hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(digests))
            lines.append(f"{name}=={version} {hashes}")
        path = HERE / f"requirements-{system}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(pins)} packages")
    return 0


def _resolve(python: str, machine: str, wanted: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of every wheel that pip would install."""
    tag = "cp" + python.replace(".", "")
    platforms = [f"manylinux_2_28_{machine}", f"manylinux_2_17_{machine}", "any"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
            "--only-binary=:all:", "--target", folder, "--report", str(report),
            "--python-version", python, "--implementation", "cp",
            *(f"--abi={abi}" for abi in (tag, "abi3", "none")),
            *(f"--platform={p}" for p in (*platforms, f"manylinux2014_{machine}")),
            *wanted,
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
