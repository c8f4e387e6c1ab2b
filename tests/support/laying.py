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
    """Touch every place of ``wanted`` that does not lie by itself: where the kind that picks itself
    lies, what is in the picture first."""
    board, sites = screen.board, screen.board.scene.box.sites
    while True:
        laying = screen.fingers.laying
        missing = [site for site, kind in wanted.items() if laying.lying.get(site) != kind]
        if not missing:
            return
        own = [site for site in missing if wanted[site] == laying.kind]
        if not own:
            choose_kind(screen, wanted[missing[0]], touch)
            continue
        site = next((one for one in own if board.plan.shows(sites[one])), own[0])
        assert site in board.scene.targets, f"{site} does not glow"
        touch_place(board, site, touch)


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
