"""Cards under a finger: one glows while pressed, and is meant if the finger leaves it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.hand_cards import HandCards
from companion.ui.drawing.ink import Round
from companion.ui.drawing.numbered_cards import CardLook, Rect, draw_card, rounded
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import style
from rules.box import PieceKind


class PressedCards(Widget):  # type: ignore[misc]
    """Calls ``press`` with the card on which a finger went down and up again.

    The subclass that lays the cards out keeps ``cells`` and ``between`` up to date.
    """

    glow = 0.16
    """Brightness of the glow of a pressed card."""

    def __init__(self, press: Callable[[str], None] | None, **kwargs: Any) -> None:
        """``press``: None as long as nothing can be touched."""
        super().__init__(**kwargs)
        self._press = press
        self.cells: Mapping[str, Rect] = {}
        """Place of each card."""
        self.between = 0.0
        """Half of the gap between two cards, px: what lies there belongs to the nearest."""
        self._touched: dict[int, str] = {}
        self._glow = InstructionGroup()

    def on_touch_down(self, touch: Any) -> bool:
        card = self._at(touch)
        if card is None:
            return bool(super().on_touch_down(touch))
        self._touched[touch.uid] = card
        self._glow.add(Color(*style.tone("bone", self.glow)))
        self._glow.add(self._outline(self.cells[card]))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        card = self._touched.pop(touch.uid, None)
        if card is None:
            return bool(super().on_touch_up(touch))
        self._glow.clear()
        if self._press is not None and self._at(touch) == card:
            self._press(card)
        return True

    def _outline(self, cell: Rect) -> Any:
        """Outline of the glow."""
        return rounded(cell)

    def _at(self, touch: Any) -> str | None:
        """The nearest card, so that nothing lies between two of them."""
        if self._press is None:
            return None
        half = self.between
        for card, (x, y, width, height) in self.cells.items():
            inside = x - half <= touch.x < x + width + half
            if inside and y - half <= touch.y < y + height + half:
                return card
        return None


class LaidCards(PressedCards):
    """Cards that lay and draw themselves: ``_laid`` says where each is, ``_draw`` draws them."""

    def __init__(self, press: Callable[[str], None], width: float, height: float) -> None:
        super().__init__(press, size_hint=(None, None), size=(width, height))
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.canvas.add(self._glow)
        self._later = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        self.between = float(style.gap_s / 2)
        self.cells = self._laid()
        self._later()

    def _laid(self) -> dict[str, Rect]:
        raise NotImplementedError

    def _draw(self, *_: Any) -> None:
        raise NotImplementedError


# -- kinds of pieces --------------------------------------------------------------------------

_MOST_BESIDE = 3
"""Number of keys beside each other where not all have room in one line."""
_LEAST, _HIGH = 3.6, 2.9
"""Least width, and height of a key, in lines of words."""


@dataclass(frozen=True, slots=True)
class KindTile:
    """Contents of one key."""

    kind: PieceKind
    name: str
    left: int


class KindKeys(LaidCards):
    """Keys across ``width`` px; a touch calls ``press`` with a kind. The ``chosen`` one is framed,
    and of what is complete only a hook is left."""

    def __init__(
        self,
        tiles: Mapping[str, KindTile],
        chosen: str,
        press: Callable[[str], None],
        width: float,
    ) -> None:
        self.tiles, self.chosen = tiles, chosen
        self._across = _beside(tiles, width)
        super().__init__(press, width, keys_height(tiles, width))

    def _laid(self) -> dict[str, Rect]:
        gap, each = style.gap_s, _key_height()
        wide = (self.width - (self._across - 1) * gap) / self._across
        found = {}
        for number, kind in enumerate(self.tiles):
            line, column = divmod(number, self._across)
            top = self.y + self.height - line * (each + gap)
            found[kind] = (self.x + column * (wide + gap), top - each, wide, each)
        return found

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        for kind, cell in self.cells.items():
            self._draw_key(self.tiles[kind], cell, chosen=kind == self.chosen)

    def _draw_key(self, tile: KindTile, cell: Rect, *, chosen: bool) -> None:
        x, y, width, height = cell
        group = self._drawing
        group.add(Color(*style.tone("stone" if tile.left or chosen else "slate")))
        group.add(rounded(cell))
        group.add(Color(*style.tone("ask" if chosen else "edge")))
        line = style.stroke * 0.8 if chosen else style.hairline * 0.7
        group.add(Round((x + 1, y + 1), (width - 2, height - 2), style.radius * 0.55, line))
        middle, upper = x + width / 2, y + height * 0.68
        size = style.body * 1.9
        px = min(size, width * 0.5) / max(tile.kind.size)
        draw_piece(group, tile.kind, (middle - style.body * 0.6, upper), px, PieceLook())
        ink = style.tone("bone" if tile.left else "ash")
        at = (middle + size * 0.5, upper)
        if tile.left:
            draw_text(group, str(tile.left), at, style.body * 1.15, ink)
        else:
            draw_text(group, "✓", at, style.body, style.tone("ok"), 1.0, "symbol")
        draw_text(group, tile.name, (middle, y + height * 0.26), round(style.caption), ink)


def keys_height(tiles: Mapping[str, KindTile], width: float) -> float:
    """Height of the keys across ``width`` px, px."""
    lines = -(-len(tiles) // _beside(tiles, width))
    return float(lines * (_key_height() + style.gap_s) - style.gap_s)


def _beside(tiles: Mapping[str, KindTile], width: float) -> int:
    """Number of keys that have room beside each other."""
    widest = max(Setting(tile.name, round(style.caption)).extent[0] for tile in tiles.values())
    each = (width + style.gap_s) / len(tiles) - style.gap_s
    least = max(widest + 2 * style.grid, _LEAST * style.body)
    return len(tiles) if each >= least else _MOST_BESIDE


def _key_height() -> float:
    return float(max(style.body * _HIGH, style.target))


# -- cards of a hand --------------------------------------------------------------------------

_MOST_IN_A_ROW = 6
"""Number of cards above which they take two lines."""
_CARD_HIGH, _WIDEST = 48.0, 52.0
_LEAST_LARGE, _LARGE = 74.0, (64.0, 110.0)
"""Height and greatest width of a card at a short side of 480, px …"""
_FOOT_LINE = 14.0
"""… and how much higher it is for each further line at its foot."""


class CardRow(LaidCards):
    """Cards side by side across ``width`` px; a touch calls ``press`` with a card's name."""

    def __init__(
        self, hand: HandCards, press: Callable[[str], None], width: float,
        feet: Mapping[str, Sequence[str]] | None = None, *, large: bool = False,
    ) -> None:  # fmt: skip
        """``feet``: lines at the foot of cards."""
        self.hand, self.feet = hand, feet or {}
        self._widest = _LARGE[1] if large else _WIDEST
        lines, self._high = _hand_lines(len(hand.cards), width, self.feet, large=large)
        self._across = -(-len(hand.cards) // lines)
        super().__init__(press, width, hand_height(hand, width, self.feet, large=large))

    def _laid(self) -> dict[str, Rect]:
        gap, high, across = style.gap_s, self._high, self._across
        wide = min((self.width - (across - 1) * gap) / across, self._widest * style.factor)
        found = {}
        for number, card in enumerate(self.hand.cards):
            line, column = divmod(number, across)
            top = self.y + self.height - line * (high + gap)
            found[card] = (self.x + column * (wide + gap), top - high, wide, high)
        return found

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        picking = self.hand.picking
        # The lifted card lies over its neighbours.
        for card, cell in sorted(self.cells.items(), key=lambda one: one[0] == self.hand.lifted):
            lifted = card == self.hand.lifted
            chosen = lifted or card in picking.chosen
            able = chosen or card in self.hand.able
            look = CardLook(able, chosen, lifted, suit=True, foot=self.feet.get(card, ()))
            draw_card(self._drawing, picking.plan, card, cell, look)


def hand_height(
    hand: HandCards, width: float, feet: Mapping[str, Sequence[str]], *, large: bool
) -> float:
    """Height of the cards across ``width`` px, px."""
    lines, high = _hand_lines(len(hand.cards), width, feet, large=large)
    return float(lines * (high + style.gap_s) - style.gap_s)


def _hand_lines(
    count: int, width: float, feet: Mapping[str, Sequence[str]], *, large: bool
) -> tuple[int, float]:
    """Number of lines of cards, and the height of a card, px."""
    most, high = _MOST_IN_A_ROW, _CARD_HIGH
    if large:
        most = min(int(width / (_LEAST_LARGE * style.factor)), most)
        high = _LARGE[0] + _FOOT_LINE * max(max(map(len, feet.values()), default=0) - 1, 0)
    return -(-count // most), high * float(style.factor)
