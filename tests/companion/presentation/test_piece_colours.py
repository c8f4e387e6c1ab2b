"""Colours of pieces that every kind of colour vision tells apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.presentation.theme.piece_colours import (
    HATCHINGS,
    fill_of,
    hatching_of,
    safe_name,
    strokes,
)
from companion.presentation.theme.tokens import SAFE, body, rgba
from rules.box import load_box

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
