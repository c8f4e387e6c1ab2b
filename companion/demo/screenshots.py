"""Pictures of the play screen, drawn without a display."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from companion.match.view import TableView
from companion.ui.offscreen import open_still_window, tick
from rules.core import ScoreLine

__all__ = ["PlayScreenshots"]

_SIZE = (800, 480)


class PlayScreenshots:
    """Writes pictures of the play screen: ``with PlayScreenshots("de") as shots: shots.write(…)``.

    Pieces and signals stand still, so that equal views yield equal pictures. Opening it raises
    NoScreenError where nothing can be drawn.
    """

    def __init__(self, lang: str) -> None:
        self._window = open_still_window(_SIZE, lang)
        from companion.ui.screens.play.screen import PlayScreen

        self._screen = PlayScreen(lambda intent: None, size_hint=(None, None), size=_SIZE)
        self._window.add_widget(self._screen)

    def write(self, view: TableView, path: Path, score_lines: tuple[ScoreLine, ...] = ()) -> None:
        """Show ``view`` and write the picture."""
        from companion.ui.picture import snapshot

        self._screen.show(view, score_lines)
        tick()
        snapshot(self._screen, path)

    def close(self) -> None:
        """Take the screen out of the window."""
        self._screen.leave()
        self._window.remove_widget(self._screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
