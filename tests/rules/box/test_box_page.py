"""The page about box files names every key that the reader knows, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

import rules
from companion.presentation.theme.piece_colours import NAMED, named_colour
from companion.presentation.theme.tokens import SAFE
from companion.printing.colours import pattern_of
from rules.box import parse_box
from rules.box.box import (
    PLAYER_COLOURS,
    SUPPLY_KINDS,
    WEIGHTS,
    Colour,
    Count,
    Extent,
    Length,
    NumberOf,
    Point,
    Size,
    Word,
)
from rules.box.file import File
from rules.box.series import Arc, Degrees, Lists
from rules.declared import Fits, Kind
from rules.telling import load_text
from tests.support.box_file import TABLES, defaults, keys

PAGE = (Path(rules.__file__).parents[1] / "docs" / "box-file.md").read_text(encoding="utf-8")
TYPES: list[tuple[Any, str]] = [
    (str, "text"), (bool, "yes or no"), (Word, "word"), (Size, "width, height"),
    (Point, "point"), (Length, "length"), (Arc, "length"), (Extent, "length or 0"),
    (Count, "number"), (NumberOf, "number"), (Degrees, "degrees"), (Colour, "colour"),
    (tuple[str, ...], "texts"), (tuple[Count, ...], "numbers"), (tuple[Point, ...], "points"),
]  # fmt: skip
"""The page's names for the types of values."""
EMPTY = {"optional", "required with stickers", "default all", "default the rows of `each`"}
"""The page's words about keys whose default is nothing."""


def _rows(heading: str) -> dict[str, tuple[str, str]]:
    """Type and default by key, of the list below a heading; the default is empty if required."""
    below = re.split(rf"(?m)^#+ {re.escape(heading)}$", PAGE)[1]
    rows = re.findall(r"(?m)^- `(\w+)` \((.*?)\): .", re.split(r"(?m)^#", below)[0])
    assert len(rows) == len({key for key, _ in rows}), heading
    parts = {key: said.partition("; ") for key, said in rows}
    return {key: (kind, default) for key, (kind, _, default) in parts.items()}


CALLED = {"series": "Series", "shape": "Shapes of strokes"}
SECTIONS: dict[str, tuple[type, ...]] = {"What stands where": (File, Lists)} | {
    CALLED.get(name, f"`{name}`"): (table,) for name, table in TABLES.items()
}


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_page_has_every_key_with_its_type_and_default(heading: str) -> None:
    told, tables = _rows(heading), SECTIONS[heading]
    assert set(told) == set(keys(*tables))
    preset = defaults(*tables)
    for name, hint in keys(*tables).items():
        kind, default = told[name]
        assert kind == _kind(name, hint), name
        assert (default == "") == (name not in preset), name
        if isinstance(preset.get(name), bool | int | float) and default not in EMPTY:
            assert default == "default " + str(preset[name]).lower().removesuffix(".0"), name
        elif preset.get(name) in ((), {}, ""):
            assert default in EMPTY or default.startswith("default by "), name


def _kind(name: str, hint: Any) -> str:
    optional = [one for one in get_args(hint) if one is not type(None)]
    if type(None) in get_args(hint):
        (hint,) = optional
    for known, called in TYPES:
        if hint == known:
            return called
    for note in (*get_args(hint), *(note for one in get_args(hint) for note in get_args(one))):
        if isinstance(note, Fits) and note.code == "wants_among":
            return ", ".join(f"`{value}`" for value in note.params["known"])  # type: ignore[attr-defined]
        if isinstance(note, Kind):
            return WORDS[note.words]
    tables = get_origin(hint) is tuple
    return "tables" if tables else "table"


WORDS = {
    "kind_names": "table of texts", "kind_colours": "table of colours",
    "kind_rows": "tables, or name", "kind_tables": "tables",
}  # fmt: skip


def test_the_example_on_the_page_is_a_box() -> None:
    (example,) = [block for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
                  if "[box]" in block]  # fmt: skip
    box = parse_box(example, "box-file.md")
    assert box.keeps_supplies(box.sites["taken"]) and box.sites["a"].drawn == 5


def test_every_example_of_a_series_on_the_page_is_one() -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (whole,) = [example for example in examples if "[box]" in example]
    head, sites, kinds, _ = re.split(r"(?m)^(?=\[\[site\]\]\nid = \"a\"|\[kinds|\[\[stroke)", whole)
    for word in ("ring = { radius", "grid =", "each =", "copies = 3\n", "sector ="):
        (example,) = [example for example in examples if word in example]
        places = "" if "[[site]]" in example else sites
        box = parse_box(head + places + example + kinds, "box-file.md")
        assert len([*box.sites, *box.kinds, *box.strokes]) > 2, word


def test_weights_and_kinds_of_places_with_a_meaning_are_explained() -> None:
    assert all(f"`{word}`" in PAGE for word in (*WEIGHTS, *SUPPLY_KINDS))


def test_the_names_of_colours_are_those_that_texts_screens_and_print_know() -> None:
    names: dict[str, tuple[str, str, str]] = {}
    table = re.split("(?m)^## Names of colours$", PAGE)[1]
    for called, words, code, pattern in re.findall(
        r"(?m)^\| (`[^|]*`) \| ([^|]*)\| `(#\w+)` \| (\w+) \|$", table
    ):
        for name in re.findall(r"`(\w+)`", called):
            names[name] = (words.strip(), code, pattern)
    assert set(names) | {"gray"} == {*PLAYER_COLOURS, *SAFE, *NAMED}
    for name, (words, code, pattern) in names.items():
        assert code == named_colour(name), name
        assert pattern == pattern_of(name), name
        known = [load_text("common", lang)["words"].get(name) for lang in ("en", "de")]
        assert words == ", ".join(filter(None, known)), name
        assert bool(words) == (name in PLAYER_COLOURS), name
