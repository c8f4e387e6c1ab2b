"""Lines of keys: whatever ``tomllib`` reads is found, and stands where it is said to."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from rules.toml_lines import KeyPath, lines_of, nearest_line
from tests.support.command import ROOT

HARD = '''# a comment with = and [brackets]
plain = 1
"b c".d = "x # [" # y
[t]
k = [ 1, # one
  [2, 3],
  { z = """a
"" b""", y = \'\'\'q
[no]\'\'\' },
]

[[s]]
id = "A"
[[s]]
id = 'B'
  o.p = { g = { at = [1, 2] } }
[[s.inner]]
w = 1979-05-27 07:32:00
[s.'x.y']
"q\\"r" = -inf
'''


def _paths(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    named = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in named:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from _paths(value, (*path, key))


def test_every_key_of_hard_toml_stands_on_its_line() -> None:
    lines = lines_of(HARD)
    assert set(lines) == set(_paths(tomllib.loads(HARD)))
    wanted: dict[KeyPath, int] = {
        ("plain",): 2, ("b c", "d"): 3, ("t",): 4, ("t", "k", 0): 5, ("t", "k", 1, 1): 6,
        ("t", "k", 2, "z"): 7, ("t", "k", 2, "y"): 8, ("s", 0): 12, ("s", 1, "id"): 15,
        ("s", 1, "o", "p", "g", "at", 1): 16, ("s", 1, "inner", 0, "w"): 18,
        ("s", 1, "x.y", 'q"r'): 20,
    }  # fmt: skip
    assert {path: lines[path] for path in wanted} == wanted


def test_a_file_from_elsewhere_may_end_its_lines_otherwise() -> None:
    assert lines_of(HARD.replace("\n", "\r\n")) == lines_of(HARD)


def test_what_is_missing_is_sought_in_the_table_around_it() -> None:
    lines = lines_of(HARD)
    assert nearest_line(lines, ("s", 1, "radius")) == 14
    assert nearest_line(lines, ("nowhere", 3)) == 1


@pytest.mark.parametrize("folder", ["rules/boxes", "rules/languages/en", "rules/puzzles"])
def test_every_key_of_our_own_files_has_a_line(folder: str) -> None:
    for file in (ROOT / folder).iterdir():
        if file.name.endswith(".toml"):
            text = file.read_text(encoding="utf-8")
            assert set(lines_of(text)) == set(_paths(tomllib.loads(text))), file.name
