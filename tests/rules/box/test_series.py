"""Series in box files: tables that stand for several are the tables that one would have written."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import pytest

from rules.box import BoxError, box_ids, load_box, parse_box
from tests.support.box_file import FILE_TEXT

WRITTEN_BY_HAND = {
    "dolmengoetter": "0a4c8f3099d59aa7",
    "dominion": "d5b3d3890f7b285e",
    "knizia_stonehenge": "089bb6fd54e2ddbf",
    "stonehenge_anthology": "9e0f8fa254a4df1a",
}
"""Digests of the boxes that come with Heelstone, from when every table of theirs stood in the file;
a board that somebody has printed must not move by a tenth of a millimetre."""
BOARD = (
    FILE_TEXT[: FILE_TEXT.index("[[site]]")]
    .replace("[200, 200]", "[400, 400]")
    .replace("80", "180")
)
STONE = """
[kinds.stone]
group = "stone"
shape = "disc"
size = [20, 20]
colour = "#202020"
count = 9
"""


@pytest.mark.parametrize("name", box_ids())
def test_boxes_are_what_they_were_when_they_were_written_by_hand(name: str) -> None:
    plain = _plain(load_box(name))
    # Surfaces and signs are of screens only.
    del plain["surfaces"]
    for kind in plain["kinds"].values():
        del kind["sign"]
        assert not any(kind.pop(key) for key in ("faces", "pips", "turns", "cells"))
    assert plain.pop("lattice") is None
    # No sticker of a printed board lies on what is printed.
    assert not any(corner.pop("covers") for corner in plain["corners"])
    sites = [*plain["sites"].values(), *plain["printed_sites"]]
    sites += [site for each in sites for _, site in each["otherwise"]]
    assert not any(site.pop("heap") for site in sites)
    text = json.dumps(plain, ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == WRITTEN_BY_HAND[name]


def test_places_of_a_ring_go_around_clockwise_and_know_their_neighbours() -> None:
    sites = _sites("copies = 8\nring = { radius = 80 }", 'neighbours = ["{before}", "{after}"]')
    assert [site.at for site in sites[:3]] == [(0.0, 80.0), (56.6, 56.6), (80.0, 0.0)]
    assert [site.neighbours for site in sites[::7]] == [("8", "2"), ("7", "1")]


def test_an_arc_has_two_ends() -> None:
    arc = "copies = 3\nring = { radius = 50, first = 180, step = -90, at = [0, 10] }"
    sites = _sites(arc, 'neighbours = ["{before}", "{after}"]')
    assert [site.at for site in sites] == [(-50.0, 10.0), (0.0, 60.0), (50.0, 10.0)]
    assert [site.neighbours for site in sites] == [("2",), ("1", "3"), ("2",)]


def test_a_grid_is_filled_row_by_row() -> None:
    grid = "copies = 4\ngrid = { columns = 3, at = [-50, 50], step = [50, -50] }"
    sites = _sites(grid, 'label = "{letter}{row}"', 'colour = "pale"')
    assert [site.at for site in sites] == [(-50, 50), (0, 50), (50, 50), (-50, 0)]
    assert [site.label for site in sites] == ["a1", "b1", "c1", "a2"]


def test_rows_say_what_differs_and_are_taken_in_turn() -> None:
    rows = "each = [{ side = -50 }, { side = 50, room = 3 }]\ncopies = 4"
    sites = _sites(rows, 'at = ["{side}", "{side}"]', 'room = "{room}"', 'games = ["g{n}"]',
                   id="{round}-{n}")  # fmt: skip
    assert [site.id for site in sites] == ["1-1", "1-2", "2-3", "2-4"]
    assert [site.room for site in sites] == [1, 3, 1, 3], "a word that a row has not leaves it out"


def test_equal_pieces_differ_in_stickers_only() -> None:
    box = _box(
        """
        [kinds."stone {n}"]
        copies = 3
        group = "stone"
        stickers = ["{2*n+8}", "{2*n+9}"]
        sticker_mm = 12
        shape = "disc"
        size = [20, 20]
        colour = "#202020"
        count = 2
        """,
        _site(""),
    )
    assert {kind.id: kind.stickers for kind in box.kinds.values()} == {
        "stone 1": (10, 11), "stone 2": (12, 13), "stone 3": (14, 15),
    }  # fmt: skip


def test_parts_are_made_of_every_row_in_turn() -> None:
    box = _box(
        STONE,
        """
        [lists]
        marks = [{ at = [-50, 0], text = "I" }, { at = [50, 0], text = "V" }]
        """,
        _site('each = "marks"', 'label = "{text}"', 'at = "{at}"'),
        """
        [[stroke]]
        each = "marks"
        at = "{at}"
        role = "mark"
        colour = "#303030"
        sites = ["{n}"]

        [[stroke.parts]]
        kind = "line"
        rectangle = { size = [20, 10] }
        width = 1

        [[stroke.parts]]
        kind = "text"
        points = [[0, 20]]
        text = "{text}"
        width = 6
        """,
    )
    assert [(stroke.kind, stroke.text, stroke.sites) for stroke in box.strokes] == [
        ("line", "", ("1",)), ("text", "I", ("1",)), ("line", "", ("2",)), ("text", "V", ("2",)),
    ]  # fmt: skip
    around, letter = box.strokes[2:]
    assert around.points == ((40, -5), (60, -5), (60, 5), (40, 5), (40, -5))
    assert letter.points == ((50, 20),)


def test_fields_of_a_ring_and_lines_through_places_find_their_points() -> None:
    box = _box(
        STONE,
        _site("copies = 4\nring = { radius = 80 }"),
        """
        [[stroke]]
        copies = 4
        ring = {}
        kind = "polygon"
        role = "field"
        sector = { inner = 50, outer = 100, degrees = 8 }
        colour = "#303030"

        [[stroke]]
        kind = "line"
        role = "cross"
        through = ["1", "3"]
        colour = "#303030"
        width = 1
        """,
    )
    assert len(box.strokes) == 5
    top = box.strokes[0].points
    assert top == ((-7.0, 99.8), (0, 100), (7.0, 99.8), (3.5, 49.9), (0, 50), (-3.5, 49.9))
    assert box.strokes[4].points == ((0, 80), (0, -80))


SERIES = """
[lists]
tints = [
    { tint = "pale", shape = "disc" },
    { tint = "dark", shape = "box" },
]

