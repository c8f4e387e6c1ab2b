"""Cards for sale and cards of a hand, drawn into an instruction group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine

from companion.presentation.market import TRASH, CardTile
from companion.presentation.theme import tokens as theme
from companion.presentation.words.translate import _
from companion.ui.drawing.ink import Round, RoundPicture, disc, text_texture
from companion.ui.drawing.pictures import picture_texture
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from rules.games import find_game

# -- words ------------------------------------------------------------------------------------

SMALLEST = 0.85
"""Least share of its size to which a long name is set before it is drawn narrower."""


def extent(text: str, px: float) -> float:
    """Width of a line, px; its height ``px`` is at a short side of 480."""
    return line_width(text, px * style.factor)


def write(
    drawing: Any,
    text: str,
    px: float,
    at: tuple[float, float],
    room: float,
    ink: theme.Rgba,
    *,
    right: bool = False,
    centred: bool = False,
) -> None:
    """One line from ``at``, its middle left (or ``right``, or ``centred``) point, into an
    instruction group. What is still too long at the smallest size is drawn narrower, never cut."""
    fitting = max(min(1.0, room / max(extent(text, px), 1.0)), SMALLEST)
    word = text_texture(text, round(px * style.factor * fitting))
    wide = min(word.width, room)
    left = at[0] - wide / 2 if centred else at[0] - wide if right else at[0]
    drawing.add(Color(*ink))
    pos = (round(left), round(at[1] - word.height / 2))
    drawing.add(Rectangle(texture=word, pos=pos, size=(wide, word.height)))


# -- emblems ----------------------------------------------------------------------------------


def emblem(game: str, kind: str, side_px: int) -> Any:
    """The picture of a card as a square texture for a ``RoundPicture``; None if the game has
    none of it."""
    picture = find_game(game).touch.pictures().get(kind)
    return None if picture is None or side_px < 1 else picture_texture(picture, side_px)


Rect = tuple[float, float, float, float]
"""x, y, width, height in px."""

NAME_PX = 20.0
_SMALL_PX = 17.0
_LEADING = 1.1
_COIN = 26.0
"""Diameter of the coin with the cost; all at a short side of 480."""
_MOST_EMBLEM = 76.0
_FLAT = 47.0
"""Height below which a pile has one line for everything."""
_LOW = 100.0
"""Height below which a card of a hand shows its picture beside the figures."""
_TINTS: Mapping[str, str] = {
    "treasure": "dawn", "victory": "ok", "attack": "stop", "reaction": "ask", "trash": "ask",
}  # fmt: skip


def draw_ware(drawing: Any, game: str, tile: CardTile, cell: Rect) -> None:
    """A pile: name, cost, picture, how many are left. Lit if it can be touched."""
    x, y, width, height = cell
    lit = tile.lit
    tint = _tint(tile.group)
    _shadow(drawing, cell)
    glow = (0.12 if tile.asks else 0.24) if lit else 0.05
    drawing.add(Color(*theme.mix(style.tone("slate"), tint, glow)))
    drawing.add(_rounded(cell))
    tone = style.tone("bone") if tile.group == "action" else theme.mix(tint, style.bone, 0.25)
    frame = style.dawn if tile.gained else tone
    if tile.asks and not tile.gained:
        frame = theme.mix(style.tone("edge"), tone, 0.5)
    elif not (lit or tile.gained):
        frame = theme.mix(style.tone("edge"), tint, 0.12)
    _outline(drawing, cell, frame, style.stroke * (0.72 if lit or tile.gained else 0.3))
    pad = style.gap_s * 0.85
    ink = style.tone("bone" if lit and not tile.asks else "ash")
    if height < _FLAT * style.factor:
        _flat_ware(drawing, tile, cell, ink)
        return
    low = y + pad * 0.75
    deep = height - style.grid * 2 - _COIN * style.factor
    top = _names(
        drawing, tile, (x + pad, y + height - style.grid * 0.9), width - 2 * pad, deep, ink
    )
    room = top - low
    if tile.kind == TRASH:
        at = (x + width - pad, low + room / 2)
        write(drawing, str(tile.count), NAME_PX, at, width / 2, ink, right=True)
        _bin(drawing, (x + pad, low), min(room, _COIN * style.factor), ink)
        return
    coin = min(_COIN * style.factor, room)
    middle = low + room / 2
    _coin(drawing, str(tile.cost), (x + pad + coin / 2, middle), coin, lit=lit)
    count = str(tile.count) if tile.count else _("play.empty")
    px = NAME_PX if tile.count else _SMALL_PX
    write(drawing, count, px, (x + width - pad, middle), width * 0.5, ink, right=True)
    left, right = x + pad + coin, x + width - pad - extent(count, px)
    side = min(room, _MOST_EMBLEM * style.factor, right - left - style.grid * 2)
    at = ((left + right - side) / 2, middle - side / 2)
    _picture(drawing, game, tile, at, side, faded=not lit)
    if tile.gained:
        _pill(drawing, f"+{tile.gained}", ((left + right) / 2, middle), centred=True)


def _flat_ware(drawing: Any, tile: CardTile, cell: Rect, ink: theme.Rgba) -> None:
    """Cost, name and number beside each other, where there is no room below each other."""
    x, y, width, height = cell
    pad, middle = style.gap_s * 0.7, y + height / 2
    coin = min(_COIN * 0.85 * style.factor, height * 0.7)
    if tile.kind == TRASH:
        _bin(drawing, (x + pad, middle - coin / 2), coin, ink)
    else:
        at = (x + pad + coin / 2, middle)
        _coin(drawing, str(tile.cost), at, coin, lit=tile.lit)
    count = str(tile.count)
    write(drawing, count, _SMALL_PX, (x + width - pad, middle), width * 0.3, ink, right=True)
    left = x + pad + coin + pad * 0.8
    room = x + width - pad * 1.6 - extent(count, _SMALL_PX) - left
    write(drawing, tile.name, _SMALL_PX, (left, middle), room, ink)
    if tile.gained:
        _pill(drawing, f"+{tile.gained}", (left + room / 2, middle), centred=True)


def draw_held(drawing: Any, game: str, tile: CardTile, cell: Rect) -> None:
    """A card of a hand, equal ones stacked. Lit if it can be touched."""
    x, y, width, height = cell
    lit = tile.lit
    paper, ink = _on_paper(tile.group, lit=lit)
    step = style.grid * 0.9
    for behind in range(min(tile.count - 1, 2), 0, -1):
        drawing.add(Color(*theme.mix(paper, style.tone("night"), 0.35)))
        drawing.add(
            _rounded((x + step * behind, y, width - step * 2, height - step * (2 - behind)))
        )
    cell = (x, y, width - step * 2, height - step * 2)
    x, y, width, height = cell
    _shadow(drawing, cell)
    drawing.add(Color(*paper))
    drawing.add(_rounded(cell))
    frame = style.ask if lit else theme.mix(paper, style.tone("night"), 0.4)
    _outline(drawing, cell, frame, style.stroke * (1.1 if lit else 0.4))
    pad = style.gap_s * 0.85
    start = (x + pad, y + height - style.grid * 1.3)
    centred = height >= _LOW * style.factor
    top = _names(drawing, tile, start, width - 2 * pad, height * 0.5, ink, centred=centred)
    low = y + pad * 0.8
    many = f"×{tile.count}"
    if height < _LOW * style.factor:
        side = min(top - low, width * 0.55)
        _picture(drawing, game, tile, (x + pad, low), side, faded=not lit)
        if tile.count > 1:
            at = (x + width - pad, low + side / 2)
            write(drawing, many, NAME_PX, at, width - side - 3 * pad, ink, right=True)
        return
    foot = _SMALL_PX * style.factor * 1.2
    write(drawing, tile.label, _SMALL_PX, (x + width / 2, low + foot / 2), width - 2 * pad,
          theme.mix(ink, paper, 0.2), centred=True)  # fmt: skip
    side = min(top - low - foot - style.grid, width - 2 * pad)
    at = (x + (width - side) / 2, low + foot + (top - low - foot - side) / 2)
    _picture(drawing, game, tile, at, side, faded=not lit)
    if tile.count > 1:
        _pill(drawing, many, (x + width - pad * 0.5, at[1]), px=NAME_PX)
    if tile.gained:
        _pill(drawing, f"+{tile.gained}", (at[0] + side * 0.2, at[1] + side * 0.86), centred=True)


def face(drawing: Any, game: str, tile: CardTile, cell: Rect) -> None:
    """A card by itself, as large as there is room: name, picture, cost and sort."""
    x, y, width, height = cell
    paper, ink = _on_paper(tile.group, lit=True)
    drawing.add(Color(*paper))
    drawing.add(_rounded(cell))
    pad = style.gap * 1.1
    head = 30.0 * style.factor * 1.6
    write(drawing, tile.name, 30.0, (x + width / 2, y + height - pad * 0.6 - head / 2),
          width - 2 * pad, ink, centred=True)  # fmt: skip
    coin = 56.0 * style.factor
    side = min(width - 2 * pad, height - head - coin - pad * 2.4)
    at = (
        x + (width - side) / 2,
        y + coin + pad * 1.6 + (height - head - coin - pad * 2.4 - side) / 2,
    )
    _picture(drawing, game, tile, at, side, faded=False)
    _coin(drawing, str(tile.cost), (x + pad + coin / 2, y + pad * 0.8 + coin / 2), coin, lit=True)
    at = (x + width - pad, y + pad * 0.8 + coin / 2)
    write(drawing, tile.label, NAME_PX, at, width - coin - 3 * pad, ink, right=True)


# -- parts ------------------------------------------------------------------------------------


def _on_paper(group: str, *, lit: bool) -> tuple[theme.Rgba, theme.Rgba]:
    """Ground and ink."""
    paper = theme.rgba(theme.CARD_PAPER.get(group, theme.CARD_PAPER["action"]))
    if lit:
        return paper, theme.rgba(theme.CARD_INK)
    return theme.mix(paper, style.tone("night"), 0.68), style.tone("bone")


def _names(
    drawing: Any,
    tile: CardTile,
    at: tuple[float, float],
    room: float,
    deep: float,
    ink: theme.Rgba,
    *,
    centred: bool = False,
) -> float:
    """The name in one or two lines down from ``at``, its upper left corner, at most ``deep`` px
    high if it is larger than usual; returns where it ends, y."""
    x, top = at
    lines, px = _largest(tile, room, deep)
    for line in lines:
        top -= px * style.factor * _LEADING
        middle = (x + room / 2 if centred else x, top + px * style.factor * _LEADING / 2)
        write(drawing, line, px, middle, room, ink, centred=centred)
    return top


def _largest(tile: CardTile, room: float, deep: float) -> tuple[tuple[str, ...], float]:
    """The lines of a name and their size: as large as people want their words, where that fits."""
    larger, line = theme.TEXT_SCALES[style.chosen.text], _LEADING * style.factor
    whole = extent(tile.name, NAME_PX)
    widest = max(extent(part, _SMALL_PX) for part in tile.lines)
    one = min(NAME_PX * min(larger, room / max(whole, 1.0)), deep / line)
    two = min(_SMALL_PX * min(larger, room / max(widest, 1.0)), deep / line / len(tile.lines))
    one, two = max(one, NAME_PX * SMALLEST), max(two, _SMALL_PX)
    if len(tile.lines) == 1 or (whole * SMALLEST <= room * 1.04 and one >= two):
        return (tile.name,), max(one, NAME_PX)
    return tile.lines, two


def _picture(
    drawing: Any, game: str, tile: CardTile, at: tuple[float, float], side: float, *, faded: bool
) -> None:
    """The little picture, with the card's figure on it."""
    if side < style.grid * 3:
        return
    texture = emblem(game, tile.kind, round(side))
    if texture is None:
        return
    drawing.add(Color(1, 1, 1, 0.45 if faded else 1))
    radius, size = min(side * 0.16, style.radius), (round(side), round(side))
    drawing.add(RoundPicture(texture, at, size, radius))
    if not tile.sign:
        return
    if tile.group == "treasure":
        px, middle = side * 0.52, (at[0] + side / 2, at[1] + side / 2)
    else:
        px = side * (0.42 if len(tile.sign) < 2 else 0.32)
        middle = (at[0] + side * 0.75, at[1] + side * 0.25)
        drawing.add(Color(*theme.rgba(theme.CARD_SEAL.get(tile.group, theme.CARD_INK))))
        drawing.add(disc(middle, side * 0.25))
    ink = theme.rgba(theme.CARD_INK) if tile.group == "treasure" else (1, 1, 1, 1)
    word = text_texture(tile.sign, max(round(px), 6))
    drawing.add(Color(*ink))
    pos = (middle[0] - word.width / 2, middle[1] - word.height / 2)
    drawing.add(Rectangle(texture=word, pos=pos, size=word.size))


