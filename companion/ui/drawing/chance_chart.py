"""Everybody's chances over time: a line per player, and upright lines where the match turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.presentation.players import Player
from companion.ui.drawing.chart import Chart
from companion.ui.drawing.drag_line import Pulled
from companion.ui.theme.style import style
from rules.players.judgement import Judgement

__all__ = ["ChanceChart"]


class ChanceChart(Pulled, Chart):
    """``on_pull`` hears the move below a finger, ``on_go`` the one that it leaves."""

    def __init__(
        self,
        judgement: Judgement,
        players: Sequence[Player],
        on_pull: Callable[[int], None],
        on_go: Callable[[int], None],
        **kwargs: Any,
    ) -> None:
        moments = {one.ply: one.chances for one in judgement.moments}
        last, history = judgement.moments[0].chances, []
        for ply in range(judgement.plies + 1):
            last = moments.get(ply, last)
            history.append([round(100 * chance) for chance in last])
        self.judgement, self._on_pull, self._on_go = judgement, on_pull, on_go
        super().__init__(history, players, **kwargs)

    @property
    def span(self) -> tuple[int, int]:
        """Percents."""
        return (0, 100)

    def told(self, points: int) -> str:
        """Chances as they stand at the scale."""
        return f"{points}\u00a0%"

    def path_of(self, seat: int) -> list[tuple[int, int]]:
        """A line from moment to moment."""
        first = self.judgement.moments[0]
        path = [(one.ply, round(100 * one.chances[seat])) for one in self.judgement.moments]
        return path if first.ply == 0 else [(0, path[0][1]), *path]

    def ply_at(self, x: float) -> int:
        """The move at a place, px from the left of the window."""
        left, right = self.at(0, 0)[0], self.at(self.judgement.plies, 0)[0]
        part = (x - left) / max(right - left, 1.0)
        return max(0, min(round(part * self.judgement.plies), self.judgement.plies))

    def let_go(self, x: float) -> None:
        self._on_go(self._near(x))

    def _near(self, x: float) -> int:
        """The move at a place; a turning point is wide enough for a finger."""
        wide = style.target * 0.3
        points = [(abs(self.at(p.ply, 0)[0] - x), p.ply) for p in self.judgement.turning_points]
        near = min(points, default=(wide, 0))
        return near[1] if near[0] < wide else self.ply_at(x)

    def pull(self, x: float) -> None:
        ply = self._near(x)
        if ply != self.ply:
            self.mark(ply)
            self._on_pull(ply)

    def _inner(self) -> tuple[float, float, float, float]:
        left, bottom, right, top = super()._inner()
        return (left, bottom, right, top - style.type_xs)

    def _draw_below(self) -> None:
        """Numbered upright lines at the turning points."""
        for number, point in enumerate(self.judgement.turning_points, 1):
            x, y = self.at(point.ply, 100)
            self._line([self.at(point.ply, 0), (x, y + style.grid)], "dawn")
            self._text(str(number), (x - style.type_xs * 0.3, y + style.type_xs), "dawn")