[[site]]
copies = 6
ring = { radius = 80 }
each = [
    { name = "a", more = 1 },
    { name = "b", more = 1 },
]
id = "{name}-{round}"
kind = "field"
radius = 12
takes = ["stone"]
label = "{before}"
room = "{more}"

[kinds."stone {tint}"]
each = "tints"
group = "stone"
shape = "{shape}"
size = [20, 20]
colour = "#202020"
count = 9

[[stroke]]
ring = {}
kind = "polygon"
role = "field"
sector = { inner = 50, outer = 100, degrees = 8 }
colour = "#303030"

[[stroke]]
kind = "line"
role = "cross"
through = ["a-1", "b-1"]
colour = "#303030"
width = 1
"""


@pytest.mark.parametrize(
    ("old", "new", "there", "complaint"),
    [
        ("radius = 80", "radius = 'x'", "ring = {", "site[0].ring.radius: expected a number of mm"),
        ("radius = 80", "radios = 80", "ring = {", "site[0].ring.radios: unknown key"),
        ("copies = 6", "copies = 0", "copies", "site[0].copies: expected a whole number from 1"),
        ("copies = 6", "copies = 6\ngrid = { columns = 2, at = [0, 0], step = [1, 1] }", "ring",
         "site[0].ring: only one of these is possible: ring, grid"),
        ("{before}", "{befor}", "label", "known to put for {befor}; did you mean 'before'?"),
        ('name = "b"', 'name = "b", nane = "c"', "nane", "nane: this word stands nowhere"),
        ('takes = ["stone"]', 'takes = ["disc"]', "takes", "site a-1.takes: no piece is of group"),
        ('tint = "dark"', 'tind = "dark"', "tind", "tind: this word stands nowhere"),
        ('name = "b", more = 1', 'name = "b", more = 0', '"b"', "site b-1.room: expected a whole"),
        ("radius = 80", "radius = 20", "radius = 12", "into a-1, and both take stone"),
        ("degrees = 8", "degrees = 400", "degrees", "sector.degrees: expected a number up to 360"),
        ('each = "tints"', 'each = "tint"', "each", "there is no list 'tint' below [lists]"),
        ('"b-1"]', '"b-9"]', "through", "there is no site 'b-9'"),
        ('role = "cross"', 'role = "cross"\npoints = [[0, 0], [9, 9]]', "through",
         "only one of these is possible: points, through"),
        ("stone {tint}", "stone", "stone", "there is a kind 'stone' already"),
        ('[kinds."stone {tint}"]', '[kinds.x.parts]\nstone = 3\n[kinds.x]', "stone = 3",
         'kinds.x.parts.stone: expected a table'),
    ],
)  # fmt: skip
def test_a_wrong_series_is_refused_with_the_line_of_what_is_wrong(
    old: str, new: str, there: str, complaint: str
) -> None:
    text = BOARD + SERIES
    assert parse_box(text, "b.toml") and text.count(old) == 1
    text = text.replace(old, new)
    with pytest.raises(BoxError) as refused:
        parse_box(text, "b.toml")
    told = str(refused.value)
    assert complaint in told
    assert there in text.splitlines()[int(told.split("line ")[1].split(":")[0]) - 1], told
    assert "Zeile" in refused.value.sentence.told("de")


def test_a_box_holds_no_more_than_any_box_does() -> None:
    for many in ("copies = 10000", "copies = 9000"):
        text = f'[[stroke]]\n{many}\nkind = "line"\nrole = "x"\npoints = [[0, 0], [1, 1]]\n'
        with pytest.raises(BoxError, match="10000 of these at most"):
            parse_box(BOARD + text + 'colour = "#303030"\nwidth = 1\n' + text, "b.toml")


def _site(*lines: str, id: str = "{n}") -> str:
    own = [f'id = "{id}"', 'kind = "field"', "radius = 12", 'takes = ["stone"]']
    at = (
        [] if any(word in "".join(lines) for word in ("ring", "grid", "at = ")) else ["at = [0, 0]"]
    )
    return "\n".join(["[[site]]", *lines, *own, *at])


def _sites(*lines: str, id: str = "{n}") -> list[Any]:
    return list(_box(STONE, _site(*lines, id=id)).sites.values())


def _box(*texts: str) -> Any:
    return parse_box("\n".join([BOARD, *texts]), "b.toml")


def _plain(value: Any) -> Any:
    """The same in every run: the names of fields with their values, in order; minus 0 is 0."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: _plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value + 0.0 if isinstance(value, float) else value
