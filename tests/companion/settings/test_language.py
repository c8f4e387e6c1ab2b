"""Complaints are made in the language that was chosen, before any settings are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.settings.language import complaint_language


def test_what_was_chosen_counts_before_the_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    where = ("--data", str(tmp_path), "--settings", str(tmp_path / "settings.toml"))
    assert complaint_language(where) == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert complaint_language(where) == "de"
    (tmp_path / "settings.toml").write_text('lang = "en"\n')
    assert complaint_language(where) == "en"
    (tmp_path / "preferences.json").write_text(json.dumps({"lang": "de"}))
    assert complaint_language(where) == "de"
    assert complaint_language((*where, "--lang", "en")) == "en"
    assert complaint_language((*where, "--lang=de")) == "de"
    (tmp_path / "preferences.json").write_text("{")
    assert complaint_language(where) == "en"