def _coin(drawing: Any, text: str, middle: tuple[float, float], side: float, *, lit: bool) -> None:
    """Draws the cost of a card."""
    shade = 0.0 if lit else 0.45
    for tone, part in zip(theme.COIN, (1.0, 0.88), strict=True):
        drawing.add(Color(*theme.mix(theme.rgba(tone), style.tone("slate"), shade)))
        drawing.add(disc(middle, side * part / 2))
    word = text_texture(text, round(side * 0.72))
    drawing.add(Color(*theme.rgba(theme.CARD_INK)))
    pos = (middle[0] - word.width / 2, middle[1] - word.height / 2)
    drawing.add(Rectangle(texture=word, pos=pos, size=word.size))


def _pill(
    drawing: Any,
    text: str,
    at: tuple[float, float],
    *,
    px: float = _SMALL_PX,
    centred: bool = False,
) -> None:
    """A figure on a yellow ground; ``at``: its lower right corner, or its middle."""
    word = text_texture(text, round(px * style.factor))
    width, height = word.width + style.gap * 1.2, word.height + style.grid * 0.2
    left, low = at[0] - width, at[1]
    if centred:
        left, low = at[0] - width / 2, at[1] - height / 2
    drawing.add(Color(*style.tone("dawn_fill")))
    drawing.add(Round((left, low), (width, height)))
    drawing.add(Color(*style.tone("ink")))
    pos = (round(left + (width - word.width) / 2), round(low + (height - word.height) / 2))
    drawing.add(Rectangle(texture=word, pos=pos, size=word.size))


