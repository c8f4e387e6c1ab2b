"""The schema of the settings file, so that an editor knows its keys, their values and what they
mean.

It is made of the same types that the file is checked against, with what stands below each of their
fields as its description.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any

import msgspec

from companion.settings.preferences import Preferences, ScreenSettings
from companion.settings.settings import Settings

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The newest one that editors for TOML take."""


def settings_schema() -> dict[str, Any]:
    """A JSON Schema."""
    (root,), kinds = msgspec.json.schema_components([Settings], ref_template="#/definitions/{name}")
    for struct in _structs(Settings):
        properties = kinds[struct.__name__]["properties"]
        for name, told in _told(struct):
            properties[name]["description"] = told
    whole = kinds.pop(root["$ref"].rpartition("/")[2])
    schema = {**whole, "$schema": DRAFT, "title": "Settings of Heelstone", "definitions": kinds}
    return {key: _plain(value) for key, value in schema.items()}


def _structs(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    yield struct
    for field in msgspec.structs.fields(struct):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _structs(field.type)


def _told(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """Each field with what stands below it, or else what its section is."""
    declared = Preferences if struct is ScreenSettings else struct
    (body,) = ast.parse(dedent(inspect.getsource(declared))).body
    assert isinstance(body, ast.ClassDef)
    fields = msgspec.structs.fields(struct)
    names = {field.name for field in fields}
    for field in fields:
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield field.name, _line(inspect.getdoc(field.type) or "")
    for line, below in zip(body.body, body.body[1:], strict=False):
        match line, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ) if name in names:
                yield name, _line(text)


def _line(text: str) -> str:
    return " ".join(text.replace("``", "`").split())


def _plain(value: Any) -> Any:
    """Without what only Python understands, and without sections as the defaults of sections: an
    editor would write them out."""
    if isinstance(value, Mapping):
        return {
            key: inner.replace(r"\Z", "$") if key == "pattern" else _plain(inner)
            for key, inner in value.items()
            if not (key == "default" and isinstance(inner, Mapping))
        }
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
