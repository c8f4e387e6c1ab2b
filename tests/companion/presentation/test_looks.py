"""Looks of boards and pieces."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest

from companion.presentation.boxes import game_box
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import (
    CLEAR,
    ground_shapes,
    rim_tone,
    stroke_shape,
    tone_of,
)
from companion.presentation.theme.piece_colours import NAMED, fill_of, safe_name
from companion.presentation.theme.silhouettes import outlines, stands
from companion.presentation.theme.tokens import SAFE, body, rgba
from companion.web.board_shapes import board_of
from companion.web.made_scripts import drawn_script
from rules.box import PLAYER_COLOURS, SIGNED, Box, Site, Stroke, load_box, sign_of
from rules.games import game_ids
from tests.support.told_apart import EYES, by_hue_alone, seen_by

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


def test_discs_are_filled_and_outlines_are_not() -> None:
    disc, frame = replace(LINE, kind="circle"), replace(LINE, kind="polygon")
    filled = [
        stroke_shape(stroke).width == 0
        for stroke in (disc, replace(disc, weight="faint"), frame, replace(frame, width=0.0))
    ]
    assert filled == [True, True, False, True]


def test_a_colour_that_does_not_count_in_a_game_is_bare_stone() -> None:
    tones = {}
    for game in ("hoher_rat", "trilithen_knallen"):
        fields = [shape for shape in ground_shapes(game_box(game), 1.0, 1.2, 16.0)
                  if isinstance(shape.of, Stroke) and shape.of.role == "field rim"]  # fmt: skip
        tones[game] = {tone_of(shape, theme.NIGHT) for shape in fields}
    assert (len(tones["hoher_rat"]), len(tones["trilithen_knallen"])) == (6, 1)


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
@pytest.mark.parametrize("game", game_ids())
def test_words_and_signs_are_read_on_what_they_stand_on(palette: theme.Palette, game: str) -> None:
    shapes = list(ground_shapes(game_box(game), 1.0, 1.2, 16.0))
    places = {shape.of: tone_of(shape, palette) for shape in shapes if shape.role == "place"}
    written = [shape for shape in shapes if shape.role in ("label", "sign")]
    for shape in written:
        ground = places[shape.of]
        tone = tone_of(shape, palette)
        ink = theme.mix(ground, tone, tone[3])
        assert theme.contrast(ink, ground) >= 2.4, (shape.text, shape.surface)


PIECES = ("stone red", "druid red", "dolmen red back")


def test_figures_and_tiles_differ_by_their_outline() -> None:
    kinds = load_box("dolmengoetter").kinds
    drawn = [outlines(kinds[name], (30.0, 30.0)) for name in PIECES]
    drawn.append(outlines(kinds["druid red"], (30.0, 30.0), "lying"))
    for one, other in combinations(drawn, 2):
        assert one != other
    knizia = load_box("knizia_stonehenge").kinds
    assert stands(knizia["megalith black"], "") and not stands(knizia["stone black 1"], "")
    assert stands(kinds["druid red"], "standing") and not stands(kinds["druid red"], "lying")


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


@pytest.mark.parametrize("box", BOXES)
def test_pieces_of_different_owners_never_share_a_safe_colour(box: str) -> None:
    colours: dict[str, set[str]] = {}
    for kind in load_box(box).kinds.values():
        if kind.owner:
            colours.setdefault(kind.owner, set()).add(safe_name(kind.owner, kind.colour))
    for one, other in combinations(colours, 2):
        assert not colours[one] & colours[other], f"{one} and {other} look alike"


@pytest.mark.parametrize("choice", ["printed", "safe"])
@pytest.mark.parametrize("game", game_ids())
def test_no_two_colours_of_a_game_are_told_apart_by_hue_alone(game: str, choice: str) -> None:
    """On the screen; and on pages, which draw the same signs."""
    box, pages = game_box(game), board_of(game, True, "en", choice)
    assert by_hue_alone(box.kinds.values(), choice) == []
    for kind in box.kinds.values():
        if kind.owner:
            drawn = pages["kinds"][kind.id]["sign"]
            assert sign_of(drawn) == sign_of(kind.owner)
            assert f'"{drawn}":"M' in drawn_script().decode()


@pytest.mark.parametrize("game", game_ids())
def test_every_coloured_field_bears_the_sign_of_its_colour(game: str) -> None:
    box, pages = game_box(game), board_of(game, True, "en")
    coloured = {site.id: site.colour for site in box.sites.values() if site.printed and site.colour}
    drawn = {shape.of.id: shape.text for shape in ground_shapes(box, 1.0, 1.2, 16.0)
             if shape.role == "sign" and isinstance(shape.of, Site)}  # fmt: skip
    assert drawn == coloured and set(coloured.values()) <= set(SIGNED)
    for kind in box.kinds.values():
        if kind.shape == "card" and kind.mark in coloured:
            assert pages["kinds"][kind.id]["sign"] == kind.signed == coloured[kind.mark]
    assert [shape["text"] for shape in pages["shapes"] if shape["form"] == "sign"] == [
        *coloured.values()
    ]


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
@pytest.mark.parametrize("choice", ["printed", "safe"])
def test_signs_are_seen_on_their_colours_by_every_eye(palette: theme.Palette, choice: str) -> None:
    for name in BOXES:
        for kind in load_box(name).kinds.values():
            if not kind.signed or (kind.owner and kind.shape == "card"):
                continue
            fill = fill_of(kind, choice)
            for eye in EYES:
                pair = (seen_by(eye, fill), seen_by(eye, rim_tone(fill, palette)))
                assert theme.contrast(*pair) >= 2.5, (kind.id, eye)


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
def test_places_are_painted_in_the_colour_that_the_box_names(palette: theme.Palette) -> None:
    box, tones = replace(load_box("stonehenge_anthology"), colours={}), []
    for name in PLAYER_COLOURS:
        sites = {"1": replace(box.sites["1"], colour=name)}
        place, _rim, sign = ground_shapes(replace(box, strokes=(), sites=sites), 1.0, 1.0, 1.0)
        tones.append(tone_of(place, palette))
        assert place.colour == PLAYER_COLOURS[name]
        assert theme.contrast(tones[-1], tone_of(sign, palette)) >= 2.5, name
    assert min(math.dist(one, other) for one, other in combinations(tones, 2)) > 0.08


def test_every_colour_that_a_player_can_have_has_a_sign_of_its_own() -> None:
    signs = {name: sign_of(name) for name in (*SAFE, *PLAYER_COLOURS)}
    assert all(signs.values())
    for one, other in combinations(SAFE, 2):
        assert signs[one] != signs[other], f"{one} and {other}"
    assert {NAMED.get(name, name) for name in SIGNED} == set(SAFE)
    assert sign_of("mauve") == ()


def test_cards_that_bear_their_names_stay_as_they_are() -> None:
    for kind in load_box("dominion").kinds.values():
        if kind.shape == "card" and not kind.owner:
            assert fill_of(kind, "safe") == body(kind.colour)


def test_greys_that_belong_to_nobody_stay_as_they_are() -> None:
    assert safe_name(None, "#a49e8e") == ""
    assert safe_name(None, "#2f62ad") == "blue"
    assert safe_name(None, "#b3322b") == "red"
    assert safe_name("grey", "#a49e8e") != ""
    assert rgba(SAFE["black"])[:3] == (0, 0, 0)
