"""The schema of the settings file says what the program takes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.settings.schema import settings_schema
from companion.settings.settings import Settings
from tests.support.command import ROOT, Heelstone


def known(schema: dict[str, Any], kind: dict[str, Any]) -> dict[str, Any]:
    """The keys of a section."""
    name = kind.get("$ref", "").rpartition("/")[2]
    found = schema["definitions"][name] if name else kind
    keys: dict[str, Any] = found.get("properties", {})
    return keys


def misfits(schema: dict[str, Any], kind: dict[str, Any], data: dict[str, Any]) -> list[str]:
    """Keys that a section has not."""
    keys = known(schema, kind)
    found = [key for key in data if keys and key not in keys]
    for key, value in data.items():
        if isinstance(value, dict) and key in keys:
            found += misfits(schema, keys[key], value)
    return found


def test_every_key_is_there_and_no_other_is_let_through() -> None:
    schema = settings_schema()
    assert misfits(schema, schema, msgspec.to_builtins(Settings())) == []
    assert misfits(schema, schema, {"manners": {"comit_s": 1}}) == ["comit_s"]
    sections = [schema, *(kind for kind in schema["definitions"].values() if "properties" in kind)]
    assert all(section["additionalProperties"] is False for section in sections)


def test_the_example_of_the_docs_fits() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    example = tomllib.loads(page.split("```toml\n", 1)[1].split("```", 1)[0])
    schema = settings_schema()
    assert misfits(schema, schema, example) == []


def test_an_editor_is_told_what_keys_and_sections_mean() -> None:
    schema = settings_schema()
    camera = schema["definitions"]["CameraSettings"]["properties"]
    assert camera["lock"]["description"].startswith("Lock exposure")
    assert schema["properties"]["rig"]["description"].startswith("The settings of all devices")
    assert {"enum": ["de", "en"]} in schema["properties"]["lang"]["anyOf"]
    # Python's own way to end a pattern means something else elsewhere.
    assert r"\\Z" not in json.dumps(schema)


@pytest.mark.parametrize("where", ["stdout", "a file"])
def test_the_command_writes_it(heelstone: Heelstone, tmp_path: Path, where: str) -> None:
    file = tmp_path / "settings.schema.json"
    out = heelstone("settings", "schema", *(("--out", file) if where == "a file" else ())).out
    assert json.loads(out or file.read_text()) == settings_schema()
