"""The page about text files names every section that the code reads, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rules.games import own_ids
from rules.telling import _SEATS, SECTIONS
from rules.texts import AUTHORED, read_texts
from tests.support.command import ROOT
from tests.support.sources import SOURCES, named, tree

PAGE = (ROOT / "docs" / "texts.md").read_text(encoding="utf-8")
ASKING = {"text", "has", "common", "_entry", "_asked"}
"""Functions of a teller whose first argument is a section."""
FILES = ("_own", "_common", "own", "common")
"""What text files are called where they are read."""
OTHERS = {"name", "tagline"}


def on_the_page() -> set[str]:
    """The sections that have an entry in one of the lists."""
    return set(re.findall(r"^- `\[([a-z_]+)\]`, by ", PAGE, re.MULTILINE))


def _text(node: ast.expr) -> str:
    found = node.value if isinstance(node, ast.Constant) else ""
    return found if isinstance(found, str) and re.fullmatch(r"[a-z_]+", found) else ""


def read_by_the_code() -> Iterator[str]:
    """Every section that a file of the rules or of the companion reads."""
    for file in SOURCES:
        # Reading all files as Python takes long, and few ask for words.
        if not re.search("[Tt]eller|load_text", file.read_text(encoding="utf-8")):
            continue
        for node in ast.walk(tree(file)):
            match node:
                case ast.Call(func=ast.Attribute(attr=attr), args=[first, *more]) if (
                    attr in ASKING and more
                ) or attr == "_entry":
                    yield _text(first)
                case ast.Call(func=ast.Attribute(value=source, attr="get"), args=[first, *_]) if (
                    named(source) in FILES
                    or (isinstance(source, ast.Call) and named(source.func) == "load_text")
                ):
                    yield _text(first)
                case ast.Subscript(value=source, slice=key) if (
                    not isinstance(source, ast.Subscript) and named(source) in FILES
                ):
                    yield _text(key)
                case ast.For(target=ast.Name(id="section"), iter=ast.Tuple(elts=sections)):
                    yield from map(_text, sections)


def test_every_section_that_is_read_is_on_the_page_and_no_other() -> None:
    read = set(read_by_the_code()) - {""} - OTHERS
    assert len(read) > 20
    assert on_the_page() == SECTIONS
    assert read - SECTIONS == set(), "the code reads what is not in SECTIONS"
    assert SECTIONS - read == set(), "nobody reads what is in SECTIONS"


def text_files() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name and content of every text file of a game, and of what they share."""
    for lang in AUTHORED:
        for name in ("common", *own_ids()):
            yield f"{lang}/{name}", read_texts(name, lang)


def test_games_write_no_section_that_is_not_on_the_page() -> None:
    for name, texts in text_files():
        assert set(texts) - OTHERS <= on_the_page(), name


def test_every_word_after_a_colon_is_on_the_page_and_no_other() -> None:
    telling = tree(ROOT / "rules" / "telling.py")
    known = {
        str(case.pattern.value.value)
        for node in ast.walk(telling)
        if isinstance(node, ast.Match)
        for case in node.cases
        if isinstance(case.pattern, ast.MatchValue) and isinstance(case.pattern.value, ast.Constant)
    } - {""}
    table = PAGE[PAGE.index("| word | makes") : PAGE.index("In a title that begins")]
    assert set(re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)) == known


def test_the_parameters_that_are_seats_are_on_the_page() -> None:
    sentence = re.search(r"^Parameters called (.*) are seats", PAGE, re.MULTILINE)
    assert sentence is not None
    assert set(re.findall(r"`([a-z]+)`", sentence[1])) == _SEATS


def _placeholders(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {name for part in value.values() for name in _placeholders(part)}
    return set(re.findall(r"(?<!\{)\{([a-z_]+)", str(value)))


FIXED = ("moves", "turn", "outcomes", "puzzles", "judged", "company", "builds", "kinds", "sites")
"""Sections whose placeholders are given by Heelstone alone."""


@pytest.mark.parametrize("section", FIXED)
def test_texts_use_only_the_placeholders_that_the_page_names(section: str) -> None:
    entry = re.search(rf"^- `\[{section}\]`, by (.*)$", PAGE, re.MULTILINE)
    assert entry is not None
    named_there = _placeholders(entry[1].partition(" With ")[2])
    if "Placeholders as in `[moves]`" in entry[1]:
        named_there |= {"player"}
    for name, texts in text_files():
        assert _placeholders(texts.get(section, {})) <= named_there, name
