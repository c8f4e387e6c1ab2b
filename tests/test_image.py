"""The image of a card, and its entry for Raspberry Pi Imager.

``tests/endurance/card.py`` starts a whole one; here it is laid out, and the entry is held against
what Imager documents.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import importlib.util
import json
import lzma
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.needed import skip_without

ROOT = Path(__file__).parents[1]

FIELDS: dict[str, type] = {
    "name": str, "description": str, "icon": str, "url": str, "extract_size": int,
    "extract_sha256": str, "image_download_size": int, "release_date": str, "devices": list,
}  # fmt: skip
"""Required by Imager (``doc/json-schema/os-list-schema.json``, ``doc/schema-notes.md``)."""
MORE: dict[str, type] = {
    "image_download_sha256": str, "init_format": str, "website": str, "architecture": str,
}  # fmt: skip
INIT_FORMATS = {"none", "systemd", "cloudinit", "cloudinit-rpi"}
DEVICES = {f"pi{number}-{bits}bit" for number in range(1, 6) for bits in (32, 64)}
"""Imager's words (``doc/local_json/create_local_json.py``)."""


def _program(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "systemd" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


imager, image_builder = _program("imager"), _program("image")


def test_a_card_has_two_partitions_with_the_systems_files(tmp_path: Path) -> None:
    skip_without("sfdisk", "mkfs.vfat", "mcopy", "mke2fs", "debugfs")
    root, card = tmp_path / "root", tmp_path / "card.img"
    (root / "boot/firmware/overlays").mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text("arm_64bit=1\n")
    (root / "boot/firmware/overlays/lamps.dtbo").write_bytes(b"lamps")
    (root / "etc").mkdir()
    (root / "etc/hostname").write_text("heelstone\n")
    image_builder.write(root, card)
    told = json.loads(subprocess.check_output(["sfdisk", "--json", card]))["partitiontable"]
    boot, system = told["partitions"]
    assert (told["label"], boot["type"], boot["bootable"], system["type"]) == (
        "dos", "c", True, "83",
    )  # fmt: skip
    fat = f"{card}@@{boot['start'] * 512}"
    listed = subprocess.check_output(["mdir", "-b", "-/", "-i", fat, "::"], text=True)
    assert listed.split() == ["::/config.txt", "::/overlays/", "::/overlays/lamps.dtbo"]
    read = ["debugfs", "-R", "cat etc/hostname", f"{card}?offset={system['start'] * 512}"]
    assert subprocess.run(read, capture_output=True, text=True).stdout == "heelstone\n"
    assert (system["start"] + system["size"]) * 512 == card.stat().st_size


def test_without_a_package_or_without_rights_nothing_is_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image_builder.os, "geteuid", lambda: 0)
    assert image_builder.main(["--out", str(tmp_path)]) == 2
    assert "please run: make deb" in capsys.readouterr().err
    monkeypatch.setattr(image_builder.os, "geteuid", lambda: 1000)
    assert image_builder.main(["--out", str(tmp_path)]) == 2
    assert "must be run as root" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


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
    found = entry.get("devices")
    if not isinstance(found, list) or not found or not set(found) <= DEVICES:
        told.append("devices has a word that Imager does not know")
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
