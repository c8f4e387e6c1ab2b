"""How boards and pieces look."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from companion.presentation.boxes import game_box
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import CLEAR, ground_shapes, stroke_shape, tone_of
from companion.presentation.theme.piece_colours import (
    HATCHINGS,
    fill_of,
    hatching_of,
    safe_name,
    strokes,
)
from companion.presentation.theme.tokens import SAFE, body, rgba
from companion.web.board_shapes import board_of
from rules.box import Box, Site, Stroke, load_box
from rules.games import game_ids

PALETTES = list(theme.PALETTES.values())
LINE = Stroke("line", "path", ((0, 0), (9, 0)), "#3b2715", 5.0, "", ())


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
@pytest.mark.parametrize("colour", ["#000000", "#3b2715", "#808080", "#e8c64a", "#ffffff"])
def test_a_strong_line_stands_out_from_every_ground(palette: theme.Palette, colour: str) -> None:
    for stroke in (replace(LINE, colour=colour), replace(LINE, colour=colour, kind="circle")):
        tone = tone_of(stroke_shape(stroke), palette)
        for ground in (palette.night, palette.dusk, palette.slate):
            assert theme.contrast(tone, theme.rgba(ground)) >= CLEAR
        assert tone[3] == 1.0


def test_a_strong_line_is_as_wide_as_the_box_says_and_a_faint_one_thinner() -> None:
    assert stroke_shape(LINE, 0.5).width == 5.0
    assert stroke_shape(replace(LINE, weight="faint"), 0.5).width == pytest.approx(3.1)
    least = stroke_shape(replace(LINE, width=0.1), 0.5)
    assert least.width / 0.5 > 2, "however small the screen, it is seen"


def test_a_colour_that_is_seen_anyway_stays_as_it_is() -> None:
    assert tone_of(stroke_shape(LINE), theme.LIMESTONE) == theme.rgba("#3b2715")
    assert tone_of(stroke_shape(LINE), theme.NIGHT) != theme.rgba("#3b2715")


def test_a_strong_disc_is_filled_and_a_faint_one_an_outline() -> None:
    disc, frame = replace(LINE, kind="circle"), replace(LINE, kind="polygon")
    filled = [
        stroke_shape(stroke).width == 0
        for stroke in (disc, replace(disc, weight="faint"), frame, replace(frame, width=0.0))
    ]
    assert filled == [True, False, False, True]


def test_areas_keep_more_of_their_colour_if_they_are_strong() -> None:
    area = replace(LINE, kind="polygon", width=0.0, colour="#ff0000")
    for palette in PALETTES:
        strong, faint = (
            tone_of(stroke_shape(replace(area, weight=weight)), palette)
            for weight in ("strong", "faint")
        )
        assert strong[0] - strong[1] > faint[0] - faint[1] > 0.1


def test_pages_are_told_the_same_as_the_screen() -> None:
    for game in game_ids():
        box, board = game_box(game), board_of(game, True, "en")
        drawn = list(ground_shapes(box, board["unit"], 1.2, 16.0))
        assert [shape.of for shape in drawn[: len(box.strokes)]] == [*box.strokes], game
        for shape, found in zip(drawn, board["shapes"], strict=True):
            assert found["form"] == shape.form and len(found["points"]) == len(shape.points)
            assert found.get("alpha", 1.0) == tone_of(shape, theme.NIGHT)[3], game
            assert found.get("width", 0.0) == pytest.approx(shape.width, abs=0.02), game
            assert set(found["tone"]) == set(theme.PALETTES), game


def test_a_field_is_drawn_smaller_than_pieces_belong_to_it() -> None:
    box = load_box("knizia_stonehenge")
    small = replace(box.sites["A"], drawn_radius=5.0)
    plan = Plan.in_mm(_with(box, small))
    drawn = [shape for shape in ground_shapes(plan.box, 1.0, 1.2, 16.0)
             if shape.of == small]  # fmt: skip
    assert {shape.reach for shape in drawn} == {(5.0, 5.0)} and plan.half(small) == (19.0, 19.0)
    assert plan.site_at(plan.px((-30 + 17, 104)), 1.0, 1.0) == "A"


def _with(box: Box, site: Site) -> Box:
    return replace(box, sites={**box.sites, "A": site})


BOXES = ("knizia_stonehenge", "stonehenge_anthology", "dolmengoetter", "dominion")


def test_as_printed_is_as_it_was() -> None:
    for kind in load_box("knizia_stonehenge").kinds.values():
        assert fill_of(kind, "printed") == body(kind.colour)
        assert hatching_of(kind, "printed") == hatching_of(kind, "safe") == ()


@pytest.mark.parametrize("box", BOXES)
def test_pieces_of_different_owners_never_share_a_safe_colour(box: str) -> None:
    colours: dict[str, set[str]] = {}
    for kind in load_box(box).kinds.values():
        if kind.owner:
            colours.setdefault(kind.owner, set()).add(safe_name(kind.owner, kind.colour))
    for one, other in combinations(colours, 2):
        assert not colours[one] & colours[other], f"{one} and {other} look alike"


def test_every_safe_colour_has_a_hatching_of_its_own() -> None:
    assert set(HATCHINGS) == set(SAFE)
    lined = [lines for lines in HATCHINGS.values() if lines]
    assert len(set(lined)) == len(lined)


def test_cards_that_bear_their_names_stay_as_they_are() -> None:
    for kind in load_box("dominion").kinds.values():
        if kind.shape == "card" and not kind.owner:
            assert fill_of(kind, "patterns") == body(kind.colour)
            assert hatching_of(kind, "patterns") == ()


def test_greys_that_belong_to_nobody_stay_as_they_are() -> None:
    assert safe_name(None, "#a49e8e") == ""
    assert safe_name(None, "#2f62ad") == "blue"
    assert safe_name(None, "#b3322b") == "red"
    assert safe_name("grey", "#a49e8e") != ""
    assert rgba(SAFE["black"])[:3] == (0, 0, 0)


@pytest.mark.parametrize("degrees", [0.0, 22.5, 45.0, 90.0, 135.0])
@pytest.mark.parametrize("is_round", [True, False])
def test_hatching_stays_within_the_piece(degrees: float, is_round: bool) -> None:
    width, height = (40.0, 40.0) if is_round else (40.0, 24.0)
    lines = strokes(width, height, degrees, 6.0, is_round=is_round)
    assert len(lines) >= 4
    for x0, y0, x1, y1 in lines:
        for x, y in ((x0, y0), (x1, y1)):
            if is_round:
                assert (x * x + y * y) ** 0.5 <= width / 2 + 1e-6
            else:
                assert abs(x) <= width / 2 + 1e-6
                assert abs(y) <= height / 2 + 1e-6
