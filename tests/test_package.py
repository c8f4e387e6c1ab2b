"""The Debian packages: what is in them, what they want of a system, and what their scripts do."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.needed import needs, skip_without

ROOT = Path(__file__).parents[1]
SYSTEMS = {"bookworm": "3.11", "trixie": "3.13"}


def _program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("package", ROOT / "systemd" / "package.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["package"] = module
    spec.loader.exec_module(module)
    return module


package = _program()

needs_dpkg = needs("dpkg-deb")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


def fields(control: str) -> dict[str, str]:
    lines = (line.partition(": ") for line in control.splitlines() if not line.startswith(" "))
    return {key: value for key, _colon, value in lines}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small version with one pinned package, with everything that a real one has."""
    small = tmp_path / "source"
    small.mkdir()
    for name in package.SOURCES:
        kept = (ROOT / name).is_file() or name == "systemd"
        if not kept:
            (small / name / "__pycache__").mkdir(parents=True)
            (small / name / "support").mkdir()
            (small / name / "__init__.py").write_text(f"# {name}\n")
            (small / name / "__pycache__" / "x.pyc").write_bytes(b"x")
        elif name == "systemd":
            shutil.copytree(ROOT / name, small / name)
        else:
            shutil.copyfile(ROOT / name, small / name)
    shutil.copyfile(ROOT / "CHANGELOG.md", small / "CHANGELOG.md")
    digest = hashlib.sha256(b"a wheel").hexdigest()
    for lock in package.locks(small, "bookworm"):
        lock.write_text(f"# pinned\none==1.0 --hash=sha256:{digest}\n")
    return small


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels" / "bookworm-arm64"
    folder.mkdir(parents=True)
    (folder / "one-1.0-py3-none-any.whl").write_bytes(b"a wheel")
    (folder / "one-0.9-py3-none-any.whl").write_bytes(b"an older one")
    return folder.parent


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_package_depends_on_what_the_installer_would_have_fetched(system: str) -> None:
    found = fields(package.control(ROOT, system, "arm64", 1))
    installer = (ROOT / "install.sh").read_text()

    def wanted(name: str) -> list[str]:
        block = re.search(rf"^{name}=\((.*?)\)$", installer, re.M | re.S)
        assert block is not None, name
        return block[1].split()

    first, _, after = SYSTEMS[system].partition(".")
    python = [f"python3 (>= {first}.{after})", f"python3 (<< {first}.{int(after) + 1})"]
    assert found["Depends"].split(", ") == [*python, *wanted("NEEDED"), *wanted("KIOSK")]
    assert found["Recommends"].split(", ") == wanted("WANTED")
    assert found["Suggests"].split(", ") == wanted("CLUB")


def test_an_upgrade_of_debian_takes_the_package_that_is_made_for_it() -> None:
    versions = [package.version_of(ROOT, system) for system in ("bookworm", "trixie")]
    skip_without("dpkg")
    command = ["dpkg", "--compare-versions", versions[0], "lt", versions[1]]
    assert subprocess.run(command).returncode == 0


