"""The drawn board while pieces move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.presentation.boxes import game_box
from companion.presentation.scene import Scene
from companion.settings.preferences import Preferences
from rules.core import Item
from tests.support.ui_harness import GAME, need_screen, tick

PIECE = Item("H1", "megalith black", 0)


def test_a_piece_under_way_arrives_where_its_place_is_after_the_board_has_shrunk(
    monkeypatch: Any,
) -> None:
    need_screen()
    from companion.ui.drawing.board import Board
    from companion.ui.theme.style import style

    monkeypatch.setattr(style, "chosen", Preferences(animations=True))
    board = Board(size_hint=(None, None), size=(600, 600))
    before = Scene(game_box(GAME), ("black", "brown"))
    drawn: list[tuple[object, tuple[float, float]]] = []
    whole = board._draw_item

    def draw_item(
        group: Any, item: Item, at: tuple[float, float], *more: Any, **other: Any
    ) -> None:
        drawn.append((group, at))
        whole(group, item, at, *more, **other)

    monkeypatch.setattr(board, "_draw_item", draw_item)
    board.show(before)
    board.show(replace(before, items=(PIECE,)))
    assert board.moving
    # The result needs more words, so an upright screen has less room for the board.
    board.size = (300, 300)
    tick(2)
    assert not board.moving
    group, at = drawn[-1]
    assert group is board._pieces and at == board.centre_of("H1")
