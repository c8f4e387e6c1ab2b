"""The boxes of the house: the pages about them, and the anthology they come from."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

import rules
from companion.presentation.theme.piece_colours import NAMED, named_colour
from companion.presentation.theme.tokens import SAFE
from companion.printing.colours import pattern_of
from rules.box import SIGNED, Sign, Site, load_box, parse_box, sign_of
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
    "kind_surfaces": "table of surfaces",
    "kind_rows": "tables, or name", "kind_tables": "tables", "kind_cell": "cells",
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
    for called, sign, code, pattern in re.findall(
        r"(?m)^\| (`[^|]*`) \| (\w+) \| `(#\w+)` \| (\w+) \|$", table
    ):
        for name in re.findall(r"`(\w+)`", called):
            names[name] = (sign, code, pattern)
    assert set(names) | {"gray"} == {*PLAYER_COLOURS, *SAFE, *NAMED} == set(SIGNED)
    outlines: dict[str, Sign] = {}
    for place, (name, (sign, code, pattern)) in enumerate(names.items()):
        assert code == named_colour(name, "safe"), name
        assert pattern == pattern_of(name), name
        assert outlines.setdefault(sign, sign_of(name)) == sign_of(name), name
        known = [load_text("common", lang)["words"].get(name) for lang in ("en", "de")]
        assert all(known) == (name in PLAYER_COLOURS) == (place < 8), name
    assert len({*outlines.values()}) == len(outlines)


BOX = load_box("stonehenge_anthology")
GAMES = (
    "opferroulette", "rollende_steine", "hoher_rat", "trilithen_knallen", "erbaut_stonehenge",
)  # fmt: skip
COLOURS = ("black", "white", "blue", "green", "yellow", "red")


def _sites(kind: str) -> list[Site]:
    return [site for site in BOX.sites.values() if site.kind == kind]


def test_the_ring_has_thirty_fields_in_six_colours_by_number_mod_six() -> None:
    ring = _sites("ring field")
    assert [site.id for site in ring] == [str(n) for n in range(1, 31)]
    for number, site in enumerate(ring, start=1):
        assert site.colour == COLOURS[number % 6]


def test_a_game_with_one_piece_on_a_field_supposes_none_behind_it() -> None:
    room = {game: BOX.for_game(game).sites["7"].room for game in ("hoher_rat", "erbaut_stonehenge")}
    assert room == {"hoher_rat": 1, "erbaut_stonehenge": 2}


def test_a_game_is_given_the_same_box_again_so_that_what_was_made_for_it_is_kept() -> None:
    assert BOX.for_game("hoher_rat") is BOX.for_game("hoher_rat")
    assert BOX.for_game("hoher_rat") is not BOX.for_game("erbaut_stonehenge")


def test_ring_fields_touch_their_two_neighbours_and_thirty_touches_one() -> None:
    assert set(BOX.sites["1"].neighbours) == {"30", "2"}
    assert set(BOX.sites["30"].neighbours) == {"29", "1"}
    for site in _sites("ring field"):
        for other in site.neighbours:
            assert site.id in BOX.sites[other].neighbours


def test_numbers_ascend_clockwise() -> None:
    angles = [math.atan2(site.at[1], site.at[0]) for site in _sites("ring field")]
    for here, there in zip(angles, angles[1:] + angles[:1], strict=True):
        assert math.isclose((here - there) % math.tau, math.tau / 30, abs_tol=0.01)


def test_every_number_has_a_day_pit_a_night_pit_a_bar_and_a_place_on_the_track() -> None:
    for number in range(1, 31):
        field = BOX.sites[str(number)]
        for name in (f"{number}-day", f"{number}-night", f"bar-{number}"):
            at = BOX.sites[name].at
            turn = math.atan2(field.at[1], field.at[0]) - math.atan2(at[1], at[0])
            assert abs(math.remainder(turn, math.tau)) < math.tau / 60
    assert len(_sites("pit day")) == len(_sites("pit night")) == 30


def test_a_trilithon_on_the_track_stands_between_its_two_fields() -> None:
    for number in range(1, 31):
        first, second = BOX.sites[str(number)].at, BOX.sites[str(number % 30 + 1)].at
        at = BOX.sites[f"track-{number}"].at
        assert math.isclose(math.dist(first, at), math.dist(second, at), abs_tol=0.2)


def test_trilithon_and_dolerite_fields_are_open_chains_from_left_to_right() -> None:
    for kind, letter, number in (("trilithon field", "T", 5), ("dolerite field", "D", 19)):
        chain = _sites(kind)
        assert [site.id for site in chain] == [f"{letter}{n}" for n in range(1, number + 1)]
        assert chain[0].neighbours == (f"{letter}2",)
        assert chain[-1].neighbours == (f"{letter}{number - 1}",)
        assert all(len(site.neighbours) == 2 for site in chain[1:-1])
        assert chain[0].at[0] < 0 < chain[-1].at[0]


def test_gates_of_the_marked_course_are_the_trilithon_fields() -> None:
    for n in range(1, 6):
        assert BOX.sites[f"G{n}"].at == BOX.sites[f"T{n}"].at


def test_the_four_yards_lie_in_the_corners_clear_of_ring_and_stickers() -> None:
    ring = 231.0
    for n in range(1, 5):
        yard = BOX.sites[f"C{n}"]
        assert yard.size is not None
        nearest = (abs(yard.at[0]) - yard.size[0] / 2, abs(yard.at[1]) - yard.size[1] / 2)
        assert math.hypot(*nearest) > ring
        for corner in BOX.corners:
            assert not yard.holds(corner.at, slack=corner.size * 8 / 12)


@pytest.mark.parametrize("game", GAMES)
def test_within_one_game_no_two_sites_that_take_the_same_pieces_overlap(game: str) -> None:
    box = BOX.for_game(game)
    for one, other in combinations(box.sites.values(), 2):
        if set(one.takes) & set(other.takes):
            assert not one.holds(other.at), f"{one.id} holds the middle of {other.id}"
            assert not other.holds(one.at), f"{other.id} holds the middle of {one.id}"
            if one.size is None and other.size is None:
                gap = math.dist(one.at, other.at) - one.radius - other.radius
                assert gap > -0.01, f"{one.id} and {other.id} overlap"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_sees_only_its_own_sites(game: str) -> None:
    sites = BOX.for_game(game).sites
    assert sites and len(sites) < len(BOX.sites)
    for site in sites.values():
        assert game in site.games
        assert all(other in sites for other in site.neighbours)


def test_the_box_holds_the_pieces_of_the_printed_game() -> None:
    counts = {
        group: sum(kind.count for kind in kinds) for group, kinds in BOX.kinds_of_group.items()
    }
    assert counts["disc"] == counts["bar"] == 50
    assert counts["figure"] == 6
    assert counts["pillar"] == 10
    assert BOX.kinds["trilithon"].count == 5
    cards = [kind for kind in BOX.kinds_of_group["card"] if kind.back]
    assert len(cards) == 65 and BOX.kinds["card back"].count == 65


def test_stickers_are_the_first_hundred_and_each_marks_one_kind() -> None:
    stickers = [s for kind in BOX.kinds.values() for s in kind.stickers + kind.lying_stickers]
    stickers += [corner.id for corner in BOX.corners]
    assert len(set(stickers)) == len(stickers) == 98
    assert max(stickers) < 100


def test_places_of_single_games_are_not_printed_on_the_board() -> None:
    hidden = {site.kind for site in BOX.sites.values() if not site.printed}
    assert {"spot", "track", "bar place", "gate", "whole board", "pile"} <= hidden
    half = BOX.size[0] / 2
    for site in BOX.sites.values():
        if site.printed:
            assert max(map(abs, site.at)) < half, f"{site.id} is printed but beside the board"
