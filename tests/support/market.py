"""A finger on the desk of cards for sale: it touches only what is lit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.presentation.market import CardTile, Pen
from rules.core import Move
from tests.support.ui_harness import walk

Touch = Callable[[float, float], None]
"""A finger at px of the window."""


def market_desk(screen: Any) -> Any:
    """The desk of cards for sale that a play screen shows; None if it shows none."""
    from companion.ui.screens.play.market_desk import MarketDesk

    return next((w for w in walk(screen) if isinstance(w, MarketDesk)), None)


def lit(desk: Any) -> list[tuple[CardTile, tuple[float, float]]]:
    """Every card that can be touched, and its middle in px of the window."""
    return [
        (tile, field.to_window(x + width / 2, y + height / 2))
        for field in (desk.wares, desk.hand)
        if field.parent is not None
        for tile, (x, y, width, height) in zip(field.tiles, field.cells, strict=True)
        if tile.moves
    ]


def touch_market(screen: Any, move: Move, touch: Touch) -> bool:
    """Touch the lit card or the key that plays ``move``; False if no such desk is shown.

    Fails if nothing that can be seen plays it.
    """
    desk = market_desk(screen)
    if desk is None:
        return False
    if not _touched(desk, move, touch):
        # With real cards it is said first whether one was played or bought.
        pens = [w for w in walk(desk) if isinstance(getattr(w, "pen", None), Pen) and w is not desk]
        other = next((key for key in pens if key.pen is not desk.pen), None)
        assert other is not None, f"nothing plays {move}: {[tile.moves for tile, _ in lit(desk)]}"
        touch(*other.to_window(*other.center))
        assert _touched(desk, move, touch), f"nothing plays {move}"
    return True


def _touched(desk: Any, move: Move, touch: Touch) -> bool:
    for tile, at in lit(desk):
        if tile.moves == (move,):
            touch(*at)
            if tile.asks:
                # What does harm is asked about once.
                touch(*at)
            return True
    key = next((w for w in walk(desk) if getattr(w, "move", None) == move), None)
    if key is not None:
        touch(*key.to_window(*key.center))
    return key is not None
