"""The choices that decide what is played: cards of the seats page, and a page for each choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from kivy.graphics import Color, InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.market import CardTile, card_page
from companion.presentation.setting_up.choices import (
    Naming,
    build_of,
    kinds_of,
    value_of,
    value_told,
    values_of,
)
from companion.presentation.words.translate import _
from companion.settings.people import MatchSetup
from companion.ui.drawing.build_view import BuildView
from companion.ui.drawing.cards import draw_ware, emblem
from companion.ui.drawing.ink import RoundPicture
from companion.ui.screens.play.market_parts import CardReader, cells
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words, fit_one_line
from companion.ui.widgets.card_field import CardField
from companion.ui.widgets.choice import AnswerRow, build_words, mark_chosen, stacked
from companion.ui.widgets.page import beside
from companion.ui.widgets.sideways import Sideways
from rules.core import Build
from rules.games import find_game
from rules.telling import Teller

CARD_PX = 58.0
"""Height of a choice on the seats page, at a short side of 480."""
_NARROWEST_PX = 200.0
"""Least width of a choice there, at a short side of 480."""
_MOST_PICTURES = 0.62
"""Share of a choice's width that its pictures may take."""
_TILE_PX = 104.0
"""Height of a value with a drawing, at a short side of 480."""


def choice_cards(
    plan: MatchSetup, options: Sequence[str], teller: Teller, open_page: Callable[[str], None],
    width: float,
) -> Any:  # fmt: skip
    """The ``options`` beside each other, each with what is chosen; in lines, where there is no room
    for all."""
    across = min(max(int(width // (_NARROWEST_PX * style.factor)), 1), len(options))
    lines = []
    for first in range(0, len(options), across):
        some = options[first : first + across]
        each = (width - style.gap_s * (len(some) - 1)) / len(some)
        cards = (ChoiceCard(plan, one, teller, partial(open_page, one), each) for one in some)
        lines.append(beside(*cards))
    return stacked(lines, style.gap_s)


class ChoiceCard(ButtonBehavior, Card):  # type: ignore[misc]
    """An option, its value and pictures of it; a touch opens its page."""

    def __init__(
        self, plan: MatchSetup, option: str, teller: Teller, press: Callable[[], None],
        width: float,
    ) -> None:  # fmt: skip
        height = CARD_PX * style.factor
        super().__init__(fill="stone", line="edge", size_hint_y=None, height=height)
        title, value = teller.option(option)[0], value_told(plan, option, teller)
        self.text = f"{title}: {value}"
        self._sign = Symbol(
            text="›", color=style.ash, font_size=style.type_m, size_hint=(None,) * 2
        )
        self._sign.size = self._sign.extent
        inner = width - self._sign.width - 3 * style.gap
        build = build_of(plan, option, value_of(plan, option))
        kinds = kinds_of(plan.game, option, value_of(plan, option))
        self._picture: Any = None
        if kinds:
            self._picture = Emblems(plan.game, kinds, inner * _MOST_PICTURES, height * 0.66)
        elif build is not None:
            self._picture = BuildView(
                game_box(plan.game), size_hint=(None, None), size=(height * 1.5, height * 0.86)
            )
            self._picture.show(build)
        taken = self._picture.width + style.gap if self._picture is not None else 0.0
        room = inner - taken
        small, large = (style.type_xs,), (style.type_s, style.type_xs)
        self._words = [
            Words(title, color=style.ash, width=room, font_size=fit_one_line(title, small, room)),
            Words(value, bold=True, width=room, font_size=fit_one_line(value, large, room),
                  line_height=1.0),
        ]  # fmt: skip
        for part in (*self._words, self._sign, self._picture):
            if part is not None:
                self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle, right = self.y + self.height / 2, self.x + self.width - style.gap
        self._sign.pos = (right - self._sign.width, middle - self._sign.height / 2)
        if (picture := self._picture) is not None:
            left = self._sign.x - style.gap_s - picture.width
            picture.pos = (left, middle - picture.height / 2)
        top = middle + sum(words.height for words in self._words) / 2
        for words in self._words:
            top -= words.height
            words.pos = (self.x + style.gap, top)


class Emblems(Widget):  # type: ignore[misc]
    """Little pictures of cards in a row, not wider or higher than there is room."""

    def __init__(self, game: str, kinds: Sequence[str], width: float, height: float) -> None:
        self._game, self._kinds, self._gap = game, tuple(kinds), style.grid * 0.75
        self._side = min(width / len(kinds) - self._gap, height)
        wide = (self._side + self._gap) * len(kinds) - self._gap
        super().__init__(size_hint=(None, None), size=(wide, self._side))
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        for number, kind in enumerate(self._kinds):
            texture = emblem(self._game, kind, round(self._side))
            if texture is None:
                continue
            self._drawing.add(Color(1, 1, 1, 1))
            at = (self.x + number * (self._side + self._gap), self.y)
            size = (self._side, self._side)
            self._drawing.add(RoundPicture(texture, at, size, style.radius * 0.4))


# -- the page of one choice -------------------------------------------------------------------


def value_rows(
    plan: MatchSetup, option: str, teller: Teller, pick: Callable[[str], None], width: float
) -> list[Widget]:
    """A row for each value; values for which something is built are tiles with its drawing."""
    values, chosen = values_of(plan, option), value_of(plan, option)
    builds = {value: build_of(plan, option, value) for value in values}
    if not any(builds.values()):
        return [
            AnswerRow(
                teller.option_value(option, one), "", one == chosen, partial(pick, one), width
            )
            for one in values
        ]
    across = 5 if width > 620 * style.factor else 3
    each = (width - style.gap_s * (across - 1)) / across
    tiles: list[Widget] = [
        _BuildTile(plan.game, builds[one], teller.option_value(option, one), one == chosen,
                   partial(pick, one), each)
        for one in values
    ]  # fmt: skip
    tiles += [Widget(height=0) for _missing in range(-len(tiles) % across)]
    rows: list[Widget] = [
        beside(*tiles[first : first + across]) for first in range(0, len(tiles), across)
    ]
    build = builds[chosen]
    return rows if build is None else [*rows, *build_words(build, teller, width)]


class _BuildTile(ButtonBehavior, Card):  # type: ignore[misc]
    """A value by the drawing of what is built, with its name below."""

    def __init__(
        self, game: str, build: Build | None, text: str, chosen: bool, press: Callable[[], None],
        width: float,
    ) -> None:  # fmt: skip
        super().__init__(
            fill="slate", line="edge", size_hint_y=None, height=_TILE_PX * style.factor
        )
        self.text, self.chosen = text, chosen
        mark_chosen(self, chosen)
        size = fit_one_line(text, (style.type_xs,), width - 2 * style.gap_s)
        self._words = Words(
            text, bold=True, font_size=size, width=width - 2 * style.gap_s, halign="center",
            line_height=1.0,
        )  # fmt: skip
        self._view: Any = None
        if build is not None:
            self._view = BuildView(game_box(game), size_hint=(None, None))
            self._view.show(build)
            self.add_widget(self._view)
        self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        pad = style.gap_s
        if self._view is None:
            self._words.pos = (self.x + pad, self.y + (self.height - self._words.height) / 2)
            return
        self._words.pos = (self.x + pad, self.y + pad * 0.8)
        low = self._words.y + self._words.height
        self._view.pos = (self.x + pad, low)
        self._view.size = (self.width - 2 * pad, self.y + self.height - low - pad * 0.5)


class KindPicker(FloatLayout):  # type: ignore[misc]
    """All cards of which players name some, as they are for sale; those that are named are lit.

    A touch names a card or leaves it out, a finger that rests reads it.
    """

    def __init__(
        self,
        naming: Naming,
        teller: Teller,
        touch: Callable[[Naming], None],
        read: Callable[[Any], None],
        options: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._naming, self._teller, self._touch, self._read = naming, teller, touch, read
        self._options = options
        self.field = CardField(draw_ware, self._touched, self._held)
        self.add_widget(self.field)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        if min(self.size) < style.target:
            return
        tiles = self._naming.tiles(self._teller)
        area = (self.x, self.y, self.width, self.height)
        self.field.pos, self.field.size = self.pos, self.size
        columns = 5 if self.width > 620 * style.factor else 3
        self.field.show(self._naming.game, tiles, cells(area, len(tiles), columns))

    def _touched(self, tile: CardTile) -> None:
        self._touch(self._naming.touch(tile.kind))

    def _held(self, tile: CardTile) -> None:
        """Show a card large, with its text."""
        naming = self._naming
        piles = find_game(naming.game).touch.stock((tile.kind,), naming.players)
        page = card_page(piles[0], tile, self._teller, self._options)
        self._read(partial(CardReader, naming.game, tile, page))


def naming_keys(
    naming: Naming,
    plan: MatchSetup,
    teller: Teller,
    played: Sequence[Mapping[str, str]],
    lot: Random,
    take: Callable[[str], None],
    width: float,
) -> Any:
    """Keys that name all cards at once: the values of the option, a draw by lot, one of what was
    not played lately, and what was played last."""
    option, chosen = naming.option, naming.value
    past = [one.get(option, "") for one in played]
    past = [value for value in past if kinds_of(plan.game, option, value)]

    def draw(lately: Sequence[str]) -> None:
        take(naming.draw(lot, [kinds_of(plan.game, option, value) for value in lately]).value)

    answers: list[tuple[str, Callable[[], None], bool]] = [
        (_("seats.draw_count").format(count=naming.choice.number), partial(draw, ()), False)
    ]
    if past:
        answers.append((_("seats.not_played_lately"), partial(draw, past), False))
        answers.append((_("seats.once_again"), partial(take, past[0]), chosen == past[0]))
    for value in values_of(plan, option):
        text = teller.option_value(option, value).partition(" – ")[0]
        answers.append((text, partial(take, value), value == value_of(plan, option)))
    keys = []
    for text, press, marked in answers:
        key: Any = Key(text, press, height=style.target, size_hint_x=None)
        key.width = max(len(text) * style.type_s * 0.56 + 2 * style.gap_l, style.target * 1.5)
        mark_chosen(key, marked)
        keys.append(key)
    return Sideways(keys, style.gap_s, width, style.target)
