"""Lamps flicker with the mains, which differ from country to country."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.mains import mains_hz
from companion.settings.settings import CameraSettings


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        ("Europe/Berlin", 50), ("America/New_York", 60), ("America/Argentina/Cordoba", 50),
        ("Asia/Seoul", 60), ("Asia/Tokyo", 50), ("Australia/Perth", 50), ("America/Sao_Paulo", 60),
    ],
)  # fmt: skip
def test_the_time_zone_tells_the_country(tmp_path: Path, zone: str, hz: int) -> None:
    (tmp_path / "localtime").symlink_to(f"/usr/share/zoneinfo/{zone}")
    assert mains_hz(tmp_path) == hz


@pytest.mark.parametrize(("lang", "hz"), [("en_US.UTF-8", 60), ("de_DE.UTF-8", 50), ("C", 50)])
def test_without_one_the_language_does(
    tmp_path: Path, lang: str, hz: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "timezone").write_text("Etc/UTC\n")
    monkeypatch.setenv("LC_ALL", lang)
    assert mains_hz(tmp_path) == hz


def test_the_settings_know_better() -> None:
    assert CameraSettings(mains_hz=60).flicker_hz == 60
    assert CameraSettings().flicker_hz in (50, 60)
