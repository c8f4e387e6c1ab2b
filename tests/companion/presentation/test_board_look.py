"""The display list of a board on screens: strokes are as strong as the box says, in both themes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.presentation.boxes import game_box
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import CLEAR, ground_shapes, stroke_shape, tone_of
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
