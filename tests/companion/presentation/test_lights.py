"""Lights for the finger: their places, and how they stand out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import dist, hypot, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.presentation.boxes import box_of
from companion.presentation.plan import Plan, lights, part_around, room_between, too_close
from companion.presentation.scene import Scene, beside, scene_of
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.silhouettes import FOOT, TALL, outlines, stands
from companion.presentation.touching import Picked
from hardware.rhythm import PULSE_PERIOD_S, Rhythm
from rules.core import Item
from rules.games import find_game, game_ids
from rules.match import Match
from tests.support.sweep import some
from tests.support.ui_harness import view_of
from tests.support.watched import WATCHED

CLEAR = 4.5
INCH_MM, GLASS_INCHES, LEAST_MM = 25.4, 7.0, 9.0
SHAPES = ((800, 480, 468, 480), (480, 800, 480, 330), (720, 1280, 720, 530), (1280, 800, 780, 800))
"""Width and height of the glass, and of the board's part of it, px."""


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_lights_are_nine_millimetres_apart_on_a_glass_of_seven_inches(
    shape: tuple[int, int, int, int],
) -> None:
    px_per_mm = hypot(shape[0], shape[1]) / (GLASS_INCHES * INCH_MM)
    apart = theme.SIZES.apart * theme.scale(shape[0], shape[1])
    assert (apart - 0.5) / px_per_mm >= LEAST_MM


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
@pytest.mark.parametrize("game", some(game_ids()))
def test_a_finger_tells_all_live_places_apart_or_the_first_touch_enlarges_them(
    game: str, shape: tuple[int, int, int, int]
) -> None:
    """Each light lies on its place and on the glass; and after a touch of one that is close to
    another, that one is close to none."""
    apart = theme.SIZES.apart * theme.scale(shape[0], shape[1])
    for plan, live, held in _moments(game, shape):
        spots = lights(plan, live, held, apart)
        assert set(spots) == live
        for name, spot in spots.items():
            own = plan.px(plan.box.sites[name].at)
            assert dist(own, spot) <= apart / 2 + 0.5 or name in held, name
            if not too_close(spots, name, apart):
                continue
            near = replace(plan, part=part_around(plan, spots, spot, apart))
            shown = {other for other in live if near.shows(plan.box.sites[other])}
            assert name in shown
            assert not too_close(lights(near, shown, held, apart), name, apart), (game, name)


def _moments(
    game: str, shape: tuple[int, int, int, int]
) -> Iterator[tuple[Plan, frozenset[str], frozenset[str]]]:
    """Of two random matches every kind of question, before anything is touched and after the first
    of its places was touched."""
    _wide, _high, width, height = shape
    for scene in _scenes(game):
        live = scene.targets | scene.hints | scene.picked
        plan = Plan(scene.box, 0, 0, width, height, 8.0, beside(scene))
        yield plan, live, scene.picked


@lru_cache(maxsize=1)
def _scenes(game: str) -> tuple[Scene, ...]:
    rules, asked, found = find_game(game), set(), list[Scene]()
    for players in {rules.players[0], rules.players[-1]}:
        match, chance = Match(game, players, seed=1), random.Random(game)
        for _ in range(60):
            match.deal()
            if match.outcome is not None:
                break
            view = view_of(match)
            first = scene_of(view, Picked())
            start = min(first.targets, default="")
            key = (view.prompt and view.prompt.code, len(first.targets))
            if key not in asked and start:
                found += (first, scene_of(view, Picked((start,))))
            asked.add(key)
            match.push(match.state.choose(match.legal_moves(), chance))
    return tuple(found)


def test_two_places_that_are_close_give_way_to_what_is_in_the_hand() -> None:
    match = Match("dolmengoetter", 2)
    box = box_of(view_of(match))
    plan = Plan(box, 0, 0, 480, 480, 8)
    spots = lights(plan, {"V4", "V5"}, {"V4"}, 50)
    assert spots["V4"] == plan.px(box.sites["V4"].at)
    assert dist(*spots.values()) == pytest.approx(50, abs=0.6)
    everywhere = lights(plan, box.sites, (), 50)
    assert all(at == plan.px(box.sites[name].at) for name, at in everywhere.items() if
               8 + 25 < at[0] < 480 - 33 and 33 < at[1] < 447)  # fmt: skip
    assert room_between([(0, 0)]) == inf


@pytest.mark.parametrize("game", WATCHED)
def test_whatever_stands_at_the_upper_rim_of_a_board_is_all_in_the_picture(game: str) -> None:
    box = box_of(view_of(Match(game, find_game(game).players[0])))
    left, bottom, right, top = Plan.in_mm(box).extent
    plan = Plan(box, 0, 0, 720, 720 * (top - bottom) / (right - left), 0.0)
    rim = max(filter(plan.shows, box.sites.values()), key=lambda site: site.at[1])
    for kind in filter(lambda kind: stands(kind, "standing"), box.kinds_at(rim.id)):
        (piece,) = plan.slots([Item(rim.id, kind.id)])
        wide = kind.size[0] * plan.px_per_mm * piece.scale
        tall = max(-y for line in outlines(kind, (wide, wide * TALL)) for _x, y in line)
        assert piece.at[1] + wide * FOOT + tall <= plan.height


@given(st.tuples(*[st.floats(0, 1)] * 3), st.floats(0, PULSE_PERIOD_S))
def test_a_light_stands_out_from_every_colour_below_it_at_every_moment_of_its_pulse(
    ground: tuple[float, float, float], seconds: float
) -> None:
    """Whatever a board, a piece or a picture shows there, covered or not, by day or by night."""
    tone, opacity = theme.CASING
    casing = theme.mix((*ground, 1.0), theme.rgba(tone), opacity)
    for light in (theme.LIGHT, theme.HINTED):
        strength = theme.strength(Rhythm.SLOW_PULSE, seconds)
        shown = theme.mix(casing, theme.rgba(light), strength)
        assert theme.contrast(shown, casing) >= CLEAR


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_nothing_that_is_covered_is_nearly_as_bright_as_a_light_or_by_day_as_dark_as_its_casing(
    below: tuple[float, float, float],
) -> None:
    seen = {name: theme.mix((*below, 1.0), theme.rgba(tone), opacity)
            for name, (tone, opacity) in theme.COVERS.items()}  # fmt: skip
    assert theme.contrast(theme.rgba(theme.LIGHT), seen["night"]) >= 2.5
    assert theme.contrast(theme.rgba(theme.CASING[0]), seen["limestone"]) >= 4.5
