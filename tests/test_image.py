"""The recipe of an SD card: a stage of pi-gen and an entry for Raspberry Pi Imager.

No board booted such a card. What can be checked without one is checked: names, fields and words
that pi-gen and Imager document, and what the stage's script does.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import importlib.util
import json
import lzma
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.needed import skip_without

ROOT = Path(__file__).parents[1]
IMAGE = ROOT / "systemd" / "image"
STAGE = IMAGE / "stage-heelstone"
SCRIPTS = (STAGE / "prerun.sh", STAGE / "00-heelstone" / "01-run.sh")

SETTINGS = {
    "IMG_NAME", "PI_GEN_RELEASE", "RELEASE", "APT_PROXY", "TEMP_REPO", "BASE_DIR", "WORK_DIR",
    "DEPLOY_DIR",
    "DEPLOY_COMPRESSION", "COMPRESSION_LEVEL", "USE_QEMU", "LOCALE_DEFAULT", "TARGET_HOSTNAME",
    "KEYBOARD_KEYMAP", "KEYBOARD_LAYOUT", "TIMEZONE_DEFAULT", "FIRST_USER_NAME", "FIRST_USER_PASS",
    "DISABLE_FIRST_BOOT_USER_RENAME", "WPA_COUNTRY", "ENABLE_SSH", "PUBKEY_SSH_FIRST_USER",
    "PUBKEY_ONLY_SSH", "SETFCAP", "STAGE_LIST", "EXPORT_CONFIG_DIR", "ENABLE_CLOUD_INIT",
}  # fmt: skip
"""What pi-gen's README lists for its config."""
STEP = re.compile(r"\d\d-(run\.sh|run-chroot\.sh|debconf|packages|packages-nr|patches)")
"""What a folder of a stage may hold, by the same README."""

FIELDS: dict[str, type] = {
    "name": str, "description": str, "icon": str, "url": str, "extract_size": int,
    "extract_sha256": str, "image_download_size": int, "release_date": str, "devices": list,
}  # fmt: skip
"""Required by Imager (``doc/json-schema/os-list-schema.json``, ``doc/schema-notes.md``)."""
MORE: dict[str, type] = {
    "image_download_sha256": str, "init_format": str, "website": str, "architecture": str,
    "capabilities": list,
}  # fmt: skip
INIT_FORMATS = {"none", "systemd", "cloudinit", "cloudinit-rpi"}
DEVICES = {f"pi{number}-{bits}bit" for number in range(1, 6) for bits in (32, 64)}
CAPABILITIES = {
    "i2c", "onewire", "passwordless_sudo", "rpi_connect", "secure_boot", "serial", "spi", "usb_otg",
}  # fmt: skip
"""Imager's words (``doc/local_json/create_local_json.py``)."""


