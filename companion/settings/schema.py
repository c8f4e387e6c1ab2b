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
from hardware.settings import DISPLAYS, options_type

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The newest one that editors for TOML take."""


def settings_schema() -> dict[str, Any]:
    """A JSON Schema."""
    root, kinds = _described(Settings)
    # An editor does not know which kind of display it is.
    options = [_described(options_type(kind))[1] for kind in DISPLAYS]
    kinds["ScoreSettings"]["properties"]["options"] |= {
        "additionalProperties": False,
        "properties": {
            name: told
            for structs in options
            for struct in structs.values()
            for name, told in struct["properties"].items()
        },
    }
    whole = kinds.pop(root["$ref"].rpartition("/")[2])
    schema = {**whole, "$schema": DRAFT, "title": "Settings of Heelstone", "definitions": kinds}
    return {key: _plain(value) for key, value in schema.items()}


def _described(struct: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a section and those of all within it, with descriptions."""
    (root,), kinds = msgspec.json.schema_components([struct], ref_template="#/definitions/{name}")
    for each in _structs(struct):
        properties = kinds[each.__name__]["properties"]
        for name, told in _told(each):
            properties[name]["description"] = told
    return root, kinds


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
