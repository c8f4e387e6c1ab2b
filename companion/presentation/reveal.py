"""Reveals of the last move: whether everybody has seen them, and the board meanwhile."""

from __future__ import annotations

from dataclasses import replace

from companion.match.view import TableState, TableView
from companion.presentation.scene import Scene
from rules.core import Item, Result

__all__ = ["SeenResults", "scene_with"]

_CALM = (TableState.SETTLED, TableState.PENDING, TableState.HAND, TableState.BLIND)
"""States in which nothing else must be read first."""


class SeenResults:
    """Which results were put away; taking a move back and playing it again shows none twice."""

    def __init__(self) -> None:
        self._match = ""
        self._seen: set[tuple[int, Result]] = set()

    def waiting(self, view: TableView) -> Result | None:
        """The result that nobody has put away, if now is the time for it."""
        result = view.result
        if result is None or view.state not in _CALM or self._put_away(view, result):
            return None
        return result

    def put_away(self, view: TableView) -> None:
        """Everybody has seen the result of ``view``."""
        if view.match_id != self._match:
            self._match, self._seen = view.match_id, set()
        if view.result is not None:
            self._seen.add((view.result_ply, view.result))

    def _put_away(self, view: TableView, result: Result) -> bool:
        return view.match_id == self._match and (view.result_ply, result) in self._seen


def scene_with(scene: Scene, result: Result) -> Scene:
    """The board with what lay open when the result came, and the result marked."""
    shown = [(site, kind) for site, kind in (*result.beside, (result.site, result.kind))]
    shown = [(site, kind) for site, kind in shown if _lies(scene, site, kind)]
    sites = {site for site, _kind in shown}
    kept = tuple(item for item in scene.items if item.site not in sites)
    marks = {result.site: result.good} if result.site in scene.box.sites else {}
    scene = replace(
        scene, items=(*kept, *(Item(site, kind) for site, kind in shown)), verdicts=marks,
        last=scene.last - set(marks),
    )  # fmt: skip
    # Where the next player may go is shown when they have the screen.
    return scene if result.goes_on else replace(scene, targets=frozenset(), hints=frozenset())


def _lies(scene: Scene, site: str, kind: str) -> bool:
    """Whether it is a card, and one that lies there: another may only have pointed at the place."""
    known, place = scene.box.kinds.get(kind), scene.box.sites.get(site)
    if known is None or place is None:
        return False
    return known.shape == "card" and known.group in place.takes
