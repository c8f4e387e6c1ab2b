"""Whether the package of a game can be installed elsewhere: its ``pyproject.toml`` names it, and
brings every file along. A folder that plays here may lack its texts on the machine of others."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rules.core import Game
from rules.plugins import names_games
from rules.testing.report import Report

__all__ = ["check_package"]

_MADE = (".py", ".pyc", ".pyo")
"""Endings of files that come along as modules, or are made from them."""
_BESIDE = (".", "__pycache__")
"""Prefixes of files and folders that are no part of a package."""
MOST = 4
"""So many files are named."""


def check_package(game: Game[Any], report: Report) -> None:
    """Nothing is asked of games that came with Heelstone, or that are installed already."""
    top = type(game).__module__.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if top == "rules" or file is None:
        return
    package = Path(file).parent
    folder = package.parent.parent if package.parent.name == "src" else package.parent
    if not names_games(folder):
        return
    data = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    for told, remedy in (*_project(data), *_files(data, folder, package)):
        report.add(f"pyproject.toml {told}", remedy)


def _project(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    project = data.get("project", {})
    for key in ("name", "version"):
        if not project.get(key) and key not in project.get("dynamic", ()):
            yield f"gives the project no {key}", f"Write '{key} = …' below [project]"
    needs = project.get("dependencies", ())
    if "dependencies" not in project.get("dynamic", ()) and not any(
        str(one).lower().startswith("heelstone") for one in needs
    ):
        yield (
            "does not name Heelstone as a dependency",
            'Write dependencies = ["heelstone"] below [project]',
        )


def _files(data: Mapping[str, Any], folder: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Setuptools takes what it is told to; other builders, and lists of files, have ways of their
    own."""
    backend = str(data.get("build-system", {}).get("build-backend", "setuptools"))
    if not backend.startswith("setuptools") or (folder / "MANIFEST.in").exists():
        return
    told = data.get("tool", {}).get("setuptools", {})
    listed = told.get("packages")
    if not isinstance(listed, list):
        listed = None
    parts = {package.name: package}
    for found in package.rglob("__init__.py"):
        name = ".".join(found.parent.relative_to(package.parent).parts)
        parts[name] = found.parent
    if listed is not None and (missing := sorted(set(parts) - set(listed))):
        yield (
            f"leaves the package {', '.join(missing)} behind",
            f"Name {missing[0]} in packages below [tool.setuptools]",
        )
    patterns = told.get("package-data", {})
    brought: set[Path] = set()
    for name, place in parts.items():
        for pattern in (*patterns.get(name, ()), *patterns.get("*", ())):
            brought.update(place.glob(pattern))
    behind = sorted(
        file.relative_to(package).as_posix()
        for file in package.rglob("*")
        if file.is_file() and file not in brought and file.suffix not in _MADE
        and not any(one.startswith(_BESIDE) for one in file.relative_to(package).parts)
    )  # fmt: skip
    if behind:
        named = ", ".join(behind[:MOST]) + (" …" if len(behind) > MOST else "")
        yield (
            f"leaves {named} behind when the game is installed",
            "Name patterns for them below [tool.setuptools.package-data]",
        )
