"""A wheel and a source archive, built from the tree and used where there is nothing else of it.

``python -m tests.endurance.built_packages`` builds both and looks whether the archive lacks a file.
Each is installed into an empty environment, without extras first, and its commands are run for two
games from a folder of its own. Then tests run from the unpacked archive. Needs a network; takes a
quarter of an hour, and leaves nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = "knizia_stonehenge", "rollende_steine"
"""One that is open, one of dexterity whose course is built."""
TESTS = (
    "tests/rules/test_core.py", "tests/rules/box", "tests/rules/hidden", "tests/companion/settings",
    "tests/test_package.py", "tests/test_docs.py",
)  # fmt: skip
"""Run from the archive: rules, their support, files of the project, pages and examples."""
LICENCES = "LICENSE", "companion/presentation/fonts/OFL.txt"


class Wrong(Exception):
    """Something is not as it should be; the text says what."""


class Place:
    """A folder outside of the checkout, with a home of its own, in which commands are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "home").mkdir(parents=True)
        (folder / "work").mkdir()

    def run(self, *command: str | Path, code: int = 0, cwd: Path | None = None) -> str:
        """The command's output. Raises Wrong if it ends with another code."""
        started = time.monotonic()
        done = subprocess.run(
            [str(word) for word in command], cwd=cwd or self.folder / "work", env=self._environ(),
            capture_output=True, text=True,
        )  # fmt: skip
        told = f"{' '.join(Path(str(word)).name for word in command)}"
        if done.returncode != code:
            raise Wrong(f"{told} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        print(f"    {time.monotonic() - started:5.0f} s  {told}", flush=True)
        return done.stdout + done.stderr

    def environment(self) -> Path:
        """A new virtual environment; returns its folder of programs."""
        self.run(sys.executable, "-m", "venv", self.folder / "venv")
        return self.folder / "venv" / "bin"

    def _environ(self) -> dict[str, str]:
        # How packages are fetched is the machine's; nothing of the checkout's comes along.
        kept = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "VIRTUAL_ENV", "HEELSTONE", "XDG_"))
        }  # fmt: skip
        return kept | {
            "HOME": str(self.folder / "home"), "SDL_VIDEODRIVER": "offscreen",
            "LIBGL_ALWAYS_SOFTWARE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }  # fmt: skip


def built(place: Place) -> tuple[Path, Path]:
    """The wheel and the source archive, from a copy of what the checkout holds."""
    tree = place.folder / "tree"
    names = tracked()
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    programs = place.environment()
    place.run(programs / "pip", "install", "-q", "build")
    place.run(programs / "python", "-m", "build", "--outdir", place.folder / "dist", tree)
    (wheel,), (archive,) = (
        list((place.folder / "dist").glob(kind)) for kind in ("*.whl", "*.tar.gz")
    )
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    if lacking := sorted(set(names) - held):
        raise Wrong(f"the source archive lacks {len(lacking)} files, such as {lacking[:5]}")
    with zipfile.ZipFile(wheel) as opened:
        inside = opened.namelist()
    for licence in LICENCES:
        if not any(name.endswith(f".dist-info/licenses/{licence}") for name in inside):
            raise Wrong(f"the wheel lacks {licence}")
    return wheel, archive


def tracked() -> list[str]:
    """Every file of the project, also those not yet committed. Raises Wrong outside of git."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Wrong(f"what belongs to the project only git can say: {done.stderr.strip()}")
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def use(place: Place, package: Path) -> None:
    """Install a package where there is nothing else and run its commands. Raises Wrong."""
    programs = place.environment()
    heelstone = programs / "heelstone"
    place.run(programs / "pip", "install", "-q", package)
    where = place.run(programs / "python", "-c", "import rules; print(rules.__file__)").strip()
    if not Path(where).is_relative_to(place.folder):
        raise Wrong(f"the rules come from {where}")
    listed = {
        json.loads(line)["id"] for line in place.run(heelstone, "games", "--json").splitlines()
    }
    if not set(GAMES) <= listed:
        raise Wrong(f"games lists {sorted(listed)}")
    for game in GAMES:
        played = place.run(heelstone, "simulate", game, "--seed", "1", "--json").splitlines()
        if "outcome" not in played[-1]:
            raise Wrong(f"simulate {game} ends with {played[-1][:200]}")
        place.run(heelstone, "check", game, "--matches", "5")
        sheet = place.folder / "work" / f"{game}.pdf"
        told = place.run(heelstone, "--lang", "en", "print", game, "--out", sheet, code=2)
        if told.count("\n") != 1 or "heelstone[print]" not in told:
            raise Wrong(f"without its extra print says {told}")
    place.run(programs / "pip", "install", "-q", f"heelstone[print] @ {package.as_uri()}")
    for game in GAMES:
        sheet = place.folder / "work" / f"{game}.pdf"
        place.run(heelstone, "print", game, "--out", sheet)
        if not sheet.read_bytes().startswith(b"%PDF"):
            raise Wrong(f"print {game} wrote no PDF")
    for demo in ((), GAMES[1:]):
        pictures = place.folder / "work" / "-".join(("demo", *demo))
        place.run(heelstone, "demo", *demo, "--headless", "--out", pictures)
        if not (pictures / "report.md").is_file():
            raise Wrong(f"the demo left no report in {pictures}")


def test(place: Place, archive: Path) -> None:
    """Run tests from the unpacked archive. Raises Wrong."""
    with tarfile.open(archive) as opened:
        opened.extractall(place.folder, filter="data")
    (tree,) = place.folder.glob("heelstone-*")
    programs = place.environment()
    place.run(programs / "pip", "install", "-q", "-e", f"{tree}[test]")
    told = place.run(programs / "python", "-m", "pytest", "-n", "2", *TESTS, cwd=tree)
    print(f"    {told.strip().splitlines()[-1]}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Build, install, run and test; 1 if something was wrong."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="heelstone-built-") as name:
        folder = Path(name)
        try:
            print("building", flush=True)
            wheel, archive = built(Place(folder / "built"))
            for package in (wheel, archive):
                print(package.name, flush=True)
                use(Place(folder / f"used{package.suffix}"), package)
            print("tests of the archive", flush=True)
            test(Place(folder / "unpacked"), archive)
        except Wrong as error:
            print(error, file=sys.stderr)
            return 1
    print("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
