"""The drawn board while pieces move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.ui.model.boxes import game_box
from companion.ui.model.scene import Scene
from rules.core import Item
from tests.support.ui_harness import GAME, need_screen, tick

PIECE = Item("H1", "megalith black", 0)


def test_a_piece_under_way_arrives_where_its_place_is_after_the_board_has_shrunk(
    monkeypatch: Any,
) -> None:
    need_screen()
    from companion.ui.drawing.board import Board
    from companion.ui.theme.style import style

    monkeypatch.setattr(style, "motion", True)
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
    assert group in board._pieces.children and at == board.centre_of("H1")


def test_only_what_has_changed_is_drawn_again(monkeypatch: Any) -> None:
    need_screen()
    from companion.ui.drawing.board import Board
    from companion.ui.theme.style import style

    monkeypatch.setattr(style, "motion", True)
    board: Any = Board(size_hint=(None, None), size=(400, 400))
    drawn: list[str] = []
    whole = board._draw_item

    def draw_item(group: Any, item: Item, *more: Any, **other: Any) -> None:
        drawn.append(item.site)
        whole(group, item, *more, **other)

    def show(*items: Item) -> None:
        """Until everything is there, and everything at rest is drawn."""
        drawn.clear()
        board.show(replace(empty, items=items))
        while board.moving:
            tick(1)
        board._redraw()

    monkeypatch.setattr(board, "_draw_item", draw_item)
    empty = Scene(game_box(GAME), ("black", "brown"))
    first, other = (Item(site, PIECE.kind, 0) for site in ("H2", "H3"))
    show(first, other)
    assert sorted(drawn) == ["H2", "H3"]
    show(first, other, PIECE)
    assert drawn == ["H1", "H1"], "once for all frames of its way, and once as it lies"
    show(other, PIECE)
    assert drawn == ["H2"], "only what goes"
    assert len(board._pieces.children) == 2
    style.use_theme("limestone")
    assert sorted(drawn[1:]) == ["H1", "H3"], "everything has other colours"
    style.use_theme("night")
