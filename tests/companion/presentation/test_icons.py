"""The icons: one for each sign in the code, drawn by one hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.ui
from companion.presentation.theme.icons import ICONS
from companion.presentation.theme.tokens import INDICATORS
from rules.core import Call, outline
from tests.support.sources import SOURCES, named, nodes


def _signs() -> Iterator[str]:
    """Every sign that a key, a note or a state of the table is given."""
    for path in Path(companion.ui.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.keyword) or node.arg != "symbol":
                continue
            if isinstance(node.value, ast.Constant) and node.value.value:
                yield str(node.value.value)
    yield from (indicator.symbol for indicator in INDICATORS.values())
    yield Call("", ()).sign
    for node in (node for file in SOURCES for node in nodes(file)):
        if isinstance(node, ast.Call) and named(node.func) == "Call":
            given = (each.value for each in node.keywords if each.arg == "sign")
            yield from (ast.literal_eval(sign) for sign in given)


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
