"""A finger on the desk for cards: it touches only what the desk shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.presentation.cards import card_plan, cards_of, others_of
from rules.core import Move
from tests.support.ui_harness import walk


def card_desk(screen: Any) -> Any:
    """The desk for cards that a play screen shows on top; None if it shows none."""
    from companion.ui.screens.play.card_desk import CardDesk

    return next((w for w in walk(screen) if isinstance(w, CardDesk)), None)


def enter_cards(
    screen: Any,
    moves: Sequence[Move],
    touch: Callable[[float, float], None],
    done: Callable[[], bool],
) -> bool:
    """Enter ``moves``, which name cards; False if the desk does not offer them. ``touch``: a finger
    at px of the window; ``done``: whether they are in the record."""
    if _from_hand(screen, moves[0], touch, done):
        return True
    opens = next((w for w in walk(screen) if moves[0] in getattr(w, "by_cards", ())), None)
    if opens is not None and card_desk(screen) is None:
        touch(*opens.to_window(*opens.center))
    desk = card_desk(screen)
    plan = card_plan(screen.view.box)
    if desk is None or plan is None or moves[0] not in desk.picking.moves:
        return False
    for card in (card for move in moves for card in cards_of(move, plan)):
        assert card in desk.picking.possible, f"{card} is dimmed, {sorted(desk.picking.possible)}"
        x, y, width, height = desk.grid.cell(card)
        touch(*desk.grid.to_window(x + width / 2, y + height / 2))
        if done():
            return True
    parts = list(others_of(moves[-1], plan))
    while not done():
        found = _key(desk, tuple(moves), parts)
        touch(*found.to_window(*found.center))
    return True


def card_row(screen: Any) -> Any:
    """The hand that a play screen shows beside the board; None if it shows none."""
    from companion.ui.widgets.pressed_cards import CardRow

    return next((w for w in walk(screen) if isinstance(w, CardRow)), None)


def lift_card(screen: Any, move: Move, touch: Callable[[float, float], None]) -> None:
    """Touch the card of the hand that ``move`` spends at a place, if it is one."""
    row = card_row(screen)
    card = "" if row is None else row.hand.spent(move)
    if card:
        x, y, width, height = row.cells[card]
        touch(*row.to_window(x + width / 2, y + height / 2))


def _from_hand(
    screen: Any, move: Move, touch: Callable[[float, float], None], done: Callable[[], bool]
) -> bool:
    """Play ``move`` with cards of the hand beside the board; False if it is not played there."""
    row, plan = card_row(screen), card_plan(screen.view.box)
    if row is None or plan is None or move not in row.hand.picking.moves:
        return False
    for card in cards_of(move, plan):
        row = card_row(screen)
        if card in row.hand.picking.chosen:
            continue
        assert card in row.hand.able, f"{card} is dimmed, {sorted(row.hand.able)}"
        x, y, width, height = row.cells[card]
        touch(*row.to_window(x + width / 2, y + height / 2))
        if done():
            return True
    parts = list(others_of(move, plan))
    while not done():
        found = _hand_key(screen, move, parts)
        touch(*found.to_window(*found.center))
    return True


def _hand_key(screen: Any, move: Move, parts: list[str]) -> Any:
    for key in walk(screen):
        if getattr(key, "move", None) == move:
            return key
    for key in walk(screen):
        if getattr(key, "part", None) in parts:
            parts.remove(key.part)
            return key
    raise AssertionError(f"no key beside the hand plays {move}")


def _key(desk: Any, moves: tuple[Move, ...], parts: list[str]) -> Any:
    keys = [*walk(desk)]
    for key in keys:
        if getattr(key, "entry", None) == moves:
            return key
    for key in keys:
        if getattr(key, "part", None) in parts:
            parts.remove(key.part)
            return key
    raise AssertionError(f"no key means {moves}")
