"""An eye for what a player chooses from: is it on the screen?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.match.hands import hand_of
from companion.presentation.boxes import game_box
from companion.presentation.touching import lying_sites, touched
from rules.core import Move
from rules.match import Match
from tests.support.market import lit, market_desk
from tests.support.pads import typed_on_screen
from tests.support.picking import card_row
from tests.support.ui_harness import walk


def out_of_sight(screen: Any, match: Match) -> list[str]:
    """Moves of the player asked that begin with nothing on the screen, or that spend a card of
    their hand which it does not show."""
    prompt, view = match.prompt, screen.view
    assert prompt is not None and prompt.player is not None
    box, drawn, begun = game_box(view.game), {*_cards(screen)}, {*_begun(screen)}
    kinds = {kind.id.rpartition(" ")[2] for kind in box.kinds.values() if kind.shape == "card"}
    held = {thing for thing, _count in hand_of(match, prompt.player).things if thing in kinds}
    glowing = screen.board.scene.targets | screen.board.scene.hints if screen.desk is None else ()
    found = []
    # Where the game gives no hints, finding a move is part of it, as long as one may do without.
    free = any(not touched(move, view, box) for move in view.legal)
    quest = view.options.get("hints") == "off" and free
    for move in view.legal:
        places = touched(move, view, box)[:1] or lying_sites(move, view, box)
        if not quest and move not in begun and not {*places} & {*glowing}:
            found.append(f"nothing leads to '{move}'")
        spent = {part for arg in move.args for part in arg.split(",")} & held
        found += [f"'{move}' spends {card}, which is not shown" for card in spent - drawn]
    return found


def _cards(screen: Any) -> Iterator[str]:
    """The cards of a hand that are drawn."""
    row, desk = card_row(screen), market_desk(screen)
    if row is not None:
        yield from row.hand.cards
    if desk is not None:
        yield from (tile.kind for field in (desk.wares, desk.hand) for tile in field.tiles)


def _begun(screen: Any) -> Iterator[Move]:
    """The moves to which a key, a tile or a card leads."""
    row, desk = card_row(screen), market_desk(screen)
    yield from typed_on_screen(screen.view)
    if row is not None:
        yield from (*row.hand.picking.moves, *row.hand.placed)
    if desk is not None:
        yield from (move for tile, _at in lit(desk) for move in tile.moves)
    for widget in walk(screen):
        yield from getattr(widget, "by_cards", ())
        if (move := getattr(widget, "move", None)) is not None:
            yield move
        for tile in (*getattr(widget, "tiles", ()), getattr(widget, "tile", None)):
            yield from getattr(tile, "moves", ())
