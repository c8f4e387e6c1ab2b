"""A finger that tells what was laid openly: a kind, then its places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core import Move, Spread
from tests.support.ui_harness import touch_place, walk

Touch = Callable[[float, float], None]


def any_order(spread: Spread, move: Move) -> dict[str, str]:
    """Site and kind of everything that may lie there, so that ``move`` is true."""
    found: dict[str, str] = {}
    for sites in spread.sets:
        here = [site for site in spread.moves if site in sites]
        left = [*dict.fromkeys(kind for site in here for kind in spread.moves[site])]
        told = {s: k for s in here for k, m in spread.moves[s].items() if m == move}
        left = [kind for kind in left if kind not in told.values()]
        found |= {site: told.get(site) or left.pop(0) for site in here}
    return found


def choose_kind(screen: Any, kind: str, touch: Touch) -> None:
    """Touch the key of a kind."""
    from companion.ui.widgets.pressed_cards import KindKeys

    keys = next(widget for widget in walk(screen) if isinstance(widget, KindKeys))
    x, y, width, height = keys.cells[kind]
    touch(*keys.to_window(x + width / 2, y + height / 2))


def lay(screen: Any, wanted: Mapping[str, str], touch: Touch) -> None:
    """Touch every place of ``wanted`` that does not lie by itself, kind by kind."""
    for kind in screen.fingers.laying.kinds:
        for site in (site for site, there in wanted.items() if there == kind):
            laying = screen.fingers.laying
            if laying.lying.get(site) == kind:
                continue
            if laying.kind != kind:
                choose_kind(screen, kind, touch)
            assert site in screen.board.scene.targets, f"{site} does not glow"
            touch_place(screen.board, site, touch)


def enter_laid(screen: Any, move: Move, touch: Touch) -> bool:
    """Enters all that was laid, with ``move`` among it; False if that is not asked."""
    from companion.ui.widgets.base import Key

    laying = screen.fingers.laying
    if laying is None or not any(move in may.values() for may in laying.spread.moves.values()):
        return False
    lay(screen, any_order(laying.spread, move), touch)
    done = next(key for key in walk(screen) if isinstance(key, Key) and key.primary)
    touch(*done.to_window(*done.center))
    return True
