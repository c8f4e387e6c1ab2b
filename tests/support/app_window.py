"""The app in an off-screen window, without a main loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.setup.shelf import Fronts
from tests.support.fake_shell import FakeShell
from tests.support.shelf import kept_fronts
from tests.support.ui_harness import badly_set, need_screen, still, tick, too_small, walk


class Running:
    """``HeelstoneApp`` around a fake shell."""

    def __init__(
        self,
        size: tuple[int, int],
        lang: str,
        shell: FakeShell,
        fronts: Fronts | None = None,
        begin: Callable[[Any], None] | None = None,
    ) -> None:
        """``fronts``: what is known of the boxes; by default what any earlier start has left.
        ``begin``: shows another screen of the app than the shelf, which is not built first."""
        need_screen()
        from companion.ui.offscreen import open_window

        self.window = open_window(size)
        from companion.ui.app import HeelstoneApp

        self.shell = shell
        self.app = _untyped(HeelstoneApp(shell, still(lang), fronts=fronts or kept_fronts()))
        if begin is not None:
            self.app.shelf = lambda: begin(self.app)
        self.root = self.app.build()
        if begin is not None:
            del self.app.shelf
        self.window.add_widget(self.root)
        tick(4)

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        return self.app.screen

    def close(self) -> None:
        self.app.on_stop()
        self.app.screen.leave()
        self.window.remove_widget(self.root)


def _untyped(app: Any) -> Any:
    """The same; a method of it may be replaced."""
    return app


def faults(screen: Any) -> list[str]:
    """Words badly set and keys too small; what a list scrolls out of view is no fault."""
    scrolled = [w for w in walk(screen) if getattr(w, "scroll", None) is not None]
    found = too_small(screen)
    if not scrolled:
        return found + badly_set(screen)
    kept = [(c, c.parent, c.parent.children.index(c)) for c in scrolled]
    for column, parent, _index in kept:
        parent.remove_widget(column)
    found += badly_set(screen)
    for column, parent, index in kept:
        parent.add_widget(column, index)
    for column in scrolled:
        # The list by itself, in full length: its lines must fit and stay apart.
        inner = column.inner
        found += [p for p in badly_set(inner) if "leaves the screen" not in p]
    return found
