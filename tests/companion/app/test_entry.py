"""The beginning of the command: a package that is missing is named, in one line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.command import ROOT


@pytest.mark.parametrize(
    ("module", "arguments", "told"),
    [
        ("msgspec", ["doctor"], "The package msgspec is missing"),
        ("platformdirs", ["games", "--lang", "de"], "Das Paket platformdirs fehlt"),
        ("cv2", ["watch", ".", "--game", "dominion", "--lang=de"], "Das Paket opencv-python fehlt"),
    ],
)
def test_a_missing_package_is_one_line(module: str, arguments: list[str], told: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; sys.argv = ['heelstone', *{arguments}]; "
        "from companion.app.entry import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True,
        timeout=240,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and done.stderr.count("\n") == 1


def test_with_all_packages_the_command_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.app.entry", "games"],
        cwd=ROOT, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 8
