"""The column of words: the airiest panel that fits, with the points and a slot for keys below."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.match.view import TableView
from companion.presentation.boxes import box_of, room_kept
from companion.presentation.plan import Plan
from companion.presentation.theme.density import Density
from companion.ui.screens.play.panel_rows import Scribe
from companion.ui.screens.play.panels import Panel
from companion.ui.theme.style import style
from companion.ui.widgets.rows import BuiltRows, Row, fill
from companion.ui.widgets.score_strip import strip_height
from companion.ui.widgets.sheet import Column

_LEAST_LISTED = 3.3
"""Number of rows of a long list of tiles that must be in sight; else players' cards get smaller."""
_LEAST_OF_MANY = 4.6
"""The same, if there are so many tiles that a sheet used to hold them."""
PARTS = (0.4, 0.44, 0.47, 0.5, 0.53, 0.57)
"""Shares of an upright screen that the words may have: the least with which nothing is left out."""
LINE_SHARE = 0.4
"""Share of the line of undo and menu that a key of the slot has, if it stands there."""


def below_board(view: TableView, size: tuple[float, float], part: float) -> float:
    """Height of the words on an upright screen of this size, px: a share of it, or all that is left
    by a board of its width."""
    beside = room_kept(view) if view.spread is None else frozenset()
    left, bottom, right, top = Plan.in_mm(box_of(view), beside).extent
    board = size[0] * (top - bottom) / (right - left)
    return max(round(size[1] * part), size[1] - math.ceil(board))


def take_sides(frame: Any, board: Any, words: Any, *, across: bool) -> None:
    """Lay board and words beside or below each other; ``across``: the words on the side of the hand
    that touches."""
    sides = [words, board] if across and style.left_handed else [board, words]
    if frame.children[::-1] != sides:
        frame.clear_widgets()
        for side in sides:
            frame.add_widget(side)


class WordsColumn:
    """Fills ``body``, ``slot`` and ``points``, which lie below each other, above the ``line`` of
    undo and menu. On an upright screen a single key stands on that."""

    def __init__(self, body: Any, points: Any, slot: Any, line: Any) -> None:
        self._body, self._points, self._slot, self._line = body, points, slot, line
        self._above = slot.parent
        self._built = BuiltRows()

    def show(
        self, scribe: Scribe, densities: Sequence[Density], panel_of: Callable[[Scribe], Panel],
        strip: Row, *, low: bool,
    ) -> bool:  # fmt: skip
        """Show the first of ``densities`` that fits, else the last; True if that leaves out nothing
        of use. ``strip``: the points; ``low``: without names below them."""
        least = style.target * (_LEAST_OF_MANY if scribe.words.crowded else _LEAST_LISTED)
        for density in densities:
            panel = panel_of(replace(scribe, density=density))
            spacing = style.gap if density.airy else style.gap_s
            lined = len(panel.slot) == 1 and panel.points and scribe.slot < scribe.width
            left = scribe.room - _height(panel, spacing, low=low, lined=lined)
            listing = _listing_height(panel)
            # A list of tiles may scroll; of a few keys all are in sight.
            if left >= (min(listing, least) if scribe.tiles else listing):
                break
        if panel.listing:
            height = max(min(listing, left), style.target)
            panel.rows.insert(panel.listed_after, _listed(panel.listing, height))
        self._built.begin()
        self._fill(self._body, [_column(panel.rows, spacing)])
        self._fill(self._points, [strip] if panel.points else [])
        self._place_slot(lined=lined)
        high = style.button if lined else style.slot
        self._fill(self._slot, [key.as_high(high) for key in panel.slot])
        self._built.end()
        return density.notes and left >= 0

    def _fill(self, place: Any, rows: Sequence[Row]) -> None:
        fill(place, [self._built.of(row) for row in rows])

    def _place_slot(self, *, lined: bool) -> None:
        """Lays the slot on the line of undo and menu, or above the points."""
        home = self._line if lined else self._above
        if self._slot.parent is not home:
            self._slot.parent.remove_widget(self._slot)
            home.add_widget(self._slot, index=1 if lined else 2)
        self._slot.size_hint_x = LINE_SHARE / (1 - LINE_SHARE) if lined else 1

    def clear(self) -> None:
        """Show nothing."""
        for part in (self._body, self._points, self._slot):
            part.clear_widgets()


def _column(rows: Sequence[Row], spacing: float) -> Row:
    """All rows above the points."""

    def build(*rows: Any) -> Any:
        return Column(rows, spacing, pos_hint={"x": 0, "y": 0})

    return Row(("column", spacing), 0.0, build, tuple(rows))


def _listed(rows: Sequence[Row], height: float) -> Row:
    """Rows that scroll if they must."""

    def build(*rows: Any) -> Any:
        return Column(rows, style.gap_s, listing=True, size_hint_y=None, height=height)

    return Row(("listing",), height, build, tuple(rows))


def _height(panel: Panel, spacing: float, *, low: bool, lined: bool) -> float:
    """Height of a panel without its listing, px; room for a slot was left already, though a
    ``lined`` one needs none."""
    count = len(panel.rows) + (1 if panel.listing else 0)
    points = strip_height(low=low) if panel.points else 0.0
    slot = 0.0 if panel.slot and not lined else style.slot
    rows = sum(row.height for row in panel.rows) + spacing * (count - 1)
    return float(rows + points - slot)


def _listing_height(panel: Panel) -> float:
    """Height of all tiles of a panel, px; 0 without any."""
    if not panel.listing:
        return 0.0
    return float(sum(row.height + style.gap_s for row in panel.listing) - style.gap_s)
