"""The icons: one for each sign in the code, drawn by one hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from companion.presentation.theme.icons import ICONS
from companion.presentation.theme.tokens import INDICATORS
from rules.core import Call, outline
from tests.support.command import ROOT
from tests.support.sources import SOURCES, named, nodes

SCREENS = ROOT / "companion" / "ui"


def _signs() -> Iterator[str]:
    """Every sign that a key, a note or a state of the table is given."""
    yield from (indicator.symbol for indicator in INDICATORS.values())
    yield Call("", ()).sign
    for file in SOURCES:
        text = file.read_text(encoding="utf-8")
        # Reading all files as Python does would take ten times as long.
        if "symbol=" not in text and "sign=" not in text:
            continue
        for node in (node for node in nodes(file) if isinstance(node, ast.Call)):
            for each in node.keywords:
                if each.arg == "symbol" and file.is_relative_to(SCREENS):
                    if isinstance(each.value, ast.Constant) and each.value.value:
                        yield str(each.value.value)
                elif each.arg == "sign" and named(node.func) == "Call":
                    yield str(ast.literal_eval(each.value))


def test_every_sign_has_an_icon() -> None:
    found = {*_signs()}
    assert len(found) > 20
    assert found <= {*ICONS}


@pytest.mark.parametrize("sign", [*ICONS])
def test_an_icon_stays_within_its_square_and_its_lines_are_alike(sign: str) -> None:
    for shape in ICONS[sign]:
        if shape.form == "oval":
            (x, y), (wide, high) = shape.points
            corners = [(x - wide, y - high), (x + wide, y + high)]
        else:
            half = shape.width / 2
            corners = [(x + d, y + d) for x, y in outline(shape) for d in (-half, half)]
        assert all(0 <= part <= 100 for corner in corners for part in corner)
        assert not shape.width or 6 <= shape.width <= 13
