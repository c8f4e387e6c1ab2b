"""Lists of the docs that are written from the code: ``python -m docs.gallery.tables``.

A list stands between ``<!--NAME-->`` and ``<!--/-->``.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from companion.presentation.announcement import ROWS, What
from companion.settings.preferences import choosable
from docs.gallery.hardware import hardware
from hardware.settings import DISPLAYS
from rules.texts import Texts

DOCS = Path(__file__).parents[1]
LIST = re.compile(r"(?s)<!--(\w+)-->\n.*?<!--/-->")


def displays() -> Iterator[str]:
    """Kinds of score displays, by the first lines of their modules."""
    yield from ("| `kind` | device |", "|---|---|")
    for kind, module in DISPLAYS.items():
        told = inspect.getdoc(import_module(module)) or ""
        yield f"| `{kind}` | {told.splitlines()[0].removesuffix('.').replace('``', '`')} |"


def happenings() -> Iterator[str]:
    """Happenings in the stream, with their fields and the words about their kind."""
    for what, row in ROWS.items():
        if row.stream is not None and not row.name:
            fields = [f"`{name.partition('=')[0]}`" for name in row.stream.split()]
            yield f"- `{what}`: {', '.join(fields)}{': ' if fields else ''}{_told_of(what)}"


def _told_of(what: What) -> str:
    """The words below a kind of announcements."""
    (kinds,) = ast.parse(inspect.getsource(What)).body
    assert isinstance(kinds, ast.ClassDef)
    for named, below in zip(kinds.body, kinds.body[1:], strict=False):
        match named, below:
            case (
                ast.Assign(targets=[ast.Name(id=what.name)]),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                return " ".join(words.replace("``", "`").split())
    raise ValueError(what)


def choices() -> Iterator[str]:
    """The section of the settings file for rows of the settings page."""
    words = Texts("preferences", "en")
    yield from ("```toml", "[screen]")
    for row in choosable():
        section, _, name = row.key.rpartition(".")
        if section == "screen":
            *_others, shown = values = [json.dumps(value) for value in row.values]
            yield f"{f'{name} = {shown}':<28} # {words(name)}: {', '.join(values)}"
    yield "```"


LISTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "displays": displays, "happenings": happenings, "choices": choices, "hardware": hardware,
}  # fmt: skip


def rewritten(page: str) -> str:
    """A page with its lists as they are today."""
    return LIST.sub(
        lambda found: "\n".join([f"<!--{found[1]}-->", *LISTS[found[1]](), "<!--/-->"]), page
    )


def rewrite() -> None:
    """Write the lists of all pages anew."""
    for page in DOCS.glob("*.md"):
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
