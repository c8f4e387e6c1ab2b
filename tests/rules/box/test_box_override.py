"""Boards that are not the printed ones: small files laid over a box."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from rules.box import BoxError, box_ids, load_box
from rules.box.override import (
    BoxOverride,
    SitePlace,
    is_override,
    load_override,
    overridden,
    override_text,
    parse_override,
    similarity,
)

BOX = load_box("knizia_stonehenge")
SAME = BoxOverride(BOX.id, BOX.size)


@pytest.mark.parametrize("name", box_ids())
def test_every_box_survives_being_written_as_an_override_and_laid_over_itself(name: str) -> None:
    box = load_box(name)
    override = BoxOverride(
        box.id, box.size, {c.id: c.at for c in box.corners},
        {site.id: SitePlace.of(site) for site in box.sites.values()},
    )  # fmt: skip
    read = parse_override(override_text(override), "it")
    laid = overridden(box, read)
    for site in box.sites.values():
        assert math.dist(laid.sites[site.id].at, site.at) < 0.01
        assert laid.sites[site.id].neighbours == site.neighbours
    assert laid.corners == box.corners
    for old, new in zip(box.strokes, laid.strokes, strict=True):
        assert all(math.dist(a, b) < 0.02 for a, b in zip(old.points, new.points, strict=True))
    assert override_text(read) == override_text(override)


def test_what_is_not_named_stays_where_it_is_printed() -> None:
    laid = overridden(BOX, replace(SAME, sites={"C": SitePlace((5.0, 6.0), 9.0)}))
    assert laid.sites["C"].at == (5.0, 6.0) and laid.sites["C"].radius == 9.0
    assert laid.sites["D"] == BOX.sites["D"]
    assert laid.corners == BOX.corners
    assert next(s for s in laid.printed_sites if s.id == "C").at == (5.0, 6.0)


def test_the_lines_of_the_board_follow_its_fields() -> None:
    laid = overridden(BOX, replace(SAME, sites={"C": SitePlace((5.0, 6.0), 9.0)}))
    at = BOX.sites["C"].at
    touched = [
        n for n, s in enumerate(BOX.strokes) if any(math.dist(p, at) < 0.5 for p in s.points)
    ]
    assert touched
    for number in touched:
        assert (5.0, 6.0) in laid.strokes[number].points


def test_the_outline_is_kept_and_says_what_lies_beside_the_board() -> None:
    x, y = (side / 2 - 10 for side in BOX.size)
    corners = ((-x, y), (x, y - 5), (x, -y), (-x, -y))
    laid = overridden(BOX, parse_override(override_text(replace(SAME, outline=corners)), "it"))
    assert laid.rim == laid.outline == corners
    assert laid.is_on_board((x - 1, y - 7)) and not laid.is_on_board((x - 1, y - 2))
    assert BOX.outline == () and "outline" not in override_text(SAME)
    assert BOX.is_on_board((x + 9, y + 9)) and not BOX.is_on_board((x + 11, 0))


def test_a_box_limited_to_one_game_may_be_overridden_too() -> None:
    box = load_box("stonehenge_anthology")
    sites = {name: SitePlace.of(site) for name, site in box.sites.items()}
    override = BoxOverride(box.id, box.size, {}, sites)
    small = overridden(box.for_game("hoher_rat"), override)
    assert set(small.sites) == set(box.for_game("hoher_rat").sites)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[override", "not valid TOML"),
        ("[override]\nsize = [1, 1]", "override.box: is missing"),
        ('[override]\nbox = "x"\nsize = [0, 9]', "override.size: expected two lengths above 0"),
        ('[override]\nbox = "x"\nsize = [1, 2]\n[corner]', "corner: unknown key"),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[corners]\na = [1, 2]',
            "corners.a: expected the n",
        ),
        ('[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = [1, 2]', "sites.A: expected a table"),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, inf], radius = 3 }',
            "sites.A.at: expected a number up to",
        ),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, 2], radius = -3 }',
            "sites.A.radius: expected a length above 0",
        ),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, 2] }',
            "sites.A: needs either a radius, if",
        ),
        *(
            (f'[override]\nbox = "x"\nsize = [9, 9]\noutline = {outline}', f"outline: {said}")
            for outline, said in (
                ("7", "expected the four corners"),
                ("[[-4, 4], [4, 4], [4, -4]]", "expected the four corners"),
                ("[[-4, 4], [4, 4], [4, -4], [nan, 0]]", "expected a number up to"),
                ("[[-4, 4], [4, -4], [4, 4], [-4, -4]]", "no board has its corners there"),
                ("[[4, 4], [-4, 4], [-4, -4], [4, -4]]", "no board has its corners there"),
            )
        ),
    ],
)
def test_a_damaged_file_is_refused_with_file_key_and_reason(text: str, said: str) -> None:
    with pytest.raises(BoxError) as error:
        parse_override(text, "mine.toml")
    assert "mine.toml" in str(error.value) and said in str(error.value)


def test_a_complaint_about_an_override_names_its_line() -> None:
    text = override_text(SAME) + "A = { at = [1, 2], radius = 0 }\n"
    with pytest.raises(BoxError, match=r"mine.toml, line 10: sites\.A\.radius") as error:
        parse_override(text, "mine.toml")
    assert error.value.code == "wants_length_above"
    override = parse_override(override_text(SAME) + "Q9 = { at = [1, 2], radius = 3 }\n", "it")
    with pytest.raises(BoxError, match=r"it, line 10: sites\.Q9: the box"):
        overridden(BOX, override, "it")
    with pytest.raises(BoxError, match=r"^it, line 1: override\.box: is missing"):
        parse_override("[override]\nsize = [1, 1]", "it")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (replace(SAME, box="dominion"), "belongs to the box 'dominion'"),
        (replace(SAME, sites={"Q9": SitePlace((0, 0), 1)}), "sites.Q9: the box"),
        (
            replace(SAME, sites={"C": SitePlace((0, 0), size=(2, 2))}),
            "sites.C: this site has a radi",
        ),
        (replace(SAME, corners={7: (0, 0)}), "corners.7: the box"),
        (
            replace(SAME, outline=((-9, 9), (9, 9), (9, -9), (-9, -9))),
            "lies outside the board's outline",
        ),
        (replace(SAME, corners={0: (-900, 0)}), "lies beyond override.size"),
        (replace(SAME, corners={0: (190, -190), 2: (-190, 190)}), "no board can have its stickers"),
    ],
)
def test_an_override_that_does_not_fit_its_box_is_refused(override: BoxOverride, said: str) -> None:
    with pytest.raises(BoxError, match="the override: ") as error:
        overridden(BOX, override)
    assert said in str(error.value)


def test_files_that_are_none_or_no_text_are_told_from_one_another(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="cannot read the board file"):
        load_override(tmp_path / "nowhere.toml")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BoxError, match="is not a text file"):
        load_override(tmp_path / "b.toml")
    assert is_override(override_text(SAME))
    assert not is_override("[box]")
    assert not is_override("[[[")


def test_the_similarity_finds_turn_scale_and_shift_again() -> None:
    turn, shift = 2 * complex(math.cos(0.3), math.sin(0.3)), 5 - 7j
    old = [(0.0, 0.0), (10.0, 3.0), (-4.0, 8.0)]
    new = [((turn * complex(*p) + shift).real, (turn * complex(*p) + shift).imag) for p in old]
    found = similarity(old, new)
    assert abs(found[0] - turn) < 1e-9 and abs(found[1] - shift) < 1e-9
    assert similarity([(1.0, 1.0)], [(3.0, 4.0)]) == (1, 2 + 3j)
    assert similarity([], []) == (1, 0)
