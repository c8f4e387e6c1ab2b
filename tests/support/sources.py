"""The project's own files as Python reads them, for tests of what holds in all of them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.support.command import ROOT

PACKAGES = ("rules", "vision", "hardware", "companion")
SOURCES = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]

OF_INTEREST = (
    ast.Call, ast.ClassDef, ast.Constant, ast.Import, ast.ImportFrom, ast.JoinedStr,
)  # fmt: skip


@cache
def tree(file: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """All calls, classes, constants, f-strings and imports of a file, wherever they stand."""
    return tuple(node for node in ast.walk(tree(file)) if isinstance(node, OF_INTEREST))


@cache
def imports(file: Path) -> tuple[str, ...]:
    """Every module that a file imports anywhere, by its full name."""
    found: list[str] = []
    for node in nodes(file):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relative to itself"
            assert node.module is not None
            found.append(node.module)
    return tuple(found)


def named(node: ast.expr) -> str:
    """Name of a class or function where it is used, without what it is reached by."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return named(node.value)
    return node.id if isinstance(node, ast.Name) else ""
