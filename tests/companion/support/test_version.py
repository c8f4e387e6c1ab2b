"""The version of a Heelstone, and the commit that it was made from."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.support.doctor import examine
from companion.support.report import versions
from companion.support.version import RECORD, Version, commit_of, heelstone_version
from tests.support.command import ROOT, Heelstone

NAME = "32d53732f56fff254a4689bf309fa6cd665beec9"
PARTS = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "companion/__init__.py",
         "companion/support/__init__.py", "companion/support/version.py", str(RECORD))  # fmt: skip
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="install git")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The part of Heelstone that says what it is, as it is in a checkout."""
    tree = tmp_path / "somebody's" / "heelstone"
    for part in PARTS:
        (tree / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / part, tree / part)
    # Whatever this very tree was made from.
    (tree / RECORD).write_text("$Format:%H$\n")
    return tree


def committed(folder: Path) -> str:
    """Make a repository of a folder with everything in it; its commit."""
    me = ("-c", "user.name=Ada", "-c", "user.email=ada@table.example")
    for command in (("init", "-q"), ("add", "-A"), (*me, "commit", "-q", "-m", "all")):
        subprocess.run(["git", "-C", folder, *command], check=True)
    told = subprocess.run(
        ["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True
    )
    return told.stdout.strip()


@needs_git
def test_a_checkout_asks_git_and_says_whether_files_were_changed(tree: Path) -> None:
    assert commit_of(tree) == ""
    name = committed(tree)
    assert commit_of(tree) == name
    (tree / "README.md").write_text("changed")
    assert commit_of(tree) == f"{name}-dirty"


@needs_git
def test_a_copy_within_somebody_elses_repository_is_not_of_its_commit(tree: Path) -> None:
    committed(tree.parent)
    assert commit_of(tree) == ""


def test_what_was_recorded_is_believed(tree: Path) -> None:
    (tree / RECORD).write_text(f"{NAME}\n")
    (tree / ".git").mkdir()
    assert commit_of(tree) == NAME


def test_without_git_a_checkout_has_its_number_only(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / ".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert commit_of(tree) == ""
    assert str(Version("0.1.0", "")) == "0.1.0"


def test_people_see_the_beginning_of_a_commit() -> None:
    assert str(Version("0.1.0", NAME)) == "0.1.0 (32d53732f56f)"
    assert str(Version("0.1.0", f"{NAME}-dirty")) == "0.1.0 (32d53732f56f-dirty)"


def test_command_doctor_and_report_say_the_same(heelstone: Heelstone, tmp_path: Path) -> None:
    version = heelstone_version()
    assert heelstone("--version").out == f"Heelstone {version}\n"
    (told,) = heelstone("--json", "--version").records
    assert told == {"version": version.number, "commit": version.commit or None}
    assert versions()["heelstone"] == str(version)
    found = {one.check: one.text for one in examine(tmp_path, tmp_path / "none.toml", "de")}
    assert found["heelstone"] == f"Heelstone {version}"


@needs_git
def test_wheel_sdist_and_archive_record_the_commit_and_leave_the_checkout_as_it_was(
    tree: Path, tmp_path: Path
) -> None:
    pytest.importorskip("setuptools", reason="install setuptools")
    shutil.copyfile(ROOT / ".gitattributes", tree / ".gitattributes")
    name, out = committed(tree), tmp_path / "out"
    for command in (("build_py", "--build-lib", out), ("sdist", "--dist-dir", out)):
        subprocess.run(
            [sys.executable, "setup.py", "-q", *command], cwd=tree, check=True, capture_output=True
        )
    assert (out / RECORD).read_text().startswith(name)
    (sdist,) = out.glob("*.tar.gz")
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xf", sdist, "-C", unpacked], check=True)
    (built,) = unpacked.iterdir()
    assert commit_of(built).startswith(name)
    assert (tree / RECORD).read_text() == "$Format:%H$\n"
    archive = ["git", "-C", str(tree), "archive", "HEAD", str(RECORD)]
    exported = subprocess.run(archive, check=True, capture_output=True).stdout
    assert name.encode() in exported
