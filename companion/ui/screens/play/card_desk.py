"""The desk for cards: choose them where they stand on the board, and one key says what that means.

It takes the place of board and words where nothing but cards is asked for, and lies over them where
a player chose to play cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.floatlayout import FloatLayout

from companion.match.view import AutoDeal, PlayMove, PlayMoves, TableView, Undo
from companion.presentation.cards import CardPlan, Entry, Picking, picking_of
from companion.presentation.theme import tokens as theme
from companion.presentation.words.sentences import suit_name, teller_of, told_cards
from companion.presentation.words.translate import _
from companion.ui.drawing.ink import text_texture
from companion.ui.drawing.numbered_cards import CardLook, Rect, draw_card, suit_sign
from companion.ui.shell import DeskWays
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words, fit_one_line
from companion.ui.widgets.page import Span, beside
from companion.ui.widgets.pressed_cards import PressedCards
from rules.core import Actor
from rules.telling import Teller

HEAD_PX, HEAD_UPRIGHT_PX, FOOT_PX = 74.0, 92.0, 60.0
"""Height of the words above and of the keys below, at a short side of 480."""
LEAST_PX = 15.0
"""Size of the smallest words, where larger ones have no room, at a short side of 480."""
_WIDE = 3
"""Number of keys across above which there is no room for what was chosen, and for the word of the
way back."""


class CardDesk(FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``show`` takes a view for which ``picking_of`` finds something."""

    def __init__(
        self, ways: DeskWays, close: Callable[[], None] | None = None, **kwargs: Any
    ) -> None:
        """``close``: takes it away again; None if nothing lies below it."""
        super().__init__(**kwargs)
        self._ways, self._close = ways, close
        self.picking: Picking | None = None
        self._view: TableView | None = None
        self.grid: CardGrid | None = None
        self._said = ""
        """Reason why the card that was touched last cannot be chosen."""
        self._why = ""
        self._set: tuple[object, ...] = ()
        with self.canvas.before:
            self._tone = Color(*style.tone("night"))
            self._ground = Rectangle()

    def show(self, view: TableView) -> None:
        """Show ``view``; what was chosen is forgotten as soon as the record changes."""
        before, self._view = self._view, view
        same = before is not None and (before.match_id, before.ply) == (view.match_id, view.ply)
        if self.picking is None or not same:
            self.picking = picking_of(view)
            self._said = self._why = ""
        self._build()

    def leave(self) -> None:
        """The desk is no longer shown; nothing of it goes on."""

    # -- what touches do ------------------------------------------------------------------

    def touch_card(self, card: str) -> None:
        """Choose a card, leave it out again, or say why it cannot be chosen."""
        picking = self.picking
        assert picking is not None
        self._said = self._why = ""
        if card not in picking.possible and card not in picking.chosen:
            self._ways.slip()
            self._explain(picking, card)
            self._build()
            return
        self.picking = after = picking.touch(card)
        entries = after.entries
        if len(entries) == 1 and not picking.chosen and after.one_by_one:
            self.enter(entries[0])
            return
        self._build()

    def enter(self, entry: Entry) -> None:
        """The chosen cards mean these moves."""
        self._ways.post(PlayMove(entry[0]) if len(entry) == 1 else PlayMoves(entry))

    def _explain(self, picking: Picking, card: str) -> None:
        objection, teller = picking.why_not(card), self._teller
        if objection is None:
            self._said = _("play.card_is_not_possible_now").format(card=teller.kind(card))
            return
        told = teller.objection(objection)
        self._said, self._why = told.title, told.text

    def _say(self, part: str) -> None:
        assert self.picking is not None
        self.picking = self.picking.say(part)
        if len(self.picking.entries) == 1:
            self.enter(self.picking.entries[0])
            return
        self._build()

    def _back(self) -> None:
        assert self.picking is not None
        self._said = self._why = ""
        if not self.picking.chosen:
            self._ways.post(Undo())
            return
        self.picking = self.picking.back()
        self._build()

    # -- building -------------------------------------------------------------------------

    @property
    def _teller(self) -> Teller:
        assert self.picking is not None
        return teller_of(self.picking.view, style.lang)

    def _build(self) -> None:
        picking = self.picking
        if picking is None or self.width < style.target:
            return
        self._tone.rgba = style.tone("night")
        self._ground.pos, self._ground.size = self.pos, self.size
        self.clear_widgets()
        keys = self._keys(picking)
        below = self._foot(picking, keys)
        head = self._head(picking)
        self._place_grid(picking, below, self.y + self.height - head)

    def _head(self, picking: Picking) -> float:
        """Title, what to do or why not, and the way out; returns its height."""
        edge = style.margin * 0.8
        high = (HEAD_PX if self.width > self.height else HEAD_UPRIGHT_PX) * style.factor
        span, out = self._span(edge), self._out()
        low = self.y + self.height - high / 2 - out.height / 2
        out.pos = (span.take(out.width, style.gap), low)
        self.add_widget(out)
        title, text = self._asked(picking)
        asks = self._ways.phone_asks()
        if asks is not None:
            size = {"size_hint": (None, None), "width": out.width, "height": out.height}
            at = (span.take(out.width, style.gap), low)
            self.add_widget(Key("", asks, symbol="☎", pos=at, **size))
        width = span.end - span.start
        least = LEAST_PX * style.factor
        sizes = (style.type_m, style.body, style.caption, least)
        line = Words(
            title, bold=True, font_size=fit_one_line(title, sizes, width), width=width,
            line_height=1.0, color=style.tone("ask" if self._said else "bone"),
        )  # fmt: skip
        lines = [line]
        if text:
            left = high - line.height - style.grid
            lines.append(_fitting(text, (style.caption, least), width, left, color=style.ash))
        inner = sum(label.height for label in lines)
        top = self.y + self.height - (high - inner) / 2
        for label in lines:
            top -= label.height
            label.size_hint, label.pos = (None, None), (span.start, top)
            self.add_widget(label)
        return float(high)

    def _span(self, edge: float) -> Span:
        return Span(self.x + edge, self.width - 2 * edge, across=self.width > self.height)

    def _asked(self, picking: Picking) -> tuple[str, str]:
        if self._said:
            return self._said, self._why
        prompt, teller = picking.view.prompt, self._teller
        if prompt is None:
            return "", ""
        if prompt.actor is Actor.PLAYER and prompt.player is not None:
            hint = teller.text("picks", "hint") if teller.has("picks", "hint") else ""
            return _("play.which_cards").format(name=teller.seat(prompt.player)), hint
        told = teller.prompt(prompt)
        return told.title, told.text

    def _out(self) -> Any:
        size = {"size_hint": (None, None), "width": style.button, "height": style.button}
        if self._close is not None:
            return Key("", self._close, symbol="✕", **size)
        return Key("", self._ways.open_menu, symbol="☰", **size)

    def _foot(self, picking: Picking, keys: list[Any]) -> float:
        """The keys, and what was chosen beside or above them; returns where the grid begins. That
        is the same whatever was chosen."""
        edge, high, across = style.margin * 0.8, FOOT_PX * style.factor, self.width > self.height
        whole, bottom = self.width - 2 * edge, self.y + style.gap_s
        width = whole * 0.6 if across and len(keys) <= _WIDE else whole
        span = self._span(edge)
        if keys:
            line = beside(*keys)
            line.size_hint, line.size = (None, None), (width, high)
            line.pos = (span.take(width, style.gap), bottom)
            self.add_widget(line)
        start, tall = (span.start, high) if across else (self.x + edge, style.body * 2.4)
        room = span.end - start if across else whole
        words, top = self._chosen_words(picking), bottom + high + style.gap_s
        if words and room > style.target:
            least = LEAST_PX * style.factor
            sizes = (style.body, style.caption, least)
            label = _fitting(words, sizes, room, tall)
            label.size_hint = (None, None)
            middle = bottom + high / 2 if across else top + tall / 2
            label.pos = (start, middle - label.height / 2)
            self.add_widget(label)
        return float(top if across else top + tall + style.gap_s)

    def _chosen_words(self, picking: Picking) -> str:
        """The chosen cards, or how many there are to choose."""
        count, wanted = len(picking.chosen), picking.wanted
        if not count and wanted + picking.entered < 2:
            return ""
        told = told_cards(picking.chosen, picking.plan, self._teller)
        if wanted + picking.entered > 1:
            count, wanted = count + picking.entered, wanted + picking.entered
            number = _("play.count_of_wanted_cards").format(count=count, wanted=wanted)
            return f"{number}: {told}" if told else number
        return told

    def _keys(self, picking: Picking) -> list[Any]:
        """The way back, and what the chosen cards may mean."""
        entries, parts = picking.entries, picking.asked_parts
        keys = self._backward(picking, max(len(parts), len(entries)))
        if parts:
            whole = [entry for entry in entries if not picking.lacks(entry[-1])]
            keys += [self._entry_key(picking, entry, len(entries)) for entry in whole]
            return keys + [self._part_key(part) for part in parts]
        if not entries and self._may_deal:
            deal = partial(self._ways.post, AutoDeal())
            keys.append(Key(_("play.let_heelstone_draw"), deal, primary=True, type_px=style.body))
        return keys + [self._entry_key(picking, entry, len(entries)) for entry in entries]

    @property
    def _may_deal(self) -> bool:
        return self._view is not None and self._view.may_deal

    def _backward(self, picking: Picking, others: int) -> list[Any]:
        if not picking.chosen and self._view is not None and not self._view.can_undo:
            return []
        if not others and not self._may_deal:
            width = style.button * 3.6
            key = Key(_("screens.undo"), self._back, symbol="↺", size_hint_x=None, width=width)
        elif others < _WIDE - 1:
            key = Key(
                _("screens.undo"), self._back, symbol="↺", size_hint_x=0.62, type_px=style.body
            )
        else:
            key = Key("", self._back, symbol="↺", size_hint_x=None, width=style.button)
        key.height = FOOT_PX * style.factor
        return [key]

    def _part_key(self, part: str) -> Any:
        key: Any = Key(self._teller.word(part), partial(self._say, part), type_px=style.body)
        key.part, key.height = part, FOOT_PX * style.factor
        return key

    def _entry_key(self, picking: Picking, entry: Entry, count: int) -> Any:
        """Yellow where it is what was asked for: all the cards, and nothing else they may mean."""
        prompt, number = picking.view.prompt, len(picking.chosen)
        words = self._teller.pick(entry, number, prompt, alone=count == 1)
        whole = not picking.wanted or number == picking.wanted
        primary = whole and (count == 1 or entry == (picking.view.usual,))
        press = partial(self.enter, entry)
        key: Any = Key(words, press, primary=primary, type_px=style.body)
        key.entry, key.height = entry, FOOT_PX * style.factor
        return key

    def _place_grid(self, picking: Picking, bottom: float, top: float) -> None:
        edge = style.margin * 0.8
        headings = [suit_name(suit, self._teller) for suit in picking.plan.suits]
        look = (style.lang, style.name, style.factor)
        if self._set != look or self.grid is None:
            self._set = look
            self.grid = CardGrid(picking.plan, headings, self.touch_card, size_hint=(None, None))
        self.grid.show(GridLook(picking.possible, picking.chosen))
        self.grid.pos = (self.x + edge, bottom)
        self.grid.size = (self.width - 2 * edge, top - bottom)
        self.add_widget(self.grid)


