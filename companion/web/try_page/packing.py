"""The Python of the page as one archive: all of the rules, of the rest what is imported, and the
files of words that these name."""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = ["ENTRANCE", "needed", "pack"]

ROOT: Final = Path(__file__).resolve().parents[3]
ENTRANCE: Final = "companion.web.try_page.answering"
"""The module that the browser's side calls."""
_OURS: Final = ("companion", "hardware", "rules")
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""The same every time, so that equal sources make equal archives."""


def needed(entrance: str = ENTRANCE) -> dict[str, Path]:
    """Files of the modules beside ``rules`` that ``entrance`` imports, directly or not, by name."""
    found: dict[str, Path] = {}
    left = [entrance]
    while left:
        module = left.pop()
        file = _file(module)
        if file is None or module in found or module.partition(".")[0] not in _OURS:
            continue
        found[module] = file
        parent = module.rpartition(".")[0]
        left += [*_imports(ast.parse(file.read_text(encoding="utf-8"))), *filter(None, [parent])]
    return {name: file for name, file in found.items() if name.partition(".")[0] != "rules"}


def pack(archive: Path) -> None:
    """Write the archive."""
    files = {*needed().values()}
    words = ROOT / "rules" / "languages"
    files |= {
        file
        for file in (ROOT / "rules").rglob("*")
        if file.suffix in (".py", ".toml") and words not in file.parents
    }
    scripts = "".join(file.read_text("utf-8") for file in files if file.suffix == ".py")
    said = set(re.findall(r'"([a-z_]+)[".]', scripts))
    files |= {file for file in words.glob("*/*.toml") if file.stem in said}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(files):
            entry = zipfile.ZipInfo(file.relative_to(ROOT).as_posix(), _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def _file(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imports(tree: ast.AST) -> Iterable[str]:
    """Modules that are imported, wherever it is done, but for those that are for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        yield from _imports(node)
