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
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").symlink_to(f"/usr/share/zoneinfo/{zone}")
    assert mains_hz(tmp_path) == hz


@pytest.mark.parametrize(
    ("wifi", "lang", "hz"),
    [("", "en_US.UTF-8", 60), ("", "de_DE.UTF-8", 50), ("", "C", 50), ("US", "C", 60),
     ("GB", "en_US.UTF-8", 50)],
)  # fmt: skip
def test_without_one_the_country_of_the_wifi_does_or_the_language(
    tmp_path: Path, wifi: str, lang: str, hz: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("etc", "proc"):
        (tmp_path / folder).mkdir()
    (tmp_path / "etc/timezone").write_text("Etc/UTC\n")
    line = f"root=LABEL=a cfg80211.ieee80211_regdom={wifi} rootwait" if wifi else "quiet"
    (tmp_path / "proc/cmdline").write_text(line)
    monkeypatch.setenv("LC_ALL", lang)
    assert mains_hz(tmp_path) == hz


def test_the_settings_know_better() -> None:
    assert CameraSettings(mains_hz=60).flicker_hz == 60
    assert CameraSettings().flicker_hz in (50, 60)