def test_what_others_made_travels_with_its_licence() -> None:
    """Fonts and pictures of the packages; ours are drawn by the program, so there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    told = set(project["license-files"])
    made = [
        file for name in ("rules", "vision", "hardware", "companion")
        for file in (ROOT / name).rglob("*")
        if file.suffix in {".otf", ".ttf", ".woff", ".woff2", ".png", ".jpg", ".jpeg", ".gif"}
    ]  # fmt: skip
    assert made
    for file in made:
        beside = {text.relative_to(ROOT).as_posix() for text in file.parent.glob("*.txt")}
        assert beside & told, f"no licence that the package names lies beside {file}"
    for licence in told:
        assert (ROOT / licence).is_file()
    texts = package.licences()
    assert project["license"] == "MIT AND OFL-1.1"
    assert "PERMISSION & CONDITIONS" in texts and "Permission is hereby granted" in texts
    whole = texts.rpartition("License: OFL-1.1\n")[2].splitlines()
    assert whole and all(line[0] == " " and line.strip() for line in whole)


def test_nobodys_address_is_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEBFULLNAME", "DEBEMAIL"):
        monkeypatch.delenv(name, raising=False)
    assert fields(package.control(ROOT, "bookworm", "arm64", 1))["Maintainer"] == (
        "The Heelstone founders <root@localhost>"
    )
    monkeypatch.setenv("DEBFULLNAME", "Ada")
    monkeypatch.setenv("DEBEMAIL", "ada@table.example")
    assert package.maintainer() == "Ada <ada@table.example>"


@needs_dpkg
def test_a_package_holds_the_source_the_pinned_wheels_and_no_rubbish(
    source: Path, wheels: Path, tmp_path: Path
) -> None:
    chosen = package.fetched(source, "bookworm", "arm64", wheels)
    path = package.build(source, "bookworm", "arm64", chosen, tmp_path / "out")
    version = package.version_of(ROOT, "bookworm")
    assert path.name == f"heelstone_{version}_arm64.deb"
    told = run("dpkg-deb", "-c", str(path)).stdout
    rights = {line.split()[-1].removeprefix("./"): line.split()[:2] for line in told.splitlines()}
    place = "usr/lib/heelstone"
    assert rights[f"{place}/install.sh"] == ["-rwxr-xr-x", "root/root"]
    assert rights[f"{place}/companion/__init__.py"] == ["-rw-r--r--", "root/root"]
    assert {name for name in rights if name.endswith(".whl")} == {
        f"{place}/wheels/one-1.0-py3-none-any.whl"
    }
    assert not [name for name in rights if "__pycache__" in name]
    # Settings are made on the table, and nothing of the package lies where they are.
    assert all(name.startswith("usr/") for name in rights if name)
    asked = run("dpkg-deb", "-f", str(path)).stdout
    assert fields(asked)["Architecture"] == "arm64"
    unpacked = tmp_path / "unpacked"
    subprocess.run(["dpkg-deb", "-R", str(path), str(unpacked)], check=True)
    # This one is made from no checkout.
    assert (unpacked / place / package.RECORD).read_text() == "\n"
    sums = (unpacked / "DEBIAN" / "md5sums").read_text().splitlines()
    assert {line.split("  ")[1] for line in sums} == {
        name for name in rights if not name.endswith("/") and name
    }


@needs_dpkg
def test_the_same_source_makes_the_same_file(source: Path, wheels: Path, tmp_path: Path) -> None:
    chosen = package.fetched(source, "bookworm", "arm64", wheels)
    first = package.build(source, "bookworm", "arm64", chosen, tmp_path / "first").read_bytes()
    again = tmp_path / "another folder"
    shutil.copytree(source, again)
    (again / "rules" / "__init__.py").chmod(0o600)
    os.utime(again / "pyproject.toml", (package.moment(source),) * 2)
    os.utime(again / "rules" / "__init__.py", (1, 1))
    assert package.build(again, "bookworm", "arm64", chosen, tmp_path / "out").read_bytes() == first


def test_a_file_that_was_not_pinned_is_left_out_and_a_missing_one_is_told(
    source: Path, wheels: Path
) -> None:
    folder = wheels / "bookworm-arm64"
    (folder / "one-1.0-py3-none-any.whl").write_bytes(b"something else")
    with pytest.raises(package.WrongWheel, match=r"one==1\.0: no file"):
        package.pinned(package.locks(source, "bookworm"), folder)


@pytest.mark.parametrize("name", package.SCRIPTS)
def test_a_script_of_the_package_is_clean_shell(name: str) -> None:
    skip_without("shellcheck")
    told = subprocess.run(
        ["shellcheck", "-"], input=package.script(ROOT, name), capture_output=True, text=True
    )
    assert told.stdout == ""


# Every way in which dpkg calls them (Debian Policy 6.5), and whether they act then.
CALLS = {
    "preinst": {
        "install": "looked", "install 0.1 0.2": "looked", "upgrade 0.1 0.2": "looked",
        "abort-upgrade 0.2": "",
    },
    "postinst": {
        "configure": "--packaged", "configure 0.1": "--packaged", "abort-remove": "--packaged",
        "abort-upgrade 0.2": "", "abort-deconfigure in-favour other 1.0": "",
    },
    "prerm": {
        "remove": "--packaged --uninstall", "upgrade 0.2": "", "failed-upgrade 0.1": "",
        "deconfigure in-favour other 1.0": "",
    },
    "postrm": {
        "purge": "purged", "remove": "", "upgrade 0.2": "", "failed-upgrade 0.1": "",
        "abort-install": "", "abort-upgrade 0.1": "", "disappear other 1.0": "",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_the_scripts_act_when_dpkg_means_it_and_never_else(name: str, tmp_path: Path) -> None:
    installer = tmp_path / "install.sh"
    installer.write_text('#!/bin/sh\necho "$*"\n')
    installer.chmod(0o755)
    text = package.script(ROOT, name).replace("/usr/lib/heelstone/install.sh", str(installer))
    text = re.sub(r"^purge\(\) \{.*?^\}$", "purge() { echo purged; }", text, flags=re.M | re.S)
    # The whole of it is in the script, whatever computer this is.
    text = re.sub(r"^if grep .*?^fi$", "echo looked", text, flags=re.M | re.S)
    shell = text.splitlines()[0].removeprefix("#!")
    for call, acts in CALLS[name].items():
        done = run(shell, "-c", text, name, *call.split())
        assert (done.returncode, done.stdout.strip()) == (0, acts), call
    done = run(shell, "-c", text, name, "nonsense")
    assert done.returncode == 1 and "unknown argument 'nonsense'" in done.stderr


def test_a_version_that_fails_leaves_dpkg_a_way_to_mend_it(tmp_path: Path) -> None:
    text = package.script(ROOT, "postinst").replace("/usr/lib/heelstone/install.sh", "false")
    done = run("sh", "-c", text, "postinst", "configure")
    assert done.returncode == 1
    assert "sudo dpkg --configure heelstone" in done.stderr


def test_a_purge_takes_what_an_uninstall_with_purge_takes() -> None:
    installer = (ROOT / "install.sh").read_text()
    body = re.search(r"^purge\(\) \{.*?^\}$", installer, re.M | re.S)
    assert body is not None and body[0] in package.script(ROOT, "postrm")
    # What it speaks of is defined in both.
    for name in set(re.findall(r'"?\$([A-Z]+)\b', body[0])):
        own = re.search(rf"^{name}=(.*)$", package.script(ROOT, "postrm"), re.M)
        theirs = re.search(rf"^{name}=(.*)$", installer, re.M)
        assert own is not None and theirs is not None, name
        assert own[1] == theirs[1].removeprefix("$ROOT") or name == "ROOT"