def _program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("imager", ROOT / "systemd" / "imager.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


imager = _program()


def sourced(tmp_path: Path, folder: str = "image") -> dict[str, str]:
    """The settings as build.sh takes them: bash reads the file."""
    package = tmp_path / "heelstone_9.9+deb13_arm64.deb"
    package.touch()
    shown = 'for name in "$@"; do printf "%s=%s\\0" "$name" "${!name}"; done'
    # pi-gen takes no path with a space, where the checkout may well lie.
    own = shutil.copytree(IMAGE, tmp_path / folder)
    text = (own / "config").read_text()
    names = re.findall(r"^(?:export )?([A-Z_]+)=", text, re.M)
    done = subprocess.run(
        ["bash", "-euc", f'source "{own / "config"}"; {shown}', "-", *names],
        env={"PATH": "/usr/bin:/bin", "HEELSTONE_DEB": str(package)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    pairs = (pair.partition("=") for pair in done.stdout.split("\0") if pair)
    return {name: value for name, _equals, value in pairs}


def test_the_settings_are_ones_that_pi_gen_has(tmp_path: Path) -> None:
    settings = sourced(tmp_path)
    assert set(settings) - {"HEELSTONE_DEB"} <= SETTINGS
    # A lock of pinned packages exists for it.
    assert (ROOT / "systemd" / f"requirements-{settings['RELEASE']}.txt").exists()
    *before, own = settings["STAGE_LIST"].split()
    # Those three are Raspberry Pi OS Lite.
    assert before == ["stage0", "stage1", "stage2"]
    assert Path(own) == tmp_path / "image" / STAGE.name


def test_a_folder_with_a_space_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        sourced(tmp_path, "my images")
    assert "no folder with a space" in refused.value.stderr


def test_a_card_has_neither_user_nor_password_nor_an_open_door(tmp_path: Path) -> None:
    settings = sourced(tmp_path)
    assert settings["ENABLE_SSH"] == "0" and settings["ENABLE_CLOUD_INIT"] == "1"
    assert not {"FIRST_USER_NAME", "FIRST_USER_PASS", "PUBKEY_SSH_FIRST_USER"} & set(settings)


def test_the_stage_is_laid_out_as_pi_gen_reads_it() -> None:
    names = {path.name for path in STAGE.iterdir()}
    assert names == {"prerun.sh", "EXPORT_IMAGE", "00-heelstone"}
    for path in (STAGE / "00-heelstone").iterdir():
        assert STEP.fullmatch(path.name), path.name
    # pi-gen passes over scripts that cannot be run, without a word.
    assert all(script.stat().st_mode & 0o111 for script in SCRIPTS)


def test_the_card_has_everything_that_the_installer_wants() -> None:
    listed = (STAGE / "00-heelstone" / "00-packages-nr").read_text().split()
    wanted = re.search(r"^WANTED=\(([^)]*)\)$", (ROOT / "install.sh").read_text(), re.M)
    assert wanted is not None and listed == wanted[1].split()


def test_the_recipe_is_clean_shell() -> None:
    skip_without("shellcheck")
    files = [str(path) for path in (*SCRIPTS, IMAGE / "config")]
    assert subprocess.run(["shellcheck", *files], capture_output=True, text=True).stdout == ""


def stage(tmp_path: Path, package: Path) -> subprocess.CompletedProcess[str]:
    """Run the stage's script with a stand-in for pi-gen's ``on_chroot``."""
    own = 'on_chroot() { cat; ls "$ROOTFS_DIR/var/cache/apt/archives"; }; export -f on_chroot'
    return subprocess.run(
        ["bash", "-c", f'{own}; "{SCRIPTS[1]}"'],
        env={
            "PATH": "/usr/bin:/bin", "ROOTFS_DIR": str(tmp_path / "root"),
            "HEELSTONE_DEB": str(package),
        },
        capture_output=True, text=True,
    )  # fmt: skip


def test_the_stage_installs_the_package_and_leaves_no_file_of_it(tmp_path: Path) -> None:
    package = tmp_path / "heelstone_9.9+deb13_arm64.deb"
    package.write_bytes(b"a package")
    done = stage(tmp_path, package)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "apt-get install -y --no-install-recommends /var/cache/apt/archives/heelstone.deb",
        "heelstone.deb",
    ]
    assert not [path for path in (tmp_path / "root").rglob("*") if path.is_file()]


def test_without_a_package_the_stage_says_what_to_do(tmp_path: Path) -> None:
    done = stage(tmp_path, tmp_path / "nothing.deb")
    assert done.returncode == 1 and "please run: make deb" in done.stderr


def lint(entry: dict[str, object]) -> list[str]:
    """Objections of Imager."""
    known = {**FIELDS, **MORE}
    told = [f"{name} is missing" for name in FIELDS if name not in entry]
    told += [f"{name} is unknown" for name in entry if name not in known]
    told += [
        f"{name} is no {known[name].__name__}"
        for name, value in entry.items() if name in known and not isinstance(value, known[name])
    ]  # fmt: skip
    for name in ("extract_sha256", "image_download_sha256"):
        if not re.fullmatch(r"[0-9a-f]{64}", str(entry.get(name))):
            told.append(f"{name} is no SHA-256")
    if entry.get("init_format") not in INIT_FORMATS:
        told.append("init_format is unknown")
    for name, words in (("devices", DEVICES), ("capabilities", CAPABILITIES)):
        found = entry.get(name)
        if not isinstance(found, list) or not found or not set(found) <= words:
            told.append(f"{name} has a word that Imager does not know")
    if not re.match(r"(https|file)://", str(entry.get("url"))):
        told.append("url is none")
    dt.date.fromisoformat(str(entry.get("release_date")))
    return told


@pytest.mark.parametrize("packed", [True, False])
def test_the_entry_has_what_imager_asks_for_and_is_about_this_image(
    packed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = bytes(range(256)) * 64
    image = tmp_path / ("heelstone.img.xz" if packed else "heelstone.img")
    image.write_bytes(lzma.compress(content) if packed else content)
    assert imager.main([str(image)]) == 0
    path = Path(capsys.readouterr().out.strip())
    # Imager 2 opens files with this ending.
    assert path.name == "heelstone.rpi-imager-manifest"
    told = json.loads(path.read_text())
    assert list(told) == ["os_list"] and len(told["os_list"]) == 1
    entry = told["os_list"][0]
    assert lint(entry) == []
    assert entry["extract_size"] == len(content)
    assert entry["extract_sha256"] == hashlib.sha256(content).hexdigest()
    assert entry["image_download_size"] == image.stat().st_size
    assert entry["image_download_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["url"] == image.as_uri()
    drawn = base64.b64decode(entry["icon"].removeprefix("data:image/svg+xml;base64,"))
    assert b"<svg" in drawn[:200]


def test_the_lint_finds_what_is_missing_misspelt_or_of_another_kind() -> None:
    told = lint({"name": 1, "colour": "red", "devices": ["pi6"], "release_date": "2026-11-23"})
    for fault in (
        "url is missing",
        "colour is unknown",
        "name is no str",
        "init_format is unknown",
    ):
        assert fault in told
    assert "devices has a word that Imager does not know" in told


def test_half_an_image_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = tmp_path / "heelstone.img.xz"
    image.write_bytes(lzma.compress(b"x" * 100_000)[:40])
    assert imager.main([str(image)]) == 2
    assert "is no whole image" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [image]
