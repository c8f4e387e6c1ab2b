"""The page about box files names every key that the reader knows, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rules
from companion.presentation.theme.piece_colours import NAMED, named_colour
from companion.presentation.theme.tokens import SAFE
from companion.printing.colours import pattern_of
from rules.box import parse_box
from rules.box.box import SUPPLY_KINDS
from rules.box.keys import FILE, PLAYER_COLOURS, REQUIRED, TABLES, WEIGHTS, Key
from rules.telling import load_text

PAGE = (Path(rules.__file__).parents[1] / "docs" / "box-file.md").read_text(encoding="utf-8")
TYPES = {
    "text": "text", "word": "word", "names": "table of texts", "colours": "table of colours",
    "size": "width, height", "count": "number", "number_of": "number", "point": "point",
    "length": "length", "extent": "length or 0", "texts": "texts", "flag": "yes or no",
    "counts": "numbers", "colour": "colour", "points": "points", "table": "table",
    "tables": "tables", "degrees": "degrees", "rows": "tables, or name", "parts": "tables",
}  # fmt: skip
"""What the page calls the types of values."""
EMPTY = {"none", "", "with stickers", "all"}
"""What the page says of keys whose default is nothing."""


def _rows(heading: str) -> dict[str, tuple[str, str]]:
    """Type and default by key, of the first table below a heading."""
    below = re.split(rf"(?m)^#+ {re.escape(heading)}$", PAGE)[1]
    rows = re.findall(r"(?m)^\| `(\w+)` \| ([^|]*)\| ([^|]*)\|", re.split(r"(?m)^#", below)[0])
    assert len(rows) == len({key for key, _, _ in rows}), heading
    return {key: (kind.strip(), default.strip()) for key, kind, default in rows}


CALLED = {"series": "Series", "shape": "Shapes of strokes"}
SECTIONS = {"What stands where": FILE} | {
    CALLED.get(name, f"`{name}`"): keys for name, keys in TABLES.items()
}


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_page_has_every_key_with_its_type_and_default(heading: str) -> None:
    told, known = _rows(heading), SECTIONS[heading]
    assert set(told) == set(known)
    for name, key in known.items():
        kind, default = told[name]
        assert kind == _kind(key), name
        assert (default == "required") == (key.default is REQUIRED), name
        if isinstance(key.default, bool | int | float) and default not in EMPTY:
            assert default == str(key.default).lower().removesuffix(".0"), name
        elif key.default in ([], {}, ""):
            assert default in EMPTY or default.startswith("by "), name


def _kind(key: Key) -> str:
    if key.among:
        return ", ".join(f"`{value}`" for value in key.among)
    return TYPES[key.wants]


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