def _bin(drawing: Any, at: tuple[float, float], side: float, ink: theme.Rgba) -> None:
    """A waste bin."""
    x, y = at
    width = style.stroke * 0.55
    drawing.add(Color(*ink))
    body = [x + side * 0.22, y + side * 0.72, x + side * 0.28, y + side * 0.06,
            x + side * 0.72, y + side * 0.06, x + side * 0.78, y + side * 0.72]  # fmt: skip
    drawing.add(SmoothLine(points=body, width=width))
    lid = [x + side * 0.1, y + side * 0.76, x + side * 0.9, y + side * 0.76]
    drawing.add(SmoothLine(points=lid, width=width))
    grip = [x + side * 0.38, y + side * 0.78, x + side * 0.38, y + side * 0.92,
            x + side * 0.62, y + side * 0.92, x + side * 0.62, y + side * 0.78]  # fmt: skip
    drawing.add(SmoothLine(points=grip, width=width))


def _tint(group: str) -> theme.Rgba:
    if group == "curse":
        return theme.rgba(theme.SAFE["purple"])
    return style.tone(_TINTS.get(group, "edge"))


def _shadow(drawing: Any, cell: Rect) -> None:
    """The shadow of a card to its lower right."""
    x, y, width, height = cell
    drawing.add(Color(0, 0, 0, 0.34))
    drawing.add(_rounded((x + 2 * style.factor, y - 3 * style.factor, width, height)))


def _rounded(cell: Rect) -> Any:
    x, y, width, height = cell
    return Round((x, y), (width, height), style.radius * 0.7)


def _outline(drawing: Any, cell: Rect, tone: theme.Rgba, width: float) -> None:
    x, y, wide, high = cell
    drawing.add(Color(*tone))
    drawing.add(Round((x + 1, y + 1), (wide - 2, high - 2), style.radius * 0.7, width))