def _fitting(text: str, sizes: tuple[float, ...], width: float, height: float, **look: Any) -> Any:
    """Words across ``width`` px in the first of ``sizes`` in which they are not higher."""
    for size in sizes:
        label = Words(text, font_size=size, width=width, line_height=1.0, **look)
        if label.height <= height:
            break
    return label


# -- the cards at their places -----------------------------------------------------------------


HEADING_PX = 20.0
"""Size of letters at a short side of 480, px."""


@dataclass(frozen=True, slots=True)
class GridLook:
    """State of the grid's cards."""

    open: frozenset[str] = frozenset()
    """Cards that may be chosen."""
    chosen: tuple[str, ...] = ()


class CardGrid(PressedCards):
    """Fills its place; every touch of a card calls ``press`` with its name."""

    def __init__(
        self,
        plan: CardPlan,
        headings: Sequence[str],
        press: Callable[[str], None],
        **kwargs: Any,
    ) -> None:
        """``headings``: what the suits are called."""
        super().__init__(press, **kwargs)
        self._plan, self._headings = plan, tuple(headings)
        self.look = GridLook()
        self._words = InstructionGroup()
        self._faces: dict[str, tuple[object, InstructionGroup]] = {}
        self.canvas.add(self._words)
        for card in plan.kinds:
            self._faces[card] = (None, InstructionGroup())
            self.canvas.add(self._faces[card][1])
        self.canvas.add(self._glow)
        self.bind(pos=self._place, size=self._place)

    def show(self, look: GridLook) -> None:
        """Show these cards as open and chosen; only what changed is drawn."""
        self.look = look
        for card, cell in self.cells.items():
            self._draw_card(card, cell)

    def cell(self, card: str) -> Rect:
        """Place of a card."""
        return self.cells[card]

    # -- places ---------------------------------------------------------------------------

    @property
    def _beside(self) -> bool:
        """True if the suits stand beside each other."""
        return bool(self.width > self.height)

    def _place(self, *_: Any) -> None:
        self.between = self._gap / 2 + 1
        self.cells = dict(self._across() if self._beside else self._upright())
        self._draw_headings()
        self.show(self.look)

    def _across(self) -> Iterator[tuple[str, Rect]]:
        """The suits beside each other, the others in columns at the right."""
        plan, gap, part = self._plan, self._gap, style.gap_l
        rows, spare = self._rows, 1 if plan.others else 0
        more = -(-len(plan.others) // rows)
        columns = plan.columns * len(plan.suits) + more
        parts = len(plan.suits) - 1 + spare
        wide = (self.width - parts * part - (columns - 1 - parts) * gap) / columns
        high = (self.height - self._heading - (rows - 1) * gap) / rows
        top, left = self.y + self.height - self._heading, self.x
        for cards, across in [*((s.cards, plan.columns) for s in plan.suits), (plan.others, more)]:
            for number, card in enumerate(cards):
                row, column = divmod(number, max(across, 1))
                x, y = left + column * (wide + gap), top - row * (high + gap) - high
                yield card, (x, y, wide, high)
            left += across * (wide + gap) - gap + part

    def _upright(self) -> Iterator[tuple[str, Rect]]:
        """The suits below each other, the others in a row at the end."""
        plan, gap, part = self._plan, self._gap, style.gap
        lines = self._rows * len(plan.suits) + (1 if plan.others else 0)
        parts = len(plan.suits) - 1 + (1 if plan.others else 0)
        taken = len(plan.suits) * self._heading + parts * part + (lines - 1 - parts) * gap
        high, top = (self.height - taken) / lines, self.y + self.height
        wide = (self.width - (plan.columns - 1) * gap) / plan.columns
        for suit in plan.suits:
            top -= self._heading
            for number, card in enumerate(suit.cards):
                row, column = divmod(number, plan.columns)
                x, y = self.x + column * (wide + gap), top - row * (high + gap) - high
                yield card, (x, y, wide, high)
            top -= self._rows * (high + gap) - gap + part
        wide = (self.width - (len(plan.others) - 1) * gap) / max(len(plan.others), 1)
        for number, card in enumerate(plan.others):
            yield card, (self.x + number * (wide + gap), top - high, wide, high)

    @property
    def _rows(self) -> int:
        return -(-max(len(suit.cards) for suit in self._plan.suits) // self._plan.columns)

    @property
    def _gap(self) -> float:
        return float(style.grid * 1.5)

    @property
    def _heading(self) -> float:
        return float(HEADING_PX * style.factor * 1.45)

    # -- drawing --------------------------------------------------------------------------

    def _draw_headings(self) -> None:
        self._words.clear()
        for suit, heading in zip(self._plan.suits, self._headings, strict=True):
            x, y, _width, height = self.cells[suit.cards[0]]
            middle = y + height + self._heading / 2
            sign, tone = suit_sign(suit)
            symbol = text_texture(sign, round(HEADING_PX * 1.1 * style.factor), "symbol")
            self._put(symbol, style.tone(tone), (x + symbol.width / 2, middle))
            word = text_texture(heading, round(HEADING_PX * style.factor))
            left = x + symbol.width + style.gap_s
            self._put(word, style.tone("bone"), (left + word.width / 2, middle))

    def _put(self, texture: Any, ink: theme.Rgba, middle: tuple[float, float]) -> None:
        self._words.add(Color(*ink))
        x, y = round(middle[0] - texture.width / 2), round(middle[1] - texture.height / 2)
        self._words.add(Rectangle(texture=texture, pos=(x, y), size=texture.size))

    def _draw_card(self, card: str, cell: Rect) -> None:
        chosen = card in self.look.chosen
        able = chosen or card in self.look.open
        drawn, group = self._faces[card]
        look = (cell, chosen, able, style.look)
        if look == drawn:
            return
        self._faces[card] = (look, group)
        group.clear()
        draw_card(group, self._plan, card, cell, CardLook(able=able, chosen=chosen))
